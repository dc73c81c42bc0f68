//! Finds lost updates, and checks before the act: a task acts on a value that another task has changed since it was read.
//!
//! A task reads a part of the shared state. Another task changes it. Then the first task writes the part without reading it
//! again, and the change is lost. Or a check of the first task looks at the part and fails. Both are facts about the
//! execution, found from what each step touches. A person has to say whether they are the mistake.

use std::collections::BTreeMap;

use ir::Program;
use semantics::Touch;

use super::race::{Act, Cells};
use super::{Happening, StepKind, TraceStep};

/// A value on which a task acts, though another task has changed it since the task read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The variable or the part of one.
    pub name: String,
    /// The step in which the task has read it, as an index.
    pub read: usize,
    /// The step in which another task has changed it, as an index.
    pub since: usize,
}

/// A task's last read of a part, and the first change by another task since.
#[derive(Clone, Copy, Debug)]
struct PartSeen {
    read: usize,
    since: Option<usize>,
}

/// Notes in the steps on which stale values they act.
pub(super) fn mark(program: &Program, steps: &mut [TraceStep], touched: Touched<'_>) {
    let mut cells = Cells::new(program);
    // By part and task.
    let mut known: BTreeMap<(u32, u32), PartSeen> = BTreeMap::new();
    let mut found: Vec<(usize, Stale)> = Vec::new();
    for (step, own) in by_step(steps, touched) {
        let (task, fails) = (steps[step].task, steps[step].kind() == StepKind::Fails);
        let mine = own.iter().filter(|touch| program.is_own(touch.span));
        for touch in mine {
            let Some(Act::Access { cell, write, .. }) = cells.act(touch) else {
                continue;
            };
            let before = known.get(&(cell, task)).copied();
            // A read in the same step is a new one.
            let old = before
                .filter(|k| k.read < step)
                .and_then(|k| Some((k.read, k.since?)));
            if let Some((read, since)) = old.filter(|_| write || fails) {
                let name = cells.name(program, cell);
                found.push((step, Stale { name, read, since }));
            }
            if !write {
                let read = PartSeen {
                    read: step,
                    since: None,
                };
                known.insert((cell, task), read);
                continue;
            }
            known.remove(&(cell, task));
            if !changes(&steps[step]) {
                continue;
            }
            for &part in cells.related(cell) {
                let readers = known.range_mut((part, 0)..=(part, u32::MAX));
                let others = readers.filter(|((_, t), _)| *t != task);
                others.for_each(|(_, known)| _ = known.since.get_or_insert(step));
            }
        }
    }
    for (step, stale) in found {
        steps[step].stale.get_or_insert(stale);
    }
}

/// The touches of an execution.
#[derive(Clone, Copy)]
pub(super) struct Touched<'t> {
    /// By step: how many touches there were when it was seen.
    pub until: &'t [usize],
    pub all: &'t [Touch],
    /// How many of the first touches come from initial values.
    pub initial: usize,
}

/// Returns the index and the touches of each step: those of its task since the step before.
pub(super) fn by_step<'t>(
    steps: &[TraceStep],
    touched: Touched<'t>,
) -> Vec<(usize, Vec<&'t Touch>)> {
    let mut all = Vec::with_capacity(steps.len());
    let (touches, mut from) = (touched.all, touched.initial);
    for (index, (step, &to)) in steps.iter().zip(touched.until).enumerate() {
        let to = to.clamp(from, touches.len());
        let own = touches[from..to].iter().filter(|t| t.task == step.task);
        all.push((index, own.collect()));
        from = to;
    }
    all
}

/// Whether a step leaves a variable with another value.
fn changes(step: &TraceStep) -> bool {
    !step.changed.is_empty() && !matches!(step.happening, Happening::Assigned { same: Some(_), .. })
}
