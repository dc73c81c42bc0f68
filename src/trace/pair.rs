//! Two executions side by side: do they bring every task equally far and leave different shared state?
//!
//! That is a race in the sense of Holt, *The One Page Model Checker*, section 6: partial interleavings
//! `I = ⟨V, t, C⟩` and `I' = ⟨V', t', C'⟩` with `C = C'` and `V ≠ V'`, where `C` counts the steps of each
//! task and `V` are the shared variables. Here there may be any number of tasks. The name of a task does not
//! depend on the order of posting: a task is the first, second, … child of the task that posted it.
//! A choice that the user leaves open is part of a task's progress.

use std::collections::BTreeMap;

use crate::Bug;
use ir::{ErrorKind, Program, Value};
use options::Scheduler;

use super::replay::Recorder;
use super::{Decision, Happening, Schedule, Title, Trace};
use semantics::{Config, Machine, Stop, Variable, diff, refuse};

/// The descent of a task: each entry is a number among one parent's children. The last entry is the task's own number.
type Name = Vec<u32>;

/// How far a task has come: its steps, and what was chosen for it.
type Progress = (u32, Vec<Value>);

/// One of the executions.
struct Side {
    trace: Trace,
    globals: Vec<Value>,
    /// The tasks that ran, in order.
    order: Vec<u32>,
    names: BTreeMap<u32, Name>,
    progress: BTreeMap<Name, Progress>,
}

/// The titles of the two executions.
pub(super) const TITLES: (Title, Title) = (Title::InOneOrder, Title::InAnotherOrder);

/// Replays the decisions before index `at` and those behind it, and compares the two executions.
pub(super) fn replay(
    program: &Program,
    scheduler: Scheduler,
    schedule: &Schedule,
    at: usize,
) -> Result<(Trace, Option<Bug>), String> {
    let (one, other) = schedule.decisions.split_at(at);
    let one = follow(program, scheduler, one, TITLES.0)?;
    let other = follow(program, scheduler, &other[1..], TITLES.1)?;
    let bug = compare(program, &one, &other)?;
    let mut trace = one.trace;
    trace.append(other.trace);
    trace.schedule = schedule.clone();
    let (message, global) = bug;
    let bug = Bug {
        kind: ErrorKind::Divergence,
        message,
        span: Some(program.globals[global].span),
        trace: trace.clone(),
    };
    Ok((trace, Some(bug)))
}

/// Runs one of the executions, to the end of its decisions and no further.
fn follow(
    program: &Program,
    scheduler: Scheduler,
    decisions: &[Decision],
    title: Title,
) -> Result<Side, String> {
    let mut recorder = Recorder::new(program, decisions);
    let main = &program.proc(program.main).name;
    recorder.announce(Happening::Title(title), 1, main);
    let config = Config::new(program, scheduler);
    let mut machine = Machine::new(program, config, recorder);
    let mut side = Side {
        trace: Trace::default(),
        globals: Vec::new(),
        order: Vec::new(),
        names: BTreeMap::from([(1, Vec::new())]),
        progress: BTreeMap::new(),
    };
    run(&mut machine, &mut side).map_err(|stop| match stop {
        Stop::Error(_, message, _) => {
            format!("an execution that is to be compared fails: {message}")
        }
        Stop::Dropped => "an execution that is to be compared is dropped".to_owned(),
        Stop::Refused(reason, _) => reason,
    })?;
    side.trace = Trace {
        steps: machine.env.steps,
        segments: machine.env.segments,
        starts: machine.env.starts,
        waiting: Vec::new(),
        schedule: Schedule::default(),
        dialect: program.types.dialect,
    };
    side.globals = machine.config.globals;
    // A posted task that has not run counts like a task that was not posted.
    side.progress
        .retain(|_, progress| *progress != Progress::default());
    Ok(side)
}

fn run(machine: &mut Machine<'_, Recorder<'_>>, side: &mut Side) -> Result<(), Stop> {
    machine.start()?;
    side.went(machine, 1, 0, 1, 0);
    loop {
        machine.visit();
        let from = machine.env.next;
        let task = match machine.env.decisions.get(from) {
            None => return Ok(()),
            Some(Decision::Dispatch(task)) => *task,
            Some(_) => return Err(refuse("compared are executions without delays".into())),
        };
        machine.env.next += 1;
        let posted = machine.config.posted;
        machine.turn(task)?;
        side.order.push(task);
        side.went(machine, task, 1, posted, from + 1);
    }
}

