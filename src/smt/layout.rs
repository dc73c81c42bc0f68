//! How values of the program's types are laid out as terms.
//!
//! A value is a row of terms, its *leaves*. A record's leaves are those of its fields, one after the other. A short array, or a
//! map with few keys, is laid out like a record. In a long array, or a map with many keys, each leaf of an element becomes one
//! map from indices.

use std::ops::Range;

use ir::{GlobalId, LocalId, ProcId, Program, Type, TypeId, Types};

use super::term::{Bits, Interval, Sort};

/// An array with at most this many elements is always spread out.
const ALWAYS_SPREAD: u128 = 16;
/// An array with at most this many leaves is spread out.
const MOST_LEAVES: u128 = 256;
/// The most leaves of a value.
const LIMIT: u128 = 1 << 16;

/// A leaf: what a single term holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub sort: Sort,
    /// Where the values of its type (a map's elements) lie.
    pub interval: Interval,
}

/// How the elements of an array or map are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// One after the other.
    Spread {
        /// The index of the first.
        first: i128,
        /// How many there are.
        len: usize,
    },
    /// Each leaf is a map.
    Folded,
}

/// The layout of every type of a program.
#[derive(Debug)]
pub struct Layouts<'p> {
    types: &'p Types,
    leaves: Vec<Vec<Leaf>>,
    elements: Vec<Option<Elements>>,
}

impl<'p> Layouts<'p> {
    /// Lays out all types.
    ///
    /// # Errors
    /// When a type has too many leaves.
    pub fn new(types: &'p Types) -> Result<Self, String> {
        let mut layouts = Self {
            types,
            leaves: Vec::new(),
            elements: Vec::new(),
        };
        // Types are not recursive, and an inner type is interned before the outer.
        for (id, ty) in types.iter() {
            let elements = layouts.elements_of(ty);
            let leaves = layouts.leaves_of(ty, elements);
            if leaves.len() as u128 > LIMIT {
                return Err(format!(
                    "a value of type {} is too large for this engine",
                    types.name(id)
                ));
            }
            layouts.elements.push(elements);
            layouts.leaves.push(leaves);
        }
        Ok(layouts)
    }

    #[must_use]
    pub fn leaves(&self, ty: TypeId) -> &[Leaf] {
        &self.leaves[ty.0 as usize]
    }

    /// How many leaves a type has.
    #[must_use]
    pub fn len(&self, ty: TypeId) -> usize {
        self.leaves(ty).len()
    }

    /// The table of types.
    #[must_use]
    pub fn types(&self) -> &'p Types {
        self.types
    }

    #[must_use]
    pub fn ty(&self, ty: TypeId) -> &'p Type {
        self.types.get(ty)
    }

    /// The first leaf of a record's field, and the field's type.
    ///
    /// # Panics
    /// If the type is not a record.
    #[must_use]
    pub fn field(&self, ty: TypeId, field: u32) -> (usize, TypeId) {
        let Type::Record(record) = self.ty(ty) else {
            unreachable!("fields belong to records")
        };
        let before = &record.fields[..field as usize];
        (
            before.iter().map(|f| self.len(f.1)).sum(),
            record.fields[field as usize].1,
        )
    }

    /// How the elements of an array or map are laid out, and their type.
    ///
    /// # Panics
    /// If the type is neither.
    #[must_use]
    pub fn elements(&self, ty: TypeId) -> (Elements, TypeId) {
        let (Type::Array(_, element) | Type::Map(_, element)) = self.ty(ty) else {
            unreachable!("elements belong to arrays and maps")
        };
        (
            self.elements[ty.0 as usize].unwrap_or(Elements::Folded),
            *element,
        )
    }

    fn elements_of(&self, ty: &Type) -> Option<Elements> {
        let (first, len, element) = match ty {
            Type::Array(len, element) => (0, u128::from(*len), *element),
            Type::Map(key, element) => match self.types.bounds(*key) {
                Some((lo, hi)) => (lo, (hi - lo).unsigned_abs() + 1, *element),
                None => return Some(Elements::Folded),
            },
            _ => return None,
        };
        let leaves = len.saturating_mul(self.len(element) as u128);
        let spread = leaves <= MOST_LEAVES || (len <= ALWAYS_SPREAD && leaves <= LIMIT);
        Some(match usize::try_from(len) {
            Ok(len) if spread => Elements::Spread { first, len },
            _ => Elements::Folded,
        })
    }

    fn leaves_of(&self, ty: &Type, elements: Option<Elements>) -> Vec<Leaf> {
        match (ty, elements) {
            (Type::Record(record), _) => record
                .fields
                .iter()
                .flat_map(|f| self.leaves(f.1))
                .copied()
                .collect(),
            (Type::Array(_, e) | Type::Map(_, e), Some(Elements::Spread { len, .. })) => {
                self.leaves(*e).repeat(len)
            }
            (Type::Array(_, e) | Type::Map(_, e), _) => {
                let fold = |leaf: &Leaf| Leaf {
                    sort: leaf.sort.map_to(),
                    interval: leaf.interval,
                };
                self.leaves(*e).iter().map(fold).collect()
            }
            (Type::Bool, _) => vec![Leaf {
                sort: Sort::Bool,
                interval: Interval::ALL,
            }],
            (scalar, _) => vec![Leaf {
                sort: Sort::Int,
                interval: interval(scalar),
            }],
        }
    }
}

/// Where the numbers of a scalar type lie. Tasks are numbered from 1; 0 is none.
fn interval(ty: &Type) -> Interval {
    match ty {
        Type::Range(lo, hi) => Interval::new(*lo, *hi),
        Type::Bits(bits) => machine(*bits).interval(),
        Type::Enum(members) => Interval::new(0, members.members.len() as i128 - 1),
        Type::Task => Interval::new(0, i128::from(u32::MAX)),
        _ => Interval::ALL,
    }
}

/// A machine integer's width, as terms know it.
#[must_use]
pub fn machine(bits: ir::Bits) -> Bits {
    Bits {
        width: bits.width,
        signed: bits.signed,
    }
}

/// Where the leaves of variables are: all globals are one row, and all locals of a procedure are one.
#[derive(Debug)]
pub struct Rows {
    /// The first leaf of each global, and the end.
    global_at: Vec<usize>,
    /// The first leaf of each local of each procedure, and the end.
    local_at: Vec<Vec<usize>>,
}

impl Rows {
    #[must_use]
    pub fn new(program: &Program, layouts: &Layouts<'_>) -> Self {
        let offsets = |types: &mut dyn Iterator<Item = TypeId>| -> Vec<usize> {
            let mut offsets = vec![0];
            let mut end = 0;
            for ty in types {
                end += layouts.len(ty);
                offsets.push(end);
            }
            offsets
        };
        Self {
            global_at: offsets(&mut program.globals.iter().map(|g| g.ty)),
            local_at: (program.procs.iter())
                .map(|p| offsets(&mut p.locals.iter().map(|l| l.ty)))
                .collect(),
        }
    }

    /// The leaves of a global.
    #[must_use]
    pub fn global(&self, global: GlobalId) -> Range<usize> {
        self.global_at[global.index()]..self.global_at[global.index() + 1]
    }

    /// The leaves of a local.
    #[must_use]
    pub fn local(&self, proc: ProcId, local: LocalId) -> Range<usize> {
        let offsets = &self.local_at[proc.index()];
        offsets[local.index()]..offsets[local.index() + 1]
    }
}
