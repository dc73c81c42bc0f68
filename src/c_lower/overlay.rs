//! Records whose parts share bytes: unions with several used members, and structures with several used bit-fields.
//!
//! Such a record is kept as cells: its bytes, cut wherever a used part begins or ends. A part is one cell or several, lowest
//! byte first, as on most machines. So a member that is read after another one was written has the value that it has
//! on those machines. [`seen`](super::seen) reads and writes parts.
//!
//! Bit-fields beside each other lie in one cell, because they are one place in memory. Where they have too many bits for one
//! cell, an access of one of them is an access of all their cells. A floating number that is computed is its bits. A cell that
//! may hold a number that is not computed says whether it does.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::types::{Field, Length, RecordId, Type as CType, TypeId as CTypeId};
use c_memory::size_of;
use ir::{Bits, RecordType, Step, Type, TypeId, Types};

/// How many parts a record may have at most.
const MOST_PARTS: usize = 1 << 13;
/// The most bits of a cell, unless the cell is an object of the library.
pub(super) const WIDEST: u64 = 64;

/// Bits of a record, counted from its begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    pub(super) from: u64,
    pub(super) to: u64,
}

impl Range {
    pub(super) const fn of(from: u64, width: u64) -> Self {
        let to = from + width;
        Self { from, to }
    }

    pub(super) const fn width(self) -> u64 {
        self.to - self.from
    }

    /// The same bits, counted from a begin that lies `by` bits earlier.
    pub(super) const fn moved(self, by: u64) -> Self {
        Self {
            from: self.from + by,
            to: self.to + by,
        }
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Bits of integers and pointers.
    Bits,
    /// Bits or a floating number: a record of the bits, and of a truth value that says which.
    Either,
    /// A floating number and nothing else.
    Floating,
    /// An object of the library.
    Library,
}

/// A piece of memory that no part divides.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) range: Range,
    pub(super) ty: TypeId,
    pub(super) holds: Holds,
    /// The field of the record that is this cell, or whose element `index` is.
    pub(super) field: u32,
    pub(super) index: Option<u32>,
    /// Its name for people.
    name: String,
}

/// How a record with shared bytes is kept.
#[derive(Debug)]
pub(super) struct Overlay {
    pub(super) ty: TypeId,
    pub(super) cells: Vec<Cell>,
}

/// A part of a record that is one value.
#[derive(Clone, Debug)]
struct Leaf {
    range: Range,
    /// The range of the part together with the bit-fields beside it.
    location: Range,
    ty: TypeId,
    kind: Holds,
    name: String,
}

/// Where a part begins: its first bit in the record, its name for people, and the place of its declaration.
#[derive(Clone, Copy, Debug)]
struct Begin<'a> {
    from: u64,
    name: &'a str,
    span: Span,
}

/// The parts of a record.
#[derive(Debug, Default)]
struct Leaves {
    all: Vec<Leaf>,
    /// Where arrays lie. An access may mean any element of an array.
    arrays: Vec<Range>,
}

/// Members of such records are no fields of the program. A step into a member has this bit, the record and the member.
const SEEN: u32 = 1 << 31;
const MEMBER_BITS: u32 = 12;

pub(super) fn into_member(record: RecordId, member: u32) -> Option<Step> {
    let fits = member < 1 << MEMBER_BITS && record.0 < 1 << (31 - MEMBER_BITS);
    fits.then_some(Step::Field(SEEN | record.0 << MEMBER_BITS | member))
}

