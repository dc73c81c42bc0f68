//! Conditions that compare sums, decided without a solver.
//!
//! Variables go one after the other: each lower bound of one lies below each of its upper bounds (Fourier and Motzkin). That loses nothing where
//! the variable is not multiplied in all of its lower bounds or in all of its upper ones; otherwise it may lose
//! something. What is no sum counts as a variable until nothing else helps (then a choice is one or the other, and an element of a map is what was
//! stored there last), and a condition of another kind is left out. So "never" is always true, as it is said of something weaker; and values are only told if they fulfil all conditions as they are. Whatever is left
//! between the two is for a solver.

use std::collections::BTreeSet;

use crate::smt::term::{Assignment, Datum, Node, Sort, Term, Terms, Var, evaluate_few};

use super::linear::{Sum, not_negative, sum};

/// So often an alternative, an inequality or a choice is looked at from all sides.
const MOST_SPLITS: u32 = 64;

/// So many bounds there are at most.
const MOST_BOUNDS: usize = 256;

/// What was found out.
#[derive(Debug)]
pub(super) enum Settled {
    /// The conditions never hold together.
    Never,
    /// They do under these values.
    When(Vec<(Var, Datum)>),
}

/// Decides whether conditions can hold together; nothing if a solver has to.
pub(super) fn settle(terms: &Terms, conditions: &[Term]) -> Option<Settled> {
    let vars = terms.vars_of(conditions);
    let mut search = Search {
        terms,
        conditions,
        splits: 0,
        unsure: false,
    };
    let case = Case {
        open: conditions.to_vec(),
        ..Case::default()
    };
    match search.decide(case)? {
        Some(model) => {
            let values = vars.iter().map(|&var| (var, model.get(terms, var)));
            Some(Settled::When(values.collect()))
        }
        None => (!search.unsure).then_some(Settled::Never),
    }
}

/// Conditions, taken apart as far as has been done.
#[derive(Clone, Default)]
struct Case {
    /// Not yet taken apart.
    open: Vec<Term>,
    /// Not negative.
    bounds: Vec<Sum>,
    /// Zero.
    zero: Vec<Sum>,
    /// Not zero.
    apart: Vec<Sum>,
    /// Of each two one holds.
    either: Vec<[Term; 2]>,
    truths: Vec<(Var, bool)>,
    /// What was a variable and is one no more.
    opened: Vec<Term>,
}

impl Case {
    /// Two integers are the same.
    fn equate(&mut self, terms: &Terms, a: Term, b: Term) -> Option<()> {
        let difference = sum(terms, a)?.plus(&sum(terms, b)?, -1)?;
        self.zero.push(difference);
        Some(())
    }
}

struct Search<'t> {
    terms: &'t Terms,
    conditions: &'t [Term],
    splits: u32,
    /// Whether a case was given up.
    unsure: bool,
}

