//! Room for recursion: the tree may be `ast::MAX_DEPTH` levels deep.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::clock;

thread_local! {
    /// Whether this thread has a big stack.
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// Stack sizes to ask for, best first: a limited container may refuse the large ones.
const SIZES: [usize; 3] = [256 << 20, 64 << 20, 16 << 20];

/// Runs `f` on a thread with a stack of 256 MiB, or of as much as the system gives. A thread with a big stack runs `f` itself:
/// each thread keeps memory that other threads cannot use, so fewer threads need less.
///
/// A panic in `f` goes on in the caller.
pub fn on_big_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    if HERE.get() {
        return f();
    }
    let before = clock::worked();
    let timed = || {
        clock::go_on_from(before);
        (f(), clock::worked())
    };
    thread::scope(|scope| match spawn(scope, timed) {
        Ok(thread) => {
            let (result, worked) = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            clock::go_on_from(worked);
            result
        }
        Err(timed) => timed().0,
    })
}

/// Starts a thread with a big stack that runs `f`. Returns `f` if the system refuses all sizes.
pub fn spawn<'scope, R: Send + 'scope, F: FnOnce() -> R + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    f: F,
) -> Result<ScopedJoinHandle<'scope, R>, F> {
    // The work is taken inside the thread, so that a refused thread leaves it here.
    let work = Arc::new(Mutex::new(Some(f)));
    let take = |work: &Mutex<Option<F>>| work.lock().ok()?.take();
    for size in SIZES {
        let slot = work.clone();
        let run = move || {
            HERE.set(true);
            take(&slot).expect("nobody else has taken the work")()
        };
        let thread = thread::Builder::new().stack_size(size);
        if let Ok(thread) = thread.spawn_scoped(scope, run) {
            return Ok(thread);
        }
    }
    Err(take(&work).expect("no thread took the work"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        let frame = std::hint::black_box([n; 16]);
        if n == 0 {
            frame[0]
        } else {
            1 + depth(frame[3] - 1)
        }
    }

    #[test]
    fn recursion_has_room() {
        assert_eq!(on_big_stack(|| depth(100_000)), 100_000);
    }
}
