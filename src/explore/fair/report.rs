//! What a search has found, and whether it is to go on.

use std::collections::BTreeMap;

use crate::clock::Instant;
use crate::options::ExploreOptions;
use crate::work;

use super::super::found::{Counts, Limit};
use super::super::space::LeftOut;
use super::model::{Endless, Failure, Finish, Path};

/// What was found.
#[derive(Debug)]
pub(crate) struct Report<A> {
    /// The figures.
    pub counts: Counts,
    /// What fails, each with an execution.
    pub bugs: BTreeMap<Failure, Path<A>>,
    /// What can go on for ever.
    pub endless: Vec<Endless<A>>,
    /// An execution that is longer than executions may be.
    pub long: Option<Path<A>>,
    /// States, each with what Algorithm 1 remembers there, if they are stored.
    pub nodes: u64,
    /// Whether an execution was not followed to its end because it is too long.
    pub cut: bool,
    /// The bounds that left something out.
    pub left_out: LeftOut,
    /// Whether an execution came to its end.
    pub any_ended: bool,
    /// Whether the scheduler withheld something.
    pub withheld: bool,
    /// The limit that ended the search.
    pub limit: Option<Limit>,
    /// How many executions fail before any task but the first has run.
    pub failed_at_once: u64,
    /// Whether executions are followed after one that was too long.
    pub past_long: bool,
    all: bool,
    max_steps: u64,
    deadline: Option<Instant>,
    memory: u64,
    /// How often it was asked whether to go on.
    asked: u32,
}

/// More endless executions than this are not shown.
const ENDLESS: usize = 1000;

impl<A: Copy> Report<A> {
    /// Nothing found yet.
    pub fn new(options: &ExploreOptions) -> Self {
        Self {
            counts: Counts::from_zero(),
            bugs: BTreeMap::new(),
            endless: Vec::new(),
            long: None,
            nodes: 0,
            cut: false,
            left_out: LeftOut::default(),
            any_ended: false,
            withheld: false,
            limit: None,
            failed_at_once: 0,
            past_long: options.goes_on(),
            all: options.goes_on(),
            max_steps: options.max_steps,
            deadline: Instant::now().checked_add(options.limits.timeout),
            memory: options.limits.memory,
            asked: 0,
        }
    }

    /// Whether the first bug ends the search.
    pub fn stops_at_first(&self) -> bool {
        !self.all
    }

    /// Whether there is anything left to look for.
    pub fn wants_more(&self) -> bool {
        self.all || self.bugs.is_empty() && self.endless.is_empty()
    }

    /// Whether the search is to go on, with so many bytes in use.
    pub fn go_on(&mut self, bytes: u64) -> bool {
        self.asked = self.asked.wrapping_add(1);
        let late = |d: Instant| work::stopping() || Instant::now() >= d;
        if bytes > self.memory {
            self.limit = Some(Limit::Memory);
        } else if self.asked.is_multiple_of(64) && self.deadline.is_some_and(late) {
            self.limit = Some(Limit::Time);
        }
        self.limit.is_none() && self.wants_more()
    }

    /// An execution is longer than any should be.
    pub fn long(&mut self, path: impl FnOnce() -> Path<A>) {
        *self.counts.cut.get_or_insert(0) += 1;
        self.long.get_or_insert_with(path);
    }

    /// Whether no more executions are to be followed because one was too long.
    pub fn warns(&self) -> bool {
        self.long.is_some() && !self.past_long
    }

    /// An execution is so long; whether that is too long to go on.
    pub fn too_deep(&mut self, depth: u32) -> bool {
        let deep = u64::from(depth) >= self.max_steps;
        self.cut |= deep;
        deep
    }

    /// A state is so far from the beginning.
    pub fn depth(&mut self, depth: u32) {
        self.counts.depth = self.counts.depth.max(depth.into());
    }

    /// An execution fails or is deadlocked.
    pub fn fails(&mut self, failure: Failure, path: impl FnOnce() -> Path<A>) {
        self.ended();
        if self.wants_more() {
            self.bugs.entry(failure).or_insert_with(path);
        }
    }

    fn ended(&mut self) {
        self.any_ended = true;
        self.counts.executions = self.counts.executions.map(|n| n + 1);
    }

    /// Complete executions end in these ways.
    pub fn finish(&mut self, ends: &[Finish], path: impl Fn() -> Vec<A>) {
        for (number, &end) in (0u32..).zip(ends) {
            match end {
                Finish::Done => self.ended(),
                Finish::Void => {}
                Finish::Fails(failure) => self.fails(failure, || Path {
                    acts: path(),
                    finish: Some(number),
                }),
            }
        }
    }

    /// Executions that go on for ever, the shortest first; whether the search is to go on.
    pub fn endless(&mut self, mut found: Vec<Endless<A>>) -> bool {
        found.sort_by_key(|e| e.stem.len() + e.turn.len());
        found.truncate(if self.all { ENDLESS } else { 1 });
        self.endless.append(&mut found);
        self.wants_more()
    }
}
