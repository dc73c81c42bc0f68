//! Where guesses lie.
//!
//! A guess that is compared in every execution is, in each that meets the constraints, the value that it is compared with, so it lies in
//! that value's interval. The state in which a round starts is computed from the one before it: the first interval gives
//! the second, and so on. A value that is computed from its own guess has no bounds by this.

use rustc_hash::FxHashMap;

use super::exec::Definitions;
use super::term::{Interval, Node, Sort, Term, Terms, Var};

/// The bounds of the guesses that have some.
#[must_use]
pub fn of(terms: &Terms, definitions: &Definitions) -> FxHashMap<Var, Interval> {
    let always = |&var: &Var| match definitions.of(var) {
        [(path, value), ..] if *path == Term::TRUE && !definitions.is_refused(var) => {
            (terms.sort(*value) == Sort::Int).then_some((var, *value))
        }
        _ => None,
    };
    let mut left: Vec<(Var, Term)> = definitions.order.iter().filter_map(always).collect();
    let mut known = FxHashMap::default();
    while !left.is_empty() {
        let intervals = intervals(terms, &known);
        let before = known.len();
        left.retain(|&(var, value)| {
            let interval = intervals[value.index()];
            if interval.bounds().is_some() {
                known.insert(var, interval);
            }
            interval.bounds().is_none()
        });
        if known.len() == before {
            break;
        }
    }
    known
}

/// The intervals of all terms, where some variables are known to lie in narrower ones.
fn intervals(terms: &Terms, known: &FxHashMap<Var, Interval>) -> Vec<Interval> {
    let mut all: Vec<Interval> = Vec::with_capacity(terms.len());
    for index in 0..terms.len() {
        let term = terms.at(index);
        let own = terms.interval(term);
        let of = |t: Term| all[t.index()];
        let interval = match terms.get(term) {
            Node::Var(var) => known.get(&var).copied().unwrap_or(own),
            _ if terms.sort(term) != Sort::Int => own,
            Node::Ite(_, a, b) => of(a).hull(of(b)),
            Node::Op(op, a, b) => op.interval(of(a), of(b)),
            Node::Wrap(bits, a) if bits.interval().contains(of(a)) => of(a),
            Node::Narrow(range, a) if terms.range(range).contains(of(a)) => of(a),
            _ => own,
        };
        all.push(if own.contains(interval) {
            interval
        } else {
            own
        });
    }
    all
}
