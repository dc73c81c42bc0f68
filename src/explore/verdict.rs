//! The answer in words: the verdict, its bounds, and what was counted.

use std::collections::BTreeSet;
use std::time::Duration;

use answer::{
    Answer, Cause, Counted, CutBy, Engine, Figure, Measured, NamedBound, Note, Reason, Verdict,
};
use base::source::Span;
use ir::{Cut, Dialect, ErrorKind, Program, TypeId, Value, walk};
use options::{ExploreOptions, Limits, Scheduler, Sought, Strategy};
use semantics::limits;

use super::dpor::program;
use super::outcome::{self, Bugs, Outcome, limited, no_bug};
use super::summary::{budgets, sampled, schedules};
use super::vacuity;
use machine::found::{Counts, Found, Limit};
use machine::schedule::schedule;
use machine::space::{LeftOut, Space};
use machine::values;
use machine::{Refusal, Why};

/// Returns why the options do not go together, if they do not.
pub fn unsupported(options: &ExploreOptions) -> Option<String> {
    let lists = !options.scheduler.is_bag();
    if options.strategy == Strategy::Pct && lists {
        return Some(
            "--strategy pct needs the bag: its priorities are a scheduler of their own".into(),
        );
    }
    let followed = options.strategy == Strategy::Dpor;
    let stored = options.strategy == Strategy::Stateful;
    match options.sought {
        Sought::Races if !followed && !stored => {
            Some("--races needs --strategy stateful or dpor".to_owned())
        }
        Sought::Races => program::unsupported(options, "--races"),
        _ if followed => program::unsupported(options, "--strategy dpor"),
        _ => None,
    }
}

/// The answer of a search that did not begin.
pub fn refused(options: &ExploreOptions, reason: String) -> Answer {
    Answer {
        bounds: bounds(options),
        ..Answer::inconclusive(Engine::Explicit, reason.into())
    }
}

/// The answer to what was asked.
pub fn answer(
    program: &Program,
    space: Space<'_>,
    options: &ExploreOptions,
    found: &Found,
    time: Duration,
) -> Answer {
    let bugs = bugs(program, space, options, found);
    let (reason, note) = reason(program, options, found);
    let sharded = options.shard.is_some();
    let reduced = space.reduction().multiset || found.reduced;
    let outcome = Outcome {
        options,
        bugs,
        reason,
        left_out: found.left_out,
        too_long: found.cut,
        cut_by: Vec::new(),
        ended: found.ended || sharded,
        endless: is_endless(space, options, found),
        notes: note.into_iter().collect(),
        finals: finals(program, space, found),
        stats: stats(&found.counts, time),
        bounds: Vec::from_iter(reduced.then_some(NamedBound::Reduced)),
        none: no_bug(options),
        whose: schedules(options),
        within: String::new(),
    };
    let mut answer = outcome.answer(program);
    let whole = answer.exhaustive;
    answer.weak = found.weak.clone().filter(|_| whole);
    match answer.verdict {
        Verdict::Safe => answer.notes.extend(unreached(space, options, whole)),
        Verdict::Inconclusive(_) if !found.ended && !sharded => {
            (answer.notes).extend(vacuity::drops(program, space.shared));
        }
        _ => {}
    }
    answer.coverage = options.coverage.then(|| {
        let stopped = !options.all && !answer.bugs.is_empty();
        vacuity::coverage(space.shared, vacuity::looked(options, whole, stopped))
    });
    answer
}

/// Takes a search that left nothing out and in which no execution ends. Returns whether each execution goes on for ever in the
/// visited states, so that none was dropped and no bound stopped one.
fn is_endless(space: Space<'_>, options: &ExploreOptions, found: &Found) -> bool {
    matches!(options.strategy, Strategy::Stateful | Strategy::Dpor)
        && !found.left_out.contains(LeftOut::SWITCHES)
        && !vacuity::dropped(space.shared)
}

/// Notes the places that no execution reaches.
fn unreached(space: Space<'_>, options: &ExploreOptions, whole: bool) -> Vec<Note> {
    // dpor runs one of several orders with the same result: it need not see what another order reaches within a step.
    if whole && matches!(options.strategy, Strategy::Stateful | Strategy::Stateless) {
        return vacuity::unreached(space.shared, budgets(options).is_some());
    }
    Vec::new()
}

