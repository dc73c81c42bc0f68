//! Places: variables, elements and members by name.

use super::{Lowered, Lowerer, refuse};
use crate::c::typed::{ExprId as CExprId, ExprKind as C, Lifetime, VarId};
use crate::ir::{BinaryOp, ErrorKind, ExprId, Place, Root, Step, StmtKind, Type, Types};

impl Lowerer<'_> {
    /// A place; its indices are computed and checked here.
    pub(super) fn place(&mut self, e: CExprId) -> Lowered<Place> {
        let span = self.unit[e].span;
        match self.unit[e].kind.clone() {
            C::Var(id) => self.variable(id),
            C::Member(of, field) => {
                let mut place = self.place(of)?;
                let Type::Record(record) = self.build.types().get(place.ty) else {
                    return refuse(span, "a member of an object of the library is");
                };
                let Some(ty) = record.fields.get(field as usize).map(|f| f.1) else {
                    return refuse(span, "this member is");
                };
                place.path.push(Step::Field(field));
                place.ty = ty;
                Ok(place)
            }
            C::Index(array, index) => {
                let C::Decay(array) = self.unit[array].kind else {
                    return refuse(span, "an element that a pointer leads to is");
                };
                let mut place = self.place(array)?;
                if self.acts(index) {
                    self.keep_indices(&mut place);
                }
                let &Type::Array(len, element) = self.build.types().get(place.ty) else {
                    return refuse(span, "this element is");
                };
                let index = self.value(index)?;
                self.check_index(index, len, span)?;
                place.path.push(Step::Index(index));
                place.ty = element;
                Ok(place)
            }
            C::Deref(_) => refuse(span, "an access through a pointer is"),
            C::Text(_) => refuse(span, "a string as data is"),
            _ => refuse(span, "this object is"),
        }
    }

    fn variable(&mut self, id: VarId) -> Lowered<Place> {
        let variable = &self.unit[id];
        match variable.lifetime {
            Lifetime::Static | Lifetime::Thread => {
                let global = self.global(id)?;
                Ok(Place {
                    root: Root::Global(global),
                    path: Vec::new(),
                    ty: self.build.program.globals[global.index()].ty,
                })
            }
            Lifetime::Local | Lifetime::Param => match self.body.variables.get(&id) {
                Some(&local) => Ok(self.local_place(local)),
                None => refuse(variable.span, "a use before the declaration is"),
            },
        }
    }

    fn check_index(&mut self, index: ExprId, len: u32, span: crate::source::Span) -> Lowered<()> {
        let ty = self.build.ty(index);
        let Some((least, most)) = self.build.types().bounds(ty).filter(|_| ty != Types::BOOL)
        else {
            return refuse(span, "this index is");
        };
        let len = i128::from(len);
        let mut within = self.build.bool(true);
        if least < 0 {
            let zero = self.build.int(0, ty);
            within = self.build.binary(BinaryOp::Le, zero, index);
        }
        if most >= len {
            let end = self.build.int(len, ty);
            let below = self.build.binary(BinaryOp::Lt, index, end);
            within = self.build.binary(BinaryOp::And, within, below);
        }
        if !self.build.is_true(within) {
            let outer = std::mem::replace(&mut self.body.span, span);
            let what = format!("the index is outside of an array of {len} elements");
            self.emit(StmtKind::Check(ErrorKind::Index, within, what));
            self.body.span = outer;
        }
        Ok(())
    }

    /// Indices as they are now, whatever is done later.
    pub(super) fn keep_indices(&mut self, place: &mut Place) {
        for step in &mut place.path {
            if let Step::Index(index) = step {
                *index = self.keep(*index);
            }
        }
    }

    /// The value in a place. Static storage is read by a statement of its own.
    pub(super) fn load(&mut self, place: &Place) -> ExprId {
        let mut value = match place.root {
            Root::Global(global) => self.build.global(global),
            Root::Local(local) => self.read_local(local),
        };
        for step in &place.path {
            value = match step {
                Step::Field(field) => self.build.field(value, *field),
                Step::Index(index) => self.build.index(value, *index),
            };
        }
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

    pub(super) fn store(&mut self, place: Place, value: ExprId) {
        self.emit(StmtKind::Assign(place, value));
    }

    /// The object whose address an argument is: `&x`, also converted.
    pub(super) fn pointed(&mut self, e: CExprId) -> Lowered<Place> {
        match self.unit[e].kind {
            C::AddressOf(place) => self.place(place),
            C::Decay(array) => {
                // An array stands for its first element.
                let mut place = self.place(array)?;
                let span = self.unit[e].span;
                let &Type::Array(_, element) = self.build.types().get(place.ty) else {
                    return refuse(span, "this pointer is");
                };
                let first = self.build.int(0, Types::INT);
                place.path.push(Step::Index(first));
                place.ty = element;
                Ok(place)
            }
            C::Convert(
                crate::c::typed::Conversion::Pointer | crate::c::typed::Conversion::Same,
                of,
            ) => self.pointed(of),
            C::Offset {
                pointer,
                by,
                back: false,
            } => {
                let C::Decay(array) = self.unit[pointer].kind else {
                    return refuse(self.unit[e].span, "a pointer that is moved is");
                };
                let mut place = self.place(array)?;
                let span = self.unit[e].span;
                let &Type::Array(len, element) = self.build.types().get(place.ty) else {
                    return refuse(span, "this pointer is");
                };
                let index = self.value(by)?;
                self.check_index(index, len, span)?;
                place.path.push(Step::Index(index));
                place.ty = element;
                Ok(place)
            }
            _ => refuse(self.unit[e].span, "an object that is not named here is"),
        }
    }
}
