//! Functions of the library and of verifiers, in the place of their calls.

use super::{Lowered, Lowerer, Role, refuse};
use crate::c::typed::{Conversion, ExprId as CExprId, ExprKind as C, FunctionId};
use crate::c::types::{Library, TypeId as CTypeId};
use crate::ir::{
    Await, AwaitKind, BinaryOp, Block, ErrorKind, ExprId, ExprKind, Place, PreemptKind, Step,
    StmtKind, Type, Types,
};
use crate::source::Span;

/// The value of a call, if it has one.
pub(super) struct Value(pub(super) Option<ExprId>);

/// `EBUSY` and `EAGAIN`
const BUSY: i128 = 16;

impl Lowerer<'_> {
    /// A call that means something by the function's name, whatever its body.
    pub(super) fn library_call(
        &mut self,
        name: &str,
        e: CExprId,
        function: FunctionId,
        args: &[CExprId],
    ) -> Lowered<Option<Value>> {
        let span = self.unit[e].span;
        let own = self.unit[function].body.is_some();
        if self.claims(name, args, own)? || self.ends(name, args, own, span)? {
            return Ok(Some(Value(None)));
        }
        if name.starts_with("__VERIFIER_nondet_") {
            if !args.is_empty() {
                return refuse(span, "this input is");
            }
            return self.input(e).map(|v| Some(Value(Some(v))));
        }
        if own {
            return Ok(None);
        }
        if name.starts_with("pthread_") {
            return self.thread_call(name, e, args, span).map(Some);
        }
        if let Some(value) = self.semaphore_call(name, e, args, span)? {
            return Ok(Some(value));
        }
        self.other_call(name, e, args)
    }

    /// What is claimed or assumed.
    fn claims(&mut self, name: &str, args: &[CExprId], own: bool) -> Lowered<bool> {
        match (name, args) {
            ("reach_error" | "__VERIFIER_error", []) => {
                let never = self.build.bool(false);
                let what = format!("`{name}` is called");
                self.emit(StmtKind::Check(ErrorKind::Assertion, never, what));
            }
            ("__assert_fail", _) => {
                let never = self.build.bool(false);
                let what = "an assertion fails".to_owned();
                self.emit(StmtKind::Check(ErrorKind::Assertion, never, what));
            }
            ("assert", &[claim]) => self.claim(claim)?,
            ("__VERIFIER_assert" | "__goblint_check", &[claim]) if !own => self.claim(claim)?,
            ("__VERIFIER_assume" | "assume_abort_if_not" | "__goblint_assume", &[cond]) => {
                let cond = self.condition(cond)?;
                self.emit(StmtKind::Assume(cond));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn claim(&mut self, claim: CExprId) -> Lowered<()> {
        let cond = self.condition(claim)?;
        let what = "an assertion fails".to_owned();
        self.emit(StmtKind::Check(ErrorKind::Assertion, cond, what));
        Ok(())
    }

    /// What ends the program or the thread.
    fn ends(&mut self, name: &str, args: &[CExprId], own: bool, span: Span) -> Lowered<bool> {
        if own {
            return Ok(false);
        }
        match (name, args) {
            ("abort", []) => self.end_program(),
            ("exit" | "_exit" | "_Exit" | "quick_exit", &[status]) => {
                self.effect(status)?;
                self.end_program();
            }
            ("pthread_exit", &[result]) => {
                if self.body.role == Role::Called || self.body.section {
                    return refuse(span, "`pthread_exit` in a function that a thread calls is");
                }
                self.effect_of_result(result)?;
                self.finish();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Any value of the type that a call has.
    fn input(&mut self, e: CExprId) -> Lowered<ExprId> {
        let (ty, span) = (self.unit[e].ty.ty, self.unit[e].span);
        if self.is_pointer(ty) {
            return refuse(span, "a pointer as input is");
        }
        let ty = self.scalar_type(ty, span)?;
        Ok(self.any(ty))
    }

    fn thread_call(
        &mut self,
        name: &str,
        e: CExprId,
        args: &[CExprId],
        span: Span,
    ) -> Lowered<Value> {
        match (name, args) {
            ("pthread_create", &[thread, attributes, start, arg]) => {
                self.null(attributes, "a thread with attributes is")?;
                self.create(thread, start, arg, span)?;
            }
            ("pthread_join", &[thread, result]) => {
                self.null(result, "the result of a thread is")?;
                self.join(thread, span)?;
            }
            ("pthread_self", []) => return Ok(Value(Some(self.build.self_task()))),
            ("pthread_equal", &[l, r]) => {
                let (l, r) = self.pair(l, r)?;
                let equal = self.build.binary(BinaryOp::Eq, l, r);
                let ty = self.scalar_type(self.unit[e].ty.ty, span)?;
                return Ok(Value(Some(self.number(equal, ty))));
            }
            ("pthread_mutex_init", &[mutex, attributes]) => {
                self.null(attributes, "a mutex with attributes is")?;
                let place = self.object(mutex, Library::Mutex)?;
                let off = self.build.bool(false);
                self.store(place, off);
            }
            ("pthread_mutex_destroy", &[mutex]) => {
                self.object(mutex, Library::Mutex)?;
            }
            ("pthread_mutex_lock", &[mutex]) => {
                let place = self.object(mutex, Library::Mutex)?;
                let held = self.peek(&place);
                let free = self.build.not(held);
                let on = self.build.bool(true);
                let (body, ()) = self.apart(|l| {
                    l.store(place, on);
                    Ok(())
                })?;
                self.wait(AwaitKind::Await, free, body, span)?;
            }
            ("pthread_mutex_unlock", &[mutex]) => {
                let place = self.object(mutex, Library::Mutex)?;
                let off = self.build.bool(false);
                self.store(place, off);
            }
            ("pthread_mutex_trylock", &[mutex]) => {
                let place = self.object(mutex, Library::Mutex)?;
                let ty = self.scalar_type(self.unit[e].ty.ty, span)?;
                let held = self.in_one_step(|l| {
                    let held = l.load(&place);
                    let on = l.build.bool(true);
                    l.store(place, on);
                    Ok(held)
                })?;
                let (busy, done) = (self.build.int(BUSY, ty), self.build.int(0, ty));
                let result = self.build.ite(held, busy, done);
                return Ok(Value(Some(self.keep(result))));
            }
            ("pthread_yield", []) => self.pause(),
            _ => return refuse(span, format!("`{name}` is")),
        }
        self.done(e)
    }

    fn semaphore_call(
        &mut self,
        name: &str,
        e: CExprId,
        args: &[CExprId],
        span: Span,
    ) -> Lowered<Option<Value>> {
        let one = self.build.int(1, Types::INT);
        let zero = self.build.int(0, Types::INT);
        match (name, args) {
            ("sem_init", &[semaphore, shared, count]) => {
                let mut place = self.object(semaphore, Library::Semaphore)?;
                self.keep_indices(&mut place);
                self.effect(shared)?;
                let count = self.value(count)?;
                let count = self.build.convert(count, Types::INT);
                self.store(place, count);
            }
            ("sem_destroy", &[semaphore]) => {
                self.object(semaphore, Library::Semaphore)?;
            }
            ("sem_wait", &[semaphore]) => {
                let place = self.object(semaphore, Library::Semaphore)?;
                let count = self.peek(&place);
                let some = self.build.binary(BinaryOp::Lt, zero, count);
                let less = self.build.binary(BinaryOp::Sub, count, one);
                let (body, ()) = self.apart(|l| {
                    l.store(place, less);
                    Ok(())
                })?;
                self.wait(AwaitKind::Await, some, body, span)?;
            }
            ("sem_post", &[semaphore]) => {
                let place = self.object(semaphore, Library::Semaphore)?;
                self.in_one_step(|l| {
                    let count = l.load(&place);
                    let more = l.build.binary(BinaryOp::Add, count, one);
                    l.store(place, more);
                    Ok(())
                })?;
            }
            _ => return Ok(None),
        }
        self.done(e).map(Some)
    }

    fn other_call(&mut self, name: &str, e: CExprId, args: &[CExprId]) -> Lowered<Option<Value>> {
        match name {
            "printf" | "puts" | "putchar" | "fprintf" | "fflush" | "perror" | "fputs" => {
                for &arg in args {
                    if self.acts(arg) || !self.names_only(arg) {
                        self.effect(arg)?;
                    }
                }
                // Whoever uses the result gets any value; a value that nobody uses is not chosen.
                if self.is_void(self.unit[e].ty.ty) {
                    return Ok(Some(Value(None)));
                }
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            "sleep" | "usleep" | "sched_yield" => {
                for &arg in args {
                    self.effect(arg)?;
                }
                self.pause();
                self.done(e).map(Some)
            }
            "srand" | "srandom" => {
                for &arg in args {
                    self.effect(arg)?;
                }
                Ok(Some(Value(None)))
            }
            "rand" | "random" if args.is_empty() => {
                let value = self.input(e)?;
                let zero = self.build.int(0, self.build.ty(value));
                let natural = self.build.binary(BinaryOp::Le, zero, value);
                self.emit(StmtKind::Assume(natural));
                Ok(Some(Value(Some(value))))
            }
            "time" if args.len() == 1 => {
                self.null(args[0], "a time that is stored is")?;
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            _ => Ok(None),
        }
    }

    fn pause(&mut self) {
        if !self.body.atomic {
            self.emit(StmtKind::Preempt(PreemptKind::Sleep));
        }
    }

    /// The result of a call that always succeeds.
    fn done(&mut self, e: CExprId) -> Lowered<Value> {
        let (ty, span) = (self.unit[e].ty.ty, self.unit[e].span);
        if self.is_void(ty) {
            return Ok(Value(None));
        }
        let ty = self.scalar_type(ty, span)?;
        Ok(Value(Some(self.build.scalar(0, ty))))
    }

    /// Refuses an argument that is not the null pointer.
    fn null(&self, arg: CExprId, what: &str) -> Lowered<()> {
        if self.unit.constant(arg) == Some(0) && !self.points_somewhere(arg) {
            return Ok(());
        }
        refuse(self.unit[arg].span, what)
    }

    /// The place of an object of the library that an argument points to by its name.
    fn object(&mut self, arg: CExprId, library: Library) -> Lowered<Place> {
        let found = self.library_of(arg);
        if found != Some(library) {
            return refuse(self.unit[arg].span, "an object that is not named here is");
        }
        self.pointed(arg)
    }

    fn library_of(&self, arg: CExprId) -> Option<Library> {
        let of = |ty: CTypeId| self.unit.types.library(ty);
        match self.unit[arg].kind {
            C::AddressOf(place) => of(self.unit[place].ty.ty),
            C::Decay(array) => of(self.unit.types.element(self.unit[array].ty.ty)?.ty),
            C::Offset { pointer, .. } => self.library_of(pointer),
            C::Convert(Conversion::Same | Conversion::Pointer, of) => self.library_of(of),
            _ => None,
        }
    }

    /// The value in a place, read where it is used.
    fn peek(&mut self, place: &Place) -> ExprId {
        let mut value = match place.root {
            crate::ir::Root::Global(global) => self.build.global(global),
            crate::ir::Root::Local(local) => self.read_local(local),
        };
        for step in &place.path {
            value = match step {
                Step::Field(field) => self.build.field(value, *field),
                Step::Index(index) => self.build.index(value, *index),
            };
        }
        value
    }

    fn wait(&mut self, kind: AwaitKind, cond: ExprId, body: Block, span: Span) -> Lowered<()> {
        if self.body.atomic {
            return refuse(span, "waiting in an atomic section is");
        }
        self.emit(StmtKind::Await(Box::new(Await {
            kind,
            checks: Vec::new(),
            cond,
            body,
        })));
        Ok(())
    }

    fn create(&mut self, thread: CExprId, start: CExprId, arg: CExprId, span: Span) -> Lowered<()> {
        let mut place = self.object(thread, Library::Thread)?;
        if self.acts(arg) {
            self.keep_indices(&mut place);
        }
        let function = self.start_routine(start)?;
        let arg = self.value(arg)?;
        let unit = self.unit;
        let args = match unit[function].params.as_slice() {
            [] => Vec::new(),
            &[param] => {
                let ty = self.scalar_type(unit[param].ty.ty, span)?;
                self.same(arg, ty, span)?;
                vec![arg]
            }
            _ => return refuse(span, "a start routine with these parameters is"),
        };
        let id = self.version((function, Role::Start, false));
        let handle = self.temporary(Types::TASK);
        self.in_one_step(|l| {
            l.emit(StmtKind::Post(Some(handle), id, args));
            let value = l.read_local(handle);
            l.store(place, value);
            Ok(())
        })
    }

    fn start_routine(&self, start: CExprId) -> Lowered<FunctionId> {
        match self.unit[start].kind {
            C::Function(function)
                if self.unit[function].body.is_some()
                    && self.unit.main != Some(function)
                    && !self
                        .unit
                        .name(self.unit[function].name)
                        .starts_with("__VERIFIER_") =>
            {
                Ok(function)
            }
            C::Convert(Conversion::Pointer | Conversion::Same, of) => self.start_routine(of),
            _ => refuse(
                self.unit[start].span,
                "a start routine that is not named is",
            ),
        }
    }

    fn join(&mut self, thread: CExprId, span: Span) -> Lowered<()> {
        let handle = self.value(thread)?;
        if !matches!(self.build.types().get(self.build.ty(handle)), Type::Task) {
            return refuse(span, "this handle of a thread is");
        }
        let handle = self.keep(handle);
        let (none, own) = (self.build.no_task(), self.build.self_task());
        for (other, what) in [
            (none, "`pthread_join` of no thread"),
            (own, "a thread joins itself"),
        ] {
            let equal = self.build.binary(BinaryOp::Eq, handle, other);
            let differs = self.build.not(equal);
            self.emit(StmtKind::Check(ErrorKind::Stuck, differs, what.to_owned()));
        }
        let finished = self.build.add(ExprKind::Finished(handle), Types::BOOL);
        self.wait(AwaitKind::Join, finished, Vec::new(), span)
    }
}
