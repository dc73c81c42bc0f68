//! Answers a question about delays without bounds on loops and recursion, if an invariant is found and checked: one of all
//! schedules, or one of those within the delays.

use answer::{Answer, Counted, CutBy, Engine, Figure, Measured, NamedBound, Verdict, Within};
use base::clock::Instant;
use base::source::SourceMap;
use base::{memory, work};
use ir::Program;
use options::{Limits, ProveOptions, VerifyOptions};
use symbolic::{Ends, ends};

use super::plan::STEPS;
use super::proofs::{self, within};
use super::words;

/// Tries to prove that no check fails in any schedule; with little work if there may be an answer with bounds.
pub(super) fn proof(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
    end: Instant,
) -> Option<Answer> {
    if options.finals || options.solver.is_some() || work::stopping() || !has_room(options) {
        return None;
    }
    work::enter_part("all schedules, without bounds");
    let asked = ProveOptions {
        steps: (!options.any_delays).then_some(STEPS),
        limits: Limits {
            latest: Some(end),
            ..options.limits
        },
        ..ProveOptions::default()
    };
    Some(proofs::answer(program, sources, &asked))
}

/// The answer without bounds on loops, recursion and numbers of tasks, if there is one.
pub(super) fn unbounded(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
    answer: Answer,
    end: Instant,
) -> Answer {
    let cut = answer.cut_by.contains(&CutBy::Unroll);
    let left = end.saturating_duration_since(Instant::now());
    let first = if cut { end - left / 2 } else { end };
    let proof = proof(program, sources, options, first);
    if let Some(proved) = proof.filter(|found| found.verdict == Verdict::Proved) {
        return proved;
    }
    let found = cut.then(|| within_delays(program, options, Some(&answer), end));
    found.flatten().unwrap_or(answer)
}

/// Tries to prove by an invariant that nothing fails within the delays; with little work if there is an answer with bounds.
pub(super) fn within_delays(
    program: &Program,
    options: &VerifyOptions,
    answer: Option<&Answer>,
    end: Instant,
) -> Option<Answer> {
    // An invariant says nothing of what lies beyond a cut.
    if !program.scope.cuts.is_empty() || options.solver.is_some() || !has_room(options) {
        return None;
    }
    let begin = Instant::now();
    let delays = answer.and_then(Answer::delays);
    let delays = delays.unwrap_or(options.delays_to);
    work::enter_part(&format!("{}, without unrolling", words::delays(delays)));
    let asked = Within {
        delays,
        rounds: options.rounds,
        scheduler: options.scheduler,
        end,
        memory: options.limits.room(),
        steps: answer.map(|_| STEPS),
    };
    let found = within(program, asked)?;
    // An answer with bounds has shown that an execution ends.
    (answer.is_some() || ends(program, &options.limits) == Ends::Some)
        .then(|| held(answer, options, delays, found.clauses, begin))
}

/// Whether at least half of the memory is left. If Z3 runs out of memory while it looks for an invariant, it ends the process.
fn has_room(options: &VerifyOptions) -> bool {
    memory::resident().is_none_or(|held| held < options.limits.memory / 2)
}

/// The answer for an invariant of so many clauses.
fn held(
    answer: Option<&Answer>,
    options: &VerifyOptions,
    delays: u32,
    clauses: usize,
    begin: Instant,
) -> Answer {
    let mut stats = answer.map_or_else(Vec::new, |answer| answer.stats.clone());
    stats.push(Figure::Count(Counted::Clauses, clauses as u64));
    let took = begin.elapsed().as_secs_f64();
    stats.push(Figure::Real(Measured::Invariant, took));
    Answer {
        bounds: vec![
            NamedBound::Delays(Some(delays)),
            NamedBound::Unroll(None),
            NamedBound::Scheduler(options.scheduler),
            NamedBound::Invariant,
        ],
        exhaustive: true,
        budget_spent: true,
        finals: answer.and_then(|answer| answer.finals.clone()),
        stats,
        ..Answer::new(Engine::Smt, Verdict::Safe, words::unbounded(delays))
    }
}
