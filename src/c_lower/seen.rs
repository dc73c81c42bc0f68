//! Parts of records whose parts share bytes: how they are read and written.
//!
//! The path to such a part names members of C behind the record ([`into_member`](super::overlay::into_member)). Only this
//! module turns these steps into cells of the record.

use super::overlay::{Cell, Holds, Overlay, Range, WIDEST, beside, member_of};
use super::place::Where;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::types::{RecordId, TypeId as CTypeId};
use c_memory::size_of;
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, ExprKind, Place, Step, Type, Types};

/// Why executions end where bytes make no truth value.
pub(super) const NO_TRUTH_VALUE: &str = "a `_Bool` that is neither 0 nor 1 is written here";
/// Why executions end where such a byte is written: bytes between members have no cells and are zeros.
pub(super) const BETWEEN: &str = "a byte between the members of a structure is written here, or of what lies behind a structure in one allocated block; or an object is seen as one of another type";

/// What a part is made of.
pub(super) enum Part {
    /// A place of the program's.
    Place(Place),
    /// Cells, and parts of cells, the lowest first.
    Pieces(Vec<Piece>),
}

/// Some bits of a part.
pub(super) struct Piece {
    pub(super) cell: Place,
    pub(super) holds: Holds,
    /// How many bits the cell has.
    pub(super) wide: u64,
    /// Which bits of the cell.
    pub(super) within: Range,
    /// The bit of the part at which they begin.
    pub(super) at: u64,
    /// The array whose element the cell is, and the index.
    pub(super) element: Option<(Place, u32)>,
}

impl Piece {
    fn is_whole(&self) -> bool {
        self.within.width() == self.wide
    }
}

/// Where in a record a part lies.
#[derive(Default)]
struct Lies {
    /// The bits from the record's begin to the part, if all unknown indices are 0.
    from: u64,
    width: u64,
    /// The bit-fields beside a bit-field, if one cell does not hold them all.
    beside: Option<Range>,
    /// The unknown indices, each with the number of bits of an element.
    moved: Vec<(ExprId, u64)>,
    /// The rest of the path, within an object of the library.
    rest: Vec<Step>,
}

