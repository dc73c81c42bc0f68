//! Depth-first and reverse depth-first (Scheduler 4): handler-, round- and delay-stacks.
//!
//! The handler stack is emptied into the round stack as soon as a segment ends. The delay stack is emptied into the round stack
//! when the round stack is empty. So both together are a queue: what a segment gives comes to its front; what is delayed or
//! passed over goes to its end. Where in it the round ends makes no difference. A row holds it from its end to its front.

use options::Scheduler;

use super::{End, Scratch, Sink, Space, Summary, apply, run_one};
use crate::{Memo, Way, World};

impl<'s> Space<'s> {
    pub(super) fn stacks_steps(
        &self,
        state: &[u32],
        world: World<'_>,
        memo: &mut Memo<'s>,
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Summary {
        let tasks = &state[self.tasks..];
        let mut summary = Summary {
            pending: u32::try_from(tasks.len()).unwrap_or(u32::MAX),
            ..Summary::default()
        };
        let mut front = tasks.len();
        // Blocked tasks are passed over.
        while let Some(place) = front.checked_sub(1)
            && !summary.enabled
        {
            front = place;
            let ran = |row: &mut Vec<u32>, way: Way<'_>| self.stacks_ran(row, Some(place), way);
            let (memo, next, out) = (&mut *memo, &mut scratch.next, (&mut *sink, &mut summary));
            run_one(state, (place, tasks[place]), (world, memo), next, out, ran);
        }
        let others = tasks[..front].iter().rev().copied();
        let delayed = |row: &mut Vec<u32>| self.stacks_delayed(row, front);
        let next = &mut scratch.next;
        self.delay((state, front), others, (world, memo), next, sink, delayed);
        summary
    }

    /// Updates the row after the task at a place (or the first task, which has none) has run. The tasks before it were passed
    /// over. What it posted, and the rest of it, come to the front.
    pub(super) fn stacks_ran(&self, row: &mut Vec<u32>, place: Option<usize>, way: Way<'_>) {
        apply(row, way.writes);
        if let Some(place) = place {
            self.stacks_turn(row, place);
            row.pop();
        }
        let given = row.len();
        row.extend_from_slice(way.posts);
        if let End::Rests(local) = way.end {
            row.push(local);
        }
        // Depth-first brings the first of what is given to the front, reverse depth-first the last.
        if self.scheduler == Scheduler::DepthFirst {
            row[given..].reverse();
        }
    }

    /// Brings the task at a place to the front: those before it go to the end.
    fn stacks_turn(&self, row: &mut [u32], place: usize) {
        let tasks = &mut row[self.tasks..];
        tasks.rotate_right(tasks.len() - place - 1);
    }

    /// `delay` of the task at a place: to the end.
    pub(super) fn stacks_delayed(&self, row: &mut [u32], place: usize) {
        if let Some(leaf) = self.header.delays {
            row[leaf] -= 1;
        }
        self.stacks_turn(row, place);
        row[self.tasks..].rotate_right(1);
    }
}
