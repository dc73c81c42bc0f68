//! `dbverify simulate`: one execution, at random, by hand, to a line, or that of a trace.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const LOST: &str = "var x: int := 0;\nproc add(by: 1..2) {\n  let old = x;\n  yield;\n  x := old + by;\n}\n\
                    proc main() {\n  var by: 1..2;\n  post add(by);\n  post add(1);\n}\n\
                    finally {\n  assert x >= 2;\n}\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lost.async"), LOST).unwrap();
    folder
}

fn simulate(folder: &Path, args: &[&str], typed: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .arg("simulate")
        .args(args)
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(typed.as_bytes()).unwrap();
    drop(input);
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = simulate(folder, &[args, &["--format", "json"]].concat(), "");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {output:?}"))
}

#[test]
fn the_same_seed_shows_the_same_execution() {
    let folder = folder();
    let of = |seed: &str| {
        stdout(&simulate(
            folder.path(),
            &["lost.async", "--seed", seed],
            "",
        ))
    };
    assert_eq!(of("3"), of("3"));
    let seen: std::collections::BTreeSet<String> =
        (0..20).map(|seed| of(&seed.to_string())).collect();
    assert!(seen.len() > 5, "{seen:#?}");
}

#[test]
fn an_execution_without_a_bug_is_shown_and_claims_nothing() {
    let folder = folder();
    let clean = (0..50).find(|seed| {
        let output = simulate(
            folder.path(),
            &["lost.async", "--seed", &seed.to_string()],
            "",
        );
        output.status.code() == Some(0)
    });
    let seed = clean.expect("most executions are fine").to_string();
    let output = simulate(folder.path(), &["lost.async", "--seed", &seed], "");
    let text = stdout(&output);
    assert!(text.contains("old + by"), "{text}");
    assert!(
        text.ends_with("ends without an error, which says nothing about others\n"),
        "{text}"
    );
    assert!(!text.contains("safe"), "{text}");
    let answer = json(folder.path(), &["lost.async", "--seed", &seed]);
    assert_eq!(answer["ended"], "finished");
    assert_eq!(answer["verdict"], Value::Null);
    assert!(answer["trace"].as_array().unwrap().len() > 4);
    // It can be walked through, and shown as a page.
    let files = ["--trace-out", "run.json", "--html", "run.html"];
    let output = simulate(
        folder.path(),
        &[&["lost.async", "--seed", &seed], &files[..]].concat(),
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
    assert!(page.contains("\"action\"") || page.contains("old + by"));
    let again = json(folder.path(), &["lost.async", "--trace", "run.json"]);
    assert_eq!(again["trace"], answer["trace"]);
}

#[test]
fn a_bug_that_is_met_is_told() {
    let folder = folder();
    // The first two go to their yields; then the one overwrites the other.
    let output = simulate(folder.path(), &["lost.async", "--by-hand"], "1\n1\n2\n1\n");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("<-- fails"), "{text}");
    assert!(
        text.ends_with("lost.async: bug: this execution ends in an error\n"),
        "{text}"
    );
}

