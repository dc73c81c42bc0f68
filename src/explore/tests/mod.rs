//! The engine against the reference, and against figures computed by hand.

mod agree;
mod bounds;
mod dpor;
pub(in crate::explore) mod generate;
mod given;
mod jobs;
mod lemma1;
mod numbers;
mod objects;
mod races;
#[path = "../../../tests/common/random_program.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random_program;
mod reduction;
mod terms;
mod unchosen;
mod wild;
#[path = "../../../tests/common/wild_globals.rs"]
mod wild_globals;

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
