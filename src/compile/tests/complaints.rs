//! Complaints about programs that mean nothing: each complaint once, at its place, with advice.

use super::said;
use insta::assert_snapshot;

/// The complaints about statements of `main`, after declarations.
fn in_main(declarations: &str, statements: &str) -> String {
    said(&format!(
        "{declarations}\nproc main() {{\n{statements}\n}}\n"
    ))
}

#[test]
fn names() {
    assert_snapshot!(in_main(
        "var counter: int := 0; const LIMIT := 3; type Mode = enum { Idle, Busy }; var mode: Mode;
type Req = record { length: int, done: bool }; var req: Req;
proc worker(n: int) {}",
        "coutner := 1;
counter := limit;
mode := Bsy;
call wroker(1);
req.lenght := 1;
req := Req { length: 1, doen: true };
var x: Moed;
var y: Mutex;
mode := Zzz;
counter := worker;
counter := Mode;
if tru { skip; }
call counter();
call LIMIT();
call Mode();
{ var inner: int := 1; }
inner := 2;"
    ));
}

#[test]
fn duplicates() {
    assert_snapshot!(in_main(
        "var x: int; var x: bool; const x := 1;
type A = enum { Red, Green }; type B = enum { Red }; type A = int;
proc p(a: int, a: bool) {} proc p() {}
type R = record { f: int, f: int };
object O(n: int) { var n: int; op f() { skip; } op f() { skip; } op n() { skip; } }
preempt yield; preempt access; finally { skip; } finally { skip; } var self: int;",
        "var l: int; let l = 1; var self: int; for l in 0..1 { var l: int := l; }"
    ));
}

#[test]
fn types() {
    assert_snapshot!(in_main(
        "type Self = record { f: int, s: Self }; type A = [2]B; type B = record { a: A };
var a: [0]int; var b: [2000000]int; var c: 5..2; var d: [true]int; var e: [Rec]int; var f: [1000][1001]int;
type Rec = record { f: int }; var n: [[2]int]bool; const L := 2; var ok: [L]int; var bad: [ok]int; var worse: [Rec2]int;
var r: Rec; var i: int; var u: u8; var v: i16; var t: bool; var ar: [2]int; var m: [int]bool;",
        "i := t; t := 1; i := u; u := i; u := v + 1; i := u + i; t := i == u; t := r == ar; i := -t; i := !i; u := ~i;
i := i & 1; t := t < t; t := i && t; ar := [1, 2, 3]; ar := [t, 1]; ar := [0; 3]; i := ar[t]; i := i[0]; i := i.f;
t := m[t]; r := Rec {}; r := Rec { f: t, f: 1 }; r := L { f: 1 }; i := if t then 1 else t; i := if i then 1 else 2;
u := 256; v := -32769; u := u8(t); u := u8(r); i := Rec(1); i := 1 + r; t := r < r; ar[0] := t;
for k in 0..t { skip; } for k in u..i { skip; } assume i; assert 1; while 0 { skip; }"
    ));
}

#[test]
fn constants() {
    assert_snapshot!(in_main(
        "const A := B + 1; const B := C; const C := A; const D := 1 / 0; const E: u8 := 300; const F: 0..3 := 4; const G := [1, 2][2];
const H := 170141183460469231731687303715884105727 + 1; const I := x; const J := *; const K: bool := 1; const L := main;
const M: bool := [1, 2] == [1; 2]; const N: [2]bool := [M, M == ([A2] != [3])]; const A2 := 3; type T = [A3]int; type U = [Uu]int;
var x: int := y + 1; var y: int := 1; var z: int := x; var w: 0..3 := 7; var v: 0..3 := * + 1; var u: 0..3 := if * then 1 else 9;
var s: task := self; var r: [x]int; var q: x..3;",
        "var a: [x]int; let n = 2; var b: [n]int; let c = [0; n];"
    ));
}

#[test]
fn choices() {
    assert_snapshot!(in_main(
        "var t: task; var tr: record { t: task, n: int }; var x: int; var m: [task]bool;",
        "let a = *; if * == * { skip; } t := *; havoc t; havoc tr; tr := *; await *; await x > *; join *; m := *;
let b = [*; 3]; let c = [false; _]; let d = [*, x]; x := [1, *][0]; havoc m;"
    ));
}

#[test]
fn assignments() {
    assert_snapshot!(in_main(
        "const N := 1; type E = enum { A }; var x, y: int; proc p(n: int): int { n := 2; return n; } proc q() {}",
        "let c = 1; c := 2; N := 2; A := A; for i in 0..1 { i := 2; havoc i; } self := self;
x, y := 1; x := 1, 2; x, y := call p(1); p(1) := 2; call c := p(1); x := p(1); call x := q(); var z := call q(); let w, v = 1;"
            .replace(" let w, v = 1;", "")
            .as_str()
    ));
}

