//! Depth-first and reverse depth-first (Scheduler 4): handler-, round- and delay-stacks.
//!
//! The handler stack is emptied into the round stack as soon as a segment ends, so a row holds the round
//! stack, then the delay stack, each from its bottom; the scheduler's own number is the size of the first.

use crate::options::Scheduler;

use super::super::machine::{Memo, Way, World};
use super::{End, LeftOut, Scratch, Sink, Space, Step, Summary, apply};

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
        let Some(top) = self.round(state).checked_sub(1) else {
            return summary;
        };
        let mut step = Step {
            place: u32::try_from(top).unwrap_or(u32::MAX),
            delay: false,
            way: 0,
        };
        let next = &mut scratch.next;
        memo.ways(tasks[top], world, |way| {
            summary.enabled |= way.end != End::Blocked;
            match way.end {
                End::Rests(_) | End::Finished => {
                    summary.transitions += 1;
                    next.clear();
                    next.extend_from_slice(state);
                    next.remove(self.tasks + top);
                    self.set_round(next, top);
                    self.stacks_ran(next, way);
                    sink.next(step, next, None);
                }
                End::Fails(site) => {
                    summary.transitions += 1;
                    sink.fails(step, site);
                }
                End::Refused(refusal) => sink.refused(step, refusal),
                // A blocked task that is dispatched drops the execution.
                End::Dropped | End::Pruned | End::Blocked => {}
            }
            step.way += 1;
        });
        // Whether all are blocked matters only if this one is.
        let mut others = tasks.iter().filter(|_| !summary.enabled);
        let enabled = others.any(|&local| {
            let mut enabled = false;
            memo.ways(local, world, |way| enabled |= way.end != End::Blocked);
            enabled
        });
        summary.enabled |= enabled;
        if summary.enabled && self.has_delays(state) {
            self.stacks_delay(state, top, scratch, sink);
        } else if summary.enabled && tasks.len() > 1 {
            // A task that is alone comes back at once.
            sink.leaves_out(LeftOut::DELAYS);
        }
        summary
    }

    /// How many leaves the round stack has.
    fn round(&self, row: &[u32]) -> usize {
        self.header.own.map_or(0, |leaf| row[leaf] as usize)
    }

    pub(super) fn set_round(&self, row: &mut [u32], size: usize) {
        if let Some(leaf) = self.header.own {
            row[leaf] = u32::try_from(size).unwrap_or(u32::MAX);
        }
    }

    /// A task that was taken has run: what it posted, and the rest of it, come on the round stack.
    pub(super) fn stacks_ran(&self, row: &mut Vec<u32>, way: Way<'_>) {
        apply(row, way.writes);
        let mut handler = way.posts.to_vec();
        if let End::Rests(local) = way.end {
            handler.push(local);
        }
        // 1. empty q_h into q_r: the first is on top; for rdfs the last.
        if self.scheduler == Scheduler::DepthFirst {
            handler.reverse();
        }
        let round = self.round(row);
        let at = self.tasks + round;
        let given = handler.len();
        row.splice(at..at, handler);
        self.settle(row, round + given);
    }

    /// 2. if q_r is empty then empty q_d into q_r
    fn settle(&self, row: &mut [u32], round: usize) {
        let size = if round == 0 {
            row[self.tasks..].reverse();
            row.len() - self.tasks
        } else {
            round
        };
        self.set_round(row, size);
    }

    /// `delay`: push on the delay stack.
    fn stacks_delay(&self, state: &[u32], top: usize, scratch: &mut Scratch, sink: &mut impl Sink) {
        let next = &mut scratch.next;
        next.clear();
        next.extend_from_slice(state);
        self.stacks_delayed(next, top);
        let step = Step {
            place: u32::try_from(top).unwrap_or(u32::MAX),
            delay: true,
            way: 0,
        };
        sink.next(step, next, None);
    }

    pub(super) fn stacks_delayed(&self, row: &mut Vec<u32>, top: usize) {
        if let Some(leaf) = self.header.delays {
            row[leaf] -= 1;
        }
        let task = row.remove(self.tasks + top);
        row.push(task);
        self.settle(row, top);
    }
}
