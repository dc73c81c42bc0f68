//! Sums with whole coefficients.

use smallvec::SmallVec;

use smt::term::{Node, Op, Term, Terms};

/// The most parts of a sum.
const MOST_PARTS: usize = 32;

/// Terms with coefficients that are not 0, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub parts: Parts,
    pub number: i128,
}

/// Terms in order, with what they are multiplied by. Most sums have one, two or three.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Parts(SmallVec<[(Term, i128); 3]>);

impl Parts {
    fn place(&self, term: Term) -> Result<usize, usize> {
        self.0.binary_search_by_key(&term, |part| part.0)
    }

    /// What a term is multiplied by, if it is there.
    pub fn get(&self, term: Term) -> Option<i128> {
        self.place(term).ok().map(|at| self.0[at].1)
    }

    pub fn insert(&mut self, term: Term, count: i128) {
        match self.place(term) {
            Ok(at) => self.0[at].1 = count,
            Err(at) => self.0.insert(at, (term, count)),
        }
    }

    pub fn remove(&mut self, term: Term) -> Option<i128> {
        let at = self.place(term).ok()?;
        Some(self.0.remove(at).1)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Term, i128)> + '_ {
        self.0.iter().copied()
    }

    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.0.iter().map(|part| part.0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The greatest number that divides all that terms are multiplied by; 0 if there are none.
    pub fn divisor(&self) -> i128 {
        let all = (self.0.iter()).fold(0, |d, part| gcd(d, part.1.unsigned_abs()));
        i128::try_from(all).unwrap_or(1)
    }

    pub fn divide(&mut self, divisor: i128) {
        self.0.iter_mut().for_each(|part| part.1 /= divisor);
    }
}

/// The greatest number that divides both; 0 if both are 0.
#[must_use]
pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Sum {
    pub fn of(number: i128) -> Self {
        Self {
            parts: Parts::default(),
            number,
        }
    }

    pub fn one(term: Term) -> Self {
        let mut sum = Self::default();
        sum.parts.insert(term, 1);
        sum
    }

    /// Adds another sum `times` times, if the numbers do not become too large.
    pub fn plus(mut self, other: &Self, times: i128) -> Option<Self> {
        self.number = (self.number).checked_add(other.number.checked_mul(times)?)?;
        for (part, count) in other.parts.iter() {
            let count = count.checked_mul(times)?;
            match self.parts.place(part) {
                Err(at) if count != 0 => self.parts.0.insert(at, (part, count)),
                Err(_) => {}
                Ok(at) => {
                    let own = self.parts.0[at].1.checked_add(count)?;
                    self.parts.0[at].1 = own;
                    if own == 0 {
                        self.parts.0.remove(at);
                    }
                }
            }
        }
        (self.parts.0.len() <= MOST_PARTS).then_some(self)
    }
}

/// Writes an integer as a sum, if that is small enough.
pub(super) fn sum(terms: &Terms, term: Term) -> Option<Sum> {
    let (mut sum, mut open) = (Sum::default(), vec![(term, 1i128)]);
    let mut steps = 0;
    while let Some((term, times)) = open.pop() {
        steps += 1;
        if steps > 4 * MOST_PARTS {
            return None;
        }
        if let Some(number) = terms.as_const(term) {
            sum = sum.plus(&Sum::of(number), times)?;
            continue;
        }
        match terms.get(term) {
            Node::Op(Op::Add, a, b) => open.extend([(a, times), (b, times)]),
            Node::Op(Op::Neg, a, _) => open.push((a, times.checked_neg()?)),
            Node::Op(Op::Mul, a, b) if terms.as_const(b).is_some() => {
                let factor = terms.as_const(b)?;
                open.push((a, times.checked_mul(factor)?));
            }
            _ => {
                sum = sum.plus(&Sum::one(term), times)?;
            }
        }
    }
    Some(sum)
}

/// Returns the sum that is not negative according to a comparison.
pub(super) fn not_negative(terms: &Terms, literal: Term) -> Option<Sum> {
    let Node::Le(a, b) = terms.get(literal) else {
        return None;
    };
    let (a, b) = (sum(terms, a)?, sum(terms, b)?);
    if literal.negated() {
        // not a <= b: 0 <= a - b - 1
        a.plus(&b, -1)?.plus(&Sum::of(1), -1)
    } else {
        b.plus(&a, -1)
    }
}
