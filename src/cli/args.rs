//! The options of the commands that ask about a program: what clap reads, and how it becomes the engines' options.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};

use answer::NamedBound;
use options::PreemptMode;
use options::ProveOptions;
use options::{DelayRange, Limits, MOST_DELAYS, Scheduler, VerifyOptions};
use report::style::Steps;

use super::c_args::CArgs;
use super::help::{
    BOUNDS, CHECK_EXAMPLES, EMIT, FMT_EXAMPLES, LIMITS, LOOK_FOR, OUTPUT, PROVE_EXAMPLES,
    REPLAY_EXAMPLES, SEARCH, VERIFY_EXAMPLES,
};
use super::memory_args::MemoryArgs;
use super::number_args::{seconds, whole};

/// Where the program comes from and how to answer.
#[derive(Clone, Debug, Args)]
pub struct CommonArgs {
    /// The program; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: String,
    /// The other files of a program in C, and folders of them
    #[arg(value_name = "MORE", value_hint = ValueHint::AnyPath)]
    pub more: Vec<String>,
    /// Where tasks can be interrupted; wins over the program's own `preempt`
    #[arg(long, value_enum, value_name = "MODE", help_heading = BOUNDS)]
    pub preempt: Option<Preempt>,
    /// Ask only whether the `cover` in this line is reached: covered (exit status 0) or uncovered (1)
    #[arg(long, value_name = "LINE", help_heading = BOUNDS)]
    pub cover: Option<u32>,
    /// How to answer
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = OUTPUT)]
    pub format: Format,
    /// When to use colours; auto: on a terminal that wants them, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub color: Color,
    /// Where the files are that the model uses, if not beside it: for a copy, or standard input
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub modules_from: Option<PathBuf>,
    /// Memory.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// How a C program is read
    #[command(flatten)]
    pub c: CArgs,
    /// Other files that were read for this, and what they are.
    #[arg(skip)]
    pub read: Vec<(PathBuf, &'static str)>,
}

impl CommonArgs {
    /// Returns the files that are named or were read so far, and what they are.
    pub fn inputs(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        let programs = std::iter::once(&self.file).chain(&self.more);
        let programs = programs.filter(|file| *file != "-");
        let list = self.c.compile_commands.iter().map(|list| &list.path);
        let properties = self.c.property.iter();
        let properties = properties.filter_map(|asked| asked.file.as_ref());
        let programs = programs.map(|file| (Path::new(file), "the program"));
        let list = list.map(|file| (Path::new(file), "the list of commands"));
        let properties = properties.map(|file| (Path::new(file), "the property"));
        let others = self.read.iter().map(|(path, what)| (&**path, *what));
        programs.chain(list).chain(properties).chain(others)
    }

    /// Returns the folder of the files that the program uses, if the user names one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.modules_from.as_deref()
    }
}

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceLength {
    /// Every step
    Full,
    /// Fold tasks that run undisturbed, and rounds of a loop
    Short,
}

/// How a trace is shown.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ShownArgs {
    /// Show every step of a trace, or fold it [default: fold a long one]
    #[arg(long = "trace", value_enum, value_name = "HOW", help_heading = OUTPUT)]
    pub trace_length: Option<TraceLength>,
}

impl ShownArgs {
    /// Returns how much of a trace is shown, as reports take it.
    #[must_use]
    pub fn steps(&self) -> Steps {
        match self.trace_length {
            Some(TraceLength::Full) => Steps::Full,
            Some(TraceLength::Short) => Steps::Short,
            None => Steps::Fitting,
        }
    }
}

/// Limits.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Wall-clock limit in seconds; hitting it gives exit status 3
    #[arg(long, value_name = "S", default_value = "300", value_parser = seconds, help_heading = LIMITS)]
    pub timeout: Duration,
}

impl LimitArgs {
    /// Returns the limits, as the engines take them.
    #[must_use]
    pub fn limits(&self, common: &CommonArgs) -> Limits {
        let ordinary = Limits::default();
        Limits {
            timeout: self.timeout,
            memory: common.memory.mib().map_or(ordinary.memory, |mib| mib << 20),
            ..ordinary
        }
    }
}

/// `--preempt`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preempt {
    /// Only at yield, sleep, await, join and operations of objects
    Yield,
    /// Also before every statement that touches a global
    Statement,
    /// Also before every single read and write of a global
    Access,
}

impl From<Preempt> for PreemptMode {
    fn from(mode: Preempt) -> Self {
        match mode {
            Preempt::Yield => Self::Yield,
            Preempt::Statement => Self::Statement,
            Preempt::Access => Self::Access,
        }
    }
}

