//! Executions near a given one: the same choices for the same segments, under another order or with other delays.
//!
//! A task's number depends on the order of posting. Here a task is the first, second, … child of its parent,
//! so that it stays the same task when the order changes.

use std::collections::BTreeMap;

use crate::Decision;
use base::source::Span;
use ir::{ChoiceKind, ErrorKind, Program, TypeId, Value};
use options::Scheduler;
use semantics::{Config, End, Env, Machine, Stop};

/// A task by its descent, as a number of the [`Family`].
pub(super) type Name = u32;

/// A segment: its task, and its index among the segments of the task.
pub(super) type Part = (Name, u32);

/// A visit to the dispatcher at which a segment is next: the segment, and how often it was delayed before.
pub(super) type Point = (Part, u32);

/// The name of the first task.
const MAIN: Name = 0;
/// The name under which the choices of `finally` are kept.
const FINALLY: Name = u32::MAX;

/// Numbers for tasks by their descent, the same in all executions.
#[derive(Default)]
pub(super) struct Family {
    children: rustc_hash::FxHashMap<(Name, u32), Name>,
}

impl Family {
    fn child(&mut self, parent: Name, nth: u32) -> Name {
        let next = u32::try_from(self.children.len() + 1).unwrap_or(FINALLY - 1);
        *self.children.entry((parent, nth)).or_insert(next)
    }
}

/// The choices of each segment.
pub(super) type Choices = BTreeMap<Part, Vec<Value>>;

#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    Dispatch(u32),
    Delay(u32),
}

/// A task that the scheduler could run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub task: u32,
    pub point: Point,
    pub blocked: bool,
}

pub(super) trait Guide {
    /// Decides about one of the offers; `None` ends the execution.
    fn turn(&mut self, offers: &[Offer]) -> Option<Turn>;

    /// A value that does not come from the choices of the segment.
    fn value(&mut self) -> Option<Value> {
        None
    }
}

/// An execution, up to its failure or as far as it came.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub failure: Option<(ErrorKind, Option<Span>)>,
    pub decisions: Vec<Decision>,
    /// Its choices by segment.
    pub choices: Choices,
    /// The points at which a task could be delayed, and whether it was.
    pub points: Vec<(Point, bool)>,
    /// The tasks that ran, in order.
    pub order: Vec<Name>,
    /// How often a task ran while the one before could have gone on.
    pub preemptions: u64,
    /// How many statements were executed.
    pub statements: u64,
}

impl Outcome {
    /// The measure to make small: delays, then switches, steps, statements.
    pub fn cost(&self) -> (usize, usize, usize, u64) {
        let delays = self.points.iter().filter(|p| p.1).count();
        let from = std::iter::once(&MAIN).chain(&self.order);
        let switches = from.zip(&self.order).filter(|(a, b)| a != b).count();
        (delays, switches, self.order.len(), self.statements)
    }
}

/// Gives each segment its choices, and writes down what was chosen.
struct Hand<'a, G> {
    guide: &'a mut G,
    known: &'a Choices,
    part: Part,
    decisions: Vec<Decision>,
    made: Choices,
}

impl<G: Guide> Env for Hand<'_, G> {
    fn choose(&mut self, _: TypeId, _: ChoiceKind) -> Result<Value, String> {
        let made = self.made.entry(self.part).or_default();
        let known = || self.known.get(&self.part)?.get(made.len()).cloned();
        let value = self.guide.value().or_else(known).unwrap_or(Value::Any);
        made.push(value.clone());
        self.decisions.push(Decision::Choose(value.clone()));
        Ok(value)
    }
}

/// The data that stays from one execution to the next.
pub(super) struct Runner<'p> {
    pub program: &'p Program,
    pub scheduler: Scheduler,
    pub family: Family,
    /// Statements and visits that may still be executed, in all executions together.
    pub fuel: u64,
    /// The most steps of one execution.
    pub most_steps: usize,
}

/// The tasks of one execution.
struct Tasks {
    /// By number, from 1: name, segments so far, times put off, children so far.
    known: Vec<(Name, u32, u32, u32)>,
}

impl Tasks {
    fn of(&mut self, task: u32) -> &mut (Name, u32, u32, u32) {
        let index = (task as usize).saturating_sub(1);
        &mut self.known[index]
    }

