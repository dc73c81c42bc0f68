//! Walking through the statements of a program, in the order in which they are written.

use smallvec::SmallVec;

use crate::ir::{Block, ExprId, Place, Step, Stmt, StmtKind};

/// Calls `f` on every statement of a block, an outer one before those inside it.
///
/// The order is the one in which [`super::flow`] numbers statements.
pub fn each<'p>(block: &'p Block, f: &mut impl FnMut(&'p Stmt)) {
    for stmt in block {
        f(stmt);
        for inner in children(stmt) {
            each(inner, f);
        }
    }
}

/// Whether a statement of the block satisfies `f`.
pub fn any(block: &Block, mut f: impl FnMut(&Stmt) -> bool) -> bool {
    let mut found = false;
    each(block, &mut |stmt| found = found || f(stmt));
    found
}

/// The blocks inside a statement, in order.
pub fn children(stmt: &Stmt) -> impl Iterator<Item = &Block> {
    let blocks: [Option<&Block>; 3] = match &stmt.kind {
        StmtKind::If(_, then, otherwise) => [Some(then), Some(otherwise), None],
        StmtKind::Loop(l) => [Some(&l.pre), Some(&l.body), Some(&l.step)],
        StmtKind::Await(a) => [Some(&a.checks), Some(&a.body), None],
        StmtKind::Atomic(body) => [Some(body), None, None],
        _ => [None; 3],
    };
    blocks.into_iter().flatten()
}

/// The expressions of a statement itself, in the order in which they are evaluated.
pub fn exprs(stmt: &Stmt) -> SmallVec<[ExprId; 4]> {
    let mut all = SmallVec::new();
    match &stmt.kind {
        StmtKind::Assign(place, value) => {
            all.push(*value);
            all.extend(indices(place));
        }
        StmtKind::Havoc(place, _) => all.extend(indices(place)),
        StmtKind::Assume(e) | StmtKind::Check(_, e, _) | StmtKind::If(e, ..) => all.push(*e),
        StmtKind::Return(value) => all.extend(*value),
        StmtKind::Call(_, _, args) | StmtKind::Post(_, _, args) | StmtKind::Mark(_, args) => {
            all.extend_from_slice(args);
        }
        StmtKind::Loop(l) => all.push(l.cond),
        StmtKind::Await(a) => all.push(a.cond),
        StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Preempt(_) | StmtKind::Atomic(_) => {
        }
    }
    all
}

/// The indices of a place, outermost first.
pub fn indices(place: &Place) -> impl Iterator<Item = ExprId> {
    place.path.iter().filter_map(|step| match step {
        Step::Index(e) => Some(*e),
        Step::Field(_) => None,
    })
}
