//! `dbverify replay`: from a trace file and the program that it was made for to the execution.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Display, Path};
use std::sync::Arc;
use std::time::Duration;

use answer::{Answer, Engine};
use options::{Limits, Scheduler};
use options::{Memory, PreemptMode};
use report::Subject;
use trace::file::TraceFile;
use trace::{Bug, Trace, replay};
use verify::declarations;
use verify::road::asks_cover;

use super::args::{CommonArgs, Format, ReplayArgs};
use super::c_args::{self, CArgs};
use super::input::{self, Failed, Input};
use super::job::{Files, Job};
use super::memory_args::MemoryArgs;
use super::session::{self, Commands, Replayed};
use super::simulate::{self, Execution};
use super::{diff, output, reproduce, status};

/// How long to look for a schedule of the compiled program.
const REPRODUCING: Duration = Duration::from_secs(300);

/// Shows a counterexample: whole, as a page, or step by step.
///
/// # Errors
/// When it does not fit the program; the user has been told why.
pub fn run(args: &ReplayArgs) -> Result<u8, Failed> {
    let refuse = |message: String| input::refuse(&args.common, &message);
    if args.gdb {
        let message = "--gdb is for a counterexample of `dbverify run`, without a program";
        return Err(refuse(message.into()));
    }
    let asked = |path| reproduce::Asked {
        path,
        timeout: REPRODUCING,
    };
    let files = Files {
        html: args.html.as_deref(),
        reproduce: args.reproduce.as_deref().map(asked),
        ..Files::default()
    };
    let traces = [Some(&args.trace), args.other.as_ref()];
    let read = traces
        .into_iter()
        .flatten()
        .map(|path| (path.as_path(), "the trace"));
    let script = args.script.as_deref().map(|path| (path, "the script"));
    let read: Vec<_> = read.chain(script).collect();
    files.check(&args.common, &read)?;
    unfit(args, &read).map_or(Ok(()), |message| Err(refuse(message)))?;
    let (mut job, file) = read_trace(&args.common, &args.trace)?;
    files.check_used(&job)?;
    if let Some(answer) = refuted(&mut job, &file) {
        return job.finish(&answer, Scheduler::Bag, files);
    }
    let (trace, bug) = followed(&job, &file, &args.trace)?;
    if let Some(other) = &args.other {
        return beside(args, &job, (file.scheduler, &trace, bug), other);
    }
    let mut answer = report::replayed(trace.clone(), bug);
    if let (Some(line), false) = (job.common.cover, answer.bugs.is_empty()) {
        asks_cover(&mut answer, line);
    }
    if let Some(commands) = commands(args).map_err(refuse)? {
        return walk(&job, &answer, (file.scheduler, &trace), commands);
    }
    if answer.bugs.is_empty() {
        let execution = Execution::of_trace(file.scheduler, trace, None);
        return simulate::show(&job, &execution, answer.summary, files);
    }
    job.finish(&answer, file.scheduler, files)
}

/// The answer about a false declaration, if that is what a trace records. No execution refutes it: the solver does so again.
pub fn refuted(job: &mut Job<'_>, file: &TraceFile) -> Option<Answer> {
    if !file.is_without_execution() {
        return None;
    }
    let claims = declarations::prove(&mut job.program, &job.sources, &Limits::default());
    claims.answer(Engine::Explicit, false)
}

/// Runs the schedule of a trace.
///
/// # Errors
/// When it does not fit the program; the user has been told why.
pub fn followed(
    job: &Job<'_>,
    file: &TraceFile,
    path: &Path,
) -> Result<(Trace, Option<Bug>), Failed> {
    let unfit = |error: String| {
        let message = format!("{} does not fit the program: {error}", path.display());
        input::refuse(&job.common, &message)
    };
    let (trace, bug) = replay(&job.program, file.scheduler, &file.schedule).map_err(unfit)?;
    let now = bug
        .as_ref()
        .map(|bug| report::json::error(bug, &job.sources));
    let recorded = &file.error;
    let same =
        |now: &serde_json::Value| ["kind", "line"].iter().all(|key| now[key] == recorded[key]);
    if !recorded.is_null() && !now.as_ref().is_some_and(same) {
        let kind = recorded["kind"].as_str().unwrap_or("?");
        let line = recorded["line"].as_u64();
        let place = line.map_or(String::new(), |line| format!(" in line {line}"));
        return Err(unfit(format!(
            "the error `{kind}`{place}, which it records, does not occur"
        )));
    }
    Ok((trace, bug))
}

