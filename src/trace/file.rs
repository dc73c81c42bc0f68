//! A counterexample in a file: the schedule, with what is needed to see whether it still fits the program.

use serde_json::{Map, Value as Json, json};

use ir::Value;
use options::PreemptMode;
use options::{Buffered, Memory, Scheduler};

use super::{Decision, Schedule};

/// The schema of a trace file.
pub const SCHEMA: &str = "dbverify-trace/1";

/// The content of a trace file beside the shown steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The name of the program's first file.
    pub file: String,
    /// The program's text when the trace was made.
    pub source: String,
    /// The files that the program uses: their names, and their texts when the trace was made.
    pub modules: Vec<(String, String)>,
    /// The line of the `cover` that was asked about.
    pub cover: Option<u32>,
    /// The preemption mode that overrode the program's.
    pub preempt: Option<PreemptMode>,
    /// The scheduler under which the schedule was found.
    pub scheduler: Scheduler,
    /// The memory under which it was found, and the length of its buffers.
    pub memory: Buffered,
    /// The options with which a C program was read, such as `--heap=2`.
    pub reading: Vec<String>,
    /// The error at its end, or null.
    pub error: Json,
    pub schedule: Schedule,
}

impl TraceFile {
    /// Writes the file as JSON. `steps` are for readers; [`Self::from_json`] ignores them.
    #[must_use]
    pub fn to_json(&self, steps: Json) -> Json {
        let mut whole = json!({
            "schema": SCHEMA,
            "version": env!("CARGO_PKG_VERSION"),
            "file": self.file,
            "preempt": self.preempt.map(preempt_name),
            "scheduler": self.scheduler.to_string(),
            "error": self.error,
            "schedule": self.schedule.decisions.iter().map(decision_to_json).collect::<Json>(),
            "steps": steps,
            "source": self.source,
        });
        if self.memory.memory != Memory::Sc {
            whole["memory"] = self.memory.memory.name().into();
            whole["buffer"] = self.memory.buffer.into();
        }
        if let Some(line) = self.cover {
            whole["cover"] = line.into();
        }
        if !self.modules.is_empty() {
            let file =
                |(file, source): &(String, String)| json!({ "file": file, "source": source });
            whole["modules"] = self.modules.iter().map(file).collect();
        }
        if !self.reading.is_empty() {
            whole["reading"] = self.reading.iter().map(String::as_str).collect();
        }
        whole
    }

    /// Whether it records an error that no execution shows: a declaration that the solver refutes.
    #[must_use]
    pub fn is_without_execution(&self) -> bool {
        let runs = |d: &Decision| matches!(d, Decision::Dispatch(_) | Decision::Delay(_));
        !self.error.is_null() && !self.schedule.decisions.iter().any(runs)
    }

    /// The names and the texts of the program's files.
    #[must_use]
    pub fn texts(&self) -> Vec<(&str, &str)> {
        let first = (self.file.as_str(), self.source.as_str());
        let others = self.modules.iter();
        let others = others.map(|(name, text)| (name.as_str(), text.as_str()));
        std::iter::once(first).chain(others).collect()
    }

