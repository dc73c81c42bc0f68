//! How much a program leaves open: choices of the user's that have more values than can be tried one by one.

use crate::ir::{ChoiceKind, Program, Root, StmtKind, walk};

/// The most values of one choice that the explicit engine is trusted with.
const FEW: u128 = 256;

/// A variable that the user leaves open.
#[derive(Debug)]
pub(super) struct Open {
    /// Its name.
    pub name: String,
    /// Its type, in words.
    pub ty: String,
}

/// A variable that the user leaves open and that has many values.
pub(super) fn wide_choice(program: &Program) -> Option<Open> {
    let mut found = None;
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Havoc(place, ChoiceKind::User) = &stmt.kind
                && program.types.size(place.ty).is_none_or(|n| n > FEW)
            {
                let (name, ty) = match place.root {
                    Root::Global(g) => {
                        let global = &program.globals[g.index()];
                        (global.name.clone(), global.ty)
                    }
                    Root::Local(l) => {
                        let local = &proc.locals[l.index()];
                        (local.name.clone(), local.ty)
                    }
                };
                let ty = program.types.name(ty);
                found.get_or_insert(Open { name, ty });
            }
        });
    }
    found
}
