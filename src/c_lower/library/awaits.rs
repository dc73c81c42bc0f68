//! Functions that verifiers define for loops that only wait: a call awaits a value, and reads or exchanges it in the same step.

use super::{Call, Value};
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use ir::lower::Lower;
use ir::{AwaitKind, BinaryOp, Bits, ExprId, Type};

/// The bits of a condition: which of the three orders of the value and its operand it allows, and whether they have signs.
const GREATER: i128 = 1;
const EQUAL: i128 = 2;
const LESS: i128 = 4;
const SIGNED: i128 = 8;

impl Lowerer<'_> {
    /// `__VERIFIER_load_await_T(place, condition, operand)` and `__VERIFIER_xchg_await_T(place, new, condition, operand)`
    pub(super) fn await_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let (place, new, cond, operand) = match *args {
            [place, cond, operand] if name.starts_with("__VERIFIER_load_await_") => {
                (place, None, cond, operand)
            }
            [place, new, cond, operand] if name.starts_with("__VERIFIER_xchg_await_") => {
                (place, Some(new), cond, operand)
            }
            _ => return Ok(None),
        };
        let mut found = self.pointed(place)?;
        self.keep_indices(&mut found);
        if !matches!(self.build.types().get(found.ty), Type::Bits(_)) {
            return refuse(span, "waiting for an object that is no number is");
        }
        let word = Bits {
            width: 32,
            signed: false,
        };
        let word = self.build.program.types.intern(Type::Bits(word));
        let number = |l: &mut Self, e, ty| {
            let value = l.value(e)?;
            let value = l.converted(value, ty, span)?;
            Ok(l.keep(value))
        };
        let new = match new {
            Some(new) => Some(number(self, new, found.ty)?),
            None => None,
        };
        let orders = number(self, cond, word)?;
        let operand = number(self, operand, found.ty)?;
        let old = self.temporary(found.ty);
        self.each(&found, &mut |l, place| {
            let now = l.peek(place);
            let holds = l.allowed(orders, (now, operand), span)?;
            let (body, ()) = l.apart(|l| {
                let to = l.local_place(old);
                l.store_place(to, now);
                if let Some(new) = new {
                    l.store_place(place.clone(), new);
                }
                Ok(())
            })?;
            l.wait(AwaitKind::Await, holds, body, span)?;
            Ok(None)
        })?;
        let result = self.scalar_type(self.unit[e].ty.ty, span)?;
        let old = self.read_local(old);
        let old = self.converted(old, result, span)?;
        Ok(Some(Value(Some(old))))
    }

    /// Whether a value stands to its operand in one of the orders that are allowed.
    fn allowed(
        &mut self,
        orders: ExprId,
        (value, operand): (ExprId, ExprId),
        span: Span,
    ) -> Lowered<ExprId> {
        let Type::Bits(bits) = *self.build.types().get(self.build.ty(value)) else {
            return refuse(span, "waiting for an object that is no number is");
        };
        let mut any = self.build.bool(false);
        for signed in [false, true] {
            let bits = Bits { signed, ..bits };
            let ty = self.build.program.types.intern(Type::Bits(bits));
            let value = self.converted(value, ty, span)?;
            let operand = self.converted(operand, ty, span)?;
            let signs = self.has(orders, SIGNED);
            let kind = if signed { signs } else { self.build.not(signs) };
            for (bit, op, l, r) in [
                (GREATER, BinaryOp::Lt, operand, value),
                (EQUAL, BinaryOp::Eq, value, operand),
                (LESS, BinaryOp::Lt, value, operand),
            ] {
                let this = self.build.binary(op, l, r);
                let allowed = self.has(orders, bit);
                let this = self.build.binary(BinaryOp::And, allowed, this);
                let this = self.build.binary(BinaryOp::And, kind, this);
                any = self.build.binary(BinaryOp::Or, any, this);
            }
        }
        Ok(any)
    }

    /// Whether a bit is set.
    fn has(&mut self, bits: ExprId, bit: i128) -> ExprId {
        let ty = self.build.ty(bits);
        let (bit, zero) = (self.build.int(bit, ty), self.build.int(0, ty));
        let own = self.build.binary(BinaryOp::BitAnd, bits, bit);
        let none = self.build.binary(BinaryOp::Eq, own, zero);
        self.build.not(none)
    }
}
