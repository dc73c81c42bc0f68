//! Machine integers as integers that wrap.
//!
//! The solver finds equations and inequalities of sums by itself, but hardly any of bit-vectors. So a program is also tried with
//! each machine integer as an integer between its bounds: the table of types has ranges in the place of widths, and computed
//! values of such a type wrap. Sums, differences, complements and conversions between neighbouring types are exact. For products
//! and quotients that leave the range, and for operations on bits, only bounds are known: any value within them is possible,
//! which adds executions and leaves none out.
//!
//! Some equations hold only because nothing wraps, and are found only if nothing may wrap. So the first try makes it an error
//! that something wraps. A proof then excludes this error, too, so both programs are the same.

use solver::z3::ast::{Ast, Bool, Dynamic, Int};

use ir::{BinaryOp, Program, Type};

use super::value::{as_int, simplified};

/// The program with integers in the place of machine integers, if it has those.
#[must_use]
pub fn with_integers(program: &Program) -> Option<Program> {
    let mut types = program.types.clone();
    let is_bits = |ty: &Type| matches!(ty, Type::Bits(_));
    if !types.iter().any(|(_, ty)| is_bits(ty)) {
        return None;
    }
    let bits: Vec<_> = types.iter().filter(|(_, ty)| is_bits(ty)).collect();
    let bits: Vec<_> = bits.into_iter().map(|(id, _)| id).collect();
    for id in bits {
        if let Some((lo, hi)) = types.bounds(id) {
            types.replace(id, Type::Range(lo, hi));
        }
    }
    Some(Program {
        types,
        ..program.clone()
    })
}

/// Where computed values have to lie, and how one of them is chosen.
pub struct Wrapping<'a> {
    /// The least and the greatest.
    pub bounds: (i128, i128),
    /// Takes a condition that a chosen value fulfils.
    pub chosen: &'a dyn Fn(Bool),
    /// Takes the condition that a value does not wrap, if none may.
    pub stays: Option<&'a dyn Fn(Bool)>,
}

