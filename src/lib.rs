//! A verifier for asynchronous programs.
//!
//! A program posts tasks, tasks run until they yield or are interrupted, and the bugs hide
//! in the orders that nobody thought of. This crate looks for them.

pub mod answer;
pub mod ast;
pub mod cli;
pub mod diagnostic;
pub mod explore;
pub mod ir;
pub mod options;
pub mod report;
pub mod source;
pub mod stack;
pub mod trace;
pub mod z3_version;
