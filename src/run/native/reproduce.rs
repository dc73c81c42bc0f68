//! A counterexample of a program in C as a file in C: linked with the program, it makes its threads follow an order that
//! fails each time.
//!
//! The order is the compiled program's own. This module looks for a schedule that shows the same error, and writes it as
//! numbers that a program can count by itself. It builds and runs the file before anybody sees it.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use base::child;

use super::binary::Seen;
use super::lines::{Lines, short};
use super::log::Ending;
use super::model::{Checker, Problem, steps};
use super::process::{Execution, Mode, Program, Request};
use super::search::{Bug, Fit, What, shows};
use super::verdict::{Outcome, Report, complete};
use super::{Format, Options, Reproduction, Strategy, cc, order, template};

/// The errors that show in a compiled program.
const KINDS: [&str; 11] = [
    "assertion",
    "leak",
    "race",
    "deadlock",
    "deref",
    "free",
    "misuse",
    "index",
    "division",
    "shift",
    "overflow",
];

/// How often the program has to fail in the same way before the file is shown.
pub(super) const RUNS: usize = 3;

/// How long one of these runs may take at most.
const LONGEST: Duration = Duration::from_secs(15);

/// A compiled program.
pub(super) struct Built {
    folder: tempfile::TempDir,
    /// The compiler, as words.
    compiler: Vec<String>,
    /// The compiler's options when it compiles.
    flags: Vec<String>,
    /// The files and their objects.
    files: Vec<(String, PathBuf)>,
    /// The libraries.
    libraries: Vec<String>,
    pub symbols: template::Symbols,
}

pub(crate) fn reproduce(asked: &Reproduction<'_>) -> Result<String, String> {
    let until = Instant::now() + asked.timeout;
    if !KINDS.contains(&asked.kind) {
        return Err(format!(
            "an error of the kind `{}` is not looked for in the compiled program",
            asked.kind
        ));
    }
    let mut built = Built::new(asked)?;
    template::refuse(&built.symbols)?;
    let binary = built.under_control(asked)?;
    let (mut checker, bug, lines, options) = find(asked, &binary, until)?;
    let (execution, order) = follow(&mut checker, &bug, &lines)?;
    let report = Report {
        options: &options,
        outcome: Outcome::Inconclusive(String::new()),
        executions: 0,
        processes: 0,
        seconds: 0.0,
        seen: Seen::All,
        unseen: Vec::new(),
        visible: Vec::new(),
        whole: false,
        lines,
    };
    let words = report.error_words(&bug, &execution);
    // The file checks racing accesses itself. If that fails, as for accesses of a library, the file goes without the check.
    let text = |first| template::text(asked, &built, &bug, &order, &words, first);
    let confirmed = |text: String| built.confirm(asked, &text, &bug, &words).map(|()| text);
    match order.first {
        Some(first) => confirmed(text(Some(first))).or_else(|_| confirmed(text(None))),
        None => confirmed(text(None)),
    }
}

impl Built {
    fn new(asked: &Reproduction<'_>) -> Result<Self, String> {
        let folder = (tempfile::Builder::new().prefix("dbverify-cc").tempdir())
            .map_err(|error| format!("cannot make a folder for the program: {error}"))?;
        let mut compiler = asked.compiler.clone();
        let own = compiler.split_off(1.min(compiler.len()));
        let mut flags: Vec<String> = own;
        flags.extend(["-g", "-O0", "-fsanitize=thread", "-fno-builtin"].map(String::from));
        if cc::is_clang(&compiler[0]) {
            flags.extend(["-mllvm", "-tsan-instrument-read-before-write=1"].map(String::from));
        }
        if let Some(trap) = trap(asked.kind) {
            flags.push(format!("-fsanitize={trap}"));
            flags.push("-fsanitize-undefined-trap-on-error".into());
        }
        flags.extend(asked.options.iter().cloned());
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for file in asked.files {
            let object = Path::new(file).with_extension("o");
            let object = object.file_name().unwrap_or_default();
            let path = folder.path().join(object);
            if files.iter().any(|(_, other)| *other == path) {
                return Err(format!(
                    "two files have the object file {}: rename one of them",
                    object.display()
                ));
            }
            files.push((file.clone(), path));
        }
        let mut built = Self {
            folder,
            compiler,
            flags,
            files,
            libraries: vec!["-pthread".into()],
            symbols: template::Symbols::default(),
        };
        for (file, object) in &built.files {
            let mut line = built.flags.clone();
            line.extend(["-w".into(), "-c".into(), file.clone(), "-o".into()]);
            line.push(object.to_string_lossy().into_owned());
            built.compile(&line)?;
            built.symbols.add(object)?;
        }
        Ok(built)
    }

