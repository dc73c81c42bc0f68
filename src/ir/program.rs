//! Procedures, statements and expressions of the intermediate program.

use std::borrow::Cow;

use thin_vec::ThinVec;

use base::source::Span;

use super::Scope;
use super::declared::Declared;
use super::objects::{Object, Op, PassedObject, StateOf};
use super::order::Order;
use super::text::{Dialect, Quotes};
use super::types::{TypeId, Types};

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $id(pub u32);

        impl $id {
            /// The id as an index.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id with that index.
            ///
            /// # Panics
            /// When there are 2^32 of them: memory ends long before.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 of a kind"))
            }
        }
    )*};
}

ids! {
    /// An expression of the program.
    ExprId;
    /// A global variable.
    GlobalId;
    /// A procedure.
    ProcId;
    /// A local variable of a procedure; parameters come first.
    LocalId;
    /// A loop of a procedure.
    LoopId;
    /// An operation of an object (each object has ids of its own; the elements of an array share them).
    OpId;
    /// A variable that holds an object or an array of objects.
    ObjectId;
}

/// A whole program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The types.
    pub types: Types,
    /// All expressions; a subexpression's id is less than that of the expression that holds it.
    pub exprs: Vec<Expr>,
    /// The global variables.
    pub globals: Vec<Global>,
    /// The procedures.
    pub procs: Vec<Proc>,
    /// Gives every global its initial value (assignments and havocs only, also of locals that hold choices);
    /// runs once, before `main`, in the first task's first segment.
    pub init: ProcId,
    /// The first task.
    pub main: ProcId,
    /// Run once, atomically, after the last task of a complete execution.
    pub finally: Option<ProcId>,
    /// The objects; a part of an object comes after it.
    pub objects: Vec<Object>,
    /// The operations of objects.
    pub ops: Vec<Op>,
    /// The claims of object types about their operations. They are no facts.
    pub declared: Vec<Declared>,
    /// The place of each `cover`, and its text.
    pub covers: Vec<(Span, String)>,
    /// Where the user's text ends: the text behind it is the library's.
    pub own_end: u32,
    /// Where expressions stand in the source.
    pub quotes: Quotes,
    /// The questions about the program, and the parts of it that are left out, as far as known before any engine runs.
    pub scope: Scope,
}

impl Program {
    /// Whether the user wrote a check of that kind, so that it matters if an execution comes to it. In C only
    /// assertions are the user's. A check that always fails is no claim: it only says that no execution comes to it.
    #[must_use]
    pub fn is_claim(&self, kind: ErrorKind, cond: ExprId, span: Span) -> bool {
        (self.types.dialect == Dialect::Async || kind == ErrorKind::Assertion)
            && !self.scope.lazy.contains(&span)
            && self.expr(cond).kind != ExprKind::Bool(false)
    }

    /// Whether a place is in the user's text.
    #[must_use]
    pub fn is_own(&self, span: Span) -> bool {
        span != Span::default() && span.start < self.own_end
    }
}

/// A global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// Its name; unique.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Whether it is not the user's: final states and traces leave it out.
    pub hidden: bool,
    /// The object whose private state it is: shown in traces, and no part of a final state.
    pub state_of: Option<StateOf>,
    /// Whether the program uses this name for it. Objects of an allocation have no name in the program.
    pub named: bool,
    /// Where it is declared.
    pub span: Span,
}

impl Global {
    /// Whether it is part of a final state.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !self.hidden && self.state_of.is_none()
    }
}

/// A procedure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proc {
    /// Its name as the user wrote it. Two versions of a procedure (with and without preemption points,
    /// or for different objects) share it.
    pub name: String,
    /// How many of the first locals are parameters.
    pub params: u32,
    /// How many of the last parameters are arguments without names of their own (`...` in C).
    pub unnamed: u32,
    /// Which of the parameters are indices of arrays of objects.
    pub objects: Vec<PassedObject>,
    /// The locals; parameters first. Each is assigned or havocked before it is read.
    pub locals: Vec<Local>,
    /// The type of its result. Every path then ends with `Return(Some(_))`.
    pub result: Option<TypeId>,
    /// Its body.
    pub body: Block,
    /// How many loop ids it uses.
    pub loops: u32,
    /// Where it is declared.
    pub span: Span,
}

/// A local variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name; not unique in its procedure (inner blocks may reuse a name).
    pub name: Cow<'static, str>,
    /// Its type.
    pub ty: TypeId,
    /// Whether a pass made it, not the user: traces leave it out.
    pub hidden: bool,
}

/// An expression: pure, total, typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// Negation of a truth value.
    Not,
    /// Arithmetic negation; wraps on machine integers.
    Neg,
    /// Bitwise complement of a machine integer.
    BitNot,
}

