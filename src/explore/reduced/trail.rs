//! Steps of numbered tasks as an execution of the space of states.

use super::super::dpor::PathStep;
use super::super::found::Trail;
use super::super::machine::{End, Memo, Start, World};
use super::super::space::{Numbers, Space, Step};

/// The execution that makes these steps, the first of which begins the first task.
pub(super) fn trail<'a>(space: Space<'_>, steps: impl IntoIterator<Item = PathStep<'a>>) -> Trail {
    let mut steps = steps.into_iter();
    let mut trail = Trail {
        begin: steps.next().map_or(0, way),
        ..Trail::default()
    };
    let mut memo = Memo::new(space.shared, 1 << 20);
    let (mut row, mut numbers) = (space.blank(), Numbers::default());
    let world = World {
        leaves: &row,
        pending: &|_| false,
    };
    let Some(first) = memo.logged(Start::Main, world, trail.begin) else {
        return trail;
    };
    if matches!(first.end, End::Rests(_) | End::Finished) {
        space.begin_with(&mut row, &mut numbers, &first);
    }
    for path_step in steps {
        let Some(place) = space.place_of(&numbers, path_step.task + 1) else {
            break;
        };
        let step = Step {
            place,
            delay: false,
            way: way(path_step),
        };
        trail.steps.push(step);
        let before = row.clone();
        let pending = |task: u32| space.is_pending(&before, task);
        let world = World {
            leaves: &before,
            pending: &pending,
        };
        let local = before[space.tasks + place as usize];
        match memo.logged(Start::Task(local), world, step.way) {
            Some(logged) if matches!(logged.end, End::Rests(_) | End::Finished) => {
                space.step_with(&mut row, &mut numbers, step, &logged);
            }
            _ => break,
        }
    }
    trail
}

/// Which way a step goes.
pub(super) fn way(step: PathStep<'_>) -> u32 {
    step.choices.first().map_or(0, |&(pick, _)| pick)
}
