//! The search that defines what the fast one has to find: the machine of `trace`, every configuration
//! kept whole, every choice made at once.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::clock::Instant;
use crate::ir::{ErrorKind, Program, Value};
use crate::options::{ExploreOptions, Strategy};
use crate::semantics::{Config, End, Machine, Stop, Task};
use crate::source::Span;
use crate::trace::{Decision, Schedule};

use super::script::Script;

/// What a search found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Complete, deadlocked and failing executions (stateless).
    pub executions: u64,
    /// Distinct configurations in which no task runs (stateful).
    pub states: u64,
    /// Segments that began with a dispatch.
    pub transitions: u64,
    /// Final values of the visible globals.
    pub finals: BTreeSet<Vec<Value>>,
    /// Errors by kind and place, with what makes them.
    pub bugs: BTreeMap<(ErrorKind, Span), Schedule>,
    /// Why some execution could not be followed.
    pub refused: Option<String>,
    /// Whether an execution was cut by `max_steps`.
    pub cut: bool,
}

/// A configuration with what is left of the budgets.
#[derive(Clone)]
struct State<'p> {
    config: Config<'p>,
    /// The place of each task: the least that was free.
    places: BTreeMap<u32, u32>,
    delays: Option<u32>,
    preemptions: Option<u32>,
    switches: Option<u32>,
    /// The task that ran last, where a budget needs it.
    last: u32,
    /// Delays since the last dispatch, where they are unlimited and nothing else ends them.
    row: u32,
}

/// What makes a state: globals, the tasks in their places or in their order, budgets.
type Key<'p> = (
    Vec<Value>,
    Vec<(u32, Task<'p>)>,
    [usize; 2],
    [Option<u32>; 3],
    u32,
);

impl<'p> State<'p> {
    /// Tasks are told apart by their numbers if the program can do that; otherwise by their places.
    fn key(&self, handles: bool) -> Key<'p> {
        let name = |t: u32| if handles { t } else { self.places[&t] };
        let queue = &self.config.queue;
        let id = |t| match handles || queue.is_bag() {
            true => name(t),
            false => 0,
        };
        let tasks = queue.order().into_iter();
        let tasks = tasks.map(|t| (id(t), self.config.tasks[&t].clone()));
        let mut list: Vec<(u32, Task<'p>)> = tasks.collect();
        if queue.is_bag() {
            list.sort_unstable_by_key(|&(place, _)| place);
        }
        let last = if self.config.tasks.contains_key(&self.last) {
            name(self.last) + 1
        } else {
            0
        };
        let posted = if handles {
            self.config.posted as usize
        } else {
            0
        };
        (
            self.config.globals.clone(),
            list,
            [queue.position(), posted],
            [self.delays, self.preemptions, self.switches],
            last,
        )
    }

    /// Gives places to new tasks, while those that ran still have theirs.
    fn place(&mut self, before: &Config<'p>, running: u32) {
        let alive = |t: &u32| self.config.tasks.contains_key(t) || *t == running;
        self.places.retain(|t, _| alive(t));
        for number in before.posted + 1..=self.config.posted {
            if self.config.tasks.contains_key(&number) {
                let taken: BTreeSet<u32> = self.places.values().copied().collect();
                let free = (0..).find(|p| !taken.contains(p));
                self.places.insert(number, free.unwrap_or(0));
            }
        }
        let tasks = &self.config.tasks;
        self.places.retain(|t, _| tasks.contains_key(t));
    }
}

/// The decisions so far, the last first.
type Path = Option<Rc<Link>>;

struct Link {
    decisions: Vec<Decision>,
    depth: u64,
    before: Path,
}

fn schedule(mut path: &Path) -> Schedule {
    let mut parts = Vec::new();
    while let Some(link) = path {
        parts.push(&link.decisions);
        path = &link.before;
    }
    let decisions = parts.into_iter().rev().flatten().cloned().collect();
    Schedule { decisions }
}

