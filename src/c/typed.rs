//! The typed tree: a C program with every question answered that a compiler answers. Lowering reads this.
//!
//! **Expressions** are of two sorts. A *place* (an lvalue: [`ExprKind::Var`], [`ExprKind::Deref`],
//! [`ExprKind::Index`], [`ExprKind::Member`], [`ExprKind::Text`], [`ExprKind::Temporary`], [`ExprKind::Literal`])
//! says where something lies and touches no memory by itself, though its parts are computed. Everything else is a
//! *value*. The only ways from a place to a value are [`ExprKind::Load`] (the one node that reads memory),
//! [`ExprKind::AddressOf`] and [`ExprKind::Decay`] (an array's first element), and the only nodes that write are
//! [`ExprKind::Assign`], [`ExprKind::Update`], [`ExprKind::Atomic`] and initialisers. `Load` of a struct reads all of it.
//!
//! **Conversions** are explicit: operands of [`ExprKind::Binary`] have the type of the node (shifts: the left one),
//! those of [`ExprKind::Compare`] have one common type, arguments have the parameter's type, and so on. A
//! [`ExprKind::Convert`] node has the target as its type; [`Conversion`] says which sort it is. A truth value of C is an `int`
//! that is 0 or 1; conditions (`if`, loops, `&&`, `||`, `!`, `?:`) are scalars of any type, compared with zero.
//!
//! **Names** are gone: variables, functions, fields, labels and cases are ids. Each declaration that has storage is a
//! [`Variable`], also parameters, compound literals and static locals; two that share a name are two variables.
//!
//! **Constants** are not folded in the tree, except `sizeof` and its like: ask [`Unit::constant`].
//!
//! **The order of evaluation** is left to the reader of the tree; nodes hold their parts in the order of the text.

use std::collections::BTreeSet;

use thin_vec::ThinVec;

use ast::symbol::{Interner, Symbol};
use base::source::Span;
use ir::MemoryOrder;

use super::types::{QualType, RecordId, TypeId, Types};

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident: $pool:ident of $node:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $id(pub u32);

        impl $id {
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::ops::Index<$id> for Unit {
            type Output = $node;
            fn index(&self, id: $id) -> &$node {
                &self.$pool[id.index()]
            }
        }

        impl std::ops::IndexMut<$id> for Unit {
            fn index_mut(&mut self, id: $id) -> &mut $node {
                &mut self.$pool[id.index()]
            }
        }
    )*};
}

ids! {
    ExprId: exprs of Expr;
    StmtId: stmts of Stmt;
    VarId: variables of Variable;
    FunctionId: functions of Function;
    /// A label of a function.
    LabelId: labels of Label;
    InitId: inits of Init;
    TextId: texts of Text;
    NumberId: numbers of i128;
    /// Operands of which there may be any number.
    ListId: lists of Box<[ExprId]>;
}

#[derive(Debug)]
pub struct Unit {
    /// The names of everything.
    pub names: Interner,
    pub types: Types,
    /// All expressions; a part's id is less than that of the whole, but for the value of [`ExprKind::Block`].
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub variables: Vec<Variable>,
    /// All functions, with and without bodies, in the order in which they appear.
    pub functions: Vec<Function>,
    /// All labels that `goto` can name.
    pub labels: Vec<Label>,
    pub inits: Vec<Init>,
    pub texts: Vec<Text>,
    /// All numbers, each once. They are not in the expressions, because most expressions are half as large as a number.
    pub numbers: Vec<i128>,
    /// All lists of operands.
    pub lists: Vec<Box<[ExprId]>>,
    /// The function `main`, if there is one with a body.
    pub main: Option<FunctionId>,
    /// Structures whose last member is an array of one element that stands for as many as were allocated.
    pub stretched: BTreeSet<RecordId>,
    /// Whether a character that was read may be read once more.
    pub pushes_back: bool,
    /// Whether the program makes pipes, or files that count.
    pub has_pipes: bool,
    /// Whether the program makes files that count.
    pub has_counters: bool,
    /// Whether the program waits for files by `epoll`.
    pub watches: bool,
    /// Whether the program can see which signals a thread blocks.
    pub blocks_signals: bool,
    /// A variable that a function with a `setjmp` changes, and that is not `volatile`: C leaves its value after a jump open.
    pub open_after_jump: Option<VarId>,
}

