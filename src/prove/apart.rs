//! Tasks of one procedure that are told apart by where they are posted.
//!
//! If there is never more than one task of a procedure, a proof knows its locals, and whether it has finished. If `main` posts a
//! procedure twice, a copy of it for each post makes two such tasks. Only programs that join tasks get copies.

use std::borrow::Cow;

use ir::walk::children_mut;
use ir::{Block, ProcId, Program, StmtKind};

use super::tasks::asks;

/// More posts than these are not told apart: each makes the question harder.
const MOST: usize = 6;

/// The program in which each `post` of `main` outside loops has a procedure of its own.
#[must_use]
pub fn apart(program: &Program) -> Cow<'_, Program> {
    if !asks(program) {
        return Cow::Borrowed(program);
    }
    let mut made = program.clone();
    let mut body = std::mem::take(&mut made.procs[program.main.index()].body);
    let mut posts = Vec::new();
    outside_loops(&mut body, &mut |proc| posts.push(*proc));
    let again = |p: &ProcId| posts.iter().filter(|q| *q == p).count() > 1;
    let several = posts.iter().filter(|p| again(p)).count();
    if several == 0 || several > MOST {
        return Cow::Borrowed(program);
    }
    outside_loops(&mut body, &mut |proc| {
        let copy = made.procs[proc.index()].clone();
        *proc = ProcId::from_index(made.procs.len());
        made.procs.push(copy);
    });
    made.procs[program.main.index()].body = body;
    Cow::Owned(made)
}

/// Calls `f` with the procedure of each post that is not in a loop.
fn outside_loops(block: &mut Block, f: &mut impl FnMut(&mut ProcId)) {
    for stmt in block {
        if let StmtKind::Post(_, proc, _) = &mut stmt.kind {
            f(proc);
        }
        if !matches!(stmt.kind, StmtKind::Loop(_)) {
            for inner in children_mut(stmt) {
                outside_loops(inner, f);
            }
        }
    }
}
