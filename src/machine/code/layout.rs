//! How values of each type lie in slots.

use ir::{Type, TypeId, Types};

use super::UNDEF;

/// Arrays of more slots than this are kept as trees.
const FLAT: u32 = 1024;
/// Maps with more slots than this are kept as trees.
const FLAT_MAP: u32 = 64;

/// The values of a scalar slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `count` values from `lo` on.
    Small {
        lo: i64,
        count: u32,
    },
    Wide,
    /// The name of a tree.
    Tree,
}

/// How keys of a tree become paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// The least key; `None` for 64-bit keys, which are folded so that small ones of both signs lie together.
    pub lo: Option<i64>,
    /// How many levels of sixteen children.
    pub depth: u32,
    /// The path of the last key.
    pub last: u64,
}

/// How a type's values lie in slots.
#[derive(Clone, Debug)]
pub enum Repr {
    Scalar(Domain),
    /// The fields one after the other: offset and type.
    Record(Vec<(u32, TypeId)>),
    /// `len` elements of `stride` slots; the key `lo` is the first.
    Flat {
        elem: TypeId,
        len: u32,
        /// How many slots each element takes.
        stride: u32,
        /// The first key.
        lo: i64,
    },
    /// One slot that names a tree of elements.
    Tree {
        elem: TypeId,
        /// How many slots each element takes.
        width: u32,
        /// How keys become paths.
        keys: Keys,
    },
}

/// The table of representations.
#[derive(Debug)]
pub struct Layout {
    reprs: Vec<(Repr, u32)>,
}

impl Layout {
    /// Lays out every type.
    pub fn new(types: &Types) -> Self {
        let mut layout = Self { reprs: Vec::new() };
        for (id, ty) in types.iter() {
            let repr = layout.repr_of(types, id, ty);
            layout.reprs.push(repr);
        }
        layout
    }

    /// How a type's values lie.
    pub fn repr(&self, ty: TypeId) -> &Repr {
        &self.reprs[ty.0 as usize].0
    }

    /// Returns how many slots a value of the type takes.
    pub fn slots(&self, ty: TypeId) -> u32 {
        self.reprs[ty.0 as usize].1
    }

    // A type's parts were interned before it.
    fn repr_of(&self, types: &Types, id: TypeId, ty: &Type) -> (Repr, u32) {
        match ty {
            Type::Record(r) => {
                let mut next = 0u32;
                let mut fields = Vec::new();
                for &(_, t) in &r.fields {
                    fields.push((next, t));
                    next = next.saturating_add(self.slots(t));
                }
                (Repr::Record(fields), next)
            }
            Type::Array(len, t) => {
                let keys = Keys::finite(0, u64::from(*len));
                self.sequence(*t, u128::from(*len), 0, FLAT, keys)
            }
            Type::Map(k, t) => match types.bounds(*k) {
                Some((lo, hi)) if hi.abs_diff(lo) < 1 << 32 && i64::try_from(lo).is_ok() => {
                    let count = hi.abs_diff(lo) + 1;
                    let lo = i64::try_from(lo).unwrap_or(0);
                    let keys = Keys::finite(lo, u64::try_from(count).unwrap_or(u64::MAX));
                    self.sequence(*t, count, lo, FLAT_MAP, keys)
                }
                _ => (self.tree(*t, Keys::WIDE), 1),
            },
            _ => (Repr::Scalar(domain(types, id)), 1),
        }
    }

    fn tree(&self, elem: TypeId, keys: Keys) -> Repr {
        let width = self.slots(elem);
        Repr::Tree { elem, width, keys }
    }

    fn sequence(&self, elem: TypeId, len: u128, lo: i64, flat: u32, keys: Keys) -> (Repr, u32) {
        let stride = self.slots(elem);
        match len.checked_mul(u128::from(stride)).map(u32::try_from) {
            Some(Ok(total)) if total <= flat => {
                let len = total / stride.max(1);
                let repr = Repr::Flat {
                    elem,
                    len,
                    stride,
                    lo,
                };
                (repr, total)
            }
            _ => (self.tree(elem, keys), 1),
        }
    }
}

impl Keys {
    pub const WIDE: Self = Self {
        lo: None,
        depth: 16,
        last: u64::MAX,
    };

    /// Makes `count` keys, of which `lo` is the first.
    pub fn finite(lo: i64, count: u64) -> Self {
        let last = count.saturating_sub(1);
        let bits = 64 - last.leading_zeros();
        Self {
            lo: Some(lo),
            depth: bits.div_ceil(4).max(1),
            last,
        }
    }

    /// The path of a key, sixteen ways at each level, the topmost in the highest four bits that are used.
    pub fn path(self, key: i64) -> u64 {
        match self.lo {
            Some(lo) => key.wrapping_sub(lo).cast_unsigned(),
            None => ((key << 1) ^ (key >> 63)).cast_unsigned(),
        }
    }

    /// Returns the key, or the first key if it lies outside.
    pub fn within(self, key: i64) -> i64 {
        if self.path(key) <= self.last {
            key
        } else {
            self.key(0)
        }
    }

    /// The key of a path. One that 64 bits do not hold is never looked up.
    pub fn key(self, path: u64) -> i64 {
        match self.lo {
            Some(lo) => lo.wrapping_add(path.cast_signed()),
            None => (path >> 1).cast_signed() ^ -(path & 1).cast_signed(),
        }
    }

    /// The key of a path, exactly.
    pub fn number(self, path: u64) -> i128 {
        match self.lo {
            Some(lo) => i128::from(lo) + i128::from(path),
            None => self.key(path).into(),
        }
    }
}

fn domain(types: &Types, id: TypeId) -> Domain {
    let Some((lo, hi)) = types.bounds(id) else {
        return Domain::Wide;
    };
    let count = hi.abs_diff(lo).saturating_add(1);
    match (i64::try_from(lo), i64::try_from(hi), u32::try_from(count)) {
        // The mark of a missing value is no value of a slot that is enumerated.
        (Ok(lo), Ok(hi), _) if (lo..=hi).contains(&UNDEF) => Domain::Wide,
        (Ok(lo), Ok(_), Ok(count)) if count < 1 << 31 => Domain::Small { lo, count },
        _ => Domain::Wide,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_paths_agree() {
        let wide = Keys::WIDE;
        for key in [0, 1, -1, 17, i64::MAX, i64::MIN] {
            assert_eq!(wide.key(wide.path(key)), key);
        }
        assert_eq!(wide.path(-1), 1);
        let some = Keys::finite(-3, 20);
        assert_eq!((some.path(-3), some.key(19), some.depth), (0, 16, 2));
    }
}
