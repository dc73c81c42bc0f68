//! What traces show for addresses: `&x`, `&x[1].next`, the name of a function.

use super::Lowerer;
use c::typed::{FunctionId, TextId, Unit, shown};
use c::types::TypeId;
use c_memory::{Memory, Object};
use ir::{Addresses, Program, Shape};

impl Lowerer<'_> {
    /// Where the variables of the program lie, by their names.
    pub(super) fn addresses(&self, program: &Program) -> Vec<Addresses> {
        let unit = self.unit;
        let name = |object| {
            let global = match object {
                Object::Variable(v) => match self.globals.get(&v) {
                    Some(global) => *global,
                    None => return Some(self.variable_name(v)),
                },
                Object::Heap(site) => self.sites.get(&site)?.objects,
                Object::Text(text) => return Some(quoted(unit, text)),
            };
            Some(program.globals[global.index()].name.clone())
        };
        let all = self.memory.areas().filter_map(|(object, area)| {
            let size = i128::from(area.size);
            let (count, stride) = match area.instances.filter(|_| !area.own) {
                Some((count, stride)) => (Some(count), i128::from(stride)),
                None => (None, size),
            };
            Some(Addresses {
                base: i128::from(area.base),
                count,
                size: (size, stride),
                name: name(object)?,
                shape: self.shape_of(object),
            })
        });
        let functions = (0..).zip(&unit.functions).map(|(id, function)| Addresses {
            base: i128::from(Memory::function_address(FunctionId(id))),
            count: None,
            size: (0, 0),
            name: c_memory::known_as(unit.name(function.name)).to_owned(),
            shape: Shape::Named,
        });
        all.chain(functions).collect()
    }

    pub(super) fn shape_of(&self, object: Object) -> Shape {
        match object {
            Object::Variable(v) => shape(self.unit, self.unit[v].ty.ty),
            Object::Text(_) => Shape::Named,
            Object::Heap(site) => match self.memory.heap.get(&site) {
                Some(made) if made.len == Some(1) => shape(self.unit, made.ty),
                Some(made) => {
                    let stride = c_memory::size_of(self.unit, made.ty);
                    Shape::Array(i128::from(stride), Box::new(shape(self.unit, made.ty)))
                }
                None => Shape::Value,
            },
        }
    }
}

/// The shape of an object of a type, for people who read addresses.
pub(super) fn shape(unit: &Unit, ty: TypeId) -> Shape {
    if unit.types.library(ty).is_some() {
        return Shape::Value;
    }
    if let Some(element) = c_memory::element(unit, ty) {
        let stride = c_memory::size_of(unit, element);
        return Shape::Array(i128::from(stride), Box::new(shape(unit, element)));
    }
    let mut record = unit.types.record(ty).map(|r| &unit.types[r]);
    record = record.filter(|r| !r.is_union);
    let Some(fields) = record.and_then(|r| r.fields.as_ref()) else {
        return Shape::Value;
    };
    let named = fields.iter().filter_map(|f| {
        let name = unit.name(f.name?.symbol).to_owned();
        Some((i128::from(f.offset), name, shape(unit, f.ty.ty)))
    });
    Shape::Record(named.collect())
}

/// Quotes a string as a program writes it; a long one is cut.
pub(super) fn quoted(unit: &Unit, text: TextId) -> String {
    const SHOWN: usize = 24;
    let all = shown(&unit[text].values);
    let some: String = all.chars().take(SHOWN).collect();
    let more = if some.len() < all.len() { "..." } else { "" };
    format!("{:?}", some + more)
}
