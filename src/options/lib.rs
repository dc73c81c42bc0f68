//! The questions that a user may ask an engine, as data. The command line fills them in.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use base::clock::Instant;
use base::memory::resident;
use base::portions::Portions;

mod delay_range;

pub use delay_range::{DelayRange, MOST_DELAYS};

/// A deterministic or nondeterministic order of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheduler {
    /// Any pending task (scheduler 1 of the paper).
    Bag,
    /// Any pending task; a post is dropped when that many equal ones are pending (scheduler 2).
    BoundedBag(u32),
    /// Round-robin; blocked tasks are passed over (scheduler 3).
    RoundRobin,
    /// Depth-first, children in the order of posting (scheduler 4).
    DepthFirst,
    /// Depth-first, children in reverse order.
    ReverseDepthFirst,
}

impl Scheduler {
    /// Its name, as it is given on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bag => "bag",
            Self::BoundedBag(_) => "bounded-bag",
            Self::RoundRobin => "rr",
            Self::DepthFirst => "dfs",
            Self::ReverseDepthFirst => "rdfs",
        }
    }

    /// Whether any pending task may run. Then no order says which task is next, and no task is delayed.
    #[must_use]
    pub const fn is_bag(self) -> bool {
        matches!(self, Self::Bag | Self::BoundedBag(_))
    }
}

/// Writes the name. The bounded bag adds its number of copies: `bounded-bag 2`
impl fmt::Display for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::BoundedBag(copies) => write!(f, " {copies}"),
            _ => Ok(()),
        }
    }
}

/// Reads what [`Display`](fmt::Display) writes.
impl FromStr for Scheduler {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, copies) = match text.split_once(' ') {
            Some((name, copies)) => (name, copies.parse().map_err(|_| text)?),
            None => (text, 0),
        };
        let all = [
            Self::Bag,
            Self::BoundedBag(copies),
            Self::RoundRobin,
            Self::DepthFirst,
            Self::ReverseDepthFirst,
        ];
        let found = all
            .into_iter()
            .find(|s| s.name() == name && s.to_string() == text);
        found.ok_or_else(|| text.to_owned())
    }
}

/// The memory of the machine on which a program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Each read gives what was written last.
    #[default]
    Sc,
    /// Each task has a buffer. Its stores reach memory in their order.
    Tso,
    /// Each task has a buffer. Its stores to one place reach memory in their order.
    Pso,
    /// C11's memory in its repaired form RC11, which forbids cycles of program order and reads-from.
    C11,
}

impl Memory {
    pub const ALL: [Self; 4] = [Self::Sc, Self::Tso, Self::Pso, Self::C11];

    /// Its name, as it is given on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sc => "sc",
            Self::Tso => "tso",
            Self::Pso => "pso",
            Self::C11 => "c11",
        }
    }

    /// Returns its name for sentences.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Sc => "sequentially consistent memory",
            Self::Tso => "x86 (TSO)",
            Self::Pso => "PSO",
            Self::C11 => "C11's memory (RC11, without load buffering)",
        }
    }
}

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|m| m.name() == text);
        found.ok_or_else(|| text.to_owned())
    }
}

/// A memory, and how many stores a buffer of it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffered {
    pub memory: Memory,
    pub buffer: u32,
}

impl Buffered {
    /// How long buffers may be. A longer one makes states too large to be searched.
    pub const LENGTHS: std::ops::RangeInclusive<u32> = 1..=16;
}

impl Default for Buffered {
    fn default() -> Self {
        Self {
            memory: Memory::Sc,
            buffer: 4,
        }
    }
}

/// Where tasks can be interrupted beside yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PreemptMode {
    #[default]
    Yield,
    /// Before every statement that touches a global.
    Statement,
    /// Before every single read and write of a global.
    Access,
}

/// How the explicit engine walks through executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// With a store of visited states.
    Stateful,
    Stateless,
    /// One execution of each Mazurkiewicz trace.
    Dpor,
    Random,
    /// Random walks with priorities (PCT).
    Pct,
}

