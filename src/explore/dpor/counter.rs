//! Counters that tasks wait for, as semaphores are: which of their operations are ordered.
//!
//! A *post* adds one to a counter. A *take* waits until the counter is greater than zero, and takes one off. Neither
//! looks at it otherwise. Number the posts in their order from the counter's first value plus one, and the takes in
//! theirs from one. Take `n` can happen as soon as unit `n` is there: from the beginning, or since post `n`. So the program
//! is equal to one without the counter. There a post adds one to `posts` and makes the unit of that number; a take waits
//! for the unit of number `takes + 1`, and adds one to `takes`; the value is `posts - takes`. In it the usual rule
//! holds: steps conflict where one writes what the other touches. Its cells are `posts`, `takes` and the units.
//! So posts are ordered among themselves, and so are takes. A take comes behind the post of its unit. A post and a take
//! commute where both can happen. Any other step that reads the value reads `posts` and `takes`. Any other step that changes
//! the value writes both, and units have new numbers from there on. The units that it makes are no cells, because every later
//! take comes behind it.
//!
//! Two posts in either order also lead to one state, and so do two takes that find enough. The reduction does not use this.
//! With two posts and a take, all four orders in which the take is not first would be one trace: the take comes behind one post
//! *or* the other. No partial order says that, but races, sleep sets and wakeup trees are made of a partial order. They need a
//! step to touch the same cells after commuting steps are exchanged; here the take would need another unit.

use super::model::{Accesses, Cell};

/// How often a counter was posted and taken; the difference is its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counter {
    posts: i64,
    takes: i64,
}

/// The bit that makes the cell of `takes` from the counter's cell.
const TAKES: u64 = 1 << 63;

impl Counter {
    /// A counter with a value.
    #[must_use]
    pub fn new(value: i64) -> Self {
        Self {
            posts: value,
            takes: 0,
        }
    }

    /// What a take waits for, where `cell` is the counter's.
    pub fn awaited(self, cell: u64, cells: &mut Vec<Cell>) {
        cells.push(Cell::Memory(cell | TAKES));
        cells.push(Cell::Unit(cell, self.takes + 1));
    }

    /// What any other condition on the value waits for.
    pub fn looked_at(cell: u64, cells: &mut Vec<Cell>) {
        cells.extend([Cell::Memory(cell), Cell::Memory(cell | TAKES)]);
    }

    pub fn post(&mut self, cell: u64, accesses: &mut Accesses) {
        self.posts += 1;
        accesses.write(Cell::Memory(cell));
        accesses.write(Cell::Unit(cell, self.posts));
    }

    /// Takes off a unit, which has to be there.
    pub fn take(&mut self, cell: u64, accesses: &mut Accesses) {
        self.takes += 1;
        accesses.write(Cell::Memory(cell | TAKES));
        accesses.read(Cell::Unit(cell, self.takes));
    }

    /// Reports that a step reads the value.
    pub fn read(cell: u64, accesses: &mut Accesses) {
        accesses.read(Cell::Memory(cell));
        accesses.read(Cell::Memory(cell | TAKES));
    }

    /// Gives the counter another value.
    pub fn write(&mut self, value: i64, cell: u64, accesses: &mut Accesses) {
        accesses.write(Cell::Memory(cell));
        accesses.write(Cell::Memory(cell | TAKES));
        self.takes = self.takes.max(self.posts);
        self.posts = self.takes + value;
    }
}
