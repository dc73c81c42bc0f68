//! Counterexamples as files: written, run once more, shown to a debugger.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::lines::Lines;
use super::log::Ending;
use super::model::steps;
use super::process::{Execution, Program, Request};
use super::search::{Bug, What, is_wrong};
use super::verdict::{Outcome, Report, answer, unseen, visible};
use super::{Answer, Beside, Format, Options, SCHEMA, SCHEMAS, Strategy, binary};

#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    version: String,
    program: Vec<String>,
    /// A hash of the program's file: tells one build from another.
    build: String,
    env: Vec<(String, String)>,
    /// The file that is the program's standard input, and a hash of its content.
    #[serde(default)]
    input: Option<(PathBuf, String)>,
    races: bool,
    exit_status: bool,
    held_locks: bool,
    fair: bool,
    max_steps: usize,
    /// The names of threads, in the order of the numbers that the schedule has.
    threads: Vec<u64>,
    /// What the runtime had found out about the program before.
    #[serde(default)]
    learned: u64,
    /// Words of memory whose accesses are steps.
    visible: Vec<u64>,
    schedule: Vec<u8>,
}

impl File {
    fn read(text: &str) -> Result<Self, String> {
        let broken = |error| format!("it is not JSON, or only a part of it: {error}");
        let json: serde_json::Value = serde_json::from_str(text).map_err(broken)?;
        match json["schema"].as_str() {
            Some(SCHEMA) => serde_json::from_value(json)
                .map_err(|error| format!("it is no counterexample of `dbverify run`: {error}")),
            Some(other) if other.starts_with(SCHEMAS) => Err(format!(
                "another version of dbverify wrote it: `schema` is \"{other}\", not \"{SCHEMA}\""
            )),
            _ => Err("only a counterexample of `dbverify run` is replayed without its program; for any other give the program first: `dbverify replay PROGRAM TRACE`".into()),
        }
    }
}

/// A counterexample as a file.
pub(super) fn file(
    options: &Options,
    bug: &Bug,
    program: &Program,
    binary: &Path,
) -> Result<String, String> {
    let input = options.input.as_ref();
    let input = input.map(|path| Ok::<_, String>((path.clone(), contents(path)?)));
    let file = File {
        schema: SCHEMA.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        program: options.program.clone(),
        build: contents(binary)?,
        env: options.env.clone(),
        input: input.transpose()?,
        races: matches!(bug.what, What::Race(_)),
        exit_status: options.exit_status,
        held_locks: options.held_locks,
        fair: options.fair,
        max_steps: options.max_steps,
        threads: program.names()?,
        learned: program.learned()?,
        visible: program.visible().to_vec(),
        schedule: bug.schedule.clone(),
    };
    let text = serde_json::to_string_pretty(&file).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

/// Returns a hash of a file's content.
fn contents(path: &Path) -> Result<String, String> {
    let bytes =
        std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut hash = rustc_hash::FxHasher::default();
    std::hash::Hasher::write(&mut hash, &bytes);
    Ok(format!("{:016x}", std::hash::Hasher::finish(&hash)))
}

/// A program that is to follow the schedule of a counterexample.
struct Again {
    options: Options,
    program: Program,
    schedule: Vec<u8>,
    seen: binary::Seen,
}

impl Again {
    fn new(
        text: &str,
        look: report::style::Look,
        format: Format,
        beside: Beside,
    ) -> Result<Self, String> {
        let file = File::read(text)?;
        let options = Options {
            program: file.program,
            strategy: Strategy::All,
            walks: 0,
            seed: 0,
            races: file.races,
            exit_status: file.exit_status,
            held_locks: file.held_locks,
            fair: file.fair,
            max_steps: file.max_steps,
            timeout: std::time::Duration::from_secs(60),
            env: file.env,
            require_exhaustive: false,
            format,
            input: file.input.as_ref().map(|(path, _)| path.clone()),
            beside,
            look,
        };
        let name = options.program.first().ok_or("the program is missing")?;
        let path = Path::new(name);
        let input = (file.input.iter()).map(|(path, hash)| (path.as_path(), hash));
        for (path, hash) in input.chain([(path, &file.build)]) {
            let there =
                "; the counterexample names it from the folder where it was found: replay it there";
            let from_here = |error: String| error + if path.is_relative() { there } else { "" };
            if *hash != contents(path).map_err(from_here)? {
                return Err(format!(
                    "{} has changed since the counterexample was found",
                    path.display()
                ));
            }
        }
        let seen = binary::check(path)?;
        let mut program = Program::start(&options)?;
        program.set_names(&file.threads)?;
        program.set_learned(file.learned)?;
        program.show(&file.visible)?;
        Ok(Self {
            options,
            program,
            schedule: file.schedule,
            seen,
        })
    }

    /// Runs the schedule. Runs it again while an execution finds out something new about the program.
    fn follow(&mut self) -> Result<Execution, String> {
        let request = Request::follow(&self.schedule);
        let mut execution = self.program.execute(&request)?;
        while execution.found {
            execution = self.program.execute(&request)?;
        }
        if let Ending::Left(step) = execution.ending {
            return Err(format!(
                "the schedule cannot be followed at step {step}: the program is not deterministic, or the counterexample is of another version of dbverify"
            ));
        }
        Ok(execution)
    }
}

pub(crate) fn replay(
    text: &str,
    look: report::style::Look,
    format: Format,
    beside: Beside,
) -> Result<Answer, String> {
    let begin = Instant::now();
    let mut again = Again::new(text, look, format, beside)?;
    let execution = again.follow()?;
    let Again {
        options,
        program,
        schedule,
        seen,
    } = again;
    let race = super::races::races(&steps(&execution))
        .into_iter()
        .min_by_key(|race| race.second.0);
    let what = match race.filter(|_| options.races) {
        Some(race) => What::Race(race),
        None => What::Ending(execution.ending.clone()),
    };
    let safe = match &what {
        What::Ending(ending) => !is_wrong(&options, ending),
        What::Race(_) => false,
    };
    let lines = Lines::new(&program.maps);
    let outcome = if safe {
        Outcome::Inconclusive("the schedule ends without an error".into())
    } else {
        Outcome::Bug(Bug { schedule, what }, Box::new(execution))
    };
    Ok(answer(Report {
        outcome,
        executions: 1,
        processes: program.processes,
        seconds: begin.elapsed().as_secs_f64(),
        seen,
        unseen: unseen(&lines, Path::new(&options.program[0])),
        visible: visible(&lines, &program),
        whole: program.whole,
        lines,
        options: &options,
    }))
}

pub(crate) fn debug(text: &str) -> Result<(), String> {
    let look = report::style::Look::default();
    let mut again = Again::new(text, look, Format::Text, Beside::default())?;
    // This run finds out all that can be found on the way, so that the next one goes straight to the error.
    again.follow()?;
    let (process, thread) = (again.program).stop(&Request::follow(&again.schedule))?;
    let choose = format!(
        "python [t.switch() for t in gdb.selected_inferior().threads() if t.ptid[1] == {thread}]"
    );
    let status = Command::new("gdb")
        .args(["-q", "-p", &process.to_string(), "-ex", &choose])
        .args(["-ex", "backtrace"])
        .status();
    status
        .map(drop)
        .map_err(|error| format!("cannot run gdb: {error}"))
}
