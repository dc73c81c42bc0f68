//! Traces a second: the families whose numbers of traces are known.
//!
//! `cargo bench --bench dpor`; one core is used. The six increments have 518,400 traces; of the published tools for C, GenMC
//! takes 5.6 s for them on one core of the machine on which this was first measured, Nidhugg about 35 s.

use dbverify::answer::{Answer, Counted};
use dbverify::check::CheckOptions;
use dbverify::ir::Program;
use dbverify::options::{ExploreOptions, Sought, Strategy};
use dbverify::symbolic::explore;
use divan::Bencher;

fn main() {
    divan::main();
}

fn program(head: &str, calls: impl IntoIterator<Item = String>) -> Program {
    let posts: String = (calls.into_iter())
        .map(|call| format!("post {call};\n"))
        .collect();
    let text = format!("preempt access;\n{head}\nproc main() {{\n{posts}}}\n");
    let compiled = dbverify::compile("bench.async", &text, &CheckOptions::default());
    compiled.program.expect("the program is right")
}

fn traces(answer: &Answer) -> u64 {
    answer.count(Counted::Executions).unwrap_or(0)
}

/// Follows every trace; says how many there must be.
fn follow(bencher: Bencher<'_, '_>, program: &Program, expected: u64, races: bool) {
    let options = ExploreOptions {
        strategy: Strategy::Dpor,
        sought: if races {
            Sought::Races
        } else {
            Sought::Failures
        },
        all: true,
        ..ExploreOptions::default()
    };
    bencher
        .counter(divan::counter::ItemsCount::new(expected))
        .bench_local(|| assert_eq!(traces(&explore(program, &options)), expected));
}

const INCREMENT: &str = "var x: int := 0;\nproc t() { x := x + 1; }";

/// Load and store: (n!)².
#[divan::bench(args = [4, 5, 6], sample_count = 3)]
fn increments(bencher: Bencher<'_, '_>, n: u64) {
    let program = program(INCREMENT, (0..n).map(|_| "t()".to_owned()));
    let factorial: u64 = (1..=n).product();
    follow(bencher, &program, factorial * factorial, false);
}

/// The same, looking for data races.
#[divan::bench(args = [4, 5], sample_count = 3)]
fn increments_with_races(bencher: Bencher<'_, '_>, n: u64) {
    let program = program(INCREMENT, (0..n).map(|_| "t()".to_owned()));
    let factorial: u64 = (1..=n).product();
    follow(bencher, &program, factorial * factorial, true);
}

/// n!
#[divan::bench(args = [6, 8], sample_count = 3)]
fn increments_under_a_mutex(bencher: Bencher<'_, '_>, n: u64) {
    let head = "use sync;\nvar m: Mutex;\nvar x: int := 0;\n\
        proc t() { m.lock(); x := x + 1; m.unlock(); }";
    let program = program(head, (0..n).map(|_| "t()".to_owned()));
    follow(bencher, &program, (1..=n).product(), false);
}

/// n!
#[divan::bench(args = [6, 8], sample_count = 3)]
fn writers(bencher: Bencher<'_, '_>, n: u64) {
    let head = "var x: int := 0;\nproc write(v: int) { x := v; }";
    let program = program(head, (0..n).map(|i| format!("write({i})")));
    follow(bencher, &program, (1..=n).product(), false);
}

/// 2ⁿ
#[divan::bench(args = [10, 14], sample_count = 3)]
fn readers_and_a_writer(bencher: Bencher<'_, '_>, n: u32) {
    let head = "var x: int := 0;\nproc read() { var seen: int := x; }\nproc write() { x := 1; }";
    let calls = (0..n).map(|_| "read()".to_owned());
    let program = program(head, calls.chain(["write()".to_owned()]));
    follow(bencher, &program, 1 << n, false);
}

/// 2ⁿ − 2
#[divan::bench(args = [7, 12], sample_count = 3)]
fn philosophers(bencher: Bencher<'_, '_>, n: usize) {
    let head = format!(
        "use sync;\nvar fork: [{n}]Mutex;\nproc eat(a: int, b: int) {{\n\
         fork[a].lock(); fork[b].lock(); fork[b].unlock(); fork[a].unlock(); }}"
    );
    let call = |i: usize| {
        let (a, b) = (i, (i + 1) % n);
        format!("eat({}, {})", a.min(b), a.max(b))
    };
    let program = program(&head, (0..n).map(call));
    follow(bencher, &program, (1 << n) - 2, false);
}
