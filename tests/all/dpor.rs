//! Dynamic partial-order reduction from the outside: numbers of traces that can be computed by hand, and the same
//! bugs and final states as the search of all states.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dbverify::answer::{Counted, Verdict};
use dbverify::check::CheckOptions;
use dbverify::ir::Program;
use dbverify::options::{ExploreOptions, Strategy};
use dbverify::symbolic::explore;
use serde_json::Value;
use testing::random_program::random_program;

/// The tool's answer about a program on its standard input, and its exit status.
fn ask(text: &str, options: &[&str]) -> (Value, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["explore", "-", "--strategy", "dpor", "--format", "json"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let answer = serde_json::from_str(&text).unwrap_or_else(|_| panic!("no answer: {text}"));
    (answer, output.status.code().unwrap())
}

/// Executions of a program without a bug, none of them begun in vain.
fn executions(text: &str) -> u64 {
    let (answer, status) = ask(text, &[]);
    assert_eq!((answer["verdict"].as_str(), status), (Some("safe"), 0));
    assert_eq!(answer["bounds"]["exhaustive"], true);
    assert_eq!(answer["stats"]["blocked"], 0, "{text}");
    answer["stats"]["executions"].as_u64().unwrap()
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// Tasks with these calls, posted before the first runs.
fn tasks(head: &str, calls: impl IntoIterator<Item = String>) -> String {
    let posts: String = (calls.into_iter())
        .map(|call| format!("post {call};\n"))
        .collect();
    format!("preempt access;\n{head}\nproc main() {{\n{posts}}}\n")
}

#[test]
fn writers_of_one_variable() {
    let head = "var x: int := 0;\nproc write(v: int) { x := v; }";
    for n in 1..=6 {
        let text = tasks(head, (0..n).map(|i| format!("write({i})")));
        assert_eq!(executions(&text), factorial(n));
    }
}

#[test]
fn writers_of_their_own_variables() {
    for n in [1, 2, 10, 70, 200] {
        let head = format!("var x: [{n}]int := [0; {n}];\nproc write(i: int) {{ x[i] := i; }}");
        let text = tasks(&head, (0..n).map(|i| format!("write({i})")));
        assert_eq!(executions(&text), 1);
    }
}

#[test]
fn readers_and_a_writer() {
    let head = "var x: int := 0;\nproc read() { var seen: int := x; }\nproc write() { x := 1; }";
    for n in 0..=8 {
        let calls = std::iter::repeat_n("read()", n).chain(["write()"]);
        let text = tasks(head, calls.map(str::to_owned));
        assert_eq!(executions(&text), 1 << n);
    }
}

#[test]
fn increments_in_two_steps() {
    let head = "var x: int := 0;\nproc increment() { x := x + 1; }";
    for (n, traces) in [(1, 1), (2, 4), (3, 36), (4, 576), (5, 14400)] {
        let text = tasks(head, vec!["increment()".to_owned(); n]);
        assert_eq!(executions(&text), traces);
    }
}

#[test]
fn increments_under_a_mutex() {
    let head = "use sync;\nvar m: Mutex;\nvar x: int := 0;\n\
        proc increment() { m.lock(); x := x + 1; m.unlock(); }";
    for n in 1..=6 {
        let text = tasks(head, vec!["increment()".to_owned(); n]);
        assert_eq!(executions(&text), factorial(n as u64));
    }
}

/// Philosopher `i` takes the forks `i` and `i + 1`, or in the order of their numbers.
fn philosophers(n: usize, ordered: bool) -> String {
    let head = format!(
        "use sync;\nvar fork: [{n}]Mutex;\nproc eat(a: int, b: int) {{\n\
         fork[a].lock(); fork[b].lock(); fork[b].unlock(); fork[a].unlock(); }}"
    );
    let call = |i: usize| {
        let (a, b) = (i, (i + 1) % n);
        let swap = ordered && a > b;
        let (a, b) = if swap { (b, a) } else { (a, b) };
        format!("eat({a}, {b})")
    };
    tasks(&head, (0..n).map(call))
}

#[test]
fn philosophers_with_an_order() {
    for n in 3..=7 {
        assert_eq!(executions(&philosophers(n, true)), (1 << n) - 2);
    }
}

#[test]
fn philosophers_in_a_circle() {
    for n in 3..=7 {
        let (answer, status) = ask(&philosophers(n, false), &["--all"]);
        assert_eq!((answer["verdict"].as_str(), status), (Some("bug"), 1));
        assert_eq!(answer["error"]["kind"], "deadlock");
        assert_eq!(answer["stats"]["executions"], (1 << n) - 1);
        assert_eq!(answer["stats"]["blocked"], 0);
    }
}

/// A message, a flag and a task that waits for it: only one order is left.
#[test]
fn what_waits_comes_after() {
    let text = tasks(
        "var box: int := 0;\nvar full: bool := false;\n\
         proc send() { box := 7; full := true; }\n\
         proc receive() { await full; assert box == 7; }",
        ["send()".to_owned(), "receive()".to_owned()],
    );
    assert_eq!(executions(&text), 1);
}

/// A posted task comes after its post, and a join after the end of its task.
#[test]
fn posts_and_joins() {
    let text = "preempt access;\nvar x: [4]int := [0; 4];\n\
        proc leaf(i: int) { x[i] := 1; }\n\
        proc node(i: int) { var t: task; t := post leaf(i); join t; assert x[i] == 1; }\n\
        proc main() { post node(0); post node(1); post node(2); }";
    assert_eq!(executions(text), 1);
}

/// One trace for each result of a choice, and for each order.
#[test]
fn choices() {
    let text = "var x: 0..9 := 0;\nproc t(v: int) { if * { x := v; } }\n\
        proc main() { post t(1); post t(2); }";
    // Both write, in two orders; one of them; none.
    assert_eq!(executions(text), 5);
}

/// An execution that is cut off is no proof.
#[test]
fn endless_loops_are_cut() {
    let text = "var stop: bool := false;\nvar turns: int := 0;\n\
        proc spin() { while !stop { turns := turns + 1; yield; } }\n\
        proc main() { post spin(); post set(); }\nproc set() { stop := true; }";
    let (answer, status) = ask(text, &["--max-steps", "20"]);
    assert_eq!(
        (answer["verdict"].as_str(), status),
        (Some("inconclusive"), 3)
    );
    assert_eq!(answer["bounds"]["exhaustive"], false);
}

/// A task that polls does not keep the tasks from running for which it waits.
#[test]
fn loops_that_poll_come_to_an_end() {
    let text = "preempt access; var go: bool := false; var x: int := 0;\n\
        proc poll() { while !go { yield; } assert x == 1; }\n\
        proc set() { go := true; x := 1; }\n\
        proc main() { post poll(); post set(); }";
    for options in [&[][..], &["--races"]] {
        let (answer, status) = ask(text, options);
        assert_eq!((answer["verdict"].as_str(), status), (Some("bug"), 1));
    }
}

/// The search follows a task that polls as long as it does something new: it sees the flag, or it does not.
#[test]
fn a_round_is_made_once() {
    let text = "preempt access; var go: bool := false;\n\
        proc poll() { while !go { yield; } }\n\
        proc set() { go := true; }\n\
        proc main() { post poll(); post set(); }";
    assert_eq!(executions(text), 1);
    // The first takes the lock for each look, and gives it back.
    let text = "use sync; preempt access; var m: Mutex; var go: bool := false;\n\
        proc poll() { var seen: bool := false;\n\
        while !seen { m.lock(); seen := go; m.unlock(); } }\n\
        proc set() { m.lock(); go := true; m.unlock(); }\n\
        proc main() { post poll(); post set(); }";
    assert_eq!(executions(text), 1);
    // The loop writes the value that the variable already has.
    let text = "preempt access; var go: bool := false; var e: int := 0;\n\
        proc poll() { e := 1; while !go { e := 1; } }\n\
        proc set() { go := true; }\n\
        proc main() { post poll(); post set(); }";
    assert_eq!(executions(text), 1);
    // The task rests in procedures that the loop calls.
    let text = "var go: bool := false;\n\
        proc rest() { yield; }\n\
        proc look(): bool { call rest(); yield; return go; }\n\
        proc poll() { var seen: bool := false; while !seen { seen := call look(); } }\n\
        proc set() { go := true; }\n\
        proc main() { post poll(); post set(); }";
    assert_eq!(executions(text), 1);
}

/// Two tasks poll each other's flag, and no task sets one. They are not blocked, so there is no bug.
#[test]
fn going_round_is_no_deadlock() {
    let text = "var x: [2]bool := [false; 2];\nproc poll(i: int) { while !x[i] { yield; } }\n\
        proc main() { post poll(0); post poll(1); }";
    let (answer, status) = ask(text, &[]);
    assert_eq!((answer["verdict"].as_str(), status), (Some("safe"), 0));
    let text = format!("{text}\nvar never: bool := false;\nproc wait() {{ await never; }}")
        .replace("post poll(1);", "post wait();");
    let (answer, status) = ask(&text, &[]);
    assert_eq!((answer["verdict"].as_str(), status), (Some("safe"), 0));
}

/// The search sees what a loop does besides polling, and what it would do in a later turn.
#[test]
fn rounds_hide_no_bugs() {
    let texts = [
        // In the second turn.
        "var x: int := 0;\n\
        proc p() { var n: int := 0; while x == 0 { n := n + 1; assert n < 3; yield; } }\n\
        proc main() { post p(); post q(); }\nproc q() { x := 1; }",
        // Fails only while the first task holds the flag that it will give back.
        "preempt access; var m: bool := false; var go: bool := false;\n\
        proc p() { while !go { m := true; m := false; } }\n\
        proc q() { var held: bool := m; assert !held; go := true; }\n\
        proc main() { post p(); post q(); }",
        // Fails only while the value differs from the one before the loop.
        "preempt access; var e: int := 0; var go: bool := false;\n\
        proc p() { e := 1; while !go { e := 2; e := 1; } }\n\
        proc q() { var seen: int := e; assert seen != 2; go := true; }\n\
        proc main() { post p(); post q(); }",
        // Fails only where the first task restores the value from before the loop for a moment.
        "preempt access; var e: int := 0; var go: bool := false;\n\
        proc p() { e := 1; while !go { e := 0; e := 1; } }\n\
        proc q() { await e == 1; var seen: int := e; assert seen != 0; go := true; }\n\
        proc main() { post p(); post q(); }",
        // Only after two turns that others have made different.
        "preempt access; var x: int := 0; var go: bool := false;\n\
        proc p() { var last: int := 0; while !go { last := x; x := 1 - last; } assert x == 0; }\n\
        proc q() { go := true; }\n\
        proc main() { post p(); post q(); }",
    ];
    for text in texts {
        let (answer, status) = ask(text, &[]);
        assert_eq!(
            (answer["verdict"].as_str(), status),
            (Some("bug"), 1),
            "{text}"
        );
    }
}

/// A race in a turn that leads to nothing.
#[test]
fn races_of_rounds_are_found() {
    let text = "preempt access; var x: int := 0; var go: bool := false;\n\
        proc p() { var up: bool := false; while !up { var seen: int := x; await true { up := go; } } }\n\
        proc q() { x := 1; await true { go := true; } }\n\
        proc main() { post p(); post q(); }";
    let (answer, status) = ask(text, &["--races"]);
    assert_eq!((answer["verdict"].as_str(), status), (Some("bug"), 1));
    assert_eq!(answer["error"]["kind"], "race");
}

/// The verdicts on C programs with conditions and loops that poll, without spurious wake-ups.
#[test]
fn threads_that_wait_in_loops() {
    for (name, traces) in [
        ("pool", 17976),
        ("attempts", 1),
        ("treiber", 72),
        ("spin", 1),
    ] {
        let file = format!("{}/tests/c/traces/{name}.c", env!("CARGO_MANIFEST_DIR"));
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .args(["explore", &file, "--strategy", "dpor"])
            .args(["--spurious", "0", "--format", "json"])
            .output()
            .unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["verdict"], "safe", "{name}");
        assert_eq!(answer["stats"]["executions"], traces, "{name}");
        assert_eq!(answer["stats"]["blocked"], 0, "{name}");
    }
}

/// Tasks that poll in loops, with locks or without.
fn polling(seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut text =
        "use sync;\npreempt access;\nvar m: Mutex;\nvar x: [2]0..2 := [0; 2];\n".to_owned();
    let tasks = rng.usize(2..=3);
    for task in 0..tasks {
        let mut body = String::new();
        for at in 0..rng.usize(1..=3) {
            let (i, j, v, w) = (rng.u8(0..2), rng.u8(0..2), rng.u8(0..3), rng.u8(0..3));
            let part = match rng.u8(0..9) {
                0 | 1 => format!("x[{i}] := {v};"),
                2 => format!("while x[{i}] != {v} {{ yield; }}"),
                3 => format!("while x[{i}] == {v} && x[{j}] == {w} {{ }}"),
                4 => format!(
                    "var s{at}: int := 3; while s{at} != {v} {{ m.lock(); s{at} := x[{i}]; m.unlock(); }}"
                ),
                5 => format!(
                    "var t{at}: int := x[{i}]; while t{at} == {v} {{ x[{j}] := {w}; t{at} := x[{i}]; }}"
                ),
                6 => format!("m.lock(); x[{i}] := {v}; x[{j}] := {w}; m.unlock();"),
                7 => format!("while x[{i}] == {v} {{ x[{j}] := {w}; x[{j}] := {v}; }}"),
                _ => format!("assert x[{i}] != {v};"),
            };
            body.push_str(&part);
            body.push('\n');
        }
        text.push_str(&format!("proc p{task}() {{\n{body}}}\n"));
    }
    let posts: String = (0..tasks).map(|t| format!("post p{t}(); ")).collect();
    text.push_str(&format!("proc main() {{ {posts}}}\n"));
    text
}

/// In programs that poll, the reduction finds what the search of all states finds.
#[test]
fn random_programs_that_poll() {
    let (mut compared, mut ended) = (0, 0);
    for seed in seeds() {
        let text = polling(seed);
        let program = compile(&text);
        let Some((expected, _)) = finds(&program, Strategy::Stateful) else {
            continue;
        };
        let Some((reduced, _)) = finds(&program, Strategy::Dpor) else {
            continue;
        };
        ended += u32::from(expected.finals.as_ref().is_some_and(|f| !f.is_empty()));
        assert_eq!(reduced, expected, "(reduced, all states) {seed}\n{text}");
        compared += 1;
    }
    println!("{compared} programs, {ended} of them end");
    assert!(compared > 400 && ended > 100);
}

#[test]
fn the_same_bytes_whatever_the_jobs() {
    let text = philosophers(5, false);
    let without_times = |jobs| {
        let (mut answer, _) = ask(&text, &["--all", "--finals", "--jobs", jobs]);
        answer["stats"]["seconds"] = Value::Null;
        answer
    };
    assert_eq!(without_times("1"), without_times("4"));
}

/// The first seeds; or with `DPOR_SECONDS` in the environment as many as there is time for, from `DPOR_SEED` on.
fn seeds() -> impl Iterator<Item = u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let end = given("DPOR_SECONDS").map(|s| Instant::now() + Duration::from_secs(s));
    let from = given("DPOR_SEED").unwrap_or(0);
    (from..).take_while(move |&seed| match end {
        Some(end) => Instant::now() < end,
        None => seed < from + 600,
    })
}

