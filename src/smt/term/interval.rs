//! Where the values of a term lie.

/// The integers from `lo` to `hi`. The extreme numbers of 128 bits mean "no bound".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    lo: i128,
    hi: i128,
}

const NO_LOW: i128 = i128::MIN;
const NO_HIGH: i128 = i128::MAX;

impl Interval {
    pub const ALL: Self = Self {
        lo: NO_LOW,
        hi: NO_HIGH,
    };

    /// The integers from one to another.
    #[must_use]
    pub const fn new(lo: i128, hi: i128) -> Self {
        Self { lo, hi }
    }

    #[must_use]
    pub const fn point(value: i128) -> Self {
        Self::new(value, value)
    }

    /// The least, if there is one.
    #[must_use]
    pub const fn lo(self) -> Option<i128> {
        if self.lo == NO_LOW {
            None
        } else {
            Some(self.lo)
        }
    }

    /// The greatest, if there is one.
    #[must_use]
    pub const fn hi(self) -> Option<i128> {
        if self.hi == NO_HIGH {
            None
        } else {
            Some(self.hi)
        }
    }

    /// Both bounds, if there are both.
    #[must_use]
    pub fn bounds(self) -> Option<(i128, i128)> {
        Some((self.lo()?, self.hi()?))
    }

    /// Whether a number lies in it.
    #[must_use]
    pub const fn holds(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Whether another interval lies in it.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// The least interval that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// The numbers that lie in both; `other` if there are none.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        let met = Self {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
        };
        if met.lo <= met.hi { met } else { other }
    }

    /// Whether every number here is less than every number there.
    #[must_use]
    pub fn below(self, other: Self) -> bool {
        matches!((self.hi(), other.lo()), (Some(a), Some(b)) if a < b)
    }

    /// Whether every number here is at most every number there.
    #[must_use]
    pub fn at_most(self, other: Self) -> bool {
        matches!((self.hi(), other.lo()), (Some(a), Some(b)) if a <= b)
    }

    /// Bounds that may be missing. A bound at the edge of 128 bits counts as missing: that is sound.
    fn of(lo: Option<i128>, hi: Option<i128>) -> Self {
        Self {
            lo: lo.unwrap_or(NO_LOW),
            hi: hi.unwrap_or(NO_HIGH),
        }
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Self::of(sum(self.lo(), other.lo()), sum(self.hi(), other.hi()))
    }

    #[must_use]
    pub fn minus(self) -> Self {
        Self::of(
            self.hi().and_then(i128::checked_neg),
            self.lo().and_then(i128::checked_neg),
        )
    }

    #[must_use]
    pub fn times(self, other: Self) -> Self {
        self.corners(other, i128::checked_mul)
    }

    /// Where Euclidean and truncated quotients lie (0 for a divisor 0).
    ///
    /// The absolute value of a quotient is at most that of the dividend: `|q| <= |a|` whenever `|b| >= 1`. This includes
    /// Euclidean quotients of negative dividends, such as `-1 div 2 = -1`.
    #[must_use]
    pub fn quotient(self, other: Self) -> Self {
        let Some((lo, hi)) = self.bounds() else {
            return Self::ALL;
        };
        let Some(most) = magnitude(lo, hi) else {
            return Self::ALL;
        };
        match other.lo() {
            // A positive divisor keeps the sign.
            Some(b) if b >= 0 => Self::new(lo.min(0), hi.max(0)),
            _ => Self::new(-most, most),
        }
    }

    /// Where Euclidean remainders lie: from 0 to the divisor's absolute value less one (0 for a divisor 0).
    #[must_use]
    pub fn euclidean_remainder(self, other: Self) -> Self {
        let bound = other
            .bounds()
            .and_then(|(lo, hi)| magnitude(lo, hi))
            .map(|m| (m - 1).max(0));
        match (self.bounds(), bound) {
            // The remainder of a number that is not negative is at most that number.
            (Some((lo, hi)), bound) if lo >= 0 => Self::new(0, bound.map_or(hi, |b| b.min(hi))),
            (_, Some(bound)) => Self::new(0, bound),
            _ => Self::of(Some(0), None),
        }
    }

    /// Where truncated remainders lie: on the dividend's side of 0, no further than the dividend, and nearer than the divisor.
    #[must_use]
    pub fn truncated_remainder(self, other: Self) -> Self {
        let Some((lo, hi)) = self.bounds() else {
            return Self::ALL;
        };
        let bound = other
            .bounds()
            .and_then(|(lo, hi)| magnitude(lo, hi))
            .map_or(i128::MAX, |m| (m - 1).max(0));
        Self::new(lo.min(0).max(-bound), hi.max(0).min(bound))
    }

    /// Where bitwise combinations lie: within the bits that the operands take.
    #[must_use]
    pub fn bitwise(self, other: Self) -> Self {
        let Some((lo, hi)) = self.hull(other).bounds() else {
            return Self::ALL;
        };
        let bits = bits_for(lo).max(bits_for(hi));
        if bits >= 127 {
            return Self::ALL;
        }
        let most = (1i128 << bits) - 1;
        Self::new(if lo < 0 { -most - 1 } else { 0 }, most)
    }

    /// Where `a << n` lies for `n` in 0..=127.
    #[must_use]
    pub fn shifted_left(self, amount: Self) -> Self {
        let factor = |n: Option<i128>| {
            u32::try_from(n?)
                .ok()
                .and_then(|n| 1i128.checked_shl(n))
                .filter(|&f| f > 0)
        };
        match (factor(amount.lo()), factor(amount.hi())) {
            (Some(lo), Some(hi)) => self.times(Self::new(lo, hi)),
            _ => Self::ALL,
        }
    }

    /// Where `a >> n` lies.
    #[must_use]
    pub fn shifted_right(self) -> Self {
        match self.bounds() {
            Some((lo, hi)) => Self::new(lo.min(0), hi.max(-1).max(if lo >= 0 { 0 } else { -1 })),
            None => Self::ALL,
        }
    }

    /// How many bits of two's complement hold every number; `None` without bounds or beyond 127.
    #[must_use]
    pub fn signed_width(self) -> Option<u32> {
        let (lo, hi) = self.bounds()?;
        Some(bits_for(lo).max(bits_for(hi)) + 1).filter(|&w| w <= 127)
    }

    fn corners(self, other: Self, f: impl Fn(i128, i128) -> Option<i128>) -> Self {
        let (Some((a, b)), Some((c, d))) = (self.bounds(), other.bounds()) else {
            return Self::ALL;
        };
        let all = [f(a, c), f(a, d), f(b, c), f(b, d)];
        let Some(all) = all.into_iter().collect::<Option<Vec<_>>>() else {
            return Self::ALL;
        };
        let (Some(&lo), Some(&hi)) = (all.iter().min(), all.iter().max()) else {
            return Self::ALL;
        };
        Self::new(lo, hi)
    }
}

