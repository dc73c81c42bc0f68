//! Preemption points, as far as passes decide about them.
//!
//! A program from C comes without points and gets them [here](threads). A program from `.async` comes with the
//! points of its mode. [`drop_idle`] removes the point before an `atomic` that other tasks cannot notice.

pub mod exclusive;
mod held;
mod seen;
pub mod threads;

use crate::calls::Calls;
use crate::{Block, PreemptKind, Program, Root, Stmt, StmtKind, TypeId, walk};

/// Drops the point before each `atomic` that neither touches a global nor posts.
pub fn drop_idle(program: &mut Program) {
    let touching = Touching::of(program);
    for proc in &mut program.procs {
        prune(&mut proc.body, &touching);
    }
}

fn prune(block: &mut Block, touching: &Touching) {
    let mut keep = vec![true; block.len()];
    for (index, stmt) in block.iter_mut().enumerate() {
        if let StmtKind::Atomic(_, inner) = &stmt.kind
            && index > 0
            && !touching.block(inner)
        {
            keep[index - 1] = false;
        }
        for inner in inner_blocks(&mut stmt.kind) {
            prune(inner, touching);
        }
    }
    let mut index = 0;
    block.retain(|stmt| {
        index += 1;
        keep[index - 1] || !matches!(stmt.kind, StmtKind::Preempt(PreemptKind::Implicit))
    });
}

/// The blocks in which an `atomic` can stand.
fn inner_blocks(kind: &mut StmtKind) -> Vec<&mut Block> {
    match kind {
        StmtKind::If(_, yes, no) => vec![yes, no],
        StmtKind::Loop(l) => vec![&mut l.body],
        _ => Vec::new(),
    }
}

/// Which expressions read globals, and which procedures touch them or post.
struct Touching {
    reads: Vec<bool>,
    procs: Vec<bool>,
}

impl Touching {
    fn of(program: &Program) -> Self {
        let reads = walk::all_reads(program, |root| matches!(root, Root::Global(_)));
        let mut touching = Self {
            reads,
            procs: vec![false; program.procs.len()],
        };
        let own = program.procs.iter().map(|p| touching.block(&p.body));
        touching.procs = Calls::of(program).to_callers(own.collect());
        touching
    }

    fn block(&self, block: &Block) -> bool {
        block.iter().any(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Post(..) => return true,
            StmtKind::Call(_, callee, _) if self.procs[callee.index()] => return true,
            _ => {}
        }
        walk::written(stmt).is_some_and(|place| matches!(place.root, Root::Global(_)))
            || walk::exprs(stmt).iter().any(|&e| self.reads[e.index()])
            || walk::children(stmt).any(|block| self.block(block))
    }
}

/// By global: whether several tasks touch it, and one writes it after the first task was made.
#[must_use]
pub fn shared(program: &Program) -> Vec<bool> {
    let end = program.proc(program.main).body.len();
    let alone = seen::alone(program);
    seen::visible(program, alone..end)
}

/// Whether a type holds locks of the library.
#[must_use]
pub fn has_lock(program: &Program, ty: TypeId) -> bool {
    held::has_lock(program, ty)
}
