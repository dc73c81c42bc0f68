//! The values of `--delays`.

use std::str::FromStr;

/// The most delays that a user may ask for: no solver could decide more rounds.
pub const MOST_DELAYS: u32 = 1000;

/// Budgets of delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayRange {
    /// One budget.
    Most(u32),
    /// One budget after the other, from the first to the last.
    Deepen(u32, u32),
    /// No budget: all schedules.
    Any,
}

impl DelayRange {
    /// The least and the greatest budget, if there are budgets.
    #[must_use]
    pub const fn budgets(self) -> Option<(u32, u32)> {
        match self {
            Self::Most(most) => Some((most, most)),
            Self::Deepen(from, to) => Some((from, to)),
            Self::Any => None,
        }
    }
}

impl FromStr for DelayRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "any" {
            return Ok(Self::Any);
        }
        let Some((from, to)) = text.split_once("..") else {
            return budget(text).map(Self::Most);
        };
        let (from, to) = (budget(from)?, budget(to)?);
        if from > to {
            return Err(format!("the range {from}..{to} is empty"));
        }
        Ok(Self::Deepen(from, to))
    }
}

fn budget(text: &str) -> Result<u32, String> {
    let number = text.trim().parse().ok();
    number.filter(|&n| n <= MOST_DELAYS).ok_or_else(|| {
        format!(
            "`{text}` is not a whole number from 0 to {MOST_DELAYS}; write a budget like 2, a range like 0..4, or any"
        )
    })
}
