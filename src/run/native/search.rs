//! The searches: all schedules by the reduction, schedules with few delays, random ones.

use std::cell::Cell as Flag;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

use explore::dpor::{self, End, Observer, Path, Stats};
use rustc_hash::FxHashMap;

use super::log::Ending;
use super::model::{Checker, Next, Problem, State, steps};
use super::process::{Mode, Request};
use super::races::{Race, fails, races};
use super::{Options, Strategy};

/// An error, and the schedule that shows it.
#[derive(Clone, Debug)]
pub(super) struct Bug {
    pub schedule: Vec<u8>,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Ending(Ending),
    Race(Race),
}

/// Whether a bug is the one that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    No,
    /// It is like the bug that is looked for.
    Alike,
    Yes,
}

impl Bug {
    /// Makes a bug from the steps that show it.
    pub(super) fn after(steps: &[(u8, Rc<Next>)], what: What) -> Self {
        let count = match &what {
            What::Race(race) => race.second.0 + 1,
            What::Ending(_) => steps.len(),
        };
        let schedule = steps[..count].iter().map(|s| s.0).collect();
        Self { schedule, what }
    }
}

impl What {
    /// Whether two bugs are the same, maybe of different schedules.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Race(a), Self::Race(b)) => a.place == b.place,
            (Self::Ending(a), Self::Ending(b)) => a.resembles(b),
            _ => false,
        }
    }
}

/// The findings of a search.
pub(super) struct Finder<'a> {
    options: &'a Options,
    /// Says whether a bug is the one that is looked for. With `None`, any bug is.
    wanted: Option<&'a dyn Fn(&What) -> Fit>,
    stop: Rc<Flag<bool>>,
    until: Instant,
    longest: usize,
    pub executions: u64,
    /// Executions as long as the limit.
    pub cut: u64,
    pub bug: Option<Bug>,
    /// A bug that is like the one that is looked for.
    pub alike: Option<Bug>,
    /// Places that are raced for: their accesses become steps.
    pub raced: Vec<u64>,
    pub late: bool,
    /// A thread was so often at one place that it may poll.
    pub comes_back: bool,
}

/// If a thread is at one place more often than this, it may poll there.
const ROUNDS: usize = 50;

/// Whether a thread is at one place again and again.
fn comes_back(steps: &[(u8, Rc<Next>)]) -> bool {
    let mut times: FxHashMap<(u8, u64), usize> = FxHashMap::default();
    let mut again = |(slot, next): &(u8, Rc<Next>)| {
        next.pending.as_ref().is_some_and(|op| {
            let times = times.entry((*slot, op.pc)).or_default();
            *times += 1;
            *times > ROUNDS
        })
    };
    steps.len() > ROUNDS && steps.iter().any(&mut again)
}

impl<'a> Finder<'a> {
    pub(super) fn new(options: &'a Options, checker: &Checker, until: Instant) -> Self {
        Self {
            options,
            wanted: None,
            stop: checker.stop.clone(),
            until,
            longest: checker.program.max_steps(),
            executions: 0,
            cut: 0,
            bug: None,
            alike: None,
            raced: Vec::new(),
            late: false,
            comes_back: false,
        }
    }

    /// Looks for one bug only.
    pub(super) fn looking_for(self, wanted: Option<&'a dyn Fn(&What) -> Fit>) -> Self {
        Self { wanted, ..self }
    }

    /// Whether this is the bug that is looked for; keeps one that is like it.
    fn is_wanted(&mut self, what: &What, steps: &[(u8, Rc<Next>)]) -> bool {
        let fit = self.wanted.map_or(Fit::Yes, |wanted| wanted(what));
        if fit == Fit::Alike && self.alike.is_none() {
            self.alike = Some(Bug::after(steps, what.clone()));
        }
        fit == Fit::Yes
    }

    /// Whether threads may poll without an end. Then the search begins again, and polling threads wait.
    pub(super) fn polls(&self) -> bool {
        let polls = match self.options.strategy {
            Strategy::All | Strategy::First(_) => self.cut > 0 || self.comes_back,
            Strategy::Delays(..) => self.cut > 0,
            Strategy::Random(_) | Strategy::Priorities(..) => false,
        };
        polls && !self.options.fair
    }

