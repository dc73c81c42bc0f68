//! The decision: unroll, define guesses, ask the solver, read the model.

use std::time::Duration;

use answer::Reason;
use base::clock::Instant;
use base::work;
use ir::{Program, Value};
use seq::map::SeqEvent;

use super::asking::{Asking, Goals};
use super::enumerate::Part;
use super::exec::{self, Abandoned, Bounds, Stop};
use super::guess;
pub use super::limit::{Bound, Place};
use super::limit::{Hit, Phase, behind};
use super::smtlib;
use super::solvers::Solvers;

#[derive(Clone, Debug)]
pub struct Question {
    /// How often loops and recursion are unrolled.
    pub unroll: u32,
    /// When to give up.
    pub deadline: Instant,
    /// How much memory to use, in bytes.
    pub memory: u64,
    /// The parts of the globals whose values at the end of complete executions are to be listed.
    pub finals: Option<Vec<Part>>,
    /// The marks for which the answer says whether an execution reaches them, if nothing fails.
    pub wanted: Vec<u32>,
    /// The marks for which the answer says whether one of them may be passed.
    pub watched: Vec<u32>,
    /// The mark whose values say where an execution is cut off for want of rounds.
    pub last_round: Option<u32>,
    /// The marks of places where tasks wait beyond the last round.
    pub waits: Vec<u32>,
    /// Another solver's command line.
    pub solver: Option<String>,
}

/// Whether a check can fail.
#[derive(Clone, Debug, PartialEq)]
pub enum SeqVerdict {
    /// No check fails in any execution that was followed to its end.
    Safe {
        /// The places where executions were cut off.
        cuts: Vec<Place>,
    },
    Bug {
        /// The marks and choices of an execution that shows it, in order.
        events: Vec<SeqEvent>,
    },
    /// Neither, with the reason.
    Unknown(Reason),
}

/// The answer, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    pub verdict: SeqVerdict,
    /// How many terms the program became.
    pub terms: u64,
    /// How long it took to make these terms.
    pub encode: Duration,
    /// How long the solver took.
    pub solve: Duration,
    /// The final values that were asked for, or why they cannot be listed.
    pub finals: Option<Result<Vec<Vec<Value>>, String>>,
    /// If something fails: whether more rounds may give more final values.
    pub finals_cut: bool,
    /// The wanted marks that nothing reaches.
    pub unreached: Vec<u32>,
    /// Whether a watched mark may be passed.
    pub passed: bool,
    /// If nothing fails: whether an execution was followed to its end; `None` if the solver gives up.
    pub ended: Option<bool>,
    /// If rounds cut executions off: the marks of [`Question::waits`] that one of these executions passes.
    pub waiting: Vec<u32>,
}

/// How many bytes a term takes, all tables and the solver's own terms included.
const BYTES_PER_TERM: u64 = 400;

impl Question {
    fn bounds(&self) -> Bounds {
        Bounds {
            last_round: self.last_round,
            unroll: self.unroll,
            deadline: self.deadline,
            terms: usize::try_from(self.memory / BYTES_PER_TERM).unwrap_or(usize::MAX),
        }
    }
}

/// Decides whether a check of a sequential program can fail.
#[must_use]
pub fn decide(program: &Program, question: &Question) -> Decided {
    let begin = Instant::now();
    let mut decided = Decided {
        verdict: SeqVerdict::Unknown("nothing was asked".into()),
        terms: 0,
        encode: Duration::ZERO,
        solve: Duration::ZERO,
        finals: None,
        finals_cut: false,
        unreached: Vec::new(),
        passed: true,
        ended: None,
        waiting: Vec::new(),
    };
    match encoded(program, question) {
        Ok(mut asking) => {
            let goals = asking.goals();
            decided.terms = asking.unrolled.terms.len() as u64;
            decided.encode = begin.elapsed();
            work::enter(&format!("the solver decides about {} terms", decided.terms));
            let asking_since = Instant::now();
            asked(&asking, &goals, &mut decided);
            decided.solve = asking_since.elapsed();
        }
        Err((stop, terms)) => {
            decided.terms = terms as u64;
            decided.encode = begin.elapsed();
            decided.unknown(stop);
        }
    }
    decided
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// A limit was hit.
    Limit(Hit),
    /// Anything else, in words.
    Reason(String),
}

