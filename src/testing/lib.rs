//! Shared by the tests of several rooms: random programs as text, and the examples.

pub mod generate;
pub mod litmus;
pub mod objects;
pub mod open_values;
pub mod random_program;
mod wild_globals;

use std::path::Path;

/// The models among the examples: the name and the text of each, in the order of the names.
///
/// # Panics
/// When they cannot be read.
#[must_use]
pub fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/async-programs");
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of the examples")
        .map(|entry| entry.expect("an example").path())
        .filter(|path| path.extension().is_some_and(|e| e == "async"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("the text of an example");
            (name.into_owned(), text)
        })
        .collect();
    all.sort();
    all
}
