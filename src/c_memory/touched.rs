//! How far accesses through pointers reach into what the pointers lead to, and which allocations may end within an element.

use std::collections::{BTreeMap, BTreeSet};

use super::{Made, allocates, is_known_by_address, open_end, size_of};
use c::parts::unconverted;
use c::typed::{BinaryOp, Callee, ExprId, ExprKind as C, Unit};
use c::types::{BitField, Field, Length, Type, TypeId};

/// The last byte that an access touches, counted from where the pointer leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Last {
    /// It touches this byte, or one behind it.
    pub least: u64,
    /// It touches none behind this byte.
    pub most: u64,
}

/// By pointer: the type of what it leads to, and what is touched of that.
pub(super) type Touched = BTreeMap<ExprId, (TypeId, Last)>;

/// A place within what a pointer leads to.
struct Within {
    pointer: ExprId,
    whole: TypeId,
    last: Last,
    /// How many members and elements are named on the way.
    steps: u32,
}

/// Finds the smallest part that the program names behind each pointer.
pub(super) fn touched(unit: &Unit) -> Touched {
    let mut found: BTreeMap<ExprId, (u32, TypeId, Last)> = BTreeMap::new();
    for e in (0..unit.exprs.len()).map(|at| ExprId(at as u32)) {
        if let C::Member(..) | C::Index(..) | C::Deref(_) = unit[e].kind
            && let Some(place) = within(unit, e, all_of(unit, unit[e].ty.ty), 0)
        {
            let own = found.entry(place.pointer);
            let own = own.or_insert((place.steps, place.whole, place.last));
            if own.0 < place.steps {
                *own = (place.steps, place.whole, place.last);
            }
        }
    }
    let kept = |(pointer, (_, ty, last))| (pointer, (ty, last));
    found.into_iter().map(kept).collect()
}

/// All bytes of a type.
fn all_of(unit: &Unit, ty: TypeId) -> Last {
    let last = size_of(unit, ty) - 1;
    Last {
        least: last,
        most: last,
    }
}

/// The bytes up to the end of a bit-field, and up to that of its last neighbour: they are one place in memory.
fn with_neighbours(fields: &[Field], bits: BitField) -> Last {
    let end = |bits: BitField| bits.first + u64::from(bits.width);
    let mut last = end(bits);
    for next in fields.iter().filter_map(|field| field.bits) {
        if next.first == last {
            last = end(next);
        }
    }
    Last {
        least: end(bits).saturating_sub(1) / 8,
        most: last.saturating_sub(1) / 8,
    }
}

fn within(unit: &Unit, e: ExprId, last: Last, steps: u32) -> Option<Within> {
    let further = |from: u64, to: u64| Last {
        least: last.least.saturating_add(from),
        most: last.most.saturating_add(to),
    };
    match unit[e].kind {
        C::Member(of, field) => {
            let record = unit.types.record(unit[of].ty.ty)?;
            let fields = unit.types[record].fields.as_deref()?;
            let field = fields.get(field as usize)?;
            let last = match field.bits {
                Some(bits) => with_neighbours(fields, bits),
                None => further(field.offset, field.offset),
            };
            within(unit, of, last, steps + 1)
        }
        C::Index(array, index) => match unit[array].kind {
            C::Decay(named) if !is_known_by_address(unit, named) => {
                let each = size_of(unit, unit[e].ty.ty);
                let known = unit.constant(index).and_then(|at| u64::try_from(at).ok());
                let length = match unit.types.shape(unit[named].ty.ty) {
                    Type::Array(_, Length::Known(length)) => *length,
                    _ => u64::MAX,
                };
                let least = known.unwrap_or(0).saturating_mul(each);
                let most = known.unwrap_or(length.saturating_sub(1));
                let last = further(least, most.saturating_mul(each));
                within(unit, named, last, steps + 1)
            }
            _ => Some(Within {
                pointer: array,
                whole: unit[e].ty.ty,
                last,
                steps,
            }),
        },
        C::Deref(pointer) => Some(Within {
            pointer,
            whole: unit[e].ty.ty,
            last,
            steps,
        }),
        _ => None,
    }
}

