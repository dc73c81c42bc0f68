//! Time, chance, allocations, floating functions, and hints for compilers and verifiers.

use super::{Call, Value};
use crate::{Lowered, Lowerer, refuse};
use c::typed::{BinaryOp as COp, ExprId as CExprId};
use c_memory::{BEFORE_MOVING, BEFORE_READING, IDLE, WATCHED, has_work};
use ir::lower::Lower;
use ir::{BinaryOp, Bits, Step, Type};

impl Lowerer<'_> {
    pub(super) fn other_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        if c_memory::allocates(name).is_some() {
            return self.allocation(call).map(Some);
        }
        match (name, args) {
            ("sleep" | "usleep" | "thrd_sleep" | "nanosleep" | "clock_nanosleep", _) => {
                self.effects(args)?;
                self.pause();
                self.cancellation_point()?;
                self.done(e).map(Some)
            }
            ("__bytes_allocated" | "malloc_usable_size", &[pointer]) => {
                let bytes = self.bytes_allocated(pointer, span)?;
                Ok(Some(Value(Some(bytes))))
            }
            ("clock", []) => self.up_to(e, None).map(|v| Some(Value(Some(v)))),
            ("getpid" | "gettid", []) => self.process_number(call).map(Some),
            ("abs" | "labs" | "llabs" | "__builtin_abs", &[value]) => {
                let value = self.value(value)?;
                let value = self.keep(value);
                let zero = self.build.int(0, self.build.ty(value));
                self.stays(COp::Sub, zero, value, span);
                let below = self.build.binary(BinaryOp::Lt, value, zero);
                let other = self.build.unary(ir::UnaryOp::Neg, value);
                Ok(Some(Value(Some(self.build.ite(below, other, value)))))
            }
            ("free" | "cfree", &[pointer]) => {
                self.free(pointer, span)?;
                Ok(Some(Value(None)))
            }
            ("gettimeofday", &[to, other]) => self.clock(e, (to, other), 1_000_000).map(Some),
            ("clock_gettime" | "__read_clock", &[other, to]) => {
                self.clock(e, (to, other), 1_000_000_000).map(Some)
            }
            ("__library_float_bits", &[value]) => {
                let value = self.value(value)?;
                self.written_bits(value, span).map(|v| Some(Value(Some(v))))
            }
            ("__builtin_expect", &[value, expected]) => {
                let (value, _) = self.pair(value, expected)?;
                Ok(Some(Value(Some(value))))
            }
            _ => Ok(self.function_of_numbers(call)?.map(|v| Value(Some(v)))),
        }
    }

    pub(super) fn chance_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call { name, e, args, .. } = call;
        match (name, args) {
            ("srand" | "srandom" | "srand48", _) => {
                self.effects(args)?;
                Ok(Some(Value(None)))
            }
            ("__number_of_thread", []) => {
                let ty = self.scalar_type(self.unit[e].ty.ty, self.unit[e].span)?;
                let number = self.own_number(self.unit[e].span)?;
                let number = self.converted(number, ty, self.unit[e].span)?;
                Ok(Some(Value(Some(number))))
            }
            (
                "__goblint_assume_join"
                | "__CPROVER_fence"
                | "__builtin_ia32_pause"
                | "__builtin_prefetch",
                _,
            ) => {
                self.effects(args)?;
                Ok(Some(Value(None)))
            }
            (BEFORE_READING | BEFORE_MOVING, [_]) if !self.unit.pushes_back => {
                Ok(Some(Value(None)))
            }
            (WATCHED, [_]) if !self.unit.watches => Ok(Some(Value(None))),
            _ if has_work(self.unit, name) == Some(false) => {
                let ty = self.scalar_type(self.unit[e].ty.ty, self.unit[e].span)?;
                Ok(Some(Value(Some(self.build.int(IDLE, ty)))))
            }
            ("getchar", []) if !self.unit.pushes_back => {
                let most = self.size(255);
                self.up_to(e, Some(most)).map(|v| Some(Value(Some(v))))
            }
            ("rand" | "random", []) => self.chance(e).map(Some),
            ("rand_r", &[seed]) => {
                let found = self.pointed(self.unconverted(seed))?;
                let next = self.any(found.ty);
                self.store(&found, next)?;
                self.chance(e).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `malloc` and its like.
    fn allocation(&mut self, call: Call<'_>) -> Lowered<Value> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let made = self.memory.heap.get(&e);
        let known = made.is_some_and(|m| m.len.is_some() && m.tail.is_none());
        let sizes = c_memory::allocates(name).unwrap_or_default();
        let sizes: Vec<CExprId> = sizes.iter().filter_map(|&i| args.get(i).copied()).collect();
        if c_memory::asked_alignment(self.unit, e) == Some(None)
            && let Some(&align) = args.first()
        {
            let ty = self.pointer_type();
            let align = self.value(align)?;
            let align = self.converted(align, ty, span)?;
            let most = self.build.int(c_memory::OPEN_ALIGNMENT.into(), ty);
            let fits = self.build.binary(BinaryOp::Le, align, most);
            let what = "an alignment of memory is no constant here, and larger than 4096";
            self.cut_unless(fits, what.to_owned())?;
        }
        if known {
            self.effects(&sizes)?;
        }
        self.allocate(e, &sizes, span).map(|v| Value(Some(v)))
    }

    /// Stores any time in an object: seconds, and parts of a second. A second has `parts` of them.
    fn clock(
        &mut self,
        e: CExprId,
        (to, other): (CExprId, CExprId),
        parts: i128,
    ) -> Lowered<Value> {
        self.effects(&[other])?;
        let found = self.pointed(self.unconverted(to))?;
        let span = self.unit[e].span;
        let Type::Record(record) = self.build.types().get(found.ty).clone() else {
            return refuse(span, "a time in this object is");
        };
        let natural = Bits {
            width: 31,
            signed: false,
        };
        let natural = self.build.program.types.intern(Type::Bits(natural));
        for ((at, field), parts) in (0..).zip(&record.fields).zip([None, Some(parts)]) {
            let mut value = self.any(natural);
            if let Some(parts) = parts {
                let parts = self.build.int(parts, natural);
                value = self.build.binary(BinaryOp::Rem, value, parts);
            }
            let value = self.converted(value, field.1, span)?;
            self.store(&found.part(Step::Field(at), field.1), value)?;
        }
        self.done(e)
    }

    /// Returns the number of the process: any, but always the same. The first thread has it, too; the others have the next ones.
    fn process_number(&mut self, call: Call<'_>) -> Lowered<Value> {
        let Call { name, e, span, .. } = call;
        let ty = self.scalar_type(self.unit[e].ty.ty, span)?;
        let global = match self.process {
            Some(global) => global,
            None => {
                let small = self.number_type();
                let global = self.own_global("process.", small);
                let (place, outer) = (
                    self.global_place(global),
                    std::mem::take(&mut self.body.block),
                );
                self.havoc(place);
                let own = std::mem::replace(&mut self.body.block, outer);
                self.initial.extend(own);
                *self.process.insert(global)
            }
        };
        let (number, one) = (self.build.global(global), self.build.int(1, ty));
        let number = self.converted(number, ty, span)?;
        let mut number = self.build.binary(BinaryOp::Add, number, one);
        if name == "gettid" {
            let thread = self.own_number(span)?;
            let thread = self.converted(thread, ty, span)?;
            number = self.build.binary(BinaryOp::Add, number, thread);
        }
        Ok(Value(Some(number)))
    }

    /// Any number that is not negative.
    pub(super) fn chance(&mut self, e: CExprId) -> Lowered<Value> {
        let value = self.input(e)?;
        let zero = self.build.int(0, self.build.ty(value));
        let natural = self.build.binary(BinaryOp::Le, zero, value);
        // An assumption would be a place where other threads may run.
        Ok(Value(Some(self.build.ite(natural, value, zero))))
    }
}
