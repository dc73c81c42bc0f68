//! Objects of the program: a table of them, their state, and their names.
//!
//! An object is no value: its state are globals, and its operations are awaits. Indices name
//! an element of an array of objects. Ids, and never names, say which object a part belongs to.

use super::program::{GlobalId, LocalId, ObjectId, OpId, Program};

/// A variable that holds an object, or an array of objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The object that this one is a part of.
    pub within: Option<ObjectId>,
    /// Its name, inside that object if it is a part: `locks`
    pub name: String,
    /// The dimensions of the array, 0 for a single object. Those of the objects around it do not count.
    pub dims: u32,
}

/// The object to whose private state a global belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateOf {
    pub object: ObjectId,
    /// The global's name inside the object: `held`
    pub name: String,
}

/// An operation of an object, or of every object of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// The object's type: `Mutex`
    pub ty: String,
    /// Its name: `lock`
    pub name: String,
    /// The object or the array.
    pub object: ObjectId,
}

impl Op {
    /// The operation with its object's type: `Mutex.lock`
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.ty, self.name)
    }
}

/// An element of an array of objects that is passed to a procedure: some parameters are its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedObject {
    pub object: ObjectId,
    /// The parameter that is the first index.
    pub first: LocalId,
    /// How many indices there are, from the outermost on.
    pub indices: u32,
}

impl PassedObject {
    pub fn locals(&self) -> impl Iterator<Item = LocalId> {
        (self.first.0..self.first.0 + self.indices).map(LocalId)
    }

    /// Whether a local is one of the indices.
    #[must_use]
    pub fn holds(&self, local: LocalId) -> bool {
        self.locals().any(|own| own == local)
    }
}

impl Program {
    #[must_use]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// The object whose operation it is.
    #[must_use]
    pub fn object_of(&self, op: OpId) -> ObjectId {
        self.ops[op.index()].object
    }

    /// Whether a global is state of an object or of one inside it.
    #[must_use]
    pub fn is_state_of(&self, global: GlobalId, object: ObjectId) -> bool {
        let state = &self.globals[global.index()].state_of;
        let own = state.as_ref().map(|s| s.object);
        std::iter::successors(own, |&o| self.object(o).within).any(|o| o == object)
    }

    /// How many indices name one object of an array, from the outermost array on.
    #[must_use]
    pub fn indices_of(&self, object: ObjectId) -> usize {
        let all = std::iter::successors(Some(object), |&o| self.object(o).within);
        all.map(|o| self.object(o).dims as usize).sum()
    }

    /// An object's name with these indices: `pool[1].locks[2]`. Indices may be missing: `pool.locks`
    #[must_use]
    pub fn object_name(&self, object: ObjectId, indices: &[String]) -> String {
        let it = self.object(object);
        let (mut name, used) = match it.within {
            Some(outer) => {
                let used = self.indices_of(outer).min(indices.len());
                let outer = self.object_name(outer, &indices[..used]);
                (format!("{outer}.{}", it.name), used)
            }
            None => (it.name.clone(), 0),
        };
        for index in indices[used..].iter().take(it.dims as usize) {
            name.push_str(&format!("[{index}]"));
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_named_by_the_indices_of_all_arrays_around_it() {
        let object = |within, name: &str, dims| Object {
            within,
            name: name.to_owned(),
            dims,
        };
        let program = Program {
            objects: vec![
                object(None, "pool", 1),
                object(Some(ObjectId(0)), "locks", 2),
                object(Some(ObjectId(1)), "gate", 0),
            ],
            ..Program::empty()
        };
        let name = |id, indices: &[&str]| {
            let indices: Vec<String> = indices.iter().map(|&i| i.to_owned()).collect();
            program.object_name(ObjectId(id), &indices)
        };
        assert_eq!(name(2, &["1", "2", "3"]), "pool[1].locks[2][3].gate");
        assert_eq!(name(1, &["1", "2"]), "pool[1].locks[2]");
        assert_eq!(name(1, &[]), "pool.locks");
        assert_eq!(program.indices_of(ObjectId(2)), 3);
    }
}
