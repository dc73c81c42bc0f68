//! Data races for any number of tasks: a program that races is never proved, and programs that share as they should are.
//!
//! `RACES_CROSS=N` compares N random programs with the explicit engine, `RACES_SEED=S` begins with seed S.

use crate::common::race_proofs::{c_program, compiled, limits, proof, proof_for_many};
use dbverify::answer::{Answer, Verdict};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::ir::{ErrorKind, Program};
use dbverify::options::{ExploreOptions, Sought, Strategy};
use dbverify::source::SourceMap;
use dbverify::symbolic::explore;
use fastrand::Rng;
use testing::random_program::{random_program, rich_program, wild_program};

fn async_program(text: &str) -> (Program, SourceMap) {
    compiled(compile("test", text, &CheckOptions::default()), text)
}

/// The answer of `explore --races` with so much work.
fn explored(program: &Program, work: u64) -> Answer {
    explored_by(program, Strategy::Dpor, work)
}

/// The same by a certain search.
fn explored_by(program: &Program, strategy: Strategy, work: u64) -> Answer {
    let options = ExploreOptions {
        strategy,
        sought: Sought::Races,
        work: Some(work),
        limits: limits(20),
        ..ExploreOptions::default()
    };
    explore(program, &options)
}

/// Programs in which any number of threads share variables as they should.
const C_SAFE: [(&str, &str); 8] = [
    (
        "a counter under a mutex",
        "int x; void *worker(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; } \
         int main(void) { MANY return 0; }",
    ),
    (
        "a lock that is taken and given back under the same condition",
        "int x; void *worker(void *a) { int b = __VERIFIER_nondet_int(); if (b) pthread_mutex_lock(&m); if (b) x++; \
         if (b) pthread_mutex_unlock(&m); return 0; } int main(void) { MANY return 0; }",
    ),
    (
        "a lock that is always taken, by the value of a variable of the thread's own",
        "int x; _Thread_local int own; void *worker(void *a) { own = 1; own = 2; if (own == 2) pthread_mutex_lock(&m); x++; \
         if (own == 2) pthread_mutex_unlock(&m); return 0; } int main(void) { MANY return 0; }",
    ),
    (
        "what is only read",
        "int x; int table[3] = { 1, 2, 3 }; void *worker(void *a) { int s = x + table[1]; return 0; } \
         int main(void) { x = 7; MANY return 0; }",
    ),
    (
        "what each thread has of its own",
        "_Thread_local int own; void *worker(void *a) { own++; int mine = own; mine++; return 0; } \
         int main(void) { MANY return 0; }",
    ),
    (
        "what is atomic",
        "atomic_int x; void *worker(void *a) { atomic_fetch_add(&x, 1); int y = x; x = y; return 0; } \
         int main(void) { MANY x = 3; return 0; }",
    ),
    (
        "what is read when the thread that writes was joined",
        "int x; void *writer(void *a) { x = 1; return 0; } \
         int main(void) { pthread_t t; pthread_create(&t, 0, writer, 0); pthread_join(t, 0); return x; }",
    ),
    (
        "two locks, each for its own",
        "int x, y; void *worker(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); \
         pthread_mutex_lock(&other); y++; pthread_mutex_unlock(&other); return 0; } int main(void) { MANY return 0; }",
    ),
];

