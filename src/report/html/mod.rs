//! `--html`: one page that needs nothing else, for a browser, a projector or paper.
//!
//! The page is a [frame](page.html) with its style and its script, and the trace as data in it. All that comes from
//! the program is either data, which the script puts into the page as text, or escaped here.

mod data;

use crate::trace::Trace;

use super::style::Look;
use super::{Subject, text};

/// The page of an answer: its first bug, if it has one. Beside the program may stand the sequential program of its delays,
/// as `--emit-seq` prints it.
#[must_use]
pub fn page(subject: &Subject<'_>, sequential: Option<&str>) -> String {
    let trace = subject.answer.bugs.first().map(|b| &b.trace);
    page_of(subject, trace, sequential)
}

/// The page of an answer with an execution, which need not be a bug's.
#[must_use]
pub fn page_of(subject: &Subject<'_>, trace: Option<&Trace>, sequential: Option<&str>) -> String {
    let answer = subject.answer;
    let bug = answer.bugs.first();
    let verdict = answer.verdict.word();
    let title = match bug {
        Some(bug) => format!("{}: {}", bug.kind.name(), bug.message),
        None => verdict.to_owned(),
    };
    let place = bug
        .and_then(|b| b.span)
        .and_then(|s| subject.sources.locate(s));
    let place = place.map_or_else(
        || subject.file.to_owned(),
        |at| format!("{}:{}:{}", at.file, at.line, at.column),
    );
    let hidden = trace.is_none_or(|t| t.steps.is_empty());
    let mut summary = answer.summary.clone();
    if answer.bugs.len() > 1 {
        summary.push_str("; this is the first");
    }
    let seq = sequential.map_or("", |_| include_str!("seq.html"));
    fill(
        include_str!("page.html"),
        &[
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("file", escape(subject.file)),
            ("verdict", verdict.to_owned()),
            ("css", include_str!("page.css").to_owned()),
            ("tone", if bug.is_some() { "bad" } else { "" }.to_owned()),
            ("title", escape(&title)),
            ("place", escape(&place)),
            ("summary", escape(&summary)),
            ("text", escape(&text::bugs(subject, Look::default()))),
            ("hidden", if hidden { "hidden" } else { "" }.to_owned()),
            ("with_seq", classes(hidden, sequential.is_some()).to_owned()),
            ("seq", seq.to_owned()),
            ("data", script_data(&data::data(subject, trace, sequential))),
            ("js", include_str!("page.js").to_owned()),
        ],
    )
}

/// What the parts of the page are laid out by.
fn classes(hidden: bool, sequential: bool) -> &'static str {
    match (hidden, sequential) {
        (true, true) => " class=\"no-steps with-seq\"",
        (true, false) => " class=\"no-steps\"",
        (false, true) => " class=\"with-steps with-seq\"",
        (false, false) => " class=\"with-steps\"",
    }
}

/// The template with each `{{name}}` replaced. What is put in is not looked at again.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut parts = template.split("{{");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        let value = values.iter().find(|(n, _)| *n == name);
        out.push_str(value.map_or("", |(_, v)| v));
        out.push_str(rest);
    }
    out
}

/// Text in an element or an attribute.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// JSON in a script element: nothing in it can end the element or open a comment.
fn script_data(json: &serde_json::Value) -> String {
    json.to_string()
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_a_template() {
        let values = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(fill("1{{a}}2{{b}}3{{none}}", &values), "1{{b}}2x3");
    }

    #[test]
    fn program_text_stays_text() {
        assert_eq!(
            escape("<a href='x'>&\"\u{1b}"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{fffd}"
        );
        let json = serde_json::json!(["</script><!--", "a & b \u{2028}"]);
        let text = script_data(&json);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            json
        );
    }
}