/// Why the options do not go together, or why two files are the same.
fn unfit(args: &ReplayArgs, read: &[(&Path, &str)]) -> Option<String> {
    let as_text = args.common.format == Format::Text;
    if args.other.is_some() {
        let for_one = [
            (args.reproduce.is_some(), "--reproduce"),
            (args.script.is_some(), "--script"),
            (!as_text, "--format"),
        ];
        let given = for_one.into_iter().find(|(given, _)| *given);
        return given.map(|(_, name)| format!("{name} is for one trace"));
    }
    if args.script.is_some() && !as_text {
        return Some("--script is answered in text: leave out --format".into());
    }
    let program = (Path::new(&args.common.file), "the program");
    let mut piped =
        (std::iter::once(&program).chain(read)).filter(|(path, _)| *path == Path::new("-"));
    let (one, other) = (piped.next()?.1, piped.next()?.1);
    Some(format!("{one} and {other} cannot both be standard input"))
}

/// Shows two executions of one program as one page.
fn beside(
    args: &ReplayArgs,
    job: &Job<'_>,
    (scheduler, trace, bug): (Scheduler, &Trace, Option<Bug>),
    other: &Path,
) -> Result<u8, Failed> {
    let refuse = |message: String| input::refuse(&args.common, &message);
    let Some(path) = args.html.as_deref() else {
        return Err(refuse(
            "two traces are shown side by side as a page: add --html FILE".into(),
        ));
    };
    let (_, file) = read_trace(&args.common, other)?;
    let (second, own) = followed(job, &file, other)?;
    let both = Trace::beside(trace, &second);
    let steps = (trace.steps.len(), second.steps.len());
    let mut answer = report::replayed(both.clone(), bug.or(own));
    answer.summary = format!("two executions, of {} and of {} steps", steps.0, steps.1);
    let subject = Subject {
        file: &job.input.name,
        sources: &job.sources,
        program: &job.program,
        answer: &answer,
    };
    let command = output::command_line();
    let page = report::html::Page {
        trace: Some(&both),
        scheduler,
        sequential: None,
        command: command.as_deref(),
        decided: false,
        sample: None,
    };
    let page = report::html::page(&subject, &page);
    output::write_file(path, &page).map_err(refuse)?;
    output::print(&format!("{}: {}\n", subject.file, answer.summary));
    Ok(status::of(&answer))
}

/// Reads a trace and the program that it was made for.
///
/// # Errors
/// When it is no trace, or not of this program; the user has been told why.
pub fn read_trace<'a>(asked: &'a CommonArgs, path: &Path) -> Result<(Job<'a>, TraceFile), Failed> {
    let refuse = |message: String| input::refuse(asked, &message);
    let text = input::read(&path.to_string_lossy()).map_err(refuse)?.text;
    let name = path.display();
    if ::run::is_counterexample(&text) {
        return Err(refuse(format!(
            "{name} is a counterexample of `dbverify run`: `dbverify replay {name}` shows it"
        )));
    }
    let json = serde_json::from_str(&text).map_err(|error| refuse(no_json(&name, &error)))?;
    let file = TraceFile::from_json(&json).map_err(|error| refuse(format!("{name}: {error}")))?;
    let common = common(asked, path, &file).map_err(refuse)?;
    let mut input = input::of_program(&common)?;
    in_order(&mut input, &file);
    let job = Job::checked(common, input)?;
    let then = file.texts();
    let mut now = vec![(job.input.name.clone(), job.input.text.to_string())];
    now.extend(job.modules());
    for (index, (called, new)) in now.iter().enumerate() {
        let (made_for, old) = then.get(index).copied().unwrap_or((called, ""));
        let Some(difference) = first_difference(old, new) else {
            continue;
        };
        let refused = refuse(if last(called) == last(made_for) {
            format!("{called} has changed since {name} was made: {difference}")
        } else {
            format!("{name} was made for {made_for}, and not for {called}: {difference}")
        });
        if asked.format == Format::Text {
            let names = (&*format!("{name} (then)"), &*format!("{called} (now)"));
            output::print_error(&diff::unified(old, new, names));
        }
        return Err(refused);
    }
    if let Some((gone, _)) = then.get(now.len()) {
        return Err(refuse(format!("{gone} was used when {name} was made")));
    }
    Ok((job, file))
}

