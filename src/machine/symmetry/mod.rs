//! Tasks that differ only in a number that they were given: philosopher 3 does with forks 3 and 4 what philosopher 0
//! does with forks 0 and 1. States that differ only in such numbers are one state.
//!
//! ```text
//! program -> guess (which variables hold such numbers) -> roles (what an exchange changes)
//!         -> check (segments do the same with other numbers) ; least (one state for all that differ in numbers)
//! ```
//!
//! Numbers are exchanged in any way, or all moved on by equally many places (ring). A state is only renamed if all its tasks are
//! *inside*: none of them is at a place from which a task treats some numbers differently. `main` names the tasks one by one,
//! and is outside until it has.
//!
//! Why that is exact. A state is inside if all its tasks are. All segments of such tasks were compared, for every renaming.
//! From each inside state that was visited they lead to inside states again. So a renaming maps executions from inside states
//! to executions that pass the same places of the text. So one state stands for all that differ from it in numbers: they come
//! to the same errors, deadlocks and landmarks. The globals at the end differ in numbers. If they are wanted, each state in
//! which executions come inside has to be one that no renaming changes. Then all renamings of a final state are final states.

mod check;
mod guess;
mod least;
mod roles;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use ir::Program;

use crate::{Shared, Start};
use check::Check;
use roles::{Renaming, Roles};

pub use least::Namer;

/// The most segments that are compared in the first states: more of them cost more time than they save.
const MOST: usize = 1000;
/// At most so many segments are run for these comparisons. A segment that needs more runs is never compared, then or later.
const RUNS: u32 = 1 << 14;

/// How numbers are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exchange {
    Any,
    /// All are moved on by the same number of places.
    Ring,
}

/// Wide slots, and the values of these with which a segment was compared.
type Values = (Box<[u32]>, FxHashSet<Box<[u32]>>);

/// Numbers that may be exchanged.
#[derive(Debug)]
pub struct Symmetry {
    roles: Roles,
    exchange: Exchange,
    /// Renamings from which all others can be composed.
    generators: Vec<Renaming>,
    /// Whether final states are wanted.
    closed: bool,
    /// The places in the code at which tasks are not inside.
    outside: Box<[AtomicBool]>,
    /// The global slots that some segment has touched.
    touched: Box<[AtomicBool]>,
    /// Whether a comparison failed: something was different with other numbers.
    broken: AtomicBool,
    /// Whether the search still tries out if the exchange saves time. Few segments are run for that.
    on_trial: bool,
    compared: Mutex<Compared>,
}

/// Which numbers are exchanged, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchanged {
    ring: bool,
    numbers: (i64, usize),
    moving: Vec<u32>,
    outside: Vec<bool>,
}

impl Symmetry {
    /// Guesses the numbers that might be exchanged, the most promising first. If tasks are numbered, `pending` tells which
    /// number goes with which task.
    pub fn guesses(program: &Program, shared: &Shared, pending: &[u32], finals: bool) -> Vec<Self> {
        let mut all = Vec::new();
        for exchange in [Exchange::Any, Exchange::Ring] {
            for roles in guess::guess(program, shared, pending) {
                // Two numbers in a ring can be exchanged in any way.
                if exchange == Exchange::Any || roles.count > 2 {
                    all.push(Self::new(roles, exchange, shared, finals));
                }
            }
        }
        all
    }

    fn new(roles: Roles, exchange: Exchange, shared: &Shared, finals: bool) -> Self {
        let count = roles.count;
        let generators = match exchange {
            Exchange::Any => (1..count).map(Renaming::swap).collect(),
            Exchange::Ring => vec![Renaming::turn(count, 1)],
        };
        Self {
            exchange,
            generators,
            closed: finals,
            outside: shared.code.instrs.iter().map(|_| false.into()).collect(),
            touched: roles.slots.iter().map(|_| false.into()).collect(),
            broken: false.into(),
            on_trial: true,
            compared: Mutex::default(),
            roles,
        }
    }

