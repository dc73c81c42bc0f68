//! Reading and writing: an access reads or writes the object that is meant, and checks that it still exists.

use super::place::{Choice, Fixed, Where};
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use ir::lower::Lower;
use ir::{Behind, ErrorKind, ExprId, Place, Root, Stmt, StmtKind};
use thin_vec::thin_vec;

impl Lowerer<'_> {
    /// Runs `act` on the place that the access means. The values of `act` must have one type for all choices.
    pub(super) fn each(
        &mut self,
        found: &Where,
        act: &mut dyn FnMut(&mut Self, &Place) -> Lowered<Option<ExprId>>,
    ) -> Lowered<Option<ExprId>> {
        let is_view = |l: &Self, c: &Choice| l.view_at(&c.place).is_some();
        let changed = self.without(found, &is_view, &mut |l, _| {
            let why = "an object is seen as one of another type here";
            l.unknown_if(why.to_owned(), Behind::Unknown);
        })?;
        let found = changed.as_ref().unwrap_or(found);
        self.every(found, &mut |l, place| {
            let real = l.real(place, found.span)?;
            act(l, &real)
        })
    }

    /// Runs `act` on the place as C has it: a part of a union is no place of the program.
    fn every(
        &mut self,
        found: &Where,
        act: &mut dyn FnMut(&mut Self, &Place) -> Lowered<Option<ExprId>>,
    ) -> Lowered<Option<ExprId>> {
        match found.choices.as_slice() {
            [] => {
                self.body.block.extend(found.otherwise.iter().cloned());
                Ok(None)
            }
            [only] => {
                if let Some(guard) = only.guard {
                    self.emit_at(found.span, found.unless(guard));
                }
                let value = act(self, &only.place)?;
                self.lives(only.alive, found.span);
                Ok(value)
            }
            choices => self.one_of(choices, found, None, act),
        }
    }

    fn one_of(
        &mut self,
        choices: &[Choice],
        found: &Where,
        result: Option<ir::LocalId>,
        act: &mut dyn FnMut(&mut Self, &Place) -> Lowered<Option<ExprId>>,
    ) -> Lowered<Option<ExprId>> {
        let Some((first, rest)) = choices.split_first() else {
            self.body.block.extend(found.otherwise.iter().cloned());
            return Ok(None);
        };
        let (mut yes, value) = self.apart(|l| {
            let value = act(l, &first.place)?;
            l.lives(first.alive, found.span);
            Ok(value)
        })?;
        let result = match (value, result) {
            (Some(value), None) => Some(self.temporary(self.build.ty(value))),
            (_, result) => result,
        };
        if let (Some(value), Some(local)) = (value, result) {
            let place = self.local_place(local);
            if self.build.ty(value) != place.ty {
                return refuse(found.span, "an access to objects of different types is");
            }
            let kind = StmtKind::Assign(place, value);
            yes.push(Stmt {
                kind,
                span: found.span,
            });
        }
        let guard = first.guard.unwrap_or_else(|| self.build.bool(true));
        let (mut no, _) = self.apart(|l| l.one_of(rest, found, result, act))?;
        if rest.is_empty()
            && let Some(local) = result
        {
            // Nothing reads this value: the access was an error.
            let place = self.local_place(local);
            let zero = self.zero(place.ty);
            let kind = StmtKind::Assign(place, zero);
            no.push(Stmt {
                kind,
                span: found.span,
            });
        }
        self.emit_at(found.span, StmtKind::If(guard, yes, no));
        Ok(result.map(|local| self.read_local(local)))
    }

    fn emit_at(&mut self, span: Span, kind: StmtKind) {
        self.body.block.push(Stmt { kind, span });
    }

    /// The value in a place. Static storage is read by a statement of its own.
    pub(super) fn load(&mut self, found: &Where) -> Lowered<ExprId> {
        let (ty, span) = (found.ty, found.span);
        let value = self.every(found, &mut |l, place| {
            let value = l.load_part(place, span)?;
            l.converted(value, ty, span).map(Some)
        })?;
        Ok(value.unwrap_or_else(|| self.zero(ty)))
    }

    pub(super) fn load_place(&mut self, place: &Place) -> ExprId {
        let value = self.peek(place);
        match place.root {
            Root::Global(_) => {
                let local = self.temporary(place.ty);
                let to = self.local_place(local);
                self.emit(StmtKind::Assign(to, value));
                self.read_local(local)
            }
            Root::Local(_) => value,
        }
    }

    /// Writes a value of the place's type.
    pub(super) fn store(&mut self, found: &Where, value: ExprId) -> Lowered<()> {
        let span = found.span;
        let changed = self.without_fixed(found)?;
        self.every(changed.as_ref().unwrap_or(found), &mut |l, place| {
            let value = l.converted(value, place.ty, span)?;
            l.store_part(place, value, span)?;
            Ok(None)
        })?;
        Ok(())
    }

    /// Removes the choices that the program may not write. If it writes one, that is an error, or the execution ends. Returns `None`
    /// if there is no such choice.
    fn without_fixed(&mut self, found: &Where) -> Lowered<Option<Where>> {
        self.without(found, &|_, c| c.fixed.is_some(), &mut |l, c| {
            if c.fixed == Some(Fixed::PartOfShared) {
                let why = "a part of a number that several threads may reach is written here";
                return l.unknown_if(why.to_owned(), Behind::Unknown);
            }
            let what = "this writes to a string or a constant, which nothing may change";
            l.never(ErrorKind::Deref, what);
        })
    }

    /// Removes the choices that `which` selects. If the access means one of them, `act` runs instead. Returns `None` if `which` selects
    /// no choice.
    fn without(
        &mut self,
        found: &Where,
        which: &dyn Fn(&Self, &Choice) -> bool,
        act: &mut dyn FnMut(&mut Self, &Choice),
    ) -> Lowered<Option<Where>> {
        if !found.choices.iter().any(|c| which(self, c)) {
            return Ok(None);
        }
        let mut found = found.clone();
        let own: Vec<Choice> = found.choices.extract_if(.., |c| which(self, c)).collect();
        let mut otherwise = std::mem::take(&mut found.otherwise);
        for choice in own {
            let (instead, ()) = self.apart(|l| {
                l.at(found.span, |l| act(l, &choice));
                Ok(())
            })?;
            otherwise = match choice.guard {
                None => instead,
                Some(guard) => thin_vec![Stmt {
                    kind: StmtKind::If(guard, instead, otherwise),
                    span: found.span,
                }],
            };
        }
        found.otherwise = otherwise;
        Ok(Some(found))
    }

    pub(super) fn store_place(&mut self, place: Place, value: ExprId) {
        self.emit(StmtKind::Assign(place, value));
    }
}
