//! Integers as bit-vectors or as integers.

use super::{Backend, Encoder, Encoding, Fun};
use crate::term::{Bits, Datum, Op, Sort, Term};

impl<B: Backend> Encoder<'_, B> {
    /// A number, or a choice between numbers, in an encoding.
    pub(super) fn number(&mut self, term: Term, encoding: Encoding) -> B::Ast {
        if let Some(known) = self.numbers.get(&(term, encoding)) {
            return known.clone();
        }
        let cases = self.terms.as_cases(term).unwrap_or_default();
        let mut arms = cases.iter().rev();
        let mut made = self.literal(arms.next().map_or(0, |c| c.0), encoding);
        for &(value, guard) in arms {
            // The conditions of an operand are encoded before; those of a root are not.
            let guard = if self.done[guard.index()].is_some() {
                self.truth(guard)
            } else {
                self.term(guard)
            };
            let value = self.literal(value, encoding);
            made = self.backend.apply(&Fun::Ite, &[guard, value, made]);
        }
        self.numbers.insert((term, encoding), made.clone());
        made
    }

    /// A value as it would be encoded for a term; `None` for a map or a number beyond 128 bits.
    pub fn constant(&mut self, term: Term, value: &Datum) -> Option<B::Ast> {
        match value {
            Datum::Bool(value) => Some(self.backend.truth(*value)),
            Datum::Int(number) => {
                let encoding = self.plan.encoding(term);
                Some(self.literal(*number, encoding))
            }
            Datum::Low(_) | Datum::Unknown | Datum::Map(_) => None,
        }
    }

    fn literal(&mut self, value: i128, encoding: Encoding) -> B::Ast {
        match encoding {
            Encoding::Int => self.backend.int(value),
            Encoding::Bits { width, .. } => self.backend.bits(value, width),
        }
    }

    /// `a == b` or `a <= b`.
    pub(super) fn compare(&mut self, a: Term, b: Term, equal: bool) -> B::Ast {
        let of = if super::free(self.terms, a) { b } else { a };
        let encoding = self.plan.encoding(of);
        let args = [self.in_class(a, encoding), self.in_class(b, encoding)];
        let fun = match encoding {
            _ if equal => Fun::Eq,
            Encoding::Int => Fun::Le,
            Encoding::Bits { signed: true, .. } => Fun::BvSle,
            Encoding::Bits { signed: false, .. } => Fun::BvUle,
        };
        let compared = self.backend.apply(&fun, &args);
        self.tied(of, compared)
    }

    /// Requires that the values of a variable (or element) lie in its interval.
    pub(super) fn bound(&mut self, term: Term, encoded: &B::Ast) {
        let interval = self.terms.interval(term);
        if self.terms.sort(term) != Sort::Int {
            return;
        }
        let encoding = self.plan.encoding(term);
        let (least, most) = match encoding {
            Encoding::Int => (i128::MIN, i128::MAX),
            Encoding::Bits {
                width,
                signed: true,
            } => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            Encoding::Bits {
                width,
                signed: false,
            } => (0, (1 << width) - 1),
        };
        let fun = match encoding {
            Encoding::Int => Fun::Le,
            Encoding::Bits { signed: true, .. } => Fun::BvSle,
            Encoding::Bits { signed: false, .. } => Fun::BvUle,
        };
        if let Some(lo) = interval.lo().filter(|&lo| lo > least) {
            let lo = self.literal(lo, encoding);
            let axiom = self.backend.apply(&fun, &[lo, encoded.clone()]);
            self.require_in_class(term, axiom);
        }
        if let Some(hi) = interval.hi().filter(|&hi| hi < most) {
            let hi = self.literal(hi, encoding);
            let axiom = self.backend.apply(&fun, &[encoded.clone(), hi]);
            self.require_in_class(term, axiom);
        }
    }

    pub(super) fn operation(
        &mut self,
        op: Op,
        of: (Term, Term),
        args: [B::Ast; 2],
        encoding: Encoding,
    ) -> B::Ast {
        match encoding {
            Encoding::Int => self.int_operation(op, of, args),
            Encoding::Bits { width, signed } => self.bit_operation(op, args, width, signed),
        }
    }

    fn bit_operation(&mut self, op: Op, [a, b]: [B::Ast; 2], width: u32, signed: bool) -> B::Ast {
        let fun = match op {
            Op::Neg => return self.backend.apply(&Fun::BvNeg, &[a]),
            Op::Add => Fun::BvAdd,
            Op::Mul => Fun::BvMul,
            Op::BitAnd => Fun::BvAnd,
            Op::BitOr => Fun::BvOr,
            Op::BitXor => Fun::BvXor,
            Op::Shl => Fun::BvShl,
            Op::Shr if signed => Fun::BvAshr,
            Op::Shr => Fun::BvLshr,
            Op::Div | Op::TruncDiv | Op::Rem | Op::TruncRem => {
                return self.bit_division(op, a, b, width, signed);
            }
        };
        self.backend.apply(&fun, &[a, b])
    }

    /// Division by zero gives 0. The Euclidean quotient differs from the truncated one where the truncated remainder is negative.
    fn bit_division(&mut self, op: Op, a: B::Ast, b: B::Ast, width: u32, signed: bool) -> B::Ast {
        let (zero, one) = (self.backend.bits(0, width), self.backend.bits(1, width));
        let by_zero = self.backend.apply(&Fun::Eq, &[b.clone(), zero.clone()]);
        let quotient = matches!(op, Op::Div | Op::TruncDiv);
        let (div, rem) = if signed {
            (Fun::BvSdiv, Fun::BvSrem)
        } else {
            (Fun::BvUdiv, Fun::BvUrem)
        };
        let plain = self
            .backend
            .apply(if quotient { &div } else { &rem }, &[a.clone(), b.clone()]);
        let result = if signed && matches!(op, Op::Div | Op::Rem) {
            let r = self.backend.apply(&Fun::BvSrem, &[a, b.clone()]);
            let negative = self.backend.apply(&Fun::BvSlt, &[r, zero.clone()]);
            let positive = self.backend.apply(&Fun::BvSlt, &[zero.clone(), b.clone()]);
            let minus_b = self.backend.apply(&Fun::BvNeg, std::slice::from_ref(&b));
            let minus_one = self.backend.bits(-1, width);
            // a = (q - 1) b + (r + b) = (q + 1) b + (r - b)
            let delta = if quotient {
                [minus_one, one]
            } else {
                [b, minus_b]
            };
            let delta = self
                .backend
                .apply(&Fun::Ite, &[positive, delta[0].clone(), delta[1].clone()]);
            let moved = self.backend.apply(&Fun::BvAdd, &[plain.clone(), delta]);
            self.backend.apply(&Fun::Ite, &[negative, moved, plain])
        } else {
            plain
        };
        self.backend.apply(&Fun::Ite, &[by_zero, zero, result])
    }

    fn int_operation(&mut self, op: Op, of: (Term, Term), [a, b]: [B::Ast; 2]) -> B::Ast {
        match op {
            Op::Neg => self.backend.apply(&Fun::Neg, &[a]),
            Op::Add => self.backend.apply(&Fun::Add, &[a, b]),
            Op::Mul => self.backend.apply(&Fun::Mul, &[a, b]),
            Op::Div | Op::Rem => {
                let fun = if op == Op::Div { Fun::Div } else { Fun::Mod };
                let zero = self.backend.int(0);
                let by_zero = self.backend.apply(&Fun::Eq, &[b.clone(), zero.clone()]);
                let result = self.backend.apply(&fun, &[a, b]);
                self.backend.apply(&Fun::Ite, &[by_zero, zero, result])
            }
            Op::TruncDiv | Op::TruncRem => self.int_truncated(op, a, b),
            Op::BitAnd | Op::BitOr | Op::BitXor => self.int_bitwise(op, of, [a, b]),
            Op::Shl | Op::Shr => self.int_shift(op, of.1, a, b),
        }
    }

    /// Rounds towards zero: divides the absolute value of the dividend in the Euclidean way, and gives the result its sign.
    fn int_truncated(&mut self, op: Op, a: B::Ast, b: B::Ast) -> B::Ast {
        let zero = self.backend.int(0);
        let by_zero = self.backend.apply(&Fun::Eq, &[b.clone(), zero.clone()]);
        let negative = self.backend.apply(&Fun::Lt, &[a.clone(), zero.clone()]);
        let minus_a = self.backend.apply(&Fun::Neg, std::slice::from_ref(&a));
        let size = self
            .backend
            .apply(&Fun::Ite, &[negative.clone(), minus_a, a]);
        let fun = if op == Op::TruncDiv {
            Fun::Div
        } else {
            Fun::Mod
        };
        let plain = self.backend.apply(&fun, &[size, b]);
        let minus = self.backend.apply(&Fun::Neg, std::slice::from_ref(&plain));
        let result = self.backend.apply(&Fun::Ite, &[negative, minus, plain]);
        self.backend.apply(&Fun::Ite, &[by_zero, zero, result])
    }

    /// Machine integers are bounded, so there is a width that holds both.
    fn int_bitwise(&mut self, op: Op, of: (Term, Term), [a, b]: [B::Ast; 2]) -> B::Ast {
        let both = self.terms.interval(of.0).hull(self.terms.interval(of.1));
        let Some(width) = both.signed_width() else {
            self.problem = Some("a bitwise operation on numbers without bounds".to_owned());
            return a;
        };
        let fun = match op {
            Op::BitAnd => Fun::BvAnd,
            Op::BitOr => Fun::BvOr,
            _ => Fun::BvXor,
        };
        let (a, b) = (
            self.backend.apply(&Fun::IntToBv(width), &[a]),
            self.backend.apply(&Fun::IntToBv(width), &[b]),
        );
        let result = self.backend.apply(&fun, &[a, b]);
        let natural = self.backend.apply(&Fun::BvToInt, &[result]);
        self.sign(natural, width)
    }

    /// Reads an unsigned number of `width` bits as two's complement.
    fn sign(&mut self, natural: B::Ast, width: u32) -> B::Ast {
        let (half, size) = (
            self.backend.int(1 << (width - 1)),
            self.backend.int(-(1 << width)),
        );
        let positive = self.backend.apply(&Fun::Lt, &[natural.clone(), half]);
        let negative = self.backend.apply(&Fun::Add, &[natural.clone(), size]);
        self.backend
            .apply(&Fun::Ite, &[positive, natural, negative])
    }

    /// A choice between all amounts.
    fn int_shift(&mut self, op: Op, amount: Term, a: B::Ast, b: B::Ast) -> B::Ast {
        let (lo, hi) = self.terms.interval(amount).bounds().unwrap_or((0, 63));
        let (lo, hi) = (lo.clamp(0, 126), hi.clamp(0, 126));
        let mut result = None;
        for n in (lo..=hi).rev() {
            let factor = self.backend.int(1 << n);
            let fun = if op == Op::Shl { Fun::Mul } else { Fun::Div };
            let shifted = self.backend.apply(&fun, &[a.clone(), factor]);
            result = Some(match result {
                None => shifted,
                Some(others) => {
                    let n = self.backend.int(n);
                    let here = self.backend.apply(&Fun::Eq, &[b.clone(), n]);
                    self.backend.apply(&Fun::Ite, &[here, shifted, others])
                }
            });
        }
        result.unwrap_or(a)
    }

    /// The number of this width and sign that is equal to `a` modulo two to the power of the width.
    pub(super) fn wrap(&mut self, bits: Bits, a: B::Ast, encoding: Encoding) -> B::Ast {
        let width = u32::from(bits.width);
        match encoding {
            // The encoding has no bits beyond those that wrapping keeps.
            Encoding::Bits { width: whole, .. } if whole <= width => a,
            Encoding::Bits { width: whole, .. } => {
                let low = self.backend.apply(&Fun::Extract(width - 1, 0), &[a]);
                let more = whole - width;
                self.backend.apply(
                    &if bits.signed {
                        Fun::SignExtend(more)
                    } else {
                        Fun::ZeroExtend(more)
                    },
                    &[low],
                )
            }
            Encoding::Int => {
                let size = self.backend.int(1 << width);
                if !bits.signed {
                    return self.backend.apply(&Fun::Mod, &[a, size]);
                }
                let (half, minus_half) = (
                    self.backend.int(1 << (width - 1)),
                    self.backend.int(-(1 << (width - 1))),
                );
                let up = self.backend.apply(&Fun::Add, &[a, half]);
                let low = self.backend.apply(&Fun::Mod, &[up, size]);
                self.backend.apply(&Fun::Add, &[low, minus_half])
            }
        }
    }
}
