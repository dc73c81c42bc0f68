//! Lemma 1: what a delaying scheduler reaches grows with its budget, and in the end is what the bag reaches.

use std::collections::BTreeSet;

use super::{compile, *};
use testing::generate::{Features, program};
use testing::objects;

use base::source::Span;
use ir::{ErrorKind, Value};

/// What a search reaches: the globals at the end of executions, and the failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reached {
    finals: BTreeSet<Vec<Value>>,
    errors: BTreeSet<(ErrorKind, Span)>,
}

impl Reached {
    fn within(&self, other: &Self) -> bool {
        self.finals.is_subset(&other.finals) && self.errors.is_subset(&other.errors)
    }
}

/// Budgets beyond this are not tried.
const BUDGET: u32 = 40;

fn reached(program: &Program, scheduler: Scheduler, delays: Option<u32>) -> Option<Reached> {
    let options = ExploreOptions {
        scheduler,
        delays,
        all: true,
        finals: true,
        ..ExploreOptions::default()
    };
    let shared = prepare_with(program, &options, true);
    let found = search(program, Space::new(&shared, &options), &options);
    if found.refusal.is_some() || found.cut {
        return None;
    }
    let finals = found.finals.iter();
    Some(Reached {
        finals: (finals.flat_map(|leaves| values::finals(program, &shared, leaves))).collect(),
        errors: found.bugs.keys().copied().collect(),
    })
}

/// The least budget with which a scheduler reaches all that the bag does.
fn budget(program: &Program, scheduler: Scheduler, bag: &Reached, text: &str) -> u32 {
    let mut before = Reached::default();
    for delays in 0..=BUDGET {
        let now = reached(program, scheduler, Some(delays)).expect("the bag was not refused");
        assert!(before.within(&now), "{scheduler:?} {delays}\n{text}");
        assert!(now.within(bag), "{scheduler:?} {delays}\n{text}");
        if now == *bag {
            return delays;
        }
        before = now;
    }
    panic!("{scheduler:?} reaches less than the bag with {BUDGET} delays\n{text}");
}

const LISTS: [Scheduler; 3] = [
    Scheduler::RoundRobin,
    Scheduler::DepthFirst,
    Scheduler::ReverseDepthFirst,
];

#[test]
fn delays_reach_what_the_bag_does() {
    let mut most = [0; 3];
    for seed in 0..1500 {
        let features = Features {
            handles: seed % 3 == 1,
            mode: [None, Some("statement")][usize::try_from(seed / 5 % 2).unwrap()],
            parts: seed % 2 == 0,
            choices: false,
            waits: seed % 5 == 3,
        };
        let text = program(seed, features);
        let program = compile("random", &text);
        let Some(bag) = reached(&program, Scheduler::Bag, None) else {
            continue;
        };
        for (scheduler, most) in LISTS.into_iter().zip(&mut most) {
            *most = budget(&program, scheduler, &bag, &text).max(*most);
            assert_eq!(
                reached(&program, scheduler, None).as_ref(),
                Some(&bag),
                "{text}"
            );
        }
    }
    // One order does not reach everything: delays were needed.
    assert!(most.iter().all(|&most| most >= 2), "{most:?}");
}

/// Waiting costs nothing, so few delays are enough for programs that wait much.
#[test]
fn few_delays_reach_what_the_bag_does_where_tasks_wait() {
    let (mut most, mut compared) = ([0; 3], 0);
    for seed in 0..200 {
        let text = objects::program(seed);
        let program = compile("objects", &text);
        let Some(bag) = reached(&program, Scheduler::Bag, None) else {
            continue;
        };
        compared += 1;
        for (scheduler, most) in LISTS.into_iter().zip(&mut most) {
            *most = budget(&program, scheduler, &bag, &text).max(*most);
        }
    }
    assert!(compared > 150, "{compared}");
    assert!(
        most.iter().all(|&most| (2..=12).contains(&most)),
        "{most:?}"
    );
}
