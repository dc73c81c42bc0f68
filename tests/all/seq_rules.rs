//! One program for each rule of the sequentialization: it agrees with the machine, and its translation is fixed as text.

use crate::common::agree::{Outcome, cases, compare, look};
use dbverify::check::CheckOptions;
use dbverify::options::Scheduler;
use dbverify::seq::print::{About, emit_boogie, emit_seq};
use dbverify::seq::{Budget, sequentialize};
use dbverify::{Compiled, compile};

fn compiled(text: &str) -> Compiled {
    let compiled = compile("rule.async", text, &CheckOptions { preempt: None });
    assert!(
        compiled.program.is_some(),
        "{:#?}\n{text}",
        compiled.diagnostics
    );
    compiled
}

/// The machine and the sequential program agree for every number of delays and both orders.
fn agrees(text: &str) {
    compiled(text);
    for (delays, scheduler) in cases() {
        match compare(text, delays, scheduler) {
            Outcome::Agree => {}
            // With two delays there are many rounds for tasks that wait.
            Outcome::Unknown if delays == 2 => {}
            Outcome::Unknown => panic!("too large for a test: {delays} delays\n{text}"),
            Outcome::Disagree(why) => panic!("{delays} delays, {scheduler:?}\n{text}\n{why}"),
        }
    }
}

/// The least number of delays, up to 2, with which the machine fails.
fn least_delays(text: &str, scheduler: Scheduler) -> Option<u32> {
    let program = compiled(text).program.expect("it compiles");
    (0..=2).find(|&k| look(&program, scheduler, Some(k)).is_some_and(|seen| seen.bug))
}

fn seq(text: &str, delays: u32, scheduler: Scheduler) -> String {
    let compiled = compiled(text);
    let sequential = sequentialize(
        compiled.program.as_ref().expect("it compiles"),
        Budget::new(delays, None),
        scheduler,
    );
    emit_seq(
        &sequential,
        About {
            file: "rule.async",
            sources: &compiled.sources,
        },
    )
}

fn boogie(text: &str, delays: u32) -> String {
    let compiled = compiled(text);
    let sequential = sequentialize(
        compiled.program.as_ref().expect("it compiles"),
        Budget::new(delays, None),
        Scheduler::DepthFirst,
    );
    emit_boogie(
        &sequential,
        About {
            file: "rule.async",
            sources: &compiled.sources,
        },
        4,
    )
}

/// Figure 3 of the paper: p1 posts p2 and p3, and goes on.
const FIGURE_3: &str = "\
var g: 0..4 := 0;
proc p2() { g := g + 1; }
proc p3() { g := (g * 2) % 5; }
proc main() {
  g := 1;
  post p2();
  g := g + 1;
  post p3();
  g := g + 1;
}
";

/// The execution ends with the failing segment, so a segment that would be dispatched after it may block.
const BLOCKED_CHILD: &str = "\
var x: 0..2 := 0;
proc child() { assume false; }
proc main() {
  post child();
  x := 1;
  assert x == 0;
}
";

/// A segment that is dispatched before the failing one must not block, though it is called later.
const BLOCKED_PARENT: &str = "\
proc child() { assert false; }
proc main() {
  post child();
  assume false;
}
";

/// A yield inside a call is delayed, so a task that is posted behind it starts in the later round.
const DELAYED_YIELD: &str = "\
var x: 0..3 := 0;
proc step() {
  x := (x + 1) % 4;
  yield;
  x := (x * 2) % 4;
}
proc other() { x := 3 - x; assert x != 2; }
proc worker() {
  call step();
  post other();
  x := (x + 1) % 4;
}
proc main() { post worker(); post other(); }
";

/// A function that yields returns something even when its task ends inside it.
const FUNCTION: &str = "\
var x: 0..2 := 0;
proc read(limit: 0..2): 0..2 {
  yield;
  assert x <= limit, \"too large\";
  if x == 1 { return 2; }
  return x;
}
proc worker() {
  var t: 0..2 := 0;
  call t := read(1);
  x := t;
}
proc main() { post worker(); post worker(); x := 1; }
";

const AWAITS: &str = "\
var held: bool := false;
var x: 0..2 := 0;
proc locked() {
  await !held { held := true; }
  x := (x + 1) % 3;
  yield;
  held := false;
}
proc twice() { call locked(); call locked(); assert x != 1; }
proc main() { post locked(); post twice(); }
";

const JOINS: &str = "\
var x: 0..2 := 0;
proc add(i: 0..2) { yield; x := (x + i) % 3; }
proc parent(): task {
  var t: task := post add(1);
  return t;
}
proc main() {
  var t: task := call parent();
  var u: task := post add(1);
  assert t != u;
  join u;
  join t;
  assert x == 2;
}
";

const JOIN_OF_NOBODY: &str = "\
var t: task;
proc other() { join t; }
proc main() { post other(); }
";

const CHAIN: &str = "\
var x: 0..3 := 0;
proc link(n: 0..3) {
  x := (x + n) % 4;
  if n > 0 { post link(n - 1); }
  x := (x * 2) % 4;
}
proc main() { post link(2); }
finally { assert x != 3; }
";

const LOOPS: &str = "\
var x: 0..3 := 0;
proc add() { x := (x + 1) % 4; }
proc main() {
  for i in 0..1 {
    if x == 2 { break; }
    post add();
    if i == 1 { yield; continue; }
    post add();
  }
  assert x != 3;
}
";

