//! Which leaves of a row are written together.
//!
//! A field of a format holds a leaf. But some variables belong to a task: in each of its local states they have one value.
//! In a field of their own they cost bits, in the field of the task none. So the bits of such a variable go from their own
//! leaf to the field of the task, whose values are then pairs of a local state and the variables that it determines. The
//! first states show which variables these are. If a later state differs, there are more such pairs, and nothing else changes.

use rustc_hash::FxHashMap;

/// Some bits of a leaf. In the value of a field they stand from bit `at` on.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub leaf: u32,
    pub shift: u32,
    pub bits: u32,
    pub at: u32,
}

/// The bits of one variable.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub leaf: u32,
    pub shift: u32,
    pub bits: u32,
}

/// What each field holds.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// By field: its parts; `None` if the field is its own leaf. Fields behind the end are their own leaves, too.
    fields: Vec<Option<Vec<Part>>>,
    /// By leaf: the fields with its bits, in the same way.
    holders: Vec<Option<Vec<usize>>>,
}

/// A task's own leaf takes so many bits of its field's value. What comes from other leaves stands behind it.
const LEAF: u32 = 32;
/// Fields have values of so many bits.
const VALUE: u32 = 64;

fn mask(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

impl Part {
    fn take(self, row: &[u32]) -> u64 {
        let leaf = row.get(self.leaf as usize).copied().unwrap_or(0);
        u64::from(leaf >> self.shift & mask(self.bits)) << self.at
    }

    /// Its bits in a field's value.
    pub fn of(self, value: u64) -> u32 {
        u32::try_from(value >> self.at & u64::from(mask(self.bits))).unwrap_or(0)
    }

    /// A field's value with other bits.
    pub fn put(self, value: u64, bits: u32) -> u64 {
        value & !(u64::from(mask(self.bits)) << self.at) | u64::from(bits) << self.at
    }

    /// Returns those of a leaf's bits that belong to this part.
    pub fn among(self, leaf: u32) -> u32 {
        leaf >> self.shift & mask(self.bits)
    }
}

impl Layout {
    /// Whether each field is a leaf.
    pub fn is_simple(&self) -> bool {
        self.fields.is_empty()
    }

    /// The parts of a field, if it is not its own leaf.
    pub fn parts(&self, field: usize) -> Option<&[Part]> {
        self.fields.get(field)?.as_deref()
    }

    pub fn value(&self, row: &[u32], field: usize) -> u64 {
        match self.parts(field) {
            None => u64::from(row.get(field).copied().unwrap_or(0)),
            Some(parts) => parts.iter().fold(0, |value, part| value | part.take(row)),
        }
    }

    /// Writes a field's value into a row in which its bits are 0.
    pub fn spread(&self, field: usize, value: u64, row: &mut [u32]) {
        match self.parts(field) {
            None => row[field] = u32::try_from(value).unwrap_or(u32::MAX),
            Some(parts) => {
                for part in parts {
                    row[part.leaf as usize] |= part.of(value) << part.shift;
                }
            }
        }
    }

    /// The fields with bits of a leaf, if it is not a field by itself.
    pub fn holders(&self, leaf: usize) -> Option<&[usize]> {
        self.holders.get(leaf)?.as_deref()
    }

    /// How many fields a row needs.
    pub fn len(&self, row: &[u32]) -> usize {
        let beyond = (row.len()..self.fields.len()).rev();
        let mut used = beyond.filter(|&field| self.value(row, field) != 0);
        used.next().map_or(row.len(), |field| field + 1)
    }

    /// Puts variables together with the tasks that determine them in all of some rows. Tasks begin at the leaf `tasks`.
    pub fn together(rows: &[Vec<u32>], slots: &[Slot], tasks: usize) -> Self {
        let mut layout = Self::default();
        let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut guests: Vec<(Slot, usize)> = Vec::new();
        for &slot in slots {
            if let Some(task) = (tasks..longest).find(|&task| determines(rows, task, slot)) {
                let taken = guests.iter().filter(|guest| guest.1 == task);
                let used = taken.map(|(slot, _)| slot.bits).sum::<u32>();
                if LEAF + used + slot.bits <= VALUE {
                    guests.push((slot, task));
                }
            }
        }
        if !guests.is_empty() {
            layout.host(slots, &guests, longest);
        }
        layout
    }

    /// Moves slots to the fields of tasks, and what stays in a leaf close together.
    fn host(&mut self, slots: &[Slot], guests: &[(Slot, usize)], longest: usize) {
        self.fields.resize(longest, None);
        self.holders.resize(longest, None);
        for (guest, task) in guests {
            self.fields[guest.leaf as usize].get_or_insert_default();
            if self.fields[*task].is_none() {
                let leaf = u32::try_from(*task).unwrap_or(u32::MAX);
                self.add(
                    *task,
                    Slot {
                        leaf,
                        shift: 0,
                        bits: LEAF,
                    },
                );
            }
        }
        let same = |a: &Slot, b: &Slot| (a.leaf, a.shift) == (b.leaf, b.shift);
        for slot in slots {
            let own = slot.leaf as usize;
            match guests.iter().find(|(guest, _)| same(guest, slot)) {
                Some(&(_, task)) => self.add(task, *slot),
                None if self.fields[own].is_some() => self.add(own, *slot),
                None => {}
            }
        }
    }

    fn add(&mut self, field: usize, slot: Slot) {
        let parts = self.fields[field].get_or_insert_default();
        let at = parts.iter().map(|part| part.bits).sum();
        parts.push(Part {
            leaf: slot.leaf,
            shift: slot.shift,
            bits: slot.bits,
            at,
        });
        let holders = self.holders[slot.leaf as usize].get_or_insert_default();
        if !holders.contains(&field) {
            holders.push(field);
        }
    }
}

/// Checks whether a variable has one value in each local state of a task, but not the same one in all.
fn determines(rows: &[Vec<u32>], task: usize, slot: Slot) -> bool {
    let mut values: FxHashMap<u32, u32> = FxHashMap::default();
    let part = Part {
        leaf: slot.leaf,
        shift: slot.shift,
        bits: slot.bits,
        at: 0,
    };
    let one = |row: &Vec<u32>| {
        let value = part.of(part.take(row));
        *values
            .entry(row.get(task).copied().unwrap_or(0))
            .or_insert(value)
            == value
    };
    rows.iter().all(one)
        && values
            .values()
            .any(|value| Some(value) != values.values().next())
}