/// How long a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as the program.
    Static,
    /// As long as its thread; each thread has its own.
    Thread,
    /// While its block runs.
    Local,
    /// While its function runs.
    Param,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name; none for a compound literal or an unnamed parameter.
    pub name: Option<Symbol>,
    /// Its type. A parameter that was written as an array is a pointer.
    pub ty: QualType,
    /// Its address is a multiple of so many bytes, if its declaration says so.
    pub align: Option<u64>,
    /// How long it lives.
    pub lifetime: Lifetime,
    /// The function in which it is declared; none at the top.
    pub function: Option<FunctionId>,
    /// Its initialiser. Without one, static and thread storage is zero, and anything else any value.
    pub init: Option<InitId>,
    /// The call of the function that its attribute `cleanup` names.
    pub cleanup: Option<ExprId>,
    /// Whether it is only declared (`extern`), and never defined here.
    pub external: bool,
    /// Whether our headers or a macro declare it, so that no program names it.
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Functions of our header that write a text no further than their last parameter says have names with this prefix. Behind it
/// stands the name of the function without that limit.
pub const WITHIN: &str = "__within_";

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Symbol,
    /// Its type: always a [`super::types::Type::Function`].
    pub ty: TypeId,
    /// Its parameters, if it has a body.
    pub params: Vec<VarId>,
    pub body: Option<StmtId>,
    /// If set, the function runs before `main`, in the order of these numbers.
    pub constructor: Option<u16>,
    /// If set, the function runs when the program ends, in the reverse order of these numbers.
    pub destructor: Option<u16>,
    /// Whether only a call or a block declares it: a later declaration may then give another type.
    pub implicit: bool,
    /// Where it is declared, or defined.
    pub span: Span,
}

/// A label of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub name: Symbol,
    pub function: FunctionId,
    /// The variable whose address is that of the label, if the program takes it.
    pub address: Option<VarId>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its characters, without the final zero.
    pub values: Box<[u32]>,
    /// The type of its characters.
    pub element: TypeId,
}

/// Characters of a text, for people. Bytes beyond ASCII are UTF-8, if they can be.
#[must_use]
pub fn shown(values: &[u32]) -> String {
    let bytes = values.iter().map(|&c| u8::try_from(c).ok());
    let text = bytes.collect::<Option<Vec<u8>>>();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    let each = || values.iter().map(|&c| char::from_u32(c).unwrap_or('?'));
    text.unwrap_or_else(|| each().collect())
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Its type. A place's has qualifiers, a value's has none.
    pub ty: QualType,
    pub span: Span,
}

/// Operators with one operand of the node's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum UnaryOp {
    Neg,
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum CompareOp {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Between integer types (enums too): the value modulo the size of the target.
    Integer,
    /// Of any scalar to `_Bool`: whether it is not zero.
    Bool,
    /// Between numbers of which one is floating.
    Float,
    /// The constant zero to a null pointer.
    Null,
    /// Another integer to a pointer.
    IntToPointer,
    /// A pointer to an integer.
    PointerToInt,
    /// Between pointer types, to or from `void *` too.
    Pointer,
    /// The value is dropped.
    Void,
    /// A value to a union that has a member of its type (GNU), or between types that only differ in qualifiers.
    Same,
}

