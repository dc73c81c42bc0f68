//! Whether a program can see which signals a thread blocks.

use crate::forms::own_function;
use crate::written::written_name;
use c::typed::{Callee, ExprId, ExprKind as C, Unit};

/// The number of the signal that `abort` sends, on all systems.
const ABORT: i128 = 6;

/// What a program does about signals. What it calls through a pointer counts as called with any arguments.
#[derive(Debug, Default)]
struct Uses {
    /// It asks or says which signals are blocked.
    masks: bool,
    /// It may set a handler: for any signal, and for that of `abort`.
    handles: bool,
    handles_abort: bool,
    sends: bool,
    aborts: bool,
}

/// Whether a program can see which signals a thread blocks. It can if a handler may run, which blocks signals.
pub fn blocks_signals(unit: &Unit) -> bool {
    // Nothing is known of signals where our header is not read.
    if own_function(unit, &written_name("abort")).is_none() {
        return false;
    }
    let mut uses = Uses::default();
    for expr in &unit.exprs {
        let (function, args) = match expr.kind {
            C::Call(Callee::Direct(f), args) => (f, Some(&*unit[args])),
            C::Function(f) => (f, None),
            _ => continue,
        };
        uses.add(unit, unit.name(unit[function].name), args);
    }
    uses.masks || uses.handles && uses.sends || uses.handles_abort && uses.aborts
}

impl Uses {
    fn add(&mut self, unit: &Unit, name: &str, args: Option<&[ExprId]>) {
        let given = |at: usize| unit.constant(*args?.get(at)?);
        match name {
            "pthread_sigmask" | "sigprocmask" | "sigset" | "sighold" | "sigrelse" => {
                self.masks = true;
            }
            "raise" | "kill" | "killpg" | "pthread_kill" | "sigqueue" => self.sends = true,
            "abort" | "__builtin_abort" => self.aborts = true,
            "sigaction" => {
                self.masks |= given(2) != Some(0);
                self.sets(given(0), given(1) != Some(0));
            }
            // `SIG_DFL` and `SIG_IGN` are no handlers.
            "signal" | "sysv_signal" => {
                self.sets(given(0), !matches!(given(1), Some(0 | 1)));
            }
            _ => {}
        }
    }

    fn sets(&mut self, signal: Option<i128>, handler: bool) {
        self.handles |= handler;
        self.handles_abort |= handler && signal.is_none_or(|n| n == ABORT);
    }
}
