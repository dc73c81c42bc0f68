//! Values, as traces and answers show them. Engines have their own, faster forms.

use super::types::{Type, TypeId, Types};

/// A value of any type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number of an integer type; for an enum the member's index.
    Int(i128),
    /// A task's number (the first task is 1), or none.
    Task(Option<u32>),
    /// A record's fields.
    Record(Vec<Value>),
    /// An array's elements.
    Array(Vec<Value>),
    /// A map: the value of every other key, and the keys that differ, sorted.
    Map(Box<Value>, Vec<(Value, Value)>),
    /// A value that was never chosen because nothing depends on it.
    Any,
}

impl Value {
    /// The number of a task that has none here: all that is known is that there is one.
    pub const SOME_TASK: u32 = 0;

    /// The value as it is written in the language.
    #[must_use]
    pub fn show(&self, types: &Types, ty: TypeId) -> String {
        match (self, types.get(ty)) {
            (Self::Any, _) => "*".into(),
            (Self::Bool(b), _) => b.to_string(),
            (Self::Int(i), Type::Enum(e)) => usize::try_from(*i)
                .ok()
                .and_then(|i| e.members.get(i))
                .cloned()
                .unwrap_or_else(|| i.to_string()),
            (Self::Int(i), _) => i.to_string(),
            (Self::Task(Some(Self::SOME_TASK)), _) => "a task".into(),
            (Self::Task(Some(t)), _) => format!("task {t}"),
            (Self::Task(None), _) => "no task".into(),
            (Self::Record(values), Type::Record(r)) => {
                let fields: Vec<_> = r
                    .fields
                    .iter()
                    .zip(values)
                    .map(|((n, t), v)| format!("{n}: {}", v.show(types, *t)))
                    .collect();
                format!(
                    "{}{}{{ {} }}",
                    r.name,
                    if r.name.is_empty() { "" } else { " " },
                    fields.join(", ")
                )
            }
            (Self::Array(values), Type::Array(_, t)) => {
                let elements: Vec<_> = values.iter().map(|v| v.show(types, *t)).collect();
                format!("[{}]", elements.join(", "))
            }
            (Self::Map(rest, entries), Type::Map(k, t)) => {
                let mut parts: Vec<_> = entries
                    .iter()
                    .map(|(i, v)| format!("{}: {}", i.show(types, *k), v.show(types, *t)))
                    .collect();
                parts.push(format!("_: {}", rest.show(types, *t)));
                format!("[{}]", parts.join(", "))
            }
            _ => format!("{self:?}"),
        }
    }
}
