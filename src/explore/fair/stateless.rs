//! Without a store of states: every execution that Algorithm 1 generates, one after the other; or some of
//! them at random.
//!
//! If every endless execution of the program is unfair and has the good samaritan property, all that is
//! generated ends (Theorem 2). So an execution that is longer than any should be is a warning.

use fastrand::Rng;
use rustc_hash::FxHashMap;

use super::model::{Endless, Model, Path, Step, To};
use super::report::Report;
use super::rules::{Made, Memory, Rules};
use super::tasks::Tasks;

/// Where an execution is.
struct Here<S> {
    state: S,
    enabled: Tasks,
    memory: Memory,
}

/// What can follow.
enum Follows<S, A> {
    /// One of these steps.
    Steps(Vec<Step<S, A>>),
    /// Nothing: the execution has ended.
    Nothing,
}

struct DepthFirst<'a, M: Model> {
    model: &'a mut M,
    rules: Rules,
    report: &'a mut Report<M::Act>,
    /// The acts so far.
    acts: Vec<M::Act>,
    /// Told every state.
    visit: &'a mut dyn FnMut(&M::State),
}

/// Follows every execution.
pub(crate) fn search<M: Model>(
    model: &mut M,
    rules: Rules,
    report: &mut Report<M::Act>,
    visit: &mut dyn FnMut(&M::State),
) {
    let mut walker = DepthFirst {
        model,
        rules,
        report,
        acts: Vec::new(),
        visit,
    };
    let first = walker.model.begin();
    let mut stack = vec![Frame::new(None, first)];
    let mut bytes = 0;
    while let Some(frame) = stack.last_mut() {
        if !walker.report.go_on(bytes + walker.model.bytes()) || walker.report.warns() {
            return;
        }
        walker.acts.truncate(frame.acts);
        let Some(step) = frame.todo.next() else {
            bytes -= frame.bytes;
            stack.pop();
            continue;
        };
        let Some(here) = walker.goes(frame.here.as_ref(), step) else {
            continue;
        };
        if let Follows::Steps(steps) = walker.follows(&here) {
            let mut frame = Frame::new(Some(here), steps);
            frame.acts = walker.acts.len();
            let size = |s: &Step<M::State, M::Act>| match &s.to {
                To::State { state, .. } => walker.model.size(state) + 64,
                _ => 64,
            };
            frame.bytes = frame.todo.as_slice().iter().map(size).sum::<u64>() + 512;
            bytes += frame.bytes;
            stack.push(frame);
        }
    }
}

/// A state on the way, and the steps from it that are still to be taken.
struct Frame<S, A> {
    /// Nothing before the first task has run.
    here: Option<Here<S>>,
    todo: std::vec::IntoIter<Step<S, A>>,
    /// How many acts lead here.
    acts: usize,
    bytes: u64,
}

impl<S, A> Frame<S, A> {
    fn new(here: Option<Here<S>>, steps: Vec<Step<S, A>>) -> Self {
        Self {
            here,
            todo: steps.into_iter(),
            acts: 0,
            bytes: 0,
        }
    }
}

impl<M: Model> DepthFirst<'_, M> {
    /// Takes a step; nothing if it does not lead to a state.
    fn goes(
        &mut self,
        from: Option<&Here<M::State>>,
        step: Step<M::State, M::Act>,
    ) -> Option<Here<M::State>> {
        self.report.counts.transitions += u64::from(from.is_some());
        self.acts.push(step.act);
        if let To::Fails(failure) = step.to {
            let acts = &self.acts;
            self.report.fails(failure, || Path {
                acts: acts.clone(),
                finish: None,
            });
            return None;
        }
        let here = arrives(self.model, self.rules, from, step)?;
        (self.visit)(&here.state);
        Some(here)
    }

    /// Looks at a state.
    fn follows(&mut self, here: &Here<M::State>) -> Follows<M::State, M::Act> {
        let depth = u32::try_from(self.acts.len() - 1).unwrap_or(u32::MAX);
        self.report.depth(depth);
        let acts = &self.acts;
        if self.model.is_final(&here.state) {
            let ends = self.model.finish(&here.state);
            self.report.finish(&ends, || acts.clone());
            return Follows::Nothing;
        }
        let path = || Path {
            acts: acts.clone(),
            finish: None,
        };
        if here.enabled.is_empty() {
            let failure = self.model.deadlock(&here.state);
            self.report.fails(failure, path);
            return Follows::Nothing;
        }
        if self.report.too_deep(depth) {
            self.report.long(path);
            return Follows::Nothing;
        }
        let choices = self.rules.choices(&here.memory, &here.enabled);
        self.report.withheld |= self.rules.withholds(&here.memory, &here.enabled);
        let left_out = self.rules.leaves_out(&here.memory, &here.enabled);
        self.report.left_out.add(left_out);
        Follows::Steps(self.model.steps(&here.state, &choices))
    }
}

