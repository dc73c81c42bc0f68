//! The machine as the reduction sees it: tasks that step, cells that they touch.
//!
//! A step is a segment; its choices say which of its ways it goes. Cells are global slots. Where tasks are numbered,
//! every post adds one to a count, so that any two posts would conflict. The reduction names tasks itself. So it
//! ignores the count, unless the numbers can be seen in a final state.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{Accesses, Cell, Choices, Counter, Model, Outcome, Status};
use super::commuting::Commuting;
use super::rounds::{Rests, Row, come_again, disturbs, goes_on};
use machine::code::Counting;
use machine::space::apply;
use machine::{Awaited, End, Memo, Refusal, Shared, Start, Way, Why, World, Write};

/// The first task before it has begun.
const BEGIN: u32 = u32::MAX - 1;
/// A task that failed or was dropped: it has not finished, and never will.
const STUCK: u32 = u32::MAX;
/// A task that could not be followed.
const LOST: u32 = u32::MAX - 3;
/// A task whose step was pruned, because another choice has led to the same place.
const MERGED: u32 = u32::MAX - 4;
/// A task that has made a round and goes no further.
const ROUND: u32 = u32::MAX - 2;

#[derive(Debug, Default)]
pub struct State {
    pub leaves: Vec<u32>,
    /// The tasks' local states in the order of posting; 0 for one that has finished.
    pub tasks: Vec<u32>,
    /// Where the last step failed, if it did.
    pub failed: u32,
    /// Tasks in a row of steps, and where they have rested.
    rests: Vec<(u32, Rests)>,
    /// By counter: how often it was posted and taken, and whether its value is known and not below zero.
    counters: Vec<(Counter, bool)>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut new = Self::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, other: &Self) {
        self.leaves.clone_from(&other.leaves);
        self.tasks.clone_from(&other.tasks);
        self.failed = other.failed;
        self.rests.clone_from(&other.rests);
        self.counters.clone_from(&other.counters);
    }
}

impl State {
    /// Whether a step before could not be followed.
    pub fn is_partial(&self) -> bool {
        self.tasks.contains(&LOST)
    }

    /// Whether a task failed or was dropped.
    pub fn is_stuck(&self, task: u32) -> bool {
        self.tasks[task as usize] == STUCK
    }
}

/// What is known of a local state.
#[derive(Clone, Debug)]
struct Local {
    /// Whether it rests at an await.
    waits: bool,
    /// Whether the task may rest there again.
    again: bool,
    /// Whether its next segment touches the same slots, whatever the globals hold.
    plain: bool,
    /// The cells of its condition, if these are always the same.
    awaits: Option<Box<[Cell]>>,
    /// The operation that it waits for, and a mask of those with which it commutes.
    operation: (u32, u64),
    /// What its next segment does to a counter.
    counting: Option<Counting>,
}

pub struct ProgramModel<'s> {
    shared: &'s Shared,
    memo: Memo<'s>,
    start: State,
    locals: Vec<Option<Local>>,
    /// By instruction: whether a task may come there again.
    again: Vec<bool>,
    /// The slot that counts posts, if any two posts are to commute.
    count: Option<u32>,
    awaited: Vec<Awaited>,
    way: Chosen,
    /// The ways of the first segment, once it has run.
    first: Vec<Chosen>,
    /// The ways of the last segment that had very many.
    many: Many,
    /// The first step that could not be followed.
    pub refusal: Option<Refusal>,
    /// Operations that commute, and the state for which that counts.
    pub commuting: Commuting,
    /// Globals with release sequences that a write ends. Other tasks may learn less after such a write, so a step that writes one
    /// without reading it is no part of a round.
    pub sequenced: FxHashSet<u32>,
    /// Whether races are looked for. Then what a step writes before it fails counts: no other step reads it, but it races.
    pub races: bool,
    /// The slots that a step writes, with what they held.
    written: Vec<(u32, u32)>,
    /// Segments that post or take, by the place where the task rests before. `counters` numbers the slots of their counters.
    counting: FxHashMap<u32, Counting>,
    counters: FxHashMap<u32, usize>,
}

