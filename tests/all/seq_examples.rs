//! The sequential programs of all examples are programs: in the language itself, and in Boogie.

use std::fs;
use std::path::{Path, PathBuf};

use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::options::Scheduler;
use dbverify::seq::print::{About, emit_boogie, emit_seq};
use dbverify::seq::{Budget, sequentialize};

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/async-programs");
    let files = fs::read_dir(folder).expect("the examples are there");
    let mut files: Vec<_> = files.map(|f| f.expect("a file").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "async"));
    files.sort();
    files
}

fn each(mut f: impl FnMut(&str, &dbverify::Compiled)) {
    for file in examples() {
        let text = fs::read_to_string(&file).expect("text");
        let name = file
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let compiled = compile(&name, &text, &CheckOptions { preempt: None });
        f(&name, &compiled);
    }
}

#[test]
fn what_is_printed_is_read_back() {
    each(|name, compiled| {
        let Some(program) = &compiled.program else {
            return;
        };
        for (delays, scheduler) in [
            (0, Scheduler::DepthFirst),
            (2, Scheduler::DepthFirst),
            (1, Scheduler::ReverseDepthFirst),
        ] {
            let sequential = sequentialize(program, Budget::new(delays, None), scheduler);
            let text = emit_seq(
                &sequential,
                About {
                    file: name,
                    sources: &compiled.sources,
                },
            );
            let again = compile("printed", &text, &CheckOptions { preempt: None });
            assert!(
                again.program.is_some(),
                "{name}, {delays} delays: {:#?}\n{text}",
                again.diagnostics
            );
        }
    });
}

#[test]
fn boogie_is_printed() {
    each(|name, compiled| {
        let Some(program) = &compiled.program else {
            return;
        };
        let sequential = sequentialize(program, Budget::new(2, None), Scheduler::DepthFirst);
        let text = emit_boogie(
            &sequential,
            About {
                file: name,
                sources: &compiled.sources,
            },
            4,
        );
        if let Ok(folder) = std::env::var("SEQ_BOOGIE_DIR") {
            fs::write(Path::new(&folder).join(format!("{name}.bpl")), &text).expect("written");
        }
        assert!(text.contains("procedure main("), "{name}\n{text}");
    });
}
