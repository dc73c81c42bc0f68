//! Whether two tasks race in some schedule: the explicit engine looks. Where it has not looked at everything, or could not, a
//! proof is tried.

use std::time::Duration;

use answer::{Answer, Cause, NamedBound, Verdict};
use base::clock::Instant;
use base::source::SourceMap;
use base::work;
use ir::{ErrorKind, Program, walk};
use options::ProveOptions;
use options::{ExploreOptions, Limits, Scheduler, Sought, Strategy, Values, VerifyOptions};
use symbolic::explore as look_at;

use super::engines::{Clock, explored, is_unfollowed};
use super::orders::{self, Followed};
use super::plan::{Came, EXECUTIONS, ONE_TURN, RACES, RANDOM, Who, take_turns};
use super::proof::later;
use super::proofs;
use super::wander::wander;
use super::{closed, engines};

/// The answer to a question about races.
#[must_use]
pub fn races(program: &Program, sources: &SourceMap, options: &ExploreOptions) -> Answer {
    if !is_plain(options) {
        return look_at(program, options);
    }
    let first = engines::at_first(program, options);
    if let Some(found) = first.filter(|found| is_whole(found) || work::stopping()) {
        return found;
    }
    if closed::posts_without_bound(program) {
        return with_any_number(program, sources, options);
    }
    let seen = look_at(
        program,
        &ExploreOptions {
            limits: share(&options.limits, 3),
            ..options.clone()
        },
    );
    if is_whole(&seen) || is_unfollowed(&seen) || work::stopping() {
        return seen;
    }
    let proof = proof(program, sources, &options.limits);
    if proof.verdict == Verdict::Proved {
        return proof;
    }
    seen
}

/// The search and the proof take turns, because either may have no end.
fn with_any_number(program: &Program, sources: &SourceMap, options: &ExploreOptions) -> Answer {
    let clock = Clock::new(&options.limits);
    let shape = closed::shape(program, true, false, true);
    let mut last = None;
    let over = || clock.is_over();
    let found = take_turns(&RACES, &shape, over, |who, most, time| {
        let limits = clock.limits(&options.limits, clock.share(time));
        if who == Who::Proof {
            let proof = proof(program, sources, &limits);
            return match proof.verdict {
                Verdict::Proved => Came::Answer(proof),
                _ => later(&proof),
            };
        }
        let asked = ExploreOptions {
            work: most,
            limits,
            ..options.clone()
        };
        let seen = look_at(program, &asked);
        if is_whole(&seen) || is_unfollowed(&seen) || work::stopping() {
            return Came::Answer(seen);
        }
        let came = later(&seen);
        last = Some(seen);
        came
    });
    found.or(last).unwrap_or_else(|| look_at(program, options))
}

fn proof(program: &Program, sources: &SourceMap, limits: &Limits) -> Answer {
    let asked = ProveOptions {
        races: true,
        limits: *limits,
        ..ProveOptions::default()
    };
    proofs::answer(program, sources, &asked)
}

/// Answers a question that does not name races. If the program is asked about races by default, the search first looks for them
/// too. If races keep it from an answer, and memory and time are left, it looks again without them.
///
/// # Errors
/// When the search has no answer.
pub(super) fn by_default<E>(
    program: &Program,
    options: &ExploreOptions,
    look: &mut dyn FnMut(&ExploreOptions) -> Result<Answer, E>,
) -> Result<Answer, E> {
    let asked = are_asked(program) && options.sought == Sought::Failures;
    if !asked || !has_all_orders(options) || only_executions_tell(program, options) {
        return look(options);
    }
    // If values are terms, races may take most of the time.
    let quarters = if closed::is_open(program) { 2 } else { 4 };
    let with_races = ExploreOptions {
        sought: Sought::Races,
        limits: share(&options.limits, quarters),
        ..options.clone()
    };
    let answer = look(&with_races)?;
    match &answer.verdict {
        Verdict::Inconclusive(why) if !work::stopping() => match why.cause {
            Cause::Memory => Ok(answer),
            Cause::Time if quarters == 4 => Ok(answer),
            _ => look(options),
        },
        _ => Ok(answer),
    }
}

/// Whether the search looks at all orders of tasks.
pub(super) fn has_all_orders(options: &ExploreOptions) -> bool {
    options.scheduler == Scheduler::Bag
        && !options.has_budget()
        && matches!(options.strategy, Strategy::Stateful | Strategy::Dpor)
}

/// Whether the search of states may miss races. Executions are then followed beside it.
fn only_executions_tell(program: &Program, options: &ExploreOptions) -> bool {
    options.strategy == Strategy::Stateful && orders::leak(program)
}

/// Looks for races beside an answer about schedules, where its search does not tell all of them.
#[must_use]
pub(super) fn beside_states(
    program: &Program,
    sources: &SourceMap,
    (clock, options): (&Clock, &ExploreOptions),
    answer: Answer,
) -> Answer {
    let asked = options.sought == Sought::Failures && has_all_orders(options);
    if asked && only_executions_tell(program, options) {
        let time = clock.for_races();
        return beside(program, sources, (clock, &options.limits), time, answer);
    }
    answer
}

/// Whether a program is asked about races by default.
pub(super) fn are_asked(program: &Program) -> bool {
    program.scope.races && program.scope.cover.is_none()
}

