//! Small programs built by hand, for tests below the front end.

use crate::ir::{
    BinaryOp, ErrorKind, ExprId, ExprKind, Global, GlobalId, Local, LocalId, Op, Place,
    PreemptKind, Proc, ProcId, Program, Root, Stmt, StmtKind, TypeId, Types,
};
use crate::source::Span;

/// A program without anything but an empty `main` (1) and `init` (0).
pub(crate) fn empty() -> Program {
    let proc = |name: &str| Proc {
        name: name.into(),
        params: 0,
        locals: Vec::new(),
        result: None,
        body: Vec::new(),
        loops: 0,
        span: Span::default(),
    };
    Program {
        types: Types::new(),
        exprs: Vec::new(),
        globals: Vec::new(),
        procs: vec![proc("init"), proc("main")],
        init: ProcId(0),
        main: ProcId(1),
        finally: None,
        ops: Vec::<Op>::new(),
        declared: Vec::new(),
    }
}

/// A statement at a line of its own.
pub(crate) fn at(line: u32, kind: StmtKind) -> Stmt {
    Stmt {
        kind,
        span: Span::new(line, line + 1),
    }
}

/// A whole variable.
pub(crate) fn var(root: Root, ty: TypeId) -> Place {
    Place {
        root,
        path: Vec::new(),
        ty,
    }
}

/// Adds a global with an initial value.
pub(crate) fn global(p: &mut Program, name: &str, ty: TypeId, init: ExprKind) -> GlobalId {
    let id = GlobalId(u32::try_from(p.globals.len()).unwrap());
    p.globals.push(Global {
        name: name.into(),
        ty,
        hidden: false,
        span: Span::default(),
    });
    let value = p.add(init, ty);
    let stmt = at(0, StmtKind::Assign(var(Root::Global(id), ty), value));
    p.procs[0].body.push(stmt);
    id
}

/// `left op right` of numbers, or of truth values from them.
pub(crate) fn binary(p: &mut Program, op: BinaryOp, l: ExprId, r: ExprId) -> ExprId {
    let ty = match op {
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq => Types::BOOL,
        _ => p.ty(l),
    };
    p.add(ExprKind::Binary(op, l, r), ty)
}

/// `main` posts `tasks` tasks that load `x`, yield, and store one more; at the end `x` is to be `tasks`.
pub(crate) fn counter(tasks: u32) -> Program {
    let mut p = empty();
    let x = global(&mut p, "x", Types::INT, ExprKind::Int(0));
    let load = p.add(ExprKind::Global(x), Types::INT);
    let local = p.add(ExprKind::Local(LocalId(0)), Types::INT);
    let one = p.add(ExprKind::Int(1), Types::INT);
    let sum = binary(&mut p, BinaryOp::Add, local, one);
    let all = p.add(ExprKind::Int(tasks.into()), Types::INT);
    let right = binary(&mut p, BinaryOp::Eq, load, all);
    let t = var(Root::Local(LocalId(0)), Types::INT);
    let body = vec![
        at(10, StmtKind::Assign(t, load)),
        at(11, StmtKind::Preempt(PreemptKind::Yield)),
        at(12, StmtKind::Assign(var(Root::Global(x), Types::INT), sum)),
    ];
    let mut inc = p.procs[1].clone();
    inc.name = "inc".into();
    inc.locals.push(Local {
        name: "t".into(),
        ty: Types::INT,
        hidden: false,
    });
    inc.body = body;
    let mut last = p.procs[1].clone();
    last.name = "finally".into();
    last.body = vec![at(
        20,
        StmtKind::Check(ErrorKind::Assertion, right, "lost".into()),
    )];
    p.procs.extend([inc, last]);
    p.finally = Some(ProcId(3));
    for i in 0..tasks {
        let post = StmtKind::Post(None, ProcId(2), Vec::new());
        p.procs[1].body.push(at(i + 1, post));
    }
    p
}
