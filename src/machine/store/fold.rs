//! The exact store: many may read its tables, one at a time adds to them.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use super::layout::{Layout, Slot};
use super::mix;
use super::roots::Roots;
pub use super::rows::Fold;
pub use super::rows::Tables;

/// How many of the first states, at most, show which variables tasks determine.
const SAMPLE: usize = 4096;
/// Rows of more leaves than this are not regrouped.
const LONG: usize = 1024;

/// The exact store: equal keys are equal states.
#[derive(Debug)]
pub struct Exact {
    tables: RwLock<Tables>,
    /// The keys of the states seen.
    pub roots: Roots,
}

/// The tables, for as long as nothing has to be added.
pub struct Reader<'a> {
    exact: &'a Exact,
    tables: Option<RwLockReadGuard<'a, Tables>>,
}

impl Exact {
    /// Makes an empty store. `widths` has the bits of each leaf that is written as it is, and `None` for other leaves. A row
    /// has at least as many leaves; beyond these it does not end with 0.
    pub fn new(widths: Vec<Option<u32>>) -> Self {
        Self::shared(widths, 1)
    }

    /// Makes an empty store for so many workers.
    pub fn shared(widths: Vec<Option<u32>>, workers: usize) -> Self {
        Self::of(Tables::new(widths, Layout::default()), workers)
    }

    fn of(tables: Tables, workers: usize) -> Self {
        Self {
            tables: RwLock::new(tables),
            roots: Roots::new(workers),
        }
    }

    /// Returns the same states, with variables written together with the tasks that determine them. Only if some states do not
    /// fit into a key now, and all do then. The keys change.
    pub fn regrouped(&self, widths: Vec<Option<u32>>, slots: &[Slot]) -> Option<Self> {
        let (mut reader, mut fold) = (self.reader(), Fold::default());
        if !reader.tables().is_folded() {
            return None;
        }
        let (mut rows, mut long) = (Vec::new(), false);
        self.roots.each(|key| {
            if rows.len() < SAMPLE && !long {
                let mut row = Vec::new();
                reader.load(key, &mut row, &mut fold);
                long = row.len() > LONG;
                rows.push(row);
            }
        });
        // Long rows fit into no key, and looking at them takes long.
        if long {
            return None;
        }
        let layout = Layout::together(&rows, slots, widths.len());
        if layout.is_simple() {
            return None;
        }
        let mut new = Self::of(Tables::new(widths, layout), self.roots.shares());
        let (mut row, mut other) = (Vec::new(), Fold::default());
        let (mut keys, mut fits) = (Vec::new(), true);
        self.roots.each(|key| {
            if fits {
                reader.load(key, &mut row, &mut fold);
                keys.push(new.key(&row, None, &mut other));
                // The first rows that do not fit end the attempt.
                fits = !keys.len().is_multiple_of(SAMPLE) || !new.read().is_folded();
            }
        });
        if !fits || new.read().is_folded() {
            return None;
        }
        new.roots.add_all(&keys, |&key| mix(key), |_| {});
        Some(new)
    }

    /// Returns the same states in one format, if they are their own keys now and use several formats. The keys change.
    pub fn in_one_format(&self) -> Option<Self> {
        let (old, tables) = (self.read(), self.read().in_one_format()?);
        let (mut keys, mut all) = (Vec::new(), true);
        self.roots.each(|key| match tables.moved(&old, key) {
            Some(key) => keys.push(key),
            None => all = false,
        });
        let mut new = Self::of(tables, self.roots.shares());
        new.roots.add_all(&keys, |&key| mix(key), |_| {});
        all.then_some(new)
    }

    /// The row of one key.
    pub fn load(&self, key: u64, row: &mut Vec<u32>, fold: &mut Fold) {
        self.reader().load(key, row, fold);
    }

    /// The key of one row.
    pub fn key(&self, row: &[u32], changed: Option<&[u32]>, fold: &mut Fold) -> u64 {
        self.reader().key(row, changed, fold)
    }

    /// How many bytes the store takes.
    pub fn bytes(&self) -> u64 {
        self.read().bytes() + self.roots.bytes()
    }

