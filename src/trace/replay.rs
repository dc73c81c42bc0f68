//! Runs exactly one execution, for a person to see.

use std::cell::Cell;

use crate::answer::Bug;
use crate::ir::{ChoiceKind, ErrorKind, Program, TypeId, Value};
use crate::options::Scheduler;
use crate::source::Span;

use super::interp::{Config, End, Env, Machine, Queue, Seen, Stop, Task};
use super::lasso::Lasso;
use super::state::Watch;
use super::{
    Decision, Ended, Happening, Schedule, Segment, Start, StepKind, Title, Trace, TraceStep, pair,
    race,
};

/// Takes choices from a schedule and writes the lines of a trace.
pub(super) struct Recorder<'a> {
    program: &'a Program,
    pub(super) decisions: &'a [Decision],
    /// The next decision.
    pub(super) next: usize,
    pub(super) round: u32,
    pub(super) steps: Vec<TraceStep>,
    pub(super) segments: Vec<Segment>,
    pub(super) starts: Vec<Start>,
    /// Whether the last segment ended at a `sleep`.
    slept: bool,
    /// How things stand after some step, if somebody wants to know.
    pub(super) watch: Option<Watch>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(program: &'a Program, decisions: &'a [Decision]) -> Self {
        Self {
            program,
            decisions,
            next: 0,
            round: 0,
            steps: Vec::new(),
            segments: Vec::new(),
            starts: Vec::new(),
            slept: false,
            watch: None,
        }
    }

    /// A line about what comes next, in the name of the task that is going to run.
    pub(super) fn announce(&mut self, happening: Happening, task: u32, proc: &str) {
        let mut step = TraceStep::new(task, proc, None, happening);
        step.round = self.round;
        self.steps.push(step);
    }

    /// A segment begins. That it fails is found to be true unless something else is said.
    pub(super) fn open(&mut self, task: u32, proc: &str) {
        self.segments.push(Segment {
            task,
            proc: proc.to_owned(),
            round: self.round,
            first: self.steps.len(),
            end: Ended::Failed,
        });
    }

    /// It has ended without failing.
    pub(super) fn close(&mut self, end: Ended) {
        let Some(segment) = self.segments.last_mut() else {
            return;
        };
        let last = self.steps[segment.first..].last();
        let yielded = last.is_some_and(|s| s.kind() == StepKind::Yields);
        segment.end = match end {
            Ended::Interrupted if yielded => Ended::Yielded,
            end => end,
        };
    }
}

impl Env for Recorder<'_> {
    fn choose(&mut self, _: TypeId, _: ChoiceKind) -> Result<Value, String> {
        match self.decisions.get(self.next) {
            Some(Decision::Choose(value)) => {
                self.next += 1;
                Ok(value.clone())
            }
            // A schedule that ends within a segment leaves the rest open.
            None => Ok(Value::Any),
            Some(_) => Err("the schedule has no value for this choice".into()),
        }
    }

    fn watching(&self) -> bool {
        true
    }

    fn slept(&mut self) {
        self.slept = true;
    }

    fn reached(&mut self, config: &Config<'_>, running: Option<(u32, &Task<'_>)>) {
        // Before the initial values there is nothing to see.
        if let Some(watch) = &mut self.watch
            && !self.starts.is_empty()
        {
            watch.reached(self.program, self.steps.len(), config, running);
        }
    }

    fn begun(&mut self, globals: &[Value]) {
        let types = &self.program.types;
        let all = self.program.globals.iter().zip(globals);
        let visible = all.filter(|(g, _)| !g.hidden);
        self.starts.push(Start {
            step: self.steps.len(),
            globals: visible
                .map(|(g, v)| (g.name.clone(), v.show(types, g.ty)))
                .collect(),
        });
    }

    fn saw(&mut self, seen: Seen) {
        // Of the initial values only those are news that were chosen.
        let chosen = matches!(seen.happening, Happening::Chosen { place: Some(_), .. });
        if seen.proc == self.program.init && !chosen {
            return;
        }
        self.steps.push(TraceStep {
            task: seen.task,
            proc: self.program.proc(seen.proc).name.clone(),
            round: self.round,
            span: (seen.span != Span::default()).then_some(seen.span),
            happening: seen.happening,
            changed: seen.changed,
            values: seen.values,
        });
    }
}

