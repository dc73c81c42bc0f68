//! Hash compaction: keeps only some bits of a hash of each state. Two states with equal bits are taken for one,
//! so some states may be left out.

use super::{mix, place};

/// A set of hashes of up to 64 bits, kept in as many bytes as they need.
#[derive(Debug)]
pub struct Compact {
    bytes: Vec<u8>,
    width: usize,
    mask: u64,
    len: usize,
}

impl Compact {
    /// An empty set of hashes of that many bits.
    pub fn new(bits: u32) -> Self {
        let bits = bits.clamp(8, 64);
        let width = bits.div_ceil(8) as usize;
        Self {
            bytes: vec![0; 64 * width],
            width,
            mask: u64::MAX >> (64 - bits),
            len: 0,
        }
    }

    /// The bits of a row's hash that are kept; never 0, which is a free place.
    pub fn hash(&self, row: &[u32]) -> u64 {
        let begin = mix(row.len() as u64 + 1);
        let hash = row.iter().fold(begin, |hash, &leaf| {
            mix(hash.rotate_left(23).wrapping_add(u64::from(leaf)) ^ 0x94D0_49BB_1331_11EB)
        });
        (mix(hash) & self.mask).max(1)
    }

    /// Adds a hash; answers whether it is new.
    pub fn add(&mut self, hash: u64) -> bool {
        if !self.put(hash) {
            return false;
        }
        self.len += 1;
        if self.len * 5 > self.size() * 4 {
            self.grow();
        }
        true
    }

    /// How many bytes the set takes.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn size(&self) -> usize {
        self.bytes.len() / self.width
    }

    fn get(&self, at: usize) -> u64 {
        let mut bytes = [0; 8];
        let from = at * self.width;
        bytes[..self.width].copy_from_slice(&self.bytes[from..from + self.width]);
        u64::from_le_bytes(bytes)
    }

    fn put(&mut self, hash: u64) -> bool {
        let size = self.size();
        let mut at = place(mix(hash), size);
        loop {
            match self.get(at) {
                0 => break,
                h if h == hash => return false,
                _ => at = if at + 1 == size { 0 } else { at + 1 },
            }
        }
        let from = at * self.width;
        let bytes = hash.to_le_bytes();
        self.bytes[from..from + self.width].copy_from_slice(&bytes[..self.width]);
        true
    }

    fn grow(&mut self) {
        let size = self.size() + self.size() / 2;
        let old = Self {
            bytes: std::mem::replace(&mut self.bytes, vec![0; size * self.width]),
            ..*self
        };
        for at in 0..old.size() {
            let hash = old.get(at);
            if hash != 0 {
                self.put(hash);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_new_once() {
        for bits in [32, 40, 64] {
            let mut set = Compact::new(bits);
            let rows: Vec<_> = (0..2000u32).map(|i| [i, 3, i * i]).collect();
            let hashes: Vec<u64> = rows.iter().map(|r| set.hash(r)).collect();
            assert!(hashes.iter().all(|h| h >> 1 >> (bits - 1) == 0));
            assert!(hashes.iter().all(|&h| set.add(h)));
            assert!(hashes.iter().all(|&h| !set.add(h)));
        }
    }
}
