//! A counterexample that is easier to read: fewest delays, then fewest switches of task, then fewest steps.
//!
//! The result is an execution of the same scheduler that fails in the same way at the same place, and that the
//! machine has replayed. The search is bounded by the number of statements executed, not by time, so that the same
//! input gives the same counterexample everywhere. It promises no minimum: when the bound is
//! reached, the best so far is shown.

mod replays;
mod run;

use std::collections::BTreeSet;

use crate::Bug;
use ir::{ErrorKind, Program, Value};
use options::Scheduler;

use super::{Decision, Schedule, replay};
use run::{Choices, Guide, Name, Offer, Outcome, Point, Runner, Turn};

/// The bounds within which the shorter execution has to stay.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most visible steps of an execution.
    pub max_steps: u64,
    /// How many statements may be executed in the search.
    pub statements: u64,
    /// Whether preemptions or switches are bounded.
    pub switches: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            max_steps: u64::MAX,
            statements: 1_000_000,
            switches: false,
        }
    }
}

/// The bug with a shorter trace, if one is found; else as it is.
///
/// Pairs of executions stay as they are: the search that finds them finds the shortest first.
#[must_use]
pub fn shrunk(program: &Program, scheduler: Scheduler, bounds: Bounds, bug: Bug) -> Bug {
    let schedule = &bug.trace.schedule;
    let judged = |d: &Decision| matches!(d, Decision::Forever | Decision::Race(_));
    if schedule.decisions.iter().any(judged) {
        // An execution with fewer steps may be one with more preemptions.
        return if bounds.switches {
            bug
        } else {
            replays::shorter(program, scheduler, bug)
        };
    }
    let Some(shorter) = shorter(program, scheduler, bounds, schedule, &bug) else {
        return bug;
    };
    match replay(program, scheduler, &shorter) {
        Ok((_, Some(found))) if (found.kind, found.span) == (bug.kind, bug.span) => found,
        _ => bug,
    }
}

/// How often a task runs in an execution while another that ran just before could go on.
#[must_use]
pub fn preemptions(program: &Program, scheduler: Scheduler, schedule: &Schedule) -> u64 {
    let mut runner = Runner {
        program,
        scheduler,
        family: run::Family::default(),
        fuel: u64::MAX,
        most_steps: usize::MAX,
    };
    let script = &mut Script {
        decisions: &schedule.decisions,
        next: 0,
    };
    runner.run(script, &Choices::new()).preemptions
}

fn shorter(
    program: &Program,
    scheduler: Scheduler,
    bounds: Bounds,
    schedule: &Schedule,
    bug: &Bug,
) -> Option<Schedule> {
    if schedule.decisions.contains(&Decision::Again) {
        return None;
    }
    let mut runner = Runner {
        program,
        scheduler,
        family: run::Family::default(),
        fuel: bounds.statements,
        most_steps: usize::MAX,
    };
    let script = &mut Script {
        decisions: &schedule.decisions,
        next: 0,
    };
    let given = runner.run(script, &Choices::new());
    if given.failure != Some((bug.kind, bug.span)) {
        return None;
    }
    let most = usize::try_from(bounds.max_steps.saturating_sub(1)).unwrap_or(usize::MAX);
    runner.most_steps = given.order.len().max(most.min(2 * given.order.len() + 16));
    let before = given.cost();
    let mut search = Search {
        wanted: (bug.kind, bug.span),
        preemptions: match scheduler.is_bag() {
            true => given.preemptions,
            false => u64::MAX,
        },
        choices: given.choices.clone(),
        best: given,
        runner,
    };
    if scheduler.is_bag() {
        search.orders();
    } else {
        search.delays();
    }
    (search.best.cost() < before).then_some(Schedule {
        decisions: search.best.decisions,
    })
}

/// The best execution so far.
struct Search<'p> {
    runner: Runner<'p>,
    wanted: (ErrorKind, Option<base::source::Span>),
    /// The most preemptions of a result. With the bag, which can be bounded by them: those of the given execution.
    preemptions: u64,
    choices: Choices,
    best: Outcome,
}

