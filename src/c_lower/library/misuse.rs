//! Misuse of objects of the library, if that is looked for (`--check misuse`): each object carries its state, and each
//! handle has the state of its thread.

use super::Value;
use super::system::INVALID;
use crate::place::Where;
use crate::{Lowered, Lowerer};
use base::source::Span;
use c::typed::ExprId as CExprId;
use c::types::Library;
use ir::lower::Lower;
use ir::{
    BinaryOp, Bits, Block, ErrorKind, ExprId, ExprKind, Place, RecordType, Root, Step, StmtKind,
    Type, TypeId, Types,
};
use thin_vec::thin_vec;

/// States of an object. A static object begins with `FIRST`, and may be used then if C has an initialiser for its type.
const FIRST: i128 = 0;
pub(super) const MADE: i128 = 1;
pub(super) const GONE: i128 = 2;
/// Memory in which no object was made.
const RAW: i128 = 3;

/// States of a thread: a handle holds it; a join waits for it; it was detached; it was joined; it has ended while a handle
/// holds it; it has ended and was detached.
const HELD: i128 = 0;
const JOINING: i128 = 1;
const DETACHED: i128 = 2;
const JOINED: i128 = 3;
const ENDED: i128 = 4;
const FORGOTTEN: i128 = 5;
/// `ESRCH`
const NO_THREAD: i128 = 3;
/// `thrd_error`
const THRD_ERROR: i128 = 2;

/// The member that holds the state.
const STATE: &str = "state";

