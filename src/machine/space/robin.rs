//! Round-robin (Scheduler 3): a list and a position; blocked tasks are passed over.
//!
//! The row holds the list; the scheduler's own number is the position.

use super::{End, LeftOut, Scratch, Sink, Space, Step, Summary, apply, enabled, goes_on};
use crate::{Memo, Way, World};

impl<'s> Space<'s> {
    pub(super) fn robin_steps(
        &self,
        state: &[u32],
        world: World<'_>,
        memo: &mut Memo<'s>,
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Summary {
        let tasks = &state[self.tasks..];
        let own = self.header.own.map_or(0, |leaf| state[leaf] as usize);
        let mut summary = Summary {
            pending: u32::try_from(tasks.len()).unwrap_or(u32::MAX),
            ..Summary::default()
        };
        // while m(i) is blocked in g, increment i modulo |m|
        for passed in 0..tasks.len() {
            let place = (own + passed) % tasks.len();
            let mut step = Step {
                place: u32::try_from(place).unwrap_or(u32::MAX),
                delay: false,
                way: 0,
            };
            let next = &mut scratch.next;
            memo.ways(tasks[place], world, |way| {
                summary.enabled |= way.end != End::Blocked;
                match way.end {
                    End::Rests(_) | End::Finished => {
                        summary.transitions += 1;
                        next.clear();
                        next.extend_from_slice(state);
                        self.robin_ran(next, Some(place), way);
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
            });
            if summary.enabled {
                let mut others = (passed + 1..tasks.len()).map(|p| tasks[(own + p) % tasks.len()]);
                if !self.has_delays(state) {
                    // Whom a delay would let run.
                    if others.any(|local| goes_on(local, world, memo)) {
                        sink.leaves_out(LeftOut::DELAYS);
                    }
                } else if others.any(|local| enabled(local, world, memo)) {
                    self.robin_delay(state, place, scratch, sink);
                }
                break;
            }
        }
        summary
    }

    /// The task at a place (or the first task, which has none) has run: the rest of it is inserted where it
    /// was, what it posted is appended.
    pub(super) fn robin_ran(&self, row: &mut Vec<u32>, place: Option<usize>, way: Way<'_>) {
        apply(row, way.writes);
        if let Some(place) = place {
            row.remove(self.tasks + place);
        }
        row.extend_from_slice(way.posts);
        let place = place.unwrap_or(0);
        if let End::Rests(local) = way.end {
            row.insert(self.tasks + place, local);
        }
        self.set_position(row, place);
    }

    /// `delay`: insert at the position, then increment it modulo the length.
    fn robin_delay(
        &self,
        state: &[u32],
        place: usize,
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) {
        let next = &mut scratch.next;
        next.clear();
        next.extend_from_slice(state);
        self.robin_delayed(next, place);
        let step = Step {
            place: u32::try_from(place).unwrap_or(u32::MAX),
            delay: true,
            way: 0,
        };
        sink.next(step, next, None);
    }

    pub(super) fn robin_delayed(&self, row: &mut [u32], place: usize) {
        if let Some(leaf) = self.header.delays {
            row[leaf] -= 1;
        }
        self.set_position(row, place + 1);
    }

    fn set_position(&self, row: &mut [u32], place: usize) {
        let tasks = row.len() - self.tasks;
        let place = if place >= tasks { 0 } else { place };
        if let Some(leaf) = self.header.own {
            row[leaf] = u32::try_from(place).unwrap_or(u32::MAX);
        }
    }
}
