//! What pointers may point to, and where in a flat address space it lies.
//!
//! A pointer is a number: every object whose address is taken has a place of its own, laid out as C lays it out, so
//! that arithmetic, comparisons and integers in `void *` mean what they mean in C. [`flow`] finds out which objects a
//! pointer may lead to; an access through it chooses among those by the number.

mod blocks;
mod flow;
pub mod format;
mod forms;
mod given;
mod joined;
mod layout;
mod leaps;
mod output;
mod reuse;
mod signals;
mod sizes;
mod specialise;
pub mod spelling;
mod stretched;
mod threads;
mod touched;
mod used;
mod wrappers;
mod written;

pub use c::parts::{innermost, unconverted};
pub use forms::{
    BY_POINTER, COMPUTED, MAPPED, OPEN_ALIGNMENT, READS_NUMBERS, RUNS_HANDLERS, allocates,
    array_of_text, as_text, asked_alignment, by_pointer, called_by_themselves, calls, cancels,
    cancels_anywhere, direct, direct_as, element, has_rows, is_character, is_known_by_address,
    is_open_field, is_open_member, names_end_of, open_end, own_function,
};
pub use given::give_arguments;
pub use joined::all_joined;
pub use layout::{gaps, is_padded, numbers, own_gaps, record_gaps};
pub use leaps::without_leaps;
pub use output::{
    Most, Read, What, asks_for_more, is_output, literal, printed_by_format, read_format, reads,
    texts_of_format,
};
pub use reuse::is_call_of;
pub use signals::blocks_signals;
pub use sizes::settle_sizes;
pub use specialise::specialise;
pub use stretched::stretched;
pub use threads::{is_number_for_handle, numbers_of_handles};
pub use touched::Last;
pub use used::used;
pub use wrappers::add_wrappers;
pub use written::{
    BEFORE_MOVING, BEFORE_READING, IDLE, WATCHED, WRITTEN, dropped, has_work, known_as,
    only_printed, scans_numbers, text_not_computed, written,
};

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use c::typed::{ExprId, FunctionId, Lifetime, TextId, Unit, VarId};
use c::types::{Layout, RecordId, TypeId};

/// An object in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// A variable; a local one has an instance for each thread that may run its function, and for each call within others.
    Variable(VarId),
    Text(TextId),
    /// What the call of an allocating function made.
    Heap(ExprId),
}

/// What a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// An object, or a part of it.
    Object(Object),
    Function(FunctionId),
    /// The pointer was not one to a character before: it may lead to any byte of the objects.
    AnyByte,
}

impl Target {
    /// The object, if it is one.
    #[must_use]
    pub const fn object(self) -> Option<Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The function, if it is one.
    #[must_use]
    pub const fn function(self) -> Option<FunctionId> {
        match self {
            Self::Function(function) => Some(function),
            _ => None,
        }
    }
}

/// Where the instances of an object lie.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// The first byte.
    pub base: u64,
    /// How many instances there are, and their distance in bytes; `None` if the object has no instances of its own.
    pub instances: Option<(u32, u64)>,
    /// Bytes of one instance.
    pub size: u64,
    /// Only the thread that made the object can reach it.
    pub private: bool,
    /// Each thread has one such object, all at the same address. No thread can tell, because it has no pointer to the others.
    pub own: bool,
}

