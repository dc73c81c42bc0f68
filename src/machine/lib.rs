//! Runs segments: one task from its dispatch to its next visit to the dispatcher, with every choice.
//!
//! A segment is a function of the task's local state and of the globals that it looks at. The machine says which
//! globals those were, so that its caller can remember the result. It knows one task at a time and no scheduler.

pub mod arith;
pub mod budget;
pub mod choice;
pub mod code;
pub mod condition;
pub mod exec;
pub mod found;
pub mod frames;
pub mod given;
pub mod limits;
pub mod memo;
pub mod ops;
pub mod pack;
pub mod schedule;
pub mod script;
pub mod space;
pub mod store;
pub mod symmetry;
pub mod tables;
pub mod values;
pub mod view;
pub mod watch;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use serde::{Deserialize, Serialize};

use base::source::Span;

use crate::code::Code;
use crate::pack::Packing;
use crate::symmetry::Symmetry;
use crate::tables::Tables;

pub use choice::{Chosen, Place};
pub use condition::Awaited;
pub use memo::{Memo, Node};

use choice::Snapshot;
use view::View;
use watch::{Act, Ordered, Watched};

/// What all machines of an exploration share.
#[derive(Debug)]
pub struct Shared {
    pub code: Code,
    /// The procedure that gives globals their values.
    pub init: u32,
    /// The first task's procedure.
    pub main: u32,
    /// The `finally` part.
    pub finally: Option<u32>,
    pub packing: Packing,
    /// What states name by number.
    pub tables: Mutex<Tables>,
    /// Whether to stop a choice that reaches a point of the segment that was visited before.
    pub prune: bool,
    /// Whether to follow, in a segment with very many ways, only ways that differ in what they looked at and did.
    pub merge: bool,
    /// Whether some choice was stopped because it reached a visited point.
    pub pruned: AtomicBool,
    /// Whether some segment chose a value for a variable whose type [is wide](code::is_wide), or for a part of a tree.
    pub chose_wide: AtomicBool,
    /// The numbers that are exchanged, once the search has found that they can be.
    pub symmetry: OnceLock<Symmetry>,
    /// For each landmark whether an execution has come there.
    pub reached: Box<[AtomicBool]>,
    /// Which accesses are recorded, if the search looks for data races in states.
    pub watched: Option<Watched>,
    /// When to stop, whatever is being done.
    pub halt: limits::Halt,
}

impl Shared {
    /// Roughly how much memory the tables take.
    pub fn bytes(&self) -> u64 {
        lock(&self.tables).bytes()
    }

    /// Forgets which landmarks were reached, and whether a choice was stopped.
    pub fn forget_reached(&self) {
        let flags = self.reached.iter().chain([&self.pruned]);
        flags.for_each(|flag| flag.store(false, Ordering::Relaxed));
    }
}

/// How a segment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// The task goes back to the scheduler, with this local state.
    Rests(u32),
    /// The task is done.
    Finished,
    Fails(u32),
    /// The execution is dropped.
    Dropped,
    /// The task could not begin: it is blocked.
    Blocked,
    /// Another choice has led here already.
    Pruned,
    /// The machine cannot go on.
    Refused(Refusal),
}

/// Why the machine cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Refusal {
    pub why: Why,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Why {
    /// A number does not fit 64 bits.
    TooLarge,
    /// A global was needed that has no value.
    Global(u32),
    /// A local of a procedure was needed that has no value: procedure, variable.
    Local(u32, u32),
    /// Part of a tree was needed that has no value and cannot be chosen here.
    Tree,
    /// A condition that a task waits for needs a value that was never chosen.
    Guard,
    /// A segment has too many ways.
    Ways,
    /// A segment runs on and on.
    Endless,
    /// Calls nest without end.
    Deep,
    /// The time is up.
    Halted,
}

/// What a segment looked at, in order. A value that it changed first is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A global slot, and its code.
    Read(u32, u32),
    /// Whether a task has finished.
    Finished(u32, bool),
    /// A choice: of how many values, and the index of the one that was taken.
    Choice(u32, u32),
}

/// A change of a leaf: new = old & keep | bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    pub leaf: u32,
    /// The bits that stay.
    pub keep: u32,
    /// The new bits.
    pub bits: u32,
}

/// A way in which a segment can go.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    pub end: End,
    pub writes: &'a [Write],
    /// The local states of the tasks that it posts, in order.
    pub posts: &'a [u32],
    /// The global slots that it touched: `slot << 1`, plus 1 if it was written.
    pub touched: &'a [u32],
    /// Its choices: which was taken, and of how many.
    pub picks: &'a [(u32, u32)],
    /// Its accesses that may race.
    pub acts: &'a [Act],
    /// Whether the way ends at a `sleep`.
    pub slept: bool,
}

