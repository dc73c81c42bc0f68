//! The command line as data: what clap reads, and how it becomes the engines' options.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};

use crate::ir::PreemptMode;
use crate::options::{ExploreOptions, Limits, Scheduler, Strategy, VerifyOptions};
use crate::suggest::closest;

use super::emit::EmitArgs;
use super::pages::{CompletionsArgs, ManArgs};

// Headings of the help.
const OUTPUT: &str = "Answer";
const LIMITS: &str = "Limits";
const BOUNDS: &str = "Bounds";
const SEARCH: &str = "Search";
const LOOK_FOR: &str = "What to look for";
const EMIT: &str = "Translations: print one and stop";

const AFTER_HELP: &str = "\
A file where a command could stand is verified; a file named - is standard input:

  dbverify driver.async --delays 2          is there a bug within two delays?
  dbverify driver.async --delays 0..4       deepen until there is one, or until none can be left
  dbverify driver.async --html bug.html     the same, as a page to step through
  dbverify explore driver.async --all       run every schedule of a closed program
  dbverify driver.async --emit-boogie       what is decided, as Boogie
  dbverify explain deadlock                 what an error means, with a program that has it

`dbverify help COMMAND` lists the options of a command, those of `dbverify FILE` under `verify`.

Exit status: 0 no bug within the stated bounds, 1 a bug, 2 wrong input or command line,
3 inconclusive (time, memory, or the solver gave up), 130 interrupted by Ctrl-C.";

const VERIFY_EXAMPLES: &str = "\
Examples:
  dbverify driver.async                            two delays, four unrollings
  dbverify driver.async --delays 0..4 --unroll 8   deepen; longer loops
  dbverify driver.async --trace-out bug.json       keep the counterexample for `dbverify replay`
  dbverify driver.async --format sarif             for code scanning
  dbverify driver.async --emit-seq | dbverify -    the sequential program is a program

What the bounds in an answer mean: docs/verdicts.md. How deadlocks, races and endless loops are found: `dbverify help explore`.";

const EXPLORE_EXAMPLES: &str = "\
Examples:
  dbverify explore locks.async                     every schedule; deadlocks too
  dbverify explore locks.async --strategy dpor     the same, one execution of each trace
  dbverify explore locks.async --races             data races
  dbverify explore server.async --fair             endless executions
  dbverify explore big.async --preemptions 2       at most two preemptions
  dbverify explore big.async --strategy random --runs 100000 --seed 7

Values that the program leaves open (`*`) are tried one by one; verification with the solver takes them all at once.";

const REPLAY_EXAMPLES: &str = "\
Without a prompt the whole trace is shown. At a terminal, or with commands from a pipe or --script, it is walked through:

  step, back [N]      one step or N, forwards or backwards      goto N     to the moment after step N
  next, previous      to the next or last switch of task        where      say again where we are
  break LINE          break on a line                           watch X    break where X changes
  continue, reverse   to the next break, to the last one        delete N   forget a break
  print [NAME]        values: x, a[2], r.field, proc.local      globals, locals [TASK], tasks
  list [LINE]         the source                                trace, help, quit

Examples:
  dbverify driver.async --trace-out bug.json; dbverify replay driver.async bug.json
  printf 'watch count\\ncontinue\\nprint\\n' | dbverify replay driver.async bug.json
  dbverify replay driver.async bug.json --html bug.html

A program that has changed since the trace was written is refused, with what has changed.";

const CHECK_EXAMPLES: &str = "\
Examples:
  dbverify check driver.async
  dbverify check driver.async --format json     diagnostics as data: docs/schema/diagnostics.json";

const FMT_EXAMPLES: &str = "\
Examples:
  dbverify fmt driver.async           print it
  dbverify fmt driver.async --write   rewrite it
  dbverify fmt driver.async --check   exit status 1 if it would change";

