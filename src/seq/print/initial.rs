//! The initial values of globals, as expressions of the language.

use ir::walk::operands;
use ir::{
    Block, ExprId, ExprKind, GlobalId, LocalId, Place, Program, Root, Step, Stmt, StmtKind, Type,
    TypeId,
};

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not set, or taken by another variable.
    Unset,
    Star,
    Constant(ExprId),
    /// A record or an array by its parts.
    Parts(Vec<Value>),
    Fill(Box<Value>),
}

/// The initial value of each global; `None` where the program computes them in a way that no declaration can say.
pub fn values(program: &Program) -> Option<Vec<Value>> {
    let mut state = State {
        program,
        globals: vec![Value::Unset; program.globals.len()],
        locals: vec![Value::Unset; program.proc(program.init).locals.len()],
    };
    state.block(&program.proc(program.init).body)?;
    Some(state.globals)
}

struct State<'p> {
    program: &'p Program,
    globals: Vec<Value>,
    locals: Vec<Value>,
}

impl State<'_> {
    fn block(&mut self, block: &Block) -> Option<()> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<()> {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let value = self.value(*value)?;
                self.store(place, value)
            }
            StmtKind::Havoc(place, _) => self.store(place, Value::Star),
            StmtKind::Mark(..) => Some(()),
            _ => None,
        }
    }

    fn value(&mut self, expr: ExprId) -> Option<Value> {
        let program = self.program;
        let all = |state: &mut Self, parts: &[ExprId]| {
            parts.iter().map(|&e| state.value(e)).collect::<Option<_>>()
        };
        match &program.expr(expr).kind {
            ExprKind::Local(local) => self.take(*local),
            ExprKind::Record(parts) | ExprKind::Array(parts) => {
                Some(Value::Parts(all(self, parts)?))
            }
            ExprKind::Fill(value) => Some(Value::Fill(Box::new(self.value(*value)?))),
            _ => self.constant(expr).then_some(Value::Constant(expr)),
        }
    }

    /// Takes the value of a local. A choice is made once, so its value can be used once.
    fn take(&mut self, local: LocalId) -> Option<Value> {
        let value = self.locals[local.index()].clone();
        if !matches!(value, Value::Constant(_)) {
            self.locals[local.index()] = Value::Unset;
        }
        (value != Value::Unset).then_some(value)
    }

    fn constant(&self, expr: ExprId) -> bool {
        let expr = self.program.expr(expr);
        !matches!(
            expr.kind,
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::SelfTask | ExprKind::Finished(_)
        ) && operands(expr).iter().all(|&e| self.constant(e))
    }

    fn store(&mut self, place: &Place, value: Value) -> Option<()> {
        let (mut at, mut ty) = match place.root {
            Root::Global(GlobalId(g)) => (
                &mut self.globals[g as usize],
                self.program.globals[g as usize].ty,
            ),
            Root::Local(l) => (
                &mut self.locals[l.index()],
                self.program.proc(self.program.init).locals[l.index()].ty,
            ),
        };
        for step in &place.path {
            let (index, count, inner) = part(self.program, ty, *step)?;
            if *at == Value::Unset {
                *at = Value::Parts(vec![Value::Unset; count]);
            }
            let Value::Parts(parts) = at else { return None };
            (at, ty) = (parts.get_mut(index)?, inner);
        }
        *at = value;
        Some(())
    }
}

/// The index of the part that a step leads to, the number of parts, and the part's type.
fn part(program: &Program, ty: TypeId, step: Step) -> Option<(usize, usize, TypeId)> {
    match (program.types.get(ty), step) {
        (Type::Record(r), Step::Field(f)) => {
            Some((f as usize, r.fields.len(), r.fields[f as usize].1))
        }
        (Type::Array(len, element), Step::Index(index)) => match program.expr(index).kind {
            ExprKind::Int(i) => Some((usize::try_from(i.0).ok()?, *len as usize, *element)),
            _ => None,
        },
        _ => None,
    }
}
