//! Finds the data races of one execution: accesses that nothing orders.
//!
//! Vector clocks: `C_t[u]` counts the accesses of task `u` that happen before the point where task `t` is. Tasks are ordered
//! by a post, before all that the new task does; by the end of a task, before a join of it; and by a synchronising access,
//! before the later ones that conflict with it. An uninterrupted part of a step is one thing: it learns all that comes before,
//! runs, and passes all of it on. An access races with an earlier conflicting one that its task's clock does not know. Two
//! synchronising accesses never race.
//!
//! Atomic operations of C order tasks by their memory orders, as C11 says (5.1.2.4, 7.17.4). A read with *acquire* of a value of
//! a release sequence comes after all that comes before the head of the sequence. A *release* store heads a sequence. So does any
//! store behind a release fence, for what comes before the fence. Stores of the same task and exchanges of all tasks continue a
//! sequence; any other store ends it. A read that is not acquire hands what it would have learned to the next acquire fence.
//!
//! Accesses that do not synchronise order nothing, whichever came first in this execution. So the race is real,
//! and does not depend on luck: every execution with the same synchronisation before has it.

use base::source::Span;

use ir::MemoryOrder;
use semantics::Sync;

use super::cells::{Act, Cells};

/// One access of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// The segment of the execution, counted from 0.
    pub segment: u32,
    /// The index among the acts of the segment.
    pub act: u32,
    pub task: u32,
    pub write: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    pub second: Side,
    pub first: Side,
    /// The part that the later one accesses.
    pub cell: u32,
}

/// Two accesses that nothing orders and that are not both `seq_cst`, with the memory orders of those that are atomic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weak {
    pub first: (Span, Option<MemoryOrder>),
    pub second: (Span, Option<MemoryOrder>),
    pub cell: u32,
}

impl Weak {
    /// Makes a pair without memory orders from a data race.
    #[must_use]
    pub fn of(race: &Race) -> Self {
        Self {
            first: (race.first.span, None),
            second: (race.second.span, None),
            cell: race.cell,
        }
    }
}

/// A task's last access of a kind to a cell.
#[derive(Clone, Copy, Debug)]
struct Last {
    side: Side,
    /// Its memory order, if it synchronises.
    order: Option<MemoryOrder>,
    epoch: u32,
}

/// The accesses to a cell so far.
#[derive(Clone, Debug, Default)]
struct CellHistory {
    last: Vec<Last>,
    /// The clocks of what happens before the synchronising reads so far, and before the synchronising writes.
    reads: Vec<u32>,
    writes: Vec<u32>,
    /// The release sequences that the last write belongs to: each with its head's task, and what comes before the head.
    sequences: Vec<(u32, Vec<u32>)>,
}

/// Looks at one execution after the other, segment by segment.
#[derive(Debug, Default)]
pub struct Detector {
    clocks: Vec<Vec<u32>>,
    posted: u32,
    segments: u32,
    /// By task: what comes before its last release fence, and what its next acquire fence learns.
    released: Vec<Vec<u32>>,
    read: Vec<Vec<u32>>,
    known: Vec<CellHistory>,
    /// The cells of which something is known.
    used: Vec<u32>,
    /// The weak pairs that the segment completes.
    pub weak: Vec<Weak>,
    /// Whether the segment was cut. Then other tasks see nothing of it.
    pub cut: bool,
}

/// An access as the detector takes it.
#[derive(Clone, Copy)]
struct Access {
    cell: u32,
    order: Option<MemoryOrder>,
    side: Side,
}

impl Detector {
    pub fn begin(&mut self) {
        for cell in self.used.drain(..) {
            let known = &mut self.known[cell as usize];
            known.last.clear();
            known.reads.clear();
            known.writes.clear();
            known.sequences.clear();
        }
        for clocks in [&mut self.clocks, &mut self.released, &mut self.read] {
            clocks.iter_mut().for_each(Vec::clear);
        }
        (self.posted, self.segments, self.cut) = (1, 0, false);
    }

