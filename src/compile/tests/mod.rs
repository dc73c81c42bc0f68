//! Programs as they are lowered, and complaints about wrong ones, as snapshots.

mod behaviour;
mod claims;
mod complaints;
mod examples;
mod library;
mod lowering;
mod modes;
mod objects;
mod robust;
mod type_params;
mod validate;

use check::CheckOptions;

use super::compile;

use ir::Program;
use options::PreemptMode;
use report::diagnostic;

/// A program in a mode; the test fails with its complaints if it has any errors.
fn program(text: &str, mode: PreemptMode) -> Program {
    let compiled = compile(
        "test.async",
        text,
        &CheckOptions {
            preempt: Some(mode),
        },
    );
    let said = diagnostic::text(&compiled.sources, &compiled.diagnostics, false);
    compiled
        .program
        .unwrap_or_else(|| panic!("the program is refused:\n{said}"))
}

/// The dump of a program without preemption points of its own.
fn lowered(text: &str) -> String {
    program(text, PreemptMode::Yield).to_string()
}

/// The dump of one procedure of a program.
fn proc_of(text: &str, name: &str, mode: PreemptMode) -> String {
    let dump = program(text, mode).to_string();
    let parts = dump.split("\n\n").filter(|p| {
        p.lines()
            .next()
            .is_some_and(|l| l.contains(&format!(" proc {name}(")))
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// The dump of `main` whose body is given, after declarations.
fn body(declarations: &str, statements: &str) -> String {
    let text = format!("{declarations}\nproc main() {{\n{statements}\n}}\n");
    proc_of(&text, "main", PreemptMode::Yield)
}

/// All complaints about a program.
fn said(text: &str) -> String {
    let compiled = compile("test.async", text, &CheckOptions::default());
    diagnostic::text(&compiled.sources, &compiled.diagnostics, false)
}
