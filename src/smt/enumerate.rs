//! Beyond the verdict: which final states there are, and which statements no execution reaches.
//!
//! Both are found by asking for one model after the other and excluding what it shows, until there is none.

use base::clock::Instant;
use ir::{GlobalId, TypeId, Value};

use super::asking::{Asking, Goals};
use super::exec::What;
use super::layout::Layouts;
use super::solvers::Solvers;
use super::term::{Assignment, Datum, Sort, Term, evaluate};
use super::value::value;

/// A global, or a field of one that is a record.
pub type Part = (GlobalId, Option<u32>);

/// More final states than these are too many to list.
const MOST_FINALS: usize = 100_000;
/// How many terms are evaluated before the solver is asked what is reached.
const MOST_EVALUATIONS: usize = 5_000_000;

impl Asking<'_> {
    /// Whether an execution comes to its end, if the solver says.
    pub(super) fn ends(&self, goals: &Goals, solvers: &mut Solvers<'_>) -> Option<bool> {
        let mut open = vec![(0, goals.complete)];
        self.by_trying(goals.complete, &mut open);
        if open.is_empty() {
            return Some(true);
        }
        let asked = solvers.ask(&[goals.complete], &[]);
        asked.ok().map(|model| model.is_some())
    }

    /// Lists the values that the wanted parts of the globals can have at the end of complete executions, sorted. Says why if they
    /// cannot be listed.
    pub(super) fn finals(
        &self,
        goals: &Goals,
        solvers: &mut Solvers<'_>,
    ) -> Option<Result<Vec<Vec<Value>>, String>> {
        let parts = self.question.finals.as_ref()?;
        Some(self.list(parts, goals, solvers))
    }

    fn list(
        &self,
        parts: &[Part],
        goals: &Goals,
        solvers: &mut Solvers<'_>,
    ) -> Result<Vec<Vec<Value>>, String> {
        let terms = &self.unrolled.terms;
        let layouts = Layouts::new(&self.program.types)?;
        let parts = parts.iter().map(|part| self.locate(&layouts, *part));
        let places: Vec<(TypeId, usize)> = parts.collect();
        let leaves = places.iter().flat_map(|&(ty, at)| {
            let leaves = &self.unrolled.globals[at..at + layouts.len(ty)];
            leaves.iter().copied()
        });
        let leaves: Vec<Term> = leaves.collect();
        let is_map = |&leaf: &Term| matches!(terms.sort(leaf), Sort::Map { .. });
        if leaves.iter().any(is_map) {
            return Err("a global is a map over too many keys to list its final values".to_owned());
        }
        let mut found = Vec::new();
        loop {
            let next = solvers.ask(&[goals.complete], &[]);
            let Some(model) = next.map_err(|unknown| unknown.to_string())? else {
                found.sort();
                found.dedup();
                return Ok(found);
            };
            if found.len() == MOST_FINALS {
                return Err(format!("there are more than {MOST_FINALS} final states"));
            }
            let data = evaluate(terms, &model, &leaves);
            let same = leaves.iter().copied().zip(data.iter().cloned());
            solvers.exclude(same.collect());
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

    /// Those of the wanted marks that no execution reaches; none if the solver gives up.
    pub(super) fn unreached(&self, goals: &Goals, solvers: &mut Solvers<'_>) -> Vec<u32> {
        let mut guards = goals.guards.clone();
        self.by_trying(goals.ending, &mut guards);
        while !guards.is_empty() {
            let conditions: Vec<Term> = guards.iter().map(|g| g.1).collect();
            let model = match solvers.ask(&[goals.ending], &conditions) {
                Ok(None) => break,
                Ok(Some(model)) => model,
                Err(_) => return Vec::new(),
            };
            let mut seen = evaluate(&self.unrolled.terms, &model, &conditions).into_iter();
            let before = guards.len();
            guards.retain(|_| !seen.next().is_some_and(|datum| datum.holds()));
            if guards.len() == before {
                return Vec::new();
            }
        }
        guards.into_iter().map(|g| g.0).collect()
    }

    /// Removes the guards that simple executions meet: the one with the least choices (no delays, the least inputs), and those
    /// that differ from it in one choice. To try them costs no question.
    fn by_trying(&self, ending: Term, guards: &mut Vec<(u32, Term)>) {
        let least = self.least();
        let mut choices = Assignment::default();
        for &var in &least {
            choices.set(var, Datum::Bool(true));
        }
        self.tried(&choices, ending, guards);
        let tries = MOST_EVALUATIONS / self.unrolled.terms.len().max(1);
        for &var in least.iter().take(tries) {
            if guards.is_empty() || Instant::now() >= self.question.deadline {
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

    /// Whether one of these marks may be passed at all: no, if every path to it is known to be impossible.
    pub(super) fn passes(&self, marks: &[u32]) -> bool {
        let passed = |id: u32| marks.contains(&id);
        self.unrolled.events.iter().any(|event| {
            event.guard != Term::FALSE && matches!(event.what, What::Mark(id, _) if passed(id))
        })
    }
}
