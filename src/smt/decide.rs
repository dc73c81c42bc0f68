//! The decision: unroll, define guesses, ask the solver, read the model.

use std::time::{Duration, Instant};

use crate::ir::{ErrorKind, Program, Value};
use crate::seq::map::SeqEvent;
use crate::source::Span;
use crate::work;

pub use super::exec::Bound;
use super::exec::{self, Bounds, Cut, Stop, Unrolled, What};
use super::extent::Part;
use super::guess::{self, Replace};
use super::layout::Layouts;
use super::sat::SatSession;
use super::smtlib;
use super::solve::{Outcome, Session, Unknown};
use super::term::{Assignment, Datum, Term, evaluate};
use super::value::value;
use super::z3::Z3Session;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// How often loops and recursion are unrolled.
    pub unroll: u32,
    /// When to give up.
    pub deadline: Instant,
    /// How much memory to use, in bytes.
    pub memory: u64,
    /// Of which parts of the globals to list the values at the end of complete executions.
    pub finals: Option<Vec<Part>>,
    /// The marks of which to say whether anything reaches them, if nothing fails.
    pub wanted: Vec<u32>,
    /// The marks of which to say whether they may be passed at all.
    pub watched: Vec<u32>,
    /// The mark that says, by its value, that an execution goes no further for want of rounds.
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
    /// A check fails.
    Bug {
        /// The marks and choices of an execution that shows it, in order.
        events: Vec<SeqEvent>,
    },
    /// Neither, with the reason in words.
    Unknown(String),
}

/// A place where executions were cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The loop or procedure; of rounds none.
    pub span: Span,
    /// Which bound it was.
    pub bound: Bound,
}

/// The answer, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The answer.
    pub verdict: SeqVerdict,
    /// How many terms the program became.
    pub terms: u64,
    /// How long that took.
    pub encode: Duration,
    /// How long the solver took.
    pub solve: Duration,
    /// The final values that were asked for, or why they cannot be listed.
    pub finals: Option<Result<Vec<Vec<Value>>, String>>,
    /// The wanted marks that nothing reaches.
    pub unreached: Vec<u32>,
    /// Whether a watched mark may be passed.
    pub passed: bool,
    /// If nothing fails: whether an execution was followed to its end. A solver that gives up does not say.
    pub ended: Option<bool>,
    /// If rounds cut executions off: at which of the marks in [`Question::waits`] a task waited in one of them.
    pub waiting: Vec<u32>,
}

/// How many bytes a term takes, all tables and the solver's own terms included.
const BYTES_PER_TERM: u64 = 400;

/// Decides whether a check of a sequential program can fail.
#[must_use]
pub fn decide(program: &Program, question: &Question) -> Decided {
    let begin = Instant::now();
    let mut decided = Decided {
        verdict: SeqVerdict::Unknown(String::new()),
        terms: 0,
        encode: Duration::ZERO,
        solve: Duration::ZERO,
        finals: None,
        unreached: Vec::new(),
        passed: true,
        ended: None,
        waiting: Vec::new(),
    };
    let bounds = Bounds {
        last_round: question.last_round,
        unroll: question.unroll,
        deadline: question.deadline,
        terms: usize::try_from(question.memory / BYTES_PER_TERM).unwrap_or(usize::MAX),
    };
    work::enter("unrolling the program");
    let mut unrolled = match exec::execute(program, bounds) {
        Ok(unrolled) => unrolled,
        Err(Stop::Limit(reason) | Stop::Unsupported(reason)) => {
            decided.verdict = SeqVerdict::Unknown(reason);
            return decided;
        }
    };
    let replace = guess::define(&mut unrolled);
    decided.terms = unrolled.terms.len() as u64;
    decided.encode = begin.elapsed();
    work::enter(&format!("the solver decides about {} terms", decided.terms));
    let asking = Instant::now();
    let mut asking_for = Asking {
        program,
        question,
        unrolled,
        replace,
    };
    decided.verdict = asking_for.verdict();
    if matches!(decided.verdict, SeqVerdict::Safe { .. }) {
        decided.passed = asking_for.passes(&question.watched);
        decided.unreached = asking_for.unreached(&question.wanted);
        decided.ended = asking_for.ends();
        decided.waiting = asking_for.waiting(&question.waits);
    }
    if !matches!(decided.verdict, SeqVerdict::Unknown(_)) {
        decided.finals = question
            .finals
            .as_ref()
            .map(|parts| asking_for.finals(parts));
    }
    decided.solve = asking.elapsed();
    decided
}

