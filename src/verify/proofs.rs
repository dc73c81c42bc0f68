//! Proofs without bounds, by the room that is linked with Z3.

use answer::Proved;
use base::source::SourceMap;
use ir::Program;
use options::ProveOptions;

use super::search::LOOK;

pub use prove::within;

/// Proves a program, or finds a bug in it, or says why neither.
#[must_use]
pub fn answer(program: &Program, sources: &SourceMap, options: &ProveOptions) -> Proved {
    prove::answer(program, sources, options, LOOK)
}
