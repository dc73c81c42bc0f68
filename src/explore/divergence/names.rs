//! What tasks are called, and what was chosen for them, whatever the order of the others.

use rustc_hash::FxHashMap;

use ir::Value;

/// A task by its descent: the first task is 0; every other is a certain child of its parent.
pub(super) type Name = u32;

/// The choices that were made for a task, in their order. None is 0.
pub(super) type Choices = u32;

/// Names and choices by number.
#[derive(Default)]
pub(super) struct Names {
    children: FxHashMap<(Name, u32), Name>,
    chosen: FxHashMap<(Choices, Value), Choices>,
}

impl Names {
    /// What a task posts as its first (0), second, … child.
    pub fn child(&mut self, parent: Name, index: u32) -> Name {
        let fresh = number(self.children.len());
        *self.children.entry((parent, index)).or_insert(fresh)
    }

    pub fn bytes(&self) -> u64 {
        (self.children.capacity() * 13 + self.chosen.capacity() * 48) as u64
    }

    /// More choices after some.
    pub fn choose(&mut self, before: Choices, more: &[Value]) -> Choices {
        more.iter().fold(before, |before, value| {
            let fresh = number(self.chosen.len());
            *(self.chosen.entry((before, value.clone()))).or_insert(fresh)
        })
    }
}

/// The number of the next entry.
fn number(len: usize) -> u32 {
    u32::try_from(len + 1).expect("memory ends before 2^32 entries")
}
