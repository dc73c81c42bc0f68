//! The answer in words.

use std::time::Duration;

use rustc_hash::FxHashMap;

use answer::{Answer, CutBy, NamedBound, Note, Reason};
use ir::{ErrorKind, Program};
use options::{ExploreOptions, Strategy};
use trace::Bug;
use trace::{Decision, Schedule};

use super::super::outcome::{Bugs, Outcome, limited, shown, too_long};
use super::super::strategy::{Expansion, System};
use super::super::summary::{Schedules, budgets};
use super::super::verdict::{finals, refusal_words, told_at};
use super::super::worker;
use super::rules::Rules;
use super::system::{Fair, Memories};
use machine::found::{Endless, Found, Trail};
use machine::schedule::schedule;
use machine::space::{LeftOut, Space};

pub(super) struct Subject<'a> {
    pub program: &'a Program,
    pub space: Space<'a>,
    pub options: &'a ExploreOptions,
    pub rules: Rules,
}

impl Subject<'_> {
    /// The answer to what was asked.
    pub fn answer(&self, found: &Found, time: Duration) -> Answer {
        let withheld = found.left_out.contains(LeftOut::UNFAIR);
        let (reason, mut notes) = self.reason(found);
        if withheld {
            notes.push(Note::new(WITHHELD, None));
        }
        let (whose, none) = self.words();
        let budgets = budgets(self.options).map_or_else(String::new, |b| format!(" {b}"));
        let outcome = Outcome {
            options: self.options,
            bugs: self.bugs(found),
            reason,
            left_out: found.left_out.without(LeftOut::UNFAIR),
            too_long: found.cut,
            cut_by: Vec::from_iter(withheld.then_some(CutBy::Fair)),
            ended: found.ended,
            endless: false,
            notes,
            finals: finals(self.program, self.space, found),
            stats: found.counts.figures(time),
            bounds: vec![NamedBound::Fair],
            none: none.to_owned(),
            whose: whose.and(&budgets),
            within: String::new(),
        };
        outcome.answer(self.program)
    }

    fn bugs(&self, found: &Found) -> Bugs {
        let failing = found.bugs.values().map(|trail| {
            let schedule = schedule(self.program, self.space, trail);
            shown(self.program, self.options, &schedule)
        });
        let endless = found.endless.iter().map(|e| self.shown_forever(e));
        Bugs::distinct(failing.chain(endless))
    }

    /// Shows an endless execution. A variable that is not read again may still hold its value from before the loop.
    /// After one turn in advance it holds what the loop leaves there.
    fn shown_forever(&self, endless: &Endless) -> Result<Bug, String> {
        let turns = |n| {
            let schedule = forever(endless, n, |t| schedule(self.program, self.space, t));
            shown(self.program, self.options, &schedule)
        };
        turns(0).or_else(|_| turns(1))
    }

    /// Why the search settles nothing, if it found nothing.
    fn reason(&self, found: &Found) -> (Option<Reason>, Vec<Note>) {
        let limit = found.limit.map(|l| limited(l, &self.options.limits));
        if let Some(trail) = &found.long {
            let (warning, mut notes) = self.warning(trail);
            let Some(limit) = limit else {
                return (Some(warning), notes);
            };
            notes.insert(0, Note::new(warning.to_string(), None));
            return (Some(limit), notes);
        }
        let long = || found.cut.then(|| too_long("an execution", self.options));
        if let Some(reason) = limit.or_else(long) {
            return (Some(reason), Vec::new());
        }
        match found.refusal {
            Some(refusal) => {
                let (reason, here) = refusal_words(self.program, refusal, &self.options.limits);
                let at = told_at(self.program, refusal);
                (Some(reason), vec![Note::new(here, at)])
            }
            None => (None, Vec::new()),
        }
    }

    /// Without a store a long execution is a warning: "this execution is then examined by the user".
    fn warning(&self, trail: &Trail) -> (Reason, Vec<Note>) {
        let memories = Memories::default();
        let inner = worker(self.space, self.options);
        let mut system = Fair::new(inner, self.rules, &memories);
        let endless = repeats(&mut system, trail);
        let again = endless.and_then(|e| self.shown_forever(&e).ok());
        let what = match again.as_ref().map(|bug| bug.kind) {
            Some(ErrorKind::GoodSamaritan) => "probably a good-samaritan violation",
            Some(_) => "probably a livelock",
            None => "perhaps a livelock, perhaps only longer than expected",
        };
        let fair = too_long("a fair execution", self.options);
        let reason = fair.reworded(format!("{fair}: {what}"));
        let mut notes = Vec::from_iter(again.map(|bug| {
            let message = format!("it comes back to where it was: {}", bug.message);
            Note::new(message, bug.span)
        }));
        notes.push(Note::new(TO_PROVE, None));
        (reason, notes)
    }

    /// The schedules that the answer is about, and words for what was not found.
    fn words(&self) -> (Schedules, &'static str) {
        match self.options.strategy {
            Strategy::Stateful => (
                Schedules::Every(String::new()),
                "no bug, no livelock, no good-samaritan violation",
            ),
            Strategy::Random => {
                let (runs, seed) = (self.options.runs, self.options.seed);
                let whose = format!("in {runs} random walks (seed {seed}) of the fair scheduler");
                (Schedules::Those(whose), "no bug")
            }
            _ => (
                Schedules::Every(" of the fair scheduler".to_owned()),
                "no bug",
            ),
        }
    }
}

