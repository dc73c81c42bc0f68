//! Answers for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::binary::Seen;
use super::lines::Place;
use super::log::{Ending, Kind, Op};
use super::model::{Next, steps};
use super::races::Race;
use super::search::{Bug, What};
use super::verdict::{Outcome, Report};

/// One row of a trace.
struct Row {
    thread: usize,
    place: Option<Place>,
    text: String,
}

fn at(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |p| {
        let file = p.file.rsplit('/').next().unwrap_or_default();
        format!("{file}:{}", p.line)
    })
}

/// The signals that end a program.
fn signal(number: u64, address: u64) -> String {
    let text = match number {
        4 => "SIGILL: an instruction that does not exist",
        5 => "SIGTRAP: a trap",
        6 => "SIGABRT: the program aborts",
        7 => "SIGBUS: memory that is not there",
        8 => "SIGFPE: an arithmetic error",
        11 => "SIGSEGV: memory that is not there",
        _ => "a signal",
    };
    match number {
        7 | 11 => format!("{text}, at address {address:#x}"),
        _ => text.to_owned(),
    }
}

impl Report<'_> {
    /// What is wrong, in a line; of a deadlock also who waits for what.
    pub(super) fn error_words(&self, bug: &Bug, execution: &super::process::Execution) -> String {
        let (kind, message, place) = self.error(bug);
        let place = at(place.as_ref());
        let mut text = if place.is_empty() {
            format!("{kind}: {message}")
        } else {
            format!("{place}: {kind}: {message}")
        };
        if matches!(bug.what, What::Ending(Ending::Deadlock)) {
            let waits = |row: &Row| {
                let waits = row.text.strip_prefix("waits: ")?;
                let waits = waits.replace("joins a thread", "joins thread");
                let waits = waits.replace("wakes up from", "waits for");
                let who = match row.thread {
                    0 => "main".to_owned(),
                    n => format!("thread {n}"),
                };
                Some(format!(
                    "; {who} {} in {}",
                    waits.trim_end(),
                    at(row.place.as_ref())
                ))
            };
            let rows = self.rows(bug, execution).0;
            text.extend(rows.iter().filter_map(waits));
        }
        text
    }

    /// The kind of a bug, its message and place.
    fn error(&self, bug: &Bug) -> (&'static str, String, Option<Place>) {
        let place = |first: u64, frames: &[u64]| {
            let mut all = vec![first + u64::from(first != 0)];
            all.extend_from_slice(frames);
            self.lines.place(&all)
        };
        match &bug.what {
            What::Ending(Ending::Assertion { text, pc, .. }) => (
                "assertion",
                format!("the assertion `{text}` fails"),
                self.lines.place(&[*pc]),
            ),
            What::Ending(Ending::Signal {
                number,
                pc,
                frames,
                address,
            }) => {
                let kind = if *number == 6 { "abort" } else { "signal" };
                (kind, signal(*number, *address), place(*pc, frames))
            }
            What::Ending(Ending::Misuse { text, pc, frames }) => {
                let mut all = vec![*pc];
                all.extend_from_slice(frames);
                let kind = match text.as_str() {
                    text if text.starts_with("memory is used") => "deref",
                    text if text.starts_with("memory is kept") => "leak",
                    text if text.contains("freed") => "free",
                    _ => "misuse",
                };
                (kind, text.clone(), self.lines.place(&all))
            }
            What::Ending(Ending::Exited(code)) => {
                ("exit", format!("the program ends with status {code}"), None)
            }
            What::Ending(Ending::Livelock) => (
                "livelock",
                "a thread polls for ever: nothing changes any more that it looks at".into(),
                None,
            ),
            What::Ending(_) => (
                "deadlock",
                "every thread that has not ended waits".into(),
                None,
            ),
            What::Race(race) => self.race(race),
        }
    }

    fn race(&self, race: &Race) -> (&'static str, String, Option<Place>) {
        let word = |write| if write { "writes" } else { "reads" };
        let (first, second) = (race.first.1, race.second.1);
        let name = self.lines.name(race.place & 0xff_ffff_ffff_ffff);
        let other = at(self.lines.place(&[first.pc]).as_ref());
        let text = format!(
            "a thread {} {name} while another {} it{}, and nothing orders them",
            word(second.write),
            word(first.write),
            if other.is_empty() {
                other
            } else {
                format!(" at {other}")
            }
        );
        ("race", text, self.lines.place(&[second.pc, first.pc]))
    }

    fn rows(&self, bug: &Bug, execution: &super::process::Execution) -> (Vec<Row>, usize) {
        let mut threads = vec![0u8];
        let mut pending: Vec<Option<Op>> = vec![None; 64];
        let mut rows = Vec::new();
        let number =
            |threads: &[u8], slot: u8| threads.iter().position(|t| *t == slot).unwrap_or(0);
        for (slot, next) in steps(execution).iter().take(bug.schedule.len()) {
            let op = pending[usize::from(*slot & 63)].take();
            threads.extend(&next.spawned);
            if let Some(op) = op {
                let mut addresses = vec![op.pc];
                addresses.extend(op.callers);
                rows.push(Row {
                    thread: number(&threads, *slot),
                    place: self.lines.place(&addresses),
                    text: self.step(&op, next, &threads),
                });
            }
            pending[usize::from(*slot & 63)] = next.pending.as_deref().cloned();
        }
        if matches!(bug.what, What::Ending(Ending::Deadlock | Ending::Livelock)) {
            for (thread, slot) in threads.iter().enumerate() {
                if let Some(op) = &pending[usize::from(*slot & 63)] {
                    let mut addresses = vec![op.pc];
                    addresses.extend(op.callers);
                    rows.push(Row {
                        thread,
                        place: self.lines.place(&addresses),
                        text: format!(
                            "{}: {} {}",
                            if op.polls.is_empty() {
                                "waits"
                            } else {
                                "polls"
                            },
                            op.kind.words(),
                            self.object(op, &threads)
                        ),
                    });
                }
            }
        }
        (rows, threads.len())
    }

    fn object(&self, op: &Op, threads: &[u8]) -> String {
        if op.kind == Kind::JOIN {
            let number = threads.iter().position(|t| u64::from(*t) == op.object);
            return number.map_or_else(String::new, |n| n.to_string());
        }
        match op.object {
            0 => String::new(),
            _ if op.kind == Kind::EXIT => String::new(),
            address => self.lines.name(address),
        }
    }

    /// What a step does, in words.
    fn step(&self, op: &Op, next: &Next, threads: &[u8]) -> String {
        let words = format!("{} {}", op.kind.words(), self.object(op, threads));
        let words = words.trim_end();
        match op.kind {
            Kind::CREATE => format!("{words} {}", threads.len() - 1),
            Kind::EXIT => format!("{words} with status {}", next.value),
            Kind::WRITE => next
                .written
                .map_or_else(|| words.to_owned(), |v| format!("{words}: {v}")),
            kind if kind.is_memory() => format!("{words}: {}", next.value),
            _ => words.to_owned(),
        }
    }

    /// What the answer takes for granted, beside libraries that are free of races.
    fn assumptions(&self) -> Vec<&'static str> {
        let fair = "with `--fair`, a thread that can go on does so in the end, and no library counts the rounds of a loop that polls";
        let machine = "the runtime works on aarch64, where it is compiled but was never tested";
        let gcc = "no race is about a bit-field beside another one, or about a structure that a function returns into shared memory: gcc does not report all of these accesses, clang does";
        let by_gcc = super::binary::by_gcc(Path::new(&self.options.program[0]));
        let said = [
            (by_gcc, gcc),
            (self.options.fair, fair),
            (cfg!(target_arch = "aarch64"), machine),
        ];
        said.into_iter()
            .filter(|said| said.0)
            .map(|said| said.1)
            .collect()
    }

    fn scope(&self) -> String {
        let mut text = String::new();
        let visible = match self.visible.as_slice() {
            _ if self.seen == Seen::None => "only POSIX threads".to_owned(),
            [] if matches!(self.outcome, Outcome::Safe(..)) => {
                "POSIX threads, atomics; no access to memory races".to_owned()
            }
            [] => "POSIX threads, atomics".to_owned(),
            names => format!("POSIX threads, atomics, accesses to {}", some(names)),
        };
        let _ = writeln!(
            text,
            "  input: {}; standard input is empty, files and sockets are not controlled",
            self.options.program.join(" ")
        );
        let _ = writeln!(text, "  visible: {visible}");
        if !self.unseen.is_empty() {
            let _ = writeln!(
                text,
                "  not instrumented, assumed free of races: {}",
                some(&self.unseen)
            );
        }
        if let Seen::Part(reason) = &self.seen {
            let _ = writeln!(text, "  not seen: {reason}");
        }
        for assumption in self.assumptions() {
            let _ = writeln!(text, "  assumed: {assumption}");
        }
        let _ = writeln!(
            text,
            "  {}, {}, {:.1} s",
            counted(self.executions, "execution", "executions"),
            counted(self.processes, "process", "processes"),
            self.seconds
        );
        text
    }
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

