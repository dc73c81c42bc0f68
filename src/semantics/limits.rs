//! Documented limits of the machine that replays traces: it cannot follow an execution beyond them, though nothing is wrong.

/// An integer does not fit.
pub const TOO_LARGE: &str = "a number grows beyond 128 bits";
/// A segment has no end, or one that is too far away.
pub const ENDLESS: &str = "a task runs for very long without a preemption point";

/// Returns the message for a counterexample that does not replay, with the reason.
pub fn unshown(whose: &str, reason: &str) -> String {
    if [TOO_LARGE, ENDLESS].contains(&reason) {
        format!("{whose} cannot be shown: {reason}, and the machine that replays it stops there")
    } else {
        format!(
            "internal error: {whose} does not replay ({reason}); please report it with the program"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documented_limit_is_no_internal_error() {
        assert!(!unshown("a counterexample", TOO_LARGE).contains("internal"));
        assert!(unshown("a counterexample", "it does not fail").contains("internal"));
    }
}
