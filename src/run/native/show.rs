//! Answers for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::binary::Seen;
use super::lines::{Place, short};
use super::log::Ending;
use super::process::Execution;
use super::races::Race;
use super::rows::{Row, Told, still_locked, thread};
use super::search::{Bug, What};
use super::verdict::{Outcome, Report};

pub(super) fn at(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |p| {
        let file = short(&p.file);
        format!("{file}:{}", p.line)
    })
}

/// Says which signal ended a program.
fn signal(number: u64, address: Option<u64>, overflow: bool) -> String {
    let text = match number {
        4 => "SIGILL: an instruction that does not exist",
        5 => "SIGTRAP: a trap",
        6 => "SIGABRT: the program aborts",
        7 => "SIGBUS: memory that is not there",
        8 => "SIGFPE: an arithmetic error",
        11 if overflow => return "SIGSEGV: stack overflow".into(),
        11 => "SIGSEGV: memory that is not there",
        13 => "SIGPIPE: nobody can read from the pipe",
        _ => return format!("signal {number} ends the program"),
    };
    match (number, address) {
        (7 | 11, Some(address)) => format!("{text}, at address {address:#x}"),
        _ => text.to_owned(),
    }
}

/// The place of an assertion, which names its file and line. Compilers merge calls, and then the line of the call is another one.
fn asserted(call: Option<Place>, (file, line): &(String, u32)) -> Option<Place> {
    let (file, line) = (file.clone(), *line);
    match call {
        call if line == 0 || file.starts_with("/usr/") => call,
        Some(call) if short(&call.file) == short(&file) => Some(Place { line, ..call }),
        call => Some(Place {
            file,
            line,
            function: call.map_or_else(String::new, |call| call.function),
        }),
    }
}

