//! What the reduction asks of a machine: which tasks may step, what a step touches, how to do it.
//!
//! Nothing here knows statements. A machine is anything whose steps touch *cells*: two steps of
//! different tasks commute unless one writes a cell that the other reads or writes.

/// A part of the shared state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// A place in memory, under any number that the machine gives it.
    Memory(u64),
    /// Whether a task, in the machine's numbering, has finished. Written once, by the task itself.
    Finished(u32),
    /// A unit of a [`Counter`](super::Counter), by the counter's cell and the unit's number. Written once, by the post that makes it.
    Unit(u64, i64),
}

/// Whether a task can step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ready,
    /// It waits for a condition that does not hold.
    Blocked,
    /// It has finished, failed, or was dropped: it never steps again.
    Gone,
    /// It could go on for ever without doing anything new: it never steps again, but is not blocked.
    Round,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The task goes on, waits, or has finished.
    Ran,
    /// The step has an error of the program. The task is gone, the others go on: as long as they have not seen the
    /// error, their steps belong to executions without it.
    Failed,
    /// An assumption did not hold. The task is gone, the execution does not count.
    Dropped,
}

/// The choices of data inside one step: a script gives the first ones, and all others are 0.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// By choice: the number that was chosen, and how many possibilities there were.
    made: Vec<(u32, u32)>,
    next: usize,
}

impl Choices {
    /// A number below `count`, which is at least 1.
    pub fn choose(&mut self, count: u32) -> u32 {
        if self.next == self.made.len() {
            self.made.push((0, count));
        }
        // A step repeated makes the same choices, unless the machine is breaking off.
        let (pick, _) = self.made[self.next];
        self.next += 1;
        pick
    }

    /// The choices of a step that was made, to make it again.
    #[must_use]
    pub fn made_before(choices: &[(u32, u32)]) -> Self {
        Self {
            made: choices.to_vec(),
            next: 0,
        }
    }

    /// All choices so far, and those that are still to be made by the script; each with the number of possibilities.
    #[must_use]
    pub fn made(&self) -> &[(u32, u32)] {
        &self.made
    }

    /// Begins a step with these choices.
    pub(super) fn script(&mut self, choices: &[(u32, u32)]) {
        self.made.clear();
        self.made.extend_from_slice(choices);
        self.next = 0;
    }

    /// Takes the next script in lexicographic order. Returns whether there is one.
    pub(super) fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((pick, count)) = self.made.pop() {
            if pick + 1 < count {
                self.made.push((pick + 1, count));
                return true;
            }
        }
        false
    }
}

/// An access to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub cell: Cell,
    pub write: bool,
    /// Whether the operation touches its object's own state.
    pub own: bool,
}

/// What one step touched.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    pub(super) list: Vec<Access>,
    /// Whether the step would have touched the same cells and made no choice, whatever the memory had held.
    pub(super) fixed: bool,
    /// The operation with which the step begins, and a mask of those with which it commutes.
    pub(super) operation: (u32, u64),
}

impl Accesses {
    /// The step reads a cell.
    pub fn read(&mut self, cell: Cell) {
        self.touch(cell, false, false);
    }

    /// The step writes a cell.
    pub fn write(&mut self, cell: Cell) {
        self.touch(cell, true, false);
    }

    /// The step's operation reads or writes a cell that only operations and conditions touch.
    pub fn own(&mut self, cell: Cell, write: bool) {
        self.touch(cell, write, true);
    }

    fn touch(&mut self, cell: Cell, write: bool, own: bool) {
        self.list.push(Access { cell, write, own });
    }

    /// The step is an operation of an object. Bit `n` of `commutes` says that it is known to commute with operation
    /// `n` whenever both are enabled, as far as their own cells go. Operations have numbers from 1 to 63.
    pub fn operation(&mut self, number: u32, commutes: u64) {
        self.operation = (number, commutes);
    }

    /// Promises that the step touches these cells and makes no choice, whatever the memory holds
    /// (as long as it is enabled). Saves work, changes no answer.
    pub fn promise_fixed(&mut self) {
        self.fixed = true;
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.fixed = false;
        self.operation = (0, 0);
    }
}

/// A program with tasks, as the reduction sees it.
///
/// Tasks are numbered from 0 in the order in which they were posted. A task's steps depend on nothing
/// but what they read, and in a given state a step depends on its choices only.
pub trait Model {
    type State: Clone;

    /// The configuration in which nothing has run and task 0 alone exists.
    fn start(&self) -> Self::State;

    /// How many tasks have been posted, those that are gone included.
    fn tasks(&self, state: &Self::State) -> u32;

    /// Whether a task can step.
    fn status(&mut self, state: &Self::State, task: u32) -> Status;

    /// Adds the cells on which the condition of a task's next step depends: all of them, *whatever they hold* (not only
    /// those that decide it now). Adds none for a step that waits for nothing. Which cells [`Cell::Finished`] and
    /// [`Cell::Unit`] it adds may depend on what other cells hold, because a write of these two never blocks a task again.
    fn guard(&mut self, state: &Self::State, task: u32, cells: &mut Vec<Cell>);

    /// The next step of a task that is ready. Reports what it reads and writes apart from the condition.
    fn step(
        &mut self,
        state: &mut Self::State,
        task: u32,
        choices: &mut Choices,
        accesses: &mut Accesses,
    ) -> Outcome;
}
