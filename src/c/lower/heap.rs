//! Objects that are made while the program runs, and strings.
//!
//! Every allocation in the text has so many objects of its own. They are used one after the other, and never again:
//! what was freed stays known as such. If memory is handed out again, allocations of the same type and size share
//! their objects, and any that was freed may be the next.

use super::place::Alive;
use super::{Lowered, Lowerer, refuse};
use crate::c::memory::{self, Area, Object, Target, size_of};
use crate::c::typed::{ExprId as CExprId, TextId, VarId};
use crate::ir::{
    BinaryOp, Block, ErrorKind, ExprId, ExprKind, GlobalId, LocalId, Place, PreemptKind, Proc,
    ProcId, Step, Stmt, StmtKind, Type, TypeId, Types,
};
use crate::lower::Lower;
use crate::source::Span;

/// Objects that one allocation makes at most are as large as this.
const MOST_ELEMENTS: u64 = 1 << 12;

/// `ENOMEM`
const NO_MEMORY: i128 = 12;

/// The variables behind an allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) objects: GlobalId,
    /// How many there are already.
    counter: GlobalId,
    /// By object: how many bytes it has, where that is only known when the program runs.
    bytes: Option<GlobalId>,
    /// By object: whether it was freed, if anything is.
    pub(super) freed: Option<GlobalId>,
}

