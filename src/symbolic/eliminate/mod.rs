//! Conditions that compare sums, decided without a solver.
//!
//! Variables are eliminated one by one: each lower bound lies below each upper bound (Fourier and Motzkin). That loses nothing
//! where the variable has no factor in its lower bounds, or none in its upper bounds. A term that is no sum counts as a variable
//! until nothing else helps: then a choice is split into its two cases, and an element of a map is what was stored there last.
//! Conditions of other kinds are left out. So "never" is right: it is shown for weaker conditions. Values are returned only if
//! they fulfil all conditions. A solver decides the rest.

mod system;
#[cfg(test)]
mod tests;

use smt::term::{Assignment, Datum, Node, Sort, Term, Terms, Var, evaluate_few};

use super::sum::{Sum, not_negative, sum};
use system::{Solved, System, value};

/// The most splits into cases: of an alternative, an inequality or a choice.
const MOST_SPLITS: u32 = 64;

/// The answer about conditions.
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

/// Conditions, some of them taken apart already.
#[derive(Clone, Default)]
struct Case {
    /// Not yet taken apart.
    open: Vec<Term>,
    bounds: Vec<Sum>,
    zero: Vec<Sum>,
    apart: Vec<Sum>,
    /// Pairs of conditions: at least one of each pair holds.
    either: Vec<[Term; 2]>,
    truths: Vec<(Var, bool)>,
    /// Terms that no longer count as variables.
    opened: Vec<Term>,
}

impl Case {
    /// Adds that two integers are equal.
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
    /// Finds values of a case that fulfil all conditions. Inner `None`: none are found; `unsure` says whether some may exist.
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

    /// Takes a term that counts as a variable, and splits a case by what the term stands for.
    fn opened(&self, case: &Case) -> Option<Vec<Case>> {
        let sums = (case.bounds.iter()).chain(&case.zero).chain(&case.apart);
        let mut parts = sums.flat_map(|sum| sum.parts.terms());
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

    /// Splits a case by the store that an element comes from, or by what the map began with.
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
                model.set(var, Datum::Int(value));
            }
        }
        for &(var, value) in &case.truths {
            model.set(var, Datum::Bool(value));
        }
        model
    }
}