/// Loops around loops, left in all ways.
const INSIDE: &str = "\
var x: int := 0;
proc count(n: int): int {
  var sum: int := 0;
  while true {
    sum := sum + 1;
    if sum == 7 { continue; }
    for i in 1..2 {
      yield;
      if x + i == n { return sum; }
    }
    if sum > n { break; }
  }
  return sum + 1;
}
proc main() { post worker(); x := 1; }
proc worker() { var sum: int; call sum := count(3); assert sum < 3; }
";

/// Whether the implicit point is passed depends on the path, and on which operands were evaluated.
const IMPLICIT: &str = "\
preempt statement;
var x: 0..3 := 0;
var y: 0..1 := 0;
proc worker(quick: bool) {
  if quick || x > 1 { y := 1; }
  x := (x + 1) % 4;
  y := 0;
}
proc main() { post worker(true); post worker(false); }
finally { assert x == 2; }
";

const ACCESS: &str = "\
preempt access;
var x: 0..3 := 0;
proc add() { x := x + 1; }
proc main() { post add(); post add(); }
finally { assert x == 2; }
";

const FINALLY: &str = "\
var x: 0..3 := 0;
var n: 0..1;
proc at_most(limit: 0..3) { assert x <= limit; }
proc add() { x := (x + 1) % 4; call at_most(3); }
proc main() { post add(); if n == 1 { post add(); } }
finally { call at_most(1); assert x > 0; }
";

const OBJECTS: &str = "\
use sync;
var m: Mutex;
var x: 0..3 := 0;
proc add() {
  m.lock();
  var t: 0..3 := x;
  yield;
  x := (t + 1) % 4;
  m.unlock();
}
proc main() { post add(); post add(); }
finally { assert x == 2; }
";

const VALUES: &str = "\
type Mode = enum { Off, Slow, Fast };
type Req = record { id: u8, done: [2]bool };
var mode: Mode := Off;
var req: Req := Req { id: 255, done: [false; 2] };
var seen: [Mode]u8 := [0; _];
proc serve(i: 0..1) {
  req.done[i] := true;
  req.id := req.id + 1;
  seen[mode] := req.id;
  mode := if i == 0 then Slow else Fast;
}
proc main() { post serve(0); post serve(1); }
finally { assert seen[Slow] == 1 && req.done[0]; }
";

#[test]
fn every_rule_agrees_with_the_machine() {
    for text in [
        FIGURE_3,
        BLOCKED_CHILD,
        BLOCKED_PARENT,
        DELAYED_YIELD,
        FUNCTION,
        AWAITS,
        JOINS,
        JOIN_OF_NOBODY,
        CHAIN,
        LOOPS,
        IMPLICIT,
        ACCESS,
        FINALLY,
        OBJECTS,
    ] {
        agrees(text);
    }
}

#[test]
fn delays_are_counted_as_the_machine_counts_them() {
    let dfs = |text| least_delays(text, Scheduler::DepthFirst);
    let rdfs = |text| least_delays(text, Scheduler::ReverseDepthFirst);
    assert_eq!(
        (dfs(BLOCKED_CHILD), rdfs(BLOCKED_CHILD)),
        (Some(0), Some(0))
    );
    assert_eq!((dfs(BLOCKED_PARENT), rdfs(BLOCKED_PARENT)), (None, None));
    assert_eq!((dfs(JOINS), rdfs(JOINS)), (None, None));
    assert_eq!((dfs(ACCESS), rdfs(ACCESS)), (Some(1), Some(1)));
}

#[test]
fn without_delays() {
    insta::assert_snapshot!(seq(FIGURE_3, 0, Scheduler::DepthFirst));
}

#[test]
fn with_a_delay() {
    insta::assert_snapshot!(seq(FIGURE_3, 1, Scheduler::DepthFirst));
}

#[test]
fn reverse_order() {
    insta::assert_snapshot!(seq(DELAYED_YIELD, 1, Scheduler::ReverseDepthFirst));
}

#[test]
fn yields_inside_calls() {
    insta::assert_snapshot!(seq(DELAYED_YIELD, 1, Scheduler::DepthFirst));
}

#[test]
fn results_of_tasks_that_end_early() {
    insta::assert_snapshot!(seq(FUNCTION, 1, Scheduler::DepthFirst));
}

#[test]
fn handles() {
    insta::assert_snapshot!(seq(JOINS, 0, Scheduler::DepthFirst));
}

#[test]
fn flags_for_implicit_points() {
    insta::assert_snapshot!(seq(IMPLICIT, 0, Scheduler::DepthFirst));
}

#[test]
fn operations_of_objects() {
    insta::assert_snapshot!(seq(OBJECTS, 1, Scheduler::DepthFirst));
}

#[test]
fn boogie_with_a_delay() {
    insta::assert_snapshot!(boogie(DELAYED_YIELD, 1));
}

#[test]
fn boogie_values() {
    insta::assert_snapshot!(boogie(VALUES, 0));
}

#[test]
fn boogie_loops_around_loops() {
    insta::assert_snapshot!(boogie(INSIDE, 0));
}

#[test]
fn boogie_results_and_loops() {
    insta::assert_snapshot!(boogie(FUNCTION, 0) + &boogie(LOOPS, 0));
}
