//! Every state once: the last found first, or in the order of their distance.
//!
//! States are expanded in batches. What a batch gives is taken up in the order of
//! its states, whoever expanded them, so that the search is the same for any
//! number of workers. Batches grow with the number of states: a small search is
//! depth-first step by step, a large one goes down on a broad front.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use crate::options::ExploreOptions;

use super::super::found::{Counts, Found, Limit, Trail};
use super::super::limits::Progress;
use super::super::machine::Memo;
use super::super::space::{Scratch, Sink, Space, Step};
use super::super::store::{Compact, Exact, Fold};
use super::arena::{Arena, Id, NONE};
use super::count;
use super::worker::{Failure, Item, Output, Store, Worker};

/// The largest batch.
const BATCH: usize = 1024;
/// How many states there are for each state of a batch.
const SHARE: u64 = 256;

/// Visits every reachable state.
pub(crate) fn search(space: Space<'_>, options: &ExploreOptions) -> Found {
    let found = Search::new(space, options, options.shortest).run();
    if found.cut && !options.shortest && found.bugs.is_empty() {
        // Some path is long; whether a state is far away only the search by distance can tell.
        return Search::new(space, options, true).run();
    }
    found
}

struct Search<'s, 'o> {
    space: Space<'s>,
    options: &'o ExploreOptions,
    /// By distance.
    broad: bool,
    worker: Worker<'s>,
    store: Store,
    arena: Arena,
    /// For compact stores, the row of each entry.
    rows: Vec<Box<[u32]>>,
    todo: VecDeque<Id>,
    batch: Vec<Id>,
    output: Output,
    states: u64,
    found: Found,
}

impl<'s, 'o> Search<'s, 'o> {
    fn new(space: Space<'s>, options: &'o ExploreOptions, broad: bool) -> Self {
        let room = usize::try_from(options.limits.memory / 8).unwrap_or(usize::MAX);
        let memo = Memo::new(space.shared, room);
        Self {
            space,
            options,
            broad,
            worker: Worker::new(space, memo, options.finals),
            store: match options.compact {
                None => Store::Exact(Exact::new(space.widths())),
                Some(bits) => Store::Compact(Compact::new(bits)),
            },
            arena: Arena::default(),
            rows: Vec::new(),
            todo: VecDeque::new(),
            batch: Vec::new(),
            output: Output::default(),
            states: 0,
            found: Found::default(),
        }
    }

    fn run(mut self) -> Found {
        let mut progress = Progress::new(self.options.progress);
        self.worker.begin(&self.store, &mut self.output);
        self.take_up();
        while self.go_on() {
            self.take_batch();
            self.output.clear();
            self.expand();
            self.take_up();
            progress.show(|| self.status());
        }
        self.found.counts = self.counts();
        self.found.counts.executions = self.executions();
        self.found
    }

    /// How many executions there are, if the search is done and small.
    fn executions(&self) -> Option<u64> {
        let circles = self.options.delays.is_none() && self.space.delaying();
        let pruned = self.space.shared.pruned.load(Ordering::Relaxed);
        let whole = self.todo.is_empty() && self.found.limit.is_none() && !self.found.cut;
        if circles || pruned || !whole || self.states > count::STATES {
            return None;
        }
        count::executions(self.space, self.options.limits.memory / 8)
    }

    /// Whether there is something to expand, and no reason to stop.
    fn go_on(&mut self) -> bool {
        if self.todo.is_empty() || !self.options.all && !self.found.bugs.is_empty() {
            return false;
        }
        let halt = &self.space.shared.halt;
        if halt.now() {
            self.found.limit = Some(Limit::Time);
        } else if self.memory() > halt.memory || self.exhausted() {
            self.found.limit = Some(Limit::Memory);
        }
        self.found.limit.is_none() && (self.broad || !self.found.cut)
    }

    fn exhausted(&self) -> bool {
        matches!(&self.store, Store::Exact(exact) if exact.exhausted())
    }

    fn take_batch(&mut self) {
        let size = usize::try_from(self.states / SHARE).unwrap_or(BATCH);
        let size = size.clamp(1, BATCH);
        self.batch.clear();
        while self.batch.len() < size {
            let next = if self.broad {
                self.todo.pop_front()
            } else {
                self.todo.pop_back()
            };
            let Some(id) = next else {
                return;
            };
            self.batch.push(id);
        }
    }

    fn expand(&mut self) {
        let mut reader = self.store.reader();
        for (from, &id) in (0u32..).zip(&self.batch) {
            let item = Item {
                key: self.arena.key(id),
                row: self.rows.get(id as usize).map(|row| &**row),
                last: u64::from(self.arena.depth(id)) >= self.options.max_steps,
            };
            let output = &mut self.output;
            (self.worker).expand(&item, from, &self.store, &mut reader, output);
        }
    }

    /// Takes up what the batch gave: new states, failures, figures.
    fn take_up(&mut self) {
        let output = std::mem::take(&mut self.output);
        self.found.counts.transitions += output.transitions;
        self.found.cut |= output.cut;
        if let Some(refusal) = output.refusal {
            self.found.refusal.get_or_insert(refusal);
        }
        self.found.finals.extend(output.finals.iter().cloned());
        for &(from, failure) in &output.failures {
            self.fail(from, failure);
        }
        self.add_new(&output);
        for &id in &self.batch {
            self.arena.expanded(id);
        }
        self.output = output;
    }

