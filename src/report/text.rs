//! `--format text`: the answer for a person at a terminal.

use std::fmt::Write as _;

use crate::answer::{Bug, Figure, Verdict};
use crate::source::SourceMap;
use crate::trace::StepKind;

use super::style::{Look, Style, clean, cut, wrap};
use super::{Subject, columns};

/// The whole answer.
#[must_use]
pub fn answer(subject: &Subject<'_>, look: Look) -> String {
    let mut out = bugs(subject, look);
    if let Some(finals) = &subject.answer.finals {
        show_finals(&mut out, finals, subject);
    }
    for note in &subject.answer.notes {
        let place = note.span.and_then(|s| subject.sources.locate(s));
        let place = place.map_or(String::new(), |at| format!("{}:{}: ", at.file, at.line));
        let _ = writeln!(out, "note: {place}{}", note.message);
    }
    let verdict = match &subject.answer.verdict {
        Verdict::Safe => "safe",
        Verdict::Bug => "bug",
        Verdict::Inconclusive(_) => "inconclusive",
    };
    let verdict = match &subject.answer.verdict {
        Verdict::Bug => look.paint(Style::Bad, verdict),
        _ => look.paint(Style::Strong, verdict),
    };
    let _ = writeln!(
        out,
        "{}: {verdict}: {}",
        subject.file, subject.answer.summary
    );
    let stats = statistics(&subject.answer.stats);
    if !stats.is_empty() {
        let _ = writeln!(out, "  {stats}");
    }
    out
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
fn statistics(stats: &[(&'static str, Figure)]) -> String {
    let shown = stats.iter().map(|(name, figure)| {
        let name = name.replace('_', " ");
        match figure {
            Figure::Count(n) => format!("{n} {name}"),
            Figure::Real(x) if *x >= 100.0 => format!("{x:.0} {name}"),
            Figure::Real(x) => format!("{x:.2} {name}"),
            Figure::Word(w) => format!("{name} {w}"),
            Figure::Flag(b) => format!("{name} {b}"),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn show_finals(out: &mut String, finals: &[Vec<crate::ir::Value>], subject: &Subject<'_>) {
    let plural = if finals.len() == 1 { "" } else { "s" };
    let _ = writeln!(out, "{} final state{plural}:", finals.len());
    for values in finals {
        let fields = subject
            .final_state(values)
            .into_iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let _ = writeln!(out, "  {}", fields.collect::<Vec<_>>().join(", "));
    }
}

fn show_bug(out: &mut String, bug: &Bug, subject: &Subject<'_>, look: Look) {
    let kind = look.paint(Style::Bad, &format!("bug: {}", bug.kind.name()));
    let message = look.paint(Style::Strong, &clean(&bug.message));
    let _ = writeln!(out, "{kind}: {message}");
    if let Some(excerpt) = excerpt(bug, subject.sources, look) {
        out.push_str(&excerpt);
    }
    if !bug.trace.steps.is_empty() {
        out.push_str("how it happens:\n");
        out.push_str(&columns::show(&bug.trace, subject.sources, look));
    }
}

/// The failing line with its file, and below it the values that matter.
fn excerpt(bug: &Bug, sources: &SourceMap, look: Look) -> Option<String> {
    let span = bug.span?;
    let (at, file) = (sources.locate(span)?, sources.file_of(span.start)?);
    let text = file.line_text(at.line);
    let width = at.line.to_string().len();
    let before: String = text.chars().take(at.column as usize - 1).collect();
    let pad = clean(&before).chars().count();
    let failing = bug.trace.steps.last().filter(|s| s.kind == StepKind::Fails);
    let values = failing.map_or(&[][..], |s| &s.values);
    let values: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let values = cut(&clean(&values.join(", ")), 400);
    let room = look.width.saturating_sub(width + 3);
    let mut out = String::new();
    let bar = look.paint(Style::Faint, &format!("{:width$} |", ""));
    let place = format!("{:width$}--> {}:{}:{}", "", at.file, at.line, at.column);
    let _ = writeln!(out, "{}", look.paint(Style::Faint, &place));
    let number = look.paint(Style::Faint, &format!("{} |", at.line));
    let _ = writeln!(out, "{number} {}", cut(&clean(text), room));
    let caret = look.paint(Style::Bad, "^");
    let indent = pad.min(room.saturating_sub(LEAST_FOR_VALUES));
    for (index, line) in wrap(&values, room.saturating_sub(indent + 2))
        .iter()
        .enumerate()
    {
        let mark = if index == 0 { caret.as_str() } else { " " };
        let row = format!("{bar} {:indent$}{mark} {line}", "");
        let _ = writeln!(out, "{}", row.trim_end());
    }
    Some(out)
}

/// Values below a line that is indented far stand further left.
const LEAST_FOR_VALUES: usize = 30;
