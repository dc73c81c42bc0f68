//! Proofs without bounds, where Z3 is left out: a small instance may show a bug, and there is no proof.

use answer::{Answer, Engine, Holds, NamedBound, Proved, Verdict, Within};
use base::source::SourceMap;
use base::work;
use ir::Program;
use options::{ProveOptions, Scheduler};
use solver::z3_version;

use super::search;

/// A bug of the program, or that Z3 is needed to say more.
#[must_use]
pub fn answer(program: &Program, sources: &SourceMap, options: &ProveOptions) -> Proved {
    if !options.only_proof {
        work::enter("looking at small instances");
        if let Some(found) = search::small(program, options) {
            return found;
        }
        work::enter("looking for a bug");
        if let Some(found) = search::bounded(program, sources, options.limits.timeout / 4) {
            return found;
        }
    }
    let reason = z3_version::missing();
    Proved {
        answer: Answer {
            bounds: vec![NamedBound::Delays(None)],
            ..Answer::new(
                Engine::Smt,
                Verdict::Inconclusive(reason.clone().into()),
                reason,
            )
        },
        scheduler: Scheduler::Bag,
        certificate: None,
    }
}

/// Whether nothing fails within so many delays: without Z3 there is no proof.
#[must_use]
pub fn within(_: &Program, _: Within) -> Option<Holds> {
    None
}
