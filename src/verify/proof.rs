//! Answers a question without bounds: a proof, a replayed bug, or what was lacking. The [plan](super::plan) says who looks when.

use std::time::Duration;

use answer::{Answer, Cause, Verdict};
use base::clock::Instant;
use base::source::SourceMap;
use base::work;
use ir::Program;
use ir::passes::instance::with_few_tasks;
use options::{
    EngineChoice, ExploreOptions, Limits, ProveOptions, Scheduler, Sought, VerifyOptions,
};
use trace::replay;

use super::engines::{Clock, explored, is_unfollowed, makes_more_threads};
use super::plan::{BOUNDS, Came, INSTANCES, PROOF, Who, take_turns};
use super::wander::wander;
use super::{closed, proofs, races, verify};

/// Proves a program, or finds a bug in it, or says why neither.
#[must_use]
pub(super) fn answer(program: &Program, sources: &SourceMap, options: &ProveOptions) -> Answer {
    let clock = Clock::new(&options.limits);
    let (mut lacking, mut beyond) = (None, None);
    let found = take_turns(
        &PROOF,
        &closed::shape(program, true, false, options.races),
        || clock.is_over(),
        |who, most, share| {
            let time = clock.share(share);
            let settles = |answer: Option<Answer>| answer.map_or(Came::Never, Came::Answer);
            let asked = ExploreOptions {
                work: most,
                sought: Sought::bugs(options.races && who == Who::Instances),
                limits: clock.limits(&options.limits, time),
                ..ExploreOptions::default()
            };
            match who {
                Who::Races => settles(race(program, options, most, time / 4)),
                Who::Wander => {
                    work::enter("looking for a bug at random");
                    let sought = Sought::bugs(options.races);
                    settles(wander(program, sought, most, Instant::now() + time))
                }
                Who::Instances => {
                    work::enter("looking for a bug with few tasks");
                    settles(small(program, &asked))
                }
                Who::States => {
                    let seen = explored(program, &asked);
                    if is_unfollowed(&seen) {
                        return Came::Answer(seen);
                    }
                    beyond = Some(seen).filter(makes_more_threads);
                    Came::Never
                }
                Who::Everywhere => in_all_states(program, sources, options, &asked),
                Who::Bounded => {
                    work::enter("looking for a bug");
                    bounded(program, sources, options, time)
                }
                _ => {
                    let asked = ProveOptions {
                        limits: clock.limits(&options.limits, time),
                        ..options.clone()
                    };
                    let answer = proofs::answer(program, sources, &asked);
                    if answer.verdict == Verdict::Proved {
                        return Came::Answer(answer);
                    }
                    let came = later(&answer);
                    lacking = Some(answer);
                    came
                }
            }
        },
    );
    // If more time would not help the proof, its own answer says why.
    let late = |answer: &Answer| matches!(later::<()>(answer), Came::Later);
    found
        .or(beyond.filter(|_| lacking.as_ref().is_none_or(late)))
        .or(lacking)
        .unwrap_or_else(|| proofs::answer(program, sources, options))
}

/// Whether more time may help.
pub(super) fn later<T>(answer: &Answer) -> Came<T> {
    match &answer.verdict {
        Verdict::Inconclusive(why)
            if matches!(why.cause, Cause::Time | Cause::Steps | Cause::Unrolled(..)) =>
        {
            Came::Later
        }
        _ => Came::Never,
    }
}

/// A bug that the explicit engine finds quickly in a small instance, and that the program has too.
pub(super) fn small(program: &Program, options: &ExploreOptions) -> Option<Answer> {
    INSTANCES.iter().find_map(|&most| {
        let mut answer = explored(&with_few_tasks(program, most), options);
        let schedule = &answer.bugs.first()?.trace.schedule;
        let (_, bug) = replay(program, options.scheduler, schedule).ok()?;
        answer.bugs = vec![bug?];
        let words = match closed::posts_without_bound(program) {
            true => "found with few tasks and few values",
            false => "found with few values",
        };
        words.clone_into(&mut answer.summary);
        Some(answer)
    })
}

/// An answer of a search that has seen all states.
fn in_all_states(
    program: &Program,
    sources: &SourceMap,
    options: &ProveOptions,
    asked: &ExploreOptions,
) -> Came<Answer> {
    work::enter("looking at all states");
    let seen = match options.races {
        true => {
            let sought = Sought::Races;
            races::races(
                program,
                sources,
                &ExploreOptions {
                    sought,
                    work: None,
                    ..asked.clone()
                },
            )
        }
        false => explored(program, asked),
    };
    match races::is_whole(&seen) {
        true => Came::Answer(seen),
        false => later(&seen),
    }
}

/// A race that the explicit engine finds with so much work in so much time.
fn race(
    program: &Program,
    options: &ProveOptions,
    most: Option<u64>,
    time: Duration,
) -> Option<Answer> {
    let asked = ExploreOptions {
        sought: Sought::Races,
        work: most,
        limits: Limits {
            latest: Instant::now().checked_add(time),
            ..options.limits
        },
        ..ExploreOptions::default()
    };
    let answer = explored(program, &asked);
    (answer.verdict == Verdict::Bug).then_some(answer)
}

/// A bug that the solver finds within one of the bounds. Each of them gets a third of the time.
fn bounded(
    program: &Program,
    sources: &SourceMap,
    options: &ProveOptions,
    time: Duration,
) -> Came<Answer> {
    let mut came = Came::Never;
    for (delays, unroll) in BOUNDS {
        let asked = VerifyOptions {
            delays_from: 0,
            delays_to: delays,
            deepen: true,
            unroll,
            engine: EngineChoice::Smt,
            scheduler: Scheduler::DepthFirst,
            limits: Limits {
                timeout: time / 3,
                latest: None,
                ..options.limits
            },
            ..VerifyOptions::default()
        };
        let answer = verify(program, sources, &asked);
        if answer.verdict == Verdict::Bug {
            return Came::Answer(answer);
        }
        if matches!(later::<Answer>(&answer), Came::Later) {
            came = Came::Later;
        }
    }
    came
}
