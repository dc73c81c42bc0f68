//! Objects as bytes: `memset`, `memcpy` and `memmove` of whole objects, of the first elements of arrays, and of as many
//! elements as the program says.

use super::{Call, OVERLAP, Value};
use crate::place::Where;
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C};
use c::types::{IntKind, TypeId as CTypeId, Types};
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, LoopId, Step, StmtKind, Type, TypeId};

/// Up to so many elements are copied without a loop.
const MOST_IN_PLACE: i128 = 16;

/// The objects that a call means.
struct Bytes {
    /// The object, or the array.
    found: Where,
    /// How many of its first parts are meant, if not all.
    first: Option<u64>,
}

/// Elements of a type that lie behind each other.
struct Run {
    ty: CTypeId,
    /// Bytes of an element.
    each: u64,
    count: ExprId,
    /// The offset of the first element in bytes, from where all runs begin.
    from: ExprId,
}

/// The refusal of bytes that are to be copied or filled.
const UNSEEN: &str = "bytes of an object whose type is not seen here (cast the pointer to the type of what it leads to) are";

impl Lowerer<'_> {
    pub(super) fn bytes_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name, args, span, ..
        } = call;
        let plain = name.trim_start_matches("__builtin_");
        if !["memset", "memcpy", "memmove", "bzero"].contains(&plain) {
            return Ok(None);
        }
        let ty = self.unit[call.e].ty.ty;
        let used = !self.is_void(ty) && !self.memory.dropped.contains(&call.e);
        // An argument that does something is evaluated once: where its value is the result, no place stands for it.
        let once = used && args.first().is_some_and(|&to| self.acts(to));
        let mut result = match (used && !once, args.first()) {
            (true, Some(&to)) => Some(self.address_of(self.unconverted(to), span)?),
            _ => None,
        };
        match (name, args) {
            ("memset" | "__builtin_memset", &[to, byte, size]) => {
                let byte = self.value(byte)?;
                // The value is converted to a byte.
                let ty = self.bits_of_width(8);
                let byte = self.converted(byte, ty, span)?;
                let byte = self.keep(byte);
                let at = self.fill(to, byte, size, once, span)?;
                result = result.or(at);
            }
            ("bzero", &[to, size]) => {
                let byte = self.bits_of_width(8);
                let zero = self.build.int(0, byte);
                self.fill(to, zero, size, once, span)?;
            }
            (
                "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove",
                &[to, from, size],
            ) => {
                if !once && self.are_alike(to, from, size, span)? {
                    self.copy_bytes(to, from, size, span)?;
                } else {
                    let at = self.copy_elements(name, (to, from), size, span)?;
                    result = result.or(Some(at));
                }
            }
            _ => return Ok(None),
        }
        let Some(result) = result.filter(|_| used) else {
            return Ok(Some(Value(None)));
        };
        let ty = self.scalar_type(ty, span)?;
        self.converted(result, ty, span)
            .map(|v| Some(Value(Some(v))))
    }

    /// The type of what an argument leads to.
    fn type_meant(&self, arg: CExprId) -> Option<CTypeId> {
        let arg = self.unconverted(arg);
        match self.unit[arg].kind {
            C::AddressOf(place) | C::Decay(place) => Some(self.unit[place].ty.ty),
            _ => self.unit.types.pointee(self.unit[arg].ty.ty).map(|p| p.ty),
        }
    }

    fn constant_size(&self, size: CExprId) -> Option<u64> {
        self.unit.constant(size).and_then(|n| u64::try_from(n).ok())
    }

    /// Whether `size` is known, and covers all of the object that an argument means, or the first elements of it.
    fn is_part(&self, arg: CExprId, size: CExprId) -> bool {
        let (ty, size) = (self.type_meant(arg), self.constant_size(size));
        let Some((ty, size)) = ty.zip(size) else {
            return false;
        };
        let arg = &self.unit[self.unconverted(arg)].kind;
        let named = matches!(arg, C::AddressOf(_) | C::Decay(_));
        // A pointer to characters leads to bytes of anything.
        if !named && c_memory::is_character(self.unit, ty) {
            return false;
        }
        let whole = self.size_of(ty);
        whole == Some(size) || whole > Some(size) && self.elements(ty, size).is_some()
    }

    /// Whether `size` bytes are known parts of two objects, and both objects are made of the same type.
    fn are_alike(
        &mut self,
        to: CExprId,
        from: CExprId,
        size: CExprId,
        span: Span,
    ) -> Lowered<bool> {
        let parts = self.is_part(to, size) && self.is_part(from, size);
        if !parts || self.leads_to_array(to) != self.leads_to_array(from) {
            return Ok(false);
        }
        let types = (self.type_meant(to), self.type_meant(from));
        let Some((to, from)) = types.0.zip(types.1).filter(|(to, _)| !self.is_void(*to)) else {
            return Ok(false);
        };
        let (to, from) = (self.object_type(to, span)?, self.object_type(from, span)?);
        let types = self.build.types();
        Ok(to == from
            || matches!((types.get(to), types.get(from)), (Type::Array(_, a), Type::Array(_, b)) if a == b))
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
        let pointee = self.unit.types.pointee(self.unit[pointer].ty.ty)?.ty;
        let ty = c_memory::innermost(self.unit, pointee);
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

    /// Runs `act` `count` times, with the number of the turn.
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

    /// Evaluates an address or a size, and keeps its value.
    pub(super) fn address_of(&mut self, arg: CExprId, span: Span) -> Lowered<ExprId> {
        let ty = self.pointer_type();
        let at = self.value(arg)?;
        let at = self.converted(at, ty, span)?;
        Ok(self.keep(at))
    }

    /// Returns the type of the elements in which bytes behind pointers are copied or filled: characters if none is known.
    fn element_behind(
        &mut self,
        pointers: &[CExprId],
        size: CExprId,
        span: Span,
    ) -> Lowered<CTypeId> {
        let character = Types::int(IntKind::UChar);
        let size = self.constant_size(size);
        let mut known: Vec<CTypeId> = pointers
            .iter()
            .filter_map(|&p| self.element_type(p))
            .collect();
        known.retain(|&ty| !c_memory::is_character(self.unit, ty));
        // The parts of a structure are no longer than what lies there.
        known.sort_by_key(|&ty| !self.is_structure(ty));
        let unseen: Vec<CExprId> = (pointers.iter().copied())
            .filter(|&p| self.element_type(p).is_none())
            .collect();
        if known.is_empty()
            && let &[only] = self.types_behind(&unseen).as_slice()
        {
            // If an object of this type has characters in it, too, the bytes may be meant as those.
            let mut whole = self.size_of(only).is_some_and(|size| size > 0);
            for object in self.objects_behind_all(&unseen) {
                let own = self.has_part(object, only, false, span)?;
                whole &= !own || !self.has_part(object, character, false, span)?;
            }
            known.extend(whole.then_some(only));
        }
        let fits = |&ty: &CTypeId| {
            let each = self.size_of(ty).unwrap_or(1);
            size.is_none_or(|size| size.is_multiple_of(each))
        };
        Ok(known.into_iter().find(fits).unwrap_or(character))
    }

    /// Returns the parts of an element, by offset in bytes and type: itself, if all objects behind the pointers have such parts.
    fn numbers_of(
        &mut self,
        ty: CTypeId,
        pointers: &[CExprId],
        span: Span,
    ) -> Lowered<Vec<(u64, CTypeId)>> {
        let mut exact = true;
        if self.is_structure(ty) {
            for object in self.objects_behind_all(pointers) {
                exact &= self.has_part(object, ty, false, span)?;
            }
        }
        let mut numbers = Vec::new();
        if exact {
            numbers.push((0, ty));
        } else if !self.numbers_in(ty, 0, &mut numbers) {
            return refuse(
                span,
                "a structure with unions, bit-fields, or very many members as bytes is",
            );
        }
        Ok(numbers)
    }

    /// Whether accesses of a type also look at bytes: it is a character, or some object behind the pointers is not made of it.
    fn has_others(&mut self, ty: CTypeId, pointers: &[CExprId], span: Span) -> Lowered<bool> {
        if self.is_structure(ty) {
            return Ok(false);
        }
        let own = self.object_type(ty, span)?;
        for object in self.objects_behind_all(pointers) {
            if !self.covers(object, own)? {
                return Ok(true);
            }
        }
        Ok(c_memory::is_character(self.unit, ty))
    }

    /// Moves an address by so many bytes.
    fn further(&mut self, at: ExprId, by: u64) -> ExprId {
        if by == 0 {
            return at;
        }
        let by = self.build.int(i128::from(by), self.build.ty(at));
        self.build.binary(BinaryOp::Add, at, by)
    }

    /// Splits `size` bytes into elements of a type, and characters for the rest.
    fn runs(&mut self, size: ExprId, ty: CTypeId) -> Vec<Run> {
        let pointer = self.pointer_type();
        let each = self.size_of(ty).unwrap_or(1);
        let by = self.build.int(i128::from(each), pointer);
        let count = self.build.binary(BinaryOp::Div, size, by);
        let count = self.keep(count);
        let rest = self.build.binary(BinaryOp::Rem, size, by);
        let zero = self.build.int(0, pointer);
        let mut runs = vec![Run {
            ty,
            each,
            count,
            from: zero,
        }];
        if self.build.literal(rest) != Some(0) {
            let from = self.build.binary(BinaryOp::Mul, count, by);
            runs.push(Run {
                ty: Types::int(IntKind::UChar),
                each: 1,
                count: self.keep(rest),
                from: self.keep(from),
            });
        }
        runs
    }

    /// Copies as many elements as the program says, one after the other. Returns where the first went.
    fn copy_elements(
        &mut self,
        name: &str,
        (to, from): (CExprId, CExprId),
        size: CExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        let (to, from) = (self.unconverted(to), self.unconverted(from));
        let ty = self.element_behind(&[to, from], size, span)?;
        let to_at = self.address_of(to, span)?;
        let from_at = self.address_of(from, span)?;
        let size = self.address_of(size, span)?;
        let mut runs = self.runs(size, ty);
        // A source that lies before its target is copied from its end on.
        let back = if name.ends_with("memmove") {
            let back = self.build.binary(BinaryOp::Lt, from_at, to_at);
            if runs.len() > 1 {
                runs = self.runs(size, Types::int(IntKind::UChar));
            }
            self.keep(back)
        } else {
            self.apart_by(to_at, from_at, size, span);
            self.build.bool(false)
        };
        for run in runs {
            self.copy_run(&run, (to_at, to), (from_at, from), back, span)?;
        }
        Ok(to_at)
    }

    fn copy_run(
        &mut self,
        run: &Run,
        (to_at, to): (ExprId, CExprId),
        (from_at, from): (ExprId, CExprId),
        back: ExprId,
        span: Span,
    ) -> Lowered<()> {
        let pointer = self.pointer_type();
        let numbers = self.numbers_of(run.ty, &[to, from], span)?;
        let bytes = self.has_others(run.ty, &[to, from], span)?;
        self.repeat(run.count, &mut |l, at| {
            let one = l.build.int(1, pointer);
            let last = l.build.binary(BinaryOp::Sub, run.count, one);
            let behind = l.build.binary(BinaryOp::Sub, last, at);
            let at = l.build.ite(back, behind, at);
            let by = l.offset(run, at);
            let by = l.keep(by);
            let to_at = l.build.binary(BinaryOp::Add, to_at, by);
            let from_at = l.build.binary(BinaryOp::Add, from_at, by);
            for &(offset, ty) in &numbers {
                let (to_at, from_at) = (l.further(to_at, offset), l.further(from_at, offset));
                let from = l.leads_to_parts((from_at, from), ty, bytes, span)?;
                let to = l.leads_to_parts((to_at, to), ty, bytes, span)?;
                l.copy_parts(&to, &from, span)?;
            }
            Ok(())
        })
    }

    /// How many bytes behind the first an element of a run lies.
    fn offset(&mut self, run: &Run, at: ExprId) -> ExprId {
        let each = self.build.int(i128::from(run.each), self.build.ty(at));
        let by = self.build.binary(BinaryOp::Mul, at, each);
        self.build.binary(BinaryOp::Add, run.from, by)
    }

    /// Checks that two areas do not overlap. They may be the same: then the copy changes nothing.
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

    /// Fills as many elements as the program says with a byte. Returns where the first lies.
    fn fill_elements(
        &mut self,
        to: CExprId,
        byte: ExprId,
        size: CExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        let to = self.unconverted(to);
        let pointee = self.unit.types.pointee(self.unit[to].ty.ty).map(|p| p.ty);
        if let Some(ty) = pointee.filter(|&ty| c_memory::open_end(self.unit, ty).is_some()) {
            return self.fill_open((to, ty), byte, size, span);
        }
        let ty = self.element_behind(&[to], size, span)?;
        let to_at = self.address_of(to, span)?;
        let size = self.address_of(size, span)?;
        for run in self.runs(size, ty) {
            self.fill_run(&run, (to_at, to), byte, span)?;
        }
        Ok(to_at)
    }

    /// Fills a structure, and as much of the array at its end as the program says.
    fn fill_open(
        &mut self,
        (to, ty): (CExprId, CTypeId),
        byte: ExprId,
        size: CExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        let open = c_memory::open_end(self.unit, ty);
        let last = open.and_then(|(record, ..)| self.unit.types[record].fields.as_deref()?.last());
        let element = last.and_then(|last| self.unit.types.element(last.ty.ty));
        let (Some((_, offset, _)), Some(element)) = (open, element) else {
            return refuse(span, UNSEEN);
        };
        let first = self.before_open_end(ty);
        let to_at = self.address_of(to, span)?;
        let to_at = self.keep(to_at);
        let mut found = self.leads_to(to_at, to, ty, span)?;
        self.keep_indices(&mut found);
        self.fill_all(&Bytes { found, first }, byte, span)?;
        let size = self.address_of(size, span)?;
        let pointer = self.pointer_type();
        let offset = self.build.int(i128::from(offset), pointer);
        let holds = self.build.binary(BinaryOp::Le, offset, size);
        self.cut_unless(holds, "a part of a structure is meant here".to_owned())?;
        let size = self.build.binary(BinaryOp::Sub, size, offset);
        let size = self.keep(size);
        let rest = self.build.binary(BinaryOp::Add, to_at, offset);
        let rest = self.keep(rest);
        for run in self.runs(size, element.ty) {
            self.fill_run(&run, (rest, to), byte, span)?;
        }
        Ok(to_at)
    }

    fn fill_run(
        &mut self,
        run: &Run,
        (to_at, to): (ExprId, CExprId),
        byte: ExprId,
        span: Span,
    ) -> Lowered<()> {
        let bytes = self.has_others(run.ty, &[to], span)?;
        let numbers = self.numbers_of(run.ty, &[to], span)?;
        self.repeat(run.count, &mut |l, at| {
            let by = l.offset(run, at);
            let at = l.build.binary(BinaryOp::Add, to_at, by);
            for &(offset, ty) in &numbers {
                let at = l.further(at, offset);
                let found = l.leads_to_parts((at, to), ty, bytes, span)?;
                l.fill_all(&Bytes { found, first: None }, byte, span)?;
            }
            Ok(())
        })
    }

    /// The object, by a pointer to it or to the first of its elements.
    fn bytes(&mut self, arg: CExprId, size: CExprId, span: Span) -> Lowered<Bytes> {
        let arg = self.unconverted(arg);
        let (found, ty) = match self.unit[arg].kind {
            C::AddressOf(place) | C::Decay(place) => {
                (self.named_place(place)?, self.unit[place].ty.ty)
            }
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

    /// Returns how many elements of an array `size` bytes are; `None` if these are no whole elements.
    fn elements(&self, array: CTypeId, size: u64) -> Option<u64> {
        let element = self.unit.types.element(array)?;
        let each = self.size_of(element.ty).filter(|&n| n > 0)?;
        size.is_multiple_of(each).then_some(size / each)
    }

    /// Returns the parts of an object, or the first of them; `None` for a long array or a single value.
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

    /// Fills with a byte, `once` by the address alone. Returns that, if it was computed.
    fn fill(
        &mut self,
        to: CExprId,
        byte: ExprId,
        size: CExprId,
        once: bool,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        if once || !self.is_part(to, size) {
            return self.fill_elements(to, byte, size, span).map(Some);
        }
        let to = self.bytes(to, size, span)?;
        self.fill_all(&to, byte, span)?;
        Ok(None)
    }

    fn fill_all(&mut self, to: &Bytes, byte: ExprId, span: Span) -> Lowered<()> {
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
                let value = if self.build.literal(byte) == Some(0) {
                    self.zero(to.found.ty)
                } else {
                    let Type::Bits(bits) = *self.build.types().get(to.found.ty) else {
                        return refuse(
                            span,
                            "a part that is no integer, of bytes other than zero, is",
                        );
                    };
                    let whole = self.bits_of_width(bits.width.into());
                    let ones = (0..bits.width / 8).fold(0, |ones, _| ones << 8 | 1);
                    let ones = self.build.int(ones, whole);
                    let byte = self.build.convert(byte, whole);
                    let value = self.build.binary(BinaryOp::Mul, byte, ones);
                    self.build.convert(value, to.found.ty)
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
