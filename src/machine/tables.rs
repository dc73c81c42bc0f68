//! What states name by number: local states, wide numbers, trees.
//!
//! Equal things get equal numbers, so states that hold equal numbers are equal.

use base::interned::Interned;

use super::code::{Blank, Keys, UNDEF};

#[derive(Debug, Default)]
pub struct Tables {
    /// Local states of tasks, from 1 on; 0 is no task.
    pub locals: Bytes,
    /// Numbers that do not fit into the code of a slot.
    pub wide: Numbers,
    pub trees: Trees,
}

impl Tables {
    /// Roughly how much memory they take.
    pub fn bytes(&self) -> u64 {
        let wide = self.wide.0.len() * 32;
        let trees = self.trees.nodes.len() * 140 + self.trees.elements.len() * 80;
        self.locals.memory() + (wide + trees) as u64
    }
}

/// Strings of bytes, numbered from 1.
#[derive(Debug)]
pub struct Bytes {
    text: Vec<u8>,
    /// By number: where the string ends in `text`. Number 0 is no string.
    ends: Vec<u64>,
    /// Open addressing: number or 0.
    index: Vec<u32>,
}

impl Default for Bytes {
    fn default() -> Self {
        Self {
            text: Vec::new(),
            ends: vec![0],
            index: vec![0; 64],
        }
    }
}

impl Bytes {
    /// The string of a number.
    pub fn get(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let at = |end: u64| usize::try_from(end).unwrap_or(usize::MAX);
        &self.text[at(self.ends[id - 1])..at(self.ends[id])]
    }

    fn memory(&self) -> u64 {
        (self.text.capacity() + self.ends.capacity() * 8 + self.index.capacity() * 4) as u64
    }

    /// The number of a string, new or known.
    pub fn intern(&mut self, bytes: &[u8]) -> u32 {
        if self.ends.len() * 2 > self.index.len() {
            self.grow();
        }
        let mut at = self.home(bytes);
        loop {
            match self.index[at] {
                0 => break,
                id if self.get(id) == bytes => return id,
                _ => at = (at + 1) & (self.index.len() - 1),
            }
        }
        let id = u32::try_from(self.ends.len()).expect("fewer local states than 2^32");
        self.text.extend_from_slice(bytes);
        self.ends.push(self.text.len() as u64);
        self.index[at] = id;
        id
    }

    fn home(&self, bytes: &[u8]) -> usize {
        use std::hash::Hasher;
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(bytes);
        let hash = hasher.finish();
        usize::try_from(hash >> 8).unwrap_or(0) & (self.index.len() - 1)
    }

    fn grow(&mut self) {
        self.index = vec![0; self.index.len() * 2];
        for id in 1..self.ends.len() {
            let id = u32::try_from(id).unwrap_or(u32::MAX);
            let mut at = self.home(self.get(id));
            while self.index[at] != 0 {
                at = (at + 1) & (self.index.len() - 1);
            }
            self.index[at] = id;
        }
    }
}

#[derive(Debug, Default)]
pub struct Numbers(Interned<i64>);

impl Numbers {
    /// The number of an id.
    pub fn get(&self, id: u32) -> i64 {
        *self.0.get(id)
    }

    /// The id of a number.
    pub fn intern(&mut self, value: i64) -> u32 {
        self.0.intern(value)
    }
}

/// The name of a tree: a total function over its keys, with sixteen children at each level. A part whose elements
/// are all equal is that element, so each function has one form. An even name is an element, an odd one a node.
pub type Tree = u32;

/// What a tree is made of.
#[derive(Clone, Debug)]
pub enum TreePart {
    Element(Box<[i64]>),
    /// Parts, one after the other; those behind the last key are 0.
    Node([Tree; 16]),
}

/// Trees and their elements.
#[derive(Debug)]
pub struct Trees {
    elements: Interned<Box<[i64]>>,
    nodes: Interned<[Tree; 16]>,
    /// For each node, whether some element has a slot without a value.
    holes: Vec<bool>,
}

impl Default for Trees {
    fn default() -> Self {
        let mut elements = Interned::default();
        // The first stands for what lies behind the last key; no other element is empty.
        elements.intern(Box::default());
        Self {
            elements,
            nodes: Interned::default(),
            holes: Vec::new(),
        }
    }
}

impl Trees {
    pub fn fill(&mut self, element: &[i64]) -> Tree {
        name(self.elements.intern_copy(element)) << 1
    }

    /// What blank slots hold.
    pub fn blank(&mut self, blank: &Blank) -> i64 {
        match blank {
            Blank::Undefined => UNDEF,
            Blank::Tree(element) => {
                let element: Vec<i64> = element.iter().map(|b| self.blank(b)).collect();
                self.fill(&element).into()
            }
        }
    }

    /// The element at a key.
    pub fn get(&self, mut tree: Tree, keys: Keys, key: i64) -> &[i64] {
        let path = keys.path(key);
        let mut depth = keys.depth;
        while tree & 1 == 1 {
            depth -= 1;
            tree = self.nodes.get(tree >> 1)[nibble(path, depth)];
        }
        self.elements.get(tree >> 1)
    }

    /// The tree with another element at a key.
    pub fn set(&mut self, tree: Tree, keys: Keys, key: i64, element: &[i64]) -> Tree {
        let leaf = self.fill(element);
        self.set_below(tree, keys.path(key), Part::all(keys), leaf)
    }

