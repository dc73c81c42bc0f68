//! Which bounds left something out that could have gone on: a verdict may be called exhaustive only if none did.

/// A set of bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut(u8);

impl LeftOut {
    /// The delay budget.
    pub const DELAYS: Self = Self(1);
    /// The bound on preemptions.
    pub const PREEMPTIONS: Self = Self(2);
    /// The bound on context switches.
    pub const SWITCHES: Self = Self(4);
    /// The bound on copies of a pending task.
    pub const COPIES: Self = Self(8);

    /// Of each, what it is called in an answer.
    const NAMES: [(Self, &'static str); 4] = [
        (Self::DELAYS, "delays"),
        (Self::PREEMPTIONS, "preemptions"),
        (Self::SWITCHES, "switches"),
        (Self::COPIES, "copies"),
    ];

    /// Takes others as well.
    pub fn add(&mut self, more: Self) {
        self.0 |= more.0;
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What they are called.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let named = Self::NAMES.into_iter();
        named.filter_map(move |(one, name)| (self.0 & one.0 != 0).then_some(name))
    }
}