impl Lowerer<'_> {
    /// Whether misuse of an object is looked for.
    pub(crate) fn watches(&self, library: Library) -> bool {
        self.options.wanted.has(ErrorKind::Misuse)
            && matches!(
                library,
                Library::Mutex
                    | Library::Spin
                    | Library::Semaphore
                    | Library::Cond
                    | Library::Barrier
                    | Library::RwLock
            )
    }

    /// The type of an object with its state.
    pub(crate) fn watched_type(&mut self, library: Library, ty: TypeId) -> TypeId {
        let byte = Bits {
            width: 8,
            signed: false,
        };
        let types = &mut self.build.program.types;
        let state = (STATE.to_owned(), types.intern(Type::Bits(byte)));
        let record = match types.get(ty).clone() {
            Type::Record(mut record) => {
                record.fields.push(state);
                record
            }
            _ => RecordType {
                name: library.name().to_owned(),
                fields: vec![("value".to_owned(), ty), state],
            },
        };
        let ty = types.intern(Type::Record(record));
        self.watched.insert(ty);
        ty
    }

    /// The content of memory in which nothing was made: zeros, and objects of the library that the program may not use yet.
    pub(crate) fn unmade(&mut self, ty: TypeId) -> ExprId {
        match self.build.types().get(ty).clone() {
            Type::Array(_, element) => {
                let value = self.unmade(element);
                self.build.add(ExprKind::Fill(value), ty)
            }
            Type::Record(record) => {
                let fields = record.fields.iter();
                let mut values: Vec<ExprId> = fields.map(|f| self.unmade(f.1)).collect();
                if let (true, Some(last)) = (self.watched.contains(&ty), values.last_mut()) {
                    *last = self.build.int(RAW, self.build.ty(*last));
                }
                self.build.add(ExprKind::Record(values.into()), ty)
            }
            _ => self.zero(ty),
        }
    }

    /// Where the state of an object is kept.
    fn state(&self, place: &Place) -> Option<Place> {
        let Type::Record(record) = self.build.types().get(place.ty) else {
            return None;
        };
        let last = u32::try_from(record.fields.len()).ok()?.checked_sub(1)?;
        (self.watched.contains(&place.ty)).then(|| self.field(place, last))
    }

    /// Checks before an object is initialised that it is not initialised already.
    pub(super) fn is_made(&mut self, place: &Place, library: Library) {
        if self.watches(library) {
            let differs = self.in_another_state(place, MADE);
            let what = format!("this `{}` is initialised a second time", library.name());
            self.expect(ErrorKind::Misuse, differs, what);
        }
    }

    /// Sets the state of an object, if it has one.
    pub(super) fn becomes(&mut self, place: &Place, state: i128) {
        if let Some(place) = self.state(place) {
            self.set(&place, state);
        }
    }

    /// Checks before an object is used that it was made, and not destroyed.
    pub(super) fn uses(&mut self, whole: &Where, library: Library) -> Lowered<()> {
        if self.watches(library) {
            self.each(whole, &mut |l, place| {
                l.usable(place, library);
                Ok(None)
            })?;
        }
        Ok(())
    }

    pub(super) fn usable(&mut self, place: &Place, library: Library) {
        let name = library.name();
        let there = self.in_another_state(place, GONE);
        let how = match library {
            Library::Semaphore => "destroyed or closed",
            _ => "destroyed",
        };
        let what = format!("this `{name}` was {how} before");
        self.expect(ErrorKind::Misuse, there, what);
        let mut made = self.in_another_state(place, RAW);
        if matches!(
            library,
            Library::Spin | Library::Semaphore | Library::Barrier
        ) {
            let begun = self.in_another_state(place, FIRST);
            made = self.build.binary(BinaryOp::And, made, begun);
        }
        let what = format!("this `{name}` was never initialised");
        self.expect(ErrorKind::Misuse, made, what);
    }

    fn in_another_state(&mut self, place: &Place, state: i128) -> ExprId {
        let Some(own) = self.state(place) else {
            return self.build.bool(true);
        };
        let value = self.peek(&own);
        let state = self.build.int(state, own.ty);
        let same = self.build.binary(BinaryOp::Eq, value, state);
        self.build.not(same)
    }

    /// Notes that a join waits for a thread. Checks that the thread was neither joined nor detached before.
    pub(super) fn joins(&mut self, handle: ExprId) -> Lowered<()> {
        let Some(place) = self.gone_of(handle) else {
            return Ok(());
        };
        self.in_one_step(|l| {
            let before = l.peek(&place);
            let fresh = l.given_up_once(before, "joined");
            l.when(fresh, |l| {
                l.set(&place, JOINING);
                Ok(())
            })
        })
    }

    /// Notes that a thread was joined.
    pub(super) fn has_joined(&mut self, handle: ExprId) -> Lowered<()> {
        let Some(place) = self.gone_of(handle).filter(|_| self.detach_tells) else {
            return Ok(());
        };
        self.in_one_step(|l| {
            l.set(&place, JOINED);
            Ok(())
        })
    }

    /// Detaches a thread, and returns the result of `pthread_detach`.
    ///
    /// In GNU's library, a thread that a join waits for keeps its state. A detached thread stays known for a time after its end.
    pub(super) fn detaches(&mut self, handle: ExprId, e: CExprId) -> Lowered<Value> {
        let Some(place) = self.gone_of(handle) else {
            return self.done(e);
        };
        let before = self.in_one_step(|l| {
            let before = l.peek(&place);
            let before = l.keep(before);
            let fresh = l.given_up_once(before, "detached");
            l.when(fresh, |l| {
                let ended = l.state_is(before, ENDED);
                let [yes, no] = [FORGOTTEN, DETACHED].map(|s| l.build.int(s, place.ty));
                let state = l.build.ite(ended, yes, no);
                l.store_place(place.clone(), state);
                Ok(())
            })?;
            Ok(before)
        })?;
        if !self.detach_tells {
            return self.done(e);
        }
        let [detached, joined, forgotten] =
            [DETACHED, JOINED, FORGOTTEN].map(|s| self.state_is(before, s));
        // Traces do not show the choice itself: its result is seen.
        let any = self.at(Span::default(), |l| l.any(Types::BOOL));
        let known = self.build.not(any);
        let known = self.build.binary(BinaryOp::And, forgotten, known);
        let detached = self.build.binary(BinaryOp::Or, detached, known);
        let unknown = self.build.binary(BinaryOp::And, forgotten, any);
        let unknown = self.build.binary(BinaryOp::Or, joined, unknown);
        let ty = self.scalar_type(self.unit[e].ty.ty, self.unit[e].span)?;
        let [none, invalid, fine] =
            [NO_THREAD, INVALID, 0].map(|n| self.build.scalar(self.number_of_error(n, e), ty));
        let known = self.build.ite(detached, invalid, fine);
        let value = self.build.ite(unknown, none, known);
        Ok(Value(Some(self.keep(value))))
    }

    /// Returns the number of an error for a function of POSIX, or `thrd_error` for one of C11.
    fn number_of_error(&self, number: i128, e: CExprId) -> i128 {
        let c11 = matches!(self.unit[e].kind, c::typed::ExprKind::Call(c::typed::Callee::Direct(f), _)
            if self.unit.name(self.unit[f].name).starts_with("thrd_"));
        if c11 && number != 0 {
            THRD_ERROR
        } else {
            number
        }
    }

    /// Whether a thread was neither joined nor detached. If it was, that is an error where misuse is looked for.
    fn given_up_once(&mut self, before: ExprId, how: &str) -> ExprId {
        let [held, ended] = [HELD, ENDED].map(|s| self.state_is(before, s));
        let fresh = self.build.binary(BinaryOp::Or, held, ended);
        if self.options.wanted.has(ErrorKind::Misuse) {
            let what = format!("a thread is {how} that was joined or detached before");
            self.expect(ErrorKind::Misuse, fresh, what);
        }
        fresh
    }

    /// Notes that the running thread ends: a thread that detaches it later may see that.
    pub(crate) fn ends_as_seen(&mut self) -> Lowered<()> {
        let own = self.build.self_task();
        let Some(place) = self.gone_of(own).filter(|_| self.detach_tells) else {
            return Ok(());
        };
        self.in_one_step(|l| {
            let before = l.peek(&place);
            let [held, detached] = [HELD, DETACHED].map(|s| l.state_is(before, s));
            let [ended, forgotten] = [ENDED, FORGOTTEN].map(|s| l.build.int(s, place.ty));
            let state = l.build.ite(held, ended, before);
            let state = l.build.ite(detached, forgotten, state);
            l.store_place(place.clone(), state);
            Ok(())
        })
    }

    fn state_is(&mut self, value: ExprId, state: i128) -> ExprId {
        let ty = self.build.ty(value);
        let state = self.build.int(state, ty);
        self.build.binary(BinaryOp::Eq, value, state)
    }

    /// Returns the first state of a thread that is made with attributes, which may say that it is detached.
    pub(super) fn made_detached(&mut self, attributes: CExprId) -> Lowered<Option<ExprId>> {
        let Some(state) = self.state_of_threads() else {
            return Ok(None);
        };
        let (held, detached) = (self.build.int(HELD, state), self.build.int(DETACHED, state));
        let own = self.temporary(state);
        let to = self.local_place(own);
        self.store_place(to.clone(), held);
        let (given, ()) = self.apart(|l| {
            let found = l.whole_object(attributes, Library::ThreadAttr)?;
            let value = l.load(&found)?;
            let value = l.keep(value);
            let value = l.build.field(value, 0);
            let zero = l.build.int(0, l.build.ty(value));
            let joinable = l.build.binary(BinaryOp::Eq, value, zero);
            let state = l.build.ite(joinable, held, detached);
            l.store_place(to, state);
            Ok(())
        })?;
        // A thread without attributes is joinable.
        let some = match c_memory::direct(self.unit, attributes) {
            Some(_) => self.build.bool(true),
            None => {
                let at = self.value(attributes)?;
                self.truth(at, self.unit[attributes].span)?
            }
        };
        self.emit(StmtKind::If(some, given, Block::new()));
        Ok(Some(self.read_local(own)))
    }

    fn state_of_threads(&self) -> Option<TypeId> {
        let global = &self.build.program.globals[self.gone?.index()];
        match self.build.types().get(global.ty) {
            &Type::Map(_, state) => Some(state),
            _ => None,
        }
    }

    /// Returns the place of a thread's state, by its handle.
    pub(super) fn gone_of(&mut self, handle: ExprId) -> Option<Place> {
        Some(Place {
            root: Root::Global(self.gone?),
            path: thin_vec![Step::Index(handle)],
            ty: self.state_of_threads()?,
        })
    }
}