/// The verification condition as SMT-LIB 2: satisfiable if and only if a check can fail.
///
/// # Errors
/// When the program cannot be unrolled or the condition cannot be said, with the reason in words.
pub fn script(
    program: &Program,
    question: &Question,
    comment: &[String],
) -> Result<String, String> {
    let bounds = Bounds {
        last_round: question.last_round,
        unroll: question.unroll,
        deadline: question.deadline,
        terms: usize::try_from(question.memory / BYTES_PER_TERM).unwrap_or(usize::MAX),
    };
    let mut unrolled = match exec::execute(program, bounds) {
        Ok(unrolled) => unrolled,
        Err(Stop::Limit(reason) | Stop::Unsupported(reason)) => return Err(reason),
    };
    let replace = guess::define(&mut unrolled);
    let mut asking = Asking {
        program,
        question,
        unrolled,
        replace,
    };
    let (_, bug) = asking.bug();
    let script = smtlib::script(&asking.unrolled.terms, bug, comment);
    match script.problem {
        None => Ok(script.text),
        Some(problem) => Err(format!("{problem} is beyond this encoding")),
    }
}

/// A program that has been executed symbolically, to be asked about.
pub(super) struct Asking<'p> {
    pub(super) program: &'p Program,
    question: &'p Question,
    pub(super) unrolled: Unrolled,
    pub(super) replace: Replace,
}

