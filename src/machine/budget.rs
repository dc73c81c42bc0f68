//! The bounds on preemptions and context switches: what running a task costs, and what is left.
//!
//! Going from the task that ran last to another costs a switch, and a preemption if that one could go on. Where a scheduler
//! keeps it from going on, the way to another is free: a [price](Price) of nothing.

use options::ExploreOptions;

use super::space::LeftOut;

/// What is left; none where there is no bound.
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
    /// The price of a task after another one that could go on, or not.
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

    /// What is left once the price is paid. Who tries what a task would do if it could be [paid](Self::missing) has nothing left.
    pub fn after(self, price: Price) -> Self {
        let paid = |left: Option<u32>, due| left.map(|n| n.saturating_sub(u32::from(due)));
        Self {
            preemptions: paid(self.preemptions, price.preemption),
            switches: paid(self.switches, price.switch),
        }
    }
}
