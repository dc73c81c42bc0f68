//! Verdicts and their bounds in sentences.

use answer::{Cause, Reason};
use base::source::{SourceMap, Span};
use base::work;
use ir::Scope;
use seq::Budget;
use smt::decide::{Bound, Place};
use smt::limit::Which;

use super::Cuts;

/// `2 delays`
pub fn delays(n: u32) -> String {
    counted(n, "delay")
}

/// Why nothing can be concluded if it is not known whether an execution ends. `late`: the limit that was hit.
pub fn end_not_known(late: Option<Which>) -> Reason {
    let before = "before it was known whether any execution comes to its end";
    match late {
        Some(Which::Interrupt) => work::INTERRUPTED.into(),
        Some(_) => Reason::new(Cause::Time, format!("the time ran out {before}")),
        None => format!("the solver gave up {before}").into(),
    }
}

/// Says whether a larger budget of delays may show more.
pub const fn more(spent: bool) -> &'static str {
    if spent {
        "; a larger budget may show more"
    } else {
        "; nothing can be delayed, so this holds for all schedules"
    }
}

/// No bug, where all schedules were asked about and none needs a delay more.
pub const EVERY_SCHEDULE: &str = "no bug in any schedule; every loop fully unrolled";

/// No bug within a budget; nothing else was cut.
pub fn uncut(delays: u32) -> String {
    let within = self::delays(delays);
    format!("no bug with at most {within}; every loop fully unrolled")
}

/// No bug within a budget, by an invariant.
pub fn unbounded(delays: u32) -> String {
    let within = self::delays(delays);
    format!(
        "no bug with at most {within}; loops and recursion without a bound (the invariant is checked){}",
        more(true)
    )
}

/// No bug, within which bounds, and where they cut.
pub fn safe(
    budget: Budget,
    unroll: u32,
    cuts: &Cuts,
    scope: &Scope,
    sources: &SourceMap,
) -> String {
    let mut within = format!("no bug with at most {}", delays(budget.delays));
    if cuts.names().is_empty() {
        return uncut(budget.delays);
    }
    let mut places = Vec::new();
    if cuts.rounds {
        within += &format!(", in at most {}", counted(budget.rounds, "round"));
        let waiting = cuts.waiting.iter().map(|&span| {
            let line = sources.line_in_words(span);
            format!("the task waiting at {line} may need more")
        });
        places.extend(waiting);
    }
    if !cuts.unrolled.is_empty() {
        within += &format!(", up to {}", counted(unroll, "unrolling"));
        for &cut in &cuts.unrolled {
            let place = place(cut, scope, sources);
            // One call may reach several loops.
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    if places.is_empty() {
        places.push("a waiting task may need more".to_owned());
    }
    format!("{within}: {}", places.join("; "))
}

fn counted(n: u32, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A remark where a task waits.
pub fn waits_longer() -> String {
    "the task that waits here may need more rounds (--rounds)".to_owned()
}

fn place(cut: Place, scope: &Scope, sources: &SourceMap) -> String {
    let line = sources.line_in_words(scope.told_at(cut.span));
    match cut.bound {
        Bound::Loop if scope.cut_at(cut.span).is_some() => {
            format!("executions are followed as far as {line}")
        }
        Bound::Loop => format!("{} may run longer", loop_at(cut.span, scope, sources)),
        _ => format!("the recursion at {line} may go deeper"),
    }
}

/// A remark at the place, or at the one in the user's text that comes there.
pub fn cut(cut: Place, scope: &Scope) -> String {
    if cut.bound == Bound::Loop {
        let what = match scope.is_called(cut.span) {
            true => "a loop in what this calls",
            false => "this loop",
        };
        format!("{what} may run longer than it was unrolled")
    } else {
        "this procedure may call or post itself more often than it was unrolled".to_owned()
    }
}

/// A loop by the line that the user knows.
pub fn loop_at(span: Span, scope: &Scope, sources: &SourceMap) -> String {
    let line = sources.line_in_words(scope.told_at(span));
    match scope.is_called(span) {
        true => format!("a loop in what {line} calls"),
        false => format!("the loop at {line}"),
    }
}
