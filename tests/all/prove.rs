//! Proofs without bounds: a proved program has no bug, and the answer says how the proof was checked.
//!
//! `PROVE_CROSS=N` compares N random programs with the explicit engine, `PROVE_SEED=S` begins with seed S.

use std::process::{Command, Output};
use std::time::Duration;

use dbverify::answer::{Answer, Verdict};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::options::ProveOptions;
use dbverify::options::{ExploreOptions, Limits};
use dbverify::symbolic::explore;
use dbverify::verify::proofs::answer;
use serde_json::Value;
use testing::random_program::{RandomProgram, random_program, rich_program};

/// The answer of a proof alone, within some seconds.
fn proof(text: &str, seconds: u64) -> Answer {
    proof_with(text, seconds, None)
}

/// With so much work for Spacer.
fn proof_with(text: &str, seconds: u64, steps: Option<u32>) -> Answer {
    let compiled = compile("test", text, &CheckOptions::default());
    let program = compiled.program.unwrap_or_else(|| panic!("{text}"));
    let options = ProveOptions {
        limits: Limits {
            timeout: Duration::from_secs(seconds),
            ..Limits::default()
        },
        steps,
        ..ProveOptions::default()
    };
    answer(&program, &compiled.sources, &options)
}

/// Programs with bugs. A proof that forgets one thing, named before the program, would not see the bug.
const BUGGY: [(&str, &str); 49] = [
    (
        "a remainder that is another one behind the greatest number",
        "var x: u8 := 0; proc p() { x := x + 3; assert x != 1; } proc main() { while * { post p(); } }",
    ),
    (
        "a step of one among steps of two",
        "var x: int := 0; proc p() { x := x + 2; yield; assert x != 5; } proc q() { x := x + 1; } \
         proc main() { while * { post p(); } post q(); }",
    ),
    (
        "machine integers that wrap",
        "var x: i8 := 100; proc p() { x := x + 20; assert x > 0; } proc main() { post p(); post p(); }",
    ),
    (
        "machine integers that wrap below zero",
        "var x: u8 := 1; proc p() { x := x - 1; assert x < 2; } proc main() { post p(); post p(); }",
    ),
    (
        "a product that wraps",
        "var x: u8 := 3; proc p() { x := x * 100; assert x > 200; } proc main() { post p(); }",
    ),
    (
        "a quotient that goes towards zero",
        "var x: i8 := -7; proc p() { x := x / 2; assert x == -4; } proc main() { post p(); }",
    ),
    (
        "bits that are not alike",
        "var x: u8 := 6; proc p() { x := x & 5; assert x == 6; } proc main() { post p(); }",
    ),
    (
        "an interruption behind the head of a loop",
        "preempt statement; var x: int := 0; proc q() { x := 2; } \
         proc p() { var i: int := 0; while i < 3 { if i == 0 { x := 1; } if i == 2 { assert x == 1; } i := i + 1; } } \
         proc main() { post p(); post q(); }",
    ),
    (
        "a first task that others make again, and that looks at itself",
        "var t: task; var n: int := 0; proc main() { t := self; n := n + 1; assert n < 3; if n < 3 { post main(); } }",
    ),
    (
        "a check on a way",
        "var x: int := 0; proc p() { x := x + 1; assert x < 2; } proc main() { while * { post p(); } }",
    ),
    (
        "a check of `finally`",
        "var x: int := 0; proc p() { let o = x; yield; x := o + 1; } proc main() { post p(); post p(); } \
         finally { assert x == 2; }",
    ),
    (
        "the second way of a branch",
        "var x: int := 0; proc p() { if * { x := 1; } else { x := 2; } assert x == 1; } proc main() { post p(); }",
    ),
    (
        "interference with locals",
        "var x: int := 0; proc p() { let o = x; yield; assert x == o; x := x + 1; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "interference of two tasks at one place",
        "var t: int := 0; proc p(n: int) { t := n; yield; assert t == n; } \
         proc main() { for i in 1..3 { post p(i); } }",
    ),
    (
        "tasks that a task makes",
        "var x: int := 0; proc q(n: int) { assert n < 2; } proc p(n: int) { post q(n + 1); } \
         proc main() { post p(0); post p(1); }",
    ),
    (
        "that tasks end",
        "var x: int := 0; proc p() { x := 1; } proc main() { post p(); await x == 1; yield; assert x == 0; }",
    ),
    (
        "a deadlock",
        "var open: bool := false; proc p() { await open; } proc main() { post p(); }",
    ),
    (
        "a deadlock of tasks at two places that wait for locals",
        "var a: int := 0; proc p(n: int) { await a == n; await a == n + 1; } \
         proc main() { post p(0); post p(5); }",
    ),
    (
        "two tasks with the same locals",
        "var t, s, n: int := 0; proc p() { let m = t; yield; t := m + 1; await s == m; n := n + 1; assert n == 1; yield; \
         n := n - 1; s := s + 1; } proc main() { while * { post p(); } }",
    ),
    (
        "a ticket that nobody serves",
        "var t, s: int := 0; proc p() { let m = t; t := t + 1; await s == m; if m != 3 { s := s + 1; } } \
         proc main() { while * { post p(); } }",
    ),
    (
        "tasks that have the same when they are made",
        "var n: int := 0; proc p(m: int) { yield; n := n + 1; assert m != 5 || n < 2; } \
         proc main() { post p(5); post p(5); }",
    ),
    (
        "tasks that come to have the same on their way",
        "var n: int := 0; proc p(m: int) { var k: int := m; yield; k := k / 2; yield; if k == 1 { n := n + 1; } assert n < 2; } \
         proc main() { post p(2); post p(3); }",
    ),
    (
        "machine integers wrap",
        "var u: u8 := 250; proc p() { u := u + 1; assert u > 0; } proc main() { while * { post p(); } }",
    ),
    (
        "signed division goes towards zero",
        "var i: i8 := -7; proc main() { assert i / 2 == -4; }",
    ),
    (
        "ranges",
        "var r: 0..3 := 0; proc p() { r := r + 1; } proc main() { while * { post p(); } }",
    ),
    (
        "indices",
        "var a: [3]int := [0; _]; var i: int := 0; proc p() { a[i] := 1; i := i + 1; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "a loop's rounds",
        "var n: int; proc main() { assume n >= 0; var s: int := 0; for i in 1..n { s := s + i; } assert s != 6; }",
    ),
    (
        "that one of two has not finished",
        "var x: int := 0; proc p(n: int) { yield; x := x + n; } \
         proc main() { var a, b: task; a := post p(1); b := post p(2); join a; assert x == 3; }",
    ),
    (
        "what a joined task has posted",
        "var x: int := 0; proc q() { x := 2; } proc p() { x := 1; post q(); } \
         proc main() { var a: task; a := post p(); join a; assert x == 1; }",
    ),
    (
        "which of two tasks a handle is",
        "var x: int := 0; proc p(n: int) { x := n; } proc main() { var a: task; \
         if * { a := post p(1); } else { a := post p(2); } join a; assert x == 1; }",
    ),
    (
        "that a handle was given away",
        "var x: int := 0; proc p(n: int) { yield; x := x + n; } proc main() { var a, b: task; \
         a := post p(1); b := post p(2); a := b; join a; assert x == 3; }",
    ),
    (
        "tasks that join each other",
        "var a, b: task; var go: bool := false; proc p() { await go; join b; } proc q() { await go; join a; } \
         proc main() { a := post p(); b := post q(); go := true; }",
    ),
    (
        "a task that is posted again and again, of which one is joined",
        "var x: int := 0; proc p() { yield; x := x + 1; } \
         proc main() { var a: task; for i in 1..3 { a := post p(); } join a; assert x == 3; }",
    ),
    (
        "that one of several tasks has not finished",
        "var a: task; var go: bool := false; proc p() { await go; } \
         proc main() { a := post p(); while * { a := post p(); } join a; go := true; }",
    ),
    (
        "a join of a task that is not posted yet",
        "var a: task; var x: int := 0; proc p() { x := 1; } proc q() { join a; } \
         proc main() { post q(); yield; a := post p(); }",
    ),
    (
        "a task at a place where others were",
        "var n: int := 0; proc p() { n := n + 1; yield; assert n <= 2; n := n - 1; } \
         proc main() { post p(); yield; post p(); yield; post p(); }",
    ),
    (
        "what excludes what only for a while",
        "var told: bool := false; var n: int := 0; proc p() { n := n + 1; yield; n := n - 1; if n == 0 { told := true; } } \
         proc stop() { await told; assert n == 0; } proc main() { post stop(); while * { post p(); } }",
    ),
    (
        "a number that is zero again",
        "var x: int := 0; proc p() { x := x + 1; yield; x := x - 1; } \
         proc q() { await x == 0; yield; assert x == 0; } proc main() { post q(); while * { post p(); } }",
    ),
    (
        "a condition around the call that fails",
        "var n: int := 0; proc wrong() { assert false; } proc p() { n := n + 1; if n == 3 { call wrong(); } } \
         proc main() { while * { post p(); } }",
    ),
    (
        "two looks with a point between them, at what else does not matter",
        "preempt access; var n: int := 0; proc wrong() { assert false; } \
         proc p() { let a = n; let b = n; if a != b { call wrong(); } n := a + 1; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "a flag that is set in one of the rounds",
        "var x: int := 0; proc p() { var f: bool := false; while * { yield; assert !f; if x == 2 { f := true; } } x := x + 1; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "a local that two ways set differently",
        "var x: int := 0; proc p() { var f: int := 1; if * { f := 2; } yield; x := f; assert x == 1; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "a part of a local that is set",
        "type R = record { a: int, b: int }; var x: int := 0; \
         proc p() { var r: R := R { a: 1, b: 1 }; if * { r.b := 2; } yield; x := r.b; assert x == 1; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "an assumption about a local in the middle of a step",
        "preempt access; var x: int := 0; proc p() { let a = x; assume a == 0; x := 1; assert x == 1; x := 0; } \
         proc q() { x := 2; } proc main() { while * { post p(); } post q(); }",
    ),
    (
        "a truth value that tasks are given, and turn",
        "var n: int := 0; proc p(b: bool) { var c := b; yield; c := !c; yield; if c { n := n + 1; } assert n < 2; } \
         proc main() { while * { post p(*); } }",
    ),
    (
        "a truth value that is given anew in each round",
        "var x: int := 0; proc p() { var f: bool := false; while * { f := !f; yield; if f { x := x + 1; } else { x := x - 1; } assert x > 0; } } \
         proc main() { while * { post p(); } }",
    ),
    (
        "a truth value that a procedure gives back, called twice",
        "var x: int := 0; proc odd(): bool { yield; return x % 2 == 1; } \
         proc p() { var a := call odd(); var b := call odd(); assert a == b; yield; x := x + 1; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "a truth value that somebody waits for",
        "var x: bool := false; proc p() { var f: bool; havoc f; yield; await f || x { x := true; } assert f; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "a mutex of the library that is not held for the look at a flag",
        "use sync; var m: Mutex; var stopping, stopped: bool := false; var pending: int := 0; \
         proc p() { let ok = !stopping; m.lock(); if ok { pending := pending + 1; } m.unlock(); \
         if ok { assert !stopped; m.lock(); pending := pending - 1; m.unlock(); } } \
         proc stop() { m.lock(); stopping := true; m.unlock(); await pending == 0; stopped := true; } \
         proc main() { while * { post p(); } post stop(); }",
    ),
];

