//! The state after a step of a trace: the values of all variables, and where each task is.
//!
//! Steps do not keep values, because there may be thousands of both. The machine runs up to the step once more.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::{Program, Stmt, StmtKind, Type, TypeId, Types, Value};
use options::Scheduler;

use super::pair::TITLES;
use super::replay::{Recorder, announce_loop, gaps, with_gaps};
use super::{Decision, Happening, Schedule, Title};
use semantics::{Config, Control, Frame, Machine, Stop, Task};

/// A variable with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub ty: TypeId,
    pub value: Value,
}

/// An activation of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    pub proc: String,
    /// The statement that it runs next; for a caller, the one behind the call. `None` at the end.
    pub next: Option<Span>,
    /// The locals that the user wrote.
    pub locals: Vec<Variable>,
}

/// A task that has not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskState {
    pub number: u32,
    /// Its activations, the innermost last.
    pub activations: Vec<Activation>,
    pub running: bool,
    /// Whether it stands at an `await`, a `join` or an operation.
    pub waiting: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The globals that the user wrote, and the state of objects.
    pub globals: Vec<Variable>,
    /// The tasks, by number.
    pub tasks: Vec<TaskState>,
}

impl Variable {
    /// Shows a part of the value. `path` is the text behind the name, such as `[2].done`.
    #[must_use]
    pub fn part(&self, program: &Program, path: &str) -> Option<String> {
        let (mut ty, mut value, mut path) = (self.ty, self.value.clone(), path.trim());
        while !path.is_empty() {
            (ty, value, path) = step_into(program, ty, &value, path)?;
        }
        Some(value.show(&program.types, ty))
    }
}

/// One step of a path into a value, and what is left of the path.
fn step_into<'t>(
    program: &Program,
    ty: TypeId,
    value: &Value,
    path: &'t str,
) -> Option<(TypeId, Value, &'t str)> {
    if let Some(rest) = path.strip_prefix('.') {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let (Type::Record(record), Value::Record(parts)) = (program.types.get(ty), value) else {
            return None;
        };
        let index = record.fields.iter().position(|(n, _)| n == name.trim())?;
        return Some((record.fields[index].1, parts.get(index)?.clone(), rest));
    }
    let (key, rest) = path.strip_prefix('[')?.split_once(']')?;
    let key = key.trim();
    match (program.types.get(ty), value) {
        (Type::Array(_, inner), Value::Array(parts)) => {
            let part = parts.get(key.parse::<usize>().ok()?)?;
            Some((*inner, part.clone(), rest))
        }
        (Type::Map(key_type, inner), Value::Map(other, entries)) => {
            let key = key_of(&program.types, *key_type, key)?;
            let known = entries.iter().find(|(k, _)| *k == key);
            let part = known.map_or(&**other, |(_, v)| v);
            Some((*inner, part.clone(), rest))
        }
        _ => None,
    }
}

/// The key of a map that a person writes, with or without blanks.
fn key_of(types: &Types, ty: TypeId, text: &str) -> Option<Value> {
    match types.get(ty) {
        Type::Bool => text.parse().ok().map(Value::Bool),
        Type::Int | Type::Range(..) | Type::Bits(_) => {
            let number = text.parse().ok()?;
            let fits = |(low, high)| (low..=high).contains(&number);
            types
                .bounds(ty)
                .is_none_or(fits)
                .then_some(Value::Int(number))
        }
        Type::Enum(own) => {
            let at = own.members.iter().position(|member| member == text)?;
            Some(Value::Int(i128::try_from(at).ok()?))
        }
        Type::Task if text.replace(' ', "") == "notask" => Some(Value::Task(None)),
        Type::Task => {
            let number = text.strip_prefix("task")?.trim().parse().ok()?;
            Some(Value::Task(Some(number)))
        }
        Type::Record(_) | Type::Array(..) | Type::Map(..) => None,
    }
}

