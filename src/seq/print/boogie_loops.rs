//! Loops around loops as procedures, which take a turn and call themselves ([`super::bounds`] says why).
//!
//! ```text
//! procedure {:inline 5} p.loop(n: int, i.in: int) returns (ended: bool, i: int) {
//!   i := i.in;
//!   ended := false;                 // whether `p` returns from inside the loop
//!   if (!(i < n)) { return; }       // a `break` is a `return`, too
//!   …
//!   call ended, i := p.loop(n, i);
//! }
//! ```

use ir::{LocalId, Loop, LoopId, Proc, ProcId, Program, Stmt, StmtKind};

use super::super::walk;
use super::boogie_text::{Body, Printer, Variable, declared, variables};
use super::scopes::Uses;

/// A loop that is a procedure.
pub struct Turn {
    stmt: Stmt,
    /// The locals that the loop only reads.
    reads: Vec<LocalId>,
    /// The locals that it changes for statements outside of it or for its next turn.
    changes: Vec<LocalId>,
    /// The locals that only one turn uses.
    own: Vec<LocalId>,
    /// Whether its procedure may return from inside.
    leaves: bool,
}

impl Turn {
    fn of(program: &Program, proc: &Proc, stmt: &Stmt) -> Self {
        let uses = Uses::new(program);
        let l = enclosed(stmt);
        let body = &l.body;
        let written = written(body);
        let mut turn = Self {
            stmt: stmt.clone(),
            reads: Vec::new(),
            changes: Vec::new(),
            own: Vec::new(),
            leaves: walk::any(body, |s| matches!(s.kind, StmtKind::Return(_))),
        };
        let locals = (0..proc.locals.len()).map(LocalId::from_index);
        for local in locals.filter(|&local| uses.stmt(stmt, local)) {
            let list = if !written.contains(&local) {
                &mut turn.reads
            } else if uses.elsewhere(&proc.body, l.id, local) || !uses.fresh(body, local) {
                &mut turn.changes
            } else {
                &mut turn.own
            };
            list.push(local);
        }
        turn
    }

    /// The loop.
    pub fn enclosed(&self) -> &Loop {
        enclosed(&self.stmt)
    }
}

fn enclosed(stmt: &Stmt) -> &Loop {
    match &stmt.kind {
        StmtKind::Loop(l) => l,
        _ => unreachable!("a turn is of a loop"),
    }
}

/// `n, i`
fn names(variables: &[Variable]) -> String {
    let all: Vec<&str> = variables.iter().map(|v| &*v.name).collect();
    all.join(", ")
}

/// The locals that are given values.
fn written(body: &[Stmt]) -> Vec<LocalId> {
    let mut all = Vec::new();
    walk::each(body, &mut |stmt| all.extend(super::scopes::target(stmt)));
    all
}

