//! Small pieces of programs.

use crate::ir::{
    BinaryOp, ExprId, ExprKind, Global, GlobalId, LocalId, Place, Proc, ProcId, Program, Root,
    Stmt, StmtKind, Type, TypeId, Types,
};
use crate::source::Span;

/// A program whose procedures are an `init` and a `main` that do nothing.
pub(super) fn empty() -> Program {
    Program {
        procs: vec![nothing("init"), nothing("main")],
        main: ProcId(1),
        ..Program::empty()
    }
}

fn nothing(name: &str) -> Proc {
    Proc {
        name: name.to_owned(),
        ..Proc::default()
    }
}

/// A new global. No variable of a user has a blank in its name.
pub(super) fn global(program: &mut Program, name: &str, ty: TypeId) -> GlobalId {
    let id = GlobalId(u32::try_from(program.globals.len()).expect("few variables are made"));
    program.globals.push(Global {
        name: name.to_owned(),
        ty,
        hidden: false,
        state_of: None,
        span: Span::default(),
    });
    id
}

pub(super) fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

pub(super) fn call(into: Option<LocalId>, proc: ProcId, args: Vec<ExprId>, span: Span) -> Stmt {
    stmt(StmtKind::Call(into, proc, args), span)
}

/// A whole variable.
pub(super) fn whole(root: Root, ty: TypeId) -> Place {
    Place {
        root,
        path: Vec::new(),
        ty,
    }
}

/// A global's value.
pub(super) fn read(program: &mut Program, global: GlobalId) -> ExprId {
    let ty = program.globals[global.index()].ty;
    program.add(ExprKind::Global(global), ty)
}

/// `global := value`
pub(super) fn set(program: &Program, global: GlobalId, value: ExprId) -> Stmt {
    let ty = program.globals[global.index()].ty;
    let place = whole(Root::Global(global), ty);
    stmt(StmtKind::Assign(place, value), Span::default())
}

/// `global == number`
pub(super) fn is(program: &mut Program, global: GlobalId, number: i128) -> ExprId {
    let value = read(program, global);
    let number = program.add(ExprKind::Int(number), Types::INT);
    compare(program, BinaryOp::Eq, value, number)
}

/// A truth value made of two operands.
pub(super) fn compare(program: &mut Program, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
    program.add(ExprKind::Binary(op, a, b), Types::BOOL)
}

/// An `int` made of two.
pub(super) fn arithmetic(program: &mut Program, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
    program.add(ExprKind::Binary(op, a, b), Types::INT)
}

/// Some value of a type in which there are no tasks, always the same.
pub(super) fn some(program: &mut Program, ty: TypeId) -> ExprId {
    let kind = match program.types.get(ty).clone() {
        Type::Bool => ExprKind::Bool(false),
        Type::Range(lo, _) => ExprKind::Int(lo),
        Type::Int | Type::Bits(_) | Type::Enum(_) => ExprKind::Int(0),
        Type::Task => ExprKind::NoTask,
        Type::Record(record) => {
            let fields = record.fields.iter().map(|&(_, ty)| some(program, ty));
            ExprKind::Record(fields.collect())
        }
        Type::Array(_, element) | Type::Map(_, element) => ExprKind::Fill(some(program, element)),
    };
    program.add(kind, ty)
}
