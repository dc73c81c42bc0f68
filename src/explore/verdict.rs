//! The answer in words: the verdict, its bounds, and what was counted.

use std::time::Duration;

use crate::answer::{Answer, Bug, Engine, Figure, Verdict};
use crate::ir::Program;
use crate::options::{ExploreOptions, Scheduler, Strategy};
use crate::trace::{Schedule, replay};

use super::reference::Found;

/// The answer to what was asked.
pub(crate) fn answer(
    program: &Program,
    options: &ExploreOptions,
    found: &Found,
    time: Duration,
) -> Answer {
    let mut bugs = Vec::new();
    let mut internal = None;
    for schedule in found.bugs.values() {
        match shown(program, options.scheduler, schedule) {
            Ok(bug) => bugs.push(bug),
            Err(reason) => internal = Some(reason),
        }
    }
    let reason = internal.or_else(|| found.refused.clone()).or_else(|| {
        found
            .cut
            .then(|| format!("an execution is longer than {} steps", options.max_steps))
    });
    let verdict = match &reason {
        _ if !bugs.is_empty() => Verdict::Bug,
        Some(reason) => Verdict::Inconclusive(reason.clone()),
        None => Verdict::Safe,
    };
    let within = within(options);
    let summary = match &verdict {
        Verdict::Safe => format!("no bug {within}"),
        Verdict::Bug if bugs.len() == 1 => format!("a bug {within}"),
        Verdict::Bug => format!("{} distinct bugs {within}", bugs.len()),
        Verdict::Inconclusive(reason) => reason.clone(),
    };
    Answer {
        engine: Engine::Explicit,
        verdict,
        bounds: bounds(options),
        exhaustive: reason.is_none(),
        summary,
        bugs,
        finals: options
            .finals
            .then(|| found.finals.iter().cloned().collect()),
        notes: Vec::new(),
        stats: stats(options, found, time),
    }
}

/// A bug as the replay of its schedule shows it.
fn shown(program: &Program, scheduler: Scheduler, schedule: &Schedule) -> Result<Bug, String> {
    let (_, bug) = replay(program, scheduler, schedule)
        .map_err(|reason| format!("internal error: a counterexample does not replay: {reason}"))?;
    bug.ok_or_else(|| "internal error: a counterexample does not fail when replayed".to_owned())
}

/// The scheduler's name, as it is given on the command line.
fn name(scheduler: Scheduler) -> &'static str {
    match scheduler {
        Scheduler::Bag => "bag",
        Scheduler::BoundedBag(_) => "bounded-bag",
        Scheduler::RoundRobin => "rr",
        Scheduler::DepthFirst => "dfs",
        Scheduler::ReverseDepthFirst => "rdfs",
    }
}

fn count(n: u32, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

/// Within which bounds.
fn within(options: &ExploreOptions) -> String {
    let mut parts = Vec::new();
    if let Some(k) = options.delays {
        parts.push(format!("at most {}", count(k, "delay")));
    }
    if let Some(p) = options.preemptions {
        parts.push(format!("at most {}", count(p, "preemption")));
    }
    if let Some(c) = options.switches {
        parts.push(format!(
            "at most {}",
            count(c, "context switch").replace("switchs", "switches")
        ));
    }
    if let Scheduler::BoundedBag(k) = options.scheduler {
        parts.push(format!(
            "at most {} of each pending task",
            count(k, "copy").replace("copys", "copies")
        ));
    }
    if parts.is_empty() {
        return "in any schedule".to_owned();
    }
    format!("with {}", parts.join(" and "))
}

fn bounds(options: &ExploreOptions) -> Vec<(&'static str, Figure)> {
    let mut bounds = Vec::new();
    let budgets = [
        ("delays", options.delays),
        ("preemptions", options.preemptions),
        ("switches", options.switches),
    ];
    for (name, budget) in budgets {
        if let Some(n) = budget {
            bounds.push((name, Figure::Count(n.into())));
        }
    }
    bounds.push((
        "scheduler",
        Figure::Word(name(options.scheduler).to_owned()),
    ));
    bounds
}

fn stats(options: &ExploreOptions, found: &Found, time: Duration) -> Vec<(&'static str, Figure)> {
    let mut stats = vec![("seconds", Figure::Real(time.as_secs_f64()))];
    stats.push(("executions", Figure::Count(found.executions)));
    if options.strategy == Strategy::Stateful {
        stats.push(("states", Figure::Count(found.states)));
    }
    stats.push(("transitions", Figure::Count(found.transitions)));
    stats
}
