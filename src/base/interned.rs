//! Dense numbers for values: equal values have equal numbers.

use std::borrow::Borrow;
use std::hash::Hash;

use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;

/// Values, each once, in the order in which they came.
#[derive(Clone, Debug)]
pub struct Interned<T>(IndexSet<T, FxBuildHasher>);

impl<T: Eq + Hash> Interned<T> {
    /// Returns the number of a value. A new value gets the next number.
    ///
    /// # Panics
    /// When there are 2^32 of them: memory ends long before.
    pub fn intern(&mut self, value: T) -> u32 {
        number(self.0.insert_full(value).0)
    }

    /// Does the same for a borrowed value, and copies it only if it is new.
    pub fn intern_copy<Q>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
        Q: ?Sized + Eq + Hash,
        for<'q> T: From<&'q Q>,
    {
        match self.0.get_index_of(value) {
            Some(known) => number(known),
            None => self.intern(value.into()),
        }
    }

    /// Returns the number of a value that was interned before.
    pub fn known<Q: ?Sized + Hash + Equivalent<T>>(&self, value: &Q) -> Option<u32> {
        self.0.get_index_of(value).map(number)
    }

    /// The value of a number.
    pub fn get(&self, number: u32) -> &T {
        &self.0[number as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer values than 2^32")
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self(IndexSet::default())
    }
}
