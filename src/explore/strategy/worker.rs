//! Expands states: what every worker of the search with a store does, each for itself.

use rustc_hash::FxHashSet;

use crate::ir::ErrorKind;
use crate::source::Span;

use super::super::limits::Halt;
use super::super::machine::{Memo, Refusal, Shared};
use super::super::space::{End, LeftOut, Scratch, Sink, Space, Step};
use super::super::store::{Compact, Exact, Fold, Reader};

/// How states are stored.
#[derive(Debug)]
pub(super) enum Store {
    /// All of each.
    Exact(Exact),
    /// Some bits of a hash.
    Compact(Compact),
}

impl Store {
    /// The exact store's tables, for some states.
    pub fn reader(&self) -> Option<Reader<'_>> {
        match self {
            Self::Exact(exact) => Some(exact.reader()),
            Self::Compact(_) => None,
        }
    }
}

/// A state that a step leads to.
#[derive(Debug)]
pub(super) struct Next {
    /// Its key: exact, or the hash.
    pub key: u64,
    /// Which state of the batch it comes from.
    pub from: u32,
}

/// A state to be expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'a> {
    /// Its key.
    pub key: u64,
    /// Its row, where the key does not hold it.
    pub row: Option<&'a [u32]>,
    /// How many steps lead to it, and to how many executions are followed.
    pub steps: (u64, u64),
}

/// How an execution fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// A step does.
    Step(Step, u32),
    /// Every task is blocked; the first waits there.
    Deadlock(Span),
    /// This way of `finally` does.
    Finally(u32, u32),
}

impl Failure {
    /// What kind of error it is, and where.
    pub fn error(self, shared: &Shared) -> (ErrorKind, Span) {
        match self {
            Self::Step(_, site) | Self::Finally(_, site) => {
                let site = &shared.code.sites[site as usize];
                (site.kind, site.span)
            }
            Self::Deadlock(span) => (ErrorKind::Deadlock, span),
        }
    }
}

/// What expanding some states gave, in their order.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// The states that steps lead to.
    pub next: Vec<Next>,
    /// Their rows, where the keys do not hold them.
    pub rows: Vec<Box<[u32]>>,
    /// Failures, each with the state of the batch.
    pub failures: Vec<(u32, Failure)>,
    /// The first step that could not be followed.
    pub refusal: Option<Refusal>,
    /// Segments that ran.
    pub transitions: u64,
    /// Whether an execution was cut.
    pub cut: bool,
    /// The bounds that left something out.
    pub left_out: LeftOut,
    /// Whether steps were left out that need not be taken.
    pub reduced: bool,
    /// Whether an execution came to its end.
    pub ended: bool,
    /// Whether time ran out before all steps were taken.
    pub late: bool,
    /// Final globals that this worker had not seen.
    pub finals: Vec<Box<[u32]>>,
}

impl Output {
    pub fn clear(&mut self) {
        self.next.clear();
        self.rows.clear();
        self.failures.clear();
        self.finals.clear();
        (self.refusal, self.transitions) = (None, 0);
        (self.cut, self.late, self.ended, self.reduced) = (false, false, false, false);
        self.left_out = LeftOut::default();
    }
}

/// A worker's own memory.
pub(super) struct Worker<'s> {
    pub space: Space<'s>,
    pub memo: Memo<'s>,
    scratch: Scratch,
    fold: Fold,
    row: Vec<u32>,
    finals: Option<FxHashSet<Box<[u32]>>>,
}

/// Turns steps into outputs.
struct Collect<'a, 'r> {
    store: &'a Store,
    /// The exact store's tables.
    reader: Option<&'a mut Reader<'r>>,
    fold: &'a mut Fold,
    out: &'a mut Output,
    from: u32,
    halt: &'a Halt,
}

