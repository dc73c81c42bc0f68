//! `--format text`: the answer for a person at a terminal.

use std::fmt::Write as _;

use crate::answer::{Bug, Figure, Verdict};
use crate::trace::TraceStep;

use super::Subject;

/// The whole answer.
#[must_use]
pub fn answer(subject: &Subject<'_>) -> String {
    let mut out = String::new();
    for (number, bug) in subject.answer.bugs.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        show_bug(&mut out, bug, subject);
    }
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

fn show_bug(out: &mut String, bug: &Bug, subject: &Subject<'_>) {
    let _ = writeln!(out, "bug: {}: {}", bug.kind.name(), bug.message);
    if let Some((at, file)) = bug.span.and_then(|s| {
        Some((
            subject.sources.locate(s)?,
            subject.sources.file_of(s.start)?,
        ))
    }) {
        let text = file.line_text(at.line);
        let width = at.line.to_string().len();
        let pad: String = text
            .chars()
            .take(at.column as usize - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let _ = writeln!(
            out,
            "{:width$}--> {}:{}:{}",
            "", at.file, at.line, at.column
        );
        let _ = writeln!(out, "{} | {text}", at.line);
        let _ = writeln!(out, "{:width$} | {pad}^", "");
    }
    if !bug.trace.steps.is_empty() {
        out.push_str("how it happens:\n");
        show_trace(out, &bug.trace.steps, subject);
    }
}

/// A line for each step, columns aligned, the task named where it changes.
pub(crate) fn show_trace(out: &mut String, steps: &[TraceStep], subject: &Subject<'_>) {
    let line = |step: &TraceStep| {
        step.span
            .map_or(String::new(), |s| subject.sources.line(s).to_string())
    };
    let who = |step: &TraceStep| format!("task {} {}", step.task, step.proc);
    let widest = |f: &dyn Fn(&TraceStep) -> String| {
        steps
            .iter()
            .map(|s| f(s).chars().count())
            .max()
            .unwrap_or(0)
    };
    let (who_width, line_width) = (widest(&who), widest(&line).max(4));
    let rounds = steps.iter().any(|s| s.round > 0);
    let _ = write!(out, "  ");
    if rounds {
        let _ = write!(out, "round ");
    }
    let _ = writeln!(out, "{:who_width$}  {:>line_width$}  what", "who", "line");
    let mut before: Option<(u32, u32)> = None;
    for step in steps {
        let switched = before != Some((step.task, step.round));
        before = Some((step.task, step.round));
        let _ = write!(out, "  ");
        if rounds {
            let round = if switched {
                step.round.to_string()
            } else {
                String::new()
            };
            let _ = write!(out, "{round:>5} ");
        }
        let name = if switched { who(step) } else { String::new() };
        let changes: Vec<_> = step
            .changed
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let changes = if changes.is_empty() {
            String::new()
        } else {
            format!("    [{}]", changes.join(", "))
        };
        let row = format!(
            "{name:who_width$}  {:>line_width$}  {}{changes}",
            line(step),
            step.action
        );
        let _ = writeln!(out, "{}", row.trim_end());
    }
}