    fn add_new(&mut self, output: &Output) {
        for (group, next) in output.next.chunks(16).enumerate() {
            if let Store::Exact(exact) = &mut self.store {
                // Fetches that do not wait for each other.
                let near = next.iter().fold(0, |all, n| all ^ exact.roots.touch(n.key));
                std::hint::black_box(near);
            }
            for (i, next) in next.iter().enumerate() {
                let new = match &mut self.store {
                    Store::Exact(exact) => exact.roots.add(next.key),
                    Store::Compact(compact) => compact.add(next.key),
                };
                if new {
                    let row = output.rows.get(group * 16 + i).map(|row| &**row);
                    self.add(next.key, next.from, row);
                }
            }
        }
    }

    fn add(&mut self, key: u64, from: u32, row: Option<&[u32]>) {
        let before = self.batch.get(from as usize).copied().unwrap_or(NONE);
        let id = self.arena.add(key, before);
        if let Some(row) = row {
            let at = id as usize;
            if at >= self.rows.len() {
                self.rows.resize(at + 1, Box::default());
            }
            self.rows[at] = row.into();
        }
        self.todo.push_back(id);
        self.states += 1;
        let depth = u64::from(self.arena.depth(id));
        self.found.counts.depth = self.found.counts.depth.max(depth);
    }

    fn fail(&mut self, from: u32, failure: Failure) {
        let (kind, span) = failure.error(self.space.shared);
        if self.found.bugs.contains_key(&(kind, span))
            || !self.options.all && !self.found.bugs.is_empty()
        {
            return;
        }
        let trail = self.trail(from, failure);
        self.found.bug(kind, span, || trail);
    }

    /// The execution that leads to a state of the batch, and fails there.
    fn trail(&mut self, from: u32, failure: Failure) -> Trail {
        let last = self.batch.get(from as usize).copied();
        let rows = last.map_or_else(Vec::new, |id| self.rows_to(id));
        let mut trail = retrace(self.space, &rows, &mut self.worker.memo);
        match failure {
            Failure::Step(step, _) if rows.is_empty() => trail.begin = step.way,
            Failure::Step(step, _) => trail.steps.push(step),
            Failure::Finally(way, _) => trail.finally = Some(way),
            Failure::Deadlock(_) => {}
        }
        trail
    }

    /// The states from the first to this one.
    fn rows_to(&self, id: Id) -> Vec<Vec<u32>> {
        let mut fold = Fold::default();
        let row = |id: Id| match &self.store {
            Store::Exact(exact) => {
                let mut row = Vec::new();
                exact.load(self.arena.key(id), &mut row, &mut fold);
                row
            }
            Store::Compact(_) => self.rows[id as usize].to_vec(),
        };
        self.arena.trail(id).into_iter().map(row).collect()
    }

    fn stored(&self) -> u64 {
        match &self.store {
            Store::Exact(exact) => exact.bytes(),
            Store::Compact(compact) => compact.bytes(),
        }
    }

    fn memory(&self) -> u64 {
        let rows = if self.rows.is_empty() {
            0
        } else {
            self.rows.len() * (16 + 4 * self.space.tasks + 32)
        };
        self.stored()
            + self.arena.bytes()
            + (self.todo.capacity() * 4 + rows + self.worker.memo.bytes()) as u64
            + self.space.shared.bytes()
    }

    fn counts(&self) -> Counts {
        Counts {
            states: Some(self.states),
            stored: self.stored(),
            memory: self.memory(),
            ..self.found.counts
        }
    }

    fn status(&self) -> String {
        format!(
            "{} states, {} to do, depth {}, {} MiB",
            self.states,
            self.todo.len(),
            self.found.counts.depth,
            self.memory() >> 20
        )
    }
}

/// Finds the steps that lead through some states.
fn retrace<'s>(space: Space<'s>, rows: &[Vec<u32>], memo: &mut Memo<'s>) -> Trail {
    let mut trail = Trail::default();
    let Some(first) = rows.first() else {
        return trail;
    };
    let mut seek = Seek {
        target: first,
        found: None,
    };
    space.begin(memo, &mut seek);
    trail.begin = seek.found.map_or(0, |step| step.way);
    let mut scratch = Scratch::default();
    for pair in rows.windows(2) {
        let mut seek = Seek {
            target: &pair[1],
            found: None,
        };
        space.steps(&pair[0], memo, &mut scratch, &mut seek);
        trail.steps.extend(seek.found);
    }
    trail
}

/// Looks for the first step to a state.
struct Seek<'a> {
    target: &'a [u32],
    found: Option<Step>,
}

impl Sink for Seek<'_> {
    fn next(&mut self, step: Step, state: &[u32], _: Option<&[u32]>) {
        if self.found.is_none() && state == self.target {
            self.found = Some(step);
        }
    }

    fn fails(&mut self, _: Step, _: u32) {}

    fn refused(&mut self, _: Step, _: super::super::machine::Refusal) {}
}