/// A variable with more slots than this does not count as counters.
const COUNTERS: usize = 256;

/// The way that a step goes.
#[derive(Clone, Debug)]
struct Chosen {
    end: End,
    writes: Vec<Write>,
    posts: Vec<u32>,
    touched: Vec<u32>,
    picks: Vec<(u32, u32)>,
}

/// The ways in which a task can go on in a configuration.
#[derive(Debug, Default)]
struct Many {
    local: u32,
    state: State,
    ways: Vec<Chosen>,
}

impl Many {
    fn is_of(&self, state: &State, local: u32) -> bool {
        self.local == local
            && !self.ways.is_empty()
            && self.state.leaves == state.leaves
            && self.state.tasks == state.tasks
    }
}

/// The model does not remember the ways of a segment that has more than this.
const WAYS: u32 = 4096;
/// How many ways of one segment are followed.
const MOST: usize = 1 << 18;

/// Collects the ways of a segment that differ in what they looked at and did. Returns whether these are all.
fn distinct(memo: &mut Memo<'_>, start: Start, world: World<'_>, ways: &mut Vec<Chosen>) -> bool {
    let mut whole = true;
    memo.distinct(start, world, |way| {
        if ways.len() == MOST {
            whole = false;
            return ControlFlow::Break(());
        }
        ways.push(Chosen::of(way));
        ControlFlow::Continue(())
    });
    whole
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            end: End::Dropped,
            writes: Vec::new(),
            posts: Vec::new(),
            touched: Vec::new(),
            picks: Vec::new(),
        }
    }
}

impl Chosen {
    fn of(way: Way<'_>) -> Self {
        let mut chosen = Self::default();
        chosen.take(way);
        chosen
    }

    /// Becomes the first way whose choices begin with `script`. The ways are sorted by their choices.
    fn find(&mut self, ways: &[Self], script: &[(u32, u32)]) {
        let at = ways.partition_point(|way| way.picks.as_slice() < script);
        if let Some(way) = ways.get(at).filter(|way| way.picks.starts_with(script)) {
            self.clone_from(way);
        }
    }

    fn clear(&mut self) {
        self.end = End::Dropped;
        self.writes.clear();
        self.posts.clear();
        self.touched.clear();
        self.picks.clear();
    }

    fn take(&mut self, way: Way<'_>) {
        self.end = way.end;
        self.writes.extend_from_slice(way.writes);
        self.posts.extend_from_slice(way.posts);
        self.touched.extend_from_slice(way.touched);
        self.picks.extend_from_slice(way.picks);
    }
}

impl<'s> ProgramModel<'s> {
    /// The tasks of a program whose first row of globals is given. `numbers_show`: the numbers of tasks can be seen in
    /// a final state.
    pub fn new(shared: &'s Shared, leaves: Vec<u32>, numbers_show: bool, room: usize) -> Self {
        let last = shared.packing.slots.len().checked_sub(1);
        let count = last.and_then(|slot| u32::try_from(slot).ok());
        Self {
            shared,
            memo: Memo::new(shared, room),
            start: State {
                leaves,
                tasks: vec![BEGIN],
                failed: 0,
                rests: Vec::new(),
                counters: Vec::new(),
            },
            locals: Vec::new(),
            again: come_again(&shared.code),
            count: count.filter(|_| shared.code.handles && !numbers_show),
            awaited: Vec::new(),
            way: Chosen::default(),
            first: Vec::new(),
            many: Many::default(),
            refusal: None,
            commuting: Commuting::default(),
            sequenced: FxHashSet::default(),
            races: false,
            written: Vec::new(),
            counting: FxHashMap::default(),
            counters: FxHashMap::default(),
        }
    }

