//! Programs small enough to enumerate: tasks of segments over a few variables.

use super::oracle::Probe;
use crate::dpor::{Accesses, Cell, Choices, Counter, Model, Outcome, Status};

/// What a segment waits for.
#[derive(Clone, Debug)]
pub enum Guard {
    /// All these variables have these values.
    All(Vec<(u8, i8)>),
    /// One of them has.
    Any(Vec<(u8, i8)>),
    /// The task's child of that number, if there is one, has finished.
    Join(u8),
    /// The counter is greater than zero; one is taken off.
    Take,
}

/// What a segment does.
#[derive(Clone, Debug)]
pub enum Op {
    Set(u8, i8),
    Add(u8, i8),
    Load(u8),
    /// Stores the accumulator and that much.
    Store(u8, i8),
    /// Skips the next unless the accumulator has that value.
    If(i8),
    /// Adds to an object's own variable: commutes with its like.
    Bump(u8, i8),
    /// Loads an object's own variable.
    Peek(u8),
    /// Adds one to the counter.
    Give,
    Choose(u32),
    Post(u8),
    Fail,
    Assume,
    Finish,
}

/// A part of a procedure between two points where it can be interrupted.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    pub guard: Option<Guard>,
    pub ops: Vec<Op>,
}

/// A program; task 0 runs the first procedure.
#[derive(Clone, Debug)]
pub struct Toy {
    pub vars: usize,
    pub procs: Vec<Vec<Segment>>,
    /// The variable that is a counter, if there is one.
    pub counter: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Task {
    proc: u8,
    pc: u8,
    acc: i8,
    gone: bool,
    finished: bool,
    children: Vec<u32>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub vars: Vec<i8>,
    counter: Counter,
    pub tasks: Vec<Task>,
}

impl Task {
    fn new(proc: u8, segments: &[Segment]) -> Self {
        Self {
            proc,
            pc: 0,
            acc: 0,
            gone: segments.is_empty(),
            finished: segments.is_empty(),
            children: Vec::new(),
        }
    }
}

impl Toy {
    fn segment(&self, task: &Task) -> &Segment {
        &self.procs[task.proc as usize][task.pc as usize]
    }

    fn read(&self, v: u8, accesses: &mut Accesses) {
        if self.counter == Some(v) {
            Counter::read(v.into(), accesses);
        } else {
            accesses.read(Cell::Memory(v.into()));
        }
    }

    fn write(&self, state: &mut State, v: u8, k: i8, accesses: &mut Accesses) {
        state.vars[v as usize] = k;
        if self.counter == Some(v) {
            state.counter.write(k.into(), v.into(), accesses);
        } else {
            accesses.write(Cell::Memory(v.into()));
        }
    }

    fn op(
        &self,
        state: &mut State,
        task: usize,
        op: &Op,
        choices: &mut Choices,
        accesses: &mut Accesses,
    ) {
        let cell = |v: u8| Cell::Memory(u64::from(v));
        match *op {
            Op::Set(v, k) => self.write(state, v, k, accesses),
            Op::Add(v, k) => {
                self.read(v, accesses);
                let sum = state.vars[v as usize].wrapping_add(k);
                self.write(state, v, sum, accesses);
            }
            Op::Load(v) => {
                self.read(v, accesses);
                state.tasks[task].acc = state.vars[v as usize];
            }
            Op::Store(v, k) => {
                let sum = state.tasks[task].acc.wrapping_add(k);
                self.write(state, v, sum, accesses);
            }
            Op::Give => {
                if let Some(v) = self.counter {
                    state.vars[v as usize] += 1;
                    state.counter.post(v.into(), accesses);
                }
            }
            Op::Bump(v, k) => {
                accesses.operation(1, 1 << 1);
                accesses.own(cell(v), false);
                accesses.own(cell(v), true);
                let var = &mut state.vars[v as usize];
                *var = var.wrapping_add(k);
            }
            Op::Peek(v) => {
                accesses.own(cell(v), false);
                state.tasks[task].acc = state.vars[v as usize];
            }
            Op::Choose(n) => state.tasks[task].acc = choices.choose(n) as i8,
            Op::Post(proc) => {
                let child = state.tasks.len() as u32;
                state.tasks[task].children.push(child);
                state
                    .tasks
                    .push(Task::new(proc, &self.procs[proc as usize]));
            }
            Op::If(_) | Op::Fail | Op::Assume | Op::Finish => {}
        }
    }
}

impl Model for &Toy {
    type State = State;

