//! Figures that can be computed by hand.

use crate::explore_common::{answer, options};
use dbverify::answer::Counted;
use dbverify::options::{ExploreOptions, Scheduler, Strategy};

/// `tasks` tasks of so many segments each.
fn independent(tasks: usize, segments: usize) -> String {
    let body = "yield;\n".repeat(segments - 1);
    let posts = "post t();\n".repeat(tasks);
    format!("proc t() {{\nskip;\n{body}}}\nproc main() {{\n{posts}}}\n")
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

fn binomial(n: u64, k: u64) -> u64 {
    factorial(n) / factorial(k) / factorial(n - k)
}

fn check(text: &str, executions: u64, states: u64) {
    for strategy in [Strategy::Stateful, Strategy::Stateless] {
        let answer = answer(
            text,
            &ExploreOptions {
                strategy,
                reduction: false,
                ..options()
            },
        );
        assert_eq!(
            answer.count(Counted::Executions),
            Some(executions),
            "{strategy:?} {text}"
        );
        assert_eq!(
            answer.count(Counted::States),
            Some(states),
            "{strategy:?} {text}"
        );
    }
}

#[test]
fn two_tasks_of_n_segments() {
    for n in 1..=6u64 {
        let text = independent(2, n as usize);
        check(&text, binomial(2 * n, n), (n + 1) * (n + 1));
    }
}

#[test]
fn n_tasks_of_one_segment() {
    for n in 1..=7u64 {
        check(&independent(n as usize, 1), factorial(n), 1 << n);
    }
}

/// Equal tasks whose steps concern no other task: one path through the square is enough. All executions are counted.
#[test]
fn reduced_searches_count_all_executions() {
    for n in 1..=6u64 {
        let answer = answer(&independent(2, n as usize), &options());
        assert_eq!(answer.count(Counted::Executions), Some(binomial(2 * n, n)));
        assert_eq!(answer.count(Counted::States), Some(2 * n + 1));
    }
}

#[test]
fn a_program_without_tasks_has_one_state() {
    check("var x: 0..3 := 0;\nproc main() { x := 2; }", 1, 1);
}

#[test]
fn transitions_are_segments() {
    // Every state of the square has a step to the right and one upwards, except at the borders.
    for n in 1..=5u64 {
        let whole = ExploreOptions {
            reduction: false,
            ..options()
        };
        let answer = answer(&independent(2, n as usize), &whole);
        assert_eq!(answer.count(Counted::Transitions), Some(2 * n * (n + 1)));
    }
}

#[test]
fn choices_are_executions() {
    let text = "proc main() { var x: 0..4; var y: bool; if x == 2 { y := *; if y { yield; } } }";
    // Five values of x, two of y for one of them.
    for strategy in [Strategy::Stateful, Strategy::Stateless] {
        let answer = answer(
            text,
            &ExploreOptions {
                strategy,
                ..options()
            },
        );
        assert_eq!(answer.count(Counted::Executions), Some(6));
    }
}

#[test]
fn a_value_that_is_never_read_is_not_chosen() {
    let text = "proc main() { var flags: [64]bool; flags[3] := true; yield; assert flags[3]; }";
    let answer = answer(text, &options());
    assert_eq!(answer.count(Counted::Executions), Some(1));
}

#[test]
fn without_delays_there_is_one_execution() {
    for scheduler in [
        Scheduler::DepthFirst,
        Scheduler::ReverseDepthFirst,
        Scheduler::RoundRobin,
    ] {
        for delays in 0..3 {
            let options = ExploreOptions {
                scheduler,
                delays: Some(delays),
                strategy: Strategy::Stateless,
                ..options()
            };
            let answer = answer(&independent(4, 1), &options);
            let executions = answer.count(Counted::Executions).unwrap();
            match delays {
                0 => assert_eq!(executions, 1),
                // One delay at one of the four dispatches but the last: a task that is alone is not put off.
                1 => assert_eq!(executions, 1 + 3),
                _ => assert!(executions > 4),
            }
        }
    }
}

#[test]
fn bounded_preemptions_and_switches() {
    // Two tasks of three segments: by switches, main -> a -> b takes two, each change more costs one.
    let executions = |switches, preemptions| {
        let options = ExploreOptions {
            switches,
            preemptions,
            strategy: Strategy::Stateless,
            ..options()
        };
        answer(&independent(2, 3), &options)
            .count(Counted::Executions)
            .unwrap()
    };
    // Ways to cut two words of three letters into alternating blocks: 2, then 2 * 2 more with three blocks, ...
    assert_eq!(executions(Some(1), None), 0);
    assert_eq!(executions(Some(2), None), 2);
    assert_eq!(executions(Some(3), None), 2 + 4);
    assert_eq!(executions(Some(6), None), 20);
    assert_eq!(executions(None, Some(0)), 2);
    assert_eq!(executions(None, Some(1)), 2 + 4);
    assert_eq!(executions(None, Some(9)), 20);
}

#[test]
fn cyclic_state_spaces_end() {
    let text = "var b: bool := false;\nproc p() { b := !b; post p(); }\nproc main() { post p(); }";
    let answer = answer(text, &options());
    // The task is in the first place or in the second, by turns.
    assert_eq!(answer.count(Counted::States), Some(2));
    assert_eq!(answer.count(Counted::Executions), None);
}
