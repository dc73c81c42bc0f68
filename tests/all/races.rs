//! Data races from the outside: which programs have one, which have none, and how one is shown.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The tool's output about a program on its standard input, and its exit status.
fn ask(text: &str, options: &[&str]) -> (String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["explore", "-", "--races"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // A command that is refused for its options does not read the program.
    let _ = input.write_all(text.as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().unwrap())
}

/// The variables that race: the last lines of each race's trace say so.
fn racing(text: &str) -> Vec<String> {
    racing_by(text, &[])
}

/// The same by a certain search.
fn racing_by(text: &str, options: &[&str]) -> Vec<String> {
    let all = [&["--all", "--format", "sarif"], options].concat();
    let (answer, status) = ask(text, &all);
    let json: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}"));
    let results = json["runs"][0]["results"].as_array().unwrap().clone();
    assert_eq!(status, i32::from(!results.is_empty()), "{answer}");
    let name = |r: &Value| {
        let message = r["message"]["text"].as_str().unwrap();
        message.split('`').nth(1).unwrap_or(message).to_owned()
    };
    let mut names: Vec<_> = results.iter().map(name).collect();
    names.sort();
    names.dedup();
    names
}

const NONE: [&str; 0] = [];

#[test]
fn writes_without_order_race_in_every_mode() {
    for mode in ["yield", "statement", "access"] {
        let text = format!(
            "preempt {mode}; var x: int := 0; var y: int := 0;\n\
             proc a() {{ x := 1; y := 1; }} proc b() {{ x := 2; }}\n\
             proc main() {{ post a(); post b(); }}"
        );
        assert_eq!(racing(&text), ["x"], "{mode}");
    }
}

#[test]
fn reads_do_not_race() {
    let text = "preempt access; var x: int := 0;\n\
        proc a() { var seen: int := x; } proc main() { post a(); post a(); }";
    assert_eq!(racing(text), NONE);
}

#[test]
fn what_a_task_did_before_it_posted_is_ordered() {
    let text = "preempt access; var x: int := 0; var y: int := 0;\n\
        proc a() { x := x + 1; y := 1; } proc main() { x := 1; post a(); y := 2; }";
    assert_eq!(racing(text), ["y"]);
}

#[test]
fn a_join_orders() {
    let text = |join: &str| {
        format!(
            "preempt access; var x: int := 0;\nproc a() {{ x := 1; }}\n\
             proc main() {{ var t: task; t := post a(); {join} x := 2; }}"
        )
    };
    assert_eq!(racing(&text("join t;")), NONE);
    assert_eq!(racing(&text("yield;")), ["x"]);
}

#[test]
fn an_await_orders_and_its_flag_is_no_race() {
    let text = "preempt access; var x: int := 0; var ready: bool := false;\n\
        proc a() { x := 1; ready := true; } proc b() { await ready; x := 2; }\n\
        proc main() { post a(); post b(); }";
    assert_eq!(racing(text), NONE);
    let early = text.replace("x := 1; ready := true;", "ready := true; x := 1;");
    assert_eq!(racing(&early), ["x"]);
}

#[test]
fn a_flag_that_is_polled_is_a_race() {
    let text = "preempt access; var x: int := 0; var ready: bool := false;\n\
        proc a() { x := 1; ready := true; } proc b() { if ready { x := 2; } }\n\
        proc main() { post a(); post b(); }";
    // In every execution the accesses of `x` come one after the other, but no synchronisation orders them.
    // So no state has both tasks before `x`, and states tell the race that comes first.
    assert_eq!(racing(text), ["ready"]);
    assert_eq!(racing_by(text, &["--strategy", "dpor"]), ["ready", "x"]);
    let atomic = text
        .replace("ready := true;", "atomic { ready := true; }")
        .replace("if ready {", "var r: bool; atomic { r := ready; } if r {");
    assert_eq!(racing(&atomic), NONE);
}

#[test]
fn atomic_does_not_order_what_is_outside() {
    let text = "preempt access; var x: int := 0;\n\
        proc a() { atomic { x := x + 1; } } proc b() { x := 5; }\n\
        proc main() { post a(); post a(); BODY }";
    assert_eq!(racing(&text.replace("BODY", "")), NONE);
    assert_eq!(racing(&text.replace("BODY", "post b();")), ["x"]);
}

#[test]
fn locks_order() {
    let text = "use sync; preempt access; var m: Mutex; var n: Mutex; var x: int := 0;\n\
        proc a() { m.lock(); x := x + 1; m.unlock(); } proc b() { L.lock(); x := x + 1; L.unlock(); }\n\
        proc main() { post a(); post b(); }";
    assert_eq!(racing(&text.replace('L', "m")), NONE);
    assert_eq!(racing(&text.replace('L', "n")), ["x"]);
}

#[test]
fn semaphores_barriers_and_conditions_order() {
    let program = |kind: &str, a: &str, b: &str| {
        format!(
            "use sync; preempt access; var o: {kind}; var m: Mutex; var x: int := 0; var full: bool := false;\n\
             proc a() {{ {a} }} proc b() {{ {b} }} proc main() {{ post a(); post b(); }}"
        )
    };
    let send = program(
        "Semaphore(0)",
        "x := 1; o.release();",
        "o.acquire(); x := 2;",
    );
    assert_eq!(racing(&send), NONE);
    let phases = program("Barrier(2)", "x := 1; o.wait();", "o.wait(); x := 2;");
    assert_eq!(racing(&phases), NONE);
    let condition = program(
        "Cond",
        "x := 1; m.lock(); full := true; o.signal(); m.unlock();",
        "m.lock(); while !full { o.wait(m); } m.unlock(); x := 2;",
    );
    assert_eq!(racing(&condition), NONE);
    let readers = program(
        "RwLock",
        "o.read_lock(); var s: int := x; o.read_unlock();",
        "o.write_lock(); x := 2; o.write_unlock();",
    );
    assert_eq!(racing(&readers), NONE);
    let writers = program(
        "RwLock",
        "o.read_lock(); x := 1; o.read_unlock();",
        "o.read_lock(); x := 2; o.read_unlock();",
    );
    assert_eq!(racing(&writers), ["x"]);
}

