//! The properties of the C fuzzer, for a few seconds and with fixed seeds: on programs with something changed, and on
//! tokens in any order.
//!
//! Longer on demand: `TEXTS=100000 cargo test --release --test all c_random::`.

use dbverify::stack::on_big_stack;
use fastrand::Rng;

const PROGRAM: &str = include_str!("../c/constructs.i");

/// How many texts each test tries.
fn texts(ordinary: u64) -> u64 {
    std::env::var("TEXTS").map_or(ordinary, |n| n.parse().expect("a number"))
}

/// The words and signs of the program.
fn words() -> Vec<&'static str> {
    let mut words: Vec<&str> = PROGRAM
        .split_inclusive(|c: char| !c.is_alphanumeric() && c != '_')
        .flat_map(|part| {
            let end = part
                .trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_')
                .len();
            [&part[..end], &part[end..]]
        })
        .filter(|word| !word.trim().is_empty())
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[test]
fn tokens_in_any_order() {
    let words = words();
    on_big_stack(|| {
        for seed in 0..texts(2_000) {
            let mut rng = Rng::with_seed(seed);
            let count = rng.usize(1..60);
            let text: Vec<&str> = (0..count)
                .map(|_| words[rng.usize(..words.len())])
                .collect();
            crate::properties::c(&text.join(" "));
            crate::properties::c(&format!("int main(void) {{ int x; {} }}", text.join(" ")));
        }
    });
}

#[test]
fn programs_with_something_changed() {
    let words = words();
    let lines: Vec<&str> = PROGRAM.lines().collect();
    on_big_stack(|| {
        for seed in 0..texts(1_000) {
            let mut rng = Rng::with_seed(seed);
            let mut lines = lines.clone();
            let changed = rng.usize(..lines.len());
            let mut parts: Vec<&str> = lines[changed].split(' ').collect();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(..parts.len());
                match rng.u8(..4) {
                    0 if parts.len() > 1 => {
                        parts.remove(at);
                    }
                    1 => parts.insert(at, words[rng.usize(..words.len())]),
                    2 => parts[at] = words[rng.usize(..words.len())],
                    _ => {
                        let other = rng.usize(..parts.len());
                        parts.swap(at, other);
                    }
                }
            }
            let line = parts.join(" ");
            lines[changed] = &line;
            if rng.bool() {
                lines.truncate(changed + 1);
            }
            crate::properties::c(&lines.join("\n"));
        }
    });
}
