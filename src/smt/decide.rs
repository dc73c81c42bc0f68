//! The decision: unroll, define guesses, ask the solver, read the model.

use std::time::{Duration, Instant};

use crate::ir::Program;
use crate::seq::map::SeqEvent;
use crate::source::Span;

use super::exec::{self, Bounds, Cut, Stop, Unrolled, What};
use super::guess::{self, Replace};
use super::layout::Layouts;
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

/// A place where unrolling stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The loop or procedure.
    pub span: Span,
    /// Whether it is a loop.
    pub is_loop: bool,
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
    };
    let bounds = Bounds {
        unroll: question.unroll,
        deadline: question.deadline,
        terms: usize::try_from(question.memory / BYTES_PER_TERM).unwrap_or(usize::MAX),
    };
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
    let asking = Instant::now();
    decided.verdict = Asking {
        program,
        question,
        unrolled,
        replace,
    }
    .verdict();
    decided.solve = asking.elapsed();
    decided
}

struct Asking<'p> {
    program: &'p Program,
    question: &'p Question,
    unrolled: Unrolled,
    replace: Replace,
}

impl Asking<'_> {
    fn verdict(&mut self) -> SeqVerdict {
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
        let bug = terms.and(fails, !cut);
        match self.ask(bug) {
            Err(unknown) => SeqVerdict::Unknown(words(&unknown)),
            Ok(Some(model)) => match self.events(&model) {
                Ok(events) => SeqVerdict::Bug { events },
                Err(reason) => SeqVerdict::Unknown(reason),
            },
            Ok(None) => SeqVerdict::Safe {
                cuts: self.cuts(fails),
            },
        }
    }

    /// An assignment that makes a term true, if there is one.
    fn ask(&self, goal: Term) -> Result<Option<Assignment>, Unknown> {
        if goal == Term::FALSE {
            return Ok(None);
        }
        let mut session = Z3Session::new(&self.unrolled.terms, &[goal], self.question.deadline);
        session.assert(goal);
        match session.check(&[]) {
            Outcome::Unsat => Ok(None),
            Outcome::Unknown(unknown) => Err(unknown),
            Outcome::Sat => {
                let missing = || Unknown::Incomplete("the solver gives no model".to_owned());
                session.model().map(Some).ok_or_else(missing)
            }
        }
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
                    is_loop: cut.is_loop,
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

fn words(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Time => "the time ran out while the solver was deciding".to_owned(),
        Unknown::Memory => "the solver ran out of memory".to_owned(),
        Unknown::Incomplete(reason) => reason.clone(),
    }
}
