//! `merge`: the answers of all parts of a search as one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use answer::{Counted, CutBy, Figure, Measured, Reach, Reason};
use report::json::SCHEMA;
use report::text::{show_finals, statistics};

use super::args::Format;
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

impl From<MergeFormat> for Format {
    fn from(format: MergeFormat) -> Self {
        match format {
            MergeFormat::Text => Self::Text,
            MergeFormat::Json => Self::Json,
        }
    }
}

/// The fields that are read of a part's answer.
#[derive(Clone, Debug, Deserialize)]
struct Part {
    schema: String,
    version: String,
    file: String,
    error: Option<Value>,
    trace: Option<Value>,
    bugs: Option<Vec<Value>>,
    finals: Option<Vec<Map<String, Value>>>,
    #[serde(default)]
    stats: Map<String, Value>,
    shard: Option<Shard>,
}

impl Part {
    fn whole(&self) -> Option<&Whole> {
        self.shard.as_ref().map(|shard| &shard.whole)
    }

    fn is(&self, verdict: Verdict) -> bool {
        self.whole().is_some_and(|whole| whole.verdict == verdict)
    }
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
    whole: Whole,
}

/// What the whole search says if no other part finds more.
#[derive(Clone, Debug, Deserialize)]
struct Whole {
    verdict: Verdict,
    reason: Option<String>,
    summary: String,
    bounds: Map<String, Value>,
    notes: Vec<Value>,
}

