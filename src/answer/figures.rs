//! Bounds and figures of an answer, each with its name.

use options::{Memory, Scheduler, Strategy};

use super::Answer;

/// A bound under which a verdict holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedBound {
    /// The parts of the property that were looked for, if not all.
    Property(Vec<&'static str>),
    /// The most delays; `None`: any number.
    Delays(Option<u32>),
    /// How often loops are unrolled; `None`: without an end.
    Unroll(Option<u32>),
    Rounds(u32),
    Preemptions(u32),
    /// Most context switches.
    Switches(u32),
    Scheduler(Scheduler),
    /// Most pending copies of a task.
    Copies(u32),
    /// The order of the search.
    Strategy(Strategy),
    /// The longest execution that is followed.
    MaxSteps(u64),
    /// By how many bits states are told apart.
    Compact(u32),
    /// One state stands for all that come to the same.
    Reduced,
    /// Open values are terms.
    Terms,
    /// An invariant was checked.
    Invariant,
    /// Open numbers are only from this range.
    Nondet(i64, i64),
    /// The memory of the machine.
    Memory(Memory),
    /// Most stores in a buffer of a task.
    Buffer(u32),
    /// Unfair executions are left out.
    Fair,
    /// Executions are compared in pairs.
    Divergence,
}

/// The value of a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    Count(u64),
    Word(String),
    /// The bound applies, and has no value.
    Yes,
    /// There is no such bound.
    None,
}

impl NamedBound {
    /// Its name in answers, which is that of the option where there is one.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Property(_) => "property",
            Self::Delays(_) => "delays",
            Self::Unroll(_) => "unroll",
            Self::Rounds(_) => "rounds",
            Self::Preemptions(_) => "preemptions",
            Self::Switches(_) => "switches",
            Self::Scheduler(_) => "scheduler",
            Self::Copies(_) => "copies",
            Self::Strategy(_) => "strategy",
            Self::MaxSteps(_) => "max_steps",
            Self::Compact(_) => "compact",
            Self::Reduced => "reduced",
            Self::Terms => "values",
            Self::Invariant => "invariant",
            Self::Nondet(..) => "nondet",
            Self::Memory(_) => "memory",
            Self::Buffer(_) => "buffer",
            Self::Fair => "fair",
            Self::Divergence => "divergence",
        }
    }

    #[must_use]
    pub fn given(&self) -> Given {
        let word = |word: &str| Given::Word(word.to_owned());
        let number = |n: Option<u32>| n.map_or(Given::None, |n| Given::Count(n.into()));
        match self {
            Self::Property(names) => Given::Word(names.join(",")),
            &Self::Delays(n) | &Self::Unroll(n) => number(n),
            &(Self::Rounds(n)
            | Self::Preemptions(n)
            | Self::Switches(n)
            | Self::Copies(n)
            | Self::Buffer(n)
            | Self::Compact(n)) => number(Some(n)),
            Self::Scheduler(scheduler) => word(scheduler.name()),
            Self::Strategy(strategy) => word(strategy.name()),
            Self::Memory(memory) => word(memory.name()),
            Self::MaxSteps(n) => Given::Count(*n),
            Self::Terms => word("terms"),
            Self::Invariant => word("checked"),
            Self::Nondet(from, to) => Given::Word(format!("{from}..{to}")),
            Self::Reduced | Self::Fair | Self::Divergence => Given::Yes,
        }
    }
}

/// A bound or limit, other than a budget, that left executions out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBy {
    /// Loops, recursion, chains of tasks.
    Unroll,
    /// Rounds of waiting tasks.
    Rounds,
    /// Copies of pending tasks.
    Copies,
    /// States told apart by a few bits.
    Compact,
    /// Random walks are samples.
    Runs,
    /// Other parts of the search.
    Shard,
    MaxSteps,
    /// The range of open numbers.
    Nondet,
    /// Stores that a buffer has no room for.
    Buffer,
    /// Executions of C11's memory that are not followed.
    Memory,
    Fair,
    Divergence,
    /// Threads that wait for each other beside a loop without end.
    Endless,
}

