//! What time it is: the system says, or, in a browser, the page that runs us.

use std::cell::Cell;
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use page::{Instant, set};

/// As good as no limit.
pub const FOREVER: Duration = Duration::from_secs(1 << 32);

/// The processor time that the process has had; none where the system does not say.
#[must_use]
pub fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        time_of(rustix::time::ClockId::ProcessCPUTime)
    }
    #[cfg(not(unix))]
    None
}

thread_local! {
    /// The processor time of threads that worked in the place of this one.
    static OTHERS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The processor time of the work that this thread goes on with; none where the system does not say.
#[must_use]
pub fn worked() -> Option<Duration> {
    #[cfg(unix)]
    {
        Some(time_of(rustix::time::ClockId::ThreadCPUTime)? + OTHERS.get())
    }
    #[cfg(not(unix))]
    None
}

/// Goes on with work for which another thread has needed so much processor time.
pub fn go_on_from(other: Option<Duration>) {
    let more = other
        .zip(worked())
        .map(|(other, own)| other.saturating_sub(own));
    OTHERS.set(OTHERS.get() + more.unwrap_or_default());
}

#[cfg(unix)]
fn time_of(clock: rustix::time::ClockId) -> Option<Duration> {
    let time = rustix::time::clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// Stands in for `std::time::Instant`, which panics in a browser.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod page {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock, once for all. No time passes before that.
    pub fn set(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment, as `std::time::Instant` is one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        #[must_use]
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// How long ago the moment is.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// How much later the moment is than another one.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The moment that is this much later, if there is one.
        #[must_use]
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Self;

        fn sub(self, time: Duration) -> Self {
            Self(self.0.saturating_sub(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