impl Whole {
    fn bound(&self, name: &str) -> bool {
        self.bounds.get(name) == Some(&Value::Bool(true))
    }
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
    let no_answer = |e| format!("{shown} is no answer of dbverify in JSON: {e}");
    let value: Value = serde_json::from_str(&text).map_err(no_answer)?;
    if let Some(first) = value["diagnostics"][0]["message"].as_str() {
        return Err(format!(
            "{shown} has no answer, because the input was wrong: {first}"
        ));
    }
    let part: Part = serde_json::from_value(value).map_err(no_answer)?;
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
        let mut bugs = parts.iter().filter(|(_, (_, part))| part.is(Verdict::Bug));
        let bug = bugs
            .next()
            .map(|(&index, (path, part))| (index, *path, part));
        let mut merged = Self {
            parts,
            of,
            bug,
            reason: None,
        };
        merged.reason = merged.why_open();
        merged
    }

    fn each(&self) -> impl Iterator<Item = &'a Part> + use<'a> {
        self.parts.values().map(|(_, part)| part)
    }

    fn wholes(&self) -> impl Iterator<Item = &'a Whole> + use<'a> {
        self.each().filter_map(Part::whole)
    }

    /// Whether all parts are there. Then their division left out nothing.
    fn is_complete(&self) -> bool {
        self.parts.len() == self.of as usize
    }

    /// Why there may be bugs that no part has found.
    fn why_open(&self) -> Option<String> {
        let missing = (1..=self.of).filter(|index| !self.parts.contains_key(index));
        let missing: Vec<String> = missing.take(20).map(|index| index.to_string()).collect();
        if !missing.is_empty() {
            let list = missing.join(", ");
            return Some(format!("of {} parts these are missing: {list}", self.of));
        }
        let unsettled = self.parts.iter().find_map(|(index, (_, part))| {
            let reason = part.whole()?.reason.as_deref()?;
            Some(format!("part {index}: {reason}"))
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
        let parts = match self.of {
            1 => "1 part".to_owned(),
            of => format!("{of} parts"),
        };
        match (&self.bug, &self.reason) {
            (Some((index, path, part)), _) => {
                let bugs = self.bugs().len();
                let alone = part.bugs.as_ref().map_or(1, Vec::len) == bugs;
                let summary = part.whole().filter(|_| alone).map(|w| w.summary.clone());
                let summary = summary.unwrap_or_else(|| format!("{bugs} distinct bugs"));
                let shown = path.display();
                format!("{summary}; searched in {parts}, {shown} tells the bug of part {index}")
            }
            (None, Some(reason)) => reason.clone(),
            (None, None) => {
                // What some part leaves out, the search leaves out.
                let least = |w: &&Whole| (w.bound("budget_spent"), Reverse(w.bound("exhaustive")));
                let least = self.wholes().max_by_key(least);
                let summary = least.map_or("", |whole| &whole.summary);
                format!("{summary}; searched in {parts}")
            }
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

    /// Returns what left executions out in some part.
    fn cut_by(&self) -> BTreeSet<&'a str> {
        let lists = self
            .wholes()
            .filter_map(|w| w.bounds.get("cut_by")?.as_array());
        let mut names: BTreeSet<&str> = lists.flatten().filter_map(Value::as_str).collect();
        if !self.is_complete() {
            names.insert(CutBy::Shard.name());
        }
        names
    }

    fn bounds(&self) -> Map<String, Value> {
        let first = self.wholes().next();
        let mut bounds = first.map(|whole| whole.bounds.clone()).unwrap_or_default();
        let cut_by = Vec::from_iter(self.cut_by());
        let whole = self.is_complete() && self.wholes().all(|w| w.bound("exhaustive"));
        let spent = self.wholes().any(|w| w.bound("budget_spent"));
        let good = self.verdict() == "safe";
        let all = good && whole && !spent && cut_by.is_empty();
        bounds.insert("exhaustive".into(), whole.into());
        bounds.insert("budget_spent".into(), (good && spent).into());
        bounds.insert("all_schedules".into(), all.into());
        bounds.insert("cut_by".into(), cut_by.into());
        bounds
    }

    /// The remarks of all parts. Where no execution of a part comes to a place, one of another part may.
    fn notes(&self) -> Vec<Value> {
        let told = |part: &&Part| self.bug.is_none() || part.is(Verdict::Bug);
        let lists = self.each().filter(told).filter_map(Part::whole);
        let all = Vec::from_iter(lists.flat_map(|whole| &whole.notes));
        let rank = |note: &Value| {
            let name = note.get("reached")?.as_str()?;
            Reach::ALL.into_iter().find(|reach| reach.name() == name)
        };
        let same = |a: &Value, b: &Value| {
            rank(b).is_some()
                && ["file", "line", "column"]
                    .iter()
                    .all(|key| a[key] == b[key])
        };
        let holds = |note: &&Value| {
            let Some(own) = rank(note) else { return true };
            let others = || all.iter().filter(|other| same(note, other));
            let in_all = || {
                self.is_complete() && (self.wholes()).all(|w| w.notes.iter().any(|n| same(note, n)))
            };
            others().all(|other| rank(other) <= Some(own)) && (own >= Reach::Unknown || in_all())
        };
        let mut notes = distinct(all.iter().copied().filter(holds).cloned(), Clone::clone);
        notes.sort_by_key(|note| all.iter().position(|&o| o == note || same(note, o)));
        if let (Some(_), Some(reason)) = (&self.bug, &self.reason) {
            let message = format!("there may be more bugs: {reason}");
            notes.push(json!({ "message": message }));
        }
        notes
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
            let state = |fields: Vec<Field>| {
                let fields = fields.into_iter().map(Field::shown);
                Value::Object(fields.map(|(name, value)| (name, value.into())).collect())
            };
            object.insert("finals".into(), finals.into_iter().map(state).collect());
        }
        let notes = self.notes();
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
        distinct(each, |bug| {
            let error = &bug["error"];
            ["kind", "file", "line", "column"]
                .map(|key| error[key].clone())
                .into()
        })
    }

    /// The final states of all parts, sorted, if they were asked for.
    fn finals(&self) -> Option<BTreeSet<Vec<Field>>> {
        let lists: Option<Vec<_>> = self.each().map(|p| p.finals.as_ref()).collect();
        let states = lists?.into_iter().flatten();
        Some(
            states
                .map(|state| state.iter().map(Field::of).collect())
                .collect(),
        )
    }

    fn text(&self) -> String {
        let file = self.each().next().map_or("", |p| &p.file);
        let mut text = String::new();
        if let Some((_, _, part)) = &self.bug
            && let Some(error) = &part.error
        {
            let word = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
            text += &format!("bug: {}: {}\n", word("kind"), word("message"));
        }
        if let Some(finals) = self.finals() {
            let states = finals.into_iter();
            show_finals(
                &mut text,
                states.map(|s| s.into_iter().map(Field::shown).collect()),
            );
        }
        for note in self.notes() {
            let message = note["message"].as_str().unwrap_or_default();
            let place = match (note["file"].as_str(), &note["line"]) {
                (Some(file), Value::Number(line)) => format!("{file}:{line}: "),
                _ => String::new(),
            };
            text += &format!("note: {place}{message}\n");
        }
        text += &format!("{file}: {}: {}\n", self.verdict(), self.summary());
        let figures = [Counted::Walks, Counted::Executions, Counted::Transitions];
        let figures = figures.map(|what| (what, self.sum(what.name())));
        let seconds = Figure::Real(Measured::Seconds, self.seconds());
        let figures = Vec::from_iter(std::iter::once(seconds).chain(Figure::counts(figures)));
        let (n, of) = (self.parts.len(), self.of);
        text + &format!("  {n} of {of} parts: {}\n", statistics(&figures))
    }
}

/// A variable of a final state. Numbers are sorted by their size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Field {
    number: Option<i128>,
    value: String,
    name: String,
}

impl Field {
    fn of((name, value): (&String, &Value)) -> Self {
        let value = value.as_str().unwrap_or_default().to_owned();
        Self {
            number: value.parse().ok(),
            value,
            name: name.clone(),
        }
    }

    fn shown(self) -> (String, String) {
        (self.name, self.value)
    }
}

/// Keeps only the first of all values that have the same key.
fn distinct(each: impl Iterator<Item = Value>, key: impl Fn(&Value) -> Value) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    each.filter(|value| seen.insert(key(value).to_string()))
        .collect()
}