impl CutBy {
    /// Its name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unroll => "unroll",
            Self::Rounds => "rounds",
            Self::Copies => "copies",
            Self::Compact => "compact",
            Self::Runs => "runs",
            Self::Shard => "shard",
            Self::MaxSteps => "max_steps",
            Self::Nondet => "nondet",
            Self::Buffer => "buffer",
            Self::Memory => "memory",
            Self::Fair => "fair",
            Self::Divergence => "divergence",
            Self::Endless => "endless",
        }
    }

    /// Returns the option that it comes from, or words for its cause if it comes from no option.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::Unroll => "--unroll",
            Self::Rounds => "--rounds",
            Self::Copies => "--scheduler bounded-bag",
            Self::Compact => "--compact",
            Self::Runs => "random walks",
            Self::Shard => "--shard",
            Self::MaxSteps => "--max-steps",
            Self::Nondet => "--nondet",
            Self::Buffer => "--buffer",
            Self::Memory => "--memory",
            Self::Fair => "--fair",
            Self::Divergence => "--divergence",
            Self::Endless => "a loop without end",
        }
    }
}

/// Which part of a search an answer is about.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardOf {
    /// Which part, from 1.
    pub index: u32,
    /// How many there are.
    pub of: u32,
    /// The question: the same for all parts of one search, and for no other search.
    pub question: String,
    /// The answer of the whole search if no other part finds more. Bugs and final states are missing.
    pub whole: Box<Answer>,
}

/// Makes what is counted and what is measured from one table: variant, name in answers, words for one and for several.
macro_rules! figures {
    ($(#[$doc:meta])* $kind:ident: $($(#[$about:meta])* $variant:ident $name:literal $one:literal $many:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $($(#[$about])* $variant,)*
        }

        impl $kind {
            /// Its name in answers.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The words after a number: for one, and for more or none.
            #[must_use]
            pub const fn words(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$variant => ($one, $many),)*
                }
            }
        }
    };
}

figures! {
    Counted:
    /// Terms of the unrolled program.
    Terms "terms" "term" "terms",
    Walks "walks" "walk" "walks",
    Executions "executions" "execution" "executions",
    /// Executions that were not followed to their end.
    Cut "cut" "cut" "cut",
    /// Executions that a sleep set cut.
    Blocked "blocked" "blocked" "blocked",
    States "states" "state" "states",
    Transitions "transitions" "transition" "transitions",
    Depth "depth" "deep" "deep",
    /// Memory of the search.
    MemoryMib "memory_mib" "MiB" "MiB",
    /// Questions to the solver.
    Questions "questions" "question" "questions",
    /// Questions that needed no solver.
    Remembered "remembered" "remembered" "remembered",
    /// How many of a hundred questions needed no solver.
    PercentSaved "percent_saved" "percent saved" "percent saved",
    /// Clauses of a proof.
    Clauses "clauses" "clause" "clauses",
    /// Predicates of a proof.
    Predicates "predicates" "predicate" "predicates",
    /// Variables of a proof.
    Variables "variables" "variable" "variables",
}

figures! {
    Measured:
    /// The whole time.
    Seconds "seconds" "seconds" "seconds",
    /// The time until the solver is asked.
    Encode "encode_seconds" "s to encode" "s to encode",
    /// The time of the solver.
    Solve "solve_seconds" "s to solve" "s to solve",
    /// The time of the affine hull.
    Hull "hull_seconds" "s for the hull" "s for the hull",
    /// The time of Spacer.
    Spacer "spacer_seconds" "s for Spacer" "s for Spacer",
    /// The time for an invariant.
    Invariant "invariant_seconds" "s for the invariant" "s for the invariant",
    /// Memory that a state takes.
    BytesPerState "bytes_per_state" "bytes per state" "bytes per state",
}

/// A figure of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    Count(Counted, u64),
    Real(Measured, f64),
}

impl Figure {
    /// Returns the counts that are known, in the given order.
    pub fn counts(
        all: impl IntoIterator<Item = (Counted, Option<u64>)>,
    ) -> impl Iterator<Item = Self> {
        let known = |(what, n): (Counted, Option<u64>)| Some(Self::Count(what, n?));
        all.into_iter().filter_map(known)
    }

    /// How long it took.
    #[must_use]
    pub const fn seconds(time: std::time::Duration) -> Self {
        Self::Real(Measured::Seconds, time.as_secs_f64())
    }
}
