//! Loops around loops, written out turn by turn where it is known how often they turn.
//!
//! Boogie unrolls all loops to one bound, and counts the turns of a loop inside another (or in a procedure that is called
//! there) together with those of the outer one. A short loop that posts tasks which have loops would make that bound large.

use ir::calls::Calls;
use ir::turns::Turns;
use ir::{Block, Loop, Program, Stmt, StmtKind};

use super::super::walk;

/// Loops that turn more often are left as they are: the text would be long.
const MOST_TURNS: u64 = 8;

/// The program without those loops.
pub fn written_out(program: &Program) -> Program {
    let is_loop = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Loop(_));
    let own = program.procs.iter().map(|p| walk::any(&p.body, is_loop));
    let loops = Calls::of(program).to_callers(own.collect());
    let has_loop = |stmt: &Stmt| match stmt.kind {
        StmtKind::Call(_, proc, _) => loops[proc.index()],
        _ => is_loop(stmt),
    };
    let mut out = program.clone();
    for (proc, original) in out.procs.iter_mut().zip(&program.procs) {
        let turns = Turns::new(program, original);
        block(&mut proc.body, &|l| {
            let turns = turns.of(l.id).filter(|&turns| turns <= MOST_TURNS)?;
            let plain = l.pre.is_empty() && !walk::any(&l.body, leaves);
            (plain && walk::any(&l.body, has_loop)).then_some(turns)
        });
    }
    out
}

/// A turn that ends early has no place to go to, and a label stands in one place only.
fn leaves(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Break(_) | StmtKind::Continue(_))
}

fn block(stmts: &mut Block, turns: &impl Fn(&Loop) -> Option<u64>) {
    for mut stmt in std::mem::take(stmts) {
        walk::children_mut(&mut stmt).for_each(|inner| block(inner, turns));
        let StmtKind::Loop(l) = &stmt.kind else {
            stmts.push(stmt);
            continue;
        };
        let Some(turns) = turns(l) else {
            stmts.push(stmt);
            continue;
        };
        let turn: Block = l.body.iter().chain(&l.step).cloned().collect();
        let turn = StmtKind::If(l.cond, turn, Block::new()).at(stmt.span);
        stmts.extend((0..turns).map(|_| turn.clone()));
    }
}
