//! The states that are still to be expanded, and those that lead to them.
//!
//! An entry stands behind the one that it came from. New entries are written one after the other: those of a batch lie
//! together, and those still to be expanded lie in runs. When the arena has doubled, it keeps only the entries still to be
//! expanded and those that lead to them, and moves them together. So the arena holds little more than the stack or queue of a
//! search, and it is read and written in order.

use std::collections::VecDeque;
use std::ops::Range;

use base::memory::push_slowly;

use super::ranks::Ranks;
use super::worker::Todo;

pub(super) type Id = u32;

pub(super) const NONE: Id = Id::MAX;

/// With no more entries than this, it is not worth asking which ones are needed.
const FEW: usize = 1 << 12;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub key: u64,
    /// The entry that it came from.
    pub before: Id,
    pub depth: u32,
}

/// Entries that are still to be expanded, one behind the other, all at the same distance.
#[derive(Clone, Debug)]
struct Run {
    ids: Range<Id>,
    depth: u32,
}

#[derive(Debug, Default)]
pub(super) struct Arena {
    keys: Vec<u64>,
    /// The entry before each, which has a lower number.
    before: Vec<Id>,
    /// Entries that are still to be expanded, in order; `open` is their number.
    runs: VecDeque<Run>,
    open: usize,
    /// How many entries [`Self::keep`] kept the last time.
    kept: usize,
}

impl Arena {
    /// Adds an entry, which is to be expanded.
    pub fn add(&mut self, entry: Entry) -> Id {
        let Entry { key, before, depth } = entry;
        push_slowly(&mut self.keys, key);
        push_slowly(&mut self.before, before);
        let end = Self::id(self.keys.len());
        match self.runs.back_mut() {
            Some(run) if run.ids.end == end - 1 && run.depth == depth => run.ids.end = end,
            _ => self.runs.push_back(Run {
                ids: end - 1..end,
                depth,
            }),
        }
        self.open += 1;
        end - 1
    }

    /// How many entries are still to be expanded.
    pub fn open(&self) -> usize {
        self.open
    }

    /// The distance of the first entry that is still to be expanded.
    pub fn first_depth(&self) -> Option<u32> {
        self.runs.front().map(|run| run.depth)
    }

    /// Takes entries to expand until the batch has `size` of them: the first ones, or the last ones, the last first.
    pub fn take(&mut self, size: usize, first: bool, batch: &mut Vec<Todo>) {
        let before = batch.len();
        while batch.len() < size {
            let run = match first {
                true => self.runs.pop_front(),
                false => self.runs.pop_back(),
            };
            let Some(Run { ids, depth }) = run else {
                break;
            };
            let state = |id: Id| Todo {
                key: self.keys[id as usize],
                id,
                depth,
            };
            let taken = Self::id((size - batch.len()).min(ids.len()));
            let (taken, rest) = match first {
                true => (ids.start..ids.start + taken, ids.start + taken..ids.end),
                false => (ids.end - taken..ids.end, ids.start..ids.end - taken),
            };
            let rest = (!rest.is_empty()).then_some(Run { ids: rest, depth });
            match first {
                true => {
                    batch.extend(taken.map(state));
                    rest.into_iter().for_each(|rest| self.runs.push_front(rest));
                }
                false => {
                    batch.extend(taken.rev().map(state));
                    self.runs.extend(rest);
                }
            }
        }
        self.open -= batch.len() - before;
    }

    fn id(number: usize) -> Id {
        Id::try_from(number).expect("memory ends before 2^32 entries")
    }

    /// Whether it is worth asking which entries are needed: there are far more than were kept the last time.
    pub fn is_large(&self) -> bool {
        self.keys.len() > FEW + 2 * self.kept
    }

