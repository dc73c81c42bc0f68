//! Sets of tasks.

use smallvec::SmallVec;

/// A set of small numbers. Equal sets are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tasks {
    /// 64 members a word; the last word is not 0.
    words: SmallVec<[u64; 2]>,
}

fn at(task: u32) -> (usize, u64) {
    (task as usize / 64, 1 << (task % 64))
}

impl Tasks {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn insert(&mut self, task: u32) {
        let (word, bit) = at(task);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    pub fn remove(&mut self, task: u32) {
        let (word, bit) = at(task);
        if let Some(w) = self.words.get_mut(word) {
            *w &= !bit;
        }
        self.trim();
    }

    /// Whether the task is in the set.
    pub fn contains(&self, task: u32) -> bool {
        let (word, bit) = at(task);
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }

    /// Whether the set has no task.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// `self := self ∪ other`
    pub fn add(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (w, o) in self.words.iter_mut().zip(&other.words) {
            *w |= o;
        }
    }

    /// `self := self ∩ other`
    pub fn keep(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (w, o) in self.words.iter_mut().zip(&other.words) {
            *w &= o;
        }
        self.trim();
    }

    /// `self \ other`
    pub fn minus(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        for (w, o) in rest.words.iter_mut().zip(&other.words) {
            *w &= !o;
        }
        rest.trim();
        rest
    }

    /// Whether the sets have a common member.
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// The members, the least first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.words).flat_map(|(i, &word)| {
            (0..64)
                .filter(move |b| word >> b & 1 == 1)
                .map(move |b| i * 64 + b)
        })
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

impl FromIterator<u32> for Tasks {
    fn from_iter<I: IntoIterator<Item = u32>>(tasks: I) -> Self {
        let mut set = Self::new();
        for task in tasks {
            set.insert(task);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_more_than_a_word() {
        let set: Tasks = [3, 200, 64].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 200]);
        let mut small = set.clone();
        small.remove(200);
        assert_eq!(small, [64, 3].into_iter().collect());
        assert_eq!(set.minus(&small), [200].into_iter().collect());
        assert!(set.meets(&small) && !set.minus(&small).meets(&small));
        small.keep(&[64].into_iter().collect());
        assert_eq!(small, [64].into_iter().collect());
        small.add(&set);
        assert_eq!(small, set);
        assert!(small.minus(&set).is_empty() && set.contains(64) && !set.contains(65));
    }
}
