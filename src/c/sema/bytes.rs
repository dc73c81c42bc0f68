//! `memcpy` between a floating number and integers: the number's bits go through an integer of its size.

use super::Sema;
use super::scope::Binding;
use crate::parts::{innermost, unconverted};
use crate::typed::{Callee, ExprId, ExprKind, FunctionId, Init, StmtId, StmtKind};
use crate::types::{FloatKind, IntKind, TypeId, Types};
use base::source::Span;

/// A floating type, and functions of our header: from a number to its bits, and back.
struct Number {
    ty: TypeId,
    bits: TypeId,
    functions: [&'static str; 2],
}

const NUMBERS: [Number; 2] = [
    Number {
        ty: Types::DOUBLE,
        bits: Types::int(IntKind::ULongLong),
        functions: ["__bits_of_double", "__double_of_bits"],
    },
    Number {
        ty: Types::float(FloatKind::Float),
        bits: Types::int(IntKind::UInt),
        functions: ["__bits_of_float", "__float_of_bits"],
    },
];

impl Sema<'_> {
    /// Returns what a call does if it copies a whole number from or to integers.
    pub(super) fn copy_of_bits(
        &mut self,
        function: FunctionId,
        values: &[ExprId],
        span: Span,
    ) -> Option<ExprId> {
        let &[to, from, size] = values else {
            return None;
        };
        let name = self.unit.name(self.unit[function].name);
        let plain = name.strip_prefix("__builtin_");
        let ours = plain.is_some() || self.is_our_function(function);
        if !matches!(plain.unwrap_or(name), "memcpy" | "memmove") || !ours {
            return None;
        }
        let (own, size_of_number) = (self.function()?, self.unit.constant(size)?);
        if self.has_integers(to)
            && let Some(number) = self.number_behind(from, size_of_number)
        {
            let value = unconverted(&self.unit, from);
            let value = self.deref(value, span);
            let value = self.rvalue(value);
            let bits = self.own_call(number.functions[0], value, span)?;
            let (held, begins) = (self.unit).add_begun(own, number.bits, Init::Value(bits), span);
            let from = self.unit.add_address(held, span);
            let copy = self.direct_call(function, [to, from, size], span);
            return Some(self.value_behind(vec![begins], copy, span));
        }
        let number = self.number_behind(to, size_of_number)?;
        if !self.has_integers(from) {
            return None;
        }
        let pointer = unconverted(&self.unit, to);
        let (goal, first) =
            (self.unit).add_begun(own, self.ty(pointer), Init::Value(pointer), span);
        let (held, second) = self.unit.add_begun(own, number.bits, None, span);
        let into = self.unit.add_address(held, span);
        let copy = self.direct_call(function, [into, from, size], span);
        let bits = self.unit.add_read(held, span);
        let value = self.own_call(number.functions[1], bits, span)?;
        let place = self.unit.add_read(goal, span);
        let place = self.deref(place, span);
        let set = self.make(ExprKind::Assign(place, value), number.ty, span);
        let [copy, set] = [copy, set].map(|e| self.add_stmt(StmtKind::Expr(e), span));
        let result = self.unit.add_read(goal, span);
        let result = self.converted(result, self.ty(to));
        Some(self.value_behind(vec![first, second, copy, set], result, span))
    }

    /// `({ first; value; })`
    fn value_behind(&mut self, first: Vec<StmtId>, value: ExprId, span: Span) -> ExprId {
        let ty = self.ty(value);
        let block = self.unit.add_block(first, span);
        self.make(ExprKind::Block(block, Some(value)), ty, span)
    }

    fn own_call(&mut self, name: &str, value: ExprId, span: Span) -> Option<ExprId> {
        let symbol = self.unit.names.get(name)?;
        match self.scopes.name(symbol) {
            Some(Binding::Function(function)) => Some(self.direct_call(function, [value], span)),
            _ => None,
        }
    }

    /// Calls a function, whose parameters it converts values to.
    fn direct_call<const N: usize>(
        &mut self,
        function: FunctionId,
        mut values: [ExprId; N],
        span: Span,
    ) -> ExprId {
        let Some(ty) = self.unit.types.function(self.unit[function].ty).cloned() else {
            return self.failed(span);
        };
        for (value, param) in values.iter_mut().zip(&ty.params) {
            *value = self.converted(*value, param.ty);
        }
        let args = self.unit.add_list(values);
        self.make(
            ExprKind::Call(Callee::Direct(function), args),
            ty.result,
            span,
        )
    }

    /// The type of number to which a pointer leads, if it is as large.
    fn number_behind(&self, pointer: ExprId, size: i128) -> Option<&'static Number> {
        let ty = self
            .unit
            .types
            .pointee(self.ty(unconverted(&self.unit, pointer)))?
            .ty;
        let is_this = |n: &&Number| {
            let layout = self.unit.types.layout(n.ty);
            self.same(ty, n.ty) && layout.is_some_and(|l| i128::from(l.size) == size)
        };
        NUMBERS.iter().find(is_this)
    }

    /// Whether a pointer leads to integers. A pointer to characters that is not into an array of them may lead to anything.
    fn has_integers(&self, pointer: ExprId) -> bool {
        let pointer = unconverted(&self.unit, pointer);
        let (ty, is_named) = match self.unit[pointer].kind {
            ExprKind::Offset { pointer, .. } => return self.has_integers(pointer),
            ExprKind::Decay(place) | ExprKind::AddressOf(place) => (self.ty(place), true),
            _ => match self.unit.types.pointee(self.ty(pointer)) {
                Some(to) => (to.ty, false),
                None => return false,
            },
        };
        let kind = self.unit.types.int_kind(innermost(&self.unit, ty));
        kind.is_some_and(|kind| is_named || kind.size(self.unit.types.model) > 1)
    }
}
