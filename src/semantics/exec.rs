//! Statements: one segment of one task, from its dispatch to its next visit to the dispatcher.

use std::cell::Cell;

use super::happening::{Change, Ended, Happening};
use super::limits;
use base::clock::Instant;
use base::source::Span;
use ir::{
    Await, AwaitKind, Block, ChoiceKind, Dialect, ErrorKind, ExprId, ExprKind, LocalId, Loop,
    LoopId, Messages, OpId, Order, Place, PreemptKind, ProcId, Program, Root, Slot, Step, Stmt,
    StmtKind, TypeId, Types, UnaryOp, Value, walk,
};
use ir::{text, text::Names};

use super::config::{Config, Control, Frame, Phase, Task};
use super::eval::{NoValue, PathStep, Scope};
use super::place::{Variable, diff, name_of, part, store};
use super::touch::{Touches, What};

/// The caller of a machine: it provides values for choices, and receives what happens.
pub trait Env {
    /// A task goes on by one part of a statement. So many tasks have been posted.
    fn turn(&mut self, _posted: u32) {}

    /// A value for a choice of that type.
    fn choose(&mut self, ty: TypeId, kind: ChoiceKind) -> Result<Value, String>;

    /// Whether the caller wants to see what happens.
    fn watching(&self) -> bool {
        false
    }

    fn saw(&mut self, _seen: Seen) {}

    /// The check of that condition fails.
    fn fails(&mut self, _condition: ExprId) {}

    /// That many rounds of the scheduler have ended.
    fn rounds_ended(&mut self, _rounds: u32) {}

    /// A task begins a segment; 0 begins `finally`. The procedure is the one that the task began with.
    fn opened(&mut self, _task: u32, _proc: &str) {}

    /// The segment has ended, and has not failed. Without [`Self::watching`] only the end of `finally` is reported.
    fn closed(&mut self, _end: Ended) {}

    /// A delay postpones a task. The name is that of its procedure.
    fn delayed(&mut self, _task: u32, _proc: &str) {}

    /// The segment ends at a `sleep`.
    fn slept(&mut self) {}

    /// The globals have their initial values.
    fn begun(&mut self, _globals: &[Value]) {}

    /// The configuration at this moment, with the running task if there is one. Reported only if [`Self::watching`] holds.
    fn reached(&mut self, _config: &Config<'_>, _running: Option<(u32, &Task<'_>)>) {}
}

pub struct Seen {
    /// The task that did it.
    pub task: u32,
    pub proc: ProcId,
    pub span: Span,
    pub happening: Happening,
    pub changed: Vec<Change>,
    /// The names and values that a failing check looks at.
    pub values: Vec<(String, String)>,
    /// How many touches were recorded before this; 0 if touches are not recorded.
    pub touched: usize,
    /// Whether it is inside an object of the C library. Then people see only what changes.
    pub inside: bool,
}

/// How a segment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The task is done.
    Finished,
    /// It went back to the scheduler.
    Suspended,
}

/// Why an execution ended within a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Error(ErrorKind, String, Span),
    /// An assumption is false.
    Dropped,
    /// It cannot be followed, for a reason that is no property of the program.
    Refused(String, Span),
}

/// What follows a statement.
enum Next {
    On,
    /// The task goes back to the scheduler.
    Suspend,
}

/// How many statements a segment may have if the caller does not say it.
const LONGEST: u64 = 50_000_000;
/// How many statements run before the machine looks at the clock again: a look costs as much as a statement.
const STATEMENTS_A_LOOK: u64 = 64;
/// How deep calls may nest.
const DEPTH: usize = 1_000_000;

/// A program being run.
pub struct Machine<'p, E> {
    pub program: &'p Program,
    pub config: Config<'p>,
    pub env: E,
    /// Statements and visits that may still be executed, beside the bound on each segment.
    pub fuel: u64,
    /// How many statements a segment may have.
    pub longest: u64,
    /// When to stop; `None` for never.
    pub end: Option<Instant>,
    /// Whether the scheduler has dropped a task. Only the bounded bag does.
    pub lost: bool,
    /// The running task; 0 when none runs.
    pub(super) me: u32,
    /// Whether the running segment did something visible.
    touched: Cell<bool>,
    /// The touches of the running segment; `None` if touches are not recorded.
    pub(super) touches: Option<Touches>,
}

impl<'p, E: Env> Machine<'p, E> {
    /// A machine in a configuration.
    pub fn new(program: &'p Program, config: Config<'p>, env: E) -> Self {
        Self {
            program,
            config,
            env,
            fuel: u64::MAX,
            longest: LONGEST,
            end: None,
            lost: false,
            me: 0,
            touched: Cell::new(false),
            touches: None,
        }
    }

    /// Sets initial values, then runs the first segment of `main`, which is task 1 and needs no dispatch.
    pub fn start(&mut self) -> Result<End, Stop> {
        let main = self.program.main;
        self.env.opened(1, &self.program.proc(main).name);
        self.me = 1;
        self.run_to_end(self.program.init)?;
        self.initial_touches();
        self.env.begun(&self.config.globals);
        self.me = 1;
        self.touched.set(false);
        let frame = Frame::new(self.program, main, Vec::new(), None);
        let task = Task {
            frames: vec![frame],
            at: None,
        };
        self.shown_segment(1, task)
    }

