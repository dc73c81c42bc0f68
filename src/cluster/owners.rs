//! The owner's hash of a state, from its key: starts with the sum of the state before and adds only what differs.

use super::names::{Names, mix};
use machine::store::{Format, Tables};

/// What is remembered to add up the sums of keys.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// By field and code: what the code adds to the sum under the hash, or 0 if that is not known yet.
    parts: Vec<Vec<u64>>,
    /// By format: the bits of its keys, and a mask of those that count in the hash.
    formats: Vec<(Vec<Bit>, u64)>,
    before: Option<Before>,
}

/// The state from which the steps at hand come.
#[derive(Clone, Copy, Debug)]
struct Before {
    key: u64,
    format: usize,
    bits: u64,
    sum: u64,
}

/// A bit of a key.
#[derive(Clone, Copy, Debug)]
enum Bit {
    /// What the bit adds to the sum, if it is set.
    Plain(u64),
    /// The bit belongs to the code of a field. The code begins at bit `shift`, and `mask` has its width.
    Code { field: u32, shift: u32, mask: u64 },
}

impl Owners {
    /// Forgets everything, after all keys have changed.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Sets the state from which the next states come.
    pub fn come_from(&mut self, names: &mut Names<'_>, tables: &Tables, key: u64) {
        if self.before.is_some_and(|before| before.key == key) {
            return;
        }
        self.before = None;
        let whole = tables.whole(key).zip(self.sum(names, tables, key));
        self.before = whole.map(|((format, _, _, bits), sum)| Before {
            key,
            format,
            bits,
            sum,
        });
    }

    /// Returns the owner hash of a key's row, if the key holds the whole row.
    pub fn hash(&mut self, names: &mut Names<'_>, tables: &Tables, key: u64) -> Option<u64> {
        self.sum(names, tables, key).map(mix)
    }

    fn sum(&mut self, names: &mut Names<'_>, tables: &Tables, key: u64) -> Option<u64> {
        let (number, format, _, bits) = tables.whole(key)?;
        if self
            .formats
            .get(number)
            .is_none_or(|(bits, _)| bits.is_empty())
        {
            self.learn(names, tables, (number, format));
        }
        let before = self.before.filter(|before| before.format == number);
        let (before, mut sum) = before.map_or((0, 0), |before| (before.bits, before.sum));
        let mut left = (bits ^ before) & self.formats[number].1;
        while left != 0 {
            match self.formats[number].0[left.trailing_zeros() as usize] {
                Bit::Plain(part) => {
                    sum ^= part;
                    left &= left - 1;
                }
                Bit::Code { field, shift, mask } => {
                    for bits in [before, bits] {
                        let code = bits >> shift & mask;
                        sum ^= self.part(names, tables, field as usize, code as usize);
                    }
                    left &= !(mask << shift);
                }
            }
        }
        Some(sum)
    }

    fn learn(
        &mut self,
        names: &mut Names<'_>,
        tables: &Tables,
        (number, format): (usize, &Format),
    ) {
        let (mut all, mut telling) = (vec![Bit::Plain(0); 64], 0);
        for field in 0..format.leaves() {
            let (shift, width) = format.bits(field).unwrap_or_default();
            if !is_chosen(names, tables, field) {
                continue;
            }
            telling |= ((1 << width) - 1) << shift;
            for bit in 0..width {
                all[(shift + bit) as usize] = match tables.is_plain(field) {
                    true => Bit::Plain(part(names, tables, field, 1 << bit)),
                    false => Bit::Code {
                        field: u32::try_from(field).unwrap_or(u32::MAX),
                        shift,
                        mask: (1 << width) - 1,
                    },
                };
            }
        }
        if number >= self.formats.len() {
            self.formats.resize(number + 1, (Vec::new(), 0));
        }
        self.formats[number] = (all, telling);
    }

    fn part(&mut self, names: &mut Names<'_>, tables: &Tables, field: usize, code: usize) -> u64 {
        let known = self.parts.get(field).and_then(|parts| parts.get(code));
        match known.copied().unwrap_or(0) {
            0 if code != 0 => self.part_of(names, tables, field, code),
            known => known,
        }
    }

    #[cold]
    fn part_of(&mut self, names: &mut Names<'_>, tables: &Tables, field: usize, at: usize) -> u64 {
        let code = u32::try_from(at).unwrap_or(u32::MAX);
        let sum = part(names, tables, field, tables.value(field, code));
        if field >= self.parts.len() {
            self.parts.resize(field + 1, Vec::new());
        }
        let parts = &mut self.parts[field];
        if at >= parts.len() {
            parts.resize(at + 1, 0);
        }
        parts[at] = sum;
        sum
    }
}

/// What a field's value adds to the sum.
fn part(names: &mut Names<'_>, tables: &Tables, field: usize, value: u64) -> u64 {
    match tables.parts(field) {
        None => names.owner_part(field, u32::try_from(value).unwrap_or(u32::MAX)),
        Some(parts) => parts.iter().fold(0, |sum, part| {
            let bits = part.of(value) << part.shift;
            sum ^ names.owner_part(part.leaf as usize, bits)
        }),
    }
}

/// Checks whether a leaf of this field counts in the owner hash.
fn is_chosen(names: &Names<'_>, tables: &Tables, field: usize) -> bool {
    let is_chosen = |leaf: usize| names.chosen.get(leaf).is_none_or(|&chosen| chosen);
    match tables.parts(field) {
        None => is_chosen(field),
        Some(parts) => parts.iter().any(|part| is_chosen(part.leaf as usize)),
    }
}
