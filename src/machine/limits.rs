//! When to stop: time and memory.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::found::Limit;
use base::clock::Instant;
use base::memory::resident;
use base::portions::Portions;
use base::work;
use options::{ExploreOptions, Limits};

/// A flag that all workers look at now and then.
#[derive(Debug)]
pub struct Halt {
    raised: AtomicBool,
    /// Whether the flag was raised because of the memory.
    full: AtomicBool,
    /// Whether the flag was raised because of the work.
    spent: AtomicBool,
    /// Work that may still be done, if it is counted.
    work: Option<AtomicU64>,
    /// The portions of work that the search waits for, if it runs in portions.
    portions: Option<Portions>,
    /// How often workers have asked whether a limit is reached.
    looks: AtomicU32,
    deadline: Option<Instant>,
    pub memory: u64,
    /// What the process held at the beginning, in bytes.
    resident: u64,
}

/// The process looks at its memory once in so many looks at the limits.
const LOOKS: u32 = 32;

impl Halt {
    /// Stops when the limits are reached, or that much work is done.
    pub fn new(limits: &Limits, work: Option<u64>) -> Self {
        Self {
            raised: AtomicBool::new(false),
            full: AtomicBool::new(false),
            spent: AtomicBool::new(false),
            work: work.map(AtomicU64::new),
            portions: None,
            looks: AtomicU32::new(0),
            deadline: limits.end(),
            memory: limits.memory,
            resident: limits.held.or_else(resident).unwrap_or(0),
        }
    }

    /// Like [`Self::new`], for a search of states. The search waits for more work, if there are portions.
    pub fn of_search(options: &ExploreOptions) -> Self {
        Self {
            portions: options.portions.clone(),
            ..Self::new(&options.limits, options.work)
        }
    }

    /// Returns the limit that is reached, if one is. Some searches cannot count what they hold, so the limit on memory is one
    /// on the growth of the process. The operating system is asked for that only now and then, because a question takes as
    /// long as a state.
    pub fn reached(&self) -> Option<Limit> {
        let look = self.looks.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let asks = look.is_multiple_of(LOOKS);
        if self.full.load(Ordering::Relaxed) || asks && self.is_full() {
            Some(Limit::Memory)
        } else {
            self.now().then(|| self.which())
        }
    }

    /// Like [`Self::reached`], but asks the operating system each time: one step may make very many tasks.
    pub fn reached_now(&self) -> Option<Limit> {
        self.is_full();
        self.reached()
    }

    /// Whether the process has grown by more than the limit. Then all workers stop.
    pub fn is_full(&self) -> bool {
        let grown =
            || resident().is_some_and(|now| now.saturating_sub(self.resident) > self.memory);
        let full = self.full.load(Ordering::Relaxed) || grown();
        if full {
            self.full.store(true, Ordering::Relaxed);
            self.raise();
        }
        full
    }

    /// Returns the limit that made all workers stop.
    pub fn which(&self) -> Limit {
        if self.full.load(Ordering::Relaxed) {
            Limit::Memory
        } else if self.spent.load(Ordering::Relaxed) && !work::stopping() {
            Limit::Work
        } else {
            Limit::Time
        }
    }

    /// Checks whether to stop: the time is up, or somebody has [raised](Self::raise) the flag.
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

    /// Counts work that was done. One worker counts the same in equal runs, and so stops at the same place.
    pub fn spend(&self, work: u64) {
        if let Some(portions) = &self.portions {
            // There are no more portions when the time for all is up.
            if work > 0 && !portions.spend(work) {
                self.raise();
            }
            return;
        }
        let Some(left) = &self.work else { return };
        let less = |left: u64| Some(left.saturating_sub(work));
        let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if before.is_ok_and(|before| before <= work) {
            self.spent.store(true, Ordering::Relaxed);
            self.raise();
        }
    }

    /// Tells all workers to stop.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }
}

/// A line on standard error, for runs that take their time.
#[derive(Debug)]
pub struct Progress {
    wanted: bool,
    begin: Instant,
    next: Duration,
    /// The time and the count that were shown last.
    last: (Duration, u64),
    shown: bool,
}

impl Progress {
    /// Shows something only if it is wanted.
    pub fn new(wanted: bool) -> Self {
        Self {
            wanted,
            begin: Instant::now(),
            next: Duration::from_secs(2),
            last: (Duration::ZERO, 0),
            shown: false,
        }
    }

    /// Shows the count, its rate, and what `more` adds: twice a second, after the first two seconds.
    pub fn show(&mut self, count: u64, what: &str, more: impl FnOnce() -> String) {
        if !self.wanted {
            return;
        }
        let time = self.begin.elapsed();
        if time >= self.next {
            let rate = rate(self.last, (time, count));
            self.next = time + Duration::from_millis(500);
            self.last = (time, count);
            self.shown = true;
            let seconds = time.as_secs();
            eprint!(
                "\r\x1b[K{seconds} s: {count} {what} ({rate} per second), {}",
                more()
            );
        }
    }
}

/// How many more there are in a second.
fn rate((then, before): (Duration, u64), (now, count): (Duration, u64)) -> u128 {
    let millis = now.saturating_sub(then).as_millis().max(1);
    u128::from(count.saturating_sub(before)) * 1000 / millis
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_counted_comes_to_an_end() {
        let halt = Halt::new(&Limits::default(), Some(10));
        halt.spend(9);
        assert!(!halt.now());
        halt.spend(1);
        assert!(halt.now());
        assert_eq!(halt.reached(), Some(Limit::Work));
        let endless = Halt::new(&Limits::default(), None);
        endless.spend(u64::MAX);
        assert!(!endless.now());
    }

    #[test]
    fn the_rate_is_that_since_the_last_time() {
        let at = Duration::from_millis;
        assert_eq!(rate((Duration::ZERO, 0), (at(2000), 5000)), 2500);
        assert_eq!(rate((at(2000), 5000), (at(2500), 5000)), 0);
        assert_eq!(rate((at(2000), 5000), (at(2000), 5001)), 1000);
    }
}
