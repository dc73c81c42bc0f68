//! The walk: goes forward step by step, looks for other executions at the end of one, and goes back.
//!
//! This is the algorithm *Optimal-DPOR* of Abdulla, Aronis, Jonsson and Sagonas, with a stack in place of its
//! recursion: [`Search::forward`] and [`Search::back`] are its calls and returns.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::footprint::{CellId, CellTable, Footprints, SharedFootprint};
use super::history::{History, Label, Step};
use super::model::{Accesses, Cell, Choices, Model, Outcome, Status};
use super::names::{NameTable, Names};
use super::races::{Scratch, lasting};
use super::wakeup::{Forest, Move, NONE, NodeId};
use super::{End, Observer, Path, Stats};

/// How many steps in a row a task makes before another goes first.
const PATIENCE: usize = 32;

/// Scripts of choices by number; 0 is the empty one.
#[derive(Debug, Default)]
pub(super) struct Labels {
    scripts: Vec<Vec<(u32, u32)>>,
    numbers: FxHashMap<Vec<(u32, u32)>, Label>,
}

impl Labels {
    pub(super) fn number(&mut self, script: &[(u32, u32)]) -> Label {
        if script.is_empty() {
            return 0;
        }
        if let Some(&label) = self.numbers.get(script) {
            return label;
        }
        self.scripts.push(script.to_vec());
        let label = Label::try_from(self.scripts.len()).expect("fewer scripts than 2^32");
        self.numbers.insert(script.to_vec(), label);
        label
    }

    /// The script of a number.
    pub(super) fn script(&self, label: Label) -> &[(u32, u32)] {
        match label {
            0 => &[],
            _ => &self.scripts[label as usize - 1],
        }
    }
}

/// A configuration on the path.
#[derive(Debug)]
pub(super) struct Frame<S> {
    pub state: S,
    /// Where its sleep set begins on the stack of sleepers.
    pub sleepers: usize,
    /// What is still to be explored from here.
    pub tree: NodeId,
    /// Whether nothing has been explored from here.
    fresh: bool,
    /// The task whose next step is planned from here with every choice, if there is one.
    pub varied: u32,
}

pub(super) const NOBODY: u32 = u32::MAX;

/// The path as observers see it: a macro, because the observer is a part of the search too.
macro_rules! path {
    ($search:ident) => {
        Path {
            history: &$search.history,
            labels: &$search.labels,
            names: &$search.table,
            frames: &$search.frames,
            state: &$search.frames[$search.history.len()].state,
        }
    };
}

pub(super) struct Search<'m, M: Model, O> {
    pub model: &'m mut M,
    pub observer: &'m mut O,
    pub history: History,
    pub cells: CellTable,
    feet: Footprints,
    pub table: NameTable,
    pub names: Names,
    pub labels: Labels,
    pub forest: Forest,
    /// Configurations; those beyond the end of the history are kept for their memory.
    pub frames: Vec<Frame<M::State>>,
    /// Sleep sets, end to end.
    pub sleepers: Vec<Move>,
    pub stats: Stats,
    /// How many events on the path failed, and how many were dropped.
    cut: (usize, usize),
    pub choices: Choices,
    pub accesses: Accesses,
    pub guard: Vec<Cell>,
    /// The condition's cells, numbered.
    guard_ids: Vec<CellId>,
    pub scratch: Scratch<M::State>,
}

impl<'m, M: Model, O: Observer<M>> Search<'m, M, O> {
    pub(super) fn new(model: &'m mut M, observer: &'m mut O) -> Self {
        let state = model.start();
        let frame = Frame {
            state: state.clone(),
            sleepers: 0,
            tree: NONE,
            fresh: true,
            varied: NOBODY,
        };
        Self {
            model,
            observer,
            history: History::default(),
            cells: CellTable::default(),
            feet: Footprints::default(),
            table: NameTable::new(),
            names: Names::new(),
            labels: Labels::default(),
            forest: Forest::default(),
            frames: vec![frame],
            sleepers: Vec::new(),
            stats: Stats::default(),
            cut: (0, 0),
            choices: Choices::default(),
            accesses: Accesses::default(),
            guard: Vec::new(),
            guard_ids: Vec::new(),
            scratch: Scratch::new(state),
        }
    }

