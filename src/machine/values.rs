//! Slots as values that a person can read.

use ir::{Program, Type, TypeId, Types, Value};

use super::code::{CHOICES, Keys, Layout, Repr, UNDEF};
use super::tables::{Tables, Trees};
use crate::Shared;

/// What is needed to read slots.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub types: &'a Types,
    pub layout: &'a Layout,
    pub trees: &'a Trees,
}

impl Reader<'_> {
    /// Returns the value of a type that begins at the first of some slots.
    pub fn value(&self, ty: TypeId, slots: &[i64]) -> Value {
        match self.layout.repr(ty) {
            Repr::Scalar(_) => self.scalar(ty, slots[0]),
            Repr::Record(fields) => {
                let field = |&(at, t): &(u32, TypeId)| self.value(t, &slots[at as usize..]);
                Value::Record(fields.iter().map(field).collect())
            }
            Repr::Flat { elem, stride, .. } => {
                let elements = slots.chunks((*stride).max(1) as usize);
                let len = self.layout.slots(ty) / (*stride).max(1);
                let elements = elements.take(len as usize).map(|s| self.value(*elem, s));
                self.sequence(ty, elements.collect())
            }
            Repr::Tree { elem, keys, .. } => {
                let tree = u32::try_from(slots[0]).unwrap_or(0);
                self.tree(ty, *elem, tree, *keys)
            }
        }
    }

    fn scalar(&self, ty: TypeId, slot: i64) -> Value {
        match self.types.get(ty) {
            _ if slot == UNDEF => Value::Any,
            Type::Bool => Value::Bool(slot != 0),
            Type::Task => Value::Task(u32::try_from(slot).ok().filter(|&t| t > 0)),
            Type::Bits(b) if b.width == 64 && !b.signed => Value::Int(slot.cast_unsigned().into()),
            _ => Value::Int(slot.into()),
        }
    }

    /// An array, or a map over as many keys.
    fn sequence(&self, ty: TypeId, elements: Vec<Value>) -> Value {
        let Type::Map(key, _) = *self.types.get(ty) else {
            return Value::Array(elements);
        };
        let rest = elements.first().cloned().unwrap_or(Value::Any);
        let lo = self.types.bounds(key).map_or(0, |(lo, _)| lo);
        let entries = (lo..).zip(elements).map(|(k, v)| (self.key(key, k), v));
        Value::map(self.types, key, rest, entries.collect())
    }

    fn key(&self, ty: TypeId, key: i128) -> Value {
        match self.types.get(ty) {
            Type::Bool => Value::Bool(key != 0),
            Type::Task => Value::Task(u32::try_from(key).ok().filter(|&t| t > 0)),
            Type::Bits(b) if b.width == 64 && !b.signed && key < 0 => Value::Int(key + (1 << 64)),
            _ => Value::Int(key),
        }
    }

    fn tree(&self, ty: TypeId, elem: TypeId, tree: u32, keys: Keys) -> Value {
        if let Type::Array(..) = self.types.get(ty) {
            let mut elements = Vec::new();
            self.trees.parts(tree, keys, &mut |first, last, slots| {
                let value = self.value(elem, slots);
                elements.extend((first..=last).map(|_| value.clone()));
            });
            return Value::Array(elements);
        }
        let Type::Map(key, _) = *self.types.get(ty) else {
            return Value::Any;
        };
        let rest = self.trees.rest(tree, keys).to_vec();
        let mut entries = Vec::new();
        self.trees.parts(tree, keys, &mut |first, last, slots| {
            if slots != rest {
                let value = self.value(elem, slots);
                let key = |path| self.key(key, keys.number(path));
                entries.extend((first..=last).map(|path| (key(path), value.clone())));
            }
        });
        Value::map(self.types, key, self.value(elem, &rest), entries)
    }
}

/// The most values that are written out for one state in which something was never chosen.
const SPREAD: u64 = 1 << 12;

/// Returns the final values of the visible globals. A value of a small type that was never chosen takes each of its values.
pub fn finals(program: &Program, shared: &Shared, leaves: &[u32]) -> Vec<Vec<Value>> {
    let tables = crate::lock(&shared.tables);
    let code = &shared.code;
    let slots = decode(shared, &tables, leaves);
    let reader = Reader {
        types: &program.types,
        layout: &code.layout,
        trees: &tables.trees,
    };
    let globals = program.globals.iter().zip(&code.globals);
    let globals = globals.filter(|(g, _)| g.is_final());
    let state: Vec<(TypeId, Value)> = globals
        .map(|(g, &slot)| (g.ty, reader.value(g.ty, &slots[slot as usize..])))
        .collect();
    if !code.undefined {
        return vec![state.into_iter().map(|(_, v)| v).collect()];
    }
    let count = state.iter().try_fold(1u64, |n, (ty, v)| {
        let values = spread(&program.types, *ty, v);
        values.and_then(|values| n.checked_mul(values))
    });
    // If there are too many, open values stay open.
    let count = count.filter(|&n| n <= SPREAD);
    let numbers = 0..count.unwrap_or(1);
    let chosen = |mut number: u64| {
        let number = count.map(|_| &mut number);
        let mut pick = Pick {
            types: &program.types,
            number,
        };
        state.iter().map(|(ty, v)| pick.filled(*ty, v)).collect()
    };
    numbers.map(chosen).collect()
}

