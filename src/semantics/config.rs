//! Configurations: global values, pending tasks, the scheduler's object (Figure 2 of the paper).

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use base::source::Span;
use ir::{Await, Block, LocalId, Loop, ProcId, Program, Value};
use options::Scheduler;

use super::queue::Queue;

/// A configuration in which no task runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config<'p> {
    pub globals: Vec<Value>,
    /// The pending tasks by number.
    pub tasks: BTreeMap<u32, Task<'p>>,
    /// The scheduler's object over their numbers.
    pub queue: Queue,
    /// How many tasks have been posted so far, `main` included.
    pub posted: u32,
}

/// A pending task: a stack of frames, and what it waits for.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    /// Its frames, the running one last.
    pub frames: Vec<Frame<'p>>,
    /// The await that it is suspended at.
    pub at: Option<(&'p Await, Span)>,
}

/// An activation of a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame<'p> {
    pub proc: ProcId,
    pub locals: Vec<Value>,
    /// The rest of its work, the innermost part last.
    pub control: Vec<Control<'p>>,
    /// Where the caller wants the result.
    pub into: Option<LocalId>,
}

/// A part of the rest of a frame's work.
#[derive(Clone, Copy, Debug)]
pub enum Control<'p> {
    /// The statements from an index on.
    Block(&'p Block, usize),
    /// A loop, and what comes next in it.
    Loop(&'p Loop, Phase),
}

/// What comes next in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    Pre,
    Test,
    /// `step`; the body runs above.
    Step,
}

/// Returns the address of a piece of the program, as its identity.
fn place<T>(piece: &T) -> usize {
    std::ptr::from_ref(piece) as usize
}

impl Control<'_> {
    fn key(&self) -> (usize, usize, Option<Phase>) {
        match self {
            Self::Block(b, i) => (place(*b), *i, None),
            Self::Loop(l, p) => (place(*l), 0, Some(*p)),
        }
    }
}

impl PartialEq for Control<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Control<'_> {}

impl Hash for Control<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Task<'_> {
    fn key(&self) -> (&[Frame<'_>], Option<usize>) {
        (&self.frames, self.at.map(|(at, _)| place(at)))
    }
}

impl PartialEq for Task<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Task<'_> {}

impl Hash for Task<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl<'p> Frame<'p> {
    pub fn new(
        program: &'p Program,
        proc: ProcId,
        args: Vec<Value>,
        into: Option<LocalId>,
    ) -> Self {
        let p = program.proc(proc);
        let mut locals = args;
        locals.resize(p.locals.len(), Value::Any);
        let control = vec![Control::Block(&p.body, 0)];
        Self {
            proc,
            locals,
            control,
            into,
        }
    }

    /// Drops the blocks that are done, so that a place in the program has one form.
    pub fn tidy(&mut self) {
        while let Some(&Control::Block(block, next)) = self.control.last() {
            if next < block.len() {
                break;
            }
            self.control.pop();
        }
    }
}

impl<'p> Task<'p> {
    /// Makes a posted task. If its body begins with an await, the task is suspended at that await.
    pub fn posted(program: &'p Program, proc: ProcId, args: Vec<Value>) -> Self {
        let mut frame = Frame::new(program, proc, args, None);
        let proc = program.proc(proc);
        let at = proc.first_await().map(|at| {
            frame.control = vec![Control::Block(&proc.body, 1)];
            frame.tidy();
            (at, proc.body[0].span)
        });
        Self {
            frames: vec![frame],
            at,
        }
    }
}

impl Config<'_> {
    /// The configuration before anything has run.
    pub fn new(program: &Program, scheduler: Scheduler) -> Self {
        Self {
            globals: vec![Value::Any; program.globals.len()],
            tasks: BTreeMap::new(),
            queue: Queue::new(scheduler),
            posted: 1,
        }
    }

    /// Roughly how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        let globals: u64 = self.globals.iter().map(bytes).sum();
        let frame = |f: &Frame<'_>| {
            let locals: u64 = f.locals.iter().map(bytes).sum();
            locals + f.control.capacity() as u64 * 24 + 88
        };
        let frames = self.tasks.values().flat_map(|t| &t.frames);
        globals + frames.map(frame).sum::<u64>() + self.tasks.len() as u64 * 64 + 160
    }
}

/// Roughly how many bytes a value takes.
fn bytes(value: &Value) -> u64 {
    let own = size_of::<Value>() as u64;
    match value {
        Value::Record(parts) | Value::Array(parts) => own + parts.iter().map(bytes).sum::<u64>(),
        Value::Map(rest, entries) => {
            let entries = entries.iter().map(|(k, v)| bytes(k) + bytes(v));
            own + bytes(rest) + entries.sum::<u64>()
        }
        Value::Bool(_) | Value::Int(_) | Value::Task(_) | Value::Any => own,
    }
}
