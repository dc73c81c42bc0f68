//! Random programs that go round in circles: the fast machine against the interpreter, and the
//! search without a store against the one with it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::super::model::{Endless, Model, Path};
use super::super::report::Report;
use super::super::rules::Rules;
use super::super::space::Programmed;
use super::super::{Space, stateful, stateless};
use super::interpreted::Interpreted;
use super::toy::{ALGORITHM_1, EVERY_SCHEDULE};
use crate::explore::tests::compile;
use crate::explore::{explore, prepare_with};
use crate::ir::{ErrorKind, Program};
use crate::options::{ExploreOptions, Limits, Scheduler, Sought};
use crate::trace::{Schedule, replay};

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

/// What a search with a store comes to.
#[derive(Debug)]
struct Result {
    states: u64,
    /// The kinds of errors that the replay of what was found shows.
    kinds: BTreeSet<ErrorKind>,
}

fn result<A: Copy>(
    program: &Program,
    report: &Report<A>,
    schedule: impl Fn(&Path<A>) -> Schedule,
    forever: impl Fn(&Endless<A>, usize) -> Schedule,
) -> Option<Result> {
    if report.cut || report.limit.is_some() {
        return None;
    }
    let show = |s: &Schedule| replay(program, Scheduler::Bag, s);
    let failing = report.bugs.values().map(|path| show(&schedule(path)));
    let endless = report
        .endless
        .iter()
        .map(|e| show(&forever(e, 0)).or_else(|_| show(&forever(e, 1))));
    let bugs = failing.chain(endless).map(|shown| match shown {
        Ok((_, Some(bug))) => bug.kind,
        other => panic!("{other:?}"),
    });
    Some(Result {
        kinds: bugs.collect(),
        states: report.counts.states?,
    })
}

fn fast(program: &Program, rules: Rules) -> Option<Result> {
    let options = options();
    let shared = prepare_with(program, &options, false);
    let mut model = Programmed::stored(program, Space::new(&shared, &options), &options);
    let mut report = Report::new(&options);
    stateful::search(&mut model, rules, &mut report, &mut |_| {});
    let schedule = |path: &Path<_>| model.schedule(path);
    let forever = |e: &Endless<_>, n: usize| model.forever(e, n);
    result(program, &report, schedule, forever).filter(|_| model.refusal.is_none())
}

fn slow(program: &Program, rules: Rules) -> Option<Result> {
    let mut model = Interpreted::new(program, Scheduler::Bag);
    let mut report = Report::new(&options());
    stateful::search(&mut model, rules, &mut report, &mut |_| {});
    let schedule = |path: &Path<_>| model.schedule(path);
    let forever = |e: &Endless<_>, n: usize| model.forever(e, n);
    result(program, &report, schedule, forever).filter(|_| model.refused.is_none())
}

/// So many seeds; or with `SECONDS` in the environment as many as there is time for, from `SEED` on.
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
    for seed in seeds(0, 400) {
        let text = text(seed);
        let program = compile("random", &text);
        let rules = if seed % 4 == 0 {
            ALGORITHM_1
        } else {
            EVERY_SCHEDULE
        };
        let (fast, slow) = (fast(&program, rules), slow(&program, rules));
        if let (Some(fast), Some(slow)) = (fast, slow) {
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

/// What the command line shows has been replayed, or it would say that it cannot be; bounds only take away.
#[test]
fn everything_that_is_found_is_shown() {
    for seed in seeds(10_000, 400) {
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
        let kinds = |answer: &crate::answer::Answer| -> BTreeSet<ErrorKind> {
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
    for seed in seeds(20_000, 400) {
        let text = text(seed);
        let program = compile("random", &text);
        let Some(found) = slow(&program, EVERY_SCHEDULE) else {
            continue;
        };
        let livelock = [ErrorKind::Livelock, ErrorKind::GoodSamaritan];
        if livelock.iter().any(|k| found.kinds.contains(k)) {
            continue;
        }
        let states = |rules| {
            let mut model = Interpreted::new(&program, Scheduler::Bag);
            let mut report = Report::new(&options());
            let mut states = rustc_hash::FxHashSet::default();
            stateful::search(&mut model, rules, &mut report, &mut |s| {
                states.insert(s.clone());
            });
            (states, report.nodes)
        };
        let (stored, nodes) = states(ALGORITHM_1);
        if nodes > 150 {
            continue;
        }
        let mut model = Interpreted::new(&program, Scheduler::Bag);
        let mut report = Report::new(&ExploreOptions {
            max_steps: nodes + 1,
            ..options()
        });
        let mut visited = rustc_hash::FxHashSet::default();
        stateless::search(&mut model, ALGORITHM_1, &mut report, &mut |s| {
            visited.insert(<_>::clone(s));
        });
        assert!(report.long.is_none(), "{text}");
        assert_eq!(visited, stored, "{text}");
        ended += 1;
        complete += u32::from(states(EVERY_SCHEDULE).0 == visited);
    }
    assert!(
        ended > 20 && complete * 100 > ended * 85,
        "{complete} of {ended}"
    );
}

/// The interpreter names its states like the space: a place is a number less one.
#[test]
fn tasks_have_the_same_numbers() {
    let text = "proc q() { yield; } proc main() { post q(); post q(); yield; post q(); }";
    let program = compile("numbers", text);
    let options = options();
    let shared = prepare_with(&program, &options, false);
    let mut fast = Programmed::stored(&program, Space::new(&shared, &options), &options);
    let mut slow = Interpreted::new(&program, Scheduler::Bag);
    let fast_tasks: Vec<u32> = fast.begin().iter().map(|s| s.task).collect();
    let slow_tasks: Vec<u32> = slow.begin().iter().map(|s| s.task).collect();
    assert_eq!(fast_tasks, slow_tasks);
}
