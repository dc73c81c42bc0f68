//! The engine against the reference, and against figures computed by hand.

mod agree;
mod bounds;
mod dpor;
mod gaps;
mod given;
mod jobs;
mod lemma1;
mod numbers;
mod races;
mod reduction;
pub(crate) mod reference;
mod shrink;
pub(crate) mod slow;
mod terms;
mod unchosen;
mod wild;

use answer::Answer;
use base::clock::Instant;
use check::CheckOptions;
use machine::{schedule, values};
use symbolic::explore;

use super::*;

/// A program from its text.
pub(crate) fn compile(name: &str, text: &str) -> Program {
    let compiled = compile::compile(name, text, &CheckOptions::default());
    let errors: Vec<_> = (compiled.diagnostics.iter())
        .map(|d| {
            let line = d.span.map_or(0, |s| compiled.sources.line(s));
            format!("{line}: {}", d.message)
        })
        .collect();
    (compiled.program).unwrap_or_else(|| panic!("{name}: {errors:?}\n{text}"))
}
