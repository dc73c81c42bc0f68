//! Short functions with which passes make statements and expressions.

use std::borrow::Cow;
use thin_vec::ThinVec;

use base::source::Span;

use super::program::{
    BinaryOp, Block, ChoiceKind, ExprId, ExprKind, Global, GlobalId, Local, LocalId, Place, ProcId,
    Program, Root, Step, Stmt, StmtKind, UnaryOp,
};
use super::types::{Type, TypeId, Types};

impl StmtKind {
    /// The statement, at a place of the source.
    #[must_use]
    pub fn at(self, span: Span) -> Stmt {
        Stmt { kind: self, span }
    }
}

impl Place {
    #[must_use]
    pub fn whole(root: Root, ty: TypeId) -> Self {
        Self {
            root,
            path: ThinVec::new(),
            ty,
        }
    }

    #[must_use]
    pub fn local(local: LocalId, ty: TypeId) -> Self {
        Self::whole(Root::Local(local), ty)
    }
}

impl Local {
    /// A local that a pass makes; users do not see it.
    #[must_use]
    pub fn hidden(name: impl Into<Cow<'static, str>>, ty: TypeId) -> Self {
        Self {
            name: name.into(),
            ty,
            hidden: true,
        }
    }

    /// Adds the local to those of a procedure.
    pub fn declared_in(self, locals: &mut Vec<Self>) -> LocalId {
        let id = LocalId::from_index(locals.len());
        locals.push(self);
        id
    }
}

impl Program {
    /// Returns a plain value of a type: false, no task, zero or the number nearest to it.
    pub fn plain_value(&mut self, ty: TypeId) -> ExprId {
        let kind = match self.types.get(ty).clone() {
            Type::Bool => ExprKind::Bool(false),
            Type::Int | Type::Bits(_) | Type::Enum(_) => ExprKind::int(0),
            Type::Range(lo, hi) => ExprKind::int(0.clamp(lo, hi)),
            Type::Task => ExprKind::NoTask,
            Type::Record(record) => {
                let fields = record.fields.iter().map(|&(_, ty)| self.plain_value(ty));
                ExprKind::Record(fields.collect())
            }
            Type::Array(_, element) | Type::Map(_, element) => {
                ExprKind::Fill(self.plain_value(element))
            }
        };
        self.add(kind, ty)
    }

    /// Adds a global that no user has declared.
    pub fn declare(&mut self, name: &str, ty: TypeId) -> GlobalId {
        let id = GlobalId::from_index(self.globals.len());
        self.globals.push(Global {
            name: name.to_owned(),
            ty,
            hidden: false,
            state_of: None,
            named: false,
            span: Span::default(),
        });
        id
    }
}

/// A program in the making.
pub struct Editor {
    /// The program so far.
    pub program: Program,
    /// The source of the statements made from now on.
    pub span: Span,
}

impl Editor {
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.program.add(ExprKind::Bool(value), Types::BOOL)
    }

    pub fn int(&mut self, value: impl Into<i128>) -> ExprId {
        self.program.add(ExprKind::int(value.into()), Types::INT)
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

    /// Makes a conjunction or disjunction; simplifies it if an operand is a constant.
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

    /// `global == number`
    pub fn is(&mut self, global: GlobalId, number: i128) -> ExprId {
        let (value, number) = (self.global(global), self.int(number));
        self.eq(value, number)
    }

    pub fn stmt(&self, kind: StmtKind) -> Stmt {
        kind.at(self.span)
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
        self.stmt(StmtKind::If(condition, then, Block::new()))
    }

    pub fn call(&self, proc: ProcId, args: Vec<ExprId>) -> Stmt {
        self.stmt(StmtKind::Call(None, proc, args.into()))
    }

    pub fn place(&self, global: GlobalId) -> Place {
        let ty = self.program.globals[global.index()].ty;
        Place::whole(Root::Global(global), ty)
    }

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
