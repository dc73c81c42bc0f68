//! What the user wrote in C, with the place of everything in the user's files.
//!
//! Nodes live in the arenas of a [`Tree`] and name each other by id, so that a tree of any depth is built and
//! dropped without recursion. Names are not resolved and types not computed here; only typedef names are known,
//! because without them C cannot be read.

pub use ast::symbol::{Interner, Symbol};
use base::source::Span;

pub use super::literal::{Suffix, Width};

/// A name where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub symbol: Symbol,
    pub span: Span,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident: $pool:ident of $node:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $id(pub u32);

        impl std::ops::Index<$id> for Tree {
            type Output = $node;
            fn index(&self, id: $id) -> &$node {
                &self.$pool[id.0 as usize]
            }
        }

        impl Tree {
            pub(super) fn $pool(&mut self, node: $node) -> $id {
                let id = u32::try_from(self.$pool.len()).expect("fewer nodes than bytes of text");
                self.$pool.push(node);
                $id(id)
            }
        }
    )*};
}

ids! {
    ExprId: exprs of Expr;
    StmtId: stmts of Stmt;
    /// The words before the declarators.
    SpecId: specs of Specifiers;
    /// The parts around a declared name.
    DeclaratorId: declarators of Declarator;
    InitId: inits of Init;
    /// `struct` or `union` with or without members.
    RecordId: records of RecordSpec;
    /// `enum` with or without members.
    EnumId: enums of EnumSpec;
    DeclId: decls of Declaration;
    TypeNameId: type_names of TypeName;
    TextId: texts of Text;
    AsmId: asms of Asm;
}

/// Consecutive elements of a pool.
#[derive(Debug, PartialEq, Eq)]
pub struct List<T> {
    start: u32,
    len: u32,
    of: std::marker::PhantomData<fn() -> T>,
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            start: 0,
            len: 0,
            of: std::marker::PhantomData,
        }
    }
}

impl<T> List<T> {
    /// The number of elements.
    #[must_use]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

macro_rules! pools {
    ($($pool:ident of $node:ty;)*) => {$(
        impl std::ops::Index<List<$node>> for Tree {
            type Output = [$node];
            fn index(&self, list: List<$node>) -> &[$node] {
                &self.$pool[list.start as usize..][..list.len as usize]
            }
        }

        impl Pooled for $node {
            fn pool(tree: &mut Tree) -> &mut Vec<Self> {
                &mut tree.$pool
            }
        }
    )*};
}

/// The elements that can stand in a list.
pub(super) trait Pooled: Sized {
    /// The pool that keeps such lists.
    fn pool(tree: &mut Tree) -> &mut Vec<Self>;
}

pools! {
    expr_pool of ExprId;
    stmt_pool of StmtId;
    step_pool of Derivation;
    param_pool of Param;
    member_pool of Member;
    enumerator_pool of Enumerator;
    declared_pool of InitDeclarator;
    item_pool of InitItem;
    designator_pool of Designator;
    choice_pool of Choice;
    name_pool of Name;
    decl_pool of DeclId;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// Operators before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    Address,
    Real,
    Imag,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// The forms of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExprKind {
    /// Could not be read; reported already.
    Error,
    /// `12ul`: its value, and what its suffix says
    Int(u64, Suffix),
    /// `1.5`, and its size in bytes
    Float(f64, u8),
    Char(i64, Width),
    /// `"text"`, neighbours joined
    Text(TextId),
    Name(Symbol),
    /// `op e`
    Unary(UnaryOp, ExprId),
    /// `++e`, `--e`, `e++`, `e--`
    Step {
        operand: ExprId,
        /// `++`, not `--`
        up: bool,
        /// `++e`, not `e++`
        before: bool,
    },
    /// `l op r`
    Binary(BinaryOp, ExprId, ExprId),
    /// `l = r`, `l op= r`
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `c ? a : b`, `c ?: b`
    Conditional(ExprId, Option<ExprId>, ExprId),
    /// `l, r`
    Comma(ExprId, ExprId),
    /// `f(args)`
    Call(ExprId, List<ExprId>),
    /// `a[i]`
    Index(ExprId, ExprId),
    /// `e.name`
    Member(ExprId, Symbol),
    /// `e->name`
    Arrow(ExprId, Symbol),
    /// `(T)e`
    Cast(TypeNameId, ExprId),
    /// `(T){ … }`
    Compound(TypeNameId, InitId),
    /// `sizeof e`
    SizeofExpr(ExprId),
    SizeofType(TypeNameId),
    AlignofType(TypeNameId),
    /// `__alignof__ e`
    AlignofExpr(ExprId),
    /// `({ … })`
    Block(StmtId),
    /// `_Generic(e, T: a, default: b)`
    Generic(ExprId, List<Choice>),
    /// `__builtin_offsetof(T, a.b[1])`
    Offsetof(TypeNameId, List<Designator>),
    /// `__builtin_va_arg(ap, T)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(ExprId, ExprId, ExprId),
    /// `f(a) __builtin_by_types(e)`: what our header writes for the types of the arguments, if `f` is its function.
    ByTypes(ExprId, ExprId),
    LabelAddress(Symbol),
}

/// `T: e` or `default: e` of a `_Generic`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The type, or none for `default`.
    pub ty: Option<TypeNameId>,
    pub value: ExprId,
}

