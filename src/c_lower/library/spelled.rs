//! Texts that are spelled out, character by character, as a format says.

use super::{Call, Value};
use crate::place::Where;
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::ExprId as CExprId;
use c::types::{IntKind, TypeId as CTypeId, Types as CTypes};
use c_memory::format::Amount;
use c_memory::spelling::{Field, Piece, What};
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, LocalId, Step, Type, TypeId, Types};

/// Where characters lie one after the other.
pub(super) enum Characters {
    /// In an array that the program names.
    Array {
        found: Where,
        len: u32,
        element: TypeId,
    },
    /// At an address that a pointer holds.
    From {
        at: ExprId,
        pointer: CExprId,
        element: CTypeId,
    },
}

/// A text that is being written.
pub(super) struct Writing {
    /// Where its characters go; `None` if they are only counted.
    pub(super) to: Option<Characters>,
    /// How many bytes the text may fill, if the call says so.
    pub(super) room: Option<ExprId>,
    /// The local that counts the characters so far.
    pub(super) at: LocalId,
    pub(super) span: Span,
}

/// An argument as it is when the call begins.
pub(super) enum Argument {
    Number(ExprId),
    Known(Vec<u32>),
    Text(Characters),
    /// Where the call stores the number of characters so far.
    Count(Where),
}

/// A field, with the values of its arguments.
pub(super) struct Given {
    pub(super) field: Field,
    /// The least number of characters.
    pub(super) width: ExprId,
    /// Whether the text comes before the characters that fill the field.
    pub(super) left: ExprId,
    /// The least number of digits, or the greatest number of characters, if one is given.
    pub(super) precision: Option<ExprId>,
    /// Whether zeros fill the field.
    pub(super) zeros: ExprId,
    pub(super) value: Argument,
}

/// A call that makes a text whose format is known.
pub(super) struct Spelled<'c> {
    pub(super) to: Option<CExprId>,
    pub(super) room: Option<CExprId>,
    pub(super) pieces: &'c [Piece],
    pub(super) values: &'c [CExprId],
}

