//! Shortens endless executions and races: leaves out parts, and asks the replay whether the rest shows the same.
//!
//! [`Runner`](super::run::Runner) does not know what makes a loop endless, or two accesses a race. The replay knows it.

use crate::{Bug, Decision, Happening, Schedule, replay, switches};
use base::source::Span;
use ir::Program;
use options::Scheduler;

/// How many executions are tried.
const TRIES: usize = 400;
/// How many decisions they may have together.
const DECISIONS: usize = 200_000;

/// Decisions that stand and fall together: a dispatch with the choices of its segment.
struct Unit {
    decisions: Vec<Decision>,
    /// Whether it has to stay: choices of the first segment, and decisions such as [`Decision::Forever`].
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

/// Counts switches of task, then decisions.
fn cost(decisions: &[Decision]) -> (usize, usize) {
    (switches(decisions), decisions.len())
}

/// Looks for the same bug with fewer switches and decisions, by leaving out stretches.
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

/// The decisions without `size` units from index `at` on; `None` if there is no unit there.
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
    found.filter(|found| {
        (found.kind, found.span) == (best.kind, best.span) && accesses(found) == accesses(best)
    })
}

/// The accesses of a race: where each stands, what it touches, whether it writes. Several races may be shown at one place.
fn accesses(bug: &Bug) -> Vec<(Option<Span>, &str, bool)> {
    let mut all = Vec::new();
    for step in &bug.trace.steps {
        if let Happening::Raced { what, write, .. } = &step.happening {
            all.push((step.span, what.as_str(), *write));
        }
    }
    all
}
