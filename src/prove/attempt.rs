//! One attempt at a proof: clauses, hull, Spacer, check.

use std::time::Duration;

use answer::{Counted, Figure, Measured};
use base::clock::Instant;
use base::source::{SourceMap, Span};
use base::work;
use ir::{ErrorKind, Program};

use super::certificate::{Checked, Invariant};
use super::external;
use super::hull::{Hulls, hulls};
use super::refusal::Refusal;
use super::shapes::add_shapes;
use super::spacer::{Excluded, Said, solve};
use super::system::{Clause, Head, System, build};
use super::tasks::{Names, Tasks};
use super::words;
use super::z3run::{Effort, Watch};
use options::ProveOptions;
use solver::z3::ast::Bool;

#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    pub program: &'a Program,
    pub sources: &'a SourceMap,
    pub tasks: &'a Tasks,
    pub options: &'a ProveOptions,
    /// No task runs while another one is at the head of a loop.
    pub exact: bool,
    /// The tasks do more than the program. If the clauses have no invariant, that says nothing about the program.
    pub rough: bool,
    /// When to give up.
    pub end: Instant,
}

#[derive(Debug)]
pub struct Proof {
    /// The invariant in lines.
    pub invariant: Vec<String>,
    /// Its check as SMT-LIB.
    pub certificate: String,
    pub stats: Vec<Figure>,
    /// Where executions end at errors that were not asked about, and that are not excluded.
    pub errors: Vec<Span>,
}

/// What came of an attempt.
#[derive(Debug)]
pub enum Came {
    /// A proof, whose check has held.
    Proved(Box<Proof>),
    /// The clauses exclude every error but deadlocks.
    AllButDeadlocks(Box<System>),
    /// The clauses do not exclude the errors.
    Alarm(Box<System>),
    /// An invariant whose check has not held.
    Unchecked(String),
    Nothing,
}

/// Makes one attempt at a proof.
///
/// # Errors
/// What is not handled.
pub fn attempt(tried: &Attempt<'_>, names: &mut Names) -> Result<Came, Refusal> {
    let memory = tried.options.limits.room();
    let mut system = build(
        tried.program,
        tried.sources,
        tried.tasks,
        names,
        tried.exact,
    )?;
    let effort = Effort {
        end: tried.end,
        memory,
        steps: tried.options.steps,
    };
    let settled = settle(&mut system, effort);
    let (invariant, hulls) = match settled.said {
        Settlement::Invariant(invariant) => (invariant, settled.hulls),
        Settlement::Nothing => return Ok(Came::Nothing),
        Settlement::Unchecked(what) => return Ok(Came::Unchecked(what)),
        Settlement::NoInvariant if tried.rough => return Ok(Came::Nothing),
        Settlement::NoInvariant => {
            return Ok(without_deadlocks(tried, system, &settled.hulls));
        }
    };
    let certificate = certificate(&system, &invariant);
    if let Some(command) = &tried.options.solver
        && let Err(what) = external::check(command, &invariant.smtlib(&system), tried.end)
    {
        return Ok(Came::Unchecked(what));
    }
    Ok(Came::Proved(Box::new(Proof {
        invariant: words::invariant(&system, &hulls, &invariant),
        certificate,
        stats: stats(&system, settled.hull, settled.spacer),
        errors: Vec::new(),
    })))
}

/// What was found for clauses, and how long that took.
#[derive(Debug)]
pub struct Settled {
    pub said: Settlement,
    pub hulls: Hulls,
    /// How long the hulls took.
    pub hull: Duration,
    /// How long the rest took.
    pub spacer: Duration,
}

/// The outcome for clauses.
#[derive(Debug)]
pub enum Settlement {
    /// An invariant, whose check has held.
    Invariant(Invariant),
    /// An invariant whose check has not held.
    Unchecked(String),
    /// There is no invariant.
    NoInvariant,
    Nothing,
}

