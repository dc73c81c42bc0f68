//! How many bits each integer takes.
//!
//! `int` is exact, and a solver is many times faster on bit-vectors than on integers. A term's
//! interval (see [`crate::term::Interval`]) bounds its values in every execution, so a width
//! that holds the interval makes two's complement exact. Terms that are computed with each other or compared
//! with each other form a class with one encoding: bit-vectors of one width, or, where a bound is
//! missing that [matters](super::small), integers. Classes touch only through conditions, so one unbounded
//! variable does not slow the rest of the program down.
//!
//! Not every term of a class must fit. Sums, products, choices and wrapping are right modulo two to the power of the width
//! whatever their operands are; what must fit is what is *looked at*: operands of comparisons,
//! quotients and shifts, indices, stored values. The rest may overflow and come back.

use crate::term::{Interval, Node, Op, Sort, Term, Terms};

use super::small;

/// The encoding of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    Int,
    Bits {
        width: u32,
        /// Two's complement; otherwise no value that is looked at is negative.
        signed: bool,
    },
}

/// The encodings of all terms that some roots need.
#[derive(Debug)]
pub struct Plan {
    /// The first slot of each term that is needed.
    base: Vec<u32>,
    parent: Vec<u32>,
    hull: Vec<Option<Interval>>,
    forced: Vec<bool>,
    /// How many bits the variables of a class have, where that is less than the class has.
    small: Vec<Option<u32>>,
    /// The width within which a class [is tried](super::trial).
    tried: Vec<Option<u32>>,
}

const UNNEEDED: u32 = u32::MAX;

impl Plan {
    /// Plans the encodings of the terms that these roots need.
    #[must_use]
    pub fn new(terms: &Terms, roots: &[Term]) -> Self {
        let mut plan = Self {
            base: vec![UNNEEDED; terms.len()],
            parent: Vec::new(),
            hull: Vec::new(),
            forced: Vec::new(),
            small: Vec::new(),
            tried: Vec::new(),
        };
        plan.reach(terms, roots);
        let needed: Vec<_> = (0..terms.len())
            .filter(|&i| plan.base[i] != UNNEEDED)
            .map(|i| terms.at(i))
            .collect();
        for &term in &needed {
            plan.unite_operands(terms, term);
        }
        plan.flatten();
        plan.look(terms, roots, &needed);
        plan.look_no_further(terms, roots, &needed);
        plan
    }

    /// Gives bounds to the classes in which a missing bound does not matter.
    fn look_no_further(&mut self, terms: &Terms, roots: &[Term], needed: &[Term]) {
        self.small = vec![None; self.slots()];
        self.tried = vec![None; self.slots()];
        if !(0..self.slots()).any(|class| self.is_unbounded(class)) {
            return;
        }
        for (class, small) in small::classes(self, terms, roots, needed)
            .iter()
            .enumerate()
        {
            if let Some(small) = small
                && self.is_unbounded(class)
            {
                self.hull[class] = Some(small.terms);
                self.small[class] = Some(small.width);
            }
        }
    }

    /// Whether a bound is missing in a class of which something is looked at.
    pub(super) fn is_unbounded(&self, class: usize) -> bool {
        let hull = self.hull[class];
        !self.forced[class] && hull.is_some_and(|hull| hull.signed_width().is_none())
    }

    /// Tries some classes within a width.
    pub(super) fn try_within(&mut self, classes: &[bool], width: u32) {
        for (tried, _) in self.tried.iter_mut().zip(classes).filter(|c| *c.1) {
            *tried = Some(width);
        }
    }

    /// The class of an integer, if it is being tried.
    pub(super) fn tried(&self, term: Term) -> Option<usize> {
        let class = self.class(term);
        self.tried[class].map(|_| class)
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        self.parent.len()
    }

    /// The class of an integer that is needed.
    pub(super) fn class(&self, term: Term) -> usize {
        self.find(self.base[term.index()]) as usize
    }

    /// The classes of a map that is needed: of its elements and its indices.
    pub(super) fn slots_of(&self, map: Term, depth: u8) -> impl Iterator<Item = usize> {
        let first = self.base[map.index()];
        (first..=first + u32::from(depth)).map(|slot| self.find(slot) as usize)
    }

    /// How many bits a variable has, where that is less than its encoding has.
    #[must_use]
    pub fn own_width(&self, term: Term) -> Option<u32> {
        self.small[self.class(term)]
    }

