//! Where an execution is: control as the program has it, values as terms.

use std::ops::Range;
use std::rc::Rc;

use base::source::Span;
use ir::{Await, Block, GlobalId, LocalId, Loop, ProcId, Program, StmtKind};
use smt::expr::Scope;
use smt::layout::Rows;
use smt::term::{Term, Terms};

use super::ordered::Past;
use super::path::Path;
use super::turn::Turn;

/// A configuration in which no task runs. It stands for all concrete ones whose variables fulfil the path.
#[derive(Clone)]
pub(super) struct State<'p> {
    /// The leaves of all globals.
    pub globals: Rc<Vec<Term>>,
    pub tasks: Vec<Rc<Task<'p>>>,
    /// How many tasks there have been, where they are numbered.
    pub posted: u32,
    /// The conditions that the variables fulfil.
    pub path: Path,
    /// Whose turn it is, unless every task may run that is not blocked.
    pub turn: Option<Turn>,
    /// The number of the next variable.
    pub next: u32,
    /// How often a value was chosen after the first segment.
    pub inputs: u32,
    /// The past accesses to tracked globals that a later access may race with.
    pub past: Rc<Vec<Past>>,
}

/// A task that is pending or running.
#[derive(Clone)]
pub(super) struct Task<'p> {
    /// Its number, in the order of posting. It means nothing if the program cannot tell tasks apart.
    pub number: u32,
    /// The way from the first task to this one: at each post, which of the parent's children comes next. It does not depend on
    /// the schedule.
    pub descent: Rc<[u32]>,
    /// How many tasks it has posted.
    pub posts: u32,
    /// Its frames, the running one last.
    pub frames: Vec<Frame<'p>>,
    /// The await that it is suspended at.
    pub at: Option<(&'p Await, Span)>,
    /// The outlook from where it rests, once that was asked for.
    pub rest: Option<Rc<Outlook>>,
}

/// What is known about a task from the place where it rests, whatever its values are.
pub(super) struct Outlook {
    /// The place in the program, as numbers.
    pub control: Box<[u32]>,
    /// The locals that the task does not read again: the index of the frame, and the leaves in it.
    pub dead: Vec<(usize, Range<usize>)>,
    /// For each global whether the task may read it.
    pub reads: Box<[bool]>,
    /// The globals that the task may read if it leaves the loop whose test comes next; `None` if these are not fewer.
    pub leaving: Option<Box<[bool]>>,
}

/// An activation of a procedure.
#[derive(Clone)]
pub(super) struct Frame<'p> {
    pub proc: ProcId,
    /// The leaves of its locals.
    pub locals: Vec<Term>,
    /// The rest of its work, the innermost part last.
    pub control: Vec<Control<'p>>,
    /// Where the caller wants the result.
    pub into: Option<LocalId>,
}

/// A part of the rest of a frame's work.
#[derive(Clone, Copy)]
pub(super) enum Control<'p> {
    /// The statements from an index on.
    Block(&'p Block, usize),
    /// A loop, and what comes next in it.
    Loop(&'p Loop, Phase, Turns),
}

/// The turns that a loop has taken.
#[derive(Clone, Copy, Default)]
pub(super) struct Turns {
    /// How often it has gone on though its condition was open.
    pub open: u32,
    /// How many open conditions the segment had met when the last turn began.
    pub forks: u32,
}

/// What comes next in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Pre,
    Test,
    /// `step`, once the body is done.
    Step,
}

impl<'p> State<'p> {
    /// Where a task waits.
    pub fn waits_at(&self, position: usize) -> Span {
        self.tasks[position]
            .at
            .map_or_else(Span::default, |(_, span)| span)
    }

    /// The first place in the text where a task waits.
    pub fn first_wait(&self) -> Span {
        let places = self.tasks.iter().filter_map(|t| t.at);
        places.map(|(_, span)| span).min().unwrap_or_default()
    }

    /// Returns the state after a segment; the task is pending again, if it is not done.
    pub fn rested(mut self, task: Option<Task<'p>>) -> Self {
        if let Some(turn) = &mut self.turn {
            if let Some(task) = &task {
                turn.queue.give(task.number, false, |_| false);
            }
            turn.queue.settle();
        }
        self.tasks.extend(task.map(Rc::new));
        self
    }
}

/// A place in the program, by its address in memory. A loop may have the same address as its first block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Address {
    /// A block, and which of its statements comes next.
    Block(usize, usize),
    /// A loop, and what comes next in it.
    Loop(usize, Phase),
    Await(usize),
}

impl Address {
    pub fn of_await(at: &Await) -> Self {
        Self::Await(std::ptr::from_ref(at) as usize)
    }
}

