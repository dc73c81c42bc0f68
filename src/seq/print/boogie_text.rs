//! Programs without tasks, in Boogie.
//!
//! The common part of old and new Boogie: no records or datatypes, no
//! quantifiers but for large arrays, every procedure inlined. The file says in its first lines how
//! it wants to be run.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ir::calls::Calls;
use ir::{Block, ExprId, LocalId, Place, Proc, ProcId, Program, Root, Stmt, StmtKind, Type};

use super::super::walk;
use super::boogie_expr::{Exprs, Needed, Target, Text};
use super::leaves::boogie_type;
use super::names::{Language, Names};
use super::{Comments, Writer, stores};
use ir::passes::plain_loops;

const LANGUAGE: Language = Language {
    keywords: "assert assume async axiom bool break call complete const datatype div else ensures \
        exists extends false finite forall free function goto havoc hideable if \
        implementation int invariant is lambda mod modifies old par pure procedure real \
        requires return returns reveal hide pop push then true type unique using var where \
        while yield yields action atomic both left right creates eliminates pending refines \
        uses layer float rmode string regex this",
};

/// How deeply Boogie unrolls.
#[derive(Clone, Copy, Debug)]
pub struct Unroll(pub u32);

/// The program as a Boogie file.
#[must_use]
pub fn print_boogie(program: &Program, unroll: Unroll, comments: Comments<'_>) -> String {
    let program = stores::outlined(&plain_loops::of(program));
    let names = Names::new(&program, LANGUAGE);
    let modified = modified(&program);
    let needed = RefCell::default();
    let mut printer = Printer {
        program: &program,
        names,
        modified,
        unroll,
        recursive: Vec::new(),
        needed,
        out: Writer::new(comments),
    };
    printer.program();
    printer.text()
}

/// The globals that each procedure may modify, itself or in its calls.
fn modified(program: &Program) -> Vec<BTreeSet<u32>> {
    let own = program.procs.iter().map(|proc| {
        let mut set = BTreeSet::new();
        walk::each(&proc.body, &mut |stmt| {
            if let Some(Root::Global(g)) = walk::written(stmt).map(|place| place.root) {
                set.insert(g.0);
            }
        });
        set
    });
    Calls::of(program).united(own.collect())
}

struct Printer<'a> {
    program: &'a Program,
    names: Names,
    modified: Vec<BTreeSet<u32>>,
    unroll: Unroll,
    recursive: Vec<bool>,
    needed: RefCell<Needed>,
    out: Writer<'a>,
}

