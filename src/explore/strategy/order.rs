//! What is new in a batch, back in its order: it was found share by share.
//!
//! Each state has a place among those that its piece gave. Its place among the new ones is how many of these come before it: it is
//! counted and not looked for, so that it does not matter how many shares there are.

use super::arena::Entry;
use super::ranks::Ranks;
use super::worker::{Next, Todo};

/// What is new in a share: the states of one piece after the other, each in order.
#[derive(Debug, Default)]
pub(super) struct New {
    all: Vec<Next>,
    ends: Vec<usize>,
}

impl New {
    /// The next one of a piece.
    pub fn push(&mut self, next: Next) {
        self.all.push(next);
    }

    /// The piece has no more.
    pub fn end_piece(&mut self) {
        self.ends.push(self.all.len());
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    /// Those of a piece.
    pub fn piece(&self, number: usize) -> &[Next] {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[begin..self.ends[number]]
    }
}

/// What is new in a piece, in order.
#[derive(Debug, Default)]
pub(super) struct InOrder {
    ranks: Ranks,
    all: Vec<Entry>,
}

impl InOrder {
    /// Takes it from lists that are in order, each without what is in the others. The piece gave so many states, from
    /// states of the batch.
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
