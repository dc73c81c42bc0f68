//! Arithmetic on 64-bit slots. `None` where the machine's number does not hold the result.

use ir::{BinaryOp, UnaryOp};

use crate::code::{Num, UNDEF};

/// Returns a number, unless it equals the mark of a missing value.
fn real(n: i64) -> Option<i64> {
    (n != UNDEF).then_some(n)
}

/// Wraps a number to a width. A 64-bit unsigned number keeps its bits, so it may look negative.
fn wrap(n: i64, width: u8, signed: bool) -> i64 {
    let unused = 64 - u32::from(width);
    match (unused, signed) {
        (0, _) => n,
        (_, true) => (n << unused) >> unused,
        (_, false) => n & (i64::MAX >> (unused - 1)),
    }
}

pub(super) fn unary(op: UnaryOp, num: Num, a: i64) -> Option<i64> {
    match (op, num) {
        (UnaryOp::Not, _) => Some(i64::from(a == 0)),
        (UnaryOp::Neg, Num::Int) => a.checked_neg().and_then(real),
        (UnaryOp::Neg, Num::Bits(w, s)) => real(wrap(a.wrapping_neg(), w, s)),
        (UnaryOp::BitNot, Num::Bits(w, s)) => real(wrap(!a, w, s)),
        (UnaryOp::BitNot, Num::Int) => real(!a),
    }
}

pub(super) fn convert(from: Num, to: Num, a: i64) -> Option<i64> {
    match (from, to) {
        // The bits of a large unsigned number look negative.
        (Num::Bits(64, false), Num::Int) if a < 0 => None,
        (_, Num::Int) => Some(a),
        (_, Num::Bits(w, s)) => real(wrap(a, w, s)),
    }
}

pub(super) fn compare(op: BinaryOp, num: Num, a: i64, b: i64) -> bool {
    let (a, b) = match num {
        Num::Bits(64, false) => (a ^ i64::MIN, b ^ i64::MIN),
        _ => (a, b),
    };
    match op {
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        _ => a == b,
    }
}

pub(super) fn binary(op: BinaryOp, num: Num, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq => Some(compare(op, num, a, b).into()),
        _ => match num {
            Num::Int => exact(op, a, b).and_then(real),
            Num::Bits(64, false) => real(unsigned(op, a.cast_unsigned(), b.cast_unsigned())),
            Num::Bits(w, s) => real(machine(op, w, s, a, b)),
        },
    }
}

fn exact(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => Some(0),
        BinaryOp::Div => a.checked_div_euclid(b),
        BinaryOp::Rem => Some(a.wrapping_rem_euclid(b)),
        _ => None,
    }
}

/// Computes on machine integers that fit into a signed 64-bit number.
fn machine(op: BinaryOp, width: u8, signed: bool, a: i64, b: i64) -> i64 {
    // The amount of a shift is read as unsigned.
    let amount = wrap(b, width, false);
    let gone = amount < 0 || amount >= i64::from(width);
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => 0,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl if gone => 0,
        BinaryOp::Shl => a << amount,
        BinaryOp::Shr if gone => -i64::from(a < 0),
        _ => a >> amount,
    };
    wrap(result, width, signed)
}

fn unsigned(op: BinaryOp, a: u64, b: u64) -> i64 {
    let gone = b >= 64;
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => 0,
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl | BinaryOp::Shr if gone => 0,
        BinaryOp::Shl => a << b,
        _ => a >> b,
    };
    result.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{Bits, arith};

    /// Against the exact definition, on values at and between the bounds.
    #[test]
    fn machine_integers_agree_with_their_definition() {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
        for (width, signed) in [(8, true), (8, false), (32, true), (64, true), (64, false)] {
            let bits = Bits { width, signed };
            let values: Vec<i128> = [0, 1, -1, 2, 7, 63, 64, 127, -128, 255, 1 << 40, i128::MAX]
                .map(|n| arith::wrap(bits, n))
                .to_vec();
            let slot = |n: i128| {
                u64::try_from(n & i128::from(u64::MAX))
                    .unwrap()
                    .cast_signed()
            };
            for op in [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr] {
                for &a in &values {
                    for &b in &values {
                        let expected = Some(slot(arith::machine(bits, op, a, b)));
                        let got = binary(op, Num::Bits(width, signed), slot(a), slot(b));
                        assert_eq!(got, expected, "{op:?} {bits:?} {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_never_wrap() {
        assert_eq!(binary(BinaryOp::Add, Num::Int, i64::MAX, 1), None);
        assert_eq!(binary(BinaryOp::Div, Num::Int, -7, 2), Some(-4));
        assert_eq!(binary(BinaryOp::Rem, Num::Int, -7, -2), Some(1));
        assert_eq!(binary(BinaryOp::Rem, Num::Int, i64::MIN, -1), Some(0));
        assert_eq!(binary(BinaryOp::Div, Num::Int, i64::MIN, -1), None);
        assert_eq!(convert(Num::Bits(64, false), Num::Int, -1), None);
    }
}
