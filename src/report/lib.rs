//! Answers as people and programs read them: a file for each format.
//!
//! Knows answers, traces and sources; knows no engine and no syntax tree.

mod columns;
pub mod diagnostic;
pub mod execution;
mod fold;
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
use base::source::SourceMap;
use ir::Program;
use trace::Bug;
use trace::Trace;

/// What a report is about.
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
            "replayed {} steps; no error at their end",
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
