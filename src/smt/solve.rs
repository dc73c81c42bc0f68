//! What is asked of a solver.

use super::term::{Assignment, Term};

/// A solver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Some assignment makes everything true.
    Sat,
    /// None does.
    Unsat,
    /// The solver does not say.
    Unknown(Unknown),
}

/// Why a solver does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Time ran out.
    Time,
    /// Memory ran out.
    Memory,
    /// It cannot, with the reason in words.
    Incomplete(String),
}

/// A conversation with a solver about one set of terms.
pub trait Session {
    /// Requires a truth value from now on.
    fn assert(&mut self, term: Term);
    /// Whether everything that is required can be true together with some assumptions.
    fn check(&mut self, assumptions: &[Term]) -> Outcome;
    /// After [`Outcome::Sat`]: what the variables stand for.
    fn model(&mut self) -> Option<Assignment>;
}
