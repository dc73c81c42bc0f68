//! The cells that a step touches, and when two steps conflict.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::model::Cell;

/// A cell, numbered in the order of discovery.
pub(super) type CellId = u32;

/// A small set of cells. The mask has a bit for each, modulo 64.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CellSet {
    mask: u64,
    list: SmallVec<[CellId; 4]>,
}

impl CellSet {
    #[inline]
    fn add(&mut self, cell: CellId) {
        if !self.has(cell) {
            self.mask |= bit(cell);
            self.list.push(cell);
        }
    }

    fn remove(&mut self, cell: CellId) {
        if self.has(cell) {
            self.list.retain(|c| *c != cell);
            self.mask = self.list.iter().fold(0, |mask, &c| mask | bit(c));
        }
    }

    /// Whether a cell is in the set.
    #[inline]
    pub(super) fn has(&self, cell: CellId) -> bool {
        self.mask & bit(cell) != 0 && self.list.contains(&cell)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = CellId> + '_ {
        self.list.iter().copied()
    }

    fn meets(&self, other: &Self) -> bool {
        self.mask & other.mask != 0 && self.list.iter().any(|&c| other.has(c))
    }
}

/// A footprint, shared by all steps that have an equal one.
pub(super) type SharedFootprint = Rc<Footprint>;

/// The footprints that there are.
#[derive(Debug, Default)]
pub(super) struct Footprints {
    known: FxHashSet<SharedFootprint>,
    /// The footprint that is being made.
    draft: Footprint,
}

impl Footprints {
    /// Begins the footprint of a step. `operation` is its operation, with a mask of those with which it commutes.
    pub(super) fn begin(&mut self, operation: (u32, u64)) -> &mut Footprint {
        self.draft.clear(operation);
        &mut self.draft
    }

    /// Ends the footprint that was begun last, and returns it.
    pub(super) fn end(&mut self) -> SharedFootprint {
        if let Some(foot) = self.known.get(&self.draft) {
            return foot.clone();
        }
        let foot = Rc::new(self.draft.clone());
        self.known.insert(foot.clone());
        foot
    }
}

const fn bit(cell: CellId) -> u64 {
    1 << (cell & 63)
}

/// What a step touches: cells that it only reads, and cells that it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Footprint {
    pub(super) reads: CellSet,
    pub(super) writes: CellSet,
    /// Whether some cell's number is 64 or more. Then masks that meet prove nothing.
    wide: bool,
    /// The step's operation with a mask of those with which it commutes, and the cells for which this counts.
    operation: (u32, u64),
    own: CellSet,
}

impl Footprint {
    fn clear(&mut self, operation: (u32, u64)) {
        for set in [&mut self.reads, &mut self.writes, &mut self.own] {
            set.mask = 0;
            set.list.clear();
        }
        self.wide = false;
        self.operation = operation;
    }

    pub(super) fn add(&mut self, cell: CellId, write: bool) {
        self.wide |= cell >= 64;
        if write {
            self.reads.remove(cell);
            self.writes.add(cell);
        } else if !self.writes.has(cell) {
            self.reads.add(cell);
        }
    }

    /// Adds an access of the operation to its object's state. Not for cells of the condition: two operations are known to
    /// commute only where both are enabled, and a write of such a cell may have enabled one of them.
    pub(super) fn add_own(&mut self, cell: CellId, write: bool) {
        self.add(cell, write);
        self.own.add(cell);
    }

    /// Whether one of two steps writes what the other touches, apart from operations that commute.
    #[inline]
    pub(super) fn conflicts(&self, other: &Self) -> bool {
        if !self.shadow().meets(other.shadow()) {
            return false;
        }
        if self.operation.1 >> other.operation.0 & 1 == 1 {
            return self.conflicts_beside_own(other);
        }
        if !self.wide && !other.wide {
            return true;
        }
        self.writes.meets(&other.writes)
            || self.writes.meets(&other.reads)
            || self.reads.meets(&other.writes)
    }

    fn conflicts_beside_own(&self, other: &Self) -> bool {
        let shared = |c: &CellId| !(self.own.has(*c) && other.own.has(*c));
        (self.writes.iter().filter(shared)).any(|c| other.writes.has(c) || other.reads.has(c))
            || (self.reads.iter().filter(shared)).any(|c| other.writes.has(c))
    }

