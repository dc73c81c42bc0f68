//! Decides by the first states whether reductions are worth while: they take time for each state.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::system::{Expansion, System};
use super::tree::TreeWorker;
use machine::space::{Scratch, Space};
use machine::symmetry::Symmetry;

/// How many states are looked at.
const STATES: usize = 1000;
/// How often the first states are looked at again, with more places at which tasks are told apart.
const AGAIN: u32 = 32;
/// Numbers are exchanged if one state then stands for this many.
pub const FOR_ONE: usize = 2;

/// Calls `look` with the first states, until it breaks off.
fn each_of_the_first(space: Space<'_>, room: u64, mut look: impl FnMut(&[u32]) -> ControlFlow<()>) {
    let mut climber = TreeWorker::new(space, room, false);
    let mut expansion = Expansion::default();
    climber.begin(&mut expansion);
    let (mut todo, mut seen) = (VecDeque::new(), FxHashSet::default());
    loop {
        for step in 0..expansion.moves.len() {
            let row: Box<[u32]> = expansion.moves.row(step).into();
            if seen.insert(row.clone()) {
                if look(&row).is_break() {
                    return;
                }
                todo.push_back(row);
            }
        }
        let next = todo.pop_front().filter(|_| seen.len() < STATES);
        match next {
            Some(row) if !space.shared.halt.now() => climber.expand(&row, &mut expansion),
            _ => return,
        }
    }
}

/// Whether two pending tasks of one of the first states are equal.
pub fn equal_tasks_meet(space: Space<'_>, room: u64) -> bool {
    let mut meet = false;
    each_of_the_first(space, room, |row| {
        meet = has_equal_tasks(&row[space.tasks..]);
        match meet {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    meet
}

fn has_equal_tasks(tasks: &[u32]) -> bool {
    let mut pending: Vec<u32> = tasks.iter().copied().filter(|&leaf| leaf != 0).collect();
    pending.sort_unstable();
    pending.windows(2).any(|pair| pair[0] == pair[1])
}

/// The pending tasks of one of the first states that has most of them, where tasks are numbered.
pub fn most_pending(space: Space<'_>, room: u64) -> Vec<u32> {
    let mut most: Vec<u32> = Vec::new();
    if space.shared.code.handles {
        each_of_the_first(space, room, |row| {
            let pending = row[space.tasks..].iter().copied().filter(|&leaf| leaf != 0);
            let pending: Vec<u32> = pending.collect();
            if pending.len() > most.len() {
                most = pending;
            }
            ControlFlow::Continue(())
        });
        space.shared.forget_reached();
    }
    most
}

/// The first guess whose numbers can be exchanged in the first states, if one state then stands for at least `for_one`.
pub fn numbers_to_exchange(
    space: Space<'_>,
    room: u64,
    guesses: Vec<Symmetry>,
    for_one: usize,
) -> Option<Symmetry> {
    let found = guesses.into_iter().find_map(|mut guess| {
        let fits = can_be_exchanged(space, room, &mut guess);
        (fits && one_stands_for(for_one, space.exchanging(&guess), room)).then_some(guess)
    });
    // Some segments were run from states that the program does not have: landmarks that they passed do not count.
    space.shared.forget_reached();
    found
}

/// Whether segments do the same with other numbers, in the first states. If not, the guess tells tasks apart at more places.
fn can_be_exchanged(space: Space<'_>, room: u64, guess: &mut Symmetry) -> bool {
    let mut known = guess.known();
    for _ in 0..AGAIN {
        guess.begin_again();
        let symmetry = &*guess;
        each_of_the_first(space.exchanging(symmetry), room, |_| {
            match symmetry.is_broken() || symmetry.is_expensive() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if guess.is_expensive() {
            return false;
        }
        if !guess.is_broken() {
            guess.leave_alone_what_nobody_touches();
        }
        let before = std::mem::replace(&mut known, guess.known());
        if before == known {
            guess.accept();
            return !guess.is_broken();
        }
    }
    false
}

/// Whether one state stands for that many of the first states, if all numbers are told apart in these.
fn one_stands_for(many: usize, space: Space<'_>, room: u64) -> bool {
    let (mut scratch, mut least) = (Scratch::default(), FxHashSet::default());
    let mut all = 0;
    each_of_the_first(space.with_all_numbers(), room, |row| {
        let mut row = row.to_vec();
        space.rename(&mut row, &mut scratch);
        least.insert(row);
        all += 1;
        ControlFlow::Continue(())
    });
    all >= many * least.len().max(1)
}
