//! The explicit engine: runs the program's executions, one after the other or state by state.
//!
//! ```text
//! program -> machine (one segment of one task, remembered) -> space (who may run next)
//!         -> strategy (which of the choices, and what is stored) -> found -> answer (replayed, in words)
//! ```
//!
//! Values are numbers here; `symbolic` takes over where they are terms.

pub mod divergence;
pub mod dpor;
pub mod fair;
pub mod graph;
pub mod outcome;
pub mod strategy;
pub mod summary;
pub mod vacuity;
pub mod verdict;

#[cfg(test)]
mod tests;

use std::sync::{Mutex, OnceLock};

use ir::{Program, WeakOrders};
use machine::code::{self, Code, First};
use machine::pack::Packing;
use machine::space::{Reduction, Space};
use machine::symmetry::Symmetry;
use machine::watch::Watched;
use machine::{Shared, found, given, limits, schedule};
use options::{ExploreOptions, Scheduler, Sought, Strategy};

use strategy::TreeWorker;

/// Searches in the way that the options say.
#[must_use]
pub fn search(program: &Program, space: Space<'_>, options: &ExploreOptions) -> found::Found {
    let mut found = match options.strategy {
        Strategy::Stateful => every_state(program, space, options),
        Strategy::Stateless => strategy::stateless(|| worker(space, options), options),
        Strategy::Random | Strategy::Pct => strategy::random(|| worker(space, options), options),
        Strategy::Dpor => dpor::program::search(program, space, options),
    };
    found.is_halted_by(&space.shared.halt);
    found
}

fn every_state(program: &Program, space: Space<'_>, options: &ExploreOptions) -> found::Found {
    let shows = |trail: &mut found::Trail, wanted| shown_race(program, space, trail, wanted);
    let mut found = strategy::stateful(space, options, &shows);
    if space.is_broken() {
        space.shared.forget_reached();
        return strategy::stateful(space.with_all_numbers(), options, &shows);
    }
    if let Some(symmetry) = space.symmetry {
        symmetry.close(space.shared, &mut found.finals);
    }
    found
}

/// Picks the race that an execution shows: the one at the wanted places if there is one, else the first.
fn shown_race(
    program: &Program,
    space: Space<'_>,
    trail: &mut found::Trail,
    wanted: strategy::Pair,
) -> Option<strategy::Pair> {
    let shown = (0..).map_while(|number| {
        trail.race = Some(number);
        let schedule = schedule::schedule(program, space, trail);
        let (trace, _) = trace::replay(program, Scheduler::Bag, &schedule).ok()?;
        let mut places = trace.steps.iter().rev().filter_map(|step| step.span);
        let (a, b) = (places.next()?, places.next()?);
        Some((number, (a.min(b), a.max(b))))
    });
    let shown: Vec<_> = shown.collect();
    let same = shown.iter().find(|(_, pair)| *pair == wanted);
    let &(number, pair) = same.or(shown.first())?;
    trail.race = Some(number);
    Some(pair)
}

/// A worker of a search without a store.
fn worker<'s>(space: Space<'s>, options: &ExploreOptions) -> TreeWorker<'s> {
    let room = options.limits.memory / 8 / options.jobs.max(1) as u64;
    TreeWorker::new(space, room, options.finals)
}

/// The space with the reductions that are sound for the options and worth their time.
#[must_use]
pub fn reduced<'s>(program: &Program, space: Space<'s>, options: &ExploreOptions) -> Space<'s> {
    let reduction = Reduction::allowed(space.shared, options);
    let room = options.limits.memory / 8;
    let sorted = space.reduced(reduction);
    if !sorted.may_exchange() {
        return sorted;
    }
    let pending = strategy::most_pending(sorted, room);
    let guesses = Symmetry::guesses(program, space.shared, &pending, options.finals);
    if let Some(symmetry) = strategy::numbers_to_exchange(sorted, room, guesses, strategy::FOR_ONE)
    {
        let symmetry = space.shared.symmetry.get_or_init(|| symmetry);
        return sorted.exchanging(symmetry);
    }
    space.reduced(Reduction {
        multiset: reduction.multiset && strategy::equal_tasks_meet(space, room),
        ..reduction
    })
}

/// Compiles the program, and lays its globals out.
#[must_use]
pub fn prepare(program: &Program, options: &ExploreOptions) -> Shared {
    // The bounded bag compares tasks, with all that they have.
    let keep = matches!(options.scheduler, Scheduler::BoundedBag(_));
    prepare_with(program, options, keep)
}

pub fn prepare_with(program: &Program, options: &ExploreOptions, keep: bool) -> Shared {
    let with = |first: &[First]| {
        let code = code::compile_with(program, keep, options.coverage, first);
        shared(program, options, code)
    };
    let given =
        given::open_at_the_start(program).and_then(|open| given::set_first(&with(&open), &open));
    with(&given.unwrap_or_default())
}

fn shared(program: &Program, options: &ExploreOptions, code: Code) -> Shared {
    let packing = Packing::new(&code);
    let by_states = options.sought == Sought::Races && options.strategy == Strategy::Stateful;
    Shared {
        watched: by_states.then(|| Watched::new(program, &code)),
        init: program.init.0,
        main: program.main.0,
        finally: program.finally.map(|f| f.0),
        packing,
        reached: code.landmarks.iter().map(|_| false.into()).collect(),
        code,
        tables: Mutex::default(),
        prune: options.strategy == Strategy::Stateful,
        // Two ways that lead to the same state may order other accesses differently.
        merge: options.strategy == Strategy::Dpor
            && (options.sought != Sought::Races || WeakOrders::of(program).all.is_empty()),
        pruned: false.into(),
        chose_wide: false.into(),
        symmetry: OnceLock::new(),
        halt: limits::Halt::of_search(options),
    }
}
