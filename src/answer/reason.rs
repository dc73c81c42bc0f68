//! Why nothing was settled: words for people, and the cause for the code that computes advice.

use std::fmt;

use ir::{Behind, Cut, TypeId};

use super::limit::{Hit, Place, Which};
use base::source::Span;

/// Why nothing was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The cause behind the words.
    pub cause: Cause,
    words: String,
}

/// The cause that keeps an engine from a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The one that the words name; no advice can be computed from it.
    Other,
    /// The value of this variable, of this type, was needed, and it may be any of too many values.
    Open(String, TypeId),
    /// A value was needed that the engine does not hold.
    Unheld,
    /// An execution comes to a place beyond which no engine follows it.
    Unfollowed,
    /// An execution needs more memory than it has.
    Heap,
    /// An execution makes more threads than have numbers.
    Threads,
    /// The limit was hit while this place was unrolled again and again.
    Unrolled(Place, Which),
    /// The time ran out.
    Time,
    /// The memory ran out.
    Memory,
    /// The steps that the search was given ran out.
    Steps,
    /// An execution is longer than the engine follows.
    Long,
    /// A step of an execution, or the calls in one, go on and on.
    Endless,
    /// No execution came to its end.
    Nothing,
    /// A bound cut a search that had to be exhaustive.
    Cut,
}

impl Reason {
    /// Makes a reason of a cause and its words.
    pub fn new(cause: Cause, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { cause, words }
    }

    /// No execution came to its end.
    #[must_use]
    pub fn nothing_ended() -> Self {
        Self::new(Cause::Nothing, "nothing was checked to its end")
    }

    /// Makes the reason for an execution that comes to a cut.
    #[must_use]
    pub fn of_cut(cut: &Cut) -> Self {
        let cause = match cut.behind {
            _ if cut.heap => Cause::Heap,
            Behind::Unknown => Cause::Unfollowed,
            Behind::Threads => Cause::Threads,
            Behind::Error | Behind::Memory => Cause::Other,
        };
        Self::new(cause, cut.why.as_str())
    }

    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The same cause in other words.
    #[must_use]
    pub fn reworded(&self, words: String) -> Self {
        Self::new(self.cause.clone(), words)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl From<String> for Reason {
    fn from(words: String) -> Self {
        Self::new(Cause::Other, words)
    }
}

impl From<&str> for Reason {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

impl From<Hit> for Reason {
    fn from(hit: Hit) -> Self {
        let cause = match (hit.which, hit.explodes) {
            (Which::Interrupt, _) => Cause::Other,
            (which, Some(place)) if place.span != Span::default() => Cause::Unrolled(place, which),
            (Which::Time, _) => Cause::Time,
            (Which::Memory, _) => Cause::Memory,
            (Which::Depth, _) => Cause::Other,
        };
        Self::new(cause, hit.to_string())
    }
}