/// Looks for an invariant of clauses, and checks it.
#[must_use]
pub fn settle(system: &mut System, effort: Effort) -> Settled {
    let begin = Instant::now();
    work::enter("looking for a proof: equations");
    let half = begin + effort.end.saturating_duration_since(begin) / 2;
    let watch = Watch::new(half, effort.memory);
    let hulls = watch.over(|watch| {
        let hulls = hulls(system, watch).unwrap_or_else(|| Hulls::none(system));
        add_shapes(system, &hulls, watch);
        hulls
    });
    // The memory that the guesses hold counts.
    let effort = Effort {
        memory: watch.memory_left(),
        ..effort
    };
    let hull = begin.elapsed();
    work::enter("looking for a proof: invariant");
    let check = |invariant: &Invariant| invariant.check(system, effort.end, effort.memory);
    let nothing = vec![Bool::from_bool(true); system.predicates.len()];
    let guessed = Invariant::new(system, &hulls, nothing);
    // Often the guesses are enough.
    let excluded = watch.over(|watch| guessed.excludes_errors(system, watch));
    let enough = excluded && check(&guessed) == Checked::Holds;
    let said = match enough {
        true => Settlement::Invariant(guessed),
        false => match solve(system, &hulls, &Excluded::Errors(&|_| true), effort) {
            Said::NoInvariant => Settlement::NoInvariant,
            Said::Nothing => Settlement::Nothing,
            Said::Invariant(invariant) => match check(&invariant) {
                Checked::Holds => Settlement::Invariant(invariant),
                // There was no time to check it.
                Checked::Fails(_) if effort.is_late() => Settlement::Nothing,
                Checked::Fails(what) => {
                    match solve(system, &hulls, &Excluded::ErrorsAndBrokenFacts, effort) {
                        Said::Invariant(other) if check(&other) == Checked::Holds => {
                            Settlement::Invariant(other)
                        }
                        _ => Settlement::Unchecked(what),
                    }
                }
            },
        },
    };
    let spacer = begin.elapsed() - hull;
    Settled {
        said,
        hulls,
        hull,
        spacer,
    }
}

/// Tries to exclude the errors that are no deadlocks.
fn without_deadlocks(tried: &Attempt<'_>, system: System, hulls: &Hulls) -> Came {
    let wanted =
        |clause: &Clause| !matches!(&clause.head, Head::Wrong(w) if w.kind == ErrorKind::Deadlock);
    if system.clauses.iter().all(&wanted) {
        return Came::Alarm(Box::new(system));
    }
    let memory = tried.options.limits.room();
    let effort = Effort {
        end: tried.end,
        memory,
        steps: tried.options.steps,
    };
    let Said::Invariant(invariant) = solve(&system, hulls, &Excluded::Errors(&wanted), effort)
    else {
        return Came::Alarm(Box::new(system));
    };
    let mut rest = system;
    let deadlocks: Vec<Clause>;
    (rest.clauses, deadlocks) = rest.clauses.into_iter().partition(wanted);
    let checked = invariant.check(&rest, tried.end, memory);
    rest.clauses.extend(deadlocks);
    match checked {
        Checked::Holds => Came::AllButDeadlocks(Box::new(rest)),
        Checked::Fails(_) => Came::Alarm(Box::new(rest)),
    }
}

fn stats(system: &System, hull: Duration, spacer: Duration) -> Vec<Figure> {
    let count = |what, n: usize| Figure::Count(what, n as u64);
    vec![
        count(Counted::Predicates, system.predicates.len()),
        count(Counted::Variables, system.predicates[0].args.len()),
        count(Counted::Clauses, system.clauses.len()),
        Figure::Real(Measured::Hull, hull.as_secs_f64()),
        Figure::Real(Measured::Spacer, spacer.as_secs_f64()),
    ]
}

/// The file that any solver can check.
fn certificate(system: &System, invariant: &Invariant) -> String {
    let head = "; Every answer is to be unsat: the invariant holds in the beginning, every step preserves it,\n\
                ; and it excludes what must not happen. The invariant:\n";
    let mut text = head.to_owned();
    for (predicate, formula) in system.predicates.iter().zip(&invariant.of) {
        let lines = formula.to_string();
        let lines = lines.lines().map(|line| format!(";   {line}\n"));
        text += &format!("; {}\n{}", predicate.name, lines.collect::<String>());
    }
    text += "(set-logic ALL)\n";
    for question in invariant.smtlib(system) {
        text += &format!("(push 1)\n{question}(pop 1)\n");
    }
    text
}
