//! Tries every set of states: is there a fair cycle, or one in which some task never sleeps?

use fastrand::Rng;

use super::super::tasks::Tasks;
use super::toy::{EVERY_SCHEDULE, Toy, stateful};
use machine::found::Endless;

/// Whether a set of states is strongly connected by steps that count and stay in it.
fn connected(toy: &Toy, set: u32, counts: &dyn Fn(u32, bool) -> bool) -> bool {
    let inside = |n: u32| set >> n & 1 == 1;
    let steps: Vec<_> = (toy.edges().into_iter())
        .filter(|&(from, task, to, slept)| inside(from) && inside(to) && counts(task, slept))
        .collect();
    let reach = |start: u32| {
        let mut seen = 0u32;
        let mut todo = vec![start];
        while let Some(state) = todo.pop() {
            for &(_, _, to, _) in steps.iter().filter(|s| s.0 == state) {
                if seen >> to & 1 == 0 {
                    seen |= 1 << to;
                    todo.push(to);
                }
            }
        }
        seen
    };
    (0..32).filter(|&n| inside(n)).all(|n| reach(n) == set)
}

/// Whether there is a fair cycle. It exists if some set of states, connected by their steps, has one that visits
/// all states of the set and makes all of the steps.
pub fn fair(toy: &Toy) -> bool {
    sets(toy).any(|set| {
        let inside = |n: u32| set >> n & 1 == 1;
        let mut enabled = Tasks::new();
        (0..32)
            .filter(|&n| inside(n))
            .for_each(|n| enabled.add(&toy.tasks_in(n)));
        let edges = toy.edges();
        let ran = edges.iter().filter(|e| inside(e.0) && inside(e.2));
        let ran: Tasks = ran.map(|e| e.1).collect();
        connected(toy, set, &|_, _| true) && enabled.minus(&ran).is_empty()
    })
}

/// Whether some task can run for ever without sleeping.
pub fn sleepless(toy: &Toy) -> bool {
    let tasks = u32::try_from(toy.0[0].len()).unwrap();
    (0..tasks).any(|task| {
        sets(toy).any(|set| {
            let inside = |n: u32| set >> n & 1 == 1;
            let runs =
                |e: &(u32, u32, u32, bool)| e.1 == task && !e.3 && inside(e.0) && inside(e.2);
            toy.edges().iter().any(runs) && connected(toy, set, &|t, slept| t != task || !slept)
        })
    })
}

/// The sets of reachable states.
fn sets(toy: &Toy) -> impl Iterator<Item = u32> {
    let all = toy.reachable(|_| true);
    let mask: u32 = all.iter().map(|n| 1 << n).sum();
    (1..1u32 << toy.0.len()).filter(move |set| set & !mask == 0)
}

/// What kind of loop a lasso has.
#[derive(Debug, PartialEq, Eq)]
pub struct Round {
    pub fair: bool,
    pub sleepless: bool,
}

/// Where the loop of a lasso begins.
pub fn start(toy: &Toy, endless: &Endless) -> u32 {
    let steps = endless.stem.steps.iter();
    steps.fold(0, |state, step| toy.goes(state, step).0)
}

/// Follows a lasso; it has to lead back to where it began.
pub fn follow(toy: &Toy, endless: &Endless) -> Round {
    let start = start(toy, endless);
    let (mut enabled, mut ran, mut slept) = (Tasks::new(), Tasks::new(), Tasks::new());
    let mut state = start;
    assert!(!endless.turn.is_empty());
    for step in &endless.turn {
        enabled.add(&toy.tasks_in(state));
        ran.insert(step.place);
        let (to, sleeps) = toy.goes(state, step);
        if sleeps {
            slept.insert(step.place);
        }
        state = to;
    }
    assert_eq!(state, start, "{toy:?} {endless:?}");
    Round {
        fair: enabled.minus(&ran).is_empty(),
        sleepless: !ran.minus(&slept).is_empty(),
    }
}

#[test]
fn the_search_finds_what_is_there() {
    let mut rng = Rng::with_seed(1);
    let mut figures = [0; 4];
    for _ in 0..3000 {
        let (states, tasks) = (rng.u32(1..7), rng.u32(1..4));
        let toy = Toy::random(&mut rng, states, tasks);
        let seen = stateful(&toy, EVERY_SCHEDULE);
        assert_eq!(seen.states.len(), toy.reachable(|_| true).len());
        let rounds: Vec<_> = (seen.found.endless.iter())
            .map(|endless| follow(&toy, endless))
            .collect();
        assert!(rounds.iter().all(|r| r.fair || r.sleepless));
        let (is_fair, is_sleepless) = (fair(&toy), sleepless(&toy));
        assert_eq!(rounds.iter().any(|r| r.fair), is_fair, "{toy:?}");
        assert_eq!(rounds.iter().any(|r| r.sleepless), is_sleepless, "{toy:?}");
        figures[usize::from(is_fair) * 2 + usize::from(is_sleepless)] += 1;
    }
    // Each combination of answers occurs.
    assert!(figures.iter().all(|&n| n > 10), "{figures:?}");
}
