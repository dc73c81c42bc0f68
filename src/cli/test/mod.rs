//! `dbverify test`: the `// run:` and `// expect:` lines of programs, as a test runner.
//!
//! [`header`] reads the lines, [`runner`] runs one, each other file here is a way to tell how it went.

mod github;
mod header;
mod json;
mod junit;
mod log;
mod runner;
mod text;

use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum, ValueHint};

use base::work;

use super::args::{Color, Format};
use super::files;
use super::help::{LIMITS, OUTPUT};
use super::input::{self, Failed};
use super::number_args::{mebibytes, seconds, whole};
use super::status::{BUG, INCONCLUSIVE, INTERRUPTED, SAFE, WRONG_INPUT};
use super::{output, watchdog};

use header::{Case, Header};
use runner::Ran;

const EXAMPLES: &str = "\
A program says in comments how it is run and what must come out; it may have several pairs of such lines:

  // run: explore --races
  // expect: bug race line 12

Behind `run:` stands a command line without the file: verify (which may be left out), explore, prove, check or run, and
its options; for run, gcc or g++ compiles the file first. Paths in it count from the working folder.
Behind `expect:` stands safe, proved, inconclusive, bug KIND line N, with --cover covered or
uncovered, and for check ok or error CODE line N. KIND, CODE and line N may be left out. A folder
stands for all .async, .c, .i and .cpp files below it.

Examples:
  dbverify test models                                 every program below the folder
  dbverify test driver.async --format junit > out.xml  for a CI system
  dbverify test models --require-exhaustive            no verdict that a bound has cut counts as safe

Exit status: 0 everything came out as expected, 1 something did not, 2 a line or a program is wrong,
3 a run was inconclusive that should not be, 130 interrupted by Ctrl-C.";

/// Options of `test`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TestArgs {
    /// Programs and folders
    #[arg(value_hint = ValueHint::AnyPath, default_value = ".")]
    pub paths: Vec<String>,
    /// Runs at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub jobs: Option<u32>,
    /// Let every run that should be safe be exhaustive
    #[arg(long)]
    pub require_exhaustive: bool,
    /// Time limit in seconds of a run whose line has none
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = LIMITS)]
    pub timeout: Option<Duration>,
    /// Memory limit in MiB, or like 2G, of a run whose line has none
    #[arg(long, value_name = "MIB", value_parser = mebibytes, help_heading = LIMITS)]
    pub memory: Option<u64>,
    /// How to answer
    #[arg(long, value_enum, default_value_t = TestFormat::Text, help_heading = OUTPUT)]
    pub format: TestFormat,
    /// When to use colours; auto: on a terminal that wants them, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = OUTPUT)]
    pub color: Color,
}

/// `--format` of `test`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// For people
    Text,
    /// One JSON object, schema dbverify-test/1
    Json,
    /// JUnit XML, for CI systems
    Junit,
    /// One SARIF 2.1.0 log of what did not come out as expected
    Sarif,
    /// Annotations in the log of a GitHub workflow
    Github,
}

/// The format of messages that are about no run.
impl From<TestFormat> for Format {
    fn from(format: TestFormat) -> Self {
        match format {
            TestFormat::Json => Self::Json,
            TestFormat::Sarif => Self::Sarif,
            TestFormat::Text | TestFormat::Junit | TestFormat::Github => Self::Text,
        }
    }
}

/// How a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Passed,
    /// Another verdict.
    Differs,
    /// No verdict within the limits.
    Undecided,
    /// The lines, the program or the command line are wrong.
    Broken,
}

impl Outcome {
    /// Whether there is no answer to what was asked.
    const fn is_hindered(self) -> bool {
        matches!(self, Self::Undecided | Self::Broken)
    }

    /// In a word, as the formats for programs have it.
    const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Differs => "failed",
            Self::Undecided => "undecided",
            Self::Broken => "broken",
        }
    }
}

/// What the command has to do.
pub struct Plan {
    /// The files that have something to run, or lines that are wrong.
    files: Vec<Tested>,
    /// How many files have no such lines.
    silent: usize,
    /// Whether the runs answer with SARIF logs.
    logs: bool,
    require_exhaustive: bool,
    timeout: Option<Duration>,
    memory: Option<u64>,
}

/// A file and what it says about itself.
struct Tested {
    path: String,
    header: Header,
}