/// The answers about a program.
#[derive(Debug)]
pub struct Memory {
    targets: BTreeMap<ExprId, BTreeSet<Target>>,
    areas: BTreeMap<Object, Area>,
    /// Functions that several threads may run at a time, or one thread several times at once.
    multiple: BTreeSet<FunctionId>,
    /// Functions that may call themselves.
    recursive: BTreeSet<FunctionId>,
    /// Recursive functions with a variable that lies in memory.
    nested: BTreeSet<FunctionId>,
    /// How many calls of such functions within each other have variables of their own.
    pub nesting: u32,
    /// How many threads with a number there can be, `main` included.
    pub threads: u32,
    /// Whether some object has an instance for each thread.
    pub numbered: bool,
    /// How many keys are made at most, if that is known.
    pub keys: Option<u32>,
    /// The functions that are destructors of keys.
    pub destructors: BTreeSet<FunctionId>,
    /// Whether a function that threads call may end the thread.
    pub exits_in_functions: bool,
    /// Which members of unions are used.
    pub unions: BTreeMap<RecordId, BTreeSet<u32>>,
    /// Which bit-fields of structures are used.
    pub bit_fields: BTreeMap<RecordId, BTreeSet<u32>>,
    /// By structure that ends in an array without a length: how many elements are looked at.
    pub tails: BTreeMap<RecordId, u64>,
    /// The objects that an allocation makes.
    pub heap: BTreeMap<ExprId, Made>,
    /// By allocation: the allocation whose objects it hands out, if not its own.
    shared: BTreeMap<ExprId, ExprId>,
    /// Whether memory is freed.
    pub frees: bool,
    /// A place that frees memory before more may be allocated, if there is one.
    pub freed_before: Option<ExprId>,
    /// Local variables to which pointers may lead that outlive them.
    pub outlived: BTreeSet<VarId>,
    /// Local variables to which pointers may lead after their block within the function has ended.
    pub outlived_by_function: BTreeSet<VarId>,
    /// Functions that read arguments beyond those that they name.
    reads_rest: BTreeSet<FunctionId>,
    /// Functions that one thread may run more than once.
    again: BTreeSet<FunctionId>,
    /// The calls whose results the program does not use.
    pub dropped: FxHashSet<ExprId>,
    /// Whether something depends on a floating number that is computed.
    pub floats_decide: bool,
    touched: touched::Touched,
    /// Allocations whose objects may end within one of their elements.
    ragged: BTreeSet<ExprId>,
}

/// What an allocation makes: elements of a type.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub ty: TypeId,
    /// How many elements; `None` if that is only known when the program runs.
    pub len: Option<u64>,
    /// For a structure that ends in an array without a length: how many of its elements fit into the allocated size.
    pub tail: Option<u64>,
}

/// How many threads have numbers if the text does not tell how many threads there are.
const MOST_THREADS: u32 = 16;

/// High enough that no number of a program is an address by chance: traces show an address as `&x`, or `f` for a function.
const FIRST_FUNCTION: u64 = 0x5000_0000;
/// Objects lie behind all functions.
const FIRST_OBJECT: u64 = 0x5555_0000;

/// Objects are apart from each other, so that a pointer past the end of one is none to the next.
const GAP: u64 = 64;

/// Objects of any type lie at multiples of so many bytes.
const LEAST_ALIGNMENT: u64 = 16;

/// An allocation of more elements makes fewer objects than others: so many elements in all, but at least one object.
const LARGE: u64 = 1 << 12;
const MOST_OF_LARGE: u64 = 1 << 20;

impl Memory {
    /// Looks at a whole program. `instances` is how many objects each allocation can make, `reuse` whether they are handed out again.
    pub fn new(unit: &Unit, instances: u32, reuse: bool) -> Self {
        let flow = flow::Flow::of(unit);
        let threads = threads::Threads::of(unit, &flow);
        let once = threads.once_only(&flow);
        let (outlived, outlived_by_function) = flow.outlived();
        let mut memory = Self {
            multiple: threads.multiple(&flow),
            recursive: threads.recursive,
            nested: BTreeSet::new(),
            nesting: instances,
            threads: threads.most.map_or(MOST_THREADS, |most| most + 1),
            numbered: flow.numbered,
            targets: flow.values(),
            areas: BTreeMap::new(),
            keys: flow.keys(&once),
            destructors: flow.destructors(),
            exits_in_functions: flow.exits_in_functions(),
            unions: flow.unions.clone(),
            bit_fields: flow.bit_fields.clone(),
            frees: !flow.freed_at.is_empty(),
            tails: tails(unit, &flow.heap, u64::from(instances)),
            heap: flow.heap.clone(),
            shared: BTreeMap::new(),
            freed_before: reuse::freed_before(unit, &flow, &once),
            outlived,
            outlived_by_function,
            reads_rest: flow.reads_rest(),
            again: flow
                .sites(false)
                .into_keys()
                .filter(|f| !once.contains(f))
                .collect(),
            dropped: flow.dropped.clone(),
            floats_decide: flow.floats_decide,
            touched: touched::touched(unit),
            ragged: touched::ragged(unit, &flow.heap),
        };
        if reuse && !flow.freed_at.is_empty() {
            memory.shared = reuse::shared(unit, &flow);
            for targets in std::mem::take(&mut memory.targets) {
                let all = targets.1.into_iter().map(|target| memory.handed(target));
                let all = all.collect();
                memory.targets.insert(targets.0, all);
            }
        }
        let count = memory.counted(&flow, &once, instances);
        let mut next = FIRST_OBJECT;
        let private = flow.private();
        for object in flow.residents() {
            let private = private.contains(&object);
            let many = match object {
                Object::Heap(site) if memory.hands_out(site) != site => continue,
                Object::Heap(site) => count.get(&site).copied().unwrap_or(instances),
                _ => instances,
            };
            let heap = (many, u64::from(instances));
            memory.lay_out(unit, object, private, heap, &mut next);
        }
        memory
    }

