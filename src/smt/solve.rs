//! The interface of solvers: sessions, outcomes, and why there is none.

use std::fmt;

use super::limit::behind;
use super::term::{Assignment, Datum, Term};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Some assignment makes everything true.
    Sat,
    Unsat,
    /// The solver does not say.
    Unknown(Unknown),
}

/// Why a solver does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    Time,
    Memory,
    /// It cannot, with the reason in words.
    Incomplete(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (behind(self), self) {
            (Some(hit), _) => hit.fmt(f),
            (None, Self::Incomplete(reason)) => f.write_str(reason),
            (None, _) => Ok(()),
        }
    }
}

/// A conversation with a solver about one set of terms.
pub trait Session {
    /// Requires a truth value from now on.
    fn assert(&mut self, term: Term);
    /// Whether everything that is required can be true together with all of `all` and, unless `any` is empty, at least one of
    /// `any`.
    fn check(&mut self, all: &[Term], any: &[Term]) -> Outcome;
    /// After [`Outcome::Sat`]: what the variables stand for.
    fn model(&mut self) -> Option<Assignment>;
    /// Requires from now on that these terms do not have all of these values. Truth values and integers only; an
    /// integer beyond 128 bits counts as any.
    fn exclude(&mut self, values: &[(Term, Datum)]);
}

/// Returns an assignment for [`Session::check`], if there is one.
///
/// # Errors
/// When the solver does not say, with the reason.
pub fn answer(
    session: &mut impl Session,
    all: &[Term],
    any: &[Term],
) -> Result<Option<Assignment>, Unknown> {
    match session.check(all, any) {
        Outcome::Unsat => Ok(None),
        Outcome::Unknown(unknown) => Err(unknown),
        Outcome::Sat => {
            let missing = || Unknown::Incomplete("the solver gives no model".to_owned());
            session.model().map(Some).ok_or_else(missing)
        }
    }
}