impl Printer<'_> {
    fn exprs<'e>(&'e self, proc: &'e Proc, locals: &'e [String]) -> Exprs<'e> {
        Exprs {
            program: self.program,
            names: &self.names,
            proc,
            locals,
            needed: &self.needed,
        }
    }

    /// The head, what the body turned out to need, the body.
    fn text(self) -> String {
        let mut head = Writer::new(self.out.comments);
        for line in head.comments.header {
            head.comment(line);
        }
        head.line("");
        for function in &self.needed.borrow().functions {
            for line in function.lines() {
                head.line(line);
            }
        }
        head.text + &self.out.text
    }

    fn program(&mut self) {
        self.enums();
        self.globals();
        let calls = Calls::of(self.program);
        self.recursive = calls.recursive();
        let mut called = vec![false; self.program.procs.len()];
        for proc in [self.program.main, self.program.init] {
            called[proc.index()] = true;
        }
        for (index, _) in calls
            .to_callees(called)
            .iter()
            .enumerate()
            .filter(|(_, c)| **c)
        {
            self.proc(ProcId(
                u32::try_from(index).expect("fewer procedures than 2^32"),
            ));
        }
    }

    fn enums(&mut self) {
        for ty in self.names.used.clone() {
            if !matches!(self.program.types.get(ty), Type::Enum(_)) {
                continue;
            }
            let line = format!("// {}", self.names.types[&ty]);
            self.out.line(line);
            for (value, member) in self.names.parts[&ty].clone().iter().enumerate() {
                self.out
                    .line(format!("const {member}: int; axiom {member} == {value};"));
            }
        }
    }

    fn globals(&mut self) {
        let init = self.program.proc(self.program.init);
        for (index, global) in self.program.globals.iter().enumerate() {
            let doc = self.out.comments.global(index);
            if !doc.is_empty() {
                self.out
                    .comment(&format!("{}: {doc}", self.names.globals[index]));
            }
            let names = variables(
                &self.exprs(init, &[]),
                &self.names.globals[index],
                global.ty,
            );
            self.out.line(format!("var {};", names.join(", ")));
        }
    }

    fn proc(&mut self, id: ProcId) {
        let proc = self.program.proc(id);
        let locals = self.names.locals(proc);
        self.out.line("");
        let doc = self.out.comments.proc(id.index()).to_owned();
        self.out.comment(&doc);
        self.out.quoted = None;
        let assigned = assigned_params(proc);
        self.head(id, &locals, &assigned);
        self.out.open("{");
        let mut body = Body::new(self, proc, &locals);
        body.block(&proc.body);
        let (temps, lines) = (std::mem::take(&mut body.temps), body.end());
        self.locals(proc, &locals, &assigned, &temps);
        if id == self.program.main {
            let call = format!("call {}();", self.names.procs[self.program.init.index()]);
            self.out.line(call);
        }
        self.out.text.push_str(&lines);
        self.out.close("}");
    }

    /// `procedure {:inline N} p(x: int) returns (result: int)` and what it modifies.
    fn head(&mut self, id: ProcId, locals: &[String], assigned: &[bool]) {
        let proc = self.program.proc(id);
        let exprs = self.exprs(proc, locals);
        let params: Vec<_> = (0..proc.params as usize)
            .flat_map(|i| {
                let suffix = if assigned[i] { ".in" } else { "" };
                let name = format!("{}{suffix}", locals[i]);
                variables(&exprs, &name, proc.locals[i].ty)
            })
            .collect();
        let result = proc
            .result
            .map_or_else(Vec::new, |ty| variables(&exprs, "result", ty));
        let inline = if id == self.program.main {
            String::new()
        } else {
            let depth = if self.recursive[id.index()] {
                self.unroll.0
            } else {
                1
            };
            format!("{{:inline {depth}}} ")
        };
        let mut line = format!(
            "procedure {inline}{}({})",
            self.names.procs[id.index()],
            params.join(", ")
        );
        if !result.is_empty() {
            line.push_str(&format!(" returns ({})", result.join(", ")));
        }
        let mut globals = self.modified[id.index()].clone();
        if id == self.program.main {
            globals.extend(&self.modified[self.program.init.index()]);
        }
        let modified: Vec<_> = globals
            .iter()
            .flat_map(|&g| {
                let name = &self.names.globals[g as usize];
                let leaves = exprs.leaves(self.program.globals[g as usize].ty);
                leaves
                    .into_iter()
                    .map(move |leaf| format!("{name}{}", leaf.suffix))
            })
            .collect();
        let modifies = format!("modifies {};", modified.join(", "));
        self.out.line(line);
        if !modified.is_empty() {
            self.out.depth += 1;
            self.out.line(modifies);
            self.out.depth -= 1;
        }
    }

    fn locals(&mut self, proc: &Proc, locals: &[String], assigned: &[bool], temps: &[String]) {
        let exprs = self.exprs(proc, locals);
        let mut lines: Vec<String> = Vec::new();
        let mut copies: Vec<String> = Vec::new();
        for (i, local) in proc.locals.iter().enumerate() {
            let param = i < proc.params as usize;
            if param && !assigned[i] {
                continue;
            }
            let names = variables(&exprs, &locals[i], local.ty);
            lines.push(format!("var {};", names.join(", ")));
            if param {
                let leaves = exprs.leaves(local.ty);
                copies.extend(
                    leaves
                        .iter()
                        .map(|l| format!("{0}{1} := {0}.in{1};", locals[i], l.suffix)),
                );
            }
        }
        lines.extend(temps.iter().map(|t| format!("var {t};")));
        for line in lines.into_iter().chain(copies) {
            self.out.line(line);
        }
    }
}

/// `x.a: int`, `x.b: bool`
fn variables(exprs: &Exprs<'_>, name: &str, ty: ir::TypeId) -> Vec<String> {
    let leaves = exprs.leaves(ty);
    leaves
        .iter()
        .map(|leaf| {
            format!(
                "{name}{}: {}",
                leaf.suffix,
                boogie_type(exprs.program, leaf)
            )
        })
        .collect()
}

/// Which parameters are assigned: in Boogie they cannot be.
fn assigned_params(proc: &Proc) -> Vec<bool> {
    let mut assigned = vec![false; proc.locals.len()];
    walk::each(&proc.body, &mut |stmt| match &stmt.kind {
        StmtKind::Assign(
            Place {
                root: Root::Local(l),
                ..
            },
            _,
        ) => assigned[l.index()] = true,
        StmtKind::Havoc(
            Place {
                root: Root::Local(l),
                ..
            },
            _,
        ) => assigned[l.index()] = true,
        StmtKind::Call(Some(l), ..) => assigned[l.index()] = true,
        _ => {}
    });
    assigned
}

/// The body of a procedure; its declarations are known when it is written.
struct Body<'b, 'a> {
    printer: &'b mut Printer<'a>,
    proc: &'b Proc,
    locals: &'b [String],
    /// Variables of our own, declared.
    temps: Vec<String>,
    /// Where the body begins in the text.
    start: usize,
}

impl<'b, 'a> Body<'b, 'a> {
    fn new(printer: &'b mut Printer<'a>, proc: &'b Proc, locals: &'b [String]) -> Self {
        let start = printer.out.text.len();
        Self {
            printer,
            proc,
            locals,
            temps: Vec::new(),
            start,
        }
    }

    /// The body's text, taken out.
    fn end(self) -> String {
        self.printer.out.text.split_off(self.start)
    }

