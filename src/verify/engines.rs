//! Which engine answers a question about delays: the solver, the explicit machine, the one that fits, or both.
//!
//! Knows engines by what they are asked and what they answer, and nothing of their insides.

use crate::answer::{Answer, Engine, Figure, Note, Verdict};
use crate::explore::explore;
use crate::ir::{Await, Block, ChoiceKind, ErrorKind, Loop, Program, StmtKind};
use crate::options::{EngineChoice, ExploreOptions, Scheduler, VerifyOptions};
use crate::source::SourceMap;
use crate::work;

use super::{handles, verify, words};

/// The answer to a question about delays, by the engine that the options name.
#[must_use]
pub fn answer(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    let answer = match options.engine {
        EngineChoice::Explicit => by_exploration(program, options),
        EngineChoice::Auto => by_fitting(program, sources, options),
        EngineChoice::Smt => verify(program, sources, options),
    };
    held_to(answer, options)
}

fn held_to(answer: Answer, options: &VerifyOptions) -> Answer {
    if options.require_exhaustive {
        answer.require_exhaustive()
    } else {
        answer
    }
}

/// The question for the explicit engine: that scheduler, delayed within the greatest budget; or the bag, which runs
/// tasks in any order.
#[must_use]
pub fn as_exploration(options: &VerifyOptions) -> ExploreOptions {
    let any = options.any_delays;
    ExploreOptions {
        scheduler: if any {
            Scheduler::Bag
        } else {
            options.scheduler
        },
        delays: (!any).then_some(options.delays_to),
        finals: options.finals,
        limits: options.limits,
        ..ExploreOptions::default()
    }
}

/// The explicit machine decides. A range of budgets is tried one after the other, as the solver does, until there is a
/// bug, or no execution needs more delays.
#[must_use]
pub fn by_exploration(program: &Program, options: &VerifyOptions) -> Answer {
    let budgets = options.delays_from..=options.delays_to;
    let mut answer = None;
    for delays_to in budgets {
        work::enter_part(&format!("{}: exploring", words::delays(delays_to)));
        let options = as_exploration(&VerifyOptions {
            delays_to,
            ..options.clone()
        });
        let one = explored(program, &options);
        let settled = one.verdict != Verdict::Safe || !one.budget_spent;
        answer = Some(one);
        if settled {
            break;
        }
    }
    answer.unwrap_or_else(|| explored(program, &as_exploration(options)))
}

/// What the machine answers, with final states such as the solver can give.
#[must_use]
pub fn explored(program: &Program, options: &ExploreOptions) -> Answer {
    let mut answer = explore(program, options);
    answer.finals = answer.finals.map(|f| handles::hidden(program, f));
    answer
}

/// The engine that fits the program: explicit if every choice that the user leaves open is among few values, else the solver.
/// The explicit engine hands over when it cannot settle the question.
#[must_use]
pub fn by_fitting(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    let say = |mut answer: Answer, why: &str| {
        answer.notes.push(Note {
            message: format!("engine chosen: {why}"),
            span: None,
        });
        answer
    };
    if let Some(variable) = wide_choice(program) {
        return say(
            verify(program, sources, options),
            &format!("smt, because `{variable}` can have too many values to try each"),
        );
    }
    let mut half = options.clone();
    half.limits.timeout /= 2;
    let answer = by_exploration(program, &half);
    let Verdict::Inconclusive(reason) = &answer.verdict else {
        return say(
            answer,
            "explicit, because every open choice is among few values",
        );
    };
    let why = format!("smt, because the explicit engine did not settle it: {reason}");
    say(verify(program, sources, &half), &why)
}

/// The most values of one choice that the explicit engine is trusted with.
const FEW: u128 = 256;

/// A variable that the user leaves open and that has many values.
fn wide_choice(program: &Program) -> Option<String> {
    let mut found = None;
    for proc in &program.procs {
        walk(&proc.body, &mut |kind| {
            if let StmtKind::Havoc(place, ChoiceKind::User) = kind
                && program.types.size(place.ty).is_none_or(|n| n > FEW)
            {
                found.get_or_insert_with(|| match place.root {
                    crate::ir::Root::Global(g) => program.globals[g.index()].name.clone(),
                    crate::ir::Root::Local(l) => proc.locals[l.index()].name.clone(),
                });
            }
        });
    }
    found
}

fn walk(block: &Block, see: &mut impl FnMut(&StmtKind)) {
    for stmt in block {
        see(&stmt.kind);
        match &stmt.kind {
            StmtKind::If(_, yes, no) => [yes, no].into_iter().for_each(|b| walk(b, see)),
            StmtKind::Loop(l) => {
                let Loop {
                    pre, body, step, ..
                } = &**l;
                [pre, body, step].into_iter().for_each(|b| walk(b, see));
            }
            StmtKind::Await(a) => {
                let Await { checks, body, .. } = &**a;
                [checks, body].into_iter().for_each(|b| walk(b, see));
            }
            StmtKind::Atomic(body) => walk(body, see),
            _ => {}
        }
    }
}

/// Both engines answer; a contradiction is a fault of ours and is said so.
#[must_use]
pub fn cross_check(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    let mut first = verify(program, sources, options);
    let asked = ExploreOptions {
        all: true,
        ..as_exploration(options)
    };
    let second = explored(program, &asked);
    let outcome = compare(&first, &second);
    let message = match outcome {
        Ok(agreement) => format!("cross-check: {agreement}"),
        Err(contradiction) => {
            let reason = format!(
                "the engines disagree: {contradiction}; this is a fault of dbverify, please report it"
            );
            first.summary.clone_from(&reason);
            first.verdict = Verdict::Inconclusive(reason.clone());
            first.bugs.clear();
            reason
        }
    };
    first.notes.push(Note {
        message,
        span: None,
    });
    held_to(first, options)
}

/// Whether two answers of the same question fit together: in words, or what contradicts.
fn compare(smt: &Answer, explicit: &Answer) -> Result<String, String> {
    debug_assert_eq!(
        (smt.engine, explicit.engine),
        (Engine::Smt, Engine::Explicit)
    );
    // The solver's side does not look for deadlocks: there a blocked dispatch drops the execution.
    let bugs = explicit
        .bugs
        .iter()
        .filter(|b| b.kind != ErrorKind::Deadlock)
        .count();
    match (&smt.verdict, &explicit.verdict) {
        (Verdict::Inconclusive(_), _) => Ok("the solver did not settle it".to_owned()),
        (_, Verdict::Inconclusive(reason)) if bugs == 0 => {
            Ok(format!("the explicit engine did not settle it: {reason}"))
        }
        (Verdict::Bug, _) if bugs == 0 => {
            Err("the solver finds a bug, the explicit engine none".to_owned())
        }
        (Verdict::Safe, _) if bugs > 0 && smt.exhaustive => {
            Err("the explicit engine finds a bug, the solver none".to_owned())
        }
        (Verdict::Safe, _) if bugs > 0 => {
            Ok("the explicit engine finds a bug beyond the unrolling bound".to_owned())
        }
        _ if smt.exhaustive
            && explicit.exhaustive
            && smt.finals.is_some()
            && smt.finals != explicit.finals =>
        {
            Err("their final states differ".to_owned())
        }
        _ => Ok(format!("the explicit engine agrees ({})", count(explicit))),
    }
}

fn count(answer: &Answer) -> String {
    let states = answer.stats.iter().find(|(name, _)| *name == "states");
    match states {
        Some((_, Figure::Count(n))) => format!("{n} states"),
        _ => "no states counted".to_owned(),
    }
}