    /// Takes the next segment, and puts its races into `races`. Their order depends only on the execution.
    pub fn segment(&mut self, cells: &Cells, task: u32, acts: &[Act], races: &mut Vec<Race>) {
        races.clear();
        self.weak.clear();
        self.known.resize_with(cells.len(), CellHistory::default);
        self.clock(task);
        for (index, &act) in (0..).zip(acts) {
            let (before, from) = acts.split_at(index as usize);
            if !before.last().is_some_and(Act::learns) {
                let whole = from.iter().take_while(|act| act.learns());
                whole.for_each(|act| self.learns(cells, task, act));
            }
            match act {
                Act::Posts if self.cut => {}
                Act::Posts => self.posts(task),
                Act::Joins(_) => {}
                Act::Fence(order) => self.fence(task, order),
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
                    // Memory is no atomic variable where it is freed.
                    let freed = cells.frees(cell).is_some();
                    let order = ordered(acts, index as usize, sync).filter(|_| !freed);
                    let access = Access { cell, order, side };
                    if let (Sync::Named(..), Some(order), false) = (sync, order, write) {
                        self.reads(task, cell, order.acquires());
                    }
                    self.access(cells, access, races);
                    if write && !self.cut && !freed {
                        let operation = before
                            .iter()
                            .rev()
                            .take_while(|act| act.sync() == Some(sync));
                        let exchanges = operation.into_iter().any(|act| {
                            matches!(act, Act::Access { cell: read, write: false, .. } if *read == cell)
                        });
                        self.writes(cells, access, sync, exchanges);
                    }
                }
            }
            let after = &acts[index as usize + 1..];
            if !self.cut && !after.first().is_some_and(Act::learns) {
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
            for clocks in [&mut self.clocks, &mut self.released, &mut self.read] {
                clocks.resize(len, Vec::new());
            }
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
            Act::Posts | Act::Fence(_) => return,
        };
        let clock = &mut self.clocks[task as usize];
        if !write {
            for (_, before) in &self.known[cell as usize].sequences {
                join(clock, before);
            }
        }
        for &other in cells.related(cell) {
            join(clock, &self.known[other as usize].writes);
            if write {
                join(clock, &self.known[other as usize].reads);
            }
        }
    }

    /// Adds the task's clock to the cell: an access that is ordered after this one comes after all that the task has done.
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

    /// Takes a read of an atomic operation: the task, or its next acquire fence, learns what the release sequences carry.
    fn reads(&mut self, task: u32, cell: u32, acquires: bool) {
        let to = match acquires {
            true => &mut self.clocks[task as usize],
            false => &mut self.read[task as usize],
        };
        for (_, before) in &self.known[cell as usize].sequences {
            join(to, before);
        }
    }

    /// Takes a write: it ends release sequences, continues them or begins one.
    fn writes(&mut self, cells: &Cells, access: Access, sync: Sync, exchanges: bool) {
        let (cell, task) = (access.cell, access.side.task);
        for &other in cells.related(cell) {
            if other != cell || sync == Sync::Plain {
                self.known[other as usize].sequences.clear();
            }
        }
        let releases = access.order.is_some_and(MemoryOrder::releases);
        let before = match releases {
            true => &self.clocks[task as usize],
            false => &self.released[task as usize],
        };
        let sequences = &mut self.known[cell as usize].sequences;
        if !exchanges {
            sequences.retain(|(head, _)| *head == task);
        }
        match sequences.iter_mut().find(|(head, _)| *head == task) {
            Some((_, own)) => join(own, before),
            None if sync != Sync::Plain => sequences.push((task, before.clone())),
            None => {}
        }
    }

    fn fence(&mut self, task: u32, order: MemoryOrder) {
        let own = task as usize;
        if order.acquires() {
            join(&mut self.clocks[own], &self.read[own]);
        }
        if order.releases() {
            self.released[own].clone_from(&self.clocks[own]);
        }
    }

    fn access(&mut self, cells: &Cells, access: Access, races: &mut Vec<Race>) {
        let (task, write) = (access.side.task, access.side.write);
        let clock = &self.clocks[task as usize];
        for &other in cells.related(access.cell) {
            for last in &self.known[other as usize].last {
                let rivals = last.side.task != task && (last.side.write || write);
                let seen = clock.get(last.side.task as usize).copied().unwrap_or(0);
                if !rivals || last.epoch <= seen {
                    continue;
                }
                let (second, first, cell) = (access.side, last.side, access.cell);
                match (last.order, access.order) {
                    (Some(MemoryOrder::SeqCst), Some(MemoryOrder::SeqCst)) => {}
                    (Some(before), Some(order)) => self.weak.push(Weak {
                        first: (first.span, Some(before)),
                        second: (second.span, Some(order)),
                        cell,
                    }),
                    _ => races.push(Race {
                        second,
                        first,
                        cell,
                    }),
                }
            }
        }
        self.note(access);
    }

    fn note(&mut self, access: Access) {
        let (side, order) = (access.side, access.order);
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
            |l: &&mut Last| (l.side.task, l.side.write, l.order) == (side.task, side.write, order);
        let entry = Last { side, order, epoch };
        match known.last.iter_mut().find(kind) {
            Some(last) => *last = entry,
            None => known.last.push(entry),
        }
    }
}

/// The memory order of an access: that of its operation. The operation may name another order for when it writes nothing.
fn ordered(acts: &[Act], index: usize, sync: Sync) -> Option<MemoryOrder> {
    let (order, failed) = match sync {
        Sync::Plain => return None,
        Sync::Whole => return Some(MemoryOrder::SeqCst),
        Sync::Named(order, failed, _) => (order, failed),
    };
    let (before, from) = acts.split_at(index);
    let own = |act: &&Act| act.sync() == Some(sync);
    let mut operation = before
        .iter()
        .rev()
        .take_while(own)
        .chain(from.iter().take_while(own));
    let writes = operation.any(|act| matches!(act, Act::Access { write: true, .. }));
    Some(if writes { order } else { failed })
}

/// Adds to a clock all that the other one knows.
fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, &theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(theirs);
    }
}
