//! How rows of pieces become binary trees.

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    Leaf(u32),
    Inner(u32),
}

/// A binary tree over so many pieces. Children come before their parents; the root is not among the nodes.
#[derive(Debug)]
pub(super) struct Shape {
    /// How many pieces, at least two: a single one has a zero beside it.
    pub leaves: u32,
    pub nodes: Vec<[Child; 2]>,
    pub root: [Child; 2],
    /// By piece: the node above it. A number one behind the last node means the root.
    pub above_leaf: Vec<u32>,
    /// By node: the node above it, in the same way.
    pub above: Vec<u32>,
}

impl Shape {
    /// The tree over so many pieces.
    pub fn new(pieces: u32) -> Self {
        let leaves = pieces.max(2);
        let mut shape = Self {
            leaves,
            nodes: Vec::new(),
            root: [Child::Leaf(0); 2],
            above_leaf: Vec::new(),
            above: Vec::new(),
        };
        let half = leaves.div_ceil(2);
        shape.root = [shape.build(0, half), shape.build(half, leaves)];
        let count = shape.nodes.len();
        let top = u32::try_from(count).unwrap_or(u32::MAX);
        shape.above = vec![top; count];
        shape.above_leaf = vec![top; leaves as usize];
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
    fn a_tree_has_two_nodes_less_than_leaves() {
        for pieces in [1, 2, 3, 4, 17, 500] {
            let shape = Shape::new(pieces);
            assert_eq!(shape.nodes.len() + 2, shape.leaves as usize);
            let top = u32::try_from(shape.nodes.len()).unwrap();
            let tops = shape.above.iter().chain(&shape.above_leaf);
            assert_eq!(tops.filter(|&&a| a == top).count(), 2);
        }
    }
}
