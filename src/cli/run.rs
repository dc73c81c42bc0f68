//! The commands, each from arguments to exit status.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use crate::answer::{Answer, Engine, Figure, Verdict};
use crate::explore::explore;
use crate::ir::Program;
use crate::options::{Limits, Scheduler};
use crate::report::{self, Subject};
use crate::seq;
use crate::seq::print::{About, emit_boogie, emit_seq};
use crate::source::SourceMap;
use crate::stack::on_big_stack;
use crate::trace::file::TraceFile;
use crate::trace::{Decision, Trace, replay};
use crate::verify::declarations::{Proofs, prove};
use crate::verify::engines::{by_exploration, by_fitting, cross_check};
use crate::verify::{emit_smt, verify};
use crate::work;

use super::args::{
    CheckArgs, Cli, Color, Command, CommonArgs, EngineChoice, ExplainArgs, ExploreArgs, FmtArgs,
    Format, ReplayArgs, VerifyArgs,
};
use super::input::{self, Failed, Input};
use super::progress::Progress;
use super::session::{self, Commands, Replayed};
use super::{diff, doctor, emit, explain, output, pages};

/// No bug within the stated bounds; nothing to complain about.
const SAFE: u8 = 0;
/// A bug; `fmt --check`: not in the standard format.
const BUG: u8 = 1;
/// The input or the command line is wrong.
const WRONG_INPUT: u8 = 2;
/// A limit was hit, or the engine gave up.
const INCONCLUSIVE: u8 = 3;
/// Ctrl-C, before anything was settled.
const INTERRUPTED: u8 = 130;

/// Runs a command line and says how it went.
#[must_use]
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::read(args) {
        Ok(cli) => cli,
        Err(error) => {
            let status = if error.use_stderr() {
                WRONG_INPUT
            } else {
                SAFE
            };
            // Nothing can be said when the place to say it is closed.
            drop(error.print());
            return status.into();
        }
    };
    if matches!(
        cli.command,
        Command::Verify(_) | Command::Explore(_) | Command::Replay(_)
    ) {
        listen();
    }
    let run = || std::panic::catch_unwind(|| dispatch(&cli));
    on_big_stack(run)
        .unwrap_or_else(|_| internal_error())
        .into()
}

/// The first Ctrl-C asks the engines to stop and to say what is known; a second one ends the program at once.
fn listen() {
    let pressed = || {
        if work::stop() {
            std::process::exit(INTERRUPTED.into());
        }
        std::thread::spawn(|| {
            std::thread::sleep(GRACE);
            if !work::settled() {
                output::print_error("interrupted; nothing has been settled\n");
                std::process::exit(INTERRUPTED.into());
            }
        });
    };
    // Without a handler Ctrl-C ends the program, as it always does.
    if ctrlc::set_handler(pressed).is_ok() {
        work::listen();
    }
}

/// Who has been asked to stop and does not notice is stopped after that time.
const GRACE: Duration = Duration::from_secs(3);

fn dispatch(cli: &Cli) -> u8 {
    let done = match &cli.command {
        Command::Verify(args) => run_verify(args),
        Command::Explore(args) => run_explore(args),
        Command::Replay(args) => run_replay(args),
        Command::Check(args) => Ok(run_check(args)),
        Command::Fmt(args) => Ok(run_fmt(args)),
        Command::Lsp(_) => Ok(crate::lsp::run()),
        Command::Emit(args) => emit::run(args).map(|same| if same { SAFE } else { BUG }),
        Command::Explain(args) => run_explain(args),
        Command::Completions(args) => {
            output::print(&pages::completions(args.shell));
            Ok(SAFE)
        }
        Command::Man(args) => pages::man(args).map(|()| SAFE).map_err(complain),
        Command::Doctor => Ok(run_doctor()),
    };
    done.unwrap_or(WRONG_INPUT)
}

/// Says what is wrong with a command line that concerns no program.
fn complain(message: String) -> Failed {
    output::print_error(&format!("error: {message}\n"));
    Failed
}

fn run_explain(args: &ExplainArgs) -> Result<u8, Failed> {
    let text = match &args.kind {
        None => Ok(explain::list()),
        Some(kind) if args.example => explain::example(kind),
        Some(kind) => explain::explain(kind),
    };
    output::print(&text.map_err(complain)?);
    Ok(SAFE)
}

fn run_doctor() -> u8 {
    let (findings, well) = doctor::examine();
    output::print(&findings);
    if well { SAFE } else { BUG }
}

