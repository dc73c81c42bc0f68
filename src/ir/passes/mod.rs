//! Passes: each makes a program with the same meaning, whose statements say one thing more.
//!
//! Each pass has a file and leaves a valid program. `src/lib.rs` lists the passes in their order,
//! with the reasons for it. No pass knows a text or an engine, so each serves every front end.

pub mod cover;
pub mod inputs;
pub mod instance;
pub mod invariants;
pub mod plain_loops;
pub mod points;
pub mod probe;
pub mod unset;

use crate::{Program, validate};

/// Runs a pass. Debug builds validate the result, if the program was valid before.
///
/// # Panics
/// If the program is not valid any more. That is a defect of ours, which would show much later.
pub fn run(name: &str, program: &mut Program, pass: impl FnOnce(&mut Program)) {
    let valid = cfg!(debug_assertions) && validate(program).is_ok();
    pass(program);
    if valid && let Err(defect) = validate(program) {
        panic!("the pass `{name}` has made a program that is not valid: {defect}");
    }
}
