//! The reduction on real programs: the executions of the search without it, each trace once.

use std::collections::BTreeSet;

use super::compile;
use crate::dpor::Model;
use crate::dpor::program::ProgramModel;
use crate::dpor::tests::oracle::{Probe, compare};
use crate::*;
use base::clock::Instant;
use base::source::Span;
use ir::{ErrorKind, Value};
use machine::{schedule, values};
use testing::generate::{Features, program};
use testing::objects;

impl Probe for ProgramModel<'_> {
    fn values(&self, state: &Self::State) -> Vec<i64> {
        state.leaves.iter().map(|&leaf| leaf.into()).collect()
    }

    fn place(&self, state: &Self::State, _: u32) -> (u32, u32, i64) {
        (state.failed, 0, 0)
    }
}

fn options(strategy: Strategy) -> ExploreOptions {
    ExploreOptions {
        strategy,
        all: true,
        finals: true,
        ..ExploreOptions::default()
    }
}

/// Gives `count` seeds; with `SECONDS` in the environment as many as there is time for. `SEED` there is the first one.
pub(super) fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let end = given("SECONDS").map(|s| Instant::now() + std::time::Duration::from_secs(s));
    let from = given("SEED").unwrap_or(0);
    (from..).take_while(move |&seed| match end {
        Some(end) => Instant::now() < end,
        None => seed < from + count,
    })
}

pub(super) fn features(seed: u64, choices: bool) -> Features {
    Features {
        handles: seed % 3 == 1,
        choices,
        mode: [None, Some("statement"), Some("access")][usize::try_from(seed / 5 % 3).unwrap()],
        parts: seed.is_multiple_of(2),
        waits: false,
    }
}

/// What a search finds; `None` if it did not look at everything.
type Finds = Option<(BTreeSet<Vec<Value>>, BTreeSet<(ErrorKind, Span)>)>;

fn finds(program: &Program, strategy: Strategy) -> Finds {
    let mut options = options(strategy);
    options.limits.timeout = std::time::Duration::from_millis(100);
    let options = &options;
    let shared = prepare_with(program, options, false);
    let space = Space::new(&shared, options);
    let found = search(program, space, options);
    assert_eq!(found.counts.blocked.unwrap_or(0), 0);
    for trail in found.bugs.values() {
        let schedule = schedule::schedule(program, space, trail);
        let replayed = trace::replay(program, options.scheduler, &schedule);
        assert!(
            matches!(replayed, Ok((_, Some(_)))),
            "{trail:?} {replayed:?}"
        );
    }
    let finals = (found.finals.iter()).flat_map(|l| values::finals(program, &shared, l));
    let found = (
        finals.collect(),
        found.bugs.keys().copied().collect(),
        found.refusal.is_none() && found.limit.is_none() && !found.cut,
    );
    found.2.then_some((found.0, found.1))
}

/// The same final states, deadlocks and errors as the search with a store.
fn same_finds(text: impl Fn(u64) -> String) {
    let mut compared = 0;
    for seed in seeds(200) {
        let text = text(seed);
        let program = compile("random", &text);
        let Some(expected) = finds(&program, Strategy::Stateful) else {
            continue;
        };
        if let Some(found) = finds(&program, Strategy::Dpor) {
            assert_eq!(found, expected, "(reduced, all) {seed}\n{text}");
            compared += 1;
        }
    }
    println!("{compared}");
}

#[test]
fn the_same_finds() {
    same_finds(|seed| program(seed, features(seed, false)));
}

#[test]
fn the_same_finds_with_choices() {
    same_finds(|seed| program(seed, features(seed, true)));
}

#[test]
fn the_same_finds_with_objects() {
    same_finds(objects::program);
}

/// Each trace once, by enumeration.
fn each_trace_of(text: impl Fn(u64) -> String) {
    let (mut compared, mut traces) = (0, 0);
    for seed in seeds(200) {
        let text = text(seed);
        let program = compile("random", &text);
        let options = options(Strategy::Dpor);
        let shared = prepare_with(&program, &options, false);
        let space = Space::new(&shared, &options);
        let tasks = || ProgramModel::new(&shared, space.blank(), true, 1 << 20);
        let mut ours = tasks();
        let start = ours.start();
        assert_eq!(ours.tasks(&start), 1);
        if let Some(n) = compare(&mut ours, tasks(), 2000, &text) {
            compared += 1;
            traces += n;
        }
    }
    println!("{compared} programs, {traces} traces");
}

#[test]
fn each_trace_once() {
    each_trace_of(|seed| program(seed, features(seed, seed % 7 == 0)));
}

#[test]
fn each_trace_once_with_objects() {
    each_trace_of(objects::program);
}