/// The last part of a path.
fn last(path: &str) -> Option<&OsStr> {
    Path::new(path).file_name()
}

/// Puts the files of a program into the order that they had when the trace was made. Finds them by their names, or else by
/// their texts. Changes nothing if the program has other files.
fn in_order(input: &mut Input, file: &TraceFile) {
    let then = file.texts();
    let first = (input.name.clone(), Arc::clone(&input.text));
    let mut now = vec![first];
    now.extend_from_slice(&input.more);
    let place = |(name, text): &(String, Arc<str>)| {
        let by_name = then.iter().position(|(then, _)| then == name);
        by_name.or_else(|| then.iter().position(|(_, then)| *then == &**text))
    };
    let places: Option<BTreeSet<usize>> = now.iter().map(place).collect();
    if places.is_some_and(|places| places.len() == now.len()) {
        now.sort_by_key(place);
        (input.name, input.text) = now.remove(0);
        input.more = now;
    }
}

/// Returns what was asked, completed by the options under which the trace was made.
fn common<'a>(
    asked: &'a CommonArgs,
    path: &Path,
    file: &TraceFile,
) -> Result<Cow<'a, CommonArgs>, String> {
    let (made, given) = (file.preempt, asked.preempt.map(PreemptMode::from));
    let own = || check::preempt_mode(&ast::parser::parse(&file.source, 0).0);
    if !c::is_c(&asked.file) && given.is_some_and(|given| given != made.unwrap_or_else(own)) {
        let message = "it was made under another preemption mode; without --preempt it is replayed under its own";
        return Err(format!("{}: {message}", path.display()));
    }
    let is_read = c::is_c(&asked.file) || asked.c.asks_about_races() || !file.reading.is_empty();
    let reading = match is_read {
        true => Some(reading(asked, path, file)?),
        false => None,
    };
    if asked.cover.is_some() && asked.cover != file.cover {
        let message = match file.cover {
            Some(line) => format!("it was made with --cover {line}"),
            None => "it was made without --cover".to_owned(),
        };
        return Err(format!("{}: {message}", path.display()));
    }
    let (memory, own) = (file.memory, asked.memory.buffered());
    let says = asked.memory.model().is_some() || asked.memory.buffer.is_some();
    if says && own != memory {
        let message =
            "it was made under another memory; without --memory it is replayed under its own";
        return Err(format!("{}: {message}", path.display()));
    }
    let same_cover = asked.cover.is_some() || file.cover.is_none();
    let same_mode = made == given.or(made) && (made.is_none() || given.is_some());
    if same_mode && same_cover && reading.is_none() && own == memory && own.memory == Memory::Sc {
        return Ok(Cow::Borrowed(asked));
    }
    let mut common = asked.clone();
    common.cover = asked.cover.or(file.cover);
    common.preempt = asked.preempt.or(made.map(Into::into));
    common.memory = MemoryArgs::of(memory);
    common.c = reading.unwrap_or(common.c);
    Ok(Cow::Owned(common))
}

/// Returns how a program is read: as when the trace was made.
fn reading(asked: &CommonArgs, path: &Path, file: &TraceFile) -> Result<CArgs, String> {
    let shown = path.display();
    let made = CArgs::of_words(&file.reading);
    let made = made.map_err(|why| format!("{shown}: `reading`: {why}"))?;
    let other = |other: c_args::Given| {
        let name = other.name;
        format!(
            "{shown}: it was made under other options for C; without {name} it is replayed under its own"
        )
    };
    asked.c.under(made).map_err(other)
}

/// Says why a file is no trace: maybe the two files stand in the wrong order.
fn no_json(name: &Display<'_>, error: &serde_json::Error) -> String {
    if name.to_string().ends_with(".async") {
        return format!("{name} is no trace: the program comes first, then the trace");
    }
    format!("{name} is no trace that --trace-out wrote, or only a part of one: {error}")
}

/// Where the commands of a session come from, if there is to be one.
fn commands(args: &ReplayArgs) -> Result<Option<Commands>, String> {
    let free = !args.print
        && args.html.is_none()
        && args.reproduce.is_none()
        && args.common.format == Format::Text
        && args.common.file != "-"
        && args.trace != Path::new("-");
    session::commands(args.script.as_deref(), free)
}

/// Runs a session at a prompt or by script.
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
        .map_err(|message| input::refuse(&job.common, &message))?;
    Ok(if answer.bugs.is_empty() {
        status::SAFE
    } else {
        status::BUG
    })
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
