//! Choices: each value in turn, by going back to where the choice was made.
//!
//! The machine chooses a value when it is needed, not where the program says `*`. A choice at the `*` was measured: 140 of the
//! 147 examples have as many states then, and one has four times as many. But eight of 219 programs in C do not come to an
//! end: a program that reads a text of any bytes looks at few of them.

use std::sync::atomic::Ordering;

use super::view::Kept;
use super::{End, Event, Flags, Frame, Machine, Refusal, Why};
use crate::code::{CHOICES, Domain};

/// A slot that can be without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Global(u32),
    /// A register on the stack: the frame's depth, the register.
    Local(u32, u32),
}

/// What happened to values that are chosen. A log of these is needed to write down an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Slots were left without values: the first one, and the index of their blanks.
    Forgot(Place, u32),
    /// A slot got its value.
    Slot(Place, i64),
    /// A slot of a tree's element got its value: the tree's place, key, slot, value.
    Part(Place, i64, u32, i64),
}

/// Where the machine was when a choice was made, and which value is next.
#[derive(Debug)]
pub(super) struct Snapshot {
    stack: Vec<i64>,
    frames: Vec<Frame>,
    view: Kept,
    posts: Vec<u32>,
    events: usize,
    pub acts: usize,
    logged: usize,
    flags: Flags,
    fuel: u64,
    at: Target,
    lo: i64,
    next: u32,
    count: u32,
}

/// What a choice gives a value to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Slot(Place),
    /// A slot of an element that was fetched from a tree: its number in the element, and the instruction's operands.
    Part {
        slot: u32,
        at: u32,
        map: u32,
        key: i64,
        info: u32,
    },
}

