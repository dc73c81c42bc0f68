//! Whether segments do the same with other numbers.
//!
//! A state with other numbers has the same future if each segment commutes with the exchange: the renamed task, run from the
//! renamed globals, does what the task does, renamed. That is not read off the text but tried. A segment depends on the slots
//! that it looks at. Every value of each such slot is tried, whether or not some execution stores it there. So the result
//! holds in all states. Slots of many values cannot be tried like that: they keep the values that they have, and the result
//! holds only where they have these values again.
//!
//! Few renamings are tried: those from which all others can be composed, on each segment that they lead to.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::MutexGuard;

use super::super::pack::SlotCode;
use super::roles::Renaming;
use super::{Compared, RUNS, Symmetry};
use crate::watch::Act;
use crate::{End, Machine, Shared, Start, Way, Why, World};

/// A segment of more ways than this is not compared.
const WAYS: usize = 256;
/// Each time after so many runs, the check estimates how many runs it will need.
const SOME_RUNS: u32 = RUNS / 32;

/// How many codes a slot has, if all of them are tried.
fn tried_codes(place: &SlotCode, undefined: bool) -> Option<u32> {
    let few = place.codes(false).is_some_and(|codes| codes < RUNS);
    place.codes(undefined).filter(|_| few)
}

/// A way of a segment: how it ends, what it writes to which slots, what it posts, and its accesses that may race. A write need
/// not change anything: the slot may hold that value already.
type Result = (End, Vec<(u32, u32)>, Vec<u32>, Vec<Act>);

/// What a segment does.
struct Outcome {
    results: BTreeSet<Result>,
    /// The landmarks that it passes.
    passed: BTreeSet<u32>,
    /// The slots that it looks at.
    looked: BTreeSet<u32>,
    /// Whether the segment asks if a task has finished.
    asks: bool,
}

/// Runs segments to compare them.
pub(super) struct Check<'c, 's> {
    symmetry: &'c Symmetry,
    shared: &'s Shared,
    machine: Machine<'s>,
    compared: MutexGuard<'c, Compared>,
    /// The slots of many values that were looked at.
    wide: BTreeSet<u32>,
}

impl<'c, 's> Check<'c, 's> {
    pub fn new(symmetry: &'c Symmetry, shared: &'s Shared) -> Self {
        Self {
            symmetry,
            shared,
            machine: Machine::new(shared),
            compared: symmetry.compared(),
            wide: BTreeSet::new(),
        }
    }

    /// Checks whether a segment and all its renamings do the same with other numbers.
    pub fn holds(&mut self, start: Start, globals: &[u32]) -> bool {
        let mut todo = vec![(start, globals.to_vec())];
        while let Some((start, globals)) = todo.pop() {
            if self.symmetry.on_trial && self.compared.is_expensive() {
                return false;
            }
            if self.compared.has(self.shared, start, &globals) {
                continue;
            }
            self.wide.clear();
            for &renaming in &self.symmetry.generators {
                let Some(other) = self.renamed(start, renaming) else {
                    return false;
                };
                if !self.agree((start, other), renaming, &globals) {
                    return false;
                }
                todo.push((other, self.globals(&globals, renaming)));
            }
            (self.compared).note(self.shared, start, &self.wide, &globals);
        }
        true
    }

    /// Returns the globals with the first value in each slot whose values are all tried. So the result does not depend on
    /// the state in which a segment is compared first.
    fn without_small(&self, globals: &[u32]) -> Vec<u32> {
        let mut first = globals.to_vec();
        let small = |place: &&SlotCode| tried_codes(place, false).is_some();
        for place in self.shared.packing.slots.iter().filter(small) {
            first[place.leaf as usize] &= !place.mask();
        }
        first
    }

    fn renamed(&self, start: Start, renaming: Renaming) -> Option<Start> {
        match start {
            Start::Task(local) => {
                let roles = &self.symmetry.roles;
                roles.local(self.shared, local, renaming).map(Start::Task)
            }
            Start::Main | Start::Finally(_) => Some(start),
        }
    }

    fn globals(&self, from: &[u32], renaming: Renaming) -> Vec<u32> {
        let mut to = from.to_vec();
        (self.symmetry.roles).globals(self.shared, from, renaming, &mut to);
        to
    }

    /// Checks whether a segment does what its renaming does with other numbers, whatever the slots hold that they look at.
    fn agree(&mut self, (one, other): (Start, Start), renaming: Renaming, globals: &[u32]) -> bool {
        let undone = renaming.undone();
        let mut todo = vec![(self.without_small(globals), BTreeSet::new(), 1.0)];
        // Each run has a share in all values of the slots that are looked at.
        let (mut runs, mut done) = (0_u32, 0.0);
        while let Some((globals, mut tried, mut share)) = todo.pop() {
            if runs.is_multiple_of(SOME_RUNS) && done * f64::from(RUNS) < f64::from(runs) {
                // Only after all runs would it turn out that they do not suffice.
                self.compared.runs += RUNS as usize;
                return false;
            }
            let renamed = self.globals(&globals, renaming);
            runs += 1;
            self.compared.runs += 1;
            let found = self.agree_in((one, other), (&globals, &renamed), renaming);
            let Some((ours, theirs)) = found else {
                return false;
            };
            let back = theirs
                .iter()
                .map(|&slot| self.symmetry.roles.slot(slot, undone));
            let looked: BTreeSet<u32> = ours.iter().copied().chain(back).collect();
            for slot in looked {
                let code = self.shared.packing.slots[slot as usize];
                let info = self.shared.code.slots.get(slot as usize);
                let undefined = info.is_none_or(|info| info.undefined);
                let Some(codes) = tried_codes(&code, undefined) else {
                    if !ours.contains(&slot) {
                        return false;
                    }
                    self.wide.insert(slot);
                    continue;
                };
                if !tried.insert(slot) {
                    continue;
                }
                let leaf = code.leaf as usize;
                let here = code.code(globals[leaf]);
                share /= f64::from(codes);
                for value in (0..codes).filter(|&value| value != here) {
                    let mut changed = globals.clone();
                    changed[leaf] = changed[leaf] & !code.mask() | value << code.shift;
                    todo.push((changed, tried.clone(), share));
                }
            }
            done += share;
        }
        true
    }

