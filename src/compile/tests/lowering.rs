//! One construct at a time, without preemption points beside those that are written.

use super::{body, lowered};
use insta::assert_snapshot;

#[test]
fn initial_values() {
    assert_snapshot!(lowered(
        "type Req = record { id: u8, owner: task };
         const N := 2;
         type Color = enum { Red, Green };
         var a, b: int := N * 3;
         var any: 0..9;
         var choice: u8 := if * then 1 else 2;
         var none: task;
         var nobody: [3]task;
         var both: Req;
         var m: [Color]bool := [false; _];
         var lits: [3]int := [1, -2, N];
         var grid: [2][2]int := [[0; 2]; 2];
         var c: Color := Green;
         proc main() {}"
    ));
}

#[test]
fn assignments() {
    assert_snapshot!(body(
        "type R = record { f: int, g: [2]int };
         var x, y: int := 0; var a: [4]int := [0; 4]; var r: R; var m: [bool]R; var i: 0..3 := 0;",
        "x := y;
         a[i] := x;
         a[x] := a[y];
         r.g[1] := r.f;
         m[x == y].g[x] := 1;
         x, y := y, x;
         i, a[i] := 1, i;
         x, a[x], y := 1, 2, 3;
         r := R { g: [x, y], f: a[0] };
         havoc x, a[y];
         x := *;"
    ));
}

#[test]
fn checks_only_where_bounds_do_not_prove_them() {
    assert_snapshot!(body(
        "var a: [4]int := [0; 4]; var x: int := 0; var r: 0..3 := 0; var s: 0..2 := 0; var u: u8 := 0; var v: i8 := 0;
         var big: [300]int := [0; 300]; var m: [0..3]bool := [false; _];",
        "a[r] := 1;
         a[s + 1] := 1;
         a[x % 4] := 1;
         a[x] := 1;
         a[u] := 1;
         a[v] := 1;
         a[u & 3] := 1;
         big[u] := 1;
         m[x] := true;
         m[s] := true;
         r := s;
         s := r;
         r := r + 1;
         r := if r < 3 then r + 1 else 0;
         r := x;
         x := x / 2;
         x := x / r;
         x := x % (r + 1);
         for i in 0..3 { a[i] := i; }
         for i in r..s { a[i] := i; }
         let c = s + 1;
         r := c;
         var d := s + 1;
         r := d;"
    ));
}

#[test]
fn lazy_operators_guard_checks() {
    assert_snapshot!(body(
        "var a: [4]int := [0; 4]; var x, n: int := 0; var b: bool := false;",
        "b := x < n && a[x] == 0;
         b := x >= n || 10 / x > 1;
         b := x < n ==> a[x] > 0;
         b := x < n && (a[x] == 0 || 1 / x == 0);
         x := if n != 0 then x / n else a[n];
         b := true && a[x] == 0;
         b := false && a[9] == 0;
         assert a[x] == 0 <==> b;"
    ));
}

#[test]
fn choices_are_made_before_the_statement_and_only_if_needed() {
    assert_snapshot!(body(
        "var x: 0..3 := 0; var b: bool := false; proc p(n: u8, b: bool) {}",
        "if * { skip; }
         while * && x < 3 { x := *; }
         b := x == * && *;
         x := if b then * else 1;
         call p(*, * || b);
         assume *;
         let y: int = * + 1;"
    ));
}

#[test]
fn control_flow() {
    assert_snapshot!(lowered(
        "var x: int := 0;
         proc f(n: int): int {
           if n < 0 { return 0; } else if n == 0 { return 1; }
           while true {
             if x > n { return x; }
             x := x + 1;
           }
         }
         proc main() {
           for i in x..x + 2 {
             if i == 1 { continue; }
             for j in 0..i { if j == 2 { break; } }
             { var x: int := i; x := x + 1; }
           }
           while x > 0 { x := x - 1; continue; }
           if true { x := 1; } else { x := 2; }
           while false { x := 3; }
           if x == 0 { return; }
           x := 5;
         }"
    ));
}

#[test]
fn loops_over_machine_integers_end() {
    assert_snapshot!(body(
        "var n: u8 := 0;",
        "for i in u8(0)..255 { n := i; }
         for i in n..10 { n := i; }
         for i in 0..n { n := i; }"
    ));
}

#[test]
fn tasks() {
    assert_snapshot!(lowered(
        "var g: task; var a: [2]task; var x: int := 0;
         proc p(n: int, b: bool): int { return n; }
         proc main() {
           post p(1, true);
           let t = post p(2, false);
           g := post p(x, x > 0);
           var u: task := t;
           join t;
           join a[x];
           call p(1, true);
           call x := p(2, true);
           a[0] := post p(0, true);
           x := x + 1;
           let y = call p(3, false);
           yield; sleep;
           if self == g { skip; }
           assume u == t;
         }"
    ));
}

#[test]
fn awaits_and_atomic_blocks() {
    assert_snapshot!(lowered(
        "var x: int := 0; var a: [2]bool; 
         proc bump(n: int): int { x := x + n; return x; }
         proc main() {
           await x > 0;
           await a[x] && x < 2 { x := 0; call x := bump(1); }
           atomic { x := 1; atomic { x := 2; } if x == 2 { return; } }
           while true { await x > 3 { if x == 4 { break; } } }
         }"
    ));
}

#[test]
fn machine_integers() {
    assert_snapshot!(body(
        "var u: u8 := 200; var i: i16 := -1; var n: int := 0; type Byte = u8;",
        "u := u + 100;
         u := ~u & 15 | u << 2 ^ u >> 1;
         u := u8(n) + u8(i);
         n := int(u) - n;
         i := i16(300) + -32768;
         u := u8(511);
         u := Byte(n);
         u := u / (u - 1);
         n := if u > 100 then 1 else 0;"
    ));
}

#[test]
fn constants_are_folded() {
    assert_snapshot!(body(
        "const N := 2 + 3 * K; const K := -7 / 2; const M: u8 := 250 + 10 - 5; const A := [1, K]; const B := A[1] == K;
         type R = record { f: 0..9 }; const C := R { f: 3 }; const D := if B then C.f else 1 / 0; var x: int := 0;",
        "x := N; x := int(M); x := A[1]; x := A[x % 2]; x := D; if B && N < 0 { x := 1; }"
    ));
}

#[test]
fn values_of_all_types_compare() {
    assert_snapshot!(body(
        "type R = record { f: int }; var r, s: R; var a, b: [2]bool; var m: [int]int; var t: task; var x: 0..3 := 0;",
        "assert r == s; assert a != b; assert m == [0; _]; assert t != self; assert a == [true, false];
         assert x == 7; assert r == R { f: x };"
    ));
}
