//! Workers that share the work on a batch, and stand by for the whole search. Each worker takes pieces of the batch, and then
//! adds the keys of some shares of the set of seen keys. Then the new states of each piece, from all shares, are put back into
//! the order of the piece, and the pieces are taken up in their order. So only the time of a search depends on how many
//! workers there are.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use smallvec::SmallVec;

use base::clock::Instant;

use super::arena::{Entry, Id};
use super::order::{InOrder, New};
use super::recent::NEAR;
use super::rounds::Rounds;
use super::worker::{Batch, Next, Store, Todo, Worker};
use machine::Memo;
use machine::space::Space;

/// Up to this many states, other workers are not asked to help. In unit tests all batches are shared that can be.
const LEAST: usize = if cfg!(test) { 1 } else { 64 };
/// With less work than this, other workers are not asked either: waking a worker and waiting for it takes time, and more time if
/// another program has its core.
const WORTH: Duration = Duration::from_micros(if cfg!(test) { 0 } else { 250 });
/// The largest piece, in states.
const PIECE: usize = 256;
/// After this many states the pace that was measured counts half.
const PACE: usize = 1 << 16;

/// What a round is about.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// Expanding states of the batch.
    Expand,
    /// Adding keys to a share of those seen.
    Add,
    /// Making room in a share.
    Grow,
    /// Putting together what is new in a piece.
    Order,
}

/// The results of the pieces of a batch.
#[derive(Debug, Default)]
struct Pieces {
    /// The results. Those behind the first `used` are from earlier batches.
    all: Vec<RwLock<Batch>>,
    used: usize,
    /// How many pieces all earlier batches had: the last bits of the number.
    before: u16,
    /// How many states a piece has.
    size: usize,
    /// How many shares their states are divided into.
    shares: usize,
}

/// What all workers see.
pub(super) struct Common<'s> {
    space: Space<'s>,
    jobs: usize,
    /// How much memory there is for what a worker remembers.
    room: usize,
    finals: bool,
    max_steps: u64,
    store: RwLock<Store>,
    states: RwLock<Vec<Todo>>,
    pieces: RwLock<Pieces>,
    /// The new states, by share.
    new: Vec<RwLock<New>>,
    /// The new states, by piece.
    in_order: RwLock<Vec<Mutex<InOrder>>>,
    rounds: Rounds<Work>,
    /// How often states have got other keys.
    rekeyed: AtomicU64,
    /// How many bytes the workers beside the first one remember.
    bytes: AtomicUsize,
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The last bits of a number.
fn last_bits(number: usize) -> u16 {
    u16::try_from(number & usize::from(u16::MAX)).unwrap_or(0)
}

/// A worker, with the number of key changes that it knows, and its bytes when they were counted last.
struct Member<'s> {
    worker: Worker<'s>,
    rekeyed: u64,
    bytes: usize,
}

impl<'s> Common<'s> {
    /// For `jobs` workers, which share `room` bytes for what they remember.
    pub fn new(
        space: Space<'s>,
        store: Store,
        (jobs, room): (usize, usize),
        (finals, max_steps): (bool, u64),
    ) -> Self {
        let shares = match &store {
            Store::Exact(exact) => exact.roots.shares(),
            Store::Compact { .. } => 1,
        };
        Self {
            space,
            jobs,
            room: room / jobs,
            finals,
            max_steps,
            store: RwLock::new(store),
            states: RwLock::default(),
            pieces: RwLock::default(),
            new: (0..shares).map(|_| RwLock::default()).collect(),
            in_order: RwLock::default(),
            rounds: Rounds::new(Work::Expand, jobs),
            rekeyed: AtomicU64::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// What every worker but the first does.
    pub fn stand_by(&self) {
        let rest = |member: &mut Member<'_>| {
            let bytes = member.worker.bytes();
            let more = bytes.wrapping_sub(member.bytes);
            self.bytes.fetch_add(more, Ordering::Relaxed);
            member.bytes = bytes;
        };
        let piece = |member: &mut Member<'s>, work, number| self.piece(member, work, number);
        self.rounds.stand_by(&mut self.member(), piece, rest);
    }

    fn member(&self) -> Member<'s> {
        let memo = Memo::new(self.space.shared, self.room);
        Member {
            worker: Worker::new(self.space, memo, self.finals, NEAR),
            rekeyed: 0,
            bytes: 0,
        }
    }