    fn over(&mut self) -> ControlFlow<()> {
        self.late |= Instant::now() >= self.until || base::work::stopping();
        if self.late || self.stop.get() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Looks for accesses that race in an execution of a process that has some. What was learned of the program may be wrong as
    /// long as they are no steps. So the end of a search counts only without them, and a bug only if a process shows it.
    pub(super) fn look_at(&mut self, checker: &mut Checker) {
        if !self.raced.is_empty() || matches!(checker.problem, Some(Problem::Limit(_))) {
            return;
        }
        let Some(execution) = checker.raced.take() else {
            return;
        };
        if let Some(bug) = &self.bug {
            let request = Request::follow(&bug.schedule);
            let again = checker.program.execute(&request);
            if again.is_err() || again.is_ok_and(|e| shows(&bug.what, &steps(&e), &e.ending)) {
                return;
            }
            self.bug = None;
        }
        checker.problem = None;
        checker.stop.set(false);
        let _ = self.end(&steps(&execution), &execution.ending);
    }

    /// Whether as many executions have ended as were asked for.
    pub(super) fn is_full(&self) -> bool {
        matches!(self.options.strategy, Strategy::First(most) if self.executions >= most)
    }

    /// Counts an execution that has ended, and looks for bugs in it.
    fn end(&mut self, steps: &[(u8, Rc<Next>)], ending: &Ending) -> ControlFlow<()> {
        if self.stop.get() {
            return ControlFlow::Break(());
        }
        self.executions += 1;
        self.cut += u64::from(*ending == Ending::TooLong);
        self.comes_back |= comes_back(steps);
        if self.options.races {
            let mut found = races(steps);
            found.sort_by_key(|race| race.second.0);
            let mut found = found.into_iter().map(What::Race);
            if let Some(what) = found.find(|what| self.is_wanted(what, steps)) {
                self.bug = Some(Bug::after(steps, what));
                return ControlFlow::Break(());
            }
        }
        let what = What::Ending(ending.clone());
        if is_wrong(self.options, ending) && self.is_wanted(&what, steps) {
            self.bug = Some(Bug::after(steps, what));
            return ControlFlow::Break(());
        }
        if self.polls() {
            return ControlFlow::Break(());
        }
        if !self.options.races || self.wanted.is_some() {
            self.raced = races(steps).iter().map(|race| race.place).collect();
            if !self.raced.is_empty() {
                return ControlFlow::Break(());
            }
        }
        match self.is_full() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Whether an end is an error.
pub(super) fn is_wrong(options: &Options, ending: &Ending) -> bool {
    match ending {
        Ending::Exited(0) | Ending::TooLong => false,
        Ending::Exited(_) => options.exit_status,
        _ => true,
    }
}

impl Observer<Checker> for Finder<'_> {
    fn longest(&self) -> usize {
        self.longest
    }

    fn ended(&mut self, end: End, path: &Path<'_, Checker>) -> ControlFlow<()> {
        let state = path.state;
        let ending = match (&state.ending, end) {
            (Some(ending), _) => ending.clone(),
            (None, End::Cut) => Ending::TooLong,
            (None, _) => state.stuck(),
        };
        self.end(&state.steps(), &ending)
    }

    fn failed(&mut self, path: &Path<'_, Checker>) -> ControlFlow<()> {
        let ending = path.state.ending.clone().unwrap_or(Ending::Deadlock);
        self.end(&path.state.steps(), &ending)
    }

    fn stops(&self) -> bool {
        self.late || self.stop.get() || self.bug.is_some() || self.polls() || self.is_full()
    }

    fn tick(&mut self, _: Stats) -> ControlFlow<()> {
        self.over()
    }
}

/// Runs all schedules, one of each trace. Returns what the reduction counted.
pub(super) fn all(checker: &mut Checker, finder: &mut Finder<'_>) -> Stats {
    dpor::explore(checker, finder)
}

/// Runs every schedule with at most `budget` delays. Returns whether some schedule needs more.
pub(super) fn delays(checker: &mut Checker, finder: &mut Finder<'_>, budget: u32) -> bool {
    let mut open = vec![(dpor::Model::start(checker), budget)];
    let mut seen = FxHashMap::default();
    let mut more = false;
    while let Some((mut state, budget)) = open.pop() {
        if deterministic(
            checker, finder, &mut state, budget, &mut seen, &mut open, &mut more,
        )
        .is_break()
        {
            break;
        }
    }
    more
}

type Seen = FxHashMap<(u128, Option<u32>, bool), u32>;

/// Makes the execution without further delays. Adds the executions with further delays to `open`.
fn deterministic(
    checker: &mut Checker,
    finder: &mut Finder<'_>,
    state: &mut State,
    budget: u32,
    seen: &mut Seen,
    open: &mut Vec<(State, u32)>,
    more: &mut bool,
) -> ControlFlow<()> {
    loop {
        finder.over()?;
        // The same follows from threads with the same pasts.
        match seen.insert((state.key, state.last, state.yielded), budget) {
            Some(before) if before >= budget => {
                seen.insert((state.key, state.last, state.yielded), before);
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        let count = state.threads.len();
        let start = state
            .last
            .map_or(0, |l| l as usize + usize::from(state.yielded));
        let can: Vec<usize> = (0..count)
            .map(|i| (start + i) % count)
            .filter(|&number| checker.can(state, number))
            .take(budget as usize + 2)
            .collect();
        if checker.problem.is_some() {
            return ControlFlow::Break(());
        }
        let Some(&first) = can.first() else {
            // The search came to this end before, by another order of steps that commute.
            if seen.insert((state.key, None, true), u32::MAX).is_some() {
                return ControlFlow::Continue(());
            }
            let ending = state.ending.clone().unwrap_or_else(|| state.stuck());
            return finder.end(&state.steps(), &ending);
        };
        if state.depth >= finder.longest {
            return finder.end(&state.steps(), &Ending::TooLong);
        }
        *more |= can.len() - 1 > budget as usize;
        let dear = (1..=budget).zip(&can[1..]).collect::<Vec<_>>();
        for (cost, &number) in dear.into_iter().rev() {
            let mut other = state.clone();
            if checker.advance(&mut other, number).is_none() {
                return ControlFlow::Break(());
            }
            open.push((other, budget - cost));
        }
        if checker.advance(state, first).is_none() {
            return ControlFlow::Break(());
        }
    }
}

/// Runs schedules at random. With `changes`, by priorities that change at this many places.
pub(super) fn random(
    checker: &mut Checker,
    finder: &mut Finder<'_>,
    runs: u64,
    changes: Option<u32>,
) {
    let mut numbers = fastrand::Rng::with_seed(finder.options.seed);
    let mut longest = 20;
    for _ in 0..runs {
        if finder.over().is_break() {
            return;
        }
        let places = (0..changes.unwrap_or(0)).map(|_| numbers.u64(0..longest));
        let places: Vec<u64> = places.collect();
        let request = Request {
            prefix: &[],
            mode: if changes.is_some() {
                Mode::Priorities
            } else {
                Mode::Random
            },
            seed: numbers.u64(..),
            changes: &places,
        };
        let execution = match checker.run(&request) {
            Ok(execution) => execution,
            Err(problem) => return checker.give_up(problem),
        };
        let steps = steps(&execution);
        longest = longest.max(steps.len() as u64);
        if finder.end(&steps, &execution.ending).is_break() {
            return;
        }
    }
}

/// Whether a process that follows the bug's schedule shows it again.
pub(super) fn shows(bug: &What, steps: &[(u8, Rc<Next>)], ending: &Ending) -> bool {
    match bug {
        What::Ending(was) => was == ending,
        What::Race(race) => races(steps)
            .iter()
            .any(|found| (found.place, found.second) == (race.place, race.second)),
    }
}

/// Whether the answer needs no more search.
pub(super) fn is_over(checker: &Checker, finder: &Finder<'_>) -> bool {
    let again = checker.problem == Some(Problem::Again) || !finder.raced.is_empty();
    !again
        || finder
            .bug
            .as_ref()
            .is_some_and(|bug| matches!(&bug.what, What::Ending(e) if fails(e)))
}