    /// Whether no more states can be numbered.
    pub fn exhausted(&self) -> bool {
        self.read().exhausted()
    }

    fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn reader(&self) -> Reader<'_> {
        Reader {
            exact: self,
            tables: Some(self.read()),
        }
    }
}

impl Reader<'_> {
    #[inline]
    pub fn tables(&mut self) -> &Tables {
        self.tables.get_or_insert_with(|| self.exact.read())
    }

    /// Loads the row of a key, and makes it the row at hand.
    pub fn load(&mut self, key: u64, row: &mut Vec<u32>, fold: &mut Fold) {
        self.tables().load(key, row, fold);
    }

    /// The key of a row. `changed` are the leaves in which it differs from the row at hand, if that is known.
    pub fn key(&mut self, row: &[u32], changed: Option<&[u32]>, fold: &mut Fold) -> u64 {
        loop {
            let tables = self.tables.get_or_insert_with(|| self.exact.read());
            match tables.key(row, changed, fold) {
                Ok(key) => return key,
                Err(missing) => {
                    self.tables = None;
                    let tables = &self.exact.tables;
                    let mut tables = tables.write().unwrap_or_else(PoisonError::into_inner);
                    // Another worker may have added it before.
                    if tables.key(row, changed, fold).is_err() {
                        tables.add(missing, row);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trimmed(row: &[u32]) -> Vec<u32> {
        let mut row = row.to_vec();
        while row.len() > 2 && row.last() == Some(&0) {
            row.pop();
        }
        row
    }

    #[test]
    fn rows_come_back() {
        let store = Exact::new(vec![Some(4), None]);
        let mut fold = Fold::default();
        let mut rows: Vec<Vec<u32>> = vec![vec![0, 0], vec![1, 0], vec![1, 0, 5], vec![7, 7, 7, 7]];
        let mut rng = fastrand::Rng::with_seed(7);
        for i in 0..2000 {
            let len = rng.usize(2..4 + i / 100);
            let mut row: Vec<u32> = (0..len).map(|_| rng.u32(..=3 << (i / 200))).collect();
            row[0] &= 15;
            rows.push(trimmed(&row));
        }
        let mut reader = store.reader();
        let keys: Vec<u64> = rows
            .iter()
            .map(|row| reader.key(row, None, &mut fold))
            .collect();
        for (row, &key) in rows.iter().zip(&keys) {
            let mut back = Vec::new();
            reader.load(key, &mut back, &mut fold);
            assert_eq!(back, *row);
            assert_eq!(reader.key(&back, Some(&[]), &mut fold), key);
            assert_eq!(reader.key(&back, None, &mut fold), key);
        }
    }

    #[test]
    fn rows_may_become_long_after_many_formats() {
        let store = Exact::new(vec![None]);
        let mut fold = Fold::default();
        let mut reader = store.reader();
        // Each leaf outgrows its width at a time of its own.
        for turn in 0..400u32 {
            let row: Vec<u32> = (1..8)
                .map(|i| 1 + turn * u32::from(turn % i == 0))
                .collect();
            reader.key(&row, None, &mut fold);
        }
        for len in (8..20_000).step_by(97) {
            let row: Vec<u32> = (1..=len).collect();
            let key = reader.key(&row, None, &mut fold);
            let mut back = Vec::new();
            reader.load(key, &mut back, &mut fold);
            assert_eq!(back, row);
        }
        drop(reader);
        assert!(!store.exhausted());
    }

    #[test]
    fn a_change_gives_the_key_of_the_changed_row() {
        let store = Exact::new(vec![Some(9)]);
        let mut fold = Fold::default();
        let mut rng = fastrand::Rng::with_seed(3);
        let mut reader = store.reader();
        let mut row: Vec<u32> = (1..=30).collect();
        for turn in 0..3000u32 {
            let key = reader.key(&row, None, &mut fold);
            reader.load(key, &mut row, &mut fold);
            let changed = [rng.u32(..30), rng.u32(..29)];
            for leaf in changed {
                row[leaf as usize] = rng.u32(1..2 + turn / 8) & 511;
            }
            row[29] = row[29].max(1);
            let quick = reader.key(&row, Some(&changed), &mut fold);
            assert_eq!(quick, reader.key(&row, None, &mut fold));
        }
    }

    /// The rows are there already, each with a key that leads back to it.
    fn holds_all<'r>(store: &mut Exact, rows: impl IntoIterator<Item = &'r Vec<u32>>) {
        let mut fold = Fold::default();
        for row in rows {
            let key = store.key(row, None, &mut fold);
            assert!(!store.roots.add(key));
            let mut back = Vec::new();
            store.load(key, &mut back, &mut fold);
            assert_eq!(back, *row);
        }
    }

    #[test]
    fn rows_of_several_formats_get_one() {
        let mut store = Exact::new(vec![Some(5)]);
        let mut fold = Fold::default();
        let mut rng = fastrand::Rng::with_seed(7);
        let mut rows = std::collections::BTreeSet::new();
        for turn in 0..3000u32 {
            let len = rng.usize(1..2 + turn as usize / 500);
            let row: Vec<u32> = (0..len).map(|_| rng.u32(..2 + turn / 200)).collect();
            rows.insert(trimmed(&[&[turn & 31, 1], &row[..]].concat()));
        }
        for row in &rows {
            let key = store.key(row, None, &mut fold);
            assert!(store.roots.add(key));
        }
        let mut new = store.in_one_format().expect("there are several");
        assert!(new.in_one_format().is_none());
        holds_all(&mut new, &rows);
        // What comes later has room in other formats.
        for value in 0..400 {
            let row = [1, 2, value, 3, value / 7, 5];
            let key = new.key(&row, None, &mut fold);
            let mut back = Vec::new();
            new.load(key, &mut back, &mut fold);
            assert_eq!(back, row);
        }
    }

    /// Four tasks, each with a variable that its local state determines, beside others that nothing determines.
    fn procession() -> (Vec<Option<u32>>, Vec<Slot>, Vec<Vec<u32>>) {
        let slot = |leaf, shift| Slot {
            leaf,
            shift,
            bits: 4,
        };
        let slots = (0..6)
            .map(|i| slot(0, 4 * i))
            .chain((0..6).map(|i| slot(1, 4 * i)));
        let mut rows = Vec::new();
        for state in 0..4096u32 {
            let local = |task: u32| state >> (3 * task) & 7;
            let phases = (0..4).fold(0, |all, task| all | (local(task).div_ceil(2) << (4 * task)));
            let rest = state.wrapping_mul(0x9E37_79B9);
            let mut row = vec![phases | rest >> 24 << 16, rest & 0xFF_FFFF];
            // When the last task is gone, its variable is not 0.
            row.extend((0..4).map(|task| local(task) * 3));
            row[0] |= u32::from(local(3) == 0) << 12;
            rows.push(trimmed(&row));
        }
        (vec![Some(24), Some(24)], slots.collect(), rows)
    }

    #[test]
    fn what_a_task_determines_is_written_with_it() {
        let (widths, slots, rows) = procession();
        let mut store = Exact::new(widths.clone());
        let mut fold = Fold::default();
        for row in &rows {
            let key = store.key(row, None, &mut fold);
            assert!(store.roots.add(key));
        }
        let mut new = (store.regrouped(widths, &slots)).expect("they fit into keys now");
        holds_all(&mut new, &rows);
        // A variable may have other values later.
        let mut rng = fastrand::Rng::with_seed(5);
        for row in rows.iter().cycle().take(20_000) {
            let key = new.key(row, None, &mut fold);
            let mut next = Vec::new();
            new.load(key, &mut next, &mut fold);
            let changed = [
                rng.u32(..2),
                rng.u32(..u32::try_from(row.len()).unwrap() - 1),
            ];
            for leaf in changed {
                next[leaf as usize] = rng.u32(1..40);
            }
            let quick = new.key(&next, Some(&changed), &mut fold);
            assert_eq!(quick, new.key(&next, None, &mut fold));
            let mut back = Vec::new();
            new.load(quick, &mut back, &mut fold);
            assert_eq!(back, next);
        }
    }
}
