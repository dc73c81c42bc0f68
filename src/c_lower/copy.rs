//! Structures and arrays as a whole: they are copied part by part.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C};
use ir::lower::Lower;
use ir::{ExprId, Order, Type, TypeId, Types};

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

    /// A value in a local of its own, as a place.
    pub(super) fn stored(&mut self, value: ExprId, span: Span) -> super::place::Where {
        let local = self.temporary(self.build.ty(value));
        let place = self.local_place(local);
        self.store_place(place.clone(), value);
        super::place::Where::named(place, span)
    }

    pub(super) fn copy_parts(
        &mut self,
        to: &super::place::Where,
        from: &super::place::Where,
        span: Span,
    ) -> Lowered<()> {
        let Some(steps) = self.parts_of(to.ty, span)? else {
            let value = self.load(from)?;
            let value = self.keep(value);
            return self.store(to, value);
        };
        if from.ty != to.ty {
            return refuse(span, "a copy of another type is");
        }
        for (step, ty) in steps {
            self.copy_parts(&to.part(step, ty), &from.part(step, ty), span)?;
        }
        Ok(())
    }

    /// The parts of a structure or an array; nothing for what is one value.
    pub(super) fn parts_of(
        &mut self,
        ty: TypeId,
        span: Span,
    ) -> Lowered<Option<Vec<(ir::Step, TypeId)>>> {
        Ok(match self.build.types().get(ty).clone() {
            Type::Record(record) => {
                let fields = (0..).zip(record.fields);
                let steps = fields.map(|(i, f)| (ir::Step::Field(i), f.1));
                Some(steps.collect())
            }
            Type::Array(len, element) if len <= 64 => {
                let step = |i| {
                    let index = self.build.int(i128::from(i), Types::INT);
                    (ir::Step::Index(index), element)
                };
                Some((0..len).map(step).collect())
            }
            Type::Array(..) => {
                return refuse(
                    span,
                    "a copy of an array of more than 64 elements (copy them in a loop) is",
                );
            }
            _ => None,
        })
    }
}