/// What an atomic operation does to the place that its first operand points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// Reads it. `__atomic_load_n(p, _)`
    Load,
    /// Reads it into another place. `__atomic_load(p, into, _)`
    LoadInto,
    /// Writes it. `__atomic_store_n(p, value, _)`, `__sync_lock_release(p)` (no value: 0)
    Store,
    /// Writes it from another place. `__atomic_store(p, from, _)`
    StoreFrom,
    /// Writes it and gives the old value. `__atomic_exchange_n(p, value, _)`, `__sync_lock_test_and_set(p, value)`
    Exchange,
    /// Writes it from a place, and the old value into another. `__atomic_exchange(p, from, into, _)`
    ExchangeThrough,
    /// Changes it and gives the old value. `__atomic_fetch_add(p, value, _)`, `__sync_fetch_and_add(p, value)`
    FetchThen(BinaryOp),
    /// Changes it and gives the new value. `__atomic_add_fetch(p, value, _)`, `__sync_add_and_fetch(p, value)`
    ThenFetch(BinaryOp),
    /// As [`AtomicOp::FetchThen`] with `~(old & value)`.
    FetchNand,
    /// As [`AtomicOp::ThenFetch`] with `~(old & value)`.
    NandFetch,
    /// Compares with the place `expected`. If equal, writes `desired`, else writes the old value to `expected`; says whether equal.
    /// `__atomic_compare_exchange_n(p, expected, desired, weak, _, _)`; the last operand says whether it is weak.
    CompareExchange,
    /// [`Self::CompareExchange`], with the third operand in a place. `__atomic_compare_exchange(p, expected, desired, weak, _, _)`
    CompareExchangeThrough,
    /// Compares with a value and writes another; gives whether it was equal. `__sync_bool_compare_and_swap(p, old, new)`
    CompareSwap,
    /// [`AtomicOp::CompareSwap`], but gives the value that was there. `__sync_val_compare_and_swap(p, old, new)`
    CompareSwapValue,
    /// Sets a flag and gives whether it was set. `__atomic_test_and_set(p, _)`
    TestAndSet,
    /// Clears a flag. `__atomic_clear(p, _)`
    Clear,
    /// Orders memory; no operand. `__atomic_thread_fence(_)`, `__sync_synchronize()`
    Fence,
    /// Whether an operation needs no lock; the typed tree has the answer in its place. `__atomic_is_lock_free(size, p)`
    IsLockFree,
}

/// Functions of the compiler that are no functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `__builtin_va_start(list, last)`: the operand is the list, a place
    VaStart,
    /// `__builtin_va_end(list)`
    VaEnd,
    /// `__builtin_va_copy(to, from)`
    VaCopy,
    /// `__builtin_va_arg(list, T)`: the type is the node's
    VaArg,
    /// `__builtin_unreachable()`
    Unreachable,
    /// `__builtin_trap()`
    Trap,
    /// `__builtin_alloca(size)`
    Alloca,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function by its name.
    Direct(FunctionId),
    /// The function to which a pointer points.
    Pointer(ExprId),
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Could not be understood; reported already, so that no program with one is lowered.
    Error,

    // Places.
    Var(VarId),
    /// The target of a pointer value: an object, or a function (then only called or made a pointer again).
    Deref(ExprId),
    /// `a[i]`: a pointer value (for an array, a [`ExprKind::Decay`]), and an index of any integer type
    Index(ExprId, ExprId),
    /// A member of a place that is a record.
    Member(ExprId, u32),
    /// A string, an array of characters.
    Text(TextId),
    /// A place that holds a value for a moment (a struct that a function returned).
    Temporary(ExprId),

    // Values.
    /// A number of an integer type.
    Int(NumberId),
    Float(f64),
    /// The value in a place.
    Load(ExprId),
    /// A pointer to a place.
    AddressOf(ExprId),
    /// A pointer to the first element of a place that is an array.
    Decay(ExprId),
    /// A pointer to a function.
    Function(FunctionId),
    /// A value in the type of the node.
    Convert(Conversion, ExprId),
    /// One operand, of the node's type.
    Unary(UnaryOp, ExprId),
    /// `!e`
    Not(ExprId),
    /// Two operands of the node's type; for shifts only the left one.
    Binary(BinaryOp, ExprId, ExprId),
    /// Two operands of one type, numbers or pointers.
    Compare(CompareOp, ExprId, ExprId),
    /// A pointer moved by `by` elements, backwards if `back` is set.
    Offset {
        pointer: ExprId,
        /// The number, of an integer type.
        by: ExprId,
        /// `-`
        back: bool,
    },
    /// The number of elements between two pointers.
    Difference(ExprId, ExprId),
    /// `l && r`
    And(ExprId, ExprId),
    /// `l || r`
    Or(ExprId, ExprId),
    /// `c ? a : b`, both of the node's type
    Conditional(ExprId, ExprId, ExprId),
    /// `c ?: b`: the first if it is not zero, computed once, converted to the node's type
    Elvis(ExprId, ExprId),
    /// `l, r`
    Comma(ExprId, ExprId),
    /// A place and the value that it gets; gives that value.
    Assign(ExprId, ExprId),
    /// `place op= value`, `++`, `--`: the place is read and written once. On an `_Atomic` place it is one step.
    Update(Box<Update>),
    /// A call with its arguments.
    Call(Callee, ListId),
    /// An atomic operation with its memory order, and the one for an exchange that fails.
    Atomic(AtomicOp, [MemoryOrder; 2], ListId),
    /// A function of the compiler.
    Builtin(Builtin, ListId),
    /// A compound literal where it is evaluated: its variable gets its initialiser, and is then the place.
    /// A place, too.
    Literal(VarId),
    /// `({ … })`: the statements, and the value of the last if it has one
    Block(StmtId, Option<ExprId>),
}

