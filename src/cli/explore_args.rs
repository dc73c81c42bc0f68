//! The options of `explore`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use answer::NamedBound;
use ir::Program;
use options::{ExploreOptions, Limits, Scheduler, Shard, Sought, Strategy, Values};

use super::args::{CommonArgs, LimitArgs, ShownArgs};
use super::cluster_args::ClusterArgs;
use super::help::{BOUNDS, EXPLORE_EXAMPLES, LOOK_FOR, OUTPUT, SEARCH};
use super::number_args::{Budget, at_least, budget, shard, whole};
use super::option_rules;

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

impl ExploreScheduler {
    /// Returns the scheduler. A bounded bag has this many copies.
    pub fn with(self, copies: u32) -> Scheduler {
        match self {
            Self::Bag => Scheduler::Bag,
            Self::BoundedBag => Scheduler::BoundedBag(copies),
            Self::Rr => Scheduler::RoundRobin,
            Self::Dfs => Scheduler::DepthFirst,
            Self::Rdfs => Scheduler::ReverseDepthFirst,
        }
    }
}

/// `--values`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ValuesArg {
    /// One by one if there are few, else as terms
    Auto,
    /// One by one
    Numbers,
    /// As terms: a solver decides conditions
    Terms,
}

impl From<ValuesArg> for Values {
    fn from(values: ValuesArg) -> Self {
        match values {
            ValuesArg::Auto => Self::Fitting,
            ValuesArg::Numbers => Self::Numbers,
            ValuesArg::Terms => Self::Terms,
        }
    }
}

