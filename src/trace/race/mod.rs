//! Data races: two tasks access the same part of a global in a real execution, and nothing orders the two accesses.
//! At least one of them is a write, and at least one does not synchronise.
//!
//! These accesses synchronise: inside `atomic`, in operations of objects, in `await`, and to a part of a global on which some
//! task's `await` depends. `cells` says what is accessed, `detector` what is ordered, `locks` which task holds what.

mod cells;
mod detector;
mod locks;

use crate::Bug;
use base::source::Span;
use ir::{Dialect, ErrorKind, MemoryOrder, Program};
use options::Scheduler;

use super::replay::Recorder;
use super::{Decision, Happening, Schedule, Trace, TraceStep};
pub use cells::{Act, Cells};
use detector::Side;
pub use detector::{Detector, Race, Weak};
use locks::Locks;
use semantics::{Config, Machine, Stop, Touch, refuse};

/// Two accesses that nothing orders and that are not both `seq_cst`: their places, the memory orders of atomic operations, and
/// what they access. A data race counts as one only if its execution is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakRace {
    pub first: (Span, Option<MemoryOrder>),
    pub second: (Span, Option<MemoryOrder>),
    pub what: String,
}

/// Runs an execution that may fail in its last segment. Calls `each` with the task, procedure and touches of each segment.
fn follow<'p>(
    machine: &mut Machine<'p, Recorder<'_>>,
    mut each: impl FnMut(u32, &'p str, Vec<Touch>),
) -> Result<(), Stop> {
    machine.record_touches();
    let program = machine.program;
    let mut end = machine.start();
    each(1, &program.proc(program.main).name, machine.touches());
    loop {
        machine.visit();
        let decision = machine.env.decisions.get(machine.env.next);
        let task = match (decision, end) {
            (None, Err(Stop::Error(..)) | Ok(_)) => return Ok(()),
            (_, Err(stop)) => return Err(stop),
            (Some(Decision::Dispatch(task)), _) => *task,
            (Some(_), _) => {
                return Err(refuse("races are looked for without delays".into()));
            }
        };
        machine.env.next += 1;
        let pending = machine.config.tasks.get(&task);
        let root = pending.and_then(|t| t.frames.first());
        let name = root.map_or("", |f| &program.proc(f.proc).name);
        end = machine.turn(task);
        each(task, name, machine.touches());
    }
}

fn words(stop: Stop) -> String {
    match stop {
        Stop::Error(_, message, _) => format!("the execution fails too early: {message}"),
        Stop::Dropped => "the execution is dropped: an assumption is false".to_owned(),
        Stop::Refused(reason, _) => reason,
    }
}

/// The touches of each segment of an execution, from that of `main` on. The execution may be dropped in its last segment.
///
/// # Errors
/// When the schedule does not fit, in words.
pub fn touches(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
) -> Result<Vec<Vec<Touch>>, String> {
    let mut env = Recorder::new(program, &schedule.decisions);
    env.silent = true;
    let mut machine = Machine::new(program, Config::new(program, scheduler), env);
    let mut all = Vec::new();
    match follow(&mut machine, |_, _, touches| all.push(touches)) {
        Ok(()) | Err(Stop::Dropped) => Ok(all),
        Err(stop) => Err(words(stop)),
    }
}

/// The beginning of an execution up to its first data race, as a schedule that shows this race.
#[must_use]
pub fn first(program: &Program, schedule: &Schedule) -> Option<Schedule> {
    let segments = touches(program, Scheduler::Bag, schedule).ok()?;
    let (mut cells, mut detector) = (Cells::new(program), Detector::default());
    detector.begin();
    let mut races = Vec::new();
    // `main` begins without a decision.
    let tasks = schedule.decisions.iter().filter_map(|d| match d {
        Decision::Dispatch(task) => Some(*task),
        _ => None,
    });
    let raced = std::iter::once(1)
        .chain(tasks)
        .zip(&segments)
        .position(|(task, touches)| {
            let acts = cells.acts(touches);
            detector.segment(&cells, task, &acts, &mut races);
            !races.is_empty()
        })?;
    let mut decisions = schedule.decisions.clone();
    let mut begins =
        (decisions.iter().enumerate()).filter(|(_, d)| matches!(d, Decision::Dispatch(_)));
    if let Some((next, _)) = begins.nth(raced) {
        decisions.truncate(next);
    }
    decisions.push(Decision::Race(0));
    Some(Schedule { decisions })
}

/// A segment that has run: its task, the procedure, and what the task holds at the end.
struct Ran {
    task: u32,
    proc: String,
    held: Vec<String>,
}

/// Replays an execution whose last segment completes races; shows the one with that number.
pub(super) fn replay(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
    number: u32,
) -> Result<(Trace, Option<Bug>), String> {
    let decisions = &schedule.decisions[..schedule.decisions.len() - 1];
    let recorder = Recorder::new(program, decisions);
    let mut machine = Machine::new(program, Config::new(program, scheduler), recorder);
    let (mut cells, mut detector, mut locks) =
        (Cells::new(program), Detector::default(), Locks::default());
    let (mut segments, mut races) = (Vec::new(), Vec::new());
    detector.begin();
    follow(&mut machine, |task, proc, touches| {
        locks.ran(program, task, &touches);
        let acts = cells.acts(&touches);
        detector.segment(&cells, task, &acts, &mut races);
        segments.push(Ran {
            task,
            proc: proc.to_owned(),
            held: locks.held(task),
        });
    })
    .map_err(words)?;
    let race = races.get(number as usize).copied();
    let race = race.ok_or("the last step of the schedule completes no such race")?;
    let mut steps = std::mem::take(&mut machine.env.steps);
    let name = cells.name(program, race.cell);
    let frees = cells.frees(race.cell).is_some();
    for side in [race.first, race.second] {
        steps.push(shown(&segments[side.segment as usize], side, frees, &name));
    }
    let trace = Trace {
        steps,
        segments: std::mem::take(&mut machine.env.segments),
        starts: std::mem::take(&mut machine.env.starts),
        waiting: Vec::new(),
        schedule: schedule.clone(),
        dialect: program.types.dialect,
    };
    let bug = Bug {
        kind: ErrorKind::Race,
        message: message(program.types.dialect, &segments, (race, frees), &name),
        span: Some(race.second.span),
        trace: trace.clone(),
    };
    Ok((trace, Some(bug)))
}

/// Writes an access of the race as a line for the end of the trace.
fn shown(ran: &Ran, side: Side, frees: bool, name: &str) -> TraceStep {
    let happening = Happening::Raced {
        what: name.to_owned(),
        write: side.write,
        frees,
        held: ran.held.clone(),
    };
    TraceStep::new(side.task, &ran.proc, Some(side.span), happening)
}

/// The objects that a task holds, in words.
pub fn holding(held: &[String]) -> String {
    if held.is_empty() {
        return "holding nothing".to_owned();
    }
    format!("holding {}", held.join(", "))
}

fn message(dialect: Dialect, segments: &[Ran], (race, frees): (Race, bool), name: &str) -> String {
    let side = |side: Side| {
        let ran = &segments[side.segment as usize];
        let verb = match (frees, side.write) {
            (true, true) => "freed",
            (true, false) => "accessed",
            (false, true) => "written",
            (false, false) => "read",
        };
        let held = match dialect {
            Dialect::Async => format!(", {}", holding(&ran.held)),
            Dialect::C => String::new(),
        };
        format!("{verb} by task {} ({}{held})", ran.task, ran.proc)
    };
    let (first, second) = (side(race.first), side(race.second));
    format!("`{name}` is {first} and {second}, and nothing orders the two")
}
