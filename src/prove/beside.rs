//! Variables that are no part of the shared state: of some each thread has its own, and some do not matter.

use std::collections::{BTreeMap, BTreeSet};

use ir::{ExprId, GlobalId, LocalId, ProcId, TypeId};

use super::matters::Unneeded;

/// A variable of which each thread has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfEach {
    /// The type of one thread's variable.
    pub ty: TypeId,
    /// Its first value: a constant.
    pub value: ExprId,
}

/// What is no part of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Arrays in which each thread only touches its own element. That element is a local of each task.
    pub own: BTreeMap<GlobalId, OfEach>,
    /// Globals that may have any value whenever a task looks at them.
    pub any: BTreeSet<GlobalId>,
    /// Locals that may have any value whenever their task goes on.
    pub any_locals: BTreeSet<(ProcId, LocalId)>,
    /// The globals of `any` that may have another value at each read, also within a step.
    pub unsteady: BTreeSet<GlobalId>,
    /// Where races are looked for: the globals of which each thread only touches its own part, whether or not it matters.
    pub races: Option<BTreeSet<GlobalId>>,
}

/// All globals are part of the shared state.
pub static NOTHING: Beside = Beside {
    own: BTreeMap::new(),
    any: BTreeSet::new(),
    any_locals: BTreeSet::new(),
    unsteady: BTreeSet::new(),
    races: None,
};

impl Beside {
    /// The same, but the unneeded variables may have any value.
    #[must_use]
    pub fn without(&self, unneeded: Unneeded) -> Self {
        let Unneeded {
            mut any,
            any_locals,
        } = unneeded;
        any.extend(&self.unsteady);
        let own = self.own.iter().filter(|(g, _)| !any.contains(g));
        Self {
            own: own.map(|(&g, &of)| (g, of)).collect(),
            any,
            any_locals,
            unsteady: self.unsteady.clone(),
            races: self.races.clone(),
        }
    }

    /// Whether some variables may have any value.
    #[must_use]
    pub fn is_rough(&self) -> bool {
        !self.any.is_empty() || !self.any_locals.is_empty()
    }

    /// Whether a global belongs to the shared state.
    #[must_use]
    pub fn shares(&self, global: GlobalId) -> bool {
        !self.own.contains_key(&global) && !self.any.contains(&global)
    }
}