    /// Finds the counters that segments wait for, of those whose operations are not known to commute.
    pub fn find_counters(&mut self) {
        self.counting = self.shared.code.counting();
        let takes = self.counting.values().filter(|c| c.takes);
        let taken: FxHashSet<u32> = takes.map(|c| c.variable).collect();
        let mut slots: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (slot, info) in (0..).zip(&self.shared.code.slots) {
            if taken.contains(&info.variable) && !self.commuting.is_own(info.variable) {
                slots.entry(info.variable).or_default().push(slot);
            }
        }
        slots.retain(|_, slots| slots.len() <= COUNTERS);
        self.counting.retain(|_, c| slots.contains_key(&c.variable));
        let mut all: Vec<u32> = slots.into_values().flatten().collect();
        all.sort_unstable();
        self.counters = all.iter().copied().zip(0..).collect();
        let leaves = &self.start.leaves;
        self.start.counters = (all.iter())
            .map(|&slot| match self.count_in(leaves, slot) {
                Some(value) => (Counter::new(value), true),
                None => (Counter::new(0), false),
            })
            .collect();
    }

    /// What a counter's slot holds, if the value is known and not below zero.
    fn count_in(&self, leaves: &[u32], slot: u32) -> Option<i64> {
        let place = self.shared.packing.slots[slot as usize];
        let value = place.number(place.code(leaves[place.leaf as usize]));
        value.filter(|v| *v >= 0)
    }

    /// What is known of a local state.
    fn local(&mut self, local: u32) -> &mut Local {
        let at = local as usize;
        if at >= self.locals.len() {
            self.locals.resize(at + 1, None);
        }
        let (shared, commuting, counting) = (self.shared, &self.commuting, &self.counting);
        self.locals[at].get_or_insert_with(|| {
            let pc = shared.resumes_at(local);
            Local {
                waits: shared.at_await(pc),
                again: self.again[pc as usize],
                plain: shared.code.touches_the_same(pc),
                awaits: None,
                operation: (shared.code.operations.get(&pc))
                    .map_or((0, 0), |op| commuting.of_op(*op)),
                counting: counting.get(&pc).copied(),
            }
        })
    }

    /// Finds what the condition of a task depends on.
    fn ask(&mut self, state: &State, local: u32, cells: &mut Vec<Cell>) {
        self.awaited.clear();
        let pending = |task: u32| is_pending(state, task);
        let world = World {
            leaves: &state.leaves,
            pending: &pending,
        };
        let lasting = self.memo.awaited(local, world, &mut self.awaited);
        for awaited in &self.awaited {
            match *awaited {
                Awaited::Slot(slot) => cells.push(Cell::Memory(slot.into())),
                Awaited::Finished(task) => cells.push(Cell::Finished(task - 1)),
                Awaited::AnyFinished => {
                    let tasks = 0..u32::try_from(state.tasks.len()).unwrap_or(u32::MAX);
                    cells.extend(tasks.map(Cell::Finished));
                }
            }
        }
        cells.sort_unstable();
        cells.dedup();
        if lasting {
            self.local(local).awaits = Some(cells.as_slice().into());
        }
    }

    /// Puts the way that the choices say into `way`.
    fn go(&mut self, state: &State, local: u32, choices: &mut Choices) {
        // There is such a way, unless the machine is breaking off.
        self.way.clear();
        if local == BEGIN {
            self.begin(state);
            self.way.find(&self.first, choices.made());
        } else if self.many.is_of(state, local) || !self.goes_one_of_few(state, local, choices) {
            self.spread_out(state, local);
            self.way.find(&self.many.ways, choices.made());
        }
        for &(_, count) in &self.way.picks {
            choices.choose(count);
        }
    }