/// How many bits a number takes beside its sign.
fn bits_for(value: i128) -> u32 {
    128 - (if value < 0 { !value } else { value }).leading_zeros()
}

/// The greatest absolute value between two numbers.
fn magnitude(lo: i128, hi: i128) -> Option<i128> {
    Some(lo.checked_abs()?.max(hi.checked_abs()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Op;
    use crate::term::integer::apply;

    #[test]
    fn widths_are_those_of_twos_complement() {
        let width = |lo, hi| Interval::new(lo, hi).signed_width();
        assert_eq!(
            [
                width(0, 0),
                width(-1, 0),
                width(0, 1),
                width(-2, 1),
                width(0, 127),
                width(-129, 0)
            ],
            [1, 1, 2, 2, 8, 9].map(Some)
        );
        assert_eq!(Interval::ALL.signed_width(), None);
    }

    /// Every result of every operation on small intervals lies in the interval computed for it.
    #[test]
    fn results_lie_in_their_intervals() {
        let ops = [
            Op::Add,
            Op::Neg,
            Op::Mul,
            Op::Div,
            Op::Rem,
            Op::TruncDiv,
            Op::TruncRem,
            Op::BitAnd,
            Op::BitOr,
            Op::BitXor,
            Op::Shl,
            Op::Shr,
        ];
        let small = || (-5i128..=5).flat_map(|lo| (lo..=5).map(move |hi| Interval::new(lo, hi)));
        for op in ops {
            for (a, b) in small().flat_map(|a| small().map(move |b| (a, b))) {
                if matches!(op, Op::Shl | Op::Shr) && b.lo < 0 {
                    continue;
                }
                let result = crate::term::integer::interval(op, a, b);
                for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
                    let value = apply(op, x, y).unwrap();
                    assert!(
                        result.holds(value),
                        "{op:?} of {x} in {a:?} and {y} in {b:?} is {value}, not in {result:?}"
                    );
                }
            }
        }
    }
}
