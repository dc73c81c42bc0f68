//! The tree of executions: what follows a state, whether or not it was seen before.

use crate::ir::ErrorKind;
use crate::source::Span;

use super::super::machine::{Memo, Refusal};
use super::super::space::{End, LeftOut, Scratch, Sink, Space, Step};
use super::expand::Failure;

/// What follows a state.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// Steps to other states, and where their rows begin in `rows`.
    pub steps: Vec<(Step, u32)>,
    /// The rows, one after the other; behind the last nothing.
    pub rows: Vec<u32>,
    /// Failures.
    pub failures: Vec<Failure>,
    /// Executions that end here without a failure.
    pub ended: u64,
    /// The globals at their ends.
    pub finals: Vec<Box<[u32]>>,
    /// Segments that ran.
    pub transitions: u64,
    /// The first step that could not be followed.
    pub refusal: Option<Refusal>,
    /// The bounds that left something out.
    pub left_out: LeftOut,
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

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.rows.clear();
        self.failures.clear();
        self.finals.clear();
        (self.ended, self.transitions, self.refusal) = (0, 0, None);
        self.left_out = LeftOut::default();
    }

    /// Executions that end here.
    pub fn executions(&self) -> u64 {
        self.ended + self.failures.len() as u64
    }
}

impl Sink for Expansion {
    fn next(&mut self, step: Step, state: &[u32], _: Option<&[u32]>) {
        let at = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        self.steps.push((step, at));
        self.rows.extend_from_slice(state);
    }

    fn fails(&mut self, step: Step, site: u32) {
        self.failures.push(Failure::Step(step, site));
    }

    fn refused(&mut self, _: Step, refusal: Refusal) {
        self.refusal.get_or_insert(refusal);
    }

    fn leaves_out(&mut self, bound: LeftOut) {
        self.left_out.add(bound);
    }
}

/// A worker in the tree.
pub(super) struct TreeWorker<'s> {
    pub space: Space<'s>,
    pub memo: Memo<'s>,
    scratch: Scratch,
    finals: bool,
}

impl<'s> TreeWorker<'s> {
    pub fn new(space: Space<'s>, room: u64, finals: bool) -> Self {
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        Self {
            space,
            memo: Memo::new(space.shared, room),
            scratch: Scratch::default(),
            finals,
        }
    }

    /// What the first segment leads to.
    pub fn begin(&mut self, out: &mut Expansion) {
        out.clear();
        self.space.begin(&mut self.memo, out);
    }

    /// What follows a state.
    pub fn expand(&mut self, row: &[u32], out: &mut Expansion) {
        out.clear();
        if self.space.is_final(row) {
            return self.finish(row, out);
        }
        let summary = (self.space).steps(row, &mut self.memo, &mut self.scratch, out);
        out.transitions = summary.transitions;
        if !summary.enabled && !self.space.shared.code.deadlocks {
            out.ended = 1;
        } else if !summary.enabled {
            let failure = Failure::Deadlock(self.space.waits_at(row));
            out.failures.push(failure);
        }
    }

    fn finish(&mut self, row: &[u32], out: &mut Expansion) {
        let leaves = self.space.shared.packing.leaves as usize;
        let finals = self.finals;
        (self.space).finish(row, &mut self.memo, |way, end, row| match end {
            End::Fails(site) => out.failures.push(Failure::Finally(way, site)),
            End::Refused(refusal) => {
                out.refusal.get_or_insert(refusal);
            }
            End::Finished | End::Rests(_) => {
                out.ended += 1;
                if finals {
                    out.finals.push(row[..leaves].into());
                }
            }
            End::Dropped | End::Pruned | End::Blocked => {}
        });
    }

    /// The kind and place of a failure.
    pub fn error(&self, failure: Failure) -> (ErrorKind, Span) {
        failure.error(self.space.shared)
    }
}
