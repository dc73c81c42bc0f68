//! Comparisons in one form, and values that are as good as a variable.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use smt::term::{Assignment, Interval, Node, Op, Renaming, Sort, Term, Var, evaluate_few};

use super::machine::Machine;
use super::path::Path;
use super::state::State;
use super::sum::{Sum, not_negative, sum};

impl<'p> Machine<'p> {
    pub fn added(&mut self, sum: &Sum) -> Term {
        let mut all = None;
        for (part, count) in sum.parts.iter() {
            let count = self.terms.int(count);
            let part = self.terms.op(Op::Mul, part, count);
            all = Some(all.map_or(part, |all| self.terms.add(all, part)));
        }
        let number = self.terms.int(sum.number);
        all.map_or(number, |all| self.terms.add(all, number))
    }

    /// Returns the condition that a sum is not negative. Subtracted parts stand on the left, with the number.
    pub fn at_least_0(&mut self, sum: &Sum) -> Option<Term> {
        let (mut left, mut right) = (Sum::of(sum.number.checked_neg()?), Sum::default());
        for (part, count) in sum.parts.iter() {
            let side = if count < 0 { &mut left } else { &mut right };
            side.parts.insert(part, count.checked_abs()?);
        }
        let (left, right) = (self.added(&left), self.added(&right));
        Some(self.terms.le(left, right))
    }

    /// Returns a comparison in its one form.
    pub fn in_form(&mut self, literal: Term) -> Term {
        if let Some(&known) = self.formed.get(&literal) {
            return known;
        }
        let sum = not_negative(&self.terms, literal);
        let made = sum.and_then(|sum| self.at_least_0(&sum));
        let made = made.filter(|t| t.known().is_none()).unwrap_or(literal);
        self.formed.insert(literal, made);
        made
    }

    /// Splits a sum into the rest and the sign of a variable, if the variable stands there once, without a factor.
    pub fn alone(&mut self, mut sum: Sum, var: Var) -> Option<(Sum, i128)> {
        let term = self.terms.var(var).term;
        let sign = sum.parts.remove(term).filter(|n| n.unsigned_abs() == 1)?;
        for part in sum.parts.terms() {
            if self.oracle.vars(&self.terms, part).contains(&var) {
                return None;
            }
        }
        Some((sum, sign))
    }

    /// Turns each value that has a variable of its own (no other value has it) into that variable. What was known of the variable
    /// is then known of the value.
    pub fn rename_values(&mut self, state: &mut State<'p>) {
        let mut values: Vec<Term> = Vec::new();
        let mut known = FxHashSet::default();
        let frames = state.tasks.iter().flat_map(|t| &t.frames);
        let rows = std::iter::once(&state.globals[..]).chain(frames.map(|f| &f.locals[..]));
        for &leaf in rows.flatten() {
            if self.terms.as_const(leaf).is_some() || leaf.known().is_some() {
                continue;
            }
            if !self.oracle.vars(&self.terms, leaf).is_empty() && known.insert(leaf.index()) {
                values.push(leaf);
            }
        }
        let mut holders: FxHashMap<Var, usize> = FxHashMap::default();
        for &value in &values {
            for &var in &*self.oracle.vars(&self.terms, value) {
                *holders.entry(var).or_default() += 1;
            }
        }
        for value in values {
            if let Some((var, meaning)) = self.owned(value, &holders) {
                self.rename_value(state, var, value, meaning);
            }
        }
    }

    /// Returns a variable that only this value has, and what the variable was, in terms of the value.
    fn owned(&mut self, value: Term, holders: &FxHashMap<Var, usize>) -> Option<(Var, Term)> {
        if !matches!(self.terms.get(value), Node::Op(Op::Add | Op::Neg, ..)) {
            return None;
        }
        let whole = sum(&self.terms, value)?;
        for var in self.oracle.vars(&self.terms, value).iter().copied() {
            let info = self.terms.var(var);
            let (sort, interval, term) = (info.sort, info.interval, info.term);
            if holders.get(&var) != Some(&1) || sort != Sort::Int || interval != Interval::ALL {
                continue;
            }
            if let Some((rest, sign)) = self.alone(whole.clone(), var) {
                // The value w is sign * v + rest, so v is sign * (w - rest). Then w gets the name v.
                let own = sum(&self.terms, term)?.plus(&rest, -1)?;
                let meaning = Sum::default().plus(&own, sign)?;
                return Some((var, self.added(&meaning)));
            }
        }
        None
    }

    fn rename_value(&mut self, state: &mut State<'p>, var: Var, value: Term, meaning: Term) {
        let Some(now) = evaluate_few(&self.terms, &state.path.model, &[value]) else {
            return;
        };
        if now[0].int().is_none() {
            return;
        }
        let mut model = Assignment::clone(&state.path.model);
        model.set(var, now[0].clone());
        let mut new = Renaming::default();
        let own = self.terms.var(var).term;
        new.insert(own.index(), meaning);
        new.insert(value.index(), own);
        self.substitute(state, &mut new);
        let literals = state.path.literals.iter();
        let literals = Vec::from_iter(literals.map(|&l| self.in_form(l)));
        state.path = Path::of(literals, Rc::new(model));
    }
}
