//! The command line: what the user typed, what is done about it, how the answer gets out.
//!
//! [`args`] is the contract, [`run`] the work, a short function for each command.

pub mod args;
mod belonging;
mod diff;
mod doctor;
mod emit;
mod explain;
mod explore_args;
mod fitting;
mod help;
mod input;
mod job;
mod numbers;
mod output;
mod pages;
mod progress;
mod replay;
mod run;
mod session;
mod status;
mod watchdog;

pub use run::main;
