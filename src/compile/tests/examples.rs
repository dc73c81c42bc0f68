//! Every example is a program, in every mode that it may have.

use crate::compile;
use check::CheckOptions;

use options::PreemptMode;
use report::diagnostic;

#[test]
fn every_example_is_checked_without_a_complaint() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/async-programs");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "async"));
    files.sort();
    assert!(files.len() > 20, "the examples are gone");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        // A program with interrupt levels is only checked in the first mode: the others refuse it.
        let levels = text.contains(": Processor");
        let modes = [
            PreemptMode::Yield,
            PreemptMode::Statement,
            PreemptMode::Access,
        ];
        for mode in modes.into_iter().take(if levels { 1 } else { 3 }) {
            let compiled = compile(
                "example",
                &text,
                &CheckOptions {
                    preempt: Some(mode),
                },
            );
            let said = diagnostic::text(&compiled.sources, &compiled.diagnostics, false);
            assert!(
                said.is_empty() && compiled.program.is_some(),
                "{} in {mode:?}:\n{said}",
                file.display()
            );
        }
    }
}

#[test]
fn the_programs_of_the_language_reference_are_programs() {
    let page = include_str!("../../../docs/language.md");
    let programs: Vec<&str> = page
        .split("```async\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(programs.len() >= 4, "the examples are gone");
    for text in programs {
        let compiled = compile("docs/language.md", text, &CheckOptions::default());
        let said = diagnostic::text(&compiled.sources, &compiled.diagnostics, false);
        assert!(said.is_empty(), "{said}");
    }
}
