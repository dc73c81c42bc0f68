//! Follows every execution, one after the other, depth-first. It stores only the way to where it stands.
//!
//! The tree is cut near its root into pieces, in the order of the search. Pieces
//! are searched by any number of workers and put together in that order, up to
//! the first that fails: the result is that of one worker going through all.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

use options::ExploreOptions;

use super::expand::Failure;
use super::system::{Expansion, Move, System};
use machine::found::{Found, Limit, Trail};
use machine::limits::Progress;
use machine::space::Step;

/// The tree is cut until there are this many pieces.
const PIECES: usize = 256;
/// After this many numbers in new rows the search looks at the memory.
const UNSEEN: usize = 1 << 18;

/// Distinct states are counted up to this many visits.
const COUNTED: u64 = 1 << 20;

/// Follows every execution.
///
/// Each worker makes a system of its own.
pub fn search<S: System>(system: impl Fn() -> S + Sync, options: &ExploreOptions) -> Found {
    if options.shortest {
        by_length(&system, options)
    } else {
        follow(&system, options)
    }
}

/// Follows every execution up to a length that grows by one: each bug is first met in a shortest execution.
fn by_length<S: System>(system: &(impl Fn() -> S + Sync), options: &ExploreOptions) -> Found {
    let mut shortest: BTreeMap<_, Trail> = BTreeMap::new();
    let mut within = ExploreOptions {
        all: true,
        max_steps: 0,
        ..options.clone()
    };
    loop {
        let mut found = follow(system, &within);
        for (key, trail) in std::mem::take(&mut found.bugs) {
            shortest.entry(key).or_insert(trail);
        }
        let enough = !options.goes_on() && !shortest.is_empty();
        let whole = !found.cut || within.max_steps >= options.max_steps;
        if enough || whole || found.limit.is_some() {
            if !options.goes_on() {
                // A deadlock is seen one step later than another failure.
                let least = shortest.values().map(|trail| trail.steps.len()).min();
                shortest.retain(|_, trail| Some(trail.steps.len()) == least);
                found.bugs.extend(shortest.pop_first());
            } else {
                found.bugs = shortest;
            }
            return found;
        }
        within.max_steps += 1;
    }
}

fn follow<S: System>(system: &(impl Fn() -> S + Sync), options: &ExploreOptions) -> Found {
    let mut first = Branch::new(system(), options);
    let mut pieces = first.cut();
    if let Some(shard) = options.shard {
        let mut numbers = 0..;
        pieces.retain(|_| numbers.next().is_some_and(|number| shard.has(number)));
    }
    let bytes = run(first, system, &mut pieces);
    let mut found = Found::default();
    found.counts.executions = Some(0);
    let mut states = Some(FxHashSet::default());
    for piece in pieces {
        let Some(part) = piece.part else {
            break;
        };
        let stop = part.ends(options);
        join(&mut found, part);
        states = join_states(states, piece.states);
        if stop {
            break;
        }
    }
    // Another part may visit the same states.
    let states = states.filter(|_| options.shard.is_none());
    found.counts.states = states.map(|s| s.len() as u64);
    found.counts.memory = bytes;
    found
}

/// Adds what another part of the search found.
pub(super) fn join(found: &mut Found, part: Found) {
    for (key, trail) in part.bugs {
        found.bugs.entry(key).or_insert(trail);
    }
    found.finals.extend(part.finals);
    found.refusal = found.refusal.or(part.refusal);
    found.cut |= part.cut;
    found.left_out.add(part.left_out);
    found.ended |= part.ended;
    found.limit = found.limit.or(part.limit);
    found.long = found.long.take().or(part.long);
    let (counts, more) = (&mut found.counts, part.counts);
    counts.executions = counts.executions.zip(more.executions).map(|(a, b)| a + b);
    counts.cut = counts
        .cut
        .map_or(more.cut, |cut| Some(cut + more.cut.unwrap_or(0)));
    counts.transitions += more.transitions;
    counts.depth = counts.depth.max(more.depth);
}

type States = Option<FxHashSet<Box<[u32]>>>;

fn join_states(all: States, more: States) -> States {
    let (mut all, more) = all.zip(more)?;
    all.extend(more);
    Some(all)
}

/// A subtree, or a node that was expanded when the tree was cut.
struct Piece {
    trail: Trail,
    /// The state, unless the piece has been searched.
    row: Option<Box<[u32]>>,
    /// How many delays in a row led here.
    delays: u32,
    part: Option<Found>,
    states: States,
}

