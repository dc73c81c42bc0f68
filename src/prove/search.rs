//! Whether an execution comes to its end, which a proof does not say.

use crate::answer::{Cause, Verdict};
use crate::explore::explore;
use crate::ir::Program;
use crate::options::{ExploreOptions, Limits};

use super::instance::instance;

/// Work of the look for an execution that comes to its end, in states and steps.
const LOOK: u64 = 20_000;

/// Whether an execution comes to its end, if a small instance tells.
#[must_use]
pub fn some_end(program: &Program, limits: &Limits) -> Option<bool> {
    let options = ExploreOptions {
        finals: true,
        work: Some(LOOK),
        limits: *limits,
        ..ExploreOptions::default()
    };
    let seen = explore(&instance(program, 2), &options);
    if seen.finals.is_some_and(|finals| !finals.is_empty()) {
        return Some(true);
    }
    let never = matches!(&seen.verdict, Verdict::Inconclusive(why) if why.cause == Cause::Nothing);
    never.then_some(false)
}
