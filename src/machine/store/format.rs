//! Which bits of a state hold which leaf.
//!
//! A format is a list of widths; the codes of a row, one behind the other, are a
//! string of bits. A short one is a key by itself; a long one is cut into pieces. Formats
//! are made as they are needed, each at least as wide as the one before everywhere. A row
//! is written in the first format that has room for it: so each row is written in one way,
//! whatever formats come later.

use super::pairs::BITS;
use super::shape::Shape;

/// Rows of more full pieces than this are not cut evenly.
const EVEN: u32 = 16;

/// Where a leaf's code is.
#[derive(Clone, Copy, Debug)]
struct Field {
    piece: u32,
    shift: u32,
    width: u32,
}

/// So many bits of a key hold a row, or the pair at the root of one.
pub(super) const KEY: u32 = 2 * BITS;

#[derive(Debug)]
pub struct Format {
    fields: Vec<Field>,
    /// How many bits a piece has.
    size: u32,
    /// Set if rows of this format are their own keys.
    pub(super) whole: Option<Whole>,
    /// The tree over the pieces.
    pub(super) shape: Shape,
}

/// A format whose rows are their own keys: one piece holds everything.
#[derive(Debug)]
pub struct Whole {
    number: usize,
    /// The bits for which the formats before have no room. A row that has none of them is not written in this one, unless
    /// it is too long for the others.
    more: u64,
    /// By the number of bits up to the highest that is set: the first format with enough leaves for such a row.
    longer: [u8; KEY as usize + 1],
}

impl Whole {
    /// Whether a row of those bits is written in this format, and not in one before.
    pub fn owns(&self, bits: u64) -> bool {
        let used = (u64::BITS - bits.leading_zeros()) as usize;
        bits & self.more != 0 || usize::from(self.longer[used]) == self.number
    }

    /// The key of a row of those bits.
    pub fn key(&self, bits: u64) -> u64 {
        (self.number as u64 + 1) << KEY | bits
    }
}

impl Format {
    /// Makes a format with these widths, behind the formats in `before`. Rows have at least `least` leaves.
    pub fn new(widths: &[u32], before: &[Self], least: usize) -> Self {
        let total: u32 = widths.iter().sum();
        let (pieces, size) = match total <= KEY {
            true => (1, KEY),
            false => cut(total, widths.iter().copied().max().unwrap_or(0)),
        };
        let mut next = 0;
        let mut fields = Vec::with_capacity(widths.len());
        for &width in widths {
            fields.push(Field {
                piece: next / size,
                shift: next % size,
                width,
            });
            next += width;
        }
        let mut format = Self {
            fields,
            size,
            whole: None,
            shape: Shape::new(pieces),
        };
        format.whole = (total <= KEY).then(|| format.whole_behind(before, least));
        format
    }

    fn whole_behind(&self, before: &[Self], least: usize) -> Whole {
        let mut whole = Whole {
            number: before.len(),
            more: 0,
            longer: [0; KEY as usize + 1],
        };
        let first = |len: usize| before.partition_point(|f| f.leaves() < len);
        let narrow = |leaf: usize| {
            before
                .last()
                .map_or(0, |f| f.fields.get(leaf).map_or(0, |f| f.width))
        };
        whole
            .longer
            .fill(u8::try_from(first(least)).unwrap_or(u8::MAX));
        for (leaf, f) in self.fields.iter().enumerate() {
            let from = f.shift + narrow(leaf);
            whole.more |= (1 << (f.shift + f.width)) - (1 << from);
            let longer = u8::try_from(first(least.max(leaf + 1))).unwrap_or(u8::MAX);
            whole.longer[f.shift as usize + 1..=(f.shift + f.width) as usize].fill(longer);
        }
        whole
    }

    /// Returns the lowest bit of a leaf's code in a row that is its own key, and how many bits the code has.
    pub fn bits(&self, leaf: usize) -> Option<(u32, u32)> {
        let f = self.fields.get(leaf)?;
        Some((f.shift, f.width))
    }

    /// A leaf's code in a row that is its own key.
    pub(super) fn get_whole(&self, bits: u64, leaf: usize) -> u32 {
        let f = self.fields[leaf];
        u32::try_from(bits >> f.shift & ((1 << f.width) - 1)).unwrap_or(u32::MAX)
    }

