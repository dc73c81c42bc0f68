//! `--format sarif`: SARIF 2.1.0 for code-scanning viewers. A bug is a result, its trace a thread flow.

use std::hash::Hasher;

use fnv::FnvHasher;
use serde_json::{Value, json};

use answer::Verdict;
use base::diagnostic::{Diagnostic, Severity};
use base::source::{SourceMap, Span};
use trace::Bug;

use super::{Subject, kinds, message, words};

/// The contents of one log.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The file that this log is about, or nothing. It tells the log from others of the same commit.
    pub about: String,
    pub results: Vec<Value>,
    /// The obstacles of the run: why something was not settled, which file cannot be read, and so on.
    pub notifications: Vec<Value>,
    /// The verdict and its summary, if there is a verdict.
    pub properties: Option<Value>,
}

/// The answer as a SARIF log.
#[must_use]
pub fn answer(subject: &Subject<'_>) -> String {
    Log::of(subject).text()
}

/// Why a run did not do what it was to do, as a notification.
#[must_use]
pub fn hindrance(reason: &str) -> Value {
    json!({ "level": "error", "message": { "text": reason } })
}

const fn level(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// The message of a complaint with its notes.
fn said(diagnostic: &Diagnostic) -> String {
    let notes = diagnostic.notes.iter().map(String::as_str);
    let text: Vec<&str> = std::iter::once(diagnostic.message.as_str())
        .chain(notes)
        .collect();
    text.join("; ")
}

/// A complaint about the text of a program, as a result.
fn complaint(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let result = json!({ "ruleId": diagnostic.code, "level": level(diagnostic), "message": { "text": said(diagnostic) } });
    let label = if diagnostic.label.is_empty() {
        &diagnostic.message
    } else {
        &diagnostic.label
    };
    placed(result, diagnostic.span, sources, label)
}

/// Makes a result for a run that differs from what a line expects.
#[must_use]
pub fn expectation(file: &str, line: u32, level: &str, text: &str) -> Value {
    json!({
        "ruleId": EXPECTATION,
        "level": level,
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": line }
        } }],
        "partialFingerprints": fingerprint(EXPECTATION, file, &line.to_string())
    })
}

/// The rule for runs that differ from their `// expect:` line.
const EXPECTATION: &str = "expectation";

impl Log {
    /// The log of an answer.
    #[must_use]
    pub fn of(subject: &Subject<'_>) -> Self {
        let answer = subject.answer;
        let bugs = answer.bugs.iter();
        let inconclusive = matches!(answer.verdict, Verdict::Inconclusive(_));
        Self {
            about: subject.file.to_owned(),
            results: bugs.map(|bug| result(bug, subject)).collect(),
            notifications: inconclusive
                .then(|| hindrance(&answer.summary))
                .into_iter()
                .collect(),
            properties: Some(json!({ "verdict": answer.word(), "summary": answer.summary })),
        }
    }

    /// Adds complaints: what is wrong with a program's text as results, anything else as notifications.
    #[must_use]
    pub fn complaining(mut self, sources: &SourceMap, list: &[Diagnostic]) -> Self {
        for diagnostic in list {
            if diagnostic.span.is_some() {
                self.results.push(complaint(diagnostic, sources));
            } else {
                self.notifications.push(json!({
                    "level": level(diagnostic),
                    "message": { "text": said(diagnostic) },
                    "descriptor": { "id": diagnostic.code }
                }));
            }
        }
        self
    }

    /// Writes the log as text, with the rules that its results name.
    #[must_use]
    pub fn text(mut self) -> String {
        let rules = rules(&self.results);
        for result in &mut self.results {
            let index = rules.iter().position(|r| r["id"] == result["ruleId"]);
            result["ruleIndex"] = index.into();
        }
        let successful = (self.notifications.iter()).all(|told| told["level"] != "error");
        let id = if self.about.is_empty() {
            "dbverify/".to_owned()
        } else {
            format!("dbverify/{}/", self.about)
        };
        let mut run = json!({
            "tool": { "driver": {
                "name": "dbverify",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules
            } },
            "automationDetails": { "id": id },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": successful, "toolExecutionNotifications": self.notifications }],
            "results": self.results
        });
        if let Some(properties) = self.properties {
            run["properties"] = properties;
        }
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run]
        })
        .to_string()
    }
}

/// The rules: every kind of error, and what else the results name.
fn rules(results: &[Value]) -> Vec<Value> {
    let mut rules: Vec<Value> = kinds::sections()
        .map(|(kind, section)| {
            let texts = [
                &kinds::summary(section),
                &kinds::paragraph(section),
                section,
            ];
            rule(kind, texts.map(str::trim_end))
        })
        .collect();
    for result in results {
        let id = result["ruleId"].as_str().unwrap_or_default();
        if rules.iter().all(|r| r["id"] != id) {
            rules.push(other_rule(id));
        }
    }
    rules
}

