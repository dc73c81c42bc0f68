//! Expands one state after the other. The caller stores the states that follow.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use base::source::Span;
use ir::ErrorKind;

use machine::found::Found;
use machine::limits::Halt;
use machine::space::{End, LeftOut, Scratch, Sink, Space, Standing, Step, instructions};
use machine::{Memo, Refusal, Shared, Way};

/// How an execution fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Failure {
    Step(Step, u32),
    /// Every task is blocked. The span is the place where the first one waits.
    Deadlock(Span),
    /// A way of `finally` fails: the way, and the site.
    Finally(u32, u32),
}

impl Failure {
    /// What kind of error it is, and where.
    pub fn error(self, shared: &Shared) -> (ErrorKind, Span) {
        match self {
            Self::Step(_, site) | Self::Finally(_, site) => {
                let site = &shared.code.sites[site as usize];
                (site.kind, site.span)
            }
            Self::Deadlock(span) => (ErrorKind::Deadlock, span),
        }
    }
}

/// What there is to report of states that were expanded, beside the states that follow.
#[derive(Debug, Default)]
pub struct Output {
    /// Failures, each with the number of its state.
    pub failures: Vec<(u32, Failure)>,
    /// Instructions that race in a state, by its number.
    pub races: Vec<(u32, (u32, u32))>,
    /// Whether accesses may race although no state lies directly before them.
    pub comes_late: bool,
    /// The first step that could not be followed.
    pub refusal: Option<Refusal>,
    pub transitions: u64,
    /// Whether an execution was cut.
    pub cut: bool,
    /// The bounds that left something out.
    pub left_out: LeftOut,
    /// Whether a reduction left steps out.
    pub reduced: bool,
    /// How many executions came to their end.
    pub ended: u64,
    /// Whether time ran out before all steps were taken.
    pub late: bool,
    /// Final globals, as far as [`Finals`] reports them.
    pub finals: Vec<Box<[u32]>>,
}

impl Output {
    /// Adds all but failures, races and lateness to what was found.
    pub fn add_to(&self, found: &mut Found) {
        found.counts.transitions += self.transitions;
        found.left_out.add(self.left_out);
        found.cut |= self.cut;
        found.reduced |= self.reduced;
        found.doubtful |= self.comes_late;
        found.ended |= self.ended > 0;
        found.refusal = found.refusal.or(self.refusal);
        found.finals.extend(self.finals.iter().cloned());
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.failures.clear();
        self.races.clear();
        self.comes_late = false;
        self.finals.clear();
        (self.refusal, self.transitions) = (None, 0);
        (self.cut, self.late, self.reduced, self.ended) = (false, false, false, 0);
        self.left_out = LeftOut::default();
    }
}

/// Which final globals are reported.
#[derive(Debug)]
pub enum Finals {
    Unwanted,
    /// Those of each execution.
    Each,
    /// Those that were not seen before.
    New(FxHashSet<Box<[u32]>>),
}

impl Finals {
    /// Those that were not seen before, if they are wanted.
    pub fn new(wanted: bool) -> Self {
        match wanted {
            true => Self::New(FxHashSet::default()),
            false => Self::Unwanted,
        }
    }

    /// Whether these globals are reported.
    fn tells(&mut self, globals: &[u32]) -> bool {
        match self {
            Self::Unwanted => false,
            Self::Each => true,
            Self::New(seen) => !seen.contains(globals) && seen.insert(globals.into()),
        }
    }
}

pub struct Expander<'s> {
    pub space: Space<'s>,
    pub memo: Memo<'s>,
    scratch: Scratch,
    finals: Finals,
}

/// Receives the states that follow.
pub trait Follow {
    /// Whether the next step ends at a `sleep`.
    fn slept(&mut self, _slept: bool) {}
    /// A step leads to a state. `changed` are the leaves in which it differs from the one before, if that is known.
    fn next(&mut self, step: Step, state: &[u32], changed: Option<&[u32]>);
}

