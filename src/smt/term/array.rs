//! Maps: stores, selections, choices between them.

use std::collections::BTreeMap;

use super::{Node, Sort, Term, Terms};

/// How many stores a selection looks through.
const LONGEST_WALK: usize = 4096;

impl Terms {
    /// Makes a map with this element everywhere.
    pub fn fill(&mut self, value: Term) -> Term {
        let sort = self.sort(value).map_to();
        self.node(Node::Fill(value), sort, self.interval(value))
    }

    /// Makes a map that differs from another one in one element.
    pub fn store(&mut self, map: Term, index: Term, value: Term) -> Term {
        match self.get(map) {
            // The last store to a place counts.
            Node::Store(below, i, _) if i == index => return self.store(below, index, value),
            Node::Fill(everywhere) if everywhere == value => return map,
            _ => {}
        }
        if matches!(self.get(value), Node::Select(m, i) if m == map && i == index)
            && !value.negated()
        {
            return map;
        }
        let interval = self.interval(map).hull(self.interval(value));
        self.node(Node::Store(map, index, value), self.sort(map), interval)
    }

    /// An element of a map.
    pub fn select(&mut self, map: Term, index: Term) -> Term {
        let mut map = map;
        for _ in 0..LONGEST_WALK {
            match self.get(map) {
                Node::Fill(value) => return value,
                Node::Store(below, i, value) => match self.eq(i, index) {
                    Term::TRUE => return value,
                    Term::FALSE => map = below,
                    _ => break,
                },
                _ => break,
            }
        }
        let element = self.sort(map).element();
        self.node(Node::Select(map, index), element, self.interval(map))
    }

    pub(super) fn ite_map(&mut self, c: Term, a: Term, b: Term) -> Term {
        // c ? store(b, i, v) : b is store(b, i, c ? v : b[i]): chains stay chains.
        if let Node::Store(below, i, v) = self.get(a)
            && below == b
        {
            let old = self.select(b, i);
            let value = self.ite(c, v, old);
            return self.store(b, i, value);
        }
        if let Node::Store(below, i, v) = self.get(b)
            && below == a
        {
            let old = self.select(a, i);
            let value = self.ite(c, old, v);
            return self.store(a, i, value);
        }
        let interval = self.interval(a).hull(self.interval(b));
        self.node(Node::Ite(c, a, b), self.sort(a), interval)
    }

    /// Sorts the last stores of a map by index, as far down as the indices are numbers.
    pub fn in_order(&mut self, map: Term) -> Term {
        let (mut base, mut elements) = (map, BTreeMap::new());
        while let Node::Store(below, index, value) = self.get(base)
            && let Some(index) = self.as_const(index)
        {
            elements.entry(index).or_insert(value);
            base = below;
        }
        if let Node::Fill(everywhere) = self.get(base) {
            elements.retain(|_, value| *value != everywhere);
        }
        let mut ordered = base;
        for (index, value) in elements {
            let value = match self.sort(value) {
                Sort::Map { .. } => self.in_order(value),
                _ => value,
            };
            let index = self.int(index);
            ordered = self.store(ordered, index, value);
        }
        ordered
    }

    /// Makes the condition that two maps have equal elements everywhere.
    pub fn same_map(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (self.get(a), self.get(b)) {
            _ if a == b => Term::TRUE,
            (Node::Fill(x), Node::Fill(y)) => self.same(x, y),
            _ => self.node(Node::SameMap(a, b), Sort::Bool, super::Interval::ALL),
        }
    }

    /// Makes the condition that two terms of one sort are equal.
    pub fn same(&mut self, a: Term, b: Term) -> Term {
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int => self.eq(a, b),
            Sort::Map { .. } => self.same_map(a, b),
        }
    }
}
