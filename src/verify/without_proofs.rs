//! Proofs without bounds, where Z3 is left out: there are none.

use answer::{Answer, Engine, Holds, NamedBound, Within};
use base::source::SourceMap;
use ir::Program;
use options::ProveOptions;
use solver::z3_version;

/// Answers that Z3 is missing.
#[must_use]
pub fn answer(_: &Program, _: &SourceMap, _: &ProveOptions) -> Answer {
    Answer {
        bounds: vec![NamedBound::Delays(None)],
        ..Answer::inconclusive(Engine::Smt, z3_version::missing().into())
    }
}

/// Whether nothing fails within so many delays: without Z3 there is no proof.
#[must_use]
pub fn within(_: &Program, _: Within) -> Option<Holds> {
    None
}