    /// Adds the tasks up to number `upto`, which the running task has posted.
    fn posted(&mut self, family: &mut Family, parent: u32, upto: u32) {
        while self.known.len() < upto as usize {
            let parent = self.of(parent);
            let name = family.child(parent.0, parent.3);
            parent.3 += 1;
            self.known.push((name, 0, 0, 0));
        }
    }
}

impl<'p> Runner<'p> {
    pub fn run(&mut self, guide: &mut impl Guide, known: &Choices) -> Outcome {
        let hand = Hand {
            guide,
            known,
            part: (MAIN, 0),
            decisions: Vec::new(),
            made: Choices::new(),
        };
        let config = Config::new(self.program, self.scheduler);
        let mut machine = Machine::new(self.program, config, hand);
        machine.fuel = self.fuel;
        let mut outcome = Outcome::default();
        let mut tasks = Tasks {
            known: vec![(MAIN, 1, 0, 0)],
        };
        let end = self.go(&mut machine, &mut tasks, &mut outcome);
        outcome.failure = match end {
            Ok(failure) => failure,
            Err(Stop::Error(kind, _, span)) => Some((kind, Some(span))),
            Err(Stop::Dropped | Stop::Refused(..)) => None,
        };
        outcome.statements = self.fuel - machine.fuel;
        self.fuel = machine.fuel;
        outcome.decisions = machine.env.decisions;
        outcome.choices = machine.env.made;
        outcome
    }

    fn go<G: Guide>(
        &mut self,
        machine: &mut Machine<'p, Hand<'_, G>>,
        tasks: &mut Tasks,
        outcome: &mut Outcome,
    ) -> Result<Option<(ErrorKind, Option<Span>)>, Stop> {
        let mut last = 1;
        machine.start()?;
        loop {
            tasks.posted(&mut self.family, last, machine.config.posted);
            machine.visit();
            if machine.config.tasks.is_empty() {
                machine.env.part = (FINALLY, 0);
                machine.finish()?;
                return Ok(None);
            }
            let visit = machine.config.tasks.len() as u64;
            machine.fuel = machine.fuel.saturating_sub(visit);
            if let Some((kind, _, span)) = machine.deadlock()? {
                return Ok(Some((kind, span)));
            }
            let offers = offers(machine, tasks)?;
            let Some(turn) = machine.env.guide.turn(&offers) else {
                return Ok(None);
            };
            match turn {
                Turn::Delay(task) => put_off(machine, tasks, outcome, task)?,
                Turn::Dispatch(task) => {
                    if outcome.order.len() >= self.most_steps {
                        return Ok(None);
                    }
                    let goes_on = machine.config.tasks.contains_key(&last);
                    let preempts =
                        task != last && goes_on && machine.known_blocked(last) != Some(true);
                    outcome.preemptions += u64::from(preempts);
                    last = task;
                    dispatch(machine, tasks, outcome, task)?;
                }
            }
        }
    }
}

/// The tasks that the scheduler could run.
fn offers<G: Guide>(
    machine: &mut Machine<'_, Hand<'_, G>>,
    tasks: &mut Tasks,
) -> Result<Vec<Offer>, Stop> {
    machine.pass_over();
    let takable = machine.config.queue.schedulable();
    let offer = |task: u32| {
        let &mut (name, segment, put_off, _) = tasks.of(task);
        Ok(Offer {
            task,
            point: ((name, segment), put_off),
            blocked: machine.known_blocked(task) != Some(false),
        })
    };
    takable.into_iter().map(offer).collect()
}

fn put_off<G: Guide>(
    machine: &mut Machine<'_, Hand<'_, G>>,
    tasks: &mut Tasks,
    outcome: &mut Outcome,
    task: u32,
) -> Result<(), Stop> {
    let known = tasks.of(task);
    outcome.points.push((((known.0, known.1), known.2), true));
    known.2 += 1;
    machine.env.decisions.push(Decision::Delay(task));
    machine.put_off(task)
}

fn dispatch<G: Guide>(
    machine: &mut Machine<'_, Hand<'_, G>>,
    tasks: &mut Tasks,
    outcome: &mut Outcome,
    task: u32,
) -> Result<End, Stop> {
    let known = tasks.of(task);
    let part = (known.0, known.1);
    outcome.points.push(((part, known.2), false));
    outcome.order.push(known.0);
    (known.1, known.2) = (known.1 + 1, 0);
    machine.env.part = part;
    machine.env.decisions.push(Decision::Dispatch(task));
    machine.turn(task)
}
