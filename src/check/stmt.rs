//! Statements, one function for each form. Each says whether control can reach its end.

use ast::{
    tree,
    tree::{Block, ExprKind, StmtId, StmtKind as Form},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{ErrorKind, ExprId, PreemptKind, StmtKind, Types};

use super::Checker;
use super::calls::Destination;

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
        // Control does not come here: these statements are checked for errors, and thrown away.
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
            Form::Error => self.diagnostics.incomplete(),
            Form::Skip => {}
            Form::Assign(targets, rhs) => self.assignment(targets, rhs, span),
            Form::Havoc(targets) => self.havoc(targets),
            Form::Assume(cond) => _ = self.condition(cond).map(|c| self.emit(StmtKind::Assume(c))),
            Form::Assert(cond, message) => self.assertion(cond, message),
            Form::Cover(cond, message) => self.cover(cond, message),
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
    pub(super) fn condition(&mut self, cond: tree::ExprId) -> Option<ExprId> {
        let node = self.typed(cond, Some(Types::BOOL));
        self.touch(&[node]);
        (!self.broken).then(|| self.lower(node).id)
    }

    fn assertion(&mut self, cond: tree::ExprId, message: Option<tree::StringId>) {
        let Some(cond) = self.condition(cond) else {
            return;
        };
        let text = match message {
            Some(id) => self.modules[self.names.module].ast.strings[id.0 as usize].clone(),
            None => "assertion failed".to_owned(),
        };
        self.emit(StmtKind::Check(ErrorKind::Assertion, cond, text.into()));
    }

    /// The span of a statement's head, up to the end of an expression.
    pub(super) fn head(&self, span: Span, last: tree::ExprId) -> Span {
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
}