impl Machine<'_> {
    /// Chooses a value: takes the first now, and comes back for the others.
    pub(super) fn choose(&mut self, at: Target, domain: Domain, missing: Why) -> Result<(), End> {
        let (lo, count) = match domain {
            Domain::Small { lo, count } if u64::from(count) <= CHOICES => (lo, count),
            _ => return Err(self.refuse(missing)),
        };
        if self.flags.guard {
            return Err(self.refuse(Why::Guard));
        }
        let prunes = self.shared.prune || self.merging;
        if prunes {
            let whole = self.whole();
            self.kept += size_of_val(&*whole);
            if !self.met.insert(whole) {
                self.pruned = true;
                if self.passed.is_none() {
                    self.shared.pruned.store(true, Ordering::Relaxed);
                }
                return Err(End::Pruned);
            }
        }
        if self.passed.is_none() && self.is_wide(at) {
            self.shared.chose_wide.store(true, Ordering::Relaxed);
        }
        if count > 1 {
            self.kept += size_of_val(&*self.stack)
                + size_of_val(&*self.frames)
                + size_of_val(&*self.posts)
                + size_of::<Snapshot>();
            self.snapshots.push(Snapshot {
                stack: self.stack.clone(),
                frames: self.frames.clone(),
                view: self.view.keep(),
                posts: self.posts.clone(),
                events: self.events.len(),
                acts: self.acts.len(),
                logged: self.log.as_ref().map_or(0, Vec::len),
                flags: self.flags,
                fuel: self.fuel,
                at,
                lo,
                next: 1,
                count,
            });
        }
        self.take(at, lo, 0, count);
        Ok(())
    }

    /// Whether what is chosen belongs to a variable of very many values.
    fn is_wide(&self, at: Target) -> bool {
        let code = &self.shared.code;
        match at {
            Target::Slot(Place::Global(slot)) => code.slots[slot as usize].wide,
            Target::Slot(Place::Local(_, reg)) => {
                let locals = &code.procs[self.running() as usize].locals;
                locals.get(reg as usize).is_none_or(|local| local.wide)
            }
            Target::Part { .. } => true,
        }
    }

    fn take(&mut self, at: Target, lo: i64, pick: u32, count: u32) {
        self.events.push(Event::Choice(count, pick));
        self.give(at, lo + i64::from(pick));
    }

    /// Goes back to the last choice that has values left.
    pub(super) fn another_way(&mut self) -> bool {
        let Some(last) = self.snapshots.last_mut() else {
            return false;
        };
        let (at, lo, pick, count) = (last.at, last.lo, last.next, last.count);
        last.next += 1;
        self.stack.clone_from(&last.stack);
        self.frames.clone_from(&last.frames);
        self.view.restore(&last.view);
        self.posts.clone_from(&last.posts);
        self.events.truncate(last.events);
        self.acts.truncate(last.acts);
        if let Some(log) = &mut self.log {
            log.truncate(last.logged);
        }
        self.flags = last.flags;
        self.fuel = last.fuel;
        if last.next == last.count {
            self.snapshots.pop();
        }
        self.take(at, lo, pick, count);
        true
    }

    /// The place in the segment, as far as it matters for what comes: frames, written globals, posts.
    fn whole(&self) -> Box<[i64]> {
        let code = &self.shared.code;
        let flags = self.flags;
        let frames = i64::try_from(self.frames.len()).unwrap_or(i64::MAX);
        let mut all = vec![frames, i64::from(flags.probe)];
        all.push(i64::from(flags.touched) | i64::from(flags.initial) << 1);
        all.push(flags.ordered as i64);
        for frame in &self.frames {
            all.push(i64::from(frame.pc));
            let value = |&reg: &u32| self.stack[(frame.base + reg) as usize];
            all.extend(code.live(frame.pc).iter().map(value));
        }
        all.extend(self.posts.iter().map(|&p| i64::from(p)));
        // A mark that is no program point: what follows is globals.
        all.push(-1);
        let mut written: Vec<(u32, i64)> = self.view.written().collect();
        written.sort_unstable();
        all.extend(
            written
                .into_iter()
                .flat_map(|(slot, value)| [i64::from(slot), value]),
        );
        if self.merging {
            all.push(-1);
            all.extend(self.looked());
        }
        if self.shared.watched.is_some() {
            all.push(-1);
            all.extend(self.accessed_so_far());
        }
        all.into()
    }

    /// Returns what the segment has looked at so far. If two ways to one place looked at the same, one of them is enough:
    /// a state that leads one of them elsewhere leads the other one there, too.
    fn looked(&self) -> Vec<i64> {
        let number = |event: &Event| match *event {
            Event::Read(slot, _) => Some(i64::from(slot) << 1),
            Event::Finished(task, _) => Some(i64::from(task) << 1 | 1),
            Event::Choice(..) => None,
        };
        let mut all: Vec<i64> = self.events.iter().filter_map(number).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the accesses so far that may race: two ways to the same place may differ in them.
    fn accessed_so_far(&self) -> impl Iterator<Item = i64> {
        let mut all = self.acts.clone();
        all.sort_unstable();
        all.dedup();
        all.into_iter().flat_map(|act| {
            let kind = i64::from(act.write) | i64::from(act.plain) << 1 | i64::from(act.late) << 2;
            let kind = kind | i64::from(act.key.is_some()) << 3;
            let (slot, pc) = (i64::from(act.slot), i64::from(act.pc));
            [slot, act.key.unwrap_or_default(), kind, pc]
        })
    }

    /// Ends the way with a refusal. While the machine only looks ahead to a guard, the task rests there instead.
    pub(super) fn refuse(&mut self, why: Why) -> End {
        if self.flags.probe != 0 {
            return End::Rests(self.rest(self.flags.probe));
        }
        let pc = self.frames.last().map_or(0, |f| f.pc);
        let span = self.shared.code.spans[pc as usize];
        End::Refused(Refusal { why, span })
    }

    pub(super) fn note(&mut self, chosen: Chosen) {
        if let Some(log) = &mut self.log {
            log.push(chosen);
        }
    }
}
