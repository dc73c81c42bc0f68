//! Which locks tasks hold, for people to see.
//!
//! The language knows no locks: what a task may hold is an object. Taken for held is the object of an operation that
//! could have blocked the task, from there on until the task's next other operation on the object.

use std::collections::BTreeMap;

use crate::ir::{OpId, Program, Type, Value};
use crate::trace::interp::{PathStep, Touch, What};

/// An object that a task holds.
#[derive(Clone, Debug)]
struct Held {
    object: String,
    op: OpId,
    times: u32,
}

/// What tasks hold.
#[derive(Debug, Default)]
pub(super) struct Locks(BTreeMap<u32, Vec<Held>>);

impl Locks {
    /// A task has run a segment.
    pub fn ran(&mut self, program: &Program, task: u32, touches: &[Touch]) {
        for touch in touches {
            if let What::Operates(op, blocks) = touch.what {
                let object = object(program, op, touches);
                self.operates(task, object, op, blocks);
            }
        }
    }

    fn operates(&mut self, task: u32, object: String, op: OpId, blocks: bool) {
        let all = self.0.entry(task).or_default();
        let Some(at) = all.iter().position(|h| h.object == object) else {
            if blocks {
                let times = 1;
                all.push(Held { object, op, times });
            }
            return;
        };
        let held = &mut all[at];
        if blocks && held.op == op {
            held.times += 1;
        } else if held.times > 1 {
            held.times -= 1;
        } else {
            all.remove(at);
        }
    }

    /// In words.
    pub fn held(&self, task: u32) -> String {
        let held = self.0.get(&task).map_or(&[][..], Vec::as_slice);
        if held.is_empty() {
            return "holding nothing".to_owned();
        }
        let names: Vec<_> = held.iter().map(|h| h.object.as_str()).collect();
        format!("holding {}", names.join(", "))
    }
}

/// The object of an operation; of an array, the element that the operation's accesses tell.
fn object(program: &Program, op: OpId, touches: &[Touch]) -> String {
    let name = &program.ops[op.index()].object;
    let index = touches.iter().find_map(|touch| match &touch.what {
        What::Access { global, path, .. } => {
            let own = is_state(&program.globals[global.index()].name, name);
            path.first().filter(|_| own)
        }
        _ => None,
    });
    match index {
        Some(PathStep::Key(Value::Int(i))) if is_array(program, name) => format!("{name}[{i}]"),
        _ => name.clone(),
    }
}

/// Whether a global is private state of an object.
fn is_state(global: &str, object: &str) -> bool {
    global
        .strip_prefix(object)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// Whether a variable holds an array of objects: all their state is in arrays of one length.
fn is_array(program: &Program, object: &str) -> bool {
    let state = program.globals.iter().filter(|g| is_state(&g.name, object));
    let mut lengths = state.map(|g| match program.types.get(g.ty) {
        Type::Array(n, _) => Some(*n),
        _ => None,
    });
    let first = lengths.next().flatten();
    first.is_some() && lengths.all(|n| n == first)
}
