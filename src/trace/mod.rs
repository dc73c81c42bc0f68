//! An execution as data: the decisions that make it (a [`Schedule`]) and what a person sees of it (a [`Trace`]).
//!
//! A schedule is complete: the machine, given the program and the schedule, runs
//! exactly one execution. A trace is only ever made by the machine from a schedule.

pub mod file;
pub(crate) mod interp;
mod lasso;
pub(crate) mod pair;
pub(crate) mod race;
mod replay;
mod words;

pub use replay::replay;

use crate::ir::Value;
use crate::source::Span;

/// One decision that the program's text leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The dispatcher runs this task (numbered in order of posting; the first task is 1) until its next visit.
    Dispatch(u32),
    /// The dispatcher spends a delay on this task, which the scheduler would have run next.
    Delay(u32),
    /// The running task's next choice has this value.
    Choose(Value),
    /// What follows repeats for ever: at its end the program is where it was here.
    Forever,
    /// What follows is another execution from the beginning, to be compared with the one up to here:
    /// both bring every task equally far.
    Again,
    /// At the end: the last segment has completed data races, and this is the number of the one that is meant.
    Race(u32),
}

/// The decisions of one execution, in order. The first task's first segment needs no dispatch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The decisions.
    pub decisions: Vec<Decision>,
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The task that acts; the first task is 1.
    pub task: u32,
    /// The procedure that it runs.
    pub proc: String,
    /// The round of the delaying scheduler; 0 where there are no rounds.
    pub round: u32,
    /// The statement; `None` for what the dispatcher does.
    pub span: Option<Span>,
    /// What happens, in words: the statement's text, `delayed`, `posted as task 3`, …
    pub action: String,
    /// The variables whose values changed, in the form in which the language writes them
    /// (`x`, `a[2]`, `req.done`; a local as `proc.name`), with the new value.
    pub changed: Vec<(String, String)>,
}

/// An execution as a person sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// What happened, line by line.
    pub steps: Vec<TraceStep>,
    /// The decisions that make the machine do it again.
    pub schedule: Schedule,
}