/// The distinct bugs as replays of their schedules show them, or the error that one does not replay.
fn bugs(program: &Program, space: Space<'_>, options: &ExploreOptions, found: &Found) -> Bugs {
    let (mut list, mut internal) = (Vec::new(), found.internal.clone());
    let errors = found.bugs.iter().map(|(&(kind, _), trail)| (kind, trail));
    let races = (found.races.values()).map(|trail| (ErrorKind::Race, trail));
    let mut told: Vec<_> = errors.chain(races).collect();
    told.sort_by_key(|&(kind, _)| kind.comes_last());
    for (kind, trail) in told {
        if !options.all && !list.is_empty() {
            break;
        }
        let schedule = schedule(program, space, trail);
        match outcome::shown(program, options, &schedule) {
            Ok(bug) if bug.kind == kind => list.push(bug),
            Ok(bug) => {
                let shown = bug.kind.name();
                internal = Some(format!("{} is shown as {shown}", kind.name()));
            }
            Err(reason) => internal = Some(reason),
        }
    }
    let internal = internal.map(|reason| limits::unshown("a counterexample", &reason));
    Bugs { list, internal }
}

/// The note at the place where a search ended within a step.
const WITHIN_A_STEP: &str = "the search ended here, within a long step of a task";

/// Why the search settles nothing if it found nothing, and a note with the place.
fn reason(
    program: &Program,
    options: &ExploreOptions,
    found: &Found,
) -> (Option<Reason>, Option<Note>) {
    let limit = found.limit.map(|limit| limited(limit, &options.limits));
    let broken = found.broken.clone().map(Reason::from);
    let cut = || {
        found
            .cut
            .then(|| outcome::too_long("an execution", options))
    };
    if let Some(reason) = broken.or(limit).or_else(cut) {
        let halted = found.refusal.filter(|refusal| refusal.why == Why::Halted);
        let note = halted.map(|refusal| Note::new(WITHIN_A_STEP, told_at(program, refusal)));
        return (Some(reason), note);
    }
    let Some(refusal) = found.refusal else {
        return (None, None);
    };
    let (reason, message) = refusal_words(program, refusal, &options.limits);
    let span = Some(told_at(program, refusal));
    (Some(reason), Some(Note::new(message, span)))
}

/// The cut at which the machine refuses to go on.
fn cut(program: &Program, refusal: Refusal) -> Option<&Cut> {
    let cut = program.scope.cut(refusal.span);
    cut.filter(|_| matches!(refusal.why, Why::Endless))
}

/// Where the user is told that the machine refuses to go on.
pub(super) fn told_at(program: &Program, refusal: Refusal) -> Span {
    program.scope.told_at(refusal.span)
}

/// Advises where a task runs on. A lone task has no other task to give a turn to.
fn still_running(program: &Program) -> &'static str {
    match program.types.dialect {
        _ if !walk::posts(program) => "it is still running here",
        Dialect::Async => {
            "it is still running here; put a `yield` into the loop so that others get a turn"
        }
        Dialect::C => {
            "it is still running here; put `sched_yield();` into the loop so that others get a turn"
        }
    }
}

/// Why a value is needed that was not chosen, and a remark about its place.
fn needed(program: &Program, name: &str, id: TypeId) -> (Reason, String) {
    let ty = program.types.name(id);
    // In C the variable may be one of ours, and the value an input.
    if program.types.dialect == Dialect::C {
        let reason = format!("a value of type `{ty}` may be any: too many to try each");
        return (
            Reason::new(Cause::Open(name.to_owned(), id), reason),
            "the value is needed here; `--nondet 0..3` tries few".to_owned(),
        );
    }
    if name.is_empty() {
        return (
            format!("a `*` may be any `{ty}`: too many values to try each").into(),
            "what is chosen here is needed; store it in a variable of a small type such as `0..7` first".to_owned(),
        );
    }
    let reason = format!("`{name}` may be any `{ty}`: too many values to try each");
    (
        Reason::new(Cause::Open(name.to_owned(), id), reason),
        format!(
            "`{name}` has no value here; assign one, or declare it with a small type such as `{name}: 0..7`"
        ),
    )
}

