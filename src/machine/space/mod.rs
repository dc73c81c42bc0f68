//! States in which no task runs, and the steps between them: who may run next.
//!
//! A state is a row of 32-bit leaves: the globals, what the scheduler and its
//! budgets remember, then a leaf for each place of a task, holding the number
//! of its local state. Equal states are equal rows. Each scheduler is a file
//! that says how its object lies in the row; it asks the machine what a task
//! does and knows nothing of statements. What is done with the steps is the
//! strategies' business.

mod bag;
mod left_out;
mod numbers;
mod reduction;
mod robin;
mod stacks;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use base::source::Span;
use options::{ExploreOptions, Scheduler};

use super::budget::Budget;
use super::pack::SlotCode;
use super::store::Slot;
use super::symmetry::{Namer, Symmetry};
use crate::{Memo, Refusal, Shared, Start, Way, World, Write};

pub use crate::End;
use crate::watch::Act;
pub use left_out::LeftOut;
pub use numbers::Numbers;
pub use reduction::{Ranks, Reduction};

/// A step: which of the tasks, whether it is run or delayed, and which of its ways it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Step {
    /// The place of the task's leaf among the tasks' leaves.
    pub place: u32,
    /// Whether the task is delayed instead of run.
    pub delay: bool,
    /// Which of its ways, in the order of its choices.
    pub way: u32,
}

impl Step {
    /// Returns the step of the task at a place that goes its first way.
    fn of(place: usize, delay: bool) -> Self {
        Self {
            place: u32::try_from(place).unwrap_or(u32::MAX),
            delay,
            way: 0,
        }
    }
}

/// What a task accesses in one of the ways that it can go.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub place: u32,
    /// Which of its ways, in the order of its choices.
    pub way: u32,
    pub act: Act,
}

/// What to do with the steps of a state.
pub trait Sink {
    /// The way of the step with which [`Self::next`] is called afterwards.
    fn way(&mut self, _way: Way<'_>) {}
    /// A step leads to a state. `changed` are the leaves in which it differs from the one before, if that is known.
    fn next(&mut self, step: Step, state: &[u32], changed: Option<&[u32]>);
    /// A step fails at a site.
    fn fails(&mut self, step: Step, site: u32);
    /// A step cannot be followed.
    fn refused(&mut self, step: Step, refusal: Refusal);
    /// A bound leaves something out here that could go on without the bound.
    fn leaves_out(&mut self, _bound: LeftOut) {}
    /// Two tasks stand before accesses that race.
    fn races(&mut self, _: Standing, _: Standing) {}
    /// What a task accesses may race, and no state lies directly before it.
    fn comes_late(&mut self) {}
    /// Checks whether to skip the rest of the state's steps. Asked now and then, if a state has many.
    fn stops(&mut self) -> bool {
        false
    }
}

/// What the steps of a state are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many tasks are pending.
    pub pending: u32,
    /// Whether one of them is not blocked.
    pub enabled: bool,
    /// Whether steps were left out that need not be taken.
    pub reduced: bool,
    /// Segments that ran: neither dropped nor blocked.
    pub transitions: u64,
}

/// Budgets and what they need, as leaves behind the globals.
#[derive(Clone, Copy, Debug, Default)]
struct Header {
    delays: Option<usize>,
    preemptions: Option<usize>,
    switches: Option<usize>,
    /// One more than the place of the task that ran last, if it is pending.
    last: Option<usize>,
    /// The scheduler's own number: the position of round robin.
    own: Option<usize>,
}

/// The states of a program under a scheduler.
#[derive(Clone, Copy)]
pub struct Space<'s> {
    pub shared: &'s Shared,
    scheduler: Scheduler,
    /// Whether tasks of a deterministic scheduler can be delayed.
    delaying: bool,
    header: Header,
    budgets: (u32, u32, u32),
    reduction: Reduction,
    /// The numbers that are exchanged.
    pub symmetry: Option<&'s Symmetry>,
    /// Where the tasks' leaves begin.
    pub tasks: usize,
}

/// Memory that expanding a state uses, over and over.
#[derive(Default)]
pub struct Scratch {
    next: Vec<u32>,
    changed: Vec<u32>,
    ranks: Ranks,
    namer: Namer,
    standing: Vec<Standing>,
}

