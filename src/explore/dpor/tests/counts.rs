//! Programs whose numbers of traces are known.

use std::ops::ControlFlow;

use super::toy::{Guard, Op, Segment, Toy, parallel, run, wait};
use crate::dpor::{End, Observer, Path, Stats, explore};

struct Count;

impl Observer<&Toy> for Count {
    fn longest(&self) -> usize {
        1000
    }
    fn ended(&mut self, _: End, _: &Path<'_, &Toy>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn failed(&mut self, _: &Path<'_, &Toy>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn count(toy: &Toy) -> Stats {
    let stats = explore(&mut &*toy, &mut Count);
    assert_eq!((stats.asleep, stats.cut), (0, 0));
    stats
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

pub fn increments(n: usize) -> Toy {
    let body = vec![run(&[Op::Load(0)]), run(&[Op::Store(0, 1)])];
    parallel(1, vec![body; n])
}

fn lock(v: u8) -> Segment {
    wait(Guard::All(vec![(v, 0)]), &[Op::Set(v, 1)])
}

fn unlock(v: u8) -> Segment {
    run(&[Op::Set(v, 0)])
}

fn philosophers(n: usize, ordered: bool) -> Toy {
    let eater = |i: usize| {
        let (a, b) = (i as u8, ((i + 1) % n) as u8);
        let (a, b) = if ordered {
            (a.min(b), a.max(b))
        } else {
            (a, b)
        };
        vec![lock(a), lock(b), unlock(b), unlock(a)]
    };
    parallel(n, (0..n).map(eater).collect())
}

#[test]
fn writers_of_one_variable() {
    for n in 1..=6 {
        let toy = parallel(
            1,
            (0..n).map(|i| vec![run(&[Op::Set(0, i as i8)])]).collect(),
        );
        assert_eq!(count(&toy).complete, factorial(n));
    }
}

#[test]
fn writers_of_their_own() {
    let toy = parallel(100, (0..100).map(|i| vec![run(&[Op::Set(i, 1)])]).collect());
    assert_eq!(count(&toy).complete, 1);
}

#[test]
fn readers_and_a_writer() {
    for n in 0..=8 {
        let mut bodies = vec![vec![run(&[Op::Load(0)])]; n];
        bodies.push(vec![run(&[Op::Set(0, 1)])]);
        assert_eq!(count(&parallel(1, bodies)).complete, 1 << n);
    }
}

#[test]
fn increments_in_two_steps() {
    for (n, traces) in [(1, 1), (2, 4), (3, 36), (4, 576), (5, 14400)] {
        assert_eq!(count(&increments(n)).complete, traces);
    }
}

#[test]
fn increments_under_a_lock() {
    for n in 1..=6 {
        let body = vec![
            lock(0),
            run(&[Op::Load(1)]),
            run(&[Op::Store(1, 1)]),
            unlock(0),
        ];
        let stats = count(&parallel(2, vec![body; n]));
        assert_eq!((stats.complete, stats.deadlocks), (factorial(n as u64), 0));
    }
}

#[test]
fn philosophers_in_an_order() {
    for n in 3..=7 {
        let stats = count(&philosophers(n, true));
        assert_eq!((stats.complete, stats.deadlocks), ((1 << n) - 2, 0));
    }
}

#[test]
fn philosophers_in_a_circle() {
    for n in 3..=7 {
        let stats = count(&philosophers(n, false));
        assert_eq!((stats.complete, stats.deadlocks), ((1 << n) - 2, 1));
    }
}

#[test]
#[ignore = "long without optimization"]
fn six_increments() {
    let start = std::time::Instant::now();
    let stats = count(&increments(6));
    println!("{:?} {stats:?}", start.elapsed());
    assert_eq!(stats.complete, 518_400);
}
