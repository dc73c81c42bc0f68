//! `--divergence` as a user meets it: programs of which it is known whether the order of the tasks shows.

use crate::asked::Asked;

/// Two tasks with that body; each has its number `me`.
fn two(globals: &str, body: &str) -> Asked {
    Asked::about(&format!(
        "{globals} proc p(me: 0..1) {{ {body} }} proc main() {{ post p(0); post p(1); }}"
    ))
}

#[test]
fn the_last_writer_wins() {
    let program = two("var x: int := 9;", "x := me;");
    assert_eq!(program.verdict("--divergence"), "divergence");
    program.replays("--divergence", "divergence");
    let (_, text) = program.text("explore", "--divergence");
    let words = "x is 1 when tasks run in the order 2, 3, and 0 in the order 3, 2";
    assert!(text.contains(words), "{text}");
    for title in ["in one order", "in another order"] {
        assert!(text.contains(title), "{text}");
    }
}

/// Both schedules are in the file, and in the answer's trace.
#[test]
fn two_schedules_are_shown() {
    let program = two("var x: int := 9;", "x := me;");
    let (status, json) = program.json("--divergence");
    assert_eq!(status, 1);
    assert_eq!(json["error"]["kind"], "divergence");
    assert_eq!(json["error"]["line"], 1);
    assert_eq!(json["bounds"]["divergence"], true);
    let trace = json["trace"].as_array().unwrap();
    let writes = (trace.iter()).filter(|s| s["changed"].get("x").is_some());
    let order: Vec<i64> = writes.map(|s| s["task"].as_i64().unwrap()).collect();
    assert_eq!(order, [2, 3, 3, 2], "{json}");
    let (status, sarif) = program.text("explore", "--divergence --format sarif");
    assert_eq!(status, 1);
    assert!(sarif.contains("\"ruleId\":\"divergence\""), "{sarif}");
}

/// Tasks that commute do not diverge, also if a lock decides which one is first.
#[test]
fn what_commutes_does_not_diverge() {
    let adds = two("var x: int := 0;", "x := x + 1; yield; x := x + 2;");
    let own = two("var x: [2]int := [0; 2];", "x[me] := 1; yield; x[me] := 2;");
    let locked = two(
        "use sync; preempt access; var m: Mutex; var x: int := 0;",
        "m.lock(); x := x + 1; m.unlock();",
    );
    for program in [adds, own, locked] {
        assert_eq!(program.verdict("--divergence"), "safe");
        let (_, json) = program.json("--divergence");
        assert_eq!(json["bounds"]["exhaustive"], true, "{json}");
    }
    let lost = two("preempt access; var x: int := 0;", "x := x + 1;");
    assert_eq!(lost.verdict("--divergence"), "divergence");
}

/// A difference before the end counts, although the shared state may be the same again later.
#[test]
fn a_difference_on_the_way_counts() {
    let program = two("var x: int := 9;", "x := me; yield; x := 7;");
    assert_eq!(program.verdict("--divergence"), "divergence");
    let (_, json) = program.json("--divergence --finals --all");
    assert_eq!(json["finals"].as_array().unwrap().len(), 1, "{json}");
}

/// Locals are a task's own (the paper's section 8). A difference in them shows in shared state later.
#[test]
fn a_local_alone_is_no_difference() {
    let reads = "var x: int := 0; var seen: [2]int := [0; 2];";
    let silent = two(reads, "var v: int := x; yield; x := x + 1; v := 0;");
    assert_eq!(silent.verdict("--divergence"), "safe");
    let telling = two(reads, "var v: int := x; x := x + 1; yield; seen[me] := v;");
    assert_eq!(telling.verdict("--divergence"), "divergence");
}

/// The paper's semaphores: `up` waits, `down` lets go. With an order that they force nothing shows.
#[test]
fn semaphores_force_an_order() {
    let text = "use sync; var s: Semaphore(0); var x: int := 0;
         proc a() { x := 1; s.release(); }
         proc b() { s.acquire(); x := 2; }
         proc main() { post a(); post b(); }";
    assert_eq!(Asked::about(text).verdict("--divergence"), "safe");
    let without = text.replace("s.acquire();", "yield;");
    assert_eq!(Asked::about(&without).verdict("--divergence"), "divergence");
}

/// "If the other thread is already blocking, report deadlock"; "if the other thread is blocked, report an error,
/// since the thread will block forever".
#[test]
fn deadlock_and_blocked_for_ever() {
    let crossed = "use sync; var m: [2]Mutex;
         proc p(a: int, b: int) { m[a].lock(); m[b].lock(); m[b].unlock(); m[a].unlock(); }
         proc main() { post p(0, 1); post p(1, 0); }";
    assert_eq!(Asked::about(crossed).verdict("--divergence"), "deadlock");
    let left = "use sync; var s: Semaphore(0); var x: int := 0;
         proc a() { x := 1; }
         proc b() { s.acquire(); }
         proc main() { post a(); post b(); }";
    assert_eq!(Asked::about(left).verdict("--divergence"), "deadlock");
    Asked::about(left).replays("--divergence", "deadlock");
}

/// The user's choices are part of a task's progress: executions with different choices are not compared.
#[test]
fn choices_are_no_divergence() {
    let chosen = two(
        "var x: [2]int := [0; 2];",
        "if * { x[me] := 1; } else { x[me] := 2; }",
    );
    assert_eq!(chosen.verdict("--divergence"), "safe");
    let initial = two("var x: bool; var y: [2]bool := [false; 2];", "y[me] := x;");
    assert_eq!(initial.verdict("--divergence"), "safe");
}

/// Any number of tasks (the paper's section 10), posted in any order.
#[test]
fn many_tasks() {
    let text = "var sum: int := 0; var last: int := 0;
         proc leaf(n: int) { sum := sum + n; }
         proc mid(n: int) { post leaf(n); yield; post leaf(n + 1); }
         proc main() { post mid(1); post mid(10); post mid(100); }";
    let (status, json) = Asked::about(text).json("--divergence");
    assert_eq!(status, 0, "{json}");
    let shows = text.replace("sum := sum + n;", "sum := sum + n; last := n;");
    let (status, json) = Asked::about(&shows).json("--divergence");
    assert_eq!(status, 1);
    let message = json["error"]["message"].as_str().unwrap();
    assert!(message.contains("last is "), "{message}");
}

/// A waiting loop makes progress without end. The verdict does not call executions beyond the limit safe.
#[test]
fn limits_are_part_of_the_verdict() {
    let spins = Asked::about(
        "var f: bool := false;
         proc a() { f := true; }
         proc b() { while !f { sleep; } }
         proc main() { post a(); post b(); }",
    );
    let endless = two("var x: int := 0;", "while true { x := x + 1; yield; }");
    for (program, options, expected) in [
        (&spins, "--max-steps 50", "longer than 50 steps"),
        (&endless, "--timeout 0.2", "time ran out"),
        (&endless, "--memory 1", "memory ran out"),
    ] {
        let (status, json) = program.json(&format!("--divergence {options}"));
        assert_eq!(status, 3, "{json}");
        assert!(
            json["reason"].as_str().unwrap().contains(expected),
            "{json}"
        );
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    for options in [
        "--delays 1",
        "--scheduler rr",
        "--strategy stateless",
        "--strategy dpor",
        "--strategy random",
        "--preemptions 1",
        "--switches 1",
        "--compact 40",
        "--races",
    ] {
        let program = two("var x: int := 0;", "x := me;");
        let output = program.run("explore", &format!("--divergence {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains("--divergence"), "{options}: {words}");
    }
}
