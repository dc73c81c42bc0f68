//! Questions without bounds, and what comes of them.

use crate::clock::Instant;
use crate::options::{Limits, Scheduler};

/// What is asked: whether the program has a proof, or a bug.
#[derive(Clone, Debug, Default)]
pub struct ProveOptions {
    /// Another solver that checks the invariant too, by its command.
    pub solver: Option<String>,
    /// Tell the invariant.
    pub invariant: bool,
    /// Whether two tasks race, too.
    pub races: bool,
    /// How much work Z3 may do for one question, in its own units; without it as much as there is time for.
    pub steps: Option<u32>,
    /// Time and memory.
    pub limits: Limits,
}

/// What is asked: whether a proof within a number of delays can do without bounds on loops and recursion.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// How many delays.
    pub delays: u32,
    /// The most rounds that tasks which wait may need.
    pub rounds: Option<u32>,
    /// The scheduler that is delayed.
    pub scheduler: Scheduler,
    /// When to give up.
    pub end: Instant,
    /// Memory, in bytes.
    pub memory: u64,
    /// How much work Z3 may do for one question, in its own units; without it as much as there is time for.
    pub steps: Option<u32>,
}

/// That nothing fails: how many rounds are enough, and how many clauses the invariant was checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// Rounds.
    pub rounds: u32,
    /// Clauses.
    pub clauses: usize,
}