impl From<PreemptMode> for Preempt {
    fn from(mode: PreemptMode) -> Self {
        match mode {
            PreemptMode::Yield => Self::Yield,
            PreemptMode::Statement => Self::Statement,
            PreemptMode::Access => Self::Access,
        }
    }
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One JSON object, schema dbverify/1; of a program that ran, dbverify-run/1
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// `--color`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that wants them
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `--engine`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// A solver that takes all inputs at once
    Smt,
    /// One execution after the other
    Explicit,
    /// The engines take turns
    Auto,
}

impl From<EngineChoice> for options::EngineChoice {
    fn from(choice: EngineChoice) -> Self {
        match choice {
            EngineChoice::Auto => Self::Auto,
            EngineChoice::Smt => Self::Smt,
            EngineChoice::Explicit => Self::Explicit,
        }
    }
}

/// `--scheduler` of verification
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VerifyScheduler {
    /// Depth-first
    Dfs,
    /// Depth-first, children in reverse order
    Rdfs,
}

impl From<VerifyScheduler> for Scheduler {
    fn from(scheduler: VerifyScheduler) -> Self {
        match scheduler {
            VerifyScheduler::Dfs => Self::DepthFirst,
            VerifyScheduler::Rdfs => Self::ReverseDepthFirst,
        }
    }
}

/// Options of an answer. A translation is no answer, so it has none of these.
const ANSWERED: [&str; 8] = [
    "trace_out",
    "witness",
    "reproduce",
    "html",
    "finals",
    "cross_check",
    "require_exhaustive",
    "trace_length",
];

/// Options of verification.
#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub struct VerifyArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
    /// How a trace is shown.
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Most delays. A range, 0..4, tries one budget after the other; any: all schedules
    #[arg(long, value_name = "K", default_value = "2", help_heading = BOUNDS)]
    pub delays: DelayRange,
    /// How often loops, recursion and chains of tasks are unrolled
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32>(0..=MOST_UNROLLED), help_heading = BOUNDS)]
    pub unroll: u32,
    /// Most rounds for tasks that wait [default: K + 8]
    #[arg(long, value_name = "R", value_parser = whole::<u32>(1..=MOST_DELAYS.into()), help_heading = BOUNDS)]
    pub rounds: Option<u32>,
    /// The deterministic scheduler that delays deviate from
    #[arg(long, value_enum, default_value_t = VerifyScheduler::Dfs, help_heading = BOUNDS)]
    pub scheduler: VerifyScheduler,
    /// Which engine decides the same question [default: auto]
    #[arg(long, value_enum, help_heading = SEARCH)]
    pub engine: Option<EngineChoice>,
    /// Run both engines and report a disagreement as a bug of dbverify
    #[arg(long, help_heading = SEARCH)]
    pub cross_check: bool,
    /// Let another SMT-LIB 2 solver decide, e.g. "cvc5 --lang smt2"
    #[arg(long, value_name = "CMD", help_heading = SEARCH)]
    pub solver: Option<String>,
    /// Print the sequentialized program as .async and stop
    #[arg(long, group = "emit", conflicts_with_all = ANSWERED, help_heading = EMIT)]
    pub emit_seq: bool,
    /// Print the sequentialized program as Boogie and stop
    #[arg(long, group = "emit", conflicts_with_all = ANSWERED, help_heading = EMIT)]
    pub emit_boogie: bool,
    /// Print the verification condition as SMT-LIB 2 and stop
    #[arg(long, group = "emit", conflicts_with_all = ANSWERED, help_heading = EMIT)]
    pub emit_smt: bool,
    /// Print the reachable final states
    #[arg(long, help_heading = LOOK_FOR)]
    pub finals: bool,
    /// Exit with status 3 if another bound than the budget cut a verdict without a bug
    #[arg(long, help_heading = BOUNDS)]
    pub require_exhaustive: bool,
    /// Write the counterexample to a file, for `dbverify replay`
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub trace_out: Option<PathBuf>,
    /// Write the counterexample of a C program as an SV-COMP witness (F.graphml or F.yml)
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub witness: Option<PathBuf>,
    /// Write the counterexample of a C program as a file F.c with which the program fails each time
    #[arg(long, value_name = "F.c", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub reproduce: Option<PathBuf>,
    /// Write the answer as a page for a browser
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl VerifyArgs {
    /// The bounds as they are asked for.
    #[must_use]
    pub fn bounds(&self) -> Vec<NamedBound> {
        vec![
            NamedBound::Delays(self.delays.budgets().map(|b| b.1)),
            NamedBound::Unroll(Some(self.unroll)),
            NamedBound::Scheduler(self.scheduler.into()),
        ]
    }

    /// Returns the options, as the engine takes them.
    #[must_use]
    pub fn options(&self) -> VerifyOptions {
        let (from, to) = self.delays.budgets().unwrap_or_default();
        VerifyOptions {
            delays_from: from,
            delays_to: to,
            deepen: matches!(self.delays, DelayRange::Deepen(..)),
            any_delays: self.delays == DelayRange::Any,
            unroll: self.unroll,
            rounds: self.rounds,
            engine: self.engine.unwrap_or(EngineChoice::Auto).into(),
            cross_check: self.cross_check,
            require_exhaustive: self.require_exhaustive,
            scheduler: self.scheduler.into(),
            finals: self.finals,
            races: self.common.c.asks_about_races(),
            solver: self.solver.clone(),
            limits: self.limits.limits(&self.common),
        }
    }
}

