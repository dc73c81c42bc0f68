//! The bounds on preemptions and context switches: what running a task costs, and what is left.
//!
//! Going from the task that ran last to another costs a switch, and a preemption if the last task could go on. If only the
//! scheduler keeps the last task from going on, the switch is free: its [price](Price) is the default one.

use options::ExploreOptions;

use super::space::LeftOut;

/// What is left of each bound; `None` if there is no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    pub preemptions: Option<u32>,
    pub switches: Option<u32>,
}

/// What running a task costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    preemption: bool,
    switch: bool,
}

impl Price {
    /// Returns the price of a switch away from a task that could go on, or not.
    pub fn of_switch(could_go_on: bool) -> Self {
        Self {
            preemption: could_go_on,
            switch: true,
        }
    }
}

impl Budget {
    /// What the options allow.
    pub fn of(options: &ExploreOptions) -> Self {
        Self {
            preemptions: options.preemptions,
            switches: options.switches,
        }
    }

    /// Whether there is a bound.
    pub fn is_bounded(self) -> bool {
        self.preemptions.or(self.switches).is_some()
    }

    /// The bounds that do not allow this price.
    pub fn missing(self, price: Price) -> LeftOut {
        let mut missing = LeftOut::default();
        if price.switch && self.switches == Some(0) {
            missing.add(LeftOut::SWITCHES);
        }
        if price.preemption && self.preemptions == Some(0) {
            missing.add(LeftOut::PREEMPTIONS);
        }
        missing
    }

    /// Returns what is left after a payment. A price that [cannot be paid](Self::missing) leaves 0.
    pub fn after(self, price: Price) -> Self {
        let paid = |left: Option<u32>, due| left.map(|n| n.saturating_sub(u32::from(due)));
        Self {
            preemptions: paid(self.preemptions, price.preemption),
            switches: paid(self.switches, price.switch),
        }
    }
}
