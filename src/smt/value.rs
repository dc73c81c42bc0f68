//! Turns data, the results of evaluating terms, into values of the program's types.

use std::collections::BTreeMap;

use ir::{Type, TypeId, Value};

use super::layout::{Elements, Layouts};
use super::term::{Datum, MapDatum};

const TOO_WIDE: &str = "a number takes more than 128 bits";

/// Reads a value of a type: the next data are its leaves.
///
/// # Errors
/// When a number takes more than 128 bits.
pub fn value(
    layouts: &Layouts<'_>,
    ty: TypeId,
    data: &mut impl Iterator<Item = Datum>,
) -> Result<Value, String> {
    let leaves: Vec<Datum> = data.take(layouts.len(ty)).collect();
    of(layouts, ty, &leaves)
}

fn of(layouts: &Layouts<'_>, ty: TypeId, leaves: &[Datum]) -> Result<Value, String> {
    Ok(match layouts.ty(ty) {
        Type::Bool => Value::Bool(leaves[0].truth().ok_or(TOO_WIDE)?),
        Type::Task => match number(&leaves[0])? {
            0 => Value::Task(None),
            n => Value::Task(u32::try_from(n).ok()),
        },
        Type::Record(record) => {
            let mut at = 0;
            let mut fields = Vec::with_capacity(record.fields.len());
            for &(_, field) in &record.fields {
                let end = at + layouts.len(field);
                fields.push(of(layouts, field, &leaves[at..end])?);
                at = end;
            }
            Value::Record(fields)
        }
        Type::Array(len, _) => {
            let indices = 0..i128::from(*len);
            Value::Array(
                indices
                    .map(|i| element(layouts, ty, leaves, i))
                    .collect::<Result<_, _>>()?,
            )
        }
        Type::Map(key, _) => map(layouts, ty, *key, leaves)?,
        Type::Int | Type::Range(..) | Type::Bits(_) | Type::Enum(_) => {
            Value::Int(number(&leaves[0])?)
        }
    })
}

fn number(datum: &Datum) -> Result<i128, String> {
    datum.int().ok_or_else(|| TOO_WIDE.to_owned())
}

/// An element of an array or map.
fn element(
    layouts: &Layouts<'_>,
    ty: TypeId,
    leaves: &[Datum],
    index: i128,
) -> Result<Value, String> {
    let (elements, element) = layouts.elements(ty);
    match elements {
        Elements::Spread { first, .. } => {
            let width = layouts.len(element);
            let at = usize::try_from(index - first).unwrap_or(0) * width;
            of(layouts, element, &leaves[at..at + width])
        }
        Elements::Folded => of(layouts, element, &each(leaves, |map| map.at(index).clone())),
    }
}

fn each(leaves: &[Datum], f: impl Fn(&MapDatum) -> Datum) -> Vec<Datum> {
    leaves
        .iter()
        .map(|leaf| {
            if let Datum::Map(map) = leaf {
                f(map)
            } else {
                leaf.clone()
            }
        })
        .collect()
}

fn map(layouts: &Layouts<'_>, ty: TypeId, key: TypeId, leaves: &[Datum]) -> Result<Value, String> {
    let (elements, inner) = layouts.elements(ty);
    let mut entries = BTreeMap::new();
    let rest = match elements {
        Elements::Spread { first, len } => {
            for i in 0..len {
                let index = first + i as i128;
                entries.insert(index, element(layouts, ty, leaves, index)?);
            }
            entries.values().next().cloned().unwrap_or(Value::Any)
        }
        Elements::Folded => {
            let keys = leaves.iter().filter_map(|l| {
                if let Datum::Map(map) = l {
                    Some(map)
                } else {
                    None
                }
            });
            for index in keys.flat_map(|map| map.entries.keys().copied()) {
                entries.insert(index, element(layouts, ty, leaves, index)?);
            }
            of(layouts, inner, &each(leaves, |map| map.rest.clone()))?
        }
    };
    let entries = entries.into_iter();
    let entries = entries.map(|(index, value)| (of_key(layouts, key, index), value));
    Ok(Value::map(layouts.types(), key, rest, entries.collect()))
}

fn of_key(layouts: &Layouts<'_>, key: TypeId, index: i128) -> Value {
    match layouts.ty(key) {
        Type::Bool => Value::Bool(index != 0),
        Type::Task => Value::Task(u32::try_from(index).ok().filter(|&n| n > 0)),
        _ => Value::Int(index),
    }
}
