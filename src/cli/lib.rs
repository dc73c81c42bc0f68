//! The command line: what the user typed, what is done about it, how the answer gets out.
//!
//! [`args`] are the options, and `asking` leads from them to an answer. Programs without a terminal have these two, and ask by
//! [`embedded`]. The rest needs the feature `terminal`: `commands` is the contract, [`main`] the work, a short function for
//! each command.

#![cfg_attr(
    not(feature = "terminal"),
    allow(dead_code, reason = "what only a terminal needs is left in")
)]

pub mod args;
mod asking;
mod belonging;
#[cfg(feature = "terminal")]
mod bundle;
mod c_args;
#[cfg(feature = "terminal")]
mod check;
#[cfg(feature = "terminal")]
#[cfg_attr(not(feature = "cluster"), path = "without_cluster.rs")]
mod cluster;
mod cluster_args;
#[cfg(feature = "terminal")]
mod commands;
mod compile_commands;
mod covers;
#[cfg(feature = "terminal")]
mod dap;
#[cfg(feature = "terminal")]
mod diff;
#[cfg(feature = "terminal")]
mod doctor;
pub mod embedded;
#[cfg(feature = "terminal")]
mod emit;
#[cfg(feature = "terminal")]
mod explain;
mod explore_args;
#[cfg(feature = "terminal")]
mod files;
#[cfg(feature = "terminal")]
mod fmt;
mod help;
#[cfg(feature = "terminal")]
mod input;
#[cfg(feature = "terminal")]
mod job;
mod memory_args;
#[cfg(feature = "terminal")]
mod merge;
#[cfg(feature = "terminal")]
mod native;
mod number_args;
mod option_rules;
#[cfg(feature = "terminal")]
mod output;
#[cfg(feature = "terminal")]
mod pages;
#[cfg(feature = "terminal")]
mod progress;
#[cfg(feature = "terminal")]
mod prove;
#[cfg(feature = "terminal")]
mod replay;
#[cfg(feature = "terminal")]
mod reproduce;
#[cfg(feature = "terminal")]
mod run;
#[cfg(feature = "terminal")]
mod session;
#[cfg(feature = "terminal")]
mod simulate;
mod status;
#[cfg(feature = "terminal")]
mod svcomp;
#[cfg(feature = "terminal")]
mod test;
#[cfg(feature = "terminal")]
mod watchdog;

#[cfg(feature = "terminal")]
pub use self::run::main;