/// Operators with two operands. Operands have the same type, where `int` and ranges count as one;
/// arithmetic on `int` and ranges gives `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// Sum; wraps on machine integers.
    Add,
    /// Difference; wraps on machine integers.
    Sub,
    /// Product; wraps on machine integers.
    Mul,
    /// Quotient: Euclidean on `int`, towards zero on machine integers (the least by -1 is the least).
    /// By zero: 0; a check stands before it.
    Div,
    /// Remainder that belongs to `Div`. By zero: 0.
    Rem,
    /// Less (signed or unsigned, by type).
    Lt,
    /// Less or equal.
    Le,
    /// Equality of any type.
    Eq,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Implication.
    Implies,
    /// Bitwise and of machine integers.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift left; the amount is read as unsigned; all bits are gone at the width and beyond.
    Shl,
    /// Shift right, arithmetic for signed types, logical for unsigned; the amount is read as unsigned.
    Shr,
}

impl BinaryOp {
    /// An operator as the language writes it.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Eq => "==",
            Self::And => "&&",
            Self::Or => "||",
            Self::Implies => "==>",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
        }
    }
}

/// A number with the alignment of a pointer. Each expression of a program
/// has room for the largest kind; the alignment of `i128` would add more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, packed(8))]
pub struct Number(pub i128);

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A truth value.
    Bool(bool),
    /// A number of an integer type (`int`, range or machine), within the type's bounds;
    /// for an enum the member's index.
    Int(Number),
    /// No task.
    NoTask,
    /// The handle of the running task.
    SelfTask,
    /// A local.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// One operand.
    Unary(UnaryOp, ExprId),
    /// Two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// The second if the first holds, else the third.
    Ite(ExprId, ExprId, ExprId),
    /// Element of an array or map. Out of bounds: any value; a check stands before it.
    Index(ExprId, ExprId),
    /// Field of a record.
    Field(ExprId, u32),
    /// A record of its fields' values.
    Record(Box<[ExprId]>),
    /// An array of its elements.
    Array(Box<[ExprId]>),
    /// An array or map with that value everywhere.
    Fill(ExprId),
    /// A number in another integer type (`self.ty`): wraps into machine integers, exact into `int`.
    Convert(ExprId),
    /// Whether a task has finished. False for none.
    Finished(ExprId),
}

impl ExprKind {
    /// A number.
    #[must_use]
    pub const fn int(value: i128) -> Self {
        Self::Int(Number(value))
    }
}

/// A variable or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// The steps from the variable inwards.
    pub path: ThinVec<Step>,
    /// The type of the part.
    pub ty: TypeId,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// A global.
    Global(GlobalId),
    /// A local.
    Local(LocalId),
}

/// A step into a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A record's field.
    Field(u32),
    /// An array's or map's element; bounds are checked before.
    Index(ExprId),
}

/// A sequence of statements.
pub type Block = ThinVec<Stmt>;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The form of the statement.
    pub kind: StmtKind,
    /// The source that it comes from.
    pub span: Span,
}

/// The kinds of errors, as answers name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of the answers")]
pub enum ErrorKind {
    Assertion,
    Invariant,
    Range,
    Index,
    Division,
    Deadlock,
    Race,
    Divergence,
    Livelock,
    GoodSamaritan,
    Stuck,
    Object,
    Deref,
    Free,
    Leak,
    Overflow,
    Shift,
    Misuse,
    /// No error: an execution reaches a `cover` that was asked about.
    Cover,
}

impl ErrorKind {
    /// All kinds, in their order.
    pub const ALL: [Self; 19] = [
        Self::Assertion,
        Self::Invariant,
        Self::Range,
        Self::Index,
        Self::Division,
        Self::Deadlock,
        Self::Race,
        Self::Divergence,
        Self::Livelock,
        Self::GoodSamaritan,
        Self::Stuck,
        Self::Object,
        Self::Deref,
        Self::Free,
        Self::Leak,
        Self::Overflow,
        Self::Shift,
        Self::Misuse,
        Self::Cover,
    ];

    /// Whether any other error is reported instead, if only one is
    /// reported. An error in a step says more than a deadlock.
    #[must_use]
    pub const fn comes_last(self) -> bool {
        matches!(self, Self::Deadlock)
    }

    /// Its name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::Invariant => "invariant",
            Self::Range => "range",
            Self::Index => "index",
            Self::Division => "division",
            Self::Deadlock => "deadlock",
            Self::Race => "race",
            Self::Divergence => "divergence",
            Self::Livelock => "livelock",
            Self::GoodSamaritan => "good-samaritan",
            Self::Stuck => "stuck",
            Self::Object => "object",
            Self::Deref => "deref",
            Self::Free => "free",
            Self::Leak => "leak",
            Self::Overflow => "overflow",
            Self::Shift => "shift",
            Self::Misuse => "misuse",
            Self::Cover => "cover",
        }
    }
}

