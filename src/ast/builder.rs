//! What the grammar's actions do: nodes into the arenas, with their depth.
//!
//! Lists and chains of operators under construction live on stacks here, so
//! that what the parser's own stack holds is small. A node that lies deeper
//! than [`MAX_DEPTH`] becomes an error: everything after the parser may then
//! walk the tree recursively.

use super::MAX_DEPTH;
use super::lexer::TooDeep;
use super::tree::*;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The height of a stack at the first element of a list under construction.
#[derive(Clone, Copy, Debug)]
pub struct Mark(u32);

/// A chain of operands and operators under construction.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    operands: u32,
    operators: u32,
}

/// What stands in the brackets of a type.
#[derive(Clone, Copy, Debug)]
pub enum BracketKey {
    /// A length, or a lone name.
    Expr(ExprId),
    /// A type.
    Type(TypeId),
}

/// `i8` … `u64`.
#[must_use]
pub fn bits(width: u8, signed: bool) -> TypeKind {
    TypeKind::Bits(Bits { width, signed })
}

/// The height of a stack or arena. Texts are shorter than 4 GiB, and no list has more elements than its text bytes.
#[allow(
    clippy::cast_possible_truncation,
    reason = "bounded by the length of the text"
)]
fn height<T>(stack: &[T]) -> u32 {
    stack.len() as u32
}

/// Moves the elements of a stack from `mark` on into a pool.
fn settle<T: Copy>(stack: &mut Vec<T>, mark: Mark, pool: &mut Vec<T>) -> (u32, u32) {
    let start = height(pool);
    pool.extend(stack.drain(mark.0 as usize..));
    (start, height(pool) - start)
}

/// Lists under construction.
#[derive(Debug, Default)]
struct Stacks {
    exprs: Vec<ExprId>,
    stmts: Vec<StmtId>,
    names: Vec<Name>,
    fields: Vec<Field>,
    inits: Vec<FieldInit>,
    /// Operands of chains.
    operands: Vec<ExprId>,
    operators: Vec<BinaryOp>,
    prefixes: Vec<(UnaryOp, u32)>,
    brackets: Vec<(BracketKey, u32)>,
    members: Vec<Member>,
}

/// The clauses of the operation under construction (operations do not nest).
#[derive(Debug, Default)]
struct Clauses {
    enqueue: Option<Block>,
    guard: Option<ExprId>,
    spurious: Option<ExprId>,
}

/// The tree under construction.
pub struct Builder<'i> {
    /// The tree.
    pub ast: Ast,
    /// What is wrong beyond what the grammar itself refuses.
    pub diagnostics: Vec<Diagnostic>,
    text: &'i str,
    base: u32,
    stacks: Stacks,
    clauses: Clauses,
    /// How deep the tree is below each expression, statement and type.
    expr_depth: Vec<u16>,
    stmt_depth: Vec<u16>,
    type_depth: Vec<u16>,
    too_deep: bool,
}

impl<'i> Builder<'i> {
    /// A builder for a text whose first byte has the offset `base`.
    #[must_use]
    pub fn new(text: &'i str, base: u32) -> Self {
        Self {
            ast: Ast::default(),
            diagnostics: Vec::new(),
            text,
            base,
            stacks: Stacks::default(),
            clauses: Clauses::default(),
            expr_depth: Vec::new(),
            stmt_depth: Vec::new(),
            type_depth: Vec::new(),
            too_deep: false,
        }
    }

