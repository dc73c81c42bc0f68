//! The keys that a worker has given not long ago. Most steps lead to states that were seen, and many of those were seen just
//! before. This table saves a look at a large one somewhere in memory.

use prefetch_index::prefetch_index;

/// The last key of each place, and the piece that gave it.
#[derive(Debug)]
pub(super) struct Recent {
    /// How far a key is shifted, so that its first bits are left: its place.
    shift: u32,
    /// Empty before the first key comes: small searches need no table. A key's first bits are its place. The entry there has the
    /// other bits, and behind them the last bits of the piece's number.
    keys: Vec<u64>,
}

/// As much as a processor keeps near, as a power of two.
pub const NEAR: u32 = 16;
/// How many bits of a piece's number are kept. There are at least `2^PIECE` places.
const PIECE: u32 = u16::BITS;

impl Recent {
    /// With `2^places` places.
    pub fn new(places: u32) -> Self {
        Self {
            shift: u64::BITS - places.max(PIECE),
            keys: Vec::new(),
        }
    }

    /// The place of a mixed key.
    fn place(&self, key: u64) -> usize {
        usize::try_from(key >> self.shift).unwrap_or(0)
    }

    /// Asks memory for the place of a mixed key.
    pub fn fetch(&self, key: u64) {
        prefetch_index(&self.keys, self.place(key));
    }

    /// Takes a mixed key from a piece. Returns whether the key may be new. If not, this piece or one before it has given the key.
    /// A worker may come to a piece after a later one.
    pub fn may_be_new(&mut self, key: u64, piece: u16) -> bool {
        if self.keys.is_empty() {
            self.keys = vec![0; 1 << (u64::BITS - self.shift)];
        }
        let place = self.place(key);
        let (place, rest) = (&mut self.keys[place], key << PIECE);
        let [_, _, _, _, _, _, high, low] = place.to_be_bytes();
        // The numbers of pieces wrap around: those up to half of them back count as before.
        let is_before = piece.wrapping_sub(u16::from_be_bytes([high, low])) <= u16::MAX / 2;
        if (*place ^ rest) >> PIECE == 0 && is_before && rest != 0 {
            return false;
        }
        *place = rest | u64::from(piece);
        true
    }

    /// Forgets all keys, because states get other keys.
    pub fn clear(&mut self) {
        self.keys.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::store::mix;

    #[test]
    fn only_what_was_given_is_known() {
        let mut recent = Recent::new(16);
        let mut given = std::collections::HashSet::new();
        let mut rng = fastrand::Rng::with_seed(1);
        let mut known = 0;
        for turn in 0..100_000u32 {
            let key = mix(1 << 60 | rng.u64(..30_000));
            let new = given.insert(key);
            let may_be_new = recent.may_be_new(key, (turn % 65_536) as u16);
            assert!(may_be_new || !new);
            known += u32::from(!may_be_new);
        }
        assert!(known > 10_000);
        recent.clear();
        assert!(recent.may_be_new(mix(1 << 60), 0));
    }

    #[test]
    fn a_later_piece_tells_nothing() {
        let (mut recent, key) = (Recent::new(20), mix(7));
        for first in [0, 1, 40_000, u16::MAX] {
            recent.clear();
            let later = first.wrapping_add(100);
            assert!(recent.may_be_new(key, later));
            assert!(recent.may_be_new(key, first), "{first}");
            assert!(!recent.may_be_new(key, first) && !recent.may_be_new(key, later));
        }
    }
}
