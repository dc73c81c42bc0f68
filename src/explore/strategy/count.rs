//! How many executions there are, from the states that they pass: each state has the sum of what
//! follows it. Where states lie on a circle there is no such number.

use std::sync::atomic::Ordering;

use rustc_hash::FxHashMap;

use options::ExploreOptions;

use super::stateful::has_at_most;
use super::system::{Expansion, System};
use super::tree::TreeWorker;
use machine::found::Found;
use machine::space::{Reduction, Space};

/// The executions of larger searches are not counted.
const STATES: u64 = 1 << 18;
/// For a reduced search, counting visits at most sixteen times the states that were stored, and this many more.
const MORE: u64 = 1 << 16;
/// The most bytes of all moves that counting follows, because large states take long.
const BYTES: u64 = 1 << 28;
/// Up to this many stored states, counting does not ask first whether the whole program has too many.
const FEW: u64 = 4096;

/// A state on the way, and the sum of its executions so far.
struct Open {
    row: Box<[u32]>,
    expansion: Expansion,
    next: usize,
    sum: u64,
}

/// How many executions there are, if a search that has visited every state has found few of them.
pub fn of_search(space: Space<'_>, options: &ExploreOptions, found: &Found) -> Option<u64> {
    let circles = options.delays.is_none() && space.delaying();
    let pruned = space.shared.pruned.load(Ordering::Relaxed);
    let states = found.counts.states.unwrap_or(u64::MAX);
    if circles || pruned || found.limit.is_some() || found.cut || states > STATES {
        return None;
    }
    // Counts the executions of the program: passes through all of its states, unless these are far more than were stored.
    let reduced = space.reduction().multiset || found.reduced;
    let most = match reduced {
        true => STATES.min(MORE + 16 * states),
        false => STATES,
    };
    let space = space.reduced(Reduction::default()).with_all_numbers();
    // A search is faster than counting: it finds out sooner that there are too many.
    if reduced && states > FEW && !has_at_most(space, options, most) {
        return None;
    }
    executions(space, options.limits.memory / 8, most)
}

/// The number of executions: complete, deadlocked and failing ones. Nothing if there are infinitely many,
/// or more than 2^64, or more states than `most`, or too much work.
fn executions(space: Space<'_>, room: u64, most: u64) -> Option<u64> {
    let mut climber = TreeWorker::new(space, room, false);
    let mut known: FxHashMap<Box<[u32]>, Option<u64>> = FxHashMap::default();
    let mut first = Expansion::default();
    climber.begin(&mut first);
    let mut bytes = first.moves.bytes();
    let mut path = vec![Open {
        row: Box::default(),
        sum: first.executions(),
        expansion: first,
        next: 0,
    }];
    loop {
        let last = path.last_mut()?;
        if last.next == last.expansion.moves.len() {
            let done = path.pop()?;
            let Some(before) = path.last_mut() else {
                return Some(done.sum);
            };
            before.sum = before.sum.checked_add(done.sum)?;
            known.insert(done.row, Some(done.sum));
            continue;
        }
        let row = last.expansion.moves.row(last.next);
        last.next += 1;
        match known.get(row) {
            Some(&Some(sum)) => last.sum = last.sum.checked_add(sum)?,
            // A circle.
            Some(None) => return None,
            None => {
                let row: Box<[u32]> = row.into();
                let mut expansion = Expansion::default();
                climber.expand(&row, &mut expansion);
                bytes += expansion.moves.bytes();
                known.insert(row.clone(), None);
                path.push(Open {
                    row,
                    sum: expansion.executions(),
                    expansion,
                    next: 0,
                });
            }
        }
        let too_much = known.len() as u64 > most || bytes > BYTES.min(room);
        if too_much || space.shared.halt.now() {
            return None;
        }
    }
}
