//! `struct`, `union` and `enum`: tags, members, layouts.

use super::Sema;
use super::scope::{Binding, Tag};
use crate::types::{
    BitField, DataModel, Enum, EnumId, Field, IntKind, Layout, Length, MAX_SIZE, QualType, Record,
    RecordId, Type, TypeId, Types,
};
use crate::{
    tree,
    tree::{Alignment, Attributes, Member, Name},
};
use ast::MAX_DEPTH;
use base::source::Span;

/// Members laid out so far.
#[derive(Default)]
struct Draft {
    fields: Vec<Field>,
    is_union: bool,
    packed: bool,
    /// The largest alignment of a member, if there is one.
    most: Option<u64>,
    /// The first free bit.
    free: u64,
    /// The size in bits of the largest member of a union.
    largest: u64,
    align: u64,
    depth: u32,
}

impl Sema<'_> {
    /// The type of `struct tag { … }`, `struct tag`.
    pub(super) fn record(&mut self, id: tree::RecordId) -> TypeId {
        let spec = self.tree[id];
        let record = self.tagged_record(&spec);
        let ty = self.unit.types.intern(Type::Record(record));
        if let Some(members) = spec.members {
            if self.is_defined_again(record) {
                if self.is_the_same_again(record, &spec) {
                    return ty;
                }
                let name = self.show(ty);
                self.error("redefined", spec.span, format!("{name} is defined twice"));
                return ty;
            }
            let tree = self.tree;
            let elsewhere = self.unit.types[record].clone();
            let around = self.within(&spec);
            self.define_record(record, &tree[members], &spec);
            self.files.around = around;
            if elsewhere.fields.is_some() {
                self.must_agree(record, elsewhere);
            }
        }
        ty
    }

    /// Whether a structure that is defined once more has the same members, as C23 allows.
    fn is_the_same_again(&mut self, record: RecordId, spec: &tree::RecordSpec) -> bool {
        let before = self.unit.types[record].clone();
        let Some(members) = spec.members.filter(|_| before.fields.is_some()) else {
            return false;
        };
        let tree = self.tree;
        self.define_record(record, &tree[members], spec);
        let entry = &mut self.unit.types.records[record.0 as usize];
        let now = std::mem::replace(entry, before.clone());
        self.agree(&before, &now)
    }

    fn tagged_record(&mut self, spec: &tree::RecordSpec) -> RecordId {
        if let Some(tag) = spec.tag {
            let known = if spec.members.is_some() {
                self.scopes.own_tag(tag.symbol)
            } else {
                self.scopes.tag(tag.symbol)
            };
            match known {
                Some(Tag::Record(id)) if self.unit.types[id].is_union == spec.is_union => {
                    return id;
                }
                Some(_) => self.wrong_tag(tag),
                None => {}
            }
        }
        let id = RecordId(u32::try_from(self.unit.types.records.len()).unwrap_or(u32::MAX));
        self.unit.types.records.push(Record {
            tag: spec.tag.map(|t| t.symbol),
            is_union: spec.is_union,
            fields: None,
            size: 0,
            align: 1,
            transparent: spec.attributes.transparent,
            depth: 0,
            span: spec.span,
        });
        let id = self.shared_record(spec, id);
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag.symbol, Tag::Record(id));
        }
        id
    }

    fn wrong_tag(&mut self, tag: Name) {
        let message = format!(
            "{} is the tag of another sort of type",
            self.quoted(tag.symbol)
        );
        self.error("wrong-tag", tag.span, message);
    }

    fn define_record(&mut self, id: RecordId, members: &[Member], spec: &tree::RecordSpec) {
        let mut draft = Draft {
            is_union: spec.is_union,
            packed: spec.attributes.packed,
            most: (spec.pack > 0).then_some(spec.pack.into()),
            align: 1,
            ..Draft::default()
        };
        for member in members {
            self.member(&mut draft, member);
        }
        self.check_names(&draft.fields);
        if let Some(align) = self.alignment(&spec.attributes) {
            draft.align = draft.align.max(align);
        }
        let bits = if draft.is_union {
            draft.largest
        } else {
            draft.free
        };
        let size = bits.div_ceil(8).next_multiple_of(draft.align);
        if size > MAX_SIZE || draft.depth as usize >= MAX_DEPTH {
            self.error("too-large", spec.span, "the type is too large");
        }
        let record = &mut self.unit.types.records[id.0 as usize];
        record.fields = Some(draft.fields.into());
        record.size = size;
        record.align = draft.align;
        record.depth = draft.depth + 1;
        record.span = spec.span;
        record.transparent |= spec.attributes.transparent;
    }

    fn member(&mut self, draft: &mut Draft, member: &Member) {
        let base = self.specifiers(member.specs);
        let (ty, name) = match member.declarator {
            Some(declarator) => (self.declared(base, declarator), self.tree[declarator].name),
            None => (base, None),
        };
        let ty = self.attributed(ty, &member.attributes, member.span);
        if let Some(bits) = member.bits {
            self.bit_field(draft, ty, name, bits, member);
            return;
        }
        if name.is_none() && self.unit.types.record(ty.ty).is_none() {
            // `struct s { enum { A, B }; }` and `struct t;` within declare no member.
            return;
        }
        if name.is_none() && member.declarator.is_none() && self.is_mere_tag(member) {
            return;
        }
        let Some(layout) = self.member_layout(ty, member.span) else {
            return;
        };
        draft.depth = draft.depth.max(self.unit.types.containment(ty.ty));
        let natural = if draft.packed || member.attributes.packed {
            1
        } else {
            layout.align
        };
        let specs = self.tree[member.specs].attributes;
        let asked = self.asked_alignment(&specs, &member.attributes);
        let align = asked.map_or(natural, |a| a.max(natural)).max(1);
        let align = align.min(draft.most.unwrap_or(align));
        draft.align = draft.align.max(align);
        let offset = if draft.is_union {
            0
        } else {
            draft.free.div_ceil(8).next_multiple_of(align)
        };
        let end = offset.saturating_add(layout.size).min(2 * MAX_SIZE) * 8;
        draft.free = end;
        draft.largest = draft.largest.max(end);
        draft.fields.push(Field {
            name,
            ty,
            offset,
            align,
            bits: None,
            span: name.map_or(member.span, |n| n.span),
        });
    }

    /// `struct tag;` among members.
    fn is_mere_tag(&self, member: &Member) -> bool {
        match self.tree[member.specs].base {
            tree::Base::Record(id) => {
                let spec = &self.tree[id];
                spec.members.is_none() || spec.tag.is_some()
            }
            _ => false,
        }
    }

    fn member_layout(&mut self, ty: QualType, span: Span) -> Option<Layout> {
        if ty.ty == Types::ERROR {
            return None;
        }
        if let Type::Array(element, Length::Unknown) = *self.unit.types.shape(ty.ty) {
            let align = self.unit.types.layout(element.ty).map_or(1, |l| l.align);
            return Some(Layout { size: 0, align });
        }
        let layout = self.unit.types.layout(ty.ty);
        if layout.is_none() {
            let message = format!("a member cannot be {}", self.show(ty.ty));
            self.error("incomplete", span, message);
        }
        layout
    }

    /// The alignment that the attributes of a declaration ask for.
    pub(super) fn asked_alignment(&mut self, specs: &Attributes, own: &Attributes) -> Option<u64> {
        self.alignment(specs).max(self.alignment(own))
    }

    fn alignment(&mut self, attributes: &Attributes) -> Option<u64> {
        let align = match attributes.aligned? {
            Alignment::Largest => 16,
            Alignment::Type(ty) => {
                let ty = self.type_name(ty);
                self.unit.types.layout(ty.ty)?.align
            }
            Alignment::Bytes(e) => {
                let value = self.value(e);
                u64::try_from(self.unit.constant(value)?).ok()?
            }
        };
        (align.is_power_of_two() && align <= 1 << 28).then_some(align)
    }

    fn bit_field(
        &mut self,
        draft: &mut Draft,
        ty: QualType,
        name: Option<Name>,
        bits: tree::ExprId,
        member: &Member,
    ) {
        if ty.ty == Types::ERROR {
            return;
        }
        if !self.unit.types.is_integer(ty.ty) {
            self.error("bit-field", member.span, "a bit-field is an integer");
            return;
        }
        if matches!(self.unit.types[ty.ty], Type::Aligned(..)) {
            let message = "a bit-field of a type with an alignment of its own is not supported";
            self.error("unsupported", member.span, message);
            return;
        }
        let Some(layout) = self.unit.types.layout(ty.ty) else {
            return;
        };
        let value = self.value(bits);
        let width = self
            .unit
            .constant(value)
            .and_then(|w| u32::try_from(w).ok());
        let unit = layout.size * 8;
        let Some(width) = width.filter(|&w| u64::from(w) <= unit && (w > 0 || name.is_none()))
        else {
            let span = self.span(value);
            self.error("bit-field", span, "that is no width for this bit-field");
            return;
        };
        let specs = self.tree[member.specs].attributes;
        let most = draft.most.filter(|_| width > 0);
        let asked = self.asked_alignment(&specs, &member.attributes);
        let asked = asked.map(|a| a.min(most.unwrap_or(a)));
        let packed = draft.packed || member.attributes.packed;
        let natural = if packed { 1 } else { layout.align };
        // `#pragma pack` comes before `packed`, as in gcc.
        let own = most.map_or(natural, |m| m.min(layout.align));
        if name.is_some() {
            draft.align = draft.align.max(own).max(asked.unwrap_or(1));
        }
        draft.free = draft.free.next_multiple_of(asked.map_or(1, |a| a * 8));
        let first = draft.place_bits(u64::from(width), layout, packed || most.is_some());
        if width == 0 || name.is_none() {
            return;
        }
        draft.fields.push(Field {
            name,
            ty,
            offset: first / unit * layout.size,
            align: layout.align,
            bits: Some(BitField { first, width }),
            span: member.span,
        });
    }

    fn check_names(&mut self, fields: &[Field]) {
        let mut names: Vec<_> = fields.iter().filter_map(|f| f.name).collect();
        names.sort_by_key(|n| (n.symbol, n.span));
        for pair in names.windows(2) {
            if pair[0].symbol == pair[1].symbol {
                let message = format!("two members are called {}", self.quoted(pair[1].symbol));
                self.error("redefined", pair[1].span, message);
            }
        }
    }

    /// The type of `enum tag { … }`, `enum tag`.
    pub(super) fn enumeration(&mut self, id: tree::EnumId) -> TypeId {
        let spec = self.tree[id];
        let underlying = spec.underlying.map(|specs| self.underlying(specs));
        let known = spec.tag.and_then(|tag| {
            if spec.members.is_some() || underlying.is_some() {
                self.scopes.own_tag(tag.symbol)
            } else {
                self.scopes.tag(tag.symbol)
            }
        });
        let mut enumeration = match (known, spec.tag) {
            (Some(Tag::Enum(id)), _) => id,
            (Some(Tag::Record(_)), Some(tag)) => {
                self.wrong_tag(tag);
                self.new_enum(&spec)
            }
            _ => self.new_enum(&spec),
        };
        if let Some((kind, boolean)) = underlying.flatten() {
            let entry = &mut self.unit.types.enums[enumeration.0 as usize];
            let before = entry.fixed.replace(kind);
            entry.kind = kind;
            entry.boolean = boolean;
            if before.unwrap_or(kind) != kind || before.is_none() && entry.members.is_some() {
                let message = "the enum has another type before";
                self.error("redefined", spec.span, message);
            }
        }
        if let Some(members) = spec.members {
            if self.unit.types[enumeration].members.is_some() {
                self.error("redefined", spec.span, "the enum is defined twice");
            } else {
                let tree = self.tree;
                self.define_enum(enumeration, &tree[members], spec.attributes.packed);
                enumeration = self.shared_enum(enumeration);
                if let Some(tag) = spec.tag {
                    self.scopes.declare_tag(tag.symbol, Tag::Enum(enumeration));
                }
            }
        }
        match self.unit.types[enumeration].boolean {
            true => Types::BOOL,
            false => self.unit.types.intern(Type::Enum(enumeration)),
        }
    }

    /// The type of integers behind the `:` of an enum, and whether it is `bool`.
    fn underlying(&mut self, specs: tree::SpecId) -> Option<(IntKind, bool)> {
        let ty = self.specifiers(specs).ty;
        if matches!(self.unit.types.shape(ty), Type::Bool) {
            return Some((IntKind::UChar, true));
        }
        let kind = self.unit.types.int_kind(ty);
        if kind.is_none() && ty != Types::ERROR {
            let message = "the type behind the `:` of an enum is a type of integers here";
            self.error("enum-type", self.tree[specs].span, message);
        }
        kind.map(|kind| (kind, false))
    }

    fn new_enum(&mut self, spec: &tree::EnumSpec) -> EnumId {
        let id = EnumId(u32::try_from(self.unit.types.enums.len()).unwrap_or(u32::MAX));
        self.unit.types.enums.push(Enum {
            tag: spec.tag.map(|t| t.symbol),
            members: None,
            fixed: None,
            boolean: false,
            kind: IntKind::UInt,
            span: spec.span,
        });
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag.symbol, Tag::Enum(id));
        }
        id
    }

    fn define_enum(&mut self, id: EnumId, members: &[tree::Enumerator], packed: bool) {
        let mut values = Vec::new();
        let mut next = 0;
        let model = self.unit.types.model;
        let own = &self.unit.types[id];
        let fixed = match own.boolean {
            true => Some(Types::BOOL),
            false => own.fixed.map(Types::int),
        };
        for member in members {
            if let Some(e) = member.value {
                next = self.enum_value(e).unwrap_or(next);
            }
            if fixed.is_some_and(|ty| self.unit.types.wrap(ty, next) != next) {
                let message = format!("the type of the enum does not hold {next}");
                self.error("enum-type", member.name.span, message);
            }
            let ty = if let Some(fixed) = fixed {
                fixed
            } else if i32::try_from(next).is_ok() {
                Types::INT
            } else {
                Types::int(smallest_kind(next, next, model, false))
            };
            self.declare_new(member.name, Binding::Constant(next, ty));
            values.push((member.name.symbol, next));
            next += 1;
        }
        let least = values.iter().map(|v| v.1).min().unwrap_or(0);
        let greatest = values.iter().map(|v| v.1).max().unwrap_or(0);
        let entry = &mut self.unit.types.enums[id.0 as usize];
        let smallest = smallest_kind(least, greatest, model, packed);
        entry.kind = entry.fixed.unwrap_or(smallest);
        entry.members = Some(values);
    }

    fn enum_value(&mut self, e: tree::ExprId) -> Option<i128> {
        let value = self.value(e);
        let constant = self.unit.constant(value);
        if constant.is_none() && self.ty(value) != Types::ERROR {
            let span = self.span(value);
            self.error(
                "not-constant",
                span,
                "the value of an enumerator is not constant",
            );
        }
        constant
    }

    /// Declares a name that the innermost scope must not have yet.
    fn declare_new(&mut self, name: Name, binding: Binding) {
        if self.scopes.own_name(name.symbol).is_some() {
            let message = format!("{} is declared twice", self.quoted(name.symbol));
            self.error("redefined", name.span, message);
        }
        self.scopes.declare(name.symbol, binding);
    }
}

