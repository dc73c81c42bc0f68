//! Accesses of one execution that nothing orders.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::log::Ending;
use super::model::{Next, Silent};

/// Two accesses to one place by two threads, at least one a write, with nothing between them that orders them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Race {
    pub place: u64,
    /// For each access, the index of the step with or after which it happens.
    pub first: (usize, Silent),
    pub second: (usize, Silent),
}

/// The pasts of the last event that wrote a cell, and of the last one that freed or allocated it, with these events.
#[derive(Default)]
struct Clocks {
    write: Vec<u32>,
    freed: Vec<u32>,
}

#[derive(Default)]
struct Place {
    writes: Vec<(usize, Silent)>,
    reads: Vec<(usize, Silent)>,
}

impl Place {
    /// Returns an access that races with this one and is not before it. Two steps do not race: schedules decide which is first.
    fn rival(
        &self,
        access: Silent,
        before: impl Fn(&(usize, Silent)) -> bool,
    ) -> Option<(usize, Silent)> {
        let reads = self.reads.iter().filter(|_| access.write);
        let mut others = self.writes.iter().chain(reads);
        let races =
            |other: &&(usize, Silent)| (other.1.pc != 0 || access.pc != 0) && !before(other);
        others.find(races).copied()
    }

    /// Notes an access of a step, and forgets the accesses before it: whatever races with those races with this access, too.
    /// Two steps do not race. So a step does not replace an access that is no step.
    fn add(&mut self, step: usize, access: Silent, before: impl Fn(&(usize, Silent)) -> bool) {
        // The reads of one step have the same past, except the read that is the step itself.
        let same =
            |(other, read): &(usize, Silent)| (*other, read.pc == 0) == (step, access.pc == 0);
        if !access.write && self.reads.last().is_some_and(same) {
            return;
        }
        let kept = |other: &(usize, Silent)| {
            let stands_for = access.pc != 0 || other.1.pc == 0;
            !(stands_for && before(other))
        };
        self.reads.retain(kept);
        if access.write {
            self.writes.retain(kept);
            self.writes.push((step, access));
        } else {
            self.reads.push((step, access));
        }
    }
}

fn join(into: &mut Vec<u32>, from: &[u32]) {
    into.resize(into.len().max(from.len()), 0);
    for (a, &b) in into.iter_mut().zip(from) {
        *a = (*a).max(b);
    }
}

/// Returns the races of an execution, the first one for each place. The past of an event (`model`) says what is before it. So two
/// accesses race if no past orders them, even if a write that looks at nothing comes between them in this execution. Another
/// execution has them side by side: the one that has only the events of their two pasts, in the same order.
pub(super) fn races(steps: &[(u8, Rc<Next>)]) -> Vec<Race> {
    let mut races = unordered(steps);
    races.retain(|race| race.place != INPUT);
    races
}

/// The cell of the place in standard input, as in the runtime.
const INPUT: u64 = 9 << 56;

/// Checks whether threads read standard input and nothing orders them.
pub(super) fn share_input(steps: &[(u8, Rc<Next>)]) -> bool {
    let mut silent = steps.iter().flat_map(|(_, next)| &next.silent);
    silent.any(|access| access.cell == INPUT)
        && unordered(steps).iter().any(|race| race.place == INPUT)
}

fn unordered(steps: &[(u8, Rc<Next>)]) -> Vec<Race> {
    let slots = steps
        .iter()
        .map(|s| s.1.spawned.iter().fold(s.0, |a, b| a.max(*b)));
    let count = slots.max().map_or(0, |slot| usize::from(slot) + 1);
    let mut threads = vec![Vec::<u32>::new(); count];
    let mut cells: FxHashMap<u64, Clocks> = FxHashMap::default();
    let mut places: FxHashMap<u64, Place> = FxHashMap::default();
    let mut found: Vec<Race> = Vec::new();
    for (index, (slot, next)) in steps.iter().enumerate() {
        let thread = usize::from(*slot);
        let mut clock = std::mem::take(&mut threads[thread]);
        for (cell, _) in &next.touched {
            let of = cells.entry(*cell).or_default();
            let seen = if next.kind.looks() {
                &of.write
            } else {
                &of.freed
            };
            join(&mut clock, seen);
        }
        clock.resize(count, 0);
        clock[thread] = index as u32 + 1;
        for (cell, _) in next.touched.iter().filter(|(_, masks)| masks.is_some()) {
            let of = cells.entry(*cell).or_default();
            of.write.clone_from(&clock);
            if next.kind.frees() {
                of.freed.clone_from(&clock);
            }
        }
        let atomic = next.touched.iter().filter(|(cell, _)| cell >> 56 == 1);
        let atomic = atomic.map(|&(cell, ref masks)| Silent {
            cell,
            write: masks.is_some(),
            pc: 0,
        });
        for access in atomic.chain(next.silent.iter().copied()) {
            let place = places.entry(access.cell).or_default();
            // An access that follows a step's operation is not before the threads that the operation lets go on.
            let before = |&(step, access): &(usize, Silent)| {
                let (other, behind) = (steps[step].0, u32::from(access.pc != 0));
                other == *slot || clock[usize::from(other)] > step as u32 + behind
            };
            if let Some(first) = place.rival(access, before)
                && !found.iter().any(|race| race.place == access.cell)
            {
                found.push(Race {
                    place: access.cell,
                    first,
                    second: (index, access),
                });
            }
            place.add(index, access, before);
        }
        for &child in &next.spawned {
            threads[usize::from(child)].clone_from(&clock);
        }
        threads[thread] = clock;
    }
    found
}

/// Checks whether an execution broke off, so that it does not show what other threads would have done.
pub(super) fn fails(ending: &Ending) -> bool {
    !matches!(
        ending,
        Ending::Exited(_) | Ending::Deadlock | Ending::Livelock | Ending::TooLong
    )
}
