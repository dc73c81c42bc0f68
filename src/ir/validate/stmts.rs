//! Checks every statement of a procedure: ids, types, and the loops around `break` and `continue`.

use crate::walk;
use crate::{
    Await, Block, Expr, ExprId, ExprKind, LocalId, Loop, LoopId, Place, Proc, ProcId, Program,
    Root, Step, Stmt, StmtKind, Type, TypeId, Types,
};

use super::exprs::{compatible, is_integer};

pub(super) fn check(program: &Program, proc: &Proc) -> Result<(), String> {
    let types = |l: &crate::Local| l.ty;
    if proc.params as usize > proc.locals.len() {
        return Err("more parameters than locals".into());
    }
    let locals: Vec<TypeId> = proc.locals.iter().map(types).collect();
    Checker {
        program,
        proc,
        locals,
        loops: Vec::new(),
    }
    .block(&proc.body)
}

struct Checker<'a> {
    program: &'a Program,
    proc: &'a Proc,
    locals: Vec<TypeId>,
    loops: Vec<LoopId>,
}

impl Checker<'_> {
    fn block(&mut self, block: &Block) -> Result<(), String> {
        block.iter().try_for_each(|s| self.stmt(s))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.place(place)?;
                self.stored(*value, place.ty)
            }
            StmtKind::Havoc(place, _) => self.place(place),
            StmtKind::Assume(e) | StmtKind::Check(_, e, _) => self.has(*e, Types::BOOL),
            StmtKind::If(cond, yes, no) => {
                self.has(*cond, Types::BOOL)?;
                self.block(yes)?;
                self.block(no)
            }
            StmtKind::Loop(l) => self.loop_(l),
            StmtKind::Break(id) | StmtKind::Continue(id) => match self.loops.contains(id) {
                true => Ok(()),
                false => Err(format!("loop {} is left outside of it", id.0)),
            },
            StmtKind::Return(value) => match (*value, self.proc.result) {
                (None, None) => Ok(()),
                (Some(value), Some(ty)) => self.stored(value, ty),
                _ => Err("a return does not go with the procedure's result".into()),
            },
            StmtKind::Call(to, callee, args) => {
                let callee = self.callee(*callee, args)?;
                match (to, callee.result) {
                    (None, _) => Ok(()),
                    (Some(to), Some(ty)) => self.result(*to, ty),
                    (Some(_), None) => Err(format!("`{}` returns nothing", callee.name)),
                }
            }
            StmtKind::Post(to, callee, args) => {
                self.callee(*callee, args)?;
                to.map_or(Ok(()), |to| self.result(to, Types::TASK))
            }
            StmtKind::Preempt(_) => Ok(()),
            StmtKind::Await(a) => self.await_(a),
            StmtKind::Atomic(_, block) => self.block(block),
            StmtKind::Mark(_, args) => args.iter().try_for_each(|&a| self.expr(a)),
        }
    }

    fn loop_(&mut self, l: &Loop) -> Result<(), String> {
        if l.id.0 >= self.proc.loops {
            return Err(format!("loop {} is beyond the procedure's count", l.id.0));
        }
        if self.loops.contains(&l.id) {
            return Err(format!("loop {} stands inside itself", l.id.0));
        }
        self.block(&l.pre)?;
        self.has(l.cond, Types::BOOL)?;
        self.loops.push(l.id);
        self.block(&l.body)?;
        self.loops.pop();
        self.block(&l.step)
    }

    fn await_(&mut self, a: &Await) -> Result<(), String> {
        if a.checks
            .iter()
            .any(|s| !matches!(s.kind, StmtKind::Check(..)))
        {
            return Err("an await's checks do something else".into());
        }
        self.block(&a.checks)?;
        self.has(a.cond, Types::BOOL)?;
        self.block(&a.body)
    }

    fn callee(&self, id: ProcId, args: &[ExprId]) -> Result<&Proc, String> {
        let callee = self
            .program
            .procs
            .get(id.index())
            .ok_or_else(|| format!("no procedure #{}", id.0))?;
        if args.len() != callee.params as usize {
            return Err(format!(
                "`{}` takes {} arguments, {} given",
                callee.name,
                callee.params,
                args.len()
            ));
        }
        for (&arg, param) in args.iter().zip(&callee.locals) {
            self.stored(arg, param.ty)
                .map_err(|e| format!("calling `{}`: {e}", callee.name))?;
        }
        Ok(callee)
    }

    fn result(&self, to: LocalId, ty: TypeId) -> Result<(), String> {
        match self.local(to)? == ty {
            true => Ok(()),
            false => Err("a result goes into a local of another type".into()),
        }
    }

    fn local(&self, id: LocalId) -> Result<TypeId, String> {
        self.locals
            .get(id.index())
            .copied()
            .ok_or_else(|| format!("no local {}", id.0))
    }

    fn stored(&self, value: ExprId, ty: TypeId) -> Result<(), String> {
        self.has(value, ty)
    }

    fn has(&self, id: ExprId, ty: TypeId) -> Result<(), String> {
        self.expr(id)?;
        let found = self.program.ty(id);
        if compatible(&self.program.types, found, ty) {
            return Ok(());
        }
        let name = |ty| self.program.types.name(ty);
        Err(format!("expected `{}`, found `{}`", name(ty), name(found)))
    }

    /// Checks that an expression exists, and that its locals are those of this procedure.
    fn expr(&self, id: ExprId) -> Result<(), String> {
        let Some(expr) = self.program.exprs.get(id.index()) else {
            return Err(format!("no expression {}", id.0));
        };
        let Expr { kind, ty } = expr;
        if let ExprKind::Local(l) = kind
            && self.local(*l)? != *ty
        {
            return Err(format!("local {} is read as another type", l.0));
        }
        walk::operands(expr)
            .into_iter()
            .try_for_each(|e| self.expr(e))
    }

    fn place(&self, place: &Place) -> Result<(), String> {
        let mut ty = match place.root {
            Root::Local(l) => self.local(l)?,
            Root::Global(g) => match self.program.globals.get(g.index()) {
                Some(global) => global.ty,
                None => return Err(format!("no global {}", g.0)),
            },
        };
        for step in &place.path {
            ty = self.step(ty, step)?;
        }
        match ty == place.ty {
            true => Ok(()),
            false => Err("a place has another type than it says".into()),
        }
    }

    fn step(&self, ty: TypeId, step: &Step) -> Result<TypeId, String> {
        match (step, self.program.types.get(ty)) {
            (Step::Index(i), &Type::Array(_, element)) => {
                self.expr(*i)?;
                match is_integer(&self.program.types, self.program.ty(*i)) {
                    true => Ok(element),
                    false => Err("an index is no number".into()),
                }
            }
            (Step::Index(i), &Type::Map(key, value)) => self.has(*i, key).map(|()| value),
            (Step::Field(field), Type::Record(r)) => r
                .fields
                .get(*field as usize)
                .map(|f| f.1)
                .ok_or_else(|| "no such field".to_owned()),
            _ => Err("a step into what has no such parts".into()),
        }
    }
}