/// Programs that race, each in its own way.
const C_BROKEN: [(&str, &str); 15] = [
    (
        "no lock in one branch",
        "int x; void *worker(void *a) { int b = __VERIFIER_nondet_int(); if (b) pthread_mutex_lock(&m); x++; \
         if (b) pthread_mutex_unlock(&m); return 0; } int main(void) { MANY return 0; }",
    ),
    (
        "another lock",
        "int x; void *worker(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; } \
         int main(void) { MANY pthread_mutex_lock(&other); x = 0; pthread_mutex_unlock(&other); return 0; }",
    ),
    (
        "a lock that is given back too early",
        "int x; void *worker(void *a) { pthread_mutex_lock(&m); int y = x; pthread_mutex_unlock(&m); x = y + 1; return 0; } \
         int main(void) { MANY return 0; }",
    ),
    (
        "a read without the lock",
        "int x; void *worker(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; } \
         int main(void) { MANY int y = x; return 0; }",
    ),
    (
        "a race of main with the third thread alone",
        "int x, made; void *worker(void *a) { pthread_mutex_lock(&m); made++; int mine = made; pthread_mutex_unlock(&m); \
         if (mine == 3) x = 1; return 0; } int main(void) { MANY x = 2; return 0; }",
    ),
    (
        "an element of an array",
        "int x[4]; void *worker(void *a) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4) x[i] = 1; return 0; } \
         int main(void) { MANY return 0; }",
    ),
    (
        "the same element by another name",
        "int x[4]; void *worker(void *a) { x[1] = 1; return 0; } \
         int main(void) { MANY int i = 0; i++; x[i] = 2; return 0; }",
    ),
    (
        "memory that was freed meanwhile",
        "int *p; void *worker(void *a) { *p = 1; return 0; } \
         int main(void) { p = malloc(sizeof(int)); pthread_t t; pthread_create(&t, 0, worker, 0); free(p); return 0; }",
    ),
    (
        "only if an input is large",
        "int x, n; void *worker(void *a) { if (n > 100000) x++; return 0; } int main(void) { n = __VERIFIER_nondet_int(); \
         pthread_t s, t; pthread_create(&s, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }",
    ),
    (
        "an atomic access and a plain one",
        "int x; extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); \
         void *worker(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; } \
         int main(void) { MANY int y = x; return 0; }",
    ),
    (
        "only the first of two threads is joined",
        "int x; void *worker(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; } \
         int main(void) { pthread_t s, t; pthread_create(&s, 0, worker, 0); pthread_create(&t, 0, worker, 0); \
         pthread_join(s, 0); return x; }",
    ),
    (
        "what was taken with trylock, or was not",
        "int x; void *worker(void *a) { int got = pthread_mutex_trylock(&m); x++; if (got == 0) pthread_mutex_unlock(&m); \
         return 0; } int main(void) { MANY return 0; }",
    ),
    (
        "a flag that is polled",
        "int x, done; void *worker(void *a) { x = 1; done = 1; return 0; } \
         int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); if (done) x = 2; return 0; }",
    ),
    (
        "memset of what another thread reads",
        "#include <string.h>\nint x[3]; void *worker(void *a) { int y = x[2]; return 0; } \
         int main(void) { MANY memset(x, 0, sizeof x); return 0; }",
    ),
    (
        "a read lock for what is written",
        "int x; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; void *worker(void *a) { pthread_rwlock_rdlock(&l); x++; \
         pthread_rwlock_unlock(&l); return 0; } int main(void) { MANY return 0; }",
    ),
];

#[test]
fn what_any_number_of_threads_share_as_they_should_is_proved() {
    for (what, text) in C_SAFE {
        let found = proof_for_many(text, 60);
        assert_eq!(found.verdict, Verdict::Proved, "{what}: {}", found.summary);
        assert!(
            found.summary.starts_with("nothing races"),
            "{}",
            found.summary
        );
    }
}

#[test]
fn what_races_is_not_proved() {
    for (what, text) in C_BROKEN {
        let few = "int n = 3; for (int i = 0; i < n; i++) { pthread_t t; pthread_create(&t, 0, worker, 0); }";
        let (program, _) = c_program(&text.replace("MANY", few));
        let seen = explored(&program, 400_000);
        assert_eq!(
            seen.bugs.first().map(|b| b.kind),
            Some(ErrorKind::Race),
            "{what}: {}",
            seen.summary
        );
        let found = proof_for_many(text, 1);
        assert_ne!(found.verdict, Verdict::Proved, "{what}");
    }
}

/// An uninterrupted part of a step is one unit: its synchronisation orders all of it.
const ORDERED: [&str; 3] = [
    "var f: bool; var x: int; proc a() { atomic { f := true; x := 1; } } \
     proc b() { await f; x := 2; } proc main() { f := false; x := 0; post a(); post b(); }",
    "var f, g: bool := false; var x: int := 0; proc a() { x := 1; await true { g := true; } } \
     proc c() { await true { f := true; assume g; } } proc b() { await f; x := 2; } \
     proc w() { await f && g; } proc main() { post a(); post c(); post b(); post w(); }",
    "var f: bool := true; var x: int := 0; proc a() { await true { if f { x := 1; } } } \
     proc b() { await true { f := false; } x := 2; } proc w() { await !f; } proc main() { post a(); post b(); post w(); }",
];

/// Each of these races, though no two tasks stand before their accesses at once if steps are not divided.
const WHOLE: [&str; 3] = [
    "var x: int := 0; proc a() { post b(); x := 1; } proc b() { x := 2; } proc main() { post a(); }",
    "var f: bool := false; var i: 0..1 := 0; var x: [2]int := [0; 2]; proc a() { x[i] := 1; } \
     proc b() { await true { i := 1; } x[0] := 2; } proc w() { await i == 1; } proc main() { post a(); post b(); post w(); }",
    "var x: int := 0; var t: task; proc a() { x := 1; } proc main() { t := post a(); post b(); join t; x := 3; } \
     proc b() { x := 2; }",
];

#[test]
fn steps_that_nothing_interrupts_are_whole() {
    for mode in ["yield", "statement", "access"] {
        for text in ORDERED {
            let (program, _) = async_program(&format!("preempt {mode}; {text}"));
            for strategy in [Strategy::Stateful, Strategy::Dpor] {
                let seen = explored_by(&program, strategy, 100_000);
                assert_eq!(seen.bugs.first(), None, "{text}: {}", seen.summary);
            }
        }
    }
}

