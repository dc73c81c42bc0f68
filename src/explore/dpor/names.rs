//! Names of tasks that last.
//!
//! A machine numbers tasks in the order of posting, so that two posts by different tasks, though they
//! commute, give other numbers in the other order. The reduction compares executions, so a name says which task
//! posted the task, and how many that one had posted before. The name is the same in equivalent executions.

use rustc_hash::FxHashMap;

/// All names given so far, dense from 0.
#[derive(Debug, Default)]
pub(super) struct NameTable {
    names: FxHashMap<(u32, u32), u32>,
    /// How many there are; the first task's included.
    count: u32,
}

impl NameTable {
    /// A table with the first task.
    pub(super) fn new() -> Self {
        Self {
            names: FxHashMap::default(),
            count: 1,
        }
    }

    /// How many tasks have names.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    fn get(&mut self, parent: u32, nth: u32) -> u32 {
        let next = self.count;
        let name = *self.names.entry((parent, nth)).or_insert(next);
        self.count += u32::from(name == next);
        name
    }
}

/// The names of the tasks of one configuration.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// By the machine's number.
    names: Vec<u32>,
    /// By the machine's number: who posted the task, and how many tasks it has posted.
    posts: Vec<(u32, u32)>,
    /// By name: the machine's number.
    numbers: Vec<u32>,
}

impl Names {
    /// The names of the configuration with only the first task.
    pub(super) fn new() -> Self {
        Self {
            names: vec![0],
            posts: vec![(0, 0)],
            numbers: vec![0],
        }
    }

    /// No names, as a placeholder.
    pub(super) const fn none() -> Self {
        Self {
            names: Vec::new(),
            posts: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The lasting name of a task.
    pub(super) fn name(&self, number: u32) -> u32 {
        self.names[number as usize]
    }

    /// The machine's number of a task that exists.
    pub(super) fn number(&self, name: u32) -> u32 {
        self.numbers[name as usize]
    }

    /// How many tasks exist.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Names the next task that a task posts, and returns the name.
    pub(super) fn post(&mut self, table: &mut NameTable, parent: u32) -> u32 {
        let nth = self.posts[parent as usize].1;
        let name = table.get(self.names[parent as usize], nth);
        self.add(parent, name);
        name
    }

    /// Names the next task that a task posts, if the table knows its name.
    pub(super) fn post_known(&mut self, table: &NameTable, parent: u32) {
        let posted = (self.names[parent as usize], self.posts[parent as usize].1);
        if let Some(&name) = table.names.get(&posted) {
            self.add(parent, name);
        }
    }

    fn add(&mut self, parent: u32, name: u32) {
        self.posts[parent as usize].1 += 1;
        let number = u32::try_from(self.names.len()).expect("fewer tasks than 2^32");
        self.names.push(name);
        self.posts.push((parent, 0));
        if self.numbers.len() <= name as usize {
            self.numbers.resize(name as usize + 1, u32::MAX);
        }
        self.numbers[name as usize] = number;
    }

    /// Forgets the tasks posted last, so that `len` tasks remain.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.names.len() > len {
            self.names.pop();
            if let Some((parent, _)) = self.posts.pop() {
                self.posts[parent as usize].1 -= 1;
            }
        }
    }

    /// Becomes a copy of the first `len` tasks of another.
    pub(super) fn copy(&mut self, other: &Self, len: usize) {
        self.names.clone_from(&other.names);
        self.posts.clone_from(&other.posts);
        self.numbers.clone_from(&other.numbers);
        self.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_keeps_its_name_when_others_post_first() {
        let mut table = NameTable::new();
        let mut names = Names::new();
        let (a, b) = (names.post(&mut table, 0), names.post(&mut table, 0));
        let (child_of_a, child_of_b) = (names.post(&mut table, 1), names.post(&mut table, 2));
        names.truncate(3);
        assert_eq!(names.post(&mut table, 2), child_of_b);
        assert_eq!(names.post(&mut table, 1), child_of_a);
        assert_eq!((names.number(child_of_b), names.number(child_of_a)), (3, 4));
        assert_eq!((names.name(1), names.name(2)), (a, b));
        assert_eq!(table.len(), 5);
    }
}
