//! Sets of fields of the record of globals.

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<u64>);

impl Fields {
    /// Adds a field; says whether it is new.
    pub fn insert(&mut self, field: u32) -> bool {
        let (word, bit) = (field as usize / 64, 1u64 << (field % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Adds all fields of another set; says whether one was new.
    pub fn extend(&mut self, other: &Self) -> bool {
        let before = self.clone();
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
        *self != before
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// The fields, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let words = self.0.iter().zip(0u32..);
        words.flat_map(|(&word, i)| {
            let bits = (0..64).filter(move |b| word >> b & 1 == 1);
            bits.map(move |b| i * 64 + b)
        })
    }
}

impl FromIterator<u32> for Fields {
    fn from_iter<I: IntoIterator<Item = u32>>(fields: I) -> Self {
        let mut set = Self::default();
        for field in fields {
            set.insert(field);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;

    #[test]
    fn sets_grow_and_say_so() {
        let mut a: Fields = [3, 70].into_iter().collect();
        assert!(!a.extend(&[3].into_iter().collect()));
        assert!(a.extend(&[64].into_iter().collect()));
        assert_eq!(a.iter().collect::<Vec<_>>(), [3, 64, 70]);
        assert!(!a.is_empty() && Fields::default().is_empty());
    }
}
