//! Programs with open values: terms against numbers on random programs, and programs by hand for mistakes that are easily made.
//!
//! `SYMBOLIC=N` compares N random programs of each kind, `SYMBOLIC_SEED=S` begins with seed S, `SYMBOLIC_BOUNDS=B` takes one
//! scheduler or budget for all (see `bounded`), `SYMBOLIC_SOLVER=1` asks the solver, too, where delays are bounded. `RACES=N` looks for
//! races in N random programs, with terms and with numbers.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::agree::settled;
use dbverify::answer::{Answer, Counted, CutBy, NamedBound, Verdict};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::ir::{ErrorKind, Program, Value};
use dbverify::options::{ExploreOptions, Scheduler, Sought, Strategy, Values, VerifyOptions};
use dbverify::source::{SourceMap, Span};
use dbverify::symbolic::explore;
use dbverify::trace::replay;
use dbverify::verify::verify;
use testing::random_program::{RandomProgram, random_program, rich_program, shrink, wild_program};

fn number(name: &str, otherwise: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

fn program(text: &str) -> Program {
    let compiled = compile("test", text, &CheckOptions { preempt: None });
    let complaints = format!("{:?}", compiled.diagnostics);
    compiled
        .program
        .unwrap_or_else(|| panic!("{complaints}\n{text}"))
}

fn options(values: Values) -> ExploreOptions {
    let mut options = ExploreOptions {
        values,
        all: true,
        finals: true,
        max_steps: 1_000,
        ..ExploreOptions::default()
    };
    options.limits.timeout = Duration::from_secs(10);
    options
}

/// Options that do not ask for final states, so that the search may forget values.
fn forgetful(values: Values) -> ExploreOptions {
    ExploreOptions {
        finals: false,
        ..options(values)
    }
}

/// Every failure; which of the tasks of a deadlock is shown depends on the execution.
fn failures(answer: &Answer) -> BTreeSet<(ErrorKind, Option<Span>)> {
    let place = |kind, span: Option<Span>| span.filter(|_| kind != ErrorKind::Deadlock);
    let bugs = answer.bugs.iter();
    bugs.map(|b| (b.kind, place(b.kind, b.span))).collect()
}

/// One of the schedulers and budgets.
fn bounded(options: ExploreOptions, number: u64) -> ExploreOptions {
    let few = Some(u32::try_from(number / 8 % 3).unwrap_or(0));
    let delayed = |scheduler| ExploreOptions {
        scheduler,
        delays: few,
        ..options.clone()
    };
    match number % 8 {
        1 => delayed(Scheduler::DepthFirst),
        2 => delayed(Scheduler::ReverseDepthFirst),
        3 => delayed(Scheduler::RoundRobin),
        4 => ExploreOptions {
            preemptions: few,
            ..options
        },
        5 => ExploreOptions {
            switches: few.map(|n| n + 1),
            ..options
        },
        6 => ExploreOptions {
            strategy: Strategy::Dpor,
            ..options
        },
        _ => options,
    }
}

/// The final states, where each value in them is known.
fn known_finals(answer: &Answer) -> Option<&Vec<Vec<Value>>> {
    let finals = answer.finals.as_ref()?;
    let all = finals.iter().flatten().all(Value::is_known) && answer.open_finals.is_empty();
    all.then_some(finals)
}

/// Whether a number of more than 64 bits is written in a program.
fn has_large_number(text: &str) -> bool {
    let mut digits = text.split(|c: char| !c.is_ascii_digit());
    digits.any(|number| number.len() > 18)
}

/// Compares terms and numbers where both settle the question. Returns what is wrong if they do not agree.
fn compared(text: &str, number: u64) -> Option<Result<bool, String>> {
    let compiled = compile("random", text, &CheckOptions { preempt: None });
    let program = compiled.program?;
    let bounds = self::number("SYMBOLIC_BOUNDS", number);
    // If final states are listed, every global is read at the end, and nothing is forgotten.
    let finals = number.is_multiple_of(2);
    let asked = |values| ExploreOptions {
        finals,
        ..bounded(options(values), bounds)
    };
    let numbers = explore(&program, &asked(Values::Numbers));
    let terms = explore(&program, &asked(Values::Terms));
    for answer in [&numbers, &terms] {
        let fault = |reason: &str| reason.contains("internal");
        if matches!(&answer.verdict, Verdict::Inconclusive(r) if fault(r.words()))
            || answer.notes.iter().any(|n| fault(&n.message))
        {
            return Some(Err(format!("{answer:?}")));
        }
    }
    if !settled(&numbers) || !settled(&terms) {
        return None;
    }
    let (known, found) = (failures(&numbers), failures(&terms));
    if known != found {
        return Some(Err(format!("numbers: {known:?}\nterms: {found:?}")));
    }
    let words = (numbers.verdict.word(), terms.verdict.word());
    if words.0 != words.1 {
        return Some(Err(format!("{} {}", numbers.summary, terms.summary)));
    }
    // A task may compute a number of more than 64 bits. Only terms know whether it goes on; numbers say that it does.
    let unknown = numbers.budget_spent && has_large_number(text);
    if numbers.budget_spent != terms.budget_spent && !unknown {
        let spent = (numbers.budget_spent, terms.budget_spent);
        return Some(Err(format!("budget spent: {spent:?}: {}", terms.summary)));
    }
    if let (Some(known), Some(found)) = (known_finals(&numbers), known_finals(&terms))
        && known != found
    {
        return Some(Err(format!("numbers: {known:?}\nterms: {found:?}")));
    }
    if let Some(wrong) =
        solver_contradicts(&compiled.sources, &program, &asked(Values::Fitting), &known)
    {
        return Some(Err(wrong));
    }
    Some(Ok(!known.is_empty()))
}

/// Asks the solver about the same delays, if that is wanted. Returns how its answer contradicts the one that is known.
fn solver_contradicts(
    sources: &SourceMap,
    program: &Program,
    options: &ExploreOptions,
    known: &BTreeSet<(ErrorKind, Option<Span>)>,
) -> Option<String> {
    let delays = options.delays?;
    // It knows nothing of round-robin.
    let known_to_it = options.scheduler != Scheduler::RoundRobin;
    if number("SYMBOLIC_SOLVER", 0) == 0 || !known_to_it {
        return None;
    }
    let mut asked = VerifyOptions {
        delays_from: delays,
        delays_to: delays,
        unroll: 6,
        scheduler: options.scheduler,
        ..VerifyOptions::default()
    };
    asked.limits.timeout = Duration::from_secs(5);
    let answer = verify(program, sources, &asked);
    let agrees = match answer.verdict {
        Verdict::Safe => !answer.exhaustive || known.is_empty(),
        Verdict::Bug => failures(&answer).is_subset(known),
        Verdict::Inconclusive(_) | Verdict::Proved => true,
    };
    (!agrees).then(|| format!("the solver: {answer:?}\nnumbers: {known:?}"))
}

/// The same program with fewer first values.
fn opened(mut program: RandomProgram, seed: u64) -> RandomProgram {
    for (i, line) in (0..).zip(&mut program.head) {
        let plain = line.starts_with("var ") && !line.contains(['{', '[']);
        let scalar = plain && !line.contains(": int") && line.ends_with(';');
        if (seed >> i) & 1 == 0
            && scalar
            && let Some(at) = line.find(" := ")
        {
            line.replace_range(at..line.len() - 1, "");
        }
    }
    program
}

fn random(kind: &str, make: fn(u64) -> RandomProgram) {
    let (count, first) = (number("SYMBOLIC", 80), number("SYMBOLIC_SEED", 1));
    let (mut compared_, mut bugs) = (0, 0);
    for seed in first..first + count {
        let program = opened(make(seed), seed / 2);
        match compared(&program.text(), seed) {
            Some(Ok(bug)) => {
                compared_ += 1;
                bugs += u64::from(bug);
            }
            None => {}
            Some(Err(_)) => {
                let small = shrink(&program, |p| {
                    matches!(compared(&p.text(), seed), Some(Err(_)))
                });
                let why = compared(&small.text(), seed);
                panic!("{kind} seed {seed}: {why:?}\n{}", small.text());
            }
        }
    }
    println!("{kind}: {compared_} of {count} compared, {bugs} with bugs");
    assert!(
        compared_ * 2 > count,
        "{compared_} of {count} were compared"
    );
    assert!(bugs * 10 > compared_, "{bugs} of {compared_} have bugs");
}

#[test]
fn random_programs_have_the_same_failures() {
    random("plain", random_program);
}

#[test]
fn rich_random_programs_have_the_same_failures() {
    random("rich", rich_program);
}

#[test]
fn wild_random_programs_have_the_same_failures() {
    random("wild", wild_program);
}

/// The failures of a program whose values are open; each has been replayed.
fn found(text: &str) -> Vec<&'static str> {
    let program = program(text);
    let answer = explore(&program, &forgetful(Values::Fitting));
    let settles = !matches!(answer.verdict, Verdict::Inconclusive(_));
    assert!(settles, "{}\n{text}", answer.summary);
    assert!(answer.exhaustive, "{}", answer.summary);
    for bug in &answer.bugs {
        let schedule = &bug.trace.schedule;
        let shown = replay(&program, Scheduler::Bag, schedule).expect("it replays");
        assert_eq!(shown.1.map(|b| b.kind), Some(bug.kind));
    }
    let mut kinds: Vec<_> = answer.bugs.iter().map(|b| b.kind.name()).collect();
    kinds.dedup();
    kinds
}

