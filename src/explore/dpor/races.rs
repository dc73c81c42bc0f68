//! Races, and the executions that reverse them.
//!
//! Let `E` be the execution before an event `e`, and `N` the events after `e` that do not happen after it
//! (`notdep(e)`). A later event `f` that conflicts with `e`, with nothing between them that orders them, is
//! reversed by `E.N.q`, where `q` is the next step of `f`'s task.
//!
//! A task that waits for a condition needs more: see `waiting`.
//!
//! A step that chooses data has alternatives everywhere: the same step with other choices.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::Observer;
use super::footprint::Shadow;
use super::history::Label;
use super::model::{Cell, Model, Status};
use super::names::Names;
use super::search::Search;
use super::wakeup::{Begins, Move, NodeId, Sequence};

/// Memory that is used again and again.
#[derive(Debug)]
pub(super) struct Scratch<S> {
    state: S,
    tail_state: S,
    names: Names,
    /// The events of the sequence that is being planned.
    pub events: Vec<u32>,
    shadow: Shadow,
    /// A copy of `events` that inserting uses up.
    work: Vec<u32>,
    tails: Vec<Move>,
    /// A placeholder where there is no step.
    nothing: Move,
    /// Sleepers that commute with the events of the sequence.
    open: Vec<usize>,
    pub writers: Vec<u32>,
}

impl<S: Clone> Scratch<S> {
    pub(super) fn new(state: S) -> Self {
        Self {
            tail_state: state.clone(),
            state,
            names: Names::new(),
            events: Vec::new(),
            shadow: Shadow::default(),
            work: Vec::new(),
            tails: Vec::new(),
            nothing: Move::default(),
            open: Vec::new(),
            writers: Vec::new(),
        }
    }
}

