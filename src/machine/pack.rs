//! Global slots as bits of 32-bit leaves, and back.

use std::cmp::Ordering;

use super::code::{Code, Domain, SlotInfo, UNDEF};
use super::tables::Tables;

/// Where a slot's bits are.
#[derive(Clone, Copy, Debug)]
pub struct SlotCode {
    pub leaf: u32,
    /// Its lowest bit in the leaf.
    pub shift: u8,
    pub bits: u8,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// `lo + code`; the code `count` is no value.
    Small {
        lo: i64,
        count: u32,
    },
    /// Codes below `BIG` are folded numbers, the others are ids of numbers in a table. The last code means no value.
    Wide,
    Tree,
}

/// What a code refers to in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Nothing: the code is a value itself.
    Nothing,
    /// A wide number, by its id.
    Wide(u32),
    Tree(u32),
}

/// Codes from here on name numbers in a table.
const BIG: u32 = 1 << 31;

impl SlotCode {
    /// Returns the mask of the slot's bits in its leaf.
    pub fn mask(self) -> u32 {
        (u32::MAX >> (32 - u32::from(self.bits))) << self.shift
    }

    /// The slot's code in its leaf.
    pub fn code(self, leaf: u32) -> u32 {
        (leaf & self.mask()) >> self.shift
    }

    pub fn decode(self, code: u32, tables: &Tables) -> i64 {
        match self.kind {
            Kind::Small { count, .. } if code == count => UNDEF,
            Kind::Small { lo, .. } => lo + i64::from(code),
            Kind::Tree => i64::from(code),
            Kind::Wide if code == u32::MAX => UNDEF,
            Kind::Wide if code >= BIG => tables.wide.get(code - BIG),
            Kind::Wide => i64::from(code >> 1) ^ -i64::from(code & 1),
        }
    }

    /// Returns the value of a code, if that takes no table.
    pub fn number(self, code: u32) -> Option<i64> {
        match self.kind {
            Kind::Small { lo, count } => (code < count).then(|| lo + i64::from(code)),
            Kind::Wide => (code < BIG).then(|| i64::from(code >> 1) ^ -i64::from(code & 1)),
            Kind::Tree => None,
        }
    }

    /// Returns the code of a value, if that takes no table.
    pub fn code_of(self, number: i64) -> Option<u32> {
        match self.kind {
            Kind::Small { lo, count } => {
                let code = u32::try_from(number.checked_sub(lo)?).ok();
                code.filter(|&code| code < count)
            }
            Kind::Wide => {
                let code = u32::try_from((number << 1) ^ (number >> 63)).ok();
                code.filter(|&code| code < BIG)
            }
            Kind::Tree => None,
        }
    }

    /// Returns how many codes a small slot has. `undefined` adds the code for no value.
    pub fn codes(self, undefined: bool) -> Option<u32> {
        match self.kind {
            Kind::Small { count, .. } => Some(count + u32::from(undefined)),
            Kind::Wide | Kind::Tree => None,
        }
    }

    /// Returns what a code refers to in the tables.
    pub fn named(self, code: u32) -> Named {
        match self.kind {
            Kind::Tree => Named::Tree(code),
            Kind::Wide if code >= BIG && code != u32::MAX => Named::Wide(code - BIG),
            Kind::Wide | Kind::Small { .. } => Named::Nothing,
        }
    }

    /// The code of a wide number by its id.
    pub fn wide(self, id: u32) -> u32 {
        BIG + id
    }

    pub fn encode(self, value: i64, tables: &mut Tables) -> u32 {
        let number = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        match self.kind {
            Kind::Small { count, .. } if value == UNDEF => count,
            Kind::Small { lo, .. } => number(value - lo),
            Kind::Tree => number(value),
            Kind::Wide if value == UNDEF => u32::MAX,
            Kind::Wide => {
                let folded = (value << 1) ^ (value >> 63);
                match u32::try_from(folded) {
                    Ok(code) if code < BIG => code,
                    _ => BIG + tables.wide.intern(value),
                }
            }
        }
    }
}

