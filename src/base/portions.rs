//! Work in portions: a search that has done its portion waits for the next one, where it is.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use super::clock::{FOREVER, Instant, go_on_from, worked};
use super::{stack, work};

/// An amount of work, and when it has to end.
#[derive(Clone, Copy, Debug)]
pub struct Portion {
    pub work: u64,
    pub end: Instant,
}

/// The rest of a search's portion, and where the search gets the next one.
#[derive(Clone, Debug)]
pub struct Portions(Arc<Mutex<Supply>>);

/// The processor time of a search and of those who wait for it.
type Worked = Option<Duration>;

#[derive(Debug)]
struct Supply {
    left: Portion,
    done: Sender<Worked>,
    next: Receiver<(Portion, Worked)>,
}

impl Portions {
    /// Counts work that was done. If the portion ends with it, waits for the next one. Returns whether the search goes on.
    #[must_use]
    pub fn spend(&self, work: u64) -> bool {
        let Ok(mut supply) = self.0.lock() else {
            return false;
        };
        let left = &mut supply.left;
        left.work = left.work.saturating_sub(work);
        if left.work > 0 && Instant::now() < left.end {
            return true;
        }
        let stage = work::stage_now();
        let goes_on = supply.done.send(worked()).is_ok() && supply.wait();
        work::come_back_to(stage);
        goes_on
    }

    /// When the portion ends.
    #[must_use]
    pub fn end(&self) -> Option<Instant> {
        self.0.lock().ok().map(|supply| supply.left.end)
    }
}

impl Supply {
    fn wait(&mut self) -> bool {
        let next = self.next.recv();
        let goes_on = next.is_ok();
        if let Ok((portion, worked)) = next {
            self.left = portion;
            go_on_from(worked);
        }
        goes_on
    }
}

/// A search on a thread of its own that goes on where it was. It gives up when this is dropped.
pub struct Kept<'scope, T> {
    thread: ScopedJoinHandle<'scope, (T, Worked)>,
    done: Receiver<Worked>,
    next: Sender<(Portion, Worked)>,
}

/// The outcome of a portion: the result of the search, or the search, which waits for another portion.
pub type Portioned<'scope, T> = ControlFlow<T, Kept<'scope, T>>;

impl<'scope, T: Send + 'scope> Kept<'scope, T> {
    /// Begins a search; none where the system has no thread for it.
    pub fn begin(
        scope: &'scope Scope<'scope, '_>,
        first: Portion,
        search: impl FnOnce(Portions) -> T + Send + 'scope,
    ) -> Option<Portioned<'scope, T>> {
        let (say, done) = channel();
        let (next, portions) = channel();
        let supply = Supply {
            left: first,
            done: say,
            next: portions,
        };
        let portions = Portions(Arc::new(Mutex::new(supply)));
        let before = worked();
        let counted = move || {
            go_on_from(before);
            (search(portions), worked())
        };
        let thread = stack::spawn(scope, counted).ok()?;
        Some(Self { thread, done, next }.until_done())
    }

    /// Goes on with another portion.
    pub fn go_on(self, portion: Portion) -> Portioned<'scope, T> {
        // A search that has ended takes no portion.
        let _ = self.next.send((portion, worked()));
        self.until_done()
    }

    /// Lets the search go on to its end.
    pub fn to_the_end(self) -> T {
        let end = Instant::now() + FOREVER;
        let work = u64::MAX;
        match self.go_on(Portion { work, end }) {
            ControlFlow::Break(result) => result,
            ControlFlow::Continue(search) => search.give_up(),
        }
    }

    /// Ends the search, and returns what it has found so far.
    pub fn give_up(self) -> T {
        drop(self.next);
        let thread = self.thread.join();
        let (result, worked) = thread.unwrap_or_else(|panic| resume_unwind(panic));
        go_on_from(worked);
        result
    }

    fn until_done(self) -> Portioned<'scope, T> {
        match self.done.recv() {
            Ok(worked) => {
                go_on_from(worked);
                ControlFlow::Continue(self)
            }
            Err(_) => ControlFlow::Break(self.give_up()),
        }
    }
}

#[cfg(test)]
mod tests;
