//! Stands in for Z3 in builds without it. Callers first ask whether Z3 is [present](solver::z3_version::present). So only
//! [`Z3Again::new`] is ever called here.

use std::marker::PhantomData;
use std::time::Duration;

use base::clock::Instant;

use super::solve::{Outcome, Session, Unknown};
use super::term::{Assignment, Datum, Term, Terms};

const ABSENT: &str = "Z3 is asked only where it is present";

/// A session with Z3, which this build cannot have. It owns memory as a real session does: hence the box.
pub struct Z3Session<'t>(#[allow(dead_code, reason = "see above")] Box<PhantomData<&'t Terms>>);

impl<'t> Z3Session<'t> {
    pub fn new(_: &'t Terms, _: &[Term], _: Instant, _: u64) -> Self {
        unreachable!("{ABSENT}")
    }
}

impl Session for Z3Session<'_> {
    fn assert(&mut self, _: Term) {
        unreachable!("{ABSENT}")
    }

    fn check(&mut self, _: &[Term], _: &[Term]) -> Outcome {
        unreachable!("{ABSENT}")
    }

    fn model(&mut self) -> Option<Assignment> {
        unreachable!("{ABSENT}")
    }

    fn exclude(&mut self, _: &[(Term, Datum)]) {
        unreachable!("{ABSENT}")
    }
}

/// Z3 for many small questions, which this build cannot have.
#[derive(Debug)]
pub struct Z3Again;

impl Z3Again {
    #[must_use]
    pub fn new(_: Duration, _: u64) -> Self {
        Self
    }

    pub fn ask(&mut self, _: &Terms, _: Term, _: Instant) -> Result<Option<Assignment>, Unknown> {
        unreachable!("{ABSENT}")
    }
}
