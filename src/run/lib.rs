//! Programs as they are: the binary itself runs, under schedules that are chosen here.
//!
//! A library in C (`runtime/`) is loaded into the program and lets one thread run at a time. It alone knows what operations
//! mean; what it logs is remembered by causal past (`model`), so that a search asks few processes for many schedules.

#[cfg(native)]
mod binary;
pub mod cc;
#[cfg(native)]
mod lines;
#[cfg(native)]
mod log;
#[cfg(native)]
mod model;
#[cfg(native)]
mod process;
#[cfg(native)]
mod races;
#[cfg(native)]
mod search;
#[cfg(native)]
mod show;
#[cfg(native)]
mod verdict;

use std::path::PathBuf;
use std::time::Duration;

/// How schedules are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All schedules, one of each Mazurkiewicz trace.
    All,
    /// Schedules with few delays, from so many to so many.
    Delays(u32, u32),
    /// So many at random.
    Random(u64),
    /// So many at random, by priorities that change at this many places.
    Priorities(u64, u32),
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program and its arguments.
    pub program: Vec<String>,
    pub strategy: Strategy,
    pub seed: u64,
    /// Data races are bugs.
    pub races: bool,
    /// An exit status that is not 0 is a bug.
    pub exit_status: bool,
    /// A thread that ends with a lock is a bug.
    pub held_locks: bool,
    pub max_steps: usize,
    pub timeout: Duration,
    /// Variables of the environment, added to the program's.
    pub env: Vec<(String, String)>,
    /// Answer as JSON.
    pub json: bool,
    /// Where a counterexample is written.
    pub trace_out: Option<PathBuf>,
    /// How a trace is shown.
    pub look: report::style::Look,
}

/// An answer: its text, and the exit status that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub text: String,
    pub status: u8,
}

/// Runs the program under schedules.
///
/// # Errors
/// When it cannot be run under control; the reason in words.
#[cfg(native)]
pub fn run(options: &Options) -> Result<Answer, String> {
    verdict::run(options)
}

/// Runs the schedule of a counterexample once more.
///
/// # Errors
/// When the file is no counterexample, or the program has changed.
#[cfg(native)]
pub fn replay(text: &str, look: report::style::Look) -> Result<Answer, String> {
    verdict::replay(text, look)
}

#[cfg(not(native))]
const ELSEWHERE: &str = "`run` is for Linux with the GNU C library on x86-64 or aarch64";

/// Says where programs can be run.
///
/// # Errors
/// Always.
#[cfg(not(native))]
pub fn run(_: &Options) -> Result<Answer, String> {
    Err(ELSEWHERE.into())
}

/// Says where programs can be run.
///
/// # Errors
/// Always.
#[cfg(not(native))]
pub fn replay(_: &str, _: report::style::Look) -> Result<Answer, String> {
    Err(ELSEWHERE.into())
}

/// The runtime as a file, which programs find when they start.
///
/// # Errors
/// When no folder for it can be written.
#[cfg(native)]
pub fn library() -> Result<PathBuf, String> {
    process::library()
}

/// Says where programs can be run.
///
/// # Errors
/// Always.
#[cfg(not(native))]
pub fn library() -> Result<PathBuf, String> {
    Err(ELSEWHERE.into())
}
