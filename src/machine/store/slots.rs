//! The memory of a large table.
//!
//! Its places are looked at in no order: with pages of 4 KiB, nearly every look would also have to look up the page. So a
//! large table takes whole large pages, if the system has them.
//!
//! A table grows where it is, so that the system does not have to clear new memory and take back the old. A large table has
//! addresses for several times its size, which cost nothing before they are used.

use std::ops::{Deref, DerefMut};

/// Numbers, all 0 in the beginning.
#[derive(Debug)]
pub(super) enum Slots {
    Small(Vec<u64>),
    #[cfg(target_os = "linux")]
    Large {
        map: memmap2::MmapMut,
        /// How many numbers are in use, of those that have addresses.
        size: usize,
    },
}

/// So many numbers are in a large page.
const PAGE: usize = (2 << 20) / size_of::<u64>();
/// A table of so many pages is large.
const LARGE: usize = 4;
/// A large table has addresses for so many times its size.
#[cfg(target_os = "linux")]
const ROOM: usize = 8;

impl Slots {
    pub fn new(size: usize) -> Self {
        Self::large(size).unwrap_or_else(|| Self::Small(vec![0; size]))
    }

    /// Returns the next size: an eighth more, so that few places are free. A large table takes whole pages.
    pub fn more(size: usize) -> usize {
        let next = size + size / 8;
        match next < LARGE * PAGE {
            true => next,
            false => PAGE * (next / PAGE).max(size / PAGE + 1),
        }
    }

    /// Grows to `more` numbers. The old ones stay.
    pub fn grow(&mut self, more: usize) {
        match self {
            Self::Small(slots) if more < LARGE * PAGE => {
                slots.reserve_exact(more - slots.len());
                slots.resize(more, 0);
            }
            #[cfg(target_os = "linux")]
            Self::Large { map, size } if more <= map.len() / size_of::<u64>() => *size = more,
            _ => {
                let mut new = Self::new(more);
                new[..self.len()].copy_from_slice(self);
                *self = new;
            }
        }
    }

    #[cfg(target_os = "linux")]
    fn large(size: usize) -> Option<Self> {
        use memmap2::{Advice, MmapOptions};
        if size < LARGE * PAGE {
            return None;
        }
        let bytes = ROOM * size * size_of::<u64>();
        let map = MmapOptions::new().len(bytes).no_reserve_swap().map_anon();
        let map = map.ok()?;
        // Where there are no large pages, small ones do.
        let _ = map.advise(Advice::HugePage);
        Some(Self::Large { map, size })
    }

    #[cfg(not(target_os = "linux"))]
    fn large(_: usize) -> Option<Self> {
        None
    }
}

impl Deref for Slots {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Self::Small(slots) => slots,
            #[cfg(target_os = "linux")]
            Self::Large { map, size } => &bytemuck::cast_slice(map)[..*size],
        }
    }
}

impl DerefMut for Slots {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            Self::Small(slots) => slots,
            #[cfg(target_os = "linux")]
            Self::Large { map, size } => &mut bytemuck::cast_slice_mut(map)[..*size],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for size in [64, 1 << 18, (1 << 20) + 5] {
            let mut slots = Slots::new(size);
            assert_eq!(slots.len(), size);
            assert!(slots.iter().all(|&slot| slot == 0));
            let last = slots.len() - 1;
            (slots[0], slots[last]) = (1, 2);
            assert_eq!((slots[0], slots[last]), (1, 2));
        }
    }

    #[test]
    fn a_table_grows_and_keeps_what_it_has() {
        let mut slots = Slots::new(64);
        (slots[0], slots[63]) = (1, 2);
        let mut pages = Vec::new();
        while slots.len() < 40 * PAGE {
            let more = Slots::more(slots.len());
            assert!(more > slots.len());
            slots.grow(more);
            assert_eq!(slots.len(), more);
            assert_eq!((slots[0], slots[63], slots[more - 1]), (1, 2, 0));
            if more >= LARGE * PAGE {
                pages.push(more % PAGE);
            }
        }
        assert!(pages.iter().all(|&rest| rest == 0) && pages.len() > 5);
    }
}
