//! An execution as data: the decisions that make it (a [`Schedule`]) and what a person sees of it (a [`Trace`]).
//!
//! A schedule is complete: the machine, given the program and the schedule, runs
//! exactly one execution. A trace is only ever made by the machine from a schedule.

pub mod file;
mod gaps;
pub mod graph;
pub mod lasso;
pub mod pair;
pub mod race;
pub mod replay;
pub mod shrink;
pub mod simulate;
pub mod slice;
pub mod stale;
pub mod state;
pub mod waits;

pub use race::holding;
pub use replay::{loses_a_task, replay};
pub use semantics::{Change, Ended, Happening, StepKind, Title};
pub use shrink::{Bounds, preemptions, shrunk};
pub use stale::Stale;
pub use waits::{On, Waiting};

use base::source::Span;
use ir::{Dialect, ErrorKind, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    pub kind: ErrorKind,
    pub message: String,
    pub span: Option<Span>,
    /// How it happens. The machine has replayed it.
    pub trace: Trace,
}

/// One decision that the program's text leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The dispatcher runs this task (numbered in order of posting; the first task is 1) until its next visit.
    Dispatch(u32),
    /// The dispatcher spends a delay on this task, which the scheduler would have run next.
    Delay(u32),
    /// The running task's next choice has this value.
    Choose(Value),
    /// The decisions that follow repeat for ever: they lead back to where the program is here.
    Forever,
    /// Another execution follows, from the beginning. It is compared with the execution up to here:
    /// both bring every task equally far.
    Again,
    /// The last decision. The last segment completes data races; this is the number of the race that is meant.
    Race(u32),
}

/// The decisions of one execution, in order. The first task's first segment needs no dispatch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    pub decisions: Vec<Decision>,
}

impl Schedule {
    /// How many delays it spends.
    #[must_use]
    pub fn delays(&self) -> u32 {
        let delays = self
            .decisions
            .iter()
            .filter(|d| matches!(d, Decision::Delay(_)));
        u32::try_from(delays.count()).expect("a budget of delays is a u32")
    }
}

/// How often the running task changes.
#[must_use]
pub fn switches(decisions: &[Decision]) -> usize {
    let tasks = decisions.iter().filter_map(|d| match d {
        Decision::Dispatch(task) => Some(*task),
        _ => None,
    });
    let from = std::iter::once(1).chain(tasks.clone());
    from.zip(tasks).filter(|(a, b)| a != b).count()
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
    pub happening: Happening,
    /// The variables whose values changed.
    pub changed: Vec<Change>,
    /// The values of the variables that a failing check looks at.
    pub values: Vec<(String, String)>,
    /// The stale value on which the step acts, if there is one.
    pub stale: Option<Stale>,
    /// Whether the task has no part in what fails at the end.
    pub aside: bool,
}

impl TraceStep {
    /// What kind of line it is.
    #[must_use]
    pub fn kind(&self) -> StepKind {
        self.happening.kind()
    }

    /// A line in which nothing changes.
    #[must_use]
    pub fn new(task: u32, proc: &str, span: Option<Span>, happening: Happening) -> Self {
        Self {
            task,
            proc: proc.to_owned(),
            round: 0,
            span,
            happening,
            changed: Vec::new(),
            values: Vec::new(),
            stale: None,
            aside: false,
        }
    }
}

/// A segment: the steps of one task between two visits to the dispatcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The task; 0 for `finally`.
    pub task: u32,
    /// The procedure that the task began with.
    pub proc: String,
    /// The round of the delaying scheduler.
    pub round: u32,
    /// The index of its first step. Its steps end where those of the next segment begin; there may be none.
    pub first: usize,
    pub end: Ended,
}

/// Where an execution begins: the values of the visible globals before its first step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The index of the execution's first step.
    pub step: usize,
    /// Names and values, in the order of declaration.
    pub globals: Vec<(String, String)>,
}

/// An execution as a person sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps, a line each.
    pub steps: Vec<TraceStep>,
    pub segments: Vec<Segment>,
    /// Where executions begin: one, or two that are compared.
    pub starts: Vec<Start>,
    /// The tasks that wait for ever, if the execution ends in a deadlock.
    pub waiting: Vec<Waiting>,
    /// The decisions from which the machine repeats the execution.
    pub schedule: Schedule,
    /// The language in which the trace is written.
    pub dialect: Dialect,
}

impl Trace {
    /// Two executions of one program, the second after the first, each with a title.
    #[must_use]
    pub fn beside(one: &Self, other: &Self) -> Self {
        let mut both = one.titled(Title::InOneOrder);
        both.append(other.titled(Title::InAnotherOrder));
        both.waiting.clear();
        let end = [Decision::Again];
        both.schedule.decisions.extend(end);
        both.schedule
            .decisions
            .extend_from_slice(&other.schedule.decisions);
        both
    }

    /// The same trace below a title.
    fn titled(&self, title: Title) -> Self {
        let mut titled = self.clone();
        let Some(first) = self.steps.first() else {
            return titled;
        };
        let above = TraceStep::new(first.task, &first.proc, None, Happening::Title(title));
        titled.steps.insert(0, above);
        for stale in titled.steps.iter_mut().filter_map(|s| s.stale.as_mut()) {
            stale.read += 1;
            stale.since += 1;
        }
        titled.segments.iter_mut().for_each(|s| s.first += 1);
        titled.starts.iter_mut().for_each(|s| s.step += 1);
        titled
    }

    /// Adds another execution behind this one.
    fn append(&mut self, mut other: Self) {
        let before = self.steps.len();
        for stale in other.steps.iter_mut().filter_map(|s| s.stale.as_mut()) {
            stale.read += before;
            stale.since += before;
        }
        self.steps.append(&mut other.steps);
        let moved = other.segments.into_iter().map(|mut s| {
            s.first += before;
            s
        });
        self.segments.extend(moved);
        let moved = other.starts.into_iter().map(|mut s| {
            s.step += before;
            s
        });
        self.starts.extend(moved);
    }
}