impl Sink for Collect<'_, '_> {
    fn next(&mut self, _: Step, state: &[u32], changed: Option<&[u32]>) {
        let key = match (self.store, &mut self.reader) {
            (Store::Exact(_), Some(reader)) => reader.key(state, changed, self.fold),
            (Store::Exact(exact), None) => exact.key(state, changed, self.fold),
            (Store::Compact(compact), _) => {
                self.out.rows.push(state.into());
                compact.hash(state)
            }
        };
        let from = self.from;
        self.out.next.push(Next { key, from });
    }

    fn fails(&mut self, step: Step, site: u32) {
        self.out
            .failures
            .push((self.from, Failure::Step(step, site)));
    }

    fn refused(&mut self, _: Step, refusal: Refusal) {
        self.out.refusal.get_or_insert(refusal);
    }

    fn leaves_out(&mut self, bound: LeftOut) {
        self.out.left_out.add(bound);
    }

    fn stops(&mut self) -> bool {
        self.out.late |= self.halt.now();
        self.out.late
    }
}

impl<'s> Worker<'s> {
    pub fn new(space: Space<'s>, memo: Memo<'s>, finals: bool) -> Self {
        Self {
            space,
            memo,
            scratch: Scratch::default(),
            fold: Fold::default(),
            row: Vec::new(),
            finals: finals.then(FxHashSet::default),
        }
    }

    /// The states after the first segment.
    pub fn begin(&mut self, store: &Store, out: &mut Output) {
        let mut sink = Collect {
            store,
            reader: None,
            fold: &mut self.fold,
            out,
            from: 0,
            halt: &self.space.shared.halt,
        };
        self.space.begin(&mut self.memo, &mut sink);
    }

    /// Expands a state that is given by its key, or by its row where the keys do not hold it.
    pub fn expand(
        &mut self,
        item: &Item<'_>,
        from: u32,
        store: &Store,
        reader: &mut Option<Reader<'_>>,
        out: &mut Output,
    ) {
        let mut loaded = std::mem::take(&mut self.row);
        let row = match (reader.as_mut(), item.row) {
            (None, Some(row)) => row,
            (Some(reader), _) => {
                reader.load(item.key, &mut loaded, &mut self.fold);
                &loaded
            }
            _ => &loaded,
        };
        if self.space.is_final(row) {
            self.finish(row, from, out);
        } else if (item.steps.0).saturating_sub(self.space.spent(row)) >= item.steps.1 {
            out.cut = true;
        } else {
            self.steps(row, from, store, reader, out);
        }
        self.row = loaded;
    }

    fn steps(
        &mut self,
        row: &[u32],
        from: u32,
        store: &Store,
        reader: &mut Option<Reader<'_>>,
        out: &mut Output,
    ) {
        let mut sink = Collect {
            store,
            reader: reader.as_mut(),
            fold: &mut self.fold,
            out,
            from,
            halt: &self.space.shared.halt,
        };
        let summary = (self.space).steps(row, &mut self.memo, &mut self.scratch, &mut sink);
        out.transitions += summary.transitions;
        out.reduced |= summary.reduced;
        if !summary.enabled && !self.space.shared.code.deadlocks {
            out.ended = true;
        } else if !summary.enabled {
            let failure = Failure::Deadlock(self.space.waits_at(row));
            out.failures.push((from, failure));
        }
    }

    fn finish(&mut self, row: &[u32], from: u32, out: &mut Output) {
        let finals = &mut self.finals;
        let leaves = self.space.shared.packing.leaves as usize;
        (self.space).finish(row, &mut self.memo, |way, end, row| match end {
            End::Fails(site) => out.failures.push((from, Failure::Finally(way, site))),
            End::Refused(refusal) => {
                out.refusal.get_or_insert(refusal);
            }
            End::Finished | End::Rests(_) => {
                out.ended = true;
                if let Some(finals) = finals
                    && !finals.contains(&row[..leaves])
                {
                    finals.insert(row[..leaves].into());
                    out.finals.push(row[..leaves].into());
                }
            }
            End::Dropped | End::Pruned | End::Blocked => {}
        });
    }
}