    /// Checks the same from given globals, both if the task that the segments ask for has finished and if it has not.
    /// Returns the slots that each of the two looks at, or `None` if they differ.
    fn agree_in(
        &mut self,
        (one, other): (Start, Start),
        (globals, renamed): (&[u32], &[u32]),
        renaming: Renaming,
    ) -> Option<(BTreeSet<u32>, BTreeSet<u32>)> {
        let (mut ours, mut theirs) = (BTreeSet::new(), BTreeSet::new());
        for pending in [false, true] {
            let a = self.run(one, globals, pending)?;
            let b = self.run(other, renamed, pending)?;
            let same = self.with_other_numbers(&a, renaming)? == b.results;
            if !same || a.passed != b.passed {
                return None;
            }
            ours.extend(a.looked);
            theirs.extend(b.looked);
            if !a.asks && !b.asks {
                break;
            }
        }
        Some((ours, theirs))
    }

    /// What a segment does from some globals; nothing if it runs for too long, or asks for several tasks.
    fn run(&mut self, start: Start, globals: &[u32], pending: bool) -> Option<Outcome> {
        let asked = Cell::new((0, 0));
        let world = World {
            leaves: globals,
            pending: &|task| {
                let (known, count) = asked.get();
                asked.set((task, count + u32::from(task != known)));
                pending
            },
        };
        let shared = self.shared;
        let (mut results, mut looked, mut over) = (BTreeSet::new(), BTreeSet::new(), false);
        let passed = self.machine.rehearse(start, world, &mut |way| {
            looked.extend(way.touched.iter().filter(|&t| t & 1 == 0).map(|t| t >> 1));
            self.symmetry.touch(way.touched);
            results.extend(result(shared, &way));
            over = runs_on(way.end) || results.len() > WAYS;
            match over {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let (_, asks) = asked.get();
        (!over && asks <= 1).then_some(Outcome {
            results,
            passed,
            looked,
            asks: asks > 0,
        })
    }

    fn with_other_numbers(&self, of: &Outcome, renaming: Renaming) -> Option<BTreeSet<Result>> {
        let local = |local: u32| self.symmetry.roles.local(self.shared, local, renaming);
        let renamed = |(end, writes, posts, acts): &Result| {
            let end = match *end {
                End::Rests(at) => End::Rests(local(at)?),
                end => end,
            };
            let mut posts: Vec<u32> = posts.iter().map(|&p| local(p)).collect::<Option<_>>()?;
            posts.sort_unstable();
            let roles = &self.symmetry.roles;
            let write = |&write| roles.slot_and_code(self.shared, write, renaming);
            let mut writes: Vec<(u32, u32)> = writes.iter().map(write).collect();
            writes.sort_unstable();
            let act = |act: &Act| Act {
                slot: roles.slot(act.slot, renaming),
                ..*act
            };
            // An access to an element of a tree cannot be renamed.
            let mut acts: Vec<Act> = (acts.iter())
                .map(|a| a.key.is_none().then(|| act(a)))
                .collect::<Option<_>>()?;
            acts.sort_unstable();
            Some((end, writes, posts, acts))
        };
        of.results.iter().map(renamed).collect()
    }
}

/// What a way does; nothing where another one leads to the same.
fn result(shared: &Shared, way: &Way<'_>) -> Option<Result> {
    match way.end {
        End::Pruned => None,
        End::Rests(_) | End::Finished => {
            let written = way.touched.iter().filter(|&t| t & 1 == 1).map(|t| t >> 1);
            let code = |slot: u32| {
                let place = shared.packing.slots[slot as usize];
                let write = way.writes.iter().find(|write| write.leaf == place.leaf);
                (slot, place.code(write.map_or(0, |write| write.bits)))
            };
            let mut posts = way.posts.to_vec();
            posts.sort_unstable();
            let acts = way.acts.to_vec();
            Some((way.end, written.map(code).collect(), posts, acts))
        }
        End::Blocked | End::Dropped => Some((way.end, Vec::new(), Vec::new(), Vec::new())),
        end => Some((end, Vec::new(), Vec::new(), way.acts.to_vec())),
    }
}

/// Checks whether a run was given up because it is too long.
fn runs_on(end: End) -> bool {
    matches!(end, End::Refused(refusal) if matches!(refusal.why, Why::Endless | Why::Halted | Why::Ways | Why::Deep))
}