pub(super) fn some(names: &[String]) -> String {
    let mut text = names.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 8 {
        let _ = write!(text, " and {} more", names.len() - 8);
    }
    text
}

/// The answer as text.
pub(super) fn text(report: &Report<'_>) -> String {
    let name = report.options.program[0]
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let mut text = String::new();
    match &report.outcome {
        Outcome::Safe(bound, _) => {
            let _ = writeln!(text, "{name}: {bound}");
        }
        Outcome::Inconclusive(reason) => {
            let _ = writeln!(text, "{name}: inconclusive: {reason}");
        }
        Outcome::Bug(bug, execution) => {
            let (kind, message, place) = report.error(bug);
            let place = at(place.as_ref());
            let place = if place.is_empty() {
                name.to_owned()
            } else {
                place
            };
            let _ = writeln!(text, "{place}: error: {kind}: {message}\n");
            let (rows, threads) = report.rows(bug, execution);
            text.push_str(&columns(&rows, threads, report.options.look.width));
            text.push('\n');
        }
    }
    text + &report.scope()
}

/// A column for each thread.
fn columns(rows: &[Row], threads: usize, width: usize) -> String {
    let mut files: Vec<&str> = rows
        .iter()
        .filter_map(|r| Some(r.place.as_ref()?.file.as_str()))
        .collect();
    files.sort_unstable();
    files.dedup();
    // Of one file the lines are enough.
    let at = |place: Option<&Place>| match place {
        Some(place) if files.len() == 1 => place.line.to_string(),
        place => at(place),
    };
    let gutter = rows
        .iter()
        .map(|r| at(r.place.as_ref()).len())
        .max()
        .unwrap_or(0)
        .max(4);
    let step = (width.saturating_sub(gutter + 30) / threads.max(1)).clamp(3, 26);
    let mut text = format!("{:gutter$}", "line");
    if step >= 10 {
        for thread in 0..threads {
            let head = if thread == 0 {
                "main".to_owned()
            } else {
                format!("thread {thread}")
            };
            let _ = write!(text, "  {head:<room$}", room = step - 2);
        }
    }
    let mut text = text.trim_end().to_owned() + "\n";
    for row in rows {
        let place = at(row.place.as_ref());
        let name = if step >= 10 {
            String::new()
        } else {
            format!("{}: ", row.thread)
        };
        let _ = writeln!(
            text,
            "{place:gutter$}  {:indent$}{name}{}",
            "",
            row.text,
            indent = step * row.thread
        );
    }
    text
}

