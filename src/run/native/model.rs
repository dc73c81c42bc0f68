//! The program as a model for searches: states are causal pasts. The model remembers what an event does by the event's past.
//!
//! An event's past has the past of its thread, and the versions of the cells that its operation looks at. A version is the
//! event that wrote the cell. A write that looks at nothing does not see the value before it. So equal pasts mean equal
//! behaviour, as long as these pasts order the accesses that are no steps: `races` checks that, by the same rule.

use std::cell::Cell as Flag;
use std::rc::Rc;

use explore::dpor::{Accesses, Cell, Choices, Model, Outcome, Status};
use rustc_hash::FxHashMap;

use super::log::{Ending, Kind, Masks, Op, Record, Touched};
use super::process::{Execution, Mode, Program, Request};
use super::races::{races, share_input};

/// A causal past.
type Past = u128;

fn mix(a: Past, b: Past) -> Past {
    let fold = |x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        (product as u64) ^ ((product >> 64) as u64)
    };
    let (a1, a2, b1, b2) = (a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64);
    let low = fold(a1 ^ 0x9e37_79b9_7f4a_7c15, b1 ^ 0xe703_7ed1_a0b4_28db) ^ a2.rotate_left(29);
    let high = fold(a2 ^ 0x8ebc_6af0_9c88_c6e3, b2 ^ 0x5899_65cc_7537_4cc3) ^ low.rotate_left(17);
    u128::from(fold(high ^ b1, low ^ 0xa076_1d64_78bd_642f)) << 64
        | u128::from(low ^ high.rotate_left(31))
}

/// An access that is no step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Silent {
    pub cell: u64,
    pub write: bool,
    /// 0 for the step's operation itself.
    pub pc: u64,
}

/// What an event did, and what its thread does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub kind: Kind,
    pub value: u64,
    pub touched: Vec<Touched>,
    pub spawned: Vec<u8>,
    pub pending: Option<Rc<Op>>,
    pub silent: Vec<Silent>,
    /// The process ended in this step.
    pub ending: Option<Ending>,
    /// The value that a write has left, if it is known.
    pub written: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub slot: u8,
    past: Past,
    /// Nothing for a thread that has ended.
    pub pending: Option<Rc<Op>>,
}

/// A schedule, the last step first.
#[derive(Debug)]
struct Link {
    slot: u8,
    next: Rc<Next>,
    before: Option<Rc<Link>>,
}

