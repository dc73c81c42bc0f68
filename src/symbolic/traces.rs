//! The machine as the reduction of `dpor` sees it: one execution of each trace, and of each class of values.
//!
//! The outcome of an open condition is a choice, unless earlier choices settle it. So what is known of open values is a part of
//! the shared state, a cell of its own: to ask reads it, to choose writes it. Steps that choose do not commute.
//!
//! A task that waits for an open condition makes a step: it goes on; or it finds the condition false, and waits until what the
//! condition looks at has changed. So every task that waits at the end of an execution is blocked for certain.

use std::cell::RefCell;

use base::source::Span;
use explore::dpor::{Accesses, Cell, Choices, Model, Outcome, PathStep, Status};
use ir::ErrorKind;
use smt::term::Term;
use trace::Schedule;

use super::machine::Machine;
use super::run::{End, KNOWN, Run, Script};
use super::state::State;
use super::touch::Look;
use super::witness::{Open, valued};

#[derive(Clone)]
pub(super) struct World<'p> {
    pub state: State<'p>,
    /// Where each task rests; the first task has index 0.
    tasks: Vec<Rest>,
    /// How the last step has failed, if it has.
    pub failed: Option<(ErrorKind, Span)>,
}

/// Where a task rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// Before its first step: only the first task rests there.
    Begin,
    Pending,
    /// It has found that it is blocked, under that condition.
    Blocked(Term),
    /// It never steps again.
    Gone,
}

/// Obstacles that the search has met.
#[derive(Default)]
pub(super) struct Met {
    pub refusal: Option<(String, Span)>,
    pub cuts: Vec<Span>,
    pub dropped: bool,
}

/// The tasks of a program.
pub(super) struct Tasks<'m, 'p> {
    machine: &'m RefCell<Machine<'p>>,
    start: World<'p>,
    /// Whether it can be seen in which order tasks were posted.
    numbers_show: bool,
    pub met: Met,
}

/// The cell of the number of tasks that there have been.
const COUNT: Cell = Cell::Memory(u64::MAX);

impl<'m, 'p> Tasks<'m, 'p> {
    pub fn new(machine: &'m RefCell<Machine<'p>>, numbers_show: bool) -> Self {
        let state = machine.borrow_mut().start().state;
        Self {
            machine,
            start: World {
                state,
                tasks: vec![Rest::Begin],
                failed: None,
            },
            numbers_show,
            met: Met::default(),
        }
    }

    /// The schedule of an execution, and of one of the ways of `finally` after it.
    ///
    /// # Errors
    /// When the solver does not give its values, with the reason.
    pub fn schedule(
        machine: &'m RefCell<Machine<'p>>,
        steps: &[PathStep<'_>],
        finally: Option<Run<'p>>,
    ) -> Result<Schedule, String> {
        let mut again = Self::new(machine, false);
        let mut world = again.start.clone();
        let mut decisions = Vec::new();
        for step in steps {
            let mut choices = Choices::made_before(step.choices);
            let begins = world.tasks[step.task as usize] == Rest::Begin;
            let (end, run) = again.run(&world, step.task, &mut choices);
            if !begins && end != End::Blocked {
                decisions.push(Open::Dispatch(step.task + 1));
            }
            let choices = run.choices.iter().cloned();
            decisions.extend(choices.map(|(ty, value)| Open::Choose(ty, value)));
            again.arrive(&mut world, step.task, end, run);
        }
        let mut path = world.state.path;
        if let Some(run) = finally {
            let choices = run.choices.iter().cloned();
            decisions.extend(choices.map(|(ty, value)| Open::Choose(ty, value)));
            path = run.state.path;
        }
        valued(&mut machine.borrow_mut(), &path, decisions)
    }

    /// Runs the next segment of a task.
    fn run(&mut self, world: &World<'p>, task: u32, choices: &mut Choices) -> (End, Run<'p>) {
        let machine = &mut *self.machine.borrow_mut();
        let mut run = match world.tasks[task as usize] {
            Rest::Begin => machine.start(),
            _ => Machine::dispatch(&world.state, position(&world.state, task)),
        };
        run.script = Some(Script {
            choices: std::mem::take(choices),
            touched: Vec::new(),
        });
        let end = machine.advance_alone(&mut run);
        if let Some(script) = &mut run.script {
            *choices = std::mem::take(&mut script.choices);
        }
        (end, run)
    }

    /// Applies the end of a segment to a configuration.
    fn arrive(&mut self, world: &mut World<'p>, task: u32, end: End, run: Run<'p>) -> Outcome {
        let own = task as usize;
        match end {
            End::Finished | End::Suspended => {
                let finished = end == End::Finished;
                world.tasks[own] = if finished { Rest::Gone } else { Rest::Pending };
                world.state = run.state.rested((!finished).then_some(run.task));
                let posted = world.state.posted as usize;
                world.tasks.resize(posted, Rest::Pending);
                Outcome::Ran
            }
            End::Blocked => {
                let position = position(&world.state, task);
                let blocked = self.machine.borrow_mut().blocked(&world.state, position);
                world.state.path = run.state.path;
                world.tasks[own] = match blocked {
                    Ok(blocked) => Rest::Blocked(blocked),
                    Err(_) => Rest::Gone,
                };
                Outcome::Ran
            }
            other => {
                world.tasks[own] = Rest::Gone;
                self.left(world, other, run)
            }
        }
    }

    /// Takes a segment that does not come to its end.
    fn left(&mut self, world: &mut World<'p>, end: End, run: Run<'p>) -> Outcome {
        match end {
            End::Fails(kind, span) => {
                world.failed = Some((kind, span));
                world.state.path = run.state.path;
                return Outcome::Failed;
            }
            End::Dropped => self.met.dropped = true,
            End::Cut(span) => {
                if !self.met.cuts.contains(&span) {
                    self.met.cuts.push(span);
                }
            }
            End::Refused(reason, span) => {
                self.met.refusal.get_or_insert((reason, span));
            }
            End::Halted | End::Met | End::Blocked | End::Finished | End::Suspended => {}
        }
        Outcome::Dropped
    }
}

/// Returns the position of a task among the pending ones.
fn position(state: &State<'_>, task: u32) -> usize {
    let found = state.tasks.iter().position(|t| t.number == task + 1);
    found.expect("a task that is not gone is pending")
}

impl<'p> Model for Tasks<'_, 'p> {
    type State = World<'p>;

