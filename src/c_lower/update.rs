//! Assignments, updates and atomic operations: everything that changes places.

use super::expr::operator;
use super::place::Where;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::tree::Quals;
use c::typed::{AtomicOp, BinaryOp as COp, ExprId as CExprId, Update, UpdateOp};
use c::types::TypeId as CTypeId;
use ir::lower::Lower;
use ir::{
    BinaryOp, Block, ChoiceKind, ExprId, MemoryOrder, Order, Place, StmtKind, Type, TypeId, Types,
    UnaryOp,
};

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
        let value = self.operand(value, ty, span)?;
        if place.ty != ty && !self.is_bit_field(to) {
            return refuse(span, "this assignment is");
        }
        let value = self.converted(value, place.ty, span)?;
        let value = self.keep(value);
        self.touched(self.unit[to].ty.quals, |l| l.store(&place, value))?;
        self.converted(value, ty, span)
    }

    /// `place op= value`: the place is read, and then written.
    pub(super) fn update(&mut self, update: Update) -> Lowered<ExprId> {
        let span = self.unit[update.place].span;
        let own = self.unit[update.place].ty;
        let ty = self.scalar_type(own.ty, span)?;
        let compute = self.scalar_type(update.compute, span)?;
        let mut place = self.place(update.place)?;
        if place.ty != ty && !self.is_bit_field(update.place) {
            return refuse(span, "this assignment is");
        }
        let own_ty = place.ty;
        if self.acts(update.value) {
            self.keep_indices(&mut place);
        }
        // The value comes first: between the read and the write of the place, nothing else is touched.
        let value = self.value(update.value)?;
        let value = self.keep(value);
        let change = |l: &mut Self| {
            let old = l.touched(own.quals, |l| l.load(&place))?;
            let old = l.keep(old);
            let new = match update.op {
                UpdateOp::Arithmetic(op) if l.is_floating(update.compute) => {
                    l.updated_double(op, (old, value), (own.ty, update.compute), span)?
                }
                UpdateOp::Arithmetic(op) => {
                    let wide = l.converted(old, compute, span)?;
                    let new = l.arithmetic(op, wide, value, span)?;
                    l.converted(new, own_ty, span)?
                }
                UpdateOp::Offset(back) => {
                    let pointee = l.pointee(own.ty, span)?;
                    l.moved_value(old, value, pointee, back, span)?
                }
            };
            let new = l.keep(new);
            l.touched(own.quals, |l| l.store(&place, new))?;
            l.converted(if update.old { old } else { new }, ty, span)
        };
        if own.quals.atomic {
            self.in_order(Order::SEQ_CST, change)
        } else {
            change(self)
        }
    }

    /// Reads or writes a place once. If the place is atomic, or counts as atomic, the step orders threads.
    pub(super) fn touched<T>(
        &mut self,
        quals: Quals,
        act: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if quals.atomic {
            self.in_order(Order::SEQ_CST, act)
        } else if quals.volatile && self.options.volatile_orders {
            self.in_order(Order::Volatile, act)
        } else {
            act(self)
        }
    }

    /// Lowers the statements of `act` as one step.
    pub(super) fn in_one_step<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.in_order(Order::Whole, act)
    }

    /// Lowers the statements of `act` as one step that orders threads in a given way.
    pub(super) fn in_order<T>(
        &mut self,
        order: Order,
        act: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if self.body.atomic {
            return act(self);
        }
        self.body.atomic = true;
        let done = self.apart(act);
        self.body.atomic = false;
        let (mut block, result) = done?;
        if let Some(at) = order.fence_on_local(&self.build.program, &self.body.locals, &block) {
            let fence = match self.build.program.scope.fence {
                Some(fence) => fence,
                None => self.own_global("fence.", Types::BOOL),
            };
            self.build.program.scope.fence = Some(fence);
            let no = self.build.bool(false);
            block.push(StmtKind::Assign(self.global_place(fence), no).at(at));
        }
        // A step without statements would be a fence. A read of a local variable needs no step.
        if !block.is_empty() {
            self.emit(StmtKind::Atomic(order, block));
        }
        Ok(result)
    }

    /// An atomic operation; its value if it has one.
    pub(super) fn atomic(
        &mut self,
        (op, [order, failed]): (AtomicOp, [MemoryOrder; 2]),
        operands: &[CExprId],
        ty: CTypeId,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let order = Order::Named(order, failed);
        if op == AtomicOp::Fence {
            if !self.body.atomic {
                self.emit(StmtKind::Atomic(order, Block::new()));
            }
            return Ok(None);
        }
        let Some((&object, rest)) = operands.split_first() else {
            return refuse(span, "this atomic operation is");
        };
        let mut place = self.pointed(object)?;
        if rest.iter().any(|&e| self.acts(e)) {
            self.keep_indices(&mut place);
        }
        let padded = match self.unit.types.pointee(self.unit[object].ty.ty) {
            Some(of) if self.unit.types.record(of.ty).is_some() && whole(op) => {
                c_memory::is_padded(self.unit, of.ty)
            }
            _ => {
                self.plain(op, place.ty, span)?;
                false
            }
        };
        match (op, rest) {
            (
                AtomicOp::CompareExchange | AtomicOp::CompareExchangeThrough,
                &[expected, desired, weak],
            ) => {
                let desired = if op == AtomicOp::CompareExchange {
                    self.value(desired)?
                } else {
                    let from = self.pointed(desired)?;
                    self.load(&from)?
                };
                let desired = self.keep(desired);
                let may_fail = (padded, self.unit.constant(weak) != Some(0));
                self.compare_exchange((order, &place), expected, desired, may_fail, ty, span)
                    .map(Some)
            }
            (AtomicOp::CompareSwap | AtomicOp::CompareSwapValue, &[expected, desired]) => {
                let swapped = op == AtomicOp::CompareSwap;
                self.compare_swap((order, &place), (expected, desired), swapped, ty, span)
                    .map(Some)
            }
            (AtomicOp::LoadInto | AtomicOp::StoreFrom | AtomicOp::ExchangeThrough, through) => {
                self.atomic_through(op, (order, &place), through, span)?;
                Ok(None)
            }
            _ => self.simple_atomic(op, (order, &place), rest, ty, span),
        }
    }

    /// Lowers an atomic operation that takes the new value, or gives the old one, through a pointer.
    fn atomic_through(
        &mut self,
        op: AtomicOp,
        (order, place): (Order, &Where),
        through: &[CExprId],
        span: Span,
    ) -> Lowered<()> {
        let (from, into) = match (op, through) {
            (AtomicOp::LoadInto, &[into]) => (None, Some(into)),
            (AtomicOp::StoreFrom, &[from]) => (Some(from), None),
            (AtomicOp::ExchangeThrough, &[from, into]) => (Some(from), Some(into)),
            _ => return refuse(span, "this atomic operation is"),
        };
        let new = match from {
            Some(from) => {
                let from = self.pointed(from)?;
                let value = self.load(&from)?;
                let value = self.keep(value);
                self.same(value, place.ty, span)?;
                Some(value)
            }
            None => None,
        };
        let old = self.in_order(order, |l| {
            let old = match into {
                Some(_) => {
                    let old = l.load(place)?;
                    Some(l.keep(old))
                }
                None => None,
            };
            if let Some(new) = new {
                l.store(place, new)?;
            }
            Ok(old)
        })?;
        if let (Some(into), Some(old)) = (into, old) {
            let into = self.pointed(into)?;
            self.same(old, into.ty, span)?;
            self.store(&into, old)?;
        }
        Ok(())
    }

    fn compare_swap(
        &mut self,
        (order, place): (Order, &Where),
        (expected, desired): (CExprId, CExprId),
        swapped: bool,
        ty: CTypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let result = self.scalar_type(ty, span)?;
        let (expected, desired) = self.pair(expected, desired)?;
        let expected = self.converted(expected, place.ty, span)?;
        let desired = self.converted(desired, place.ty, span)?;
        let (expected, desired) = (self.keep(expected), self.keep(desired));
        self.in_order(order, |l| {
            let old = l.load(place)?;
            let old = l.keep(old);
            let equal = l.build.binary(BinaryOp::Eq, old, expected);
            let equal = l.keep(equal);
            l.store_if(equal, place, desired)?;
            if swapped {
                Ok(l.number(equal, result))
            } else {
                l.converted(old, result, span)
            }
        })
    }

    fn simple_atomic(
        &mut self,
        op: AtomicOp,
        (order, place): (Order, &Where),
        rest: &[CExprId],
        ty: CTypeId,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let operand = match rest {
            [] => None,
            [one] => {
                let value = self.value(*one)?;
                let value = self.operand(value, place.ty, span)?;
                Some(self.keep(value))
            }
            _ => return refuse(span, "this atomic operation is"),
        };
        let result = if self.is_void(ty) {
            None
        } else {
            Some(self.value_type(ty, span)?)
        };
        self.in_order(order, |l| {
            if matches!(op, AtomicOp::Store | AtomicOp::Clear) {
                let zero = l.zero(place.ty);
                l.store(place, operand.unwrap_or(zero))?;
                return Ok(None);
            }
            let old = l.load(place)?;
            let old = l.keep(old);
            let (new, gives_new) = l.new_value(op, old, operand, place.ty, span)?;
            let new = match new {
                Some(new) => {
                    let new = l.keep(new);
                    l.store(place, new)?;
                    new
                }
                None => old,
            };
            let Some(result) = result else {
                return Ok(None);
            };
            let value = if gives_new { new } else { old };
            l.converted(value, result, span).map(Some)
        })
    }

    /// Converts a number to another width: a number that is added to a pointer counts bytes, and bit-fields have few bits.
    pub(super) fn operand(&mut self, value: ExprId, ty: TypeId, span: Span) -> Lowered<ExprId> {
        match (
            self.build.types().get(self.build.ty(value)),
            self.build.types().get(ty),
        ) {
            (Type::Bits(_), Type::Bits(_)) => self.converted(value, ty, span),
            _ => {
                self.same(value, ty, span)?;
                Ok(value)
            }
        }
    }

    fn new_value(
        &mut self,
        op: AtomicOp,
        old: ExprId,
        operand: Option<ExprId>,
        ty: TypeId,
        span: Span,
    ) -> Lowered<(Option<ExprId>, bool)> {
        Ok(match (op, operand) {
            (AtomicOp::Load, None) => (None, false),
            (AtomicOp::Exchange, Some(value)) => (Some(value), false),
            (AtomicOp::FetchThen(op), Some(value)) => {
                (Some(self.changed(op, old, value, span)?), false)
            }
            (AtomicOp::ThenFetch(op), Some(value)) => {
                (Some(self.changed(op, old, value, span)?), true)
            }
            (AtomicOp::FetchNand | AtomicOp::NandFetch, Some(value)) => {
                let both = self.changed(COp::BitAnd, old, value, span)?;
                let new = self.build.unary(UnaryOp::BitNot, both);
                (Some(new), op == AtomicOp::NandFetch)
            }
            (AtomicOp::TestAndSet, None) => (Some(self.build.scalar(1, ty)), false),
            _ => return refuse(span, "this atomic operation is"),
        })
    }

    fn changed(&mut self, op: COp, old: ExprId, value: ExprId, span: Span) -> Lowered<ExprId> {
        match self.build.types().get(self.build.ty(old)) {
            Type::Bits(_) => Ok(self.build.binary(operator(op), old, value)),
            _ => refuse(span, "this atomic operation is"),
        }
    }

    fn compare_exchange(
        &mut self,
        (order, place): (Order, &Where),
        expected: CExprId,
        desired: ExprId,
        (padded, weak): (bool, bool),
        result: CTypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let result = self.scalar_type(result, span)?;
        let desired = self.converted(desired, place.ty, span)?;
        let mut seen = self.pointed(expected)?;
        self.keep_indices(&mut seen);
        if seen.ty != place.ty {
            return refuse(span, "an expected value of another type is");
        }
        // The expected value is read before the exchange and written after it, not in the same step.
        let was = self.load(&seen)?;
        let was = self.keep(was);
        // A weak exchange may fail without a reason.
        let mut fails = weak.then(|| self.chance("fails_spuriously"));
        // The exchange also compares the bytes between the members.
        if padded && !weak {
            fails = Some(self.chance("padding_differs"));
        }
        let (old, equal) = self.in_order(order, |l| {
            let old = l.load(place)?;
            let old = l.keep(old);
            let mut equal = l.equal_whole(old, was, span)?;
            if let Some(fails) = fails {
                let works = l.build.unary(UnaryOp::Not, fails);
                equal = l.build.binary(BinaryOp::And, equal, works);
            }
            let equal = l.keep(equal);
            l.store_if(equal, place, desired)?;
            Ok((old, equal))
        })?;
        let differs = self.build.not(equal);
        self.store_if(differs, &seen, old)?;
        Ok(self.number(equal, result))
    }

    pub(super) fn store_if(&mut self, cond: ExprId, place: &Where, value: ExprId) -> Lowered<()> {
        self.when(cond, |l| l.store(place, value))?;
        Ok(())
    }

    pub(super) fn same(&self, value: ExprId, ty: TypeId, span: Span) -> Lowered<()> {
        if self.build.ty(value) == ty {
            Ok(())
        } else {
            refuse(span, "an operation on different types is")
        }
    }

    /// Refuses a place that holds neither a number nor a handle that is only passed on.
    fn plain(&mut self, op: AtomicOp, ty: TypeId, span: Span) -> Lowered<()> {
        let floating = self.floating_type();
        match self.build.types().get(ty) {
            Type::Bool | Type::Bits(_) => Ok(()),
            Type::Task if matches!(op, AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange) => {
                Ok(())
            }
            _ if ty == floating && whole(op) => Ok(()),
            _ => refuse(span, "an atomic operation on this object is"),
        }
    }

    pub(super) fn havoc(&mut self, place: Place) {
        self.emit(StmtKind::Havoc(place, ChoiceKind::User));
    }
}

/// Whether an operation also works on structures.
fn whole(op: AtomicOp) -> bool {
    use AtomicOp as A;
    matches!(
        op,
        A::Load
            | A::LoadInto
            | A::Store
            | A::StoreFrom
            | A::Exchange
            | A::ExchangeThrough
            | A::CompareExchange
            | A::CompareExchangeThrough
    )
}
