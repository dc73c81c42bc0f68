//! What a search has found, as an answer.

use std::collections::{BTreeMap, BTreeSet};

use answer::{Answer, Cause, CutBy, Engine, Figure, NamedBound, Note, Reason, Verdict};
use base::work;
use ir::{Program, Value};
use options::{ExploreOptions, Limits, Sought};
use semantics::limits;
use trace::Bug;
use trace::{Bounds, Schedule, replay, shrunk};

use super::summary::{Schedules, beside, bugs_in_words, left_out_words, needs_a_lost_task};
use super::verdict::{bounds, cut_by};
use machine::budget::Budget;
use machine::found::Limit;
use machine::space::LeftOut;

/// Bugs as the replay of their schedules shows them.
#[derive(Debug, Default)]
pub struct Bugs {
    /// Those that were replayed.
    pub list: Vec<Bug>,
    /// Why a bug could not be shown by a replay, in words.
    pub internal: Option<String>,
}

impl Bugs {
    /// Keeps one bug of each kind and place.
    pub fn distinct(all: impl IntoIterator<Item = Result<Bug, String>>) -> Self {
        let (mut shown, mut internal) = (BTreeMap::new(), None);
        for bug in all {
            match bug {
                Ok(bug) => {
                    shown.entry((bug.kind, bug.span)).or_insert(bug);
                }
                Err(reason) => internal = Some(limits::unshown("a counterexample", &reason)),
            }
        }
        Self {
            list: shown.into_values().collect(),
            internal,
        }
    }
}

/// Replays a schedule and returns its bug. Looks for a shorter one, unless the schedule is a shortest one already.
pub fn shown(
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
        switches: Budget::of(options).is_bounded(),
        ..Bounds::default()
    };
    Ok(shrunk(program, options.scheduler, bounds, bug))
}

/// The reason that a limit was hit.
pub fn limited(limit: Limit, limits: &Limits) -> Reason {
    match limit {
        Limit::Time if work::stopping() => work::INTERRUPTED.into(),
        Limit::Time => Reason::new(
            Cause::Time,
            format!("time ran out after {} s", limits.timeout.as_secs_f64()),
        ),
        Limit::Work => Reason::new(Cause::Steps, "the steps that it was given ran out"),
        Limit::Memory => Reason::new(
            Cause::Memory,
            format!("memory ran out at {} MiB", limits.memory >> 20),
        ),
    }
}

/// The reason that an execution has more steps than the options allow.
pub fn too_long(what: &str, options: &ExploreOptions) -> Reason {
    let steps = options.max_steps;
    let steps = format!("{steps} step{}", if steps == 1 { "" } else { "s" });
    Reason::new(Cause::Long, format!("{what} is longer than {steps}"))
}

/// What a search found, and under which options.
pub struct Outcome<'a> {
    pub options: &'a ExploreOptions,
    pub bugs: Bugs,
    /// Why the search settles nothing, if it found nothing.
    pub reason: Option<Reason>,
    /// The bounds that left executions out.
    pub left_out: LeftOut,
    /// Whether an execution was longer than the search follows.
    pub too_long: bool,
    /// What else leaves executions out.
    pub cut_by: Vec<CutBy>,
    /// Whether an execution came to its end.
    pub ended: bool,
    /// Whether every execution goes on for ever, if none ends and none was left out.
    pub endless: bool,
    pub notes: Vec<Note>,
    /// Final values of the visible globals.
    pub finals: BTreeSet<Vec<Value>>,
    pub stats: Vec<Figure>,
    /// Bounds beside those of the options.
    pub bounds: Vec<NamedBound>,
    /// Words for what was not found, such as `no bug`.
    pub none: String,
    /// The schedules that the answer is about.
    pub whose: Schedules,
    /// Words that follow the schedules, if nothing was found.
    pub within: String,
}

impl Outcome<'_> {
    pub fn answer(self, program: &Program) -> Answer {
        let options = self.options;
        let Bugs { mut list, internal } = self.bugs;
        if !options.all {
            list.sort_by_key(|bug| bug.kind.comes_last());
            list.truncate(1);
        }
        // The notes explain `self.reason`. An internal error takes its place.
        let mut notes = match internal {
            Some(_) => Vec::new(),
            None => self.notes,
        };
        let reason = internal.map(Reason::from).or(self.reason);
        let stopped = !options.all && !list.is_empty();
        let mut cut_by = cut_by(options, self.left_out, self.too_long);
        cut_by.extend(self.cut_by);
        let whole = reason.is_none() && !stopped && cut_by.is_empty();
        let nothing = list.is_empty() && !self.ended && !(whole && self.endless);
        let reason = reason.or_else(|| nothing.then(Reason::nothing_ended));
        let verdict = match &reason {
            _ if !list.is_empty() => Verdict::Bug,
            Some(reason) => Verdict::Inconclusive(reason.clone()),
            None => Verdict::Safe,
        };
        notes.extend(more_bugs(&verdict, reason.as_ref()));
        notes.extend(lost_task(program, options, &list));
        if verdict == Verdict::Safe && !self.ended {
            let bounded = self.left_out.is_by_budget();
            notes.push(goes_on_for_ever(program, bounded));
        }
        let beside = beside(options);
        let summary = match &verdict {
            Verdict::Safe | Verdict::Proved => {
                let left_out = left_out_words(options, self.left_out, whole);
                let (none, whose, within) = (self.none, self.whose.in_words(), self.within);
                format!("{none} {whose}{within}{left_out}{beside}")
            }
            Verdict::Bug => {
                let whose = self.whose.and(&beside);
                bugs_in_words(program, options, (&whose, reason.is_none()), &list)
            }
            Verdict::Inconclusive(reason) => reason.words().to_owned(),
        };
        let mut bounds = bounds(options);
        bounds.extend(self.bounds);
        Answer {
            bounds,
            exhaustive: whole,
            budget_spent: !stopped && self.left_out.is_by_budget(),
            cut_by,
            races: options.sought == Sought::Races,
            bugs: list,
            finals: (options.finals).then(|| self.finals.into_iter().collect()),
            notes,
            stats: self.stats,
            ..Answer::new(Engine::Explicit, verdict, summary)
        }
    }
}

fn goes_on_for_ever(program: &Program, bounded: bool) -> Note {
    let finally = program.finally.map(|_| ", and `finally` is never run");
    let message = match bounded {
        true => {
            "no execution within the bounds ends: each goes on for ever; with a larger budget one may end"
        }
        false => "every execution goes on for ever; no execution ends",
    };
    let message = format!("{message}{}", finally.unwrap_or_default());
    Note::new(message, None)
}

/// Words for what was not found, where bugs or races were looked for.
pub fn no_bug(options: &ExploreOptions) -> String {
    let races = match options.sought {
        Sought::Races => " and no data race",
        _ => "",
    };
    format!("no bug{races}")
}

/// The note beside bugs that says why there may be others.
fn more_bugs(verdict: &Verdict, reason: Option<&Reason>) -> Option<Note> {
    let reason = reason.filter(|_| *verdict == Verdict::Bug)?;
    Some(Note::new(format!("there may be more bugs: {reason}"), None))
}

/// The note beside bugs under the bounded bag that says that a dropped post may have made them.
fn lost_task(program: &Program, options: &ExploreOptions, bugs: &[Bug]) -> Option<Note> {
    let message =
        "under bounded-bag posts are dropped: this bug may exist only because one was".to_owned();
    needs_a_lost_task(program, options, bugs).then(|| Note::new(message, None))
}
