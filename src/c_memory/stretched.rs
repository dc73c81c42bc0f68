//! Structures that end in an array of one element (`T a[1]`) of which programs allocate more, as old code does.

use super::{size_of, unconverted};
use c::typed::{BinaryOp, Callee, ExprId, ExprKind as C, Init, Unit, VarId};
use c::types::{Length, RecordId, Type};
use std::collections::BTreeSet;

/// The structures for which an allocation asks for the size of one and something more.
pub fn stretched(unit: &Unit) -> BTreeSet<RecordId> {
    let of = |expr: &c::typed::Expr| {
        let C::Convert(_, of) = expr.kind else {
            return None;
        };
        let ty = unit.types.pointee(expr.ty.ty)?.ty;
        let id = unit.types.record(ty).filter(|&id| ends_in_one(unit, id))?;
        let C::Call(Callee::Direct(_), args) = unit[unconverted(unit, of)].kind else {
            return None;
        };
        let size = size_of(unit, ty);
        unit[args]
            .iter()
            .any(|&arg| adds(unit, arg, size, true))
            .then_some(id)
    };
    unit.exprs.iter().filter_map(of).collect()
}

/// Whether the last member of a structure is an array of one element.
fn ends_in_one(unit: &Unit, id: RecordId) -> bool {
    let record = &unit.types[id];
    let last = record.fields.as_deref().and_then(<[_]>::last);
    !record.is_union
        && last
            .is_some_and(|f| matches!(unit.types.shape(f.ty.ty), Type::Array(_, Length::Known(1))))
}

/// Whether an expression is a sum, or a variable that may hold one. A sum that is known must exceed `size`.
fn adds(unit: &Unit, e: ExprId, size: u64, look: bool) -> bool {
    match unit[e].kind {
        C::Convert(_, of) => adds(unit, of, size, look),
        C::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => {
            unit.constant(e).is_none_or(|n| n > i128::from(size))
        }
        C::Load(place) => match unit[place].kind {
            C::Var(id) if look => values(unit, id).any(|value| adds(unit, value, size, false)),
            _ => false,
        },
        _ => false,
    }
}

/// The values that a variable is initialised with or assigned.
fn values(unit: &Unit, id: VarId) -> impl Iterator<Item = ExprId> + '_ {
    let first = unit[id].init.and_then(|init| match unit[init] {
        Init::Value(value) => Some(value),
        _ => None,
    });
    let assigned = unit.exprs.iter().filter_map(move |expr| match expr.kind {
        C::Assign(to, value) if unit[to].kind == C::Var(id) => Some(value),
        _ => None,
    });
    first.into_iter().chain(assigned)
}
