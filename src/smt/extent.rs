//! Beyond the verdict: which final states there are, and which statements no execution reaches.
//!
//! Both are found by asking for one model after the other and excluding what it shows, until there is none.

use crate::ir::{GlobalId, TypeId, Value};

use super::decide::Asking;
use super::exec::{Bound, Cut, What};
use super::layout::Layouts;
use super::term::{Assignment, Datum, Node, Sort, Term, Var, evaluate};
use super::value::value;

/// A global, or a field of one that is a record.
pub type Part = (GlobalId, Option<u32>);

/// More final states than these are too many to list.
const MOST_FINALS: usize = 100_000;
/// So many terms are evaluated before the solver is asked what is reached.
const MOST_EVALUATIONS: usize = 5_000_000;

impl Asking<'_> {
    /// Complete executions that were followed to their end and fail nowhere.
    fn complete(&mut self) -> Term {
        let terms = &mut self.unrolled.terms;
        let fails = terms.any(
            self.unrolled
                .failures
                .iter()
                .map(|f| f.condition)
                .collect::<Vec<_>>(),
        );
        let cut = terms.any(
            self.unrolled
                .cuts
                .iter()
                .map(|c| c.condition)
                .collect::<Vec<_>>(),
        );
        let fine = terms.and(!fails, !cut);
        terms.and(self.unrolled.feasible, fine)
    }

    /// Executions that end or fail, however far they were followed.
    fn ending(&mut self) -> Term {
        let terms = &mut self.unrolled.terms;
        let fails = terms.any(
            self.unrolled
                .failures
                .iter()
                .map(|f| f.condition)
                .collect::<Vec<_>>(),
        );
        terms.or(self.unrolled.feasible, fails)
    }

    /// Whether an execution comes to its end, if the solver says.
    pub(super) fn ends(&mut self) -> Option<bool> {
        let complete = self.complete();
        let mut open = vec![(0, complete)];
        self.by_trying(complete, &mut open);
        if open.is_empty() {
            return Some(true);
        }
        self.ask(complete).ok().map(|model| model.is_some())
    }

    /// Those of these marks that one execution passes that was cut off for want of rounds.
    pub(super) fn waiting(&mut self, marks: &[u32]) -> Vec<u32> {
        let rounds = |cut: &&Cut| cut.bound == Bound::Rounds;
        let cuts = self.unrolled.cuts.iter().filter(rounds);
        let cuts: Vec<Term> = cuts.map(|cut| cut.condition).collect();
        let cut = self.unrolled.terms.any(cuts);
        let Ok(Some(model)) = self.ask(cut) else {
            return Vec::new();
        };
        let guards = self.guards(marks);
        let conditions: Vec<Term> = guards.iter().map(|g| g.1).collect();
        let passed = evaluate(&self.unrolled.terms, &model, &conditions);
        let marks = guards.iter().zip(&passed);
        let marks = marks.filter(|(_, passed)| passed.holds());
        marks.map(|(guard, _)| guard.0).collect()
    }

    /// When each of these marks is passed.
    fn guards(&mut self, marks: &[u32]) -> Vec<(u32, Term)> {
        let mut guards: Vec<(u32, Term)> = marks.iter().map(|&mark| (mark, Term::FALSE)).collect();
        let events = std::mem::take(&mut self.unrolled.events);
        for event in &events {
            let What::Mark(id, _) = event.what else {
                continue;
            };
            let Some((_, guard)) = guards.iter_mut().find(|(mark, _)| *mark == id) else {
                continue;
            };
            let terms = &mut self.unrolled.terms;
            let here = self.replace.term(terms, event.guard);
            *guard = terms.or(*guard, here);
        }
        self.unrolled.events = events;
        guards
    }

    /// The values that these parts of the globals can have at the end of complete executions, sorted.
    ///
    /// # Errors
    /// When they cannot be listed, with the reason in words.
    pub(super) fn finals(&mut self, parts: &[Part]) -> Result<Vec<Vec<Value>>, String> {
        let layouts = Layouts::new(&self.program.types)?;
        let places: Vec<(TypeId, usize)> = parts
            .iter()
            .map(|part| self.locate(&layouts, *part))
            .collect();
        let leaves: Vec<Term> = places
            .iter()
            .flat_map(|&(ty, at)| {
                self.unrolled.globals[at..at + layouts.len(ty)]
                    .iter()
                    .copied()
            })
            .collect();
        if leaves
            .iter()
            .any(|&leaf| matches!(self.unrolled.terms.sort(leaf), Sort::Map { .. }))
        {
            return Err("a global is a map over too many keys to list its final values".to_owned());
        }
        let mut found = Vec::new();
        let mut open = self.complete();
        loop {
            let Some(model) = self
                .ask(open)
                .map_err(|unknown| super::decide::words(&unknown))?
            else {
                found.sort();
                found.dedup();
                return Ok(found);
            };
            if found.len() == MOST_FINALS {
                return Err(format!("there are more than {MOST_FINALS} final states"));
            }
            let data = evaluate(&self.unrolled.terms, &model, &leaves);
            let same: Vec<Term> = leaves
                .iter()
                .zip(&data)
                .map(|(&leaf, datum)| self.is(leaf, datum))
                .collect();
            let terms = &mut self.unrolled.terms;
            let again = terms.all(same);
            open = terms.and(open, !again);
            let mut data = data.into_iter();
            let state = places.iter().map(|&(ty, _)| value(&layouts, ty, &mut data));
            found.push(state.collect::<Result<_, _>>()?);
        }
    }

    /// The type of a part and its first leaf.
    fn locate(&self, layouts: &Layouts<'_>, (global, field): Part) -> (TypeId, usize) {
        let before = &self.program.globals[..global.index()];
        let at = before.iter().map(|g| layouts.len(g.ty)).sum::<usize>();
        let ty = self.program.globals[global.index()].ty;
        match field {
            None => (ty, at),
            Some(field) => {
                let (offset, ty) = layouts.field(ty, field);
                (ty, at + offset)
            }
        }
    }

    fn is(&mut self, leaf: Term, datum: &Datum) -> Term {
        let terms = &mut self.unrolled.terms;
        match datum {
            Datum::Bool(true) => leaf,
            Datum::Bool(false) => !leaf,
            Datum::Int(Some(number)) => {
                let number = terms.int(*number);
                terms.eq(leaf, number)
            }
            // Left open; the caller has excluded maps, and wider numbers end with `value`'s error.
            Datum::Int(None) | Datum::Map(_) => Term::TRUE,
        }
    }

    /// Those of these marks that no execution reaches. A solver that gives up says nothing of the rest.
    pub(super) fn unreached(&mut self, marks: &[u32]) -> Vec<u32> {
        let mut guards = self.guards(marks);
        let ending = self.ending();
        self.by_trying(ending, &mut guards);
        loop {
            let terms = &mut self.unrolled.terms;
            let any = terms.any(guards.iter().map(|g| g.1).collect::<Vec<_>>());
            let goal = terms.and(any, ending);
            let model = match self.ask(goal) {
                Ok(None) => return guards.into_iter().map(|g| g.0).collect(),
                Ok(Some(model)) => model,
                Err(_) => return Vec::new(),
            };
            let conditions: Vec<Term> = guards.iter().map(|g| g.1).collect();
            let mut seen = evaluate(&self.unrolled.terms, &model, &conditions).into_iter();
            let before = guards.len();
            guards.retain(|_| !seen.next().is_some_and(|datum| datum.holds()));
            if guards.len() == before {
                return Vec::new();
            }
        }
    }

    /// Leaves out what an execution with the least choices reaches (no delays, the least inputs), or one in which one choice is
    /// another: they cost no question.
    fn by_trying(&self, ending: Term, guards: &mut Vec<(u32, Term)>) {
        let terms = &self.unrolled.terms;
        let least: Vec<Var> = self
            .unrolled
            .least
            .iter()
            .filter_map(|&term| match terms.get(term) {
                Node::Var(var) => Some(var),
                _ => None,
            })
            .collect();
        let mut choices = Assignment::default();
        for &var in &least {
            choices.set(var, Datum::Bool(true));
        }
        self.tried(&choices, ending, guards);
        let tries = MOST_EVALUATIONS / terms.len().max(1);
        for &var in least.iter().take(tries) {
            if guards.is_empty() {
                return;
            }
            choices.set(var, Datum::Bool(false));
            self.tried(&choices, ending, guards);
            choices.set(var, Datum::Bool(true));
        }
    }

    fn tried(&self, choices: &Assignment, ending: Term, guards: &mut Vec<(u32, Term)>) {
        let mut roots = vec![ending];
        roots.extend(guards.iter().map(|g| g.1));
        let mut data = evaluate(&self.unrolled.terms, choices, &roots).into_iter();
        if data.next().is_some_and(|ends| ends.holds()) {
            guards.retain(|_| !data.next().is_some_and(|reached| reached.holds()));
        }
    }

    /// Whether one of these marks may be passed at all: no, if every path to it is decided.
    pub(super) fn passes(&self, marks: &[u32]) -> bool {
        let passed = |id: u32| marks.contains(&id);
        self.unrolled.events.iter().any(|event| {
            event.guard != Term::FALSE && matches!(event.what, What::Mark(id, _) if passed(id))
        })
    }
}
