//! Picks the values of a counterexample: those nearest to 0 that lead to what was found, the first choice first.
//!
//! They are easier to read than a solver's values, and do not depend on which solver was asked.

use std::rc::Rc;

use smt::term::{Assignment, Datum, Node, Sort, Term, Var, evaluate_few};

use super::machine::Machine;
use super::path::Path;

/// The most questions for a counterexample; later choices keep the values that the solver gave.
const QUESTIONS: u64 = 2_000;

/// The same path with the values of some variables nearest to 0, one after the other.
pub(super) fn nearest_to_0(machine: &mut Machine<'_>, path: Path, leaves: &[Term]) -> Path {
    let end = machine.oracle.asked.questions + QUESTIONS;
    let mut nearest = Nearest { machine, path, end };
    for &leaf in leaves {
        if let Node::Var(var) = nearest.machine.terms.get(leaf) {
            nearest.fix(var, leaf);
        }
    }
    nearest.path
}

struct Nearest<'m, 'p> {
    machine: &'m mut Machine<'p>,
    path: Path,
    end: u64,
}

impl Nearest<'_, '_> {
    fn fix(&mut self, var: Var, leaf: Term) {
        match self.machine.terms.var(var).sort {
            Sort::Bool => {
                self.takes(!leaf);
            }
            Sort::Int => self.fix_number(var, leaf),
            Sort::Map { .. } => {}
        }
    }

    /// Finds the least distance from 0: looks further and further away until there is a value, then goes back by halves.
    fn fix_number(&mut self, var: Var, leaf: Term) {
        if self.is_0(var, leaf) || self.equals(leaf, 0) {
            return;
        }
        let Some(mut best) = self.distance(var) else {
            return;
        };
        let mut none = 0;
        while none + 1 < best {
            let further = (2 * none + 1).min(none + (best - none) / 2);
            if self.lies_within(leaf, further) {
                best = self.distance(var).map_or(further, |d| d.min(further));
            } else {
                none = further;
            }
        }
        if !self.equals(leaf, best) {
            self.equals(leaf, -best);
        }
    }

    /// Takes 0 without a question, if the path holds for it with the other values as they are.
    fn is_0(&mut self, var: Var, leaf: Term) -> bool {
        let terms = &mut self.machine.terms;
        let number = terms.int(0);
        let condition = terms.eq(leaf, number);
        let mut model = Assignment::clone(&self.path.model);
        model.set(var, Datum::Int(0));
        let values = evaluate_few(terms, &model, &self.path.literals);
        let holds = values.is_some_and(|values| values.iter().all(Datum::holds));
        if holds && condition != Term::FALSE {
            self.path = self.path.with(terms, condition, Rc::new(model));
            return true;
        }
        false
    }

    /// How far the value of a variable is from 0, if that can be doubled.
    fn distance(&self, var: Var) -> Option<i128> {
        let value = self.path.model.get(&self.machine.terms, var).int()?;
        value.checked_abs().filter(|&n| n < i128::MAX / 4)
    }

    fn equals(&mut self, leaf: Term, number: i128) -> bool {
        let terms = &mut self.machine.terms;
        let number = terms.int(number);
        let condition = terms.eq(leaf, number);
        self.takes(condition)
    }

    fn lies_within(&mut self, leaf: Term, distance: i128) -> bool {
        let terms = &mut self.machine.terms;
        let [low, high] = [-distance, distance].map(|n| terms.int(n));
        let (above, below) = (terms.le(low, leaf), terms.le(leaf, high));
        let condition = terms.and(above, below);
        self.takes(condition)
    }

    /// Adds a condition to the path, if it can hold; returns whether it can.
    fn takes(&mut self, condition: Term) -> bool {
        let machine = &mut *self.machine;
        if machine.oracle.asked.questions >= self.end {
            return false;
        }
        match machine.oracle.holds(&machine.terms, &self.path, condition) {
            Ok(Some(path)) => {
                self.path = path;
                true
            }
            _ => false,
        }
    }
}
