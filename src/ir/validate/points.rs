//! Nothing atomic can be interrupted or wait, also not in what it calls.
//!
//! Atomic are `finally`, initial values, the bodies of awaits and `atomic` blocks.

use crate::ir::{Block, ProcId, Program, StmtKind};

pub(super) fn check(program: &Program) -> Result<(), String> {
    let facts: Vec<Facts> = program.procs.iter().map(|p| Facts::of(&p.body)).collect();
    let may = may_be_interrupted(&facts);
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

/// Initial values are given by assignments and choices.
fn assigns_only(init: &Block) -> bool {
    init.iter()
        .all(|s| matches!(s.kind, StmtKind::Assign(..) | StmtKind::Havoc(..)))
}

/// What a procedure's own body says.
#[derive(Default)]
struct Facts {
    point: bool,
    point_in_atomic: bool,
    calls: Vec<ProcId>,
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
            self.stmt(&stmt.kind, atomic);
        }
    }

    fn stmt(&mut self, kind: &StmtKind, atomic: bool) {
        match kind {
            StmtKind::Preempt(_) => self.see_point(atomic),
            StmtKind::Await(a) => {
                self.see_point(atomic);
                self.block(&a.body, true);
            }
            StmtKind::Atomic(block) => self.block(block, true),
            StmtKind::Call(_, callee, _) => {
                self.calls.push(*callee);
                if atomic {
                    self.atomic_calls.push(*callee);
                }
            }
            StmtKind::If(_, yes, no) => {
                self.block(yes, atomic);
                self.block(no, atomic);
            }
            StmtKind::Loop(l) => {
                for block in [&l.pre, &l.body, &l.step] {
                    self.block(block, atomic);
                }
            }
            _ => {}
        }
    }

    fn see_point(&mut self, atomic: bool) {
        self.point = true;
        self.point_in_atomic |= atomic;
    }
}

/// Which procedures have preemption points, themselves or in what they call.
fn may_be_interrupted(facts: &[Facts]) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); facts.len()];
    for (caller, fact) in facts.iter().enumerate() {
        for callee in &fact.calls {
            callers[callee.index()].push(caller);
        }
    }
    let mut may: Vec<bool> = facts.iter().map(|f| f.point).collect();
    let mut work: Vec<usize> = (0..facts.len()).filter(|&p| may[p]).collect();
    while let Some(proc) = work.pop() {
        for &caller in &callers[proc] {
            if !std::mem::replace(&mut may[caller], true) {
                work.push(caller);
            }
        }
    }
    may
}
