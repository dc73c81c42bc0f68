//! Objects that are made while the program runs, and strings.

use super::{Lowered, Lowerer, refuse};
use crate::c::memory::Object;
use crate::c::typed::{ExprId as CExprId, TextId};
use crate::ir::{BinaryOp, ExprId, ExprKind, GlobalId, Place, Type};
use crate::source::Span;

/// Objects that one allocation makes at most are as large as this.
const MOST_ELEMENTS: u64 = 1 << 12;

impl Lowerer<'_> {
    /// A string as an array that nobody writes.
    pub(super) fn text(&mut self, text: TextId) -> Lowered<Place> {
        if let Some(&global) = self.texts.get(&text) {
            return Ok(self.global_place(global));
        }
        let unit = self.unit;
        let element = self.scalar_type(unit[text].element, Span::default())?;
        let mut values: Vec<ExprId> = Vec::new();
        for &value in unit[text].values.iter().chain([&0]) {
            let value = crate::ir::arith::convert(self.build.types(), element, i128::from(value));
            values.push(self.build.int(value, element));
        }
        let ty = Type::Array(values.len() as u32, element);
        let ty = self.build.program.types.intern(ty);
        let value = self.build.add(ExprKind::Array(values), ty);
        let global = self.made_global("text.", ty, value);
        self.texts.insert(text, global);
        Ok(self.global_place(global))
    }

    /// The instances of the objects that an allocation makes, and how many there are already.
    fn made_by(&mut self, site: CExprId, span: Span) -> Lowered<(GlobalId, GlobalId)> {
        if let Some(&made) = self.sites.get(&site) {
            return Ok(made);
        }
        let Some(&(ty, len)) = self.memory.heap.get(&site) else {
            return refuse(span, "this allocation is");
        };
        let area = self.memory.area(Object::Heap(site));
        let Some((count, _)) = area.and_then(|a| a.instances) else {
            return refuse(span, "this allocation is");
        };
        if len == 0 || len > MOST_ELEMENTS || ty == crate::c::types::TypeId(0) {
            return refuse(
                span,
                "an allocation of an object whose type and size are not seen here is",
            );
        }
        let mut own = self.object_type(ty, span)?;
        if len > 1 {
            own = self
                .build
                .program
                .types
                .intern(Type::Array(len as u32, own));
        }
        let all = self.build.program.types.intern(Type::Array(count, own));
        let zero = self.zero(all);
        let objects = self.made_global("heap.", all, zero);
        let number = self.number_type();
        let zero = self.build.int(0, number);
        let counter = self.made_global("allocated.", number, zero);
        self.sites.insert(site, (objects, counter));
        Ok((objects, counter))
    }

    pub(super) fn heap(&mut self, site: CExprId, span: Span) -> Lowered<Place> {
        let (objects, _) = self.made_by(site, span)?;
        Ok(self.global_place(objects))
    }

    /// A new object; its address. There are none beyond the last.
    pub(super) fn allocate(&mut self, site: CExprId, span: Span) -> Lowered<ExprId> {
        self.unwritten.get_or_insert(span);
        let (_, counter) = self.made_by(site, span)?;
        let Some(area) = self.memory.area(Object::Heap(site)) else {
            return refuse(span, "this allocation is");
        };
        let (count, stride) = area.instances.unwrap_or((1, area.size));
        let place = self.global_place(counter);
        let number = self.in_one_step(|l| {
            let number = l.peek(&place);
            let number = l.keep(number);
            let end = l.build.int(i128::from(count), place.ty);
            let within = l.build.binary(BinaryOp::Lt, number, end);
            let (trap, ()) = l.apart(|l| {
                l.unknown();
                Ok(())
            })?;
            l.emit(crate::ir::StmtKind::If(within, Vec::new(), trap));
            l.count(&place, 1);
            Ok(number)
        })?;
        let ty = self.pointer_type();
        let number = self.build.convert(number, ty);
        let stride = self.build.int(i128::from(stride), ty);
        let base = self.build.int(i128::from(area.base), ty);
        let offset = self.build.binary(BinaryOp::Mul, number, stride);
        Ok(self.build.binary(BinaryOp::Add, base, offset))
    }
}
