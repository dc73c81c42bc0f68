//! `goto *p` compares `p` with the addresses of the function's labels, and goes to the label whose address is equal.

use crate::parts::{blocks_in, statements_in};
use crate::typed::{
    CompareOp, ExprId, ExprKind as C, FunctionId, LabelId, StmtId, StmtKind as S, Unit, VarId,
};
use crate::types::{QualType, Types};

/// Rewrites the computed jumps of a program. A computed jump that is left leads to no label.
pub fn name_destinations(unit: &mut Unit) {
    for function in (0..unit.functions.len()).map(|f| FunctionId(f as u32)) {
        let labels = (0..unit.labels.len()).map(|l| LabelId(l as u32));
        let is_goal = |l: &LabelId| unit[*l].function == function && unit[*l].address.is_some();
        let labels: Vec<LabelId> = labels.filter(is_goal).collect();
        let Some(body) = unit[function].body.filter(|_| !labels.is_empty()) else {
            continue;
        };
        let ends = ends_in(unit, body, &labels);
        let is_jump = |s: &StmtId| matches!(unit[*s].kind, S::GotoValue(_));
        let jumps: Vec<StmtId> = ends.iter().copied().filter(is_jump).collect();
        if !jumps.is_empty() {
            let block = innermost(unit, body, &labels, ends.len());
            rewrite(unit, function, block, &labels, &jumps);
        }
    }
}

/// Returns the computed jumps in a statement and the places of labels.
fn ends_in(unit: &Unit, statement: StmtId, labels: &[LabelId]) -> Vec<StmtId> {
    let (mut open, mut ends) = (vec![statement], Vec::new());
    while let Some(id) = open.pop() {
        match unit[id].kind {
            S::GotoValue(_) => ends.push(id),
            S::Label(label) if labels.contains(&label) => ends.push(id),
            _ => open.extend(within(unit, id)),
        }
    }
    ends
}

fn within(unit: &Unit, id: StmtId) -> Vec<StmtId> {
    [statements_in(unit, id), blocks_in(unit, id)].concat()
}

/// Returns the innermost block with all computed jumps and labels. A jump to its begin ends no variable that the goal may use.
fn innermost(unit: &Unit, body: StmtId, labels: &[LabelId], count: usize) -> StmtId {
    let (mut block, mut around) = (body, Some(body));
    while let Some(id) = around {
        if matches!(unit[id].kind, S::Block(_)) {
            block = id;
        }
        let mut parts = within(unit, id).into_iter();
        around = parts.find(|&part| ends_in(unit, part, labels).len() == count);
    }
    block
}

/// Puts the comparisons at the begin of a block, to which all computed jumps lead.
fn rewrite(
    unit: &mut Unit,
    function: FunctionId,
    block: StmtId,
    labels: &[LabelId],
    jumps: &[StmtId],
) {
    let span = unit[block].span;
    let pointer = unit.types.pointer(QualType::plain(Types::VOID));
    let goal = unit.add_local(function, pointer, None, span);
    let [choose, begin] = ["choose", "begin"].map(|name| unit.add_own_label(function, name, span));
    let first = [S::Declare(goal), S::Goto(begin), S::Label(choose)];
    let mut all: Vec<StmtId> = first.map(|kind| unit.add_statement(kind, span)).into();
    for &label in labels {
        let equal = compared(unit, CompareOp::Eq, goal, label);
        let jump = unit.add_statement(S::Goto(label), span);
        all.push(unit.add_statement(S::If(equal, jump, None), span));
    }
    all.push(unit.add_statement(S::Label(begin), span));
    let rest = unit.add_statement(unit[block].kind.clone(), span);
    unit[block].kind = S::Block(all.into_iter().chain([rest]).collect());
    for &jump in jumps {
        let (span, S::GotoValue(value)) = (unit[jump].span, unit[jump].kind.clone()) else {
            continue;
        };
        let set = unit.add_assignment(goal, value, span);
        let each = labels.iter();
        let differs: Vec<ExprId> = each
            .map(|&label| compared(unit, CompareOp::Ne, goal, label))
            .collect();
        let differs = differs.into_iter();
        let astray = differs.reduce(|all, one| unit.add_truth(C::And(all, one), span));
        let value = unit.add_read(goal, span);
        let wrong = unit.add_statement(S::GotoValue(value), span);
        let wrong = astray.map(|cond| unit.add_statement(S::If(cond, wrong, None), span));
        let go = unit.add_statement(S::Goto(choose), span);
        unit[jump].kind = S::Block([set].into_iter().chain(wrong).chain([go]).collect());
    }
}

fn compared(unit: &mut Unit, op: CompareOp, goal: VarId, label: LabelId) -> ExprId {
    let span = unit[goal].span;
    let own = unit.add_read(goal, span);
    let address = unit.add_label_address(label, span);
    unit.add_truth(C::Compare(op, own, address), span)
}
