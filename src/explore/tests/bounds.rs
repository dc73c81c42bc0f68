//! A verdict within a bound says whether the bound left something out. If not, the verdict is that of the scheduler
//! without the bound.

use std::collections::BTreeSet;

use super::*;
use testing::generate::{Features, program};

use answer::{Answer, Counted, CutBy, Verdict};
use ir::Value;

fn asked(strategy: Strategy) -> ExploreOptions {
    ExploreOptions {
        strategy,
        all: true,
        finals: true,
        max_steps: 40,
        ..ExploreOptions::default()
    }
}

/// What can be seen of the executions, and how many there are.
fn outcome(answer: &Answer) -> (Vec<Vec<Value>>, BTreeSet<String>, Option<u64>) {
    let bugs = answer
        .bugs
        .iter()
        .map(|b| format!("{:?} {:?}", b.kind, b.span));
    (
        answer.finals.clone().unwrap_or_default(),
        bugs.collect(),
        answer.count(Counted::Executions),
    )
}

fn settled(answer: &Answer) -> bool {
    answer.is_settled()
        && !answer
            .notes
            .iter()
            .any(|n| n.message.starts_with("there may be more"))
}

fn bounds(bound: u32) -> Vec<(&'static str, ExploreOptions)> {
    let base = |strategy| asked(strategy);
    let mut all = Vec::new();
    for strategy in [Strategy::Stateful, Strategy::Stateless] {
        all.push((
            "preemptions",
            ExploreOptions {
                preemptions: Some(bound),
                ..base(strategy)
            },
        ));
        all.push((
            "switches",
            ExploreOptions {
                switches: Some(bound),
                ..base(strategy)
            },
        ));
        let scheduler = Scheduler::BoundedBag(bound + 1);
        all.push((
            "copies",
            ExploreOptions {
                scheduler,
                ..base(strategy)
            },
        ));
        for scheduler in [
            Scheduler::DepthFirst,
            Scheduler::ReverseDepthFirst,
            Scheduler::RoundRobin,
        ] {
            let delays = Some(bound);
            all.push((
                "delays",
                ExploreOptions {
                    scheduler,
                    delays,
                    ..base(strategy)
                },
            ));
        }
    }
    all
}

fn unbounded(options: &ExploreOptions) -> ExploreOptions {
    let scheduler = match options.scheduler {
        Scheduler::BoundedBag(_) => Scheduler::Bag,
        other => other,
    };
    ExploreOptions {
        scheduler,
        delays: None,
        preemptions: None,
        switches: None,
        ..options.clone()
    }
}

#[test]
fn where_no_budget_is_spent_it_is_as_if_there_were_no_bound() {
    let (mut whole, mut lessened) = (0, 0);
    for seed in 0..250 {
        let features = Features {
            handles: seed % 2 == 0,
            mode: (seed % 5 == 0).then_some("statement"),
            ..Features::default()
        };
        let text = program(seed, features);
        let program = compile("bounds.async", &text);
        let mut unbounded_answers: Vec<((Strategy, Scheduler), Answer)> = Vec::new();
        for bound in 0..4 {
            for (name, options) in bounds(bound) {
                let with = explore(&program, &options);
                let cut = match name {
                    "copies" => with.cut_by == [CutBy::Copies],
                    _ => with.budget_spent,
                };
                if !settled(&with) {
                    continue;
                }
                assert_eq!(
                    with.exhaustive,
                    name != "copies" || !cut,
                    "{options:?}\n{text}"
                );
                let safe = with.verdict == Verdict::Safe;
                let says = with.summary.ends_with("; no execution needs more");
                assert_eq!(says, safe && !cut, "{}\n{text}", with.summary);
                lessened += u32::from(cut);
                if cut {
                    continue;
                }
                let free = unbounded(&options);
                let by = (free.strategy, free.scheduler);
                let known = unbounded_answers.iter().position(|(of, _)| *of == by);
                let known = known.unwrap_or_else(|| {
                    let answer = explore(&program, &free);
                    unbounded_answers.push((by, answer));
                    unbounded_answers.len() - 1
                });
                let without = &unbounded_answers[known].1;
                if !settled(without) {
                    continue;
                }
                whole += 1;
                let (a, b) = (outcome(&with), outcome(without));
                assert_eq!((&a.0, &a.1), (&b.0, &b.1), "{options:?}\n{text}");
                if options.scheduler == Scheduler::Bag {
                    assert_eq!(a.2, b.2, "{options:?}\n{text}");
                }
            }
        }
    }
    assert!(
        whole > 1000 && lessened > 300,
        "{whole} whole, {lessened} not"
    );
}

/// Both searches by length find equally short executions, of each error.
#[test]
fn shortest_is_shortest_with_a_store_and_without() {
    let mut compared = 0;
    for seed in 0..400 {
        let text = program(seed, Features::default());
        let program = compile("shortest.async", &text);
        for all in [true, false] {
            let lengths = |strategy| {
                let options = ExploreOptions {
                    shortest: true,
                    all,
                    ..asked(strategy)
                };
                let shared = prepare_with(&program, &options, true);
                let found = search(&program, Space::new(&shared, &options), &options);
                let usable = found.refusal.is_none() && !found.cut;
                let lengths = found.bugs.into_iter().map(|(k, t)| (k, t.steps.len()));
                usable.then(|| Vec::from_iter(lengths))
            };
            let (a, b) = (lengths(Strategy::Stateful), lengths(Strategy::Stateless));
            let (Some(a), Some(b)) = (a, b) else {
                continue;
            };
            compared += u32::from(!a.is_empty());
            if all {
                assert_eq!(a, b, "{text}");
            } else {
                // If several are equally short, each search may find another one.
                let only = |list: &[((ir::ErrorKind, base::source::Span), usize)]| {
                    Vec::from_iter(list.iter().map(|&(_, length)| length))
                };
                assert_eq!(only(&a), only(&b), "{text}");
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
