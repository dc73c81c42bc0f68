//! Segments: the ways from each place where a task rests to the next, executed symbolically.
//!
//! A way is straight: where a condition has two answers there are two ways, unless Z3 says at once that one cannot be.
//! What can fail on it is noted where it fails, with all that holds there.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use rustc_hash::FxHashMap;
use smt::z3::patient;
use solver::z3::ast::{Ast, Bool, Dynamic, Int};
use solver::z3::{SatResult, Solver, Sort};

use base::clock::Instant;
use base::source::Span;
use base::work;
use ir::walk::operands;
use ir::{ErrorKind, ExprId, ExprKind, Place, PreemptKind, ProcId, Program, Root, Step, UnaryOp};

use super::beside::Beside;
use super::code::{Check, Instr, Line, Pc, TaskCode};
use super::expr::{Env, Eval};
use super::refusal::Refusal;
use super::value::{
    Leaf, Row, as_bool, as_int, bounds, constant, fresh, int, leaves, simplified, truth,
};

/// Where a segment begins.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The values of all variables, as constants.
    pub env: Env,
    pub next: Dynamic,
}

/// A task that a segment makes.
#[derive(Clone, Debug)]
pub struct Posted {
    pub proc: ProcId,
    pub args: Vec<Row>,
    pub handle: Dynamic,
}

/// A way from one place where a task rests to the next.
#[derive(Clone, Debug)]
pub struct Segment {
    pub from: Pc,
    /// Where it ends, unless the task is done.
    pub to: Option<Pc>,
    /// What holds of the values at its beginning and of what is chosen.
    pub guard: Bool,
    /// The values at its end.
    pub env: Env,
    /// The tasks that it makes.
    pub posts: Vec<Posted>,
}

/// A check that fails on a way.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where the way begins.
    pub from: Pc,
    /// When the way comes to the failure.
    pub guard: Bool,
    pub kind: ErrorKind,
    pub span: Span,
}

/// A task that rests blocked.
#[derive(Clone, Debug)]
pub struct Blocked {
    pub at: Pc,
    pub when: Bool,
}

/// A question whether a task has finished, where no task was made since the way began.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The answer: a constant that is chosen.
    pub finished: Bool,
    pub handle: Dynamic,
}

/// All ways of a task.
#[derive(Debug)]
pub struct Segments {
    pub ways: Vec<Segment>,
    /// What fails on them.
    pub failures: Vec<Failure>,
    /// Where the task may be blocked.
    pub blocked: Vec<Blocked>,
    /// What was asked about other tasks on the ways.
    pub asked: Vec<Asked>,
    /// Where races are looked for: the instructions that may race, each with the place where the way to it begins.
    pub racing: BTreeSet<(Pc, Pc)>,
    /// The places where it rests, in the order of the program.
    pub places: Vec<Pc>,
}

/// More ways than these from one place are too many.
const MOST_WAYS: usize = 512;
/// A way of more steps than these comes to no end.
const MOST_STEPS: usize = 100_000;
/// How long one question may take.
const QUESTION: Duration = Duration::from_millis(200);

pub struct Executor<'p> {
    pub(super) program: &'p Program,
    solver: Solver,
    /// When to give up.
    end: Instant,
    /// Whether it is an error if an integer [wraps](super::wrapping).
    strict: bool,
    /// The globals that are no part of the shared state.
    beside: &'p Beside,
    reads: RefCell<FxHashMap<ExprId, bool>>,
    asked: RefCell<Vec<Asked>>,
}

/// A way so far.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) pc: Pc,
    pub(super) guard: Vec<Bool>,
    pub(super) env: Env,
    next: Dynamic,
    posts: Vec<Posted>,
    /// The way has done something that another task can see, or has seen something.
    touched: bool,
    /// If races are looked for: the way has done something that another task can see.
    told: bool,
    steps: usize,
}

impl Way {
    /// A way that begins at a place. Its values are the constants of `inputs`, of which nothing is known.
    pub(super) fn new(pc: Pc, inputs: &Inputs) -> Self {
        Self {
            pc,
            guard: Vec::new(),
            env: inputs.env.clone(),
            next: inputs.next.clone(),
            posts: Vec::new(),
            touched: false,
            told: false,
            steps: 0,
        }
    }
}

