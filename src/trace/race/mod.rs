//! Data races: two accesses to the same part of a global, at least one a write, at least one that does not
//! synchronise, by two tasks between which nothing orders them, in an execution that really happens.
//!
//! Synchronising are accesses inside `atomic`, operations of objects, `await`, and any access to a global on which
//! some task's `await` depends. `cells` says what is accessed, `detector` what is ordered, `locks` who holds what.

mod cells;
mod detector;
mod locks;

use crate::answer::Bug;
use crate::ir::{ChoiceKind, ErrorKind, Program, TypeId, Value};
use crate::options::Scheduler;

use super::interp::{Config, End, Env, Machine, Seen, Stop, Touch};
use super::replay::{Recorder, ended, refuse, take};
use super::{Decision, Ended, Happening, Schedule, Trace, TraceStep};
pub(crate) use cells::{Act, Cells};
use detector::Side;
pub(crate) use detector::{Detector, Race};
use locks::Locks;

/// What runs along a schedule.
trait Follower: Env {
    /// Takes the next decision.
    fn decide(&mut self) -> Option<Decision>;

    /// A segment begins.
    fn opens(&mut self, _task: u32, _proc: &str) {}

    /// It has ended without failing.
    fn closes(&mut self, _end: Ended) {}
}

impl Follower for Recorder<'_> {
    fn decide(&mut self) -> Option<Decision> {
        let decision = self.decisions.get(self.next).cloned();
        self.next += usize::from(decision.is_some());
        decision
    }

    fn opens(&mut self, task: u32, proc: &str) {
        self.open(task, proc);
    }

    fn closes(&mut self, end: Ended) {
        self.close(end);
    }
}

/// Takes choices from a schedule and says nothing.
struct Silent<'a>(Recorder<'a>);

impl Env for Silent<'_> {
    fn choose(&mut self, ty: TypeId, kind: ChoiceKind) -> Result<Value, String> {
        self.0.choose(ty, kind)
    }

    fn saw(&mut self, _: Seen) {}
}

impl Follower for Silent<'_> {
    fn decide(&mut self) -> Option<Decision> {
        self.0.decide()
    }
}

/// Runs an execution that may fail in its last segment; tells what each segment touched, and the task's procedure.
fn follow<'p, E: Follower>(
    machine: &mut Machine<'p, E>,
    mut each: impl FnMut(u32, &'p str, Vec<Touch>),
) -> Result<(), Stop> {
    machine.take_down();
    let program = machine.program;
    machine.env.opens(1, &program.proc(program.main).name);
    let mut end = machine.start();
    tell(machine, 1, &end);
    each(1, &program.proc(program.main).name, machine.touches());
    loop {
        machine.config.queue.settle();
        let task = match (machine.env.decide(), end) {
            (None, Err(Stop::Error(..)) | Ok(_)) => return Ok(()),
            (_, Err(stop)) => return Err(stop),
            (Some(Decision::Dispatch(task)), _) => task,
            (Some(_), _) => {
                return Err(refuse("races are looked for without delays".into()));
            }
        };
        take(machine, task, "dispatches")?;
        if machine.blocked(task)? {
            return Err(refuse(format!("task {task} is blocked when dispatched")));
        }
        let frame = machine
            .config
            .tasks
            .get(&task)
            .and_then(|t| t.frames.first());
        let name = frame.map_or("", |f| &program.proc(f.proc).name);
        machine.env.opens(task, name);
        end = machine.dispatch(task);
        tell(machine, task, &end);
        each(task, name, machine.touches());
    }
}

fn tell<E: Follower>(machine: &mut Machine<'_, E>, task: u32, end: &Result<End, Stop>) {
    if let Ok(end) = end {
        let end = ended(machine, task, *end);
        machine.env.closes(end);
    }
}

fn words(stop: Stop) -> String {
    match stop {
        Stop::Error(_, message, _) => format!("the execution fails too early: {message}"),
        Stop::Dropped => "the execution is dropped: an assumption is false".to_owned(),
        Stop::Refused(reason, _) => reason,
    }
}

/// What each segment of an execution touches, that of `main` first.
///
/// # Errors
/// When the schedule does not fit, in words.
pub(crate) fn touches(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
) -> Result<Vec<Vec<Touch>>, String> {
    let env = Silent(Recorder::new(program, &schedule.decisions));
    let mut machine = Machine::new(program, Config::new(program, scheduler), env);
    let mut all = Vec::new();
    follow(&mut machine, |_, _, touches| all.push(touches)).map_err(words)?;
    Ok(all)
}

/// A segment as it was: the task, its procedure, and what it holds in the end.
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
    for side in [race.first, race.second] {
        steps.push(shown(&segments[side.segment as usize], side, &name));
    }
    let trace = Trace {
        steps,
        segments: std::mem::take(&mut machine.env.segments),
        starts: std::mem::take(&mut machine.env.starts),
        schedule: schedule.clone(),
        dialect: program.types.dialect,
    };
    let bug = Bug {
        kind: ErrorKind::Race,
        message: message(&segments, race, &name),
        span: Some(race.second.span),
        trace: trace.clone(),
    };
    Ok((trace, Some(bug)))
}

/// An access of the race as the last lines of the trace.
fn shown(ran: &Ran, side: Side, name: &str) -> TraceStep {
    let happening = Happening::Raced {
        what: name.to_owned(),
        write: side.write,
        held: ran.held.clone(),
    };
    TraceStep::new(side.task, &ran.proc, Some(side.span), happening)
}

/// What a task holds, in words.
pub(crate) fn holding(held: &[String]) -> String {
    if held.is_empty() {
        return "holding nothing".to_owned();
    }
    format!("holding {}", held.join(", "))
}

fn message(segments: &[Ran], race: Race, name: &str) -> String {
    let side = |side: Side| {
        let ran = &segments[side.segment as usize];
        let verb = if side.write { "written" } else { "read" };
        let held = holding(&ran.held);
        format!("{verb} by task {} ({}, {held})", ran.task, ran.proc)
    };
    let (first, second) = (side(race.first), side(race.second));
    format!("`{name}` is {first} and {second}, and nothing orders the two")
}
