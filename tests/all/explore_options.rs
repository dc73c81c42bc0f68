//! What `explore` says of its options: numbers it cannot take, options without an effect, bounds that leave
//! something out.

use std::process::{Command, Output};

use serde_json::{Value, json};

/// Two tasks of two segments each, and nothing that fails.
const PAIR: &str = "
    var x: 0..9 := 0;
    proc p() { x := x + 1; yield; x := x + 1; }
    proc main() { post p(); post p(); }
    finally { assert x == 4; }";

fn run(text: &str, options: &str) -> Output {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("dbverify-options-{}-{number}.async", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    command
        .arg("explore")
        .arg(&path)
        .args(options.split_whitespace());
    let output = command.output().expect("the binary runs");
    std::fs::remove_file(&path).ok();
    output
}

fn refused(options: &str) -> String {
    let output = run(PAIR, options);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{options}: {said}");
    said
}

fn answer(text: &str, options: &str) -> Value {
    let output = run(text, &format!("{options} --format json"));
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|_| {
        panic!(
            "{options}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

#[test]
fn numbers_are_refused_in_words() {
    let too_small = "it must be at least";
    for (options, words) in [
        ("--delays -1", too_small),
        ("--preemptions -1", too_small),
        ("--switches=-2", too_small),
        ("--max-steps -1", too_small),
        ("--strategy random --runs 0", too_small),
        ("--strategy random --seed -7", too_small),
        ("--jobs 0", too_small),
        ("--memory 0", too_small),
        ("--copies 0", too_small),
        ("--compact 16", "it must be at least 32"),
        ("--jobs 5000", "it must be at most 1024"),
        ("--delays 99999999999", "it must be at most 4294967295"),
        ("--delays two", "not a whole number"),
        ("--delays 1.5", "not a whole number"),
        ("--delays 0..2", "for verification"),
        ("--timeout 0", "more than 0 seconds"),
        ("--timeout -3", "more than 0 seconds"),
        ("--timeout nan", "not a number of seconds"),
        ("--timeout soon", "not a number of seconds"),
    ] {
        let said = refused(options);
        let name = options.split([' ', '=']).rfind(|w| w.starts_with("--"));
        assert!(said.contains(words), "{options}: {said}");
        assert!(said.contains(name.unwrap_or_default()), "{options}: {said}");
        assert!(!said.contains("-- -"), "{options}: {said}");
    }
}

#[test]
fn options_without_an_effect_are_refused() {
    for (options, instead) in [
        ("--runs 10", "--strategy random"),
        ("--seed 1", "--strategy random"),
        ("--strategy random --depth 2", "--strategy pct"),
        ("--strategy stateless --compact 40", "--strategy stateful"),
        ("--strategy dpor --shortest", "stateful"),
        ("--copies 2", "--scheduler bounded-bag"),
        (
            "--strategy pct --delays 1",
            "leave out --scheduler and --delays",
        ),
        ("--property deadlock", "for programs in C"),
        ("--property no-data-race", "`dbverify explore --races`"),
        ("--no-reduction --scheduler rr", "leave it out"),
        ("--unroll 2 --fair", "leave it out"),
        ("--heap 3", "for programs in C"),
        ("-DN=3", "for programs in C"),
    ] {
        let said = refused(options);
        assert!(said.contains(instead), "{options}: {said}");
    }
}

#[test]
fn a_bound_that_leaves_executions_out_is_named() {
    for (bound, enough) in [
        ("--preemptions", 2),
        ("--switches", 4),
        ("--scheduler bounded-bag --copies", 2),
    ] {
        for n in u64::from(bound.contains("copies"))..6 {
            let answer = answer(PAIR, &format!("{bound} {n}"));
            let whole = n >= enough;
            let copies = bound.contains("copies");
            let bounds = &answer["bounds"];
            assert_eq!(bounds["exhaustive"], whole || !copies, "{answer}");
            assert_eq!(bounds["budget_spent"], !whole && !copies, "{answer}");
            let cut_by = if whole || !copies {
                json!([])
            } else {
                json!(["copies"])
            };
            assert_eq!(bounds["cut_by"], cut_by, "{answer}");
        }
    }
    let said = |options: &str| {
        let answer = answer(PAIR, options);
        answer["summary"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        said("--preemptions 1"),
        "no bug with at most 1 preemption; a larger budget may show more"
    );
    assert_eq!(
        said("--preemptions 2"),
        "no bug with at most 2 preemptions; no execution needs more"
    );
}

/// Inputs may have any value, so random executions are tried first. An execution outside the bounds does not count.
#[test]
fn no_bug_outside_the_bounds_is_told() {
    let text = "var inside: 0..2 := 0;
        proc p() {
            var x: int; x := *; assume x > 5 && x < 1000;
            inside := inside + 1; assert inside < 2; yield; inside := inside - 1;
        }
        proc main() { post p(); post p(); }";
    for bound in [
        "--preemptions 0",
        "--delays 0",
        "--scheduler rdfs --delays 0",
        "--max-steps 1",
    ] {
        let answer = answer(text, bound);
        assert_ne!(answer["verdict"], "bug", "{bound}: {answer}");
    }
    let answer = answer(text, "");
    assert_eq!(answer["verdict"], "bug", "{answer}");
}

#[test]
fn a_delay_that_only_lets_a_false_assumption_run_would_not_be_spent() {
    let dropped = "var b: [2]0..1 := [0; 2];
        proc q() { for i in 0..1 { havoc b[0]; } assume false; }
        proc p() { post q(); yield; }
        proc main() { post p(); }";
    for values in ["numbers", "terms"] {
        let bound = format!("--scheduler dfs --delays 1 --values {values}");
        let answer = answer(dropped, &bound);
        assert_eq!(answer["bounds"]["budget_spent"], false, "{values}");
    }
}

#[test]
fn no_delay_is_spent_where_nothing_can_be_delayed() {
    let alone = "var x: 0..9 := 0; proc p() { yield; x := 1; } proc main() { post p(); }";
    for scheduler in ["dfs", "rdfs", "rr"] {
        let bound = format!("--scheduler {scheduler} --delays 0");
        assert_eq!(answer(alone, &bound)["bounds"]["budget_spent"], false);
        assert_eq!(answer(PAIR, &bound)["bounds"]["budget_spent"], true);
    }
}

/// A verdict about executions needs one.
#[test]
fn nothing_is_safe_where_no_execution_ends() {
    let nothing = "nothing was checked to its end";
    for (options, ends) in [
        ("--switches 0", false),
        ("--switches 1", false),
        ("--preemptions 1 --switches 1", false),
        ("--switches 2", true),
        ("--preemptions 0", true),
        ("--delays 0", true),
    ] {
        for strategy in ["stateful", "stateless"] {
            let answer = answer(PAIR, &format!("{options} --strategy {strategy}"));
            let verdict = if ends { "safe" } else { "inconclusive" };
            assert_eq!(answer["verdict"], verdict, "{answer}");
            assert_eq!(answer["bounds"]["budget_spent"], true, "{answer}");
            assert_eq!(answer["reason"] == nothing, !ends, "{answer}");
        }
    }
    let never = "proc main() {\n assume false; }\nfinally { assert false; }";
    for options in [
        "",
        "--delays 2",
        "--strategy stateless",
        "--strategy dpor",
        "--strategy random",
        "--fair",
        "--divergence",
    ] {
        let answer = answer(never, options);
        assert_eq!(answer["reason"], nothing, "{options}: {answer}");
    }
    let dropped = &answer(never, "")["notes"][0];
    assert_eq!(
        dropped["message"],
        "executions are dropped here: the assumption is false"
    );
    assert_eq!(dropped["line"], 2);
}

/// A server that never ends was looked at as a whole, if its states are finitely many.
#[test]
fn what_goes_on_for_ever_is_checked_although_nothing_ends() {
    let server = "
        var n: 0..3 := 0;
        proc server() { while true { await n > 0; n := n - 1; } }
        proc user() { while true { await n < 3; n := n + 1; assert n <= 3; } }
        proc main() { post server(); post user(); }";
    for options in [
        "",
        "--delays 0",
        "--scheduler rdfs --delays 1",
        "--preemptions 1",
    ] {
        let answer = answer(server, options);
        assert_eq!(answer["verdict"], "safe", "{options}: {answer}");
        let note = match answer["bounds"]["budget_spent"].as_bool() {
            Some(true) => {
                "no execution within the bounds ends: each goes on for ever; with a larger budget one may end"
            }
            _ => "every execution goes on for ever; no execution ends",
        };
        assert_eq!(answer["notes"][0]["message"], note, "{options}: {answer}");
    }
    // If some executions are dropped, it is not known whether any goes on for ever.
    let dropping = server.replace("assert n <= 3", "assume n < 3");
    let answer = answer(&dropping, "");
    assert_eq!(
        answer["reason"], "nothing was checked to its end",
        "{answer}"
    );
}

/// Rounds that are alike are looked at once, also within one step and with values that may be any.
#[test]
fn rounds_with_any_input_are_looked_at_once() {
    let filter = "
        proc main() {
          var n: int := 0;
          while true { var c: int; havoc c; if c == -1 { break; } if c == 10 { n := 1; } }
          assert n < 2;
        }";
    let whole = answer(filter, "");
    assert_eq!(whole["verdict"], "safe", "{whole}");
    assert_eq!(whole["bounds"]["exhaustive"], true, "{whole}");
    let server = "
        var x: int := 0;
        proc main() {
          while true { var c: int; havoc c; if c > 3 { x := 1; } else { x := 0; } assert x < 2; }
        }";
    let endless = answer(server, "");
    let note = "every execution goes on for ever; no execution ends";
    assert_eq!(endless["verdict"], "safe", "{endless}");
    assert_eq!(endless["notes"][0]["message"], note, "{endless}");
    let dropping = answer(&server.replace("assert x", "assume c != 7; assert x"), "");
    let reason = "nothing was checked to its end";
    assert_eq!(dropping["reason"], reason, "{dropping}");
}

/// A task that waits costs no delay. If all tasks wait, that is a bug under every scheduler.
#[test]
fn waiting_is_free() {
    let handed = "
        var full: bool := false;
        var item: 0..4 := 0;
        proc producer() { for i in 1..4 { await !full; item := i; full := true; } }
        proc consumer() { for i in 1..4 { await full; assert item == i; full := false; } }
        proc main() { post consumer(); post producer(); }";
    for options in [
        "",
        "--delays 0",
        "--scheduler rdfs --delays 0",
        "--scheduler rr --delays 0",
    ] {
        assert_eq!(answer(handed, options)["verdict"], "safe", "{options}");
        let wrong = handed.replace("item == i", "item != i");
        let bug = answer(&wrong, options);
        assert_eq!(bug["error"]["kind"], "assertion", "{options}");
        let stuck = handed.replace("1..4 { await !full", "1..3 { await !full");
        assert_eq!(
            answer(&stuck, options)["error"]["kind"],
            "deadlock",
            "{options}"
        );
    }
    // No other task can run: a delay of the only one changes nothing.
    let alone = "
        var full: bool := false;
        proc producer() { await !full; full := true; }
        proc consumer() { await full; full := false; }
        proc main() { post consumer(); post producer(); }";
    let spent = &answer(alone, "--delays 0")["bounds"]["budget_spent"];
    assert_eq!(*spent, false);
}

#[test]
fn what_no_execution_comes_to_is_said() {
    let vain = "
var x: 0..3 := 0;
proc never() { assert x == 3; }
proc other() { assert false; }
proc main() {
  assert x == 0;
  if x > 1 { post never(); }
  await x == 0;
  x := 1;
}";
    let said = |options: &str| {
        let answer = answer(vain, options);
        assert_eq!(answer["verdict"], "safe", "{answer}");
        let notes = answer["notes"].as_array().cloned().unwrap_or_default();
        let notes = notes
            .iter()
            .map(|n| format!("{} {}", n["line"], n["message"].as_str().unwrap()));
        notes.collect::<Vec<_>>()
    };
    let check = "3 no execution reaches this check, so it proves nothing";
    let both = [check, "7 no execution posts this task"];
    assert_eq!(said(""), both);
    assert_eq!(said("--strategy stateless"), both);
    assert_eq!(
        said("--delays 1")[1],
        "7 no execution within the bounds posts this task"
    );
    assert!(said("--strategy random").is_empty() && said("--compact 32").is_empty());
}

/// An index that is looked at only if the left side says so is part of a check that is reached.
#[test]
fn operands_that_nothing_needs_are_no_checks_in_vain() {
    let text = "preempt access;
var a: [2]bool := [true; 2];
var i: int := 0;
var b: bool := false;
proc main() {
  assert i == 0 || a[i];
  b := i == 0 || a[i] || a[i + 1];
  if i == 1 { assert a[i]; }
}";
    let answer = answer(text, "");
    assert_eq!(answer["verdict"], "safe", "{answer}");
    let notes = answer["notes"].as_array().unwrap().iter();
    let lines: Vec<_> = notes.map(|note| note["line"].as_u64().unwrap()).collect();
    assert!(
        !lines.is_empty() && lines.iter().all(|&line| line == 8),
        "{answer}"
    );
}

/// The bounded bag drops posts, and a bug may be due to that.
#[test]
fn a_bug_that_a_dropped_post_may_have_made_says_so() {
    let text = "
        var x: 0..2 := 0;
        proc w() { x := x + 1; }
        proc main() { post w(); post w(); }
        finally { assert x == 2; }";
    let lost = answer(text, "--scheduler bounded-bag --copies 1");
    let summary = lost["summary"].as_str().unwrap_or_default();
    assert!(summary.contains("a post was dropped"), "{lost}");
    let note = "under bounded-bag posts are dropped: this bug may exist only because one was";
    assert_eq!(lost["notes"][0]["message"], note);
    let own = answer(
        &text.replace("== 2", "== 1"),
        "--scheduler bounded-bag --copies 2",
    );
    assert_eq!(own["verdict"], "bug");
    assert!(
        !own["summary"]
            .as_str()
            .unwrap_or_default()
            .contains("dropped"),
        "{own}"
    );
}

/// The budget that a bug names is the one that its trace spends.
#[test]
fn a_bug_says_what_it_costs() {
    let text = "
        var x: 0..2 := 0;
        proc a() { x := 1; yield; assert x == 1; }
        proc b() { x := 2; }
        proc main() { post a(); post b(); }";
    for (options, said) in [
        ("", "found by exploring all schedules"),
        ("--delays 3", "a bug with 1 delay"),
        ("--preemptions 3", "a bug with 1 preemption"),
        ("--switches 5", "a bug with 3 context switches"),
        ("--all", "found by exploring all schedules"),
    ] {
        assert_eq!(answer(text, options)["summary"], said, "{options}");
    }
}

#[test]
fn a_length_that_is_not_enough_settles_nothing() {
    for strategy in ["stateful", "stateless", "dpor", "random", "pct"] {
        let answer = answer(PAIR, &format!("--max-steps 1 --strategy {strategy}"));
        assert_eq!(answer["verdict"], "inconclusive", "{answer}");
        assert_eq!(answer["reason"], "an execution is longer than 1 step");
        assert_eq!(answer["bounds"]["exhaustive"], false, "{answer}");
    }
}

/// So many changes must not fill the memory.
#[test]
fn more_changes_of_priority_than_steps_say_nothing_new() {
    let answer = answer(PAIR, "--strategy pct --runs 20 --depth 4294967295");
    assert_eq!(answer["verdict"], "safe", "{answer}");
}

#[test]
fn what_an_execution_that_is_too_long_advises_comes_to_an_end() {
    let text = "proc p() { while true { sleep; } } proc main() { post p(); }";
    for strategy in ["random --runs 2", "pct --runs 2", "stateless"] {
        let answer = answer(text, &format!("--max-steps 100 --strategy {strategy}"));
        let advice = "--max-steps 1000 follows executions further; if they never end, --strategy stateful visits each state once";
        assert_eq!(answer["advice"], advice, "{answer}");
    }
}

/// Executions are as long as their visible steps are many; delays are none.
#[test]
fn delays_do_not_make_an_execution_longer() {
    for scheduler in ["dfs", "rdfs", "rr"] {
        for strategy in ["stateful", "stateless"] {
            let options = format!("--scheduler {scheduler} --delays 2 --strategy {strategy}");
            let verdict = |steps: u32| {
                let answer = answer(PAIR, &format!("{options} --max-steps {steps}"));
                answer["verdict"].as_str().unwrap_or_default().to_owned()
            };
            assert_eq!(verdict(4), "safe", "{options}");
            assert_eq!(verdict(3), "inconclusive", "{options}");
        }
    }
}

#[test]
fn few_states_have_no_bytes_each() {
    let answer = answer("proc main() {}", "");
    assert_eq!(answer["stats"]["states"], 1);
    assert!(answer["stats"].get("bytes_per_state").is_none(), "{answer}");
}

#[test]
fn verification_by_the_machine_deepens_until_no_execution_needs_more() {
    let alone = "var x: 0..9 := 0; proc p() { yield; x := 1; } proc main() { post p(); }";
    for (text, delays, used) in [(alone, "0..6", 0), (PAIR, "0..3", 3)] {
        let path = std::env::temp_dir().join(format!(
            "dbverify-deepen-{}-{used}.async",
            std::process::id()
        ));
        std::fs::write(&path, text).expect("a file can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        command.arg(&path).args([
            "--engine", "explicit", "--format", "json", "--delays", delays,
        ]);
        let output = command.output().expect("the binary runs");
        std::fs::remove_file(&path).ok();
        let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
        assert_eq!(answer["bounds"]["delays"], used, "{answer}");
        // All executions within that budget, as the solver's answer means it.
        assert_eq!(answer["bounds"]["exhaustive"], true, "{answer}");
    }
}