/// A verifier for asynchronous and preemptive programs.
#[derive(Debug, Parser)]
#[command(name = "dbverify", version, after_help = AFTER_HELP)]
#[command(
    override_usage = "dbverify <FILE> [OPTIONS]\n       dbverify <COMMAND> [OPTIONS]",
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads a command line; a file where a command could stand is verified.
    ///
    /// # Errors
    /// What clap says of a wrong one; its help and version too.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        let first = args.get(1).and_then(|a| a.to_str());
        let names = Self::command()
            .get_subcommands()
            .map(|c| c.get_name().to_owned())
            .collect::<Vec<_>>();
        let own = |a: &str| {
            matches!(a, "help" | "-h" | "--help" | "-V" | "--version")
                || names.iter().any(|n| n == a)
        };
        if args.len() > 1 && !first.is_some_and(own) {
            if let Some(wrong) = first.filter(|a| !a.starts_with('-') && !Path::new(a).exists())
                && let Some(near) = closest(wrong, names.iter().map(String::as_str))
            {
                let message =
                    format!("there is no command or file `{wrong}`; did you mean `{near}`?\n");
                return Err(Self::command().error(ErrorKind::InvalidSubcommand, message));
            }
            args.insert(1, "verify".into());
        }
        Self::try_parse_from(args)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide within a delay budget: the sequentialization, unrolled, decided by Z3 (the default command)
    Verify(VerifyArgs),
    /// Run the schedules of a closed program one by one
    Explore(ExploreArgs),
    /// Walk through a counterexample step by step
    Replay(ReplayArgs),
    /// Parse and type-check
    Check(CheckArgs),
    /// Print in the standard format
    Fmt(FmtArgs),
    /// Serve an editor: the language server protocol on standard input and output
    Lsp(LspArgs),
    /// Keep translations in a folder: write them, or compare them with what is there
    Emit(EmitArgs),
    /// Say what a kind of error means, with a program that has it
    Explain(ExplainArgs),
    /// Print the script that completes command lines in a shell
    Completions(CompletionsArgs),
    /// Print a manual page
    Man(ManArgs),
    /// Check the installation: the solver, and tools that are of use
    Doctor,
}

/// Where the program comes from and how to answer.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// The program; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Where tasks can be interrupted; overrides the program's own `preempt`
    #[arg(long, value_enum, value_name = "MODE", help_heading = BOUNDS)]
    pub preempt: Option<Preempt>,
    /// How to answer
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = OUTPUT)]
    pub format: Format,
    /// Colours: on a terminal unless NO_COLOR is set, always, or never
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub color: Color,
}

/// Limits.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Wall-clock limit in seconds; hitting it gives exit status 3
    #[arg(long, value_name = "S", default_value = "300", value_parser = seconds, help_heading = LIMITS)]
    pub timeout: Duration,
    /// Memory limit in MiB; hitting it gives exit status 3
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 40), help_heading = LIMITS)]
    pub memory: u64,
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout,
            memory: self.memory << 20,
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

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One JSON object, schema dbverify/1
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
    /// Sequentialization and Z3
    Smt,
    /// The explicit machine under the same scheduler and delay budget
    Explicit,
    /// Decide from the program: explicit if it is closed and finite, else smt
    Auto,
}

/// `--scheduler` of verification
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VerifyScheduler {
    /// Depth-first
    Dfs,
    /// Depth-first, children in reverse order
    Rdfs,
}

/// `--scheduler` of exploration
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExploreScheduler {
    /// Any pending task
    Bag,
    /// Any pending task, at most --copies equal ones
    BoundedBag,
    /// Round-robin
    Rr,
    /// Depth-first
    Dfs,
    /// Depth-first, children in reverse order
    Rdfs,
}

/// `--strategy`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExploreStrategy {
    /// Remember visited states
    Stateful,
    /// Every schedule
    Stateless,
    /// One schedule of each Mazurkiewicz trace
    Dpor,
    /// Random walks
    Random,
    /// Random walks with priorities
    Pct,
}

