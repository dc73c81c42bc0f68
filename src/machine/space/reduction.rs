//! Reductions of the search that stores states: which tasks need not be told apart, and which steps need not be
//! taken one by one. Both are for the plain bag, in which every order of tasks is allowed.
//!
//! *Multiset.* Where the program has no names for tasks, two states that differ only in which task has which
//! place have the same future. The tasks of a row are then sorted, without gaps. The order is by the content of
//! their local states, so that it does not depend on who met a local state first.
//!
//! *Alone.* A task is lonely if its next segment neither reads nor changes what others read or change, posts nothing,
//! fails in none of its ways, and goes on further down in the text or ends. No other task can disable it, notice it or
//! be disabled by it, so only this task is run. The others lose nothing: what they could do before it, they can do after
//! it, in the same global state. Lonely segments go down in the text, so every task comes to one that is not lonely
//! after finitely many of them, and no task is put off for ever.

use std::cmp::Ordering;

use options::{ExploreOptions, Scheduler, Sought, Strategy};

use super::super::budget::Budget;
use super::{Scratch, Space};
use crate::{Memo, Shared, World};

/// The reductions that are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// A lonely task is run alone.
    pub alone: bool,
    /// Tasks are sorted.
    pub multiset: bool,
}

impl Reduction {
    /// Returns the reductions that are sound for these options. Bounds count steps or remember places, which reductions change.
    pub fn allowed(shared: &Shared, options: &ExploreOptions) -> Self {
        let steps_counted = options.max_steps != ExploreOptions::default().max_steps;
        let bounded = Budget::of(options).is_bounded();
        let other_question = !matches!(options.sought, Sought::Failures | Sought::Races);
        let on = options.reduction
            && options.scheduler == Scheduler::Bag
            && options.strategy == Strategy::Stateful
            && !(options.shortest || steps_counted || bounded || other_question);
        let code = &shared.code;
        Self {
            alone: on,
            multiset: on && code.posts() && !code.handles && !code.has_local_trees(),
        }
    }
}

/// The order of local states by content, remembered.
#[derive(Debug, Default)]
pub struct Ranks {
    known: Vec<u128>,
}

impl Ranks {
    /// The first bytes of a local state, as a number.
    pub fn rank(&mut self, shared: &Shared, local: u32) -> u128 {
        let at = local as usize;
        if at >= self.known.len() {
            self.known.resize(at + 1, 0);
        }
        if self.known[at] == 0 {
            self.known[at] = shared.first_bytes(local);
        }
        self.known[at]
    }

    /// Which of two local states comes first.
    pub fn order(&mut self, shared: &Shared, a: u32, b: u32) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let ranks = self.rank(shared, a).cmp(&self.rank(shared, b));
        ranks.then_with(|| shared.compare(a, b))
    }

    /// Where a local state belongs among sorted ones.
    pub fn place(&mut self, shared: &Shared, sorted: &[u32], local: u32) -> usize {
        sorted.partition_point(|&other| self.order(shared, other, local).is_lt())
    }
}

impl<'s> Space<'s> {
    /// Whether numbers may be exchanged: tasks are sorted, or have numbers that are exchanged with the others.
    pub fn may_exchange(&self) -> bool {
        let numbered = self.by_number() && !self.shared.code.has_local_trees();
        self.reduction.multiset || self.reduction.alone && numbered
    }

    /// The task that is run alone, if there is one.
    pub(super) fn lonely(
        &self,
        state: &[u32],
        world: World<'_>,
        memo: &mut Memo<'s>,
    ) -> Option<u32> {
        if !self.reduction.alone {
            return None;
        }
        let tasks = (0u32..).zip(&state[self.tasks..]);
        let mut pending = tasks.filter(|&(_, &local)| local != 0);
        let place = pending.find(|&(_, &local)| memo.is_lonely(local, world));
        place.map(|(place, _)| place)
    }

    /// Checks whether the task at a place is equal to the one before it. Then its steps lead to the same states.
    pub(super) fn is_copy(&self, state: &[u32], place: u32) -> bool {
        let at = self.tasks + place as usize;
        self.reduction.multiset && place > 0 && state[at] == state[at - 1]
    }

    /// Puts tasks into a sorted row.
    pub(super) fn insert_tasks(&self, row: &mut Vec<u32>, ranks: &mut Ranks, locals: &[u32]) {
        for &local in locals {
            let place = ranks.place(self.shared, &row[self.tasks..], local);
            row.insert(self.tasks + place, local);
        }
    }

    /// Moves the task at a place of a sorted row to where its new local state belongs. Answers the first and the last
    /// leaf that may have changed.
    pub(super) fn move_task(
        &self,
        row: &mut [u32],
        ranks: &mut Ranks,
        place: usize,
        local: u32,
    ) -> (usize, usize) {
        let tasks = &mut row[self.tasks..];
        let lower = ranks.place(self.shared, &tasks[..place], local);
        let goal = if lower < place {
            tasks[lower..=place].rotate_right(1);
            lower
        } else {
            let upper = place + ranks.place(self.shared, &tasks[place + 1..], local);
            tasks[place..=upper].rotate_left(1);
            upper
        };
        tasks[goal] = local;
        (self.tasks + place.min(goal), self.tasks + place.max(goal))
    }

    /// Whether numbers are exchanged in a state.
    pub fn is_inside(&self, row: &[u32], scratch: &mut Scratch) -> bool {
        self.symmetry.is_some_and(|symmetry| {
            (scratch.namer).is_inside(symmetry, self.shared, &row[self.tasks..])
        })
    }

    /// Replaces a state by the one that stands for all that differ from it in numbers, if numbers are exchanged there.
    pub fn rename(&self, row: &mut Vec<u32>, scratch: &mut Scratch) {
        if let Some(symmetry) = self.symmetry.filter(|_| self.is_inside(row, scratch)) {
            let Scratch { ranks, namer, .. } = scratch;
            namer.rename_to_least(symmetry, (self.shared, ranks), row, self.tasks);
        }
    }

    /// Renames a state to which a step leads. `from` is the task that ran, if the state before was inside. Then the task is
    /// blamed if it leads outside.
    pub(super) fn arrive(&self, row: &mut Vec<u32>, scratch: &mut Scratch, from: Option<u32>) {
        let Some(symmetry) = self.symmetry else {
            return;
        };
        match (self.is_inside(row, scratch), from) {
            (false, Some(local)) => symmetry.blame(self.shared, local),
            (true, None) => symmetry.comes_inside(|| {
                let Scratch { ranks, namer, .. } = scratch;
                namer.is_fixed(symmetry, (self.shared, ranks), row, self.tasks)
            }),
            _ => {}
        }
        self.rename(row, scratch);
    }

    /// Sorts the tasks of a row, and the row of their numbers in the same way.
    pub(super) fn sort_tasks(&self, row: &mut Vec<u32>, numbers: Option<&mut Vec<u32>>) {
        if !self.reduction.multiset {
            return;
        }
        let mut ranks = Ranks::default();
        let tasks = row[self.tasks..].iter().enumerate();
        let mut order: Vec<(u32, usize)> = tasks
            .filter(|&(_, &local)| local != 0)
            .map(|(place, &local)| (local, place))
            .collect();
        order.sort_by(|&(a, _), &(b, _)| ranks.order(self.shared, a, b));
        row.truncate(self.tasks);
        row.extend(order.iter().map(|&(local, _)| local));
        if let Some(numbers) = numbers {
            let of: Vec<u32> =
                (order.iter().map(|&(_, place)| numbers[self.tasks + place])).collect();
            numbers.truncate(self.tasks);
            numbers.extend(of);
        }
    }
}
