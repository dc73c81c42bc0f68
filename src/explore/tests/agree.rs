//! The same answers as the reference, on random programs and on the examples.

use std::collections::BTreeSet;

use super::{compile, *};
use testing::generate::{Features, program};
use testing::objects;

use crate::tests::slow::Slow;
use base::source::Span;
use ir::{ErrorKind, Value};

#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    states: Option<u64>,
    transitions: Option<u64>,
    executions: Option<u64>,
    finals: BTreeSet<Vec<Value>>,
    errors: BTreeSet<(ErrorKind, Span)>,
}

/// The outcome of this engine, unless it had to refuse something.
fn fast(text: &str, program: &Program, options: &ExploreOptions, exact: bool) -> Option<Outcome> {
    let shared = prepare_with(program, options, true);
    let space = Space::new(&shared, options);
    let found = search(program, space, options);
    if found.refusal.is_some() {
        return None;
    }
    let finals = found.finals.iter();
    let finals = finals.flat_map(|leaves| values::finals(program, &shared, leaves));
    for trail in found.bugs.values() {
        let schedule = schedule::schedule(program, space, trail);
        let replayed = trace::replay(program, options.scheduler, &schedule);
        assert!(
            matches!(replayed, Ok((_, Some(_)))),
            "{trail:?} {schedule:?}: {replayed:?}\n{text}"
        );
    }
    Some(Outcome {
        states: found
            .counts
            .states
            .filter(|_| exact && options.strategy == Strategy::Stateful),
        transitions: exact.then_some(found.counts.transitions),
        executions: (found.counts.executions)
            .filter(|_| exact && options.strategy == Strategy::Stateless),
        finals: finals.collect(),
        errors: found.bugs.keys().copied().collect(),
    })
}

fn slow(program: &Program, options: &ExploreOptions, like: &Outcome) -> Option<Outcome> {
    let mut system = Slow::new(program, options);
    let found = reference::search(&mut system, options);
    if system.refused.is_some() {
        return None;
    }
    Some(Outcome {
        states: like.states.and(found.counts.states),
        transitions: like.transitions.and(Some(found.counts.transitions)),
        executions: like.executions.and(found.counts.executions),
        finals: system.finals(&found),
        errors: found.bugs.into_keys().collect(),
    })
}

fn options(scheduler: Scheduler, strategy: Strategy) -> ExploreOptions {
    ExploreOptions {
        scheduler,
        strategy,
        all: true,
        finals: true,
        ..ExploreOptions::default()
    }
}

const SCHEDULERS: [Scheduler; 6] = [
    Scheduler::Bag,
    Scheduler::BoundedBag(1),
    Scheduler::BoundedBag(2),
    Scheduler::RoundRobin,
    Scheduler::DepthFirst,
    Scheduler::ReverseDepthFirst,
];

/// Ways of asking about a program.
fn questions(seed: u64) -> Vec<ExploreOptions> {
    let scheduler = SCHEDULERS[usize::try_from(seed % 6).unwrap()];
    let base = options(scheduler, Strategy::Stateful);
    let lists = !scheduler.is_bag();
    let k = u32::try_from(seed / 6 % 4).unwrap();
    let mut all = vec![base.clone()];
    if lists {
        all.push(ExploreOptions {
            delays: Some(k),
            ..base
        });
    } else if scheduler == Scheduler::Bag {
        all.push(ExploreOptions {
            preemptions: Some(k),
            ..base.clone()
        });
        all.push(ExploreOptions {
            switches: Some(k + 2),
            ..base
        });
    }
    all
}

/// The seeds from 0 on, for some seconds; `SECONDS` and `SEED` in the environment ask for others.
fn seeds() -> impl Iterator<Item = u64> {
    let from = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let end = Instant::now() + std::time::Duration::from_secs(from("SECONDS").unwrap_or(3));
    (from("SEED").unwrap_or(0)..).take_while(move |_| Instant::now() < end)
}

fn check(text: &str, options: &ExploreOptions, exact: bool) -> bool {
    compared(text, options, exact).is_some()
}

/// What both engines find, if neither had to refuse something.
fn compared(text: &str, options: &ExploreOptions, exact: bool) -> Option<Outcome> {
    let program = compile("random", text);
    let fast = fast(text, &program, options, exact)?;
    let slow = slow(&program, options, &fast)?;
    assert_eq!(fast, slow, "(fast, reference)\n{options:?}\n{text}");
    Some(fast)
}

/// Blocked tasks are passed over. If all are blocked, both engines report it.
#[test]
fn random_programs_that_wait() {
    let (mut all, mut deadlocks) = (0, 0);
    for seed in 0..100 {
        let features = Features {
            handles: seed % 2 == 1,
            waits: true,
            ..Features::default()
        };
        for text in [program(seed, features), objects::program(seed)] {
            for scheduler in [Scheduler::DepthFirst, Scheduler::ReverseDepthFirst] {
                for delays in 0..3 {
                    let asked = ExploreOptions {
                        delays: Some(delays),
                        ..options(scheduler, Strategy::Stateful)
                    };
                    let Some(found) = compared(&text, &asked, true) else {
                        continue;
                    };
                    all += 1;
                    let mut errors = found.errors.iter();
                    deadlocks += u32::from(errors.any(|(kind, _)| *kind == ErrorKind::Deadlock));
                }
            }
        }
    }
    assert!(all > 700 && deadlocks > 60, "{deadlocks} of {all}");
}

#[test]
fn random_programs() {
    let mut compared = 0;
    for seed in seeds() {
        let features = Features {
            handles: seed % 3 == 1,
            choices: false,
            mode: [None, Some("statement"), Some("access")][usize::try_from(seed / 5 % 3).unwrap()],
            parts: seed % 2 == 0,
            waits: seed % 7 == 5,
        };
        let text = program(seed, features);
        for options in questions(seed) {
            compared += u32::from(check(&text, &options, true));
        }
    }
    println!("{compared}");
}

#[test]
fn random_programs_with_choices() {
    for seed in seeds() {
        let features = Features {
            handles: seed % 3 == 1,
            choices: true,
            mode: None,
            parts: seed % 2 == 0,
            waits: seed % 7 == 5,
        };
        let text = program(seed, features);
        for options in questions(seed) {
            check(&text, &options, false);
        }
    }
}

/// The number of executions is the same when it is summed up over states.
fn counted_without_following(program: &Program, options: &ExploreOptions) {
    let executions = |strategy| {
        let options = ExploreOptions {
            strategy,
            ..options.clone()
        };
        let shared = prepare(program, &options);
        search(program, Space::new(&shared, &options), &options)
            .counts
            .executions
    };
    if let Some(n) = executions(Strategy::Stateful) {
        assert_eq!(Some(n), executions(Strategy::Stateless), "{options:?}");
    }
}

#[test]
fn every_execution_of_random_programs() {
    for seed in seeds() {
        let features = Features {
            handles: seed % 3 == 1,
            mode: [None, Some("statement")][usize::try_from(seed / 5 % 2).unwrap()],
            ..Features::default()
        };
        let text = program(seed, features);
        for mut options in questions(seed) {
            // Programs that take long are left out.
            let program = compile("random", &text);
            let probe = ExploreOptions {
                max_steps: 9,
                ..options.clone()
            };
            options.strategy = Strategy::Stateless;
            if !reference::search(&mut Slow::new(&program, &probe), &probe).cut {
                check(&text, &options, true);
                counted_without_following(&program, &options);
            }
        }
    }
}
