//! A set of 64-bit keys, none of them 0, in parts that grow one by one.
//!
//! The parts are divided into shares, one for each worker. A worker adds the keys that belong to its share, so no two
//! workers write to the same part.
//!
//! Keys are stored with their bits mixed. The highest bits name a key's part, the next ones its home there. A key stands at its
//! home or behind it, with no free place between, and keys stand in the order of their mixed bits. So a search for a missing key
//! ends at the first larger one. And a part grows where it is: its keys move to the end of the new room, and from there, the
//! least one first, to their new homes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use prefetch_index::prefetch_index;

use super::slots::Slots;
use super::{mix, place, unmix};

/// A part is a table with open addressing; 0 is free, and so is the last place.
#[derive(Debug)]
struct Part {
    slots: Slots,
    /// How many of the places are homes; the others are behind them.
    homes: usize,
    len: usize,
}

/// There are `2^PARTS` parts: few, so that each of a large set is large enough for large pages.
const PARTS: u32 = 3;
/// The home of a key is fetched from memory so many keys before the key is added, so that it has come by then.
const AHEAD: usize = 16;
/// The places of an empty part.
const SLOTS: usize = 72;
/// A part grows at the latest when more than so many of 64 homes are in use.
const FULL: usize = 53;
/// Before that, when one large part is fuller than `NEARLY_FULL`, all that are fuller than `NEARLY_AS_FULL` grow together.
const NEARLY_FULL: usize = 52;
const NEARLY_AS_FULL: usize = 51;
/// A part with so many places is large: it grows so slowly that no worker should wait for it.
const LARGE: usize = if cfg!(test) { 1 << 10 } else { 1 << 16 };
/// At most so many places are behind the homes. A part whose last keys need more grows.
const BEHIND: usize = 256;

impl Part {
    fn new() -> Self {
        let slots = Slots::new(SLOTS);
        Self {
            homes: homes_of(slots.len()),
            slots,
            len: 0,
        }
    }

    /// Where a key is at home.
    fn home(&self, mixed: u64) -> usize {
        place(mixed << PARTS, self.homes)
    }

    /// Adds a key; answers whether it is new.
    fn insert(&mut self, mixed: u64) -> bool {
        let mut at = self.home(mixed);
        let slots = &mut *self.slots;
        // A free place is 0, which wraps to the largest number: the search ends there, too.
        while slots[at].wrapping_sub(1) < mixed - 1 {
            at += 1;
        }
        if slots[at] == mixed {
            return false;
        }
        let mut moved = mixed;
        while moved != 0 {
            std::mem::swap(&mut slots[at], &mut moved);
            at += 1;
        }
        self.len += 1;
        if self.is_fuller_than(FULL) || at == self.slots.len() {
            self.grow();
        }
        true
    }

    /// Whether more than so many of 64 homes are in use.
    fn is_fuller_than(&self, homes: usize) -> bool {
        self.len * 64 > self.homes * homes
    }

    /// Whether the part is large, and more than so many of 64 homes are in use.
    fn is_large_and_fuller_than(&self, homes: usize) -> bool {
        self.slots.len() >= LARGE && self.is_fuller_than(homes)
    }

    /// Parts are between 72 % and 83 % full; while large ones have few pages, between 65 % and 83 %.
    #[cold]
    fn grow(&mut self) {
        loop {
            self.slots.grow(Slots::more(self.slots.len()));
            self.homes = homes_of(self.slots.len());
            let keys = self.gather();
            if self.spread(keys) {
                return;
            }
        }
    }

    /// Moves all keys to the end, in their order; answers where they begin.
    fn gather(&mut self) -> usize {
        let slots = &mut *self.slots;
        let mut begin = slots.len();
        for at in (0..slots.len()).rev() {
            // For a free place, this writes 0 to a place that is free already.
            let mixed = std::mem::take(&mut slots[at]);
            slots[begin - 1] = mixed;
            begin -= usize::from(mixed != 0);
        }
        begin
    }

    /// Moves all keys from the end to their homes or behind them. Answers whether the last place is free then. If it is not,
    /// the keys are still in their order.
    fn spread(&mut self, keys: usize) -> bool {
        let (homes, slots) = (self.homes, &mut *self.slots);
        let mut next = 0;
        for key in keys..slots.len() {
            let mixed = std::mem::take(&mut slots[key]);
            // Not behind where it was: the other keys are there.
            let at = place(mixed << PARTS, homes).clamp(next, key);
            slots[at] = mixed;
            next = at + 1;
        }
        next < slots.len()
    }
}

/// Returns how many of a part's places are homes.
fn homes_of(slots: usize) -> usize {
    slots - (slots / 9).min(BEHIND)
}

/// The part that a key belongs to.
fn part_of(mixed: u64) -> usize {
    usize::try_from(mixed >> (u64::BITS - PARTS)).unwrap_or(0)
}

/// Some of the parts.
#[derive(Debug)]
pub struct Share {
    /// The number of the first.
    first: usize,
    parts: Vec<Part>,
}

impl Share {
    #[inline]
    fn add(&mut self, mixed: u64) -> bool {
        self.parts[part_of(mixed) - self.first].insert(mixed)
    }

    /// Adds things by their mixed keys, which belong here; tells the new ones, in their order.
    pub fn add_all<T>(&mut self, all: &[T], mixed: impl Fn(&T) -> u64, mut new: impl FnMut(&T)) {
        (all.iter().take(AHEAD)).for_each(|next| self.fetch(mixed(next)));
        for (at, next) in all.iter().enumerate() {
            if let Some(later) = all.get(at + AHEAD) {
                self.fetch(mixed(later));
            }
            if self.add(mixed(next)) {
                new(next);
            }
        }
    }

