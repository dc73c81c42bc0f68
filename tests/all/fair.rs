//! `--fair` as a user meets it: programs whose endless executions are known.

use crate::asked::Asked;

/// One sets a flag, the other waits for it in a loop with that statement.
fn waits_with(statement: &str) -> Asked {
    Asked::about(&format!(
        "var flag: bool := false;
         proc waiter() {{ while !flag {{ {statement}; }} }}
         proc setter() {{ flag := true; }}
         proc main() {{ post waiter(); post setter(); }}"
    ))
}

/// Peterson's lock for two, whose waiting loop holds that statement.
fn peterson(statement: &str) -> Asked {
    Asked::about(&format!(
        "preempt access;
         var want: [2]bool := [false; 2];
         var turn: 0..1 := 0;
         var inside: 0..1 := 0;
         proc p(me: 0..1) {{
           want[me] := true;
           turn := 1 - me;
           while want[1 - me] && turn == 1 - me {{ {statement}; }}
           inside := inside + 1;
           inside := inside - 1;
           want[me] := false;
         }}
         proc main() {{ post p(0); post p(1); }}"
    ))
}

/// Both step back for each other, sleep, and step forward again.
fn polite() -> Asked {
    Asked::about(
        "var wants: [2]bool := [true; 2];
         proc p(me: 0..1) {
           while wants[1 - me] { wants[me] := false; sleep; wants[me] := true; sleep; }
           wants[me] := false;
         }
         proc main() { post p(0); post p(1); }",
    )
}

/// Tasks that try a lock until they have it.
fn tries(statement: &str) -> Asked {
    Asked::about(&format!(
        "use sync;
         var m: Mutex;
         var n: int := 0;
         proc w() {{
           var got: bool := false;
           while !got {{ got := m.try_lock(); if !got {{ {statement}; }} }}
           n := n + 1;
           m.unlock();
         }}
         proc main() {{ post w(); post w(); }}
         finally {{ assert n == 2; }}"
    ))
}

#[test]
fn who_waits_and_sleeps_is_served() {
    for program in [waits_with("sleep"), peterson("sleep"), tries("sleep")] {
        assert_eq!(program.verdict("--fair"), "safe");
        let (_, json) = program.json("--fair");
        assert_eq!(json["bounds"]["exhaustive"], true, "{json}");
        assert_eq!(json["bounds"]["fair"], true);
    }
}

#[test]
fn who_waits_and_never_sleeps_is_no_good_samaritan() {
    for program in [waits_with("yield"), peterson("skip"), tries("yield")] {
        assert_eq!(program.verdict("--fair"), "good-samaritan");
        program.replays("--fair", "good-samaritan");
    }
}

#[test]
fn politeness_for_ever_is_a_livelock() {
    assert_eq!(polite().verdict("--fair"), "livelock");
    polite().replays("--fair", "livelock");
}

/// The trace is a stem and a loop; in the loop both tasks run and sleep.
#[test]
fn a_livelock_is_a_lasso() {
    let (status, json) = polite().json("--fair");
    assert_eq!(status, 1);
    assert_eq!(json["error"]["line"], 3);
    let trace = json["trace"].as_array().unwrap();
    let at = (trace.iter()).position(|s| s["action"] == "from here on for ever:");
    let turn = &trace[at.unwrap() + 1..];
    for task in [2, 3] {
        let sleeps = |s: &&serde_json::Value| s["task"] == task && s["action"] == "sleep";
        assert_eq!(turn.iter().filter(sleeps).count(), 2, "{json}");
    }
}

/// Two lines of JSON differ in the time only, whatever the number of workers.
#[test]
fn answers_are_the_same_again() {
    let answer = |options: &str| {
        let (_, mut json) = polite().json(options);
        json["stats"]["seconds"] = 0.into();
        json
    };
    assert_eq!(answer("--fair"), answer("--fair --jobs 4"));
    let random = "--fair --strategy random --runs 50 --seed 7";
    assert_eq!(answer(random), answer(random));
}

