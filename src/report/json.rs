//! `--format json`: one object of schema `dbverify/1`, keys in a fixed order.

use serde_json::{Map, Value, json};

use answer::{Answer, Coverage, Engine, Figure, Given, Looked, NamedBound, Note, ShardOf, Verdict};
use base::diagnostic::Diagnostic;
use base::source::{SourceMap, Span};
use trace::Bug;
use trace::Trace;

use super::{Subject, message, words};

/// The schema's name, in every object.
pub const SCHEMA: &str = "dbverify/1";

/// The answer as one line of JSON.
#[must_use]
pub fn answer(subject: &Subject<'_>) -> String {
    let answer = subject.answer;
    let mut object = header(subject.file);
    let engine = match answer.engine {
        Engine::Smt => "smt",
        Engine::Explicit => "explicit",
    };
    object.insert("engine".into(), engine.into());
    object.extend(verdict(answer));
    if let Some(advice) = &answer.advice {
        object.insert("advice".into(), advice.as_str().into());
    }
    if !answer.tries.is_empty() {
        object.insert("try".into(), answer.tries.clone().into());
    }
    if let Some(ShardOf {
        index,
        of,
        question,
        whole,
    }) = &answer.shard
    {
        let mut said = verdict(whole);
        said.insert("bounds".into(), bounds(whole).into());
        said.insert("notes".into(), notes(whole, subject.sources));
        let shard = json!({ "index": index, "of": of, "question": question, "whole": said });
        object.insert("shard".into(), shard);
    }
    object.insert("bounds".into(), bounds(answer).into());
    if let Some(first) = answer.bugs.first() {
        object.insert("error".into(), error(first, subject.sources));
        object.insert("trace".into(), trace(&first.trace, subject.sources));
    }
    if answer.bugs.len() > 1 {
        let all = answer.bugs.iter().map(|bug| {
            json!({ "error": error(bug, subject.sources), "trace": trace(&bug.trace, subject.sources) })
        });
        object.insert("bugs".into(), all.collect());
    }
    finals(subject, &mut object);
    if let Some(found) = &answer.coverage {
        object.insert("coverage".into(), coverage(found, subject.sources));
    }
    if !answer.notes.is_empty() {
        object.insert("notes".into(), notes(answer, subject.sources));
    }
    object.insert("stats".into(), figures(&answer.stats).into());
    Value::Object(object).to_string()
}

/// The verdict, why there is none, and the summary.
fn verdict(answer: &Answer) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("verdict".into(), answer.word().into());
    if let Verdict::Inconclusive(reason) = &answer.verdict {
        object.insert("reason".into(), reason.words().into());
    }
    object.insert("summary".into(), answer.summary.as_str().into());
    object
}

/// The first keys of every object.
#[must_use]
pub fn header(file: &str) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("schema".into(), SCHEMA.into());
    object.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    object.insert("file".into(), file.into());
    object
}

/// The bounds, and whether they have left something out.
fn bounds(answer: &Answer) -> Map<String, Value> {
    let named = answer.bounds.iter();
    let named = named.map(|bound| (bound.name().to_owned(), given(bound)));
    let mut bounds: Map<String, Value> = named.collect();
    bounds.insert("exhaustive".into(), answer.exhaustive.into());
    bounds.insert("budget_spent".into(), answer.budget_spent.into());
    bounds.insert("all_schedules".into(), answer.is_of_all_schedules().into());
    bounds.insert("races".into(), answer.races.into());
    bounds.insert("c11".into(), answer.c11.into());
    let cut_by = answer.cut_by.iter().map(|by| by.name());
    bounds.insert("cut_by".into(), cut_by.collect());
    bounds
}

/// The final states that were asked for.
fn finals(subject: &Subject<'_>, object: &mut Map<String, Value>) {
    if let Some(finals) = &subject.answer.finals {
        let states = finals.iter().map(|values| {
            let fields = subject.final_state(values).into_iter();
            let fields = fields.map(|(name, value)| (name, Value::from(value)));
            Value::Object(fields.collect())
        });
        object.insert("finals".into(), states.collect());
    }
    if !subject.answer.open_finals.is_empty() {
        let states = subject.answer.open_finals.iter().map(|state| {
            let values = state.values.iter();
            let values = values.map(|(name, value)| (name.clone(), Value::from(value.as_str())));
            json!({ "values": Value::Object(values.collect()), "where": state.conditions })
        });
        object.insert("open_finals".into(), states.collect());
    }
}