impl Drop for Link {
    fn drop(&mut self) {
        // A long list is not dropped by recursion.
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.take();
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Version {
    write: Past,
    /// The last event that freed the cell, or allocated it again.
    freed: Past,
}

#[derive(Clone, Debug)]
pub(super) struct State {
    pub threads: Vec<Thread>,
    versions: Vec<Version>,
    /// The sum of all versions, and of the pasts of all threads. It is equal for states from which the same follows.
    pub key: Past,
    pub depth: usize,
    schedule: Option<Rc<Link>>,
    /// The number of the thread that stepped last. Below, whether it has let others go first.
    pub last: Option<u32>,
    pub yielded: bool,
    /// How the process ended.
    pub ending: Option<Ending>,
}

impl State {
    /// Returns the slots of the threads that stepped, in the order of their steps.
    pub(super) fn schedule(&self) -> Vec<u8> {
        let mut slots = Vec::new();
        let mut at = self.schedule.as_deref();
        while let Some(link) = at {
            slots.push(link.slot);
            at = link.before.as_deref();
        }
        slots.reverse();
        slots
    }

    /// The steps so far: by whom, and what each did.
    pub(super) fn steps(&self) -> Vec<(u8, Rc<Next>)> {
        let mut steps = Vec::new();
        let mut at = self.schedule.as_deref();
        while let Some(link) = at {
            steps.push((link.slot, link.next.clone()));
            at = link.before.as_deref();
        }
        steps.reverse();
        steps
    }

    /// Whether another thread has written a cell since this one looked at it.
    fn changed(&self, slot: u8, cell: u64) -> bool {
        let mut at = self.schedule.as_deref();
        while let Some(link) = at {
            let touched = link.next.touched.iter().find(|(c, _)| *c == cell);
            match touched {
                Some(_) if link.slot == slot => return false,
                Some((_, Some(_))) => return true,
                _ => at = link.before.as_deref(),
            }
        }
        false
    }

    /// Returns how the program ends if no thread can go on.
    pub(super) fn stuck(&self) -> Ending {
        let mut pending = self.threads.iter().filter_map(|t| t.pending.as_ref());
        if pending.any(|op| !op.polls.is_empty()) {
            Ending::Livelock
        } else {
            Ending::Deadlock
        }
    }

    /// Replaces one past in the key by another.
    const fn replace(&mut self, before: Past, now: Past) {
        self.key = self.key.wrapping_sub(before).wrapping_add(now);
    }
}

/// Why a search is over before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The search found something that concerns earlier executions, too: it begins again.
    Again,
    /// The search cannot give an answer, for this reason.
    Limit(String),
}

pub(super) struct Checker {
    pub program: Program,
    mode: Mode,
    known: FxHashMap<Past, Rc<Next>>,
    /// The masks of cells, by cell and version.
    masks: FxHashMap<(u64, Past), Masks>,
    cells: FxHashMap<u64, usize>,
    /// The first execution with accesses that race. They may be why a thread behaves differently after equal pasts.
    pub raced: Option<Execution>,
    /// Whether a thread has yielded.
    pub yields: bool,
    /// The program may end while threads are under way.
    pub world: bool,
    /// Threads may poll without an end.
    pub polls: bool,
    /// A thread went on with another access than before, although it had seen the same. A library may have written what it read.
    pub differs: bool,
    /// The function that made something by which threads may hear of each other.
    pub channel: Option<String>,
    pub problem: Option<Problem>,
    /// Set together with `problem`, for a finder, which cannot see the checker.
    pub stop: Rc<Flag<bool>>,
}

const WORLD: u64 = 5 << 56;
const FINISHED: u64 = 4;
const UNIT: u64 = 7;
/// The class of waiters that wait for a unit of a semaphore.
const UNITS: u8 = 2;

/// Returns the unit for which a take waits: its number and its cell, as in the runtime. `numbers` are the masks of `takes`.
fn unit(takes: u64, numbers: [u64; 2]) -> (u64, u64) {
    let (at, number) = ((takes & 0xff_ffff_ffff_ffff) >> 3, numbers[0]);
    let cell = match number >> 12 {
        0 => at | number << 44,
        _ => {
            (at ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd)
                >> 8
        }
    };
    (number, UNIT << 56 | cell & 0xff_ffff_ffff_ffff)
}

impl Checker {
    pub(super) fn new(program: Program, mode: Mode) -> Self {
        Self {
            program,
            mode,
            known: FxHashMap::default(),
            masks: FxHashMap::default(),
            cells: FxHashMap::default(),
            raced: None,
            yields: false,
            world: false,
            polls: false,
            differs: false,
            channel: None,
            problem: None,
            stop: Rc::default(),
        }
    }

    /// Forgets what was learned, but keeps the program.
    pub(super) fn again(&mut self, mode: Mode) {
        self.known.clear();
        self.masks.clear();
        self.raced = None;
        self.differs = false;
        self.problem = None;
        self.stop.set(false);
        self.mode = mode;
    }

    pub(super) fn give_up(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
        self.stop.set(true);
    }

    fn cell(&mut self, cell: u64) -> usize {
        let next = self.cells.len();
        *self.cells.entry(cell).or_insert(next)
    }

    fn version(&mut self, state: &State, cell: u64) -> Version {
        let at = self.cell(cell);
        state.versions.get(at).copied().unwrap_or_default()
    }

    /// The past of the next event of a thread.
    fn event(&mut self, state: &State, number: usize) -> Past {
        let thread = &state.threads[number];
        let Some(op) = thread.pending.clone() else {
            return 0;
        };
        let mut past = mix(thread.past, u128::from(op.kind.0));
        for &(cell, _) in &op.cells {
            let version = self.version(state, cell);
            let seen = match op.kind.looks() {
                true => version.write,
                // Memory that was freed must not be written.
                false => version.freed,
            };
            past = mix(past, mix(seen, u128::from(cell)));
        }
        for &(cell, ..) in op.guard.iter().filter(|g| g.1 == UNITS) {
            let (_, unit) = self.next_unit(state, cell);
            past = mix(past, mix(self.version(state, unit).write, u128::from(unit)));
        }
        past
    }

    /// The unit of a semaphore that the next take waits for: whether it was there from the beginning, and its cell.
    fn next_unit(&mut self, state: &State, takes: u64) -> (bool, u64) {
        let version = self.version(state, takes).write;
        let Masks::Few(numbers) = self.masks_of(state, takes, version) else {
            return (false, takes);
        };
        let (number, cell) = unit(takes, numbers);
        (number <= numbers[1], cell)
    }

