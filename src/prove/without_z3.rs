//! Proofs without bounds, where Z3 is left out: there are none.

#[path = "asked.rs"]
mod asked;
#[path = "instance.rs"]
pub mod instance;
#[path = "search.rs"]
mod search;

use crate::answer::{Answer, Engine, NamedBound};
use crate::ir::Program;
use crate::source::SourceMap;
use crate::z3_version;

pub use asked::{Holds, ProveOptions, Within};
pub use search::some_end;

/// That Z3 is needed to say anything.
#[must_use]
pub fn answer(_: &Program, _: &SourceMap, _: &ProveOptions) -> Answer {
    Answer {
        bounds: vec![NamedBound::Delays(None)],
        ..Answer::inconclusive(Engine::Smt, z3_version::missing().into())
    }
}

/// Whether nothing fails within so many delays: nobody can look for the proof.
#[must_use]
pub fn within(_: &Program, _: Within) -> Option<Holds> {
    None
}