impl Printer<'_> {
    /// Prints the procedures of the loops that are pending from the last procedure, and of the loops inside them.
    pub fn turns(&mut self, id: ProcId, locals: &[String]) {
        while let Some(turn) = self.pending.pop() {
            self.turn(id, locals, turn);
        }
    }

    fn turn(&mut self, id: ProcId, locals: &[String], turn: Turn) {
        let proc = self.program.proc(id);
        self.turn_head(id, locals, &turn);
        self.out.open("{");
        let own = turn.own.clone();
        let copies: Vec<_> = (self.all(proc, locals, &turn.changes, "").iter())
            .zip(self.all(proc, locals, &turn.changes, ".in"))
            .map(|(to, from)| format!("{} := {};", to.name, from.name))
            .collect();
        let mut body = Body::new(self, id, locals, Some(turn));
        body.turn();
        let (temps, inner) = (std::mem::take(&mut body.temps), body.inner.clone());
        let text = body.end();
        let own: Vec<_> = own.into_iter().filter(|l| !inner.contains(l)).collect();
        let lines = [self.all(proc, locals, &own, ""), temps].concat();
        let lines = lines.iter().map(|line| format!("var {line};"));
        for line in lines.chain(copies) {
            self.out.line(line);
        }
        self.out.text.push_str(&text);
        self.out.close("}");
    }

    fn turn_head(&mut self, id: ProcId, locals: &[String], turn: &Turn) {
        let proc = self.program.proc(id);
        let depth = self.bounds.apart[&(id, turn.enclosed().id)];
        self.out.line("");
        self.out.quoted = None;
        self.out.quote(&turn.stmt);
        let mut ins = self.all(proc, locals, &turn.reads, "");
        ins.extend(self.all(proc, locals, &turn.changes, ".in"));
        let name = self.loop_name(id, turn.enclosed());
        let mut line = format!("procedure {{:inline {depth}}} {name}({})", declared(&ins));
        let outs = self.outs(proc, locals, turn);
        if !outs.is_empty() {
            line.push_str(&format!(" returns ({})", declared(&outs)));
        }
        self.out.line(line);
        self.modifies(id);
    }

    /// The variable that says whether a procedure was left from inside a loop.
    fn ended(&self) -> Variable {
        Variable {
            name: self.ended.clone(),
            ty: "bool".to_owned(),
        }
    }

    /// Variables for locals.
    fn all(&self, proc: &Proc, locals: &[String], list: &[LocalId], suffix: &str) -> Vec<Variable> {
        let exprs = self.exprs(proc, locals);
        let of = |local: &LocalId| {
            let name = format!("{}{suffix}", locals[local.index()]);
            variables(&exprs, &name, proc.locals[local.index()].ty)
        };
        list.iter().flat_map(of).collect()
    }

    /// What the procedure of a loop returns.
    fn outs(&self, proc: &Proc, locals: &[String], turn: &Turn) -> Vec<Variable> {
        let mut outs = Vec::new();
        if turn.leaves {
            outs.push(self.ended());
            let exprs = self.exprs(proc, locals);
            let result = proc.result.map(|ty| variables(&exprs, &self.result, ty));
            outs.extend(result.into_iter().flatten());
        }
        outs.extend(self.all(proc, locals, &turn.changes, ""));
        outs
    }

    fn loop_name(&self, id: ProcId, l: &Loop) -> String {
        let proc = &self.names.procs[id.index()];
        match l.id.0 {
            0 => format!("{proc}.loop"),
            number => format!("{proc}.loop.{number}"),
        }
    }
}

impl Body<'_, '_> {
    /// A loop that is set apart: all its turns are a call.
    pub fn apart(&mut self, stmt: &Stmt) {
        let turn = Turn::of(self.printer.program, self.proc, stmt);
        let flag = self.printer.ended();
        if turn.leaves && self.turn.is_none() && !self.temps.contains(&flag) {
            self.temps.push(flag);
        }
        self.turns(&turn);
        if turn.leaves {
            self.line(format!("if ({}) {{ return; }}", self.printer.ended));
        }
        self.inner.extend(&turn.own);
        self.printer.pending.push(turn);
    }

    /// `call ended, i := p.loop(n, i);`
    fn turns(&mut self, turn: &Turn) {
        let procedure = self.printer.loop_name(self.id, turn.enclosed());
        let outs = self.printer.outs(self.proc, self.locals, turn);
        let args = [&turn.reads[..], &turn.changes].concat();
        let args = self.printer.all(self.proc, self.locals, &args, "");
        let to = if outs.is_empty() { "" } else { " := " };
        self.line(format!(
            "call {}{to}{procedure}({});",
            names(&outs),
            names(&args)
        ));
    }

    /// One turn, and the next ones.
    fn turn(&mut self) {
        let Some(turn) = self.turn.take() else {
            return;
        };
        let l = turn.enclosed().clone();
        if turn.leaves {
            self.line(format!("{} := false;", self.printer.ended));
        }
        let cond = self.scalar(l.cond);
        if cond != "true" {
            self.line(format!("if (!({cond})) {{ return; }}"));
        }
        self.turn = Some(turn);
        self.block(&l.body);
        let ends = l.body.last().map(|s| &s.kind);
        if !matches!(ends, Some(StmtKind::Break(_) | StmtKind::Continue(_))) {
            self.next();
        }
    }

    /// Whether this is a turn of that loop.
    pub fn is_turn(&self, id: LoopId) -> bool {
        (self.turn.as_ref()).is_some_and(|turn| turn.enclosed().id == id)
    }

    /// Prints the call for the next turn.
    pub fn next(&mut self) {
        if let Some(turn) = self.turn.take() {
            self.turns(&turn);
            self.turn = Some(turn);
        }
    }
}
