//! Programs without tasks, in Boogie.
//!
//! The common part of old and new Boogie: no records or datatypes, no
//! quantifiers but for large arrays, every procedure inlined. The file says in its first lines how
//! it wants to be run.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

use ir::calls::Calls;
use ir::{
    Block, ChoiceKind, ExprId, GlobalId, LocalId, Loop, Place, Proc, ProcId, Program, Root, Stmt,
    StmtKind, Type,
};

use super::super::walk;
use super::boogie_expr::{Exprs, Needed, Target, Text};
use super::boogie_loops::Turn;
use super::bounds::Bounds;
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

/// The program as a Boogie file.
#[must_use]
pub fn print_boogie(program: &Program, bounds: &Bounds, comments: Comments<'_>) -> String {
    let program = stores::outlined(&plain_loops::of(program));
    let mut names = Names::new(&program, LANGUAGE);
    let (ended, result) = (names.fresh("ended"), names.fresh("result"));
    let modified = Calls::of(&program).written(&program);
    let needed = RefCell::default();
    let mut printer = Printer {
        program: &program,
        names,
        modified,
        bounds,
        ended,
        result,
        pending: Vec::new(),
        recursive: Vec::new(),
        needed,
        out: Writer::new(comments),
    };
    printer.program();
    printer.text()
}

pub struct Printer<'a> {
    pub program: &'a Program,
    pub names: Names,
    /// By procedure: the globals that it may modify, itself or in its calls.
    modified: Vec<BTreeSet<GlobalId>>,
    pub bounds: &'a Bounds,
    /// The name of the variable that says whether a procedure was left from inside a loop.
    pub ended: String,
    /// The name of a procedure's result.
    pub result: String,
    /// Loops of the last procedure that are procedures, not yet printed.
    pub pending: Vec<Turn>,
    recursive: Vec<bool>,
    needed: RefCell<Needed>,
    pub out: Writer<'a>,
}

impl Printer<'_> {
    pub fn exprs<'e>(&'e self, proc: &'e Proc, locals: &'e [String]) -> Exprs<'e> {
        Exprs {
            program: self.program,
            names: &self.names,
            proc,
            locals,
            needed: &self.needed,
        }
    }

    /// Joins the head, the functions that the body turned out to need, and the body.
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
            let own = variables(
                &self.exprs(init, &[]),
                &self.names.globals[index],
                global.ty,
            );
            self.out.line(format!("var {};", declared(&own)));
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
        let mut body = Body::new(self, id, &locals, None);
        body.block(&proc.body);
        let (temps, inner) = (std::mem::take(&mut body.temps), body.inner.clone());
        let lines = body.end();
        let params = proc.params as usize;
        let own: Vec<_> = (0..proc.locals.len())
            .filter(|&i| !(i < params && !assigned[i] || inner.contains(&LocalId::from_index(i))))
            .collect();
        self.locals(proc, &locals, &own, &temps);
        if id == self.program.main {
            let call = format!("call {}();", self.names.procs[self.program.init.index()]);
            self.out.line(call);
        }
        self.out.text.push_str(&lines);
        self.out.close("}");
        self.turns(id, &locals);
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
            .map_or_else(Vec::new, |ty| variables(&exprs, &self.result, ty));
        let inline = if id == self.program.main {
            String::new()
        } else {
            let depth = if self.recursive[id.index()] {
                self.bounds.recursion.max(1)
            } else {
                1
            };
            format!("{{:inline {depth}}} ")
        };
        let mut line = format!(
            "procedure {inline}{}({})",
            self.names.procs[id.index()],
            declared(&params)
        );
        if !result.is_empty() {
            line.push_str(&format!(" returns ({})", declared(&result)));
        }
        self.out.line(line);
        self.modifies(id);
    }

    /// The globals that a procedure may modify.
    pub fn modifies(&mut self, id: ProcId) {
        let exprs = self.exprs(self.program.proc(id), &[]);
        let mut globals = self.modified[id.index()].clone();
        if id == self.program.main {
            globals.extend(&self.modified[self.program.init.index()]);
        }
        let modified: Vec<_> = globals
            .iter()
            .flat_map(|&g| {
                let name = &self.names.globals[g.index()];
                let leaves = exprs.leaves(self.program.globals[g.index()].ty);
                leaves
                    .into_iter()
                    .map(move |leaf| format!("{name}{}", leaf.suffix))
            })
            .collect();
        let modifies = format!("modifies {};", modified.join(", "));
        if !modified.is_empty() {
            self.out.depth += 1;
            self.out.line(modifies);
            self.out.depth -= 1;
        }
    }

    /// Declares locals; those that are parameters get what was passed.
    fn locals(&mut self, proc: &Proc, locals: &[String], own: &[usize], temps: &[Variable]) {
        let exprs = self.exprs(proc, locals);
        let mut lines: Vec<String> = Vec::new();
        let mut copies: Vec<String> = Vec::new();
        for &i in own {
            let all = variables(&exprs, &locals[i], proc.locals[i].ty);
            lines.push(format!("var {};", declared(&all)));
            if i < proc.params as usize {
                let leaves = exprs.leaves(proc.locals[i].ty);
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

/// A variable, declared: `x.a: int`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub ty: String,
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.ty)
    }
}

/// `x.a: int, x.b: bool`
pub fn declared(variables: &[Variable]) -> String {
    let all: Vec<String> = variables.iter().map(Variable::to_string).collect();
    all.join(", ")
}

