//! One question, one answer: whichever engine decides, the verdict, the kind of error and the final states are the
//! same, and the fields of the answer mean the same. Where nothing is settled, the answer says what to try.

use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

/// An increment gets lost if one task is delayed between its two steps.
const LOST: &str = "
    var x: 0..9 := 0;
    proc add() { let t = x; yield; x := t + 1; }
    proc main() { post add(); post add(); }
    finally { assert x == 2; }";

/// No task ever opens the gate.
const SHUT: &str = "var open: bool := false; proc main() { await open; }";

/// Both can happen: a check that fails, and a state in which no task can go on.
const BOTH: &str = "
    var open: bool := false;
    var x: 0..3 := 0;
    proc one() { x := 1; await open; }
    proc main() { post one(); yield; assert x == 0; await open; }";

/// A handle of a task, and a value that the task leaves behind.
const HANDLE: &str = "
    var t: task;
    var x: 0..3 := 0;
    proc add() { x := x + 1; yield; x := x + 1; }
    proc main() { t := post add(); }";

/// Each task waits for the one before it: no other task can ever run.
const CHAIN: &str = "
    var turn: 0..3 := 0;
    proc next(me: 0..2) { await turn == me; turn := turn + 1; }
    proc main() { post next(2); post next(1); post next(0); }";

/// A loop that is unrolled further than four times.
const LONG: &str = "
    var limit: 0..10;
    var n: 0..10 := 0;
    proc main() { while n < limit { n := n + 1; } assert n == limit; }";

/// Two factors of a prime: there are none, and a solver needs hours to be sure.
const HARD: &str = "
    proc main() {
      var x: u32;
      var y: u32;
      assume x > 1 && y > 1;
      assert u64(x) * u64(y) != 9223372036854775783;
    }";

/// More states than a search has time for.
const MANY: &str = "
    var x: int := 0;
    proc count(me: int) { for i in 1..1000 { yield; x := (x * 31 + me) % 1000003; } }
    proc main() { for i in 0..11 { post count(i); } }";

