//! Accesses that something may still race with, and who comes after them.
//!
//! No state lies directly before an access that follows a synchronisation in its segment. So for tracked globals a state carries
//! its past: each access, the tasks that come after it, and the parts through which more may come after it. A synchronising
//! access passes on what its task knows, and takes over what others passed on there. A post passes on all; so does the end of a
//! task, to its joiners. The clocks of `trace::race` say the same, but by times; accesses let states be equal.
//!
//! An access is dropped when no task can race with it any more, or when a later access races with all that it would race with.

use std::rc::Rc;

use base::source::Span;
use ir::{Dialect, GlobalId};
use smt::term::Terms;

use super::machine::Machine;
use super::races::{Access, Act, Part};
use super::state::State;

/// A step into a global. A path ends before its first open index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Step {
    Field(u32),
    Key(i128),
}

/// A part of a global, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Spot {
    global: GlobalId,
    path: Vec<Step>,
    /// Whether the path names the part itself, and not an unknown part within it.
    exact: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Past {
    spot: Spot,
    write: bool,
    sync: bool,
    /// The tasks whose further steps all come after this access, sorted.
    tasks: Vec<u32>,
    /// The parts through which other tasks may come after it, each with whether a write passed it on: no read learns from a read.
    passed: Vec<(Spot, bool)>,
    /// Whether some task may come after it through a part that is not known.
    vague: bool,
}

/// The race that an access completes, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raced {
    Yes(Span),
    /// Perhaps one: a part is not known.
    Perhaps(Span),
}

impl Spot {
    fn of(terms: &Terms, access: &Access) -> Self {
        let mut path = Vec::new();
        for part in &access.path {
            path.push(match *part {
                Part::Field(field) => Step::Field(field),
                Part::Index(index) => match (terms.as_const(index), index.known()) {
                    (Some(number), _) => Step::Key(number),
                    (None, Some(truth)) => Step::Key(truth.into()),
                    (None, None) => break,
                },
            });
        }
        Self {
            global: access.global,
            exact: path.len() == access.path.len(),
            path,
        }
    }

    /// Whether one spot may contain the other.
    fn meets(&self, other: &Self) -> bool {
        self.global == other.global && self.path.iter().zip(&other.path).all(|(a, b)| a == b)
    }

    /// Whether two spots that may meet surely do.
    fn is_known(&self, other: &Self) -> bool {
        self.exact && other.exact
    }
}

impl Past {
    fn is_after(&self, task: u32) -> bool {
        self.tasks.contains(&task)
    }

    fn takes(&mut self, task: u32) {
        if let Err(place) = self.tasks.binary_search(&task) {
            self.tasks.insert(place, task);
        }
    }

    fn synchronises(&mut self, task: u32, spot: &Spot, write: bool) {
        let taken = |(passed, by_write): &(Spot, bool)| (*by_write || write) && passed.meets(spot);
        let known = |(passed, _): &(Spot, bool)| passed.is_known(spot);
        if !self.is_after(task) {
            if self.passed.iter().any(|p| taken(p) && known(p)) {
                self.takes(task);
            } else {
                self.vague |= self.passed.iter().any(taken);
            }
        }
        let mark = (spot.clone(), write);
        if (self.is_after(task) || self.vague)
            && let Err(place) = self.passed.binary_search(&mark)
        {
            self.passed.insert(place, mark);
        }
    }

    /// Whether an access by a task would race with this one.
    fn rivals(&self, task: u32, spot: &Spot, access: &Access) -> bool {
        !self.is_after(task)
            && (self.write || access.write)
            && !(self.sync && access.sync)
            && self.spot.meets(spot)
    }

    /// Whether a later access races with all that this one would race with.
    fn is_covered_by(&self, later: &Self, task: u32) -> bool {
        self.is_after(task)
            && self.spot == later.spot
            && self.spot.exact
            && (later.write || !self.write)
            && (!later.sync || self.sync)
    }

    /// Appends the access as numbers; `place` gives the number of a task.
    pub fn key(&self, place: &impl Fn(u32) -> u32, key: &mut Vec<u32>) {
        let spot = |spot: &Spot, key: &mut Vec<u32>| {
            key.extend([spot.global.0, u32::from(spot.exact)]);
            key.push(u32::try_from(spot.path.len()).unwrap_or(u32::MAX));
            for step in &spot.path {
                match *step {
                    Step::Field(field) => key.extend([0, field, 0, 0, 0]),
                    Step::Key(number) => {
                        let bits = number.cast_unsigned();
                        key.push(1);
                        key.extend((0..4).map(|word| (bits >> (32 * word)) as u32));
                    }
                }
            }
        };
        spot(&self.spot, key);
        let flags = [self.write, self.sync, self.vague].map(u32::from);
        key.extend(flags);
        let mut tasks: Vec<u32> = self.tasks.iter().map(|&t| place(t)).collect();
        tasks.sort_unstable();
        key.push(u32::try_from(tasks.len()).unwrap_or(u32::MAX));
        key.extend(tasks);
        key.push(u32::try_from(self.passed.len()).unwrap_or(u32::MAX));
        for (passed, by_write) in &self.passed {
            spot(passed, key);
            key.push(u32::from(*by_write));
        }
    }
}