/// What an access of a type through a pointer touches. Functions of the library touch all of it.
pub(super) fn last(unit: &Unit, touched: &Touched, pointer: ExprId, ty: TypeId) -> Last {
    let all = all_of(unit, ty);
    if unit.types.is_scalar(ty) {
        return all;
    }
    if unit.types.library(ty).is_some() {
        return Last::default();
    }
    match (touched.get(&pointer), open_end(unit, ty)) {
        // The library may work only on the bytes before an array without a length.
        (None, Some((_, from, _))) => Last {
            least: from.saturating_sub(1),
            ..all
        },
        (None, None) if unit.types.record(ty).is_some() => all,
        (Some(&(whole, last)), _) if whole == ty => last,
        // Only a part of a part may be meant.
        _ => Last { least: 0, ..all },
    }
}

/// The allocations whose objects may end within one of their elements.
pub(super) fn ragged(unit: &Unit, heap: &BTreeMap<ExprId, Made>) -> BTreeSet<ExprId> {
    let ragged = |(&site, made): (&ExprId, &Made)| {
        let size = size_of(unit, made.ty);
        let open = made.len.is_none() || made.tail.is_some();
        (open && !asked(unit, site).is_multiple_of(size)).then_some(site)
    };
    heap.iter().filter_map(ragged).collect()
}

/// A number that divides the size of an allocation.
fn asked(unit: &Unit, site: ExprId) -> u64 {
    let C::Call(Callee::Direct(function), args) = unit[unconverted(unit, site)].kind else {
        return 1;
    };
    match allocates(unit.name(unit[function].name)) {
        // A product that does not fit gives no object.
        Some(sizes) => sizes.iter().fold(1_u64, |product, &at| {
            let own = unit[args].get(at).map_or(1, |&size| divisor(unit, size));
            product.saturating_mul(own)
        }),
        None => 1,
    }
}

/// A number that divides the value of an expression; 0 if the value is zero. A result that may wrap around keeps only its powers of
/// two, because it wraps at one. No size is as large as a result of small numbers that wraps.
fn divisor(unit: &Unit, e: ExprId) -> u64 {
    if let Some(known) = unit.constant(e) {
        return u64::try_from(known).unwrap_or(1);
    }
    let size = |e: ExprId| size_of(unit, unit[e].ty.ty);
    let even = |n: u64| if n == 0 { 1 } else { 1 << n.trailing_zeros() };
    match unit[e].kind {
        C::Convert(_, of) if unit.types.is_integer(unit[of].ty.ty) => match size(of) <= size(e) {
            true => divisor(unit, of),
            false => even(divisor(unit, of)),
        },
        C::Binary(op @ (BinaryOp::Mul | BinaryOp::Add | BinaryOp::Sub), l, r) => {
            let (left, right) = (divisor(unit, l), divisor(unit, r));
            let own = match op {
                BinaryOp::Mul => left.saturating_mul(right),
                _ => gcd(left, right),
            };
            let small = [l, r].iter().all(|&of| is_small(unit, of));
            if small && size(e) == 8 {
                own
            } else {
                even(own)
            }
        }
        _ => 1,
    }
}

/// Whether an expression of 64 bits has a value far from the ends of its type: a constant, a number of a shorter type, and products
/// and sums of a few.
fn is_small(unit: &Unit, e: ExprId) -> bool {
    match unit[e].kind {
        C::Convert(_, of) => size_of(unit, unit[of].ty.ty) <= 4,
        C::Binary(BinaryOp::Mul, l, r) => {
            let known = |e| unit.constant(e).is_some_and(|n| n.unsigned_abs() < 1 << 16);
            is_small(unit, l) && known(r) || known(l) && is_small(unit, r)
        }
        _ => unit.constant(e).is_some_and(|n| n.unsigned_abs() < 1 << 31),
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
