//! A task as flat instructions, with its calls inlined: the automaton whose places are counted.
//!
//! A task rests at [`Instr::Start`], [`Instr::Point`], [`Instr::Wait`] or [`Instr::Head`], and nowhere else. The last is the
//! head of a loop that can go round without passing the others. A rest there is an interruption that the program does not
//! have: it only adds executions, so what is proved of the automaton holds of the program.
//!
//! A [sequential](Sequential) program is one such task: it rests at the heads of loops alone, and its recursive procedures are
//! called, not inlined.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use base::source::Span;
use ir::turns::Turns;
use ir::{
    Block, ErrorKind, ExprId, GlobalId, LocalId, Loop, LoopId, Place, PreemptKind, ProcId, Program,
    Stmt, StmtKind, TypeId,
};

use super::accesses::Shares;
use super::beside::Beside;
use super::refusal::Refusal;

/// A place in a task's instructions.
pub type Pc = usize;

/// A check: what goes wrong unless a condition holds.
#[derive(Clone, Debug)]
pub struct Check {
    pub kind: ErrorKind,
    pub cond: ExprId,
    pub span: Span,
}

/// An instruction. Expressions and places are about the locals from the instruction's frame on.
#[derive(Clone, Debug)]
pub enum Instr {
    /// Where a posted task is pending.
    Start,
    Point(PreemptKind),
    /// A preemption point that is passed when every check fails or the condition holds.
    Wait(Vec<Check>, ExprId),
    /// The head of a loop.
    Head,
    /// A local, counted from the first of the task, becomes the value.
    Set(usize, ExprId),
    /// A place becomes the value.
    Assign(Place, ExprId),
    /// A place gets any value.
    Havoc(Place),
    /// Drops the execution unless the condition holds.
    Assume(ExprId),
    /// Fails unless the check's condition holds.
    Check(Check),
    /// Goes on with the next instruction if the condition holds, else at that place.
    Branch(ExprId, Pc),
    Jump(Pc),
    /// Makes a task; its handle goes to a local, counted from the first of the task.
    Post(ProcId, Vec<ExprId>, Option<usize>),
    /// Runs a procedure of a sequential program; its result goes to a local, counted from the first.
    Call(ProcId, Vec<ExprId>, Option<usize>),
    /// An execution that is followed no further.
    Cut,
    /// The task is done.
    End,
}

/// A local of a task. Each inlined call of a procedure has locals of its own.
#[derive(Clone, Debug)]
pub struct TaskLocal {
    pub name: String,
    pub ty: TypeId,
    /// The program's local that this is, if it is one.
    pub of: Option<(ProcId, LocalId)>,
}

/// An instruction with its frame and its place in the source.
#[derive(Clone, Debug)]
pub struct Line {
    pub instr: Instr,
    /// The first local of the instruction's procedure.
    pub frame: usize,
    pub span: Span,
    /// The instruction stands in a part that no other task interrupts: `atomic`, or an await.
    pub whole: bool,
    /// What the instruction shares with other tasks, if races are looked for.
    pub shares: Shares,
}

#[derive(Clone, Debug)]
pub struct TaskCode {
    pub proc: ProcId,
    /// How many of the first locals are parameters.
    pub params: usize,
    /// The instructions; the first is `Start`.
    pub lines: Vec<Line>,
    /// The locals of all frames.
    pub locals: Vec<TaskLocal>,
    /// For some globals, the local that stands for the task's own part of the global. These locals come last.
    pub own: FxHashMap<GlobalId, usize>,
    /// The globals that have another value whenever they are read.
    pub unsteady: BTreeSet<GlobalId>,
}

/// The most instructions of a task: questions about more of them are not decided.
const MOST_INSTRUCTIONS: usize = 20_000;

/// A loop of at most that many rounds is unrolled in a sequential program.
const SHORT_LOOP: u64 = 16;

/// What is known of a sequential program.
pub struct Sequential {
    /// Of each procedure, whether it may call itself.
    pub recursive: Vec<bool>,
    /// Of each procedure, how often its loops turn.
    pub turns: Vec<Turns>,
    /// The mark whose value says that an execution was not followed to its end: here that is a failure.
    pub cut: Option<u32>,
}

/// The instructions of a task.
///
/// # Errors
/// When a procedure calls itself, or there are too many instructions.
pub fn compile(program: &Program, proc: ProcId, beside: &Beside) -> Result<TaskCode, Refusal> {
    let mut compiler = Compiler::new(program, proc, None);
    let first = compiler.here();
    for of in beside.own.values() {
        compiler.emit(Instr::Set(0, of.value));
    }
    compiler.procedure(proc, None)?;
    compiler.own(beside, first);
    compiler.code.unsteady.clone_from(&beside.unsteady);
    Ok(without_needless_heads(compiler.end()))
}