#[test]
fn parts_of_a_variable_are_apart() {
    let text = "preempt access; type R = record { a: int, b: int };\n\
        var v: [3]R := [R { a: 0, b: 0 }; 3];\n\
        proc a(i: int) { v[i].a := 1; } proc b(i: int) { v[i].b := 1; } proc all() { v[1] := v[2]; }\n\
        proc main() { post a(0); post b(0); post a(1); POSTS }";
    assert_eq!(racing(&text.replace("POSTS", "")), NONE);
    assert_eq!(racing(&text.replace("POSTS", "post a(1);")), ["v[1].a"]);
    assert_eq!(racing(&text.replace("POSTS", "post all();")), ["v[1]"]);
}

/// A race that only one of many schedules has is found. A race behind a condition that never holds is not.
#[test]
fn only_what_happens_is_a_race() {
    let text = "preempt access; var turn: int := 0; var x: int := 0;\n\
        proc a() { atomic { turn := turn + 1; } var t: int; atomic { t := turn; } if t == WHEN { x := 1; } }\n\
        proc main() { post a(); post a(); }";
    assert_eq!(racing(&text.replace("WHEN", "2")), ["x"]);
    assert_eq!(racing(&text.replace("WHEN", "3")), NONE);
}

/// The accesses of a step before it fails count, and those of other tasks beside it.
#[test]
fn races_of_executions_that_fail() {
    let text = "preempt access; var x: int := 0; var y: int := 0;\n\
        proc a() { assert x == 0; } proc b() { x := 1; y := 1; } proc c() { y := 2; }\n\
        proc main() { post a(); post b(); post c(); }";
    let names = racing(text);
    assert_eq!(names, ["x", "x == 0 is false with x = 1", "y"]);
}

const EXAMPLE: &str = "use sync;
preempt access;

var m: Mutex;
var queue: Mutex;
var total: int := 0;

proc add(n: int) {
  m.lock();
  total := total + n;
  m.unlock();
}

proc report() {
  queue.lock();
  assert total >= 0;
  queue.unlock();
}

proc main() {
  post add(1);
  post report();
}
";

#[test]
fn a_race_as_text() {
    let (text, status) = ask(EXAMPLE, &[]);
    let text = text
        .lines()
        .filter(|l| !l.contains(" seconds"))
        .collect::<Vec<_>>();
    insta::assert_snapshot!(text.join("\n"));
    assert_eq!(status, 1);
}

#[test]
fn a_race_as_json() {
    let (text, _) = ask(EXAMPLE, &["--format", "json"]);
    let mut json: Value = serde_json::from_str(&text).unwrap();
    json["stats"] = Value::Null;
    json["version"] = Value::Null;
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap());
}

#[test]
fn a_race_replays() {
    let folder = std::env::temp_dir().join(format!("dbverify-races-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (program, trace) = (folder.join("p.async"), folder.join("t.json"));
    std::fs::write(&program, EXAMPLE).unwrap();
    let tool = |args: &[&std::ffi::OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        command.args(args).output().unwrap()
    };
    let found = tool(&[
        "explore".as_ref(),
        program.as_ref(),
        "--races".as_ref(),
        "--trace-out".as_ref(),
        trace.as_ref(),
    ]);
    let again = tool(&["replay".as_ref(), program.as_ref(), trace.as_ref()]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(
        (found.status.code(), again.status.code()),
        (Some(1), Some(1))
    );
    let shown = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let lines = text.lines().filter(|l| l.contains("race:"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown(&found.stdout), shown(&again.stdout));
    assert_eq!(shown(&found.stdout).len(), 3);
}

#[test]
fn a_bug_that_many_schedules_have_is_found_first() {
    let philosophers = "use sync; var fork: [20]Mutex;
        proc philosopher(i: 0..19) {
          fork[i].lock(); fork[(i + 1) % 20].lock(); fork[(i + 1) % 20].unlock(); fork[i].unlock();
        }
        proc main() { for i in 0..19 { post philosopher(i); } }";
    let (answer, status) = ask(philosophers, &[]);
    assert!(status == 1 && answer.contains("bug: deadlock"), "{answer}");
}

#[test]
fn races_need_all_orders() {
    for options in [
        &["--strategy", "stateless"][..],
        &["--strategy", "random"],
        &["--delays", "1"],
        &["--scheduler", "rr"],
        &["--preemptions", "1"],
        &["--fair"],
        &["--divergence"],
    ] {
        let (text, status) = ask(EXAMPLE, options);
        assert_eq!(status, 2, "{options:?} {text}");
    }
}

#[test]
fn a_race_is_shortened_to_itself() {
    // Both races end at the assignment to `z`.
    let text = "preempt access; var y, z: int := 0; proc p0() { y := 2; let r = z; }
                proc p1() { z := y + 1; } proc main() { post p0(); post p1(); }";
    for strategy in ["stateful", "dpor"] {
        let all = racing_by(text, &["--strategy", strategy]);
        assert_eq!(all, ["y", "z"], "{strategy}");
    }
}
