//! The threads of C11 (`<threads.h>`), as far as they are not those of POSIX under another name.

use super::{Call, Value};
use crate::{Lowered, Lowerer};
use c::types::Library;

/// Returns the function of POSIX that has the same arguments, effects and results; returns any other name as it is.
pub(super) fn posix(name: &str) -> &str {
    match name {
        "thrd_current" => "pthread_self",
        "thrd_equal" => "pthread_equal",
        "thrd_detach" => "pthread_detach",
        "thrd_join" => "pthread_join",
        "mtx_lock" => "pthread_mutex_lock",
        "mtx_unlock" => "pthread_mutex_unlock",
        "mtx_destroy" => "pthread_mutex_destroy",
        "cnd_wait" => "pthread_cond_wait",
        "cnd_signal" => "pthread_cond_signal",
        "cnd_broadcast" => "pthread_cond_broadcast",
        "cnd_destroy" => "pthread_cond_destroy",
        "call_once" => "pthread_once",
        "tss_create" => "pthread_key_create",
        "tss_delete" => "pthread_key_delete",
        "tss_get" => "pthread_getspecific",
        "tss_set" => "pthread_setspecific",
        other => other,
    }
}

impl Lowerer<'_> {
    pub(super) fn c11_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        let value = match (name, args) {
            ("thrd_create", &[thread, start, arg]) => {
                let place = self.object(thread, Library::Thread)?;
                self.build.program.quotes.put_maker(span, "thrd_create");
                self.create(start, arg, (Some(&place), None), span)?;
                self.done(e)?
            }
            ("thrd_exit", &[result]) => {
                if self.body.section.is_some() || self.body.atomic {
                    return self.in_turn(span, "`thrd_exit` in an atomic section is");
                }
                self.thread_result(result)?;
                self.leave_thread()?;
                Value(None)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }
}
