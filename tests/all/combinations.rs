//! Options that change how a search works change nothing in its answer: random programs, with any options together.
//!
//! `COMBINATIONS=N` compares N random programs, `COMBINATIONS_SEED=S` begins with seed S.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::c_reduced;
use dbverify::Question;
use dbverify::answer::{Answer, Engine, Verdict};
use dbverify::check::CheckOptions;
use dbverify::decide;
use dbverify::ir::ErrorKind;
use dbverify::options::{
    EngineChoice, ExploreOptions, Limits, ProveOptions, Scheduler, Sought, Strategy, Values,
    VerifyOptions,
};
use fastrand::Rng;
use testing::open_values;
use testing::random_program::{random_program, rich_program, wild_program};

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

fn answer((name, text): (&str, &str), question: &Question) -> Answer {
    decide(name, text, &CheckOptions::default(), question).unwrap_or_else(|_| panic!("{text}"))
}

/// The question: the scheduler, the budget and the sought errors. All other options say how to search.
fn asked(rng: &mut Rng) -> ExploreOptions {
    let mut asked = ExploreOptions {
        work: Some(20_000),
        ..ExploreOptions::default()
    };
    asked.scheduler = [
        Scheduler::Bag,
        Scheduler::Bag,
        Scheduler::Bag,
        Scheduler::BoundedBag(1),
        Scheduler::RoundRobin,
        Scheduler::DepthFirst,
        Scheduler::ReverseDepthFirst,
    ][rng.usize(..7)];
    let budget = Some(rng.u32(..4));
    match (asked.scheduler, rng.usize(..4)) {
        (Scheduler::Bag, 0) => asked.preemptions = budget,
        (Scheduler::Bag, 1) => asked.switches = budget,
        (Scheduler::Bag | Scheduler::BoundedBag(_), _) | (_, 0) => {}
        _ => asked.delays = budget,
    }
    if asked.scheduler == Scheduler::Bag && !asked.has_budget() && rng.usize(..4) == 0 {
        asked.sought = Sought::Races;
    }
    asked
}

/// The same question as it is put to several engines, if it can be.
fn for_engines(rng: &mut Rng, asked: &ExploreOptions) -> Option<Question> {
    let one = matches!(
        asked.scheduler,
        Scheduler::DepthFirst | Scheduler::ReverseDepthFirst
    );
    let any = asked.scheduler == Scheduler::Bag && !asked.has_budget();
    let plain = asked.sought == Sought::Failures && (any || one && asked.delays.is_some());
    if !plain || rng.usize(..3) > 0 {
        return None;
    }
    let limits = Limits {
        timeout: Duration::from_millis(500),
        ..Limits::default()
    };
    if any && rng.usize(..3) == 0 {
        return Some(Question::Proof(ProveOptions {
            limits,
            ..ProveOptions::default()
        }));
    }
    let delays = asked.delays.unwrap_or(0);
    Some(Question::Delays(VerifyOptions {
        delays_from: delays,
        delays_to: delays,
        any_delays: any,
        engine: [
            EngineChoice::Auto,
            EngineChoice::Explicit,
            EngineChoice::Smt,
        ][rng.usize(..3)],
        scheduler: match any {
            true => Scheduler::DepthFirst,
            false => asked.scheduler,
        },
        finals: rng.usize(..4) == 0,
        limits,
        ..VerifyOptions::default()
    }))
}

/// The same question, asked in another way.
fn varied(rng: &mut Rng, asked: &ExploreOptions) -> ExploreOptions {
    let mut varied = asked.clone();
    if varied.sought == Sought::Failures && rng.usize(..8) == 0 {
        varied.sought = [Sought::Livelocks, Sought::Divergences][rng.usize(..2)];
        return varied;
    }
    varied.walks_first = rng.bool();
    varied.reduction = rng.usize(..3) > 0;
    varied.coverage = rng.usize(..3) == 0;
    varied.all = rng.bool();
    varied.finals = rng.usize(..3) == 0;
    varied.jobs = rng.usize(1..=3);
    varied.values = match rng.usize(..12) {
        0 => Values::Terms,
        1..6 => Values::Numbers,
        _ => Values::Fitting,
    };
    let free = asked.scheduler == Scheduler::Bag && !asked.has_budget();
    varied.strategy = match rng.usize(..4) {
        0 if free => Strategy::Dpor,
        1 => Strategy::Stateless,
        _ => Strategy::Stateful,
    };
    if varied.strategy == Strategy::Stateful && varied.sought == Sought::Failures {
        varied.shortest = rng.usize(..4) == 0;
        if varied.values == Values::Numbers && rng.usize(..4) == 0 {
            varied.compact = Some(64);
        }
    }
    varied
}

/// The kinds and places of the bugs. Of a race either place may be named, and other questions have bugs of their own.
fn errors(answer: &Answer) -> BTreeSet<(&'static str, Option<u32>)> {
    let bugs = answer.bugs.iter();
    let bugs = bugs.filter(|b| !matches!(b.kind, ErrorKind::Livelock | ErrorKind::Divergence));
    bugs.map(|b| match b.kind {
        ErrorKind::Race => (b.kind.name(), None),
        _ => (b.kind.name(), b.span.map(|s| s.start)),
    })
    .collect()
}

/// Whether the answer covers the whole question within its budget.
fn whole(answer: &Answer, question: &Question) -> bool {
    let all = matches!(question, Question::Schedules(options) if options.all);
    match answer.verdict {
        Verdict::Safe | Verdict::Proved => answer.exhaustive,
        Verdict::Bug => answer.exhaustive && all,
        Verdict::Inconclusive(_) => false,
    }
}