fn run(text: &str, options: &str) -> Output {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("dbverify-one-{}-{number}.async", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("a file can be written");
    let mut options: Vec<&str> = options.split_whitespace().collect();
    if options.first().is_none_or(|word| word.starts_with('-')) {
        options.insert(0, "verify");
    }
    let mut process = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let output = process.args(options).arg(&path).output();
    std::fs::remove_file(&path).ok();
    output.expect("the binary runs")
}

fn answer(text: &str, options: &str) -> Value {
    let output = run(text, &format!("{options} --format json"));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{options}: {e}: {output:?}"))
}

/// The parts of an answer that have to be the same.
fn essence(answer: &Value) -> Value {
    let kind = &answer["error"]["kind"];
    let bounds = &answer["bounds"];
    let fields = ["exhaustive", "budget_spent", "cut_by"].map(|key| &bounds[key]);
    let fields = (answer["verdict"] == "safe").then_some(fields);
    json!([answer["verdict"], kind, answer["finals"], fields])
}

#[test]
fn every_engine_gives_the_same_answer() {
    for text in [LOST, SHUT, HANDLE, CHAIN] {
        for delays in ["0", "1", "2", "0..3"] {
            let asked = |engine: &str| {
                let options = format!("--delays {delays} --finals --engine {engine}");
                essence(&answer(text, &options))
            };
            let auto = asked("auto");
            assert_eq!(auto, asked("smt"), "{text} {delays}");
            assert_eq!(auto, asked("explicit"), "{text} {delays}");
            if !delays.contains("..") {
                let options = format!("explore --scheduler dfs --delays {delays} --finals");
                assert_eq!(auto, essence(&answer(text, &options)), "{text} {delays}");
            }
        }
    }
}

#[test]
fn who_waits_for_the_only_other_task_cannot_be_delayed() {
    for engine in ["smt", "explicit"] {
        let found = answer(CHAIN, &format!("--delays any --engine {engine}"));
        assert_eq!(found["verdict"], "safe", "{found}");
        assert_eq!(found["bounds"]["budget_spent"], false, "{found}");
    }
}

#[test]
fn a_check_that_fails_is_told_before_a_deadlock() {
    for options in [
        "--engine explicit",
        "--engine smt",
        "",
        "--delays any",
        "--finals",
    ] {
        let answer = answer(BOTH, options);
        assert_eq!(answer["error"]["kind"], "assertion", "{options}: {answer}");
    }
}

#[test]
fn a_bug_that_the_solver_has_no_rounds_for_is_told_by_the_cross_check() {
    let late = CHAIN
        .replace("turn := turn + 1;", "turn := turn + 1; assert turn < 3;")
        .replace("main() {", "main() { if * { return; }");
    let few = "--delays 0 --rounds 1";
    assert_eq!(
        answer(&late, &format!("{few} --engine smt"))["bounds"]["cut_by"],
        json!(["rounds"])
    );
    let both = answer(&late, &format!("{few} --cross-check"));
    assert_eq!(both["verdict"], "bug", "{both}");
}

#[test]
fn final_states_beside_a_bug_are_all_that_there_are() {
    let late = "
        var x: 0..1 := 0;
        var open: bool := false;
        proc wait() { await open; }
        proc main() { post wait(); open := true; if * { assert x == 1; } x := 1; }";
    let finals =
        |engine: &str| answer(late, &format!("--finals --engine {engine}"))["finals"].clone();
    assert_eq!(finals("smt"), finals("explicit"));
    assert_ne!(finals("smt"), json!([]));
}

#[test]
fn equal_runs_give_equal_answers() {
    let print = |options: &str| {
        let text = String::from_utf8(run(LOST, options).stdout).unwrap();
        let lines = text.lines().filter(|line| !line.contains("seconds,"));
        let lines = lines.map(|line| line.rsplit('/').next().unwrap_or(line).to_owned());
        let after_name = |line: String| {
            line.split_once(".async")
                .map_or(line.clone(), |l| l.1.to_owned())
        };
        lines.map(after_name).collect::<Vec<_>>()
    };
    for options in ["", "--delays any", "--delays 0 --finals"] {
        assert_eq!(print(options), print(options), "{options}");
    }
}

#[test]
fn the_default_fits_the_program() {
    let engine = |text: &str, options: &str| answer(text, options)["engine"].clone();
    assert_eq!(engine(LOST, ""), "explicit");
    assert_eq!(engine(LOST, "--delays any"), "explicit");
    // A term stands for any value at once; but not if there are many conditions.
    let open = "proc main() { var x: u32; assert x != 77777; }";
    assert_eq!(engine(open, ""), "explicit");
    // Nothing depends on the value that it begins with.
    let unread = "
        var x: int; var y: 0..3 := 0;
        proc add() { y := y + 1; }
        proc main() { x := 5; post add(); post add(); yield; assert x == 5; }";
    assert_eq!(engine(unread, ""), "explicit");
    // Tasks that take turns, and one question at the end.
    let turns = "
        var limit: u32; var sum: u32 := 0;
        proc add() { var i: 0..4 := 0; while i < 4 { sum := sum + 1; yield; i := i + 1; } }
        proc main() {
            post add(); post add(); post add(); post add();
            yield;
            assert sum <= 16;
            assert limit != 77777 || sum <= 16;
        }";
    assert_eq!(engine(turns, ""), "explicit");
    // Very many ways through one step: the explicit engine gives up after counted work.
    let many = "
        var x: [20]u8; var n: 0..20 := 0;
        proc main() {
            yield;
            for i in 0..19 { if x[i] > 7 { n := n + 1; } }
            assert n != 20 || x[0] > 7;
        }";
    assert_eq!(engine(many, ""), "smt");
}

/// Neither the solver nor a proof gets anywhere with these products, and both give up in their turns.
const PRODUCTS: &str = "
    var x: 0..9006 := 1;
    proc p(k: 0..9) {
      var i: 0..9 := 0;
      while i < 6 { x := (x * 3 + k) % 9007; assert (x * x + 1) % 9007 != 0; yield; i := i + 1; }
    }
    proc main() { post p(1); post p(2); post p(3); post p(4); post p(5); }";

#[test]
fn a_search_of_several_turns_sees_what_one_search_sees() {
    let options = "--delays 4 --timeout 120";
    let turns = answer(PRODUCTS, options);
    let alone = answer(PRODUCTS, &format!("{options} --engine explicit"));
    assert_eq!(turns["verdict"], "safe", "{turns}");
    assert_eq!(essence(&turns), essence(&alone));
    for figure in ["states", "transitions"] {
        assert_eq!(turns["stats"][figure], alone["stats"][figure], "{figure}");
    }
}

#[test]
fn any_number_of_delays_means_every_schedule() {
    for engine in ["auto", "smt", "explicit"] {
        let found = answer(LOST, &format!("--delays any --engine {engine}"));
        assert_eq!(found["verdict"], "bug", "{found}");
        assert_eq!(found["bounds"]["delays"], Value::Null, "{found}");
        assert!(found["bounds"].as_object().unwrap().contains_key("delays"));
    }
    let safe = LOST.replace("yield; ", "");
    let whole = answer(&safe, "--delays any");
    assert_eq!(whole["verdict"], "safe", "{whole}");
    assert_eq!(whole["summary"], "no bug in any schedule");
    assert_eq!(whole["bounds"]["budget_spent"], false, "{whole}");
    // Nothing is dispatched: the solver knows that no number of delays shows more.
    let alone = "proc main() { var x: u32; assert x == x; }";
    let solved = answer(alone, "--delays any --engine smt");
    assert_eq!(
        (&solved["verdict"], &solved["engine"]),
        (&json!("safe"), &json!("smt")),
        "{solved}"
    );
    // A trace of any schedule is replayed as one of any schedule.
    let folder = tempfile::tempdir().unwrap();
    let (program, trace) = (folder.path().join("p.async"), folder.path().join("t.json"));
    std::fs::write(&program, LOST).unwrap();
    let dbverify = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        command.args(args).output().unwrap().status.code()
    };
    let (program, trace) = (program.to_str().unwrap(), trace.to_str().unwrap());
    let found = dbverify(&[program, "--delays", "any", "--trace-out", trace]);
    assert_eq!(found, Some(1));
    assert_eq!(dbverify(&["replay", program, trace, "--print"]), Some(1));
}