    fn start(&self) -> State {
        State {
            vars: vec![0; self.vars],
            counter: Counter::new(0),
            tasks: vec![Task::new(0, &self.procs[0])],
        }
    }

    fn tasks(&self, state: &State) -> u32 {
        state.tasks.len() as u32
    }

    fn status(&mut self, state: &State, task: u32) -> Status {
        let task = &state.tasks[task as usize];
        if task.gone {
            return Status::Gone;
        }
        let is = |&(v, k): &(u8, i8)| state.vars[v as usize] == k;
        let ready = match &self.segment(task).guard {
            None => true,
            Some(Guard::All(conditions)) => conditions.iter().all(is),
            Some(Guard::Any(conditions)) => conditions.iter().any(is),
            Some(Guard::Join(child)) => task
                .children
                .get(*child as usize)
                .is_none_or(|&c| state.tasks[c as usize].finished),
            Some(Guard::Take) => self.counter.is_none_or(|v| state.vars[v as usize] > 0),
        };
        if ready {
            Status::Ready
        } else {
            Status::Blocked
        }
    }

    fn guard(&mut self, state: &State, task: u32, cells: &mut Vec<Cell>) {
        let task = &state.tasks[task as usize];
        match &self.segment(task).guard {
            None => {}
            Some(Guard::All(conditions) | Guard::Any(conditions)) => {
                for &(v, _) in conditions {
                    if self.counter == Some(v) {
                        Counter::looked_at(v.into(), cells);
                    } else {
                        cells.push(Cell::Memory(v.into()));
                    }
                }
                cells.sort_unstable();
                cells.dedup();
            }
            Some(Guard::Take) => {
                if let Some(v) = self.counter {
                    state.counter.awaited(v.into(), cells);
                }
            }
            Some(Guard::Join(child)) => {
                cells.extend(
                    task.children
                        .get(*child as usize)
                        .map(|&c| Cell::Finished(c)),
                );
            }
        }
    }

    fn step(
        &mut self,
        state: &mut State,
        task: u32,
        choices: &mut Choices,
        accesses: &mut Accesses,
    ) -> Outcome {
        let at = task as usize;
        let segment = self.segment(&state.tasks[at]);
        let mut finish = false;
        if let (Some(Guard::Take), Some(v)) = (&segment.guard, self.counter) {
            state.vars[v as usize] -= 1;
            state.counter.take(v.into(), accesses);
        }
        let mut ops = segment.ops.iter();
        while let Some(op) = ops.next() {
            match op {
                Op::If(k) if state.tasks[at].acc != *k => {
                    ops.next();
                }
                Op::Fail | Op::Assume => {
                    state.tasks[at].gone = true;
                    return if matches!(op, Op::Fail) {
                        Outcome::Failed
                    } else {
                        Outcome::Dropped
                    };
                }
                Op::Finish => {
                    finish = true;
                    break;
                }
                op => self.op(state, at, op, choices, accesses),
            }
        }
        if segment.guard.is_none()
            && matches!(segment.ops[..], [Op::Load(_) | Op::Set(..) | Op::Store(..)])
        {
            accesses.promise_fixed();
        }
        let tasks = &mut state.tasks[at];
        tasks.pc += 1;
        if finish || tasks.pc as usize == self.procs[tasks.proc as usize].len() {
            tasks.gone = true;
            tasks.finished = true;
            accesses.write(Cell::Finished(task));
        }
        Outcome::Ran
    }
}

impl Probe for &Toy {
    fn values(&self, state: &State) -> Vec<i64> {
        state.vars.iter().map(|&v| v.into()).collect()
    }

    fn place(&self, state: &State, task: u32) -> (u32, u32, i64) {
        let task = &state.tasks[task as usize];
        (task.proc.into(), task.pc.into(), task.acc.into())
    }
}

/// A segment that waits for nothing.
pub fn run(ops: &[Op]) -> Segment {
    Segment {
        guard: None,
        ops: ops.to_vec(),
    }
}

/// A segment that waits.
pub fn wait(guard: Guard, ops: &[Op]) -> Segment {
    Segment {
        guard: Some(guard),
        ops: ops.to_vec(),
    }
}

/// A program whose first task posts all others in its only segment.
pub fn parallel(vars: usize, bodies: Vec<Vec<Segment>>) -> Toy {
    let posts = (1..=bodies.len())
        .map(|i| Op::Post(i as u8))
        .collect::<Vec<_>>();
    let mut procs = vec![vec![run(&posts)]];
    procs.extend(bodies);
    Toy {
        vars,
        procs,
        counter: None,
    }
}
