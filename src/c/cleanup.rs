//! `__attribute__((cleanup(f)))`: calls `f` with the address of a variable wherever control leaves its scope.

use rustc_hash::FxHashMap;

use crate::parts::{blocks_in, statements_in};
use crate::typed::{
    ExprId, ExprKind as C, FunctionId, LabelId, StmtId, StmtKind as S, Unit, VarId,
};
use base::source::Span;

/// Adds these calls to a program.
pub fn call_cleanups(unit: &mut Unit) {
    if unit.variables.iter().all(|v| v.cleanup.is_none()) {
        return;
    }
    settle_values(unit);
    for function in (0..unit.functions.len()).map(|f| FunctionId(f as u32)) {
        if let Some(body) = unit[function].body {
            let mut scopes = Scopes {
                unit,
                function,
                open: Vec::new(),
                at_labels: FxHashMap::default(),
                jumps: Vec::new(),
                on_break: 0,
                on_continue: 0,
            };
            scopes.statement(body);
            for (jump, label, open) in std::mem::take(&mut scopes.jumps) {
                let at = scopes.at_labels.get(&label).into_iter().flatten();
                let stay = open.iter().zip(at).take_while(|(a, b)| a == b).count();
                scopes.leave(jump, open[stay..].to_vec());
            }
        }
    }
}

/// Computes the value of `({ … })` before its variables are cleaned up.
fn settle_values(unit: &mut Unit) {
    for e in (0..unit.exprs.len()).map(|e| ExprId(e as u32)) {
        let C::Block(block, Some(value)) = unit[e].kind else {
            continue;
        };
        let function = statements_in(unit, block)
            .into_iter()
            .find_map(|s| match unit[s].kind {
                S::Declare(v) if unit[v].cleanup.is_some() => unit[v].function,
                _ => None,
            });
        if let Some(function) = function {
            let (set, value) = unit.add_kept(function, value, unit[value].span);
            if let S::Block(all) = &mut unit[block].kind {
                all.push(set);
            }
            unit[e].kind = C::Block(block, value);
        }
    }
}

struct Scopes<'a> {
    unit: &'a mut Unit,
    function: FunctionId,
    /// The variables to be cleaned up whose scopes are open.
    open: Vec<VarId>,
    /// By label: those that are open there.
    at_labels: FxHashMap<LabelId, Vec<VarId>>,
    /// Each `goto`, and those that are open there.
    jumps: Vec<(StmtId, LabelId, Vec<VarId>)>,
    /// How many of them a `break` leaves open.
    on_break: usize,
    on_continue: usize,
}

impl Scopes<'_> {
    fn statement(&mut self, id: StmtId) {
        let around = (self.open.len(), self.on_break, self.on_continue);
        for block in blocks_in(self.unit, id) {
            self.statement(block);
        }
        match self.unit[id].kind.clone() {
            S::Declare(v) => self.open.extend(self.unit[v].cleanup.map(|_| v)),
            S::Label(label) => {
                self.at_labels.insert(label, self.open.clone());
            }
            S::Goto(label) => self.jumps.push((id, label, self.open.clone())),
            S::Break => self.leave(id, self.open[self.on_break..].to_vec()),
            S::Continue => self.leave(id, self.open[self.on_continue..].to_vec()),
            S::Return(_) => self.leave(id, self.open.clone()),
            S::For(first, cond, step, body) => {
                first.iter().for_each(|&s| self.statement(s));
                self.within_loop(body);
                if self.open.len() > around.0 {
                    let span = self.unit[id].span;
                    let rest = S::For([].into_iter().collect(), cond, step, body);
                    let rest = self.unit.add_statement(rest, span);
                    let all = first.into_iter().chain([rest]).collect();
                    self.unit[id].kind = S::Block(all);
                    self.close(id, around.0);
                }
            }
            S::Block(all) => {
                all.into_iter().for_each(|s| self.statement(s));
                self.close(id, around.0);
            }
            S::Switch(_, body, _) => {
                self.on_break = self.open.len();
                self.statement(body);
            }
            S::While(_, body) | S::DoWhile(body, _) => self.within_loop(body),
            _ => statements_in(self.unit, id)
                .into_iter()
                .for_each(|s| self.statement(s)),
        }
        (self.on_break, self.on_continue) = (around.1, around.2);
    }

    fn within_loop(&mut self, body: StmtId) {
        (self.on_break, self.on_continue) = (self.open.len(), self.open.len());
        self.statement(body);
    }

    /// Cleans up at the end of a block what began in it.
    fn close(&mut self, block: StmtId, before: usize) {
        let own = self.open.split_off(before);
        let end = self.unit[block].span.end;
        let calls = self.calls(own, Span::new(end - 1, end));
        if let S::Block(all) = &mut self.unit[block].kind {
            all.extend(calls);
        }
    }

    /// Cleans up before a jump or a `return`.
    fn leave(&mut self, id: StmtId, left: Vec<VarId>) {
        if left.is_empty() {
            return;
        }
        let (span, mut kind) = (self.unit[id].span, self.unit[id].kind.clone());
        let mut all = Vec::new();
        if let S::Return(Some(value)) = kind {
            let (set, value) = self
                .unit
                .add_kept(self.function, value, self.unit[value].span);
            all.push(set);
            kind = S::Return(value);
        }
        all.extend(self.calls(left, span));
        all.push(self.unit.add_statement(kind, span));
        self.unit[id].kind = S::Block(all.into_iter().collect());
    }

    /// Calls for variables, the last one first.
    fn calls(&mut self, variables: Vec<VarId>, span: Span) -> Vec<StmtId> {
        let calls = variables
            .into_iter()
            .rev()
            .filter_map(|v| self.unit[v].cleanup);
        let calls: Vec<ExprId> = calls.collect();
        let calls = calls.into_iter().map(|call| {
            let call = again(self.unit, call);
            self.unit.add_statement(S::Expr(call), span)
        });
        calls.collect()
    }
}

/// Copies the call of a function with the address of a variable.
fn again(unit: &mut Unit, e: ExprId) -> ExprId {
    let (ty, kind, span) = (unit[e].ty, unit[e].kind.clone(), unit[e].span);
    let kind = match kind {
        C::Call(callee, args) => {
            let args = unit[args].to_vec();
            let args: Vec<ExprId> = args.into_iter().map(|arg| again(unit, arg)).collect();
            C::Call(callee, unit.add_list(args))
        }
        C::Convert(how, of) => C::Convert(how, again(unit, of)),
        C::AddressOf(of) => C::AddressOf(again(unit, of)),
        kind => kind,
    };
    unit.add(kind, ty, span)
}