    /// Dispatches a task that was taken from the queue.
    pub fn dispatch(&mut self, number: u32) -> Result<End, Stop> {
        let Some(task) = self.config.tasks.remove(&number) else {
            return Err(self.malformed(Span::default()));
        };
        self.me = number;
        self.touched.set(false);
        let root = task.frames.first().map(|f| f.proc);
        let name = root.map_or("", |p| &self.program.proc(p).name);
        self.env.opened(number, name);
        self.shown_segment(number, task)
    }

    /// Runs a segment, and tells a watching caller how it ended.
    fn shown_segment(&mut self, number: u32, task: Task<'p>) -> Result<End, Stop> {
        let end = self.segment(task)?;
        if self.env.watching() {
            let ended = self.ended(number, end);
            self.env.closed(ended);
        }
        Ok(end)
    }

    /// How a segment ended that did not fail.
    fn ended(&self, number: u32, end: End) -> Ended {
        let waits = |t: &Task<'_>| t.at.is_some();
        match end {
            End::Finished => Ended::Finished,
            End::Suspended if self.config.tasks.get(&number).is_some_and(waits) => Ended::Waits {
                what: self.waits_for(number),
                blocked: self.known_blocked(number) != Some(false),
            },
            End::Suspended => Ended::Interrupted,
        }
    }

    /// Runs the `finally` part.
    pub fn finish(&mut self) -> Result<(), Stop> {
        self.me = 0;
        self.env.opened(0, "finally");
        self.program
            .finally
            .map_or(Ok(()), |f| self.run_to_end(f))?;
        self.env.closed(Ended::Finished);
        Ok(())
    }

    fn run_to_end(&mut self, proc: ProcId) -> Result<(), Stop> {
        let frame = Frame::new(self.program, proc, Vec::new(), None);
        self.segment(Task {
            frames: vec![frame],
            at: None,
        })
        .map(drop)
    }

    /// Whether a pending task is blocked: every check of its await holds and the condition does not.
    pub fn blocked(&self, number: u32) -> Result<bool, Stop> {
        self.waiting(number).or_else(|(reason, expr, span)| {
            self.valued(Err(reason), top(&self.config.tasks[&number]), expr, span)
        })
    }

    /// Like [`Self::blocked`]; `None` if that is not known, for example because it depends on a value that was never chosen.
    pub fn known_blocked(&self, number: u32) -> Option<bool> {
        self.waiting(number).ok()
    }

    /// Whether a task is blocked, or why that is not known.
    pub(super) fn waiting(&self, number: u32) -> Result<bool, (NoValue, ExprId, Span)> {
        let task = &self.config.tasks[&number];
        let Some((at, span)) = task.at else {
            return Ok(false);
        };
        let truth = |e: ExprId, span: Span| {
            let value = self.scope_of(top(task), number, |s| s.truth(e));
            value.map_err(|reason| (reason, e, span))
        };
        for check in &at.checks {
            if let StmtKind::Check(_, cond, _) = &check.kind
                && !truth(*cond, check.span)?
            {
                return Ok(false);
            }
        }
        Ok(!truth(at.cond, span)?)
    }

    /// Says for what a blocked task waits: `task 2 (p) waits for m.lock`.
    pub fn waits(&self, number: u32) -> String {
        let name = &self
            .program
            .proc(self.config.tasks[&number].frames[0].proc)
            .name;
        let what = self.waits_for(number);
        format!("task {number} ({name}) waits for {what}")
    }

    /// Names what a pending task waits for; empty if it has nothing to wait for.
    pub fn waits_for(&self, number: u32) -> String {
        let task = &self.config.tasks[&number];
        let frame = top(task);
        task.at.map_or_else(String::new, |(at, _)| match at.kind {
            AwaitKind::Op(op) | AwaitKind::Enqueue(op) => self.operation(task, number, at, op),
            AwaitKind::Join => match self.joined(number) {
                Some(joined) => format!("the end of task {joined}"),
                None => self.join_words(frame, at.cond),
            },
            AwaitKind::Turn => "the end of an atomic section".to_owned(),
            AwaitKind::Await => format!("`{}`", self.words(frame, at.cond)),
        })
    }

    /// Writes an operation with its object.
    fn operation(&self, task: &Task<'p>, me: u32, at: &Await, op: OpId) -> String {
        let frame = top(task);
        text::operation(self.program, at, op, |e| {
            self.scope_of(frame, me, |s| s.value(e)).ok()
        })
    }

    fn truth(&self, frame: &Frame<'p>, me: u32, e: ExprId, span: Span) -> Result<bool, Stop> {
        let value = self.scope_of(frame, me, |s| s.truth(e));
        self.valued(value, frame, e, span)
    }

