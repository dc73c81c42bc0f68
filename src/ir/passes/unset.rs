//! Choices of locals that are never read.
//!
//! A choice that has no effect costs as much as one that has. So this pass removes all
//! of them, and puts back those without which a local is read before it is assigned.

use rustc_hash::FxHashSet;

use crate::{Block, LocalId, ProcId, Program, Root, StmtKind, read_unset};

/// Keeps the choices of locals that matter.
pub fn settle(program: &mut Program) {
    for index in 0..program.procs.len() {
        let id = ProcId::from_index(index);
        let body = program.procs[index].body.clone();
        let mut needed: FxHashSet<LocalId> = FxHashSet::default();
        loop {
            let mut own = body.clone();
            strip(&mut own, &needed);
            program.procs[index].body = own;
            match read_unset(program, program.proc(id)) {
                Some(local) if needed.insert(local) => {}
                _ => break,
            }
        }
    }
}

fn strip(block: &mut Block, needed: &FxHashSet<LocalId>) {
    block.retain(|stmt| match &stmt.kind {
        StmtKind::Havoc(place, _) => match place.root {
            Root::Local(local) => !place.path.is_empty() || needed.contains(&local),
            Root::Global(_) => true,
        },
        _ => true,
    });
    for stmt in block {
        match &mut stmt.kind {
            StmtKind::If(_, yes, no) => {
                strip(yes, needed);
                strip(no, needed);
            }
            StmtKind::Loop(l) => {
                strip(&mut l.body, needed);
            }
            StmtKind::Atomic(_, inner) => strip(inner, needed),
            _ => {}
        }
    }
}
