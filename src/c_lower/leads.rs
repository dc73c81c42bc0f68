//! Where pointers lead: the objects in which an address may lie, their parts of the wanted type, and what an access to any other
//! address does.

use super::place::{Choice, Fixed, Where};
use super::seen::is_within;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C};
use c::types::{RecordId, TypeId as CTypeId};
use c_memory::{Area, Object, Target};
use ir::lower::Lower;
use ir::{
    Behind, BinaryOp, Block, Cut, ErrorKind, ExprId, ExprKind, GlobalId, Place, Root, Step, Type,
    TypeId,
};
use thin_vec::ThinVec;

/// The type in C of an object, or of its elements, while its parts are looked for.
#[derive(Clone, Copy)]
enum Seen {
    Type(CTypeId),
    Array(CTypeId),
    Nothing,
}

/// Where a part lies in an object: its offset in bytes, and the arrays on the way (length, bytes of an element).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape {
    pub(super) offset: u64,
    pub(super) dims: Vec<(u64, u64)>,
}

impl Shape {
    /// Where such parts may begin, if the first indices are 0.
    pub(super) fn begins(&self, outer: usize) -> Vec<u64> {
        let inner = self.dims[outer..].iter();
        inner.fold(vec![self.offset], |all, &(count, by)| {
            let each = |at| (0..count).map(move |index| at + index * by);
            all.into_iter().flat_map(each).collect()
        })
    }
}

/// The parts that are looked for: parts of a type, or bytes that are seen as a value of the type.
#[derive(Clone, Copy)]
struct Sought {
    ty: TypeId,
    views: bool,
    /// The last byte of it that may be touched.
    last: u64,
}

impl Sought {
    const fn of(ty: TypeId, views: bool, last: u64) -> Self {
        Self { ty, views, last }
    }
}

const OTHER_TYPE: &str =
    "an access to an object as one of another type (use the type that it is declared with) is";

