//! The command line: what the user typed, what is done about it, how the answer gets out.
//!
//! [`args`] is the contract, [`run`] the work, a short function for each command.

pub mod args;
mod diff;
mod doctor;
mod emit;
mod explain;
mod input;
mod output;
mod pages;
mod progress;
mod run;
mod session;

pub use run::main;
