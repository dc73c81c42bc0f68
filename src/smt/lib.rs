//! Deciding sequential programs.
//!
//! [Symbolic execution](exec) unrolls a program without tasks into [terms](term). Each guess is [replaced](guess) by the value
//! that it is compared with. A [SAT solver](sat), [Z3](z3) or [another solver](smtlib) decides the rest.
//!
//! This module knows no tasks and no delays. It passes spans through.

pub mod asking;
pub mod decide;
pub mod encode;
pub mod enumerate;
pub mod exec;
pub mod expr;
pub mod guess;
pub mod guess_intervals;
pub mod layout;
pub mod limit;
pub mod model;
pub mod path;
pub mod sat;
pub mod smtlib;
pub mod solve;
pub mod solvers;
pub mod state;
pub mod store;
pub mod term;
pub mod value;
#[cfg_attr(not(feature = "z3"), path = "without_z3.rs")]
pub mod z3;