/// Follows executions at random.
pub(crate) fn random<M: Model>(
    model: &mut M,
    rules: Rules,
    report: &mut Report<M::Act>,
    runs: u64,
    seed: u64,
) {
    let mut dice = Rng::with_seed(seed);
    for _ in 0..runs {
        if !report.go_on(model.bytes()) || report.warns() {
            return;
        }
        let mut walker = DepthFirst {
            model,
            rules,
            report,
            acts: Vec::new(),
            visit: &mut |_| {},
        };
        walker.stroll(&mut dice);
    }
}

impl<M: Model> DepthFirst<'_, M> {
    /// Follows one execution.
    fn stroll(&mut self, dice: &mut Rng) {
        let mut here: Option<Here<M::State>> = None;
        let mut steps = self.model.begin();
        while !steps.is_empty() && self.report.go_on(self.model.bytes()) {
            let step = pick(dice, steps);
            here = self.goes(here.as_ref(), step);
            steps = match here.as_ref().map(|here| self.follows(here)) {
                Some(Follows::Steps(steps)) => steps,
                _ => return,
            };
        }
    }
}

/// Where an execution first comes back to a state and to what Algorithm 1 remembered there.
pub(crate) fn repeats<M: Model>(
    model: &mut M,
    rules: Rules,
    path: &Path<M::Act>,
) -> Option<Endless<M::Act>> {
    let mut seen: FxHashMap<(M::State, Memory), usize> = FxHashMap::default();
    let mut steps = model.begin();
    let mut here: Option<Here<M::State>> = None;
    for (i, &act) in path.acts.iter().enumerate() {
        let step = steps.into_iter().find(|s| s.act == act)?;
        let next = arrives(model, rules, here.as_ref(), step)?;
        let place = (next.state.clone(), next.memory.clone());
        if let Some(before) = seen.insert(place, i + 1) {
            return Some(Endless {
                stem: path.acts[..before].to_vec(),
                turn: path.acts[before..=i].to_vec(),
            });
        }
        steps = match path.acts.get(i + 1) {
            Some(_) => model.steps(&next.state, &next.enabled),
            None => return None,
        };
        here = Some(next);
    }
    None
}

/// The state that a step leads to, if it leads to one.
fn arrives<M: Model>(
    model: &mut M,
    rules: Rules,
    from: Option<&Here<M::State>>,
    step: Step<M::State, M::Act>,
) -> Option<Here<M::State>> {
    let To::State { state, slept, gone } = step.to else {
        return None;
    };
    let enabled = model.enabled(&state);
    let memory = match from {
        None => rules.begin(gone),
        Some(here) => {
            let made = Made {
                task: step.task,
                before: &here.enabled,
                after: &enabled,
                slept,
                gone,
            };
            rules.after(&here.memory, made)
        }
    };
    Some(Here {
        state,
        enabled,
        memory,
    })
}

/// Any of the tasks, then any of its steps.
fn pick<S, A>(dice: &mut Rng, mut steps: Vec<Step<S, A>>) -> Step<S, A> {
    let mut tasks: Vec<u32> = steps.iter().map(|s| s.task).collect();
    tasks.dedup();
    let task = tasks[dice.usize(..tasks.len())];
    steps.retain(|s| s.task == task);
    steps.swap_remove(dice.usize(..steps.len()))
}
