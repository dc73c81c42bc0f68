//! Forms of expressions, types and functions that tell what a program does with memory.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::specialise::Walk;
use crate::{known_as, size_of};
use c::parts::{initial, innermost, unconverted};
use c::typed::{
    AtomicOp, Callee, Conversion, ExprId, ExprKind as C, FunctionId, Init, InitId, Lifetime, Unit,
    VarId,
};
use c::types::{Field, IntKind, Length, MAX_SIZE, RecordId, Type, TypeId};

/// The prefix of functions of our headers to which a pointer to a function of the library leads instead.
pub const BY_POINTER: &str = "__by_pointer_";

/// Functions of our headers that the library calls: what `atoi` does with a text, and what is done when the program ends.
pub const READS_NUMBERS: &str = "__number_in_text";
pub const RUNS_HANDLERS: &str = "__run_at_exit";

/// A function of the program with that name.
pub fn own_function(unit: &Unit, name: &str) -> Option<FunctionId> {
    let named = |f: &c::typed::Function| f.body.is_some() && unit.name(f.name) == name;
    let at = unit.functions.iter().position(named)?;
    u32::try_from(at).ok().map(FunctionId)
}

/// The function to which a pointer leads. Of a function of the library, this is our header's function that calls it, if any.
pub fn by_pointer(unit: &Unit, function: FunctionId) -> FunctionId {
    let own = &unit[function];
    let named = || own_function(unit, &format!("{BY_POINTER}{}", unit.name(own.name)));
    if own.body.is_some() {
        function
    } else {
        named().unwrap_or(function)
    }
}

/// The functions that are called before `main`, or when the program ends.
pub fn called_by_themselves(unit: &Unit) -> Vec<FunctionId> {
    let own = |(at, f): (u32, &c::typed::Function)| {
        let called = f.body.is_some() && (f.constructor.is_some() || f.destructor.is_some());
        called.then_some(FunctionId(at))
    };
    (0..).zip(&unit.functions).filter_map(own).collect()
}

/// The prefix of functions of our header that compute with floating numbers, and of those that do what <math.h> has.
const FLOATS: &str = "__float_";
pub const COMPUTED: &str = "__math_";

/// All functions with these two prefixes.
pub fn float_functions(unit: &Unit) -> impl Iterator<Item = FunctionId> {
    let own = |(at, f): (u32, &c::typed::Function)| {
        let name = unit.name(f.name);
        let own = name.starts_with(FLOATS) || name.starts_with(COMPUTED);
        (f.body.is_some() && own).then_some(FunctionId(at))
    };
    (0..).zip(&unit.functions).filter_map(own)
}

/// Whether something depends on a floating number that is computed: a comparison, or an integer that is made of it.
pub fn floats_decide(unit: &Unit) -> bool {
    let floating = |e: ExprId| matches!(unit.types.shape(unit[e].ty.ty), Type::Float(_));
    let decides = |e: &c::typed::Expr| match &e.kind {
        C::Compare(_, of, _) => floating(*of),
        C::Convert(how, of) => {
            let own = matches!(unit.types.shape(e.ty.ty), Type::Float(_));
            floating(*of) && !own && *how != Conversion::Void
        }
        C::Update(update) => {
            let own = unit[update.place].ty.ty;
            let compute = matches!(unit.types.shape(update.compute), Type::Float(_));
            compute && !matches!(unit.types.shape(own), Type::Float(_))
        }
        C::Atomic(AtomicOp::CompareExchange | AtomicOp::CompareExchangeThrough, _, operands) => {
            let object = unit[*operands].first();
            let object = object.and_then(|&object| unit.types.pointee(unit[object].ty.ty));
            let kind = object.map(|object| unit.types.shape(object.ty));
            matches!(kind, Some(Type::Float(_) | Type::Record(_)))
        }
        _ => false,
    };
    if float_functions(unit).next().is_none() {
        return false;
    }
    let named = named(unit);
    named.iter().any(|&e| decides(&unit[e]))
        || floats_share_bytes(unit, &named)
        || floats_are_written(unit)
}

