use std::collections::BTreeSet;

use super::*;
use answer::{Answer, Verdict};
use check::CheckOptions;
use ir::{ErrorKind, Program};
use options::{ExploreOptions, Scheduler, Strategy, Values};
use testing::generate::{self, Features};
use testing::random_program::{random_program, rich_program, wild_program};
use testing::{objects, open_values};

fn program(text: &str) -> Program {
    let compiled = compile::compile("test", text, &CheckOptions { preempt: None });
    let complaints = format!("{:?}", compiled.diagnostics);
    compiled.program.expect(&complaints)
}

/// Returns the kinds of failures in an answer; `None` if it is inconclusive or shows a fault of ours.
fn failures(answer: &Answer) -> Option<BTreeSet<ErrorKind>> {
    let fault = answer.notes.iter().any(|n| n.message.contains("dbverify"));
    let settled = !matches!(answer.verdict, Verdict::Inconclusive(_)) && !fault;
    settled.then(|| answer.bugs.iter().map(|b| b.kind).collect())
}

/// Whether terms and numbers find the same failures; `None` where numbers settle nothing.
fn compared(text: &str, options: &ExploreOptions) -> Option<bool> {
    let program = program(text);
    let asked = |values| ExploreOptions {
        values,
        all: true,
        // A wrong rule may make the search endless.
        work: Some(20_000),
        ..options.clone()
    };
    let numbers = crate::explore(&program, &asked(Values::Numbers));
    // Runs in this thread: only here the wrong rule is on.
    let terms = crate::answer::explore(&program, &asked(Values::Terms));
    let numbers = failures(&numbers)?;
    Some(Some(numbers) == failures(&terms))
}

fn agree(text: &str, options: &ExploreOptions) -> bool {
    compared(text, options).expect("numbers settle it")
}

fn is_found(mutant: Mutant, options: &ExploreOptions, text: &str) {
    assert!(agree(text, options), "{mutant:?}: without it");
    ON.set(Some(mutant));
    let agree = agree(text, options);
    ON.set(None);
    assert!(!agree, "{mutant:?}");
}

#[test]
fn wrong_states_are_found() {
    let all = ExploreOptions::default();
    is_found(
        Mutant::KeysHaveNoPath,
        &all,
        "var n: 0..20; var x: 0..1 := 0;
        proc main() { if n > 10 { x := 1; } else { x := 1; } yield; if n <= 10 { assert n != 3; } }",
    );
    is_found(
        Mutant::MoreIsLess,
        &all,
        "var n: 0..20; proc main() { if * { assume n > 10; } yield; assert n != 3; }",
    );
    is_found(
        Mutant::TheDeadAreForgotten,
        &all,
        "var a: 0..9; var b: 0..9;
        proc main() { { var d: 0..9; havoc d; assume a < d; assume d < b; } yield; assert a < b; }",
    );
    is_found(
        Mutant::TheUnbornReadNothing,
        &all,
        "var n: 0..9; proc looks() { assert n != 3; } proc main() { yield; post looks(); }",
    );
    is_found(
        Mutant::DeadlocksAreClosed,
        &all,
        "var n: 0..9; proc waits() { await n > 5; } proc main() { post waits(); }",
    );
    is_found(
        Mutant::NamesComeAgain,
        &all,
        "var a: 0..3; var b: 0..3; proc main() { assert a == b; }",
    );
}

/// Programs with bugs whose conditions a solver has to decide, each with the options of the search.
fn undecided() -> Vec<(&'static str, ExploreOptions)> {
    let all = ExploreOptions::default();
    let dpor = ExploreOptions {
        strategy: Strategy::Dpor,
        ..all.clone()
    };
    let delays = ExploreOptions {
        scheduler: Scheduler::DepthFirst,
        delays: Some(0),
        ..all.clone()
    };
    let branch = "var n: 0..20; proc main() { assert n != 3; }";
    let both =
        "var n: 0..20; proc main() { if n > 10 { assert n != 13; } else { assert n != 3; } }";
    let waits =
        "var n: 0..9; proc waits() { await n > 5; } proc main() { assume n != 0; post waits(); }";
    let opens = "var n: 0..9; proc waits() { await n > 5; assert n != 7; }
        proc main() { post waits(); }";
    let loops = "var n: 0..9; proc main() { while n > 3 { n := n - 1; } assert n != 3; }";
    let ends = "var n: 0..9; proc main() { yield; } finally { assert n != 3; }";
    let texts = [branch, both, waits, opens, loops, ends];
    let each = texts.into_iter();
    each.flat_map(|text| [&all, &dpor, &delays].map(|options| (text, options.clone())))
        .collect()
}

