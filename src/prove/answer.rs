//! The answer to a question without bounds: a proof, or what was lacking.

use std::collections::BTreeSet;
use std::time::Duration;

use answer::{Answer, Cause, Engine, NamedBound, Note, Reason, Verdict};
use base::clock::{FOREVER, Instant};
use base::source::{SourceMap, Span};
use base::work;
use ir::WeakOrders;
use ir::{GlobalId, Program, Stmt, StmtKind, walk};
use solver::z3_version;

use super::accesses::Look;
use super::apart::apart;
use super::attempt::{Attempt, Came, Proof, attempt};
use super::beside::Beside;
use super::ended::nothing_after_the_end;
use super::matters::{Also, Racing, unneeded};
use super::open::{closed, open};
use super::own::own;
use super::refusal::Refusal;
use super::system::System;
use super::tasks::{Names, Tasks, racing};
use super::wrapping::with_integers;
use options::ProveOptions;
use symbolic::{Ends, ends};

const FOREVER_ON: &str = "every execution goes on for ever; no execution ends";
const END_UNKNOWN: &str = "whether an execution comes to its end is not known";
const ALL_DROPPED: &str = ": if assumptions drop them all, the proof says nothing";

/// Proves a program, or says what was lacking.
#[must_use]
pub fn answer(program: &Program, sources: &SourceMap, options: &ProveOptions) -> Answer {
    let begin = Instant::now();
    let end = options.limits.end().unwrap_or_else(|| begin + FOREVER);
    let asked = Asked {
        program,
        sources,
        options,
        end,
    };
    let mut answer = asked.answer();
    answer.took(begin.elapsed());
    answer
}

struct Asked<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    options: &'a ProveOptions,
    end: Instant,
}

