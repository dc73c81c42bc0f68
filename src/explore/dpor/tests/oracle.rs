//! What the reduction has to find, by trying everything: tries every interleaving, takes its happens-before relation
//! as a set of pairs, and gives its trace in a canonical form.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use crate::dpor::{
    Accesses, Cell, Choices, End, Model, Observer, Outcome, Path, PathStep, Status, explore,
};
use base::interned::Interned;

/// A model that the oracle can look into.
pub trait Probe: Model {
    /// What a configuration looks like at the end.
    fn values(&self, state: &Self::State) -> Vec<i64>;

    /// Where a task failed.
    fn place(&self, state: &Self::State, task: u32) -> (u32, u32, i64);
}

/// A trace: the numbers of its lines, sorted.
type Trace = Vec<u32>;

/// What is in a set of executions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// By trace of a maximal execution: how often it was seen. When a task fails, others go on.
    pub traces: BTreeMap<Trace, u64>,
    /// Traces of executions that ended without an error.
    pub clean: BTreeSet<Trace>,
    pub finals: BTreeSet<Vec<i64>>,
    pub deadlocks: BTreeSet<Vec<i64>>,
    /// Places that fail in executions in which nothing failed or was dropped before.
    pub failures: BTreeSet<(u32, u32, i64)>,
}

/// A model, with numbers for what its executions have in common.
pub struct Subject<M> {
    model: M,
    /// Tasks, by who posted them and how many it had posted before. Executions number tasks as they come.
    tasks: Interned<(u32, usize)>,
    lines: Interned<Line>,
}

impl<M> Subject<M> {
    fn new(model: M) -> RefCell<Self> {
        RefCell::new(Self {
            model,
            tasks: Interned::default(),
            lines: Interned::default(),
        })
    }
}

/// A step in a trace, with all that happens before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Line {
    /// The task, and how many steps it made before.
    step: (u32, usize),
    choices: Vec<(u32, u32)>,
    past: Vec<(u32, usize)>,
}

struct Event {
    step: (u32, usize),
    /// Cell, whether it is written, whether it is the operation's own.
    accesses: Vec<(Cell, bool, bool)>,
    operation: (u32, u64),
    posted: Vec<u32>,
    cut: bool,
    /// Which events happen before it.
    past: Vec<bool>,
    line: u32,
}

/// An execution as the oracle sees it.
pub struct Run<'m, M: Model> {
    subject: &'m RefCell<Subject<M>>,
    pub state: M::State,
    tasks: Vec<u32>,
    posts: Vec<usize>,
    steps: Vec<usize>,
    events: Vec<Rc<Event>>,
}

impl<M: Model> Clone for Run<'_, M> {
    fn clone(&self) -> Self {
        Self {
            subject: self.subject,
            state: self.state.clone(),
            tasks: self.tasks.clone(),
            posts: self.posts.clone(),
            steps: self.steps.clone(),
            events: self.events.clone(),
        }
    }
}

impl<'m, M: Probe> Run<'m, M> {
    pub fn new(subject: &'m RefCell<Subject<M>>) -> Self {
        let mut all = subject.borrow_mut();
        Self {
            subject,
            state: all.model.start(),
            tasks: vec![all.tasks.intern((u32::MAX, 0))],
            posts: vec![0],
            steps: vec![0],
            events: Vec::new(),
        }
    }

    fn cell(&self, cell: Cell) -> Cell {
        match cell {
            Cell::Finished(t) => Cell::Finished(self.tasks[t as usize]),
            cell => cell,
        }
    }

    pub fn step(&mut self, task: u32, choices: &mut Choices) -> Outcome {
        let at = task as usize;
        let mut guard = Vec::new();
        let mut subject = self.subject.borrow_mut();
        let Subject {
            model,
            tasks,
            lines,
        } = &mut *subject;
        model.guard(&self.state, task, &mut guard);
        let mut made = Accesses::default();
        let outcome = model.step(&mut self.state, task, choices, &mut made);
        let mut accesses: Vec<_> = (guard.iter())
            .map(|&c| (self.cell(c), false, false))
            .collect();
        accesses.extend((made.list.iter()).map(|a| (self.cell(a.cell), a.write, a.own)));
        let mut posted = Vec::new();
        while self.tasks.len() < model.tasks(&self.state) as usize {
            posted.push(tasks.intern((self.tasks[at], self.posts[at])));
            self.posts[at] += 1;
            self.tasks.push(posted[posted.len() - 1]);
            self.posts.push(0);
            self.steps.push(0);
        }
        let mut event = Event {
            step: (self.tasks[at], self.steps[at]),
            accesses,
            operation: made.operation,
            posted,
            cut: outcome != Outcome::Ran,
            past: Vec::new(),
            line: 0,
        };
        event.past = self.past(&event);
        let before = self.events.iter().zip(&event.past);
        let mut past: Vec<_> = before.filter_map(|(e, &is)| is.then_some(e.step)).collect();
        past.sort_unstable();
        event.line = lines.intern(Line {
            step: event.step,
            choices: choices.made().to_vec(),
            past,
        });
        self.events.push(Rc::new(event));
        self.steps[at] += 1;
        outcome
    }

