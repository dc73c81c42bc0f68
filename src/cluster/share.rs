//! What all workers know of the search, and what each adds to it at the end of a level.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use base::source::Span;
use ir::ErrorKind;

use explore::strategy::{Failure, Output};
use machine::space::LeftOut;
use machine::{Refusal, Shared};

/// Why a worker wants to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Stop {
    /// Its time is up.
    Time,
    /// The user has asked it to stop.
    Interrupted,
    /// Its memory is full.
    Memory,
}

/// What was found in some part of the search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Totals {
    pub states: u64,
    pub transitions: u64,
    /// See [`Output`].
    pub cut: bool,
    pub ended: bool,
    pub reduced: bool,
    pub left_out: LeftOut,
    /// Whether some place was not followed again.
    pub pruned: bool,
    /// Whether symmetry exchanged numbers that must not be exchanged.
    pub unlike: bool,
    /// The least step that could not be followed.
    pub refusal: Option<Refusal>,
    /// The landmarks to which executions have come.
    pub reached: BTreeSet<u32>,
}

impl Totals {
    /// Adds what came of expanding some states.
    pub fn take(&mut self, output: &Output) {
        self.transitions += output.transitions;
        self.cut |= output.cut;
        self.ended |= output.ended > 0;
        self.reduced |= output.reduced;
        self.left_out.add(output.left_out);
        self.refuse(output.refusal);
    }

    /// Adds what was found in another part of the search.
    pub fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.cut |= other.cut;
        self.ended |= other.ended;
        self.reduced |= other.reduced;
        self.left_out.add(other.left_out);
        self.pruned |= other.pruned;
        self.unlike |= other.unlike;
        self.refuse(other.refusal);
        self.reached.extend(&other.reached);
    }

    fn refuse(&mut self, refusal: Option<Refusal>) {
        let both = [self.refusal, refusal].into_iter().flatten();
        self.refusal = both.min_by_key(|refusal| (refusal.span, refusal.why));
    }
}

/// A failure of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fault {
    pub failure: Failure,
    /// The hash of the state in which it fails; `None` for the first segment.
    pub hash: Option<u64>,
}

impl Fault {
    /// What kind of error it is, and where.
    pub fn error(&self, shared: &Shared) -> (ErrorKind, Span) {
        self.failure.error(shared)
    }

    /// Ranks the failures of one level: the shorter execution comes first. The rest of the order does not depend on which
    /// worker found the failure.
    pub fn rank(&self, shared: &Shared) -> impl Ord + use<> {
        let step = matches!(self.failure, Failure::Step(..));
        (step, self.error(shared), self.hash, self.failure)
    }
}

/// What a worker tells at the end of a level.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Share {
    /// What the worker found in this level. Its `states` are its new states of the next level.
    pub found: Totals,
    /// The least failure of each kind and place.
    pub faults: Vec<Fault>,
    /// Bytes of its states.
    pub stored: u64,
    pub memory: u64,
    /// Why the worker wants to stop, if it does.
    pub stop: Option<Stop>,
    /// Whether it is time to write a checkpoint; the first process decides.
    pub commit: bool,
}
