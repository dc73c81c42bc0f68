//! Deciding sequential programs.
//!
//! A program without tasks is unrolled and [executed symbolically](exec) into
//! [terms](term), guesses are [defined](guess) by what they are compared with, and what is left is decided by a
//! [SAT solver](sat) or by [Z3](z3).
//!
//! This module knows no tasks and no delays; spans it passes through.

mod asking;
mod bounds;
pub mod decide;
pub mod encode;
pub mod exec;
pub mod extent;
pub mod guess;
pub mod layout;
pub mod limit;
mod model;
mod path;
pub mod sat;
pub mod smtlib;
pub mod solve;
mod solvers;
mod state;
pub mod term;
mod value;
pub mod z3;

use crate::ir::{Place, ProcId, Program, Root};

/// The name of the hidden local variable by which a program asks whether an engine unrolls no further.
/// No variable of a user has a blank in its name.
pub const PROBE: &str = "unroll limit";

/// The name of the hidden local that a place is, if it is a whole one.
fn probe_of<'p>(program: &'p Program, proc: Option<ProcId>, place: &Place) -> Option<&'p str> {
    let Root::Local(local) = place.root else {
        return None;
    };
    let local = &program.proc(proc?).locals[local.index()];
    (local.hidden && place.path.is_empty()).then_some(local.name.as_str())
}
