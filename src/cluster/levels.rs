//! The keys of a worker's states, level by level. An expanded level is read again only for the way back and for
//! checkpoints. So its keys are sorted, and each is stored as the difference to the key before.

/// The levels so far.
#[derive(Debug, Default)]
pub(super) struct Levels {
    done: Vec<Packed>,
    /// The last level, if there is one: the search expands it next.
    last: Option<Vec<u64>>,
}

/// Sorted keys, as differences. A byte has seven bits of a difference, the lowest first; its top bit says that more follow.
#[derive(Debug, Default)]
struct Packed {
    bytes: Vec<u8>,
    len: usize,
}

impl Packed {
    fn new(mut keys: Vec<u64>) -> Self {
        keys.sort_unstable();
        let (mut bytes, mut before) = (Vec::with_capacity(keys.len() * 5), 0);
        for &key in &keys {
            let mut left = key - before;
            while left >= 1 << 7 {
                bytes.push((left & 0x7F | 0x80) as u8);
                left >>= 7;
            }
            bytes.push(left as u8);
            before = key;
        }
        bytes.shrink_to_fit();
        let len = keys.len();
        Self { bytes, len }
    }

    fn keys(&self) -> impl Iterator<Item = u64> {
        let (mut bytes, mut before) = (self.bytes.iter(), 0);
        (0..self.len).map(move |_| {
            let mut shift = 0;
            for &byte in bytes.by_ref() {
                before += u64::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            before
        })
    }
}

impl Levels {
    /// Returns the number of levels.
    pub fn len(&self) -> usize {
        self.done.len() + usize::from(self.last.is_some())
    }

    /// Returns the number of states in all levels.
    pub fn states(&self) -> usize {
        let last = self.last.as_ref().map_or(0, Vec::len);
        self.done.iter().map(|level| level.len).sum::<usize>() + last
    }

    /// The keys of a level.
    pub fn level(&self, number: usize) -> impl Iterator<Item = u64> {
        let done = self.done.get(number);
        let last = self.last.as_ref().filter(|_| number == self.done.len());
        let last = last.into_iter().flatten().copied();
        done.into_iter().flat_map(Packed::keys).chain(last)
    }

    /// The last level, to be expanded.
    pub fn take(&mut self) -> Vec<u64> {
        self.last.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Puts the last level back.
    pub fn put(&mut self, last: Vec<u64>) {
        self.last = Some(last);
    }

    /// Adds a level.
    pub fn push(&mut self, next: Vec<u64>) {
        let done = self.last.replace(next);
        self.done.extend(done.map(Packed::new));
    }

    /// Replaces each key by what `new` returns for it.
    pub fn rekey(&mut self, mut new: impl FnMut(u64) -> u64) {
        for level in &mut self.done {
            *level = Packed::new(level.keys().map(&mut new).collect());
        }
        for key in self.last.iter_mut().flatten() {
            *key = new(*key);
        }
    }

    pub fn bytes(&self) -> usize {
        let done = self.done.iter().map(|level| level.bytes.capacity());
        done.sum::<usize>() + self.last.as_ref().map_or(0, Vec::capacity) * 8
    }
}

impl From<Vec<Vec<u64>>> for Levels {
    fn from(mut levels: Vec<Vec<u64>>) -> Self {
        let last = levels.pop();
        let done = levels.into_iter().map(Packed::new).collect();
        Self { done, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut levels = Levels::default();
        let mut all = Vec::new();
        for bits in [1, 7, 8, 30, 58, 64] {
            let level: Vec<u64> = (0..100).map(|_| rng.u64(..) >> (64 - bits)).collect();
            levels.push(level.clone());
            all.push(level);
        }
        assert_eq!((levels.len(), levels.states()), (6, 600));
        levels.rekey(|key| key ^ 1);
        for (number, mut keys) in all.into_iter().enumerate() {
            let mut found: Vec<u64> = levels.level(number).map(|key| key ^ 1).collect();
            keys.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, keys);
        }
    }
}
