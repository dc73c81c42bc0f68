//! Random walks: each step is any possible one, or one of the task with the highest priority.
//!
//! The second is PCT: tasks get random priorities, and at `depth - 1` random steps
//! the task that has just run gets one lower than all others. A walk finds a bug of that depth with
//! a probability of at least `1 / (tasks * steps^(depth - 1))`. With a depth of 0 the priority falls at each step: tasks
//! take turns.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;

use options::{ExploreOptions, Strategy};

use super::expand::Failure;
use super::stateless::{failing, join};
use super::system::{Expansion, System};
use machine::found::{Found, Trail};
use machine::limits::Progress;
use machine::space::Step;

/// A step costs more if it has more tasks to choose among. Up to this many cost nothing.
const FEW_TASKS: usize = 64;

/// The random numbers of one walk.
fn dice(seed: u64, walk: u64) -> Rng {
    Rng::with_seed(seed ^ walk.wrapping_mul(0xD134_2543_DE82_EF95))
}

/// Priorities of tasks by place, and the steps at which they change.
struct Priorities {
    of: Vec<u64>,
    /// Steps at which the running task falls behind all others, ascending.
    changes: Vec<u64>,
    /// Whether the running task falls behind at each step.
    turns: bool,
}

impl Priorities {
    fn new(rng: &mut Rng, depth: u32, steps: u64) -> Self {
        let steps = usize::try_from(steps).unwrap_or(usize::MAX).max(1);
        // More changes than steps say nothing new.
        let depth = steps.saturating_add(1).min(depth as usize);
        let changes = (1..depth).map(|_| rng.usize(..steps) as u64 + 1);
        let mut changes: Vec<u64> = changes.collect();
        changes.sort_unstable();
        Self {
            of: Vec::new(),
            changes,
            turns: depth == 0,
        }
    }

    /// Gives priorities to tasks at places that were free.
    fn meet(&mut self, rng: &mut Rng, before: &[u32], now: &[u32]) {
        self.of.resize(now.len().max(self.of.len()), 0);
        for (place, &local) in now.iter().enumerate() {
            if local != 0 && before.get(place).is_none_or(|&b| b == 0) {
                // Above all that the changes give.
                self.of[place] = rng.u64(..) | 1 << 63;
            }
        }
    }

    /// After a step of a task.
    fn ran(&mut self, step: u64, place: usize) {
        if self.turns {
            self.of[place] = (1 << 63) - 1 - step;
        }
        let done = self.changes.partition_point(|&at| at <= step);
        if self.changes[..done].last() == Some(&step) {
            self.of[place] = done as u64;
        }
    }
}

/// Walks so many times.
///
/// Each worker makes a system of its own.
pub fn search<S: System>(system: impl Fn() -> S + Sync, options: &ExploreOptions) -> Found {
    let next = AtomicU64::new(0);
    let last = AtomicU64::new(u64::MAX);
    let mut walks = Walks::default();
    walks.found.counts.executions = Some(0);
    let walks = Mutex::new(walks);
    let steps = length(&system, options);
    let work = |show: bool| {
        let mut walker = RandomRun::new(system(), options, steps);
        let mut progress = Progress::new(show && options.progress);
        loop {
            let walk = next.fetch_add(1, Ordering::Relaxed);
            if walk >= options.runs || walk > last.load(Ordering::Relaxed) {
                return;
            }
            let is_wanted = options.shard.is_none_or(|shard| shard.has(walk));
            let part = is_wanted.then(|| walker.walk(walk));
            if part.as_ref().is_some_and(|part| part.ends(options)) {
                last.fetch_min(walk, Ordering::Relaxed);
            }
            let mut walks = walks.lock().unwrap_or_else(PoisonError::into_inner);
            walks.take(walk, part, options);
            let bytes = walker.system.bytes();
            progress.show(walks.count, "walks", || {
                format!("of {}, {} MiB", options.runs, bytes >> 20)
            });
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.jobs {
            scope.spawn(|| work(false));
        }
        work(true);
    });
    let walks = walks.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut found = walks.found;
    found.counts.walks = Some(walks.count);
    found.counts.memory = system().bytes();
    found
}

/// What came of the walks, in the order of their numbers up to the first one that ends the search.
#[derive(Default)]
struct Walks {
    found: Found,
    /// How many walks there were.
    count: u64,
    /// The number of the first walk that has not come back, and the later walks that have: `None` for one that was not wanted.
    next: u64,
    early: BTreeMap<u64, Option<Found>>,
    over: bool,
}

impl Walks {
    fn take(&mut self, walk: u64, part: Option<Found>, options: &ExploreOptions) {
        self.early.insert(walk, part);
        while !self.over
            && let Some(part) = self.early.remove(&self.next)
        {
            self.next += 1;
            let Some(part) = part else { continue };
            self.over = part.ends(options);
            self.count += 1;
            join(&mut self.found, part);
        }
    }
}

/// How many steps the first walk takes without changes of priority.
fn length<S: System>(system: &impl Fn() -> S, options: &ExploreOptions) -> u64 {
    if options.strategy != Strategy::Pct || options.depth == 0 {
        return 0;
    }
    let mut walker = RandomRun::new(system(), options, 0);
    walker.walk(u64::MAX).counts.depth
}

struct RandomRun<'o, S> {
    system: S,
    options: &'o ExploreOptions,
    /// The length of walks that PCT reckons with.
    steps: u64,
    out: Expansion,
}

impl<'o, S: System> RandomRun<'o, S> {
    fn new(system: S, options: &'o ExploreOptions, steps: u64) -> Self {
        Self {
            system,
            options,
            steps,
            out: Expansion::default(),
        }
    }

