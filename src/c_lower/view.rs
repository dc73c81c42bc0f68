//! Bytes of an object that are seen as another type: some bytes of a number, or neighbouring numbers of an array.
//!
//! The path to such bytes ends in a step of its own, which [`seen`](super::seen) turns into cells.

use super::leads::Shape;
use super::overlay::{Holds, Overlay, Range};
use super::seen::{Part, Piece};
use super::{Lowered, Lowerer};
use base::source::Span;
use c::types::{RecordId, TypeId as CTypeId};
use c_memory::{Object, Target};
use ir::{BinaryOp, Place, Step, Type, TypeId};
use rustc_hash::FxHashSet;

/// How bytes are seen at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// The type of each number, or of the record.
    cell: TypeId,
    /// The bit of the number at which the view begins, if there is one number; or of the record.
    from: u64,
    /// How many numbers there are; 0 for the bytes between the members of a structure. In a record, 1 if a number has more bits.
    count: u64,
    /// The record whose parts share these bytes, if there is one.
    record: Option<RecordId>,
}

/// The most views of a record whose parts share bytes.
const MOST_VIEWS: u64 = 256;

/// Steps to views have this bit, and the number of the view.
const VIEW: u32 = 1 << 30;

impl Lowerer<'_> {
    pub(super) fn view_at(&self, place: &Place) -> Option<View> {
        match place.path.last() {
            Some(Step::Field(field)) if field >> 30 == 1 => {
                self.views.get((field & !VIEW) as usize).copied()
            }
            _ => None,
        }
    }

    /// Whether a place is a part of a number.
    pub(super) fn is_part_of_number(&self, place: &Place) -> bool {
        self.view_at(place).is_some_and(|view| view.count == 1)
    }

    fn seen_place(&mut self, mut place: Place, view: View, ty: TypeId) -> Place {
        let known = self.views.iter().position(|v| *v == view);
        let at = known.unwrap_or_else(|| {
            self.views.push(view);
            self.views.len() - 1
        });
        place.path.push(Step::Field(VIEW | at as u32));
        place.ty = ty;
        place
    }

    /// How many bits a number has that is made of whole bytes.
    pub(super) fn bits_in_bytes(&self, ty: TypeId) -> Option<u64> {
        match self.build.types().get(ty) {
            Type::Bool => Some(8),
            Type::Bits(bits) if bits.width.is_multiple_of(8) => Some(bits.width.into()),
            _ => None,
        }
    }

    /// Adds the parts of a number that an access of a shorter type may mean.
    pub(super) fn parts_of_number(
        &mut self,
        (place, shape): (&Place, &Shape),
        ty: TypeId,
        found: &mut Vec<(Place, Shape)>,
    ) {
        let (Some(all), Some(own)) = (self.bits_in_bytes(place.ty), self.bits_in_bytes(ty)) else {
            return;
        };
        for at in 0..all / own {
            let view = View {
                cell: place.ty,
                from: at * own,
                count: 1,
                record: None,
            };
            let mut shape = shape.clone();
            shape.offset += at * own / 8;
            found.push((self.seen_place(place.clone(), view, ty), shape));
        }
    }

    /// Returns the elements of an array that an access of a longer type may mean, if there are such.
    pub(super) fn elements_as_number(
        &mut self,
        (array, shape): (&Place, &Shape),
        ty: TypeId,
    ) -> Option<(Place, Shape)> {
        let &Type::Array(len, cell) = self.build.types().get(array.ty) else {
            return None;
        };
        let (each, own) = (self.bits_in_bytes(cell)?, self.bits_in_bytes(ty)?);
        let count = own / each;
        if count < 2 || u64::from(len) < count {
            return None;
        }
        let mut shape = shape.clone();
        shape.dims.push((u64::from(len) - count + 1, each / 8));
        let mut place = array.clone();
        // `choice` sets the index.
        place.path.push(Step::Index(ir::ExprId(0)));
        let view = View {
            cell,
            from: 0,
            count,
            record: None,
        };
        Some((self.seen_place(place, view, ty), shape))
    }

    /// The bytes between the members of a structure, and behind them.
    pub(super) fn bytes_between(
        &mut self,
        record: RecordId,
        (place, shape): (&Place, &Shape),
        byte: TypeId,
        found: &mut Vec<(Place, Shape)>,
    ) {
        for at in c_memory::own_gaps(self.unit, record) {
            let view = View {
                cell: byte,
                from: 0,
                count: 0,
                record: None,
            };
            let mut shape = shape.clone();
            shape.offset += at;
            found.push((self.seen_place(place.clone(), view, byte), shape));
            self.sees_gaps();
        }
    }

    fn sees_gaps(&mut self) {
        self.gaps.0 = true;
        let what = "bytes between the members of a structure are zeros here";
        let said = (self.body.span, what.to_owned());
        let unsaid = &mut self.build.program.scope.unsaid;
        if !unsaid.contains(&said) {
            unsaid.push(said);
        }
    }

    /// Adds the bytes of a record whose parts share bytes, where no part of the type begins. `parts` are those of the type.
    pub(super) fn bytes_of_record(
        &mut self,
        (id, overlay): (RecordId, &Overlay),
        (place, shape): (&Place, &Shape),
        ty: TypeId,
        parts: &mut Vec<(Place, Shape)>,
    ) {
        let Some(own) = self.bits_in_bytes(ty) else {
            return;
        };
        let begins = |(_, part): &(Place, Shape)| part.begins(shape.dims.len());
        let known: FxHashSet<u64> = parts.iter().flat_map(begins).collect();
        let gaps = c_memory::record_gaps(self.unit, id);
        let ends = overlay.cells.iter().map(|cell| cell.range.to);
        let end = ends.chain(gaps.iter().map(|at| (at + 1) * 8)).max();
        let end = end.filter(|end| end / own <= MOST_VIEWS + known.len() as u64);
        for from in (0..end.unwrap_or(0)).step_by(own as usize) {
            let seen = Range::of(from, own);
            let met = |seen: Range| overlay.cells.iter().filter(move |c| c.range.meets(seen));
            let mut open = (from..seen.to)
                .step_by(8)
                .map(|at| at / 8)
                .collect::<Vec<u64>>();
            open.retain(|at| met(Range::of(at * 8, 8)).next().is_none());
            let mut shape = shape.clone();
            shape.offset += from / 8;
            if known.contains(&shape.offset)
                || met(seen).any(|c| c.holds != Holds::Bits)
                || open.iter().any(|at| !gaps.contains(at))
            {
                continue;
            }
            let part = met(seen).any(|c| c.range.from < from || c.range.to > seen.to);
            let view = View {
                cell: overlay.ty,
                from,
                count: if part { 1 } else { 2 },
                record: Some(id),
            };
            parts.push((self.seen_place(place.clone(), view, ty), shape));
            if !open.is_empty() {
                self.sees_gaps();
            }
        }
    }

    /// The cells of a view, the lowest first.
    pub(super) fn pieces_of_view(
        &mut self,
        place: &Place,
        view: View,
        span: Span,
    ) -> Lowered<Vec<Piece>> {
        let mut first = place.clone();
        first.path.pop();
        first.ty = view.cell;
        if let Some(record) = view.record {
            let Some(overlay) = self.overlay(record, span)? else {
                return Ok(Vec::new());
            };
            let wide = self.bits_in_bytes(place.ty).unwrap_or(8);
            let part = Range::of(view.from, wide);
            return Ok(self.fixed_pieces(&first, &overlay, (part, part)));
        }
        let width = |ty| self.bits_in_bytes(ty).unwrap_or(8);
        let (wide, all) = (width(view.cell), width(place.ty));
        let mut pieces = Vec::new();
        for at in 0..view.count {
            let mut cell = first.clone();
            if let (Some(Step::Index(index)), true) = (cell.path.last_mut(), at > 0) {
                let by = self.build.int(i128::from(at), self.build.ty(*index));
                *index = self.build.binary(BinaryOp::Add, *index, by);
            }
            let within = Range {
                from: view.from,
                to: wide.min(view.from + all),
            };
            let mut own = match self.made_of(&cell, span)? {
                Part::Pieces(own) => own,
                Part::Place(cell) => vec![Piece {
                    cell,
                    holds: Holds::Bits,
                    wide,
                    within,
                    at: 0,
                    element: None,
                }],
            };
            own.iter_mut().for_each(|piece| piece.at += at * wide);
            pieces.append(&mut own);
        }
        Ok(pieces)
    }

    /// The objects to which a pointer may lead.
    pub(super) fn objects_behind(&self, pointer: c::typed::ExprId) -> Vec<Object> {
        let targets = self.memory.targets(pointer);
        targets.filter_map(Target::object).collect()
    }

    /// The objects to which several pointers may lead, each object once.
    pub(super) fn objects_behind_all(&self, pointers: &[c::typed::ExprId]) -> Vec<Object> {
        let mut all: Vec<Object> = pointers
            .iter()
            .flat_map(|&p| self.objects_behind(p))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The type of what lies in an object: of its elements, if it is an array.
    pub(super) fn element_of(&self, object: Object) -> Option<CTypeId> {
        let ty = match object {
            Object::Variable(v) => self.unit[v].ty.ty,
            Object::Text(text) => self.unit[text].element,
            Object::Heap(site) => self.memory.heap.get(&site)?.ty,
        };
        Some(c_memory::innermost(self.unit, ty))
    }

    /// The types of the objects behind pointers, but for characters.
    pub(super) fn types_behind(&self, pointers: &[c::typed::ExprId]) -> Vec<CTypeId> {
        let objects = self.objects_behind_all(pointers).into_iter();
        let mut types: Vec<CTypeId> = objects.filter_map(|o| self.element_of(o)).collect();
        types.retain(|&ty| !c_memory::is_character(self.unit, ty));
        types.sort_unstable();
        types.dedup();
        types
    }
}
