//! Texts that are spelled out, character by character, as a format says.

use super::format::{Field, Piece, What};
use super::{Call, Value};
use crate::c::lower::place::Where;
use crate::c::lower::{Lowered, Lowerer, refuse};
use crate::c::memory;
use crate::c::typed::ExprId as CExprId;
use crate::c::types::{IntKind, TypeId as CTypeId, Types as CTypes};
use crate::ir::{BinaryOp, Block, ErrorKind, ExprId, LocalId, Step, StmtKind, Type, TypeId, Types};
use crate::lower::Lower;
use crate::source::Span;

/// Where characters lie one after the other.
enum Characters {
    /// In an array that is named there.
    Array {
        found: Where,
        len: u32,
        element: TypeId,
    },
    /// From where a pointer leads.
    From {
        at: ExprId,
        pointer: CExprId,
        element: CTypeId,
    },
}

/// A text that is being written.
struct Writing {
    to: Characters,
    /// How many bytes there are for it, if that is said.
    room: Option<ExprId>,
    /// How many characters came before.
    at: LocalId,
    span: Span,
}

/// An argument as it is when the call begins.
enum Given {
    Number(ExprId),
    Known(Vec<u32>),
    Text(Characters),
}

/// A call that makes a text whose format is known.
pub(super) struct Spelled<'c> {
    pub(super) to: CExprId,
    pub(super) room: Option<CExprId>,
    pub(super) pieces: &'c [Piece],
    pub(super) values: &'c [CExprId],
}

