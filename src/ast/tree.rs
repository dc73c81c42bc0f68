//! The syntax tree: what the user wrote, with a span on every node.
//!
//! Nodes live in the arenas of an [`Ast`] and name each other by id: building
//! and dropping a tree of any depth needs no recursion, a node costs a few
//! dozen bytes, and copies are free. The tree knows no meaning: names are not
//! resolved, types not checked. What could not be parsed is an `Error` node.

use base::source::Span;

pub use ir::Bits;
pub use options::PreemptMode;

use super::symbol::{Interner, Symbol};

/// A name where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub symbol: Symbol,
    pub span: Span,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident, $range:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $id(pub u32);

        /// Consecutive ids in the pool of an [`Ast`].
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $range {
            /// Index of the first element in the pool.
            pub start: u32,
            pub len: u32,
        }

        impl $range {
            /// As a range of indices.
            #[must_use]
            pub fn range(self) -> std::ops::Range<usize> {
                self.start as usize..(self.start + self.len) as usize
            }
            /// Whether it holds nothing.
            #[must_use]
            pub fn is_empty(self) -> bool {
                self.len == 0
            }
        }
    )*};
}

ids! {
    ExprId, ExprList;
    StmtId, StmtList;
    TypeId, TypeList;
}

/// Consecutive names in the pool of an [`Ast`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameList {
    /// Index of the first name in the pool.
    pub start: u32,
    pub len: u32,
}

/// Consecutive `name: type` pairs in the pool of an [`Ast`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldList {
    /// Index of the first pair in the pool.
    pub start: u32,
    pub len: u32,
}

/// Consecutive `name: value` pairs in the pool of an [`Ast`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InitList {
    /// Index of the first pair in the pool.
    pub start: u32,
    pub len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeNode {
    pub kind: TypeKind,
    pub span: Span,
}

/// The forms of a written type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TypeKind {
    /// Could not be parsed; reported already.
    Error,
    Bool,
    Int,
    Task,
    /// `i8` … `u64`
    Bits(Bits),
    /// `type`: the type of a parameter that is a type itself, in an object type
    Type,
    /// `lo..hi`, both inclusive
    Range(ExprId, ExprId),
    /// `enum { A, B }`
    Enum(NameList),
    /// `record { f: T, g: U }`
    Record(FieldList),
    /// `Name` or `Name(args)`: a named type, or an object type with its arguments, values and types
    Named(Name, ExprList),
    /// `[length] T`, where the length is not a lone name
    Array(ExprId, TypeId),
    /// `[Key] T`, where the key is a type that is not a lone name
    Map(TypeId, TypeId),
    /// `[name] T`: an array whose length is a constant or a map whose key is a named type; names decide
    Bracket(Name, TypeId),
}

/// `name: type` of a parameter or a record's field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    pub name: Name,
    pub ty: TypeId,
}

/// `name: value` in a record literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldInit {
    pub name: Name,
    pub value: ExprId,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
    /// `~`
    BitNot,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    BitAnd,
    BitXor,
    BitOr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Implies,
    Iff,
}

/// The forms of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExprKind {
    /// Could not be parsed; reported already.
    Error,
    /// `*`: any value of the type that the place asks for
    Star,
    /// `true`, `false`
    Bool(bool),
    /// A number; the builder has refused numbers that do not fit.
    Int(IntId),
    /// A name: variable, constant or member of an enum; `self` too
    Name(Symbol),
    /// `(e)`: kept, so that printing keeps it
    Paren(ExprId),
    /// `op e`
    Unary(UnaryOp, ExprId),
    /// `l op r`
    Binary(BinaryOp, ExprId, ExprId),
    /// `if c then a else b`
    IfThenElse(ExprId, ExprId, ExprId),
    /// `e[i]`
    Index(ExprId, ExprId),
    /// `e.f`
    Field(ExprId, Name),
    /// `[a, b, c]`
    ArrayLit(ExprList),
    /// `[value; length]`
    ArrayRepeat(ExprId, ExprId),
    /// `[value; _]`: that value everywhere
    Fill(ExprId),
    /// `Type { f: e, … }`
    RecordLit(Name, InitList),
    /// `u8(e)`, `int(e)`: conversion between integer types
    Convert(TypeId, ExprId),
    /// `o.op(args)`: an operation of an object; a statement's right-hand side only
    Method(ExprId, Name, ExprList),
    /// `f(args)`: a conversion into a named type, or `default(T)`; else an error (calls are statements)
    Apply(Name, ExprList),
    /// A type that is an argument, and more than a name
    Type(TypeId),
}