impl Plan {
    /// Reads the lines of all files.
    ///
    /// # Errors
    /// When a folder cannot be read, a file does not exist, or there is nothing to run.
    fn new(args: &TestArgs) -> Result<Self, String> {
        let (mut files, mut silent) = (Vec::new(), 0);
        for found in files::programs(&args.paths, &["async", "c", "i", "cpp"])? {
            if found.path == "-" {
                return Err("standard input has no name to run it by: name a file".to_owned());
            }
            let header = match input::read_any(&found.path) {
                Ok(input) => header::read(&input.text),
                // The command line names a file that does not exist: that is no fault of a file.
                Err(message) if !Path::new(&found.path).exists() => return Err(message),
                Err(message) => Header::unreadable(message),
            };
            if !header.cases.is_empty() || !header.problems.is_empty() {
                let path = found.path;
                files.push(Tested { path, header });
            } else if found.named {
                let path = found.path;
                return Err(format!(
                    "{path} says nothing about itself: it needs lines like `// run: verify --delays 2` and `// expect: safe`"
                ));
            } else {
                silent += 1;
            }
        }
        if files.is_empty() {
            let paths = args.paths.join(" ");
            return Err(format!(
                "there is nothing to run in {paths}: no program there has a `// run:` line"
            ));
        }
        Ok(Self {
            files,
            silent,
            logs: args.format == TestFormat::Sarif,
            require_exhaustive: args.require_exhaustive,
            timeout: args.timeout,
            memory: args.memory,
        })
    }

    /// Options that a run gets besides its own.
    fn added(&self, case: &Case) -> Vec<String> {
        let mut added = Vec::new();
        if case.command == "check" {
            return added;
        }
        let searches = matches!(case.command.as_str(), "verify" | "explore" | "run");
        let strict = self.require_exhaustive && case.expected.verdict == "safe";
        if strict && searches && !case.has("--require-exhaustive") {
            added.push("--require-exhaustive".to_owned());
        }
        if let Some(time) = self.timeout.filter(|_| !case.has("--timeout")) {
            added.push(format!("--timeout={}", time.as_secs_f64()));
        }
        let memory = self.memory.filter(|_| case.command != "run");
        if let Some(memory) = memory.filter(|_| !case.has_limit()) {
            added.push(format!("--memory={memory}"));
        }
        added
    }

    /// Runs everything. Tells files in their order, each as soon as it and all files before it are done.
    fn run(&self, jobs: usize, mut tell: impl FnMut(&Report<'_>)) -> Vec<Report<'_>> {
        let all: Vec<(usize, usize)> = (self.files.iter().enumerate())
            .flat_map(|(f, file)| (0..file.header.cases.len()).map(move |c| (f, c)))
            .collect();
        let next = AtomicUsize::new(0);
        let (sender, done) = mpsc::channel();
        let mut reports: Vec<Report<'_>> = self.files.iter().map(Report::new).collect();
        thread::scope(|scope| {
            for _ in 0..jobs.min(all.len()) {
                let (sender, next, all) = (sender.clone(), &next, &all);
                scope.spawn(move || {
                    while let Some(&(f, c)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let file = &self.files[f];
                        let ran = runner::run(self, &file.path, &file.header.cases[c]);
                        // The run may have ended because it was asked to stop.
                        if work::stopping() {
                            break;
                        }
                        // The receiver lives longer than this thread.
                        let _ = sender.send((f, c, ran));
                    }
                });
            }
            drop(sender);
            let mut told = 0;
            loop {
                while reports.get(told).is_some_and(Report::is_complete) {
                    tell(&reports[told]);
                    told += 1;
                }
                let Ok((f, c, ran)) = done.recv() else { break };
                reports[f].runs[c].1 = Some(ran);
            }
            // Tells what is known of files whose runs were interrupted.
            let open = reports[told..].iter();
            open.filter(|r| r.done().next().is_some()).for_each(tell);
        });
        reports
    }
}

/// How the runs of a file went.
struct Report<'a> {
    path: &'a str,
    /// Wrong lines.
    problems: &'a [(u32, String)],
    runs: Vec<(&'a Case, Option<Ran>)>,
}

impl<'a> Report<'a> {
    fn new(file: &'a Tested) -> Self {
        Self {
            path: &file.path,
            problems: &file.header.problems,
            runs: file.header.cases.iter().map(|case| (case, None)).collect(),
        }
    }

    /// How many runs were not done.
    fn left(&self) -> usize {
        self.runs.iter().filter(|(_, ran)| ran.is_none()).count()
    }

    fn is_complete(&self) -> bool {
        self.left() == 0
    }

    /// Returns the runs that are done.
    fn done(&self) -> impl Iterator<Item = (&'a Case, &Ran)> {
        (self.runs.iter()).filter_map(|(case, ran)| Some((*case, ran.as_ref()?)))
    }

    /// All that did not come out as expected: the line, the outcome, and what to say about it.
    fn complaints(&self) -> Vec<(u32, Outcome, String)> {
        let wrong = self.problems.iter();
        let wrong = wrong.map(|(line, text)| (*line, Outcome::Broken, text.clone()));
        let runs = self
            .done()
            .filter(|(_, ran)| ran.outcome != Outcome::Passed);
        let runs = runs.map(|(case, ran)| (case.expected_at, ran.outcome, said(case, ran)));
        let mut all: Vec<_> = wrong.chain(runs).collect();
        all.sort_by_key(|(line, ..)| *line);
        all
    }
}

/// What came out instead, in a sentence.
fn said(case: &Case, ran: &Ran) -> String {
    let shown = case.shown();
    match ran.found() {
        None => format!("`{shown}` gives no answer: {}", ran.says),
        Some(found) => format!("`{shown}`: expected {}, found {found}", case.expected),
    }
}

/// How many runs had which outcome.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    runs: usize,
    passed: usize,
    failed: usize,
    undecided: usize,
    broken: usize,
    /// Runs that were not done because the user asked to stop.
    left: usize,
}

impl Counts {
    /// Says that there is no answer about the runs that were not done.
    fn interrupted(&self) -> Option<String> {
        let all = self.runs + self.left;
        (self.left > 0).then(|| {
            format!(
                "inconclusive: {}: {} of {all} runs were done",
                work::INTERRUPTED,
                self.runs
            )
        })
    }

