//! `--format text`: the answer for a person at a terminal.

use std::fmt::Write as _;

use answer::{Counted, Coverage, Figure, Looked, OpenFinal, Verdict, unreached};
use base::source::SourceMap;
use trace::{Bug, StepKind, Trace, Waiting};

use super::lines::{place, users_span};
use super::style::{Look, Style, clean, cut, width, wrap};
use super::{Subject, columns, headline, shown_at};

#[must_use]
pub fn answer(subject: &Subject<'_>, look: Look) -> String {
    let mut out = bugs(subject, look);
    if let Some(finals) = &subject.answer.finals {
        let open = &subject.answer.open_finals;
        if open.is_empty() || !finals.is_empty() {
            show_finals(&mut out, finals.iter().map(|f| subject.final_state(f)));
        }
        show_open_finals(&mut out, open);
    }
    let mut notes: Vec<String> = Vec::new();
    for note in &subject.answer.notes {
        let place = note.span.and_then(|s| subject.sources.locate(s));
        let place = place.map_or(String::new(), |at| format!("{}:{}: ", at.file, at.line));
        let line = format!("note: {place}{}\n", note.message);
        // Several places in a line may have the same note.
        if !notes.contains(&line) {
            notes.push(line);
        }
    }
    out.extend(notes);
    if let Some(coverage) = &subject.answer.coverage {
        show_coverage(&mut out, coverage, subject.sources);
    }
    let verdict = subject.answer.word();
    let verdict = match &subject.answer.verdict {
        Verdict::Bug if !subject.answer.asks_cover => look.paint(Style::Bad, verdict),
        _ => look.paint(Style::Strong, verdict),
    };
    let _ = writeln!(
        out,
        "{}: {verdict}: {}",
        subject.file, subject.answer.summary
    );
    if let Some(advice) = &subject.answer.advice {
        let _ = writeln!(out, "advice: {advice}");
    }
    let stats = statistics(&subject.answer.stats);
    if !stats.is_empty() {
        let _ = writeln!(out, "  {stats}");
    }
    out
}

/// A line for each file: how many of its lines are reached, and which are not.
fn show_coverage(out: &mut String, coverage: &Coverage, sources: &SourceMap) {
    for (name, lines) in coverage.lines(sources) {
        let reached = lines.values().filter(|&&reached| reached).count();
        let of = lines.len();
        let _ = write!(out, "coverage: {name}: {reached} of {of} lines are reached");
        let ranges: Vec<String> = unreached(&lines)
            .into_iter()
            .map(|(from, to)| {
                if from == to {
                    from.to_string()
                } else {
                    format!("{from}-{to}")
                }
            })
            .collect();
        if !ranges.is_empty() {
            let _ = write!(out, "; {}: {}", never(coverage.looked), ranges.join(", "));
        }
        out.push('\n');
    }
}

/// Says in words what it means that lines are not reached.
fn never(looked: Looked) -> &'static str {
    match looked {
        Looked::Everywhere => "never reached",
        Looked::WithinBounds => "never reached within the bounds",
        Looked::OneOfEach => "not reached by one execution of each trace",
        Looked::UntilABug => "not reached before the first bug (--all goes on)",
        Looked::InPart => "not reached by the part that was looked at",
    }
}

/// The bugs with their traces.
#[must_use]
pub fn bugs(subject: &Subject<'_>, look: Look) -> String {
    let mut out = String::new();
    for (number, bug) in subject.answer.bugs.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        show_bug(&mut out, bug, subject, look);
    }
    out
}