#[test]
fn a_state_is_not_known_without_its_path() {
    // The values are equal after the branch; the conditions on `n` are not.
    let text = "var n: int; var x: int;
        proc main() { if n > 10 { x := 1; } else { x := 1; } yield; if n > 10 { assert n < 1000; } }";
    assert_eq!(found(text), ["assertion"]);
}

#[test]
fn a_dead_variable_still_ties_living_ones() {
    // `d` is dead after the assumption, and `a < b` is known only through it.
    let text = "var a: int; var b: int;
        proc main() { { var d: int; havoc d; assume a < d; assume d < b; } yield; assert a < b; }";
    assert_eq!(found(text), [""; 0]);
    let wrong = text.replace("assert a < b", "assert a + 2 < b");
    assert_eq!(found(&wrong), ["assertion"]);
}

#[test]
fn what_is_tied_to_nothing_is_forgotten() {
    let text = "var a: int;
        proc main() { while * { var d: int; havoc d; if d > 3 { havoc d; } yield; } assert a == a; }";
    assert_eq!(found(text), [""; 0]);
}

/// A task that reads each byte, with a point after the last one; `other` is another task.
fn reader(other: &str) -> String {
    format!(
        "var bytes: [4]0..255; var at: 0..4 := 0; var rounds: int := 0; var seen: int := 0;
         proc reader() {{
           while at < 4 {{
             let here: 0..3 = at;
             assert rounds == 0 || bytes[here] != 7;
             if bytes[here] == 1 {{ seen := seen + 1; }} else if bytes[here] > 1 {{ seen := seen + 2; }}
             at := at + 1;
             yield;
           }}
         }}
         {other}
         proc main() {{ post reader(); post other(); }}"
    )
}