#[test]
fn a_verdict_that_was_cut_can_be_refused() {
    let cut = "--engine smt";
    let plain = answer(LONG, cut);
    assert_eq!(plain["verdict"], "safe", "{plain}");
    assert_eq!(plain["bounds"]["cut_by"], json!(["unroll"]));
    assert_eq!(plain["bounds"]["exhaustive"], false);
    let output = run(LONG, &format!("{cut} --require-exhaustive --format json"));
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let strict: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(strict["verdict"], "inconclusive");
    let reason = strict["reason"].as_str().unwrap();
    assert!(
        reason.contains("the loop at line 4 may run longer"),
        "{reason}"
    );
    // The advice helps.
    assert_eq!(
        strict["advice"],
        "--unroll 8 follows loops further; `dbverify explore` unrolls nothing"
    );
    for helps in ["--engine smt --unroll 16", "", "explore "] {
        let output = run(LONG, &format!("{helps} --require-exhaustive"));
        assert_eq!(output.status.code(), Some(0), "{helps}: {output:?}");
    }
    let copies = "explore --scheduler bounded-bag --copies 1 --require-exhaustive";
    let pair = "proc p() { } proc main() { post p(); post p(); }";
    assert_eq!(run(pair, copies).status.code(), Some(3));
}

#[test]
fn the_engines_are_compared_in_deadlocks_too() {
    for (text, verdict) in [(LOST, "bug"), (SHUT, "bug"), (HANDLE, "safe")] {
        let compared = answer(text, "--cross-check");
        assert_eq!(compared["verdict"], verdict, "{compared}");
        let notes = compared["notes"].as_array().unwrap();
        let said = notes.last().unwrap()["message"].as_str().unwrap();
        assert!(
            said.starts_with("cross-check: the explicit engine agrees"),
            "{said}"
        );
    }
}

/// The advice of an answer that settles nothing.
fn advice(text: &str, options: &str) -> String {
    let answer = answer(text, options);
    assert_eq!(answer["verdict"], "inconclusive", "{options}: {answer}");
    let advice = answer["advice"].as_str();
    advice
        .unwrap_or_else(|| panic!("{options}: no advice: {answer}"))
        .to_owned()
}

#[test]
fn what_explodes_is_named() {
    let loops = "var x: int;
        proc main() {
          while * {
            x := x + 1;
            while x % 7 != 3 {
              if * { x := x + 3; }
            }
          }
          assert x != 5;
        }";
    let said = advice(loops, "--engine smt --unroll 60 --memory 1");
    assert_eq!(
        said,
        "the loop at line 5 is unrolled most; --unroll 30 follows it less far, or --memory 2 gives it more room; \
         --engine auto asks the other engines as well"
    );
    let calls = "var x: int;
        proc deeper() {
          x := x * 3 + 1;
          if * { call deeper(); }
          if * { call deeper(); }
        }
        proc main() {
          call deeper();
          assert x != 5;
        }";
    let said = advice(calls, "--engine smt --unroll 60 --memory 1");
    assert!(
        said.starts_with(
            "the procedure at line 2, which calls or posts itself, is unrolled most; --unroll 30"
        ),
        "{said}"
    );
}

