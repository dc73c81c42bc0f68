//! How long the explicit engine takes for the problems of `bench/spin`, at small sizes: `cargo bench --bench explore`.

use divan::Bencher;

use dbverify::check::CheckOptions;
use dbverify::options::{ExploreOptions, Scheduler};
use dbverify::symbolic::explore;

fn main() {
    divan::main();
}

/// A problem of some size.
fn problem(text: &str, tasks: usize, times: usize) -> ir::Program {
    let alone: Vec<_> = (0..tasks)
        .map(|k| format!("({k} == i || level[{k}] < l)"))
        .collect();
    let text = text
        .replace("@N@", &tasks.to_string())
        .replace("@L@", &times.to_string())
        .replace("@LEAST@", "2")
        .replace("@ALONE@", &format!("({})", alone.join(" && ")));
    let compiled = dbverify::compile("bench.async", &text, &CheckOptions::default());
    compiled.program.expect("the problems are programs")
}

fn run(bencher: Bencher<'_, '_>, text: &str, tasks: usize, times: usize, options: &ExploreOptions) {
    let program = problem(text, tasks, times);
    bencher.bench(|| explore(&program, options));
}

#[divan::bench(sample_count = 10)]
fn counter(bencher: Bencher<'_, '_>) {
    let text = include_str!("../bench/spin/counter.async");
    run(bencher, text, 4, 2, &ExploreOptions::default());
}

#[divan::bench(sample_count = 10)]
fn counter_with_delays(bencher: Bencher<'_, '_>) {
    let options = ExploreOptions {
        scheduler: Scheduler::DepthFirst,
        delays: Some(4),
        ..ExploreOptions::default()
    };
    run(
        bencher,
        include_str!("../bench/spin/counter.async"),
        4,
        2,
        &options,
    );
}

#[divan::bench(sample_count = 10)]
fn philosophers(bencher: Bencher<'_, '_>) {
    let text = include_str!("../bench/spin/philosophers.async");
    run(bencher, text, 7, 1, &ExploreOptions::default());
}

#[divan::bench(sample_count = 10)]
fn peterson(bencher: Bencher<'_, '_>) {
    let text = include_str!("../bench/spin/peterson.async");
    run(bencher, text, 4, 1, &ExploreOptions::default());
}
