//! Stored states, expanded: what every worker of the search with a store does, each for itself.

use super::super::machine::Memo;
use super::super::space::Space;
use super::super::store::{Compact, Exact, Fold, Reader};
use super::expand::{Expander, Output};
use super::keyed::Keyed;
use super::recent::Recent;

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
#[derive(Clone, Copy, Debug)]
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

/// What expanding some states gave, in their order.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The states that steps lead to, without some that the same worker has given before.
    pub next: Vec<Next>,
    /// How many those are.
    pub known: u64,
    /// Their rows, where the keys do not hold them.
    pub rows: Vec<Box<[u32]>>,
    /// What else there is to tell.
    pub output: Output,
}

impl Batch {
    /// How many states steps lead to.
    pub fn states(&self) -> u64 {
        self.next.len() as u64 + self.known
    }

    /// Drops what was given not long ago of the states from this one on.
    fn drop_known(&mut self, from: usize, recent: &mut Recent) {
        let mut kept = from;
        for at in from..self.next.len() {
            if recent.may_be_new(self.next[at].key) {
                self.next.swap(kept, at);
                kept += 1;
            }
        }
        self.known += (self.next.len() - kept) as u64;
        self.next.truncate(kept);
    }

    pub fn clear(&mut self) {
        self.next.clear();
        self.known = 0;
        self.rows.clear();
        self.output.clear();
    }
}

/// A worker's own memory.
pub(super) struct Worker<'s> {
    pub expander: Expander<'s>,
    /// Nothing where steps are more than changes of a key.
    keyed: Option<Keyed>,
    recent: Recent,
    fold: Fold,
    row: Vec<u32>,
}

impl<'s> Worker<'s> {
    pub fn new(space: Space<'s>, memo: Memo<'s>, finals: bool) -> Self {
        Self {
            expander: Expander::new(space, memo, finals),
            keyed: space.is_plain_bag().then(Keyed::default),
            recent: Recent::default(),
            fold: Fold::default(),
            row: Vec::new(),
        }
    }

    /// How many bytes it remembers.
    pub fn bytes(&self) -> usize {
        self.expander.memo.bytes() + self.keyed.as_ref().map_or(0, Keyed::bytes)
    }

    /// Keys are others from now on.
    pub fn forget_keys(&mut self) {
        self.keyed = self.keyed.take().map(|_| Keyed::default());
        self.recent.clear();
    }

    /// The states after the first segment.
    pub fn begin(&mut self, store: &Store, batch: &mut Batch) {
        let Batch {
            next, rows, output, ..
        } = batch;
        let fold = &mut self.fold;
        self.expander.begin(output, |row, changed| {
            let key = match store {
                Store::Exact(exact) => exact.key(row, changed, fold),
                Store::Compact(compact) => {
                    rows.push(row.into());
                    compact.hash(row)
                }
            };
            next.push(Next { key, from: 0 });
        });
    }

    /// Expands a state that is given by its key, or by its row where the keys do not hold it.
    pub fn expand(
        &mut self,
        item: &Item<'_>,
        from: u32,
        store: &Store,
        reader: &mut Option<Reader<'_>>,
        batch: &mut Batch,
    ) {
        let before = batch.next.len();
        let keyed = match reader {
            Some(reader) => self.expand_key(item, from, reader, batch),
            None => false,
        };
        if !keyed {
            self.expand_row(item, from, store, reader, batch);
        }
        // Rows lie beside their keys.
        if batch.rows.is_empty() {
            batch.drop_known(before, &mut self.recent);
        }
    }

    fn expand_row(
        &mut self,
        item: &Item<'_>,
        from: u32,
        store: &Store,
        reader: &mut Option<Reader<'_>>,
        batch: &mut Batch,
    ) {
        let Self {
            expander,
            fold,
            row: loaded,
            ..
        } = self;
        let Batch {
            next, rows, output, ..
        } = batch;
        let row = match (reader.as_mut(), item.row) {
            (None, Some(row)) => row,
            (Some(reader), _) => {
                reader.load(item.key, loaded, fold);
                loaded
            }
            _ => loaded,
        };
        expander.expand(row, from, item.steps, output, |row, changed| {
            let key = match (store, reader.as_mut()) {
                (Store::Exact(_), Some(reader)) => reader.key(row, changed, fold),
                (Store::Exact(exact), None) => exact.key(row, changed, fold),
                (Store::Compact(compact), _) => {
                    rows.push(row.into());
                    compact.hash(row)
                }
            };
            next.push(Next { key, from });
        });
    }

    /// Expands a state without its row, if all of its steps are known.
    fn expand_key(
        &mut self,
        item: &Item<'_>,
        from: u32,
        reader: &mut Reader<'_>,
        batch: &mut Batch,
    ) -> bool {
        let (Some(keyed), true) = (&mut self.keyed, item.steps.0 < item.steps.1) else {
            return false;
        };
        let Batch { next, output, .. } = batch;
        let before = next.len();
        let Expander { space, memo, .. } = &self.expander;
        let tell = |key| next.push(Next { key, from });
        let Some(summary) = keyed.expand(*space, memo, reader.tables(), item.key, tell) else {
            next.truncate(before);
            return false;
        };
        output.transitions += summary.transitions;
        output.reduced |= summary.reduced;
        true
    }
}
