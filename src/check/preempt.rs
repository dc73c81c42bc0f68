//! Where tasks can be interrupted: the three modes of `.async`.
//!
//! - `yield`: only at the statements that say so.
//! - `statement`: one point before each statement that touches a global in its own expressions.
//! - `access`: one point before each single read and write of a global. A read goes into a temporary.
//!
//! In the modes `statement` and `access` one point stands before an `atomic` that touches a global or posts,
//! itself or in procedures that it calls. There are no points inside atomic code, conditions of awaits and initial values.
//!
//! Points are made together with the statements. A value that a check and a statement share is read once, and the program does
//! not show where a statement of the user begins. A [pass](ir::passes::points) does what can be done to the program itself.

use ir::lower::Lower;
use ir::passes;
use ir::{ExprId, Place as Target, PreemptKind, Root, StmtKind};
use options::PreemptMode;

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

    /// In mode `statement`: emits the point before a statement that touches globals in its own expressions.
    pub(super) fn statement_point(&mut self, touches: bool) {
        if touches && self.mode == PreemptMode::Statement && self.interruptible() {
            self.point();
        }
    }

    /// Reads a part of a global. Where accesses are steps, a point stands before, and a temporary keeps the value.
    pub(super) fn load(&mut self, part: ExprId) -> ExprId {
        if !self.splits() {
            return part;
        }
        self.point();
        self.keep(part)
    }

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

    /// Emits the point before an `atomic`. [`Self::prune_points`] may remove it in the end.
    pub(super) fn atomic_point(&mut self) {
        if self.mode != PreemptMode::Yield && self.interruptible() {
            self.point();
        }
    }

    /// Removes the points before `atomic` blocks that neither touch a global nor post.
    pub(super) fn prune_points(&mut self) {
        if self.mode != PreemptMode::Yield && !self.diagnostics.failed() {
            let program = &mut self.build.program;
            passes::run("points", program, passes::points::drop_idle);
        }
    }
}
