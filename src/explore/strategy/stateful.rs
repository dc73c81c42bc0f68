//! Every state once: the last found first, or in the order of their distance.
//!
//! States are expanded in batches. What a batch gives is taken up in the order of
//! its states, whoever expanded them, so that the search is the same for any
//! number of workers. Batches grow with the number of states: a small search is
//! depth-first step by step, a large one goes down on a broad front.

use std::collections::VecDeque;

use crate::options::ExploreOptions;

use super::super::found::{Counts, Found, Limit, Trail};
use super::super::limits::Progress;
use super::super::space::Space;
use super::super::store::{Compact, Exact, Fold};
use super::arena::{Arena, Id, NONE};
use super::count;
use super::expand::Failure;
use super::retrace::retrace;
use super::team::{Team, add_shared};
use super::worker::{Batch, Item, Next, Store};

/// The largest batch.
const BATCH: usize = 8192;
/// How many states there are for each state of a batch.
const SHARE: u64 = 256;
/// Leaves that a batch may write, roughly: between batches the clock is looked at.
const WORK: u64 = 1 << 22;

/// So much is fetched at once of what lies far apart.
const NEAR: usize = 16;
/// After so many states it is looked for the first time whether they could be written shorter.
const REGROUP: u64 = 4096;
/// And after so many for the last time.
const LAST_REGROUP: u64 = 1 << 18;

/// Visits every reachable state.
pub(crate) fn search(space: Space<'_>, options: &ExploreOptions) -> Found {
    let found = Search::new(space, options, options.shortest).run();
    if found.cut && !options.shortest && found.bugs.is_empty() {
        // Some path is long; whether a state is far away only the search by distance can tell.
        return Search::new(space, options, true).run();
    }
    found
}

/// Whether a space has at most so many states, unless something else ends the search.
pub(super) fn has_at_most(space: Space<'_>, options: &ExploreOptions, most: u64) -> bool {
    let mut search = Search::new(space, options, false);
    search.most = Some(most);
    search.visit(&mut Progress::new(false));
    search.states <= most
}

/// A state to be expanded, with all that expanding asks of it.
#[derive(Clone, Copy, Debug)]
struct Todo {
    key: u64,
    id: Id,
    depth: u32,
}

struct Search<'s, 'o> {
    space: Space<'s>,
    options: &'o ExploreOptions,
    /// By distance.
    broad: bool,
    team: Team<'s>,
    store: Store,
    arena: Arena,
    /// For compact stores, the row of each entry.
    rows: Vec<Box<[u32]>>,
    todo: VecDeque<Todo>,
    batch: Vec<Todo>,
    /// Memory for states that are new.
    new: Vec<Next>,
    /// How many new states each of the batch has led to.
    led_to: Vec<u32>,
    states: u64,
    /// It is only wanted whether there are more than so many.
    most: Option<u64>,
    /// At how many states it is looked again whether they could be written shorter.
    regroup: u64,
    found: Found,
}

impl<'s, 'o> Search<'s, 'o> {
    fn new(space: Space<'s>, options: &'o ExploreOptions, broad: bool) -> Self {
        let room = usize::try_from(options.limits.memory / 8).unwrap_or(usize::MAX);
        // The hashes of a compact store depend on the order in which the machine meets things.
        let jobs = if options.compact.is_some() {
            1
        } else {
            options.jobs.max(1)
        };
        Self {
            space,
            options,
            broad,
            team: Team::new(space, jobs, room, options.finals),
            store: match options.compact {
                None => Store::Exact(Exact::shared(space.widths(), jobs)),
                Some(bits) => Store::Compact(Compact::new(bits)),
            },
            arena: Arena::default(),
            rows: Vec::new(),
            todo: VecDeque::new(),
            batch: Vec::new(),
            new: Vec::new(),
            led_to: Vec::new(),
            states: 0,
            most: None,
            regroup: REGROUP,
            found: Found::default(),
        }
    }

    fn run(mut self) -> Found {
        self.visit(&mut Progress::new(self.options.progress));
        self.found.counts = self.counts();
        if self.todo.is_empty() {
            self.found.counts.executions = count::of_search(self.space, self.options, &self.found);
        }
        self.found
    }

