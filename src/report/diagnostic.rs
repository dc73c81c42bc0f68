//! Diagnostics for people (with the source line and a caret) and for programs (as JSON).

use std::borrow::Cow;
use std::ops::Range;

use codespan_reporting::diagnostic::{
    Diagnostic as Rich, Label, LabelStyle, Severity as RichSeverity,
};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{self, Config};
use serde_json::{Value, json};

use base::diagnostic::{Diagnostic, Severity};
use base::source::{Location, SourceFile, SourceMap, Span};

/// How many bytes of a long line are shown on each side of the caret.
const WINDOW: usize = 120;

/// The diagnostics as text, an empty line after each; with colours for a terminal.
#[must_use]
pub fn text(sources: &SourceMap, diagnostics: &[Diagnostic], color: bool) -> String {
    let texts: Vec<_> = sources.files().iter().map(|f| harmless(&f.text)).collect();
    let mut buffer = if color {
        Buffer::ansi()
    } else {
        Buffer::no_color()
    };
    for diagnostic in diagnostics {
        let focus = diagnostic.span.map_or(0, |s| s.start);
        emit(
            &mut buffer,
            &View {
                sources,
                texts: &texts,
                focus,
            },
            diagnostic,
        );
    }
    String::from_utf8_lossy(buffer.as_slice()).into_owned()
}

/// Replaces each character that a terminal would obey by one byte, so that all offsets stay the same.
fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_ascii_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.contains(obeyed) {
        Cow::Owned(text.replace(obeyed, "?"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Writes one diagnostic, without the source line if that cannot be shown.
fn emit(buffer: &mut Buffer, view: &View<'_>, diagnostic: &Diagnostic) {
    let config = Config::default();
    let mut rich = view.rich(diagnostic);
    if term::emit_to_write_style(buffer, &config, view, &rich).is_err() {
        rich.labels.clear();
        // A buffer in memory does not fail, and without labels nothing else can.
        let _ = term::emit_to_write_style(buffer, &config, view, &rich);
    }
}

/// The sources as codespan wants them. A very long line has only the part around the caret.
struct View<'a> {
    sources: &'a SourceMap,
    /// The texts of its files, made harmless.
    texts: &'a [Cow<'a, str>],
    /// The offset that has to be seen.
    focus: u32,
}

impl<'a> View<'a> {
    fn rich(&self, diagnostic: &Diagnostic) -> Rich<usize> {
        let severity = match diagnostic.severity {
            Severity::Error => RichSeverity::Error,
            Severity::Warning => RichSeverity::Warning,
        };
        let mut rich = Rich::new(severity)
            .with_code(diagnostic.code)
            .with_message(&diagnostic.message);
        let primary = diagnostic
            .span
            .map(|s| (LabelStyle::Primary, s, &diagnostic.label));
        let others = diagnostic
            .related
            .iter()
            .map(|(s, text)| (LabelStyle::Secondary, *s, text));
        for (style, span, text) in primary.into_iter().chain(others) {
            match self.label(style, span) {
                Some(label) => rich.labels.push(label.with_message(text)),
                None => rich
                    .notes
                    .extend(self.sources.locate(span).map(|l| elsewhere(&l, text))),
            }
        }
        rich.notes
            .extend(diagnostic.notes.iter().map(|note| format!("hint: {note}")));
        rich
    }

    /// Makes a label on the first line of a span. Returns `None` if the part of the line that is shown does not have its start.
    fn label(&self, style: LabelStyle, span: Span) -> Option<Label<usize>> {
        let file = self.sources.file_of(span.start)?;
        let id = self
            .sources
            .files()
            .iter()
            .position(|f| f.start == file.start)?;
        let start = (span.start - file.start) as usize;
        let line = self.line_range(id, self.line_index(id, start).ok()?).ok()?;
        let shown = file.text.get(line.clone())?.trim_end_matches(['\n', '\r']);
        let end = ((span.end.max(span.start) - file.start) as usize).min(line.start + shown.len());
        (line.start <= start && start <= line.end)
            .then(|| Label::new(style, id, start..end.max(start)))
    }

    fn file(&self, id: usize) -> Result<&'a SourceFile, Error> {
        self.sources.files().get(id).ok_or(Error::FileMissing)
    }

    fn locate(&self, id: usize, offset: usize) -> Result<Location, Error> {
        let start = self.file(id)?.start;
        let missing = Error::IndexTooLarge {
            given: offset,
            max: usize::MAX,
        };
        let Ok(offset) = u32::try_from(offset) else {
            return Err(missing);
        };
        self.sources
            .locate(Span::new(start + offset, start + offset))
            .ok_or(missing)
    }
}