impl Search<'_> {
    /// Values that fulfil all conditions and are in a case; none if there are none, or if that is not known.
    fn decide(&mut self, mut case: Case) -> Option<Option<Assignment>> {
        while let Some(term) = case.open.pop() {
            if !self.takes(term, &mut case)? {
                return Some(None);
            }
        }
        let values = match System::of(self.terms, &case)?.solved() {
            Solved::Never => return Some(None),
            Solved::Unknown => {
                self.unsure = true;
                return Some(None);
            }
            Solved::When(values) => values,
        };
        let model = self.model(&case, &values);
        let holds = |term: Term| {
            evaluate_few(self.terms, &model, &[term]).is_some_and(|values| values[0].holds())
        };
        let open = |pair: &[Term; 2]| !pair.iter().any(|&t| holds(t));
        if let Some(at) = case.either.iter().position(open) {
            let pair = case.either.swap_remove(at);
            let cases = pair.map(|side| {
                let mut case = case.clone();
                case.open.push(side);
                case
            });
            return self.split(cases.into());
        }
        let values = |term: &Term| values.iter().find(|v| v.0 == *term).map(|v| v.1);
        let is_zero = |sum: &Sum| value(sum, values) == Some(0);
        if let Some(at) = case.apart.iter().position(is_zero) {
            let sum = case.apart.swap_remove(at);
            let sides = [sum.clone(), Sum::default().plus(&sum, -1)?];
            let mut cases = Vec::new();
            for side in sides {
                let mut case = case.clone();
                case.bounds.push(side.plus(&Sum::of(1), -1)?);
                cases.push(case);
            }
            return self.split(cases);
        }
        if self.conditions.iter().all(|&c| holds(c)) {
            return Some(Some(model));
        }
        if let Some(cases) = self.opened(&case) {
            return self.split(cases);
        }
        self.unsure = true;
        Some(None)
    }

    /// What counts as a variable is what it stands for.
    fn opened(&self, case: &Case) -> Option<Vec<Case>> {
        let sums = (case.bounds.iter()).chain(&case.zero).chain(&case.apart);
        let mut parts = sums.flat_map(|sum| sum.parts.keys().copied());
        parts.find_map(|part| {
            if case.opened.contains(&part) {
                return None;
            }
            let mut cases = match self.terms.get(part) {
                Node::Ite(condition, yes, no) => {
                    let sides = [(condition, yes), (!condition, no)];
                    let side = |(condition, value): (Term, Term)| {
                        let mut case = case.clone();
                        case.open.push(condition);
                        case.equate(self.terms, part, value)?;
                        Some(case)
                    };
                    sides.into_iter().map(side).collect::<Option<Vec<_>>>()?
                }
                Node::Select(map, index) => self.elements(case, part, map, index)?,
                _ => return None,
            };
            cases.iter_mut().for_each(|case| case.opened.push(part));
            Some(cases)
        })
    }

    /// An element is what was stored last at its place, or what the map began with.
    fn elements(&self, case: &Case, part: Term, map: Term, index: Term) -> Option<Vec<Case>> {
        let (mut cases, mut rest, mut map) = (Vec::new(), case.clone(), map);
        loop {
            match self.terms.get(map) {
                Node::Store(below, place, value) => {
                    let mut here = rest.clone();
                    here.equate(self.terms, index, place)?;
                    here.equate(self.terms, part, value)?;
                    cases.push(here);
                    let difference = sum(self.terms, index)?.plus(&sum(self.terms, place)?, -1)?;
                    rest.apart.push(difference);
                    map = below;
                }
                Node::Fill(value) => {
                    rest.equate(self.terms, part, value)?;
                    cases.push(rest);
                    return Some(cases);
                }
                _ => return None,
            }
        }
    }

    fn split(&mut self, cases: Vec<Case>) -> Option<Option<Assignment>> {
        self.splits += 1;
        if self.splits > MOST_SPLITS {
            return None;
        }
        for case in cases {
            if let Some(model) = self.decide(case)? {
                return Some(Some(model));
            }
        }
        Some(None)
    }

    /// Takes a condition apart; says whether it can hold.
    fn takes(&self, term: Term, case: &mut Case) -> Option<bool> {
        if let Some(known) = term.known() {
            return Some(known);
        }
        match (self.terms.get(term), term.negated()) {
            (Node::And(a, b), false) => case.open.extend([a, b]),
            (Node::And(a, b), true) => case.either.push([!a, !b]),
            (Node::Le(..), _) => case.bounds.push(not_negative(self.terms, term)?),
            (Node::Eq(a, b), negated) if self.terms.sort(a) == Sort::Int => {
                if negated {
                    let difference = sum(self.terms, a)?.plus(&sum(self.terms, b)?, -1)?;
                    case.apart.push(difference);
                } else {
                    case.equate(self.terms, a, b)?;
                }
            }
            (Node::Var(var), negated) => {
                if case.truths.contains(&(var, negated)) {
                    return Some(false);
                }
                case.truths.push((var, !negated));
            }
            _ => {}
        }
        Some(true)
    }

    fn model(&self, case: &Case, values: &[(Term, i128)]) -> Assignment {
        let mut model = Assignment::default();
        for &(term, value) in values {
            if let Node::Var(var) = self.terms.get(term) {
                model.set(var, Datum::Int(Some(value)));
            }
        }
        for &(var, value) in &case.truths {
            model.set(var, Datum::Bool(value));
        }
        model
    }
}

/// The value of a sum, if all values in it are known.
fn value(sum: &Sum, values: impl Fn(&Term) -> Option<i128>) -> Option<i128> {
    let mut all = sum.number;
    for (part, &count) in &sum.parts {
        all = all.checked_add(values(part)?.checked_mul(count)?)?;
    }
    Some(all)
}

enum Solved {
    Never,
    Unknown,
    When(Vec<(Term, i128)>),
}

/// A variable that is gone.
enum Gone {
    /// It is that sum.
    Is(Term, Sum),
    /// It lies between bounds: sums with it that are not negative.
    Lies(Term, Vec<Sum>),
}

