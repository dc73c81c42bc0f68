//! Proves that a program has no bug within a number of delays, with nothing unrolled.
//!
//! Sequentialization is exact for K delays, so what is proved of all executions of the sequential program holds for the
//! executions with at most K delays, however long loops run and however deep procedures call or post themselves.

use base::work;
use ir::Program;
use seq::map::MarkKind;
use seq::{Budget, can_wait, sequentialize};
use solver::z3_version;

use super::attempt::{Settled, Settlement, settle};
use super::sequential::clauses;
use super::system::System;
use super::z3run::Effort;
use answer::{Holds, Within};

/// More rounds than these make states of too many parts.
const MOST_ROUNDS: u32 = 8;

/// Whether no check fails and nothing deadlocks, in any execution with at most so many delays. `None` if that is not known.
#[must_use]
pub fn within(program: &Program, asked: Within) -> Option<Holds> {
    z3_version::present().ok()?;
    let most = Budget::new(asked.delays, asked.rounds)
        .rounds
        .min(MOST_ROUNDS);
    let least = asked.delays.saturating_add(1);
    let more = (0..u32::BITS).map(|i| asked.delays.saturating_add(1 << i));
    let all = more
        .take_while(|&rounds| rounds < most)
        .chain([most.max(least)]);
    let waits = can_wait(program);
    for rounds in if waits { all.collect() } else { vec![least] } {
        let mut system = system(program, asked, rounds)?;
        let effort = Effort {
            end: asked.end,
            memory: asked.memory,
            steps: asked.steps,
        };
        match settle(&mut system, effort) {
            Settled {
                said: Settlement::Invariant(_),
                ..
            } => {
                let clauses = system.clauses.len();
                return Some(Holds { rounds, clauses });
            }
            // Perhaps more rounds help.
            Settled {
                said: Settlement::NoInvariant,
                ..
            } if !work::stopping() => {}
            _ => return None,
        }
    }
    None
}

/// The clauses; none if something is not handled.
fn system(program: &Program, asked: Within, rounds: u32) -> Option<System> {
    let budget = Budget::new(asked.delays, Some(rounds));
    let sequential = sequentialize(program, budget, asked.scheduler);
    let marks = sequential.map.marks.iter().zip(0..);
    let mut cut = marks.filter(|(kind, _)| matches!(kind, MarkKind::Cut));
    let cut = cut.next().map(|(_, id)| id);
    clauses(&sequential.program, cut, asked.end).ok()
}