#[test]
fn what_has_a_bug_is_not_proved() {
    for (what, text) in BUGGY {
        let found = proof(text, 1);
        assert_ne!(found.verdict, Verdict::Proved, "{what}: {text}");
    }
}

/// Programs that are proved. No bounded instance would be enough.
const PROVED: [&str; 21] = [
    // Machine integers that cannot wrap, for an equation; and one that does, harmlessly.
    "var s, t: i32 := 0; proc p() { t := t + 1; yield; assert s < t; s := s + 1; } \
     proc main() { var i: i32 := 0; var n: i32; while i < n { post p(); i := i + 1; yield; } }",
    "var x: u8 := 0; var free: bool := true; \
     proc p() { await free { free := false; } x := x - 1; yield; assert !free; free := true; } \
     proc main() { while * { post p(); } }",
    "var x: int := 0; proc p() { x := x + 1; yield; assert x > 0; } proc main() { while * { post p(); } }",
    "var held: bool := false; var n: int := 0; \
     proc p() { await !held { held := true; } n := n + 1; yield; assert n == 1; n := n - 1; held := false; } \
     proc main() { while * { post p(); } }",
    "use sync; var m: Mutex; var x: int := 0; \
     proc p() { m.lock(); let o = x; yield; x := o + 1; assert x == o + 1; m.unlock(); } \
     proc main() { while * { post p(); } }",
    "var r: 0..3 := 0; proc p() { await r < 3 { r := r + 1; } yield; r := r - 1; } \
     proc main() { while * { post p(); } }",
    "var u: u8 := 7; proc p() { u := u ^ 3; } proc main() { while * { post p(); yield; } } \
     finally { assert u == 7 || u == 4; }",
    "type R = record { a: int, b: int }; var r: R := R { a: 0, b: 0 }; \
     proc p(n: int) { atomic { r.a := r.a + n; r.b := r.b + n; } yield; assert r.a == r.b; } \
     proc main() { var n: int; while * { havoc n; post p(n); } }",
    "preempt access; var a: [2]int := [0, 0]; \
     proc p() { atomic { a[0] := a[0] + 1; a[1] := a[1] - 1; } } proc main() { while * { post p(); } } \
     finally { assert a[0] + a[1] == 0; }",
    "var t, s, n: int := 0; proc p() { let m = t; t := t + 1; await s == m; n := n + 1; assert n == 1; yield; \
     n := n - 1; s := s + 1; } proc main() { while * { post p(); } }",
    "var t, s: int := 0; var busy: bool := false; proc p() { let m = t; t := t + 1; await s == m; assert !busy; busy := true; \
     yield; busy := false; s := m + 1; } proc main() { while * { post p(); } }",
    "var x: int := 0; proc p(n: int) { if n > 0 { post p(n - 1); } x := x + 1; assert x >= 1; } \
     proc main() { var n: int; post p(n); }",
    // Joins: of tasks that are posted once, by one and by many.
    "var total: int := 0; proc p(n: int) { yield; total := total + n; } \
     proc main() { var a, b: task; a := post p(1); b := post p(2); join a; join b; assert total == 3; }",
    "var x: int := 0; proc p() { while * { yield; x := x + 1; } yield; x := 7; } \
     proc main() { var a: task; a := post p(); join a; assert x == 7; }",
    "var x: int := 0; var a: task; proc p() { yield; x := 7; } proc q() { join a; assert x == 7; } \
     proc main() { a := post p(); while * { post q(); } }",
    // Places that exclude each other: the stop of a driver that tells of the last decrement in a step of its own.
    "var n: int := 1; var stopping, told, stopped: bool := false; \
     proc leave() { n := n - 1; if n == 0 { yield; told := true; } } \
     proc p() { n := n + 1; yield; if !stopping { yield; assert !stopped; } call leave(); } \
     proc stop() { stopping := true; yield; call leave(); await told; stopped := true; } \
     proc main() { while * { post p(); } post stop(); }",
    // Variables that matter to no check: a count that only decides which way a task goes, and a local that is always the same.
    "var held: bool := false; var n: int := 0; \
     proc p() { var f: bool := false; await !held { held := true; } yield; if n * n > 7 { n := n - 3; yield; } else { n := n * 2 + 1; } \
     if f { held := false; } yield; assert held; held := false; } \
     proc main() { while * { post p(); } }",
    // Locals of tasks that are still to come.
    "preempt access; var x: 0..1; var y: 0..1; var a: 0..1; var b: 0..1; \
     proc left() { x := 1; a := y; } proc right() { y := 1; b := x; } \
     proc main() { post left(); post right(); assert a <= 1 && b <= 1; }",
    // Truth values that tasks keep: each is a place of its own.
    "var n: int := 0; var open: bool := true; \
     proc p() { let ok = open; if ok { n := n + 1; } yield; if ok { yield; n := n - 1; } } \
     proc q() { open := false; await n == 0; yield; assert n == 0; } proc main() { while * { post p(); } post q(); }",
    "var n: int := 0; proc p(b: bool) { if b { n := n + 1; } yield; assert !b || n > 0; yield; if b { n := n - 1; } } \
     proc main() { while * { post p(*); } }",
    "use sync; var m: Mutex; var open: bool := true; var n: int := 0; \
     proc p() { m.lock(); let ok = open; if ok { n := n + 1; } m.unlock(); if ok { m.lock(); n := n - 1; m.unlock(); } } \
     proc main() { while * { post p(); } } finally { assert n == 0; }",
];

