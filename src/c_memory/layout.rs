//! What the bytes of a type are: its numbers, and those that belong to no member.

use crate::size_of;
use c::typed::Unit;
use c::types::{Field, RecordId, TypeId};

/// The most parts that are told apart in a structure that is seen as bytes.
const MOST_PARTS: usize = 256;

/// Whether a type may have bits that belong to no single member: gaps, unions, bit-fields.
pub fn is_padded(unit: &Unit, ty: TypeId) -> bool {
    let types = &unit.types;
    if let Some(element) = types.element(ty) {
        return is_padded(unit, element.ty);
    }
    let Some(record) = types.record(ty).map(|id| &types[id]) else {
        return false;
    };
    let fields = record.fields.as_deref().unwrap_or(&[]);
    let size = |f: &Field| types.layout(f.ty.ty).map_or(0, |l| l.size);
    let shared = |f: &Field| f.bits.is_some() || is_padded(unit, f.ty.ty);
    record.is_union
        || fields.iter().map(size).sum::<u64>() != record.size
        || fields.iter().any(shared)
}

/// The numbers in a type, each with its first byte; nothing if the type has anything else, or very many.
pub fn numbers(unit: &Unit, ty: TypeId) -> Option<Vec<(u64, TypeId)>> {
    let mut found = Vec::new();
    numbers_from(unit, ty, 0, &mut found).then_some(found)
}

fn numbers_from(unit: &Unit, ty: TypeId, from: u64, found: &mut Vec<(u64, TypeId)>) -> bool {
    let types = &unit.types;
    if found.len() > MOST_PARTS || types.library(ty).is_some() {
        return false;
    }
    if let Some((element, each, count)) = elements(unit, ty) {
        return (0..count).all(|at| numbers_from(unit, element, from + at * each, found));
    }
    let Some(record) = types.record(ty) else {
        found.push((from, ty));
        return types.is_scalar(ty);
    };
    let fields = types[record].fields.as_deref().unwrap_or_default();
    let plain = !types[record].is_union && fields.iter().all(|f| f.bits.is_none());
    let mut fields = fields.iter();
    plain && fields.all(|f| numbers_from(unit, f.ty.ty, from + f.offset, found))
}

/// The first bytes in a type that belong to no member, by their offsets. In a union, a member may have none where another has some.
pub fn gaps(unit: &Unit, ty: TypeId) -> Vec<u64> {
    let mut found = Vec::new();
    gaps_from(unit, ty, 0, &mut found);
    found
}

fn gaps_from(unit: &Unit, ty: TypeId, from: u64, found: &mut Vec<u64>) {
    let types = &unit.types;
    if !is_padded(unit, ty) || types.library(ty).is_some() || found.len() > MOST_PARTS {
        return;
    }
    if let Some((element, each, count)) = elements(unit, ty) {
        return (0..count).for_each(|at| gaps_from(unit, element, from + at * each, found));
    }
    if let Some(record) = types.record(ty) {
        record_gaps_from(unit, record, from, found);
    }
}

/// Like [`gaps`], of a record.
pub fn record_gaps(unit: &Unit, record: RecordId) -> Vec<u64> {
    let mut found = Vec::new();
    record_gaps_from(unit, record, 0, &mut found);
    found
}

fn record_gaps_from(unit: &Unit, record: RecordId, from: u64, found: &mut Vec<u64>) {
    found.extend(own_gaps(unit, record).into_iter().map(|at| from + at));
    let fields = unit.types[record].fields.iter().flatten();
    let whole = fields.filter(|field| field.bits.is_none());
    whole.for_each(|field| gaps_from(unit, field.ty.ty, from + field.offset, found));
}

/// The bytes between the members of a structure, and behind them, by their offsets.
pub fn own_gaps(unit: &Unit, record: RecordId) -> Vec<u64> {
    let record = &unit.types[record];
    let taken = record
        .fields
        .iter()
        .flatten()
        .map(|field| match field.bits {
            Some(bits) => bits.first / 8..(bits.first + u64::from(bits.width)).div_ceil(8),
            None => field.offset..field.offset + size_of(unit, field.ty.ty),
        });
    let taken: Vec<_> = taken.collect();
    let free = |at: &u64| !taken.iter().any(|bytes| bytes.contains(at));
    (0..record.size).filter(free).collect()
}

/// The type of an array's elements, the bytes of one, and how many there are.
fn elements(unit: &Unit, ty: TypeId) -> Option<(TypeId, u64, u64)> {
    let element = unit.types.element(ty)?.ty;
    let (each, all) = (size_of(unit, element), unit.types.layout(ty));
    Some((element, each, all.map_or(0, |all| all.size / each)))
}
