//! Programs as fairness sees them: the states of the bag, on the machine of `explore`.
//!
//! A task's number is its place in the row, which it has until it finishes.

use std::collections::BTreeSet;
use std::hash::Hash;

use crate::ir::{ErrorKind, Program, Value};
use crate::options::ExploreOptions;
use crate::trace::{Decision, Schedule};

use super::super::found::Trail;
use super::super::machine::{Memo, Refusal, Way};
use super::super::schedule::schedule;
use super::super::space::{End, LeftOut, Scratch, Sink, Space, Step as Act};
use super::super::store::{Exact, Fold};
use super::super::values;
use super::model::{Endless, Failure, Finish, Model, Path, Step, To};
use super::tasks::Tasks;

/// How rows are kept.
pub(super) trait Rows {
    /// What stands for a row.
    type Id: Clone + Eq + Hash;
    /// What stands for this one.
    fn put(&mut self, row: &[u32]) -> Self::Id;
    /// The row that it stands for.
    fn get(&mut self, id: &Self::Id, row: &mut Vec<u32>);
    /// Bytes of all.
    fn bytes(&self) -> u64;
    /// Bytes of one, beside those.
    fn size(&self, id: &Self::Id) -> u64;
}

/// All rows, folded into each other.
pub(super) struct Stored {
    exact: Exact,
    fold: Fold,
}

impl Rows for Stored {
    type Id = u64;

    fn put(&mut self, row: &[u32]) -> u64 {
        self.exact.key(row, None, &mut self.fold)
    }

    fn get(&mut self, id: &u64, row: &mut Vec<u32>) {
        self.exact.load(*id, row, &mut self.fold);
    }

    fn bytes(&self) -> u64 {
        self.exact.bytes()
    }

    fn size(&self, _: &u64) -> u64 {
        0
    }
}

/// Each row for itself, as long as somebody holds it.
pub(super) struct Loose;

impl Rows for Loose {
    type Id = Box<[u32]>;

    fn put(&mut self, row: &[u32]) -> Box<[u32]> {
        row.into()
    }

    fn get(&mut self, id: &Box<[u32]>, row: &mut Vec<u32>) {
        row.clear();
        row.extend_from_slice(id);
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn size(&self, id: &Box<[u32]>) -> u64 {
        id.len() as u64 * 4 + 16
    }
}

/// What the space tells.
#[derive(Default)]
struct Told {
    slept: bool,
    /// Step, whether it slept, and where its row begins.
    steps: Vec<(Act, bool, usize)>,
    rows: Vec<u32>,
    failures: Vec<(Act, u32)>,
    refusal: Option<Refusal>,
    left_out: LeftOut,
}

impl Sink for Told {
    fn way(&mut self, way: Way<'_>) {
        self.slept = way.slept;
    }

    fn next(&mut self, step: Act, state: &[u32], _: Option<&[u32]>) {
        self.steps.push((step, self.slept, self.rows.len()));
        self.rows.extend_from_slice(state);
    }

    fn fails(&mut self, step: Act, site: u32) {
        self.failures.push((step, site));
    }

    fn refused(&mut self, _: Act, refusal: Refusal) {
        self.refusal.get_or_insert(refusal);
    }

    fn leaves_out(&mut self, bound: LeftOut) {
        self.left_out.add(bound);
    }
}

/// A program.
pub(super) struct Programmed<'s, R> {
    program: &'s Program,
    space: Space<'s>,
    memo: Memo<'s>,
    scratch: Scratch,
    rows: R,
    row: Vec<u32>,
    told: Told,
    wants_finals: bool,
    finals: rustc_hash::FxHashSet<Box<[u32]>>,
    /// Why some execution cannot be followed.
    pub refusal: Option<Refusal>,
    /// The bounds that left something out: of the bounded bag.
    pub left_out: LeftOut,
}

impl<'s> Programmed<'s, Stored> {
    /// With all states stored.
    pub fn stored(program: &'s Program, space: Space<'s>, options: &ExploreOptions) -> Self {
        let rows = Stored {
            exact: Exact::new(space.widths()),
            fold: Fold::default(),
        };
        Self::new(program, space, options, rows)
    }
}

impl<'s> Programmed<'s, Loose> {
    /// With no states stored.
    pub fn loose(program: &'s Program, space: Space<'s>, options: &ExploreOptions) -> Self {
        Self::new(program, space, options, Loose)
    }
}

impl<'s, R: Rows> Programmed<'s, R> {
    fn new(program: &'s Program, space: Space<'s>, options: &ExploreOptions, rows: R) -> Self {
        let room = usize::try_from(options.limits.memory / 8).unwrap_or(usize::MAX);
        Self {
            program,
            space,
            memo: Memo::new(space.shared, room),
            scratch: Scratch::default(),
            rows,
            row: Vec::new(),
            told: Told::default(),
            wants_finals: options.finals,
            finals: rustc_hash::FxHashSet::default(),
            refusal: None,
            left_out: LeftOut::default(),
        }
    }

    /// The final values of the visible globals.
    pub fn finals(&self) -> BTreeSet<Vec<Value>> {
        // The order of the table is lost in the set's.
        #[allow(clippy::iter_over_hash_type, reason = "what is collected is sorted")]
        let all = (self.finals.iter())
            .flat_map(|leaves| values::finals(self.program, self.space.shared, leaves));
        all.collect()
    }