    /// Reads a trace file.
    ///
    /// # Errors
    /// When it is not a trace file; the text says what is wrong.
    pub fn from_json(json: &Json) -> Result<Self, String> {
        if json["schema"] != SCHEMA {
            return Err(format!(
                "it is not a trace file, which --trace-out writes: `schema` is not \"{SCHEMA}\""
            ));
        }
        let decisions = json["schedule"]
            .as_array()
            .ok_or("`schedule` is not a list")?;
        Ok(Self {
            file: json["file"].as_str().unwrap_or_default().to_owned(),
            source: json["source"]
                .as_str()
                .ok_or("`source` is not a text")?
                .to_owned(),
            modules: modules_from_json(&json["modules"])?,
            cover: match &json["cover"] {
                Json::Null => None,
                line => Some(
                    (line.as_u64().and_then(|line| u32::try_from(line).ok()))
                        .ok_or("`cover` is no line")?,
                ),
            },
            preempt: match json["preempt"].as_str() {
                None => None,
                Some("yield") => Some(PreemptMode::Yield),
                Some("statement") => Some(PreemptMode::Statement),
                Some("access") => Some(PreemptMode::Access),
                Some(other) => return Err(format!("`preempt` is `{other}`")),
            },
            memory: memory_from_json(json)?,
            reading: match &json["reading"] {
                Json::Null => Vec::new(),
                Json::Array(words) => (words.iter())
                    .map(|w| w.as_str().map(str::to_owned))
                    .collect::<Option<_>>()
                    .ok_or("`reading` is no list of words")?,
                _ => return Err("`reading` is no list of words".to_owned()),
            },
            scheduler: json["scheduler"]
                .as_str()
                .unwrap_or_default()
                .parse()
                .map_err(|name| format!("`scheduler` is `{name}`"))?,
            error: json["error"].clone(),
            schedule: Schedule {
                decisions: decisions
                    .iter()
                    .map(decision_from_json)
                    .collect::<Result<_, _>>()?,
            },
        })
    }
}

fn memory_from_json(json: &Json) -> Result<Buffered, String> {
    let mut made = Buffered::default();
    if let Json::String(name) = &json["memory"] {
        let unknown = |name| format!("`memory` is `{name}`");
        made.memory = name.parse().map_err(unknown)?;
    }
    if !json["buffer"].is_null() {
        let number = json["buffer"].as_u64();
        let fits = number.and_then(|n| u32::try_from(n).ok());
        let fits = fits.filter(|n| Buffered::LENGTHS.contains(n));
        made.buffer = fits.ok_or("`buffer` is no length of a buffer")?;
    }
    Ok(made)
}

fn modules_from_json(json: &Json) -> Result<Vec<(String, String)>, String> {
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let file = |json: &Json| Some((text(&json["file"])?, text(&json["source"])?));
    match json {
        Json::Null => Some(Vec::new()),
        Json::Array(files) => files.iter().map(file).collect::<Option<_>>(),
        _ => None,
    }
    .ok_or_else(|| "`modules` is no list of files".to_owned())
}

fn preempt_name(mode: PreemptMode) -> &'static str {
    match mode {
        PreemptMode::Yield => "yield",
        PreemptMode::Statement => "statement",
        PreemptMode::Access => "access",
    }
}

fn decision_to_json(decision: &Decision) -> Json {
    match decision {
        Decision::Dispatch(task) => json!({ "dispatch": task }),
        Decision::Delay(task) => json!({ "delay": task }),
        Decision::Choose(value) => json!({ "choose": value_to_json(value) }),
        Decision::Forever => json!("forever"),
        Decision::Again => json!("again"),
        Decision::Race(number) => json!({ "race": number }),
    }
}

fn decision_from_json(json: &Json) -> Result<Decision, String> {
    let task = |key: &str| json[key].as_u64().and_then(|n| u32::try_from(n).ok());
    if let Some(n) = task("dispatch") {
        return Ok(Decision::Dispatch(n));
    }
    if let Some(n) = task("delay") {
        return Ok(Decision::Delay(n));
    }
    if let Some(n) = task("race") {
        return Ok(Decision::Race(n));
    }
    match json.as_str() {
        Some("forever") => return Ok(Decision::Forever),
        Some("again") => return Ok(Decision::Again),
        _ => {}
    }
    match json.get("choose") {
        Some(value) => value_from_json(value).map(Decision::Choose),
        None => Err(format!("`{json}` is not a decision")),
    }
}

/// Values as JSON. Numbers are texts: JSON's own do not hold 128 bits.
fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Bool(b) => json!(b),
        Value::Int(i) => json!(i.to_string()),
        Value::Task(t) => json!({ "task": t }),
        Value::Record(fields) => {
            json!({ "record": fields.iter().map(value_to_json).collect::<Json>() })
        }
        Value::Array(elements) => elements.iter().map(value_to_json).collect(),
        Value::Map(rest, entries) => {
            let pairs: Json = entries
                .iter()
                .map(|(k, v)| json!([value_to_json(k), value_to_json(v)]))
                .collect();
            json!({ "map": pairs, "rest": value_to_json(rest) })
        }
        Value::Any => Json::Null,
    }
}