impl Asked<'_> {
    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    fn answer(&self) -> Answer {
        if let Some(lacking) = self.without_z3().or_else(|| self.without_order()) {
            return lacking;
        }
        match self.prove(self.left()) {
            Ok(Came::Proved(proof)) => self.proved(&proof),
            Ok(came) => self.unsettled(&came),
            Err(refusal) => self.refused(&refusal),
        }
    }

    /// Tries to show that no execution comes to a cut. Where races are asked about, then tries with some cuts [opened](open).
    fn prove(&self, time: Duration) -> Result<Came, Refusal> {
        let end = Instant::now() + time;
        let closed = closed(self.program);
        let opened = open(self.program).filter(|_| self.options.races);
        let Some(opened) = opened else {
            return self.prove_program(&closed, &BTreeSet::new(), end);
        };
        let first = end - time / 4 * 3;
        let came = self.prove_program(&closed, &BTreeSet::new(), first);
        if matches!(came, Ok(Came::Proved(_))) || work::stopping() {
            return came;
        }
        match self.prove_program(&opened.program, &opened.unsteady, end) {
            Ok(Came::Proved(mut proof)) => {
                proof.errors = opened.errors;
                Ok(Came::Proved(proof))
            }
            _ => came,
        }
    }

    /// Tries in this order: with variables of any value where they do not matter to a check; with integers in the place of
    /// machine integers that must not wrap; with integers that wrap; with the program as it is.
    fn prove_program(
        &self,
        program: &Program,
        unsteady: &BTreeSet<GlobalId>,
        end: Instant,
    ) -> Result<Came, Refusal> {
        let quiet = nothing_after_the_end(program);
        let apart = apart(&quiet);
        let (program, own) = own(&apart);
        let program = &*program;
        let own_parts = own.keys().copied().collect();
        let all = Beside {
            own,
            any: unsteady.clone(),
            unsteady: unsteady.clone(),
            races: self.options.races.then_some(own_parts),
            ..Beside::default()
        };
        let nowhere = BTreeSet::new();
        let racing = Racing {
            accesses: racing(program, &all)?,
            look: Look::new(program, all.races.as_ref().unwrap_or(&nowhere)),
        };
        let mut few = [Also::Nothing, Also::Waits];
        if !unsteady.is_empty() {
            // Many globals have any value already. Without conditions of waits a proof seldom succeeds then, and failing takes long.
            few.reverse();
        }
        let few = few.map(|also| all.without(unneeded(program, also, &racing)));
        let integers = with_integers(program);
        let mut tries = Vec::new();
        for (i, less) in few.iter().enumerate() {
            // If no global of the user's is left out, the try would be much the same as the next one.
            let own = |g: &GlobalId| !program.globals[g.index()].hidden;
            if less.any.iter().any(own) && !few[..i].contains(less) {
                tries.push((integers.as_ref().unwrap_or(program), less, false));
            }
        }
        if let Some(integers) = &integers {
            tries.extend([(integers, &all, true), (integers, &all, false)]);
        }
        for (program, beside, strict) in tries {
            let left = end.saturating_duration_since(Instant::now());
            let came = self.prove_as(program, (beside, strict), end - left / 2);
            if let Ok(Came::Proved(proof)) = came {
                return Ok(Came::Proved(proof));
            }
        }
        match self.prove_as(program, (&all, false), end) {
            Err(refusal) if refusal.late => Ok(Came::Nothing),
            came => came,
        }
    }

    /// Tries with interruptions at the heads of loops, which is simpler, and then without.
    fn prove_as(
        &self,
        program: &Program,
        how: (&Beside, bool),
        end: Instant,
    ) -> Result<Came, Refusal> {
        let time = end.saturating_duration_since(Instant::now());
        let mut names = Names::default();
        let tasks = Tasks::of(program, &mut names, how, end)?;
        let rough = how.0.is_rough();
        let again = tasks.has_heads() && !rough;
        let tried = Attempt {
            program,
            sources: self.sources,
            tasks: &tasks,
            options: self.options,
            exact: false,
            rough,
            end: if again { end - time / 3 } else { end },
        };
        let came = attempt(&tried, &mut names.clone())?;
        if matches!(came, Came::Proved(_)) || !again {
            return Ok(came);
        }
        let exact = Attempt {
            exact: true,
            end,
            ..tried
        };
        attempt(&exact, &mut names)
    }

    fn with(&self, verdict: Verdict, summary: String) -> Answer {
        Answer {
            exhaustive: verdict == Verdict::Proved,
            races: self.options.races,
            bounds: vec![NamedBound::Delays(None)],
            ..Answer::new(Engine::Smt, verdict, summary)
        }
    }

    fn proved(&self, proof: &Proof) -> Answer {
        let far = match ends(self.program, &self.options.limits) {
            Ends::Never => return self.inconclusive(Reason::nothing_ended(), Vec::new()),
            Ends::Some => None,
            Ends::Forever => Some(FOREVER_ON.to_owned()),
            Ends::Unknown => Some(self.end_unknown()),
        };
        let summary = format!(
            "{}, in any schedule and with any number of tasks; nothing is unrolled, the invariant is checked",
            self.held(&proof.errors)
        );
        let mut answer = self.with(Verdict::Proved, summary);
        if self.options.invariant {
            answer.notes = proof
                .invariant
                .iter()
                .map(|line| Note::new(line, None))
                .collect();
        }
        answer.notes.extend(self.ends_at(&proof.errors));
        answer
            .notes
            .extend(far.as_deref().map(|text| Note::new(text, None)));
        answer.stats.clone_from(&proof.stats);
        answer.certificate = Some(proof.certificate.clone());
        answer
    }

    fn end_unknown(&self) -> String {
        let assumes = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assume(_));
        let dropped = match walk::anywhere(self.program, assumes) {
            true => ALL_DROPPED,
            false => "",
        };
        format!("{END_UNKNOWN}{dropped}")
    }

    /// Returns a note that executions end at errors that were not asked about.
    fn ends_at(&self, errors: &[Span]) -> Option<Note> {
        let lines: BTreeSet<u32> = errors.iter().map(|&at| self.sources.line(at)).collect();
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let message = format!(
            "an execution ends at an error that was not asked about, as there may be at line {}: what comes after it is not looked at",
            lines.join(", ")
        );
        errors.first().map(|&at| Note::new(message, at))
    }

    /// Says what is proved if executions end at these errors.
    fn held(&self, errors: &[Span]) -> &'static str {
        if !errors.is_empty() {
            return "nothing races as long as nothing goes wrong that was not asked about";
        }
        match (self.options.races, self.program.scope.deadlocks) {
            (false, true) => "no check fails and nothing deadlocks",
            (false, false) => "no check fails",
            (true, true) => "nothing races, no check fails and nothing deadlocks",
            (true, false) => "nothing races and no check fails",
        }
    }

    fn inconclusive(&self, reason: impl Into<Reason>, notes: Vec<Note>) -> Answer {
        let reason = reason.into();
        let words = reason.to_string();
        let mut answer = self.with(Verdict::Inconclusive(reason), words);
        answer.notes = notes;
        answer
    }

    /// Returns the answer if Z3 is missing.
    fn without_z3(&self) -> Option<Answer> {
        let missing = z3_version::present().err()?;
        Some(self.inconclusive(missing.to_string(), Vec::new()))
    }

    /// Returns the answer if atomic operations order nothing: two tasks may then race that never stand before accesses together.
    fn without_order(&self) -> Option<Answer> {
        let weak = WeakOrders::of(self.program);
        let (span, order) = weak.leaks.first().filter(|_| self.options.races)?;
        let line = self.sources.line_in_words(*span);
        let name = order.name();
        let reason = format!(
            "there are no proofs about races where atomic operations order nothing: {line} is {name}"
        );
        Some(self.inconclusive(reason, Vec::new()))
    }

    fn refused(&self, refusal: &Refusal) -> Answer {
        let line = self.sources.line_in_words(refusal.span);
        let reason = format!("{line} is beyond proofs: {}", refusal.reason);
        let note = Note::new(refusal.reason.clone(), refusal.span);
        self.inconclusive(reason, vec![note])
    }

    /// Neither proved nor refuted: what the proof lacked.
    fn unsettled(&self, came: &Came) -> Answer {
        let (mut reason, system) = match came {
            Came::Alarm(system) => (
                "there is no proof of this kind, and no bug was found".to_owned(),
                Some(system),
            ),
            Came::AllButDeadlocks(system) => (
                format!(
                    "{}no check fails in any schedule, with any number of tasks; whether all tasks can wait \
                     at the same time is not known",
                    if self.options.races {
                        "nothing races and "
                    } else {
                        ""
                    }
                ),
                Some(system),
            ),
            Came::Unchecked(what) => (
                format!("the solver's invariant was not confirmed: {what}"),
                None,
            ),
            Came::Nothing | Came::Proved(_) if work::stopping() => {
                (work::INTERRUPTED.to_owned(), None)
            }
            Came::Nothing | Came::Proved(_) => {
                let seconds = self.options.limits.timeout.as_secs_f64();
                (
                    format!("neither a proof nor a bug was found in {seconds} s"),
                    None,
                )
            }
        };
        let mut notes = Vec::new();
        if let Some(system) = system {
            notes = lacks(system);
            if let Some(first) = notes.first() {
                reason = format!("{reason}; {}", first.message);
            }
        }
        let late = matches!(came, Came::Nothing) && !work::stopping();
        let cause = if late { Cause::Time } else { Cause::Other };
        self.inconclusive(Reason::new(cause, reason), notes)
    }
}

/// What the clauses leave out.
fn lacks(system: &System) -> Vec<Note> {
    let about = "of locals the proof knows how many tasks have the same, and nothing else of those of two tasks: here they matter";
    let mut spans = system.with_locals.clone();
    spans.dedup();
    let places = spans.iter().map(|&span| Note::new(about, span));
    let joins = system.joins.iter().map(|&span| {
        Note::new(
            "the proof does not know when a task has finished: it may go on here at any time",
            span,
        )
    });
    joins.chain(places).take(4).collect()
}
