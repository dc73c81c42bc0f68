//! Places: variables, elements and members, by name or where a pointer leads.

use super::overlay::into_member;
use super::seen::is_within;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C, Lifetime, VarId};
use c::types::{RecordId, TypeId as CTypeId};
use c_memory::Object;
use ir::lower::Lower;
use ir::{
    BinaryOp, Block, ErrorKind, ExprId, GlobalId, Place, Root, Step, Stmt, StmtKind, Type, TypeId,
    Types,
};
use thin_vec::ThinVec;

/// One of the objects that an access may mean.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The condition under which the access means this object; `None` if it surely does.
    pub(super) guard: Option<ExprId>,
    pub(super) place: Place,
    /// How to tell that an object is still there, if it may be gone.
    pub(super) alive: Option<Alive>,
    pub(super) fixed: Option<Fixed>,
}

/// Why an access does not write a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    /// A string of the program's text, or a constant.
    Constant,
    /// A part of a number that several threads may reach: a write would have to leave the other parts alone.
    PartOfShared,
}

/// How to tell whether an object is still there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alive {
    /// The global that says whether the object is gone.
    pub(super) flag: GlobalId,
    /// The number of the object, if there are several.
    pub(super) number: Option<ExprId>,
    /// The error if the object is gone.
    pub(super) what: &'static str,
}

/// The places that an access may mean. `otherwise` runs when it means none of them.
#[derive(Clone, Debug)]
pub(super) struct Where {
    /// The type of the value.
    pub(super) ty: TypeId,
    pub(super) choices: Vec<Choice>,
    pub(super) otherwise: Block,
    pub(super) span: Span,
}

impl Where {
    /// Returns the statement that runs `otherwise` unless the access means the only choice.
    pub(super) fn unless(&self, guard: ExprId) -> StmtKind {
        match self.otherwise.as_slice() {
            [
                Stmt {
                    kind: StmtKind::Check(kind, _, what),
                    ..
                },
            ] => StmtKind::Check(*kind, guard, what.clone()),
            other => StmtKind::If(guard, Block::new(), other.into()),
        }
    }

    pub(super) fn part(&self, step: Step, ty: TypeId) -> Self {
        let mut part = self.clone();
        part.ty = ty;
        for choice in &mut part.choices {
            choice.place.path.push(step);
            choice.place.ty = ty;
        }
        part
    }

    pub(super) fn named(place: Place, span: Span) -> Self {
        Self {
            ty: place.ty,
            choices: vec![Choice {
                guard: None,
                place,
                alive: None,
                fixed: None,
            }],
            otherwise: Block::new(),
            span,
        }
    }
}

