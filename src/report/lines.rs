//! A trace as lines: the words of its steps, without those that a person need not read.

use std::collections::BTreeMap;

use base::source::{SourceMap, Span};
use ir::Dialect;
use trace::{Change, Ended, Happening, Segment, StepKind, Trace, TraceStep};

use super::words::{self, News};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The first step that the line is about, as an index. Below, the last one.
    pub first: usize,
    pub step: usize,
    /// The task; 0 for `finally`.
    pub task: u32,
    pub round: u32,
    /// Where, as it is written before the line; may be empty.
    pub place: String,
    pub text: String,
    /// The changes, while later steps may still be added to the line.
    news: News,
    pub kind: StepKind,
    /// A remark if the task acts on a value that has changed since the task read it; else empty.
    pub stale: String,
    /// Whether the task ends here.
    pub last: bool,
    /// For how many rounds of a loop the line stands.
    pub rounds: usize,
}

pub(super) fn lines(trace: &Trace, sources: &SourceMap) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut silent = silent(trace).peekable();
    for (index, step) in trace.steps.iter().enumerate() {
        while let Some(line) = silent.next_if(|l| l.step <= index) {
            lines.push(line);
        }
        let merged = lines
            .last_mut()
            .is_some_and(|before| merges(before, step, index, trace, sources));
        if !merged {
            lines.push(line(step, index, trace, sources));
        }
    }
    lines.extend(silent);
    for line in &mut lines {
        let news = std::mem::take(&mut line.news);
        line.text.push_str(&news.bracket());
        if let Some(stale) = trace.steps.get(line.step).and_then(|s| s.stale.as_ref()) {
            let place =
                |step: &TraceStep| step.span.map_or_else(String::new, |s| place(sources, s));
            line.stale = words::stale(trace, stale, place);
        }
    }
    mark_ends(&mut lines, trace);
    lines
}

/// Makes lines for segments without steps, unless the same task runs directly before or after.
fn silent(trace: &Trace) -> impl Iterator<Item = Line> {
    let all = &trace.segments;
    let task = |i: Option<usize>| i.and_then(|i| all.get(i)).map(|s| s.task);
    let empty = all.iter().enumerate().filter(move |&(i, s)| {
        let next = all.get(i + 1).map_or(trace.steps.len(), |n| n.first);
        let alone = task(i.checked_sub(1)) != Some(s.task) && task(Some(i + 1)) != Some(s.task);
        next <= s.first && alone && s.task > 0
    });
    empty.map(|(_, segment)| quiet(segment))
}

/// Makes a line for a segment without steps.
fn quiet(segment: &Segment) -> Line {
    Line {
        first: segment.first,
        step: segment.first,
        task: segment.task,
        round: segment.round,
        place: String::new(),
        text: match segment.end {
            Ended::Finished => "runs to its end".to_owned(),
            _ => "runs".to_owned(),
        },
        news: News::default(),
        kind: StepKind::Does,
        stale: String::new(),
        last: segment.end == Ended::Finished,
        rounds: 0,
    }
}

fn line(step: &TraceStep, index: usize, trace: &Trace, sources: &SourceMap) -> Line {
    Line {
        first: index,
        step: index,
        task: step.task,
        round: step.round,
        place: step_place(trace, index, sources),
        text: match &step.happening {
            Happening::Title(title) => words::title(*title).to_owned(),
            _ => words::action(step, trace.dialect),
        },
        news: News::of(step),
        kind: step.kind(),
        stale: String::new(),
        last: false,
        rounds: 0,
    }
}

/// Adds a step to the line before, if both belong to one operation or one initialisation. Returns whether it did.
fn merges(
    before: &mut Line,
    step: &TraceStep,
    index: usize,
    trace: &Trace,
    sources: &SourceMap,
) -> bool {
    let Some(last) = index.checked_sub(1).and_then(|i| trace.steps.get(i)) else {
        return false;
    };
    let plain = |s: &TraceStep| s.kind() == StepKind::Does;
    let calls = |s: &TraceStep| matches!(s.happening, Happening::Called { .. });
    let continues =
        plain(step) && plain(last) && last.task == step.task && before.step + 1 == index;
    let enters = step.span == last.span && calls(step) && !calls(last);
    let awaited = |s: &TraceStep| {
        matches!(
            s.happening,
            Happening::Awaited { .. } | Happening::Operated { .. }
        )
    };
    // A call of C's library that waits, and what it does then, are one line.
    let acts = |s: &TraceStep| awaited(s) || matches!(s.happening, Happening::Assigned { .. });
    let waited = trace.dialect == Dialect::C && awaited(&trace.steps[before.first]);
    let waits = waited && step.span.is_some() && step.span == last.span && acts(step);
    let inside = step.span.is_some_and(|s| !sources.is_users(s));
    let filled = filled(&trace.steps[before.first], step);
    let filled = filled.filter(|_| trace.dialect == Dialect::C);
    if !continues || !(enters || inside || waits || filled.is_some()) {
        return false;
    }
    if let Some(whole) = filled {
        before.news.without_same();
        // The program does not say with what the whole is cleared.
        before.text = format!("{whole} = {{...}}");
    }
    // The library's own locals do not matter to a person.
    let own = |c: &&Change| inside && c.proc.as_ref() == Some(&step.proc);
    let shared = step.changed.iter().filter(|c| !own(c));
    shared.for_each(|change| before.news.add(change));
    before.step = index;
    true
}

