//! Tokens to tree: recursive descent for C11 and the GNU forms that programs use.
//!
//! Whether a name is a type decides how C is read, so the parser keeps the scopes of typedef names. An error costs the
//! statement or the declaration in which it stands; reading goes on after its `;` or `}`.

mod attribute;
mod decl;
mod declarator;
mod expr;
mod primary;
mod record;
mod recover;
mod scopes;
mod stmt;

use super::complaints::Complaints;
use super::lex::{Lexer, Token};
use super::literal;
use super::origin::Origin;
use super::token::Tok;
use super::tree::{Expr, ExprId, ExprKind, Name, Tree};
use super::types::UNDECLARED;
use ast::MAX_DEPTH;
use ast::symbol::Symbol;
use base::diagnostic::Diagnostic;
use base::memory::expect;
use base::source::Span;
use scopes::Scopes;

/// Reads preprocessed text of less than 4 GiB: the next file of a program, whose tree grows by it.
///
/// Text that cannot be read is missing from the tree; the complaints say so.
#[must_use]
pub fn parse(text: &str, origin: Origin<'_>, mut tree: Tree) -> (Tree, Complaints) {
    tree.begin_file();
    let mut parser = Parser::new(Lexer::new(text, origin), tree);
    // A guess: one expression for every six bytes of text.
    let most = text.len() / 6;
    expect(&mut parser.tree.exprs, most);
    expect(&mut parser.heights, most);
    parser.program();
    (parser.tree, parser.complaints)
}

/// Reading stopped at an error that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop;

/// What was read, unless there was an error.
pub(super) type Parsed<T> = Result<T, Stop>;

/// A token, and its name if it is one.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    token: Token,
    symbol: Symbol,
}

/// The state of reading.
pub(super) struct Parser<'i> {
    lexer: Lexer<'i>,
    complaints: Complaints,
    tree: Tree,
    scopes: Scopes,
    /// The token to be read, and the one after it.
    now: Ahead,
    next: Ahead,
    /// The place of the token that was read last.
    last: Span,
    /// Where that token ends in the text that is read.
    end: u32,
    /// How many functions that read nested things are under way.
    depth: usize,
    /// Height of each expression as a tree: chains such as `a + b + …` are high without nesting.
    heights: Vec<u16>,
    /// The height of the highest expression since [`Self::measured`] began.
    highest: u16,
    /// Whether reading was given up.
    lost: bool,
}

impl<'i> Parser<'i> {
    fn new(lexer: Lexer<'i>, tree: Tree) -> Self {
        let nothing = Ahead {
            token: Token {
                tok: Tok::End,
                from: 0,
                to: 0,
                span: Span::default(),
                pack: 0,
            },
            symbol: Symbol(0),
        };
        let mut parser = Self {
            lexer,
            complaints: Complaints::default(),
            heights: vec![0; tree.exprs.len()],
            tree,
            scopes: Scopes::default(),
            now: nothing,
            next: nothing,
            last: Span::default(),
            end: 0,
            depth: 0,
            highest: 0,
            lost: false,
        };
        let undeclared = UNDECLARED.iter().map(|(name, _)| *name);
        for name in std::iter::once("__builtin_va_list").chain(undeclared) {
            let name = parser.tree.names.intern(name);
            parser.scopes.declare(name, true);
        }
        parser.advance();
        parser.advance();
        parser
    }

    /// Everything up to the end of the text.
    fn program(&mut self) {
        while self.tok() != Tok::End {
            if self.eat(Tok::Semi) || self.top_asm() {
                continue;
            }
            let from = self.now.token.from;
            match self.declaration(true) {
                Ok(item) => self.tree.items.push(item),
                Err(Stop) => {
                    self.scopes.close_all();
                    self.skip_item(from);
                }
            }
            if self.complaints.is_full() {
                self.give_up();
            }
        }
    }

    /// The kind of the token to be read.
    fn tok(&self) -> Tok {
        self.now.token.tok
    }

    /// The kind of the token after it.
    fn next_tok(&self) -> Tok {
        self.next.token.tok
    }

    fn here(&self) -> Span {
        self.now.token.span
    }

    /// From a place to the token read last.
    fn since(&self, start: Span) -> Span {
        if self.last.end < start.start {
            start
        } else {
            start.to(self.last)
        }
    }

