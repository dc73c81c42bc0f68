//! What segments access, as far as it may race.
//!
//! Two accesses of two tasks *conflict* if they touch the same and one of them writes. They race if one of them is plain and both
//! tasks stand before them. An access is *plain* unless it lies in a step that no other task interrupts, or touches what some
//! task waits for. It is *late* if something before it in its segment orders tasks: then no state lies directly before it.
//! What one step does without interruption is one thing: all that it learns comes before all that it passes on.
//!
//! A program races if and only if it reaches a state in which two tasks stand before such accesses.
//!
//! - *Such a state is a race.* Let the task go first whose access may synchronise, then the other. The other does what it would
//!   have done, unless the first changed what it reads before its access; then the two race there. Nothing orders the two
//!   accesses: the plain one comes before all that its step learns. The search replays an order; `trace::race` must see the race.
//! - *Each race has such a state.* Take the race of an execution whose second access is the earliest, between steps A and B. Keep
//!   the earlier steps on which the beginnings of A and B depend. A is not among them, or else it would order the accesses. Kept
//!   steps read what they read before: an unordered conflict among them would be an earlier race. They end before both accesses.
//! - *Assumptions* that fail in such a state may hold after the other access. Accesses before them count, too. If no order of the
//!   two steps shows the race, this search ends, as for late accesses.
//! - *Reductions keep it.* A task that runs alone touches nothing shared. Exchanged tasks and numbers take their accesses along.
//! - *Late accesses* have no state directly before them. The first one that might race ends this search; `dpor` is asked instead.
//!   One that runs while no other task is pending needs no second look. Where it races with a step that came before, nothing orders
//!   that step before its segment. So another order runs the segment while the task of that step is still pending.

use ir::{Dialect, GlobalId, Program, TypeId, Value};
use semantics::PathStep;
use trace::race::Cells;

use super::code::{Base, Code, Home, Instr, Layout, Repr};
use super::{Machine, Place};

/// An access to a slot, or to an element of the tree in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Act {
    pub slot: u32,
    /// The key of the element; `None` means all elements.
    pub key: Option<i64>,
    pub write: bool,
    /// Whether the access orders nothing.
    pub plain: bool,
    /// Whether something before it in its segment orders tasks.
    pub late: bool,
    pub pc: u32,
}

impl Act {
    /// Checks whether it races with an access of another task, if both tasks stand before their accesses.
    #[must_use]
    pub fn races(&self, other: &Self) -> bool {
        let same = self.key.is_none() || other.key.is_none() || self.key == other.key;
        let conflict = same && self.slot == other.slot && (self.write || other.write);
        conflict && (self.plain || other.plain)
    }
}

/// Whether a segment has done something that orders tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordered {
    #[default]
    No,
    /// The segment has, but no plain access has followed yet.
    Now,
    Before,
}

impl Ordered {
    /// Notes that the segment comes to an access. Answers whether the access is late.
    pub fn comes(&mut self, plain: bool, orders: bool) -> bool {
        let late = *self == Self::Before || plain && *self == Self::Now;
        *self = match *self {
            Self::No if orders => Self::Now,
            Self::Now if plain => Self::Before,
            before => before,
        };
        late
    }
}

/// What is known of a slot.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// Tasks touch the slot, and nothing else is known to order their accesses.
    shared: bool,
    /// Accesses may be plain, as far as the slot says.
    plain: bool,
    /// Accesses may order tasks, as far as the slot says: a task waits for the slot, or for a part of it.
    awaited: bool,
    races: bool,
}

#[derive(Debug)]
pub struct Watched {
    slots: Vec<Kind>,
    /// Whether all of a segment comes before what it posts.
    pub posts_last: bool,
}

impl Watched {
    /// What may race in a program.
    #[must_use]
    pub fn new(program: &Program, code: &Code) -> Self {
        let cells = Cells::new(program);
        let mut slots = Vec::with_capacity(code.slots.len());
        for (global, own) in (0..).map(GlobalId).zip(&program.globals) {
            let shared = program.scope.may_race(global);
            let awaited = |path: &[PathStep]| cells.is_awaited(global, path);
            let of = |(plain, awaited)| Kind {
                shared,
                plain,
                awaited,
                races: false,
            };
            let all = kinds(&code.layout, own.ty, &mut Vec::new(), &awaited);
            slots.extend(all.into_iter().map(of));
        }
        let posts_last = program.types.dialect == Dialect::C;
        let mut watched = Self { slots, posts_last };
        watched.find_races(program, code);
        watched
    }

