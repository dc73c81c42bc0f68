//! Long traces are made short: tasks that run through, and equal rounds, become one line each.

use std::process::{Command, Stdio};

/// Fourteen workers, of which one loses an update; a loop posts them.
const MANY: &str = "var x: int := 0;
proc worker() {
  let before = x;
  x := before + 1;
}
proc slow() {
  let before = x;
  yield;
  x := before + 1;
}
proc main() {
  post slow();
  for i in 1..14 {
    post worker();
  }
}
finally {
  assert x == 15;
}
";

fn shown(args: &[&str], text: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    command.args(args).env("COLUMNS", "100");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut { input }, text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|l| !l.contains(" seconds, "));
    lines.collect::<Vec<_>>().join("\n")
}

const ASKED: [&str; 4] = ["-", "--delays", "1", "--engine"];

#[test]
fn tasks_that_run_through_are_one_line() {
    let ask = |more: &[&str]| shown(&[&ASKED[..], &["explicit"], more].concat(), MANY);
    let short = ask(&["--trace", "short"]);
    insta::assert_snapshot!(short);
    let full = ask(&["--trace", "full"]);
    assert!(
        full.lines().count() > 30 && short.lines().count() < 25,
        "{full}\n{short}"
    );
    assert!(!full.contains("run to their end"), "{full}");
    // Without the option a long trace is short, and a short one is full.
    assert_eq!(ask(&[]) == short, full.lines().count() > 60);
    let few = MANY.replace("1..14", "1..3").replace("15", "4");
    let few = shown(&[&ASKED[..], &["explicit"]].concat(), &few);
    assert!(!few.contains("run to their end"), "{few}");
}

/// Lines below `how it happens:` that tell of a step.
fn rows(text: &str) -> usize {
    let (_, trace) = text.split_once("how it happens:\n").unwrap();
    let told = |l: &&str| {
        !l.contains("bug: found")
            && !l.trim_start().starts_with("line ")
            && !l.trim_start().starts_with("task ")
            && l.trim() != "finally"
            && !l.trim_start().starts_with("(x: ")
    };
    trace.lines().filter(told).count()
}

#[test]
fn tasks_that_yield_are_one_line_and_so_is_the_loop_that_posts_them() {
    let text = "var x: int := 0;\nproc add() { let t = x;\n  yield;\n  x := t + 1; }\n\
                proc main() { for i in 1..20 { post add(); } }\nfinally { assert x == 20; }\n";
    let short = shown(&["explore", "-"], text);
    assert_eq!(rows(&short), 9, "{short}");
    assert!(short.contains("posts tasks 2 to 21 (add)"), "{short}");
    assert!(short.contains("run to their end  [x = 18]"), "{short}");
    let full = shown(&["explore", "-", "--trace", "full"], text);
    assert_eq!(full.matches("yield").count(), 20, "{full}");
}

#[test]
fn rounds_that_are_alike_are_told_once() {
    let text = "var x: int := 0;\nproc main() {\n  for i in 1..30 {\n    x := x + 1;\n  }\n  assert x == 0;\n}\n";
    let short = shown(&["-"], text);
    insta::assert_snapshot!(short);
    assert!(shown(&["-", "--trace", "full"], text).lines().count() > 30);
}

#[test]
fn who_posts_is_not_put_together() {
    let text = "var x: int := 0;\nproc leaf() { x := x + 1; }\nproc node() { post leaf(); }\n\
                proc main() { for i in 1..5 { post node(); } }\nfinally { assert x == 0; }\n";
    let short = shown(&["explore", "-", "--trace", "short"], text);
    assert_eq!(short.matches("post leaf()").count(), 5, "{short}");
}

/// A lost update, and tasks that count something else between.
const ASIDE: &str = "var x: int := 0;
var ticks: int := 0;

proc add() {
  let t = x;
  yield;
  x := t + 1;
}

proc tick() {
  for i in 1..3 {
    ticks := ticks + 1;
    yield;
  }
}

proc main() {
  post tick();
  post add();
  post tick();
  post add();
  post tick();
}

finally {
  assert x == 2;
}
";

#[test]
fn tasks_without_a_part_in_it_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("aside.async"), ASIDE).unwrap();
    let explore = |how: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(folder.path())
            .args(["explore", "aside.async", "--trace", how])
            .env("COLUMNS", "100")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (full, short) = (explore("full"), explore("short"));
    assert!(full.contains("ticks := ticks + 1"), "{full}");
    assert!(!short.contains("ticks"), "{short}");
    assert!(short.contains("steps without a part in this"), "{short}");
    // The steps on which the failure depends stay.
    assert_eq!(short.matches("x := t + 1").count(), 2, "{short}");
    assert_eq!(short.matches("post ").count(), 5, "{short}");
}

/// A queue that is shifted by hand, and taken from once too often.
const SHIFTED: &str = "var queue: [4]int := [0; 4];
var used: 0..4 := 1;
proc shift() {
  for i in 0..2 {
    queue[i] := queue[i + 1];
  }
  used := used - 1;
}
proc main() {
  call shift();
  call shift();
}
";

#[test]
fn what_is_called_and_comes_back_is_one_line() {
    let short = shown(&["-", "--trace", "short"], SHIFTED);
    insta::assert_snapshot!(short);
    let full = shown(&["-", "--trace", "full"], SHIFTED);
    assert!(!full.contains("steps"), "{full}");
    // The element is named, and not how it was found.
    assert!(
        full.contains("queue[i] := queue[i + 1]  [queue[2] = 0, as before]"),
        "{full}"
    );
    assert!(full.contains("fails: value outside of 0..4"), "{full}");
}

/// Fewer delays may mean that more tasks are interrupted.
#[test]
fn no_delay_is_spent_in_vain() {
    let text = "use sync;
const N: int := 4;
var forks: [N]Mutex;
proc philosopher(i: 0..3) {
  forks[i].lock();
  forks[(i + 1) % N].lock();
  yield;
  forks[i].unlock();
  forks[(i + 1) % N].unlock();
}
proc main() { for i in 0..N - 1 { post philosopher(i); } }
";
    for most in ["3", "4", "5", "6"] {
        let said = shown(&["-", "--engine", "explicit", "--delays", most], text);
        assert!(said.contains("a bug with 3 delays"), "{most}: {said}");
    }
}

/// A search with more delays may come to an execution that needs one, before it comes to one that needs none.
#[test]
fn a_delay_that_other_values_spare_is_spared() {
    let text = "var out: [3]int := [0; 3];
var k: int := 0;
proc p(i: 0..2) { if * { k := k + 1; out[i] := k; } }
proc main() { post p(0); post p(1); post p(2); }
finally { for i in 0..1 { assert out[i] == 0 || out[i] != out[i+1] + 1; } }
";
    for engine in ["auto", "explicit"] {
        for most in ["1", "2", "3"] {
            let said = shown(&["-", "--engine", engine, "--delays", most], text);
            assert!(said.contains("a bug with 0 delays"), "{most}: {said}");
        }
    }
}
