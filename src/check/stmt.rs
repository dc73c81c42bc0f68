//! Statements, one function for each form. Each says whether control can reach its end.

use crate::ast::tree::{self, Block, ExprKind, Name, NameList, Rhs, StmtId, StmtKind as Form};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Await, AwaitKind, BinaryOp, ErrorKind, ExprId, ExprKind as Ir, Loop, PreemptKind, StmtKind,
    TypeId, Types,
};
use crate::source::Span;

use super::Checker;
use super::assign::count;
use super::body::{Atomic, Frame};
use super::build::read_as;
use super::calls::Destination;
use super::lower::Val;
use super::names::{Bound, Fixed};
use super::typed::{Bounds, Effects, NodeId, Ty};

impl Checker<'_> {
    /// The statements of a block, in a scope of their own.
    pub(super) fn block(&mut self, block: Block) -> bool {
        self.names.enter();
        let falls = self.statements(block);
        self.names.leave();
        falls
    }

    /// The statements of a block, in the scope at hand.
    pub(super) fn statements(&mut self, block: Block) -> bool {
        let stmts = self.modules[self.names.module].ast.stmt_list(block.stmts);
        let Some(end) = stmts.iter().position(|&s| !self.statement(s)) else {
            return true;
        };
        if let Some(&dead) = stmts.get(end + 1) {
            let (before, dead) = (self.stmt_span(stmts[end]), self.stmt_span(dead));
            self.report(
                Diagnostic::warning("unreachable", dead, "nothing reaches this statement")
                    .label("never run")
                    .related(before, "control does not pass here"),
            );
        }
        // Checked for errors, and thrown away.
        self.in_block(|c| stmts[end + 1..].iter().for_each(|&s| _ = c.statement(s)));
        false
    }

    fn stmt_span(&self, id: StmtId) -> Span {
        self.modules[self.names.module].ast.stmt(id).span
    }

    fn statement(&mut self, id: StmtId) -> bool {
        let stmt = self.modules[self.names.module].ast.stmt(id);
        let mark = self.nodes.len();
        self.body.span = stmt.span;
        self.broken = false;
        let falls = self.statement_kind(stmt);
        self.nodes.truncate(mark);
        self.body.release_temps();
        falls
    }

    fn statement_kind(&mut self, stmt: tree::Stmt) -> bool {
        let span = stmt.span;
        match stmt.kind {
            Form::Error | Form::Skip => {}
            Form::Assign(targets, rhs) => self.assignment(targets, rhs, span),
            Form::Havoc(targets) => self.havoc(targets),
            Form::Assume(cond) => _ = self.condition(cond).map(|c| self.emit(StmtKind::Assume(c))),
            Form::Assert(cond, message) => self.assertion(cond, message),
            Form::If(cond, yes, no) => return self.if_else(cond, yes, no, span),
            Form::While(cond, body) => return self.while_loop(cond, body, span),
            Form::For(name, lo, hi, body) => self.for_loop(name, lo, hi, body, span),
            Form::Block(block) => return self.block(block),
            Form::Break => return self.leave_loop(span, true),
            Form::Continue => return self.leave_loop(span, false),
            Form::Return(value) => return self.returns(value, span),
            Form::Call(target, name, args) => {
                let target =
                    target.map_or(Destination::Nowhere, |t| Destination::Place(self.target(t)));
                self.call(target, name, args, span);
            }
            Form::Post(name, args) => self.post(Destination::Nowhere, name, args, span),
            Form::Op(expr) => self.operation_statement(expr, span),
            Form::Join(task) => self.join(task, span),
            Form::Yield => self.yields(PreemptKind::Yield, "`yield`", span),
            Form::Sleep => self.yields(PreemptKind::Sleep, "`sleep`", span),
            Form::Await(cond, body) => return self.await_statement(cond, body, span),
            Form::Atomic(block) => return self.atomic(block, span),
            Form::Var(names, ty, value) => self.variables(names, ty, value, span),
            Form::Let(name, ty, value) => self.let_variable(name, ty, value, span),
        }
        true
    }

    /// Types and lowers a condition; `None` if something is wrong with it.
    fn condition(&mut self, cond: tree::ExprId) -> Option<ExprId> {
        let node = self.typed(cond, Some(Types::BOOL));
        self.touch(&[node]);
        (!self.broken).then(|| self.lower(node).id)
    }

    /// A condition that is tested while a task is blocked: one atomic test, without choices.
    /// Returns its checks and its value.
    pub(super) fn blocking_condition(
        &mut self,
        cond: tree::ExprId,
        what: &str,
    ) -> Option<(crate::ir::Block, ExprId)> {
        let node = self.typed(cond, Some(Types::BOOL));
        self.refuse_choice(node, what);
        if self.broken {
            return None;
        }
        let outer = std::mem::replace(&mut self.body.in_condition, true);
        let (checks, value) = self.in_block(|c| c.lower(node).id);
        self.body.in_condition = outer;
        Some((checks, value))
    }

    fn refuse_choice(&mut self, node: NodeId, what: &str) {
        if self.effects(node).has(Effects::CHOOSES) && !self.broken {
            self.report(
                Diagnostic::error(
                    "choice-in-condition",
                    self.span(node),
                    format!("`*` cannot stand in {what}"),
                )
                .label("whether the task is blocked would be arbitrary")
                .note("choose before, into a variable"),
            );
        }
    }

    fn assertion(&mut self, cond: tree::ExprId, message: Option<tree::StringId>) {
        let Some(cond) = self.condition(cond) else {
            return;
        };
        let text = match message {
            Some(id) => self.modules[self.names.module].ast.strings[id.0 as usize].clone(),
            None => "assertion failed".to_owned(),
        };
        self.emit(StmtKind::Check(ErrorKind::Assertion, cond, text));
    }

    /// The span of a statement's head, up to the end of an expression.
    fn head(&self, span: Span, last: tree::ExprId) -> Span {
        Span::new(
            span.start,
            self.modules[self.names.module].ast.expr(last).span.end,
        )
    }

    fn if_else(&mut self, cond: tree::ExprId, yes: Block, no: Option<StmtId>, span: Span) -> bool {
        let head = self.head(span, cond);
        self.body.span = head;
        let cond = self.condition(cond);
        let (yes, yes_falls) = self.in_block(|c| c.block(yes));
        let (no, no_falls) = self.in_block(|c| no.is_none_or(|no| c.statement(no)));
        self.body.span = head;
        match cond.and_then(|c| self.build.literal(c)) {
            Some(0) => {
                self.body.block.extend(no);
                no_falls
            }
            Some(_) => {
                self.body.block.extend(yes);
                yes_falls
            }
            None => {
                if let Some(cond) = cond {
                    self.emit(StmtKind::If(cond, yes, no));
                }
                yes_falls || no_falls
            }
        }
    }

    fn while_loop(&mut self, cond: tree::ExprId, body: Block, span: Span) -> bool {
        let head = self.head(span, cond);
        self.body.span = head;
        let (pre, cond) = self.in_block(|c| c.condition(cond));
        let id = self.body.new_loop();
        self.body.loops.push(Frame {
            id,
            has_break: false,
        });
        let (body, _) = self.in_block(|c| c.block(body));
        let has_break = self.body.loops.pop().is_some_and(|f| f.has_break);
        self.body.span = head;
        let Some(cond) = cond else { return true };
        if self.build.is_false(cond) && pre.is_empty() {
            return true;
        }
        let endless = self.build.is_true(cond);
        self.emit(StmtKind::Loop(Box::new(Loop {
            id,
            pre,
            cond,
            body,
            step: Vec::new(),
        })));
        !endless || has_break
    }

    fn for_loop(
        &mut self,
        name: Name,
        lo: tree::ExprId,
        hi: tree::ExprId,
        body: Block,
        span: Span,
    ) {
        let head = self.head(span, hi);
        self.body.span = head;
        let ends = self.loop_bounds(lo, hi);
        let (ty, bounds) = ends.map_or((Types::INT, None), |(ty, lo, hi)| {
            (ty, between(lo.bounds, hi.bounds))
        });
        let text = self.text(name).to_owned();
        let variable = self.body.local(text, ty, false);
        let start = ends.map(|(ty, lo, hi)| self.start_loop(variable, ty, lo, hi));
        let id = self.body.new_loop();
        self.body.loops.push(Frame {
            id,
            has_break: false,
        });
        let (body, ()) = self.in_block(|c| {
            c.names.enter();
            c.bind(
                name,
                Bound::Local {
                    id: variable,
                    ty,
                    bounds,
                    fixed: Some(Fixed::For),
                },
            );
            c.block(body);
            c.names.leave();
        });
        self.body.loops.pop();
        self.body.span = head;
        if let Some((cond, step)) = start {
            self.emit(StmtKind::Loop(Box::new(Loop {
                id,
                pre: Vec::new(),
                cond,
                body,
                step,
            })));
        }
    }

    /// The bounds of a `for`, evaluated, and their type.
    fn loop_bounds(&mut self, lo: tree::ExprId, hi: tree::ExprId) -> Option<(TypeId, Val, Val)> {
        let (lo, hi) = (self.synth(lo), self.synth(hi));
        let ty = self.common_number(lo, hi);
        self.touch(&[lo, hi]);
        if self.broken {
            return None;
        }
        let lo = self.lower(lo);
        let hi = self.lower(hi);
        Some((ty, lo, hi))
    }

    /// The type that two numbers have in common; `int` if both are literals.
    fn common_number(&mut self, l: NodeId, r: NodeId) -> TypeId {
        for (one, other) in [(l, r), (r, l)] {
            if let Ty::Value(ty) = self.ty(one) {
                self.require_number(one);
                let ty = read_as(self.build.types(), ty);
                if let Ty::Value(second) = self.ty(other)
                    && !self.compatible(second, ty)
                {
                    self.mismatch(other, second, ty);
                } else {
                    self.push(other, ty);
                }
                return ty;
            }
        }
        self.push(l, Types::INT);
        self.push(r, Types::INT);
        Types::INT
    }

    /// Gives the variable of a `for` its first value. Returns the loop's condition and its step.
    ///
    /// A machine integer may end at its type's greatest number, where another step would
    /// begin anew: there a flag says whether to go on.
    fn start_loop(
        &mut self,
        variable: crate::ir::LocalId,
        ty: TypeId,
        lo: Val,
        hi: Val,
    ) -> (ExprId, crate::ir::Block) {
        let end = self.loop_end(hi.id, ty);
        let whole = self.build.types().bounds(ty);
        let can_pass = whole.is_none_or(|w| hi.bounds.is_some_and(|b| b.1 < w.1));
        if can_pass {
            self.store_local(variable, lo.id);
            let i = self.read_local(variable);
            let cond = self.build.binary(BinaryOp::Le, i, end);
            let (step, ()) = self.in_block(|c| c.increment(variable, ty));
            return (cond, step);
        }
        let flag = self.body.local(String::new(), Types::BOOL, true);
        self.store_local(variable, lo.id);
        let i = self.read_local(variable);
        let first = self.build.binary(BinaryOp::Le, i, end);
        self.assign_local(flag, first);
        let more = self.build.binary(BinaryOp::Lt, i, end);
        let cond = self.read_local(flag);
        let (step, ()) = self.in_block(|c| {
            c.assign_local(flag, more);
            let (yes, ()) = c.in_block(|c| c.increment(variable, ty));
            c.emit(StmtKind::If(cond, yes, Vec::new()));
        });
        (cond, step)
    }

    /// The last value of a `for`, kept where the body cannot change it.
    fn loop_end(&mut self, hi: ExprId, ty: TypeId) -> ExprId {
        if self.build.is_constant(hi) {
            return hi;
        }
        let end = self.body.local(String::new(), ty, true);
        self.store_local(end, hi);
        self.read_local(end)
    }

    fn increment(&mut self, variable: crate::ir::LocalId, ty: TypeId) {
        let i = self.read_local(variable);
        let one = self.build.int(1, ty);
        let next = self.build.binary(BinaryOp::Add, i, one);
        self.assign_local(variable, next);
    }

    fn leave_loop(&mut self, span: Span, leave: bool) -> bool {
        match self.body.loops.last_mut() {
            Some(frame) if leave => {
                frame.has_break = true;
                let id = frame.id;
                self.emit(StmtKind::Break(id));
            }
            Some(frame) => {
                let id = frame.id;
                self.emit(StmtKind::Continue(id));
            }
            None => {
                let word = if leave { "break" } else { "continue" };
                self.report(
                    Diagnostic::error("not-in-loop", span, format!("`{word}` stands in no loop"))
                        .label("there is nothing to leave here"),
                );
            }
        }
        false
    }

    fn returns(&mut self, value: Option<tree::ExprId>, span: Span) -> bool {
        let Some(value) = value else {
            if self.body.has_result_type {
                self.report(
                    Diagnostic::error(
                        "return-type",
                        span,
                        "`return` without a value in a procedure that returns one",
                    )
                    .label("a value is needed"),
                );
            } else {
                self.emit(StmtKind::Return(None));
            }
            return false;
        };
        if !self.body.has_result_type {
            let node = self.synth(value);
            self.report(
                Diagnostic::error(
                    "return-type",
                    self.span(node),
                    "`return` with a value where none is expected",
                )
                .label("nothing is returned here")
                .note("a procedure that returns a value says its type: `proc p(…): int`"),
            );
            return false;
        }
        let result = self.body.result;
        let node = match result {
            Some(ty) => self.typed(value, Some(ty)),
            None => self.synth(value),
        };
        self.touch(&[node]);
        if let (false, Some(ty)) = (self.broken, result) {
            let value = self.lower_into(node, ty);
            self.emit(StmtKind::Return(Some(value)));
        }
        false
    }

    fn operation_statement(&mut self, expr: tree::ExprId, span: Span) {
        match self.without_parens(expr).kind {
            ExprKind::Method(object, name, args) => {
                self.operation(Destination::Nowhere, object, name, args, span);
            }
            _ => _ = self.synth(expr),
        }
    }

    fn yields(&mut self, kind: PreemptKind, what: &'static str, span: Span) {
        self.waits(what, span);
        self.emit(StmtKind::Preempt(kind));
    }

    fn join(&mut self, task: tree::ExprId, span: Span) {
        self.waits("`join`", span);
        let node = self.typed(task, Some(Types::TASK));
        self.refuse_choice(node, "`join`");
        if self.broken {
            return;
        }
        // Where accesses are steps, reading the handle is one; else it is read when the condition is tested.
        let split = self.splits().then(|| self.lower(node).id);
        self.body.in_condition = true;
        let span = self.span(node);
        let (checks, handle) = self.in_block(|c| {
            let handle = split.unwrap_or_else(|| c.lower(node).id);
            c.joinable(handle, span);
            handle
        });
        self.body.in_condition = false;
        let cond = self.build.add(Ir::Finished(handle), Types::BOOL);
        self.emit(StmtKind::Await(Box::new(Await {
            kind: AwaitKind::Join,
            checks,
            cond,
            body: Vec::new(),
        })));
    }

    /// A task that can be waited for: one that exists, and not oneself.
    fn joinable(&mut self, handle: ExprId, span: Span) {
        let none = self.build.no_task();
        let own = self.build.self_task();
        for (other, message) in [(none, "`join` of no task"), (own, "a task joins itself")] {
            let equal = self.build.binary(BinaryOp::Eq, handle, other);
            let cond = self.build.not(equal);
            self.check(ErrorKind::Stuck, cond, span, || message.to_owned());
        }
    }

    fn await_statement(&mut self, cond: tree::ExprId, body: Option<Block>, span: Span) -> bool {
        self.waits("`await`", span);
        let head = self.head(span, cond);
        let condition = self.blocking_condition(cond, "the condition of an `await`");
        let outer = self.body.atomic.replace(Atomic::Await);
        let (body, falls) = self.in_block(|c| body.is_none_or(|b| c.block(b)));
        self.body.atomic = outer;
        self.body.span = head;
        if let Some((checks, cond)) = condition {
            self.emit(StmtKind::Await(Box::new(Await {
                kind: AwaitKind::Await,
                checks,
                cond,
                body,
            })));
        }
        falls
    }

    fn atomic(&mut self, block: Block, span: Span) -> bool {
        if self.body.atomic.is_some() {
            return self.block(block);
        }
        let keyword = Span::new(span.start, span.start + "atomic".len() as u32);
        self.body.span = keyword;
        self.atomic_point();
        self.body.atomic = Some(Atomic::Block);
        let (block, falls) = self.in_block(|c| c.block(block));
        self.body.atomic = None;
        self.body.span = keyword;
        self.emit(StmtKind::Atomic(block));
        falls
    }

    fn variables(
        &mut self,
        names: NameList,
        ty: Option<tree::TypeId>,
        value: Option<Rhs>,
        span: Span,
    ) {
        let ast = self.modules[self.names.module].ast;
        let names = ast.names(names);
        let declared = ty.map(|ty| self.value_type(ty, "a local variable"));
        match value {
            None => {
                for &name in names {
                    let bound = self.uninitialised(name, declared.flatten());
                    self.bind(name, bound);
                }
            }
            Some(Rhs::Exprs(values)) => {
                let values = ast.expr_list(values);
                if values.len() != 1 && values.len() != names.len() {
                    let message = format!(
                        "{} for {}",
                        count(values.len(), "value"),
                        count(names.len(), "variable")
                    );
                    self.report(
                        Diagnostic::error("assignment-count", span, message)
                            .label("must be one, or as many"),
                    );
                }
                let bounds: Vec<Bound> = names
                    .iter()
                    .enumerate()
                    .map(|(i, &name)| {
                        let value = values.get(i).or(values.first()).copied();
                        value.map_or(Bound::Bad, |v| self.initialised(name, declared, v, None))
                    })
                    .collect();
                for (&name, bound) in names.iter().zip(bounds) {
                    self.bind(name, bound);
                }
            }
            Some(rhs) => self.variable_from_call(names, declared, rhs, None, span),
        }
    }

    fn let_variable(&mut self, name: Name, ty: Option<tree::TypeId>, value: Rhs, span: Span) {
        let declared = ty.map(|ty| self.value_type(ty, "a local variable"));
        match value {
            Rhs::Exprs(values) => {
                let values = self.modules[self.names.module].ast.expr_list(values);
                let bound = match values {
                    &[value] => self.initialised(name, declared, value, Some(Fixed::Let)),
                    _ => {
                        let message = format!("{} for one variable", count(values.len(), "value"));
                        self.report(Diagnostic::error("assignment-count", span, message));
                        Bound::Bad
                    }
                };
                self.bind(name, bound);
            }
            rhs => self.variable_from_call(&[name], declared, rhs, Some(Fixed::Let), span),
        }
    }

    fn uninitialised(&mut self, name: Name, ty: Option<TypeId>) -> Bound {
        let Some(ty) = ty else { return Bound::Bad };
        let text = self.text(name).to_owned();
        let id = self.body.local(text, ty, false);
        let place = self.local_place(id);
        self.any_value(place);
        Bound::Local {
            id,
            ty,
            bounds: None,
            fixed: None,
        }
    }

    /// A local with an initial value. The value is evaluated before the name means the local.
    fn initialised(
        &mut self,
        name: Name,
        declared: Option<Option<TypeId>>,
        value: tree::ExprId,
        fixed: Option<Fixed>,
    ) -> Bound {
        let declared = match declared {
            Some(None) => {
                self.synth(value);
                return Bound::Bad;
            }
            Some(ty) => ty,
            None => None,
        };
        if let ExprKind::Method(object, op, args) = self.without_parens(value).kind {
            return self.local_from(name, declared, fixed, |c, to| {
                c.operation(to, object, op, args, c.body.span)
            });
        }
        let node = self.typed(value, declared);
        self.touch(&[node]);
        if self.broken {
            return declared.map_or(Bound::Bad, |ty| self.placeholder(name, ty, fixed));
        }
        let ty = declared.unwrap_or_else(|| read_as(self.build.types(), self.known_type(node)));
        let value = self.lower(node);
        self.fit(value, ty, self.span(node));
        let text = self.text(name).to_owned();
        let id = self.body.local(text, ty, false);
        self.store_local(id, value.id);
        let bounds = if fixed.is_some() { value.bounds } else { None };
        Bound::Local {
            id,
            ty,
            bounds,
            fixed,
        }
    }

    /// A local whose value is wrong, so that its uses are not.
    fn placeholder(&mut self, name: Name, ty: TypeId, fixed: Option<Fixed>) -> Bound {
        let text = self.text(name).to_owned();
        let id = self.body.local(text, ty, false);
        Bound::Local {
            id,
            ty,
            bounds: None,
            fixed,
        }
    }

    fn variable_from_call(
        &mut self,
        names: &[Name],
        declared: Option<Option<TypeId>>,
        rhs: Rhs,
        fixed: Option<Fixed>,
        span: Span,
    ) {
        let &[name] = names else {
            let message = format!("{} for one value", count(names.len(), "variable"));
            self.report(
                Diagnostic::error("assignment-count", span, message)
                    .label("a call and a post give one value"),
            );
            names.iter().for_each(|&n| self.bind(n, Bound::Bad));
            return;
        };
        let bound = match declared {
            Some(None) => Bound::Bad,
            declared => self.local_from(name, declared.flatten(), fixed, |c, to| match rhs {
                Rhs::Call(callee, args) => c.call(to, callee, args, span),
                Rhs::Post(callee, args) => c.post(to, callee, args, span),
                Rhs::Exprs(_) => unreachable!("expressions are no calls"),
            }),
        };
        self.bind(name, bound);
    }

    /// A local that a call, a post or an operation gives its value. Without a type it takes the result's.
    fn local_from(
        &mut self,
        name: Name,
        declared: Option<TypeId>,
        fixed: Option<Fixed>,
        fill: impl FnOnce(&mut Self, Destination),
    ) -> Bound {
        let text = self.text(name).to_owned();
        let id = self.body.local(text, declared.unwrap_or(Types::INT), false);
        let to = if declared.is_some() {
            Destination::Local(id)
        } else {
            Destination::NewLocal(id)
        };
        fill(self, to);
        if self.broken && declared.is_none() {
            return Bound::Bad;
        }
        Bound::Local {
            id,
            ty: self.body.locals[id.index()].ty,
            bounds: None,
            fixed,
        }
    }
}

/// The bounds of the variable of a `for`.
fn between(lo: Bounds, hi: Bounds) -> Bounds {
    let (lo, hi) = (lo?.0, hi?.1);
    Some((lo, hi.max(lo)))
}
