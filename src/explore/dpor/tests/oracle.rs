//! What the reduction has to find, by trying everything: tries every interleaving, takes its happens-before relation
//! as a set of pairs, and writes its trace as a canonical text.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::dpor::{
    Accesses, Cell, Choices, End, Model, Observer, Outcome, Path, PathStep, Status, explore,
};

/// A model that the oracle can look into.
pub trait Probe: Model {
    /// What a configuration looks like at the end.
    fn values(&self, state: &Self::State) -> Vec<i64>;

    /// Where a task failed.
    fn place(&self, state: &Self::State, task: u32) -> (u32, u32, i64);
}

/// What is in a set of executions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// By trace of a maximal execution: how often it was seen. When a task fails, others go on.
    pub traces: BTreeMap<String, u64>,
    /// Traces of executions that ended without an error.
    pub clean: BTreeSet<String>,
    pub finals: BTreeSet<Vec<i64>>,
    pub deadlocks: BTreeSet<Vec<i64>>,
    /// Places that fail in executions in which nothing failed or was dropped before.
    pub failures: BTreeSet<(u32, u32, i64)>,
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
pub struct Run<'m, M: Model> {
    model: &'m RefCell<M>,
    pub state: M::State,
    names: Vec<String>,
    posts: Vec<usize>,
    steps: Vec<usize>,
    events: Vec<Event>,
}

impl<M: Model> Clone for Run<'_, M> {
    fn clone(&self) -> Self {
        Self {
            model: self.model,
            state: self.state.clone(),
            names: self.names.clone(),
            posts: self.posts.clone(),
            steps: self.steps.clone(),
            events: self.events.clone(),
        }
    }
}

impl<'m, M: Probe> Run<'m, M> {
    pub fn new(model: &'m RefCell<M>) -> Self {
        Self {
            model,
            state: model.borrow().start(),
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
            Cell::Unit(counter, unit) => format!("u{counter}.{unit}"),
        }
    }

    pub fn step(&mut self, task: u32, choices: &mut Choices) -> Outcome {
        let at = task as usize;
        let mut guard = Vec::new();
        let mut model = self.model.borrow_mut();
        model.guard(&self.state, task, &mut guard);
        let mut accesses = Accesses::default();
        let outcome = model.step(&mut self.state, task, choices, &mut accesses);
        let mut all: Vec<_> = (guard.iter())
            .map(|&c| (self.cell(c), false, false))
            .collect();
        all.extend((accesses.list.iter()).map(|a| (self.cell(a.cell), a.write, a.own)));
        let mut posted = Vec::new();
        while self.names.len() < model.tasks(&self.state) as usize {
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

    /// For each event, which events happen before it.
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

    /// Whether no event that failed or was dropped happens before the last step.
    fn fails_first(&self) -> bool {
        let order = self.order();
        let last = self.events.len() - 1;
        !(0..last).any(|i| self.events[i].cut && order[last][i])
    }

    fn with_status(&self, status: Status) -> Vec<u32> {
        let mut model = self.model.borrow_mut();
        let tasks = 0..model.tasks(&self.state);
        tasks
            .filter(|&t| model.status(&self.state, t) == status)
            .collect()
    }

    fn place(&self, task: u32) -> (u32, u32, i64) {
        self.model.borrow().place(&self.state, task)
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
        set.insert(self.model.borrow().values(&self.state));
    }
}

/// Tries everything. `None` if there are more executions than the limit.
pub fn exhaustive<M: Probe>(model: &RefCell<M>, limit: u64) -> Option<Found> {
    let mut found = Found::default();
    let mut left = limit;
    all(&Run::new(model), &mut found, &mut left).then_some(found)
}

fn all<M: Probe>(run: &Run<'_, M>, found: &mut Found, left: &mut u64) -> bool {
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
                found.failures.insert(next.place(task));
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

/// Collects what the reduction finds. It runs a machine of its own, besides the one that the reduction runs.
pub struct Watch<'m, M> {
    model: &'m RefCell<M>,
    pub found: Found,
    pub asleep: u64,
}

impl<'m, M: Probe> Watch<'m, M> {
    pub fn new(model: &'m RefCell<M>) -> Self {
        Self {
            model,
            found: Found::default(),
            asleep: 0,
        }
    }

    fn follow<'a>(&self, steps: impl IntoIterator<Item = PathStep<'a>>) -> Run<'m, M> {
        let mut run = Run::new(self.model);
        for step in steps {
            let mut choices = Choices::default();
            choices.script(step.choices);
            run.step(step.task, &mut choices);
        }
        run
    }
}

impl<M: Probe> Observer<M> for Watch<'_, M> {
    fn longest(&self) -> usize {
        1000
    }

    fn ended(&mut self, end: End, path: &Path<'_, M>) -> ControlFlow<()> {
        if end == End::Asleep {
            self.asleep += 1;
        } else {
            self.follow(path.steps()).ended(&mut self.found);
        }
        ControlFlow::Continue(())
    }

    fn failed(&mut self, path: &Path<'_, M>) -> ControlFlow<()> {
        let run = self.follow(path.steps());
        assert!(run.fails_first());
        let task = path.steps().last().expect("a step failed").task;
        let place = run.place(task);
        self.found.failures.insert(place);
        let run = self.follow(path.past());
        let last = run.events.len() - 1;
        assert!(run.events[last].cut && !run.events[..last].iter().any(|e| e.cut));
        assert!(run.order()[last][..last].iter().all(|&before| before));
        let task = path.past().last().expect("a step failed").task;
        assert_eq!(run.place(task), place);
        ControlFlow::Continue(())
    }
}

/// Checks that the reduction finds each trace once, and the same ends and failures. Returns the number of traces.
pub fn compare<M: Probe>(
    ours: &mut M,
    other: M,
    limit: u64,
    program: &dyn std::fmt::Debug,
) -> Option<usize> {
    let other = RefCell::new(other);
    let expected = exhaustive(&other, limit)?;
    let mut watch = Watch::new(&other);
    let stats = explore(ours, &mut watch);
    let found = watch.found;
    let twice: Vec<_> = found.traces.values().filter(|&&n| n > 1).collect();
    assert!(twice.is_empty(), "explored twice: {twice:?}\n{program:#?}");
    assert_eq!(watch.asleep, 0, "begun in vain\n{program:#?}");
    let known = |t: &&String| !found.traces.contains_key(*t);
    let missing: Vec<_> = expected.traces.keys().filter(known).collect();
    assert!(
        missing.is_empty(),
        "{} of {} missing, one:\n{}\n{program:?}",
        missing.len(),
        expected.traces.len(),
        missing[0]
    );
    assert_eq!(found.traces.len(), expected.traces.len(), "{program:?}");
    let sets = |f: Found| (f.clean, f.finals, f.deadlocks, f.failures);
    let (traces, clean) = (expected.traces.len(), expected.clean.len() as u64);
    assert_eq!(sets(found), sets(expected), "{program:?}");
    assert_eq!(stats.complete + stats.deadlocks, clean);
    Some(traces)
}