fn value_from_json(json: &Json) -> Result<Value, String> {
    let list = |items: &[Json]| {
        items
            .iter()
            .map(value_from_json)
            .collect::<Result<Vec<_>, _>>()
    };
    match json {
        Json::Null => Ok(Value::Any),
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::String(s) => s
            .parse()
            .map(Value::Int)
            .map_err(|_| format!("`{s}` is not a number")),
        Json::Array(items) => Ok(Value::Array(list(items)?)),
        Json::Object(object) => composite(object, &list),
        Json::Number(_) => Err(format!("`{json}` is not a value")),
    }
}

type ListReader<'a> = &'a dyn Fn(&[Json]) -> Result<Vec<Value>, String>;

fn composite(object: &Map<String, Json>, list: ListReader<'_>) -> Result<Value, String> {
    if let Some(task) = object.get("task") {
        return Ok(Value::Task(
            task.as_u64().and_then(|n| u32::try_from(n).ok()),
        ));
    }
    if let Some(fields) = object.get("record").and_then(Json::as_array) {
        return Ok(Value::Record(list(fields)?));
    }
    let (Some(pairs), Some(rest)) = (
        object.get("map").and_then(Json::as_array),
        object.get("rest"),
    ) else {
        return Err(format!("`{}` is not a value", Json::Object(object.clone())));
    };
    let pair = |json: &Json| match json.as_array().map(Vec::as_slice) {
        Some([key, value]) => Ok((value_from_json(key)?, value_from_json(value)?)),
        _ => Err(format!("`{json}` is not an entry of a map")),
    };
    let entries = pairs.iter().map(pair).collect::<Result<_, String>>()?;
    Ok(Value::Map(Box::new(value_from_json(rest)?), entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let values = vec![
            Value::Bool(true),
            Value::Int(i128::MIN),
            Value::Task(Some(3)),
            Value::Task(None),
            Value::Any,
            Value::Record(vec![Value::Int(1), Value::Array(vec![Value::Bool(false)])]),
            Value::Map(
                Box::new(Value::Int(0)),
                vec![(Value::Int(7), Value::Int(-1))],
            ),
        ];
        let mut decisions: Vec<_> = values.into_iter().map(Decision::Choose).collect();
        decisions.extend([
            Decision::Dispatch(2),
            Decision::Delay(u32::MAX),
            Decision::Forever,
            Decision::Again,
        ]);
        for scheduler in [
            Scheduler::Bag,
            Scheduler::BoundedBag(3),
            Scheduler::ReverseDepthFirst,
        ] {
            let file = TraceFile {
                file: "x.async".to_owned(),
                source: "proc main() {}\n".into(),
                cover: Some(3),
                modules: vec![("lib/m.async".into(), "var x: int;\n".into())],
                preempt: Some(PreemptMode::Access),
                memory: Buffered {
                    memory: Memory::Pso,
                    buffer: 2,
                },
                reading: vec!["--heap=2".to_owned()],
                error: json!({ "kind": "deadlock" }),
                scheduler,
                schedule: Schedule {
                    decisions: decisions.clone(),
                },
            };
            let text = file.to_json(Json::Null).to_string();
            assert_eq!(
                TraceFile::from_json(&serde_json::from_str(&text).unwrap()),
                Ok(file)
            );
        }
    }

    #[test]
    fn other_json_is_refused() {
        for text in [
            "{}",
            "[]",
            "3",
            r#"{"schema":"dbverify-trace/1","schedule":[{"dispatch":-1}],"source":"","scheduler":"bag"}"#,
        ] {
            assert!(
                TraceFile::from_json(&serde_json::from_str(text).unwrap()).is_err(),
                "{text}"
            );
        }
    }
}
