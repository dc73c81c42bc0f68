//! The explicit engine: runs the program's executions, one after the other or state by state.
//!
//! ```text
//! program -> code -> machine (one segment of one task, remembered) -> space (who may run next)
//!         -> strategy (which of the choices, and what is stored) -> found -> answer (replayed, in words)
//! ```

pub mod cluster;
mod code;
mod divergence;
pub mod dpor;
mod fair;
mod found;
mod limits;
mod machine;
mod outcome;
mod pack;
mod reduced;
mod schedule;
mod script;
mod space;
mod store;
mod strategy;
mod summary;
mod symbolic;
mod tables;
mod vacuity;
mod values;
mod verdict;

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

use std::sync::Mutex;
use std::time::Instant;

use crate::answer::Answer;
use crate::ir::Program;
use crate::options::{ExploreOptions, Scheduler, Strategy, Values};
use crate::stack::on_big_stack;

use cluster::{Broken, Keeping, Link, Question};
use machine::Shared;
use pack::Packing;
use space::{Reduction, Space};

/// Looks at the program's executions, as far as the options say.
#[must_use]
pub fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    on_big_stack(|| {
        if options.fair {
            return fair::explore(program, options);
        }
        if options.divergence {
            return divergence::explore(program, options);
        }
        let begin = Instant::now();
        if let Some(reason) = verdict::unsupported(options) {
            return verdict::refused(options, reason);
        }
        if options.values == Values::Terms {
            return match symbolic::unsupported(options) {
                Some(reason) => verdict::refused(options, reason.to_owned()),
                None => symbolic::explore(program, &state_by_state(options.clone())),
            };
        }
        let shared = prepare(program, options);
        let space = reduced(Space::new(&shared, options), options);
        let found = search(program, space, options);
        let open =
            options.values == Values::Fitting && found.bugs.is_empty() && found.needs_open_values();
        let unsupported = symbolic::unsupported(options);
        if open && unsupported.is_none() {
            return symbolic::explore(program, &state_by_state(until(options, begin)));
        }
        let mut answer = verdict::answer(program, space, options, &found, begin.elapsed());
        if let Some(reason) = unsupported.filter(|_| open) {
            answer.notes.push(outcome::note(reason.to_owned(), None));
        }
        answer
    })
}

/// Where values are terms, races are looked for in states, too.
fn state_by_state(options: ExploreOptions) -> ExploreOptions {
    let strategy = if options.races {
        Strategy::Stateful
    } else {
        options.strategy
    };
    ExploreOptions {
        strategy,
        ..options
    }
}

/// The most work that counts where values are terms, which makes each step longer: as long as ten to a hundred times as much with numbers.
pub const OPEN_WORK: u64 = 40_000;

/// The same question with the same deadline, asked later.
fn until(options: &ExploreOptions, begin: Instant) -> ExploreOptions {
    let mut options = options.clone();
    let latest = begin.checked_add(options.limits.timeout);
    options.limits.latest = options.limits.latest.or(latest);
    options.work = options.work.map(|work| work.min(OPEN_WORK));
    options
}

/// The same by several processes, or with a checkpoint. Only the first process's answer is whole.
///
/// # Errors
/// When the processes cannot do this together.
pub fn explore_with(
    program: &Program,
    options: &ExploreOptions,
    link: &mut Link,
    (keeping, question): (&Keeping, &Question),
) -> Result<Answer, Broken> {
    on_big_stack(|| {
        let begin = Instant::now();
        let shared = prepare(program, options);
        let space = reduced(Space::new(&shared, options), options);
        let space = cluster::agreed(space, link)?;
        let found = cluster::search(program, space, options, link, (keeping, question))?;
        Ok(verdict::answer(
            program,
            space,
            options,
            &found,
            begin.elapsed(),
        ))
    })
}

/// The answer when the processes did not come together.
#[must_use]
pub fn not_together(options: &ExploreOptions, broken: &Broken) -> Answer {
    verdict::refused(options, broken.reason().to_owned())
}

fn search(program: &Program, space: Space<'_>, options: &ExploreOptions) -> found::Found {
    match options.strategy {
        Strategy::Stateful => strategy::stateful(space, options),
        Strategy::Stateless => strategy::stateless(space, options),
        Strategy::Random | Strategy::Pct => strategy::random(space, options),
        Strategy::Dpor => reduced::search(program, space, options),
    }
}

/// The states with the reductions that are sound for the options, and pay.
fn reduced<'s>(space: Space<'s>, options: &ExploreOptions) -> Space<'s> {
    let mut reduction = Reduction::allowed(space.shared, options);
    let room = options.limits.memory / 8;
    reduction.multiset = reduction.multiset && strategy::equal_tasks_meet(space, room);
    space.reduced(reduction)
}

/// Compiles the program, and lays its globals out.
fn prepare(program: &Program, options: &ExploreOptions) -> Shared {
    // The bounded bag compares tasks, with all that they have.
    let keep = matches!(options.scheduler, Scheduler::BoundedBag(_));
    prepare_with(program, options, keep)
}

fn prepare_with(program: &Program, options: &ExploreOptions, keep: bool) -> Shared {
    let code = code::compile(program, keep);
    let packing = Packing::new(&code);
    Shared {
        init: program.init.0,
        main: program.main.0,
        finally: program.finally.map(|f| f.0),
        packing,
        reached: code.landmarks.iter().map(|_| false.into()).collect(),
        code,
        tables: Mutex::default(),
        prune: options.strategy == Strategy::Stateful,
        merge: options.strategy == Strategy::Dpor,
        pruned: false.into(),
        halt: limits::Halt::new(&options.limits, options.work),
    }
}
