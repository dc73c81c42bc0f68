//! Looks for a bug, by the engines that can show one. What they do not find says nothing here.

use std::time::Duration;

use crate::answer::{Answer, Cause, Verdict};
use crate::clock::Instant;
use crate::explore::explore;
use crate::ir::Program;
use crate::options::{
    EngineChoice, ExploreOptions, Limits, Scheduler, Sought, Strategy, VerifyOptions,
};
use crate::source::SourceMap;
use crate::trace::replay;
use crate::verify::engines;

use super::asked::{ProveOptions, Proved};
use super::instance::instance;

/// Work of the first look, in states and steps.
const GLANCE: u64 = 50_000;

/// How long is looked for a race where there is no limit of time.
const MOMENT: Duration = Duration::from_secs(10);

/// The greatest budgets of delays that are tried, and how far is unrolled for each.
const BOUNDS: [(u32, u32); 3] = [(1, 2), (3, 2), (3, 4)];

/// How small the instances are that are searched one after the other.
const INSTANCES: [u8; 3] = [2, 3, 4];

/// A bug that the explicit engine finds quickly in a small instance, and that the program has too.
#[must_use]
pub fn small(program: &Program, options: &ProveOptions) -> Option<Proved> {
    let left = options.limits.end();
    let left = left.map(|end| end.saturating_duration_since(Instant::now()));
    if options.races
        && let Some(found) = races(
            program,
            &options.limits,
            left.map_or(MOMENT, |left| left / 8),
        )
    {
        return Some(found);
    }
    INSTANCES.iter().find_map(|&most| {
        let options = ExploreOptions {
            work: Some(GLANCE),
            limits: options.limits,
            ..ExploreOptions::default()
        };
        let mut answer = engines::explored(&instance(program, most), &options);
        let schedule = answer.bugs.first()?.trace.schedule.clone();
        let (_, bug) = replay(program, Scheduler::Bag, &schedule).ok()?;
        answer.bugs = vec![bug?];
        answer.summary = "a bug; a small instance of the program shows it".to_owned();
        found(answer, Scheduler::Bag)
    })
}

/// A race that the explicit engine finds with some work in so much time.
#[must_use]
pub fn races(program: &Program, limits: &Limits, time: Duration) -> Option<Proved> {
    let options = ExploreOptions {
        strategy: Strategy::Dpor,
        sought: Sought::Races,
        work: Some(GLANCE),
        limits: Limits {
            latest: Instant::now().checked_add(time),
            ..*limits
        },
        ..ExploreOptions::default()
    };
    found(engines::explored(program, &options), Scheduler::Bag)
}

/// A bug that bounded verification finds, in a third of the time for each of the bounds.
#[must_use]
pub fn bounded(program: &Program, sources: &SourceMap, time: Duration) -> Option<Proved> {
    BOUNDS.iter().find_map(|&(delays, unroll)| {
        let limits = Limits {
            timeout: time / 3,
            latest: Instant::now().checked_add(time / 3),
            ..Limits::default()
        };
        let options = VerifyOptions {
            delays_from: 0,
            delays_to: delays,
            deepen: true,
            unroll,
            engine: EngineChoice::Smt,
            limits,
            ..VerifyOptions::default()
        };
        let answer = engines::answer(program, sources, &options);
        let scheduler = answer.scheduler().unwrap_or(options.scheduler);
        found(answer, scheduler)
    })
}

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

fn found(answer: Answer, scheduler: Scheduler) -> Option<Proved> {
    (answer.verdict == Verdict::Bug).then_some(Proved {
        answer,
        scheduler,
        certificate: None,
    })
}
