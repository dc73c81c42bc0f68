//! Walking through statements and expressions, in the order in which they are written.
//!
//! Code that looks at every statement, or at every part of an expression, uses these
//! functions. A new kind of either then changes only this file and the files that give it a meaning.

use smallvec::SmallVec;

use base::source::Span;

use super::program::{
    Block, Expr, ExprId, ExprKind, LoopId, Place, Program, Root, Step, Stmt, StmtKind,
};

/// Calls `f` on every statement of a block, an outer one before those inside it.
///
/// The order is that of the text, and engines number statements by it.
pub fn each<'p>(block: &'p [Stmt], f: &mut impl FnMut(&'p Stmt)) {
    for stmt in block {
        f(stmt);
        for inner in children(stmt) {
            each(inner, f);
        }
    }
}

/// Whether a statement of the block satisfies `f`.
pub fn any(block: &[Stmt], mut f: impl FnMut(&Stmt) -> bool) -> bool {
    let mut found = false;
    each(block, &mut |stmt| found = found || f(stmt));
    found
}

/// Whether a statement of some procedure satisfies `f`.
pub fn anywhere(program: &Program, mut f: impl FnMut(&Stmt) -> bool) -> bool {
    (program.procs.iter()).any(|proc| any(&proc.body, &mut f))
}

/// Whether there may be another task than the first.
#[must_use]
pub fn posts(program: &Program) -> bool {
    anywhere(program, |s| matches!(s.kind, StmtKind::Post(..)))
}

/// Like [`each`], with the right to change the statements.
pub fn each_mut(block: &mut Block, f: &mut impl FnMut(&mut Stmt)) {
    for stmt in block {
        f(stmt);
        for inner in children_mut(stmt) {
            each_mut(inner, f);
        }
    }
}

/// The blocks inside a statement, in order.
pub fn children(stmt: &Stmt) -> impl Iterator<Item = &Block> {
    let blocks: [Option<&Block>; 3] = match &stmt.kind {
        StmtKind::If(_, then, otherwise) => [Some(then), Some(otherwise), None],
        StmtKind::Loop(l) => [Some(&l.pre), Some(&l.body), Some(&l.step)],
        StmtKind::Await(a) => [Some(&a.checks), Some(&a.body), None],
        StmtKind::Atomic(_, body) => [Some(body), None, None],
        _ => [None; 3],
    };
    blocks.into_iter().flatten()
}

/// Like [`children`], with the right to change the blocks.
pub fn children_mut(stmt: &mut Stmt) -> impl Iterator<Item = &mut Block> {
    let blocks: [Option<&mut Block>; 3] = match &mut stmt.kind {
        StmtKind::If(_, then, otherwise) => [Some(then), Some(otherwise), None],
        StmtKind::Loop(l) => {
            let l = &mut **l;
            [Some(&mut l.pre), Some(&mut l.body), Some(&mut l.step)]
        }
        StmtKind::Await(a) => {
            let a = &mut **a;
            [Some(&mut a.checks), Some(&mut a.body), None]
        }
        StmtKind::Atomic(_, body) => [Some(body), None, None],
        _ => [None, None, None],
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
        StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Preempt(_)
        | StmtKind::Atomic(..) => {}
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

/// The expressions directly inside an expression, in order.
pub fn operands(expr: &Expr) -> SmallVec<[ExprId; 3]> {
    match &expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) | ExprKind::Fill(a) => {
            SmallVec::from_slice(&[*a])
        }
        ExprKind::Convert(a) | ExprKind::Finished(a) => SmallVec::from_slice(&[*a]),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => SmallVec::from_slice(&[*a, *b]),
        ExprKind::Ite(a, b, c) => SmallVec::from_slice(&[*a, *b, *c]),
        ExprKind::Record(all) | ExprKind::Array(all) => SmallVec::from_slice(all),
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::NoTask | ExprKind::SelfTask => {
            SmallVec::new()
        }
        ExprKind::Local(_) | ExprKind::Global(_) => SmallVec::new(),
    }
}

/// The same kind of expression with other operands.
pub fn with_operands(kind: &ExprKind, mut f: impl FnMut(ExprId) -> ExprId) -> ExprKind {
    match kind {
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, f(*a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, f(*a), f(*b)),
        ExprKind::Ite(c, a, b) => ExprKind::Ite(f(*c), f(*a), f(*b)),
        ExprKind::Index(a, i) => ExprKind::Index(f(*a), f(*i)),
        ExprKind::Field(a, field) => ExprKind::Field(f(*a), *field),
        ExprKind::Record(all) => ExprKind::Record(all.iter().map(|&e| f(e)).collect()),
        ExprKind::Array(all) => ExprKind::Array(all.iter().map(|&e| f(e)).collect()),
        ExprKind::Fill(a) => ExprKind::Fill(f(*a)),
        ExprKind::Convert(a) => ExprKind::Convert(f(*a)),
        ExprKind::Finished(a) => ExprKind::Finished(f(*a)),
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::NoTask
        | ExprKind::SelfTask
        | ExprKind::Local(_)
        | ExprKind::Global(_) => kind.clone(),
    }
}

/// The variable that an expression is, if it is one.
fn variable(expr: &Expr) -> Option<Root> {
    match expr.kind {
        ExprKind::Local(local) => Some(Root::Local(local)),
        ExprKind::Global(global) => Some(Root::Global(global)),
        _ => None,
    }
}

/// Whether an expression reads a variable for which `of` holds.
pub fn reads(program: &Program, id: ExprId, of: &mut impl FnMut(Root) -> bool) -> bool {
    let expr = program.expr(id);
    match variable(expr) {
        Some(root) => of(root),
        None => operands(expr).iter().any(|&e| reads(program, e, of)),
    }
}

/// Whether an expression asks whether some task has finished.
pub fn asks_who_finished(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    matches!(expr.kind, ExprKind::Finished(_))
        || operands(expr)
            .iter()
            .any(|&e| asks_who_finished(program, e))
}

/// Like [`reads`], for every expression at once: a part's id is less than that of the whole.
pub fn all_reads(program: &Program, of: impl Fn(Root) -> bool) -> Vec<bool> {
    let mut reads: Vec<bool> = Vec::with_capacity(program.exprs.len());
    for expr in &program.exprs {
        let inside = || operands(expr).iter().any(|e| reads[e.index()]);
        let own = variable(expr).map_or_else(inside, &of);
        reads.push(own);
    }
    reads
}

/// The variable that a statement writes, if it writes one.
pub fn written(stmt: &Stmt) -> Option<&Place> {
    match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => Some(place),
        _ => None,
    }
}

/// Where a loop stands.
pub fn loop_span(block: &Block, id: LoopId) -> Option<Span> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Loop(l) if l.id == id => Some(stmt.span),
        _ => children(stmt).find_map(|inner| loop_span(inner, id)),
    })
}

/// Whether an expression looks at a global of the user's.
pub fn looks_at_global(program: &Program, id: ExprId) -> bool {
    reads(
        program,
        id,
        &mut |root| matches!(root, Root::Global(g) if !program.globals[g.index()].hidden),
    )
}
