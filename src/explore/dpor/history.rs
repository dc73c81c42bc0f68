//! The execution being explored, with its happens-before relation.
//!
//! Events are known by their index. Every event has a vector clock: for each task, one more than the index of
//! the task's last event that happens before it (or is it); 0 for none. So `e` happens before `f`
//! exactly if the entry of `e`'s task in `f`'s clock is greater than `e`. Clocks lie end to end in one array, and
//! the accesses to a cell form a chain back through time. So the search goes back by cutting off ends.

use super::footprint::{CellId, CellTable, Footprint, SharedFootprint};
use super::model::Outcome;

/// The choices of data that a step made, as the number of their script; 0 if it made none.
pub(super) type Label = u32;

/// One step of one task.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// The task's lasting name.
    pub task: u32,
    /// The machine's number of the task.
    pub number: u32,
    pub label: Label,
    pub foot: SharedFootprint,
    /// Whether the step touches the same cells and makes no choice, whatever the memory holds.
    pub fixed: bool,
    pub cut: Outcome,
    /// One more than the index of the task's event before, or of the step that posted the task; 0 for neither.
    pub prev: u32,
    /// A number that no event had before.
    pub stamp: u64,
    /// How many tasks existed before the step.
    pub tasks: u32,
    clock: (u32, u32),
    accesses: u32,
    races: u32,
    guards: u32,
}

/// An event that settles something, with its stamp. While it is in the history, no other execution has to be planned.
pub(super) type Settled = Option<(u32, u64)>;

/// An access in the chain of its cell.
#[derive(Clone, Copy, Debug)]
struct Access {
    event: u32,
    cell: CellId,
    write: bool,
    /// One more than the index of the access before it; 0 for none.
    prev: u32,
    /// The same for the last write before it.
    prev_write: u32,
}

/// A pair of events that may be reversed; the second is the one that has the race.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    /// The first event.
    pub first: u32,
    /// Whether the second waits for what the first touches. Then the search has to find out whether the second can come
    /// before the first, and after which other events.
    pub guarded: bool,
    /// An event that begins another execution in which the race is reversed, with its stamp. While it is in the history,
    /// the race needs no plan.
    pub settled: Settled,
}

/// What is known of a step when it enters the history.
#[derive(Debug)]
pub(super) struct Step {
    pub task: u32,
    pub number: u32,
    pub label: Label,
    pub foot: SharedFootprint,
    pub fixed: bool,
    pub cut: Outcome,
}

/// The events of the execution and how they are ordered.
#[derive(Debug, Default)]
pub(super) struct History {
    events: Vec<Event>,
    clocks: Vec<u32>,
    accesses: Vec<Access>,
    /// By cell: one more than the index of the last access.
    heads: Vec<u32>,
    /// By task: see [`Event::prev`].
    last: Vec<u32>,
    races: Vec<Race>,
    guards: Vec<CellId>,
    stamps: u64,
    /// The clock being made.
    clock: Vec<u32>,
    /// The events that conflict with the step of this clock.
    rivals: Vec<u32>,
}

