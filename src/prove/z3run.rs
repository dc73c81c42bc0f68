//! Z3 within limits: of time, of memory, and until the user presses Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use solver::z3::{Context, SatResult, Solver};

use base::clock::Instant;
use base::memory::resident;
use base::work;
use smt::z3::{params, watched};

/// How much may be spent on a question.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub end: Instant,
    /// How many bytes.
    pub memory: u64,
    /// How many of Z3's own units of work, which are the same on every machine.
    pub steps: Option<u32>,
}

impl Effort {
    #[must_use]
    pub fn is_late(&self) -> bool {
        work::stopping() || Instant::now() >= self.end
    }
}

/// The limits of many short questions: a time, and by how many bytes the process may grow. To watch over each question alone
/// would take longer than most of them do.
#[derive(Debug)]
pub struct Watch {
    pub end: Instant,
    most: Option<u64>,
    /// Whether a question is being asked.
    asking: Mutex<bool>,
}

impl Watch {
    /// Makes limits: until `end`, or until the process holds `memory` bytes more than now.
    #[must_use]
    pub fn new(end: Instant, memory: u64) -> Self {
        let most = resident().map(|held| held.saturating_add(memory));
        Self {
            end,
            most,
            asking: Mutex::new(false),
        }
    }

    /// Does something that asks questions. The question that is asked when a limit is reached is interrupted.
    pub fn over<T>(&self, work: impl FnOnce(&Watched<'_>) -> T) -> T {
        let context = Context::thread_local();
        let (handle, done) = (context.handle(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    if self.is_over() {
                        let asking = self.asking();
                        if *asking {
                            handle.interrupt();
                        }
                    }
                    std::thread::park_timeout(work::PULSE);
                }
            });
            let result = work(&Watched(self));
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            result
        })
    }

    fn asking(&self) -> MutexGuard<'_, bool> {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[must_use]
    pub fn is_over(&self) -> bool {
        let full = self.most.is_some_and(|most| resident() > Some(most));
        full || work::stopping() || Instant::now() >= self.end
    }

    /// How many more bytes may be held.
    #[must_use]
    pub fn memory_left(&self) -> u64 {
        match (self.most, resident()) {
            (Some(most), Some(held)) => most.saturating_sub(held),
            _ => u64::MAX,
        }
    }
}

/// Limits that are watched now: questions can be asked.
#[derive(Debug)]
pub struct Watched<'w>(&'w Watch);

impl Watched<'_> {
    pub fn check(&self, solver: &Solver) -> SatResult {
        *self.0.asking() = true;
        let result = solver.check();
        *self.0.asking() = false;
        result
    }
}

impl std::ops::Deref for Watched<'_> {
    type Target = Watch;

    fn deref(&self) -> &Watch {
        self.0
    }
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

pub fn check_within(solver: &Solver, effort: Effort) -> SatResult {
    let deadline = effort.end;
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() || work::stopping() {
        return SatResult::Unknown;
    }
    let mut params = params();
    // Not before the deadline: a caller without an answer asks whether the time is over.
    let millis = left.as_millis() + 1;
    params.set_u32("timeout", u32::try_from(millis).unwrap_or(u32::MAX));
    if let Some(steps) = effort.steps {
        params.set_u32("rlimit", steps);
    }
    solver.set_params(&params);
    watched(deadline, effort.memory, || solver.check()).0
}