    /// Checks whether a comparison has failed.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Notes that a comparison has failed.
    pub fn fail(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Whether tasks that go on there are not inside.
    fn is_outside(&self, pc: u32) -> bool {
        self.outside[pc as usize].load(Ordering::Relaxed)
    }

    /// Notes that a task does something else with other numbers, or leads outside. Tasks at its place are no longer inside.
    pub fn blame(&self, shared: &Shared, local: u32) {
        let pc = shared.resumes_at(local);
        self.outside[pc as usize].store(true, Ordering::Relaxed);
        self.fail();
    }

    /// Called for a state that is inside, if the state before it was not. If final states are wanted, fails unless no
    /// renaming changes the state.
    pub fn comes_inside(&self, is_fixed: impl FnOnce() -> bool) {
        if self.closed && !is_fixed() {
            self.fail();
        }
    }

    /// Forgets the failure, but keeps what is outside.
    pub fn begin_again(&self) {
        self.broken.store(false, Ordering::Relaxed);
    }

    /// Stops exchanging the numbers in slots that no segment has touched, unless numbers are indices of the slot's array.
    /// If a segment touches such a slot later, a comparison fails.
    pub fn leave_alone_what_nobody_touches(&mut self) {
        for (role, touched) in self.roles.slots.iter_mut().zip(&self.touched) {
            if !touched.load(Ordering::Relaxed) && role.digits.is_empty() {
                role.holds = None;
            }
        }
        self.roles.note_moving();
        // All comparisons so far have exchanged the numbers there.
        self.compared = Mutex::default();
    }

    /// Returns which numbers are exchanged, and what was found out about them.
    pub fn known(&self) -> Exchanged {
        let outside = self.outside.iter().map(|flag| flag.load(Ordering::Relaxed));
        Exchanged {
            ring: self.exchange == Exchange::Ring,
            numbers: (self.roles.lo, self.roles.count),
            moving: self.roles.moving.clone(),
            outside: outside.collect(),
        }
    }

    /// Checks whether the comparisons cost more time than the exchange saves.
    pub fn is_expensive(&self) -> bool {
        self.compared().is_expensive()
    }

    /// From now on all segments are compared, however many there are.
    pub fn accept(&mut self) {
        self.on_trial = false;
    }

    /// Compares what a task does with what it does with other numbers.
    pub fn compare_task(&self, shared: &Shared, local: u32, globals: &[u32]) {
        if !Check::new(self, shared).holds(Start::Task(local), globals) {
            self.blame(shared, local);
        }
    }

    /// Compares what `finally` does with what it does with other numbers.
    pub fn compare_finally(&self, shared: &Shared, proc: u32, globals: &[u32]) {
        if !Check::new(self, shared).holds(Start::Finally(proc), globals) {
            self.fail();
        }
    }

    /// Adds to final globals all that differ from them in numbers only.
    pub fn close(&self, shared: &Shared, finals: &mut FxHashSet<Box<[u32]>>) {
        let mut todo: Vec<Box<[u32]>> = finals.iter().cloned().collect();
        while let Some(globals) = todo.pop() {
            for &renaming in &self.generators {
                let mut other = globals.clone();
                self.roles.globals(shared, &globals, renaming, &mut other);
                if finals.insert(other.clone()) {
                    todo.push(other);
                }
            }
        }
    }

    /// Notes that a segment touches these slots.
    fn touch(&self, touched: &[u32]) {
        for slot in touched.iter().map(|touched| touched >> 1) {
            if let Some(flag) = self.touched.get(slot as usize) {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Locks the compared segments. A worker that compares one keeps the others waiting, so each is compared once.
    fn compared(&self) -> MutexGuard<'_, Compared> {
        self.compared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The segments that were compared.
#[derive(Debug, Default)]
struct Compared {
    /// By segment: the values of wide slots with which it was compared.
    with: FxHashMap<Option<u32>, Vec<Values>>,
    /// How many segments were compared.
    count: usize,
    /// How many segments have been run for that.
    runs: usize,
}

impl Compared {
    fn is_expensive(&self) -> bool {
        self.count > MOST || self.runs > RUNS as usize
    }

    /// Whether a segment was compared with these values of wide slots.
    fn has(&self, shared: &Shared, start: Start, globals: &[u32]) -> bool {
        let all = self.with.get(&key(start)).map_or(&[][..], |all| all);
        all.iter()
            .any(|(slots, values)| values.contains(&codes(shared, slots, globals)))
    }

    /// A segment was compared, and has looked at these wide slots.
    fn note(&mut self, shared: &Shared, start: Start, wide: &BTreeSet<u32>, globals: &[u32]) {
        let wide: Box<[u32]> = wide.iter().copied().collect();
        let codes = codes(shared, &wide, globals);
        let all = self.with.entry(key(start)).or_default();
        match all.iter_mut().find(|(slots, _)| *slots == wide) {
            Some((_, values)) => {
                values.insert(codes);
            }
            None => all.push((wide, FxHashSet::from_iter([codes]))),
        }
        self.count += 1;
    }
}

fn codes(shared: &Shared, slots: &[u32], globals: &[u32]) -> Box<[u32]> {
    let code = |&slot: &u32| {
        let place = shared.packing.slots[slot as usize];
        place.code(globals[place.leaf as usize])
    };
    slots.iter().map(code).collect()
}

/// The local state; nothing for `finally`.
fn key(start: Start) -> Option<u32> {
    match start {
        Start::Task(local) => Some(local),
        Start::Main | Start::Finally(_) => None,
    }
}