impl History {
    /// How many events there are.
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn event(&self, index: usize) -> &Event {
        &self.events[index]
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether an event happens before another, or is it.
    #[inline]
    pub(super) fn ordered(&self, first: usize, second: usize) -> bool {
        self.entry(second, self.events[first].task) as usize > first
    }

    #[inline]
    fn entry(&self, event: usize, task: u32) -> u32 {
        let (at, len) = self.events[event].clock;
        if task < len {
            self.clocks[(at + task) as usize]
        } else {
            0
        }
    }

    /// One more than the index of a task's last event, or of the step that posted the task; 0 for neither.
    #[inline]
    pub(super) fn last(&self, task: u32) -> u32 {
        self.last.get(task as usize).copied().unwrap_or(0)
    }

    /// The races whose second event this is.
    #[inline]
    pub(super) fn races(&self, event: usize) -> std::ops::Range<usize> {
        let next = self.events.get(event + 1);
        let end = next.map_or(self.races.len(), |e| e.races as usize);
        self.events[event].races as usize..end
    }

    pub(super) fn race(&self, index: usize) -> Race {
        self.races[index]
    }

    /// Notes the event that settles a race.
    pub(super) fn settle(&mut self, race: usize, by: usize) {
        self.races[race].settled = Some((by as u32, self.events[by].stamp));
    }

    /// Whether the event that settled something is still in the history.
    pub(super) fn stands(&self, settled: Settled) -> bool {
        settled.is_some_and(|(event, stamp)| {
            let event = self.events.get(event as usize);
            event.is_some_and(|e| e.stamp == stamp)
        })
    }

    /// Gives the last event one more race, of the guarded kind or not.
    pub(super) fn add_race(&mut self, first: usize, guarded: bool) {
        self.races.push(Race {
            first: first as u32,
            guarded,
            settled: None,
        });
    }

    /// The cells of the condition for which an event waited.
    pub(super) fn guard(&self, event: usize) -> &[CellId] {
        let next = self.events.get(event + 1);
        let end = next.map_or(self.guards.len(), |e| e.guards as usize);
        &self.guards[self.events[event].guards as usize..end]
    }

    /// The writers of a cell before an event, the last first.
    pub(super) fn writers(&self, cell: CellId, before: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.heads.get(cell as usize).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            loop {
                let access = self.accesses[at.checked_sub(1)? as usize];
                at = access.prev_write;
                if access.write && (access.event as usize) < before {
                    return Some(access.event as usize);
                }
            }
        })
    }

    /// Adds an event. `guard` are the cells of the condition for which it waited; `tasks` tasks existed before it, and
    /// `names` tasks have names. Records its races, except those with writers of the condition.
    pub(super) fn push(
        &mut self,
        step: Step,
        guard: &[CellId],
        cells: &CellTable,
        tasks: usize,
        names: usize,
    ) {
        let index = self.events.len() as u32;
        self.last.resize(names.max(self.last.len()), 0);
        self.heads.resize(cells.len(), 0);
        let prev = self.last[step.task as usize];
        self.begin_clock(prev, names);
        self.find_rivals(&step.foot, cells);
        let races = self.races.len() as u32;
        self.join_rivals(guard);
        self.clock[step.task as usize] = index + 1;
        self.stamps += 1;
        let event = Event {
            task: step.task,
            number: step.number,
            label: step.label,
            foot: step.foot,
            fixed: step.fixed,
            cut: step.cut,
            prev,
            stamp: self.stamps,
            tasks: tasks as u32,
            clock: (self.clocks.len() as u32, names as u32),
            accesses: self.accesses.len() as u32,
            races,
            guards: self.guards.len() as u32,
        };
        self.clocks.extend_from_slice(&self.clock);
        self.guards.extend_from_slice(guard);
        self.last[event.task as usize] = index + 1;
        for cell in event.foot.reads.iter() {
            self.access(index, cell, false);
        }
        for cell in event.foot.writes.iter() {
            self.access(index, cell, true);
        }
        self.events.push(event);
    }

    /// Notes that the last event posted a task.
    pub(super) fn posted(&mut self, task: u32) {
        let at = self.events.len() as u32;
        self.last.resize(self.last.len().max(task as usize + 1), 0);
        self.last[task as usize] = at;
    }

    fn begin_clock(&mut self, prev: u32, names: usize) {
        self.clock.clear();
        if prev > 0 {
            let (at, len) = self.events[prev as usize - 1].clock;
            self.clock
                .extend_from_slice(&self.clocks[at as usize..(at + len) as usize]);
        }
        self.clock.resize(names, 0);
    }

    /// Finds the events that conflict with a step and that no later one hides: for each cell read its last writer,
    /// for each cell written also the readers since. Sorts them, the last first.
    fn find_rivals(&mut self, foot: &Footprint, cells: &CellTable) {
        self.rivals.clear();
        for cell in foot.reads.iter() {
            if cells.is_loose(cell) {
                self.find_loose_rivals(cell, foot);
                continue;
            }
            let mut at = self.heads[cell as usize];
            if at > 0 && !self.accesses[at as usize - 1].write {
                at = self.accesses[at as usize - 1].prev_write;
            }
            if at > 0 {
                self.rivals.push(self.accesses[at as usize - 1].event);
            }
        }
        for cell in foot.writes.iter() {
            if cells.is_loose(cell) {
                self.find_loose_rivals(cell, foot);
                continue;
            }
            let mut at = self.heads[cell as usize];
            while at > 0 {
                let access = self.accesses[at as usize - 1];
                self.rivals.push(access.event);
                at = if access.write { 0 } else { access.prev };
            }
        }
        self.rivals.sort_unstable_by(|a, b| b.cmp(a));
        self.rivals.dedup();
    }

    /// Adds all events that touch a cell and conflict with a step. If some of them commute, none hides those before it.
    fn find_loose_rivals(&mut self, cell: CellId, foot: &Footprint) {
        let mut at = self.heads[cell as usize];
        while at > 0 {
            let access = self.accesses[at as usize - 1];
            if self.events[access.event as usize].foot.conflicts(foot) {
                self.rivals.push(access.event);
            }
            at = access.prev;
        }
    }

    /// Joins the clocks of the rivals; those that nothing else orders before the step race with it.
    fn join_rivals(&mut self, guard: &[CellId]) {
        for i in 0..self.rivals.len() {
            let rival = self.rivals[i];
            let event = &self.events[rival as usize];
            if self.clock[event.task as usize] > rival {
                continue;
            }
            let (at, len) = event.clock;
            let theirs = &self.clocks[at as usize..(at + len) as usize];
            for (ours, &theirs) in self.clock.iter_mut().zip(theirs) {
                *ours = (*ours).max(theirs);
            }
            if !guard.iter().any(|&c| event.foot.writes.has(c)) {
                self.races.push(Race {
                    first: rival,
                    guarded: false,
                    settled: None,
                });
            }
        }
    }

    fn access(&mut self, event: u32, cell: CellId, write: bool) {
        let head = &mut self.heads[cell as usize];
        let prev_write = match *head {
            0 => 0,
            at if self.accesses[at as usize - 1].write => at,
            at => self.accesses[at as usize - 1].prev_write,
        };
        self.accesses.push(Access {
            event,
            cell,
            write,
            prev: *head,
            prev_write,
        });
        *head = self.accesses.len() as u32;
    }

    /// Takes the last event back.
    pub(super) fn pop(&mut self) -> Option<Event> {
        let event = self.events.pop()?;
        for access in self.accesses.drain(event.accesses as usize..).rev() {
            self.heads[access.cell as usize] = access.prev;
        }
        self.last[event.task as usize] = event.prev;
        self.clocks.truncate(event.clock.0 as usize);
        self.races.truncate(event.races as usize);
        self.guards.truncate(event.guards as usize);
        Some(event)
    }
}