/// An integer literal's index in [`Ast::ints`]: literals are rare and wide, nodes are many and small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntId(pub u32);

/// A sequence of statements in braces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    pub stmts: StmtList,
    /// From brace to brace.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    /// Where it stands, with its `;`.
    pub span: Span,
}

/// A string literal's index in [`Ast::strings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StringId(pub u32);

/// The forms that may stand right of `:=` (and of `=` after `let`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rhs {
    /// `e1, e2`: as many as there are targets. An operation of an object is an [`ExprKind::Method`].
    Exprs(ExprList),
    /// `call p(args)`
    Call(Name, ExprList),
    /// `post p(args)`
    Post(Name, ExprList),
}

/// The forms of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StmtKind {
    /// Could not be parsed; reported already.
    Error,
    Skip,
    /// `x, a[i] := e1, e2;`
    Assign(ExprList, Rhs),
    /// `havoc x, y;`
    Havoc(ExprList),
    /// `assume e;`
    Assume(ExprId),
    /// `assert e, "message";`
    Assert(ExprId, Option<StringId>),
    /// `cover e, "message";`
    Cover(ExprId, Option<StringId>),
    /// `if e { … } else …`; the else part is a block or another `if`
    If(ExprId, Block, Option<StmtId>),
    /// `while e { … }`
    While(ExprId, Block),
    /// `for i in lo..hi { … }`
    For(Name, ExprId, ExprId, Block),
    /// `{ … }`: a block of its own (also the final `else`)
    Block(Block),
    Break,
    Continue,
    /// `return;`, `return e;`
    Return(Option<ExprId>),
    /// `call p(e);`, `call x := p(e);`
    Call(Option<ExprId>, Name, ExprList),
    /// `post p(e);`
    Post(Name, ExprList),
    /// `o.op(e);`: the expression is an [`ExprKind::Method`]
    Op(ExprId),
    /// `join t;`
    Join(ExprId),
    Yield,
    Sleep,
    /// `await e;`, `await e { … }`
    Await(ExprId, Option<Block>),
    /// `atomic { … }`
    Atomic(Block),
    /// `var x, y: T := e;`: the type may be missing if there is a value
    Var(NameList, Option<TypeId>, Option<Rhs>),
    /// `let x: T = e;`
    Let(Name, Option<TypeId>, Rhs),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ProcDecl {
    pub name: Name,
    pub params: FieldList,
    /// The type of its result.
    pub result: Option<TypeId>,
    pub body: Block,
}

/// An operation of an object type.
#[derive(Clone, Debug, PartialEq)]
pub struct OpDecl {
    pub name: Name,
    pub params: FieldList,
    /// The type of its result.
    pub result: Option<TypeId>,
    /// `enqueue { … }`: a step of its own before the guarded one
    pub enqueue: Option<Block>,
    /// `when e`
    pub guard: Option<ExprId>,
    /// `spurious N`
    pub spurious: Option<ExprId>,
    pub body: Block,
}

/// An operation named in a declaration, with names for its arguments: `acquire(a)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpPattern {
    pub name: Name,
    /// Names for its arguments; empty when the condition needs none.
    pub args: NameList,
}

/// A member of an object type.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub kind: MemberKind,
    pub span: Span,
}

/// The forms of an object type's member.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberKind {
    /// Could not be parsed; reported already.
    Error,
    /// Private state: `var x: T := e;`
    Var(VarDecl),
    /// `op name(params): T enqueue { … } when e spurious n { … }`
    Op(OpDecl),
    /// A procedure made of operations.
    Proc(ProcDecl),
    /// `independent a, b(x) when e;`
    Independent(OpPattern, OpPattern, Option<ExprId>),
    /// `exclusive a, b;`
    Exclusive(OpPattern, OpPattern),
}