    fn piece(&self, member: &mut Member<'s>, work: Work, number: usize) {
        match work {
            Work::Expand => self.expand(member, number),
            Work::Add => self.add(number),
            Work::Grow => self.grow(number),
            Work::Order => self.order(number),
        }
    }

    fn expand(&self, member: &mut Member<'s>, number: usize) {
        let rekeyed = self.rekeyed.load(Ordering::Relaxed);
        if member.rekeyed != rekeyed {
            member.rekeyed = rekeyed;
            member.worker.forget_keys();
        }
        let (store, states, pieces) = (read(&self.store), read(&self.states), read(&self.pieces));
        let mut batch = write(&pieces.all[number]);
        batch.clear(pieces.shares);
        let mut reader = store.reader();
        let from = number * pieces.size;
        for at in from..states.len().min(from + pieces.size) {
            let (state, at) = (&states[at], u32::try_from(at).unwrap_or(u32::MAX));
            let worker = &mut member.worker;
            worker.expand(state, at, self.max_steps, &store, &mut reader, &mut batch);
        }
        let piece = pieces.before.wrapping_add(last_bits(number));
        member.worker.divide(piece, &mut batch);
    }

    /// Adds the keys of a share.
    fn add(&self, share: usize) {
        let (store, pieces) = (read(&self.store), read(&self.pieces));
        let mut new = write(&self.new[share]);
        new.clear();
        let Store::Exact(exact) = &*store else {
            return;
        };
        let mut roots = exact.roots.share(share);
        for batch in &pieces.all[..pieces.used] {
            let found = |&next: &Next| new.push(next);
            roots.add_all(&read(batch).next[share], |next| next.mixed, found);
            new.end_piece();
        }
    }

    /// Makes room in a share.
    fn grow(&self, share: usize) {
        if let Store::Exact(exact) = &*read(&self.store) {
            exact.roots.share(share).grow();
        }
    }

    /// Puts the new states of a piece in order.
    fn order(&self, number: usize) {
        let (states, pieces) = (read(&self.states), read(&self.pieces));
        let in_order = read(&self.in_order);
        let shares: SmallVec<[_; 16]> = self.new.iter().map(read).collect();
        let lists = shares.iter().map(|new| new.piece(number));
        let given = read(&pieces.all[number]).states;
        lock(&in_order[number]).put_together(given, lists, &states);
    }
}

/// The workers, as the search sees them.
pub(super) struct Team<'c, 's> {
    common: &'c Common<'s>,
    first: Member<'s>,
    /// Starts the other workers, which are not there before they are needed.
    call: &'c dyn Fn(),
    called: bool,
    /// Whether the batch at hand is shared.
    shared: bool,
    /// How many states were expanded by the first alone, and how long that took.
    pace: (usize, Duration),
}

impl Drop for Team<'_, '_> {
    fn drop(&mut self) {
        self.common.rounds.end();
    }
}

impl<'c, 's> Team<'c, 's> {
    /// `call` lets the others [stand by](Common::stand_by).
    pub fn new(common: &'c Common<'s>, call: &'c dyn Fn()) -> Self {
        Self {
            common,
            first: common.member(),
            call,
            called: false,
            shared: false,
            pace: (0, Duration::ZERO),
        }
    }

