//! Memory without an initial value holds any value. For locals, a [pass](ir::passes::unset) keeps only choices that are read.

use super::overlay::{Holds, Overlay};
use super::{Lowered, Lowerer};
use c::types::{Library, TypeId as CTypeId};
use ir::{Place, Step, Type, TypeId, Types};

impl Lowerer<'_> {
    /// Gives a place any value. Objects of the library in it begin unmade, since no choice makes one.
    pub(super) fn unset_parts(&mut self, place: Place, ty: CTypeId) -> Lowered<()> {
        if self.is_empty(place.ty) {
            return Ok(());
        }
        let holds = self.library_in(ty);
        if holds != Some(true) {
            self.havoc(place.clone());
        }
        let handle = matches!(self.build.types().get(place.ty), Type::Task);
        match holds {
            None => self.clear_library(place, ty),
            // No choice gives a thread: any handle is that of no thread.
            Some(true) if handle => self.havoc(place),
            Some(true) => {
                let value = self.unmade(place.ty);
                self.store_place(place, value);
            }
            Some(false) => {}
        }
        Ok(())
    }

    /// Whether a type has no values that could differ: a structure without members.
    fn is_empty(&self, ty: TypeId) -> bool {
        match self.build.types().get(ty) {
            Type::Record(record) => record.fields.iter().all(|f| self.is_empty(f.1)),
            &Type::Array(_, element) => self.is_empty(element),
            _ => false,
        }
    }

    /// Whether a type is made of nothing but objects of the library, or of none; `None` if it has both.
    pub(super) fn library_in(&self, ty: CTypeId) -> Option<bool> {
        let types = &self.unit.types;
        if types.library(ty).is_some() {
            return Some(true);
        }
        if let Some(element) = types.element(ty) {
            return self.library_in(element.ty);
        }
        let Some(fields) = types.record(ty).and_then(|r| types[r].fields.as_ref()) else {
            return Some(false);
        };
        let mut all = fields.iter().map(|f| self.library_in(f.ty.ty));
        let first = all.next().unwrap_or(Some(false))?;
        all.all(|one| one == Some(first)).then_some(first)
    }

    /// Whether a value of a type may be copied: its only objects of the library are handles and keys.
    pub(super) fn is_copied(&self, ty: CTypeId) -> bool {
        let types = &self.unit.types;
        if let Some(library) = types.library(ty) {
            return matches!(library, Library::Thread | Library::Key);
        }
        if let Some(element) = types.element(ty) {
            return self.is_copied(element.ty);
        }
        let fields = types.record(ty).and_then(|r| types[r].fields.as_ref());
        fields.is_none_or(|fields| fields.iter().all(|f| self.is_copied(f.ty.ty)))
    }

    fn clear_cells(&mut self, place: &Place, overlay: &Overlay) {
        let objects = overlay.cells.iter().filter(|c| c.holds == Holds::Library);
        for cell in objects {
            let mut part = place.clone();
            part.path.push(Step::Field(cell.field));
            if let Some(index) = cell.index {
                let index = self.build.int(i128::from(index), Types::INT);
                part.path.push(Step::Index(index));
            }
            part.ty = cell.ty;
            let value = self.unmade(cell.ty);
            self.store_place(part, value);
        }
    }

    fn clear_library(&mut self, place: Place, ty: CTypeId) {
        match self.library_in(ty) {
            Some(false) => return,
            Some(true) => {
                let value = self.unmade(place.ty);
                return self.store_place(place, value);
            }
            None => {}
        }
        let types = &self.unit.types;
        match self.build.types().get(place.ty).clone() {
            Type::Array(len, element) => {
                // The array of all objects of an allocation is no array of C.
                let inner = c_memory::element(self.unit, ty).unwrap_or(ty);
                for at in 0..len {
                    let index = self.build.int(i128::from(at), Types::INT);
                    let mut part = place.clone();
                    part.path.push(Step::Index(index));
                    part.ty = element;
                    self.clear_library(part, inner);
                }
            }
            Type::Record(record) => {
                let overlay = types.record(ty).and_then(|id| self.overlays.get(&id));
                if let Some(overlay) = overlay.cloned().flatten() {
                    return self.clear_cells(&place, &overlay);
                }
                let fields = types.record(ty).and_then(|r| types[r].fields.clone());
                for (at, (field, own)) in (0..).zip(fields.iter().flatten().zip(&record.fields)) {
                    let mut part = place.clone();
                    part.path.push(Step::Field(at));
                    part.ty = own.1;
                    self.clear_library(part, field.ty.ty);
                }
            }
            _ => {}
        }
    }
}
