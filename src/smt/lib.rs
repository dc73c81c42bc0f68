//! Deciding sequential programs.
//!
//! A program without tasks is unrolled and [executed symbolically](exec) into
//! [terms](term), guesses are [defined](guess) by what they are compared with, and what is left is decided by a
//! [SAT solver](sat) or by [Z3](z3).
//!
//! This module knows no tasks and no delays; spans it passes through.

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
