//! Verdicts for a number of delays with nothing unrolled: they are true.
//!
//! `WITHIN_CROSS=N` compares N random programs with the explicit engine, `WITHIN_SEED=S` begins with seed S.

use std::process::Command;
use std::time::{Duration, Instant};

use dbverify::answer::Verdict;
use dbverify::answer::{Holds, Within};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::ir::Program;
use dbverify::options::{ExploreOptions, Scheduler};
use dbverify::symbolic::explore;
use dbverify::verify::proofs::within;
use serde_json::Value;
use testing::random_program::{random_program, rich_program};

fn program(text: &str) -> Program {
    let compiled = compile("test", text, &CheckOptions::default());
    compiled.program.unwrap_or_else(|| panic!("{text}"))
}

/// The invariant of a program within so many delays, if one is found.
fn invariant(program: &Program, delays: u32, scheduler: Scheduler) -> Option<Holds> {
    let asked = Within {
        delays,
        rounds: None,
        scheduler,
        end: Instant::now() + Duration::from_secs(60),
        memory: 2 << 30,
        steps: Some(1_500_000),
    };
    within(program, asked)
}

/// Programs with the least number of delays that shows their bug, if there is one; loops and recursion go on as long as they may.
const KNOWN: [(&str, &str, Option<u32>); 9] = [
    (
        "a loop with a bug in its twentieth round",
        "var n: int; var x: int := 0; proc main() { for i in 1..n { x := x + 1; } assert x != 20; }",
        Some(0),
    ),
    (
        "a loop that counts what it should",
        "var n: int; var x: int := 0; proc main() { assume n >= 0; for i in 1..n { x := x + 1; } assert x == n; }",
        None,
    ),
    (
        "tasks without end that are not interrupted",
        "var x: int := 0; proc p() { x := x + 1; assert x == 1; yield; x := x - 1; } proc main() { while * { post p(); } }",
        Some(1),
    ),
    (
        "a lock and any number of clients",
        "var held: bool := false; var n: int := 0; \
         proc p() { await !held { held := true; } n := n + 1; yield; assert n == 1; n := n - 1; held := false; } \
         proc main() { while * { post p(); } }",
        None,
    ),
    (
        "a lock that is not taken",
        "var held: bool := false; var n: int := 0; \
         proc p() { await !held; n := n + 1; yield; assert n == 1; n := n - 1; held := false; } \
         proc main() { while * { post p(); } }",
        Some(1),
    ),
    (
        "a recursive procedure",
        "var x: int := 0; proc up(n: int) { if n > 0 { x := x + 1; call up(n - 1); } } \
         proc main() { var n: int; assume n >= 0; call up(n); assert x == n; }",
        None,
    ),
    (
        "a recursive procedure that goes wrong deep down",
        "var x: int := 0; proc up(n: int) { if n > 0 { x := x + 1; call up(n - 1); } } \
         proc main() { var n: int; call up(n); assert x < 9; }",
        Some(0),
    ),
    (
        "a chain of tasks",
        "var n: int := 0; proc p() { n := n + 1; assert n < 12; if * { post p(); } } proc main() { post p(); }",
        Some(0),
    ),
    (
        "a deadlock behind a loop",
        "var n: int; var open: bool := true; proc p() { await open; } \
         proc main() { for i in 1..n { open := i < 9; } post p(); }",
        Some(0),
    ),
];

#[test]
fn bugs_beyond_any_unrolling_are_not_overlooked() {
    for (what, text, shows) in KNOWN {
        let program = program(text);
        for scheduler in [Scheduler::DepthFirst, Scheduler::ReverseDepthFirst] {
            for delays in 0..2 {
                let found = invariant(&program, delays, scheduler);
                let bug = shows.is_some_and(|least| delays >= least);
                assert!(
                    !bug || found.is_none(),
                    "{what}, {delays} delays, {scheduler:?}: {text}"
                );
                let simple = scheduler == Scheduler::DepthFirst && shows.is_none();
                assert!(
                    !simple || found.is_some(),
                    "{what}, {delays} delays: {text}"
                );
            }
        }
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Where the explicit engine finds a bug within some delays there is no invariant.
#[test]
fn random_programs_with_bugs_have_no_invariant() {
    let (count, first) = (number("WITHIN_CROSS", 8), number("WITHIN_SEED", 1));
    let (mut bugs, mut safe, mut held) = (0, 0, 0);
    for seed in first..first + count {
        let made = match seed % 2 {
            0 => random_program(seed),
            _ => rich_program(seed),
        };
        let text = made.text();
        let program = program(&text);
        let delays = u32::try_from(seed % 3).unwrap();
        let scheduler = match seed % 5 {
            0 => Scheduler::ReverseDepthFirst,
            _ => Scheduler::DepthFirst,
        };
        let options = ExploreOptions {
            scheduler,
            delays: Some(delays),
            work: Some(20_000),
            ..ExploreOptions::default()
        };
        let bug = match explore(&program, &options).verdict {
            Verdict::Bug => true,
            Verdict::Safe => false,
            _ => continue,
        };
        let found = invariant(&program, delays, scheduler);
        assert!(
            !bug || found.is_none(),
            "seed {seed}, {delays} delays\n{text}"
        );
        bugs += u32::from(bug);
        safe += u32::from(!bug);
        held += u32::from(found.is_some());
    }
    println!("{bugs} with bugs, none has an invariant; {held} of {safe} without have one");
    assert!(bugs > 0 && held > 0, "nothing was compared");
}

/// Beyond `prove`, for its recursion.
const RECURSIVE: &str = "var x: int := 0; proc up(n: int) { if n > 0 { x := x + 1; call up(n - 1); } } \
     proc p(n: int) { call up(n); assert x >= 0; } proc main() { var n: int; post p(n); post p(n); }";

fn verified(text: &str, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.async");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    command.arg(&file).args(["--format", "json"]).args(options);
    serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
}

#[test]
fn an_answer_without_unrolling_says_so() {
    let told = verified(RECURSIVE, &["--delays", "1"]);
    assert_eq!(told["verdict"], "safe", "{told}");
    let bounds = &told["bounds"];
    assert_eq!(bounds["delays"], 1);
    assert_eq!(bounds["exhaustive"], true);
    assert_eq!(bounds["unroll"], Value::Null);
    assert_eq!(bounds["invariant"], "checked");
    assert_eq!(bounds["cut_by"], Value::Array(Vec::new()));
    let (_, lock, _) = KNOWN[3];
    for delays in ["1", "any"] {
        let told = verified(lock, &["--delays", delays]);
        assert_eq!(told["verdict"], "proved", "{told}");
        assert_eq!(told["bounds"]["delays"], Value::Null);
    }
    let (_, deep, _) = KNOWN[0];
    let told = verified(deep, &["--delays", "1", "--engine", "smt"]);
    assert_eq!(told["bounds"]["exhaustive"], false, "{told}");
    assert_eq!(told["bounds"]["unroll"], 4);
    // The engine that follows values as terms comes to the twentieth turn.
    let told = verified(deep, &["--delays", "1"]);
    assert_eq!(told["verdict"], "bug", "{told}");
}

#[test]
fn nothing_that_never_ends_is_called_safe_for_an_invariant() {
    let told = verified(
        "var n: int; proc main() { for i in 1..n { assume i < 0; } assume false; assert false; }",
        &["--delays", "1"],
    );
    assert_eq!(told["verdict"], "inconclusive", "{told}");
}
