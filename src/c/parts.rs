//! The parts of statements and expressions.

use crate::typed::{
    Callee, Conversion, ExprId, ExprKind as E, Init, InitId, StmtId, StmtKind as S, Unit, VarId,
};
use crate::types::TypeId;

/// Returns the statements directly within a statement.
#[must_use]
pub fn statements_in(unit: &Unit, id: StmtId) -> Vec<StmtId> {
    match &unit[id].kind {
        S::Block(all) => all.to_vec(),
        S::If(_, yes, no) => [Some(*yes), *no].into_iter().flatten().collect(),
        S::While(_, body) | S::DoWhile(body, _) | S::Switch(_, body, _) => vec![*body],
        S::For(first, _, _, body) => first.iter().copied().chain([*body]).collect(),
        _ => Vec::new(),
    }
}

/// Returns the expressions directly within a statement.
#[must_use]
pub fn expressions_in(unit: &Unit, id: StmtId) -> Vec<ExprId> {
    match &unit[id].kind {
        S::Expr(e) | S::GotoValue(e) => vec![*e],
        S::If(c, ..) | S::While(c, _) | S::DoWhile(_, c) | S::Switch(c, ..) => vec![*c],
        S::For(_, c, step, _) => c.iter().chain(step).copied().collect(),
        S::Return(e) => e.iter().copied().collect(),
        S::Declare(v) => initial(unit, *v),
        _ => Vec::new(),
    }
}

/// Returns the values that a variable begins with.
#[must_use]
pub fn initial(unit: &Unit, variable: VarId) -> Vec<ExprId> {
    fn values(unit: &Unit, init: InitId, all: &mut Vec<ExprId>) {
        match &unit[init] {
            Init::Value(e) => all.push(*e),
            Init::Text(_) => {}
            Init::Parts(parts) => parts.iter().for_each(|p| values(unit, p.init, all)),
        }
    }
    let mut all = Vec::new();
    unit[variable]
        .init
        .iter()
        .for_each(|&i| values(unit, i, &mut all));
    all
}

/// Whether an expression does more than give a value, apart from its operands.
#[must_use]
pub const fn acts(kind: &E) -> bool {
    matches!(
        kind,
        E::Error
            | E::Assign(..)
            | E::Update(_)
            | E::Call(..)
            | E::Atomic(..)
            | E::Builtin(..)
            | E::Block(..)
            | E::Literal(_)
    )
}

/// Visits the operands of an expression, but for those within statements and initialisers.
pub fn operands(unit: &Unit, kind: &E, act: &mut dyn FnMut(ExprId)) {
    match kind {
        E::Deref(a) | E::Member(a, _) | E::Temporary(a) | E::Load(a) | E::AddressOf(a) => act(*a),
        E::Decay(a) | E::Convert(_, a) | E::Unary(_, a) | E::Not(a) => act(*a),
        E::Index(a, b) | E::Binary(_, a, b) | E::Compare(_, a, b) | E::Difference(a, b) => {
            act(*a);
            act(*b);
        }
        E::And(a, b) | E::Or(a, b) | E::Elvis(a, b) | E::Comma(a, b) | E::Assign(a, b) => {
            act(*a);
            act(*b);
        }
        E::Offset { pointer, by, .. } => {
            act(*pointer);
            act(*by);
        }
        E::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|&e| act(e)),
        E::Update(update) => {
            act(update.place);
            act(update.value);
        }
        E::Call(callee, list) => {
            if let Callee::Pointer(pointer) = callee {
                act(*pointer);
            }
            unit[*list].iter().for_each(|&e| act(e));
        }
        E::Atomic(_, _, list) | E::Builtin(_, list) => unit[*list].iter().for_each(|&e| act(e)),
        E::Error | E::Var(_) | E::Text(_) | E::Int(_) | E::Float(_) | E::Function(_) => {}
        E::Literal(_) | E::Block(..) => {}
    }
}

/// Returns the blocks in the expressions of a statement.
#[must_use]
pub fn blocks_in(unit: &Unit, statement: StmtId) -> Vec<StmtId> {
    let (mut open, mut blocks) = (expressions_in(unit, statement), Vec::new());
    while let Some(e) = open.pop() {
        match &unit[e].kind {
            E::Block(block, last) => {
                blocks.push(*block);
                open.extend(*last);
            }
            E::Literal(v) => open.extend(initial(unit, *v)),
            kind => operands(unit, kind, &mut |part| open.push(part)),
        }
    }
    blocks
}

/// The type of the elements of an array, or of its rows' elements if it has rows. Any other type stays the same.
#[must_use]
pub fn innermost(unit: &Unit, mut ty: TypeId) -> TypeId {
    while let Some(element) = unit.types.element(ty) {
        ty = element.ty;
    }
    ty
}

/// An expression without its conversions of pointers.
#[must_use]
pub fn unconverted(unit: &Unit, e: ExprId) -> ExprId {
    match unit[e].kind {
        E::Convert(Conversion::Same | Conversion::Pointer, of) => unconverted(unit, of),
        _ => e,
    }
}
