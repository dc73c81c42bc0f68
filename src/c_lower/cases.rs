//! A `switch` whose cases do not all stand directly in its block becomes jumps to labels.

use c::typed::{
    Case, CompareOp, Expr, ExprId, ExprKind as C, FunctionId, Init, InitId, Label, LabelId,
    Lifetime, NumberId, Stmt, StmtId, StmtKind as S, Unit, VarId, Variable,
};
use c::types::{QualType, Types};

/// Rewrites all such statements of a program.
pub(super) fn spread_cases(unit: &mut Unit) {
    for function in (0..unit.functions.len()).map(|f| FunctionId(f as u32)) {
        if let Some(body) = unit[function].body {
            Spread { unit, function }.statement(body);
        }
    }
}

struct Spread<'a> {
    unit: &'a mut Unit,
    function: FunctionId,
}

impl Spread<'_> {
    fn statement(&mut self, id: StmtId) {
        for inner in c::labels::statements_in(self.unit, id) {
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

    /// Whether all cases stand directly in the block, one of them first, and no label does.
    fn is_plain(&self, body: StmtId, cases: &[Case]) -> bool {
        let S::Block(all) = &self.unit[body].kind else {
            return false;
        };
        let marks = all
            .iter()
            .filter(|&&s| matches!(self.unit[s].kind, S::Case));
        let labels = all
            .iter()
            .any(|&s| matches!(self.unit[s].kind, S::Label(_)));
        let first = all.first();
        let begins = first.is_none_or(|&s| matches!(self.unit[s].kind, S::Case));
        marks.count() == cases.len() && begins && !labels
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
                for inner in c::labels::statements_in(self.unit, id) {
                    self.leave(inner, end);
                }
            }
        }
    }

    fn add(&mut self, kind: S, like: StmtId) -> StmtId {
        let span = self.unit[like].span;
        self.unit.stmts.push(Stmt { kind, span });
        StmtId(self.unit.stmts.len() as u32 - 1)
    }

    fn label(&mut self, at: StmtId) -> LabelId {
        let name = self.unit.names.intern("case");
        self.unit.labels.push(Label {
            name,
            function: self.function,
            span: self.unit[at].span,
        });
        LabelId(self.unit.labels.len() as u32 - 1)
    }

    /// A variable that holds a value.
    fn variable(&mut self, value: ExprId) -> VarId {
        self.unit.inits.push(Init::Value(value));
        let init = InitId(self.unit.inits.len() as u32 - 1);
        self.unit.variables.push(Variable {
            name: None,
            ty: QualType::plain(self.unit[value].ty.ty),
            align: None,
            lifetime: Lifetime::Local,
            function: Some(self.function),
            init: Some(init),
            external: false,
            span: self.unit[value].span,
        });
        VarId(self.unit.variables.len() as u32 - 1)
    }

    /// Makes the condition that a variable lies in a range.
    fn within(&mut self, variable: VarId, (least, most): (i128, i128)) -> ExprId {
        if least == most {
            return self.compared(CompareOp::Eq, variable, least);
        }
        let from = self.compared(CompareOp::Ge, variable, least);
        let to = self.compared(CompareOp::Le, variable, most);
        self.expr(C::And(from, to), QualType::plain(Types::INT), variable)
    }

    fn compared(&mut self, op: CompareOp, variable: VarId, value: i128) -> ExprId {
        let ty = self.unit[variable].ty;
        let place = self.expr(C::Var(variable), ty, variable);
        let own = self.expr(C::Load(place), ty, variable);
        self.unit.numbers.push(value);
        let number = NumberId(self.unit.numbers.len() as u32 - 1);
        let number = self.expr(C::Int(number), ty, variable);
        self.expr(
            C::Compare(op, own, number),
            QualType::plain(Types::INT),
            variable,
        )
    }

    fn expr(&mut self, kind: C, ty: QualType, like: VarId) -> ExprId {
        let span = self.unit[like].span;
        self.unit.exprs.push(Expr { kind, ty, span });
        ExprId(self.unit.exprs.len() as u32 - 1)
    }
}