/// Compiles a procedure of a sequential program. Returns its instructions, and the local that gets its result if it has one.
/// `main` begins with the statements that give globals their values.
///
/// # Errors
/// When there are too many instructions.
pub fn compile_sequential(
    program: &Program,
    how: &Sequential,
    proc: ProcId,
) -> Result<(TaskCode, Option<usize>), Refusal> {
    let mut compiler = Compiler::new(program, proc, Some(how));
    compiler.locals(proc);
    let result = program.proc(proc).result.map(|ty| {
        let name = "result".to_owned();
        let of = None;
        compiler.code.locals.push(TaskLocal { name, ty, of });
        compiler.code.locals.len() - 1
    });
    if proc == program.main {
        compiler.procedure(program.init, None)?;
    }
    compiler.enter(proc, 0, result)?;
    Ok((compiler.end(), result))
}

/// A jump whose goal is not known yet.
type Open = Vec<Pc>;

/// Where `break` and `continue` of a loop go.
struct Targets {
    id: LoopId,
    breaks: Open,
    continues: Open,
}

/// A procedure that is being inlined.
struct Frame {
    proc: ProcId,
    base: usize,
    into: Option<usize>,
    returns: Open,
    /// How many loops were open where it was called: their ids are another procedure's.
    outer_loops: usize,
}