fn given(bound: &NamedBound) -> Value {
    match bound.given() {
        Given::Count(n) => n.into(),
        Given::Word(word) => word.into(),
        Given::Yes => true.into(),
        Given::None => Value::Null,
    }
}

pub(super) fn figures(list: &[Figure]) -> Map<String, Value> {
    let all = list.iter().map(|figure| match *figure {
        Figure::Count(what, n) => (what.name().to_owned(), n.into()),
        Figure::Real(what, x) => (what.name().to_owned(), x.into()),
    });
    all.collect()
}

/// A bug's kind, message and place.
#[must_use]
pub fn error(bug: &Bug, sources: &SourceMap) -> Value {
    let mut object = Map::new();
    object.insert("kind".into(), bug.kind.name().into());
    object.insert("message".into(), message(bug).into());
    place(&mut object, bug.span, sources);
    Value::Object(object)
}

/// The lines that are reached and those that are not, by file.
fn coverage(coverage: &Coverage, sources: &SourceMap) -> Value {
    let whole = matches!(coverage.looked, Looked::Everywhere | Looked::WithinBounds);
    let files = coverage.lines(sources).into_iter().map(|(name, lines)| {
        let those = |wanted: bool| {
            let lines = lines.iter().filter(|&(_, &reached)| reached == wanted);
            lines.map(|(line, _)| *line).collect::<Vec<_>>()
        };
        json!({ "file": name, "reached": those(true), "unreached": those(false) })
    });
    json!({ "whole": whole, "files": files.collect::<Vec<_>>() })
}

fn notes(answer: &Answer, sources: &SourceMap) -> Value {
    answer.notes.iter().map(|n| note(n, sources)).collect()
}

fn note(note: &Note, sources: &SourceMap) -> Value {
    let mut object = Map::new();
    object.insert("message".into(), note.message.as_str().into());
    place(&mut object, note.span, sources);
    if let Some(reached) = note.reached {
        object.insert("reached".into(), reached.name().into());
    }
    Value::Object(object)
}

fn place(object: &mut Map<String, Value>, span: Option<Span>, sources: &SourceMap) {
    if let Some(at) = span.and_then(|s| sources.locate(s)) {
        object.insert("file".into(), at.file.into());
        object.insert("line".into(), at.line.into());
        object.insert("column".into(), at.column.into());
    }
}

/// The diagnostics of an input, as one line of JSON.
#[must_use]
pub fn diagnostics(file: &str, sources: &SourceMap, list: &[Diagnostic]) -> String {
    let mut object = header(file);
    object.insert("diagnostics".into(), super::diagnostic::json(sources, list));
    Value::Object(object).to_string()
}

/// The diagnostics of several inputs, as one line of JSON.
#[must_use]
pub fn diagnostics_of_several(files: &[&str], lists: Vec<Value>) -> String {
    let mut object = header("");
    object.shift_remove("file");
    object.insert("files".into(), files.into());
    let all = lists.into_iter().flat_map(|list| match list {
        Value::Array(list) => list,
        other => vec![other],
    });
    object.insert("diagnostics".into(), all.collect());
    Value::Object(object).to_string()
}

/// The lines of a trace.
#[must_use]
pub fn trace(trace: &Trace, sources: &SourceMap) -> Value {
    let steps = &trace.steps;
    steps
        .iter()
        .map(|step| {
            let changed: Map<String, Value> = step
                .changed
                .iter()
                .map(|change| (change.full_name(), change.value.as_str().into()))
                .collect();
            let mut object = Map::new();
            object.insert("task".into(), step.task.into());
            object.insert("proc".into(), step.proc.as_str().into());
            object.insert("round".into(), step.round.into());
            if let Some(at) = step.span.and_then(|s| sources.locate(s)) {
                if step.span.is_some_and(|s| is_another_file(s, sources)) {
                    object.insert("file".into(), at.file.into());
                }
                object.insert("line".into(), at.line.into());
            }
            object.insert("action".into(), words::action(step, trace.dialect).into());
            object.insert("changed".into(), changed.into());
            if let Some(stale) = &step.stale {
                // Steps are counted from 1, as in `replay`.
                let (read, since) = (stale.read + 1, stale.since + 1);
                let stale = json!({ "variable": stale.name, "read": read, "since": since });
                object.insert("stale".into(), stale);
            }
            Value::Object(object)
        })
        .collect()
}

/// Whether a span is in a file of the user's that is not the program's first.
fn is_another_file(span: Span, sources: &SourceMap) -> bool {
    sources.is_users(span) && sources.file_of(span.start).is_some_and(|f| f.start > 0)
}
