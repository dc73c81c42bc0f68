//! What the reduction has to find, by trying everything: every interleaving, its happens-before relation
//! as a set of pairs, traces as canonical text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::toy::{State, Toy};
use crate::explore::dpor::{
    Accesses, Cell, Choices, End, Model, Observer, Outcome, Path, PathStep, Status,
};

/// What is in a set of executions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Traces of all maximal executions, where others go on when one fails; how often each was seen.
    pub traces: BTreeMap<String, u64>,
    /// Traces of executions that ended without an error.
    pub clean: BTreeSet<String>,
    /// Final values.
    pub finals: BTreeSet<Vec<i8>>,
    /// Values at deadlocks.
    pub deadlocks: BTreeSet<Vec<i8>>,
    /// Places that fail in executions in which nothing failed or was dropped before.
    pub failures: BTreeSet<(u8, u8, i8)>,
}

#[derive(Clone)]
struct Event {
    task: String,
    index: usize,
    choices: Vec<(u32, u32)>,
    /// Cell, whether it is written, whether it is the operation's own.
    accesses: Vec<(String, bool, bool)>,
    operation: (u32, u64),
    posted: Vec<String>,
    cut: bool,
}

/// An execution as the oracle sees it.
#[derive(Clone)]
pub struct Run<'t> {
    toy: &'t Toy,
    pub state: State,
    names: Vec<String>,
    posts: Vec<usize>,
    steps: Vec<usize>,
    events: Vec<Event>,
}

impl<'t> Run<'t> {
    pub fn new(toy: &'t Toy) -> Self {
        Self {
            toy,
            state: toy.start(),
            names: vec!["0".into()],
            posts: vec![0],
            steps: vec![0],
            events: Vec::new(),
        }
    }

    fn cell(&self, cell: Cell) -> String {
        match cell {
            Cell::Memory(n) => n.to_string(),
            Cell::Finished(t) => format!("f{}", self.names[t as usize]),
        }
    }

    /// Makes a step.
    pub fn step(&mut self, task: u32, choices: &mut Choices) -> Outcome {
        let at = task as usize;
        let mut guard = Vec::new();
        let mut toy = self.toy;
        toy.guard(&self.state, task, &mut guard);
        let mut accesses = Accesses::default();
        let outcome = toy.step(&mut self.state, task, choices, &mut accesses);
        let mut all: Vec<_> = (guard.iter())
            .map(|&c| (self.cell(c), false, false))
            .collect();
        all.extend((accesses.list.iter()).map(|a| (self.cell(a.cell), a.write, a.own)));
        let mut posted = Vec::new();
        while self.names.len() < self.state.tasks.len() {
            posted.push(format!("{}.{}", self.names[at], self.posts[at]));
            self.posts[at] += 1;
            self.names.push(posted[posted.len() - 1].clone());
            self.posts.push(0);
            self.steps.push(0);
        }
        self.events.push(Event {
            task: self.names[at].clone(),
            index: self.steps[at],
            choices: choices.made().to_vec(),
            accesses: all,
            operation: accesses.operation,
            posted,
            cut: outcome != Outcome::Ran,
        });
        self.steps[at] += 1;
        outcome
    }

    /// For each event, which happen before it.
    fn order(&self) -> Vec<Vec<bool>> {
        let mut order: Vec<Vec<bool>> = Vec::new();
        for (j, b) in self.events.iter().enumerate() {
            let mut past = vec![false; self.events.len()];
            for (i, a) in self.events[..j].iter().enumerate().rev() {
                let commute = a.operation.1 >> b.operation.0 & 1 == 1;
                let touch = |(c, w, own): &(String, bool, bool)| {
                    let clash = |(d, v, too): &(String, bool, bool)| {
                        c == d && (*w || *v) && !(commute && *own && *too)
                    };
                    b.accesses.iter().any(clash)
                };
                let next = a.task == b.task || a.posted.contains(&b.task);
                if next || a.accesses.iter().any(touch) {
                    past[i] = true;
                    for (mine, theirs) in past.iter_mut().zip(&order[i]) {
                        *mine |= theirs;
                    }
                }
            }
            order.push(past);
        }
        order
    }

