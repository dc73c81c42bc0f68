//! What an engine answers: a verdict with its bounds, bugs with their traces, figures.
//!
//! Engines fill it, `report` shows it; neither knows the other.

use std::fmt::Write as _;

use crate::ir::{ErrorKind, Scope, Value};
use crate::smt::limit::Hit;
use crate::source::Span;
use crate::trace::Trace;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Sequentialization, unrolling, Z3.
    Smt,
    /// The explicit machine.
    Explicit,
}

/// The verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No bug within the bounds.
    Safe,
    /// No bug, without any bound.
    Proved,
    /// At least one bug.
    Bug,
    /// Neither, with the reason in words: which limit was hit, or what the engine cannot do.
    Inconclusive(String),
}

impl Verdict {
    /// In a word, as answers and reports have it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Proved => "proved",
            Self::Bug => "bug",
            Self::Inconclusive(_) => "inconclusive",
        }
    }
}

/// Why there is no verdict where no execution came to its end.
pub const NOTHING_ENDED: &str = "nothing was checked to its end";

/// A bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// What kind.
    pub kind: ErrorKind,
    /// In words.
    pub message: String,
    /// The failing place.
    pub span: Option<Span>,
    /// How it happens. The machine has replayed it.
    pub trace: Trace,
}

/// A number or word in the bounds or the figures.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A count.
    Count(u64),
    /// A measured number.
    Real(f64),
    /// A word.
    Word(String),
    /// Yes or no.
    Flag(bool),
    /// One part of a search that others look at the rest of.
    Shard(ShardOf),
    /// There is no such bound.
    None,
}

/// Which part of a search an answer is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardOf {
    /// Which part, from 1.
    pub index: u32,
    /// How many there are.
    pub of: u32,
    /// What was asked: the same for all parts of one search, and for no other search.
    pub question: String,
}

/// What an engine found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Which engine.
    pub engine: Engine,
    /// The verdict.
    pub verdict: Verdict,
    /// The bounds under which it holds, in the order in which they are shown: `delays`, `unroll`, `scheduler`, …
    pub bounds: Vec<(&'static str, Figure)>,
    /// Whether nothing was left out but what the budget of delays (preemptions, context switches) leaves out.
    pub exhaustive: bool,
    /// Whether some execution could still have spent from that budget, so that a larger one may show more.
    pub budget_spent: bool,
    /// What else left executions out, by the names of the options: `unroll`, `copies`, `compact`, …
    pub cut_by: Vec<&'static str>,
    /// What the bounds are in a sentence without a full stop: "no bug with at most 2 delays; every loop fully unrolled".
    pub summary: String,
    /// The distinct bugs; at most one unless all were asked for.
    pub bugs: Vec<Bug>,
    /// Reachable final global states, sorted, if asked for: the values of the visible globals in the order of declaration.
    pub finals: Option<Vec<Vec<Value>>>,
    /// The limit that kept the solver from settling it, if one did.
    pub limit: Option<Hit>,
    /// What to try where nothing was settled, computed from this program and this question.
    pub advice: Option<String>,
    /// Remarks beside the verdict: assertions that nothing reaches, tasks that never run, where a bound cut.
    pub notes: Vec<Note>,
    /// Figures in the order in which they are shown: `seconds`, `executions`, `states`, `transitions`, …
    pub stats: Vec<(&'static str, Figure)>,
}

impl Answer {
    /// The answer about a program of which some values were left out beforehand.
    #[must_use]
    pub fn within(mut self, scope: &Scope) -> Self {
        let Some((from, to)) = scope.nondet else {
            return self;
        };
        let range = format!("{from}..{to}");
        if matches!(self.verdict, Verdict::Safe | Verdict::Proved) {
            self.verdict = Verdict::Safe;
            let _ = write!(self.summary, "; open numbers only from {range} (--nondet)");
        }
        self.bounds.push(("nondet", Figure::Word(range)));
        self.cut_by.push("nondet");
        self.exhaustive = false;
        self
    }

    /// The answer for who accepts no verdict that a bound has cut: then "safe" is inconclusive, and says what was cut.
    #[must_use]
    pub fn require_exhaustive(mut self) -> Self {
        if self.verdict == Verdict::Safe && !self.exhaustive {
            let reason = format!(
                "the verdict is not exhaustive, which --require-exhaustive asks for: {}",
                self.summary
            );
            self.summary.clone_from(&reason);
            self.verdict = Verdict::Inconclusive(reason);
        }
        self
    }
}

/// A remark beside the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// In words.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
}
