//! The strategy that follows one execution of each trace: the machine under the reduction of `dpor`.
//!
//! Here the two meet: `model` shows the machine as a model, this file takes what the reduction finds, and
//! `trail` turns its steps into an execution that can be replayed.

mod commuting;
mod model;
mod races;
mod rounds;
mod trail;

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use ir::{ErrorKind, Order, Program, Root, StmtKind, WeakOrders, walk};
use options::{ExploreOptions, Scheduler, Sought};

use super::{Observer, Path, Stats};
use commuting::Commuting;
use machine::found::{Counts, Found, Limit};
use machine::limits::Progress;
use machine::space::Space;
use machine::{End, Memo};
pub use model::ProgramModel;
use races::Races;
use trail::trail;

/// How much work passes before time and memory are looked at.
const PATIENCE: u64 = 1 << 10;
/// How many final globals are remembered before all are forgotten.
const ENDS: usize = 1 << 16;

/// Returns why options that the command line lets through do not go with `what`, which needs all orders.
pub fn unsupported(options: &ExploreOptions, what: &str) -> Option<String> {
    let bag = options.scheduler == Scheduler::Bag;
    (options.has_budget() || !bag).then(|| format!("{what} needs the bag without budgets"))
}

/// Follows one execution of each trace.
pub fn search<'s>(program: &'s Program, space: Space<'s>, options: &ExploreOptions) -> Found {
    let room = usize::try_from(options.limits.memory / 8).unwrap_or(usize::MAX);
    let show = options.finals && numbers_show(program);
    let mut tasks = ProgramModel::new(space.shared, space.blank(), show, room);
    // The order of operations decides which accesses race, also if the operations commute.
    if options.sought == Sought::Races {
        tasks.races = true;
        tasks.sequenced = sequenced(program);
    } else {
        tasks.commuting = Commuting::of(program);
        tasks.find_counters();
    }
    let mut watch = DporObserver {
        space,
        options,
        memo: Memo::new(space.shared, room),
        ends: FxHashMap::default(),
        executions: 0,
        found: Found::default(),
        stats: Stats::default(),
        races: (options.sought == Sought::Races)
            .then(|| Races::new(program, space, !options.goes_on())),
        progress: Progress::new(options.progress),
    };
    let stats = super::explore(&mut tasks, &mut watch);
    watch.counts(stats);
    let mut found = watch.found;
    if let Some(races) = watch.races {
        found.weak = races.weak();
        (found.races, found.internal) = (races.found, races.internal);
    }
    found.refusal = found.refusal.or(tasks.refusal);
    // When time runs out, ways are left out. With a limit, the answer claims nothing of the ways that were seen.
    if space.shared.halt.now() {
        found.limit = found.limit.or(Some(space.shared.halt.which()));
    }
    found.cut = stats.cut > 0;
    found
}

/// Whether a visible global can hold a task's handle.
pub fn numbers_show(program: &Program) -> bool {
    let mut globals = program.globals.iter();
    globals.any(|g| !g.hidden && g.state_of.is_none() && program.types.holds_task(g.ty))
}

/// The globals that atomic operations write, if a task may read a write of another task without coming after it.
fn sequenced(program: &Program) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    if WeakOrders::of(program).leaks.is_empty() {
        return all;
    }
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            let StmtKind::Atomic(Order::Named(..), body) = &stmt.kind else {
                return;
            };
            walk::each(body, &mut |stmt| {
                if let Some(Root::Global(global)) = walk::written(stmt).map(|place| place.root) {
                    all.insert(global.0);
                }
            });
        });
    }
    all
}

/// Takes what the reduction finds.
struct DporObserver<'s, 'o> {
    space: Space<'s>,
    options: &'o ExploreOptions,
    memo: Memo<'s>,
    /// By final globals: into how many executions the ways of `finally` split one.
    ends: FxHashMap<Box<[u32]>, u64>,
    executions: u64,
    found: Found,
    stats: Stats,
    races: Option<Races<'s>>,
    progress: Progress,
}

