//! Runs exactly one execution, for a person to see.

use crate::Bug;
use base::source::Span;
use ir::{ChoiceKind, Dialect, ErrorKind, Program, Type, TypeId, Types, Value};
use options::Scheduler;

use super::gaps::Gaps;
use super::lasso::Lasso;
use super::stale::Touched;
use super::state::{Goal, Watch};
use super::{
    Change, Decision, Ended, Happening, Schedule, Segment, Start, StepKind, Title, Trace,
    TraceStep, pair, race, slice, stale, waits,
};
use semantics::{Config, End, Env, Failure, Machine, Seen, Stop, Task, refuse};

/// Takes choices from a schedule and writes the lines of a trace.
pub(super) struct Recorder<'a> {
    program: &'a Program,
    pub(super) decisions: &'a [Decision],
    pub(super) next: usize,
    pub(super) round: u32,
    pub(super) steps: Vec<TraceStep>,
    pub(super) segments: Vec<Segment>,
    pub(super) starts: Vec<Start>,
    /// By step: how many touches there were when the step was seen.
    touched: Vec<usize>,
    /// The changes inside of the library since the last step.
    unsaid: Vec<Change>,
    /// Whether the last segment ended at a `sleep`.
    slept: bool,
    /// Whether the caller does not want to see the lines.
    pub(super) silent: bool,
    /// Records the state after some step, if the caller asked for it.
    pub(super) watch: Option<Watch>,
    /// Looks for a statement, if the caller asked for it.
    pub(super) goal: Option<Goal<'a>>,
    pub(super) gaps: Gaps,
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
            touched: Vec::new(),
            unsaid: Vec::new(),
            slept: false,
            silent: false,
            watch: None,
            goal: None,
            gaps: Gaps::default(),
        }
    }

    /// Takes in later changes: keeps only the last value of each variable.
    fn renew(changed: &mut Vec<Change>, later: Vec<Change>) {
        for change in later {
            change.note_text(changed);
            match changed
                .iter_mut()
                .find(|c| c.name == change.name && c.proc == change.proc)
            {
                Some(known) => *known = change,
                None => changed.push(change),
            }
        }
    }

    /// A line about what comes next, in the name of the task that is going to run.
    pub(super) fn announce(&mut self, happening: Happening, task: u32, proc: &str) {
        let mut step = TraceStep::new(task, proc, None, happening);
        step.round = self.round;
        self.steps.push(step);
        self.touched.push(self.touched.last().copied().unwrap_or(0));
    }
}

/// Whether a value has the form of a type. The machine checks ranges.
fn is_of(types: &Types, ty: TypeId, value: &Value) -> bool {
    let all = |mut pairs: Vec<(TypeId, &Value)>| pairs.drain(..).all(|(t, v)| is_of(types, t, v));
    match (types.get(ty), value) {
        (_, Value::Any) | (Type::Bool, Value::Bool(_)) | (Type::Task, Value::Task(_)) => true,
        (Type::Record(record), Value::Record(fields)) => {
            let known = record.fields.iter().map(|(_, ty)| *ty);
            record.fields.len() == fields.len() && all(known.zip(fields).collect())
        }
        (&Type::Array(length, element), Value::Array(elements)) => {
            length as usize == elements.len()
                && all(elements.iter().map(|e| (element, e)).collect())
        }
        (&Type::Map(key, of), Value::Map(rest, entries)) => {
            let entries = entries.iter().flat_map(|(k, v)| [(key, k), (of, v)]);
            all(entries.chain([(of, &**rest)]).collect())
        }
        (Type::Int | Type::Range(..) | Type::Bits(_) | Type::Enum(_), Value::Int(_)) => true,
        _ => false,
    }
}