    /// Makes a step whose effect the model knows.
    fn apply(&mut self, state: &mut State, number: usize, past: Past, next: &Rc<Next>) {
        let thread = &mut state.threads[number];
        let slot = thread.slot;
        let before = std::mem::replace(&mut thread.past, past);
        let op = thread.pending.as_ref();
        state.yielded = op.is_some_and(|op| op.yields);
        // A time-out lets others go first, too, but is no sign of a loop.
        self.yields |= op.is_some_and(|op| op.kind == Kind::YIELD);
        thread.pending.clone_from(&next.pending);
        state.last = Some(number as u32);
        state.depth += 1;
        let part = |past| mix(u128::from(slot), past);
        state.replace(part(before), part(past));
        for &(cell, ref masks) in &next.touched {
            let at = self.cell(cell);
            if state.versions.len() <= at {
                state.versions.resize(at + 1, Version::default());
            }
            if masks.is_some() {
                let version = &mut state.versions[at];
                let before = std::mem::replace(&mut version.write, past);
                if next.kind.frees() {
                    version.freed = past;
                }
                let part = |write| mix(u128::from(cell), write);
                state.replace(part(before), part(past));
            }
        }
        for &child in &next.spawned {
            let past = mix(past, u128::from(child) + 1000);
            state.replace(0, mix(u128::from(child), past));
            state.threads.push(Thread {
                slot: child,
                past,
                pending: Some(Rc::new(begins())),
            });
        }
        state.ending.clone_from(&next.ending);
        let before = state.schedule.take();
        let next = next.clone();
        state.schedule = Some(Rc::new(Link { slot, next, before }));
    }

    /// Lets a thread make its next step. Returns what the step does, or `None` if that cannot be found out.
    pub(super) fn advance(&mut self, state: &mut State, number: usize) -> Option<Rc<Next>> {
        let (past, next) = self.next(state, number)?;
        self.apply(state, number, past, &next);
        Some(next)
    }

    /// The program ends. If threads are under way then, its end depends on all that they do. The search learns that and begins
    /// again: the last step may be known from an execution in which these threads had ended before.
    fn leaves_threads(&mut self, state: &State) {
        if !self.world && state.threads.iter().any(|t| t.pending.is_some()) {
            self.world = true;
            self.give_up(Problem::Again);
        }
    }

    /// Returns what a thread's next event does. Runs a process to find out, if it is not known.
    fn next(&mut self, state: &State, number: usize) -> Option<(Past, Rc<Next>)> {
        let past = self.event(state, number);
        if let Some(next) = self.known.get(&past) {
            return Some((past, next.clone()));
        }
        if self.problem.is_some() {
            return None;
        }
        let mut prefix = state.schedule();
        prefix.push(state.threads[number].slot);
        let request = Request {
            prefix: &prefix,
            mode: self.mode,
            seed: 0,
            changes: &[],
        };
        if let Err(problem) = self.run(&request) {
            self.give_up(problem);
            return None;
        }
        let past = self.event(state, number);
        let found = self.known.get(&past).map(|next| (past, next.clone()));
        if found.is_none() {
            let reason = "the program is not deterministic: a schedule that it followed before leads elsewhere";
            self.give_up(self.blamed(reason.into()));
        }
        found
    }

    /// The problem if executions do not fit together: the search begins again if accesses raced, else the program is to blame.
    fn blamed(&self, reason: String) -> Problem {
        (self.raced.as_ref()).map_or(Problem::Limit(reason), |_| Problem::Again)
    }

    /// Runs a process, learns from its execution, and returns it.
    pub(super) fn run(&mut self, request: &Request<'_>) -> Result<Execution, Problem> {
        let execution = self.program.execute(request).map_err(Problem::Limit)?;
        self.channel = self.channel.take().or_else(|| execution.channel.clone());
        if execution.found {
            return Err(Problem::Again);
        }
        let steps = steps(&execution);
        if self.raced.is_none() && !races(&steps).is_empty() {
            self.raced = Some(execution.clone());
        }
        if let Ending::Left(step) = execution.ending {
            let slot = request.prefix.get(step as usize).copied().unwrap_or(0);
            let last = execution
                .log
                .iter()
                .rev()
                .find(|r| matches!(r, Record::Pending(t, _) if *t == slot));
            let last = last.map_or_else(|| "does not exist".into(), Record::words);
            return Err(self.blamed(format!(
                "the program is not deterministic: a schedule that it followed before cannot be followed at step {step}, where {last}"
            )));
        }
        if self.channel.is_none() && share_input(&steps) {
            self.channel = Some("stdin".into());
        }
        self.learn(&execution)
            .map_err(|reason| self.blamed(reason))?;
        Ok(execution)
    }

