//! A model that is nothing but a table.

use fastrand::Rng;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::super::rules::Rules;
use super::super::search;
use super::super::system::{Fair, Memories, Open};
use super::super::tasks::Tasks;
use crate::strategy::{Expansion, Failure, System};
use crate::tests::reference;
use base::source::Span;
use ir::ErrorKind;
use machine::budget::Budget;
use machine::found::Found;
use machine::limits::Halt;
use machine::space::Step;
use options::{ExploreOptions, Limits, Sought, Strategy};

/// A step of a task: where it leads, and whether it sleeps.
pub type Move = (u32, bool);

/// By state and task: what the task can do; nothing if it is not enabled.
#[derive(Clone, Debug)]
pub struct Toy(pub Vec<Vec<Vec<Move>>>);

impl Toy {
    /// A random one. State 0 is the first.
    pub fn random(rng: &mut Rng, states: u32, tasks: u32) -> Self {
        let density = rng.f64();
        let sleepy = rng.f64();
        let moves = |rng: &mut Rng| {
            let count = match rng.f64() {
                x if x > density => 0,
                x if x > density * 0.2 => 1,
                _ => 2,
            };
            (0..count)
                .map(|_| (rng.u32(0..states), rng.f64() < sleepy))
                .collect()
        };
        let row = |rng: &mut Rng| (0..tasks).map(|_| moves(rng)).collect();
        Self((0..states).map(|_| row(rng)).collect())
    }

    /// Where a step leads, and whether it sleeps.
    pub fn goes(&self, state: u32, step: &Step) -> Move {
        self.0[state as usize][step.place as usize][step.way as usize]
    }

    pub fn tasks_in(&self, state: u32) -> Tasks {
        let row = (0u32..).zip(&self.0[state as usize]);
        row.filter(|(_, moves)| !moves.is_empty())
            .map(|(t, _)| t)
            .collect()
    }

    /// All steps: from, task, to, slept.
    pub fn edges(&self) -> Vec<(u32, u32, u32, bool)> {
        let mut all = Vec::new();
        for (from, row) in (0u32..).zip(&self.0) {
            for (task, moves) in (0u32..).zip(row) {
                all.extend(moves.iter().map(|&(to, slept)| (from, task, to, slept)));
            }
        }
        all
    }

    /// The states that can be reached, over steps that count.
    pub fn reachable(&self, counts: impl Fn(bool) -> bool) -> Vec<u32> {
        let mut seen = vec![0];
        let mut next = 0;
        while let Some(&state) = seen.get(next) {
            next += 1;
            for (_, _, to, slept) in self.edges().into_iter().filter(|e| e.0 == state) {
                if counts(slept) && !seen.contains(&to) {
                    seen.push(to);
                }
            }
        }
        seen
    }
}

/// A table as a system that notes which of its states are visited.
struct Watched<'t> {
    toy: &'t Toy,
    visited: &'t Mutex<BTreeSet<u32>>,
    halt: Halt,
}

impl System for Watched<'_> {
    fn begin(&mut self, out: &mut Expansion) {
        out.clear();
        let step = Step {
            place: 0,
            delay: false,
            way: 0,
        };
        out.moves.push(step, false, false, [0]);
    }

    fn expand(&mut self, row: &[u32], out: &mut Expansion) {
        out.clear();
        let mut visited = self.visited.lock().unwrap_or_else(PoisonError::into_inner);
        visited.insert(row[0]);
        for (place, moves) in (0u32..).zip(&self.toy.0[row[0] as usize]) {
            for (way, &(to, slept)) in (0u32..).zip(moves) {
                let step = Step {
                    place,
                    delay: false,
                    way,
                };
                out.moves.push(step, slept, false, [to]);
            }
        }
        out.told.ended += u64::from(out.moves.is_empty());
    }

    fn is_final(&self, row: &[u32]) -> bool {
        self.toy.tasks_in(row[0]).is_empty()
    }

    fn error(&self, _: Failure) -> (ErrorKind, Span) {
        unreachable!("a table does not fail")
    }

    fn halt(&self) -> &Halt {
        &self.halt
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn widths(&self) -> Vec<Option<u32>> {
        vec![None]
    }
}

impl Open for Watched<'_> {
    fn enabled(&mut self, row: &[u32]) -> Tasks {
        self.toy.tasks_in(row[0])
    }
}

/// What a search finds, and the states that it visits.
pub struct Seen {
    pub found: Found,
    pub states: BTreeSet<u32>,
}

impl Toy {
    fn watched<'t>(&'t self, visited: &'t Mutex<BTreeSet<u32>>) -> Watched<'t> {
        Watched {
            toy: self,
            visited,
            halt: Halt::new(&Limits::default(), None),
        }
    }

    /// How many pairs of a state and a memory there are under Algorithm 1.
    pub fn nodes(&self) -> u64 {
        let (visited, memories) = (Mutex::default(), Memories::default());
        let mut system = Fair::new(self.watched(&visited), ALGORITHM_1, &memories);
        let found = reference::search(&mut system, &ExploreOptions::default());
        found.counts.states.unwrap_or(u64::MAX)
    }
}

fn seen(toy: &Toy, rules: Rules, options: &ExploreOptions) -> Seen {
    let (visited, memories) = (Mutex::default(), Memories::default());
    let found = search(|| toy.watched(&visited), (rules, &memories), options);
    let states = visited.into_inner().unwrap_or_default();
    Seen { found, states }
}

/// Searches the whole graph, with a store of states.
pub fn stateful(toy: &Toy, rules: Rules) -> Seen {
    let options = ExploreOptions {
        all: true,
        sought: Sought::Livelocks,
        ..ExploreOptions::default()
    };
    seen(toy, rules, &options)
}

/// Follows every execution of Algorithm 1, up to the first with more steps than `max_steps`.
pub fn stateless(toy: &Toy, max_steps: u64) -> Seen {
    let options = ExploreOptions {
        sought: Sought::Livelocks,
        strategy: Strategy::Stateless,
        max_steps,
        ..ExploreOptions::default()
    };
    seen(toy, ALGORITHM_1, &options)
}

/// The program's own graph.
pub const EVERY_SCHEDULE: Rules = Rules {
    fair: false,
    budget: Budget {
        preemptions: None,
        switches: None,
    },
};

/// What Algorithm 1 generates.
pub const ALGORITHM_1: Rules = Rules {
    fair: true,
    budget: Budget {
        preemptions: None,
        switches: None,
    },
};
