//! Dynamic partial-order reduction: one execution of each Mazurkiewicz trace, and no other.
//!
//! Two executions are equivalent if one becomes the other by swapping neighbouring steps that commute. The search
//! runs one execution to its end. It finds the *races*: pairs of steps that conflict and could as well happen the
//! other way round. For each race it plans an execution that reverses it, unless a planned or explored one leads
//! there. Plans are wakeup trees, which make the reduction optimal: no execution is explored twice, and none is
//! begun in vain.
//!
//! The algorithm is *Optimal-DPOR* (Abdulla, Aronis, Jonsson, Sagonas, "Source sets: a foundation for optimal
//! dynamic partial order reduction", J. ACM 64(4), 2017), extended to tasks that wait for any condition on the
//! shared state (`waiting`), to choices of data, and to tasks posted on the way (`names`).
//!
//! This module knows no programs: it explores a [`Model`], and tells an [`Observer`] what it finds.

mod counter;
mod footprint;
mod history;
mod model;
mod names;
pub mod program;
mod races;
mod search;
#[cfg(test)]
pub mod tests;
mod waiting;
mod wakeup;

use std::ops::ControlFlow;

pub use counter::Counter;
pub use model::{Accesses, Cell, Choices, Model, Outcome, Status};

use history::History;
use names::{NameTable, Names};
use search::{Frame, Labels, Search};

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every task has finished.
    Complete,
    /// Every task that has not finished is blocked.
    Deadlock,
    /// No task can go on, and one failed.
    Failed,
    /// No task can go on; none failed, but one was dropped.
    Dropped,
    /// Every task that has not finished is blocked or only repeats itself, and at least one repeats itself.
    Endless,
    /// It is as long as executions may be.
    Cut,
    /// Every task that could go on is asleep: an execution begun in vain. By the proof this never happens.
    Asleep,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Executions by their end.
    pub complete: u64,
    pub deadlocks: u64,
    pub failed: u64,
    pub dropped: u64,
    pub endless: u64,
    pub cut: u64,
    pub asleep: u64,
    pub steps: u64,
    /// Steps made by the first task from the beginning.
    pub starts: u64,
    /// Steps made once more, to see what a reversal would do.
    pub replayed: u64,
    /// Steps looked at once more, to see what a reversal leaves out.
    pub looked: u64,
    /// The most steps that an execution had.
    pub depth: u64,
    /// The most nodes that all wakeup trees had together.
    pub nodes: u64,
}

impl Stats {
    /// A measure of the work done.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.steps + self.replayed + self.looked / 16
    }

    fn count(&mut self, end: End) {
        *match end {
            End::Complete => &mut self.complete,
            End::Deadlock => &mut self.deadlocks,
            End::Failed => &mut self.failed,
            End::Dropped => &mut self.dropped,
            End::Endless => &mut self.endless,
            End::Cut => &mut self.cut,
            End::Asleep => &mut self.asleep,
        } += 1;
    }
}

/// Receives what the search finds.
pub trait Observer<M: Model> {
    /// How many steps an execution may have.
    fn longest(&self) -> usize;

    /// An execution has ended.
    fn ended(&mut self, end: End, path: &Path<'_, M>) -> ControlFlow<()>;

    /// The last step failed, and no step that failed or was dropped happens before it: the steps that happen before
    /// it are an execution that fails.
    fn failed(&mut self, path: &Path<'_, M>) -> ControlFlow<()>;

    /// Whether the search has to stop at once.
    fn stops(&self) -> bool {
        false
    }

    /// A step was made.
    fn tick(&mut self, stats: Stats) -> ControlFlow<()> {
        let _ = stats;
        ControlFlow::Continue(())
    }
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep<'a> {
    /// The task, in the machine's numbering.
    pub task: u32,
    /// Its choices of data, each with the number of possibilities.
    pub choices: &'a [(u32, u32)],
    /// Whether it failed or was dropped.
    pub cut: bool,
}

/// An execution so far.
pub struct Path<'a, M: Model> {
    /// The last configuration.
    pub state: &'a M::State,
    history: &'a History,
    labels: &'a Labels,
    names: &'a NameTable,
    frames: &'a [Frame<M::State>],
}

impl<M: Model> Path<'_, M> {
    pub fn steps(&self) -> impl ExactSizeIterator<Item = PathStep<'_>> {
        self.history.events().iter().map(|e| PathStep {
            task: e.number,
            choices: self.labels.script(e.label),
            cut: e.cut != Outcome::Ran,
        })
    }

    /// The configuration before a step.
    #[must_use]
    pub fn before(&self, step: usize) -> &M::State {
        &self.frames[step].state
    }

    /// The last step and the steps that happen before it: they are an execution too. Tasks have their numbers in
    /// that execution.
    #[must_use]
    pub fn past(&self) -> Vec<PathStep<'_>> {
        let events = self.history.events();
        let Some(last) = events.len().checked_sub(1) else {
            return Vec::new();
        };
        let mut names = Names::new();
        let mut steps = Vec::new();
        for (i, event) in events.iter().enumerate() {
            if self.history.ordered(i, last) {
                let task = names.number(event.task);
                let choices = self.labels.script(event.label);
                let cut = event.cut != Outcome::Ran;
                steps.push(PathStep { task, choices, cut });
                let after = events.get(i + 1).map_or(event.tasks, |e| e.tasks);
                for _ in event.tasks..after {
                    names.post_known(self.names, task);
                }
            }
        }
        steps
    }

    /// Whether a step happens before another, or is it.
    #[must_use]
    pub fn ordered(&self, first: usize, second: usize) -> bool {
        first <= second && self.history.ordered(first, second)
    }
}

/// Explores a model. Returns what was explored, also if the observer broke off.
pub fn explore<M: Model, O: Observer<M>>(model: &mut M, observer: &mut O) -> Stats {
    let mut search = Search::new(model, observer);
    let _ = search.run();
    search.stats
}