impl<'s> Space<'s> {
    /// The states that the options ask for.
    pub fn new(shared: &'s Shared, options: &ExploreOptions) -> Self {
        let mut at = shared.packing.leaves as usize;
        let mut leaf = |wanted: bool| {
            wanted.then(|| {
                at += 1;
                at - 1
            })
        };
        let bounded = Budget::of(options).is_bounded();
        let lists = !matches!(options.scheduler, Scheduler::Bag | Scheduler::BoundedBag(_));
        let header = Header {
            delays: leaf(lists && options.delays.is_some()),
            preemptions: leaf(options.preemptions.is_some()),
            switches: leaf(options.switches.is_some()),
            last: leaf(bounded),
            own: leaf(options.scheduler == Scheduler::RoundRobin),
        };
        Self {
            shared,
            scheduler: options.scheduler,
            delaying: lists,
            header,
            budgets: (
                options.delays.unwrap_or(0),
                options.preemptions.unwrap_or(0),
                options.switches.unwrap_or(0),
            ),
            reduction: Reduction::default(),
            symmetry: None,
            tasks: at,
        }
    }

    /// Returns the same states, with reductions that leave out some states and some steps.
    pub fn reduced(self, reduction: Reduction) -> Self {
        Self { reduction, ..self }
    }

    /// The reductions that are on.
    pub fn reduction(&self) -> Reduction {
        self.reduction
    }

    /// Returns the same states, of which one stands for all that differ in numbers. Only if [`Self::may_exchange`].
    pub fn exchanging(self, symmetry: &'s Symmetry) -> Self {
        Self {
            symmetry: Some(symmetry),
            ..self
        }
    }

    /// The same states, in which numbers are not exchanged.
    pub fn with_all_numbers(self) -> Self {
        Self {
            symmetry: None,
            ..self
        }
    }

    /// The same states, in which every task's steps are taken.
    pub fn with_all_steps(self) -> Self {
        self.reduced(Reduction {
            alone: false,
            ..self.reduction
        })
    }

    /// Checks whether different states were taken for one, because their numbers must not be exchanged.
    pub fn is_broken(&self) -> bool {
        self.symmetry.is_some_and(Symmetry::is_broken)
    }

    /// Whether a step that posts nothing changes globals and its own task's leaf only, and no budget allows or forbids it.
    pub fn is_plain_bag(&self) -> bool {
        self.scheduler == Scheduler::Bag
            && self.header.last.is_none()
            && !self.reduction.multiset
            && self.symmetry.is_none()
    }

    /// The leaf of a task by its number, where it has a place of its own.
    pub fn leaf_of(&self, task: u32) -> Option<usize> {
        let place = task.checked_sub(1)?;
        self.by_number().then_some(self.tasks + place as usize)
    }

    /// The row before anything has run.
    pub fn blank(&self) -> Vec<u32> {
        let mut row = vec![0; self.tasks];
        let budgets = [
            (self.header.delays, self.budgets.0),
            (self.header.preemptions, self.budgets.1),
            (self.header.switches, self.budgets.2),
        ];
        for (leaf, budget) in budgets {
            if let Some(leaf) = leaf {
                row[leaf] = budget;
            }
        }
        if self.shared.code.handles {
            // One task so far: the first.
            self.set_posted(&mut row, 1);
        }
        row
    }

    /// The states after the first task's first segment.
    pub fn begin(&self, memo: &mut Memo<'s>, sink: &mut impl Sink) {
        let row = self.blank();
        let world = World {
            leaves: &row,
            pending: &|_| false,
        };
        let mut way_number = 0;
        let (mut next, mut scratch) = (Vec::new(), Scratch::default());
        memo.once(Start::Main, world, |way| {
            let step = Step {
                place: 0,
                delay: false,
                way: way_number,
            };
            way_number += 1;
            if self.may_race_late(way, || false) {
                sink.comes_late();
            }
            match way.end {
                End::Fails(site) => sink.fails(step, site),
                End::Refused(refusal) => sink.refused(step, refusal),
                End::Rests(_) | End::Finished => {
                    next.clone_from(&row);
                    sink.leaves_out(self.first(&mut next, way));
                    self.arrive(&mut next, &mut scratch, None);
                    sink.next(step, &next, None);
                }
                End::Dropped | End::Pruned | End::Blocked => {}
            }
        });
    }

    /// Whether a late access may race: there are other tasks, or the segment may have made one before.
    fn may_race_late(&self, way: Way<'_>, others: impl FnOnce() -> bool) -> bool {
        let late = way.acts.iter().any(|act| act.late);
        let made_before = || {
            let posts_last = self.shared.watched.as_ref().is_some_and(|w| w.posts_last);
            !way.posts.is_empty() && !posts_last
        };
        late && (made_before() || others())
    }

    /// Makes the row after the first task's first segment. Answers which bounds left something out.
    fn first(&self, row: &mut Vec<u32>, way: Way<'_>) -> LeftOut {
        match self.scheduler {
            Scheduler::Bag | Scheduler::BoundedBag(_) => return self.bag_first(row, way),
            Scheduler::RoundRobin => self.robin_ran(row, None, way),
            Scheduler::DepthFirst | Scheduler::ReverseDepthFirst => self.stacks_ran(row, None, way),
        }
        LeftOut::default()
    }

