//! The states that were seen.
//!
//! A row of leaves becomes a short string of bits: each leaf is the number of its
//! value among those that it has had. What does not fit into 58 bits is folded into
//! a binary tree whose inner nodes are pairs with numbers of their own, so that
//! states share what they have in common. With hash compaction nothing but a hash
//! is kept.

mod compact;
mod dict;
mod fold;
mod format;
mod layout;
mod pairs;
mod roots;
mod rows;
mod shape;
mod slots;

pub use compact::Compact;
pub use fold::{Exact, Fold, Reader, Tables};
pub use format::{Format, Whole};
pub use layout::{Part, Slot};
pub use roots::Roots;

const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9];

/// Mixes the bits of a number. Nothing is lost: different numbers stay different, and 0 stays 0.
pub fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 32).wrapping_mul(FACTORS[0]);
    (n ^ n >> 29).wrapping_mul(FACTORS[1])
}

/// The number that was mixed.
pub fn unmix(n: u64) -> u64 {
    const INVERSE: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];
    let n = n.wrapping_mul(INVERSE[1]);
    let n = (n ^ n >> 29 ^ n >> 58).wrapping_mul(INVERSE[0]);
    n ^ n >> 32
}

/// What an odd number has to be multiplied with to give 1. Each turn doubles the bits that are right, at first three.
const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut bits) = (odd, 3);
    while bits < u64::BITS {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

/// A place in a table of that size, from the high bits of a hash.
fn place(hash: u64, size: usize) -> usize {
    let product = u128::from(hash) * size as u128;
    usize::try_from(product >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mixed_comes_back() {
        let mut rng = fastrand::Rng::with_seed(4);
        let numbers = (0..64).map(|bit| 1 << bit).chain([0, u64::MAX]);
        for n in numbers.chain((0..1000).map(|_| rng.u64(..))) {
            assert_eq!(unmix(mix(n)), n);
        }
        assert_eq!(mix(0), 0);
    }
}
