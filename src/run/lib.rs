//! Programs as they are: the binary itself runs, under schedules that are chosen here.
//!
//! A library in C (`runtime/`) is loaded into the program and lets one thread run at a time. Only the library knows what
//! operations mean. `model` remembers its logs by causal past, so that a search runs few processes for many schedules.

pub mod cc;
#[cfg_attr(not(native), path = "elsewhere.rs")]
mod native;

use std::path::PathBuf;
use std::time::Duration;

/// How schedules are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All schedules, one of each Mazurkiewicz trace.
    All,
    /// The same, but no more than so many.
    First(u64),
    /// Schedules with few delays. The budget begins with the first number and grows to the second.
    Delays(u32, u32),
    /// This many schedules at random.
    Random(u64),
    /// This many schedules at random, by priorities that change at the second number of places.
    Priorities(u64, u32),
}

/// How an answer looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
    Sarif,
}

/// The question.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program and its arguments.
    pub program: Vec<String>,
    pub strategy: Strategy,
    /// How many random schedules follow at most, if the strategy finds no bug but leaves schedules out. With any, a few of all
    /// traces come before them.
    pub walks: u64,
    pub seed: u64,
    /// Data races are bugs.
    pub races: bool,
    /// An exit status that is not 0 is a bug.
    pub exit_status: bool,
    /// A thread that ends with a lock is a bug.
    pub held_locks: bool,
    /// A thread that polls waits until something changes that it has looked at.
    pub fair: bool,
    pub max_steps: usize,
    pub timeout: Duration,
    /// Variables of the environment, added to the program's.
    pub env: Vec<(String, String)>,
    /// A bound that cuts schedules off makes the answer inconclusive.
    pub require_exhaustive: bool,
    pub format: Format,
    /// The file that is the program's standard input, which is empty without one.
    pub input: Option<PathBuf>,
    /// The files to make beside the answer.
    pub beside: Beside,
    /// How a trace is shown.
    pub look: report::style::Look,
}

/// The files that can be made beside an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// The counterexample as a file.
    pub counterexample: bool,
    /// The page.
    pub page: bool,
    /// The command line that asks, for the page.
    pub command: Option<String>,
}

/// An answer: its text, and the exit status that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub text: String,
    pub status: u8,
    /// The counterexample, if there is one and it was asked for.
    pub counterexample: Option<String>,
    pub page: Option<String>,
}

/// Runs the program under schedules.
///
/// # Errors
/// When it cannot be run under control; the reason in words.
pub fn run(options: &Options) -> Result<Answer, String> {
    native::run(options)
}

/// Runs schedules twice, to see whether equal schedules are equal executions.
///
/// # Errors
/// When the program cannot be run under control.
pub fn check_determinism(options: &Options) -> Result<Answer, String> {
    native::check_determinism(options)
}

/// The schema of counterexamples, and how those of all versions begin.
const SCHEMA: &str = "dbverify-run-trace/1";
const SCHEMAS: &str = "dbverify-run-trace/";

/// Whether a text is a counterexample of a program that ran, maybe of another version.
#[must_use]
pub fn is_counterexample(text: &str) -> bool {
    let json = serde_json::from_str::<serde_json::Value>(text);
    json.is_ok_and(|file| (file["schema"].as_str()).is_some_and(|s| s.starts_with(SCHEMAS)))
}

/// Runs the schedule of a counterexample once more.
///
/// # Errors
/// When the file is no counterexample, or the program has changed.
pub fn replay(
    text: &str,
    look: report::style::Look,
    format: Format,
    beside: Beside,
) -> Result<Answer, String> {
    native::replay(text, look, format, beside)
}

/// Runs the schedule of a counterexample up to its error, and starts a debugger there.
///
/// # Errors
/// When the file is no counterexample, the program has changed, or there is no debugger.
pub fn debug(text: &str) -> Result<(), String> {
    native::debug(text)
}

/// A bug of a program in C that another engine found. The program is to show it without dbverify.
#[derive(Clone, Debug)]
pub struct Reproduction<'a> {
    /// The program's files, as its user names them.
    pub files: &'a [String],
    /// The compiler, as words.
    pub compiler: Vec<String>,
    /// The user's options for the preprocessor.
    pub options: Vec<String>,
    /// The program's arguments.
    pub args: &'a [String],
    /// The kind of the error.
    pub kind: &'a str,
    /// The error shows at one of these places: files with their lines.
    pub places: Vec<(String, u32)>,
    /// The inputs in their order. Each has the thread that asks for it, the function that gives it, and its value.
    pub inputs: Vec<(usize, String, i128)>,
    /// The counterexample chooses other values, too: what the program reads, what the C library gives.
    pub chosen: bool,
    /// Threads may wake up without a signal.
    pub spurious: bool,
    /// The name of the file to be written.
    pub output: &'a str,
    pub timeout: Duration,
}

/// Returns a file in C that makes the program fail each time it runs. The file has been built and run.
///
/// # Errors
/// When the program cannot be made to fail; the reason in words.
pub fn reproduce(asked: &Reproduction<'_>) -> Result<String, String> {
    native::reproduce(asked)
}

/// The runtime as a file, which programs find when they start.
fn library() -> Result<PathBuf, String> {
    native::library()
}