/// The expressions of functions that `main` leads to by their names.
pub fn named(unit: &Unit) -> Vec<ExprId> {
    let mut helpers: FxHashMap<&str, Vec<FunctionId>> = FxHashMap::default();
    let known = |function: &c::typed::Function| known_as(unit.name(function.name));
    for (at, function) in (0..).zip(&unit.functions) {
        let with = helpers.entry(known(function)).or_default();
        with.push(FunctionId(at));
    }
    let mut walk = Walk::default();
    for (at, variable) in (0..).zip(&unit.variables) {
        if matches!(variable.lifetime, Lifetime::Static | Lifetime::Thread) {
            (initial(unit, VarId(at)).into_iter()).for_each(|e| walk.expr(unit, e));
        }
    }
    let mut work = called_by_themselves(unit);
    work.extend(unit.main);
    let (mut seen, mut read) = (FxHashSet::default(), 0);
    loop {
        for &e in &walk.exprs[read..] {
            if let C::Call(Callee::Direct(function), _) | C::Function(function) = unit[e].kind {
                work.extend(&helpers[known(&unit[function])]);
            }
        }
        read = walk.exprs.len();
        let Some(next) = work.pop() else {
            return walk.exprs;
        };
        if let Some(body) = unit[next].body.filter(|_| seen.insert(next)) {
            walk.statement(unit, body);
        }
    }
}

/// Whether the program uses a member of a union with floating numbers.
fn floats_share_bytes(unit: &Unit, named: &[ExprId]) -> bool {
    let floating = |field: &Field| matches!(unit.types.shape(field.ty.ty), Type::Float(_));
    named.iter().any(|&e| {
        let C::Member(of, _) = unit[e].kind else {
            return false;
        };
        let record = unit.types.record(unit[of].ty.ty).map(|r| &unit.types[r]);
        record.is_some_and(|r| r.is_union && r.fields.iter().flatten().any(floating))
    })
}

/// Whether a text that the program may look at holds the digits of a floating number.
fn floats_are_written(unit: &Unit) -> bool {
    let calls = || {
        (0..)
            .zip(&unit.exprs)
            .filter_map(|(at, expr)| match &expr.kind {
                C::Call(Callee::Direct(function), args) => {
                    Some((ExprId(at), *function, &*unit[*args]))
                }
                _ => None,
            })
    };
    let dropped = super::dropped(unit);
    let written = |(call, function, args): &(ExprId, FunctionId, &[ExprId])| {
        super::written(unit, &dropped, *call, unit.name(unit[*function].name), args)
    };
    let floating = |args: &[ExprId]| {
        let float = |&e: &ExprId| matches!(unit.types.shape(unit[e].ty.ty), Type::Float(_));
        args.iter().any(float)
    };
    // A list of arguments may come from any call.
    let lists = ["vsnprintf", "vsprintf", "vasprintf"];
    let lists = calls()
        .any(|call| lists.contains(&unit.name(unit[call.1].name)) && written(&call).is_some());
    calls().any(|call| {
        floating(call.2) && (lists && unit[call.1].body.is_some() || written(&call).is_some())
    })
}

/// What `mmap` of our header calls for memory.
pub const MAPPED: &str = "__pages";

/// For a function of the library that makes objects: the arguments whose product is the size in bytes.
pub fn allocates(name: &str) -> Option<&'static [usize]> {
    match name {
        "malloc" | "alloca" | "valloc" | MAPPED => Some(&[0]),
        "calloc" => Some(&[0, 1]),
        "aligned_alloc" | "memalign" => Some(&[1]),
        _ => None,
    }
}

/// The alignment that memory has here if its own is known only when the program runs.
pub const OPEN_ALIGNMENT: u64 = 1 << 12;

/// The alignment that a call asks for, if it asks for one. `Some(None)`: the alignment is no constant.
pub fn asked_alignment(unit: &Unit, call: ExprId) -> Option<Option<u64>> {
    let C::Call(Callee::Direct(function), args) = unit[call].kind else {
        return None;
    };
    let asks = matches!(unit.name(unit[function].name), "aligned_alloc" | "memalign");
    let first = unit[args].first().filter(|_| asks)?;
    let known = unit.constant(*first).and_then(|n| u64::try_from(n).ok());
    Some(known.map(|n| n.clamp(1, MAX_SIZE).next_power_of_two()))
}

/// Whether an initial value consists of zeros, as whatever type a program reads it.
pub fn is_zero(unit: &Unit, init: InitId) -> bool {
    match &unit[init] {
        Init::Value(e) => match unit[*e].kind {
            C::Convert(_, of) if unit.constant(*e) == Some(0) => {
                matches!(unit[of].kind, C::Int(_))
            }
            C::Int(_) => unit.constant(*e) == Some(0),
            _ => false,
        },
        Init::Text(text) => unit[*text].values.iter().all(|&c| c == 0),
        Init::Parts(parts) => parts.iter().all(|p| is_zero(unit, p.init)),
    }
}

