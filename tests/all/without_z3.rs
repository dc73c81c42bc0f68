//! The program without the library of Z3: everything works that needs no solver, and one line explains the rest.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs in a folder with no library where it is looked for.
fn run(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(args)
        .env("DBVERIFY_LIBZ3", "/nowhere/libz3.so")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn texts(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// Two increments, one of which can be lost.
const COUNTER: &str = "use sync;

var m: Mutex;
var x: int := 0;

proc add() {
  m.lock();
  let t = x;
  m.unlock();
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

/// Its proof needs an invariant, and small instances show nothing.
const PROVABLE: &str = "var x: int := 0;

proc w() {
  while x < 100000000000 {
    x := x + 1;
    yield;
  }
}

proc main() {
  post w();
  post w();
  assert x >= 0;
}
";

#[test]
fn what_needs_no_solver_works() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("counter.async"), COUNTER).unwrap();
    for (args, status) in [
        (&["--version"][..], 0),
        (&["help", "explore"], 0),
        (&["check", "counter.async"], 0),
        (&["fmt", "--check", "counter.async"], 0),
        (&["explain", "deadlock"], 0),
        (&["explore", "counter.async", "--trace-out", "t.json"], 1),
        (&["replay", "counter.async", "t.json"], 1),
        (&["simulate", "counter.async"], 1),
        (&["counter.async", "--engine", "explicit"], 1),
        (&["counter.async", "--emit-boogie"], 0),
        (&["counter.async", "--delays", "0"], 0),
    ] {
        let output = run(args, folder.path());
        assert_eq!(output.status.code(), Some(status), "{args:?}: {output:?}");
    }
}

#[test]
fn what_needs_the_solver_says_that_it_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("w.async"), PROVABLE).unwrap();
    let output = run(&["prove", "w.async"], folder.path());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = texts(&output);
    assert!(said.contains("w.async: inconclusive: no library of Z3 that fits was found"));
    assert!(said.contains("`dbverify doctor` says what to do"), "{said}");
    assert!(said.contains("/nowhere/libz3.so"), "{said}");

    // Another library is none.
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder.path())
        .args(["prove", "w.async"])
        .env("DBVERIFY_LIBZ3", "libm.so.6")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(texts(&output).contains("no library of Z3 that fits was found"));

    let output = run(&["prove", "w.async", "--format", "json"], folder.path());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "inconclusive");
}

#[test]
fn the_doctor_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["doctor"], folder.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = texts(&output);
    assert!(
        said.contains("FAILS the solver Z3: no library that fits"),
        "{said}"
    );
    assert!(said.contains("DBVERIFY_LIBZ3="), "{said}");
    assert!(said.contains("ok    exploration"), "{said}");
}
