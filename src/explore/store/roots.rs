//! A set of 64-bit keys, none of them 0, in parts that grow one by one.

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};

use super::{mix, place};

/// A part is a table with open addressing; 0 is free.
#[derive(Debug)]
pub(super) struct Part {
    slots: Vec<u64>,
    len: usize,
}

/// So many parts: each worker gets some of them.
pub(crate) const PARTS: usize = 64;
/// So many keys are looked up at a time.
const NEAR: usize = 16;

impl Part {
    fn new() -> Self {
        Self {
            slots: vec![0; 64],
            len: 0,
        }
    }

    /// Adds a key with its hash; answers whether it is new.
    fn insert(&mut self, key: u64, hash: u64) -> bool {
        let mut at = place(hash, self.slots.len());
        loop {
            match self.slots[at] {
                0 => break,
                k if k == key => return false,
                _ => at += 1,
            }
            if at == self.slots.len() {
                at = 0;
            }
        }
        self.slots[at] = key;
        self.len += 1;
        if self.len * 5 > self.slots.len() * 4 {
            self.grow();
        }
        true
    }

    /// What is where a key would be.
    fn touch(&self, hash: u64) -> u64 {
        self.slots[place(hash, self.slots.len())]
    }

    /// Half as large again: parts are between 53 % and 80 % full.
    fn grow(&mut self) {
        let size = self.slots.len() + self.slots.len() / 2;
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for key in old.into_iter().filter(|&k| k != 0) {
            let (_, hash) = split(key);
            let mut at = place(hash, size);
            while self.slots[at] != 0 {
                at = if at + 1 == size { 0 } else { at + 1 };
            }
            self.slots[at] = key;
        }
    }
}

/// The part that a key belongs to, and its hash there.
fn split(key: u64) -> (usize, u64) {
    let hash = mix(key);
    let part = usize::try_from(hash >> 58).unwrap_or(0);
    (part, hash << 6)
}

/// The set.
#[derive(Debug)]
pub(crate) struct Roots {
    parts: Vec<Mutex<Part>>,
}

impl Roots {
    pub fn new() -> Self {
        let parts = (0..PARTS).map(|_| Mutex::new(Part::new())).collect();
        Self { parts }
    }

    /// Adds the keys of the parts that belong to a worker; tells the numbers of the new ones, in their order.
    pub fn insert(
        &self,
        keys: impl Iterator<Item = u64>,
        worker: usize,
        workers: usize,
        mut new: impl FnMut(usize),
    ) {
        let mut parts: Vec<_> = (self.parts.iter().enumerate())
            .map(|(i, part)| {
                (i % workers == worker).then(|| part.lock().unwrap_or_else(PoisonError::into_inner))
            })
            .collect();
        let mut keys = keys.enumerate().filter_map(|(number, key)| {
            let (part, hash) = split(key);
            (part % workers == worker).then_some((number, key, part, hash))
        });
        let mut near = Vec::with_capacity(NEAR);
        loop {
            near.clear();
            near.extend(keys.by_ref().take(NEAR));
            if near.is_empty() {
                return;
            }
            // Fetches that do not wait for each other.
            let look = |&(_, _, part, hash): &(usize, u64, usize, u64)| {
                parts[part].as_ref().map_or(0, |part| part.touch(hash))
            };
            black_box(near.iter().fold(0, |all, key| all ^ look(key)));
            for &(number, key, part, hash) in &near {
                if parts[part]
                    .as_mut()
                    .is_some_and(|part| part.insert(key, hash))
                {
                    new(number);
                }
            }
        }
    }

    /// Looks where a key would be, so that it is near when it is inserted.
    pub fn touch(&mut self, key: u64) -> u64 {
        let (part, hash) = split(key);
        let part = self.parts[part]
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        part.touch(hash)
    }

    /// Adds a key when there is one worker; answers whether it is new.
    pub fn add(&mut self, key: u64) -> bool {
        let (part, hash) = split(key);
        let part = self.parts[part]
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        part.insert(key, hash)
    }

    /// Each key.
    pub fn each(&self, mut each: impl FnMut(u64)) {
        for part in &self.parts {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner);
            (part.slots.iter().copied().filter(|&key| key != 0)).for_each(&mut each);
        }
    }

    /// How many bytes the set takes.
    pub fn bytes(&self) -> u64 {
        let size = |p: &Mutex<Part>| p.lock().unwrap_or_else(PoisonError::into_inner).slots.len();
        (self.parts.iter().map(size).sum::<usize>() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_new_once_for_any_number_of_workers() {
        let keys = || (1..3000u64).chain(500..4000).map(|k| k * k);
        for workers in [1, 3] {
            let roots = Roots::new();
            let mut new = Vec::new();
            for worker in 0..workers {
                roots.insert(keys(), worker, workers, |i| new.push(i));
            }
            new.sort_unstable();
            let expected: Vec<usize> = (0..2999).chain(2999 + 2500..6499).collect();
            assert_eq!(new, expected);
        }
    }
}