#[test]
fn steps_that_pass_something_on_before_they_race_are_not_whole() {
    for mode in ["yield", "statement", "access"] {
        for text in WHOLE {
            let text = format!("preempt {mode}; {text}");
            let (program, sources) = async_program(&text);
            let seen = explored(&program, 100_000);
            assert_eq!(
                seen.bugs.first().map(|b| b.kind),
                Some(ErrorKind::Race),
                "{text}: {}",
                seen.summary
            );
            let found = proof(&program, &sources, 5);
            assert_ne!(found.verdict, Verdict::Proved, "{text}");
        }
    }
}

/// A program of few tasks that take locks, set and await flags, join and touch variables: most of it in order.
fn orderly_program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mode = ["yield", "statement", "access"][rng.usize(..3)];
    let mut text = format!(
        "preempt {mode};\nvar l0, l1, f0, f1: bool := false;\nvar x, y: 0..3 := 0;\nvar e: [2]0..3 := [0; 2];\n"
    );
    let count = rng.usize(1..=2);
    for number in 0..count {
        text += &format!("proc p{number}(i: 0..1) {{\n  var v: 0..3 := 0;\n");
        for _ in 0..rng.usize(1..=3) {
            text += &orderly(&mut rng, 2);
        }
        text += "}\n";
    }
    text += "proc w() { await f0; await f1; }\nproc main() {\n  var v: 0..3 := 0; var i: 0..1 := 0; var t: task;\n";
    for _ in 0..rng.usize(1..=3) {
        let post = format!("post p{}({});\n", rng.usize(..count), rng.usize(..2));
        match rng.usize(..4) {
            0 => text += &orderly(&mut rng, 1),
            1 => text += &format!("  t := {post}  join t;\n"),
            _ => {}
        }
        text += &format!("  {post}");
        if rng.usize(..3) == 0 {
            text += &orderly(&mut rng, 1);
        }
    }
    if rng.usize(..8) == 0 {
        text += "  post w();\n";
    }
    text + "}\n"
}

fn orderly(rng: &mut Rng, depth: usize) -> String {
    let part = ["x", "y", "e[0]", "e[1]", "e[i]"][rng.usize(..5)];
    let touch = match rng.usize(..8) {
        0 | 1 => format!("v := {part};"),
        2 | 3 => format!("{part} := {};", rng.usize(..3)),
        4 => format!("assume {part} != {};", rng.usize(..3)),
        5 => format!("v := {part}; assume v == {};", rng.usize(..3)),
        _ => format!("v := {part}; {part} := 1;"),
    };
    let flag = ["f0", "f1"][rng.usize(..2)];
    match rng.usize(..12) {
        0..5 => {
            let (l, held) = (
                rng.usize(..2),
                if rng.usize(..4) == 0 {
                    orderly(rng, 0)
                } else {
                    touch
                },
            );
            format!("  await !l{l} {{ l{l} := true; }} {held} l{l} := false;\n")
        }
        5 => format!("  {touch}\n"),
        6 => format!("  atomic {{ {touch} }}\n"),
        7 => format!("  await {flag}; {touch}\n"),
        8 => format!("  {touch} {flag} := true;\n"),
        9 => format!("  await true {{ {flag} := true; {touch} }}\n"),
        10 if depth > 0 => {
            let inner = orderly(rng, depth - 1);
            let cond = ["*", "i == 0", "f0"][rng.usize(..3)];
            format!("  if {cond} {{\n{inner}  }}\n")
        }
        _ => format!("  await true {{ if {flag} {{ {touch} }} }}\n"),
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// No program is proved that races or fails by the explicit engine, and some of the others are proved.
#[test]
fn random_programs_that_race_are_not_proved() {
    let (count, first) = (number("RACES_CROSS", 24), number("RACES_SEED", 1));
    let (mut bugs, mut safe, mut proved) = (0, 0, 0);
    for seed in first..first + count {
        let text = match seed % 8 {
            0 => random_program(seed).text(),
            1 => rich_program(seed).text(),
            2 => wild_program(seed).text(),
            _ => orderly_program(seed),
        };
        let (program, sources) = async_program(&text);
        let seen = explored(&program, 20_000);
        let found = |seconds| proof(&program, &sources, seconds).verdict == Verdict::Proved;
        match seen.verdict {
            Verdict::Bug => {
                bugs += 1;
                assert!(!found(1), "seed {seed}\n{text}");
            }
            Verdict::Safe if seen.exhaustive => {
                safe += 1;
                proved += u32::from(found(3));
            }
            _ => {}
        }
    }
    println!("{bugs} with bugs, none proved; {proved} of {safe} without are proved");
    assert!(bugs > 0, "nothing was compared");
    assert!(proved > 0 || count < 100, "nothing was proved");
}

/// Executions at random seldom get past the assumption, so few tasks are searched.
#[test]
fn a_race_behind_an_assumption_is_found_with_few_tasks() {
    let text = "preempt access; var x: int := 1; var b: bool := false; proc p1() { assume x == 0; } \
                proc p2() { b := false; } proc main() { while * { post p1(); post p2(); } }";
    let mut dbverify = std::process::Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("b.async"), text).unwrap();
    let output = dbverify
        .args(["prove", "b.async", "--races"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("race: writes b"), "{said}");
}