#[test]
fn what_no_solver_decides_is_not_taken_for_an_answer() {
    let verdict = |text: &str, options: &ExploreOptions| {
        let asked = ExploreOptions {
            values: Values::Terms,
            work: Some(20_000),
            ..options.clone()
        };
        crate::answer::explore(&program(text), &asked).verdict
    };
    let mut wrong = 0;
    for (text, options) in undecided() {
        assert_eq!(verdict(text, &options), Verdict::Bug, "{text}");
        SILENT.set(true);
        let silent = verdict(text, &options);
        ON.set(Some(Mutant::TheUnknownIsFalse));
        let pruned = verdict(text, &options);
        ON.set(None);
        SILENT.set(false);
        assert_ne!(silent, Verdict::Safe, "{text}");
        wrong += u32::from(pruned == Verdict::Safe);
    }
    assert!(wrong > 6, "{wrong}");
}

#[test]
fn an_evaluation_that_is_not_total_is_found() {
    is_found(
        Mutant::DivisionIsPartial,
        &ExploreOptions::default(),
        "var d: 0..9; var x: 0..9;
        proc main() { if d != 0 && x / d > x { assert d > 9; } }",
    );
}

#[test]
fn wrong_budgets_are_found() {
    let delays = |delays| ExploreOptions {
        scheduler: Scheduler::DepthFirst,
        delays: Some(delays),
        ..ExploreOptions::default()
    };
    is_found(
        Mutant::OneCaseIsEnough,
        &delays(0),
        "var n: 0..9; proc waits() { await n > 5; assert n != 7; } proc main() { post waits(); }",
    );
    // The execution that delays `waits` is the first to reach the second part, and has no delay left there.
    is_found(
        Mutant::KeysHaveNoBudgets,
        &delays(1),
        "var n: 0..1; var set: bool := false; var done: 0..2 := 0; var late: bool := false;
        proc looks() { assert !late || n == 1; }
        proc comes_late() { late := true; }
        proc ends() { done := done + 1; if done == 2 { post looks(); post comes_late(); } }
        proc waits() { if !set { yield; yield; yield; } call ends(); }
        proc sets() { set := true; call ends(); }
        proc main() { post waits(); post sets(); }",
    );
}

#[test]
fn wrong_footprints_are_found() {
    let dpor = ExploreOptions {
        strategy: Strategy::Dpor,
        ..ExploreOptions::default()
    };
    is_found(
        Mutant::NobodyFindsOutThatItWaits,
        &dpor,
        "var n: 0..9; proc waits() { await n > 5; } proc main() { post waits(); }",
    );
    is_found(
        Mutant::ChoicesCommute,
        &dpor,
        "var g: bool; proc other() { assume !g; }
        proc main() { post other(); yield; assert g; }",
    );
    is_found(
        Mutant::GuardsAreNotRead,
        &dpor,
        "var n: 0..3; var x: 0..3 := 0;
        proc sets() { x := 1; } proc waits() { await x == 0; assert n != 2; }
        proc main() { post sets(); post waits(); }",
    );
    is_found(
        Mutant::ReadsAreNotTouched,
        &dpor,
        "var n: 0..3; var x: 0..3 := 0;
        proc reads() { assert x == 0; } proc sets() { x := n; }
        proc main() { post reads(); post sets(); }",
    );
    is_found(
        Mutant::OpenIndicesAreFirst,
        &dpor,
        "var a: [3]0..2 := [0; 3]; var i: 0..2;
        proc reads() { assert a[2] == 0; } proc sets() { a[i] := 1; }
        proc main() { post reads(); post sets(); }",
    );
}