    /// Which events happen before the next one.
    fn past(&self, next: &Event) -> Vec<bool> {
        let mut past = vec![false; self.events.len()];
        for (i, event) in self.events.iter().enumerate().rev() {
            let commute = event.operation.1 >> next.operation.0 & 1 == 1;
            let touch = |(c, w, own): &(Cell, bool, bool)| {
                let clash = |(d, v, too): &(Cell, bool, bool)| {
                    c == d && (*w || *v) && !(commute && *own && *too)
                };
                next.accesses.iter().any(clash)
            };
            let follows = event.step.0 == next.step.0 || event.posted.contains(&next.step.0);
            if follows || event.accesses.iter().any(touch) {
                past[i] = true;
                for (mine, theirs) in past.iter_mut().zip(&event.past) {
                    *mine |= theirs;
                }
            }
        }
        past
    }

    /// The trace: each step with all that happens before it.
    pub fn trace(&self) -> Trace {
        let mut lines: Trace = self.events.iter().map(|event| event.line).collect();
        lines.sort_unstable();
        lines
    }

    /// The last event, and those before it.
    fn last(&self) -> (&Rc<Event>, &[Rc<Event>]) {
        self.events.split_last().expect("a step was made")
    }

    /// Whether no event that failed or was dropped happens before the last step.
    fn fails_first(&self) -> bool {
        let (last, before) = self.last();
        !before.iter().zip(&last.past).any(|(e, &is)| e.cut && is)
    }

    fn with_status(&self, status: Status) -> Vec<u32> {
        let model = &mut self.subject.borrow_mut().model;
        let tasks = 0..model.tasks(&self.state);
        tasks
            .filter(|&t| model.status(&self.state, t) == status)
            .collect()
    }

    fn place(&self, task: u32) -> (u32, u32, i64) {
        self.subject.borrow().model.place(&self.state, task)
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
        set.insert(self.subject.borrow().model.values(&self.state));
    }
}

/// Tries everything. `None` if there are more executions than the limit.
pub fn exhaustive<M: Probe>(subject: &RefCell<Subject<M>>, limit: u64) -> Option<Found> {
    let mut found = Found::default();
    let mut left = limit;
    all(&Run::new(subject), &mut found, &mut left).then_some(found)
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
    subject: &'m RefCell<Subject<M>>,
    pub found: Found,
    pub asleep: u64,
}

impl<'m, M: Probe> Watch<'m, M> {
    pub fn new(subject: &'m RefCell<Subject<M>>) -> Self {
        Self {
            subject,
            found: Found::default(),
            asleep: 0,
        }
    }

    fn follow<'a>(&self, steps: impl IntoIterator<Item = PathStep<'a>>) -> Run<'m, M> {
        let mut run = Run::new(self.subject);
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
        let (last, before) = run.last();
        assert!(last.cut && !before.iter().any(|e| e.cut));
        assert!(last.past.iter().all(|&before| before));
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
    let other = Subject::new(other);
    let expected = exhaustive(&other, limit)?;
    let mut watch = Watch::new(&other);
    let stats = explore(ours, &mut watch);
    let found = watch.found;
    let twice: Vec<_> = found.traces.values().filter(|&&n| n > 1).collect();
    assert!(twice.is_empty(), "explored twice: {twice:?}\n{program:#?}");
    assert_eq!(watch.asleep, 0, "begun in vain\n{program:#?}");
    let known = |t: &&Trace| !found.traces.contains_key(*t);
    let missing: Vec<_> = expected.traces.keys().filter(known).collect();
    let lines = |t: &Trace| -> Vec<Line> {
        let all = &other.borrow().lines;
        t.iter().map(|&line| all.get(line).clone()).collect()
    };
    assert!(
        missing.is_empty(),
        "{} of {} missing, one:\n{:#?}\n{program:?}",
        missing.len(),
        expected.traces.len(),
        lines(missing[0])
    );
    assert_eq!(found.traces.len(), expected.traces.len(), "{program:?}");
    let sets = |f: Found| (f.clean, f.finals, f.deadlocks, f.failures);
    let (traces, clean) = (expected.traces.len(), expected.clean.len() as u64);
    assert_eq!(sets(found), sets(expected), "{program:?}");
    assert_eq!(stats.complete + stats.deadlocks, clean);
    Some(traces)
}
