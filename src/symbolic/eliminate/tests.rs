//! Compares what is settled with trying all values.

use super::*;
use smt::term::{Interval, Op};

/// Numbers that depend on nothing but the seed. Some are next to the ends of what can be computed with.
struct Dice {
    seed: u64,
    large: bool,
}

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.seed >> 33) % sides
    }

    fn number(&mut self) -> i128 {
        if self.large && self.roll(3) == 0 {
            let large = [i128::MIN, i128::MIN + 1, i128::MAX, 1 << 126];
            return large[usize::try_from(self.roll(4)).unwrap()];
        }
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
                    model.set(var, Datum::Int(value));
                }
                let values = evaluate_few(terms, &model, conditions);
                values.is_some_and(|v| v.iter().all(Datum::holds))
            })
        })
    })
}

/// Conditions over three variables, each in an interval.
fn conditions(dice: &mut Dice, within: Interval) -> (Terms, Vec<Var>, Vec<Term>) {
    let mut terms = Terms::new();
    let named: Vec<Term> = (0..3)
        .map(|n| terms.fresh(format!("v{n}"), Sort::Int, within))
        .collect();
    let count = 2 + dice.roll(6);
    let conditions = (0..count)
        .map(|_| dice.compared(&mut terms, &named))
        .collect();
    let vars = named.iter().map(|&t| match terms.get(t) {
        Node::Var(var) => var,
        _ => unreachable!("a variable"),
    });
    let vars = vars.collect();
    (terms, vars, conditions)
}

/// Whether the conditions hold for values.
fn hold(terms: &Terms, conditions: &[Term], values: Vec<(Var, Datum)>) -> bool {
    let mut model = Assignment::default();
    (values.into_iter()).for_each(|(var, value)| model.set(var, value));
    let values = evaluate_few(terms, &model, conditions);
    values.is_some_and(|v| v.iter().all(Datum::holds))
}

#[test]
fn what_is_settled_is_so() {
    let (mut never, mut when, mut open) = (0, 0, 0);
    for seed in 0..1500 {
        let mut dice = Dice { seed, large: false };
        let (terms, vars, conditions) = conditions(&mut dice, Interval::new(-4, 4));
        match settle(&terms, &conditions) {
            None => open += 1,
            Some(Settled::Never) => {
                never += 1;
                assert!(!tried(&terms, &vars, &conditions), "{seed}");
            }
            Some(Settled::When(values)) => {
                when += 1;
                assert!(hold(&terms, &conditions, values), "{seed}");
            }
        }
    }
    println!("{never} never, {when} with values, {open} for a solver");
    assert!(
        never > 200 && when > 200 && open < 300,
        "{never} {when} {open}"
    );
}

/// If a number is too large to be computed with, `settle` leaves the question to a solver.
#[test]
fn large_numbers_are_computed_right_or_not_at_all() {
    let (mut when, mut open) = (0, 0);
    for seed in 0..3000 {
        let mut dice = Dice { seed, large: true };
        let (terms, vars, conditions) = conditions(&mut dice, Interval::ALL);
        match settle(&terms, &conditions) {
            None => open += 1,
            Some(Settled::Never) => assert!(!tried(&terms, &vars, &conditions), "{seed}"),
            Some(Settled::When(values)) => {
                when += 1;
                assert!(hold(&terms, &conditions, values), "{seed}");
            }
        }
    }
    assert!(when > 200 && open > 200, "{when} {open}");
}
