//! `--format sarif`: SARIF 2.1.0 for code-scanning viewers. A bug is a result, its trace a thread flow.

use serde_json::{Value, json};

use crate::answer::{Bug, Verdict};
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::ErrorKind;
use crate::source::{SourceMap, Span};

use super::Subject;

const KINDS: [(ErrorKind, &str); 11] = [
    (ErrorKind::Assertion, "An assertion fails"),
    (ErrorKind::Range, "A value outside of its range is stored"),
    (ErrorKind::Index, "An index is out of bounds"),
    (ErrorKind::Division, "A division by zero"),
    (ErrorKind::Deadlock, "Every pending task is blocked"),
    (
        ErrorKind::Race,
        "Two conflicting accesses without an order between them",
    ),
    (
        ErrorKind::Divergence,
        "Equal progress leaves different shared states",
    ),
    (ErrorKind::Livelock, "A fair schedule never ends"),
    (
        ErrorKind::GoodSamaritan,
        "A task runs for ever without sleeping",
    ),
    (ErrorKind::Stuck, "A join that cannot make sense"),
    (
        ErrorKind::Object,
        "A false declaration about an object's operations",
    ),
];

/// The answer as a SARIF log.
#[must_use]
pub fn answer(subject: &Subject<'_>) -> String {
    let results: Vec<Value> = subject
        .answer
        .bugs
        .iter()
        .map(|bug| result(bug, subject))
        .collect();
    log(
        results,
        matches!(subject.answer.verdict, Verdict::Inconclusive(_))
            .then_some(&subject.answer.summary),
    )
}

/// What is wrong with the input as a SARIF log.
#[must_use]
pub fn diagnostics(sources: &SourceMap, list: &[Diagnostic]) -> String {
    let results = list.iter().map(|diagnostic| {
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let text = std::iter::once(&diagnostic.message)
            .chain(&diagnostic.notes)
            .cloned()
            .collect::<Vec<_>>()
            .join("; ");
        let mut result =
            json!({ "ruleId": diagnostic.code, "level": level, "message": { "text": text } });
        if let Some(place) = diagnostic
            .span
            .and_then(|s| location(s, sources, &diagnostic.label))
        {
            result["locations"] = json!([place]);
        }
        result
    });
    log(results.collect(), None)
}

/// A log of these results. An incomplete run carries its reason as a notification.
fn log(results: Vec<Value>, incomplete: Option<&String>) -> String {
    let rules: Vec<Value> = KINDS
        .iter()
        .map(|(kind, text)| json!({ "id": kind.name(), "shortDescription": { "text": text } }))
        .collect();
    let notifications: Vec<Value> = incomplete
        .iter()
        .map(|text| json!({ "level": "warning", "message": { "text": text } }))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "dbverify", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": results
        }]
    })
    .to_string()
}

fn result(bug: &Bug, subject: &Subject<'_>) -> Value {
    let steps: Vec<Value> = bug
        .trace
        .steps
        .iter()
        .filter_map(|step| {
            let text = format!("task {} ({}): {}", step.task, step.proc, step.action);
            Some(json!({ "location": location(step.span?, subject.sources, &text)? }))
        })
        .collect();
    let mut result = json!({
        "ruleId": bug.kind.name(),
        "level": "error",
        "message": { "text": bug.message },
    });
    if let Some(place) = bug
        .span
        .and_then(|s| location(s, subject.sources, &bug.message))
    {
        result["locations"] = json!([place]);
    }
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// A path as a reference of RFC 3986: what has a meaning there, or is no ASCII, is written as bytes.
fn uri(path: &str) -> String {
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
    let uri = uri(&at.file);
    Some(json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": { "startLine": at.line, "startColumn": at.column }
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
}
