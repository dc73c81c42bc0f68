//! Assignments, and the variables by which states are kept apart.

use std::rc::Rc;

use ir::{ExprId, Place, Root};

use super::{Exec, Leaves, MOST_STATES, State, Stop};
use crate::term::Term;

impl<'p> Exec<'p> {
    pub(super) fn assign(
        &mut self,
        place: &'p Place,
        value: ExprId,
        states: Vec<State>,
    ) -> Result<Vec<State>, Stop> {
        let states = self.each(states, |exec, mut state| {
            let value = exec.eval(value, &state)?;
            exec.write(place, &mut state, &value)?;
            Ok(Some(state))
        })?;
        Ok(self.keep_apart(place, states))
    }

    /// Writes a value into a place.
    pub(super) fn write(
        &mut self,
        place: &'p Place,
        state: &mut State,
        value: &[Term],
    ) -> Result<(), Stop> {
        let proc = self.frame().proc;
        let ty = self.program.root_type(proc, place.root);
        let at = match place.root {
            Root::Global(global) => self.rows.global(global),
            Root::Local(local) => self.rows.local(proc, local),
        };
        let row = match place.root {
            Root::Global(_) => &state.globals,
            Root::Local(_) => &state.locals,
        };
        let mut leaves: Leaves = row[at.clone()].into();
        self.evaluator(state).store(&mut leaves, ty, place, value)?;
        let row = match place.root {
            Root::Global(_) => &mut state.globals,
            Root::Local(_) => &mut state.locals,
        };
        if row[at.clone()] != leaves[..] {
            Rc::make_mut(row)[at].copy_from_slice(&leaves);
        }
        Ok(())
    }

    /// After an assignment to a variable that keeps states apart: splits a state in which it is one of several numbers, and joins
    /// states in which it has become the same number.
    pub(super) fn keep_apart(&mut self, place: &Place, states: Vec<State>) -> Vec<State> {
        let Root::Global(global) = place.root else {
            return states;
        };
        let Ok(which) = self.apart.binary_search(&global) else {
            return states;
        };
        if !place.path.is_empty() {
            return states;
        }
        let at = self.rows.global(global).start;
        let mut parted = Vec::with_capacity(states.len());
        for state in states {
            self.part(state, at, which, &mut parted);
        }
        self.join(parted)
    }

    fn part(&mut self, mut state: State, at: usize, which: usize, parted: &mut Vec<State>) {
        let value = self.evaluator(&state).resolve(state.globals[at]);
        let cases: Vec<_> = self.terms.as_cases(value).map_or_else(Vec::new, |cases| {
            cases
                .iter()
                .copied()
                .filter(|&(_, guard)| state.path.knows(&self.terms, guard) != Some(false))
                .collect()
        });
        let many = cases.len() > 1 && cases.len() * self.copies > MOST_STATES;
        if cases.is_empty() || many {
            Rc::make_mut(&mut state.label)[which] = None;
            return parted.push(state);
        }
        let literals: Vec<_> = cases.iter().map(|c| c.1).collect();
        let paths = match &literals[..] {
            [_] => vec![state.path.clone()],
            _ => state
                .path
                .split(&mut self.terms, &mut self.families, &literals),
        };
        for ((number, _), path) in cases.into_iter().zip(paths) {
            let mut part = State {
                path,
                ..state.clone()
            };
            Rc::make_mut(&mut part.label)[which] = Some(number);
            let number = self.terms.int(number);
            if part.globals[at] != number {
                Rc::make_mut(&mut part.globals)[at] = number;
            }
            parted.push(part);
        }
    }
}
