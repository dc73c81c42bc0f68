//! Programs that a simpler reduction gets wrong.

use super::random::compare;
use super::toy::{Guard, Op, parallel, run, wait};

/// When `x` is reset before `y` is set, the waiting task can only come between if the reset of `y`, too, is left out.
#[test]
fn a_condition_that_another_write_would_break_again() {
    let both = Guard::All(vec![(0, 1), (1, 1)]);
    let toy = parallel(
        2,
        vec![
            vec![run(&[Op::Set(0, 1)])],
            vec![run(&[Op::Set(0, 0)])],
            vec![run(&[Op::Set(1, 1)]), run(&[Op::Set(1, 0)])],
            vec![wait(both, &[])],
        ],
    );
    assert!(compare(&toy, 100_000).is_some());
}

/// A task that waits at the end was enabled in between.
#[test]
fn a_chance_that_nobody_took() {
    let toy = parallel(
        1,
        vec![
            vec![run(&[Op::Set(0, 1)])],
            vec![run(&[Op::Set(0, 2)])],
            vec![wait(Guard::All(vec![(0, 1)]), &[])],
        ],
    );
    assert_eq!(compare(&toy, 1000), Some(3));
}

/// Only one of two choices touches what another task writes.
#[test]
fn a_race_of_one_choice() {
    let toy = parallel(
        1,
        vec![
            vec![run(&[Op::Set(0, 1)])],
            vec![run(&[Op::Choose(2), Op::If(1), Op::Load(0)])],
        ],
    );
    assert_eq!(compare(&toy, 1000), Some(3));
}

/// A step fails only because of what another did before it failed itself: that is no failure.
#[test]
fn a_failure_after_a_failure() {
    let toy = parallel(
        1,
        vec![
            vec![run(&[Op::Set(0, 1)]), run(&[Op::Fail])],
            vec![run(&[Op::Load(0)]), run(&[Op::If(0), Op::Fail])],
        ],
    );
    assert_eq!(compare(&toy, 1000), Some(2));
}

/// Handles differ when posts are swapped; the traces do not.
#[test]
fn tasks_that_post() {
    let mut toy = parallel(
        3,
        vec![vec![run(&[Op::Post(3)])], vec![run(&[Op::Post(4)])]],
    );
    toy.procs.push(vec![run(&[Op::Set(0, 1)])]);
    toy.procs.push(vec![run(&[Op::Set(1, 1)])]);
    assert_eq!(compare(&toy, 1000), Some(1));
}
