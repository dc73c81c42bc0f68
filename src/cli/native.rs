//! `dbverify run` and `dbverify cc`: programs as they are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ::run::{Options, Strategy};
use clap::{Args, ValueEnum, ValueHint};

use base::{child, work};
use options::DelayRange;

use super::args::{Color, Format, ReplayArgs};
use super::c_args::CArgs;
use super::help::{BOUNDS, LIMITS, LOOK_FOR, OUTPUT, SEARCH};
use super::memory_args::MemoryArgs;
use super::number_args::{seconds, whole};
use super::status::{INCONCLUSIVE, INTERRUPTED};
use super::{output, watchdog};

/// Options of `run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dbverify cc -- gcc -O1 prog.c -o prog      compile, so that accesses to memory are seen
  dbverify run -- ./prog                     at most 2 delays, then a few of all schedules
  dbverify run --delays any -- ./prog        all schedules
  dbverify run --races -- ./prog             data races are bugs, too
  dbverify run --trace-out bug.json -- ./prog; dbverify replay bug.json")]
pub struct RunArgs {
    /// The program and its arguments
    #[arg(trailing_var_arg = true, required = true, value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<String>,
    /// Most delays, a range that is deepened, or `any` for all schedules [default: 2, then 150 traces of `any`, and 500 random schedules]
    #[arg(long, value_name = "K|A..B|any", help_heading = BOUNDS)]
    pub delays: Option<DelayRange>,
    /// Longest execution followed [default: 10000]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000), help_heading = BOUNDS)]
    pub max_steps: Option<u32>,
    /// A variable of the program's environment
    #[arg(long, value_name = "K=V", value_parser = variable, help_heading = BOUNDS)]
    pub env: Vec<(String, String)>,
    /// The file that is the program's standard input [default: empty]
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = BOUNDS)]
    pub input: Option<PathBuf>,
    /// Exit with status 3 if schedules were left out
    #[arg(long, help_heading = BOUNDS)]
    pub require_exhaustive: bool,
    /// How schedules are chosen
    #[arg(long, value_enum, value_name = "HOW", conflicts_with = "delays", help_heading = SEARCH)]
    pub strategy: Option<How>,
    /// How many random schedules [default: 1000, and 500 without --strategy]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), help_heading = SEARCH)]
    pub runs: Option<u64>,
    /// Seed of random schedules [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), help_heading = SEARCH)]
    pub seed: Option<u64>,
    /// For pct: how many changes of priority [default: 2]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=8), help_heading = SEARCH)]
    pub changes: Option<u32>,
    /// Let a thread that polls wait until something changes that it has read
    #[arg(long, help_heading = SEARCH)]
    pub fair: bool,
    /// Run 20 random schedules twice each, and compare
    #[arg(long, help_heading = SEARCH)]
    pub check_determinism: bool,
    /// Look for data races
    #[arg(long, help_heading = LOOK_FOR)]
    pub races: bool,
    /// Report an exit status that is not 0
    #[arg(long, help_heading = LOOK_FOR)]
    pub exit_status: bool,
    /// Report a thread that ends with a lock
    #[arg(long, help_heading = LOOK_FOR)]
    pub held_locks: bool,
    /// Time limit in seconds
    #[arg(long, value_name = "S", default_value = "300", value_parser = seconds, help_heading = LIMITS)]
    pub timeout: Duration,
    /// How to answer
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = OUTPUT)]
    pub format: Format,
    /// Write the counterexample to a file, for `dbverify replay`
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub trace_out: Option<PathBuf>,
    /// Write the answer as a page for a browser, the counterexample to step through
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
}

/// How schedules are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum How {
    /// All schedules, one of each trace
    Dpor,
    /// At random
    Random,
    /// By random priorities
    Pct,
}

fn variable(text: &str) -> Result<(String, String), String> {
    let split = text.split_once('=').filter(|(key, _)| !key.is_empty());
    let (key, value) = split.ok_or("a variable is NAME=VALUE")?;
    Ok((key.into(), value.into()))
}

/// Options of `cc`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dbverify cc -- gcc -O1 prog.c -o prog
  dbverify cc -- g++ -std=c++17 prog.cpp -o prog
  make CC=\"dbverify cc -- gcc\"")]
pub struct CcArgs {
    /// The compiler and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<String>,
}

/// Runs a program under schedules.
///
/// # Errors
/// When it cannot be run under control; the reason.
pub fn run(args: &RunArgs) -> Result<u8, String> {
    let look = output::look(Color::Never);
    let mut others = vec![(Path::new(&args.program[0]), "the program")];
    others.extend(args.input.iter().map(|path| (path.as_path(), "its input")));
    let files = [
        (args.trace_out.as_deref(), "the file of the trace"),
        (args.html.as_deref(), "the page"),
    ];
    output::check_targets(&files, others)?;
    check_compared(args)?;
    check_random(args)?;
    let options = options(args, look);
    let answer = if args.check_determinism {
        ::run::check_determinism(&options)?
    } else {
        ::run::run(&options)?
    };
    finish(&answer, args.trace_out.as_deref(), args.html.as_deref())
}

/// Refuses options of random schedules where the search makes none.
fn check_random(args: &RunArgs) -> Result<(), String> {
    let random = match args.strategy {
        Some(how) => how != How::Dpor,
        None => args.delays.is_none(),
    };
    let pct = args.strategy == Some(How::Pct);
    let told = [
        (
            args.runs.is_some() && !random,
            "--runs counts random schedules: leave it out, or add --strategy random or pct",
        ),
        (
            args.seed.is_some() && !random,
            "--seed belongs to random schedules: leave it out, or add --strategy random or pct",
        ),
        (
            args.changes.is_some() && !pct,
            "--changes belongs to --strategy pct: add that, or leave out --changes",
        ),
    ];
    match told.into_iter().find(|(wrong, _)| *wrong) {
        Some((_, message)) => Err(message.into()),
        None => Ok(()),
    }
}

