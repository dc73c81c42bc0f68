//! Objects as bytes: `memset`, `memcpy` and `memmove` of whole objects and of the first elements of arrays.

use super::{Call, Value};
use crate::c::lower::place::Where;
use crate::c::lower::{Lowered, Lowerer, refuse};
use crate::c::typed::{ExprId as CExprId, ExprKind as C};
use crate::c::types::TypeId as CTypeId;
use crate::ir::{Step, Type, TypeId};
use crate::source::Span;

/// The objects that a call means.
struct Bytes {
    /// The object, or the array.
    found: Where,
    /// How many elements, if only these.
    first: Option<u64>,
}

impl Lowerer<'_> {
    pub(super) fn bytes_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name, args, span, ..
        } = call;
        match (name, args) {
            ("memset" | "__builtin_memset", &[to, byte, size]) => {
                self.fill(to, byte, size, span)?;
            }
            ("bzero", &[to, size]) => {
                let to = self.bytes(to, size, span)?;
                self.fill_all(&to, 0, span)?;
            }
            ("memcpy" | "memmove" | "__builtin_memcpy", &[to, from, size]) => {
                self.copy_bytes(to, from, size, span)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(Value(None)))
    }

    /// The object, by a pointer to it or to the first of its elements.
    fn bytes(&mut self, arg: CExprId, size: CExprId, span: Span) -> Lowered<Bytes> {
        let arg = self.unconverted(arg);
        let (found, ty) = match self.unit[arg].kind {
            C::AddressOf(place) | C::Decay(place) => (self.place(place)?, self.unit[place].ty.ty),
            _ => {
                let pointee = self.unit.types.pointee(self.unit[arg].ty.ty);
                let Some(pointee) = pointee.filter(|p| !self.is_void(p.ty)) else {
                    return refuse(span, "bytes of an object whose type is not seen here are");
                };
                (self.pointed(arg)?, pointee.ty)
            }
        };
        let size = self.unit.constant(size).and_then(|n| u64::try_from(n).ok());
        let whole = self.size_of(ty);
        let first = match (size, whole) {
            (Some(size), Some(whole)) if size == whole => None,
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
    fn bytes_parts(&mut self, bytes: &Bytes, span: Span) -> Lowered<Option<Vec<(Step, TypeId)>>> {
        let Some(mut parts) = self.parts_of(bytes.found.ty, span)? else {
            return Ok(None);
        };
        if let Some(first) = bytes.first {
            parts.truncate(usize::try_from(first).unwrap_or(usize::MAX));
        }
        Ok(Some(parts))
    }

    fn fill(&mut self, to: CExprId, byte: CExprId, size: CExprId, span: Span) -> Lowered<()> {
        // The value is converted to a byte.
        let Some(byte) = self.unit.constant(byte).map(|byte| byte & 0xff) else {
            return refuse(span, "an object of bytes that are not known here is");
        };
        let to = self.bytes(to, size, span)?;
        self.fill_all(&to, byte, span)
    }

    fn fill_all(&mut self, to: &Bytes, byte: i128, span: Span) -> Lowered<()> {
        match self.bytes_parts(to, span)? {
            None => {
                let value = if byte == 0 {
                    self.zero(to.found.ty)
                } else {
                    let Type::Bits(bits) = self.build.types().get(to.found.ty) else {
                        return refuse(span, "an object of bytes other than zero is");
                    };
                    let bytes = bits.width / 8;
                    let value = (0..bytes).fold(0, |value, _| value << 8 | byte);
                    let value = crate::ir::arith::convert(self.build.types(), to.found.ty, value);
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
        let parts = (self.bytes_parts(&to, span)?, self.bytes_parts(&from, span)?);
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