#[test]
fn what_settles_nothing_says_what_to_try() {
    let said = advice(HARD, "--timeout 3");
    assert_eq!(
        said,
        "`x: u32` has too many values to try each; declare `x: 0..15` if these are enough"
    );
    let open = "var refs: int; proc main() { assert refs * refs != 2; }";
    let said = advice(open, "explore --strategy stateless");
    assert!(
        said.contains("`refs: int`") && said.contains("refs: 0..15"),
        "{said}"
    );
    // The advice is true of this program.
    let bounded = open.replace("refs: int", "refs: 0..15");
    assert_eq!(answer(&bounded, "--engine explicit")["verdict"], "safe");
    let said = advice(open, "explore --values numbers");
    assert!(
        said.starts_with("`dbverify FILE` lets the solver"),
        "{said}"
    );
    assert_eq!(answer(open, "")["verdict"], "safe");
    let said = advice(MANY, "explore --timeout 1");
    assert!(
        said.contains("--preemptions 2") && said.contains("--timeout 2"),
        "{said}"
    );
    let said = advice(MANY, "--engine explicit --timeout 1");
    assert!(
        said.starts_with("--delays 1") && said.contains("--timeout 2"),
        "{said}"
    );
    let said = advice(MANY, "explore --memory 5");
    assert!(
        said.contains("--compact 64") && said.contains("--memory 10"),
        "{said}"
    );
    let said = advice(LOST, "explore --max-steps 1");
    assert!(said.contains("--max-steps 100"), "{said}");
    assert_eq!(answer(LOST, "explore --max-steps 100")["verdict"], "bug");
    let dropped = "proc p() { assume false; } proc main() { post p(); }";
    for options in ["--delays any", "explore"] {
        let said = advice(dropped, options);
        assert!(said.starts_with("weaken the assumptions"), "{said}");
    }
    let text = String::from_utf8(run(HARD, "--timeout 3").stdout).unwrap();
    assert!(
        text.contains("\nadvice: `x: u32` has too many values"),
        "{text}"
    );
}

/// Larger bounds do not help where an assumption drops every execution, or where something goes on without end.
#[test]
fn larger_bounds_are_no_advice_where_they_change_nothing() {
    let dropped = "var x: int := 0;
        proc main() {
          yield;
          x := 1;
          assume x == 2;
          assert x == 3;
        }";
    for options in ["", "--engine smt", "explore", "prove", "--delays any"] {
        let said = advice(dropped, options);
        assert!(
            said.starts_with("weaken the assumptions (line 5)"),
            "{options}: {said}"
        );
    }
    // A proof, which may come in time or not, is not asked for.
    let said = answer(dropped, "");
    assert_eq!(said["summary"], "nothing was checked to its end");
    assert_eq!(said["engine"], "explicit", "{said}");
    let deep = "proc f() { call f(); } proc main() { call f(); }";
    for options in ["", "explore"] {
        let said = advice(deep, options);
        assert!(said.contains("change the loop or the recursion"), "{said}");
    }
    // No memory is enough, and a proof says nothing of tasks that go on for ever.
    let polite = "var go: bool := false; proc p() { while !go { yield; } } proc main() { while * { post p(); } }";
    for sought in ["--fair", "--divergence"] {
        let said = advice(polite, &format!("explore {sought} --memory 64"));
        assert!(said.ends_with("so its states may have no end"), "{said}");
    }
}

#[test]
fn a_solver_that_ran_out_of_time_did_not_give_up() {
    let many = "preempt access;
        var x: [5] int := [0; 5];
        proc p(i: 0..4) { for k in 1..6 { x[i] := x[i] + 1; x[(i + 1) % 5] := x[i] % 7; } }
        proc main() { for i in 0..4 { post p(i); } }
        finally { assert x[0] < 100; }";
    let said = answer(many, "--delays 4 --engine smt --timeout 2");
    let reason = said["reason"].as_str().unwrap();
    assert!(reason.contains("time ran out"), "{said}");
    let advice = said["advice"].as_str().unwrap();
    assert!(advice.contains("--timeout 4"), "{said}");
}

/// The options with those of the advice in the place of the same ones, or the other command that it names.
fn instead(options: &str, typed: &str) -> String {
    if !typed.starts_with('-') {
        return typed.to_owned();
    }
    let mut words: Vec<&str> = options.split_whitespace().collect();
    let same = typed.split(' ').next().unwrap();
    if let Some(at) = words.iter().position(|word| *word == same) {
        words.drain(at..at + 2);
    }
    format!("{} {typed}", words.join(" "))
}