fn compile(text: &str) -> Program {
    let compiled = dbverify::compile("random.async", text, &CheckOptions::default());
    (compiled.program).unwrap_or_else(|| panic!("{:?}\n{text}", compiled.diagnostics))
}

/// The findings of a search: the verdict, the final states, and the distinct errors with their places.
#[derive(Debug, PartialEq)]
struct Finds {
    verdict: Verdict,
    finals: Option<Vec<Vec<ir::Value>>>,
    errors: BTreeSet<(&'static str, Option<u32>)>,
}

/// Looks at everything, unless that takes long.
fn finds(program: &Program, strategy: Strategy) -> Option<(Finds, Option<u64>)> {
    let mut options = ExploreOptions {
        strategy,
        all: true,
        finals: true,
        ..ExploreOptions::default()
    };
    options.limits.timeout = Duration::from_millis(200);
    let answer = explore(program, &options);
    let blocked = answer.count(Counted::Blocked);
    assert!(strategy != Strategy::Dpor || blocked == Some(0));
    let executions = answer.count(Counted::Executions);
    let errors = answer
        .bugs
        .iter()
        .map(|b| (b.kind.name(), b.span.map(|s| s.start)));
    let found = Finds {
        errors: errors.collect(),
        verdict: answer.verdict,
        finals: answer.finals,
    };
    answer.exhaustive.then_some((found, executions))
}

/// The reduction finds what the search of all states finds, and never has more executions than there are schedules.
#[test]
fn random_programs() {
    let mut compared = 0;
    for seed in seeds() {
        let text = random_program(seed).text();
        let program = compile(&text);
        let reduced = finds(&program, Strategy::Dpor);
        let (Some((reduced, traces)), Some((expected, schedules))) =
            (reduced, finds(&program, Strategy::Stateful))
        else {
            continue;
        };
        assert_eq!(reduced, expected, "(reduced, all states) {seed}\n{text}");
        // After a task has failed, the reduction still follows the others.
        let whole = expected.errors.iter().all(|(kind, _)| *kind == "deadlock");
        if let (Some(traces), Some(schedules), true) = (traces, schedules, whole) {
            assert!(
                traces <= schedules,
                "{traces} of {schedules}: {seed}\n{text}"
            );
        }
        compared += 1;
    }
    println!("{compared} programs");
    assert!(compared > 100);
}