impl Env for Recorder<'_> {
    fn turn(&mut self, posted: u32) {
        let ends = self.gaps.turn(self.steps.len(), posted);
        if let Some(segment) = self.segments.last().filter(|_| ends) {
            let (task, proc) = (segment.task, segment.proc.clone());
            self.announce(Happening::Title(Title::Later), task, &proc);
        }
    }

    fn choose(&mut self, ty: TypeId, _: ChoiceKind) -> Result<Value, String> {
        self.gaps.end(self.steps.len());
        match self.decisions.get(self.next) {
            Some(Decision::Choose(value)) if is_of(&self.program.types, ty, value) => {
                self.next += 1;
                Ok(value.clone())
            }
            Some(Decision::Choose(_)) => {
                let ty = self.program.types.name(ty);
                Err(format!("the schedule chooses a value that is no {ty}"))
            }
            // A schedule that ends within a segment leaves the rest open.
            None => Ok(Value::Any),
            Some(_) => Err("the schedule has no value for this choice".into()),
        }
    }

    fn watching(&self) -> bool {
        !self.silent && self.gaps.records()
    }

    fn rounds_ended(&mut self, rounds: u32) {
        self.round += rounds;
    }

    /// A segment counts as failed until `closed` says how it ended.
    fn opened(&mut self, task: u32, proc: &str) {
        self.slept = false;
        self.gaps.end(self.steps.len());
        self.segments.push(Segment {
            task,
            proc: proc.to_owned(),
            round: self.round,
            first: self.steps.len(),
            end: Ended::Failed,
        });
    }

    fn closed(&mut self, end: Ended) {
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

    fn delayed(&mut self, task: u32, proc: &str) {
        self.announce(Happening::Delayed, task, proc);
    }

    fn slept(&mut self) {
        self.slept = true;
    }

    fn reached(&mut self, config: &Config<'_>, running: Option<(u32, &Task<'_>)>) {
        // Before the initial values there is nothing to see.
        if self.starts.is_empty() {
            return;
        }
        if let Some(watch) = &mut self.watch {
            watch.reached(self.program, self.steps.len(), config, running);
        }
        if let (Some(goal), Some((_, task))) = (&mut self.goal, running) {
            goal.reached(self.steps.len(), task);
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

    fn saw(&mut self, mut seen: Seen) {
        // Initial values are shown only where they are chosen.
        let chosen = matches!(seen.happening, Happening::Chosen { place: Some(_), .. });
        if seen.proc == self.program.init && !chosen {
            return;
        }
        // A step without a place is bookkeeping of the front end.
        let chosen_or_read = chosen
            || matches!(
                seen.happening,
                Happening::Read { .. } | Happening::Chosen { .. }
            );
        if seen.span == Span::default()
            && chosen_or_read
            && self.program.types.dialect == Dialect::C
        {
            return;
        }
        let call = match seen.happening {
            Happening::Assigned { .. } | Happening::Read { .. } | Happening::Tested { .. } => {
                self.program.quotes.call(seen.span)
            }
            _ => None,
        };
        if seen.inside || call.is_some() {
            let first = self.segments.last().map_or(0, |segment| segment.first);
            let own = self.steps[first..].last_mut();
            let own = own.filter(|step| step.task == seen.task && step.span.is_some());
            let same = |step: &&mut TraceStep| call.is_none() || step.span == Some(seen.span);
            match (own.filter(same), call) {
                (Some(step), _) => {
                    Self::renew(&mut step.changed, seen.changed);
                    // What the library touches belongs to the step that called it.
                    if let Some(touched) = self.touched.last_mut() {
                        *touched = seen.touched;
                    }
                    if let Some(watch) = &mut self.watch {
                        watch.renew(self.steps.len());
                    }
                }
                (None, None) => Self::renew(&mut self.unsaid, seen.changed),
                (None, Some(operation)) if !seen.changed.is_empty() => {
                    seen.happening = Happening::Operated {
                        operation,
                        enqueue: false,
                    };
                    self.take_down(seen);
                }
                (None, Some(_)) => {}
            }
            return;
        }
        self.take_down(seen);
    }
}

impl Recorder<'_> {
    fn take_down(&mut self, seen: Seen) {
        let mut changed = std::mem::take(&mut self.unsaid);
        Self::renew(&mut changed, seen.changed);
        self.steps.push(TraceStep {
            task: seen.task,
            proc: self.program.proc(seen.proc).name.clone(),
            round: self.round,
            span: (seen.span != Span::default()).then_some(seen.span),
            happening: seen.happening,
            changed,
            values: seen.values,
            stale: None,
            aside: false,
        });
        self.touched.push(seen.touched);
    }
}