impl Lowerer<'_> {
    /// Writes the text, and gives its length.
    pub(super) fn spell(&mut self, call: Call<'_>, spelled: &Spelled<'_>) -> Lowered<Value> {
        let span = call.span;
        let to = match spelled.to {
            Some(to) => Some(self.characters(to, span)?),
            None => None,
        };
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
                Piece::Field(_) => {
                    if let Some(given) = given.next() {
                        self.put_field(&writing, given)?;
                    }
                }
            }
        }
        self.put_end(&writing)?;
        let length = self.read_local(at);
        let ty = self.scalar_type(self.unit[call.e].ty.ty, span)?;
        self.converted(length, ty, span).map(|v| Value(Some(v)))
    }

    fn position_type(&mut self, span: Span) -> Lowered<TypeId> {
        self.scalar_type(self.unit.types.size_type(), span)
    }

    pub(super) fn counter_from(&mut self, value: i128, ty: TypeId) -> LocalId {
        let counter = self.temporary(ty);
        let place = self.local_place(counter);
        self.set(&place, value);
        counter
    }

    /// Evaluates the arguments, from the first to the last.
    fn given(&mut self, spelled: &Spelled<'_>, span: Span) -> Lowered<Vec<Given>> {
        let mut values = spelled.values.iter().copied();
        let mut given = Vec::new();
        for piece in spelled.pieces {
            let Piece::Field(field) = *piece else {
                continue;
            };
            let (width, left) = self.width(field, &mut values)?;
            let mut zeros = self.build.bool(field.zeros);
            let precision = match field.precision {
                Some(Amount::Known(most)) => Some(self.size(most.into())),
                Some(Amount::Given) => {
                    let (precision, none) = self.precision(field, &mut values)?;
                    zeros = self.build.binary(BinaryOp::And, zeros, none);
                    Some(precision)
                }
                None => None,
            };
            let Some(value) = values.next() else {
                return refuse(span, "this format is");
            };
            let value = match field.what {
                What::Text => match self.literal(value) {
                    Some(known) => Argument::Known(known),
                    None => Argument::Text(self.characters(value, span)?),
                },
                What::Count => {
                    let mut into = self.pointed(value)?;
                    self.keep_indices(&mut into);
                    Argument::Count(into)
                }
                What::Char => Argument::Number(self.number_given(value, IntKind::UChar)?),
                What::Number { kind, .. } => Argument::Number(self.number_given(value, kind)?),
            };
            given.push(Given {
                field,
                width,
                left,
                precision,
                zeros,
                value,
            });
        }
        let rest: Vec<CExprId> = values.collect();
        self.effects(&rest)?;
        Ok(given)
    }

    /// Returns the least width of a field, and whether its text comes before the spaces: a negative width also says so.
    fn width(
        &mut self,
        field: Field,
        values: &mut dyn Iterator<Item = CExprId>,
    ) -> Lowered<(ExprId, ExprId)> {
        let left = self.build.bool(field.left);
        match field.width {
            Amount::Known(width) => Ok((self.size(width.into()), left)),
            Amount::Given => {
                let (given, below) = self.amount(values)?;
                let zero = self.build.int(0, self.build.ty(given));
                let other = self.build.binary(BinaryOp::Sub, zero, given);
                let width = self.build.ite(below, other, given);
                let left = self.build.binary(BinaryOp::Or, left, below);
                Ok((self.keep(width), self.keep(left)))
            }
        }
    }

    /// Reads a precision from the next argument. Also returns whether it is negative: then the field has no precision.
    fn precision(
        &mut self,
        field: Field,
        values: &mut dyn Iterator<Item = CExprId>,
    ) -> Lowered<(ExprId, ExprId)> {
        let Some(value) = values.next() else {
            return refuse(self.body.span, "this format is");
        };
        let given = self.number_given(value, IntKind::Int)?;
        let none = match field.what {
            What::Number { .. } => 1,
            What::Char | What::Text | What::Count => i128::from(u32::MAX),
        };
        Ok(self.precision_given(given, none))
    }

    /// Converts a precision to a machine word; a negative one becomes `none`. Also returns whether it is negative.
    pub(super) fn precision_given(&mut self, given: ExprId, none: i128) -> (ExprId, ExprId) {
        let (given, below) = self.amount_of(given);
        let none = self.build.int(none, self.build.ty(given));
        let precision = self.build.ite(below, none, given);
        (self.keep(precision), below)
    }

    /// Reads the number that stands for a `*`, as a machine word. Also returns whether it is negative.
    fn amount(&mut self, values: &mut dyn Iterator<Item = CExprId>) -> Lowered<(ExprId, ExprId)> {
        let Some(value) = values.next() else {
            return refuse(self.body.span, "this format is");
        };
        let given = self.number_given(value, IntKind::Int)?;
        Ok(self.amount_of(given))
    }

    fn amount_of(&mut self, given: ExprId) -> (ExprId, ExprId) {
        let zero = self.build.int(0, self.build.ty(given));
        let below = self.build.binary(BinaryOp::Lt, given, zero);
        let below = self.keep(below);
        let ty = self.pointer_type();
        (self.build.convert(given, ty), below)
    }

    pub(super) fn number_given(&mut self, value: CExprId, kind: IntKind) -> Lowered<ExprId> {
        let span = self.unit[value].span;
        let ty = self.scalar_type(CTypes::int(kind), span)?;
        let value = self.value(value)?;
        let value = self.converted(value, ty, span)?;
        Ok(self.keep(value))
    }

    /// The characters to which an argument points.
    pub(super) fn characters(&mut self, arg: CExprId, span: Span) -> Lowered<Characters> {
        let arg = c_memory::as_text(self.unit, arg);
        if let Some(array) = c_memory::array_of_text(self.unit, arg) {
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
        let own = pointee.filter(|&ty| c_memory::size_of(self.unit, ty) == 1 && !self.is_void(ty));
        Ok(Characters::From {
            at,
            pointer: arg,
            element: own.unwrap_or_else(|| CTypes::int(IntKind::Char)),
        })
    }

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

    pub(super) fn put_known(&mut self, writing: &Writing, char: u32) -> Lowered<()> {
        let char = self.build.int(i128::from(char & 0xff), Types::INT);
        self.put(writing, char)
    }

    /// Writes the next character, if there is room for it and for the end.
    pub(super) fn put(&mut self, writing: &Writing, char: ExprId) -> Lowered<()> {
        let at = self.read_local(writing.at);
        match writing.room {
            Some(room) => {
                let one = self.build.int(1, self.build.ty(at));
                let next = self.build.binary(BinaryOp::Add, at, one);
                let fits = self.build.binary(BinaryOp::Lt, next, room);
                self.when(fits, |l| l.put_at(writing, at, char))?;
            }
            None => self.put_at(writing, at, char)?,
        }
        let place = self.local_place(writing.at);
        self.count(&place, 1);
        Ok(())
    }

    fn put_at(&mut self, writing: &Writing, at: ExprId, char: ExprId) -> Lowered<()> {
        let Some(to) = &writing.to else {
            return Ok(());
        };
        let place = self.character(to, at, writing.span)?;
        let char = self.converted(char, place.ty, writing.span)?;
        self.store(&place, char)
    }

    /// Writes the zero behind the text, or into the last byte of the room.
    fn put_end(&mut self, writing: &Writing) -> Lowered<()> {
        let at = self.read_local(writing.at);
        let end = self.build.int(0, Types::INT);
        let Some(room) = writing.room else {
            return self.put_at(writing, at, end);
        };
        let ty = self.build.ty(room);
        let (zero, one) = (self.build.int(0, ty), self.build.int(1, ty));
        let any = self.build.binary(BinaryOp::Lt, zero, room);
        self.when(any, |l| {
            let last = l.build.binary(BinaryOp::Sub, room, one);
            let fits = l.build.binary(BinaryOp::Lt, at, room);
            let at = l.build.ite(fits, at, last);
            let at = l.keep(at);
            l.put_at(writing, at, end)
        })?;
        Ok(())
    }

    fn put_field(&mut self, writing: &Writing, given: Given) -> Lowered<()> {
        match (given.field.what, &given.value) {
            (
                What::Number {
                    kind,
                    base,
                    capitals,
                    ..
                },
                &Argument::Number(value),
            ) => self.put_number(writing, &given, value, (kind, base, capitals)),
            (What::Text, Argument::Known(text)) => {
                let length = self.size(text.len() as i128);
                let length = self.at_most(length, given.precision);
                self.filled_up(writing, &given, length, &mut |l| {
                    for (at, &c) in (0..).zip(text) {
                        let at = l.size(at);
                        let within = l.build.binary(BinaryOp::Lt, at, length);
                        if l.build.is_true(within) {
                            l.put_known(writing, c)?;
                        } else if !l.build.is_false(within) {
                            l.when(within, |l| l.put_known(writing, c))?;
                        }
                    }
                    Ok(())
                })
            }
            (What::Text, Argument::Text(text)) => {
                let (most, mut length) = (given.precision, self.size(0));
                if !self.is_zero_size(given.width) {
                    length = self.each_character(text, most, writing.span, &mut |_, _| Ok(()))?;
                }
                self.filled_up(writing, &given, length, &mut |l| {
                    l.each_character(text, most, writing.span, &mut |l, c| l.put(writing, c))?;
                    Ok(())
                })
            }
            (What::Count, Argument::Count(into)) => {
                let at = self.read_local(writing.at);
                let count = self.converted(at, into.ty, writing.span)?;
                self.store(into, count)
            }
            (_, &Argument::Number(char)) => {
                let length = self.size(1);
                self.filled_up(writing, &given, length, &mut |l| l.put(writing, char))
            }
            _ => refuse(writing.span, "this format is"),
        }
    }

    fn at_most(&mut self, length: ExprId, most: Option<ExprId>) -> ExprId {
        let Some(most) = most else { return length };
        let fewer = self.build.binary(BinaryOp::Lt, most, length);
        self.build.ite(fewer, most, length)
    }

    fn is_zero_size(&self, size: ExprId) -> bool {
        self.build.literal(size) == Some(0)
    }

    /// Returns a number as a machine word.
    pub(super) fn size(&mut self, value: i128) -> ExprId {
        let ty = self.pointer_type();
        self.build.int(value, ty)
    }

    /// Runs `act`, which writes `length` characters, and writes the missing spaces before or behind them.
    pub(super) fn filled_up(
        &mut self,
        writing: &Writing,
        given: &Given,
        length: ExprId,
        act: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let missing = self.missing(given.width, length);
        let none = self.size(0);
        let before = self.build.ite(given.left, none, missing);
        let behind = self.build.ite(given.left, missing, none);
        let space = u32::from(' ');
        self.repeat(before, &mut |l, _| l.put_known(writing, space))?;
        act(self)?;
        self.repeat(behind, &mut |l, _| l.put_known(writing, space))
    }

    /// Returns how many characters `length` has less than `wanted`, or 0.
    pub(super) fn missing(&mut self, wanted: ExprId, length: ExprId) -> ExprId {
        let zero = self.size(0);
        if self.is_zero_size(wanted) {
            return zero;
        }
        let fewer = self.build.binary(BinaryOp::Lt, length, wanted);
        let missing = self.build.binary(BinaryOp::Sub, wanted, length);
        let missing = self.build.ite(fewer, missing, zero);
        self.keep(missing)
    }

    /// Runs `act` on the characters of a text up to its end, or up to `most` of them. Returns how many they are.
    pub(super) fn each_character(
        &mut self,
        text: &Characters,
        most: Option<ExprId>,
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
}