impl Search<'_> {
    /// Takes an execution if it fails as it should and is better.
    fn take(&mut self, outcome: Outcome) -> bool {
        let better = outcome.failure == Some(self.wanted)
            && outcome.preemptions <= self.preemptions
            && outcome.cost() < self.best.cost();
        if better {
            self.choices.extend(outcome.choices.clone());
            self.best = outcome;
        }
        better
    }

    fn try_order(&mut self, order: &[Name]) -> bool {
        let guide = &mut Order {
            order,
            next: 0,
            last: 0,
        };
        let outcome = self.runner.run(guide, &self.choices);
        self.take(outcome)
    }

    fn try_delays(&mut self, delays: &BTreeSet<Point>) -> Outcome {
        self.runner.run(&mut Delays { delays }, &self.choices)
    }

    /// The bag: leave out segments, and bring those of one task together.
    fn orders(&mut self) {
        loop {
            let before = self.best.cost();
            self.without_tasks();
            self.without_chunks();
            self.together();
            if self.best.cost() >= before || self.runner.fuel == 0 {
                return;
            }
        }
    }

    /// Leaves out all segments of a task, for one task after the other.
    fn without_tasks(&mut self) {
        let names: BTreeSet<Name> = self.best.order.iter().copied().collect();
        for name in names.into_iter().rev() {
            let order = self.best.order.iter().copied();
            let order: Vec<Name> = order.filter(|n| *n != name).collect();
            if order.len() < self.best.order.len() {
                self.try_order(&order);
            }
        }
    }

    /// Leaves out stretches, long ones first.
    fn without_chunks(&mut self) {
        let mut size = self.best.order.len() / 2;
        while size > 0 && self.runner.fuel > 0 {
            let mut at = 0;
            while at < self.best.order.len() {
                let mut order = self.best.order.clone();
                order.drain(at..order.len().min(at + size));
                if !self.try_order(&order) {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// Brings two runs of one task's segments together: moves the later one back, or the earlier one forward.
    fn together(&mut self) {
        let mut at = 0;
        while self.runner.fuel > 0 {
            let order = self.best.order.clone();
            let Some(&name) = order.get(at) else { return };
            let len = order[at..].iter().take_while(|n| **n == name).count();
            let before = order[..at].iter().rposition(|n| *n == name);
            let moved = before.is_some_and(|before| {
                let mut forward = order.clone();
                forward[before + 1..at + len].rotate_right(len);
                let run = order[..=before].iter().rev();
                let first = before + 1 - run.take_while(|n| **n == name).count();
                let mut back = order.clone();
                back[first..at].rotate_left(before + 1 - first);
                self.try_order(&forward) || self.try_order(&back)
            });
            at = if moved { 0 } else { at + len };
        }
    }

    /// A delaying scheduler: leave out delays, then look for fewer in other places.
    fn delays(&mut self) {
        let mut delays = delayed(&self.best);
        for point in delays.clone() {
            let mut fewer = delays.clone();
            fewer.remove(&point);
            let outcome = self.try_delays(&fewer);
            if self.take(outcome) {
                delays = fewer;
            }
        }
        self.placements();
    }

    /// Tries all sets of places for delays by size, until some of one size fail as wanted.
    fn placements(&mut self) {
        let most = delayed(&self.best).len();
        let mut level = vec![BTreeSet::new()];
        for size in 0..=most {
            let (mut found, mut next) = (false, Vec::new());
            for delays in level {
                if self.runner.fuel == 0 {
                    return;
                }
                let outcome = self.try_delays(&delays);
                if outcome.failure == Some(self.wanted) {
                    found = true;
                    self.take(outcome);
                } else if size < most {
                    let last = outcome.points.iter().rposition(|p| p.1);
                    let free = outcome.points.iter().skip(last.map_or(0, |l| l + 1));
                    next.extend(free.map(|(point, _)| with(&delays, *point)));
                }
            }
            if found {
                return;
            }
            level = next;
        }
    }
}

fn with(delays: &BTreeSet<Point>, point: Point) -> BTreeSet<Point> {
    let mut more = delays.clone();
    more.insert(point);
    more
}

fn delayed(outcome: &Outcome) -> BTreeSet<Point> {
    let points = outcome.points.iter();
    points.filter(|p| p.1).map(|p| p.0).collect()
}

struct Script<'a> {
    decisions: &'a [Decision],
    next: usize,
}

impl Guide for Script<'_> {
    fn turn(&mut self, offers: &[Offer]) -> Option<Turn> {
        let offered = |task: u32| offers.iter().any(|o| o.task == task);
        let turn = match *self.decisions.get(self.next)? {
            Decision::Dispatch(task) if offered(task) => Turn::Dispatch(task),
            Decision::Delay(task) if offered(task) => Turn::Delay(task),
            _ => return None,
        };
        self.next += 1;
        Some(turn)
    }

    fn value(&mut self) -> Option<Value> {
        let Some(Decision::Choose(value)) = self.decisions.get(self.next) else {
            return None;
        };
        self.next += 1;
        Some(value.clone())
    }
}

/// An order of tasks. It passes over a task that cannot run. After its end the last task goes on, or else the first that can.
struct Order<'a> {
    order: &'a [Name],
    next: usize,
    last: Name,
}

impl Guide for Order<'_> {
    fn turn(&mut self, offers: &[Offer]) -> Option<Turn> {
        let can = |name: Name| {
            let found = offers.iter().find(|o| o.point.0.0 == name);
            found.filter(|o| !o.blocked)
        };
        let rest = self.order.get(self.next..).unwrap_or_default();
        let found = rest.iter().enumerate();
        let found = found.filter_map(|(i, &name)| Some((i, can(name)?))).next();
        let chosen = if let Some((skipped, offer)) = found {
            self.next += skipped + 1;
            offer
        } else {
            self.next = self.order.len();
            can(self.last).or_else(|| offers.iter().find(|o| !o.blocked))?
        };
        self.last = chosen.point.0.0;
        Some(Turn::Dispatch(chosen.task))
    }
}

/// Delays at given places and nowhere else.
struct Delays<'a> {
    delays: &'a BTreeSet<Point>,
}

impl Guide for Delays<'_> {
    fn turn(&mut self, offers: &[Offer]) -> Option<Turn> {
        let offer = offers.first()?;
        Some(if self.delays.contains(&offer.point) {
            Turn::Delay(offer.task)
        } else {
            Turn::Dispatch(offer.task)
        })
    }
}
