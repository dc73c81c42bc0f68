//! Evaluates terms under an assignment of their variables.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::integer::apply;
use super::{Node, Op, Term, Terms, Var};

/// A value of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    Bool(bool),
    Int(i128),
    /// The lowest 128 bits of an integer whose other bits are not known. The integer itself may fit into 128 bits.
    Low(i128),
    Map(Rc<MapDatum>),
    /// A value of any sort that depends on an integer of more than 128 bits.
    Unknown,
}

/// A map: its entries, and the value of all other elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapDatum {
    /// Elements by their index. They may equal `rest`.
    pub entries: BTreeMap<i128, Datum>,
    pub rest: Datum,
}

impl MapDatum {
    #[must_use]
    pub fn at(&self, index: i128) -> &Datum {
        self.entries.get(&index).unwrap_or(&self.rest)
    }
}

impl Datum {
    /// Whether this is known to be true.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// The truth value, if it is known.
    #[must_use]
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    #[must_use]
    pub fn int(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }
}

/// The values of variables. A variable without one is false, or the number of its interval that is nearest to 0. A map without
/// one has such an element everywhere.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<Var, Datum>,
}

impl Assignment {
    /// Makes an assignment without values, with room for `count` of them.
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
        super::Sort::Int => Datum::Int(number),
        super::Sort::Map { .. } => Datum::Map(Rc::new(MapDatum {
            entries: BTreeMap::new(),
            rest: default(sort.element(), number),
        })),
    }
}

/// Evaluates the roots under an assignment.
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

/// The same for few terms of a large table. `None` if one of the roots depends on an integer of more than 128 bits.
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
        data.push(datum);
    }
    let evaluator = Evaluator {
        terms,
        values,
        data: |index: usize| data.get(places.binary_search(&index).ok()?),
    };
    let unknown = |datum: &Datum| matches!(datum, Datum::Unknown | Datum::Low(_));
    let values: Vec<Datum> = roots.iter().map(|&r| evaluator.datum(r)).collect();
    (!values.iter().any(unknown)).then_some(values)
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
            None => Datum::Unknown,
        }
    }

    fn truth(&self, term: Term) -> Option<bool> {
        self.datum(term).truth()
    }

    fn int(&self, term: Term) -> Option<i128> {
        self.datum(term).int()
    }

    fn node(&self, node: Node) -> Datum {
        match node {
            Node::True => Datum::Bool(true),
            Node::Var(var) => self.values.get(self.terms, var),
            Node::And(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Datum::Bool(false),
                (Some(true), Some(true)) => Datum::Bool(true),
                _ => Datum::Unknown,
            },
            Node::Ite(c, a, b) => match self.truth(c) {
                Some(holds) => self.datum(if holds { a } else { b }),
                None => Datum::Unknown,
            },
            Node::Eq(a, b) => self.related(a, b, |a, b| a == b),
            Node::Le(a, b) => self.related(a, b, |a, b| a <= b),
            Node::SameMap(a, b) => known(same(&self.datum(a), &self.datum(b))),
            Node::Const(id) => Datum::Int(self.terms.number(id)),
            Node::Cases(id) => {
                let mut cases = self.terms.cases(id).iter();
                let case = cases.find(|&&(_, guard)| self.truth(guard) == Some(true));
                case.map_or(Datum::Unknown, |case| Datum::Int(case.0))
            }
            Node::Op(op, a, b) => self.op(op, a, b),
            Node::Wrap(bits, a) => match self.datum(a) {
                Datum::Int(value) | Datum::Low(value) => Datum::Int(bits.wrap(value)),
                _ => Datum::Unknown,
            },
            Node::Narrow(_, a) => self.datum(a),
            Node::Fill(a) => Datum::Map(Rc::new(MapDatum {
                entries: BTreeMap::new(),
                rest: self.datum(a),
            })),
            Node::Store(map, index, value) => self.store(map, index, value),
            Node::Select(map, index) => match (self.datum(map), self.int(index)) {
                (Datum::Map(map), Some(index)) => map.at(index).clone(),
                _ => Datum::Unknown,
            },
        }
    }

    fn related(&self, a: Term, b: Term, holds: impl Fn(i128, i128) -> bool) -> Datum {
        match (self.int(a), self.int(b)) {
            (Some(a), Some(b)) => Datum::Bool(holds(a, b)),
            _ => Datum::Unknown,
        }
    }

    fn op(&self, op: Op, a: Term, b: Term) -> Datum {
        let (a, b) = (self.datum(a), self.datum(b));
        if let (Some(a), Some(b)) = (a.int(), b.int())
            && let Some(exact) = apply(op, a, b)
        {
            return Datum::Int(exact);
        }
        match (a, b) {
            (Datum::Int(a) | Datum::Low(a), Datum::Int(b) | Datum::Low(b)) => {
                low(op, a, b).map_or(Datum::Unknown, Datum::Low)
            }
            _ => Datum::Unknown,
        }
    }

    fn store(&self, map: Term, index: Term, value: Term) -> Datum {
        let (Datum::Map(map), Some(index)) = (self.datum(map), self.int(index)) else {
            return Datum::Unknown;
        };
        let mut changed = (*map).clone();
        changed.entries.insert(index, self.datum(value));
        Datum::Map(Rc::new(changed))
    }
}

/// The lowest 128 bits of a result, if they depend only on the lowest 128 bits of the operands.
fn low(op: Op, a: i128, b: i128) -> Option<i128> {
    match op {
        Op::Add => Some(a.wrapping_add(b)),
        Op::Neg => Some(a.wrapping_neg()),
        Op::Mul => Some(a.wrapping_mul(b)),
        Op::BitAnd => Some(a & b),
        Op::BitOr => Some(a | b),
        Op::BitXor => Some(a ^ b),
        _ => None,
    }
}

fn known(truth: Option<bool>) -> Datum {
    truth.map_or(Datum::Unknown, Datum::Bool)
}

/// Equality of values, if it is known; entries that equal the rest do not count.
fn same(a: &Datum, b: &Datum) -> Option<bool> {
    match (a, b) {
        (Datum::Map(x), Datum::Map(y)) => {
            let keys = x.entries.keys().chain(y.entries.keys());
            let elements = keys.map(|&k| same(x.at(k), y.at(k)));
            let all: Vec<_> = elements.chain([same(&x.rest, &y.rest)]).collect();
            if all.contains(&Some(false)) {
                return Some(false);
            }
            (!all.contains(&None)).then_some(true)
        }
        (Datum::Bool(_), Datum::Bool(_)) | (Datum::Int(_), Datum::Int(_)) => Some(a == b),
        _ => None,
    }
}
