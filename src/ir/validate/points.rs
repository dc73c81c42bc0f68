//! Atomic code can neither be interrupted nor wait, also not in the procedures that it calls.
//!
//! `finally`, initial values, the bodies of awaits and `atomic` blocks are atomic.

use crate::calls::Calls;
use crate::{Block, ProcId, Program, Stmt, StmtKind, walk};

pub(super) fn check(program: &Program) -> Result<(), String> {
    let facts: Vec<Facts> = program.procs.iter().map(|p| Facts::of(&p.body)).collect();
    let own = facts.iter().map(|f| f.point).collect();
    let may = Calls::of(program).to_callers(own);
    for (index, facts) in facts.iter().enumerate() {
        let within = |what: &str| {
            format!(
                "in procedure #{index} `{}`: {what}",
                program.procs[index].name
            )
        };
        if facts.point_in_atomic {
            return Err(within("a preemption point stands in atomic code"));
        }
        if let Some(callee) = facts.atomic_calls.iter().find(|c| may[c.index()]) {
            return Err(within(&format!(
                "atomic code calls #{}, which has preemption points",
                callee.0
            )));
        }
    }
    for (id, what) in [(Some(program.init), "init"), (program.finally, "finally")] {
        if id.is_some_and(|id| may[id.index()]) {
            return Err(format!("`{what}` has preemption points"));
        }
    }
    match assigns_only(&program.proc(program.init).body) {
        true => Ok(()),
        false => Err("`init` does more than to give values".into()),
    }
}

/// Whether a procedure gives initial values by assignments and choices only.
fn assigns_only(init: &Block) -> bool {
    init.iter()
        .all(|s| matches!(s.kind, StmtKind::Assign(..) | StmtKind::Havoc(..)))
}

/// The facts about a procedure's own body.
#[derive(Default)]
struct Facts {
    point: bool,
    point_in_atomic: bool,
    atomic_calls: Vec<ProcId>,
}

impl Facts {
    fn of(body: &Block) -> Self {
        let mut facts = Self::default();
        facts.block(body, false);
        facts
    }

    fn block(&mut self, block: &Block, atomic: bool) {
        for stmt in block {
            self.stmt(stmt, atomic);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, atomic: bool) {
        match &stmt.kind {
            StmtKind::Preempt(_) => self.see_point(atomic),
            StmtKind::Await(a) => {
                self.see_point(atomic);
                self.block(&a.body, true);
            }
            StmtKind::Atomic(_, block) => self.block(block, true),
            StmtKind::Call(_, callee, _) if atomic => self.atomic_calls.push(*callee),
            _ => walk::children(stmt).for_each(|block| self.block(block, atomic)),
        }
    }

    fn see_point(&mut self, atomic: bool) {
        self.point = true;
        self.point_in_atomic |= atomic;
    }
}
