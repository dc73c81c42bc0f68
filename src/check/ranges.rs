//! Which numbers an expression can have: enough to leave out checks that cannot fail.
//!
//! Bounds are sound and rough: `None` means that nothing is known. On machine
//! integers an operation that may wrap has the bounds of its type.

use ir::{BinaryOp, Type, TypeId, Types};

use super::typed::Bounds;

/// The bounds of a number that is only known by its type.
pub(super) fn of_type(types: &Types, ty: TypeId) -> Bounds {
    match types.get(ty) {
        Type::Range(..) | Type::Bits(_) => types.bounds(ty),
        _ => None,
    }
}

/// The bounds of an operation's result in a type, from those of exact arithmetic.
fn within(types: &Types, ty: TypeId, exact: Bounds) -> Bounds {
    match of_type(types, ty) {
        None => exact,
        Some(whole) => exact
            .filter(|e| whole.0 <= e.0 && e.1 <= whole.1)
            .or(Some(whole)),
    }
}

/// Bounds of either of two.
pub(super) fn union(a: Bounds, b: Bounds) -> Bounds {
    let (a, b) = (a?, b?);
    Some((a.0.min(b.0), a.1.max(b.1)))
}

pub(super) fn negated(types: &Types, ty: TypeId, x: Bounds) -> Bounds {
    let exact = x.and_then(|(lo, hi)| Some((hi.checked_neg()?, lo.checked_neg()?)));
    within(types, ty, exact)
}

/// Bounds of a number in another integer type.
pub(super) fn converted(types: &Types, to: TypeId, x: Bounds) -> Bounds {
    within(types, to, x)
}

pub(super) fn binary(types: &Types, op: BinaryOp, ty: TypeId, l: Bounds, r: Bounds) -> Bounds {
    within(types, ty, exact(op, l, r, types.is_int(ty)))
}

/// `euclidean` says that a remainder is never negative.
fn exact(op: BinaryOp, l: Bounds, r: Bounds, euclidean: bool) -> Bounds {
    match op {
        BinaryOp::Add => {
            let (l, r) = (l?, r?);
            Some((l.0.checked_add(r.0)?, l.1.checked_add(r.1)?))
        }
        BinaryOp::Sub => {
            let (l, r) = (l?, r?);
            Some((l.0.checked_sub(r.1)?, l.1.checked_sub(r.0)?))
        }
        BinaryOp::Mul => product(l?, r?),
        BinaryOp::Div => quotient(l?, r?),
        BinaryOp::Rem => remainder(l, r?, euclidean),
        BinaryOp::BitAnd => {
            // A number that is not negative masks: the result is at most as large.
            let top = |b: Bounds| b.filter(|b| b.0 >= 0).map(|b| b.1);
            let hi = match (top(l), top(r)) {
                (Some(a), Some(b)) => a.min(b),
                (a, b) => a.or(b)?,
            };
            Some((0, hi))
        }
        BinaryOp::Shr => l.filter(|l| l.0 >= 0).map(|l| (0, l.1)),
        _ => None,
    }
}

fn product(l: (i128, i128), r: (i128, i128)) -> Bounds {
    let corners = [
        l.0.checked_mul(r.0)?,
        l.0.checked_mul(r.1)?,
        l.1.checked_mul(r.0)?,
        l.1.checked_mul(r.1)?,
    ];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}

/// Bounds of a non-negative number divided by a positive one, where all kinds of division agree.
fn quotient(l: (i128, i128), r: (i128, i128)) -> Bounds {
    (l.0 >= 0 && r.0 > 0).then(|| (l.0 / r.1, l.1 / r.0))
}

/// Bounds of a remainder by a positive number: below that number. On machine integers it has the left side's sign.
fn remainder(l: Bounds, r: (i128, i128), euclidean: bool) -> Bounds {
    match l {
        _ if r.0 <= 0 => None,
        Some(l) if l.0 >= 0 => Some((0, l.1.min(r.1 - 1))),
        _ if euclidean => Some((0, r.1 - 1)),
        _ => Some((1 - r.1, r.1 - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::arith;

    /// Every result of folding lies within the bounds.
    #[test]
    fn bounds_are_sound() {
        let mut types = Types::new();
        let bits = |width, signed| Type::Bits(ir::Bits { width, signed });
        let kinds = [
            Types::INT,
            types.intern(bits(8, true)),
            types.intern(bits(8, false)),
        ];
        let ops = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Div,
            BinaryOp::Rem,
            BinaryOp::BitAnd,
        ];
        let ops = ops.into_iter().chain([
            BinaryOp::Shr,
            BinaryOp::Shl,
            BinaryOp::BitOr,
            BinaryOp::BitXor,
        ]);
        let ends = [-128, -7, -1, 0, 1, 3, 100, 127, 255];
        for op in ops {
            for ty in kinds {
                let bitwise = matches!(
                    op,
                    BinaryOp::BitAnd
                        | BinaryOp::Shr
                        | BinaryOp::Shl
                        | BinaryOp::BitOr
                        | BinaryOp::BitXor
                );
                if bitwise && ty == Types::INT {
                    continue;
                }
                let inside = |n: &i128| of_type(&types, ty).is_none_or(|b| b.0 <= *n && *n <= b.1);
                let ends: Vec<i128> = ends.into_iter().filter(inside).collect();
                check_op(&types, op, ty, &ends);
            }
        }
    }

    fn check_op(types: &Types, op: BinaryOp, ty: TypeId, ends: &[i128]) {
        for (a, &l0) in ends.iter().enumerate() {
            for &l1 in &ends[a..] {
                for (b, &r0) in ends.iter().enumerate() {
                    for &r1 in &ends[b..] {
                        let Some((lo, hi)) = binary(types, op, ty, Some((l0, l1)), Some((r0, r1)))
                        else {
                            continue;
                        };
                        for l in [l0, (l0 + l1) / 2, l1] {
                            for r in [r0, (r0 + r1) / 2, r1].into_iter().filter(|&r| r != 0) {
                                let value = arith::binary(types, op, ty, l, r).unwrap();
                                assert!(
                                    lo <= value && value <= hi,
                                    "{l} {op:?} {r} = {value} in {lo}..{hi}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