    fn new(reports: &[Report<'_>]) -> Self {
        let mut counts = Self::default();
        for report in reports {
            counts.broken += report.problems.len();
            counts.left += report.left();
            for (_, ran) in report.done() {
                counts.runs += 1;
                *match ran.outcome {
                    Outcome::Passed => &mut counts.passed,
                    Outcome::Differs => &mut counts.failed,
                    Outcome::Undecided => &mut counts.undecided,
                    Outcome::Broken => &mut counts.broken,
                } += 1;
            }
        }
        counts
    }

    const fn status(&self) -> u8 {
        if self.failed > 0 {
            BUG
        } else if self.broken > 0 {
            WRONG_INPUT
        } else if self.left > 0 {
            INTERRUPTED
        } else if self.undecided > 0 {
            INCONCLUSIVE
        } else {
            SAFE
        }
    }
}

/// How all runs went, when everything is done.
struct Total<'a> {
    reports: &'a [Report<'a>],
    counts: Counts,
    /// Files that say nothing about themselves.
    silent: usize,
    time: Duration,
}

/// Runs what the programs say about themselves.
///
/// # Errors
/// When there is nothing to run; the user has been told why.
pub fn run(args: &TestArgs) -> Result<u8, Failed> {
    let begin = Instant::now();
    let plan = Plan::new(args).map_err(|message| refuse(args, &message))?;
    // This command tells of Ctrl-C itself. The watchdog would answer in its place.
    watchdog::answering();
    let look = output::look(args.color);
    let processors = || thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = args.jobs.map_or_else(processors, |n| n as usize);
    let reports = plan.run(jobs, |report| match args.format {
        TestFormat::Text => output::print(&text::file(report, look)),
        TestFormat::Github => output::print(&github::file(report)),
        TestFormat::Json | TestFormat::Junit | TestFormat::Sarif => {}
    });
    let total = Total {
        counts: Counts::new(&reports),
        silent: plan.silent,
        time: begin.elapsed(),
        reports: &reports,
    };
    match args.format {
        TestFormat::Text => output::print(&text::summary(&total, look)),
        TestFormat::Github => output::print(&text::summary(&total, report::style::Look::default())),
        TestFormat::Json => output::print(&json::report(&total)),
        TestFormat::Sarif => output::print(&log::report(&total)),
        TestFormat::Junit => print_xml(junit::report(&total))?,
    }
    Ok(total.counts.status())
}

/// Says why there is nothing to run.
fn refuse(args: &TestArgs, message: &str) -> Failed {
    let how = (args.format.into(), args.color);
    if !told_in_own_format(args.format, message) {
        input::refuse_about(&args.paths.join(" "), how, message);
    }
    Failed
}

/// Says as data what is wrong with a command line that cannot be read.
pub fn refuse_words(format: TestFormat, message: &str) {
    if !told_in_own_format(format, message) && format != TestFormat::Text {
        input::refuse_words(format.into(), message);
    }
}

/// Says why nothing was run, if the format is one that only this command has. Returns whether it is.
fn told_in_own_format(format: TestFormat, message: &str) -> bool {
    match format {
        TestFormat::Text | TestFormat::Json | TestFormat::Sarif => return false,
        TestFormat::Github => output::print(&github::refusal(message)),
        // If the XML cannot be written, the user has been told.
        TestFormat::Junit => drop(print_xml(junit::refusal(message))),
    }
    true
}

fn print_xml(text: Result<String, String>) -> Result<(), Failed> {
    match text {
        Ok(text) => output::print(&text),
        Err(message) => {
            output::print_error(&format!("error: {message}\n"));
            return Err(Failed);
        }
    }
    Ok(())
}
