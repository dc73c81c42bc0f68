//! Visits every state once: the last found first, or in the order of their distance.
//!
//! States are expanded in batches. The results of a batch are taken up in the order of its states, whichever
//! worker expanded them. So the search is the same for any number of workers. Batches grow with the number of
//! states: a small search is depth-first step by step, a large one goes down on a broad front.

use base::source::Span;
use options::ExploreOptions;
use rustc_hash::FxHashSet;

use super::arena::{Arena, Id};
use super::count;
use super::expand::Failure;
use super::retrace::{retrace, to_race};
use super::team::{Common, Team};
use super::worker::Store;
use machine::found::{Counts, Found, Limit, Trail};
use machine::limits::Progress;
use machine::space::Space;
use machine::store::{Compact, Exact, Fold};

const BATCH: usize = 8192;
/// A batch has one state for this many states that were visited.
const SHARE: u64 = 256;
/// How many shares of the set of seen states each of several workers has. A worker that is done takes a share of another.
const SHARES_EACH: usize = 2;
/// How many leaves a batch may write, roughly: between batches the clock is looked at.
const WORK: u64 = 1 << 22;

/// Other bugs are reported before a race, if they are found among this many states.
const OTHERS_FIRST: u64 = 20_000;

/// After this many states the search checks for the first time whether states can be written shorter.
pub const REGROUP: u64 = 4096;
/// After this many states it checks for the last time.
pub const LAST_REGROUP: u64 = 1 << 18;

/// The places of two accesses, the first in the text first.
pub type Pair = (Span, Span);

/// Picks the race that an execution shows: the one at these places, if it is one of several.
pub type Shows<'a> = dyn Fn(&mut Trail, Pair) -> Option<Pair> + 'a;

/// Visits every reachable state.
pub fn search(space: Space<'_>, options: &ExploreOptions, shows: &Shows<'_>) -> Found {
    let run = |broad| with_workers((space, options, shows), broad, |mut search| search.run());
    let found = run(options.shortest);
    if found.cut && !options.shortest && !found.has_bugs() {
        // Some path is long. Only the search by distance can tell whether a state is far away.
        return run(true);
    }
    found
}

/// Whether a space has at most `most` states, unless something else ends the search.
pub(super) fn has_at_most(space: Space<'_>, options: &ExploreOptions, most: u64) -> bool {
    with_workers((space, options, &|_, _| None), false, |mut search| {
        search.most = Some(most);
        search.visit(&mut Progress::new(false));
        search.states <= most
    })
}

/// Gives a search its workers.
fn with_workers<T>(
    (space, options, shows): (Space<'_>, &ExploreOptions, &Shows<'_>),
    broad: bool,
    work: impl FnOnce(Search<'_, '_, '_>) -> T,
) -> T {
    let room = usize::try_from(options.limits.memory / 8).unwrap_or(usize::MAX);
    // The hashes of a compact store depend on the order in which the machine meets things, so it has one worker.
    let (jobs, store) = match options.compact {
        None => {
            // Several workers do some work twice: only with one worker equal runs count the same work.
            let jobs = match options.work {
                None => options.jobs.clamp(1, most_workers()),
                Some(_) => 1,
            };
            let shares = if jobs > 1 { jobs * SHARES_EACH } else { 1 };
            (jobs, Store::Exact(Exact::shared(space.widths(), shares)))
        }
        Some(bits) => {
            let (hashes, rows) = (Compact::new(bits), Vec::new());
            (1, Store::Compact { hashes, rows })
        }
    };
    let asked = (options.finals, options.max_steps);
    let common = Common::new(space, store, (jobs, room), asked);
    let common = &common;
    std::thread::scope(|scope| {
        let call = || {
            for _ in 1..jobs {
                scope.spawn(|| common.stand_by());
            }
        };
        let team = Team::new(common, &call);
        work(Search::new((space, options, shows), broad, team))
    })
}

/// The most workers that pay. They wait for each other in every round, so two that share a core are no faster than one.
fn most_workers() -> usize {
    match std::thread::available_parallelism() {
        Ok(cores) if !cfg!(test) => cores.get(),
        _ => usize::MAX,
    }
}

struct Search<'s, 'o, 'c> {
    space: Space<'s>,
    options: &'o ExploreOptions,
    broad: bool,
    team: Team<'c, 's>,
    arena: Arena,
    states: u64,
    /// If set, the search only finds out whether there are more states than this.
    most: Option<u64>,
    /// At how many states the search checks next whether states can be written shorter.
    regroup: u64,
    found: Found,
    /// Picks the race that an execution shows.
    shows: &'o Shows<'o>,
    /// Pairs of instructions that are known to race.
    racing: FxHashSet<(u32, u32)>,
}

impl<'s, 'o, 'c> Search<'s, 'o, 'c> {
    fn new(
        (space, options, shows): (Space<'s>, &'o ExploreOptions, &'o Shows<'o>),
        broad: bool,
        team: Team<'c, 's>,
    ) -> Self {
        Self {
            space,
            options,
            broad,
            team,
            arena: Arena::default(),
            states: 0,
            most: None,
            regroup: REGROUP,
            found: Found::default(),
            shows,
            racing: FxHashSet::default(),
        }
    }