impl Lowerer<'_> {
    /// Returns the place of the program that a part is; refuses a part that is none.
    pub(super) fn real(&mut self, place: &Place, span: Span) -> Lowered<Place> {
        match self.made_of(place, span)? {
            Part::Place(place) => Ok(place),
            Part::Pieces(_) => refuse(span, "this use of a part of a union is"),
        }
    }

    /// The value of a part.
    pub(super) fn load_part(&mut self, place: &Place, span: Span) -> Lowered<ExprId> {
        let pieces = match self.made_of(place, span)? {
            Part::Place(place) => return Ok(self.load_place(&place)),
            Part::Pieces(pieces) => pieces,
        };
        if place.ty == self.floating_type() {
            if let Some(place) = self.bits_of_float(place, &pieces) {
                // They may lie in a member with a sign.
                let bits = self.load_part(&place, span)?;
                let bits = self.converted(bits, place.ty, span)?;
                return self.double_in_bits(bits, span);
            }
            for piece in &pieces {
                self.load_place(&piece.cell);
            }
            return Ok(self.floating());
        }
        let wide = self.width_of(place, span)?;
        let whole = self.bits_of_width(wide);
        let (mut value, mut floats) = (None, self.build.bool(false));
        for piece in &pieces {
            let own = self.bits_in(piece);
            let own = self.shifted(BinaryOp::Shr, own, piece.within.from);
            let own = self.masked(own, piece.within.width());
            let own = self.build.convert(own, whole);
            let own = self.shifted(BinaryOp::Shl, own, piece.at);
            value = Some(match value {
                Some(lower) => self.build.binary(BinaryOp::BitOr, lower, own),
                None => own,
            });
            if piece.holds != Holds::Bits {
                let mark = self.marks(piece);
                floats = self.build.binary(BinaryOp::Or, floats, mark);
            }
        }
        // If there are no pieces, no member has these bytes, and nothing sees their value.
        let value = value.unwrap_or_else(|| self.build.int(0, whole));
        if !self.build.is_constant(value) && span != Span::default() {
            self.build.program.quotes.put(value, span);
        }
        let value = self.keep(value);
        if !self.build.is_false(floats) {
            let floats = self.keep(floats);
            let known = self.build.not(floats);
            let what = "a floating number is seen as bits here, and those are not computed";
            self.at(span, |l| l.cut_unless(known, what.to_owned()))?;
        }
        self.converted(value, place.ty, span)
    }

    /// Writes a part; the value is one of its type.
    pub(super) fn store_part(&mut self, place: &Place, value: ExprId, span: Span) -> Lowered<()> {
        let pieces = match self.made_of(place, span)? {
            Part::Place(place) => {
                let value = self.converted(value, place.ty, span)?;
                self.store_place(place, value);
                return Ok(());
            }
            Part::Pieces(pieces) => pieces,
        };
        if place.ty == self.floating_type() {
            if let Some(place) = self.bits_of_float(place, &pieces) {
                let bits = self.stored_bits(value, place.ty, span)?;
                return self.store_part(&place, bits, span);
            }
            for piece in &pieces {
                let nothing = self.float_in(piece);
                self.store_place(piece.cell.clone(), nothing);
            }
            return Ok(());
        }
        let wide = self.width_of(place, span)?;
        let whole = self.bits_of_width(wide);
        let value = self.converted(value, whole, span)?;
        let value = self.keep(value);
        let taken = (pieces.iter()).fold(0, |all, p| all | ones(p.within.width()) << p.at);
        let gap = ones(wide) & !taken;
        if gap != 0 && self.view_at(place).is_some() {
            let (zero, gap) = (self.build.int(0, whole), self.build.int(gap, whole));
            let between = self.build.binary(BinaryOp::BitAnd, value, gap);
            let stays = self.build.binary(BinaryOp::Eq, between, zero);
            self.at(span, |l| l.cut_unless(stays, BETWEEN.to_owned()))?;
            // A cut for objects of other types may stand here already. Both count as one, and this is its reason.
            let cuts = &mut self.build.program.scope.cuts;
            let cut = cuts.iter_mut().find(|cut| cut.span == span);
            cut.into_iter()
                .for_each(|cut| BETWEEN.clone_into(&mut cut.why));
        }
        let mut cells = Vec::new();
        for piece in &pieces {
            cells.push(self.new_cell(piece, value, span)?);
        }
        if let Some(array) = self.whole_array(&pieces) {
            let all = self.build.add(ExprKind::Array(cells.into()), array.ty);
            self.store_place(array, all);
            return Ok(());
        }
        for (piece, cell) in pieces.into_iter().zip(cells) {
            self.store_place(piece.cell, cell);
        }
        Ok(())
    }

    /// Sees a part as the bits of a floating number, if such numbers are computed.
    fn bits_of_float(&mut self, place: &Place, pieces: &[Piece]) -> Option<Place> {
        let wide: u64 = pieces.iter().map(|piece| piece.within.width()).sum();
        let computed = self.doubles && pieces.iter().all(|piece| piece.holds == Holds::Bits);
        (computed && matches!(wide, 32 | 64)).then(|| Place {
            ty: self.bits_of_width(wide),
            ..place.clone()
        })
    }

    /// The content of a cell after some bits of a value are written into it.
    fn new_cell(&mut self, piece: &Piece, value: ExprId, span: Span) -> Lowered<ExprId> {
        let bits = self.bits_of_width(piece.wide);
        let own = self.shifted(BinaryOp::Shr, value, piece.at);
        let own = if piece.is_whole() {
            own
        } else {
            self.masked(own, piece.within.width())
        };
        let mut own = self.build.convert(own, bits);
        if !piece.is_whole() {
            // The cell is read first, then written. Between the two, other threads may write bits beside these.
            let old = self.load_place(&piece.cell);
            let old = self.cell_bits(old, piece);
            own = self.shifted(BinaryOp::Shl, own, piece.within.from);
            let mask = ones(piece.wide) & !(ones(piece.within.width()) << piece.within.from);
            let mask = self.build.int(mask, bits);
            let kept = self.build.binary(BinaryOp::BitAnd, old, mask);
            own = self.build.binary(BinaryOp::BitOr, kept, own);
            own = self.keep(own);
        }
        Ok(match self.build.types().get(piece.cell.ty).clone() {
            Type::Record(record) => {
                let own = self.build.convert(own, record.fields[0].1);
                let off = self.build.bool(false);
                let both = ExprKind::Record(vec![own, off].into());
                self.build.add(both, piece.cell.ty)
            }
            Type::Bool => {
                let (zero, one) = (self.build.int(0, bits), self.build.int(1, bits));
                let is_one = self.build.binary(BinaryOp::Le, own, one);
                let what = NO_TRUTH_VALUE;
                self.at(span, |l| l.cut_unless(is_one, what.to_owned()))?;
                let same = self.build.binary(BinaryOp::Eq, own, zero);
                self.build.not(same)
            }
            _ => self.build.convert(own, piece.cell.ty),
        })
    }

    /// The content of a cell that belongs to a floating number that is not computed.
    fn float_in(&mut self, piece: &Piece) -> ExprId {
        if piece.holds != Holds::Either {
            return self.floating();
        }
        let zero = self.zero(piece.cell.ty);
        let (bits, on) = (self.build.field(zero, 0), self.build.bool(true));
        let both = ExprKind::Record(vec![bits, on].into());
        self.build.add(both, piece.cell.ty)
    }

    /// Returns the array whose elements are exactly the pieces: one statement can write it.
    fn whole_array(&self, pieces: &[Piece]) -> Option<Place> {
        let (array, _) = pieces.first()?.element.as_ref()?;
        let &Type::Array(len, _) = self.build.types().get(array.ty) else {
            return None;
        };
        let in_order = (0..).zip(pieces).all(|(at, piece)| {
            let own = piece.element.as_ref();
            piece.is_whole() && own.is_some_and(|(of, index)| of == array && *index == at)
        });
        (in_order && pieces.len() == len as usize).then(|| array.clone())
    }

    /// All bits of a cell, without a sign.
    fn bits_in(&mut self, piece: &Piece) -> ExprId {
        let value = self.peek(&piece.cell);
        self.cell_bits(value, piece)
    }

    fn cell_bits(&mut self, value: ExprId, piece: &Piece) -> ExprId {
        let value = match piece.holds {
            Holds::Either => self.build.field(value, 0),
            _ => value,
        };
        let bits = self.bits_of_width(piece.wide);
        if self.build.ty(value) == Types::BOOL {
            return self.number(value, bits);
        }
        self.build.convert(value, bits)
    }

    /// Whether a cell holds a floating number.
    fn marks(&mut self, piece: &Piece) -> ExprId {
        match piece.holds {
            Holds::Either => {
                let value = self.peek(&piece.cell);
                self.build.field(value, 1)
            }
            _ => self.build.bool(true),
        }
    }

    fn shifted(&mut self, op: BinaryOp, value: ExprId, by: u64) -> ExprId {
        if by == 0 {
            return value;
        }
        let by = self.build.int(i128::from(by), self.build.ty(value));
        self.build.binary(op, value, by)
    }

    /// The lowest bits of a value.
    fn masked(&mut self, value: ExprId, width: u64) -> ExprId {
        let ty = self.build.ty(value);
        match self.build.types().get(ty) {
            Type::Bits(bits) if u64::from(bits.width) > width => {
                let mask = self.build.int(ones(width), ty);
                self.build.binary(BinaryOp::BitAnd, value, mask)
            }
            _ => value,
        }
    }

    /// How many bits a value of a part has.
    fn width_of(&self, place: &Place, span: Span) -> Lowered<u64> {
        match self.build.types().get(place.ty) {
            Type::Bits(bits) => Ok(u64::from(bits.width)),
            Type::Bool => Ok(8),
            _ => refuse(span, "this use of a part of a union is"),
        }
    }

    pub(super) fn made_of(&mut self, place: &Place, span: Span) -> Lowered<Part> {
        if let Some(view) = self.view_at(place) {
            return self.pieces_of_view(place, view, span).map(Part::Pieces);
        }
        let into = place.path.iter().position(|step| member_of(step).is_some());
        let Some(depth) = into else {
            return Ok(Part::Place(place.clone()));
        };
        let (record, _) = member_of(&place.path[depth]).unwrap_or((RecordId(0), 0));
        let Some(overlay) = self.overlay(record, span)? else {
            return refuse(span, "this part of a union is");
        };
        let lies = self.lies(&place.path[depth..], span)?;
        let whole = Place {
            root: place.root,
            path: place.path[..depth].into(),
            ty: overlay.ty,
        };
        let pieces = if lies.moved.is_empty() {
            let part = Range::of(lies.from, lies.width);
            self.fixed_pieces(&whole, &overlay, (part, lies.beside.unwrap_or(part)))
        } else {
            self.moved_pieces(&whole, &overlay, &lies, span)?
        };
        Ok(self.as_place(place, pieces, lies.rest))
    }

    /// Makes a place of a part that is a single whole cell.
    fn as_place(&mut self, place: &Place, mut pieces: Vec<Piece>, rest: Vec<Step>) -> Part {
        if let [piece] = pieces.as_mut_slice()
            && piece.is_whole()
        {
            let types = self.build.types();
            let bits = matches!(types.get(place.ty), Type::Bits(_) | Type::Bool);
            let same = match piece.holds {
                Holds::Bits => bits,
                Holds::Library => true,
                Holds::Floating => place.ty == piece.cell.ty,
                Holds::Either => false,
            };
            if same {
                let mut cell = piece.cell.clone();
                if !rest.is_empty() {
                    cell.ty = place.ty;
                    cell.path.extend(rest);
                }
                return Part::Place(cell);
            }
        }
        Part::Pieces(pieces)
    }

    /// The cells of `all`, and which of their bits are in a part.
    pub(super) fn fixed_pieces(
        &mut self,
        whole: &Place,
        overlay: &Overlay,
        (part, all): (Range, Range),
    ) -> Vec<Piece> {
        let met = overlay.cells.iter().filter(|c| c.range.meets(all));
        let met: Vec<Cell> = met.cloned().collect();
        let piece = |cell: &Cell| {
            let index = cell
                .index
                .map(|at| self.build.int(i128::from(at), Types::INT));
            self.piece(whole, cell, index, part)
        };
        met.iter().map(piece).collect()
    }

    /// Returns the cells of an array that a part with unknown indices is.
    fn moved_pieces(
        &mut self,
        whole: &Place,
        overlay: &Overlay,
        lies: &Lies,
        span: Span,
    ) -> Lowered<Vec<Piece>> {
        let what = "an element of this array in a union is";
        let first = overlay.cells.iter().position(|c| c.range.from == lies.from);
        let Some(first) = first else {
            return refuse(span, what);
        };
        let cell = overlay.cells[first].clone();
        let (each, ty) = (cell.range.width(), self.pointer_type());
        let uneven = lies
            .moved
            .iter()
            .any(|(_, stride)| !stride.is_multiple_of(each));
        let uneven = uneven || lies.beside.is_some() || !lies.width.is_multiple_of(each);
        let (Some(begin), false) = (cell.index, uneven) else {
            return refuse(span, what);
        };
        let mut index = self.build.int(i128::from(begin), ty);
        for &(by, stride) in &lies.moved {
            let by = self.converted(by, ty, span)?;
            let stride = self.build.int(i128::from(stride / each), ty);
            let by = self.build.binary(BinaryOp::Mul, by, stride);
            index = self.build.binary(BinaryOp::Add, index, by);
        }
        let mut pieces = Vec::new();
        for (at, cell) in (0..lies.width / each).zip(&overlay.cells[first..]) {
            let at = self.build.int(i128::from(at), ty);
            let index = self.build.binary(BinaryOp::Add, index, at);
            let part = Range::of(lies.from, lies.width);
            let mut piece = self.piece(whole, cell, Some(index), part);
            piece.element = None;
            pieces.push(piece);
        }
        Ok(pieces)
    }

    fn piece(&self, whole: &Place, cell: &Cell, index: Option<ExprId>, part: Range) -> Piece {
        let mut place = whole.clone();
        let mut element = None;
        place.path.push(Step::Field(cell.field));
        if let (Some(index), Type::Record(record)) = (index, self.build.types().get(whole.ty)) {
            place.ty = record.fields[cell.field as usize].1;
            element = cell.index.map(|at| (place.clone(), at));
            place.path.push(Step::Index(index));
        }
        place.ty = cell.ty;
        let from = part.from.max(cell.range.from);
        let to = part.to.min(cell.range.to);
        // A cell that only lies beside the part gives no bits.
        let (from, to, at) = match from < to {
            true => (
                from - cell.range.from,
                to - cell.range.from,
                from - part.from,
            ),
            false => (0, 0, 0),
        };
        Piece {
            cell: place,
            holds: cell.holds,
            wide: cell.range.width(),
            within: Range { from, to },
            at,
            element,
        }
    }

    /// Returns where a path through members and elements leads.
    fn lies(&self, path: &[Step], span: Span) -> Lowered<Lies> {
        let mut lies = Lies::default();
        let mut on = Way::Nowhere;
        for (at, step) in path.iter().enumerate() {
            if let Way::Type(ty) = on
                && self.unit.types.library(ty).is_some()
            {
                lies.rest = path[at..].to_vec();
                break;
            }
            on = match *step {
                Step::Index(index) => self.within_array(&on, index, &mut lies),
                Step::Field(field) => match member_of(step) {
                    Some((record, member)) => self.within_record(record, member, &mut lies),
                    None => self.within_structure(&on, field, &mut lies),
                },
            };
        }
        lies.width = match on {
            Way::Type(ty) => size_of(self.unit, ty) * 8,
            Way::Bits(width) => width,
            Way::Cells { each, .. } => each,
            Way::Nowhere => return refuse(span, "this part of a union is"),
        };
        Ok(lies)
    }

    fn within_record(&self, record: RecordId, member: u32, lies: &mut Lies) -> Way {
        let Some(field) = self.unit.types.member_at(record, member) else {
            return Way::Nowhere;
        };
        if let Some(bits) = field.bits {
            let fields = self.unit.types[record].fields.as_deref();
            let beside = beside(fields.unwrap_or_default(), field).moved(lies.from);
            lies.beside = (beside.width() > WIDEST).then_some(beside);
            lies.from += bits.first;
            return Way::Bits(u64::from(bits.width));
        }
        lies.from += field.offset * 8;
        Way::Type(field.ty.ty)
    }

    /// Steps into a field as the program has it: of a structure, or a cell of an inner record.
    fn within_structure(&self, on: &Way, field: u32, lies: &mut Lies) -> Way {
        let Way::Type(ty) = *on else {
            return Way::Nowhere;
        };
        let Some(record) = self.unit.types.record(ty) else {
            return Way::Nowhere;
        };
        let Some(Some(overlay)) = self.overlays.get(&record) else {
            return self.within_record(record, field, lies);
        };
        let mut cells = overlay.cells.iter().filter(|c| c.field == field);
        let Some(first) = cells.next() else {
            return Way::Nowhere;
        };
        lies.from += first.range.from;
        Way::Cells {
            each: first.range.width(),
        }
    }

    fn within_array(&self, on: &Way, index: ExprId, lies: &mut Lies) -> Way {
        let (stride, next) = match *on {
            Way::Type(ty) => match c_memory::element(self.unit, ty) {
                Some(element) => (size_of(self.unit, element) * 8, Way::Type(element)),
                None => return Way::Nowhere,
            },
            Way::Cells { each } => (each, Way::Bits(each)),
            _ => return Way::Nowhere,
        };
        match self
            .build
            .literal(index)
            .and_then(|i| u64::try_from(i).ok())
        {
            Some(known) => lies.from += known * stride,
            None => lies.moved.push((index, stride)),
        }
        next
    }

    /// Gives a part, or all parts of one, a value.
    pub(super) fn give(&mut self, place: &Place, value: ExprId, span: Span) -> Lowered<()> {
        let whole = place.ty == self.floating_type();
        if is_within(place) && !whole && self.parts_of(place.ty).is_some() {
            let from = self.stored(value, span);
            return self.copy_parts(&Where::named(place.clone(), span), &from, span);
        }
        self.store(&Where::named(place.clone(), span), value)
    }
}

/// Whether a place is a part of a record whose parts share bytes.
pub(super) fn is_within(place: &Place) -> bool {
    place.path.iter().any(|step| member_of(step).is_some())
}

/// Where a path has come to.
enum Way {
    Type(CTypeId),
    /// This many bits.
    Bits(u64),
    /// Cells of an inner record, each of `each` bits.
    Cells {
        each: u64,
    },
    Nowhere,
}

/// A number whose lowest `width` bits are one.
const fn ones(width: u64) -> i128 {
    (1 << width) - 1
}
