//! The sequential program against the machine: the same final states and the same bugs, on random programs.
//!
//! `SEQ_CROSS=N` runs N programs, `SEQ_SEED=S` begins with seed S; a program on which the two disagree is shrunk and printed.
//! `SEQ_WILD=N` runs N of the programs in which everything may occur.

use crate::common::agree::{Outcome, cases, compare};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::options::Scheduler;
use testing::random_program::{RandomProgram, random_program, rich_program, shrink, wild_program};

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(otherwise)
}

fn report(program: &RandomProgram, seed: u64, delays: u32, scheduler: Scheduler) -> ! {
    let disagrees =
        |p: &RandomProgram| matches!(compare(&p.text(), delays, scheduler), Outcome::Disagree(_));
    let small = shrink(program, disagrees).text();
    let Outcome::Disagree(why) = compare(&small, delays, scheduler) else {
        panic!("it disagreed before")
    };
    panic!("seed {seed}, {delays} delays, {scheduler:?}\n{small}\n{why}");
}

#[test]
fn random_programs_agree() {
    all_agree(random_program, number("SEQ_CROSS", 60));
}

#[test]
#[ignore = "asked for by SEQ_WILD until a long run has shown what it finds"]
fn they_agree_where_everything_may_occur() {
    all_agree(wild_program, number("SEQ_WILD", 20));
}

fn all_agree(make: impl Fn(u64) -> RandomProgram, count: u64) {
    let first = number("SEQ_SEED", 1);
    let mut unknown = 0;
    for seed in first..first + count {
        let program = make(seed);
        if std::env::var("SEQ_SHOW").is_ok() {
            println!("seed {seed}");
        }
        for (delays, scheduler) in cases() {
            match compare(&program.text(), delays, scheduler) {
                Outcome::Agree => {}
                Outcome::Unknown => unknown += 1,
                Outcome::Disagree(_) => report(&program, seed, delays, scheduler),
            }
        }
    }
    println!("{} comparisons, {unknown} of them too large", count * 6);
}

#[test]
fn random_programs_are_programs() {
    for seed in 1..500 {
        let text = match seed % 2 {
            0 => random_program(seed).text(),
            _ => rich_program(seed).text(),
        };
        let compiled = compile("random", &text, &CheckOptions { preempt: None });
        assert!(
            compiled.program.is_some(),
            "seed {seed}: {:?}\n{text}",
            compiled.diagnostics
        );
    }
}