/// Sums that are not negative or zero.
struct System<'a> {
    terms: &'a Terms,
    bounds: Vec<Sum>,
    zero: Vec<Sum>,
    apart: &'a [Sum],
    vars: BTreeSet<Term>,
    gone: Vec<Gone>,
}

impl<'a> System<'a> {
    fn of(terms: &'a Terms, case: &'a Case) -> Option<Self> {
        let all = (case.bounds.iter()).chain(&case.zero).chain(&case.apart);
        let vars: BTreeSet<Term> = all.flat_map(|sum| sum.parts.keys().copied()).collect();
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

    fn solved(mut self) -> Solved {
        match self.eliminated() {
            None => Solved::Unknown,
            Some(false) => Solved::Never,
            Some(true) => self.values().map_or(Solved::Unknown, Solved::When),
        }
    }

    /// Whether something may be left when all variables are gone.
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

    /// One variable of a sum that is zero becomes what it must be.
    fn equated(&mut self, sum: Sum) -> Option<bool> {
        if sum.parts.is_empty() {
            return Some(sum.number == 0);
        }
        let Some((&var, &sign)) = sum.parts.iter().find(|(_, n)| n.abs() == 1) else {
            let divisor = sum.parts.values().fold(0, |d, &n| gcd(d, n));
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
                if let Some(&times) = sum.parts.get(&var) {
                    let less = std::mem::take(sum).plus(&Sum::one(var), -times)?;
                    *sum = less.plus(&is, times)?;
                }
            }
        }
        self.vars.remove(&var);
        self.gone.push(Gone::Is(var, is));
        Some(true)
    }

    /// Divides each bound by what its parts have in common; says whether none is false. What says nothing goes.
    fn tidied(&mut self) -> bool {
        for sum in &mut self.bounds {
            let divisor = sum.parts.values().fold(0, |d, &n| gcd(d, n));
            if divisor > 1 {
                sum.parts.values_mut().for_each(|n| *n /= divisor);
                sum.number = sum.number.div_euclid(divisor);
            }
        }
        let is_false = |sum: &Sum| sum.parts.is_empty() && sum.number < 0;
        if self.bounds.iter().any(is_false) {
            return false;
        }
        self.bounds.retain(|sum| !sum.parts.is_empty());
        // Of bounds with the same parts the closest is enough.
        (self.bounds).sort_by(|a, b| (&a.parts, a.number).cmp(&(&b.parts, b.number)));
        self.bounds.dedup_by(|b, a| a.parts == b.parts);
        true
    }

    /// The variable that costs least, and least of all one that loses nothing.
    fn next(&self) -> Option<Term> {
        let cost = |var: &Term| {
            let (mut below, mut above, mut multiplied) = (0, 0, [false; 2]);
            for sum in &self.bounds {
                match sum.parts.get(var) {
                    Some(&n) if n > 0 => {
                        (below, multiplied[0]) = (below + 1, multiplied[0] | (n > 1))
                    }
                    Some(&n) => (above, multiplied[1]) = (above + 1, multiplied[1] | (n < -1)),
                    None => {}
                }
            }
            (multiplied == [true; 2], below * above, *var)
        };
        self.vars.iter().copied().min_by_key(cost)
    }

    fn without(&mut self, var: Term) -> Option<()> {
        let with = |sum: &Sum| sum.parts.contains_key(&var);
        let (own, rest): (Vec<Sum>, Vec<Sum>) = self.bounds.drain(..).partition(with);
        self.bounds = rest;
        for lower in &own {
            let below = lower.parts[&var];
            for upper in own.iter().filter(|_| below > 0) {
                let above = upper.parts[&var];
                if above < 0 {
                    let sum = Sum::default().plus(lower, -above)?.plus(upper, below)?;
                    self.bounds.push(sum);
                }
            }
        }
        self.vars.remove(&var);
        self.gone.push(Gone::Lies(var, own));
        (self.bounds.len() <= MOST_BOUNDS).then_some(())
    }

    /// Values for all, the last that went first.
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

    /// The number nearest to 0 within bounds, and apart from what it must be apart from, if that is possible.
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
            let (times, rest) = (bound.parts[&var], rest(bound)?);
            // times * var >= -rest
            if times > 0 {
                let least = -rest.div_euclid(times);
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
                let (times, rest) = (*sum.parts.get(&var)?, rest(sum)?);
                (rest % times == 0).then(|| -(rest / times))
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

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::term::{Interval, Op};

    /// Numbers that depend on nothing but the seed.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, sides: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 33) % sides
        }

