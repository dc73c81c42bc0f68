//! The page of a program that ran: its threads as lanes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Error, Frame, data};

/// A line of a file, as an index into the files.
pub type Place = (usize, u32);

/// A step of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub thread: usize,
    pub place: Option<Place>,
    pub function: String,
    pub action: String,
    /// The thread that it creates.
    pub creates: Option<usize>,
    /// The thread whose end it has waited for.
    pub joins: Option<usize>,
    /// A variable and the value that the thread has seen.
    pub reads: Option<(String, u64)>,
    /// A variable and the value that the thread has left.
    pub writes: Option<(String, u64)>,
    /// A variable that is raced for here, and whether this is a write.
    pub races: Option<(String, bool)>,
    /// The thread ends.
    pub ends: bool,
    /// The program fails here.
    pub fails: bool,
    /// The names and values that the failing check looks at.
    pub values: Vec<(String, u64)>,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub thread: usize,
    pub what: String,
    /// It waits for the end of this thread.
    pub joins: Option<usize>,
    /// The thread that holds what this thread waits for, and the step in which it took that.
    pub holder: Option<(usize, usize)>,
}

/// An answer about a program that ran.
#[derive(Clone, Debug)]
pub struct Execution<'a> {
    pub program: &'a str,
    pub verdict: &'static str,
    /// The kind of the error, its message and its place.
    pub error: Option<(&'static str, &'a str, Option<Place>)>,
    pub summary: &'a str,
    pub command: Option<&'a str>,
    /// The rest of the answer, line by line.
    pub facts: &'a [String],
    /// The answer as text.
    pub text: &'a str,
    /// The names of the threads.
    pub threads: &'a [String],
    /// Names and lines of files, and whether they are a library's.
    pub files: &'a [(String, Vec<String>, bool)],
    pub steps: &'a [Step],
    pub waiting: &'a [Waiting],
}

/// The page of an answer about a program that ran.
#[must_use]
pub fn page(execution: &Execution<'_>) -> String {
    let error = execution.error.map(|(kind, message, place)| Error {
        kind,
        message: message.to_owned(),
        at: place.and_then(|(file, line)| Some(format!("{}:{line}", execution.files.get(file)?.0))),
        place,
    });
    Frame {
        file: execution.program,
        verdict: execution.verdict,
        headline: execution.summary,
        error,
        summary: execution.summary,
        more_errors: false,
        command: execution.command,
        facts: execution.facts,
        more: "",
        text: execution.text,
        hidden: execution.steps.is_empty(),
        sequential: false,
        data: data(execution),
    }
    .page()
}

fn data(execution: &Execution<'_>) -> Value {
    let steps = execution.steps;
    let files = execution.files.iter();
    let files = files.map(|(name, lines, library)| data::file(name, &json!(lines), *library));
    let waiting = execution.waiting.iter().map(|w| {
        let held = w
            .holder
            .map(|(thread, since)| json!({ "lane": thread, "since": since, "holds": true }));
        let ends = w
            .joins
            .map(|thread| json!({ "lane": thread, "since": null, "holds": false }));
        json!({ "lane": w.thread, "what": w.what, "joins": w.joins.is_some(), "on": held.or(ends) })
    });
    json!({
        "files": files.collect::<Value>(),
        "about": null,
        "rounds": false,
        "lanes": lanes(execution),
        "steps": steps.iter().map(step).collect::<Value>(),
        "segments": segments(steps),
        "starts": [{ "step": 0, "globals": initial(steps) }],
        "seq": null,
        "waiting": waiting.collect::<Value>(),
        "wholes": [],
        "coverage": null,
        "threads": true,
    })
}

/// A lane for each thread, with the thread that has created it.
fn lanes(execution: &Execution<'_>) -> Value {
    let parent = |thread| {
        let creates = execution.steps.iter().find(|s| s.creates == Some(thread));
        creates.map_or(json!(-1), |s| json!(s.thread))
    };
    let lane = |(thread, name): (usize, &String)| json!({ "n": thread + 1, "name": name, "parent": parent(thread), "run": 0 });
    execution.threads.iter().enumerate().map(lane).collect()
}

fn step(step: &Step) -> Value {
    let mut object = Map::new();
    let kind = if step.fails { "fails" } else { "does" };
    object.insert("lane".into(), step.thread.into());
    object.insert("proc".into(), step.function.as_str().into());
    object.insert("round".into(), 0.into());
    object.insert("action".into(), step.action.as_str().into());
    object.insert("kind".into(), kind.into());
    let written = step.writes.iter().map(|(n, v)| json!([n, v.to_string()]));
    object.insert("changed".into(), written.collect());
    if let Some((file, line)) = step.place {
        object.insert("file".into(), file.into());
        object.insert("line".into(), line.into());
    }
    if let Some(child) = step.creates {
        object.insert("child".into(), child.into());
    }
    if let Some(joined) = step.joins {
        object.insert("joins".into(), true.into());
        object.insert("joined".into(), joined.into());
    }
    if let Some((name, write)) = &step.races {
        object.insert("raced".into(), json!([name, write]));
    }
    let values = step.reads.iter().chain(&step.values);
    let values: Vec<Value> = values.map(|(n, v)| json!([n, v.to_string()])).collect();
    if !values.is_empty() {
        object.insert("values".into(), values.into());
    }
    Value::Object(object)
}

/// Returns the segments: each ends where another thread goes on.
fn segments(steps: &[Step]) -> Value {
    let mut segments: Vec<Value> = Vec::new();
    let mut first = 0;
    for part in steps.chunk_by(|a, b| a.thread == b.thread) {
        let ends = part.iter().any(|s| s.ends);
        let ended = if ends { "finished" } else { "interrupted" };
        segments
            .push(json!({ "lane": part[0].thread, "round": 0, "first": first, "ended": ended }));
        first += part.len();
    }
    segments.into()
}

/// Returns the variables with their first values. A variable that is written before a thread reads it has `?`.
fn initial(steps: &[Step]) -> Value {
    let mut known: BTreeMap<&String, Option<u64>> = BTreeMap::new();
    for step in steps {
        if let Some((name, value)) = &step.reads {
            known.entry(name).or_insert(Some(*value));
        }
        if let Some((name, _)) = &step.writes {
            known.entry(name).or_insert(None);
        }
    }
    let shown = |value: Option<u64>| value.map_or_else(|| "?".to_owned(), |v| v.to_string());
    known
        .into_iter()
        .map(|(name, value)| json!([name, shown(value)]))
        .collect()
}
