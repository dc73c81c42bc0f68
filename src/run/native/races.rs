//! Accesses of one execution that nothing orders.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::log::Ending;
use super::model::{Next, Silent};

/// Two accesses to one place by two threads, at least one a write, with nothing between them that orders them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Race {
    pub place: u64,
    /// The steps after which they happen, and where in the program.
    pub first: (usize, Silent),
    pub second: (usize, Silent),
}

#[derive(Default)]
struct Clocks {
    writes: Vec<u32>,
    all: Vec<u32>,
}

#[derive(Default)]
struct Place {
    write: Option<(usize, Silent)>,
    reads: Vec<(usize, Silent)>,
}

impl Place {
    /// An access of a step.
    fn add(&mut self, step: usize, access: Silent) {
        if access.write {
            self.write = Some((step, access));
            self.reads.clear();
            return;
        }
        // Of one step the same is before all of its reads, unless the step itself is one.
        let same =
            |(other, read): &(usize, Silent)| (*other, read.pc == 0) == (step, access.pc == 0);
        if !self.reads.last().is_some_and(same) {
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

/// The races of an execution, of each place the first. Atomic operations are ordered among themselves, and race with others.
pub(super) fn races(steps: &[(u8, Rc<Next>)]) -> Vec<Race> {
    let mut threads = vec![Vec::<u32>::new(); 64];
    let mut cells: FxHashMap<u64, Clocks> = FxHashMap::default();
    let mut places: FxHashMap<u64, Place> = FxHashMap::default();
    let mut found: Vec<Race> = Vec::new();
    for (index, (slot, next)) in steps.iter().enumerate() {
        let thread = usize::from(*slot) & 63;
        let mut clock = std::mem::take(&mut threads[thread]);
        for (cell, masks) in &next.touched {
            let of = cells.entry(*cell).or_default();
            let before = if masks.is_some() { &of.all } else { &of.writes };
            join(&mut clock, before);
        }
        clock.resize(clock.len().max(64), 0);
        clock[thread] = index as u32 + 1;
        for (cell, masks) in &next.touched {
            let of = cells.entry(*cell).or_default();
            if masks.is_some() {
                of.writes.clone_from(&clock);
            }
            join(&mut of.all, &clock);
        }
        let atomic = next.touched.iter().filter(|(cell, _)| cell >> 56 == 1);
        let atomic = atomic.map(|&(cell, masks)| Silent {
            cell,
            write: masks.is_some(),
            pc: 0,
        });
        for access in atomic.chain(next.silent.iter().copied()) {
            let place = places.entry(access.cell).or_default();
            // What a step's thread does behind its operation is not before those that the operation lets go on.
            let before = |&(step, access): &(usize, Silent)| {
                let (other, behind) = (steps[step].0, u32::from(access.pc != 0));
                other == *slot || clock[usize::from(other) & 63] > step as u32 + behind
            };
            let rival = place.write.filter(|w| !before(w)).or_else(|| {
                let reads = place.reads.iter().copied();
                reads.filter(|_| access.write).find(|r| !before(r))
            });
            if let Some(first) = rival
                && !found.iter().any(|race| race.place == access.cell)
            {
                found.push(Race {
                    place: access.cell,
                    first,
                    second: (index, access),
                });
            }
            place.add(index, access);
        }
        for &child in &next.spawned {
            threads[usize::from(child) & 63].clone_from(&clock);
        }
        threads[thread] = clock;
    }
    found
}

/// Whether a run broke off inside: then what others would have done is not seen.
pub(super) fn fails(ending: &Ending) -> bool {
    !matches!(
        ending,
        Ending::Exited(_) | Ending::Deadlock | Ending::Livelock | Ending::TooLong
    )
}
