//! Races of tasks that wait.
//!
//! A task that waits for a condition adds two cases: it may be blocked without an event `e`, or it may have been enabled
//! before `e` disabled it. Let `R` be the cells of the condition. Any write `e` of a cell of `R` since the task began to
//! wait may have disabled it, whether the task went on later or still waits at the end of the execution. So `e` and
//! the waiting step race, although other writes of `R` may lie between them. They can be reversed if the task is enabled
//! after `E.N`, or after `E.M`: here `M` is `N` without some writes of `R` and without all that happens after them. If `R`
//! is one cell then `N` writes no cell of `R`: all writes of one cell are ordered, and those after `e` happen after it.
//! Then the task is enabled after `E.N` exactly if it is enabled after `E`. So only the last write has to be looked at
//! after which the task was disabled all the time.
//!
//! Operations of objects may be known to commute although they write the same cells, so that the writes of such a
//! *loose* cell are not all ordered; a condition of one loose cell is treated like one of several cells.

use std::ops::ControlFlow;

use super::Observer;
use super::footprint::CellId;
use super::history::History;
use super::model::{Model, Status};
use super::races::lasting;
use super::search::Search;

/// A step that waits for a condition, or may have waited.
struct Waiter<'a> {
    task: u32,
    /// One more than the index of the task's last event, or of the step that posted it.
    since: u32,
    /// The index of the step, or of the end of the execution.
    until: usize,
    guard: &'a [CellId],
}

