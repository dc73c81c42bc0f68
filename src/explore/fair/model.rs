//! What fairness asks of a program: its states, who can run in them, and where that leads.
//!
//! Tasks go by small numbers that are theirs from when they are posted until they finish;
//! then another task may have the number. Nothing here knows statements.

use std::hash::Hash;

use crate::ir::ErrorKind;
use crate::source::Span;

use super::tasks::Tasks;

/// How and where something fails.
pub(crate) type Failure = (ErrorKind, Span);

/// Where a step leads.
#[derive(Clone, Debug)]
pub(crate) enum To<S> {
    /// To another state.
    State {
        /// The state.
        state: S,
        /// Whether the step ended at a `sleep`: in the paper's word, whether it yields.
        slept: bool,
        /// Whether the task is no more.
        gone: bool,
    },
    /// Nowhere: it fails.
    Fails(Failure),
}

/// A step: one segment of one task, with one set of choices.
#[derive(Clone, Debug)]
pub(crate) struct Step<S, A> {
    /// The task.
    pub task: u32,
    /// What makes the model do it again.
    pub act: A,
    /// Where it leads.
    pub to: To<S>,
}

/// How a complete execution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Well.
    Done,
    /// What is checked in the end does not hold.
    Fails(Failure),
    /// It does not count, or cannot be followed.
    Void,
}

/// A program with tasks, as fairness sees it.
pub(crate) trait Model {
    /// A state in which no task runs.
    type State: Clone + Eq + Hash;
    /// What tells the steps from a state apart.
    type Act: Copy + PartialEq;

    /// The first task's first segment. It is no transition: nobody else could have run.
    fn begin(&mut self) -> Vec<Step<Self::State, Self::Act>>;

    /// The tasks that are pending and not blocked.
    fn enabled(&mut self, state: &Self::State) -> Tasks;

    /// Whether no task is pending.
    fn is_final(&mut self, state: &Self::State) -> bool;

    /// Where a deadlock is shown.
    fn deadlock(&mut self, state: &Self::State) -> Failure;

    /// The steps of some of the enabled tasks, in their order.
    fn steps(&mut self, state: &Self::State, of: &Tasks) -> Vec<Step<Self::State, Self::Act>>;

    /// In which ways a final state ends, in order.
    fn finish(&mut self, state: &Self::State) -> Vec<Finish>;

    /// Whether some step stands for several that lead to the same state.
    fn merges(&self) -> bool {
        false
    }

    /// Bytes, beside the states.
    fn bytes(&self) -> u64;

    /// Bytes that a state takes.
    fn size(&self, state: &Self::State) -> u64;
}

/// An execution as its acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path<A> {
    /// How it begins, and the steps.
    pub acts: Vec<A>,
    /// Which of the ways to finish, if it is complete.
    pub finish: Option<u32>,
}

/// An endless execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endless<A> {
    /// What leads to the loop.
    pub stem: Vec<A>,
    /// What repeats.
    pub turn: Vec<A>,
}
