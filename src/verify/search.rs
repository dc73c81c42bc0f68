//! Looks for a bug, by the engines that can show one. What they do not find says nothing here.

use std::time::Duration;

use answer::{Answer, Verdict};
use answer::{Look, Proved};
use base::clock::Instant;
use base::source::SourceMap;
use ir::Program;
use ir::passes::instance::instance;
use options::ProveOptions;
use options::{EngineChoice, ExploreOptions, Limits, Scheduler, Sought, Strategy, VerifyOptions};
use trace::replay;

use super::engines;

/// What a question without bounds is asked with beside its proof.
pub const LOOK: Look = Look {
    small,
    races,
    bounded,
};

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

fn found(answer: Answer, scheduler: Scheduler) -> Option<Proved> {
    (answer.verdict == Verdict::Bug).then_some(Proved {
        answer,
        scheduler,
        certificate: None,
    })
}
