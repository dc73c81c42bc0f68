//! Compares programs on C11's memory with the definition: all executions of a small program, as graphs with RC11's axioms.

mod herd;
mod rc11;
mod stale;

use std::collections::BTreeSet;

use answer::{Answer, Verdict};
use ir::Value;
use options::{Buffered, ExploreOptions, Memory, Sought, Strategy};
use rc11::executions;
use testing::litmus::{self, Op, Outcome};

use crate::{LEFT_OUT, Part};

fn ask(text: &str, memory: Memory, options: &ExploreOptions) -> (Answer, bool) {
    let asked = Buffered { memory, buffer: 8 };
    let compiled = compile::compile_c("test.c", text, &c::Options::default());
    let mut program = compiled
        .program
        .unwrap_or_else(|| panic!("refused: {:?}\n{text}", compiled.diagnostics));
    crate::run(&mut program, asked).unwrap_or_else(|(_, why)| panic!("{why}\n{text}"));
    let whole =
        (program.scope.weak.as_ref()).is_none_or(|weak| !weak.partial && weak.cut.is_none());
    // If the pass followed nothing, all executions are sequentially consistent, and races are looked for as always.
    let followed = (program.scope.weak.as_ref()).is_some_and(|weak| weak.followed);
    let sought = match followed || memory != Memory::C11 || options.finals {
        true => options.sought,
        false => Sought::Races,
    };
    let options = ExploreOptions {
        sought,
        ..options.clone()
    };
    (symbolic::explore(&program, &options), whole)
}

fn numbers(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Int(n) => out.push(u8::try_from(*n).expect("a small number")),
        Value::Array(all) => all.iter().for_each(|v| numbers(v, out)),
        Value::Record(all) => all.iter().for_each(|v| numbers(v, out)),
        other => panic!("a value {other:?}"),
    }
}

/// The final values of variables and of what was read; whether the answer claims that these are all.
fn found(threads: &[Vec<Op>], memory: Memory, strategy: Strategy) -> (BTreeSet<Outcome>, bool) {
    let text = litmus::program(threads, "");
    let options = ExploreOptions {
        strategy,
        finals: true,
        ..ExploreOptions::default()
    };
    let (answer, whole) = ask(&text, memory, &options);
    assert_eq!(answer.verdict, Verdict::Safe, "{text}");
    assert!(answer.exhaustive, "{}\n{text}", answer.summary);
    let finals = answer.finals.expect("final states");
    let flat = finals.iter().map(|state| {
        let mut all = Vec::new();
        state.iter().for_each(|v| numbers(v, &mut all));
        litmus::outcome(threads, &all)
    });
    (flat.collect(), whole)
}

/// Whether a race is found, and whether the answer speaks of all executions.
fn races(text: &str, strategy: Strategy) -> (bool, bool) {
    let (found, whole) = verdict(text, Memory::C11, strategy);
    assert!(
        matches!(found, None | Some(ir::ErrorKind::Race)),
        "{found:?} {text}"
    );
    (found.is_some(), whole)
}

#[test]
fn random_programs_race_as_the_axioms_say() {
    race_as_the_axioms_say(0);
}

/// The second half is a test of its own, so that both run beside each other.
#[test]
fn more_random_programs_race_as_the_axioms_say() {
    race_as_the_axioms_say(1);
}

fn race_as_the_axioms_say(half: u64) {
    let (mut racy, mut free, mut said) = (0, 0, 0);
    let seeds = first()..first() + programs(60);
    for seed in seeds.filter(|seed| seed / 2 % 2 == half) {
        let threads = litmus::guarded(seed);
        let text = litmus::program(&threads, "");
        let expected = executions(&threads);
        let (found, whole) = races(&text, Strategy::Stateful);
        assert!(
            expected.races || !found,
            "{seed}: a race that is none\n{text}"
        );
        assert!(
            found || !expected.races || !whole,
            "{seed}: a race is not found\n{text}"
        );
        if !found {
            let (own, whole) = found_of(&threads);
            assert!(own.is_subset(&expected.outcomes), "{seed}: {own:?}\n{text}");
            assert!(
                !whole || own == expected.outcomes,
                "{seed}: {own:?} {:?}\n{text}",
                expected.outcomes
            );
        }
        if seed % 4 == 0 {
            assert_eq!(races(&text, Strategy::Dpor).0, found, "{seed}\n{text}");
        }
        racy += u32::from(expected.races);
        free += u32::from(!expected.races);
        said += u32::from(!whole);
    }
    eprintln!("{racy} race, {free} do not, {said} with a remark");
}

fn found_of(threads: &[Vec<Op>]) -> (BTreeSet<Outcome>, bool) {
    found(threads, Memory::C11, Strategy::Stateful)
}

/// How many random programs are compared.
fn programs(ordinary: u64) -> u64 {
    std::env::var("PROGRAMS").map_or(ordinary, |n| n.parse().expect("a number"))
}

#[test]
fn random_programs_have_the_outcomes_of_the_axioms() {
    compare(|seed| litmus::random(seed, false), programs(40));
}

#[test]
fn random_shapes_have_the_outcomes_of_the_axioms() {
    compare(rc11::shaped, programs(80));
}

/// The seed of the first random program.
fn first() -> u64 {
    std::env::var("FIRST").map_or(0, |n| n.parse().expect("a number"))
}

