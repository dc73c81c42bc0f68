//! An execution that was found, as a schedule that any machine can follow: who runs, and which values are chosen.
//!
//! The search forgets: dead variables, names, the order of tasks. So the steps are run again, twice side by side. The first run
//! goes from form to form as the search has, and tells how each test came out. The second forgets nothing: it follows those
//! outcomes, with a variable of its own for every choice, and ends with everything that the choices must fulfil.

use ir::{TypeId, Value};
use smt::exec::Leaves;
use smt::term::{Datum, Term, evaluate_few};
use smt::value::value;
use trace::{Decision, Schedule};

use super::canon::Form;
use super::machine::Machine;
use super::nearest::nearest_to_0;
use super::path::Path;
use super::races::{Access, Act};
use super::run::{End, Run};
use super::search::{Last, Move, Step};
use super::state::State;
use super::turn::Case;

/// A decision of an execution; chosen values are terms.
pub(super) enum Open {
    Dispatch(u32),
    Delay(u32),
    Choose(TypeId, Leaves),
}

struct Twins<'m, 'p> {
    machine: &'m mut Machine<'p>,
    /// The state in the form that it has in the search.
    form: State<'p>,
    real: State<'p>,
    /// The accesses of the last segment, if races are looked for.
    accesses: Vec<Access>,
    decisions: Vec<Open>,
}

/// The schedule of an execution.
///
/// # Errors
/// When the solver does not give its values, with the reason.
pub(super) fn schedule<'p>(
    machine: &mut Machine<'p>,
    steps: &[Move],
    last: Last,
) -> Result<Schedule, String> {
    let start = machine.start().state;
    let mut twins = Twins {
        form: start.clone(),
        real: start,
        accesses: Vec::new(),
        decisions: Vec::new(),
        machine,
    };
    for &step in steps {
        twins.follow(step)?;
    }
    match last {
        Last::Move(step) | Last::Raced(step) => twins.follow(step)?,
        Last::Finally(way) => {
            let runs = (
                twins.machine.finish(&twins.form),
                twins.machine.finish(&twins.real),
            );
            if let (Some(form), Some(real)) = runs {
                twins.segment(form, real, running((0, way)))?;
            }
        }
        Last::Deadlock => twins.nobody_runs()?,
        Last::Race([first, second]) => twins.race(first, second)?,
    }
    let Twins {
        machine,
        real,
        decisions,
        ..
    } = twins;
    let mut schedule = valued(machine, &real.path, decisions)?;
    if let Last::Race(_) | Last::Raced(_) = last {
        schedule.decisions.push(Decision::Race(0));
    }
    Ok(schedule)
}

/// Returns the move in which a task runs in one of its ways.
fn running((task, way): (u32, u32)) -> Move {
    Move {
        case: None,
        step: Step::Run(task),
        way,
        form: Form::Plain,
    }
}

const NOT_FOUND: &str = "internal error: a task is not found again";