/// A string: its characters without the final zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// How wide the characters are.
    pub width: Width,
    /// The values of the characters.
    pub values: Box<[u32]>,
}

/// The attributes that change types or behaviour. The parser skips all others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attributes {
    pub packed: bool,
    /// `aligned(e)`; the largest alignment if there is no number
    pub aligned: Option<Alignment>,
    pub mode: Option<Symbol>,
    pub transparent: bool,
    /// `weak`: another definition may stand for this one
    pub weak: bool,
    /// `cleanup(f)`: `f` is called with the variable's address where its scope ends
    pub cleanup: Option<Name>,
    /// `alias("f")`: another name of `f`
    pub alias: Option<Symbol>,
    /// `constructor`: called before `main`
    pub constructor: Option<Priority>,
    /// `destructor`: called at the end
    pub destructor: Option<Priority>,
    pub vector: Option<ExprId>,
}

/// Where a constructor or destructor comes in the order of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Priority {
    /// There is no number.
    Any,
    /// Constructors with smaller numbers come before it, destructors with smaller numbers behind it.
    Numbered(ExprId),
}

/// An alignment that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alignment {
    /// The largest that any type needs.
    Largest,
    /// So many bytes.
    Bytes(ExprId),
    /// That of a type.
    Type(TypeNameId),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the qualifiers'")]
pub struct Quals {
    pub constant: bool,
    pub volatile: bool,
    pub atomic: bool,
}

impl Quals {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            constant: self.constant || other.constant,
            volatile: self.volatile || other.volatile,
            atomic: self.atomic || other.atomic,
        }
    }
}

/// Where a declared thing lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the words'")]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    /// `auto`, `register`
    Auto,
}

/// How often each word of an arithmetic type was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the words'")]
pub struct Words {
    pub void: u8,
    pub boolean: u8,
    pub char: u8,
    pub short: u8,
    pub int: u8,
    pub int128: u8,
    pub long: u8,
    pub signed: u8,
    pub unsigned: u8,
    pub float: u8,
    pub double: u8,
    pub float128: u8,
    pub complex: u8,
}

/// The type that specifiers name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base {
    /// Nothing: `int` is meant.
    Missing,
    /// `unsigned long` …
    Words(Words),
    /// `struct`, `union`
    Record(RecordId),
    Enum(EnumId),
    Named(Name),
    /// `typeof(e)`, `typeof_unqual(e)`: whether the qualifiers count
    TypeofExpr(ExprId, bool),
    TypeofType(TypeNameId, bool),
    Atomic(TypeNameId),
    Auto,
}

