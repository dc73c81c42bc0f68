//! The states of a small program and the steps between them, as data.

use base::source::Span;
use ir::ErrorKind;

use super::state::State;

/// The kind of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Start,
    Inner,
    /// Every task has finished.
    Final,
    /// An error of this kind.
    Error(ErrorKind),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// The variables and the tasks; for an error, those before it.
    pub state: State,
    pub on_path: bool,
}

/// A step of a task.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The task; 0 for `finally`.
    pub task: u32,
    /// Whether it is delayed, and does nothing.
    pub delay: bool,
    /// Where the task goes on; for an error, the place of the error.
    pub span: Option<Span>,
    pub on_path: bool,
}

/// The first node is the start.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}
