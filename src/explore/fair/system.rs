//! The fair scheduler as a system around another one: it lets only those tasks run that Algorithm 1 and the bounds allow.
//!
//! A row is a row of the inner system, and behind it the number of the rules' memory. Numbers begin with 1: no row ends with 0.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base::interned::Interned;
use base::source::Span;
use ir::ErrorKind;

use super::super::strategy::{Expansion, Failure, System, TreeWorker};
use super::priority::Turn;
use super::rules::{Memory, Rules};
use super::tasks::Tasks;
use machine::limits::Halt;
use machine::space::LeftOut;

/// A system whose scheduler leaves open which task runs. Its tasks are known by their places. A task keeps its place from
/// its post until it finishes; then another task may get the place.
pub trait Open: System {
    /// The tasks that are pending and not blocked.
    fn enabled(&mut self, row: &[u32]) -> Tasks;
}

impl Open for TreeWorker<'_> {
    fn enabled(&mut self, row: &[u32]) -> Tasks {
        let mut tasks = Tasks::new();
        self.each_enabled(row, |place| tasks.insert(place));
        tasks
    }
}

/// The memories of the rules, numbered for all workers.
#[derive(Default)]
pub struct Memories(Mutex<Interned<Memory>>);

impl Memories {
    fn lock(&self) -> MutexGuard<'_, Interned<Memory>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The leaf that stands for a memory.
    fn leaf(&self, memory: Memory) -> u32 {
        self.lock().intern(memory) + 1
    }

    /// The memory that a leaf stands for.
    fn of(&self, leaf: u32) -> Memory {
        self.lock().get(leaf - 1).clone()
    }

    /// How many memories there are.
    pub fn len(&self) -> usize {
        self.lock().len()
    }
}

/// A system under the fair scheduler.
pub struct Fair<'m, S> {
    pub inner: S,
    rules: Rules,
    memories: &'m Memories,
    all: Expansion,
}

impl<'m, S: Open> Fair<'m, S> {
    pub fn new(inner: S, rules: Rules, memories: &'m Memories) -> Self {
        Self {
            inner,
            rules,
            memories,
            all: Expansion::default(),
        }
    }

    /// Adds the steps of the tasks that may run, with the rows to which they lead.
    fn follow(&mut self, memory: &Memory, enabled: &Tasks, may: &Tasks, out: &mut Expansion) {
        for (number, made) in self.all.moves.iter().enumerate() {
            let place = made.step.place;
            if !may.contains(place) {
                continue;
            }
            let row = self.all.moves.row(number);
            let after = (self.rules.looks_ahead()).then(|| self.inner.enabled(row));
            let next = self.rules.after(
                memory,
                Turn {
                    task: place,
                    before: enabled,
                    after: after.as_ref().unwrap_or(enabled),
                    yields: made.slept,
                    gone: made.gone,
                },
            );
            let next = self.memories.leaf(next);
            let row = row.iter().copied().chain([next]);
            out.moves.push(made.step, made.slept, made.gone, row);
        }
    }
}

/// Splits a row into the inner row and the leaf of the memory.
fn split(row: &[u32]) -> (&[u32], u32) {
    row.split_last()
        .map_or((row, 1), |(&last, row)| (row, last))
}

impl<S: Open> System for Fair<'_, S> {
    fn begin(&mut self, out: &mut Expansion) {
        self.inner.begin(&mut self.all);
        out.clear();
        std::mem::swap(&mut out.told, &mut self.all.told);
        for (number, made) in self.all.moves.iter().enumerate() {
            let memory = self.memories.leaf(self.rules.begin(made.gone));
            let row = self.all.moves.row(number).iter().copied().chain([memory]);
            out.moves.push(made.step, made.slept, made.gone, row);
        }
    }

    fn expand(&mut self, row: &[u32], out: &mut Expansion) {
        let (row, memory) = split(row);
        self.inner.expand(row, &mut self.all);
        out.clear();
        std::mem::swap(&mut out.told, &mut self.all.told);
        if self.inner.is_final(row) {
            return;
        }
        let memory = self.memories.of(memory);
        let enabled = self.inner.enabled(row);
        let may = self.rules.choices(&memory, &enabled);
        let told = &mut out.told;
        // Whether a task comes to a state or fails: an assumption may drop all that it does.
        let comes = |task| {
            let fails = |(_, failure): &(u32, Failure)| matches!(failure, Failure::Step(step, _) if step.place == task);
            self.all.moves.iter().any(|made| made.step.place == task)
                || told.failures.iter().any(fails)
        };
        let left_out = self.rules.leaves_out(&memory, &enabled, comes);
        told.left_out.add(left_out);
        if self.rules.withholds(&memory, &enabled) {
            told.left_out.add(LeftOut::UNFAIR);
        }
        told.failures.retain(|(_, failure)| match failure {
            Failure::Step(step, _) => may.contains(step.place),
            Failure::Deadlock(_) | Failure::Finally(..) => true,
        });
        let fails = |(_, failure): &&(u32, Failure)| matches!(failure, Failure::Step(..));
        let failing = told.failures.iter().filter(fails).count();
        self.follow(&memory, &enabled, &may, out);
        out.told.transitions = (out.moves.len() + failing) as u64;
    }

    fn is_final(&self, row: &[u32]) -> bool {
        self.inner.is_final(split(row).0)
    }

    fn error(&self, failure: Failure) -> (ErrorKind, Span) {
        self.inner.error(failure)
    }

    fn halt(&self) -> &Halt {
        self.inner.halt()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes() + self.memories.len() as u64 * 512
    }

    fn state<'r>(&self, row: &'r [u32]) -> &'r [u32] {
        self.inner.state(split(row).0)
    }

    fn merges(&self) -> bool {
        self.inner.merges()
    }

    fn widths(&self) -> Vec<Option<u32>> {
        self.inner.widths()
    }
}

impl<S: Open> Open for Fair<'_, S> {
    fn enabled(&mut self, row: &[u32]) -> Tasks {
        self.inner.enabled(split(row).0)
    }
}