/// Options of `prove`.
#[derive(Debug, Args)]
#[command(after_help = PROVE_EXAMPLES)]
pub struct ProveArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
    /// How a trace is shown.
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Also prove that no two tasks race
    #[arg(long, help_heading = SEARCH)]
    pub races: bool,
    /// Print the invariant
    #[arg(long, help_heading = OUTPUT)]
    pub invariant: bool,
    /// Write the check of the invariant as SMT-LIB 2; a solver must answer unsat everywhere
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub certificate: Option<PathBuf>,
    /// Let another SMT-LIB 2 solver check the invariant too, e.g. "cvc5 --lang smt2"
    #[arg(long, value_name = "z3|CMD", help_heading = SEARCH)]
    pub solver: Option<String>,
    /// Write the counterexample to a file, for `dbverify replay`
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub trace_out: Option<PathBuf>,
    /// Write the answer as a page for a browser
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl ProveArgs {
    /// Returns the options, as the engine takes them.
    #[must_use]
    pub fn options(&self) -> ProveOptions {
        ProveOptions {
            solver: self.solver.clone().filter(|command| command != "z3"),
            // A page has room for the invariant.
            invariant: self.invariant || self.html.is_some(),
            races: self.races,
            steps: None,
            limits: self.limits.limits(&self.common),
        }
    }
}

/// Options of `replay`.
#[derive(Debug, Args)]
#[command(
    after_help = REPLAY_EXAMPLES,
    override_usage = "dbverify replay [OPTIONS] <FILE>... <TRACE>"
)]
pub struct ReplayArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
    /// The counterexample that --trace-out wrote: the last of the files.
    #[arg(skip)]
    pub trace: PathBuf,
    /// A second counterexample, for a page that shows both.
    #[arg(skip)]
    pub other: Option<PathBuf>,
    /// Whether the counterexample is of a program that ran.
    #[arg(skip)]
    pub native: bool,
    /// Start gdb at the error, for a counterexample of `run`
    #[arg(long)]
    pub gdb: bool,
    /// Read the commands from a file, a line each; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["html", "reproduce"])]
    pub script: Option<PathBuf>,
    /// Write the counterexample of a C program as a file F.c with which the program fails each time
    #[arg(long, value_name = "F.c", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub reproduce: Option<PathBuf>,
    /// Print the whole trace, without a prompt
    #[arg(long, conflicts_with = "script")]
    pub print: bool,
    /// Write it as a page for a browser
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
}

/// Options of `check`.
#[derive(Clone, Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Programs and folders; - is standard input
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub files: Vec<String>,
    /// Where tasks can be interrupted; wins over the programs' own `preempt`
    #[arg(long, value_enum, value_name = "MODE", help_heading = BOUNDS)]
    pub preempt: Option<Preempt>,
    /// How to answer
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = OUTPUT)]
    pub format: Format,
    /// When to use colours; auto: on a terminal that wants them, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub color: Color,
    /// Where the files are that the models use, if not beside them: for copies, or standard input
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub modules_from: Option<PathBuf>,
    /// Memory.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// How C programs are read
    #[command(flatten)]
    pub c: CArgs,
}

/// Options of `fmt`.
#[derive(Debug, Args)]
#[command(after_help = FMT_EXAMPLES)]
pub struct FmtArgs {
    /// Programs and folders; - is standard input
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub files: Vec<String>,
    /// Only print the names of files that would change; exit with status 1 if there is one
    #[arg(long)]
    pub check: bool,
    /// Rewrite the files instead of printing them
    #[arg(long, conflicts_with = "check")]
    pub write: bool,
}

/// The most unrollings that a user may ask for.
pub const MOST_UNROLLED: u64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_delays() {
        let read = |text: &str| text.parse::<DelayRange>();
        assert_eq!(read("3"), Ok(DelayRange::Most(3)));
        assert_eq!(read(" any "), Ok(DelayRange::Any));
        assert_eq!(read("0..4"), Ok(DelayRange::Deepen(0, 4)));
        assert_eq!(read(" 2 .. 3"), Ok(DelayRange::Deepen(2, 3)));
        for wrong in ["", "-1", "4..0", "x", "1...3", "1001", "99999999999", "1.5"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