struct Compiler<'p> {
    program: &'p Program,
    /// If the program is sequential: what is known of it.
    sequential: Option<&'p Sequential>,
    code: TaskCode,
    span: Span,
    frames: Vec<Frame>,
    loops: Vec<Targets>,
    /// How many parts that no other task interrupts enclose the statement.
    whole: usize,
    /// Where the task stays once it has come to a [cut](super::open): one place for all of them.
    stuck: Option<Pc>,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, proc: ProcId, sequential: Option<&'p Sequential>) -> Self {
        let mut compiler = Self {
            program,
            sequential,
            code: TaskCode {
                proc,
                params: program.proc(proc).params as usize,
                lines: Vec::new(),
                locals: Vec::new(),
                own: FxHashMap::default(),
                unsteady: BTreeSet::new(),
            },
            span: program.proc(proc).span,
            frames: Vec::new(),
            loops: Vec::new(),
            whole: 0,
            stuck: None,
        };
        compiler.emit(Instr::Start);
        compiler
    }

    /// Adds locals for what the task has of its own. The instructions from `first` on give them their values.
    fn own(&mut self, beside: &Beside, first: Pc) {
        for (pc, (&global, of)) in (first..).zip(&beside.own) {
            let local = self.code.locals.len();
            self.code.locals.push(TaskLocal {
                name: self.program.globals[global.index()].name.clone(),
                ty: of.ty,
                of: None,
            });
            self.code.own.insert(global, local);
            self.code.lines[pc].instr = Instr::Set(local, of.value);
        }
    }

    fn end(mut self) -> TaskCode {
        self.emit(Instr::End);
        self.code
    }

    fn here(&self) -> Pc {
        self.code.lines.len()
    }

    fn base(&self) -> usize {
        self.frames.last().map_or(0, |f| f.base)
    }

    fn emit(&mut self, instr: Instr) -> Pc {
        self.code.lines.push(Line {
            instr,
            frame: self.base(),
            span: self.span,
            whole: self.whole > 0,
            shares: Shares::default(),
        });
        self.here() - 1
    }

    /// Makes jumps go to the place that comes next.
    fn bind(&mut self, open: Open) {
        let here = self.here();
        for at in open {
            match &mut self.code.lines[at].instr {
                Instr::Branch(_, to) | Instr::Jump(to) => *to = here,
                _ => {}
            }
        }
    }

    fn jump(&mut self) -> Pc {
        self.emit(Instr::Jump(0))
    }

    fn procedure(&mut self, proc: ProcId, into: Option<usize>) -> Result<(), Refusal> {
        let base = self.locals(proc);
        self.enter(proc, base, into)
    }

    /// Makes room for a procedure's locals; says where they begin.
    fn locals(&mut self, proc: ProcId) -> usize {
        let base = self.code.locals.len();
        let locals = self.program.proc(proc).locals.iter().enumerate();
        self.code.locals.extend(locals.map(|(number, l)| TaskLocal {
            name: l.name.to_string(),
            ty: l.ty,
            of: Some((proc, LocalId::from_index(number))),
        }));
        base
    }

    fn enter(&mut self, proc: ProcId, base: usize, into: Option<usize>) -> Result<(), Refusal> {
        self.frames.push(Frame {
            proc,
            base,
            into,
            returns: Vec::new(),
            outer_loops: self.loops.len(),
        });
        self.block(&self.program.proc(proc).body)?;
        if let Some(frame) = self.frames.pop() {
            self.bind(frame.returns);
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<(), Refusal> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        if self.here() > MOST_INSTRUCTIONS {
            return Err(Refusal::new(
                stmt.span,
                format!("with its calls inlined a task has more than {MOST_INSTRUCTIONS} steps"),
            ));
        }
        let outer = std::mem::replace(&mut self.span, stmt.span);
        self.kind(&stmt.kind)?;
        self.span = outer;
        Ok(())
    }

    fn kind(&mut self, kind: &StmtKind) -> Result<(), Refusal> {
        match kind {
            StmtKind::Assign(to, e) => drop(self.emit(Instr::Assign(to.clone(), *e))),
            StmtKind::Havoc(to, _) => drop(self.emit(Instr::Havoc(to.clone()))),
            StmtKind::Assume(e) => drop(self.emit(Instr::Assume(*e))),
            StmtKind::Check(kind, cond, _) => {
                let check = self.check(*kind, *cond, self.span);
                self.emit(Instr::Check(check));
            }
            StmtKind::If(cond, yes, no) => self.branches(*cond, yes, no)?,
            StmtKind::Loop(l) => self.cycle(l)?,
            StmtKind::Break(id) => self.leave(*id, true),
            StmtKind::Continue(id) => self.leave(*id, false),
            StmtKind::Return(value) => self.give_back(*value),
            StmtKind::Call(into, proc, args) => {
                let into = into.map(|l| self.base() + l.index());
                self.call(into, *proc, args)?;
            }
            StmtKind::Post(into, proc, args) => {
                let into = into.map(|l| self.base() + l.index());
                self.emit(Instr::Post(*proc, args.to_vec(), into));
            }
            StmtKind::Preempt(kind) => drop(self.emit(Instr::Point(*kind))),
            StmtKind::Await(at) => {
                let checks = at.checks.iter().filter_map(|s| match &s.kind {
                    StmtKind::Check(kind, cond, _) => Some(self.check(*kind, *cond, s.span)),
                    _ => None,
                });
                let checks = checks.collect();
                self.whole += 1;
                self.emit(Instr::Wait(checks, at.cond));
                self.block(&at.body)?;
                self.whole -= 1;
            }
            StmtKind::Atomic(_, block) => {
                self.whole += 1;
                self.block(block)?;
                self.whole -= 1;
            }
            StmtKind::Mark(id, values) => self.mark(*id, values),
        }
        Ok(())
    }

    fn mark(&mut self, id: u32, values: &[ExprId]) {
        if let (Some(cut), &[value]) = (self.sequential.and_then(|s| s.cut), values)
            && cut == id
        {
            let over = self.emit(Instr::Branch(value, 0));
            self.emit(Instr::Cut);
            self.bind(vec![over]);
        }
    }

    fn check(&self, kind: ErrorKind, cond: ExprId, span: Span) -> Check {
        Check { kind, cond, span }
    }

    fn branches(&mut self, cond: ExprId, yes: &Block, no: &Block) -> Result<(), Refusal> {
        let branch = self.emit(Instr::Branch(cond, 0));
        self.block(yes)?;
        if no.is_empty() {
            self.bind(vec![branch]);
            return Ok(());
        }
        let over = self.jump();
        self.bind(vec![branch]);
        self.block(no)?;
        self.bind(vec![over]);
        Ok(())
    }

    fn cycle(&mut self, l: &Loop) -> Result<(), Refusal> {
        if self.stays(l) {
            let at = self.stuck.unwrap_or(self.here());
            if self.stuck.is_none() {
                self.stuck = Some(self.emit(Instr::Point(PreemptKind::Yield)));
            }
            self.emit(Instr::Jump(at));
            return Ok(());
        }
        self.loops.push(Targets {
            id: l.id,
            breaks: Vec::new(),
            continues: Vec::new(),
        });
        let next = self.here() + 1;
        let head = self.emit(if self.is_unrolled(l) {
            Instr::Jump(next)
        } else {
            Instr::Head
        });
        self.block(&l.pre)?;
        let branch = self.emit(Instr::Branch(l.cond, 0));
        self.block(&l.body)?;
        if let Some(targets) = self.loops.last_mut() {
            let continues = std::mem::take(&mut targets.continues);
            self.bind(continues);
        }
        self.block(&l.step)?;
        self.emit(Instr::Jump(head));
        if let Some(targets) = self.loops.pop() {
            self.bind(targets.breaks);
        }
        self.bind(vec![branch]);
        Ok(())
    }

    /// Whether a loop is a cut at which the task stays.
    fn stays(&self, l: &Loop) -> bool {
        let yields = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Preempt(PreemptKind::Yield));
        matches!(&l.body[..], [only] if yields(only)) && self.program.scope.cut(self.span).is_some()
    }

    fn is_unrolled(&self, l: &Loop) -> bool {
        let (Some(sequential), Some(frame)) = (self.sequential, self.frames.last()) else {
            return false;
        };
        let turns = sequential.turns[frame.proc.index()].of(l.id);
        turns.is_some_and(|turns| turns <= SHORT_LOOP)
    }

    fn leave(&mut self, id: LoopId, end: bool) {
        let jump = self.jump();
        let outer = self.frames.last().map_or(0, |f| f.outer_loops);
        let own = &mut self.loops[outer..];
        if let Some(targets) = own.iter_mut().rev().find(|t| t.id == id) {
            let list = if end {
                &mut targets.breaks
            } else {
                &mut targets.continues
            };
            list.push(jump);
        }
    }

    fn give_back(&mut self, value: Option<ExprId>) {
        if let (Some(value), Some(into)) = (value, self.frames.last().and_then(|f| f.into)) {
            self.emit(Instr::Set(into, value));
        }
        let jump = self.jump();
        if let Some(frame) = self.frames.last_mut() {
            frame.returns.push(jump);
        }
    }

    /// Inlines a call: arguments are evaluated in the caller's frame, then stored in the callee's, which is new.
    fn call(&mut self, into: Option<usize>, proc: ProcId, args: &[ExprId]) -> Result<(), Refusal> {
        if self.sequential.is_some_and(|s| s.recursive[proc.index()]) {
            self.emit(Instr::Call(proc, args.to_vec(), into));
            return Ok(());
        }
        if self.frames.iter().any(|f| f.proc == proc) {
            let name = &self.program.proc(proc).name;
            return Err(Refusal::new(
                self.span,
                format!("`{name}` calls itself, and calls are inlined"),
            ));
        }
        let base = self.code.locals.len();
        for (i, &arg) in args.iter().enumerate() {
            self.emit(Instr::Set(base + i, arg));
        }
        self.procedure(proc, into)
    }
}

