//! Who may run next: Algorithm 1, and bounds on preemptions and context switches.
//!
//! Going from a task to another costs a switch, and a preemption if the task could go on. Where
//! the priority keeps it from going on, the way to another is free (the paper's section 4: "it is important
//! to not count such preemptions").

use crate::options::{ExploreOptions, Strategy};

use super::super::space::LeftOut;
use super::priority::{Priority, Turn};
use super::tasks::Tasks;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Whether Algorithm 1 schedules.
    pub fair: bool,
    /// Preemption bound.
    pub preemptions: Option<u32>,
    /// Context-switch bound.
    pub switches: Option<u32>,
}

/// What the rules remember of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Memory {
    priority: Priority,
    /// What is left.
    preemptions: u32,
    switches: u32,
    /// The task that ran last, where a bound asks for it and it is pending.
    last: Option<u32>,
}

/// A step that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made<'a> {
    /// The task.
    pub task: u32,
    /// Who was enabled before.
    pub before: &'a Tasks,
    /// Who is enabled now.
    pub after: &'a Tasks,
    /// Whether it slept.
    pub slept: bool,
    /// Whether it is no more.
    pub gone: bool,
}

impl Rules {
    /// What the options ask for. The search with a store of states asks for all schedules, and needs
    /// Algorithm 1 only to say which preemptions are free.
    pub fn new(options: &ExploreOptions) -> Self {
        let bounded = options.preemptions.is_some() || options.switches.is_some();
        let stored = options.strategy == Strategy::Stateful;
        Self {
            fair: bounded || !stored,
            preemptions: options.preemptions,
            switches: options.switches,
        }
    }

    fn bounded(self) -> bool {
        self.preemptions.is_some() || self.switches.is_some()
    }

    /// Whether what is remembered depends on who is enabled after a step.
    pub fn looks_ahead(self) -> bool {
        self.fair
    }

    /// The memory of an execution that begins: the first task has run, and may be no more.
    pub fn begin(self, gone: bool) -> Memory {
        Memory {
            priority: Priority::default(),
            preemptions: self.preemptions.unwrap_or(0),
            switches: self.switches.unwrap_or(0),
            last: (self.bounded() && !gone).then_some(0),
        }
    }

    /// Line 7, and who can be paid for.
    pub fn choices(self, memory: &Memory, enabled: &Tasks) -> Tasks {
        let fair = self.fair(memory, enabled);
        if !self.bounded() {
            return fair;
        }
        let affordable = |&task: &u32| self.missing(memory, enabled, task).is_empty();
        fair.iter().filter(affordable).collect()
    }

    /// The bounds that keep a task from running that may run otherwise.
    pub fn leaves_out(self, memory: &Memory, enabled: &Tasks) -> LeftOut {
        let mut all = LeftOut::default();
        if self.bounded() {
            let fair = self.fair(memory, enabled);
            let missing = fair.iter().map(|task| self.missing(memory, enabled, task));
            missing.for_each(|one| all.add(one));
        }
        all
    }

    /// The budgets that running a task would overdraw.
    fn missing(self, memory: &Memory, enabled: &Tasks, task: u32) -> LeftOut {
        let (switch, preemption) = self.cost(memory, enabled, task);
        let mut missing = LeftOut::default();
        if switch && self.switches.is_some() && memory.switches == 0 {
            missing.add(LeftOut::SWITCHES);
        }
        if preemption && self.preemptions.is_some() && memory.preemptions == 0 {
            missing.add(LeftOut::PREEMPTIONS);
        }
        missing
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

    /// Whether running a task costs a switch, and whether a preemption.
    fn cost(self, memory: &Memory, enabled: &Tasks, task: u32) -> (bool, bool) {
        if memory.last == Some(task) {
            return (false, false);
        }
        let could = memory.last.is_some_and(|last| enabled.contains(last));
        let may = |last| self.fair(memory, enabled).contains(last);
        let forced = could && !memory.last.is_some_and(may);
        (!forced, could && !forced)
    }

    /// What is remembered after a step.
    pub fn after(self, memory: &Memory, made: Made<'_>) -> Memory {
        let mut next = memory.clone();
        if self.fair {
            next.priority.turn(Turn {
                task: made.task,
                before: made.before,
                after: made.after,
                yields: made.slept,
                gone: made.gone,
            });
        }
        if self.bounded() {
            let (switch, preemption) = self.cost(memory, made.before, made.task);
            next.switches -= u32::from(switch && self.switches.is_some());
            next.preemptions -= u32::from(preemption && self.preemptions.is_some());
            next.last = (!made.gone).then_some(made.task);
        }
        next
    }
}
