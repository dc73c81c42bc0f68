//! Z3 within limits: of time, of memory, and of the patience of who presses Ctrl-C.

use std::time::Duration;

use solver::z3::{Params, SatResult, Solver};

use base::clock::Instant;
use base::work;
use smt::z3::watched;

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
    watched(deadline, effort.memory, || solver.check()).0
}
