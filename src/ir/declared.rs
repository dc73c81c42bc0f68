//! Claims of object types about their operations, in a form that a solver can prove.
//!
//! A declaration speaks about two operations on the *same* object. Engines do not trust it: it is a claim. A prover must
//! show it for every state of the object, every two different tasks and all arguments. The claim names procedures of the
//! same program, without preemption points, so a prover reads them like all other code.

use base::source::Span;

use super::program::{GlobalId, OpId, ProcId};

/// The claim about two operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclaredKind {
    /// Whenever both are enabled and the condition holds: neither disables the other, and the state and
    /// both results are the same in either order.
    Independent,
    /// They are never enabled together.
    Exclusive,
}

/// One of the two operations of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredOp {
    /// The operation, as awaits name it.
    pub op: OpId,
    /// Returns whether the operation is enabled. Takes the object's indices and the operation's parameters.
    pub guard: ProcId,
    /// Does the operation's step. Takes the same arguments as `guard`.
    pub body: ProcId,
    /// Joins the object's queue, in a step of its own before `body`. Takes the same arguments as `guard`.
    pub enqueue: Option<ProcId>,
    /// The global that counts how often the operation was enabled without its guard, and the limit of that count.
    pub spurious: Option<(GlobalId, i128)>,
}

/// A claim about two operations of one object.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub kind: DeclaredKind,
    /// The first operation, run by some task.
    pub a: DeclaredOp,
    /// The second, run by another task.
    pub b: DeclaredOp,
    /// Returns whether the claim is made for these arguments: takes the object's indices, the parameters of
    /// the first operation, then those of the second. Without it the claim is made for all.
    pub condition: Option<ProcId>,
    /// How many of the first parameters of every procedure here are indices of an array of objects. The claim is
    /// about one element, so every procedure gets the same ones; which element does not matter.
    pub indices: u32,
    /// The pairs of operations that the claim speaks of: the two above, and the same two of every other object
    /// with the same type and constants, for which the same proof will do.
    pub applies: Vec<(OpId, OpId)>,
    /// The object's private state. A proof must hold for all its values.
    pub state: Vec<GlobalId>,
    pub span: Span,
    /// Whether the claim has been proved. Engines rely on proved claims only.
    pub proved: bool,
}
