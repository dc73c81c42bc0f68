//! The command line as data: the commands, and the rules that clap does not have.

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use base::suggest::closest;

use super::args::{CheckArgs, CommonArgs, FmtArgs, ProveArgs, ReplayArgs, VerifyArgs};
use super::belonging;
use super::bundle::BundleArgs;
use super::emit::EmitArgs;
use super::explore_args::ExploreArgs;
use super::help::{AFTER_HELP, RARE};
use super::merge::MergeArgs;
use super::native::{CcArgs, RunArgs, is_counterexample};
use super::pages::{CompletionsArgs, ManArgs};
use super::simulate::SimulateArgs;
use super::test::{TestArgs, TestFormat};

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
        // Compilers spell `--include` with one dash.
        for word in args.iter_mut().filter(|a| *a == "-include") {
            *word = "--include".into();
        }
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
                    format!("there is no command or file `{wrong}`; did you mean `{near}`?");
                return Err(Self::command().error(ErrorKind::InvalidSubcommand, message));
            }
            args.insert(1, "verify".into());
        }
        // A number below zero is for its option's parser to refuse, in words.
        let signed = |arg: Arg| {
            let valued = arg.get_action().takes_values() && !arg.is_positional();
            let rare = RARE.contains(&arg.get_id().as_str());
            arg.allow_negative_numbers(valued).hide_short_help(rare)
        };
        let command = Self::command().mut_subcommands(|c| c.mut_args(signed));
        let asked = args.get(1).and_then(|a| a.to_str()).map(str::to_owned);
        let mut matches = command
            .try_get_matches_from(args)
            .map_err(|error| belonging::explained(error, asked.as_deref(), Self::command()))?;
        let given = matches.subcommand().map(|(_, given)| given.clone());
        let mut read = Self::from_arg_matches_mut(&mut matches)?;
        if let (Command::Replay(_) | Command::Simulate(_), Some(given)) = (&read.command, given)
            && let Some(common) = read.command.common()
        {
            common.c.note_usual(&given);
        }
        if let Command::Replay(replay) = &mut read.command {
            let kind = ErrorKind::MissingRequiredArgument;
            tell_apart(replay)
                .map_err(|why| belonging::complaint(kind, why, "replay", Self::command()))?;
        }
        Ok(read)
    }
}

/// The format for which an unreadable command line asks.
pub fn asked_format(args: &[OsString]) -> Option<TestFormat> {
    let words = args.iter().map(|word| word.to_str().unwrap_or_default());
    let mut options = words.take_while(|word| *word != "--");
    let name = match options.find_map(|word| word.strip_prefix("--format"))? {
        "" => options.next()?,
        rest => rest.strip_prefix('=')?,
    };
    TestFormat::from_str(name, false).ok()
}

/// Tells which of the files of `replay` are counterexamples. They are the last ones.
fn tell_apart(replay: &mut ReplayArgs) -> Result<(), &'static str> {
    let json = |file: &String| Path::new(file).extension().is_some_and(|e| e == "json");
    let (file, more) = (&replay.common.file, &mut replay.common.more);
    replay.native = more.is_empty() && (json(file) || is_counterexample(file));
    let last = match more.pop() {
        Some(last) => last,
        None if replay.native => file.clone(),
        None => {
            return Err("give the program, and then the counterexample that `--trace-out` wrote");
        }
    };
    replay.trace = last.into();
    // If there are two traces, the first one stands before the last word.
    let first = more.pop_if(|file| json(file));
    replay.other = first.map(|first| std::mem::replace(&mut replay.trace, first.into()));
    Ok(())
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Look for bugs within a budget of delays, for all inputs (the default command)
    Verify(VerifyArgs),
    /// Look for bugs in every schedule
    Explore(ExploreArgs),
    /// Prove that there is no bug, for any number of tasks
    Prove(ProveArgs),
    /// Walk through a counterexample step by step
    Replay(ReplayArgs),
    /// Show one execution: at random, by hand, or that of a trace
    Simulate(SimulateArgs),
    /// Run the `// run:` lines of programs, and compare with their `// expect:` lines
    Test(TestArgs),
    /// Join the answers of all parts of a search
    Merge(MergeArgs),
    /// Run a compiled program with POSIX threads under chosen schedules (Linux)
    Run(RunArgs),
    /// Compile a program for `run`
    Cc(CcArgs),
    /// Parse and type-check
    Check(CheckArgs),
    /// Print in the standard format
    Fmt(FmtArgs),
    /// Serve an editor (language server protocol)
    Lsp(LspArgs),
    /// Step through a counterexample in an editor's debugger (debug adapter protocol)
    Dap(DapArgs),
    /// Write translations into a folder, or compare them with those in it
    Emit(EmitArgs),
    /// Explain a kind of error, with an example
    Explain(ExplainArgs),
    /// Print a script that completes command lines in a shell
    Completions(CompletionsArgs),
    /// Print a manual page
    Man(ManArgs),
    /// Copy the program and its solver into a folder that can be moved
    Bundle(BundleArgs),
    /// Check the installation: the solver, and other tools
    Doctor,
}

impl Command {
    /// The options about the program, if the command asks about one.
    pub fn common(&mut self) -> Option<&mut CommonArgs> {
        Some(match self {
            Self::Verify(args) => &mut args.common,
            Self::Explore(args) => &mut args.common,
            Self::Prove(args) => &mut args.common,
            Self::Replay(args) => &mut args.common,
            Self::Simulate(args) => &mut args.common,
            _ => return None,
        })
    }
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

/// Options of `dap`.
#[derive(Debug, Args)]
pub struct DapArgs {}

#[cfg(test)]
mod tests {
    use super::*;
    use options::{DelayRange, Scheduler};

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
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
            assert_eq!(
                (args.delays, args.common.file.as_str()),
                (DelayRange::Most(1), "x.async")
            );
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
