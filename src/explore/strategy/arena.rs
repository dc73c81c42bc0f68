//! The states that are still to be expanded, and those that lead to them.
//!
//! An entry stands behind the one that it came from. New ones are written one after the other, so that those of a batch lie
//! together, and nobody tells the arena what has been expanded: when it has grown by half, it asks which entries are still to
//! be expanded, keeps these with all that leads to them, and moves them together. So it holds little more than a search's
//! stack or queue does, and is read and written in order.

use crate::memory::push_slowly;

use super::ranks::Ranks;

/// Which entry.
pub(super) type Id = u32;

/// No entry.
pub(super) const NONE: Id = Id::MAX;

/// So few entries are not worth looking through.
const FEW: usize = 1 << 12;

/// The entries.
#[derive(Debug, Default)]
pub(super) struct Arena {
    keys: Vec<u64>,
    /// The entry before each, which has a lower number.
    before: Vec<Id>,
    /// How many were kept the last time.
    kept: usize,
}

impl Arena {
    /// A new entry behind another one.
    pub fn add(&mut self, key: u64, before: Id) -> Id {
        push_slowly(&mut self.keys, key);
        push_slowly(&mut self.before, before);
        Self::id(self.keys.len()) - 1
    }

    fn id(number: usize) -> Id {
        Id::try_from(number).expect("memory ends before 2^32 entries")
    }

    /// Whether there are so many more entries than last time that it is worth asking which ones are needed.
    pub fn is_large(&self) -> bool {
        self.keys.len() > FEW + self.kept + self.kept / 2
    }

    /// Drops all but some entries and what leads to them. Each that is kept is called by its rank among them from now on.
    pub fn keep(&mut self, needed: impl Iterator<Item = Id>) -> Ranks {
        let mut kept = Ranks::default();
        kept.clear(self.keys.len());
        needed.for_each(|id| kept.add(id));
        let ids = 0..Self::id(self.keys.len());
        for (id, &before) in ids.zip(&self.before).rev() {
            if before != NONE && kept.has(id) {
                kept.add(before);
            }
        }
        self.kept = kept.count();
        for (new, old) in kept.each().enumerate() {
            let old = old as usize;
            self.keys[new] = self.keys[old];
            self.before[new] = match self.before[old] {
                NONE => NONE,
                before => kept.rank(before),
            };
        }
        self.keys.truncate(self.kept);
        self.before.truncate(self.kept);
        kept
    }

    pub fn key(&self, id: Id) -> u64 {
        self.keys[id as usize]
    }

    /// Other keys for the same states.
    pub fn rekey(&mut self, mut new: impl FnMut(u64) -> u64) {
        self.keys.iter_mut().for_each(|key| *key = new(*key));
    }

    /// The entries from the first to this one.
    pub fn trail(&self, mut id: Id) -> Vec<Id> {
        let mut ids = Vec::new();
        while id != NONE {
            ids.push(id);
            id = self.before[id as usize];
        }
        ids.reverse();
        ids
    }

    pub fn bytes(&self) -> u64 {
        (self.keys.capacity() * size_of::<u64>() + self.before.capacity() * size_of::<Id>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_nowhere_is_dropped() {
        let mut arena = Arena::default();
        let root = arena.add(1, NONE);
        let (a, b) = (arena.add(2, root), arena.add(3, root));
        let (c, d) = (arena.add(4, a), arena.add(5, b));
        let e = arena.add(6, b);
        let kept = arena.keep([e].into_iter());
        assert_eq!(kept.each().collect::<Vec<_>>(), [root, b, e]);
        assert!(!kept.has(a) && !kept.has(c) && !kept.has(d));
        let e = kept.rank(e);
        let keys = |arena: &Arena, id| -> Vec<u64> {
            let trail = arena.trail(id).into_iter();
            trail.map(|id| arena.key(id)).collect()
        };
        assert_eq!(keys(&arena, e), [1, 3, 6]);
        let f = arena.add(7, e);
        assert_eq!(keys(&arena, f), [1, 3, 6, 7]);
    }

    #[test]
    fn trails_stay_what_they_are() {
        let mut arena = Arena::default();
        let mut rng = fastrand::Rng::with_seed(11);
        // Ids, each with the keys that lead there.
        let mut open: Vec<(Id, Vec<u64>)> = vec![(arena.add(0, NONE), vec![0])];
        for key in 1..40_000u64 {
            let (before, mut keys) = open.swap_remove(rng.usize(..open.len()));
            for key in [key, key << 32] {
                keys.push(key);
                open.push((arena.add(key, before), keys.clone()));
                keys.pop();
            }
            if open.len() > 300 {
                open.truncate(rng.usize(1..300));
            }
            if arena.is_large() {
                let kept = arena.keep(open.iter().map(|open| open.0));
                open.iter_mut().for_each(|open| open.0 = kept.rank(open.0));
                assert!(!arena.is_large());
            }
        }
        for (id, keys) in &open {
            let trail = arena.trail(*id).into_iter();
            assert!(trail.map(|id| arena.key(id)).eq(keys.iter().copied()));
        }
    }
}
