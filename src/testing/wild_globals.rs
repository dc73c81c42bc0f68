//! The declarations of random programs in which everything may occur: numbers at the ends of 64 and 128 bits, `int`s without a
//! value, arrays and maps of records, objects.

use fastrand::Rng;

use super::random_program::{Ty, Variables};

/// An object, and what can be done with it: one statement or several, where `X` stands for a block, `N` for a number
/// of `0..2`, and `V` and `B` for variables of `0..2` and `bool`.
#[derive(Clone, Debug)]
pub struct Object {
    declaration: &'static str,
    pub uses: &'static [&'static str],
}

const OBJECTS: [Object; 5] = [
    Object {
        declaration: "use sync; var mu: Mutex;",
        uses: &["mu.lock(); X mu.unlock();", "mu.lock(); mu.unlock();"],
    },
    Object {
        declaration: "use sync; var se: Semaphore(1);",
        uses: &[
            "se.acquire(); X se.release();",
            "se.release();",
            "se.acquire();",
        ],
    },
    Object {
        declaration: "object Gate(T: type, n: int) { var left: 0..3 := n; var last: T; \
             op take(k: T): T when left > 0 { left := left - 1; var was: T := last; last := k; return was; } \
             op give() { if left < 2 { left := left + 1; } } \
             op empty(): bool { return left == 0; } } var ga: Gate(0..2, 1);",
        uses: &[
            "ga.take(N);",
            "V := ga.take(N);",
            "ga.give();",
            "B := ga.empty();",
        ],
    },
    Object {
        declaration: "object Cell(T: type) { var held: T; op set(n: T) { held := n; } op need() when held > 0 { held := held - 1; } } \
             var ce: Cell(int);",
        uses: &["ce.set(N);", "ce.set(N);", "ce.need();"],
    },
    Object {
        declaration: "object Turn { var next: 0..1 := 0; op enter(k: 0..1) when next == k { next := 1 - k; } } \
             var tu: [2]Turn;",
        uses: &[
            "tu[0].enter(0);",
            "tu[1].enter(1);",
            "tu[1].enter(0);",
            "tu[0].enter(1);",
        ],
    },
];

/// A declaration, and the places in it.
type Declared = (&'static str, &'static [(&'static str, Ty)]);

const DECLARATIONS: [Declared; 11] = [
    ("var i0: int;", &[("i0", Ty::Int)]),
    ("var i1: int := 9223372036854775806;", &[("i1", Ty::Int)]),
    ("var i2: int := 0;", &[("i2", Ty::Int)]),
    (
        "var w0: 9223372036854775806..9223372036854775809 := 9223372036854775806;",
        &[("w0", Ty::Big)],
    ),
    (
        "var w1: 9223372036854775806..9223372036854775809;",
        &[("w1", Ty::Big)],
    ),
    (
        "var v0: 0..170141183460469231731687303715884105727 := 170141183460469231731687303715884105726;",
        &[("v0", Ty::Huge)],
    ),
    ("var u0: u8 := 250;", &[("u0", Ty::Byte)]),
    (
        "type R = record { f: bool, k: 0..2, n: int }; var m1: [int]R := [R { f: false, k: 1, n: 3 }; _];",
        &[
            ("m1[?].f", Ty::Bool),
            ("m1[1].k", Ty::Range(2)),
            ("m1[?].n", Ty::Int),
        ],
    ),
    (
        "type P = record { on: bool, k: 0..2 }; var m2: [0..1]P;",
        &[("m2[?].on", Ty::Bool), ("m2[0].k", Ty::Range(2))],
    ),
    (
        "type Q = record { on: bool, left: int }; var q0: [2]Q := [Q { on: true, left: 2 }; 2];",
        &[("q0[?].on", Ty::Bool), ("q0[1].left", Ty::Int)],
    ),
    (
        "var d0: [2]0..2;",
        &[("d0[?]", Ty::Range(2)), ("d0[0]", Ty::Range(2))],
    ),
];

/// Adds declarations to a program's head, and their variables to its variables. Returns the objects.
pub fn wild_globals(rng: &mut Rng, head: &mut Vec<String>, globals: &mut Variables) -> Vec<Object> {
    for (line, places) in DECLARATIONS {
        if rng.usize(..5) == 0 {
            head.push(line.to_owned());
            globals.extend(places.iter().map(|&(name, ty)| (name.to_owned(), ty)));
        }
    }
    let mut objects = Vec::new();
    for object in OBJECTS {
        if rng.usize(..5) == 0 {
            let library = "use sync; ";
            let known = head.iter().any(|line| line.starts_with(library));
            let line = object.declaration;
            let line = line.strip_prefix(library).filter(|_| known).unwrap_or(line);
            head.push(line.to_owned());
            objects.push(object);
        }
    }
    objects
}
