//! Threads: created, joined, ended.

use super::{Call, Value, Where};
use crate::{Lowered, Lowerer, Refused, Role, Version, calls, refuse};
use base::source::Span;
use c::sema::SPAWN;
use c::typed::{Conversion, ExprId as CExprId, ExprKind as C, FunctionId};
use c::types::Library;
use c_memory::{Memory, Target};
use ir::lower::Lower;
use ir::{
    AwaitKind, Behind, BinaryOp, Block, ErrorKind, ExprId, ExprKind, Place, PreemptKind, Root,
    Step, StmtKind, Type, Types,
};
use thin_vec::thin_vec;

impl Lowerer<'_> {
    pub(super) fn thread_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let value = match (name, args) {
            ("pthread_create", &[thread, attributes, start, arg]) => {
                let attributes = Some(attributes).filter(|&a| !self.is_null(a));
                if let Some(attributes) = attributes {
                    self.object(attributes, Library::ThreadAttr)?;
                }
                let place = self.place_for_handle(thread)?;
                let state = match attributes {
                    Some(attributes) => self.made_detached(attributes)?,
                    None => None,
                };
                self.create(start, arg, (Some(&place), state), span)?;
                self.done(e)?
            }
            ("__VERIFIER_spawn", &[start, arg]) => {
                let handle = self.create(start, arg, (None, None), span)?;
                Value(Some(handle))
            }
            // That the threads are alike is a hint for other tools.
            ("__VERIFIER_spawn_symmetric", &[start, arg, like]) => {
                self.effect(like)?;
                let handle = self.create(start, arg, (None, None), span)?;
                Value(Some(handle))
            }
            (SPAWN, &[start, arg]) => {
                self.create(start, arg, (None, None), span)?;
                Value(None)
            }
            ("pthread_join", &[thread, result]) => {
                self.join_for(thread, result, span)?;
                self.done(e)?
            }
            ("pthread_self", []) => Value(Some(self.build.self_task())),
            ("pthread_equal", &[l, r]) => {
                let (l, r) = self.pair(l, r)?;
                let equal = self.build.binary(BinaryOp::Eq, l, r);
                let ty = self.scalar_type(self.unit[e].ty.ty, span)?;
                Value(Some(self.number(equal, ty)))
            }
            ("pthread_detach", &[thread]) if self.gone.is_some() => {
                let handle = self.thread_of(thread)?;
                let handle = self.keep(handle);
                self.detaches(handle, e)?
            }
            ("pthread_detach", &[thread]) => {
                self.effect(thread)?;
                self.done(e)?
            }
            ("pthread_yield" | "sched_yield" | "thrd_yield", []) => {
                self.pause();
                self.done(e)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Whether a thread has ended, as a number.
    pub(super) fn has_finished(&mut self, thread: CExprId, e: CExprId) -> Lowered<Value> {
        let handle = self.thread_of(thread)?;
        let handle = self.keep(handle);
        if !self.body.atomic {
            self.emit(StmtKind::Preempt(PreemptKind::Implicit));
        }
        let finished = self.build.add(ExprKind::Finished(handle), Types::BOOL);
        let ty = self.scalar_type(self.unit[e].ty.ty, self.unit[e].span)?;
        let finished = self.number(finished, ty);
        Ok(Value(Some(self.keep(finished))))
    }

    pub(super) fn pause(&mut self) {
        if !self.body.atomic {
            self.emit(StmtKind::Preempt(PreemptKind::Sleep));
        }
    }

    /// Makes a thread and returns its handle. Stores the handle, and whether the thread is detached, before the thread runs.
    pub(super) fn create(
        &mut self,
        start: CExprId,
        arg: CExprId,
        (into, state): (Option<&Where>, Option<ExprId>),
        span: Span,
    ) -> Lowered<ExprId> {
        if self.body.atomic {
            return self.in_turn(span, "a thread that begins in an atomic section is");
        }
        let chosen = self.value(start)?;
        let (chosen, arg) = if self.acts(arg) {
            (self.keep(chosen), self.value(arg)?)
        } else {
            (chosen, self.value(arg)?)
        };
        let (chosen, arg) = (self.keep(chosen), self.keep(arg));
        let functions = self.start_routines(start)?;
        let handle = self.temporary(Types::TASK);
        self.in_one_step(|l| {
            let number = l.next_number()?;
            l.start_one(&functions, chosen, (arg, number), handle, span)?;
            if let Some(number) = number {
                let handle = l.read_local(handle);
                l.numbers(handle, number);
            }
            let handle = l.read_local(handle);
            l.inherits_mask(handle);
            if let Some(state) = state
                && let Some(place) = l.gone_of(handle)
            {
                l.store_place(place, state);
            }
            match into {
                Some(place) if place.ty != Types::TASK => {
                    let number = l.handle_as_number(handle, place.ty, span)?;
                    l.store(place, number)
                }
                Some(place) => l.store(place, handle),
                None => Ok(()),
            }
        })?;
        Ok(self.read_local(handle))
    }

    /// Returns the number of the thread that begins. Executions end where none is left.
    fn next_number(&mut self) -> Lowered<Option<ExprId>> {
        let Some(counter) = self.counter else {
            return Ok(None);
        };
        let place = self.global_place(counter);
        self.count(&place, 1);
        let number = self.peek(&place);
        let number = self.keep(number);
        let end = self.build.int(i128::from(self.memory.threads), place.ty);
        let within = self.build.binary(BinaryOp::Lt, number, end);
        let what = format!("more than {} threads are made here", self.memory.threads);
        self.unless(within, |l| l.unknown_if(what, Behind::Threads));
        Ok(Some(number))
    }

    fn start_one(
        &mut self,
        functions: &[FunctionId],
        chosen: ExprId,
        (arg, number): (ExprId, Option<ExprId>),
        handle: ir::LocalId,
        span: Span,
    ) -> Lowered<()> {
        let Some((&function, rest)) = functions.split_first() else {
            self.never(ErrorKind::Deref, "a thread begins at no function");
            let place = self.local_place(handle);
            let none = self.build.no_task();
            self.store_place(place, none);
            return Ok(());
        };
        let ty = self.build.ty(chosen);
        let own = self
            .build
            .int(i128::from(Memory::function_address(function)), ty);
        let guard = self.build.binary(BinaryOp::Eq, chosen, own);
        let (yes, ()) = self.apart(|l| l.post(function, arg, number, handle, span))?;
        if self.build.is_true(guard) {
            self.body.block.extend(yes);
            return Ok(());
        }
        let (no, ()) = self.apart(|l| l.start_one(rest, chosen, (arg, number), handle, span))?;
        self.emit(StmtKind::If(guard, yes, no));
        Ok(())
    }

    fn post(
        &mut self,
        function: FunctionId,
        arg: ExprId,
        number: Option<ExprId>,
        handle: ir::LocalId,
        span: Span,
    ) -> Lowered<()> {
        let unit = self.unit;
        let mut args: Vec<ExprId> = number.into_iter().collect();
        match unit[function].params.as_slice() {
            [] => {}
            &[param] => {
                let ty = self.scalar_type(unit[param].ty.ty, span)?;
                let arg = self.converted(arg, ty, span)?;
                args.push(arg);
            }
            _ => return refuse(span, "a start routine with these parameters is"),
        }
        let id = self.version(Version::new(function, Role::Start, false));
        self.emit(StmtKind::Post(Some(handle), id, args.into()));
        Ok(())
    }

    fn start_routines(&mut self, start: CExprId) -> Lowered<Vec<FunctionId>> {
        let span = self.unit[start].span;
        let mut functions = Vec::new();
        for target in self.memory.targets(start) {
            if let Target::Function(function) = target {
                functions.push(function);
            }
        }
        for &function in &functions {
            let own = &self.unit[function];
            if self.unit.main == Some(function)
                || self.unit.name(own.name).starts_with("__VERIFIER_")
            {
                return refuse(span, "this start routine is");
            }
            if own.body.is_none() {
                self.missing.insert(function);
                return Err(Refused { span, what: None });
            }
        }
        Ok(functions)
    }

    /// Returns the place for a handle: an object for handles, or a number.
    fn place_for_handle(&mut self, to: CExprId) -> Lowered<Where> {
        match c_memory::is_number_for_handle(self.unit, to) {
            true => self.pointed(self.unconverted(to)),
            false => self.object(to, Library::Thread),
        }
    }

    /// The thread that an argument names.
    pub(super) fn thread_of(&mut self, thread: CExprId) -> Lowered<ExprId> {
        if let C::Convert(Conversion::PointerToInt, of) = self.unit[thread].kind
            && let Some(to) = self.unit.types.pointee(self.unit[of].ty.ty)
            && self.unit.types.library(to.ty).is_some()
        {
            let what = "an address in the place of a thread (leave out the `&`)";
            return refuse(self.unit[thread].span, format!("{what} is"));
        }
        let value = self.value(thread)?;
        match self.build.ty(value) {
            Types::TASK => Ok(value),
            _ => self.handle_as_number(value, Types::TASK, self.unit[thread].span),
        }
    }

    fn join(&mut self, thread: CExprId, span: Span) -> Lowered<ExprId> {
        let handle = self.thread_of(thread)?;
        let handle = self.keep(handle);
        let (none, own) = (self.build.no_task(), self.build.self_task());
        for (other, what) in [
            (none, "`pthread_join` of no thread"),
            (own, "a thread joins itself"),
        ] {
            let equal = self.build.binary(BinaryOp::Eq, handle, other);
            let differs = self.build.not(equal);
            self.expect(ErrorKind::Stuck, differs, what);
        }
        self.joins(handle)?;
        let finished = self.build.add(ExprKind::Finished(handle), Types::BOOL);
        self.wait_or_end(
            AwaitKind::Join,
            finished,
            (Block::new(), span),
            Block::new(),
            &mut |_| Ok(()),
        )?;
        self.has_joined(handle)?;
        Ok(handle)
    }

    /// Waits for a thread, and stores its result where `result` points.
    pub(super) fn join_for(&mut self, thread: CExprId, result: CExprId, span: Span) -> Lowered<()> {
        if self.is_null(result) {
            return self.join(thread, span).map(|_| ());
        }
        let mut asked = self.build.bool(true);
        let mut into = if c_memory::direct(self.unit, result).is_some() {
            self.pointed(self.unconverted(result))?
        } else {
            // The pointer may be null at run time. Then the program does not want the result.
            let at = self.value(result)?;
            let at = self.keep(at);
            asked = self.truth(at, span)?;
            let Some(pointee) = self.unit.types.pointee(self.unit[result].ty.ty) else {
                return refuse(span, "the result of a thread here is");
            };
            self.leads_to(at, result, pointee.ty, span)?
        };
        self.keep_indices(&mut into);
        let pointee = self.unit.types.pointee(self.unit[result].ty.ty);
        let int = pointee.is_some_and(|p| !self.is_pointer(p.ty));
        let handle = self.join(thread, span)?;
        let Some(place) = self.result_of(handle) else {
            return refuse(span, "the result of a thread is");
        };
        let value = self.load_place(&place);
        let pointer = self.unit.types.pointer_size() * 8;
        match self.build.types().get(into.ty) {
            Type::Bits(bits) if u64::from(bits.width) == pointer => {}
            // `thrd_join` gives an `int`.
            Type::Bits(bits) if bits.width == 32 && int => {}
            _ => return self.result_does_not_fit(result, span),
        }
        let value = self.converted(value, into.ty, span)?;
        let value = self.keep(value);
        if self.build.is_true(asked) {
            return self.store(&into, value);
        }
        self.store_if(asked, &into, value)
    }

    /// Lowers a join whose result goes into a named object that is too small for a pointer.
    fn result_does_not_fit(&mut self, result: CExprId, span: Span) -> Lowered<()> {
        let place = c_memory::direct(self.unit, result);
        let size = |place: CExprId| c_memory::size_of(self.unit, self.unit[place].ty.ty);
        let short = place.filter(|&place| size(place) < self.unit.types.pointer_size());
        match short.map(|place| &self.unit[place].kind) {
            Some(C::Var(_)) => {
                let what = "a pointer is written here, which reaches beyond the end of the object";
                self.at(span, |l| l.never(ErrorKind::Deref, what));
            }
            Some(_) => {
                let what = "the result of a thread is written over what lies beside an object";
                self.at(span, |l| l.unknown_if(what.to_owned(), Behind::Unknown));
            }
            None => {
                return refuse(
                    span,
                    "the result of a thread in an object of another size (give the address of a `void *`) is",
                );
            }
        }
        Ok(())
    }

    pub(super) fn result_of(&mut self, handle: ExprId) -> Option<Place> {
        let results = self.results?;
        let ty = self.pointer_type();
        Some(Place {
            root: Root::Global(results),
            path: thin_vec![Step::Index(handle)],
            ty,
        })
    }

    /// Keeps a value as the result of the running thread, for a join.
    pub(crate) fn thread_result(&mut self, value: CExprId) -> Lowered<()> {
        let own = self.build.self_task();
        let Some(place) = self.result_of(own) else {
            return self.effect_of_result(value);
        };
        let value = self.value(value)?;
        if !matches!(
            self.build.types().get(self.build.ty(value)),
            Type::Bits(_) | Type::Bool
        ) {
            return Ok(());
        }
        let value = self.converted(value, place.ty, self.body.span)?;
        self.store_place(place, value);
        Ok(())
    }

    /// Ends the running thread here, perhaps within a function that it called.
    pub(crate) fn leave_thread(&mut self) -> Lowered<()> {
        self.is_cancelled_no_more();
        if self.body.role == Role::Called {
            let Some(flag) = self.leaving_flag()? else {
                return refuse(self.body.span, "`pthread_exit` in this function is");
            };
            self.run_handlers()?;
            self.frame_ends()?;
            self.set(&flag, 1);
            self.finish();
            return Ok(());
        }
        if self.handlers_come_later() {
            let what = "`atexit` in a program whose `main` ends by `pthread_exit` is";
            return refuse(self.body.span, what);
        }
        self.run_handlers()?;
        self.end_thread()?;
        self.finish();
        Ok(())
    }

    /// Whether the program calls `atexit`.
    pub(crate) fn has_handlers(&self) -> bool {
        calls(self.unit, "atexit").next().is_some()
    }

    /// Whether this is `main`, and handlers run after it: at the end of the last thread.
    fn handlers_come_later(&self) -> bool {
        self.body.role == Role::Main && self.has_handlers()
    }

    /// Returns the flag that says whether the running thread has called `pthread_exit` in a called function.
    fn leaving_flag(&mut self) -> Lowered<Option<Place>> {
        let Some(leaving) = self.leaving else {
            return Ok(None);
        };
        let number = self.own_number(self.body.span)?;
        let mut place = self.global_place(leaving);
        place.path.push(Step::Index(number));
        place.ty = Types::BOOL;
        Ok(Some(place))
    }

    /// Leaves the running function after a call, if that call has ended the thread.
    pub(crate) fn leave_if_ended(&mut self) -> Lowered<()> {
        if self.body.atomic || self.body.ends {
            return Ok(());
        }
        let Some(flag) = self.leaving_flag()? else {
            return Ok(());
        };
        let ended = self.peek(&flag);
        self.when(ended, |l| {
            if l.handlers_come_later() {
                let why =
                    "handlers of `atexit` that run after `pthread_exit` in `main` are not followed";
                l.unknown_if(why.to_owned(), Behind::Unknown);
                return Ok(());
            }
            l.run_handlers()?;
            l.frame_ends()?;
            if l.body.role != Role::Called {
                l.run_destructors()?;
                l.ends_as_seen()?;
                l.own_variables_end()?;
            }
            l.finish();
            Ok(())
        })?;
        Ok(())
    }
}
