//! Steps of numbered tasks as an execution of the space of states.

use super::super::PathStep;
use machine::found::Trail;
use machine::space::{Numbers, Space, Step};
use machine::{End, Memo, Start, World};

/// The execution that makes these steps, the first of which begins the first task.
pub(super) fn trail<'a>(space: Space<'_>, steps: impl IntoIterator<Item = PathStep<'a>>) -> Trail {
    let mut steps = steps.into_iter();
    let mut trail = Trail::default();
    let mut memo = Memo::to_show(space.shared, 1 << 20);
    let (mut row, mut numbers) = (space.blank(), Numbers::default());
    let world = World {
        leaves: &row,
        pending: &|_| false,
    };
    let picks = steps.next().map_or(&[][..], |first| first.choices);
    let Some((begin, first)) = memo.logged_by(Start::Main, world, picks) else {
        return trail;
    };
    trail.begin = begin;
    if matches!(first.end, End::Rests(_) | End::Finished) {
        space.begin_with(&mut row, &mut numbers, &first);
    }
    for path_step in steps {
        let Some(place) = space.place_of(&numbers, path_step.task + 1) else {
            break;
        };
        let before = row.clone();
        let pending = |task: u32| space.is_pending(&before, task);
        let world = World {
            leaves: &before,
            pending: &pending,
        };
        let local = before[space.tasks + place as usize];
        let found = memo.logged_by(Start::Task(local), world, path_step.choices);
        let Some((way, logged)) = found else {
            break;
        };
        let step = Step {
            place,
            delay: false,
            way,
        };
        trail.steps.push(step);
        if !matches!(logged.end, End::Rests(_) | End::Finished) {
            break;
        }
        space.step_with(&mut row, &mut numbers, step, &logged);
    }
    trail
}
