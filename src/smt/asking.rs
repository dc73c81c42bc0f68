//! The questions about an unrolled program, and how the answers are read.

use ir::{ErrorKind, Program};
use seq::map::SeqEvent;

use super::decide::Question;
use super::exec::{Cut, Unrolled, What};
use super::layout::Layouts;
use super::limit::{Bound, Place};
use super::solvers::Solvers;
use super::term::{Assignment, Datum, Node, Sort, Term, Var, evaluate};
use super::value::value;

/// A program that has been executed symbolically, to be asked about.
pub(super) struct Asking<'p> {
    pub(super) program: &'p Program,
    pub(super) question: &'p Question,
    pub(super) unrolled: Unrolled,
}

/// Everything that may be asked, as terms. They are made before the first question, so that one session can answer all.
pub(super) struct Goals {
    /// A check fails, in an execution that was followed to it.
    pub(super) bug: Term,
    /// For each cut, the condition that an execution reaches it (and, if a probe makes it go on, fails).
    cuts: Vec<(Place, Term)>,
    /// Executions that end or fail, however far they were followed.
    pub(super) ending: Term,
    /// Complete executions that were followed to their end and fail nowhere.
    pub(super) complete: Term,
    /// For each wanted mark, the condition that it is reached.
    pub(super) guards: Vec<(u32, Term)>,
    /// There is a bug that is no deadlock; `None` unless both kinds may occur.
    failure: Option<Term>,
    /// An execution needs more rounds.
    rounds: Term,
    /// For each mark of a place where tasks wait, the condition that it is passed.
    waits: Vec<(u32, Term)>,
}

impl Asking<'_> {
    pub(super) fn goals(&mut self) -> Goals {
        let failures = self.unrolled.failures.iter().map(|f| f.condition);
        let failures: Vec<Term> = failures.collect();
        let probed = |cut: &&Cut| cut.probed;
        let followed = self.unrolled.cuts.iter().filter(probed);
        let followed: Vec<Term> = followed.map(|cut| cut.condition).collect();
        let cut: Vec<Term> = self.unrolled.cuts.iter().map(|c| c.condition).collect();
        let rounds = self.unrolled.cuts.iter();
        let rounds = rounds.filter(|cut| cut.bound == Bound::Rounds);
        let rounds: Vec<Term> = rounds.map(|cut| cut.condition).collect();
        let terms = &mut self.unrolled.terms;
        let fails = terms.any(failures);
        let (followed, cut) = (terms.any(followed), terms.any(cut));
        let fine = terms.and(!fails, !cut);
        let bug = terms.and(fails, !followed);
        Goals {
            bug,
            ending: terms.or(self.unrolled.feasible, fails),
            complete: terms.and(self.unrolled.feasible, fine),
            rounds: terms.any(rounds),
            cuts: self.cuts(fails),
            guards: self.guards(&self.question.wanted),
            failure: self.failure(bug),
            waits: self.guards(&self.question.waits),
        }
    }

    /// A failing check says more than a deadlock: of two bugs it is the one to show.
    fn failure(&mut self, bug: Term) -> Option<Term> {
        let failures = self.unrolled.failures.iter();
        let (deadlocks, others): (Vec<_>, Vec<_>) =
            failures.partition(|failure| failure.kind == ErrorKind::Deadlock);
        if deadlocks.is_empty() || others.is_empty() {
            return None;
        }
        let others: Vec<Term> = others.iter().map(|failure| failure.condition).collect();
        let terms = &mut self.unrolled.terms;
        let fails = terms.any(others);
        Some(terms.and(fails, bug))
    }

    fn cuts(&mut self, fails: Term) -> Vec<(Place, Term)> {
        let terms = &mut self.unrolled.terms;
        let cuts = self.unrolled.cuts.iter().map(|cut| {
            let place = Place {
                span: cut.span,
                bound: cut.bound,
            };
            let reached = if cut.probed {
                terms.and(fails, cut.condition)
            } else {
                cut.condition
            };
            (place, reached)
        });
        cuts.collect()
    }

    /// For each of these marks, the condition that it is passed.
    fn guards(&mut self, marks: &[u32]) -> Vec<(u32, Term)> {
        let mut guards: Vec<(u32, Term)> = marks.iter().map(|&mark| (mark, Term::FALSE)).collect();
        let Unrolled { terms, events, .. } = &mut self.unrolled;
        for event in events {
            if let What::Mark(id, _) = event.what
                && let Some((_, guard)) = guards.iter_mut().find(|(mark, _)| *mark == id)
            {
                *guard = terms.or(*guard, event.guard);
            }
        }
        guards
    }

    /// All terms that a session may be asked about.
    pub(super) fn roots(&self, goals: &Goals) -> Vec<Term> {
        let mut roots = vec![goals.bug, goals.ending, goals.complete, goals.rounds];
        roots.extend(goals.failure);
        roots.extend(goals.waits.iter().map(|wait| wait.1));
        roots.extend(goals.cuts.iter().map(|cut| cut.1));
        roots.extend(goals.guards.iter().map(|guard| guard.1));
        if self.question.finals.is_some() {
            roots.extend(self.listed());
        }
        roots
    }

    /// The leaves of the globals at the end, except maps: their values are not listed.
    fn listed(&self) -> impl Iterator<Item = Term> {
        let terms = &self.unrolled.terms;
        let globals = self.unrolled.globals.iter().copied();
        globals.filter(|&leaf| !matches!(terms.sort(leaf), Sort::Map { .. }))
    }

    /// Truth values: where one is true, a choice among few numbers takes the least.
    pub(super) fn least(&self) -> Vec<Var> {
        let terms = &self.unrolled.terms;
        let least = self.unrolled.least.iter();
        let var = |&term: &Term| match terms.get(term) {
            Node::Var(var) => Some(var),
            _ => None,
        };
        least.filter_map(var).collect()
    }

    /// The events of an execution that fails.
    pub(super) fn events(&self, model: &Assignment) -> Result<Vec<SeqEvent>, String> {
        let terms = &self.unrolled.terms;
        let guards: Vec<Term> = self.unrolled.events.iter().map(|e| e.guard).collect();
        let taken = evaluate(terms, model, &guards);
        if taken.contains(&Datum::Unknown) {
            return Err(
                "the counterexample cannot be shown: a number grows beyond 128 bits".to_owned(),
            );
        }
        let happened = self.unrolled.events.iter().zip(&taken);
        let happened = happened.filter(|(_, taken)| taken.holds()).map(|(e, _)| e);
        let happened: Vec<_> = happened.collect();
        let mut roots = Vec::new();
        for event in &happened {
            match &event.what {
                What::Mark(_, values) => roots.extend(values.iter().flat_map(|v| v.1.clone())),
                What::Choice(_, _, leaves) => roots.extend(leaves.iter().copied()),
            }
        }
        let layouts = Layouts::new(&self.program.types)?;
        let mut data = evaluate(terms, model, &roots).into_iter();
        let events = happened.into_iter();
        events
            .map(|event| read(&layouts, &event.what, &mut data))
            .collect()
    }
}