const ALL: [Mutant; 15] = [
    Mutant::KeysHaveNoPath,
    Mutant::KeysHaveNoBudgets,
    Mutant::MoreIsLess,
    Mutant::TheDeadAreForgotten,
    Mutant::TheUnbornReadNothing,
    Mutant::DeadlocksAreClosed,
    Mutant::NamesComeAgain,
    Mutant::OneCaseIsEnough,
    Mutant::GuardsAreNotRead,
    Mutant::ReadsAreNotTouched,
    Mutant::OpenIndicesAreFirst,
    Mutant::ChoicesCommute,
    Mutant::NobodyFindsOutThatItWaits,
    Mutant::TheUnknownIsFalse,
    Mutant::DivisionIsPartial,
];

type Generator = (&'static str, fn(u64) -> String);

const GENERATORS: [Generator; 9] = [
    ("random", |seed| random_program(seed).text()),
    ("wild", |seed| wild_program(seed).text()),
    ("rich", |seed| rich_program(seed).text()),
    ("objects", objects::program),
    ("open values", open_values::program),
    ("elements", open_values::elements),
    ("detours", open_values::detours),
    ("narrowed", open_values::narrowed),
    ("choices", |seed| {
        let features = Features {
            choices: true,
            parts: true,
            waits: true,
            ..Features::default()
        };
        generate::program(seed, features)
    }),
];

/// Which wrong rules a program shows.
fn shown(text: &str, options: &ExploreOptions) -> Vec<Mutant> {
    if compared(text, options) != Some(true) {
        return Vec::new();
    }
    let is_shown = |mutant: &Mutant| {
        ON.set(Some(*mutant));
        let shown = if *mutant == Mutant::TheUnknownIsFalse {
            is_wrongly_safe(text, options)
        } else {
            compared(text, options) == Some(false)
        };
        ON.set(None);
        shown
    };
    assert!(!is_wrongly_safe(text, options), "{text}");
    ALL.into_iter().filter(is_shown).collect()
}

/// Whether terms find nothing where no solver answers, and numbers find a failure.
fn is_wrongly_safe(text: &str, options: &ExploreOptions) -> bool {
    let program = program(text);
    let asked = |values| ExploreOptions {
        values,
        work: Some(20_000),
        ..options.clone()
    };
    SILENT.set(true);
    let terms = crate::answer::explore(&program, &asked(Values::Terms));
    SILENT.set(false);
    terms.verdict == Verdict::Safe
        && crate::explore(&program, &asked(Values::Numbers)).verdict == Verdict::Bug
}

/// A table of how many programs of each generator show each wrong rule; `MUTANTS=N` takes N programs of each.
#[test]
fn random_programs_show_wrong_rules() {
    let count = std::env::var("MUTANTS").map_or(6, |n| n.parse().expect("a number"));
    let all = ExploreOptions::default();
    let dpor = ExploreOptions {
        strategy: Strategy::Dpor,
        ..ExploreOptions::default()
    };
    let delays = ExploreOptions {
        scheduler: Scheduler::DepthFirst,
        delays: Some(1),
        ..ExploreOptions::default()
    };
    let mut found = [[0; GENERATORS.len()]; ALL.len()];
    for (column, (_, text)) in GENERATORS.iter().enumerate() {
        for seed in 0..count {
            let text = text(seed);
            for options in [&all, &dpor, &delays] {
                for mutant in shown(&text, options) {
                    found[mutant as usize][column] += 1;
                }
            }
        }
    }
    let names = GENERATORS.map(|(name, _)| name).join(" | ");
    println!("| | {names} |\n|---|{}", "---:|".repeat(GENERATORS.len()));
    for (mutant, row) in ALL.iter().zip(&found) {
        println!(
            "| {mutant:?} | {} |",
            row.map(|n| n.to_string()).join(" | ")
        );
    }
    let any = found.iter().flatten().any(|&n| n > 0);
    assert!(any, "no program shows a wrong rule");
}
