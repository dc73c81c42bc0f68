//! Passes: a program becomes another one that means what the first one means, with one thing more said in its statements.
//!
//! A file each; `lib.rs` has the list, with the reason why each stands where it stands. Each leaves a valid program. None knows a
//! text or an engine, so each serves every front end.

pub mod cover;
pub mod inputs;
pub mod instance;
pub mod invariants;
pub mod plain_loops;
pub mod points;
pub mod probe;
pub mod unset;

use crate::{Program, validate};

/// Runs a pass. Where debugging is on, what it has made of a valid program is looked at.
///
/// # Panics
/// When it is not valid any more: a defect of ours, which would only show much later.
pub fn run(name: &str, program: &mut Program, pass: impl FnOnce(&mut Program)) {
    let valid = cfg!(debug_assertions) && validate(program).is_ok();
    pass(program);
    if valid && let Err(defect) = validate(program) {
        panic!("the pass `{name}` has made a program that is not valid: {defect}");
    }
}