/// A panic is a fault of ours, never of the input; its message is on standard error already.
fn internal_error() -> u8 {
    output::print_error(
        "dbverify: internal error: this is a fault of dbverify, not of your program.\n\
         Please report it with the program, the command line and the lines above.\n",
    );
    INCONCLUSIVE
}

/// A loaded program and what belongs to it.
struct Job<'a> {
    common: &'a CommonArgs,
    input: Input,
    sources: SourceMap,
    program: Program,
    /// What came of its declarations.
    proofs: Proofs,
}

impl<'a> Job<'a> {
    fn load(common: &'a CommonArgs, limits: &Limits) -> Result<Self, Failed> {
        let (input, sources, mut program) = input::load(common)?;
        let proofs = prove(&mut program, &sources, limits);
        Ok(Self {
            common,
            input,
            sources,
            program,
            proofs,
        })
    }

    /// The answer: that a declaration is false, or what an engine says.
    fn decide(&self, engine: Engine, all: bool, run: impl FnOnce() -> Answer) -> Answer {
        self.proofs.answer(engine, all).unwrap_or_else(|| {
            let mut answer = run();
            answer.notes.extend_from_slice(&self.proofs.unproved);
            answer
        })
    }

    /// Shows an answer, writes what is to be written of it, and gives the exit status.
    fn finish(
        &self,
        answer: &Answer,
        scheduler: Scheduler,
        files: Files<'_>,
    ) -> Result<u8, Failed> {
        work::settle();
        let (file, sources, program) = (self.input.name.as_str(), &self.sources, &self.program);
        let subject = Subject {
            file,
            sources,
            program,
            answer,
        };
        if let Some(path) = files.trace {
            self.write_trace(&subject, scheduler, path)?;
        }
        if let Some(path) = files.html {
            let sequential = self.sequential(answer, scheduler);
            let page = report::html::page(&subject, sequential.as_deref());
            output::write_file(path, &page)
                .map_err(|message| input::refuse(self.common, &message))?;
        }
        output::print(&match self.common.format {
            Format::Text => report::text::answer(&subject, output::look(self.common.color)),
            Format::Json => report::json::answer(&subject) + "\n",
            Format::Sarif => report::sarif::answer(&subject) + "\n",
        });
        Ok(match answer.verdict {
            Verdict::Safe => SAFE,
            Verdict::Bug => BUG,
            Verdict::Inconclusive(_) if work::stopping() => INTERRUPTED,
            Verdict::Inconclusive(_) => INCONCLUSIVE,
        })
    }

    /// The sequential program of an answer about delays, as it is shown beside the original one.
    fn sequential(&self, answer: &Answer, scheduler: Scheduler) -> Option<String> {
        let named = (answer.bounds.iter()).find_map(|(name, figure)| match figure {
            Figure::Count(n) if *name == "delays" => u32::try_from(*n).ok(),
            _ => None,
        });
        // A replayed trace has no bounds; the delays that it spends are the least that show it.
        let delays = named.or_else(|| spent(answer))?;
        let depth_first = matches!(
            scheduler,
            Scheduler::DepthFirst | Scheduler::ReverseDepthFirst
        );
        if !depth_first || delays > MOST_SHOWN {
            return None;
        }
        let sequential = seq::sequentialize(&self.program, delays, scheduler);
        let about = About {
            file: &self.input.name,
            sources: &self.sources,
        };
        Some(emit_seq(&sequential, about))
    }

    fn write_trace(
        &self,
        subject: &Subject<'_>,
        scheduler: Scheduler,
        path: &Path,
    ) -> Result<(), Failed> {
        let Some(bug) = subject.answer.bugs.first() else {
            return Ok(());
        };
        let file = TraceFile {
            source: self.input.text.clone(),
            preempt: self.common.preempt.map(Into::into),
            scheduler,
            schedule: bug.trace.schedule.clone(),
        };
        let steps = report::json::trace(&bug.trace.steps, subject.sources);
        let json = file.to_json(subject.file, report::json::error(bug, subject), steps);
        let text = format!("{json:#}\n");
        output::write_file(path, &text).map_err(|message| input::refuse(self.common, &message))
    }
}

/// The delays that a replayed counterexample spends.
fn spent(answer: &Answer) -> Option<u32> {
    let bug = answer.bugs.first().filter(|_| answer.bounds.is_empty())?;
    let decisions = bug.trace.schedule.decisions.iter();
    let delays = decisions.filter(|d| matches!(d, Decision::Delay(_)));
    u32::try_from(delays.count()).ok()
}

