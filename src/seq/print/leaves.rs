//! Takes values apart. Boogie has no records, so a variable becomes one variable for each scalar inside it, with the long arrays
//! and maps that lie around the scalar. Short arrays are taken apart too: a solver is much faster without them.
//!
//! `Gbar: [2]record { x: int, a: [100]bool }` is `Gbar.0.x: int`, `Gbar.0.a: [int]bool`, `Gbar.1.x: int`, `Gbar.1.a: [int]bool`.

use ir::{Bits, Program, Type, TypeId};

use super::names::Names;

/// An array or a map around a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The type of its keys.
    pub key: String,
    pub len: Option<u32>,
}

/// A scalar inside a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The fields and the elements of short arrays that lead to it, each after a dot.
    pub suffix: String,
    /// The arrays and maps around it, the outermost first.
    pub around: Vec<Dimension>,
    pub scalar: TypeId,
}

/// Whether an array is taken apart into its elements.
pub fn is_short(len: u32) -> bool {
    len <= 16
}

/// The scalars inside a type, in order.
pub fn leaves(program: &Program, names: &Names, ty: TypeId) -> Vec<Leaf> {
    match program.types.get(ty) {
        Type::Record(record) => {
            let fields = names.parts[&ty].iter().zip(&record.fields);
            let of = |(name, (_, t)): (&String, &(String, TypeId))| {
                let named = |leaf: Leaf| Leaf {
                    suffix: format!(".{name}{}", leaf.suffix),
                    ..leaf
                };
                leaves(program, names, *t)
                    .into_iter()
                    .map(named)
                    .collect::<Vec<_>>()
            };
            fields.flat_map(of).collect()
        }
        Type::Array(len, element) if is_short(*len) => {
            let inner = leaves(program, names, *element);
            let of = |k: u32| {
                inner.clone().into_iter().map(move |leaf| Leaf {
                    suffix: format!(".{k}{}", leaf.suffix),
                    ..leaf
                })
            };
            (0..*len).flat_map(of).collect()
        }
        Type::Array(len, element) => {
            let dimension = Dimension {
                key: "int".to_owned(),
                len: Some(*len),
            };
            around(dimension, leaves(program, names, *element))
        }
        Type::Map(key, element) => {
            let dimension = Dimension {
                key: scalar(program, *key),
                len: None,
            };
            around(dimension, leaves(program, names, *element))
        }
        _ => vec![Leaf {
            suffix: String::new(),
            around: Vec::new(),
            scalar: ty,
        }],
    }
}

fn around(dimension: Dimension, mut leaves: Vec<Leaf>) -> Vec<Leaf> {
    for leaf in &mut leaves {
        leaf.around.insert(0, dimension.clone());
    }
    leaves
}

pub fn scalar(program: &Program, ty: TypeId) -> String {
    match program.types.get(ty) {
        Type::Bool => "bool".to_owned(),
        Type::Bits(Bits { width, .. }) => format!("bv{width}"),
        _ => "int".to_owned(),
    }
}

/// The type of a leaf's variable.
pub fn boogie_type(program: &Program, leaf: &Leaf) -> String {
    let maps: String = leaf.around.iter().map(|d| format!("[{}]", d.key)).collect();
    maps + &scalar(program, leaf.scalar)
}