impl Report<'_> {
    /// Says what is wrong, in one line. For a deadlock, adds which thread waits for what.
    pub(super) fn error_words(&self, bug: &Bug, execution: &Execution) -> String {
        let rows = self.rows(bug, execution).0;
        let (kind, message, place) = self.error(bug, &rows);
        let place = at(place.as_ref());
        let mut text = if place.is_empty() {
            format!("{kind}: {message}")
        } else {
            format!("{place}: {kind}: {message}")
        };
        if matches!(bug.what, What::Ending(Ending::Deadlock)) {
            let waits = |row: &Row| {
                let Told::WaitsFor { what, .. } = &row.told else {
                    return None;
                };
                let place = at(row.place.as_ref());
                Some(format!(
                    "; {} waits for {what} in {place}",
                    thread(row.thread)
                ))
            };
            text.extend(rows.iter().filter_map(waits));
        }
        text
    }

    /// The kind of a bug, its message and place; the rows are those of its trace.
    pub(super) fn error(&self, bug: &Bug, rows: &[Row]) -> (&'static str, String, Option<Place>) {
        // The place of a thread that waits for ever, but not one that only waits for the end of another thread.
        let stuck = || {
            let stuck = rows.iter().find(|row| match row.told {
                Told::WaitsFor { joins, .. } => joins.is_none(),
                Told::Polls => true,
                _ => false,
            });
            stuck?.place.clone()
        };
        let place = |first: u64, frames: &[u64]| {
            let mut all = vec![first + u64::from(first != 0)];
            all.extend_from_slice(frames);
            self.lines.place(&all)
        };
        match &bug.what {
            What::Ending(Ending::Assertion { text, pc, at, .. }) => (
                "assertion",
                format!("the assertion `{text}` fails"),
                asserted(self.lines.place(&[*pc]), at),
            ),
            What::Ending(Ending::Signal {
                number,
                pc,
                frames,
                address,
                overflow,
            }) => {
                let kind = if *number == 6 { "abort" } else { "signal" };
                let known = (*pc != 0).then_some(*address);
                (kind, signal(*number, known, *overflow), place(*pc, frames))
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
                let at_end = || still_locked(rows).filter(|_| *pc == 0);
                let place = self.lines.place(&all).or_else(at_end);
                (kind, text.clone(), place)
            }
            What::Ending(Ending::Exited(code)) => {
                ("exit", format!("the program ends with status {code}"), None)
            }
            What::Ending(Ending::Livelock) => (
                "livelock",
                "a thread polls for ever: nothing changes any more that it looks at".into(),
                stuck(),
            ),
            What::Ending(_) => (
                "deadlock",
                "every thread that has not ended waits".into(),
                stuck(),
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

    /// The assumptions of the answer, beside the one that libraries are free of races.
    fn assumptions(&self) -> Vec<String> {
        let fair = "with `--fair`, a thread that can go on does so in the end, and no library counts the rounds of a loop that polls";
        let machine = "the runtime works on aarch64, where it is compiled but was never tested";
        let gcc = "bit-fields, and shared memory that takes a returned structure, have no races: gcc does not report all accesses to them, clang does";
        let whole = "no thread sees a part of a structure's copy: gcc reports a copy as one step, clang goes by words";
        let program = Path::new(&self.options.program[0]);
        let calls = super::binary::unseen_calls(program);
        let unseen = "no bug is about what these functions read or write, which is not seen: ";
        let unseen = unseen.to_owned() + &some(&calls);
        let said = [
            (super::binary::by_gcc(program), gcc),
            (self.whole, whole),
            (self.seen != Seen::None && !calls.is_empty(), &unseen),
            (self.options.fair, fair),
            (cfg!(target_arch = "aarch64"), machine),
        ];
        let said = said.into_iter().filter(|said| said.0);
        said.map(|said| said.1.to_owned()).collect()
    }

    /// The scope of the answer, line by line.
    pub(super) fn scope(&self) -> Vec<String> {
        let visible = match self.visible.as_slice() {
            _ if self.seen == Seen::None => "only POSIX threads".to_owned(),
            [] if matches!(self.outcome, Outcome::Safe(..)) => {
                "POSIX threads, atomics; no access to memory races, if atomics of every order are taken as seq_cst".to_owned()
            }
            [] => "POSIX threads, atomics".to_owned(),
            names => format!("POSIX threads, atomics, accesses to {}", some(names)),
        };
        let input = self.options.input.as_ref();
        let input = input.map_or_else(|| "empty".to_owned(), |file| file.display().to_string());
        let mut lines = vec![
            format!(
                "input: {}; standard input is {input}, files and sockets are not controlled",
                self.options.program.join(" ")
            ),
            format!("visible: {visible}"),
        ];
        if !self.unseen.is_empty() {
            let unseen = some(&self.unseen);
            lines.push(format!("not instrumented, assumed free of races: {unseen}"));
        }
        if let Seen::Part(reason) = &self.seen {
            lines.push(format!("not seen: {reason}"));
        }
        let assumed = self.assumptions().into_iter();
        lines.extend(assumed.map(|assumption| format!("assumed: {assumption}")));
        lines.push(format!(
            "{}, {}, {:.1} s",
            counted(self.executions, "execution", "executions"),
            counted(self.processes, "process", "processes"),
            self.seconds
        ));
        lines
    }
}

pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
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
    let name = short(&report.options.program[0]);
    let mut text = String::new();
    match &report.outcome {
        Outcome::Safe(bound, _) => {
            let _ = writeln!(text, "{name}: {bound}");
        }
        Outcome::Inconclusive(reason) => {
            let _ = writeln!(text, "{name}: inconclusive: {reason}");
        }
        Outcome::Bug(bug, execution) => {
            let (rows, threads) = report.rows(bug, execution);
            let (kind, message, place) = report.error(bug, &rows);
            let place = at(place.as_ref());
            let place = if place.is_empty() {
                name.to_owned()
            } else {
                place
            };
            let _ = writeln!(text, "{place}: error: {kind}: {message}\n");
            text.push_str(&columns(&rows, threads, report.options.look.width));
            text.push('\n');
        }
    }
    for line in report.scope() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Writes the rows in columns, one for each thread.
fn columns(rows: &[Row], threads: usize, width: usize) -> String {
    let mut files: Vec<&str> = rows
        .iter()
        .filter_map(|r| Some(r.place.as_ref()?.file.as_str()))
        .collect();
    files.sort_unstable();
    files.dedup();
    // If there is only one file, its lines are enough.
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
            let _ = write!(text, "  {:<room$}", self::thread(thread), room = step - 2);
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
            let rows = report.rows(bug, execution).0;
            let (kind, message, place) = report.error(bug, &rows);
            answer["error"] = json!({
                "kind": kind,
                "message": message,
                "file": place.as_ref().map(|p| &p.file),
                "line": place.as_ref().map(|p| p.line),
            });
            let rows = rows.into_iter().map(|row| {
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
        log.notifications.push(report::sarif::hindrance(reason));
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
