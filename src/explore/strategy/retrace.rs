//! From the states of an execution to its steps.

use super::expand::Failure;
use machine::found::Trail;
use machine::space::{End, Scratch, Sink, Space, Standing, Step, instructions};
use machine::{Memo, Refusal};

/// Bytes for the segments on the way.
const ROOM: usize = 1 << 20;

/// Finds the steps that lead through some states, and then to a failure. If one state stands for all that differ in
/// numbers, the execution may pass other states than these: those that its steps lead to.
pub fn retrace(space: Space<'_>, rows: &[Vec<u32>], failure: Failure) -> Trail {
    let mut tracer = Tracer::new(space);
    // The numbers of these tasks must not be exchanged. The search notices this, drops what it has found, and begins anew.
    let Ok((mut trail, at)) = tracer.follow(rows) else {
        return Trail::default();
    };
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

/// Executions that lead through some states, and then through two racing steps with these instructions. Which of the executions
/// shows the race depends on what the first step does to the second.
pub fn to_race(space: Space<'_>, rows: &[Vec<u32>], pcs: (u32, u32)) -> Vec<Trail> {
    let mut tracer = Tracer::new(space);
    let Ok((trail, Some(at))) = tracer.follow(rows) else {
        return Vec::new();
    };
    let here = tracer.ahead(&at, Some(pcs));
    let mut all = Vec::new();
    for (one, other) in here.racing.iter().flat_map(|&(a, b)| [(a, b), (b, a)]) {
        let local = |row: &[u32], place: u32| row[space.tasks + place as usize];
        let same =
            |step: &Step| step.way == one.way && local(&at, step.place) == local(&at, one.place);
        let Some((first, Some(next))) = here.steps.iter().find(|(step, _)| same(step)) else {
            continue;
        };
        let there = tracer.ahead(next, None);
        let seconds = there.steps.iter().map(|(step, _)| *step);
        for second in seconds.filter(|s| local(next, s.place) == local(&at, other.place)) {
            let mut trail = trail.clone();
            trail.steps.extend([*first, second]);
            trail.race = Some(0);
            all.push(trail);
        }
    }
    all
}

/// What tasks can do in a state.
#[derive(Default)]
struct Ahead {
    /// The steps, each with the state to which it leads, unless it fails.
    steps: Vec<(Step, Option<Vec<u32>>)>,
    /// The instructions that are asked about. `racing` are the pairs of tasks that stand before them.
    pcs: Option<(u32, u32)>,
    racing: Vec<(Standing, Standing)>,
}

impl Sink for Ahead {
    fn next(&mut self, step: Step, state: &[u32], _: Option<&[u32]>) {
        self.steps.push((step, Some(state.to_vec())));
    }

    fn fails(&mut self, step: Step, _: u32) {
        self.steps.push((step, None));
    }

    fn races(&mut self, one: Standing, other: Standing) {
        if self.pcs == Some(instructions(one, other)) {
            self.racing.push((one, other));
        }
    }

    fn refused(&mut self, _: Step, _: Refusal) {}
}

struct Tracer<'s> {
    space: Space<'s>,
    memo: Memo<'s>,
    scratch: Scratch,
}

impl<'s> Tracer<'s> {
    fn new(space: Space<'s>) -> Self {
        Self {
            space,
            // What is known here was not compared with other numbers.
            memo: Memo::to_show(space.shared, ROOM),
            scratch: Scratch::default(),
        }
    }

    /// The execution that leads through some states, and where it ends.
    fn follow(&mut self, rows: &[Vec<u32>]) -> Result<(Trail, Option<Vec<u32>>), ()> {
        let (mut trail, mut at) = (Trail::default(), None);
        for row in rows {
            let (step, next) = self.step(at.as_deref(), Goal::State(row));
            let step = step.ok_or(())?;
            match at {
                None => trail.begin = step.way,
                Some(_) => trail.steps.push(step),
            }
            at = Some(next);
        }
        Ok((trail, at))
    }

    /// What tasks can do in a state, and which of them race with these instructions. One of equal tasks stands for all.
    fn ahead(&mut self, state: &[u32], pcs: Option<(u32, u32)>) -> Ahead {
        let mut ahead = Ahead {
            pcs,
            ..Ahead::default()
        };
        let space = self.space.with_all_numbers().with_all_steps();
        space.steps(state, &mut self.memo, &mut self.scratch, &mut ahead);
        ahead
    }

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

/// What the search looks for.
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
    /// Whether `target` stands for a state.
    fn stands_for(&mut self, target: &[u32], state: &[u32]) -> bool {
        if self.space.symmetry.is_none() {
            return state == target;
        }
        let mut row = state.to_vec();
        self.space.rename(&mut row, &mut self.scratch);
        row == target
    }
}
