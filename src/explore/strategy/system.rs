//! What a search knows of a system: states as rows of numbers, and what follows from each.
//!
//! These are systems: a program under a scheduler ([`TreeWorker`](super::tree::TreeWorker)), the fair scheduler around another
//! system (`fair::system`), and, in tests, the slow machine and tables.

use std::ops::Deref;

use base::source::Span;
use ir::ErrorKind;

use super::expand::{Failure, Output};
use machine::limits::Halt;
use machine::space::Step;

/// A step to another state.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub step: Step,
    /// Whether the step ends at a `sleep`.
    pub slept: bool,
    /// Whether its task is gone after the step.
    pub gone: bool,
    /// Where the row of the state begins.
    from: usize,
}

/// Steps to other states, with the rows of these.
#[derive(Debug, Default)]
pub struct Moves {
    all: Vec<Move>,
    /// The rows, one after the other.
    rows: Vec<u32>,
}

impl Moves {
    /// Takes a step to a state.
    pub fn push(
        &mut self,
        step: Step,
        slept: bool,
        gone: bool,
        row: impl IntoIterator<Item = u32>,
    ) {
        let from = self.rows.len();
        self.rows.extend(row);
        self.all.push(Move {
            step,
            slept,
            gone,
            from,
        });
    }

    /// How many bytes the moves take, with their rows.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&*self.all) + size_of_val(&*self.rows)) as u64
    }

    /// The row to which a step leads.
    pub fn row(&self, number: usize) -> &[u32] {
        let to = self.all.get(number + 1).map_or(self.rows.len(), |m| m.from);
        &self.rows[self.all[number].from..to]
    }
}

impl Deref for Moves {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.all
    }
}

/// What follows a state.
#[derive(Debug, Default)]
pub struct Expansion {
    /// Steps to other states.
    pub moves: Moves,
    /// What else there is to report.
    pub told: Output,
}

impl Expansion {
    /// How many executions end here.
    pub fn executions(&self) -> u64 {
        self.told.ended + self.told.failures.len() as u64
    }

    /// How executions fail here.
    pub fn failures(&self) -> impl ExactSizeIterator<Item = Failure> + '_ {
        self.told.failures.iter().map(|&(_, failure)| failure)
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.moves.all.clear();
        self.moves.rows.clear();
        self.told.clear();
    }
}

/// A system that can be searched. Each worker has its own; equal rows are equal states in all of them.
pub trait System {
    /// What the first segment leads to.
    fn begin(&mut self, out: &mut Expansion);

    /// What follows a state.
    fn expand(&mut self, row: &[u32], out: &mut Expansion);

    /// Whether no task is pending.
    fn is_final(&self, row: &[u32]) -> bool;

    /// The kind and place of a failure.
    fn error(&self, failure: Failure) -> (ErrorKind, Span);

    fn halt(&self) -> &Halt;

    /// How many bytes the system holds, beside the rows of expansions.
    fn bytes(&self) -> u64;

    /// The part of a row that is the state of the program.
    fn state<'r>(&self, row: &'r [u32]) -> &'r [u32] {
        row
    }

    /// The leaves of the tasks by their places.
    fn tasks<'r>(&self, _row: &'r [u32]) -> &'r [u32] {
        &[]
    }

    /// How many delays in a row lead back to the same state.
    fn circle(&mut self, _row: &[u32]) -> u32 {
        0
    }

    /// Whether some step stands for several that lead to the same state.
    fn merges(&self) -> bool {
        false
    }

    /// By leaf, for the first leaves of a row: how many bits are in use, if that is known.
    fn widths(&self) -> Vec<Option<u32>> {
        Vec::new()
    }
}