/// Returns the state as soon as `steps` steps of the trace are done. If these are all steps: the state at the end.
#[must_use]
pub fn state_at(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
    (steps, all): (usize, usize),
) -> State {
    let gaps = gaps(program, scheduler, schedule);
    let follow = |decisions: &[Decision], title: Option<Title>, steps: usize, all: usize| {
        let last = steps == all;
        let watch = Watch {
            steps,
            last,
            state: None,
            acting: None,
        };
        let machine = with_gaps(program, scheduler, decisions, gaps.clone());
        follow(machine, title, watch)
    };
    let mut executions = schedule.decisions.split(|d| *d == Decision::Again);
    let (one, other) = (executions.next().unwrap_or_default(), executions.next());
    let titles = other.map(|_| TITLES);
    let (state, seen) = follow(one, titles.map(|t| t.0), steps, all);
    match other {
        Some(other) if steps > seen => follow(other, Some(TITLES.1), steps - seen, all - seen).0,
        _ => state,
    }
}

/// Returns the acting task after each of the first `steps` steps of one execution; `None` where it is not known.
#[must_use]
pub fn activations(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
    steps: usize,
) -> Vec<Option<TaskState>> {
    let watch = Watch {
        steps,
        last: true,
        state: None,
        acting: Some(Vec::new()),
    };
    let gaps = gaps(program, scheduler, schedule);
    let mut machine = with_gaps(program, scheduler, &schedule.decisions, gaps);
    machine.env.watch = Some(watch);
    // The trace has already said why the execution ends.
    let _ = run(&mut machine);
    let mut acting = machine
        .env
        .watch
        .take()
        .and_then(|watch| watch.acting)
        .unwrap_or_default();
    // Drops the entry that comes before the first step.
    acting.drain(..acting.len().min(1));
    acting.resize(steps, None);
    acting
}

/// The state, and how many steps the execution has.
fn follow(
    mut machine: Machine<'_, Recorder<'_>>,
    title: Option<Title>,
    watch: Watch,
) -> (State, usize) {
    machine.env.watch = Some(watch);
    if let Some(title) = title {
        machine.env.announce(Happening::Title(title), 1, "");
    }
    // The trace has already said why the execution ends.
    let _ = run(&mut machine);
    let taken = machine.env.watch.take().and_then(|watch| watch.state);
    let state = taken.unwrap_or_else(|| state(machine.program, &machine.config, None));
    (state, machine.env.steps.len())
}

/// Returns how many steps an execution has done when it first comes to such a statement.
#[must_use]
pub fn steps_before(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
    is_there: &dyn Fn(Span) -> bool,
) -> Option<usize> {
    let gaps = gaps(program, scheduler, schedule);
    let mut machine = with_gaps(program, scheduler, &schedule.decisions, gaps);
    machine.env.goal = Some(Goal {
        is_there,
        steps: None,
    });
    // The trace has already said why the execution ends.
    let _ = run(&mut machine);
    machine.env.goal.take()?.steps
}

fn run(machine: &mut Machine<'_, Recorder<'_>>) -> Result<(), Stop> {
    machine.start()?;
    while let Some(decision) = machine.env.decisions.get(machine.env.next) {
        machine.visit();
        machine.env.next += 1;
        match *decision {
            Decision::Dispatch(task) => {
                machine.turn(task)?;
            }
            Decision::Delay(task) => {
                machine.put_off(task)?;
            }
            Decision::Forever => announce_loop(machine),
            Decision::Choose(_) | Decision::Again | Decision::Race(_) => return Ok(()),
        }
    }
    if machine.config.tasks.is_empty() {
        machine.finish()?;
    }
    Ok(())
}

/// Waits for a statement.
pub(super) struct Goal<'a> {
    is_there: &'a dyn Fn(Span) -> bool,
    /// How many steps were done when it came.
    steps: Option<usize>,
}

impl Goal<'_> {
    /// Looks at the statement that a task runs next.
    pub fn reached(&mut self, steps: usize, task: &Task<'_>) {
        let control = task.frames.last().and_then(|frame| frame.control.last());
        if let (None, Some(Control::Block(block, next))) = (self.steps, control)
            && block
                .get(*next)
                .is_some_and(|stmt| (self.is_there)(stmt.span))
        {
            self.steps = Some(steps);
        }
    }
}

