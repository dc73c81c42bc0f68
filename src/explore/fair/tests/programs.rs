//! Random programs that go round in circles: the fast machine against the interpreter, and the
//! search without a store against the one with it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::super::answer::forever;
use super::super::rules::Rules;
use super::super::search;
use super::super::search::search as stored;
use super::super::system::{Fair, Memories};
use super::toy::{ALGORITHM_1, EVERY_SCHEDULE};
use crate::strategy::{Expansion, System};
use crate::tests::compile;
use crate::tests::reference;
use crate::tests::slow::Slow;
use crate::{prepare_with, worker};
use ir::{ErrorKind, Program};
use machine::found::{Found, Trail};
use machine::schedule::schedule;
use machine::space::Space;
use options::{ExploreOptions, Limits, Scheduler, Sought, Strategy};
use symbolic::explore;
use trace::{Schedule, replay};

/// A program whose tasks loop while something shared lasts.
fn text(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut out = String::new();
    if rng.bool() {
        out += "preempt statement;\n";
    }
    out += "var x: 0..2 := 0;\nvar b: bool := false;\n";
    let handles = rng.u32(0..4) == 0;
    if handles {
        out += "var t: task;\n";
    }
    out += "proc short() { b := !b; }\n";
    let tasks = rng.u32(1..4);
    for i in 0..tasks {
        let _ = writeln!(out, "proc p{i}() {{\n  var n: 0..2 := 0;");
        statements(&mut rng, &mut out, 2);
        if rng.u32(0..4) > 0 {
            let condition = truth(&mut rng);
            let _ = writeln!(out, "while {condition} {{");
            statements(&mut rng, &mut out, 2);
            out += if rng.u32(0..3) > 0 {
                "sleep;\n"
            } else {
                "yield;\n"
            };
            out += "}\n";
        }
        statements(&mut rng, &mut out, 1);
        out += "}\n";
    }
    out += "proc main() {\n";
    for i in 0..tasks {
        let which = if rng.bool() { i } else { rng.u32(0..tasks) };
        let _ = writeln!(out, "post p{which}();");
    }
    out + "}\n"
}

fn statements(rng: &mut Rng, out: &mut String, most: u32) {
    let own = out.contains("var t: task");
    for _ in 0..rng.u32(0..=most) {
        let line = match rng.u32(0..15) {
            0 | 1 => format!("x := {};", number(rng)),
            2 => format!("b := {};", truth(rng)),
            3 => format!("n := {};", number(rng)),
            4 => "yield;".into(),
            5 => "sleep;".into(),
            6 | 7 => format!("if {} {{ x := {}; }}", truth(rng), number(rng)),
            8 => format!("await {};", truth(rng)),
            9 => format!("await {} {{ b := !b; }}", truth(rng)),
            10 => "havoc n;".into(),
            11 => "if * { b := true; } else { sleep; }".into(),
            12 if own => "t := self;".into(),
            13 => "post short(); await b;".into(),
            _ => format!("assert x != 2 || {};", truth(rng)),
        };
        let _ = writeln!(out, "{line}");
    }
}

fn number(rng: &mut Rng) -> &'static str {
    ["0", "1", "2", "n", "(x + 1) % 3", "(x + n) % 3"][rng.usize(0..6)]
}

fn truth(rng: &mut Rng) -> &'static str {
    ["b", "!b", "x == 0", "x != 1", "x == n", "n == 0"][rng.usize(0..6)]
}

fn options() -> ExploreOptions {
    ExploreOptions {
        all: true,
        sought: Sought::Livelocks,
        max_steps: 60,
        limits: Limits {
            memory: 3 << 20,
            ..Limits::default()
        },
        ..ExploreOptions::default()
    }
}

/// The result of a search with a store.
#[derive(Debug)]
struct Result {
    states: u64,
    /// The kinds of errors that the replay of what was found shows.
    kinds: BTreeSet<ErrorKind>,
}

fn result(
    program: &Program,
    found: &Found,
    schedule: impl Fn(&Trail) -> Schedule,
) -> Option<Result> {
    if found.cut || found.limit.is_some() || found.refusal.is_some() {
        return None;
    }
    let show = |s: &Schedule| replay(program, Scheduler::Bag, s);
    let failing = found.bugs.values().map(|trail| show(&schedule(trail)));
    let endless = (found.endless.iter()).map(|e| {
        let shown = |turns| show(&forever(e, turns, &schedule));
        shown(0).or_else(|_| shown(1))
    });
    let bugs = failing.chain(endless).map(|shown| match shown {
        Ok((_, Some(bug))) => bug.kind,
        other => panic!("{other:?}"),
    });
    Some(Result {
        kinds: bugs.collect(),
        states: found.counts.states?,
    })
}

fn fast(program: &Program, rules: Rules) -> Option<Result> {
    let options = options();
    let shared = prepare_with(program, &options, false);
    let space = Space::new(&shared, &options);
    let memories = Memories::default();
    let found = search(|| worker(space, &options), (rules, &memories), &options);
    result(program, &found, |trail| schedule(program, space, trail))
}

fn slow(program: &Program, rules: Rules) -> Option<Result> {
    let (options, memories) = (options(), Memories::default());
    let mut fair = Fair::new(Slow::new(program, &options), rules, &memories);
    let found = stored(&mut fair, &options);
    let slow = &fair.inner;
    let refused = slow.refused.is_some();
    result(program, &found, |trail| slow.schedule(trail)).filter(|_| !refused)
}