/// `var x, y: T := e;` outside of procedures.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    pub names: NameList,
    pub ty: TypeId,
    /// Their initial value; without it any value of the type.
    pub init: Option<ExprId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ObjectDecl {
    pub name: Name,
    /// Its parameters: constants of each instance.
    pub params: FieldList,
    /// Its members, in the order written.
    pub members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

/// The forms of a top-level item.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// Could not be parsed; reported already.
    Error,
    /// `use sync;`
    Use(Name),
    UseFile(StringId),
    /// `const N: T := e;`
    Const(Name, Option<TypeId>, ExprId),
    /// `type T = …;`
    Type(Name, TypeId),
    /// `preempt statement;`
    Preempt(PreemptMode),
    /// `var x: T := e;`
    Var(VarDecl),
    /// `proc p(x: T): U { … }`
    Proc(ProcDecl),
    /// `object O(n: int) { … }`
    Object(ObjectDecl),
    /// `finally { … }`
    Finally(Block),
    /// `invariant e, "message";`
    Invariant(ExprId, Option<StringId>),
}

#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The items in the order written.
    pub items: Vec<Item>,
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub types: Vec<TypeNode>,
    pub expr_pool: Vec<ExprId>,
    pub stmt_pool: Vec<StmtId>,
    pub name_pool: Vec<Name>,
    pub field_pool: Vec<Field>,
    pub init_pool: Vec<FieldInit>,
    pub ints: Vec<i128>,
    pub strings: Vec<String>,
    pub symbols: Interner,
    /// Comments in the order of the text (line and block), for the printer.
    pub comments: Vec<Span>,
    /// Names declared in text that could not be parsed, sorted. That
    /// such a name is not declared elsewhere is no error of its own.
    pub lost: Vec<Symbol>,
    /// Whether something could not be parsed: then the tree has holes, and no program is to be made of it.
    pub broken: bool,
}

impl Ast {
    #[must_use]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.0 as usize]
    }
    #[must_use]
    pub fn stmt(&self, id: StmtId) -> Stmt {
        self.stmts[id.0 as usize]
    }
    #[must_use]
    pub fn ty(&self, id: TypeId) -> TypeNode {
        self.types[id.0 as usize]
    }
    #[must_use]
    pub fn expr_list(&self, list: ExprList) -> &[ExprId] {
        &self.expr_pool[list.range()]
    }
    /// The statements of a list.
    #[must_use]
    pub fn stmt_list(&self, list: StmtList) -> &[StmtId] {
        &self.stmt_pool[list.range()]
    }
    #[must_use]
    pub fn names(&self, list: NameList) -> &[Name] {
        &self.name_pool[list.start as usize..(list.start + list.len) as usize]
    }
    #[must_use]
    pub fn fields(&self, list: FieldList) -> &[Field] {
        &self.field_pool[list.start as usize..(list.start + list.len) as usize]
    }
    /// The field values of a record literal.
    #[must_use]
    pub fn inits(&self, list: InitList) -> &[FieldInit] {
        &self.init_pool[list.start as usize..(list.start + list.len) as usize]
    }
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.resolve(symbol)
    }
}

impl BinaryOp {
    /// How it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            And => "&&",
            Or => "||",
            Implies => "==>",
            Iff => "<==>",
        }
    }

    /// How tightly it binds; operators of one level associate to the left, `==>` to the right, comparisons not at all.
    #[must_use]
    pub fn precedence(self) -> u8 {
        use BinaryOp::*;
        match self {
            Iff => 0,
            Implies => 1,
            Or => 2,
            And => 3,
            Lt | Le | Gt | Ge | Eq | Ne => 4,
            BitOr => 5,
            BitXor => 6,
            BitAnd => 7,
            Shl | Shr => 8,
            Add | Sub => 9,
            Mul | Div | Rem => 10,
        }
    }

    /// Whether it is one of `<`, `<=`, `>`, `>=`, `==`, `!=`.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        self.precedence() == BinaryOp::Eq.precedence()
    }
}