/// A way that was run with a log.
#[derive(Clone, Debug)]
pub struct Logged {
    pub end: End,
    pub writes: Vec<Write>,
    pub posts: Vec<u32>,
    /// What the way forgot and chose.
    pub log: Vec<Chosen>,
}

impl Logged {
    pub fn way(&self) -> Way<'_> {
        Way {
            end: self.end,
            writes: &self.writes,
            posts: &self.posts,
            touched: &[],
            picks: &[],
            acts: &[],
            slept: false,
        }
    }
}

/// What a machine may look at beside the running task.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The leaves of the globals.
    pub leaves: &'a [u32],
    /// Whether a task is pending, by its number.
    pub pending: &'a dyn Fn(u32) -> bool,
}

/// An activation: where it is, and where its registers begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    /// The next instruction; for a frame that waits, its call.
    pc: u32,
    base: u32,
}

/// What a machine has to remember within a segment.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    /// The segment did something visible.
    touched: bool,
    /// The machine evaluates the guard of the await at which the task rested.
    guard: bool,
    /// The machine computes the initial values; `main` runs next.
    initial: bool,
    /// If not 0: the guard at this place is evaluated only to choose what it needs. Then the task rests there.
    probe: u32,
    /// The task rests at a `sleep`.
    slept: bool,
    /// Whether the segment has ordered tasks, if accesses are taken down.
    ordered: Ordered,
}

/// Where a segment begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial values, then `main`.
    Main,
    /// A pending task with that local state.
    Task(u32),
    /// The `finally` part.
    Finally(u32),
}

pub struct Machine<'s> {
    shared: &'s Shared,
    view: View,
    stack: Vec<i64>,
    frames: Vec<Frame>,
    /// The running task's number, where tasks are numbered.
    me: u32,
    flags: Flags,
    posts: Vec<u32>,
    events: Vec<Event>,
    fuel: u64,
    /// How many turns the machine has run: a turn is a call of `some`.
    turns: u32,
    snapshots: Vec<Snapshot>,
    /// Bytes that choices copied since the memory was looked at.
    kept: usize,
    /// The places to which choices have led in this segment.
    met: rustc_hash::FxHashSet<Box<[i64]>>,
    pruned: bool,
    /// Whether to stop a choice that reaches a visited place, if both ways looked at the same.
    merging: bool,
    /// What the way forgot and chose, if the caller wants to know.
    log: Option<Vec<Chosen>>,
    /// Whether the machine goes on when a limit is reached, because it only replays for display what a search found in time.
    pub patient: bool,
    /// The landmarks that a rehearsed segment passes. They are not noted as reached: perhaps no execution runs it.
    passed: Option<BTreeSet<u32>>,
    bytes: Vec<u8>,
    writes: Vec<Write>,
    slots: Vec<u32>,
    picks: Vec<(u32, u32)>,
    /// The accesses so far that may race.
    acts: Vec<Act>,
    /// The accesses of a complete way, sorted and without duplicates.
    accessed: Vec<Act>,
}

/// Of a segment with more ways than this, the machine follows only ways that differ.
const WAYS: u32 = 4096;
/// How many instructions a segment may run.
const FUEL: u64 = 200_000_000;
/// The same for a rehearsed segment.
const REHEARSAL: u64 = 100_000;
/// How many registers all frames of a task may have.
const DEPTH: usize = 16 << 20;

impl<'s> Machine<'s> {
    /// A machine at rest.
    pub fn new(shared: &'s Shared) -> Self {
        Self {
            shared,
            view: View::new(shared.packing.slots.len()),
            stack: Vec::new(),
            frames: Vec::new(),
            me: 0,
            flags: Flags::default(),
            posts: Vec::new(),
            events: Vec::new(),
            fuel: 0,
            turns: 0,
            snapshots: Vec::new(),
            kept: 0,
            met: rustc_hash::FxHashSet::default(),
            pruned: false,
            merging: false,
            log: None,
            patient: false,
            passed: None,
            bytes: Vec::new(),
            writes: Vec::new(),
            slots: Vec::new(),
            picks: Vec::new(),
            acts: Vec::new(),
            accessed: Vec::new(),
        }
    }

