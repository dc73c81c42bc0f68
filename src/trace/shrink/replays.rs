//! Endless executions and races: parts are left out, and the replay judges whether what is left shows the same.
//!
//! What makes a loop endless, or two accesses a race, is not known to [`Runner`](super::run::Runner); the replay knows it.

use crate::Bug;
use crate::{Decision, Schedule, replay};
use ir::Program;
use options::Scheduler;

/// How many executions are tried.
const TRIES: usize = 400;
/// How many decisions they may have together.
const DECISIONS: usize = 200_000;

/// Decisions that stand and fall together: a dispatch with the choices of its segment.
struct Unit {
    decisions: Vec<Decision>,
    /// What cannot be left out: the first segment's choices, and what says how to read the rest.
    fixed: bool,
}

fn units(decisions: &[Decision]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for decision in decisions {
        match (decision, units.last_mut()) {
            (Decision::Choose(_), Some(unit)) => unit.decisions.push(decision.clone()),
            _ => units.push(Unit {
                decisions: vec![decision.clone()],
                fixed: !matches!(decision, Decision::Dispatch(_) | Decision::Delay(_)),
            }),
        }
    }
    units
}

/// Switches of task, then decisions.
fn cost(decisions: &[Decision]) -> (usize, usize) {
    let tasks = decisions.iter().filter_map(|d| match d {
        Decision::Dispatch(task) => Some(*task),
        _ => None,
    });
    let from = std::iter::once(1).chain(tasks.clone());
    let switches = from.zip(tasks).filter(|(a, b)| a != b).count();
    (switches, decisions.len())
}

/// The same bug with fewer switches and decisions, as far as leaving out stretches goes.
pub(super) fn shorter(program: &Program, scheduler: Scheduler, bug: Bug) -> Bug {
    let mut best = bug;
    let (mut tries, mut spent) = (0, 0);
    loop {
        let before = cost(&best.trace.schedule.decisions);
        let mut size = (units(&best.trace.schedule.decisions).len() / 2).max(1);
        while size > 0 {
            let mut at = 0;
            while let Some(decisions) = without(&best.trace.schedule.decisions, at, size) {
                spent += decisions.len();
                tries += 1;
                if tries > TRIES || spent > DECISIONS {
                    return best;
                }
                match attempt(program, scheduler, decisions, &best) {
                    Some(better) => best = better,
                    None => at += size,
                }
            }
            size /= 2;
        }
        if cost(&best.trace.schedule.decisions) >= before {
            return best;
        }
    }
}

/// The decisions without a stretch of units; nothing if there is none from there on.
fn without(decisions: &[Decision], at: usize, size: usize) -> Option<Vec<Decision>> {
    let units = units(decisions);
    if at >= units.len() {
        return None;
    }
    let keep = |(i, unit): &(usize, Unit)| unit.fixed || *i < at || *i >= at + size;
    let kept = units.into_iter().enumerate().filter(keep);
    Some(kept.flat_map(|(_, unit)| unit.decisions).collect())
}

fn attempt(
    program: &Program,
    scheduler: Scheduler,
    decisions: Vec<Decision>,
    best: &Bug,
) -> Option<Bug> {
    if cost(&decisions) >= cost(&best.trace.schedule.decisions) {
        return None;
    }
    let (_, found) = replay(program, scheduler, &Schedule { decisions }).ok()?;
    found.filter(|found| (found.kind, found.span) == (best.kind, best.span))
}
