//! What a program does, in words, for the lines of a trace.
//!
//! Names of variables are the user's; a variable that a pass made is shown by its value.

use crate::ir::{
    Await, BinaryOp, Block, ExprId, ExprKind, LocalId, LoopId, ObjectId, OpId, Place, Proc, ProcId,
    Program, Root, Step, StmtKind, Type, TypeId, Types, UnaryOp, Value, walk,
};
use crate::source::Span;

/// How long an expression may get before it is cut.
const LENGTH: usize = 160;

/// What names mean: a procedure, and its locals' values if they are known.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    /// The program.
    pub program: &'a Program,
    /// The procedure.
    pub proc: &'a Proc,
    /// Its locals' values.
    pub values: &'a [Value],
}

/// Where a loop stands.
pub(crate) fn loop_span(block: &Block, id: LoopId) -> Option<Span> {
    let mut found = None;
    walk::each(block, &mut |stmt| {
        if matches!(&stmt.kind, StmtKind::Loop(l) if l.id == id) {
            found = Some(stmt.span);
        }
    });
    found
}

/// An expression.
pub(crate) fn expr(names: Names<'_>, id: ExprId) -> String {
    let mut out = String::new();
    write(names, id, false, &mut out);
    if out.len() > LENGTH {
        let cut = (0..=LENGTH).rev().find(|&i| out.is_char_boundary(i));
        out.truncate(cut.unwrap_or(0));
        out.push('…');
    }
    out
}

fn write(names: Names<'_>, id: ExprId, inner: bool, out: &mut String) {
    if out.len() > LENGTH {
        return;
    }
    let e = names.program.expr(id);
    match &e.kind {
        ExprKind::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        ExprKind::Int(i) => out.push_str(&Value::Int(*i).show(&names.program.types, e.ty)),
        ExprKind::NoTask => out.push_str("no task"),
        ExprKind::SelfTask => out.push_str("self"),
        ExprKind::Local(l) => out.push_str(&local(names, *l)),
        ExprKind::Global(g) => out.push_str(&names.program.globals[g.index()].name),
        ExprKind::Unary(op, e) => {
            if let Some(text) = negated(names, *op, *e) {
                return infix(names, text, inner, out);
            }
            out.push_str(match op {
                UnaryOp::Not => "!",
                UnaryOp::Neg => "-",
                UnaryOp::BitNot => "~",
            });
            write(names, *e, true, out);
        }
        ExprKind::Binary(op, l, r) => infix(names, (*l, symbol(*op), *r), inner, out),
        ExprKind::Ite(c, t, e) => {
            for (word, part) in [("if ", c), (" then ", t), (" else ", e)] {
                out.push_str(word);
                write(names, *part, true, out);
            }
        }
        ExprKind::Index(base, index) => {
            write(names, *base, true, out);
            out.push('[');
            write(names, *index, false, out);
            out.push(']');
        }
        ExprKind::Field(base, field) => {
            write(names, *base, true, out);
            out.push('.');
            out.push_str(field_name(names.program, names.program.ty(*base), *field));
        }
        ExprKind::Record(fields) => {
            let ty = names.program.types.name(e.ty);
            list(names, &format!("{ty} {{ "), fields, " }", out);
        }
        ExprKind::Array(elements) => list(names, "[", elements, "]", out),
        ExprKind::Fill(value) => list(names, "[", &[*value], "; _]", out),
        ExprKind::Convert(value) => {
            let ty = names.program.types.name(e.ty);
            list(names, &format!("{ty}("), &[*value], ")", out);
        }
        ExprKind::Finished(task) => list(names, "finished(", &[*task], ")", out),
    }
}

