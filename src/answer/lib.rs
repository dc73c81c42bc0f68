//! The answer of an engine: a verdict with its bounds, bugs with their traces, figures.
//!
//! Engines fill it, `report` shows it; neither knows the other.

pub mod coverage;
pub mod figures;
pub mod limit;
pub mod proof;
pub mod reason;

use std::fmt::Write as _;
use std::time::Duration;

use base::source::Span;
use ir::{Scope, Value, Weak};
use options::{Buffered, Memory, Scheduler, Shard};

pub use coverage::{Coverage, Looked, unreached};
pub use trace::Bug;
pub use trace::race::WeakRace;

pub use figures::{Counted, CutBy, Figure, Given, Measured, NamedBound, ShardOf};
pub use limit::{Bound, Hit, Phase, Place, Which};
pub use proof::{Holds, Within};
pub use reason::{Cause, Reason};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Smt,
    Explicit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No bug within the bounds.
    Safe,
    /// No bug, without any bound.
    Proved,
    /// At least one bug.
    Bug,
    /// Neither, with the reason: which limit was hit, or what the engine cannot do.
    Inconclusive(Reason),
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

/// A final state in which values are open: the values, and what holds between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenFinal {
    /// The visible globals, in parts where they have any, each with its value: `*` is any value, which others may name.
    pub values: Vec<(String, String)>,
    /// The conditions between them.
    pub conditions: Vec<String>,
}

/// The answer of an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub engine: Engine,
    pub verdict: Verdict,
    /// Whether the question was about a `cover`. A bug then means that the `cover` is reached.
    pub asks_cover: bool,
    /// The bounds under which it holds, in the order in which they are shown.
    pub bounds: Vec<NamedBound>,
    /// Which part of a search it is about, if others look at the rest of it.
    pub shard: Option<ShardOf>,
    /// Whether only the budget of delays (preemptions, context switches) has left executions out, if any were.
    pub exhaustive: bool,
    /// Whether some execution could have gone on with a larger budget, which therefore may show more.
    pub budget_spent: bool,
    /// The other bounds that left executions out.
    pub cut_by: Vec<CutBy>,
    /// Whether the solver left an execution out that lacks memory.
    pub lacks_heap: bool,
    /// Whether data races were looked for.
    pub races: bool,
    /// The atomic operations that race and are not `seq_cst`, if that was looked for in all executions.
    pub weak: Option<Vec<WeakRace>>,
    /// Whether the verdict also holds for executions of C11 that are not sequentially consistent.
    pub c11: Option<bool>,
    /// The verdict and its bounds in a sentence without a full stop: "no bug with at most 2 delays; every loop fully unrolled".
    pub summary: String,
    /// The distinct bugs; at most one unless all were asked for.
    pub bugs: Vec<Bug>,
    /// Reachable final global states, sorted, if asked for: the values of the visible globals in the order of declaration.
    pub finals: Option<Vec<Vec<Value>>>,
    /// Other final states, which would be too many one by one.
    pub open_finals: Vec<OpenFinal>,
    /// Which statements were reached, if asked for.
    pub coverage: Option<Coverage>,
    /// What to try where nothing was settled, computed from this program and this question.
    pub advice: Option<String>,
    /// The part of the advice that can be typed: options to add to those that were given, where they replace the same option; or
    /// another command with its options.
    pub tries: Vec<String>,
    /// The check of the invariant as SMT-LIB, if there is a proof.
    pub certificate: Option<String>,
    /// Remarks beside the verdict: assertions that no execution reaches, tasks that never run, places where a bound cut.
    pub notes: Vec<Note>,
    /// Figures in the order in which they are shown.
    pub stats: Vec<Figure>,
}

impl Answer {
    /// Makes an answer from its verdict and summary. It claims nothing about bounds.
    pub fn new(engine: Engine, verdict: Verdict, summary: impl Into<String>) -> Self {
        Self {
            engine,
            verdict,
            asks_cover: false,
            bounds: Vec::new(),
            shard: None,
            exhaustive: false,
            budget_spent: false,
            cut_by: Vec::new(),
            lacks_heap: false,
            races: false,
            weak: None,
            c11: None,
            summary: summary.into(),
            bugs: Vec::new(),
            finals: None,
            open_finals: Vec::new(),
            coverage: None,
            advice: None,
            tries: Vec::new(),
            certificate: None,
            notes: Vec::new(),
            stats: Vec::new(),
        }
    }

    /// The answer that settles nothing.
    #[must_use]
    pub fn inconclusive(engine: Engine, reason: Reason) -> Self {
        let summary = reason.words().to_owned();
        Self::new(engine, Verdict::Inconclusive(reason), summary)
    }

