//! Addresses of variables and their parts, and pointers that are moved by elements.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C, VarId};
use c::types::{Length, Type as CType, TypeId as CTypeId};
use c_memory::Object;
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, TypeId};

impl Lowerer<'_> {
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
                let member = record.and_then(|r| self.unit.types.member_at(r, field));
                let Some(offset) = member.map(|f| f.offset) else {
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
        let number = self.instance(id, span)?;
        let number = self.build.convert(number, ty);
        let stride = self.build.int(i128::from(stride), ty);
        let moved = self.build.binary(BinaryOp::Mul, number, stride);
        Ok(self.build.binary(BinaryOp::Add, base, moved))
    }

    /// Moves a pointer by `by` elements, backwards if `back` is set.
    pub(super) fn moved(
        &mut self,
        pointer: CExprId,
        by: CExprId,
        back: bool,
        span: Span,
    ) -> Lowered<ExprId> {
        let (base, by) = self.pair(pointer, by)?;
        let pointee = self.pointee(self.unit[pointer].ty.ty, span)?;
        self.moved_value(base, by, pointee, back, span)
    }

    pub(super) fn pointee(&self, pointer: CTypeId, span: Span) -> Lowered<CTypeId> {
        match self.unit.types.pointee(pointer) {
            Some(pointee) => Ok(pointee.ty),
            None => refuse(span, "arithmetic on this pointer is"),
        }
    }

    /// The address of an element of an array that is only known by its address.
    pub(super) fn indexed(&mut self, array: CExprId, by: CExprId, span: Span) -> Lowered<ExprId> {
        let (base, mut by) = self.pair(array, by)?;
        if let C::Decay(array) = self.unit[array].kind
            && !c_memory::is_open_member(self.unit, array)
        {
            by = self.keep(by);
            self.within_length(array, by, span)?;
        }
        let element = self.pointee(self.unit[array].ty.ty, span)?;
        self.moved_value(base, by, element, false, span)
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
        let size = self.bytes_of(pointee, ty, span)?;
        let by = self.build.binary(BinaryOp::Mul, by, size);
        let op = if back { BinaryOp::Sub } else { BinaryOp::Add };
        Ok(self.build.binary(op, base, by))
    }

    /// How many bytes an object of a type has, as a number of some type.
    pub(super) fn bytes_of(&mut self, of: CTypeId, ty: TypeId, span: Span) -> Lowered<ExprId> {
        if self.unit.types.is_variable(of)
            && let Some(length) = self.length(of, ty, span)?
            && let Some(element) = self.unit.types.element(of)
        {
            let each = self.bytes_of(element.ty, ty, span)?;
            return Ok(self.build.binary(BinaryOp::Mul, length, each));
        }
        let size = c_memory::size_of(self.unit, of);
        Ok(self.build.int(i128::from(size), ty))
    }

    /// The length of an array, as a number of some type.
    pub(super) fn length(
        &mut self,
        array: CTypeId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let length = match *self.unit.types.shape(array) {
            CType::Array(_, Length::Variable(length)) => self.value(length)?,
            CType::Array(_, Length::Known(count)) => self.build.int(i128::from(count), ty),
            _ => return Ok(None),
        };
        self.converted(length, ty, span).map(Some)
    }

    /// Returns the type of the machine integers that stand for pointers.
    pub(super) fn pointer_type(&mut self) -> TypeId {
        let bits = ir::Bits {
            width: (self.unit.types.pointer_size() * 8) as u8,
            signed: false,
        };
        self.build.program.types.address(bits)
    }

    /// Returns the expression without the conversions of pointers around it.
    pub(super) fn unconverted(&self, e: CExprId) -> CExprId {
        c_memory::unconverted(self.unit, e)
    }
}