    /// Keeps the entries that are still to be expanded, the needed ones, and all that lead to these. Drops the others. The new id
    /// of a kept entry is its rank.
    pub fn keep(&mut self, needed: impl Iterator<Item = Id>) -> Ranks {
        let mut kept = Ranks::default();
        kept.clear(self.keys.len());
        needed.for_each(|id| kept.add(id));
        (self.runs.iter()).for_each(|run| kept.add_all(run.ids.clone()));
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
        for Run { ids, .. } in &mut self.runs {
            let start = kept.rank(ids.start);
            *ids = start..start + (ids.end - ids.start);
        }
        self.keys.truncate(self.kept);
        self.before.truncate(self.kept);
        kept
    }

    pub fn key(&self, id: Id) -> u64 {
        self.keys[id as usize]
    }

    /// Gives the same states other keys.
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
        let entries =
            self.keys.capacity() * size_of::<u64>() + self.before.capacity() * size_of::<Id>();
        (entries + self.runs.capacity() * size_of::<Run>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, before: Id) -> Entry {
        Entry {
            key,
            before,
            depth: 0,
        }
    }

    /// The keys that lead to an entry.
    fn keys(arena: &Arena, id: Id) -> Vec<u64> {
        let trail = arena.trail(id).into_iter();
        trail.map(|id| arena.key(id)).collect()
    }

    #[test]
    fn what_leads_nowhere_is_dropped() {
        let mut arena = Arena::default();
        let root = arena.add(entry(1, NONE));
        let (a, b) = (arena.add(entry(2, root)), arena.add(entry(3, root)));
        let (c, d) = (arena.add(entry(4, a)), arena.add(entry(5, b)));
        let e = arena.add(entry(6, b));
        arena.take(6, true, &mut Vec::new());
        let kept = arena.keep([e].into_iter());
        assert_eq!(kept.each().collect::<Vec<_>>(), [root, b, e]);
        assert!(!kept.has(a) && !kept.has(c) && !kept.has(d));
        let e = kept.rank(e);
        assert_eq!(keys(&arena, e), [1, 3, 6]);
        let f = arena.add(entry(7, e));
        assert_eq!(keys(&arena, f), [1, 3, 6, 7]);
    }

    /// Compares an arena with a queue in which each state has the keys that lead to it.
    #[test]
    fn what_is_taken_is_what_was_added() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut arena = Arena::default();
        arena.add(entry(0, NONE));
        let mut queue = VecDeque::from([vec![0]]);
        let (mut key, mut drops) = (0, 0);
        while key < 60_000 {
            let (first, size) = (rng.bool(), rng.usize(1..200));
            let (mut batch, size) = (Vec::new(), size.min(arena.open()));
            arena.take(size, first, &mut batch);
            let taken: Vec<Vec<u64>> = match first {
                true => queue.drain(..size).collect(),
                false => queue.drain(queue.len() - size..).rev().collect(),
            };
            if arena.is_large() {
                let kept = arena.keep(batch.iter().map(|state| state.id));
                batch
                    .iter_mut()
                    .for_each(|state| state.id = kept.rank(state.id));
                assert!(!arena.is_large());
                drops += 1;
            }
            assert_eq!(batch.len(), size);
            for (state, trail) in batch.iter().zip(taken) {
                assert_eq!(keys(&arena, state.id), trail);
                assert_eq!(
                    (state.key, state.depth as usize),
                    (trail[trail.len() - 1], trail.len() - 1)
                );
                // While few entries are open, every state leads to another.
                for _ in 0..rng.usize(usize::from(arena.open() < 100)..=2) {
                    key += 1;
                    arena.add(Entry {
                        key,
                        before: state.id,
                        depth: state.depth + 1,
                    });
                    queue.push_back(trail.iter().copied().chain([key]).collect());
                }
            }
            assert_eq!(arena.open(), queue.len());
            assert_eq!(
                arena.first_depth().map(|depth| depth as usize + 1),
                queue.front().map(Vec::len)
            );
        }
        assert!(drops > 2, "{drops}");
    }
}
