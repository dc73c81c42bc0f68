//! What terms are under an assignment of their variables.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::integer::apply;
use super::{Node, Op, Term, Terms, Var};

/// A value of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A truth value.
    Bool(bool),
    /// An integer; `None` for one that takes more than 128 bits.
    Int(Option<i128>),
    /// A map.
    Map(Rc<MapDatum>),
}

/// A map: what differs, and everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapDatum {
    /// The elements that may differ.
    pub entries: BTreeMap<i128, Datum>,
    /// All others.
    pub rest: Datum,
}

impl MapDatum {
    /// An element.
    #[must_use]
    pub fn at(&self, index: i128) -> &Datum {
        self.entries.get(&index).unwrap_or(&self.rest)
    }
}

impl Datum {
    /// The truth value; false for anything else.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// The integer.
    #[must_use]
    pub fn int(&self) -> Option<i128> {
        match self {
            Self::Int(value) => *value,
            _ => None,
        }
    }
}

/// What variables stand for. A variable that is not mentioned is false, or the number of its interval that is nearest
/// to 0, or such numbers everywhere.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<Var, Datum>,
}

impl Assignment {
    /// No values yet, with room for so many.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        Self {
            values: FxHashMap::with_capacity_and_hasher(count, FxBuildHasher),
        }
    }

    /// Gives a variable a value.
    pub fn set(&mut self, var: Var, value: Datum) {
        self.values.insert(var, value);
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, terms: &Terms, var: Var) -> Datum {
        if let Some(value) = self.values.get(&var) {
            return value.clone();
        }
        let info = terms.var(var);
        let interval = info.interval;
        let zero = 0
            .max(interval.lo().unwrap_or(0))
            .min(interval.hi().unwrap_or(0).max(interval.lo().unwrap_or(0)));
        default(
            info.sort,
            if interval.holds(0) {
                0
            } else if zero == 0 {
                interval.hi().unwrap_or(0)
            } else {
                zero
            },
        )
    }
}

fn default(sort: super::Sort, number: i128) -> Datum {
    match sort {
        super::Sort::Bool => Datum::Bool(false),
        super::Sort::Int => Datum::Int(Some(number)),
        super::Sort::Map { .. } => Datum::Map(Rc::new(MapDatum {
            entries: BTreeMap::new(),
            rest: default(sort.element(), number),
        })),
    }
}

/// What terms are under an assignment.
#[must_use]
pub fn evaluate(terms: &Terms, values: &Assignment, roots: &[Term]) -> Vec<Datum> {
    let Some(last) = roots.iter().map(|r| r.index()).max() else {
        return Vec::new();
    };
    let mut wanted = vec![false; last + 1];
    roots.iter().for_each(|r| wanted[r.index()] = true);
    for index in (0..=last).rev() {
        if wanted[index] {
            terms.operands(terms.at(index), |o| wanted[o.index()] = true);
        }
    }
    let mut data: Vec<Option<Datum>> = vec![None; last + 1];
    for index in 0..=last {
        if wanted[index] {
            let datum = Evaluator {
                terms,
                values,
                data: |index: usize| data[index].as_ref(),
            }
            .node(terms.get(terms.at(index)));
            data[index] = Some(datum);
        }
    }
    let evaluator = Evaluator {
        terms,
        values,
        data: |index: usize| data[index].as_ref(),
    };
    roots.iter().map(|&r| evaluator.datum(r)).collect()
}

/// The same for few terms of a large table, unless some number takes more than 128 bits.
#[must_use]
pub fn evaluate_few(terms: &Terms, values: &Assignment, roots: &[Term]) -> Option<Vec<Datum>> {
    let places = terms.below(roots);
    let mut data: Vec<Datum> = Vec::with_capacity(places.len());
    for &index in &places {
        let datum = Evaluator {
            terms,
            values,
            data: |index: usize| data.get(places.binary_search(&index).ok()?),
        }
        .node(terms.get(terms.at(index)));
        if datum == Datum::Int(None) {
            return None;
        }
        data.push(datum);
    }
    let evaluator = Evaluator {
        terms,
        values,
        data: |index: usize| data.get(places.binary_search(&index).ok()?),
    };
    Some(roots.iter().map(|&r| evaluator.datum(r)).collect())
}

struct Evaluator<'a, F> {
    terms: &'a Terms,
    values: &'a Assignment,
    data: F,
}

impl<'d, F: Fn(usize) -> Option<&'d Datum>> Evaluator<'_, F> {
    fn datum(&self, term: Term) -> Datum {
        match (self.data)(term.index()) {
            Some(Datum::Bool(value)) => Datum::Bool(*value != term.negated()),
            Some(other) => other.clone(),
            None => Datum::Int(None),
        }
    }

    fn holds(&self, term: Term) -> bool {
        self.datum(term).holds()
    }

    fn int(&self, term: Term) -> Option<i128> {
        self.datum(term).int()
    }

    fn node(&self, node: Node) -> Datum {
        match node {
            Node::True => Datum::Bool(true),
            Node::Var(var) => self.values.get(self.terms, var),
            Node::And(a, b) => Datum::Bool(self.holds(a) && self.holds(b)),
            Node::Ite(c, a, b) => self.datum(if self.holds(c) { a } else { b }),
            Node::Eq(a, b) => Datum::Bool(self.int(a) == self.int(b)),
            Node::Le(a, b) => {
                Datum::Bool(matches!((self.int(a), self.int(b)), (Some(a), Some(b)) if a <= b))
            }
            Node::SameMap(a, b) => Datum::Bool(same(&self.datum(a), &self.datum(b))),
            Node::Const(id) => Datum::Int(Some(self.terms.number(id))),
            Node::Cases(id) => Datum::Int(
                self.terms
                    .cases(id)
                    .iter()
                    .find(|&&(_, guard)| self.holds(guard))
                    .map(|case| case.0),
            ),
            Node::Op(op, a, b) => Datum::Int(self.op(op, a, b)),
            Node::Wrap(bits, a) => Datum::Int(self.int(a).map(|v| bits.wrap(v))),
            Node::Narrow(_, a) => self.datum(a),
            Node::Fill(a) => Datum::Map(Rc::new(MapDatum {
                entries: BTreeMap::new(),
                rest: self.datum(a),
            })),
            Node::Store(map, index, value) => self.store(map, index, value),
            Node::Select(map, index) => match (self.datum(map), self.int(index)) {
                (Datum::Map(map), Some(index)) => map.at(index).clone(),
                _ => Datum::Int(None),
            },
        }
    }

    fn op(&self, op: Op, a: Term, b: Term) -> Option<i128> {
        apply(op, self.int(a)?, self.int(b)?)
    }

    fn store(&self, map: Term, index: Term, value: Term) -> Datum {
        let (Datum::Map(map), Some(index)) = (self.datum(map), self.int(index)) else {
            return self.datum(map);
        };
        let mut changed = (*map).clone();
        changed.entries.insert(index, self.datum(value));
        Datum::Map(Rc::new(changed))
    }
}

/// Equality of values; entries that equal the rest do not count.
fn same(a: &Datum, b: &Datum) -> bool {
    match (a, b) {
        (Datum::Map(x), Datum::Map(y)) => {
            let keys = || x.entries.keys().chain(y.entries.keys());
            same(&x.rest, &y.rest) && keys().all(|&k| same(x.at(k), y.at(k)))
        }
        _ => a == b,
    }
}
