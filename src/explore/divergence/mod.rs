//! Divergence: interleavings that bring every task equally far and leave different shared states, after
//! Holt, *The One Page Model Checker*, section 6.
//!
//! ```text
//! node (where the program is, and the progress of each task) -> search (by number of steps) -> answer
//! ```
//!
//! Tasks have names that do not depend on the order of posting. Two interleavings are compared only if the user
//! made the same choices for each task. The search runs the slow machine of `semantics`: states contain the
//! progress of tasks, so there is little that a segment could be remembered for.

mod links;
mod names;
mod node;
mod search;
#[cfg(test)]
mod tests;

use answer::{Answer, Cause, NamedBound, Note, Reason};
use base::clock::Instant;
use ir::Program;
use options::{ExploreOptions, Strategy};

use super::outcome::{Bugs, Outcome, limited, shown, too_long};
use super::summary::Schedules;
use super::verdict::refused;
use machine::budget::Budget;
use search::Found;

/// Looks for interleavings that diverge.
pub fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    let begin = Instant::now();
    if let Some(reason) = unsupported(options) {
        return refused(options, reason);
    }
    let found = search::search(program, options);
    let bugs = found.bugs.values();
    let bugs = Bugs::distinct(bugs.map(|schedule| shown(program, options, schedule)));
    let (reason, note) = reason(options, &found);
    let outcome = Outcome {
        options,
        bugs,
        reason,
        left_out: found.left_out,
        too_long: found.cut,
        cut_by: Vec::new(),
        ended: found.ended,
        endless: false,
        notes: Vec::from_iter(note),
        stats: found.counts.figures(begin.elapsed()),
        finals: found.finals,
        bounds: vec![NamedBound::Divergence],
        none: "no bug, no divergence".to_owned(),
        whose: Schedules::Every(String::new()),
        within: String::new(),
    };
    outcome.answer(program)
}

/// Returns why the options do not go together, if they do not.
fn unsupported(options: &ExploreOptions) -> Option<String> {
    let bag = options.scheduler.is_bag();
    let bounded = Budget::of(options).is_bounded();
    let reason = if !bag || bounded {
        "--divergence looks at every order: leave out --scheduler and bounds on it"
    } else if options.strategy != Strategy::Stateful {
        "--divergence has a strategy of its own: leave out --strategy"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

/// Why the search settles nothing, if it found nothing.
fn reason(options: &ExploreOptions, found: &Found) -> (Option<Reason>, Option<Note>) {
    if let Some(limit) = found.limit {
        return (Some(limited(limit, &options.limits)), None);
    }
    if found.cut {
        return (Some(too_long("an execution", options)), None);
    }
    match &found.refused {
        Some((reason, span)) => {
            let here = Note::new("it stops here", *span);
            (Some(Reason::new(Cause::Unheld, reason)), Some(here))
        }
        None => (None, None),
    }
}