/// Refuses options of a search where executions are only compared.
fn check_compared(args: &RunArgs) -> Result<(), String> {
    let given = [
        (args.delays.is_some(), "--delays"),
        (args.strategy.is_some(), "--strategy"),
        (args.runs.is_some(), "--runs"),
        (args.races, "--races"),
        (args.exit_status, "--exit-status"),
        (args.held_locks, "--held-locks"),
        (args.max_steps.is_some(), "--max-steps"),
        (args.require_exhaustive, "--require-exhaustive"),
        (args.trace_out.is_some(), "--trace-out"),
    ];
    match given.into_iter().find(|(given, _)| *given) {
        Some((_, name)) if args.check_determinism => Err(format!(
            "--check-determinism compares executions and searches for nothing: leave out {name}"
        )),
        _ => Ok(()),
    }
}

/// Writes what was asked for, and says the answer.
fn finish(answer: &::run::Answer, trace: Option<&Path>, html: Option<&Path>) -> Result<u8, String> {
    let files = [
        trace.zip(answer.counterexample.as_ref()),
        html.zip(answer.page.as_ref()),
    ];
    for (path, text) in files.into_iter().flatten() {
        output::write_file(path, text)?;
    }
    watchdog::answering();
    output::print(&answer.text);
    Ok(match answer.status {
        INCONCLUSIVE if work::stopping() => INTERRUPTED,
        status => status,
    })
}

const fn format(format: Format) -> ::run::Format {
    match format {
        Format::Text => ::run::Format::Text,
        Format::Json => ::run::Format::Json,
        Format::Sarif => ::run::Format::Sarif,
    }
}

/// Shows a counterexample of `run`, the only file that was named.
///
/// # Errors
/// When it does not fit the program, or there is no debugger.
pub fn replay(args: &ReplayArgs) -> Result<u8, String> {
    let name = args.trace.display();
    let text = std::fs::read_to_string(&args.trace);
    let text = text.map_err(|error| format!("cannot read {name}: {error}"))?;
    let explain = |error| format!("{name}: {error}");
    if args.reproduce.is_some() || args.script.is_some() {
        let message =
            "--reproduce and --script are for a counterexample of a program that was read, not run";
        return Err(message.into());
    }
    let common = &args.common;
    let reads = [
        (common.preempt.is_some(), "--preempt"),
        (common.cover.is_some(), "--cover"),
        (
            common.memory != MemoryArgs::default(),
            "--memory and --buffer",
        ),
        (common.c != CArgs::default(), "an option for C programs"),
    ];
    if let Some((_, what)) = reads.into_iter().find(|(given, _)| *given) {
        return Err(format!("{name} is of a program that ran: leave out {what}"));
    }
    if args.gdb {
        return ::run::debug(&text).map(|()| 0).map_err(explain);
    }
    let look = output::look(args.common.color);
    if let Some(path) = &args.html {
        output::check_target(path, &[(args.trace.as_path(), "the trace")])?;
    }
    let beside = ::run::Beside {
        page: args.html.is_some(),
        command: output::command_line(),
        counterexample: false,
    };
    let format = format(args.common.format);
    let answer = ::run::replay(&text, look, format, beside).map_err(explain)?;
    finish(&answer, None, args.html.as_deref())
}

/// Whether a file is a counterexample of `run`.
pub fn is_counterexample(file: &str) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| ::run::is_counterexample(&text))
}

fn options(args: &RunArgs, look: report::style::Look) -> Options {
    let runs = args.runs.unwrap_or(1000);
    let strategy = match (args.strategy, args.delays) {
        (Some(How::Random), _) => Strategy::Random(runs),
        (Some(How::Pct), _) => Strategy::Priorities(runs, args.changes.unwrap_or(2)),
        (Some(How::Dpor), _) | (None, Some(DelayRange::Any)) => Strategy::All,
        (None, Some(DelayRange::Most(most))) => Strategy::Delays(0, most),
        (None, Some(DelayRange::Deepen(from, to))) => Strategy::Delays(from, to),
        (None, None) => Strategy::Delays(0, 2),
    };
    let walks = match (args.strategy, args.delays) {
        (None, None) => args.runs.unwrap_or(500),
        _ => 0,
    };
    Options {
        program: args.program.clone(),
        strategy,
        walks,
        seed: args.seed.unwrap_or(0),
        races: args.races,
        exit_status: args.exit_status,
        held_locks: args.held_locks,
        fair: args.fair,
        max_steps: args.max_steps.unwrap_or(10_000) as usize,
        timeout: args.timeout,
        env: args.env.clone(),
        require_exhaustive: args.require_exhaustive,
        format: format(args.format),
        input: args.input.clone(),
        beside: ::run::Beside {
            counterexample: args.trace_out.is_some(),
            page: args.html.is_some(),
            command: output::command_line(),
        },
        look,
    }
}

/// Runs a compiler.
///
/// # Errors
/// When it is not known, or cannot be run.
pub fn cc(args: &CcArgs) -> Result<u8, String> {
    let line = ::run::cc::command(&args.command)?;
    let status = child::command(&line[0]).args(&line[1..]).status();
    let status = status.map_err(|error| format!("cannot run {}: {error}", line[0]))?;
    Ok(status.code().map_or(1, |code| code.clamp(0, 255) as u8))
}
