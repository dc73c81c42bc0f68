//! Values of the program's types as rows of Z3's terms.
//!
//! `int`, ranges, enumerations and handles are integers, machine integers are bit-vectors. A record is the row of its fields,
//! a short array that of its elements; of a long array or a map each leaf of an element becomes a Z3 array.

use solver::z3::Sort;
use solver::z3::ast::{Array, Ast, BV, Bool, Dynamic, Int};

use ir::{Program, Type, TypeId};

/// The leaves of a value.
pub type Row = Vec<Dynamic>;

/// Arrays of at most that many elements are rows.
const SHORT: u32 = 8;

/// A leaf of a type.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The type of the scalar in it, or of what the arrays hold in the end.
    pub scalar: TypeId,
    /// The sorts of the indices that lead to it, from the outermost.
    pub keys: Vec<Sort>,
    /// The leaf's name behind the variable's: `.count`, `[0]`.
    pub name: String,
}

/// How an array or map lies in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// So many elements, one after the other.
    Spread(u32),
    Folded,
}

/// How many leaves a variable may have.
const MOST_LEAVES: usize = 256;

/// How the elements of an array or map type lie, and their type.
#[must_use]
pub fn elements(program: &Program, ty: TypeId) -> (Elements, TypeId) {
    match program.types.get(ty) {
        Type::Array(len, of) if *len <= SHORT && len_of(program, *of) * *len as usize <= 64 => {
            (Elements::Spread(*len), *of)
        }
        Type::Array(_, of) | Type::Map(_, of) => (Elements::Folded, *of),
        _ => (Elements::Folded, ty),
    }
}

/// How many leaves a type has.
#[must_use]
pub fn len_of(program: &Program, ty: TypeId) -> usize {
    match program.types.get(ty) {
        Type::Record(record) => record.fields.iter().map(|f| len_of(program, f.1)).sum(),
        Type::Array(..) | Type::Map(..) => {
            let (how, of) = elements(program, ty);
            match how {
                Elements::Spread(n) => n as usize * len_of(program, of),
                Elements::Folded => len_of(program, of),
            }
        }
        _ => 1,
    }
}

/// What a type says of the leaves of a value.
pub fn bounds(program: &Program, ty: TypeId, row: &[Dynamic]) -> impl Iterator<Item = Bool> {
    let leaves = leaves(program, ty).unwrap_or_default();
    let all = leaves.iter().zip(row);
    let all: Vec<Bool> = all
        .filter_map(|(leaf, value)| leaf.bounds(program, value))
        .collect();
    all.into_iter()
}

/// The leaves of a type, unless there are too many.
#[must_use]
pub fn leaves(program: &Program, ty: TypeId) -> Option<Vec<Leaf>> {
    if len_of(program, ty) > MOST_LEAVES {
        return None;
    }
    Some(match program.types.get(ty) {
        Type::Record(record) => {
            let mut all = Vec::new();
            for (name, field) in &record.fields {
                all.extend(leaves(program, *field)?.into_iter().map(|mut leaf| {
                    leaf.name.insert_str(0, &format!(".{name}"));
                    leaf
                }));
            }
            all
        }
        Type::Array(..) | Type::Map(..) => {
            let (how, of) = elements(program, ty);
            let inner = leaves(program, of)?;
            match how {
                Elements::Spread(n) => (0..n)
                    .flat_map(|i| {
                        inner.iter().cloned().map(move |mut leaf| {
                            leaf.name.insert_str(0, &format!("[{i}]"));
                            leaf
                        })
                    })
                    .collect(),
                Elements::Folded => {
                    let key = key_sort(program, ty);
                    inner
                        .into_iter()
                        .map(|mut leaf| {
                            leaf.keys.insert(0, key.clone());
                            leaf.name.insert_str(0, "[]");
                            leaf
                        })
                        .collect()
                }
            }
        }
        _ => vec![Leaf {
            scalar: ty,
            keys: Vec::new(),
            name: String::new(),
        }],
    })
}

/// The sort of the indices of an array or map.
#[must_use]
pub fn key_sort(program: &Program, ty: TypeId) -> Sort {
    match program.types.get(ty) {
        Type::Map(key, _) => scalar_sort(program, *key),
        _ => Sort::int(),
    }
}

