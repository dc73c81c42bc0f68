//! `invariant e;` and `cover e;`: each engine answers, and they agree with what the statements mean.
//!
//! `CLAIMS_CROSS=N` compares N random programs, `CLAIMS_SEED=S` begins with seed S.

use std::process::{Command, Output, Stdio};

use dbverify::answer::{Answer, Verdict};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::ir::ErrorKind;
use dbverify::options::{ExploreOptions, Strategy, VerifyOptions};
use dbverify::symbolic::explore;
use dbverify::verify::verify;
use serde_json::Value;
use testing::random_program::random_program;

const MODES: [&str; 3] = ["yield", "statement", "access"];

/// An invariant in a program, and whether it holds in the three modes of interruption.
const INVARIANTS: [(&str, [bool; 3]); 12] = [
    // In the middle of a step it may be broken.
    (
        "var a, b: int := 0; invariant a == b; proc p() { a := a + 1; b := b + 1; } proc main() { post p(); post p(); }",
        [true, false, false],
    ),
    (
        "var a, b: int := 0; invariant a == b; proc p() { atomic { a := a + 1; b := b + 1; } } proc main() { post p(); }",
        [true, true, true],
    ),
    // It must hold at a yield, also in a called procedure, and at the end of a task.
    (
        "var a: int := 0; invariant a == 0; proc q() { yield; } proc p() { a := 1; call q(); a := 0; } proc main() { post p(); }",
        [false, false, false],
    ),
    (
        "var a: int := 0; invariant a == 0; proc p() { a := 1; } proc main() { post p(); }",
        [false, false, false],
    ),
    (
        "var a: int := 0; invariant a == 0; proc p(): int { a := 1; return a; } proc main() { post p(); }",
        [false, false, false],
    ),
    // The end of a call ends no task, also if the procedure is posted elsewhere.
    (
        "var a: int := 0; invariant a != 1; proc p() { a := a + 1; } proc main() { call p(); call p(); }",
        [true, false, false],
    ),
    (
        "var a: int := 0; invariant a != 1; proc p() { a := a + 1; } proc main() { call p(); call p(); post p(); }",
        [true, false, false],
    ),
    (
        "var a: int := 0; invariant a != 3; proc p() { a := a + 1; } proc main() { call p(); call p(); post p(); }",
        [false, false, false],
    ),
    // Before a task waits, and where it goes on.
    (
        "var a: int := 0; invariant a != 1; proc p() { a := 1; await a == 1 { a := 2; } } proc main() { post p(); }",
        [false, false, false],
    ),
    // `main` sets up variables that have no initial value.
    (
        "var n: int; invariant n >= 0; proc p() { n := n + 1; } proc main() { assume n >= 0; post p(); }",
        [true, true, true],
    ),
    (
        "var n: int; invariant n >= 0; proc p() { n := n + 1; } proc main() { yield; assume n >= 0; post p(); }",
        [false, false, false],
    ),
    // Indices in it are checked like others.
    (
        "var i: int := 0; var a: [2]int := [0, 0]; invariant a[i] == 0; proc p() { i := 2; } proc main() { post p(); }",
        [false, false, false],
    ),
];

fn explored(text: &str, strategy: Strategy) -> Answer {
    let program = compile("test", text, &CheckOptions::default()).program;
    let options = ExploreOptions {
        strategy,
        all: true,
        work: Some(200_000),
        ..ExploreOptions::default()
    };
    explore(&program.unwrap_or_else(|| panic!("{text}")), &options)
}

