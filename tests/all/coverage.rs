//! `explore --coverage`: which lines executions come to.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use crate::explore_common::answer;
use dbverify::answer::{Answer, Verdict};
use dbverify::options::{ExploreOptions, Strategy, Values};
use testing::random_program::{random_program, rich_program, wild_program};

/// No execution comes to the lines 5 and 12.
const PROGRAM: &str = "var x: 0..3 := 0;
proc add() {
  x := x + 1;
  if x == 3 {
    x := 0;
  }
}
proc main() {
  post add();
  post add();
  if x == 2 {
    x := 1;
  }
}
";

fn explore(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args([&["explore"], args].concat())
        .output()
        .unwrap()
}

/// Explores a program. Returns the output and the tracefile.
fn covered(program: &str, args: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.async"), program).unwrap();
    let args = [&["p.async", "--coverage", "lcov.info"], args].concat();
    let output = explore(folder.path(), &args);
    let file = std::fs::read_to_string(folder.path().join("lcov.info")).unwrap_or_default();
    let both = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&both).into_owned(), file)
}

#[test]
fn lines_are_reached_or_not() {
    let (said, file) = covered(PROGRAM, &[]);
    assert!(
        said.contains("coverage: p.async: 6 of 8 lines are reached; never reached: 5, 12\n"),
        "{said}"
    );
    assert_eq!(
        file,
        "TN:\nSF:p.async\nDA:1,1\nDA:3,1\nDA:4,1\nDA:5,0\nDA:9,1\nDA:10,1\nDA:11,1\nDA:12,0\nLF:8\nLH:6\nend_of_record\n"
    );
}

#[test]
fn every_way_to_search_finds_the_same_lines() {
    let (_, lines) = covered(PROGRAM, &[]);
    for args in [
        &["--strategy", "dpor"][..],
        &["--strategy", "stateless"],
        &["--values", "terms"],
        &["--values", "terms", "--strategy", "dpor"],
        &["--no-reduction"],
        &["--jobs", "2"],
        &["--strategy", "random"],
    ] {
        let (said, file) = covered(PROGRAM, args);
        assert_eq!(file, lines, "{args:?}: {said}");
    }
}

#[test]
fn what_is_said_is_what_was_looked_at() {
    for (args, words) in [
        (
            &["--delays", "1"][..],
            "never reached within the bounds: 5, 12",
        ),
        (
            &["--strategy", "dpor"],
            "not reached by one execution of each trace: 5, 12",
        ),
        (
            &["--strategy", "random"],
            "not reached by the part that was looked at: 5, 12",
        ),
        (
            &["--max-steps", "1"],
            "not reached by the part that was looked at",
        ),
    ] {
        let (said, _) = covered(PROGRAM, args);
        assert!(said.contains(words), "{args:?}: {said}");
    }
    let bug = PROGRAM.replace("  x := x + 1;", "  assert x == 0;\n  x := x + 1;");
    let (said, _) = covered(&bug, &[]);
    assert!(
        said.contains("not reached before the first bug (--all goes on): 6, 13"),
        "{said}"
    );
    let (said, _) = covered(&bug, &["--all"]);
    assert!(said.contains("never reached: 6, 13"), "{said}");
}

#[test]
fn open_values_objects_and_waiting() {
    let program = "use sync;
var m: Mutex;
var x: int := 0;
proc set() {
  m.lock();
  x := *;
  if x > 7 && x < 7 {
    x := 1;
  }
  m.unlock();
}
proc never() {
  await x == 1 && x == 2;
  x := 5;
}
proc main() {
  post set();
  post set();
  if x == 1 {
    post never();
  }
}
";
    let (said, file) = covered(program, &[]);
    assert!(said.contains("never reached: 8, 13-14, 20"), "{said}");
    // The file has no lines of the library.
    assert_eq!(file.matches("SF:").count(), 1, "{file}");
}

#[test]
fn without_the_option_nothing_is_said() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.async"), PROGRAM).unwrap();
    let output = explore(folder.path(), &["p.async"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("coverage"));
    for (args, words) in [
        (&["--fair"][..], "--coverage is about one search"),
        (&["--cluster", "local:2"], "--coverage is about one search"),
        (&["--html", "c"], "is the page"),
    ] {
        let args = [&["p.async", "--coverage", "c"], args].concat();
        let output = explore(folder.path(), &args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
    let output = explore(folder.path(), &["p.async", "--coverage", "-"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A task that begins with an `await` is blocked before it has run, whether lines are counted or not.
#[test]
fn a_deadlock_is_found_with_coverage() {
    let program = "var fork: [2]bool := [false; _];
proc philosopher(i: int) {
  await !fork[i];
  fork[i] := true;
  yield;
  await !fork[(i + 1) % 2];
  fork[(i + 1) % 2] := true;
}
proc main() { post philosopher(0); post philosopher(1); }
";
    for args in [
        &[][..],
        &["--no-reduction"],
        &["--strategy", "dpor"],
        &["--strategy", "stateless"],
    ] {
        let (said, _) = covered(program, args);
        assert!(said.contains("bug: deadlock"), "{args:?}: {said}");
    }
}

/// Lines are counted beside the search, which they do not change.
#[test]
fn an_answer_is_the_same_with_coverage() {
    let mut bugs = 0;
    for seed in 0..90 {
        let text = match seed % 3 {
            0 => random_program(seed).text(),
            1 => rich_program(seed).text(),
            _ => wild_program(seed).text(),
        };
        for (strategy, reduction) in [
            (Strategy::Stateful, true),
            (Strategy::Stateful, false),
            (Strategy::Dpor, true),
        ] {
            let plain = ExploreOptions {
                all: true,
                finals: true,
                strategy,
                reduction,
                max_steps: 40,
                work: Some(200_000),
                values: Values::Numbers,
                ..ExploreOptions::default()
            };
            let counting = ExploreOptions {
                coverage: true,
                ..plain.clone()
            };
            let [plain, counted] = [&plain, &counting].map(|options| answer(&text, options));
            // If the work runs out, it runs out at different places.
            let ran_out = |answer: &Answer| matches!(&answer.verdict, Verdict::Inconclusive(why) if why.words().contains("ran out"));
            if ran_out(&plain) || ran_out(&counted) {
                continue;
            }
            let places = |answer: &Answer| -> BTreeSet<_> {
                let places = answer.bugs.iter();
                places.map(|bug| (bug.kind, bug.span)).collect()
            };
            bugs += plain.bugs.len();
            assert_eq!(
                counted.verdict, plain.verdict,
                "{seed} {strategy:?}\n{text}"
            );
            assert_eq!(counted.finals, plain.finals, "{seed} {strategy:?}\n{text}");
            assert_eq!(places(&counted), places(&plain), "{seed}\n{text}");
        }
    }
    assert!(bugs > 20, "only {bugs} bugs");
}