impl Wrapping<'_> {
    /// How many values there are; `None` if that is no `i128`, as for some declared ranges: nothing is computed in these.
    fn size(&self) -> Option<i128> {
        let (lo, hi) = self.bounds;
        hi.checked_sub(lo)?.checked_add(1)
    }

    fn inside(&self, value: &Int) -> Bool {
        let (lo, hi) = self.bounds;
        Bool::and(&[value.ge(Int::from_i128(lo)), value.le(Int::from_i128(hi))])
    }

    /// Chooses a value in the range of which something holds.
    fn any(&self, holds: impl Fn(&Int) -> Vec<Bool>) -> Int {
        let any = Int::fresh_const("wrapped");
        (self.chosen)(self.inside(&any));
        for part in holds(&any) {
            (self.chosen)(part);
        }
        any
    }

    /// A constant in these bounds.
    #[must_use]
    pub fn constant(&self, value: i128) -> Int {
        let (lo, hi) = self.bounds;
        let wrapped = |size| Some(value.checked_sub(lo)?.rem_euclid(size) + lo);
        match self.size().filter(|_| !(lo..=hi).contains(&value)) {
            None => Int::from_i128(value),
            Some(size) => wrapped(size).map_or_else(|| self.any(|_| Vec::new()), Int::from_i128),
        }
    }

    /// Lets a value that leaves the range by at most its size come in again at the other end.
    fn once(&self, value: &Int) -> Int {
        if let Some(stays) = self.stays {
            stays(self.inside(value));
            return value.clone();
        }
        let (lo, hi) = self.bounds;
        let Some(size) = self.size().map(Int::from_i128) else {
            let any = self.any(|_| Vec::new());
            return self.inside(value).ite(value, &any);
        };
        let less = Int::sub(&[value, &size]);
        let more = Int::add(&[value, &size]);
        let below = value.lt(Int::from_i128(lo)).ite(&more, value);
        value.gt(Int::from_i128(hi)).ite(&less, &below)
    }

    /// Keeps a value in the range; turns a value outside of it into any value.
    fn forgotten(&self, value: &Int) -> Int {
        if let Some(known) = value.simplify().as_i128() {
            return self.constant(known);
        }
        if self.stays.is_some() {
            return self.once(value);
        }
        let any = self.any(|_| Vec::new());
        self.inside(value).ite(value, &any)
    }

    /// Converts a value that was between other bounds, if those are known.
    #[must_use]
    pub fn converted(&self, value: &Int, from: Option<(i128, i128)>) -> Int {
        let (lo, hi) = self.bounds;
        let near = |least: i128, most: i128| {
            let size = self.size()?;
            Some(lo.checked_sub(least)? <= size && most.checked_sub(hi)? <= size)
        };
        match from {
            Some((least, most)) if lo <= least && most <= hi => value.clone(),
            Some((least, most)) if near(least, most) == Some(true) => self.once(value),
            _ => self.forgotten(value),
        }
    }

    /// The negation of a value in the range.
    #[must_use]
    pub fn negated(&self, value: &Int) -> Int {
        self.once(&value.unary_minus())
    }

    /// The complement of a value in the range: all bits inverted.
    #[must_use]
    pub fn complement(&self, value: &Int) -> Int {
        let (lo, hi) = self.bounds;
        Int::sub(&[Int::from_i128(lo + hi), value.clone()])
    }

    /// An operation on two values in the range. By zero, division gives 0.
    #[must_use]
    pub fn binary(&self, op: BinaryOp, a: &Int, b: &Int) -> Dynamic {
        let known = |value: &Int| as_int(&simplified(&Dynamic::from_ast(value))).as_i128();
        let made = match op {
            BinaryOp::Add => self.once(&Int::add(&[a, b])),
            BinaryOp::Sub => self.once(&Int::sub(&[a, b])),
            BinaryOp::Mul if known(a).is_some() || known(b).is_some() => {
                self.forgotten(&Int::mul(&[a, b]))
            }
            BinaryOp::Div => self.quotient(a, b, known(b)),
            BinaryOp::Rem => self.remainder(a, b, known(b)),
            BinaryOp::Shl => match known(b).and_then(power) {
                Some(factor) => self.forgotten(&Int::mul(&[a, &Int::from_i128(factor)])),
                None => self.any(|_| Vec::new()),
            },
            BinaryOp::Shr => match known(b).and_then(power) {
                Some(divisor) => a.div(Int::from_i128(divisor)),
                None => self.any(|_| Vec::new()),
            },
            BinaryOp::BitAnd => self.common_bits(a, b, known(a), known(b)),
            BinaryOp::BitOr => self.any(|r| {
                let sum = Int::add(&[a, b]);
                let least = Bool::and(&[r.ge(a), r.ge(b), r.le(sum)]);
                vec![not_negative(a, b).implies(least)]
            }),
            BinaryOp::BitXor => self.any(|r| {
                let sum = Int::add(&[a, b]);
                let zero = Int::from_i64(0);
                let most = Bool::and(&[r.ge(&zero), r.le(sum)]);
                let same = a.eq(b).iff(r.eq(&zero));
                vec![not_negative(a, b).implies(most), same]
            }),
            _ => self.any(|_| Vec::new()),
        };
        Dynamic::from_ast(&made)
    }

    fn quotient(&self, a: &Int, b: &Int, known: Option<i128>) -> Int {
        let zero = Int::from_i64(0);
        match known {
            Some(0) => zero,
            Some(divisor) => {
                let size = Int::from_i128(divisor.abs());
                let up = a.div(&size);
                let down = a.unary_minus().div(&size).unary_minus();
                let made = a.ge(&zero).ite(&up, &down);
                let made = if divisor < 0 {
                    made.unary_minus()
                } else {
                    made
                };
                self.once(&made)
            }
            None => {
                let any = self.any(|_| Vec::new());
                b.eq(&zero).ite(&zero, &any)
            }
        }
    }

    fn remainder(&self, a: &Int, b: &Int, known: Option<i128>) -> Int {
        let zero = Int::from_i64(0);
        match known {
            Some(0) => zero,
            Some(divisor) => {
                let size = Int::from_i128(divisor.abs());
                let down = a.unary_minus().modulo(&size).unary_minus();
                a.ge(&zero).ite(&a.modulo(&size), &down)
            }
            None => {
                let any = self.any(|_| Vec::new());
                b.eq(&zero).ite(&zero, &any)
            }
        }
    }

    /// `a & b`; exact where one of them is known to be the greatest number of some bits.
    fn common_bits(&self, a: &Int, b: &Int, left: Option<i128>, right: Option<i128>) -> Int {
        let mask = |known: Option<i128>| known.filter(|k| *k >= 0 && (k + 1) & k == 0);
        if let Some(mask) = mask(right) {
            return a.modulo(Int::from_i128(mask + 1));
        }
        if let Some(mask) = mask(left) {
            return b.modulo(Int::from_i128(mask + 1));
        }
        self.any(|r| {
            let zero = Int::from_i64(0);
            let within = |x: &Int| x.ge(&zero).implies(Bool::and(&[r.ge(&zero), r.le(x)]));
            vec![within(a), within(b)]
        })
    }
}

fn not_negative(a: &Int, b: &Int) -> Bool {
    let zero = Int::from_i64(0);
    Bool::and(&[a.ge(&zero), b.ge(&zero)])
}