impl<'p> Twins<'_, 'p> {
    fn follow(&mut self, next: Move) -> Result<(), String> {
        if let Some(case) = next.case {
            self.enter(case)?;
        }
        match next.step {
            Step::Begin => {
                let (form, real) = (self.machine.start(), self.machine.start());
                self.segment(form, real, next)
            }
            Step::Run(position) => {
                let position = position as usize;
                let both = self.form.tasks.len().min(self.real.tasks.len());
                if position >= both {
                    return Err(NOT_FOUND.to_owned());
                }
                let number = self.real.tasks[position].number;
                self.decisions.push(Open::Dispatch(number));
                let form = Machine::dispatch(&self.form, position);
                let real = Machine::dispatch(&self.real, position);
                self.segment(form, real, next)
            }
            Step::Delay(position) => self.delay(position as usize, next.form),
        }
    }

    /// Goes on with one case of the states: it is known who is blocked.
    fn enter(&mut self, number: u32) -> Result<(), String> {
        let cases = self.machine.cases(&self.form);
        let cases = cases.map_err(|(reason, _)| reason)?;
        let case = cases.into_iter().nth(number as usize);
        let case = case.ok_or("internal error: a case is not found again")?;
        self.form = Machine::settled(&self.form, &case);
        let path = self.machine.assumed(&self.real, &case)?;
        self.real = Machine::settled(&self.real, &Case { path, ..case });
        Ok(())
    }

    fn delay(&mut self, position: usize, into: Form) -> Result<(), String> {
        for state in [&mut self.form, &mut self.real] {
            let task = state.tasks[position].number;
            state.turn.iter_mut().for_each(|turn| turn.delay(task));
        }
        let number = self.real.tasks[position].number;
        self.decisions.push(Open::Delay(number));
        let form = self.form.clone();
        self.rests(form, into)
    }

    /// Brings a state into its form, and puts the tasks of `real` in the same order.
    fn rests(&mut self, form: State<'p>, into: Form) -> Result<(), String> {
        let canonical = self.machine.canonical(form, into);
        let tasks = canonical.from.iter();
        let tasks: Option<_> = tasks.map(|&i| self.real.tasks.get(i).cloned()).collect();
        self.real.tasks = tasks.ok_or(NOT_FOUND)?;
        self.form = canonical.state;
        Ok(())
    }

    /// Follows one of the ways of a segment in both states.
    fn segment(&mut self, mut form: Run<'p>, mut real: Run<'p>, by: Move) -> Result<(), String> {
        form.tests = Some(Vec::new());
        let (mut ways, mut chosen) = (0, None);
        self.machine.segment(form, |_, end, run| {
            if ways == by.way {
                chosen = Some((end, run));
            }
            ways += 1;
        });
        let lost = || "internal error: a way is not found again".to_owned();
        let (end, form) = chosen.ok_or_else(lost)?;
        let mut tests = form.tests.clone().unwrap_or_default();
        tests.reverse();
        real.given = Some(tests);
        let mut followed = None;
        self.machine
            .segment(real, |_, end, run| followed = Some((end, run)));
        let (real_end, real) = followed.ok_or_else(lost)?;
        if end != real_end {
            return Err(format!(
                "internal error: a segment ends with {real_end:?}, not with {end:?}"
            ));
        }
        (self.decisions).extend(
            real.choices
                .iter()
                .map(|(t, v)| Open::Choose(*t, v.clone())),
        );
        let ended = matches!(end, End::Finished | End::Suspended);
        let after = |run: Run<'p>| match end {
            End::Suspended => run.state.rested(Some(run.task)),
            _ => run.state.rested(None),
        };
        self.accesses = real.acts.iter().filter_map(Act::access).cloned().collect();
        self.real = after(real);
        if ended {
            return self.rests(after(form), by.form);
        }
        Ok(())
    }

    /// Runs the next segment of one task and then that of another, whose ways are those after the first segment.
    fn race(&mut self, first: (u32, u32), second: (u32, u32)) -> Result<(), String> {
        let number = self.real.tasks[second.0 as usize].number;
        self.follow(running(first))?;
        let before = std::mem::take(&mut self.accesses);
        let mut tasks = (0..).zip(&self.real.tasks);
        let position = tasks.find(|(_, t)| t.number == number);
        let (position, _) = position.ok_or("internal error: a task of a race is gone")?;
        self.follow(running((position, second.1)))?;
        // The values must be such that both come to the same place.
        let conflicts = self.machine.conflicts(&before, &self.accesses);
        let conflict = (self.machine.terms).any(conflicts.into_iter().map(|(same, ..)| same));
        self.real.path = self.real.path.assuming(&self.machine.terms, conflict);
        Ok(())
    }

    /// Adds to the path that every pending task is blocked.
    fn nobody_runs(&mut self) -> Result<(), String> {
        for position in 0..self.real.tasks.len() {
            let blocked = self.machine.blocked(&self.real, position);
            let blocked = blocked.map_err(|(reason, _)| reason)?;
            self.real.path = self.real.path.assuming(&self.machine.terms, blocked);
        }
        Ok(())
    }
}

/// Returns the schedule with values for which everything happens as it did.
///
/// # Errors
/// When the solver does not give them, with the reason.
pub(super) fn valued(
    machine: &mut Machine<'_>,
    path: &Path,
    all: Vec<Open>,
) -> Result<Schedule, String> {
    let happened = machine.terms.all(path.literals.iter().copied());
    let path = machine
        .oracle
        .holds(&machine.terms, &Path::default(), happened)?;
    let path = path.ok_or("internal error: no values lead to what was found")?;
    let leaves = all.iter().filter_map(|d| match d {
        Open::Choose(_, leaves) => Some(leaves),
        Open::Dispatch(_) | Open::Delay(_) => None,
    });
    let leaves: Vec<Term> = leaves.flatten().copied().collect();
    let path = nearest_to_0(machine, path, &leaves);
    let mut decisions = Vec::with_capacity(all.len());
    for decision in all {
        decisions.push(match decision {
            Open::Dispatch(task) => Decision::Dispatch(task),
            Open::Delay(task) => Decision::Delay(task),
            Open::Choose(ty, leaves) => Decision::Choose(chosen(machine, &path, ty, &leaves)?),
        });
    }
    Ok(Schedule { decisions })
}

fn chosen(
    machine: &Machine<'_>,
    path: &Path,
    ty: TypeId,
    leaves: &[Term],
) -> Result<Value, String> {
    let data: Option<Vec<Datum>> = evaluate_few(&machine.terms, &path.model, leaves);
    let data = data.ok_or("a number takes more than 128 bits")?;
    value(&machine.layouts, ty, &mut data.into_iter())
}