/// Makes the rule of a result that is no kind of error: a complaint about the text, a verdict that was not expected, and so on.
fn other_rule(id: &str) -> Value {
    if id == EXPECTATION {
        return rule(
            id,
            [
                "A verdict that was not expected.",
                "A run of `dbverify test` came out otherwise than the `// expect:` line of the program says.",
                "Run the command of the `// run:` line to see why. If the new verdict is right, change the `// expect:` line.",
            ],
        );
    }
    if matches!(id, "abort" | "signal" | "exit") {
        return rule(
            id,
            [
                "The program that runs ends with an error.",
                "Under the schedule of the trace the program is ended by a signal, calls `abort`, or ends with a status that is not 0.",
                "`dbverify replay` runs the schedule again, `--gdb` with a debugger at its end. See docs/run.md.",
            ],
        );
    }
    let words = id.replace('-', " ");
    rule(
        id,
        [
            &format!("The text of the program: {words}."),
            &format!(
                "`dbverify check` complains about the text of the program with the code `{id}`. The message says what is wrong."
            ),
            "The message says what is wrong at this place, and what could stand there. `dbverify check FILE` shows it with the source line. The language is described in docs/language.md.",
        ],
    )
}

/// A rule with its texts: in short, in full, and what to do about it.
fn rule(id: &str, [short, full, help]: [&str; 3]) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": short },
        "fullDescription": { "text": full },
        "help": { "text": help, "markdown": help },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high" }
    })
}

fn result(bug: &Bug, subject: &Subject<'_>) -> Value {
    let steps: Vec<Value> = bug
        .trace
        .steps
        .iter()
        .filter_map(|step| {
            let action = words::action(step, bug.trace.dialect);
            let text = format!("task {} ({}): {action}", step.task, step.proc);
            Some(json!({ "location": location(step.span?, subject.sources, &text)? }))
        })
        .collect();
    let said = message(bug);
    // A condition that is to be reached is no error.
    let level = match subject.answer.asks_cover {
        true => "note",
        false => "error",
    };
    let result = json!({
        "ruleId": bug.kind.name(),
        "level": level,
        "message": { "text": said },
    });
    let mut result = placed(result, bug.span, subject.sources, &said);
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// Adds to a result its place, and a fingerprint that stays the same when other lines of the file change.
fn placed(mut result: Value, span: Option<Span>, sources: &SourceMap, text: &str) -> Value {
    let Some((span, at)) = span.and_then(|s| Some((s, sources.locate(s)?))) else {
        return result;
    };
    if let Some(place) = location(span, sources, text) {
        result["locations"] = json!([place]);
    }
    let file = sources.file_of(span.start);
    let line = file.map_or("", |f| &f.text[f.line_range(at.line)]);
    let rule = result["ruleId"].as_str().unwrap_or_default();
    result["partialFingerprints"] = fingerprint(rule, &at.file, line.trim());
    result
}

/// Makes the fingerprint by which the same finding is recognised in another commit.
fn fingerprint(rule: &str, file: &str, line: &str) -> Value {
    let mut hasher = FnvHasher::default();
    for part in [rule, file, line] {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    json!({ "dbverifyFinding/v1": format!("{:016x}", hasher.finish()) })
}

/// Writes a path as a URI reference of RFC 3986. Special characters, and those beyond ASCII, become bytes with `%`.
#[must_use]
pub fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn location(span: Span, sources: &SourceMap, text: &str) -> Option<Value> {
    let at = sources.locate(span)?;
    let mut region = json!({ "startLine": at.line, "startColumn": at.column });
    if let Some(end) = sources.locate(Span::new(span.end, span.end))
        && (at.line, at.column) < (end.line, end.column)
    {
        region["endLine"] = end.line.into();
        region["endColumn"] = end.column.into();
    }
    Some(json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&at.file) },
            "region": region
        },
        "message": { "text": text }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_uris() {
        assert_eq!(uri("models/a_b-1.async"), "models/a_b-1.async");
        assert_eq!(uri("C:\\a b"), "C%3A/a%20b");
        assert_eq!(uri("100%/<é>?#.async"), "100%25/%3C%C3%A9%3E%3F%23.async");
    }

    #[test]
    fn a_finding_is_known_again_on_another_line() {
        let complain = |text: &str| {
            let mut sources = SourceMap::new();
            sources.add("a.async", text).unwrap();
            let at = u32::try_from(text.find('y').unwrap()).unwrap();
            let wrong = Diagnostic::error("unknown-name", Span::new(at, at + 1), "there is no `y`");
            complaint(&wrong, &sources)
        };
        let (before, after) = (complain("a\n  y := 1;\n"), complain("a\n\n\n\ty := 1;\n"));
        assert_ne!(before["locations"], after["locations"]);
        assert_eq!(before["partialFingerprints"], after["partialFingerprints"]);
        let region = &before["locations"][0]["physicalLocation"]["region"];
        assert_eq!(
            region.to_string(),
            r#"{"startLine":2,"startColumn":3,"endLine":2,"endColumn":4}"#
        );
    }
}