impl Control<'_> {
    pub fn address(&self) -> Address {
        match *self {
            Self::Block(block, next) => Address::Block(std::ptr::from_ref(block) as usize, next),
            Self::Loop(l, phase, _) => Address::Loop(std::ptr::from_ref(l) as usize, phase),
        }
    }
}

impl<'p> Frame<'p> {
    pub fn new(
        program: &'p Program,
        proc: ProcId,
        locals: Vec<Term>,
        into: Option<LocalId>,
    ) -> Self {
        Self {
            proc,
            locals,
            control: vec![Control::Block(&program.proc(proc).body, 0)],
            into,
        }
    }

    /// Drops the blocks that are done and goes to where a loop begins, so that a place in the program has one form.
    pub fn tidy(&mut self) {
        while let Some(last) = self.control.last_mut() {
            let begins = match *last {
                Control::Block(block, next) => match block.get(next).map(|stmt| &stmt.kind) {
                    None => None,
                    // A loop without a body may stand for what the front end does not follow.
                    Some(StmtKind::Loop(l)) if !l.body.is_empty() => {
                        *last = Control::Block(block, next + 1);
                        Some(l)
                    }
                    Some(_) => return,
                },
                Control::Loop(l, Phase::Step, turns) if l.step.is_empty() => {
                    *last = Control::Loop(l, Phase::Pre, turns);
                    return;
                }
                Control::Loop(..) => return,
            };
            match begins {
                None => {
                    self.control.pop();
                }
                Some(l) => {
                    self.control
                        .push(Control::Loop(l, Phase::Pre, Turns::default()));
                    return;
                }
            }
        }
    }
}

impl<'p> Task<'p> {
    /// A task with one frame.
    pub fn new(number: u32, descent: Rc<[u32]>, frame: Frame<'p>) -> Self {
        Self {
            number,
            descent,
            posts: 0,
            frames: vec![frame],
            at: None,
            rest: None,
        }
    }

    /// A posted task. One whose body begins with an await is pending there.
    pub fn posted(program: &'p Program, number: u32, descent: Rc<[u32]>, frame: Frame<'p>) -> Self {
        let proc = program.proc(frame.proc);
        let mut task = Self::new(number, descent, frame);
        if let Some(at) = proc.first_await() {
            task.frames[0].control = vec![Control::Block(&proc.body, 1)];
            task.at = Some((at, proc.body[0].span));
        }
        task.frames[0].tidy();
        task
    }

    pub fn top(&self) -> &Frame<'p> {
        self.frames.last().expect("a task has a frame")
    }

    /// The loop whose test comes next.
    pub fn tests(&self) -> Option<&'p Loop> {
        let next = self.frames.last()?.control.last();
        match *next? {
            _ if self.at.is_some() => None,
            Control::Loop(l, Phase::Pre, _) if l.pre.is_empty() => Some(l),
            Control::Loop(l, Phase::Test, _) => Some(l),
            _ => None,
        }
    }

    /// How often its loops have gone on though their conditions were open.
    pub fn turns(&self) -> impl Iterator<Item = u32> {
        let control = self.frames.iter().flat_map(|f| &f.control);
        control.filter_map(|c| match c {
            Control::Loop(_, _, turns) => Some(turns.open),
            Control::Block(..) => None,
        })
    }
}

/// What an expression of a task may look at.
pub(super) struct View<'a, 'p> {
    /// Where each variable's leaves are.
    pub rows: &'a Rows,
    /// The globals, the pending tasks and what is known.
    pub state: &'a State<'p>,
    /// The running frame of the task.
    pub frame: &'a Frame<'p>,
    /// The task whose expression it is.
    pub me: u32,
    /// The task that runs, if one does.
    pub running: u32,
    /// Whether what is known may simplify values; see [`Machine::knows`](super::machine::Machine::knows).
    pub knows: bool,
}

impl Scope for View<'_, '_> {
    fn global(&self, global: GlobalId) -> &[Term] {
        &self.state.globals[self.rows.global(global)]
    }

    fn local(&self, local: LocalId) -> &[Term] {
        &self.frame.locals[self.rows.local(self.frame.proc, local)]
    }

    fn knows(&self, terms: &Terms, term: Term) -> Option<bool> {
        self.state.path.knows(terms, term).filter(|_| self.knows)
    }

    fn me(&self) -> Option<u32> {
        Some(self.me)
    }

    fn finished(&self) -> Option<Vec<u32>> {
        let pending = |number: u32| self.state.tasks.iter().any(|t| t.number == number);
        let all = 1..=self.state.posted;
        Some(all.filter(|&t| t != self.running && !pending(t)).collect())
    }
}