/// A step clears a whole variable, and the next one gives a part its initial value. Returns the variable.
fn filled(cleared: &TraceStep, step: &TraceStep) -> Option<String> {
    let place = |s: &TraceStep| match &s.happening {
        Happening::Assigned { place, .. } => Some(place.clone()),
        _ => None,
    };
    let (whole, part) = (place(cleared)?, place(step)?);
    let behind = part.strip_prefix(&whole)?;
    let is_part = cleared.span == step.span && behind.starts_with(['[', '.']);
    is_part.then_some(whole)
}

/// Returns where in the user's files a task was last, before a step. A step in the library is shown there.
pub(super) fn users_span(
    trace: &Trace,
    sources: &SourceMap,
    task: u32,
    before: usize,
) -> Option<Span> {
    let steps = trace.steps[..before].iter().rev();
    let mut own = steps
        .filter(|step| step.task == task)
        .filter_map(|step| step.span);
    own.find(|&span| sources.is_users(span))
}

/// Where a step is shown.
fn step_place(trace: &Trace, index: usize, sources: &SourceMap) -> String {
    let step = &trace.steps[index];
    let Some(span) = step.span else {
        return String::new();
    };
    let own = Some(span).filter(|&span| sources.is_users(span));
    let shown = own.or_else(|| users_span(trace, sources, step.task, index));
    place(sources, shown.unwrap_or(span))
}

/// The line, with the file's name if it is not the program's own.
#[must_use]
pub fn place(sources: &SourceMap, span: Span) -> String {
    let Some(at) = sources.locate(span) else {
        return String::new();
    };
    match sources.file_of(span.start) {
        Some(file) if file.start > 0 => format!("{}:{}", sources.clear_name(file), at.line),
        _ => at.line.to_string(),
    }
}

/// Says at the last line of each segment how it ended, where another task goes on.
fn mark_ends(lines: &mut [Line], trace: &Trace) {
    let mut next_line = 0;
    for (index, segment) in trace.segments.iter().enumerate() {
        let next = trace.segments.get(index + 1);
        let end = next.map_or(trace.steps.len(), |s| s.first);
        let from = next_line;
        while lines.get(next_line).is_some_and(|l| l.step < end) {
            next_line += 1;
        }
        let mine = |l: &&mut Line| {
            l.task == segment.task
                && !matches!(
                    l.kind,
                    StepKind::Delayed | StepKind::Title | StepKind::Fails
                )
        };
        let Some(line) = lines[from..next_line].iter_mut().rfind(mine) else {
            continue;
        };
        let switches = next.is_none_or(|n| n.task != segment.task);
        match &segment.end {
            Ended::Finished => line.last = true,
            Ended::Interrupted if switches => line.text.push_str("  (interrupted)"),
            Ended::Waits { what, blocked } if switches => {
                // The line already names a call that waits inside.
                let next = match line.text.starts_with(what.trim_matches('`')) {
                    true => "then waits".to_owned(),
                    false => next_words(what, *blocked),
                };
                line.text.push_str(&format!("  ({next})"));
            }
            _ => {}
        }
    }
}

/// Says what a task does next, or for what it waits.
pub(super) fn next_words(what: &str, blocked: bool) -> String {
    if blocked {
        format!("then waits for {what}")
    } else if what.starts_with("the end of") || what.starts_with('`') {
        // An operation has a name of its own.
        format!("next: wait for {what}")
    } else {
        format!("next: {what}")
    }
}

/// The tasks of a trace by number, with the procedures that they begin with. `finally` is 0.
pub fn tasks(trace: &Trace) -> BTreeMap<u32, String> {
    let mut tasks: BTreeMap<u32, String> = BTreeMap::new();
    for segment in &trace.segments {
        let name = tasks.entry(segment.task).or_default();
        // In two executions that are compared the same number may be another task.
        if !name.split('/').any(|n| n == segment.proc) {
            name.push_str(if name.is_empty() { "" } else { "/" });
            name.push_str(&segment.proc);
        }
    }
    for step in &trace.steps {
        if let Happening::Posted {
            task,
            proc,
            kept: true,
            ..
        } = &step.happening
        {
            tasks.entry(*task).or_insert_with(|| proc.clone());
        } else if step.kind() == StepKind::Delayed {
            tasks.entry(step.task).or_insert_with(|| step.proc.clone());
        }
    }
    tasks
}
