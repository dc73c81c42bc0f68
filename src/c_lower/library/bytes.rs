//! Objects as bytes: `memset`, `memcpy` and `memmove` of whole objects, of the first elements of arrays, and of as many
//! elements as the program says.

use super::{Call, OVERLAP, Value};
use crate::place::Where;
use crate::seen::{BETWEEN, NO_TRUTH_VALUE};
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{BinaryOp as COp, ExprId as CExprId, ExprKind as C};
use c::types::{IntKind, TypeId as CTypeId, Types};
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, LoopId, Step, StmtKind, Type, TypeId, Types as IrTypes};

/// Up to this many elements are copied without a loop.
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
        // An argument with effects is evaluated only once: if its value is the result, it does not also become a place.
        let once = used && args.first().is_some_and(|&to| self.acts(to));
        let mut result = match (used && !once, args.first()) {
            (true, Some(&to)) => Some(self.address_of(self.unconverted(to), span)?),
            _ => None,
        };
        match (name, args) {
            ("memset" | "__builtin_memset", &[to, byte, size]) => {
                let byte = self.value(byte)?;
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

    /// The type of the object to which an argument leads.
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
        // Structures come first: their parts are no longer than what lies there.
        known.sort_by_key(|&ty| !self.is_structure(ty));
        let unseen: Vec<CExprId> = (pointers.iter().copied())
            .filter(|&p| self.element_type(p).is_none())
            .collect();
        if known.is_empty()
            && let &[only] = self.types_behind(&unseen).as_slice()
        {
            let only = self.number_throughout(only).unwrap_or(only);
            // If an object of this type also has characters in it, the program may mean the bytes as characters.
            let mut whole = self.size_of(only).is_some_and(|size| size > 0);
            whole &= c_memory::open_end(self.unit, only).is_none();
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
        known.retain(fits);
        for ty in known {
            if self.is_part_of_all(ty, pointers, span)?
                || c_memory::numbers(self.unit, ty).is_some()
            {
                return Ok(ty);
            }
        }
        Ok(character)
    }

    /// Whether all objects behind pointers have parts of a type, if it is a structure.
    fn is_part_of_all(&mut self, ty: CTypeId, pointers: &[CExprId], span: Span) -> Lowered<bool> {
        let mut all = true;
        if self.is_structure(ty) {
            for object in self.objects_behind_all(pointers) {
                all &= self.has_part(object, ty, false, span)?;
            }
        }
        Ok(all)
    }

    /// The type of the array at the end of a structure, if all members before it are numbers of its size.
    fn number_throughout(&self, ty: CTypeId) -> Option<CTypeId> {
        let (record, _, each) = c_memory::open_end(self.unit, ty)?;
        let (last, before) = self.unit.types[record].fields.as_deref()?.split_last()?;
        let alike = before.iter().all(|field| {
            let numbers = c_memory::numbers(self.unit, field.ty.ty);
            let alike =
                |(at, ty)| (field.offset + at) % each == 0 && self.size_of(ty) == Some(each);
            field.bits.is_none() && numbers.is_some_and(|all| all.into_iter().all(alike))
        });
        let element = self.unit.types.element(last.ty.ty)?.ty;
        (alike && self.unit.types.is_scalar(element)).then_some(element)
    }

    /// Returns the parts of an element, by offset in bytes and type, and whether accesses of that type also look at bytes: itself, if
    /// all objects behind the pointers have such parts; otherwise its numbers, and the bytes between them.
    fn parts_of_element(
        &mut self,
        ty: CTypeId,
        pointers: &[CExprId],
        span: Span,
    ) -> Lowered<Vec<(u64, CTypeId, bool)>> {
        let mut own = vec![(0, ty)];
        if !self.is_part_of_all(ty, pointers, span)? {
            let Some(numbers) = c_memory::numbers(self.unit, ty) else {
                let what = "a structure with unions, bit-fields, or very many members as bytes is";
                return refuse(span, what);
            };
            own = numbers;
            let gaps = c_memory::gaps(self.unit, ty).into_iter();
            own.extend(gaps.map(|at| (at, Types::int(IntKind::UChar))));
        }
        let mut parts = Vec::new();
        for (offset, ty) in own {
            parts.push((offset, ty, self.has_others(ty, pointers, span)?));
        }
        Ok(parts)
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

    /// Moves an address by `by` bytes.
    pub(crate) fn further(&mut self, at: ExprId, by: u64) -> ExprId {
        if by == 0 {
            return at;
        }
        let by = self.build.int(i128::from(by), self.build.ty(at));
        self.build.binary(BinaryOp::Add, at, by)
    }

    /// Whether `size` is a product with the size of an element. Then it is whole elements, even if the product overflows.
    fn is_whole(&self, size: CExprId, ty: CTypeId) -> bool {
        let each = self.size_of(ty).filter(|each| each.is_power_of_two());
        let whole = |e: CExprId| {
            self.constant_size(e)
                .zip(each)
                .is_some_and(|(n, each)| n.is_multiple_of(each))
        };
        match self.unit[size].kind {
            C::Binary(COp::Mul, l, r) => whole(l) || whole(r),
            _ => false,
        }
    }

    /// Splits `size` bytes into elements of a type, and characters for the rest. `said` is the expression of the size, if any.
    fn runs(&mut self, size: ExprId, said: Option<CExprId>, ty: CTypeId) -> Vec<Run> {
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
        let whole = said.is_some_and(|said| self.is_whole(said, ty));
        if self.build.literal(rest) != Some(0) && !whole {
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

    /// Copies as many elements as the program says, one after the other. Returns the address of the target.
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
        let said = Some(size);
        let size = self.address_of(size, span)?;
        // If the source lies before its target, the copy goes backwards.
        let moves = name.ends_with("memmove");
        let back = if moves {
            let back = self.build.binary(BinaryOp::Lt, from_at, to_at);
            self.keep(back)
        } else {
            self.apart_by(to_at, from_at, size, span);
            self.build.bool(false)
        };
        let (to, from) = ((to_at, to), (from_at, from));
        self.by_elements(ty, &[to, from], &mut |l, ty| {
            let mut runs = l.runs(size, said, ty);
            if moves && runs.len() > 1 {
                runs = l.runs(size, None, Types::int(IntKind::UChar));
            }
            let mut runs = runs.iter();
            runs.try_for_each(|run| l.copy_run(run, to, from, back, span))
        })?;
        Ok(to_at)
    }

    /// Acts on elements of a type. Where an address is not aligned for that type, acts on characters.
    fn by_elements(
        &mut self,
        ty: CTypeId,
        places: &[(ExprId, CExprId)],
        act: &mut dyn FnMut(&mut Self, CTypeId) -> Lowered<()>,
    ) -> Lowered<()> {
        let mut aligned = self.build.bool(true);
        for &(at, pointer) in places {
            if let Some(fits) = self.is_aligned(ty, at, pointer) {
                aligned = self.build.binary(BinaryOp::And, aligned, fits);
            }
        }
        let characters = Types::int(IntKind::UChar);
        if self.build.is_true(aligned) {
            return act(self, ty);
        }
        if self.build.is_false(aligned) {
            return act(self, characters);
        }
        let aligned = self.keep(aligned);
        let (yes, ()) = self.apart(|l| act(l, ty))?;
        let (no, ()) = self.apart(|l| act(l, characters))?;
        self.emit(StmtKind::If(aligned, yes, no));
        Ok(())
    }

    /// Makes the condition that an address is aligned for a type. `None` if the pointer's own type or its objects make it needless.
    fn is_aligned(&mut self, ty: CTypeId, at: ExprId, pointer: CExprId) -> Option<ExprId> {
        let align = self.unit.types.layout(ty)?.align;
        let character =
            |ty: Option<CTypeId>| ty.is_none_or(|ty| c_memory::is_character(self.unit, ty));
        let objects = self.objects_behind(pointer).into_iter();
        let any = character(self.element_type(pointer))
            && !objects.map(|o| self.element_of(o)).all(character);
        if align <= 1 || !any {
            return None;
        }
        let (by, zero) = (self.size(align.into()), self.size(0));
        let rest = self.build.binary(BinaryOp::Rem, at, by);
        Some(self.build.binary(BinaryOp::Eq, rest, zero))
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
        let parts = self.parts_of_element(run.ty, &[to, from], span)?;
        self.repeat(run.count, &mut |l, at| {
            let one = l.build.int(1, pointer);
            let last = l.build.binary(BinaryOp::Sub, run.count, one);
            let behind = l.build.binary(BinaryOp::Sub, last, at);
            let at = l.build.ite(back, behind, at);
            let by = l.offset(run, at);
            let by = l.keep(by);
            let to_at = l.build.binary(BinaryOp::Add, to_at, by);
            let from_at = l.build.binary(BinaryOp::Add, from_at, by);
            for &(offset, ty, bytes) in &parts {
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

    /// Fills as many elements as the program says with a byte. Returns the address of the target.
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
        let said = Some(size);
        let size = self.address_of(size, span)?;
        self.by_elements(ty, &[(to_at, to)], &mut |l, ty| {
            let runs = l.runs(size, said, ty);
            runs.iter()
                .try_for_each(|run| l.fill_run(run, (to_at, to), byte, span))
        })?;
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
        for run in self.runs(size, None, element.ty) {
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
        self.fills_gaps(run.ty, byte, span)?;
        let parts = self.parts_of_element(run.ty, &[to], span)?;
        self.repeat(run.count, &mut |l, at| {
            let by = l.offset(run, at);
            let at = l.build.binary(BinaryOp::Add, to_at, by);
            for &(offset, ty, bytes) in &parts {
                let at = l.further(at, offset);
                let found = l.leads_to_parts((at, to), ty, bytes, span)?;
                l.fill_all(&Bytes { found, first: None }, byte, span)?;
            }
            Ok(())
        })
    }

    /// Returns the object to which an argument points, perhaps by a pointer to its first element.
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
            // The call leaves out the array that follows the structure in memory.
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

    /// Fills with a byte; with `once`, by the address alone. Returns the address if it was computed.
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
        if let Some(ty) = self.type_meant(to) {
            self.fills_gaps(ty, byte, span)?;
        }
        let to = self.bytes(to, size, span)?;
        self.fill_all(&to, byte, span)?;
        Ok(None)
    }

    /// Bytes between members are zeros. If the program looks at such bytes anywhere, executions that fill them with another byte
    /// are not followed. Lowering knows that at the end.
    fn fills_gaps(&mut self, ty: CTypeId, byte: ExprId, span: Span) -> Lowered<()> {
        if self.build.literal(byte) == Some(0) || c_memory::gaps(self.unit, ty).is_empty() {
            return Ok(());
        }
        let seen = match self.gaps.1 {
            Some(seen) => seen,
            None => self.hidden_global("gaps.", IrTypes::BOOL),
        };
        self.gaps.1 = Some(seen);
        let (seen, zero) = (
            self.build.global(seen),
            self.build.int(0, self.build.ty(byte)),
        );
        let unseen = self.build.not(seen);
        let stays = self.build.binary(BinaryOp::Eq, byte, zero);
        let stays = self.build.binary(BinaryOp::Or, unseen, stays);
        self.at(span, |l| l.cut_unless(stays, BETWEEN.to_owned()))
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
                let value = self.of_bytes(to.found.ty, byte, span)?;
                self.store(&to.found, value)
            }
            Some(parts) => parts.into_iter().try_for_each(|(step, ty)| {
                let found = to.found.part(step, ty);
                self.fill_all(&Bytes { found, first: None }, byte, span)
            }),
        }
    }

    /// The value of a type whose bytes all are `byte`.
    fn of_bytes(&mut self, ty: TypeId, byte: ExprId, span: Span) -> Lowered<ExprId> {
        if self.build.literal(byte) == Some(0) {
            return Ok(self.zero(ty));
        }
        match *self.build.types().get(ty) {
            Type::Bool => {
                let one = self.build.int(1, self.build.ty(byte));
                let valid = self.build.binary(BinaryOp::Le, byte, one);
                self.cut_unless(valid, NO_TRUTH_VALUE.to_owned())?;
                Ok(self.build.binary(BinaryOp::Eq, byte, one))
            }
            Type::Bits(bits) => {
                let whole = self.bits_of_width(bits.width.into());
                let ones = (0..bits.width / 8).fold(0, |ones, _| ones << 8 | 1);
                let ones = self.build.int(ones, whole);
                let byte = self.build.convert(byte, whole);
                let value = self.build.binary(BinaryOp::Mul, byte, ones);
                Ok(self.build.convert(value, ty))
            }
            _ => refuse(
                span,
                "a part that is no integer, of bytes other than zero, is",
            ),
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
