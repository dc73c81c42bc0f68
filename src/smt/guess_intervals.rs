//! Finds where guesses lie, in the order of time.
//!
//! Some guesses are compared in every execution that makes them. In an execution that meets the constraints, such a guess equals
//! the value that it is compared with. That value was computed from guesses of earlier moments only. (A term may look otherwise,
//! where a branch of it is not taken.) So intervals are found moment by moment. At first no guess has a value. Each step gives a
//! guess the hull of the values that follow from the guesses with values; a branch without a value does not count. After as many
//! steps as there are moments, every value of every execution lies in its interval, even if the intervals would still grow.
//!
//! This ignores conditions, so a bound is never tighter than the most that all updates together can do.

use rustc_hash::FxHashMap;

use super::exec::Definitions;
use super::term::{Interval, Node, Sort, Term, Terms, Var};

/// The bounds of the guesses that have some: of numbers, and of the elements of maps.
#[must_use]
pub fn of(terms: &mut Terms, definitions: &Definitions) -> FxHashMap<Var, Interval> {
    let defined: Vec<(Var, Vec<Term>)> = definitions
        .order
        .iter()
        .filter(|&&var| {
            is_number(terms, terms.var(var).term) && is_covered(terms, definitions, var)
        })
        .map(|&var| (var, values(definitions, var)))
        .collect();
    let mut bounds = Bounds::new(terms, &defined);
    for _ in 0..definitions.moments {
        bounds.compute(terms);
        if !bounds.step(&defined) {
            break;
        }
    }
    let known = bounds.known.into_iter();
    known
        .filter_map(|(var, interval)| Some((var, interval?)))
        .filter(|(_, interval)| interval.bounds().is_some())
        .collect()
}

fn is_number(terms: &Terms, term: Term) -> bool {
    !matches!(terms.sort(term), Sort::Bool | Sort::Map { bools: true, .. })
}

fn values(definitions: &Definitions, var: Var) -> Vec<Term> {
    definitions.of(var).iter().map(|value| value.1).collect()
}

/// Whether a guess is compared on every path on which it is made.
pub fn is_covered(terms: &mut Terms, definitions: &Definitions, var: Var) -> bool {
    let Some(guess) = definitions.guess(var).filter(|guess| !guess.refused) else {
        return false;
    };
    let compared = terms.any(guess.values.iter().map(|value| value.0));
    terms.and(guess.made, !compared) == Term::FALSE
}

/// Intervals while they are being found. `None` stands for no value so far.
struct Bounds {
    /// The terms from which the values of guesses are computed, conditions aside; operands come first.
    cone: Vec<Term>,
    intervals: FxHashMap<Term, Option<Interval>>,
    known: FxHashMap<Var, Option<Interval>>,
}

impl Bounds {
    fn new(terms: &Terms, defined: &[(Var, Vec<Term>)]) -> Self {
        let mut cone = Vec::new();
        let mut seen = vec![false; terms.len()];
        let mut open: Vec<Term> = defined.iter().flat_map(|d| d.1.iter().copied()).collect();
        while let Some(term) = open.pop() {
            if std::mem::replace(&mut seen[term.index()], true) {
                continue;
            }
            cone.push(term);
            if !matches!(terms.get(term), Node::Cases(_)) {
                terms.operands(term, |o| {
                    if is_number(terms, o) {
                        open.push(o);
                    }
                });
            }
        }
        cone.sort_unstable();
        Self {
            cone,
            intervals: FxHashMap::default(),
            known: defined.iter().map(|d| (d.0, None)).collect(),
        }
    }

    /// Computes the intervals of all terms from those of the guesses.
    fn compute(&mut self, terms: &Terms) {
        for i in 0..self.cone.len() {
            let term = self.cone[i];
            let own = terms.interval(term);
            let found = self.interval(terms, term, own);
            let found = found.map(|found| {
                let met = own.meet(found);
                if own.contains(met) { met } else { own }
            });
            self.intervals.insert(term, found);
        }
    }

    fn interval(&self, terms: &Terms, term: Term, own: Interval) -> Option<Interval> {
        let of = |t: Term| self.intervals.get(&t).copied().flatten();
        let either = |a: Term, b: Term| match (of(a), of(b)) {
            (Some(a), Some(b)) => Some(a.hull(b)),
            (a, b) => a.or(b),
        };
        match terms.get(term) {
            Node::Var(var) => self.known.get(&var).copied().unwrap_or(Some(own)),
            Node::Ite(_, a, b) => either(a, b),
            Node::Op(op, a, b) => Some(op.interval(of(a)?, of(b)?)),
            Node::Wrap(bits, a) => of(a).map(|a| kept(bits.interval(), a, own)),
            Node::Narrow(range, a) => of(a).map(|a| kept(terms.range(range), a, own)),
            Node::Fill(a) => of(a),
            Node::Store(map, _, value) => either(map, value),
            Node::Select(map, _) => of(map),
            _ => Some(own),
        }
    }

    /// Gives each guess the hull of its values; says whether anything is new.
    fn step(&mut self, defined: &[(Var, Vec<Term>)]) -> bool {
        let mut changed = false;
        for (var, values) in defined {
            let found = values.iter().filter_map(|v| self.intervals[v]);
            let hull = found.reduce(Interval::hull);
            changed |= self.known.insert(*var, hull) != Some(hull);
        }
        changed
    }
}

/// A value that lies within the bounds, else `otherwise`.
fn kept(bounds: Interval, value: Interval, otherwise: Interval) -> Interval {
    if bounds.contains(value) {
        value
    } else {
        otherwise
    }
}
