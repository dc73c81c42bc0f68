//! The bag and the bounded bag (Schedulers 1 and 2), with bounds on preemptions and context switches.
//!
//! Each pending task has a place: the least that was free when it was posted, or, where the program
//! can tell tasks apart, the one that its number says. A place without a task holds 0; the row ends with
//! the last task.

use std::ops::ControlFlow;

use options::Scheduler;

use super::super::budget::{Budget, Price};
use super::{
    End, LeftOut, OFTEN, Scratch, Sink, Space, Standing, Step, Summary, apply, each_race, enabled,
    go_on, goes_on,
};
use crate::{Memo, Way, World};

impl<'s> Space<'s> {
    pub(super) fn bag_first(&self, row: &mut Vec<u32>, way: Way<'_>) -> LeftOut {
        apply(row, way.writes);
        // The running task has the first place while it posts.
        row.push(u32::MAX);
        let mut left_out = self.bag_give(row, 1, way.posts, |_, _| {});
        left_out.add(self.bag_return(row, 0, way.end));
        self.trim(row);
        self.sort_tasks(row, None);
        left_out
    }

    pub(super) fn bag_steps(
        &self,
        state: &[u32],
        world: World<'_>,
        memo: &mut Memo<'s>,
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Summary {
        let mut summary = Summary::default();
        let inside = self.is_inside(state, scratch);
        let ran = memo.ran();
        let preempts = self.header.last.is_some() && self.last_is_enabled(state, world, memo);
        let alone = self.lonely(state, world, memo);
        scratch.standing.clear();
        for (place, &local) in (0u32..).zip(&state[self.tasks..]) {
            if local == 0 {
                continue;
            }
            let is_copy = self.is_copy(state, place);
            // Two equal tasks show each race that more of them would show.
            if alone.is_none() && is_copy && !self.is_copy(state, place - 1) {
                stand_beside(&mut scratch.standing, place);
            }
            if alone.is_some_and(|alone| alone != place) || is_copy {
                summary.reduced = true;
                summary.pending += 1;
                continue;
            }
            if place % OFTEN == OFTEN - 1 && sink.stops() {
                // What was not looked at may be able to run.
                summary.enabled = true;
                break;
            }
            summary.pending += 1;
            let step = Step {
                place,
                delay: false,
                way: 0,
            };
            let price = self.price(state, place, preempts);
            let missing = self.left(state).missing(price);
            if !missing.is_empty() {
                if goes_on(local, world, memo) {
                    summary.enabled = true;
                    sink.leaves_out(missing);
                }
                summary.enabled = summary.enabled || enabled(local, world, memo);
                continue;
            }
            let mut run = Run {
                space: self,
                state,
                scratch,
                sink,
                summary: &mut summary,
                step,
                price,
                inside,
            };
            memo.ways_until(local, world, |way| run.goes(way));
        }
        each_race(&scratch.standing, |one, other| sink.races(one, other));
        if memo.ran() != ran {
            self.compare_tasks(state, scratch);
        }
        summary
    }

    /// Compares what each inside task does with what it does with other numbers. Called after a segment was run that was not
    /// remembered. The memory is used wherever the task is met again, so other tasks may be outside here.
    fn compare_tasks(&self, state: &[u32], scratch: &mut Scratch) {
        let Some(symmetry) = self.symmetry else {
            return;
        };
        let (globals, tasks) = state.split_at(self.tasks);
        for &local in tasks {
            let inside = (scratch.namer).is_inside(symmetry, self.shared, &[local]);
            if local != 0 && inside && !symmetry.is_broken() {
                symmetry.compare_task(self.shared, local, globals);
            }
        }
    }

    /// Whether the task that ran last could go on.
    fn last_is_enabled(&self, state: &[u32], world: World<'_>, memo: &mut Memo<'s>) -> bool {
        let last = self.header.last.map_or(0, |leaf| state[leaf] as usize);
        let local = last.checked_sub(1).and_then(|p| state.get(self.tasks + p));
        local.is_some_and(|&local| local != 0 && enabled(local, world, memo))
    }

    /// Returns what running a task costs: nothing, if it ran last or if there is no bound.
    fn price(&self, state: &[u32], place: u32, preempts: bool) -> Price {
        let away = |last: usize| state[last] != place + 1;
        if self.header.last.is_some_and(away) {
            Price::of_switch(preempts)
        } else {
            Price::default()
        }
    }

    /// What a state has left of the budgets.
    fn left(&self, state: &[u32]) -> Budget {
        Budget {
            preemptions: self.header.preemptions.map(|leaf| state[leaf]),
            switches: self.header.switches.map(|leaf| state[leaf]),
        }
    }

    /// Pays for running a task.
    fn pay(&self, row: &mut [u32], price: Price) {
        let after = self.left(row).after(price);
        for (leaf, left) in [
            (self.header.preemptions, after.preemptions),
            (self.header.switches, after.switches),
        ] {
            if let (Some(leaf), Some(left)) = (leaf, left) {
                row[leaf] = left;
            }
        }
    }

    /// `give` of what was posted. `posted` is how many tasks there were before. Calls `placed` for each post that got a
    /// place, and answers the bound that left out a post.
    pub(super) fn bag_give(
        &self,
        row: &mut Vec<u32>,
        posted: u32,
        posts: &[u32],
        mut placed: impl FnMut(u32, usize),
    ) -> LeftOut {
        let mut left_out = LeftOut::default();
        // Places before this are taken.
        let mut taken = self.tasks;
        for (i, &local) in (0..).zip(posts) {
            if !self.has_room(row, local) {
                left_out = LeftOut::COPIES;
                continue;
            }
            let place = if self.shared.code.handles {
                (posted + i) as usize
            } else {
                let free = row[taken..].iter().position(|&leaf| leaf == 0);
                taken = free.map_or(row.len(), |free| taken + free);
                taken - self.tasks
            };
            let at = self.tasks + place;
            if at >= row.len() {
                row.resize(at + 1, 0);
            }
            row[at] = local;
            placed(i, place);
        }
        left_out
    }

    /// The bounded bag: whether fewer than that many copies of a task are pending.
    fn has_room(&self, row: &[u32], local: u32) -> bool {
        let Scheduler::BoundedBag(copies) = self.scheduler else {
            return true;
        };
        let pending = row[self.tasks..].iter();
        let pending = pending.filter(|&&leaf| leaf != 0 && leaf != u32::MAX);
        let equal = pending.filter(|&&leaf| self.shared.same_task(leaf, local));
        equal.count() < copies as usize
    }

    /// The task that ran gives its place back, or rests there.
    pub(super) fn bag_return(&self, row: &mut [u32], place: usize, end: End) -> LeftOut {
        row[self.tasks + place] = u32::MAX;
        let (local, left_out) = match end {
            End::Rests(local) if self.has_room(row, local) => (local, LeftOut::default()),
            End::Rests(_) => (0, LeftOut::COPIES),
            _ => (0, LeftOut::default()),
        };
        row[self.tasks + place] = local;
        if let Some(last) = self.header.last {
            let place = u32::try_from(place).unwrap_or(u32::MAX);
            row[last] = if local == 0 { 0 } else { place + 1 };
        }
        left_out
    }

    /// Removes empty places at the end, because a row ends with a task.
    pub(super) fn trim(&self, row: &mut Vec<u32>) {
        while row.len() > self.tasks && row.last() == Some(&0) {
            row.pop();
        }
    }
}

/// Adds the accesses of a task that is equal to the one before it, and stands before the same.
fn stand_beside(all: &mut Vec<Standing>, place: u32) {
    let of_other = all.iter().filter(|one| one.place + 1 == place);
    let own: Vec<Standing> = of_other.map(|&one| Standing { place, ..one }).collect();
    all.extend(own);
}

/// A task being run from a state.
struct Run<'a, 's, S> {
    space: &'a Space<'s>,
    state: &'a [u32],
    scratch: &'a mut Scratch,
    sink: &'a mut S,
    summary: &'a mut Summary,
    step: Step,
    price: Price,
    /// Whether all tasks of the state are inside, if numbers are exchanged.
    inside: bool,
}

impl<S: Sink> Run<'_, '_, S> {
    /// Handles one of the task's ways. Answers whether others are wanted.
    fn goes(&mut self, way: Way<'_>) -> ControlFlow<()> {
        self.summary.enabled |= way.end != End::Blocked;
        // An assumption that fails here may hold after the other access. A replay of the execution decides.
        if way.end.goes_on() || way.end == End::Dropped {
            self.stands(way);
        }
        match way.end {
            End::Rests(_) | End::Finished => {
                self.summary.transitions += 1;
                self.arrive(way);
            }
            End::Fails(site) => {
                self.summary.transitions += 1;
                self.sink.fails(self.step, site);
            }
            End::Refused(refusal) => self.sink.refused(self.step, refusal),
            End::Dropped | End::Pruned | End::Blocked => {}
        }
        self.step.way += 1;
        go_on(self.step, self.sink)
    }

