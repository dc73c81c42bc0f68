//! Lowered programs, seen by running them: the checker's arithmetic is the machine's, and the
//! preemption modes allow the executions that they promise.

use answer::{Answer, Verdict};
use ir::{ErrorKind, Value};
use options::ExploreOptions;
use options::PreemptMode;
use symbolic::explore;

use super::program;

fn run(text: &str, mode: PreemptMode) -> Answer {
    let options = ExploreOptions {
        finals: true,
        all: true,
        ..ExploreOptions::default()
    };
    explore(&program(text, mode), &options)
}

/// The values of the first global in the final states.
fn finals(text: &str, mode: PreemptMode) -> Vec<i128> {
    let answer = run(text, mode);
    assert!(answer.bugs.is_empty(), "{:?}", answer.bugs);
    let first = |state: &Vec<Value>| match state[0] {
        Value::Int(n) => n,
        ref other => panic!("{other:?} is no number"),
    };
    let mut all: Vec<i128> = answer.finals.iter().flatten().map(first).collect();
    all.dedup();
    all
}

#[test]
fn modes_allow_what_they_promise() {
    use PreemptMode::{Access, Statement, Yield};
    let two = |body: &str| {
        format!(
            "var x: int := 0; var a: [2]int := [0; 2]; var i: int := 0; var b: bool := false;
             proc p() {{ {body} }} proc main() {{ post p(); post p(); }}"
        )
    };
    for (body, by_yield, by_statement, by_access) in [
        ("x := x + 1;", vec![2], vec![2], vec![1, 2]),
        ("let t = x; x := t + 1;", vec![2], vec![1, 2], vec![1, 2]),
        ("atomic { x := x + 1; }", vec![2], vec![2], vec![2]),
        ("await true { x := x + 1; }", vec![2], vec![2], vec![2]),
        ("if x == 0 { x := x + 1; }", vec![1], vec![1, 2], vec![1, 2]),
        // An index is read before the element.
        (
            "a[i] := 1; i := 1; x := a[0] + 2 * a[1];",
            vec![3],
            vec![1, 3],
            vec![1, 3],
        ),
        // All loads come before the stores.
        ("x, i := i + 1, x + 1;", vec![2], vec![2], vec![1, 2]),
        // The right side is read only if the left side is true.
        (
            "if b && x == 0 { x := 5; } b := true;",
            vec![5],
            vec![0, 5],
            vec![0, 5],
        ),
    ] {
        let text = two(body);
        assert_eq!(finals(&text, Yield), by_yield, "{body} in yield");
        assert_eq!(
            finals(&text, Statement),
            by_statement,
            "{body} in statement"
        );
        assert_eq!(finals(&text, Access), by_access, "{body} in access");
    }
}

#[test]
fn errors_are_found_where_they_happen() {
    for (statement, kind) in [
        ("a[x + 3] := 1;", ErrorKind::Index),
        ("x := a[x - 1];", ErrorKind::Index),
        ("m[x + 7] := true;", ErrorKind::Index),
        ("r := x + 4;", ErrorKind::Range),
        ("r := 9;", ErrorKind::Range),
        ("call take(x + 5);", ErrorKind::Range),
        ("call r := give(4);", ErrorKind::Range),
        ("post take(x - 1);", ErrorKind::Range),
        ("rec := Rec { f: x + 4 };", ErrorKind::Range),
        ("small := [x + 4, 0];", ErrorKind::Range),
        ("var l: 0..3 := x + 4;", ErrorKind::Range),
        ("x := 1 / x;", ErrorKind::Division),
        ("u := 1 % u;", ErrorKind::Division),
        (
            "if true || 1 / x == 0 { assert x == 1; }",
            ErrorKind::Assertion,
        ),
        (
            "if x == 1 && a[9] == 0 { skip; } assert false;",
            ErrorKind::Assertion,
        ),
        ("await a[x + 3] == 0;", ErrorKind::Index),
        ("join none;", ErrorKind::Stuck),
        ("join self;", ErrorKind::Stuck),
        ("l[x + 2].lock();", ErrorKind::Index),
        ("l[0].set(x + 4);", ErrorKind::Range),
        ("await false;", ErrorKind::Deadlock),
    ] {
        let text = format!(
            "var x: int := 0; var u: u8 := 0; var r: 0..3 := 0; var a: [3]int := [0; 3]; var m: [0..6]bool := [false; _];
             type Rec = record {{ f: 0..3 }}; var rec: Rec; var small: [2]0..3 := [0; 2]; var none: task;
             object Lock {{ var v: 0..3 := 0; op lock() {{ skip; }} op set(n: 0..3) {{ v := n; }} }} var l: [2]Lock;
             proc take(n: 0..3) {{}} proc give(n: int): int {{ return n; }}
             proc main() {{ {statement} }}"
        );
        for mode in [
            PreemptMode::Yield,
            PreemptMode::Statement,
            PreemptMode::Access,
        ] {
            let answer = run(&text, mode);
            assert!(
                matches!(answer.verdict, Verdict::Bug),
                "{statement} in {mode:?}"
            );
            assert_eq!(
                answer.bugs.iter().map(|b| b.kind).collect::<Vec<_>>(),
                vec![kind],
                "{statement} in {mode:?}"
            );
        }
    }
}

