//! Assignments to parts of variables.

use ir::{Place, Step, TypeId};

use super::exec::{Leaves, Stop};
use super::expr::{Eval, Scope};
use super::layout::Elements;
use super::term::{Sort, Term};

impl<S: Scope> Eval<'_, '_, S> {
    /// Narrows a value to its place: a number that is stored into a range lies in it, or a check has failed.
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

    /// Puts a value into a part of a variable whose leaves and type are given.
    pub fn store(
        &mut self,
        leaves: &mut [Term],
        ty: TypeId,
        place: &Place,
        value: &[Term],
    ) -> Result<(), Stop> {
        let value = self.fit(place.ty, value);
        self.write_part(leaves, ty, &place.path, &value, Term::TRUE)
    }

    fn write_part(
        &mut self,
        leaves: &mut [Term],
        ty: TypeId,
        path: &[Step],
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
                self.write_part(&mut leaves[at..end], inner, rest, value, guard)
            }
            Step::Index(index) => {
                let index_ty = self.program.ty(index);
                let index = self.scalar(index)?;
                let index = self.as_index(index, index_ty);
                self.write_element(leaves, ty, index, rest, value, guard)
            }
        }
    }

    fn write_element(
        &mut self,
        leaves: &mut [Term],
        ty: TypeId,
        index: Term,
        rest: &[Step],
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
                    self.write_part(part, element, rest, value, both)?;
                }
            }
            Elements::Folded => {
                let mut inner: Leaves = leaves
                    .iter()
                    .map(|&map| self.terms.select(map, index))
                    .collect();
                self.write_part(&mut inner, element, rest, value, guard)?;
                for (map, new) in leaves.iter_mut().zip(inner) {
                    *map = self.terms.store(*map, index, new);
                }
            }
        }
        Ok(())
    }
}