/// Gives `count` seeds; with `SECONDS` in the environment as many as there is time for. `SEED` there is the first one.
fn seeds(from: u64, count: u64) -> impl Iterator<Item = u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let end = given("SECONDS").map(|s| Instant::now() + Duration::from_secs(s));
    let from = given("SEED").unwrap_or(from);
    (from..).take_while(move |&seed| match end {
        Some(end) => Instant::now() < end,
        None => seed < from + count,
    })
}

#[test]
fn both_machines_find_the_same() {
    let mut kinds = BTreeSet::new();
    for seed in seeds(0, 240) {
        let text = text(seed);
        let program = compile("random", &text);
        let rules = if seed % 4 == 0 {
            ALGORITHM_1
        } else {
            EVERY_SCHEDULE
        };
        let fast = fast(&program, rules);
        let both = fast.and_then(|fast| Some((fast, slow(&program, rules)?)));
        if let Some((fast, slow)) = both {
            assert_eq!(fast.kinds, slow.kinds, "(fast, interpreted) {seed}\n{text}");
            // Values that are chosen late can make more states.
            let choices = text.contains("havoc") || text.contains('*');
            assert!(choices || fast.states <= slow.states, "{seed}\n{text}");
            kinds.extend(fast.kinds);
        }
    }
    use ErrorKind::{Assertion, Deadlock, GoodSamaritan, Livelock};
    let all = BTreeSet::from([Assertion, Deadlock, GoodSamaritan, Livelock]);
    assert_eq!(kinds, all, "the programs are no one-sided test");
}

/// Everything that the command line shows has been replayed; else it would report an internal error. Bounds only leave bugs out.
#[test]
fn everything_that_is_found_is_shown() {
    for seed in seeds(10_000, 240) {
        let text = text(seed);
        let program = compile("random", &text);
        let ask = |preemptions: Option<u32>| {
            let options = ExploreOptions {
                preemptions,
                ..options()
            };
            let answer = explore(&program, &options);
            assert!(!answer.summary.contains("internal"), "{answer:?}\n{text}");
            let internal = answer.notes.iter().find(|n| n.message.contains("internal"));
            assert_eq!(internal, None, "{text}");
            answer
        };
        let kinds = |answer: &answer::Answer| -> BTreeSet<ErrorKind> {
            // The same part of the graph can be shown by a fair loop or by another one.
            let kinds = answer.bugs.iter().map(|b| match b.kind {
                ErrorKind::GoodSamaritan => ErrorKind::Livelock,
                kind => kind,
            });
            kinds.collect()
        };
        let every = ask(None);
        if every.exhaustive && !every.budget_spent {
            for p in [0, 2] {
                let bounded = ask(Some(p));
                assert!(kinds(&bounded).is_subset(&kinds(&every)), "{p}\n{text}");
            }
        }
    }
}

/// Theorem 2 on programs: where nothing is endless, every execution of the fair scheduler ends; and it visits
/// the states that the search with a store visits under the same rules.
#[test]
fn the_fair_scheduler_ends() {
    let (mut ended, mut complete) = (0, 0);
    for seed in seeds(20_000, 240) {
        let text = text(seed);
        let program = compile("random", &text);
        // What is too much for the fast machine is too much for the interpreter.
        let fits = fast(&program, EVERY_SCHEDULE).is_some();
        let Some(found) = fits.then(|| slow(&program, EVERY_SCHEDULE)).flatten() else {
            continue;
        };
        let livelock = [ErrorKind::Livelock, ErrorKind::GoodSamaritan];
        if livelock.iter().any(|k| found.kinds.contains(k)) {
            continue;
        }
        let (asked, memories) = (options(), Memories::default());
        let mut fair = Fair::new(Slow::new(&program, &asked), ALGORITHM_1, &memories);
        let nodes = reference::search(&mut fair, &asked).counts.states.unwrap();
        if nodes > 150 {
            continue;
        }
        let states = |rules, strategy| {
            let options = ExploreOptions {
                strategy,
                max_steps: nodes + 1,
                limits: Limits::default(),
                ..options()
            };
            let system = || Slow::new(&program, &options);
            let found = search(system, (rules, &Memories::default()), &options);
            assert!(found.long.is_none(), "{text}");
            found.counts.states.unwrap()
        };
        // All states that are generated lie in the graph, so equal numbers of states mean equal states.
        let visited = states(ALGORITHM_1, Strategy::Stateless);
        assert_eq!(visited, states(ALGORITHM_1, Strategy::Stateful), "{text}");
        ended += 1;
        complete += u32::from(states(EVERY_SCHEDULE, Strategy::Stateful) == visited);
    }
    assert!(
        ended > 20 && complete * 100 > ended * 85,
        "{complete} of {ended}"
    );
}

/// Both machines have a task at the same place.
#[test]
fn tasks_have_the_same_places() {
    fn places(mut system: impl System) -> Vec<Vec<u32>> {
        let mut out = Expansion::default();
        system.begin(&mut out);
        let mut rows = vec![out.moves.row(0).to_vec()];
        let mut all = Vec::new();
        while let Some(row) = rows.pop() {
            system.expand(&row, &mut out);
            all.push(out.moves.iter().map(|m| m.step.place).collect());
            rows.extend((0..out.moves.len()).map(|i| out.moves.row(i).to_vec()));
        }
        all
    }
    let text = "proc q() { yield; } proc main() { post q(); post q(); yield; post q(); }";
    let program = compile("numbers", text);
    let options = options();
    let shared = prepare_with(&program, &options, false);
    let space = Space::new(&shared, &options);
    assert_eq!(
        places(worker(space, &options)),
        places(Slow::new(&program, &options))
    );
}
