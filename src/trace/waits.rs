//! Who waits for whom at a deadlock: where each blocked task waits, and which task was the last to change what it waits for.

use base::source::Span;
use ir::{AwaitKind, Program};
use semantics::{Env, Machine, Touch};

use super::race::{Act, Cells};
use super::stale::{Touched, by_step};
use super::{Happening, TraceStep};

/// A task that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub task: u32,
    /// What it waits for, in the program's words.
    pub what: String,
    /// Where.
    pub span: Option<Span>,
    /// Whether it waits for the end of a task.
    pub joins: bool,
    /// The task that it waits for, if that is known.
    pub on: Option<On>,
}

/// The task that another one waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct On {
    pub task: u32,
    /// The index of the step in which it last changed what the other task waits for.
    pub since: Option<usize>,
    /// Whether it took in that step what the other task wants to take.
    pub holds: bool,
}

/// The blocked tasks, by number.
pub(super) fn of<E: Env>(
    program: &Program,
    machine: &mut Machine<'_, E>,
    steps: &[TraceStep],
    touched: Touched<'_>,
) -> Vec<Waiting> {
    let mut cells = Cells::new(program);
    let mut writers: Vec<(u32, usize)> = Vec::new();
    for (step, own) in by_step(steps, touched) {
        for touch in own {
            if let Some(Act::Access {
                cell, write: true, ..
            }) = cells.act(touch)
            {
                writers.push((cell, step));
            }
        }
    }
    let tasks: Vec<u32> = machine.config.tasks.keys().copied().collect();
    let mut all = Vec::new();
    for task in tasks {
        let pending = &machine.config.tasks[&task];
        let Some((at, span)) = pending.at else {
            continue;
        };
        let what = machine.waits_for(task);
        let on = match at.kind {
            AwaitKind::Join => machine.joined(task).map(|task| On {
                task,
                since: None,
                holds: false,
            }),
            _ => {
                let changed = machine.awaited(task).into_iter().filter_map(|look| {
                    let touch = Touch {
                        task,
                        what: look,
                        span,
                    };
                    changed_last(&mut cells, &touch, &writers, (steps, &what))
                });
                changed.max_by_key(|on| (on.holds, on.since))
            }
        };
        all.push(Waiting {
            task,
            what,
            span: (span != Span::default()).then_some(span),
            joins: at.kind == AwaitKind::Join,
            on,
        });
    }
    all
}

/// The last step that wrote what a condition looks at.
fn changed_last(
    cells: &mut Cells,
    look: &Touch,
    writers: &[(u32, usize)],
    (steps, what): (&[TraceStep], &str),
) -> Option<On> {
    let Some(Act::Access { cell, .. }) = cells.act(look) else {
        return None;
    };
    let related = cells.related(cell);
    let (_, since) = (writers.iter().rev()).find(|(written, _)| related.contains(written))?;
    let step = &steps[*since];
    // If the waiting task itself wrote last, at the place where it waits, no task has given the signal.
    if step.task == look.task && step.span == Some(look.span) {
        return None;
    }
    // The writes of an operation come behind its step.
    let own = steps[..=*since].iter().rev();
    let mut own = own.take_while(|other| other.task == step.task);
    let takes = own.find_map(|step| match &step.happening {
        Happening::Operated { operation, .. } => Some(operation == what),
        _ => None,
    });
    let holds = takes == Some(true) || step.changed.iter().any(|c| c.value == "locked");
    Some(On {
        task: step.task,
        since: Some(*since),
        holds,
    })
}
