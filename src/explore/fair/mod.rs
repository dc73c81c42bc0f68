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
mod model;
mod priority;
mod report;
mod rules;
mod space;
mod stateful;
mod stateless;
mod tasks;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;

use crate::answer::Answer;
use crate::clock::Instant;
use crate::ir::Program;
use crate::options::{ExploreOptions, Strategy};

use super::verdict::refused;
use super::{Space, prepare};
use answer::Subject;
use model::Model;
use report::Report;
use rules::Rules;
use space::{Programmed, Rows};

/// Looks at the program's executions under fair scheduling.
pub(crate) fn explore(program: &Program, options: &ExploreOptions) -> Answer {
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
    if options.strategy == Strategy::Stateful {
        let model = Programmed::stored(program, space, options);
        run(model, program, options)
    } else {
        run(Programmed::loose(program, space, options), program, options)
    }
}

fn run<R: Rows>(
    mut model: Programmed<'_, R>,
    program: &Program,
    options: &ExploreOptions,
) -> Answer {
    let begin = Instant::now();
    let mut report = Report::new(options);
    let rules = Rules::new(options, options.strategy == Strategy::Stateful);
    let mut seen = Seen::default();
    let mut visit = |state: &R::Id| seen.visit(state);
    search(&mut model, rules, options, &mut report, &mut visit);
    if options.strategy == Strategy::Stateless {
        report.counts.states = seen.count();
    }
    let subject = Subject {
        program,
        options,
        rules,
    };
    subject.answer(&mut model, &report, begin.elapsed())
}

/// The states that a search without a store has visited, as long as they are few.
struct Seen<S>(Option<FxHashSet<S>>);

/// Distinct states are counted up to so many.
const COUNTED: usize = 1 << 20;

impl<S> Default for Seen<S> {
    fn default() -> Self {
        Self(Some(FxHashSet::default()))
    }
}

impl<S: Clone + Eq + std::hash::Hash> Seen<S> {
    fn visit(&mut self, state: &S) {
        let Some(states) = &mut self.0 else {
            return;
        };
        if states.len() == COUNTED {
            self.0 = None;
        } else if !states.contains(state) {
            states.insert(state.clone());
        }
    }

    fn count(&self) -> Option<u64> {
        self.0.as_ref().map(|states| states.len() as u64)
    }
}

/// Searches as the options say; tells the states that it visits.
fn search<M: Model>(
    model: &mut M,
    rules: Rules,
    options: &ExploreOptions,
    report: &mut Report<M::Act>,
    visit: &mut dyn FnMut(&M::State),
) {
    match options.strategy {
        Strategy::Stateful => stateful::search(model, rules, report, visit),
        Strategy::Random => stateless::random(model, rules, report, options.runs, options.seed),
        _ => stateless::search(model, rules, report, visit),
    }
}

/// What cannot be asked for together, in words.
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
