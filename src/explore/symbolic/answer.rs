//! The answer in words: the verdict, its bounds, what was asked.

use std::time::{Duration, Instant};

use crate::answer::{
    Answer, Bug, Counted, CutBy, Engine, Figure, NamedBound, Note, Reason, Verdict,
};
use crate::explore::outcome::{self, limited, note};
use crate::explore::space::LeftOut;
use crate::explore::summary::{Schedules, bugs_in_words, summary};
use crate::explore::verdict::{bounds, cut_by};
use crate::ir::{ErrorKind, Program};
use crate::options::{ExploreOptions, Scheduler, Strategy};
use crate::semantics::limits;

use super::machine::Machine;
use super::search::{Last, Search, steps};
use super::witness::schedule;

/// How often a loop goes on on open conditions if nobody says how often.
const TURNS: u32 = 64;

/// So many ways of the second segment of a race are looked at.
const MOST_WAYS: u32 = 16;

/// What this search cannot be asked for, in words.
pub(crate) fn unsupported(options: &ExploreOptions) -> Option<&'static str> {
    let budgets =
        options.delays.is_some() || options.preemptions.is_some() || options.switches.is_some();
    if options.scheduler != Scheduler::Bag || budgets {
        return Some("open values are followed in all schedules only (--scheduler bag)");
    }
    if options.strategy != Strategy::Stateful && !options.races || options.compact.is_some() {
        return Some("open values are followed by --strategy stateful only");
    }
    if options.finals {
        return Some("final states with open values are not listed");
    }
    options
        .shard
        .map(|_| "open values are not followed in parts")
}

/// Looks at all schedules of a program, whatever its open values are.
pub(crate) fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    let begin = Instant::now();
    let turns = options.unroll.unwrap_or(TURNS);
    let machine = match Machine::new(program, options, turns) {
        Ok(machine) => machine,
        Err(reason) => return crate::explore::verdict::refused(options, reason),
    };
    let mut search = Search::new(machine, options);
    search.run();
    answer(program, options, &mut search, begin)
}

fn answer(
    program: &Program,
    options: &ExploreOptions,
    search: &mut Search<'_, '_>,
    begin: Instant,
) -> Answer {
    let (bugs, internal) = bugs(program, options, search);
    let found = &search.found;
    let (reason, place) = match internal {
        Some(reason) => (Some(reason.into()), None),
        None => reason(program, options, search),
    };
    let stopped = !options.all && !bugs.is_empty();
    let mut cut_by = cut_by(options, LeftOut::default(), found.too_long);
    cut_by.extend((!found.cuts.is_empty()).then_some(CutBy::Unroll));
    let whole = reason.is_none() && !stopped && cut_by.is_empty();
    let endless = whole && !found.dropped;
    let nothing = bugs.is_empty() && !found.ended && !endless;
    let reason = reason.or_else(|| nothing.then(Reason::nothing_ended));
    let verdict = match &reason {
        _ if !bugs.is_empty() => Verdict::Bug,
        Some(reason) => Verdict::Inconclusive(reason.clone()),
        None => Verdict::Safe,
    };
    let mut notes: Vec<Note> = place.into_iter().collect();
    notes.extend(outcome::more_bugs(&verdict, reason.as_ref()));
    if verdict == Verdict::Safe && !found.ended {
        let message = "every execution goes on for ever; no execution ends";
        notes.push(note(message.to_owned(), None));
    }
    let mut bounds = bounds(options);
    bounds.push(NamedBound::Terms);
    if !found.cuts.is_empty() {
        bounds.push(NamedBound::Unroll(Some(search.machine.turns)));
    }
    let summary = in_words(program, options, search, &verdict, &bugs);
    Answer {
        bounds,
        exhaustive: whole,
        cut_by,
        bugs,
        notes,
        stats: stats(search, begin.elapsed()),
        ..Answer::new(Engine::Explicit, verdict, summary)
    }
}

fn in_words(
    program: &Program,
    options: &ExploreOptions,
    search: &Search<'_, '_>,
    verdict: &Verdict,
    bugs: &[Bug],
) -> String {
    match verdict {
        Verdict::Bug => {
            let all = Schedules::Every(", for any values".to_owned());
            bugs_in_words(program, options, &all, bugs)
        }
        Verdict::Safe | Verdict::Proved => {
            let cut = if search.found.cuts.is_empty() {
                String::new()
            } else {
                format!(
                    ", up to {} turns of each loop whose condition is open",
                    search.machine.turns
                )
            };
            let races = if options.races {
                " and no data race"
            } else {
                ""
            };
            format!("no bug{races} in any schedule, for any values{cut}")
        }
        Verdict::Inconclusive(_) => summary(program, options, verdict, bugs, LeftOut::default()),
    }
}

