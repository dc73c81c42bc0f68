//! Every strategy against the reference, on the random programs of `testing` in which everything may occur.
//!
//! `WILD=N` compares N programs, `WILD_SEED=S` begins with seed S; a program on which two disagree is shrunk and printed.

use crate::tests::slow::Slow;
use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use base::source::Span;
use ir::{ErrorKind, Value};
use testing::random_program::{RandomProgram, shrink, wild_program};

/// What can be seen of a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    errors: BTreeSet<(ErrorKind, Span)>,
    finals: BTreeSet<Vec<Value>>,
}

impl Seen {
    /// Whether a final state has a part that was never chosen.
    fn is_open(&self) -> bool {
        self.finals.iter().flatten().any(open)
    }
}

fn open(value: &Value) -> bool {
    match value {
        Value::Any => true,
        Value::Record(parts) | Value::Array(parts) => parts.iter().any(open),
        Value::Map(rest, entries) => open(rest) || entries.iter().any(|(_, v)| open(v)),
        Value::Bool(_) | Value::Int(_) | Value::Task(_) => false,
    }
}

/// What an engine answers.
#[derive(Debug)]
pub(super) enum Answer {
    /// All that can be seen.
    Whole(Seen),
    /// Some errors that there are, and why there may be more.
    Part(BTreeSet<(ErrorKind, Span)>, String),
}

/// Longer executions make a program too large.
const LONGEST: u64 = 60;

fn options(scheduler: Scheduler, delays: Option<u32>, strategy: Strategy) -> ExploreOptions {
    let mut options = ExploreOptions {
        scheduler,
        delays,
        strategy,
        all: true,
        finals: true,
        max_steps: LONGEST,
        ..ExploreOptions::default()
    };
    options.limits.timeout = Duration::from_millis(500);
    options
}

fn expected(program: &Program, options: &ExploreOptions) -> Answer {
    let mut system = Slow::new(program, options);
    let found = reference::search(&mut system, options);
    let errors = found.bugs.keys().copied().collect();
    if found.cut || found.limit.is_some() {
        return Answer::Part(errors, "too long".to_owned());
    }
    let finals = system.finals(&found);
    match system.refused {
        Some(reason) => Answer::Part(errors, reason),
        None => Answer::Whole(Seen { errors, finals }),
    }
}

/// What this engine answers; or which of its errors does not replay.
fn said(program: &Program, options: &ExploreOptions) -> Result<Answer, String> {
    said_reduced(program, options, |_| Reduction::default())
}

/// Like `said`, with reductions.
pub(super) fn said_reduced(
    program: &Program,
    options: &ExploreOptions,
    reduction: impl Fn(&Shared) -> Reduction,
) -> Result<Answer, String> {
    let shared = prepare(program, options);
    let space = Space::new(&shared, options).reduced(reduction(&shared));
    said_of(program, space, options)
}

/// Like `said`, for the states of a space.
pub(super) fn said_of(
    program: &Program,
    space: Space<'_>,
    options: &ExploreOptions,
) -> Result<Answer, String> {
    let found = search(program, space, options);
    for (key, trail) in &found.bugs {
        let schedule = schedule::schedule(program, space, trail);
        match trace::replay(program, options.scheduler, &schedule) {
            Ok((_, Some(bug))) if bug.kind == key.0 => {}
            other => return Err(format!("{key:?} does not replay: {:?}", other.err())),
        }
    }
    let errors = found.bugs.keys().copied().collect();
    if found.cut || found.limit.is_some() {
        return Ok(Answer::Part(errors, "too long".to_owned()));
    }
    if let Some(refusal) = found.refusal {
        return Ok(Answer::Part(errors, format!("{:?}", refusal.why)));
    }
    let finals = found.finals.iter();
    let finals = finals.flat_map(|leaves| values::finals(program, space.shared, leaves));
    Ok(Answer::Whole(Seen {
        errors,
        finals: finals.collect(),
    }))
}

/// What is wrong, if two answers contradict each other.
pub(super) fn contradiction(one: &Answer, other: &Answer) -> Option<String> {
    match (one, other) {
        (Answer::Whole(a), Answer::Whole(b)) if a == b => None,
        // If much was left open, engines do not write it out alike.
        (Answer::Whole(a), Answer::Whole(b)) if a.is_open() || b.is_open() => {
            (a.errors != b.errors).then(|| format!("{one:?}\n{other:?}"))
        }
        (Answer::Part(part, _), Answer::Whole(all))
        | (Answer::Whole(all), Answer::Part(part, _))
            if part.is_subset(&all.errors) =>
        {
            None
        }
        (Answer::Part(..), Answer::Part(..)) => None,
        _ => Some(format!("{one:?}\n{other:?}")),
    }
}

#[derive(Debug, Default)]
struct Count {
    compared: u64,
    refused: u64,
    large: u64,
}

fn compare(program: &Program, count: &mut Count) -> Result<(), String> {
    let bag = (Scheduler::Bag, None);
    let all = [Strategy::Stateful, Strategy::Stateless, Strategy::Dpor];
    let one = [Strategy::Stateful];
    let lists = [Scheduler::DepthFirst, Scheduler::ReverseDepthFirst];
    let mut questions = vec![
        (bag, &all[..]),
        ((Scheduler::RoundRobin, Some(1)), &one[..]),
    ];
    questions.extend((0..3).flat_map(|k| lists.map(|s| ((s, Some(k)), &one[..]))));
    for ((scheduler, delays), strategies) in questions {
        let reference = expected(program, &options(scheduler, delays, Strategy::Stateful));
        for &strategy in strategies {
            let options = options(scheduler, delays, strategy);
            let answer = said(program, &options).map_err(|e| format!("{options:?}\n{e}"))?;
            if let Some(why) = contradiction(&reference, &answer) {
                return Err(format!("{options:?}\n{why}"));
            }
            match (&reference, &answer) {
                (Answer::Whole(_), Answer::Whole(_)) => count.compared += 1,
                (Answer::Part(_, why), _) | (_, Answer::Part(_, why)) if why == "too long" => {
                    count.large += 1;
                }
                _ => count.refused += 1,
            }
        }
    }
    Ok(())
}

fn compared(program: &RandomProgram, count: &mut Count) -> Result<(), String> {
    let compiled = compile::compile("wild", &program.text(), &CheckOptions::default());
    (compiled.program).map_or(Ok(()), |program| compare(&program, count))
}

pub(super) fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|n| n.parse().ok())
}

#[test]
fn every_strategy_agrees_with_the_reference() {
    let wanted = number("WILD");
    let first = number("WILD_SEED").unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(5);
    let mut count = Count::default();
    let seeds = first..first + wanted.unwrap_or(200);
    for seed in seeds.take_while(|_| wanted.is_some() || Instant::now() < end) {
        let program = wild_program(seed);
        if compared(&program, &mut count).is_err() {
            let fails = |p: &RandomProgram| compared(p, &mut Count::default()).is_err();
            let small = shrink(&program, fails);
            let why = compared(&small, &mut Count::default());
            panic!("seed {seed}\n{}\n{}", small.text(), why.unwrap_err());
        }
    }
    let Count {
        compared,
        refused,
        large,
    } = count;
    println!("{compared} comparisons, {refused} refused, {large} too large");
    assert!(compared > 0, "nothing can be compared");
}

#[test]
fn wild_programs_are_programs() {
    for seed in 1..300 {
        let text = wild_program(seed).text();
        compile("wild", &text);
    }
}
