//! What the tests of the explicit engine share.

#![allow(dead_code, reason = "each test file uses some of it")]

use dbverify::answer::Answer;
use dbverify::check::CheckOptions;
use dbverify::ir::Program;
use dbverify::options::ExploreOptions;
use dbverify::symbolic::explore;

/// A program from its text.
pub fn compile(text: &str) -> Program {
    let compiled = dbverify::compile("test.async", text, &CheckOptions::default());
    let said: Vec<_> = compiled.diagnostics.iter().map(|d| &d.message).collect();
    compiled
        .program
        .unwrap_or_else(|| panic!("{said:?}\n{text}"))
}

/// All bugs, all schedules.
pub fn options() -> ExploreOptions {
    ExploreOptions {
        all: true,
        ..ExploreOptions::default()
    }
}

/// The engine's answer about a text.
pub fn answer(text: &str, options: &ExploreOptions) -> Answer {
    explore(&compile(text), options)
}
