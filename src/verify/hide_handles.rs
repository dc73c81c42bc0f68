//! Final states without the numbers of tasks.
//!
//! The sequential program runs tasks in another order than the machine posts them, so a handle has another number there.
//! Both know whether a handle names a task. Of an object of the C library, a state keeps the parts that traces show.

use answer::Answer;
use ir::text::UNTOLD;
use ir::{Program, Type, TypeId, Types, Value};

/// An answer with final states as both engines see them.
pub(super) fn of_answer(program: &Program, mut answer: Answer) -> Answer {
    answer.finals = answer.finals.map(|states| hidden(program, states));
    answer
}

/// Final states as both engines see them, sorted, each once: a handle is no task or some task.
pub(super) fn hidden(program: &Program, states: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    let visible: Vec<TypeId> = program
        .globals
        .iter()
        .filter(|global| global.is_final())
        .map(|global| global.ty)
        .collect();
    let types = &program.types;
    let hides = |ty| matches!(types.get(ty), Type::Task) || types.is_opaque(ty);
    if !visible.iter().any(|&ty| types.holds(ty, &hides)) {
        return states;
    }
    let hide = |state: Vec<Value>| {
        let typed = state.iter().zip(&visible);
        typed.map(|(value, &ty)| some(types, ty, value)).collect()
    };
    let mut states: Vec<Vec<Value>> = states.into_iter().map(hide).collect();
    states.sort_unstable();
    states.dedup();
    states
}

fn some(types: &Types, ty: TypeId, value: &Value) -> Value {
    match (types.get(ty), value) {
        (Type::Task, Value::Task(task)) => Value::Task(task.map(|_| Value::SOME_TASK)),
        // The sequential program counts tasks with plain numbers.
        (Type::Task, Value::Int(number)) => Value::Task((*number != 0).then_some(Value::SOME_TASK)),
        (Type::Record(record), Value::Record(values)) => {
            let is_told = |name: &str| !types.is_opaque(ty) || !UNTOLD.contains(&name);
            let part = |((name, ty), value): (&(String, TypeId), _)| match is_told(name) {
                true => some(types, *ty, value),
                false => Value::Int(0),
            };
            Value::Record(record.fields.iter().zip(values).map(part).collect())
        }
        (Type::Array(_, element), Value::Array(values)) => {
            Value::Array(values.iter().map(|v| some(types, *element, v)).collect())
        }
        (Type::Map(key, element), Value::Map(rest, entries)) => {
            let hide = |(k, v): &(Value, Value)| (some(types, *key, k), some(types, *element, v));
            let mut entries: Vec<_> = entries.iter().map(hide).collect();
            entries.sort_unstable();
            Value::Map(Box::new(some(types, *element, rest)), entries)
        }
        _ => value.clone(),
    }
}
