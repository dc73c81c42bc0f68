//! Programs on C11's memory beside the definition: all executions of a small program, as graphs, with the axioms of RC11.

mod rc11;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use answer::{Answer, Verdict};
use ir::Value;
use options::{Buffered, ExploreOptions, Memory, Strategy};
use rc11::{Op, Outcome, outcomes};

const VARIABLES: [&str; 3] = ["x", "y", "z"];

/// The program in C. Each thread leaves what it has read behind.
fn text(threads: &[Vec<Op>]) -> String {
    let mut text =
        String::from("#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z;\n");
    for (t, ops) in threads.iter().enumerate() {
        let _ = write!(text, "int o{t}[8];\nvoid *t{t}(void *u) {{\n");
        let mut register = 0;
        for op in ops {
            let x = |x: usize| VARIABLES[x];
            let _ = match *op {
                Op::Write(to, value, order) => writeln!(
                    text,
                    "  atomic_store_explicit(&{}, {value}, memory_order_{});",
                    x(to),
                    order.name()
                ),
                Op::Read(from, order) => writeln!(
                    text,
                    "  int r{register} = atomic_load_explicit(&{}, memory_order_{});",
                    x(from),
                    order.name()
                ),
                Op::Exchange(at, value, order) => writeln!(
                    text,
                    "  int r{register} = atomic_exchange_explicit(&{}, {value}, memory_order_{});",
                    x(at),
                    order.name()
                ),
                Op::Compare(at, expected, value, order, failed) => writeln!(
                    text,
                    "  int r{register} = {expected}; atomic_compare_exchange_strong_explicit(&{}, &r{register}, {value}, memory_order_{}, memory_order_{});",
                    x(at),
                    order.name(),
                    failed.name()
                ),
                Op::Fence(order) => {
                    writeln!(
                        text,
                        "  atomic_thread_fence(memory_order_{});",
                        order.name()
                    )
                }
            };
            register += usize::from(op.reads());
        }
        for r in 0..register {
            let _ = writeln!(text, "  o{t}[{r}] = r{r};");
        }
        text += "  return 0;\n}\n";
    }
    text += "int main(void) {\n  x = 0; y = 0; z = 0;\n";
    for t in 0..threads.len() {
        let _ = writeln!(text, "  o{t}[0] = 0;");
    }
    for t in 0..threads.len() {
        let _ = writeln!(text, "  pthread_t p{t}; pthread_create(&p{t}, 0, t{t}, 0);");
    }
    for t in 0..threads.len() {
        let _ = writeln!(text, "  pthread_join(p{t}, 0);");
    }
    text + "}\n"
}

fn ask(text: &str, options: &ExploreOptions) -> (Answer, bool) {
    let asked = Buffered {
        memory: Memory::C11,
        buffer: 8,
    };
    let compiled = compile::compile_c("test.c", text, &c::Options::default()).under(asked);
    let program = compiled
        .program
        .unwrap_or_else(|| panic!("refused: {:?}\n{text}", compiled.diagnostics));
    let whole =
        (program.scope.weak.as_ref()).is_none_or(|weak| !weak.partial && weak.cut.is_none());
    (symbolic::explore(&program, options), whole)
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
fn found(threads: &[Vec<Op>], strategy: Strategy) -> (BTreeSet<Outcome>, bool) {
    let text = text(threads);
    let options = ExploreOptions {
        strategy,
        finals: true,
        ..ExploreOptions::default()
    };
    let (answer, whole) = ask(&text, &options);
    assert_eq!(answer.verdict, Verdict::Safe, "{text}");
    assert!(answer.exhaustive, "{}\n{text}", answer.summary);
    let finals = answer.finals.expect("final states");
    let flat = finals.iter().map(|state| {
        let mut all = Vec::new();
        state.iter().for_each(|v| numbers(v, &mut all));
        let (memory, read) = all.split_at(VARIABLES.len());
        let read = read.chunks(8).zip(threads);
        let read = read.map(|(own, ops)| own[..ops.iter().filter(|o| o.reads()).count()].to_vec());
        (memory.to_vec(), read.collect())
    });
    (flat.collect(), whole)
}

/// How many random programs are compared.
fn programs(ordinary: u64) -> u64 {
    std::env::var("PROGRAMS").map_or(ordinary, |n| n.parse().expect("a number"))
}

#[test]
fn random_programs_have_the_outcomes_of_the_axioms() {
    compare(rc11::random, programs(60));
}

#[test]
fn random_shapes_have_the_outcomes_of_the_axioms() {
    compare(rc11::shaped, programs(120));
}

fn compare(random: fn(u64) -> Vec<Vec<Op>>, count: u64) {
    let first = std::env::var("FIRST").map_or(0, |n| n.parse().expect("a number"));
    let (mut whole, mut less, mut strong) = (0, 0, 0);
    for seed in first..first + count {
        let threads = random(seed);
        let expected = outcomes(&threads);
        let (own, all) = found(&threads, Strategy::Stateful);
        let text = text(&threads);
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
            let (again, _) = found(&threads, Strategy::Dpor);
            assert_eq!(again, own, "{seed}\n{text}");
        }
    }
    eprintln!("{whole} whole, {strong} with a remark, of which {less} have fewer outcomes");
    assert!(whole > 0);
}

/// The bug that is found first, and whether the answer speaks of all executions.
fn verdict(text: &str, strategy: Strategy) -> (Option<ir::ErrorKind>, bool) {
    let options = ExploreOptions {
        strategy,
        ..ExploreOptions::default()
    };
    let (answer, whole) = ask(text, &options);
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
        let (bug, whole) = verdict(&text, Strategy::Stateful);
        eprintln!("{name}: {bug:?} {whole}");
        let expected = name.ends_with("_bug").then_some(ir::ErrorKind::Assertion);
        assert_eq!(bug, expected, "{name}");
    }
}