impl<M: Model, O: Observer<M>> Search<'_, M, O> {
    /// Finds the races of the step just made with the events that may have disabled it before.
    pub(super) fn find_guarded(&mut self, index: usize, guard: &[CellId]) {
        let event = self.history.event(index);
        let waiter = Waiter {
            task: event.task,
            since: event.prev,
            until: index,
            guard,
        };
        if self.is_simple(guard) {
            if let Some(first) = self.disabler(&waiter) {
                self.history.add_race(first, false);
            }
        } else {
            for first in self.disablers(&waiter) {
                self.history.add_race(first, true);
            }
        }
    }

    /// Whether all writes of a condition's cells are ordered.
    fn is_simple(&self, guard: &[CellId]) -> bool {
        matches!(guard, &[cell] if !self.cells.is_loose(cell))
    }

    /// The writes of the condition's cells that may come after the waiter began to wait, the last first.
    fn disablers(&self, waiter: &Waiter<'_>) -> Vec<usize> {
        let mut writers = Vec::new();
        for &cell in waiter.guard {
            for writer in self.history.writers(cell, waiter.until) {
                if !self.forces(writer, waiter) {
                    writers.push(writer);
                } else if !self.cells.is_loose(cell) {
                    break;
                }
            }
        }
        writers.sort_unstable_by(|a, b| b.cmp(a));
        writers.dedup();
        writers
    }

    /// Whether an event happens before the waiter's task begins to wait.
    fn forces(&self, event: usize, waiter: &Waiter<'_>) -> bool {
        let since = waiter.since as usize;
        event < since && self.history.ordered(event, since - 1)
    }

    /// For a condition of one cell: the last write of it before which the waiter is enabled.
    fn disabler(&mut self, waiter: &Waiter<'_>) -> Option<usize> {
        let cell = waiter.guard[0];
        if self.cells.monotone(cell) {
            return None;
        }
        let mut writers = std::mem::take(&mut self.scratch.writers);
        writers.clear();
        writers.extend(
            self.history
                .writers(cell, waiter.until)
                .take_while(|&w| !self.forces(w, waiter))
                .map(|w| w as u32),
        );
        let found = writers
            .iter()
            .map(|&w| w as usize)
            .find(|&w| self.enabled_before(w, waiter));
        self.scratch.writers = writers;
        found
    }

    /// For a condition of one cell: whether the waiter, having begun to wait, is enabled before a write of the cell.
    fn enabled_before(&mut self, event: usize, waiter: &Waiter<'_>) -> bool {
        let since = waiter.since as usize;
        if since <= event {
            let number = self.names.number(waiter.task);
            return self.model.status(&self.frames[event].state, number) == Status::Ready;
        }
        self.scratch.events.clear();
        for later in event + 1..since {
            if !self.history.ordered(event, later) {
                self.scratch.events.push(later as u32);
            }
        }
        self.replay(event, waiter.task)
    }

    pub(super) fn reverse_guarded_event(&mut self, first: usize, second: usize) -> ControlFlow<()> {
        let guard = self.history.guard(second).to_vec();
        let event = self.history.event(second);
        let waiter = Waiter {
            task: event.task,
            since: event.prev,
            until: second,
            guard: &guard,
        };
        self.reverse_guarded(first, &waiter)
    }

    /// Plans every way in which a waiter can step before `first`: for each set of writes of the condition's cells that
    /// can be left out, the sequence without them and what happens after them.
    fn reverse_guarded(&mut self, first: usize, waiter: &Waiter<'_>) -> ControlFlow<()> {
        let mut subsets = self.subsets(first, waiter);
        loop {
            self.leave_out(first);
            let left_out = &subsets;
            let history = &self.history;
            self.scratch.events.retain(|&e| {
                !left_out
                    .left_out()
                    .any(|w| history.ordered(w as usize, e as usize))
            });
            self.plan(first, waiter.task, None, None);
            self.observer.tick(self.stats)?;
            if !subsets.advance(&self.history) {
                return ControlFlow::Continue(());
            }
        }
    }

    /// The writes of the condition's cells after `first` that do not happen after it.
    fn subsets(&mut self, first: usize, waiter: &Waiter<'_>) -> Subsets {
        self.leave_out(first);
        let blocks = |&cell: &CellId| !self.cells.monotone(cell);
        let cells: Vec<_> = waiter.guard.iter().copied().filter(blocks).collect();
        let writes = |e: u32| {
            let foot = &self.history.event(e as usize).foot;
            cells.iter().any(|&c| foot.writes.has(c))
        };
        let free = |e: u32| !self.forces(e as usize, waiter);
        let events = self.scratch.events.iter().copied();
        Subsets(
            events
                .filter(|&e| writes(e) && free(e))
                .map(|e| (e, false))
                .collect(),
        )
    }

    /// Plans executions in which tasks can step that are blocked at the end of this one.
    pub(super) fn reverse_waiting(&mut self, depth: usize) -> ControlFlow<()> {
        for number in 0..self.model.tasks(&self.frames[depth].state) {
            let state = &self.frames[depth].state;
            if self.model.status(state, number) != Status::Blocked {
                continue;
            }
            self.guard.clear();
            self.model.guard(state, number, &mut self.guard);
            let guard: Vec<_> = (self.guard.iter())
                .map(|&cell| self.cells.id(lasting(cell, &self.names)))
                .collect();
            let task = self.names.name(number);
            let waiter = Waiter {
                task,
                since: self.history.last(task),
                until: depth,
                guard: &guard,
            };
            self.reverse_waiter(&waiter)?;
        }
        ControlFlow::Continue(())
    }

    fn reverse_waiter(&mut self, waiter: &Waiter<'_>) -> ControlFlow<()> {
        if self.is_simple(waiter.guard) {
            if let Some(first) = self.disabler(waiter) {
                self.leave_out(first);
                self.plan(first, waiter.task, None, None);
            }
            return ControlFlow::Continue(());
        }
        for first in self.disablers(waiter) {
            self.reverse_guarded(first, waiter)?;
        }
        ControlFlow::Continue(())
    }
}

/// A set of events, each with whether it is left out. With an event, all events of the set that happen after it are left out.
/// The first choice leaves out none; every other choice follows.
struct Subsets(Vec<(u32, bool)>);

impl Subsets {
    /// The events that are left out.
    fn left_out(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().filter(|&&(_, out)| out).map(|&(e, _)| e)
    }

    /// Takes the next choice. Returns whether there is one.
    fn advance(&mut self, history: &History) -> bool {
        let Some(at) = self.0.iter().rposition(|&(_, out)| !out) else {
            return false;
        };
        self.0[at].1 = true;
        for i in at + 1..self.0.len() {
            let (event, _) = self.0[i];
            let after =
                |&(e, out): &(u32, bool)| out && history.ordered(e as usize, event as usize);
            self.0[i].1 = self.0[..i].iter().any(after);
        }
        true
    }
}
