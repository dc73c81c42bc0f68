//! Answers as people and programs read them: a file for each format.
//!
//! Knows answers, traces and sources; knows no engine and no syntax tree.

mod columns;
pub mod diagnostic;
pub mod execution;
mod fold;
pub mod graph;
pub mod html;
pub mod json;
pub mod kinds;
pub mod lcov;
pub mod lines;
pub mod sarif;
pub mod style;
pub mod text;
pub mod witness;
pub mod words;

use answer::{Answer, Engine, Verdict};
use base::source::{SourceMap, Span};
use ir::{ErrorKind, Program};
use trace::{Bug, Happening, Trace};

/// The subject of a report.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The file as the user named it.
    pub file: &'a str,
    pub sources: &'a SourceMap,
    /// The program, for the names and types of its globals.
    pub program: &'a Program,
    pub answer: &'a Answer,
}

impl Subject<'_> {
    /// The names and written values of a final state's visible globals.
    fn final_state(&self, values: &[ir::Value]) -> Vec<(String, String)> {
        let visible = self.program.globals.iter().filter(|g| g.is_final());
        visible
            .zip(values)
            .map(|(g, v)| (g.name.clone(), v.show(&self.program.types, g.ty)))
            .collect()
    }
}

/// Where a bug is shown: in the user's files, also if the library fails.
///
/// A deadlock is shown at a task that waits, but not one that only waits for the end of another task.
#[must_use]
pub fn shown_at(bug: &Bug, sources: &SourceMap) -> Option<Span> {
    let trace = &bug.trace;
    let waiting = trace.waiting.iter().filter(|w| !w.joins);
    let stuck = waiting
        .min_by_key(|w| w.span)
        .filter(|_| bug.kind == ErrorKind::Deadlock);
    if let Some(stuck) = stuck {
        let own = stuck.span.filter(|&span| sources.is_users(span));
        let before = || lines::users_span(trace, sources, stuck.task, trace.steps.len());
        return own.or_else(before).or(bug.span);
    }
    let span = bug.span?;
    if sources.is_users(span) {
        return Some(span);
    }
    let task = trace.steps.last().map_or(0, |step| step.task);
    let own = lines::users_span(trace, sources, task, trace.steps.len());
    own.or_else(|| asked_for(trace, sources, span))
        .or(Some(span))
}

/// Where the user's text calls the function of the library that allocates at `span`: for the first object that stays.
fn asked_for(trace: &Trace, sources: &SourceMap, span: Span) -> Option<Span> {
    let freed = |pointer: &str| {
        trace.steps.iter().any(|step| match &step.happening {
            Happening::Freed { object } => pointer.starts_with(&format!("&{object}[")),
            _ => false,
        })
    };
    let here = lines::place(sources, span);
    let at = trace.steps.iter().position(|step| {
        let own = step.span.map(|own| lines::place(sources, own));
        let mut stays = step.changed.iter().filter(|change| !freed(&change.value));
        own.as_ref() == Some(&here) && stays.any(|change| change.value.starts_with('&'))
    })?;
    lines::users_span(trace, sources, trace.steps[at].task, at)
}

/// The message of a bug with the condition that fails and the values that it looks at.
#[must_use]
pub fn headline(bug: &Bug) -> String {
    let mut text = bug.message.clone();
    let failing = bug.trace.steps.last();
    let Some((step, what)) = failing.and_then(|step| match &step.happening {
        Happening::Failed { what } => Some((step, what)),
        _ => None,
    }) else {
        return text;
    };
    let unnamed = UNNAMED.contains(&&*text);
    if what.is_empty() || what == "false" || !unnamed && text.contains(what.as_str()) {
        return text;
    }
    let said = format!("{what} is false");
    if unnamed {
        text = said;
    } else {
        text.push_str(&format!(": {said}"));
    }
    let values: Vec<String> = step
        .values
        .iter()
        .map(|(n, v)| format!("{n} = {v}"))
        .collect();
    let says_itself = step.values.iter().all(|(name, _)| name == what);
    if !says_itself {
        text.push_str(&format!(
            " with {}",
            style::cut(&values.join(", "), MOST_VALUES)
        ));
    }
    text
}

/// A bug in a line. If the user wrote a message, the line is that message.
#[must_use]
pub fn message(bug: &Bug) -> String {
    let headline = headline(bug);
    match headline.starts_with(&bug.message) {
        true => bug.message.clone(),
        false => headline,
    }
}

/// The messages of assertions that have none of their own. They say no more than the kind of the bug.
const UNNAMED: [&str; 2] = ["assertion failed", "an assertion fails"];

/// Longer lists of values are cut in a headline.
const MOST_VALUES: usize = 100;

/// A replayed schedule as an answer.
#[must_use]
pub fn replayed(trace: Trace, bug: Option<Bug>) -> Answer {
    let summary = match &bug {
        Some(bug) => format!(
            "replayed {} steps, which end in an error: {}",
            trace.steps.len(),
            bug.kind.name()
        ),
        None => format!(
            "replayed {} steps without an error, which says nothing about other executions",
            trace.steps.len()
        ),
    };
    let verdict = if bug.is_some() {
        Verdict::Bug
    } else {
        Verdict::Safe
    };
    Answer {
        bugs: bug.into_iter().collect(),
        ..Answer::new(Engine::Explicit, verdict, summary)
    }
}
