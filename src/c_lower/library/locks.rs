//! Mutexes of all kinds, spin locks and read-write locks: fields in memory, and awaits.

use super::{BUSY, Call, TIMED_OUT, Value};
use crate::place::Where;
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::ExprId as CExprId;
use c::types::Library;
use ir::lower::Lower;
use ir::{AwaitKind, BinaryOp, ExprId, Place, StmtKind, Types};

/// Fields of a mutex with a kind.
pub(super) const DEPTH: u32 = 0;
pub(super) const OWNER: u32 = 1;
pub(super) const KIND: u32 = 2;
/// Fields of a read-write lock.
pub(super) const READERS: u32 = 0;
pub(super) const WRITER: u32 = 1;

/// Kinds of mutexes, as the headers number them.
const RECURSIVE: i128 = 1;
/// `EDEADLK` and `EPERM`
const DEADLOCK: i128 = 35;
const NOT_PERMITTED: i128 = 1;

impl Lowerer<'_> {
    pub(super) fn lock_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let value = match (name, args) {
            ("pthread_mutex_init", &[mutex, attributes]) => {
                self.mutex_init(mutex, attributes)?;
                self.done(e)?
            }
            ("pthread_mutex_destroy", &[mutex]) => {
                self.end_object(mutex, Library::Mutex)?;
                self.done(e)?
            }
            ("pthread_mutex_lock", &[mutex]) => self.mutex_lock(e, mutex, span)?,
            ("pthread_mutex_unlock", &[mutex]) => self.mutex_unlock(e, mutex)?,
            ("pthread_mutex_trylock", &[mutex]) => self.mutex_try(e, mutex, BUSY)?,
            // It is late if the mutex is held when the thread has a turn.
            ("pthread_mutex_timedlock", &[mutex, until]) => {
                self.effect(until)?;
                self.mutex_try(e, mutex, TIMED_OUT)?
            }
            _ if name.starts_with("pthread_mutexattr_") => return self.mutex_attributes(call),
            _ if name.starts_with("pthread_spin_") => return self.spin_call(call),
            _ if name.starts_with("pthread_rwlock_") => self.rwlock_call(call)?,
            ("pthread_rwlockattr_init" | "pthread_rwlockattr_destroy", &[attributes]) => {
                self.object(attributes, Library::RwLockAttr)?;
                self.done(e)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn mutex_attributes(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call { name, e, args, .. } = call;
        let value = match (name, args) {
            ("pthread_mutexattr_init" | "pthread_mutexattr_destroy", &[attributes]) => {
                let found = self.object(attributes, Library::MutexAttr)?;
                let zero = self.zero(found.ty);
                self.store(&found, zero)?;
                self.done(e)?
            }
            ("pthread_mutexattr_settype", &[attributes, kind]) => {
                let found = self.object(attributes, Library::MutexAttr)?;
                let kind = self.value(kind)?;
                let kind = self.build.convert(kind, found.ty);
                let kind = self.keep(kind);
                self.store(&found, kind)?;
                self.done(e)?
            }
            ("pthread_mutexattr_setpshared", &[attributes, shared]) => {
                self.object(attributes, Library::MutexAttr)?;
                self.effect(shared)?;
                self.done(e)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn spin_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let value = match (name, args) {
            ("pthread_spin_init", &[lock, shared]) => {
                self.effect(shared)?;
                self.begin_object(lock, Library::Spin, &mut |l, place| {
                    l.set(place, 0);
                    Ok(())
                })?;
                self.done(e)?
            }
            ("pthread_spin_destroy", &[lock]) => {
                self.end_object(lock, Library::Spin)?;
                self.done(e)?
            }
            ("pthread_spin_lock", &[lock]) => {
                let found = self.object(lock, Library::Spin)?;
                self.each(&found, &mut |l, place| {
                    l.take(place, span)?;
                    Ok(None)
                })?;
                self.done(e)?
            }
            ("pthread_spin_trylock", &[lock]) => {
                let found = self.object(lock, Library::Spin)?;
                let held = self.try_take(&found)?;
                self.either_number(e, held, BUSY, 0)?
            }
            ("pthread_spin_unlock", &[lock]) => {
                let found = self.object(lock, Library::Spin)?;
                self.in_one_step(|l| {
                    l.each(&found, &mut |l, place| {
                        l.is_locked(place, &[], Library::Spin);
                        l.set(place, 0);
                        Ok(None)
                    })
                })?;
                self.done(e)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Waits until a lock is free, and takes it.
    fn take(&mut self, place: &Place, span: Span) -> Lowered<()> {
        let free = self.is_zero(place);
        let (body, ()) = self.apart(|l| {
            l.set(place, 1);
            Ok(())
        })?;
        self.wait(AwaitKind::Await, free, body, span)
    }

    fn try_take(&mut self, found: &Where) -> Lowered<ExprId> {
        let held = self.temporary(Types::BOOL);
        self.in_one_step(|l| {
            l.each(found, &mut |l, place| {
                let free = l.is_zero(place);
                let taken = l.build.not(free);
                let to = l.local_place(held);
                l.store_place(to, taken);
                let held = l.read_local(held);
                l.unless(held, |l| l.set(place, 1));
                Ok(None)
            })
        })?;
        Ok(self.read_local(held))
    }

    fn mutex_init(&mut self, mutex: CExprId, attributes: CExprId) -> Lowered<()> {
        let kind = if self.is_null(attributes) {
            None
        } else if self.kinds {
            let attributes = self.object(attributes, Library::MutexAttr)?;
            let kind = self.load(&attributes)?;
            Some(self.keep(kind))
        } else {
            self.object(attributes, Library::MutexAttr)?;
            None
        };
        self.mutex_of_kind(mutex, kind)
    }

    /// A mutex that is made: free, and of a kind.
    pub(super) fn mutex_of_kind(&mut self, mutex: CExprId, kind: Option<ExprId>) -> Lowered<()> {
        self.begin_object(mutex, Library::Mutex, &mut |l, place| {
            let zero = l.zero(place.ty);
            l.store_place(place.clone(), zero);
            if let Some(kind) = kind {
                let place = l.field(place, KIND);
                let kind = l.build.convert(kind, place.ty);
                l.store_place(place, kind);
            }
            Ok(())
        })
    }

    fn mutex_lock(&mut self, e: CExprId, mutex: CExprId, span: Span) -> Lowered<Value> {
        let found = self.object(mutex, Library::Mutex)?;
        match self.lock_found(&found, span)? {
            None => self.done(e),
            Some(refused) => self.either_number(e, refused, DEADLOCK, 0),
        }
    }

    /// Takes a mutex; gives whether it refused to, if its kind can.
    pub(super) fn lock_found(&mut self, found: &Where, span: Span) -> Lowered<Option<ExprId>> {
        if !self.kinds {
            self.each(found, &mut |l, place| {
                l.take(place, span)?;
                Ok(None)
            })?;
            return Ok(None);
        }
        let refused = self.temporary(Types::BOOL);
        self.each(found, &mut |l, place| {
            l.not_mine(place);
            let (free, mine) = l.free_or_mine(place);
            let cond = l.build.binary(BinaryOp::Or, free, mine);
            let (body, ()) = l.apart(|l| l.take_kind(place, free, refused))?;
            l.wait(AwaitKind::Await, cond, body, span)?;
            Ok(None)
        })?;
        Ok(Some(self.read_local(refused)))
    }

    /// Whether nobody holds a mutex; whether the running thread does, and its kind does not make it wait.
    fn free_or_mine(&mut self, place: &Place) -> (ExprId, ExprId) {
        let (depth, owner, kind) = (
            self.field(place, DEPTH),
            self.field(place, OWNER),
            self.field(place, KIND),
        );
        let free = self.is_zero(&depth);
        let owner = self.peek(&owner);
        let own = self.build.self_task();
        let mine = self.build.binary(BinaryOp::Eq, owner, own);
        let normal = self.is_zero(&kind);
        let special = self.build.not(normal);
        (free, self.build.binary(BinaryOp::And, mine, special))
    }

    /// The mutex is free, or held by the running thread and of a kind that does not wait.
    fn take_kind(&mut self, place: &Place, free: ExprId, refused: ir::LocalId) -> Lowered<()> {
        let recursive = self.is_recursive_mutex(place);
        let may = self.build.binary(BinaryOp::Or, free, recursive);
        let not = self.build.not(may);
        let to = self.local_place(refused);
        self.store_place(to, not);
        let may = self.read_local(refused);
        let may = self.build.not(may);
        self.when(may, |l| {
            let depth = l.field(place, DEPTH);
            l.count(&depth, 1);
            let owner = l.field(place, OWNER);
            let own = l.build.self_task();
            l.store_place(owner, own);
        });
        Ok(())
    }

    fn is_recursive_mutex(&mut self, place: &Place) -> ExprId {
        let kind = self.field(place, KIND);
        let value = self.peek(&kind);
        let recursive = self.build.int(RECURSIVE, kind.ty);
        self.build.binary(BinaryOp::Eq, value, recursive)
    }

    pub(super) fn mutex_try(&mut self, e: CExprId, mutex: CExprId, busy: i128) -> Lowered<Value> {
        let found = self.object(mutex, Library::Mutex)?;
        if !self.kinds {
            let held = self.try_take(&found)?;
            return self.either_number(e, held, busy, 0);
        }
        let refused = self.temporary(Types::BOOL);
        self.in_one_step(|l| {
            l.each(&found, &mut |l, place| {
                let (free, mine) = l.free_or_mine(place);
                let recursive = l.is_recursive_mutex(place);
                let again = l.build.binary(BinaryOp::And, mine, recursive);
                let may = l.build.binary(BinaryOp::Or, free, again);
                let not = l.build.not(may);
                let to = l.local_place(refused);
                l.store_place(to, not);
                let may = l.read_local(refused);
                let may = l.build.not(may);
                l.when(may, |l| {
                    let depth = l.field(place, DEPTH);
                    l.count(&depth, 1);
                    let owner = l.field(place, OWNER);
                    let own = l.build.self_task();
                    l.store_place(owner, own);
                });
                Ok(None)
            })
        })?;
        let refused = self.read_local(refused);
        self.either_number(e, refused, busy, 0)
    }

    fn mutex_unlock(&mut self, e: CExprId, mutex: CExprId) -> Lowered<Value> {
        let found = self.object(mutex, Library::Mutex)?;
        if !self.kinds {
            let off = self.zero(found.ty);
            self.in_one_step(|l| l.store(&found, off))?;
            return self.done(e);
        }
        let refused = self.temporary(Types::BOOL);
        self.in_one_step(|l| {
            l.each(&found, &mut |l, place| {
                l.release_kind(place, refused)?;
                Ok(None)
            })
        })?;
        let refused = self.read_local(refused);
        self.either_number(e, refused, NOT_PERMITTED, 0)
    }

    /// A mutex of a special kind is only unlocked by who holds it; a normal one by anybody.
    pub(super) fn release_kind(&mut self, place: &Place, refused: ir::LocalId) -> Lowered<()> {
        self.is_mine(place);
        let (free, mine) = self.free_or_mine(place);
        let kind = self.field(place, KIND);
        let normal = self.is_zero(&kind);
        let held = self.build.not(free);
        let own = self.build.binary(BinaryOp::And, held, mine);
        let may = self.build.binary(BinaryOp::Or, normal, own);
        let not = self.build.not(may);
        let to = self.local_place(refused);
        self.store_place(to, not);
        let recursive = self.is_recursive_mutex(place);
        let depth = self.field(place, DEPTH);
        let owner = self.field(place, OWNER);
        let may = self.read_local(refused);
        let may = self.build.not(may);
        self.when(may, |l| {
            let value = l.peek(&depth);
            let one = l.build.int(1, depth.ty);
            let zero = l.build.int(0, depth.ty);
            let lower = l.build.binary(BinaryOp::Sub, value, one);
            let value = l.build.ite(recursive, lower, zero);
            l.store_place(depth.clone(), value);
            let free = l.is_zero(&depth);
            l.when(free, |l| {
                let none = l.build.no_task();
                l.store_place(owner, none);
            });
        });
        Ok(())
    }

    /// Gives up a mutex as part of a step.
    pub(super) fn release(&mut self, place: &Place) -> Lowered<()> {
        if self.kinds {
            let refused = self.temporary(Types::BOOL);
            return self.release_kind(place, refused);
        }
        self.set(place, 0);
        Ok(())
    }

    /// Enters if that is possible; says by a number that it was not.
    fn rwlock_try(&mut self, e: CExprId, found: &Where, write: bool, why: i128) -> Lowered<Value> {
        let entered = self.temporary(Types::BOOL);
        self.in_one_step(|l| {
            l.each(found, &mut |l, place| {
                let cond = l.may_enter(place, write);
                let to = l.local_place(entered);
                l.store_place(to, cond);
                let cond = l.read_local(entered);
                l.when(cond, |l| {
                    l.enter(place, write);
                });
                Ok(None)
            })
        })?;
        let entered = self.read_local(entered);
        self.either_number(e, entered, 0, why)
    }

    fn rwlock_call(&mut self, call: Call<'_>) -> Lowered<Value> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let Some((&lock, rest)) = args.split_first() else {
            return refuse(span, format!("`{name}` is"));
        };
        match (name, rest) {
            ("pthread_rwlock_init", &[_]) => {
                self.begin_object(lock, Library::RwLock, &mut Self::cleared)?;
                return self.done(e);
            }
            ("pthread_rwlock_destroy", []) => {
                self.end_object(lock, Library::RwLock)?;
                return self.done(e);
            }
            _ => {}
        }
        let found = self.object(lock, Library::RwLock)?;
        match (name, rest) {
            ("pthread_rwlock_rdlock" | "pthread_rwlock_wrlock", []) => {
                let write = name.ends_with("wrlock");
                self.each(&found, &mut |l, place| {
                    let cond = l.may_enter(place, write);
                    let (body, ()) = l.apart(|l| {
                        l.enter(place, write);
                        Ok(())
                    })?;
                    l.wait(AwaitKind::Await, cond, body, span)?;
                    Ok(None)
                })?;
            }
            ("pthread_rwlock_tryrdlock" | "pthread_rwlock_trywrlock", []) => {
                return self.rwlock_try(e, &found, name.ends_with("wrlock"), BUSY);
            }
            ("pthread_rwlock_timedrdlock" | "pthread_rwlock_timedwrlock", &[until]) => {
                self.effect(until)?;
                return self.rwlock_try(e, &found, name.ends_with("wrlock"), TIMED_OUT);
            }
            ("pthread_rwlock_unlock", []) => {
                self.in_one_step(|l| {
                    l.each(&found, &mut |l, place| {
                        l.leave_rwlock(place)?;
                        Ok(None)
                    })
                })?;
            }
            _ => return refuse(span, format!("`{name}` is")),
        }
        self.done(e)
    }

    /// An object as its initialisation leaves it.
    pub(super) fn cleared(&mut self, place: &Place) -> Lowered<()> {
        let zero = self.zero(place.ty);
        self.store_place(place.clone(), zero);
        Ok(())
    }

    fn may_enter(&mut self, place: &Place, write: bool) -> ExprId {
        let (readers, writer) = (self.field(place, READERS), self.field(place, WRITER));
        let alone = self.is_zero(&writer);
        if !write {
            return alone;
        }
        let none = self.is_zero(&readers);
        self.build.binary(BinaryOp::And, alone, none)
    }

    fn enter(&mut self, place: &Place, write: bool) {
        if write {
            let writer = self.field(place, WRITER);
            self.set(&writer, 1);
        } else {
            let readers = self.field(place, READERS);
            self.count(&readers, 1);
        }
    }

    fn leave_rwlock(&mut self, place: &Place) -> Lowered<()> {
        self.is_locked(place, &[READERS, WRITER], Library::RwLock);
        let (readers, writer) = (self.field(place, READERS), self.field(place, WRITER));
        let writing = self.peek(&writer);
        let writing = self.keep(writing);
        let (yes, ()) = self.in_block(|l| l.set(&writer, 0));
        let none = self.is_zero(&readers);
        let some = self.build.not(none);
        let (no, ()) = self.in_block(|l| l.when(some, |l| l.count(&readers, -1)));
        self.emit(StmtKind::If(writing, yes, no));
        Ok(())
    }
}