#[test]
fn who_leaves_a_loop_reads_no_more_of_it() {
    let ends = reader("proc other() { await at == 4; assert seen <= 8; }");
    assert!(found(&ends).is_empty());
    let states = explore(&program(&ends), &forgetful(Values::Terms));
    // The last turn of the loop has 81 ways. They differ only in how much was seen, so few states are left.
    let states = states.count(Counted::States).unwrap();
    assert!(states < 150, "{states}");
}

#[test]
fn who_is_sent_back_into_a_loop_reads_on() {
    let back = ["at := 0;", "call again();", "post again();"];
    for back in back {
        let other = format!(
            "proc again() {{ at := 0; }} proc other() {{ await at == 4; rounds := 1; {back} }}"
        );
        assert_eq!(found(&reader(&other)), ["assertion"], "{back}");
    }
}

#[test]
fn what_a_loop_reads_in_its_next_turn_is_kept() {
    // The task rests in the condition first, and after the only place that reads `x` then.
    let text = "preempt access; var g: int := 1; var h: int := 1; var x: int;
        proc p() {
          var i: 0..3 := 0;
          h := 1;
          while i < 2 && g != 5 && h != 50 {
            if i == 1 { assert x < 1000; }
            i := i + 1;
            yield;
            h := 2;
          }
        }
        proc q() { g := 2; h := 3; }
        proc main() { post p(); post q(); }";
    let compiled = compile("loop", text, &CheckOptions { preempt: None });
    let program = compiled.program.expect("a program");
    for finals in [true, false] {
        let asked = ExploreOptions {
            finals,
            ..options(Values::Terms)
        };
        let answer = explore(&program, &asked);
        assert_eq!(answer.verdict.word(), "bug", "final states: {finals}");
    }
}

#[test]
fn a_guard_that_is_open_may_block() {
    let text = "var start: int;
        proc waits() { await start > 5; }
        proc main() { post waits(); }";
    assert_eq!(found(text), ["deadlock"]);
    // Another task may open it.
    let opened = text.replace("post waits();", "post waits(); yield; start := 6;");
    assert_eq!(found(&opened), [""; 0]);
}