impl Strategy {
    /// Its name, as it is given on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stateful => "stateful",
            Self::Stateless => "stateless",
            Self::Dpor => "dpor",
            Self::Random => "random",
            Self::Pct => "pct",
        }
    }
}

/// Limits of every engine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub timeout: Duration,
    /// When the time is over. Without it, the clock starts when the work begins.
    pub latest: Option<Instant>,
    /// By how many bytes the process may grow.
    pub memory: u64,
    /// How many bytes the process held before any engine worked on this question; without it, what it holds when the work begins.
    pub held: Option<u64>,
    /// Whether the caller asks again with a larger `--heap`, if an execution of a C program lacks memory.
    pub more_heap: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(300),
            latest: None,
            memory: 4096 << 20,
            held: None,
            more_heap: false,
        }
    }
}

impl Limits {
    /// By how many bytes the process may grow from now on.
    #[must_use]
    pub fn room(&self) -> u64 {
        let grown = match (self.held, resident()) {
            (Some(held), Some(now)) => now.saturating_sub(held),
            _ => 0,
        };
        self.memory.saturating_sub(grown)
    }

    /// When the time is over.
    #[must_use]
    pub fn end(&self) -> Option<Instant> {
        self.latest
            .or_else(|| Instant::now().checked_add(self.timeout))
    }
}

/// A question to the explicit engine.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct ExploreOptions {
    /// Who may run next.
    pub scheduler: Scheduler,
    /// Which of the choices are explored.
    pub strategy: Strategy,
    /// Delay budget; without it a deterministic scheduler is delayed without limit.
    pub delays: Option<u32>,
    /// Preemption bound (with bag).
    pub preemptions: Option<u32>,
    /// Context-switch bound (with bag).
    pub switches: Option<u32>,
    /// Longest execution followed, in visible steps.
    pub max_steps: u64,
    /// How values that the program leaves open are followed.
    pub values: Values,
    /// Where values are terms: how often a loop or a recursion may go on under open conditions. The verdict names a cut. Without
    /// this bound, a default applies, and a loop that reaches it makes the answer inconclusive.
    pub unroll: Option<u32>,
    /// Tell all bugs, not only one.
    pub all: bool,
    pub finals: bool,
    /// Find a shortest counterexample.
    pub shortest: bool,
    /// Hash compaction: store only a hash of that many bits of each state.
    pub compact: Option<u32>,
    /// Leave out states and steps that change nothing in the answer but its counts.
    pub reduction: bool,
    pub jobs: usize,
    /// Seed of random walks.
    pub seed: u64,
    /// Number of random walks.
    pub runs: u64,
    /// Search only one of several independent parts.
    pub shard: Option<Shard>,
    pub store: Store,
    pub depth: u32,
    /// What is looked for.
    pub sought: Sought,
    /// Note which statements executions come to.
    pub coverage: bool,
    /// Answer "inconclusive" in place of "no bug", if a bound cut the search.
    pub require_exhaustive: bool,
    /// Look for a bug on a few random walks before a long search of states.
    pub walks_first: bool,
    /// Give up after that much work, counted in states and steps: equal runs give up at the same place.
    pub work: Option<u64>,
    /// When a portion of the work is done, wait for the next one in place of giving up.
    pub portions: Option<Portions>,
    /// Show progress on standard error.
    pub progress: bool,
    pub limits: Limits,
}

/// Who owns the store of visited states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    Own,
    /// Several processes share it, or it is saved. It holds whole states, and no other search goes with it.
    Kept,
    /// It is kept, and an earlier run has begun it, with the same program and bounds.
    Resumed,
}

/// What the explicit engine looks for: one of these, since each needs a search of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    Failures,
    /// Executions that fail, and data races.
    Races,
    /// Executions that fail, and those that never end although the scheduler is fair.
    Livelocks,
    /// Executions that fail, and interleavings of equal progress that leave different states.
    Divergences,
}