    /// Finds the slots that may race: tasks write their variable, and some access to it is plain.
    fn find_races(&mut self, program: &Program, code: &Code) {
        let mut found = vec![(false, false); program.globals.len()];
        let finally = program.finally.map(|proc| proc.0);
        for ((instr, within), &proc) in code.instrs.iter().zip(&code.within).zip(&code.proc_of) {
            let apart = proc == program.init.0 || Some(proc) == finally;
            if let Some((slot, write)) = touched(instr).filter(|_| !apart) {
                let (plain, written) = &mut found[code.slots[slot as usize].variable as usize];
                *plain |= within.open;
                *written |= write && (within.open || within.whole);
            }
        }
        for (kind, info) in self.slots.iter_mut().zip(&code.slots) {
            let (plain, written) = found[info.variable as usize];
            kind.races = kind.shared && plain && written;
        }
    }
}

/// For each slot of a type: whether an access may be plain, and whether it may order tasks.
fn kinds(
    layout: &Layout,
    ty: TypeId,
    path: &mut Vec<PathStep>,
    awaited: &dyn Fn(&[PathStep]) -> bool,
) -> Vec<(bool, bool)> {
    let mut inside = |step: PathStep, ty: TypeId| {
        path.push(step);
        let all = kinds(layout, ty, path, awaited);
        path.pop();
        all
    };
    let any = PathStep::Key(Value::Any);
    match layout.repr(ty) {
        Repr::Scalar(_) => {
            let awaited = awaited(path);
            vec![(!awaited, awaited)]
        }
        Repr::Record(fields) => (0..)
            .zip(fields)
            .flat_map(|(number, &(_, ty))| inside(PathStep::Field(number), ty))
            .collect(),
        Repr::Flat { elem, len, .. } => inside(any, *elem).repeat(*len as usize),
        Repr::Tree { elem, .. } => {
            let parts = inside(any, *elem);
            let either = |(a, b): (bool, bool), (c, d): (bool, bool)| (a || c, b || d);
            vec![parts.into_iter().fold((false, false), either)]
        }
    }
}

/// The first slot of the global that an instruction may touch, and whether it writes.
fn touched(instr: &Instr) -> Option<(u32, bool)> {
    match *instr {
        Instr::Load { slot, .. } | Instr::LoadAt { slot, .. } => Some((slot, false)),
        Instr::Store { slot, .. }
        | Instr::StoreMany { slot, .. }
        | Instr::StoreAt { slot, .. }
        | Instr::Forget {
            home: Home {
                base: Base::Global(slot),
                ..
            },
            ..
        } => Some((slot, true)),
        _ => None,
    }
}

impl Machine<'_> {
    /// Records accesses to slots, if races are looked for.
    pub(super) fn accesses(&mut self, slot: u32, n: u32, write: bool) {
        if let Some(watched) = &self.shared.watched {
            let pc = self.frames.last().map_or(0, |f| f.pc);
            if !self.shared.code.within[pc as usize].name {
                for slot in slot..slot + n {
                    self.access(watched, slot, None, write, pc);
                }
            }
        }
    }

    /// Records an access to an element of a tree.
    pub(super) fn accesses_element(&mut self, base: u32, key: i64, info: u32, write: bool) {
        let Some(watched) = &self.shared.watched else {
            return;
        };
        let home = self.shared.code.maps[info as usize].home;
        if let Some(Place::Global(slot)) = home.map(|home| self.place(base, home)) {
            let pc = self.frames.last().map_or(0, |f| f.pc);
            self.access(watched, slot, Some(key), write, pc);
        }
    }

    fn access(&mut self, watched: &Watched, slot: u32, key: Option<i64>, write: bool, pc: u32) {
        // Accesses while the machine looks ahead come again later. The slot behind the program's globals is the number of tasks.
        let shared =
            (watched.slots.get(slot as usize)).filter(|k| k.shared && self.flags.probe == 0);
        let Some(kind) = shared else {
            return;
        };
        let within = self.shared.code.within[pc as usize];
        let plain = within.open && kind.plain;
        let orders = within.whole || within.open && kind.awaited;
        let late = self.flags.ordered.comes(plain, orders);
        if kind.races && (plain || orders) {
            self.make_room();
            self.acts.push(Act {
                slot,
                key,
                write,
                plain,
                late,
                pc,
            });
        }
    }

    /// A loop accesses the same again and again: that is one access, unless a choice in between may be taken back.
    fn make_room(&mut self) {
        if self.acts.len() == self.acts.capacity() {
            let first = self.snapshots.last().map_or(0, |last| last.acts);
            let mut recent = self.acts.split_off(first);
            recent.sort_unstable();
            recent.dedup();
            self.acts.append(&mut recent);
            self.acts.reserve(self.acts.len());
        }
    }

    /// Notes that the segment posts a task, which orders tasks.
    pub(super) fn orders_by_post(&mut self) {
        if let Some(watched) = &self.shared.watched
            && !watched.posts_last
        {
            self.flags.ordered = Ordered::Before;
        }
    }
}
