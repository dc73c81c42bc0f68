//! The answer in words.

use std::time::Duration;

use crate::answer::{Answer, Bug, CutBy, NamedBound, Note, Reason};
use crate::ir::{ErrorKind, Program};
use crate::options::{ExploreOptions, Strategy};

use super::super::found::Limit;
use super::super::machine::Why;
use super::super::outcome::{Bugs, Outcome, limited, note, shown, too_long};
use super::super::space::Step as Act;
use super::super::summary::Schedules;
use super::super::verdict::refusal_words;
use super::model::Endless;
use super::report::Report;
use super::rules::Rules;
use super::space::{Programmed, Rows};
use super::stateless;

/// What was asked.
pub(super) struct Subject<'a> {
    pub program: &'a Program,
    pub options: &'a ExploreOptions,
    pub rules: Rules,
}

impl Subject<'_> {
    /// The answer to what was asked.
    pub fn answer<R: Rows>(
        &self,
        model: &mut Programmed<'_, R>,
        report: &Report<Act>,
        time: Duration,
    ) -> Answer {
        let bugs = self.bugs(model, report);
        let (reason, mut notes) = self.reason(model, report);
        if report.withheld {
            notes.push(note(WITHHELD.to_owned(), None));
        }
        let (whose, none) = self.words();
        let mut left_out = report.left_out;
        left_out.add(model.left_out);
        let outcome = Outcome {
            options: self.options,
            bugs,
            reason,
            partial: report.withheld,
            left_out,
            too_long: report.cut || report.long.is_some(),
            ended: report.any_ended,
            notes,
            finals: &model.finals(),
            counts: report.counts,
            switch: (NamedBound::Fair, CutBy::Fair),
            none,
            whose,
        };
        outcome.answer(self.program, time)
    }

    fn bugs<R: Rows>(&self, model: &Programmed<'_, R>, report: &Report<Act>) -> Bugs {
        let mut bugs = Bugs::default();
        for path in report.bugs.values() {
            let schedule = model.schedule(path);
            bugs.take(shown(self.program, self.options, &schedule));
        }
        for endless in &report.endless {
            bugs.take(self.forever(model, endless));
        }
        bugs
    }

    /// An endless execution, as it is shown. A variable that nobody looks at again may still hold what it
    /// held before the loop; one turn in advance, and it holds what the loop leaves there.
    fn forever<R: Rows>(
        &self,
        model: &Programmed<'_, R>,
        endless: &Endless<Act>,
    ) -> Result<Bug, String> {
        let turns = |n| shown(self.program, self.options, &model.forever(endless, n));
        turns(0).or_else(|_| turns(1))
    }

    /// Why nothing can be concluded from finding nothing.
    fn reason<R: Rows>(
        &self,
        model: &mut Programmed<'_, R>,
        report: &Report<Act>,
    ) -> (Option<Reason>, Vec<Note>) {
        if report.long.is_some() {
            let (warning, mut notes) = self.warning(model, report);
            let limit = report.limit.map(|l| limited(l, &self.options.limits));
            let Some(limit) = limit else {
                return (Some(warning), notes);
            };
            notes.insert(0, note(warning.to_string(), None));
            return (Some(limit), notes);
        }
        if let Some(limit) = report.limit {
            return (Some(limited(limit, &self.options.limits)), Vec::new());
        }
        if report.cut {
            return (Some(too_long("an execution", self.options)), Vec::new());
        }
        match model.refusal {
            Some(refusal) if refusal.why == Why::Time => {
                let reason = limited(Limit::Time, &self.options.limits);
                (Some(reason), Vec::new())
            }
            Some(refusal) => {
                let (reason, here) = refusal_words(self.program, refusal);
                (Some(reason), vec![note(here, Some(refusal.span))])
            }
            None => (None, Vec::new()),
        }
    }

    /// Without a store a long execution is a warning: "this execution is then examined by the user".
    fn warning<R: Rows>(
        &self,
        model: &mut Programmed<'_, R>,
        report: &Report<Act>,
    ) -> (Reason, Vec<Note>) {
        let path = report.long.as_ref();
        let endless = path.and_then(|p| stateless::repeats(model, self.rules, p));
        let again = endless.and_then(|e| self.forever(model, &e).ok());
        let what = match again.as_ref().map(|bug| bug.kind) {
            Some(ErrorKind::GoodSamaritan) => "probably a good-samaritan violation",
            Some(_) => "probably a livelock",
            None => "perhaps a livelock, perhaps only longer than expected",
        };
        let fair = too_long("a fair execution", self.options);
        let reason = fair.reworded(format!("{fair}: {what}"));
        let mut notes = Vec::from_iter(again.map(|bug| {
            let message = format!("it comes back to where it was: {}", bug.message);
            note(message, bug.span)
        }));
        notes.push(note(TO_PROVE.to_owned(), None));
        (reason, notes)
    }

    /// Of whose schedules it is said, and what there is none of.
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

const WITHHELD: &str = "the fair scheduler held tasks back that slept while others could run; \
    a state to which only such schedules lead was not visited";

const TO_PROVE: &str =
    "the search with a store of states, --strategy stateful, tells whether it is one";
