//! Statements.

use super::{Parsed, Parser, Stop};
use crate::literal;
use crate::token::Tok;
use crate::tree::{Asm, AsmOperand, Attributes, ExprId, Stmt, StmtId, StmtKind};
use base::source::Span;

impl Parser<'_> {
    fn add_stmt(&mut self, kind: StmtKind, start: Span) -> StmtId {
        let span = self.since(start);
        self.tree.stmts(Stmt { kind, span })
    }

    /// `{ … }`. The caller opens the scope, because the scope of a function's body also holds the parameters.
    pub(super) fn block(&mut self) -> Parsed<StmtId> {
        let start = self.here();
        self.expect(Tok::LBrace, "`{`")?;
        let list = self.deeper(|p| {
            let mut stmts = Vec::new();
            while !matches!(p.tok(), Tok::RBrace | Tok::End) {
                p.recovering(&mut stmts);
            }
            Ok(stmts)
        })?;
        let list = self.tree.list(list);
        self.expect(Tok::RBrace, "`}`")?;
        Ok(self.add_stmt(StmtKind::Block(list), start))
    }

    fn scoped_block(&mut self) -> Parsed<StmtId> {
        self.scopes.open();
        let block = self.block();
        self.scopes.close();
        block
    }

    /// A statement with its labels; a broken one is skipped.
    fn recovering(&mut self, stmts: &mut Vec<StmtId>) {
        let scopes = self.scopes.count();
        if let Err(Stop) = self.item(stmts) {
            self.scopes.close_to(scopes);
            self.skip_statement();
            if self.complaints.is_full() {
                self.give_up();
            }
        }
    }

    /// A declaration, a label, or a statement.
    fn item(&mut self, stmts: &mut Vec<StmtId>) -> Parsed<()> {
        self.item_after(Attributes::default(), stmts)
    }

    /// Attributes before a statement say nothing. Those before a declaration belong to it.
    fn item_after(&mut self, mut before: Attributes, stmts: &mut Vec<StmtId>) -> Parsed<()> {
        let start = self.here();
        let label = self.label(start)?;
        if let Some(label) = label {
            stmts.push(label);
            return Ok(());
        }
        if self.begins_attributes() {
            self.attributes(&mut before)?;
            if self.eat(Tok::Semi) {
                let empty = self.add_stmt(StmtKind::Empty, start);
                stmts.push(empty);
                return Ok(());
            }
            return self.item_after(before, stmts);
        }
        if self.begins_declaration() {
            let decl = self.declaration_after(before, false)?;
            stmts.push(self.add_stmt(StmtKind::Decl(decl), start));
            return Ok(());
        }
        let stmt = self.deeper(Self::unlabeled)?;
        stmts.push(stmt);
        Ok(())
    }

    fn begins_declaration(&self) -> bool {
        self.tok().begins_declaration()
            || self.tok() == Tok::StaticAssert
            || self.is_type_name()
            || self.is_unknown_type()
    }

    /// `case a:`, `default:`, `name:`
    fn label(&mut self, start: Span) -> Parsed<Option<StmtId>> {
        let kind = match self.tok() {
            Tok::Case => {
                self.advance();
                let first = self.conditional()?;
                let last = if self.eat(Tok::Ellipsis) {
                    Some(self.conditional()?)
                } else {
                    None
                };
                StmtKind::Case(first, last)
            }
            Tok::Default => {
                self.advance();
                StmtKind::Default
            }
            Tok::Ident if self.next_tok() == Tok::Colon => StmtKind::Label(self.name("a label")?),
            _ => return Ok(None),
        };
        self.expect(Tok::Colon, "`:`")?;
        let label = self.add_stmt(kind, start);
        if !matches!(kind, StmtKind::Label(_)) {
            return Ok(Some(label));
        }
        // `label: __attribute__((unused));`
        if self.begins_attributes() {
            self.attributes(&mut Attributes::default())?;
        }
        Ok(Some(label))
    }

    /// The statement under an `if` or a loop. Labels before it make a block of it.
    fn statement(&mut self) -> Parsed<StmtId> {
        let start = self.here();
        let mut stmts = Vec::new();
        loop {
            let count = stmts.len();
            let label = self.label(start)?;
            stmts.extend(label);
            if stmts.len() == count {
                break;
            }
        }
        self.attributes_before_statement()?;
        // A label at the end of a block, with nothing after it.
        let stmt = if !stmts.is_empty() && self.tok() == Tok::RBrace {
            self.add_stmt(StmtKind::Empty, start)
        } else if self.begins_declaration() && !stmts.is_empty() {
            let decl = self.declaration(false)?;
            self.add_stmt(StmtKind::Decl(decl), start)
        } else {
            self.deeper(Self::unlabeled)?
        };
        if stmts.is_empty() {
            return Ok(stmt);
        }
        stmts.push(stmt);
        let list = self.tree.list(stmts);
        Ok(self.add_stmt(StmtKind::Block(list), start))
    }

    fn attributes_before_statement(&mut self) -> Parsed<()> {
        if self.begins_attributes() {
            self.attributes(&mut Attributes::default())?;
        }
        Ok(())
    }

    /// A statement without labels before it.
    fn unlabeled(&mut self) -> Parsed<StmtId> {
        let start = self.here();
        let kind = match self.tok() {
            Tok::LBrace => return self.scoped_block(),
            Tok::Semi => {
                self.advance();
                StmtKind::Empty
            }
            Tok::If => self.if_statement()?,
            Tok::While => self.while_statement()?,
            Tok::Do => self.do_statement()?,
            Tok::For => self.for_statement()?,
            Tok::Switch => {
                self.advance();
                let value = self.in_parens("`switch`")?;
                StmtKind::Switch(value, self.statement()?)
            }
            Tok::Asm => self.asm_statement()?,
            _ => self.simple()?,
        };
        Ok(self.add_stmt(kind, start))
    }

    /// A statement that ends with `;`.
    fn simple(&mut self) -> Parsed<StmtKind> {
        let tok = self.tok();
        let (kind, what) = match tok {
            Tok::Goto => {
                self.advance();
                let kind = if self.eat(Tok::Star) {
                    StmtKind::GotoValue(self.expression()?)
                } else {
                    StmtKind::Goto(self.name("a label")?)
                };
                (kind, "`goto`")
            }
            Tok::Break => {
                self.advance();
                (StmtKind::Break, "`break`")
            }
            Tok::Continue => {
                self.advance();
                (StmtKind::Continue, "`continue`")
            }
            Tok::Return => {
                self.advance();
                let has_value = !matches!(self.tok(), Tok::Semi | Tok::RBrace);
                let value = has_value.then(|| self.expression()).transpose()?;
                (StmtKind::Return(value), "`return`")
            }
            Tok::LabelWord => {
                self.advance();
                (self.local_labels()?, "`__label__`")
            }
            _ => (StmtKind::Expr(self.expression()?), "an expression"),
        };
        self.semicolon(what)?;
        Ok(kind)
    }

    fn local_labels(&mut self) -> Parsed<StmtKind> {
        let mut names = vec![self.name("a label")?];
        while self.eat(Tok::Comma) {
            names.push(self.name("a label")?);
        }
        Ok(StmtKind::LocalLabels(self.tree.list(names)))
    }

    fn in_parens(&mut self, after: &str) -> Parsed<ExprId> {
        self.expect(Tok::LParen, &format!("`(` after {after}"))?;
        let value = self.expression()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(value)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.in_parens("`if`")?;
        let then = self.statement()?;
        let other = if self.eat(Tok::Else) {
            Some(self.statement()?)
        } else {
            None
        };
        Ok(StmtKind::If(condition, then, other))
    }

    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.in_parens("`while`")?;
        Ok(StmtKind::While(condition, self.statement()?))
    }

    fn do_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let body = self.statement()?;
        self.expect(Tok::While, "`while`")?;
        let condition = self.in_parens("`while`")?;
        self.semicolon("`do`")?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect(Tok::LParen, "`(` after `for`")?;
        self.scopes.open();
        let kind = self.for_rest();
        self.scopes.close();
        kind
    }

    fn for_rest(&mut self) -> Parsed<StmtKind> {
        let start = self.here();
        let mut before = Attributes::default();
        self.attributes(&mut before)?;
        let first = if self.begins_declaration() {
            StmtKind::Decl(self.declaration_after(before, false)?)
        } else if self.eat(Tok::Semi) {
            StmtKind::Empty
        } else {
            let value = self.expression()?;
            self.expect(Tok::Semi, "`;`")?;
            StmtKind::Expr(value)
        };
        let first = self.add_stmt(first, start);
        let condition = self.expression_before(Tok::Semi, "`;`")?;
        let step = self.expression_before(Tok::RParen, "`)`")?;
        Ok(StmtKind::For(first, condition, step, self.statement()?))
    }

    fn expression_before(&mut self, end: Tok, what: &str) -> Parsed<Option<ExprId>> {
        if self.eat(end) {
            return Ok(None);
        }
        let value = self.expression()?;
        self.expect(end, what)?;
        Ok(Some(value))
    }

    /// `asm volatile ("…" : …);`
    fn asm_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let mut jumps = false;
        while matches!(self.tok(), Tok::Volatile | Tok::Goto | Tok::Inline) {
            jumps |= self.tok() == Tok::Goto;
            self.advance();
        }
        if self.tok() != Tok::LParen {
            return Err(self.expected("`(` after `asm`"));
        }
        self.advance();
        let text = self.asm_text();
        let mut operands = Vec::new();
        for is_output in [true, false] {
            if self.eat(Tok::Colon) {
                self.asm_operands(is_output, &mut operands)?;
            }
        }
        self.skip_open(1);
        let asm = self.tree.asms(Asm {
            text,
            operands,
            jumps,
        });
        self.semicolon("`asm`")?;
        Ok(StmtKind::Asm(asm))
    }

    /// `[name] "constraint" (e), …`
    fn asm_operands(&mut self, is_output: bool, into: &mut Vec<AsmOperand>) -> Parsed<()> {
        while matches!(self.tok(), Tok::LBracket | Tok::Text) {
            let mut name = None;
            if self.eat(Tok::LBracket) {
                name = Some(self.now.symbol);
                self.advance();
                self.expect(Tok::RBracket, "`]` after the name of an operand")?;
            }
            let constraint = self.asm_text();
            self.expect(Tok::LParen, "`(` and an operand")?;
            let value = self.deeper(Self::expression)?;
            self.expect(Tok::RParen, "`)` after an operand")?;
            into.push(AsmOperand {
                name,
                constraint,
                value,
                is_output,
            });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(())
    }

    /// The strings that stand here.
    fn asm_text(&mut self) -> String {
        let mut text = String::new();
        while self.tok() == Tok::Text {
            let (_, values) = literal::characters(self.text());
            text.extend(values.into_iter().filter_map(char::from_u32));
            self.advance();
        }
        text
    }

    /// The body of `({ … })`.
    pub(super) fn block_in_expression(&mut self) -> Parsed<StmtId> {
        self.scoped_block()
    }
}