    /// Whether a term is needed.
    #[must_use]
    pub fn needs(&self, term: Term) -> bool {
        self.base[term.index()] != UNNEEDED
    }

    /// Whether everything that is needed is a truth value or a bit-vector.
    #[must_use]
    pub fn is_finite(&self, terms: &Terms) -> bool {
        let needed = (0..terms.len())
            .map(|i| terms.at(i))
            .filter(|&t| self.needs(t));
        needed.into_iter().all(|t| match terms.sort(t) {
            Sort::Bool => true,
            Sort::Int => {
                matches!(terms.get(t), Node::Const(_) | Node::Cases(_))
                    || self.encoding(t) != Encoding::Int
            }
            Sort::Map { .. } => false,
        })
    }

    /// The encoding of an integer, or of a map's elements.
    #[must_use]
    pub fn encoding(&self, term: Term) -> Encoding {
        self.of_class(self.find(self.base[term.index()]))
    }

    /// The encoding of a map's indices, from the first (1) inwards.
    #[must_use]
    pub fn index(&self, map: Term, dimension: u32) -> Encoding {
        self.of_class(self.find(self.base[map.index()] + dimension))
    }

    fn of_class(&self, class: u32) -> Encoding {
        let class = class as usize;
        if let Some(width) = self.tried[class] {
            let signed = true;
            return Encoding::Bits { width, signed };
        }
        let hull = self.hull[class].unwrap_or(Interval::point(0));
        let (Some(width), Some((lo, _))) = (hull.signed_width(), hull.bounds()) else {
            return Encoding::Int;
        };
        if self.forced[class] {
            return Encoding::Int;
        }
        let signed = lo < 0;
        Encoding::Bits {
            width: if signed { width } else { (width - 1).max(1) },
            signed,
        }
    }

    /// The class of a slot, when classes are complete.
    fn find(&self, slot: u32) -> u32 {
        self.parent[slot as usize]
    }

    /// The class of a slot so far. Halves the path to it, so that chains stay short.
    fn root(&mut self, mut slot: u32) -> u32 {
        loop {
            let parent = self.parent[slot as usize];
            let above = self.parent[parent as usize];
            if above == parent {
                return parent;
            }
            self.parent[slot as usize] = above;
            slot = above;
        }
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (old, young) = if a <= b { (a, b) } else { (b, a) };
        self.parent[young as usize] = old;
    }

    /// Links each slot to its class directly. A parent is older than its slot, so its class is known.
    fn flatten(&mut self) {
        for slot in 0..self.parent.len() {
            self.parent[slot] = self.parent[self.parent[slot] as usize];
        }
    }

    fn reach(&mut self, terms: &Terms, roots: &[Term]) {
        let mut open: Vec<Term> = roots.to_vec();
        while let Some(term) = open.pop() {
            if self.needs(term) {
                continue;
            }
            let slots = match terms.sort(term) {
                Sort::Map { depth, .. } => u32::from(depth) + 1,
                _ => 1,
            };
            let first = u32::try_from(self.parent.len()).expect("fewer slots than 2^32");
            self.base[term.index()] = first;
            self.parent.extend(first..first + slots);
            terms.operands(term, |o| open.push(o));
        }
        self.hull = vec![None; self.parent.len()];
        self.forced = vec![false; self.parent.len()];
    }

    /// Unites the classes of two integers, or maps, that are computed with each other.
    fn together(&mut self, terms: &Terms, a: Term, b: Term) {
        if free(terms, a) || free(terms, b) {
            return;
        }
        let slots = match terms.sort(a) {
            Sort::Map { depth, .. } => u32::from(depth) + 1,
            Sort::Int => 1,
            Sort::Bool => return,
        };
        for slot in 0..slots {
            self.unite(self.base[a.index()] + slot, self.base[b.index()] + slot);
        }
    }

    /// Unites the class of an index with that of a map's indices.
    fn indexes(&mut self, terms: &Terms, map: Term, index: Term) {
        if !free(terms, index) {
            self.unite(self.base[map.index()] + 1, self.base[index.index()]);
        }
    }