/// `!(a == b)`, `!(a < b)`, `!(a <= b)` as a person writes them.
fn negated(names: Names<'_>, op: UnaryOp, e: ExprId) -> Option<(ExprId, &'static str, ExprId)> {
    match (op, &names.program.expr(e).kind) {
        (UnaryOp::Not, ExprKind::Binary(BinaryOp::Eq, l, r)) => Some((*l, "!=", *r)),
        (UnaryOp::Not, ExprKind::Binary(BinaryOp::Lt, l, r)) => Some((*l, ">=", *r)),
        (UnaryOp::Not, ExprKind::Binary(BinaryOp::Le, l, r)) => Some((*l, ">", *r)),
        _ => None,
    }
}

fn infix(names: Names<'_>, (l, op, r): (ExprId, &str, ExprId), inner: bool, out: &mut String) {
    if inner {
        out.push('(');
    }
    write(names, l, true, out);
    out.push(' ');
    out.push_str(op);
    out.push(' ');
    write(names, r, true, out);
    if inner {
        out.push(')');
    }
}

fn list(names: Names<'_>, open: &str, parts: &[ExprId], close: &str, out: &mut String) {
    out.push_str(open);
    for (i, &part) in parts.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(names, part, false, out);
        if out.len() > LENGTH {
            return;
        }
    }
    out.push_str(close);
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Eq => "==",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Implies => "==>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
    }
}

fn field_name(program: &Program, ty: TypeId, field: u32) -> &str {
    match program.types.get(ty) {
        Type::Record(r) => r.fields.get(field as usize).map_or("?", |(name, _)| name),
        _ => "?",
    }
}

/// A local: the user's by its name, a pass's by its value where that is known.
fn local(names: Names<'_>, id: LocalId) -> String {
    let local = &names.proc.locals[id.index()];
    match names.values.get(id.index()) {
        Some(value) if local.hidden => value.show(&names.program.types, local.ty),
        _ => local.name.clone(),
    }
}

/// The variable or part that is assigned to.
pub(crate) fn place(names: Names<'_>, place: &Place) -> String {
    let mut ty = match place.root {
        Root::Global(g) => names.program.globals[g.index()].ty,
        Root::Local(l) => names.proc.locals[l.index()].ty,
    };
    let mut out = match place.root {
        Root::Global(g) => names.program.globals[g.index()].name.clone(),
        Root::Local(l) => names.proc.locals[l.index()].name.clone(),
    };
    for step in &place.path {
        match step {
            Step::Field(f) => {
                out.push('.');
                out.push_str(field_name(names.program, ty, *f));
            }
            Step::Index(e) => {
                out.push('[');
                write(names, *e, false, &mut out);
                out.push(']');
            }
        }
        ty = match (names.program.types.get(ty), step) {
            (Type::Record(r), Step::Field(f)) => r.fields.get(*f as usize).map_or(ty, |f| f.1),
            (Type::Array(_, t) | Type::Map(_, t), _) => *t,
            _ => ty,
        };
    }
    out
}

/// An assignment, unless it is one that nobody needs to see: between a pass's own variables.
pub(crate) fn assignment(names: Names<'_>, to: &Place, e: ExprId) -> Option<String> {
    let hidden = match to.root {
        Root::Local(l) => names.proc.locals[l.index()].hidden,
        Root::Global(g) => names.program.globals[g.index()].hidden,
    };
    if !hidden {
        return Some(format!("{} := {}", place(names, to), expr(names, e)));
    }
    looks_at_global(names.program, e).then(|| format!("reads {}", expr(names, e)))
}

/// A choice: where it goes, or if that is a pass's own variable, what it is.
pub(crate) fn choice(names: Names<'_>, to: &Place, value: &Value) -> String {
    match to.root {
        Root::Local(l) if names.proc.locals[l.index()].hidden => {
            format!("* is {}", value.show(&names.program.types, to.ty))
        }
        _ => format!("{} := *", place(names, to)),
    }
}

/// The name of a variable in a trace, and whether its values are shown.
pub(crate) fn root(program: &Program, proc: &Proc, root: Root) -> (String, bool) {
    match root {
        Root::Global(g) => {
            let global = &program.globals[g.index()];
            (global.name.clone(), !global.hidden)
        }
        Root::Local(l) => {
            let local = &proc.locals[l.index()];
            (format!("{}.{}", proc.name, local.name), !local.hidden)
        }
    }
}

