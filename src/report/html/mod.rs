//! `--html`: one page that needs nothing else, for a browser, a projector or paper.
//!
//! The page is a [frame](page.html) with its style and its script, and the trace as data in it. All that comes from
//! the program is either data, which the script puts into the page as text, or escaped here.

mod about;
mod data;
pub mod threads;

use options::Scheduler;
use serde_json::{Value, json};
use trace::Trace;

use super::style::Look;
use super::{Subject, columns, text};

/// A sequential program, line by line.
#[derive(Clone, Copy, Debug)]
pub struct Sequential<'a> {
    pub text: &'a str,
    /// For each of its lines the line of the original program that it comes from, or 0.
    pub origins: &'a [u32],
}

/// The contents of a page beside the answer.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The execution: that of the first bug, or one that is shown for its own sake.
    pub trace: Option<&'a Trace>,
    /// The scheduler that it was made under.
    pub scheduler: Scheduler,
    /// The sequential program of the answer's delays, as `--emit-seq` prints it.
    pub sequential: Option<Sequential<'a>>,
    /// The command line that made it.
    pub command: Option<&'a str>,
    /// Some execution of a program without a bug.
    pub sample: Option<&'a Trace>,
    /// Whether the answer has a verdict; one execution has none, unless it fails.
    pub decided: bool,
}

/// The parts of the script, in the order in which they need each other.
const SCRIPT: [&str; 8] = [
    include_str!("page/model.js"),
    include_str!("page/story.js"),
    include_str!("page/lanes.js"),
    include_str!("page/strip.js"),
    include_str!("page/code.js"),
    include_str!("page/values.js"),
    include_str!("page/export.js"),
    include_str!("page/main.js"),
];

/// The error that a page shows.
struct Error<'a> {
    kind: &'a str,
    message: String,
    /// Its place in words.
    at: Option<String>,
    /// Its file, as an index into those that are shown, and line.
    place: Option<(usize, u32)>,
}

/// The parts of a page.
struct Frame<'a> {
    file: &'a str,
    /// The verdict in a word, or nothing.
    verdict: &'a str,
    /// The title, if there is no error.
    headline: &'a str,
    error: Option<Error<'a>>,
    /// Whether there are more errors.
    more_errors: bool,
    summary: &'a str,
    command: Option<&'a str>,
    facts: &'a [String],
    /// The rest of the top, as HTML.
    more: &'a str,
    /// The answer as text, for browsers without scripts.
    text: &'a str,
    /// There are no steps.
    hidden: bool,
    /// There is a sequential program.
    sequential: bool,
    data: Value,
}

impl Frame<'_> {
    fn title(&self) -> &str {
        self.error.as_ref().map_or(self.headline, |e| &e.message)
    }

    /// The data for the script beside the trace.
    fn about(&self) -> Value {
        let error = self.error.as_ref();
        let place = error.and_then(|e| e.place);
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "file": self.file,
            "verdict": self.verdict,
            "kind": error.map(|e| e.kind),
            "message": error.map_or("", |e| &*e.message),
            "headline": self.title(),
            "summary": self.summary,
            "where": error.and_then(|e| e.at.as_ref()),
            "place": place.map(|(file, line)| json!({ "file": file, "line": line })),
            "command": self.command,
        })
    }

    fn page(mut self) -> String {
        self.data["about"] = self.about();
        let summary = match (&self.error, self.more_errors) {
            (None, _) => String::new(),
            (Some(_), false) => self.summary.to_owned(),
            (Some(_), true) => format!("{}; this is the first", self.summary),
        };
        let command = self.command.map_or_else(String::new, |command| {
            let button = "<button type=\"button\" id=\"copy-command\">copy</button>";
            format!(
                "<p class=\"command\"><code>{}</code>{button}</p>\n",
                escape(command)
            )
        });
        let verdict = match self.verdict {
            "" => "an execution",
            verdict => verdict,
        };
        let (body, hidden) = match self.hidden {
            true => (" class=\"no-steps\"", "hidden"),
            false => ("", ""),
        };
        let sequential = match self.sequential {
            true => include_str!("seq.html").trim_end(),
            false => "",
        };
        fill(
            include_str!("page.html"),
            &[
                ("version", env!("CARGO_PKG_VERSION").to_owned()),
                ("file", escape(self.file)),
                ("verdict", verdict.to_owned()),
                ("css", include_str!("page.css").to_owned()),
                ("body", body.to_owned()),
                ("title", escape(self.title())),
                ("summary", escape(&summary)),
                ("command", command),
                ("facts", facts(self.facts) + self.more),
                ("text", escape(self.text)),
                ("hidden", hidden.to_owned()),
                ("seq", sequential.to_owned()),
                ("data", script_data(&self.data)),
                ("js", SCRIPT.concat()),
            ],
        )
    }
}

/// The page of an answer.
#[must_use]
pub fn page(subject: &Subject<'_>, page: &Page<'_>) -> String {
    let answer = subject.answer;
    let bug = answer.bugs.first();
    let none = Trace::default();
    let files = data::Files::of(page.trace.unwrap_or(&none), subject.sources);
    let error = bug.map(|bug| Error {
        kind: bug.kind.name(),
        message: super::message(bug),
        at: (bug.span.and_then(|span| subject.sources.locate(span)))
            .map(|at| format!("{}:{}:{}", at.file, at.line, at.column)),
        place: files.place(bug.span),
    });
    Frame {
        file: subject.file,
        verdict: about::verdict(subject, page),
        headline: &about::headline(subject),
        error,
        more_errors: answer.bugs.len() > 1,
        summary: &answer.summary,
        command: page.command,
        facts: &about::facts(subject),
        more: &sample(subject, page),
        text: &text::bugs(subject, Look::default()),
        hidden: page.trace.is_none_or(|t| t.steps.is_empty()),
        sequential: page.sequential.is_some(),
        data: data::data(subject, page, &files),
    }
    .page()
}

/// Shows an example execution of a program without a bug; the user can open it on the page.
fn sample(subject: &Subject<'_>, page: &Page<'_>) -> String {
    let look = Look {
        width: 100,
        ..Look::default()
    };
    page.sample.map_or_else(String::new, |trace| {
        let text = escape(&columns::show(trace, subject.sources, look));
        format!(
            "<details><summary>One execution as an example</summary><pre>{text}</pre></details>\n"
        )
    })
}

/// The rest of the answer, as a list.
fn facts(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines
        .iter()
        .map(|l| format!("<li>{}</li>\n", escape(l)))
        .collect();
    format!("<ul class=\"facts\">\n{items}</ul>\n")
}

/// Replaces each `{{name}}` of a template by its value. A `{{name}}` within a value stays as it is.
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

/// Escapes text for an element or an attribute.
pub(crate) fn escape(text: &str) -> String {
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
fn script_data(json: &Value) -> String {
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
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json);
    }
}