    /// The verdict in a word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match &self.verdict {
            Verdict::Bug if self.asks_cover => "covered",
            Verdict::Safe | Verdict::Proved if self.asks_cover => "uncovered",
            verdict => verdict.word(),
        }
    }

    /// Whether there is a verdict.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        !matches!(self.verdict, Verdict::Inconclusive(_))
    }

    /// Whether an execution that needs more memory keeps a verdict away.
    #[must_use]
    pub fn needs_heap(&self) -> bool {
        match &self.verdict {
            Verdict::Inconclusive(why) => self.lacks_heap || why.cause == Cause::Heap,
            _ => false,
        }
    }

    /// Whether there is no bug in any schedule: nothing was left out, by a budget or by anything else.
    #[must_use]
    pub fn is_of_all_schedules(&self) -> bool {
        let good = matches!(self.verdict, Verdict::Safe | Verdict::Proved);
        good && self.left_nothing_out()
    }

    /// Whether assumptions drop every execution in every schedule: no engine has more to say.
    #[must_use]
    pub fn is_all_dropped(&self) -> bool {
        let nothing =
            matches!(&self.verdict, Verdict::Inconclusive(why) if why.cause == Cause::Nothing);
        nothing && self.left_nothing_out()
    }

    fn left_nothing_out(&self) -> bool {
        self.exhaustive && !self.budget_spent && self.cut_by.is_empty()
    }

    /// Makes the verdict inconclusive, for that reason.
    pub fn unsettle(&mut self, reason: Reason) {
        reason.words().clone_into(&mut self.summary);
        self.verdict = Verdict::Inconclusive(reason);
    }

    /// Returns a figure that counts something, if the answer has it.
    #[must_use]
    pub fn count(&self, what: Counted) -> Option<u64> {
        self.stats.iter().find_map(|figure| match figure {
            &Figure::Count(counted, n) if counted == what => Some(n),
            _ => None,
        })
    }

    /// Sets the time that all of it took.
    pub fn took(&mut self, time: Duration) {
        (self.stats).retain(|f| !matches!(f, Figure::Real(Measured::Seconds, _)));
        self.stats.insert(0, Figure::seconds(time));
    }

    /// The scheduler whose executions it speaks of, if it names one.
    #[must_use]
    pub fn scheduler(&self) -> Option<Scheduler> {
        self.bounds.iter().find_map(|bound| match bound {
            &NamedBound::Scheduler(scheduler) => Some(scheduler),
            _ => None,
        })
    }

    /// Returns the bound on delays under which the verdict holds, if that is a number.
    #[must_use]
    pub fn delays(&self) -> Option<u32> {
        self.bounds.iter().find_map(|bound| match bound {
            &NamedBound::Delays(delays) => delays,
            _ => None,
        })
    }

    /// Adds what the program's scope leaves out: parts of the property, weak memory, values of open numbers.
    #[must_use]
    pub fn within(mut self, scope: &Scope) -> Self {
        if matches!(self.verdict, Verdict::Safe | Verdict::Proved) {
            for (span, message) in &scope.unsaid {
                let note = Note::new(message.clone(), scope.told_at(*span));
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                }
            }
            self.beside_loops(scope);
        } else if self.exhaustive && is_blind_beside_loops(scope) {
            self.leaves_out(CutBy::Endless);
            self.may_have_more_bugs("a deadlock beside a loop without end is not noticed");
        }
        if let Some(weak) = &scope.weak {
            self.under(weak);
        }
        let Some((from, to)) = scope.nondet else {
            return self;
        };
        let range = format!("{from}..{to}");
        if matches!(self.verdict, Verdict::Safe | Verdict::Proved) {
            self.verdict = Verdict::Safe;
            let _ = write!(self.summary, "; open numbers only from {range} (--nondet)");
        }
        self.bounds.push(NamedBound::Nondet(from, to));
        self.cut_by.push(CutBy::Nondet);
        self.exhaustive = false;
        self
    }

    /// Notes what the verdict assumes of loops without end, and what it does not notice beside them.
    fn beside_loops(&mut self, scope: &Scope) {
        let mut note = |spans: &[Span], message: &str| {
            self.notes
                .extend(spans.first().map(|&span| Note::new(message, span)));
        };
        let assumes = self.certificate.is_some() && !scope.ending.is_empty();
        if assumes {
            note(&scope.ending, "the proof takes it that this loop ends");
        }
        let is_blind = is_blind_beside_loops(scope);
        if is_blind {
            let words =
                "this loop has no end: threads that wait for each other beside it are not noticed";
            note(&scope.endless, words);
            self.verdict = Verdict::Safe;
        }
        // A loop that runs for ever hides no failure, but its thread never ends.
        if assumes && scope.deadlocks || is_blind {
            self.leaves_out(CutBy::Endless);
        }
    }

    fn leaves_out(&mut self, by: CutBy) {
        self.cut_by.push(by);
        self.exhaustive = false;
    }

    /// Says beside bugs why there may be others.
    pub fn may_have_more_bugs(&mut self, reason: &str) {
        self.notes
            .push(Note::new(format!("there may be more bugs: {reason}"), None));
    }

    /// Adds the memory under which the verdict holds.
    fn under(&mut self, weak: &Weak) {
        let Buffered { memory, buffer } = weak.asked;
        self.bounds.push(NamedBound::Memory(memory));
        self.bounds.push(NamedBound::Buffer(buffer));
        let cuts = cuts(weak);
        match &self.verdict {
            Verdict::Inconclusive(why) if why.cause == Cause::Nothing => {
                if weak.cut.is_some() {
                    self.leaves_out(CutBy::Buffer);
                }
                return;
            }
            Verdict::Bug if self.exhaustive => {
                for (by, words) in cuts {
                    self.leaves_out(by);
                    self.may_have_more_bugs(&match by {
                        CutBy::Memory => "not all executions are followed".to_owned(),
                        _ => format!("executions have {words}"),
                    });
                }
                return;
            }
            Verdict::Bug | Verdict::Inconclusive(_) => return,
            Verdict::Safe | Verdict::Proved => {}
        }
        let place = if memory == Memory::C11 { "in" } else { "on" };
        let _ = write!(self.summary, " {place} {}", memory.title());
        for (by, words) in cuts {
            self.verdict = Verdict::Safe;
            let _ = write!(self.summary, ", {words}");
            self.leaves_out(by);
        }
        if memory == Memory::C11 {
            return self.on_c11(weak);
        }
        if weak.sites.is_empty() && !weak.partial {
            let name = memory.name().to_uppercase();
            let message = format!("no store can be overtaken, so {name} is SC here");
            self.notes.push(Note::new(message, None));
        }
    }

    fn on_c11(&mut self, weak: &Weak) {
        let mut note = |message: &str| {
            self.notes.push(Note::new(message, None));
        };
        if !weak.followed {
            note(
                "all atomic operations that may race are seq_cst: C11 is SC here, if nothing races",
            );
        } else if weak.messages.is_empty() && !weak.partial {
            note("threads share nothing that no lock guards, so C11 is SC here");
        }
    }

    /// Makes this the answer about one part of a search. It keeps the former answer, which holds if no other part finds more.
    #[must_use]
    pub fn of_part(mut self, shard: Shard) -> Self {
        let (bugs, finals) = (std::mem::take(&mut self.bugs), self.finals.take());
        let whole = Box::new(self.clone());
        (self.bugs, self.finals) = (bugs, finals);
        let (index, of) = (shard.index + 1, shard.of);
        self.shard = Some(ShardOf {
            index,
            of,
            question: String::new(),
            whole,
        });
        self.leaves_out(CutBy::Shard);
        let none = [Some(Reach::No), Some(Reach::NotSeen)];
        self.notes.retain(|note| !none.contains(&note.reached));
        if self.is_settled() {
            self.summary = format!("part {index} of {of}: {}", self.summary);
        }
        if self.verdict != Verdict::Safe {
            return self;
        }
        if self.count(Counted::Walks) == Some(0) {
            let why = format!("part {index} of {of} has no walk: there are more parts than walks");
            self.unsettle(Reason::new(Cause::Nothing, why));
        } else if self.count(Counted::Executions) == Some(0) {
            self.unsettle(Reason::nothing_ended());
        }
        self
    }

    /// Makes a "safe" that a bound has cut inconclusive, and says what was cut.
    #[must_use]
    pub fn require_exhaustive(mut self) -> Self {
        if self.verdict == Verdict::Safe && !self.exhaustive {
            let reason = format!(
                "the verdict is not exhaustive, which --require-exhaustive asks for: {}",
                self.summary
            );
            self.unsettle(Reason::new(Cause::Cut, reason));
        }
        self
    }
}

