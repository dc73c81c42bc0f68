//! The search that follows one execution of each trace.

use std::cell::RefCell;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use base::source::Span;
use explore::dpor::program::numbers_show;
use explore::{
    dpor,
    dpor::{Observer, Path, Stats},
};
use ir::ErrorKind;
use machine::limits::Progress;
use options::ExploreOptions;
use trace::Schedule;

use super::canon::{Form, Key};
use super::machine::Machine;
use super::run::{End, Run};
use super::search::{Found, How};
use super::traces::Tasks;

/// How much work passes before time and memory are looked at.
const PATIENCE: u64 = 1 << 6;

/// The findings of the search, and the number of its executions.
pub(super) struct Followed<'p> {
    pub found: Found<'p>,
    pub executions: u64,
}

/// Follows one execution of each trace, and of each class of values.
pub(super) fn follow<'p>(
    machine: Machine<'p>,
    options: &ExploreOptions,
) -> (Machine<'p>, Followed<'p>) {
    let machine = RefCell::new(machine);
    let show = options.finals && numbers_show(machine.borrow().program);
    let mut tasks = Tasks::new(&machine, show);
    let mut watch = Watch {
        machine: &machine,
        options,
        found: Found::default(),
        executions: 0,
        known: FxHashSet::default(),
        stats: Stats::default(),
        progress: Progress::new(options.progress),
    };
    let stats = dpor::explore(&mut tasks, &mut watch);
    let (mut found, executions) = (watch.found, watch.executions);
    found.refusal = found.refusal.or(tasks.met.refusal);
    found.cuts.extend(tasks.met.cuts);
    found.dropped |= tasks.met.dropped;
    found.too_long = stats.cut > 0;
    found.transitions = stats.steps - stats.starts;
    found.depth = stats.depth.saturating_sub(1);
    if machine.borrow().halt.now() {
        found.limit = found.limit.or(Some(machine.borrow().halt.which()));
    }
    (machine.into_inner(), Followed { found, executions })
}

/// Takes what the reduction finds.
struct Watch<'m, 'p, 'o> {
    machine: &'m RefCell<Machine<'p>>,
    options: &'o ExploreOptions,
    found: Found<'p>,
    executions: u64,
    /// The forms of the states with which executions have ended.
    known: FxHashSet<Key>,
    stats: Stats,
    progress: Progress,
}

type Seen<'a, 'm, 'p> = Path<'a, Tasks<'m, 'p>>;

impl<'m, 'p> Watch<'m, 'p, '_> {
    /// Goes on unless one bug is enough.
    fn after_bug(&self) -> ControlFlow<()> {
        if self.options.goes_on() || self.found.bugs.is_empty() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn bug(
        &mut self,
        kind: ErrorKind,
        span: Span,
        schedule: impl FnOnce() -> Result<Schedule, String>,
    ) {
        let bugs = &mut self.found.bugs;
        bugs.entry((kind, span))
            .or_insert_with(|| How::Known(schedule()));
    }

    /// A complete execution: runs `finally`.
    fn complete(&mut self, path: &Seen<'_, 'm, 'p>) -> ControlFlow<()> {
        self.executions += 1;
        let state = &path.state.state;
        let key = {
            let mut machine = self.machine.borrow_mut();
            machine.canonical(state.clone(), Form::Renamed).key
        };
        if !self.known.insert(key) {
            return ControlFlow::Continue(());
        }
        let finally = self.machine.borrow_mut().finish(state);
        let Some(run) = finally else {
            self.end(state);
            return ControlFlow::Continue(());
        };
        let mut ways: Vec<(End, Run<'p>)> = Vec::new();
        let each = |_: &mut Machine<'p>, end, run| ways.push((end, run));
        self.machine.borrow_mut().segment(run, each);
        for (end, run) in ways {
            match end {
                End::Finished => self.end(&run.state),
                End::Fails(kind, span) => {
                    self.found.ended = true;
                    let (machine, steps) = (self.machine, Vec::from_iter(path.steps()));
                    self.bug(kind, span, || Tasks::schedule(machine, &steps, Some(run)));
                }
                other => self.found.left(other, || None),
            }
        }
        self.after_bug()
    }

    fn end(&mut self, state: &super::state::State<'p>) {
        self.found.ended = true;
        if self.options.finals {
            self.found.ends.push(state.clone());
        }
    }

    fn deadlock(&mut self, path: &Seen<'_, 'm, 'p>) -> ControlFlow<()> {
        self.executions += 1;
        if !self.machine.borrow().program.scope.deadlocks {
            self.found.ended = true;
            return ControlFlow::Continue(());
        }
        let (machine, span) = (self.machine, path.state.state.first_wait());
        let steps = Vec::from_iter(path.steps());
        self.bug(ErrorKind::Deadlock, span, || {
            Tasks::schedule(machine, &steps, None)
        });
        self.after_bug()
    }
}

impl<'m, 'p> Observer<Tasks<'m, 'p>> for Watch<'m, 'p, '_> {
    fn longest(&self) -> usize {
        // `max_steps` does not count the first segment.
        usize::try_from(self.options.max_steps.saturating_add(1)).unwrap_or(usize::MAX)
    }

    fn ended(&mut self, end: dpor::End, path: &Seen<'_, 'm, 'p>) -> ControlFlow<()> {
        match end {
            dpor::End::Complete => self.complete(path)?,
            dpor::End::Deadlock => self.deadlock(path)?,
            dpor::End::Failed => self.executions += 1,
            dpor::End::Dropped | dpor::End::Endless | dpor::End::Cut | dpor::End::Asleep => {}
        }
        self.after_bug()
    }

    fn failed(&mut self, path: &Seen<'_, 'm, 'p>) -> ControlFlow<()> {
        if let Some((kind, span)) = path.state.failed {
            self.found.ended = true;
            let machine = self.machine;
            self.bug(kind, span, || Tasks::schedule(machine, &path.past(), None));
        }
        let next = self.after_bug();
        // This execution is not followed to its end, so it is counted here.
        self.executions += u64::from(next.is_break());
        next
    }

    fn stops(&self) -> bool {
        self.machine.borrow().halt.now()
    }

    fn tick(&mut self, stats: Stats) -> ControlFlow<()> {
        if stats.work() < self.stats.work() + PATIENCE {
            return ControlFlow::Continue(());
        }
        let machine = self.machine.borrow();
        machine.halt.spend(stats.work() - self.stats.work());
        self.stats = stats;
        self.found.limit = machine.halt.reached_now();
        let asked = machine.oracle.asked;
        self.progress.show(self.executions, "executions", || {
            let (questions, saved) = (asked.questions, asked.saved());
            format!("{questions} questions to the solver, {saved} % answered without it")
        });
        match self.found.limit {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    }
}
