//! Functions of the library and of verifiers, in the place of their calls.

mod awaits;
mod bits;
mod bytes;
mod c11;
mod cancel;
mod digits;
mod keys;
mod misuse;
mod numbers;
mod other;
mod output;
mod shared;
mod signals;
mod spelled;
mod system;
mod text;
mod threads;

pub(super) use cancel::Handler;
pub(super) use shared::Writing;

use super::place::Where;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, FunctionId, shown};
use c::types::{Library, TypeId as CTypeId};
use ir::lower::Lower;
use ir::{
    Await, AwaitKind, Behind, BinaryOp, Block, ErrorKind, ExprId, Place, Step, StmtKind, Type,
    Types, walk,
};

/// The value of a call, if it has one.
pub(super) struct Value(pub(super) Option<ExprId>);

/// Functions that our headers call: where a text that is read overlaps the one that is written, and where a text is not computed.
const OVERLAPS: &str = "__library_overlap";
const NOT_COMPUTED: &str = "__library_unknown";
/// Functions that our headers call where a program is wrong or something is not modelled, with its description, and where a
/// file is missing.
const WRONG: &str = "__library_wrong";
const NOT_MODELLED: &str = "__library_not_modelled";
const NO_FILE: &str = "__library_no_file";
pub(super) const NO_STREAM: &str = "there is no file to which this could be written";
/// The function that our headers call to note in `errno` why a call failed.
const FAILED: &str = "__library_failed";
pub(super) const OVERLAP: &str = "what is copied here and where it is copied to overlap";

/// A call of the library.
#[derive(Clone, Copy)]
pub(super) struct Call<'c> {
    pub(super) name: &'c str,
    pub(super) e: CExprId,
    pub(super) args: &'c [CExprId],
    pub(super) span: Span,
}

/// Whether a function works on an object of the library, so that a person sees its effect as one step.
fn synchronises(name: &str) -> bool {
    let objects = [
        "pthread_mutex",
        "pthread_cond",
        "pthread_rwlock",
        "pthread_barrier",
        "pthread_spin_",
        "pthread_once",
        "pthread_key_",
        "pthread_attr_",
        "pthread_setspecific",
        "sem_",
        "mtx_",
        "cnd_",
    ];
    objects.iter().any(|prefix| name.starts_with(prefix))
}

