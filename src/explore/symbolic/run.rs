//! A segment of a task, in every way in which it can go.
//!
//! Statements mean what `semantics` says. Where a condition is open, the run is copied *before* the statement, and each copy
//! executes it again on a path on which the condition is known.

use std::rc::Rc;

use crate::explore::code::{Reached, is_written};
use crate::explore::dpor::{Cell, Choices};
use crate::ir::{
    Await, BinaryOp, Block, Dialect, ErrorKind, ExprId, ExprKind, LocalId, Loop, LoopId, Place,
    PreemptKind, ProcId, Program, Root, Stmt, StmtKind, TypeId, text, walk,
};
use crate::semantics::limits;
use crate::smt::exec::{Leaves, Stop as NoTerm};
use crate::smt::expr::Eval;
use crate::smt::term::Term;
use crate::source::Span;

use super::machine::Machine;
use super::mutants::Mutant;
use super::oracle::Verdict;
use super::path::Path;
use super::races::{Act, Orderly};
use super::state::{Control, Frame, Phase, State, Task, View};
use super::touch::Look;

/// How a segment ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The task is done.
    Finished,
    /// It went back to the scheduler.
    Suspended,
    /// A check fails.
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
    /// The running task.
    pub task: Task<'p>,
    /// Whether it did something visible.
    pub touched: bool,
    /// Whether the initial values are still being computed.
    pub begins: bool,
    /// Whether a condition was open that it has met.
    pub forked: bool,
    /// Whether the loop's condition that is tested next was open.
    open_turn: bool,
    /// The outcomes of all tests, if they are wanted.
    pub tests: Option<Vec<bool>>,
    /// The outcomes that it must have, if they are given; the next last.
    pub given: Option<Vec<bool>>,
    /// What was chosen.
    pub choices: Vec<(TypeId, Leaves)>,
    /// What it has done that matters for races, if they are looked for.
    pub acts: Vec<Act>,
    /// What it has done that may order tasks.
    pub orderly: Orderly,
    /// Who says what open conditions come to, if that is nothing to follow both of.
    pub script: Option<Script>,
    /// Statements that may still be executed.
    fuel: u64,
}

/// What a run that goes one way chooses and touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    pub choices: Choices,
    /// Cells, and whether they were written.
    pub touched: Vec<(Cell, bool)>,
}

/// The cell of what is known of open values: who learns something writes it.
pub(super) const KNOWN: Cell = Cell::Memory(u64::MAX - 1);

/// What is known of a condition: that it holds or not, or the paths on which it does and does not.
enum Answered {
    Known(bool),
    Open(Path, Path),
}

/// Why a statement was not executed.
pub(super) enum Stop {
    /// A condition is open: the paths on which it holds and does not.
    Open(Path, Path),
    /// The segment ends.
    End(End),
}

/// What follows a statement.
enum Next {
    On,
    Suspend,
}

/// How many statements a segment may have.
const FUEL: u64 = 50_000_000;
/// How deep calls may nest.
const DEPTH: usize = 100_000;
/// So many statements are executed between two looks at the clock.
const PULSE: u64 = 4096;
/// So much work is a condition that goes both ways: there may be very many in one segment.
const FORK: u64 = 16;

impl<'p> Run<'p> {
    /// What was found before a limit is run again after it.
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
            forked: false,
            open_turn: false,
            tests: None,
            given: None,
            choices: Vec::new(),
            acts: Vec::new(),
            orderly: Orderly::default(),
            script: None,
            fuel: FUEL,
        }
    }

    /// Goes on under a condition that not every value fulfils.
    fn learns(&mut self, path: Path) {
        self.state.path = path;
        if let Some(script) = &mut self.script
            && !Mutant::ChoicesCommute.is_on()
        {
            script.touched.push((KNOWN, true));
        }
    }

    /// Whether both sides of an open condition are followed.
    fn follows_all(&self) -> bool {
        self.given.is_none() && self.script.is_none()
    }

    fn top(&self) -> &Frame<'p> {
        self.task.top()
    }

    fn top_mut(&mut self) -> &mut Frame<'p> {
        self.task
            .frames
            .last_mut()
            .expect("a running task has a frame")
    }

    fn span(&self, program: &Program) -> Span {
        (self.task.frames.last()).map_or_else(Span::default, |f| program.proc(f.proc).span)
    }
}

