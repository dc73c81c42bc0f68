//! The program in the words of its language: types, values, expressions, places.
//!
//! Text of the user's is quoted where it is known. Expressions that a pass made are written in the
//! user's dialect; a variable that a pass made is shown by its value.

use std::fmt;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use base::source::{SourceMap, Span};

use super::arith;
use super::program::{
    Await, BinaryOp, ExprId, ExprKind, LocalId, ObjectId, OpId, Place, Proc, ProcId, Program, Root,
    Step, StmtKind, UnaryOp,
};
use super::types::{Bits, Type, TypeId, Types};
use super::value::Value;
use super::walk;

/// The language that a program is shown in: that of its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The language of asynchronous programs.
    #[default]
    Async,
    C,
}

/// Where expressions stand in the source. All values of this type are equal: wording and names of files are no part of a program.
#[derive(Clone, Default)]
pub struct Quotes {
    spans: FxHashMap<ExprId, Span>,
    /// The texts that front ends have set for expressions.
    texts: FxHashMap<ExprId, String>,
    olds: FxHashMap<ExprId, ExprId>,
    /// Calls of the C library that are one step to a person.
    calls: FxHashSet<Span>,
    /// Calls that make threads, where that is not `pthread_create`.
    makers: FxHashMap<Span, &'static str>,
    sources: Option<Arc<SourceMap>>,
}

impl PartialEq for Quotes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Quotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Quotes")
    }
}

impl Quotes {
    /// Notes where an expression stands. The first of several places counts.
    pub fn put(&mut self, id: ExprId, span: Span) {
        self.spans.entry(id).or_insert(span);
    }

    /// Notes where a call of the C library stands. The whole call is one step to a person.
    pub fn put_call(&mut self, span: Span) {
        self.calls.insert(span);
    }

    /// Notes the function that makes a thread at a place.
    pub fn put_maker(&mut self, span: Span, name: &'static str) {
        self.makers.insert(span, name);
    }

    /// The function that makes a thread at a place of a program in C.
    #[must_use]
    pub fn maker(&self, span: Span) -> &'static str {
        self.makers.get(&span).copied().unwrap_or("pthread_create")
    }

    /// The text of the call of the C library at a place.
    #[must_use]
    pub fn call(&self, span: Span) -> Option<String> {
        let call = self.calls.contains(&span).then_some(span)?;
        self.words(call)
    }

    /// Sets the text of an expression, wherever it stands.
    pub fn put_text(&mut self, id: ExprId, text: String) {
        if text.len() <= LENGTH {
            self.texts.insert(id, text);
        }
    }

    /// Sets the texts in which expressions stand.
    pub fn set_sources(&mut self, sources: &SourceMap) {
        self.sources = Some(Arc::new(sources.clone()));
    }

    /// Shows `id` as `old`, which a pass has replaced by `id`.
    pub fn show_as(&mut self, id: ExprId, old: ExprId) {
        self.olds.insert(id, self.shown(old));
    }

    /// Gives `id` the source of `old`.
    pub fn quote_as(&mut self, id: ExprId, old: ExprId) {
        if let Some(&span) = self.spans.get(&old) {
            self.put(id, span);
        }
        if let Some(text) = self.texts.get(&old) {
            self.texts.insert(id, text.clone());
        }
    }

    fn shown(&self, id: ExprId) -> ExprId {
        self.olds.get(&id).copied().unwrap_or(id)
    }

    /// The line of a place.
    #[must_use]
    pub fn line(&self, span: Span) -> Option<u32> {
        let sources = self.sources.as_ref()?;
        (span != Span::default()).then(|| sources.line(span))
    }

    /// The source of an expression, on one line; nothing if it is long, or has remarks in it.
    fn get(&self, id: ExprId) -> Option<String> {
        if let Some(text) = self.texts.get(&id) {
            return Some(text.clone());
        }
        self.words(*self.spans.get(&id)?)
    }

    fn words(&self, span: Span) -> Option<String> {
        let text = self.sources.as_ref()?.text(span);
        let plain = text.len() <= LENGTH && !text.contains("//") && !text.contains("/*");
        // The span of an operand may hold only one parenthesis of a pair: such a text is not quoted.
        let plain = plain && text.matches('(').count() == text.matches(')').count();
        let words = plain.then(|| text.split_whitespace().collect::<Vec<_>>());
        words.map(|w| w.join(" "))
    }
}