/// The distinct bugs as replays of their schedules show them; or that one does not replay.
fn bugs(
    program: &Program,
    options: &ExploreOptions,
    search: &mut Search<'_, '_>,
) -> (Vec<Bug>, Option<String>) {
    let (mut bugs, mut problem) = (Vec::new(), None);
    let mut told: Vec<_> = (search.found.bugs.iter())
        .map(|(&(kind, _), &end)| (kind, end))
        .collect();
    told.sort_by_key(|&(kind, _)| kind.comes_last());
    for (kind, (state, last)) in told {
        if !options.all && !bugs.is_empty() {
            break;
        }
        let steps = match search.found.origins.is_empty() {
            true => Vec::new(),
            false => steps(&search.found.origins, state),
        };
        let mut shown = |last| {
            schedule(&mut search.machine, &steps, last).and_then(|schedule| {
                let shown = outcome::shown(program, options, &schedule);
                shown.map_err(|reason| limits::unshown("a counterexample", &reason))
            })
        };
        let shown = match last {
            Last::Race(both) => race(both, &mut shown),
            _ => shown(last),
        };
        match shown {
            Ok(bug) if bug.kind == kind => bugs.push(bug),
            Ok(bug) => {
                let reason = format!("{} is shown as {}", kind.name(), bug.kind.name());
                problem = Some(limits::unshown("a counterexample", &reason));
            }
            Err(reason) => problem = Some(reason),
        }
    }
    (bugs, problem)
}

/// A race: in one order or the other, where the second task may go another way after the first.
fn race(
    [first, second]: [(u32, u32); 2],
    shown: &mut impl FnMut(Last) -> Result<Bug, String>,
) -> Result<Bug, String> {
    let mut problem = None;
    for (first, second) in [(first, second), (second, first)] {
        for way in 0..MOST_WAYS {
            match shown(Last::Race([first, (second.0, way)])) {
                Ok(bug) if bug.kind == ErrorKind::Race => return Ok(bug),
                Ok(_) => {}
                Err(reason) => {
                    problem.get_or_insert(reason);
                }
            }
        }
    }
    Err(problem.map_or_else(
        || "two tasks may come to accesses that conflict; no execution shows a race".to_owned(),
        |problem| format!("whether there is a race was not settled: {problem}"),
    ))
}

/// Why nothing can be concluded from finding nothing, and where.
fn reason(
    program: &Program,
    options: &ExploreOptions,
    search: &Search<'_, '_>,
) -> (Option<Reason>, Option<Note>) {
    let found = &search.found;
    if let Some(limit) = found.limit {
        return (Some(limited(limit, &options.limits)), None);
    }
    if let Some((reason, span)) = &found.refusal {
        let place = note("it was met here".to_owned(), Some(*span));
        return (Some(reason.as_str().into()), Some(place));
    }
    if found.too_long {
        return (Some(outcome::too_long("an execution", options)), None);
    }
    match (found.cuts.first(), options.unroll) {
        (Some(&span), None) => {
            let turns = search.machine.turns;
            let what = if is_call(program, span) {
                "a recursion"
            } else {
                "a loop"
            };
            let reason = format!("{what} whose condition is open goes on more than {turns} times");
            let place = note("`--unroll N` settles it up to N".to_owned(), Some(span));
            (Some(reason.into()), Some(place))
        }
        _ => (None, None),
    }
}

/// Whether a place is that of a call.
fn is_call(program: &Program, span: crate::source::Span) -> bool {
    let call =
        |s: &crate::ir::Stmt| s.span == span && matches!(s.kind, crate::ir::StmtKind::Call(..));
    (program.procs.iter()).any(|p| crate::ir::walk::any(&p.body, call))
}

fn stats(search: &Search<'_, '_>, time: Duration) -> Vec<Figure> {
    let asked = search.machine.oracle.asked;
    let counts = Figure::counts([
        (Counted::States, Some(search.states())),
        (Counted::Transitions, Some(search.found.transitions)),
        (Counted::Depth, Some(search.found.depth)),
        (Counted::Questions, Some(asked.questions)),
        (Counted::Remembered, Some(asked.known)),
    ]);
    std::iter::once(Figure::seconds(time))
        .chain(counts)
        .collect()
}