    /// Follows a log and remembers what it says.
    fn learn(&mut self, execution: &Execution) -> Result<(), String> {
        let steps = steps(execution);
        let mut state = self.start();
        for (slot, next) in steps {
            let number = state.threads.iter().position(|t| t.slot == slot);
            let number = number.ok_or("the log names a thread that does not exist")?;
            let past = self.event(&state, number);
            let known = self.known.entry(past).or_insert_with(|| next.clone());
            if !same(known, &next) {
                let accesses =
                    |next: &Next| next.pending.as_ref().is_some_and(|op| op.kind.is_memory());
                self.differs = accesses(known) || accesses(&next);
                let show = |next: &Next| {
                    next.pending.as_ref().map_or_else(
                        || "ends".into(),
                        |op| format!("{} at {:#x}", op.kind.words(), op.pc),
                    )
                };
                return Err(format!(
                    "the program is not deterministic: thread {slot} once {}, and once {}, after the same",
                    show(known),
                    show(&next)
                ));
            }
            if known.written.is_none() && next.written.is_some() {
                *known = next.clone();
            }
            for &(cell, ref masks) in &next.touched {
                if let Some(masks) = masks {
                    self.masks.insert((cell, past), masks.clone());
                }
            }
            self.apply(&mut state, number, past, &next);
            let Some(op) = &next.pending else { continue };
            for &(cell, _, ref masks) in &op.guard {
                let version = self.version(&state, cell).write;
                let known = self.masks.entry((cell, version));
                known.or_insert_with(|| masks.clone());
            }
        }
        Ok(())
    }

    /// Returns which threads a version of a cell lets go on. If that is not known, runs a process to find out.
    fn masks_of(&mut self, state: &State, cell: u64, version: Past) -> Masks {
        if let Some(masks) = self.masks.get(&(cell, version)) {
            return masks.clone();
        }
        let request = Request {
            prefix: &state.schedule(),
            mode: self.mode,
            seed: 0,
            changes: &[],
        };
        let run = self.run(&request).map(drop);
        match (run, self.masks.get(&(cell, version))) {
            (Ok(()), Some(masks)) => return masks.clone(),
            (Err(problem), _) => self.give_up(problem),
            (Ok(()), None) => {
                let reason =
                    "what a schedule allows was not found out: this is a fault of dbverify";
                self.give_up(self.blamed(reason.into()));
            }
        }
        Masks::Few([0; 2])
    }

    /// Whether a thread's next operation can happen.
    pub(super) fn can(&mut self, state: &State, number: usize) -> bool {
        let thread = &state.threads[number];
        let Some(op) = thread.pending.clone() else {
            return false;
        };
        if state.ending.is_some() || self.problem.is_some() {
            return false;
        }
        let slot = thread.slot;
        if !op.polls.is_empty() && !op.polls.iter().any(|&cell| state.changed(slot, cell)) {
            return false;
        }
        op.guard.iter().all(|&(cell, class, _)| {
            if class == UNITS {
                let (given, unit) = self.next_unit(state, cell);
                return given || self.version(state, unit).write != 0;
            }
            let version = self.version(state, cell).write;
            self.masks_of(state, cell, version).allow(class, slot)
        })
    }
}

/// Checks whether two outcomes of equal pasts are equal, except for what one of them may not have seen to the end.
fn same(a: &Next, b: &Next) -> bool {
    a.touched == b.touched
        && a.spawned == b.spawned
        && a.ending == b.ending
        && match (&a.pending, &b.pending) {
            (Some(a), Some(b)) => {
                (a.kind, a.pc, a.object, &a.cells, &a.polls)
                    == (b.kind, b.pc, b.object, &b.cells, &b.polls)
            }
            (a, b) => a.is_none() == b.is_none(),
        }
}

/// The first operation of each thread.
fn begins() -> Op {
    Op {
        kind: Kind::START,
        yields: false,
        pc: 0,
        object: 0,
        callers: [0; 4],
        guard: Vec::new(),
        cells: Vec::new(),
        polls: Vec::new(),
    }
}

/// The steps of an execution: by whom, and what each did.
pub(super) fn steps(execution: &Execution) -> Vec<(u8, Rc<Next>)> {
    let mut steps: Vec<(u8, Next)> = Vec::new();
    let mut wrote: FxHashMap<u8, usize> = FxHashMap::default();
    for record in &execution.log {
        match record {
            Record::Event {
                thread,
                value,
                touched,
                kind,
            } => {
                if *kind == Kind::WRITE {
                    wrote.insert(*thread, steps.len());
                }
                let next = Next {
                    kind: *kind,
                    value: *value,
                    touched: touched.clone(),
                    spawned: Vec::new(),
                    pending: None,
                    silent: Vec::new(),
                    ending: None,
                    written: None,
                };
                steps.push((*thread, next));
            }
            Record::Pending(thread, op) => {
                if let Some((_, next)) = steps.iter_mut().rfind(|(slot, _)| slot == thread) {
                    next.pending = Some(Rc::new(op.clone()));
                }
            }
            Record::Value(thread, value) => {
                if let Some(&at) = wrote.get(thread) {
                    steps[at].1.written = Some(*value);
                }
            }
            Record::Spawn(child) => {
                if let Some((_, next)) = steps.last_mut() {
                    next.spawned.push(*child);
                }
            }
            &Record::Access { cell, write, pc } => {
                if let Some((_, next)) = steps.last_mut() {
                    next.silent.push(Silent { cell, write, pc });
                }
            }
            Record::Ended(_) | Record::Calls(..) | Record::Given(_) => {}
        }
    }
    // No step brings about these endings: the process is stopped from outside of its threads.
    if !matches!(
        execution.ending,
        Ending::Deadlock | Ending::Livelock | Ending::TooLong | Ending::Left(_)
    ) && let Some((_, next)) = steps.last_mut()
    {
        next.ending = Some(execution.ending.clone());
    }
    steps
        .into_iter()
        .map(|(slot, next)| (slot, Rc::new(next)))
        .collect()
}

impl Model for Checker {
    type State = State;

