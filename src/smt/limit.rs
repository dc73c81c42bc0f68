//! Limits on the work of a decision, and which of them is hit.

pub use answer::{Bound, Hit, Phase, Place, Which};
use base::clock::Instant;
use base::work;

use super::solve::Unknown;

/// The limit that keeps a solver from an answer, if it is one.
#[must_use]
pub fn behind(unknown: &Unknown) -> Option<Hit> {
    let which = match unknown {
        Unknown::Time if work::stopping() => Which::Interrupt,
        Unknown::Time => Which::Time,
        Unknown::Memory => Which::Memory,
        Unknown::Incomplete(_) => return None,
    };
    Some(Hit::of(which, Phase::Deciding))
}

/// The limit that is hit by now, if one is: the deadline, or a request to stop.
#[must_use]
pub fn late(deadline: Instant) -> Option<Which> {
    if work::stopping() {
        Some(Which::Interrupt)
    } else if Instant::now() >= deadline {
        Some(Which::Time)
    } else {
        None
    }
}