/// Why the machine refuses, and the message for the place where it happened.
pub(super) fn refusal_words(
    program: &Program,
    refusal: Refusal,
    limits: &Limits,
) -> (Reason, String) {
    let needed = |name: &str, id| needed(program, name, id);
    let plain = |a: &str, b: &str| (Reason::from(a), b.to_owned());
    let unheld = |a: &str, b: &str| (Reason::new(Cause::Unheld, a), b.to_owned());
    let endless = |a: &str, b: &str| (Reason::new(Cause::Endless, a), b.to_owned());
    match refusal.why {
        Why::TooLarge => unheld(
            "a number grows beyond 64 bits, which this engine does not hold",
            "the number is computed here",
        ),
        Why::Global(g) => {
            let global = &program.globals[g as usize];
            needed(&global.name, global.ty)
        }
        Why::Local(proc, local) => {
            let local = &program.procs[proc as usize].locals[local as usize];
            needed(&local.name, local.ty)
        }
        Why::Tree => unheld(
            "a map or large array was copied before its values were chosen",
            "it is copied here; give it a value first, such as `[0; _]`",
        ),
        Why::Guard => unheld(
            "a task waits for a condition on a value that was never chosen",
            "the condition is looked at here; give what it reads a value first",
        ),
        Why::Ways => plain(
            "a task has too many ways to go on from one place: `--strategy dpor` follows each",
            "they begin here; `--strategy stateful` may need less",
        ),
        Why::Endless if let Some(cut) = cut(program, refusal) => {
            (Reason::of_cut(cut), program.scope.told(cut))
        }
        Why::Endless => endless(limits::ENDLESS, still_running(program)),
        Why::Deep => endless(
            "calls nest without end",
            "the call that is too deep stands here",
        ),
        Why::Halted => (limited(Limit::Time, limits), WITHIN_A_STEP.to_owned()),
    }
}

pub(super) fn bounds(options: &ExploreOptions) -> Vec<NamedBound> {
    let copies = match options.scheduler {
        Scheduler::BoundedBag(copies) => Some(copies),
        _ => None,
    };
    let all = [
        options.delays.map(|n| NamedBound::Delays(Some(n))),
        options.preemptions.map(NamedBound::Preemptions),
        options.switches.map(NamedBound::Switches),
        Some(NamedBound::Scheduler(options.scheduler)),
        copies.map(NamedBound::Copies),
        Some(NamedBound::Strategy(options.strategy)),
        Some(NamedBound::MaxSteps(options.max_steps)),
        options.compact.map(NamedBound::Compact),
    ];
    all.into_iter().flatten().collect()
}

/// What leaves executions out, beside a budget.
pub(super) fn cut_by(options: &ExploreOptions, left_out: LeftOut, too_long: bool) -> Vec<CutBy> {
    let compact = options.compact.is_some() && options.strategy == Strategy::Stateful;
    let all = [
        (CutBy::Copies, left_out.contains(LeftOut::COPIES)),
        (CutBy::Compact, compact),
        (CutBy::Runs, sampled(options)),
        (CutBy::MaxSteps, too_long),
    ];
    let given = all.into_iter().filter_map(|(by, cuts)| cuts.then_some(by));
    given.collect()
}

/// The final values of the visible globals.
pub(super) fn finals(program: &Program, space: Space<'_>, found: &Found) -> BTreeSet<Vec<Value>> {
    // The set sorts what the table gives.
    #[allow(clippy::iter_over_hash_type, reason = "what is collected is sorted")]
    let all = found
        .finals
        .iter()
        .flat_map(|leaves| values::finals(program, space.shared, leaves));
    all.collect()
}

/// With fewer states the tables are mostly empty, and bytes per state mean nothing.
const MANY: u64 = 1 << 16;

#[allow(clippy::cast_precision_loss, reason = "figures for people")]
fn stats(counts: &Counts, time: Duration) -> Vec<Figure> {
    let mut stats = counts.figures(time);
    stats.extend(Figure::counts([(
        Counted::MemoryMib,
        Some(counts.memory >> 20),
    )]));
    if let Some(states) = counts.states.filter(|&n| n >= MANY) {
        let bytes = counts.stored as f64 / states as f64;
        stats.push(Figure::Real(Measured::BytesPerState, bytes));
    }
    stats
}
