//! Structures and arrays as a whole: they are copied part by part, long arrays in a loop.

use super::place::Where;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C};
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, Order, Step, Type, TypeId, Types};

/// Longer arrays are copied in a loop.
const MOST_PARTS: u64 = 64;

impl Lowerer<'_> {
    /// `a = b` for structures: member by member.
    pub(super) fn copy(&mut self, to: CExprId, from: CExprId, span: Span) -> Lowered<()> {
        self.not_open(self.unit[to].ty.ty, span)?;
        let C::Load(from) = self.unit[from].kind else {
            let value = self.value(from)?;
            let from = self.stored(value, span);
            let found = self.place(to)?;
            return self.copy_parts(&found, &from, span);
        };
        let from_atomic = self.unit[from].ty.quals.atomic;
        let mut from = self.place(from)?;
        self.keep_indices(&mut from);
        let atomic = self.unit[to].ty.quals.atomic || from_atomic;
        let mut to = self.place(to)?;
        self.keep_indices(&mut to);
        if atomic {
            return self.in_order(Order::SEQ_CST, |l| l.copy_parts(&to, &from, span));
        }
        self.copy_parts(&to, &from, span)
    }

    /// The value of a whole structure, read member by member.
    pub(super) fn structure(&mut self, place: CExprId, span: Span) -> Lowered<ExprId> {
        let ty = self.value_type(self.unit[place].ty.ty, span)?;
        let atomic = self.unit[place].ty.quals.atomic;
        let mut from = self.place(place)?;
        self.keep_indices(&mut from);
        let zero = self.zero(ty);
        let to = self.stored(zero, span);
        if atomic {
            self.in_order(Order::SEQ_CST, |l| l.copy_parts(&to, &from, span))?;
        } else {
            self.copy_parts(&to, &from, span)?;
        }
        self.load(&to)
    }

    /// Whether two values are the same in all their parts.
    pub(super) fn equal_whole(&mut self, l: ExprId, r: ExprId, span: Span) -> Lowered<ExprId> {
        let ty = self.build.ty(l);
        if self.long_array(ty).is_some() {
            return refuse(span, "a comparison of arrays of more than 64 elements is");
        }
        if ty == self.floating_type() {
            return self.same_bits(l, r, span);
        }
        let Some(parts) = self.parts_of(ty) else {
            return Ok(self.build.binary(BinaryOp::Eq, l, r));
        };
        let mut all = self.build.bool(true);
        for (step, _) in parts {
            let [l, r] = [l, r].map(|whole| match step {
                Step::Field(field) => self.build.field(whole, field),
                Step::Index(index) => self.build.index(whole, index),
            });
            let same = self.equal_whole(l, r, span)?;
            all = self.build.binary(BinaryOp::And, all, same);
        }
        Ok(all)
    }

    /// Keeps a value in a new local. Returns the local as a place.
    pub(super) fn stored(&mut self, value: ExprId, span: Span) -> Where {
        let local = self.temporary(self.build.ty(value));
        let place = self.local_place(local);
        self.store_place(place.clone(), value);
        Where::named(place, span)
    }

    pub(super) fn copy_parts(&mut self, to: &Where, from: &Where, span: Span) -> Lowered<()> {
        let long = self.long_array(to.ty);
        let whole = to.ty == self.floating_type();
        let Some(steps) = self.parts_of(to.ty).filter(|_| !whole) else {
            let value = self.load(from)?;
            let value = self.keep(value);
            return self.store(to, value);
        };
        if from.ty != to.ty {
            return refuse(span, "a copy of another type is");
        }
        if let Some((len, element)) = long {
            return self.each_part(len, span, &mut |l, step| {
                l.copy_parts(&to.part(step, element), &from.part(step, element), span)
            });
        }
        for (step, ty) in steps {
            self.copy_parts(&to.part(step, ty), &from.part(step, ty), span)?;
        }
        Ok(())
    }

    /// The number and the type of an array's elements, if they are many.
    pub(super) fn long_array(&self, ty: TypeId) -> Option<(u64, TypeId)> {
        match *self.build.types().get(ty) {
            Type::Array(len, element) if u64::from(len) > MOST_PARTS => Some((len.into(), element)),
            _ => None,
        }
    }

    /// Runs `act` on the first `count` elements of a long array.
    pub(super) fn each_part(
        &mut self,
        count: u64,
        span: Span,
        act: &mut dyn FnMut(&mut Self, Step) -> Lowered<()>,
    ) -> Lowered<()> {
        let ty = self.pointer_type();
        let count = self.build.int(count.into(), ty);
        self.repeat(count, &mut |l, at| {
            let index = l.converted(at, Types::INT, span)?;
            act(l, Step::Index(index))
        })
    }

    /// Returns the parts of a structure or an array. The list is empty for a long array; `None` stands for a single value.
    pub(super) fn parts_of(&mut self, ty: TypeId) -> Option<Vec<(Step, TypeId)>> {
        let long = self.long_array(ty).is_some();
        match self.build.types().get(ty).clone() {
            Type::Record(record) => {
                let fields = (0..).zip(record.fields);
                let steps = fields.map(|(i, f)| (Step::Field(i), f.1));
                Some(steps.collect())
            }
            Type::Array(..) if long => Some(Vec::new()),
            Type::Array(len, element) => {
                let step = |i| {
                    let index = self.build.int(i128::from(i), Types::INT);
                    (Step::Index(index), element)
                };
                Some((0..len).map(step).collect())
            }
            _ => None,
        }
    }
}
