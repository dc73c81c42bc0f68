//! Maps as values, in one form: equal maps are equal as data.

use super::types::{Type, TypeId, Types};
use super::value::Value;

impl Value {
    /// A map in its one form: entries are sorted, and none has the value of the rest. If the key
    /// type is finite, the rest is the value of most keys; of several such values it is the least.
    #[must_use]
    pub fn map(types: &Types, key: TypeId, rest: Self, entries: Vec<(Self, Self)>) -> Self {
        let empty = Self::Map(Box::new(rest), Vec::new());
        let set = |map: Self, (k, v): (Self, Self)| map.with(types, key, &k, v).unwrap_or(map);
        entries.into_iter().fold(empty, set)
    }

    /// This map with another value for one key; `None` if it is no map.
    #[must_use]
    pub fn with(&self, types: &Types, key_type: TypeId, key: &Self, value: Self) -> Option<Self> {
        let Self::Map(rest, entries) = self else {
            return None;
        };
        let mut entries = entries.clone();
        match (
            entries.binary_search_by(|(k, _)| k.cmp(key)),
            value == **rest,
        ) {
            (Ok(at), true) => drop(entries.remove(at)),
            (Ok(at), false) => entries[at].1 = value,
            (Err(_), true) => {}
            (Err(at), false) => entries.insert(at, (key.clone(), value)),
        }
        let keys = types.size(key_type);
        if keys.is_some_and(|n| entries.len() as u128 * 2 >= n) {
            return Some(settle(types, key_type, (**rest).clone(), entries));
        }
        Some(Self::Map(rest.clone(), entries))
    }
}

/// Chooses the value of the rest anew, when half of the keys or more have entries.
fn settle(types: &Types, key: TypeId, rest: Value, entries: Vec<(Value, Value)>) -> Value {
    let found = |k: &Value| entries.binary_search_by(|(e, _)| e.cmp(k));
    let all: Vec<(Value, Value)> = keys(types, key)
        .map(|k| {
            let value = found(&k).map_or(&rest, |at| &entries[at].1).clone();
            (k, value)
        })
        .collect();
    let mut values: Vec<&Value> = all.iter().map(|(_, v)| v).collect();
    values.sort_unstable();
    let groups = values.chunk_by(|a, b| a == b);
    // The first of the longest groups: `max_by_key` would give the last.
    let most = groups.rev().max_by_key(|group| group.len());
    let rest = most.map_or(rest, |group| group[0].clone());
    let entries = all.into_iter().filter(|(_, v)| *v != rest).collect();
    Value::Map(Box::new(rest), entries)
}

/// All values of a finite scalar type, ascending.
fn keys(types: &Types, key: TypeId) -> impl Iterator<Item = Value> {
    let (lo, hi) = types.bounds(key).unwrap_or((0, -1));
    let truth = matches!(types.get(key), Type::Bool);
    (lo..=hi).map(move |i| {
        if truth {
            Value::Bool(i == 1)
        } else {
            Value::Int(i)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_maps_over_finite_keys_are_equal_as_data() {
        let mut types = Types::new();
        let key = types.intern(Type::Range(0, 2));
        let map = types.intern(Type::Map(key, Types::INT));
        let n = Value::Int;
        let fill = |v| Value::map(&types, key, n(v), Vec::new());
        let one_by_one = Value::map(&types, key, n(0), (0..3).map(|k| (n(k), n(7))).collect());
        assert_eq!(one_by_one, fill(7));
        let a = Value::map(&types, key, n(5), vec![(n(0), n(1)), (n(1), n(2))]);
        let b = Value::map(&types, key, n(2), vec![(n(0), n(1)), (n(2), n(5))]);
        assert_eq!(a, b);
        assert_eq!(a.show(&types, map), "[1: 2, 2: 5, _: 1]");
    }

    #[test]
    fn entries_equal_to_the_rest_are_left_out() {
        let types = Types::new();
        let entries = vec![
            (Value::Int(4), Value::Int(0)),
            (Value::Int(2), Value::Int(1)),
        ];
        let map = Value::map(&types, Types::INT, Value::Int(0), entries);
        let expected = vec![(Value::Int(2), Value::Int(1))];
        assert_eq!(map, Value::Map(Box::new(Value::Int(0)), expected));
    }
}
