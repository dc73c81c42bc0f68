//! The machine that defines the language, as a system: it keeps every configuration whole, and makes every choice at once.
//! Searches have to find the same on this machine as on the fast one.
//!
//! A row is the number of a state. A task's place is the least that was free at its post, so that a program whose tasks come
//! and go has finitely many states. If the program itself can tell tasks apart (`self`, handles), the order of posting tells
//! them apart here.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use base::interned::Interned;
use base::source::Span;
use ir::{ErrorKind, Program, Value};
use options::ExploreOptions;
use semantics::{Config, End, Machine, Stop, Task};
use trace::{Decision, Schedule};

use crate::fair::{Open, Tasks};
use crate::strategy::{Expansion, Failure, System};
use machine::found::{Found, Trail};
use machine::limits::Halt;
use machine::script::Script;
use machine::space::Step;

/// A configuration with what is left of the budgets.
#[derive(Clone)]
struct State<'p> {
    config: Config<'p>,
    places: BTreeMap<u32, u32>,
    delays: Option<u32>,
    preemptions: Option<u32>,
    switches: Option<u32>,
    /// The task that ran last, where a budget needs it.
    last: u32,
}

/// What tells states apart: globals, the tasks in their places or in their order, budgets.
type Key<'p> = (
    Vec<Value>,
    Vec<(u32, Task<'p>)>,
    [usize; 2],
    [Option<u32>; 3],
    u32,
);

impl<'p> State<'p> {
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

    /// Gives places to new tasks, while the one that ran still has its own.
    fn place(&mut self, before: &Config<'p>, running: u32, handles: bool) {
        let alive = |t: &u32| self.config.tasks.contains_key(t) || *t == running;
        self.places.retain(|t, _| alive(t));
        for number in before.posted + 1..=self.config.posted {
            if self.config.tasks.contains_key(&number) {
                let taken: BTreeSet<u32> = self.places.values().copied().collect();
                let least = (0..).find(|p| !taken.contains(p));
                let free = least.filter(|_| !handles);
                self.places.insert(number, free.unwrap_or(number - 1));
            }
        }
        let tasks = &self.config.tasks;
        self.places.retain(|t, _| tasks.contains_key(t));
    }
}

/// A way of a segment: how it ends, where it leads, and what was chosen.
struct Way<'p> {
    end: Result<End, Stop>,
    state: State<'p>,
    made: Vec<Decision>,
    slept: bool,
}

/// A program under a scheduler.
pub struct Slow<'p> {
    program: &'p Program,
    options: &'p ExploreOptions,
    /// Whether the program can tell tasks apart.
    handles: bool,
    states: Vec<State<'p>>,
    numbers: FxHashMap<Key<'p>, u32>,
    errors: Interned<(ErrorKind, Span)>,
    finals: Interned<Vec<Value>>,
    halt: Halt,
    /// Why some execution cannot be followed.
    pub refused: Option<String>,
}

impl<'p> Slow<'p> {
    /// A program under the options' scheduler and budgets.
    pub fn new(program: &'p Program, options: &'p ExploreOptions) -> Self {
        Self {
            program,
            options,
            handles: machine::code::compile(program, false, false).handles,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            errors: Interned::default(),
            finals: Interned::default(),
            halt: Halt::new(&options.limits, None),
            refused: None,
        }
    }

    fn bounded(&self) -> bool {
        self.options.preemptions.is_some() || self.options.switches.is_some()
    }