    /// How many objects each allocation makes at most.
    fn counted(
        &self,
        flow: &flow::Flow<'_>,
        once: &BTreeSet<FunctionId>,
        instances: u32,
    ) -> BTreeMap<ExprId, u32> {
        let single = |site: &ExprId| {
            let at = flow.made_at.get(site);
            at.is_some_and(|at| !at.repeated && once.contains(&at.by))
        };
        let mut count = BTreeMap::new();
        for site in flow.heap.keys() {
            let own = if single(site) { 1 } else { instances };
            *count.entry(self.hands_out(*site)).or_default() += own;
        }
        count
    }

    /// The allocation whose objects one hands out: itself, if none are shared.
    pub fn hands_out(&self, site: ExprId) -> ExprId {
        self.shared.get(&site).copied().unwrap_or(site)
    }

    /// Gives an object its place. An allocation makes `heap` objects, of at most `elements` elements if the number is unknown.
    fn lay_out(
        &mut self,
        unit: &Unit,
        object: Object,
        private: bool,
        (heap, elements): (u32, u64),
        next: &mut u64,
    ) {
        let nests = matches!(object, Object::Variable(v) if self.nests(unit, v));
        let (ty, count) = match object {
            Object::Variable(v) => {
                let variable = &unit[v];
                let framed = match variable.lifetime {
                    Lifetime::Static => false,
                    Lifetime::Thread => true,
                    Lifetime::Local | Lifetime::Param => variable
                        .function
                        .is_some_and(|f| self.multiple.contains(&f)),
                };
                self.numbered |= framed;
                self.nested.extend(variable.function.filter(|_| nests));
                let each = if nests { self.nesting } else { 1 };
                (variable.ty.ty, framed.then_some(self.threads * each))
            }
            Object::Text(text) => (unit[text].element, None),
            Object::Heap(site) => {
                let made = self.heap.get(&site);
                let large = made.and_then(|h| h.len).filter(|&len| len > LARGE);
                let most = large.map_or(heap, |len| heap.min((MOST_OF_LARGE / len).max(1) as u32));
                (made.map_or(TypeId(0), |h| h.ty), Some(most))
            }
        };
        let size = match object {
            Object::Text(text) => (unit[text].values.len() as u64 + 1) * size_of(unit, ty),
            Object::Heap(site) => {
                let made = self.heap.get(&site);
                let tail = open_end(unit, ty).map_or(0, |(id, _, each)| {
                    each * self.tails.get(&id).copied().unwrap_or(elements)
                });
                size_of(unit, ty) * made.map_or(1, |h| h.len.unwrap_or(elements)) + tail
            }
            Object::Variable(_) => match element(unit, ty) {
                Some(element) if unit.types.is_variable(ty) => size_of(unit, element) * elements,
                _ => size_of(unit, ty),
            },
        };
        let align = alignment(unit, object).max(LEAST_ALIGNMENT);
        let stride = (size + 1).next_multiple_of(align);
        let is_plain = unit.types.is_scalar(ty) && unit.types.library(ty).is_none();
        let framed = matches!(object, Object::Variable(_)) && count.is_some();
        let area = Area {
            base: next.next_multiple_of(align),
            instances: count.map(|n| (n, stride)),
            size,
            private,
            own: private && framed && is_plain && !nests,
        };
        self.areas.insert(object, area);
        let all = stride * u64::from(count.unwrap_or(1)) + GAP;
        *next = (area.base + all).next_multiple_of(LEAST_ALIGNMENT);
    }