/// The answer as JSON.
pub(super) fn json(report: &Report<'_>) -> Value {
    let mut answer = json!({
        "schema": "dbverify-run/1",
        "version": env!("CARGO_PKG_VERSION"),
        "file": report.options.program[0],
        "engine": "explicit",
        "input": report.options.program,
        "visible": report.visible,
        "instrumented": report.seen == Seen::All,
        "assumed": report.unseen,
        "assumptions": report.assumptions(),
        "stats": {
            "seconds": report.seconds,
            "executions": report.executions,
            "processes": report.processes,
        },
    });
    let (verdict, summary) = match &report.outcome {
        Outcome::Safe(bound, exhaustive) => {
            answer["exhaustive"] = json!(exhaustive);
            ("safe", bound.clone())
        }
        Outcome::Inconclusive(reason) => {
            answer["reason"] = json!(reason);
            ("inconclusive", reason.clone())
        }
        Outcome::Bug(bug, execution) => {
            let (kind, message, place) = report.error(bug);
            answer["error"] = json!({
                "kind": kind,
                "message": message,
                "file": place.as_ref().map(|p| &p.file),
                "line": place.as_ref().map(|p| p.line),
            });
            let rows = report.rows(bug, execution).0.into_iter().map(|row| {
                let function = row.place.as_ref().map(|p| p.function.clone());
                json!({
                    "task": row.thread,
                    "proc": function,
                    "file": row.place.as_ref().map(|p| p.file.clone()),
                    "line": row.place.as_ref().map(|p| p.line),
                    "action": row.text,
                })
            });
            answer["trace"] = rows.collect();
            ("bug", message)
        }
    };
    answer["verdict"] = json!(verdict);
    answer["summary"] = json!(summary);
    answer
}

/// The answer as a SARIF log.
pub(super) fn sarif(report: &Report<'_>) -> String {
    let mut log = report::sarif::Log {
        about: report.options.program[0].clone(),
        ..Default::default()
    };
    let answer = json(report);
    log.properties = Some(json!({ "verdict": answer["verdict"], "summary": answer["summary"] }));
    if let Outcome::Inconclusive(reason) = &report.outcome {
        log.incomplete.push(reason.clone());
    }
    let location = |at: &Value, text: &Value| {
        Some(json!({
            "physicalLocation": {
                "artifactLocation": { "uri": report::sarif::uri(at["file"].as_str()?) },
                "region": { "startLine": at["line"] },
            },
            "message": { "text": text },
        }))
    };
    if let Some(error) = answer.get("error") {
        let steps = answer["trace"].as_array().map_or(&[][..], Vec::as_slice);
        let steps = steps
            .iter()
            .filter_map(|step| Some(json!({ "location": location(step, &step["action"])? })));
        log.results.push(json!({
            "ruleId": error["kind"],
            "level": "error",
            "message": { "text": error["message"] },
            "locations": location(error, &error["message"]).as_slice(),
            "codeFlows": [{ "threadFlows": [{ "locations": steps.collect::<Vec<_>>() }] }],
        }));
    }
    log.text()
}
