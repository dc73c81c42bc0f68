//! How often loops turn whose bounds are constants: a bound on unrolling must not be less.

use rustc_hash::FxHashMap;

use crate::ir::{
    BinaryOp, Block, ExprId, ExprKind, LocalId, Loop, LoopId, Place, Proc, Program, Root, Stmt,
    StmtKind,
};

use super::walk;

/// The most turns that a loop with constant bounds takes.
pub fn most(program: &Program) -> u64 {
    let all = program
        .procs
        .iter()
        .flat_map(|proc| Turns::new(program, proc).of.into_values());
    all.max().unwrap_or(0)
}

/// The loops of a procedure that turn at most a known number of times: `i` counts up by one, from a constant to a
/// constant, and is given no value elsewhere.
pub struct Turns {
    of: FxHashMap<LoopId, u64>,
}

impl Turns {
    /// Of a procedure.
    pub fn new(program: &Program, proc: &Proc) -> Self {
        // A parameter has any value at first.
        let mut assigned: Assigned = (0..proc.params).map(|p| (LocalId(p), vec![None])).collect();
        walk::each(&proc.body, &mut |stmt| {
            if let Some((local, value)) = assignment(program, stmt) {
                assigned.entry(local).or_default().push(value);
            }
        });
        let mut of = FxHashMap::default();
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Loop(l) = &stmt.kind
                && let Some(turns) = turns(program, &assigned, l)
            {
                of.insert(l.id, turns);
            }
        });
        Self { of }
    }

    /// How often a loop turns at most, each time that it is reached.
    pub fn of(&self, id: LoopId) -> Option<u64> {
        self.of.get(&id).copied()
    }
}

/// The values that locals are given: constants, or others.
type Assigned = FxHashMap<LocalId, Vec<Option<i128>>>;

fn turns(program: &Program, assigned: &Assigned, l: &Loop) -> Option<u64> {
    let ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le), i, hi) = program.expr(l.cond).kind
    else {
        return None;
    };
    let ExprKind::Local(i) = program.expr(i).kind else {
        return None;
    };
    let lo = match assigned.get(&i).map(Vec::as_slice) {
        Some([Some(lo), None] | [None, Some(lo)]) if counts(program, &l.step, i) => *lo,
        _ => return None,
    };
    let hi = constant(program, assigned, hi)?;
    let turns = hi
        .checked_sub(lo)?
        .checked_add(i128::from(op == BinaryOp::Le))?;
    u64::try_from(turns.max(0)).ok()
}

fn constant(program: &Program, assigned: &Assigned, e: ExprId) -> Option<i128> {
    match program.expr(e).kind {
        ExprKind::Int(i) => Some(i),
        ExprKind::Local(l) => match assigned.get(&l).map(Vec::as_slice) {
            Some([Some(i)]) => Some(*i),
            _ => None,
        },
        _ => None,
    }
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
        StmtKind::Call(Some(l), ..) | StmtKind::Post(Some(l), ..) => Some((*l, None)),
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