#[test]
fn every_advice_can_be_typed() {
    let any_number = "var x: int := 0;
        proc p(n: int) { x := x + n; yield; x := x - n; }
        proc main() { var i: int := 0; while * { post p(i); i := i + 1; } }
        finally { assert x * x != 2; }";
    let spins = "var go: bool := false; proc p() { while !go { yield; } } proc main() { post p(); post p(); }";
    let open = "var refs: int; proc main() { assert refs * refs != 2; }";
    for (text, options) in [
        (MANY, "explore --timeout 0.3"),
        (MANY, "explore --timeout 0.3 --strategy dpor"),
        (MANY, "explore --timeout 0.3 --strategy stateless"),
        (MANY, "explore --timeout 0.3 --races"),
        (MANY, "explore --timeout 0.3 --fair"),
        (MANY, "explore --timeout 0.3 --divergence"),
        (MANY, "explore --timeout 0.3 --scheduler rr --delays 8"),
        (
            MANY,
            "explore --timeout 0.3 --strategy random --runs 100000000",
        ),
        (MANY, "explore --memory 5"),
        (MANY, "--timeout 0.3"),
        (MANY, "--timeout 0.3 --delays any"),
        (MANY, "--engine explicit --timeout 0.3"),
        (MANY, "--engine smt --timeout 0.3"),
        (MANY, "prove --timeout 0.5"),
        (HARD, "--timeout 0.3"),
        (LONG, "--engine smt --require-exhaustive"),
        (MANY, "explore --switches 1"),
        (LOST, "explore --max-steps 1"),
        (spins, "explore --strategy stateless --max-steps 9"),
        (open, "explore --values numbers"),
        (open, "explore --strategy stateless"),
        (any_number, "explore --timeout 0.3"),
        (any_number, "prove --timeout 0.3"),
    ] {
        let found = answer(text, options);
        if found["verdict"] != "inconclusive" {
            continue;
        }
        for typed in found["try"].as_array().into_iter().flatten() {
            let typed = typed.as_str().unwrap();
            let said = found["advice"].as_str().unwrap();
            let said = said.replace(" FILE", "");
            assert!(said.contains(typed) || typed == "verify", "{typed}: {said}");
            let mut line = instead(options, typed);
            if !line.contains("--timeout") {
                line += " --timeout 0.3";
            }
            let output = run(text, &line);
            assert_ne!(
                output.status.code(),
                Some(2),
                "{options}: {line}: {output:?}"
            );
        }
    }
}

#[test]
fn a_loop_that_no_execution_leaves_is_to_be_unrolled_further() {
    let counts = "var n: int := 0; proc w() { while n < 20 { n := n + 1; yield; } }
        proc main() { post w(); post w(); }";
    let cut = answer(counts, "--engine smt --unroll 2");
    assert_eq!(cut["try"], json!(["--unroll 4", "explore"]), "{cut}");
}

/// One of several budgets is spent. A larger value for another one would not help.
#[test]
fn every_budget_is_to_be_enlarged() {
    let asked = "explore --preemptions 1 --switches 1";
    let found = answer(MANY, asked);
    let more = "--preemptions 2 --switches 2";
    assert_eq!(found["try"], json!([more]), "{found}");
}

/// A proof follows no loop, and refuses recursion.
#[test]
fn a_step_that_is_too_long_is_for_a_proof() {
    let counts = "var x: int := 0;
        proc main() { while x < 200000000 { x := x + 1; } assert x == 200000000; }";
    let found = answer(counts, "explore");
    assert_eq!(found["try"], json!(["prove"]), "{found}");
    assert_eq!(answer(counts, "prove")["verdict"], "proved");
    let recurs = "proc f() { call f(); call f(); } proc main() { call f(); }";
    let found = answer(recurs, "explore");
    assert_eq!(found["try"], Value::Null, "{found}");
}

#[test]
fn a_budget_says_nothing_of_what_another_bound_has_cut() {
    let open = "var n: int;
        proc main() { var i: int := 0; while i < n { i := i + 1; } assert i < 7; }";
    let cut = answer(open, "--engine explicit --unroll 3");
    assert_eq!(cut["bounds"]["cut_by"], json!(["unroll"]), "{cut}");
    let summary = cut["summary"].as_str().unwrap();
    assert!(!summary.contains("needs more"), "{summary}");
}

