//! The values that one field has had, numbered in the order in which they came. Most fields have few
//! values, so their numbers need few bits.

use rustc_hash::FxHashMap;

/// Values below `SMALL` are looked up in a row. So are larger ones if there are many: the row has at most `TIMES` places for each.
const SMALL: usize = 1 << 10;
const TIMES: usize = 16;

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
        match self.small.get(place(value)) {
            Some(&code) if code != 0 => Some(code - 1),
            _ => self.large.get(&value).copied(),
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
        let at = place(value);
        let longest = SMALL.max(self.values.len() * TIMES);
        if at < self.small.len().max(longest) {
            self.small.resize(self.small.len().max(at + 1), 0);
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

/// The place of a value in the row.
fn place(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
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

    #[test]
    fn one_large_value_takes_little_and_stays_where_it_is() {
        let mut dict = Dict::new();
        dict.add(60_000, 0);
        assert!(dict.bytes() < 1000);
        let others = || (1..5000).map(|n| 15 * n + 1);
        others().for_each(|value| dict.add(value, 0));
        assert_eq!(dict.code(60_000), Some(1));
        assert!(others().all(|value| dict.code(value) > Some(1)));
        assert!(dict.small.len() > 60_000);
    }
}
