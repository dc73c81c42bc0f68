//! Chooses the leaves that decide which worker owns a state. Steps should seldom change them, so that most steps stay with
//! their worker; but they must be enough to divide the states evenly. Some executions show both.

use rustc_hash::FxHashSet;

use super::names::mix;
use explore::strategy::{Output, Worker};
use machine::space::Step;

/// How many states the sample has.
const ROWS: usize = 1 << 13;
/// How many steps an execution of the sample has at most.
const STEPS: u64 = 1 << 8;
/// How many values, for each worker, the chosen leaves must have together. With few values, many workers are busy unevenly.
const VALUES: usize = 128;
/// Up to this many workers, fewer values are enough.
const FEW: usize = 4;
const VALUES_OF_FEW: usize = 32;

/// Says for each leaf whether it is chosen, for `size` workers. Leaves beyond the end of the list are chosen too.
pub(super) fn choose(worker: &mut Worker<'_>, max_steps: u64, size: usize) -> Vec<bool> {
    let rows = executions(worker, max_steps);
    let leaves = rows.iter().map(|(row, _)| row.len()).max().unwrap_or(0);
    let value = |row: &[u32], leaf: usize| row.get(leaf).copied().unwrap_or(0);
    let mut changes = vec![0_u32; leaves];
    for (row, before) in &rows {
        for (leaf, changes) in changes.iter_mut().enumerate() {
            *changes += u32::from(value(row, leaf) != value(before, leaf));
        }
    }
    let mut order: Vec<usize> = (0..leaves).filter(|&leaf| changes[leaf] > 0).collect();
    order.sort_by_key(|&leaf| changes[leaf]);
    let values_of_one = if size > FEW { VALUES } else { VALUES_OF_FEW };
    let mut chosen = vec![false; leaves];
    let mut values = vec![0_u64; rows.len()];
    for leaf in order {
        chosen[leaf] = true;
        for (sum, (row, _)) in values.iter_mut().zip(&rows) {
            *sum = mix(*sum ^ u64::from(value(row, leaf)));
        }
        if values.iter().collect::<FxHashSet<_>>().len() >= values_of_one * size {
            return chosen;
        }
    }
    Vec::new()
}

type Row = Box<[u32]>;

/// Runs some executions. Returns states, each with a state from which a step leads to it.
fn executions(worker: &mut Worker<'_>, max_steps: u64) -> Vec<(Row, Row)> {
    let expander = &mut worker.expander;
    let (mut output, mut first) = (Output::default(), Vec::<Row>::new());
    expander.begin(&mut output, |_: Step, row: &[u32], _: Option<&[u32]>| {
        first.push(row.into());
    });
    let mut rows = Vec::new();
    let mut turn = 0_u64;
    while rows.len() < ROWS && turn < ROWS as u64 {
        let mut next = first.clone();
        for depth in 0..STEPS {
            turn += 1;
            if next.is_empty() || expander.space.shared.halt.now() {
                break;
            }
            let at = mix(turn) % next.len() as u64;
            let row = next.swap_remove(usize::try_from(at).unwrap_or(0));
            next.clear();
            let steps = (depth, max_steps);
            expander.expand(
                &row,
                0,
                steps,
                &mut output,
                |_: Step, after: &[u32], _: Option<&[u32]>| next.push(after.into()),
            );
            rows.extend(next.iter().map(|after| (after.clone(), row.clone())));
            output.clear();
        }
    }
    rows
}