    /// Such a row with another code of a leaf.
    pub(super) fn put_whole(&self, bits: u64, leaf: usize, code: u32) -> u64 {
        let f = self.fields[leaf];
        bits & !(((1 << f.width) - 1) << f.shift) | u64::from(code) << f.shift
    }

    /// How many leaves it has room for.
    pub fn leaves(&self) -> usize {
        self.fields.len()
    }

    pub fn width(&self, leaf: usize) -> u32 {
        self.fields[leaf].width
    }

    /// Whether a leaf has room for a code.
    pub fn has_room(&self, leaf: usize, code: u32) -> bool {
        leaf < self.fields.len() && u64::from(code) >> self.fields[leaf].width == 0
    }

    pub fn get(&self, pieces: &[u32], leaf: usize) -> u32 {
        let f = self.fields[leaf];
        if f.width == 0 {
            return 0;
        }
        let low = u64::from(pieces[f.piece as usize]);
        let bits = if f.shift + f.width > self.size {
            low | u64::from(pieces[f.piece as usize + 1]) << self.size
        } else {
            low
        };
        let code = bits >> f.shift & ((1 << f.width) - 1);
        u32::try_from(code).unwrap_or(u32::MAX)
    }

    /// Writes a leaf's code; tells which pieces it is in.
    pub fn put(&self, pieces: &mut [u32], leaf: usize, code: u32, mut touched: impl FnMut(u32)) {
        let f = self.fields[leaf];
        if f.width == 0 {
            return;
        }
        let whole = (1u64 << self.size) - 1;
        let (mask, bits) = (
            ((1u64 << f.width) - 1) << f.shift,
            u64::from(code) << f.shift,
        );
        let mut write = |piece: u32, mask: u64, bits: u64| {
            let old = u64::from(pieces[piece as usize]);
            pieces[piece as usize] = u32::try_from(old & !mask | bits).unwrap_or(u32::MAX);
            touched(piece);
        };
        write(f.piece, mask & whole, bits & whole);
        if f.shift + f.width > self.size {
            write(f.piece + 1, mask >> self.size, bits >> self.size);
        }
    }
}

/// Returns how many pieces a row of `total` bits has, and how many bits a piece has. A field is in at most two pieces.
///
/// A row that fits into the root's pair is its own key. Other rows have pieces of equal width, at most a power of two of
/// them. So the pairs below the root are halves and quarters of states, of which there are few, and not nearly whole
/// states beside a small rest. Long rows are made of full pieces.
fn cut(total: u32, widest: u32) -> (u32, u32) {
    let full = total.div_ceil(BITS).max(1);
    if full <= 2 || full > EVEN {
        return (full, BITS);
    }
    let size = total.div_ceil(full.next_power_of_two()).max(widest);
    (total.div_ceil(size), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_as_wide_as_each_other() {
        assert_eq!(cut(0, 0), (1, BITS));
        assert_eq!(cut(58, 3), (2, BITS));
        assert_eq!(cut(59, 3), (4, 15));
        assert_eq!(cut(116, 3), (4, 29));
        assert_eq!(cut(66, 25), (3, 25));
        assert_eq!(cut(117, 3), (8, 15));
        assert_eq!(cut(29 * 100, 3), (100, BITS));
    }

    #[test]
    fn codes_come_back() {
        let widths = [3, 0, 29, 1, 28, 7, 29];
        let format = Format::new(&widths, &[], 0);
        let mut pieces = vec![0; format.shape.leaves as usize];
        let code =
            |leaf: usize, turn: u32| (leaf as u32 * 0x0123_4567 + turn) & ((1 << widths[leaf]) - 1);
        for turn in 0..5 {
            for leaf in 0..widths.len() {
                assert!(format.has_room(leaf, code(leaf, turn)));
                format.put(&mut pieces, leaf, code(leaf, turn), |_| {});
            }
            for leaf in 0..widths.len() {
                assert_eq!(format.get(&pieces, leaf), code(leaf, turn));
            }
        }
        assert!(!format.has_room(3, 2) && !format.has_room(7, 0));
    }
}