fn compare(random: fn(u64) -> litmus::Threads, count: u64) {
    let first = first();
    let (mut whole, mut less, mut strong) = (0, 0, 0);
    for seed in first..first + count {
        let threads = random(seed);
        let expected = executions(&threads).outcomes;
        let (own, all) = found(&threads, Memory::C11, Strategy::Stateful);
        let text = litmus::program(&threads, "");
        assert!(
            own.is_subset(&expected),
            "{seed}: not of C11: {:?}\n{text}",
            own.difference(&expected).collect::<Vec<_>>()
        );
        if all {
            assert_eq!(
                own,
                expected,
                "{seed}: not found: {:?}\n{text}",
                expected.difference(&own).collect::<Vec<_>>()
            );
        }
        whole += u32::from(all);
        less += u32::from(own != expected);
        strong += u32::from(!all);
        if seed % 4 == 0 {
            let (again, _) = found(&threads, Memory::C11, Strategy::Dpor);
            assert_eq!(again, own, "{seed}\n{text}");
        }
    }
    eprintln!("{whole} whole, {strong} with a remark, of which {less} have fewer outcomes");
    assert!(whole > 0);
}

/// The bug that is found first, and whether the answer speaks of all executions.
fn verdict(text: &str, memory: Memory, strategy: Strategy) -> (Option<ir::ErrorKind>, bool) {
    let options = ExploreOptions {
        strategy,
        ..ExploreOptions::default()
    };
    let (answer, whole) = ask(text, memory, &options);
    (answer.bugs.first().map(|bug| bug.kind), whole)
}

#[test]
fn pairs_of_broken_and_repaired_programs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/memory");
    let mut paths: Vec<_> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let (bug, whole) = verdict(&text, Memory::C11, Strategy::Stateful);
        eprintln!("{name}: {bug:?} {whole}");
        assert_eq!(bug.is_some(), name.ends_with("_bug"), "{name}");
    }
}

/// The part to leave out, the memory, the threads, and the outcome that is only possible without the part.
type Mutant = (Part, Memory, &'static [&'static str], &'static str);

const SB: &str = "o0[0] == 0 && o1[0] == 0";
const MP: &str = "o1[0] == 1 && o1[1] == 0";
const MUTANTS: &[Mutant] = &[
    (
        Part::Drain,
        Memory::Tso,
        &[
            "W x 1; R 1 z; F sc; R 0 y",
            "W y 1; R 1 z; F sc; R 0 x",
            "W z 1",
        ],
        SB,
    ),
    (
        Part::Drain,
        Memory::Pso,
        &[
            "W x 1; R 1 z; X 2 w 1; R 0 y",
            "W y 1; R 1 z; F sc; R 0 x",
            "W z 1",
        ],
        SB,
    ),
    (
        Part::InOrder,
        Memory::Tso,
        &["W x 1; W y 1; R 0 z", "R 0 y; R 1 x; W z 1"],
        MP,
    ),
    (
        Part::Forward,
        Memory::Tso,
        &["W x 1; R 0 x; R 1 y", "W y 1; R 0 x"],
        "o0[0] == 0",
    ),
    (
        Part::Release,
        Memory::C11,
        &["W x 1; W y 1 rel", "R 0 y acq; R 1 x"],
        MP,
    ),
    (
        Part::Acquire,
        Memory::C11,
        &["W x 1; F rel; W y 1", "R 0 y acq; R 1 x"],
        MP,
    ),
    (Part::Coherence, Memory::C11, &["W x 1", "R 0 x; R 1 x"], MP),
    (
        Part::SeqCst,
        Memory::C11,
        &["W x 1; F sc; R 0 y", "W y 1; F sc; R 0 x"],
        SB,
    ),
];

#[test]
fn a_part_that_is_left_out_is_noticed() {
    for (part, memory, threads, fails) in MUTANTS {
        let threads: Vec<Vec<Op>> = threads.iter().map(|t| litmus::thread(t)).collect();
        let text = litmus::program(&threads, fails);
        let fails = || verdict(&text, *memory, Strategy::Stateful).0.is_some();
        assert!(!fails(), "{part:?}\n{text}");
        LEFT_OUT.set(Some(*part));
        assert!(fails(), "{part:?}\n{text}");
        LEFT_OUT.set(None);
    }
}

#[test]
fn a_race_is_not_found_without_what_looks_for_it() {
    for (part, threads) in [
        (
            Part::Race,
            ["W x 1 plain; W y 1 rel", "R 0 y acq; R 1 x plain"],
        ),
        (
            Part::Watch,
            ["R 0 x plain; W y 1", "R 0 y; S 0; W x 1 plain"],
        ),
        (Part::Watch, ["W x 1; W y 1", "R 0 y; S 0; R 1 x plain"]),
    ] {
        let threads = threads.map(litmus::thread);
        let text = litmus::program(&threads, "");
        let found = || races(&text, Strategy::Stateful).0;
        assert!(found(), "{part:?}\n{text}");
        LEFT_OUT.set(Some(part));
        assert!(!found(), "{part:?}\n{text}");
        LEFT_OUT.set(None);
    }
}

/// Operations of one thread that are seq_cst lose no execution, whatever other operations are. Those of two threads may.
#[test]
fn one_thread_alone_is_seq_cst() {
    for (threads, all) in [
        (
            ["W x 1; W y 1", "R 0 y sc; R 1 x; W y 2 sc; F sc; R 2 x sc"],
            true,
        ),
        (["W x 1 sc; W y 1", "R 0 y; W x 2 sc"], false),
    ] {
        let threads = threads.map(litmus::thread);
        let (own, whole) = found_of(&threads);
        assert_eq!(whole, all);
        assert_eq!(own == executions(&threads).outcomes, all);
    }
    let joined = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nvoid *w(void *a) { atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&y, 1, memory_order_relaxed); return 0; }\nint main() { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); assert(x == 1 && y == 1); }\n";
    let found = verdict(joined, Memory::C11, Strategy::Stateful);
    assert_eq!(found, (None, true));
}
