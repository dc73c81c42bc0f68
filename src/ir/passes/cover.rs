//! One `cover`, asked about: whether some execution comes there becomes whether the program fails.

use crate::walk::each_mut;
use crate::{BinaryOp, ErrorKind, ExprKind, Program, StmtKind, Types};

/// Nothing fails any more but the `cover`: what would fail, or wait for something that would, comes to no end.
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
