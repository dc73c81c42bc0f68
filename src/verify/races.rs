//! Whether two tasks race in some schedule: the explicit engine looks, and where it has not looked at everything, or could not, a proof
//! is tried.

use answer::{Answer, NamedBound, Verdict};
use base::clock::Instant;
use base::source::SourceMap;
use base::work;
use ir::Program;
use options::ProveOptions;
use options::{ExploreOptions, Limits, Sought, VerifyOptions};
use symbolic::explore;

use super::closed;
use super::plan::FEW_TASKS;
use super::proofs;

/// The answer to a question about races.
#[must_use]
pub fn races(program: &Program, sources: &SourceMap, options: &ExploreOptions) -> Answer {
    if !is_plain(options) {
        return explore(program, options);
    }
    let any_number = closed::posts_without_bound(program);
    let explored = explore(
        program,
        &ExploreOptions {
            work: any_number.then_some(FEW_TASKS),
            limits: share(&options.limits, if any_number { 1 } else { 3 }),
            ..options.clone()
        },
    );
    if is_whole(&explored) || work::stopping() {
        return explored;
    }
    let asked = ProveOptions {
        races: true,
        limits: share(&options.limits, if any_number { 3 } else { 4 }),
        ..ProveOptions::default()
    };
    let proof = proofs::answer(program, sources, &asked);
    if proof.verdict == Verdict::Proved {
        return proof;
    }
    if any_number && !work::stopping() {
        return explore(program, options);
    }
    explored
}

/// The same about all schedules, as it is asked where delays are counted.
#[must_use]
pub(super) fn in_all_schedules(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
) -> Answer {
    let asked = ExploreOptions {
        sought: Sought::Races,
        limits: options.limits,
        ..ExploreOptions::default()
    };
    let mut answer = races(program, sources, &asked);
    if answer.verdict != Verdict::Proved {
        answer.bounds.insert(0, NamedBound::Delays(None));
    }
    answer
}

/// Whether nothing was left out, or something was found.
fn is_whole(answer: &Answer) -> bool {
    match answer.verdict {
        Verdict::Safe => answer.exhaustive,
        Verdict::Bug | Verdict::Proved => true,
        Verdict::Inconclusive(_) => false,
    }
}

/// Whether a proof says what is asked: not all bugs, final states, or a search of a certain kind.
fn is_plain(options: &ExploreOptions) -> bool {
    let default = ExploreOptions::default();
    !options.goes_on()
        && !options.coverage
        && options.scheduler == default.scheduler
        && options.values == default.values
        && options.work.is_none()
}

/// So many quarters of the time that is left.
fn share(limits: &Limits, quarters: u32) -> Limits {
    let now = Instant::now();
    let end = limits.end();
    let part = |end: Instant| now + end.saturating_duration_since(now) / 4 * quarters;
    Limits {
        latest: end.map(part),
        ..*limits
    }
}