fn decode(shared: &Shared, tables: &Tables, leaves: &[u32]) -> Vec<i64> {
    let slots = shared.packing.slots.iter();
    slots
        .map(|s| s.decode(s.code(leaves[s.leaf as usize]), tables))
        .collect()
}

/// The least value and the number of values of a type that has few.
fn few(types: &Types, ty: TypeId) -> Option<(i128, u64)> {
    let (lo, hi) = types.bounds(ty)?;
    let count = u64::try_from(hi.abs_diff(lo).checked_add(1)?).ok()?;
    (count <= CHOICES).then_some((lo, count))
}

/// Maps of at most so many keys are written out.
const KEYS: u64 = 64;

/// All keys of a map that has few.
fn whole(types: &Types, key: TypeId) -> Option<impl Iterator<Item = Value> + use<>> {
    let (lo, count) = few(types, key).filter(|&(_, count)| count <= KEYS)?;
    let truth = matches!(types.get(key), Type::Bool);
    let value = move |i: i128| match truth {
        true => Value::Bool(i != 0),
        false => Value::Int(i),
    };
    Some((lo..lo + i128::from(count)).map(value))
}

/// The value of a map at a key.
fn at<'v>(key: &Value, rest: &'v Value, entries: &'v [(Value, Value)]) -> &'v Value {
    let found = entries.iter().find(|(k, _)| k == key);
    found.map_or(rest, |(_, value)| value)
}

/// How many values a value stands for, where parts of small types were never chosen.
fn spread(types: &Types, ty: TypeId, value: &Value) -> Option<u64> {
    let product = |mut parts: &mut dyn Iterator<Item = (TypeId, &Value)>| {
        Iterator::try_fold(&mut parts, 1u64, |n, (ty, v)| {
            n.checked_mul(spread(types, ty, v)?)
        })
    };
    match (types.get(ty), value) {
        (_, Value::Any) => Some(few(types, ty).map_or(1, |(_, count)| count)),
        (Type::Record(r), Value::Record(parts)) => {
            product(&mut r.fields.iter().map(|f| f.1).zip(parts))
        }
        (Type::Array(_, t), Value::Array(parts)) => product(&mut parts.iter().map(|v| (*t, v))),
        (Type::Map(k, t), Value::Map(rest, entries)) => match whole(types, *k) {
            Some(keys) => product(&mut keys.map(|key| (*t, at(&key, rest, entries)))),
            // The rest of a map has no end.
            None => product(&mut entries.iter().map(|(_, v)| (*t, v))),
        },
        _ => Some(1),
    }
}

/// Fills in what was never chosen, by the digits of a number.
struct Pick<'a> {
    types: &'a Types,
    number: Option<&'a mut u64>,
}

impl Pick<'_> {
    fn filled(&mut self, ty: TypeId, value: &Value) -> Value {
        match (self.types.get(ty), value) {
            (_, Value::Any) => self.digit(ty),
            (Type::Record(r), Value::Record(parts)) => {
                let fields = r.fields.iter().zip(parts);
                Value::Record(fields.map(|(f, v)| self.filled(f.1, v)).collect())
            }
            (Type::Array(_, t), Value::Array(parts)) => {
                Value::Array(parts.iter().map(|v| self.filled(*t, v)).collect())
            }
            (Type::Map(k, t), Value::Map(rest, entries)) => {
                let entries: Vec<_> = match whole(self.types, *k) {
                    Some(keys) => keys
                        .map(|key| {
                            let value = self.filled(*t, at(&key, rest, entries));
                            (key, value)
                        })
                        .collect(),
                    None => (entries.iter())
                        .map(|(k, v)| (k.clone(), self.filled(*t, v)))
                        .collect(),
                };
                let all = whole(self.types, *k).and(entries.first());
                let rest = all.map_or_else(|| (**rest).clone(), |(_, value)| value.clone());
                Value::map(self.types, *k, rest, entries)
            }
            _ => value.clone(),
        }
    }

    fn digit(&mut self, ty: TypeId) -> Value {
        let (Some(number), Some((lo, count))) = (&mut self.number, few(self.types, ty)) else {
            return Value::Any;
        };
        let digit = i128::from(**number % count);
        **number /= count;
        match self.types.get(ty) {
            Type::Bool => Value::Bool(lo + digit != 0),
            _ => Value::Int(lo + digit),
        }
    }
}
