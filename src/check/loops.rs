//! Loops: `while`, `for`, and the statements that leave them.

use ast::{
    tree,
    tree::{Block, Name},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, Loop, StmtKind, TypeId, Types};

use super::Checker;
use super::body::Frame;
use super::lower::Val;
use super::names::{Bound, Fixed};
use super::typed::{Bounds, NodeId, Ty};
use ir::lower::build::read_as;

impl Checker<'_> {
    pub(super) fn while_loop(&mut self, cond: tree::ExprId, body: Block, span: Span) -> bool {
        let head = self.head(span, cond);
        self.body.span = head;
        let (pre, cond) = self.in_block(|c| c.condition(cond));
        let id = self.body.new_loop();
        self.body.loops.push(Frame {
            id,
            has_break: false,
        });
        let (body, _) = self.in_block(|c| c.block(body));
        let has_break = self.body.loops.pop().is_some_and(|f| f.has_break);
        self.body.span = head;
        let Some(cond) = cond else { return true };
        if self.build.is_false(cond) && pre.is_empty() {
            return true;
        }
        let endless = self.build.is_true(cond);
        self.emit(StmtKind::Loop(Box::new(Loop {
            id,
            pre,
            cond,
            body,
            step: ir::Block::new(),
        })));
        !endless || has_break
    }

    pub(super) fn for_loop(
        &mut self,
        name: Name,
        lo: tree::ExprId,
        hi: tree::ExprId,
        body: Block,
        span: Span,
    ) {
        let head = self.head(span, hi);
        self.body.span = head;
        let ends = self.loop_bounds(lo, hi);
        let (ty, bounds) = ends.map_or((Types::INT, None), |(ty, lo, hi)| {
            (ty, between(lo.bounds, hi.bounds))
        });
        let text = self.text(name).to_owned();
        let variable = self.body.local(text, ty, false);
        let start = ends.map(|(ty, lo, hi)| self.start_loop(variable, ty, lo, hi));
        let id = self.body.new_loop();
        self.body.loops.push(Frame {
            id,
            has_break: false,
        });
        let (body, ()) = self.in_block(|c| {
            c.names.enter();
            c.bind(
                name,
                Bound::Local {
                    id: variable,
                    ty,
                    bounds,
                    fixed: Some(Fixed::For),
                },
            );
            c.block(body);
            c.names.leave();
        });
        self.body.loops.pop();
        self.body.span = head;
        if let Some((cond, step)) = start {
            self.emit(StmtKind::Loop(Box::new(Loop {
                id,
                pre: ir::Block::new(),
                cond,
                body,
                step,
            })));
        }
    }

    /// The bounds of a `for`, evaluated, and their type.
    fn loop_bounds(&mut self, lo: tree::ExprId, hi: tree::ExprId) -> Option<(TypeId, Val, Val)> {
        let (lo, hi) = (self.synth(lo), self.synth(hi));
        let ty = self.common_number(lo, hi);
        self.touch(&[lo, hi]);
        if self.broken {
            return None;
        }
        let lo = self.lower(lo);
        let hi = self.lower(hi);
        Some((ty, lo, hi))
    }

    /// The type that two numbers have in common; `int` if both are literals.
    fn common_number(&mut self, l: NodeId, r: NodeId) -> TypeId {
        for (one, other) in [(l, r), (r, l)] {
            if let Ty::Value(ty) = self.ty(one) {
                self.require_number(one);
                let ty = read_as(self.build.types(), ty);
                if let Ty::Value(second) = self.ty(other)
                    && !self.compatible(second, ty)
                {
                    self.mismatch(other, second, ty);
                } else {
                    self.check_against(other, ty);
                }
                return ty;
            }
        }
        self.check_against(l, Types::INT);
        self.check_against(r, Types::INT);
        Types::INT
    }

    /// Gives the variable of a `for` its first value. Returns the loop's condition and its step.
    ///
    /// The last value may be the greatest number, behind which another step would begin anew. Then a flag says whether to go on.
    fn start_loop(
        &mut self,
        variable: ir::LocalId,
        ty: TypeId,
        lo: Val,
        hi: Val,
    ) -> (ExprId, ir::Block) {
        let end = self.loop_end(hi.id, ty);
        let whole = self.build.types().bounds(ty);
        // Engines that keep numbers in 64 bits hold no greater `int`.
        let greatest = whole.map_or_else(|| i64::MAX.into(), |w| w.1);
        let can_pass = hi.bounds.map_or(whole.is_none(), |b| b.1 < greatest);
        if can_pass {
            self.store_local(variable, lo.id);
            let i = self.read_local(variable);
            let cond = self.build.binary(BinaryOp::Le, i, end);
            let (step, ()) = self.in_block(|c| c.increment(variable, ty));
            return (cond, step);
        }
        let flag = self.body.local(String::new(), Types::BOOL, true);
        self.store_local(variable, lo.id);
        let i = self.read_local(variable);
        let first = self.build.binary(BinaryOp::Le, i, end);
        self.assign_local(flag, first);
        let more = self.build.binary(BinaryOp::Lt, i, end);
        let cond = self.read_local(flag);
        let (step, ()) = self.in_block(|c| {
            c.assign_local(flag, more);
            c.when(cond, |c| c.increment(variable, ty));
        });
        (cond, step)
    }

    /// The last value of a `for`, kept where the body cannot change it.
    fn loop_end(&mut self, hi: ExprId, ty: TypeId) -> ExprId {
        if self.build.is_constant(hi) {
            return hi;
        }
        let end = self.body.local(String::new(), ty, true);
        self.store_local(end, hi);
        self.read_local(end)
    }

    fn increment(&mut self, variable: ir::LocalId, ty: TypeId) {
        let i = self.read_local(variable);
        let one = self.build.int(1, ty);
        let next = self.build.binary(BinaryOp::Add, i, one);
        self.assign_local(variable, next);
    }

    pub(super) fn leave_loop(&mut self, span: Span, leave: bool) -> bool {
        match self.body.loops.last_mut() {
            Some(frame) if leave => {
                frame.has_break = true;
                let id = frame.id;
                self.emit(StmtKind::Break(id));
            }
            Some(frame) => {
                let id = frame.id;
                self.emit(StmtKind::Continue(id));
            }
            None => {
                let word = if leave { "break" } else { "continue" };
                self.report(
                    Diagnostic::error("not-in-loop", span, format!("`{word}` stands in no loop"))
                        .label("there is nothing to leave here"),
                );
            }
        }
        false
    }
}

/// The bounds of the variable of a `for`.
fn between(lo: Bounds, hi: Bounds) -> Bounds {
    let (lo, hi) = (lo?.0, hi?.1);
    Some((lo, hi.max(lo)))
}