#[test]
fn the_proof_that_is_advised_is_found() {
    let lock = "var held: bool := false; var inside: int := 0;
        proc work() {
          await !held { held := true; }
          inside := inside + 1; yield; assert inside == 1; inside := inside - 1;
          held := false;
        }
        proc main() { while * { post work(); } }";
    let found = answer(lock, "explore --timeout 1");
    assert_eq!(found["try"], json!(["prove"]), "{found}");
    assert_eq!(answer(lock, "prove")["verdict"], "proved");
}

/// The message about a command line that is wrong.
fn refused(options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let output = command.args(options).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{options:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn an_option_at_the_wrong_command_is_said_to_be_there() {
    for (options, words) in [
        (
            &["x.async", "--all"][..],
            "verification has no --all; it belongs to `dbverify explore FILE --all`",
        ),
        (
            &["x.async", "--jobs", "2"],
            "it belongs to `dbverify explore FILE --jobs`",
        ),
        (
            &["x.async", "--races"],
            "it belongs to `dbverify explore FILE --races`",
        ),
        (
            &["explore", "x.async", "--rounds", "3"],
            "`dbverify explore` has no --rounds; it belongs to verification (`dbverify FILE --rounds`)",
        ),
        (
            &["x.async", "--cluster", "local:2"],
            "verification has no --cluster; it belongs to `dbverify explore FILE --cluster`",
        ),
        (
            &["prove", "x.async", "--resume=here"],
            "`dbverify prove` has no --resume; it belongs to `dbverify explore FILE --resume`",
        ),
        (
            &["check", "x.async", "--unroll=3"],
            "`dbverify check` has no --unroll",
        ),
    ] {
        let said = refused(options);
        assert!(said.contains(words), "{options:?}: {said}");
        assert!(!said.contains("tip:") && !said.contains("\n\n\n"), "{said}");
    }
}

#[test]
fn an_unknown_command_is_said_without_blank_lines() {
    assert!(!refused(&["veriffy", "x"]).contains("\n\n\n"));
}

/// The reduction helps where tasks share nothing that they write, and where they come to an end. It is asked if one bug is enough.
#[test]
fn the_reduction_is_asked_or_advised_where_steps_commute() {
    let apart = |task: &str| {
        let tasks: Vec<String> = (0..18)
            .map(|n| {
                format!(
                    "var v{n}: int := 0; proc p{n}() {{ {} }}",
                    task.replace('V', &format!("v{n}"))
                )
            })
            .collect();
        let posts: Vec<String> = (0..18).map(|n| format!("post p{n}();")).collect();
        format!("{} proc main() {{ {} }}", tasks.concat(), posts.concat())
    };
    let short = apart("V := V + 1; yield; assert V == 1;");
    let said = answer(&short, "explore --timeout 60");
    assert_eq!(said["bounds"]["strategy"], "dpor", "{said}");
    assert_eq!(said["bounds"]["all_schedules"], true, "{said}");
    let said = answer(&short, "explore --all --timeout 1");
    assert_eq!(said["try"][0], "--strategy dpor", "{said}");
    assert_eq!(answer(&short, "explore --strategy dpor")["verdict"], "safe");
    for others in [
        apart("while true { yield; V := (V + 1) % 7; }"),
        MANY.to_owned(),
    ] {
        let said = advice(&others, "explore --all --timeout 1");
        assert!(!said.contains("dpor"), "{said}");
    }
}

#[test]
fn all_schedules_are_spoken_of_where_they_were_asked_about() {
    let text = "var x: int := 0; proc main() { x := 1; assert x == 1; }";
    let said =
        |delays: &str| answer(text, &format!("--engine smt --delays {delays}"))["summary"].clone();
    assert_eq!(
        said("any"),
        "no bug in any schedule; every loop fully unrolled"
    );
    assert_eq!(
        said("1"),
        "no bug with at most 1 delay; every loop fully unrolled; nothing can be delayed, so this holds for all schedules"
    );
}

/// A proof says nothing of whether a loop ends.
#[test]
fn a_proof_is_no_advice_about_loops_without_end_alone() {
    let spin = "var go: bool := false;
        proc spin() { var n: u8 := 0; while !go { n := n + u8(1); } }
        proc main() { post spin(); yield; go := true; }";
    let said = advice(spin, "explore");
    assert!(said.contains("which takes it that the loop ends"), "{said}");
    assert!(
        said.ends_with(
            "with `yield;` in the loop, `explore --fair` looks for executions that never leave it"
        ),
        "{said}"
    );
}
