//! Expressions between tree and program: names resolved, types found.
//!
//! An expression is typed in two moves. Bottom-up, each node gets a type of its
//! own or is *open*: a number literal, a `*`, a literal array. Then the place
//! pushes the type that it asks for into the open nodes. Nodes live in a scratch
//! arena that is emptied after each statement.

use base::source::Span;
use ir::{BinaryOp, ExprId, GlobalId, LocalId, TypeId, UnaryOp};

/// A node of the scratch arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub u32);

/// What is known of a node's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    /// Wrong and reported: goes with everything.
    Error,
    Value(TypeId),
    /// Some integer type: a literal or arithmetic on literals.
    Number,
    /// Any type: `*`.
    Any,
    /// A literal array or map whose elements wait for their type.
    Literal,
}

/// The effects of an expression, beside its value. A set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects(u8);

impl Effects {
    pub(super) const NONE: Self = Self(0);
    /// Reads a global variable.
    pub(super) const READS: Self = Self(1);
    /// Chooses with `*`.
    pub(super) const CHOOSES: Self = Self(2);
    /// Uses a constant whose value is not known here (a parameter of an object type that is checked alone).
    pub(super) const UNKNOWN: Self = Self(4);

    /// Reads a local variable, a parameter or the running task.
    pub(super) const LOCAL: Self = Self(8);

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub ty: Ty,
    pub effects: Effects,
    pub span: Span,
}

/// The forms of a typed expression.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Error,
    /// `*`
    Star,
    /// An integer literal; waits for its type.
    Number(i128),
    /// Already an expression of the program: a constant, or an argument that stands for a parameter.
    Known(ExprId, Bounds),
    /// A local variable, with the bounds of its value where they are known.
    Local(LocalId, Bounds),
    /// A global variable, or the part of an object's state that belongs to the element at hand.
    Global(GlobalId, Box<[ExprId]>),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    /// `>`, `>=`, `!=` are the swapped or negated `<`, `<=`, `==`, evaluated left to right all the same.
    Derived(Derived, NodeId, NodeId),
    Ite(NodeId, NodeId, NodeId),
    Index(NodeId, NodeId),
    Field(NodeId, u32),
    Array(Vec<NodeId>),
    /// `[value; n]`
    Repeat(NodeId, u32),
    /// `[value; _]`
    Fill(NodeId),
    /// The values of all fields, in the order of the type, and the order in which they are written.
    Record(Vec<NodeId>, Vec<u32>),
    Convert(NodeId),
}

/// Comparisons that the program does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Derived {
    Gt,
    Ge,
    Ne,
}

/// The least and the greatest value of a number, where they are known.
pub(super) type Bounds = Option<(i128, i128)>;
