//! Texts that formats make. A text is spelled out if its format is known and only has integers, characters and texts.
//! Where the format or a list of arguments is only known when the program runs, our header makes the text. Any other text
//! may only be printed: executions end where the program could look at it.

use super::spelled::Spelled;
use super::{Call, Value};
use crate::{Lowered, Lowerer};
use c::typed::{Conversion, ExprId as CExprId, ExprKind as C};
use c::types::IntKind;
use c_memory::format::Amount;
use c_memory::spelling::{self, Piece, What};
use ir::lower::Lower;
use ir::{Behind, Type};

impl Lowerer<'_> {
    pub(super) fn text_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        if c_memory::written(
            self.unit,
            &self.memory.dropped,
            call.e,
            call.name,
            call.args,
        )
        .is_some()
        {
            return Ok(None);
        }
        let (to, room, format, values) = match (call.name, call.args) {
            ("snprintf", &[to, size, format, ref values @ ..]) => (to, Some(size), format, values),
            ("sprintf", &[to, format, ref values @ ..]) => (to, None, format, values),
            ("vsnprintf", &[to, size, format, list]) => {
                self.effects(&[format])?;
                self.given_list(list)?;
                return self.other_text(call, to, Some(size)).map(Some);
            }
            ("vsprintf", &[to, format, list]) => {
                self.effects(&[format])?;
                self.given_list(list)?;
                return self.other_text(call, to, None).map(Some);
            }
            _ => return Ok(None),
        };
        if let Some(pieces) = self.pieces_of(format, values) {
            let spelled = Spelled {
                to: Some(to),
                room,
                pieces: &pieces,
                values,
            };
            return self.spell(call, &spelled).map(Some);
        }
        let reads = c_memory::texts_of_format(self.unit, format, values);
        self.evaluated_and_read(&[&[format], values].concat(), &reads, call.span)?;
        self.other_text(call, to, room).map(Some)
    }

    /// Returns the pieces of a format, if the text that it makes is computed.
    pub(super) fn pieces_of(&self, format: CExprId, values: &[CExprId]) -> Option<Vec<Piece>> {
        let pieces = spelling::pieces(&self.literal(format)?)?;
        let mut values = values.iter();
        for piece in &pieces {
            let Piece::Field(field) = piece else { continue };
            for amount in [Some(field.width), field.precision] {
                if amount == Some(Amount::Given) && !self.is_number(*values.next()?) {
                    return None;
                }
            }
            let &value = values.next()?;
            let known = match field.what {
                What::Text => self.is_text(value),
                What::Char | What::Number { .. } => self.is_number(value),
                What::Count => self
                    .unit
                    .types
                    .pointee(self.unit[value].ty.ty)
                    .is_some_and(|p| {
                        let kind = self.unit.types.int_kind(p.ty);
                        kind.is_some_and(|k| !matches!(k, IntKind::Int128 | IntKind::UInt128))
                    }),
            };
            if !known {
                return None;
            }
        }
        Some(pieces)
    }

    /// Whether an argument is an integer whose digits are computed.
    fn is_number(&self, e: CExprId) -> bool {
        let kind = self.unit.types.int_kind(self.unit[e].ty.ty);
        kind.is_some_and(|k| !matches!(k, IntKind::Int128 | IntKind::UInt128))
    }

    /// Whether an argument points to characters that can be read.
    pub(super) fn is_text(&self, e: CExprId) -> bool {
        let of_main = match self.unit[self.unconverted(e)].kind {
            C::Load(place) => self.argument(place).is_some(),
            _ => false,
        };
        let pointee = self.unit.types.pointee(self.unit[e].ty.ty);
        !of_main && pointee.is_some_and(|p| self.unit.types.function(p.ty).is_none())
    }

    /// Lowers a call that makes a text which is not computed.
    fn other_text(&mut self, call: Call<'_>, to: CExprId, room: Option<CExprId>) -> Lowered<Value> {
        let printed =
            self.memory.dropped.contains(&call.e) && c_memory::only_printed(self.unit, to);
        let room = room.and_then(|room| self.unit.constant(room));
        if !(printed && self.any_text(to, room)?) {
            let what = c_memory::text_not_computed(self.unit, call.args);
            self.at(call.span, |l| l.unknown(what, Behind::Unknown));
        }
        self.done(call.e)
    }

    /// Makes some text in an array that is only printed, if any text fits. Returns whether it did.
    fn any_text(&mut self, to: CExprId, room: Option<i128>) -> Lowered<bool> {
        let Some(array) = c_memory::array_of_text(self.unit, self.unconverted(to)) else {
            return Ok(false);
        };
        let mut found = self.place(array)?;
        let &Type::Array(len, _) = self.build.types().get(found.ty) else {
            return Ok(false);
        };
        if !room.is_some_and(|room| (1..=i128::from(len)).contains(&room)) {
            return Ok(false);
        }
        self.keep_indices(&mut found);
        // Nobody sees which text it is, so it is the empty one.
        self.each(&found, &mut |l, place| {
            let empty = l.zero(place.ty);
            l.store_place(place.clone(), empty);
            Ok(None)
        })?;
        Ok(true)
    }

    /// Returns the characters of a literal text, up to its end.
    pub(crate) fn literal(&self, text: CExprId) -> Option<Vec<u32>> {
        match self.unit[self.unconverted(text)].kind {
            C::Convert(Conversion::Void, of) => self.literal(of),
            _ => c_memory::literal(self.unit, text),
        }
    }
}
