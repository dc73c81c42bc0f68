//! Numbers that are spelled out, digit by digit, as a format says.

use super::spelled::{Given, Writing};
use crate::{Lowered, Lowerer};
use c::types::{IntKind, Types as CTypes};
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, LocalId};

impl Lowerer<'_> {
    /// Writes a number in a base.
    pub(super) fn put_number(
        &mut self,
        writing: &Writing,
        given: &Given,
        value: ExprId,
        (kind, base, capitals): (IntKind, u32, bool),
    ) -> Lowered<()> {
        let span = writing.span;
        let large = c_memory::size_of(self.unit, CTypes::int(kind)) > 4;
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
        let based = self.build.int(base.into(), wide);
        let (power, digits) = self.digits(value, based)?;
        let nothing = self.build.binary(BinaryOp::Eq, value, zero);
        let digits = self.digits_shown(given, nothing, digits);
        let prefix = self.prefix(given, (below, nothing), (base, capitals));
        let ty = self.pointer_type();
        let mut length = digits;
        for &(shown, _) in &prefix {
            let one = self.number(shown, ty);
            length = self.build.binary(BinaryOp::Add, length, one);
        }
        let length = self.keep(length);
        let zeros = self.zeros(given, nothing, (digits, length), base);
        let length = self.build.binary(BinaryOp::Add, length, zeros);
        let length = self.keep(length);
        let letters = if capitals { 'A' } else { 'a' };
        self.filled_up(writing, given, length, &mut |l| {
            for &(shown, char) in &prefix {
                if !l.build.is_false(shown) {
                    l.when(shown, |l| l.put_known(writing, char.into()))?;
                }
            }
            l.repeat(zeros, &mut |l, _| l.put_known(writing, '0'.into()))?;
            l.put_digits(writing, value, (power, digits), based, letters)
        })
    }

    /// Returns how many digits a number shows: zero shows none if the precision is 0.
    fn digits_shown(&mut self, given: &Given, nothing: ExprId, digits: ExprId) -> ExprId {
        let Some(precision) = given.precision else {
            return digits;
        };
        let zero = self.size(0);
        let none = self.build.binary(BinaryOp::Eq, precision, zero);
        let none = self.build.binary(BinaryOp::And, none, nothing);
        let digits = self.build.ite(none, zero, digits);
        self.keep(digits)
    }

    /// The characters before the digits, with the conditions under which they stand there.
    fn prefix(
        &mut self,
        given: &Given,
        (below, nothing): (ExprId, ExprId),
        (base, capitals): (u32, bool),
    ) -> Vec<(ExprId, char)> {
        let mut prefix = vec![(below, '-')];
        if let Some(plus) = given.field.plus {
            prefix.push((self.build.not(below), plus));
        }
        if given.field.marked && matches!(base, 2 | 16) {
            let some = self.build.not(nothing);
            let letter = if capitals { 'X' } else { 'x' };
            prefix.extend([(some, '0'), (some, if base == 2 { 'b' } else { letter })]);
        }
        prefix
    }

    /// How many zeros stand before the digits.
    fn zeros(
        &mut self,
        given: &Given,
        nothing: ExprId,
        (digits, length): (ExprId, ExprId),
        base: u32,
    ) -> ExprId {
        let none = self.size(0);
        let mut zeros = match given.precision {
            Some(precision) => self.missing(precision, digits),
            None => none,
        };
        if !self.build.is_false(given.zeros) {
            let missing = self.missing(given.width, length);
            let filled = self.build.ite(given.left, none, missing);
            zeros = self.build.ite(given.zeros, filled, zeros);
        }
        if given.field.marked && base == 8 {
            let (one, some) = (self.size(1), self.build.not(nothing));
            let empty = self.build.binary(BinaryOp::Eq, digits, none);
            let wanted = self.build.binary(BinaryOp::Or, some, empty);
            let unfilled = self.build.binary(BinaryOp::Eq, zeros, none);
            let one_more = self.build.binary(BinaryOp::And, wanted, unfilled);
            zeros = self.build.ite(one_more, one, zeros);
        }
        self.keep(zeros)
    }

    /// Computes how many digits a number has, and in a local the power of the base that its first digit counts.
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
