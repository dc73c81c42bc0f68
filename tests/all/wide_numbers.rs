//! Numbers beyond 64 and 128 bits in conditions, results and objects: compares each engine with values that the test computes
//! itself. Products are the hard case: that of two `u64` takes up to 128 bits, and leaves no bit for a sign.
//!
//! `WIDE=N` tries N programs of each kind, `WIDE_SEED=S` begins with seed S.

use std::time::Duration;

use dbverify::answer::{Answer, Verdict};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::ir::{ErrorKind, Value};
use dbverify::options::ProveOptions;
use dbverify::options::{EngineChoice, ExploreOptions, Limits, Scheduler, VerifyOptions};
use dbverify::verify::engines;
use dbverify::verify::road::{Question, Target, ask};
use fastrand::Rng;

fn number(name: &str, otherwise: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// A machine type: its width, and whether it has a sign.
#[derive(Clone, Copy, PartialEq)]
struct Ty(u32, bool);

const TYPES: [Ty; 5] = [
    Ty(64, false),
    Ty(64, false),
    Ty(64, true),
    Ty(32, false),
    Ty(8, true),
];

impl Ty {
    fn name(self) -> String {
        format!("{}{}", if self.1 { "i" } else { "u" }, self.0)
    }

    /// The number of this type with the same last bits.
    fn wrap(self, value: u128) -> i128 {
        let low = (value & ((1 << self.0) - 1)).cast_signed();
        let negative = self.1 && low >> (self.0 - 1) == 1;
        if negative { low - (1 << self.0) } else { low }
    }

    fn literal(self, value: i128) -> String {
        format!("{}({value})", self.name())
    }

    /// A number that is likely to be at an edge.
    fn some(self, rng: &mut Rng) -> i128 {
        let near = rng.i128(-3..=3).cast_unsigned();
        let edge = [0, 1 << (self.0 - 1), 1 << (self.0 / 2), rng.u128(..)][rng.usize(..4)];
        self.wrap(near.wrapping_add(edge))
    }
}

/// An expression in the language, and its value.
#[derive(Clone)]
struct Expr {
    text: String,
    value: i128,
}

/// The variables of a program: a name, a type, a value.
type Variables = Vec<(String, Ty, i128)>;

fn expr(rng: &mut Rng, ty: Ty, vars: &Variables, depth: u32) -> Expr {
    let own: Vec<_> = vars.iter().filter(|v| v.1 == ty).collect();
    if depth == 0 || rng.u8(..6) == 0 {
        if !own.is_empty() && rng.u8(..4) > 0 {
            let (text, _, value) = own[rng.usize(..own.len())].clone();
            return Expr { text, value };
        }
        let value = ty.some(rng);
        let text = ty.literal(value);
        return Expr { text, value };
    }
    if rng.u8(..6) == 0 {
        let from = TYPES[rng.usize(..TYPES.len())];
        let inner = expr(rng, from, vars, depth - 1);
        return Expr {
            text: format!("{}({})", ty.name(), inner.text),
            value: ty.wrap(inner.value.cast_unsigned()),
        };
    }
    let a = expr(rng, ty, vars, depth - 1);
    let b = expr(rng, ty, vars, depth - 1);
    let (x, y) = (a.value.cast_unsigned(), b.value.cast_unsigned());
    let (op, value) = match rng.u8(..10) {
        0..5 => ("*", x.wrapping_mul(y)),
        5 => ("+", x.wrapping_add(y)),
        6 => ("-", x.wrapping_sub(y)),
        7 => ("^", x ^ y),
        8 => ("&", x & y),
        _ => ("|", x | y),
    };
    Expr {
        text: format!("({} {op} {})", a.text, b.text),
        value: ty.wrap(value),
    }
}

/// A comparison, and whether it holds.
fn condition(rng: &mut Rng, vars: &Variables) -> (String, bool) {
    let ty = TYPES[rng.usize(..TYPES.len())];
    let a = expr(rng, ty, vars, 2);
    let mut b = expr(rng, ty, vars, 1);
    if rng.bool() {
        b.value = a.value;
        b.text = ty.literal(a.value);
    }
    let (op, holds) = match rng.u8(..4) {
        0 => ("==", a.value == b.value),
        1 => ("!=", a.value != b.value),
        2 => ("<", a.value < b.value),
        _ => (">=", a.value >= b.value),
    };
    (format!("{} {op} {}", a.text, b.text), holds)
}

/// A program and its meaning: whether its task gets past its condition, and the final values.
struct Meant {
    text: String,
    passes: bool,
    finals: Vec<i128>,
}

/// With the values in the declarations, or assumed.
fn program(seed: u64, open: bool) -> Meant {
    let mut rng = Rng::with_seed(seed);
    let count = rng.usize(2..4);
    let vars: Variables = (0..count)
        .map(|i| {
            let ty = TYPES[rng.usize(..TYPES.len())];
            (format!("v{i}"), ty, ty.some(&mut rng))
        })
        .collect();
    let (mut text, mut assumed) = (String::new(), String::new());
    for (name, ty, value) in &vars {
        let literal = ty.literal(*value);
        if open {
            text += &format!("var {name}: {};\n", ty.name());
            assumed += &format!("assume {name} == {literal}; ");
        } else {
            text += &format!("var {name}: {} := {literal};\n", ty.name());
        }
    }
    let ty = TYPES[rng.usize(..TYPES.len())];
    let (cond, passes) = condition(&mut rng, &vars);
    let result = expr(&mut rng, ty, &vars, 3);
    text += &format!("var r: {} := 0;\n", ty.name());
    // The condition of an await, of an operation, or of a branch.
    match rng.u8(..3) {
        0 => {
            text += &format!("proc p() {{ await {cond}; r := {}; }}\n", result.text);
        }
        1 => {
            text += &format!("object Gate {{ op pass() when {cond} {{ }} }}\nvar gate: Gate;\n");
            text += &format!("proc p() {{ gate.pass(); r := {}; }}\n", result.text);
        }
        _ => {
            text += &format!(
                "proc p() {{ if {cond} {{ r := {}; }} else {{ await false; }} }}\n",
                result.text
            );
        }
    }
    text += &format!("proc main() {{ {assumed}post p(); }}\n");
    let finals = vars.iter().map(|v| v.2).chain([result.value]).collect();
    Meant {
        text,
        passes,
        finals,
    }
}

/// Says what is wrong with an answer.
fn wrong(meant: &Meant, answer: &Answer) -> Option<String> {
    let state = |all: &Vec<Value>| {
        let numbers = all.iter().map(|v| match v {
            Value::Int(n) => Some(*n),
            _ => None,
        });
        numbers.collect::<Option<Vec<_>>>()
    };
    if meant.passes {
        let finals = answer
            .finals
            .as_ref()
            .map(|all| Vec::from_iter(all.iter().map(state)));
        // A variable that only inequalities fix to one value is shown with its conditions.
        let open = answer.open_finals.len() == 1 && finals == Some(Vec::new());
        let right = answer.verdict == Verdict::Safe
            && answer.exhaustive
            && (open || finals == Some(vec![Some(meant.finals.clone())]));
        return (!right).then(|| format!("{}, {finals:?}, {:?}", answer.summary, answer.notes));
    }
    let kind = answer.bugs.first().map(|bug| bug.kind);
    (kind != Some(ErrorKind::Deadlock)).then(|| answer.summary.clone())
}

fn each_engine(meant: &Meant) -> Option<String> {
    let compiled = compile("random", &meant.text, &CheckOptions { preempt: None });
    let Some(program) = compiled.program else {
        panic!("{}\n{:?}", meant.text, compiled.diagnostics);
    };
    let explored = engines::explored(
        &program,
        &ExploreOptions {
            scheduler: Scheduler::Bag,
            finals: true,
            ..ExploreOptions::default()
        },
    );
    if let Some(why) = wrong(meant, &explored) {
        return Some(format!("explore: {why}"));
    }
    for engine in [EngineChoice::Smt, EngineChoice::Explicit] {
        let options = VerifyOptions {
            delays_from: 0,
            delays_to: 0,
            engine,
            finals: true,
            ..VerifyOptions::default()
        };
        let answer = engines::answer(&program, &compiled.sources, &options);
        if let Some(why) = wrong(meant, &answer) {
            return Some(format!("{engine:?}: {why}"));
        }
    }
    None
}

/// Says what is wrong with the answer of a proof, which may give up.
fn by_proof(meant: &Meant) -> Option<String> {
    let compiled = compile("random", &meant.text, &CheckOptions { preempt: None });
    let options = ProveOptions {
        limits: Limits {
            timeout: Duration::from_secs(3),
            ..Limits::default()
        },
        ..ProveOptions::default()
    };
    let answer = ask(
        &Question::Proof(options),
        &Target {
            program: &compiled.program?,
            sources: &compiled.sources,
            covers: &|_| None,
        },
    );
    let wrong = match answer.verdict {
        Verdict::Proved | Verdict::Safe => !meant.passes,
        Verdict::Bug => meant.passes,
        Verdict::Inconclusive(_) => answer.summary.contains("internal"),
    };
    wrong.then_some(answer.summary)
}

fn all_mean_what_they_say(open: bool) {
    let first = number("WIDE_SEED", 1);
    for seed in first..first + number("WIDE", 60) {
        let meant = program(seed, open);
        let why = each_engine(&meant).or_else(|| match seed % 8 {
            0 => by_proof(&meant).map(|why| format!("a proof: {why}")),
            _ => None,
        });
        if let Some(why) = why {
            panic!("seed {seed}\n{}\n{why}", meant.text);
        }
    }
}

#[test]
fn known_numbers_of_any_width_mean_the_same_to_each_engine() {
    all_mean_what_they_say(false);
}

#[test]
fn so_do_open_ones() {
    all_mean_what_they_say(true);
}

/// The product of the greatest `u64` with itself is 1 in 64 bits, and takes 128.
#[test]
fn the_product_of_the_greatest_numbers() {
    let most = i128::from(u64::MAX);
    let both = |declared: &str, assumed: &str, condition: &str| Meant {
        text: format!(
            "var x: u64{declared}; var r: u64 := 0;
             proc p() {{ await {condition}; r := x * x; }} proc main() {{ {assumed} post p(); }}"
        ),
        passes: condition.contains("=="),
        finals: vec![most, 1],
    };
    for (declared, assumed) in [
        (" := 18446744073709551615", ""),
        ("", "assume x >= 18446744073709551615;"),
    ] {
        for condition in ["x * x == 1", "x * x != 1"] {
            let meant = both(declared, assumed, condition);
            assert_eq!(each_engine(&meant), None, "{}", meant.text);
        }
    }
}

/// The answers of the solver and the explicit engine.
fn by_both(text: &str) -> [Answer; 2] {
    let compiled = compile("wide", text, &CheckOptions { preempt: None });
    let program = compiled.program.unwrap();
    [EngineChoice::Smt, EngineChoice::Explicit].map(|engine| {
        let options = VerifyOptions {
            engine,
            ..VerifyOptions::default()
        };
        engines::answer(&program, &compiled.sources, &options)
    })
}

/// A loop ends behind the greatest number that engines hold, as it does behind that of a type.
#[test]
fn loops_end_at_the_greatest_numbers() {
    for (from, to) in [
        ("9223372036854775806", "9223372036854775807"),
        ("i64(9223372036854775806)", "i64(9223372036854775807)"),
        ("u64(18446744073709551614)", "u64(18446744073709551615)"),
    ] {
        let text = format!(
            "var n: int := 0; proc main() {{ for q in {from}..{to} {{ n := n + 1; }} assert n == 2; }}"
        );
        for answer in by_both(&text) {
            assert_eq!(answer.word(), "safe", "{text}: {}", answer.summary);
        }
    }
}

/// If a number takes more bits than an engine holds, the engine claims nothing.
#[test]
fn numbers_that_no_engine_holds_are_named() {
    for text in [
        "var x: u64 := 18446744073709551615;
         proc p() { await int(x) * int(x) * int(x) > 5; assert false; } proc main() { post p(); }",
        "var n: int; proc p() { await n * n * n > 5; assert false; }
         proc main() { assume n > 5000000000000000000000; post p(); }",
        // The solver knows that `p` waits.
        "var x: 0..170141183460469231731687303715884105727 := 170141183460469231731687303715884105727;
         proc p() { await x == x + 1; } proc main() { post p(); yield; assert false; }",
    ] {
        for answer in by_both(text) {
            let words = &answer.summary;
            assert!(
                matches!(answer.verdict, Verdict::Inconclusive(_)),
                "{words}"
            );
            assert!(words.contains("bits"), "{words}");
            assert!(!words.contains("internal"), "{words}");
        }
    }
}
