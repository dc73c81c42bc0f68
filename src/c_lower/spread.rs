//! Constant initial values of records whose parts share bytes, spread over their cells.

use super::overlay::{Holds, Overlay};
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::Part;
use c::types::{RecordId, TypeId as CTypeId};
use c_memory::size_of;
use ir::{ExprId, ExprKind, Type, TypeId, Types};

/// The first content of a cell.
#[derive(Clone, Copy)]
enum Held {
    Bits(u64),
    Floating,
    Object(ExprId),
}

/// The cells of a record, and their first content.
struct Filling<'o> {
    overlay: &'o Overlay,
    held: Vec<Held>,
    span: Span,
}

impl Filling<'_> {
    /// Sets `width` bits of the record, from bit `from` on.
    fn bits(&mut self, from: u64, width: u64, value: i128) {
        for (cell, held) in self.overlay.cells.iter().zip(&mut self.held) {
            let (begin, end) = (cell.range.from.max(from), cell.range.to.min(from + width));
            let Held::Bits(all) = held else { continue };
            if begin < end && cell.holds != Holds::Library {
                let mask = (1_i128 << (end - begin)) - 1;
                let own = value >> (begin - from) & mask;
                let by = begin - cell.range.from;
                let kept = i128::from(*all) & !(mask << by);
                *all = (kept | own << by) as u64;
            }
        }
    }

    fn object(&mut self, from: u64, held: Held) {
        let cells = self.overlay.cells.iter().zip(&mut self.held);
        for (_, own) in cells.filter(|(cell, _)| cell.range.from == from) {
            *own = held;
        }
    }
}

impl Lowerer<'_> {
    /// Returns the value of a constant initialiser of a record whose parts share bytes.
    pub(super) fn overlay_constant(
        &mut self,
        record: RecordId,
        overlay: &Overlay,
        parts: &[Part],
        span: Span,
    ) -> Lowered<ExprId> {
        let mut filling = Filling {
            overlay,
            held: vec![Held::Bits(0); overlay.cells.len()],
            span,
        };
        let types = &self.unit.types;
        for part in parts {
            let field = u32::try_from(part.at).ok();
            let Some(field) = field.and_then(|f| types.member_at(record, f)) else {
                return refuse(span, "this initial value is");
            };
            let value = self.constant(Some(part.init), field.ty.ty, span)?;
            match field.bits {
                Some(bits) => {
                    let number = self.build.literal(value).unwrap_or(0);
                    filling.bits(bits.first, u64::from(bits.width), number);
                }
                None => self.spread(value, field.ty.ty, field.offset * 8, &mut filling)?,
            }
        }
        Ok(self.filled(&filling))
    }

    fn spread(
        &mut self,
        value: ExprId,
        ty: CTypeId,
        from: u64,
        filling: &mut Filling<'_>,
    ) -> Lowered<()> {
        let unit = self.unit;
        if unit.types.library(ty).is_some() {
            filling.object(from, Held::Object(value));
            return Ok(());
        }
        if let Some(id) = unit.types.record(ty) {
            if let Some(inner) = self.overlay(id, filling.span)? {
                return self.spread_cells(value, &inner, from, filling);
            }
            let fields = unit.types[id].fields.iter().flatten();
            for (index, field) in (0..).zip(fields) {
                let own = self.build.field(value, index);
                match field.bits {
                    Some(bits) => {
                        let number = self.build.literal(own).unwrap_or(0);
                        filling.bits(from + bits.first, u64::from(bits.width), number);
                    }
                    None => self.spread(own, field.ty.ty, from + field.offset * 8, filling)?,
                }
            }
            return Ok(());
        }
        let len = match *self.build.types().get(self.build.ty(value)) {
            Type::Array(len, _) => len,
            _ => 0,
        };
        if let Some(element) = unit.types.element(ty) {
            let stride = size_of(unit, element.ty) * 8;
            for at in 0..len {
                let index = self.build.int(i128::from(at), Types::INT);
                let own = self.build.index(value, index);
                let from = from + u64::from(at) * stride;
                self.spread(own, element.ty, from, filling)?;
            }
            return Ok(());
        }
        if self.is_floating(ty) {
            let size = size_of(unit, ty);
            match self.doubles.then(|| self.constant_bits(value, size)) {
                None => filling.object(from, Held::Floating),
                Some(Some(bits)) => filling.bits(from, size * 8, bits),
                Some(None) => return refuse(filling.span, "this initial value is"),
            }
            return Ok(());
        }
        let Some(number) = self.build.literal(value) else {
            return refuse(filling.span, "this initial value is");
        };
        filling.bits(from, size_of(unit, ty) * 8, number);
        Ok(())
    }

    /// Spreads the cells of an inner record over those of the whole one.
    fn spread_cells(
        &mut self,
        value: ExprId,
        inner: &Overlay,
        from: u64,
        filling: &mut Filling<'_>,
    ) -> Lowered<()> {
        for cell in &inner.cells {
            let mut own = self.build.field(value, cell.field);
            if let Some(index) = cell.index {
                let index = self.build.int(i128::from(index), Types::INT);
                own = self.build.index(own, index);
            }
            let at = from + cell.range.from;
            match (cell.holds, self.build.literal(own)) {
                (Holds::Bits, Some(number)) => filling.bits(at, cell.range.width(), number),
                (Holds::Library, _) => filling.object(at, Held::Object(own)),
                _ => {
                    return refuse(
                        filling.span,
                        "a floating number in a union within another is",
                    );
                }
            }
        }
        Ok(())
    }

    fn filled(&mut self, filling: &Filling<'_>) -> ExprId {
        let overlay = filling.overlay;
        let fields: Vec<TypeId> = match self.build.types().get(overlay.ty) {
            Type::Record(record) => record.fields.iter().map(|f| f.1).collect(),
            _ => Vec::new(),
        };
        let mut values: Vec<Vec<ExprId>> = vec![Vec::new(); fields.len()];
        for (cell, held) in overlay.cells.iter().zip(&filling.held) {
            let value = self.held_value(cell.ty, cell.holds, *held);
            values[cell.field as usize].push(value);
        }
        let mut parts = Vec::new();
        for (values, ty) in values.into_iter().zip(fields) {
            let array = matches!(self.build.types().get(ty), Type::Array(..));
            parts.push(match values.as_slice() {
                &[only] if !array => only,
                _ => self.build.add(ExprKind::Array(values.into()), ty),
            });
        }
        self.build.add(ExprKind::Record(parts.into()), overlay.ty)
    }

    fn held_value(&mut self, ty: TypeId, holds: Holds, held: Held) -> ExprId {
        let number = match held {
            Held::Object(value) => return value,
            Held::Bits(number) => i128::from(number),
            Held::Floating => 0,
        };
        match (holds, self.build.types().get(ty).clone()) {
            (Holds::Either, Type::Record(record)) => {
                let bits = self.build.int(number, record.fields[0].1);
                let mark = self.build.bool(matches!(held, Held::Floating));
                let both = ExprKind::Record(vec![bits, mark].into());
                self.build.add(both, ty)
            }
            (Holds::Bits, _) => {
                let number = ir::arith::convert(self.build.types(), ty, number);
                self.build.int(number, ty)
            }
            _ => self.zero(ty),
        }
    }
}
