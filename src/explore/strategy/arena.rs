//! The states that are still to be expanded, and those that lead to them.
//!
//! An entry is kept as long as something below it is to be expanded: what leads
//! to a state that is being expanded can always be read off, and the arena holds
//! no more than a search's stack or queue does. Entries lie wherever there was room, so each look at one may be a cache miss:
//! there is one when a state is new, and one when it has been expanded.

use std::hint::black_box;

/// Which entry.
pub(super) type Id = u32;

/// No entry.
pub(super) const NONE: Id = Id::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    before: Id,
    /// Entries that lead on from here; one while it is not expanded.
    alive: u32,
}

/// The entries.
#[derive(Debug, Default)]
pub(super) struct Arena {
    entries: Vec<Entry>,
    free: Vec<Id>,
}

impl Arena {
    /// A new entry behind another one, which is told of it when it is [expanded](Self::expanded).
    pub fn add(&mut self, key: u64, before: Id) -> Id {
        let entry = Entry {
            key,
            before,
            alive: 1,
        };
        if let Some(id) = self.free.pop() {
            self.entries[id as usize] = entry;
            return id;
        }
        self.entries.push(entry);
        u32::try_from(self.entries.len() - 1).expect("memory ends before 2^32 entries")
    }

    /// An entry was expanded, and so many new ones lead on from it. Gives back what nothing leads on from.
    pub fn expanded(&mut self, id: Id, new: u32) {
        let entry = &mut self.entries[id as usize];
        entry.alive = new;
        let mut dead = (new == 0).then_some((id, entry.before));
        while let Some((id, before)) = dead {
            self.free.push(id);
            let Some(entry) = self.entries.get_mut(before as usize) else {
                return;
            };
            entry.alive -= 1;
            dead = (entry.alive == 0).then_some((before, entry.before));
        }
    }

    /// Looks at some entries: fetches that do not wait for each other.
    pub fn touch(&self, ids: impl Iterator<Item = Id>) {
        black_box(ids.fold(0, |all, id| all ^ self.entries[id as usize].alive));
    }

    pub fn key(&self, id: Id) -> u64 {
        self.entries[id as usize].key
    }

    /// Other keys for the same states.
    pub fn rekey(&mut self, mut new: impl FnMut(u64) -> u64) {
        for entry in &mut self.entries {
            entry.key = new(entry.key);
        }
    }

    /// The entries from the first to this one.
    pub fn trail(&self, mut id: Id) -> Vec<Id> {
        let mut ids = Vec::new();
        while id != NONE {
            ids.push(id);
            id = self.entries[id as usize].before;
        }
        ids.reverse();
        ids
    }

    pub fn bytes(&self) -> u64 {
        (self.entries.capacity() * size_of::<Entry>() + self.free.capacity() * 4) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_nowhere_is_given_back() {
        let mut arena = Arena::default();
        let root = arena.add(1, NONE);
        let (a, b) = (arena.add(2, root), arena.add(3, root));
        arena.expanded(root, 2);
        let c = arena.add(4, b);
        arena.expanded(b, 1);
        assert_eq!(arena.trail(c), [root, b, c]);
        arena.expanded(c, 0);
        assert_eq!(arena.free.len(), 2);
        assert_eq!(arena.trail(a), [root, a]);
        arena.expanded(a, 0);
        assert_eq!(arena.free.len(), 4);
    }
}