/// Whether a deadlock of some threads goes unnoticed, because others run in a loop without end.
fn is_blind_beside_loops(scope: &Scope) -> bool {
    scope.deadlocks && !scope.endless.is_empty()
}

/// Which executions of a weak memory are left out.
fn cuts(weak: &Weak) -> Vec<(CutBy, String)> {
    let Buffered { memory, buffer } = weak.asked;
    let stores = if buffer == 1 { "store" } else { "stores" };
    let of = match memory {
        Memory::C11 => "of a variable",
        _ => "in a buffer",
    };
    let bounded = || (CutBy::Buffer, format!("at most {buffer} {stores} {of}"));
    let mut cuts = Vec::from_iter(weak.cut.is_some().then(bounded));
    if weak.partial {
        cuts.push((CutBy::Memory, "but not in all of its executions".to_owned()));
    }
    cuts
}

/// A remark beside the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub message: String,
    pub span: Option<Span>,
    /// If the remark is about whether an execution comes to its place: the answer.
    pub reached: Option<Reach>,
}

impl Note {
    pub fn new(message: impl Into<String>, span: impl Into<Option<Span>>) -> Self {
        Self {
            message: message.into(),
            span: span.into(),
            reached: None,
        }
    }

    /// The same as a remark on whether an execution comes to its place.
    #[must_use]
    pub fn on(self, reached: Reach) -> Self {
        let reached = Some(reached);
        Self { reached, ..self }
    }
}

/// Whether an execution comes to a place. The greatest answer of a search's parts holds for the whole; the first two need all parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    No,
    /// None that was looked at.
    NotSeen,
    Unknown,
    Yes,
}

impl Reach {
    pub const ALL: [Self; 4] = [Self::No, Self::NotSeen, Self::Unknown, Self::Yes];

    /// Its name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::NotSeen => "not-seen",
            Self::Unknown => "unknown",
            Self::Yes => "yes",
        }
    }
}