/// Runs a schedule. Returns the trace, and the bug if the execution fails.
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
    let (mut machine, outcome) = recorded(program, scheduler, schedule, sought(schedule));
    let initial = machine.initially_touched();
    let touches = machine.touches();
    let until = std::mem::take(&mut machine.env.touched);
    let touched = Touched {
        until: &until,
        all: &touches,
        initial,
    };
    stale::mark(program, &mut machine.env.steps, touched);
    slice::mark(program, &mut machine.env.steps, &touches);
    let deadlocked = matches!(&outcome, Ok(Some((ErrorKind::Deadlock, ..))));
    let steps = std::mem::take(&mut machine.env.steps);
    let waiting = match deadlocked {
        true => waits::of(program, &mut machine, &steps, touched),
        false => Vec::new(),
    };
    let trace = Trace {
        steps,
        segments: std::mem::take(&mut machine.env.segments),
        starts: std::mem::take(&mut machine.env.starts),
        waiting,
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

/// How many statements a segment of an execution may have that a search has found: more than the searches follow.
const LONGEST: u64 = 2_000_000_000;

/// Looks for gaps, except where the steps of an execution are compared with each other.
fn sought(schedule: &Schedule) -> Gaps {
    let judged = |d: &Decision| {
        matches!(
            d,
            Decision::Dispatch(_) | Decision::Delay(_) | Decision::Choose(_)
        )
    };
    match schedule.decisions.iter().all(judged) {
        true => Gaps::sought(),
        false => Gaps::default(),
    }
}

/// Runs a schedule, and a second time if gaps are found.
fn recorded<'p>(
    program: &'p Program,
    scheduler: Scheduler,
    schedule: &'p Schedule,
    gaps: Gaps,
) -> (Machine<'p, Recorder<'p>>, Result<Option<Failure>, Stop>) {
    let mut machine = with_gaps(program, scheduler, &schedule.decisions, gaps);
    machine.record_touches();
    let outcome = run(&mut machine);
    match machine.env.gaps.again() {
        Some(gaps) => {
            // Its steps take much memory.
            drop(machine);
            recorded(program, scheduler, schedule, gaps)
        }
        None => (machine, outcome),
    }
}

/// A machine that records an execution with the gaps of its trace.
pub(super) fn with_gaps<'p>(
    program: &'p Program,
    scheduler: Scheduler,
    decisions: &'p [Decision],
    gaps: Gaps,
) -> Machine<'p, Recorder<'p>> {
    let mut recorder = Recorder::new(program, decisions);
    recorder.gaps = gaps;
    let mut machine = Machine::new(program, Config::new(program, scheduler), recorder);
    machine.longest = LONGEST;
    machine
}

/// The gaps of an execution's trace.
pub(super) fn gaps(program: &Program, scheduler: Scheduler, schedule: &Schedule) -> Gaps {
    let mut machine = with_gaps(program, scheduler, &schedule.decisions, sought(schedule));
    // The trace has already said how the execution ends.
    let _ = run(&mut machine);
    machine.env.gaps.again().unwrap_or_default()
}

/// Whether the scheduler drops a task in an execution, as the bounded bag does where it has no room.
#[must_use]
pub fn loses_a_task(program: &Program, scheduler: Scheduler, schedule: &Schedule) -> bool {
    let recorder = Recorder::new(program, &schedule.decisions);
    let mut machine = Machine::new(program, Config::new(program, scheduler), recorder);
    // The trace has already said how the execution ends.
    let _ = run(&mut machine);
    machine.lost
}

fn run(machine: &mut Machine<'_, Recorder<'_>>) -> Result<Option<Failure>, Stop> {
    let mut end = machine.start()?;
    let mut lasso: Option<Lasso<'_>> = None;
    loop {
        machine.visit();
        let decision = machine.env.decisions.get(machine.env.next).cloned();
        if machine.config.tasks.is_empty() {
            if end == End::Finished {
                machine.finish()?;
            }
            return surplus(machine).map_or(Ok(None), Err);
        }
        if let Some(deadlock) = machine.deadlock()? {
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
                let end = machine.turn(task)?;
                if let Some(lasso) = &mut lasso {
                    lasso.ran(task, machine.env.slept);
                }
                end
            }
            Some(Decision::Delay(task)) => {
                machine.put_off(task)?;
                End::Suspended
            }
        };
    }
}

fn judge<'p>(machine: &Machine<'p, Recorder<'_>>, lasso: &Lasso<'p>) -> Result<Failure, Stop> {
    let steps = &machine.env.steps;
    (lasso.judge(machine.program, &machine.config, steps)).map_err(refuse)
}

/// Adds a title that says that the following steps repeat.
pub(super) fn announce_loop(machine: &mut Machine<'_, Recorder<'_>>) {
    let Some(Decision::Dispatch(task)) = machine.env.decisions.get(machine.env.next) else {
        return;
    };
    let name = machine.proc_name(*task);
    let title = Happening::Title(Title::Forever);
    machine.env.announce(title, *task, name);
}

fn surplus(machine: &Machine<'_, Recorder<'_>>) -> Option<Stop> {
    let left = machine.env.decisions.len().saturating_sub(machine.env.next);
    (left > 0).then(|| refuse(format!("the execution ends {left} decisions too early")))
}
