//! Work in rounds: one worker leads, the others stand by. A round has pieces. Each worker begins with a range of pieces that is
//! its own in every round, so that what it wrote before is near it. Then it takes pieces that are left in the ranges of others.
//! So a worker that is kept from working makes the others wait for one piece at most.

use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

/// A round: what is to be done, in how many pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round<W> {
    number: u32,
    work: W,
    pieces: usize,
}

/// The rounds, one after the other.
#[derive(Debug)]
pub(super) struct Rounds<W> {
    /// The round that was begun last, and whether there will be others.
    last: Mutex<(Round<W>, bool)>,
    begins: Condvar,
    /// By worker's range: the round's number, and in the lower half the next piece. So a worker that comes late to a round takes
    /// no piece of another round.
    next: Vec<AtomicU64>,
    /// How many workers there are so far.
    workers: AtomicUsize,
    done: AtomicUsize,
    failed: AtomicBool,
    leader: Thread,
}

/// How often a worker looks whether something has happened, before it goes to sleep: some fifty microseconds, about as long as
/// it takes to wake it.
const LOOKS: u32 = 1000;

/// Counts a piece as done, however it ends.
struct Done<'r, W>(&'r Rounds<W>, usize);

impl<W> Drop for Done<'_, W> {
    fn drop(&mut self) {
        let Self(rounds, pieces) = *self;
        if thread::panicking() {
            rounds.failed.store(true, Ordering::Release);
        }
        if rounds.done.fetch_add(1, Ordering::AcqRel) + 1 == pieces {
            rounds.leader.unpark();
        }
    }
}

impl<W: Copy> Rounds<W> {
    /// Makes rounds for that many workers; none has begun. The thread that calls this leads. `work` is only a placeholder.
    pub fn new(work: W, workers: usize) -> Self {
        let round = Round {
            number: 0,
            work,
            pieces: 0,
        };
        Self {
            last: Mutex::new((round, true)),
            begins: Condvar::new(),
            next: (0..workers).map(|_| AtomicU64::new(0)).collect(),
            // The leader.
            workers: AtomicUsize::new(1),
            done: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            leader: thread::current(),
        }
    }

    /// Begins a round; the one before has to be [finished](Self::finish).
    pub fn begin(&self, work: W, pieces: usize) -> Round<W> {
        let mut last = self.lock();
        last.0 = Round {
            number: last.0.number.wrapping_add(1),
            work,
            pieces,
        };
        self.done.store(0, Ordering::Release);
        // A waiting worker looks at the first range, so that one is set last.
        for (worker, next) in self.next.iter().enumerate().rev() {
            let first = self.range(last.0, worker).start;
            next.store(
                u64::from(last.0.number) << 32 | first as u64,
                Ordering::Release,
            );
        }
        self.begins.notify_all();
        last.0
    }

    /// The pieces with which a worker begins.
    fn range(&self, round: Round<W>, worker: usize) -> Range<usize> {
        let from = |worker: usize| round.pieces * worker / self.next.len();
        from(worker)..from(worker + 1)
    }

    /// Does pieces of a round until all are done.
    pub fn lead(&self, round: Round<W>, piece: impl FnMut(W, usize)) {
        self.help(0, round, piece);
        self.finish(round);
    }

    /// Does pieces of a round until none is left.
    fn help(&self, worker: usize, round: Round<W>, mut piece: impl FnMut(W, usize)) {
        let all = self.next.len();
        for of in (worker..all).chain(0..worker) {
            while let Some(number) = self.take(of, round) {
                let _done = Done(self, round.pieces);
                piece(round.work, number);
            }
        }
    }

    /// The next piece of a worker's range.
    fn take(&self, of: usize, round: Round<W>) -> Option<usize> {
        let end = self.range(round, of).end as u64;
        let taken = |next: u64| {
            let piece = next & u64::from(u32::MAX);
            (next >> 32 == u64::from(round.number) && piece < end).then_some(next + 1)
        };
        let next = (self.next[of]).fetch_update(Ordering::AcqRel, Ordering::Acquire, taken);
        next.ok().map(|next| (next & u64::from(u32::MAX)) as usize)
    }

    /// Waits until all pieces are done.
    fn finish(&self, round: Round<W>) {
        let is_done = || self.done.load(Ordering::Acquire) >= round.pieces;
        for _ in 0..LOOKS {
            if is_done() {
                break;
            }
            spin_loop();
        }
        while !is_done() {
            thread::park();
        }
        let failed = self.failed.load(Ordering::Acquire);
        assert!(!failed, "a worker has failed");
    }

    /// Takes part in all rounds from now on, until there are no more. `rest` is called after each.
    pub fn stand_by<T>(
        &self,
        worker: &mut T,
        piece: impl Fn(&mut T, W, usize),
        rest: impl Fn(&mut T),
    ) {
        let number = self.workers.fetch_add(1, Ordering::Relaxed);
        let mut before = 0;
        while let Some(round) = self.wait(before) {
            before = round.number;
            self.help(number, round, |work, number| piece(worker, work, number));
            rest(worker);
        }
    }

    /// Waits for a round after number `before`; `None` if there are no more rounds.
    fn wait(&self, before: u32) -> Option<Round<W>> {
        for _ in 0..LOOKS {
            if self.next[0].load(Ordering::Acquire) >> 32 != u64::from(before) {
                break;
            }
            spin_loop();
        }
        let mut last = self.lock();
        while last.0.number == before && last.1 {
            last = self
                .begins
                .wait(last)
                .unwrap_or_else(PoisonError::into_inner);
        }
        last.1.then_some(last.0)
    }

    /// Says that there are no more rounds.
    pub fn end(&self) {
        self.lock().1 = false;
        self.begins.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, (Round<W>, bool)> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_of_each_round_is_done_once() {
        let rounds = Rounds::new(0, 4);
        let done: Vec<AtomicUsize> = (0..500).map(|_| AtomicUsize::new(0)).collect();
        let piece = |(): &mut (), work: usize, number: usize| {
            done[work + number].fetch_add(1, Ordering::Relaxed);
        };
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| rounds.stand_by(&mut (), piece, |()| {}));
            }
            for work in 0..490 {
                let round = rounds.begin(work, work % 11);
                rounds.lead(round, |work, number| piece(&mut (), work, number));
            }
            rounds.end();
        });
        let times = |at: usize| {
            (0..490)
                .filter(|work| at >= *work && at - work < work % 11)
                .count()
        };
        for (at, done) in done.iter().enumerate() {
            assert_eq!(done.load(Ordering::Relaxed), times(at), "{at}");
        }
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn who_fails_ends_all() {
        let rounds = Rounds::new((), 2);
        thread::scope(|scope| {
            scope.spawn(|| rounds.stand_by(&mut (), |(), (), _| panic!("no"), |()| {}));
            let round = rounds.begin((), 1);
            // The leader takes nothing.
            let waits =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| rounds.finish(round)));
            rounds.end();
            assert!(waits.is_err());
        });
    }
}