    #[inline]
    pub(super) fn shadow(&self) -> Shadow {
        Shadow {
            reads: self.reads.mask,
            writes: self.writes.mask,
        }
    }
}

/// The masks of footprints: where they do not meet, the footprints do not conflict.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shadow {
    reads: u64,
    writes: u64,
}

impl Shadow {
    pub(super) fn meets(self, other: Self) -> bool {
        self.writes & (other.writes | other.reads) | self.reads & other.writes != 0
    }

    pub(super) fn join(&mut self, other: Self) {
        self.reads |= other.reads;
        self.writes |= other.writes;
    }
}

/// Places in memory below this number are looked up in a list.
const SMALL: u64 = 1 << 16;

/// Numbers of cells. A cell that says whether a task has finished has the task's lasting name.
#[derive(Debug, Default)]
pub(super) struct CellTable {
    ids: FxHashMap<Cell, CellId>,
    /// By place in memory, for small numbers: one more than the cell's number; 0 for none.
    memory: Vec<CellId>,
    /// By number: whether writes of the cell can only enable a task, never block it.
    monotone: Vec<bool>,
    /// By number: whether operations that may commute touch the cell, so that its writes are not all ordered.
    loose: Vec<bool>,
}

impl CellTable {
    /// The number of a cell, new or known.
    pub(super) fn id(&mut self, cell: Cell) -> CellId {
        let Cell::Memory(place @ 0..SMALL) = cell else {
            return self.find(cell);
        };
        let place = place as usize;
        if self.memory.len() <= place {
            self.memory.resize(place + 1, 0);
        }
        if self.memory[place] == 0 {
            self.memory[place] = self.find(cell) + 1;
        }
        self.memory[place] - 1
    }

    fn find(&mut self, cell: Cell) -> CellId {
        *self.ids.entry(cell).or_insert_with(|| {
            let id = u32::try_from(self.monotone.len()).expect("fewer cells than 2^32");
            self.monotone
                .push(matches!(cell, Cell::Finished(_) | Cell::Unit(..)));
            self.loose.push(false);
            id
        })
    }

    /// Whether a write of the cell can never block a task that waits for it.
    pub(super) fn monotone(&self, cell: CellId) -> bool {
        self.monotone[cell as usize]
    }

    /// Notes that operations that may commute touch the cell.
    pub(super) fn loosen(&mut self, cell: CellId) {
        self.loose[cell as usize] = true;
    }

    /// Whether operations that may commute touch the cell.
    pub(super) fn is_loose(&self, cell: CellId) -> bool {
        self.loose[cell as usize]
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.monotone.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(accesses: &[(CellId, bool)]) -> Footprint {
        let mut foot = Footprint::default();
        for &(cell, write) in accesses {
            foot.add(cell, write);
        }
        foot
    }

    #[test]
    fn reads_do_not_conflict() {
        let (a, b) = (
            footprint(&[(1, false)]),
            footprint(&[(1, false), (2, true)]),
        );
        assert!(!a.conflicts(&b));
        assert!(a.conflicts(&footprint(&[(1, true)])));
        assert!(footprint(&[(1, true)]).conflicts(&b));
    }

    #[test]
    fn cells_that_share_a_bit_are_told_apart() {
        let a = footprint(&[(3, true)]);
        assert!(!a.conflicts(&footprint(&[(67, true)])));
        assert!(footprint(&[(67, false)]).conflicts(&footprint(&[(67, true)])));
    }

    #[test]
    fn operations_commute_on_their_own_cells() {
        let operation = |number, own, other| {
            let mut foot = Footprint::default();
            foot.clear((number, 1 << 1));
            foot.add_own(own, true);
            foot.add(other, true);
            foot
        };
        assert!(!operation(1, 5, 6).conflicts(&operation(1, 5, 7)));
        assert!(operation(1, 5, 6).conflicts(&operation(1, 5, 6)));
        assert!(operation(2, 5, 6).conflicts(&operation(2, 5, 7)));
    }

    #[test]
    fn a_cell_read_and_written_is_a_write() {
        let a = footprint(&[(1, false), (2, false), (1, true), (1, false)]);
        assert_eq!(a.reads.iter().collect::<Vec<_>>(), [2]);
        assert_eq!(a.writes.iter().collect::<Vec<_>>(), [1]);
    }
}