fn read(
    layouts: &Layouts<'_>,
    what: &What,
    data: &mut impl Iterator<Item = Datum>,
) -> Result<SeqEvent, String> {
    Ok(match what {
        What::Mark(id, values) => {
            let values = values.iter().map(|v| value(layouts, v.0, data));
            SeqEvent::Mark {
                id: *id,
                values: values.collect::<Result<_, _>>()?,
            }
        }
        What::Choice(kind, ty, _) => SeqEvent::Choice {
            kind: *kind,
            value: value(layouts, *ty, data)?,
        },
    })
}

impl Goals {
    /// Replaces a model that shows only a deadlock by one that shows another failure, if there is one.
    pub(super) fn rather_a_failure(
        &self,
        model: Assignment,
        solvers: &mut Solvers<'_>,
    ) -> Assignment {
        let Some(fails) = self.failure else {
            return model;
        };
        let shown = evaluate(solvers.terms(), &model, &[fails]);
        if shown.first().is_some_and(Datum::holds) {
            return model;
        }
        match solvers.ask(&[fails], &[]) {
            Ok(Some(failure)) => failure,
            _ => model,
        }
    }

    /// The conditions under which executions are cut off, without those that never hold.
    pub(super) fn beyond(&self) -> Vec<Term> {
        let cuts = self.cuts.iter().map(|cut| cut.1).chain([self.rounds]);
        cuts.filter(|&cut| cut != Term::FALSE).collect()
    }

    /// Picks one execution that is cut off for want of rounds. Returns the marks of waiting tasks that it passes.
    pub(super) fn waiting(&self, solvers: &mut Solvers<'_>) -> Vec<u32> {
        let Ok(Some(model)) = solvers.ask(&[self.rounds], &[]) else {
            return Vec::new();
        };
        let conditions: Vec<Term> = self.waits.iter().map(|wait| wait.1).collect();
        let passed = evaluate(solvers.terms(), &model, &conditions);
        let marks = self.waits.iter().zip(&passed);
        let marks = marks.filter(|(_, passed)| passed.holds());
        marks.map(|(wait, _)| wait.0).collect()
    }

    /// Whether an execution needs more rounds; also true if no solver can exclude it.
    pub(super) fn needs_rounds(&self, solvers: &mut Solvers<'_>) -> bool {
        !matches!(solvers.ask(&[self.rounds], &[]), Ok(None))
    }

    /// The places where an execution can be cut off.
    pub(super) fn cuts(&self, solvers: &mut Solvers<'_>) -> Vec<Place> {
        let mut reached: Vec<Place> = Vec::new();
        let mut left: Vec<(Place, Term)> = self.cuts.clone();
        while !left.is_empty() {
            let conditions: Vec<Term> = left.iter().map(|cut| cut.1).collect();
            let found: Vec<bool> = match solvers.ask(&[], &conditions) {
                Ok(None) => break,
                Ok(Some(model)) => evaluate(solvers.terms(), &model, &conditions)
                    .iter()
                    .map(|reached| reached.truth() != Some(false))
                    .collect(),
                // The solver gives up, so all remaining cuts are reported.
                Err(_) => vec![true; left.len()],
            };
            let places = left.iter().zip(&found).filter(|(_, found)| **found);
            for (place, _) in places.map(|(cut, _)| cut) {
                if !reached.contains(place) {
                    reached.push(*place);
                }
            }
            let before = left.len();
            left.retain(|cut| !reached.iter().any(|place| place.span == cut.0.span));
            if left.len() == before {
                break;
            }
        }
        reached.sort_by_key(|place| place.span);
        reached
    }
}
