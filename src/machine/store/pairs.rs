//! Pairs of numbers with numbers of their own, shared by all workers.
//!
//! A pair has 58 bits. They are mixed so that nothing is lost; the first `k` bits
//! of the result say where the pair is looked for in a table of `2^k` entries, and
//! the entry holds the others, how far it is from where it should be, and the
//! pair's number. So an entry that fits is the right one, and one memory access
//! answers most questions.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Numbers have so many bits.
pub(super) const BITS: u32 = 29;
/// Pairs have so many bits.
const PAIR: u32 = 2 * BITS;
/// The first table has `2^FIRST` entries.
const FIRST: u32 = 13;
/// An entry may be so far from its place.
const FAR: u64 = 31;
/// An entry that is in use.
const USED: u64 = 1 << 63;

/// A table of pairs.
#[derive(Debug)]
pub struct Pairs {
    /// `2^bits` entries.
    entries: Vec<AtomicU64>,
    bits: u32,
    pairs: Vec<AtomicU64>,
    next: AtomicU32,
}

/// There is no room; the table has to grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A number that a worker took and did not use.
#[derive(Debug, Default)]
pub struct Spare(Option<u32>);

/// One to one on numbers of 58 bits: a product with an odd number, and a shift that can be undone.
fn scatter(pair: u64) -> u64 {
    let mask = (1 << PAIR) - 1;
    let n = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
    let n = n ^ n >> (PAIR / 2);
    n.wrapping_mul(0xBF58_476D_1CE4_E5B9) & mask
}

impl Pairs {
    /// A table without room: where states are their own keys there are no pairs.
    pub fn new() -> Self {
        Self {
            entries: Vec::new(),
            bits: 0,
            pairs: Vec::new(),
            next: AtomicU32::new(0),
        }
    }

    pub fn grow(&mut self) {
        self.resize((self.bits + 1).max(FIRST));
    }

    fn resize(&mut self, bits: u32) {
        self.bits = bits;
        self.entries.clear();
        self.entries.resize_with(1 << bits, AtomicU64::default);
        self.pairs.resize_with((1 << bits) / 2, AtomicU64::default);
        for id in 0..self.next.load(Ordering::Relaxed) {
            let pair = self.get(id);
            if self.find(pair, |_| Some(id)).is_err() {
                return self.resize(bits + 1);
            }
        }
    }

    /// The pair of a number.
    pub fn get(&self, id: u32) -> u64 {
        self.pairs[id as usize].load(Ordering::Relaxed)
    }

    /// How many bytes the table takes.
    pub fn bytes(&self) -> u64 {
        (self.entries.len() * 8 + self.pairs.len() * 8) as u64
    }

    /// The number of a pair, new or known.
    pub fn intern(&self, pair: u64, spare: &mut Spare) -> Result<u32, Full> {
        self.find(pair, |taken| self.number(pair, spare, taken))
    }

    /// Looks for a pair. If it is missing, adds it with the number that `fresh` gives. If another worker was first,
    /// `fresh` gets its number back.
    fn find(
        &self,
        pair: u64,
        mut fresh: impl FnMut(Option<u32>) -> Option<u32>,
    ) -> Result<u32, Full> {
        if self.entries.is_empty() {
            return Err(Full);
        }
        let hash = scatter(pair);
        let left = PAIR - self.bits;
        let (place, rest) = (hash >> left, hash & ((1 << left) - 1));
        let last = self.entries.len() as u64 - 1;
        for far in 0..=FAR {
            let at = usize::try_from((place + far) & last).unwrap_or(0);
            // From the top: in use, the rest of the hash, the distance, the number.
            let head = USED | rest << (self.bits + 5) | far << self.bits;
            let entry = &self.entries[at];
            let mut found = entry.load(Ordering::Acquire);
            if found == 0 {
                let id = fresh(None).ok_or(Full)?;
                let put = head | u64::from(id);
                match entry.compare_exchange(0, put, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return Ok(id),
                    Err(other) => {
                        fresh(Some(id));
                        found = other;
                    }
                }
            }
            if found >> self.bits == head >> self.bits {
                return Ok(u32::try_from(found & last).unwrap_or(0));
            }
        }
        Err(Full)
    }

    /// Returns a number for a new pair, or takes back one that was not used.
    fn number(&self, pair: u64, spare: &mut Spare, unused: Option<u32>) -> Option<u32> {
        if let Some(id) = unused {
            spare.0 = Some(id);
            return None;
        }
        let id = match spare.0.take() {
            Some(id) => id,
            // Other workers may take numbers at the same time: some are left for them.
            None if self.next.load(Ordering::Relaxed) as usize + 1024 > self.pairs.len() => {
                return None;
            }
            None => self.next.fetch_add(1, Ordering::Relaxed),
        };
        self.pairs[id as usize].store(pair, Ordering::Relaxed);
        Some(id)
    }

    /// Whether the numbers are nearly used up.
    pub fn exhausted(&self) -> bool {
        self.bits > BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_one_number() {
        let mut pairs = Pairs::new();
        let mut spare = Spare::default();
        let mut ids = Vec::new();
        let pair = |i: u64| ((i << BITS) | (i * 7)) & ((1 << PAIR) - 1);
        for i in 0..50_000u64 {
            let id = loop {
                match pairs.intern(pair(i), &mut spare) {
                    Ok(id) => break id,
                    Err(Full) => pairs.grow(),
                }
            };
            ids.push(id);
        }
        for (i, &id) in (0u64..).zip(&ids) {
            assert_eq!(pairs.get(id), pair(i));
            assert_eq!(pairs.intern(pair(i), &mut spare), Ok(id));
        }
        ids.dedup();
        assert_eq!(ids.len(), 50_000);
    }

    #[test]
    fn workers_agree_on_numbers() {
        let mut pairs = Pairs::new();
        for _ in 0..3 {
            pairs.grow();
        }
        let number = |i: u64, spare: &mut Spare| pairs.intern(i * 31, spare).unwrap();
        let all = std::thread::scope(|scope| {
            let work = |from: u64| {
                let mut spare = Spare::default();
                (0..9000)
                    .map(|i| number((i + from * 17) % 9000, &mut spare))
                    .collect::<Vec<_>>()
            };
            let other = scope.spawn(move || work(1));
            (work(0), other.join().unwrap())
        });
        for i in 0..9000 {
            assert_eq!(all.0[(i + 17) % 9000], all.1[i]);
        }
    }
}
