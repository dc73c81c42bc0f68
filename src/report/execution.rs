//! One execution that is shown for its own sake, whether it fails or not.

use std::fmt::Write as _;

use trace::Trace;

use super::style::{Look, Style};
use super::{Subject, columns, json, sarif, text};

/// For a person: the trace, and how it ends.
#[must_use]
pub fn text(subject: &Subject<'_>, trace: &Trace, look: Look) -> String {
    let mut out = text::bugs(subject, look);
    if out.is_empty() && !trace.steps.is_empty() {
        out = columns::show(trace, subject.sources, look);
    }
    out + &ending(subject, look)
}

/// How it ends, on a line.
#[must_use]
pub fn ending(subject: &Subject<'_>, look: Look) -> String {
    let mut out = String::new();
    let answer = subject.answer;
    let word = match answer.bugs.first() {
        Some(_) if answer.asks_cover => format!("{}: ", look.paint(Style::Strong, answer.word())),
        Some(_) => format!("{}: ", look.paint(Style::Bad, "bug")),
        None => String::new(),
    };
    let _ = writeln!(out, "{}: {word}{}", subject.file, answer.summary);
    out
}

/// As a SARIF log, with the error of the execution if it fails. `missing` says why there is no execution.
#[must_use]
pub fn sarif(subject: &Subject<'_>, missing: Option<&str>) -> String {
    let log = sarif::Log {
        properties: None,
        notifications: missing.map(sarif::hindrance).into_iter().collect(),
        ..sarif::Log::of(subject)
    };
    log.text() + "\n"
}

/// For a program: like an answer, but with no verdict unless it fails or reaches a `cover`. One execution says nothing of the others.
#[must_use]
pub fn json(subject: &Subject<'_>, trace: &Trace, ended: &str, seed: Option<u64>) -> String {
    let mut object = json::header(subject.file);
    object.insert("engine".into(), "explicit".into());
    object.insert("ended".into(), ended.into());
    if let Some(seed) = seed {
        object.insert("seed".into(), seed.into());
    }
    object.insert("summary".into(), subject.answer.summary.as_str().into());
    if let Some(bug) = subject.answer.bugs.first() {
        object.insert("verdict".into(), subject.answer.word().into());
        object.insert("error".into(), json::error(bug, subject.sources));
    }
    let steps = json::trace(trace, subject.sources);
    object.insert("trace".into(), steps);
    let stats = json::figures(&subject.answer.stats);
    object.insert("stats".into(), stats.into());
    serde_json::Value::Object(object).to_string() + "\n"
}
