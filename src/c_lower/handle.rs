//! Handles of threads as numbers: each thread has a number of its own.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, Step, TypeId, Types};

/// The handle of the first thread as a number, and the distance from each to the next.
const FIRST: i128 = 0x6000_0000;
const APART: i128 = 0x1000;

impl Lowerer<'_> {
    /// Notes which number a thread has.
    pub(super) fn numbers(&mut self, handle: ExprId, number: ExprId) {
        let Some((numbers, handles)) = self.handles else {
            return;
        };
        for (global, index, value) in [(numbers, handle, number), (handles, number, handle)] {
            let mut place = self.global_place(global);
            place.path.push(Step::Index(index));
            place.ty = self.build.ty(value);
            self.store_place(place, value);
        }
    }

    /// A handle as a number, or a number as a handle.
    pub(super) fn handle_as_number(
        &mut self,
        value: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let Some((numbers, handles)) = self.handles else {
            return refuse(
                span,
                "a thread's handle as a number (declare it as `pthread_t`) is",
            );
        };
        let what = "the handles of threads are the numbers 0x60000000, 0x60001000 and so on: what happens with others is not found";
        let unsaid = &mut self.build.program.scope.unsaid;
        if !unsaid.iter().any(|(_, said)| said == what) {
            unsaid.push((span, what.to_owned()));
        }
        let (none, long) = (self.build.no_task(), self.pointer_type());
        let (first, apart) = (self.build.int(FIRST, long), self.build.int(APART, long));
        let value = self.keep(value);
        if ty != Types::TASK {
            let numbers = self.build.global(numbers);
            let number = self.build.index(numbers, value);
            let number = self.build.convert(number, long);
            let number = self.build.binary(BinaryOp::Mul, number, apart);
            let number = self.build.binary(BinaryOp::Add, number, first);
            let nobody = self.build.binary(BinaryOp::Eq, value, none);
            let zero = self.build.int(0, long);
            let number = self.build.ite(nobody, zero, number);
            let number = self.keep(number);
            return self.converted(number, ty, span);
        }
        let number = self.converted(value, long, span)?;
        let zero = self.build.int(0, long);
        let nobody = self.build.binary(BinaryOp::Eq, number, zero);
        let from = self.build.binary(BinaryOp::Sub, number, first);
        let index = self.build.binary(BinaryOp::Div, from, apart);
        let rest = self.build.binary(BinaryOp::Rem, from, apart);
        let exact = self.build.binary(BinaryOp::Eq, rest, zero);
        let end = self.build.int(i128::from(self.memory.threads), long);
        let below = self.build.binary(BinaryOp::Lt, index, end);
        let known = self.build.binary(BinaryOp::And, exact, below);
        let either = self.build.binary(BinaryOp::Or, nobody, known);
        self.cut_unless(
            either,
            "a number that is no thread's handle is taken for one here".to_owned(),
        )?;
        let index = self.build.ite(nobody, zero, index);
        let handles = self.build.global(handles);
        let handle = self.build.index(handles, index);
        let handle = self.build.ite(nobody, none, handle);
        Ok(self.keep(handle))
    }
}
