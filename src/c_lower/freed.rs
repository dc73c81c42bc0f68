//! Memory that is given back: `free`, accesses to freed memory, and memory that is never freed.

use super::heap::Site;
use super::place::Alive;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, Unit};
use c_memory::{Area, Object, Target};
use ir::lower::Lower;
use ir::{
    BinaryOp, Block, ErrorKind, ExprId, PreemptKind, Proc, ProcId, Step, Stmt, StmtKind, Types,
};

impl Lowerer<'_> {
    /// Returns how to tell that an object was not freed; `None` if the program frees nothing.
    pub(super) fn unfreed(&self, site: CExprId, number: ExprId) -> Option<Alive> {
        let flag = self.sites.get(&site)?.freed?;
        Some(Alive {
            flag,
            number: Some(number),
            what: "this memory was freed before",
        })
    }

    /// Checks after an access that the object still exists.
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
            l.unless(nothing, |l| l.free_one(&sites, at, span))?;
            Ok(())
        })
    }

    fn free_one(&mut self, sites: &[CExprId], at: ExprId, span: Span) -> Lowered<()> {
        let Some((&site, rest)) = sites.split_first() else {
            let beyond = self.is_beyond();
            self.expect(
                ErrorKind::Free,
                beyond,
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

    /// Makes the procedure that runs when the program has ended: it checks that all allocated memory was freed.
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
            if is_mapping(self.unit, e) || c_memory::is_call_of(self.unit, e, "alloca") {
                continue;
            }
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

    /// Whether an object of an allocation begins at an address, and which one.
    pub(super) fn begins_in(&mut self, area: Area, at: ExprId) -> (ExprId, ExprId) {
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

    /// The allocations to whose objects a pointer may lead.
    pub(super) fn allocations(&self, pointer: CExprId) -> Vec<CExprId> {
        let targets = self.memory.targets(pointer);
        let site = targets.filter_map(|t| match t {
            Target::Object(Object::Heap(site)) => Some(site),
            _ => None,
        });
        site.collect()
    }
}

/// Whether `mmap` of our header makes these objects. They may never be freed.
fn is_mapping(unit: &Unit, site: CExprId) -> bool {
    c_memory::is_call_of(unit, site, c_memory::MAPPED)
}
