//! Putting a program together: short names for the expressions and statements that the rules are made of.

use crate::ir::{
    BinaryOp, Block, ChoiceKind, ExprId, ExprKind, GlobalId, Local, LocalId, Place, ProcId,
    Program, Root, Step, Stmt, StmtKind, Type, TypeId, Types, UnaryOp,
};
use crate::source::Span;

/// A program in the making.
pub struct Out {
    /// What there is of it.
    pub program: Program,
    /// The source of the statements made from now on.
    pub span: Span,
}

impl Out {
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.program.add(ExprKind::Bool(value), Types::BOOL)
    }

    pub fn int(&mut self, value: u32) -> ExprId {
        self.program
            .add(ExprKind::Int(i128::from(value)), Types::INT)
    }

    pub fn local(&mut self, local: LocalId, ty: TypeId) -> ExprId {
        self.program.add(ExprKind::Local(local), ty)
    }

    pub fn global(&mut self, global: GlobalId) -> ExprId {
        let ty = self.program.globals[global.index()].ty;
        self.program.add(ExprKind::Global(global), ty)
    }

    /// The value of a place.
    pub fn read(&mut self, place: &Place, locals: &[Local]) -> ExprId {
        let mut value = match place.root {
            Root::Global(global) => self.global(global),
            Root::Local(local) => self.local(local, locals[local.index()].ty),
        };
        for &step in &place.path {
            let ty = inside(&self.program.types, self.program.ty(value), step);
            let kind = match step {
                Step::Field(field) => ExprKind::Field(value, field),
                Step::Index(index) => ExprKind::Index(value, index),
            };
            value = self.program.add(kind, ty);
        }
        value
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        if let ExprKind::Unary(UnaryOp::Not, inner) = self.program.expr(a).kind {
            return inner;
        }
        self.program
            .add(ExprKind::Unary(UnaryOp::Not, a), Types::BOOL)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let arithmetic = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        self.program.add(
            ExprKind::Binary(op, a, b),
            if arithmetic { Types::INT } else { Types::BOOL },
        )
    }

    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Eq, a, b)
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.either(BinaryOp::And, a, b)
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.either(BinaryOp::Or, a, b)
    }

    /// A conjunction or disjunction, without constants.
    fn either(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let neutral = op == BinaryOp::And;
        let known = |e: ExprId| match self.program.expr(e).kind {
            ExprKind::Bool(b) => Some(b),
            _ => None,
        };
        match (known(a), known(b)) {
            (Some(value), _) => {
                if value == neutral {
                    b
                } else {
                    a
                }
            }
            (_, Some(value)) => {
                if value == neutral {
                    a
                } else {
                    b
                }
            }
            _ => self.binary(op, a, b),
        }
    }

    /// A value of a type: the one that it hurts least to look at.
    pub fn default(&mut self, ty: TypeId) -> ExprId {
        let kind = match self.program.types.get(ty).clone() {
            Type::Bool => ExprKind::Bool(false),
            Type::Int | Type::Bits(_) | Type::Enum(_) => ExprKind::Int(0),
            Type::Range(lo, hi) => ExprKind::Int(0.clamp(lo, hi)),
            Type::Task => ExprKind::NoTask,
            Type::Record(record) => ExprKind::Record(
                record
                    .fields
                    .iter()
                    .map(|&(_, t)| self.default(t))
                    .collect(),
            ),
            Type::Array(_, element) | Type::Map(_, element) => {
                ExprKind::Fill(self.default(element))
            }
        };
        self.program.add(kind, ty)
    }

    pub fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            span: self.span,
        }
    }

    pub fn assign(&self, place: Place, value: ExprId) -> Stmt {
        self.stmt(StmtKind::Assign(place, value))
    }

    pub fn set(&self, global: GlobalId, value: ExprId) -> Stmt {
        self.assign(self.place(global), value)
    }

    pub fn set_bool(&mut self, global: GlobalId, value: bool) -> Stmt {
        let value = self.bool(value);
        self.set(global, value)
    }

    /// `to := from`
    pub fn copy(&mut self, to: GlobalId, from: GlobalId) -> Stmt {
        let value = self.global(from);
        self.set(to, value)
    }

    pub fn guess(&self, place: Place) -> Stmt {
        self.stmt(StmtKind::Havoc(place, ChoiceKind::Guess))
    }

    pub fn assume(&self, condition: ExprId) -> Stmt {
        self.stmt(StmtKind::Assume(condition))
    }

    pub fn when(&self, condition: ExprId, then: Block) -> Stmt {
        self.stmt(StmtKind::If(condition, then, Vec::new()))
    }

    pub fn call(&self, proc: ProcId, args: Vec<ExprId>) -> Stmt {
        self.stmt(StmtKind::Call(None, proc, args))
    }

    /// A whole global.
    pub fn place(&self, global: GlobalId) -> Place {
        Place {
            root: Root::Global(global),
            path: Vec::new(),
            ty: self.program.globals[global.index()].ty,
        }
    }

    /// A part of a place.
    pub fn part(&self, mut place: Place, step: Step) -> Place {
        place.ty = inside(&self.program.types, place.ty, step);
        place.path.push(step);
        place
    }
}

/// The type of a part.
fn inside(types: &Types, ty: TypeId, step: Step) -> TypeId {
    match (types.get(ty), step) {
        (Type::Record(record), Step::Field(field)) => record.fields[field as usize].1,
        (Type::Array(_, element) | Type::Map(_, element), Step::Index(_)) => *element,
        _ => unreachable!("a step into a value without parts"),
    }
}

/// Into an element.
pub fn step_index(index: ExprId) -> Step {
    Step::Index(index)
}

/// A whole local.
pub fn local_place(local: LocalId, ty: TypeId) -> Place {
    Place {
        root: Root::Local(local),
        path: Vec::new(),
        ty,
    }
}

/// A local of our own.
pub fn temp(name: &str, ty: TypeId) -> Local {
    Local {
        name: name.to_owned(),
        ty,
        hidden: true,
    }
}
