//! Calls that tell the system something or ask it: numbers of errors, signals, processors of threads, options.

use super::{Call, Value};
use crate::place::Where;
use crate::{Lowered, Lowerer};
use base::source::Span;
use c::typed::{ExprKind as C, Lifetime, VarId};
use ir::{ExprId, TypeId};

/// `EINVAL`
pub(super) const INVALID: i128 = 22;

impl Lowerer<'_> {
    pub(super) fn system_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call { name, e, args, .. } = call;
        match (name, args) {
            (
                "pthread_setaffinity_np"
                | "sched_setaffinity"
                | "sigemptyset"
                | "sigfillset"
                | "sigaddset"
                | "sigdelset"
                // No signal comes from outside, and no program reads the content of a set.
                | "pthread_sigmask"
                | "sigprocmask",
                _,
            ) => {
                self.effects(args)?;
                self.done(e).map(Some)
            }
            ("__thread_finished", &[thread]) => self.has_finished(thread, e).map(Some),
            ("__library_errno", &[other]) => match self.errno() {
                Some(errno) => {
                    let place = self.variable(errno, call.span)?;
                    let value = self.load(&Where::named(place, call.span))?;
                    Ok(Some(Value(Some(value))))
                }
                None => self.value(other).map(|v| Some(Value(Some(v)))),
            },
            ("getopt", [_, _, _]) if self.options.args.is_empty() => self.gives(e, -1).map(Some),
            _ => Ok(None),
        }
    }

    /// Sets `errno` to a number where a condition holds.
    pub(crate) fn failed(&mut self, cond: ExprId, number: i128, span: Span) -> Lowered<()> {
        self.fails_with(cond, span, |l, ty| Ok(l.build.int(number, ty)))
    }

    /// Sets `errno` where a condition holds, if the program names it.
    pub(super) fn fails_with(
        &mut self,
        cond: ExprId,
        span: Span,
        number: impl FnOnce(&mut Self, TypeId) -> Lowered<ExprId>,
    ) -> Lowered<()> {
        let Some(errno) = self.errno() else {
            return Ok(());
        };
        let place = self.variable(errno, span)?;
        let number = number(self, place.ty)?;
        self.store_if(cond, &Where::named(place, span), number)
    }

    /// The variable `errno`, if the program names it.
    fn errno(&self) -> Option<VarId> {
        self.unit.exprs.iter().find_map(|e| match e.kind {
            C::Var(id) => {
                let variable = &self.unit[id];
                let named = variable.name.is_some_and(|n| self.unit.name(n) == "errno");
                (named && variable.lifetime == Lifetime::Thread).then_some(id)
            }
            _ => None,
        })
    }
}