    fn text(&self) -> &'i str {
        self.lexer.text(self.now.token)
    }

    fn advance(&mut self) {
        self.last = self.now.token.span;
        self.end = self.now.token.to;
        self.now = self.next;
        if self.lost {
            self.now.token.tok = Tok::End;
            return;
        }
        let token = self.lexer.next(&mut self.complaints);
        let symbol = if token.tok == Tok::Ident {
            let name = literal::name(self.lexer.text(token));
            self.tree.names.intern(&name)
        } else {
            Symbol(0)
        };
        self.next = Ahead { token, symbol };
    }

    /// Reads no more.
    fn give_up(&mut self) {
        self.lost = true;
        self.now.token.tok = Tok::End;
        self.next.token.tok = Tok::End;
    }

    /// Reads a token if it is of a kind.
    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == tok;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, tok: Tok, what: &str) -> Parsed<()> {
        if self.eat(tok) {
            Ok(())
        } else {
            Err(self.expected(what))
        }
    }

    /// Reads the `;` at the end of something. If it is missing, complains, and goes on where a `}` or a statement follows.
    fn semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        // The complaint points to where the `;` is missing, not to the next token.
        let end = Span::new(self.last.end, self.last.end);
        let stop = self.expected_at(end, &format!("`;` after {after}"));
        if self.tok() == Tok::RBrace || self.begins_statement() {
            return Ok(());
        }
        Err(stop)
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.tok() != Tok::Ident {
            return Err(self.expected(what));
        }
        let name = Name {
            symbol: self.now.symbol,
            span: self.here(),
        };
        self.advance();
        Ok(name)
    }

    /// Whether the token to be read is a name that stands for a type.
    fn is_type_name(&self) -> bool {
        self.tok() == Tok::Ident && self.scopes.is_type(self.now.symbol)
    }

    /// Whether the name of a type begins after the token to be read.
    fn type_follows(&self) -> bool {
        let next = &self.next;
        next.token.tok.begins_type()
            || next.token.tok == Tok::Attribute
            || next.token.tok == Tok::Ident && self.scopes.is_type(next.symbol)
    }

    /// Complains of the token to be read.
    fn expected(&mut self, what: &str) -> Stop {
        self.expected_at(self.here(), what)
    }

    fn expected_at(&mut self, span: Span, what: &str) -> Stop {
        let found = match self.tok() {
            Tok::End => "the end of the file".to_owned(),
            Tok::Ident => literal::short(&literal::name(self.text())),
            _ => literal::short(self.text()),
        };
        self.complain(span, format!("expected {what}, found {found}"));
        Stop
    }

    fn complain(&mut self, span: Span, message: impl Into<String>) {
        self.complain_of(Diagnostic::error("syntax", span, message));
    }

    fn complain_of(&mut self, complaint: Diagnostic) {
        if !self.lost {
            self.complaints.add(complaint);
        }
    }

    /// Reads something that may hold itself.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep(self.here()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self, span: Span) -> Stop {
        let message = format!("nested too deeply: more than {MAX_DEPTH} levels");
        self.complain(span, message);
        self.give_up();
        Stop
    }

    /// Reads something and says how high the highest expression in it is.
    fn measured<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(T, u16)> {
        let before = std::mem::take(&mut self.highest);
        let result = read(self);
        let height = self.highest;
        self.highest = before.max(height);
        Ok((result?, height))
    }

    /// Adds an expression whose height follows from its operands alone.
    fn expr(&mut self, kind: ExprKind, span: Span) -> Parsed<ExprId> {
        self.expr_over(kind, span, 0)
    }

    /// Adds an expression that also holds things that are no operands. `inside` is their height.
    fn expr_over(&mut self, kind: ExprKind, span: Span, inside: u16) -> Parsed<ExprId> {
        let mut height = inside;
        let mut below = |e: ExprId| height = height.max(self.heights[e.0 as usize]);
        operands(&self.tree, kind, &mut below);
        height += 1;
        if usize::from(height) > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        self.heights.push(height);
        self.highest = self.highest.max(height);
        Ok(self.tree.exprs(Expr { kind, span }))
    }
}

/// The operands of an expression, in order.
fn operands(tree: &Tree, kind: ExprKind, each: &mut impl FnMut(ExprId)) {
    use ExprKind as K;
    match kind {
        K::Error | K::Int(..) | K::Float(..) | K::Char(..) | K::Text(_) | K::Name(_) => {}
        K::SizeofType(_) | K::AlignofType(_) | K::Block(_) | K::Offsetof(..) => {}
        K::TypesCompatible(..) | K::LabelAddress(_) | K::Compound(..) => {}
        K::Unary(_, e) | K::Step { operand: e, .. } | K::Member(e, _) | K::Arrow(e, _) => each(e),
        K::Cast(_, e) | K::SizeofExpr(e) | K::AlignofExpr(e) | K::VaArg(e, _) => each(e),
        K::Binary(_, l, r)
        | K::Assign(_, l, r)
        | K::Comma(l, r)
        | K::Index(l, r)
        | K::ByTypes(l, r) => {
            each(l);
            each(r);
        }
        K::Conditional(c, a, b) => {
            each(c);
            a.into_iter().for_each(&mut *each);
            each(b);
        }
        K::Choose(c, a, b) => [c, a, b].into_iter().for_each(each),
        K::Call(f, args) => {
            each(f);
            tree[args].iter().copied().for_each(each);
        }
        K::Generic(e, choices) => {
            each(e);
            tree[choices].iter().for_each(|c| each(c.value));
        }
    }
}
