//! Proves `independent` and `exclusive`. A declaration is true of every state of the object and all arguments; or it is an error,
//! with its counterexample; or it is not used.
//!
//! A declaration becomes a [sequential program](question) over a [copy] of the two operations, which the solver
//! decides as it decides any other; what it finds is [replayed](refuted) by the slow machine before anybody sees it.
//! There is one declaration for all objects of a type with the same constants, so each is proved once in a run.

mod copy;
mod question;
mod refuted;
mod shown;
mod steps;
#[cfg(test)]
mod tests;

use std::time::Duration;

use answer::{Answer, Engine, Figure, Note, Verdict};
use base::clock::Instant;
use base::diagnostic::Diagnostic;
use base::source::SourceMap;
use base::stack::on_big_stack;
use ir::{Declared, Program};
use options::Limits;
use smt::decide::{Bound, Place, SeqVerdict, decide};
use trace::Bug;

use self::question::{Question, questions};

/// How often loops of operations are unrolled.
const UNROLL: u32 = 8;
/// The time for one declaration.
const PATIENCE: Duration = Duration::from_secs(10);

/// What came of the declarations of a program.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// A bug for each declaration that is false.
    pub refuted: Vec<Bug>,
    /// Remarks on declarations that could not be decided, and so are not used.
    pub unproved: Vec<Note>,
    pub time: Duration,
}

/// What came of one declaration.
#[derive(Clone, Debug, PartialEq)]
enum Proof {
    /// The declaration is true. `alone`: only of this object, because its operations touch other objects.
    Proved {
        alone: bool,
    },
    Refuted(Box<Bug>),
    /// Neither is known, or the declaration is of no use: the reason in words.
    Unproved(String),
}

fn undecided(reason: &str) -> Proof {
    Proof::Unproved(format!(
        "the declaration could not be proved and is not used: {reason}"
    ))
}

/// Proves or refutes all declarations of a program, and marks those that are proved.
#[must_use]
pub fn prove(program: &mut Program, sources: &SourceMap, limits: &Limits) -> Proofs {
    if program.declared.is_empty() {
        return Proofs::default();
    }
    let begin = Instant::now();
    let asked = &*program;
    let all: Vec<Proof> = on_big_stack(|| {
        let declared = asked.declared.iter();
        declared
            .map(|claim| one(asked, claim, sources, limits, begin))
            .collect()
    });
    let mut proofs = Proofs::default();
    for (claim, proof) in program.declared.iter_mut().zip(all) {
        match proof {
            Proof::Proved { alone } => {
                claim.proved = true;
                let this = (claim.a.op, claim.b.op);
                claim.applies.retain(|pair| !alone || *pair == this);
            }
            Proof::Refuted(bug) => {
                // The same declaration may be false of objects with different constants.
                if proofs.refuted.iter().all(|b| b.span != bug.span) {
                    proofs.refuted.push(*bug);
                }
            }
            Proof::Unproved(reason) => proofs.unproved.push(Note::new(reason, claim.span)),
        }
    }
    proofs.unproved.dedup();
    proofs.time = begin.elapsed();
    proofs
}

fn one(
    program: &Program,
    claim: &Declared,
    sources: &SourceMap,
    limits: &Limits,
    begin: Instant,
) -> Proof {
    let asked = match questions(program, claim) {
        Ok(asked) => asked,
        Err(reason) => return undecided(&reason),
    };
    let patience = Instant::now() + PATIENCE;
    let latest = limits.latest.or_else(|| begin.checked_add(limits.timeout));
    let deadline = latest.map_or(patience, |latest| latest.min(patience));
    let mut proof = Proof::Proved {
        alone: asked.iter().any(|q| q.meets_others(program)),
    };
    for question in &asked {
        match answer(program, question, sources, deadline, limits.memory) {
            Proof::Proved { .. } => {}
            unproved @ Proof::Unproved(_) => proof = unproved,
            refuted @ Proof::Refuted(_) => return refuted,
        }
    }
    proof
}

fn answer(
    program: &Program,
    question: &Question<'_>,
    sources: &SourceMap,
    deadline: Instant,
    memory: u64,
) -> Proof {
    debug_assert_eq!(ir::validate(&question.program), Ok(()));
    let asked = smt::decide::Question {
        unroll: UNROLL,
        deadline,
        memory,
        finals: None,
        wanted: Vec::new(),
        watched: Vec::new(),
        last_round: None,
        waits: Vec::new(),
        solver: None,
    };
    match decide(&question.program, &asked).verdict {
        SeqVerdict::Safe { cuts } => match cuts.first() {
            None => Proof::Proved { alone: false },
            Some(&cut) => undecided(&too_long(cut, sources)),
        },
        SeqVerdict::Unknown(reason) => undecided(reason.words()),
        SeqVerdict::Bug { .. } if question.apart => Proof::Unproved(
            "the declaration is true of each object, but not used: operations of two objects of the array do not commute"
                .to_owned(),
        ),
        SeqVerdict::Bug { events } => match refuted::bug(program, question, &events) {
            Ok(bug) => Proof::Refuted(Box::new(bug)),
            Err(reason) => undecided(&format!(
                "internal error, please report it with the program: {reason}"
            )),
        },
    }
}

fn too_long(cut: Place, sources: &SourceMap) -> String {
    let line = sources.line_in_words(cut.span);
    if cut.bound == Bound::Loop {
        format!("the loop at {line} may run more than {UNROLL} times")
    } else {
        format!("the procedure at {line} may call itself more than {UNROLL} times")
    }
}

/// What to say beside a false declaration.
const ADVICE: &str = "a declaration speaks of every state of the object, reached or not: a range as a variable's type, \
    a stronger `when`, or a condition of the declaration rules states out";

impl Proofs {
    /// The answer of an engine that was asked about a program with a false declaration; nothing if there is none.
    #[must_use]
    pub fn answer(&self, engine: Engine, all: bool) -> Option<Answer> {
        let first = self.refuted.first()?;
        let bugs = if all {
            self.refuted.clone()
        } else {
            vec![first.clone()]
        };
        let mut notes = self.unproved.clone();
        notes.push(Note::new(ADVICE, None));
        Some(Answer {
            bugs,
            notes,
            stats: vec![Figure::seconds(self.time)],
            ..Answer::new(engine, Verdict::Bug, "a false declaration; nothing was run")
        })
    }

    /// Refuted and unproved declarations as diagnostics of the text.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let place = |span: Option<base::source::Span>| span.unwrap_or_default();
        let refuted = self.refuted.iter().map(|bug| {
            Diagnostic::error("object", place(bug.span), bug.message.as_str())
                .label("not true of every state")
                .note(ADVICE)
        });
        let unproved = self.unproved.iter().map(|note| {
            Diagnostic::warning("object", place(note.span), note.message.as_str())
                .label("neither proved nor refuted")
        });
        refuted.chain(unproved).collect()
    }
}