#[test]
fn two_open_guards_block_together_only_where_both_do() {
    let text = "var n: int;
        proc low() { await n < 5; }
        proc high() { await n >= 5; }
        proc main() { post low(); post high(); }";
    // One of them goes on, and the other waits for ever.
    assert_eq!(found(text), ["deadlock"]);
    let resets = "var n: int;
        proc low() { await n < 5; n := 5; }
        proc high() { await n >= 5; n := 4; }
        proc main() { post low(); post high(); }";
    assert_eq!(found(resets), [""; 0]);
}

#[test]
fn division_is_checked_where_it_is_done() {
    let text = "var d: int; var x: int;
        proc main() { if d != 0 && 10 / d > 3 { x := 1; } yield; x := 7 / (d - 5); }";
    assert_eq!(found(text), ["division"]);
    let safe = "var d: int; var x: int;
        proc main() { if d != 0 && 10 / d > 3 { assert d == 1 || d == 2; } }";
    assert_eq!(found(safe), [""; 0]);
    let least = "var d: i32; var e: i32;
        proc main() { assume e == 0 - 1; if d < 0 - 2147483647 { let q = d / e; assert q == d; } }";
    assert_eq!(found(least), [""; 0]);
}

#[test]
fn an_open_index_reads_and_writes_the_element_it_means() {
    let text = "var a: [4]int := [0; 4]; var i: int; var j: int;
        proc main() { assume 0 <= i && i < 4 && 0 <= j && j < 4; a[i] := 1; yield; if i != j { assert a[j] == 0; } else { assert a[j] == 1; } }";
    assert_eq!(found(text), [""; 0]);
    assert_eq!(found(&text.replace("i < 4 &&", "i < 5 &&")), ["index"]);
    assert_eq!(found(&text.replace("if i != j", "if i < j")), ["assertion"]);
}

#[test]
fn a_map_at_an_open_key() {
    let text = "var m: [int]int := [0; _]; var k: int;
        proc w() { m[k] := 1; }
        proc main() { post w(); yield; if m[3] == 1 { assert k == 3; } }";
    assert_eq!(found(text), [""; 0]);
    assert_eq!(found(&text.replace("k == 3", "k != 3")), ["assertion"]);
}

#[test]
fn loops_without_a_preemption_point_meet_themselves() {
    let text = "var n: int := 0; proc foo() { n := 1 - n; }
        proc main() { while * { call foo(); } assert n == 0 || n == 1; }";
    assert_eq!(found(text), [""; 0]);
}

#[test]
fn endless_input_comes_back_to_where_it_was() {
    let text = "var last: int; var n: u32 := 0;
        proc main() { while true { var v: int; havoc v; if v > last { last := v; n := n + 1; } else { n := 0; } yield; if n > 3 { n := 0; } assert n <= 3; } }";
    let program = program(text);
    let answer = explore(&program, &options(Values::Fitting));
    assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary);
    assert!(answer.count(Counted::States) < Some(100));
}

/// Servers that take inputs for ever; with the second text in the place of the first they fail.
const SERVERS: [(&str, &str, &str); 6] = [
    (
        "var slot: int := 0; var full: bool := false; var max: int;
        proc client() { while true { var v: int; havoc v; await !full; slot := v; full := true; yield; } }
        proc server() { while true { await full; if slot > max { max := slot; } assert max >= slot; full := false; yield; } }
        proc main() { post client(); post server(); }",
        "slot > max",
        "slot > max + 1",
    ),
    (
        // The interval between both grows with each input.
        "var lo: int; var hi: int;
        proc main() { assume lo <= hi; while true { var v: int; havoc v;
            if v < lo { lo := v; } else if v > hi { hi := v; } assert lo <= v && v <= hi; yield; } }",
        "v > hi",
        "v > hi + 7",
    ),
    (
        // A sum of ever more inputs.
        "var balance: int := 0;
        proc main() { while true { var v: int; havoc v;
            if v > 0 { if * { balance := v; } else { if balance >= v { balance := balance - v; } } }
            assert balance >= 0; yield; } }",
        "balance >= v",
        "balance + 1 >= v",
    ),
    (
        "type State = enum { Idle, Open };
        var key: int := 0; var state: State := Idle;
        proc client() { while true { var k: int; havoc k; assume k != 0;
            atomic { if state == Idle { key := k; state := Open; } else { k := 0; } } yield;
            atomic { if k != 0 { assert key == k; state := Idle; key := 0; } } yield; } }
        proc main() { post client(); post client(); }",
        "if state == Idle",
        "if state == Idle || k == 5",
    ),
    (
        "var a: int; var b: int; var c: int; var n: u32 := 0;
        proc main() { while true { c := b; b := a; havoc a;
            if a == b && b == c { n := 1; } else { n := 0; } yield; assert n == 0 || a == c; } }",
        "b == c",
        "b <= c",
    ),
    (
        // Each is greater than all before.
        "var last: int := 0;
        proc w() { while true { var t: int; havoc t; assume t > last; last := t; yield; assert last > 0; } }
        proc main() { post w(); post w(); }",
        "t > last",
        "t + 1 > last",
    ),
];

