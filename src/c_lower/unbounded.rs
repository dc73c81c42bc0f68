//! Memory beyond the bounds, where only data races are asked about.
//!
//! Allocations make so many objects of so many elements, and no execution is followed past that. A proof of races may go on: what it has
//! to know is which accesses there are, and not what is read.
//! So allocations that may come to a bound are *open*. Their objects, and what is known of these, are globals of which the proof takes any
//! value whenever one is read ([`Scope::unsteady`](ir::Scope::unsteady)), as is the truth value `beyond` and the address `anywhere`. No
//! engine but that proof ever sees these two change, so that nothing happens for others where `beyond` is asked.
//!
//! **Why nothing is left out then.** Take an execution of the program in C without bounds, as far as it makes no error. The proof's has the same
//! steps:
//! - *An allocation* gives an address. It may be `anywhere`, so it is the one at which the new object really lies. (Named
//!   variables, and objects of allocations that are not open, lie where they are laid out: C does not say where objects lie, but that they lie apart.)
//!   So addresses that are compared, subtracted, or kept as integers are what they are in the program.
//! - *An access by a pointer* that may lead into an open object may take any address, so also one at which there is an element of that
//!   object, all members on the way to it being the same. Of two accesses to the same place in memory, one can take the
//!   element of the other: so what races in the program can race in the proof. Each access chooses anew.
//! - *A value that is read* from an open object is any value, whatever was written. So it is the one that the program reads.
//! - `free` of what is not found, and the size of it, go on with any answer.
//!
//! Only the proof may take more: that a place in an open object holds a lock that somebody has means nothing, for instance.

use super::heap::Site;
use super::{Lowered, Lowerer};
use base::source::Span;
use c::property::Property;
use c_memory::Object;
use ir::lower::Lower;
use ir::{Behind, ExprId, GlobalId, LocalId, Types};

/// The globals that only a proof takes for what they are not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beyond {
    /// Whether an object lies beyond the bounds.
    beyond: GlobalId,
    anywhere: GlobalId,
}

impl Lowerer<'_> {
    /// Whether what lies beyond the bounds can be looked at: not where memory is handed out again, or values are chosen from few.
    fn looks_beyond(&self) -> bool {
        let options = self.options;
        let wanted = &options.wanted;
        wanted.only == [Property::NoDataRace]
            && wanted.also.is_empty()
            && !options.heap_reuse
            && options.nondet.is_none()
    }

    /// An allocation of so many objects is open if it may come to a bound.
    pub(super) fn may_be_beyond(&mut self, made: Site, count: u32) {
        if self.looks_beyond() && (count > 1 || made.bytes.is_some()) {
            let all = [
                Some(made.objects),
                Some(made.counter),
                made.bytes,
                made.freed,
            ];
            let unsteady = &mut self.build.program.scope.unsteady;
            unsteady.extend(all.into_iter().flatten());
        }
    }

    fn is_open(&self, made: Site) -> bool {
        let unsteady = &self.build.program.scope.unsteady;
        unsteady.contains(&made.objects)
    }

    /// What lies behind the bounds of an allocation.
    pub(super) fn behind_bounds(&self, made: Site) -> Behind {
        match self.is_open(made) {
            true => Behind::Memory,
            false => Behind::Unknown,
        }
    }

    fn beyond(&mut self) -> Beyond {
        if let Some(made) = self.beyond {
            return made;
        }
        let pointer = self.pointer_type();
        let beyond = Beyond {
            beyond: self.own_global("beyond.", Types::BOOL),
            anywhere: self.own_global("anywhere.", pointer),
        };
        let unsteady = &mut self.build.program.scope.unsteady;
        unsteady.extend([beyond.beyond, beyond.anywhere]);
        self.beyond = Some(beyond);
        beyond
    }

    /// Whether an object lies beyond the bounds: never, but for a proof.
    pub(super) fn is_beyond(&mut self) -> ExprId {
        if self.build.program.scope.unsteady.is_empty() {
            return self.build.bool(false);
        }
        let beyond = self.beyond().beyond;
        self.build.global(beyond)
    }

    /// Does something with any address where an object lies beyond the bounds.
    fn where_beyond(&mut self, act: impl FnOnce(&mut Self, ExprId)) {
        let Beyond { beyond, anywhere } = self.beyond();
        let beyond = self.build.global(beyond);
        self.when(beyond, |l| {
            let anywhere = l.build.global(anywhere);
            act(l, anywhere);
        });
    }

    /// Does something with any number, of bytes or an address, where an object of an allocation lies beyond the bounds.
    pub(super) fn when_beyond(&mut self, made: Site, act: impl FnOnce(&mut Self, ExprId)) {
        if self.is_open(made) {
            self.where_beyond(act);
        }
    }

    /// The address of a new object: any, if it lies beyond the bounds.
    pub(super) fn perhaps_anywhere(&mut self, made: Site, at: ExprId) -> ExprId {
        if !self.is_open(made) {
            return at;
        }
        let local = self.temporary(self.build.ty(at));
        self.assign_local(local, at);
        self.when_beyond(made, |l, anywhere| l.assign_local(local, anywhere));
        self.read_local(local)
    }

    /// Whether objects of an open allocation are meant.
    pub(super) fn is_open_object(&mut self, object: Object, span: Span) -> Lowered<bool> {
        match object {
            Object::Heap(site) => Ok(self.site(site, span).map(|made| self.is_open(made))?),
            Object::Variable(_) | Object::Text(_) => Ok(false),
        }
    }

    /// An access beyond the bounds goes to any address: to that of some element, or it is an error.
    pub(super) fn exchange(&mut self, at: LocalId) {
        self.where_beyond(|l, anywhere| l.assign_local(at, anywhere));
    }
}
