//! Keys that a worker has given not long ago. Most steps lead to states that were seen, and many of those were seen
//! just before: to know that here saves a look at a large table somewhere in memory.

use prefetch_index::prefetch_index;

/// The last key of each place. No key is 0.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// None before the first key comes: small searches need no table.
    keys: Vec<u64>,
}

/// There are `2^PLACES` places: as much as a processor keeps near.
const PLACES: u32 = 16;

/// The place of a mixed key.
fn place(key: u64) -> usize {
    usize::try_from(key >> (u64::BITS - PLACES)).unwrap_or(0)
}

impl Recent {
    /// Asks memory for the place of a mixed key.
    pub fn fetch(&self, key: u64) {
        prefetch_index(&self.keys, place(key));
    }

    /// Takes a mixed key; answers whether it may be new. If not, the same worker has given it before.
    pub fn may_be_new(&mut self, key: u64) -> bool {
        if self.keys.is_empty() {
            self.keys = vec![0; 1 << PLACES];
        }
        let place = &mut self.keys[place(key)];
        let new = *place != key;
        *place = key;
        new
    }

    /// Forgets all: keys are others from now on.
    pub fn clear(&mut self) {
        self.keys.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::store::mix;
    use super::*;

    #[test]
    fn only_what_was_given_is_known() {
        let mut recent = Recent::default();
        let mut given = std::collections::HashSet::new();
        let mut rng = fastrand::Rng::with_seed(1);
        let mut known = 0;
        for _ in 0..100_000 {
            let key = mix(1 << 60 | rng.u64(..30_000));
            let new = given.insert(key);
            let may_be_new = recent.may_be_new(key);
            assert!(may_be_new || !new);
            known += u32::from(!may_be_new);
        }
        assert!(known > 10_000);
        recent.clear();
        assert!(recent.may_be_new(mix(1 << 60)));
    }
}
