//! Memory beyond the bounds, where only data races are asked about.
//!
//! An allocation has a bounded number of objects and of elements, and executions end at these bounds. A proof of races may go on:
//! the proof has to know which accesses there are, and not which values they read.
//! So an allocation that may reach a bound is *open*. Its objects, and what is known of these, are globals: the proof takes any
//! value whenever it reads one ([`Scope::unsteady`](ir::Scope::unsteady)). So are the truth value `beyond` and the address
//! `anywhere`. Only this proof sees these two change: for all other engines, `beyond` stays false.
//!
//! **Why the proof misses nothing.** Take an execution of the program in C without bounds, up to its first error. The proof has
//! an execution with the same steps:
//! - *An allocation* gives an address. The proof may take `anywhere`, so also the address at which the new object really lies.
//!   (Other objects lie where they are laid out. C does not say where objects lie, only that they lie apart.)
//!   So addresses that are compared, subtracted, or kept as integers are what they are in the program.
//! - *An access by a pointer* that may lead into an open object may take any address, so also that of an element of the object,
//!   with the same members on the path to it. Each access chooses anew. So two accesses to one place in memory may take
//!   the same element: what races in the program can race in the proof.
//! - *A value that is read* from an open object is any value, whatever was written. So it may be the one that the program reads.
//! - `free` of an object, and a question for its size, go on with any answer if the object is not found.
//!
//! The proof may have more executions than the program: for instance, a lock in an open object keeps no thread out.

use super::heap::Site;
use super::{Lowered, Lowerer};
use base::source::Span;
use c::property::Property;
use c_memory::Object;
use ir::lower::Lower;
use ir::{Behind, ExprId, GlobalId, LocalId, Types};

/// The globals that only a proof sees change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beyond {
    /// Whether an object lies beyond the bounds.
    beyond: GlobalId,
    anywhere: GlobalId,
}

impl Lowerer<'_> {
    /// Whether a proof may look beyond the bounds: only races are asked about, no memory is reused, and no inputs are narrowed.
    fn looks_beyond(&self) -> bool {
        let options = self.options;
        let wanted = &options.wanted;
        wanted.only == [Property::NoDataRace]
            && wanted.also.is_empty()
            && !options.heap_reuse
            && options.nondet.is_none()
    }

    /// Makes an allocation of so many objects open if it may reach a bound.
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

    /// Whether an object lies beyond the bounds. Only a proof ever sees this true.
    pub(super) fn is_beyond(&mut self) -> ExprId {
        if self.build.program.scope.unsteady.is_empty() {
            return self.build.bool(false);
        }
        let beyond = self.beyond().beyond;
        self.build.global(beyond)
    }

    /// Runs `act` with any address where an object lies beyond the bounds.
    fn where_beyond(&mut self, act: impl FnOnce(&mut Self, ExprId)) {
        let Beyond { beyond, anywhere } = self.beyond();
        let beyond = self.build.global(beyond);
        self.when(beyond, |l| {
            let anywhere = l.build.global(anywhere);
            act(l, anywhere);
        });
    }

    /// Runs `act` with any number, of bytes or an address, where an object of an allocation lies beyond the bounds.
    pub(super) fn when_beyond(&mut self, made: Site, act: impl FnOnce(&mut Self, ExprId)) {
        if self.is_open(made) {
            self.where_beyond(act);
        }
    }

    /// The address of a new object: any address, if the object lies beyond the bounds.
    pub(super) fn perhaps_anywhere(&mut self, made: Site, at: ExprId) -> ExprId {
        if !self.is_open(made) {
            return at;
        }
        let local = self.temporary(self.build.ty(at));
        self.assign_local(local, at);
        self.when_beyond(made, |l, anywhere| l.assign_local(local, anywhere));
        self.read_local(local)
    }

    /// Whether an object belongs to an open allocation.
    pub(super) fn is_open_object(&mut self, object: Object, span: Span) -> Lowered<bool> {
        match object {
            Object::Heap(site) => Ok(self.site(site, span).map(|made| self.is_open(made))?),
            Object::Variable(_) | Object::Text(_) => Ok(false),
        }
    }

    /// Gives an access beyond the bounds any address: that of some element, or one at which the access is an error.
    pub(super) fn exchange(&mut self, at: LocalId) {
        self.where_beyond(|l, anywhere| l.assign_local(at, anywhere));
    }
}
