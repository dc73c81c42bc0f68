//! Parameters of object types that are types: the lowered programs, and the complaints where they are wrong.

use insta::assert_snapshot;
use options::PreemptMode;

use super::{lowered, program, said};

/// An object whose code has a value of its type everywhere that there can be one.
const CELL: &str = "object Cell(T: type, n: int) {
  var kept: [n]T := [default(T); n];
  var by_task: [task]T := [default(T); _];
  var any: T;
  var size: int := 0;
  op put(given: T): bool when size < n { let old: T = kept[size]; kept[size], size := given, size + 1; return old == given; }
  op both(given: [2]T) { var one: T; one := given[0]; by_task[self], any := one, default(T); }
  op take(): T enqueue { any := default(T); } when size > 0 { size := size - 1; return kept[size]; }
  proc two(given: T) { var was: bool; was := call put(given); call put(default(T)); }
  independent put(a), put(b) when a == b;
}
";

/// Types, and their default values as a program would write them.
const TYPES: [(&str, &str); 12] = [
    ("int", "0"),
    ("bool", "false"),
    ("u8", "0"),
    ("0..4", "0"),
    ("3..4", "3"),
    ("-4..-2", "-2"),
    ("task", "NOBODY"),
    ("Mode", "Idle"),
    ("Item", "Item { id: 0, mode: Idle, by: NOBODY }"),
    ("[2]bool", "[false; _]"),
    ("[Mode]Item", "[Item { id: 0, mode: Idle, by: NOBODY }; _]"),
    ("Small", "1"),
];

const NAMES: &str = "type Mode = enum { Idle, Busy };
type Small = 1..2;
type Item = record { id: int, mode: Mode, by: task };
const NOBODY := default(task);
";

#[test]
fn an_object_with_a_type_is_the_same_object_written_for_that_type() {
    for (ty, default) in TYPES {
        let uses = |cell: &str| {
            format!(
                "{NAMES}var given, got: {ty}; var cell: {cell}; var cells: [2]{cell};
                 proc work(own: {cell}) {{ own.two(given); got := own.take(); }}
                 proc main() {{ post work(cell); post work(cells[1]); cells[0].both([given, got]); got := cell.take(); }}"
            )
        };
        let written = CELL.replace("T: type, ", "");
        let written = written.replace("default(T)", default);
        let words: Vec<&str> = written
            .split_inclusive(|c: char| !c.is_alphanumeric())
            .collect();
        let by_hand: String = words
            .into_iter()
            .map(|word| match word.strip_prefix('T') {
                Some(rest) if rest.len() < 2 => ty.to_owned() + rest,
                _ => word.to_owned(),
            })
            .collect();
        for mode in [
            PreemptMode::Yield,
            PreemptMode::Statement,
            PreemptMode::Access,
        ] {
            let dump = |text: &str| program(text, mode).to_string();
            let typed = dump(&(CELL.to_owned() + &uses(&format!("Cell({ty}, 2)"))));
            assert_eq!(typed, dump(&(by_hand.clone() + &uses("Cell(2)"))), "{ty}");
        }
    }
}

#[test]
fn each_object_has_its_own_state() {
    let text = "object Cell(T: type) { var kept: T := default(T); op put(x: T) { kept := x; } op get(): T { return kept; } }
        var a, b: Cell(int); var c: Cell(bool); var d: [2]Cell(int);
        proc main() { a.put(1); c.put(true); d[1].put(3);
          let x = a.get(); let y = b.get(); let z = c.get(); let u = d[0].get(); let v = d[1].get();
          assert x == 1 && y == 0 && z && u == 0 && v == 3; }";
    let program = program(text, PreemptMode::Yield);
    let names: Vec<&str> = program.globals.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["a.kept", "b.kept", "c.kept", "d.kept"]);
    let answer = symbolic::explore(&program, &options::ExploreOptions::default());
    assert_eq!(answer.verdict.word(), "safe");
}

