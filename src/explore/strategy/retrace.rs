//! From the states of an execution to its steps.

use super::super::found::Trail;
use super::super::machine::{Memo, Refusal};
use super::super::space::{Scratch, Sink, Space, Step};

/// Finds the steps that lead through some states.
pub(crate) fn retrace<'s>(space: Space<'s>, rows: &[Vec<u32>], memo: &mut Memo<'s>) -> Trail {
    let mut trail = Trail::default();
    let Some(first) = rows.first() else {
        return trail;
    };
    let mut seek = FindStep {
        target: first,
        found: None,
    };
    space.begin(memo, &mut seek);
    trail.begin = seek.found.map_or(0, |step| step.way);
    let mut scratch = Scratch::default();
    for pair in rows.windows(2) {
        let mut seek = FindStep {
            target: &pair[1],
            found: None,
        };
        space.steps(&pair[0], memo, &mut scratch, &mut seek);
        trail.steps.extend(seek.found);
    }
    trail
}

/// Looks for the first step to a state.
struct FindStep<'a> {
    target: &'a [u32],
    found: Option<Step>,
}

impl Sink for FindStep<'_> {
    fn next(&mut self, step: Step, state: &[u32], _: Option<&[u32]>) {
        if self.found.is_none() && state == self.target {
            self.found = Some(step);
        }
    }

    fn fails(&mut self, _: Step, _: u32) {}

    fn refused(&mut self, _: Step, _: Refusal) {}
}