/// The figures on one line.
#[must_use]
pub fn statistics(stats: &[Figure]) -> String {
    let visited = stats.iter().filter_map(|figure| match figure {
        Figure::Count(Counted::States | Counted::Transitions, n) => Some(*n),
        _ => None,
    });
    let visited = visited.max().unwrap_or(0);
    let shown = stats.iter().map(|figure| match figure {
        // The search did not run these one by one: it visited a state once, however many schedules lead to it.
        Figure::Count(Counted::Executions, n) if visited > 0 && *n > visited => {
            format!("{n} schedules covered")
        }
        Figure::Count(Counted::Depth, n) => format!("depth {n}"),
        Figure::Count(what, 1) => format!("1 {}", what.words().0),
        Figure::Count(what, n) => format!("{n} {}", what.words().1),
        Figure::Real(what, x) => {
            let digits = if *x >= 100.0 { 0 } else { 2 };
            format!("{x:.digits$} {}", what.words().1)
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Final states, each with its variables and their values.
pub fn show_finals(out: &mut String, finals: impl ExactSizeIterator<Item = Vec<(String, String)>>) {
    let plural = if finals.len() == 1 { "" } else { "s" };
    let _ = writeln!(out, "{} final state{plural}:", finals.len());
    for fields in finals {
        let fields = fields
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let _ = writeln!(out, "  {}", fields.collect::<Vec<_>>().join(", "));
    }
}

/// Final states that are shown by expressions.
fn show_open_finals(out: &mut String, finals: &[OpenFinal]) {
    if finals.is_empty() {
        return;
    }
    let plural = if finals.len() == 1 { "" } else { "s" };
    let _ = writeln!(
        out,
        "{} final state{plural} with open values:",
        finals.len()
    );
    for state in finals {
        let _ = writeln!(out, "  {}", open_final(state));
    }
}

/// A final state by expressions.
pub(super) fn open_final(state: &OpenFinal) -> String {
    let fields = state.values.iter();
    let fields = Vec::from_iter(fields.map(|(name, value)| format!("{name} = {value}")));
    let mut line = fields.join(", ");
    if !state.conditions.is_empty() {
        let _ = write!(line, "  where {}", state.conditions.join(", "));
    }
    clean(&line)
}

fn show_bug(out: &mut String, bug: &Bug, subject: &Subject<'_>, look: Look) {
    let kind = if subject.answer.asks_cover {
        look.paint(Style::Strong, "covered")
    } else {
        look.paint(Style::Bad, &format!("bug: {}", bug.kind.name()))
    };
    let message = look.paint(Style::Strong, &clean(&headline(bug)));
    let _ = writeln!(out, "{kind}: {message}");
    if let Some(excerpt) = excerpt(bug, subject.sources, look) {
        out.push_str(&excerpt);
    }
    out.push_str(&waits(&bug.trace, subject.sources));
    if !bug.trace.steps.is_empty() {
        out.push_str("how it happens:\n");
        out.push_str(&columns::show(&bug.trace, subject.sources, look));
    }
}

/// Who waits for whom at a deadlock, a line each.
fn waits(trace: &Trace, sources: &SourceMap) -> String {
    let mut out = String::new();
    let known = |waiting: &&Waiting| waiting.on.is_some_and(|on| on.since.is_some());
    if !trace.waiting.iter().any(|waiting| known(&waiting)) {
        return out;
    }
    out.push_str("who waits for whom:\n");
    for waiting in &trace.waiting {
        let _ = write!(
            out,
            "  task {} waits for {}",
            waiting.task,
            clean(&waiting.what)
        );
        if let Some((on, since)) = waiting.on.and_then(|on| Some((on, on.since?))) {
            let at = trace.steps[since].span;
            let at = at.filter(|&span| sources.is_users(span));
            let at = at.or_else(|| users_span(trace, sources, on.task, since));
            let line = at.map_or_else(String::new, |span| place(sources, span));
            let verb = if on.holds { "took" } else { "last changed" };
            let _ = write!(out, ": task {} {verb} it in line {line}", on.task);
        }
        out.push('\n');
    }
    out
}

/// The failing line with its file, and below it the values that matter.
fn excerpt(bug: &Bug, sources: &SourceMap, look: Look) -> Option<String> {
    let span = shown_at(bug, sources)?;
    let (at, file) = (sources.locate(span)?, sources.file_of(span.start)?);
    let gutter = at.line.to_string().len();
    let room = look.width.saturating_sub(gutter + 3);
    let (text, column) = window(file.line_text(at.line), at.column as usize - 1, room);
    let failing = bug
        .trace
        .steps
        .last()
        .filter(|s| s.kind() == StepKind::Fails);
    let values = failing.map_or(&[][..], |s| &s.values);
    let values: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let values = cut(&clean(&values.join(", ")), 400);
    let mut out = String::new();
    let bar = look.paint(Style::Faint, &format!("{:gutter$} |", ""));
    let place = format!(
        "{:gutter$}--> {}:{}:{}",
        "",
        clean(&at.file),
        at.line,
        at.column
    );
    let _ = writeln!(out, "{}", look.paint(Style::Faint, &place));
    let number = look.paint(Style::Faint, &format!("{} |", at.line));
    let _ = writeln!(out, "{number} {text}");
    let caret = look.paint(Style::Bad, "^");
    let beside = room.saturating_sub(column + 2);
    if width(&values) <= beside || beside >= LEAST_FOR_VALUES {
        for (index, line) in wrap(&values, beside).iter().enumerate() {
            let mark = if index == 0 { caret.as_str() } else { " " };
            let row = format!("{bar} {:column$}{mark} {line}", "");
            let _ = writeln!(out, "{}", row.trim_end());
        }
        return Some(out);
    }
    let _ = writeln!(out, "{bar} {:column$}{caret}", "");
    let indent = room.saturating_sub(width(&values).max(LEAST_FOR_VALUES));
    for line in wrap(&values, room - indent) {
        let _ = writeln!(out, "{bar} {:indent$}{line}", "");
    }
    Some(out)
}

/// Values beside the caret have at least this room, or stand below it.
const LEAST_FOR_VALUES: usize = 30;

/// Cuts a line to `room` columns around one of its characters. Returns the text, and where the character stands in it.
fn window(line: &str, column: usize, room: usize) -> (String, usize) {
    let before: String = line.chars().take(column).collect();
    let (all, pad) = (clean(line), width(&clean(&before)));
    if pad < room * 2 / 3 || width(&all) <= room {
        return (cut(&all, room), pad);
    }
    let mut gone = 0;
    let rest = all.char_indices().find(|(_, c)| {
        let enough = pad - gone < room * 2 / 3;
        gone += if enough {
            0
        } else {
            width(c.encode_utf8(&mut [0; 4]))
        };
        enough
    });
    let rest = &all[rest.map_or(0, |(at, _)| at)..];
    (cut(&format!("…{rest}"), room), pad - gone + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failing_place_of_a_long_line_is_shown() {
        let line = format!(
            "{}assert x == 1;{}",
            "skip; ".repeat(30),
            " skip;".repeat(30)
        );
        for (line, column) in [(line.clone(), 180), (format!("\t日本{line}"), 183)] {
            for room in [30, 57, 77] {
                let (text, at) = window(&line, column, room);
                assert!(width(&text) <= room, "{text}");
                let shown: usize = text.chars().position(|c| c == 'a').unwrap();
                assert_eq!(
                    width(&text.chars().take(shown).collect::<String>()),
                    at,
                    "{text}"
                );
            }
        }
        assert_eq!(window("assert x;", 0, 30), ("assert x;".to_owned(), 0));
        assert_eq!(
            window(&"x".repeat(40), 39, 30),
            (format!("…{}", "x".repeat(20)), 20)
        );
    }
}