/// Weak fairness would not do: the lock is free again and again, but never for long.
#[test]
fn fairness_is_strong() {
    let program = Asked::about(
        "use sync;
         var m: Mutex;
         var done: bool := false;
         proc busy() { while !done { m.lock(); sleep; m.unlock(); } }
         proc other() { m.lock(); done := true; m.unlock(); }
         proc main() { post busy(); post other(); }",
    );
    assert_eq!(program.verdict("--fair"), "safe");
    assert_eq!(program.verdict("--fair --strategy stateless"), "safe");
}

/// Producer and consumer that wait by sleeping: they end, and with a lost item they do not.
#[test]
fn producer_and_consumer() {
    let text = "var buffer, count: 0..3 := 0;
         var sum: 0..9 := 0;
         proc producer() { for i in 1..3 { while count == 1 { sleep; } buffer := i; count := 1; yield; } }
         proc consumer() { for i in 1..3 { while count == 0 { sleep; } sum := sum + buffer; count := 0; yield; } }
         proc main() { post producer(); post consumer(); }
         finally { assert sum == 6; }";
    assert_eq!(Asked::about(text).verdict("--fair"), "safe");
    let greedy = text.replacen("1..3 { while count == 0", "1..4 { while count == 0", 1);
    let greedy = greedy.replace("for i in 1..4", "for k in 1..4");
    assert_eq!(Asked::about(&greedy).verdict("--fair"), "livelock");
}

/// An endless chain of tasks that each end is fair as long as no other task waits.
#[test]
fn chains_of_tasks() {
    let chain = Asked::about("proc a() { post a(); } proc main() { post a(); }");
    assert_eq!(chain.verdict("--fair"), "livelock");
    chain.replays("--fair", "livelock");
    let stopped = Asked::about(
        "var stop: bool := false;
         proc a() { if !stop { post a(); } }
         proc s() { stop := true; }
         proc main() { post a(); post s(); }",
    );
    assert_eq!(stopped.verdict("--fair"), "safe");
    let (status, json) = stopped.json("--fair --strategy stateless --max-steps 500");
    assert_eq!(status, 3);
    let reason = json["reason"].as_str().unwrap();
    assert!(reason.contains("perhaps a livelock"), "{reason}");
}

/// "The model checker stops if an execution exceeding the bound is reached and reports a warning."
#[test]
fn without_a_store_a_long_execution_is_a_warning() {
    let (status, text) = polite().text("explore", "--fair --strategy stateless --max-steps 300");
    assert_eq!(status, 3);
    let warning = "a fair execution is longer than 300 steps: probably a livelock";
    assert!(text.contains(warning), "{text}");
    assert!(text.contains("the last 4 steps repeat for ever"), "{text}");
    let spin = waits_with("yield");
    let (status, text) = spin.text("explore", "--fair --strategy stateless --max-steps 300");
    assert_eq!(status, 3);
    let warning = "longer than 300 steps: probably a good-samaritan violation";
    assert!(text.contains(warning), "{text}");
    // The setter comes after 0 to 7 turns. After 8 the end is too far, and the ninth turn is the last.
    let (_, json) = spin.json("--fair --strategy stateless --max-steps 9 --all");
    assert_eq!(json["stats"]["cut"], 2, "{json}");
    assert_eq!(json["stats"]["executions"], 8, "{json}");
}

/// Figure 4: the spinning task sleeps twice before it is held back. Its executions: it sees the flag at
/// once, after one sleep or after two.
#[test]
fn the_fair_scheduler_unrolls_a_loop_twice() {
    let (status, json) = waits_with("sleep").json("--fair --strategy stateless");
    assert_eq!(status, 0);
    assert_eq!(json["stats"]["executions"], 3, "{json}");
    let (_, stored) = waits_with("sleep").json("--fair");
    assert_eq!(json["stats"]["states"], stored["stats"]["states"]);
}

