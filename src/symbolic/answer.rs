//! The answer in words: the verdict, its bounds, what was asked.

use std::time::Duration;

use answer::{Answer, Counted, CutBy, Figure, NamedBound, Note, Reason, Verdict};
use base::clock::Instant;
use explore::summary::{budgets, schedules};
use explore::vacuity;
use explore::{
    outcome,
    outcome::{Bugs, Outcome, limited, no_bug},
};
use ir::{ErrorKind, Program};
use machine::code::Landmark;
use machine::space::LeftOut;
use options::{ExploreOptions, Scheduler, Sought, Strategy};
use semantics::limits;
use trace::Bug;

use super::finals::Finals;
use super::follow::follow;
use super::machine::Machine;
use super::search::{Found, How, Last, Search, steps};
use super::witness::schedule;

/// How often a loop may go on while its condition is open, unless `--unroll` gives another number.
const TURNS: u32 = 64;

/// The most ways of the second segment that are tried to show a race.
const MOST_WAYS: u32 = 16;

/// Returns the reason why this search cannot answer a question with these options, if there is one.
pub fn unsupported(options: &ExploreOptions) -> Option<&'static str> {
    let needs_numbers = match options.sought {
        Sought::Failures | Sought::Races => None,
        Sought::Livelocks => {
            Some("values that are open are followed without --fair, which needs numbers")
        }
        Sought::Divergences => {
            Some("values that are open are followed without --divergence, which needs numbers")
        }
    };
    if needs_numbers.is_some() {
        return needs_numbers;
    }
    match options.strategy {
        Strategy::Stateful if options.compact.is_none() => {}
        Strategy::Dpor => {}
        Strategy::Stateful => return Some("open values are followed without --compact"),
        _ => return Some("open values are followed by --strategy stateful and dpor"),
    }
    match options.scheduler {
        Scheduler::BoundedBag(_) => {
            return Some(
                "with open values it is unknown which tasks are equal: use --scheduler bag",
            );
        }
        Scheduler::Bag => {}
        _ if options.shortest => {
            return Some("--shortest with open values needs --scheduler bag");
        }
        _ => {}
    }
    options
        .shard
        .map(|_| "open values are not followed in parts")
}

/// The findings of a search.
struct Seen<'p> {
    machine: Machine<'p>,
    found: Found<'p>,
    /// Whether states or executions were counted, and how many.
    counted: (Counted, u64),
    /// A map that grew until the search was ended.
    growing: Option<&'p str>,
    time: Duration,
}

/// Looks at all schedules of a program, whatever its open values are.
pub fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    let begin = Instant::now();
    let turns = options.unroll.unwrap_or(TURNS);
    let machine = match Machine::new(program, options, turns) {
        Ok(machine) => machine,
        Err(reason) => return explore::verdict::refused(options, reason),
    };
    let (machine, found, counted, growing) = if options.strategy == Strategy::Dpor {
        let (machine, followed) = follow(machine, options);
        (
            machine,
            followed.found,
            (Counted::Executions, followed.executions),
            None,
        )
    } else {
        let mut search = Search::new(machine, options);
        search.run();
        let search = search.again();
        let (states, growing) = (search.states(), search.growing());
        let counted = (Counted::States, states);
        (search.machine, search.found, counted, growing)
    };
    let mut seen = Seen {
        machine,
        found,
        counted,
        growing,
        time: begin.elapsed(),
    };
    answer(program, options, &mut seen)
}

fn answer(program: &Program, options: &ExploreOptions, seen: &mut Seen<'_>) -> Answer {
    let (list, internal) = bugs(program, options, seen);
    let bugs = Bugs { list, internal };
    let finals = finals(seen);
    let found = &seen.found;
    let (reason, place) = reason(program, options, seen);
    // An execution can go on for ever without a delay or a preemption, so only the bound on switches can stop it.
    let stops = found.stuck || found.left_out.contains(LeftOut::SWITCHES);
    let turns = NamedBound::Unroll(Some(seen.machine.turns));
    let cut = !found.cuts.is_empty();
    let within = cut.then(|| {
        let turns = seen.machine.turns;
        format!(", up to {turns} turns of each loop whose condition is open")
    });
    let outcome = Outcome {
        options,
        bugs,
        reason,
        left_out: found.left_out,
        too_long: found.too_long,
        cut_by: Vec::from_iter(cut.then_some(CutBy::Unroll)),
        ended: found.ended,
        endless: !stops && options.strategy == Strategy::Stateful,
        notes: Vec::from_iter(place),
        finals: finals.closed,
        stats: stats(seen),
        bounds: [Some(NamedBound::Terms), cut.then_some(turns)]
            .into_iter()
            .flatten()
            .collect(),
        none: no_bug(options),
        whose: schedules(options).and(", for any values"),
        within: within.unwrap_or_default(),
    };
    let mut answer = outcome.answer(program);
    let whole = answer.exhaustive;
    if answer.verdict == Verdict::Safe && whole && options.strategy == Strategy::Stateful {
        let bounded = budgets(options).is_some();
        let unreached = vacuity::unreached_by(program, |l| comes(seen, l), bounded);
        answer.notes.extend(unreached);
    }
    answer.open_finals = finals.open.into_iter().collect();
    answer.coverage = options.coverage.then(|| {
        let stopped = !options.all && !answer.bugs.is_empty();
        let looked = vacuity::looked(options, whole, stopped);
        vacuity::coverage_by(program, |l| comes(seen, l), looked)
    });
    answer
}

