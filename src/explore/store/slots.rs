//! The memory of a large table.
//!
//! Its places are looked at in no order: with pages of 4 KiB nearly every look would also be one for the page. So where
//! the system can be asked for larger pages, a large table lies in them.

use std::ops::{Deref, DerefMut};

/// Numbers, all 0 in the beginning.
#[derive(Debug)]
pub(super) enum Slots {
    Small(Vec<u64>),
    #[cfg(target_os = "linux")]
    Large(memmap2::MmapMut),
}

/// So many numbers are in a large page.
const PAGE: usize = (2 << 20) / size_of::<u64>();
/// A table of so many pages is large.
const LARGE: usize = 2;

impl Slots {
    /// So many.
    pub fn new(size: usize) -> Self {
        Self::large(size).unwrap_or_else(|| Self::Small(vec![0; size]))
    }

    /// How many there should be next: an eighth more, so that few places are free; a quarter more of a large table, where each
    /// place also costs that the system clears it.
    pub fn more(size: usize) -> usize {
        match size < LARGE * PAGE {
            true => size + size / 8,
            false => size + size / 4,
        }
    }

    #[cfg(target_os = "linux")]
    fn large(size: usize) -> Option<Self> {
        use memmap2::{Advice, MmapMut};
        if size < LARGE * PAGE {
            return None;
        }
        let map = MmapMut::map_anon(size * size_of::<u64>()).ok()?;
        // Where there are no large pages, small ones do.
        let _ = map.advise(Advice::HugePage);
        Some(Self::Large(map))
    }

    #[cfg(not(target_os = "linux"))]
    fn large(_: usize) -> Option<Self> {
        None
    }
}

impl Deref for Slots {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match self {
            Self::Small(slots) => slots,
            #[cfg(target_os = "linux")]
            Self::Large(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Slots {
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            Self::Small(slots) => slots,
            #[cfg(target_os = "linux")]
            Self::Large(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for size in [64, 1 << 18, (1 << 19) + 5] {
            let mut slots = Slots::new(size);
            assert_eq!(slots.len(), size);
            assert!(Slots::more(size) > size);
            assert!(slots.iter().all(|&slot| slot == 0));
            let last = slots.len() - 1;
            (slots[0], slots[last]) = (1, 2);
            assert_eq!((slots[0], slots[last]), (1, 2));
        }
    }
}
