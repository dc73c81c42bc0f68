//! Whether more delays could show more: asked of the explicit engine, for the solver's answer.
//!
//! The sequential program knows which tasks it dispatches, and not which others could have run in their place. Where none ever
//! could, there are few orders, and the explicit engine has soon seen them all.

use answer::Verdict;
use ir::Program;
use options::{ExploreOptions, Limits, VerifyOptions};
use symbolic::explore;

use super::closed;
use super::plan::GLANCE;

/// Whether some execution within so many delays could have been delayed further. If a glance does not tell, it could.
pub(super) fn budget_spent(
    program: &Program,
    options: &VerifyOptions,
    limits: Limits,
    delays: u32,
) -> bool {
    if closed::is_open(program) {
        return true;
    }
    let options = ExploreOptions {
        scheduler: options.scheduler,
        delays: Some(delays),
        limits,
        work: Some(GLANCE),
        ..ExploreOptions::default()
    };
    let seen = explore(program, &options);
    seen.verdict != Verdict::Safe || !seen.exhaustive || seen.budget_spent
}