impl Lowerer<'_> {
    /// Writes the text, and gives its length.
    pub(super) fn spell(&mut self, call: Call<'_>, spelled: &Spelled<'_>) -> Lowered<Value> {
        let span = call.span;
        let to = self.characters(spelled.to, span)?;
        let size = self.position_type(span)?;
        let room = match spelled.room {
            Some(room) => {
                let room = self.value(room)?;
                let room = self.converted(room, size, span)?;
                Some(self.keep(room))
            }
            None => None,
        };
        let given = self.given(spelled, span)?;
        let at = self.counter_from(0, size);
        let writing = Writing { to, room, at, span };
        let mut given = given.into_iter();
        for &piece in spelled.pieces {
            match piece {
                Piece::Plain(char) => self.put_known(&writing, char)?,
                Piece::Field(field) => {
                    if let Some(value) = given.next() {
                        self.put_field(&writing, field, value)?;
                    }
                }
            }
        }
        self.put_end(&writing)?;
        let length = self.read_local(at);
        let ty = self.scalar_type(self.unit[call.e].ty.ty, span)?;
        self.converted(length, ty, span).map(|v| Value(Some(v)))
    }

    /// Numbers of characters.
    fn position_type(&mut self, span: Span) -> Lowered<TypeId> {
        self.scalar_type(self.unit.types.size_type(), span)
    }

    fn counter_from(&mut self, value: i128, ty: TypeId) -> LocalId {
        let counter = self.temporary(ty);
        let place = self.local_place(counter);
        self.set(&place, value);
        counter
    }

    /// The arguments, from the first to the last.
    fn given(&mut self, spelled: &Spelled<'_>, span: Span) -> Lowered<Vec<Given>> {
        let fields = spelled.pieces.iter().filter_map(|piece| match piece {
            Piece::Field(field) => Some(field.what),
            Piece::Plain(_) => None,
        });
        let mut given = Vec::new();
        for (what, &value) in fields.zip(spelled.values) {
            given.push(match what {
                What::Text { .. } => match self.literal(value) {
                    Some(known) => Given::Known(known),
                    None => Given::Text(self.characters(value, span)?),
                },
                What::Char => Given::Number(self.number_given(value, IntKind::UChar)?),
                What::Number { kind, .. } => Given::Number(self.number_given(value, kind)?),
            });
        }
        self.effects(&spelled.values[given.len()..])?;
        Ok(given)
    }

    fn number_given(&mut self, value: CExprId, kind: IntKind) -> Lowered<ExprId> {
        let span = self.unit[value].span;
        let ty = self.scalar_type(CTypes::int(kind), span)?;
        let value = self.value(value)?;
        let value = self.converted(value, ty, span)?;
        Ok(self.keep(value))
    }

    /// The characters to which an argument points.
    fn characters(&mut self, arg: CExprId, span: Span) -> Lowered<Characters> {
        let arg = self.unconverted(arg);
        if let Some(array) = memory::array_of_text(self.unit, arg) {
            let mut found = self.place(array)?;
            let &Type::Array(len, element) = self.build.types().get(found.ty) else {
                return refuse(span, "a text that is made or read here is");
            };
            self.keep_indices(&mut found);
            return Ok(Characters::Array {
                found,
                len,
                element,
            });
        }
        let at = self.address_of(arg, span)?;
        let pointee = self.unit.types.pointee(self.unit[arg].ty.ty).map(|p| p.ty);
        let own = pointee.filter(|&ty| memory::size_of(self.unit, ty) == 1 && !self.is_void(ty));
        Ok(Characters::From {
            at,
            pointer: arg,
            element: own.unwrap_or_else(|| CTypes::int(IntKind::Char)),
        })
    }

    /// One of them.
    fn character(&mut self, all: &Characters, index: ExprId, span: Span) -> Lowered<Where> {
        match all {
            Characters::Array {
                found,
                len,
                element,
            } => {
                let end = self.build.int(i128::from(*len), self.build.ty(index));
                let within = self.build.binary(BinaryOp::Lt, index, end);
                if !self.build.is_true(within) {
                    let what = format!("the text goes beyond an array of {len} characters");
                    self.at(span, |l| l.expect(ErrorKind::Deref, within, what));
                }
                Ok(found.part(Step::Index(index), *element))
            }
            Characters::From {
                at,
                pointer,
                element,
            } => {
                let at = self.moved_value(*at, index, *element, false, span)?;
                self.leads_to(at, *pointer, *element, span)
            }
        }
    }

    fn put_known(&mut self, writing: &Writing, char: u32) -> Lowered<()> {
        let char = self.build.int(i128::from(char & 0xff), Types::INT);
        self.put(writing, char)
    }

    /// Writes the next character, if there is room for it and for the end.
    fn put(&mut self, writing: &Writing, char: ExprId) -> Lowered<()> {
        let at = self.read_local(writing.at);
        let (store, ()) = self.apart(|l| l.put_at(writing, at, char))?;
        match writing.room {
            Some(room) => {
                let one = self.build.int(1, self.build.ty(at));
                let next = self.build.binary(BinaryOp::Add, at, one);
                let fits = self.build.binary(BinaryOp::Lt, next, room);
                self.emit(StmtKind::If(fits, store, Block::new()));
            }
            None => self.body.block.extend(store),
        }
        let place = self.local_place(writing.at);
        self.count(&place, 1);
        Ok(())
    }

    fn put_at(&mut self, writing: &Writing, at: ExprId, char: ExprId) -> Lowered<()> {
        let place = self.character(&writing.to, at, writing.span)?;
        let char = self.converted(char, place.ty, writing.span)?;
        self.store(&place, char)
    }

    /// The zero behind the text, or in the last byte that there is.
    fn put_end(&mut self, writing: &Writing) -> Lowered<()> {
        let at = self.read_local(writing.at);
        let end = self.build.int(0, Types::INT);
        let Some(room) = writing.room else {
            return self.put_at(writing, at, end);
        };
        let ty = self.build.ty(room);
        let (zero, one) = (self.build.int(0, ty), self.build.int(1, ty));
        let any = self.build.binary(BinaryOp::Lt, zero, room);
        let (store, ()) = self.apart(|l| {
            let last = l.build.binary(BinaryOp::Sub, room, one);
            let fits = l.build.binary(BinaryOp::Lt, at, room);
            let at = l.build.ite(fits, at, last);
            let at = l.keep(at);
            l.put_at(writing, at, end)
        })?;
        self.emit(StmtKind::If(any, store, Block::new()));
        Ok(())
    }

    fn put_field(&mut self, writing: &Writing, field: Field, value: Given) -> Lowered<()> {
        match (field.what, value) {
            (
                What::Number {
                    kind,
                    base,
                    capitals,
                },
                Given::Number(value),
            ) => {
                let letters = if capitals { 'A' } else { 'a' };
                self.put_number(writing, field, value, (kind, base, letters))
            }
            (What::Text { most }, Given::Known(mut text)) => {
                text.truncate(most.map_or(usize::MAX, |most| most as usize));
                let length = self.size(text.len() as i128);
                self.filled_up(writing, field, length, &mut |l| {
                    text.iter().try_for_each(|&c| l.put_known(writing, c))
                })
            }
            (What::Text { most }, Given::Text(text)) => {
                let mut length = self.size(0);
                if field.width > 0 {
                    length = self.each_character(&text, most, writing.span, &mut |_, _| Ok(()))?;
                }
                self.filled_up(writing, field, length, &mut |l| {
                    l.each_character(&text, most, writing.span, &mut |l, c| l.put(writing, c))?;
                    Ok(())
                })
            }
            (_, Given::Number(char)) => {
                let length = self.size(1);
                self.filled_up(writing, field, length, &mut |l| l.put(writing, char))
            }
            _ => refuse(writing.span, "this format is"),
        }
    }

    /// A number of the machine's words.
    fn size(&mut self, value: i128) -> ExprId {
        let ty = self.pointer_type();
        self.build.int(value, ty)
    }

    /// Spaces before or behind what is as long.
    fn filled_up(
        &mut self,
        writing: &Writing,
        field: Field,
        length: ExprId,
        act: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let missing = self.missing(field, length);
        let space = u32::from(' ');
        if !field.left {
            self.repeat(missing, &mut |l, _| l.put_known(writing, space))?;
        }
        act(self)?;
        if field.left {
            self.repeat(missing, &mut |l, _| l.put_known(writing, space))?;
        }
        Ok(())
    }

    /// How many characters are missing to the width.
    fn missing(&mut self, field: Field, length: ExprId) -> ExprId {
        let (zero, width) = (self.size(0), self.size(field.width.into()));
        if field.width == 0 {
            return zero;
        }
        let fewer = self.build.binary(BinaryOp::Lt, length, width);
        let missing = self.build.binary(BinaryOp::Sub, width, length);
        let missing = self.build.ite(fewer, missing, zero);
        self.keep(missing)
    }

    /// The characters of a text up to its end; how many they are.
    fn each_character(
        &mut self,
        text: &Characters,
        most: Option<u32>,
        span: Span,
        act: &mut dyn FnMut(&mut Self, ExprId) -> Lowered<()>,
    ) -> Lowered<ExprId> {
        let ty = self.pointer_type();
        let turn = self.counter_from(0, ty);
        let size = self.position_type(span)?;
        let id = self.new_loop();
        let (body, ()) = self.apart(|l| {
            let at = l.read_local(turn);
            if let Some(most) = most {
                let most = l.size(most.into());
                let more = l.build.binary(BinaryOp::Lt, at, most);
                l.goes_on_if(id, more)?;
            }
            let index = l.converted(at, size, span)?;
            let found = l.character(text, index, span)?;
            let char = l.load(&found)?;
            let char = l.keep(char);
            let zero = l.build.int(0, l.build.ty(char));
            let ends = l.build.binary(BinaryOp::Eq, char, zero);
            let more = l.build.not(ends);
            l.goes_on_if(id, more)?;
            act(l, char)?;
            let place = l.local_place(turn);
            l.count(&place, 1);
            Ok(())
        })?;
        self.endless(id, body);
        Ok(self.read_local(turn))
    }

    /// A number in a base, with letters from one on.
    fn put_number(
        &mut self,
        writing: &Writing,
        field: Field,
        value: ExprId,
        (kind, base, letters): (IntKind, u32, char),
    ) -> Lowered<()> {
        let span = writing.span;
        let large = memory::size_of(self.unit, CTypes::int(kind)) > 4;
        let wide = if large {
            IntKind::ULongLong
        } else {
            IntKind::UInt
        };
        let wide = self.scalar_type(CTypes::int(wide), span)?;
        let zero = self.build.int(0, self.build.ty(value));
        let below = self.build.binary(BinaryOp::Lt, value, zero);
        let value = self.converted(value, wide, span)?;
        let zero = self.build.int(0, wide);
        let negated = self.build.binary(BinaryOp::Sub, zero, value);
        let value = self.build.ite(below, negated, value);
        let value = self.keep(value);
        let base = self.build.int(base.into(), wide);
        let (power, digits) = self.digits(value, base)?;
        let ty = self.pointer_type();
        let sign = self.number(below, ty);
        let length = self.build.binary(BinaryOp::Add, digits, sign);
        let length = self.keep(length);
        let spell = &mut |l: &mut Self| {
            let (minus, ()) = l.apart(|l| l.put_known(writing, '-'.into()))?;
            l.emit(StmtKind::If(below, minus, Block::new()));
            if field.zeros {
                let missing = l.missing(field, length);
                l.repeat(missing, &mut |l, _| l.put_known(writing, '0'.into()))?;
            }
            l.put_digits(writing, value, (power, digits), base, letters)
        };
        if field.zeros {
            spell(self)
        } else {
            self.filled_up(writing, field, length, spell)
        }
    }

    /// What the first digit of a number counts, in a local, and how many digits there are.
    fn digits(&mut self, value: ExprId, base: ExprId) -> Lowered<(LocalId, ExprId)> {
        // The power stays below the number, so that it fits.
        let most = self.build.binary(BinaryOp::Div, value, base);
        let most = self.keep(most);
        let power = self.counter_from(1, self.build.ty(value));
        let ty = self.pointer_type();
        let digits = self.counter_from(1, ty);
        let id = self.new_loop();
        let (body, ()) = self.apart(|l| {
            let now = l.read_local(power);
            let more = l.build.binary(BinaryOp::Le, now, most);
            l.goes_on_if(id, more)?;
            let next = l.build.binary(BinaryOp::Mul, now, base);
            l.assign_local(power, next);
            let place = l.local_place(digits);
            l.count(&place, 1);
            Ok(())
        })?;
        self.endless(id, body);
        Ok((power, self.read_local(digits)))
    }

    fn put_digits(
        &mut self,
        writing: &Writing,
        value: ExprId,
        (power, digits): (LocalId, ExprId),
        base: ExprId,
        letters: char,
    ) -> Lowered<()> {
        let ty = self.build.ty(value);
        self.repeat(digits, &mut |l, _| {
            let now = l.read_local(power);
            let digit = l.build.binary(BinaryOp::Div, value, now);
            let digit = l.build.binary(BinaryOp::Rem, digit, base);
            let digit = l.keep(digit);
            let ten = l.build.int(10, ty);
            let plain = l.build.binary(BinaryOp::Lt, digit, ten);
            let from = l.build.int(i128::from(u32::from('0')), ty);
            let other = l.build.int(i128::from(u32::from(letters)) - 10, ty);
            let from = l.build.ite(plain, from, other);
            let char = l.build.binary(BinaryOp::Add, from, digit);
            l.put(writing, char)?;
            let next = l.build.binary(BinaryOp::Div, now, base);
            l.assign_local(power, next);
            Ok(())
        })
    }
}
