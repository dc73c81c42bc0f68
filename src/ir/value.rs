//! Values, as traces and answers show them. Engines have their own, faster forms.

/// A value of any type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    /// A number of an integer type; for an enum the member's index.
    Int(i128),
    /// A task's number (the first task is 1), or none.
    Task(Option<u32>),
    Record(Vec<Value>),
    Array(Vec<Value>),
    /// A map: the value of every other key, and the keys that differ, sorted.
    Map(Box<Value>, Vec<(Value, Value)>),
    /// A value that was never chosen because nothing depends on it.
    Any,
}

impl Value {
    /// Stands for a task whose number is not known.
    pub const SOME_TASK: u32 = 0;

    /// Whether no part of it was chosen.
    #[must_use]
    pub fn is_open(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Bool(_) | Self::Int(_) | Self::Task(_) => false,
            Self::Record(parts) | Self::Array(parts) => parts.iter().all(Self::is_open),
            Self::Map(rest, entries) => rest.is_open() && entries.iter().all(|(_, v)| v.is_open()),
        }
    }

    /// Whether every part of it was chosen.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match self {
            Self::Any => false,
            Self::Bool(_) | Self::Int(_) | Self::Task(_) => true,
            Self::Record(parts) | Self::Array(parts) => parts.iter().all(Self::is_known),
            Self::Map(rest, entries) => {
                rest.is_known() && entries.iter().all(|(k, v)| k.is_known() && v.is_known())
            }
        }
    }
}