    /// The priorities of a new walk, if tasks have some.
    fn priorities(&self, rng: &mut Rng) -> Option<Priorities> {
        let depth = match (self.steps, self.options.depth) {
            (_, 0) => 0,
            (0, _) => 1,
            (_, depth) => depth,
        };
        let pct = self.options.strategy == Strategy::Pct;
        pct.then(|| Priorities::new(rng, depth, self.steps))
    }

    fn walk(&mut self, number: u64) -> Found {
        let mut rng = dice(self.options.seed, number);
        let mut priorities = self.priorities(&mut rng);
        let (mut found, mut trail) = (Found::default(), Trail::default());
        found.counts.executions = Some(0);
        let mut row: Vec<u32> = Vec::new();
        self.system.begin(&mut self.out);
        self.take_up(&mut found);
        found.limit = self.system.halt().reached();
        let mut begun = false;
        while found.limit.is_none() {
            let place = match self.pick(&mut rng, priorities.as_ref()) {
                Pick::Nothing => break,
                Pick::Failure(i) => {
                    self.fail(&mut found, &trail, i, begun);
                    break;
                }
                Pick::Step(i) => {
                    self.pay(&row);
                    let step = self.out.moves[i].step;
                    take(&mut found, &mut trail, step, begun);
                    begun = true;
                    let next = self.out.moves.row(i);
                    if let Some(p) = &mut priorities {
                        let (before, now) = (self.system.tasks(&row), self.system.tasks(next));
                        p.meet(&mut rng, before, now);
                    }
                    row.clear();
                    row.extend_from_slice(next);
                    step.place as usize
                }
            };
            let depth = trail.steps.len() as u64;
            found.counts.depth = depth;
            if let (Some(p), true) = (&mut priorities, depth > 0) {
                p.of.resize(p.of.len().max(place + 1), 0);
                p.ran(depth, place);
            }
            if depth >= self.options.max_steps && !self.system.is_final(&row) {
                found.too_long(&trail);
                break;
            }
            if depth.is_multiple_of(64) {
                found.limit = self.system.halt().reached();
            }
            if found.limit.is_some() {
                break;
            }
            self.system.expand(&row, &mut self.out);
            if self.out.told.late {
                found.limit = Some(self.system.halt().which());
                break;
            }
            self.take_up(&mut found);
        }
        if !begun {
            // A walk that ends at once is work, too: there may be very many of them.
            self.system.halt().spend(1);
        }
        self.ended(&mut found, &mut rng);
        found
    }

    /// Takes up what was left out here. A walk goes on beside a step that cannot be followed, but never takes it.
    fn take_up(&self, found: &mut Found) {
        found.left_out.add(self.out.told.left_out);
        found.refusal = found.refusal.or(self.out.told.refusal);
    }

    /// A segment that is remembered is work as well, and so are very many tasks.
    fn pay(&self, row: &[u32]) {
        let many = self.system.tasks(row).len().saturating_sub(FEW_TASKS);
        self.system.halt().spend(1 + many as u64 / 4);
    }

    /// Takes up an execution that ended without a failure.
    fn ended(&self, found: &mut Found, rng: &mut Rng) {
        if found.cut || found.limit.is_some() || !found.bugs.is_empty() || self.out.told.ended == 0
        {
            return;
        }
        found.counts.executions = Some(1);
        found.ended = true;
        if !self.out.told.finals.is_empty() {
            let i = rng.usize(..self.out.told.finals.len());
            found.finals.insert(self.out.told.finals[i].clone());
        }
    }

    fn fail(&self, found: &mut Found, trail: &Trail, i: usize, begun: bool) {
        let failure = self.out.told.failures[i].1;
        let step = matches!(failure, Failure::Step(..));
        found.counts.transitions += u64::from(begun && step);
        found.counts.executions = Some(1);
        let (kind, span) = self.system.error(failure);
        found.bug(kind, span, || failing(trail, failure, !begun));
    }

    /// What happens next: among everything that can, or what the task of the highest priority does.
    fn pick(&self, rng: &mut Rng, priorities: Option<&Priorities>) -> Pick {
        let moves = self.out.moves.len();
        let highest = priorities.map(|priorities| self.of_highest(priorities));
        let among = match &highest {
            Some(highest) => highest.len(),
            None => moves + self.out.failures().len(),
        };
        // A complete execution may end in several ways, some of them failures.
        let ends = usize::try_from(self.out.told.ended).unwrap_or(0);
        if among + ends == 0 {
            return Pick::Nothing;
        }
        let at = rng.usize(..among + ends);
        if at >= among {
            return Pick::Nothing;
        }
        match highest.map_or(at, |highest| highest[at]) {
            i if i < moves => Pick::Step(i),
            i => Pick::Failure(i - moves),
        }
    }

    /// The steps, and then the failures, of the task of the highest priority among those that have any.
    fn of_highest(&self, priorities: &Priorities) -> Vec<usize> {
        let steps = self.out.moves.iter().map(|m| Some(m.step.place));
        let failures = self.out.failures().map(|failure| match failure {
            Failure::Step(step, _) => Some(step.place),
            _ => None,
        });
        let rank = |place: Option<u32>| priorities.of.get(place? as usize).copied();
        let ranks: Vec<_> = steps.chain(failures).map(rank).collect();
        let best = ranks.iter().max();
        (0..ranks.len())
            .filter(|&i| Some(&ranks[i]) == best)
            .collect()
    }
}

enum Pick {
    Step(usize),
    Failure(usize),
    Nothing,
}

/// Notes a step, or the first segment, with which an execution begins.
fn take(found: &mut Found, trail: &mut Trail, step: Step, begun: bool) {
    if begun {
        found.counts.transitions += u64::from(!step.delay);
        trail.steps.push(step);
    } else {
        trail.begin = step.way;
    }
}
