//! Asks the explicit engine: could more delays show more? Do they show a bug?
//!
//! The sequential program knows which tasks it dispatches, but not which others could have run in their place. If none ever
//! could, there are few orders, and the explicit engine soon sees them all.

use answer::{Answer, Cause, Note, Verdict};
use ir::Program;
use options::{ExploreOptions, Limits, VerifyOptions};
use symbolic::explore;

use super::closed;
use super::engines::explored;
use super::plan::{BEYOND, GLANCE};
use super::proof::small;

/// Whether some execution within so many delays could have been delayed further. If a glance does not tell, the answer is yes.
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
    let all = match &seen.verdict {
        Verdict::Safe => true,
        Verdict::Inconclusive(why) => why.cause == Cause::Nothing,
        _ => false,
    };
    !all || !seen.exhaustive || seen.budget_spent
}

/// Says beside "no bug" that executions with more delays have one, if a glance at all schedules shows it.
pub(super) fn beyond(program: &Program, limits: Limits, mut answer: Answer) -> Answer {
    let asked = answer.verdict == Verdict::Safe && answer.budget_spent;
    if !asked || program.scope.cover.is_some() {
        return answer;
    }
    let options = ExploreOptions {
        limits,
        work: Some(BEYOND),
        ..ExploreOptions::default()
    };
    let (seen, more) = match closed::posts_without_bound(program) {
        true => (small(program, &options), "delays or tasks"),
        false => (Some(explored(program, &options)), "delays"),
    };
    if let Some(bug) = seen.iter().flat_map(|seen| &seen.bugs).next() {
        let kind = bug.kind.name();
        let message = format!("more {more} show a bug ({kind}): `--delays any` finds it");
        answer.notes.push(Note::new(message, None));
    }
    answer
}
