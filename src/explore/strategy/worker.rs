//! What each worker of the search with a store does for itself: it expands stored states.

use super::arena::{Entry, Id, NONE};
use super::expand::{Expander, Finals, Output};
use super::keyed::Keyed;
use super::ranks::Ranks;
use super::recent::Recent;
use machine::Memo;
use machine::space::{Space, Step};
use machine::store::{Compact, Exact, Fold, Reader, Roots, mix, unmix};

/// How many keys ahead the worker fetches a key's place among the recent ones.
const AHEAD: usize = 8;

/// How states are stored.
#[derive(Debug)]
pub(super) enum Store {
    Exact(Exact),
    /// Some bits of a hash, and the row of each entry.
    Compact {
        hashes: Compact,
        rows: Vec<Box<[u32]>>,
    },
}

impl Store {
    /// The exact store's tables, for some states.
    pub fn reader(&self) -> Option<Reader<'_>> {
        match self {
            Self::Exact(exact) => Some(exact.reader()),
            Self::Compact { .. } => None,
        }
    }

    /// The row of an entry, where its key does not hold it.
    pub fn row(&self, id: Id) -> Option<&[u32]> {
        match self {
            Self::Exact(_) => None,
            Self::Compact { rows, .. } => rows.get(id as usize).map(|row| &**row),
        }
    }

    /// Adds states to the seen ones, while no other worker does. Calls `new` for each new state, in their order; `new` returns
    /// its entry. `rows_of_all` are the rows of the states, if keys do not hold them.
    pub fn add_all(
        &mut self,
        all: &[Next],
        rows_of_all: &[Box<[u32]>],
        mut new: impl FnMut(Next) -> Id,
    ) {
        match self {
            Self::Exact(exact) => {
                let new = |&next: &Next| {
                    new(next);
                };
                exact.roots.add_all(all, |next| next.mixed, new);
            }
            Self::Compact { hashes, rows } => {
                for (&next, row) in all.iter().zip(rows_of_all) {
                    if hashes.add(unmix(next.mixed)) {
                        let id = new(next) as usize;
                        if id >= rows.len() {
                            rows.resize(id + 1, Box::default());
                        }
                        rows[id] = row.clone();
                    }
                }
            }
        }
    }

    /// Keeps only the rows of these entries. The new number of an entry is its rank.
    pub fn keep(&mut self, entries: &Ranks) {
        if let Self::Compact { rows, .. } = self {
            let mut kept = 0;
            for old in entries.each() {
                rows.swap(kept, old as usize);
                kept += 1;
            }
            rows.truncate(kept);
        }
    }
}

/// A state to be expanded, with all that expanding asks of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Todo {
    pub key: u64,
    pub id: Id,
    pub depth: u32,
}

/// A state that a step leads to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Next {
    /// Its key, mixed: exact, or the hash.
    pub mixed: u64,
    /// Which state of the batch it comes from.
    pub from: u32,
    /// Its place among all that the same piece of the batch gave.
    pub order: u32,
}

impl Next {
    /// Its key.
    pub fn key(self) -> u64 {
        unmix(self.mixed)
    }

    /// The entry of this state, which comes from one of the batch.
    pub(super) fn entry(self, batch: &[Todo]) -> Entry {
        let before = batch.get(self.from as usize);
        Entry {
            key: unmix(self.mixed),
            before: before.map_or(NONE, |state| state.id),
            depth: before.map_or(0, |state| state.depth + 1),
        }
    }
}

/// The result of expanding some states, in their order.
#[derive(Debug, Default)]
pub struct Batch {
    /// By share of the set of seen states: the states that steps lead to. Leaves out some that the same worker has found in
    /// this piece or one before it.
    pub next: Vec<Vec<Next>>,
    /// How many states steps lead to.
    pub states: u32,
    /// Their rows, where the keys do not hold them.
    pub rows: Vec<Box<[u32]>>,
    /// What else there is to report.
    pub output: Output,
}

impl Batch {
    /// Empties it, for that many shares; keeps its memory.
    pub fn clear(&mut self, shares: usize) {
        self.next.resize_with(shares, Vec::new);
        self.next.iter_mut().for_each(Vec::clear);
        self.states = 0;
        self.rows.clear();
        self.output.clear();
    }
}

/// A worker's own memory.
pub struct Worker<'s> {
    pub expander: Expander<'s>,
    /// `None` where steps are more than changes of a key.
    keyed: Option<Keyed>,
    recent: Recent,
    fold: Fold,
    row: Vec<u32>,
    /// The keys of the states that steps from one state lead to.
    pub keys: Vec<u64>,
    /// The states that steps from the states of a piece lead to.
    found: Vec<Next>,
}

impl<'s> Worker<'s> {
    /// `places` is how many keys it remembers, as a power of two.
    pub fn new(space: Space<'s>, memo: Memo<'s>, finals: bool, places: u32) -> Self {
        Self {
            expander: Expander::new(space, memo, Finals::new(finals)),
            keyed: space.is_plain_bag().then(Keyed::default),
            recent: Recent::new(places),
            fold: Fold::default(),
            row: Vec::new(),
            keys: Vec::new(),
            found: Vec::new(),
        }
    }

