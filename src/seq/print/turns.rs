//! How often loops turn whose bounds are constants: a bound on unrolling must not be less.

use rustc_hash::FxHashMap;

use crate::ir::{
    BinaryOp, Block, ExprId, ExprKind, LocalId, Place, Proc, Program, Root, Stmt, StmtKind,
};

use super::super::walk;

/// The most turns that a loop with constant bounds takes.
pub fn most(program: &Program) -> i128 {
    program
        .procs
        .iter()
        .map(|proc| in_proc(program, proc))
        .max()
        .unwrap_or(0)
}

fn in_proc(program: &Program, proc: &Proc) -> i128 {
    let mut assigned: FxHashMap<LocalId, Vec<Option<i128>>> = FxHashMap::default();
    walk::each(&proc.body, &mut |stmt| {
        if let Some((local, value)) = assignment(program, stmt) {
            assigned.entry(local).or_default().push(value);
        }
    });
    let constant = |e: ExprId| match program.expr(e).kind {
        ExprKind::Int(i) => Some(i),
        ExprKind::Local(l) => match assigned.get(&l).map(Vec::as_slice) {
            Some([Some(i)]) => Some(*i),
            _ => None,
        },
        _ => None,
    };
    let mut most = 0;
    walk::each(&proc.body, &mut |stmt| {
        let StmtKind::Loop(l) = &stmt.kind else {
            return;
        };
        let ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le), i, hi) = program.expr(l.cond).kind
        else {
            return;
        };
        let ExprKind::Local(i) = program.expr(i).kind else {
            return;
        };
        let first = assigned
            .get(&i)
            .and_then(|all| all.iter().copied().flatten().min());
        if let (true, Some(lo), Some(hi)) = (counts(program, &l.step, i), first, constant(hi)) {
            most = most.max(hi - lo + i128::from(op == BinaryOp::Le));
        }
    });
    most
}

/// The local that a statement gives a value, with the value if it is a constant.
fn assignment(program: &Program, stmt: &Stmt) -> Option<(LocalId, Option<i128>)> {
    match &stmt.kind {
        StmtKind::Assign(
            Place {
                root: Root::Local(l),
                ..
            },
            e,
        ) => match program.expr(*e).kind {
            ExprKind::Int(i) => Some((*l, Some(i))),
            _ => Some((*l, None)),
        },
        StmtKind::Havoc(
            Place {
                root: Root::Local(l),
                ..
            },
            _,
        ) => Some((*l, None)),
        StmtKind::Call(Some(l), ..) => Some((*l, None)),
        _ => None,
    }
}

/// Whether a step is `i := i + 1`.
fn counts(program: &Program, step: &Block, i: LocalId) -> bool {
    step.iter().any(|stmt| {
        let StmtKind::Assign(
            Place {
                root: Root::Local(l),
                ..
            },
            e,
        ) = &stmt.kind
        else {
            return false;
        };
        let ExprKind::Binary(BinaryOp::Add, a, b) = program.expr(*e).kind else {
            return false;
        };
        *l == i
            && program.expr(a).kind == ExprKind::Local(i)
            && program.expr(b).kind == ExprKind::Int(1)
    })
}
