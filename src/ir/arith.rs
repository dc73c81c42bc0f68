//! The effect of operators on numbers: the arithmetic of the language on known operands.
//!
//! Truth values are 0 and 1, members of enums their indices. `None` means that
//! the exact result does not fit into 128 bits, which only `int` can do.

use super::program::{BinaryOp, UnaryOp};
use super::types::{Bits, Type, TypeId, Types};

/// The number that a machine integer of that type holds after a store of `value`.
#[must_use]
pub fn wrap(bits: Bits, value: i128) -> i128 {
    let spare = 128 - u32::from(bits.width);
    if bits.signed {
        value << spare >> spare
    } else {
        (value.cast_unsigned() << spare >> spare).cast_signed()
    }
}

/// A number in another integer type.
#[must_use]
pub fn convert(types: &Types, to: TypeId, value: i128) -> i128 {
    match types.get(to) {
        Type::Bits(bits) => wrap(*bits, value),
        _ => value,
    }
}

/// The value of `op operand`; the operand's type is `ty`.
#[must_use]
pub fn unary(types: &Types, op: UnaryOp, ty: TypeId, operand: i128) -> Option<i128> {
    let exact = match op {
        UnaryOp::Not => 1 - operand,
        UnaryOp::Neg => operand.checked_neg()?,
        UnaryOp::BitNot => !operand,
    };
    Some(convert(types, ty, exact))
}

/// The value of `left op right`; the operands' type is `ty`.
#[must_use]
pub fn binary(types: &Types, op: BinaryOp, ty: TypeId, left: i128, right: i128) -> Option<i128> {
    match types.get(ty) {
        Type::Bits(bits) => Some(machine(*bits, op, left, right)),
        _ => exact(op, left, right),
    }
}

/// Operators on everything but machine integers.
fn exact(op: BinaryOp, l: i128, r: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => l.checked_add(r),
        BinaryOp::Sub => l.checked_sub(r),
        BinaryOp::Mul => l.checked_mul(r),
        // Euclidean: the remainder is never negative.
        BinaryOp::Div if r == 0 => Some(0),
        BinaryOp::Rem if r == 0 => Some(0),
        BinaryOp::Div => l.checked_div_euclid(r),
        BinaryOp::Rem => Some(l.wrapping_rem_euclid(r)),
        _ => Some(common(op, l, r)),
    }
}

/// Operators on machine integers.
pub fn machine(bits: Bits, op: BinaryOp, l: i128, r: i128) -> i128 {
    let width = i128::from(bits.width);
    // The amount of a shift is read as unsigned; a negative one is beyond every width.
    let amount = if (0..width).contains(&r) { r } else { width };
    let result = match op {
        BinaryOp::Add => l + r,
        BinaryOp::Sub => l - r,
        // The product of two unsigned 64-bit numbers does not fit; its low bits are right.
        BinaryOp::Mul => l.wrapping_mul(r),
        BinaryOp::Div | BinaryOp::Rem if r == 0 => 0,
        BinaryOp::Div => l / r,
        BinaryOp::Rem => l % r,
        BinaryOp::Shl if amount == width => 0,
        BinaryOp::Shl => l << amount,
        // A shift by the whole width leaves only sign bits: the operand has 128 bits, more than any width.
        BinaryOp::Shr => l >> amount,
        _ => return common(op, l, r),
    };
    wrap(bits, result)
}

/// Operators that mean the same on all numbers.
fn common(op: BinaryOp, l: i128, r: i128) -> i128 {
    match op {
        BinaryOp::Lt => i128::from(l < r),
        BinaryOp::Le => i128::from(l <= r),
        BinaryOp::Eq => i128::from(l == r),
        BinaryOp::And | BinaryOp::BitAnd => l & r,
        BinaryOp::Or | BinaryOp::BitOr => l | r,
        BinaryOp::Implies => i128::from(l <= r),
        BinaryOp::BitXor => l ^ r,
        _ => unreachable!("arithmetic is not common to all numbers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: Bits = Bits {
        width: 8,
        signed: true,
    };
    const U8: Bits = Bits {
        width: 8,
        signed: false,
    };
    const U64: Bits = Bits {
        width: 64,
        signed: false,
    };

    fn on(bits: Option<Bits>, op: BinaryOp, l: i128, r: i128) -> Option<i128> {
        let mut types = Types::new();
        let ty = bits.map_or(Types::INT, |b| types.intern(Type::Bits(b)));
        binary(&types, op, ty, l, r)
    }

    #[test]
    fn int_division_is_euclidean() {
        for (l, r, q, m) in [
            (7, 2, 3, 1),
            (-7, 2, -4, 1),
            (7, -2, -3, 1),
            (-7, -2, 4, 1),
            (5, 0, 0, 0),
        ] {
            assert_eq!(on(None, BinaryOp::Div, l, r), Some(q), "{l} / {r}");
            assert_eq!(on(None, BinaryOp::Rem, l, r), Some(m), "{l} % {r}");
        }
        assert_eq!(on(None, BinaryOp::Rem, i128::MIN, -1), Some(0));
        assert_eq!(on(None, BinaryOp::Div, i128::MIN, -1), None);
        assert_eq!(on(None, BinaryOp::Add, i128::MAX, 1), None);
    }

    #[test]
    fn machine_integers_wrap() {
        assert_eq!(on(Some(I8), BinaryOp::Add, 127, 1), Some(-128));
        assert_eq!(on(Some(U8), BinaryOp::Sub, 0, 1), Some(255));
        assert_eq!(on(Some(I8), BinaryOp::Div, -7, 2), Some(-3));
        assert_eq!(on(Some(I8), BinaryOp::Rem, -7, 2), Some(-1));
        assert_eq!(on(Some(I8), BinaryOp::Div, -128, -1), Some(-128));
        assert_eq!(on(Some(I8), BinaryOp::Rem, -128, -1), Some(0));
        let max = (1 << 64) - 1;
        assert_eq!(on(Some(U64), BinaryOp::Mul, max, max), Some(1));
        assert_eq!(unary(&Types::new(), UnaryOp::Not, Types::BOOL, 1), Some(0));
    }

    #[test]
    fn shifts_lose_all_bits_at_the_width() {
        assert_eq!(on(Some(U8), BinaryOp::Shl, 1, 7), Some(128));
        assert_eq!(on(Some(U8), BinaryOp::Shl, 1, 8), Some(0));
        assert_eq!(on(Some(I8), BinaryOp::Shl, 1, -1), Some(0));
        assert_eq!(on(Some(I8), BinaryOp::Shr, -128, 1), Some(-64));
        assert_eq!(on(Some(I8), BinaryOp::Shr, -128, 200), Some(-1));
        assert_eq!(on(Some(U8), BinaryOp::Shr, 128, 8), Some(0));
        assert_eq!(
            on(Some(U64), BinaryOp::Shl, (1 << 64) - 1, 63),
            Some(1 << 63)
        );
    }
}