/// Searches the pieces, by the first worker and as many more as are wanted. Returns how many bytes the first one holds.
fn run<S: System>(
    mut first: Branch<'_, S>,
    system: &(impl Fn() -> S + Sync),
    pieces: &mut [Piece],
) -> u64 {
    let options = first.options;
    let next = AtomicUsize::new(0);
    // Pieces behind one that fails are not needed.
    let last = AtomicUsize::new(usize::MAX);
    let slots: Vec<Mutex<&mut Piece>> = pieces.iter_mut().map(Mutex::new).collect();
    let work = |branch: &mut Branch<'_, S>| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= slots.len() || number > last.load(Ordering::Relaxed) {
                return;
            }
            let mut piece = slots[number].lock().unwrap_or_else(PoisonError::into_inner);
            branch.search(&mut piece);
            if piece.part.as_ref().is_some_and(|part| part.ends(options)) {
                last.fetch_min(number, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.jobs {
            scope.spawn(|| work(&mut Branch::new(system(), options)));
        }
        first.progress = Progress::new(options.progress);
        work(&mut first);
    });
    first.system.bytes()
}

/// A level of the search: what follows a state, and which of it is next.
#[derive(Default)]
struct Level {
    expansion: Expansion,
    next: usize,
    delays: u32,
}

/// A worker with its place in the tree.
struct Branch<'o, S> {
    system: S,
    options: &'o ExploreOptions,
    levels: Vec<Level>,
    /// Levels whose memory can be used again.
    spare: Vec<Level>,
    progress: Progress,
    visited: u64,
    /// How many numbers there were in new rows since the last look at the memory.
    held: usize,
}

impl<'o, S: System> Branch<'o, S> {
    fn new(system: S, options: &'o ExploreOptions) -> Self {
        Self {
            system,
            options,
            levels: Vec::new(),
            spare: Vec::new(),
            progress: Progress::new(false),
            visited: 0,
            held: 0,
        }
    }

    fn too_long(&self, trail: &Trail) -> bool {
        let dispatches = trail.steps.iter().filter(|s| !s.delay).count();
        dispatches as u64 >= self.options.max_steps
    }

    /// Cuts the tree into subtrees in the order of the search.
    fn cut(&mut self) -> Vec<Piece> {
        let mut out = Expansion::default();
        self.system.begin(&mut out);
        let mut pieces = self.cut_here(None, &out);
        // Pieces differ in size: with many of them, parts take about as long as each other.
        let shards = self.options.shard.map_or(0, |shard| 16 * shard.of as usize);
        for _ in 0..16 {
            let open = pieces.iter().filter(|p| p.row.is_some()).count();
            if open == 0 || open >= PIECES.max(shards) {
                break;
            }
            let cut = pieces.into_iter().flat_map(|piece| {
                let Some(row) = &piece.row else {
                    return vec![piece];
                };
                if self.too_long(&piece.trail) {
                    return vec![piece];
                }
                self.system.expand(row, &mut out);
                self.cut_here(Some(&piece), &out)
            });
            pieces = cut.collect();
        }
        pieces
    }

    /// A node that was expanded, then the subtrees below it.
    fn cut_here(&mut self, above: Option<&Piece>, out: &Expansion) -> Vec<Piece> {
        let trail = above.map_or_else(Trail::default, |p| p.trail.clone());
        let mut part = Found::default();
        part.counts.executions = Some(0);
        let seen = above.and_then(|p| p.row.as_deref());
        let seen = seen.map(|row| self.system.state(row).into());
        self.count(&mut part, out, &trail, above.is_none());
        part.counts.depth = trail.steps.len() as u64;
        let mut pieces = vec![Piece {
            trail: trail.clone(),
            row: None,
            delays: 0,
            part: Some(part),
            states: Some(seen.into_iter().collect()),
        }];
        for (i, &Move { step, .. }) in out.moves.iter().enumerate() {
            let row = Some(out.moves.row(i));
            let Some(delays) = self.follow(row, step, above.map_or(0, |p| p.delays)) else {
                continue;
            };
            let mut trail = trail.clone();
            if above.is_none() {
                trail.begin = step.way;
            } else {
                trail.steps.push(step);
            }
            pieces.push(Piece {
                trail,
                row: Some(out.moves.row(i).into()),
                delays,
                part: None,
                states: None,
            });
        }
        pieces
    }