    /// What was told, as steps of some tasks; failures come last.
    fn take(&mut self, of: Option<&Tasks>) -> Vec<Step<R::Id, Act>> {
        let told = std::mem::take(&mut self.told);
        let wanted = |act: &Act| of.is_none_or(|of| of.contains(act.place));
        let mut steps = Vec::new();
        for (i, &(act, slept, from)) in told.steps.iter().enumerate() {
            if !wanted(&act) {
                continue;
            }
            let to = told.steps.get(i + 1).map_or(told.rows.len(), |s| s.2);
            let row = &told.rows[from..to];
            let leaf = row.get(self.space.tasks + act.place as usize);
            let to = To::State {
                state: self.rows.put(row),
                slept,
                gone: leaf.is_none_or(|&leaf| leaf == 0),
            };
            steps.push(Step {
                task: act.place,
                act,
                to,
            });
        }
        let failures = told.failures.iter().filter(|f| wanted(&f.0));
        steps.extend(failures.map(|&(act, site)| Step {
            task: act.place,
            act,
            to: To::Fails(self.failure(site)),
        }));
        if told.refusal.is_some() {
            self.refusal = self.refusal.or(told.refusal);
        }
        self.left_out.add(told.left_out);
        self.told = told.emptied();
        steps
    }

    fn failure(&self, site: u32) -> Failure {
        let site = &self.space.shared.code.sites[site as usize];
        (site.kind, site.span)
    }

    /// The execution as a schedule.
    pub fn schedule(&self, path: &Path<Act>) -> Schedule {
        let mut steps = path.acts.iter().copied();
        let trail = Trail {
            begin: steps.next().map_or(0, |first| first.way),
            steps: steps.collect(),
            finally: path.finish,
            race: None,
        };
        schedule(self.program, self.space, &trail)
    }

    /// The endless execution as a schedule: the stem, that many turns in advance, and the turn that repeats.
    ///
    /// The machine makes a choice when its value is needed, which may be in the next turn. So there is one more
    /// turn, for its choices, which is then cut off.
    pub fn forever(&self, endless: &Endless<Act>, turns: usize) -> Schedule {
        let mut acts = endless.stem.clone();
        for _ in 0..turns + 2 {
            acts.extend(&endless.turn);
        }
        let schedule = self.schedule(&Path { acts, finish: None });
        let mut decisions = schedule.decisions;
        let start = endless.stem.len() + turns * endless.turn.len();
        decisions.truncate(dispatch(&decisions, start + endless.turn.len()));
        decisions.insert(dispatch(&decisions, start), Decision::Forever);
        Schedule { decisions }
    }
}

/// Where in a schedule an act begins. The first act is no dispatch.
fn dispatch(decisions: &[Decision], act: usize) -> usize {
    let dispatches = decisions.iter().enumerate();
    let mut dispatches = dispatches.filter(|(_, d)| matches!(d, Decision::Dispatch(_)));
    let at = dispatches.nth(act.saturating_sub(1));
    at.map_or(decisions.len(), |(at, _)| at)
}

impl Told {
    /// The memory, to be used again.
    fn emptied(mut self) -> Self {
        self.steps.clear();
        self.rows.clear();
        self.failures.clear();
        self.refusal = None;
        self
    }
}

impl<R: Rows> Model for Programmed<'_, R> {
    type State = R::Id;
    type Act = Act;

    fn begin(&mut self) -> Vec<Step<R::Id, Act>> {
        self.space.begin(&mut self.memo, &mut self.told);
        self.take(None)
    }

    fn enabled(&mut self, state: &R::Id) -> Tasks {
        self.rows.get(state, &mut self.row);
        let mut tasks = Tasks::new();
        (self.space).each_enabled(&self.row, &mut self.memo, |place| tasks.insert(place));
        tasks
    }

    fn is_final(&mut self, state: &R::Id) -> bool {
        self.rows.get(state, &mut self.row);
        self.space.is_final(&self.row)
    }

    fn deadlock(&mut self, state: &R::Id) -> Failure {
        self.rows.get(state, &mut self.row);
        (ErrorKind::Deadlock, self.space.waits_at(&self.row))
    }

    fn steps(&mut self, state: &R::Id, of: &Tasks) -> Vec<Step<R::Id, Act>> {
        self.rows.get(state, &mut self.row);
        let (memo, scratch) = (&mut self.memo, &mut self.scratch);
        (self.space).steps(&self.row, memo, scratch, &mut self.told);
        self.take(Some(of))
    }

    fn finish(&mut self, state: &R::Id) -> Vec<Finish> {
        self.rows.get(state, &mut self.row);
        let shared = self.space.shared;
        let leaves = shared.packing.leaves as usize;
        let (finals, refusal) = (&mut self.finals, &mut self.refusal);
        let mut ends = Vec::new();
        (self.space).finish(&self.row, &mut self.memo, |way, end, row| {
            // A way's number is its place.
            ends.resize(way as usize, Finish::Void);
            ends.push(match end {
                End::Fails(site) => {
                    let site = &shared.code.sites[site as usize];
                    Finish::Fails((site.kind, site.span))
                }
                End::Finished | End::Rests(_) => {
                    if self.wants_finals {
                        finals.insert(row[..leaves].into());
                    }
                    Finish::Done
                }
                End::Refused(why) => {
                    refusal.get_or_insert(why);
                    Finish::Void
                }
                End::Dropped | End::Pruned | End::Blocked => Finish::Void,
            });
        });
        ends
    }

    fn merges(&self) -> bool {
        (self.space.shared.pruned).load(std::sync::atomic::Ordering::Relaxed)
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes() + self.memo.bytes() as u64 + self.space.shared.bytes()
    }

    fn size(&self, state: &R::Id) -> u64 {
        self.rows.size(state)
    }
}
