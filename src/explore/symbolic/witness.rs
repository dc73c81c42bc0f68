//! An execution that was found, as a schedule that any machine can follow: who runs, and which values are chosen.
//!
//! The search forgets: dead variables, names, the order of tasks. So the steps are run again, twice side by side. The first run goes from form to
//! form as the search has, and tells how each test came out. The second forgets nothing: it follows those
//! outcomes, every choice a variable of its own, and ends with everything that the choices must fulfil.

use std::rc::Rc;

use crate::ir::{TypeId, Value};
use crate::smt::exec::Leaves;
use crate::smt::term::{Assignment, Datum, Node, Sort, Term, evaluate_few};
use crate::smt::value::value;
use crate::trace::{Decision, Schedule};

use super::machine::Machine;
use super::path::Path;
use super::run::{End, Run};
use super::search::{Last, Origin};
use super::state::{State, Task};

/// What is decided in an execution, the values still open.
enum Open {
    Dispatch(u32),
    Choose(TypeId, Leaves),
}

/// The two runs.
struct Twins<'m, 'p> {
    machine: &'m mut Machine<'p>,
    /// As the search has it.
    form: State<'p>,
    /// As it happens.
    real: State<'p>,
    decisions: Vec<Open>,
}

/// The schedule of an execution.
///
/// # Errors
/// When the solver does not give its values, with the reason.
pub(super) fn schedule<'p>(
    machine: &mut Machine<'p>,
    steps: &[Origin],
    last: Last,
) -> Result<Schedule, String> {
    let start = machine.start();
    let mut twins = Twins {
        form: start.state.clone(),
        real: start.state.clone(),
        decisions: Vec::new(),
        machine,
    };
    let first = match last {
        Last::First(way) => way,
        _ => steps.first().map_or(0, |s| s.way),
    };
    let real = twins.machine.start();
    twins.segment(start, real, first)?;
    for step in steps.iter().skip(1) {
        twins.dispatch(step.task, step.way)?;
    }
    match last {
        Last::Task(task, way) => twins.dispatch(task, way)?,
        Last::Finally(way) => {
            let runs = (
                twins.machine.finish(&twins.form),
                twins.machine.finish(&twins.real),
            );
            if let (Some(form), Some(real)) = runs {
                twins.segment(form, real, way)?;
            }
        }
        Last::Deadlock => twins.nobody_runs()?,
        Last::First(_) => {}
        Last::Race([first, second]) => twins.race(first, second)?,
    }
    let mut schedule = twins.finished()?;
    if let Last::Race(_) = last {
        schedule.decisions.push(Decision::Race(0));
    }
    Ok(schedule)
}

impl<'p> Twins<'_, 'p> {
    fn dispatch(&mut self, position: u32, way: u32) -> Result<(), String> {
        let position = position as usize;
        let number = self.real.tasks[position].number;
        self.decisions.push(Open::Dispatch(number));
        let form = Machine::dispatch(&self.form, position);
        let real = Machine::dispatch(&self.real, position);
        self.segment(form, real, way)
    }

    /// One of the ways of a segment, in both.
    fn segment(&mut self, mut form: Run<'p>, mut real: Run<'p>, way: u32) -> Result<(), String> {
        form.tests = Some(Vec::new());
        let (mut ways, mut chosen) = (0, None);
        self.machine.segment(form, |_, end, run| {
            if ways == way {
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
        let after = |run: Run<'p>| {
            let mut state = run.state;
            if end == End::Suspended {
                state.tasks.push(Rc::new(run.task));
            }
            state
        };
        let (form, mut real) = (after(form), after(real));
        let ended = matches!(end, End::Finished | End::Suspended);
        if ended {
            let canonical = self.machine.canonical(form);
            let tasks: &[Rc<Task<'p>>] = &real.tasks;
            real.tasks = canonical.from.iter().map(|&i| tasks[i].clone()).collect();
            self.form = canonical.state;
        }
        self.real = real;
        Ok(())
    }

    /// One task's next segment, and then another's, where the ways are those after the first.
    fn race(&mut self, first: (u32, u32), second: (u32, u32)) -> Result<(), String> {
        let number = self.real.tasks[second.0 as usize].number;
        self.dispatch(first.0, first.1)?;
        let mut tasks = (0..).zip(&self.real.tasks);
        let position = tasks.find(|(_, t)| t.number == number);
        let (position, _) = position.ok_or("internal error: a task of a race is gone")?;
        self.dispatch(position, second.1)
    }

    /// Every pending task is blocked.
    fn nobody_runs(&mut self) -> Result<(), String> {
        for position in 0..self.real.tasks.len() {
            let blocked = self.machine.blocked(&self.real, position);
            let blocked = blocked.map_err(|(reason, _)| reason)?;
            self.real.path = self.real.path.assuming(&self.machine.terms, blocked);
        }
        Ok(())
    }

    /// Values for which all that has happened happens.
    fn finished(self) -> Result<Schedule, String> {
        let machine = self.machine;
        let all: Vec<Term> = self.real.path.literals.to_vec();
        let all = machine.terms.all(all);
        let path = machine
            .oracle
            .holds(&machine.terms, &Path::default(), all)?;
        let mut path = path.ok_or("internal error: no values lead to what was found")?;
        for decision in &self.decisions {
            if let Open::Choose(_, leaves) = decision {
                leaves
                    .iter()
                    .for_each(|&leaf| nearer_to_0(machine, &mut path, leaf));
            }
        }
        let mut decisions = Vec::with_capacity(self.decisions.len());
        for decision in self.decisions {
            decisions.push(match decision {
                Open::Dispatch(task) => Decision::Dispatch(task),
                Open::Choose(ty, leaves) => Decision::Choose(chosen(machine, &path, ty, &leaves)?),
            });
        }
        Ok(Schedule { decisions })
    }
}

/// Numbers that people rather read than whatever the solver has found.
const PLAIN: [i128; 5] = [0, 1, -1, 2, 3];

/// Gives a variable a plain value if that does as well.
fn nearer_to_0(machine: &Machine<'_>, path: &mut Path, leaf: Term) {
    let Node::Var(var) = machine.terms.get(leaf) else {
        return;
    };
    let info = machine.terms.var(var);
    let own = path.model.get(&machine.terms, var);
    for plain in PLAIN {
        let plain = Datum::Int(Some(plain));
        let within = plain.int().is_some_and(|n| info.interval.holds(n));
        if info.sort != Sort::Int || plain == own {
            return;
        }
        if !within {
            continue;
        }
        let mut model = Assignment::clone(&path.model);
        model.set(var, plain);
        let values = evaluate_few(&machine.terms, &model, &path.literals);
        if values.is_some_and(|values| values.iter().all(Datum::holds)) {
            path.model = Rc::new(model);
            return;
        }
    }
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
