//! A segment of a task, in every way in which it can go.
//!
//! Statements mean what `semantics` says. Where a condition is open, the run is copied *before* the statement, and each copy
//! executes it again on a path on which the condition is known.

use std::{ptr, slice};

use base::source::Span;
use explore::dpor::{Cell, Choices};
use ir::{
    Await, Block, ErrorKind, ExprId, Loop, LoopId, PreemptKind, Program, Stmt, StmtKind, TypeId,
    walk,
};
use machine::code::{Reached, is_written};
use machine::watch::Ordered;
use semantics::limits;
use smt::exec::Leaves;

use super::machine::Machine;
use super::mutants::Mutant;
use super::path::Path;
use super::races::Act;
use super::state::{Control, Frame, Phase, State, Task, Turns};

/// How a segment ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The task is done.
    Finished,
    /// It went back to the scheduler.
    Suspended,
    Fails(ErrorKind, Span),
    /// An assumption does not hold.
    Dropped,
    /// It turns out that the task was blocked.
    Blocked,
    /// A loop or recursion goes on beyond the bound.
    Cut(Span),
    /// It comes to where another way of the same segment has been.
    Met,
    /// It cannot be followed, for that reason.
    Refused(String, Span),
    /// A limit was hit.
    Halted,
}

/// A segment on its way.
#[derive(Clone)]
pub(super) struct Run<'p> {
    /// Everything but the running task.
    pub state: State<'p>,
    pub task: Task<'p>,
    /// Whether it did something visible.
    pub touched: bool,
    /// Whether the initial values are still being computed.
    pub begins: bool,
    /// How many open conditions it has met.
    pub forks: u32,
    /// Whether a step is repeated because a condition was open: if it tests a loop, that is an open turn.
    pub open_turn: bool,
    /// The outcomes of all tests, if they are wanted.
    pub tests: Option<Vec<bool>>,
    /// The outcomes that its tests must have, if they are given, the next one last.
    pub given: Option<Vec<bool>>,
    pub choices: Vec<(TypeId, Leaves)>,
    /// Its acts that matter for races, if these are looked for.
    pub acts: Vec<Act>,
    /// Whether it has done something that may order tasks.
    pub ordered: Ordered,
    /// Decides open conditions, if not both sides are followed.
    pub script: Option<Script>,
    /// Statements that may still be executed.
    fuel: u64,
}

/// The choices and touches of a run that goes one way.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    pub choices: Choices,
    /// Cells, and whether they were written.
    pub touched: Vec<(Cell, bool)>,
}

/// The cell of what is known of open values: a segment that learns something writes it.
pub(super) const KNOWN: Cell = Cell::Memory(u64::MAX - 1);

/// Why a statement was not executed.
pub(super) enum Stop {
    /// A condition is open: the paths on which it holds and does not.
    Open(Path, Path),
    End(End),
}

/// What follows a statement.
enum Next {
    On,
    Suspend,
}

/// How many statements a segment may have.
const FUEL: u64 = 50_000_000;
/// How many statements are executed between two looks at the clock.
const PULSE: u64 = 4096;
/// How much work a condition is that goes both ways: a segment may have very many of them.
const FORK: u64 = 16;

impl<'p> Run<'p> {
    /// Whether the run repeats a segment of the search; limits do not apply then.
    fn is_repeated(&self) -> bool {
        self.tests.is_some() || self.given.is_some()
    }

    pub fn new(state: State<'p>, mut task: Task<'p>) -> Self {
        task.rest = None;
        Self {
            state,
            task,
            touched: false,
            begins: false,
            forks: 0,
            open_turn: false,
            tests: None,
            given: None,
            choices: Vec::new(),
            acts: Vec::new(),
            ordered: Ordered::default(),
            script: None,
            fuel: FUEL,
        }
    }

