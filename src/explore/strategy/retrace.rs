//! From the states of an execution to its steps.

use super::expand::Failure;
use machine::found::Trail;
use machine::space::{End, Scratch, Sink, Space, Step};
use machine::{Memo, Refusal};

/// Bytes for the segments on the way.
const ROOM: usize = 1 << 20;

/// Finds the steps that lead through some states, and then to a failure. Where one state stands for all that differ in
/// numbers, the states that are passed are others: those that the steps lead to.
pub fn retrace(space: Space<'_>, rows: &[Vec<u32>], failure: Failure) -> Trail {
    let mut trail = Trail::default();
    let mut tracer = Tracer {
        space,
        // What is known here was not compared with other numbers.
        memo: Memo::to_show(space.shared, ROOM),
        scratch: Scratch::default(),
    };
    let mut at = None;
    for row in rows {
        let (step, next) = tracer.step(at.as_deref(), Goal::State(row));
        match (&at, step) {
            (None, Some(step)) => trail.begin = step.way,
            (Some(_), Some(step)) => trail.steps.push(step),
            // Numbers were exchanged that cannot be: the search knows, and nobody is told of what it has found.
            (_, None) => return trail,
        }
        at = Some(next);
    }
    match (failure, at) {
        (Failure::Step(step, _), None) => trail.begin = step.way,
        (Failure::Step(_, site), at) => {
            trail
                .steps
                .extend(tracer.step(at.as_deref(), Goal::Failure(site)).0);
        }
        (Failure::Finally(way, site), at) => {
            trail.finally = Some(tracer.finally(&at.unwrap_or_default(), site).unwrap_or(way));
        }
        (Failure::Deadlock(_), _) => {}
    }
    trail
}

struct Tracer<'s> {
    space: Space<'s>,
    memo: Memo<'s>,
    scratch: Scratch,
}

impl Tracer<'_> {
    /// The first step to a goal from a state, or from the beginning; and the state that it leads to.
    fn step(&mut self, from: Option<&[u32]>, goal: Goal<'_>) -> (Option<Step>, Vec<u32>) {
        let mut seek = Seek {
            space: self.space,
            goal,
            scratch: Scratch::default(),
            found: None,
            state: Vec::new(),
        };
        // With other numbers another task may be the one that is run alone.
        let space = self.space.with_all_numbers().with_all_steps();
        match from {
            None => space.begin(&mut self.memo, &mut seek),
            Some(state) => {
                space.steps(state, &mut self.memo, &mut self.scratch, &mut seek);
            }
        }
        (seek.found, seek.state)
    }

    /// The first way of `finally` that fails at a site.
    fn finally(&mut self, state: &[u32], failing: u32) -> Option<u32> {
        let mut found = None;
        let space = self.space.with_all_numbers();
        space.finish(state, &mut self.memo, |way, end, _| {
            if found.is_none() && end == End::Fails(failing) {
                found = Some(way);
            }
        });
        found
    }
}

/// What is looked for.
#[derive(Clone, Copy)]
enum Goal<'a> {
    State(&'a [u32]),
    /// A failure at a site.
    Failure(u32),
}

/// Looks for the first step to a goal.
struct Seek<'a, 's> {
    space: Space<'s>,
    goal: Goal<'a>,
    scratch: Scratch,
    found: Option<Step>,
    state: Vec<u32>,
}

impl Sink for Seek<'_, '_> {
    fn next(&mut self, step: Step, state: &[u32], _: Option<&[u32]>) {
        let Goal::State(target) = self.goal else {
            return;
        };
        if self.found.is_none() && self.stands_for(target, state) {
            self.found = Some(step);
            self.state = state.to_vec();
        }
    }

    fn fails(&mut self, step: Step, site: u32) {
        if self.found.is_none() && matches!(self.goal, Goal::Failure(wanted) if wanted == site) {
            self.found = Some(step);
        }
    }

    fn refused(&mut self, _: Step, _: Refusal) {}
}

impl Seek<'_, '_> {
    /// Whether a state stands for another one.
    fn stands_for(&mut self, target: &[u32], state: &[u32]) -> bool {
        if self.space.symmetry.is_none() {
            return state == target;
        }
        let mut row = state.to_vec();
        self.space.rename(&mut row, &mut self.scratch);
        row == target
    }
}