/// Runs a schedule; answers what happens and how it fails, if it does.
///
/// # Errors
/// When the schedule does not fit the program or the scheduler, in words.
pub fn replay(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
) -> Result<(Trace, Option<Bug>), String> {
    if let Some(at) = (schedule.decisions.iter()).position(|d| *d == Decision::Again) {
        return pair::replay(program, scheduler, schedule, at);
    }
    if let Some(&Decision::Race(number)) = schedule.decisions.last() {
        return race::replay(program, scheduler, schedule, number);
    }
    let recorder = Recorder::new(program, &schedule.decisions);
    let config = Config::new(program, scheduler);
    let mut machine = Machine::new(program, config, recorder);
    let outcome = run(&mut machine);
    let trace = Trace {
        steps: std::mem::take(&mut machine.env.steps),
        segments: std::mem::take(&mut machine.env.segments),
        starts: std::mem::take(&mut machine.env.starts),
        schedule: schedule.clone(),
        dialect: program.types.dialect,
    };
    let bug = match outcome {
        Ok(None) => None,
        Ok(Some((kind, message, span))) => Some((kind, message, span)),
        Err(Stop::Error(kind, message, span)) => Some((kind, message, Some(span))),
        Err(Stop::Dropped) => return Err("the execution is dropped: an assumption is false".into()),
        Err(Stop::Refused(reason, _)) => return Err(reason),
    };
    let bug = bug.map(|(kind, message, span)| Bug {
        kind,
        message,
        span,
        trace: trace.clone(),
    });
    Ok((trace, bug))
}

/// Whether the scheduler drops a task in an execution, as the bounded bag does where it has no room.
#[must_use]
pub fn loses_a_task(program: &Program, scheduler: Scheduler, schedule: &Schedule) -> bool {
    let recorder = Recorder::new(program, &schedule.decisions);
    let mut machine = Machine::new(program, Config::new(program, scheduler), recorder);
    // How it ends has been told with the trace.
    let _ = run(&mut machine);
    machine.lost
}

/// How an execution fails: in which way, in words, and where.
pub(super) type Failure = (ErrorKind, String, Option<Span>);

pub(super) fn refuse(reason: String) -> Stop {
    Stop::Refused(reason, Span::default())
}

fn run(machine: &mut Machine<'_, Recorder<'_>>) -> Result<Option<Failure>, Stop> {
    let mut end = start(machine)?;
    let mut lasso: Option<Lasso<'_>> = None;
    loop {
        machine.env.round += u32::from(machine.config.queue.settle());
        let decision = machine.env.decisions.get(machine.env.next).cloned();
        if machine.config.tasks.is_empty() {
            if end == End::Finished {
                machine.env.open(0, "finally");
                machine.finish()?;
                machine.env.close(Ended::Finished);
            }
            return surplus(machine).map_or(Ok(None), Err);
        }
        if let Some(deadlock) = deadlock(machine) {
            return surplus(machine).map_or(Ok(Some(deadlock)), Err);
        }
        machine.env.next += 1;
        if let Some(lasso) = &mut lasso {
            lasso.visit(machine)?;
        }
        end = match decision {
            None => return lasso.map_or(Ok(None), |l| judge(machine, &l).map(Some)),
            Some(Decision::Forever) if lasso.is_none() => {
                announce_loop(machine);
                lasso = Some(Lasso::begin(machine, machine.env.steps.len()));
                continue;
            }
            Some(Decision::Forever | Decision::Again) => {
                return Err(refuse("the schedule has two loops".into()));
            }
            Some(Decision::Race(_)) => {
                return Err(refuse("the schedule goes on after a race".into()));
            }
            Some(Decision::Choose(_)) => {
                return Err(refuse(
                    "the schedule chooses a value where a task is to be dispatched".into(),
                ));
            }
            Some(Decision::Dispatch(task)) => {
                machine.env.round += take(machine, task, "dispatches")?;
                if machine.blocked(task)? {
                    return Err(refuse(format!("task {task} is blocked when dispatched")));
                }
                machine.env.slept = false;
                let end = dispatch(machine, task)?;
                if let Some(lasso) = &mut lasso {
                    lasso.ran(task, machine.env.slept);
                }
                end
            }
            Some(Decision::Delay(task)) => {
                machine.env.round += put_off(machine, task)?;
                End::Suspended
            }
        };
    }
}

fn judge<'p>(machine: &Machine<'p, Recorder<'_>>, lasso: &Lasso<'p>) -> Result<Failure, Stop> {
    let steps = &machine.env.steps;
    (lasso.judge(machine.program, &machine.config, steps)).map_err(refuse)
}

/// Runs the first segment of `main`, after the initial values.
pub(super) fn start(machine: &mut Machine<'_, Recorder<'_>>) -> Result<End, Stop> {
    let main = &machine.program.proc(machine.program.main).name;
    machine.env.open(1, main);
    let end = machine.start()?;
    let ended = ended(machine, 1, end);
    machine.env.close(ended);
    Ok(end)
}

/// Runs a segment of a task that was taken.
pub(super) fn dispatch(machine: &mut Machine<'_, Recorder<'_>>, task: u32) -> Result<End, Stop> {
    let pending = machine.config.tasks.get(&task);
    let root = pending.and_then(|t| t.frames.first()).map(|f| f.proc);
    let name = root.map_or("", |p| &machine.program.proc(p).name);
    machine.env.open(task, name);
    let end = machine.dispatch(task)?;
    let ended = ended(machine, task, end);
    machine.env.close(ended);
    Ok(end)
}

