//! Round-robin (Scheduler 3): a list and a position; blocked tasks are passed over.
//!
//! The row holds the list; the scheduler's own number is the position.

use super::{End, Scratch, Sink, Space, Summary, apply, run_one};
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
            let ran = |row: &mut Vec<u32>, way: Way<'_>| self.robin_ran(row, Some(place), way);
            let (memo, next, out) = (&mut *memo, &mut scratch.next, (&mut *sink, &mut summary));
            run_one(state, (place, tasks[place]), (world, memo), next, out, ran);
            if summary.enabled {
                let others = (passed + 1..tasks.len()).map(|p| tasks[(own + p) % tasks.len()]);
                let delayed = |row: &mut Vec<u32>| self.robin_delayed(row, place);
                let next = &mut scratch.next;
                self.delay((state, place), others, (world, memo), next, sink, delayed);
                break;
            }
        }
        summary
    }

    /// Updates the row after the task at a place (or the first task, which has none) has run. The rest of the task is
    /// inserted where it was; what it posted is appended.
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
