//! The tree of executions: what follows a state, whether or not it was seen before.

use crate::ir::ErrorKind;
use crate::source::Span;

use super::super::machine::Memo;
use super::super::space::{Space, Step};
use super::expand::{Expander, Failure, Finals, Output};

/// What follows a state.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// Steps to other states, and where their rows begin in `rows`.
    pub steps: Vec<(Step, u32)>,
    /// The rows, one after the other; behind the last nothing.
    rows: Vec<u32>,
    /// What else there is to tell.
    pub told: Output,
}

impl Expansion {
    /// The row of a step.
    pub fn row(&self, step: usize) -> &[u32] {
        let from = self.steps[step].1 as usize;
        let to = self
            .steps
            .get(step + 1)
            .map_or(self.rows.len(), |s| s.1 as usize);
        &self.rows[from..to]
    }

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
        self.steps.clear();
        self.rows.clear();
        self.told.clear();
    }
}

/// A worker in the tree.
pub(super) struct TreeWorker<'s>(Expander<'s>);

impl<'s> TreeWorker<'s> {
    pub fn new(space: Space<'s>, room: u64, finals: bool) -> Self {
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let finals = match finals {
            true => Finals::Each,
            false => Finals::Unwanted,
        };
        Self(Expander::new(space, Memo::new(space.shared, room), finals))
    }

    pub fn space(&self) -> Space<'s> {
        self.0.space
    }

    /// How many delays in a row lead round in a circle.
    pub fn circle(&mut self, row: &[u32]) -> u32 {
        self.0.space.circle(row, &mut self.0.memo)
    }

    /// What the first segment leads to.
    pub fn begin(&mut self, out: &mut Expansion) {
        out.clear();
        let Expansion { steps, rows, told } = out;
        self.0.begin(told, follow(steps, rows));
    }

    /// What follows a state.
    pub fn expand(&mut self, row: &[u32], out: &mut Expansion) {
        out.clear();
        let Expansion { steps, rows, told } = out;
        (self.0).expand(row, 0, (0, u64::MAX), told, follow(steps, rows));
    }

    /// The kind and place of a failure.
    pub fn error(&self, failure: Failure) -> (ErrorKind, Span) {
        failure.error(self.0.space.shared)
    }
}

/// Keeps steps and rows.
fn follow(
    steps: &mut Vec<(Step, u32)>,
    rows: &mut Vec<u32>,
) -> impl FnMut(Step, &[u32], Option<&[u32]>) {
    |step, row, _| {
        steps.push((step, u32::try_from(rows.len()).unwrap_or(u32::MAX)));
        rows.extend_from_slice(row);
    }
}
