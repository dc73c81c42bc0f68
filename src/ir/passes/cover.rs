//! Asks about `cover`: the program fails exactly if some execution reaches one of the covers that are still in it.

use crate::walk::each_mut;
use crate::{BinaryOp, ErrorKind, ExprKind, Program, StmtKind, Types};

/// Makes the covers the only possible failures: other checks become assumptions, and an await waits where its checks would fail.
pub fn only(program: &mut Program) {
    program.scope.deadlocks = false;
    let mut procs = std::mem::take(&mut program.procs);
    for proc in &mut procs {
        each_mut(&mut proc.body, &mut |stmt| match &mut stmt.kind {
            StmtKind::Check(ErrorKind::Cover, ..) => {}
            StmtKind::Check(_, cond, _) => stmt.kind = StmtKind::Assume(*cond),
            StmtKind::Await(at) => {
                for check in std::mem::take(&mut at.checks).into_iter().rev() {
                    if let StmtKind::Check(_, cond, _) | StmtKind::Assume(cond) = check.kind {
                        let both = ExprKind::Binary(BinaryOp::And, cond, at.cond);
                        at.cond = program.add(both, Types::BOOL);
                    }
                }
            }
            _ => {}
        });
    }
    program.procs = procs;
}
