//! Variables for a debugger: each value in a line, and its parts when they are asked for.

use serde_json::{Value as Json, json};

use ir::{Program, Type, TypeId, Value};
use trace::state::Variable;

/// What a reference of an answer stands for.
pub enum Handle {
    Variables(Vec<Variable>),
    /// A value with parts.
    Parts(TypeId, Value),
}

/// How many parts of a value are listed at most.
const MOST: usize = 1000;

/// The references of a stop: they mean nothing once the program has moved.
#[derive(Default)]
pub struct Handles {
    all: Vec<Handle>,
}

impl Handles {
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// A reference for these variables.
    pub fn variables(&mut self, variables: Vec<Variable>) -> usize {
        self.all.push(Handle::Variables(variables));
        self.all.len()
    }

    /// What a reference stands for, as the protocol shows it.
    pub fn shown(&mut self, program: &Program, reference: usize) -> Option<Vec<Json>> {
        let rows: Vec<(String, TypeId, Value)> = match self.all.get(reference.checked_sub(1)?)? {
            Handle::Variables(all) => (all.iter())
                .map(|v| (v.name.clone(), v.ty, v.value.clone()))
                .collect(),
            Handle::Parts(ty, value) => parts(program, *ty, value),
        };
        Some(rows.into_iter().map(|row| self.row(program, row)).collect())
    }

    fn row(&mut self, program: &Program, (name, ty, value): (String, TypeId, Value)) -> Json {
        let text = value.show(&program.types, ty);
        let has_parts = !parts(program, ty, &value).is_empty();
        let reference = if has_parts {
            self.all.push(Handle::Parts(ty, value));
            self.all.len()
        } else {
            0
        };
        json!({
            "name": name,
            "value": text,
            "type": program.types.name(ty),
            "variablesReference": reference,
        })
    }
}

/// The parts of a value: fields, elements, and of a map the entries that differ from the rest.
fn parts(program: &Program, ty: TypeId, value: &Value) -> Vec<(String, TypeId, Value)> {
    match (program.types.get(ty), value) {
        (Type::Record(record), Value::Record(parts)) => (record.fields.iter().zip(parts))
            .map(|((name, ty), part)| (name.clone(), *ty, part.clone()))
            .collect(),
        (Type::Array(_, element), Value::Array(parts)) => (parts.iter().take(MOST).enumerate())
            .map(|(i, part)| (format!("[{i}]"), *element, part.clone()))
            .collect(),
        (Type::Map(key, element), Value::Map(other, entries)) => {
            let rows = entries.iter().take(MOST).map(|(k, part)| {
                let key = k.show(&program.types, *key);
                (format!("[{key}]"), *element, part.clone())
            });
            let rest = ("[_]".to_owned(), *element, (**other).clone());
            rows.chain([rest]).collect()
        }
        _ => Vec::new(),
    }
}
