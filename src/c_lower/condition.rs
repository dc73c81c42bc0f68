//! Conditions, comparisons, and values that conditions choose.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{CompareOp, Conversion, ExprId as CExprId, ExprKind as C};
use ir::lower::Lower;
use ir::{BinaryOp, Block, ExprId, StmtKind, TypeId, Types};

impl Lowerer<'_> {
    /// Turns a truth value into 1 or 0 of a type.
    pub(super) fn number(&mut self, cond: ExprId, ty: TypeId) -> ExprId {
        if ty == Types::BOOL {
            return cond;
        }
        let (one, zero) = (self.build.int(1, ty), self.build.int(0, ty));
        self.build.ite(cond, one, zero)
    }

    pub(super) fn either(
        &mut self,
        cond: ExprId,
        (mut yes, a): (Block, ExprId),
        (mut no, b): (Block, ExprId),
        ty: TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        if self.build.ty(a) != ty || self.build.ty(b) != ty {
            return refuse(span, "this choice of values is");
        }
        if yes.is_empty() && no.is_empty() {
            return Ok(self.build.ite(cond, a, b));
        }
        let local = self.temporary(ty);
        for (block, value) in [(&mut yes, a), (&mut no, b)] {
            let kind = StmtKind::Assign(self.local_place(local), value);
            block.push(ir::Stmt { kind, span });
            block.shrink_to_fit();
        }
        self.emit(StmtKind::If(cond, yes, no));
        Ok(self.read_local(local))
    }

    /// Whether a scalar is not zero.
    pub(super) fn truth(&mut self, value: ExprId, span: Span) -> Lowered<ExprId> {
        let ty = self.build.ty(value);
        if ty == Types::BOOL {
            return Ok(value);
        }
        if ty == self.floating_type() {
            if self.doubles {
                return self.double_is_not_zero(value, span);
            }
            self.decides(span);
            return Ok(self.build.bool(false));
        }
        if ty == Types::TASK {
            let none = self.build.no_task();
            let equal = self.build.binary(BinaryOp::Eq, value, none);
            return Ok(self.build.not(equal));
        }
        self.machine(value, span)?;
        Ok(self.build.nonzero(value))
    }

    pub(super) fn condition(&mut self, e: CExprId) -> Lowered<ExprId> {
        let cond = self.condition_of(e)?;
        self.quote(e, cond);
        Ok(cond)
    }

    fn condition_of(&mut self, e: CExprId) -> Lowered<ExprId> {
        let unit = self.unit;
        let span = unit[e].span;
        match &unit[e].kind {
            C::Not(of) => {
                let of = self.condition(*of)?;
                Ok(self.build.not(of))
            }
            C::Compare(op, l, r) => {
                let (left, right) = self.pair(*l, *r)?;
                self.comparison(*op, left, right, span)
            }
            C::And(l, r) | C::Or(l, r) => {
                let and = matches!(unit[e].kind, C::And(..));
                let left = self.condition(*l)?;
                let (block, right) = self.apart(|own| own.condition(*r))?;
                let fixed = self.build.bool(!and);
                if block.is_empty() {
                    let op = if and { BinaryOp::And } else { BinaryOp::Or };
                    return Ok(self.build.binary(op, left, right));
                }
                let rest = (block, right);
                let skip = (Block::new(), fixed);
                if and {
                    self.either(left, rest, skip, Types::BOOL, span)
                } else {
                    self.either(left, skip, rest, Types::BOOL, span)
                }
            }
            C::Convert(Conversion::Bool, of) => self.condition(*of),
            _ => {
                let value = self.value(e)?;
                self.truth(value, span)
            }
        }
    }

    /// A zero that is compared with a thread's handle stands for no thread.
    fn or_no_thread(&mut self, value: ExprId, other: ExprId) -> ExprId {
        let handle = self.build.ty(other) == Types::TASK;
        if handle && self.build.literal(value) == Some(0) {
            return self.build.no_task();
        }
        value
    }

    fn comparison(
        &mut self,
        op: CompareOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        if self.build.ty(left) == self.floating_type() {
            if self.doubles {
                return self.compared_doubles(op, left, right, span);
            }
            self.decides(span);
            return Ok(self.build.bool(false));
        }
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let (left, right) = (
            self.or_no_thread(left, right),
            self.or_no_thread(right, left),
        );
        if self.build.ty(left) != self.build.ty(right) {
            let handle = [left, right].map(|side| self.build.ty(side) == Types::TASK);
            let what = ["this comparison is", "a thread's handle beside a number is"];
            return refuse(span, what[usize::from(handle.contains(&true))]);
        }
        if !equality {
            self.machine(left, span)?;
        }
        Ok(match op {
            CompareOp::Lt => self.build.binary(BinaryOp::Lt, left, right),
            CompareOp::Le => self.build.binary(BinaryOp::Le, left, right),
            CompareOp::Gt => self.build.binary(BinaryOp::Lt, right, left),
            CompareOp::Ge => self.build.binary(BinaryOp::Le, right, left),
            CompareOp::Eq => self.build.binary(BinaryOp::Eq, left, right),
            CompareOp::Ne => {
                let equal = self.build.binary(BinaryOp::Eq, left, right);
                self.build.not(equal)
            }
        })
    }
}