    /// How states are stored.
    pub fn store(&self) -> RwLockReadGuard<'c, Store> {
        read(&self.common.store)
    }

    /// Like `store`, to change it between rounds.
    pub fn store_mut(&mut self) -> RwLockWriteGuard<'c, Store> {
        write(&self.common.store)
    }

    pub fn states(&self) -> RwLockReadGuard<'c, Vec<Todo>> {
        read(&self.common.states)
    }

    /// Like `states`, to fill them.
    pub fn states_mut(&mut self) -> RwLockWriteGuard<'c, Vec<Todo>> {
        write(&self.common.states)
    }

    /// How many bytes the workers remember.
    pub fn bytes(&self) -> usize {
        self.first.worker.bytes() + self.common.bytes.load(Ordering::Relaxed)
    }

    /// Tells the workers that states have got other keys.
    pub fn forget_keys(&mut self) {
        self.common.rekeyed.fetch_add(1, Ordering::Relaxed);
    }

    /// The states after the first segment.
    pub fn begin(&mut self) {
        self.cut(1, 1);
        let pieces = read(&self.common.pieces);
        let mut batch = write(&pieces.all[0]);
        batch.clear(pieces.shares);
        self.first.worker.begin(&self.store(), &mut batch);
    }

    /// Cuts that many states into pieces. Returns how many pieces there are.
    fn cut(&self, states: usize, size: usize) -> usize {
        let mut pieces = write(&self.common.pieces);
        pieces.before = pieces.before.wrapping_add(last_bits(pieces.used));
        (pieces.used, pieces.size) = (states.div_ceil(size), size);
        let used = pieces.used.max(pieces.all.len());
        pieces.all.resize_with(used, RwLock::default);
        pieces.shares = 1;
        if self.shared {
            pieces.shares = self.common.new.len();
            write(&self.common.in_order).resize_with(used, Mutex::default);
        }
        pieces.used
    }

    /// With how many states it is worth while to call the others. Only the time that a search takes depends on it.
    fn worth(&self) -> usize {
        let (states, time) = self.pace;
        let states = WORTH.as_nanos() * states as u128 / time.as_nanos().max(1);
        usize::try_from(states).unwrap_or(usize::MAX).max(LEAST)
    }

    /// Expands the batch. The leader does `meanwhile` first.
    pub fn expand(&mut self, meanwhile: impl FnOnce()) {
        let (states, jobs) = (self.states().len(), self.common.jobs);
        self.shared = jobs > 1 && states > LEAST && states >= self.worth();
        let size = match self.shared {
            true => (states / (8 * jobs)).clamp(LEAST.div_ceil(8), PIECE),
            false => PIECE,
        };
        let pieces = self.cut(states, size);
        if self.shared {
            return self.together(Work::Expand, pieces, meanwhile);
        }
        meanwhile();
        let begin = (jobs > 1 && states > LEAST).then(Instant::now);
        (0..pieces).for_each(|number| self.common.expand(&mut self.first, number));
        if let Some(begin) = begin {
            if self.pace.0 > PACE {
                self.pace = (self.pace.0 / 2, self.pace.1 / 2);
            }
            self.pace = (self.pace.0 + states, self.pace.1 + begin.elapsed());
        }
    }

    /// A round for all. The leader does `meanwhile` first.
    fn together(&mut self, work: Work, pieces: usize, meanwhile: impl FnOnce()) {
        if !self.called {
            (self.call)();
            self.called = true;
        }
        let rounds = &self.common.rounds;
        let round = rounds.begin(work, pieces);
        meanwhile();
        rounds.lead(round, |work, number| {
            self.common.piece(&mut self.first, work, number);
        });
    }

    /// Gives the results of the batch, piece by piece.
    pub fn each(&self, mut each: impl FnMut(&Batch)) {
        let pieces = read(&self.common.pieces);
        (pieces.all[..pieces.used].iter()).for_each(|batch| each(&read(batch)));
    }

    /// Adds the states of the batch's results to the seen states. Calls `new` with the entry of each new one, in the order of the
    /// batch; `new` returns its id.
    pub fn add(&mut self, mut new: impl FnMut(Entry) -> Id) {
        if self.shared {
            return self.add_together(new);
        }
        let (mut store, pieces) = (write(&self.common.store), read(&self.common.pieces));
        let states = self.states();
        for batch in &pieces.all[..pieces.used] {
            let batch = read(batch);
            let new = |next: Next| new(next.entry(&states));
            store.add_all(&batch.next[0], &batch.rows, new);
        }
        if let Store::Exact(exact) = &mut *store {
            exact.roots.grow();
        }
    }

    fn add_together(&mut self, mut new: impl FnMut(Entry) -> Id) {
        let pieces = read(&self.common.pieces).used;
        let shares = self.common.new.len();
        self.together(Work::Add, shares, || {});
        let should_grow = match &*self.store() {
            Store::Exact(exact) => exact.roots.should_grow(),
            Store::Compact { .. } => false,
        };
        if should_grow {
            self.together(Work::Grow, shares, || {});
        }
        self.together(Work::Order, pieces, || {});
        for in_order in &read(&self.common.in_order)[..pieces] {
            for &entry in lock(in_order).all() {
                new(entry);
            }
        }
    }
}
