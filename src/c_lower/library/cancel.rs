//! Handlers that run when a thread ends early, and cancellation, which ends a thread from outside.
//!
//! A cancelled thread ends where it waits, sleeps or calls `pthread_testcancel`, and not where it writes output. With
//! `PTHREAD_CANCEL_ASYNCHRONOUS` it ends before any statement. A `pthread_cleanup_push` has its `pthread_cleanup_pop` in one block.

use super::{Call, Value, Where};
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, FunctionId, StmtId, StmtKind as S};
use c::types::Types as CTypes;
use ir::lower::Lower;
use ir::{AwaitKind, BinaryOp, Block, ErrorKind, ExprId, GlobalId, Place, Step, StmtKind, Types};

/// What a thread does if it ends before the program removes the handler.
#[derive(Clone, Debug)]
pub(crate) enum Handler {
    /// It calls a function.
    Call {
        /// The functions that it may be.
        functions: Vec<FunctionId>,
        chosen: ExprId,
        arg: ExprId,
        span: Span,
    },
    /// It sets the object of `pthread_once` to zero, because the function of that call has not returned.
    NotDone(Where),
}

/// `PTHREAD_CANCEL_DISABLE`
const DISABLE: i128 = 1;
/// `PTHREAD_CANCEL_ASYNCHRONOUS`
const ASYNCHRONOUS: i128 = 1;

