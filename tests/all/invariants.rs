//! Invariants: the first state in which they hold, and that they are no part of a task.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use dbverify::answer::{Answer, Verdict};
use dbverify::check::CheckOptions;
use dbverify::ir::ErrorKind;
use dbverify::options::ProveOptions;
use dbverify::options::{
    EngineChoice, ExploreOptions, Limits, Sought, Strategy, Values, VerifyOptions,
};
use dbverify::symbolic::explore;
use dbverify::verify::engines;
use dbverify::verify::road::{Question, Target, ask};
use dbverify::{Compiled, compile};

fn compiled(text: &str) -> Compiled {
    let compiled = compile("test", text, &CheckOptions::default());
    assert!(
        compiled.program.is_some(),
        "{text}\n{:?}",
        compiled.diagnostics
    );
    compiled
}

fn limits() -> Limits {
    Limits {
        timeout: Duration::from_secs(30),
        ..Limits::default()
    }
}

/// The answers of the engines, each with the engine's name.
fn everywhere(text: &str, sought: Sought) -> Vec<(String, Answer)> {
    let compiled = compiled(text);
    let (program, sources) = (compiled.program.unwrap(), compiled.sources);
    let mut answers = Vec::new();
    let explored = |strategy, values| {
        let options = ExploreOptions {
            strategy,
            values,
            sought,
            limits: limits(),
            ..ExploreOptions::default()
        };
        explore(&program, &options)
    };
    let dpor = explored(Strategy::Dpor, Values::Numbers);
    answers.push(("dpor".to_owned(), dpor));
    if sought == Sought::Failures {
        for values in [Values::Numbers, Values::Terms] {
            let answer = explored(Strategy::Stateful, values);
            answers.push((format!("stateful, {values:?}"), answer));
        }
        let options = VerifyOptions {
            engine: EngineChoice::Smt,
            limits: limits(),
            ..VerifyOptions::default()
        };
        let answer = engines::answer(&program, &sources, &options);
        answers.push(("the solver".to_owned(), answer));
    } else {
        let answer = explored(Strategy::Dpor, Values::Terms);
        answers.push(("terms".to_owned(), answer));
    }
    let options = ProveOptions {
        races: sought == Sought::Races,
        limits: limits(),
        ..ProveOptions::default()
    };
    let answer = ask(
        &Question::Proof(options),
        &Target {
            program: &program,
            sources: &sources,
            covers: &|_| None,
        },
    );
    answers.push(("a proof".to_owned(), answer));
    answers
}

/// Programs that may set the invariant up before they stop for the first time, and whether each does.
const SETS_UP: [(&str, bool); 17] = [
    ("proc main() { g := 1; }", true),
    ("proc main() { for k in 1..2 { g := 1; } }", true),
    (
        "proc main() { var k: int := 0; while k < 2 { g := 1; k := k + 1; } }",
        true,
    ),
    (
        "proc set() { g := 1; h := 1; } proc main() { call set(); h := 2; }",
        true,
    ),
    (
        "proc one() { g := 1; } proc set(b: bool) { if b { call one(); } } proc main() { var b: bool := true; call set(b); }",
        true,
    ),
    (
        "proc main() { var c: bool; if c { atomic { skip; } } else { while c { skip; } } g := 1; yield; }",
        true,
    ),
    (
        "proc p() { g := 1; } proc main() { for k in 1..2 { g := 1; post p(); } }",
        true,
    ),
    (
        "proc more(n: int): int { return n + 1; } proc main() { var k: int; k := call more(0); g := k; }",
        true,
    ),
    // Something else was touched before, or the invariant is broken again.
    (
        "proc p() { skip; } proc many() { post p(); } proc main() { call many(); g := 1; }",
        false,
    ),
    (
        "proc w() { yield; } proc main() { call w(); g := 1; }",
        false,
    ),
    ("proc main() { for k in 1..2 { h := 1; g := 1; } }", false),
    ("proc main() { for k in 1..2 { g := k; } }", false),
    (
        "proc set() { h := 1; g := 1; } proc main() { call set(); }",
        false,
    ),
    ("proc main() { for k in 1..2 { yield; g := 1; } }", false),
    (
        "proc p() { skip; } proc main() { for k in 1..2 { post p(); g := 1; } }",
        false,
    ),
    ("proc main() { for k in 1..2 { skip; } }", false),
    (
        "proc main() { for k in 1..2 { if h == 1 { g := 2; } h := 1; g := 1; } }",
        false,
    ),
];

#[test]
fn main_may_set_up_in_loops_and_in_what_it_calls() {
    for (text, holds) in SETS_UP {
        for mode in ["statement", "access"] {
            let text = format!(
                "preempt {mode}; var g: int := 0; var h: int := 0; invariant g == 1; {text}"
            );
            for (who, answer) in everywhere(&text, Sought::Failures) {
                let right = match holds {
                    true => matches!(answer.verdict, Verdict::Safe | Verdict::Proved),
                    false => answer
                        .bugs
                        .first()
                        .is_some_and(|b| b.kind == ErrorKind::Invariant),
                };
                assert!(right, "{who}: {}\n{text}", answer.summary);
            }
        }
    }
}

#[test]
fn what_an_invariant_reads_is_no_access() {
    let locked = "use sync; var m: Mutex; var n: int := 0; var a: [2]int := [0; 2]; invariant n <= 2 && a[n % 2] >= 0;
        proc inc() { m.lock(); n := n + 1; WITHIN m.unlock(); BEHIND } proc main() { post inc(); post inc(); }";
    for (within, behind, races) in [
        ("", "", false),
        ("", "n := n;", true),
        ("a[n % 2] := n;", "", false),
    ] {
        let text = locked.replace("WITHIN", within).replace("BEHIND", behind);
        for (who, answer) in everywhere(&text, Sought::Races) {
            let right = match races {
                false => matches!(answer.verdict, Verdict::Safe | Verdict::Proved),
                true => answer
                    .bugs
                    .first()
                    .is_some_and(|b| b.kind == ErrorKind::Race),
            };
            assert!(right, "{who}: {}\n{text}", answer.summary);
        }
    }
}

/// The next statement of a replayed task is one of its own, and no invariant.
#[test]
fn an_invariant_is_nobodys_next_line() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("p.async");
    let text = "var n: int := 0;\ninvariant n <= 2;\nproc p() {\n  n := 1;\n  yield;\n  n := 2;\n}\n\
                proc main() { post p(); post p(); }\nfinally { assert n == 1; }\n";
    std::fs::write(&program, text).unwrap();
    let run = |args: &[&str], input: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(folder.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    run(&["explore", "p.async", "--trace-out", "t.json"], "");
    let script = "step\ntasks\n".repeat(8);
    let shown = run(&["replay", "p.async", "t.json"], &script);
    assert!(shown.contains("next line 6"), "{shown}");
    assert!(!shown.contains("next line 2"), "{shown}");
}
