//! One worker against several, on random programs. In unit tests every batch with two states is shared.

use std::time::Duration;

use fastrand::Rng;

use super::*;
use answer::{Answer, Counted, Verdict};

/// A program of some tasks that do a few steps each: it has some thousand states.
fn text(rng: &mut Rng) -> String {
    const STEPS: [&str; 9] = [
        "x := (x + 1) % 4;",
        "y := x;",
        "if x == 2 { y := 3; }",
        "await x != 1;",
        "z := *;",
        "z := 0; if x == z { post p0(); }",
        "assert x + y + z < 8;",
        "{ let v = x; yield; x := (v + 1) % 4; }",
        "{ let w = y; yield; z := w % 3; yield; y := w; }",
    ];
    let mut text = "var x: 0..3 := 0; var y: 0..3 := 0; var z: 0..2 := 0;\n".to_owned();
    for number in 0..3 {
        // Only the later procedures post, and they post `p0`: so all executions end.
        let steps = STEPS.len() - usize::from(number == 0) * 4;
        let step = |_| STEPS[rng.usize(..steps)];
        let body: Vec<&str> = (0..3).map(step).collect();
        text += &format!("proc p{number}() {{ {} }}\n", body.join(" yield; "));
    }
    let posts: String = (0..rng.usize(3..6))
        .map(|_| format!("post p{}(); ", rng.usize(..3)))
        .collect();
    text += &format!("proc main() {{ {posts} }}\n");
    text
}

/// All that an answer says, but for what depends on the machine.
fn said(answer: &Answer) -> String {
    let all = [
        Counted::States,
        Counted::Transitions,
        Counted::Executions,
        Counted::Depth,
    ];
    let counts = all.map(|what| answer.count(what));
    let Answer {
        verdict,
        exhaustive,
        budget_spent,
        cut_by,
        summary,
        bugs,
        finals,
        coverage,
        notes,
        ..
    } = answer;
    format!(
        "{verdict:?} {counts:?} {exhaustive} {budget_spent} {cut_by:?} {summary} {bugs:?} {finals:?} {coverage:?} {notes:?}"
    )
}

fn random_options(rng: &mut Rng) -> ExploreOptions {
    let schedulers = [
        (Scheduler::Bag, None),
        (Scheduler::Bag, Some(rng.u32(..3))),
        (Scheduler::BoundedBag(2), None),
        (Scheduler::RoundRobin, Some(rng.u32(1..4))),
        (Scheduler::DepthFirst, Some(rng.u32(1..4))),
        (Scheduler::ReverseDepthFirst, Some(rng.u32(1..4))),
    ];
    let (scheduler, budget) = schedulers[rng.usize(..schedulers.len())];
    let bag = scheduler == Scheduler::Bag;
    let mut options = ExploreOptions {
        scheduler,
        delays: budget.filter(|_| !bag),
        preemptions: budget.filter(|_| bag),
        values: options::Values::Numbers,
        all: rng.bool(),
        finals: rng.bool(),
        shortest: rng.bool(),
        coverage: rng.bool(),
        reduction: rng.bool(),
        ..ExploreOptions::default()
    };
    match rng.u32(..6) {
        0 => options.max_steps = rng.u64(3..30),
        1 => options.work = Some(rng.u64(100..20_000)),
        2 => options.compact = Some(40),
        _ => {}
    }
    options
}

fn with(jobs: usize, options: &ExploreOptions) -> ExploreOptions {
    ExploreOptions {
        jobs,
        ..options.clone()
    }
}

/// Asks about programs with random options. Calls `ask` with those that have so many states that work is shared.
fn each(
    seeds: std::ops::Range<u64>,
    mut ask: impl FnMut(&Program, &ExploreOptions, &Answer, &mut Rng),
) {
    let mut shared = 0;
    for seed in seeds {
        let mut rng = Rng::with_seed(seed);
        let program = compile("jobs.async", &text(&mut rng));
        let mut options = random_options(&mut rng);
        // Larger programs take too long.
        let work = options.work.unwrap_or(60_000);
        let small = ExploreOptions {
            work: Some(work),
            ..options.clone()
        };
        if matches!(explore(&program, &small).verdict, Verdict::Inconclusive(_)) {
            options.work = Some(work);
        }
        let one = explore(&program, &options);
        if one.count(Counted::States) > Some(600) {
            shared += usize::from(options.work.is_none());
            ask(&program, &options, &one, &mut rng);
        }
    }
    assert!(shared > 10, "{shared} programs are large enough");
}

#[test]
fn several_workers_say_what_one_says() {
    each(0..60, |program, options, one, _| {
        for jobs in [2, 3, 4] {
            let many = explore(program, &with(jobs, options));
            assert_eq!(said(one), said(&many), "{jobs} workers, {options:?}");
        }
    });
}

#[test]
fn several_workers_exchange_numbers_alike() {
    let mut reduced = 0;
    for seed in 1..60 {
        let program = compile("jobs.async", &numbers::program(seed));
        let options = ExploreOptions {
            all: true,
            finals: seed % 2 == 0,
            work: None,
            ..ExploreOptions::default()
        };
        let one = explore(&program, &options);
        for jobs in [2, 3] {
            let many = explore(&program, &with(jobs, &options));
            assert_eq!(said(&one), said(&many), "seed {seed}, {jobs} workers");
        }
        let all = ExploreOptions {
            reduction: false,
            ..options
        };
        let whole = explore(&program, &all).count(Counted::States);
        reduced += u32::from(whole > one.count(Counted::States).map(|states| 2 * states));
    }
    assert!(reduced > 5, "{reduced}");
}

/// If a limit ends the search in the middle, less may be known, but nothing else.
#[test]
fn limits_in_the_middle_change_no_verdict() {
    each(1000..1080, |program, options, one, rng| {
        let mut options = with(rng.usize(2..5), options);
        match rng.bool() {
            true => options.limits.timeout = Duration::from_micros(rng.u64(..3000)),
            false => options.limits.memory = rng.u64(1 << 16..1 << 20),
        }
        let many = explore(program, &options);
        match many.verdict {
            Verdict::Inconclusive(_) => {}
            Verdict::Bug if !matches!(one.verdict, Verdict::Bug) => {
                assert!(
                    matches!(one.verdict, Verdict::Inconclusive(_)),
                    "{options:?}"
                );
            }
            Verdict::Bug => {
                let all: Vec<_> = one.bugs.iter().map(|bug| (bug.kind, bug.span)).collect();
                let known = |bug: &trace::Bug| all.contains(&(bug.kind, bug.span));
                assert!(!options.all || many.bugs.iter().all(known), "{options:?}");
            }
            _ => assert_eq!(many.verdict, one.verdict, "{options:?}"),
        }
    });
}
