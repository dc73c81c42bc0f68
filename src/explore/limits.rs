//! When to stop: time and memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::options::Limits;
use crate::work;

/// A flag that all workers look at now and then.
#[derive(Debug)]
pub(crate) struct Halt {
    raised: AtomicBool,
    deadline: Option<Instant>,
    /// Bytes.
    pub memory: u64,
}

impl Halt {
    /// Stops when the limits are reached.
    pub fn new(limits: &Limits) -> Self {
        Self {
            raised: AtomicBool::new(false),
            deadline: Instant::now().checked_add(limits.timeout),
            memory: limits.memory,
        }
    }

    /// Whether the time is up, or somebody has said so.
    pub fn now(&self) -> bool {
        if self.raised.load(Ordering::Relaxed) {
            return true;
        }
        let late = work::stopping() || self.deadline.is_some_and(|d| Instant::now() >= d);
        if late {
            self.raise();
        }
        late
    }

    /// Tells everybody to stop.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }
}

/// A line on standard error, for runs that take their time.
#[derive(Debug)]
pub(crate) struct Progress {
    wanted: bool,
    begin: Instant,
    next: Duration,
    /// How often it was asked since the clock was looked at.
    asked: u32,
    shown: bool,
}

impl Progress {
    /// Shows something only if it is wanted.
    pub fn new(wanted: bool) -> Self {
        Self {
            wanted,
            begin: Instant::now(),
            next: Duration::from_secs(2),
            asked: 0,
            shown: false,
        }
    }

    /// Shows how things stand, twice a second after two seconds.
    pub fn show(&mut self, status: impl FnOnce() -> String) {
        self.asked += 1;
        if !self.wanted || self.asked < 16 {
            return;
        }
        self.asked = 0;
        let time = self.begin.elapsed();
        if time >= self.next {
            self.next = time + Duration::from_millis(500);
            self.shown = true;
            eprint!("\r\x1b[K{:.0} s: {}", time.as_secs_f64(), status());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
