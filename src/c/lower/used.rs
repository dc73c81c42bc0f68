//! Which functions give results that somebody uses: one that ends without `return` then gives any value.

use rustc_hash::FxHashSet;

use crate::c::typed::{Callee, Conversion, ExprId, ExprKind as C, FunctionId, StmtKind as S, Unit};

/// The calls whose values nobody uses.
pub(super) fn dropped(unit: &Unit) -> FxHashSet<ExprId> {
    let mut dropped = FxHashSet::default();
    for stmt in &unit.stmts {
        match &stmt.kind {
            S::Expr(e) => drops(unit, *e, &mut dropped),
            S::For(_, _, Some(step), _) => drops(unit, *step, &mut dropped),
            _ => {}
        }
    }
    for expr in &unit.exprs {
        if let C::Comma(first, _) = expr.kind {
            drops(unit, first, &mut dropped);
        }
    }
    dropped
}

/// The functions whose results are used in some place.
pub(super) fn results(unit: &Unit) -> FxHashSet<FunctionId> {
    let dropped = dropped(unit);
    let mut used = FxHashSet::default();
    let mut through_pointers = false;
    for (index, expr) in (0..).zip(&unit.exprs) {
        let C::Call(callee, _) = &expr.kind else {
            continue;
        };
        if dropped.contains(&ExprId(index)) {
            continue;
        }
        match callee {
            Callee::Direct(function) => {
                used.insert(*function);
            }
            Callee::Pointer(_) => through_pointers = true,
        }
    }
    if through_pointers {
        used.extend(unit.exprs.iter().filter_map(|e| match e.kind {
            C::Function(function) => Some(function),
            _ => None,
        }));
    }
    used
}

/// The calls whose values an expression drops, if its own value is dropped.
fn drops(unit: &Unit, e: ExprId, dropped: &mut FxHashSet<ExprId>) {
    match unit[e].kind {
        C::Call(..) => {
            dropped.insert(e);
        }
        C::Convert(Conversion::Void, of) => drops(unit, of, dropped),
        C::Comma(_, last) => drops(unit, last, dropped),
        C::Conditional(_, a, b) => {
            drops(unit, a, dropped);
            drops(unit, b, dropped);
        }
        _ => {}
    }
}