/// A counter with steps of two stays odd, and so do copies of it in tasks. Bounds are numbers that the program names.
#[test]
fn what_holds_of_numbers_by_themselves_is_guessed() {
    let text = "var next: int := 1; var top: int := 0; \
                proc p() { var own: int := 0; if next <= 64 { own := next; next := next + 2; yield; \
                assert own >= 1 && own <= 63; top := own; yield; assert top > 0; } } \
                proc main() { while * { post p(); } }";
    let found = proof_with(text, 60, Some(1));
    assert_eq!(found.verdict, Verdict::Proved, "{}", found.summary);
}

#[test]
fn what_holds_for_any_number_of_tasks_is_proved() {
    for text in PROVED {
        let found = proof(text, 60);
        assert_eq!(found.verdict, Verdict::Proved, "{text}\n{}", found.summary);
        assert!(found.exhaustive && !found.budget_spent && found.bugs.is_empty());
    }
}

#[test]
fn a_proof_says_how_far_executions_come() {
    let far = "var x: int := 0;
        proc main() { while x < 100000 { x := x + 1; yield; } assert x >= 0; }";
    let server = "var x: int := 0;
        proc w() { while true { x := 1; yield; assert x == 1; } }
        proc main() { post w(); post w(); }";
    // No small number fulfils the assumption.
    let large = "var x: int := 0;
        proc main() { var n: int; havoc n; assume n > 100; x := n; assert x > 100; }";
    for (text, said) in [
        (far, "whether an execution comes to its end is not known"),
        (server, "every execution goes on for ever"),
        (large, ""),
    ] {
        let found = proof(text, 60);
        assert_eq!(found.verdict, Verdict::Proved, "{text}\n{}", found.summary);
        let notes = Vec::from_iter(found.notes.iter().map(|n| &n.message[..]));
        assert_eq!(notes.len(), usize::from(!said.is_empty()), "{notes:?}");
        assert!(notes.iter().all(|note| note.starts_with(said)), "{notes:?}");
    }
    let dropped = "var x: int := 0; proc main() { x := 1; yield; assume x == 2; assert x == 3; }";
    let found = proof(dropped, 60);
    assert_eq!(found.summary, "nothing was checked to its end");
}

