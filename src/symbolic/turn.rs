//! Whose turn it is: the scheduler's object, and what is left of the budgets.
//!
//! Under the bag without budgets every task that is not blocked may run, and nothing has to be kept. Otherwise it matters who
//! is blocked: a blocked task is passed over, and leaving one that could go on has its price. So where the condition that a
//! task waits for is open, the state is split first, into cases in which it is known of each task whether it is blocked.

use base::source::Span;
use machine::budget::{Budget, Price};
use machine::space::LeftOut;
use options::{ExploreOptions, Scheduler};
use semantics::Queue;
use smt::term::Term;

use super::machine::Machine;
use super::mutants::Mutant;
use super::oracle::Verdict;
use super::path::Path;
use super::state::State;

/// The scheduler's object and the budgets, where there are any.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The scheduler's object over the numbers of the tasks.
    pub queue: Queue,
    /// Delays that are left; none where there is no bound.
    delays: Option<u32>,
    left: Budget,
    /// The task that ran last.
    last: u32,
    /// Whether the task that ran last could go on.
    goes_on: bool,
}

/// One case of a state: its path, and which tasks are blocked.
pub(super) struct Case {
    pub path: Path,
    pub blocked: Vec<bool>,
}

impl Turn {
    /// The turn at the start; `None` under the bag without budgets.
    pub fn new(options: &ExploreOptions) -> Option<Self> {
        let left = Budget::of(options);
        (options.scheduler != Scheduler::Bag || left.is_bounded()).then(|| Self {
            queue: Queue::new(options.scheduler),
            delays: options.delays,
            left,
            last: 1,
            goes_on: false,
        })
    }

    /// Appends what tells turns apart, beside the order of the tasks; `at` gives the position of a task.
    pub fn key(&self, at: impl Fn(u32) -> Option<u32>, key: &mut Vec<u32>) {
        let Budget {
            preemptions,
            switches,
        } = self.left;
        key.extend([self.delays, preemptions, switches].map(|b| b.unwrap_or(u32::MAX)));
        let last = if self.left.is_bounded() {
            at(self.last)
        } else {
            None
        };
        key.push(last.unwrap_or(u32::MAX));
        key.push(u32::try_from(self.queue.position()).unwrap_or(u32::MAX));
    }

    /// Returns the tasks in the scheduler's order, if that matters.
    pub fn order(&self) -> Option<Vec<u32>> {
        (!self.queue.is_bag()).then(|| self.queue.order())
    }

    /// Whether tasks can be delayed.
    pub fn delays(&self) -> bool {
        !self.queue.is_bag()
    }

    /// Whether there is a delay left to spend.
    pub fn has_delays(&self) -> bool {
        self.delays != Some(0)
    }

    /// Delays a task.
    pub fn delay(&mut self, task: u32) {
        self.delays = self.delays.map(|n| n.saturating_sub(1));
        self.queue.take(task);
        self.queue.delay(task);
        self.queue.settle();
    }

    /// The price of running a task.
    fn price(&self, task: u32) -> Price {
        if task == self.last {
            Price::default()
        } else {
            Price::of_switch(self.goes_on)
        }
    }

    /// Which budgets do not allow a task to run.
    pub fn missing(&self, task: u32) -> LeftOut {
        self.left.missing(self.price(task))
    }

    pub fn run(&mut self, task: u32) {
        self.left = self.left.after(self.price(task));
        self.last = task;
        self.queue.take(task);
    }
}

impl<'p> Machine<'p> {
    /// Returns a state in one of its cases: the scheduler has passed over the blocked tasks.
    pub fn settled(state: &State<'p>, case: &Case) -> State<'p> {
        let mut state = state.clone();
        state.path = case.path.clone();
        let position = |task: u32| state.tasks.iter().position(|t| t.number == task);
        let blocked = |task: u32| position(task).is_none_or(|p| case.blocked[p]);
        if let Some(mut turn) = state.turn.take() {
            turn.goes_on = !blocked(turn.last);
            let Ok(_) =
                (turn.queue).pass_over(|task| Ok::<_, std::convert::Infallible>(blocked(task)));
            state.turn = Some(turn);
        }
        state
    }

    /// Splits a state into cases in which it is known of each task whether it is blocked. Together they are the whole state.
    ///
    /// # Errors
    /// When no solver says whether a condition can hold, with the reason.
    pub fn cases(&mut self, state: &State<'p>) -> Result<Vec<Case>, (String, Span)> {
        let mut cases = vec![Case {
            path: state.path.clone(),
            blocked: Vec::new(),
        }];
        for position in 0..state.tasks.len() {
            let blocked = self.blocked(state, position)?;
            let mut next = Vec::with_capacity(cases.len());
            for case in cases {
                let unknown = |reason| (reason, state.waits_at(position));
                self.split(case, blocked, &mut next).map_err(unknown)?;
            }
            if Mutant::OneCaseIsEnough.is_on() {
                next.truncate(1);
            }
            cases = next;
        }
        Ok(cases)
    }

    /// Splits a case by whether one more task is blocked.
    fn split(&mut self, case: Case, blocked: Term, next: &mut Vec<Case>) -> Result<(), String> {
        let mut add = |path: Path, is_blocked: bool| {
            let mut blocked = case.blocked.clone();
            blocked.push(is_blocked);
            next.push(Case { path, blocked });
        };
        match self.oracle.decide(&self.terms, &case.path, blocked) {
            Verdict::Known(known) => add(case.path, known),
            Verdict::Open(yes, no) => {
                add(yes, true);
                add(no, false);
            }
            Verdict::Unknown(reason) => return Err(reason),
        }
        Ok(())
    }

    /// Returns the path of a state, restricted to a case. Its values may not fulfil the new conditions.
    ///
    /// # Errors
    /// When a condition cannot be put as a term, with the reason.
    pub fn assumed(&mut self, state: &State<'p>, case: &Case) -> Result<Path, String> {
        let mut path = state.path.clone();
        for (position, &is_blocked) in case.blocked.iter().enumerate() {
            let blocked = self
                .blocked(state, position)
                .map_err(|(reason, _)| reason)?;
            let literal = if is_blocked { blocked } else { !blocked };
            path = path.assuming(&self.terms, literal);
        }
        Ok(path)
    }
}