#[test]
fn servers_with_endless_input_end() {
    for (text, right, wrong) in SERVERS {
        let answer = explore(&program(text), &options(Values::Fitting));
        assert_eq!(answer.verdict, Verdict::Safe, "{}\n{text}", answer.summary);
        assert!(answer.exhaustive, "{}\n{text}", answer.summary);
        assert!(answer.count(Counted::States) < Some(100), "{text}");
        let text = text.replace(right, wrong);
        let answer = explore(&program(&text), &options(Values::Fitting));
        assert_eq!(answer.verdict, Verdict::Bug, "{}\n{text}", answer.summary);
    }
}

/// The final states of a program with open values.
fn final_states(text: &str) -> (usize, Vec<String>) {
    let answer = explore(&program(text), &options(Values::Terms));
    let open = answer.open_finals.iter().map(|state| {
        let values = state.values.iter().map(|(n, v)| format!("{n} = {v}"));
        let parts = values.chain([format!("where {}", state.conditions.join(" and "))]);
        parts.collect::<Vec<_>>().join(", ")
    });
    (answer.finals.map_or(0, |f| f.len()), open.collect())
}

#[test]
fn final_states_are_written_out_or_described() {
    let few = "var n: 0..2; var m: 0..4; proc main() { assume n > 0; m := 2 * n; }";
    assert_eq!(final_states(few), (2, vec![]));
    let many = "var n: int; var m: int := 0; proc main() { if n > 3 { m := n + 2; } }";
    assert_eq!(
        final_states(many),
        (
            0,
            vec![
                "n = *, m = 0, where n <= 3".to_owned(),
                "n = *, m = n + 2, where n >= 4".to_owned()
            ]
        )
    );
}

#[test]
fn what_no_execution_comes_to_is_said() {
    let text = "var n: int;
        proc never() { assert n == 0; }
        proc main() { assume n > 3; if n < 2 { post never(); } }";
    let answer = explore(&program(text), &options(Values::Terms));
    let notes: Vec<_> = answer.notes.iter().map(|n| n.message.as_str()).collect();
    assert!(
        notes.iter().any(|n| n.contains("posts this task")),
        "{notes:?}"
    );
    assert!(
        notes.iter().any(|n| n.contains("reaches this check")),
        "{notes:?}"
    );
}

#[test]
fn modes_that_need_numbers_say_what_does_not() {
    let open = program("var n: int; proc main() { assert n != 7; }");
    for strategy in [Strategy::Stateless, Strategy::Random, Strategy::Pct] {
        let asked = ExploreOptions {
            strategy,
            ..options(Values::Fitting)
        };
        let answer = explore(&open, &asked);
        assert!(matches!(answer.verdict, Verdict::Inconclusive(_)));
        let says = |n: &str| n.contains("--strategy stateful and dpor");
        assert!(
            answer.notes.iter().any(|n| says(&n.message)),
            "{strategy:?}"
        );
    }
}

#[test]
fn livelocks_and_divergence_need_numbers() {
    let open = program(
        "var n: int; proc p() { if n > 3 { n := 0; } } proc main() { post p(); post p(); }",
    );
    for values in [Values::Fitting, Values::Terms] {
        let fair = ExploreOptions {
            sought: Sought::Livelocks,
            values,
            ..ExploreOptions::default()
        };
        let divergence = ExploreOptions {
            sought: Sought::Divergences,
            values,
            ..ExploreOptions::default()
        };
        for (asked, option) in [
            (fair, "without --fair"),
            (divergence, "without --divergence"),
        ] {
            let answer = explore(&open, &asked);
            let Verdict::Inconclusive(reason) = &answer.verdict else {
                panic!("{}", answer.summary);
            };
            let mut said = answer.notes.iter().map(|n| n.message.as_str());
            let words = reason.words();
            assert!(words.contains(option) || said.any(|s| s.contains(option)));
        }
    }
}