#[test]
fn calls() {
    assert_snapshot!(in_main(
        "var x: int; var b: bool; proc p(n: int, b: bool): int { return 1; } proc none() {}",
        "call p(1); call p(1, 2); call p(1, true, x); call b := p(1, true); post p(true, 1); x := post none(); x := none;
call none(none()); x := none() + 1; x := int(1, 2);"
            .replace(" x := int(1, 2);", "")
            .as_str()
    ));
}

#[test]
fn results() {
    assert_snapshot!(said(
        "proc a(): int { if * { return 1; } }
proc b(): int { while true { if * { break; } } }
proc c(): int { while true { skip; } }
proc d(): int { return; }
proc e() { return 1; }
proc f(): int { return true; }
proc g(n: int): int { if n > 0 { return 1; } else { return 2; } n := 3; return n; }
proc h(): Missing { return 1; }
proc i() { while true { break; skip; } return; skip; skip; }
proc j(): int { if * { return 1; skip; } }
proc main() { break; continue; call h(); }
finally { return 1; }"
    ));
}

#[test]
fn mains() {
    assert_snapshot!(said("var main: int;"));
    assert_snapshot!(said("proc main(n: int) { skip; }"));
    assert_snapshot!(said(""));
}

#[test]
fn waiting_in_atomic_code() {
    assert_snapshot!(said(
        "use sync;
var m: Mutex; var x: int;
proc deep() { if * { sleep; } }
proc middle() { call deep(); }
proc ping(n: int) { call pong(n); }
proc pong(n: int) { if n > 0 { call ping(n - 1); } m.lock(); }
proc fine() { m.unlock(); x := 1; post deep(); }
proc main() {
  atomic { yield; sleep; await x > 0; join self; m.lock(); }
  atomic { call middle(); call ping(1); call fine(); m.unlock(); }
  await x > 0 { yield; call deep(); }
}
proc poster() { post deep(); }
finally { yield; call deep(); m.lock(); call poster(); post deep(); atomic { call middle(); } m.unlock(); call asks(); }
proc asks() { if self == self { x := 1; } }"
    ));
}

#[test]
fn objects() {
    assert_snapshot!(said(
        "use sync;
object O(n: int) {
  var v: int := n;
  var inner: Mutex;
  op f(i: int) when i > * { yield; v := q; }
  op g(m: Mutex) { m.lock(); m.unlock(); return 1; }
  op h() enqueue { await true; } when 1 { call f(1); call work(); }
  op s() when v > 0 spurious v { skip; }
  op t() when v > 0 spurious -1 { skip; }
  proc work() { inner.lock(); post f(1); post work(); }
}
object Unused(k: 0..3) { var z: [k]bool := [false; k]; op u() { z[k] := 1; k := 2; } }
object Rec { var r: Rec2; }
object Rec2 { var r: Rec; }
var o: O(2); var o2: O; var o3: O(1, 2); var o4: O(true); var rec: Rec; var m: Mutex; var ms: [3]Mutex; var i: int(3);
var mm: Mutex := 3; var rr: record { m: Mutex }; var mp: [int]Mutex; var km: [Mutex]int; var x: int; const C: Mutex := 1;
proc takes(m: Mutex, s: Semaphore(2)) { m.lock(); oops := 1; }
proc gives(): Mutex { }
proc main() {
  var l: Mutex;
  x := m; m := ms[0]; if m == m { skip; } x := m + 1; havoc m; x := ms[0];
  m.lok(); m.held := true; x := m.held; ms.lock(); ms[true].lock(); m[0].lock(); x.lock(); undeclared.lock();
  x := 1 + m.try_lock(); x := m.try_lock(); x := m.lock(); x := o.f(m.try_lock());
  call takes(m, m); call takes(1, o); call takes(ms, rec); o.f(1, 2); o.f(true); m.unlock(3); post o(1); call m();
}"
    ));
}

#[test]
fn libraries() {
    assert_snapshot!(said("use snyc; use other; var m: Mutex; proc main() {}"));
}

#[test]
fn the_part_of_the_library_that_has_a_type_is_named() {
    for (name, part) in [
        ("Mutex", "sync"),
        ("Future(int)", "async"),
        ("Clock(1)", "time"),
    ] {
        let text = format!("var x: {name}; proc main() {{ }}");
        let hint = format!("`use {part};` makes");
        assert!(said(&text).contains(&hint), "{name}: {}", said(&text));
        let known = said(&format!("use {part}; {text}"));
        assert!(!known.contains("error"), "{known}");
    }
}

#[test]
fn no_name_is_in_two_parts_of_the_library() {
    let mut seen = rustc_hash::FxHashSet::default();
    for library in check::LIBRARIES {
        let (tree, problems) = ast::parser::parse(library.text, 0);
        assert!(problems.is_empty(), "{}", library.file);
        for item in &tree.items {
            if let ast::tree::ItemKind::Object(object) = &item.kind {
                let name = tree.text(object.name.symbol).to_owned();
                assert!(seen.insert(name.clone()), "{name}");
            }
        }
    }
}
