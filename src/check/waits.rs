//! Statements that wait or let other tasks run, and `atomic`, which keeps other tasks out.

use ast::{tree, tree::Block};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{
    Await, AwaitKind, BinaryOp, ErrorKind, ExprId, ExprKind as Ir, Order, PreemptKind, StmtKind,
    Types,
};

use super::Checker;
use super::body::Atomic;
use super::typed::{Effects, NodeId};

impl Checker<'_> {
    /// A condition that is tested while a task is blocked: one atomic test, without choices.
    /// Returns its checks and its value.
    pub(super) fn blocking_condition(
        &mut self,
        cond: tree::ExprId,
        what: &str,
    ) -> Option<(ir::Block, ExprId)> {
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

    pub(super) fn yields(&mut self, kind: PreemptKind, what: &'static str, span: Span) {
        self.waits(what, span);
        self.emit(StmtKind::Preempt(kind));
    }

    pub(super) fn join(&mut self, task: tree::ExprId, span: Span) {
        self.waits("`join`", span);
        let node = self.typed(task, Some(Types::TASK));
        self.refuse_choice(node, "`join`");
        if self.broken {
            return;
        }
        // Where accesses are steps, the read of the handle is one. Otherwise the test of the condition reads the handle.
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
            body: ir::Block::new(),
        })));
    }

    /// Checks that a task can be waited for: it exists, and is not the running task.
    fn joinable(&mut self, handle: ExprId, span: Span) {
        let none = self.build.no_task();
        let own = self.build.self_task();
        for (other, message) in [(none, "`join` of no task"), (own, "a task joins itself")] {
            let equal = self.build.binary(BinaryOp::Eq, handle, other);
            let cond = self.build.not(equal);
            self.check(ErrorKind::Stuck, cond, span, || message.to_owned());
        }
    }

    pub(super) fn await_statement(
        &mut self,
        cond: tree::ExprId,
        body: Option<Block>,
        span: Span,
    ) -> bool {
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

    pub(super) fn atomic(&mut self, block: Block, span: Span) -> bool {
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
        self.emit(StmtKind::Atomic(Order::Whole, block));
        falls
    }
}
