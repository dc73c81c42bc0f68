//! Along every path: locals are assigned before they are read, and a result is returned.
//!
//! A forward analysis over the structured code. A set of assigned locals is
//! kept in one vector with a log, so that branches cost what they assign.

use crate::walk;
use crate::{
    Await, Block, ExprId, ExprKind, LocalId, Loop, LoopId, Place, Proc, Program, Root, Step,
    StmtKind,
};

/// A local that may be read before it is assigned.
#[must_use]
pub fn read_unset(program: &Program, proc: &Proc) -> Option<LocalId> {
    let mut flow = Flow::new(program, proc);
    let _ = flow.block(&proc.body);
    flow.unset.get()
}

pub(super) fn check(program: &Program, proc: &Proc) -> Result<(), String> {
    let mut flow = Flow::new(program, proc);
    let falls = flow.block(&proc.body)?;
    if falls && proc.result.is_some() {
        return Err("control may reach the end of a procedure with a result".into());
    }
    Ok(())
}

struct Flow<'a> {
    program: &'a Program,
    proc: &'a Proc,
    assigned: Vec<bool>,
    /// The locals that were assigned, in order.
    log: Vec<LocalId>,
    /// For each loop, the locals that were assigned at every `break` so far.
    breaks: Vec<Option<Vec<LocalId>>>,
    /// The local that the first complaint is about.
    unset: std::cell::Cell<Option<LocalId>>,
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program, proc: &'a Proc) -> Self {
        let mut flow = Self {
            program,
            proc,
            assigned: vec![false; proc.locals.len()],
            log: Vec::new(),
            breaks: vec![None; proc.loops as usize],
            unset: std::cell::Cell::new(None),
        };
        for param in 0..proc.params {
            flow.assign(LocalId(param));
        }
        flow
    }
}

impl Flow<'_> {
    fn assign(&mut self, local: LocalId) {
        if !std::mem::replace(&mut self.assigned[local.index()], true) {
            self.log.push(local);
        }
    }

    /// Forgets the locals that were assigned since `mark`, and returns them.
    fn undo(&mut self, mark: usize) -> Vec<LocalId> {
        let since = self.log.split_off(mark);
        for local in &since {
            self.assigned[local.index()] = false;
        }
        since
    }

    /// Assigns what both paths assigned; `None` is a path that does not arrive. Returns whether one arrives.
    fn join(&mut self, one: Option<Vec<LocalId>>, other: Option<Vec<LocalId>>) -> bool {
        let common = match (one, other) {
            (None, None) => return false,
            (Some(only), None) | (None, Some(only)) => only,
            (Some(one), Some(mut other)) => {
                other.sort_unstable();
                one.into_iter()
                    .filter(|l| other.binary_search(l).is_ok())
                    .collect()
            }
        };
        common.into_iter().for_each(|l| self.assign(l));
        true
    }

    fn block(&mut self, block: &Block) -> Result<bool, String> {
        for stmt in block {
            if !self.stmt(&stmt.kind)? {
                return Ok(false); // what follows is never run
            }
        }
        Ok(true)
    }

    /// Whether control reaches the end of a statement.
    fn stmt(&mut self, kind: &StmtKind) -> Result<bool, String> {
        match kind {
            StmtKind::Assign(place, value) => {
                self.read(*value)?;
                self.store(place)?;
            }
            StmtKind::Havoc(place, _) => self.store(place)?,
            StmtKind::Assume(e) | StmtKind::Check(_, e, _) => self.read(*e)?,
            StmtKind::If(cond, yes, no) => return self.if_else(*cond, yes, no),
            StmtKind::Loop(l) => return self.loop_(l),
            StmtKind::Break(id) => {
                self.note_break(*id);
                return Ok(false);
            }
            StmtKind::Continue(_) => return Ok(false),
            StmtKind::Return(value) => {
                value.map_or(Ok(()), |e| self.read(e))?;
                return Ok(false);
            }
            StmtKind::Call(to, _, args) | StmtKind::Post(to, _, args) => {
                args.iter().try_for_each(|&a| self.read(a))?;
                to.iter().for_each(|&l| self.assign(l));
            }
            StmtKind::Preempt(_) => {}
            StmtKind::Await(a) => return self.await_(a),
            StmtKind::Atomic(_, block) => return self.block(block),
            StmtKind::Mark(_, args) => args.iter().try_for_each(|&a| self.read(a))?,
        }
        Ok(true)
    }

    fn if_else(&mut self, cond: ExprId, yes: &Block, no: &Block) -> Result<bool, String> {
        self.read(cond)?;
        let mark = self.log.len();
        let yes_falls = self.block(yes)?;
        let one = self.undo(mark);
        let no_falls = self.block(no)?;
        let other = self.undo(mark);
        Ok(self.join(yes_falls.then_some(one), no_falls.then_some(other)))
    }

    /// The condition or a `break` leaves the loop. The step cannot rely on the body, because a `continue` may skip its assignments.
    fn loop_(&mut self, l: &Loop) -> Result<bool, String> {
        let start = self.log.len();
        self.block(&l.pre)?;
        self.read(l.cond)?;
        let endless = matches!(self.program.expr(l.cond).kind, ExprKind::Bool(true));
        let outer = self.breaks[l.id.index()].take();
        let mark = self.log.len();
        self.block(&l.body)?;
        self.undo(mark);
        self.block(&l.step)?;
        self.undo(mark);
        let by_condition = self.undo(start);
        let by_break = std::mem::replace(&mut self.breaks[l.id.index()], outer);
        // The log at a break begins with the procedure: only locals that the loop assigned count.
        let by_break = by_break.map(|b| {
            b.into_iter()
                .filter(|l| !self.assigned[l.index()])
                .collect()
        });
        Ok(self.join((!endless).then_some(by_condition), by_break))
    }

    fn note_break(&mut self, id: LoopId) {
        let here = self.log.clone();
        let common = match self.breaks[id.index()].take() {
            None => here,
            Some(before) => before
                .into_iter()
                .filter(|l| self.assigned[l.index()])
                .collect(),
        };
        self.breaks[id.index()] = Some(common);
    }

    fn await_(&mut self, a: &Await) -> Result<bool, String> {
        self.block(&a.checks)?;
        self.read(a.cond)?;
        self.block(&a.body)
    }

    fn store(&mut self, place: &Place) -> Result<(), String> {
        for step in &place.path {
            if let Step::Index(i) = step {
                self.read(*i)?;
            }
        }
        match place.root {
            Root::Local(l) if place.path.is_empty() => self.assign(l),
            // A store to a part: the whole local must be assigned before.
            Root::Local(l) => self.read_local(l)?,
            Root::Global(_) => {}
        }
        Ok(())
    }

    fn read_local(&self, l: LocalId) -> Result<(), String> {
        match self.assigned[l.index()] {
            true => Ok(()),
            false => {
                self.unset.set(Some(l));
                Err(format!(
                    "local {} `{}` is read before it is assigned",
                    l.0,
                    self.proc.locals[l.index()].name
                ))
            }
        }
    }

    fn read(&self, id: ExprId) -> Result<(), String> {
        let expr = self.program.expr(id);
        if let ExprKind::Local(l) = expr.kind {
            self.read_local(l)?;
        }
        walk::operands(expr)
            .into_iter()
            .try_for_each(|e| self.read(e))
    }
}