#[test]
fn who_decides_by_hand_can_go_back_and_leave() {
    let folder = folder();
    let output = simulate(
        folder.path(),
        &["lost.async", "--by-hand"],
        "7\n2\n?\n9\nb\n1\nq\n",
    );
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for words in [
        "task 1 (main) chooses a value of type 1..2 > 7",
        "that is no value of this type",
        "1: task 2 (add)\n2: task 3 (add)\n> ?",
        "one decision at random",
        "write a number from 1 to 2",
        "back:\n",
        "was left before its end\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// A user who leaves at a choice of a value has taken no further step.
#[test]
fn who_leaves_at_a_value_has_taken_no_further_step() {
    let folder = folder();
    let text = "var x: int;\nvar y: int;\nproc main() { assert false; }\n";
    std::fs::write(folder.path().join("odd.async"), text).unwrap();
    for typed in ["q\n", "", "3\nq\n"] {
        let output = simulate(folder.path(), &["odd.async", "--by-hand"], typed);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.ends_with("was left before its end\n"), "{text}");
        assert!(!text.contains("(main):"), "{text}");
    }
}

#[test]
fn by_hand_each_part_of_a_value_is_asked_for() {
    let folder = folder();
    let text = "type R = record { a: [2] 0..5, b: bool };\nvar r: R;\n\
                proc main() { assert r.a[1] != 4 || !r.b; }\n";
    std::fs::write(folder.path().join("odd.async"), text).unwrap();
    let typed = "3\n9\n4\ntrue\n";
    let output = simulate(folder.path(), &["odd.async", "--by-hand"], typed);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for words in [
        "chooses a value of type 0..5 for .a[0] > 3",
        "chooses a value of type 0..5 for .a[1] > 9\nthat is no value",
        "chooses a value of type bool for .b > true",
        "r = R { a: [3, 4], b: true }",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn by_hand_lines_of_the_library_are_named() {
    let folder = folder();
    let text = "use sync;\nvar m: Mutex;\nproc main() { m.lock(); }\n";
    std::fs::write(folder.path().join("odd.async"), text).unwrap();
    let text = stdout(&simulate(
        folder.path(),
        &["odd.async", "--by-hand"],
        "run\n",
    ));
    assert!(text.contains("\nsync:"), "{text}");
}

#[test]
fn an_execution_to_a_line_is_looked_for() {
    let folder = folder();
    let answer = json(folder.path(), &["lost.async", "--to", "5"]);
    assert_eq!(answer["ended"], "line");
    let steps = answer["trace"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["line"], 5);
    assert_eq!(steps.iter().filter(|s| s["line"] == 5).count(), 1);
    let output = simulate(
        folder.path(),
        &["lost.async", "--to", "1", "--runs", "7"],
        "",
    );
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        stdout(&output),
        "lost.async: none of 7 executions gets to line 1\n"
    );
}

/// `--to` also stops at a statement that is no step. The last line of the trace says of no task that it waits.
#[test]
fn an_execution_gets_to_lines_without_steps() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\nstatic pthread_mutex_t m;\nint g(int a) {\n  if (a)\n    return 1;\n  return 2;\n}\n\
                int main(void) {\n  pthread_mutex_lock(&m); pthread_mutex_unlock(&m);\n  return g(1);\n}\n";
    std::fs::write(folder.path().join("p.c"), text).unwrap();
    let to = |line: &str| simulate(folder.path(), &["p.c", "--to", line], "");
    for line in ["4", "5", "9"] {
        let said = stdout(&to(line));
        let gets = format!("gets to line {line}; what follows is not shown");
        assert!(said.contains(&gets), "{said}");
        assert!(
            !said.contains("waits") && !said.contains("interrupted"),
            "{said}"
        );
    }
    assert_eq!(to("6").status.code(), Some(3));
}

#[test]
fn programs_without_end_or_without_executions_are_survived() {
    let folder = folder();
    for (text, status) in [
        ("proc main() { while true { skip; } }", 3),
        ("proc main() { while true { yield; } }", 0),
        ("proc main() { assume false; }", 3),
        ("proc main() { post main(); post main(); }", 0),
        ("var m: bool := false; proc main() { await m; }", 1),
    ] {
        std::fs::write(folder.path().join("odd.async"), text).unwrap();
        let args = ["odd.async", "--max-steps", "50", "--runs", "3"];
        let output = simulate(folder.path(), &args, "");
        assert_eq!(output.status.code(), Some(status), "{text}: {output:?}");
    }
}

/// If something stops every execution, `simulate` finds that out soon and says it.
#[test]
fn what_stops_every_execution_is_said() {
    let folder = folder();
    let real = "#include <math.h>\nint main(void) { return sin(1.0) > 0.5; }\n";
    for (name, text, why) in [
        (
            "deep.async",
            "proc f() { call f(); } proc main() { call f(); }",
            "a task runs for very long without a preemption point, at line 1",
        ),
        (
            "late.async",
            "var x: int := 0; proc main() { yield; while true { x := 1 - x; } }",
            "a task runs for very long without a preemption point, at line 1",
        ),
        (
            "real.c",
            real,
            "a floating number decides here that is not computed",
        ),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let output = simulate(folder.path(), &[name], "");
        assert_eq!(output.status.code(), Some(3), "{name}: {output:?}");
        let said = stdout(&output);
        assert!(
            said.contains("none of 50 executions gets to its end"),
            "{said}"
        );
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_line_that_the_file_does_not_have_is_refused() {
    let folder = folder();
    let output = simulate(folder.path(), &["lost.async", "--to", "99"], "");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("line 99: the file has 14 lines"), "{said}");
}

/// Ever more tasks, and one statement that takes long again and again.
#[test]
fn the_limit_of_time_ends_an_execution() {
    let folder = folder();
    for (name, text) in [
        (
            "more.async",
            "proc p() { post p(); post p(); } proc main() { post p(); }",
        ),
        (
            "long.async",
            "var a: [100000]int; proc main() { a := [1; 100000]; while true { a := a; } }",
        ),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let output = simulate(
            folder.path(),
            &[name, "--timeout", "1", "--max-steps", "1000000"],
            "",
        );
        assert!(
            stdout(&output).contains("the time ran out"),
            "{name}: {}",
            stdout(&output)
        );
    }
}

#[test]
fn every_scheduler_can_be_simulated() {
    let folder = folder();
    for scheduler in ["bag", "bounded-bag", "rr", "dfs", "rdfs"] {
        for seed in ["0", "1", "2", "3"] {
            let args = ["lost.async", "--scheduler", scheduler, "--seed", seed];
            let code = simulate(folder.path(), &args, "").status.code();
            assert!(matches!(code, Some(0 | 1)), "{scheduler} {seed}: {code:?}");
        }
    }
}

/// Statements count from one preemption point to the next.
#[test]
fn a_long_execution_is_followed() {
    let folder = folder();
    let text =
        "var x: int := 0;\nproc main() { while x < 50000 { x := x + 1; yield; } assert x == 0; }\n";
    std::fs::write(folder.path().join("long.async"), text).unwrap();
    let args = ["long.async", "--max-steps", "1000000", "--format", "json"];
    let output = simulate(folder.path(), &args, "");
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// As `explore` does, unless the user says how much memory there is.
#[test]
fn an_execution_that_lacks_memory_gets_more() {
    let folder = folder();
    let program = "#include <stdlib.h>\nstatic int n = 10;\nint main(void) {\n  n *= 2;\n  char *p = malloc(n);\n  p[n - 1] = 2;\n  free(p);\n}\n";
    std::fs::write(folder.path().join("large.c"), program).unwrap();
    let output = simulate(folder.path(), &["large.c"], "");
    assert!(
        stdout(&output).contains("ends without an error"),
        "{output:?}"
    );
    assert_eq!(output.status.code(), Some(0));
    let output = simulate(folder.path(), &["large.c", "--heap", "8"], "");
    assert!(
        stdout(&output).contains("more than 8 elements"),
        "{output:?}"
    );
}

/// A `cover` that is asked about is no error. The exit status tells whether it is reached.
#[test]
fn a_cover_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = "var done: bool := false;\nproc work() { done := true; }\nproc main() {\n  post work();\n  yield;\n  cover done;\n}\n";
    std::fs::write(folder.path().join("p.async"), text).unwrap();
    let mut seen = [false; 2];
    for seed in 0..20 {
        let seed = seed.to_string();
        let output = simulate(
            folder.path(),
            &["p.async", "--cover", "6", "--seed", &seed],
            "",
        );
        let said = stdout(&output);
        let covered = said.contains("p.async: covered: this execution");
        assert!(!said.contains("bug"), "{said}");
        assert_eq!(output.status.code(), Some(i32::from(!covered)), "{said}");
        seen[usize::from(covered)] = true;
    }
    assert_eq!(seen, [true, true]);
    let output = simulate(
        folder.path(),
        &["p.async", "--cover", "6", "--trace-out", "t", "--seed", "0"],
        "",
    );
    let again = simulate(folder.path(), &["p.async", "--trace", "t"], "");
    assert_eq!(again.status.code(), output.status.code(), "{again:?}");
}

/// No execution of the program refutes a claim, so the refutation is made again.
#[test]
fn the_trace_of_a_false_claim_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let example = format!(
        "{}/examples/async-programs/false_independence_bug.async",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::copy(example, folder.path().join("p.async")).unwrap();
    let found = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder.path())
        .args(["explore", "p.async", "--trace-out", "t"])
        .output()
        .unwrap();
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    let shown = simulate(folder.path(), &["p.async", "--trace", "t"], "");
    assert_eq!(shown.status.code(), Some(1), "{shown:?}");
    let said = stdout(&shown);
    assert!(
        said.contains("the two orders do not leave the same state"),
        "{said}"
    );
    // An execution of the same program is no trace of the claim.
    simulate(folder.path(), &["p.async", "--trace-out", "own"], "");
    let own = simulate(folder.path(), &["p.async", "--trace", "own"], "");
    assert_eq!(own.status.code(), Some(0), "{own:?}");
}

#[test]
fn a_damaged_trace_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let text = "var x: bool;\nproc main() { assert !x; }\n";
    std::fs::write(folder.path().join("p.async"), text).unwrap();
    simulate(folder.path(), &["p.async", "--trace-out", "t"], "");
    let trace = folder.path().join("t");
    let mut json: Value = serde_json::from_slice(&std::fs::read(&trace).unwrap()).unwrap();
    json["schedule"] = serde_json::json!([{ "choose": { "task": 4 } }]);
    std::fs::write(trace, json.to_string()).unwrap();
    let shown = simulate(folder.path(), &["p.async", "--trace", "t"], "");
    let said = String::from_utf8_lossy(&shown.stderr);
    assert_eq!(shown.status.code(), Some(2), "{shown:?}");
    assert!(said.contains("a value that is no bool"), "{said}");
}

/// What lies in memory before a condition variable has a value says nothing of threads.
#[test]
fn chosen_memory_is_not_told_as_waiting_threads() {
    let folder = folder();
    let text = "#include <pthread.h>
        struct queue { pthread_mutex_t lock; pthread_cond_t cond; int n; };
        static struct queue *q;
        static void *work(void *arg) { pthread_cond_signal(&q->cond); return arg; }
        int main(void) {
          struct queue own;
          pthread_t t;
          q = &own;
          pthread_create(&t, 0, work, 0);
          pthread_join(t, 0);
        }";
    std::fs::write(folder.path().join("queue.c"), text).unwrap();
    for seed in ["0", "1", "2"] {
        let shown = stdout(&simulate(folder.path(), &["queue.c", "--seed", seed], ""));
        assert!(shown.contains("main.own is chosen"), "{shown}");
        assert!(!shown.contains("threads wait"), "{shown}");
    }
}
