//! Types of C as types of the program; zeros and constant initial values.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{Init, InitId, Part, TextId};
use c::types::{Field, Length, Library, RecordId, Type as CType, TypeId as CTypeId};
use c_memory::{is_open_field, names_end_of, open_end};
use ir::{Bits, EnumType, ExprId, ExprKind, RecordType, Type, TypeId, Types};

/// Arrays that are longer are refused: every engine would carry each element.
const MOST_ELEMENTS: u64 = 1 << 20;

impl Lowerer<'_> {
    pub(super) fn is_void(&self, ty: CTypeId) -> bool {
        matches!(self.unit.types.shape(ty), CType::Void)
    }

    pub(super) fn is_pointer(&self, ty: CTypeId) -> bool {
        matches!(self.unit.types.shape(ty), CType::Pointer(_))
    }

    /// The machine integer of an integer type.
    fn bits(&mut self, ty: CTypeId, span: Span) -> Lowered<TypeId> {
        let types = &self.unit.types;
        let bits = match types.shape(ty) {
            CType::Pointer(_) => return Ok(self.pointer_type()),
            _ => match types.int_kind(ty) {
                Some(kind) if kind.size(types.model) <= 8 => Bits {
                    width: (kind.size(types.model) * 8) as u8,
                    signed: kind.signed(),
                },
                Some(_) => return refuse(span, "an integer of 128 bits is"),
                None => return refuse(span, "a value of this type is"),
            },
        };
        Ok(self.build.program.types.intern(Type::Bits(bits)))
    }

    pub(super) fn scalar_type(&mut self, ty: CTypeId, span: Span) -> Lowered<TypeId> {
        let library = self.unit.types.library(ty);
        if let Some(own @ (Library::Thread | Library::Once)) = library {
            return Ok(self.library_type(own));
        }
        match self.unit.types.shape(ty) {
            CType::Bool => Ok(Types::BOOL),
            CType::Int(_) | CType::Enum(_) | CType::Pointer(_)
                if library.is_none() || library == Some(Library::Key) =>
            {
                self.bits(ty, span)
            }
            CType::Float(_) => Ok(self.floating_type()),
            // A list of arguments is the number of the argument that comes next.
            CType::VaList => Ok(self.counter_type(8)),
            CType::Record(_) => refuse(span, "a whole structure as a value is"),
            _ => match library {
                Some(library) => {
                    refuse(span, format!("a value of the type `{}` is", library.name()))
                }
                None => refuse(span, "a value of this type is"),
            },
        }
    }

    /// Returns the type of a value that is passed, returned or kept: a scalar, or a structure that may be copied.
    pub(super) fn value_type(&mut self, ty: CTypeId, span: Span) -> Lowered<TypeId> {
        if !self.is_structure(ty) {
            return self.scalar_type(ty, span);
        }
        if !self.is_copied(ty) {
            return refuse(
                span,
                "a structure with an object of the library as a value (copy its other members one by one) is",
            );
        }
        self.not_open(ty, span)?;
        self.object_type(ty, span)
    }

    /// Whether a value of a type is a whole structure.
    pub(super) fn is_structure(&self, ty: CTypeId) -> bool {
        self.unit.types.library(ty).is_none() && self.unit.types.record(ty).is_some()
    }

    /// Returns the type of floating numbers. Where none decides anything, they have no values and are only passed on.
    pub(super) fn floating_type(&mut self) -> TypeId {
        if self.doubles {
            return self.double_type();
        }
        let members = ["?", "??"].map(str::to_owned).to_vec();
        let name = "floating".to_owned();
        let ty = Type::Enum(EnumType { name, members });
        self.build.program.types.intern(ty)
    }

    pub(super) fn counter_type(&mut self, width: u8) -> TypeId {
        let bits = Bits {
            width,
            signed: false,
        };
        self.build.program.types.intern(Type::Bits(bits))
    }

    /// What an object of the library is made of.
    fn library_type(&mut self, library: Library) -> TypeId {
        match library {
            Library::Thread => Types::TASK,
            Library::Key => self.counter_type(32),
            _ => {
                let ty = self.shared_type(library);
                if self.watches(library) {
                    self.watched_type(library, ty)
                } else {
                    ty
                }
            }
        }
    }

    pub(super) fn object_type(&mut self, ty: CTypeId, span: Span) -> Lowered<TypeId> {
        if let Some(library) = self.unit.types.library(ty) {
            return Ok(self.library_type(library));
        }
        match self.unit.types.shape(ty).clone() {
            // The array has as many elements as `--heap` allows. Its length is checked where the program declares and uses it.
            CType::Array(..)
                if self.unit.types.is_variable(ty)
                    && let Some(element) = c_memory::element(self.unit, ty) =>
            {
                let element = self.object_type(element, span)?;
                let ty = Type::Array(self.options.heap, element);
                Ok(self.build.program.types.intern(ty))
            }
            CType::Array(element, Length::Known(n)) if n <= MOST_ELEMENTS => {
                let element = self.object_type(element.ty, span)?;
                let ty = Type::Array(n as u32, element);
                Ok(self.build.program.types.intern(ty))
            }
            CType::Array(..) => refuse(span, "an array of this length is"),
            CType::Record(id) => {
                if let Some(overlay) = self.overlay(id, span)? {
                    return Ok(overlay.ty);
                }
                // If only one member of a union is used, nobody sees the others.
                let record = &self.unit.types[id];
                let Some(fields) = record.fields.as_ref() else {
                    return refuse(span, "a structure whose members are not known is");
                };
                let mut own = Vec::new();
                for (index, field) in (0..).zip(fields) {
                    let name = self.member_name(field, index);
                    own.push((name, self.member_type(id, index, field)?));
                }
                let name = record
                    .tag
                    .map_or_else(String::new, |t| self.unit.name(t).to_owned());
                let record = Type::Record(RecordType { name, fields: own });
                Ok(self.build.program.types.intern(record))
            }
            _ => self.scalar_type(ty, span),
        }
    }

    /// Returns the element of the array at the end of an allocated structure, and how many are looked at.
    pub(super) fn open_array(&self, record: RecordId, field: &Field) -> Lowered<(CTypeId, u64)> {
        let element = self.unit.types.element(field.ty.ty);
        let (Some(element), Some(&count)) = (element, self.memory.tails.get(&record)) else {
            let fields = self.unit.types[record].fields.as_deref();
            let is_last = fields.and_then(<[Field]>::last) == Some(field);
            if let Some(element) = element.filter(|_| is_last && !names_end_of(self.unit, record)) {
                return Ok((element.ty, 0));
            }
            let what = match is_last {
                true => {
                    "a structure that ends in this array without a length, in memory that was not allocated, is"
                }
                false => "an array of length 0 before other members is",
            };
            return refuse(field.span, what);
        };
        match count > MOST_ELEMENTS {
            true => refuse(field.span, "an array of this length is"),
            false => Ok((element.ty, count)),
        }
    }

    /// Refuses a structure that ends in an array without a length where it is not allocated, unless nothing uses the array.
    pub(super) fn not_open(&self, ty: CTypeId, span: Span) -> Lowered<()> {
        let used =
            |record| self.memory.tails.contains_key(&record) || names_end_of(self.unit, record);
        if open_end(self.unit, ty).is_some_and(|(record, ..)| used(record)) {
            return refuse(
                span,
                "a structure with an array without a length, other than allocated, is",
            );
        }
        Ok(())
    }

    /// The type of a member: a bit-field has fewer bits than its type.
    pub(super) fn member_type(
        &mut self,
        record: RecordId,
        index: u32,
        field: &Field,
    ) -> Lowered<TypeId> {
        if is_open_field(self.unit, record, index) {
            let (element, count) = self.open_array(record, field)?;
            let element = self.object_type(element, field.span)?;
            let ty = Type::Array(count as u32, element);
            return Ok(self.build.program.types.intern(ty));
        }
        let ty = self.object_type(field.ty.ty, field.span)?;
        let (Some(bits), Type::Bits(whole)) = (field.bits, self.build.types().get(ty)) else {
            return Ok(ty);
        };
        let bits = Bits {
            width: bits.width as u8,
            signed: whole.signed,
        };
        Ok(self.build.program.types.intern(Type::Bits(bits)))
    }

    /// The value whose bytes are zero.
    pub(super) fn zero(&mut self, ty: TypeId) -> ExprId {
        match self.build.types().get(ty).clone() {
            Type::Bool => self.build.bool(false),
            Type::Task => self.build.no_task(),
            Type::Array(_, element) | Type::Map(_, element) => {
                let value = self.zero(element);
                self.build.add(ExprKind::Fill(value), ty)
            }
            Type::Record(record) => {
                let values = record.fields.iter().map(|f| self.zero(f.1)).collect();
                self.build.add(ExprKind::Record(values), ty)
            }
            _ => self.build.int(0, ty),
        }
    }

    /// The value of a constant initialiser; zero without one.
    pub(super) fn constant(
        &mut self,
        init: Option<InitId>,
        ty: CTypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let own = self.object_type(ty, span)?;
        let Some(init) = init else {
            return Ok(self.zero(own));
        };
        if self.unit.types.library(ty).is_some() {
            return self.library_constant(init, own, span);
        }
        let unit = self.unit;
        match &unit[init] {
            Init::Value(e) => {
                if let Some(value) = unit.constant(*e).filter(|_| !self.points_somewhere(*e)) {
                    return Ok(self.build.scalar(value, own));
                }
                let (block, value) = self.apart(|l| l.value(*e))?;
                if !block.is_empty() || !self.build.is_constant(value) {
                    return refuse(unit[*e].span, "this initial value is");
                }
                self.converted(value, own, unit[*e].span)
            }
            Init::Text(text) => self.text_constant(*text, own, span),
            Init::Parts(parts) => self.parts_constant(parts, ty, own, span),
        }
    }

    /// The value of an array of characters that a string initialises.
    fn text_constant(&mut self, text: TextId, own: TypeId, span: Span) -> Lowered<ExprId> {
        let values: Vec<u32> = self.unit[text].values.to_vec();
        let &Type::Array(len, element) = self.build.types().get(own) else {
            return refuse(span, "this initial value is");
        };
        let parts = (0..len as usize)
            .map(|i| {
                let value = i128::from(values.get(i).copied().unwrap_or(0));
                let value = ir::arith::convert(self.build.types(), element, value);
                self.build.int(value, element)
            })
            .collect();
        Ok(self.build.add(ExprKind::Array(parts), own))
    }

    /// The types of the parts of an object, and zeros for them.
    fn zero_parts(
        &mut self,
        ty: CTypeId,
        own: TypeId,
        span: Span,
    ) -> Lowered<(Vec<CTypeId>, Vec<ExprId>)> {
        let unit = self.unit;
        Ok(match self.build.types().get(own).clone() {
            Type::Array(len, element) => {
                let zero = self.zero(element);
                let Some(element) = unit.types.element(ty) else {
                    return refuse(span, "this initial value is");
                };
                (vec![element.ty; len as usize], vec![zero; len as usize])
            }
            Type::Record(record) => {
                let known = unit.types.record(ty);
                let Some(fields) = known.and_then(|r| unit.types[r].fields.as_ref()) else {
                    return refuse(span, "this initial value is");
                };
                let zeros = record.fields.iter().map(|f| self.zero(f.1)).collect();
                (fields.iter().map(|f| f.ty.ty).collect(), zeros)
            }
            _ => return refuse(span, "this initial value is"),
        })
    }

    fn parts_constant(
        &mut self,
        parts: &[Part],
        ty: CTypeId,
        own: TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        if let Some(record) = self.unit.types.record(ty)
            && let Some(overlay) = self.overlay(record, span)?
        {
            return self.overlay_constant(record, &overlay, parts, span);
        }
        let (types, mut values) = self.zero_parts(ty, own, span)?;
        for part in parts {
            for at in part.at..part.at.saturating_add(part.count) {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                let Some(&ty) = types.get(at) else {
                    return refuse(span, "this initial value is");
                };
                let value = self.constant(Some(part.init), ty, span)?;
                // A bit-field has fewer bits than its type.
                let bits = self.build.ty(values[at]);
                let wide = self.build.ty(value) != bits;
                values[at] = if wide {
                    self.build.convert(value, bits)
                } else {
                    value
                };
            }
        }
        let kind = match self.build.types().get(own) {
            Type::Record(_) => ExprKind::Record(values.into()),
            _ => ExprKind::Array(values.into()),
        };
        Ok(self.build.add(kind, own))
    }

    /// Objects of the library begin as zero, but for the kind of a mutex.
    fn library_constant(&mut self, init: InitId, own: TypeId, span: Span) -> Lowered<ExprId> {
        let mut kinds = Vec::new();
        self.not_zero(init, &mut kinds);
        let zero = self.zero(own);
        match kinds.as_slice() {
            [] => Ok(zero),
            &[kind] if self.kinds && (1..=3).contains(&kind) => {
                let Type::Record(record) = self.build.types().get(own).clone() else {
                    return refuse(span, "an object of the library that begins like this is");
                };
                let mut values: Vec<ExprId> =
                    record.fields.iter().map(|f| self.zero(f.1)).collect();
                let at = record.fields.iter().position(|(name, _)| name == "kind");
                let Some(at) = at else {
                    return refuse(span, "an object of the library that begins like this is");
                };
                // The adaptive kind is a normal one.
                let kind = if kind == 3 { 0 } else { kind };
                values[at] = self.build.int(kind, record.fields[at].1);
                Ok(self.build.add(ExprKind::Record(values.into()), own))
            }
            _ => refuse(span, "an object of the library that begins like this is"),
        }
    }

    fn not_zero(&self, init: InitId, found: &mut Vec<i128>) {
        match &self.unit[init] {
            Init::Value(e) => found.extend(self.unit.constant(*e).filter(|&v| v != 0)),
            Init::Text(_) => {}
            Init::Parts(parts) => {
                for part in parts {
                    self.not_zero(part.init, found);
                }
            }
        }
    }
}