impl Segments {
    /// No ways yet, of a task that begins where it was posted.
    pub(super) fn new() -> Self {
        Self {
            ways: Vec::new(),
            failures: Vec::new(),
            blocked: Vec::new(),
            asked: Vec::new(),
            racing: BTreeSet::new(),
            places: vec![0],
        }
    }
}

impl<'p> Executor<'p> {
    /// Makes an executor for a program, which gives up at `end`.
    pub fn new(program: &'p Program, beside: &'p Beside, end: Instant) -> Self {
        Self {
            program,
            solver: patient(QUESTION),
            end,
            strict: false,
            beside,
            reads: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// The same executor, but it is an error if an integer wraps.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// All ways from the task's beginning and from where they lead. What comes `before` the beginning is part of the first
    /// ways.
    ///
    /// # Errors
    /// What is not handled.
    pub fn run(
        &self,
        code: &TaskCode,
        inputs: &Inputs,
        before: Option<&[Segment]>,
        known: &[Vec<Option<Row>>],
    ) -> Result<Segments, Refusal> {
        let mut found = Segments::new();
        let mut next = 0;
        while next < found.places.len() {
            let from = found.places[next];
            let before = before.filter(|_| from == 0);
            let mut begin = inputs.clone();
            for (value, known) in begin.env.locals.iter_mut().zip(&known[from]) {
                if let Some(known) = known {
                    value.clone_from(known);
                }
            }
            self.from(code, &begin, (from, before), &mut found)?;
            next += 1;
        }
        found.places.sort_unstable();
        found.asked = self.asked.take();
        Ok(found)
    }

    fn from(
        &self,
        code: &TaskCode,
        inputs: &Inputs,
        (from, before): (Pc, Option<&[Segment]>),
        found: &mut Segments,
    ) -> Result<(), Refusal> {
        let ways_before = found.ways.len();
        let begin = |guard: &[Bool], globals: &[Row]| {
            let mut way = Way::new(from, inputs);
            way.guard.extend_from_slice(guard);
            way.env.globals = globals.to_vec();
            self.any_of_their_types(&mut way);
            // Nothing else says that the locals of a task that begins have values of their types.
            if from == 0 {
                let locals = code.locals.iter().zip(&inputs.env.locals);
                let all = locals.flat_map(|(local, row)| bounds(self.program, local.ty, row));
                way.guard.extend(all);
            }
            // What comes before the head of a loop may have touched something, and belongs to the same segment.
            way.touched = matches!(code.lines[from].instr, Instr::Head);
            way.told = way.touched;
            way
        };
        let open = match before {
            None => vec![begin(&[], &inputs.env.globals)],
            Some(ways) => {
                let ways = ways.iter();
                ways.map(|way| begin(std::slice::from_ref(&way.guard), &way.env.globals))
                    .collect()
            }
        };
        let mut walk = Walk {
            executor: self,
            code,
            from,
            found,
            open,
        };
        while let Some(way) = walk.open.pop() {
            walk.follow(way)?;
            if walk.found.ways.len() - ways_before > MOST_WAYS {
                return Err(Refusal::new(
                    code.lines[from].span,
                    format!(
                        "more than {MOST_WAYS} ways lead from here to the next preemption point"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Whether a way can be taken; if Z3 does not know at once, it can.
    fn possible(&self, guard: &[Bool]) -> bool {
        self.solver.push();
        for part in guard {
            self.solver.assert(part);
        }
        let known = self.solver.check();
        self.solver.pop(1);
        known != SatResult::Unsat
    }

    /// Adds to a way that globals of any value have one of their types.
    fn any_of_their_types(&self, way: &mut Way) {
        for &global in &self.beside.any {
            let ty = self.program.globals[global.index()].ty;
            let row = &way.env.globals[global.index()];
            way.guard.extend(bounds(self.program, ty, row));
        }
    }

    /// Whether an expression only says that the program has not ended. A step before this test may as well come behind it.
    fn is_before_the_end(&self, e: ExprId) -> bool {
        let ExprKind::Unary(UnaryOp::Not, ended) = self.program.expr(e).kind else {
            return false;
        };
        let ended = &self.program.expr(ended).kind;
        matches!(ended, ExprKind::Global(g) if self.program.scope.ended == Some(*g))
    }

    /// Whether an expression looks at what tasks share.
    fn looks(&self, e: ExprId) -> bool {
        if let Some(&known) = self.reads.borrow().get(&e) {
            return known;
        }
        let expr = self.program.expr(e);
        let reads = match expr.kind {
            ExprKind::Global(global) => self.beside.shares(global),
            ExprKind::Finished(_) => true,
            _ => operands(expr).into_iter().any(|o| self.looks(o)),
        };
        self.reads.borrow_mut().insert(e, reads);
        reads
    }
}

/// The walk over the ways from one place.
pub(super) struct Walk<'w, 'p> {
    pub(super) executor: &'w Executor<'p>,
    pub(super) code: &'w TaskCode,
    pub(super) from: Pc,
    pub(super) found: &'w mut Segments,
    /// Ways that are to be followed later.
    pub(super) open: Vec<Way>,
}

impl Walk<'_, '_> {
    /// Follows a way until it rests, ends or cannot be.
    fn follow(&mut self, mut way: Way) -> Result<(), Refusal> {
        loop {
            let line = &self.code.lines[way.pc];
            way.steps += 1;
            if way.steps > MOST_STEPS {
                let reason = "a way through the program comes to no preemption point";
                return Err(Refusal::new(line.span, reason));
            }
            let rests = self.code.rests(way.pc) && !self.passes(line, &way) || stops(line, &way);
            if rests && way.steps > 1 {
                let at = way.pc;
                if !self.found.places.contains(&at) {
                    self.found.places.push(at);
                }
                self.end(way, Some(at));
                return Ok(());
            }
            if self.code.rests(way.pc) && way.steps > 1 {
                self.forget(&mut way);
            }
            if matches!(line.instr, Instr::End) {
                self.end(way, None);
                return Ok(());
            }
            if !line.shares.races.is_empty() {
                self.found.racing.insert((self.from, way.pc));
            }
            way.told |= line.shares.tells;
            let Some(next) = self.step(line, way)? else {
                return Ok(());
            };
            way = next;
        }
    }

    /// Whether a way passes through a place to rest. It is a point of the mode, and either nothing was touched before it, or the
    /// task rests again behind it before it does anything.
    fn passes(&self, line: &Line, way: &Way) -> bool {
        let is_next = || {
            let mut next = self.code.lines[way.pc + 1..].iter();
            let next = next.find(|line| !matches!(line.instr, Instr::Assume(e) if self.executor.is_before_the_end(e)));
            next.is_some_and(|line| stops(line, way))
        };
        matches!(line.instr, Instr::Point(PreemptKind::Implicit)) && (!way.touched || is_next())
    }

    /// Where a way passes through a place to rest, others may have changed what is no part of the shared state.
    fn forget(&self, way: &mut Way) {
        for &global in &self.executor.beside.any {
            for value in &mut way.env.globals[global.index()] {
                *value = fresh("any", &value.get_sort());
            }
        }
        self.executor.any_of_their_types(way);
    }

    fn end(&mut self, way: Way, to: Option<Pc>) {
        self.found.ways.push(Segment {
            from: self.from,
            to,
            guard: all(&way.guard),
            env: way.env,
            posts: way.posts,
        });
    }

    /// Executes an instruction, unless the way ends with it.
    pub(super) fn step(&mut self, line: &Line, mut way: Way) -> Result<Option<Way>, Refusal> {
        way.touched |= self.touches(line);
        let refuse = |reason: String| Refusal::new(line.span, reason);
        if Instant::now() >= self.executor.end || work::stopping() {
            return Err(Refusal::late(line.span));
        }
        match &line.instr {
            Instr::Start | Instr::Point(_) | Instr::Head | Instr::End => {}
            Instr::Jump(to) => {
                way.pc = *to;
                return Ok(Some(way));
            }
            Instr::Wait(checks, cond) => {
                if !self.wait(line, &mut way, checks, *cond)? {
                    return Ok(None);
                }
            }
            Instr::Set(local, e) => {
                let value = self.row(line, &mut way, *e)?;
                way.env.locals[*local] = value;
            }
            Instr::Assign(to, e) => {
                let value = self.row(line, &mut way, *e)?;
                self.store(line, &mut way, to, value)?;
            }
            Instr::Havoc(to) => {
                let value = self.any(line, &mut way, to)?;
                self.store(line, &mut way, to, value)?;
            }
            Instr::Assume(e) => {
                let cond = self.truth(line, &mut way, *e)?;
                if !self.assume(&mut way, cond) {
                    return Ok(None);
                }
            }
            Instr::Check(check) => {
                if !self.check(line, &mut way, check)? {
                    return Ok(None);
                }
            }
            Instr::Branch(e, to) => {
                if !self.branch(line, &mut way, *e, *to)? {
                    return Ok(None);
                }
            }
            Instr::Post(proc, args, into) => {
                let args = args.iter().map(|&e| self.row(line, &mut way, e));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                if self.open.len() > MOST_WAYS {
                    return Err(refuse("too many ways lead through here".into()));
                }
                self.post(&mut way, *proc, args, *into);
            }
            Instr::Call(..) | Instr::Cut => unreachable!("only sequential programs have them"),
        }
        way.pc += 1;
        Ok(Some(way))
    }

    /// Goes on where a condition holds, and leaves for later where it does not; answers whether it can hold.
    fn branch(
        &mut self,
        line: &Line,
        way: &mut Way,
        e: ExprId,
        to: usize,
    ) -> Result<bool, Refusal> {
        let cond = self.truth(line, way, e)?;
        let mut other = way.clone();
        other.pc = to;
        if self.assume(&mut other, cond.not()) {
            self.open.push(other);
        }
        Ok(self.assume(way, cond))
    }

    /// Whether other tasks can tell whether an instruction has been executed.
    fn touches(&self, line: &Line) -> bool {
        let looks = |e: &ExprId| self.executor.looks(*e);
        let place = |to: &Place| {
            matches!(to.root, Root::Global(g) if self.executor.beside.shares(g))
                || to
                    .path
                    .iter()
                    .any(|s| matches!(s, Step::Index(e) if looks(e)))
        };
        match &line.instr {
            Instr::Set(_, e) => looks(e),
            Instr::Assign(to, e) => place(to) || looks(e),
            Instr::Havoc(to) => place(to),
            // An assumption about locals drops the same executions earlier or later.
            Instr::Branch(e, _) | Instr::Assume(e) => looks(e),
            Instr::Post(..) | Instr::Wait(..) | Instr::Check(_) => true,
            Instr::Start | Instr::Point(_) | Instr::Head | Instr::Jump(_) => false,
            Instr::Call(..) | Instr::Cut | Instr::End => false,
        }
    }

    /// Goes on where a condition holds; returns whether it can. The solver is asked only where that is not plain.
    fn assume(&self, way: &mut Way, cond: Bool) -> bool {
        let cond = as_bool(&simplified(&truth(&cond)));
        match cond.as_bool() {
            Some(known) => known,
            None => {
                way.guard.push(cond);
                self.executor.possible(&way.guard)
            }
        }
    }

    fn wait(
        &mut self,
        line: &Line,
        way: &mut Way,
        checks: &[Check],
        cond: ExprId,
    ) -> Result<bool, Refusal> {
        let mut blocked = way.guard.clone();
        for check in checks {
            if !self.check(line, way, check)? {
                return Ok(false);
            }
            blocked.clone_from(&way.guard);
        }
        let holds = self.truth(line, way, cond)?;
        blocked.push(holds.not());
        // What was chosen to evaluate the condition restricts both answers.
        blocked.extend(way.guard[blocked.len() - 1..].iter().cloned());
        self.found.blocked.push(Blocked {
            at: way.pc,
            when: all(&blocked),
        });
        Ok(self.assume(way, holds))
    }

    fn check(&mut self, line: &Line, way: &mut Way, check: &Check) -> Result<bool, Refusal> {
        let cond = self.truth(line, way, check.cond)?;
        let mut fails = way.clone();
        if self.assume(&mut fails, cond.not()) {
            self.found.failures.push(Failure {
                from: self.from,
                guard: all(&fails.guard),
                kind: check.kind,
                span: check.span,
            });
        }
        Ok(self.assume(way, cond))
    }

    /// Goes on where a value has not wrapped, and notes a failure where it has.
    fn stays(&mut self, line: &Line, way: &mut Way, inside: &Bool) {
        let inside = as_bool(&simplified(&truth(inside)));
        if inside.as_bool() == Some(true) {
            return;
        }
        let guard = [all(&way.guard), inside.not()];
        self.found.failures.push(Failure {
            from: self.from,
            guard: all(&guard),
            kind: ErrorKind::Overflow,
            span: line.span,
        });
        way.guard.push(inside);
    }

    fn post(&self, way: &mut Way, proc: ProcId, args: Vec<Row>, into: Option<usize>) {
        let handle = way.next.clone();
        way.next = Dynamic::from_ast(&Int::add(&[as_int(&handle), Int::from_i64(1)]));
        if let Some(into) = into {
            way.env.locals[into] = vec![handle.clone()];
        }
        way.posts.push(Posted { proc, args, handle });
    }

    /// Evaluates with the way's values. Whether a task has finished is chosen, and that restricts the way.
    fn with<T>(
        &mut self,
        line: &Line,
        way: &mut Way,
        f: impl FnOnce(&Eval<'_>) -> Result<T, String>,
    ) -> Result<T, Refusal> {
        let chosen = RefCell::new(Vec::new());
        let inside = RefCell::new(Vec::new());
        let stays = |holds| inside.borrow_mut().push(holds);
        let finished = |handle: &Dynamic| {
            let any = as_bool(&fresh("finished", &Sort::bool()));
            // Handle 0, which is no task, has not finished; nor has the running task.
            let not = Bool::or(&[handle.eq(int(0)), handle.eq(&way.env.me)]);
            chosen.borrow_mut().push(not.implies(any.not()));
            if way.posts.is_empty() {
                self.executor.asked.borrow_mut().push(Asked {
                    finished: any.clone(),
                    handle: handle.clone(),
                });
            }
            any
        };
        let made = f(&Eval {
            program: self.executor.program,
            code: self.code,
            env: &way.env,
            frame: line.frame,
            finished: &finished,
            chosen: &|holds| chosen.borrow_mut().push(holds),
            stays: self.executor.strict.then_some(&stays),
        });
        way.guard.extend(chosen.into_inner());
        for holds in inside.into_inner() {
            self.stays(line, way, &holds);
        }
        made.map_err(|reason| Refusal::new(line.span, format!("{reason} is not handled")))
    }

    pub(super) fn row(&mut self, line: &Line, way: &mut Way, e: ExprId) -> Result<Row, Refusal> {
        let row = self.with(line, way, |eval| eval.row(e))?;
        Ok(row.iter().map(simplified).collect())
    }

    fn truth(&mut self, line: &Line, way: &mut Way, e: ExprId) -> Result<Bool, Refusal> {
        self.with(line, way, |eval| eval.truth(e))
    }

    fn store(&mut self, line: &Line, way: &mut Way, to: &Place, value: Row) -> Result<(), Refusal> {
        let old = self.variable(line, way, to).clone();
        let new = self.with(line, way, |eval| eval.stored(to, &old, &value))?;
        *self.variable(line, way, to) = new.iter().map(simplified).collect();
        Ok(())
    }

    /// The variable that a place is, or is a part of.
    fn variable<'v>(&self, line: &Line, way: &'v mut Way, to: &Place) -> &'v mut Row {
        match to.root {
            Root::Global(g) => match self.code.own.get(&g) {
                Some(&own) => &mut way.env.locals[own],
                None => &mut way.env.globals[g.index()],
            },
            Root::Local(l) => &mut way.env.locals[line.frame + l.index()],
        }
    }

    /// Any value of a place's type. A program cannot choose a task.
    fn any(&self, line: &Line, way: &mut Way, to: &Place) -> Result<Row, Refusal> {
        let program = self.executor.program;
        let all = leaves(program, to.ty)
            .ok_or_else(|| Refusal::new(line.span, "a value of so many parts is not handled"))?;
        let chosen = all.iter().map(|leaf| any(program, leaf));
        let row: Row = chosen.collect();
        let bounds = all.iter().zip(&row);
        way.guard
            .extend(bounds.filter_map(|(leaf, value)| leaf.bounds(program, value)));
        Ok(row)
    }
}

/// Whether a task rests before an instruction, where races are looked for: see [`super::races`].
fn stops(line: &Line, way: &Way) -> bool {
    let races = !line.shares.races.is_empty();
    races && !line.whole || way.told && (races || line.shares.learns)
}

/// Any value of a leaf; no task where it is a handle.
fn any(program: &Program, leaf: &Leaf) -> Dynamic {
    if leaf.is_task(program) {
        return constant(&leaf.keys, &int(0));
    }
    fresh("any", &leaf.sort(program))
}

/// Joins conditions by "or". SMT-LIB has no disjunction of one part or of none.
#[must_use]
pub fn either(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(false),
        [one] => one.clone(),
        _ => Bool::or(parts),
    }
}

#[must_use]
pub fn all(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(true),
        [one] => one.clone(),
        _ => Bool::and(parts),
    }
}