/// Returns the first type that holds both numbers: of `unsigned`, `int` and those of 64 bits; if the enum is packed, of the smaller
/// types before.
fn smallest_kind(least: i128, greatest: i128, model: DataModel, packed: bool) -> IntKind {
    let (signed, unsigned) = match model {
        DataModel::Lp64 => (IntKind::Long, IntKind::ULong),
        DataModel::Ilp32 => (IntKind::LongLong, IntKind::ULongLong),
    };
    let small = [
        (IntKind::UChar, 0, u8::MAX.into()),
        (IntKind::SChar, i8::MIN.into(), i8::MAX.into()),
        (IntKind::UShort, 0, u16::MAX.into()),
        (IntKind::Short, i16::MIN.into(), i16::MAX.into()),
    ];
    let others = [
        (IntKind::UInt, 0, u32::MAX.into()),
        (IntKind::Int, i32::MIN.into(), i32::MAX.into()),
        (unsigned, 0, u64::MAX.into()),
    ];
    let small = small.into_iter().filter(|_| packed);
    let fits = |&(_, lo, hi): &(IntKind, i128, i128)| least >= lo && greatest <= hi;
    small
        .chain(others)
        .find(fits)
        .map_or(signed, |(kind, ..)| kind)
}

impl Draft {
    /// Places a bit-field and gives its first bit. Unless packed, it lies in as many aligned parts as a value of its type.
    fn place_bits(&mut self, width: u64, layout: Layout, packed: bool) -> u64 {
        let (unit, part) = (layout.size * 8, layout.align * 8);
        if self.is_union {
            self.largest = self.largest.max(width.next_multiple_of(8));
            return 0;
        }
        if width == 0 {
            self.free = self.free.next_multiple_of(part);
            return self.free;
        }
        let crosses = (self.free % part + width).div_ceil(part) > unit / part;
        if crosses && !packed {
            self.free = self.free.next_multiple_of(part);
        }
        let first = self.free;
        self.free += width;
        first
    }
}