        fn number(&mut self) -> i128 {
            i128::from(self.roll(7)) - 3
        }

        fn sum(&mut self, terms: &mut Terms, vars: &[Term]) -> Term {
            let mut all = terms.int(self.number());
            for _ in 0..=self.roll(2) {
                let factor = terms.int(self.number());
                let var = vars[self.roll(vars.len() as u64) as usize];
                let part = terms.op(Op::Mul, var, factor);
                all = terms.add(all, part);
            }
            if self.roll(6) == 0 {
                let condition = self.condition(terms, &vars[..2]);
                return terms.ite(condition, all, vars[0]);
            }
            if self.roll(6) == 0 {
                let (base, value) = (terms.int(self.number()), terms.int(self.number()));
                let map = terms.fill(base);
                let map = terms.store(map, vars[0], value);
                let map = terms.store(map, all, vars[1]);
                return terms.select(map, vars[2]);
            }
            all
        }

        fn condition(&mut self, terms: &mut Terms, vars: &[Term]) -> Term {
            let vars = if vars.len() < 3 {
                [vars[0], vars[1], vars[0]]
            } else {
                [vars[0], vars[1], vars[2]]
            };
            let simple = |dice: &mut Self, terms: &mut Terms| {
                let factor = terms.int(dice.number());
                let (a, b) = (vars[dice.roll(3) as usize], vars[dice.roll(3) as usize]);
                let b = terms.op(Op::Mul, b, factor);
                terms.le(a, b)
            };
            match self.roll(5) {
                0 => {
                    let (a, b) = (simple(self, terms), simple(self, terms));
                    !terms.and(a, !b)
                }
                _ => simple(self, terms),
            }
        }

        fn compared(&mut self, terms: &mut Terms, vars: &[Term]) -> Term {
            let (a, b) = (self.sum(terms, vars), self.sum(terms, vars));
            let made = match self.roll(4) {
                0 => terms.eq(a, b),
                1 => self.condition(terms, vars),
                _ => terms.le(a, b),
            };
            if self.roll(2) == 0 { made } else { !made }
        }
    }

    /// Whether some of all values fulfil the conditions.
    fn tried(terms: &Terms, vars: &[Var], conditions: &[Term]) -> bool {
        let range = -4i128..=4;
        range.clone().any(|a| {
            range.clone().any(|b| {
                range.clone().any(|c| {
                    let mut model = Assignment::default();
                    for (&var, value) in vars.iter().zip([a, b, c]) {
                        model.set(var, Datum::Int(Some(value)));
                    }
                    let values = evaluate_few(terms, &model, conditions);
                    values.is_some_and(|v| v.iter().all(Datum::holds))
                })
            })
        })
    }

    #[test]
    fn what_is_settled_is_so() {
        let (mut never, mut when, mut open) = (0, 0, 0);
        for seed in 0..1500 {
            let (mut dice, mut terms) = (Dice(seed), Terms::new());
            let named: Vec<Term> = (0..3)
                .map(|n| terms.fresh(format!("v{n}"), Sort::Int, Interval::new(-4, 4)))
                .collect();
            let count = 2 + dice.roll(6);
            let conditions: Vec<Term> = (0..count)
                .map(|_| dice.compared(&mut terms, &named))
                .collect();
            let vars = named.iter().map(|&t| match terms.get(t) {
                Node::Var(var) => var,
                _ => unreachable!("a variable"),
            });
            let vars: Vec<Var> = vars.collect();
            match settle(&terms, &conditions) {
                None => open += 1,
                Some(Settled::Never) => {
                    never += 1;
                    assert!(!tried(&terms, &vars, &conditions), "{seed}");
                }
                Some(Settled::When(values)) => {
                    when += 1;
                    let mut model = Assignment::default();
                    values
                        .into_iter()
                        .for_each(|(var, value)| model.set(var, value));
                    let values = evaluate_few(&terms, &model, &conditions);
                    assert!(values.is_some_and(|v| v.iter().all(Datum::holds)), "{seed}");
                }
            }
        }
        println!("{never} never, {when} with values, {open} for a solver");
        assert!(
            never > 200 && when > 200 && open < 300,
            "{never} {when} {open}"
        );
    }
}
