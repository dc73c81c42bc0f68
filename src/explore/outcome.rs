//! What the strategies for endless and for divergent executions have found, as an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::answer::{Answer, Bug, Cause, CutBy, Engine, NamedBound, Note, Reason, Verdict};
use crate::ir::{ErrorKind, Program, Value};
use crate::options::{ExploreOptions, Limits};
use crate::semantics::limits;
use crate::source::Span;
use crate::trace::{Bounds, Schedule, replay, shrunk};
use crate::work;

use super::found::{Counts, Limit};
use super::space::LeftOut;
use super::summary::{Schedules, budgets, bugs_in_words, left_out_words, needs_a_lost_task};
use super::verdict::{bounds, cut_by};

/// The distinct bugs, by what their replay shows.
#[derive(Debug, Default)]
pub(crate) struct Bugs {
    shown: BTreeMap<(ErrorKind, Option<Span>), Bug>,
    internal: Option<String>,
}

impl Bugs {
    /// Takes what the replay of a schedule has shown.
    pub fn take(&mut self, bug: Result<Bug, String>) {
        match bug {
            Ok(bug) => {
                self.shown.entry((bug.kind, bug.span)).or_insert(bug);
            }
            Err(reason) => {
                self.internal = Some(limits::unshown("a counterexample", &reason));
            }
        }
    }
}

/// A bug as the replay of its schedule shows it, or of a shorter one, unless the schedule is a shortest one already.
pub(crate) fn shown(
    program: &Program,
    options: &ExploreOptions,
    schedule: &Schedule,
) -> Result<Bug, String> {
    let (_, bug) = replay(program, options.scheduler, schedule)?;
    let bug = bug.ok_or_else(|| "it does not fail".to_owned())?;
    if options.shortest {
        return Ok(bug);
    }
    let bounds = Bounds {
        max_steps: options.max_steps,
        switches: options.preemptions.is_some() || options.switches.is_some(),
        ..Bounds::default()
    };
    Ok(shrunk(program, options.scheduler, bounds, bug))
}

/// That a limit was hit.
pub(crate) fn limited(limit: Limit, limits: &Limits) -> Reason {
    match limit {
        Limit::Time if work::stopping() => work::INTERRUPTED.into(),
        Limit::Time => Reason::new(
            Cause::Time,
            format!("time ran out after {} s", limits.timeout.as_secs_f64()),
        ),
        Limit::Memory => Reason::new(
            Cause::Memory,
            format!("memory ran out at {} MiB", limits.memory >> 20),
        ),
    }
}

/// That executions were not followed beyond the longest that is asked for.
pub(crate) fn too_long(what: &str, options: &ExploreOptions) -> Reason {
    let steps = options.max_steps;
    let steps = format!("{steps} step{}", if steps == 1 { "" } else { "s" });
    Reason::new(Cause::Long, format!("{what} is longer than {steps}"))
}

/// What was found, and under what.
pub(crate) struct Outcome<'a> {
    /// What was asked.
    pub options: &'a ExploreOptions,
    /// The bugs.
    pub bugs: Bugs,
    /// Why nothing can be concluded from finding nothing.
    pub reason: Option<Reason>,
    /// Whether executions were left out that no named bound excludes.
    pub partial: bool,
    /// The bounds that left executions out.
    pub left_out: LeftOut,
    /// Whether an execution was longer than is followed.
    pub too_long: bool,
    /// Whether an execution came to its end.
    pub ended: bool,
    /// Remarks.
    pub notes: Vec<Note>,
    /// Final values of the visible globals.
    pub finals: &'a BTreeSet<Vec<Value>>,
    /// The figures.
    pub counts: Counts,
    /// Which switch asked for it.
    pub switch: (NamedBound, CutBy),
    /// What there is none of, if nothing was found.
    pub none: &'static str,
    /// Of whose schedules it is said.
    pub whose: Schedules,
}

impl Outcome<'_> {
    /// The answer.
    pub fn answer(self, program: &Program, time: Duration) -> Answer {
        let (options, counts) = (self.options, self.counts);
        let reason = self.bugs.internal.map(Reason::from).or(self.reason);
        let mut bugs: Vec<Bug> = self.bugs.shown.into_values().collect();
        if !options.all {
            bugs.sort_by_key(|bug| bug.kind.comes_last());
            bugs.truncate(1);
        }
        let followed = reason.is_none();
        let nothing = bugs.is_empty() && !self.ended;
        let reason = reason.or_else(|| nothing.then(Reason::nothing_ended));
        let verdict = match &reason {
            _ if !bugs.is_empty() => Verdict::Bug,
            Some(reason) => Verdict::Inconclusive(reason.clone()),
            None => Verdict::Safe,
        };
        let mut notes = self.notes;
        notes.extend(more_bugs(&verdict, reason.as_ref()));
        notes.extend(lost_task(program, options, &bugs));
        let budgets = budgets(options).map_or_else(String::new, |b| format!(" {b}"));
        let within = self.whose.and(&budgets);
        let summary = match &verdict {
            Verdict::Safe | Verdict::Proved => {
                let left_out = left_out_words(options, self.left_out);
                format!("{} {}{left_out}", self.none, within.in_words())
            }
            Verdict::Bug => bugs_in_words(program, options, &within, &bugs),
            Verdict::Inconclusive(reason) => reason.words().to_owned(),
        };
        let mut cut_by = cut_by(options, self.left_out, self.too_long);
        cut_by.extend(self.partial.then_some(self.switch.1));
        let mut bounds = bounds(options);
        bounds.push(self.switch.0);
        let stopped = !options.all && !bugs.is_empty();
        Answer {
            bounds,
            exhaustive: followed && !stopped && cut_by.is_empty(),
            budget_spent: !stopped && self.left_out.is_by_budget(),
            cut_by,
            bugs,
            finals: (options.finals).then(|| self.finals.iter().cloned().collect()),
            notes,
            stats: counts.figures(time),
            ..Answer::new(Engine::Explicit, verdict, summary)
        }
    }
}

/// Beside bugs: why there may be others.
pub(super) fn more_bugs(verdict: &Verdict, reason: Option<&Reason>) -> Option<Note> {
    let reason = reason.filter(|_| *verdict == Verdict::Bug)?;
    Some(note(format!("there may be more bugs: {reason}"), None))
}

/// Beside bugs of the bounded bag: that it may have made them.
pub(super) fn lost_task(program: &Program, options: &ExploreOptions, bugs: &[Bug]) -> Option<Note> {
    let message =
        "under bounded-bag posts are dropped: this bug may exist only because one was".to_owned();
    needs_a_lost_task(program, options, bugs).then(|| note(message, None))
}

/// A remark.
pub(crate) fn note(message: String, span: Option<Span>) -> Note {
    Note { message, span }
}
