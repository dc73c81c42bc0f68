//! Storing into a part of a value, and saying what changed.

use crate::ir::{Type, TypeId, Types, Value};

use super::eval::PathStep;

/// Stores into the part of a value that a path leads to. `None` if the path does not fit the type.
pub(crate) fn store(
    types: &Types,
    ty: TypeId,
    whole: &mut Value,
    path: &[PathStep],
    value: Value,
) -> Option<()> {
    let Some((step, rest)) = path.split_first() else {
        *whole = value;
        return Some(());
    };
    if *whole == Value::Any {
        *whole = opened(types, ty);
    }
    match (types.get(ty), step, whole) {
        (Type::Record(r), PathStep::Field(f), Value::Record(values)) => {
            let (_, inner) = r.fields.get(*f as usize)?;
            store(types, *inner, values.get_mut(*f as usize)?, rest, value)
        }
        (Type::Array(_, inner), PathStep::Key(Value::Int(i)), Value::Array(values)) => {
            let slot = values.get_mut(usize::try_from(*i).ok()?)?;
            store(types, *inner, slot, rest, value)
        }
        (Type::Map(key_type, inner), PathStep::Key(key), map) => {
            let Value::Map(default, entries) = &*map else {
                return None;
            };
            let found = entries.binary_search_by(|(k, _)| k.cmp(key));
            let mut element =
                found.map_or_else(|_| (**default).clone(), |at| entries[at].1.clone());
            store(types, *inner, &mut element, rest, value)?;
            *map = map.with(types, *key_type, key, element)?;
            Some(())
        }
        _ => None,
    }
}

/// A value of that type in which nothing was chosen, one level deep.
fn opened(types: &Types, ty: TypeId) -> Value {
    match types.get(ty) {
        Type::Record(r) => Value::Record(vec![Value::Any; r.fields.len()]),
        Type::Array(n, _) => Value::Array(vec![Value::Any; *n as usize]),
        Type::Map(..) => Value::Map(Box::new(Value::Any), Vec::new()),
        _ => Value::Any,
    }
}

/// The scalar parts in which a value differs from the one before it, as `(name, new value)`.
pub(crate) fn diff(
    types: &Types,
    ty: TypeId,
    name: &str,
    old: &Value,
    new: &Value,
    out: &mut Vec<(String, String)>,
) {
    if old == new {
        return;
    }
    match (types.get(ty), old, new) {
        (Type::Record(r), Value::Record(a), Value::Record(b)) => {
            for ((field, t), (a, b)) in r.fields.iter().zip(a.iter().zip(b)) {
                diff(types, *t, &format!("{name}.{field}"), a, b, out);
            }
        }
        (Type::Array(_, t), Value::Array(a), Value::Array(b)) => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                diff(types, *t, &format!("{name}[{i}]"), a, b, out);
            }
        }
        (Type::Map(k, t), Value::Map(a, a_entries), Value::Map(b, b_entries)) if a == b => {
            for (key, value) in b_entries {
                let found = a_entries.binary_search_by(|(k, _)| k.cmp(key));
                let before = found.map_or(&**a, |at| &a_entries[at].1);
                let name = format!("{name}[{}]", key.show(types, *k));
                diff(types, *t, &name, before, value, out);
            }
            let back = |key: &Value| b_entries.binary_search_by(|(k, _)| k.cmp(key)).is_err();
            for (key, value) in a_entries.iter().filter(|(key, _)| back(key)) {
                let name = format!("{name}[{}]", key.show(types, *k));
                diff(types, *t, &name, value, b, out);
            }
        }
        _ => out.push((name.to_owned(), new.show(types, ty))),
    }
}