impl Machine<'_> {
    /// Notes what a task did in a segment. Returns a race that this completes, a sure one if there is one.
    pub fn orders(&self, state: &mut State<'_>, task: u32, acts: &[Act]) -> Option<Raced> {
        self.orders.as_ref().filter(|o| !o.tracked.is_empty())?;
        let (mut past, mut raced) = (Vec::clone(&state.past), None);
        let mut in_order: Vec<&Act> = acts.iter().collect();
        // In C a thread begins when its handle has been stored.
        if self.program.types.dialect == Dialect::C {
            in_order.sort_by_key(|act| matches!(act, Act::Posts(_)));
        }
        for act in in_order {
            match act {
                Act::Posts(child) => passes_on(&mut past, task, *child),
                Act::Joins(other) => passes_on(&mut past, *other, task),
                Act::Access(access) => {
                    let new = self.accessed(&mut past, task, access);
                    raced = raced
                        .filter(|r| matches!(r, Raced::Yes(_)))
                        .or(new)
                        .or(raced);
                }
            }
        }
        state.past = Rc::new(past);
        raced
    }

    /// Notes an access; returns the race that it completes, if it does.
    fn accessed(&self, past: &mut Vec<Past>, task: u32, access: &Access) -> Option<Raced> {
        // What a lock guards needs no order of its own, and gives none.
        if !self.program.scope.may_race(access.global) {
            return None;
        }
        let spot = Spot::of(&self.terms, access);
        if access.sync {
            for known in past.iter_mut() {
                known.synchronises(task, &spot, access.write);
            }
        }
        let tracked = self.orders.as_ref().map(|orders| &orders.tracked);
        if !tracked.is_some_and(|tracked| tracked.contains(&access.global)) {
            return None;
        }
        let rivals = past.iter().filter(|p| p.rivals(task, &spot, access));
        let sure = rivals.map(|p| !p.vague && p.spot.is_known(&spot)).max();
        add(past, task, spot, access);
        sure.map(|sure| match sure {
            true => Raced::Yes(access.span),
            false => Raced::Perhaps(access.span),
        })
    }

    /// The past as numbers: tasks that are pending by their places, others by their numbers.
    pub fn past_key(&self, state: &State<'_>, key: &mut Vec<u32>) {
        let place = |task: u32| {
            let at = state.tasks.iter().position(|t| t.number == task);
            at.map_or(u32::MAX - task, |at| u32::try_from(at).unwrap_or(u32::MAX))
        };
        let mut all: Vec<Vec<u32>> = Vec::with_capacity(state.past.len());
        for past in state.past.iter() {
            let mut one = Vec::new();
            past.key(&place, &mut one);
            all.push(one);
        }
        all.sort_unstable();
        all.into_iter().for_each(|one| key.extend(one));
    }

    /// Drops the accesses that no task can race with any more. Called between segments.
    pub fn forget_past(&self, state: &mut State<'_>) {
        if state.past.is_empty() {
            return;
        }
        let pending = |task: u32| state.tasks.iter().any(|t| t.number == task);
        let mut past = Vec::clone(&state.past);
        past.retain(|p| !state.tasks.iter().all(|t| p.is_after(t.number)));
        if !self.numbered {
            // No task can join a task that has ended, so it passes no order on.
            past.iter_mut()
                .for_each(|p| p.tasks.retain(|&t| pending(t)));
        }
        past.sort();
        past.dedup();
        state.past = Rc::new(past);
    }
}

/// Lets `to` come after all that `from` comes after.
fn passes_on(past: &mut [Past], from: u32, to: u32) {
    for known in past.iter_mut().filter(|p| p.is_after(from)) {
        known.takes(to);
    }
}

/// Adds a new access and drops those that it covers.
fn add(past: &mut Vec<Past>, task: u32, spot: Spot, access: &Access) {
    let mut new = Past {
        spot,
        write: access.write,
        sync: access.sync,
        tasks: vec![task],
        passed: Vec::new(),
        vague: false,
    };
    if access.sync {
        new.passed.push((new.spot.clone(), access.write));
    }
    past.retain(|p| !p.is_covered_by(&new, task));
    past.push(new);
}
