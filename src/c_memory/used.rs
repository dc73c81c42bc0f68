//! Functions whose results the program uses. Such a function gives any value if it ends without `return`.

use rustc_hash::FxHashSet;

use crate::WRITTEN;
use c::typed::{Callee, ExprId, ExprKind as C, Function, FunctionId, Unit};

/// The functions whose results are used in some place. `dropped` has the calls whose results are not.
pub fn used(unit: &Unit, dropped: &FxHashSet<ExprId>) -> FxHashSet<FunctionId> {
    let mut all = FxHashSet::default();
    let is_written = |f: &Function| unit.name(f.name).starts_with(WRITTEN);
    let written = (0..).zip(&unit.functions).filter(|(_, f)| is_written(f));
    all.extend(written.map(|(at, _)| FunctionId(at)));
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
                all.insert(*function);
            }
            Callee::Pointer(_) => through_pointers = true,
        }
    }
    if through_pointers {
        all.extend(unit.exprs.iter().filter_map(|e| match e.kind {
            C::Function(function) => Some(function),
            _ => None,
        }));
    }
    all
}
