//! The options of `explore`, and what goes together.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::options::{ExploreOptions, Scheduler, Strategy};

use super::args::{CommonArgs, LimitArgs};
use super::help::{BOUNDS, EXPLORE_EXAMPLES, LOOK_FOR, OUTPUT, SEARCH};

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
    #[arg(long, value_name = "K", allow_negative_numbers = true, help_heading = BOUNDS)]
    pub delays: Option<u32>,
    /// Who may run next [default: bag; dfs if --delays is given]
    #[arg(long, value_enum, help_heading = BOUNDS)]
    pub scheduler: Option<ExploreScheduler>,
    /// Copies of one task that bounded-bag keeps [default: 1]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..), help_heading = BOUNDS)]
    pub copies: Option<u32>,
    /// Preemption bound (with bag)
    #[arg(long, value_name = "P", allow_negative_numbers = true, help_heading = BOUNDS)]
    pub preemptions: Option<u32>,
    /// Context-switch bound (with bag)
    #[arg(long, value_name = "C", allow_negative_numbers = true, help_heading = BOUNDS)]
    pub switches: Option<u32>,
    /// Which of the choices are explored [default: stateful; dpor if --races is given]
    #[arg(long, value_enum, help_heading = SEARCH)]
    pub strategy: Option<ExploreStrategy>,
    /// Seed of random walks
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0, help_heading = SEARCH)]
    pub seed: u64,
    /// Number of random walks
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..), help_heading = SEARCH)]
    pub runs: u64,
    /// Depth of pct: one more than the number of priority changes
    #[arg(long, value_name = "D", allow_negative_numbers = true, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..), help_heading = SEARCH)]
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
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 100_000, help_heading = BOUNDS)]
    pub max_steps: u64,
    /// Go on after the first bug; list the distinct ones
    #[arg(long, help_heading = LOOK_FOR)]
    pub all: bool,
    /// Find a shortest counterexample
    #[arg(long, help_heading = SEARCH)]
    pub shortest: bool,
    /// Store only a hash of so many bits of each state (said in the verdict)
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(32..=64), help_heading = SEARCH)]
    pub compact: Option<u32>,
    /// Print the set of reachable final global states
    #[arg(long, help_heading = LOOK_FOR)]
    pub finals: bool,
    /// Worker threads; verdict and counts do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = SEARCH)]
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
            (Some(ExploreScheduler::BoundedBag), None) => {
                Scheduler::BoundedBag(self.copies.unwrap_or(1))
            }
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
        if self.copies.is_some() && !matches!(scheduler, Scheduler::BoundedBag(_)) {
            return Err("--copies belongs to --scheduler bounded-bag".to_owned());
        }
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

#[cfg(test)]
mod tests {
    use super::super::args::{Cli, Command};

    fn read(line: &str) -> Result<Cli, clap::Error> {
        Cli::read(line.split(' ').map(Into::into))
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
            "--copies 2",
            "--scheduler dfs --copies 2",
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
}