#[must_use]
pub fn scalar_sort(program: &Program, ty: TypeId) -> Sort {
    match program.types.get(ty) {
        Type::Bool => Sort::bool(),
        Type::Bits(bits) => Sort::bitvector(u32::from(bits.width)),
        _ => Sort::int(),
    }
}

impl Leaf {
    #[must_use]
    pub fn sort(&self, program: &Program) -> Sort {
        let scalar = scalar_sort(program, self.scalar);
        let keys = self.keys.iter().rev();
        keys.fold(scalar, |inner, key| Sort::array(key, &inner))
    }

    /// What its type says of a value of it; nothing of arrays.
    #[must_use]
    pub fn bounds(&self, program: &Program, value: &Dynamic) -> Option<Bool> {
        if !self.keys.is_empty() {
            return None;
        }
        let value = value.as_int()?;
        match program.types.get(self.scalar) {
            Type::Range(..) | Type::Enum(_) => {
                let (lo, hi) = program.types.bounds(self.scalar)?;
                Some(Bool::and(&[
                    value.ge(Int::from_i128(lo)),
                    value.le(Int::from_i128(hi)),
                ]))
            }
            _ => None,
        }
    }

    /// Whether the leaf is the handle of a task, or an array of handles.
    #[must_use]
    pub fn is_task(&self, program: &Program) -> bool {
        matches!(program.types.get(self.scalar), Type::Task)
    }
}

/// A number of an integer type.
#[must_use]
pub fn number(program: &Program, ty: TypeId, value: i128) -> Dynamic {
    match program.types.get(ty) {
        Type::Bits(bits) => {
            let width = u32::from(bits.width);
            let low = value & ((1i128 << width) - 1);
            Dynamic::from_ast(&BV::from_u64(u64::try_from(low).unwrap_or(0), width))
        }
        _ => int(value),
    }
}

#[must_use]
pub fn int(value: i128) -> Dynamic {
    Dynamic::from_ast(&Int::from_i128(value))
}

#[must_use]
pub fn truth(value: &Bool) -> Dynamic {
    Dynamic::from_ast(value)
}

/// An integer term.
///
/// # Panics
/// If it is none: terms are well-sorted.
#[must_use]
pub fn as_int(term: &Dynamic) -> Int {
    term.as_int().expect("terms are well-sorted")
}

/// A truth value.
///
/// # Panics
/// If it is none: terms are well-sorted.
#[must_use]
pub fn as_bool(term: &Dynamic) -> Bool {
    term.as_bool().expect("terms are well-sorted")
}

/// A bit-vector.
///
/// # Panics
/// If it is none: terms are well-sorted.
#[must_use]
pub fn as_bits(term: &Dynamic) -> BV {
    term.as_bv().expect("terms are well-sorted")
}

/// An array.
///
/// # Panics
/// If it is none: terms are well-sorted.
#[must_use]
pub fn as_array(term: &Dynamic) -> Array {
    term.as_array().expect("terms are well-sorted")
}

/// Returns `yes` or `no`, by the condition.
#[must_use]
pub fn ite(cond: &Bool, yes: &Dynamic, no: &Dynamic) -> Dynamic {
    if yes == no {
        return yes.clone();
    }
    cond.ite(yes, no)
}

/// Whether two terms of one sort are equal.
#[must_use]
pub fn same(a: &Dynamic, b: &Dynamic) -> Bool {
    if a == b {
        return Bool::from_bool(true);
    }
    a.eq(b)
}

/// A new constant of a sort.
#[must_use]
pub fn fresh(name: &str, sort: &Sort) -> Dynamic {
    Dynamic::fresh_const(name, sort)
}

/// Whether a term is an array.
#[must_use]
pub fn is_array(term: &Dynamic) -> bool {
    term.as_array().is_some()
}

/// An array with one value everywhere, under several keys.
#[must_use]
pub fn constant(keys: &[Sort], value: &Dynamic) -> Dynamic {
    keys.iter().rev().fold(value.clone(), |inner, key| {
        Dynamic::from_ast(&Array::const_array(key, &inner))
    })
}

/// Simplified, where Z3 can.
#[must_use]
pub fn simplified(term: &Dynamic) -> Dynamic {
    term.simplify()
}
