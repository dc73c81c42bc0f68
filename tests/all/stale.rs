//! A trace names a value on which a task acts after another task has changed it, with the places of the read and the change.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The answer of `explore`, as text and as data.
fn explore(name: &str, text: &str) -> (String, Value) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    let said = |args: &[&str]| said(args, folder.path());
    let text = said(&["explore", name]);
    let data = said(&["explore", name, "--format", "json"]);
    (text, serde_json::from_str(&data).unwrap())
}

fn said(args: &[&str], folder: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(args)
        .env("COLUMNS", "120")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The stale steps of an answer.
fn stale(answer: &Value) -> Vec<&Value> {
    let steps = answer["trace"].as_array().unwrap();
    steps.iter().filter_map(|step| step.get("stale")).collect()
}

const LOST: &str = "var x: int := 0;

proc add() {
  let t = x;
  yield;
  x := t + 1;
}

proc main() {
  post add();
  post add();
}

finally {
  assert x == 2;
}
";

#[test]
fn a_lost_update_is_named() {
    let (text, answer) = explore("lost.async", LOST);
    assert!(
        text.contains("(x: read in line 4, stale since line 6 of task 3)"),
        "{text}"
    );
    let found = stale(&answer);
    assert_eq!(found.len(), 1, "{answer}");
    assert_eq!(found[0]["variable"], "x");
    let step = |key: &str| {
        let number = found[0][key].as_u64().unwrap();
        &answer["trace"][usize::try_from(number).unwrap() - 1]
    };
    assert_eq!(step("read")["action"], "t := x");
    assert_eq!(step("since")["action"], "x := t + 1");
}

#[test]
fn an_increment_in_two_accesses_is_named() {
    let text = "preempt access;\nvar a: [2]int := [0; 2];\nproc add() {\n  a[1] := a[1] + 1;\n}\n\
                proc main() {\n  post add();\n  post add();\n}\nfinally {\n  assert a[1] == 2;\n}\n";
    let (text, answer) = explore("access.async", text);
    assert!(
        text.contains("(a[1]: read in line 4, stale since line 4 of task"),
        "{text}"
    );
    assert_eq!(stale(&answer).len(), 1, "{answer}");
}

#[test]
fn a_check_before_the_act_is_named() {
    let text = "var stopped: bool := false;\nproc work() {\n  if !stopped {\n    yield;\n    assert !stopped;\n  }\n}\n\
                proc stop() {\n  stopped := true;\n}\nproc main() {\n  post work();\n  post stop();\n}\n";
    let (text, _) = explore("act.async", text);
    assert!(
        text.contains("(stopped: read in line 3, stale since line 9 of task 3)"),
        "{text}"
    );
}

#[test]
fn what_is_read_again_is_not_stale() {
    // The second task reads after the first has written, so its write loses nothing.
    let text = "var x: int := 0;\nproc add() {\n  let t = x;\n  yield;\n  atomic {\n    x := x + 1;\n  }\n}\n\
                proc main() {\n  post add();\n  post add();\n}\nfinally {\n  assert x == 3;\n}\n";
    let (text, answer) = explore("again.async", text);
    assert!(text.contains("fails: x == 3"), "{text}");
    assert_eq!(stale(&answer), [&json!(null); 0], "{answer}");
    assert!(!text.contains("stale"), "{text}");
}

#[test]
fn a_lost_update_in_c_is_named() {
    let text = "#include <pthread.h>\n#include <assert.h>\nint x;\nvoid *add(void *a) {\n  int t = x;\n  x = t + 1;\n  return 0;\n}\n\
                int main() {\n  pthread_t a, b;\n  pthread_create(&a, 0, add, 0);\n  pthread_create(&b, 0, add, 0);\n\
                pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(x == 2);\n}\n";
    let (text, _) = explore("lost.c", text);
    assert!(
        text.contains("(x: read in line 5, stale since line 6 of task 3)"),
        "{text}"
    );
}

#[test]
fn the_trace_of_a_cover_knows_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = "var x: int := 0;\nproc main() {\n  x := 1;\n  cover x == 1;\n}\n";
    std::fs::write(folder.path().join("c.async"), text).unwrap();
    let explored = [
        "explore",
        "c.async",
        "--cover",
        "4",
        "--trace-out",
        "t.json",
    ];
    assert!(said(&explored, folder.path()).contains("c.async: covered"));
    let replayed = said(&["replay", "c.async", "t.json"], folder.path());
    assert!(
        replayed.contains("c.async: covered: an execution reaches line 4"),
        "{replayed}"
    );
}
