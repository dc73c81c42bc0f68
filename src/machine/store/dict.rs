//! The values that one field has had, numbered in the order in which they came. Most fields have few
//! values, so their numbers need few bits.

use rustc_hash::FxHashMap;

/// Values below this are looked up in a row.
const SMALL: u64 = 1 << 16;

#[derive(Debug)]
pub(super) struct Dict {
    /// By value: its code plus 1; 0 if it has none.
    small: Vec<u32>,
    large: FxHashMap<u64, u32>,
    /// By code: its value, and the first format that has room for the code.
    values: Vec<(u64, u8)>,
}

impl Dict {
    /// The value 0 has the code 0.
    pub fn new() -> Self {
        Self {
            small: vec![1],
            large: FxHashMap::default(),
            values: vec![(0, 0)],
        }
    }

    /// How many values there are.
    pub fn len(&self) -> u32 {
        u32::try_from(self.values.len()).unwrap_or(u32::MAX)
    }

    pub fn code(&self, value: u64) -> Option<u32> {
        if value < SMALL {
            let code = self.small.get(value as usize)?;
            code.checked_sub(1)
        } else {
            self.large.get(&value).copied()
        }
    }

    pub fn value(&self, code: u32) -> u64 {
        self.values[code as usize].0
    }

    /// The first format that has room for a code.
    pub fn need(&self, code: u32) -> u8 {
        self.values[code as usize].1
    }

    /// Adds a value. The format `need` is the first one that has room for its code.
    pub fn add(&mut self, value: u64, need: u8) {
        let code = self.len();
        self.values.push((value, need));
        if value < SMALL {
            let at = value as usize;
            if at >= self.small.len() {
                self.small.resize(at + 1, 0);
            }
            self.small[at] = code + 1;
        } else {
            self.large.insert(value, code);
        }
    }

    /// Returns the same values, if the first format has room for all their codes.
    pub fn with_room(&self) -> Self {
        Self {
            small: self.small.clone(),
            large: self.large.clone(),
            values: self.values.iter().map(|&(value, _)| (value, 0)).collect(),
        }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        (self.small.capacity() * 4 + self.large.capacity() * 13 + self.values.capacity() * 16)
            as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_get_codes_in_order() {
        let mut dict = Dict::new();
        for (code, value) in [(1, 7), (2, 1 << 20), (3, 1)] {
            assert_eq!(dict.code(value), None);
            dict.add(value, 5);
            assert_eq!(dict.code(value), Some(code));
            assert_eq!((dict.value(code), dict.need(code)), (value, 5));
        }
        assert_eq!(dict.code(0), Some(0));
    }
}