/// How many bytes an expression may have before it is cut.
const LENGTH: usize = 160;

/// The meaning of names: a procedure, and its locals' values if they are known.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub program: &'a Program,
    pub proc: &'a Proc,
    pub values: &'a [Value],
}

pub fn expr(names: Names<'_>, id: ExprId) -> String {
    let id = names.program.quotes.shown(id);
    if let Some(quote) = names.program.quotes.get(id) {
        return quote;
    }
    let mut out = String::new();
    write(names, id, false, &mut out);
    if out.len() > LENGTH {
        let cut = (0..=LENGTH).rev().find(|&i| out.is_char_boundary(i));
        out.truncate(cut.unwrap_or(0));
        out.push('…');
    }
    out
}

/// Whether a path leads into an object of the C library whose parts mean nothing to a person.
#[must_use]
pub fn leads_inside(types: &Types, ty: TypeId, path: &[Step]) -> bool {
    let mut ty = ty;
    for step in path {
        ty = match (types.get(ty), step) {
            (Type::Record(_), Step::Field(_)) if types.is_opaque(ty) => return true,
            (Type::Record(record), Step::Field(field)) => record.fields[*field as usize].1,
            (Type::Array(_, inner) | Type::Map(_, inner), Step::Index(_)) => *inner,
            _ => return false,
        };
    }
    false
}

/// Whether an expression looks only into an object whose parts mean nothing to a person.
#[must_use]
pub fn is_inside(program: &Program, id: ExprId) -> bool {
    match program.expr(id).kind {
        ExprKind::Field(base, _) => program.types.is_opaque(program.expr(base).ty),
        ExprKind::Unary(_, e) | ExprKind::Convert(e) => is_inside(program, e),
        ExprKind::Binary(_, l, r) => {
            let number = |e: ExprId| matches!(program.expr(e).kind, ExprKind::Int(_));
            let inside = |e: ExprId| is_inside(program, e);
            (inside(l) && (number(r) || inside(r))) || (number(l) && inside(r))
        }
        _ => false,
    }
}

/// The part of an expression that a person reads. Passes put parts before it:
/// `hidden || …`, and with exclusive sections `no other thread is in one && …`.
pub fn readable(program: &Program, id: ExprId) -> ExprId {
    let hidden = |e: ExprId| matches!(program.expr(e).kind, ExprKind::Global(g) if program.globals[g.index()].hidden);
    match program.expr(id).kind {
        ExprKind::Binary(BinaryOp::Or, l, r) if hidden(l) => r,
        ExprKind::Binary(BinaryOp::And, turn, r) if program.scope.exclusive.is_some() => {
            match program.expr(turn).kind {
                ExprKind::Binary(BinaryOp::Or, l, _) if hidden(l) => readable(program, r),
                _ => id,
            }
        }
        _ => id,
    }
}