impl TaskCode {
    /// Whether a task rests there.
    #[must_use]
    pub fn rests(&self, pc: Pc) -> bool {
        matches!(
            self.lines[pc].instr,
            Instr::Start | Instr::Point(_) | Instr::Wait(..) | Instr::Head
        )
    }

    /// Where control can go from there, whether or not the task rests in between.
    pub fn successors(&self, pc: Pc) -> impl Iterator<Item = Pc> + use<> {
        let (next, other) = match self.lines[pc].instr {
            Instr::End | Instr::Cut => (None, None),
            Instr::Jump(to) => (Some(to), None),
            Instr::Branch(_, to) => (Some(pc + 1), Some(to)),
            _ => (Some(pc + 1), None),
        };
        next.into_iter().chain(other)
    }

    /// Whether control can come back to a place; it does not pass places where `stop` holds.
    pub fn on_cycle(&self, pc: Pc, stop: impl Fn(Pc) -> bool) -> bool {
        let mut seen = FxHashSet::default();
        let mut open: Vec<Pc> = self.successors(pc).collect();
        while let Some(at) = open.pop() {
            if at == pc {
                return true;
            }
            if !stop(at) && seen.insert(at) {
                open.extend(self.successors(at));
            }
        }
        false
    }
}

/// Makes the head of a loop no place to rest, if every round of the loop rests elsewhere.
fn without_needless_heads(mut code: TaskCode) -> TaskCode {
    for pc in 0..code.lines.len() {
        let stops = |at: Pc| matches!(code.lines[at].instr, Instr::Point(_) | Instr::Wait(..));
        if matches!(code.lines[pc].instr, Instr::Head) && !code.on_cycle(pc, stops) {
            code.lines[pc].instr = Instr::Jump(pc + 1);
        }
    }
    code
}