/// Searches all executions.
pub(crate) fn search(program: &Program, options: &ExploreOptions) -> Found {
    let mut search = Search {
        program,
        options,
        found: Found::default(),
        seen: FxHashSet::default(),
        handles: super::code::compile(program, false, false).handles,
        work: Vec::new(),
    };
    search.begin();
    let end = Instant::now().checked_add(options.limits.timeout);
    while let Some((state, path)) = search.work.pop() {
        if end.is_some_and(|end| Instant::now() >= end) {
            search.found.cut = true;
            break;
        }
        if !options.goes_on() && !search.found.bugs.is_empty() {
            break;
        }
        search.expand(&state, &path);
    }
    search.found.states = search.seen.len() as u64;
    search.found
}

struct Search<'p> {
    program: &'p Program,
    options: &'p ExploreOptions,
    found: Found,
    seen: FxHashSet<Key<'p>>,
    handles: bool,
    work: Vec<(State<'p>, Path)>,
}

impl<'p> Search<'p> {
    fn bounded(&self) -> bool {
        self.options.preemptions.is_some() || self.options.switches.is_some()
    }

    fn begin(&mut self) {
        let state = State {
            config: Config::new(self.program, self.options.scheduler),
            places: BTreeMap::from([(1, 0)]),
            delays: self.options.delays,
            preemptions: self.options.preemptions,
            switches: self.options.switches,
            last: u32::from(self.bounded()),
            row: 0,
        };
        let first = |m: &mut Machine<'p, Script<'p>>| m.start();
        self.each(&state, &None, (1, Vec::new()), first);
    }

    /// Runs a segment with every script of choices.
    fn each(
        &mut self,
        state: &State<'p>,
        path: &Path,
        (running, decisions): (u32, Vec<Decision>),
        run: impl Fn(&mut Machine<'p, Script<'p>>) -> Result<End, Stop>,
    ) {
        let mut script = Script::new(&self.program.types);
        loop {
            let mut machine = Machine::new(self.program, state.config.clone(), script);
            let end = run(&mut machine);
            let mut all = decisions.clone();
            all.extend(machine.env.decisions());
            let depth = path.as_ref().map_or(0, |p| p.depth) + u64::from(!decisions.is_empty());
            let path = Some(Rc::new(Link {
                decisions: all,
                depth,
                before: path.clone(),
            }));
            if !decisions.is_empty() && end != Err(Stop::Dropped) {
                self.found.transitions += 1;
            }
            match end {
                Ok(_) => {
                    machine.config.queue.settle();
                    let config = machine.config.clone();
                    let mut next = State {
                        config,
                        ..state.clone()
                    };
                    next.place(&state.config, running);
                    self.arrive(next, path);
                }
                Err(stop) => self.stopped(stop, &path),
            }
            script = machine.env;
            if !script.advance() {
                return;
            }
        }
    }

    fn stopped(&mut self, stop: Stop, path: &Path) {
        match stop {
            Stop::Dropped => {}
            Stop::Error(kind, _, span) => {
                self.found.executions += 1;
                self.bug(kind, span, path);
            }
            Stop::Refused(reason, _) => {
                self.found.refused.get_or_insert(reason);
            }
        }
    }

    fn bug(&mut self, kind: ErrorKind, span: Span, path: &Path) {
        let schedule = || schedule(path);
        self.found.bugs.entry((kind, span)).or_insert_with(schedule);
    }

    /// A configuration in which no task runs.
    fn arrive(&mut self, state: State<'p>, path: Path) {
        let known = self.options.strategy == Strategy::Stateful
            && !self.seen.insert(state.key(self.handles));
        if !known {
            self.work.push((state, path));
        }
    }