#[test]
fn where_numbers_are_many_terms_are_tried() {
    let text = "var bytes: [6]u8; var at: int := 0; var left: u8 := 0; var seen: bool := false;
        proc reader() { while at < 6 {
            if left == 0 { if bytes[at] < 4 { left := bytes[at]; } } else { left := left - 1; }
            at := at + 1; yield; } }
        proc watcher() { seen := left == 2; assert left < 4; }
        proc main() { post reader(); post watcher(); }";
    let answer = explore(&program(text), &ExploreOptions::default());
    assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary);
    assert!(answer.bounds.contains(&NamedBound::Terms));
    assert!(answer.exhaustive);
    // Few values are tried one by one.
    let few = "var n: u8; proc main() { assert n < 100 || n > 99; }";
    let answer = explore(&program(few), &ExploreOptions::default());
    assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary);
    assert!(!answer.bounds.contains(&NamedBound::Terms));
}

#[test]
fn where_many_values_are_not_needed_numbers_go_on() {
    let text = "const N := 9; var fork: [N]bool;
        proc philosopher(i: 0..N - 1) { while true {
            await !fork[i] { fork[i] := true; } yield;
            fork[i] := false; yield;
            await !fork[(i + 1) % N] { fork[(i + 1) % N] := true; } yield;
            fork[(i + 1) % N] := false; yield; } }
        proc main() { fork := [false; _]; for i in 0..N - 1 { post philosopher(i); } }";
    let few = ExploreOptions {
        reduction: false,
        work: Some(100_000),
        ..ExploreOptions::default()
    };
    let answer = explore(&program(text), &few);
    assert!(answer.count(Counted::States).unwrap() > 10_000);
    assert!(!answer.bounds.contains(&NamedBound::Terms));
}

#[test]
fn where_many_values_are_needed_at_once_terms_are_tried() {
    // Whether numbers can be exchanged is tried first; that is work, too.
    let text = include_str!("../../examples/async-programs/mixer.async");
    let answer = explore(&program(text), &ExploreOptions::default());
    assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary);
    assert!(
        answer.bounds.contains(&NamedBound::Terms),
        "{}",
        answer.summary
    );
}

#[test]
fn a_map_that_grows_is_named() {
    let grows = |first: &str, key: &str| {
        let text = format!(
            "var m: [int]int := [0; _];
            proc main() {{ {first} var n: int := 0; while true {{ var k: int; havoc k; n := n + 1; m[{key}] := n; yield; }} }}"
        );
        let asked = ExploreOptions {
            work: Some(1_000),
            ..options(Values::Terms)
        };
        let answer = explore(&program(&text), &asked);
        assert!(matches!(answer.verdict, Verdict::Inconclusive(_)));
        let mut said = answer.notes.iter().map(|n| n.message.as_str());
        said.any(|s| s.contains("`m` is written at ever more keys"))
    };
    assert!(grows("", "k"));
    // At many keys, and at no more of them.
    let many: String = (0..40).map(|k| format!("m[{k}] := {k} + 1; ")).collect();
    assert!(!grows(&many, "3"));
}

#[test]
fn what_was_found_before_a_limit_is_shown_after_it() {
    // The first segment is longer than the machine goes without a look at its limits.
    let text = "var n: int; var x: int := 0; var y: int;
        proc bad() { assert n != 3; }
        proc counts() { while true { y := y + n; x := x + 1; yield; } }
        proc main() { for i in 1..300 { x := x + 1; } post bad(); post counts(); }";
    let asked = ExploreOptions {
        work: Some(300),
        ..options(Values::Terms)
    };
    let answer = explore(&program(text), &asked);
    assert_eq!(answer.verdict, Verdict::Bug, "{}", answer.summary);
}

#[test]
fn the_limit_of_time_ends_a_step_with_many_ways() {
    let text = "proc p(a: [100]int) { yield; for i in 0..99 { assert a[i] != 7; } }
        proc main() { while * { post p(*); } while * { post p(*); } while * { post p(*); } }";
    let mut asked = forgetful(Values::Terms);
    asked.limits.timeout = Duration::from_millis(500);
    let answer = explore(&program(text), &asked);
    assert!(matches!(answer.verdict, Verdict::Inconclusive(_)));
}

#[test]
fn a_race_at_an_open_index_has_that_index() {
    let text = "var data: [10]int := [0; 10]; var i: int;
        proc other() { data[4] := 1; }
        proc main() { assume 0 <= i && i < 10; post other(); yield; data[i] := 2; }";
    let asked = ExploreOptions {
        sought: Sought::Races,
        strategy: Strategy::Dpor,
        ..ExploreOptions::default()
    };
    let answer = explore(&program(text), &asked);
    assert_eq!(answer.verdict, Verdict::Bug, "{}", answer.summary);
    assert_eq!(answer.bugs[0].kind, ErrorKind::Race);
    let elsewhere = text.replace("i < 10", "i < 4");
    let answer = explore(&program(&elsewhere), &asked);
    assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary);
}

