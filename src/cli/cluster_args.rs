//! Options of a search by several processes, or with a checkpoint.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use options::Store;

use super::help::SEARCH;
use super::number_args::whole;

/// Where processes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// This many processes on this machine.
    Local(usize),
    /// At the hosts that this file lists.
    Hosts(PathBuf),
}

/// Options of a search that is not done by one process alone, or not at one time.
#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// Search with several processes: N of them here, or one for each line host:port of a file
    #[arg(long, value_name = "local:N|HOSTS", value_parser = place, help_heading = SEARCH)]
    pub cluster: Option<Where>,
    /// The line of HOSTS for this process, from 0; process 0 answers
    #[arg(long, value_name = "I", value_parser = whole::<u32>(0..=1023), help_heading = SEARCH)]
    pub process: Option<u32>,
    /// Save the search now and then, for --resume
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = SEARCH)]
    pub checkpoint: Option<PathBuf>,
    /// Go on from the last checkpoint, with any number of processes
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = SEARCH)]
    pub resume: Option<PathBuf>,
}

fn place(text: &str) -> Result<Where, String> {
    let Some(count) = text.strip_prefix("local:") else {
        return Ok(Where::Hosts(text.into()));
    };
    let count = count.parse().ok().filter(|count| (1..=256).contains(count));
    let count = count.ok_or("write local:N with N from 1 to 256")?;
    Ok(Where::Local(count))
}

impl ClusterArgs {
    /// Checks whether the search has several processes or a checkpoint.
    pub fn are_given(&self) -> bool {
        self.cluster.is_some() || self.checkpoint.is_some() || self.resume.is_some()
    }

    /// The files that are read, and what they are.
    pub fn inputs(&self) -> Vec<(&Path, &'static str)> {
        let hosts = match &self.cluster {
            Some(Where::Hosts(file)) => Some((file.as_path(), "the list of hosts")),
            _ => None,
        };
        let resumed = self.resume.as_deref();
        let resumed = resumed.map(|folder| (folder, "a part of the checkpoint"));
        hosts.into_iter().chain(resumed).collect()
    }

    /// Which store of states the search uses.
    pub fn store(&self) -> Store {
        match self.resume {
            Some(_) => Store::Resumed,
            None if self.are_given() => Store::Kept,
            None => Store::Own,
        }
    }

    /// Why the options do not go together.
    pub fn refusal(&self, file: &str) -> Option<String> {
        let refusal = match (&self.cluster, self.process) {
            (Some(Where::Hosts(_)), None) => {
                "--cluster HOSTS needs --process I: which line of the file is this process, from 0"
            }
            (None | Some(Where::Local(_)), Some(_)) => {
                "--process says which line of --cluster HOSTS this process is: leave it out"
            }
            (Some(Where::Local(_)), None) if file == "-" => {
                "the processes of --cluster local:N read the program themselves: give a file, not -"
            }
            _ => return None,
        };
        Some(refusal.to_owned())
    }
}