    pub(super) fn run(&mut self) -> ControlFlow<()> {
        loop {
            let depth = self.history.len();
            let frame = &mut self.frames[depth];
            if let Some((step, rest)) = self.forest.take(&mut frame.tree) {
                frame.fresh = false;
                let number = self.names.number(step.task);
                self.forward(number, step.label, rest)?;
            } else if frame.fresh {
                frame.fresh = false;
                match self.choose() {
                    Some(number) => self.forward(number, 0, NONE)?,
                    None => self.end()?,
                }
            } else if depth == 0 {
                return ControlFlow::Continue(());
            } else {
                self.back();
            }
        }
    }

    /// A task that can step: the one that stepped last if it can, else the first; none at the end of an execution.
    /// A task that has made many steps in a row lets the next one go first: it may be waiting for that one in a loop.
    fn choose(&mut self) -> Option<u32> {
        let depth = self.history.len();
        if depth >= self.observer.longest() {
            return None;
        }
        let events = self.history.events();
        let last = events.last().map(|e| e.number);
        let run = events.iter().rev().take_while(|e| Some(e.number) == last);
        let tired = run.take(PATIENCE).count() == PATIENCE;
        let tasks = self.model.tasks(&self.frames[depth].state);
        let (first, next) = match last {
            Some(last) if tired => (None, last + 1),
            _ => (last, 0),
        };
        let others = (next..tasks).chain(0..next);
        first.into_iter().chain(others).find(|&task| {
            let status = self.model.status(&self.frames[depth].state, task);
            status == Status::Ready && !self.sleeps(depth, task)
        })
    }

    /// Whether a task is asleep. (By optimality it never is when this is asked.)
    fn sleeps(&self, depth: usize, number: u32) -> bool {
        let from = self.frames[depth].sleepers;
        let name = self.names.name(number);
        self.sleepers[from..].iter().any(|s| s.task == name)
    }

    /// Lets a task make a step.
    fn forward(&mut self, number: u32, label: Label, tree: NodeId) -> ControlFlow<()> {
        let depth = self.history.len();
        self.prepare(depth);
        let [frame, next] = &mut self.frames[depth..depth + 2] else {
            unreachable!("the next configuration has its place")
        };
        self.guard.clear();
        self.model.guard(&frame.state, number, &mut self.guard);
        next.state.clone_from(&frame.state);
        self.choices.script(self.labels.script(label));
        self.accesses.clear();
        let outcome = self.model.step(
            &mut next.state,
            number,
            &mut self.choices,
            &mut self.accesses,
        );
        next.tree = tree;
        next.fresh = true;
        next.varied = NOBODY;
        self.stats.steps += 1;
        self.stats.starts += u64::from(depth == 0);
        self.stats.depth = self.stats.depth.max(depth as u64 + 1);
        self.record(number, outcome);
        self.fall_asleep(depth);
        if outcome == Outcome::Failed && self.first_failure(depth) {
            self.observer.failed(&path!(self))?;
        }
        self.observer.tick(self.stats)
    }

    /// Makes room for one configuration more.
    fn prepare(&mut self, depth: usize) {
        if self.frames.len() == depth + 1 {
            let state = self.frames[depth].state.clone();
            self.frames.push(Frame {
                state,
                sleepers: 0,
                tree: NONE,
                fresh: true,
                varied: NOBODY,
            });
        }
    }

