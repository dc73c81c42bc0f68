//! The machine as the reduction sees it: tasks that step, cells that they touch.
//!
//! A step is a segment; its choices are which of its ways it goes. Cells are global slots. Where tasks are
//! numbered, every post counts one up, so that any two posts would conflict; the reduction names tasks itself, so
//! this counts only if the numbers can be seen in a final state.

use super::super::dpor::{Accesses, Cell, Choices, Model, Outcome, Status};
use super::super::machine::{Awaited, End, Memo, Refusal, Shared, Start, Way, World, Write};
use super::super::space::apply;
use super::commuting::Commuting;

/// The first task before it has begun.
const BEGIN: u32 = u32::MAX - 1;
/// A task that failed or was dropped: it has not finished, and never will.
const STUCK: u32 = u32::MAX;

/// A configuration.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The globals' leaves.
    pub leaves: Vec<u32>,
    /// The tasks' local states in the order of posting; 0 for one that has finished.
    pub tasks: Vec<u32>,
    /// Where the last step failed, if it did.
    pub failed: u32,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            leaves: self.leaves.clone(),
            tasks: self.tasks.clone(),
            failed: self.failed,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.leaves.clone_from(&other.leaves);
        self.tasks.clone_from(&other.tasks);
        self.failed = other.failed;
    }
}

/// What is known of a local state.
#[derive(Clone, Debug)]
struct Local {
    /// It rests at an await.
    waits: bool,
    /// Its next segment touches the same whatever the globals hold.
    plain: bool,
    /// What its condition depends on, if that is always the same.
    awaits: Option<Box<[Cell]>>,
    /// The operation that it waits for, and those with which it commutes.
    operation: (u32, u64),
}

/// The machine's tasks.
pub(crate) struct Tasks<'s> {
    shared: &'s Shared,
    memo: Memo<'s>,
    start: State,
    locals: Vec<Option<Local>>,
    /// Where the number of posts is kept, if posts are to be taken as commuting.
    count: Option<u32>,
    awaited: Vec<Awaited>,
    way: Chosen,
    /// The ways of the first segment, once it has run.
    first: Vec<Chosen>,
    /// The first step that could not be followed.
    pub refusal: Option<Refusal>,
    /// Operations that commute, and the state for which that counts.
    pub commuting: Commuting,
}

/// The way that a step goes.
#[derive(Clone, Debug)]
struct Chosen {
    end: End,
    writes: Vec<Write>,
    posts: Vec<u32>,
    touched: Vec<u32>,
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            end: End::Dropped,
            writes: Vec::new(),
            posts: Vec::new(),
            touched: Vec::new(),
        }
    }
}

impl Chosen {
    fn clear(&mut self) {
        self.end = End::Dropped;
        self.writes.clear();
        self.posts.clear();
        self.touched.clear();
    }

    fn take(&mut self, way: Way<'_>) {
        self.end = way.end;
        self.writes.extend_from_slice(way.writes);
        self.posts.extend_from_slice(way.posts);
        self.touched.extend_from_slice(way.touched);
    }
}

