//! For a person: a line for each file, more where something did not come out as expected.

use std::fmt::Write as _;

use report::style::{Look, Style, clean, wrap};

use super::header::Case;
use super::runner::Ran;
use super::{Outcome, Report, Total};

/// How the runs of a file went.
pub fn file(report: &Report<'_>, look: Look) -> String {
    let mut out = String::new();
    for (line, problem) in report.problems {
        let word = look.paint(Style::Bad, "WRONG");
        let _ = writeln!(out, "{word}  {}:{line}", clean(report.path));
        paragraph(&mut out, look, "", problem);
    }
    for (case, ran) in report.done() {
        if ran.outcome != Outcome::Passed {
            complaint(&mut out, look, report.path, (case, ran));
        }
    }
    if out.is_empty() && report.is_complete() {
        let runs = report.runs.len();
        let ok = look.paint(Style::Strong, "ok");
        let count = look.paint(Style::Faint, &format!("({})", counted(runs, "run")));
        let _ = writeln!(out, "{ok}     {} {count}", clean(report.path));
    }
    out
}

fn complaint(out: &mut String, look: Look, path: &str, (case, ran): (&Case, &Ran)) {
    let word = match ran.outcome {
        Outcome::Passed => "ok",
        Outcome::Differs => "FAIL",
        Outcome::Undecided => "OPEN",
        Outcome::Broken => "WRONG",
    };
    let word = look.paint(Style::Bad, &format!("{word:5}"));
    let path = clean(path);
    let _ = writeln!(
        out,
        "{word}  {path}:{}: {}",
        case.line,
        clean(&case.shown())
    );
    paragraph(out, look, "expected  ", &case.expected.to_string());
    match ran.found() {
        Some(found) => paragraph(out, look, "found     ", &found),
        None => paragraph(out, look, "no answer ", &ran.says),
    }
}

/// A labelled text, indented and broken into lines.
fn paragraph(out: &mut String, look: Look, label: &str, text: &str) {
    let indent = 7 + label.len();
    let lines = wrap(&clean(text), look.width.saturating_sub(indent));
    for (number, line) in lines.iter().enumerate() {
        let label = if number == 0 { label } else { "" };
        let _ = writeln!(out, "{:7}{label:width$}{line}", "", width = indent - 7);
    }
}

/// Says on one line how many runs had which outcome.
pub fn summary(total: &Total<'_>, look: Look) -> String {
    let counts = &total.counts;
    let files = counted(total.reports.len(), "file");
    let mut parts = vec![format!("{} as expected", counts.passed)];
    for (count, words) in [
        (counts.failed, "not as expected"),
        (counts.undecided, "undecided"),
        (counts.broken, "wrong"),
    ] {
        if count > 0 {
            parts.push(look.paint(Style::Bad, &format!("{count} {words}")));
        }
    }
    let mut out = format!(
        "{} in {files}: {}; {:.1} s\n",
        counted(counts.runs, "run"),
        parts.join(", "),
        total.time.as_secs_f64()
    );
    if let Some(interrupted) = counts.interrupted() {
        let _ = writeln!(out, "{interrupted}");
    }
    if total.silent > 0 {
        let files = counted(total.silent, "file");
        let have = if total.silent == 1 { "has" } else { "have" };
        let _ = writeln!(out, "{files} {have} no `// run:` line");
    }
    out
}

fn counted(count: usize, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{s}")
}