/// A place that cannot be shown, in words.
fn elsewhere(location: &Location, text: &str) -> String {
    let Location { file, line, column } = location;
    format!("{file}:{line}:{column}: {text}")
}

impl<'a> Files<'a> for View<'a> {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.file(id)?.name)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        self.texts
            .get(id)
            .map(AsRef::as_ref)
            .ok_or(Error::FileMissing)
    }

    fn line_index(&'a self, id: usize, offset: usize) -> Result<usize, Error> {
        Ok(self.file(id)?.line_at(offset) as usize - 1)
    }

    fn column_number(&'a self, id: usize, _line: usize, offset: usize) -> Result<usize, Error> {
        Ok(self.locate(id, offset)?.column as usize)
    }

    fn line_range(&'a self, id: usize, line: usize) -> Result<Range<usize>, Error> {
        let file = self.file(id)?;
        let full = file.line_range(u32::try_from(line + 1).unwrap_or(u32::MAX));
        let focus = (self.focus.saturating_sub(file.start) as usize).clamp(full.start, full.end);
        let start = full.start.max(focus.saturating_sub(WINDOW));
        let end = full.end.min(focus.saturating_add(WINDOW));
        Ok(floor(&file.text, start)..floor(&file.text, end))
    }
}

/// The nearest boundary of a character at or before an offset.
fn floor(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The diagnostics as data: an array of objects.
#[must_use]
pub fn json(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Value {
    diagnostics.iter().map(|d| object(sources, d)).collect()
}

fn object(sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut value =
        json!({ "severity": severity, "code": diagnostic.code, "message": diagnostic.message });
    if let Some(span) = diagnostic.span {
        place(&mut value, sources, span);
    }
    if !diagnostic.label.is_empty() {
        value["label"] = json!(diagnostic.label);
    }
    let related = diagnostic.related.iter().map(|(span, text)| {
        let mut other = json!({ "message": text });
        place(&mut other, sources, *span);
        other
    });
    value["related"] = related.collect();
    value["notes"] = json!(diagnostic.notes);
    value
}

/// Adds file, line and column of a span's two ends.
fn place(value: &mut Value, sources: &SourceMap, span: Span) {
    let end = Span::new(span.end, span.end);
    if let (Some(from), Some(to)) = (sources.locate(span), sources.locate(end)) {
        value["file"] = json!(from.file);
        value["line"] = json!(from.line);
        value["column"] = json!(from.column);
        value["end_line"] = json!(to.line);
        value["end_column"] = json!(to.column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> SourceMap {
        let mut sources = SourceMap::new();
        sources.add("a.async", text).unwrap();
        sources
    }

    #[test]
    fn text_shows_the_line_and_a_caret() {
        let sources = sources("var x: int;\nproc main() { y := 1; }\n");
        let diagnostic = Diagnostic::error("unknown-name", Span::new(26, 27), "there is no `y`")
            .label("not declared")
            .related(Span::new(4, 5), "this is")
            .note("did you mean `x`?");
        insta::assert_snapshot!(text(&sources, &[diagnostic], false));
    }

    #[test]
    fn very_long_lines_are_cut() {
        let long = format!("{}ä!{}\nö", "é".repeat(300), "ü".repeat(300));
        let sources = sources(&long);
        let diagnostic = Diagnostic::error("syntax", Span::new(602, 603), "no `!` here")
            .related(Span::new(0, 2), "the line begins here")
            .related(Span::new(1204, 1206), "the next");
        let shown = text(&sources, &[diagnostic], false);
        assert!(shown.contains("a.async:1:302"), "{shown}");
        assert!(
            shown.contains("a.async:1:1: the line begins here"),
            "{shown}"
        );
        assert!(shown.lines().all(|l| l.chars().count() < 300), "{shown}");
    }

    #[test]
    fn spans_of_no_file_are_harmless() {
        let diagnostic = Diagnostic::error("io", Span::new(7, 9), "gone");
        assert_eq!(
            text(&SourceMap::new(), std::slice::from_ref(&diagnostic), false),
            "error[io]: gone\n\n"
        );
        assert_eq!(json(&SourceMap::new(), &[diagnostic])[0]["message"], "gone");
    }

    #[test]
    fn json_has_both_ends() {
        let sources = sources("var x: int;\nproc main() {}\n");
        let diagnostic = Diagnostic::warning("unused", Span::new(4, 17), "unused").label("here");
        insta::assert_snapshot!(
            serde_json::to_string_pretty(&json(&sources, &[diagnostic])).unwrap()
        );
    }
}
