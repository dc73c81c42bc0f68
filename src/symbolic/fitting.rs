//! Which machine answers: the one with numbers as values, the one with terms, or both in turn.

use std::sync::atomic::Ordering;

use ::answer::{Answer, Note, Verdict};
use base::clock::Instant;
use ir::{Program, StmtKind, walk};
use options::{ExploreOptions, Sought, Strategy, Values};

use explore::{divergence, fair, prepare, reduced, search, verdict};
use machine::code::is_wide;
use machine::found::{Found, Limit};
use machine::space::Space;

/// Answers by the machine that fits the program and the options.
pub(super) fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    match options.sought {
        Sought::Failures | Sought::Races => {}
        Sought::Livelocks => return with_numbers(program, options, fair::explore),
        Sought::Divergences => return with_numbers(program, options, divergence::explore),
    }
    let begin = Instant::now();
    if let Some(reason) = verdict::unsupported(options) {
        return verdict::refused(options, reason);
    }
    if options.values == Values::Terms {
        return match crate::answer::unsupported(options) {
            Some(reason) => verdict::refused(options, reason.to_owned()),
            None => crate::answer::explore(program, &state_by_state(options.clone())),
        };
    }
    let unsupported = crate::answer::unsupported(options);
    if options.values == Values::Fitting
        && unsupported.is_none()
        && has_wide_choices(program)
        && let Some(answer) = tried(program, options)
    {
        return answer;
    }
    let options = &until(options, begin);
    let shared = prepare(program, options);
    let space = reduced(program, Space::new(&shared, options), options);
    let found = search(program, space, options);
    if ended_in_doubt(&found, options) {
        return explore(program, &execution_by_execution(options));
    }
    let open = options.values == Values::Fitting && !found.has_bugs() && found.needs_open_values();
    if open && unsupported.is_none() {
        return crate::answer::explore(program, &state_by_state(longer(options)));
    }
    let mut answer = verdict::answer(program, space, options, &found, begin.elapsed());
    if let Some(reason) = unsupported.filter(|_| open) {
        answer.notes.push(Note::new(reason, None));
    }
    answer
}

/// Whether a search of states for races was given up, and what it found is not the whole answer.
fn ended_in_doubt(found: &Found, options: &ExploreOptions) -> bool {
    found.doubtful && (options.goes_on() || !found.has_bugs())
}

/// The same question for a search of executions: states cannot settle races of accesses behind others in a step.
fn execution_by_execution(options: &ExploreOptions) -> ExploreOptions {
    ExploreOptions {
        strategy: Strategy::Dpor,
        compact: None,
        shortest: false,
        ..options.clone()
    }
}

/// The same question; races are looked for in states, whatever the strategy.
fn state_by_state(options: ExploreOptions) -> ExploreOptions {
    let strategy = if options.sought == Sought::Races {
        Strategy::Stateful
    } else {
        options.strategy
    };
    ExploreOptions {
        strategy,
        ..options
    }
}

/// Work where values are terms: a step takes as long as ten to a hundred steps with numbers.
pub const OPEN_WORK: u64 = 40_000;

/// The limit of work is divided by this number where values are terms.
const LESS_WITH_TERMS: u64 = 10;

/// The same question with its deadline fixed: the timeout counts from `begin`.
fn until(options: &ExploreOptions, begin: Instant) -> ExploreOptions {
    let mut options = options.clone();
    let latest = begin.checked_add(options.limits.timeout);
    options.limits.latest = options.limits.latest.or(latest);
    options
}

/// The same question with less work, as its steps take longer.
fn longer(options: &ExploreOptions) -> ExploreOptions {
    ExploreOptions {
        work: options
            .work
            .map(|work| (work / LESS_WITH_TERMS).max(work.min(OPEN_WORK))),
        ..without_portions(options)
    }
}

/// How much work is done with numbers before terms are tried, where choices are wide. Work is counted and not timed: equal runs
/// give equal answers, whatever else the machine does.
const TRIAL: u64 = 50_000;

/// A short limit of time shortens the trial: work with numbers for each second of it, a tenth of what fits into a second.
const TRIAL_A_SECOND: u64 = 50_000;

/// How much work is done with terms for each second of the limit: about half of the time. The rest is for numbers.
const TERMS_A_SECOND: u64 = 25_000;

/// Returns the work for the whole limit of time, at so much a second.
fn share(options: &ExploreOptions, a_second: u64) -> u64 {
    let millis = u64::try_from(options.limits.timeout.as_millis()).unwrap_or(u64::MAX);
    (millis.saturating_mul(a_second) / 1000).max(1)
}

/// The same question with no more than that much work.
fn within(options: &ExploreOptions, most: u64) -> ExploreOptions {
    ExploreOptions {
        work: Some(options.work.map_or(most, |work| work.min(most))),
        ..without_portions(options)
    }
}

/// The same question, given up at the end of the portion: a search with terms may be waiting for the solver at that time.
fn without_portions(options: &ExploreOptions) -> ExploreOptions {
    let mut options = options.clone();
    let end = options.portions.take().and_then(|portions| portions.end());
    options.limits.latest = end.or(options.limits.latest);
    options
}

/// Whether a program chooses among many values at once.
fn has_wide_choices(program: &Program) -> bool {
    walk::anywhere(
        program,
        |s| matches!(&s.kind, StmtKind::Havoc(to, _) if is_wide(program, to.ty)),
    )
}

/// Tries a program with wide choices a little with numbers, and then with terms for a part of the work. Returns `None` if that
/// settles nothing, or if numbers made no wide choice: then it is best to go on with numbers.
fn tried(program: &Program, options: &ExploreOptions) -> Option<Answer> {
    let begin = Instant::now();
    let whole = until(options, begin);
    let few = within(&whole, TRIAL.min(share(options, TRIAL_A_SECOND)));
    let shared = prepare(program, &few);
    let space = reduced(program, Space::new(&shared, &few), &few);
    let found = search(program, space, &few);
    let bugs = found.has_bugs();
    if ended_in_doubt(&found, options) {
        return Some(explore(program, &execution_by_execution(&whole)));
    }
    // A trial that the time has cut does not tell which machine fits: in a longer turn there is another one.
    let late = found.limit == Some(Limit::Time);
    let ends = late || found.limit.is_none() && (bugs || !found.needs_open_values());
    if ends || bugs && !options.goes_on() {
        return Some(verdict::answer(
            program,
            space,
            options,
            &found,
            begin.elapsed(),
        ));
    }
    let needs = found.needs_open_values();
    if !needs && !shared.chose_wide.load(Ordering::Relaxed) {
        return None;
    }
    let longer = longer(&whole);
    let asked = match needs {
        true => longer,
        false => within(&longer, share(options, TERMS_A_SECOND)),
    };
    let answer = crate::answer::explore(program, &state_by_state(asked));
    let settled = !matches!(answer.verdict, Verdict::Inconclusive(_));
    (settled || needs).then_some(answer)
}

/// Looks for livelocks or divergence, always with numbers.
fn with_numbers(
    program: &Program,
    options: &ExploreOptions,
    look: impl Fn(&Program, &ExploreOptions) -> Answer,
) -> Answer {
    let reason = crate::answer::unsupported(options);
    if options.values == Values::Terms
        && let Some(reason) = reason
    {
        return verdict::refused(options, reason.to_owned());
    }
    let mut answer = look(program, options);
    let stuck = matches!(answer.verdict, Verdict::Inconclusive(_)) && has_wide_choices(program);
    if let Some(reason) = reason.filter(|_| stuck) {
        answer.notes.push(Note::new(reason, None));
    }
    answer
}
