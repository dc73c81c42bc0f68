//! Which variables matter to the checks: their values may flow into a check.
//!
//! A variable that only decides which way a task goes, or whether it goes on, is left out at first. It may then have any value at
//! each read, and tasks go either way. The program does less than that, so a proof holds for it. Often that is enough: of a
//! counter under a mutex only the mutex matters.

use std::collections::BTreeSet;

use ir::{Block, ExprId, ExprKind, GlobalId, LocalId, Place, ProcId, Program, Root, StmtKind};
use ir::{
    walk,
    walk::{indices, operands},
};

use super::accesses::{self, Access};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Global(GlobalId),
    Local(ProcId, LocalId),
}

/// What matters beside the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    Nothing,
    /// The conditions that tasks wait for, and those that are assumed.
    Waits,
}

/// What does not matter.
#[derive(Debug, Default)]
pub struct Unneeded {
    pub any: BTreeSet<GlobalId>,
    pub any_locals: BTreeSet<(ProcId, LocalId)>,
}

/// Returns the variables that matter neither to the checks nor to which accesses that may race are reached.
#[must_use]
pub fn unneeded(program: &Program, also: Also, racing: &Racing<'_>) -> Unneeded {
    let reached = reached(program);
    let waits = |p: &ProcId| {
        walk::any(&program.proc(*p).body, |s| {
            matches!(s.kind, StmtKind::Await(_))
        })
    };
    let can_wait = program.scope.deadlocks && reached.iter().any(waits);
    let mut look = Look {
        program,
        waits: also == Also::Waits || can_wait,
        racing,
        needed: BTreeSet::new(),
        flows: Vec::new(),
    };
    for &proc in &reached {
        look.block(proc, &program.proc(proc).body, &mut Vec::new());
    }
    let mut before = 0;
    while before < look.needed.len() {
        before = look.needed.len();
        for (to, proc, from) in std::mem::take(&mut look.flows) {
            if look.needed.contains(&to) {
                look.need(proc, from);
            } else {
                look.flows.push((to, proc, from));
            }
        }
    }
    let globals = (0..program.globals.len()).map(GlobalId::from_index);
    let locals = reached.iter().flat_map(|&p| {
        let own = 0..program.proc(p).locals.len();
        own.map(move |l| (p, LocalId::from_index(l)))
    });
    let needed = &look.needed;
    Unneeded {
        any: globals
            .filter(|&g| !needed.contains(&Variable::Global(g)))
            .collect(),
        any_locals: locals
            .filter(|&(p, l)| !needed.contains(&Variable::Local(p, l)))
            .collect(),
    }
}

/// The procedures that may run.
fn reached(program: &Program) -> BTreeSet<ProcId> {
    let mut reached = BTreeSet::new();
    let first = [program.init, program.main].into_iter();
    let mut open: Vec<ProcId> = first.chain(program.finally).collect();
    while let Some(proc) = open.pop() {
        if reached.insert(proc) {
            walk::each(&program.proc(proc).body, &mut |stmt| match stmt.kind {
                StmtKind::Call(_, callee, _) | StmtKind::Post(_, callee, _) => open.push(callee),
                _ => {}
            });
        }
    }
    reached
}

/// The accesses that may race, and the means to find them in statements.
pub struct Racing<'p> {
    pub look: accesses::Look<'p>,
    pub accesses: BTreeSet<Access>,
}

struct Look<'p> {
    program: &'p Program,
    racing: &'p Racing<'p>,
    /// Whether it matters if tasks go on.
    waits: bool,
    needed: BTreeSet<Variable>,
    /// Which expression of which procedure gives a variable its value.
    flows: Vec<(Variable, ProcId, ExprId)>,
}

impl Look<'_> {
    fn need(&mut self, proc: ProcId, e: ExprId) {
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            let expr = self.program.expr(e);
            match expr.kind {
                ExprKind::Global(global) => drop(self.needed.insert(Variable::Global(global))),
                ExprKind::Local(local) => drop(self.needed.insert(Variable::Local(proc, local))),
                _ => open.extend(operands(expr)),
            }
        }
    }

    fn given(&mut self, (caller, callee): (ProcId, ProcId), args: &[ExprId]) {
        for (i, &arg) in args.iter().enumerate() {
            let param = Variable::Local(callee, LocalId::from_index(i));
            self.flows.push((param, caller, arg));
        }
    }

    /// Notes what matters in a block; the conditions decide whether its statements are executed.
    fn block(&mut self, proc: ProcId, block: &Block, conditions: &mut Vec<ExprId>) {
        for stmt in block {
            self.stmt(proc, &stmt.kind, conditions);
            let Racing { look, accesses } = self.racing;
            let touched = look.touched(&walk::exprs(stmt), walk::written(stmt), accesses);
            if let Some(names) = touched {
                names
                    .iter()
                    .chain(&*conditions)
                    .for_each(|&e| self.need(proc, e));
            }
            let inner = match &stmt.kind {
                StmtKind::If(cond, ..) => Some(*cond),
                StmtKind::Loop(l) => Some(l.cond),
                _ => None,
            };
            let outer = conditions.len();
            conditions.extend(inner);
            for inner in walk::children(stmt) {
                self.block(proc, inner, conditions);
            }
            conditions.truncate(outer);
        }
    }

    fn stmt(&mut self, proc: ProcId, kind: &StmtKind, conditions: &[ExprId]) {
        match kind {
            StmtKind::Check(_, e, _) => {
                self.need(proc, *e);
                conditions.iter().for_each(|&e| self.need(proc, e));
            }
            StmtKind::Assume(e) if self.waits => self.need(proc, *e),
            StmtKind::Await(at) if self.waits => self.need(proc, at.cond),
            StmtKind::Assign(to, value) => {
                let from = std::iter::once(*value).chain(indices(to));
                self.written(proc, to, from.chain(conditions.iter().copied()));
            }
            StmtKind::Havoc(to, _) => {
                let from = indices(to).chain(conditions.iter().copied());
                self.written(proc, to, from);
            }
            StmtKind::Call(into, callee, args) => {
                self.given((proc, *callee), args);
                if let Some(into) = into {
                    let to = Variable::Local(proc, *into);
                    self.result(to, *callee);
                }
            }
            StmtKind::Post(_, callee, args) => self.given((proc, *callee), args),
            _ => {}
        }
    }

    fn written(&mut self, proc: ProcId, to: &Place, from: impl Iterator<Item = ExprId>) {
        let into = match to.root {
            Root::Global(global) => Variable::Global(global),
            Root::Local(local) => Variable::Local(proc, local),
        };
        self.flows.extend(from.map(|e| (into, proc, e)));
    }

    /// Notes that a variable gets the results of a procedure.
    fn result(&mut self, to: Variable, callee: ProcId) {
        let program = self.program;
        walk::each(&program.proc(callee).body, &mut |stmt| {
            if let StmtKind::Return(Some(value)) = stmt.kind {
                self.flows.push((to, callee, value));
            }
        });
    }
}
