//! How the values of a model are read.

use super::encode::{Encoding, Plan};
use super::term::{Sort, Term, Terms};

/// How the value of a variable is read: the encodings of a map's indices, from the first inwards, and of the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Empty if the variable is no map.
    pub indices: Vec<Encoding>,
    /// The encoding of the value, or of the innermost elements of a map.
    pub element: Encoding,
}

impl Shape {
    #[must_use]
    pub fn of(terms: &Terms, plan: &Plan, term: Term) -> Self {
        let depth = match terms.sort(term) {
            Sort::Map { depth, .. } => u32::from(depth),
            _ => 0,
        };
        Self {
            indices: (1..=depth).map(|d| plan.index(term, d)).collect(),
            element: plan.encoding(term),
        }
    }

    /// What an unsigned number means as an element.
    #[must_use]
    pub fn element(&self, number: i128) -> i128 {
        signed(number, self.element)
    }
}

/// What an unsigned number means: two's complement where the encoding is signed.
#[must_use]
pub fn signed(number: i128, encoding: Encoding) -> i128 {
    match encoding {
        Encoding::Bits {
            width,
            signed: true,
        } if number >> (width - 1) & 1 == 1 => number - (1 << width),
        _ => number,
    }
}
