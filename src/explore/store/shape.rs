//! How rows of each length become binary trees.

/// A child of an inner node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// A leaf of the row.
    Leaf(u32),
    /// An inner node.
    Inner(u32),
}

/// A binary tree over so many leaves. Children come before their parents; the root is not among the nodes.
#[derive(Debug)]
pub(super) struct Shape {
    /// How many leaves; shorter rows are filled up with zeros.
    pub leaves: u32,
    /// The inner nodes.
    pub nodes: Vec<[Child; 2]>,
    /// The root's children, both inner nodes.
    pub root: [u32; 2],
    /// The node above each leaf.
    pub above_leaf: Vec<u32>,
    /// The node above each node; the last number is the root.
    pub above: Vec<u32>,
}

/// The shapes for all lengths, least first: a row has the first shape that it fits into.
#[derive(Debug)]
pub(super) struct Shapes {
    shapes: Vec<std::sync::OnceLock<Shape>>,
    sizes: Vec<u32>,
}

/// So many shapes can be told apart in a key.
const CLASSES: usize = 62;

impl Shapes {
    pub fn new() -> Self {
        let mut sizes = vec![4u32];
        while sizes.len() < CLASSES {
            let last = sizes[sizes.len() - 1];
            let step = if last < 16 { 2 } else { last / 4 };
            sizes.push(last.saturating_add(step));
        }
        Self {
            shapes: sizes.iter().map(|_| std::sync::OnceLock::new()).collect(),
            sizes,
        }
    }

    /// The number of the shape for a row of that length.
    pub fn class(&self, len: usize) -> usize {
        self.sizes.partition_point(|&s| (s as usize) < len)
    }

    pub fn get(&self, class: usize) -> &Shape {
        self.shapes[class].get_or_init(|| Shape::new(self.sizes[class]))
    }
}

impl Shape {
    fn new(leaves: u32) -> Self {
        let mut shape = Self {
            leaves,
            nodes: Vec::new(),
            root: [0, 0],
            above_leaf: vec![0; leaves as usize],
            above: Vec::new(),
        };
        let half = leaves.div_ceil(2);
        let root = [shape.build(0, half), shape.build(half, leaves)];
        shape.root = root.map(|child| match child {
            Child::Inner(node) => node,
            Child::Leaf(leaf) => leaf,
        });
        let count = shape.nodes.len();
        let top = u32::try_from(count).unwrap_or(u32::MAX);
        shape.above = vec![top; count];
        for (node, children) in (0u32..).zip(shape.nodes.clone()) {
            for child in children {
                match child {
                    Child::Leaf(leaf) => shape.above_leaf[leaf as usize] = node,
                    Child::Inner(inner) => shape.above[inner as usize] = node,
                }
            }
        }
        shape
    }

    fn build(&mut self, from: u32, to: u32) -> Child {
        if to - from == 1 {
            return Child::Leaf(from);
        }
        let half = from + (to - from).div_ceil(2);
        let children = [self.build(from, half), self.build(half, to)];
        self.nodes.push(children);
        Child::Inner(u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_a_shape() {
        let shapes = Shapes::new();
        for len in [0, 1, 4, 5, 16, 17, 100, 5000] {
            let shape = shapes.get(shapes.class(len));
            assert!(shape.leaves as usize >= len);
            assert_eq!(shape.nodes.len() + 2, shape.leaves as usize);
            let top = u32::try_from(shape.nodes.len()).unwrap();
            let tops = shape.above.iter().filter(|&&a| a == top);
            assert_eq!(tops.count(), 2);
        }
    }
}
