//! Fair scheduling: livelocks and good-samaritan violations, after Musuvathi and Qadeer,
//! *Fair Stateless Model Checking* (PLDI 2008).
//!
//! ```text
//! model (states, who can run, steps) -> rules (Algorithm 1, bounds) -> stateful | stateless | random -> report
//!                                                                  graph -> cycles -> loops
//! ```
//!
//! A task yields, in the paper's word, with a step that ends at a `sleep`. The statement `yield` is
//! no yield in that sense: it is a point where a task can be interrupted, like every other.

mod answer;
mod cycles;
mod graph;
mod loops;
mod machine;
mod model;
mod priority;
mod report;
mod rules;
mod stateful;
mod stateless;
mod tasks;
#[cfg(test)]
mod tests;

use std::time::Instant;

use crate::answer::Answer;
use crate::ir::Program;
use crate::options::{ExploreOptions, Scheduler, Strategy};

use super::verdict::refused;
use answer::Subject;
use machine::Interpreted;
use report::Report;
use rules::Rules;

/// Looks at the program's executions under fair scheduling.
pub(crate) fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    let begin = Instant::now();
    if let Some(reason) = unsupported(options) {
        return refused(options, reason);
    }
    let mut model = Interpreted::new(program, options.scheduler);
    let mut report = Report::new(options);
    let stored = options.strategy == Strategy::Stateful;
    let rules = Rules::new(options, stored);
    let nobody = &mut |_: &_| {};
    match options.strategy {
        Strategy::Stateful => stateful::search(&mut model, rules, &mut report, nobody),
        Strategy::Random => {
            stateless::random(&mut model, rules, &mut report, options.runs, options.seed);
        }
        _ => stateless::search(&mut model, rules, &mut report, nobody),
    }
    let subject = Subject {
        program,
        options,
        rules,
    };
    subject.answer(&mut model, &report, begin.elapsed())
}

/// What cannot be asked for together, in words.
fn unsupported(options: &ExploreOptions) -> Option<String> {
    if !matches!(options.scheduler, Scheduler::Bag | Scheduler::BoundedBag(_)) {
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