impl Decided {
    fn unknown(&mut self, why: NoAnswer) {
        self.verdict = SeqVerdict::Unknown(match why {
            NoAnswer::Limit(hit) => hit.into(),
            NoAnswer::Reason(reason) => reason.into(),
        });
    }
}

/// Unrolls a program and defines its guesses. Otherwise says why not, and how many terms there were.
fn encoded<'p>(
    program: &'p Program,
    question: &'p Question,
) -> Result<Asking<'p>, (NoAnswer, usize)> {
    let bounds = question.bounds();
    work::enter("unrolling the program");
    let mut unrolled = exec::execute(program, bounds).map_err(abandoned)?;
    work::enter("replacing guesses");
    if let Some(which) = guess::define(&mut unrolled, bounds) {
        let hit = Hit::of(which, Phase::Defining);
        return Err((NoAnswer::Limit(hit), unrolled.terms.len()));
    }
    Ok(Asking {
        program,
        question,
        unrolled,
    })
}

fn abandoned(abandoned: Abandoned) -> (NoAnswer, usize) {
    let why = match abandoned.stop {
        Stop::Unsupported(reason) => NoAnswer::Reason(reason),
        Stop::Limit(which) => NoAnswer::Limit(Hit {
            which,
            phase: Phase::Unrolling,
            explodes: abandoned.explodes,
        }),
    };
    (why, abandoned.terms)
}

/// Asks everything about an unrolled program.
fn asked(asking: &Asking<'_>, goals: &Goals, decided: &mut Decided) {
    let roots = asking.roots(goals);
    let mut solvers = Solvers::new(&asking.unrolled.terms, asking.question, roots);
    answered(asking, goals, &mut solvers, decided);
    if work::stopping() {
        // A solver takes long to give back what it holds, and the process is about to end.
        std::mem::forget(solvers);
    }
}

fn answered(asking: &Asking<'_>, goals: &Goals, solvers: &mut Solvers<'_>, decided: &mut Decided) {
    let question = asking.question;
    match solvers.decide(goals.bug, &goals.beyond()) {
        Err(unknown) => {
            return decided.unknown(match behind(&unknown) {
                Some(hit) => NoAnswer::Limit(hit),
                None => NoAnswer::Reason(unknown.to_string()),
            });
        }
        Ok(None) => {
            let cuts = goals.cuts(solvers);
            // Executions with more rounds may reach more, so nothing is said about unreached marks.
            if cuts.iter().all(|cut| cut.bound != Bound::Rounds) {
                decided.unreached = asking.unreached(goals, solvers);
            }
            decided.verdict = SeqVerdict::Safe { cuts };
            decided.passed = asking.passes(&question.watched);
            decided.ended = asking.ends(goals, solvers);
            decided.waiting = goals.waiting(solvers);
        }
        Ok(Some(model)) => match asking.events(&goals.rather_a_failure(model, solvers)) {
            Ok(events) => {
                decided.verdict = SeqVerdict::Bug { events };
                decided.finals_cut = question.finals.is_some() && goals.needs_rounds(solvers);
            }
            Err(reason) => return decided.unknown(NoAnswer::Reason(reason)),
        },
    }
    decided.finals = asking.finals(goals, solvers);
}

/// The verification condition as SMT-LIB 2: satisfiable if and only if a check can fail.
///
/// # Errors
/// When the program cannot be unrolled or the condition cannot be said, with the reason.
pub fn script(
    program: &Program,
    question: &Question,
    comment: &[String],
) -> Result<String, NoAnswer> {
    let mut asking = encoded(program, question).map_err(|(why, _)| why)?;
    let bug = asking.goals().bug;
    let script = smtlib::script(&asking.unrolled.terms, bug, comment);
    match script.problem {
        None => Ok(script.text),
        Some(problem) => Err(NoAnswer::Reason(format!(
            "{problem} is beyond this encoding"
        ))),
    }
}
