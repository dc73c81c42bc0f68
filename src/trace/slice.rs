//! Finds the tasks that have no part in a failure: slices back from the failing task, over what tasks share.
//!
//! A task matters if it fails; if a task that matters reads what it writes, or joins it; or if it posts a task that matters.
//! The same failure happens without the other tasks.

use std::collections::{BTreeMap, BTreeSet};

use ir::Program;
use semantics::{Touch, What};

use super::race::{Act, Cells};
use super::{StepKind, TraceStep};

/// The accesses of one task to shared state.
#[derive(Debug, Default)]
struct Deeds {
    reads: BTreeSet<u32>,
    writes: BTreeSet<u32>,
    joins: BTreeSet<u32>,
    posts: BTreeSet<u32>,
}

/// Marks the steps of tasks that have no part in the failure.
pub(super) fn mark(program: &Program, steps: &mut [TraceStep], touches: &[Touch]) {
    let Some(failing) = steps.last().filter(|s| s.kind() == StepKind::Fails) else {
        return;
    };
    let failing = failing.task;
    let mut cells = Cells::new(program);
    let mut deeds: BTreeMap<u32, Deeds> = BTreeMap::new();
    for touch in touches {
        let own = deeds.entry(touch.task).or_default();
        match (&touch.what, cells.act(touch)) {
            (_, Some(Act::Access { cell, write, .. })) => {
                let list = if write {
                    &mut own.writes
                } else {
                    &mut own.reads
                };
                list.insert(cell);
            }
            (What::Posts(child), _) => _ = own.posts.insert(*child),
            (What::Joins(task), _) => _ = own.joins.insert(*task),
            _ => {}
        }
    }
    let matter = that_matter(failing, &deeds, &cells);
    for step in steps {
        step.aside = !matter.contains(&step.task);
    }
}

/// The failing task and all on which it depends.
fn that_matter(failing: u32, deeds: &BTreeMap<u32, Deeds>, cells: &Cells) -> BTreeSet<u32> {
    let mut writers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut parents: BTreeMap<u32, u32> = BTreeMap::new();
    for (&task, own) in deeds {
        for &cell in &own.writes {
            for &part in cells.related(cell) {
                writers.entry(part).or_default().push(task);
            }
        }
        parents.extend(own.posts.iter().map(|&child| (child, task)));
    }
    let mut matter = BTreeSet::new();
    let mut open = vec![failing];
    while let Some(task) = open.pop() {
        if !matter.insert(task) {
            continue;
        }
        open.extend(parents.get(&task));
        let Some(own) = deeds.get(&task) else {
            continue;
        };
        open.extend(&own.joins);
        open.extend(
            own.reads
                .iter()
                .filter_map(|cell| writers.get(cell))
                .flatten(),
        );
    }
    matter
}