    /// Runs the compiler.
    fn compile(&self, line: &[String]) -> Result<(), String> {
        let name = &self.compiler[0];
        let output = child::command(name).args(line).env("LC_ALL", "C").output();
        let output = output.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("there is no C compiler `{name}`"),
            _ => format!("the C compiler `{name}` cannot be run: {error}"),
        })?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let wrong = |l: &&str| l.contains("error") || l.contains("undefined reference");
        let first = said.lines().find(wrong).or_else(|| said.lines().next());
        Err(format!(
            "the compiler does not build the program: {}",
            first.unwrap_or("it does not say why")
        ))
    }

    fn link(&self, more: &Path, line: &[String], to: &Path) -> Result<(), String> {
        let objects = self.files.iter().map(|(_, object)| object.as_path());
        let all = objects.chain([more]).map(|p| p.to_string_lossy());
        let mut line: Vec<String> = all.map(Into::into).chain(line.iter().cloned()).collect();
        line.extend(self.libraries.iter().cloned());
        line.extend(["-o".into(), to.display().to_string()]);
        self.compile(&line)
    }

    /// Links the program with definitions of a verifier's functions, so that it can run under schedules.
    fn under_control(&mut self, asked: &Reproduction<'_>) -> Result<PathBuf, String> {
        let file = self.folder.path().join("inputs.c");
        let object = self.folder.path().join("inputs.c.o");
        write(&file, &template::inputs(&self.symbols, asked))?;
        let line = ["-O1", "-w", "-c"].map(String::from);
        let mut line: Vec<String> = line.into();
        line.extend([&file, Path::new("-o"), &object].map(|p| p.display().to_string()));
        self.compile(&line)?;
        let to = self.folder.path().join("program");
        let given = [self.compiler[0].clone(), object.display().to_string()];
        let line = cc::command(&given)?.split_off(2);
        self.link(&object, &line, &to).or_else(|_| {
            self.libraries.push("-lm".into());
            self.link(&object, &line, &to)
        })?;
        Ok(to)
    }

    /// Returns the command that builds the program with the file and runs it, as a reader types it.
    pub(super) fn command(&self, asked: &Reproduction<'_>) -> String {
        let mut compile = self.compiler.clone();
        compile.extend(self.flags.iter().cloned());
        compile.push("-c".into());
        compile.extend(self.files.iter().map(|(file, _)| file.clone()));
        let objects = self
            .files
            .iter()
            .filter_map(|(_, object)| object.file_name());
        let mut link = self.compiler.clone();
        link.extend(objects.map(|o| o.to_string_lossy().into_owned()));
        let program = Path::new(asked.output).with_extension("");
        let program = program.to_string_lossy();
        link.push(asked.output.to_owned());
        link.extend(self.libraries.iter().cloned());
        link.extend(["-o".to_owned(), program.to_string()]);
        let mut run = vec![if program.contains('/') {
            program.into_owned()
        } else {
            format!("./{program}")
        }];
        run.extend(asked.args.iter().cloned());
        let joined = |words: &[String]| {
            words
                .iter()
                .map(|w| quoted(w))
                .collect::<Vec<_>>()
                .join(" ")
        };
        format!(
            "{} && {} && {}",
            joined(&compile),
            joined(&link),
            joined(&run)
        )
    }

    /// Builds the program with the file, runs it, and checks that it fails in the same way each time.
    fn confirm(
        &self,
        asked: &Reproduction<'_>,
        text: &str,
        bug: &Bug,
        words: &str,
    ) -> Result<(), String> {
        let file = self.folder.path().join("reproduced.c");
        write(&file, text)?;
        let to = self.folder.path().join("reproduced");
        self.link(&file, &[], &to)?;
        for _ in 0..RUNS {
            let (signal, said) = run(&to, asked.args)?;
            let (number, text) = match &bug.what {
                What::Ending(Ending::Assertion { text, .. }) => (6, text.as_str()),
                What::Ending(Ending::Signal { number, .. }) => (*number as i32, ""),
                _ => (6, words),
            };
            if signal != Some(number) || !said.contains(text) {
                let last = said.lines().last().unwrap_or("it ends without the error");
                return Err(format!(
                    "the program does not fail in the same way without dbverify: {last}"
                ));
            }
        }
        Ok(())
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Returns the compiler's check for an error that a program does not notice by itself.
fn trap(kind: &str) -> Option<&'static str> {
    match kind {
        "index" => Some("bounds"),
        "shift" => Some("shift"),
        "overflow" => Some("signed-integer-overflow"),
        _ => None,
    }
}