/// Options of verification.
#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub struct VerifyArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Delay budget K, or a range 0..4: deepen until a bug is found or no execution uses up the budget
    #[arg(long, value_name = "K", default_value = "2", value_parser = delay_range, help_heading = BOUNDS)]
    pub delays: DelayRange,
    /// How often loops, recursion and chains of tasks are unrolled
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=1_000_000), help_heading = BOUNDS)]
    pub unroll: u32,
    /// The deterministic scheduler that delays deviate from
    #[arg(long, value_enum, default_value_t = VerifyScheduler::Dfs, help_heading = BOUNDS)]
    pub scheduler: VerifyScheduler,
    /// Which engine decides
    #[arg(long, value_enum, default_value_t = EngineChoice::Smt, help_heading = SEARCH)]
    pub engine: EngineChoice,
    /// Run both engines and report a disagreement as a bug of dbverify
    #[arg(long, help_heading = SEARCH)]
    pub cross_check: bool,
    /// Let this SMT-LIB 2 solver decide (it reads standard input), e.g. "cvc5 --lang smt2"
    #[arg(long, value_name = "CMD", help_heading = SEARCH)]
    pub solver: Option<String>,
    /// Print the sequentialized program as .async and stop
    #[arg(long, group = "emit", help_heading = EMIT)]
    pub emit_seq: bool,
    /// Print the sequentialized program as Boogie and stop
    #[arg(long, group = "emit", help_heading = EMIT)]
    pub emit_boogie: bool,
    /// Print the verification condition as SMT-LIB 2 and stop
    #[arg(long, group = "emit", help_heading = EMIT)]
    pub emit_smt: bool,
    /// Print the set of reachable final global states
    #[arg(long, help_heading = LOOK_FOR)]
    pub finals: bool,
    /// Write the counterexample to a file
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub trace_out: Option<PathBuf>,
    /// Write the answer as a page for a browser: tasks, steps, source, values
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl VerifyArgs {
    /// As the engine takes them.
    #[must_use]
    pub fn options(&self) -> VerifyOptions {
        VerifyOptions {
            delays_from: self.delays.from,
            delays_to: self.delays.to,
            deepen: self.delays.deepen,
            unroll: self.unroll,
            scheduler: match self.scheduler {
                VerifyScheduler::Dfs => Scheduler::DepthFirst,
                VerifyScheduler::Rdfs => Scheduler::ReverseDepthFirst,
            },
            finals: self.finals,
            solver: self.solver.clone(),
            limits: self.limits.limits(),
        }
    }
}

