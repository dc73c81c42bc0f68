//! The loops that look for a round, written out turn by turn.
//!
//! Boogie unrolls loops to one bound, and counts the turns of a loop inside another (or in a procedure that is called
//! there) together with those of the outer one. A short loop at every dispatch would use that bound up.

use ir::{Block, LoopId, Proc, Program, StmtKind};

use super::super::walk;
use ir::turns::Turns;

/// The program without those loops.
pub fn written_out(program: &Program) -> Program {
    let procs = program.procs.iter().map(|proc| {
        let turns = Turns::new(program, proc);
        Proc {
            body: block(&proc.body, &turns),
            ..proc.clone()
        }
    });
    Program {
        procs: procs.collect(),
        ..program.clone()
    }
}

fn block(stmts: &Block, turns: &Turns) -> Block {
    let mut out = Block::with_capacity(stmts.len());
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::If(condition, yes, no) => out
                .push(StmtKind::If(*condition, block(yes, turns), block(no, turns)).at(stmt.span)),
            StmtKind::Loop(l) => match turns.always(l).filter(|_| !is_left(&l.body, l.id)) {
                Some(n) => (0..n).for_each(|_| {
                    for part in [&l.pre, &l.body, &l.step] {
                        out.extend(block(part, turns));
                    }
                }),
                None => {
                    let mut l = l.clone();
                    l.body = block(&l.body, turns);
                    out.push(StmtKind::Loop(l).at(stmt.span));
                }
            },
            _ => out.push(stmt.clone()),
        }
    }
    out
}

/// Whether a turn may end early.
fn is_left(body: &Block, id: LoopId) -> bool {
    walk::any(body, |stmt| match stmt.kind {
        StmtKind::Break(of) | StmtKind::Continue(of) => of == id,
        StmtKind::Return(_) => true,
        _ => false,
    })
}