    /// How many delays in a row there are after a step; `None` if it is a delay that only goes round in a circle.
    fn follow(&mut self, row: Option<&[u32]>, step: Step, delays: u32) -> Option<u32> {
        if !step.delay || self.options.delays.is_some() {
            return Some(0);
        }
        let circle = row.map_or(0, |row| self.system.circle(row));
        (delays + 1 < circle).then_some(delays + 1)
    }

    /// Takes up what an expansion says about the state itself.
    fn count(&self, part: &mut Found, out: &Expansion, trail: &Trail, first: bool) {
        let told = &out.told;
        told.add_to(part);
        if told.late {
            part.limit = Some(self.system.halt().which());
        }
        let most = if self.options.goes_on() {
            usize::MAX
        } else {
            1
        };
        let failures = out.failures().take(most);
        let executions = told.ended + failures.len() as u64;
        part.counts.executions = part.counts.executions.map(|n| n + executions);
        for failure in failures {
            let (kind, span) = self.system.error(failure);
            part.bug(kind, span, || failing(trail, failure, first));
        }
    }

    fn search(&mut self, piece: &mut Piece) {
        let Some(row) = piece.row.take() else {
            return;
        };
        let mut part = Found::default();
        part.counts.executions = Some(0);
        let mut trail = piece.trail.clone();
        let mut states = (self.visited < COUNTED).then(FxHashSet::default);
        self.enter(&row, piece.delays, &trail, &mut part, &mut states);
        while let Some(level) = self.levels.last_mut() {
            if part.ends(self.options) {
                break;
            }
            let Some(&Move { step, .. }) = level.expansion.moves.get(level.next) else {
                self.spare.extend(self.levels.pop());
                trail.steps.pop();
                continue;
            };
            level.next += 1;
            self.go(step, &mut trail, &mut part, &mut states);
        }
        self.spare.append(&mut self.levels);
        piece.states = states;
        piece.part = Some(part);
    }

    /// Follows a step from the last level.
    fn go(&mut self, step: Step, trail: &mut Trail, part: &mut Found, states: &mut States) {
        let Some(level) = self.levels.last() else {
            return;
        };
        let (delays, row) = (
            level.delays,
            level.expansion.moves.row(level.next - 1).to_vec(),
        );
        // A delay does not change how many tasks may be delayed in a row.
        let Some(delays) = self.follow(Some(&row), step, delays) else {
            return;
        };
        trail.steps.push(step);
        self.enter(&row, delays, trail, part, states);
    }

    fn enter(
        &mut self,
        row: &[u32],
        delays: u32,
        trail: &Trail,
        part: &mut Found,
        states: &mut States,
    ) {
        self.visited += 1;
        self.system.halt().spend(1);
        if self.visited > COUNTED {
            *states = None;
        } else if let Some(states) = states {
            states.insert(self.system.state(row).into());
        }
        let depth = trail.steps.len() as u64;
        part.counts.depth = part.counts.depth.max(depth);
        let mut level = self.spare.pop().unwrap_or_default();
        (level.next, level.delays) = (0, delays);
        level.expansion.clear();
        let long = depth >= self.options.max_steps && self.too_long(trail);
        if long && !self.system.is_final(row) {
            part.too_long(trail);
        } else {
            self.system.expand(row, &mut level.expansion);
        }
        self.count(part, &level.expansion, trail, false);
        self.held += level.expansion.moves.len() * row.len();
        self.levels.push(level);
        if self.held > UNSEEN {
            self.held = 0;
            let full = self.system.halt().is_full();
            part.limit = part.limit.or(full.then_some(Limit::Memory));
        }
        if !self.visited.is_multiple_of(64) {
            return;
        }
        part.limit = part.limit.or_else(|| self.system.halt().reached());
        let (levels, bytes) = (self.levels.len(), self.system.bytes());
        self.progress.show(self.visited, "visits", || {
            format!("depth {levels}, {} MiB", bytes >> 20)
        });
    }
}

/// The execution that fails. `first` says that it fails in the first segment.
pub fn failing(trail: &Trail, failure: Failure, first: bool) -> Trail {
    let mut trail = trail.clone();
    match failure {
        Failure::Step(step, _) if first => trail.begin = step.way,
        Failure::Step(step, _) => trail.steps.push(step),
        Failure::Finally(way, _) => trail.finally = Some(way),
        Failure::Deadlock(_) => {}
    }
    trail
}