#[test]
fn a_loop_that_grows_is_cut_and_said() {
    let text = "var n: int;
        proc main() { var i: int := 0; while i < n { i := i + 1; } assert n < 0 || i == n; }";
    let program = program(text);
    let open = explore(&program, &options(Values::Fitting));
    assert!(matches!(open.verdict, Verdict::Inconclusive(_)));
    let bounded = ExploreOptions {
        unroll: Some(5),
        ..options(Values::Fitting)
    };
    let answer = explore(&program, &bounded);
    assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary);
    assert!(!answer.exhaustive);
    assert_eq!(answer.cut_by, [CutBy::Unroll]);
    assert!(
        answer.summary.contains("up to 5 turns"),
        "{}",
        answer.summary
    );
    let wrong = text.replace("i == n", "n < 4");
    let answer = explore(&self::program(&wrong), &bounded);
    assert_eq!(answer.verdict, Verdict::Bug);
}

#[test]
fn finally_may_fork() {
    let text = "var n: int; var x: int := 0;
        proc p() { if n > 0 { x := x + 1; } }
        proc main() { post p(); post p(); }
        finally { assert x != 2 || n > 0; if n > 7 { assert x == 2; } else { assert x == 0 || n > 0; } }";
    assert_eq!(found(text), [""; 0]);
    assert_eq!(
        found(&text.replace("n > 7 { assert x == 2", "n > 7 { assert x == 1")),
        ["assertion"]
    );
}

#[test]
fn handles_and_joins() {
    let text = "var n: int; var done: bool := false;
        proc p() { if n > 3 { yield; } done := true; }
        proc main() { var t := post p(); if n != 2 { join t; assert done; } }";
    assert_eq!(found(text), [""; 0]);
    assert_eq!(
        found(&text.replace(
            "if n != 2 { join t; assert done; }",
            "if n != 2 { join t; } yield; assert done;"
        )),
        ["assertion"]
    );
}

#[test]
fn whether_a_global_was_looked_at_may_be_open() {
    // Under `preempt statement` a task that has done nothing visible passes through.
    let text = "preempt statement; var n: int; var x: int := 0; var y: int := 0;
        proc p() { var l: int; havoc l; if l > 0 && x == 0 { l := 1; } y := 1; x := 2; }
        proc main() { post p(); post p(); x := 1; }
        finally { assert x == 2 || n > 0; }";
    let program = program(text);
    let terms = explore(&program, &options(Values::Terms));
    assert!(
        !matches!(terms.verdict, Verdict::Inconclusive(_)),
        "{}",
        terms.summary
    );
}