/// A random expression of a type, once over literals and once over variables that hold them.
struct Generator {
    random: fastrand::Rng,
    ty: &'static str,
    lo: i64,
    hi: i64,
    variables: Vec<i64>,
}

impl Generator {
    fn number(&mut self, depth: u32) -> (String, String) {
        let ty = self.ty;
        if depth == 0 {
            let value = self.random.i64(self.lo..=self.hi);
            self.variables.push(value);
            return (
                format!("{ty}({value})"),
                format!("v{}", self.variables.len() - 1),
            );
        }
        let bits = ty != "int";
        match self.random.u8(0..if bits { 14 } else { 8 }) {
            op @ 0..=2 => self.both(["+", "-", "*"][op as usize], depth),
            op @ 3..=4 => {
                // A divisor that is never zero: odd numbers stay odd when they wrap.
                let (l, r) = (self.number(depth - 1), self.number(depth - 1));
                let op = if op == 3 { "/" } else { "%" };
                let one = |l: &str, r: &str| format!("({l} {op} ({r} * 2 + 1))");
                (one(&l.0, &r.0), one(&l.1, &r.1))
            }
            5 => {
                let inner = self.number(depth - 1);
                (format!("-({})", inner.0), format!("-({})", inner.1))
            }
            6 => {
                let (c, a, b) = (
                    self.truth(depth - 1),
                    self.number(depth - 1),
                    self.number(depth - 1),
                );
                let one = |c: &str, a: &str, b: &str| format!("(if {c} then {a} else {b})");
                (one(&c.0, &a.0, &b.0), one(&c.1, &a.1, &b.1))
            }
            7 => {
                let inner = self.number(depth - 1);
                (
                    format!("{ty}(i8({}))", inner.0),
                    format!("{ty}(i8({}))", inner.1),
                )
            }
            8 => {
                let inner = self.number(depth - 1);
                (format!("~({})", inner.0), format!("~({})", inner.1))
            }
            op => self.both(["&", "|", "^", "<<", ">>"][op as usize - 9], depth),
        }
    }

    fn both(&mut self, op: &str, depth: u32) -> (String, String) {
        let (l, r) = (self.number(depth - 1), self.number(depth - 1));
        (
            format!("({} {op} {})", l.0, r.0),
            format!("({} {op} {})", l.1, r.1),
        )
    }

    fn truth(&mut self, depth: u32) -> (String, String) {
        let (l, r) = (self.number(depth), self.number(depth));
        let op = ["<", "<=", ">", ">=", "==", "!="][self.random.usize(0..6)];
        (
            format!("({} {op} {})", l.0, r.0),
            format!("({} {op} {})", l.1, r.1),
        )
    }
}

#[test]
fn constants_and_running_programs_count_alike() {
    for (ty, lo, hi) in [
        ("int", -9, 9),
        ("u8", 0, 255),
        ("i8", -128, 127),
        ("i16", -32768, 32767),
        ("u32", 0, 4_294_967_295),
        ("i64", -1 << 62, 1 << 62),
    ] {
        let mut g = Generator {
            random: fastrand::Rng::with_seed(11),
            ty,
            lo,
            hi,
            variables: Vec::new(),
        };
        let mut text = String::new();
        let mut asserts = String::new();
        for n in 0..120 {
            let (literal, variable) = g.number(3);
            text += &format!("const c{n} := {literal};\n");
            asserts += &format!("assert {variable} == c{n};\n");
        }
        for (n, value) in g.variables.iter().enumerate() {
            text += &format!("var v{n}: {ty} := {value};\n");
        }
        let answer = run(
            &format!("{text}proc main() {{\n{asserts}}}"),
            PreemptMode::Yield,
        );
        assert!(
            matches!(answer.verdict, Verdict::Safe),
            "{ty}: {:?}",
            answer.bugs.first().map(|b| &b.message)
        );
    }
}

#[test]
fn loops_count_and_end() {
    let text = "var n: int := 0; var u: u8 := 250; var s: i8;
        proc main() {
          for i in u..255 { n := n + 1; }
          for i in i8(-128)..-127 { n := n + 10; }
          for i in 5..4 { n := 1000; }
          for i in 0..2 { if i == 1 { continue; } for j in i..3 { if j == 2 { break; } n := n + 100; } }
          let t = n; while true { n := n + 1; if n > t + 5 { break; } }
          assert n == 232;
        }";
    for mode in [
        PreemptMode::Yield,
        PreemptMode::Statement,
        PreemptMode::Access,
    ] {
        assert_eq!(finals(text, mode), vec![232]);
    }
}