impl Lowerer<'_> {
    pub(super) fn cancel_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let value = match (name, args) {
            ("__pthread_cleanup_push", &[function, arg]) => {
                self.push_handler(function, arg, span)?;
                Value(None)
            }
            ("__pthread_cleanup_pop", &[execute]) => {
                self.pop_handler(execute, span)?;
                Value(None)
            }
            ("pthread_cancel", &[thread]) => {
                self.cancel(thread)?;
                self.done(e)?
            }
            ("pthread_testcancel", []) => {
                self.cancellation_point()?;
                Value(None)
            }
            ("pthread_setcancelstate", &[state, old]) => {
                let disabled = self.cancels.map(|(_, disabled)| disabled);
                self.set_mark(disabled, (state, DISABLE), old)?;
                self.done(e)?
            }
            ("pthread_setcanceltype", &[kind, old]) => {
                self.set_mark(self.asynchronous, (kind, ASYNCHRONOUS), old)?;
                if self.asynchronous.is_some() && self.unit.constant(kind) != Some(0) {
                    let what = "a thread that is cancelled asynchronously ends between two statements, not within one";
                    let unsaid = &mut self.build.program.scope.unsaid;
                    unsaid.push((span, what.to_owned()));
                }
                self.done(e)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn push_handler(&mut self, function: CExprId, arg: CExprId, span: Span) -> Lowered<()> {
        let chosen = self.value(function)?;
        let chosen = self.keep(chosen);
        let arg = self.value(arg)?;
        let arg = self.keep(arg);
        let functions = self.functions_of(function);
        self.body.handlers.push(Handler::Call {
            functions,
            chosen,
            arg,
            span,
        });
        Ok(())
    }

    fn pop_handler(&mut self, execute: CExprId, span: Span) -> Lowered<()> {
        let Some(handler) = self.body.handlers.pop() else {
            return refuse(span, "`pthread_cleanup_pop` without `push` is");
        };
        let wanted = self.condition(execute)?;
        if self.build.is_false(wanted) {
            return Ok(());
        }
        self.when(wanted, |l| l.handle(&handler))?;
        Ok(())
    }

    fn handle(&mut self, handler: &Handler) -> Lowered<()> {
        match handler {
            &Handler::Call {
                ref functions,
                chosen,
                arg,
                span,
            } => self.call_one(functions, chosen, &[(arg, CTypes::VOID)], None, span),
            Handler::NotDone(found) => self.in_one_step(|l| {
                let zero = l.zero(found.ty);
                l.store(found, zero)
            }),
        }
    }

    /// Runs the handlers of this function, the last first, because the thread ends here.
    pub(super) fn run_handlers(&mut self) -> Lowered<()> {
        let all = std::mem::take(&mut self.body.handlers);
        let done = all.iter().rev().try_for_each(|h| self.handle(h));
        self.body.handlers = all;
        done
    }

    fn own_mark(&mut self, global: GlobalId, thread: ExprId) -> Place {
        let mut place = self.global_place(global);
        place.path.push(Step::Index(thread));
        place.ty = Types::BOOL;
        place
    }

    fn cancel(&mut self, thread: CExprId) -> Lowered<()> {
        let handle = self.thread_of(thread)?;
        let handle = self.keep(handle);
        let none = self.build.no_task();
        let equal = self.build.binary(BinaryOp::Eq, handle, none);
        let some = self.build.not(equal);
        self.expect(ErrorKind::Stuck, some, "`pthread_cancel` of no thread");
        let Some((cancelled, _)) = self.cancels else {
            return Ok(());
        };
        let place = self.own_mark(cancelled, handle);
        self.in_one_step(|l| {
            l.set(&place, 1);
            Ok(())
        })
    }

    /// Sets a mark of the running thread to whether `number` is `meant`, and stores the mark's old value where `old` points.
    fn set_mark(
        &mut self,
        mark: Option<GlobalId>,
        (number, meant): (CExprId, i128),
        old: CExprId,
    ) -> Lowered<()> {
        let number = self.value(number)?;
        let number = self.keep(number);
        let ty = self.build.ty(number);
        let Some(mark) = mark else {
            // The program cancels no thread, or none asynchronously.
            let never = self.build.int(0, ty);
            return self.give_old(old, never);
        };
        let meant = self.build.int(meant, ty);
        let off = self.build.binary(BinaryOp::Eq, number, meant);
        let own = self.build.self_task();
        let place = self.own_mark(mark, own);
        let before = self.in_one_step(|l| {
            let before = l.peek(&place);
            let before = l.keep(before);
            l.store_place(place.clone(), off);
            Ok(before)
        })?;
        self.give_old(old, before)
    }

    /// Stores the earlier value of a state where the pointer `old` leads, unless `old` is null.
    fn give_old(&mut self, old: CExprId, before: ExprId) -> Lowered<()> {
        if self.is_null(old) {
            return Ok(());
        }
        let give = |l: &mut Self| {
            let into = l.pointed(l.unconverted(old))?;
            let before = l.converted(before, into.ty, l.unit[old].span)?;
            l.store(&into, before)
        };
        if c_memory::direct(self.unit, old).is_some() {
            return give(self);
        }
        let asked = self.condition(old)?;
        self.when(asked, give)
    }

    /// Whether the running thread is to end.
    fn is_cancelled(&mut self) -> Option<ExprId> {
        let (cancelled, disabled) = self.cancels?;
        let own = self.build.self_task();
        let marks = [cancelled, disabled].map(|global| self.own_mark(global, own));
        let [cancelled, disabled] = marks.map(|place| self.peek(&place));
        let wanted = self.build.not(disabled);
        Some(self.build.binary(BinaryOp::And, cancelled, wanted))
    }

    /// Disables cancellation of the running thread, so that its handlers run to their end.
    pub(super) fn is_cancelled_no_more(&mut self) {
        let Some((_, disabled)) = self.cancels else {
            return;
        };
        let own = self.build.self_task();
        let place = self.own_mark(disabled, own);
        self.set(&place, 1);
    }

    /// Ends the running thread here if it was cancelled.
    pub(super) fn cancellation_point(&mut self) -> Lowered<()> {
        let Some(cancelled) = self.is_cancelled().filter(|_| !self.body.atomic) else {
            return Ok(());
        };
        let ends = self.in_one_step(|l| Ok(l.keep(cancelled)))?;
        self.when(ends, Self::end_cancelled)?;
        Ok(())
    }

    /// Ends the running thread before a statement, if it was cancelled and its cancellation is asynchronous.
    pub(crate) fn may_end_before(&mut self, statement: StmtId) -> Lowered<()> {
        let Some(asynchronous) = self.asynchronous.filter(|_| !self.body.atomic) else {
            return Ok(());
        };
        if matches!(&self.unit[statement].kind, S::Block(inner) if !inner.is_empty()) {
            return Ok(());
        }
        let own = self.build.self_task();
        let place = self.own_mark(asynchronous, own);
        let asked = self.peek(&place);
        let Some(cancelled) = self.is_cancelled() else {
            return Ok(());
        };
        let ends = self.build.binary(BinaryOp::And, asked, cancelled);
        let ends = self.in_one_step(|l| Ok(l.keep(ends)))?;
        self.when(ends, Self::end_cancelled)?;
        Ok(())
    }

    /// Waits. A thread that is cancelled meanwhile does `undo` in the same step, then `last`, and ends.
    pub(super) fn wait_or_end(
        &mut self,
        kind: AwaitKind,
        cond: ExprId,
        (body, span): (Block, Span),
        undo: Block,
        last: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let Some(cancelled) = self.is_cancelled() else {
            return self.wait(kind, cond, body, span);
        };
        let ends = self.temporary(Types::BOOL);
        let either = self.build.binary(BinaryOp::Or, cond, cancelled);
        let (body, ()) = self.apart(|l| {
            let to = l.local_place(ends);
            l.store_place(to, cancelled);
            let ends = l.read_local(ends);
            l.emit(StmtKind::If(ends, undo, body));
            Ok(())
        })?;
        self.wait(AwaitKind::Await, either, body, span)?;
        let ends = self.read_local(ends);
        self.when(ends, |l| {
            last(l)?;
            l.end_cancelled()
        })?;
        Ok(())
    }

    /// Ends the running thread because it was cancelled. Its result is `PTHREAD_CANCELED`.
    fn end_cancelled(&mut self) -> Lowered<()> {
        let own = self.build.self_task();
        if let Some(place) = self.result_of(own) {
            let all = ir::arith::convert(self.build.types(), place.ty, -1);
            let value = self.build.int(all, place.ty);
            self.store_place(place, value);
        }
        self.leave_thread()
    }
}
