//! What changes places: assignments, updates and atomic operations.

use super::expr::operator;
use super::{Lowered, Lowerer, refuse};
use crate::c::typed::{AtomicOp, BinaryOp as COp, ExprId as CExprId, Update, UpdateOp};
use crate::c::types::TypeId as CTypeId;
use crate::ir::{BinaryOp, ChoiceKind, ExprId, Place, Root, StmtKind, TypeId, Types, UnaryOp};
use crate::source::Span;

impl Lowerer<'_> {
    /// `place = value`; gives the value.
    pub(super) fn assign(&mut self, to: CExprId, from: CExprId) -> Lowered<ExprId> {
        let span = self.unit[to].span;
        let ty = self.scalar_type(self.unit[to].ty.ty, span)?;
        let mut place = self.place(to)?;
        if self.acts(from) {
            self.keep_indices(&mut place);
        }
        let value = self.value(from)?;
        if self.build.ty(value) != place.ty || place.ty != ty {
            return refuse(span, "this assignment is");
        }
        let value = self.keep(value);
        self.store(place, value);
        Ok(value)
    }

    /// `place op= value`: the place is read, and then written.
    pub(super) fn update(&mut self, update: Update) -> Lowered<ExprId> {
        let span = self.unit[update.place].span;
        let UpdateOp::Arithmetic(op) = update.op else {
            return refuse(span, "a pointer that is moved is");
        };
        let ty = self.scalar_type(self.unit[update.place].ty.ty, span)?;
        let compute = self.scalar_type(update.compute, span)?;
        let mut place = self.place(update.place)?;
        if place.ty != ty {
            return refuse(span, "this assignment is");
        }
        if self.acts(update.value) {
            self.keep_indices(&mut place);
        }
        // The value first: no more than the place is touched between its read and its write.
        let value = self.value(update.value)?;
        let value = self.keep(value);
        let atomic = self.unit[update.place].ty.quals.atomic;
        let change = |l: &mut Self| {
            let old = l.load(&place);
            let old = l.keep(old);
            let wide = l.converted(old, compute, span)?;
            let new = l.arithmetic(op, wide, value, span)?;
            let new = l.converted(new, ty, span)?;
            let new = l.keep(new);
            l.store(place, new);
            Ok(if update.old { old } else { new })
        };
        if atomic {
            self.in_one_step(change)
        } else {
            change(self)
        }
    }

    /// What is done meanwhile is one step.
    pub(super) fn in_one_step<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if self.body.atomic {
            return act(self);
        }
        self.body.atomic = true;
        let done = self.apart(act);
        self.body.atomic = false;
        let (block, result) = done?;
        self.emit(StmtKind::Atomic(block));
        Ok(result)
    }

    /// An atomic operation on a named object; its value if it has one.
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        operands: &[CExprId],
        ty: CTypeId,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        if op == AtomicOp::Fence {
            return Ok(None);
        }
        let Some((&object, rest)) = operands.split_first() else {
            return refuse(span, "this atomic operation is");
        };
        let mut place = self.pointed(object)?;
        if rest.iter().any(|&e| self.acts(e)) {
            self.keep_indices(&mut place);
        }
        self.plain(&place, span)?;
        match op {
            AtomicOp::CompareExchange => {
                let &[expected, desired, weak] = rest else {
                    return refuse(span, "this atomic operation is");
                };
                let ty = self.scalar_type(ty, span)?;
                let weak = self.unit.constant(weak) != Some(0);
                self.exchange_if_expected(&place, expected, desired, weak, ty, span)
                    .map(Some)
            }
            AtomicOp::CompareSwap | AtomicOp::CompareSwapValue => {
                let &[expected, desired] = rest else {
                    return refuse(span, "this atomic operation is");
                };
                let result = self.scalar_type(ty, span)?;
                let (expected, desired) = self.pair(expected, desired)?;
                self.same(expected, place.ty, span)?;
                self.same(desired, place.ty, span)?;
                self.in_one_step(|l| {
                    let old = l.load(&place);
                    let old = l.keep(old);
                    let equal = l.build.binary(BinaryOp::Eq, old, expected);
                    let equal = l.keep(equal);
                    l.store_if(equal, place, desired);
                    if op == AtomicOp::CompareSwap {
                        Ok(Some(l.number(equal, result)))
                    } else {
                        l.same(old, result, span)?;
                        Ok(Some(old))
                    }
                })
            }
            _ => self.simple_atomic(op, place, rest, ty, span),
        }
    }

    fn simple_atomic(
        &mut self,
        op: AtomicOp,
        place: Place,
        rest: &[CExprId],
        ty: CTypeId,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let operand = match rest {
            [] => None,
            [one] => {
                let value = self.value(*one)?;
                Some(self.keep(value))
            }
            _ => return refuse(span, "this atomic operation is"),
        };
        if let Some(value) = operand {
            self.same(value, place.ty, span)?;
        }
        let void = self.is_void(ty);
        let result = if void {
            None
        } else {
            Some(self.scalar_type(ty, span)?)
        };
        self.in_one_step(|l| {
            let zero = l.zero(place.ty);
            let old = match op {
                AtomicOp::Store | AtomicOp::Clear => {
                    l.store(place, operand.unwrap_or(zero));
                    return Ok(None);
                }
                _ => {
                    let old = l.load(&place);
                    l.keep(old)
                }
            };
            let value = operand;
            let (new, gives_new) = match (op, value) {
                (AtomicOp::Load, None) => (None, false),
                (AtomicOp::Exchange, Some(value)) => (Some(value), false),
                (AtomicOp::FetchThen(op), Some(value)) => {
                    (Some(l.changed(op, old, value, span)?), false)
                }
                (AtomicOp::ThenFetch(op), Some(value)) => {
                    (Some(l.changed(op, old, value, span)?), true)
                }
                (AtomicOp::TestAndSet, None) => {
                    let one = l.build.scalar(1, place.ty);
                    (Some(one), false)
                }
                _ => return refuse(span, "this atomic operation is"),
            };
            let new = new.map(|new| l.keep(new));
            if let Some(new) = new {
                l.store(place, new);
            }
            let Some(result) = result else {
                return Ok(None);
            };
            let value = if gives_new { new.unwrap_or(old) } else { old };
            l.converted(value, result, span).map(Some)
        })
    }

    fn changed(&mut self, op: COp, old: ExprId, value: ExprId, span: Span) -> Lowered<ExprId> {
        match self.build.types().get(self.build.ty(old)) {
            crate::ir::Type::Bits(_) => Ok(self.build.binary(operator(op), old, value)),
            _ => refuse(span, "this atomic operation is"),
        }
    }

    fn exchange_if_expected(
        &mut self,
        place: &Place,
        expected: CExprId,
        desired: CExprId,
        weak: bool,
        result: TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let mut seen = self.pointed(expected)?;
        if matches!(seen.root, Root::Global(_)) || seen.ty != place.ty {
            return refuse(span, "an expected value that threads share is");
        }
        if self.acts(desired) {
            self.keep_indices(&mut seen);
        }
        let desired = self.value(desired)?;
        let desired = self.keep(desired);
        self.same(desired, place.ty, span)?;
        // A weak exchange may fail without a reason.
        let fails = if weak {
            Some(self.any(Types::BOOL))
        } else {
            None
        };
        self.in_one_step(|l| {
            let old = l.load(place);
            let old = l.keep(old);
            let was = l.load(&seen);
            let mut equal = l.build.binary(BinaryOp::Eq, old, was);
            if let Some(fails) = fails {
                let works = l.build.unary(UnaryOp::Not, fails);
                equal = l.build.binary(BinaryOp::And, equal, works);
            }
            let equal = l.keep(equal);
            l.store_if(equal, place.clone(), desired);
            let differs = l.build.not(equal);
            l.store_if(differs, seen, old);
            Ok(l.number(equal, result))
        })
    }

    fn store_if(&mut self, cond: ExprId, place: Place, value: ExprId) {
        let span = self.body.span;
        let kind = StmtKind::Assign(place, value);
        let store = vec![crate::ir::Stmt { kind, span }];
        self.emit(StmtKind::If(cond, store, Vec::new()));
    }

    pub(super) fn same(&self, value: ExprId, ty: TypeId, span: Span) -> Lowered<()> {
        match self.build.ty(value) == ty {
            true => Ok(()),
            false => refuse(span, "an operation on different types is"),
        }
    }

    /// Whether a place holds a number.
    fn plain(&self, place: &Place, span: Span) -> Lowered<()> {
        match self.build.types().get(place.ty) {
            crate::ir::Type::Bool | crate::ir::Type::Bits(_) => Ok(()),
            _ => refuse(span, "an atomic operation on this object is"),
        }
    }

    pub(super) fn havoc(&mut self, place: Place) {
        self.emit(StmtKind::Havoc(place, ChoiceKind::User));
    }
}