/// How a place is changed by its own value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    pub place: ExprId,
    pub op: UpdateOp,
    /// The type in which it is computed: the place's value is converted to it first, and the result back.
    pub compute: TypeId,
    /// The second operand, of that type (shifts and pointers: of an integer type).
    pub value: ExprId,
    /// The node gives the old value, not the new one.
    pub old: bool,
}

/// What an update does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateOp {
    Arithmetic(BinaryOp),
    /// Moves a pointer, backwards if the flag is set.
    Offset(bool),
}

/// An initialiser, resolved: every element knows its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// A value of the object's type.
    Value(ExprId),
    /// A string for an array of characters; elements behind the string are zero.
    Text(TextId),
    /// Parts in the order of the text. If two parts are for one place, the later one counts. Places without a part are zero.
    Parts(Vec<Part>),
}

/// A part of an object and what it gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// A field's number, or an index; for a range of indices the first.
    pub at: u64,
    /// How many neighbours get the same: 1 unless it was `[a ... b]`.
    pub count: u64,
    pub init: InitId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// A case of a `switch`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// The least and the greatest value; none for `default`.
    pub values: Option<(i128, i128)>,
    /// The statement [`StmtKind::Case`] that marks it.
    pub at: StmtId,
}

/// The forms of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression, for its effects.
    Expr(ExprId),
    /// A local variable begins; its initialiser is evaluated here. (Static ones are not named by any statement.)
    /// The length of an array of variable length is a hidden variable that is declared before the array.
    Declare(VarId),
    /// Statements one after the other, in a scope of their own.
    Block(ThinVec<StmtId>),
    If(ExprId, StmtId, Option<StmtId>),
    While(ExprId, StmtId),
    /// `do … while`
    DoWhile(StmtId, ExprId),
    /// `for`: its first statements (in its scope), its condition, its step, its body
    For(ThinVec<StmtId>, Option<ExprId>, Option<ExprId>, StmtId),
    /// `switch`: its value, its body, and the cases in the body in the order of the text
    Switch(ExprId, StmtId, ThinVec<Case>),
    /// A `case` or `default` label: the `switch` around it jumps here
    Case,
    /// A label: `goto` jumps here
    Label(LabelId),
    Goto(LabelId),
    /// `goto *e`
    GotoValue(ExprId),
    /// `break` of the innermost loop or `switch`
    Break,
    /// `continue` of the innermost loop
    Continue,
    /// `return`; the value has the function's type
    Return(Option<ExprId>),
    /// `asm` that does more than pause and order memory
    Asm,
}

impl Unit {
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.resolve(symbol)
    }

    /// Whether an expression says where something lies.
    #[must_use]
    pub fn is_place(&self, expr: ExprId) -> bool {
        use ExprKind as K;
        matches!(
            self[expr].kind,
            K::Var(_)
                | K::Deref(_)
                | K::Index(..)
                | K::Member(..)
                | K::Text(_)
                | K::Temporary(_)
                | K::Literal(_)
        )
    }
}