/// The array without a length at the end of a structure: the structure, where it begins, and the bytes of an element.
pub fn open_end(unit: &Unit, ty: TypeId) -> Option<(RecordId, u64, u64)> {
    let id = unit
        .types
        .record(ty)
        .filter(|_| unit.types.library(ty).is_none())?;
    let record = &unit.types[id];
    let last = record
        .fields
        .as_deref()?
        .last()
        .filter(|_| !record.is_union)?;
    let element = unit.types.element(last.ty.ty)?;
    let open = is_open(unit, last.ty.ty) || unit.stretched.contains(&id);
    open.then(|| (id, last.offset, size_of(unit, element.ty)))
}

/// Whether the program names the last member of a structure.
pub fn names_end_of(unit: &Unit, record: RecordId) -> bool {
    let fields = unit.types[record].fields.as_deref();
    let end = fields.map_or(0, <[_]>::len);
    unit.exprs.iter().any(|e| match e.kind {
        C::Member(of, at) => {
            at as usize + 1 == end && unit.types.record(unit[of].ty.ty) == Some(record)
        }
        _ => false,
    })
}

/// The arguments of each call of a function by its name.
pub fn calls<'u>(unit: &'u Unit, name: &'u str) -> impl Iterator<Item = &'u [ExprId]> {
    unit.exprs.iter().filter_map(move |e| match e.kind {
        C::Call(Callee::Direct(f), args) if unit.name(unit[f].name) == name => Some(&*unit[args]),
        _ => None,
    })
}

/// Whether a program cancels threads, or reads their state of cancellation.
pub fn cancels(unit: &Unit) -> bool {
    let mut asking = ["pthread_setcancelstate", "pthread_setcanceltype"]
        .into_iter()
        .flat_map(|name| calls(unit, name).filter_map(|args| args.get(1)));
    calls(unit, "pthread_cancel").next().is_some()
        || asking.any(|&old| unit.constant(old) != Some(0))
}

/// Whether a thread of a program that cancels threads may end before any statement.
pub fn cancels_anywhere(unit: &Unit) -> bool {
    let mut types = calls(unit, "pthread_setcanceltype").filter_map(|args| args.first());
    cancels(unit) && types.any(|&kind| unit.constant(kind) != Some(0))
}

/// Functions in which a thread that is cancelled ends.
pub fn may_end(name: &str) -> bool {
    matches!(
        name,
        "pthread_testcancel"
            | "pthread_join"
            | "pthread_cond_wait"
            | "pthread_cond_timedwait"
            | "pthread_cond_clockwait"
            | "sem_wait"
            | "sem_timedwait"
            | "sem_clockwait"
            | "sleep"
            | "usleep"
            | "nanosleep"
            | "clock_nanosleep"
    )
}

/// Whether an array becomes a pointer to its first element, and is not only known by its address.
pub fn is_decay(unit: &Unit, e: ExprId) -> bool {
    matches!(unit[e].kind, C::Decay(of) if !is_known_by_address(unit, of))
}

/// Whether an array is only known by its address: one without a length at the end of a structure, or one of variable length that
/// has rows, or is a row, or is what a pointer leads to.
pub fn is_known_by_address(unit: &Unit, array: ExprId) -> bool {
    let own = unit[array].ty.ty;
    let plain = matches!(unit[array].kind, C::Var(_)) && !has_rows(unit, own);
    is_open_member(unit, array) || unit.types.is_variable(own) && !plain
}

/// Whether a type is that of an array of arrays of variable length.
pub fn has_rows(unit: &Unit, ty: TypeId) -> bool {
    let row = unit.types.element(ty);
    row.is_some_and(|row| unit.types.is_variable(row.ty))
}

/// The type of what an array holds in memory. If its rows have variable length, it holds their elements instead of rows.
pub fn element(unit: &Unit, ty: TypeId) -> Option<TypeId> {
    let element = unit.types.element(ty)?.ty;
    match unit.types.is_variable(element) {
        true => self::element(unit, element),
        false => Some(element),
    }
}

/// Whether a place is an array without a length at the end of a structure.
pub fn is_open_member(unit: &Unit, place: ExprId) -> bool {
    let C::Member(of, field) = unit[place].kind else {
        return false;
    };
    let record = unit.types.record(unit[of].ty.ty);
    record.is_some_and(|record| is_open_field(unit, record, field))
}

