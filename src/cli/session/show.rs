//! What a walk shows: the place, values, tasks, source.

use std::fmt::Write as _;

use base::source::{SourceFile, SourceMap, Span};
use base::suggest::closest;
use ir::Program;
use report::lines::tasks as names;
use report::style::{clean, cut};
use report::words;
use trace::state::{State, TaskState, Variable};
use trace::{Happening, StepKind, TraceStep};

use super::command::Place;
use super::walk::Walk;

/// Longer values are cut.
const LONGEST: usize = 2000;
/// How many lines of source are shown on each side of a line.
const AROUND: u32 = 4;

fn sources<'a>(walk: &Walk<'a>) -> &'a SourceMap {
    walk.replayed.subject.sources
}

/// The file that a person means, and a line of it; without a name the program's first.
pub fn named<'a>(walk: &Walk<'a>, place: &Place) -> Result<&'a SourceFile, String> {
    let files = sources(walk).files();
    let Some(name) = &place.file else {
        return files.first().ok_or("there is no source here".to_owned());
    };
    let known = |file: &&SourceFile| file.name == *name || file.short_name() == name;
    files.iter().find(known).ok_or_else(|| {
        let near = closest(name, files.iter().map(SourceFile::short_name));
        let meant = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        format!("the program has no file `{name}`{meant}")
    })
}

/// The line that a step is on, if it is in that file.
pub fn line(walk: &Walk<'_>, file: &SourceFile, step: &TraceStep) -> Option<u32> {
    let span = step.span?;
    let own = sources(walk).file_of(span.start)?;
    (own.start == file.start).then(|| sources(walk).line(span))
}

/// `line 12`, or `sync:12` for a line of the library.
fn location(sources: &SourceMap, span: Span) -> String {
    let Some(at) = sources.locate(span) else {
        return String::new();
    };
    match sources.file_of(span.start) {
        Some(file) if file.start > 0 => format!("{}:{}", sources.clear_name(file), at.line),
        _ => format!("line {}", at.line),
    }
}

/// Where the walk is: the last step done.
pub fn place(walk: &Walk<'_>) -> String {
    let most = walk.steps().len();
    let Some(step) = walk.step() else {
        return format!("0/{most}  at the start\n");
    };
    let mut out = format!("{}/{most}  ", walk.done);
    if let Happening::Title(title) = step.happening {
        let _ = writeln!(out, "-- {}", words::title(title));
        return out;
    }
    if walk.steps().iter().any(|s| s.round > 0) {
        let _ = write!(out, "round {}, ", step.round);
    }
    match step.task {
        0 => out.push_str("finally"),
        task => {
            let name = names(walk.replayed.trace).remove(&task).unwrap_or_default();
            let _ = write!(out, "task {task} ({name})");
        }
    }
    if let Some(span) = step.span {
        let _ = write!(out, ", {}", location(sources(walk), span));
    }
    let action = words::action(step, walk.replayed.trace.dialect);
    let text = action + &words::News::of(step).bracket();
    let _ = writeln!(out, ": {}", cut(&clean(&text), LONGEST));
    if step.kind() == StepKind::Fails && !step.values.is_empty() {
        let values: Vec<String> = step
            .values
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect();
        let _ = writeln!(out, "  {}", cut(&clean(&values.join(", ")), LONGEST));
    }
    if let Some(bug) = walk.replayed.bug.filter(|_| walk.done == most) {
        let _ = writeln!(out, "{}: {}", bug.kind.name(), clean(&report::message(bug)));
    }
    out
}

fn row(name: &str, variable: &Variable, program: &Program) -> String {
    let value = variable.value.show(&program.types, variable.ty);
    format!("  {name} = {}\n", cut(&clean(&value), LONGEST))
}

pub fn globals(state: &State, program: &Program) -> String {
    let rows = state.globals.iter().map(|g| row(&g.name, g, program));
    or_none(rows.collect(), "globals")
}

fn or_none(text: String, what: &str) -> String {
    if text.is_empty() {
        return format!("  no {what}\n");
    }
    text
}

/// The locals of a task, those of its callers below.
pub fn locals(walk: &Walk<'_>, number: u32) -> Result<String, String> {
    let state = walk.state();
    let Some(task) = state.tasks.iter().find(|t| t.number == number) else {
        return Err(gone(walk, number));
    };
    let mut out = String::new();
    for activation in task.activations.iter().rev() {
        let _ = writeln!(out, "{}:", activation.proc);
        let rows = activation.locals.iter();
        let rows: String = rows.map(|l| row(&l.name, l, walk.program())).collect();
        out.push_str(&or_none(rows, "locals"));
    }
    Ok(out)
}

/// Says why a task has no locals.
fn gone(walk: &Walk<'_>, number: u32) -> String {
    gone_named(walk, number, &format!("task {number}"))
}

/// Says the same, with these words for the task.
fn gone_named(walk: &Walk<'_>, number: u32, task: &str) -> String {
    let acts = |steps: &[TraceStep]| steps.iter().any(|s| s.task == number);
    if number > 0 && acts(&walk.steps()[..walk.done]) {
        format!("{task} has finished")
    } else if names(walk.replayed.trace).contains_key(&number) {
        format!("{task} has not begun")
    } else {
        format!("there is no {task}; `tasks` lists them")
    }
}