    /// The trace: each step with all that happens before it.
    pub fn trace(&self) -> String {
        let order = self.order();
        let name = |e: &Event| format!("{}:{}", e.task, e.index);
        let mut lines: Vec<_> = (0..self.events.len())
            .map(|j| {
                let mut past: Vec<_> = (0..j)
                    .filter(|&i| order[j][i])
                    .map(|i| name(&self.events[i]))
                    .collect();
                past.sort();
                format!(
                    "{}{:?} after {}",
                    name(&self.events[j]),
                    self.events[j].choices,
                    past.join(" ")
                )
            })
            .collect();
        lines.sort();
        lines.join("\n")
    }

    /// Whether the last step failed with nothing that failed or was dropped before it.
    fn fails_first(&self) -> bool {
        let order = self.order();
        let last = self.events.len() - 1;
        !(0..last).any(|i| self.events[i].cut && order[last][i])
    }

    fn with_status(&self, status: Status) -> Vec<u32> {
        let mut toy = self.toy;
        let tasks = 0..toy.tasks(&self.state);
        tasks
            .filter(|&t| toy.status(&self.state, t) == status)
            .collect()
    }

    fn ended(&self, found: &mut Found) {
        let trace = self.trace();
        *found.traces.entry(trace.clone()).or_default() += 1;
        if self.events.iter().any(|e| e.cut) {
            return;
        }
        found.clean.insert(trace);
        let blocked = !self.with_status(Status::Blocked).is_empty();
        let set = if blocked {
            &mut found.deadlocks
        } else {
            &mut found.finals
        };
        set.insert(self.state.vars.clone());
    }
}

/// Everything. `None` if there are more executions than the limit.
pub fn exhaustive(toy: &Toy, limit: u64) -> Option<Found> {
    let mut found = Found::default();
    let mut left = limit;
    all(&Run::new(toy), &mut found, &mut left).then_some(found)
}

fn all(run: &Run<'_>, found: &mut Found, left: &mut u64) -> bool {
    let ready = run.with_status(Status::Ready);
    if ready.is_empty() {
        run.ended(found);
        *left = left.saturating_sub(1);
        return *left > 0;
    }
    for task in ready {
        let mut choices = Choices::default();
        loop {
            let mut next = run.clone();
            let clean = !run.events.iter().any(|e| e.cut);
            if next.step(task, &mut choices) == Outcome::Failed && clean {
                found
                    .failures
                    .insert(next.state.tasks[task as usize].place());
            }
            if !all(&next, found, left) {
                return false;
            }
            if !choices.advance() {
                break;
            }
        }
    }
    true
}

/// Collects what the reduction finds.
pub struct Watch<'t> {
    toy: &'t Toy,
    pub found: Found,
    pub asleep: u64,
}

impl<'t> Watch<'t> {
    pub fn new(toy: &'t Toy) -> Self {
        Self {
            toy,
            found: Found::default(),
            asleep: 0,
        }
    }

    fn run(&self, path: &Path<'_, &Toy>) -> Run<'t> {
        self.follow(path.steps())
    }

    fn follow<'a>(&self, steps: impl IntoIterator<Item = PathStep<'a>>) -> Run<'t> {
        let mut run = Run::new(self.toy);
        for step in steps {
            let mut choices = Choices::default();
            choices.script(step.choices);
            run.step(step.task, &mut choices);
        }
        run
    }
}

impl Observer<&Toy> for Watch<'_> {
    fn longest(&self) -> usize {
        1000
    }

    fn ended(&mut self, end: End, path: &Path<'_, &Toy>) -> ControlFlow<()> {
        if end == End::Asleep {
            self.asleep += 1;
        } else {
            let run = self.run(path);
            run.ended(&mut self.found);
        }
        ControlFlow::Continue(())
    }

    fn failed(&mut self, path: &Path<'_, &Toy>) -> ControlFlow<()> {
        let run = self.run(path);
        assert!(run.fails_first());
        let task = path.steps().last().expect("a step failed").task;
        let place = run.state.tasks[task as usize].place();
        self.found.failures.insert(place);
        let run = self.follow(path.past());
        let last = run.events.len() - 1;
        assert!(run.events[last].cut && !run.events[..last].iter().any(|e| e.cut));
        assert!(run.order()[last][..last].iter().all(|&before| before));
        let task = path.past().last().expect("a step failed").task;
        assert_eq!(run.state.tasks[task as usize].place(), place);
        ControlFlow::Continue(())
    }
}
