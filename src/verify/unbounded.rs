//! The answer to a question about delays where bounds on loops and recursion would be all that can be said: an invariant is
//! looked for and checked, at first one of all schedules, then one of those within the delays.

use answer::Which;
use answer::Within;
use answer::{Answer, Cause, Counted, CutBy, Figure, Measured, NamedBound, Verdict};
use base::clock::Instant;
use base::memory;
use ir::Program;
use options::ProveOptions;
use options::{Limits, VerifyOptions};
use symbolic::some_end;

use super::proofs::{self, within};
use base::source::SourceMap;
use base::work;

use super::words;

/// The work that Z3 may do for one question where there is an answer with bounds already, in its own units.
const STEPS: u32 = 6_000_000;

/// That no check fails in any schedule, if that is proved: with little work where there is an answer with bounds, and in half of the
/// time where all schedules are asked about and there is none.
pub(super) fn proved(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
    end: Instant,
) -> Option<Answer> {
    if options.finals || options.solver.is_some() || work::stopping() || !has_room(options) {
        return None;
    }
    work::enter_part("all schedules, without bounds");
    let left = end.saturating_duration_since(Instant::now());
    let asked = ProveOptions {
        only_proof: true,
        steps: (!options.any_delays).then_some(STEPS),
        limits: Limits {
            latest: Some(if options.any_delays {
                end - left / 2
            } else {
                end
            }),
            ..options.limits
        },
        ..ProveOptions::default()
    };
    let found = proofs::answer(program, sources, &asked).answer;
    (found.verdict == Verdict::Proved).then_some(found)
}

/// The answer, without the bounds on loops and recursion if those can be done without.
pub(super) fn unbounded(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
    answer: Answer,
    end: Instant,
) -> Answer {
    let cut = answer.verdict == Verdict::Safe && answer.cut_by.contains(&CutBy::Unroll);
    // Where memory ran out there is none for an invariant either.
    let late = matches!(&answer.verdict, Verdict::Inconclusive(why)
        if matches!(why.cause, Cause::Time | Cause::Unrolled(_, Which::Time)));
    let wanted = (cut || late) && Instant::now() < end;
    if !wanted || options.any_delays || options.finals || options.solver.is_some() {
        return answer;
    }
    if let Some(proved) = proved(program, sources, options, end) {
        return proved;
    }
    // Beyond these places nothing is followed, whatever an invariant says of the rest.
    if !program.scope.cuts.is_empty() {
        return answer;
    }
    let begin = Instant::now();
    let delays = answer.delays().filter(|_| cut);
    let delays = delays.unwrap_or(options.delays_to);
    work::enter_part(&format!("{}, without unrolling", words::delays(delays)));
    let asked = Within {
        delays,
        rounds: options.rounds,
        scheduler: options.scheduler,
        end,
        memory: options.limits.memory,
        steps: cut.then_some(STEPS),
    };
    match within(program, asked) {
        // What was unrolled has shown that an execution ends.
        Some(found) if cut || some_end(program, &options.limits) == Some(true) => {
            held(answer, delays, found.clauses, begin)
        }
        _ => answer,
    }
}

/// Whether at least half of the memory is left: where Z3 runs out of it while it looks for an invariant, it ends the process.
fn has_room(options: &VerifyOptions) -> bool {
    memory::resident().is_none_or(|held| held < options.limits.memory / 2)
}

/// The answer for an invariant of so many clauses.
fn held(answer: Answer, delays: u32, clauses: usize, begin: Instant) -> Answer {
    let mut bounds = vec![NamedBound::Delays(Some(delays)), NamedBound::Unroll(None)];
    let scheduler = |b: &&NamedBound| matches!(b, NamedBound::Scheduler(_));
    bounds.extend(answer.bounds.iter().filter(scheduler).cloned());
    bounds.push(NamedBound::Invariant);
    let mut stats = answer.stats;
    stats.push(Figure::Count(Counted::Clauses, clauses as u64));
    let took = begin.elapsed().as_secs_f64();
    stats.push(Figure::Real(Measured::Invariant, took));
    Answer {
        verdict: Verdict::Safe,
        bounds,
        exhaustive: true,
        budget_spent: true,
        cut_by: Vec::new(),
        summary: words::unbounded(delays),
        notes: Vec::new(),
        stats,
        ..answer
    }
}
