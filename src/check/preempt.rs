//! Where tasks can be interrupted: the three modes, made here and nowhere else.
//!
//! - `yield`: nowhere beside the statements that say so.
//! - `statement`: one point before each statement that touches a global in its own expressions.
//! - `access`: one point before each single read and write of a global. A read goes into a temporary.
//!
//! In both of the latter one point stands before an `atomic` that touches a
//! global or posts, itself or in what it calls. Inside atomic code, conditions
//! of awaits and initial values there are none.

use crate::ir::{
    Await, Block, ExprId, ExprKind, Loop, Place as Target, PreemptKind, Program, Root, Step, Stmt,
    StmtKind,
};
use crate::options::PreemptMode;

use super::Checker;
use super::body::Place;
use super::typed::Effects;

impl Checker<'_> {
    fn interruptible(&self) -> bool {
        self.body.place == Place::Procedure && self.body.atomic.is_none() && !self.body.in_condition
    }

    /// Whether each access of a global is a step of its own here.
    pub(super) fn splits(&self) -> bool {
        self.mode == PreemptMode::Access && self.interruptible()
    }

    fn point(&mut self) {
        self.emit(StmtKind::Preempt(PreemptKind::Implicit));
    }

    /// A statement begins that touches globals in its own expressions, or not.
    pub(super) fn statement_point(&mut self, touches: bool) {
        if touches && self.mode == PreemptMode::Statement && self.interruptible() {
            self.point();
        }
    }

    /// The value of a part of a global, given as an expression: an access.
    pub(super) fn load(&mut self, part: ExprId) -> ExprId {
        if !self.splits() {
            return part;
        }
        self.point();
        self.keep(part)
    }

    /// A store follows.
    pub(super) fn store_point(&mut self, place: &Target) {
        if matches!(place.root, Root::Global(_)) && self.splits() {
            self.point();
        }
    }

    /// Whether an operand with these effects needs statements that may run only if it is evaluated.
    pub(super) fn needs_flow(&self, effects: Effects) -> bool {
        (effects.has(Effects::CHOOSES) && self.body.place == Place::Procedure)
            || (effects.has(Effects::READS) && self.splits())
    }

    /// An `atomic` follows. Whether the point stays is known when everything is lowered.
    pub(super) fn atomic_point(&mut self) {
        if self.mode != PreemptMode::Yield && self.interruptible() {
            self.point();
        }
    }

    /// Removes the points before `atomic` blocks that neither touch a global nor post.
    pub(super) fn prune_points(&mut self) {
        if self.mode == PreemptMode::Yield || self.diagnostics.failed() {
            return;
        }
        let touching = Touching::of(&self.build.program);
        for proc in &mut self.build.program.procs {
            prune(&mut proc.body, &touching);
        }
    }
}

/// Drops the point before each `atomic` that touches nothing.
fn prune(block: &mut Block, touching: &Touching) {
    let mut keep = vec![true; block.len()];
    for (index, stmt) in block.iter_mut().enumerate() {
        if let StmtKind::Atomic(inner) = &stmt.kind
            && index > 0
            && !touching.block(inner)
        {
            keep[index - 1] = false;
        }
        for inner in inner_blocks(&mut stmt.kind) {
            prune(inner, touching);
        }
    }
    let mut index = 0;
    block.retain(|stmt| {
        index += 1;
        keep[index - 1] || !matches!(stmt.kind, StmtKind::Preempt(PreemptKind::Implicit))
    });
}

/// The blocks in which an `atomic` can stand.
fn inner_blocks(kind: &mut StmtKind) -> Vec<&mut Block> {
    match kind {
        StmtKind::If(_, yes, no) => vec![yes, no],
        StmtKind::Loop(l) => vec![&mut l.body],
        _ => Vec::new(),
    }
}

/// Which expressions read globals, and which procedures touch them or post.
struct Touching {
    reads: Vec<bool>,
    procs: Vec<bool>,
}

impl Touching {
    fn of(program: &Program) -> Self {
        let mut reads: Vec<bool> = Vec::with_capacity(program.exprs.len());
        for expr in &program.exprs {
            let read = |e: &ExprId| reads[e.index()];
            let own = match &expr.kind {
                ExprKind::Global(_) => true,
                ExprKind::Unary(_, e) | ExprKind::Field(e, _) | ExprKind::Fill(e) => read(e),
                ExprKind::Convert(e) | ExprKind::Finished(e) => read(e),
                ExprKind::Binary(_, l, r) | ExprKind::Index(l, r) => read(l) || read(r),
                ExprKind::Ite(c, l, r) => read(c) || read(l) || read(r),
                ExprKind::Record(parts) | ExprKind::Array(parts) => parts.iter().any(read),
                _ => false,
            };
            reads.push(own);
        }
        let mut touching = Self {
            reads,
            procs: vec![false; program.procs.len()],
        };
        touching.close(program);
        touching
    }

    /// Spreads from the procedures that touch something to those that call them.
    fn close(&mut self, program: &Program) {
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); program.procs.len()];
        let mut work = Vec::new();
        for (index, proc) in program.procs.iter().enumerate() {
            if self.block(&proc.body) {
                self.procs[index] = true;
                work.push(index);
            }
            calls(&proc.body, &mut |callee| callers[callee].push(index as u32));
        }
        while let Some(proc) = work.pop() {
            for &caller in &callers[proc] {
                if !std::mem::replace(&mut self.procs[caller as usize], true) {
                    work.push(caller as usize);
                }
            }
        }
    }

    fn reads(&self, e: ExprId) -> bool {
        self.reads[e.index()]
    }

    fn block(&self, block: &Block) -> bool {
        block.iter().any(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.place(place) || self.reads(*value),
            StmtKind::Havoc(place, _) => self.place(place),
            StmtKind::Assume(e) | StmtKind::Check(_, e, _) => self.reads(*e),
            StmtKind::If(cond, yes, no) => self.reads(*cond) || self.block(yes) || self.block(no),
            StmtKind::Loop(l) => self.in_loop(l),
            StmtKind::Return(value) => value.is_some_and(|e| self.reads(e)),
            StmtKind::Call(_, callee, args) => {
                self.procs[callee.index()] || args.iter().any(|&e| self.reads(e))
            }
            StmtKind::Post(..) => true,
            StmtKind::Await(a) => self.in_await(a),
            StmtKind::Atomic(block) => self.block(block),
            StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Preempt(_)
            | StmtKind::Mark(..) => false,
        }
    }

    fn in_loop(&self, l: &Loop) -> bool {
        self.reads(l.cond)
            || [&l.pre, &l.body, &l.step]
                .into_iter()
                .any(|b| self.block(b))
    }

    fn in_await(&self, a: &Await) -> bool {
        self.reads(a.cond) || self.block(&a.checks) || self.block(&a.body)
    }

    fn place(&self, place: &Target) -> bool {
        let index = |step: &Step| matches!(step, Step::Index(e) if self.reads(*e));
        matches!(place.root, Root::Global(_)) || place.path.iter().any(index)
    }
}

/// The procedures that a block calls.
fn calls(block: &Block, found: &mut impl FnMut(usize)) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Call(_, callee, _) => found(callee.index()),
            StmtKind::If(_, yes, no) => {
                calls(yes, found);
                calls(no, found);
            }
            StmtKind::Loop(l) => {
                for inner in [&l.pre, &l.body, &l.step] {
                    calls(inner, found);
                }
            }
            StmtKind::Await(a) => calls(&a.body, found),
            StmtKind::Atomic(inner) => calls(inner, found),
            _ => {}
        }
    }
}
