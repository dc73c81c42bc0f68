//! Which tasks may run next: Algorithm 1, and bounds on preemptions and context switches.
//!
//! If the priority keeps the task that ran last from going on, the switch to another one is free (the paper's section 4: "it is
//! important to not count such preemptions").

use options::{ExploreOptions, Strategy};

use super::priority::{Priority, Turn};
use super::tasks::Tasks;
use machine::budget::{Budget, Price};
use machine::space::LeftOut;

/// The rules of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether Algorithm 1 schedules.
    pub fair: bool,
    /// The bounds on preemptions and context switches.
    pub budget: Budget,
}

/// What the rules remember of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    priority: Priority,
    left: Budget,
    /// The task that ran last, if there is a bound and the task is pending.
    last: Option<u32>,
}

impl Rules {
    /// The rules that the options ask for. The search with a store of states covers all schedules, and needs
    /// Algorithm 1 only to know which preemptions are free.
    pub fn new(options: &ExploreOptions) -> Self {
        let budget = Budget::of(options);
        let stored = options.strategy == Strategy::Stateful;
        Self {
            fair: budget.is_bounded() || !stored,
            budget,
        }
    }

    /// Whether the memory depends on which tasks are enabled after a step.
    pub fn looks_ahead(self) -> bool {
        self.fair
    }

    /// The memory of an execution that begins: the first task has run, and may be gone.
    pub fn begin(self, gone: bool) -> Memory {
        Memory {
            priority: Priority::default(),
            left: self.budget,
            last: (self.budget.is_bounded() && !gone).then_some(0),
        }
    }

    /// The tasks that line 7 allows and that the budget can pay for.
    pub fn choices(self, memory: &Memory, enabled: &Tasks) -> Tasks {
        let fair = self.fair(memory, enabled);
        if !self.budget.is_bounded() {
            return fair;
        }
        let affordable = |&task: &u32| self.missing(memory, enabled, task).is_empty();
        fair.iter().filter(affordable).collect()
    }

    /// The bounds that keep a task from running that line 7 allows and that comes to some state.
    pub fn leaves_out(
        self,
        memory: &Memory,
        enabled: &Tasks,
        comes: impl Fn(u32) -> bool,
    ) -> LeftOut {
        let mut all = LeftOut::default();
        if self.budget.is_bounded() {
            let fair = self.fair(memory, enabled);
            let running = fair.iter().filter(|&task| comes(task));
            let missing = running.map(|task| self.missing(memory, enabled, task));
            missing.for_each(|one| all.add(one));
        }
        all
    }

    /// The budgets that running a task would overdraw.
    fn missing(self, memory: &Memory, enabled: &Tasks, task: u32) -> LeftOut {
        memory.left.missing(self.price(memory, enabled, task))
    }

    /// Whether Algorithm 1 withholds an enabled task.
    pub fn withholds(self, memory: &Memory, enabled: &Tasks) -> bool {
        self.fair && self.fair(memory, enabled) != *enabled
    }

    fn fair(self, memory: &Memory, enabled: &Tasks) -> Tasks {
        if self.fair {
            memory.priority.schedulable(enabled)
        } else {
            enabled.clone()
        }
    }

    /// What running a task costs.
    fn price(self, memory: &Memory, enabled: &Tasks, task: u32) -> Price {
        let could = memory.last.is_some_and(|last| enabled.contains(last));
        let may = |last| self.fair(memory, enabled).contains(last);
        let forced = could && !memory.last.is_some_and(may);
        if memory.last == Some(task) || forced {
            Price::default()
        } else {
            Price::of_switch(could)
        }
    }

    /// The memory after a step.
    pub fn after(self, memory: &Memory, made: Turn<'_>) -> Memory {
        let mut next = memory.clone();
        if self.fair {
            next.priority.turn(made);
        }
        if self.budget.is_bounded() {
            let price = self.price(memory, made.before, made.task);
            next.left = memory.left.after(price);
            next.last = (!made.gone).then_some(made.task);
        }
        next
    }
}