fn write(names: Names<'_>, id: ExprId, inner: bool, out: &mut String) {
    if out.len() > LENGTH {
        return;
    }
    let id = names.program.quotes.shown(readable(names.program, id));
    if let Some(quote) = names.program.quotes.get(id) {
        let simple = !inner || !quote.contains(' ');
        out.push_str(&if simple { quote } else { format!("({quote})") });
        return;
    }
    let e = names.program.expr(id);
    match &e.kind {
        ExprKind::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        ExprKind::Int(i) => out.push_str(&Value::Int(i.0).show(&names.program.types, e.ty)),
        ExprKind::NoTask => out.push_str("no task"),
        ExprKind::SelfTask => out.push_str("self"),
        ExprKind::Local(l) => out.push_str(&local(names, *l)),
        ExprKind::Global(g) => out.push_str(&names.program.globals[g.index()].name),
        ExprKind::Unary(op, e) => unary(names, (*op, *e), inner, out),
        ExprKind::Binary(op, l, r) => infix(names, (*l, op.symbol(), *r), inner, out),
        ExprKind::Ite(c, t, e) => {
            let words = match names.program.types.dialect {
                Dialect::Async => ["if ", " then ", " else "],
                Dialect::C => ["", " ? ", " : "],
            };
            for (word, part) in words.into_iter().zip([c, t, e]) {
                out.push_str(word);
                write(names, *part, true, out);
            }
        }
        ExprKind::Index(base, index) => {
            write(names, *base, true, out);
            out.push('[');
            write_index(names, *index, out);
            out.push(']');
        }
        ExprKind::Field(base, field) => {
            write(names, *base, true, out);
            out.push('.');
            out.push_str(field_name(names.program, names.program.ty(*base), *field));
        }
        ExprKind::Record(fields) => match known_record(names, e.ty, fields) {
            Some(value) => out.push_str(&value.show(&names.program.types, e.ty)),
            None => record(names, e.ty, fields, out),
        },
        ExprKind::Array(elements) => match names.program.types.dialect {
            Dialect::Async => list(names, "[", elements, "]", out),
            Dialect::C => list(names, "{", elements, "}", out),
        },
        ExprKind::Fill(value) => match names.program.types.dialect {
            Dialect::Async => list(names, "[", &[*value], "; _]", out),
            Dialect::C => list(names, "{", &[*value], ", ...}", out),
        },
        ExprKind::Convert(value) => converted(names, *value, e.ty, out),
        ExprKind::Finished(task) => list(names, "finished(", &[*task], ")", out),
    }
}

/// The value of an opaque record, if all its fields are known.
fn known_record(names: Names<'_>, ty: TypeId, fields: &[ExprId]) -> Option<Value> {
    let fields = fields.iter().map(|&e| known(names, e).map(Value::Int));
    let fields = fields.collect::<Option<Vec<_>>>()?;
    let opaque = names.program.types.is_opaque(ty);
    opaque.then_some(Value::Record(fields))
}

fn unary(names: Names<'_>, (op, e): (UnaryOp, ExprId), inner: bool, out: &mut String) {
    if let Some(text) = negated(names, op, e) {
        return infix(names, text, inner, out);
    }
    out.push_str(match op {
        UnaryOp::Not => "!",
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
    });
    write(names, e, true, out);
}

fn converted(names: Names<'_>, value: ExprId, ty: TypeId, out: &mut String) {
    let ty = names.program.types.name(ty);
    match names.program.types.dialect {
        Dialect::Async => list(names, &format!("{ty}("), &[value], ")", out),
        Dialect::C => {
            out.push_str(&format!("({ty}) "));
            write(names, value, true, out);
        }
    }
}

/// Writes an index: its value, if a pass has computed it.
fn write_index(names: Names<'_>, id: ExprId, out: &mut String) {
    match known(names, id) {
        Some(value) => {
            let (types, ty) = (&names.program.types, names.program.expr(id).ty);
            // An index may be computed from an address, but a person reads it as a number.
            out.push_str(&match types.pointer == Some(ty) {
                true => value.to_string(),
                false => Value::Int(value).show(types, ty),
            });
        }
        None => write(names, id, false, out),
    }
}

