//! Sizes of allocations: a variable that never changes stands for its value there, so that the size is known when the program is
//! read.

use rustc_hash::FxHashSet;

use super::allocates;
use c::parts::{expressions_in, operands, statements_in};
use c::typed::{Callee, ExprId, ExprKind as C, Init, Lifetime, StmtId, StmtKind as S, Unit, VarId};

/// How many variables a size may go through.
const LOOKS: u8 = 12;

/// Puts values in the place of variables that never change, in the sizes of all allocations.
pub fn settle_sizes(unit: &mut Unit) {
    let mut sizes = Vec::new();
    for expr in &unit.exprs {
        if let C::Call(Callee::Direct(function), args) = expr.kind
            && unit[function].body.is_none()
            && let Some(all) = allocates(unit.name(unit[function].name))
        {
            let args = &unit[args];
            let own = all.iter().filter_map(|&at| args.get(at).copied());
            sizes.extend(own.filter(|&size| unit.constant(size).is_none()));
        }
    }
    if sizes.is_empty() {
        return;
    }
    let changing = changing(unit);
    for size in sizes {
        settle(unit, &changing, size, LOOKS);
    }
}

fn settle(unit: &mut Unit, changing: &FxHashSet<VarId>, e: ExprId, depth: u8) {
    if let C::Load(place) = unit[e].kind
        && let C::Var(variable) = unit[place].kind
    {
        let Some(value) = first_value(unit, variable) else {
            return;
        };
        if depth == 0 || changing.contains(&variable) {
            return;
        }
        settle(unit, changing, value, depth - 1);
        if let Some(number) = unit.constant(value) {
            let (ty, span) = (unit[e].ty, unit[e].span);
            let number = unit.add_number(number, ty, span);
            unit[e].kind = unit[number].kind.clone();
        }
        return;
    }
    let mut parts = Vec::new();
    operands(unit, &unit[e].kind, &mut |part| parts.push(part));
    for part in parts {
        settle(unit, changing, part, depth);
    }
}

/// The initial value of an integer that its own thread reads as it was written.
fn first_value(unit: &Unit, variable: VarId) -> Option<ExprId> {
    let own = &unit[variable];
    let lasts = matches!(own.lifetime, Lifetime::Local | Lifetime::Static) && !own.external;
    let plain = !own.ty.quals.volatile && !own.ty.quals.atomic && unit.types.is_integer(own.ty.ty);
    match unit[own.init.filter(|_| lasts && plain)?] {
        Init::Value(value) => Some(value),
        _ => None,
    }
}

/// The variables that are more than read, and those past whose beginning a jump may lead.
fn changing(unit: &Unit) -> FxHashSet<VarId> {
    let variable = |e: ExprId| match unit[e].kind {
        C::Var(variable) => Some(variable),
        _ => None,
    };
    let mut all = FxHashSet::default();
    for expr in unit.exprs.iter().filter(|e| !matches!(e.kind, C::Load(_))) {
        operands(unit, &expr.kind, &mut |part| all.extend(variable(part)));
    }
    for statement in (0..unit.stmts.len()).map(|s| StmtId(s as u32)) {
        all.extend(
            expressions_in(unit, statement)
                .into_iter()
                .filter_map(variable),
        );
        let within = match &unit[statement].kind {
            S::Block(_) | S::For(..) => statements_in(unit, statement),
            _ => continue,
        };
        let declared = |s: &StmtId| match unit[*s].kind {
            S::Declare(v) => first_value(unit, v).map(|_| v),
            _ => None,
        };
        let mut begun = within.iter().filter_map(declared).peekable();
        if begun.peek().is_some() && within.iter().any(|&s| is_entered(unit, s, true)) {
            all.extend(begun);
        }
    }
    all
}

/// Whether a jump from outside may lead into a statement: to a label, or to a case of a `switch` around it.
fn is_entered(unit: &Unit, statement: StmtId, by_switch: bool) -> bool {
    let by_switch = by_switch && !matches!(unit[statement].kind, S::Switch(..));
    match unit[statement].kind {
        S::Label(_) => true,
        S::Case => by_switch,
        _ => (statements_in(unit, statement).into_iter()).any(|s| is_entered(unit, s, by_switch)),
    }
}
