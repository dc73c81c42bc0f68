//! Texts that are made by formats.

use super::{Call, Value};
use crate::c::lower::{Lowered, Lowerer, refuse};
use crate::c::typed::{Conversion, ExprId as CExprId, ExprKind as C};
use crate::ir::{Step, Type, Types};
use crate::source::Span;

impl Lowerer<'_> {
    pub(super) fn text_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        match (name, args) {
            ("snprintf", &[to, size, format, ref values @ ..]) => {
                let room = self.unit.constant(size);
                self.effects(&[format])?;
                self.effects(values)?;
                self.any_text(to, room, span)?;
            }
            ("vsnprintf", &[to, size, format, list]) => {
                let room = self.unit.constant(size);
                self.effects(&[format])?;
                self.given_list(list)?;
                self.any_text(to, room, span)?;
            }
            ("sprintf", &[to, format, ref values @ ..]) => {
                let longest = self.longest(format, values);
                self.effects(values)?;
                self.any_text(to, longest.map(|n| n + 1), span)?;
            }
            _ => return Ok(None),
        }
        // Whoever uses the length gets any.
        if self.is_void(self.unit[e].ty.ty) {
            return Ok(Some(Value(None)));
        }
        self.chance(e).map(Some)
    }

    /// Any text in an array, of at most so many bytes with the one that ends it.
    fn any_text(&mut self, to: CExprId, room: Option<i128>, span: Span) -> Lowered<()> {
        let to = self.unconverted(to);
        let C::Decay(array) = self.unit[to].kind else {
            return refuse(span, "a text that is made behind a pointer is");
        };
        let mut found = self.place(array)?;
        let &Type::Array(len, element) = self.build.types().get(found.ty) else {
            return refuse(span, "a text that is made here is");
        };
        match room {
            Some(room) if (1..=i128::from(len)).contains(&room) => {}
            Some(0) => return Ok(()),
            Some(_) => return refuse(span, "a text that may be longer than its array is"),
            None => return refuse(span, "a text whose length is not known here is"),
        }
        self.keep_indices(&mut found);
        self.each(&found, &mut |l, place| {
            l.havoc(place.clone());
            Ok(None)
        })?;
        let last = self.build.int(i128::from(len) - 1, Types::INT);
        let end = self.build.int(0, element);
        self.store(&found.part(Step::Index(last), element), end)
    }

    /// How long the text of a format can be; none if that is not known.
    fn longest(&self, format: CExprId, values: &[CExprId]) -> Option<i128> {
        let format = self.literal(format)?;
        let mut values = values.iter();
        let (mut longest, mut chars) = (0, format.chars());
        while let Some(char) = chars.next() {
            if char != '%' {
                longest += i128::try_from(char.len_utf8()).ok()?;
                continue;
            }
            // Neither widths nor precisions.
            longest += loop {
                match chars.next()? {
                    'l' | 'h' | 'z' | 'j' | 't' => {}
                    '%' => break 1,
                    'c' => {
                        values.next()?;
                        break 1;
                    }
                    // The longest number has 64 bits: in base eight 22 digits, in base ten 20 characters.
                    'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                        values.next()?;
                        break 22;
                    }
                    's' => break self.text_length(*values.next()?)?,
                    _ => return None,
                }
            };
        }
        Some(longest)
    }

    /// How long a text can be that ends within its array.
    fn text_length(&self, text: CExprId) -> Option<i128> {
        if let Some(text) = self.literal(text) {
            return i128::try_from(text.len()).ok();
        }
        let C::Decay(array) = self.unit[self.unconverted(text)].kind else {
            return None;
        };
        let layout = self.unit.types.layout(self.unit[array].ty.ty)?;
        Some(i128::from(layout.size) - 1)
    }

    fn literal(&self, text: CExprId) -> Option<String> {
        match self.unit[self.unconverted(text)].kind {
            C::Decay(of) => match self.unit[of].kind {
                C::Text(text) => {
                    let values = self.unit[text].values.iter();
                    values.map(|&v| char::from_u32(v)).collect()
                }
                _ => None,
            },
            C::Convert(Conversion::Void, of) => self.literal(of),
            _ => None,
        }
    }
}