/// Two to a power from 0 to 63.
fn power(bits: i128) -> Option<i128> {
    (0..64).contains(&bits).then(|| 1 << bits)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use solver::z3::{SatResult, Solver};

    use super::*;
    use ir::{Bits, Types, UnaryOp, arith};

    const OPS: [BinaryOp; 10] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
    ];

    /// Whether the value that `made` computes may be `real`. The solver knows the operands; the code knows those with `true`.
    fn may_be(
        bounds: (i128, i128),
        operands: &[(i128, bool)],
        real: i128,
        made: impl FnOnce(&Wrapping<'_>, &[Int]) -> Int,
    ) -> bool {
        let solver = Solver::new();
        let conditions = RefCell::new(Vec::new());
        let values: Vec<Int> = (operands.iter())
            .map(|&(value, plain)| {
                let constant = Int::from_i128(value);
                if plain {
                    return constant;
                }
                let open = Int::fresh_const("operand");
                solver.assert(open.eq(&constant));
                open
            })
            .collect();
        let wraps = Wrapping {
            bounds,
            chosen: &|holds| conditions.borrow_mut().push(holds),
            stays: None,
        };
        let made = made(&wraps, &values);
        for holds in conditions.borrow().iter() {
            solver.assert(holds);
        }
        solver.assert(made.eq(Int::from_i128(real)));
        solver.check() == SatResult::Sat
    }

    #[test]
    fn what_machine_integers_come_to_is_possible() {
        solver::z3_version::present().unwrap();
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..1200 {
            let bits = Bits {
                signed: random.bool(),
                width: [8, 16, 32][random.usize(..3)],
            };
            let mut types = Types::new();
            let ty = types.intern(Type::Bits(bits));
            let bounds = types.bounds(ty).unwrap();
            let mut operand = || match random.u8(..4) {
                0 => bounds.0,
                1 => bounds.1,
                2 => i128::from(random.i8(..)).clamp(bounds.0, bounds.1),
                _ => random.i128(bounds.0..=bounds.1),
            };
            let (a, b) = (operand(), operand());
            let plain = (random.bool(), random.bool());
            let op = OPS[round % OPS.len()];
            if let Some(real) = arith::binary(&types, op, ty, a, b) {
                let made =
                    |wraps: &Wrapping<'_>, v: &[Int]| as_int(&wraps.binary(op, &v[0], &v[1]));
                let operands = [(a, plain.0), (b, plain.1)];
                assert!(
                    may_be(bounds, &operands, real, made),
                    "{a} {op:?} {b}: {real} ({bits:?})"
                );
            }
            let negated = arith::unary(&types, UnaryOp::Neg, ty, a).unwrap();
            assert!(
                may_be(bounds, &[(a, false)], negated, |w, v| w.negated(&v[0])),
                "-{a}"
            );
            let turned = arith::unary(&types, UnaryOp::BitNot, ty, a).unwrap();
            assert!(
                may_be(bounds, &[(a, false)], turned, |w, v| w.complement(&v[0])),
                "~{a}"
            );
        }
    }

    #[test]
    fn conversions_wrap_as_often_as_they_must() {
        solver::z3_version::present().unwrap();
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..600 {
            let bits = Bits {
                signed: random.bool(),
                width: [8, 16][random.usize(..2)],
            };
            let mut types = Types::new();
            let ty = types.intern(Type::Bits(bits));
            let bounds = types.bounds(ty).unwrap();
            let least = random.i128(-100_000..100_000);
            let most = least + random.i128(0..70_000);
            let value = random.i128(least..=most);
            let real = arith::convert(&types, ty, value);
            let made = |w: &Wrapping<'_>, v: &[Int]| w.converted(&v[0], Some((least, most)));
            let plain = random.bool();
            assert!(
                may_be(bounds, &[(value, plain)], real, made),
                "{value} of {least}..{most}: {real} ({bits:?})"
            );
        }
    }
    /// A declared range may have more values than an `i128` can count.
    #[test]
    fn ranges_of_any_size_keep_what_lies_in_them() {
        solver::z3_version::present().unwrap();
        let bounds = (0, i128::MAX);
        for value in [0, 5, i128::MAX] {
            let made = |w: &Wrapping<'_>, _: &[Int]| w.constant(value);
            assert!(may_be(bounds, &[], value, made), "{value}");
            for from in [None, Some((i128::MIN, i128::MAX)), Some((0, 9))] {
                let made = |w: &Wrapping<'_>, v: &[Int]| w.converted(&v[0], from);
                let inside = from.is_none_or(|(lo, hi)| (lo..=hi).contains(&value));
                let operands = [(value, false)];
                assert!(!inside || may_be(bounds, &operands, value, made), "{value}");
            }
        }
    }
}
