//! The actions of the grammar: they put nodes into the arenas, with their depth.
//!
//! Lists and chains of operators under construction live on stacks here, so the parser's own stack stays small. A node
//! that lies deeper than [`MAX_DEPTH`] becomes an error: so all code after the parser may walk the tree recursively.

mod checkpoint;
mod depth;
mod habits;
mod nested;

use self::checkpoint::Checkpoint;
pub use self::habits::word_hint;
use super::MAX_DEPTH;
use super::lexer::MAX_COMPLAINTS;
use super::tree::*;
use base::diagnostic::Diagnostic;
use base::source::Span;

/// The height of a stack at the first element of a list under construction.
#[derive(Clone, Copy, Debug)]
pub struct Mark(u32);

/// A chain of operands and operators under construction.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    operands: u32,
    operators: u32,
}

/// The content of the brackets of a type.
#[derive(Clone, Copy, Debug)]
pub enum BracketKey {
    /// A length, or a lone name.
    Expr(ExprId),
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

#[derive(Debug, Default)]
struct Stacks {
    exprs: Vec<ExprId>,
    stmts: Vec<StmtId>,
    names: Vec<Name>,
    fields: Vec<Field>,
    inits: Vec<FieldInit>,
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
    pub ast: Ast,
    /// Complaints about forms that the grammar itself accepts.
    diagnostics: Vec<Diagnostic>,
    /// How many complaints were not kept.
    dropped: usize,
    text: &'i str,
    base: u32,
    stacks: Stacks,
    clauses: Clauses,
    /// How deep the tree is below each expression, statement and type.
    expr_depth: Vec<u16>,
    stmt_depth: Vec<u16>,
    type_depth: Vec<u16>,
    too_deep: bool,
    complete: Checkpoint,
}

impl<'i> Builder<'i> {
    /// A builder for a text whose first byte has the offset `base`.
    #[must_use]
    pub fn new(text: &'i str, base: u32) -> Self {
        Self {
            ast: Ast::default(),
            diagnostics: Vec::new(),
            dropped: 0,
            text,
            base,
            stacks: Stacks::default(),
            clauses: Clauses::default(),
            expr_depth: Vec::new(),
            stmt_depth: Vec::new(),
            type_depth: Vec::new(),
            too_deep: false,
            complete: Checkpoint::at(base),
        }
    }

    /// Goes on with another text, whose first byte has the offset `base`.
    pub fn go_on_with(&mut self, text: &'i str, base: u32) {
        (self.text, self.base) = (text, base);
        self.too_deep = false;
        self.commit(base);
    }

    #[must_use]
    pub fn text(&self) -> &'i str {
        self.text
    }

    /// The offset of the text's first byte.
    #[must_use]
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Whether an offset is that of the first character of a line.
    #[must_use]
    pub fn at_margin(&self, offset: u32) -> bool {
        let before = (offset - self.base) as usize;
        before == 0 || self.text.as_bytes()[before - 1] == b'\n'
    }

    /// Whether only blanks stand before a place in its line.
    #[must_use]
    pub fn first_of_line(&self, offset: u32) -> bool {
        let before = &self.text[..(offset - self.base) as usize];
        let line = before.rfind('\n').map_or(before, |end| &before[end..]);
        line.trim().is_empty()
    }

    /// The tree, the complaints about the text, and how many more complaints there were.
    #[must_use]
    pub fn finish_tree(self) -> (Ast, Vec<Diagnostic>, usize) {
        (self.ast, self.diagnostics, self.dropped)
    }

    /// The text between two offsets.
    fn slice(&self, start: u32, end: u32) -> &'i str {
        &self.text[(start - self.base) as usize..(end - self.base) as usize]
    }

    /// Keeps a complaint; only counts it beyond [`MAX_COMPLAINTS`].
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_COMPLAINTS {
            self.diagnostics.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// Reports a syntax error.
    fn error(&mut self, start: u32, end: u32, message: impl Into<String>) {
        self.report(Diagnostic::error("syntax", Span::new(start, end), message));
    }

    /// Reports, once, that nodes are nested too deeply.
    pub fn report_depth(&mut self, span: Span) {
        if !std::mem::replace(&mut self.too_deep, true) {
            let message = format!("nested too deeply: more than {MAX_DEPTH} levels");
            self.report(Diagnostic::error("syntax", span, message));
        }
    }

    // ---- Nodes ----

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

    pub fn name(&mut self, start: u32, end: u32) -> Name {
        let symbol = self.ast.symbols.intern(self.slice(start, end));
        Name {
            symbol,
            span: Span::new(start, end),
        }
    }

    /// Adds a complete item.
    pub fn item(&mut self, kind: ItemKind, start: u32, end: u32) {
        self.ast.items.push(Item {
            kind,
            span: Span::new(start, end),
        });
        self.commit(end);
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

    /// `object O(params) { … }`, with the members gathered so far.
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

    /// Begins the clauses of an operation.
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
}

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