impl Side {
    /// Notes that a task made `step` steps, with the choices from decision `from` on. `posted` tasks had been posted before.
    fn went(
        &mut self,
        machine: &Machine<'_, Recorder<'_>>,
        task: u32,
        step: u32,
        posted: u32,
        from: usize,
    ) {
        let name = self.names[&task].clone();
        let mine = self
            .names
            .values()
            .filter(|n| n.split_last().is_some_and(|(_, p)| *p == name));
        let children = u32::try_from(mine.count()).unwrap_or(u32::MAX);
        for (number, child) in (posted + 1..=machine.config.posted).zip(children..) {
            let mut child_name = name.clone();
            child_name.push(child);
            self.names.insert(number, child_name.clone());
            self.progress.insert(child_name, Progress::default());
        }
        let progress = self.progress.entry(name).or_default();
        progress.0 += step;
        for decision in &machine.env.decisions[from..machine.env.next] {
            if let Decision::Choose(value) = decision {
                progress.1.push(value.clone());
            }
        }
    }
}

/// The first difference in words, and the global that it is in.
fn compare(program: &Program, one: &Side, other: &Side) -> Result<(String, usize), String> {
    if one.progress != other.progress {
        return Err("the two executions do not bring every task equally far".into());
    }
    let numbers: BTreeMap<&Name, u32> = one.names.iter().map(|(&n, name)| (name, n)).collect();
    let same = |task: u32| {
        other
            .names
            .get(&task)
            .and_then(|name| numbers.get(name))
            .copied()
    };
    for (index, global) in program.globals.iter().enumerate() {
        let (a, b) = (&one.globals[index], renamed(&other.globals[index], &same));
        if global.hidden || *a == b {
            continue;
        }
        let shown = |from: &Value, to: &Value| {
            let (mut changed, variable) = (Vec::new(), Variable::global(global));
            diff(
                &program.types,
                global.ty,
                &variable,
                (from, to),
                &mut changed,
            );
            let first = changed.into_iter().next();
            first.map_or_else(Default::default, |c| (c.name, c.value))
        };
        let ((name, a_value), (_, b_value)) = (shown(&b, a), shown(a, &b));
        let (common, one, other) = orders(&one.order, &other.order);
        let message = format!(
            "with equal progress of every task, {name} is {a_value} when tasks run in the order {one}, and {b_value} in the order {other}{common}"
        );
        return Ok((message, index));
    }
    Err("the two executions leave the same shared state".into())
}

/// The value with every task renamed.
pub fn renamed(value: &Value, same: &impl Fn(u32) -> Option<u32>) -> Value {
    let all = |parts: &[Value]| parts.iter().map(|v| renamed(v, same)).collect();
    match value {
        Value::Task(Some(t)) => Value::Task(Some(same(*t).unwrap_or(*t))),
        Value::Record(parts) => Value::Record(all(parts)),
        Value::Array(parts) => Value::Array(all(parts)),
        Value::Map(rest, entries) => {
            let mut entries: Vec<_> = entries
                .iter()
                .map(|(k, v)| (renamed(k, same), renamed(v, same)))
                .collect();
            entries.sort();
            Value::Map(Box::new(renamed(rest, same)), entries)
        }
        Value::Bool(_) | Value::Int(_) | Value::Task(None) | Value::Any => value.clone(),
    }
}

/// How many tasks of an order are named.
const NAMED: usize = 8;

/// Writes the two orders from where they differ, and words for the common part before.
fn orders(one: &[u32], other: &[u32]) -> (String, String, String) {
    let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let shown = |order: &[u32]| {
        let part = order[common..].iter().take(NAMED).map(u32::to_string);
        let more = if order.len() - common > NAMED {
            ", …"
        } else {
            ""
        };
        format!("{}{more}", part.collect::<Vec<_>>().join(", "))
    };
    let before = match common {
        0 => String::new(),
        1 => " (after one common step)".to_owned(),
        n => format!(" (after {n} common steps)"),
    };
    (before, shown(one), shown(other))
}