    fn set_below(&mut self, tree: Tree, path: u64, part: Part, leaf: Tree) -> Tree {
        if part.depth == 0 {
            return leaf;
        }
        let ways = part.ways();
        let mut children = if tree & 1 == 1 {
            *self.nodes.get(tree >> 1)
        } else {
            // Children behind the last key are always 0.
            let mut children = [0; 16];
            children[..ways].fill(tree);
            children
        };
        let way = nibble(path, part.depth - 1);
        children[way] = self.set_below(children[way], path, part.below(way), leaf);
        self.node(children, ways)
    }

    fn node(&mut self, children: [Tree; 16], ways: usize) -> Tree {
        let first = children[0];
        if first & 1 == 0 && children[..ways].iter().all(|&c| c == first) {
            return first;
        }
        let number = self.nodes.intern(children);
        if self.holes.len() < self.nodes.len() {
            let holes = children.iter().any(|&c| self.holes(c));
            self.holes.push(holes);
        }
        name(number) << 1 | 1
    }

    /// What a tree is made of.
    pub fn part(&self, tree: Tree) -> TreePart {
        let at = tree >> 1;
        match tree & 1 {
            0 => TreePart::Element(self.elements.get(at).clone()),
            _ => TreePart::Node(*self.nodes.get(at)),
        }
    }

    /// Makes a tree of what [`Self::part`] has returned.
    pub fn join(&mut self, part: TreePart) -> Tree {
        match part {
            TreePart::Element(element) if element.is_empty() => 0,
            TreePart::Element(element) => self.fill(&element),
            TreePart::Node(children) => self.node(children, children.len()),
        }
    }

    /// Checks whether some element has a slot without a value. Does not look into trees within elements.
    pub fn holes(&self, tree: Tree) -> bool {
        let at = (tree >> 1) as usize;
        if tree & 1 == 1 {
            self.holes[at]
        } else {
            self.elements.get(tree >> 1).contains(&UNDEF)
        }
    }

    /// Returns the element of the key with the last path. If keys have no end, most of them have this element.
    pub fn rest(&self, tree: Tree, keys: Keys) -> &[i64] {
        self.get(tree, keys, keys.key(keys.last))
    }

    /// Calls `f` for ranges of keys with one element: the first and the last path, and the element.
    pub fn parts(&self, tree: Tree, keys: Keys, f: &mut dyn FnMut(u64, u64, &[i64])) {
        self.parts_below(tree, 0, Part::all(keys), f);
    }

    fn parts_below(&self, tree: Tree, first: u64, part: Part, f: &mut dyn FnMut(u64, u64, &[i64])) {
        if tree & 1 == 0 {
            return f(first, first + part.last, self.elements.get(tree >> 1));
        }
        let children = self.nodes.get(tree >> 1);
        for (way, &child) in children.iter().enumerate().take(part.ways()) {
            let first = first | (way as u64) << (4 * (part.depth - 1));
            self.parts_below(child, first, part.below(way), f);
        }
    }
}

/// A subtree's extent: its levels, and its last path.
#[derive(Clone, Copy)]
struct Part {
    depth: u32,
    last: u64,
}

impl Part {
    fn all(keys: Keys) -> Self {
        Self {
            depth: keys.depth,
            last: keys.last,
        }
    }

    /// How many children have keys.
    fn ways(self) -> usize {
        nibble(self.last, self.depth - 1) + 1
    }

    fn below(self, way: usize) -> Self {
        let depth = self.depth - 1;
        let full = (1u64 << (4 * depth)) - 1;
        let last = if way + 1 == self.ways() {
            self.last & full
        } else {
            full
        };
        Self { depth, last }
    }
}

fn nibble(path: u64, depth: u32) -> usize {
    usize::try_from(path >> (4 * depth) & 15).unwrap_or(0)
}

fn name(number: u32) -> u32 {
    Some(number)
        .filter(|&n| n < 1 << 31)
        .expect("fewer trees than 2^31")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_one_number() {
        let mut b = Bytes::default();
        let ids: Vec<u32> = (0..500u32).map(|i| b.intern(&i.to_le_bytes())).collect();
        assert_eq!(ids[0], 1);
        for (i, &id) in (0u32..).zip(&ids) {
            assert_eq!(b.intern(&i.to_le_bytes()), id);
            assert_eq!(b.get(id), i.to_le_bytes());
        }
    }

    #[test]
    fn trees_are_total_functions_in_one_form() {
        let keys = Keys::WIDE;
        let mut t = Trees::default();
        let zero = t.fill(&[0]);
        let a = t.set(zero, keys, -7, &[1]);
        let a = t.set(a, keys, 1 << 40, &[2]);
        let b = t.set(zero, keys, 1 << 40, &[2]);
        let b = t.set(b, keys, -7, &[1]);
        assert_eq!(a, b);
        assert_eq!(t.get(a, keys, -7), &[1]);
        assert_eq!(t.get(a, keys, 7), &[0]);
        assert_eq!(t.get(a, keys, 1 << 40), &[2]);
        let a = t.set(a, keys, -7, &[0]);
        assert_eq!(t.set(a, keys, 1 << 40, &[0]), zero);
    }

    #[test]
    fn what_has_no_key_makes_no_difference() {
        let keys = Keys::finite(3, 21);
        let mut t = Trees::default();
        let (zero, one) = (t.fill(&[0]), t.fill(&[1]));
        let all = (3..24).fold(zero, |tree, key| t.set(tree, keys, key, &[1]));
        assert_eq!(all, one);
        let but_one = t.set(one, keys, 23, &[5]);
        let mut parts = Vec::new();
        t.parts(but_one, keys, &mut |a, b, e| parts.push((a, b, e[0])));
        let expected = (16..20).map(|i| (i, i, 1)).chain([(20, 20, 5)]);
        assert_eq!(
            parts,
            [(0, 15, 1)].into_iter().chain(expected).collect::<Vec<_>>()
        );
    }
}
