//! Names of tasks, and the choices made for them. Neither depends on the order of other tasks.

use rustc_hash::FxHashMap;

use ir::Value;

/// A task by its descent: the first task is 0; every other is a certain child of its parent.
pub(super) type Name = u32;

/// The choices that were made for a task, in their order, as a number. 0 stands for no choice.
pub(super) type Choices = u32;

/// Names and choices by number.
#[derive(Default)]
pub(super) struct Names {
    children: FxHashMap<(Name, u32), Name>,
    chosen: FxHashMap<(Choices, Value), Choices>,
}

impl Names {
    /// The name of a child by its index: a task's first child has index 0.
    pub fn child(&mut self, parent: Name, index: u32) -> Name {
        let fresh = number(self.children.len());
        *self.children.entry((parent, index)).or_insert(fresh)
    }

    pub fn bytes(&self) -> u64 {
        (self.children.capacity() * 13 + self.chosen.capacity() * 48) as u64
    }

    /// Adds choices behind others, and returns the number for all of them.
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