fn write(to: &Path, text: &str) -> Result<(), String> {
    std::fs::write(to, text).map_err(|error| format!("cannot write {}: {error}", to.display()))
}

/// Runs a program. Returns the signal that ended it, and its error output.
fn run(program: &Path, args: &[String]) -> Result<(Option<i32>, String), String> {
    use std::os::unix::process::ExitStatusExt as _;
    let failed = |error| format!("cannot run the program: {error}");
    let said = program.with_extension("said");
    let to = std::fs::File::create(&said).map_err(failed)?;
    let mut child = child::command(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(to)
        .spawn()
        .map_err(failed)?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if begin.elapsed() > LONGEST {
            drop(child.kill());
            drop(child.wait());
            return Err("the program does not end without dbverify".into());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let said = std::fs::read(&said).map_err(failed)?;
    Ok((status.signal(), String::from_utf8_lossy(&said).into_owned()))
}

/// Looks for a schedule of the compiled program that shows the error.
fn find(
    asked: &Reproduction<'_>,
    binary: &Path,
    until: Instant,
) -> Result<(Checker, Bug, Lines, Options), String> {
    let mut options = options(asked, binary);
    let (mut why, mut limits) = (String::new(), 0);
    for spurious in [false, true] {
        if spurious && !asked.spurious {
            break;
        }
        let mut program = Program::start(&options)?;
        program.set_longest(SECONDS)?;
        program.set_spurious(spurious);
        program.set_leaks(asked.kind == "leak");
        let lines = Lines::new(&program.maps);
        let mut checker = Checker::new(program, Mode::First);
        let other = RefCell::new(None);
        let wanted = |what: &What| {
            if let What::Ending(Ending::Misuse { text, .. }) = what {
                other.borrow_mut().get_or_insert_with(|| text.clone());
            }
            is_it(asked, what, &lines)
        };
        let strategies = (0..=MOST_DELAYS).map(|k| Strategy::Delays(k, k));
        for strategy in strategies.chain([Strategy::All]) {
            options.strategy = strategy;
            let now = Instant::now();
            // A strategy gets half of the time that is left, so that there is some for the next ones.
            let latest = now + until.saturating_duration_since(now) / 2;
            let budget = match strategy {
                Strategy::Delays(budget, _) => budget,
                _ => 0,
            };
            let done = complete(&mut checker, &options, latest, budget, Some(&wanted))?;
            let (late, more) = (done.0.late, done.2);
            if let Some(bug) = done.0.bug.or(done.0.alike) {
                return Ok((checker, bug, lines, options));
            }
            why = match &checker.problem {
                Some(Problem::Limit(reason)) => {
                    limits += 1;
                    lines.in_words(reason)
                }
                _ if base::work::stopping() => return Err(base::work::INTERRUPTED.into()),
                _ if late => "the time is up".into(),
                _ if done.0.cut > 0 => "some of its executions have more than 10,000 steps".into(),
                _ => format!(
                    "it is in none of its schedules{}",
                    instead(asked, other.borrow().as_deref())
                ),
            };
            let complete = matches!(strategy, Strategy::Delays(..)) && !more && !late;
            if complete || limits == 2 {
                break;
            }
        }
    }
    Err(format!(
        "the compiled program does not show the error: {why}"
    ))
}

/// Why the compiled program may not show an error that the model has.
fn instead(asked: &Reproduction<'_>, other: Option<&str>) -> String {
    match (asked.kind, other) {
        ("race", _) => "; atomic operations order threads there, whatever their memory order".into(),
        (_, Some(other)) => format!("; some of them end with another error: {other}"),
        ("misuse", None) => "; it does not notice every misuse".into(),
        _ if asked.chosen => "; what it reads and what the C library gives it are not the values that the counterexample chooses".into(),
        _ => String::new(),
    }
}

/// Returns the options of the search in the compiled program.
fn options(asked: &Reproduction<'_>, binary: &Path) -> Options {
    let mut program = vec![binary.to_string_lossy().into_owned()];
    program.extend(asked.args.iter().cloned());
    Options {
        program,
        strategy: Strategy::All,
        walks: 0,
        seed: 0,
        races: asked.kind == "race",
        exit_status: false,
        held_locks: false,
        fair: true,
        max_steps: 10_000,
        timeout: asked.timeout,
        env: Vec::new(),
        require_exhaustive: false,
        format: Format::Text,
        input: None,
        beside: super::Beside::default(),
        look: report::style::Look::default(),
    }
}

const MOST_DELAYS: u32 = 4;

/// How many seconds an execution may take at most.
const SECONDS: u64 = 3;

/// Checks whether an error is the wanted one: of its kind, in one of its lines. In other lines an error is alike; but an
/// assertion or a race does not fit there, if the wanted lines are known.
fn is_it(asked: &Reproduction<'_>, what: &What, lines: &Lines) -> Fit {
    if !is_of_kind(asked.kind, what) {
        return Fit::No;
    }
    let at = |addresses: &[u64]| {
        addresses.iter().any(|&address| {
            lines.place(&[address]).is_some_and(|place| {
                let same = |(file, line): &(String, u32)| {
                    *line == place.line && short(file) == short(&place.file)
                };
                asked.places.iter().any(same)
            })
        })
    };
    let with = |pc: u64, frames: &[u64]| {
        let mut all = vec![pc];
        all.extend_from_slice(frames);
        at(&all)
    };
    let is_there = match what {
        What::Ending(Ending::Deadlock) => true,
        What::Race(race) => at(&[race.first.1.pc, race.second.1.pc]),
        What::Ending(Ending::Signal { pc, frames, .. }) => with(pc + u64::from(*pc != 0), frames),
        What::Ending(Ending::Assertion { pc, frames, .. } | Ending::Misuse { pc, frames, .. }) => {
            with(*pc, frames)
        }
        What::Ending(_) => false,
    };
    // Places in headers, and in files with other names, say nothing about the program's lines.
    let known = asked
        .places
        .iter()
        .any(|(file, _)| asked.files.contains(file));
    match (is_there, asked.kind) {
        (true, _) => Fit::Yes,
        (false, "assertion" | "race") if known => Fit::No,
        (false, "race") => Fit::Yes,
        (false, _) => Fit::Alike,
    }
}

/// Checks whether a compiled program that ends like this shows an error of this kind.
fn is_of_kind(kind: &str, what: &What) -> bool {
    match what {
        What::Race(_) => kind == "race",
        What::Ending(Ending::Deadlock) => kind == "deadlock",
        What::Ending(Ending::Assertion { .. }) => kind == "assertion",
        What::Ending(Ending::Misuse { text, .. }) => match text.as_str() {
            text if text.starts_with("memory is used") => matches!(kind, "deref" | "index"),
            text if text.starts_with("memory is kept") => kind == "leak",
            text if text.contains("freed") => kind == "free",
            _ => kind == "misuse",
        },
        What::Ending(Ending::Signal { number, .. }) => match kind {
            "assertion" => *number == 6,
            "deref" => matches!(number, 7 | 11),
            "index" => matches!(number, 4 | 7 | 11),
            "division" => *number == 8,
            "shift" => *number == 4,
            "overflow" => matches!(number, 4 | 8),
            _ => false,
        },
        What::Ending(_) => false,
    }
}

/// Runs the schedule once more, and counts what a program must count to follow it by itself.
fn follow(
    checker: &mut Checker,
    bug: &Bug,
    lines: &Lines,
) -> Result<(Execution, order::Order), String> {
    let request = Request::follow(&bug.schedule);
    let execution = checker.program.count(&request)?;
    if !shows(&bug.what, &steps(&execution), &execution.ending) {
        return Err("the compiled program is not deterministic: its schedule, run again, does not show the error".into());
    }
    let order = order::of(&execution, bug, lines)?;
    Ok((execution, order))
}
