//! The stateful search with its reductions against the same without: errors, deadlocks and final states are the same.
//!
//! `REDUCE=N` compares N random programs of each kind, `REDUCE_SEED=S` begins with seed S.

use answer::{Counted, NamedBound};
use std::path::Path;
use std::time::Duration;

use super::wild::{Answer, contradiction, number, said_reduced};
use super::*;
use testing::generate::{Features, program};
use testing::random_program::{shrink, wild_program};

const ALL: [Reduction; 3] = [
    Reduction {
        alone: true,
        multiset: false,
    },
    Reduction {
        alone: false,
        multiset: true,
    },
    Reduction {
        alone: true,
        multiset: true,
    },
];

fn options() -> ExploreOptions {
    let mut options = ExploreOptions {
        all: true,
        finals: true,
        work: Some(100_000),
        ..ExploreOptions::default()
    };
    options.limits.timeout = Duration::from_secs(5);
    options
}

/// The answer under the part of a reduction that is allowed.
fn said(program: &Program, wanted: Reduction) -> Result<Answer, String> {
    let options = options();
    said_reduced(program, &options, |shared| {
        let allowed = Reduction::allowed(shared, &options);
        Reduction {
            alone: wanted.alone && allowed.alone,
            multiset: wanted.multiset && allowed.multiset,
        }
    })
}

/// What a reduction changed in the answer.
fn difference(program: &Program) -> Option<String> {
    let whole = match said(program, Reduction::default()) {
        Ok(whole) => whole,
        Err(why) => return Some(why),
    };
    ALL.into_iter().find_map(|reduction| {
        let why = match said(program, reduction) {
            Ok(answer) => contradiction(&whole, &answer)?,
            Err(why) => why,
        };
        Some(format!("{reduction:?}\n{why}"))
    })
}

#[test]
fn wild_programs_have_the_same_answers() {
    let first = number("REDUCE_SEED").unwrap_or(1);
    for seed in first..first + number("REDUCE").unwrap_or(150) {
        let of = |text: &str| {
            let compiled = compile::compile("wild", text, &CheckOptions::default());
            compiled.program.and_then(|program| difference(&program))
        };
        let program = wild_program(seed);
        if of(&program.text()).is_some() {
            let small = shrink(&program, |p| of(&p.text()).is_some());
            panic!("seed {seed}\n{}\n{:?}", small.text(), of(&small.text()));
        }
    }
}

#[test]
fn random_programs_have_the_same_answers() {
    let first = number("REDUCE_SEED").unwrap_or(1);
    for seed in first..first + number("REDUCE").unwrap_or(300) {
        let features = Features {
            handles: seed % 5 == 1,
            choices: seed % 3 == 1,
            mode: [None, Some("statement"), Some("access")][usize::try_from(seed % 3).unwrap()],
            parts: seed % 4 == 1,
            waits: seed % 2 == 1,
        };
        let text = program(seed, features);
        let why = difference(&compile("random", &text));
        assert_eq!(why, None, "seed {seed}\n{text}");
    }
}

#[test]
fn examples_have_the_same_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/async-programs");
    let (mut compared, mut smaller) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let name = path.display().to_string();
        let compiled = compile::compile(&name, &text, &CheckOptions::default());
        let Some(program) = compiled.program else {
            continue;
        };
        assert_eq!(difference(&program), None, "{name}");
        compared += 1;
        let states = |reduction| {
            let options = ExploreOptions {
                reduction,
                ..options()
            };
            explore(&program, &options).count(Counted::States)
        };
        smaller += u32::from(states(true) != states(false));
    }
    println!("{compared} examples, {smaller} of them smaller");
    assert!(compared > 50 && smaller > 10, "{compared}, {smaller}");
}

#[test]
fn what_was_reduced_is_said() {
    // A philosopher who has both forks or none of them is alone with what he does next.
    let text = "\
const N := 5;
var fork: [N]bool;
proc philosopher(left: 0..N - 1, right: 0..N - 1) {
  await !fork[left] { fork[left] := true; }
  yield;
  yield;
  await !fork[right] { fork[right] := true; }
  yield;
  fork[left] := false;
  yield;
  fork[right] := false;
}
proc main() {
  fork := [false; _];
  for i in 0..N - 1 { post philosopher(i, (i + 1) % N); }
}
";
    let found = |reduction| {
        let options = ExploreOptions {
            reduction,
            ..options()
        };
        explore(&compile("philosophers", text), &options)
    };
    let (whole, reduced) = (found(false), found(true));
    assert_eq!(whole.verdict, reduced.verdict);
    assert!(reduced.bounds.contains(&NamedBound::Reduced));
    assert!(!whole.bounds.contains(&NamedBound::Reduced));
}
