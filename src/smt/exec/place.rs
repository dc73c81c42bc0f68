//! Assignments, and the variables by which states are kept apart.

use std::rc::Rc;

use crate::ir::{ExprId, Place, Root, Step, TypeId};

use super::{Exec, Leaves, MOST_STATES, State, Stop};
use crate::smt::layout::Elements;
use crate::smt::term::{Sort, Term};

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
        let frame = self.frame().proc;
        let (at, ty) = match place.root {
            Root::Global(global) => (
                self.global_at[global.index()],
                self.program.globals[global.index()].ty,
            ),
            Root::Local(local) => (
                self.local_offset(local),
                self.program.proc(frame).locals[local.index()].ty,
            ),
        };
        let value = self.fit(place.ty, value);
        let end = at + self.layouts.len(ty);
        let row = match place.root {
            Root::Global(_) => &state.globals,
            Root::Local(_) => &state.locals,
        };
        let mut leaves: Leaves = row[at..end].into();
        self.write_part(&mut leaves, ty, &place.path, state, &value, Term::TRUE)?;
        let row = match place.root {
            Root::Global(_) => &mut state.globals,
            Root::Local(_) => &mut state.locals,
        };
        if row[at..end] != leaves[..] {
            Rc::make_mut(row)[at..end].copy_from_slice(&leaves);
        }
        Ok(())
    }

    /// A value in its place: a number that is stored into a range lies in it, or a check has failed.
    fn fit(&mut self, ty: TypeId, value: &[Term]) -> Leaves {
        let intervals: Vec<_> = self
            .layouts
            .leaves(ty)
            .iter()
            .map(|l| (l.sort == Sort::Int).then_some(l.interval))
            .collect();
        let fit = |(&leaf, interval): (&Term, Option<_>)| {
            interval.map_or(leaf, |i| self.terms.narrow(i, leaf))
        };
        value.iter().zip(intervals).map(fit).collect()
    }

    fn write_part(
        &mut self,
        leaves: &mut [Term],
        ty: TypeId,
        path: &'p [Step],
        state: &State,
        value: &[Term],
        guard: Term,
    ) -> Result<(), Stop> {
        let Some((step, rest)) = path.split_first() else {
            for (leaf, &new) in leaves.iter_mut().zip(value) {
                *leaf = self.terms.ite(guard, new, *leaf);
            }
            return Ok(());
        };
        match *step {
            Step::Field(field) => {
                let (at, inner) = self.layouts.field(ty, field);
                let end = at + self.layouts.len(inner);
                self.write_part(&mut leaves[at..end], inner, rest, state, value, guard)
            }
            Step::Index(index) => {
                let index_ty = self.program.ty(index);
                let index = self.scalar(index, state)?;
                let index = self.as_index(index, index_ty);
                self.write_element(leaves, ty, index, rest, state, value, guard)
            }
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "what is written, where, and when"
    )]
    fn write_element(
        &mut self,
        leaves: &mut [Term],
        ty: TypeId,
        index: Term,
        rest: &'p [Step],
        state: &State,
        value: &[Term],
        guard: Term,
    ) -> Result<(), Stop> {
        let (elements, element) = self.layouts.elements(ty);
        match elements {
            Elements::Spread { first, len } => {
                let width = self.layouts.len(element);
                for (at, here) in self.guards(index, first, len) {
                    let both = self.terms.and(guard, here);
                    let part = &mut leaves[at * width..(at + 1) * width];
                    self.write_part(part, element, rest, state, value, both)?;
                }
            }
            Elements::Folded => {
                let mut inner: Leaves = leaves
                    .iter()
                    .map(|&map| self.terms.select(map, index))
                    .collect();
                self.write_part(&mut inner, element, rest, state, value, guard)?;
                for (map, new) in leaves.iter_mut().zip(inner) {
                    *map = self.terms.store(*map, index, new);
                }
            }
        }
        Ok(())
    }

    /// After an assignment: states in which a variable that keeps them apart is one of several numbers part,
    /// states in which it has become the same number meet.
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
        let at = self.global_at[global.index()];
        let mut parted = Vec::with_capacity(states.len());
        for state in states {
            self.part(state, at, which, &mut parted);
        }
        self.join(parted)
    }

    fn part(&mut self, mut state: State, at: usize, which: usize, parted: &mut Vec<State>) {
        let value = self.resolve(state.globals[at], &state);
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
