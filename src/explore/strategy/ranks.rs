//! A set of small numbers that tells the rank of each: how many members are less.

use std::ops::Range;

/// The set: a bit for each number.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    bits: Vec<u64>,
    /// By word: how many numbers lie before it.
    before: Vec<u32>,
}

impl Ranks {
    /// Empties the set, for numbers below a size; keeps its memory.
    pub fn clear(&mut self, size: usize) {
        self.bits.clear();
        self.bits.resize(size.div_ceil(64), 0);
    }

    pub fn add(&mut self, number: u32) {
        self.bits[number as usize / 64] |= 1 << (number % 64);
    }

    /// Adds all numbers of a range.
    pub fn add_all(&mut self, range: Range<u32>) {
        let mut from = range.start;
        while from < range.end {
            let end = range.end.min((from / 64 + 1) * 64);
            self.bits[from as usize / 64] |= (u64::MAX >> (64 - (end - from))) << (from % 64);
            from = end;
        }
    }

    /// Whether a number is there.
    pub fn has(&self, number: u32) -> bool {
        self.bits[number as usize / 64] >> (number % 64) & 1 != 0
    }

    /// Counts the numbers. Has to be called before [`Self::rank`].
    pub fn count(&mut self) -> usize {
        self.before.clear();
        let mut all = 0;
        self.before.extend(self.bits.iter().map(|bits| {
            let before = all;
            all += bits.count_ones();
            before
        }));
        all as usize
    }

    /// How many numbers of the set are less than this one.
    pub fn rank(&self, number: u32) -> u32 {
        let word = number as usize / 64;
        let less = self.bits[word] & ((1 << (number % 64)) - 1);
        self.before[word] + less.count_ones()
    }

    /// Each of them, in order.
    pub fn each(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.bits).flat_map(|(word, &bits)| {
            let higher = |rest: &u64| Some(rest & rest.wrapping_sub(1));
            let rests = std::iter::successors(Some(bits), higher).take_while(|&rest| rest != 0);
            rests.map(move |rest| word * 64 + rest.trailing_zeros())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_place() {
        let mut ranks = Ranks::default();
        for size in [1u32, 64, 65, 1000] {
            ranks.clear(size as usize);
            let numbers: Vec<u32> = (0..size).filter(|n| n % 7 == 0 || n % 64 == 63).collect();
            numbers.iter().rev().for_each(|&number| ranks.add(number));
            assert_eq!(ranks.count(), numbers.len());
            assert!(ranks.each().eq(numbers.iter().copied()));
            for number in 0..size {
                let rank = numbers.partition_point(|&other| other < number);
                assert_eq!(ranks.rank(number) as usize, rank);
                assert_eq!(ranks.has(number), numbers.get(rank) == Some(&number));
            }
        }
    }

    #[test]
    fn ranges_are_added_whole() {
        for (start, end) in [(0, 0), (0, 64), (3, 7), (63, 65), (60, 200), (128, 256)] {
            let mut ranks = Ranks::default();
            ranks.clear(256);
            ranks.add_all(start..end);
            assert!(ranks.each().eq(start..end), "{start}..{end}");
        }
    }
}