    /// Runs a segment in every way, in the order of its choices, until `each` breaks off. `each` gets the events of each way.
    /// Answers whether some way was left out because another choice had led there.
    pub fn run(
        &mut self,
        start: Start,
        world: World<'_>,
        each: &mut dyn FnMut(&[Event], Way<'_>) -> ControlFlow<()>,
    ) -> bool {
        self.begin(start);
        loop {
            let end = self.execute(world);
            self.count_way();
            let over = self.end(end, each).is_break();
            let late = matches!(end, End::Refused(r) if r.why == Why::Halted);
            if over || late || !self.another_way() {
                return self.pruned;
            }
        }
    }

    /// Counts a way as work, if segments may have very many. (A search that stores states counts its transitions instead.)
    fn count_way(&self) {
        if self.shared.merge {
            self.shared.halt.spend(1);
        }
    }

    /// Runs a segment only to compare it with another one. Notes no landmark as reached; answers the landmarks that it passes.
    pub fn rehearse(
        &mut self,
        start: Start,
        world: World<'_>,
        each: &mut dyn FnMut(Way<'_>) -> ControlFlow<()>,
    ) -> BTreeSet<u32> {
        self.passed = Some(BTreeSet::new());
        self.run(start, world, &mut |_, way| each(way));
        self.passed.take().unwrap_or_default()
    }

    /// Checks whether a segment has so many ways that only those that differ should be followed.
    pub fn has_many_ways(&mut self, start: Start, world: World<'_>) -> bool {
        if !self.shared.merge {
            return false;
        }
        self.begin(start);
        for _ in 0..WAYS {
            self.execute(world);
            self.count_way();
            if !self.another_way() {
                return false;
            }
        }
        true
    }

    /// Returns the first way that `wanted` accepts by its number and choices: its number, what it did, forgot and chose.
    fn logged(
        &mut self,
        start: Start,
        world: World<'_>,
        wanted: impl Fn(u32, &[(u32, u32)]) -> bool,
    ) -> Option<(u32, Logged)> {
        self.merging = self.has_many_ways(start, world);
        self.log = Some(Vec::new());
        self.begin(start);
        let mut found = None;
        for number in 0.. {
            let end = self.execute(world);
            self.pick_up();
            if wanted(number, &self.picks) {
                self.collect();
                let logged = Logged {
                    end,
                    writes: self.writes.clone(),
                    posts: self.posts.clone(),
                    log: self.log.clone().unwrap_or_default(),
                };
                found = Some((number, logged));
                break;
            }
            if !self.another_way() {
                break;
            }
        }
        self.log = None;
        self.merging = false;
        found
    }

    fn begin(&mut self, start: Start) {
        self.view.clear();
        self.stack.clear();
        self.frames.clear();
        self.posts.clear();
        self.events.clear();
        self.snapshots.clear();
        self.met.clear();
        self.acts.clear();
        self.pruned = false;
        self.fuel = match self.passed {
            None => FUEL,
            Some(_) => REHEARSAL,
        };
        self.flags = Flags {
            initial: start == Start::Main,
            ..Flags::default()
        };
        match start {
            Start::Main => {
                self.me = 1;
                self.enter(self.shared.init);
            }
            Start::Task(local) => self.resume(local),
            Start::Finally(proc) => {
                self.me = 0;
                self.enter(proc);
            }
        }
    }

    fn end(
        &mut self,
        end: End,
        each: &mut dyn FnMut(&[Event], Way<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.collect();
        self.pick_up();
        each(
            &self.events,
            Way {
                end,
                writes: &self.writes,
                posts: &self.posts,
                touched: &self.slots,
                picks: &self.picks,
                acts: &self.accessed,
                slept: self.flags.slept,
            },
        )
    }

    /// Collects the choices of the way.
    fn pick_up(&mut self) {
        self.picks.clear();
        for event in &self.events {
            if let &Event::Choice(count @ 2.., pick) = event {
                self.picks.push((pick, count));
            }
        }
    }

    /// Collects what the way changed, touched and accessed.
    fn collect(&mut self) {
        self.writes.clear();
        self.slots.clear();
        for event in &self.events {
            if let Event::Read(slot, _) = event {
                self.slots.push(slot << 1);
            }
        }
        let mut tables = lock(&self.shared.tables);
        for (slot, value) in self.view.written() {
            self.slots.push(slot << 1 | 1);
            let place = self.shared.packing.slots[slot as usize];
            let bits = place.encode(value, &mut tables) << place.shift;
            self.writes.push(Write {
                leaf: place.leaf,
                keep: !place.mask(),
                bits,
            });
        }
        drop(tables);
        self.writes.sort_unstable_by_key(|w| w.leaf);
        self.writes.dedup_by(|next, first| {
            let same = next.leaf == first.leaf;
            if same {
                first.keep &= next.keep;
                first.bits |= next.bits;
            }
            same
        });
        self.slots.sort_unstable();
        self.slots.dedup();
        self.accessed.clone_from(&self.acts);
        self.accessed.sort_unstable();
        self.accessed.dedup();
    }
}

/// Locks the tables. Poisoning is ignored: a worker that panics takes the others with it.
pub fn lock(tables: &Mutex<Tables>) -> std::sync::MutexGuard<'_, Tables> {
    tables
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
