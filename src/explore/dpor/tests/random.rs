//! Random programs: exactly one execution of each trace, none in vain, the same ends, deadlocks and failures.

use fastrand::Rng;

use super::oracle;
use super::toy::{Guard, Op, Segment, Toy};

/// How programs are made.
#[derive(Clone, Copy)]
struct Shape {
    vars: u8,
    tasks: u8,
    segments: usize,
    ops: usize,
    /// How many of ten segments wait.
    waits: u8,
    /// How many variables a condition has at most.
    wide: usize,
    /// Whether tasks post others, choose, fail and are dropped.
    rich: bool,
    /// Whether the last variable is an object's own, touched by operations that commute.
    object: bool,
    /// Whether the last variable is a counter. The number says how many of ten accesses to variables may be to it, too.
    counter: Option<u8>,
}

fn op(rng: &mut Rng, shape: Shape) -> Op {
    let apart = match shape.counter {
        Some(often) => rng.u8(0..10) >= often,
        None => shape.object,
    };
    let v = rng.u8(0..shape.vars - u8::from(apart));
    let k = rng.i8(0..2);
    match rng.u8(0..if shape.rich { 16 } else { 8 }) {
        0..=2 => Op::Set(v, k),
        3 => Op::Add(v, 1),
        4..=5 => Op::Load(v),
        6 => Op::Store(v, k),
        7 => Op::If(k),
        8..=9 => Op::Choose(rng.u32(2..4)),
        10..=12 => Op::Load(v),
        13 => Op::Fail,
        14 => Op::Assume,
        _ => Op::Finish,
    }
}

fn guard(rng: &mut Rng, shape: Shape) -> Guard {
    if shape.rich && rng.u8(0..4) == 0 {
        return Guard::Join(rng.u8(0..2));
    }
    if shape.counter.is_some() && rng.u8(0..4) > 0 {
        return Guard::Take;
    }
    let n = rng.usize(1..=shape.wide);
    let conditions = (0..n)
        .map(|_| (rng.u8(0..shape.vars), rng.i8(0..2)))
        .collect();
    if rng.bool() {
        Guard::All(conditions)
    } else {
        Guard::Any(conditions)
    }
}

fn segment(rng: &mut Rng, shape: Shape) -> Segment {
    let mut ops = Vec::new();
    if shape.object && rng.bool() {
        let v = shape.vars - 1;
        let bump = Op::Bump(v, rng.i8(1..3));
        ops.push(if rng.u8(0..3) == 0 { Op::Peek(v) } else { bump });
    }
    let gives = shape.counter.is_some() && rng.bool();
    if gives {
        ops.push(Op::Give);
    }
    for _ in 0..rng.usize(usize::from(!gives)..=shape.ops) {
        let op = op(rng, shape);
        // What ends a task stands under a condition, mostly.
        if matches!(op, Op::Fail | Op::Assume | Op::Finish) && rng.u8(0..4) > 0 {
            ops.push(Op::If(rng.i8(0..2)));
        }
        ops.push(op);
    }
    Segment {
        guard: (rng.u8(0..10) < shape.waits).then(|| guard(rng, shape)),
        ops,
    }
}

fn program(rng: &mut Rng, shape: Shape) -> Toy {
    let children = if shape.rich { rng.u8(0..=2) } else { 0 };
    let mut procs: Vec<Vec<Segment>> = (0..=shape.tasks + children)
        .map(|_| {
            (0..rng.usize(1..=shape.segments))
                .map(|_| segment(rng, shape))
                .collect()
        })
        .collect();
    procs[0] = vec![super::toy::run(
        &(1..=shape.tasks).map(Op::Post).collect::<Vec<_>>(),
    )];
    for child in 0..children {
        let parent = rng.usize(1..=shape.tasks as usize);
        let at = rng.usize(0..procs[parent].len());
        procs[parent][at]
            .ops
            .insert(0, Op::Post(shape.tasks + 1 + child));
    }
    Toy {
        vars: shape.vars as usize,
        procs,
        counter: shape.counter.map(|_| shape.vars - 1),
    }
}

/// Compares. Returns how many traces there are, or none if there is too much to enumerate.
pub(super) fn compare(toy: &Toy, limit: u64) -> Option<usize> {
    oracle::compare(&mut &*toy, toy, limit, toy)
}

fn campaign(seeds: std::ops::Range<u64>, limit: u64, shape: Shape) {
    let (mut compared, mut traces) = (0, 0);
    for seed in seeds {
        let toy = program(&mut Rng::with_seed(seed), shape);
        if let Some(n) = compare(&toy, limit) {
            compared += 1;
            traces += n;
        }
    }
    println!("{compared} programs, {traces} traces");
    assert!(compared > 20);
}

const PLAIN: Shape = Shape {
    vars: 2,
    tasks: 3,
    segments: 3,
    ops: 2,
    waits: 0,
    wide: 1,
    rich: false,
    object: false,
    counter: None,
};

/// How many programs of each kind; more with `DPOR_PROGRAMS`.
fn programs() -> u64 {
    std::env::var("DPOR_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(150)
}

#[test]
fn segments_of_several_accesses() {
    campaign(0..programs(), 20_000, PLAIN);
}

#[test]
fn conditions_of_one_variable() {
    let shape = Shape {
        waits: 4,
        tasks: 4,
        segments: 2,
        ..PLAIN
    };
    campaign(1_000_000..1_000_000 + programs(), 20_000, shape);
}

#[test]
fn conditions_of_several_variables() {
    let shape = Shape {
        waits: 4,
        wide: 3,
        vars: 3,
        tasks: 4,
        segments: 2,
        ..PLAIN
    };
    campaign(2_000_000..2_000_000 + programs(), 20_000, shape);
}

#[test]
fn long_tasks_and_conditions() {
    let shape = Shape {
        waits: 4,
        wide: 2,
        vars: 3,
        segments: 5,
        ops: 1,
        ..PLAIN
    };
    campaign(3_000_000..3_000_000 + programs(), 20_000, shape);
}

#[test]
fn everything_together() {
    let shape = Shape {
        waits: 3,
        wide: 2,
        rich: true,
        ..PLAIN
    };
    campaign(4_000_000..4_000_000 + programs(), 20_000, shape);
}

#[test]
fn choices_that_decide_what_is_touched() {
    let shape = Shape {
        waits: 1,
        segments: 2,
        ops: 4,
        rich: true,
        ..PLAIN
    };
    campaign(6_000_000..6_000_000 + programs(), 20_000, shape);
}

#[test]
fn operations_that_commute() {
    let shape = Shape {
        waits: 4,
        wide: 2,
        tasks: 4,
        segments: 2,
        ops: 1,
        object: true,
        ..PLAIN
    };
    campaign(5_000_000..5_000_000 + programs(), 20_000, shape);
}

#[test]
fn counters() {
    let shape = Shape {
        waits: 5,
        wide: 2,
        tasks: 4,
        segments: 3,
        ops: 1,
        counter: Some(0),
        ..PLAIN
    };
    campaign(7_000_000..7_000_000 + programs(), 20_000, shape);
}

#[test]
fn counters_that_are_looked_at() {
    let shape = Shape {
        waits: 4,
        wide: 2,
        tasks: 4,
        segments: 2,
        rich: true,
        counter: Some(3),
        ..PLAIN
    };
    campaign(8_000_000..8_000_000 + programs(), 20_000, shape);
}