#[test]
fn invariants_hold_in_every_state_in_which_another_task_may_run() {
    for (text, holds) in INVARIANTS {
        for (mode, holds) in MODES.into_iter().zip(holds) {
            let text = format!("preempt {mode}; {text}");
            for strategy in [Strategy::Stateful, Strategy::Stateless, Strategy::Dpor] {
                if strategy != Strategy::Stateful && text.contains("var n: int;") {
                    continue;
                }
                let answer = explored(&text, strategy);
                let safe = answer.verdict == Verdict::Safe;
                assert_eq!(safe, holds, "{strategy:?}: {text} {answer:?}");
            }
            let compiled = compile("test", &text, &CheckOptions::default());
            let options = VerifyOptions {
                delays_from: 2,
                delays_to: 2,
                ..VerifyOptions::default()
            };
            let answer = verify(&compiled.program.unwrap(), &compiled.sources, &options);
            assert_eq!(answer.verdict == Verdict::Safe, holds, "smt: {text}");
        }
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// A task that checks the condition once, at any time, fails in the same programs.
#[test]
fn an_invariant_is_what_a_task_sees_that_may_look_at_any_time() {
    let (count, first) = (number("CLAIMS_CROSS", 200), number("CLAIMS_SEED", 1));
    let (mut holds, mut broken) = (0, 0);
    for seed in first..first + count {
        let mut program = random_program(seed);
        let Some(global) = program.head.iter().find(|l| l.starts_with("var g0")) else {
            continue;
        };
        // Never the value that it begins with: that task makes `main` stop before its first step.
        let value = match global.split_once(":= ") {
            None => continue,
            Some((_, "true;")) => "false",
            Some((_, "false;")) => "true",
            Some(_) => "1",
        };
        let plain = program.text();
        if !plain.contains("proc main() {\n") {
            continue;
        }
        let seer = plain.replacen("proc main() {\n", "proc main() {\n  post see_all();\n", 1)
            + &format!("proc see_all() {{ atomic {{ assert g0 != {value}, \"seen\"; }} }}\n");
        program.head.push(format!("invariant g0 != {value};"));
        let all = |text: &str| explored(text, Strategy::Stateful);
        let (claimed, seen) = (all(&program.text()), all(&seer));
        let settled = |a: &Answer| a.is_settled() && a.exhaustive;
        if !settled(&claimed) || !settled(&seen) {
            continue;
        }
        let fails = claimed.bugs.iter().any(|b| b.kind == ErrorKind::Invariant);
        let sees = seen.bugs.iter().any(|b| b.message == "seen");
        assert_eq!(fails, sees, "seed {seed}\n{}", program.text());
        if fails {
            broken += 1;
        } else {
            holds += 1;
        }
        if seed % 4 == 0 {
            let dpor = explored(&program.text(), Strategy::Dpor);
            let known = dpor.is_settled() && dpor.exhaustive;
            let also = dpor.bugs.iter().any(|b| b.kind == ErrorKind::Invariant);
            assert!(
                !known || also == fails,
                "seed {seed}, dpor\n{}",
                program.text()
            );
        }
    }
    println!("{holds} hold, {broken} do not");
    assert!(holds > 0 && broken > 0, "nothing was compared");
}

fn dbverify(args: &[&str], text: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    command.args(args).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut { input }, text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

const COVERS: &str = "var x: int := 0;
proc p() {
  let before = x;
  yield;
  x := before + 1;
}
proc main() {
  post p();
  post p();
}
finally {
  cover x == 1, \"an update is lost\";
  cover x == 2;
  cover x == 3;
}
";

#[test]
fn what_is_covered_is_told_beside_the_verdict() {
    for command in [
        &["explore", "-"][..],
        &["explore", "-", "--strategy", "dpor"],
        &["-", "--delays", "2"],
        &["-", "--delays", "2", "--engine", "smt"],
        &["prove", "-"],
    ] {
        let output = dbverify(&[command, &["--format", "json"]].concat(), COVERS);
        assert_eq!(output.status.code(), Some(0), "{command:?} {output:?}");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let notes = told["notes"].as_array().unwrap();
        let about = |line: u64| {
            let note = notes.iter().find(|n| n["line"] == line);
            let note = note.unwrap_or_else(|| panic!("{command:?} {notes:?}"));
            note["message"].as_str().unwrap().to_owned()
        };
        assert!(about(12).starts_with("covered:"), "{}", about(12));
        assert!(about(13).starts_with("covered:"), "{}", about(13));
        let never = about(14);
        assert!(
            never.starts_with("never") || never.starts_with("not"),
            "{never}"
        );
    }
}

#[test]
fn one_cover_is_asked_about_with_a_trace() {
    for (line, status, verdict) in [
        ("12", 0, "covered"),
        ("13", 0, "covered"),
        ("14", 1, "uncovered"),
    ] {
        for command in [
            &["explore", "-"][..],
            &["explore", "-", "--strategy", "dpor"],
            &["-", "--delays", "1"],
            &["-", "--delays", "1", "--engine", "smt"],
            &["prove", "-", "--timeout", "60"],
        ] {
            let all = [command, &["--cover", line, "--format", "json"]].concat();
            let output = dbverify(&all, COVERS);
            assert_eq!(output.status.code(), Some(status), "{all:?} {output:?}");
            let told: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(told["verdict"], verdict, "{all:?} {told}");
            assert_eq!(told["trace"].is_array(), verdict == "covered", "{told}");
        }
    }
    let walks = ["explore", "-", "--cover", "14", "--strategy", "random"];
    let output = dbverify(&walks, COVERS);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let some = "uncovered: no execution that was looked at reaches line 14 ";
    assert!(said.contains(some), "{said}");
    let output = dbverify(&["explore", "-", "--cover", "3"], COVERS);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("in the lines 12, 13, 14"), "{said}");
}

/// An error in the condition of a `cover` is no end of the execution.
#[test]
fn an_error_in_a_cover_counts_as_not_true() {
    const TRY: &str = "var a: [2]int := [0; 2];\nproc try(i: int) {\n  cover a[i] == 0;\n}\n";
    for (main, status) in [
        ("call try(7); call try(0);", 0),
        ("if * { call try(7); call try(0); } else { skip; }", 0),
        ("post try(7); post try(1);", 0),
        ("call try(7);", 1),
        ("if * { call try(7); }", 1),
    ] {
        let text = format!("{TRY}proc main() {{ {main} }}\n");
        for command in [
            &["explore", "-"][..],
            &["explore", "-", "--strategy", "dpor"],
            &["-", "--delays", "1", "--engine", "smt"],
            &["prove", "-", "--timeout", "60"],
        ] {
            let output = dbverify(&[command, &["--cover", "3"]].concat(), &text);
            assert_eq!(
                output.status.code(),
                Some(status),
                "{command:?} {main}: {output:?}"
            );
        }
    }
    for (cond, status) in [
        ("x != 0 && 6 / x == 3", 0),
        ("6 / x == 3 || x == 0", 0),
        ("6 / (x - x) == 0 || true", 1),
        ("6 / x == 0", 1),
    ] {
        let text = format!("var x: 0..2;\nproc main() {{\n  cover {cond};\n}}\n");
        for command in [&["explore", "-"][..], &["-", "--engine", "smt"]] {
            let output = dbverify(&[command, &["--cover", "3"]].concat(), &text);
            assert_eq!(
                output.status.code(),
                Some(status),
                "{command:?} {cond}: {output:?}"
            );
        }
    }
}

/// A question about a line is one about all its covers.
#[test]
fn each_cover_of_a_line_is_asked_about() {
    let text = "var x: int := 0;\nproc main() { x := 2; }\nfinally { cover x == 7; cover x == 2; cover x == 1; }\n";
    for command in [
        &["explore", "-"][..],
        &["-", "--engine", "smt"],
        &["prove", "-"],
    ] {
        let output = dbverify(&[command, &["--cover", "3"]].concat(), text);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{command:?} {said}");
        assert!(said.contains("`x == 2` holds here"), "{said}");
    }
    let output = dbverify(&["explore", "-"], text);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("never covered") && said.contains(": covered"),
        "{said}"
    );
}

#[test]
fn the_words_are_names_elsewhere() {
    let text = "var cover, invariant: int := 0; invariant cover + invariant >= 0; \
                proc p(cover: int) { invariant := cover - 1; cover := 2; { cover := cover + 1; } cover cover > 0; } \
                proc main() { cover := 1; cover (cover == 1); post p(1); }";
    let compiled = compile("test", text, &CheckOptions::default());
    assert_eq!(compiled.diagnostics, []);
    assert_eq!(compiled.program.unwrap().covers.len(), 2);
    for (text, code) in [
        ("invariant self == self; proc main() {}", "self-misplaced"),
        (
            "var x: bool; invariant x || *; proc main() {}",
            "choice-in-condition",
        ),
        ("invariant 1; proc main() {}", "type-mismatch"),
        ("proc main() { cover 1; }", "type-mismatch"),
    ] {
        let compiled = compile("test", text, &CheckOptions::default());
        assert!(compiled.program.is_none());
        let codes: Vec<&str> = compiled.diagnostics.iter().map(|d| d.code).collect();
        assert!(codes.contains(&code), "{text} {codes:?}");
    }
}
