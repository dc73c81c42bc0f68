//! From what an editor launches to the counterexample that is stepped through.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use serde_json::Value;

use options::Scheduler;
use trace::file::TraceFile;
use trace::replay;

use super::super::args::ReplayArgs;
use super::super::commands::{Cli, Command};
use super::super::job::Job;
use super::super::replay::read_trace;

/// What came of a launch.
pub enum Launch {
    /// A counterexample.
    Bug(Box<Found>),
    /// No counterexample. The text is the answer.
    Nothing(String),
}

/// Where a counterexample is: the program and its trace, as the command line names them.
pub struct Found {
    /// The program's path.
    pub program: PathBuf,
    /// What `replay` says of it.
    pub said: String,
    args: ReplayArgs,
    // If the launch has found the trace: its folder, kept until the session ends.
    _folder: Option<tempfile::TempDir>,
}

impl Launch {
    /// What the arguments of a launch ask for: `program`, and `trace`; or `command` with `args`, which finds one.
    ///
    /// # Errors
    /// When there is nothing to step through, with the reason.
    pub fn found(arguments: &Value) -> Result<Self, String> {
        let text = |key: &str| arguments[key].as_str();
        let program = text("program").ok_or("`program` is to name a file")?;
        if let Some(trace) = text("trace") {
            return Found::new(program, Path::new(trace), None).map(|f| Self::Bug(Box::new(f)));
        }
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let trace = folder.path().join("trace.json");
        let command = text("command").unwrap_or("verify");
        if !["verify", "explore", "prove"].contains(&command) {
            return Err(format!(
                "`command` is verify, explore or prove, and not `{command}`"
            ));
        }
        let given = given(&arguments["args"]).ok_or("`args` is to be a list of texts")?;
        let (said, wrong) = own(command, |process| {
            process
                .args(given)
                .arg("--trace-out")
                .arg(&trace)
                .arg("--")
                .arg(program);
        })?;
        if trace.exists() {
            return Found::new(program, &trace, Some(folder)).map(|f| Self::Bug(Box::new(f)));
        }
        if said.is_empty() {
            return Err(wrong);
        }
        Ok(Self::Nothing(said))
    }
}

/// The options of a launch; `None` if they are no list of strings.
fn given(args: &Value) -> Option<Vec<&str>> {
    match args {
        Value::Null => Some(Vec::new()),
        args => args.as_array()?.iter().map(Value::as_str).collect(),
    }
}

/// Runs dbverify with a command. Returns what it prints, and what it complains about.
fn own(command: &str, with: impl FnOnce(&mut Process)) -> Result<(String, String), String> {
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut process = Process::new(exe);
    process.arg(command).stdin(Stdio::null());
    with(&mut process);
    let output = process.output().map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&output.stdout), text(&output.stderr)))
}

impl Found {
    fn new(program: &str, trace: &Path, folder: Option<tempfile::TempDir>) -> Result<Self, String> {
        // Another process tries it first: the editor can show that process's complaints, but not those of this one.
        let (said, wrong) = own("replay", |process| {
            process.arg("--print").arg("--").arg(program).arg(trace);
        })?;
        if said.is_empty() {
            return Err(wrong);
        }
        let line = ["dbverify", "replay", "--", program].map(Into::into);
        let cli = Cli::read(line.into_iter().chain([trace.as_os_str().to_owned()]));
        let Ok(Command::Replay(args)) = cli.map(|cli| cli.command) else {
            return Err(format!("{program} cannot be replayed"));
        };
        Ok(Self {
            program: fs::canonicalize(program).unwrap_or_else(|_| program.into()),
            said,
            args,
            _folder: folder,
        })
    }

    /// The program and its trace, read.
    pub fn load(&self) -> Option<(Job<'_>, TraceFile)> {
        read_trace(&self.args.common, &self.args.trace).ok()
    }
}

/// The execution of a trace.
pub fn execution(
    job: &Job<'_>,
    file: &TraceFile,
) -> Option<(Scheduler, trace::Trace, Option<trace::Bug>)> {
    let (trace, bug) = replay(&job.program, file.scheduler, &file.schedule).ok()?;
    Some((file.scheduler, trace, bug))
}
