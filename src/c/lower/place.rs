//! Places: variables, elements and members, by name or where a pointer leads.

use super::overlay::into_member;
use super::seen::is_within;
use super::{Lowered, Lowerer, refuse};
use crate::c::memory::{self, Area, Object, Target};
use crate::c::typed::{ExprId as CExprId, ExprKind as C, Lifetime, VarId};
use crate::c::types::{RecordId, TypeId as CTypeId};
use crate::ir::{
    BinaryOp, Block, ErrorKind, ExprId, GlobalId, Place, Root, Step, Stmt, StmtKind, Type, TypeId,
    Types,
};
use crate::lower::Lower;
use crate::source::Span;
use thin_vec::ThinVec;

/// One of the objects that an access may mean.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// When it is this one; none if there is no question.
    pub(super) guard: Option<ExprId>,
    pub(super) place: Place,
    /// For an object that may be gone: what says that it is still there.
    alive: Option<Alive>,
}

/// What says of an object that it is still there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alive {
    /// Whether it is gone.
    pub(super) flag: GlobalId,
    /// Which one it is, if there are several.
    pub(super) number: Option<ExprId>,
    /// What is wrong if it is gone.
    pub(super) what: &'static str,
}

/// What an access may mean, and what is done when it is none of these.
#[derive(Clone, Debug)]
pub(super) struct Where {
    /// The type of the value.
    pub(super) ty: TypeId,
    pub(super) choices: Vec<Choice>,
    otherwise: Block,
    span: Span,
}

impl Where {
    /// What is wrong unless the only choice is meant.
    fn unless(&self, guard: ExprId) -> StmtKind {
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

    /// A part of it.
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
            }],
            otherwise: Block::new(),
            span,
        }
    }
}