/// Finds where an execution first comes back to a state, with the same memory of Algorithm 1.
fn repeats(system: &mut impl System, trail: &Trail) -> Option<Endless> {
    let mut seen: FxHashMap<Box<[u32]>, usize> = FxHashMap::default();
    let mut out = Expansion::default();
    system.begin(&mut out);
    let mut at = out.moves.iter().position(|m| m.step.way == trail.begin)?;
    for (number, &step) in trail.steps.iter().enumerate() {
        let row: Box<[u32]> = out.moves.row(at).into();
        system.expand(&row, &mut out);
        if let Some(before) = seen.insert(row, number) {
            return Some(endless(trail, before, number));
        }
        at = out.moves.iter().position(|m| m.step == step)?;
    }
    let before = seen.get(out.moves.row(at))?;
    Some(endless(trail, *before, trail.steps.len()))
}

/// The execution that repeats the steps between two of its states for ever.
fn endless(trail: &Trail, from: usize, to: usize) -> Endless {
    let mut stem = trail.clone();
    let turn = stem.steps.split_off(from);
    Endless {
        stem,
        turn: turn[..to - from].to_vec(),
    }
}

/// The endless execution as a schedule: the stem, that many turns in advance, and the turn that repeats.
///
/// The machine makes a choice when its value is needed, which may be in the next turn. So one more turn is added for
/// its choices, and then cut off.
pub(super) fn forever(
    endless: &Endless,
    turns: usize,
    schedule: impl Fn(&Trail) -> Schedule,
) -> Schedule {
    let mut trail = endless.stem.clone();
    for _ in 0..turns + 2 {
        trail.steps.extend(&endless.turn);
    }
    let mut decisions = schedule(&trail).decisions;
    let start = endless.stem.steps.len() + turns * endless.turn.len();
    decisions.truncate(dispatch(&decisions, start + endless.turn.len()));
    decisions.insert(dispatch(&decisions, start), Decision::Forever);
    Schedule { decisions }
}

/// Where in a schedule a step begins.
fn dispatch(decisions: &[Decision], step: usize) -> usize {
    let dispatches = decisions.iter().enumerate();
    let mut dispatches = dispatches.filter(|(_, d)| matches!(d, Decision::Dispatch(_)));
    dispatches.nth(step).map_or(decisions.len(), |(at, _)| at)
}

const WITHHELD: &str = "the fair scheduler held tasks back that slept while others could run; \
    a state to which only such schedules lead was not visited";

const TO_PROVE: &str =
    "the search with a store of states, --strategy stateful, tells whether it is one";
