//! Finds the data races of one execution: accesses that nothing orders.
//!
//! Vector clocks: `C_t[u]` is the last access of task `u` that happens before where task `t` is. What orders
//! tasks is: a post, before all that the new task does; the end of a task, before what has joined it; and a
//! synchronising access, before the later ones that conflict with it. (What one step does without interruption is one thing: it learns
//! all that comes before, is done, and passes all of it on.) An access races with an earlier one
//! that conflicts with it if its task's clock does not know that one. Two synchronising accesses never race.
//!
//! Accesses that do not synchronise order nothing, whichever came first in this execution. So the race is real,
//! and does not depend on luck: every execution with the same synchronisation before has it.

use base::source::Span;

use super::cells::{Act, Cells};

/// One access of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// The segment of the execution, counted from 0.
    pub segment: u32,
    /// Which of the segment's acts.
    pub act: u32,
    pub task: u32,
    pub write: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    pub second: Side,
    pub first: Side,
    /// What the later one accesses.
    pub cell: u32,
}

/// A task's last access of a kind to a cell.
#[derive(Clone, Copy, Debug)]
struct Last {
    side: Side,
    sync: bool,
    epoch: u32,
}

/// What is known of a cell.
#[derive(Clone, Debug, Default)]
struct Known {
    last: Vec<Last>,
    /// What happens before the synchronising reads, and writes, so far.
    reads: Vec<u32>,
    writes: Vec<u32>,
}

/// Looks at one execution after the other, segment by segment.
#[derive(Debug, Default)]
pub struct Detector {
    clocks: Vec<Vec<u32>>,
    posted: u32,
    segments: u32,
    known: Vec<Known>,
    /// The cells of which something is known.
    used: Vec<u32>,
}

/// An access as the detector takes it.
#[derive(Clone, Copy)]
struct Access {
    cell: u32,
    sync: bool,
    side: Side,
}

impl Detector {
    pub fn begin(&mut self) {
        for cell in self.used.drain(..) {
            let known = &mut self.known[cell as usize];
            known.last.clear();
            known.reads.clear();
            known.writes.clear();
        }
        self.clocks.iter_mut().for_each(Vec::clear);
        (self.posted, self.segments) = (1, 0);
    }

    /// The next segment. Its races come in an order that depends on nothing but the execution.
    pub fn segment(&mut self, cells: &Cells, task: u32, acts: &[Act], races: &mut Vec<Race>) {
        races.clear();
        self.known.resize_with(cells.len(), Known::default);
        self.clock(task);
        for (index, &act) in (0..).zip(acts) {
            let (before, from) = acts.split_at(index as usize);
            if !before.last().is_some_and(Act::learns) {
                let whole = from.iter().take_while(|act| act.learns());
                whole.for_each(|act| self.learns(cells, task, act));
            }
            match act {
                Act::Posts => self.posts(task),
                Act::Joins(_) => {}
                Act::Access {
                    cell,
                    write,
                    sync,
                    span,
                } => {
                    let side = Side {
                        segment: self.segments,
                        act: index,
                        task,
                        write,
                        span,
                    };
                    self.access(cells, Access { cell, sync, side }, races);
                }
            }
            let after = &acts[index as usize + 1..];
            if !after.first().is_some_and(Act::learns) {
                let whole = before.iter().chain([&act]).rev();
                let whole = whole.take_while(|act| act.learns());
                whole.for_each(|act| self.passes_on(task, act));
            }
        }
        self.segments += 1;
        races.sort_unstable();
    }

    /// Makes sure that a task has a clock.
    fn clock(&mut self, task: u32) {
        let len = task as usize + 1;
        if self.clocks.len() < len {
            self.clocks.resize(len, Vec::new());
        }
    }

    fn posts(&mut self, task: u32) {
        self.posted += 1;
        let child = self.posted;
        self.clock(child);
        let clock = self.clocks[task as usize].clone();
        self.clocks[child as usize] = clock;
    }

    /// A task learns what comes before a synchronising access, or the end of another task.
    fn learns(&mut self, cells: &Cells, task: u32, act: &Act) {
        let (cell, write) = match *act {
            Act::Access { cell, write, .. } => (cell, write),
            Act::Joins(other) => {
                self.clock(other);
                let theirs = std::mem::take(&mut self.clocks[other as usize]);
                join(&mut self.clocks[task as usize], &theirs);
                self.clocks[other as usize] = theirs;
                return;
            }
            Act::Posts => return,
        };
        let clock = &mut self.clocks[task as usize];
        for &other in cells.related(cell) {
            join(clock, &self.known[other as usize].writes);
            if write {
                join(clock, &self.known[other as usize].reads);
            }
        }
    }

    /// Who comes after a synchronising access comes after all that its task has done.
    fn passes_on(&mut self, task: u32, act: &Act) {
        if let &Act::Access { cell, write, .. } = act {
            let known = &mut self.known[cell as usize];
            let released = if write {
                &mut known.writes
            } else {
                &mut known.reads
            };
            join(released, &self.clocks[task as usize]);
        }
    }

    fn access(&mut self, cells: &Cells, access: Access, races: &mut Vec<Race>) {
        let (task, write) = (access.side.task, access.side.write);
        let clock = &self.clocks[task as usize];
        for &other in cells.related(access.cell) {
            for last in &self.known[other as usize].last {
                let rivals = last.side.task != task
                    && (last.side.write || write)
                    && !(last.sync && access.sync);
                let seen = clock.get(last.side.task as usize).copied().unwrap_or(0);
                if rivals && last.epoch > seen {
                    races.push(Race {
                        second: access.side,
                        first: last.side,
                        cell: access.cell,
                    });
                }
            }
        }
        self.note(access);
    }

    fn note(&mut self, access: Access) {
        let (side, sync) = (access.side, access.sync);
        let clock = &mut self.clocks[side.task as usize];
        let own = side.task as usize;
        if clock.len() <= own {
            clock.resize(own + 1, 0);
        }
        clock[own] += 1;
        let epoch = clock[own];
        let known = &mut self.known[access.cell as usize];
        if known.last.is_empty() {
            self.used.push(access.cell);
        }
        let kind =
            |l: &&mut Last| (l.side.task, l.side.write, l.sync) == (side.task, side.write, sync);
        let entry = Last { side, sync, epoch };
        match known.last.iter_mut().find(kind) {
            Some(last) => *last = entry,
            None => known.last.push(entry),
        }
    }
}

/// The least clock that knows what either knows.
fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, &theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(theirs);
    }
}
