//! Random programs of few steps over variables that have any value of a range: for engines whose values are terms.

use fastrand::Rng;

/// Makes such a program from a seed.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let tasks = rng.usize(1..=3);
    let mut text =
        "var n: 0..6; var m: 0..6; var i: 0..2; var x: 0..6 := 0; var a: [3]0..6 := [0; 3];\n"
            .to_owned();
    for task in 0..tasks {
        text += &format!("proc p{task}() {{ {} }}\n", block(&mut rng, 1));
    }
    let posts: String = (0..tasks).map(|task| format!("post p{task}(); ")).collect();
    let (before, after) = (block(&mut rng, 2), block(&mut rng, 2));
    text + &format!("proc main() {{ {before}{posts}{after}}}\n")
}

/// Tasks that use elements at open and at known indices. Which elements are the same decides which orders of tasks matter.
#[must_use]
pub fn elements(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = "var a: [3]0..2 := [0; 3]; var i: 0..2; var j: 0..2;\n".to_owned();
    let tasks = rng.usize(2..=3);
    for task in 0..tasks {
        let body: String = (0..rng.usize(1..=2)).map(|_| access(&mut rng)).collect();
        text += &format!("proc p{task}() {{ {body}}}\n");
    }
    let posts: String = (0..tasks).map(|task| format!("post p{task}(); ")).collect();
    text + &format!("proc main() {{ {posts}}}\n")
}

fn access(rng: &mut Rng) -> String {
    let place = ["i", "j", "0", "1", "2"][rng.usize(..5)];
    let k = rng.u8(1..3);
    match rng.usize(..9) {
        0 | 1 => format!("a[{place}] := {k}; "),
        2 => format!("await a[{place}] != {k}; "),
        3 => "yield; ".to_owned(),
        4 => format!("if * {{ assume i < {k}; }} "),
        5 => format!("assume {} != {k}; ", ["i", "j"][rng.usize(..2)]),
        6 => format!("assert {} != {k}; ", ["i", "j"][rng.usize(..2)]),
        _ => format!("assert a[{place}] != {k}; "),
    }
}

/// Tasks that reach the same state by ways of different lengths. What they post there fails in one order only.
#[must_use]
pub fn detours(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text =
        "var n: 0..2; var set: bool := false; var done: 0..2 := 0; var late: bool := false;
proc looks() { assert !late || n == 1; }
proc comes() { late := true; }
proc ends() { done := done + 1; if done == 2 { post looks(); post comes(); } }
"
        .to_owned();
    for task in 0..2 {
        let not = ["", "!"][rng.usize(..2)];
        let steps = "yield; ".repeat(rng.usize(1..=4));
        let body = match rng.usize(..3) {
            0 => "set := true; ".to_owned(),
            1 => format!("if {not}set {{ {steps}}} "),
            _ => format!("{steps}set := true; "),
        };
        text += &format!("proc p{task}() {{ {body}call ends(); }}\n");
    }
    text + "proc main() { post p0(); post p1(); }\n"
}

/// Tasks learn about values, and no task chooses a value again. Some executions know more about a value than others.
#[must_use]
pub fn narrowed(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = "var n: 0..6; var g: bool;\n".to_owned();
    let mut body = |posts: &str| {
        let mut body: String = (0..rng.usize(1..=3)).map(|_| learns(&mut rng)).collect();
        body.insert_str(0, posts);
        body
    };
    let (first, second) = (body(""), body("post first(); "));
    text += &format!("proc first() {{ {first}}}\n");
    text + &format!("proc main() {{ {second}}}\n")
}

fn learns(rng: &mut Rng) -> String {
    let k = rng.u8(0..=6);
    let not = ["", "!"][rng.usize(..2)];
    match rng.usize(..7) {
        0 => format!("if * {{ assume n > {k}; }} "),
        1 => format!("if * {{ assume n < {k}; }} "),
        2 => format!("assume {not}g; "),
        3 => format!("assert n != {k}; "),
        4 => format!("assert {not}g; "),
        _ => "yield; ".to_owned(),
    }
}

fn block(rng: &mut Rng, least: usize) -> String {
    let count = rng.usize(0..3) + usize::from(rng.usize(..least + 1) == 0);
    (0..count).map(|_| statement(rng)).collect()
}

fn statement(rng: &mut Rng) -> String {
    let (own, other, k) = (value(rng), value(rng), rng.u8(..7));
    let to = ["n", "m", "x", "x", "a[i]", "a[1]"][rng.usize(..6)];
    match rng.usize(..14) {
        0 | 1 => "yield; ".to_owned(),
        2 => format!("{to} := {own}; "),
        3 => format!("havoc {to}; "),
        4 => format!("if * {{ assume {own} < {other}; }} "),
        5 => format!("assume {} ; ", condition(rng)),
        6 => format!("await {}; ", condition(rng)),
        // The local is dead afterwards, so only the conditions on it are left.
        7 => format!("{{ var d: 0..6; havoc d; assume {own} < d; assume d < {other}; }} "),
        8 | 9 => {
            let (yes, no) = (value(rng), value(rng));
            let cond = condition(rng);
            format!("if {cond} {{ {to} := {yes}; }} else {{ {to} := {no}; }} ")
        }
        10 => format!("if {own} != 0 && {other} / {own} > {k} {{ assert {other} != {k}; }} "),
        _ => format!("assert {own} != {k}; "),
    }
}

fn value(rng: &mut Rng) -> &'static str {
    ["n", "m", "x", "i", "a[i]", "a[0]", "a[2]", "2"][rng.usize(..8)]
}

fn condition(rng: &mut Rng) -> String {
    let (own, other) = (value(rng), value(rng));
    let order = ["<", "<=", "==", "!=", ">"][rng.usize(..5)];
    match rng.usize(..3) {
        0 => format!("{own} {order} {other}"),
        _ => format!("{own} {order} {}", rng.u8(..7)),
    }
}
