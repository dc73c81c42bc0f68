//! The states of one worker.

use ir::Program;

use super::levels::Levels;
use super::link::Body;
use super::names::Names;
use super::owners::Owners;
use super::wire::Reader;
use super::{Broken, unreadable};
use explore::strategy::{LAST_REGROUP, REGROUP};
use machine::space::Space;
use machine::store::{Exact, Fold, mix};

/// The states of this worker.
pub(super) struct Own<'s> {
    pub names: Names<'s>,
    pub owners: Owners,
    pub store: Exact,
    pub fold: Fold,
    readers: Vec<Reader>,
    /// The row at hand.
    pub row: Vec<u32>,
    /// Keys that have come and are not added yet.
    pub keys: Vec<u64>,
    /// The keys of the states that are new in the next level.
    pub next: Vec<u64>,
    /// At how many states [`Self::regroup`] tries again to write them shorter.
    regroup: u64,
}

impl<'s> Own<'s> {
    /// Makes an empty store, for a search with `size` workers.
    pub fn new(program: &Program, space: Space<'s>, size: usize) -> Self {
        Self {
            names: Names::new(program, space),
            owners: Owners::default(),
            store: Exact::new(space.widths()),
            fold: Fold::default(),
            readers: (0..size).map(|_| Reader::default()).collect(),
            row: Vec::new(),
            keys: Vec::new(),
            next: Vec::new(),
            regroup: REGROUP,
        }
    }

    /// Takes a state that this worker owns; [`Self::add`] adds it later.
    pub fn put(&mut self, row: &[u32]) {
        let key = self.store.key(row, None, &mut self.fold);
        self.keys.push(key);
    }
}

impl Own<'_> {
    /// Returns the worker that owns a row.
    pub fn owner(&mut self, row: &[u32], size: usize) -> usize {
        owner(&mut self.names, row, size)
    }

    /// Adds all keys that have come. The new ones belong to the next level.
    pub fn add(&mut self) {
        let next = &mut self.next;
        let roots = &mut self.store.roots;
        roots.add_all(&self.keys, |&key| mix(key), |&key| next.push(key));
        self.keys.clear();
    }

    /// Writes all states shorter, if that is possible. Then all keys change, also those of the levels, and it returns true.
    pub fn regroup(&mut self, space: Space<'_>, levels: &mut Levels) -> bool {
        let states = levels.states() as u64;
        if states < self.regroup {
            return false;
        }
        self.regroup = match self.regroup * 4 {
            next if next <= LAST_REGROUP => next,
            _ => u64::MAX,
        };
        let new = self.store.regrouped(space.widths(), &space.slots());
        let Some(new) = new.or_else(|| self.store.in_one_format()) else {
            return false;
        };
        let mut fold = Fold::default();
        levels.rekey(|key| {
            self.store.load(key, &mut self.row, &mut fold);
            new.key(&self.row, None, &mut self.fold)
        });
        self.store = new;
        self.owners.forget();
        self.fold = Fold::default();
        true
    }

    /// Takes states that another worker has sent.
    pub fn receive(&mut self, peer: usize, rows: &Body) -> Result<(), Broken> {
        let Self {
            names,
            store,
            fold,
            readers,
            keys,
            ..
        } = self;
        let mut reader = store.reader();
        let mut at_hand = false;
        let read = readers[peer].read(names, rows, |row, changed| {
            let key = reader.key(row, changed.filter(|_| at_hand), fold);
            at_hand = reader.tables().hold(key, row.len(), fold);
            keys.push(key);
        });
        drop(reader);
        read.map_err(|_| unreadable(&format!("worker {peer}")))?;
        self.add();
        Ok(())
    }

    /// Reads rows that another worker has sent.
    pub fn read(
        &mut self,
        peer: usize,
        rows: &Body,
        mut each: impl FnMut(&[u32]),
    ) -> Result<(), Broken> {
        let read = self.readers[peer].read(&self.names, rows, |row, _| each(row));
        read.map_err(|_| unreadable(&format!("worker {peer}")))
    }
}

/// Returns the worker that owns a row.
pub(super) fn owner(names: &mut Names<'_>, row: &[u32], size: usize) -> usize {
    if size == 1 {
        return 0;
    }
    owner_of(names.owner_hash(row), size)
}

/// Returns the worker that owns the rows with this owner hash.
pub(super) fn owner_of(hash: u64, size: usize) -> usize {
    usize::try_from((u128::from(hash) * size as u128) >> 64).unwrap_or(0)
}
