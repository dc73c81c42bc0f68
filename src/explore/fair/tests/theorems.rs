//! What the paper proves of Algorithm 1, on graphs made at random.

use fastrand::Rng;

use super::brute::{follow, start};
use super::toy::{ALGORITHM_1, EVERY_SCHEDULE, Toy, stateful, stateless};

fn toys(seed: u64, count: u32) -> impl Iterator<Item = Toy> {
    let mut rng = Rng::with_seed(seed);
    (0..count).map(move |_| {
        let (states, tasks) = (rng.u32(2..8), rng.u32(1..4));
        Toy::random(&mut rng, states, tasks)
    })
}

/// Theorem 1: an endless execution breaks the good samaritan property or is fair. Theorem 2: if there is no endless
/// execution, the algorithm ends.
#[test]
fn what_is_endless_is_fair_or_sleepless() {
    let mut ended = 0;
    for toy in toys(2, 3000) {
        let generated = stateful(&toy, ALGORITHM_1).found.endless;
        for endless in &generated {
            let round = follow(&toy, endless);
            assert!(round.fair || round.sleepless, "{toy:?} {endless:?}");
        }
        if stateful(&toy, EVERY_SCHEDULE).found.endless.is_empty() {
            assert!(generated.is_empty(), "{toy:?}");
            ended += 1;
        }
    }
    assert!(ended > 300, "{ended}");
}

/// Theorem 5: if no execution is endless, the algorithm visits every state that can be reached without a yield.
#[test]
fn states_before_a_yield_are_visited() {
    let (mut ended, mut all) = (0, 0);
    for toy in toys(3, 3000) {
        let seen = stateful(&toy, ALGORITHM_1);
        if !seen.found.endless.is_empty() {
            continue;
        }
        let must = toy.reachable(|slept| !slept);
        assert!(must.iter().all(|s| seen.states.contains(s)), "{toy:?}");
        ended += 1;
        all += u32::from(seen.states.len() == toy.reachable(|_| true).len());
    }
    // The algorithm visits more than the theorem promises: nearly always every state.
    assert!(ended > 300 && all * 100 > ended * 99, "{all} of {ended}");
}

/// Theorem 6: the algorithm does not miss a fair cycle in which no task yields twice, at a state that can be reached
/// without a yield.
#[test]
fn simple_livelocks_are_found() {
    let mut found = 0;
    for toy in toys(4, 3000) {
        let early = toy.reachable(|slept| !slept);
        let simple = stateful(&toy, EVERY_SCHEDULE)
            .found
            .endless
            .iter()
            .any(|e| {
                let start = start(&toy, e);
                let mut state = start;
                let mut yields = vec![0; toy.0[0].len()];
                for step in &e.turn {
                    let (to, slept) = toy.goes(state, step);
                    yields[step.place as usize] += u32::from(slept);
                    state = to;
                }
                early.contains(&start) && follow(&toy, e).fair && yields.iter().all(|&n| n <= 1)
            });
        if simple {
            found += 1;
            assert!(
                !stateful(&toy, ALGORITHM_1).found.endless.is_empty(),
                "{toy:?}"
            );
        }
    }
    assert!(found > 300, "{found}");
}

/// Without a store the algorithm generates the same. If the graph of states and memories has a cycle, it goes on for
/// ever; otherwise it visits the same states.
#[test]
fn with_and_without_a_store() {
    let (mut endless, mut ended) = (0, 0);
    for toy in toys(5, 600) {
        let stored = stateful(&toy, ALGORITHM_1);
        let nodes = toy.nodes();
        if nodes > 60 {
            continue;
        }
        let free = stateless(&toy, nodes + 1);
        assert_eq!(
            free.found.long.is_some(),
            !stored.found.endless.is_empty(),
            "{toy:?}"
        );
        if free.found.long.is_some() {
            endless += 1;
        } else {
            assert_eq!(free.states, stored.states);
            ended += 1;
        }
    }
    assert!(endless > 100 && ended > 100, "{endless} {ended}");
}