/// `--strategy`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExploreStrategy {
    /// Remember visited states
    Stateful,
    /// Every schedule
    Stateless,
    /// One of each set of equivalent schedules
    Dpor,
    /// Random walks
    Random,
    /// Random walks with priorities
    Pct,
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
    /// How a trace is shown.
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Most delays of dfs, rdfs and rr [default: any: all schedules]
    #[arg(long, value_name = "K", value_parser = budget, help_heading = BOUNDS)]
    pub delays: Option<Budget>,
    /// Which task may run next [default: bag; dfs if --delays is given]
    #[arg(long, value_enum, help_heading = BOUNDS)]
    pub scheduler: Option<ExploreScheduler>,
    /// Copies of one task that bounded-bag keeps [default: 1]
    #[arg(long, value_name = "K", value_parser = at_least(1), help_heading = BOUNDS)]
    pub copies: Option<u32>,
    /// Most preemptions (with bag)
    #[arg(long, value_name = "P", value_parser = at_least(0), help_heading = BOUNDS)]
    pub preemptions: Option<u32>,
    /// Most switches between tasks (with bag)
    #[arg(long, value_name = "C", value_parser = at_least(0), help_heading = BOUNDS)]
    pub switches: Option<u32>,
    /// How schedules are searched [default: stateful]
    #[arg(long, value_enum, help_heading = SEARCH)]
    pub strategy: Option<ExploreStrategy>,
    /// Seed of random walks [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX), help_heading = SEARCH)]
    pub seed: Option<u64>,
    /// Number of random walks [default: 1000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), help_heading = SEARCH)]
    pub runs: Option<u64>,
    /// Depth of pct: one more than the number of priority changes [default: 3]
    #[arg(long, value_name = "D", value_parser = at_least(1), help_heading = SEARCH)]
    pub depth: Option<u32>,
    /// Look for livelocks, and tasks that never let others run
    #[arg(long, help_heading = LOOK_FOR)]
    pub fair: bool,
    /// Look for data races
    #[arg(long, help_heading = LOOK_FOR)]
    pub races: bool,
    /// Look for equal progress that leaves different shared states
    #[arg(long, help_heading = LOOK_FOR)]
    pub divergence: bool,
    /// Most visible steps of an execution
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole::<u64>(0..=u64::MAX), help_heading = BOUNDS)]
    pub max_steps: u64,
    /// How open values (inputs, `*`) are searched
    #[arg(long, value_enum, default_value = "auto", help_heading = SEARCH)]
    pub values: ValuesArg,
    /// With terms: most turns of a loop whose condition is open
    #[arg(long, value_name = "N", value_parser = at_least(0), help_heading = BOUNDS)]
    pub unroll: Option<u32>,
    /// Go on after the first bug, and list the distinct ones
    #[arg(long, help_heading = LOOK_FOR)]
    pub all: bool,
    /// Find a shortest counterexample
    #[arg(long, help_heading = SEARCH)]
    pub shortest: bool,
    /// Store only a hash of so many bits of each state; the verdict says so
    #[arg(long, value_name = "BITS", value_parser = whole::<u32>(32..=64), help_heading = SEARCH)]
    pub compact: Option<u32>,
    /// Visit every state and every step: no reductions
    #[arg(long, help_heading = SEARCH)]
    pub no_reduction: bool,
    /// Search the I-th of N parts (random, pct, stateless); `dbverify merge` joins the answers
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = SEARCH)]
    pub shard: Option<Shard>,
    /// Several processes, checkpoints.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print the reachable final states
    #[arg(long, help_heading = LOOK_FOR)]
    pub finals: bool,
    /// Exit with status 3 if another bound than a budget cut a verdict without a bug
    #[arg(long, help_heading = BOUNDS)]
    pub require_exhaustive: bool,
    /// Worker threads; verdict and counts do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1024), help_heading = SEARCH)]
    pub jobs: u32,
    /// Write the counterexample to a file, for `dbverify replay`
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub trace_out: Option<PathBuf>,
    /// Write the counterexample of a C program as an SV-COMP witness (F.graphml or F.yml)
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub witness: Option<PathBuf>,
    /// Write the counterexample of a C program as a file F.c with which the program fails each time
    #[arg(long, value_name = "F.c", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub reproduce: Option<PathBuf>,
    /// Write the lines that executions reach, for lcov
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub coverage: Option<PathBuf>,
    /// Write the answer as a page for a browser
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    /// Write the states of a small program as a picture, the path of a bug marked (F.dot, F.svg or F.html)
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub graph: Option<PathBuf>,
    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl ExploreArgs {
    /// The bounds as they are asked for.
    #[must_use]
    pub fn bounds(&self) -> Vec<NamedBound> {
        let given = [
            self.budget().map(|n| NamedBound::Delays(Some(n))),
            self.preemptions.map(NamedBound::Preemptions),
            self.switches.map(NamedBound::Switches),
            self.scheduler.map(|_| NamedBound::Scheduler(self.who())),
            self.copies.map(NamedBound::Copies),
            self.strategy.map(|_| NamedBound::Strategy(self.which())),
        ];
        given.into_iter().flatten().collect()
    }

    /// Returns the options, as the engine takes them.
    ///
    /// # Errors
    /// When an option does not go with the others. The message says what it needs, and what to write instead.
    pub fn options(&self, progress: bool) -> Result<ExploreOptions, String> {
        let (scheduler, strategy) = (self.who(), self.which());
        if let Some(reason) = option_rules::exploration(self, scheduler, strategy) {
            return Err(reason);
        }
        let default = ExploreOptions::default();
        Ok(ExploreOptions {
            scheduler,
            strategy,
            delays: self.budget(),
            preemptions: self.preemptions,
            switches: self.switches,
            max_steps: self.max_steps,
            values: self.values.into(),
            unroll: self.unroll,
            all: self.all,
            finals: self.finals,
            shortest: self.shortest,
            compact: self.compact,
            reduction: !self.no_reduction,
            jobs: self.jobs as usize,
            seed: self.seed.unwrap_or(default.seed),
            runs: self.runs.unwrap_or(default.runs),
            shard: self.shard,
            store: self.cluster.store(),
            depth: self.depth.unwrap_or(default.depth),
            sought: self.sought(),
            coverage: self.coverage.is_some() || self.html.is_some() && self.marks_lines(),
            require_exhaustive: self.require_exhaustive,
            walks_first: self.strategy.is_none() && !self.cluster.are_given(),
            progress,
            work: None,
            portions: None,
            limits: self.limits.limits(&self.common),
        })
    }

    /// Checks whether a page can mark the lines that are reached. Only one undivided search by one process knows them all.
    fn marks_lines(&self) -> bool {
        self.sought() == Sought::Failures && self.shard.is_none() && !self.cluster.are_given()
    }

    /// Returns what is looked for. `option_rules` makes sure that at most one of these options is given.
    fn sought(&self) -> Sought {
        match (self.fair, self.divergence, self.races) {
            (true, ..) => Sought::Livelocks,
            (_, true, _) => Sought::Divergences,
            (_, _, true) => Sought::Races,
            _ => Sought::Failures,
        }
    }

    /// Returns a hash of all that the parts of one search have in common: the program, with the options that made it, and the options of
    /// the search.
    pub fn question(&self, program: &Program) -> String {
        let options = self.options(false).map(|options| ExploreOptions {
            shard: None,
            jobs: 1,
            require_exhaustive: false,
            limits: Limits::default(),
            ..options
        });
        let mut hasher = DefaultHasher::new();
        format!("{program:?}{options:?}").hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// How many delays are allowed.
    #[must_use]
    pub fn budget(&self) -> Option<u32> {
        self.delays.and_then(|Budget(most)| most)
    }

    fn who(&self) -> Scheduler {
        match self.scheduler {
            None if self.budget().is_some() => Scheduler::DepthFirst,
            None => Scheduler::Bag,
            Some(wanted) => wanted.with(self.copies.unwrap_or(1)),
        }
    }

    fn which(&self) -> Strategy {
        match self.strategy {
            None | Some(ExploreStrategy::Stateful) => Strategy::Stateful,
            Some(ExploreStrategy::Stateless) => Strategy::Stateless,
            Some(ExploreStrategy::Dpor) => Strategy::Dpor,
            Some(ExploreStrategy::Random) => Strategy::Random,
            Some(ExploreStrategy::Pct) => Strategy::Pct,
        }
    }
}
