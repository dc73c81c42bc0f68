//! Exit statuses.

use answer::{Answer, Verdict};
use base::work;

/// No bug within the stated bounds; nothing to complain about.
pub const SAFE: u8 = 0;
/// A bug; a check (`fmt --check`, `emit --check`, `doctor`) that is not passed.
pub const BUG: u8 = 1;
/// The input or the command line is wrong.
pub const WRONG_INPUT: u8 = 2;
/// A limit was hit, or the engine gave up.
pub const INCONCLUSIVE: u8 = 3;
/// Ctrl-C, before anything was settled.
pub const INTERRUPTED: u8 = 130;

/// Returns the exit status of an answer.
#[must_use]
pub fn of(answer: &Answer) -> u8 {
    match answer.verdict {
        Verdict::Safe | Verdict::Proved if answer.asks_cover => BUG,
        Verdict::Bug if answer.asks_cover => SAFE,
        Verdict::Safe | Verdict::Proved => SAFE,
        Verdict::Bug => BUG,
        Verdict::Inconclusive(_) if work::stopping() => INTERRUPTED,
        Verdict::Inconclusive(_) => INCONCLUSIVE,
    }
}