impl Lowerer<'_> {
    /// A place; its indices are computed and checked here.
    pub(super) fn place(&mut self, e: CExprId) -> Lowered<Where> {
        let span = self.unit[e].span;
        match self.unit[e].kind.clone() {
            C::Var(id) => Ok(Where::named(self.variable(id, span)?, span)),
            C::Literal(id) => {
                self.declare(id)?;
                Ok(Where::named(self.variable(id, span)?, span))
            }
            C::Member(of, _) if self.unit[of].ty.quals.atomic => {
                refuse(span, "a member of an atomic structure is")
            }
            C::Member(of, field) => {
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
                if let Some(array) = self.named_array(array) {
                    let found = self.place(array)?;
                    return self.element(found, array, index, span);
                }
                let ty = self.unit[e].ty.ty;
                let at = self.moved(array, index, false, span)?;
                self.leads_to(at, array, ty, span)
            }
            C::Deref(pointer) => self.pointed(pointer),
            C::Text(text) => {
                let place = self.text(text)?;
                Ok(Where::named(place, span))
            }
            C::Temporary(of) => {
                let value = self.value(of)?;
                Ok(self.stored(value, span))
            }
            _ => refuse(span, "this object is"),
        }
    }

    /// Goes on into a member.
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
            let known = &self.unit.types[record].fields;
            let own = known.as_ref().and_then(|f| f.get(field as usize)).copied();
            let (Some(own), Some(step)) = (own, into_member(record, field)) else {
                return refuse(span, "this member is");
            };
            if place.ty != overlay.ty {
                return refuse(span, "a member of an object of another type is");
            }
            place.path.push(step);
            place.ty = self.member_type(&own)?;
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

    /// The type of what all choices have become.
    fn narrowed(&mut self, mut found: Where, ty: CTypeId, span: Span) -> Lowered<Where> {
        match found.choices.first() {
            Some(first) => found.ty = first.place.ty,
            // It leads nowhere, and what lies there has a type all the same.
            None => found.ty = self.object_type(ty, span)?,
        }
        if found.choices.iter().any(|c| c.place.ty != found.ty) {
            return refuse(span, "an access to objects of different types is");
        }
        Ok(found)
    }

    fn element(
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
        if let Some(length) = self.length(self.unit[array].ty.ty) {
            let (ty, length) = (self.pointer_type(), self.value(length)?);
            let (own, length) = (
                self.converted(index, ty, span)?,
                self.converted(length, ty, span)?,
            );
            let within = self.build.binary(BinaryOp::Lt, own, length);
            let what = "the index is outside of this array";
            self.at(span, |l| l.expect(ErrorKind::Index, within, what));
        }
        let ty = self
            .unit
            .types
            .element(self.unit[array].ty.ty)
            .map(|q| q.ty);
        self.at_element(found, index, ty, span)
    }

    /// An element of an array of elements of a type.
    fn at_element(
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

    /// The variable itself.
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
        if !lasting && !resident {
            return refuse(variable.span, "a use before the declaration is");
        }
        let global = self.global(id)?;
        let mut place = Place {
            root: Root::Global(global),
            path: ThinVec::new(),
            ty: self.build.program.globals[global.index()].ty,
        };
        if self.per_thread(id) {
            let number = self.own_number(span)?;
            self.own_instance(&mut place, number, span)?;
        }
        Ok(place)
    }

    /// The instance of the running thread.
    fn own_instance(&self, place: &mut Place, number: ExprId, span: Span) -> Lowered<()> {
        let &Type::Array(_, element) = self.build.types().get(place.ty) else {
            return refuse(span, "this variable of each thread is");
        };
        place.path.push(Step::Index(number));
        place.ty = element;
        Ok(())
    }

    /// Whether each thread has a variable of its own in memory.
    pub(super) fn per_thread(&self, id: VarId) -> bool {
        let variable = &self.unit[id];
        match variable.lifetime {
            Lifetime::Static => false,
            Lifetime::Thread => true,
            Lifetime::Local | Lifetime::Param => {
                self.memory.area(Object::Variable(id)).is_some()
                    && variable
                        .function
                        .is_some_and(|f| self.memory.is_multiple(f))
            }
        }
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

    /// Indices as they are now, whatever is done later.
    pub(super) fn keep_indices(&mut self, found: &mut Where) {
        for choice in &mut found.choices {
            for step in &mut choice.place.path {
                if let Step::Index(index) = step {
                    *index = self.keep(*index);
                }
            }
        }
    }

    /// Does something with the place that is meant; a value that it gives is the same for all.
    pub(super) fn each(
        &mut self,
        found: &Where,
        act: &mut dyn FnMut(&mut Self, &Place) -> Lowered<Option<ExprId>>,
    ) -> Lowered<Option<ExprId>> {
        self.every(found, &mut |l, place| {
            let real = l.real(place, found.span)?;
            act(l, &real)
        })
    }

    /// The same with places as C has them: parts of unions are no places of the program's.
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
        result: Option<crate::ir::LocalId>,
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
            // Never read: the access was an error.
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
        self.every(found, &mut |l, place| {
            let value = l.converted(value, place.ty, span)?;
            l.store_part(place, value, span)?;
            Ok(None)
        })?;
        Ok(())
    }

    pub(super) fn store_place(&mut self, place: Place, value: ExprId) {
        self.emit(StmtKind::Assign(place, value));
    }

    /// The object to which an argument points.
    pub(super) fn pointed(&mut self, e: CExprId) -> Lowered<Where> {
        let span = self.unit[e].span;
        match self.unit[e].kind {
            C::AddressOf(place) => self.place(place),
            C::Decay(array) if self.named_array(e).is_some() => {
                // An array stands for its first element.
                let found = self.place(array)?;
                let first = self.build.int(0, Types::INT);
                let ty = self.unit.types.pointee(self.unit[e].ty.ty).map(|q| q.ty);
                self.at_element(found, first, ty, span)
            }
            C::Offset { pointer, by, back } if self.named_array(pointer).is_some() => {
                let Some(array) = self.named_array(pointer) else {
                    return refuse(span, "this pointer is");
                };
                if back {
                    return refuse(span, "a pointer to before an array is");
                }
                let found = self.place(array)?;
                self.element(found, array, by, span)
            }
            C::Convert(_, of) if memory::direct(self.unit, of).is_some() => {
                let found = self.pointed(of)?;
                self.seen_as(e, found, span)
            }
            _ => {
                let Some(pointee) = self.unit.types.pointee(self.unit[e].ty.ty) else {
                    return refuse(span, "this pointer is");
                };
                let at = self.value(e)?;
                let at = self.keep(at);
                self.leads_to(at, e, pointee.ty, span)
            }
        }
    }

    /// The array that stands for its first element. One at the end of a structure is only known by its address.
    fn named_array(&self, e: CExprId) -> Option<CExprId> {
        match self.unit[e].kind {
            C::Decay(array) => (!memory::is_open_member(self.unit, array)).then_some(array),
            _ => None,
        }
    }

    /// A named object through a pointer to another type: only of the same size.
    fn seen_as(&mut self, e: CExprId, mut found: Where, span: Span) -> Lowered<Where> {
        let Some(pointee) = self.unit.types.pointee(self.unit[e].ty.ty) else {
            return refuse(span, "this pointer is");
        };
        if self.is_void(pointee.ty) {
            return Ok(found);
        }
        let ty = self.object_type(pointee.ty, span)?;
        if found.choices.iter().any(|c| !self.alike(c.place.ty, ty)) {
            return refuse(span, "an access to an object as one of another type is");
        }
        found.ty = ty;
        Ok(found)
    }

    /// Whether values of two types have the same bits.
    pub(super) fn alike(&self, l: TypeId, r: TypeId) -> bool {
        let types = self.build.types();
        l == r
            || matches!((types.get(l), types.get(r)), (Type::Bits(l), Type::Bits(r)) if l.width == r.width)
    }

    /// What lies at an address to which a pointer may lead, seen as a type.
    pub(super) fn leads_to(
        &mut self,
        at: ExprId,
        pointer: CExprId,
        ty: CTypeId,
        span: Span,
    ) -> Lowered<Where> {
        if self.is_void(ty) {
            return refuse(span, "an access through a pointer to `void` is");
        }
        let own = self.object_type(ty, span)?;
        let at = self.keep(at);
        let objects: Vec<Object> = self
            .memory
            .targets(pointer)
            .filter_map(|t| match t {
                Target::Object(object) => Some(object),
                Target::Function(_) => None,
            })
            .collect();
        let mut choices = Vec::new();
        let mut unlike = Vec::new();
        for object in objects {
            let before = choices.len();
            self.cells(object, own, at, &mut choices, span)?;
            if choices.len() == before || !self.only(object, own)? {
                unlike.push(object);
            }
        }
        // A variable has its type; what an allocation makes is only seen when the program runs.
        let declared = |o: &Object| !matches!(o, Object::Heap(_));
        if choices.is_empty() && !unlike.is_empty() && unlike.iter().all(declared) {
            return refuse(span, "an access to an object as one of another type is");
        }
        choices.retain(|c| !c.guard.is_some_and(|g| self.build.is_false(g)));
        // A choice that is certain leaves no others.
        if let Some(certain) = choices
            .iter()
            .find(|c| c.guard.is_some_and(|g| self.build.is_true(g)))
        {
            let mut place = certain.clone();
            place.guard = None;
            choices = vec![place];
        }
        let otherwise = self.nowhere(at, &unlike, span)?;
        Ok(Where {
            ty: own,
            choices,
            otherwise,
            span,
        })
    }

    /// An access that hits nothing: an error, unless it hits an object of another type.
    fn nowhere(&mut self, at: ExprId, unlike: &[Object], span: Span) -> Lowered<Block> {
        let (block, ()) = self.apart(|l| {
            l.body.span = span;
            for &object in unlike {
                let Some(area) = l.memory.area(object) else {
                    continue;
                };
                let ty = l.build.ty(at);
                let count = area
                    .instances
                    .map_or(area.size, |(n, by)| u64::from(n) * by);
                let first = l.build.int(i128::from(area.base), ty);
                let end = l.build.int(i128::from(area.base + count), ty);
                let after = l.build.binary(BinaryOp::Le, first, at);
                let before = l.build.binary(BinaryOp::Lt, at, end);
                let mut within = l.build.binary(BinaryOp::And, after, before);
                // Behind the bytes that were asked for there is no object.
                let (_, stride) = area.instances.unwrap_or((1, area.size.max(1)));
                let stride = l.build.int(i128::from(stride), ty);
                let from = l.build.binary(BinaryOp::Sub, at, first);
                let number = l.build.binary(BinaryOp::Div, from, stride);
                let offset = l.build.binary(BinaryOp::Rem, from, stride);
                if let Some(reaches) = l.reaches(object, number, offset) {
                    let no = l.build.bool(false);
                    within = l.build.ite(within, reaches, no);
                }
                let outside = l.build.not(within);
                let what = "an object is seen as one of another type here";
                l.cut_unless(outside, what.to_owned())?;
            }
            let never = l.build.bool(false);
            l.expect(ErrorKind::Deref, never, "this pointer leads to no object");
            Ok(())
        })?;
        Ok(block)
    }

    /// From here on nothing is known: it is never left, so that no verdict speaks of what comes after.
    pub(super) fn unknown(&mut self, why: String) {
        let at = self.body.span;
        let cuts = &mut self.build.program.scope.cuts;
        if !cuts.iter().any(|(span, _)| *span == at) {
            cuts.push((at, why));
        }
        let id = self.new_loop();
        self.endless(id, Block::new());
    }

    /// The parts of an object that look like a type, with what the address is then.
    fn cells(
        &mut self,
        object: Object,
        ty: TypeId,
        at: ExprId,
        choices: &mut Vec<Choice>,
        span: Span,
    ) -> Lowered<()> {
        let Some(area) = self.memory.area(object) else {
            return Ok(());
        };
        let root = self.object_place(object, span)?;
        let mut found = Vec::new();
        let mut shape = Shape::default();
        let mut place = root;
        if let Some((count, stride)) = area.instances {
            let number = if area.own {
                self.own_number(span)?
            } else {
                shape.dims.push((u64::from(count), stride));
                at
            };
            let &Type::Array(_, element) = self.build.types().get(place.ty) else {
                return refuse(span, "this object is");
            };
            place.path.push(Step::Index(number));
            place.ty = element;
        }
        let seen = self.object_c_type(object);
        self.parts(seen, &place, &shape, ty, &mut found, span)?;
        for (place, shape) in found {
            let choice = self.choice(area.base, place, &shape, at);
            let choice = self.allocated(choice, object, area, at)?;
            choices.push(choice);
        }
        Ok(())
    }

    /// The type in C of an object; none for one that is an array of elements of its area's type.
    fn object_c_type(&self, object: Object) -> Seen {
        match object {
            Object::Variable(v) => Seen::Type(self.unit[v].ty.ty),
            Object::Text(text) => Seen::Array(self.unit[text].element),
            Object::Heap(site) => match self.memory.heap.get(&site) {
                Some(made) if made.len == Some(1) => Seen::Type(made.ty),
                Some(made) => Seen::Array(made.ty),
                None => Seen::Nothing,
            },
        }
    }

    fn parts(
        &mut self,
        seen: Seen,
        place: &Place,
        shape: &Shape,
        ty: TypeId,
        found: &mut Vec<(Place, Shape)>,
        span: Span,
    ) -> Lowered<()> {
        if self.alike(place.ty, ty) {
            // Members of a union that lie at one place and are alike are one part.
            if !found.iter().any(|(_, known)| known == shape) {
                found.push((place.clone(), shape.clone()));
            }
            return Ok(());
        }
        match (self.build.types().get(place.ty).clone(), seen) {
            (Type::Array(len, element), seen) => {
                let inner = match seen {
                    Seen::Array(element) => Some(element),
                    Seen::Type(ty) => self.unit.types.element(ty).map(|q| q.ty),
                    Seen::Nothing => None,
                };
                let Some(inner) = inner else {
                    return Ok(());
                };
                let mut shape = shape.clone();
                let stride = memory::size_of(self.unit, inner);
                shape.dims.push((u64::from(len), stride));
                let mut place = place.clone();
                // The index is set when the shape is known.
                place.path.push(Step::Index(ExprId(0)));
                place.ty = element;
                self.parts(Seen::Type(inner), &place, &shape, ty, found, span)
            }
            (Type::Record(_), Seen::Type(own)) => {
                let unit = self.unit;
                let id = unit
                    .types
                    .record(own)
                    .filter(|_| unit.types.library(own).is_none());
                let Some(id) = id else {
                    return Ok(());
                };
                let is_union = unit.types[id].is_union;
                for (index, field) in (0..).zip(unit.types[id].fields.iter().flatten()) {
                    let used = self.memory.unions.get(&id);
                    let used = used.is_some_and(|u| u.contains(&index));
                    // No pointer leads to a bit-field.
                    if is_union && !used || field.bits.is_some() {
                        continue;
                    }
                    let mut place = place.clone();
                    self.member(&mut place, Some(id), index, span)?;
                    let mut shape = shape.clone();
                    shape.offset += field.offset;
                    self.parts(Seen::Type(field.ty.ty), &place, &shape, ty, found, span)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The indices and the condition under which an address is that of a part.
    fn choice(&mut self, base: u64, mut place: Place, shape: &Shape, at: ExprId) -> Choice {
        let ty = self.build.ty(at);
        let first = self.build.int(i128::from(base + shape.offset), ty);
        if shape.dims.is_empty() {
            let guard = self.build.binary(BinaryOp::Eq, at, first);
            return Choice {
                guard: Some(guard),
                place,
                alive: None,
            };
        }
        let mut rest = self.build.binary(BinaryOp::Sub, at, first);
        let mut guard = self.build.bool(true);
        let mut indices = Vec::new();
        for &(count, stride) in &shape.dims {
            let by = self.build.int(i128::from(stride.max(1)), ty);
            let index = self.build.binary(BinaryOp::Div, rest, by);
            let end = self.build.int(i128::from(count), ty);
            let below = self.build.binary(BinaryOp::Lt, index, end);
            guard = self.build.binary(BinaryOp::And, guard, below);
            indices.push(index);
            rest = self.build.binary(BinaryOp::Rem, rest, by);
        }
        let zero = self.build.int(0, ty);
        let exact = self.build.binary(BinaryOp::Eq, rest, zero);
        let guard = self.build.binary(BinaryOp::And, guard, exact);
        let mut indices = indices.into_iter();
        for step in &mut place.path {
            if let Step::Index(index) = step
                && let Some(own) = indices.next()
            {
                *index = own;
            }
        }
        Choice {
            guard: Some(guard),
            place,
            alive: None,
        }
    }

    /// What else must hold of an object that was made while the program runs: the access lies within it, and it was not freed.
    fn allocated(
        &mut self,
        mut choice: Choice,
        object: Object,
        area: Area,
        at: ExprId,
    ) -> Lowered<Choice> {
        let ty = self.build.ty(at);
        let (_, stride) = area.instances.unwrap_or((1, area.size.max(1)));
        let base = self.build.int(i128::from(area.base), ty);
        let stride = self.build.int(i128::from(stride), ty);
        let from = self.build.binary(BinaryOp::Sub, at, base);
        let number = if area.own {
            self.own_number(self.body.span)?
        } else {
            self.build.binary(BinaryOp::Div, from, stride)
        };
        let offset = self.build.binary(BinaryOp::Rem, from, stride);
        if let Some(within) = self.reaches(object, number, offset) {
            choice.guard = Some(match choice.guard {
                Some(guard) => self.build.binary(BinaryOp::And, guard, within),
                None => within,
            });
        }
        choice.alive = match object {
            Object::Heap(site) => self.unfreed(site, number),
            Object::Variable(variable) => self.in_frame(variable, number),
            Object::Text(_) => None,
        };
        Ok(choice)
    }

    /// Whether an object is made of nothing but values of a type.
    fn only(&mut self, object: Object, ty: TypeId) -> Lowered<bool> {
        let place = self.object_place(object, self.body.span)?;
        let mut own = place.ty;
        loop {
            if self.alike(own, ty) {
                return Ok(true);
            }
            match self.build.types().get(own) {
                &Type::Array(_, element) => own = element,
                _ => return Ok(false),
            }
        }
    }

    /// The variable that holds an object, or its instances.
    pub(super) fn object_place(&mut self, object: Object, span: Span) -> Lowered<Place> {
        match object {
            Object::Variable(v) => {
                let global = self.global(v)?;
                Ok(self.global_place(global))
            }
            Object::Text(text) => self.text(text),
            Object::Heap(site) => self.heap(site, span),
        }
    }

    pub(super) fn global_place(&self, global: GlobalId) -> Place {
        Place {
            root: Root::Global(global),
            path: ThinVec::new(),
            ty: self.build.program.globals[global.index()].ty,
        }
    }

    /// The address of a place.
    pub(super) fn address(&mut self, e: CExprId) -> Lowered<ExprId> {
        let span = self.unit[e].span;
        let ty = self.pointer_type();
        match self.unit[e].kind.clone() {
            C::Var(id) => self.variable_address(id, span),
            C::Literal(id) => {
                self.declare(id)?;
                self.variable_address(id, span)
            }
            C::Text(text) => {
                let Some(area) = self.memory.area(Object::Text(text)) else {
                    return refuse(span, "the address of this string is");
                };
                self.text(text)?;
                Ok(self.build.int(i128::from(area.base), ty))
            }
            C::Member(of, field) => {
                let record = self.unit.types.record(self.unit[of].ty.ty);
                let fields = record.and_then(|r| self.unit.types[r].fields.as_ref());
                let Some(offset) = fields.and_then(|f| f.get(field as usize)).map(|f| f.offset)
                else {
                    return refuse(span, "the address of this member is");
                };
                let base = self.address(of)?;
                let offset = self.build.int(i128::from(offset), ty);
                Ok(self.build.binary(BinaryOp::Add, base, offset))
            }
            C::Index(pointer, index) => self.moved(pointer, index, false, span),
            C::Deref(pointer) => self.value(pointer),
            _ => refuse(span, "the address of this object is"),
        }
    }

    fn variable_address(&mut self, id: VarId, span: Span) -> Lowered<ExprId> {
        let ty = self.pointer_type();
        let Some(area) = self.memory.area(Object::Variable(id)) else {
            return refuse(span, "the address of this variable is");
        };
        let base = self.build.int(i128::from(area.base), ty);
        let Some((_, stride)) = area.instances.filter(|_| !area.own) else {
            return Ok(base);
        };
        let number = self.own_number(span)?;
        let number = self.build.convert(number, ty);
        let stride = self.build.int(i128::from(stride), ty);
        let moved = self.build.binary(BinaryOp::Mul, number, stride);
        Ok(self.build.binary(BinaryOp::Add, base, moved))
    }

    /// A pointer, so many elements further.
    pub(super) fn moved(
        &mut self,
        pointer: CExprId,
        by: CExprId,
        back: bool,
        span: Span,
    ) -> Lowered<ExprId> {
        let (base, by) = self.pair(pointer, by)?;
        let Some(pointee) = self.unit.types.pointee(self.unit[pointer].ty.ty) else {
            return refuse(span, "arithmetic on this pointer is");
        };
        self.moved_value(base, by, pointee.ty, back, span)
    }

    pub(super) fn moved_value(
        &mut self,
        base: ExprId,
        by: ExprId,
        pointee: CTypeId,
        back: bool,
        span: Span,
    ) -> Lowered<ExprId> {
        let ty = self.build.ty(base);
        let by = self.converted(by, ty, span)?;
        let size = memory::size_of(self.unit, pointee);
        let size = self.build.int(i128::from(size), ty);
        let by = self.build.binary(BinaryOp::Mul, by, size);
        let op = if back { BinaryOp::Sub } else { BinaryOp::Add };
        Ok(self.build.binary(op, base, by))
    }

    /// The machine integer that a pointer is.
    pub(super) fn pointer_type(&mut self) -> TypeId {
        let bits = crate::ir::Bits {
            width: (self.unit.types.pointer_size() * 8) as u8,
            signed: false,
        };
        self.build.program.types.address(bits)
    }

    /// What a conversion of pointers stands for, without it.
    pub(super) fn unconverted(&self, e: CExprId) -> CExprId {
        memory::unconverted(self.unit, e)
    }
}

/// How an object is seen while its parts are looked for.
#[derive(Clone, Copy)]
enum Seen {
    Type(CTypeId),
    Array(CTypeId),
    Nothing,
}

/// Where a part lies in an object: from its first byte, and the arrays on the way (length, bytes of an element).
#[derive(Clone, Debug, Default, PartialEq)]
struct Shape {
    offset: u64,
    dims: Vec<(u64, u64)>,
}