#[test]
fn what_is_not_handled_is_refused_at_its_line() {
    let found = proof(
        "var x: int := 0;\nproc f(n: int) {\n  if n > 0 {\n    call f(n - 1);\n  }\n}\nproc main() { call f(3); }",
        10,
    );
    let Verdict::Inconclusive(reason) = &found.verdict else {
        panic!("{found:?}")
    };
    let reason = reason.words();
    assert!(reason.starts_with("line 4 "), "{reason}");
    assert!(reason.contains("`f` calls itself"), "{reason}");
    assert!(found.notes.iter().any(|n| n.span.is_some()));
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// No program is proved in which the explicit engine finds a bug, and some of the others are proved.
#[test]
fn random_programs_with_bugs_are_not_proved() {
    let (count, first) = (number("PROVE_CROSS", 60), number("PROVE_SEED", 1));
    let (mut bugs, mut safe, mut proved) = (0, 0, 0);
    for seed in first..first + count {
        let program: RandomProgram = match seed % 2 {
            0 => random_program(seed),
            _ => rich_program(seed),
        };
        let text = program.text();
        let compiled = compile("random", &text, &CheckOptions::default());
        let explored = explore(
            &compiled.program.unwrap(),
            &ExploreOptions {
                work: Some(20_000),
                ..ExploreOptions::default()
            },
        );
        match explored.verdict {
            Verdict::Bug => {
                bugs += 1;
                let found = proof(&text, 1);
                assert_ne!(found.verdict, Verdict::Proved, "seed {seed}\n{text}");
            }
            Verdict::Safe if explored.exhaustive && seed % 8 == 0 => {
                safe += 1;
                let found = proof(&text, 5);
                let wrong = found.summary.contains("it does not hold");
                assert!(!wrong, "seed {seed}: {}\n{text}", found.summary);
                proved += u32::from(found.verdict == Verdict::Proved);
            }
            _ => {}
        }
    }
    println!("{bugs} with bugs, none proved; {proved} of {safe} without are proved");
    assert!(bugs > 0, "nothing was compared");
}

fn dbverify(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/proofs");
    command.current_dir(folder).args(args).output().unwrap()
}

#[test]
fn a_proof_comes_with_its_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("driver.smt2");
    let path = file.to_str().unwrap();
    let output = dbverify(&[
        "prove",
        "driver.async",
        "--invariant",
        "--certificate",
        path,
        "--format",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["verdict"], "proved");
    assert_eq!(told["bounds"]["delays"], Value::Null);
    assert_eq!(told["bounds"]["exhaustive"], true);
    let notes = told["notes"].to_string();
    let sum = "pending == at(main:23) + at(request:8) + at(stop:14) + at(stop:16)";
    assert!(notes.contains("pending == at("), "{sum}: {notes}");
    let certificate = std::fs::read_to_string(file).unwrap();
    let clauses = told["stats"]["clauses"].as_u64().unwrap();
    let count = |what: &str| certificate.matches(what).count() as u64;
    assert_eq!(
        (count("(check-sat)"), count("(push 1)")),
        (clauses, clauses)
    );
}

#[cfg(unix)]
#[test]
fn another_solver_has_a_say() {
    // A solver that is not convinced.
    let output = dbverify(&[
        "prove",
        "chain.async",
        "--solver",
        "echo sat",
        "--format",
        "json",
        "--timeout",
        "20",
    ]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["verdict"], "inconclusive", "{told}");
    assert!(told["reason"].to_string().contains("echo sat"), "{told}");
    let output = dbverify(&[
        "prove",
        "chain.async",
        "--solver",
        "echo unsat",
        "--format",
        "json",
    ]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["verdict"], "proved", "{told}");
}

#[test]
fn a_bug_is_shown_with_its_trace() {
    let output = dbverify(&["prove", "driver_bug.async", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["error"]["kind"], "assertion");
    assert!(told["trace"].as_array().is_some_and(|t| !t.is_empty()));
}

/// The range of a variable may follow from what only an invariant knows of another one. Spacer takes ranges for granted.
#[test]
fn ranges_that_follow_from_an_invariant_are_proved() {
    let text = "var x: 0..3 := 3;
        proc main() {
            while true { if x == 3 { break; } }
            for k in 1..3 { x := k; }
            assert x == END;
        }";
    let end = |n: &str| proof(&text.replace("END", n), 20).verdict;
    assert_eq!(end("3"), Verdict::Proved);
    assert_ne!(end("2"), Verdict::Proved);
}
