//! The conditions that variables fulfil on the way to a state.

use std::rc::Rc;

use smt::term::{Assignment, Node, Term, Terms};

use super::sum::{Sum, not_negative};

/// Conditions that all hold, and values of the variables for which they do: a path can always be taken.
#[derive(Clone, Default)]
pub(super) struct Path {
    /// The conditions, sorted by their place in the table of terms.
    pub literals: Rc<Vec<Term>>,
    /// Values under which they hold.
    pub model: Rc<Assignment>,
}

/// How deep a condition is taken apart to see whether it is known.
const DEEPEST: u32 = 4;

impl Path {
    /// Whether a truth value holds, if the conditions say so without a solver.
    pub fn knows(&self, terms: &Terms, term: Term) -> Option<bool> {
        self.looks(terms, term, DEEPEST)
    }

    fn looks(&self, terms: &Terms, term: Term, depth: u32) -> Option<bool> {
        if let Some(known) = term.known() {
            return Some(known);
        }
        for value in [true, false] {
            let literal = if value { term } else { !term };
            if self.literals.binary_search(&literal).is_ok() {
                return Some(value);
            }
        }
        let (Node::And(a, b), 1..) = (terms.get(term), depth) else {
            return None;
        };
        let both = match [a, b].map(|part| self.looks(terms, part, depth - 1)) {
            [Some(true), Some(true)] => true,
            [Some(false), _] | [_, Some(false)] => false,
            _ => return None,
        };
        Some(both != term.negated())
    }

    /// The path on which a condition holds as well; the values must fulfil all.
    pub fn with(&self, terms: &Terms, condition: Term, model: Rc<Assignment>) -> Self {
        let mut literals = Vec::with_capacity(self.literals.len() + 2);
        literals.extend_from_slice(&self.literals);
        conjuncts(terms, condition, &mut literals);
        let new = literals.split_off(self.literals.len());
        // A bound makes looser ones of the same sum unneeded.
        for bound in new.iter().filter_map(|&l| not_negative(terms, l)) {
            let is_looser = |other: Sum| other.parts == bound.parts && other.number >= bound.number;
            literals.retain(|&l| !not_negative(terms, l).is_some_and(is_looser));
        }
        literals.extend(new);
        Self::of(literals, model)
    }

    /// The path on which a condition holds as well, whatever the values say.
    pub fn assuming(&self, terms: &Terms, condition: Term) -> Self {
        self.with(terms, condition, self.model.clone())
    }

    /// The path with these conditions.
    pub fn of(mut literals: Vec<Term>, model: Rc<Assignment>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        literals.retain(|&l| l != Term::TRUE);
        Self {
            literals: Rc::new(literals),
            model,
        }
    }
}

/// Adds the parts of a conjunction to `parts`; a condition of another kind is added as it is.
pub(super) fn conjuncts(terms: &Terms, condition: Term, parts: &mut Vec<Term>) {
    let mut at = parts.len();
    parts.push(condition);
    while let Some(&term) = parts.get(at) {
        match terms.get(term) {
            Node::And(a, b) if !term.negated() => {
                parts[at] = a;
                parts.push(b);
            }
            _ => at += 1,
        }
    }
}
