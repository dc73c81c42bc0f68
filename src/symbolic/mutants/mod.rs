//! Rules that are easily got wrong. A test switches the wrong one on and sees that the comparison with numbers finds it.
//! Outside of tests nothing is ever on.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mutant {
    /// States with equal values are equal, whatever is known of them.
    KeysHaveNoPath,
    /// States are equal whatever is left of their budgets.
    KeysHaveNoBudgets,
    /// A state counts as known if the search has followed one that says more.
    MoreIsLess,
    /// Conditions about dead variables tell nothing.
    TheDeadAreForgotten,
    /// What a posted task reads does not matter before it is posted.
    TheUnbornReadNothing,
    /// There is a deadlock only where all conditions are known.
    DeadlocksAreClosed,
    /// Two choices have the same variable.
    NamesComeAgain,
    /// Only one of the cases of a state is followed.
    OneCaseIsEnough,
    /// The reduction is not told what a condition looks at.
    GuardsAreNotRead,
    /// The reduction is not told what segments look at.
    ReadsAreNotTouched,
    /// The reduction takes an open index for the first index.
    OpenIndicesAreFirst,
    /// The reduction is not told that what one task chooses binds the others.
    ChoicesCommute,
    /// Under the reduction a task that waits for an open condition goes on.
    NobodyFindsOutThatItWaits,
    /// What the solver does not decide cannot hold.
    TheUnknownIsFalse,
    /// A condition in which something is divided by zero holds.
    DivisionIsPartial,
}

#[cfg(test)]
thread_local! {
    static ON: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
    static SILENT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Whether the solver answers nothing. A test asks for that: the search must not take silence for an answer.
#[cfg(test)]
pub(super) fn nobody_answers() -> bool {
    SILENT.get()
}

/// Whether no solver answers.
#[cfg(not(test))]
pub(super) const fn nobody_answers() -> bool {
    false
}

impl Mutant {
    /// Whether the wrong rule holds.
    #[cfg(test)]
    pub fn is_on(self) -> bool {
        ON.get() == Some(self)
    }

    /// Whether the wrong rule holds.
    #[cfg(not(test))]
    pub const fn is_on(self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
