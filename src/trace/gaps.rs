//! Leaves out the middle of a very long segment.
//!
//! A loop without a preemption point may have millions of rounds. Nobody reads so many steps, and memory does not hold them.
//! An execution with such a segment runs twice: first to count, then to record how the segment begins and how it ends. Both
//! times all of it is executed. Choices, and posts of tasks, are never left out.

use std::collections::VecDeque;
use std::ops::Range;

/// How many steps are recorded before a gap, and how many turns of the machine behind it.
const MOST: u32 = 100_000;

/// Where an execution is not recorded, in turns of the machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    /// The turns so far.
    turns: u64,
    /// How many tasks are posted.
    posted: u32,
    /// Whether gaps are looked for.
    sought: bool,
    /// How many steps there were where counting began.
    base: usize,
    /// The turn at which the steps became too many.
    since: Option<u64>,
    /// Whether they became too many anywhere.
    long: bool,
    known: VecDeque<Range<u64>>,
}

impl Gaps {
    /// Looks for gaps.
    pub fn sought() -> Self {
        Self {
            sought: true,
            ..Self::default()
        }
    }

    /// Whether the turn is recorded.
    pub fn records(&self) -> bool {
        let left_out = |gap: &Range<u64>| gap.contains(&self.turns);
        self.since.is_none() && !self.known.front().is_some_and(left_out)
    }

    /// Takes the next turn: so many steps are recorded, so many tasks posted. Returns whether a gap ends here.
    pub fn turn(&mut self, steps: usize, posted: u32) -> bool {
        if posted != self.posted {
            self.posted = posted;
            self.end(steps);
        }
        self.turns += 1;
        let many = steps.saturating_sub(self.base) >= MOST as usize;
        if self.sought && many && self.since.is_none() {
            (self.since, self.long) = (Some(self.turns), true);
        }
        let ends = self.known.front().is_some_and(|gap| gap.end == self.turns);
        if ends {
            self.known.pop_front();
        }
        ends
    }

    /// Ends what may be left out, and begins to count again.
    pub fn end(&mut self, steps: usize) {
        self.base = steps;
        if let Some(from) = self.since.take() {
            let gap = from..self.turns.saturating_sub(u64::from(MOST));
            self.known.extend((!gap.is_empty()).then_some(gap));
        }
    }

    /// The gaps with which the execution has to be recorded again, because some of its steps were too many.
    pub fn again(&mut self) -> Option<Self> {
        self.end(0);
        self.long.then(|| Self {
            known: std::mem::take(&mut self.known),
            ..Self::default()
        })
    }
}