    fn scope_of<T>(&self, frame: &Frame<'p>, me: u32, f: impl FnOnce(&Scope<'_>) -> T) -> T {
        let finished =
            |t: u32| t <= self.config.posted && t != self.me && !self.config.tasks.contains_key(&t);
        f(&Scope {
            program: self.program,
            globals: &self.config.globals,
            locals: &frame.locals,
            me,
            finished: &finished,
            touched: &self.touched,
            looks: (self.touches.as_ref().filter(|_| self.me == me)).map(|t| &t.looks),
        })
    }

    fn with_scope<T>(
        &self,
        frame: &Frame<'p>,
        span: Span,
        expr: ExprId,
        f: impl FnOnce(&Scope<'_>) -> Result<T, NoValue>,
    ) -> Result<T, Stop> {
        let value = self.scope_of(frame, self.me, f);
        self.valued(value, frame, expr, span)
    }

    /// A value, or why this execution cannot be followed.
    fn valued<T>(
        &self,
        value: Result<T, NoValue>,
        frame: &Frame<'p>,
        expr: ExprId,
        span: Span,
    ) -> Result<T, Stop> {
        value.map_err(|reason| match reason {
            NoValue::Unchosen => Stop::Refused(
                format!(
                    "`{}` depends on a value that was never chosen",
                    self.words(frame, expr)
                ),
                span,
            ),
            NoValue::TooLarge => Stop::Refused(limits::TOO_LARGE.into(), span),
            NoValue::Malformed => self.malformed(span),
        })
    }

    fn malformed(&self, span: Span) -> Stop {
        Stop::Refused("internal error: the program is malformed".into(), span)
    }

    /// Runs a task until it visits the dispatcher.
    fn segment(&mut self, mut task: Task<'p>) -> Result<End, Stop> {
        let end = self.advance(&mut task);
        match end {
            Ok(End::Finished) => self.me = 0,
            Ok(End::Suspended) => self.suspend(task),
            Err(_) => {
                self.reached(&task);
                return end;
            }
        }
        if self.env.watching() {
            self.env.reached(&self.config, None);
        }
        end
    }

    /// Whether it is time to stop.
    pub fn is_late(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn reached(&mut self, task: &Task<'p>) {
        if self.env.watching() {
            self.env.reached(&self.config, Some((self.me, task)));
        }
    }

    /// Runs a task up to where it goes back to the scheduler.
    fn advance(&mut self, task: &mut Task<'p>) -> Result<End, Stop> {
        if let Some((at, span)) = task.at.take() {
            self.reached(task);
            self.pass(task, at, span)?;
        }
        for _ in 0..self.longest.min(self.fuel) {
            self.fuel -= 1;
            self.env.turn(self.config.posted);
            if self.fuel.is_multiple_of(STATEMENTS_A_LOOK) && self.is_late() {
                break;
            }
            self.reached(task);
            let Some(frame) = task.frames.last_mut() else {
                return Ok(End::Finished);
            };
            match frame.control.pop() {
                None => {
                    task.frames.pop();
                }
                Some(Control::Loop(l, phase)) => self.loop_turn(task, l, phase)?,
                Some(Control::Block(block, next)) => {
                    let Some(stmt) = block.get(next) else {
                        continue;
                    };
                    frame.control.push(Control::Block(block, next + 1));
                    if let Next::Suspend = self.stmt(task, stmt)? {
                        return Ok(End::Suspended);
                    }
                }
            }
        }
        let frame = task.frames.last();
        let proc = || frame.map(|f| self.program.proc(f.proc).span);
        let span = frame.and_then(inner_loop).or_else(proc);
        Err(Stop::Refused(
            limits::ENDLESS.into(),
            span.unwrap_or_default(),
        ))
    }

    /// Gives a task back to the scheduler: the paper's `give(m, w')`.
    fn suspend(&mut self, mut task: Task<'p>) {
        for frame in &mut task.frames {
            frame.tidy();
        }
        let me = std::mem::take(&mut self.me);
        self.give(me, task, false);
    }

    /// Hands a task to the scheduler: the paper's `give`. Returns whether the scheduler kept it.
    fn give(&mut self, number: u32, task: Task<'p>, fresh: bool) -> bool {
        let tasks = &self.config.tasks;
        let kept =
            (self.config.queue).give(number, fresh, |other| tasks.get(&other) == Some(&task));
        if kept {
            self.config.tasks.insert(number, task);
        }
        self.lost |= !kept;
        kept
    }

    /// Puts the next part of a loop on the task's control.
    fn loop_turn(&mut self, task: &mut Task<'p>, l: &'p Loop, phase: Phase) -> Result<(), Stop> {
        self.leave_atomic_if_done(task);
        let (next, part): (Phase, &'p Block) = match phase {
            Phase::Pre => (Phase::Test, &l.pre),
            Phase::Step => (Phase::Pre, &l.step),
            Phase::Test => {
                let frame = top(task);
                let span = self.program.proc(frame.proc).span;
                let holds = self.truth(frame, self.me, l.cond, span);
                self.looked_in_loop(task, l);
                let holds = holds?;
                self.saw_test(task, l, holds);
                if !holds {
                    return Ok(());
                }
                (Phase::Step, &l.body)
            }
        };
        let control = &mut top_mut(task).control;
        control.push(Control::Loop(l, next));
        control.push(Control::Block(part, 0));
        Ok(())
    }

    /// Reports the test of a loop's condition, if the condition looks at a global.
    fn saw_test(&mut self, task: &Task<'p>, l: &Loop, holds: bool) {
        if !self.env.watching() || !walk::looks_at_global(self.program, l.cond) {
            return;
        }
        let frame = top(task);
        let proc = self.program.proc(frame.proc);
        let span = walk::loop_span(&proc.body, l.id).unwrap_or(proc.span);
        let condition = self.words(frame, l.cond);
        self.saw(frame.proc, span, Happening::Tested { condition, holds });
    }

    /// Evaluates a branch's condition, and reports the test if the condition looks at a global.
    fn condition(&mut self, frame: &Frame<'p>, cond: ExprId, span: Span) -> Result<bool, Stop> {
        let holds = self.truth(frame, self.me, cond, span)?;
        if self.env.watching() && walk::looks_at_global(self.program, cond) {
            let condition = self.words(frame, cond);
            let inside = text::is_inside(self.program, cond);
            let tested = Happening::Tested { condition, holds };
            self.saw_inside(frame.proc, span, tested, (Vec::new(), inside));
        }
        Ok(holds)
    }

    fn names<'a>(&'a self, frame: &'a Frame<'p>) -> Names<'a> {
        Names {
            program: self.program,
            proc: self.program.proc(frame.proc),
            values: &frame.locals,
        }
    }

    fn words(&self, frame: &Frame<'p>, expr: ExprId) -> String {
        text::expr(self.names(frame), expr)
    }

    fn saw(&mut self, proc: ProcId, span: Span, happening: Happening) {
        self.saw_change(proc, span, happening, Vec::new());
    }

    fn saw_change(&mut self, proc: ProcId, span: Span, happening: Happening, changed: Vec<Change>) {
        self.saw_inside(proc, span, happening, (changed, false));
    }

    fn saw_inside(
        &mut self,
        proc: ProcId,
        span: Span,
        happening: Happening,
        (changed, inside): (Vec<Change>, bool),
    ) {
        self.env.saw(Seen {
            task: self.me,
            proc,
            span,
            happening,
            changed,
            values: Vec::new(),
            touched: self.touched_so_far(),
            inside,
        });
    }

    /// The variables that an expression looks at, with their values. Leaves out a variable without a value.
    fn values(&self, frame: &Frame<'p>, e: ExprId) -> Vec<(String, String)> {
        let names = self.names(frame);
        let mut parts = Vec::new();
        text::operands(names, e, &mut parts);
        let shown = parts.into_iter().filter_map(|part| {
            let value = self
                .scope_of(frame, self.me, |s| s.value(part.value))
                .ok()?;
            let ty = self.program.expr(part.value).ty;
            Some((
                text::expr(names, part.shown),
                value.show(&self.program.types, ty),
            ))
        });
        let mut shown: Vec<_> = shown.collect();
        let mut seen = std::collections::BTreeSet::new();
        shown.retain(|(name, _)| seen.insert(name.clone()));
        shown
    }

    fn stmt(&mut self, task: &mut Task<'p>, stmt: &'p Stmt) -> Result<Next, Stop> {
        self.leave_atomic_if_done(task);
        let next = self.perform(task, stmt);
        if matches!(stmt.kind, StmtKind::Check(..)) && self.program.scope.is_invariant(stmt.span) {
            self.forget_looks();
        }
        self.looked(stmt.span);
        next
    }

    fn perform(&mut self, task: &mut Task<'p>, stmt: &'p Stmt) -> Result<Next, Stop> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign(to, e) => self.assign(task, to, *e, span)?,
            StmtKind::Havoc(to, kind) => self.havoc(task, to, *kind, span)?,
            StmtKind::Assume(e) => self.assume(task, *e, span)?,
            StmtKind::Check(kind, e, text) => self.check(task, *kind, *e, text, span)?,
            StmtKind::If(cond, yes, no) => {
                let block = if self.condition(top(task), *cond, span)? {
                    yes
                } else {
                    no
                };
                top_mut(task).control.push(Control::Block(block, 0));
            }
            StmtKind::Loop(l) => top_mut(task).control.push(Control::Loop(l, Phase::Pre)),
            StmtKind::Break(id) => leave(task, *id, true),
            StmtKind::Continue(id) => leave(task, *id, false),
            StmtKind::Return(e) => self.ret(task, *e, span)?,
            StmtKind::Call(into, proc, args) => self.call(task, *into, *proc, args, span)?,
            StmtKind::Post(into, proc, args) => self.post(task, *into, *proc, args, span)?,
            StmtKind::Preempt(kind) => return Ok(self.preempt(task, *kind, span)),
            StmtKind::Await(at) => {
                // The await itself runs at the task's next dispatch, in `pass`.
                task.at = Some((at, span));
                return Ok(Next::Suspend);
            }
            StmtKind::Atomic(order, block) if block.is_empty() => self.fence(*order, span),
            StmtKind::Atomic(order, block) => {
                self.enter_atomic(task, *order);
                top_mut(task).control.push(Control::Block(block, 0));
            }
            StmtKind::Mark(..) => {}
        }
        Ok(Next::On)
    }

    fn preempt(&mut self, task: &Task<'p>, kind: PreemptKind, span: Span) -> Next {
        match kind {
            PreemptKind::Implicit if !self.touched.get() => return Next::On,
            PreemptKind::Implicit => return Next::Suspend,
            PreemptKind::Yield => {}
            PreemptKind::Sleep => self.env.slept(),
        }
        if self.env.watching() {
            self.saw(top(task).proc, span, Happening::Yielded(kind));
        }
        Next::Suspend
    }

    /// A dispatched await: its checks, its condition and its body are one step.
    fn pass(&mut self, task: &mut Task<'p>, at: &'p Await, span: Span) -> Result<(), Stop> {
        self.enter_atomic(task, Order::Whole);
        for check in &at.checks {
            if let StmtKind::Check(kind, e, text) = &check.kind {
                self.check(task, *kind, *e, text, check.span)?;
            }
        }
        self.touched.set(true);
        let holds = self.truth(top(task), self.me, at.cond, span)?;
        self.looked(span);
        if !holds {
            return Err(Stop::Dropped);
        }
        if let AwaitKind::Op(op) = at.kind {
            let blocks = self.program.expr(at.cond).kind != ExprKind::Bool(true);
            self.touches_also(What::Operates(op, blocks), span);
        }
        let frame = top(task);
        if self.env.watching() {
            let happening = match at.kind {
                AwaitKind::Turn => None,
                AwaitKind::Await => Some(Happening::Awaited {
                    condition: self.words(frame, at.cond),
                }),
                AwaitKind::Join => Some(Happening::Joined {
                    task: self.join_words(frame, at.cond),
                }),
                AwaitKind::Op(op) | AwaitKind::Enqueue(op) => Some(Happening::Operated {
                    operation: self.operation(task, self.me, at, op),
                    enqueue: matches!(at.kind, AwaitKind::Enqueue(_)),
                }),
            };
            if let Some(happening) = happening {
                self.saw(frame.proc, span, happening);
            }
        }
        top_mut(task).control.push(Control::Block(&at.body, 0));
        Ok(())
    }

    /// The task for whose end a pending task waits.
    #[must_use]
    pub fn joined(&self, number: u32) -> Option<u32> {
        let task = &self.config.tasks[&number];
        let cond = text::readable(self.program, task.at?.0.cond);
        let ExprKind::Finished(joined) = self.program.expr(cond).kind else {
            return None;
        };
        match self.scope_of(top(task), number, |s| s.value(joined)) {
            Ok(Value::Task(joined)) => joined,
            _ => None,
        }
    }

    fn join_words(&self, frame: &Frame<'p>, cond: ExprId) -> String {
        let cond = text::readable(self.program, cond);
        let ExprKind::Finished(task) = self.program.expr(cond).kind else {
            return format!("join: {}", self.words(frame, cond));
        };
        let value = self.scope_of(frame, self.me, |s| s.value(task));
        let types = &self.program.types;
        value.map_or_else(
            |_| "join".into(),
            |v| format!("join {}", v.show(types, Types::TASK)),
        )
    }

    fn assume(&mut self, task: &Task<'p>, e: ExprId, span: Span) -> Result<(), Stop> {
        let (frame, locals) = (top(task), &self.program.proc(top(task).proc).locals);
        let mut own = |root| matches!(root, Root::Local(local) if locals[local.index()].hidden);
        // People do not see an assumption that a pass made.
        let holds = match walk::reads(self.program, e, &mut own) {
            true => self.truth(frame, self.me, e, span)?,
            false => self.condition(frame, e, span)?,
        };
        holds.then_some(()).ok_or(Stop::Dropped)
    }

    /// Ends the execution at a `cover` that is reached: the condition that the user wrote holds.
    fn covered(&mut self, task: &Task<'p>, e: ExprId, text: &str, span: Span) -> Stop {
        let frame = top(task);
        let asked = match self.program.expr(e).kind {
            ExprKind::Unary(UnaryOp::Not, asked) => asked,
            _ => e,
        };
        let condition = self.words(frame, asked);
        let message = match text {
            "" => format!("`{condition}` holds here"),
            text => text.to_owned(),
        };
        if self.env.watching() {
            self.saw(frame.proc, span, Happening::Passed { condition });
        }
        Stop::Error(ErrorKind::Cover, message, span)
    }

    fn check(
        &mut self,
        task: &Task<'p>,
        kind: ErrorKind,
        e: ExprId,
        text: &str,
        span: Span,
    ) -> Result<(), Stop> {
        let frame = top(task);
        if self.truth(frame, self.me, e, span)? {
            if kind == ErrorKind::Assertion && self.env.watching() {
                let condition = self.words(frame, e);
                self.saw(frame.proc, span, Happening::Passed { condition });
            }
            return Ok(());
        }
        self.env.fails(e);
        if kind == ErrorKind::Cover {
            return Err(self.covered(task, e, text, span));
        }
        let message = if text.is_empty() {
            format!("`{}` does not hold", self.words(frame, e))
        } else {
            text.to_owned()
        };
        if self.env.watching() {
            let what = match kind {
                // The program does not contain the conditions of these kinds.
                ErrorKind::Stuck | ErrorKind::Deref | ErrorKind::Free => message.clone(),
                ErrorKind::Leak | ErrorKind::Overflow | ErrorKind::Misuse => message.clone(),
                ErrorKind::Shift => message.clone(),
                ErrorKind::Range | ErrorKind::Index | ErrorKind::Division => message.clone(),
                _ => self.words(frame, e),
            };
            let (proc, values) = (frame.proc, self.values(frame, e));
            self.env.saw(Seen {
                task: self.me,
                proc,
                span,
                happening: Happening::Failed { what },
                changed: Vec::new(),
                values,
                touched: self.touched_so_far(),
                inside: false,
            });
        }
        Err(Stop::Error(kind, message, span))
    }

    fn assign(
        &mut self,
        task: &mut Task<'p>,
        to: &Place,
        e: ExprId,
        span: Span,
    ) -> Result<(), Stop> {
        let value = self.with_scope(top(task), span, e, |s| s.value(e))?;
        let happening = if self.env.watching() {
            self.in_buffer(top(task), to, e, span)
                .or_else(|| self.message(top(task), to, e, &value))
                .or_else(|| self.assignment(top(task), to, e, &value))
        } else {
            None
        };
        self.set(task, to, value, span, happening)
    }

    /// The happening of an assignment; `None` if it is between a pass's own variables.
    fn assignment(
        &self,
        frame: &Frame<'p>,
        to: &Place,
        e: ExprId,
        value: &Value,
    ) -> Option<Happening> {
        let names = self.names(frame);
        if !self.hidden(frame, to.root) {
            return Some(Happening::Assigned {
                place: text::place(names, to),
                value: text::expr(names, e),
                same: None,
            });
        }
        if let Root::Global(flags) = to.root
            && let Some((objects, _)) = self.program.scope.freed.iter().find(|f| f.1 == flags)
            && *value == Value::Bool(true)
        {
            let object = Place {
                root: Root::Global(*objects),
                ..to.clone()
            };
            return Some(Happening::Freed {
                object: text::place(names, &object),
            });
        }
        // The first message of a variable is not shown.
        let weak = self.program.scope.weak.as_ref();
        let first = |of: &Messages| Root::Global(of.values) == to.root;
        if weak.is_some_and(|weak| weak.messages.iter().any(first)) {
            return None;
        }
        walk::looks_at_global(self.program, e).then(|| Happening::Read {
            what: text::expr(names, e),
            value: value.show(&self.program.types, to.ty),
            waiting: self.buffered(frame),
        })
    }

    /// The happening of an assignment that puts a store into a buffer, or takes it out.
    fn in_buffer(&self, frame: &Frame<'p>, to: &Place, e: ExprId, span: Span) -> Option<Happening> {
        let weak = self.program.scope.weak.as_ref()?;
        let slots = weak.slots(frame.proc);
        match (to.root, &self.program.expr(e).kind) {
            (Root::Local(local), ExprKind::Int(site)) if site.0 > 0 => {
                let slot = slots.iter().find(|slot| slot.site == local)?;
                let site = usize::try_from(site.0).ok()?;
                let store = self.store_in(frame, slot, site)?;
                Some(Happening::Stays { store })
            }
            (Root::Global(_), ExprKind::Local(value)) => {
                let slot = slots.iter().find(|slot| slot.values.contains(value))?;
                let store = self.store_in(frame, slot, site_in(frame, slot)?)?;
                let line = self.program.quotes.line(span);
                Some(Happening::Reaches { store, line })
            }
            _ => None,
        }
    }

    /// The happening of a message: that it is read, or that it comes before others.
    fn message(
        &self,
        frame: &Frame<'p>,
        to: &Place,
        e: ExprId,
        value: &Value,
    ) -> Option<Happening> {
        let all = &self.program.scope.weak.as_ref()?.messages;
        let types = &self.program.types;
        let shown = |value: &Value, ty| value.show(types, ty);
        let now = |of: &Messages| {
            let now = self.scope_of(frame, self.me, |s| s.value(of.now)).ok()?;
            Some(shown(&now, of.place.ty))
        };
        match (to.root, &self.program.expr(e).kind) {
            (Root::Local(_), ExprKind::Index(whole, _)) => {
                let ExprKind::Global(values) = self.program.expr(*whole).kind else {
                    return None;
                };
                let of = all.iter().find(|of| of.values == values)?;
                let what = text::place(self.names(frame), &of.place);
                let (value, now) = (shown(value, of.place.ty), now(of)?);
                if value == now {
                    let waiting = Vec::new();
                    return Some(Happening::Read {
                        what,
                        value,
                        waiting,
                    });
                }
                Some(Happening::Older { what, value, now })
            }
            (Root::Global(_), _) => {
                let of = all.iter().find(|of| of.now == e && of.place == *to)?;
                let stored = self.scope_of(frame, self.me, |s| s.value(of.stored)).ok()?;
                Some(Happening::Behind {
                    place: text::place(self.names(frame), &of.place),
                    value: shown(&stored, of.place.ty),
                    now: shown(value, of.place.ty),
                })
            }
            _ => None,
        }
    }

    /// The stores of a task that have not reached memory.
    fn buffered(&self, frame: &Frame<'p>) -> Vec<String> {
        let Some(weak) = &self.program.scope.weak else {
            return Vec::new();
        };
        let slots = weak.slots(frame.proc).iter();
        slots
            .filter_map(|slot| self.store_in(frame, slot, site_in(frame, slot)?))
            .collect()
    }

    /// The store in a place of the buffer, as a person reads it: `a[2] = 5`.
    fn store_in(&self, frame: &Frame<'p>, slot: &Slot, site: usize) -> Option<String> {
        let types = &self.program.types;
        let weak = self.program.scope.weak.as_ref()?;
        let place = &weak.sites.get(site.checked_sub(1)?)?.place;
        let Root::Global(global) = place.root else {
            return None;
        };
        let mut indices = slot.indices.iter();
        let mut path = Vec::new();
        for step in &place.path {
            path.push(match step {
                Step::Field(field) => PathStep::Field(*field),
                Step::Index(_) => {
                    let index = frame.locals[indices.next()?.index()].clone();
                    PathStep::Key(index)
                }
            });
        }
        let locals = &self.program.proc(frame.proc).locals;
        let typed = |local: &&LocalId| locals[local.index()].ty == place.ty;
        let value = frame.locals[slot.values.iter().find(typed)?.index()].show(types, place.ty);
        let global = &self.program.globals[global.index()];
        let name = name_of(types, &global.name, global.ty, &path);
        Some(match types.dialect {
            Dialect::Async => format!("{name} := {value}"),
            Dialect::C => format!("{name} = {value}"),
        })
    }

    /// Whether a variable is not one that the user wrote.
    fn hidden(&self, frame: &Frame<'p>, root: Root) -> bool {
        match root {
            Root::Local(l) => self.program.proc(frame.proc).locals[l.index()].hidden,
            Root::Global(g) => self.program.globals[g.index()].hidden,
        }
    }

    fn havoc(
        &mut self,
        task: &mut Task<'p>,
        to: &Place,
        kind: ChoiceKind,
        span: Span,
    ) -> Result<(), Stop> {
        let value = (self.env.choose(to.ty, kind)).map_err(|reason| Stop::Refused(reason, span))?;
        let told = self.env.watching() && !value.is_open() && kind != ChoiceKind::Memory;
        let happening = told.then(|| {
            let frame = top(task);
            let shown = !self.hidden(frame, to.root);
            Happening::Chosen {
                place: shown.then(|| text::place(self.names(frame), to)),
                value: value.show(&self.program.types, to.ty),
            }
        });
        self.set(task, to, value, span, happening)
    }

    /// Stores a value, and reports `happening` if there is one.
    fn set(
        &mut self,
        task: &mut Task<'p>,
        to: &Place,
        value: Value,
        span: Span,
        happening: Option<Happening>,
    ) -> Result<(), Stop> {
        let frame = top(task);
        let path = self.scope_of(frame, self.me, |s| s.path(&to.path));
        let index = walk::indices(to).next();
        let path = self.valued(path, frame, index.unwrap_or(ExprId(0)), span)?;
        let (proc, root) = (frame.proc, to.root);
        let ty = self.program.root_type(proc, root);
        let shown = happening.is_some() && !self.hidden(frame, root);
        if let Root::Global(global) = root {
            self.wrote(global, &path, span);
        }
        let slot = match root {
            Root::Global(g) => {
                self.touched.set(true);
                &mut self.config.globals[g.index()]
            }
            Root::Local(l) => &mut top_mut(task).locals[l.index()],
        };
        let types = &self.program.types;
        let old = shown.then(|| part(types, ty, slot, &path));
        let old = old.map(|(steps, _, old)| (steps, old.clone()));
        let named = || Variable::of(self.program, proc, root);
        let kept = happening.is_some().then(|| {
            let variable = named();
            Change {
                name: name_of(types, &variable.name, ty, &path),
                number: variable.number(types, to.ty, &value),
                value: value.show(types, to.ty),
                proc: variable.proc,
                text: None,
            }
        });
        let stored = store(types, ty, slot, &path, value);
        let changed = old.map(|(steps, old)| {
            let (_, inner, new) = part(types, ty, slot, &path[..steps]);
            let mut changed = Vec::new();
            let variable = match happening {
                Some(Happening::Chosen { .. }) => named().without_objects(),
                _ => named(),
            };
            let variable = variable.at(types, ty, &path[..steps]);
            diff(types, inner, &variable, (&old, new), &mut changed);
            changed
        });
        let changed = changed.unwrap_or_default();
        stored.ok_or_else(|| self.malformed(span))?;
        if let Some(mut happening) = happening {
            if let Happening::Assigned { same, .. } = &mut happening
                && changed.is_empty()
            {
                *same = kept;
            }
            let inside = text::leads_inside(&self.program.types, ty, &to.path);
            self.saw_inside(proc, span, happening, (changed, inside));
        }
        Ok(())
    }

    fn ret(&mut self, task: &mut Task<'p>, e: Option<ExprId>, span: Span) -> Result<(), Stop> {
        let value = match e {
            Some(e) => Some(self.with_scope(top(task), span, e, |s| s.value(e))?),
            None => None,
        };
        let frame = task.frames.pop();
        if let (Some(value), Some(into)) = (value, frame.and_then(|f| f.into)) {
            self.set_local(task, into, value, span, |value| Happening::Returned {
                value,
            });
        }
        Ok(())
    }

    fn set_local(
        &mut self,
        task: &mut Task<'p>,
        into: LocalId,
        value: Value,
        span: Span,
        what: impl FnOnce(String) -> Happening,
    ) {
        let Some(frame) = task.frames.last_mut() else {
            return;
        };
        let proc = self.program.proc(frame.proc);
        let old = std::mem::replace(&mut frame.locals[into.index()], value);
        let local = &proc.locals[into.index()];
        if self.env.watching() && !local.hidden {
            let variable = Variable::of(self.program, frame.proc, Root::Local(into));
            let (mut changed, new) = (Vec::new(), &frame.locals[into.index()]);
            let types = &self.program.types;
            diff(types, local.ty, &variable, (&old, new), &mut changed);
            let happening = what(new.show(types, local.ty));
            let proc = frame.proc;
            self.saw_change(proc, span, happening, changed);
        }
    }

    fn arguments(&self, task: &Task<'p>, args: &[ExprId], span: Span) -> Result<Vec<Value>, Stop> {
        let frame = top(task);
        args.iter()
            .map(|&e| self.with_scope(frame, span, e, |s| s.value(e)))
            .collect()
    }

    fn call(
        &mut self,
        task: &mut Task<'p>,
        into: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        span: Span,
    ) -> Result<(), Stop> {
        let values = self.arguments(task, args, span)?;
        if task.frames.len() >= DEPTH {
            let name = &self.program.proc(proc).name;
            return Err(Stop::Refused(
                format!("`{name}` calls itself without end"),
                span,
            ));
        }
        if self.env.watching() {
            let call = text::invocation(self.program, proc, &values);
            self.saw(top(task).proc, span, Happening::Called { call });
        }
        let frame = Frame::new(self.program, proc, values, into);
        task.frames.push(frame);
        Ok(())
    }

    fn post(
        &mut self,
        task: &mut Task<'p>,
        into: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        span: Span,
    ) -> Result<(), Stop> {
        let values = self.arguments(task, args, span)?;
        self.touched.set(true);
        self.config.posted += 1;
        let number = self.config.posted;
        self.looked(span);
        self.touches_also(What::Posts(number), span);
        let call = text::invocation(self.program, proc, &values);
        let kept = self.give(number, Task::posted(self.program, proc, values), true);
        if self.env.watching() {
            let happening = Happening::Posted {
                task: number,
                proc: self.program.proc(proc).name.clone(),
                call,
                maker: self.program.quotes.maker(span),
                kept,
            };
            self.saw(top(task).proc, span, happening);
        }
        if let Some(into) = into {
            let handle = Value::Task(Some(number));
            self.set_local(task, into, handle, span, |value| Happening::Got { value });
        }
        Ok(())
    }
}

