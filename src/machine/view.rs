//! The globals as one segment sees them: fetched when first looked at, written back when it ends.

use crate::pack::Packing;
use crate::tables::Tables;

/// A slot as the segment left it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// In which run it was last used; older ones are forgotten.
    run: u32,
    /// Whether the segment wrote it.
    written: bool,
    value: i64,
}

/// The globals of a segment.
#[derive(Debug)]
pub(super) struct View {
    run: u32,
    seen: Vec<Seen>,
    /// The slots used in this run.
    used: Vec<u32>,
}

/// The used slots of a view at some moment.
#[derive(Clone, Debug)]
pub(super) struct Kept(Vec<(u32, bool, i64)>);

impl View {
    /// A view of so many slots.
    pub fn new(slots: usize) -> Self {
        let nothing = Seen {
            run: 0,
            written: false,
            value: 0,
        };
        Self {
            run: 0,
            seen: vec![nothing; slots],
            used: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.used.clear();
        if self.run == u32::MAX {
            self.run = 0;
            self.seen.iter_mut().for_each(|s| s.run = 0);
        }
        self.run += 1;
    }

    /// The slot's value, if it was used in this run.
    pub fn get(&self, slot: u32) -> Option<i64> {
        let seen = &self.seen[slot as usize];
        (seen.run == self.run).then_some(seen.value)
    }

    /// Notes a value that was fetched.
    pub fn fetched(&mut self, slot: u32, value: i64) {
        self.note(slot, false, value);
    }

    pub fn set(&mut self, slot: u32, value: i64) {
        let seen = &mut self.seen[slot as usize];
        if seen.run == self.run {
            seen.written = true;
            seen.value = value;
        } else {
            self.note(slot, true, value);
        }
    }

    fn note(&mut self, slot: u32, written: bool, value: i64) {
        let run = self.run;
        self.seen[slot as usize] = Seen {
            run,
            written,
            value,
        };
        self.used.push(slot);
    }

    /// What was used so far.
    pub fn keep(&self) -> Kept {
        let item = |&slot: &u32| {
            let seen = &self.seen[slot as usize];
            (slot, seen.written, seen.value)
        };
        Kept(self.used.iter().map(item).collect())
    }

    /// Goes back to what was kept.
    pub fn restore(&mut self, kept: &Kept) {
        self.clear();
        for &(slot, written, value) in &kept.0 {
            self.note(slot, written, value);
        }
    }

    /// The written slots and their values.
    pub fn written(&self) -> impl Iterator<Item = (u32, i64)> {
        let item = |&slot: &u32| {
            let seen = &self.seen[slot as usize];
            seen.written.then_some((slot, seen.value))
        };
        self.used.iter().filter_map(item)
    }
}

/// Fetches a slot from its leaf: its code and value.
pub(super) fn fetch(packing: &Packing, tables: &Tables, leaves: &[u32], slot: u32) -> (u32, i64) {
    let place = packing.slots[slot as usize];
    let code = place.code(leaves[place.leaf as usize]);
    (code, place.decode(code, tables))
}
