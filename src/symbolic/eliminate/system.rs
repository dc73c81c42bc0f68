//! Finds values for which some sums are not negative and others are zero.

use std::collections::BTreeSet;

use smt::term::{Term, Terms};

use super::super::sum::Sum;
use super::Case;

/// The most bounds of a system.
const MOST_BOUNDS: usize = 256;

/// The value of a sum, if all values in it are known.
pub(super) fn value(sum: &Sum, values: impl Fn(&Term) -> Option<i128>) -> Option<i128> {
    let mut all = sum.number;
    for (part, count) in sum.parts.iter() {
        all = all.checked_add(values(&part)?.checked_mul(count)?)?;
    }
    Some(all)
}

/// The answer about a system of sums.
pub(super) enum Solved {
    Never,
    Unknown,
    When(Vec<(Term, i128)>),
}

/// An eliminated variable.
enum Gone {
    /// It equals that sum.
    Is(Term, Sum),
    /// It lies between bounds: sums with it that are not negative.
    Lies(Term, Vec<Sum>),
}

/// Sums that are not negative or zero.
pub(super) struct System<'a> {
    terms: &'a Terms,
    bounds: Vec<Sum>,
    zero: Vec<Sum>,
    apart: &'a [Sum],
    vars: BTreeSet<Term>,
    gone: Vec<Gone>,
}

impl<'a> System<'a> {
    pub(super) fn of(terms: &'a Terms, case: &'a Case) -> Option<Self> {
        let all = (case.bounds.iter()).chain(&case.zero).chain(&case.apart);
        let vars: BTreeSet<Term> = all.flat_map(|sum| sum.parts.terms()).collect();
        let mut bounds = case.bounds.clone();
        for &var in &vars {
            let own = Sum::one(var);
            let interval = terms.interval(var);
            if let Some(lo) = interval.lo() {
                bounds.push(own.clone().plus(&Sum::of(lo), -1)?);
            }
            if let Some(hi) = interval.hi() {
                bounds.push(Sum::of(hi).plus(&own, -1)?);
            }
        }
        Some(Self {
            terms,
            bounds,
            zero: case.zero.clone(),
            apart: &case.apart,
            vars,
            gone: Vec::new(),
        })
    }

    pub(super) fn solved(mut self) -> Solved {
        match self.eliminated() {
            None => Solved::Unknown,
            Some(false) => Solved::Never,
            Some(true) => self.values().map_or(Solved::Unknown, Solved::When),
        }
    }

    /// Eliminates all variables; returns whether values may exist.
    fn eliminated(&mut self) -> Option<bool> {
        while let Some(sum) = self.zero.pop() {
            if !self.equated(sum)? {
                return Some(false);
            }
        }
        loop {
            if !self.tidied() {
                return Some(false);
            }
            let Some(var) = self.next() else {
                return Some(true);
            };
            self.without(var)?;
        }
    }

    /// Replaces one variable of a sum that is zero by what it must be; returns whether the sum can be zero.
    fn equated(&mut self, sum: Sum) -> Option<bool> {
        if sum.parts.is_empty() {
            return Some(sum.number == 0);
        }
        let Some((var, sign)) = sum.parts.iter().find(|(_, n)| n.unsigned_abs() == 1) else {
            let divisor = sum.parts.divisor();
            if sum.number % divisor != 0 {
                return Some(false);
            }
            return None;
        };
        // sign * var + rest = 0
        let rest = sum.plus(&Sum::one(var), -sign)?;
        let is = Sum::default().plus(&rest, -sign)?;
        for all in [&mut self.bounds, &mut self.zero] {
            for sum in all.iter_mut() {
                if let Some(times) = sum.parts.get(var) {
                    let less = std::mem::take(sum).plus(&Sum::one(var), times.checked_neg()?)?;
                    *sum = less.plus(&is, times)?;
                }
            }
        }
        self.vars.remove(&var);
        self.gone.push(Gone::Is(var, is));
        Some(true)
    }

    /// Divides each bound by the common divisor of its parts, and drops what says nothing; returns whether no bound is false.
    fn tidied(&mut self) -> bool {
        for sum in &mut self.bounds {
            let divisor = sum.parts.divisor();
            if divisor > 1 {
                sum.parts.divide(divisor);
                sum.number = sum.number.div_euclid(divisor);
            }
        }
        let is_false = |sum: &Sum| sum.parts.is_empty() && sum.number < 0;
        if self.bounds.iter().any(is_false) {
            return false;
        }
        self.bounds.retain(|sum| !sum.parts.is_empty());
        // Keeps only the tightest of the bounds with the same parts.
        (self.bounds).sort_by(|a, b| (&a.parts, a.number).cmp(&(&b.parts, b.number)));
        self.bounds.dedup_by(|b, a| a.parts == b.parts);
        true
    }