/// Where every slot's bits are.
#[derive(Debug)]
pub struct Packing {
    /// By slot. If tasks are numbered, one more slot counts the tasks so far.
    pub slots: Vec<SlotCode>,
    /// How many leaves they take.
    pub leaves: u32,
    /// By leaf: how many bits are in use, if that is known.
    pub widths: Vec<Option<u32>>,
}

/// Slots with more bits have a leaf to themselves.
const SHARED: u8 = 28;

impl Packing {
    /// Packs small slots together in the order of declaration.
    pub fn new(code: &Code) -> Self {
        let mut packing = Self {
            slots: Vec::new(),
            leaves: 0,
            widths: Vec::new(),
        };
        let mut open = (0, 32);
        for slot in &code.slots {
            let slot = packing.place(slot, &mut open);
            packing.slots.push(slot);
        }
        if code.handles {
            let count = SlotInfo {
                domain: Domain::Wide,
                undefined: false,
                wide: false,
                variable: 0,
            };
            let slot = packing.place(&count, &mut open);
            packing.slots.push(slot);
        }
        packing
    }

    /// Compares two contents of a leaf. Wide numbers are compared by value, not by id.
    pub fn order(&self, leaf: usize, (a, b): (u32, u32), tables: &Tables) -> Ordering {
        let wide = |slot: &&SlotCode| slot.leaf as usize == leaf && matches!(slot.kind, Kind::Wide);
        match self.slots.iter().find(wide) {
            Some(slot) if a >= BIG || b >= BIG => {
                slot.decode(a, tables).cmp(&slot.decode(b, tables))
            }
            _ => a.cmp(&b),
        }
    }

    fn place(&mut self, slot: &SlotInfo, open: &mut (u32, u8)) -> SlotCode {
        let kind = match slot.domain {
            Domain::Small { lo, count } => Kind::Small { lo, count },
            Domain::Wide => Kind::Wide,
            Domain::Tree => Kind::Tree,
        };
        let bits = match slot.domain {
            Domain::Small { count, .. } => {
                let last = count - u32::from(!slot.undefined);
                u8::try_from(32 - last.leading_zeros()).unwrap_or(32).max(1)
            }
            _ => 32,
        };
        if bits > SHARED {
            let leaf = self.leaf(None);
            return SlotCode {
                leaf,
                shift: 0,
                bits,
                kind,
            };
        }
        if open.1 + bits > SHARED {
            *open = (self.leaf(Some(0)), 0);
        }
        let shift = open.1;
        open.1 += bits;
        self.widths[open.0 as usize] = Some(open.1.into());
        SlotCode {
            leaf: open.0,
            shift,
            bits,
            kind,
        }
    }

    fn leaf(&mut self, width: Option<u32>) -> u32 {
        self.widths.push(width);
        self.leaves += 1;
        self.leaves - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(kind: Kind, bits: u8) -> SlotCode {
        SlotCode {
            leaf: 0,
            shift: 0,
            bits,
            kind,
        }
    }

    #[test]
    fn codes_and_values_agree() {
        let mut tables = Tables::default();
        let wide = slot(Kind::Wide, 32);
        for value in [
            0,
            -1,
            5,
            (1 << 30) - 1,
            1 << 30,
            -(1 << 30),
            i64::MAX,
            UNDEF,
        ] {
            let code = wide.encode(value, &mut tables);
            assert_eq!(wide.decode(code, &tables), value);
        }
        let small = slot(Kind::Small { lo: -2, count: 5 }, 3);
        for value in [-2, 0, 2, UNDEF] {
            let code = small.encode(value, &mut tables);
            assert!(code < 8);
            assert_eq!(small.decode(code, &tables), value);
        }
    }
}