    /// Goes on under a condition that not every value fulfils.
    pub fn learns(&mut self, path: Path) {
        self.state.path = path;
        if let Some(script) = &mut self.script
            && !Mutant::ChoicesCommute.is_on()
        {
            script.touched.push((KNOWN, true));
        }
    }

    /// Notes that a condition is open.
    pub fn finds_open(&mut self) {
        self.forks = self.forks.saturating_add(1);
        self.open_turn = true;
    }

    /// Whether both sides of an open condition are followed.
    fn follows_all(&self) -> bool {
        self.given.is_none() && self.script.is_none()
    }

    pub fn top(&self) -> &Frame<'p> {
        self.task.top()
    }

    pub fn top_mut(&mut self) -> &mut Frame<'p> {
        self.task
            .frames
            .last_mut()
            .expect("a running task has a frame")
    }

    fn span(&self, program: &Program) -> Span {
        (self.task.frames.last()).map_or_else(Span::default, |f| program.proc(f.proc).span)
    }
}

/// Ends the segment: it cannot be followed.
pub(super) fn refused<T>(reason: impl Into<String>, span: Span) -> Result<T, Stop> {
    Err(Stop::End(End::Refused(reason.into(), span)))
}

impl<'p> Machine<'p> {
    /// Runs a segment in every way; tells of each how it ends.
    pub fn segment(&mut self, run: Run<'p>, mut each: impl FnMut(&mut Self, End, Run<'p>)) {
        self.met.clear();
        let (mut next, mut open) = (Some(run), Vec::new());
        while let Some(mut run) = next.take().or_else(|| open.pop()) {
            let end = self.advance(&mut run, &mut open);
            if end == End::Suspended {
                run.task.frames.iter_mut().for_each(Frame::tidy);
            }
            each(self, end, run);
        }
    }

    /// Runs a segment in the one way that its script chooses.
    pub fn advance_alone(&mut self, run: &mut Run<'p>) -> End {
        let end = self.advance(run, &mut Vec::new());
        if end == End::Suspended {
            run.task.frames.iter_mut().for_each(Frame::tidy);
        }
        end
    }

    /// Runs up to where the task goes back to the scheduler.
    fn advance(&mut self, run: &mut Run<'p>, open: &mut Vec<Run<'p>>) -> End {
        loop {
            let (tests, touched) = (run.tests.as_ref().map_or(0, Vec::len), run.touched);
            let acts = run.acts.len();
            match self.step(run) {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(Stop::End(end)) => return end,
                Err(Stop::Open(yes, no)) => {
                    if !run.is_repeated() {
                        self.halt.spend(FORK);
                        if self.halt.reached().is_some() {
                            return End::Halted;
                        }
                    }
                    run.finds_open();
                    run.touched = touched;
                    run.acts.truncate(acts);
                    if let Some(all) = &mut run.tests {
                        all.truncate(tests);
                    }
                    let mut other = run.clone();
                    other.state.path = no;
                    open.push(other);
                    run.state.path = yes;
                }
            }
        }
    }

    /// Runs a statement or a part of a loop. If a condition in it is open, the caller runs it again on both paths.
    fn step(&mut self, run: &mut Run<'p>) -> Result<Option<End>, Stop> {
        run.fuel -= 1;
        if run.fuel == 0 {
            return refused(limits::ENDLESS, run.span(self.program));
        }
        if !run.is_repeated() && run.fuel.is_multiple_of(PULSE) && self.halt.reached().is_some() {
            return Err(Stop::End(End::Halted));
        }
        if let Some((at, span)) = run.task.at {
            self.pass(run, at, span)?;
            return Ok(None);
        }
        let Some(frame) = run.task.frames.last_mut() else {
            return Ok(Some(End::Finished));
        };
        match frame.control.last().copied() {
            None => {
                run.task.frames.pop();
                if run.begins && run.task.frames.len() == 1 {
                    (run.begins, run.touched) = (false, false);
                }
            }
            Some(Control::Loop(l, phase, turns)) => self.loop_turn(run, l, phase, turns)?,
            Some(Control::Block(block, next)) => {
                let Some(stmt) = block.get(next) else {
                    frame.control.pop();
                    return Ok(None);
                };
                if let Next::Suspend = self.stmt(run, stmt)? {
                    return Ok(Some(End::Suspended));
                }
                run.open_turn = false;
            }
        }
        Ok(None)
    }

    /// Goes behind the statement that is executed.
    pub fn done(run: &mut Run<'p>) {
        if let Some(Control::Block(_, next)) = run.top_mut().control.last_mut() {
            *next += 1;
        }
    }

    fn loop_turn(
        &mut self,
        run: &mut Run<'p>,
        l: &'p Loop,
        phase: Phase,
        mut turns: Turns,
    ) -> Result<(), Stop> {
        let (next, part) = match phase {
            Phase::Pre => {
                let forks = std::mem::replace(&mut turns.forks, run.forks);
                let open = turns.open > 0 || run.forks != forks;
                if open && run.follows_all() && self.meets(run) {
                    return Err(Stop::End(End::Met));
                }
                (Phase::Test, &l.pre)
            }
            Phase::Step => (Phase::Pre, &l.step),
            Phase::Test => {
                let span = self.loop_span(run.top().proc, l);
                let holds = self.truth(run, l.cond, span)?;
                turns.open += u32::from(std::mem::take(&mut run.open_turn));
                if !holds {
                    run.top_mut().control.pop();
                    return Ok(());
                }
                if turns.open > self.turns && run.given.is_none() {
                    return Err(Stop::End(End::Cut(span)));
                }
                (Phase::Step, &l.body)
            }
        };
        let control = &mut run.top_mut().control;
        control.pop();
        control.push(Control::Loop(l, next, turns));
        control.push(Control::Block(part, 0));
        Ok(())
    }

    fn branch(
        &mut self,
        run: &mut Run<'p>,
        stmt: &Stmt,
        cond: ExprId,
        [yes, no]: [&'p Block; 2],
    ) -> Result<(), Stop> {
        let holds = self.truth(run, cond, stmt.span)?;
        let (way, other) = if holds { (yes, no) } else { (no, yes) };
        if run.open_turn {
            self.goes_on(run, stmt, other)?;
        }
        Self::inside(run, way);
        Ok(())
    }

    /// Counts an open turn of the loop around a statement, if the statement is the loop's test and stays in the loop. The test of
    /// a loop of C is the first statement of its body that may leave the loop.
    fn goes_on(&mut self, run: &mut Run<'p>, stmt: &Stmt, other: &Block) -> Result<(), Stop> {
        let repeats = run.given.is_some();
        let frame = run.top_mut();
        let proc = frame.proc;
        let [.., Control::Loop(l, _, turns), Control::Block(block, _)] = &mut frame.control[..]
        else {
            return Ok(());
        };
        let l: &Loop = l;
        let leaves = |s: &Stmt| matches!(s.kind, StmtKind::Break(id) if id == l.id);
        let mut exits = block
            .iter()
            .filter(|s| walk::any(slice::from_ref(*s), leaves));
        let is_test = exits.next().is_some_and(|first| ptr::eq(first, stmt));
        if !is_test || !ptr::eq(*block, &raw const l.body) || !walk::any(other, leaves) {
            return Ok(());
        }
        turns.open += 1;
        if turns.open > self.turns && !repeats {
            return Err(Stop::End(End::Cut(self.loop_span(proc, l))));
        }
        Ok(())
    }

    fn stmt(&mut self, run: &mut Run<'p>, stmt: &'p Stmt) -> Result<Next, Stop> {
        let span = stmt.span;
        if self.covers && is_written(self.program, stmt) {
            self.comes_to(run, Reached::Statement, span);
        }
        match &stmt.kind {
            StmtKind::Assign(to, e) => {
                let value = self.value(run, *e, span)?;
                self.set(run, to, &value, span)?;
            }
            StmtKind::Havoc(to, _) => self.havoc(run, to, span)?,
            StmtKind::Assume(e) => {
                self.assume(run, *e, span)?;
                self.comes_to(run, Reached::Past, span);
            }
            StmtKind::Check(kind, e, _) => {
                self.comes_to(run, Reached::Check, span);
                self.check(run, *kind, *e, span)?;
            }
            StmtKind::If(cond, yes, no) => {
                self.branch(run, stmt, *cond, [yes, no])?;
                return Ok(Next::On);
            }
            StmtKind::Loop(l) => {
                self.enter(run, l, span)?;
                return Ok(Next::On);
            }
            StmtKind::Break(id) | StmtKind::Continue(id) => {
                leave(run, *id, matches!(stmt.kind, StmtKind::Break(_)));
                return Ok(Next::On);
            }
            StmtKind::Return(e) => {
                self.ret(run, *e, span)?;
                return Ok(Next::On);
            }
            StmtKind::Call(into, proc, args) => {
                return self.call(run, *into, *proc, args, span).map(|()| Next::On);
            }
            StmtKind::Post(into, proc, args) => {
                self.comes_to(run, Reached::Post, span);
                self.post(run, *into, *proc, args, span)?;
            }
            StmtKind::Preempt(PreemptKind::Implicit) if !run.touched => {}
            StmtKind::Preempt(_) => {
                Self::done(run);
                return Ok(Next::Suspend);
            }
            StmtKind::Await(at) => {
                Self::done(run);
                run.task.at = Some((at, span));
                return Ok(Next::Suspend);
            }
            StmtKind::Atomic(_, block) => {
                Self::inside(run, block);
                return Ok(Next::On);
            }
            StmtKind::Mark(..) => {}
        }
        Self::done(run);
        Ok(Next::On)
    }

    /// Goes on with the statements of a block.
    fn inside(run: &mut Run<'p>, block: &'p Block) {
        Self::done(run);
        run.top_mut().control.push(Control::Block(block, 0));
    }

    /// Begins a loop, unless it is a place beyond which the front end follows nothing.
    fn enter(&self, run: &mut Run<'p>, l: &'p Loop, span: Span) -> Result<(), Stop> {
        let cut = self.program.scope.cut_at(span);
        if let Some(why) = cut.filter(|_| l.body.is_empty()) {
            return refused(why, span);
        }
        Self::done(run);
        let turns = Turns {
            open: 0,
            forks: run.forks,
        };
        let begin = Control::Loop(l, Phase::Pre, turns);
        run.top_mut().control.push(begin);
        Ok(())
    }

    /// A dispatched await: its checks, its condition and its body are one step.
    fn pass(&mut self, run: &mut Run<'p>, at: &'p Await, span: Span) -> Result<(), Stop> {
        for check in &at.checks {
            if let StmtKind::Check(kind, e, _) = &check.kind {
                self.check(run, *kind, *e, check.span)?;
            }
        }
        if Mutant::NobodyFindsOutThatItWaits.is_on() && run.script.is_some() {
            self.assume(run, at.cond, span)?;
        } else if !self.truth(run, at.cond, span)? {
            return Err(Stop::End(End::Blocked));
        }
        if at.kind != ir::AwaitKind::Turn {
            self.comes_to(run, Reached::Past, span);
        }
        run.task.at = None;
        (run.touched, run.open_turn) = (true, false);
        run.top_mut().control.push(Control::Block(&at.body, 0));
        Ok(())
    }
}

/// Leaves a loop by `break`, or goes back to its next turn by `continue`.
fn leave(run: &mut Run<'_>, id: LoopId, with_loop: bool) {
    let control = &mut run.top_mut().control;
    while let Some(inner) = control.pop() {
        if let Control::Loop(l, ..) = inner
            && l.id == id
        {
            if !with_loop {
                control.push(inner);
            }
            return;
        }
    }
}
