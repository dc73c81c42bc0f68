//! A program under its scheduler, as searches follow it: what follows a state, whether or not it was seen before.

use std::sync::atomic::Ordering;

use base::source::Span;
use ir::ErrorKind;

use super::expand::{Expander, Failure, Finals, Follow, Output};
use super::system::{Expansion, Moves, System};
use machine::Memo;
use machine::limits::Halt;
use machine::space::{Space, Step};

/// A worker in the tree of executions.
pub struct TreeWorker<'s>(Expander<'s>);

impl<'s> TreeWorker<'s> {
    /// A worker with that many bytes for remembered segments.
    pub fn new(space: Space<'s>, room: u64, finals: bool) -> Self {
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let finals = match finals {
            true => Finals::Each,
            false => Finals::Unwanted,
        };
        Self(Expander::new(space, Memo::new(space.shared, room), finals))
    }

    /// Calls `each` with the places of the tasks that can run.
    pub fn each_enabled(&mut self, row: &[u32], each: impl FnMut(u32)) {
        let Expander { space, memo, .. } = &mut self.0;
        space.each_enabled(row, memo, each);
    }
}

/// Keeps steps and rows.
struct Keep<'o> {
    moves: &'o mut Moves,
    /// Where the tasks' leaves begin.
    tasks: usize,
    slept: bool,
}

impl Follow for Keep<'_> {
    fn slept(&mut self, slept: bool) {
        self.slept = slept;
    }

    fn next(&mut self, step: Step, row: &[u32], _: Option<&[u32]>) {
        let leaf = row.get(self.tasks + step.place as usize);
        let gone = leaf.is_none_or(|&leaf| leaf == 0);
        (self.moves).push(step, self.slept, gone, row.iter().copied());
    }
}

impl<'o> Keep<'o> {
    /// Empties an expansion, and splits it into its output and a keeper of its moves.
    fn of(out: &'o mut Expansion, space: Space<'_>) -> (&'o mut Output, Self) {
        out.clear();
        let keep = Self {
            moves: &mut out.moves,
            tasks: space.tasks,
            slept: false,
        };
        (&mut out.told, keep)
    }
}

impl System for TreeWorker<'_> {
    fn begin(&mut self, out: &mut Expansion) {
        let (told, keep) = Keep::of(out, self.0.space);
        self.0.begin(told, keep);
    }

    fn expand(&mut self, row: &[u32], out: &mut Expansion) {
        let (told, keep) = Keep::of(out, self.0.space);
        self.0.expand(row, 0, (0, u64::MAX), told, keep);
    }

    fn is_final(&self, row: &[u32]) -> bool {
        self.0.space.is_final(row)
    }

    fn error(&self, failure: Failure) -> (ErrorKind, Span) {
        failure.error(self.0.space.shared)
    }

    fn halt(&self) -> &Halt {
        &self.0.space.shared.halt
    }

    fn bytes(&self) -> u64 {
        self.0.space.shared.bytes() + self.0.memo.bytes() as u64
    }

    fn tasks<'r>(&self, row: &'r [u32]) -> &'r [u32] {
        row.get(self.0.space.tasks..).unwrap_or(&[])
    }

    fn circle(&mut self, row: &[u32]) -> u32 {
        self.0.space.circle(row, &mut self.0.memo)
    }

    fn merges(&self) -> bool {
        self.0.space.shared.pruned.load(Ordering::Relaxed)
    }

    fn widths(&self) -> Vec<Option<u32>> {
        self.0.space.widths()
    }
}