    /// Lets parts grow that would soon have to.
    pub fn grow(&mut self) {
        let soon = |part: &&mut Part| part.is_large_and_fuller_than(NEARLY_AS_FULL);
        self.parts.iter_mut().filter(soon).for_each(Part::grow);
    }

    fn should_grow(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| part.is_large_and_fuller_than(NEARLY_FULL))
    }

    /// Asks memory for the home of a key.
    #[inline]
    fn fetch(&self, mixed: u64) {
        let part = &self.parts[part_of(mixed) - self.first];
        prefetch_index(&*part.slots, part.home(mixed));
    }
}

#[derive(Debug)]
pub struct Roots {
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

    /// Returns the share that a mixed key belongs to, if there are `shares` of them.
    pub fn share_of(mixed: u64, shares: usize) -> usize {
        (part_of(mixed) * shares) >> PARTS
    }

    /// A share, for one worker to write.
    pub fn share(&self, number: usize) -> MutexGuard<'_, Share> {
        let share = &self.shares[number];
        share.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is time that parts [grow](Share::grow). Keys are spread evenly, so large parts are full at about the same time.
    pub fn should_grow(&self) -> bool {
        (0..self.shares.len()).any(|share| self.share(share).should_grow())
    }

    /// Lets parts grow when there is one worker, if it is time.
    pub fn grow(&mut self) {
        if self.should_grow() {
            (0..self.shares.len()).for_each(|share| self.own(share).grow());
        }
    }

    /// Adds a key when there is one worker; answers whether it is new.
    pub fn add(&mut self, key: u64) -> bool {
        let mixed = mix(key);
        self.owner(mixed).add(mixed)
    }

    /// Adds things by their mixed keys when there is one worker; tells the new ones, in their order.
    pub fn add_all<T>(&mut self, all: &[T], mixed: impl Fn(&T) -> u64, mut new: impl FnMut(&T)) {
        if self.shares.len() == 1 {
            return self.own(0).add_all(all, mixed, new);
        }
        for next in all.iter().take(AHEAD) {
            self.owner(mixed(next)).fetch(mixed(next));
        }
        for (at, next) in all.iter().enumerate() {
            if let Some(later) = all.get(at + AHEAD) {
                self.owner(mixed(later)).fetch(mixed(later));
            }
            if self.owner(mixed(next)).add(mixed(next)) {
                new(next);
            }
        }
    }

    fn owner(&mut self, mixed: u64) -> &mut Share {
        self.own(Self::share_of(mixed, self.shares.len()))
    }

    fn own(&mut self, share: usize) -> &mut Share {
        let share = &mut self.shares[share];
        share.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn each(&self, mut each: impl FnMut(u64)) {
        for share in 0..self.shares.len() {
            for part in &self.share(share).parts {
                let mixed = part.slots.iter().copied().filter(|&mixed| mixed != 0);
                mixed.map(unmix).for_each(&mut each);
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
                    |&(_, key): &(usize, u64)| Roots::share_of(mix(key), roots.shares()) == share;
                let mine: Vec<_> = keys.iter().copied().filter(belongs).collect();
                (roots.share(share)).add_all(&mine, |next| mix(next.1), |next| new.push(next.0));
            }
            new.sort_unstable();
            assert_eq!(new, expected);
            new.clear();
            alone.add_all(&keys, |next| mix(next.1), |next| new.push(next.0));
            assert_eq!(new, expected);
            assert_eq!(alone.bytes(), roots.bytes());
        }
    }

    #[test]
    fn large_parts_grow_together() {
        let mut roots = Roots::new(2);
        let sizes = |roots: &Roots| -> Vec<usize> {
            let shares = [0, 1].map(|share| roots.share(share));
            let parts = shares.iter().flat_map(|share| &share.parts);
            parts.map(|part| part.slots.len()).collect()
        };
        let mut times = 0;
        for key in 1..100_000 {
            let before = sizes(&roots);
            assert!(roots.add(key));
            let added = sizes(&roots);
            roots.grow();
            let after = sizes(&roots);
            if after[0] > 4 * LARGE {
                assert_eq!(before, added, "none had to grow alone");
                let both = after.iter().zip(&added);
                let grown = both.filter(|(after, added)| after > added);
                times += u32::from(grown.count() > 1);
            }
        }
        assert!(times > 2, "{times}");
        let mut all = Vec::new();
        roots.each(|key| all.push(key));
        all.sort_unstable();
        assert!(all.into_iter().eq(1..100_000));
    }

    #[test]
    fn keys_are_in_order_behind_their_homes() {
        let mut part = Part::new();
        let mut rng = fastrand::Rng::with_seed(9);
        let mut known = std::collections::BTreeSet::new();
        for turn in 0..40_000u64 {
            // One key in five lies near the end, so keys are crowded there.
            let mixed = match turn % 5 {
                0 => (u64::MAX >> PARTS) - rng.u64(..1 << 56),
                _ => 1 + rng.u64(..u64::MAX >> PARTS),
            };
            assert_eq!(part.insert(mixed), known.insert(mixed));
            assert!(!part.insert(mixed));
        }
        let keys: Vec<u64> = part.slots.iter().copied().filter(|&key| key != 0).collect();
        assert!(keys.iter().eq(&known));
        assert_eq!((part.len, part.slots.last()), (known.len(), Some(&0)));
        for (at, &mixed) in part.slots.iter().enumerate().filter(|slot| *slot.1 != 0) {
            assert!(!part.slots[part.home(mixed)..at].contains(&0));
        }
    }
}
