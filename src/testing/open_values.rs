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
        // Of a local that is dead afterwards only its conditions are left.
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