    /// All steps of a state, in their order.
    pub fn steps(
        &self,
        state: &[u32],
        memo: &mut Memo<'s>,
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Summary {
        let at = |task: u32| self.is_pending(state, task);
        let world = World {
            leaves: state,
            pending: &at,
        };
        match self.scheduler {
            Scheduler::Bag | Scheduler::BoundedBag(_) => {
                self.bag_steps(state, world, memo, scratch, sink)
            }
            Scheduler::RoundRobin => self.robin_steps(state, world, memo, scratch, sink),
            Scheduler::DepthFirst | Scheduler::ReverseDepthFirst => {
                self.stacks_steps(state, world, memo, scratch, sink)
            }
        }
    }

    /// Calls `each` with the places of the tasks that can run.
    pub fn each_enabled(&self, state: &[u32], memo: &mut Memo<'s>, mut each: impl FnMut(u32)) {
        let pending = |task: u32| self.is_pending(state, task);
        let world = World {
            leaves: state,
            pending: &pending,
        };
        for (place, &local) in (0u32..).zip(&state[self.tasks..]) {
            if local != 0 && enabled(local, world, memo) {
                each(place);
            }
        }
    }

    /// Whether no task is pending.
    pub fn is_final(&self, state: &[u32]) -> bool {
        state[self.tasks..].iter().all(|&leaf| leaf == 0)
    }

    /// Returns the bits of each slot in a leaf that several slots may share.
    pub fn slots(&self) -> Vec<Slot> {
        let packing = &self.shared.packing;
        let small =
            (packing.slots.iter()).filter(|slot| packing.widths[slot.leaf as usize].is_some());
        let slot = |slot: &SlotCode| Slot {
            leaf: slot.leaf,
            shift: slot.shift.into(),
            bits: slot.bits.into(),
        };
        small.map(slot).collect()
    }

    /// Returns for each leaf before the tasks' leaves how many bits are in use, if that is known.
    pub fn widths(&self) -> Vec<Option<u32>> {
        let mut widths = self.shared.packing.widths.clone();
        widths.resize(self.tasks, None);
        widths
    }

    /// Whether tasks can be delayed.
    pub fn delaying(&self) -> bool {
        self.delaying
    }

    /// Whether there are delays left to spend.
    fn has_delays(&self, state: &[u32]) -> bool {
        self.delaying && self.header.delays.is_none_or(|leaf| state[leaf] > 0)
    }

    /// Returns how many delays lead to a state, if delays are counted. All executions to the state have the same number.
    pub fn spent(&self, state: &[u32]) -> u64 {
        let left = self
            .header
            .delays
            .map_or(self.budgets.0, |leaf| state[leaf]);
        self.budgets.0.saturating_sub(left).into()
    }

    /// Returns how many delays in a row lead back to the task with which they began.
    pub fn circle(&self, state: &[u32], memo: &mut Memo<'s>) -> u32 {
        let mut count = 0;
        self.each_enabled(state, memo, |_| count += 1);
        count
    }

    /// Where pending tasks wait: the first such place in the text.
    pub fn waits_at(&self, state: &[u32]) -> Span {
        let pending = state[self.tasks..].iter().filter(|&&leaf| leaf != 0);
        let place = |&local: &u32| {
            // The await stands before the guard, where the task goes on.
            let guard = self.shared.resumes_at(local);
            self.shared.code.spans[guard.saturating_sub(1) as usize]
        };
        pending.map(place).min().unwrap_or_default()
    }

    /// Runs `finally` in every way. Tells `each` the number of a way, its end, and the row after it.
    pub fn finish(
        &self,
        state: &[u32],
        memo: &mut Memo<'s>,
        mut each: impl FnMut(u32, End, &[u32]),
    ) {
        let Some(proc) = self.shared.finally else {
            return each(0, End::Finished, state);
        };
        let world = World {
            leaves: state,
            pending: &|_| false,
        };
        if let Some(symmetry) = self.symmetry {
            symmetry.compare_finally(self.shared, proc, &state[..self.tasks]);
        }
        let (mut row, mut number) = (Vec::new(), 0);
        memo.once(Start::Finally(proc), world, |way| {
            row.clear();
            row.extend_from_slice(state);
            apply(&mut row, way.writes);
            each(number, way.end, &row);
            number += 1;
        });
    }

    /// Whether the task with a number is pending, where tasks are numbered.
    pub fn is_pending(&self, state: &[u32], task: u32) -> bool {
        let tasks = &state[self.tasks..];
        if self.by_number() {
            let place = task.checked_sub(1).and_then(|p| tasks.get(p as usize));
            return place.is_some_and(|&leaf| leaf != 0);
        }
        let mut locals = tasks.iter().filter(|&&leaf| leaf != 0);
        locals.any(|&local| self.shared.number(local) == task)
    }

    /// Whether a task's place is one less than its number.
    fn by_number(&self) -> bool {
        self.shared.code.handles
            && matches!(self.scheduler, Scheduler::Bag | Scheduler::BoundedBag(_))
    }

    /// How many tasks there have been, where tasks are numbered.
    fn posted(&self, row: &[u32]) -> u32 {
        let slot = self.shared.packing.slots.last();
        // A small wide number is folded.
        slot.map_or(0, |s| s.code(row[s.leaf as usize]) >> 1)
    }

    /// Tells the state after a task's delay, if another task can run then. If no delay is left, tells that it was left out.
    fn delay(
        &self,
        (state, place): (&[u32], usize),
        mut others: impl Iterator<Item = u32>,
        (world, memo): (World<'_>, &mut Memo<'_>),
        next: &mut Vec<u32>,
        sink: &mut impl Sink,
        delayed: impl Fn(&mut Vec<u32>),
    ) {
        if !self.has_delays(state) {
            if others.any(|local| goes_on(local, world, memo)) {
                sink.leaves_out(LeftOut::DELAYS);
            }
        } else if others.any(|local| enabled(local, world, memo)) {
            next.clear();
            next.extend_from_slice(state);
            delayed(next);
            sink.next(Step::of(place, true), next, None);
        }
    }

    fn set_posted(&self, row: &mut [u32], count: u32) {
        if let Some(slot) = self.shared.packing.slots.last() {
            row[slot.leaf as usize] = count << 1;
        }
    }
}

impl End {
    /// Checks whether the execution goes on, fails or ends there: the task was not blocked, and what it assumed held. A pruned
    /// way says no: the choice that led to the same place before counts instead.
    fn goes_on(self) -> bool {
        !matches!(self, Self::Blocked | Self::Dropped | Self::Pruned)
    }
}

/// Returns the instructions of two accesses, in the order of the code.
pub fn instructions(one: Standing, other: Standing) -> (u32, u32) {
    let (a, b) = (one.act.pc, other.act.pc);
    (a.min(b), a.max(b))
}

/// Calls `each` for each pair of accesses that race.
pub fn each_race(all: &[Standing], mut each: impl FnMut(Standing, Standing)) {
    for (i, one) in all.iter().enumerate() {
        let others = all[i + 1..].iter();
        let others = others.filter(|other| other.place != one.place && other.act.races(&one.act));
        others.for_each(|other| each(*one, *other));
    }
}

pub fn apply(row: &mut [u32], writes: &[Write]) {
    for w in writes {
        let leaf = &mut row[w.leaf as usize];
        *leaf = *leaf & w.keep | w.bits;
    }
}

/// After so many tasks, or ways of one task, the space asks the sink whether the search stops.
const OFTEN: u32 = 64;

/// Checks whether the search wants more ways of a task, from the one in `next` on.
fn go_on(next: Step, sink: &mut impl Sink) -> ControlFlow<()> {
    match next.way.is_multiple_of(OFTEN) && sink.stops() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Tells the ways of a task where it is the only one that may run. `ran` makes the state after one of them.
fn run_one(
    state: &[u32],
    (place, local): (usize, u32),
    (world, memo): (World<'_>, &mut Memo<'_>),
    next: &mut Vec<u32>,
    (sink, summary): (&mut impl Sink, &mut Summary),
    ran: impl Fn(&mut Vec<u32>, Way<'_>),
) {
    let mut step = Step::of(place, false);
    memo.ways_until(local, world, |way| {
        summary.enabled |= way.end != End::Blocked;
        match way.end {
            End::Rests(_) | End::Finished => {
                summary.transitions += 1;
                next.clear();
                next.extend_from_slice(state);
                ran(next, way);
                sink.next(step, next, None);
            }
            End::Fails(site) => {
                summary.transitions += 1;
                sink.fails(step, site);
            }
            End::Refused(refusal) => sink.refused(step, refusal),
            End::Dropped | End::Pruned | End::Blocked => {}
        }
        step.way += 1;
        go_on(step, sink)
    });
}

/// Whether a task can run.
fn enabled(local: u32, world: World<'_>, memo: &mut Memo<'_>) -> bool {
    let mut enabled = false;
    memo.ways(local, world, |way| enabled |= way.end != End::Blocked);
    enabled
}

/// Whether a task would go on if it were run: it is not blocked, and what it assumes may hold.
fn goes_on(local: u32, world: World<'_>, memo: &mut Memo<'_>) -> bool {
    let mut goes = false;
    memo.ways(local, world, |way| {
        goes |= way.end.goes_on();
    });
    goes
}
