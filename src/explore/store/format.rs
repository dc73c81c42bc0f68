//! Which bits of a state hold which leaf.
//!
//! A format is a list of widths; the codes of a row, one behind the other, are a
//! string of bits that is cut into pieces. Formats are made as they are needed, each
//! at least as wide as the one before everywhere. A row is written in the first
//! format that has room for it: so each row is written in one way, whatever
//! formats come later.

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

/// A format.
#[derive(Debug)]
pub(super) struct Format {
    fields: Vec<Field>,
    /// How many bits a piece has.
    size: u32,
    /// The tree over the pieces.
    pub shape: Shape,
}

impl Format {
    /// A format with those widths.
    pub fn new(widths: &[u32]) -> Self {
        let total: u32 = widths.iter().sum();
        let (pieces, size) = cut(total, widths.iter().copied().max().unwrap_or(0));
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
        Self {
            fields,
            size,
            shape: Shape::new(pieces),
        }
    }

    /// How many leaves it has room for.
    pub fn leaves(&self) -> usize {
        self.fields.len()
    }

    /// A leaf's width.
    pub fn width(&self, leaf: usize) -> u32 {
        self.fields[leaf].width
    }

    /// Whether a leaf has room for a code.
    pub fn has_room(&self, leaf: usize, code: u32) -> bool {
        leaf < self.fields.len() && u64::from(code) >> self.fields[leaf].width == 0
    }

    /// A leaf's code.
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

/// How many pieces, and of how many bits, for so many bits in all; a field is in at most two pieces.
///
/// What fits into the root's pair is its own key. Else the pieces are a power of two in number and as wide as each
/// other: the pairs below the root are then halves and quarters of states, of which there are few, and not nearly
/// whole states beside a small rest. Long rows are made of full pieces.
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
        let format = Format::new(&widths);
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