    fn run(&mut self) -> Found {
        self.visit(&mut Progress::new(self.options.progress));
        self.found.counts = self.counts();
        if self.arena.open() == 0 {
            self.found.counts.executions = count::of_search(self.space, self.options, &self.found);
        }
        std::mem::take(&mut self.found)
    }

    fn visit(&mut self, progress: &mut Progress) {
        self.team.begin();
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
        let enough = too_many || self.has_enough() || self.found.doubtful;
        let enough = enough || self.space.is_broken();
        if self.arena.open() == 0 || enough {
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

    /// Whether all bugs that are wanted have been found.
    fn has_enough(&self) -> bool {
        if self.options.goes_on() {
            return false;
        }
        // A deadlock is shorter than a step that fails at the same distance.
        let nearer = |trail: &Trail| {
            let depth = self.arena.first_depth().filter(|_| self.broad);
            depth.is_some_and(|depth| (depth as usize) < trail.steps.len())
        };
        let mut races = self.found.races.values();
        self.states > OTHERS_FIRST && races.next().is_some_and(|trail| !nearer(trail))
            || (self.found.bugs.values().next()).is_some_and(|trail| !nearer(trail))
    }

    fn exhausted(&self) -> bool {
        matches!(&*self.team.store(), Store::Exact(exact) if exact.exhausted())
    }

    fn take_batch(&mut self) {
        let expanded = self.states - self.arena.open() as u64;
        let steps = self.found.counts.transitions / expanded.max(1);
        let size = batch_size(self.states, steps, self.space.tasks as u64);
        let mut batch = self.team.states_mut();
        batch.clear();
        self.arena.take(size, self.broad, &mut batch);
    }

    /// Expands the batch. Meanwhile it drops, now and then, entries that lead to nothing that is still to be expanded.
    fn expand(&mut self) {
        let batch = self.team.states();
        let (arena, mut kept) = (&mut self.arena, None);
        self.team.expand(|| {
            let is_large = arena.is_large();
            kept = is_large.then(|| arena.keep(batch.iter().map(|state| state.id)));
        });
        drop(batch);
        if let Some(kept) = kept {
            for state in &mut *self.team.states_mut() {
                state.id = kept.rank(state.id);
            }
            self.team.store_mut().keep(&kept);
        }
    }

    /// Takes up what the batch gave: new states, failures, figures.
    fn take_up(&mut self) {
        let (mut failures, mut races) = (Vec::new(), Vec::new());
        let (found, halt) = (&mut self.found, &self.space.shared.halt);
        let spends = self.most.is_none();
        self.team.each(|batch| {
            let output = &batch.output;
            if spends {
                halt.spend(output.transitions + u64::from(batch.states));
            }
            output.add_to(found);
            if output.late {
                found.limit = Some(halt.which());
            }
            failures.extend_from_slice(&output.failures);
            races.extend_from_slice(&output.races);
        });
        for (from, pcs) in races {
            if self.space.shared.halt.now() {
                self.found.limit = Some(self.space.shared.halt.which());
                break;
            }
            self.race(from, pcs);
        }
        for (from, failure) in failures {
            self.fail(from, failure);
        }
        self.add();
    }

    /// Adds the new states.
    fn add(&mut self) {
        let (arena, states) = (&mut self.arena, &mut self.states);
        let deepest = &mut self.found.counts.depth;
        self.team.add(|entry| {
            *states += 1;
            *deepest = (*deepest).max(entry.depth.into());
            arena.add(entry)
        });
    }

    /// Writes slots that change together next to each other, if states then fit into their keys; else all states in one format.
    fn regroup(&mut self) {
        if self.states < self.regroup {
            return;
        }
        self.regroup = match self.regroup * 4 {
            next if next <= LAST_REGROUP => next,
            _ => u64::MAX,
        };
        let mut store = self.team.store_mut();
        let Store::Exact(old) = &*store else {
            return;
        };
        let slots = self.space.slots();
        let new = old.regrouped(self.space.widths(), &slots);
        let Some(new) = new.or_else(|| old.in_one_format()) else {
            return;
        };
        let (mut fold, mut row) = (Fold::default(), Vec::new());
        self.arena.rekey(|key| {
            old.load(key, &mut row, &mut fold);
            new.key(&row, None, &mut fold)
        });
        *store = Store::Exact(new);
        self.team.forget_keys();
    }

    fn fail(&mut self, from: u32, failure: Failure) {
        let key = failure.error(self.space.shared);
        let bugs = &self.found.bugs;
        let known = match self.options.goes_on() {
            true => bugs.get(&key),
            false => bugs.values().next(),
        };
        let state = self.team.states().get(from as usize).copied();
        let depth = state.map_or(0, |state| state.depth as usize);
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

    /// Takes two instructions that stand for a race in a state of the batch. They race if an execution shows it.
    fn race(&mut self, from: u32, pcs: (u32, u32)) {
        if self.found.doubtful || self.most.is_some() || self.racing.contains(&pcs) {
            return;
        }
        let spans = &self.space.shared.code.spans;
        let (a, b) = (spans[pcs.0 as usize], spans[pcs.1 as usize]);
        let pair = (a.min(b), a.max(b));
        let last = self.team.states().get(from as usize).copied();
        let rows = last.map_or_else(Vec::new, |state| self.rows_to(state.id));
        let mut trails = to_race(self.space, &rows, pcs).into_iter();
        let shown = trails.find_map(|mut trail| Some(((self.shows)(&mut trail, pair)?, trail)));
        match shown {
            Some((pair, trail)) => {
                self.racing.insert(pcs);
                self.found.races.entry(pair).or_insert(trail);
            }
            None => self.found.doubtful = true,
        }
    }

    /// The execution that leads to a state of the batch, and fails there.
    fn trail(&mut self, from: u32, failure: Failure) -> Trail {
        let last = self.team.states().get(from as usize).copied();
        let rows = last.map_or_else(Vec::new, |state| self.rows_to(state.id));
        retrace(self.space, &rows, failure)
    }

    /// The states from the first to this one.
    fn rows_to(&self, id: Id) -> Vec<Vec<u32>> {
        let mut fold = Fold::default();
        let store = self.team.store();
        let row = |id: Id| match &*store {
            Store::Exact(exact) => {
                let mut row = Vec::new();
                exact.load(self.arena.key(id), &mut row, &mut fold);
                row
            }
            Store::Compact { .. } => store.row(id).unwrap_or_default().to_vec(),
        };
        self.arena.trail(id).into_iter().map(row).collect()
    }

    fn stored(&self) -> u64 {
        match &*self.team.store() {
            Store::Exact(exact) => exact.bytes(),
            Store::Compact { hashes, .. } => hashes.bytes(),
        }
    }

    fn memory(&self) -> u64 {
        let rows = match &*self.team.store() {
            Store::Exact(_) => 0,
            Store::Compact { rows, .. } => rows.len() * (16 + 4 * self.space.tasks + 32),
        };
        self.stored()
            + self.arena.bytes()
            + (rows + self.team.bytes()) as u64
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
            self.arena.open(),
            self.found.counts.depth,
            self.memory() >> 20
        )
    }
}

/// How many states are expanded at once, if there are `states` of them, each with that many steps and leaves.
fn batch_size(states: u64, steps: u64, leaves: u64) -> usize {
    // A state has about as many tasks as steps, and each step gives a row of them.
    let each = (steps + 1) * (steps + leaves + 8);
    let size = (states / SHARE).min(WORK / each);
    usize::try_from(size).unwrap_or(BATCH).clamp(1, BATCH)
}

#[cfg(test)]
mod tests {
    use super::super::super::prepare_with;
    use super::super::super::tests::compile;
    use super::*;

    /// Each process of Peterson's algorithm has a variable for its level, in an array that all read: written with the
    /// processes these take no bits, and a state of six fits into a key.
    #[test]
    fn variables_of_petersons_processes_are_written_with_them() {
        let six = 6;
        let alone = (0..six).map(|k| format!("({k} == i || level[{k}] < l)"));
        let alone = alone.collect::<Vec<_>>().join(" && ");
        let text = include_str!("../../../bench/spin/peterson.async")
            .replace("@N@", &six.to_string())
            .replace("@ALONE@", &alone);
        let program = compile("peterson.async", &text);
        let options = ExploreOptions::default();
        let shared = prepare_with(&program, &options, true);
        let space = Space::new(&shared, &options);
        with_workers((space, &options, &|_, _| None), false, |mut search| {
            search.most = Some(20_000);
            search.visit(&mut Progress::new(false));
            let store = search.team.store();
            let Store::Exact(exact) = &*store else {
                panic!("this store is exact");
            };
            let mut reader = exact.reader();
            let tables = reader.tables();
            assert!(!tables.is_folded());
            // The levels are the first variables; tasks lie behind all of them.
            let hosts = space.slots().into_iter().take(six).map(|slot| {
                let mut parts = tables.parts_of(slot.leaf as usize).expect("it is divided");
                let (field, _) = parts
                    .find(|(_, part)| part.shift == slot.shift)
                    .expect("a field");
                field
            });
            let hosts: Vec<usize> = hosts.collect();
            // The first place was main's.
            let tasks: Vec<usize> = (space.tasks + 1..).take(six).collect();
            assert_eq!(hosts, tasks);
        });
    }

    #[test]
    fn batches_are_small_where_searches_are_small_or_states_large() {
        assert_eq!(batch_size(100, 3, 4), 1);
        assert_eq!(batch_size(100_000, 3, 4), 390);
        assert_eq!(batch_size(1 << 30, 8, 10), BATCH);
        assert_eq!(batch_size(10_000, 10_000, 1), 1);
    }
}
