//! A model that is nothing but a table.

use fastrand::Rng;

use super::super::model::{Failure, Finish, Model, Step, To};
use super::super::report::Report;
use super::super::rules::Rules;
use super::super::tasks::Tasks;
use super::super::{stateful, stateless};
use crate::ir::ErrorKind;
use crate::options::ExploreOptions;
use crate::source::Span;

/// A step of a task: where it leads, and whether it sleeps.
pub type Move = (u32, bool);

/// For each state and task, what it can do; nothing if it is not enabled.
#[derive(Clone, Debug)]
pub struct Toy(pub Vec<Vec<Vec<Move>>>);

/// Which step: task, and which of its moves.
pub type Act = (u32, u32);

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

impl Model for Toy {
    type State = u32;
    type Act = Act;

    fn begin(&mut self) -> Vec<Step<u32, Act>> {
        let to = To::State {
            state: 0,
            slept: false,
            gone: false,
        };
        vec![Step {
            task: 0,
            act: (0, 0),
            to,
        }]
    }

    fn enabled(&mut self, state: &u32) -> Tasks {
        self.tasks_in(*state)
    }

    fn is_final(&mut self, state: &u32) -> bool {
        self.tasks_in(*state).is_empty()
    }

    fn deadlock(&mut self, _: &u32) -> Failure {
        (ErrorKind::Deadlock, Span::default())
    }

    fn steps(&mut self, state: &u32, of: &Tasks) -> Vec<Step<u32, Act>> {
        let row = &self.0[*state as usize];
        let steps = of.iter().flat_map(|task| {
            let moves = (0u32..).zip(&row[task as usize]);
            moves.map(move |(i, &(state, slept))| Step {
                task,
                act: (task, i),
                to: To::State {
                    state,
                    slept,
                    gone: false,
                },
            })
        });
        steps.collect()
    }

    fn finish(&mut self, _: &u32) -> Vec<Finish> {
        vec![Finish::Done]
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn size(&self, _: &u32) -> u64 {
        4
    }
}

/// What a search finds, and the states that it visits.
pub struct Seen {
    pub report: Report<Act>,
    pub states: Vec<u32>,
}

/// Searches; with all bounds out of the way, or with none.
pub fn stateful(toy: &Toy, rules: Rules) -> Seen {
    let options = ExploreOptions {
        all: true,
        ..ExploreOptions::default()
    };
    let mut report = Report::new(&options);
    let mut states = Vec::new();
    stateful::search(&mut toy.clone(), rules, &mut report, &mut |s| {
        states.push(*s);
    });
    states.sort_unstable();
    states.dedup();
    Seen { report, states }
}

/// Follows every execution of Algorithm 1, up to a length.
pub fn stateless(toy: &Toy, max_steps: u64) -> Seen {
    let options = ExploreOptions {
        all: true,
        max_steps,
        ..ExploreOptions::default()
    };
    let mut report = Report::new(&options);
    report.past_long = false;
    let mut states = Vec::new();
    let visit = &mut |s: &u32| {
        if states.last() != Some(s) {
            states.push(*s);
        }
    };
    stateless::search(&mut toy.clone(), ALGORITHM_1, &mut report, visit);
    states.sort_unstable();
    states.dedup();
    Seen { report, states }
}

/// The program's own graph.
pub const EVERY_SCHEDULE: Rules = Rules {
    fair: false,
    preemptions: None,
    switches: None,
};

/// What Algorithm 1 generates.
pub const ALGORITHM_1: Rules = Rules {
    fair: true,
    preemptions: None,
    switches: None,
};