    /// What the value of an expression may point to.
    pub fn targets(&self, e: ExprId) -> impl Iterator<Item = Target> + '_ {
        self.targets.get(&e).into_iter().flatten().copied()
    }

    fn handed(&self, target: Target) -> Target {
        match target {
            Target::Object(Object::Heap(site)) => {
                Target::Object(Object::Heap(self.hands_out(site)))
            }
            other => other,
        }
    }

    /// What an access of a type through a pointer touches.
    #[must_use]
    pub fn touched(&self, unit: &Unit, pointer: ExprId, ty: TypeId) -> Last {
        touched::last(unit, &self.touched, pointer, ty)
    }

    /// Whether an allocated object may end within what an access touches up to the byte `last`.
    #[must_use]
    pub fn may_end_within(&self, unit: &Unit, object: Object, last: u64) -> bool {
        let own = |&site: &ExprId| Object::Heap(self.hands_out(site)) == object;
        let made = match object {
            Object::Heap(site) => self.heap.get(&site),
            _ => None,
        };
        made.is_some_and(|made| last >= size_of(unit, made.ty)) || self.ragged.iter().any(own)
    }

    /// All objects that pointers reach, and where they lie.
    pub fn areas(&self) -> impl Iterator<Item = (Object, Area)> + '_ {
        self.areas.iter().map(|(&object, &area)| (object, area))
    }

    /// Where an object lies, if a pointer to it is ever made.
    pub fn area(&self, object: Object) -> Option<Area> {
        self.areas.get(&object).copied()
    }

    /// How many instances a variable has; none if it has just one.
    pub fn instances(&self, unit: &Unit, variable: VarId) -> Option<u32> {
        match self.area(Object::Variable(variable)) {
            Some(area) => area.instances.map(|(count, _)| count),
            None => (unit[variable].lifetime == Lifetime::Thread).then_some(self.threads),
        }
    }

    /// Whether a function may call itself.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(&function)
    }

    /// Whether each call within others has a variable of its own.
    pub fn nests(&self, unit: &Unit, variable: VarId) -> bool {
        let local = matches!(unit[variable].lifetime, Lifetime::Local | Lifetime::Param);
        local
            && unit[variable]
                .function
                .is_some_and(|f| self.is_recursive(f))
    }

    /// Whether each call of a function has variables of its own in memory, also while others of its calls go on.
    pub fn is_nested(&self, function: FunctionId) -> bool {
        self.nested.contains(&function)
    }

    /// Whether some function is nested.
    pub fn has_nested(&self) -> bool {
        !self.nested.is_empty()
    }

    /// Whether a function reads arguments beyond the named ones, itself or by a function to which it passes their list.
    pub fn reads_rest(&self, function: FunctionId) -> bool {
        self.reads_rest.contains(&function)
    }

    /// Whether a thread may run a function more than once.
    pub fn runs_again(&self, function: FunctionId) -> bool {
        self.again.contains(&function)
    }

    /// The number that stands for a function.
    pub fn function_address(function: FunctionId) -> u64 {
        FIRST_FUNCTION + 16 * u64::from(function.0)
    }
}

/// By structure: the most elements that an allocation asks for, but at least `elements`.
fn tails(unit: &Unit, heap: &BTreeMap<ExprId, Made>, elements: u64) -> BTreeMap<RecordId, u64> {
    let mut most = BTreeMap::new();
    for made in heap.values() {
        if let (Some((id, ..)), Some(known)) = (open_end(unit, made.ty), made.tail) {
            let most = most.entry(id).or_insert(elements);
            *most = known.max(*most);
        }
    }
    most
}

/// The alignment that the program asks for.
fn alignment(unit: &Unit, object: Object) -> u64 {
    match object {
        Object::Variable(v) => {
            let natural = unit.types.layout(innermost(unit, unit[v].ty.ty));
            natural
                .map_or(1, |l| l.align)
                .max(unit[v].align.unwrap_or(1))
        }
        Object::Text(_) => 1,
        Object::Heap(site) => match asked_alignment(unit, site) {
            Some(known) => known.unwrap_or(OPEN_ALIGNMENT),
            None if ["valloc", MAPPED]
                .iter()
                .any(|name| is_call_of(unit, site, name)) =>
            {
                OPEN_ALIGNMENT
            }
            None => 1,
        },
    }
}

/// Bytes of a type; what has no size counts as one.
pub fn size_of(unit: &Unit, ty: TypeId) -> u64 {
    let layout = unit.types.layout(ty);
    layout.map_or(1, |Layout { size, .. }| size.max(1))
}
