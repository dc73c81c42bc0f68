//! Limits of the solver's side: unrolling counts only undecided conditions, running out of memory ends a question cleanly,
//! and remarks name only statements that no execution reaches.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dbverify::answer::{Answer, Cause, Verdict};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::options::{Scheduler, VerifyOptions};
use dbverify::seq::{Budget, sequentialize};
use dbverify::smt::decide::{Decided, Question, SeqVerdict, decide};
use dbverify::smt::limit::Which;
use dbverify::verify::verify;

fn ask(text: &str, options: &VerifyOptions) -> Answer {
    let compiled = compile("test.async", text, &CheckOptions::default());
    let program = compiled.program.expect("the program is right");
    verify(&program, &compiled.sources, options)
}

fn within(delays: u32) -> VerifyOptions {
    VerifyOptions {
        delays_from: delays,
        delays_to: delays,
        ..VerifyOptions::default()
    }
}

#[test]
fn decided_recursion_and_loops_count_for_nothing() {
    let factorial = "
        proc fact(n: int): int {
          if n <= 1 { return 1; }
          var r: int := 0;
          call r := fact(n - 1);
          return n * r;
        }
        proc main() { var r: int := 0; call r := fact(6); assert r == RESULT; }";
    let sum = "
        var s: int := 0;
        proc main() { for i in 1..1000 { s := s + i; } assert s == RESULT; }";
    for (text, result) in [(factorial, 720), (sum, 500_500)] {
        let right = ask(&text.replace("RESULT", &result.to_string()), &within(1));
        assert_eq!(right.verdict, Verdict::Safe, "{}", right.summary);
        assert!(right.exhaustive, "{}", right.summary);
        let wrong = ask(&text.replace("RESULT", "7"), &within(1));
        assert_eq!(wrong.verdict, Verdict::Bug, "{}", wrong.summary);
    }
}

/// The solver's numbers are unbounded, those of the machine that replays are not: it cannot say whether the last task waits.
#[test]
fn a_deadlock_that_hangs_on_too_large_a_number_is_no_internal_error() {
    let text = format!(
        "var n: 0..{most} := 0;
         proc other() {{ n := {most}; }}
         proc main() {{ post other(); await n >= n + 1; }}",
        most = i128::MAX
    );
    let answer = ask(&text, &within(1));
    let Verdict::Inconclusive(reason) = &answer.verdict else {
        panic!("{:?}", answer.verdict);
    };
    let words = reason.words();
    assert!(words.contains("grows beyond 128 bits"), "{words}");
}

#[test]
// The limit is one of the whole process, so it has one of its own.
fn memory_ends_a_question() {
    let hard = "
        proc main() {
          var x: u64 := *;
          var y: u64 := *;
          var z: u64 := *;
          assume x > 1 && y > 1 && z > 1;
          assert x * y * z != 18446743979220271189 || (x % 65521) * y == 12 || z / x != y;
        }";
    let command = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["-", "--engine", "smt", "--delays", "0", "--memory", "24"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = command.expect("dbverify starts");
    let mut stdin = child.stdin.take().expect("it reads");
    stdin.write_all(hard.as_bytes()).expect("it reads all");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the solver ran out of memory"), "{said}");
}

#[test]
fn a_condition_that_is_not_built_in_time_is_no_fault_of_the_input() {
    let long = "
        var s: int := 0;
        proc move() { s := s + 1; yield; s := s - 1; }
        proc main() { for i in 1..100000 { post move(); } }";
    let command = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["-", "--emit-smt", "--timeout", "0.1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = command.expect("dbverify starts");
    let mut stdin = child.stdin.take().expect("it reads");
    stdin.write_all(long.as_bytes()).expect("it reads all");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(output.stdout.is_empty());
    assert!(said.contains("inconclusive: "), "{said}");
    assert!(said.contains("time ran out"), "{said}");
}

#[test]
fn a_check_that_only_a_delay_reaches_is_reached() {
    let late = "
        var set: bool := false;
        proc first() { if set { assert set; } }
        proc second() { set := true; }
        proc main() { post first(); post second(); }";
    let notes = |delays| ask(late, &within(delays)).notes.len();
    assert_eq!((notes(0), notes(1)), (1, 0));
}

fn decided(text: &str, memory: u64, deadline: Instant) -> (Decided, Option<(Which, u32)>) {
    let compiled = compile("test.async", text, &CheckOptions::default());
    let program = compiled.program.expect("the program is right");
    let budget = Budget::new(0, None);
    let sequential = sequentialize(&program, budget, Scheduler::DepthFirst);
    let question = Question {
        unroll: 50,
        deadline,
        memory,
        finals: None,
        wanted: Vec::new(),
        watched: Vec::new(),
        last_round: None,
        waits: Vec::new(),
        solver: None,
    };
    let decided = decide(&sequential.program, &question);
    let SeqVerdict::Unknown(reason) = &decided.verdict else {
        panic!("{decided:?}")
    };
    let hit = match reason.cause {
        Cause::Unrolled(place, which) => Some((which, compiled.sources.line(place.span))),
        _ => None,
    };
    (decided, hit)
}

#[test]
fn a_limit_says_what_was_unrolled_most() {
    let text = "var x: int;
        proc main() {
          if * { x := 1; }
          while * {
            x := x + 1;
            while x % 7 != 3 {
              if * { x := x + 3; }
            }
          }
          assert x != 5;
        }";
    let later = Instant::now() + Duration::from_secs(600);
    let (full, hit) = decided(text, 1_000_000, later);
    assert_eq!(hit, Some((Which::Memory, 6)), "{full:?}");
    assert!(full.terms > 1_000 && !full.encode.is_zero(), "{full:?}");
    let (late, _) = decided(text, u64::MAX, Instant::now());
    let SeqVerdict::Unknown(reason) = &late.verdict else {
        panic!("{late:?}")
    };
    let words = "the time ran out while the program was unrolled";
    assert_eq!(reason.words(), words, "{late:?}");
}