    /// Like `go`, for a task that has few ways to go on. Returns whether it has few.
    fn goes_one_of_few(&mut self, state: &State, local: u32, choices: &Choices) -> bool {
        let pending = |task: u32| is_pending(state, task);
        let world = World {
            leaves: &state.leaves,
            pending: &pending,
        };
        let (way, script) = (&mut self.way, choices.made());
        let (mut found, mut count) = (false, 0);
        self.memo.ways_until(local, world, |next| {
            if !found && next.picks.starts_with(script) {
                found = true;
                way.take(next);
            }
            count += 1;
            if count > WAYS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if count > WAYS {
            way.clear();
        }
        count <= WAYS
    }

    /// Finds the very many ways in which a task can go on, unless they are at hand.
    fn spread_out(&mut self, state: &State, local: u32) {
        if self.many.is_of(state, local) {
            return;
        }
        let pending = |task: u32| is_pending(state, task);
        let world = World {
            leaves: &state.leaves,
            pending: &pending,
        };
        let mut ways = std::mem::take(&mut self.many.ways);
        ways.clear();
        let whole = distinct(&mut self.memo, Start::Task(local), world, &mut ways);
        self.many = Many {
            local,
            state: state.clone(),
            ways,
        };
        if !whole {
            self.too_many(self.shared.resumes_at(local));
        }
    }

    /// The first segment, which the machine does not remember.
    fn begin(&mut self, state: &State) {
        if !self.first.is_empty() {
            return;
        }
        let world = World {
            leaves: &state.leaves,
            pending: &|_| false,
        };
        let mut whole = true;
        if self.memo.has_many_ways(Start::Main, world) {
            whole = distinct(&mut self.memo, Start::Main, world, &mut self.first);
        } else {
            let first = &mut self.first;
            let each = |way: Way<'_>| first.push(Chosen::of(way));
            self.memo.once(Start::Main, world, each);
        }
        if !whole {
            self.too_many(self.shared.code.procs[self.shared.main as usize].entry);
        }
        // Time is up. The search has no time to plan for all ways that were found, and some were not found.
        if self.shared.halt.now() {
            self.first.truncate(1);
        }
    }

    /// Notes that not all ways to go on from a place are followed.
    fn too_many(&mut self, pc: u32) {
        let span = self.shared.code.spans[pc as usize];
        self.refusal.get_or_insert(Refusal {
            why: Why::Ways,
            span,
        });
    }

    /// Reports what the chosen way touched, after it was applied. Returns whether it looked at any global. `counting` is what the
    /// way does to a counter.
    fn report(
        &self,
        state: &mut State,
        counting: Option<Counting>,
        outcome: Outcome,
        accesses: &mut Accesses,
    ) -> bool {
        let ran = outcome == Outcome::Ran;
        let seen = ran || self.races && outcome == Outcome::Failed;
        let mut looked = false;
        for &touched in &self.way.touched {
            let (slot, write) = (touched >> 1, touched & 1 == 1);
            if Some(slot) == self.count {
                continue;
            }
            looked |= !write;
            // If the step did not run to its end, no other step sees what it has written.
            if !seen && write {
                continue;
            }
            if let Some(&counter) = self.counters.get(&slot) {
                looked = true;
                let own = counting.filter(|c| ran && c.variable == self.variable(slot));
                self.report_counter((slot, counter), write, state, own, accesses);
                continue;
            }
            let cell = Cell::Memory(slot.into());
            match (self.is_own(slot), write) {
                (true, _) => accesses.own(cell, write),
                (false, true) => accesses.write(cell),
                (false, false) => accesses.read(cell),
            }
        }
        looked
    }

    /// Like `report`, for a slot that is a counter. If the segment posts or takes it, it touches the counter nowhere
    /// else: it reads the slot to write it.
    fn report_counter(
        &self,
        (slot, counter): (u32, usize),
        write: bool,
        state: &mut State,
        counting: Option<Counting>,
        accesses: &mut Accesses,
    ) {
        let cell = slot.into();
        let (count, known) = &mut state.counters[counter];
        match (counting.filter(|_| *known), write) {
            (Some(_), false) => {}
            (Some(Counting { takes: true, .. }), true) => count.take(cell, accesses),
            (Some(_), true) => count.post(cell, accesses),
            (None, false) => Counter::read(cell, accesses),
            (None, true) => {
                let value = self.count_in(&state.leaves, slot);
                *known = value.is_some();
                count.write(value.unwrap_or(0), cell, accesses);
            }
        }
    }

    fn variable(&self, slot: u32) -> u32 {
        self.shared.code.slots[slot as usize].variable
    }

    /// Replaces slots of counters among a condition's cells by the cells that the counters have for it.
    fn counted(&self, state: &State, counting: Option<Counting>, cells: &mut Vec<Cell>) {
        if self.counters.is_empty() {
            return;
        }
        for cell in std::mem::take(cells) {
            let Cell::Memory(at) = cell else {
                cells.push(cell);
                continue;
            };
            let slot = u32::try_from(at).unwrap_or(u32::MAX);
            match self.counters.get(&slot) {
                None => cells.push(cell),
                Some(&counter) => match state.counters[counter] {
                    (count, true)
                        if counting.is_some_and(|c| c.variable == self.variable(slot)) =>
                    {
                        count.awaited(at, cells);
                    }
                    _ => Counter::looked_at(at, cells),
                },
            }
        }
    }

    /// Whether a slot belongs to an object, and nothing but operations touches it.
    fn is_own(&self, slot: u32) -> bool {
        let slots = &self.shared.code.slots;
        self.commuting.owns()
            && (slots.get(slot as usize)).is_some_and(|s| self.commuting.is_own(s.variable))
    }

    /// Whether the step writes a slot of an atomic variable that it has not read.
    fn ends_a_sequence(&self, slot: u32) -> bool {
        let slots = &self.shared.code.slots;
        let variable = slots.get(slot as usize).map(|s| s.variable);
        variable.is_some_and(|v| self.sequenced.contains(&v))
            && !self.way.touched.contains(&(slot << 1))
    }

    /// Applies the chosen way to a configuration.
    fn apply(&mut self, state: &mut State, task: u32) -> Outcome {
        let own = task as usize;
        let (rest, outcome) = match self.way.end {
            End::Rests(local) => (local, Outcome::Ran),
            End::Finished => (0, Outcome::Ran),
            End::Fails(site) => {
                state.failed = site;
                (STUCK, Outcome::Failed)
            }
            End::Refused(refusal) => {
                self.refusal.get_or_insert(refusal);
                (LOST, Outcome::Dropped)
            }
            End::Pruned => (MERGED, Outcome::Dropped),
            End::Dropped | End::Blocked => (STUCK, Outcome::Dropped),
        };
        let from = std::mem::replace(&mut state.tasks[own], rest);
        self.disturb(state, task, outcome);
        if outcome == Outcome::Ran {
            self.change(state, (task, from));
        }
        outcome
    }

    /// Ends the rows of other tasks that have changed a slot which this step touches: they may put it back later.
    fn disturb(&self, state: &mut State, own: u32, outcome: Outcome) {
        let seen = |t: &u32| outcome == Outcome::Ran || t & 1 == 0;
        state.rests.retain(|(task, rests)| {
            *task == own || !disturbs(rests, self.way.touched.iter().filter(|t| seen(t)))
        });
    }

    /// Writes what the chosen way writes, and adds the tasks that it posts.
    fn carry_out(&self, state: &mut State) {
        apply(&mut state.leaves, &self.way.writes);
        state.tasks.extend_from_slice(&self.way.posts);
    }

    fn change(&mut self, state: &mut State, (own, from): (u32, u32)) {
        let to = state.tasks[own as usize];
        let row = state.rests.iter().position(|(task, _)| *task == own);
        let before = row.map(|at| state.rests.swap_remove(at).1);
        if to == 0 || !self.local(to).again {
            return self.carry_out(state);
        }
        let mut written = std::mem::take(&mut self.written);
        let code = |leaves: &[u32], slot: u32| {
            let place = self.shared.packing.slots[slot as usize];
            place.code(leaves[place.leaf as usize])
        };
        written.clear();
        let slots = self.way.touched.iter().filter(|&t| t & 1 == 1);
        written.extend(slots.map(|t| (t >> 1, code(&state.leaves, t >> 1))));
        self.carry_out(state);
        // Commuting operations have no order among themselves, so a step with one is no part of a round.
        let commutes = |slot: u32| self.is_own(slot) || self.counters.contains_key(&slot);
        let own_state = written.iter().any(|&(slot, _)| commutes(slot));
        let ends = written.iter().any(|&(slot, _)| self.ends_a_sequence(slot));
        if !own_state && !ends && self.way.posts.is_empty() {
            let changes = written.iter();
            let changes = changes.map(|&(slot, was)| (slot, was, code(&state.leaves, slot)));
            match goes_on(before, (from, to), changes) {
                Row::Ends => {}
                Row::GoesOn(rests) => state.rests.push((own, rests)),
                Row::IsRound => state.tasks[own as usize] = ROUND,
            }
        }
        self.written = written;
    }
}

/// Whether a local state is that of a task that never steps again.
fn is_gone(local: u32) -> bool {
    matches!(local, 0 | STUCK | LOST | MERGED)
}

/// Whether the task with a number has not finished.
fn is_pending(state: &State, number: u32) -> bool {
    let place = (number as usize).checked_sub(1);
    place
        .and_then(|p| state.tasks.get(p))
        .is_some_and(|&local| local != 0)
}

impl Model for ProgramModel<'_> {
    type State = State;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn tasks(&self, state: &State) -> u32 {
        u32::try_from(state.tasks.len()).unwrap_or(u32::MAX)
    }

    fn status(&mut self, state: &State, task: u32) -> Status {
        let local = state.tasks[task as usize];
        if is_gone(local) {
            return Status::Gone;
        }
        if local == ROUND {
            return Status::Round;
        }
        if local == BEGIN || !self.local(local).waits {
            return Status::Ready;
        }
        let pending = |task: u32| is_pending(state, task);
        let world = World {
            leaves: &state.leaves,
            pending: &pending,
        };
        let mut blocked = true;
        self.memo.ways_until(local, world, |way| {
            blocked &= way.end == End::Blocked;
            if blocked {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        if blocked {
            Status::Blocked
        } else {
            Status::Ready
        }
    }

    fn guard(&mut self, state: &State, task: u32, cells: &mut Vec<Cell>) {
        let local = state.tasks[task as usize];
        if matches!(local, BEGIN | ROUND) || is_gone(local) || !self.local(local).waits {
            return;
        }
        let known = self.local(local);
        let counting = known.counting;
        match &known.awaits {
            Some(known) => cells.extend_from_slice(known),
            None => self.ask(state, local, cells),
        }
        self.counted(state, counting, cells);
    }

    fn step(
        &mut self,
        state: &mut State,
        task: u32,
        choices: &mut Choices,
        accesses: &mut Accesses,
    ) -> Outcome {
        let local = state.tasks[task as usize];
        if is_gone(local) || local == ROUND {
            // Only a step repeated while the machine is breaking off gets here.
            return Outcome::Dropped;
        }
        self.go(state, local, choices);
        let (mut waits, mut plain, mut counting) = (false, false, None);
        if local != BEGIN {
            let known = self.local(local);
            (waits, plain, counting) = (known.waits, known.plain, known.counting);
            accesses.operation(known.operation.0, known.operation.1);
        }
        let outcome = self.apply(state, task);
        let looked = self.report(state, counting, outcome, accesses);
        let alone = choices.made().is_empty() && !waits;
        if alone && (!looked || plain && self.counters.is_empty()) {
            accesses.promise_fixed();
        }
        if self.shared.code.handles && self.way.end == End::Finished {
            accesses.write(Cell::Finished(task));
        }
        outcome
    }
}
