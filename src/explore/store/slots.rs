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
    /// About as many as that, and not more.
    pub fn new(size: usize) -> Self {
        Self::large(size).unwrap_or_else(|| Self::Small(vec![0; size]))
    }

    /// How many there should be next.
    pub fn more(&self) -> usize {
        let size = self.len();
        match size < LARGE * PAGE {
            true => size + size / 2,
            false => size + (size / 4).max(PAGE),
        }
    }

    #[cfg(target_os = "linux")]
    fn large(size: usize) -> Option<Self> {
        use memmap2::{Advice, MmapMut};
        let pages = size / PAGE;
        if pages < LARGE {
            return None;
        }
        let map = MmapMut::map_anon(pages * PAGE * size_of::<u64>()).ok()?;
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
            assert!(slots.len() <= size && slots.len() > size / 2);
            assert!(Slots::new(slots.more()).len() > slots.len());
            assert!(slots.iter().all(|&slot| slot == 0));
            let last = slots.len() - 1;
            (slots[0], slots[last]) = (1, 2);
            assert_eq!((slots[0], slots[last]), (1, 2));
        }
    }
}
