//! The number of workers changes nothing but the time.

use crate::explore_common::answer;
use dbverify::answer::{Answer, Counted};
use dbverify::options::{ExploreOptions, Scheduler, Strategy};

/// Tasks that load and store a counter a few times, with an assertion that some schedule breaks.
fn counter(tasks: usize, times: usize, least: usize) -> String {
    format!(
        "var x: 0..{} := 0;
         proc t() {{ for i in 1..{times} {{ let v = x; yield; x := v + 1; yield; }} assert x >= {least}; }}
         proc main() {{ for i in 1..{tasks} {{ post t(); }} }}
         finally {{ assert x != 3; }}",
        tasks * times
    )
}

/// The parts of an answer that do not depend on the machine.
fn said(answer: &Answer) -> String {
    let all = [
        Counted::States,
        Counted::Transitions,
        Counted::Executions,
        Counted::Depth,
    ];
    let counts = all.map(|what| answer.count(what));
    let (finals, bugs) = (&answer.finals, &answer.bugs);
    format!("{:?} {counts:?} {finals:?} {bugs:?}", answer.verdict)
}

fn same_for_all(text: &str, options: &ExploreOptions) -> Answer {
    let one = answer(text, options);
    for jobs in [2, 3, 5] {
        let many = answer(
            text,
            &ExploreOptions {
                jobs,
                ..options.clone()
            },
        );
        assert_eq!(said(&one), said(&many), "{jobs} {options:?}");
    }
    one
}

#[test]
fn every_scheduler_and_strategy() {
    let schedulers = [
        (Scheduler::Bag, None),
        (Scheduler::BoundedBag(2), None),
        (Scheduler::RoundRobin, Some(2)),
        (Scheduler::DepthFirst, Some(2)),
        (Scheduler::ReverseDepthFirst, Some(3)),
    ];
    for strategy in [Strategy::Stateful, Strategy::Stateless, Strategy::Random] {
        for (scheduler, delays) in schedulers {
            for all in [true, false] {
                let options = ExploreOptions {
                    scheduler,
                    delays,
                    strategy,
                    all,
                    finals: true,
                    runs: 200,
                    ..ExploreOptions::default()
                };
                same_for_all(&counter(3, 1, 2), &options);
            }
        }
    }
}

#[test]
fn batches_that_are_shared_out() {
    for (all, shortest) in [(true, false), (false, true)] {
        let options = ExploreOptions {
            all,
            shortest,
            finals: true,
            reduction: false,
            ..ExploreOptions::default()
        };
        let answer = same_for_all(&counter(4, 3, 0), &options);
        let states = answer.count(Counted::States).unwrap();
        assert!(states > 50_000, "{states} states share nothing out");
    }
}

#[test]
fn reduced_searches() {
    let options = ExploreOptions {
        all: true,
        finals: true,
        ..ExploreOptions::default()
    };
    for text in [counter(5, 3, 0), counter(4, 3, 2)] {
        same_for_all(&text, &options);
    }
}

#[test]
fn bounds_and_hash_compaction() {
    let base = ExploreOptions {
        all: true,
        ..ExploreOptions::default()
    };
    for options in [
        ExploreOptions {
            preemptions: Some(2),
            ..base.clone()
        },
        ExploreOptions {
            switches: Some(5),
            ..base.clone()
        },
        ExploreOptions {
            compact: Some(40),
            ..base.clone()
        },
        ExploreOptions {
            max_steps: 9,
            ..base.clone()
        },
    ] {
        same_for_all(&counter(4, 2, 2), &options);
    }
}