    fn expand(&mut self, state: &State<'p>, path: &Path) {
        if state.config.tasks.is_empty() {
            return self.finish(state, path);
        }
        let script = Script::new(&self.program.types);
        let machine = Machine::new(self.program, state.config.clone(), script);
        let pending: Vec<u32> = state.config.tasks.keys().copied().collect();
        let mut blocked = Vec::new();
        for &task in &pending {
            match machine.blocked(task) {
                Ok(true) => blocked.push(task),
                Ok(false) => {}
                Err(stop) => return self.stopped(stop, path),
            }
        }
        if blocked.len() == pending.len() {
            self.found.executions += 1;
            if !self.program.scope.deadlocks {
                return;
            }
            let places = state.config.tasks.values().filter_map(|t| t.at);
            let span = places.map(|(_, span)| span).min().unwrap_or_default();
            return self.bug(ErrorKind::Deadlock, span, path);
        }
        if path
            .as_ref()
            .is_some_and(|p| p.depth >= self.options.max_steps)
        {
            self.found.cut = true;
            return;
        }
        let mut state = state.clone();
        let is_blocked = |task| Ok::<_, Stop>(blocked.contains(&task));
        if let Err(stop) = state.config.queue.pass_over(is_blocked) {
            return self.stopped(stop, path);
        }
        let enabled = pending.len() - blocked.len();
        for &task in state.config.queue.schedulable().iter().rev() {
            // A task that alone can run comes back at once.
            if enabled > 1 {
                self.delay(&state, path, task, enabled);
            }
            if !blocked.contains(&task) {
                self.dispatch(&state, path, task, &blocked);
            }
        }
    }

    fn dispatch(&mut self, state: &State<'p>, path: &Path, task: u32, blocked: &[u32]) {
        let mut next = state.clone();
        if self.bounded() {
            let away = task != state.last;
            let enabled =
                state.config.tasks.contains_key(&state.last) && !blocked.contains(&state.last);
            if !spend(&mut next.switches, away) || !spend(&mut next.preemptions, away && enabled) {
                return;
            }
            next.last = task;
        }
        next.row = 0;
        next.config.queue.take(task);
        let decisions = (task, vec![Decision::Dispatch(task)]);
        self.each(&next, path, decisions, |m| m.dispatch(task));
    }

    fn delay(&mut self, state: &State<'p>, path: &Path, task: u32, enabled: usize) {
        let scheduler = self.options.scheduler;
        if scheduler.is_bag() {
            return;
        }
        let mut next = state.clone();
        if !spend(&mut next.delays, true) {
            return;
        }
        if state.delays.is_none() && self.options.strategy != Strategy::Stateful {
            next.row += 1;
            if next.row as usize >= enabled {
                return;
            }
        }
        next.config.queue.take(task);
        next.config.queue.delay(task);
        next.config.queue.settle();
        let path = Some(Rc::new(Link {
            decisions: vec![Decision::Delay(task)],
            depth: path.as_ref().map_or(0, |p| p.depth),
            before: path.clone(),
        }));
        self.arrive(next, path);
    }

    fn finish(&mut self, state: &State<'p>, path: &Path) {
        let mut script = Script::new(&self.program.types);
        loop {
            let mut machine = Machine::new(self.program, state.config.clone(), script);
            let end = machine.finish();
            let path = Some(Rc::new(Link {
                decisions: machine.env.decisions().collect(),
                depth: 0,
                before: path.clone(),
            }));
            match end {
                Ok(()) => {
                    self.found.executions += 1;
                    let globals = self.program.globals.iter().zip(&machine.config.globals);
                    let shown = globals
                        .filter(|(g, _)| g.is_final())
                        .map(|(_, v)| v.clone());
                    self.found.finals.insert(shown.collect());
                }
                Err(stop) => self.stopped(stop, &path),
            }
            script = machine.env;
            if !script.advance() {
                return;
            }
        }
    }
}

/// Takes one from a budget if it is to be paid; answers whether it could be.
fn spend(budget: &mut Option<u32>, pay: bool) -> bool {
    match budget {
        Some(0) if pay => false,
        Some(n) if pay => {
            *n -= 1;
            true
        }
        _ => true,
    }
}
