//! `goto *p` compares `p` with the addresses of the function's labels, and goes to the label whose address is equal.

use rustc_hash::FxHashSet;

use crate::parts::{blocks_in, statements_in};
use crate::typed::{
    CompareOp, ExprId, ExprKind as C, FunctionId, LabelId, StmtId, StmtKind as S, Unit, VarId,
};
use crate::types::{QualType, Types};

/// Rewrites the computed jumps of a program. A computed jump that is left leads to no label.
pub fn name_destinations(unit: &mut Unit) {
    if unit.labels.iter().all(|label| label.address.is_none()) {
        return;
    }
    for function in (0..unit.functions.len()).map(|f| FunctionId(f as u32)) {
        if let Some(body) = unit[function].body {
            jumps_out(unit, function, body);
        }
    }
}

/// Rewrites the jumps in a block. Labels within an expression are goals of the jumps in it only. Returns the jumps that lead to none
/// of these labels.
fn jumps_out(unit: &mut Unit, function: FunctionId, block: StmtId) -> Vec<StmtId> {
    let (mut jumps, mut places, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    let mut open = vec![block];
    while let Some(id) = open.pop() {
        match unit[id].kind {
            S::GotoValue(_) => jumps.push(id),
            S::Label(label) if unit[label].address.is_some() => {
                labels.push(label);
                places.push(id);
            }
            _ => {}
        }
        for inner in blocks_in(unit, id) {
            jumps.extend(jumps_out(unit, function, inner));
        }
        open.extend(statements_in(unit, id));
    }
    if labels.is_empty() || jumps.is_empty() {
        return jumps;
    }
    let ends: FxHashSet<StmtId> = jumps.iter().chain(&places).copied().collect();
    let block = innermost(unit, block, &ends);
    rewrite(unit, function, block, &labels, &jumps)
}

/// Returns the innermost block with all of these statements. A jump to its begin ends no variable that the goal may use.
fn innermost(unit: &Unit, block: StmtId, ends: &FxHashSet<StmtId>) -> StmtId {
    let within = |id| [statements_in(unit, id), blocks_in(unit, id)].concat();
    let holds_all = |part: &StmtId| {
        let (mut open, mut count) = (vec![*part], 0);
        while let Some(id) = open.pop() {
            count += usize::from(ends.contains(&id));
            open.extend(within(id));
        }
        count == ends.len()
    };
    let (mut found, mut around) = (block, Some(block));
    while let Some(id) = around {
        if matches!(unit[id].kind, S::Block(_)) {
            found = id;
        }
        around = within(id).into_iter().find(holds_all);
    }
    found
}

/// Puts the comparisons at the begin of a block, to which the jumps lead. Returns the jumps that lead to none of the labels.
fn rewrite(
    unit: &mut Unit,
    function: FunctionId,
    block: StmtId,
    labels: &[LabelId],
    jumps: &[StmtId],
) -> Vec<StmtId> {
    let span = unit[block].span;
    let pointer = unit.types.pointer(QualType::plain(Types::VOID));
    let (goal, declared) = unit.add_begun(function, pointer, None, span);
    let [choose, begin] = ["choose", "begin"].map(|name| unit.add_own_label(function, name, span));
    let first = [S::Goto(begin), S::Label(choose)];
    let first = first.map(|kind| unit.add_statement(kind, span));
    let mut all = vec![declared];
    all.extend(first);
    for &label in labels {
        let equal = compared(unit, CompareOp::Eq, goal, label);
        let jump = unit.add_statement(S::Goto(label), span);
        all.push(unit.add_statement(S::If(equal, jump, None), span));
    }
    all.push(unit.add_statement(S::Label(begin), span));
    let rest = unit.add_statement(unit[block].kind.clone(), span);
    unit[block].kind = S::Block(all.into_iter().chain([rest]).collect());
    let mut left = Vec::new();
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
        left.push(wrong);
        let wrong = astray.map(|cond| unit.add_statement(S::If(cond, wrong, None), span));
        let go = unit.add_statement(S::Goto(choose), span);
        unit[jump].kind = S::Block([set].into_iter().chain(wrong).chain([go]).collect());
    }
    left
}

fn compared(unit: &mut Unit, op: CompareOp, goal: VarId, label: LabelId) -> ExprId {
    let span = unit[goal].span;
    let own = unit.add_read(goal, span);
    let address = unit.add_label_address(label, span);
    unit.add_truth(C::Compare(op, own, address), span)
}
