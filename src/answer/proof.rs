//! Questions about proofs without bounds, and their answers.

use base::clock::Instant;
use options::Scheduler;

/// The question whether a proof within a number of delays can do without bounds on loops and recursion.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    pub delays: u32,
    /// The most rounds that waiting tasks may need.
    pub rounds: Option<u32>,
    /// The scheduler that is delayed.
    pub scheduler: Scheduler,
    /// When to give up.
    pub end: Instant,
    /// Memory, in bytes.
    pub memory: u64,
    /// How much work Z3 may do for one question, in its own units; `None`: as much as there is time for.
    pub steps: Option<u32>,
}

/// A proof that nothing fails: how many rounds are enough, and how many clauses the invariant was checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    pub rounds: u32,
    pub clauses: usize,
}