impl Lowerer<'_> {
    /// Lowers a place. Its indices are computed and checked here.
    pub(super) fn place(&mut self, e: CExprId) -> Lowered<Where> {
        let span = self.unit[e].span;
        match self.unit[e].kind.clone() {
            C::Var(id) => {
                let place = self.variable(id, span)?;
                if self.body.begins == Some(id) {
                    self.unset_parts(place.clone(), self.unit[e].ty.ty)?;
                }
                Ok(Where::named(place, span))
            }
            C::Literal(id) => {
                self.declare(id)?;
                Ok(Where::named(self.variable(id, span)?, span))
            }
            C::Member(of, _) if self.unit[of].ty.quals.atomic => {
                refuse(span, "a member of an atomic structure is")
            }
            C::Member(of, field) => {
                if let Some(pointer) = self.seen_otherwise(e)? {
                    let at = self.address(e)?;
                    return self.leads_to(at, pointer, self.unit[e].ty.ty, span);
                }
                let mut found = self.place(of)?;
                let record = self.unit.types.record(self.unit[of].ty.ty);
                for choice in &mut found.choices {
                    self.member(&mut choice.place, record, field, span)?;
                }
                if found.choices.iter().any(|c| is_within(&c.place)) {
                    found.span = span;
                }
                self.narrowed(found, self.unit[e].ty.ty, span)
            }
            C::Index(array, index) => {
                let ty = self.unit[e].ty.ty;
                let mut pointer = array;
                if let Some(named) = self.named_array(array) {
                    let Some(other) = self.array_seen_otherwise(named, ty)? else {
                        let found = self.place(named)?;
                        return self.element(found, named, index, span);
                    };
                    pointer = other;
                }
                let at = self.indexed(array, index, span)?;
                self.leads_to(at, pointer, ty, span)
            }
            C::Deref(pointer) => self.pointed(pointer),
            C::Text(text) => {
                let mut found = Where::named(self.text(text)?, span);
                found
                    .choices
                    .iter_mut()
                    .for_each(|c| c.fixed = Some(Fixed::Constant));
                Ok(found)
            }
            C::Temporary(of) => {
                let value = self.value(of)?;
                Ok(self.stored(value, span))
            }
            _ => refuse(span, "this object is"),
        }
    }

    /// Steps into a member.
    pub(super) fn member(
        &mut self,
        place: &mut Place,
        record: Option<RecordId>,
        field: u32,
        span: Span,
    ) -> Lowered<()> {
        if let Some(record) = record
            && let Some(overlay) = self.overlay(record, span)?
        {
            let own = self.unit.types.member_at(record, field).copied();
            let (Some(own), Some(step)) = (own, into_member(record, field)) else {
                return refuse(span, "this member is");
            };
            if place.ty != overlay.ty {
                return refuse(span, "a member of an object of another type is");
            }
            place.path.push(step);
            place.ty = self.member_type(record, field, &own)?;
            return Ok(());
        }
        let Type::Record(record) = self.build.types().get(place.ty) else {
            return refuse(span, "a member of an object of the library is");
        };
        let Some(ty) = record.fields.get(field as usize).map(|f| f.1) else {
            return refuse(span, "this member is");
        };
        place.path.push(Step::Field(field));
        place.ty = ty;
        Ok(())
    }

    /// Sets the type of a place to that of its choices, which must be the same for all.
    fn narrowed(&mut self, mut found: Where, ty: CTypeId, span: Span) -> Lowered<Where> {
        match found.choices.first() {
            Some(first) => found.ty = first.place.ty,
            // The place leads nowhere, but it needs a type all the same.
            None => found.ty = self.object_type(ty, span)?,
        }
        if found.choices.iter().any(|c| c.place.ty != found.ty) {
            return refuse(span, "an access to objects of different types is");
        }
        Ok(found)
    }

    pub(super) fn element(
        &mut self,
        mut found: Where,
        array: CExprId,
        index: CExprId,
        span: Span,
    ) -> Lowered<Where> {
        if self.acts(index) {
            self.keep_indices(&mut found);
        }
        let index = self.value(index)?;
        let index = if found.choices.len() > 1 {
            self.keep(index)
        } else {
            index
        };
        if self.unit.types.is_variable(self.unit[array].ty.ty) {
            self.within_length(array, index, span)?;
        }
        let ty = self
            .unit
            .types
            .element(self.unit[array].ty.ty)
            .map(|q| q.ty);
        self.at_element(found, index, ty, span)
    }

    /// Checks an index against the length of its array, if the array has one.
    pub(super) fn within_length(
        &mut self,
        array: CExprId,
        index: ExprId,
        span: Span,
    ) -> Lowered<()> {
        let pointer = self.pointer_type();
        let Some(length) = self.length(self.unit[array].ty.ty, pointer, span)? else {
            return Ok(());
        };
        let index = self.converted(index, pointer, span)?;
        let within = self.build.binary(BinaryOp::Lt, index, length);
        let what = "the index is outside of this array";
        self.at(span, |l| l.expect(ErrorKind::Index, within, what));
        Ok(())
    }

    /// Steps into an element of an array, and checks the index.
    pub(super) fn at_element(
        &mut self,
        mut found: Where,
        index: ExprId,
        ty: Option<CTypeId>,
        span: Span,
    ) -> Lowered<Where> {
        let mut checked = false;
        for choice in &mut found.choices {
            let &Type::Array(len, element) = self.build.types().get(choice.place.ty) else {
                return refuse(span, "this element is");
            };
            if !checked {
                self.check_index(index, len, span)?;
                checked = true;
            }
            choice.place.path.push(Step::Index(index));
            choice.place.ty = element;
        }
        match ty {
            Some(ty) => self.narrowed(found, ty, span),
            None => refuse(span, "this element is"),
        }
    }

    pub(super) fn variable(&mut self, id: VarId, span: Span) -> Lowered<Place> {
        let variable = &self.unit[id];
        if self.lost.contains(&id) {
            return Err(super::Refused { span, what: None });
        }
        if self.arguments_of_main == Some(id) {
            return refuse(span, "the text of the program's arguments is");
        }
        if let Some(&local) = self.body.variables.get(&id) {
            return Ok(self.local_place(local));
        }
        let lasting = matches!(variable.lifetime, Lifetime::Static | Lifetime::Thread);
        let resident = self.memory.area(Object::Variable(id)).is_some();
        if variable.lifetime == Lifetime::Param && variable.function == self.unit.main {
            return refuse(span, "the environment as a parameter of `main` is");
        }
        if !lasting && !resident {
            return refuse(variable.span, "a use before the declaration is");
        }
        let global = self.global(id)?;
        let mut place = Place {
            root: Root::Global(global),
            path: ThinVec::new(),
            ty: self.build.program.globals[global.index()].ty,
        };
        self.own_instance(&mut place, id, span)?;
        Ok(place)
    }

    /// Steps into the instance of the running thread, or of the running call.
    pub(super) fn own_instance(&mut self, place: &mut Place, id: VarId, span: Span) -> Lowered<()> {
        if self.memory.instances(self.unit, id).is_none() {
            return Ok(());
        }
        let &Type::Array(_, element) = self.build.types().get(place.ty) else {
            return refuse(span, "this variable of each thread is");
        };
        let number = self.instance(id, span)?;
        place.path.push(Step::Index(number));
        place.ty = element;
        Ok(())
    }

    fn check_index(&mut self, index: ExprId, len: u32, span: Span) -> Lowered<()> {
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
            let what = format!("the index is outside of an array of {len} elements");
            self.at(span, |l| l.expect(ErrorKind::Index, within, what));
        }
        Ok(())
    }

    /// Keeps the present values of the indices, so that later statements do not change the place.
    pub(super) fn keep_indices(&mut self, found: &mut Where) {
        for choice in &mut found.choices {
            for step in &mut choice.place.path {
                if let Step::Index(index) = step {
                    *index = self.keep(*index);
                }
            }
        }
    }
}