    /// The text between two offsets.
    fn slice(&self, start: u32, end: u32) -> &'i str {
        &self.text[(start - self.base) as usize..(end - self.base) as usize]
    }

    fn error(&mut self, start: u32, end: u32, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error("syntax", Span::new(start, end), message));
    }

    /// Reports, once, that nodes are nested too deeply.
    pub fn report_depth(&mut self, span: Span) {
        if !std::mem::replace(&mut self.too_deep, true) {
            let message = format!("nested too deeply: at most {MAX_DEPTH} levels");
            self.diagnostics
                .push(Diagnostic::error("syntax", span, message));
        }
    }

    // ---- Depth ----

    fn depth_of_expr(&self, id: ExprId) -> u16 {
        self.expr_depth[id.0 as usize]
    }

    fn depth_of_exprs(&self, list: ExprList) -> u16 {
        self.ast
            .expr_list(list)
            .iter()
            .map(|&e| self.depth_of_expr(e))
            .max()
            .unwrap_or(0)
    }

    fn depth_of_block(&self, block: Block) -> u16 {
        self.ast
            .stmt_list(block.stmts)
            .iter()
            .map(|&s| self.stmt_depth[s.0 as usize])
            .max()
            .unwrap_or(0)
    }

    /// How deep the tree is below an expression of this kind.
    fn depth_below_expr(&self, kind: &ExprKind) -> u16 {
        use ExprKind::*;
        let of = |id| self.depth_of_expr(id);
        match *kind {
            Error | Star | Bool(_) | Int(_) | Name(_) => 0,
            Paren(e) | Unary(_, e) | Field(e, _) | Fill(e) | Convert(_, e) => of(e),
            Binary(_, a, b) | Index(a, b) | ArrayRepeat(a, b) => of(a).max(of(b)),
            IfThenElse(a, b, c) => of(a).max(of(b)).max(of(c)),
            ArrayLit(list) | Apply(_, list) => self.depth_of_exprs(list),
            Method(e, _, list) => of(e).max(self.depth_of_exprs(list)),
            RecordLit(_, inits) => self
                .ast
                .inits(inits)
                .iter()
                .map(|i| of(i.value))
                .max()
                .unwrap_or(0),
        }
    }

    /// The depth of statements below one of this kind: expressions have their own bound.
    fn depth_below_stmt(&self, kind: &StmtKind) -> u16 {
        match *kind {
            StmtKind::If(_, then, otherwise) => {
                let other = otherwise.map_or(0, |s| self.stmt_depth[s.0 as usize]);
                self.depth_of_block(then).max(other)
            }
            StmtKind::While(_, block)
            | StmtKind::For(_, _, _, block)
            | StmtKind::Block(block)
            | StmtKind::Await(_, Some(block))
            | StmtKind::Atomic(block) => self.depth_of_block(block),
            _ => 0,
        }
    }

    fn depth_below_type(&self, kind: &TypeKind) -> u16 {
        let of = |id: TypeId| self.type_depth[id.0 as usize];
        match *kind {
            TypeKind::Record(fields) => self
                .ast
                .fields(fields)
                .iter()
                .map(|f| of(f.ty))
                .max()
                .unwrap_or(0),
            TypeKind::Array(_, t) | TypeKind::Bracket(_, t) => of(t),
            TypeKind::Map(k, t) => of(k).max(of(t)),
            _ => 0,
        }
    }

    // ---- Nodes ----

    /// An expression.
    pub fn expr(&mut self, kind: ExprKind, start: u32, end: u32) -> ExprId {
        let span = Span::new(start, end);
        let below = self.depth_below_expr(&kind);
        let (kind, depth) = if usize::from(below) < MAX_DEPTH {
            (kind, below + 1)
        } else {
            self.report_depth(span);
            (ExprKind::Error, 1)
        };
        let id = ExprId(height(&self.ast.exprs));
        self.ast.exprs.push(Expr { kind, span });
        self.expr_depth.push(depth);
        id
    }

    /// A statement.
    pub fn stmt(&mut self, kind: StmtKind, start: u32, end: u32) -> StmtId {
        let span = Span::new(start, end);
        let below = self.depth_below_stmt(&kind);
        let (kind, depth) = if usize::from(below) < MAX_DEPTH {
            (kind, below + 1)
        } else {
            self.report_depth(span);
            (StmtKind::Error, 1)
        };
        let id = StmtId(height(&self.ast.stmts));
        self.ast.stmts.push(Stmt { kind, span });
        self.stmt_depth.push(depth);
        id
    }

    /// A type.
    pub fn ty(&mut self, kind: TypeKind, start: u32, end: u32) -> TypeId {
        let span = Span::new(start, end);
        let below = self.depth_below_type(&kind);
        let (kind, depth) = if usize::from(below) < MAX_DEPTH {
            (kind, below + 1)
        } else {
            self.report_depth(span);
            (TypeKind::Error, 1)
        };
        let id = TypeId(height(&self.ast.types));
        self.ast.types.push(TypeNode { kind, span });
        self.type_depth.push(depth);
        id
    }

    /// A name.
    pub fn name(&mut self, start: u32, end: u32) -> Name {
        let symbol = self.ast.symbols.intern(self.slice(start, end));
        Name {
            symbol,
            span: Span::new(start, end),
        }
    }

    /// An item is complete.
    pub fn item(&mut self, kind: ItemKind, start: u32, end: u32) {
        self.ast.items.push(Item {
            kind,
            span: Span::new(start, end),
        });
    }

    // ---- Lists ----

    /// Moves a list of expressions into its pool.
    pub fn exprs(&mut self, mark: Mark) -> ExprList {
        let (start, len) = settle(&mut self.stacks.exprs, mark, &mut self.ast.expr_pool);
        ExprList { start, len }
    }

    /// Moves a list of names into its pool.
    pub fn names(&mut self, mark: Mark) -> NameList {
        let (start, len) = settle(&mut self.stacks.names, mark, &mut self.ast.name_pool);
        NameList { start, len }
    }

    /// Moves a list of fields into its pool.
    pub fn fields(&mut self, mark: Mark) -> FieldList {
        let (start, len) = settle(&mut self.stacks.fields, mark, &mut self.ast.field_pool);
        FieldList { start, len }
    }

    /// A list without an element yet.
    pub fn no_stmts(&mut self) -> Mark {
        Mark(height(&self.stacks.stmts))
    }

    /// One more statement.
    pub fn next_stmt(&mut self, mark: Mark, stmt: StmtId) -> Mark {
        self.stacks.stmts.push(stmt);
        mark
    }

    /// `{ … }`
    pub fn block(&mut self, mark: Mark, start: u32, end: u32) -> Block {
        let (from, len) = settle(&mut self.stacks.stmts, mark, &mut self.ast.stmt_pool);
        Block {
            stmts: StmtList { start: from, len },
            span: Span::new(start, end),
        }
    }

    // ---- Items and members ----

    /// `object O(params) { … }`, whose members are gathered.
    pub fn object(&mut self, name: Name, params: Option<FieldList>) -> ItemKind {
        let members = std::mem::take(&mut self.stacks.members);
        ItemKind::Object(ObjectDecl {
            name,
            params: params.unwrap_or_default(),
            members,
        })
    }

    /// A member of the object under construction.
    pub fn member(&mut self, kind: MemberKind, start: u32, end: u32) {
        self.stacks.members.push(Member {
            kind,
            span: Span::new(start, end),
        });
    }

    /// An operation begins to have clauses.
    pub fn no_clauses(&mut self) {
        self.clauses = Clauses::default();
    }

    fn clause_twice(&mut self, twice: bool, start: u32, end: u32) {
        if twice {
            let message = format!(
                "a second `{}` for the same operation",
                self.slice(start, end)
            );
            self.error(start, end, message);
        }
    }

    /// `enqueue { … }`
    pub fn enqueue_clause(&mut self, body: Block, start: u32, end: u32) {
        self.clause_twice(self.clauses.enqueue.is_some(), start, end);
        self.clauses.enqueue = Some(body);
    }

    /// `when e`
    pub fn when_clause(&mut self, guard: ExprId, start: u32, end: u32) {
        self.clause_twice(self.clauses.guard.is_some(), start, end);
        self.clauses.guard = Some(guard);
    }

    /// `spurious n`
    pub fn spurious_clause(&mut self, times: ExprId, start: u32, end: u32) {
        self.clause_twice(self.clauses.spurious.is_some(), start, end);
        self.clauses.spurious = Some(times);
    }

    /// `op name(params): T clauses { … }`
    pub fn operation(
        &mut self,
        name: Name,
        params: FieldList,
        result: Option<TypeId>,
        body: Block,
    ) -> MemberKind {
        let Clauses {
            enqueue,
            guard,
            spurious,
        } = std::mem::take(&mut self.clauses);
        MemberKind::Op(OpDecl {
            name,
            params,
            result,
            enqueue,
            guard,
            spurious,
            body,
        })
    }

    // ---- Types ----

    /// `enum { A, B }`
    pub fn enumeration(&mut self, mark: Mark, start: u32, end: u32) -> TypeId {
        let names = self.names(mark);
        self.ty(TypeKind::Enum(names), start, end)
    }

    /// `record { f: T }`
    pub fn record(&mut self, mark: Mark, start: u32, end: u32) -> TypeId {
        let fields = self.fields(mark);
        self.ty(TypeKind::Record(fields), start, end)
    }

    /// `lo..hi`
    pub fn range(&mut self, low: Chain, high: ExprId) -> TypeKind {
        TypeKind::Range(self.finish(low), high)
    }

    /// The first `[key]` of a type.
    pub fn first_bracket(&mut self, key: BracketKey, start: u32) -> Mark {
        self.stacks.brackets.push((key, start));
        Mark(height(&self.stacks.brackets) - 1)
    }

    /// Another `[key]` of a type.
    ///
    /// # Errors
    /// When there are too many.
    pub fn next_bracket<T>(&mut self, mark: Mark, key: BracketKey, start: u32) -> Stop<Mark, T> {
        self.stacks.brackets.push((key, start));
        self.bounded(mark, self.stacks.brackets.len(), start)
    }

    /// `[k1][k2]T` from its brackets and its `T`.
    pub fn bracket_type(&mut self, mark: Mark, element: TypeId) -> TypeId {
        let end = self.ast.ty(element).span.end;
        let mut ty = element;
        while self.stacks.brackets.len() > mark.0 as usize {
            let Some((key, start)) = self.stacks.brackets.pop() else {
                break;
            };
            let kind = match key {
                BracketKey::Type(key) => TypeKind::Map(key, ty),
                BracketKey::Expr(key) => match self.ast.expr(key) {
                    Expr {
                        kind: ExprKind::Name(symbol),
                        span,
                    } => TypeKind::Bracket(Name { symbol, span }, ty),
                    _ => TypeKind::Array(key, ty),
                },
            };
            ty = self.ty(kind, start, end);
        }
        ty
    }

    fn bounded<T>(&mut self, mark: Mark, height: usize, start: u32) -> Stop<Mark, T> {
        if height - mark.0 as usize > MAX_DEPTH {
            let error = TooDeep(Span::new(start, start + 1));
            return Err(lalrpop_util::ParseError::User { error });
        }
        Ok(mark)
    }

    // ---- Expressions ----

    /// The first operator before an operand.
    pub fn first_prefix(&mut self, op: UnaryOp, start: u32) -> Mark {
        self.stacks.prefixes.push((op, start));
        Mark(height(&self.stacks.prefixes) - 1)
    }

    /// Another operator before an operand.
    ///
    /// # Errors
    /// When there are too many.
    pub fn next_prefix<T>(&mut self, mark: Mark, op: UnaryOp, start: u32) -> Stop<Mark, T> {
        self.stacks.prefixes.push((op, start));
        self.bounded(mark, self.stacks.prefixes.len(), start)
    }

    /// `!!-x` from its operators and its operand.
    pub fn unary(&mut self, mark: Mark, operand: ExprId) -> ExprId {
        let end = self.ast.expr(operand).span.end;
        let mut expr = operand;
        while self.stacks.prefixes.len() > mark.0 as usize {
            let Some((op, start)) = self.stacks.prefixes.pop() else {
                break;
            };
            expr = self.expr(ExprKind::Unary(op, expr), start, end);
        }
        expr
    }

    /// `e[i]`, `e.f`, `e.op()`
    pub fn suffix(&mut self, kind: ExprKind, base: ExprId, end: u32) -> ExprId {
        let start = self.ast.expr(base).span.start;
        self.expr(kind, start, end)
    }

    /// The first operand of a chain.
    pub fn begin(&mut self, operand: ExprId) -> Chain {
        let chain = Chain {
            operands: height(&self.stacks.operands),
            operators: height(&self.stacks.operators),
        };
        self.stacks.operands.push(operand);
        chain
    }

    /// Another operator and operand of a chain.
    pub fn extend(&mut self, chain: Chain, op: BinaryOp, operand: ExprId) -> Chain {
        while let Some(&before) = self.stacks.operators[chain.operators as usize..].last() {
            if before.precedence() < op.precedence()
                || (before == BinaryOp::Implies && op == BinaryOp::Implies)
            {
                break;
            }
            if before.is_comparison() && op.is_comparison() {
                self.chained_comparison(operand);
            }
            self.combine();
        }
        self.stacks.operators.push(op);
        self.stacks.operands.push(operand);
        chain
    }

    /// Joins the last two operands.
    fn combine(&mut self) {
        let Stacks {
            operands,
            operators,
            ..
        } = &mut self.stacks;
        if let (Some(op), Some(right), Some(left)) =
            (operators.pop(), operands.pop(), operands.pop())
        {
            let span = self.ast.expr(left).span.to(self.ast.expr(right).span);
            let id = self.expr(ExprKind::Binary(op, left, right), span.start, span.end);
            self.stacks.operands.push(id);
        }
    }

    /// The expression that a chain is.
    pub fn finish(&mut self, chain: Chain) -> ExprId {
        while self.stacks.operators.len() > chain.operators as usize {
            self.combine();
        }
        let id = self.stacks.operands[chain.operands as usize];
        self.stacks.operands.truncate(chain.operands as usize);
        id
    }

    fn chained_comparison(&mut self, operand: ExprId) {
        let span = self.ast.expr(operand).span;
        self.error(span.start, span.end, "comparisons cannot be chained");
    }

    /// A number.
    pub fn number(&mut self, start: u32, end: u32) -> ExprId {
        match super::literal::number(self.slice(start, end)) {
            Ok(value) => {
                let id = IntId(height(&self.ast.ints));
                self.ast.ints.push(value);
                self.expr(ExprKind::Int(id), start, end)
            }
            Err(message) => {
                self.error(start, end, message);
                self.expr(ExprKind::Error, start, end)
            }
        }
    }

    /// A string.
    pub fn string(&mut self, start: u32, end: u32) -> StringId {
        let text = super::literal::string(self.slice(start, end)).unwrap_or_else(|message| {
            self.error(start, end, message);
            String::new()
        });
        self.ast.strings.push(text);
        StringId(height(&self.ast.strings) - 1)
    }

    /// `Name { f: e }`
    pub fn record_literal(&mut self, name: Name, mark: Mark, start: u32, end: u32) -> ExprId {
        let (from, len) = settle(&mut self.stacks.inits, mark, &mut self.ast.init_pool);
        self.expr(
            ExprKind::RecordLit(name, InitList { start: from, len }),
            start,
            end,
        )
    }

    // ---- Statements ----

    /// A call's procedure and arguments from what stands after `call` or `post`.
    fn callee(&mut self, place: ExprId, word: &str) -> (Name, ExprList) {
        let Expr { kind, span } = self.ast.expr(place);
        match kind {
            ExprKind::Apply(name, args) => return (name, args),
            ExprKind::Name(symbol) => {
                self.error(
                    span.start,
                    span.end,
                    format!("`{word}` needs the arguments in parentheses"),
                );
                return (Name { symbol, span }, ExprList::default());
            }
            _ => self.error(
                span.start,
                span.end,
                format!("`{word}` needs the name of a procedure"),
            ),
        }
        (self.name(span.start, span.end), ExprList::default())
    }

    /// `call p(e)`
    pub fn call(&mut self, place: ExprId) -> Rhs {
        let (name, args) = self.callee(place, "call");
        Rhs::Call(name, args)
    }

    /// `post p(e)`
    pub fn post(&mut self, place: ExprId) -> Rhs {
        let (name, args) = self.callee(place, "post");
        Rhs::Post(name, args)
    }

    /// `call p(e);`
    pub fn call_statement(&mut self, place: ExprId) -> StmtKind {
        let (name, args) = self.callee(place, "call");
        StmtKind::Call(None, name, args)
    }

    /// `post p(e);`
    pub fn post_statement(&mut self, place: ExprId) -> StmtKind {
        let (name, args) = self.callee(place, "post");
        StmtKind::Post(name, args)
    }

    /// `o.op(e);`, or something that is no statement.
    pub fn expression_statement(&mut self, place: ExprId) -> StmtKind {
        let Expr { kind, span } = self.ast.expr(place);
        match kind {
            ExprKind::Method(..) => return StmtKind::Op(place),
            ExprKind::Apply(name, args) => {
                self.error(
                    span.start,
                    span.end,
                    "a procedure is called with `call` or `post`",
                );
                return StmtKind::Call(None, name, args);
            }
            _ => self.error(span.start, span.end, "an expression is not a statement"),
        }
        StmtKind::Error
    }

    /// `var x: T := e;`
    pub fn local(&mut self, names: NameList, ty: Option<TypeId>, init: Option<Rhs>) -> StmtKind {
        if ty.is_none() && init.is_none() {
            let span = self.ast.names(names)[0].span;
            self.error(span.start, span.end, "a variable needs a type or a value");
            return StmtKind::Error;
        }
        StmtKind::Var(names, ty, init)
    }

    // ---- What people write by habit ----

    /// `;` where there is nothing to end.
    pub fn stray_semicolon(&mut self, start: u32, end: u32) {
        self.error(start, end, "empty statement");
    }

    /// `->` before the type of a result.
    pub fn arrow_for_colon(&mut self, start: u32, end: u32) {
        self.error(start, end, "the type of a result stands after `:`");
    }

    /// One sign where another is meant.
    pub fn use_instead(&mut self, right: &str, start: u32, end: u32) {
        let message = format!("expected `{right}`, found `{}`", self.slice(start, end));
        self.error(start, end, message);
    }

    /// `x++;`
    pub fn increment(&mut self, place: ExprId, start: u32, end: u32) -> StmtKind {
        let Span {
            start: from,
            end: to,
        } = self.ast.expr(place).span;
        let text = self.slice(from, to);
        self.error(
            start,
            end,
            format!("there is no `++`: write `{text} := {text} + 1;`"),
        );
        StmtKind::Error
    }

    /// `x += e;`
    pub fn compound_assignment(
        &mut self,
        place: ExprId,
        _value: ExprId,
        start: u32,
        end: u32,
    ) -> StmtKind {
        let Span {
            start: from,
            end: to,
        } = self.ast.expr(place).span;
        let text = self.slice(from, to);
        let sign = self.slice(start, end);
        let op = &sign[..1];
        self.error(
            start,
            end,
            format!("there is no `{sign}`: write `{text} := {text} {op} …;`"),
        );
        StmtKind::Error
    }

    /// `int x = e;`
    pub fn c_declaration(
        &mut self,
        ty: TypeId,
        name: Name,
        init: Option<Rhs>,
        start: u32,
        end: u32,
    ) -> StmtKind {
        let of = self.ast.ty(ty).span;
        let (x, t) = (self.ast.text(name.symbol), self.slice(of.start, of.end));
        let message = format!("a variable is declared with `var {x}: {t}`");
        self.error(start, end, message);
        self.stacks.names.push(name);
        let names = self.names(Mark(height(&self.stacks.names) - 1));
        StmtKind::Var(names, Some(ty), init)
    }
}

/// What a fallible action of the grammar gives.
type Stop<R, T> = Result<R, lalrpop_util::ParseError<u32, T, TooDeep>>;

/// First and further elements of a list on its stack.
macro_rules! lists {
    ($($first:ident $next:ident $stack:ident $element:ty;)*) => {
        impl Builder<'_> {$(
            #[doc = concat!("The first element of a list on `", stringify!($stack), "`.")]
            pub fn $first(&mut self, element: $element) -> Mark {
                self.stacks.$stack.push(element);
                Mark(height(&self.stacks.$stack) - 1)
            }
            #[doc = concat!("Another element of a list on `", stringify!($stack), "`.")]
            pub fn $next(&mut self, mark: Mark, element: $element) -> Mark {
                self.stacks.$stack.push(element);
                mark
            }
        )*}
    };
}

lists! {
    first_expr next_expr exprs ExprId;
    first_name next_name names Name;
    first_field next_field fields Field;
    first_init next_init inits FieldInit;
}