impl Lowerer<'_> {
    /// Lowers a call whose meaning follows from the function's name, whatever its body.
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
        let input = name.starts_with("__VERIFIER_nondet_")
            || !own && (name.starts_with("nondet_") || name.starts_with("__VERIFIER_nondet"));
        if input {
            if !args.is_empty() {
                return refuse(span, "this input is");
            }
            return self.input(e).map(|v| Some(Value(Some(v))));
        }
        if own {
            return Ok(None);
        }
        let call = Call {
            name: c11::posix(name),
            e,
            args,
            span,
        };
        if synchronises(call.name) {
            self.build.program.quotes.put_call(span);
        }
        for part in [
            Self::shared_call,
            Self::c11_call,
            Self::cancel_call,
            Self::thread_call,
            Self::signal_call,
            Self::key_call,
            Self::await_call,
            Self::bytes_call,
            Self::system_call,
            Self::text_call,
            Self::output_call,
            Self::number_call,
            Self::chance_call,
            Self::bits_call,
            Self::other_call,
        ] {
            if let Some(value) = part(self, call)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Lowers a call that claims or assumes something; returns whether it is one.
    fn claims(&mut self, name: &str, args: &[CExprId], own: bool) -> Lowered<bool> {
        match (name, args) {
            ("reach_error" | "__VERIFIER_error", []) => {
                self.never(ErrorKind::Assertion, format!("`{name}` is called"));
            }
            ("__assert_fail" | "__assert_rtn" | "__assert" | "__assert2", [_, _, ..]) => {
                self.never(ErrorKind::Assertion, "an assertion fails");
            }
            ("assert", &[claim]) => self.claim(claim)?,
            (OVERLAPS, []) => self.never(ErrorKind::Deref, OVERLAP),
            (NO_FILE, []) => self.never(ErrorKind::Deref, NO_STREAM),
            (WRONG | NOT_MODELLED, &[what]) => {
                let what = self.literal(what).unwrap_or_default();
                let what = shown(&what);
                match name {
                    WRONG => self.never(ErrorKind::Deref, what),
                    _ => self.unknown(what, Behind::Unknown),
                }
            }
            (FAILED, &[number]) => {
                let always = self.build.bool(true);
                self.fails_with(always, self.body.span, |l, _| l.value(number))?;
            }
            (NOT_COMPUTED, []) => {
                self.unknown(
                    "a text is made or read here that is not computed".to_owned(),
                    Behind::Unknown,
                );
            }
            (
                "__VERIFIER_assert" | "__goblint_check" | "__goblint_assert" | "__ESBMC_assert"
                | "__CPROVER_assert" | "static_assert",
                &[claim] | &[claim, _],
            ) if !own => self.claim(claim)?,
            ("__VERIFIER_assume" | "assume_abort_if_not" | "__goblint_assume", &[cond]) => {
                self.assumed(cond)?;
            }
            ("__ESBMC_assume" | "__CPROVER_assume", &[cond]) if !own => self.assumed(cond)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn assumed(&mut self, cond: CExprId) -> Lowered<()> {
        let cond = self.condition(cond)?;
        self.emit(StmtKind::Assume(cond));
        Ok(())
    }

    pub(crate) fn claim(&mut self, claim: CExprId) -> Lowered<()> {
        self.claim_as(claim, None)
    }

    /// Checks a condition. `text` is how it is written, if its place in the source does not show that.
    pub(crate) fn claim_as(&mut self, claim: CExprId, text: Option<String>) -> Lowered<()> {
        let mut cond = self.condition(claim)?;
        // A bare number tells a person nothing.
        let text = text.filter(|t| !self.build.is_true(cond) && t.parse::<u64>().is_err());
        if let Some(text) = text {
            // Leaves are shared, so a leaf with a text of its own is a copy.
            let program = &mut self.build.program;
            if walk::operands(program.expr(cond)).is_empty() {
                let leaf = program.expr(cond).clone();
                cond = program.add(leaf.kind, leaf.ty);
            }
            program.quotes.put_text(cond, text);
        }
        self.expect(ErrorKind::Assertion, cond, "an assertion fails");
        Ok(())
    }

    /// Lowers a call that ends the program or the thread; returns whether it is one.
    fn ends(&mut self, name: &str, args: &[CExprId], own: bool, span: Span) -> Lowered<bool> {
        if own {
            return Ok(false);
        }
        match (name, args) {
            ("abort" | "__builtin_abort", []) if !self.unit.blocks_signals => self.end_program(),
            ("exit" | "_exit" | "_Exit" | "quick_exit", &[status]) => {
                self.effect(status)?;
                if name == "exit" {
                    self.run_handlers_at_exit()?;
                }
                self.end_program();
            }
            ("pthread_exit", &[result]) => {
                if self.body.section.is_some() || self.body.atomic {
                    return self.in_turn(span, "`pthread_exit` in an atomic section is");
                }
                self.thread_result(result)?;
                self.leave_thread()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Any value of the type that a call has.
    pub(super) fn input(&mut self, e: CExprId) -> Lowered<ExprId> {
        self.any_of(self.unit[e].ty.ty, self.unit[e].span)
    }

    /// Any value of a type.
    pub(super) fn any_of(&mut self, ty: CTypeId, span: Span) -> Lowered<ExprId> {
        if self.is_pointer(ty) {
            return refuse(span, "a pointer as input is");
        }
        if self.is_floating(ty) {
            return Ok(self.floating());
        }
        let ty = self.scalar_type(ty, span)?;
        Ok(self.any(ty))
    }

    /// Any number from 0 to `most`, or the number for a failed call: -1, or 0 in a type without negative numbers.
    /// A value that does not fit counts as a failure: no assumption excludes it.
    pub(super) fn up_to(&mut self, e: CExprId, most: Option<ExprId>) -> Lowered<ExprId> {
        let value = self.input(e)?;
        let ty = self.build.ty(value);
        let zero = self.build.int(0, ty);
        let mut fits = self.build.binary(BinaryOp::Le, zero, value);
        if let Some(most) = most {
            let most = self.converted(most, ty, self.unit[e].span)?;
            let few = self.build.binary(BinaryOp::Le, value, most);
            fits = self.build.binary(BinaryOp::And, fits, few);
        }
        let least = self.build.types().bounds(ty).map_or(0, |(least, _)| least);
        let failed = self.build.int(least.clamp(-1, 0), ty);
        Ok(self.build.ite(fits, value, failed))
    }

    /// Returns `done`, or -1 if the call fails. A free choice decides which.
    pub(super) fn or_failed(&mut self, e: CExprId, done: ExprId) -> Lowered<ExprId> {
        let (ty, span) = (self.unit[e].ty.ty, self.unit[e].span);
        let ty = self.scalar_type(ty, span)?;
        let (done, none) = (self.converted(done, ty, span)?, self.build.int(-1, ty));
        let failed = self.any(Types::BOOL);
        Ok(self.build.ite(failed, none, done))
    }

    /// The result of a call that always succeeds.
    pub(super) fn done(&mut self, e: CExprId) -> Lowered<Value> {
        self.gives(e, 0)
    }

    pub(super) fn gives(&mut self, e: CExprId, value: i128) -> Lowered<Value> {
        let (ty, span) = (self.unit[e].ty.ty, self.unit[e].span);
        if self.is_void(ty) {
            return Ok(Value(None));
        }
        let ty = self.scalar_type(ty, span)?;
        Ok(Value(Some(self.build.scalar(value, ty))))
    }

    /// Whether an argument is the null pointer as a constant.
    pub(super) fn is_null(&self, arg: CExprId) -> bool {
        self.unit.constant(arg) == Some(0) && !self.points_somewhere(arg)
    }

    /// Refuses an argument that is not the null pointer.
    pub(super) fn null(&self, arg: CExprId, what: &str) -> Lowered<()> {
        if self.is_null(arg) {
            return Ok(());
        }
        refuse(self.unit[arg].span, what)
    }

    /// Returns the object of the library to which an argument points, and checks that the program may use it.
    pub(super) fn object(&mut self, arg: CExprId, library: Library) -> Lowered<Where> {
        let whole = self.whole_object(arg, library)?;
        self.uses(&whole, library)?;
        Ok(whole)
    }

    /// Returns the object as [`Self::object`] does, without the check.
    fn whole_object(&mut self, arg: CExprId, library: Library) -> Lowered<Where> {
        let inner = self.unconverted(arg);
        // A `void *` leads to the object that the function takes.
        let arg = if self.library_of(inner) == Some(library) {
            inner
        } else if self.library_of(arg) == Some(library)
            && c_memory::direct(self.unit, inner).is_none()
        {
            arg
        } else {
            let name = library.name();
            let what = format!("an object other than a `{name}` here (declare it as `{name}`) is");
            return refuse(self.unit[arg].span, what);
        };
        let mut found = self.pointed(arg)?;
        self.keep_indices(&mut found);
        Ok(found)
    }

    fn library_of(&self, arg: CExprId) -> Option<Library> {
        let of = |ty: CTypeId| self.unit.types.library(ty);
        let pointee = self.unit.types.pointee(self.unit[arg].ty.ty);
        pointee.and_then(|p| of(p.ty))
    }

    /// The value in a place, read where it is used.
    pub(super) fn peek(&mut self, place: &Place) -> ExprId {
        let mut value = match place.root {
            ir::Root::Global(global) => self.build.global(global),
            ir::Root::Local(local) => self.read_local(local),
        };
        for step in &place.path {
            value = match step {
                Step::Field(field) => self.build.field(value, *field),
                Step::Index(index) => self.build.index(value, *index),
            };
        }
        value
    }

    /// A field of a place that is a record.
    pub(super) fn field(&self, place: &Place, field: u32) -> Place {
        let mut place = place.clone();
        if let Type::Record(record) = self.build.types().get(place.ty)
            && let Some(inner) = record.fields.get(field as usize)
        {
            place.ty = inner.1;
            place.path.push(Step::Field(field));
        }
        place
    }

    /// Sets a place to a number.
    pub(super) fn set(&mut self, place: &Place, value: i128) {
        let value = self.build.scalar(value, place.ty);
        self.store_place(place.clone(), value);
    }

    /// Adds `by` to the number in a place, by a single statement.
    pub(super) fn count(&mut self, place: &Place, by: i128) {
        let value = self.peek(place);
        let one = self.build.int(by.abs(), place.ty);
        let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let value = self.build.binary(op, value, one);
        self.store_place(place.clone(), value);
    }

    pub(super) fn wait(
        &mut self,
        kind: AwaitKind,
        cond: ExprId,
        body: Block,
        span: Span,
    ) -> Lowered<()> {
        if self.body.atomic {
            return self.in_turn(span, "waiting in an atomic section is");
        }
        if span != Span::default() {
            self.build.program.quotes.put(cond, span);
        }
        self.emit(StmtKind::Await(Box::new(Await {
            kind,
            checks: Block::new(),
            cond,
            body,
        })));
        Ok(())
    }

    /// Evaluates arguments for their effects.
    pub(super) fn effects(&mut self, args: &[CExprId]) -> Lowered<()> {
        for &arg in args {
            if self.acts(arg) || !self.names_only(arg) {
                self.effect(arg)?;
            }
        }
        Ok(())
    }
}
