//! `--html`: one page that needs nothing else, for a browser, a projector or paper.
//!
//! The page is a [frame](page.html) with its style and its script, and the trace as data in it. All that comes from
//! the program is either data, which the script puts into the page as text, or escaped here.

mod about;
mod data;

use options::Scheduler;
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

/// What a page shows beside the answer.
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

/// The page of an answer.
#[must_use]
pub fn page(subject: &Subject<'_>, page: &Page<'_>) -> String {
    let answer = subject.answer;
    let bug = answer.bugs.first();
    let verdict = about::verdict(subject, page);
    let hidden = page.trace.is_none_or(|t| t.steps.is_empty());
    let mut summary = answer.summary.clone();
    if answer.bugs.len() > 1 {
        summary.push_str("; this is the first");
    }
    let title = bug.map_or_else(|| about::headline(subject), |b| b.message.clone());
    let command = page.command.map_or_else(String::new, |command| {
        let button = "<button type=\"button\" id=\"copy-command\">copy</button>";
        format!(
            "<p class=\"command\"><code>{}</code>{button}</p>\n",
            escape(command)
        )
    });
    fill(
        include_str!("page.html"),
        &[
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("file", escape(subject.file)),
            (
                "verdict",
                if verdict.is_empty() {
                    "an execution"
                } else {
                    verdict
                }
                .to_owned(),
            ),
            ("css", include_str!("page.css").to_owned()),
            (
                "body",
                if hidden { " class=\"no-steps\"" } else { "" }.to_owned(),
            ),
            ("title", escape(&title)),
            (
                "summary",
                if bug.is_some() {
                    escape(&summary)
                } else {
                    String::new()
                },
            ),
            ("command", command),
            ("facts", facts(subject) + &sample(subject, page)),
            ("text", escape(&text::bugs(subject, Look::default()))),
            ("hidden", if hidden { "hidden" } else { "" }.to_owned()),
            (
                "seq",
                page.sequential
                    .map_or("", |_| include_str!("seq.html").trim_end())
                    .to_owned(),
            ),
            ("data", script_data(&data::data(subject, page))),
            ("js", SCRIPT.concat()),
        ],
    )
}

/// Some execution of a program without a bug, to be opened.
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

/// What else the answer says, a line for each.
fn facts(subject: &Subject<'_>) -> String {
    let lines = about::facts(subject);
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines
        .iter()
        .map(|l| format!("<li>{}</li>\n", escape(l)))
        .collect();
    format!("<ul class=\"facts\">\n{items}</ul>\n")
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