/// Why a task can be interrupted here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PreemptKind {
    /// By the program's preemption mode, before an access. A task that was just dispatched and has done
    /// nothing visible since passes through.
    Implicit,
    /// `yield`
    Yield,
    /// `sleep`
    Sleep,
}

/// What a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AwaitKind {
    /// `await e`
    Await,
    /// `join t`
    Join,
    /// Waits until no other thread is in an exclusive section.
    Turn,
    /// An operation of an object.
    Op(OpId),
    /// The enqueue part of an operation of an object; never blocked.
    Enqueue(OpId),
}

/// Who makes a free choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChoiceKind {
    /// The user: `*`, `havoc`, a variable without initial value.
    User,
    /// A pass: a guess of the sequentialization.
    Guess,
    /// A pass that asks whether the engine unrolls no further: true if so.
    Probe,
    /// The memory: whether a store reaches it now.
    Memory,
}

/// The forms of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `place := value`
    Assign(Place, ExprId),
    /// Any value of the place's type. Parts of the type `task` become no task, because tasks cannot be chosen.
    Havoc(Place, ChoiceKind),
    /// Drops the execution unless the condition holds.
    Assume(ExprId),
    /// An error of that kind unless the condition holds. The text is the user's or the pass's, for people.
    Check(ErrorKind, ExprId, Box<str>),
    /// Runs the first block if the condition holds, else the second.
    If(ExprId, Block, Block),
    /// `loop { pre; if !cond { break }; body; 'continue: step }`
    Loop(Box<Loop>),
    /// Leaves an enclosing loop, perhaps out of an `Atomic` or the body of an `Await`.
    Break(LoopId),
    /// Goes to an enclosing loop's step.
    Continue(LoopId),
    /// Leaves the procedure, perhaps out of an `Atomic` or the body of an `Await`.
    Return(Option<ExprId>),
    /// Runs a procedure; its result goes into the local.
    Call(Option<LocalId>, ProcId, ThinVec<ExprId>),
    /// Makes a task of a procedure; its handle goes into the local.
    Post(Option<LocalId>, ProcId, ThinVec<ExprId>),
    /// A preemption point.
    Preempt(PreemptKind),
    /// A preemption point after which the task is blocked until the condition holds.
    Await(Box<Await>),
    /// A block without a preemption point inside. Without statements it is a fence.
    Atomic(Order, Block),
    /// Does nothing. The code that maps executions back learns from it where an execution passed.
    Mark(u32, ThinVec<ExprId>),
}

/// A loop: `loop { pre; if !cond { break }; body; 'continue: step }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its id in the procedure.
    pub id: LoopId,
    /// The statements that compute the condition.
    pub pre: Block,
    /// Whether the loop goes on.
    pub cond: ExprId,
    /// The body.
    pub body: Block,
    /// The statements to which `continue` goes.
    pub step: Block,
}

/// A preemption point with a condition. The task is blocked while every check holds and the condition does not.
/// When it is dispatched, checks, condition and body are one atomic step.
#[derive(Clone, Debug, PartialEq)]
pub struct Await {
    /// What the task waits for.
    pub kind: AwaitKind,
    /// Checks of the condition's parts (`Check` statements only).
    pub checks: Block,
    /// The condition under which the task goes on; no side effects.
    pub cond: ExprId,
    /// The statements that run together with the test; no preemption point inside.
    pub body: Block,
}

impl Proc {
    /// The await with which the body begins: a posted task is pending there.
    #[must_use]
    pub fn first_await(&self) -> Option<&Await> {
        match &self.body.first()?.kind {
            StmtKind::Await(at) => Some(at),
            _ => None,
        }
    }
}

impl Program {
    /// A program in the making, with nothing in it.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            types: Types::new(),
            exprs: Vec::new(),
            globals: Vec::new(),
            procs: Vec::new(),
            init: ProcId(0),
            main: ProcId(0),
            finally: None,
            covers: Vec::new(),
            objects: Vec::new(),
            ops: Vec::new(),
            declared: Vec::new(),
            own_end: 0,
            quotes: Quotes::default(),
            scope: Scope::default(),
        }
    }

    /// An expression.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
    /// The type of an expression.
    #[must_use]
    pub fn ty(&self, id: ExprId) -> TypeId {
        self.exprs[id.index()].ty
    }
    /// A procedure.
    #[must_use]
    pub fn proc(&self, id: ProcId) -> &Proc {
        &self.procs[id.index()]
    }
    /// Adds an expression.
    pub fn add(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        let id = ExprId(u32::try_from(self.exprs.len()).expect("fewer expressions than 2^32"));
        base::memory::push_slowly(&mut self.exprs, Expr { kind, ty });
        id
    }
    /// The type of a variable, seen from a procedure.
    #[must_use]
    pub fn root_type(&self, proc: ProcId, root: Root) -> TypeId {
        match root {
            Root::Global(g) => self.globals[g.index()].ty,
            Root::Local(l) => self.proc(proc).locals[l.index()].ty,
        }
    }
}
