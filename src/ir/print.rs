//! A readable dump of a program, for people who debug passes and for tests.
//!
//! Looks like the language where it can. Locals that a pass made are `%3`; a
//! user's local is its name, with its number if the name is not unique.

use std::fmt::{self, Write};

use super::program::*;
use super::types::{Type, TypeId};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            let hidden = if global.hidden { "hidden " } else { "" };
            writeln!(
                f,
                "{hidden}var {}: {}",
                global.name,
                self.types.name(global.ty)
            )?;
        }
        for (index, proc) in self.procs.iter().enumerate() {
            let id = ProcId(index as u32);
            Printer {
                program: self,
                proc,
                indent: 1,
            }
            .proc(f, id)?;
        }
        for declared in &self.declared {
            self.print_declared(f, declared)?;
        }
        Ok(())
    }
}

impl Program {
    fn print_declared(
        &self,
        f: &mut fmt::Formatter<'_>,
        declared: &super::Declared,
    ) -> fmt::Result {
        let op = |id: OpId| &self.ops[id.index()];
        let word = match declared.kind {
            super::DeclaredKind::Independent => "independent",
            super::DeclaredKind::Exclusive => "exclusive",
        };
        let (a, b) = (op(declared.a.op), op(declared.b.op));
        let object = self.object_name(a.object, &[]);
        write!(f, "{word} {}, {} of {object}", a.full_name(), b.full_name())?;
        if let Some(condition) = declared.condition {
            write!(f, " when #{}", condition.0)?;
        }
        let state: Vec<_> = declared
            .state
            .iter()
            .map(|g| self.globals[g.index()].name.as_str())
            .collect();
        let part = |o: super::DeclaredOp| format!("(#{}, #{})", o.guard.0, o.body.0);
        writeln!(
            f,
            " {} {} state [{}]",
            part(declared.a),
            part(declared.b),
            state.join(", ")
        )
    }
}

struct Printer<'a> {
    program: &'a Program,
    proc: &'a Proc,
    indent: usize,
}