/// `p(1, true)`; the indices of an array of objects are shown with its name.
pub(crate) fn invocation(program: &Program, proc: ProcId, args: &[Value]) -> String {
    let proc = program.proc(proc);
    let show = |local: LocalId| {
        let ty = proc.locals[local.index()].ty;
        args[local.index()].show(&program.types, ty)
    };
    let mut shown: Vec<String> = Vec::new();
    for local in (0..).map(LocalId).take(args.len()) {
        match proc.objects.iter().find(|passed| passed.holds(local)) {
            None => shown.push(show(local)),
            Some(passed) if passed.first == local => {
                let indices: Vec<String> = passed.locals().map(show).collect();
                shown.push(program.object_name(passed.object, &indices));
            }
            Some(_) => {}
        }
    }
    format!("{}({})", proc.name, shown.join(", "))
}

/// An operation: `m.lock`, `fork[2].lock`. The value of an expression may be known.
pub(crate) fn operation(
    program: &Program,
    at: &Await,
    op: OpId,
    value: impl Fn(ExprId) -> Option<Value>,
) -> String {
    let op = &program.ops[op.index()];
    let shown = |&index: &ExprId| {
        let value = value(index);
        value.map_or_else(String::new, |v| v.show(&program.types, Types::INT))
    };
    let indices: Vec<String> = indices(program, at, op.object).iter().map(shown).collect();
    format!("{}.{}", program.object_name(op.object, &indices), op.name)
}

/// The indices of the object that an operation is asked of: arguments of what does the operation.
fn indices<'a>(program: &Program, at: &'a Await, object: ObjectId) -> &'a [ExprId] {
    let call = at.body.iter().rev().find_map(|stmt| match &stmt.kind {
        StmtKind::Call(_, callee, args) => Some((program.proc(*callee), args)),
        _ => None,
    });
    let indices = call.and_then(|(callee, args)| {
        let receiver = callee.objects.iter().find(|o| o.object == object)?;
        let first = receiver.first.index();
        args.get(first..first + receiver.indices as usize)
    });
    indices.unwrap_or_default()
}

/// Whether an expression looks at a global of the user's.
pub(crate) fn looks_at_global(program: &Program, id: ExprId) -> bool {
    walk::reads(
        program,
        id,
        &mut |root| matches!(root, Root::Global(g) if !program.globals[g.index()].hidden),
    )
}

/// The variables and parts of variables that an expression looks at, outermost parts first.
pub(crate) fn operands(names: Names<'_>, id: ExprId, out: &mut Vec<ExprId>) {
    let program = names.program;
    let mut all = |ids: &[ExprId]| ids.iter().for_each(|&e| operands(names, e, out));
    match &program.expr(id).kind {
        ExprKind::Global(g) if program.globals[g.index()].hidden => {}
        ExprKind::Local(l) if names.proc.locals[l.index()].hidden => {}
        ExprKind::Global(_) | ExprKind::Local(_) => out.push(id),
        ExprKind::Field(e, _) => {
            let whole = *e;
            if is_variable(names, whole) {
                out.push(id);
            } else {
                all(&[whole]);
            }
        }
        ExprKind::Index(whole, index) => {
            let (whole, index) = (*whole, *index);
            if is_variable(names, whole) {
                out.push(id);
                operands(names, index, out);
            } else {
                all(&[whole, index]);
            }
        }
        _ => all(&walk::operands(program.expr(id))),
    }
}

/// Whether an expression is a variable of the user's or a part of one.
fn is_variable(names: Names<'_>, id: ExprId) -> bool {
    match &names.program.expr(id).kind {
        ExprKind::Global(g) => !names.program.globals[g.index()].hidden,
        ExprKind::Local(l) => !names.proc.locals[l.index()].hidden,
        ExprKind::Field(e, _) | ExprKind::Index(e, _) => is_variable(names, *e),
        _ => false,
    }
}