/// Options of exploration.
#[derive(Debug, Args)]
#[command(after_help = EXPLORE_EXAMPLES)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct ExploreArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Delay budget of dfs, rdfs and rr; without it all schedules
    #[arg(long, value_name = "K", help_heading = BOUNDS)]
    pub delays: Option<u32>,
    /// Who may run next [default: bag; dfs if --delays is given]
    #[arg(long, value_enum, help_heading = BOUNDS)]
    pub scheduler: Option<ExploreScheduler>,
    /// Copies of one task that bounded-bag keeps
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = BOUNDS)]
    pub copies: u32,
    /// Preemption bound (with bag)
    #[arg(long, value_name = "P", help_heading = BOUNDS)]
    pub preemptions: Option<u32>,
    /// Context-switch bound (with bag)
    #[arg(long, value_name = "C", help_heading = BOUNDS)]
    pub switches: Option<u32>,
    /// Which of the choices are explored [default: stateful; dpor if --races is given]
    #[arg(long, value_enum, help_heading = SEARCH)]
    pub strategy: Option<ExploreStrategy>,
    /// Seed of random walks
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = SEARCH)]
    pub seed: u64,
    /// Number of random walks
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = SEARCH)]
    pub runs: u64,
    /// Depth of pct: one more than the number of priority changes
    #[arg(long, value_name = "D", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..), help_heading = SEARCH)]
    pub depth: u32,
    /// The fair scheduler; reports livelocks and good-samaritan violations
    #[arg(long, help_heading = LOOK_FOR)]
    pub fair: bool,
    /// Report data races
    #[arg(long, help_heading = LOOK_FOR)]
    pub races: bool,
    /// Report interleavings of equal progress that leave different shared states
    #[arg(long, help_heading = LOOK_FOR)]
    pub divergence: bool,
    /// Longest execution followed, in visible steps
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = BOUNDS)]
    pub max_steps: u64,
    /// Go on after the first bug; list the distinct ones
    #[arg(long, help_heading = LOOK_FOR)]
    pub all: bool,
    /// Find a shortest counterexample
    #[arg(long, help_heading = SEARCH)]
    pub shortest: bool,
    /// Store only a hash of so many bits of each state (said in the verdict)
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(32..=64), help_heading = SEARCH)]
    pub compact: Option<u32>,
    /// Print the set of reachable final global states
    #[arg(long, help_heading = LOOK_FOR)]
    pub finals: bool,
    /// Worker threads; verdict and counts do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = SEARCH)]
    pub jobs: u32,
    /// Write the counterexample to a file
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub trace_out: Option<PathBuf>,
    /// Write the answer as a page for a browser: tasks, steps, source, values
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl ExploreArgs {
    /// As the engine takes them.
    ///
    /// # Errors
    /// When options contradict each other.
    pub fn options(&self, progress: bool) -> Result<ExploreOptions, String> {
        let scheduler = match (self.scheduler, self.delays) {
            (None, None) | (Some(ExploreScheduler::Bag), None) => Scheduler::Bag,
            (Some(ExploreScheduler::BoundedBag), None) => Scheduler::BoundedBag(self.copies),
            (None, Some(_)) | (Some(ExploreScheduler::Dfs), _) => Scheduler::DepthFirst,
            (Some(ExploreScheduler::Rdfs), _) => Scheduler::ReverseDepthFirst,
            (Some(ExploreScheduler::Rr), _) => Scheduler::RoundRobin,
            (Some(ExploreScheduler::Bag | ExploreScheduler::BoundedBag), Some(_)) => {
                return Err(
                    "--delays needs a deterministic scheduler: --scheduler dfs, rdfs or rr"
                        .to_owned(),
                );
            }
        };
        if scheduler != Scheduler::Bag && (self.preemptions.is_some() || self.switches.is_some()) {
            return Err("--preemptions and --switches bound the bag scheduler: leave out --scheduler and --delays".to_owned());
        }
        let strategy = match self.strategy {
            None if self.races => Strategy::Dpor,
            None | Some(ExploreStrategy::Stateful) => Strategy::Stateful,
            Some(ExploreStrategy::Stateless) => Strategy::Stateless,
            Some(ExploreStrategy::Dpor) => Strategy::Dpor,
            Some(ExploreStrategy::Random) => Strategy::Random,
            Some(ExploreStrategy::Pct) => Strategy::Pct,
        };
        if self.races && strategy != Strategy::Dpor {
            return Err("--races needs one execution of each trace: leave out --strategy, or say --strategy dpor".to_owned());
        }
        if strategy == Strategy::Dpor {
            self.check_reduced(scheduler)?;
        }
        self.check_combination(scheduler, strategy)?;
        Ok(ExploreOptions {
            scheduler,
            strategy,
            delays: self.delays,
            preemptions: self.preemptions,
            switches: self.switches,
            max_steps: self.max_steps,
            all: self.all,
            finals: self.finals,
            shortest: self.shortest,
            compact: self.compact,
            jobs: self.jobs as usize,
            seed: self.seed,
            runs: self.runs,
            depth: self.depth,
            fair: self.fair,
            races: self.races,
            divergence: self.divergence,
            progress,
            limits: self.limits.limits(),
        })
    }

    /// What `--strategy dpor` goes with: executions of one trace are the same only if nothing but the program tells
    /// them apart.
    fn check_reduced(&self, scheduler: Scheduler) -> Result<(), String> {
        let bounds = [
            (self.preemptions.is_some(), "--preemptions"),
            (self.switches.is_some(), "--switches"),
            (self.delays.is_some(), "--delays"),
        ];
        if let Some((_, bound)) = bounds.iter().find(|(given, _)| *given) {
            return Err(format!(
                "--strategy dpor does not go with {bound}: of two orders that come to the same, the budget may allow only one"
            ));
        }
        if scheduler != Scheduler::Bag {
            return Err("--strategy dpor needs the bag, in which tasks run in any order: leave out --scheduler".to_owned());
        }
        let others = [
            (self.shortest, "--shortest"),
            (self.compact.is_some(), "--compact"),
        ];
        match others.iter().find(|(given, _)| *given) {
            Some((_, other)) => Err(format!(
                "{other} goes with --strategy stateful, not with dpor"
            )),
            None => Ok(()),
        }
    }

    /// What `--fair` and `--divergence` go with.
    fn check_combination(&self, scheduler: Scheduler, strategy: Strategy) -> Result<(), String> {
        let switches = [
            (self.fair, "--fair"),
            (self.divergence, "--divergence"),
            (self.races, "--races"),
        ];
        let mut asked = switches
            .into_iter()
            .filter_map(|(on, name)| on.then_some(name));
        if let (Some(one), Some(other)) = (asked.next(), asked.next()) {
            return Err(format!("{one} and {other} do not go together: ask twice"));
        }
        let switch = match (self.fair, self.divergence) {
            (false, false) => return Ok(()),
            (true, _) => "--fair",
            (_, true) => "--divergence",
        };
        if self.compact.is_some() {
            return Err(format!(
                "{switch} tells states apart by all of their bits: leave out --compact"
            ));
        }
        if !matches!(scheduler, Scheduler::Bag | Scheduler::BoundedBag(_)) {
            return Err(format!(
                "{switch} looks at the schedules of the bag: leave out --scheduler and --delays"
            ));
        }
        let fits = match strategy {
            Strategy::Stateful => true,
            Strategy::Stateless | Strategy::Random => self.fair,
            Strategy::Dpor | Strategy::Pct => false,
        };
        if !fits && self.fair {
            return Err("--fair goes with --strategy stateful, stateless or random".to_owned());
        }
        if !fits {
            return Err("--divergence has a strategy of its own: leave out --strategy".to_owned());
        }
        if self.divergence && (self.preemptions.is_some() || self.switches.is_some()) {
            return Err(
                "--divergence looks at every order: leave out --preemptions and --switches"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// Options of `replay`.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub struct ReplayArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
    /// The counterexample that --trace-out wrote
    #[arg(value_hint = ValueHint::FilePath)]
    pub trace: PathBuf,
    /// Take the commands of the session from a file, a line each; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub script: Option<PathBuf>,
    /// Print the whole trace, without a prompt
    #[arg(long, conflicts_with = "script")]
    pub print: bool,
    /// Write it as a page for a browser: tasks, steps, source, values
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
}

/// Options of `check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Options of `fmt`.
#[derive(Debug, Args)]
#[command(after_help = FMT_EXAMPLES)]
pub struct FmtArgs {
    /// The program; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Print nothing; exit with status 1 if the file is not in the standard format
    #[arg(long)]
    pub check: bool,
    /// Rewrite the file instead of printing it
    #[arg(long, conflicts_with = "check")]
    pub write: bool,
}

/// Options of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dbverify explain                     all kinds
  dbverify explain race                what a race is, and what to do about it
  dbverify explain race --example | dbverify explore - --races")]
pub struct ExplainArgs {
    /// The kind, as answers name it; without it all are listed
    pub kind: Option<String>,
    /// Print only the program that shows it
    #[arg(long, requires = "kind")]
    pub example: bool,
}

/// Options of `lsp`.
#[derive(Debug, Args)]
pub struct LspArgs {
    /// Accepted because editors pass it; there is no other way
    #[arg(long)]
    pub stdio: bool,
}

/// `--delays` of verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayRange {
    /// Least budget.
    pub from: u32,
    /// Greatest budget.
    pub to: u32,
    /// Whether a range was written.
    pub deepen: bool,
}

/// More rounds than this make no program that a solver could decide.
const MOST_DELAYS: u32 = 1000;

fn delay_range(text: &str) -> Result<DelayRange, String> {
    let number = |t: &str| {
        t.trim().parse::<u32>().ok().filter(|&n| n <= MOST_DELAYS).ok_or_else(|| {
            format!("`{t}` is not a number from 0 to {MOST_DELAYS}; write a budget like 2 or a range like 0..4")
        })
    };
    let Some((from, to)) = text.split_once("..") else {
        let k = number(text)?;
        return Ok(DelayRange {
            from: k,
            to: k,
            deepen: false,
        });
    };
    let (from, to) = (number(from)?, number(to)?);
    if from > to {
        return Err(format!("the range {from}..{to} is empty"));
    }
    Ok(DelayRange {
        from,
        to,
        deepen: true,
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|s| *s > 0.0)
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| "not a positive number of seconds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn delay_ranges() {
        assert_eq!(
            delay_range("3"),
            Ok(DelayRange {
                from: 3,
                to: 3,
                deepen: false
            })
        );
        assert_eq!(
            delay_range("0..4"),
            Ok(DelayRange {
                from: 0,
                to: 4,
                deepen: true
            })
        );
        for wrong in ["", "-1", "4..0", "x", "1...3", "99999999999", "1.5"] {
            assert!(delay_range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let options = |line: &str| match read(line).unwrap().command {
            Command::Explore(args) => args.options(false).map(drop),
            other => panic!("{other:?}"),
        };
        for line in [
            "--fair",
            "--fair --strategy stateless --preemptions 2",
            "--fair --strategy random",
            "--fair --scheduler bounded-bag",
            "--divergence",
            "--strategy dpor --jobs 2 --all --finals --max-steps 10",
        ] {
            let line = format!("dbverify explore x.async {line}");
            assert_eq!(options(&line), Ok(()), "{line}");
        }
        for line in [
            "--fair --delays 2",
            "--fair --scheduler rr",
            "--fair --strategy dpor",
            "--fair --strategy pct",
            "--fair --divergence",
            "--fair --compact 40",
            "--divergence --compact 40",
            "--fair --races",
            "--divergence --races",
            "--divergence --strategy stateless",
            "--divergence --preemptions 1",
            "--divergence --scheduler dfs",
            "--strategy dpor --delays 1",
            "--strategy dpor --scheduler rr",
            "--strategy dpor --scheduler bounded-bag",
            "--strategy dpor --preemptions 1",
            "--strategy dpor --switches 1",
            "--strategy dpor --divergence",
            "--strategy dpor --shortest",
            "--strategy dpor --compact 40",
        ] {
            let line = format!("dbverify explore x.async {line}");
            assert!(options(&line).is_err(), "{line}");
        }
    }

    fn read(line: &str) -> Result<Cli, clap::Error> {
        Cli::read(line.split(' ').map(Into::into))
    }

    #[test]
    fn a_file_without_a_command_is_verified() {
        for line in [
            "dbverify x.async --delays 1",
            "dbverify --delays 1 x.async",
            "dbverify verify x.async --delays 1",
        ] {
            let Command::Verify(args) = read(line).unwrap().command else {
                panic!("{line}")
            };
            assert_eq!((args.delays.to, args.common.file.as_str()), (1, "x.async"));
        }
        let Command::Explore(args) = read("dbverify explore x.async --delays 1").unwrap().command
        else {
            panic!("explore")
        };
        assert_eq!(
            args.options(false).unwrap().scheduler,
            Scheduler::DepthFirst
        );
        assert!(read("dbverify").is_err());
        assert!(read("dbverify x.async --emit-seq --emit-smt").is_err());
    }
}
