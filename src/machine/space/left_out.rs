//! Which bounds left something out that could have gone on.

/// A set of bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LeftOut(u8);

impl LeftOut {
    pub const DELAYS: Self = Self(1);
    /// The bound on preemptions.
    pub const PREEMPTIONS: Self = Self(2);
    /// The bound on context switches.
    pub const SWITCHES: Self = Self(4);
    /// The bound on copies of a pending task.
    pub const COPIES: Self = Self(8);
    /// The fair scheduler, which held a task back.
    pub const UNFAIR: Self = Self(16);

    /// Adds other bounds.
    pub fn add(&mut self, more: Self) {
        self.0 |= more.0;
    }

    pub fn without(self, these: Self) -> Self {
        Self(self.0 & !these.0)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether one of these is among them.
    pub fn contains(self, these: Self) -> bool {
        self.0 & these.0 != 0
    }

    /// Whether a larger budget would allow more.
    pub fn is_by_budget(self) -> bool {
        self.contains(Self(
            Self::DELAYS.0 | Self::PREEMPTIONS.0 | Self::SWITCHES.0,
        ))
    }
}
