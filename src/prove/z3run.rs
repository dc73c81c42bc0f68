//! Z3 within limits: of time, of memory, and of the patience of who presses Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use z3::{Context, Params, SatResult, Solver};

use crate::work;

/// How much may be spent on a question.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Until when.
    pub end: Instant,
    /// How many bytes.
    pub memory: u64,
    /// How many of Z3's own units of work, which are the same on every machine.
    pub steps: Option<u32>,
}

/// Asks a solver, until the deadline and within that many bytes.
pub fn check(solver: &Solver, end: Instant, memory: u64) -> SatResult {
    let effort = Effort {
        end,
        memory,
        steps: None,
    };
    check_within(solver, effort)
}

/// Asks a solver.
pub fn check_within(solver: &Solver, effort: Effort) -> SatResult {
    let deadline = effort.end;
    let left = deadline.saturating_duration_since(Instant::now());
    if left < Duration::from_millis(1) || work::stopping() {
        return SatResult::Unknown;
    }
    let mut params = Params::new();
    params.set_u32(
        "timeout",
        u32::try_from(left.as_millis()).unwrap_or(u32::MAX),
    );
    if let Some(steps) = effort.steps {
        params.set_u32("rlimit", steps);
    }
    params.set_bool("ctrl_c", !work::listening());
    solver.set_params(&params);
    within(effort.memory, deadline, || solver.check())
}

/// Bounds Z3's memory during a check. Outside of one it must not run out: making a term cannot fail.
fn within<T>(bytes: u64, deadline: Instant, check: impl FnOnce() -> T) -> T {
    const PARAMETER: &str = "memory_max_size";
    z3::set_global_param(PARAMETER, &(bytes >> 20).max(1).to_string());
    let result = interruptible(deadline, check);
    z3::set_global_param(PARAMETER, "0");
    result
}

/// Z3 notices its own time limit late at times; it is interrupted that much after it.
const GRACE: Duration = Duration::from_millis(200);

fn interruptible<T>(deadline: Instant, check: impl FnOnce() -> T) -> T {
    let context = Context::thread_local();
    let (handle, done) = (context.handle(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if work::stopping() || Instant::now() >= deadline + GRACE {
                    handle.interrupt();
                }
                std::thread::park_timeout(work::PULSE);
            }
        });
        let result = check();
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        result
    })
}