/// The words before the declarators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Specifiers {
    pub base: Base,
    pub quals: Quals,
    /// Where the declared thing lives.
    pub storage: Storage,
    /// Each thread has its own.
    pub thread_local: bool,
    pub inline: bool,
    /// `constexpr`: its value is a constant
    pub fixed: bool,
    /// `auto` is among the words.
    pub auto: bool,
    /// What attributes among the words say.
    pub attributes: Attributes,
    pub span: Span,
}

/// A step from a declared name to its type, from the name outwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Derivation {
    /// `* const`
    Pointer(Quals),
    /// `[n]`, `[]`
    Array(Option<ExprId>, Span),
    /// `[*]`
    AnyLength(Span),
    /// `(int x, …)`: the parameters, whether others may follow, whether it says anything (`()` does not)
    Function {
        params: List<Param>,
        /// `, ...`
        variadic: bool,
        /// Not `()`, and no list of bare names.
        prototype: bool,
    },
}

/// The parts around a declared name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declarator {
    /// The declared name; none in a type name or an unnamed parameter.
    pub name: Option<Name>,
    /// From the name outwards.
    pub steps: List<Derivation>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    pub specs: SpecId,
    pub declarator: DeclaratorId,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeName {
    pub specs: SpecId,
    /// What stands after the specifiers.
    pub declarator: DeclaratorId,
    pub span: Span,
}

/// `struct` or `union` as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Name>,
    /// Its members, if they stand here.
    pub members: Option<List<Member>>,
    /// What its attributes say.
    pub attributes: Attributes,
    /// The largest alignment of a member by `#pragma pack`; 0 if its type decides.
    pub pack: u8,
    /// The hash of its text, by which it is found again in another file. Only a record that the top level defines has one.
    pub shape: Option<u64>,
    pub span: Span,
}

/// A member of a `struct` or `union`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    pub specs: SpecId,
    /// Its declarator; none for an unnamed struct in a struct.
    pub declarator: Option<DeclaratorId>,
    /// The width of a bit-field.
    pub bits: Option<ExprId>,
    /// What its attributes say.
    pub attributes: Attributes,
    pub span: Span,
}

/// `enum` as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnumSpec {
    pub tag: Option<Name>,
    /// `: unsigned char`
    pub underlying: Option<SpecId>,
    /// Its members, if they stand here.
    pub members: Option<List<Enumerator>>,
    /// What its attributes say.
    pub attributes: Attributes,
    pub span: Span,
}

/// A member of an `enum`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enumerator {
    pub name: Name,
    pub value: Option<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Init {
    pub kind: InitKind,
    pub span: Span,
}

/// The forms of an initialiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InitKind {
    /// `e`
    Value(ExprId),
    /// `{ … }`
    List(List<InitItem>),
}

/// An element of `{ … }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitItem {
    /// `.a[1] =`
    pub designators: List<Designator>,
    /// What the part gets.
    pub init: InitId,
}

/// A step to a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Designator {
    Field(Name),
    /// `[n]`
    Index(ExprId),
    /// `[a ... b]`
    Range(ExprId, ExprId),
}

/// A declarator with what follows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitDeclarator {
    pub declarator: DeclaratorId,
    pub init: Option<InitId>,
    /// What its attributes say.
    pub attributes: Attributes,
    /// The call that cleans up.
    pub cleanup: Option<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declaration {
    pub kind: DeclKind,
    pub span: Span,
}

