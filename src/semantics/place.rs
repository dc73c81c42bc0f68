//! Storing into a part of a value, and saying what changed.

use super::happening::{Change, Text};
use ir::{Global, ProcId, Program, Root, Type, TypeId, Types, Value};

use super::eval::PathStep;

/// Stores into the part of a value that a path leads to. `None` if the path does not fit the type.
pub fn store(
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

/// A variable as changes name it.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The procedure, if it is a local.
    pub proc: Option<String>,
    pub name: String,
    /// Whether the program itself calls the variable by this name.
    named: bool,
    /// Whether changes of the library's objects are told.
    objects: bool,
}

impl Variable {
    /// A variable of a procedure.
    pub fn of(program: &Program, proc: ProcId, root: Root) -> Self {
        match root {
            Root::Global(g) => Self::global(&program.globals[g.index()]),
            Root::Local(l) => {
                let proc = program.proc(proc);
                Self {
                    proc: Some(proc.name.clone()),
                    name: proc.locals[l.index()].name.to_string(),
                    named: true,
                    objects: true,
                }
            }
        }
    }

    pub fn global(global: &Global) -> Self {
        Self {
            proc: None,
            name: global.name.clone(),
            named: global.named,
            objects: true,
        }
    }

    /// A value as a number that the program can compare the variable with.
    pub fn number(&self, types: &Types, ty: TypeId, value: &Value) -> Option<i128> {
        let Value::Int(number) = *value else {
            return None;
        };
        // The null pointer is 0. All other addresses are our own numbers, which the program does not know.
        let address =
            types.pointer == Some(ty) || types.addresses.iter().any(|a| a.show(number).is_some());
        (self.named && (number == 0 || !address)).then_some(number)
    }

    /// The same without the library's objects: their words say what threads do, and chosen memory says nothing of threads.
    pub fn without_objects(self) -> Self {
        Self {
            objects: false,
            ..self
        }
    }

    /// The part that a path leads to.
    pub fn at(&self, types: &Types, ty: TypeId, path: &[PathStep]) -> Self {
        Self {
            name: name_of(types, &self.name, ty, path),
            ..self.clone()
        }
    }

    fn part(&self, step: &str) -> Self {
        Self {
            proc: self.proc.clone(),
            name: format!("{}{step}", self.name),
            named: self.named,
            objects: self.objects,
        }
    }
}

/// The name of a variable's part as the language writes it.
pub fn name_of(types: &Types, root: &str, mut ty: TypeId, path: &[PathStep]) -> String {
    let mut name = root.to_owned();
    for step in path {
        match (types.get(ty), step) {
            (Type::Record(r), PathStep::Field(f)) => {
                let Some((field, inner)) = r.fields.get(*f as usize) else {
                    break;
                };
                name += &format!(".{field}");
                ty = *inner;
            }
            (Type::Array(_, inner), PathStep::Key(Value::Int(i))) => {
                name += &format!("[{i}]");
                ty = *inner;
            }
            (Type::Map(key_type, inner), PathStep::Key(key)) => {
                name += &format!("[{}]", key.show(types, *key_type));
                ty = *inner;
            }
            _ => break,
        }
    }
    name
}

/// Returns the part that [`diff`] names for a store by this path: the number of steps to the part, its type and its value. The
/// store changes nothing else. Texts, maps and values that are shown as one are not divided.
pub fn part<'v>(
    types: &Types,
    ty: TypeId,
    whole: &'v Value,
    path: &[PathStep],
) -> (usize, TypeId, &'v Value) {
    let mut found = (0, ty, whole);
    for step in path {
        let (steps, ty, value) = found;
        let inner = match (types.get(ty), step, value) {
            (Type::Record(r), PathStep::Field(f), Value::Record(values))
                if !types.is_opaque(ty) =>
            {
                let types = r.fields.iter().map(|(_, t)| t);
                types.zip(values).nth(*f as usize)
            }
            (Type::Array(_, t), PathStep::Key(Value::Int(i)), Value::Array(values))
                if !types.is_character(*t) =>
            {
                let element = usize::try_from(*i).ok().and_then(|i| values.get(i));
                element.map(|element| (t, element))
            }
            _ => None,
        };
        let Some((inner, value)) = inner else { break };
        found = (steps + 1, *inner, value);
    }
    found
}

/// Adds the scalar parts in which the new value differs from the old one.
pub fn diff(
    types: &Types,
    ty: TypeId,
    variable: &Variable,
    (old, new): (&Value, &Value),
    out: &mut Vec<Change>,
) {
    if old == new {
        return;
    }
    let at = |key: &Value, ty: TypeId| variable.part(&format!("[{}]", key.show(types, ty)));
    match (types.get(ty), old, new) {
        (Type::Record(r), Value::Record(a), Value::Record(b)) if !types.is_opaque(ty) => {
            for ((field, t), values) in r.fields.iter().zip(a.iter().zip(b)) {
                diff(types, *t, &variable.part(&format!(".{field}")), values, out);
            }
        }
        (Type::Array(_, t), Value::Array(a), Value::Array(b)) => {
            let first = out.len();
            for (i, values) in a.iter().zip(b).enumerate() {
                diff(types, *t, &variable.part(&format!("[{i}]")), values, out);
            }
            if types.is_character(*t) {
                let text = Text {
                    name: variable.name.clone(),
                    value: types.text_of(b),
                };
                for change in &mut out[first..] {
                    change.text = Some(text.clone());
                }
            }
        }
        (Type::Map(k, t), Value::Map(a, a_entries), Value::Map(b, b_entries)) if a == b => {
            for (key, value) in b_entries {
                let found = a_entries.binary_search_by(|(k, _)| k.cmp(key));
                let before = found.map_or(&**a, |at| &a_entries[at].1);
                diff(types, *t, &at(key, *k), (before, value), out);
            }
            let back = |key: &Value| b_entries.binary_search_by(|(k, _)| k.cmp(key)).is_err();
            for (key, value) in a_entries.iter().filter(|(key, _)| back(key)) {
                diff(types, *t, &at(key, *k), (value, b), out);
            }
        }
        _ if types.is_opaque(ty) && !types.is_double(ty) && !variable.objects => {}
        _ => out.push(Change {
            proc: variable.proc.clone(),
            name: variable.name.clone(),
            value: new.show_after(old, types, ty),
            number: variable.number(types, ty, new),
            text: None,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{part, store};
    use crate::eval::PathStep;
    use ir::{Type, Types, Value};

    /// A store is reported by the part that it changes, so that a large variable takes no longer than a small one.
    #[test]
    fn a_store_is_told_by_the_part_that_it_changes() {
        let mut types = Types::new();
        let row = types.intern(Type::Array(3, Types::INT));
        let table = types.intern(Type::Array(2, row));
        let zeros = || Value::Array(vec![Value::Int(0); 3]);
        let mut whole = Value::Array(vec![zeros(), zeros()]);
        let at = |i| PathStep::Key(Value::Int(i));
        let path = [at(1), at(2)];
        assert_eq!(
            part(&types, table, &whole, &path),
            (2, Types::INT, &Value::Int(0))
        );
        store(&types, table, &mut whole, &path, Value::Int(7)).expect("it is a part");
        assert_eq!(part(&types, table, &whole, &path).2, &Value::Int(7));
        assert_eq!(
            part(&types, table, &whole, &[at(1), at(3)]).2,
            &Value::Array(vec![Value::Int(0), Value::Int(0), Value::Int(7)])
        );
        assert_eq!(
            part(&types, table, &Value::Any, &path),
            (0, table, &Value::Any)
        );
    }
}
