//! A set of 64-bit keys, none of them 0, in parts that grow one by one.
//!
//! The parts are divided into shares, one for each worker, who adds the keys that belong to it: no two write to the same
//! part.

use std::sync::{Mutex, MutexGuard, PoisonError};

use prefetch_index::prefetch_index;

use super::slots::Slots;
use super::{mix, place};

/// A part is a table with open addressing; 0 is free.
#[derive(Debug)]
struct Part {
    slots: Slots,
    len: usize,
}

/// There are `2^PARTS` parts: few, so that each of a large set is large enough for large pages.
const PARTS: u32 = 4;
/// So many keys are looked for at a time: by the time that one is added, what memory holds at its place has come.
const AHEAD: usize = 16;

impl Part {
    fn new() -> Self {
        Self {
            slots: Slots::new(64),
            len: 0,
        }
    }

    /// Adds a key with its hash; answers whether it is new.
    fn insert(&mut self, key: u64, hash: u64) -> bool {
        let slots = &mut *self.slots;
        let mut at = place(hash, slots.len());
        loop {
            match slots[at] {
                0 => break,
                k if k == key => return false,
                _ => at += 1,
            }
            if at == slots.len() {
                at = 0;
            }
        }
        slots[at] = key;
        self.len += 1;
        if self.len * 5 > slots.len() * 4 {
            self.grow();
        }
        true
    }

    /// Half as large again, or a quarter where it is large: such parts are between 64 % and 80 % full.
    #[cold]
    fn grow(&mut self) {
        let mut new = Slots::new(self.slots.more());
        let size = new.len();
        for &key in self.slots.iter().filter(|&&key| key != 0) {
            let (_, hash) = split(key);
            let mut at = place(hash, size);
            while new[at] != 0 {
                at = if at + 1 == size { 0 } else { at + 1 };
            }
            new[at] = key;
        }
        self.slots = new;
    }
}

/// The part that a key belongs to, and its hash there.
fn split(key: u64) -> (usize, u64) {
    let hash = mix(key);
    let part = usize::try_from(hash >> (u64::BITS - PARTS)).unwrap_or(0);
    (part, hash << PARTS)
}

/// Some of the parts.
#[derive(Debug)]
pub(crate) struct Share {
    /// The number of the first.
    first: usize,
    parts: Vec<Part>,
}

impl Share {
    /// Adds a key that belongs here; answers whether it is new.
    pub fn add(&mut self, key: u64) -> bool {
        let (part, hash) = split(key);
        self.parts[part - self.first].insert(key, hash)
    }

    /// Adds things by their keys, which belong here; tells the new ones, in their order.
    pub fn add_all<T>(&mut self, all: &[T], key: impl Fn(&T) -> u64, mut new: impl FnMut(&T)) {
        all.iter()
            .take(AHEAD)
            .for_each(|next| self.fetch(key(next)));
        for (at, next) in all.iter().enumerate() {
            if let Some(later) = all.get(at + AHEAD) {
                self.fetch(key(later));
            }
            if self.add(key(next)) {
                new(next);
            }
        }
    }

    /// Asks memory for the place of a key.
    fn fetch(&self, key: u64) {
        let (part, hash) = split(key);
        let slots = &*self.parts[part - self.first].slots;
        prefetch_index(slots, place(hash, slots.len()));
    }
}

/// The set.
#[derive(Debug)]
pub(crate) struct Roots {
    shares: Vec<Mutex<Share>>,
}

impl Roots {
    /// An empty set, in so many shares if there are enough parts.
    pub fn new(shares: usize) -> Self {
        let shares = shares.clamp(1, 1 << PARTS);
        let first = |share: usize| (share << PARTS).div_ceil(shares);
        let share = |share: usize| Share {
            first: first(share),
            parts: (first(share)..first(share + 1))
                .map(|_| Part::new())
                .collect(),
        };
        Self {
            shares: (0..shares).map(share).map(Mutex::new).collect(),
        }
    }

    /// How many shares there are.
    pub fn shares(&self) -> usize {
        self.shares.len()
    }

    /// The share that a key belongs to, of so many.
    pub fn share_of(key: u64, shares: usize) -> usize {
        (split(key).0 * shares) >> PARTS
    }

    /// A share, for one worker to write.
    pub fn share(&self, number: usize) -> MutexGuard<'_, Share> {
        let share = &self.shares[number];
        share.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a key when there is one worker; answers whether it is new.
    pub fn add(&mut self, key: u64) -> bool {
        let share = Self::share_of(key, self.shares.len());
        self.own(share).add(key)
    }

    /// Adds things by their keys when there is one worker; tells the new ones, in their order.
    pub fn add_all<T>(&mut self, all: &[T], key: impl Fn(&T) -> u64, mut new: impl FnMut(&T)) {
        if self.shares.len() == 1 {
            return self.own(0).add_all(all, key, new);
        }
        for next in all {
            if self.add(key(next)) {
                new(next);
            }
        }
    }

    fn own(&mut self, share: usize) -> &mut Share {
        let share = &mut self.shares[share];
        share.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Each key.
    pub fn each(&self, mut each: impl FnMut(u64)) {
        for share in 0..self.shares.len() {
            for part in &self.share(share).parts {
                (part.slots.iter().copied().filter(|&key| key != 0)).for_each(&mut each);
            }
        }
    }

    /// How many bytes the set takes.
    pub fn bytes(&self) -> u64 {
        let size = |share: usize| -> usize {
            (self.share(share).parts.iter())
                .map(|part| part.slots.len())
                .sum()
        };
        ((0..self.shares.len()).map(size).sum::<usize>() * size_of::<u64>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_new_once_for_any_number_of_shares() {
        let keys: Vec<(usize, u64)> = (1..3000u64)
            .chain(500..4000)
            .map(|k| k * k)
            .enumerate()
            .collect();
        let expected: Vec<usize> = (0..2999).chain(2999 + 2500..6499).collect();
        for shares in [1, 3, 16, 40] {
            let (roots, mut alone) = (Roots::new(shares), Roots::new(shares));
            let mut new = Vec::new();
            for share in 0..roots.shares() {
                let belongs =
                    |&(_, key): &(usize, u64)| Roots::share_of(key, roots.shares()) == share;
                let mine: Vec<_> = keys.iter().copied().filter(belongs).collect();
                (roots.share(share)).add_all(&mine, |next| next.1, |next| new.push(next.0));
            }
            new.sort_unstable();
            assert_eq!(new, expected);
            new.clear();
            alone.add_all(&keys, |next| next.1, |next| new.push(next.0));
            assert_eq!(new, expected);
            assert_eq!(alone.bytes(), roots.bytes());
        }
    }
}
