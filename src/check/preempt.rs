//! Where tasks can be interrupted: the three modes, made here and nowhere else.
//!
//! - `yield`: nowhere beside the statements that say so.
//! - `statement`: one point before each statement that touches a global in its own expressions.
//! - `access`: one point before each single read and write of a global. A read goes into a temporary.
//!
//! In both of the latter one point stands before an `atomic` that touches a
//! global or posts, itself or in what it calls. Inside atomic code, conditions
//! of awaits and initial values there are none.

use crate::ir::calls::Calls;
use crate::ir::{Block, ExprId, Place as Target, PreemptKind, Program, Root, Stmt, StmtKind, walk};
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
        let reads = walk::all_reads(program, |root| matches!(root, Root::Global(_)));
        let mut touching = Self {
            reads,
            procs: vec![false; program.procs.len()],
        };
        let own = program.procs.iter().map(|p| touching.block(&p.body));
        touching.procs = Calls::of(program).to_callers(own.collect());
        touching
    }

    fn block(&self, block: &Block) -> bool {
        block.iter().any(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Post(..) => return true,
            StmtKind::Call(_, callee, _) if self.procs[callee.index()] => return true,
            _ => {}
        }
        walk::written(stmt).is_some_and(|place| matches!(place.root, Root::Global(_)))
            || walk::exprs(stmt).iter().any(|&e| self.reads[e.index()])
            || walk::children(stmt).any(|block| self.block(block))
    }
}
