//! The rules for every program. A failure is always a defect of ours.
//!
//! Checked are: ids, types of every expression and statement, that subexpressions come before the
//! expressions that hold them, that `break` and `continue` name a loop around them, that locals are
//! assigned before they are read, that a procedure with a result returns one on every path, and
//! that nothing atomic can be interrupted or wait.

mod exprs;
mod flow;
mod points;
mod stmts;

pub use flow::read_unset;

use super::program::Program;

/// Checks a program.
///
/// # Errors
/// What is wrong, with the place, in words for people who debug passes.
pub fn validate(program: &Program) -> Result<(), String> {
    exprs::check(program)?;
    roots(program)?;
    for (index, proc) in program.procs.iter().enumerate() {
        let within = |e: String| format!("in procedure #{index} `{}`: {e}", proc.name);
        stmts::check(program, proc).map_err(within)?;
        flow::check(program, proc).map_err(within)?;
    }
    points::check(program)
}

/// Returns the program that a pass has made. Debug builds validate it before.
///
/// # Panics
/// If it is not valid. That is a defect of ours, which would show much later.
#[must_use]
pub fn checked(program: Program, pass: &str) -> Program {
    if cfg!(debug_assertions)
        && let Err(defect) = validate(&program)
    {
        panic!("{pass} has made a program that is not valid: {defect}");
    }
    program
}

/// Checks `init`, `main` and `finally`, and that the names of globals are unique.
fn roots(program: &Program) -> Result<(), String> {
    for (id, what) in [
        (Some(program.init), "init"),
        (Some(program.main), "main"),
        (program.finally, "finally"),
    ] {
        let Some(id) = id else { continue };
        match program.procs.get(id.index()) {
            None => return Err(format!("there is no procedure #{} for `{what}`", id.0)),
            Some(proc) if proc.params > 0 => return Err(format!("`{what}` has parameters")),
            Some(_) => {}
        }
    }
    let mut names: Vec<&str> = program.globals.iter().map(|g| g.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|w| w[0] == w[1]) {
        Some(twice) => Err(format!("there are two globals `{}`", twice[0])),
        None => Ok(()),
    }
}
