//! What a program that blocks signals keeps of its threads: our header `<signal.h>` reads and writes it.

use super::{Call, Value};
use crate::{Lowered, Lowerer, refuse};
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, Place, Step, Type, Types, UnaryOp};

/// Sets of signals have a bit for each. These are kept by handle: what a thread blocks, and what waits for it.
const BLOCKED: usize = 0;
const OF_THREADS: usize = 2;
/// The signals that some other thread than the first one may not block.
const OPEN: usize = 2;
/// A signal of the C library. All threads but the first one block it, which tells them apart.
const OF_LIBRARY: i128 = 1 << 31;

impl Lowerer<'_> {
    pub(crate) fn threads_block_signals(&mut self) {
        if !self.unit.blocks_signals {
            return;
        }
        let set = self.counter_type(64);
        let by_handle = Type::Map(Types::TASK, set);
        let by_handle = self.build.program.types.intern(by_handle);
        let sets = [
            ("blocked.", by_handle),
            ("waiting.", by_handle),
            ("open.", set),
        ];
        self.signals = Some(sets.map(|(name, ty)| self.hidden_global(name, ty)));
    }

    /// One of the sets; nothing if the program blocks no signals.
    fn set_of_signals(&mut self, which: usize, thread: ExprId) -> Option<Place> {
        let mut place = self.global_place(self.signals?[which]);
        if which < OF_THREADS {
            place.path.push(Step::Index(thread));
            place.ty = self.counter_type(64);
        }
        Some(place)
    }

    /// A thread that begins blocks what the one that makes it blocks.
    pub(super) fn inherits_mask(&mut self, thread: ExprId) {
        let own = self.build.self_task();
        let sets = [(BLOCKED, own), (BLOCKED, thread), (OPEN, own)];
        let sets = sets.map(|(which, thread)| self.set_of_signals(which, thread));
        let [Some(own), Some(new), Some(open)] = sets else {
            return;
        };
        let mask = self.peek(&own);
        let mask = self.keep(mask);
        let others = self.build.unary(UnaryOp::BitNot, mask);
        let before = self.peek(&open);
        let library = self.build.int(OF_LIBRARY, own.ty);
        for (place, l, r) in [(new, mask, library), (open, before, others)] {
            let both = self.build.binary(BinaryOp::BitOr, l, r);
            self.store_place(place, both);
        }
    }

    /// `__signals_of(thread, which)`, `__set_signals_of(thread, which, set)`
    pub(super) fn signal_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let (thread, which, new) = match (call.name, call.args) {
            ("__signals_of", &[thread, which]) => (thread, which, None),
            ("__set_signals_of", &[thread, which, new]) => (thread, which, Some(new)),
            _ => return Ok(None),
        };
        let which = self.unit.constant(which);
        let which = which.and_then(|n| usize::try_from(n).ok());
        let which = which.filter(|&which| which <= OPEN);
        let thread = self.thread_of(thread)?;
        let thread = self.keep(thread);
        let Some(place) = which.and_then(|which| self.set_of_signals(which, thread)) else {
            return refuse(call.span, "this use of signals is");
        };
        let Some(new) = new else {
            let set = self.peek(&place);
            return Ok(Some(Value(Some(self.keep(set)))));
        };
        let new = self.value(new)?;
        let new = self.converted(new, place.ty, call.span)?;
        self.store_place(place, new);
        Ok(Some(Value(None)))
    }
}
