//! Executions that the rule of stale loads leaves out have the outcomes of others.

use std::collections::BTreeSet;

use answer::{Counted, Verdict};
use check::CheckOptions;
use ir::{ErrorKind, Value};
use options::{Buffered, ExploreOptions, Memory, Sought, Strategy};
use testing::generate::{self, Features};
use testing::litmus;
use testing::random_program::{random_program, rich_program, wild_program};

use super::{ask, first, programs, verdict};
use crate::{LEFT_OUT, Part};

type Found = (Verdict, BTreeSet<ErrorKind>, BTreeSet<Vec<Value>>);

/// The errors and the final states of a model; `None` if the search does not end.
fn found(text: &str, memory: Memory, options: &ExploreOptions) -> Option<(Found, u64)> {
    let check = CheckOptions {
        preempt: Some(options::PreemptMode::Access),
    };
    let mut program = compile::compile("test.async", text, &check).program?;
    crate::run(&mut program, Buffered { memory, buffer: 3 }).ok()?;
    let answer = symbolic::explore(&program, options);
    let steps = answer.count(Counted::Transitions).unwrap_or(0);
    let bugs = answer.bugs.iter().map(|bug| bug.kind).collect();
    let finals = answer.finals.unwrap_or_default().into_iter().collect();
    let done = answer
        .exhaustive
        .then_some((answer.verdict, bugs, finals))?;
    Some((done, steps))
}

#[test]
fn random_models_have_the_same_outcomes_without_the_rule() {
    let (mut compared, mut less) = (0, 0);
    for seed in first()..first() + programs(60) {
        let text = match seed % 4 {
            0 => random_program(seed).text(),
            1 => wild_program(seed).text(),
            2 => rich_program(seed).text(),
            _ => generate::program(
                seed,
                Features {
                    parts: true,
                    ..Features::default()
                },
            ),
        };
        for memory in [Memory::Tso, Memory::Pso] {
            for (strategy, reduction, delays) in [
                (Strategy::Stateful, true, None),
                (Strategy::Stateful, false, None),
                (Strategy::Stateful, true, Some(2)),
                (Strategy::Dpor, true, None),
            ] {
                let options = ExploreOptions {
                    strategy,
                    reduction,
                    delays,
                    all: true,
                    finals: true,
                    sought: Sought::Failures,
                    work: Some(20_000),
                    ..ExploreOptions::default()
                };
                let own = found(&text, memory, &options);
                LEFT_OUT.set(Some(Part::Stale));
                let whole = found(&text, memory, &options);
                LEFT_OUT.set(None);
                let (Some((own, steps)), Some((whole, all))) = (own, whole) else {
                    continue;
                };
                assert_eq!(
                    own, whole,
                    "{seed} {memory:?} {strategy:?} {reduction} {delays:?}\n{text}"
                );
                compared += 1;
                less += u32::from(steps < all);
            }
        }
    }
    eprintln!("{compared} compared, {less} of them with fewer steps");
}

#[test]
fn the_rule_ends_where_others_notice_something() {
    let threads = ["W x 1; R 0 y; W z 1", "R 0 z; R 1 x", "W y 1"].map(litmus::thread);
    let text = litmus::program(&threads, "o0[0] == 1 && o1[0] == 1 && o1[1] == 0");
    let fails = || verdict(&text, Memory::Pso, Strategy::Stateful).0.is_some();
    assert!(fails(), "{text}");
    LEFT_OUT.set(Some(Part::Noticed));
    assert!(!fails(), "{text}");
    LEFT_OUT.set(None);
}

#[test]
fn the_rule_saves_traces() {
    let text = litmus::program(&["W x 1; R 0 y", "W y 1; R 0 x"].map(litmus::thread), "");
    let options = ExploreOptions {
        strategy: Strategy::Dpor,
        ..ExploreOptions::default()
    };
    let traces = || {
        ask(&text, Memory::Tso, &options)
            .0
            .count(Counted::Executions)
    };
    assert_eq!(traces(), Some(7));
    LEFT_OUT.set(Some(Part::Stale));
    assert_eq!(traces(), Some(14));
    LEFT_OUT.set(None);
}
