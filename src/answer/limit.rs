//! A limit that was hit: which one, in which phase, and what was unrolled most.

use std::fmt;

use base::source::Span;
use base::work;

/// A bound that cuts executions off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The turns of a loop.
    Loop,
    /// How deep a procedure calls itself, or how long a chain of tasks is.
    Recursion,
    /// The rounds in which waiting tasks are dispatched.
    Rounds,
}

/// A place where executions were cut off, or one that is unrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The loop or procedure. Rounds have the default span.
    pub span: Span,
    /// Which bound it was.
    pub bound: Bound,
}

/// What the engine was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The program was unrolled.
    Unrolling,
    /// Guesses were replaced by what they are compared with.
    Defining,
    Deciding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Time,
    Memory,
    /// How deep calls nest.
    Depth,
    /// A request to stop.
    Interrupt,
}

/// A limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub which: Which,
    pub phase: Phase,
    /// The loop or procedure that was unrolled most, if the engine was unrolling.
    pub explodes: Option<Place>,
}

impl Hit {
    /// Makes a hit in a phase that unrolls nothing.
    #[must_use]
    pub fn of(which: Which, phase: Phase) -> Self {
        Self {
            which,
            phase,
            explodes: None,
        }
    }
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.which, self.phase) {
            (Which::Interrupt, _) => work::INTERRUPTED,
            (Which::Depth, _) => "calls nest too deep",
            (Which::Time, Phase::Unrolling) => "the time ran out while the program was unrolled",
            (Which::Time, Phase::Defining) => "the time ran out while guesses were replaced",
            (Which::Time, Phase::Deciding) => "the time ran out while the solver was deciding",
            (Which::Memory, Phase::Deciding) => "the solver ran out of memory",
            (Which::Memory, _) => "the unrolled program takes more memory than the limit",
        })
    }
}