impl Lowerer<'_> {
    /// A string as an array that nobody writes.
    pub(super) fn text(&mut self, text: TextId) -> Lowered<Place> {
        if let Some(&global) = self.texts.get(&text) {
            return Ok(self.global_place(global));
        }
        let unit = self.unit;
        let element = self.scalar_type(unit[text].element, Span::default())?;
        let mut values: Vec<ExprId> = Vec::new();
        for &value in unit[text].values.iter().chain([&0]) {
            let value = crate::ir::arith::convert(self.build.types(), element, i128::from(value));
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
        if len == 0 || len > MOST_ELEMENTS {
            return refuse(span, "an allocation of an object of this size is");
        }
        let mut own = self.object_type(made.ty, span)?;
        if made.len != Some(1) {
            let types = &mut self.build.program.types;
            own = types.intern(Type::Array(len as u32, own));
        }
        let all = self.array_of(count, own);
        let zero = self.zero(all);
        let objects = self.made_global("malloc.", all, zero, false);
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
        Ok(made)
    }

    fn array_of(&mut self, count: u32, element: TypeId) -> TypeId {
        let types = &mut self.build.program.types;
        types.intern(Type::Array(count, element))
    }

    /// A global without points: what it is touched for is touched in the same step.
    pub(super) fn own_global(&mut self, name: &str, ty: TypeId) -> GlobalId {
        let global = self.hidden_global(name, ty);
        self.private.push(global);
        global
    }

    pub(super) fn heap(&mut self, site: CExprId, span: Span) -> Lowered<Place> {
        let made = self.site(site, span)?;
        Ok(self.global_place(made.objects))
    }

    /// A new object; its address. There are none beyond the last. If memory can be short, perhaps there is none at all.
    pub(super) fn allocate(
        &mut self,
        site: CExprId,
        sizes: &[CExprId],
        span: Span,
    ) -> Lowered<ExprId> {
        if !self.options.malloc_may_fail || memory::is_call_of(self.unit, site, "alloca") {
            return self.new_object(site, sizes, span);
        }
        for &size in sizes {
            if self.acts(size) {
                return refuse(span, "an allocation whose size does something is");
            }
        }
        let short = self.any(Types::BOOL);
        let pointer = self.pointer_type();
        let at = self.temporary(pointer);
        let to = self.local_place(at);
        let (made, ()) = self.apart(|l| {
            let object = l.new_object(site, sizes, span)?;
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

    fn new_object(&mut self, site: CExprId, sizes: &[CExprId], span: Span) -> Lowered<ExprId> {
        let shared = self.memory.hands_out(site);
        let made = self.site(shared, span)?;
        let Some(area) = self.memory.area(Object::Heap(shared)) else {
            return refuse(span, "this allocation is");
        };
        let bytes = match made.bytes {
            Some(global) => Some((global, self.requested(sizes, area.size, span)?)),
            None => None,
        };
        let (count, stride) = area.instances.unwrap_or((1, area.size));
        let again = made.freed.filter(|_| self.options.heap_reuse);
        // What others free meanwhile may be handed out.
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
        Ok(self.build.binary(BinaryOp::Add, base, offset))
    }

    /// The next object that was never handed out. There are none beyond the last.
    fn unused(&mut self, made: Site, count: u32) -> Lowered<ExprId> {
        let place = self.global_place(made.counter);
        let number = self.peek(&place);
        let number = self.keep(number);
        let end = self.build.int(i128::from(count), place.ty);
        let within = self.build.binary(BinaryOp::Lt, number, end);
        let what = format!("more than {count} objects are made here (`--heap`)");
        self.cut_unless(within, what)?;
        self.count(&place, 1);
        Ok(number)
    }

    /// Any object that was freed, or the next one. When there is no next one, it is one that was freed.
    fn used_again(
        &mut self,
        site: CExprId,
        made: Site,
        freed: GlobalId,
        count: u32,
        span: Span,
    ) -> Lowered<ExprId> {
        let counter = self.global_place(made.counter);
        let ty = counter.ty;
        let [chosen, found, take] = [ty, Types::BOOL, Types::BOOL].map(|ty| self.temporary(ty));
        let (to, hit) = (self.local_place(chosen), self.local_place(found));
        self.set(&hit, 0);
        self.set(&to, 0);
        let handed = self.peek(&counter);
        let end = self.build.int(i128::from(count), ty);
        let full = self.build.binary(BinaryOp::Le, end, handed);
        let mut slots = Vec::new();
        // Whether there is no other one than this and those that were looked at before.
        let mut only = full;
        for number in 0..i128::from(count) {
            let slot = self.flag(freed, number, ty);
            let gone = self.peek(&slot);
            slots.push((number, slot, gone, only));
            let held = self.build.not(gone);
            only = self.build.binary(BinaryOp::And, only, held);
        }
        for (number, slot, gone, only) in slots.into_iter().rev() {
            let open = self.read_local(found);
            let open = self.build.not(open);
            let may = self.build.binary(BinaryOp::And, open, gone);
            let (choice, ()) = self.apart(|l| {
                let wish = l.local_place(take);
                l.havoc(wish);
                let wish = l.read_local(take);
                let taken = l.build.binary(BinaryOp::Or, wish, only);
                let (again, ()) = l.apart(|l| {
                    l.set(&slot, 0);
                    l.set(&to, number);
                    l.set(&hit, 1);
                    Ok(())
                })?;
                l.emit(StmtKind::If(taken, again, Block::new()));
                Ok(())
            })?;
            self.emit(StmtKind::If(may, choice, Block::new()));
        }
        let (next, ()) = self.apart(|l| {
            let next = l.unused(made, count)?;
            l.store_place(to.clone(), next);
            Ok(())
        })?;
        let again = self.read_local(found);
        self.emit(StmtKind::If(again, Block::new(), next));
        self.renewed(site, made, (chosen, found), span)?;
        Ok(self.read_local(chosen))
    }

    /// Whether an object was freed.
    fn flag(&mut self, freed: GlobalId, number: i128, ty: TypeId) -> Place {
        let index = self.build.int(number, ty);
        let mut place = self.global_place(freed);
        place.path.push(Step::Index(index));
        place.ty = Types::BOOL;
        place
    }

    /// An object that is handed out again holds what a new one holds.
    fn renewed(
        &mut self,
        site: CExprId,
        made: Site,
        (number, again): (LocalId, LocalId),
        span: Span,
    ) -> Lowered<()> {
        let shared = self.memory.hands_out(site);
        let Some(&memory::Made { ty, .. }) = self.memory.heap.get(&shared) else {
            return refuse(span, "this allocation is");
        };
        let number = self.read_local(number);
        let mut place = self.global_place(made.objects);
        if let &Type::Array(_, element) = self.build.types().get(place.ty) {
            place.path.push(Step::Index(number));
            place.ty = element;
        }
        let cleared = self.is_cleared(site);
        let alike = cleared == self.is_cleared(shared);
        let (renew, ()) = self.apart(|l| {
            if cleared {
                let zero = l.zero(place.ty);
                l.store_place(place, zero);
                return Ok(());
            }
            l.unset_parts(place, ty)
        })?;
        if alike {
            let again = self.read_local(again);
            self.emit(StmtKind::If(again, renew, Block::new()));
        } else {
            self.body.block.extend(renew);
        }
        Ok(())
    }

    /// Whether what an allocation makes is zero.
    fn is_cleared(&self, site: CExprId) -> bool {
        memory::is_call_of(self.unit, site, "calloc")
    }

    /// How many bytes the object has to which a pointer leads, if it was allocated; otherwise none.
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
            let (told, ()) = self.apart(|l| {
                l.store_place(to.clone(), bytes);
                Ok(())
            })?;
            self.emit(StmtKind::If(here, told, Block::new()));
        }
        Ok(self.read_local(result))
    }

    /// The allocations to whose objects a pointer may lead.
    fn allocations(&self, pointer: CExprId) -> Vec<CExprId> {
        let targets = self.memory.targets(pointer);
        let site = targets.filter_map(|t| match t {
            Target::Object(Object::Heap(site)) => Some(site),
            _ => None,
        });
        site.collect()
    }

    /// Whether an object of an allocation begins at an address, and which one.
    fn begins_in(&mut self, area: Area, at: ExprId) -> (ExprId, ExprId) {
        let ty = self.build.ty(at);
        let (count, stride) = area.instances.unwrap_or((1, area.size.max(1)));
        let base = self.build.int(i128::from(area.base), ty);
        let stride = self.build.int(i128::from(stride), ty);
        let count = self.build.int(i128::from(count), ty);
        let offset = self.build.binary(BinaryOp::Sub, at, base);
        let number = self.build.binary(BinaryOp::Div, offset, stride);
        let rem = self.build.binary(BinaryOp::Rem, offset, stride);
        let zero = self.build.int(0, ty);
        let exact = self.build.binary(BinaryOp::Eq, rem, zero);
        let below = self.build.binary(BinaryOp::Lt, number, count);
        (self.build.binary(BinaryOp::And, exact, below), number)
    }

    /// The size that is asked for, if it is not too large.
    fn requested(&mut self, sizes: &[CExprId], most: u64, span: Span) -> Lowered<ExprId> {
        let ty = self.pointer_type();
        let mut all = self.build.int(1, ty);
        for &size in sizes {
            let size = self.value(size)?;
            let size = self.converted(size, ty, span)?;
            all = self.build.binary(BinaryOp::Mul, all, size);
        }
        let all = self.keep(all);
        let most = self.build.int(i128::from(most), ty);
        let fits = self.build.binary(BinaryOp::Le, all, most);
        let what = "a larger object than is looked at is made here (`--heap` elements)";
        self.cut_unless(fits, what.to_owned())?;
        Ok(all)
    }

    /// Executions are followed only where a condition holds.
    pub(super) fn cut_unless(&mut self, cond: ExprId, why: String) -> Lowered<()> {
        let (trap, ()) = self.apart(|l| {
            l.unknown(why);
            Ok(())
        })?;
        self.emit(StmtKind::If(cond, Block::new(), trap));
        Ok(())
    }

    /// How many bytes an array of variable length has that pointers reach: by thread, if each has its own.
    pub(super) fn extent(&mut self, id: VarId) -> Option<GlobalId> {
        if let Some(&extent) = self.extents.get(&id) {
            return Some(extent);
        }
        self.length(self.unit[id].ty.ty)?;
        self.memory.area(Object::Variable(id))?;
        let mut ty = self.pointer_type();
        if self.per_thread(id) {
            ty = self.array_of(self.memory.threads, ty);
        }
        let extent = self.own_global("bytes.", ty);
        self.extents.insert(id, extent);
        Some(extent)
    }

    /// Whether an offset lies within an object of a size that is only known when the program runs.
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

    /// What says that an object was not freed, if anything is.
    pub(super) fn unfreed(&self, site: CExprId, number: ExprId) -> Option<Alive> {
        let flag = self.sites.get(&site)?.freed?;
        Some(Alive {
            flag,
            number: Some(number),
            what: "this memory was freed before",
        })
    }

    /// After an access to an object: it is still there.
    pub(super) fn lives(&mut self, alive: Option<Alive>, span: Span) {
        let Some(Alive { flag, number, what }) = alive else {
            return;
        };
        let mut gone = self.build.global(flag);
        if let Some(number) = number {
            gone = self.build.index(gone, number);
        }
        let alive = self.build.not(gone);
        self.at(span, |l| l.expect(ErrorKind::Deref, alive, what));
    }

    /// `free(p)`
    pub(super) fn free(&mut self, pointer: CExprId, span: Span) -> Lowered<()> {
        let at = self.value(pointer)?;
        let at = self.keep(at);
        let ty = self.build.ty(at);
        let sites = self.allocations(pointer);
        if !self.body.atomic {
            self.emit(StmtKind::Preempt(PreemptKind::Implicit));
        }
        let zero = self.build.int(0, ty);
        let nothing = self.build.binary(BinaryOp::Eq, at, zero);
        self.in_one_step(|l| {
            let (act, ()) = l.apart(|l| l.free_one(&sites, at, span))?;
            l.emit(StmtKind::If(nothing, Block::new(), act));
            Ok(())
        })
    }

    fn free_one(&mut self, sites: &[CExprId], at: ExprId, span: Span) -> Lowered<()> {
        let Some((&site, rest)) = sites.split_first() else {
            let never = self.build.bool(false);
            self.expect(
                ErrorKind::Free,
                never,
                "what is freed here was not allocated, or is not the beginning of it",
            );
            return Ok(());
        };
        let made = self.site(site, span)?;
        let (Some(area), Some(freed)) = (self.memory.area(Object::Heap(site)), made.freed) else {
            return refuse(span, "this `free` is");
        };
        let (here, number) = self.begins_in(area, at);
        let (yes, ()) = self.apart(|l| {
            let all = l.build.global(freed);
            let before = l.build.index(all, number);
            let fresh = l.build.not(before);
            l.expect(ErrorKind::Free, fresh, "this memory was freed before");
            let mut place = l.global_place(freed);
            place.path.push(Step::Index(number));
            place.ty = Types::BOOL;
            l.set(&place, 1);
            Ok(())
        })?;
        let (no, ()) = self.apart(|l| l.free_one(rest, at, span))?;
        self.emit(StmtKind::If(here, yes, no));
        Ok(())
    }

    /// When the program has ended, everything that was allocated is freed.
    pub(super) fn at_the_end(&mut self) {
        if !self.options.wanted.has(ErrorKind::Leak) {
            return;
        }
        let mut body = Block::new();
        let mut sites: Vec<(CExprId, Site)> = self.sites.iter().map(|(&e, &s)| (e, s)).collect();
        sites.sort_by_key(|(e, _)| *e);
        for (e, site) in sites {
            let Some((count, _)) = self.memory.area(Object::Heap(e)).and_then(|a| a.instances)
            else {
                continue;
            };
            let span = self.unit[e].span;
            let made = self.build.global(site.counter);
            for number in 0..i128::from(count) {
                let ty = self.build.ty(made);
                let own = self.build.int(number, ty);
                let unmade = self.build.binary(BinaryOp::Le, made, own);
                let gone = match site.freed {
                    Some(freed) => {
                        let all = self.build.global(freed);
                        self.build.index(all, own)
                    }
                    None => self.build.bool(false),
                };
                let fine = self.build.binary(BinaryOp::Or, unmade, gone);
                let what = "what is allocated here is never freed".to_owned();
                body.push(Stmt {
                    kind: StmtKind::Check(ErrorKind::Leak, fine, what.into()),
                    span,
                });
            }
        }
        let procs = &mut self.build.program.procs;
        let id = ProcId::from_index(procs.len());
        procs.push(Proc {
            name: "end.".to_owned(),
            body,
            ..Proc::default()
        });
        self.atomic.push(true);
        self.build.program.finally = Some(id);
    }
}
