//! Rows into keys and back.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use super::pairs::{BITS, Full, Pairs, Spare};
use super::roots::Roots;
use super::shape::{Child, Shape, Shapes};

/// The exact store: equal keys are equal states.
#[derive(Debug)]
pub(crate) struct Exact {
    shapes: Shapes,
    pairs: RwLock<Pairs>,
    /// The keys of the states seen.
    pub roots: Roots,
    /// The least length of a row.
    least: usize,
}

/// What a worker needs to fold: the nodes of the row at hand.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    spare: Spare,
    /// The shape of the row at hand, and the numbers of its nodes.
    class: usize,
    ids: Vec<u32>,
    /// The numbers of the nodes of another row.
    other: Vec<u32>,
    /// Nodes to be numbered anew, as bits.
    dirty: Vec<u64>,
}

impl Exact {
    /// An empty store of rows that have at least that length and, beyond it, do not end with 0.
    pub fn new(least: usize) -> Self {
        Self {
            shapes: Shapes::new(),
            pairs: RwLock::new(Pairs::new()),
            roots: Roots::new(),
            least,
        }
    }

    /// How many bytes the store takes.
    pub fn bytes(&self) -> u64 {
        self.read().bytes() + self.roots.bytes()
    }

    fn read(&self) -> RwLockReadGuard<'_, Pairs> {
        self.pairs.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no more states can be numbered.
    pub fn exhausted(&self) -> bool {
        self.read().exhausted()
    }

    /// The row of a key, which is then the row at hand.
    pub fn load(&self, key: u64, row: &mut Vec<u32>, fold: &mut Fold) {
        let pairs = self.read();
        let (class, left, right) = split(key);
        let shape = self.shapes.get(class);
        fold.class = class;
        fold.ids.clear();
        fold.ids.resize(shape.nodes.len(), 0);
        fold.ids[shape.root[0] as usize] = left;
        fold.ids[shape.root[1] as usize] = right;
        row.clear();
        row.resize(shape.leaves as usize, 0);
        for (node, children) in shape.nodes.iter().enumerate().rev() {
            let pair = pairs.get(fold.ids[node]);
            for (child, value) in children.iter().zip([(pair >> 32) as u32, low(pair)]) {
                match child {
                    Child::Leaf(leaf) => row[*leaf as usize] = value,
                    Child::Inner(inner) => fold.ids[*inner as usize] = value,
                }
            }
        }
        while row.len() > self.least && row.last() == Some(&0) {
            row.pop();
        }
    }

    /// The key of a row. `changed` are the leaves in which it differs from the row at hand, if that is known.
    pub fn key(&self, row: &[u32], changed: Option<&[u32]>, fold: &mut Fold) -> u64 {
        loop {
            let pairs = self.read();
            match self.try_key(&pairs, row, changed, fold) {
                Ok(key) => return key,
                Err(Full) => {
                    drop(pairs);
                    let mut pairs = self.pairs.write().unwrap_or_else(PoisonError::into_inner);
                    // Somebody else may have been here before.
                    if let Err(Full) = self.try_key(&pairs, row, changed, fold) {
                        pairs.grow();
                    }
                }
            }
        }
    }

    fn try_key(
        &self,
        pairs: &Pairs,
        row: &[u32],
        changed: Option<&[u32]>,
        fold: &mut Fold,
    ) -> Result<u64, Full> {
        let class = self.shapes.class(row.len());
        let shape = self.shapes.get(class);
        fold.mark(shape, changed.filter(|_| class == fold.class));
        let Fold {
            other,
            dirty,
            spare,
            ..
        } = fold;
        for (word, bits) in dirty.iter_mut().enumerate() {
            while *bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                let [a, b] = shape.nodes[node].map(|child| match child {
                    Child::Leaf(leaf) => row.get(leaf as usize).copied().unwrap_or(0),
                    Child::Inner(inner) => other[inner as usize],
                });
                other[node] = pairs.intern(u64::from(a) << 32 | u64::from(b), spare)?;
            }
        }
        let [left, right] = shape.root.map(|node| u64::from(other[node as usize]));
        Ok((class as u64 + 1) << (2 * BITS) | left << BITS | right)
    }
}

impl Fold {
    /// Marks the nodes above the changed leaves; without them, all.
    fn mark(&mut self, shape: &Shape, changed: Option<&[u32]>) {
        let count = shape.nodes.len();
        self.dirty.clear();
        let Some(changed) = changed else {
            self.other.clear();
            self.other.resize(count, 0);
            self.dirty.resize(count.div_ceil(64), u64::MAX);
            if !count.is_multiple_of(64)
                && let Some(last) = self.dirty.last_mut()
            {
                *last = (1 << (count % 64)) - 1;
            }
            return;
        };
        self.other.clone_from(&self.ids);
        self.dirty.resize(count.div_ceil(64), 0);
        for &leaf in changed {
            let mut node = shape.above_leaf[leaf as usize] as usize;
            while node < count {
                let (word, bit) = (&mut self.dirty[node / 64], 1 << (node % 64));
                if *word & bit != 0 {
                    break;
                }
                *word |= bit;
                node = shape.above[node] as usize;
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half")]
fn low(pair: u64) -> u32 {
    pair as u32
}

fn split(key: u64) -> (usize, u32, u32) {
    let mask = (1 << BITS) - 1;
    let class = usize::try_from(key >> (2 * BITS)).unwrap_or(0);
    (
        class.saturating_sub(1),
        low(key >> BITS & mask),
        low(key & mask),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let store = Exact::new(2);
        let mut fold = Fold::default();
        let rows: [&[u32]; 6] = [
            &[0, 0],
            &[1, 0],
            &[1, 0, 5],
            &[1, 2, 3, 4, 5, 6, 7],
            &[0; 39],
            &[7, 7, 7, 7],
        ];
        let trimmed = |row: &[u32]| {
            let mut row = row.to_vec();
            while row.len() > 2 && row.last() == Some(&0) {
                row.pop();
            }
            row
        };
        let keys = rows.map(|row| store.key(&trimmed(row), None, &mut fold));
        for (row, key) in rows.iter().zip(keys) {
            let mut back = Vec::new();
            store.load(key, &mut back, &mut fold);
            assert_eq!(back, trimmed(row));
            assert_eq!(store.key(&back, Some(&[]), &mut fold), key);
        }
        assert_eq!(keys[0], keys[4]);
    }

    #[test]
    fn a_change_gives_the_key_of_the_changed_row() {
        let store = Exact::new(1);
        let mut fold = Fold::default();
        let mut row: Vec<u32> = (1..=11).collect();
        for i in 0..11u32 {
            let key = store.key(&row, None, &mut fold);
            store.load(key, &mut row, &mut fold);
            row[i as usize] += 100;
            row[5] += 1;
            let quick = store.key(&row, Some(&[i, 5]), &mut fold);
            assert_eq!(quick, store.key(&row, None, &mut fold));
            assert_ne!(quick, key);
        }
    }
}