impl Sought {
    /// Looks for failures alone, or also for data races.
    #[must_use]
    pub const fn bugs(races: bool) -> Self {
        if races { Self::Races } else { Self::Failures }
    }
}

/// How values that a program leaves open are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// One by one where there are few, otherwise as terms.
    Fitting,
    Numbers,
    /// As terms, with a solver for the conditions.
    Terms,
}

/// One of several parts of a search: the pieces of work whose number modulo `of` is `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 0.
    pub index: u32,
    /// How many parts there are.
    pub of: u32,
}

impl Shard {
    /// Whether a piece of work belongs to this part.
    #[must_use]
    pub fn has(self, number: u64) -> bool {
        number % u64::from(self.of) == u64::from(self.index)
    }
}

impl ExploreOptions {
    /// Whether the number of delays, preemptions or switches is bounded.
    #[must_use]
    pub fn has_budget(&self) -> bool {
        [self.delays, self.preemptions, self.switches]
            .iter()
            .any(Option::is_some)
    }

    /// Whether the search goes on after the first bug.
    #[must_use]
    pub const fn goes_on(&self) -> bool {
        self.all || self.finals
    }
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self {
            scheduler: Scheduler::Bag,
            strategy: Strategy::Stateful,
            delays: None,
            preemptions: None,
            switches: None,
            max_steps: 100_000,
            values: Values::Fitting,
            unroll: None,
            all: false,
            finals: false,
            shortest: false,
            compact: None,
            reduction: true,
            jobs: 1,
            seed: 0,
            runs: 1000,
            shard: None,
            store: Store::Own,
            depth: 3,
            sought: Sought::Failures,
            coverage: false,
            require_exhaustive: false,
            walks_first: true,
            work: None,
            portions: None,
            progress: false,
            limits: Limits::default(),
        }
    }
}

/// Who decides a question of verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The explicit engine where it is quick, else the solver.
    Auto,
    /// Sequentialization and a solver.
    Smt,
    /// The explicit machine under the same scheduler and delay budget.
    Explicit,
}

/// A question of verification.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct VerifyOptions {
    /// Least delay budget tried.
    pub delays_from: u32,
    /// Greatest delay budget tried.
    pub delays_to: u32,
    /// Whether a range was given: deepen until a bug is found, or until no execution uses up the budget.
    pub deepen: bool,
    /// Any number of delays: all schedules. Then `delays_from` and `delays_to` have no meaning.
    pub any_delays: bool,
    /// How often loops, recursion and chains of tasks are unrolled.
    pub unroll: u32,
    /// Most rounds that waiting tasks may need; without it, the delay budget plus 8.
    pub rounds: Option<u32>,
    pub engine: EngineChoice,
    /// Ask all engines, and report a disagreement.
    pub cross_check: bool,
    /// Answer "inconclusive" in place of "safe", if a bound cut the search.
    pub require_exhaustive: bool,
    /// `DepthFirst` or `ReverseDepthFirst`.
    pub scheduler: Scheduler,
    pub finals: bool,
    /// Look also for data races, in all schedules.
    pub races: bool,
    /// Another solver's command line, to be fed SMT-LIB 2 on standard input.
    pub solver: Option<String>,
    pub limits: Limits,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            delays_from: 2,
            delays_to: 2,
            deepen: false,
            any_delays: false,
            unroll: 4,
            rounds: None,
            engine: EngineChoice::Auto,
            cross_check: false,
            require_exhaustive: false,
            scheduler: Scheduler::DepthFirst,
            finals: false,
            races: false,
            solver: None,
            limits: Limits::default(),
        }
    }
}

/// The question whether a program has a proof, or a bug.
#[derive(Clone, Debug, Default)]
pub struct ProveOptions {
    /// Another solver that checks the invariant too, by its command.
    pub solver: Option<String>,
    pub invariant: bool,
    /// Look also for data races.
    pub races: bool,
    /// How much work Z3 may do for one question, in its own units; without it as much as there is time for.
    pub steps: Option<u32>,
    pub limits: Limits,
}