impl<F: FnMut(Step, &[u32], Option<&[u32]>)> Follow for F {
    fn next(&mut self, step: Step, state: &[u32], changed: Option<&[u32]>) {
        self(step, state, changed);
    }
}

/// Tells of steps: states to `next`, everything else to the output.
struct Collect<'a, N> {
    next: N,
    out: &'a mut Output,
    from: u32,
    halt: &'a Halt,
}

impl<N: Follow> Sink for Collect<'_, N> {
    fn way(&mut self, way: Way<'_>) {
        self.next.slept(way.slept);
    }

    fn next(&mut self, step: Step, state: &[u32], changed: Option<&[u32]>) {
        self.next.next(step, state, changed);
    }

    fn fails(&mut self, step: Step, site: u32) {
        self.out
            .failures
            .push((self.from, Failure::Step(step, site)));
    }

    fn races(&mut self, one: Standing, other: Standing) {
        let race = (self.from, instructions(one, other));
        if self.out.races.last() != Some(&race) {
            self.out.races.push(race);
        }
    }

    fn comes_late(&mut self) {
        self.out.comes_late = true;
    }

    fn refused(&mut self, _: Step, refusal: Refusal) {
        self.out.refusal.get_or_insert(refusal);
    }

    fn leaves_out(&mut self, bound: LeftOut) {
        self.out.left_out.add(bound);
    }

    fn stops(&mut self) -> bool {
        self.out.late |= self.halt.reached().is_some();
        self.out.late
    }
}

impl<'s> Expander<'s> {
    /// Expands states of a space.
    pub fn new(space: Space<'s>, memo: Memo<'s>, finals: Finals) -> Self {
        Self {
            space,
            memo,
            scratch: Scratch::default(),
            finals,
        }
    }

    /// The states after the first segment.
    pub fn begin(&mut self, out: &mut Output, next: impl Follow) {
        let mut sink = Collect {
            next,
            out,
            from: 0,
            halt: &self.space.shared.halt,
        };
        self.space.begin(&mut self.memo, &mut sink);
    }

    /// Expands a state. `from` is its number, to which failures refer. `steps` says how many steps lead to it, and how many an
    /// execution may have. `next` gets the steps with the rows of the states that follow, each with the leaves
    /// in which it differs from this one, if that is known.
    pub fn expand(
        &mut self,
        row: &[u32],
        from: u32,
        steps: (u64, u64),
        out: &mut Output,
        next: impl Follow,
    ) {
        if self.space.is_final(row) {
            self.finish(row, from, out);
        } else if (steps.0).saturating_sub(self.space.spent(row)) >= steps.1 {
            out.cut = true;
        } else {
            self.steps(row, from, out, next);
        }
    }

    fn steps(&mut self, row: &[u32], from: u32, out: &mut Output, next: impl Follow) {
        let mut sink = Collect {
            next,
            out,
            from,
            halt: &self.space.shared.halt,
        };
        let summary = (self.space).steps(row, &mut self.memo, &mut self.scratch, &mut sink);
        out.transitions += summary.transitions;
        out.reduced |= summary.reduced;
        if !summary.enabled && !self.space.shared.code.deadlocks {
            out.ended += 1;
        } else if !summary.enabled {
            let failure = Failure::Deadlock(self.space.waits_at(row));
            out.failures.push((from, failure));
        }
    }

    fn finish(&mut self, row: &[u32], from: u32, out: &mut Output) {
        let finals = &mut self.finals;
        let leaves = self.space.shared.packing.leaves as usize;
        (self.space).finish(row, &mut self.memo, |way, end, row| match end {
            End::Fails(site) => out.failures.push((from, Failure::Finally(way, site))),
            End::Refused(refusal) => {
                out.refusal.get_or_insert(refusal);
            }
            End::Finished | End::Rests(_) => {
                out.ended += 1;
                if finals.tells(&row[..leaves]) {
                    out.finals.push(row[..leaves].into());
                }
            }
            End::Dropped | End::Pruned | End::Blocked => {}
        });
    }
}
