//! Fair scheduling: livelocks and good-samaritan violations, after Musuvathi and Qadeer,
//! *Fair Stateless Model Checking* (PLDI 2008).
//!
//! ```text
//! system (a program, or another system, of whose tasks the rules let some run) -> the searches without a store
//!   rules: Algorithm 1, bounds                                              -> search -> graph -> cycles -> loops
//! ```
//!
//! A task yields, in the paper's word, with a step that ends at a `sleep`. The statement `yield` is
//! no yield in that sense: it is a point where a task can be interrupted, like every other.

mod answer;
mod cycles;
mod graph;
mod loops;
mod priority;
mod rules;
mod search;
mod system;
mod tasks;
#[cfg(test)]
mod tests;

use ::answer::Answer;
use base::clock::Instant;
use ir::Program;
use options::{ExploreOptions, Strategy};

use super::verdict::refused;
use super::{Space, prepare, strategy, worker};
use answer::Subject;
use machine::found::Found;
use rules::Rules;
use system::{Fair, Memories};

pub use system::Open;
#[cfg(test)]
pub use tasks::Tasks;

/// Looks at the program's executions under fair scheduling.
pub fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    let begin = Instant::now();
    if let Some(reason) = unsupported(options) {
        return refused(options, reason);
    }
    // Bounds are the rules' business: they know which preemptions are free.
    let unbounded = ExploreOptions {
        preemptions: None,
        switches: None,
        ..options.clone()
    };
    let shared = prepare(program, &unbounded);
    let space = Space::new(&shared, &unbounded);
    let (rules, memories) = (Rules::new(options), Memories::default());
    let found = search(|| worker(space, options), (rules, &memories), options);
    let subject = Subject {
        program,
        space,
        options,
        rules,
    };
    subject.answer(&found, begin.elapsed())
}

/// Searches a system under the rules, as the options say.
fn search<S: Open>(
    system: impl Fn() -> S + Sync,
    (rules, memories): (Rules, &Memories),
    options: &ExploreOptions,
) -> Found {
    let fair = || Fair::new(system(), rules, memories);
    match options.strategy {
        Strategy::Stateful => search::search(&mut fair(), options),
        Strategy::Random => strategy::random(fair, options),
        _ => strategy::stateless(fair, options),
    }
}

/// Returns why the options do not go together, if they do not.
fn unsupported(options: &ExploreOptions) -> Option<String> {
    if !options.scheduler.is_bag() {
        return Some("--fair is a scheduler of its own: leave out --scheduler and --delays".into());
    }
    let strategy = match options.strategy {
        Strategy::Dpor => "dpor",
        Strategy::Pct => "pct",
        Strategy::Stateful | Strategy::Stateless | Strategy::Random => return None,
    };
    Some(format!(
        "--fair does not go with --strategy {strategy}: use stateful, stateless or random"
    ))
}