/// The number of the store in a place of the buffer; none if it is free.
fn site_in(frame: &Frame<'_>, slot: &Slot) -> Option<usize> {
    match frame.locals[slot.site.index()] {
        Value::Int(site) => usize::try_from(site).ok().filter(|&site| site > 0),
        _ => None,
    }
}

/// The running frame; a running task has one.
pub(super) fn top<'a, 'p>(task: &'a Task<'p>) -> &'a Frame<'p> {
    task.frames.last().expect("a running task has a frame")
}

fn top_mut<'a, 'p>(task: &'a mut Task<'p>) -> &'a mut Frame<'p> {
    task.frames.last_mut().expect("a running task has a frame")
}

/// The innermost loop in which a procedure runs.
fn inner_loop(frame: &Frame<'_>) -> Option<Span> {
    let around = frame.control.windows(2).rev();
    let mut loops = around.filter_map(|two| match two {
        [Control::Block(block, next), Control::Loop(..)] => block.get(next.checked_sub(1)?),
        _ => None,
    });
    loops.next().map(|stmt| stmt.span)
}

/// Leaves the blocks inside a loop: for `break` the loop too, for `continue` back to the loop.
fn leave(task: &mut Task<'_>, id: LoopId, with_loop: bool) {
    let control = &mut top_mut(task).control;
    while let Some(inner) = control.pop() {
        if let Control::Loop(l, _) = inner
            && l.id == id
        {
            if !with_loop {
                control.push(inner);
            }
            return;
        }
    }
}