/// Keeps the state after some step.
pub(super) struct Watch {
    /// After how many steps the state is wanted.
    steps: usize,
    /// Whether these are all steps. Then the last state is wanted.
    last: bool,
    /// The state after them.
    state: Option<State>,
    /// The acting task by the number of steps that are done, if the caller asked for it.
    acting: Option<Vec<Option<TaskState>>>,
}

impl Watch {
    /// The last of so many steps goes on: what was seen after it is too early.
    pub fn renew(&mut self, steps: usize) {
        if self.steps == steps {
            self.state = None;
        }
        if let Some(acting) = &mut self.acting {
            acting.truncate(steps);
        }
    }

    /// Takes the configuration after that many steps.
    pub fn reached(
        &mut self,
        program: &Program,
        steps: usize,
        config: &Config<'_>,
        running: Option<(u32, &Task<'_>)>,
    ) {
        if let (Some(acting), Some((number, task))) = (&mut self.acting, running) {
            acting.resize(acting.len().max(steps + 1), None);
            if acting[steps].is_none() && !task.frames.is_empty() {
                acting[steps] = Some(task_state(program, number, task, true));
            }
        }
        let wanted = self.acting.is_none() && steps >= self.steps;
        if wanted && (self.last || self.state.is_none()) {
            self.state = Some(state(program, config, running));
        }
    }
}

/// Returns the state between two steps.
#[must_use]
pub fn standing(program: &Program, config: &Config<'_>) -> State {
    state(program, config, None)
}

fn state(program: &Program, config: &Config<'_>, running: Option<(u32, &Task<'_>)>) -> State {
    let globals = program.globals.iter().zip(&config.globals);
    let globals = globals.filter(|(g, _)| !g.hidden).map(|(g, v)| Variable {
        name: g.name.clone(),
        ty: g.ty,
        value: v.clone(),
    });
    let pending = config.tasks.iter().map(|(&n, t)| (n, t, false));
    let running = running.map(|(n, t)| (n, t, true));
    let mut tasks: Vec<TaskState> = pending
        .chain(running)
        .filter(|(_, t, _)| !t.frames.is_empty())
        .map(|(n, t, runs)| task_state(program, n, t, runs))
        .collect();
    tasks.sort_by_key(|t| t.number);
    State {
        globals: globals.collect(),
        tasks,
    }
}

fn task_state(program: &Program, number: u32, task: &Task<'_>, running: bool) -> TaskState {
    let mut activations: Vec<Activation> =
        (task.frames.iter().map(|f| activation(program, f))).collect();
    if let (Some((_, span)), Some(top)) = (task.at, activations.last_mut()) {
        top.next = Some(span);
    }
    TaskState {
        number,
        activations,
        running,
        waiting: task.at.is_some(),
    }
}

fn activation(program: &Program, frame: &Frame<'_>) -> Activation {
    let proc = program.proc(frame.proc);
    let mut locals: Vec<Variable> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for (local, value) in proc.locals.iter().zip(&frame.locals) {
        if local.hidden {
            continue;
        }
        let variable = Variable {
            name: local.name.to_string(),
            ty: local.ty,
            value: value.clone(),
        };
        // If several locals have one name, the innermost one with a value is shown.
        match places.entry(&local.name) {
            Entry::Occupied(outer) if *value != Value::Any => locals[*outer.get()] = variable,
            Entry::Occupied(_) => {}
            Entry::Vacant(place) => {
                place.insert(locals.len());
                locals.push(variable);
            }
        }
    }
    Activation {
        proc: proc.name.clone(),
        next: next(program, frame),
        locals,
    }
}

/// The next statement of an activation. Invariants are no statements of a task.
fn next(program: &Program, frame: &Frame<'_>) -> Option<Span> {
    let own =
        |s: &&Stmt| !(matches!(s.kind, StmtKind::Check(..)) && program.scope.is_invariant(s.span));
    frame
        .control
        .iter()
        .rev()
        .find_map(|control| match control {
            Control::Block(block, next) => block.iter().skip(*next).find(own).map(|s| s.span),
            Control::Loop(l, _) => {
                let mut all = l.pre.iter().chain(&l.body);
                all.find(own).map(|s| s.span)
            }
        })
}
