//! Declarations that are true, false in every way, and beyond the solver.

use std::fmt::Write as _;

use insta::assert_snapshot;

use check::CheckOptions;
use options::Limits;

use super::{Proofs, prove};

/// An object with these members: which of its declarations are proved, and what is said of the others.
fn judged(members: &str) -> String {
    judge(&format!(
        "object O {{ {members} }} var o: O; proc main() {{}}"
    ))
}

fn judge(text: &str) -> String {
    let compiled = compile::compile("test.async", text, &CheckOptions::default());
    let mut program = compiled.program.unwrap_or_else(|| {
        panic!("{text}: {:?}", compiled.diagnostics);
    });
    let Proofs {
        refuted, unproved, ..
    } = prove(&mut program, &compiled.sources, &Limits::default());
    let mut out = String::new();
    for claim in program.declared.iter().filter(|c| c.proved) {
        let _ = writeln!(out, "proved: {}", compiled.sources.text(claim.span));
    }
    for bug in refuted {
        let _ = writeln!(out, "false: {}", bug.message);
    }
    for note in unproved {
        let text = note.span.map_or("", |s| compiled.sources.text(s));
        let _ = writeln!(out, "{text}: {}", note.message);
    }
    out
}

#[test]
fn additions_commute() {
    assert_snapshot!(judged(
        "var sum: int := 0;
         op add(n: int) { sum := sum + n; }
         op double() { sum := 2 * sum; }
         op get(): int { return sum; }
         independent add, add;
         independent get, get;
         independent add(n), double when n == 0;
         independent add, double;
         independent add, get;"
    ));
}

#[test]
fn guards() {
    assert_snapshot!(judged(
        "var count: 0..9 := 1;
         op take() when count > 0 { count := count - 1; }
         op put() when count < 9 { count := count + 1; }
         op drain() when count > 1 { count := 0; }
         op idle() when count == 0 { skip; }
         independent take, put;
         independent take, take;
         exclusive drain, idle;
         exclusive take, drain;"
    ));
}

#[test]
fn failures() {
    assert_snapshot!(judged(
        "var count: 0..3 := 0;
         op more() { count := count + 1; }
         op less() { assert count > 0; count := count - 1; }
         op nothing() { assert false; }
         op other() { skip; }
         op drop() { assume count == 0; }
         independent more, more;
         independent less, more;
         independent nothing, other;
         independent nothing, more;
         independent drop, more;
         independent drop, drop;"
    ));
}

#[test]
fn tasks_are_told_apart() {
    assert_snapshot!(judged(
        "var owner: task; var held: bool := false; var mine: [task]int := [0; _];
         op lock() when !held { held, owner := true, self; }
         op unlock() when held && owner == self { var nobody: task; held, owner := false, nobody; }
         op count() { mine[self] := mine[self] + 1; }
         op set(t: task) { mine[t] := 0; }
         exclusive lock, unlock;
         exclusive unlock, unlock;
         independent count, count;
         independent count, set;"
    ));
}

#[test]
fn queues_have_two_steps() {
    assert_snapshot!(judged(
        "var queue: [int]task; var size: 0..3 := 0; var free: bool := true;
         op enter() enqueue { queue[size], size := self, size + 1; }
           when free && size > 0 && queue[size - 1] == self { free, size := false, size - 1; }
         op leave() { free := true; }
         op test(): bool { return free; }
         independent enter, leave;
         independent test, test;
         independent enter, enter;"
    ));
}

#[test]
fn spurious_operations_are_enabled_more_often() {
    assert_snapshot!(judged(
        "var ready: bool := false;
         op wake() when ready spurious 1 { skip; }
         op wait() when !ready { skip; }
         op rest() when ready { skip; }
         exclusive wake, wait;
         exclusive rest, wait;
         independent wake, wake;
         independent wake, wait;"
    ));
}

#[test]
fn what_is_beyond_the_solver_is_not_taken_as_true() {
    assert_snapshot!(judged(
        "var a: int := 0; var b: [9]int := [0; 9];
         op count() { var i: int := 0; while i < a { i := i + 1; } a := a + i; }
         op any() { havoc b; }
         independent count, count;
         independent any, any;"
    ));
}

#[test]
fn choices_are_the_same_in_both_orders() {
    assert_snapshot!(judged(
        "var a, b: int := 0;
         op pick() { a := *; }
         op other() { b := *; }
         op some() { if * { a := a + 1; } }
         independent pick, other;
         independent some, some;
         independent pick, pick;"
    ));
}

#[test]
fn what_an_operation_touches_beside_its_object_counts() {
    assert_snapshot!(judge(
        "var log: [4]int := [0; 4]; var next: 0..4 := 0;
         object O {
           op write(v: int) when next < 4 { log[next] := v; next := next + 1; }
           op read(i: 0..3): int { return log[i]; }
           independent write, write;
           independent read, read;
           independent read, write;
         }
         var o: O; proc main() {}"
    ));
}

#[test]
fn objects_in_arrays_and_in_objects() {
    assert_snapshot!(judge(
        "object In { var v: int := 0; op add(n: int) { v := v + n; } }
         object O(n: int) {
           var inner: In; var c: 0..n := 0;
           op add() { inner.add(1); }
           op set() { c := n; }
           op wrong() { c := 0; }
           independent add, add;
           independent add, set;
           independent set, wrong;
         }
         var o: [3][2]O(2); var p: O(4); proc main() {}"
    ));
}

#[test]
fn objects_of_an_array_that_touch_each_other() {
    assert_snapshot!(judge(
        "var z: int := 0;
         object O {
           var n: 0..3 := 0;
           op f() { if n == 0 { z := z + 1; } else { z := 5; } }
           op g() { o[0].h(); }
           op h() { n := (n + 1) % 4; }
           op i() { p[1].h(); }
           independent f, f;
           independent g, g;
           independent h, h;
           independent g, h;
           independent h, i;
         }
         var o, p: [3]O; proc main() {}"
    ));
}

#[test]
fn wide_types() {
    assert_snapshot!(judge(
        "type R = record { id: int, on: bool };
         object O {
         var r: [2]R := [R { id: 0, on: false }; 2]; var m: [int]u8 := [0; _]; var all: [int]bool := [false; _];
         op set(i: 0..1, on: bool) { r[i].on := on; }
         op bump(k: int) { m[k] := m[k] + 200; }
         op mark(k: int) { all[k] := true; }
         op clear() { all := [false; _]; }
         independent set(i, a), set(j, b) when i != j || a == b;
         independent set, set;
         independent bump, bump;
         independent mark, mark;
         independent mark, clear; }
         var o: O; proc main() {}"
    ));
}