    fn start(&self) -> World<'p> {
        self.start.clone()
    }

    fn tasks(&self, world: &World<'p>) -> u32 {
        u32::try_from(world.tasks.len()).unwrap_or(u32::MAX)
    }

    fn status(&mut self, world: &World<'p>, task: u32) -> Status {
        let rest = world.tasks[task as usize];
        if rest == Rest::Gone {
            return Status::Gone;
        }
        if rest == Rest::Begin {
            return Status::Ready;
        }
        let position = position(&world.state, task);
        match self.machine.borrow_mut().blocked(&world.state, position) {
            Ok(blocked) if blocked == Term::TRUE || rest == Rest::Blocked(blocked) => {
                Status::Blocked
            }
            Ok(_) => Status::Ready,
            Err(refusal) => {
                self.met.refusal.get_or_insert(refusal);
                Status::Gone
            }
        }
    }

    fn guard(&mut self, world: &World<'p>, task: u32, cells: &mut Vec<Cell>) {
        let rest = world.tasks[task as usize];
        if matches!(rest, Rest::Begin | Rest::Gone) {
            return;
        }
        let waiting = &world.state.tasks[position(&world.state, task)];
        let mut look = Look {
            machine: &mut self.machine.borrow_mut(),
            state: &world.state,
            task: waiting,
            lasting: true,
            cells: std::mem::take(cells),
        };
        look.guard();
        *cells = look.cells;
        cells.sort_unstable();
        cells.dedup();
    }

    fn step(
        &mut self,
        world: &mut World<'p>,
        task: u32,
        choices: &mut Choices,
        accesses: &mut Accesses,
    ) -> Outcome {
        world.failed = None;
        if world.tasks[task as usize] == Rest::Gone {
            return Outcome::Dropped;
        }
        let (end, mut run) = self.run(world, task, choices);
        let ran = matches!(end, End::Finished | End::Suspended);
        let touched = run.script.take().map(|s| s.touched).unwrap_or_default();
        for (cell, write) in touched {
            match write {
                false => accesses.read(cell),
                // No task sees the other writes of a step that failed.
                true if ran || cell == KNOWN => accesses.write(cell),
                true => {}
            }
        }
        if self.numbers_show && ran && run.state.posted > world.state.posted {
            accesses.write(COUNT);
        }
        if self.machine.borrow().numbered && end == End::Finished {
            accesses.write(Cell::Finished(task));
        }
        self.arrive(world, task, end, run)
    }
}
