//! Objects of the library that are used as they must not be, if that is looked for (`--check misuse`): each carries in
//! what state it is, and each handle whether its thread was joined or detached.

use super::Value;
use super::locks::{DEPTH, KIND, OWNER, READERS, WRITER};
use super::signals::{ARRIVED, WAITING};
use super::system::INVALID;
use crate::place::Where;
use crate::{Lowered, Lowerer};
use base::source::Span;
use c::typed::ExprId as CExprId;
use c::types::Library;
use ir::lower::Lower;
use ir::{
    BinaryOp, Bits, ErrorKind, ExprId, ExprKind, Place, RecordType, Root, Step, Type, TypeId, Types,
};
use thin_vec::thin_vec;

/// States beside that of a static object that nobody has initialised: it may be used all the same.
const MADE: i128 = 1;
const GONE: i128 = 2;
/// Memory in which no object was made.
const RAW: i128 = 3;

/// What became of a thread: it is held by who made it, also when it has ended; somebody waits for its end; it was detached; it was
/// joined; it was detached and has ended.
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

    /// What a type holds where nothing was made: zeros, and objects of the library that nobody may use yet.
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

    /// An object without its state.
    pub(super) fn bare(&self, found: Where, library: Library) -> Where {
        let alone = matches!(library, Library::Spin | Library::Semaphore);
        let Type::Record(record) = self.build.types().get(found.ty) else {
            return found;
        };
        match record.fields.first() {
            Some((_, ty)) if alone && self.watches(library) => found.part(Step::Field(0), *ty),
            _ => found,
        }
    }

    /// Initialises an object; it was not before, or was destroyed since.
    pub(super) fn begin_object(
        &mut self,
        arg: CExprId,
        library: Library,
        act: &mut dyn FnMut(&mut Self, &Place) -> Lowered<()>,
    ) -> Lowered<()> {
        let whole = self.whole_object(arg, library)?;
        let bare = self.bare(whole.clone(), library);
        if !self.watches(library) {
            self.in_one_step(|l| l.each(&bare, &mut |l, place| act(l, place).map(|()| None)))?;
            return Ok(());
        }
        let name = library.name();
        self.in_one_step(|l| {
            l.each(&whole, &mut |l, place| {
                let differs = l.in_another_state(place, MADE);
                let what = format!("this `{name}` is initialised a second time");
                l.expect(ErrorKind::Misuse, differs, what);
                Ok(None)
            })?;
            l.each(&bare, &mut |l, place| act(l, place).map(|()| None))?;
            l.each(&whole, &mut |l, place| {
                let state = l.state(place);
                state.iter().for_each(|state| l.set(state, MADE));
                Ok(None)
            })
        })?;
        Ok(())
    }

    /// Destroys an object; nobody uses it then.
    pub(super) fn end_object(&mut self, arg: CExprId, library: Library) -> Lowered<()> {
        let whole = self.whole_object(arg, library)?;
        if !self.watches(library) {
            return Ok(());
        }
        self.in_one_step(|l| {
            l.each(&whole, &mut |l, place| {
                l.usable(place, library);
                l.idle(place, library);
                let state = l.state(place);
                state.iter().for_each(|state| l.set(state, GONE));
                Ok(None)
            })
        })?;
        Ok(())
    }

    /// Before an object is used: it was made, and not destroyed.
    pub(super) fn uses(&mut self, whole: &Where, library: Library) -> Lowered<()> {
        if self.watches(library) {
            self.each(whole, &mut |l, place| {
                l.usable(place, library);
                Ok(None)
            })?;
        }
        Ok(())
    }

    fn usable(&mut self, place: &Place, library: Library) {
        let name = library.name();
        let there = self.in_another_state(place, GONE);
        let what = format!("this `{name}` was destroyed before");
        self.expect(ErrorKind::Misuse, there, what);
        let made = self.in_another_state(place, RAW);
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

    /// Nobody holds an object, or waits for it.
    fn idle(&mut self, place: &Place, library: Library) {
        let (fields, what): (&[u32], _) = match library {
            Library::Mutex => (&[DEPTH], "is destroyed while it is locked"),
            Library::RwLock => (&[READERS, WRITER], "is destroyed while it is locked"),
            Library::Spin => (&[0], "is destroyed while it is locked"),
            Library::Cond => (&[WAITING], "is destroyed while a thread waits for it"),
            Library::Barrier => (&[ARRIVED], "is destroyed while a thread waits for it"),
            _ => return,
        };
        let idle = self.all_zero(place, fields);
        let what = format!("this `{}` {what}", library.name());
        self.expect(ErrorKind::Misuse, idle, what);
    }

    /// Whether members of an object are zero; without any, the object itself.
    fn all_zero(&mut self, place: &Place, fields: &[u32]) -> ExprId {
        if fields.is_empty() {
            return self.is_zero(place);
        }
        let mut all = self.build.bool(true);
        for &field in fields {
            let field = self.field(place, field);
            let zero = self.is_zero(&field);
            all = self.build.binary(BinaryOp::And, all, zero);
        }
        all
    }

    /// Whether the running thread holds a normal mutex; whether it is none.
    fn holds_normal(&mut self, place: &Place) -> (ExprId, ExprId) {
        let [depth, owner, kind] = [DEPTH, OWNER, KIND].map(|field| self.field(place, field));
        let free = self.is_zero(&depth);
        let held = self.build.not(free);
        let (owner, own) = (self.peek(&owner), self.build.self_task());
        let mine = self.build.binary(BinaryOp::Eq, owner, own);
        let normal = self.is_zero(&kind);
        (
            self.build.binary(BinaryOp::And, held, mine),
            self.build.not(normal),
        )
    }

    /// Before a mutex is locked: the thread does not hold it already, so that it would wait for itself.
    pub(super) fn not_mine(&mut self, place: &Place) {
        if self.watches(Library::Mutex) {
            let (mine, special) = self.holds_normal(place);
            let other = self.build.not(mine);
            let fine = self.build.binary(BinaryOp::Or, special, other);
            let what = "a mutex is locked by the thread that holds it";
            self.expect(ErrorKind::Misuse, fine, what);
        }
    }

    /// Before a mutex is unlocked: the thread holds it.
    pub(super) fn is_mine(&mut self, place: &Place) {
        if self.watches(Library::Mutex) {
            let (mine, special) = self.holds_normal(place);
            let fine = self.build.binary(BinaryOp::Or, special, mine);
            let what = "a mutex is unlocked by a thread that does not hold it";
            self.expect(ErrorKind::Misuse, fine, what);
        }
    }

    /// Before a lock is given back: somebody has it.
    pub(super) fn is_locked(&mut self, place: &Place, fields: &[u32], library: Library) {
        if !self.watches(library) {
            return;
        }
        let free = self.all_zero(place, fields);
        let held = self.build.not(free);
        let what = format!("a `{}` is unlocked that no thread holds", library.name());
        self.expect(ErrorKind::Misuse, held, what);
    }

    /// A thread is about to be joined. It is an error if it was joined or detached before.
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

    /// A thread was joined.
    pub(super) fn has_joined(&mut self, handle: ExprId) -> Lowered<()> {
        let Some(place) = self.gone_of(handle).filter(|_| self.detach_tells) else {
            return Ok(());
        };
        self.in_one_step(|l| {
            l.set(&place, JOINED);
            Ok(())
        })
    }

    /// A thread is detached; gives what `pthread_detach` does.
    ///
    /// In the library of GNU a thread that somebody waits for stays as it is, and a detached one is known until some time after its end.
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
        // What comes of it is seen.
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

    /// An error as a function of POSIX gives it, or one of C11.
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

    /// The running thread ends. A thread that detaches it later may see that.
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

    /// What becomes of a thread that is made with attributes: it may be detached from the beginning.
    pub(super) fn made_detached(&mut self, attributes: CExprId) -> Lowered<Option<ExprId>> {
        let Some(state) = self.state_of_threads() else {
            return Ok(None);
        };
        let found = self.whole_object(attributes, Library::ThreadAttr)?;
        let value = self.load(&found)?;
        let zero = self.build.int(0, found.ty);
        let joinable = self.build.binary(BinaryOp::Eq, value, zero);
        let (held, detached) = (self.build.int(HELD, state), self.build.int(DETACHED, state));
        let state = self.build.ite(joinable, held, detached);
        Ok(Some(self.keep(state)))
    }

    fn state_of_threads(&self) -> Option<TypeId> {
        let global = &self.build.program.globals[self.gone?.index()];
        match self.build.types().get(global.ty) {
            &Type::Map(_, state) => Some(state),
            _ => None,
        }
    }

    /// Whether a thread was joined or detached, by its handle.
    pub(super) fn gone_of(&mut self, handle: ExprId) -> Option<Place> {
        Some(Place {
            root: Root::Global(self.gone?),
            path: thin_vec![Step::Index(handle)],
            ty: self.state_of_threads()?,
        })
    }
}