/// How a segment ended that did not fail.
pub(super) fn ended<E: Env>(machine: &Machine<'_, E>, task: u32, end: End) -> Ended {
    let waits = |t: &Task<'_>| t.at.is_some();
    match end {
        End::Finished => Ended::Finished,
        End::Suspended if machine.config.tasks.get(&task).is_some_and(waits) => Ended::Waits {
            what: machine.waits_for(task),
            blocked: machine.known_blocked(task) != Some(false),
        },
        End::Suspended => Ended::Interrupted,
    }
}

/// Says that what follows repeats.
pub(super) fn announce_loop(machine: &mut Machine<'_, Recorder<'_>>) {
    let Some(Decision::Dispatch(task)) = machine.env.decisions.get(machine.env.next) else {
        return;
    };
    let name = proc_name(machine, *task).to_owned();
    let title = Happening::Title(Title::Forever);
    machine.env.announce(title, *task, &name);
}

/// The procedure that a pending task is in.
fn proc_name<'p>(machine: &Machine<'p, Recorder<'_>>, task: u32) -> &'p str {
    let pending = machine.config.tasks.get(&task);
    let proc = pending.and_then(|t| t.frames.last()).map(|f| f.proc);
    proc.map_or("", |p| &machine.program.proc(p).name)
}

fn surplus(machine: &Machine<'_, Recorder<'_>>) -> Option<Stop> {
    let left = machine.env.decisions.len().saturating_sub(machine.env.next);
    (left > 0).then(|| refuse(format!("the execution ends {left} decisions too early")))
}

/// Takes a task that the scheduler would run next; answers how many rounds ended because blocked tasks were passed over.
pub(super) fn take<E: Env>(
    machine: &mut Machine<'_, E>,
    task: u32,
    verb: &str,
) -> Result<u32, Stop> {
    let rounds = pass_over(machine)?;
    let takable = machine.config.queue.schedulable();
    if takable.contains(&task) {
        machine.config.queue.take(task);
        return Ok(rounds);
    }
    let why = if machine.config.tasks.contains_key(&task) {
        let first = takable.first().copied().unwrap_or_default();
        format!("but the scheduler would run task {first}")
    } else {
        "which is not pending".to_owned()
    };
    Err(refuse(format!("the schedule {verb} task {task}, {why}")))
}

/// Delays a task that the scheduler would run next; answers how many rounds ended before. Where a schedule was made, it may have
/// been open whether the task was blocked; if it turns out that it was, it is passed over, and that is all.
pub(super) fn put_off(machine: &mut Machine<'_, Recorder<'_>>, task: u32) -> Result<u32, Stop> {
    if machine.config.queue.next() == Some(task) && machine.known_blocked(task) == Some(true) {
        let once = Cell::new(true);
        return machine.config.queue.pass_over(|_| Ok(once.take()));
    }
    let rounds = take(machine, task, "delays")?;
    machine.config.queue.delay(task);
    delayed(machine, task);
    Ok(rounds)
}

/// Lets the scheduler pass over blocked tasks; answers how many rounds end with that.
pub(super) fn pass_over<E: Env>(machine: &mut Machine<'_, E>) -> Result<u32, Stop> {
    // Conditions look at the tasks, not at their order.
    let nothing = Queue::Bag(Vec::new());
    let mut queue = std::mem::replace(&mut machine.config.queue, nothing);
    // A task of which that cannot be told is not passed over: the schedule puts it off, or it runs and is refused.
    let rounds = queue.pass_over(|task| Ok(machine.known_blocked(task) == Some(true)));
    machine.config.queue = queue;
    rounds
}

pub(super) fn delayed(machine: &mut Machine<'_, Recorder<'_>>, task: u32) {
    let name = proc_name(machine, task).to_owned();
    machine.env.announce(Happening::Delayed, task, &name);
}

/// The deadlock, if every pending task is blocked. One of which that cannot be told may go on, for some value of what
/// was never chosen.
pub(super) fn deadlock<E: Env>(machine: &Machine<'_, E>) -> Option<Failure> {
    let mut tasks = machine.config.tasks.keys();
    if !tasks.all(|&task| machine.known_blocked(task) == Some(true)) {
        return None;
    }
    let waits: Vec<String> = machine
        .config
        .tasks
        .keys()
        .map(|&t| machine.waits(t))
        .collect();
    let places = machine.config.tasks.values().filter_map(|t| t.at);
    let span = places.map(|(_, span)| span).min();
    let message = format!("every pending task is blocked: {}", waits.join("; "));
    Some((ErrorKind::Deadlock, message, span))
}