/// A preemption that fairness forces is free: without any other the flag is set after the first loop.
#[test]
fn forced_preemptions_are_free() {
    for strategy in ["stateful", "stateless"] {
        let options = format!("--fair --preemptions 0 --strategy {strategy}");
        assert_eq!(waits_with("sleep").verdict(&options), "safe");
        let (_, text) = waits_with("sleep").text("explore", &options);
        assert!(text.contains(" with at most 0 preemptions"), "{text}");
        let (_, json) = waits_with("sleep").json(&options);
        assert_eq!(json["bounds"]["preemptions"], 0);
        // The setter first, or after the waiter was held back.
        assert_eq!(json["stats"]["executions"], 2, "{json}");
    }
    assert_eq!(polite().verdict("--fair --preemptions 1"), "livelock");
}

/// Assertions, deadlocks and final states are what they are without fairness.
#[test]
fn other_bugs_are_found_too() {
    let fails = Asked::about(
        "var x: int := 0; proc p() { x := x + 1; assert x < 2; } proc main() { post p(); post p(); }",
    );
    assert_eq!(fails.verdict("--fair"), "assertion");
    let dead =
        Asked::about("var b: bool := false; proc p() { await b; } proc main() { post p(); }");
    assert_eq!(dead.verdict("--fair"), "deadlock");
    let text =
        "var x: 0..2 := 0; proc p(n: 0..2) { x := n; } proc main() { post p(1); post p(2); }";
    let (_, json) = Asked::about(text).json("--fair --finals");
    let finals = json["finals"].as_array().unwrap();
    assert_eq!(finals.len(), 2, "{json}");
}

/// All that goes wrong, each once: one loop never sleeps, one is a livelock.
#[test]
fn all_lists_the_distinct_ones() {
    let text = "var a: bool := false;
         proc lazy() { while !a { sleep; } }
         proc spin() { while !a { yield; } a := false; while !a { sleep; } }
         proc main() { post lazy(); post spin(); post set(); }
         proc set() { a := true; }";
    let (status, json) = Asked::about(text).json("--fair --all");
    assert_eq!(status, 1);
    let text = json.to_string();
    for kind in ["livelock", "good-samaritan"] {
        assert!(text.contains(&format!("\"kind\":\"{kind}\"")), "{text}");
    }
}

#[test]
fn limits_are_part_of_the_verdict() {
    let grows = Asked::about("var x: int := 0; proc main() { while true { x := x + 1; sleep; } }");
    let reason = |options: &str| {
        let (status, json) = grows.json(options);
        assert_eq!(status, 3);
        json["reason"].as_str().unwrap().to_owned()
    };
    assert!(reason("--fair --max-steps 100").contains("longer than 100 steps"));
    assert!(reason("--fair --timeout 0.2 --max-steps 100000000").contains("time ran out"));
    assert!(reason("--fair --memory 1 --max-steps 100000000").contains("memory ran out"));
    assert!(reason("--fair --strategy stateless --max-steps 50").contains("perhaps a livelock"));
}

#[test]
fn what_does_not_go_together_is_refused() {
    for options in [
        "--delays 1",
        "--scheduler dfs",
        "--strategy dpor",
        "--strategy pct",
        "--divergence",
        "--races",
        "--compact 40",
    ] {
        let output = polite().run("explore", &format!("--fair {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains("--fair"), "{options}: {words}");
    }
}

/// A task that an assumption drops needs no switch, with `--fair` and without.
#[test]
fn what_is_dropped_needs_no_budget() {
    let program = Asked::about(
        "var x: bool := false;
         proc p() { sleep; assume !x; }
         proc q() { x := true; }
         proc main() { post p(); post q(); }",
    );
    for (options, spent) in [("--switches 2", false), ("--switches 1", true)] {
        for fair in ["", "--fair "] {
            let (_, json) = program.json(&format!("{fair}{options}"));
            assert_eq!(
                json["bounds"]["budget_spent"], spent,
                "{fair}{options}: {json}"
            );
        }
    }
}
