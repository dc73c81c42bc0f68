//! Which locks tasks hold, for people to see.
//!
//! The language knows no locks: a task may hold an object. An object counts as held from an operation on it that could
//! have blocked the task, until the task's next other operation on it.

use std::collections::BTreeMap;

use ir::{OpId, Program, Value};
use semantics::{PathStep, Touch, What};

/// An object that a task holds.
#[derive(Clone, Debug)]
struct Held {
    object: String,
    op: OpId,
    times: u32,
}

#[derive(Debug, Default)]
pub(super) struct Locks(BTreeMap<u32, Vec<Held>>);

impl Locks {
    /// Takes the operations of a segment that a task has run.
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

    /// The names of the objects that a task holds.
    pub fn held(&self, task: u32) -> Vec<String> {
        let held = self.0.get(&task).into_iter().flatten();
        held.map(|h| h.object.clone()).collect()
    }
}

/// The name of an operation's object. In an array it is the element that the segment accesses.
fn object(program: &Program, op: OpId, touches: &[Touch]) -> String {
    let object = program.object_of(op);
    let path = touches.iter().find_map(|touch| match &touch.what {
        What::Access { global, path, .. } if program.is_state_of(*global, object) => Some(path),
        _ => None,
    });
    let keys = path.into_iter().flatten().map_while(|step| match step {
        PathStep::Key(Value::Int(i)) => Some(i.to_string()),
        _ => None,
    });
    let indices: Vec<String> = keys.take(program.indices_of(object)).collect();
    program.object_name(object, &indices)
}