/// The number of an expression that consists of literals and of a pass's own variables.
fn known(names: Names<'_>, id: ExprId) -> Option<i128> {
    let types = &names.program.types;
    let e = names.program.expr(id);
    match &e.kind {
        ExprKind::Int(value) => Some(value.0),
        ExprKind::Local(l) if names.proc.locals[l.index()].hidden => {
            match names.values.get(l.index())? {
                Value::Int(value) => Some(*value),
                _ => None,
            }
        }
        ExprKind::Convert(of) => Some(arith::convert(types, e.ty, known(names, *of)?)),
        ExprKind::Binary(op, l, r) => {
            arith::binary(types, *op, e.ty, known(names, *l)?, known(names, *r)?)
        }
        _ => None,
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

/// A record of its fields, each with its name.
fn record(names: Names<'_>, ty: TypeId, fields: &[ExprId], out: &mut String) {
    let types = &names.program.types;
    out.push_str(&opening(types, ty));
    for (index, value) in (0u32..).zip(fields) {
        out.push_str(if index > 0 { ", " } else { " " });
        let field = field_name(names.program, ty, index);
        out.push_str(&named(types.dialect, field));
        write(names, *value, false, out);
        if out.len() > LENGTH {
            return;
        }
    }
    out.push_str(" }");
}

/// The text before the fields of a record.
fn opening(types: &Types, ty: TypeId) -> String {
    match (types.dialect, types.get(ty)) {
        (Dialect::Async, Type::Record(r)) if !r.name.is_empty() => format!("{} {{", r.name),
        _ => "{".to_owned(),
    }
}

/// The name of a field before its value.
fn named(dialect: Dialect, field: &str) -> String {
    match dialect {
        Dialect::Async => format!("{field}: "),
        Dialect::C => format!(".{field} = "),
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
        _ => local.name.to_string(),
    }
}

/// The variable or part that is assigned to.
pub fn place(names: Names<'_>, place: &Place) -> String {
    let mut ty = match place.root {
        Root::Global(g) => names.program.globals[g.index()].ty,
        Root::Local(l) => names.proc.locals[l.index()].ty,
    };
    let mut out = match place.root {
        Root::Global(g) => names.program.globals[g.index()].name.clone(),
        Root::Local(l) => names.proc.locals[l.index()].name.to_string(),
    };
    for step in &place.path {
        match step {
            Step::Field(f) => {
                out.push('.');
                out.push_str(field_name(names.program, ty, *f));
            }
            Step::Index(e) => {
                out.push('[');
                write_index(names, *e, &mut out);
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

/// `p(1, true)`; the indices of an array of objects are shown with its name.
pub fn invocation(program: &Program, proc: ProcId, args: &[Value]) -> String {
    let proc = program.proc(proc);
    let show = |local: LocalId| {
        let ty = proc.locals[local.index()].ty;
        args[local.index()].show(&program.types, ty)
    };
    let named = args.len().saturating_sub(proc.unnamed as usize);
    let given = |local: LocalId| !proc.locals[local.index()].hidden || local.index() >= named;
    let mut shown: Vec<String> = Vec::new();
    for local in (0..).map(LocalId).take(args.len()) {
        match proc.objects.iter().find(|passed| passed.holds(local)) {
            None if given(local) => shown.push(show(local)),
            Some(passed) if passed.first == local => {
                let indices: Vec<String> = passed.locals().map(show).collect();
                shown.push(program.object_name(passed.object, &indices));
            }
            _ => {}
        }
    }
    format!("{}({})", proc.name, shown.join(", "))
}

/// An operation: `m.lock`, `fork[2].lock`. `value` returns the value of an index, if it is known.
pub fn operation(
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

/// The indices of the object of an operation. They are arguments of the call that does the operation.
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

/// A variable, or a part of one, at which an expression looks.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The expression by which a person knows it.
    pub shown: ExprId,
    /// The expression that has its value: the same one, or the temporary into which the program read it.
    pub value: ExprId,
}

/// The variables and parts of variables that an expression looks at, outermost parts first.
pub fn operands(names: Names<'_>, id: ExprId, out: &mut Vec<Operand>) {
    let program = names.program;
    let mut all = |ids: &[ExprId]| ids.iter().for_each(|&e| operands(names, e, out));
    let (shown, value) = (id, id);
    match &program.expr(id).kind {
        ExprKind::Global(g) if program.globals[g.index()].hidden => {}
        ExprKind::Local(l) if names.proc.locals[l.index()].hidden => {
            if let Some(shown) = read_into(names, *l) {
                out.push(Operand { shown, value });
            }
        }
        ExprKind::Global(_) | ExprKind::Local(_) => out.push(Operand { shown, value }),
        ExprKind::Field(e, _) => {
            let whole = *e;
            if program.types.is_double(program.ty(whole)) {
                all(&[whole]);
            } else if is_variable(names, whole) {
                out.push(Operand { shown, value });
            } else {
                all(&[whole]);
            }
        }
        ExprKind::Index(whole, index) => {
            let (whole, index) = (*whole, *index);
            if is_variable(names, whole) {
                out.push(Operand { shown, value });
                operands(names, index, out);
            } else {
                all(&[whole, index]);
            }
        }
        _ => all(&walk::operands(program.expr(id))),
    }
}

/// Returns the variable that a temporary keeps, if nothing else is ever written to the temporary.
fn read_into(names: Names<'_>, local: LocalId) -> Option<ExprId> {
    let (mut writes, mut read) = (0, None);
    walk::each(&names.proc.body, &mut |stmt| {
        let into = match &stmt.kind {
            StmtKind::Call(into, ..) | StmtKind::Post(into, ..) => into.map(Root::Local),
            _ => walk::written(stmt).map(|place| place.root),
        };
        if into == Some(Root::Local(local)) {
            writes += 1;
            read = match &stmt.kind {
                StmtKind::Assign(_, from) => Some(*from),
                _ => None,
            };
        }
    });
    read.filter(|&from| writes == 1 && is_variable(names, from))
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

impl Types {
    /// The type as it is written in the language of the program.
    #[must_use]
    pub fn name(&self, id: TypeId) -> String {
        if self.dialect == Dialect::C {
            return self.c_name(id);
        }
        match self.get(id) {
            Type::Bool => "bool".into(),
            Type::Int => "int".into(),
            Type::Task => "task".into(),
            Type::Range(lo, hi) => format!("{lo}..{hi}"),
            Type::Bits(b) => format!("{}{}", if b.signed { 'i' } else { 'u' }, b.width),
            Type::Enum(e) if e.name.is_empty() => format!("enum {{ {} }}", e.members.join(", ")),
            Type::Enum(e) => e.name.clone(),
            Type::Record(r) if r.name.is_empty() => {
                let fields: Vec<_> = r
                    .fields
                    .iter()
                    .map(|(n, t)| format!("{n}: {}", self.name(*t)))
                    .collect();
                format!("record {{ {} }}", fields.join(", "))
            }
            Type::Record(r) => r.name.clone(),
            Type::Array(len, t) => format!("[{len}]{}", self.name(*t)),
            Type::Map(k, t) => format!("[{}]{}", self.name(*k), self.name(*t)),
        }
    }

    /// A type as it is written in C.
    fn c_name(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Bool => "_Bool".into(),
            Type::Bits(b) => format!("{}int{}_t", if b.signed { "" } else { "u" }, b.width),
            Type::Task => "pthread_t".into(),
            Type::Enum(e) => format!("enum {}", e.name),
            Type::Record(r) => r.name.clone(),
            Type::Array(len, t) => format!("{}[{len}]", self.name(*t)),
            Type::Map(_, t) => format!("{}[]", self.name(*t)),
            Type::Int | Type::Range(..) => "int".into(),
        }
    }

    /// Whether a type is the one of floating numbers that are computed.
    #[must_use]
    pub fn is_double(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(r)
            if self.dialect == Dialect::C && r.name == "double" && r.fields.len() == 1)
    }

    /// Whether a type is the one of characters, in C.
    #[must_use]
    pub fn is_character(&self, id: TypeId) -> bool {
        self.dialect == Dialect::C && *self.get(id) == Type::Bits(CHAR)
    }

    /// The text that characters hold up to its end, in quotes.
    #[must_use]
    pub fn text_of(&self, characters: &[Value]) -> Option<String> {
        let end = characters.iter().position(|v| *v == Value::Int(0))?;
        in_quotes(&characters[..end])
    }
}

/// The type of characters in C.
const CHAR: Bits = Bits {
    width: 8,
    signed: true,
};

/// A character as it is written in C, or its number if it is not a plain one.
fn character(number: i128) -> String {
    match u8::try_from(number) {
        Ok(b'\'') => "'\\''".to_owned(),
        Ok(b'\\') => "'\\\\'".to_owned(),
        Ok(b'\n') => "'\\n'".to_owned(),
        Ok(c @ b' '..=b'~') => format!("'{}'", char::from(c)),
        _ => number.to_string(),
    }
}

/// Characters as a text in quotes, if plain ones come first and then only zeros.
fn c_text(values: &[Value]) -> Option<String> {
    let end = values.iter().position(|v| *v == Value::Int(0))?;
    if end == 0 || values[end..].iter().any(|v| *v != Value::Int(0)) {
        return None;
    }
    in_quotes(&values[..end])
}

/// Plain characters as a text in quotes.
fn in_quotes(text: &[Value]) -> Option<String> {
    let plain = |v: &Value| match v {
        Value::Int(i) => u8::try_from(*i).ok().filter(|c| (b' '..=b'~').contains(c)),
        _ => None,
    };
    let text = text.iter().map(plain).collect::<Option<Vec<u8>>>()?;
    Some(format!("{:?}", String::from_utf8(text).ok()?))
}

impl Value {
    fn show_scalar(&self, types: &Types, ty: TypeId) -> String {
        match (self, types.get(ty)) {
            (Self::Any, _) => "*".into(),
            (Self::Bool(b), _) => b.to_string(),
            (Self::Int(0), _) if types.pointer == Some(ty) => "NULL".into(),
            (Self::Int(i), Type::Enum(e)) => usize::try_from(*i)
                .ok()
                .and_then(|i| e.members.get(i))
                .cloned()
                .unwrap_or_else(|| i.to_string()),
            (
                Self::Int(i),
                Type::Bits(Bits {
                    width: 32..,
                    signed: false,
                }),
            ) => {
                // Objects lie at numbers with which programs do not compute, so such a number is an address.
                let named = types.addresses.iter().find_map(|a| a.show(*i));
                named.unwrap_or_else(|| i.to_string())
            }
            (Self::Int(i), Type::Bits(CHAR)) if types.dialect == Dialect::C => character(*i),
            (Self::Int(i), _) => i.to_string(),
            (Self::Task(Some(Self::SOME_TASK)), _) => "a task".into(),
            (Self::Task(Some(t)), _) => format!("task {t}"),
            (Self::Task(None), _) => "no task".into(),
            _ => format!("{self:?}"),
        }
    }

    /// The value that a variable has after another one. Says so if a thread has gone on from a condition without a signal.
    #[must_use]
    pub fn show_after(&self, before: &Self, types: &Types, ty: TypeId) -> String {
        let shown = self.show(types, ty);
        let fields = match types.get(ty) {
            Type::Record(r) if types.is_opaque(ty) => &r.fields,
            _ => return shown,
        };
        let number = |value: &Self, name: &str| {
            let at = fields.iter().position(|(n, _)| n == name)?;
            match value {
                Self::Record(parts) => match parts.get(at)? {
                    Self::Int(number) => Some(*number),
                    _ => None,
                },
                _ => None,
            }
        };
        let change = |name| Some(number(self, name)? - number(before, name)?);
        match (change("waiting"), change("woken")) {
            (Some(-1), Some(0)) => format!("{shown} (one went on without a signal)"),
            _ => shown,
        }
    }

    /// The value as it is written in the language of the program.
    #[must_use]
    pub fn show(&self, types: &Types, ty: TypeId) -> String {
        match (self, types.get(ty)) {
            (Self::Any | Self::Bool(_) | Self::Int(_) | Self::Task(_), _) => {
                self.show_scalar(types, ty)
            }
            // The bits of a floating number.
            (Self::Record(values), Type::Record(r)) if types.is_double(ty) => {
                let bits = values.first().map(|v| v.show(types, r.fields[0].1));
                let number = bits.and_then(|bits| bits.parse().ok().map(f64::from_bits));
                match number {
                    Some(number) if number.is_nan() && number.is_sign_negative() => "-NaN".into(),
                    Some(number) => number.to_string(),
                    None => "?".to_owned(),
                }
            }
            (Self::Record(values), Type::Record(r)) if types.is_opaque(ty) => {
                let part = |name: &str| {
                    let at = r.fields.iter().position(|(n, _)| n == name)?;
                    Some((values.get(at)?, r.fields[at].1))
                };
                library_object(types, part).unwrap_or_else(|| "*".to_owned())
            }
            (Self::Record(values), Type::Record(r)) => {
                let fields: Vec<_> = r
                    .fields
                    .iter()
                    .zip(values)
                    .map(|((n, t), v)| named(types.dialect, n) + &v.show(types, *t))
                    .collect();
                format!("{} {} }}", opening(types, ty), fields.join(", "))
            }
            (Self::Array(values), Type::Array(_, t)) => {
                let chars = *types.get(*t) == Type::Bits(CHAR) && types.dialect == Dialect::C;
                if let Some(text) = c_text(values).filter(|_| chars) {
                    return text;
                }
                let elements: Vec<_> = values.iter().map(|v| v.show(types, *t)).collect();
                match types.dialect {
                    Dialect::Async => format!("[{}]", elements.join(", ")),
                    Dialect::C => format!("{{{}}}", elements.join(", ")),
                }
            }
            (Self::Map(rest, entries), Type::Map(k, t)) => {
                let mut parts: Vec<_> = entries
                    .iter()
                    .map(|(i, v)| format!("{}: {}", i.show(types, *k), v.show(types, *t)))
                    .collect();
                parts.push(format!("_: {}", rest.show(types, *t)));
                format!("[{}]", parts.join(", "))
            }
            _ => format!("{self:?}"),
        }
    }
}

/// Parts of the C library's objects that [`library_object`] does not show.
pub const UNTOLD: [&str; 3] = ["woken", "spurious", "round"];

/// An object of the C library in words, by its parts.
fn library_object<'v>(
    types: &Types,
    part: impl Fn(&str) -> Option<(&'v Value, TypeId)>,
) -> Option<String> {
    let number = |name: &str| match part(name)?.0 {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    if let Some((value, ty)) = part("value") {
        return Some(value.show(types, ty));
    }
    if let Some(depth) = number("depth") {
        let (owner, ty) = part("owner")?;
        return Some(match depth {
            0 => "unlocked".to_owned(),
            1 => format!("locked by {}", owner.show(types, ty)),
            _ => format!("locked {depth} times by {}", owner.show(types, ty)),
        });
    }
    if let Some((writer, _)) = part("writer") {
        return Some(match (writer, number("readers")?) {
            (Value::Bool(true), _) => "locked for writing".to_owned(),
            (_, 0) => "unlocked".to_owned(),
            (_, 1) => "locked by 1 reader".to_owned(),
            (_, n) => format!("locked by {n} readers"),
        });
    }
    if let Some(needed) = number("needed") {
        return Some(match number("arrived")? {
            0 => "no thread waits".to_owned(),
            arrived => format!("{arrived} of {needed} threads wait"),
        });
    }
    Some(match number("waiting")? {
        0 => "no thread waits".to_owned(),
        1 => "1 thread waits".to_owned(),
        n => format!("{n} threads wait"),
    })
}