impl Printer<'_> {
    fn proc(&mut self, f: &mut fmt::Formatter<'_>, id: ProcId) -> fmt::Result {
        let (program, proc) = (self.program, self.proc);
        let params: Vec<_> = (0..proc.params)
            .map(|l| self.declared(LocalId(l)))
            .collect();
        let result = proc
            .result
            .map_or(String::new(), |ty| format!(": {}", program.types.name(ty)));
        let mut roles = String::new();
        for (role, is) in [
            ("init", id == program.init),
            ("main", id == program.main),
            ("finally", Some(id) == program.finally),
        ] {
            if is {
                write!(roles, " [{role}]")?;
            }
        }
        writeln!(
            f,
            "\n#{} proc {}({}){result}{roles}",
            id.0,
            proc.name,
            params.join(", ")
        )?;
        let locals: Vec<_> = (proc.params..proc.locals.len() as u32)
            .map(|l| self.declared(LocalId(l)))
            .collect();
        if !locals.is_empty() {
            writeln!(f, "    local {}", locals.join(", "))?;
        }
        self.block(f, &proc.body)
    }

    fn declared(&self, id: LocalId) -> String {
        format!(
            "{}: {}",
            self.local(id),
            self.program.types.name(self.proc.locals[id.index()].ty)
        )
    }

    fn local(&self, id: LocalId) -> String {
        let local = &self.proc.locals[id.index()];
        if local.hidden || local.name.is_empty() {
            return format!("%{}", id.0);
        }
        let same = self
            .proc
            .locals
            .iter()
            .filter(|l| !l.hidden && l.name == local.name)
            .count();
        if same > 1 {
            format!("{}#{}", local.name, id.0)
        } else {
            local.name.to_string()
        }
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
        writeln!(f, "{:width$}{text}", "", width = self.indent * 4)
    }

    fn block(&mut self, f: &mut fmt::Formatter<'_>, block: &Block) -> fmt::Result {
        block.iter().try_for_each(|stmt| self.stmt(f, &stmt.kind))
    }

    fn inner(&mut self, f: &mut fmt::Formatter<'_>, block: &Block) -> fmt::Result {
        self.indent += 1;
        self.block(f, block)?;
        self.indent -= 1;
        Ok(())
    }

    fn stmt(&mut self, f: &mut fmt::Formatter<'_>, kind: &StmtKind) -> fmt::Result {
        let text = match kind {
            StmtKind::Assign(place, value) => {
                format!("{} := {}", self.place(place), self.expr(*value))
            }
            StmtKind::Havoc(place, ChoiceKind::User) => format!("havoc {}", self.place(place)),
            StmtKind::Havoc(place, ChoiceKind::Guess) => format!("guess {}", self.place(place)),
            StmtKind::Havoc(place, ChoiceKind::Memory) => {
                format!("flush {}", self.place(place))
            }
            StmtKind::Havoc(place, ChoiceKind::Probe) => format!("probe {}", self.place(place)),
            StmtKind::Assume(e) => format!("assume {}", self.expr(*e)),
            StmtKind::Check(kind, e, text) => {
                format!("check {} {} {text:?}", kind.name(), self.expr(*e))
            }
            StmtKind::If(cond, yes, no) => return self.if_else(f, *cond, yes, no),
            StmtKind::Loop(l) => return self.loop_(f, l),
            StmtKind::Break(id) => format!("break {}", id.0),
            StmtKind::Continue(id) => format!("continue {}", id.0),
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Return(Some(e)) => format!("return {}", self.expr(*e)),
            StmtKind::Call(to, callee, args) => self.call("call", *to, *callee, args),
            StmtKind::Post(to, callee, args) => self.call("post", *to, *callee, args),
            StmtKind::Preempt(PreemptKind::Implicit) => "preempt".to_owned(),
            StmtKind::Preempt(PreemptKind::Yield) => "yield".to_owned(),
            StmtKind::Preempt(PreemptKind::Sleep) => "sleep".to_owned(),
            StmtKind::Await(a) => return self.await_(f, a),
            StmtKind::Atomic(order, block) => {
                self.line(f, &format!("atomic{order} {{"))?;
                self.inner(f, block)?;
                "}".to_owned()
            }
            StmtKind::Mark(n, args) => format!("mark {n}({})", self.list(args)),
        };
        self.line(f, &text)
    }

    fn if_else(
        &mut self,
        f: &mut fmt::Formatter<'_>,
        cond: ExprId,
        yes: &Block,
        no: &Block,
    ) -> fmt::Result {
        self.line(f, &format!("if {} {{", self.expr(cond)))?;
        self.inner(f, yes)?;
        if !no.is_empty() {
            self.line(f, "} else {")?;
            self.inner(f, no)?;
        }
        self.line(f, "}")
    }

    fn loop_(&mut self, f: &mut fmt::Formatter<'_>, l: &Loop) -> fmt::Result {
        self.line(f, &format!("loop {} {{", l.id.0))?;
        self.indent += 1;
        self.block(f, &l.pre)?;
        self.line(f, &format!("while {}", self.expr(l.cond)))?;
        self.block(f, &l.body)?;
        if !l.step.is_empty() {
            self.line(f, "step")?;
            self.inner(f, &l.step)?;
        }
        self.indent -= 1;
        self.line(f, "}")
    }

    fn await_(&mut self, f: &mut fmt::Formatter<'_>, a: &Await) -> fmt::Result {
        let op = |id: OpId| {
            let op = &self.program.ops[id.index()];
            let object = self.program.object_name(op.object, &[]);
            format!("{} of {object}", op.full_name())
        };
        let kind = match a.kind {
            AwaitKind::Await => "await".to_owned(),
            AwaitKind::Join => "join".to_owned(),
            AwaitKind::Turn => "turn".to_owned(),
            AwaitKind::Op(id) => format!("op {}", op(id)),
            AwaitKind::Enqueue(id) => format!("enqueue {}", op(id)),
        };
        self.line(f, &format!("{kind} {{"))?;
        self.indent += 1;
        self.block(f, &a.checks)?;
        self.line(f, &format!("until {}", self.expr(a.cond)))?;
        self.block(f, &a.body)?;
        self.indent -= 1;
        self.line(f, "}")
    }

    fn call(&self, word: &str, to: Option<LocalId>, callee: ProcId, args: &[ExprId]) -> String {
        let to = to.map_or(String::new(), |l| format!("{} := ", self.local(l)));
        let name = self
            .program
            .procs
            .get(callee.index())
            .map_or("?", |p| p.name.as_str());
        format!("{to}{word} #{} {name}({})", callee.0, self.list(args))
    }

    fn list(&self, exprs: &[ExprId]) -> String {
        exprs
            .iter()
            .map(|&e| self.expr(e))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn root(&self, root: Root) -> String {
        match root {
            Root::Global(g) => self.program.globals[g.index()].name.clone(),
            Root::Local(l) => self.local(l),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut text = self.root(place.root);
        let mut ty = match place.root {
            Root::Global(g) => self.program.globals[g.index()].ty,
            Root::Local(l) => self.proc.locals[l.index()].ty,
        };
        for step in &place.path {
            match (step, self.program.types.get(ty)) {
                (Step::Index(i), Type::Array(_, element) | Type::Map(_, element)) => {
                    text += &format!("[{}]", self.expr(*i));
                    ty = *element;
                }
                (Step::Field(field), Type::Record(r)) => {
                    let (name, inner) = &r.fields[*field as usize];
                    text += &format!(".{name}");
                    ty = *inner;
                }
                _ => text += "?",
            }
        }
        text
    }

    fn expr(&self, id: ExprId) -> String {
        let expr = self.program.expr(id);
        match &expr.kind {
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Int(n) => self.number(n.0, expr.ty),
            ExprKind::NoTask => "no task".to_owned(),
            ExprKind::SelfTask => "self".to_owned(),
            ExprKind::Local(l) => self.local(*l),
            ExprKind::Global(g) => self.program.globals[g.index()].name.clone(),
            ExprKind::Unary(op, e) => {
                let op = match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                };
                format!("{op}{}", self.operand(*e))
            }
            ExprKind::Binary(op, l, r) => {
                format!("{} {} {}", self.operand(*l), op.symbol(), self.operand(*r))
            }
            ExprKind::Ite(c, a, b) => {
                format!(
                    "if {} then {} else {}",
                    self.operand(*c),
                    self.operand(*a),
                    self.operand(*b)
                )
            }
            ExprKind::Index(base, i) => format!("{}[{}]", self.operand(*base), self.expr(*i)),
            ExprKind::Field(base, field) => {
                let name = match self.program.types.get(self.program.ty(*base)) {
                    Type::Record(r) => r.fields[*field as usize].0.as_str(),
                    _ => "?",
                };
                format!("{}.{name}", self.operand(*base))
            }
            ExprKind::Record(values) => format!(
                "{} {{ {} }}",
                self.program.types.name(expr.ty),
                self.list(values)
            ),
            ExprKind::Array(values) => format!("[{}]", self.list(values)),
            ExprKind::Fill(value) => format!("[{}; _]", self.expr(*value)),
            ExprKind::Convert(e) => {
                format!("{}({})", self.program.types.name(expr.ty), self.expr(*e))
            }
            ExprKind::Finished(e) => format!("finished({})", self.expr(*e)),
        }
    }

    /// An expression inside another.
    fn operand(&self, id: ExprId) -> String {
        let text = self.expr(id);
        let compound = matches!(
            self.program.expr(id).kind,
            ExprKind::Binary(..) | ExprKind::Ite(..)
        );
        if compound { format!("({text})") } else { text }
    }

    fn number(&self, n: i128, ty: TypeId) -> String {
        match self.program.types.get(ty) {
            Type::Enum(e) => usize::try_from(n)
                .ok()
                .and_then(|i| e.members.get(i))
                .cloned()
                .unwrap_or_else(|| n.to_string()),
            _ => n.to_string(),
        }
    }
}
