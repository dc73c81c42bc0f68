//! Room for recursion: the tree may be [`ast::MAX_DEPTH`] levels deep.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;

thread_local! {
    /// Whether this thread has such a stack.
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// Sizes to ask for, best first: a limited container may refuse the large ones.
const SIZES: [usize; 3] = [256 << 20, 64 << 20, 16 << 20];

/// Runs `f` on a thread with a stack of 256 MiB, or as much as the system gives: on this one, if it is such a thread. Each thread keeps
/// memory of its own that the others do not use, so fewer threads need less.
///
/// A panic in `f` goes on in the caller.
pub fn on_big_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    if HERE.get() {
        return f();
    }
    let mut work = Some(f);
    for size in SIZES {
        // The work is handed over inside the thread, so that a refused thread leaves it here.
        let slot = &mut work;
        let result = thread::scope(|scope| {
            let run = move || {
                HERE.set(true);
                slot.take().map(|f| f())
            };
            let handle = thread::Builder::new()
                .stack_size(size)
                .spawn_scoped(scope, run)
                .ok()?;
            handle.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        if let Some(result) = result {
            return result;
        }
    }
    let f = work.take().expect("no thread took the work");
    f()
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
