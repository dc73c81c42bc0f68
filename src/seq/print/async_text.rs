//! Programs in the language itself.
//!
//! The text is read back as a program of the same behaviour. Reading adds checks of ranges,
//! indices and divisions; these hold wherever the program's own do.

use ir::{
    Await, AwaitKind, Block, ExprId, ExprKind, LocalId, PreemptKind, Proc, ProcId, Program, Stmt,
    StmtKind,
};

use super::async_expr::Exprs;
use super::initial;
use super::names::{Language, Names};
use super::scopes::Uses;
use super::{Comments, Listing, Writer};
use ir::passes::plain_loops;

const LANGUAGE: Language = Language {
    keywords: "assert assume atomic await bool break call const continue else enum false finally \
        for havoc i8 i16 i32 i64 if in int join let object post preempt proc record return \
        self skip sleep task then true type u8 u16 u32 u64 use var while yield",
};

/// The program as text that the parser reads back.
#[must_use]
pub fn print_async(program: &Program, comments: Comments<'_>) -> String {
    list_async(program, comments).text
}

/// The same, line by line.
#[must_use]
pub fn list_async(program: &Program, comments: Comments<'_>) -> Listing {
    let program = plain_loops::of(program);
    let names = Names::new(&program, LANGUAGE);
    let initial = initial::values(&program);
    let mut printer = Printer {
        program: &program,
        names,
        out: Writer::new(comments),
        started: initial.is_none(),
    };
    printer.program(initial.as_deref());
    Listing {
        text: printer.out.text,
        origins: printer.out.origins,
    }
}

struct Printer<'a> {
    program: &'a Program,
    names: Names,
    out: Writer<'a>,
    /// Whether initial values are computed; then a new `main` computes them first.
    started: bool,
}

impl Printer<'_> {
    fn exprs<'e>(&'e self, proc: &'e Proc, locals: &'e [String]) -> Exprs<'e> {
        Exprs {
            program: self.program,
            names: &self.names,
            proc,
            locals,
        }
    }

    fn program(&mut self, initial: Option<&[initial::Value]>) {
        for line in self.out.comments.header {
            self.out.comment(line);
        }
        if !self.out.comments.header.is_empty() {
            self.out.line("");
        }
        self.types();
        self.globals(initial);
        for index in 0..self.program.procs.len() {
            let id = ProcId::from_index(index);
            // Initial values stand in declarations, where declarations can say them.
            if id != self.program.init || self.started {
                self.proc(id);
            }
        }
        if self.started {
            self.start();
        }
        if let Some(finally) = self.program.finally {
            self.out.line("");
            self.out.open("finally {");
            let call = format!("call {}();", self.names.procs[finally.index()]);
            self.out.line(call);
            self.out.close("}");
        }
    }

    fn types(&mut self) {
        let init = self.program.proc(self.program.init);
        for ty in self.names.used.clone() {
            let declaration = self.exprs(init, &[]).declaration(ty);
            if let Some(declaration) = declaration {
                let line = format!("type {} = {declaration};", self.names.types[&ty]);
                self.out.line(line);
            }
        }
    }

    fn globals(&mut self, initial: Option<&[initial::Value]>) {
        let init = self.program.proc(self.program.init);
        if self
            .program
            .exprs
            .iter()
            .any(|e| e.kind == ExprKind::NoTask)
        {
            self.out.line("var no_task: task;");
        }
        for (index, global) in self.program.globals.iter().enumerate() {
            let exprs = self.exprs(init, &[]);
            let value = match initial {
                Some(values) => exprs.initial(&values[index], global.ty),
                None => None,
            };
            let value = value.map_or_else(String::new, |v| format!(" := {v}"));
            let doc = self.out.comments.global(index);
            let doc = if doc.is_empty() {
                String::new()
            } else {
                format!("  // {doc}")
            };
            let line = format!(
                "var {}: {}{value};{doc}",
                self.names.globals[index],
                exprs.ty(global.ty)
            );
            self.out.line(line);
        }
    }

    /// The name of a procedure. If a new `main` computes the initial values, the original one gets another name.
    fn name(&self, id: ProcId) -> String {
        let name = self.names.procs[id.index()].clone();
        if self.started && id == self.program.main {
            format!("{name}_after_start")
        } else {
            name
        }
    }

    /// `main` for a program whose initial values are computed.
    fn start(&mut self) {
        self.out.line("");
        self.out.open("proc main() {");
        let init = format!("call {}();", self.name(self.program.init));
        let main = format!("call {}();", self.name(self.program.main));
        self.out.line(init);
        self.out.line(main);
        self.out.close("}");
    }

    fn proc(&mut self, id: ProcId) {
        let proc = self.program.proc(id);
        let locals = self.names.locals(proc);
        let exprs = self.exprs(proc, &locals);
        let params: Vec<_> = proc.locals[..proc.params as usize]
            .iter()
            .zip(&locals)
            .map(|(l, name)| format!("{name}: {}", exprs.ty(l.ty)))
            .collect();
        let result = proc
            .result
            .map_or_else(String::new, |t| format!(": {}", exprs.ty(t)));
        let line = format!("proc {}({}){result} {{", self.name(id), params.join(", "));
        self.out.line("");
        let doc = self.out.comments.proc(id.index()).to_owned();
        self.out.comment(&doc);
        self.out.quoted = None;
        self.out.open(line);
        let own: Vec<_> = (proc.params..)
            .map(LocalId)
            .take(locals.len() - proc.params as usize)
            .collect();
        Body {
            printer: self,
            proc,
            locals: &locals,
        }
        .block(&proc.body, &own);
        self.out.close("}");
    }
}