/// With more delays nobody reads the sequential program.
const MOST_SHOWN: u32 = 16;

/// What is written beside the answer.
#[derive(Clone, Copy, Default)]
struct Files<'a> {
    trace: Option<&'a Path>,
    html: Option<&'a Path>,
}

fn run_verify(args: &VerifyArgs) -> Result<u8, Failed> {
    let options = args.options();
    let progress = Progress::start(args.common.format == Format::Text);
    let job = Job::load(&args.common, &options.limits)?;
    if args.emit_seq || args.emit_boogie || args.emit_smt {
        return emit(args, &job);
    }
    let (program, sources) = (&job.program, &job.sources);
    let engine = match args.engine {
        EngineChoice::Explicit => Engine::Explicit,
        EngineChoice::Smt | EngineChoice::Auto => Engine::Smt,
    };
    let answer = job.decide(engine, false, || match args.engine {
        _ if args.cross_check => cross_check(program, sources, &options),
        EngineChoice::Smt => verify(program, sources, &options),
        EngineChoice::Explicit => by_exploration(program, &options),
        EngineChoice::Auto => by_fitting(program, sources, &options),
    });
    drop(progress);
    let files = Files {
        trace: args.trace_out.as_deref(),
        html: args.html.as_deref(),
    };
    job.finish(&answer, options.scheduler, files)
}

/// Prints a translation. Of a range of delays the greatest counts.
fn emit(args: &VerifyArgs, job: &Job<'_>) -> Result<u8, Failed> {
    let options = args.options();
    if !job.proofs.refuted.is_empty() {
        let (format, color) = (args.common.format, args.common.color);
        let wrong = job.proofs.diagnostics();
        input::show((format, color), &job.input.name, &job.sources, &wrong);
        return Err(Failed);
    }
    let sequential = seq::sequentialize(&job.program, options.delays_to, options.scheduler);
    let about = About {
        file: &job.input.name,
        sources: &job.sources,
    };
    let text = if args.emit_seq {
        emit_seq(&sequential, about)
    } else if args.emit_boogie {
        emit_boogie(&sequential, about, options.unroll)
    } else {
        emit_smt(&job.input.name, &job.program, &job.sources, &options)
            .map_err(|reason| input::refuse(&args.common, &reason))?
    };
    output::print(&text);
    Ok(SAFE)
}

fn run_explore(args: &ExploreArgs) -> Result<u8, Failed> {
    let progress = args.common.format == Format::Text && std::io::stderr().is_terminal();
    let options = args
        .options(progress)
        .map_err(|message| input::refuse(&args.common, &message))?;
    let job = Job::load(&args.common, &options.limits)?;
    let answer = job.decide(Engine::Explicit, options.all, || {
        explore(&job.program, &options)
    });
    let files = Files {
        trace: args.trace_out.as_deref(),
        html: args.html.as_deref(),
    };
    job.finish(&answer, options.scheduler, files)
}

fn run_replay(args: &ReplayArgs) -> Result<u8, Failed> {
    let refuse = |message: String| input::refuse(&args.common, &message);
    let text = input::read(&args.trace.to_string_lossy())
        .map_err(refuse)?
        .text;
    let name = args.trace.display();
    let json = serde_json::from_str(&text).map_err(|error| refuse(format!("{name}: {error}")))?;
    let file = TraceFile::from_json(&json).map_err(|error| refuse(format!("{name}: {error}")))?;
    let job = Job::load(&args.common, &Limits::default())?;
    if let Some(difference) = first_difference(&file.source, &job.input.text) {
        let refused = refuse(format!(
            "{} has changed since {name} was made: {difference}",
            job.input.name
        ));
        if args.common.format == Format::Text {
            let names = (
                &*format!("{name} (then)"),
                &*format!("{} (now)", job.input.name),
            );
            output::print_error(&diff::unified(&file.source, &job.input.text, names));
        }
        return Err(refused);
    }
    // What refutes a declaration is no execution of the program; it is found again.
    if let Some(answer) = job.proofs.answer(Engine::Explicit, false) {
        return job.finish(&answer, Scheduler::Bag, Files::default());
    }
    let (trace, bug) = replay(&job.program, file.scheduler, &file.schedule)
        .map_err(|error| refuse(format!("{name} does not fit the program: {error}")))?;
    let answer = report::replayed(trace.clone(), bug);
    if let Some(commands) = commands(args).map_err(refuse)? {
        return walk(&job, &answer, (file.scheduler, &trace), commands);
    }
    let files = Files {
        html: args.html.as_deref(),
        ..Files::default()
    };
    job.finish(&answer, file.scheduler, files)
}