/// Whether a member of a structure is an array with as many elements as were allocated.
pub fn is_open_field(unit: &Unit, record: RecordId, field: u32) -> bool {
    let fields = unit.types[record].fields.as_deref().unwrap_or_default();
    let last = field as usize + 1 == fields.len();
    let own = fields.get(field as usize);
    own.is_some_and(|f| is_open(unit, f.ty.ty)) || last && unit.stretched.contains(&record)
}

/// Whether a type is that of an array at the end of a structure, with as many elements as were allocated.
fn is_open(unit: &Unit, ty: TypeId) -> bool {
    matches!(
        unit.types.shape(ty),
        Type::Array(_, Length::Unknown | Length::Known(0))
    )
}

/// Whether `size` is known to be the size of the whole object to which `to` points.
pub fn is_whole(unit: &Unit, to: ExprId, size: ExprId) -> bool {
    let place = direct(unit, to).filter(|&place| unit.is_place(place));
    let whole = place.and_then(|place| unit.types.layout(unit[place].ty.ty));
    whole.is_some_and(|w| unit.constant(size) == Some(i128::from(w.size)))
}

/// The place whose address an expression is, if the expression names the place: `&x`, `(T *)&x`, an array.
pub fn direct(unit: &Unit, e: ExprId) -> Option<ExprId> {
    match unit[e].kind {
        C::AddressOf(place) => Some(place),
        C::Decay(place) if is_decay(unit, e) => Some(place),
        C::Convert(_, of) => direct(unit, of),
        C::Offset { pointer, .. } if is_decay(unit, pointer) => Some(pointer),
        _ => None,
    }
}

/// As [`direct`], if the pointer is to a type of the same size: other parts of an object are reached by its address.
pub fn direct_as(unit: &Unit, e: ExprId) -> Option<ExprId> {
    let C::Convert(_, of) = unit[e].kind else {
        return direct(unit, e);
    };
    let place = direct(unit, of)?;
    let own = match unit.types.element(unit[place].ty.ty) {
        Some(element) if !matches!(unit[unconverted(unit, of)].kind, C::AddressOf(_)) => element.ty,
        _ => unit[place].ty.ty,
    };
    let seen = unit.types.pointee(unit[e].ty.ty)?.ty;
    let size = |ty| unit.types.layout(ty).map(|l| l.size);
    let same = matches!(unit.types.shape(seen), Type::Void)
        || size(seen) == size(own) && bits_of(unit, seen) == bits_of(unit, own);
    same.then_some(place)
}

/// What the bits of a value mean, as far as values of one size differ in that.
fn bits_of(unit: &Unit, ty: TypeId) -> u8 {
    match unit.types.shape(ty) {
        Type::Bool => 0,
        Type::Int(_) | Type::Enum(_) | Type::Pointer(_) => 1,
        _ if unit.types.is_scalar(ty) => 2,
        _ => 3,
    }
}

/// The array of characters that an expression is as a pointer, if the length of the array is known.
pub fn array_of_text(unit: &Unit, e: ExprId) -> Option<ExprId> {
    let C::Decay(array) = unit[e].kind else {
        return None;
    };
    let ty = unit[array].ty.ty;
    let element = unit.types.element(ty).map(|q| q.ty);
    let known = unit.types.layout(ty).is_some() && !is_open_member(unit, array);
    (known && element.is_some_and(|e| is_character(unit, e))).then_some(array)
}

/// Whether a type is that of characters.
pub fn is_character(unit: &Unit, ty: TypeId) -> bool {
    let kind = unit.types.int_kind(ty);
    kind.is_some_and(|k| matches!(k, IntKind::Char | IntKind::SChar | IntKind::UChar))
}

/// Whether an expression is a pointer to characters, or to arrays of them.
pub fn leads_to_characters(unit: &Unit, e: ExprId) -> bool {
    let pointee = unit.types.pointee(unit[e].ty.ty);
    pointee.is_some_and(|to| is_character(unit, innermost(unit, to.ty)))
}

/// A text without the conversions that leave it a pointer to characters.
pub fn as_text(unit: &Unit, e: ExprId) -> ExprId {
    match unit[e].kind {
        C::Convert(Conversion::Same | Conversion::Pointer, of) if leads_to_characters(unit, of) => {
            as_text(unit, of)
        }
        _ => e,
    }
}