struct Body<'b, 'a> {
    printer: &'b mut Printer<'a>,
    proc: &'b Proc,
    locals: &'b [String],
}

impl Body<'_, '_> {
    fn exprs(&self) -> Exprs<'_> {
        self.printer.exprs(self.proc, self.locals)
    }

    fn expr(&self, e: ExprId) -> String {
        self.exprs().expr(e)
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.printer.out.line(line);
    }

    /// A block, with the locals that are used nowhere else.
    fn block(&mut self, block: &Block, locals: &[LocalId]) {
        let scope = Uses::new(self.printer.program).scope(block, locals);
        for (index, stmt) in block.iter().enumerate() {
            self.printer.out.quote(stmt);
            let mut defined = None;
            for &(local, _, defines) in scope.declared.iter().filter(|d| d.1 == index) {
                if defines {
                    defined = Some(local);
                } else {
                    self.declare(local);
                }
            }
            let inner = |block| {
                let of = scope
                    .inner
                    .iter()
                    .filter(move |i| i.1 == index && i.2 == block);
                of.map(|i| i.0).collect::<Vec<_>>()
            };
            self.stmt(stmt, defined, [inner(0), inner(1)]);
        }
    }

    /// Declares a local with a value that is never read.
    fn declare(&mut self, local: LocalId) {
        let ty = self.proc.locals[local.index()].ty;
        let value = default_text(self.printer.program, &self.exprs(), ty);
        let (name, ty) = (&self.locals[local.index()], self.exprs().ty(ty));
        let value = value.map_or_else(String::new, |v| format!(" := {v}"));
        let line = format!("var {name}: {ty}{value};");
        self.line(line);
    }

    /// `x := ` or `var x: T := `
    fn target(&self, name: &str, defined: Option<LocalId>) -> String {
        match defined {
            Some(local) => format!(
                "var {name}: {} := ",
                self.exprs().ty(self.proc.locals[local.index()].ty)
            ),
            None => format!("{name} := "),
        }
    }

    fn stmt(&mut self, stmt: &Stmt, defined: Option<LocalId>, inner: [Vec<LocalId>; 2]) {
        let line = match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let target = self.target(&self.exprs().place(place), defined);
                format!("{target}{};", self.expr(*value))
            }
            StmtKind::Havoc(place, _) => match defined {
                Some(local) => {
                    let ty = self.exprs().ty(self.proc.locals[local.index()].ty);
                    format!("var {}: {ty};", self.locals[local.index()])
                }
                None => format!("havoc {};", self.exprs().place(place)),
            },
            StmtKind::Assume(e) => format!("assume {};", self.expr(*e)),
            StmtKind::Check(_, e, text) if text.is_empty() => format!("assert {};", self.expr(*e)),
            StmtKind::Check(_, e, text) => format!("assert {}, {};", self.expr(*e), quoted(text)),
            StmtKind::If(c, then, otherwise) => return self.branch(*c, then, otherwise, &inner),
            StmtKind::Loop(l) => {
                let head = format!("while {} {{", self.expr(l.cond));
                // After lowering, only the body is left; it is the second of the loop's blocks.
                return self.braces(&head, &l.body, &inner[1]);
            }
            StmtKind::Break(_) => "break;".to_owned(),
            StmtKind::Continue(_) => "continue;".to_owned(),
            StmtKind::Return(None) => "return;".to_owned(),
            StmtKind::Return(Some(e)) => format!("return {};", self.expr(*e)),
            StmtKind::Call(to, proc, args) => self.invocation("call", *to, *proc, args, defined),
            StmtKind::Post(to, proc, args) => self.invocation("post", *to, *proc, args, defined),
            StmtKind::Preempt(PreemptKind::Sleep) => "sleep;".to_owned(),
            StmtKind::Preempt(_) => "yield;".to_owned(),
            StmtKind::Await(a) => return self.wait(a, &inner[1]),
            StmtKind::Atomic(_, body) => return self.braces("atomic {", body, &inner[0]),
            StmtKind::Mark(id, _) => {
                let text = self.printer.out.comments.mark(*id).unwrap_or_default();
                return self.printer.out.comment(text);
            }
        };
        self.line(line);
    }

    fn braces(&mut self, head: &str, block: &Block, locals: &[LocalId]) {
        self.printer.out.open(head);
        self.block(block, locals);
        self.printer.out.close("}");
    }

    fn branch(&mut self, c: ExprId, then: &Block, otherwise: &Block, inner: &[Vec<LocalId>; 2]) {
        self.printer.out.open(format!("if {} {{", self.expr(c)));
        self.block(then, &inner[0]);
        if !otherwise.is_empty() {
            self.printer.out.close("} else {");
            self.printer.out.depth += 1;
            self.block(otherwise, &inner[1]);
        }
        self.printer.out.close("}");
    }

    fn invocation(
        &self,
        verb: &str,
        to: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        defined: Option<LocalId>,
    ) -> String {
        let target = to.map_or_else(String::new, |l| {
            self.target(&self.locals[l.index()], defined)
        });
        format!(
            "{target}{verb} {}({});",
            self.printer.name(proc),
            self.exprs().list(args)
        )
    }

    fn wait(&mut self, a: &Await, locals: &[LocalId]) {
        let cond = self.printer.program.expr(a.cond);
        if let (AwaitKind::Join, ExprKind::Finished(task)) = (a.kind, &cond.kind) {
            let line = format!("join {};", self.expr(*task));
            return self.line(line);
        }
        let head = format!("await {}", self.expr(a.cond));
        if a.body.is_empty() {
            return self.line(format!("{head};"));
        }
        self.braces(&format!("{head} {{"), &a.body, locals);
    }
}

/// A constant of a type; none for handles, which begin as no task.
fn default_text(program: &Program, exprs: &Exprs<'_>, ty: ir::TypeId) -> Option<String> {
    use ir::Type;
    Some(match program.types.get(ty) {
        Type::Bool => "false".to_owned(),
        Type::Int | Type::Bits(_) => "0".to_owned(),
        Type::Range(lo, hi) => 0.clamp(*lo, *hi).to_string(),
        Type::Enum(_) => exprs.names.parts[&ty].first()?.clone(),
        Type::Task => return None,
        Type::Record(r) => {
            let values = r
                .fields
                .iter()
                .map(|(_, t)| default_text(program, exprs, *t))
                .collect::<Option<_>>()?;
            exprs.record(ty, values)
        }
        Type::Array(_, element) | Type::Map(_, element) => {
            exprs.fill(ty, &default_text(program, exprs, *element)?)
        }
    })
}

fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