/// Where the commands of a session come from, if there is to be one.
fn commands(args: &ReplayArgs) -> Result<Option<Commands>, String> {
    let free = !args.print
        && args.html.is_none()
        && args.common.format == Format::Text
        && args.common.file != "-"
        && args.trace != Path::new("-");
    session::commands(args.script.as_deref(), free)
}

/// A session at a prompt or by script.
fn walk(
    job: &Job<'_>,
    answer: &Answer,
    (scheduler, trace): (Scheduler, &Trace),
    commands: Commands,
) -> Result<u8, Failed> {
    let subject = Subject {
        file: &job.input.name,
        sources: &job.sources,
        program: &job.program,
        answer,
    };
    let replayed = Replayed {
        subject: &subject,
        scheduler,
        trace,
        bug: answer.bugs.first(),
    };
    session::run(replayed, commands, output::look(job.common.color))
        .map_err(|message| input::refuse(job.common, &message))?;
    Ok(if answer.bugs.is_empty() { SAFE } else { BUG })
}

/// The first line in which two texts differ, in words.
fn first_difference(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let mut lines = (1..).zip(
        old.lines()
            .map(Some)
            .chain(std::iter::repeat(None))
            .zip(new.lines().map(Some).chain(std::iter::repeat(None))),
    );
    let (number, (was, is)) = lines.find(|(_, (was, is))| was != is || was.is_none())?;
    let quote =
        |line: Option<&str>| line.map_or("missing".to_owned(), |l| format!("`{}`", l.trim()));
    Some(match (was, is) {
        (None, None) => "line breaks differ".to_owned(),
        _ => format!("line {number} was {} and is {}", quote(was), quote(is)),
    })
}

fn run_check(args: &CheckArgs) -> u8 {
    let common = &args.common;
    let input = match input::read(&common.file) {
        Ok(input) => input,
        Err(message) => {
            input::refuse(common, &message);
            return WRONG_INPUT;
        }
    };
    let mut checked = input::check(common, &input);
    if let Some(program) = &mut checked.program {
        let proofs = prove(program, &checked.sources, &Limits::default());
        checked.diagnostics.extend(proofs.diagnostics());
        checked.program.take_if(|_| !proofs.refuted.is_empty());
    }
    if common.format != Format::Text || !checked.diagnostics.is_empty() {
        input::show(
            (common.format, common.color),
            &input.name,
            &checked.sources,
            &checked.diagnostics,
        );
    }
    if checked.program.is_some() {
        SAFE
    } else {
        WRONG_INPUT
    }
}

fn run_fmt(args: &FmtArgs) -> u8 {
    match format(args) {
        Ok(status) => status,
        Err(message) => {
            output::print_error(&format!("error: {message}\n"));
            WRONG_INPUT
        }
    }
}

fn format(args: &FmtArgs) -> Result<u8, String> {
    let input = input::read(&args.file)?;
    let formatted = match crate::ast::print::format(&input.text, 0) {
        Ok(text) => text,
        Err(diagnostics) => {
            let mut sources = SourceMap::new();
            sources.add(input.name.as_str(), input.text)?;
            input::show(
                (Format::Text, Color::Auto),
                &input.name,
                &sources,
                &diagnostics,
            );
            return Ok(WRONG_INPUT);
        }
    };
    if args.check {
        if formatted == input.text {
            return Ok(SAFE);
        }
        output::print(&format!("{} is not in the standard format\n", input.name));
        return Ok(BUG);
    }
    if args.write && args.file != "-" {
        if formatted != input.text {
            output::write_file(Path::new(&args.file), &formatted)?;
        }
        return Ok(SAFE);
    }
    output::print(&formatted);
    Ok(SAFE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named_by_line() {
        assert_eq!(first_difference("a\nb", "a\nb"), None);
        assert_eq!(
            first_difference("a\nb\n", "a\nc\n").unwrap(),
            "line 2 was `b` and is `c`"
        );
        assert_eq!(
            first_difference("a\n", "a\nb\n").unwrap(),
            "line 2 was missing and is `b`"
        );
        assert_eq!(
            first_difference("a\n", "a\r\n").unwrap(),
            "line breaks differ"
        );
    }
}
