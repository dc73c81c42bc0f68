//! `merge`: the answers of all parts of a search as one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use answer::Reason;
use report::json::SCHEMA;

use super::help::OUTPUT;
use super::status::{BUG, INCONCLUSIVE, SAFE};

/// Options of `merge`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  for i in 1 2 3 4; do dbverify explore p.async --strategy random --shard $i/4 --format json > $i.json; done
  dbverify merge [1-4].json")]
pub struct MergeArgs {
    /// The parts' answers, written with --format json
    #[arg(required = true, value_name = "ANSWER", value_hint = ValueHint::FilePath)]
    pub answers: Vec<PathBuf>,
    /// How to answer
    #[arg(long, value_enum, default_value_t = MergeFormat::Text, help_heading = OUTPUT)]
    pub format: MergeFormat,
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergeFormat {
    /// Sentences
    Text,
    /// One object
    Json,
}

/// The fields that are read of a part's answer.
#[derive(Clone, Debug, Deserialize)]
struct Part {
    schema: String,
    version: String,
    file: String,
    verdict: Verdict,
    reason: Option<String>,
    bounds: Map<String, Value>,
    error: Option<Value>,
    trace: Option<Value>,
    bugs: Option<Vec<Value>>,
    finals: Option<Vec<Value>>,
    #[serde(default)]
    notes: Vec<Value>,
    #[serde(default)]
    stats: Map<String, Value>,
    shard: Option<Shard>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Safe,
    Bug,
    Inconclusive,
}

#[derive(Clone, Debug, Deserialize)]
struct Shard {
    index: u32,
    of: u32,
    question: String,
}

/// Puts the answers together. Returns the text to be printed, and the exit status.
///
/// # Errors
/// What cannot be read, or does not belong together.
pub fn run(args: &MergeArgs) -> Result<(String, u8), String> {
    let mut parts: BTreeMap<u32, (&Path, Part)> = BTreeMap::new();
    for path in &args.answers {
        let (index, part) = read(path)?;
        if let Some((before, first)) = parts.values().next() {
            belong_together((before, first), (path, &part))?;
        }
        if let Some((other, _)) = parts.insert(index, (path, part)) {
            let (a, b) = (other.display(), path.display());
            return Err(format!("{a} and {b} are both part {index}"));
        }
    }
    let merged = Merged::new(&parts);
    let text = match args.format {
        MergeFormat::Text => merged.text(),
        MergeFormat::Json => merged.json().to_string() + "\n",
    };
    Ok((text, merged.status()))
}

fn read(path: &Path) -> Result<(u32, Part), String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let part: Part = serde_json::from_str(&text)
        .map_err(|e| format!("{shown} is no answer of dbverify in JSON: {e}"))?;
    if part.schema != SCHEMA {
        let schema = &part.schema;
        return Err(format!("{shown} is of schema {schema}, not {SCHEMA}"));
    }
    let shard = part.shard.as_ref();
    let shard = shard.ok_or_else(|| {
        format!("{shown} is no part of a search: it was not written with --shard I/N")
    })?;
    if shard.index == 0 || shard.index > shard.of {
        let Shard { index, of, .. } = shard;
        return Err(format!("{shown} says that it is part {index} of {of}"));
    }
    Ok((shard.index, part))
}

/// Fails if two answers are not parts of one search.
fn belong_together(one: (&Path, &Part), other: (&Path, &Part)) -> Result<(), String> {
    let key = |part: &Part| {
        let shard = part.shard.clone();
        shard.map(|shard| (shard.of, shard.question, part.version.clone()))
    };
    let (a, b) = (one.0.display(), other.0.display());
    if key(one.1) == key(other.1) {
        return Ok(());
    }
    Err(format!(
        "{a} and {b} are not parts of one search: the program, an option, the number of parts or the version differs"
    ))
}

/// All parts that are there.
struct Merged<'a> {
    parts: &'a BTreeMap<u32, (&'a Path, Part)>,
    of: u32,
    /// The part whose bug is shown.
    bug: Option<(u32, &'a Path, &'a Part)>,
    /// Why there is no verdict.
    reason: Option<String>,
}

