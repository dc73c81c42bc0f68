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

pub(crate) use compact::Compact;
pub(crate) use fold::{Exact, Fold, Reader, Tables};
pub(crate) use format::{Format, Whole};
pub(crate) use layout::{Part, Slot};
pub(crate) use roots::Roots;

/// Mixes the bits of a number.
fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (n ^ n >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// A place in a table of that size, from the high bits of a hash.
fn place(hash: u64, size: usize) -> usize {
    let product = u128::from(hash) * size as u128;
    usize::try_from(product >> 64).unwrap_or(0)
}