#[test]
fn parameters_may_use_types_before_them_and_objects_hand_types_on() {
    lowered(
        "type R = record { a: int };
         object Inner(T: type, first: T) { var kept: T := first; op get(): T { return kept; } }
         object Outer(K: type, V: type, n: int) {
           var inner: Inner(V, default(V));
           var pairs: [2]Inner(record { k: K, v: V }, default(record { k: K, v: V }));
           var by: [K]V := [default(V); _];
           var many: [n]V;
           op set(k: K, v: V) { by[k] := v; }
           op read(): V { let x = inner.get(); return x; }
         }
         var i: Inner(R, R { a: 3 });
         var o: Outer(bool, R, 3);
         type Table = Outer(enum { A, B }, [2]int, 2);
         var t: [2]Table;
         proc any(o: Outer) { skip; }
         proc main() { o.set(true, R { a: 1 }); let r = o.read(); assert r.a == 0;
           t[1].set(B, [1, 2]); let x = t[0].read(); assert x[1] == 0; call any(o); call any(t[0]); }",
    );
}

#[test]
fn what_is_not_used_is_checked_as_far_as_it_is_known() {
    let text = "object Sum(T: type, n: int) {
        var all: [n]T; var one: T;
        op add(x: T): T { one := one + x; let y = x; all[0] := y; return all[missing]; }
        op part(x: T): int { return x.id + n; }
      }
      proc of(s: Sum) { let x = s.add(1); s.none(); }
      proc main() {}";
    assert_snapshot!(said(text));
    lowered(
        "object Box(T: type) { var x: T := default(T); op get(): T { return x; } op id(): int { return x.id; } } proc main() {}",
    );
}

#[test]
fn wrong_arguments() {
    assert_snapshot!(said(
        "type R = record { id: int }; const N := 3; var x: int;
object O(T: type, n: int) { var kept: T := default(T); op put(x: T) { kept := x; } }
object S(n: int) { op go() {} }
var none: O;
var few: O(int);
var many: O(int, 2, 3);
var swapped: O(2, int);
var constant: O(N, 2);
var variable: O(x, 2);
var literal: O([1, 2], 2);
var object_type: O(S(2), 2);
var unknown: O(Rr, 2);
var sum: O(int, R);
var number: S(bool);
var outside: T;
var kind: type;
var keys: O([R]int, 2);
const C: type := 1;
object P(T: type, T: type) {}
object Q(T: type) { var T: T; op T(T: T) { var T: T; } }
proc takes(o: O(R, 2), t: type) {}
proc main() { }"
    ));
}

#[test]
fn parameters_are_no_objects() {
    for ty in [
        "O(1)",
        "O(1, 2)",
        "[2]O(1)",
        "[int]O(1)",
        "record { o: O(1) }",
        "X",
    ] {
        let text = format!(
            "type X = O(1); object O(n: {ty}) {{ var inner: O(2); }} var o: O(1); var p: O; proc main() {{ }}"
        );
        let said = said(&text);
        assert!(
            said.contains("object-misplaced") || said.contains("recursive-type"),
            "{said}"
        );
    }
}

#[test]
fn wrong_uses_name_the_object() {
    assert_snapshot!(said(
        "type R = record { id: int };
object O(T: type, n: int) {
  var kept: [n]T := [default(T); _];
  op sum(): T { return kept[0] + kept[1]; }
  op field(): int { return kept[0].id; }
  op less(x: T): bool { return x < 3; }
  op made(): T { return T { id: 1 }; }
  op narrow(x: int): T { return T(x); }
  op unknown() { kept[0] := missing; }
}
var numbers: O(u8, 2);
var records: O(R, 2);
proc works(o: O) { let x = o.sum(); var y: int; y := o.sum(); assert x; }
proc main() {
  numbers.less(1);
  var r: R;
  r := numbers.sum();
  call works(numbers);
  let a = default(3); let b = default(O); let c = default(); let d = default(int, int); let e: bool = default(R);
  let f = default(T); let g = int; let h = int + 1; numbers.less(u8);
}"
    ));
}

#[test]
fn a_procedure_may_be_called_default() {
    lowered(
        "proc default(n: int): int { return n; } proc main() { let default = call default(3); assert default == 3; }",
    );
}
