//! Condition variables, semaphores, barriers, and what is done once.

use super::system::{AGAIN, INVALID};
use super::{Call, Handler, TIMED_OUT, Value};
use crate::place::Where;
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::ExprId as CExprId;
use c::types::Library;
use ir::lower::Lower;
use ir::{AwaitKind, BinaryOp, Block, ExprId, Place, StmtKind, Types};

/// Fields of a condition: threads that no signal has reached, signals that no thread has taken, wake-ups without.
pub(super) const WAITING: u32 = 0;
const WOKEN: u32 = 1;
const SPURIOUS: u32 = 2;
/// Fields of a barrier: threads that it is for, that have come, and how often all had.
const NEEDED: u32 = 0;
pub(super) const ARRIVED: u32 = 1;
const ROUND: u32 = 2;
/// `SEM_VALUE_MAX`
const MOST_COUNT: i128 = 0x7fff_ffff;

impl Lowerer<'_> {
    pub(super) fn signal_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let value = match (name, args) {
            ("pthread_cond_init", &[cond, attributes]) => {
                self.acted(&[attributes])?;
                self.begin_object(cond, Library::Cond, &mut Self::cleared)?;
                self.done(e)?
            }
            ("pthread_cond_destroy", &[cond]) => {
                self.end_object(cond, Library::Cond)?;
                self.done(e)?
            }
            ("pthread_cond_wait", [_, _]) => self.cond_wait(call, None)?,
            ("pthread_cond_timedwait", [_, _, _]) => self.cond_wait(call, Some(TIMED_OUT))?,
            ("pthread_cond_signal" | "pthread_cond_broadcast", &[cond]) => {
                let found = self.object(cond, Library::Cond)?;
                let all = name.ends_with("broadcast");
                self.in_one_step(|l| {
                    l.each(&found, &mut |l, place| {
                        l.signal(place, all)?;
                        Ok(None)
                    })
                })?;
                self.done(e)?
            }
            ("pthread_condattr_init" | "pthread_condattr_destroy", &[_])
            | ("pthread_barrierattr_init" | "pthread_barrierattr_destroy", &[_])
            | ("pthread_condattr_setclock" | "pthread_condattr_setpshared", &[_, _])
            | ("pthread_barrierattr_setpshared", &[_, _]) => {
                self.acted(args)?;
                self.done(e)?
            }
            ("pthread_once", &[once, function]) => {
                self.once_only(once, function, span)?;
                self.done(e)?
            }
            _ if name.starts_with("sem_") => return self.semaphore_call(call).map(Some),
            _ if name.starts_with("pthread_barrier_") => {
                return self.barrier_call(call).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// Gives up the mutex and waits in one step, is woken, and takes the mutex again. It is settled before whether this
    /// time the thread may wake without a signal, so that one that nobody wakes is seen to wait for ever.
    ///
    /// A thread that waits until some time is not blocked: it goes on as soon as it has a turn, signalled or late, and
    /// whether it is late depends on who has turns before it.
    pub(super) fn cond_wait(&mut self, call: Call<'_>, late: Option<i128>) -> Lowered<Value> {
        let Call { e, args, span, .. } = call;
        self.acted(&args[2..])?;
        let found = self.object(args[0], Library::Cond)?;
        let lock = self.object(args[1], Library::Mutex)?;
        let none = self.build.bool(false);
        // Nobody needs to see how it is settled: what comes of it is seen.
        let own = std::mem::take(&mut self.body.span);
        let by_itself = if self.options.spurious > 0 {
            let any = self.any(Types::BOOL);
            self.keep(any)
        } else {
            none
        };
        let timed = self.build.bool(late.is_some());
        self.body.span = own;
        let (may, took) = (self.temporary(Types::BOOL), self.temporary(Types::BOOL));
        let to = self.local_place(took);
        self.store_place(to, none);
        self.each(&found, &mut |l, place| {
            // A thread that comes after a signal must not take it: it waits until those before have taken theirs.
            let woken = l.field(place, WOKEN);
            let taken = l.is_zero(&woken);
            let (body, ()) = l.apart(|l| l.begin_to_wait(place, (by_itself, timed), may, &lock))?;
            l.wait(AwaitKind::Await, taken, body, span)?;
            l.woken(place, may, took, (span, &lock))?;
            Ok(None)
        })?;
        self.lock_found(&lock, span)?;
        let Some(late) = late else {
            return self.done(e);
        };
        let took = self.read_local(took);
        self.either_number(e, took, 0, late)
    }

    fn begin_to_wait(
        &mut self,
        place: &Place,
        (by_itself, timed): (ExprId, ExprId),
        may: ir::LocalId,
        lock: &Where,
    ) -> Lowered<()> {
        let used = self.field(place, SPURIOUS);
        let limit = self.build.int(i128::from(self.options.spurious), used.ty);
        let value = self.peek(&used);
        let some_left = self.build.binary(BinaryOp::Lt, value, limit);
        let by_itself = self.build.binary(BinaryOp::And, by_itself, some_left);
        let own = std::mem::take(&mut self.body.span);
        let by_itself = self.keep(by_itself);
        self.body.span = own;
        if !self.build.is_false(by_itself) {
            self.when(by_itself, |l| {
                l.count(&used, 1);
            });
        }
        let either = self.build.binary(BinaryOp::Or, by_itself, timed);
        let to = self.local_place(may);
        self.store_place(to, either);
        let waiting = self.field(place, WAITING);
        self.count(&waiting, 1);
        self.each(lock, &mut |l, mutex| {
            l.release(mutex)?;
            Ok(None)
        })?;
        Ok(())
    }

    fn woken(
        &mut self,
        place: &Place,
        may: ir::LocalId,
        took: ir::LocalId,
        (span, lock): (Span, &Where),
    ) -> Lowered<()> {
        let (waiting, woken) = (self.field(place, WAITING), self.field(place, WOKEN));
        let none = self.is_zero(&woken);
        let some = self.build.not(none);
        let may = self.read_local(may);
        let cond = self.build.binary(BinaryOp::Or, some, may);
        let (body, ()) = self.apart(|l| {
            let (take, ()) = l.apart(|l| {
                l.count(&woken, -1);
                let (to, yes) = (l.local_place(took), l.build.bool(true));
                l.store_place(to, yes);
                Ok(())
            })?;
            let (leave, ()) = l.apart(|l| {
                l.count(&waiting, -1);
                Ok(())
            })?;
            l.emit(StmtKind::If(some, take, leave));
            Ok(())
        })?;
        let (gone, ()) = self.apart(|l| {
            // Whose wake-up it was is not known: one fewer waits, or one wake-up less is left.
            let nobody = l.is_zero(&waiting);
            let (woken, ()) = l.apart(|l| {
                l.count(&woken, -1);
                Ok(())
            })?;
            let (waits, ()) = l.apart(|l| {
                l.count(&waiting, -1);
                Ok(())
            })?;
            l.emit(StmtKind::If(nobody, woken, waits));
            Ok(())
        })?;
        self.wait_or_end(AwaitKind::Await, cond, (body, span), Some((gone, lock)))
    }

    fn signal(&mut self, place: &Place, all: bool) -> Lowered<()> {
        let (waiting, woken) = (self.field(place, WAITING), self.field(place, WOKEN));
        let none = self.is_zero(&waiting);
        let some = self.build.not(none);
        self.when(some, |l| {
            if all {
                let (open, before) = (l.peek(&waiting), l.peek(&woken));
                let sum = l.build.binary(BinaryOp::Add, open, before);
                l.store_place(woken, sum);
                l.set(&waiting, 0);
            } else {
                l.count(&waiting, -1);
                l.count(&woken, 1);
            }
        });
        Ok(())
    }

    fn semaphore_call(&mut self, call: Call<'_>) -> Lowered<Value> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let Some((&semaphore, rest)) = args.split_first() else {
            return refuse(span, format!("`{name}` is"));
        };
        if !matches!(
            name,
            "sem_init"
                | "sem_destroy"
                | "sem_wait"
                | "sem_trywait"
                | "sem_post"
                | "sem_getvalue"
                | "sem_timedwait"
        ) {
            return refuse(span, format!("`{name}` is"));
        }
        match (name, rest) {
            ("sem_init", &[shared, count]) => {
                self.effect(shared)?;
                return self.semaphore_init(e, semaphore, count);
            }
            ("sem_destroy", []) => {
                self.end_object(semaphore, Library::Semaphore)?;
                return self.done(e);
            }
            _ => {}
        }
        let found = self.object(semaphore, Library::Semaphore)?;
        match (name, rest) {
            ("sem_wait", []) => self.semaphore_wait(&found, span)?,
            ("sem_trywait", []) => return self.semaphore_try(e, &found, AGAIN),
            ("sem_timedwait", &[until]) => {
                self.effect(until)?;
                self.cancellation_point()?;
                return self.semaphore_try(e, &found, TIMED_OUT);
            }
            ("sem_post", []) => {
                self.in_one_step(|l| {
                    l.each(&found, &mut |l, place| {
                        l.count(place, 1);
                        Ok(None)
                    })
                })?;
            }
            ("sem_getvalue", &[into]) => self.semaphore_value(&found, into, span)?,
            _ => return refuse(span, format!("`{name}` is")),
        }
        self.done(e)
    }

    /// Makes a semaphore, unless it counts too far.
    fn semaphore_init(&mut self, e: CExprId, semaphore: CExprId, count: CExprId) -> Lowered<Value> {
        let count = self.value(count)?;
        let count = self.keep(count);
        let most = self.build.int(MOST_COUNT, self.build.ty(count));
        let fits = self.build.binary(BinaryOp::Le, count, most);
        self.where_it_holds(fits, |l| {
            l.begin_object(semaphore, Library::Semaphore, &mut |l, place| {
                let count = l.build.convert(count, place.ty);
                l.store_place(place.clone(), count);
                Ok(())
            })
        })?;
        let beyond = self.build.not(fits);
        self.failed(beyond, INVALID, self.unit[e].span)?;
        self.either_number(e, fits, 0, -1)
    }

    fn semaphore_wait(&mut self, found: &Where, span: Span) -> Lowered<()> {
        self.each(found, &mut |l, place| {
            let none = l.is_zero(place);
            let some = l.build.not(none);
            let (body, ()) = l.apart(|l| {
                l.count(place, -1);
                Ok(())
            })?;
            l.wait_or_end(AwaitKind::Await, some, (body, span), None)?;
            Ok(None)
        })?;
        Ok(())
    }

    fn semaphore_value(&mut self, found: &Where, into: CExprId, span: Span) -> Lowered<()> {
        let value = self.in_one_step(|l| l.load(found))?;
        let mut into = self.pointed(into)?;
        self.keep_indices(&mut into);
        let value = self.converted(value, into.ty, span)?;
        let value = self.keep(value);
        self.store(&into, value)
    }

    /// Takes one if there is one; says by -1 that there was none, and by `errno` why.
    fn semaphore_try(&mut self, e: CExprId, found: &Where, why: i128) -> Lowered<Value> {
        let none = self.temporary(Types::BOOL);
        self.in_one_step(|l| {
            l.each(found, &mut |l, place| {
                let empty = l.is_zero(place);
                let to = l.local_place(none);
                l.store_place(to, empty);
                let empty = l.read_local(none);
                l.unless(empty, |l| {
                    l.count(place, -1);
                });
                Ok(None)
            })
        })?;
        let none = self.read_local(none);
        self.failed(none, why, self.unit[e].span)?;
        self.either_number(e, none, -1, 0)
    }

    fn barrier_call(&mut self, call: Call<'_>) -> Lowered<Value> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let Some((&barrier, rest)) = args.split_first() else {
            return refuse(span, format!("`{name}` is"));
        };
        match (name, rest) {
            ("pthread_barrier_init", &[attributes, count]) => {
                self.acted(&[attributes])?;
                let count = self.value(count)?;
                let count = self.keep(count);
                let some = self.build.nonzero(count);
                self.where_it_holds(some, |l| {
                    l.begin_object(barrier, Library::Barrier, &mut |l, place| {
                        l.cleared(place)?;
                        let needed = l.field(place, NEEDED);
                        let count = l.build.convert(count, needed.ty);
                        l.store_place(needed, count);
                        Ok(())
                    })
                })?;
                self.either_number(e, some, 0, INVALID)
            }
            ("pthread_barrier_destroy", []) => {
                self.end_object(barrier, Library::Barrier)?;
                self.done(e)
            }
            ("pthread_barrier_wait", []) => {
                let found = self.object(barrier, Library::Barrier)?;
                self.barrier_wait(e, &found, span)
            }
            _ => refuse(span, format!("`{name}` is")),
        }
    }

    /// The last thread that comes lets all others go, and is told so.
    fn barrier_wait(&mut self, e: CExprId, found: &Where, span: Span) -> Lowered<Value> {
        let last = self.temporary(Types::BOOL);
        self.each(found, &mut |l, place| {
            let (needed, arrived, round) = (
                l.field(place, NEEDED),
                l.field(place, ARRIVED),
                l.field(place, ROUND),
            );
            let own = l.temporary(round.ty);
            l.in_one_step(|l| {
                let value = l.peek(&round);
                let to = l.local_place(own);
                l.store_place(to, value);
                l.count(&arrived, 1);
                let (n, all) = (l.peek(&arrived), l.peek(&needed));
                let full = l.build.binary(BinaryOp::Eq, n, all);
                let to = l.local_place(last);
                l.store_place(to, full);
                let full = l.read_local(last);
                l.when(full, |l| {
                    l.set(&arrived, 0);
                    l.count(&round, 1);
                });
                Ok(())
            })?;
            let (now, own) = (l.peek(&round), l.read_local(own));
            let same = l.build.binary(BinaryOp::Eq, now, own);
            let other = l.build.not(same);
            let last = l.read_local(last);
            l.unless(last, |l| {
                l.wait(AwaitKind::Await, other, Block::new(), span)
            })?;
            Ok(None)
        })?;
        let last = self.read_local(last);
        self.either_number(e, last, -1, 0)
    }

    /// Whoever comes first calls the function; others wait until it is done. If the thread ends meanwhile, another one calls it.
    fn once_only(&mut self, once: CExprId, function: CExprId, span: Span) -> Lowered<()> {
        let found = self.object(once, Library::Once)?;
        let functions = self.functions_of(function);
        let chosen = self.value(function)?;
        let chosen = self.keep(chosen);
        let mine = self.temporary(Types::BOOL);
        self.each(&found, &mut |l, place| {
            let state = l.peek(place);
            let one = l.build.int(1, place.ty);
            let running = l.build.binary(BinaryOp::Eq, state, one);
            let cond = l.build.not(running);
            let (body, ()) = l.apart(|l| {
                let fresh = l.is_zero(place);
                let to = l.local_place(mine);
                l.store_place(to, fresh);
                let fresh = l.read_local(mine);
                l.when(fresh, |l| {
                    l.set(place, 1);
                });
                Ok(())
            })?;
            l.wait(AwaitKind::Await, cond, body, span)?;
            let mine = l.read_local(mine);
            l.when(mine, |l| {
                l.body.handlers.push(Handler::NotDone(place.clone()));
                let done = l.call_one(&functions, chosen, &[], None, span);
                l.body.handlers.pop();
                done?;
                l.in_one_step(|l| {
                    l.set(place, 2);
                    Ok(())
                })
            })?;
            Ok(None)
        })?;
        Ok(())
    }
}
