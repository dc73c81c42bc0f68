//! An endless execution as a finite schedule: a stem, and a loop that leads back to where it began.
//!
//! The loop is judged by what happens in it, not by what the search that found it believed
//! (Musuvathi and Qadeer, *Fair Stateless Model Checking*, section 3): whether it is fair, and
//! whether it has the good samaritan property,
//!
//! ```text
//! SF = ∀t: GF enabled(t) ⇒ GF sched(t)        GS = ∀t: GF sched(t) ⇒ GF (sched(t) ∧ yield(t))
//! ```
//!
//! where `enabled` is "pending and not blocked", and a task yields when its segment ends at a `sleep`.

use std::collections::{BTreeMap, BTreeSet};

use base::source::Span;
use ir::{ErrorKind, PreemptKind, Program, Value};

use super::{Happening, TraceStep};
use semantics::{Config, Env, Failure, Machine, Stop, Task};

/// The loop so far: who was enabled, ran and slept.
pub(super) struct Lasso<'p> {
    start: Config<'p>,
    /// The index of the loop's first step in the trace.
    line: usize,
    turns: u64,
    enabled: BTreeSet<u32>,
    ran: BTreeSet<u32>,
    slept: BTreeSet<u32>,
}

impl<'p> Lasso<'p> {
    /// Begins a loop at the machine's configuration. `line` is the index of its first step in the trace.
    pub fn begin<E: Env>(machine: &Machine<'p, E>, line: usize) -> Self {
        Self {
            start: machine.config.clone(),
            line,
            turns: 0,
            enabled: BTreeSet::new(),
            ran: BTreeSet::new(),
            slept: BTreeSet::new(),
        }
    }

    /// Notes which tasks are enabled at a visit to the dispatcher.
    pub fn visit<E: Env>(&mut self, machine: &Machine<'p, E>) -> Result<(), Stop> {
        for &task in machine.config.tasks.keys() {
            if !machine.blocked(task)? {
                self.enabled.insert(task);
            }
        }
        Ok(())
    }

    /// Notes that a task has run.
    pub fn ran(&mut self, task: u32, slept: bool) {
        self.turns += 1;
        self.ran.insert(task);
        if slept {
            self.slept.insert(task);
        }
    }

    /// Says what is wrong with an execution that repeats the loop for ever.
    pub fn judge(
        &self,
        program: &Program,
        end: &Config<'p>,
        steps: &[TraceStep],
    ) -> Result<Failure, String> {
        if self.turns == 0 || !again(&self.start, end) {
            return Err("the program is not where it was when the loop began".into());
        }
        // Counts only tasks that exist before and after the loop. A task that finishes in the loop is another task the next time.
        let lasting = |set: &BTreeSet<u32>| -> BTreeSet<u32> {
            set.iter()
                .copied()
                .filter(|t| self.start.tasks.contains_key(t) && end.tasks.contains_key(t))
                .collect()
        };
        let (enabled, ran) = (lasting(&self.enabled), lasting(&self.ran));
        let starved: Vec<u32> = enabled.difference(&self.ran).copied().collect();
        let sleepless: Vec<u32> = ran.difference(&self.slept).copied().collect();
        let names = |tasks: &[u32]| names(program, &self.start, tasks);
        let turns = match self.turns {
            1 => "the last step repeats".to_owned(),
            n => format!("the last {n} steps repeat"),
        };
        let (kind, message, actors) = if starved.is_empty() {
            let also = match sleepless.as_slice() {
                [] => String::new(),
                [_] => format!("; {} never sleeps in it", names(&sleepless)),
                _ => format!("; {} never sleep in it", names(&sleepless)),
            };
            let message =
                format!("{turns} for ever, although every task that can run does so{also}");
            (ErrorKind::Livelock, message, self.slept.clone())
        } else if !sleepless.is_empty() {
            let verb = if sleepless.len() == 1 {
                "sleeps"
            } else {
                "sleep"
            };
            let message = format!(
                "{turns} for ever: {} never {verb}, and {} could run all the while",
                names(&sleepless),
                names(&starved)
            );
            let actors = sleepless.iter().copied().collect();
            (ErrorKind::GoodSamaritan, message, actors)
        } else {
            return Err(format!(
                "the loop keeps {} from running, and no fair scheduler repeats it",
                names(&starved)
            ));
        };
        let span = self.place(steps, kind, &actors);
        Ok((kind, message, span))
    }

    /// The place to show, the first in the text: a `sleep` of a livelock, or a step of a task that never sleeps.
    fn place(&self, steps: &[TraceStep], kind: ErrorKind, actors: &BTreeSet<u32>) -> Option<Span> {
        let inside = || steps[self.line.min(steps.len())..].iter();
        let acts = |s: &&TraceStep| actors.contains(&s.task);
        let sleeps = |s: &&TraceStep| {
            let slept = s.happening == Happening::Yielded(PreemptKind::Sleep);
            slept || kind == ErrorKind::GoodSamaritan
        };
        inside()
            .filter(acts)
            .filter(sleeps)
            .filter_map(|s| s.span)
            .min()
            .or_else(|| inside().filter_map(|s| s.span).min())
    }
}

/// Whether the program is where it was at the start, so that the steps since then can happen again.
///
/// If no variable holds a task's number, tasks that come and go may have other numbers.
fn again(start: &Config<'_>, end: &Config<'_>) -> bool {
    if start == end {
        return true;
    }
    let unordered = start.queue.is_bag();
    if !unordered || start.globals != end.globals || holds_handle(start) || holds_handle(end) {
        return false;
    }
    let lasting = |t: &u32| start.tasks.contains_key(t) && end.tasks.contains_key(t);
    let same = start.tasks.keys().filter(|t| lasting(t));
    same.into_iter().all(|t| start.tasks[t] == end.tasks[t])
        && others(start, &lasting) == others(end, &lasting)
}

/// Counts equal tasks among those that are in one configuration only.
fn others<'a, 'p>(
    config: &'a Config<'p>,
    lasting: &impl Fn(&u32) -> bool,
) -> rustc_hash::FxHashMap<&'a Task<'p>, u32> {
    let mut counts = rustc_hash::FxHashMap::default();
    for (number, task) in &config.tasks {
        if !lasting(number) {
            *counts.entry(task).or_default() += 1;
        }
    }
    counts
}

fn holds_handle(config: &Config<'_>) -> bool {
    let frames = config.tasks.values().flat_map(|t| &t.frames);
    let locals = frames.flat_map(|f| &f.locals);
    config.globals.iter().chain(locals).any(is_handle)
}

/// Whether a task's number is somewhere in a value.
fn is_handle(value: &Value) -> bool {
    match value {
        Value::Task(t) => t.is_some(),
        Value::Record(parts) | Value::Array(parts) => parts.iter().any(is_handle),
        Value::Map(rest, entries) => {
            is_handle(rest) || entries.iter().any(|(k, v)| is_handle(k) || is_handle(v))
        }
        Value::Bool(_) | Value::Int(_) | Value::Any => false,
    }
}

/// `task 2 (reader), task 3 (writer)`
fn names(program: &Program, config: &Config<'_>, tasks: &[u32]) -> String {
    let root: BTreeMap<u32, &str> = (config.tasks.iter())
        .filter_map(|(&n, t)| Some((n, program.proc(t.frames.first()?.proc).name.as_str())))
        .collect();
    let each = tasks.iter().map(|t| match root.get(t) {
        Some(name) => format!("task {t} ({name})"),
        None => format!("task {t}"),
    });
    each.collect::<Vec<_>>().join(", ")
}
