//! What a strategy found, before it is put in words.

use std::collections::BTreeMap;
use std::time::Duration;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use answer::{Counted, Figure, WeakRace};
use base::source::Span;
use ir::ErrorKind;
use options::{ExploreOptions, Sought};

use super::limits::Halt;
use super::space::{LeftOut, Step};
use crate::{Refusal, Why};

/// An execution: how the first task's first segment goes, then the steps, then how `finally` goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// The way of the first segment.
    pub begin: u32,
    /// The steps after it.
    pub steps: Vec<Step>,
    /// The way of `finally`, if the execution is complete.
    pub finally: Option<u32>,
    /// If a data race is shown: its index among the races that the last step completes.
    pub race: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless {
    /// What leads to the loop.
    pub stem: Trail,
    pub turn: Vec<Step>,
}

/// A limit that ended the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    Time,
    Memory,
    /// The work that the search was given, in states and steps.
    Work,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Executions that ended: complete, deadlocked or failing.
    pub executions: Option<u64>,
    /// Executions begun in vain.
    pub blocked: Option<u64>,
    /// Executions that were not followed to their end because they are too long, where executions are followed one by one.
    pub cut: Option<u64>,
    pub states: Option<u64>,
    /// Segments that ran from a dispatch.
    pub transitions: u64,
    /// The longest execution followed.
    pub depth: u64,
    /// Bytes for the states that were stored.
    pub stored: u64,
    pub memory: u64,
    pub walks: Option<u64>,
}

impl Counts {
    /// Returns the counts with which a search begins that counts executions itself.
    pub fn from_zero() -> Self {
        Self {
            executions: Some(0),
            ..Self::default()
        }
    }

    /// Returns the figures of an answer: the time, then the counts.
    pub fn figures(&self, time: Duration) -> Vec<Figure> {
        let known = Figure::counts([
            (Counted::Walks, self.walks),
            (Counted::Executions, self.executions),
            (Counted::Blocked, self.blocked),
            (Counted::Cut, self.cut),
            (Counted::States, self.states),
            (Counted::Transitions, Some(self.transitions)),
            (Counted::Depth, Some(self.depth)),
        ]);
        std::iter::once(Figure::seconds(time))
            .chain(known)
            .collect()
    }
}

/// What a strategy found.
#[derive(Debug, Default)]
pub struct Found {
    pub counts: Counts,
    /// Errors by kind and place, each with an execution.
    pub bugs: BTreeMap<(ErrorKind, Span), Trail>,
    /// Data races by the places of both accesses, each with an execution.
    pub races: BTreeMap<(Span, Span), Trail>,
    /// The atomic operations that race and are not `seq_cst`, if executions were looked at one by one.
    pub weak: Option<Vec<WeakRace>>,
    /// Whether states cannot tell if some accesses race.
    pub doubtful: bool,
    /// Why the search could not be finished, if it was no limit: a process of a cluster is gone, a checkpoint cannot be
    /// written.
    pub broken: Option<String>,
    /// What went wrong that is no fault of the program.
    pub internal: Option<String>,
    /// The globals' leaves at the end of complete executions.
    pub finals: FxHashSet<Box<[u32]>>,
    /// Why some execution could not be followed.
    pub refusal: Option<Refusal>,
    /// Whether an execution was cut because it was too long.
    pub cut: bool,
    /// The first such execution, where executions are followed one by one.
    pub long: Option<Trail>,
    /// Executions that go on for ever, if these are looked for.
    pub endless: Vec<Endless>,
    /// The bounds that left executions out.
    pub left_out: LeftOut,
    /// Whether states or steps were left out that change nothing but the counts.
    pub reduced: bool,
    /// Whether an execution came to its end.
    pub ended: bool,
    /// The limit that ended the search.
    pub limit: Option<Limit>,
}

impl Found {
    /// Whether an execution fails or races.
    pub fn has_bugs(&self) -> bool {
        !(self.bugs.is_empty() && self.races.is_empty())
    }

    /// Checks whether the search gave up because it needed a value that may be anything.
    pub fn needs_open_values(&self) -> bool {
        let open = |why| {
            matches!(
                why,
                Why::Global(_) | Why::Local(..) | Why::Tree | Why::Guard
            )
        };
        self.limit.is_none() && self.refusal.is_some_and(|refusal| open(refusal.why))
    }

    /// Checks whether the search can end here. For livelocks, an execution that is too long counts as found, too.
    pub fn ends(&self, options: &ExploreOptions) -> bool {
        let long = options.sought == Sought::Livelocks && self.long.is_some();
        let shown = long || !self.bugs.is_empty() || !self.endless.is_empty();
        self.limit.is_some() || shown && !options.goes_on()
    }

    /// Sets the limit, if a step was refused because a limit was hit.
    pub fn is_halted_by(&mut self, halt: &Halt) {
        let halted = |refusal: Refusal| refusal.why == Why::Halted;
        if self.refusal.is_some_and(halted) {
            self.limit = self.limit.or(Some(halt.which()));
        }
    }

    /// Notes an execution that is too long to follow.
    pub fn too_long(&mut self, trail: &Trail) {
        self.cut = true;
        *self.counts.cut.get_or_insert(0) += 1;
        self.long.get_or_insert_with(|| trail.clone());
    }

    /// Takes an error, unless it is known.
    pub fn bug(&mut self, kind: ErrorKind, span: Span, trail: impl FnOnce() -> Trail) {
        self.bugs.entry((kind, span)).or_insert_with(trail);
    }
}