    /// Notes that the task stands before these accesses.
    fn stands(&mut self, went: Way<'_>) {
        let Step { place, way, .. } = self.step;
        let standing = went.acts.iter().map(|&act| Standing { place, way, act });
        self.scratch.standing.extend(standing);
        let others = || {
            let pending = self.state[self.space.tasks..].iter();
            pending.filter(|&&local| local != 0).count() > 1
        };
        if self.space.may_race_late(went, others) {
            self.sink.comes_late();
        }
    }

    fn arrive(&mut self, way: Way<'_>) {
        self.sink.way(way);
        let space = self.space;
        if space.reduction().multiset {
            return self.arrive_sorted(way);
        }
        let Scratch { next, changed, .. } = &mut *self.scratch;
        let place = self.step.place as usize;
        let own = space.tasks + place;
        next.clear();
        next.extend_from_slice(self.state);
        apply(next, way.writes);
        space.pay(next, self.price);
        let simple = space.header.last.is_none() && way.posts.is_empty();
        match (way.end, space.scheduler) {
            // The common case: only the globals and the task's own leaf change.
            (End::Rests(local), Scheduler::Bag) if simple => next[own] = local,
            (End::Finished, Scheduler::Bag) if simple && own + 1 < next.len() => next[own] = 0,
            _ => {
                let posted = if space.shared.code.handles {
                    space.posted(self.state)
                } else {
                    0
                };
                // The running task is not pending, and keeps its place.
                next[own] = u32::MAX;
                let mut left_out = space.bag_give(next, posted, way.posts, |_, _| {});
                left_out.add(space.bag_return(next, place, way.end));
                space.trim(next);
                self.sink.leaves_out(left_out);
                return self.arrive_renamed();
            }
        }
        if space.symmetry.is_some() {
            return self.arrive_renamed();
        }
        changed.clear();
        changed.extend(way.writes.iter().map(|w| w.leaf));
        changed.push(u32::try_from(own).unwrap_or(u32::MAX));
        self.sink.next(self.step, next, Some(changed));
    }
    /// Does the same as `arrive`, where tasks are sorted.
    fn arrive_sorted(&mut self, way: Way<'_>) {
        let space = self.space;
        let Scratch {
            next,
            changed,
            ranks,
            ..
        } = &mut *self.scratch;
        let place = self.step.place as usize;
        next.clear();
        next.extend_from_slice(self.state);
        apply(next, way.writes);
        if let (End::Rests(local), true) = (way.end, way.posts.is_empty()) {
            let (first, last) = space.move_task(next, ranks, place, local);
            if space.symmetry.is_some() {
                return self.arrive_renamed();
            }
            changed.clear();
            changed.extend(way.writes.iter().map(|w| w.leaf));
            changed.extend((first..=last).filter_map(|leaf| u32::try_from(leaf).ok()));
            return self.sink.next(self.step, next, Some(changed));
        }
        next.remove(space.tasks + place);
        if let End::Rests(local) = way.end {
            space.insert_tasks(next, ranks, &[local]);
        }
        space.insert_tasks(next, ranks, way.posts);
        self.arrive_renamed();
    }

    /// Renames the row that was made, and tells it to the sink.
    fn arrive_renamed(&mut self) {
        let mut next = std::mem::take(&mut self.scratch.next);
        let ran = self.state[self.space.tasks + self.step.place as usize];
        (self.space).arrive(&mut next, self.scratch, self.inside.then_some(ran));
        self.sink.next(self.step, &next, None);
        self.scratch.next = next;
    }
}
