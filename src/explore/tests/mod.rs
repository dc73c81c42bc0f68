//! The engine against the reference, and against figures computed by hand.

mod agree;
mod bounds;
mod dpor;
pub(in crate::explore) mod generate;
mod lemma1;
mod objects;
mod races;
mod unchosen;

use super::*;
use crate::check::CheckOptions;

/// A program from its text.
pub(in crate::explore) fn compile(name: &str, text: &str) -> Program {
    let compiled = crate::compile(name, text, &CheckOptions::default());
    let errors: Vec<_> = (compiled.diagnostics.iter())
        .map(|d| {
            let line = d.span.map_or(0, |s| compiled.sources.line(s));
            format!("{line}: {}", d.message)
        })
        .collect();
    (compiled.program).unwrap_or_else(|| panic!("{name}: {errors:?}\n{text}"))
}