    /// How many bytes it remembers.
    pub fn bytes(&self) -> usize {
        self.expander.memo.bytes() + self.keyed.as_ref().map_or(0, Keyed::bytes)
    }

    /// Forgets keys, because states get other ones.
    pub fn forget_keys(&mut self) {
        self.keyed = self.keyed.take().map(|_| Keyed::default());
        self.recent.clear();
    }

    /// The states after the first segment.
    pub(super) fn begin(&mut self, store: &Store, batch: &mut Batch) {
        let Self {
            expander,
            fold,
            keys,
            ..
        } = self;
        let Batch { rows, output, .. } = &mut *batch;
        expander.begin(output, |_: Step, row: &[u32], changed: Option<&[u32]>| {
            keys.push(match store {
                Store::Exact(exact) => exact.key(row, changed, fold),
                Store::Compact { hashes, .. } => {
                    rows.push(row.into());
                    hashes.hash(row)
                }
            });
        });
        self.take(0);
        self.divide(0, batch);
    }

    /// Expands a state of the batch. `from` is its number there.
    pub(super) fn expand(
        &mut self,
        state: &Todo,
        from: u32,
        max_steps: u64,
        store: &Store,
        reader: &mut Option<Reader<'_>>,
        batch: &mut Batch,
    ) {
        let steps = (state.depth.into(), max_steps);
        let keyed = match reader {
            Some(reader) => self.expand_key(state.key, (from, steps), reader, batch),
            None => false,
        };
        if !keyed {
            self.expand_row(state, (from, steps), store, reader, batch);
            self.take(from);
        }
    }

    /// Takes the states that steps from one state lead to, by their [keys](Self::keys).
    pub fn take(&mut self, from: u32) {
        let begin = u32::try_from(self.found.len()).unwrap_or(u32::MAX);
        let next = |(order, key)| Next {
            mixed: mix(key),
            from,
            order,
        };
        self.found
            .extend((begin..).zip(self.keys.drain(..)).map(next));
    }

    /// Ends the piece with that number: divides the states that were found among the shares.
    pub fn divide(&mut self, piece: u16, batch: &mut Batch) {
        // If rows lie beside their keys, no state is left out.
        let all = !batch.rows.is_empty();
        let shares = batch.next.len();
        for (at, &next) in self.found.iter().enumerate() {
            if let Some(later) = self.found.get(at + AHEAD) {
                self.recent.fetch(later.mixed);
            }
            if all || self.recent.may_be_new(next.mixed, piece) {
                let share = match shares {
                    1 => 0,
                    _ => Roots::share_of(next.mixed, shares),
                };
                batch.next[share].push(next);
            }
        }
        batch.states = u32::try_from(self.found.len()).unwrap_or(u32::MAX);
        self.found.clear();
    }

    fn expand_row(
        &mut self,
        state: &Todo,
        (from, steps): (u32, (u64, u64)),
        store: &Store,
        reader: &mut Option<Reader<'_>>,
        batch: &mut Batch,
    ) {
        let Self {
            expander,
            fold,
            row: loaded,
            keys,
            ..
        } = self;
        let Batch { rows, output, .. } = batch;
        let row = match (reader.as_mut(), store.row(state.id)) {
            (None, Some(row)) => row,
            (Some(reader), _) => {
                reader.load(state.key, loaded, fold);
                loaded
            }
            _ => loaded,
        };
        expander.expand(
            row,
            from,
            steps,
            output,
            |_: Step, row: &[u32], changed: Option<&[u32]>| {
                keys.push(match (store, reader.as_mut()) {
                    (Store::Exact(_), Some(reader)) => reader.key(row, changed, fold),
                    (Store::Exact(exact), None) => exact.key(row, changed, fold),
                    (Store::Compact { hashes, .. }, _) => {
                        rows.push(row.into());
                        hashes.hash(row)
                    }
                });
            },
        );
    }

    /// Expands a state without its row, if all of its steps are known. Takes the states that they lead to. `from` is the state's number in
    /// the batch. `steps` says how many lead to it, and how many an execution may have. Returns whether it was expanded.
    #[inline]
    pub fn expand_key(
        &mut self,
        key: u64,
        (from, steps): (u32, (u64, u64)),
        reader: &mut Reader<'_>,
        batch: &mut Batch,
    ) -> bool {
        let (Some(keyed), true) = (&mut self.keyed, steps.0 < steps.1) else {
            return false;
        };
        let before = self.found.len();
        let found = &mut self.found;
        let Expander { space, memo, .. } = &self.expander;
        let next = |key| {
            let order = u32::try_from(found.len()).unwrap_or(u32::MAX);
            let mixed = mix(key);
            found.push(Next { mixed, from, order });
        };
        let Some(summary) = keyed.expand(*space, memo, reader.tables(), key, next) else {
            self.found.truncate(before);
            return false;
        };
        batch.output.transitions += summary.transitions;
        batch.output.reduced |= summary.reduced;
        true
    }
}