    /// Unites the classes of an element with those of a map's elements.
    fn element(&mut self, terms: &Terms, map: Term, element: Term) {
        let (outer, inner) = (self.base[map.index()], self.base[element.index()]);
        match terms.sort(element) {
            Sort::Bool => {}
            Sort::Int if free(terms, element) => {}
            Sort::Int => self.unite(outer, inner),
            Sort::Map { depth, .. } => {
                self.unite(outer, inner);
                (1..=u32::from(depth)).for_each(|d| self.unite(outer + d + 1, inner + d));
            }
        }
    }

    fn unite_operands(&mut self, terms: &Terms, term: Term) {
        match terms.get(term) {
            Node::True | Node::Var(_) | Node::And(..) | Node::Const(_) | Node::Cases(_) => {}
            Node::Ite(_, a, b) => {
                self.together(terms, term, a);
                self.together(terms, term, b);
            }
            Node::Eq(a, b) | Node::Le(a, b) => self.together(terms, a, b),
            Node::SameMap(a, b) => {
                self.together(terms, a, b);
                self.force_indices(terms, a);
            }
            Node::Op(_, a, b) => {
                self.together(terms, term, a);
                self.together(terms, term, b);
            }
            Node::Wrap(_, a) | Node::Narrow(_, a) => self.together(terms, term, a),
            Node::Fill(a) => self.element(terms, term, a),
            Node::Store(map, index, value) => {
                self.together(terms, term, map);
                self.indexes(terms, map, index);
                self.element(terms, map, value);
            }
            Node::Select(map, index) => {
                self.indexes(terms, map, index);
                self.element(terms, map, term);
            }
        }
    }

    /// Maps that differ may differ at an index that nothing else mentions, so indices must not be bounded.
    fn force_indices(&mut self, terms: &Terms, map: Term) {
        if let Sort::Map { depth, .. } = terms.sort(map) {
            for d in 1..=u32::from(depth) {
                let slot = self.base[map.index()] + d;
                self.forced[slot as usize] = true;
            }
        }
    }

    /// Finds what is looked at, and widens its classes to hold it.
    fn look(&mut self, terms: &Terms, roots: &[Term], needed: &[Term]) {
        for &root in roots {
            self.exact(terms, root, root);
        }
        for &term in needed {
            match terms.get(term) {
                // A variable's own bounds are looked at.
                Node::Var(_) if terms.interval(term).bounds().is_some() => {
                    self.exact(terms, term, term);
                }
                Node::Eq(a, b) | Node::Le(a, b) => {
                    self.exact(terms, a, if free(terms, a) { b } else { a });
                    self.exact(terms, b, if free(terms, a) { b } else { a });
                }
                Node::Op(Op::Div | Op::Rem | Op::TruncDiv | Op::TruncRem | Op::Shr, a, b) => {
                    self.exact(terms, a, term);
                    self.exact(terms, b, term);
                }
                Node::Op(Op::Shl, _, b) => self.exact(terms, b, term),
                Node::Fill(a) => self.exact(terms, a, term),
                Node::Store(map, index, value) => {
                    self.exact_index(terms, map, index);
                    self.exact(terms, value, map);
                }
                Node::Select(map, index) => {
                    self.exact_index(terms, map, index);
                    self.exact(terms, term, map);
                }
                _ => {}
            }
        }
        // A class is forced if one of its slots is.
        for slot in 0..self.parent.len() {
            let class = self.find(u32::try_from(slot).expect("fewer slots than 2^32")) as usize;
            self.forced[class] |= self.forced[slot];
        }
    }

    /// Notes that an integer is looked at in the class of another term.
    fn exact(&mut self, terms: &Terms, term: Term, class: Term) {
        if terms.sort(term) == Sort::Int
            && !(free(terms, term) && free(terms, class) && term != class)
        {
            self.widen(self.base[class.index()], terms.interval(term));
        }
    }

    fn exact_index(&mut self, terms: &Terms, map: Term, index: Term) {
        self.widen(self.base[map.index()] + 1, terms.interval(index));
    }

    fn widen(&mut self, slot: u32, interval: Interval) {
        let class = self.find(slot) as usize;
        self.hull[class] = Some(self.hull[class].map_or(interval, |hull| hull.hull(interval)));
    }
}

/// Numbers, and choices between numbers, have no encoding of their own: they take that of what they meet.
pub fn free(terms: &Terms, term: Term) -> bool {
    matches!(terms.get(term), Node::Const(_) | Node::Cases(_))
}