impl Asking<'_> {
    /// A check fails, in an execution that was followed to it.
    fn bug(&mut self) -> (Term, Term) {
        let terms = &mut self.unrolled.terms;
        let fails = terms.any(
            self.unrolled
                .failures
                .iter()
                .map(|f| f.condition)
                .collect::<Vec<_>>(),
        );
        let probed = |cut: &&Cut| cut.probed;
        let cut = terms.any(
            self.unrolled
                .cuts
                .iter()
                .filter(probed)
                .map(|c| c.condition)
                .collect::<Vec<_>>(),
        );
        (fails, terms.and(fails, !cut))
    }

    fn verdict(&mut self) -> SeqVerdict {
        let (fails, bug) = self.bug();
        match self.ask(bug) {
            Err(unknown) => SeqVerdict::Unknown(words(&unknown)),
            Ok(Some(model)) => match self.rather_a_failure(bug, model) {
                Ok(events) => SeqVerdict::Bug { events },
                Err(reason) => SeqVerdict::Unknown(reason),
            },
            Ok(None) => SeqVerdict::Safe {
                cuts: self.cuts(fails),
            },
        }
    }

    /// A failing check says more than a deadlock: of two bugs it is the one to show.
    fn rather_a_failure(&mut self, bug: Term, model: Assignment) -> Result<Vec<SeqEvent>, String> {
        let model = self.failure_instead(bug, &model).unwrap_or(model);
        self.events(&model)
    }

    /// An assignment in which something fails, where another is one of a deadlock.
    fn failure_instead(&mut self, bug: Term, model: &Assignment) -> Option<Assignment> {
        let terms = &mut self.unrolled.terms;
        let failures = self.unrolled.failures.iter();
        let (deadlocks, others): (Vec<_>, Vec<_>) =
            failures.partition(|failure| failure.kind == ErrorKind::Deadlock);
        if deadlocks.is_empty() || others.is_empty() {
            return None;
        }
        let others: Vec<Term> = others.iter().map(|failure| failure.condition).collect();
        let fails = terms.any(others);
        let fails = terms.and(fails, bug);
        let shown = evaluate(terms, model, &[fails]);
        if shown.first().is_some_and(Datum::holds) {
            return None;
        }
        self.ask(fails).ok().flatten()
    }

    /// An assignment that makes a term true, if there is one.
    pub(super) fn ask(&self, goal: Term) -> Result<Option<Assignment>, Unknown> {
        if goal == Term::FALSE {
            return Ok(None);
        }
        if let Some(command) = &self.question.solver {
            return smtlib::script(&self.unrolled.terms, goal, &[])
                .decide(command, self.question.deadline);
        }
        let Question {
            deadline, memory, ..
        } = *self.question;
        let terms = &self.unrolled.terms;
        if let Some(mut session) = SatSession::about(terms, goal, deadline, memory) {
            match answer(&mut session) {
                Err(Unknown::Time) if session.gives_up() => {}
                answered => return answered,
            }
        }
        let mut session = Z3Session::new(terms, &[goal], deadline, memory);
        session.assert(goal);
        answer(&mut session)
    }

    /// The places that an execution can reach that was cut off there.
    fn cuts(&mut self, fails: Term) -> Vec<Place> {
        let mut reached: Vec<Place> = Vec::new();
        let mut left: Vec<Cut> = self.unrolled.cuts.clone();
        while !left.is_empty() {
            let terms = &mut self.unrolled.terms;
            let conditions: Vec<_> = left
                .iter()
                .map(|cut| {
                    if cut.probed {
                        terms.and(fails, cut.condition)
                    } else {
                        cut.condition
                    }
                })
                .collect();
            let any = terms.any(conditions.iter().copied());
            let found: Vec<bool> = match self.ask(any) {
                Ok(None) => break,
                Ok(Some(model)) => evaluate(&self.unrolled.terms, &model, &conditions)
                    .iter()
                    .map(Datum::holds)
                    .collect(),
                // What could not be excluded is reported.
                Err(_) => vec![true; left.len()],
            };
            let places = left
                .iter()
                .zip(&found)
                .filter(|(_, found)| **found)
                .map(|(cut, _)| Place {
                    span: cut.span,
                    bound: cut.bound,
                });
            for place in places {
                if !reached.contains(&place) {
                    reached.push(place);
                }
            }
            let before = left.len();
            left.retain(|cut| !reached.iter().any(|place| place.span == cut.span));
            if left.len() == before {
                break;
            }
        }
        reached.sort_by_key(|place| place.span);
        reached
    }

    /// What happens in an execution that fails.
    fn events(&mut self, model: &Assignment) -> Result<Vec<SeqEvent>, String> {
        let terms = &mut self.unrolled.terms;
        let guards: Vec<_> = self
            .unrolled
            .events
            .iter()
            .map(|e| self.replace.term(terms, e.guard))
            .collect();
        let taken = evaluate(terms, model, &guards);
        let layouts = Layouts::new(&self.program.types)?;
        let mut roots = Vec::new();
        let happened: Vec<_> = self
            .unrolled
            .events
            .iter()
            .zip(&taken)
            .filter(|(_, taken)| taken.holds())
            .map(|(e, _)| e.clone())
            .collect();
        for event in &happened {
            let mut root = |leaf| roots.push(self.replace.term(terms, leaf));
            match &event.what {
                What::Mark(_, values) => values
                    .iter()
                    .flat_map(|v| v.1.iter().copied())
                    .for_each(&mut root),
                What::Choice(_, _, leaves) => leaves.iter().copied().for_each(&mut root),
            }
        }
        let mut data = evaluate(terms, model, &roots).into_iter();
        let mut events = Vec::with_capacity(happened.len());
        for event in happened {
            events.push(match event.what {
                What::Mark(id, values) => {
                    let values = values
                        .iter()
                        .map(|v| value(&layouts, v.0, &mut data))
                        .collect::<Result<_, _>>()?;
                    SeqEvent::Mark { id, values }
                }
                What::Choice(kind, ty, _) => SeqEvent::Choice {
                    kind,
                    value: value(&layouts, ty, &mut data)?,
                },
            });
        }
        Ok(events)
    }
}

/// What makes everything that was asserted true, if anything does.
fn answer(session: &mut impl Session) -> Result<Option<Assignment>, Unknown> {
    match session.check(&[]) {
        Outcome::Unsat => Ok(None),
        Outcome::Unknown(unknown) => Err(unknown),
        Outcome::Sat => {
            let missing = || Unknown::Incomplete("the solver gives no model".to_owned());
            session.model().map(Some).ok_or_else(missing)
        }
    }
}

pub(super) fn words(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Time if work::stopping() => work::INTERRUPTED.to_owned(),
        Unknown::Time => "the time ran out while the solver was deciding".to_owned(),
        Unknown::Memory => "the solver ran out of memory".to_owned(),
        Unknown::Incomplete(reason) => reason.clone(),
    }
}