    fn blank(&self) -> State<'p> {
        State {
            config: Config::new(self.program, self.options.scheduler),
            places: BTreeMap::from([(1, 0)]),
            delays: self.options.delays,
            preemptions: self.options.preemptions,
            switches: self.options.switches,
            last: u32::from(self.bounded()),
        }
    }

    /// Every way in which a segment of a task can go.
    fn ways(
        &self,
        state: &State<'p>,
        running: u32,
        run: impl Fn(&mut Machine<'p, Script<'p>>) -> Result<End, Stop>,
    ) -> Vec<Way<'p>> {
        let mut script = Script::new(&self.program.types);
        let mut all = Vec::new();
        loop {
            let mut machine = Machine::new(self.program, state.config.clone(), script);
            let end = run(&mut machine);
            machine.config.queue.settle();
            let (made, slept) = (machine.env.decisions().collect(), machine.env.slept);
            let mut next = State {
                config: machine.config,
                ..state.clone()
            };
            next.place(&state.config, running, self.handles);
            all.push(Way {
                end,
                state: next,
                made,
                slept,
            });
            script = machine.env;
            if !script.advance() {
                return all;
            }
        }
    }

    fn first(&self) -> Vec<Way<'p>> {
        self.ways(&self.blank(), 1, Machine::start)
    }

    fn last(&self, state: &State<'p>) -> Vec<Way<'p>> {
        self.ways(state, 0, |m| m.finish().map(|()| End::Finished))
    }

    /// The ways of a task that can run; none if a budget does not allow it.
    fn dispatched(&self, state: &State<'p>, task: u32, blocked: &[u32]) -> Vec<Way<'p>> {
        let mut next = state.clone();
        if self.bounded() {
            let away = task != state.last;
            let pending = state.config.tasks.contains_key(&state.last);
            let preempts = away && pending && !blocked.contains(&state.last);
            if !spend(&mut next.switches, away) || !spend(&mut next.preemptions, preempts) {
                return Vec::new();
            }
            next.last = task;
        }
        next.config.queue.take(task);
        self.ways(&next, task, |m| m.dispatch(task))
    }

    /// The one way of delaying a task; none if it cannot be delayed or the budget does not allow it.
    fn put_off(&self, state: &State<'p>, task: u32) -> Vec<Way<'p>> {
        let mut next = state.clone();
        if self.options.scheduler.is_bag() || !spend(&mut next.delays, true) {
            return Vec::new();
        }
        next.config.queue.take(task);
        next.config.queue.delay(task);
        next.config.queue.settle();
        vec![Way {
            end: Ok(End::Suspended),
            state: next,
            made: Vec::new(),
            slept: false,
        }]
    }

    /// The tasks that are blocked.
    fn blocked(&self, state: &State<'p>) -> Result<Vec<u32>, Stop> {
        let script = Script::new(&self.program.types);
        let machine = Machine::new(self.program, state.config.clone(), script);
        let mut blocked = Vec::new();
        for &task in state.config.tasks.keys() {
            if machine.blocked(task)? {
                blocked.push(task);
            }
        }
        Ok(blocked)
    }

    /// The state after blocked tasks have been passed over.
    fn passed(state: &State<'p>, blocked: &[u32]) -> Result<State<'p>, Stop> {
        let mut state = state.clone();
        let is_blocked = |task| Ok::<_, Stop>(blocked.contains(&task));
        state.config.queue.pass_over(is_blocked)?;
        Ok(state)
    }

    /// The place of a task that can be taken: schedulers with an order have one such task.
    fn place_of(&self, state: &State<'p>, task: u32) -> u32 {
        match self.options.scheduler.is_bag() {
            true => state.places[&task],
            false => 0,
        }
    }

    fn number(&mut self, state: State<'p>) -> u32 {
        let fresh = u32::try_from(self.states.len()).expect("tests have fewer states");
        let number = *(self.numbers.entry(state.key(self.handles))).or_insert(fresh);
        if number == fresh {
            self.states.push(state);
        }
        number
    }

    fn tell(&mut self, mut step: Step, ran: u32, ways: Vec<Way<'p>>, out: &mut Expansion) {
        for way in ways {
            out.told.transitions += u64::from(way.end != Err(Stop::Dropped));
            match way.end {
                Ok(_) => {
                    let gone = !way.state.config.tasks.contains_key(&ran);
                    let number = self.number(way.state);
                    out.moves.push(step, way.slept, gone, [number]);
                }
                Err(stop) => self.stopped(stop, |site| Failure::Step(step, site), out),
            }
            step.way += 1;
        }
    }

    fn stopped(&mut self, stop: Stop, failure: impl Fn(u32) -> Failure, out: &mut Expansion) {
        match stop {
            Stop::Dropped => {}
            Stop::Error(kind, _, span) => {
                let site = self.errors.intern((kind, span));
                out.told.failures.push((0, failure(site)));
            }
            Stop::Refused(reason, _) => {
                self.refused.get_or_insert(reason);
            }
        }
    }

    fn finish(&mut self, state: &State<'p>, out: &mut Expansion) {
        for (number, way) in (0u32..).zip(self.last(state)) {
            match way.end {
                Ok(_) => {
                    let globals = self.program.globals.iter().zip(way.state.config.globals);
                    let shown = globals.filter(|(g, _)| g.is_final()).map(|(_, v)| v);
                    out.told.ended += 1;
                    let values = self.finals.intern(shown.collect());
                    out.told.finals.push(Box::new([values]));
                }
                Err(stop) => self.stopped(stop, |site| Failure::Finally(number, site), out),
            }
        }
    }

    fn steps(
        &mut self,
        state: &State<'p>,
        blocked: &[u32],
        out: &mut Expansion,
    ) -> Result<(), Stop> {
        let state = Self::passed(state, blocked)?;
        let enabled = state.config.tasks.len() - blocked.len();
        for &task in &state.config.queue.schedulable() {
            let step = Step {
                place: self.place_of(&state, task),
                delay: false,
                way: 0,
            };
            if !blocked.contains(&task) {
                let ways = self.dispatched(&state, task, blocked);
                self.tell(step, task, ways, out);
            }
            // If no other task can run, a delayed task comes back at once.
            let delays = (enabled > 1).then(|| self.put_off(&state, task));
            for way in delays.into_iter().flatten() {
                let number = self.number(way.state);
                let step = Step {
                    delay: true,
                    ..step
                };
                out.moves.push(step, false, false, [number]);
            }
        }
        Ok(())
    }

    /// Takes a state in which every task is blocked.
    fn stuck(&self, state: &State<'p>, out: &mut Expansion) {
        if !self.program.scope.deadlocks {
            out.told.ended += 1;
            return;
        }
        let places = state.config.tasks.values().filter_map(|t| t.at);
        let span = places.map(|(_, span)| span).min().unwrap_or_default();
        out.told.failures.push((0, Failure::Deadlock(span)));
    }

    /// The final values of the visible globals that a search has found.
    pub fn finals(&self, found: &Found) -> BTreeSet<Vec<Value>> {
        // The set sorts what the table gives.
        #[allow(clippy::iter_over_hash_type, reason = "what is collected is sorted")]
        let all = (found.finals.iter()).map(|row| self.finals.get(row[0]).clone());
        all.collect()
    }

    /// The execution as a schedule that any machine can follow.
    pub fn schedule(&self, trail: &Trail) -> Schedule {
        let mut decisions = Vec::new();
        let mut take = |ways: Vec<Way<'p>>, number: u32, by: Option<Decision>| {
            let way = ways.into_iter().nth(number as usize);
            let way = way.expect("it was told");
            decisions.extend(by.into_iter().chain(way.made));
            way.state
        };
        let mut state = take(self.first(), trail.begin, None);
        for step in &trail.steps {
            let blocked = self.blocked(&state).expect("it was told");
            let passed = Self::passed(&state, &blocked).expect("it was told");
            let mut tasks = passed.config.queue.schedulable().into_iter();
            let task = tasks.find(|&task| self.place_of(&passed, task) == step.place);
            let task = task.expect("it was told");
            let (ways, by) = match step.delay {
                true => (self.put_off(&passed, task), Decision::Delay(task)),
                false => (
                    self.dispatched(&passed, task, &blocked),
                    Decision::Dispatch(task),
                ),
            };
            state = take(ways, step.way, Some(by));
        }
        if let Some(way) = trail.finally {
            take(self.last(&state), way, None);
        }
        Schedule { decisions }
    }
}

/// Takes one from a budget if `pay` says so. Returns whether the budget allows it.
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

impl System for Slow<'_> {
    fn begin(&mut self, out: &mut Expansion) {
        out.clear();
        let step = Step {
            place: 0,
            delay: false,
            way: 0,
        };
        self.tell(step, 1, self.first(), out);
        out.told.transitions = 0;
    }

    fn expand(&mut self, row: &[u32], out: &mut Expansion) {
        out.clear();
        let state = self.states[row[0] as usize].clone();
        if state.config.tasks.is_empty() {
            return self.finish(&state, out);
        }
        let looked = self.blocked(&state).and_then(|blocked| {
            if blocked.len() == state.config.tasks.len() {
                self.stuck(&state, out);
                return Ok(());
            }
            self.steps(&state, &blocked, out)
        });
        if let Err(stop) = looked {
            // This is no step's failure, so it is reported as one of `finally`.
            self.stopped(stop, |site| Failure::Finally(0, site), out);
        }
    }

    fn is_final(&self, row: &[u32]) -> bool {
        self.states[row[0] as usize].config.tasks.is_empty()
    }

    fn error(&self, failure: Failure) -> (ErrorKind, Span) {
        match failure {
            Failure::Step(_, site) | Failure::Finally(_, site) => *self.errors.get(site),
            Failure::Deadlock(span) => (ErrorKind::Deadlock, span),
        }
    }

    fn halt(&self) -> &Halt {
        &self.halt
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn circle(&mut self, row: &[u32]) -> u32 {
        self.enabled(row).iter().count() as u32
    }

    fn widths(&self) -> Vec<Option<u32>> {
        vec![None]
    }
}

impl Open for Slow<'_> {
    fn enabled(&mut self, row: &[u32]) -> Tasks {
        let state = &self.states[row[0] as usize];
        // A condition that cannot be evaluated is reported when the task is run.
        let blocked = self.blocked(state).unwrap_or_default();
        let tasks = state.config.tasks.keys().filter(|t| !blocked.contains(t));
        tasks.map(|t| state.places[t]).collect()
    }
}