/// Compares two answers to one question. Returns how they contradict each other, if they do.
fn contradiction(first: (&Answer, &Question), second: (&Answer, &Question)) -> Option<String> {
    let said = format!("{:?}\n{:?}\n{:?}", first.1, second.1, second.0);
    for ((a, asked), (b, _)) in [(first, second), (second, first)] {
        let more = errors(b)
            .difference(&errors(a))
            .any(|e| a.races || e.0 != "race");
        if whole(a, asked) && more {
            return Some(format!("{:?} and {:?}\n{said}", errors(a), errors(b)));
        }
    }
    if !whole(first.0, first.1) || !whole(second.0, second.1) {
        return None;
    }
    let (a, b) = (first.0, second.0);
    if let (Some(a), Some(b)) = (&a.finals, &b.finals)
        && first.0.open_finals.is_empty()
        && second.0.open_finals.is_empty()
        && a != b
    {
        return Some(format!("finals {a:?} and {b:?}\n{said}"));
    }
    // The solver may say so of a budget that the explicit engine knows to be enough.
    let solved = b.engine == Engine::Smt && b.budget_spent;
    (a.budget_spent != b.budget_spent && a.verdict == Verdict::Safe && !solved)
        .then(|| format!("spent {} and {}\n{said}", a.budget_spent, b.budget_spent))
}

#[test]
fn how_a_search_works_changes_nothing_in_its_answer() {
    let (count, first) = (number("COMBINATIONS", 120), number("COMBINATIONS_SEED", 1));
    let (mut compared, mut settled, mut wrong) = (0, 0, 0);
    for seed in first..first + count {
        let mut rng = Rng::with_seed(seed);
        let (name, text) = match seed % 6 {
            0 => ("it.async", rich_program(seed).text()),
            1 => ("it.async", wild_program(seed).text()),
            2 if seed % 4 == 0 => ("it.async", open_values::narrowed(seed)),
            2 => ("it.async", open_values::program(seed)),
            3 => ("it.i", c_reduced::program(&mut Rng::with_seed(seed))),
            _ => ("it.async", random_program(seed).text()),
        };
        let program = (name, text.as_str());
        for _ in 0..2 {
            let asked = asked(&mut rng);
            let plain = ExploreOptions {
                all: true,
                finals: true,
                reduction: false,
                walks_first: false,
                ..asked.clone()
            };
            let plain = Question::Schedules(plain);
            let expected = answer(program, &plain);
            for _ in 0..6 {
                let varied = for_engines(&mut rng, &asked)
                    .unwrap_or_else(|| Question::Schedules(varied(&mut rng, &asked)));
                let found = answer(program, &varied);
                compared += 1;
                settled += u64::from(found.is_settled() && expected.is_settled());
                let wrongs = contradiction((&expected, &plain), (&found, &varied));
                if let Some(words) = wrongs {
                    println!("seed {seed}\n{text}\n{words}\nexpected {expected:?}\n=====");
                    wrong += 1;
                }
            }
        }
    }
    println!("{compared} comparisons, {settled} of them settled");
    assert_eq!(wrong, 0);
    assert!(settled * 2 > compared);
}

/// No state lies before the access behind the post, so the search follows executions instead of states, also if it knows a bug by then.
#[test]
fn all_bugs_are_told_where_states_do_not_tell_races() {
    let text = "var x: 0..1 := 0;
        proc main() { if * { assert false; } post p(); x := 1; }
        proc p() { assert x == 1; }";
    for values in [Values::Fitting, Values::Numbers, Values::Terms] {
        let asked = ExploreOptions {
            sought: Sought::Races,
            all: true,
            values,
            ..ExploreOptions::default()
        };
        let found = answer(("it.async", text), &Question::Schedules(asked));
        let kinds: Vec<_> = found.bugs.iter().map(|b| b.kind.name()).collect();
        assert_eq!(kinds, ["assertion", "race"], "{values:?}");
    }
}

/// A step writes a variable that another step reads, and then fails. Both orders end alike, so a search might try only one.
#[test]
fn an_access_before_a_failing_assertion_races_in_executions() {
    for write in ["x := x;", "x := 1;", "x := x + 1;"] {
        let text = format!(
            "preempt yield;
            var x: 0..6 := 2; var y: 0..6 := 0;
            proc reads() {{ y := x; }}
            proc main() {{ post reads(); yield; {write} assert false; }}"
        );
        for strategy in [Strategy::Stateful, Strategy::Dpor] {
            let asked = ExploreOptions {
                sought: Sought::Races,
                all: true,
                strategy,
                ..ExploreOptions::default()
            };
            let found = answer(("it.async", &text), &Question::Schedules(asked));
            let kinds: Vec<_> = found.bugs.iter().map(|b| b.kind.name()).collect();
            assert_eq!(kinds, ["assertion", "race"], "{strategy:?} {text}");
        }
    }
}

/// An assumption that fails beside a write may hold behind it.
#[test]
fn an_access_before_a_failing_assumption_races() {
    for before in [
        "assume x > 1;",
        "yield; y := x; assume y > 1;",
        "var d: 0..6; havoc d; assume d < x;",
    ] {
        let text = format!(
            "var x: 0..6 := 0; var y: 0..6 := 0;
            proc reads() {{ {before} }}
            proc writes() {{ x := 2; }}
            proc main() {{ post reads(); post writes(); if * {{ assert false; }} }}"
        );
        for values in [Values::Fitting, Values::Numbers, Values::Terms] {
            let asked = ExploreOptions {
                sought: Sought::Races,
                all: true,
                walks_first: false,
                values,
                ..ExploreOptions::default()
            };
            let found = answer(("it.async", &text), &Question::Schedules(asked));
            let kinds: Vec<_> = found.bugs.iter().map(|b| b.kind.name()).collect();
            assert_eq!(kinds, ["assertion", "race"], "{values:?} {text}");
        }
    }
}
