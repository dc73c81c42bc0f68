//! Objects that are made while the program runs, and strings.
//!
//! Each allocation in the text has a fixed number of objects. It hands each out once, one after the other, so a freed
//! object stays known as freed. With `--heap-reuse`, allocations of the same type and size share their objects, and
//! may hand out any freed one again.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, TextId, VarId};
use c_memory::{Object, size_of};
use ir::lower::Lower;
use ir::{
    Behind, BinaryOp, ExprId, ExprKind, GlobalId, Place, PreemptKind, Step, StmtKind, Type, TypeId,
    Types,
};

/// How many elements an object of an allocation may have at most.
const MOST_ELEMENTS: u64 = 1 << 20;

/// `ENOMEM`
const NO_MEMORY: i128 = 12;

/// The variables behind an allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) objects: GlobalId,
    /// How many objects were handed out.
    pub(super) counter: GlobalId,
    /// By object: how many bytes it has, if that is only known at run time.
    pub(super) bytes: Option<GlobalId>,
    /// By object: whether it was freed. `None` if the program frees nothing.
    pub(super) freed: Option<GlobalId>,
}

impl Lowerer<'_> {
    /// A string, as an array to which nothing writes.
    pub(super) fn text(&mut self, text: TextId) -> Lowered<Place> {
        if let Some(&global) = self.texts.get(&text) {
            return Ok(self.global_place(global));
        }
        let unit = self.unit;
        let element = self.scalar_type(unit[text].element, Span::default())?;
        let mut values: Vec<ExprId> = Vec::new();
        for &value in unit[text].values.iter().chain([&0]) {
            let value = ir::arith::convert(self.build.types(), element, i128::from(value));
            values.push(self.build.int(value, element));
        }
        let ty = Type::Array(values.len() as u32, element);
        let ty = self.build.program.types.intern(ty);
        let value = self.build.add(ExprKind::Array(values.into()), ty);
        let global = self.made_global("text.", ty, value, true);
        self.texts.insert(text, global);
        Ok(self.global_place(global))
    }

    /// The variables behind an allocation, made when they are first needed.
    pub(super) fn site(&mut self, site: CExprId, span: Span) -> Lowered<Site> {
        if let Some(&made) = self.sites.get(&site) {
            return Ok(made);
        }
        let (Some(&made), Some(area)) = (
            self.memory.heap.get(&site),
            self.memory.area(Object::Heap(site)),
        ) else {
            return refuse(span, "this allocation is");
        };
        let (count, _) = area.instances.unwrap_or((1, 0));
        let len = area.size / size_of(self.unit, made.ty);
        if len > MOST_ELEMENTS {
            let what = format!("an allocation of more than {MOST_ELEMENTS} elements is");
            return refuse(span, what);
        }
        let mut own = self.object_type(made.ty, span)?;
        if made.len != Some(1) {
            let types = &mut self.build.program.types;
            own = types.intern(Type::Array(len as u32, own));
        }
        let all = self.array_of(count, own);
        let zero = self.zero(all);
        let objects = self.made_global("malloc.", all, zero, false);
        self.build.program.globals[objects.index()].span = self.unit[site].span;
        if !self.is_cleared(site) {
            let begin = std::mem::take(&mut self.body.block);
            let at = std::mem::take(&mut self.body.span);
            let place = self.global_place(objects);
            self.unset_parts(place, made.ty)?;
            self.body.span = at;
            let own = std::mem::replace(&mut self.body.block, begin);
            self.initial.extend(own);
        }
        let number = self.number_type();
        let counter = self.hidden_global("allocated.", number);
        let open = made.len.is_none() || made.tail.is_some();
        let bytes = open.then(|| {
            let ty = self.pointer_type();
            let ty = self.array_of(count, ty);
            self.own_global("bytes.", ty)
        });
        let freed = self.memory.frees.then(|| {
            let ty = self.array_of(count, Types::BOOL);
            self.own_global("freed.", ty)
        });
        let made = Site {
            objects,
            counter,
            bytes,
            freed,
        };
        self.sites.insert(site, made);
        self.may_be_beyond(made, count);
        Ok(made)
    }

    pub(super) fn array_of(&mut self, count: u32, element: TypeId) -> TypeId {
        let types = &mut self.build.program.types;
        types.intern(Type::Array(count, element))
    }

    /// Makes a hidden global that needs no points: each access to it shares a step with an access to the object that it describes.
    pub(super) fn own_global(&mut self, name: &str, ty: TypeId) -> GlobalId {
        let global = self.hidden_global(name, ty);
        self.private.push(global);
        global
    }

    pub(super) fn heap(&mut self, site: CExprId, span: Span) -> Lowered<Place> {
        let made = self.site(site, span)?;
        Ok(self.global_place(made.objects))
    }

    /// Allocates an object and returns its address, or null if memory may be short. Executions end where no object is left.
    pub(super) fn allocate(
        &mut self,
        site: CExprId,
        sizes: &[CExprId],
        span: Span,
    ) -> Lowered<ExprId> {
        let pointer = self.pointer_type();
        let shared = self.memory.hands_out(site);
        let mut all = Vec::new();
        if self.site(shared, span)?.bytes.is_some() {
            for &size in sizes {
                let size = self.value(size)?;
                let size = self.converted(size, pointer, span)?;
                all.push(self.keep(size));
            }
        }
        let mut short = self.product_is_too_large(&all);
        if self.options.malloc_may_fail && !c_memory::is_call_of(self.unit, site, "alloca") {
            let none = self.chance("no_memory");
            short = self.build.binary(BinaryOp::Or, short, none);
        }
        if self.build.is_false(short) {
            return self.new_object(site, &all, span);
        }
        let at = self.temporary(pointer);
        let to = self.local_place(at);
        let (made, ()) = self.apart(|l| {
            let object = l.new_object(site, &all, span)?;
            l.store_place(to.clone(), object);
            Ok(())
        })?;
        let (none, ()) = self.apart(|l| {
            l.set(&to, 0);
            let always = l.build.bool(true);
            l.failed(always, NO_MEMORY, span)
        })?;
        self.emit(StmtKind::If(short, none, made));
        Ok(self.read_local(at))
    }

    /// Makes the condition that the product of a count and a size in bytes overflows.
    fn product_is_too_large(&mut self, sizes: &[ExprId]) -> ExprId {
        let &[count, each] = sizes else {
            return self.build.bool(false);
        };
        let ty = self.build.ty(each);
        let most = self.build.types().bounds(ty).map_or(0, |(_, most)| most);
        let (zero, most) = (self.build.int(0, ty), self.build.int(most, ty));
        let none = self.build.binary(BinaryOp::Eq, each, zero);
        let one = self.build.int(1, ty);
        let divisor = self.build.ite(none, one, each);
        let fit = self.build.binary(BinaryOp::Div, most, divisor);
        let beyond = self.build.binary(BinaryOp::Lt, fit, count);
        let some = self.build.not(none);
        self.build.binary(BinaryOp::And, some, beyond)
    }

    fn new_object(&mut self, site: CExprId, sizes: &[ExprId], span: Span) -> Lowered<ExprId> {
        let shared = self.memory.hands_out(site);
        let made = self.site(shared, span)?;
        let Some(area) = self.memory.area(Object::Heap(shared)) else {
            return refuse(span, "this allocation is");
        };
        let bytes = made
            .bytes
            .map(|global| (global, self.requested(made, sizes, area.size)));
        let (count, stride) = area.instances.unwrap_or((1, area.size));
        let again = made.freed.filter(|_| self.options.heap_reuse);
        // Other threads may free memory before this step, which may then hand it out.
        if again.is_some() && !self.body.atomic {
            self.emit(StmtKind::Preempt(PreemptKind::Implicit));
        }
        let number = self.in_one_step(|l| {
            let number = match again {
                Some(freed) => l.used_again(site, made, freed, count, span)?,
                None => l.unused(made, count)?,
            };
            if let Some((global, bytes)) = bytes {
                let mut to = l.global_place(global);
                to.path.push(Step::Index(number));
                to.ty = l.build.ty(bytes);
                l.store_place(to, bytes);
            }
            Ok(number)
        })?;
        let ty = self.pointer_type();
        let number = self.build.convert(number, ty);
        let stride = self.build.int(i128::from(stride), ty);
        let base = self.build.int(i128::from(area.base), ty);
        let offset = self.build.binary(BinaryOp::Mul, number, stride);
        let at = self.build.binary(BinaryOp::Add, base, offset);
        Ok(self.perhaps_anywhere(made, at))
    }

    /// Returns the number of the next object that was never handed out. Executions end where none is left.
    pub(super) fn unused(&mut self, made: Site, count: u32) -> Lowered<ExprId> {
        let place = self.global_place(made.counter);
        let number = self.peek(&place);
        let number = self.keep(number);
        let end = self.build.int(i128::from(count), place.ty);
        let within = self.build.binary(BinaryOp::Lt, number, end);
        let what = format!("more than {count} objects are made here (`--heap`)");
        let behind = self.behind_bounds(made);
        self.unless(within, |l| l.beyond_heap(what, behind));
        self.count(&place, 1);
        Ok(number)
    }

    /// Returns how many bytes the allocated object has to which a pointer leads; 0 for any other pointer.
    pub(super) fn bytes_allocated(&mut self, pointer: CExprId, span: Span) -> Lowered<ExprId> {
        let at = self.value(pointer)?;
        let at = self.keep(at);
        let ty = self.pointer_type();
        let result = self.temporary(ty);
        let to = self.local_place(result);
        self.set(&to, 0);
        for site in self.allocations(pointer) {
            let made = self.site(site, span)?;
            let Some(area) = self.memory.area(Object::Heap(site)) else {
                continue;
            };
            let (here, number) = self.begins_in(area, at);
            let bytes = match made.bytes {
                Some(bytes) => {
                    let all = self.build.global(bytes);
                    self.build.index(all, number)
                }
                None => self.build.int(i128::from(area.size), ty),
            };
            self.when(here, |l| {
                l.store_place(to.clone(), bytes);
            });
            self.when_beyond(made, |l, anything| l.store_place(to.clone(), anything));
        }
        Ok(self.read_local(result))
    }

    /// Returns how many bytes the program asks for. Executions end where they are too many.
    fn requested(&mut self, made: Site, sizes: &[ExprId], most: u64) -> ExprId {
        let ty = self.pointer_type();
        let mut all = self.build.int(1, ty);
        for &size in sizes {
            all = self.build.binary(BinaryOp::Mul, all, size);
        }
        let all = self.keep(all);
        let most = self.build.int(i128::from(most), ty);
        let fits = self.build.binary(BinaryOp::Le, all, most);
        let elements = self.options.heap;
        let what = format!("an object of more than {elements} elements is made here (`--heap`)");
        let behind = self.behind_bounds(made);
        self.unless(fits, |l| l.beyond_heap(what, behind));
        all
    }

    /// Ends executions here unless a condition holds.
    pub(super) fn cut_unless(&mut self, cond: ExprId, why: String) -> Lowered<()> {
        self.unless(cond, |l| l.unknown_if(why, Behind::Unknown));
        Ok(())
    }

    /// Returns the global with the size in bytes of a variable-length array that pointers reach; by thread, if each has its own.
    pub(super) fn extent(&mut self, id: VarId) -> Option<GlobalId> {
        if let Some(&extent) = self.extents.get(&id) {
            return Some(extent);
        }
        if !self.unit.types.is_variable(self.unit[id].ty.ty) {
            return None;
        }
        self.memory.area(Object::Variable(id))?;
        let ty = self.pointer_type();
        let ty = self.for_instances(id, ty);
        let extent = self.own_global("bytes.", ty);
        self.extents.insert(id, extent);
        Some(extent)
    }

    /// Whether an offset lies within an object; `None` if the object's size is known before the program runs.
    pub(super) fn reaches(
        &mut self,
        object: Object,
        number: ExprId,
        offset: ExprId,
    ) -> Option<ExprId> {
        let bytes = match object {
            Object::Heap(site) => self.sites.get(&site)?.bytes?,
            Object::Variable(id) => self.extent(id)?,
            Object::Text(_) => return None,
        };
        let mut all = self.build.global(bytes);
        if matches!(self.build.types().get(self.build.ty(all)), Type::Array(..)) {
            all = self.build.index(all, number);
        }
        let bytes = all;
        Some(self.build.binary(BinaryOp::Lt, offset, bytes))
    }
}