impl<M: Model, O: Observer<M>> Search<'_, M, O> {
    /// At the end of an execution: plans executions that reverse its races.
    pub(super) fn reverse_races(&mut self, depth: usize) -> ControlFlow<()> {
        for second in 0..depth {
            for index in self.history.races(second) {
                let race = self.history.race(index);
                if self.history.stands(race.settled) {
                    continue;
                }
                self.observer.tick(self.stats)?;
                if race.guarded {
                    self.reverse_guarded_event(race.first as usize, second)?;
                } else if let Some(by) = self.reverse(race.first as usize, second) {
                    self.history.settle(index, by as usize);
                }
            }
            self.choose_otherwise(second);
        }
        self.reverse_waiting(depth)
    }

    /// Plans an execution that reverses a race. Returns an event that settles the race, if there is one.
    fn reverse(&mut self, first: usize, second: usize) -> Option<u32> {
        self.leave_out(first);
        let event = self.history.event(second);
        let task = event.task;
        let tail = event.fixed.then(|| Move {
            task,
            label: event.label,
            foot: event.foot.clone(),
        });
        self.plan(first, task, tail, None)
    }

    /// Plans the other choices of a step. An event that begins a race's reversal settles the race, because the executions
    /// from there find the rest. This does not hold for choices: there the step with its own choice may be asleep. Then what
    /// commutes with the step is left to executions that begin with it, and they know only its own choice.
    fn choose_otherwise(&mut self, index: usize) {
        let event = self.history.event(index);
        let (task, label) = (event.task, event.label);
        if label == 0 {
            return;
        }
        self.leave_out(index);
        if self.scratch.events.is_empty() {
            let varied = std::mem::replace(&mut self.frames[index].varied, task);
            if varied == task {
                return;
            }
        }
        self.plan(index, task, None, Some(label));
    }

    /// `notdep(first)`: all later events that do not happen after it.
    pub(super) fn leave_out(&mut self, first: usize) {
        self.scratch.events.clear();
        self.scratch.shadow = Shadow::default();
        self.stats.looked += (self.history.len() - first) as u64;
        for later in first + 1..self.history.len() {
            if !self.history.ordered(first, later) {
                self.scratch.events.push(later as u32);
                self.scratch
                    .shadow
                    .join(self.history.event(later).foot.shadow());
            }
        }
    }

    /// Plans the sequence in `scratch`, followed by the next step of `task`, from the configuration before `first`,
    /// unless something explored or planned there leads to it. `tail` is that step if it is known; otherwise the step
    /// is tried with every choice except `not`. Returns an event of the sequence: as long as it stands, another execution
    /// leads there, whatever the rest of the sequence becomes.
    pub(super) fn plan(
        &mut self,
        first: usize,
        task: u32,
        tail: Option<Move>,
        not: Option<Label>,
    ) -> Option<u32> {
        if let ControlFlow::Break(by) = self.asleep_before(first, task) {
            return by;
        }
        self.scratch.tails.clear();
        match tail {
            Some(tail) => self.scratch.tails.push(tail),
            None => self.try_tails(first, task),
        }
        let (mut all, mut added) = (Some(0), None);
        for i in 0..self.scratch.tails.len() {
            if self.observer.stops() {
                return None;
            }
            if Some(self.scratch.tails[i].label) != not {
                let asleep = self.asleep_with(first, i);
                let by = if asleep {
                    None
                } else {
                    self.insert(first, i, &mut added)
                };
                // The search takes back the later event first.
                all = all.zip(by).map(|(a, b)| a.max(b));
            }
        }
        all.filter(|&by| by > 0)
    }

    /// Whether something explored from the configuration before `first` leads to the sequence whatever its tail is. If
    /// not, finds the sleepers for which the tail decides.
    fn asleep_before(&mut self, first: usize, task: u32) -> ControlFlow<Option<u32>> {
        let scratch = &mut self.scratch;
        scratch.open.clear();
        let mut sequence = Sequence {
            history: &self.history,
            events: &mut scratch.events,
            tail: &scratch.nothing,
            ends: false,
            shadow: scratch.shadow,
            places: SmallVec::new(),
        };
        let to = self.frames[first + 1].sleepers;
        for i in self.frames[first].sleepers..to {
            let sleeper = &self.sleepers[i];
            match sequence.begins(sleeper) {
                Begins::No => {}
                Begins::With(place) => return ControlFlow::Break(Some(sequence.events[place])),
                Begins::Beside if sleeper.task == task && sleeper.label == 0 => {
                    return ControlFlow::Break(None);
                }
                Begins::Beside => scratch.open.push(i),
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether something explored, or what is being explored, leads to the sequence with this tail. (With other choices
    /// than those of the race, the tail may commute with the race's first event.)
    fn asleep_with(&self, first: usize, tail: usize) -> bool {
        let tail = &self.scratch.tails[tail];
        let event = self.history.event(first);
        let beside = event.task != tail.task && !event.foot.conflicts(&tail.foot);
        beside
            || self.scratch.open.iter().any(|&i| {
                let sleeper = &self.sleepers[i];
                if sleeper.task == tail.task {
                    sleeper.label == tail.label
                } else {
                    !sleeper.foot.conflicts(&tail.foot)
                }
            })
    }

    /// Inserts the sequence with a tail into the wakeup tree.
    fn insert(
        &mut self,
        first: usize,
        tail: usize,
        added: &mut Option<(NodeId, NodeId)>,
    ) -> Option<u32> {
        let scratch = &mut self.scratch;
        scratch.work.clone_from(&scratch.events);
        let mut sequence = Sequence {
            history: &self.history,
            events: &mut scratch.work,
            tail: &scratch.tails[tail],
            ends: true,
            shadow: scratch.shadow,
            places: SmallVec::new(),
        };
        self.forest
            .insert(&mut self.frames[first].tree, &mut sequence, added)
    }

    /// Runs the sequence in `scratch` from the configuration before `first`. Returns whether a task can step then.
    pub(super) fn replay(&mut self, first: usize, task: u32) -> bool {
        let scratch = &mut self.scratch;
        scratch.state.clone_from(&self.frames[first].state);
        let tasks = self.history.event(first).tasks as usize;
        scratch.names.copy(&self.names, tasks);
        for &event in &scratch.events {
            let event = self.history.event(event as usize);
            let number = scratch.names.number(event.task);
            self.choices.script(self.labels.script(event.label));
            self.accesses.clear();
            let outcome = self.model.step(
                &mut scratch.state,
                number,
                &mut self.choices,
                &mut self.accesses,
            );
            if outcome != event.cut {
                // A commuting step has the same outcome, unless the machine is breaking off.
                return false;
            }
            for _ in scratch.names.len()..self.model.tasks(&scratch.state) as usize {
                scratch.names.post(&mut self.table, number);
            }
        }
        self.stats.replayed += scratch.events.len() as u64;
        let number = scratch.names.number(task);
        self.model.status(&scratch.state, number) == Status::Ready
    }

    /// Finds what the next step of a task does after the sequence, with every choice. Nothing if it is blocked there.
    fn try_tails(&mut self, first: usize, task: u32) {
        if !self.replay(first, task) {
            return;
        }
        let number = self.scratch.names.number(task);
        self.guard.clear();
        self.model
            .guard(&self.scratch.state, number, &mut self.guard);
        self.choices.script(&[]);
        loop {
            let scratch = &mut self.scratch;
            scratch.tail_state.clone_from(&scratch.state);
            self.accesses.clear();
            self.model.step(
                &mut scratch.tail_state,
                number,
                &mut self.choices,
                &mut self.accesses,
            );
            let label = self.labels.number(self.choices.made());
            let names = std::mem::replace(&mut self.scratch.names, Names::none());
            let foot = self.footprint(&names);
            self.scratch.names = names;
            self.scratch.tails.push(Move { task, label, foot });
            self.stats.replayed += 1;
            if !self.choices.advance() || self.observer.stops() {
                return;
            }
        }
    }
}

/// A cell under the lasting name of its task.
pub(super) fn lasting(cell: Cell, names: &Names) -> Cell {
    match cell {
        Cell::Finished(task) => Cell::Finished(names.name(task)),
        other => other,
    }
}
