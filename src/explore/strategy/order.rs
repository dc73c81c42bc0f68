//! Puts the new states of a batch back in order: they were found share by share.
//!
//! Each state has a place among those that its piece gave. Its place among the new states is the number of new states before it.
//! This place is counted, not searched for, so it does not matter how many shares there are.

use super::arena::Entry;
use super::ranks::Ranks;
use super::worker::{Next, Todo};

/// The new states of a share: those of one piece after the other, each in order.
#[derive(Debug, Default)]
pub(super) struct New {
    all: Vec<Next>,
    ends: Vec<usize>,
}

impl New {
    /// Adds the next state of a piece.
    pub fn push(&mut self, next: Next) {
        self.all.push(next);
    }

    /// Ends a piece.
    pub fn end_piece(&mut self) {
        self.ends.push(self.all.len());
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    /// The new states of a piece.
    pub fn piece(&self, number: usize) -> &[Next] {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[begin..self.ends[number]]
    }
}

/// The new states of a piece, in order.
#[derive(Debug, Default)]
pub(super) struct InOrder {
    ranks: Ranks,
    all: Vec<Entry>,
}

impl InOrder {
    /// Merges lists that are in order and have no state in common. The piece gave `states` states, which come from states of the
    /// batch.
    pub fn put_together<'n>(
        &mut self,
        states: u32,
        lists: impl Iterator<Item = &'n [Next]> + Clone,
        batch: &[Todo],
    ) {
        self.ranks.clear(states as usize);
        let each = || lists.clone().flatten();
        each().for_each(|next| self.ranks.add(next.order));
        self.all.resize(self.ranks.count(), Entry::default());
        for &next in each() {
            self.all[self.ranks.rank(next.order) as usize] = next.entry(batch);
        }
    }

    pub fn all(&self) -> &[Entry] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::store::mix;

    #[test]
    fn what_is_new_is_put_in_order() {
        let next = |order| Next {
            order,
            mixed: mix(order.into()),
            ..Next::default()
        };
        let mut rng = fastrand::Rng::with_seed(2);
        let mut in_order = InOrder::default();
        for states in [0, 1, 100, 1000] {
            let mut lists = [const { Vec::new() }; 3];
            let found: Vec<u32> = (0..states).filter(|_| rng.bool()).collect();
            for &order in &found {
                lists[rng.usize(..3)].push(next(order));
            }
            in_order.put_together(states, lists.iter().map(Vec::as_slice), &[]);
            assert!(
                in_order
                    .all()
                    .iter()
                    .map(|entry| entry.key)
                    .eq(found.into_iter().map(u64::from))
            );
        }
    }
}
