//! A `switch` whose cases do not all stand directly in its block, or into which a `goto` leads, becomes jumps to labels.

use crate::labels::Labels;
use crate::parts::statements_in;
use crate::typed::{
    Case, CompareOp, ExprId, ExprKind as C, FunctionId, Init, LabelId, StmtId, StmtKind as S, Unit,
    VarId,
};

/// Rewrites all such statements of a program.
pub fn spread_cases(unit: &mut Unit) {
    let labels = Labels::new(unit);
    for function in (0..unit.functions.len()).map(|f| FunctionId(f as u32)) {
        if let Some(body) = unit[function].body {
            let labels = &labels;
            let mut spread = Spread {
                unit,
                function,
                labels,
            };
            spread.statement(body);
        }
    }
}

struct Spread<'a> {
    unit: &'a mut Unit,
    function: FunctionId,
    /// The labels before anything is rewritten.
    labels: &'a Labels,
}

impl Spread<'_> {
    fn statement(&mut self, id: StmtId) {
        for inner in statements_in(self.unit, id) {
            self.statement(inner);
        }
        let S::Switch(value, body, cases) = &self.unit[id].kind else {
            return;
        };
        let (value, body, cases) = (*value, *body, cases.to_vec());
        if !self.is_plain(body, &cases) {
            self.rewrite(id, value, body, &cases);
        }
    }

    /// Whether the block begins with a case, holds all cases directly, holds no label, and no jump from outside leads into a case.
    fn is_plain(&self, body: StmtId, cases: &[Case]) -> bool {
        let S::Block(all) = &self.unit[body].kind else {
            return false;
        };
        let is_case = |s: &StmtId| matches!(self.unit[*s].kind, S::Case);
        let is_label = |s: &StmtId| matches!(self.unit[*s].kind, S::Label(_));
        all.iter().filter(|s| is_case(s)).count() == cases.len()
            && all.first().is_none_or(is_case)
            && !all.iter().any(is_label)
            && !all.split(is_case).any(|case| self.labels.enter(case))
    }

    fn rewrite(&mut self, id: StmtId, value: ExprId, body: StmtId, cases: &[Case]) {
        let variable = self.variable(value);
        let end = self.label(id);
        let mut all = vec![self.add(S::Declare(variable), id)];
        let mut other = end;
        for case in cases {
            let label = self.label(case.at);
            self.unit[case.at].kind = S::Label(label);
            match case.values {
                Some(range) => {
                    let cond = self.within(variable, range);
                    let jump = self.add(S::Goto(label), id);
                    all.push(self.add(S::If(cond, jump, None), id));
                }
                None => other = label,
            }
        }
        all.push(self.add(S::Goto(other), id));
        self.leave(body, end);
        all.push(body);
        all.push(self.add(S::Label(end), id));
        self.unit[id].kind = S::Block(all.into_iter().collect());
    }

    /// Turns each `break` of the `switch` into a jump to its end.
    fn leave(&mut self, id: StmtId, end: LabelId) {
        match self.unit[id].kind {
            S::Break => self.unit[id].kind = S::Goto(end),
            S::While(..) | S::DoWhile(..) | S::For(..) | S::Switch(..) => {}
            _ => {
                for inner in statements_in(self.unit, id) {
                    self.leave(inner, end);
                }
            }
        }
    }

    fn add(&mut self, kind: S, like: StmtId) -> StmtId {
        let span = self.unit[like].span;
        self.unit.add_statement(kind, span)
    }

    fn label(&mut self, at: StmtId) -> LabelId {
        let (span, function) = (self.unit[at].span, self.function);
        self.unit.add_own_label(function, "case", span)
    }

    /// Makes a variable that holds a value.
    fn variable(&mut self, value: ExprId) -> VarId {
        let (ty, span) = (self.unit[value].ty.ty, self.unit[value].span);
        (self.unit).add_local(self.function, ty, Init::Value(value), span)
    }

    /// Makes the condition that a variable lies in a range.
    fn within(&mut self, variable: VarId, (least, most): (i128, i128)) -> ExprId {
        if least == most {
            return self.compared(CompareOp::Eq, variable, least);
        }
        let from = self.compared(CompareOp::Ge, variable, least);
        let to = self.compared(CompareOp::Le, variable, most);
        let span = self.unit[variable].span;
        self.unit.add_truth(C::And(from, to), span)
    }

    fn compared(&mut self, op: CompareOp, variable: VarId, value: i128) -> ExprId {
        let (ty, span) = (self.unit[variable].ty, self.unit[variable].span);
        let own = self.unit.add_read(variable, span);
        let number = self.unit.add_number(value, ty, span);
        self.unit.add_truth(C::Compare(op, own, number), span)
    }
}
