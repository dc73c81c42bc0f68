//! Pairs of numbers with numbers of their own, shared by all workers.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::mix;

/// Numbers of pairs have so many bits.
pub(super) const BITS: u32 = 29;

/// A table of pairs.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// Open addressing: a number and one, or 0. Its size is a power of two.
    index: Vec<AtomicU32>,
    /// Pairs by number.
    pairs: Vec<AtomicU64>,
    /// The next number.
    next: AtomicU32,
}

/// There is no room; the table has to grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

/// A number that a worker took and did not use.
#[derive(Debug, Default)]
pub(crate) struct Spare(Option<u32>);

impl Pairs {
    /// An empty table.
    pub fn new() -> Self {
        let mut pairs = Self {
            index: Vec::new(),
            pairs: Vec::new(),
            next: AtomicU32::new(0),
        };
        pairs.resize(1 << 12);
        pairs
    }

    fn resize(&mut self, size: usize) {
        self.pairs.resize_with(size / 2, AtomicU64::default);
        self.index.clear();
        self.index.resize_with(size, AtomicU32::default);
        for id in 0..self.next.load(Ordering::Relaxed) {
            let mut at = self.home(self.get(id));
            while self.index[at].load(Ordering::Relaxed) != 0 {
                at = (at + 1) & (size - 1);
            }
            self.index[at].store(id + 1, Ordering::Relaxed);
        }
    }

    /// Makes room. Numbers that workers hold in spare are lost.
    pub fn grow(&mut self) {
        self.resize(self.index.len() * 2);
    }

    fn home(&self, pair: u64) -> usize {
        let shift = 64 - self.index.len().trailing_zeros();
        usize::try_from(mix(pair) >> shift).unwrap_or(0)
    }

    /// The pair of a number.
    pub fn get(&self, id: u32) -> u64 {
        self.pairs[id as usize].load(Ordering::Relaxed)
    }

    /// How many bytes the table takes.
    pub fn bytes(&self) -> u64 {
        (self.index.len() * 4 + self.pairs.len() * 8) as u64
    }

    /// The number of a pair, new or known.
    pub fn intern(&self, pair: u64, spare: &mut Spare) -> Result<u32, Full> {
        let mut at = self.home(pair);
        loop {
            match self.index[at].load(Ordering::Acquire) {
                0 => {
                    let id = self.fresh(pair, spare)?;
                    let slot = &self.index[at];
                    let put =
                        slot.compare_exchange(0, id + 1, Ordering::Release, Ordering::Acquire);
                    match put {
                        Ok(_) => return Ok(id),
                        Err(other) => {
                            spare.0 = Some(id);
                            if self.get(other - 1) == pair {
                                return Ok(other - 1);
                            }
                        }
                    }
                }
                id if self.get(id - 1) == pair => return Ok(id - 1),
                _ => {}
            }
            at = (at + 1) & (self.index.len() - 1);
        }
    }

    fn fresh(&self, pair: u64, spare: &mut Spare) -> Result<u32, Full> {
        let id = match spare.0.take() {
            Some(id) => id,
            None => {
                // Other workers may take numbers at the same time: some are left for them.
                let id = self.next.load(Ordering::Relaxed);
                if id as usize + 4096 > self.pairs.len() && self.pairs.len() > 4096
                    || id as usize + 1024 > self.pairs.len()
                {
                    return Err(Full);
                }
                self.next.fetch_add(1, Ordering::Relaxed)
            }
        };
        self.pairs[id as usize].store(pair, Ordering::Relaxed);
        Ok(id)
    }

    /// Whether the numbers are used up.
    pub fn exhausted(&self) -> bool {
        self.next.load(Ordering::Relaxed) >> (BITS - 1) != 0 && self.index.len() >> BITS != 0
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
        for i in 0..5000u64 {
            let id = loop {
                match pairs.intern(i << 32 | i, &mut spare) {
                    Ok(id) => break id,
                    Err(Full) => pairs.grow(),
                }
            };
            ids.push(id);
        }
        for (i, &id) in (0u64..).zip(&ids) {
            assert_eq!(pairs.get(id), i << 32 | i);
            assert_eq!(pairs.intern(i << 32 | i, &mut spare).ok(), Some(id));
        }
    }
}
