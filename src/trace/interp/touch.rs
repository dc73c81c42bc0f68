//! What a segment touches, access by access, for those who ask what orders them.

use crate::ir::{GlobalId, OpId};
use crate::source::Span;

use super::eval::PathStep;

/// Something that a task does to what tasks share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Touch {
    /// What.
    pub what: What,
    /// Where.
    pub span: Span,
}

/// What a task does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// Reads or writes a global or a part of one.
    Access {
        /// The global.
        global: GlobalId,
        /// From the global inwards.
        path: Vec<PathStep>,
        /// Whether it writes.
        write: bool,
        /// Inside `atomic`, an operation, or the condition or body of an await.
        sync: bool,
    },
    /// Posts the task with a number.
    Posts(u32),
    /// Sees that the task with a number has finished.
    Joins(u32),
    /// Passes the guard of an operation, which could have blocked it or not.
    Operates(OpId, bool),
}
