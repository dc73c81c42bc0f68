//! Workers that share the work on a batch. Each has a run of its states, and then a part of the set of
//! those that were seen; what they give is put together in the order of the batch, so that nothing but
//! the time it takes depends on how many there are.

use std::time::Duration;

use crate::clock::Instant;

use super::super::machine::Memo;
use super::super::space::Space;
use super::super::store::{Exact, Roots};
use super::worker::{Batch, Item, Store, Worker};

/// A worker is not woken for fewer states than this.
const LEAST: usize = 64;
/// Nor for fewer keys, which are added in about a millisecond.
const KEYS: usize = 16_384;
/// Nor for less than so much work: to wake it and to wait for it takes some time, and more where another program has
/// its core.
const WORTH: Duration = Duration::from_millis(1);

/// The workers, with what each of them gave.
pub(super) struct Team<'s> {
    members: Vec<(Worker<'s>, Batch)>,
    /// How many states the first of them has expanded in batches that might be shared, and how long that took.
    pace: (usize, Duration),
}

impl<'s> Team<'s> {
    /// So many workers, with so much memory for what they remember.
    pub fn new(space: Space<'s>, jobs: usize, room: usize, finals: bool) -> Self {
        let member = |_| {
            let memo = Memo::new(space.shared, room / jobs);
            (Worker::new(space, memo, finals), Batch::default())
        };
        Self {
            members: (0..jobs).map(member).collect(),
            pace: (0, Duration::ZERO),
        }
    }

    /// How many states are worth waking a worker. Nothing but the time that a search takes depends on it.
    fn worth(&self) -> usize {
        let (states, time) = self.pace;
        let states = WORTH.as_nanos() * states as u128 / time.as_nanos().max(1);
        usize::try_from(states).unwrap_or(usize::MAX).max(LEAST)
    }

    /// What the first of them remembers.
    pub fn memo(&mut self) -> &mut Memo<'s> {
        &mut self.members[0].0.expander.memo
    }

    /// How many bytes they remember.
    pub fn bytes(&self) -> usize {
        self.members.iter().map(|(worker, _)| worker.bytes()).sum()
    }

    /// Keys are others from now on.
    pub fn forget_keys(&mut self) {
        for (worker, _) in &mut self.members {
            worker.forget_keys();
        }
    }

    /// The states after the first segment.
    pub fn begin(&mut self, store: &Store) {
        let (worker, batch) = &mut self.members[0];
        worker.begin(store, batch);
    }

    /// Takes what they gave, in the order of the batch.
    pub fn take(&mut self) -> Vec<Batch> {
        let members = self.members.iter_mut();
        members.map(|(_, batch)| std::mem::take(batch)).collect()
    }

    /// Gives back memory that was taken.
    pub fn give_back(&mut self, batches: Vec<Batch>) {
        for ((_, mine), mut batch) in self.members.iter_mut().zip(batches) {
            batch.clear();
            *mine = batch;
        }
    }

    /// Expands a batch of so many states.
    pub fn expand<'a>(
        &mut self,
        size: usize,
        item: impl Fn(usize) -> Item<'a> + Sync,
        store: &Store,
    ) {
        let share = size.div_ceil(self.members.len()).max(self.worth());
        let begin = (self.members.len() > 1 && size > LEAST).then(Instant::now);
        let expand = |(worker, batch): &mut (Worker<'s>, Batch), from: usize| {
            let mut reader = store.reader();
            for at in from..size.min(from + share) {
                let number = u32::try_from(at).unwrap_or(u32::MAX);
                worker.expand(&item(at), number, store, &mut reader, batch);
            }
        };
        let expand = &expand;
        std::thread::scope(|scope| {
            let mut members = self.members.iter_mut().zip((0..size).step_by(share));
            let mine = members.next();
            for (member, from) in members {
                scope.spawn(move || expand(member, from));
            }
            if let Some((member, from)) = mine {
                expand(member, from);
            }
            if let Some(begin) = begin {
                self.pace.0 += share.min(size);
                self.pace.1 += begin.elapsed();
            }
        });
    }
}

/// Adds the keys of all batches to the set of those seen. Answers which of them are new, in their order, or
/// nothing if it is not worth while to share this out.
pub(super) fn add_shared(exact: &Exact, batches: &[Batch]) -> Option<Vec<usize>> {
    let count = batches.iter().map(|batch| batch.next.len()).sum::<usize>();
    let workers = exact.roots.shares();
    if workers == 1 || count < KEYS {
        return None;
    }
    let roots = &exact.roots;
    let insert = |worker: usize| {
        let all = batches.iter().flat_map(|batch| &batch.next).enumerate();
        let mine: Vec<_> = (all.map(|(number, next)| (number, next.key)))
            .filter(|&(_, key)| Roots::share_of(key, roots.shares()) == worker)
            .collect();
        let mut new = Vec::new();
        (roots.share(worker)).add_all(&mine, |next| next.1, |next| new.push(next.0));
        new
    };
    let insert = &insert;
    let mut new = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers)
            .map(|w| scope.spawn(move || insert(w)))
            .collect();
        let mut new = insert(0);
        for other in others {
            match other.join() {
                Ok(more) => new.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        new
    });
    // Each worker's are in order already, which this sort makes use of.
    new.sort();
    Some(new)
}
