//! The command line: what the user typed, what is done about it, how the answer gets out.
//!
//! [`args`] are the options, and `asking` leads from them to an answer: that much is there for programs without a terminal
//! too, which ask by [`embedded`]. The rest needs the feature `cli`: `commands` is the contract, [`main`] the work, a short
//! function for each command.

pub mod args;
mod asking;
mod belonging;
#[cfg(feature = "cli")]
mod bundle;
mod c_args;
#[cfg(feature = "cli")]
mod check;
#[cfg(feature = "cli")]
mod cluster;
mod cluster_args;
#[cfg(feature = "cli")]
mod commands;
mod covers;
#[cfg(feature = "cli")]
mod dap;
#[cfg(feature = "cli")]
mod diff;
#[cfg(feature = "cli")]
mod doctor;
pub mod embedded;
#[cfg(feature = "cli")]
mod emit;
#[cfg(feature = "cli")]
mod explain;
mod explore_args;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "cli")]
mod fmt;
mod help;
#[cfg(feature = "cli")]
mod input;
#[cfg(feature = "cli")]
mod job;
#[cfg(feature = "cli")]
mod merge;
mod number_args;
mod option_rules;
#[cfg(feature = "cli")]
mod output;
#[cfg(feature = "cli")]
mod pages;
#[cfg(feature = "cli")]
mod progress;
#[cfg(feature = "cli")]
mod prove;
#[cfg(feature = "cli")]
mod replay;
#[cfg(feature = "cli")]
mod run;
#[cfg(feature = "cli")]
mod session;
#[cfg(feature = "cli")]
mod simulate;
mod status;
#[cfg(feature = "cli")]
mod svcomp;
#[cfg(feature = "cli")]
mod test;
#[cfg(feature = "cli")]
mod watchdog;

#[cfg(feature = "cli")]
pub use run::main;