/// The variables that a value of a type is kept in.
pub fn variables(exprs: &Exprs<'_>, name: &str, ty: ir::TypeId) -> Vec<Variable> {
    let leaves = exprs.leaves(ty);
    let of = leaves.iter().map(|leaf| Variable {
        name: format!("{name}{}", leaf.suffix),
        ty: boogie_type(exprs.program, leaf),
    });
    of.collect()
}

/// `if (c) { return; }`, if that is all.
fn in_one_line(text: &str) -> Option<String> {
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let (last, rest) = lines.split_last()?;
    let jumps = *last == "return;" || *last == "break;";
    let short = rest.len() <= 2 && !text.contains("//");
    (jumps && short).then(|| format!("{} }}", lines.join(" ")))
}

/// For each local, whether it is assigned: in Boogie, parameters cannot be.
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
pub struct Body<'b, 'a> {
    pub printer: &'b mut Printer<'a>,
    pub id: ProcId,
    pub proc: &'b Proc,
    pub locals: &'b [String],
    /// The loop, if this is one of its turns.
    pub turn: Option<Turn>,
    /// Locals of loops that are procedures.
    pub inner: Vec<LocalId>,
    /// Variables of our own, declared.
    pub temps: Vec<Variable>,
    /// Where the body begins in the text.
    start: usize,
}

impl<'b, 'a: 'b> Body<'b, 'a> {
    pub fn new(
        printer: &'b mut Printer<'a>,
        id: ProcId,
        locals: &'b [String],
        turn: Option<Turn>,
    ) -> Self {
        let start = printer.out.text.len();
        let program: &'a Program = printer.program;
        Self {
            printer,
            id,
            proc: program.proc(id),
            locals,
            turn,
            inner: Vec::new(),
            temps: Vec::new(),
            start,
        }
    }

    /// Takes the body's text out of what is printed.
    pub fn end(self) -> String {
        self.printer.out.text.split_off(self.start)
    }

    fn exprs(&self) -> Exprs<'_> {
        self.printer.exprs(self.proc, self.locals)
    }

    pub fn line(&mut self, line: impl AsRef<str>) {
        self.printer.out.line(line);
    }

    pub fn scalar(&self, e: ExprId) -> String {
        self.exprs().scalar(e)
    }

    fn value(&self, e: ExprId) -> Vec<String> {
        self.exprs().value(e).into_iter().map(Text::alone).collect()
    }

    pub fn block(&mut self, block: &Block) {
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
            StmtKind::Havoc(place, kind) => self.havoc(place, *kind),
            StmtKind::Assume(e) => self.line(format!("assume {};", self.scalar(*e))),
            StmtKind::Check(_, e, text) => self.check(*e, text),
            StmtKind::If(c, then, otherwise) => self.branch(*c, then, otherwise),
            StmtKind::Loop(l) if self.printer.bounds.apart.contains_key(&(self.id, l.id)) => {
                self.apart(stmt);
            }
            StmtKind::Loop(l) => self.turning(l),
            StmtKind::Break(id) if self.is_turn(*id) => self.line("return;"),
            StmtKind::Continue(id) if self.is_turn(*id) => {
                self.next();
                self.line("return;");
            }
            StmtKind::Break(_) => self.line("break;"),
            StmtKind::Continue(id) => self.line(format!("goto next.{};", id.0)),
            StmtKind::Return(value) => self.leave(*value),
            StmtKind::Call(to, proc, args) => self.call(*to, *proc, args),
            StmtKind::Mark(id, _) => {
                let text = self.printer.out.comments.mark(*id).unwrap_or_default();
                self.printer.out.comment(text);
            }
            // A sequential program has none of these.
            StmtKind::Post(..)
            | StmtKind::Preempt(_)
            | StmtKind::Await(_)
            | StmtKind::Atomic(..) => {}
        }
    }

    fn turning(&mut self, l: &Loop) {
        let open = format!("while ({}) {{", self.scalar(l.cond));
        self.printer.out.open(open);
        self.block(&l.body);
        if walk::any(&l.body, |s| s.kind == StmtKind::Continue(l.id)) {
            self.line(format!("next.{}:", l.id.0));
        }
        self.printer.out.close("}");
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
        let start = self.printer.out.text.len();
        self.printer.out.open(format!("if ({}) {{", self.scalar(c)));
        self.block(then);
        if otherwise.is_empty()
            && let Some(line) = in_one_line(&self.printer.out.text[start..])
        {
            self.printer.out.text.truncate(start);
            self.printer.out.depth -= 1;
            return self.line(line);
        }
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
                .map(|leaf| format!("{}{}", self.printer.result, leaf.suffix))
                .collect();
            let line = format!(
                "{} := {};",
                results.join(", "),
                self.value(value).join(", ")
            );
            self.line(line);
        }
        if self.turn.is_some() {
            self.line(format!("{} := true;", self.printer.ended));
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
    fn havoc(&mut self, place: &Place, kind: ChoiceKind) {
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
            // A guessed map is compared later with one that has such elements only. Until then quantifiers would not help.
            if kind == ChoiceKind::Guess && !leaf.around.is_empty() {
                continue;
            }
            if let Some(bounds) = self.exprs().in_bounds(leaf, variable) {
                self.line(format!("assume {bounds};"));
            }
        }
        if inside {
            self.assign(&targets, &chosen);
        }
    }

    /// Adds a variable of our own: a new one for each use.
    fn temp(&mut self, base: &str, ty: &str) -> String {
        let name = format!("{base}.{}", self.temps.len());
        self.temps.push(Variable {
            name: name.clone(),
            ty: ty.to_owned(),
        });
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