    fn visit(&mut self, progress: &mut Progress) {
        self.team.begin(&self.store);
        self.take_up();
        while self.go_on() {
            self.take_batch();
            self.expand();
            self.take_up();
            self.regroup();
            progress.show(self.states, "states", || self.status());
        }
    }

    /// Whether there is something to expand, and no reason to stop.
    fn go_on(&mut self) -> bool {
        let too_many = self.most.is_some_and(|most| self.states > most);
        if self.todo.is_empty() || too_many || self.has_enough() {
            return false;
        }
        let halt = &self.space.shared.halt;
        if halt.now() {
            self.found.limit = Some(halt.which());
        } else if self.memory() > halt.memory || self.exhausted() {
            self.found.limit = Some(Limit::Memory);
        }
        self.found.limit.is_none() && (self.broad || !self.found.cut)
    }

    /// Whether no bug is left that is wanted.
    fn has_enough(&self) -> bool {
        if self.options.goes_on() {
            return false;
        }
        // A deadlock is shorter than a step that fails at the same distance.
        let nearer = |trail: &Trail| {
            let next = self.todo.front().filter(|_| self.broad);
            next.is_some_and(|next| (next.depth as usize) < trail.steps.len())
        };
        (self.found.bugs.values().next()).is_some_and(|trail| !nearer(trail))
    }

    fn exhausted(&self) -> bool {
        matches!(&self.store, Store::Exact(exact) if exact.exhausted())
    }

    fn take_batch(&mut self) {
        let expanded = self.states - self.todo.len() as u64;
        let steps = self.found.counts.transitions / expanded.max(1);
        let size = batch_size(self.states, steps, self.space.tasks as u64);
        self.batch.clear();
        let next = || {
            if self.broad {
                self.todo.pop_front()
            } else {
                self.todo.pop_back()
            }
        };
        self.batch.extend(std::iter::from_fn(next).take(size));
    }

    fn expand(&mut self) {
        let (rows, batch) = (&self.rows, &self.batch);
        let max_steps = self.options.max_steps;
        let item = |at: usize| {
            let Todo { key, id, depth } = batch[at];
            Item {
                key,
                row: rows.get(id as usize).map(|row| &**row),
                steps: (depth.into(), max_steps),
            }
        };
        self.team.expand(batch.len(), item, &self.store);
    }

    /// Takes up what the batch gave: new states, failures, figures.
    fn take_up(&mut self) {
        let batches = self.team.take();
        for batch in &batches {
            let (output, states) = (&batch.output, batch.states());
            if self.most.is_none() {
                self.space.shared.halt.spend(output.transitions + states);
            }
            self.found.counts.transitions += output.transitions;
            self.found.cut |= output.cut;
            self.found.left_out.add(output.left_out);
            self.found.ended |= output.ended;
            self.found.reduced |= output.reduced;
            if output.late {
                self.found.limit = Some(self.space.shared.halt.which());
            }
            if let Some(refusal) = output.refusal {
                self.found.refusal.get_or_insert(refusal);
            }
            self.found.finals.extend(output.finals.iter().cloned());
            for &(from, failure) in &output.failures {
                self.fail(from, failure);
            }
        }
        let shared = match &self.store {
            Store::Exact(exact) => add_shared(exact, &batches),
            Store::Compact(_) => None,
        };
        self.led_to.clear();
        self.led_to.resize(self.batch.len(), 0);
        match shared {
            Some(new) => self.add_known(&batches, &new),
            None => batches.iter().for_each(|batch| self.add_new(batch)),
        }
        let states = self.batch.chunks(NEAR).zip(self.led_to.chunks(NEAR));
        for (states, new) in states {
            self.arena.touch(states.iter().map(|state| state.id));
            for (state, &new) in states.iter().zip(new) {
                self.arena.expanded(state.id, new);
            }
        }
        self.team.give_back(batches);
    }

    /// Writes what changes together together, if states fit into their keys then.
    fn regroup(&mut self) {
        let Store::Exact(old) = &self.store else {
            return;
        };
        if self.states < self.regroup {
            return;
        }
        self.regroup = match self.regroup * 4 {
            next if next <= LAST_REGROUP => next,
            _ => u64::MAX,
        };
        let slots = self.space.slots();
        let new = old.regrouped(self.space.widths(), &slots);
        let Some(new) = new.or_else(|| old.in_one_format()) else {
            return;
        };
        let (mut fold, mut row) = (Fold::default(), Vec::new());
        let mut rekey = |key: u64| {
            old.load(key, &mut row, &mut fold);
            new.key(&row, None, &mut fold)
        };
        self.arena.rekey(&mut rekey);
        for todo in &mut self.todo {
            todo.key = rekey(todo.key);
        }
        self.store = Store::Exact(new);
        self.team.forget_keys();
    }