/// The record and the member into which a step leads.
pub(super) fn member_of(step: &Step) -> Option<(RecordId, u32)> {
    match *step {
        Step::Field(field) if field & SEEN != 0 => {
            let record = (field & !SEEN) >> MEMBER_BITS;
            Some((RecordId(record), field & ((1 << MEMBER_BITS) - 1)))
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// How a record is kept, if several of its parts share bytes.
    pub(super) fn overlay(&mut self, id: RecordId, span: Span) -> Lowered<Option<Rc<Overlay>>> {
        if let Some(known) = self.overlays.get(&id) {
            return Ok(known.clone());
        }
        let several = |used: Option<&BTreeSet<u32>>| used.is_some_and(|u| u.len() > 1);
        let shares =
            several(self.memory.unions.get(&id)) || several(self.memory.bit_fields.get(&id));
        let made = if shares {
            Some(Rc::new(self.cells_of(id, span)?))
        } else {
            None
        };
        self.overlays.insert(id, made.clone());
        Ok(made)
    }

    fn cells_of(&mut self, id: RecordId, span: Span) -> Lowered<Overlay> {
        let mut leaves = Leaves::default();
        let (from, name) = (0, "");
        self.record_leaves(id, Begin { from, name, span }, &mut leaves)?;
        let arrays = merged(std::mem::take(&mut leaves.arrays));
        let mut cells = self.cut(&leaves.all, &arrays, span)?;
        self.alike_in_arrays(&mut cells, &arrays);
        let fields = self.placed(&mut cells, &arrays);
        let tag = self.unit.types[id].tag;
        let name = tag.map_or_else(String::new, |t| self.unit.name(t).to_owned());
        let record = Type::Record(RecordType { name, fields });
        let ty = self.build.program.types.intern(record);
        Ok(Overlay { ty, cells })
    }

    /// Collects the used parts of a record. All parts of a structure count as used.
    fn record_leaves(
        &mut self,
        id: RecordId,
        begin: Begin<'_>,
        leaves: &mut Leaves,
    ) -> Lowered<()> {
        let record = &self.unit.types[id];
        let Some(fields) = record.fields.clone() else {
            return refuse(begin.span, "a record without members is");
        };
        let union = record
            .is_union
            .then(|| self.memory.unions.get(&id).cloned());
        for (index, field) in (0..).zip(&fields) {
            if union
                .as_ref()
                .is_some_and(|used| used.as_ref().is_none_or(|u| !u.contains(&index)))
            {
                continue;
            }
            let own = self.member_name(field, index);
            let name = match begin.name {
                "" => own,
                outer => format!("{outer}.{own}"),
            };
            let at = Begin {
                from: begin.from + field.offset * 8,
                name: &name,
                span: field.span,
            };
            if field.bits.is_some() {
                self.bit_field_leaf(&fields, field, begin.from, name, leaves)?;
            } else if c_memory::is_open_field(self.unit, id, index) {
                let array = self.open_array(id, field)?;
                self.array_leaves(array, at, leaves)?;
            } else {
                self.leaves(field.ty.ty, at, leaves)?;
            }
        }
        Ok(())
    }

    /// The name of a member for people.
    pub(super) fn member_name(&self, field: &Field, index: u32) -> String {
        let name = field.name.map(|n| self.unit.name(n.symbol).to_owned());
        name.unwrap_or_else(|| format!("_{index}"))
    }

    fn bit_field_leaf(
        &mut self,
        fields: &[Field],
        field: &Field,
        from: u64,
        name: String,
        leaves: &mut Leaves,
    ) -> Lowered<()> {
        let ty = self.object_type(field.ty.ty, field.span)?;
        leaves.all.push(Leaf {
            range: bits_of(field).moved(from),
            location: beside(fields, field).moved(from),
            ty,
            kind: Holds::Bits,
            name,
        });
        Ok(())
    }

    fn leaves(&mut self, ty: CTypeId, begin: Begin<'_>, leaves: &mut Leaves) -> Lowered<()> {
        let Begin { from, name, span } = begin;
        if leaves.all.len() >= MOST_PARTS {
            return refuse(span, format!("a union of more than {MOST_PARTS} parts is"));
        }
        let size = size_of(self.unit, ty) * 8;
        let range = Range::of(from, size);
        let library = self.unit.types.library(ty).is_some();
        match self.unit.types.shape(ty).clone() {
            CType::Array(element, Length::Known(count)) if !library => {
                return self.array_leaves((element.ty, count), begin, leaves);
            }
            CType::Record(id) if !library => {
                return self.record_leaves(id, begin, leaves);
            }
            _ => {}
        }
        let mut own = self.object_type(ty, span)?;
        if self.doubles && self.is_floating(ty) && size <= WIDEST {
            own = self.bits_of_width(size);
        }
        let kind = match self.build.types().get(own) {
            _ if library => Holds::Library,
            Type::Bits(_) if self.is_floating(ty) => Holds::Bits,
            _ if self.is_floating(ty) => Holds::Floating,
            Type::Bits(_) | Type::Bool => Holds::Bits,
            _ => {
                return refuse(
                    span,
                    "a union of which several members are used, and this one, is",
                );
            }
        };
        leaves.all.push(Leaf {
            range,
            location: range,
            ty: own,
            kind,
            name: name.to_owned(),
        });
        Ok(())
    }

    fn array_leaves(
        &mut self,
        (element, count): (CTypeId, u64),
        begin: Begin<'_>,
        leaves: &mut Leaves,
    ) -> Lowered<()> {
        let (from, stride) = (begin.from, size_of(self.unit, element) * 8);
        let to = from + count * stride;
        leaves.arrays.push(Range { from, to });
        let mut all = (from..to).step_by(stride as usize);
        all.try_for_each(|from| self.leaves(element, Begin { from, ..begin }, leaves))
    }

    /// The cells between all the places where something begins or ends.
    fn cut(&mut self, leaves: &[Leaf], arrays: &[Range], span: Span) -> Lowered<Vec<Cell>> {
        let ends = cuts(leaves, arrays);
        let mut holders: Vec<Vec<&Leaf>> = vec![Vec::new(); ends.len()];
        for leaf in leaves {
            let first = ends.partition_point(|&e| e < leaf.location.from);
            let after = ends.partition_point(|&e| e < leaf.location.to);
            holders[first..after].iter_mut().for_each(|h| h.push(leaf));
        }
        let mut cells = Vec::new();
        for (pair, holders) in ends.windows(2).zip(&holders) {
            let range = Range {
                from: pair[0],
                to: pair[1],
            };
            let gap = holders.is_empty() && !arrays.iter().any(|a| a.meets(range));
            if !gap {
                cells.push(self.cell(range, holders, span)?);
            }
        }
        Ok(cells)
    }

    fn cell(&mut self, range: Range, holders: &[&Leaf], span: Span) -> Lowered<Cell> {
        let exact = holders.iter().find(|l| l.range == range);
        let library = holders.iter().find(|l| l.kind == Holds::Library);
        let floating = holders.iter().filter(|l| l.kind == Holds::Floating).count();
        let bits = self.bits_of_width(range.width());
        let (ty, holds) = if let Some(library) = library {
            if holders
                .iter()
                .any(|l| (l.range, l.ty) != (range, library.ty))
            {
                return refuse(
                    span,
                    "a union of an object of the library and what lies over it is",
                );
            }
            (library.ty, Holds::Library)
        } else if floating > 0 && floating == holders.len() {
            (self.floating_type(), Holds::Floating)
        } else if floating > 0 {
            (self.either_type(bits), Holds::Either)
        } else {
            let own = exact.map(|l| l.ty);
            let own = own.filter(|&ty| matches!(self.build.types().get(ty), Type::Bits(_)));
            (own.unwrap_or(bits), Holds::Bits)
        };
        let mut names: Vec<&str> = match exact {
            Some(leaf) => vec![&leaf.name],
            None => holders
                .iter()
                .filter(|l| l.range.from >= range.from)
                .map(|l| l.name.as_str())
                .collect(),
        };
        names.dedup();
        let name = if names.is_empty() {
            format!("+{}", range.from / 8)
        } else {
            names.join("|")
        };
        Ok(Cell {
            range,
            ty,
            holds,
            field: 0,
            index: None,
            name,
        })
    }

    pub(super) fn bits_of_width(&mut self, width: u64) -> TypeId {
        let bits = Bits {
            width: width.min(WIDEST) as u8,
            signed: false,
        };
        self.build.program.types.intern(Type::Bits(bits))
    }

    /// The type of bits with a truth value that says whether they stand for a floating number.
    fn either_type(&mut self, bits: TypeId) -> TypeId {
        let fields = vec![
            ("bits".to_owned(), bits),
            ("floating".to_owned(), Types::BOOL),
        ];
        let name = String::new();
        let record = Type::Record(RecordType { name, fields });
        self.build.program.types.intern(record)
    }

    /// Gives all cells of an array one type, since an access may mean any element.
    fn alike_in_arrays(&mut self, cells: &mut [Cell], arrays: &[Range]) {
        for array in arrays {
            let first = cells.partition_point(|c| c.range.from < array.from);
            let after = cells.partition_point(|c| c.range.from < array.to);
            let within = &mut cells[first..after];
            let Some(one) = within.first().map(|c| (c.ty, c.holds)) else {
                continue;
            };
            let library = within.iter().any(|c| c.holds == Holds::Library);
            if library || within.iter().all(|c| (c.ty, c.holds) == one) {
                continue;
            }
            let floating = within.iter().any(|c| c.holds != Holds::Bits);
            for cell in within {
                let bits = self.bits_of_width(cell.range.width());
                (cell.ty, cell.holds) = if floating {
                    (self.either_type(bits), Holds::Either)
                } else {
                    (bits, Holds::Bits)
                };
            }
        }
    }

    /// Makes the fields of the record: one for each cell, or for the cells of an array.
    fn placed(&mut self, cells: &mut [Cell], arrays: &[Range]) -> Vec<(String, TypeId)> {
        let mut fields: Vec<(String, TypeId)> = Vec::new();
        let mut next = 0;
        while next < cells.len() {
            let field = fields.len() as u32;
            let range = cells[next].range;
            let array = arrays.iter().find(|a| a.meets(range));
            let ty = cells[next].ty;
            let alike = |c: &Cell| array.is_some_and(|a| a.meets(c.range)) && c.ty == ty;
            let mut count = 0;
            for (index, cell) in (0..)
                .zip(cells[next..].iter_mut())
                .take_while(|(_, c)| alike(c))
            {
                (cell.field, cell.index) = (field, Some(index));
                count += 1;
            }
            let name = cells[next].name.clone();
            if count > 1 {
                let ty = self.build.program.types.intern(Type::Array(count, ty));
                fields.push((name, ty));
            } else {
                (cells[next].field, cells[next].index) = (field, None);
                fields.push((name, ty));
                count = 1;
            }
            next += count as usize;
        }
        fields
    }
}

/// The bits of a bit-field.
fn bits_of(field: &Field) -> Range {
    let bits = field
        .bits
        .map_or((field.offset * 8, 0), |b| (b.first, u64::from(b.width)));
    Range::of(bits.0, bits.1)
}

/// The bytes of a bit-field and of the bit-fields beside it.
pub(super) fn beside(fields: &[Field], field: &Field) -> Range {
    let bytes = |field: &Field| {
        let bits = bits_of(field);
        Range {
            from: bits.from / 8 * 8,
            to: bits.to.next_multiple_of(8),
        }
    };
    let mut all = bytes(field);
    loop {
        let before = all;
        for other in fields.iter().filter(|f| f.bits.is_some()) {
            let other = bytes(other);
            if other.from <= all.to && all.from <= other.to {
                all.from = all.from.min(other.from);
                all.to = all.to.max(other.to);
            }
        }
        if all == before {
            return all;
        }
    }
}

/// Joins arrays that lie over each other.
fn merged(mut arrays: Vec<Range>) -> Vec<Range> {
    arrays.sort_unstable();
    let mut all: Vec<Range> = Vec::new();
    for array in arrays {
        match all.last_mut() {
            Some(last) if last.meets(array) => last.to = last.to.max(array.to),
            _ => all.push(array),
        }
    }
    all
}

/// Returns where cells begin and end. The cells of an array have one length.
fn cuts(leaves: &[Leaf], arrays: &[Range]) -> Vec<u64> {
    let ends = leaves
        .iter()
        .map(|l| l.location)
        .chain(arrays.iter().copied());
    let mut all: BTreeSet<u64> = ends.flat_map(|r| [r.from, r.to]).collect();
    for array in arrays {
        let library = leaves
            .iter()
            .any(|l| l.kind == Holds::Library && l.range.meets(*array));
        let within = all.range(array.from..=array.to);
        let each = within.fold(0, |each, end| gcd(each, end - array.from));
        // Cells longer than a number are cut, too.
        let each = if library { each } else { gcd(each, WIDEST) };
        let mut at = array.from;
        while each > 0 && !library && at < array.to {
            all.insert(at);
            at += each;
        }
    }
    let library = |from: u64| {
        leaves
            .iter()
            .any(|l| l.kind == Holds::Library && l.range.from == from)
    };
    let known: Vec<u64> = all.iter().copied().collect();
    for pair in known.windows(2) {
        let mut at = pair[0] + WIDEST;
        while at < pair[1] && !library(pair[0]) {
            all.insert(at);
            at += WIDEST;
        }
    }
    all.into_iter().collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