impl Lowerer<'_> {
    /// The object to which an argument points.
    pub(super) fn pointed(&mut self, e: CExprId) -> Lowered<Where> {
        let span = self.unit[e].span;
        match self.unit[e].kind {
            C::AddressOf(place) => self.named_place(place),
            C::Decay(array) if self.named_array(e).is_some() => {
                // An array stands for its first element.
                let found = self.named_place(array)?;
                let index = self.pointer_type();
                let first = self.build.int(0, index);
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
                let found = self.named_place(array)?;
                self.element(found, array, by, span)
            }
            C::Convert(_, of) if c_memory::direct_as(self.unit, e).is_some() => {
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

    /// Lowers a place whose address the program takes. A constant becomes fixed here, since a cast lets the program write to it.
    pub(super) fn named_place(&mut self, place: CExprId) -> Lowered<Where> {
        let mut found = self.place(place)?;
        let mut whole = place;
        loop {
            whole = match self.unit[whole].kind {
                C::Member(of, _) => of,
                C::Index(array, _) if let Some(array) = self.named_array(array) => array,
                _ => break,
            };
        }
        if let C::Var(id) | C::Literal(id) = self.unit[whole].kind
            && self.is_fixed(Object::Variable(id))
        {
            let choices = &mut found.choices;
            choices
                .iter_mut()
                .for_each(|c| c.fixed = Some(Fixed::Constant));
        }
        Ok(found)
    }

    /// Returns the array that stands for its first element. An open array at the end of a structure is only known by its address.
    pub(super) fn named_array(&self, e: CExprId) -> Option<CExprId> {
        match self.unit[e].kind {
            C::Decay(array) => (!c_memory::is_known_by_address(self.unit, array)).then_some(array),
            _ => None,
        }
    }

    /// Sees a named object through a pointer to another type. The types must have the same size.
    fn seen_as(&mut self, e: CExprId, mut found: Where, span: Span) -> Lowered<Where> {
        let Some(pointee) = self.unit.types.pointee(self.unit[e].ty.ty) else {
            return refuse(span, "this pointer is");
        };
        if self.is_void(pointee.ty) {
            return Ok(found);
        }
        let ty = self.object_type(pointee.ty, span)?;
        if found.choices.iter().any(|c| !self.alike(c.place.ty, ty)) {
            return refuse(span, OTHER_TYPE);
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

    /// Returns the places at an address that a pointer may have, seen as a type.
    pub(super) fn leads_to(
        &mut self,
        at: ExprId,
        pointer: CExprId,
        ty: CTypeId,
        span: Span,
    ) -> Lowered<Where> {
        self.leads_to_parts((at, pointer), ty, false, span)
    }

    /// Like [`Self::leads_to`]. With `bytes`, an access may also mean bytes of objects that have parts of this type elsewhere.
    pub(super) fn leads_to_parts(
        &mut self,
        (at, pointer): (ExprId, CExprId),
        ty: CTypeId,
        bytes: bool,
        span: Span,
    ) -> Lowered<Where> {
        if self.is_void(ty) {
            return refuse(span, "an access through a pointer to `void` is");
        }
        let own = self.object_type(ty, span)?;
        let at = self.keep(at);
        let objects = self.objects_behind(pointer);
        // In these functions of our headers, a format decides the type at run time: no bytes are seen as another type.
        let ours = self.unit.name(self.unit[self.body.function].name);
        let ours = ours.starts_with(c_memory::WRITTEN);
        let any_byte = |target| target == Target::AnyByte;
        let bytes = bytes
            || !ours
                && self.bits_in_bytes(own) == Some(8)
                && self.memory.targets(pointer).any(any_byte);
        let mut choices = Vec::new();
        let (mut unlike, mut open) = (Vec::new(), false);
        let last = self.memory.touched(self.unit, pointer, ty);
        for object in objects {
            let before = choices.len();
            if !bytes {
                let sought = Sought::of(own, false, last.most);
                self.cells(object, sought, at, &mut choices, span)?;
            }
            if choices.len() == before && !ours && !self.is_not_known(object) {
                let sought = Sought::of(own, true, last.most);
                self.cells(object, sought, at, &mut choices, span)?;
            }
            open |= self.is_open_object(object, span)?;
            // Whether the access ends within an object that may end anywhere is not known.
            let part =
                last.least < last.most && self.memory.may_end_within(self.unit, object, last.most);
            if part || choices.len() == before || !self.covers(object, own)? {
                unlike.push(object);
            }
        }
        // A constant address does not lie beyond the bounds.
        if open && let &ExprKind::Local(kept) = self.build.kind(at) {
            self.exchange(kept);
        }
        choices.retain(|c| !c.guard.is_some_and(|g| self.build.is_false(g)));
        // If one choice is certain, the access means no other.
        if let Some(certain) = choices
            .iter()
            .find(|c| c.guard.is_some_and(|g| self.build.is_true(g)))
        {
            let mut place = certain.clone();
            place.guard = None;
            choices = vec![place];
        }
        let otherwise = self.nowhere(at, last.least, &unlike, span)?;
        Ok(Where {
            ty: own,
            choices,
            otherwise,
            span,
        })
    }

    /// Returns the pointer through which a member is reached, if it may lead to an object that lacks the structure but has a part
    /// of the member's type: structures may begin alike.
    pub(super) fn seen_otherwise(&mut self, member: CExprId) -> Lowered<Option<CExprId>> {
        let mut whole = member;
        while let C::Member(of, _) = self.unit[whole].kind {
            whole = of;
        }
        let pointer = match self.unit[whole].kind {
            C::Deref(pointer) if c_memory::direct_as(self.unit, pointer).is_none() => pointer,
            C::Index(pointer, _) if self.named_array(pointer).is_none() => pointer,
            _ => return Ok(None),
        };
        if self.is_bit_field(member) {
            return Ok(None);
        }
        let span = self.unit[member].span;
        let (all, part) = (self.unit[whole].ty.ty, self.unit[member].ty.ty);
        self.leads_elsewhere(pointer, all, part, span)
    }

    /// Returns the pointer through which an array is reached, if it may lead to an object without such an array that has parts of
    /// some type: a program may see a row of characters as several rows.
    pub(super) fn array_seen_otherwise(
        &mut self,
        array: CExprId,
        part: CTypeId,
    ) -> Lowered<Option<CExprId>> {
        let mut whole = array;
        while let C::Index(outer, _) = self.unit[whole].kind
            && let Some(outer) = self.named_array(outer)
        {
            whole = outer;
        }
        let (C::Deref(pointer) | C::Index(pointer, _)) = self.unit[whole].kind else {
            return Ok(None);
        };
        if c_memory::direct_as(self.unit, pointer).is_some() {
            return Ok(None);
        }
        self.leads_elsewhere(pointer, self.unit[whole].ty.ty, part, self.unit[array].span)
    }

    /// Returns a pointer that may lead to an object without parts of one type that has parts of another one.
    fn leads_elsewhere(
        &mut self,
        pointer: CExprId,
        all: CTypeId,
        part: CTypeId,
        span: Span,
    ) -> Lowered<Option<CExprId>> {
        for object in self.objects_behind(pointer) {
            if !self.has_part(object, all, false, span)?
                && self.has_part(object, part, true, span)?
            {
                return Ok(Some(pointer));
            }
        }
        Ok(None)
    }

    /// Whether an object has a part of a type, or bytes that may be seen as a value of the type.
    pub(super) fn has_part(
        &mut self,
        object: Object,
        ty: CTypeId,
        views: bool,
        span: Span,
    ) -> Lowered<bool> {
        if let Some(&known) = self.parts_known.get(&(object, ty, views)) {
            return Ok(known);
        }
        let own = self.object_type(ty, span)?;
        let mut place = self.object_place(object, span)?;
        if let (Some(_), &Type::Array(_, element)) = (
            self.memory.area(object).and_then(|a| a.instances),
            self.build.types().get(place.ty),
        ) {
            place.ty = element;
        }
        let mut found = Vec::new();
        let (seen, sought) = (self.object_c_type(object), Sought::of(own, views, 0));
        self.parts(seen, &place, &Shape::default(), sought, &mut found, span)?;
        self.parts_known
            .insert((object, ty, views), !found.is_empty());
        Ok(!found.is_empty())
    }

    /// Lowers an access that means none of the choices: an error, unless it hits an object of another type.
    fn nowhere(&mut self, at: ExprId, last: u64, unlike: &[Object], span: Span) -> Lowered<Block> {
        let act = |l: &mut Self| l.at(span, |l| l.hits_nothing(at, last, unlike, span));
        let (block, ()) = self.apart(act)?;
        Ok(block)
    }

    fn hits_nothing(
        &mut self,
        at: ExprId,
        last: u64,
        unlike: &[Object],
        span: Span,
    ) -> Lowered<()> {
        for &object in unlike {
            let Some(area) = self.memory.area(object) else {
                continue;
            };
            let ty = self.build.ty(at);
            let count = area
                .instances
                .map_or(area.size, |(n, by)| u64::from(n) * by);
            let first = self.build.int(i128::from(area.base), ty);
            let end = self.build.int(i128::from(area.base + count), ty);
            let after = self.build.binary(BinaryOp::Le, first, at);
            let before = self.build.binary(BinaryOp::Lt, at, end);
            let mut within = self.build.binary(BinaryOp::And, after, before);
            // The object ends behind the bytes that the program asked for.
            let (_, stride) = area.instances.unwrap_or((1, area.size.max(1)));
            let stride = self.build.int(i128::from(stride), ty);
            let from = self.build.binary(BinaryOp::Sub, at, first);
            let number = self.build.binary(BinaryOp::Div, from, stride);
            let offset = self.build.binary(BinaryOp::Rem, from, stride);
            if let Some(reaches) = self.reaches(object, number, offset) {
                let no = self.build.bool(false);
                within = self.build.ite(within, reaches, no);
            }
            let mut outside = self.build.not(within);
            let open = self.is_open_object(object, span)?;
            if open {
                let beyond = self.is_beyond();
                let bounded = self.build.not(beyond);
                outside = self.build.binary(BinaryOp::And, outside, bounded);
            }
            let what = if self.is_not_known(object) {
                "what a variable of the environment says is not known"
            } else {
                if !open {
                    self.ends_within(object, area, (number, offset, last), outside);
                }
                "an object is seen as one of another type here"
            };
            self.cut_unless(outside, what.to_owned())?;
        }
        self.never(ErrorKind::Deref, "this pointer leads to no object");
        Ok(())
    }

    /// Checks that an access which begins in an object of another type does not end behind the object: its byte `last` lies in it.
    fn ends_within(
        &mut self,
        object: Object,
        area: Area,
        (number, offset, last): (ExprId, ExprId, u64),
        outside: ExprId,
    ) {
        let ty = self.build.ty(offset);
        let last = self.build.int(i128::from(last), ty);
        let last = self.build.binary(BinaryOp::Add, offset, last);
        let ends = self.reaches(object, number, last).unwrap_or_else(|| {
            // An allocated object may have a few bytes more than its elements.
            let rest = match object {
                Object::Heap(_) => (self.element_of(object))
                    .map_or(0, |element| c_memory::size_of(self.unit, element) - 1),
                _ => 0,
            };
            let size = self.build.int(i128::from(area.size + rest), ty);
            self.build.binary(BinaryOp::Lt, last, size)
        });
        let ends = self.build.binary(BinaryOp::Or, outside, ends);
        if !self.build.is_true(ends) {
            self.expect(
                ErrorKind::Deref,
                ends,
                "this reaches beyond the end of the object",
            );
        }
    }

    /// Ends all executions here, since nothing is known from here on: no verdict speaks of what comes after.
    pub(super) fn unknown(&mut self, why: String, behind: Behind) {
        self.cut_here(why, behind).always = true;
    }

    /// Ends the executions that come here. Values decide which executions do.
    pub(super) fn unknown_if(&mut self, why: String, behind: Behind) {
        self.cut_here(why, behind);
    }

    /// Ends executions here. A larger `--heap` lets them go on.
    pub(super) fn beyond_heap(&mut self, why: String, behind: Behind) {
        self.cut_here(why, behind).heap = true;
    }

    /// Ends executions here, and returns the cut that says so.
    fn cut_here(&mut self, why: String, behind: Behind) -> &mut Cut {
        let id = self.new_loop();
        self.endless(id, Block::new());
        let span = self.body.span;
        let cuts = &mut self.build.program.scope.cuts;
        let known = cuts.iter().position(|cut| cut.span == span);
        let at = known.unwrap_or_else(|| {
            cuts.push(Cut {
                span,
                why,
                behind,
                heap: false,
                always: false,
            });
            cuts.len() - 1
        });
        // Several cuts at one place in the text count as one. If they differ in `behind`, it is unknown.
        if cuts[at].behind != behind {
            cuts[at].behind = Behind::Unknown;
        }
        &mut cuts[at]
    }

    /// Adds the parts of an object that may be seen as a type, each with the condition on the address.
    fn cells(
        &mut self,
        object: Object,
        sought: Sought,
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
        self.parts(seen, &place, &shape, sought, &mut found, span)?;
        for (place, shape) in found {
            let shared = !area.private && self.memory.threads > 1;
            let part = shared && self.is_part_of_number(&place);
            let choice = self.choice(area.base, place, &shape, at);
            let mut choice = self.allocated(choice, (object, sought.last), area, at)?;
            choice.fixed = if self.is_fixed(object) {
                Some(Fixed::Constant)
            } else {
                part.then_some(Fixed::PartOfShared)
            };
            choices.push(choice);
        }
        Ok(())
    }

    /// Whether nothing may change an object.
    fn is_fixed(&self, object: Object) -> bool {
        match object {
            Object::Text(_) => true,
            Object::Variable(id) => {
                let mut ty = self.unit[id].ty;
                while let Some(element) = self
                    .unit
                    .types
                    .element(ty.ty)
                    .filter(|_| !ty.quals.constant)
                {
                    ty = element;
                }
                ty.quals.constant
            }
            Object::Heap(_) => false,
        }
    }

    /// Returns the type in C of an object, or the type of the elements of a text or an allocated array.
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
        sought: Sought,
        found: &mut Vec<(Place, Shape)>,
        span: Span,
    ) -> Lowered<()> {
        if self.alike(place.ty, sought.ty) {
            // Members of a union that are alike and lie at one place count as one part.
            if !found.iter().any(|(_, known)| known == shape) {
                found.push((place.clone(), shape.clone()));
            }
            return Ok(());
        }
        match (self.build.types().get(place.ty).clone(), seen) {
            (Type::Array(len, element), seen) => {
                let inner = match seen {
                    Seen::Array(element) => Some(element),
                    Seen::Type(ty) => c_memory::element(self.unit, ty),
                    Seen::Nothing => None,
                };
                let Some(inner) = inner else {
                    return Ok(());
                };
                if sought.views
                    && let Some(seen) = self.elements_as_number((place, shape), sought.ty)
                {
                    found.push(seen);
                    return Ok(());
                }
                let mut shape = shape.clone();
                let stride = c_memory::size_of(self.unit, inner);
                shape.dims.push((u64::from(len), stride));
                let mut place = place.clone();
                // `choice` sets the index.
                place.path.push(Step::Index(ExprId(0)));
                place.ty = element;
                self.parts(Seen::Type(inner), &place, &shape, sought, found, span)
            }
            (Type::Record(_), Seen::Type(own)) => {
                let record = self.unit.types.record(own);
                match record.filter(|_| self.unit.types.library(own).is_none()) {
                    Some(id) => self.in_record(id, (place, shape), sought, found, span),
                    None => Ok(()),
                }
            }
            (Type::Bits(_) | Type::Bool, _) if sought.views && !is_within(place) => {
                self.parts_of_number((place, shape), sought.ty, found);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The parts in a record, and its bytes.
    fn in_record(
        &mut self,
        id: RecordId,
        (place, shape): (&Place, &Shape),
        sought: Sought,
        found: &mut Vec<(Place, Shape)>,
        span: Span,
    ) -> Lowered<()> {
        let mut own = Vec::new();
        self.members(id, place, shape, sought, &mut own, span)?;
        if sought.views
            && !is_within(place)
            && let Some(overlay) = self.overlay(id, span)?
        {
            self.bytes_of_record((id, &overlay), (place, shape), sought.ty, &mut own);
        }
        own.retain(|(_, shape)| !found.iter().any(|(_, known)| known == shape));
        found.extend(own);
        Ok(())
    }

    /// The parts in the members of a record.
    fn members(
        &mut self,
        id: RecordId,
        place: &Place,
        shape: &Shape,
        sought: Sought,
        found: &mut Vec<(Place, Shape)>,
        span: Span,
    ) -> Lowered<()> {
        let unit = self.unit;
        let is_union = unit.types[id].is_union;
        let apart = !is_within(place) && self.overlay(id, span)?.is_none();
        if sought.views && apart && !is_union && self.bits_in_bytes(sought.ty) == Some(8) {
            self.bytes_between(id, (place, shape), sought.ty, found);
        }
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
            self.parts(Seen::Type(field.ty.ty), &place, &shape, sought, found, span)?;
        }
        Ok(())
    }

    /// Sets the indices of a part from an address, and makes the condition that the address is that of the part.
    fn choice(&mut self, base: u64, mut place: Place, shape: &Shape, at: ExprId) -> Choice {
        let ty = self.build.ty(at);
        let first = self.build.int(i128::from(base + shape.offset), ty);
        if shape.dims.is_empty() {
            let guard = self.build.binary(BinaryOp::Eq, at, first);
            return Choice {
                guard: Some(guard),
                place,
                alive: None,
                fixed: None,
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
            fixed: None,
        }
    }

    /// Adds further conditions: the access lies within the object's size at run time, and the object is neither freed nor gone.
    fn allocated(
        &mut self,
        mut choice: Choice,
        (object, last): (Object, u64),
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
        let end = match self.memory.may_end_within(self.unit, object, last) {
            true => self.further(offset, last),
            false => offset,
        };
        if let Some(within) = self.reaches(object, number, end) {
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

    /// Whether each access of a type within an object hits a value of this type, or bytes that are seen as such a value.
    pub(super) fn covers(&mut self, object: Object, ty: TypeId) -> Lowered<bool> {
        let place = self.object_place(object, self.body.span)?;
        let mut own = place.ty;
        loop {
            let byte = |ty| self.bits_in_bytes(ty) == Some(8);
            let numbers = self.bits_in_bytes(own).is_some() && self.bits_in_bytes(ty).is_some();
            if self.alike(own, ty) || numbers && (byte(own) || byte(ty)) {
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
}
