//! The command line: what the user typed, what is done about it, how the answer gets out.
//!
//! [`args`] is the contract, [`run`] the work, a short function for each command.

pub mod args;
mod belonging;
mod bundle;
mod c_args;
mod check;
mod cluster;
mod covers;
mod dap;
mod diff;
mod doctor;
mod emit;
mod explain;
mod explore_args;
mod files;
mod fmt;
mod help;
mod input;
mod job;
mod merge;
mod number_args;
mod option_rules;
mod output;
mod pages;
mod progress;
mod prove;
mod replay;
mod run;
mod session;
mod simulate;
mod status;
mod svcomp;
mod test;
mod watchdog;

pub use run::main;