    /// Returns the variable that is cheapest to eliminate; those whose elimination loses nothing come first.
    fn next(&self) -> Option<Term> {
        let cost = |var: &Term| {
            let (mut below, mut above, mut multiplied) = (0, 0, [false; 2]);
            for sum in &self.bounds {
                match sum.parts.get(*var) {
                    Some(n) if n > 0 => {
                        (below, multiplied[0]) = (below + 1, multiplied[0] | (n > 1));
                    }
                    Some(n) => (above, multiplied[1]) = (above + 1, multiplied[1] | (n < -1)),
                    None => {}
                }
            }
            (multiplied == [true; 2], below * above, *var)
        };
        self.vars.iter().copied().min_by_key(cost)
    }

    fn without(&mut self, var: Term) -> Option<()> {
        let with = |sum: &Sum| sum.parts.get(var).is_some();
        let (own, rest): (Vec<Sum>, Vec<Sum>) = self.bounds.drain(..).partition(with);
        self.bounds = rest;
        for lower in &own {
            let below = lower.parts.get(var)?;
            for upper in own.iter().filter(|_| below > 0) {
                let above = upper.parts.get(var)?;
                if above < 0 {
                    let sum = Sum::default()
                        .plus(lower, above.checked_neg()?)?
                        .plus(upper, below)?;
                    self.bounds.push(sum);
                }
            }
        }
        self.vars.remove(&var);
        self.gone.push(Gone::Lies(var, own));
        (self.bounds.len() <= MOST_BOUNDS).then_some(())
    }

    /// Computes values for all variables, the last eliminated one first.
    fn values(&self) -> Option<Vec<(Term, i128)>> {
        let mut values: Vec<(Term, i128)> = Vec::new();
        for gone in self.gone.iter().rev() {
            let known = |term: &Term| values.iter().find(|v| v.0 == *term).map(|v| v.1);
            let (var, found) = match gone {
                Gone::Is(var, sum) => (*var, value(sum, known)?),
                Gone::Lies(var, bounds) => (*var, self.between(*var, bounds, known)?),
            };
            values.push((var, found));
        }
        Some(values)
    }

    /// Returns the number nearest to 0 within bounds; avoids those that make an `apart` sum zero, if it can.
    fn between(
        &self,
        var: Term,
        bounds: &[Sum],
        known: impl Fn(&Term) -> Option<i128>,
    ) -> Option<i128> {
        let interval = self.terms.interval(var);
        let (mut lo, mut hi) = (interval.lo(), interval.hi());
        let rest = |sum: &Sum| value(sum, |part| if *part == var { Some(0) } else { known(part) });
        for bound in bounds {
            let (times, rest) = (bound.parts.get(var)?, rest(bound)?);
            // times * var >= -rest
            if times > 0 {
                let least = rest.div_euclid(times).checked_neg()?;
                lo = Some(lo.map_or(least, |lo| lo.max(least)));
            } else {
                let most = rest.div_euclid(times.checked_neg()?);
                hi = Some(hi.map_or(most, |hi| hi.min(most)));
            }
        }
        if lo.zip(hi).is_some_and(|(lo, hi)| lo > hi) {
            return None;
        }
        let apart: Vec<i128> = (self.apart.iter())
            .filter_map(|sum| {
                let (times, rest) = (sum.parts.get(var)?, rest(sum)?);
                let is_whole = rest.checked_rem(times)? == 0;
                rest.checked_div(times).filter(|_| is_whole)?.checked_neg()
            })
            .collect();
        let within = |n: &i128| lo.is_none_or(|lo| lo <= *n) && hi.is_none_or(|hi| *n <= hi);
        let first = 0.max(lo.unwrap_or(0)).min(hi.unwrap_or(i128::MAX));
        let many = i128::try_from(apart.len()).ok()?;
        let near = (0..=many).flat_map(|n| [first.checked_add(n), first.checked_sub(n)]);
        let mut near = near.flatten().filter(within);
        Some(near.find(|n| !apart.contains(n)).unwrap_or(first))
    }
}