impl<'s> Tasks<'s> {
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
            },
            locals: Vec::new(),
            count: count.filter(|_| shared.code.handles && !numbers_show),
            awaited: Vec::new(),
            way: Chosen::default(),
            first: Vec::new(),
            refusal: None,
            commuting: Commuting::default(),
        }
    }

    /// What is known of a local state.
    fn local(&mut self, local: u32) -> &mut Local {
        let at = local as usize;
        if at >= self.locals.len() {
            self.locals.resize(at + 1, None);
        }
        let (shared, commuting) = (self.shared, &self.commuting);
        self.locals[at].get_or_insert_with(|| {
            let pc = shared.resumes_at(local);
            Local {
                waits: shared.at_await(pc),
                plain: shared.code.touches_the_same(pc),
                awaits: None,
                operation: (shared.code.operations.get(&pc))
                    .map_or((0, 0), |op| commuting.of_op(*op)),
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
        let wanted = choices.scripted().unwrap_or(0);
        // There is such a way, unless the machine is breaking off.
        self.way.clear();
        let count = if local == BEGIN {
            self.begin(state, wanted)
        } else {
            let pending = |task: u32| is_pending(state, task);
            let world = World {
                leaves: &state.leaves,
                pending: &pending,
            };
            let (way, mut count) = (&mut self.way, 0);
            self.memo.ways(local, world, |found| {
                if count == wanted {
                    way.take(found);
                }
                count += 1;
            });
            count
        };
        if count > 1 {
            choices.choose(count);
        }
    }

    /// The first segment, which the machine does not remember.
    fn begin(&mut self, state: &State, wanted: u32) -> u32 {
        if self.first.is_empty() {
            let world = World {
                leaves: &state.leaves,
                pending: &|_| false,
            };
            let first = &mut self.first;
            self.memo.once(Start::Main, world, |found| {
                let mut way = Chosen::default();
                way.take(found);
                first.push(way);
            });
            // There is no time to plan for all that were found, and not all were.
            if self.shared.halt.now() {
                self.first.truncate(1);
            }
        }
        if let Some(way) = self.first.get(wanted as usize) {
            self.way.clone_from(way);
        }
        u32::try_from(self.first.len()).unwrap_or(u32::MAX)
    }

    /// Reports what the chosen way touched; whether it looked at any global.
    fn report(&self, accesses: &mut Accesses) -> bool {
        let ran = matches!(self.way.end, End::Rests(_) | End::Finished);
        let mut looked = false;
        for &touched in &self.way.touched {
            let (slot, write) = (touched >> 1, touched & 1 == 1);
            if Some(slot) == self.count {
                continue;
            }
            looked |= !write;
            // What a step that failed has written nobody sees.
            if ran || !write {
                let cell = Cell::Memory(slot.into());
                let own = self.is_own(slot);
                match (own, write) {
                    (true, _) => accesses.own(cell, write),
                    (false, true) => accesses.write(cell),
                    (false, false) => accesses.read(cell),
                }
            }
        }
        looked
    }

    /// Whether a slot belongs to an object, and nothing but operations touches it.
    fn is_own(&self, slot: u32) -> bool {
        let slots = &self.shared.code.slots;
        let slot = slots.get(slot as usize);
        slot.is_some_and(|s| self.commuting.is_own(s.variable))
    }

    /// Does to a configuration what the chosen way does.
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
                (STUCK, Outcome::Dropped)
            }
            End::Dropped | End::Blocked | End::Pruned => (STUCK, Outcome::Dropped),
        };
        state.tasks[own] = rest;
        if outcome == Outcome::Ran {
            apply(&mut state.leaves, &self.way.writes);
            state.tasks.extend_from_slice(&self.way.posts);
        }
        outcome
    }
}

/// Whether a local state is that of a task that never steps again.
fn is_gone(local: u32) -> bool {
    local == 0 || local == STUCK
}

/// Whether the task with a number has not finished.
fn is_pending(state: &State, number: u32) -> bool {
    let place = (number as usize).checked_sub(1);
    place
        .and_then(|p| state.tasks.get(p))
        .is_some_and(|&local| local != 0)
}

impl Model for Tasks<'_> {
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
        if local == BEGIN || !self.local(local).waits {
            return Status::Ready;
        }
        let pending = |task: u32| is_pending(state, task);
        let world = World {
            leaves: &state.leaves,
            pending: &pending,
        };
        let mut blocked = true;
        self.memo
            .ways(local, world, |way| blocked &= way.end == End::Blocked);
        if blocked {
            Status::Blocked
        } else {
            Status::Ready
        }
    }

    fn guard(&mut self, state: &State, task: u32, cells: &mut Vec<Cell>) {
        let local = state.tasks[task as usize];
        if local == BEGIN || is_gone(local) || !self.local(local).waits {
            return;
        }
        if let Some(known) = &self.local(local).awaits {
            return cells.extend_from_slice(known);
        }
        self.ask(state, local, cells);
    }

    fn step(
        &mut self,
        state: &mut State,
        task: u32,
        choices: &mut Choices,
        accesses: &mut Accesses,
    ) -> Outcome {
        let local = state.tasks[task as usize];
        if is_gone(local) {
            // Only a step repeated while the machine is breaking off gets here.
            return Outcome::Dropped;
        }
        self.go(state, local, choices);
        if local != BEGIN {
            let (number, commutes) = self.local(local).operation;
            accesses.operation(number, commutes);
        }
        let looked = self.report(accesses);
        let waits = local != BEGIN && self.local(local).waits;
        let alone = choices.made().is_empty() && !waits;
        if alone && (!looked || local != BEGIN && self.local(local).plain) {
            accesses.promise_fixed();
        }
        let outcome = self.apply(state, task);
        if self.shared.code.handles && self.way.end == End::Finished {
            accesses.write(Cell::Finished(task));
        }
        outcome
    }
}