#[test]
fn inputs_of_c_are_open_values() {
    let text = "#include <pthread.h>
        #include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        int balance;
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *take(void *p) {
          int amount = __VERIFIER_nondet_int();
          if (amount > 0) {
            pthread_mutex_lock(&m);
            if (balance >= amount) balance -= amount;
            pthread_mutex_unlock(&m);
          }
          return 0;
        }
        int main(void) {
          pthread_t a, b;
          balance = __VERIFIER_nondet_int();
          if (balance < 0) return 0;
          pthread_create(&a, 0, take, 0);
          pthread_create(&b, 0, take, 0);
          pthread_join(a, 0);
          pthread_join(b, 0);
          assert(balance >= 0);
          return 0;
        }";
    let verdict = |text: &str| {
        let file = std::env::temp_dir().join(format!("symbolic-{}.c", std::process::id()));
        std::fs::write(&file, text).expect("a file");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dbverify"));
        let output = command.arg("explore").arg(&file).output().expect("it runs");
        std::fs::remove_file(&file).expect("it was written");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (status, said) = verdict(text);
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = verdict(&text.replace("balance >= amount", "balance > amount / 2"));
    assert_eq!(status, Some(1), "{said}");
}

/// The answer about a program with `--races`.
fn races(text: &str, values: Values) -> Answer {
    let mut asked = ExploreOptions {
        sought: Sought::Races,
        strategy: Strategy::Dpor,
        max_steps: 1_000,
        values,
        ..ExploreOptions::default()
    };
    asked.limits.timeout = Duration::from_secs(10);
    explore(&program(text), &asked)
}

/// Whether there is a race, and nothing else.
fn has_race(text: &str) -> bool {
    let answer = races(text, Values::Fitting);
    match answer.verdict {
        Verdict::Safe => false,
        Verdict::Bug if answer.bugs[0].kind == ErrorKind::Race => true,
        _ => panic!("{}\n{text}", answer.summary),
    }
}

/// Behind a post a task goes on in the same step: no state lies between.
#[test]
fn a_race_behind_a_post_is_not_overlooked() {
    let text = "var x: u8 := 0; var o: int;
        proc t() { var y: u8 := x; assert o != 7 || y < 5; }
        proc main() { post t(); x := 1; }";
    assert!(has_race(text));
    // No other task touches the variable.
    assert!(!has_race(&text.replace("y: u8 := x", "y: u8 := 1")));
    // Before the post it is ordered.
    assert!(!has_race(
        &text.replace("post t(); x := 1;", "x := 1; post t();")
    ));
}

#[test]
fn what_lies_behind_a_lock_in_the_same_step_is_ordered_by_it() {
    let text = "var locked: bool := false; var x: int; var a: int; var b: int;
        proc t(n: int) {
          await !locked { locked := true; } if n > 3 { x := x + n; } locked := false; yield;
          await !locked { locked := true; } x := x - 1; locked := false;
        }
        proc main() { post t(a); post t(b); }";
    assert!(!has_race(text));
    let second = "await !locked { locked := true; } x := x - 1; locked := false;";
    assert!(has_race(&text.replace(second, "x := x - 1;")));
    // Given back too early.
    let early = "await !locked { locked := true; } locked := false; x := x - 1;";
    assert!(has_race(&text.replace(second, early)));
    let objects = "use sync; var m: Mutex; var n: Mutex; var x: int; var a: int; var b: int;
        proc t(k: int) { m.lock(); if k > 3 { x := x + k; } m.unlock(); yield; L.lock(); x := x - 1; L.unlock(); }
        proc main() { post t(a); post t(b); }";
    assert!(!has_race(&objects.replace('L', "m")));
    assert!(has_race(&objects.replace('L', "n")));
}

#[test]
fn who_only_reads_what_orders_tasks_passes_on_what_came_before() {
    // `first` has run when the flag is written; nothing tells `second` that its write came before.
    let text = "var flag: int := 0; var ran: bool := false; var x: int; var o: int;
        proc first() { await flag == 0 || flag == 1; x := o; }
        proc second() { await flag == 1; x := 2; }
        proc main() { post first(); post second(); yield; flag := 1; }";
    assert!(has_race(text));
    let before = text.replace(
        "await flag == 0 || flag == 1; x := o;",
        "x := o; await flag == 0 || flag == 1;",
    );
    assert!(has_race(&before));
    let joined = "var x: int; var o: int; var m: bool := false;
        proc first() { await !m { m := true; } x := o; m := false; }
        proc main() { var t := post first(); JOIN x := x + 1; }";
    assert!(!has_race(&joined.replace("JOIN", "join t;")));
    assert!(has_race(&joined.replace("JOIN", "yield;")));
}

/// Random programs: where both settle it, terms see races where numbers do.
#[test]
fn terms_and_numbers_see_the_same_races() {
    let (count, first) = (number("RACES", 150), number("SYMBOLIC_SEED", 1));
    let (mut settled, mut racy) = (0, 0);
    for seed in first..first + count {
        let made = match seed % 2 {
            0 => random_program(seed),
            _ => rich_program(seed),
        };
        let seen = |text: &str| {
            compile("random", text, &CheckOptions { preempt: None }).program?;
            let answers = [Values::Numbers, Values::Terms].map(|values| races(text, values));
            let known = answers
                .iter()
                .all(|a| !matches!(a.verdict, Verdict::Inconclusive(_)));
            let race = |a: &Answer| a.bugs.iter().any(|b| b.kind == ErrorKind::Race);
            let other = answers
                .iter()
                .any(|a| a.verdict == Verdict::Bug && !race(a));
            // If there is a race and another bug, either may be reported.
            (known && !other).then(|| answers.each_ref().map(race))
        };
        let differs = |p: &RandomProgram| seen(&p.text()).is_some_and(|[a, b]| a != b);
        if differs(&made) {
            let small = shrink(&made, differs).text();
            panic!("seed {seed}, (numbers, terms): {:?}\n{small}", seen(&small));
        }
        if let Some([race, _]) = seen(&made.text()) {
            settled += 1;
            racy += u64::from(race);
        }
    }
    println!("{settled} of {count} settled by both, {racy} with races");
    assert!(
        settled * 4 > count && racy > 0 && racy < settled,
        "{settled} {racy}"
    );
}
