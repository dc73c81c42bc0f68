//! The page of an answer: rows as steps, with the files that they lie in.

use report::html::threads::{self, Step, Waiting};

use super::lines::Place;
use super::log::Ending;
use super::process::Execution;
use super::rows::{Row, Told, thread};
use super::search::{Bug, What};
use super::show;
use super::verdict::{Outcome, Report};

/// The files of a trace, in the order in which they are met.
#[derive(Default)]
struct Files(Vec<String>);

impl Files {
    fn place(&mut self, place: Option<&Place>) -> Option<threads::Place> {
        let place = place?;
        let known = self.0.iter().position(|file| *file == place.file);
        let index = known.unwrap_or_else(|| {
            self.0.push(place.file.clone());
            self.0.len() - 1
        });
        Some((index, place.line))
    }

    /// Returns the files' names and lines, and whether they are a library's. Returns at least one file.
    fn read(self) -> Vec<(String, Vec<String>, bool)> {
        let read = |name: String| {
            let text = std::fs::read(&name).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let lines = text.lines().map(str::to_owned).collect();
            let library = name.starts_with("/usr/");
            (name, lines, library)
        };
        let mut all: Vec<_> = self.0.into_iter().map(read).collect();
        if all.is_empty() {
            all.push((String::new(), Vec::new(), false));
        }
        all
    }
}

fn step(row: &Row, files: &mut Files) -> Step {
    let mut step = Step {
        thread: row.thread,
        place: files.place(row.place.as_ref()),
        function: row
            .place
            .as_ref()
            .map_or_else(String::new, |p| p.function.clone()),
        action: row.text.clone(),
        ..Step::default()
    };
    match &row.told {
        Told::Creates(thread) => step.creates = Some(*thread),
        Told::Joins(thread) => step.joins = Some(*thread),
        Told::Holds { name, value, write } => {
            let held = Some((name.clone(), *value));
            *(if *write {
                &mut step.writes
            } else {
                &mut step.reads
            }) = held;
        }
        Told::Races { name, write } => step.races = Some((name.clone(), *write)),
        Told::Ends => step.ends = true,
        Told::WaitsFor { .. }
        | Told::Polls
        | Told::Locks(_)
        | Told::Unlocks(_)
        | Told::Waits
        | Told::Other => {}
    }
    step
}

/// Returns the thread that has a mutex, and the step since which it has it. Returns `None` if a thread has waited for a
/// condition since then: mutexes then change hands in ways that rows do not show.
fn holder(rows: &[Row], mutex: u64) -> Option<(usize, usize)> {
    let last = rows.iter().rposition(|row| match row.told {
        Told::Locks(object) | Told::Unlocks(object) => object == mutex,
        Told::Waits => true,
        _ => false,
    })?;
    matches!(rows[last].told, Told::Locks(_)).then(|| (rows[last].thread, last))
}

/// The values that the failing check has read: the last ones that its thread saw in that line.
fn looked_at(rows: &[Row], thread: usize, place: Option<&Place>) -> Vec<(String, u64)> {
    let mut values: Vec<(String, u64)> = Vec::new();
    let own = rows.iter().rev().filter(|row| row.thread == thread);
    let here = own.take_while(|row| place.is_some() && row.place.as_ref() == place);
    for row in here {
        if let Told::Holds {
            name,
            value,
            write: false,
        } = &row.told
            && values.iter().all(|(known, _)| known != name)
        {
            values.push((name.clone(), *value));
        }
    }
    values
}

/// A bug as the page tells it.
#[derive(Default)]
struct Story {
    error: Option<(&'static str, String, Option<threads::Place>)>,
    threads: Vec<String>,
    files: Files,
    steps: Vec<Step>,
    waiting: Vec<Waiting>,
}

impl Story {
    fn of(report: &Report<'_>, bug: &Bug, execution: &Execution) -> Self {
        let (rows, count) = report.rows(bug, execution);
        let (kind, message, place) = report.error(bug, &rows);
        // The file of the error is shown first.
        let mut files = Files::default();
        let at = files.place(place.as_ref());
        let mut story = Self {
            steps: rows.iter().map(|row| step(row, &mut files)).collect(),
            threads: (0..count).map(thread).collect(),
            waiting: rows.iter().filter_map(|row| waiting(&rows, row)).collect(),
            error: None,
            files,
        };
        let fails = !matches!(
            bug.what,
            What::Race(_) | What::Ending(Ending::Deadlock | Ending::Livelock)
        );
        if fails && let Some(last) = rows.last() {
            let action = match &bug.what {
                What::Ending(Ending::Assertion { text, .. }) => format!("fails: {text}"),
                _ => message.clone(),
            };
            story.steps.push(Step {
                thread: last.thread,
                place: at,
                function: place
                    .as_ref()
                    .map_or_else(String::new, |p| p.function.clone()),
                action,
                fails,
                values: looked_at(&rows, last.thread, place.as_ref()),
                ..Step::default()
            });
        }
        story.error = Some((kind, message, at));
        story
    }
}

fn waiting(rows: &[Row], row: &Row) -> Option<Waiting> {
    let (joins, mutex, what) = match &row.told {
        Told::WaitsFor { joins, mutex, what } => (*joins, *mutex, what),
        _ => return None,
    };
    Some(Waiting {
        thread: row.thread,
        what: what.clone(),
        joins,
        holder: mutex.and_then(|mutex| holder(rows, mutex)),
    })
}

/// The page, with the command line that asks for it.
pub(super) fn page(report: &Report<'_>, command: Option<&str>) -> String {
    let (verdict, summary) = match &report.outcome {
        Outcome::Safe(bound, _) => ("safe", bound.clone()),
        Outcome::Inconclusive(reason) => ("inconclusive", reason.clone()),
        Outcome::Bug(..) => ("bug", "found by running the program".to_owned()),
    };
    let story = match &report.outcome {
        Outcome::Bug(bug, execution) => Story::of(report, bug, execution),
        _ => Story::default(),
    };
    let error = story.error.as_ref();
    threads::page(&threads::Execution {
        program: &report.options.program[0],
        verdict,
        error: error.map(|(kind, message, place)| (*kind, message.as_str(), *place)),
        summary: &summary,
        command,
        facts: &report.scope(),
        text: &show::text(report),
        threads: &story.threads,
        files: &story.files.read(),
        steps: &story.steps,
        waiting: &story.waiting,
    })
}