/// The forms of a declaration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DeclKind {
    /// `int x = 1, *p;`
    Plain(SpecId, List<InitDeclarator>),
    /// `int f(void) { … }`
    Function {
        specs: SpecId,
        declarator: DeclaratorId,
        /// Declarations between the declarator and the body, as in old C.
        old_params: List<DeclId>,
        /// What its attributes say.
        attributes: Attributes,
        /// The hash of the text of its body, by which it is told from other bodies.
        shape: u64,
        body: StmtId,
    },
    /// `_Static_assert(e, "…");`
    Assert(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StmtKind {
    /// Could not be read; reported already.
    Error,
    /// `;`
    Empty,
    /// `e;`
    Expr(ExprId),
    /// A declaration among statements.
    Decl(DeclId),
    /// `{ … }`
    Block(List<StmtId>),
    /// `if (e) s else t`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while (e) s`
    While(ExprId, StmtId),
    /// `do s while (e);`
    DoWhile(StmtId, ExprId),
    /// `for (s; e; e) s`: the first is a statement, empty or not
    For(StmtId, Option<ExprId>, Option<ExprId>, StmtId),
    /// `switch (e) s`
    Switch(ExprId, StmtId),
    /// `case a:`, `case a ... b:`; what follows is the next statement of the block
    Case(ExprId, Option<ExprId>),
    Default,
    Label(Name),
    /// `__label__ a, b;`
    LocalLabels(List<Name>),
    /// `goto label;`
    Goto(Name),
    /// `goto *e;`
    GotoValue(ExprId),
    Break,
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// `asm("…" : …);`
    Asm(AsmId),
}

/// An `asm` with its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asm {
    /// The text between its quotes.
    pub text: String,
    /// Outputs first.
    pub operands: Vec<AsmOperand>,
    /// Whether it may jump to labels.
    pub jumps: bool,
}

/// `[name] "constraint" (e)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmOperand {
    pub name: Option<Symbol>,
    pub constraint: String,
    pub value: ExprId,
    pub is_output: bool,
}

/// The tree of a program.
#[derive(Debug, Default)]
#[allow(missing_docs, reason = "the arenas are named after what they hold")]
pub struct Tree {
    pub names: Interner,
    /// The declarations at the top, in order.
    pub items: Vec<DeclId>,
    /// For each file: how many items and how many records stand before it.
    starts: Vec<(usize, usize)>,
    pub(super) exprs: Vec<Expr>,
    pub(super) stmts: Vec<Stmt>,
    pub(super) specs: Vec<Specifiers>,
    pub(super) declarators: Vec<Declarator>,
    pub(super) inits: Vec<Init>,
    pub(super) records: Vec<RecordSpec>,
    pub(super) enums: Vec<EnumSpec>,
    pub(super) decls: Vec<Declaration>,
    pub(super) type_names: Vec<TypeName>,
    pub(super) texts: Vec<Text>,
    pub(super) asms: Vec<Asm>,
    expr_pool: Vec<ExprId>,
    stmt_pool: Vec<StmtId>,
    step_pool: Vec<Derivation>,
    param_pool: Vec<Param>,
    member_pool: Vec<Member>,
    enumerator_pool: Vec<Enumerator>,
    declared_pool: Vec<InitDeclarator>,
    item_pool: Vec<InitItem>,
    designator_pool: Vec<Designator>,
    choice_pool: Vec<Choice>,
    name_pool: Vec<Name>,
    decl_pool: Vec<DeclId>,
}

impl Tree {
    /// Begins another file: everything that is read after this belongs to it.
    pub(super) fn begin_file(&mut self) {
        self.starts.push((self.items.len(), self.records.len()));
    }

    /// For each file: the declarations at its top, and the records in it.
    pub(super) fn files(&self) -> impl Iterator<Item = (&[DeclId], &[RecordSpec])> {
        let end = (self.items.len(), self.records.len());
        let ends = self.starts.iter().skip(1).chain(std::iter::once(&end));
        let both: Vec<_> = self.starts.iter().copied().zip(ends.copied()).collect();
        both.into_iter().map(|((item, record), (items, records))| {
            (&self.items[item..items], &self.records[record..records])
        })
    }

    #[allow(private_bounds, reason = "lists are made by the parser alone")]
    pub(super) fn list<T: Pooled>(&mut self, nodes: impl IntoIterator<Item = T>) -> List<T> {
        let pool = T::pool(self);
        let start = pool.len();
        pool.extend(nodes);
        let len = pool.len() - start;
        let number = |n| u32::try_from(n).expect("fewer nodes than bytes of text");
        List {
            start: number(start),
            len: number(len),
            of: std::marker::PhantomData,
        }
    }
}