impl<'a> Merged<'a> {
    fn new(parts: &'a BTreeMap<u32, (&'a Path, Part)>) -> Self {
        let first = parts.values().next();
        let of = first.and_then(|(_, part)| part.shard.as_ref());
        let of = of.map_or(0, |shard| shard.of);
        let mut bugs = parts
            .iter()
            .filter(|(_, (_, part))| part.verdict == Verdict::Bug);
        let bug = bugs
            .next()
            .map(|(&index, (path, part))| (index, *path, part));
        let mut merged = Self {
            parts,
            of,
            bug,
            reason: None,
        };
        if bug.is_none() {
            merged.reason = merged.why_inconclusive();
        }
        merged
    }

    fn each(&self) -> impl Iterator<Item = &'a Part> + use<'a> {
        self.parts.values().map(|(_, part)| part)
    }

    fn why_inconclusive(&self) -> Option<String> {
        let missing = (1..=self.of).filter(|index| !self.parts.contains_key(index));
        let missing: Vec<String> = missing.take(20).map(|index| index.to_string()).collect();
        if !missing.is_empty() {
            let list = missing.join(", ");
            return Some(format!("of {} parts these are missing: {list}", self.of));
        }
        let unsettled = self.parts.iter().find_map(|(index, (_, part))| {
            let reason = part.reason.as_deref().unwrap_or("no reason is given");
            (part.verdict == Verdict::Inconclusive).then(|| format!("part {index}: {reason}"))
        });
        let ended = self.sum("executions");
        unsettled.or_else(|| (ended == Some(0)).then(|| Reason::nothing_ended().to_string()))
    }

    fn sum(&self, name: &str) -> Option<u64> {
        let numbers: Vec<u64> = self
            .each()
            .filter_map(|p| p.stats.get(name)?.as_u64())
            .collect();
        (!numbers.is_empty()).then(|| numbers.iter().sum())
    }

    fn most(&self, name: &str) -> Option<u64> {
        let numbers = self.each().filter_map(|p| p.stats.get(name)?.as_u64());
        numbers.max()
    }

    fn seconds(&self) -> f64 {
        let seconds = self.each().filter_map(|p| p.stats.get("seconds")?.as_f64());
        seconds.sum()
    }

    fn summary(&self) -> String {
        match (&self.bug, &self.reason) {
            (Some((index, path, _)), _) => {
                format!(
                    "a bug in part {index} of {}, told in {}",
                    self.of,
                    path.display()
                )
            }
            (None, Some(reason)) => reason.clone(),
            (None, None) => format!("no bug in any of the {} parts", self.of),
        }
    }

    fn verdict(&self) -> &'static str {
        match (&self.bug, &self.reason) {
            (Some(_), _) => "bug",
            (None, Some(_)) => "inconclusive",
            (None, None) => "safe",
        }
    }

    fn status(&self) -> u8 {
        match (&self.bug, &self.reason) {
            (Some(_), _) => BUG,
            (None, Some(_)) => INCONCLUSIVE,
            (None, None) => SAFE,
        }
    }

    /// Returns what left executions out in some part. If all parts are there, their division left out nothing.
    fn cut_by(&self) -> BTreeSet<String> {
        let lists = self
            .each()
            .filter_map(|p| p.bounds.get("cut_by")?.as_array());
        let names = lists.flatten().filter_map(Value::as_str).map(str::to_owned);
        let mut names: BTreeSet<String> = names.collect();
        if self.parts.len() == self.of as usize {
            names.remove("shard");
        }
        names
    }

    fn bounds(&self) -> Map<String, Value> {
        let first = self.each().next();
        let mut bounds = first.map(|part| part.bounds.clone()).unwrap_or_default();
        let cut_by: Vec<String> = self.cut_by().into_iter().collect();
        let spent = |p: &Part| p.bounds.get("budget_spent") == Some(&Value::Bool(true));
        let whole = self.verdict() == "safe" && cut_by.is_empty();
        bounds.insert("exhaustive".into(), whole.into());
        let spent = self.each().any(spent);
        bounds.insert("budget_spent".into(), spent.into());
        bounds.insert("all_schedules".into(), (whole && !spent).into());
        bounds.insert("cut_by".into(), cut_by.into());
        bounds
    }

    fn stats(&self) -> Map<String, Value> {
        let mut stats = Map::new();
        stats.insert("seconds".into(), self.seconds().into());
        for name in ["walks", "executions", "transitions"] {
            stats.extend(self.sum(name).map(|n| (name.to_owned(), n.into())));
        }
        for name in ["depth", "memory_mib"] {
            stats.extend(self.most(name).map(|n| (name.to_owned(), n.into())));
        }
        stats
    }

    fn json(&self) -> Value {
        let first = self.each().next();
        let mut object = Map::new();
        object.insert("schema".into(), SCHEMA.into());
        let version = first.map_or("", |p| &p.version);
        object.insert("version".into(), version.into());
        object.insert("file".into(), first.map_or("", |p| &p.file).into());
        object.insert("engine".into(), "explicit".into());
        object.insert("verdict".into(), self.verdict().into());
        if let (None, Some(reason)) = (&self.bug, &self.reason) {
            object.insert("reason".into(), reason.as_str().into());
        }
        object.insert("summary".into(), self.summary().into());
        let given: Vec<u32> = self.parts.keys().copied().collect();
        object.insert("shards".into(), json!({ "of": self.of, "given": given }));
        object.insert("bounds".into(), self.bounds().into());
        if let Some((_, _, part)) = &self.bug {
            object.extend(part.error.clone().map(|e| ("error".to_owned(), e)));
            object.extend(part.trace.clone().map(|t| ("trace".to_owned(), t)));
        }
        let bugs = self.bugs();
        if bugs.len() > 1 {
            object.insert("bugs".into(), bugs.into());
        }
        if let Some(finals) = self.finals() {
            object.insert("finals".into(), finals.into());
        }
        let notes = distinct(
            self.each().flat_map(|p| p.notes.iter().cloned()),
            Clone::clone,
        );
        if !notes.is_empty() {
            object.insert("notes".into(), notes.into());
        }
        object.insert("stats".into(), self.stats().into());
        Value::Object(object)
    }

    /// The distinct bugs of all parts, each with its trace.
    fn bugs(&self) -> Vec<Value> {
        let each = self
            .each()
            .flat_map(|part| match (&part.bugs, &part.error) {
                (Some(bugs), _) => bugs.clone(),
                (None, Some(error)) => vec![json!({ "error": error, "trace": part.trace })],
                (None, None) => Vec::new(),
            });
        distinct(each, |bug| bug["error"].clone())
    }

    /// The final states of all parts, in the order of their texts, if they were asked for.
    fn finals(&self) -> Option<Vec<Value>> {
        let lists: Option<Vec<&Vec<Value>>> = self.each().map(|p| p.finals.as_ref()).collect();
        let mut all = distinct(lists?.into_iter().flatten().cloned(), Clone::clone);
        all.sort_by_key(Value::to_string);
        Some(all)
    }

    fn text(&self) -> String {
        let file = self.each().next().map_or("", |p| &p.file);
        let mut text = format!("{file}: {}: {}\n", self.verdict(), self.summary());
        if let Some((_, _, part)) = &self.bug
            && let Some(error) = &part.error
        {
            let word = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
            text = format!("bug: {}: {}\n{text}", word("kind"), word("message"));
        }
        if !self.cut_by().is_empty() {
            let names: Vec<String> = self.cut_by().into_iter().collect();
            text += &format!("executions were left out by: {}\n", names.join(", "));
        }
        let figures = ["walks", "executions", "transitions"];
        let figures = figures.into_iter().filter_map(|name| {
            let n = self.sum(name)?;
            Some(format!("{n} {name}"))
        });
        let figures: Vec<String> = figures.collect();
        let (n, seconds) = (self.parts.len(), self.seconds());
        let figures = figures.join(", ");
        text + &format!(
            "{n} of {} parts: {seconds:.2} seconds, {figures}\n",
            self.of
        )
    }
}

/// Keeps only the first of all values that have the same key.
fn distinct(each: impl Iterator<Item = Value>, key: impl Fn(&Value) -> Value) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    each.filter(|value| seen.insert(key(value).to_string()))
        .collect()
}