    fn exprs(&self) -> Exprs<'_> {
        self.printer.exprs(self.proc, self.locals)
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.printer.out.line(line);
    }

    fn scalar(&self, e: ExprId) -> String {
        self.exprs().scalar(e)
    }

    fn value(&self, e: ExprId) -> Vec<String> {
        self.exprs().value(e).into_iter().map(Text::alone).collect()
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.printer.out.quote(stmt);
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let targets = self.exprs().place(place);
                let value = self.value(*value);
                self.assign(&targets, &value);
            }
            StmtKind::Havoc(place, _) => self.havoc(place),
            StmtKind::Assume(e) => self.line(format!("assume {};", self.scalar(*e))),
            StmtKind::Check(_, e, text) => self.check(*e, text),
            StmtKind::If(c, then, otherwise) => self.branch(*c, then, otherwise),
            StmtKind::Loop(l) => {
                self.printer
                    .out
                    .open(format!("while ({}) {{", self.scalar(l.cond)));
                self.block(&l.body);
                if walk::any(&l.body, |s| s.kind == StmtKind::Continue(l.id)) {
                    self.line(format!("next.{}:", l.id.0));
                }
                self.printer.out.close("}");
            }
            StmtKind::Break(_) => self.line("break;"),
            StmtKind::Continue(id) => self.line(format!("goto next.{};", id.0)),
            StmtKind::Return(value) => self.leave(*value),
            StmtKind::Call(to, proc, args) => self.call(*to, *proc, args),
            StmtKind::Mark(id, _) => {
                let text = self.printer.out.comments.mark(*id).unwrap_or_default();
                self.printer.out.comment(text);
            }
            // Not in a sequential program.
            StmtKind::Post(..)
            | StmtKind::Preempt(_)
            | StmtKind::Await(_)
            | StmtKind::Atomic(..) => {}
        }
    }

    fn check(&mut self, e: ExprId, text: &str) {
        let comment = if text.is_empty() {
            String::new()
        } else {
            format!(" // {}", text.replace('\n', " "))
        };
        self.line(format!("assert {};{comment}", self.scalar(e)));
    }

    fn branch(&mut self, c: ExprId, then: &Block, otherwise: &Block) {
        self.printer.out.open(format!("if ({}) {{", self.scalar(c)));
        self.block(then);
        if !otherwise.is_empty() {
            self.printer.out.close("} else {");
            self.printer.out.depth += 1;
            self.block(otherwise);
        }
        self.printer.out.close("}");
    }

    fn leave(&mut self, value: Option<ExprId>) {
        if let (Some(value), Some(ty)) = (value, self.proc.result) {
            let exprs = self.exprs();
            let results: Vec<_> = exprs
                .leaves(ty)
                .iter()
                .map(|leaf| format!("result{}", leaf.suffix))
                .collect();
            let line = format!(
                "{} := {};",
                results.join(", "),
                self.value(value).join(", ")
            );
            self.line(line);
        }
        self.line("return;");
    }

    fn assign(&mut self, targets: &[Target], value: &[String]) {
        let names: Vec<_> = targets.iter().map(|t| t.name.as_str()).collect();
        let values: Vec<_> = targets.iter().map(|t| t.after(value)).collect();
        let line = format!("{} := {};", names.join(", "), values.join(", "));
        self.line(line);
    }

    /// Any value; one inside a map is chosen first and then put there.
    fn havoc(&mut self, place: &Place) {
        let leaves = self.exprs().leaves(place.ty);
        let targets = self.exprs().place(place);
        let inside = !targets.iter().all(Target::is_variable);
        let chosen: Vec<String> = if inside {
            let types: Vec<_> = leaves
                .iter()
                .map(|l| boogie_type(self.printer.program, l))
                .collect();
            types
                .into_iter()
                .map(|ty| self.temp("chosen", &ty))
                .collect()
        } else {
            targets.iter().map(|t| t.name.clone()).collect()
        };
        self.line(format!("havoc {};", chosen.join(", ")));
        for (leaf, variable) in leaves.iter().zip(&chosen) {
            if let Some(bounds) = self.exprs().in_bounds(leaf, variable) {
                self.line(format!("assume {bounds};"));
            }
        }
        if inside {
            self.assign(&targets, &chosen);
        }
    }

    /// A variable of our own, one for each type and use at a time.
    fn temp(&mut self, base: &str, ty: &str) -> String {
        let name = format!("{base}.{}", self.temps.len());
        self.temps.push(format!("{name}: {ty}"));
        name
    }

    fn call(&mut self, to: Option<LocalId>, proc: ProcId, args: &[ExprId]) {
        let args: Vec<_> = args.iter().flat_map(|&a| self.value(a)).collect();
        let mut targets = Vec::new();
        if let Some(ty) = self.printer.program.proc(proc).result {
            for leaf in self.exprs().leaves(ty) {
                targets.push(match to {
                    Some(local) => format!("{}{}", self.locals[local.index()], leaf.suffix),
                    None => self.temp("ignored", &boogie_type(self.printer.program, &leaf)),
                });
            }
        }
        let target = if targets.is_empty() {
            String::new()
        } else {
            format!("{} := ", targets.join(", "))
        };
        self.line(format!(
            "call {target}{}({});",
            self.printer.names.procs[proc.index()],
            args.join(", ")
        ));
    }
}
