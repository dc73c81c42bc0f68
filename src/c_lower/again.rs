//! Memory that was freed and is handed out again (`--heap-reuse`).

use super::heap::Site;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::ExprId as CExprId;
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, GlobalId, LocalId, Place, Step, Type, TypeId, Types};

impl Lowerer<'_> {
    /// Returns the number of a freed object, or of the next new one. If no new one is left, the object is a freed one.
    pub(super) fn used_again(
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
        // Whether this object must be taken: no new one is left, and none with a lower number was freed.
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
            self.when(may, |l| {
                let wish = l.local_place(take);
                l.havoc(wish);
                let wish = l.read_local(take);
                let taken = l.build.binary(BinaryOp::Or, wish, only);
                l.when(taken, |l| {
                    l.set(&slot, 0);
                    l.set(&to, number);
                    l.set(&hit, 1);
                });
            });
        }
        let again = self.read_local(found);
        self.unless(again, |l| {
            let next = l.unused(made, count)?;
            l.store_place(to.clone(), next);
            Ok(())
        })?;
        self.renewed(site, made, (chosen, found), span)?;
        Ok(self.read_local(chosen))
    }

    /// Returns the flag that says whether an object was freed.
    fn flag(&mut self, freed: GlobalId, number: i128, ty: TypeId) -> Place {
        let index = self.build.int(number, ty);
        let mut place = self.global_place(freed);
        place.path.push(Step::Index(index));
        place.ty = Types::BOOL;
        place
    }

    /// Gives an object that is handed out again the content of a new one.
    fn renewed(
        &mut self,
        site: CExprId,
        made: Site,
        (number, again): (LocalId, LocalId),
        span: Span,
    ) -> Lowered<()> {
        let shared = self.memory.hands_out(site);
        let Some(&c_memory::Made { ty, .. }) = self.memory.heap.get(&shared) else {
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
        let renew = |l: &mut Self| {
            if cleared {
                let zero = l.zero(place.ty);
                l.store_place(place, zero);
                return Ok(());
            }
            l.unset_parts(place, ty)
        };
        if alike {
            let again = self.read_local(again);
            self.when(again, renew)
        } else {
            renew(self)
        }
    }

    /// Whether the objects of an allocation begin as zeros.
    pub(super) fn is_cleared(&self, site: CExprId) -> bool {
        c_memory::is_call_of(self.unit, site, "calloc")
    }
}
