//! Whether equal tasks meet: only then is it worth while to sort the tasks of every state.

use rustc_hash::FxHashSet;

use super::super::space::Space;
use super::system::{Expansion, System};
use super::tree::TreeWorker;

/// How many states are looked at.
const STATES: usize = 1000;

/// Whether two pending tasks of one of the first states are equal.
pub(crate) fn equal_tasks_meet(space: Space<'_>, room: u64) -> bool {
    let mut climber = TreeWorker::new(space, room, false);
    let mut expansion = Expansion::default();
    climber.begin(&mut expansion);
    let (mut todo, mut seen) = (Vec::new(), FxHashSet::default());
    loop {
        for step in 0..expansion.moves.len() {
            let row: Box<[u32]> = expansion.moves.row(step).into();
            if has_equal_tasks(&row[space.tasks..]) {
                return true;
            }
            if seen.insert(row.clone()) {
                todo.push(row);
            }
        }
        let next = todo.pop().filter(|_| seen.len() < STATES);
        match next {
            Some(row) if !space.shared.halt.now() => climber.expand(&row, &mut expansion),
            _ => return false,
        }
    }
}

fn has_equal_tasks(tasks: &[u32]) -> bool {
    let mut pending: Vec<u32> = tasks.iter().copied().filter(|&leaf| leaf != 0).collect();
    pending.sort_unstable();
    pending.windows(2).any(|pair| pair[0] == pair[1])
}