impl<'s> DporObserver<'s, '_> {
    /// Goes on unless one bug is enough.
    fn after_bug(&self) -> ControlFlow<()> {
        let races = self.races.as_ref();
        let race = races.is_some_and(|r| !r.found.is_empty() || r.internal.is_some());
        if self.options.goes_on() || self.found.bugs.is_empty() && !race {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// A complete execution: runs `finally`.
    fn complete(&mut self, path: &Path<'_, ProgramModel<'s>>) -> ControlFlow<()> {
        let leaves = &path.state.leaves;
        if let Some(executions) = self.ends.get(leaves.as_slice()) {
            self.executions += executions;
            return ControlFlow::Continue(());
        }
        let (space, found) = (self.space, &mut self.found);
        let (all, finals) = (self.options.goes_on(), self.options.finals);
        let (mut ended, mut failed) = (0, Vec::new());
        space.finish(leaves, &mut self.memo, |way, end, row| match end {
            End::Fails(site) => failed.push((way, site)),
            End::Refused(refusal) => {
                found.refusal.get_or_insert(refusal);
            }
            End::Finished | End::Rests(_) => {
                ended += 1;
                if finals {
                    found.finals.insert(row.into());
                }
            }
            End::Dropped | End::Pruned | End::Blocked => {}
        });
        if !all {
            failed.truncate(1);
        }
        found.ended |= ended > 0;
        ended += failed.len() as u64;
        self.executions += ended;
        if self.ends.len() >= ENDS {
            self.ends.clear();
        }
        self.ends.insert(leaves.as_slice().into(), ended);
        for (way, site) in failed {
            let site = &self.space.shared.code.sites[site as usize];
            let mut trail = trail(self.space, path.steps());
            trail.finally = Some(way);
            self.found.bug(site.kind, site.span, || trail);
        }
        self.after_bug()
    }

    fn count(&mut self, end: super::End, path: &Path<'_, ProgramModel<'s>>) -> ControlFlow<()> {
        match end {
            super::End::Complete => self.complete(path),
            super::End::Deadlock => {
                self.executions += 1;
                self.deadlock(path)
            }
            super::End::Failed => {
                self.executions += 1;
                ControlFlow::Continue(())
            }
            super::End::Dropped | super::End::Cut | super::End::Asleep | super::End::Endless => {
                ControlFlow::Continue(())
            }
        }
    }

    fn deadlock(&mut self, path: &Path<'_, ProgramModel<'s>>) -> ControlFlow<()> {
        if !self.space.shared.code.deadlocks {
            self.found.ended = true;
            return ControlFlow::Continue(());
        }
        let mut row = path.state.leaves.clone();
        row.extend_from_slice(&path.state.tasks);
        let key = (ErrorKind::Deadlock, self.space.waits_at(&row));
        if !self.found.bugs.contains_key(&key) {
            let trail = trail(self.space, path.steps());
            self.found.bug(key.0, key.1, || trail);
        }
        self.after_bug()
    }

    /// Roughly how many bytes are in use.
    fn memory(&self, stats: Stats) -> u64 {
        // A configuration with its event, and a node of a wakeup tree.
        let row = self.space.tasks as u64 * 8 + 1400;
        let ends = self.ends.len() as u64 * (self.space.tasks as u64 * 4 + 64);
        let races = self.races.as_ref().map_or(0, Races::bytes);
        stats.depth * row + stats.nodes * 160 + ends + races + self.space.shared.bytes()
    }

    fn counts(&mut self, stats: Stats) {
        // If ways with the same result were left out, the number of executions is not known.
        let pruned = self.space.shared.pruned.load(Ordering::Relaxed);
        self.found.counts = Counts {
            executions: (!pruned).then_some(self.executions),
            blocked: Some(stats.asleep),
            transitions: stats.steps - stats.starts,
            depth: stats.depth.saturating_sub(1),
            memory: self.memory(stats),
            ..Counts::default()
        };
    }
}

impl<'s> Observer<ProgramModel<'s>> for DporObserver<'s, '_> {
    fn longest(&self) -> usize {
        // The first segment does not count as a step.
        usize::try_from(self.options.max_steps.saturating_add(1)).unwrap_or(usize::MAX)
    }

    fn ended(&mut self, end: super::End, path: &Path<'_, ProgramModel<'s>>) -> ControlFlow<()> {
        if let Some(races) = &mut self.races {
            races.look(path);
        }
        self.count(end, path)?;
        self.after_bug()
    }

    fn failed(&mut self, path: &Path<'_, ProgramModel<'s>>) -> ControlFlow<()> {
        let site = &self.space.shared.code.sites[path.state.failed as usize];
        let key = (site.kind, site.span);
        if !self.found.bugs.contains_key(&key) {
            let trail = trail(self.space, path.past());
            self.found.bug(key.0, key.1, || trail);
        }
        if let Some(races) = &mut self.races {
            races.look_at_failure(path);
        }
        let next = self.after_bug();
        // An execution that is not followed to its end counts here.
        self.executions += u64::from(next.is_break());
        next
    }

    fn stops(&self) -> bool {
        self.space.shared.halt.now()
    }

    fn tick(&mut self, stats: Stats) -> ControlFlow<()> {
        if stats.work() < self.stats.work() + PATIENCE {
            return ControlFlow::Continue(());
        }
        let halt = &self.space.shared.halt;
        halt.spend(stats.work() - self.stats.work());
        self.stats = stats;
        let bytes = self.memory(stats);
        let counted = (bytes > halt.memory).then_some(Limit::Memory);
        self.found.limit = halt.reached_now().or(counted);
        self.progress.show(self.executions, "executions", || {
            format!("depth {}, {} MiB", stats.depth, bytes >> 20)
        });
        match self.found.limit {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    }
}