    fn start(&self) -> State {
        State {
            threads: vec![Thread {
                slot: 0,
                past: 1,
                pending: Some(Rc::new(begins())),
            }],
            versions: Vec::new(),
            key: 0,
            depth: 0,
            schedule: None,
            last: None,
            yielded: false,
            ending: None,
        }
    }

    fn tasks(&self, state: &State) -> u32 {
        state.threads.len() as u32
    }

    fn status(&mut self, state: &State, task: u32) -> Status {
        let number = task as usize;
        if state.threads[number].pending.is_none() || self.problem.is_some() {
            Status::Gone
        } else if matches!(state.ending, Some(Ending::Exited(_))) && self.world {
            Status::Blocked
        } else if state.ending.is_some() {
            Status::Gone
        } else if self.can(state, number) {
            Status::Ready
        } else {
            Status::Blocked
        }
    }

    fn guard(&mut self, state: &State, task: u32, cells: &mut Vec<Cell>) {
        let Some(op) = &state.threads[task as usize].pending else {
            return;
        };
        let op = op.clone();
        let guards = op.guard.iter().map(|&(cell, ..)| cell);
        let waits = guards.chain(op.polls.iter().copied());
        cells.extend(waits.map(|cell| place(state, cell)));
        for &(takes, ..) in op.guard.iter().filter(|g| g.1 == UNITS) {
            let (_, unit) = self.next_unit(state, takes);
            cells.push(place(state, unit));
        }
        if self.world {
            cells.push(Cell::Memory(WORLD));
        }
    }

    fn step(
        &mut self,
        state: &mut State,
        task: u32,
        _: &mut Choices,
        accesses: &mut Accesses,
    ) -> Outcome {
        let number = task as usize;
        let guard = state.threads[number].pending.clone();
        let Some(next) = self.advance(state, number) else {
            return Outcome::Ran;
        };
        for &(cell, ref masks) in &next.touched {
            let at = place(state, cell);
            let waits = || guard.iter().any(|op| op.guard.iter().any(|g| g.0 == cell));
            match masks {
                Some(_) => accesses.write(at),
                None if waits() => {}
                None => accesses.read(at),
            }
        }
        if matches!(next.ending, Some(Ending::Exited(_))) {
            self.leaves_threads(state);
        }
        match next.ending {
            None | Some(Ending::Exited(_)) => Outcome::Ran,
            Some(_) => Outcome::Failed,
        }
    }
}

/// A cell as the reduction knows it.
fn place(state: &State, cell: u64) -> Cell {
    if cell >> 56 == FINISHED {
        let slot = cell as u8;
        let number = state.threads.iter().position(|t| t.slot == slot);
        if let Some(number) = number {
            return Cell::Finished(number as u32);
        }
    }
    if cell >> 56 == UNIT {
        return Cell::Unit(cell, 0);
    }
    Cell::Memory(cell)
}
