//! Objects as bytes: `memset`, `memcpy` and `memmove` of whole objects, of the first elements of arrays, and of as many
//! elements as the program says.

use super::{Call, OVERLAP, Value};
use crate::place::Where;
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C};
use c::types::TypeId as CTypeId;
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, LoopId, Step, StmtKind, Type, TypeId};

/// So many elements are copied without a loop.
const MOST_IN_PLACE: i128 = 16;

/// The objects that a call means.
struct Bytes {
    /// The object, or the array.
    found: Where,
    /// How many elements, if only these.
    first: Option<u64>,
}

/// What the bytes of are not copied or filled.
const UNSEEN: &str = "bytes of an object whose type is not seen here (cast the pointer to the type of what it leads to) are";

impl Lowerer<'_> {
    pub(super) fn bytes_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name, args, span, ..
        } = call;
        match (name, args) {
            ("memset" | "__builtin_memset", &[to, byte, size]) => {
                self.fill(to, byte, size, span)?;
            }
            ("bzero", &[to, size]) if self.is_part(to, size) => {
                let to = self.bytes(to, size, span)?;
                self.fill_all(&to, 0, span)?;
            }
            ("bzero", &[to, size]) => self.fill_elements(to, 0, size, span)?,
            (
                "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove",
                &[to, from, size],
            ) => {
                let parts = self.is_part(to, size) && self.is_part(from, size);
                if parts && self.leads_to_array(to) == self.leads_to_array(from) {
                    self.copy_bytes(to, from, size, span)?;
                } else {
                    self.copy_elements(name, (to, from), size, span)?;
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(Value(None)))
    }

    /// Whether so many bytes are known to be an object that is named there, or the first elements of one.
    fn is_part(&self, arg: CExprId, size: CExprId) -> bool {
        let arg = self.unconverted(arg);
        let ty = match self.unit[arg].kind {
            C::AddressOf(place) | C::Decay(place) => Some(self.unit[place].ty.ty),
            _ => self.unit.types.pointee(self.unit[arg].ty.ty).map(|p| p.ty),
        };
        let size = self.unit.constant(size).and_then(|n| u64::try_from(n).ok());
        let Some((ty, size)) = ty.zip(size) else {
            return false;
        };
        let whole = self.size_of(ty);
        whole == Some(size) || whole > Some(size) && self.elements(ty, size).is_some()
    }

    /// Whether an argument leads to a whole array, and not to its first element.
    fn leads_to_array(&self, arg: CExprId) -> bool {
        match self.unit[self.unconverted(arg)].kind {
            C::AddressOf(place) | C::Decay(place) => {
                self.unit.types.element(self.unit[place].ty.ty).is_some()
            }
            _ => false,
        }
    }

    /// The type of the elements to which a pointer leads; none behind a `void *`.
    pub(super) fn element_type(&self, pointer: CExprId) -> Option<CTypeId> {
        let mut ty = self.unit.types.pointee(self.unit[pointer].ty.ty)?.ty;
        while let Some(element) = self.unit.types.element(ty) {
            ty = element.ty;
        }
        let known = self.size_of(ty).is_some_and(|size| size > 0);
        let whole = c_memory::open_end(self.unit, ty).is_none();
        (known && whole && !self.is_void(ty)).then_some(ty)
    }

    /// How many members a structure has before an array without a length, if it ends in one.
    fn before_open_end(&self, ty: CTypeId) -> Option<u64> {
        let (record, ..) = c_memory::open_end(self.unit, ty)?;
        let fields = self.unit.types[record].fields.as_deref()?;
        Some(fields.len() as u64 - 1)
    }

    /// How many elements of a type so many bytes are.
    fn count_of(&mut self, size: CExprId, each: u64, span: Span) -> Lowered<ExprId> {
        let size = self.address_of(size, span)?;
        self.count_within(size, each, span)
    }

    fn count_within(&mut self, size: ExprId, each: u64, span: Span) -> Lowered<ExprId> {
        let ty = self.pointer_type();
        let each = self.build.int(i128::from(each), ty);
        let rest = self.build.binary(BinaryOp::Rem, size, each);
        let zero = self.build.int(0, ty);
        let exact = self.build.binary(BinaryOp::Eq, rest, zero);
        if self.build.is_false(exact) {
            return refuse(span, "a part of an element as bytes is");
        }
        if !self.build.is_true(exact) {
            self.cut_unless(exact, "a part of an element is meant here".to_owned())?;
        }
        let count = self.build.binary(BinaryOp::Div, size, each);
        Ok(self.keep(count))
    }

    /// Does something so many times, with the number of the turn.
    pub(crate) fn repeat(
        &mut self,
        count: ExprId,
        act: &mut dyn FnMut(&mut Self, ExprId) -> Lowered<()>,
    ) -> Lowered<()> {
        let ty = self.pointer_type();
        if let Some(known) = self.build.literal(count).filter(|&n| n <= MOST_IN_PLACE) {
            for at in 0..known {
                let at = self.build.int(at, ty);
                act(self, at)?;
            }
            return Ok(());
        }
        let turn = self.temporary(ty);
        let place = self.local_place(turn);
        self.set(&place, 0);
        let id = self.new_loop();
        let (block, ()) = self.apart(|l| {
            let at = l.read_local(turn);
            let more = l.build.binary(BinaryOp::Lt, at, count);
            l.goes_on_if(id, more)?;
            act(l, at)?;
            l.count(&place, 1);
            Ok(())
        })?;
        self.endless(id, block);
        Ok(())
    }

    /// Leaves a loop unless a condition holds.
    pub(super) fn goes_on_if(&mut self, id: LoopId, more: ExprId) -> Lowered<()> {
        self.unless(more, |l| {
            l.emit(StmtKind::Break(id));
        });
        Ok(())
    }

    /// An address as it is now.
    pub(super) fn address_of(&mut self, arg: CExprId, span: Span) -> Lowered<ExprId> {
        let ty = self.pointer_type();
        let at = self.value(arg)?;
        let at = self.converted(at, ty, span)?;
        Ok(self.keep(at))
    }

    /// As many elements as the program says, one after the other.
    fn copy_elements(
        &mut self,
        name: &str,
        (to, from): (CExprId, CExprId),
        size: CExprId,
        span: Span,
    ) -> Lowered<()> {
        let (to, from) = (self.unconverted(to), self.unconverted(from));
        let types = [self.element_type(to), self.element_type(from)];
        let whole = |ty: &&CTypeId| !c_memory::is_character(self.unit, **ty);
        let known = types.iter().flatten().find(whole);
        // What is copied as characters is what it is copied to or from.
        let Some(&some) = known.or_else(|| types.iter().flatten().next()) else {
            return refuse(span, UNSEEN);
        };
        let own = |ty: Option<CTypeId>| ty.filter(|ty| whole(&ty)).unwrap_or(some);
        let (ty, other) = (own(types[0]), own(types[1]));
        let (own, theirs) = (self.object_type(ty, span)?, self.object_type(other, span)?);
        if !self.alike(own, theirs) {
            return refuse(span, "a copy of another type is");
        }
        let each = self.size_of(ty).unwrap_or(1);
        let to_at = self.address_of(to, span)?;
        let from_at = self.address_of(from, span)?;
        let count = self.count_of(size, each, span)?;
        let pointer = self.pointer_type();
        let each = self.build.int(i128::from(each), pointer);
        // What lies behind is moved from its end on.
        let back = if name.ends_with("memmove") {
            let back = self.build.binary(BinaryOp::Lt, from_at, to_at);
            self.keep(back)
        } else {
            let bytes = self.build.binary(BinaryOp::Mul, count, each);
            self.apart_by(to_at, from_at, bytes, span);
            self.build.bool(false)
        };
        self.repeat(count, &mut |l, at| {
            let one = l.build.int(1, pointer);
            let last = l.build.binary(BinaryOp::Sub, count, one);
            let behind = l.build.binary(BinaryOp::Sub, last, at);
            let at = l.build.ite(back, behind, at);
            let by = l.build.binary(BinaryOp::Mul, at, each);
            let by = l.keep(by);
            let (to_at, from_at) = (
                l.build.binary(BinaryOp::Add, to_at, by),
                l.build.binary(BinaryOp::Add, from_at, by),
            );
            let from = l.leads_to(from_at, from, other, span)?;
            let to = l.leads_to(to_at, to, ty, span)?;
            l.copy_parts(&to, &from, span)
        })
    }

    /// What is copied lies so many bytes away from where it is copied to, or exactly there: then nothing changes.
    fn apart_by(&mut self, to: ExprId, from: ExprId, bytes: ExprId, span: Span) {
        let behind = self.build.binary(BinaryOp::Sub, to, from);
        let before = self.build.binary(BinaryOp::Sub, from, to);
        let same = self.build.binary(BinaryOp::Eq, to, from);
        let behind = self.build.binary(BinaryOp::Le, bytes, behind);
        let before = self.build.binary(BinaryOp::Le, bytes, before);
        let apart = self.build.binary(BinaryOp::And, behind, before);
        let apart = self.build.binary(BinaryOp::Or, same, apart);
        if !self.build.is_true(apart) {
            self.at(span, |l| l.expect(ErrorKind::Deref, apart, OVERLAP));
        }
    }

    /// As many elements as the program says get bytes that are known.
    fn fill_elements(&mut self, to: CExprId, byte: i128, size: CExprId, span: Span) -> Lowered<()> {
        let to = self.unconverted(to);
        let Some(ty) = self.element_type(to) else {
            return self.fill_open(to, byte, size, span);
        };
        let each = self.size_of(ty).unwrap_or(1);
        let to_at = self.address_of(to, span)?;
        let count = self.count_of(size, each, span)?;
        self.fill_from((to_at, to), (count, ty, each), byte, span)
    }

    /// A structure and as much of the array at its end as the program says.
    fn fill_open(&mut self, to: CExprId, byte: i128, size: CExprId, span: Span) -> Lowered<()> {
        let pointee = self.unit.types.pointee(self.unit[to].ty.ty).map(|p| p.ty);
        let open = pointee.and_then(|ty| c_memory::open_end(self.unit, ty));
        let last = open.and_then(|(record, ..)| self.unit.types[record].fields.as_deref()?.last());
        let element = last.and_then(|last| self.unit.types.element(last.ty.ty));
        let (Some(ty), Some((_, offset, each)), Some(element)) = (pointee, open, element) else {
            return refuse(span, UNSEEN);
        };
        let element = element.ty;
        let first = self.before_open_end(ty);
        let mut found = self.pointed(to)?;
        self.keep_indices(&mut found);
        self.fill_all(&Bytes { found, first }, byte, span)?;
        let to_at = self.address_of(to, span)?;
        let size = self.address_of(size, span)?;
        let pointer = self.pointer_type();
        let offset = self.build.int(i128::from(offset), pointer);
        let holds = self.build.binary(BinaryOp::Le, offset, size);
        self.cut_unless(holds, "a part of a structure is meant here".to_owned())?;
        let size = self.build.binary(BinaryOp::Sub, size, offset);
        let size = self.keep(size);
        let count = self.count_within(size, each, span)?;
        let to_at = self.build.binary(BinaryOp::Add, to_at, offset);
        let to_at = self.keep(to_at);
        self.fill_from((to_at, to), (count, element, each), byte, span)
    }

    /// So many elements of a type, from an address to which a pointer leads.
    fn fill_from(
        &mut self,
        (to_at, to): (ExprId, CExprId),
        (count, ty, each): (ExprId, CTypeId, u64),
        byte: i128,
        span: Span,
    ) -> Lowered<()> {
        let pointer = self.pointer_type();
        let each = self.build.int(i128::from(each), pointer);
        self.repeat(count, &mut |l, at| {
            let by = l.build.binary(BinaryOp::Mul, at, each);
            let at = l.build.binary(BinaryOp::Add, to_at, by);
            let found = l.leads_to(at, to, ty, span)?;
            l.fill_all(&Bytes { found, first: None }, byte, span)
        })
    }

    /// The object, by a pointer to it or to the first of its elements.
    fn bytes(&mut self, arg: CExprId, size: CExprId, span: Span) -> Lowered<Bytes> {
        let arg = self.unconverted(arg);
        let (found, ty) = match self.unit[arg].kind {
            C::AddressOf(place) | C::Decay(place) => (self.place(place)?, self.unit[place].ty.ty),
            _ => {
                let pointee = self.unit.types.pointee(self.unit[arg].ty.ty);
                let Some(pointee) = pointee.filter(|p| !self.is_void(p.ty)) else {
                    return refuse(span, UNSEEN);
                };
                (self.pointed(arg)?, pointee.ty)
            }
        };
        let size = self.unit.constant(size).and_then(|n| u64::try_from(n).ok());
        let whole = self.size_of(ty);
        let first = match (size, whole) {
            // Without the array that follows it in memory.
            (Some(size), Some(whole)) if size == whole => self.before_open_end(ty),
            (Some(size), Some(whole)) if size < whole => match self.elements(ty, size) {
                Some(count) => Some(count),
                None => return refuse(span, "a part of an object as bytes is"),
            },
            _ => return refuse(span, "a part of an object, or several, as bytes is"),
        };
        let mut found = found;
        self.keep_indices(&mut found);
        Ok(Bytes { found, first })
    }

    fn size_of(&self, ty: CTypeId) -> Option<u64> {
        self.unit.types.layout(ty).map(|l| l.size)
    }

    /// How many elements of an array so many bytes are.
    fn elements(&self, array: CTypeId, size: u64) -> Option<u64> {
        let element = self.unit.types.element(array)?;
        let each = self.size_of(element.ty).filter(|&n| n > 0)?;
        size.is_multiple_of(each).then_some(size / each)
    }

    /// The parts of an object, or the first of them.
    fn bytes_parts(&mut self, bytes: &Bytes) -> Option<Vec<(Step, TypeId)>> {
        if self.is_long(bytes) {
            return None;
        }
        let mut parts = self.parts_of(bytes.found.ty)?;
        if let Some(first) = bytes.first {
            parts.truncate(usize::try_from(first).unwrap_or(usize::MAX));
        }
        Some(parts)
    }

    fn is_long(&self, bytes: &Bytes) -> bool {
        self.long_array(bytes.found.ty).is_some()
    }

    /// How many elements of an array are meant, and their type.
    fn elements_of(&self, bytes: &Bytes) -> Option<(u64, TypeId)> {
        match *self.build.types().get(bytes.found.ty) {
            Type::Array(len, element) => Some((bytes.first.unwrap_or(len.into()), element)),
            _ => None,
        }
    }

    fn fill(&mut self, to: CExprId, byte: CExprId, size: CExprId, span: Span) -> Lowered<()> {
        // The value is converted to a byte.
        let Some(byte) = self.unit.constant(byte).map(|byte| byte & 0xff) else {
            return refuse(span, "an object of bytes that are not known here is");
        };
        if !self.is_part(to, size) {
            return self.fill_elements(to, byte, size, span);
        }
        let to = self.bytes(to, size, span)?;
        self.fill_all(&to, byte, span)
    }

    fn fill_all(&mut self, to: &Bytes, byte: i128, span: Span) -> Lowered<()> {
        if self.is_long(to)
            && let Some((count, element)) = self.elements_of(to)
        {
            return self.each_part(count, span, &mut |l, step| {
                let found = to.found.part(step, element);
                l.fill_all(&Bytes { found, first: None }, byte, span)
            });
        }
        match self.bytes_parts(to) {
            None => {
                let value = if byte == 0 {
                    self.zero(to.found.ty)
                } else {
                    let Type::Bits(bits) = self.build.types().get(to.found.ty) else {
                        return refuse(span, "an object of bytes other than zero is");
                    };
                    let bytes = bits.width / 8;
                    let value = (0..bytes).fold(0, |value, _| value << 8 | byte);
                    let value = ir::arith::convert(self.build.types(), to.found.ty, value);
                    self.build.int(value, to.found.ty)
                };
                self.store(&to.found, value)
            }
            Some(parts) => parts.into_iter().try_for_each(|(step, ty)| {
                let found = to.found.part(step, ty);
                self.fill_all(&Bytes { found, first: None }, byte, span)
            }),
        }
    }

    fn copy_bytes(&mut self, to: CExprId, from: CExprId, size: CExprId, span: Span) -> Lowered<()> {
        let to = self.bytes(to, size, span)?;
        let from = self.bytes(from, size, span)?;
        if to.first.is_none() && from.first.is_none() && to.found.ty == from.found.ty {
            return self.copy_parts(&to.found, &from.found, span);
        }
        if (self.is_long(&to) || self.is_long(&from))
            && let Some((count, element)) = self.elements_of(&to)
            && self.elements_of(&from) == Some((count, element))
        {
            return self.each_part(count, span, &mut |l, step| {
                let (to, from) = (to.found.part(step, element), from.found.part(step, element));
                l.copy_parts(&to, &from, span)
            });
        }
        let parts = (self.bytes_parts(&to), self.bytes_parts(&from));
        let (Some(to_parts), Some(from_parts)) = parts else {
            return refuse(span, "a copy of another type is");
        };
        if to_parts.len() != from_parts.len()
            || to_parts.iter().zip(&from_parts).any(|(t, f)| t.1 != f.1)
        {
            return refuse(span, "a copy of another type is");
        }
        for ((step, ty), (other, _)) in to_parts.into_iter().zip(from_parts) {
            let (to, from) = (to.found.part(step, ty), from.found.part(other, ty));
            self.copy_parts(&to, &from, span)?;
        }
        Ok(())
    }
}
