//! Whether executions come to an end.

use std::time::Duration;

use ::answer::{Answer, Cause, Verdict};
use base::clock::Instant;
use ir::Program;
use options::{ExploreOptions, Limits, Strategy};

use ir::passes::instance::instance;

use super::explore;

/// Work of one look for an execution that comes to its end, in states and steps.
const LOOK: u64 = 20_000;

/// The most time for one look: the solver may need very long for one step.
const TIME: Duration = Duration::from_secs(1);

/// How many executions are run at random.
const RUNS: u64 = 20;

/// How far the executions of a program come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// One comes to its end.
    Some,
    /// All are dropped before their end.
    Never,
    /// All of those that are not dropped go on for ever.
    Forever,
    /// The looks did not settle it.
    Unknown,
}

/// How far executions come, if short looks tell. A small instance is enough to see an end. Only the whole program shows that
/// there is none.
#[must_use]
pub fn ends(program: &Program, limits: &Limits) -> Ends {
    let small = instance(program, 2);
    let looks = [
        (&small, Strategy::Random),
        (&small, Strategy::Stateful),
        (program, Strategy::Stateful),
    ];
    let mut last = Ends::Unknown;
    for (program, strategy) in looks {
        let latest = Instant::now() + TIME;
        let limits = Limits {
            latest: Some(limits.end().map_or(latest, |end| end.min(latest))),
            ..*limits
        };
        let options = ExploreOptions {
            strategy,
            runs: RUNS,
            finals: true,
            work: Some(LOOK),
            limits,
            ..ExploreOptions::default()
        };
        last = seen(&explore(program, &options));
        if last == Ends::Some {
            break;
        }
    }
    last
}

/// Reads from the answer of a look how far executions come.
fn seen(answer: &Answer) -> Ends {
    let finals = answer.finals.as_ref();
    match &answer.verdict {
        _ if finals.is_some_and(|finals| !finals.is_empty()) || !answer.open_finals.is_empty() => {
            Ends::Some
        }
        Verdict::Safe if answer.exhaustive => Ends::Forever,
        Verdict::Inconclusive(why) if why.cause == Cause::Nothing => Ends::Never,
        _ => Ends::Unknown,
    }
}