/// Looks for races beside an answer without a bug, if the program is asked about them: in all its states, or, where these have no
/// end, by a proof. Takes at most `time`.
#[must_use]
pub(super) fn beside(
    program: &Program,
    sources: &SourceMap,
    (clock, limits): (&Clock, &Limits),
    time: Duration,
    mut answer: Answer,
) -> Answer {
    let good = matches!(answer.verdict, Verdict::Safe | Verdict::Proved);
    let asked = are_asked(program) && walk::posts(program);
    if time.is_zero() || answer.races || !good || !asked || clock.is_over() {
        return answer;
    }
    work::enter("looking for data races");
    let end = Instant::now() + time.min(clock.left());
    let left = || end.saturating_duration_since(Instant::now());
    // The proof comes next, and is found less often for a known number of tasks: the search gets more work there.
    let turns = match closed::posts_without_bound(program) {
        true => 1,
        false => 4,
    };
    let asked = |values, time| ExploreOptions {
        work: Some(turns * ONE_TURN),
        limits: clock.limits(limits, time),
        values,
        ..ExploreOptions::default()
    };
    let terms = closed::is_open(program)
        .then(|| look(program, asked(Values::Terms, left() / 2)))
        .filter(is_whole);
    let found = terms.unwrap_or_else(|| look(program, asked(Values::Fitting, left())));
    if is_race(&found) {
        return raced(found);
    }
    let none = found.is_settled() && found.exhaustive || {
        let limits = clock.limits(limits, left());
        !work::stopping() && proof(program, sources, &limits).verdict == Verdict::Proved
    };
    if none && orders::leak(program) {
        match orders::follow(
            program,
            &clock.limits(limits, clock.left()),
            Some(EXECUTIONS),
        ) {
            Followed::Raced(found) => return raced(*found),
            Followed::Whole(weak) => answer.weak = Some(weak),
            // One execution of each trace does not end where values are open. A random one does, whatever the values.
            Followed::Open => {
                let end = Instant::now() + clock.share(RANDOM.1);
                let found = wander(program, Sought::Races, Some(RANDOM.0), end);
                return found.filter(is_race).map_or(answer, raced);
            }
        }
    }
    if none {
        answer.races = true;
        answer.summary.push_str("; nothing races in any schedule");
    }
    answer
}

/// A race that a search finds, beside an answer about something else.
pub(super) fn found(program: &Program, asked: ExploreOptions) -> Option<Answer> {
    let found = look(program, asked);
    is_race(&found).then(|| raced(found))
}

/// What a search says of races alone.
fn look(program: &Program, mut asked: ExploreOptions) -> Answer {
    asked.sought = Sought::Races;
    let mut found = explored(program, &asked);
    if found.verdict == Verdict::Bug && !is_race(&found) {
        // The bug that is no race is in schedules that the answer is not about.
        asked.all = true;
        found = explored(program, &asked);
        found.bugs.retain(|bug| bug.kind == ErrorKind::Race);
        found.bugs.truncate(1);
        found.exhaustive |= found.verdict == Verdict::Bug && found.bugs.is_empty();
    }
    found
}

pub(super) fn is_race(found: &Answer) -> bool {
    let first = found.bugs.first();
    first.is_some_and(|bug| bug.kind == ErrorKind::Race)
}

/// A race in some schedule.
pub(super) fn raced(mut found: Answer) -> Answer {
    "a data race".clone_into(&mut found.summary);
    found.bounds.insert(0, NamedBound::Delays(None));
    found
}

/// Says of an answer without a bug that races were not looked for, where they are asked about.
pub(super) fn name_what_was_not_looked_for(program: &Program, answer: &mut Answer) {
    let good = matches!(answer.verdict, Verdict::Safe | Verdict::Proved);
    let weak = program.scope.weak.as_ref();
    let weak = weak.filter(|weak| weak.races && program.scope.cover.is_none());
    if good && !answer.races && (are_asked(program) || weak.is_some()) {
        let looked = weak.filter(|weak| weak.looked);
        let frees = looked.is_some_and(|weak| weak.frees);
        answer.races = !walk::posts(program) || looked.is_some() && !frees;
        answer.summary.push_str(match answer.races {
            true => "; nothing races there",
            false if frees => "; nothing races there, but races with `free` were not looked for",
            false => "; data races were not looked for",
        });
    }
}

/// Answers about races in all schedules, where the question itself counts delays.
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

/// Whether the answer is a bug, a proof or exhaustive.
pub(super) fn is_whole(answer: &Answer) -> bool {
    match answer.verdict {
        Verdict::Safe => answer.exhaustive,
        Verdict::Bug | Verdict::Proved => true,
        Verdict::Inconclusive(_) => false,
    }
}

/// Whether a proof can answer the question: it does not ask for all bugs, final states, or a search of a certain kind.
fn is_plain(options: &ExploreOptions) -> bool {
    let default = ExploreOptions::default();
    !options.goes_on()
        && !options.coverage
        && options.scheduler == default.scheduler
        && options.values == default.values
        && options.work.is_none()
}

/// Limits with so many quarters of the time that is left.
fn share(limits: &Limits, quarters: u32) -> Limits {
    let now = Instant::now();
    let end = limits.end();
    let part = |end: Instant| now + end.saturating_duration_since(now) / 4 * quarters;
    Limits {
        latest: end.map(part),
        ..*limits
    }
}
