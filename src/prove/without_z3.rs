//! Proofs without bounds, where Z3 is left out: a small instance may show a bug, and there is no proof.

#[path = "asked.rs"]
mod asked;
#[path = "instance.rs"]
mod instance;
#[path = "search.rs"]
mod search;

use crate::answer::{Answer, Engine, NamedBound, Verdict};
use crate::ir::Program;
use crate::options::Scheduler;
use crate::source::SourceMap;
use crate::{work, z3_version};

pub use asked::{Holds, ProveOptions, Proved, Within};
pub use search::some_end;

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

/// Whether nothing fails within so many delays: nobody can look for the proof.
#[must_use]
pub fn within(_: &Program, _: Within) -> Option<Holds> {
    None
}