    /// Enters the step just made into the history.
    fn record(&mut self, number: u32, outcome: Outcome) {
        let task = self.names.name(number);
        let names = std::mem::replace(&mut self.names, Names::none());
        let foot = self.footprint(&names);
        self.names = names;
        let depth = self.history.len();
        let label = self.labels.number(self.choices.made());
        let step = Step {
            task,
            number,
            label,
            foot,
            fixed: self.accesses.fixed,
            cut: outcome,
        };
        self.count_cut(outcome, 1);
        let tasks = self.names.len();
        self.history
            .push(step, &self.guard_ids, &self.cells, tasks, self.table.len());
        for _ in tasks..self.model.tasks(&self.frames[depth + 1].state) as usize {
            let child = self.names.post(&mut self.table, number);
            self.history.posted(child);
        }
        if !self.guard_ids.is_empty() {
            let guard = std::mem::take(&mut self.guard_ids);
            self.find_guarded(depth, &guard);
            self.guard_ids = guard;
        }
    }

    /// Numbers the cells of `guard` and `accesses`.
    pub(super) fn footprint(&mut self, names: &Names) -> SharedFootprint {
        let foot = self.feet.begin(self.accesses.operation);
        self.guard_ids.clear();
        for &cell in &self.guard {
            let cell = self.cells.id(lasting(cell, names));
            foot.add(cell, false);
            self.guard_ids.push(cell);
        }
        for access in &self.accesses.list {
            let cell = self.cells.id(lasting(access.cell, names));
            if access.own && self.accesses.operation.1 != 0 {
                self.cells.loosen(cell);
                if !self.guard_ids.contains(&cell) {
                    foot.add_own(cell, access.write);
                    continue;
                }
            }
            foot.add(cell, access.write);
        }
        self.feet.end()
    }

    /// Makes the sleep set after the last event: sleepers that commute with it sleep on.
    fn fall_asleep(&mut self, depth: usize) {
        let from = self.frames[depth].sleepers;
        let to = self.sleepers.len();
        self.frames[depth + 1].sleepers = to;
        let event = self.history.event(depth);
        for i in from..to {
            let sleeper = &self.sleepers[i];
            if sleeper.task != event.task && !sleeper.foot.conflicts(&event.foot) {
                let sleeper = sleeper.clone();
                self.sleepers.push(sleeper);
            }
        }
    }

    /// Whether no failed or dropped event happens before this one.
    fn first_failure(&self, index: usize) -> bool {
        !self.history.events()[..index]
            .iter()
            .enumerate()
            .any(|(i, e)| e.cut != Outcome::Ran && self.history.ordered(i, index))
    }

    fn count_cut(&mut self, outcome: Outcome, by: isize) {
        let count = match outcome {
            Outcome::Ran => return,
            Outcome::Failed => &mut self.cut.0,
            Outcome::Dropped => &mut self.cut.1,
        };
        *count = count.saturating_add_signed(by);
    }

    /// The end of an execution: counts it and looks for others.
    fn end(&mut self) -> ControlFlow<()> {
        let depth = self.history.len();
        let state = &self.frames[depth].state;
        let (mut ready, mut blocked, mut round) = (false, false, false);
        for task in 0..self.model.tasks(state) {
            let status = self.model.status(state, task);
            ready |= status == Status::Ready;
            blocked |= status == Status::Blocked;
            round |= status == Status::Round;
        }
        let end = match (ready, self.cut, blocked) {
            (true, _, _) if depth >= self.observer.longest() => End::Cut,
            (true, _, _) => End::Asleep,
            (_, (1.., _), _) => End::Failed,
            (_, (_, 1..), _) => End::Dropped,
            _ if round => End::Endless,
            (_, _, true) => End::Deadlock,
            _ => End::Complete,
        };
        self.stats.count(end);
        self.reverse_races(depth)?;
        self.stats.nodes = self.forest.len() as u64;
        self.observer.ended(end, &path!(self))
    }

    /// Takes the last event back; its task is asleep then.
    fn back(&mut self) {
        let depth = self.history.len();
        self.sleepers.truncate(self.frames[depth].sleepers);
        if let Some(event) = self.history.pop() {
            self.count_cut(event.cut, -1);
            self.names.truncate(event.tasks as usize);
            self.sleepers.push(Move {
                task: event.task,
                label: event.label,
                foot: event.foot,
            });
        }
    }
}
