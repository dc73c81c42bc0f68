//! Compares the editor's reading of names and types with the checker's.

use std::collections::BTreeSet;

use check::CheckOptions;

use base::stack::on_big_stack;

use testing::examples;

use super::*;

/// All examples, and a text that has what they lack.
fn programs() -> Vec<(String, String)> {
    let mut all = examples();
    all.push(("many".to_owned(), MANY.to_owned()));
    all
}

const MANY: &str = "\
use sync;
const N := 3;
const M: int := N + 1;
type Small = 0..N;
type Mode = enum { Idle, Busy };
type Req = record { id: int, inner: record { done: bool, at: Small } };
var mode: Mode := Idle;
var log: [N]Req;
var seen: [Mode]bool := [false; _];
var one: u8;
var locks: [N]Mutex;
var s: Semaphore(N);
object Box(n: int) {
  var full: bool := false;
  var kept: int := n;
  op put(v: int) when !full { kept, full := v, true; }
  op take(): int when full { full := false; return kept; }
  op n_plus(n: int): int { return n + kept; }
  proc swap(v: int): int { let old = kept_of(); call put(v); return v; }
  independent put(a), n_plus(b) when a != b;
  exclusive put, take;
}
var b: Box(2);
object Held(T: type, room: int) {
  var all: [int]T := [default(T); _];
  op give(v: T): T when room > 0 { let w = all[0]; all[0] := v; return w; }
  op none(): T { let nothing: T = default(T); return nothing; }
}
type Pairs = Held([2]u8, N);
var held: Held(Req, 2);
var pairs: [2]Pairs;
proc kept_of(): int { return 1; }
proc work(id: int, m: Mutex) {
  let r = log[0];
  let deep = r.inner.at;
  var x, y := one, one + 1;
  let list = [1, 2, N];
  let zeros = [false; 4];
  var c := if x > y then 1 else M;
  for i in 0..N - 1 { let c = i; c_out := c; log[i].inner.done := true; }
  { let id = log[id % N].inner.done; seen[Busy] := id; }
  m.lock();
  locks[deep % N].unlock();
  m.unlock();
  await mode == Busy { let mode = 3; c_out := mode; }
}
var c_out: int;
proc main() {
  let t = post work(1, locks[0]);
  let got = b.take();
  let was = held.give(log[0]);
  let was_at = was.inner.at;
  let two = pairs[0].give([1, 2]);
  let byte = two[0];
  let plain = default(Req);
  var conv := u8(got);
  join t;
}
finally { assert one == u8(c_out) || self != self; }
";

fn many_checks() -> String {
    // `kept_of()` in an expression is an error, and names must be found all the same.
    MANY.replace("let old = kept_of(); ", "let old = kept; ")
        .replace(" || self != self", "")
}

fn read(text: &str) -> Module {
    on_big_stack(|| Module::read(text.into()))
}

#[test]
fn every_name_of_every_example_is_known() {
    for (file, text) in programs() {
        let module = read(&text);
        let unknown: Vec<&str> = module
            .index
            .occurrences
            .iter()
            .filter(|o| o.target.is_none())
            .map(|o| module.slice(o.span))
            .collect();
        assert_eq!(unknown, Vec::<&str>::new(), "{file}");
    }
    let all = Module::read("use sync; use async; use time;".into());
    let library = all.library().unwrap();
    assert!(library.index.occurrences.iter().all(|o| o.target.is_some()));
}

#[test]
fn locals_have_the_types_that_the_checker_gives_them() {
    let mut compared = 0;
    for (file, text) in programs() {
        let text = if file == "many" { many_checks() } else { text };
        let compiled = compile::compile(&file, &text, &CheckOptions::default());
        let program = compiled
            .program
            .unwrap_or_else(|| panic!("{file}: {:?}", compiled.diagnostics));
        let exact: BTreeSet<(String, String)> = program
            .procs
            .iter()
            .flat_map(|p| &p.locals)
            .map(|l| (l.name.to_string(), program.types.name(l.ty)))
            .collect();
        let module = read(&text);
        for (decl, id) in module.index.decls.iter().zip(0..) {
            let simple = matches!(decl.ty, Ty::Basic(_) | Ty::Number | Ty::Named(_));
            if matches!(decl.kind, Kind::Var | Kind::Let) && simple {
                let shown = module.view().show(&decl.ty).unwrap();
                let pair = (module.name(DeclId(id)).to_owned(), shown);
                // Constants need no local in the program.
                let known = exact.iter().any(|(name, _)| *name == pair.0);
                assert!(
                    !known || exact.contains(&pair),
                    "{file}: {pair:?} of {exact:?}"
                );
                compared += usize::from(known);
            }
        }
    }
    assert!(compared > 15, "{compared}");
}

fn shown(module: &Module, name: &str, nth: usize) -> String {
    let mut found = module
        .index
        .decls
        .iter()
        .filter(|d| module.slice(d.name) == name);
    let decl = found.nth(nth).unwrap();
    module.view().show(&decl.ty).unwrap_or_default()
}

#[test]
fn types_of_values_are_found() {
    let module = read(MANY);
    for (name, nth, ty) in [
        ("r", 0, "Req"),
        ("deep", 0, "int"),
        ("x", 0, "u8"),
        ("y", 0, "u8"),
        ("list", 0, "[3]int"),
        ("zeros", 0, "[4]bool"),
        ("was", 0, "Req"),
        ("was_at", 0, "int"),
        ("two", 0, "[2]u8"),
        ("byte", 0, "u8"),
        ("plain", 0, "Req"),
        ("w", 0, "T"),
        ("c", 0, "int"),
        ("t", 0, "task"),
        ("got", 0, "int"),
        ("conv", 0, "u8"),
        ("a", 0, "int"),
        ("Idle", 0, "Mode"),
        ("N", 0, "int"),
        ("done", 0, "bool"),
        ("s", 0, "Semaphore(N)"),
    ] {
        assert_eq!(shown(&module, name, nth), ty, "{name}");
    }
}

#[test]
fn inner_names_hide_outer_ones() {
    let text = "var x: int; proc p(x: int) { x := 1; { let x = x; x := x; } x := 2; } proc q() { x := 3; }";
    let module = read(text);
    let meant: Vec<u32> = module
        .index
        .occurrences
        .iter()
        .filter(|o| module.slice(o.span) == "x")
        .map(|o| match o.target {
            Some(Target::Here(id)) => module.index.decl(id).name.start,
            other => panic!("{other:?}"),
        })
        .collect();
    let (global, param, local) = (4, 19, 43);
    assert_eq!(&text[local as usize..=local as usize], "x");
    assert_eq!(
        meant,
        [
            global, param, param, local, param, local, local, param, global
        ]
    );
}

#[test]
fn nothing_that_is_typed_breaks_it() {
    // Many prefixes of the text, and the text with a hole at many places.
    let ends: Vec<usize> = MANY.char_indices().map(|(at, _)| at).step_by(7).collect();
    on_big_stack(|| {
        for &end in &ends {
            let module = Module::read(MANY[..end].into());
            let hole = (end + 5).min(MANY.len());
            let other = Module::read([&MANY[..end], &MANY[hole..]].concat().into());
            for module in [module, other] {
                for o in &module.index.occurrences {
                    assert!(!module.slice(o.span).is_empty());
                    if let Some(Target::Here(id)) = o.target {
                        assert_eq!(module.slice(o.span), module.name(id));
                    }
                }
            }
        }
    });
}