    /// Adds states that are known to be new, by their numbers.
    fn add_known(&mut self, batches: &[Batch], new: &[usize]) {
        let all = batches.iter().flat_map(|batch| &batch.next).enumerate();
        let mut new = new.iter().copied().peekable();
        for (number, next) in all {
            if new.next_if_eq(&number).is_some() {
                self.add(next.key, next.from, None);
            }
        }
    }

    fn add_new(&mut self, batch: &Batch) {
        let mut new = std::mem::take(&mut self.new);
        match &mut self.store {
            Store::Exact(exact) => {
                (exact.roots).add_all(&batch.next, |next| next.key, |&next| new.push(next));
                new.iter()
                    .for_each(|next| self.add(next.key, next.from, None));
            }
            Store::Compact(compact) => {
                let is_new: Vec<bool> =
                    (batch.next.iter().map(|next| compact.add(next.key))).collect();
                for ((next, row), _) in batch
                    .next
                    .iter()
                    .zip(&batch.rows)
                    .zip(is_new)
                    .filter(|(_, new)| *new)
                {
                    self.add(next.key, next.from, Some(row));
                }
            }
        }
        new.clear();
        self.new = new;
    }

    fn add(&mut self, key: u64, from: u32, row: Option<&[u32]>) {
        let from = from as usize;
        let before = self.batch.get(from);
        let depth = before.map_or(0, |state| state.depth + 1);
        let id = self.arena.add(key, before.map_or(NONE, |state| state.id));
        if let Some(led_to) = self.led_to.get_mut(from) {
            *led_to += 1;
        }
        if let Some(row) = row {
            let at = id as usize;
            if at >= self.rows.len() {
                self.rows.resize(at + 1, Box::default());
            }
            self.rows[at] = row.into();
        }
        self.todo.push_back(Todo { key, id, depth });
        self.states += 1;
        self.found.counts.depth = self.found.counts.depth.max(depth.into());
    }

    fn fail(&mut self, from: u32, failure: Failure) {
        let key = failure.error(self.space.shared);
        let bugs = &self.found.bugs;
        let known = match self.options.goes_on() {
            true => bugs.get(&key),
            false => bugs.values().next(),
        };
        let depth = (self.batch.get(from as usize)).map_or(0, |state| state.depth as usize);
        let length = depth + usize::from(matches!(failure, Failure::Step(..)));
        if known.is_some_and(|known| !self.broad || known.steps.len() <= length) {
            return;
        }
        let trail = self.trail(from, failure);
        if !self.options.goes_on() {
            self.found.bugs.clear();
        }
        self.found.bugs.insert(key, trail);
    }

    /// The execution that leads to a state of the batch, and fails there.
    fn trail(&mut self, from: u32, failure: Failure) -> Trail {
        let last = self.batch.get(from as usize);
        let rows = last.map_or_else(Vec::new, |state| self.rows_to(state.id));
        let mut trail = retrace(self.space, &rows, self.team.memo());
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
            + (self.todo.capacity() * size_of::<Todo>() + rows + self.team.bytes()) as u64
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
            "{} to do, depth {}, {} MiB",
            self.todo.len(),
            self.found.counts.depth,
            self.memory() >> 20
        )
    }
}

/// How many states are expanded at once, where there are so many, each with so many steps.
fn batch_size(states: u64, steps: u64, leaves: u64) -> usize {
    // A state has about as many tasks as steps, and each step gives a row of them.
    let each = (steps + 1) * (steps + leaves + 8);
    let size = (states / SHARE).min(WORK / each);
    usize::try_from(size).unwrap_or(BATCH).clamp(1, BATCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_small_where_searches_are_small_or_states_large() {
        assert_eq!(batch_size(100, 3, 4), 1);
        assert_eq!(batch_size(100_000, 3, 4), 390);
        assert_eq!(batch_size(1 << 30, 8, 10), BATCH);
        assert_eq!(batch_size(10_000, 10_000, 1), 1);
    }
}