/// Whether an execution has come to a landmark.
fn comes(seen: &Seen<'_>, landmark: &Landmark) -> bool {
    let Landmark { what, span, proc } = *landmark;
    seen.machine.reached.contains(&(what, span, proc))
}

fn finals(seen: &mut Seen<'_>) -> Finals {
    let mut finals = Finals::default();
    for end in &seen.found.ends {
        finals.take(&mut seen.machine, end);
    }
    finals
}

/// Returns the distinct bugs as the replays of their schedules show them, and the reason if one does not replay.
fn bugs(
    program: &Program,
    options: &ExploreOptions,
    seen: &mut Seen<'_>,
) -> (Vec<Bug>, Option<String>) {
    let (mut bugs, mut problem) = (Vec::new(), None);
    let mut told: Vec<_> = (seen.found.bugs.iter())
        .map(|(&(kind, _), how)| (kind, how.clone()))
        .collect();
    told.sort_by_key(|&(kind, _)| kind.comes_last());
    for (kind, how) in told {
        if !options.all && !bugs.is_empty() {
            break;
        }
        let mut shown = |how: How| {
            let schedule = match how {
                How::After(state, last) => {
                    let steps = steps(&seen.found.origins, state);
                    schedule(&mut seen.machine, &steps, last)?
                }
                How::Known(schedule) => schedule?,
            };
            let shown = outcome::shown(program, options, &schedule);
            shown.map_err(|reason| limits::unshown("a counterexample", &reason))
        };
        let shown = match how {
            How::After(state, Last::Race(both)) => {
                race(both, &mut |last| shown(How::After(state, last)))
            }
            how => shown(how),
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

/// Shows a race: tries both orders and several ways of the second task, which may go another way after the first.
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

/// Returns why the absence of bugs settles nothing, if so, and a note with more about it.
fn reason(
    program: &Program,
    options: &ExploreOptions,
    seen: &Seen<'_>,
) -> (Option<Reason>, Option<Note>) {
    let found = &seen.found;
    // A question that ran out of time leaves a refusal: then the limit is the reason.
    let (halt, oracle) = (&seen.machine.halt, &seen.machine.oracle);
    let late = found.refusal.is_some() && (halt.now() || oracle.late);
    if let Some(limit) = found.limit.or(late.then(|| halt.which())) {
        let grows = seen.growing.map(|map| {
            let message = format!(
                "`{map}` is written at ever more keys that may be any: a program that does so for ever does not come back to where it was"
            );
            Note::new(message, None)
        });
        return (Some(limited(limit, &options.limits)), grows);
    }
    if let Some((reason, span)) = &found.refusal {
        let cut = program.scope.cut(*span);
        let here = match cut {
            Some(cut) => program.scope.told(cut),
            None => "it was met here".to_owned(),
        };
        let place = Note::new(here, Some(program.scope.told_at(*span)));
        let reason = cut.map_or_else(|| reason.as_str().into(), Reason::of_cut);
        return (Some(reason), Some(place));
    }
    if found.too_long {
        return (Some(outcome::too_long("an execution", options)), None);
    }
    match (found.cuts.first(), options.unroll) {
        (Some(&span), None) => {
            let turns = seen.machine.turns;
            let what = if is_call(program, span) {
                "a recursion"
            } else {
                "a loop"
            };
            let reason = format!("{what} whose condition is open goes on more than {turns} times");
            let place = Note::new("`--unroll N` settles it up to N", span);
            (Some(reason.into()), Some(place))
        }
        _ => (None, None),
    }
}

/// Whether a place is that of a call.
fn is_call(program: &Program, span: base::source::Span) -> bool {
    let call = |s: &ir::Stmt| s.span == span && matches!(s.kind, ir::StmtKind::Call(..));
    ir::walk::anywhere(program, call)
}

fn stats(seen: &Seen<'_>) -> Vec<Figure> {
    let asked = seen.machine.oracle.asked;
    let (what, number) = seen.counted;
    let counts = Figure::counts([
        (what, Some(number)),
        (Counted::Transitions, Some(seen.found.transitions)),
        (Counted::Depth, Some(seen.found.depth)),
        (Counted::Questions, Some(asked.questions)),
        (Counted::Remembered, Some(asked.known)),
        (Counted::PercentSaved, Some(asked.saved())),
    ]);
    std::iter::once(Figure::seconds(seen.time))
        .chain(counts)
        .collect()
}