/// All globals, and the locals of the task that acts.
pub fn everything(walk: &Walk<'_>) -> String {
    let mut out = globals(&walk.state(), walk.program());
    if let Ok(locals) = locals(walk, walk.task()) {
        out.push_str(&locals);
    }
    out
}

pub fn without_blanks(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect()
}

/// One value, with its name.
pub fn value(walk: &Walk<'_>, name: &str) -> Result<String, String> {
    let value = found(walk, &without_blanks(name), walk.task())?;
    Ok(format!("  {name} = {}\n", cut(&clean(&value), LONGEST)))
}

/// The value of a variable or a part of one, by its name without blanks, as that task sees it.
pub fn found(walk: &Walk<'_>, name: &str, task: u32) -> Result<String, String> {
    let state = walk.state();
    let all = visible(&state, task);
    let fits = |known: &str| {
        let rest = name.strip_prefix(known)?;
        (rest.is_empty() || rest.starts_with(['[', '.'])).then_some(rest.to_owned())
    };
    let mut wrong = None;
    for (known, variable) in &all {
        let Some(path) = fits(known) else { continue };
        match variable.part(walk.program(), &path) {
            Some(value) => return Ok(value),
            None => wrong = Some(format!("`{known}` has no part `{path}` here")),
        }
    }
    let near = closest(name, all.iter().map(|(n, _)| n.as_str()));
    Err(wrong.unwrap_or_else(|| unknown(name, near)))
}

/// Says that there is no variable of this name.
pub fn unknown(name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("there is no variable `{name}` here; did you mean `{near}`?"),
        None => format!("there is no variable `{name}` here; `print` shows those that there are"),
    }
}

/// All names with their variables: the locals of the task that acts, globals, then the locals of all by their procedures.
fn visible(state: &State, acting: u32) -> Vec<(String, &Variable)> {
    let own = |t: &&TaskState| t.number == acting;
    let top = state
        .tasks
        .iter()
        .find(own)
        .and_then(|t| t.activations.last());
    let locals = top.into_iter().flat_map(|a| &a.locals);
    let short = locals.map(|l| (l.name.clone(), l));
    let globals = state.globals.iter().map(|g| (g.name.clone(), g));
    let mut order: Vec<&TaskState> = state.tasks.iter().collect();
    order.sort_by_key(|t| t.number != acting);
    let long = order.into_iter().flat_map(|t| t.activations.iter().rev());
    let long = long.flat_map(|a| {
        a.locals
            .iter()
            .map(|l| (format!("{}.{}", a.proc, l.name), l))
    });
    short.chain(globals).chain(long).collect()
}

/// Where each task is.
pub fn tasks(walk: &Walk<'_>) -> String {
    let state = walk.state();
    let mut out = String::new();
    for (number, name) in names(walk.replayed.trace) {
        let Some(task) = state.tasks.iter().find(|t| t.number == number) else {
            if number > 0 {
                let _ = writeln!(
                    out,
                    "  {}",
                    gone_named(walk, number, &format!("task {number} ({name})"))
                );
            }
            continue;
        };
        let _ = writeln!(out, "  {}", whereabouts(walk, task, &name));
    }
    out
}

fn whereabouts(walk: &Walk<'_>, task: &TaskState, name: &str) -> String {
    let how = match (task.running, task.waiting) {
        (true, _) => "runs",
        (_, true) => "waits",
        _ => "is pending",
    };
    let mut text = format!("task {} ({name}) {how}", task.number);
    let Some(top) = task.activations.last() else {
        return text;
    };
    if top.proc != name {
        let _ = write!(text, " in {}", top.proc);
    }
    match top.next {
        Some(span) => {
            let _ = write!(text, ", next {}", location(sources(walk), span));
        }
        None => text.push_str(", at its end"),
    }
    text
}

/// Lines of the source, the current one marked.
pub fn source(walk: &Walk<'_>, around: Option<&Place>) -> Result<String, String> {
    let current = walk.step().and_then(|s| s.span);
    let file = match (around, current) {
        (Some(place), _) => Some(named(walk, place)?),
        (None, Some(span)) => sources(walk).file_of(span.start),
        (None, None) => sources(walk).files().first(),
    };
    let Some(file) = file else {
        return Err("there is no source here".to_owned());
    };
    let here = current
        .filter(|s| {
            sources(walk)
                .file_of(s.start)
                .is_some_and(|f| f.start == file.start)
        })
        .map(|s| sources(walk).line(s));
    let last = u32::try_from(file.text.lines().count()).unwrap_or(u32::MAX);
    let middle = around.map(|place| place.line).or(here).unwrap_or(1);
    if middle == 0 || middle > last {
        return Err(format!("{} has {last} lines", file.name));
    }
    let mut out = String::new();
    for number in middle.saturating_sub(AROUND).max(1)..=middle.saturating_add(AROUND).min(last) {
        let mark = if here == Some(number) { '>' } else { ' ' };
        let text = clean(file.line_text(number));
        let _ = writeln!(out, "{}", format!("{mark}{number:>4} | {text}").trim_end());
    }
    Ok(out)
}