fn refused<T>(reason: impl Into<String>, span: Span) -> Result<T, Stop> {
    Err(Stop::End(End::Refused(reason.into(), span)))
}

impl<'p> Machine<'p> {
    /// Runs a segment in every way; tells of each how it ends.
    pub fn segment(&mut self, run: Run<'p>, mut each: impl FnMut(&mut Self, End, Run<'p>)) {
        self.met.clear();
        let mut open = vec![run];
        while let Some(mut run) = open.pop() {
            let end = self.advance(&mut run, &mut open);
            if end == End::Suspended {
                run.task.frames.iter_mut().for_each(Frame::tidy);
            }
            each(self, end, run);
        }
    }

    /// The one way that a script says.
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
                    run.forked = true;
                    run.open_turn = true;
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

    /// A statement, or a part of a loop. Nothing has happened if a condition turns out to be open.
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
    fn done(run: &mut Run<'p>) {
        if let Some(Control::Block(_, next)) = run.top_mut().control.last_mut() {
            *next += 1;
        }
    }

    fn loop_turn(
        &mut self,
        run: &mut Run<'p>,
        l: &'p Loop,
        phase: Phase,
        turns: u32,
    ) -> Result<(), Stop> {
        let (next, part, turns) = match phase {
            Phase::Pre => {
                if turns > 0 && run.follows_all() && self.meets(run) {
                    return Err(Stop::End(End::Met));
                }
                (Phase::Test, &l.pre, turns)
            }
            Phase::Step => (Phase::Pre, &l.step, turns),
            Phase::Test => {
                let span = self.loop_span(run.top().proc, l);
                let holds = self.truth(run, l.cond, span)?;
                let turns = turns + u32::from(std::mem::take(&mut run.open_turn));
                if !holds {
                    run.top_mut().control.pop();
                    return Ok(());
                }
                if turns > self.turns && run.given.is_none() {
                    return Err(Stop::End(End::Cut(span)));
                }
                (Phase::Step, &l.body, turns)
            }
        };
        let control = &mut run.top_mut().control;
        control.pop();
        control.push(Control::Loop(l, next, turns));
        control.push(Control::Block(part, 0));
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
                let holds = self.truth(run, *cond, span)?;
                Self::inside(run, if holds { yes } else { no });
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
            StmtKind::Atomic(block) => {
                Self::inside(run, block);
                return Ok(Next::On);
            }
            StmtKind::Mark(..) => {}
        }
        Self::done(run);
        Ok(Next::On)
    }

    fn havoc(&mut self, run: &mut Run<'p>, to: &'p Place, span: Span) -> Result<(), Stop> {
        let value = self.any(&mut run.state.next, to.ty);
        run.state.inputs += 1;
        self.set(run, to, &value, span)?;
        run.choices.push((to.ty, value));
        Ok(())
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
        let begin = Control::Loop(l, Phase::Pre, 0);
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
        self.comes_to(run, Reached::Past, span);
        run.task.at = None;
        (run.touched, run.open_turn) = (true, false);
        run.top_mut().control.push(Control::Block(&at.body, 0));
        Ok(())
    }

    fn assume(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<(), Stop> {
        if run.script.is_none() {
            let holds = self.truth(run, e, span)?;
            return holds.then_some(()).ok_or(Stop::End(End::Dropped));
        }
        self.looked(run, e, span)?;
        let condition = self.term(run, e, span)?[0];
        match self.asked(run, condition, e, span)? {
            Answered::Known(true) => Ok(()),
            Answered::Known(false) => Err(Stop::End(End::Dropped)),
            Answered::Open(yes, _) => {
                run.learns(yes);
                Ok(())
            }
        }
    }

    /// An open condition comes to what the script says.
    fn chosen(
        &mut self,
        run: &mut Run<'p>,
        condition: Term,
        about: ExprId,
        span: Span,
    ) -> Result<bool, Stop> {
        let (yes, no) = match self.asked(run, condition, about, span)? {
            Answered::Known(holds) => return Ok(holds),
            Answered::Open(yes, no) => (yes, no),
        };
        let script = run.script.as_mut();
        let holds = script.is_none_or(|s| s.choices.choose(2) == 0);
        (run.forked, run.open_turn) = (true, true);
        run.learns(if holds { yes } else { no });
        Ok(holds)
    }

    /// What is known of a condition. Who asks looks at what all have chosen.
    fn asked(
        &mut self,
        run: &mut Run<'p>,
        condition: Term,
        about: ExprId,
        span: Span,
    ) -> Result<Answered, Stop> {
        if let Some(known) = condition.known() {
            return Ok(Answered::Known(known));
        }
        if let Some(script) = &mut run.script
            && !Mutant::ChoicesCommute.is_on()
        {
            script.touched.push((KNOWN, false));
        }
        match self.oracle.decide(&self.terms, &run.state.path, condition) {
            Verdict::Known(holds) => Ok(Answered::Known(holds)),
            Verdict::Open(yes, no) => Ok(Answered::Open(yes, no)),
            Verdict::Unknown(reason) => self.undecided(run, &reason, about, span),
        }
    }

    /// Nobody says whether a condition can hold.
    fn undecided<T>(
        &self,
        run: &Run<'p>,
        reason: &str,
        about: ExprId,
        span: Span,
    ) -> Result<T, Stop> {
        let names = text::Names {
            program: self.program,
            proc: self.program.proc(run.top().proc),
            values: &[],
        };
        let words = text::expr(names, about);
        refused(format!("{reason}: `{words}`"), span)
    }

    fn check(
        &mut self,
        run: &mut Run<'p>,
        kind: ErrorKind,
        e: ExprId,
        span: Span,
    ) -> Result<(), Stop> {
        if self.truth(run, e, span)? {
            return Ok(());
        }
        Err(Stop::End(End::Fails(kind, span)))
    }

    /// An execution comes to a place.
    fn comes_to(&mut self, run: &Run<'p>, what: Reached, span: Span) {
        self.reached.insert((what, span, run.top().proc.0));
    }

    /// Whether a condition holds; the run stops where that is open.
    fn truth(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<bool, Stop> {
        self.looked(run, e, span)?;
        self.reads(run, e, span)?;
        let condition = self.term(run, e, span)?[0];
        self.decided(run, condition, e, span)
    }

    /// Whether a condition about an expression holds.
    fn decided(
        &mut self,
        run: &mut Run<'p>,
        condition: Term,
        about: ExprId,
        span: Span,
    ) -> Result<bool, Stop> {
        if let Some(given) = &mut run.given {
            let holds = given.pop().unwrap_or(true);
            let literal = if holds { condition } else { !condition };
            run.state.path = run.state.path.assuming(&self.terms, literal);
            return Ok(holds);
        }
        if run.script.is_some() {
            return self.chosen(run, condition, about, span);
        }
        match self.oracle.decide(&self.terms, &run.state.path, condition) {
            Verdict::Known(holds) => {
                run.tests.iter_mut().for_each(|tests| tests.push(holds));
                Ok(holds)
            }
            Verdict::Open(yes, no) => Err(Stop::Open(yes, no)),
            Verdict::Unknown(reason) => self.undecided(run, &reason, about, span),
        }
    }

    fn value(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<Leaves, Stop> {
        self.looked(run, e, span)?;
        self.reads(run, e, span)?;
        self.term(run, e, span)
    }

    /// An expression is computed: whether it looks at a global may depend on what is left out of it.
    fn looked(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<(), Stop> {
        self.note(run, |look| look.read(e));
        if run.touched || !self.interrupts || !self.looks.may(e) {
            return Ok(());
        }
        run.touched = self.looks.must(e) || {
            let looks = self.looking(run, e, span)?;
            self.decided(run, looks, e, span)?
        };
        Ok(())
    }

    /// The condition under which an expression looks at a global.
    fn looking(&mut self, run: &Run<'p>, e: ExprId, span: Span) -> Result<Term, Stop> {
        if self.looks.must(e) || !self.looks.may(e) {
            return Ok(Term::of_bool(self.looks.must(e)));
        }
        let program = self.program;
        Ok(match &program.expr(e).kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                let (first, second) = (self.looking(run, *a, span)?, self.looking(run, *b, span)?);
                let value = self.term(run, *a, span)?[0];
                let goes_on = if *op == BinaryOp::Or { !value } else { value };
                let later = self.terms.and(goes_on, second);
                self.terms.or(first, later)
            }
            ExprKind::Ite(c, a, b) => {
                let parts = [*c, *a, *b].map(|part| self.looking(run, part, span));
                let [first, yes, no] = parts;
                let value = self.term(run, *c, span)?[0];
                let later = self.terms.ite(value, yes?, no?);
                self.terms.or(first?, later)
            }
            _ => {
                let mut any = Term::FALSE;
                for part in walk::operands(program.expr(e)) {
                    let looks = self.looking(run, part, span)?;
                    any = self.terms.or(any, looks);
                }
                any
            }
        })
    }

    /// Writes down what is looked at, if somebody wants to know.
    fn note(&mut self, run: &mut Run<'p>, look_at: impl FnOnce(&mut Look<'_, 'p>)) -> usize {
        let Some(mut script) = run.script.take() else {
            return 0;
        };
        let mut look = Look {
            machine: self,
            state: &run.state,
            task: &run.task,
            lasting: false,
            cells: Vec::new(),
        };
        look_at(&mut look);
        let count = look.cells.len();
        let cells = look.cells.into_iter();
        script.touched.extend(cells.map(|cell| (cell, false)));
        run.script = Some(script);
        count
    }

    fn note_writes(&mut self, run: &mut Run<'p>, to: &Place) {
        let count = self.note(run, |look| look.write(to));
        if let Some(script) = &mut run.script {
            let written = script.touched.iter_mut().rev().take(count);
            written.for_each(|touched| touched.1 = true);
        }
    }

    pub(super) fn term(&mut self, run: &Run<'p>, e: ExprId, span: Span) -> Result<Leaves, Stop> {
        let mut eval = Eval {
            program: self.program,
            layouts: &self.layouts,
            terms: &mut self.terms,
            scope: View {
                rows: &self.rows,
                state: &run.state,
                frame: run.top(),
                me: run.task.number,
                running: run.task.number,
                knows: self.knows,
            },
        };
        eval.eval(e).or_else(|stop| refused(words(stop), span))
    }

    /// Stores a value.
    fn set(
        &mut self,
        run: &mut Run<'p>,
        to: &'p Place,
        value: &[Term],
        span: Span,
    ) -> Result<(), Stop> {
        let proc = run.top().proc;
        let ty = self.program.root_type(proc, to.root);
        for index in walk::indices(to) {
            self.looked(run, index, span)?;
            self.reads(run, index, span)?;
        }
        self.writes(run, to, span)?;
        let (at, row): (_, &[Term]) = match to.root {
            Root::Global(g) => (self.rows.global(g), &run.state.globals),
            Root::Local(l) => (self.rows.local(proc, l), &run.top().locals),
        };
        let mut leaves: Leaves = row[at.clone()].into();
        let mut eval = Eval {
            program: self.program,
            layouts: &self.layouts,
            terms: &mut self.terms,
            scope: View {
                rows: &self.rows,
                state: &run.state,
                frame: run.top(),
                me: run.task.number,
                running: run.task.number,
                knows: self.knows,
            },
        };
        let stored = eval.store(&mut leaves, ty, to, value);
        stored.or_else(|stop| refused(words(stop), span))?;
        self.note_writes(run, to);
        match to.root {
            Root::Global(_) => {
                run.touched = true;
                if run.state.globals[at.clone()] != leaves[..] {
                    Rc::make_mut(&mut run.state.globals)[at].copy_from_slice(&leaves);
                }
            }
            Root::Local(_) => run.top_mut().locals[at].copy_from_slice(&leaves),
        }
        Ok(())
    }

    fn ret(&mut self, run: &mut Run<'p>, e: Option<ExprId>, span: Span) -> Result<(), Stop> {
        let value = match e {
            Some(e) => Some(self.value(run, e, span)?),
            None => None,
        };
        let frame = run.task.frames.pop();
        if run.begins && run.task.frames.len() == 1 {
            (run.begins, run.touched) = (false, false);
        }
        if let (Some(value), Some(into)) = (value, frame.and_then(|f| f.into)) {
            self.set_local(run, into, &value);
        }
        Ok(())
    }

    fn set_local(&self, run: &mut Run<'p>, into: LocalId, value: &[Term]) {
        if let Some(frame) = run.task.frames.last_mut() {
            let at = self.rows.local(frame.proc, into);
            frame.locals[at].copy_from_slice(value);
        }
    }

    /// A fresh frame with arguments.
    fn frame(
        &mut self,
        run: &mut Run<'p>,
        proc: ProcId,
        args: &[ExprId],
        into: Option<LocalId>,
        span: Span,
    ) -> Result<Frame<'p>, Stop> {
        let mut locals = Vec::new();
        for &arg in args {
            locals.extend(self.value(run, arg, span)?);
        }
        locals.extend_from_slice(&self.blank_locals(proc)[locals.len()..]);
        Ok(Frame::new(self.program, proc, locals, into))
    }

    fn call(
        &mut self,
        run: &mut Run<'p>,
        into: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        span: Span,
    ) -> Result<(), Stop> {
        let frame = self.frame(run, proc, args, into, span)?;
        let again = run.task.frames.iter().filter(|f| f.proc == proc).count();
        if run.forked && run.given.is_none() && again > self.turns as usize {
            return Err(Stop::End(End::Cut(span)));
        }
        if run.task.frames.len() >= DEPTH {
            let name = &self.program.proc(proc).name;
            return refused(format!("`{name}` calls itself without end"), span);
        }
        Self::done(run);
        run.task.frames.push(frame);
        Ok(())
    }

    fn post(
        &mut self,
        run: &mut Run<'p>,
        into: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        span: Span,
    ) -> Result<(), Stop> {
        let frame = self.frame(run, proc, args, None, span)?;
        run.touched = true;
        // In C a thread begins when its handle has been stored: all of the step comes before it.
        if self.program.types.dialect != Dialect::C {
            run.orderly.posts();
        }
        run.state.posted += 1;
        run.task.posts += 1;
        let number = run.state.posted;
        if self.orders.is_some() {
            run.acts.push(Act::Posts(number));
        }
        let descent: Vec<u32> = (run.task.descent.iter().copied())
            .chain([run.task.posts])
            .collect();
        let task = Task::posted(self.program, number, descent.into(), frame);
        run.state.tasks.push(Rc::new(task));
        if let Some(turn) = &mut run.state.turn {
            turn.queue.give(number, true, |_| false);
        }
        if let Some(into) = into {
            let handle = self.terms.int(number.into());
            self.set_local(run, into, &[handle]);
        }
        Ok(())
    }
}

/// `break` (with the loop itself) and `continue` (back to it).
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

fn words(stop: NoTerm) -> String {
    match stop {
        NoTerm::Unsupported(reason) => reason,
        NoTerm::Limit(_) => "a value is too large for this engine".to_owned(),
    }
}
