//! Which engine answers a question about delays: the solver, the explicit machine, the one that fits, or both.
//!
//! Knows engines by what they are asked and what they answer, and nothing of their insides. Who is asked when is the
//! [plan](super::plan)'s.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::thread::{self, Scope};
use std::time::Duration;

use answer::{Answer, Cause, CutBy, Engine, NamedBound, Note, Reason, Verdict};
use base::clock::{FOREVER, Instant, worked};
use base::memory::resident;
use base::portions::{Kept, Portion, Portions};
use base::source::SourceMap;
use base::work;
use ir::Program;
use options::{
    EngineChoice, ExploreOptions, Limits, Scheduler, Sought, Strategy, Values, VerifyOptions,
};
use symbolic::{OPEN_WORK, explore};

use super::plan::{
    Came, DELAYS, FEW_DELAYS, FEW_TASKS, GLANCE, HELD, MORE_WORK, ONE_TURN, PRIORITIES, SCHEDULES,
    Shape, TURNS, WALKS, Who, take_turns,
};
use super::proof::{later, small};
use super::wander::wander;
use super::{agreement, closed, glance, hide_handles, races, unbounded, verify, words};

/// The most delays about which engines ask the solver, if any number of delays is allowed.
const MOST_DELAYS: u32 = 1000;

/// Looks before a long search of states. Answers if there are few states, if it finds a bug, or if the search would never get
/// beyond a step that makes any number of tasks.
pub(super) fn at_first(program: &Program, options: &ExploreOptions) -> Option<Answer> {
    look_first(program, options, |asked, _| Some(explore(program, asked)))
}

/// Searches states. After the first portion of the search, walks look for a bug.
pub(super) fn schedules(program: &Program, options: &ExploreOptions) -> Answer {
    thread::scope(|scope| {
        let (mut kept, mut ended) = (None, None);
        let first = look_first(program, options, |asked, shape| {
            let search = |portions| {
                let mut whole = options.clone();
                whole.portions = Some(portions);
                explore(program, &whole)
            };
            let portion = Portion {
                work: asked.work.unwrap_or(u64::MAX),
                end: Instant::now() + FOREVER,
            };
            // A search with terms ends with its portion.
            let goes_on = shape.is_kept() && !shape.open;
            let begun = goes_on.then(|| Kept::begin(scope, portion, search));
            match begun.flatten() {
                Some(ControlFlow::Continue(search)) => kept = Some(search),
                Some(ControlFlow::Break(answer)) => ended = Some(answer),
                None => return Some(explore(program, asked)),
            }
            ended.clone()
        });
        // An interrupted search has more to tell than walks.
        let first = first.filter(|first| first.is_settled() || kept.is_none());
        first.or(ended).unwrap_or_else(|| match kept {
            Some(search) => search.to_the_end(),
            None => explore(program, options),
        })
    })
}

/// Returns the search's answer. If it settles nothing and there may be any number of tasks, looks for a bug with few tasks.
pub(super) fn or_with_few_tasks(
    program: &Program,
    (clock, options): (&Clock, &ExploreOptions),
    mut answer: Answer,
) -> Answer {
    let Verdict::Inconclusive(why) = &answer.verdict else {
        return answer;
    };
    let is_sought = matches!(options.sought, Sought::Failures | Sought::Races);
    let looked = is_plain(options) || options.shard.is_some() || !answer.bugs.is_empty();
    if !is_sought || looked || work::stopping() || !closed::posts_without_bound(program) {
        return answer;
    }
    let asked = ExploreOptions {
        scheduler: options.scheduler,
        delays: options.delays,
        preemptions: options.preemptions,
        switches: options.switches,
        max_steps: options.max_steps,
        unroll: options.unroll,
        sought: options.sought,
        coverage: options.coverage,
        work: Some(FEW_TASKS),
        limits: Limits {
            // The search has freed its states by now.
            held: None,
            ..clock.limits(&options.limits, clock.left())
        },
        ..ExploreOptions::default()
    };
    if let Some(found) = small(program, &asked) {
        answer.notes = found.notes;
        if options.goes_on() {
            answer.may_have_more_bugs(&why.to_string());
        }
        if let (Some(own), Some(more)) = (&mut answer.coverage, found.coverage) {
            own.add(&more);
        }
        answer.verdict = found.verdict;
        answer.bugs = found.bugs;
        answer.summary = found.summary;
    }
    answer
}

/// Whether the options ask for no more than a verdict, by the usual search.
fn is_plain(options: &ExploreOptions) -> bool {
    let default = ExploreOptions::default();
    options.walks_first
        && options.strategy == default.strategy
        && matches!(options.sought, Sought::Failures | Sought::Races)
        && !options.goes_on()
        && !(options.shortest || options.coverage || !options.reduction)
        && (options.compact, options.shard, options.work) == (None, None, None)
        && options.values == default.values
}

/// Whether the question is about every execution of the bag, however long.
fn has_any_execution(options: &ExploreOptions) -> bool {
    options.max_steps == ExploreOptions::default().max_steps && races::has_all_orders(options)
}

/// Looks for a bug before a long search of states. `states` does the first portion of that search: it answers, or waits.
fn look_first(
    program: &Program,
    options: &ExploreOptions,
    mut states: impl FnMut(&ExploreOptions, &Shape) -> Option<Answer>,
) -> Option<Answer> {
    if !is_plain(options) {
        return None;
    }
    let clock = Clock::new(&options.limits);
    let shape = closed::shape(program, options.delays.is_none(), false, false);
    let over = || clock.is_over();
    let mut seen = None;
    let found = take_turns(&SCHEDULES, &shape, over, |who, most, share| {
        let mut asked = ExploreOptions {
            work: most,
            ..options.clone()
        };
        if matches!(who, Who::Instances | Who::Wander | Who::Executions) {
            asked.limits = clock.limits(&options.limits, clock.share(share));
            return without_states(program, who, asked).map_or(Came::Never, Came::Answer);
        }
        if who == Who::Walks {
            asked.sought = Sought::Failures;
        }
        let answer = match who {
            Who::Walks => Some(walks(asked, |asked| explore(program, asked))),
            _ => {
                asked.limits = clock.limits(&options.limits, clock.share(share));
                states(&asked, &shape)
            }
        };
        let Some(answer) = answer else {
            return Came::Never;
        };
        match &answer.verdict {
            Verdict::Bug => Came::Answer(answer),
            Verdict::Safe if who == Who::States => Came::Answer(answer),
            Verdict::Inconclusive(why)
                if who == Who::States && is_at_its_end(why, &answer, &shape) =>
            {
                Came::Answer(answer)
            }
            _ => {
                seen.get_or_insert(answer);
                Came::Never
            }
        }
    });
    found.or_else(|| {
        // The search that comes next would see nothing, because the run is being stopped.
        if work::stopping() {
            let mut seen = seen?;
            seen.unsettle(work::INTERRUPTED.into());
            return Some(seen);
        }
        (closed::floods(program) && options.unroll.is_none()).then(|| {
            let words =
                "a step of `main` makes any number of tasks, and the search never gets beyond it";
            let reason = Reason::new(Cause::Steps, words);
            Answer::new(Engine::Explicit, Verdict::Inconclusive(reason), words)
        })
    })
}

/// Whether a search of states that settles nothing has seen all that it can see.
fn is_at_its_end(why: &Reason, answer: &Answer, shape: &Shape) -> bool {
    matches!(why.cause, Cause::Nothing | Cause::Cut)
        || shape.open && matches!(later::<()>(answer), Came::Never)
}

/// What small instances of the program say, executions at random, or one execution of each trace.
fn without_states(program: &Program, who: Who, mut asked: ExploreOptions) -> Option<Answer> {
    match who {
        Who::Instances => small(program, &asked),
        _ if !has_any_execution(&asked) => None,
        Who::Wander => wander(program, asked.sought, asked.work, asked.limits.end()?),
        _ => {
            asked.strategy = Strategy::Dpor;
            Some(explore(program, &asked)).filter(races::is_whole)
        }
    }
}

/// In the first walks tasks take turns, so that each holds the first thing it takes. The later walks choose at random.
fn walks(mut asked: ExploreOptions, ask: impl Fn(&ExploreOptions) -> Answer) -> Answer {
    if !asked.has_budget() && asked.scheduler == Scheduler::Bag {
        let turns = ExploreOptions {
            strategy: Strategy::Pct,
            depth: 0,
            runs: TURNS,
            ..asked.clone()
        };
        let answer = ask(&turns);
        if answer.verdict == Verdict::Bug {
            return answer;
        }
    }
    (asked.strategy, asked.runs) = (Strategy::Random, WALKS);
    ask(&asked)
}

/// When a question began, and when its time is up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub begin: Instant,
    end: Instant,
    /// The memory that the process held in the beginning.
    held: Option<u64>,
    /// The processor time of the work by then.
    worked: Option<Duration>,
}

/// The least processor time that tells how busy the machine is.
const SAMPLE: Duration = Duration::from_millis(20);
/// How many times longer a busy machine may take, at most.
const BUSIEST: f64 = 10.0;

impl Clock {
    pub fn new(limits: &Limits) -> Self {
        let begin = Instant::now();
        let end = limits.end().unwrap_or(begin + FOREVER);
        let held = limits.held.or_else(resident);
        Self {
            begin,
            end,
            held,
            worked: worked(),
        }
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Whether the time is up, or the run is being stopped.
    pub fn is_over(&self) -> bool {
        work::stopping() || self.left().is_zero()
    }

    /// The time of a turn. A turn of [`FOREVER`] gets all that is left, any other one at most half of it.
    pub fn share(&self, share: Duration) -> Duration {
        if share >= FOREVER {
            self.left()
        } else {
            self.busy(share).min(self.left() / 2)
        }
    }

    /// How long engines may look for more than an answer says. The whole question may take twice the time of the engine that
    /// answered, and so many quarters of [`HELD`]. If no time is left of that, engines get a quarter of the second part.
    pub fn for_more(&self, took: Duration, quarters: u32) -> Duration {
        let held = self.busy(HELD * quarters / 4);
        let rest = (took * 2 + held).saturating_sub(self.begin.elapsed());
        rest.max(held / 4)
    }

    /// How long engines may look for races beside an answer that took all of the time so far.
    pub fn for_races(&self) -> Duration {
        let elapsed = self.begin.elapsed();
        (elapsed / 2).max(self.busy(HELD).saturating_sub(elapsed))
    }

    /// How long work takes on this machine if it takes `time` on an idle one.
    pub fn busy(&self, time: Duration) -> Duration {
        let (Some(before), Some(now)) = (self.worked, worked()) else {
            return time;
        };
        let worked = now.saturating_sub(before);
        if worked < SAMPLE {
            return time;
        }
        let busy = self.begin.elapsed().as_secs_f64() / worked.as_secs_f64();
        time.mul_f64(busy.clamp(1.0, BUSIEST))
    }

    /// The limits of an engine that gets so much of the time.
    pub fn limits(&self, limits: &Limits, time: Duration) -> Limits {
        Limits {
            latest: Some(self.end.min(Instant::now() + time)),
            held: self.held,
            ..*limits
        }
    }
}

/// The answer to a question about delays, by the engine that the options name.
#[must_use]
pub fn answer(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    if options.races {
        return races::in_all_schedules(program, sources, options);
    }
    let asked = Asked::new(program, sources, options);
    let clock = &asked.clock;
    let (answer, time) = match options.engine {
        EngineChoice::Explicit => {
            let answer = asked.explicit(&asked.to_the_end());
            (asked.with_fewer_delays(answer), clock.for_races())
        }
        EngineChoice::Auto => {
            let (answer, took) = asked.fitting();
            let soon = clock.limits(&options.limits, clock.for_more(took, 1));
            let answer = match options.any_delays || options.finals {
                true => answer,
                false => glance::beyond(program, soon, asked.with_fewer_delays(answer)),
            };
            (answer, clock.for_more(took, 4))
        }
        EngineChoice::Smt => return asked.solver(clock.left()),
    };
    races::beside(program, sources, (clock, &options.limits), time, answer)
}

/// All engines answer, the explicit one with values as numbers and as terms. The answer reports a contradiction as our fault.
#[must_use]
pub fn cross_check(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    let asked = Asked::new(program, sources, options);
    let numbers = asked.every_bug(Values::Numbers, None, asked.clock.left() / 3);
    let terms = asked.every_bug(Values::Terms, Some(OPEN_WORK), asked.clock.left() / 2);
    match agreement::of_values(numbers, terms) {
        Ok(explicit) => agreement::agreed(asked.solver(asked.clock.left()), explicit),
        Err(contradiction) => *contradiction,
    }
}

/// The explicit machine's answer, with final states such as the solver can give. If they are asked for, the search lists all of
/// them: it goes on after the first bug, and the answer shows this bug.
#[must_use]
pub fn explored(program: &Program, options: &ExploreOptions) -> Answer {
    hide_handles::of_answer(program, explore(program, options))
}

/// The explicit machine's answer as the solver would give it: a deadlock counts only if no check fails.
fn told(program: &Program, options: &ExploreOptions) -> Answer {
    let answer = explored(program, options);
    if options.finals || !answer.bugs.iter().all(|b| b.kind.comes_last()) || answer.bugs.is_empty()
    {
        return answer;
    }
    let on = ExploreOptions {
        finals: true,
        ..options.clone()
    };
    let mut whole = explored(program, &on);
    whole.finals = None;
    if whole.bugs.iter().all(|b| b.kind.comes_last()) {
        return answer;
    }
    whole
}

/// What the explicit engine gets for a turn.
#[derive(Clone)]
struct Turn {
    work: Option<u64>,
    end: Instant,
    values: Values,
    /// Gives the search more work when this turn's work is done.
    portions: Option<Portions>,
}

impl Turn {
    fn new(work: Option<u64>, time: Duration) -> Self {
        Self {
            work,
            end: Instant::now() + time,
            values: Values::Fitting,
            portions: None,
        }
    }

    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }
}

/// A question, and until when it is to be answered.
struct Asked<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    options: &'a VerifyOptions,
    clock: Clock,
    shape: Shape,
    /// Any number of tasks have very many ways. The explicit engine then follows few turns of each loop, even in its first turn.
    many_ways: bool,
}

/// Answers that settle nothing, and searches that have not ended.
#[derive(Default)]
struct Unsettled<'s> {
    solved: Option<Answer>,
    explored: Option<Answer>,
    /// Searches that have not ended, and how long each has taken.
    kept: Vec<(Who, Duration, Kept<'s, Answer>)>,
}

impl Unsettled<'_> {
    fn time_of(&mut self, who: Who) -> Option<&mut Duration> {
        let mut kept = self.kept.iter_mut();
        kept.find(|(whose, ..)| *whose == who)
            .map(|(_, time, _)| time)
    }
}

impl<'a> Asked<'a> {
    fn new(program: &'a Program, sources: &'a SourceMap, options: &'a VerifyOptions) -> Self {
        let clock = Clock::new(&options.limits);
        let races = races::are_asked(program);
        let shape = closed::shape(program, options.any_delays, options.finals, races);
        Self {
            program,
            sources,
            options,
            clock,
            shape,
            many_ways: shape.makes_any && closed::may_choose_endlessly(program),
        }
    }

    /// Engines take turns. Then the explicit engine does what it can in the time that is left. The result contains the time that the
    /// answering engine took.
    fn fitting(&self) -> (Answer, Duration) {
        let (mut solved, mut explored) = (None, None);
        // The explicit engine has no more turns but could do more: it then gets the last quarter of the time.
        let waits = Cell::new(true);
        let took = Cell::new(Duration::ZERO);
        let last = self.clock.left() / 4;
        let found = thread::scope(|scope| {
            let mut held = Unsettled::default();
            let answer = take_turns(
                &DELAYS,
                &self.shape,
                || self.clock.is_over() || waits.get() && self.clock.left() < last,
                |who, most, share| {
                    let begin = Instant::now();
                    let before = held.time_of(who).map_or(Duration::ZERO, |time| *time);
                    let came = self.turn(who, (most, share), &mut held, scope);
                    took.set(before + begin.elapsed());
                    if let Some(time) = held.time_of(who) {
                        *time = took.get();
                    }
                    if who == Who::States {
                        let again = self.shape.may_end() && matches!(came, Came::Later);
                        waits.set(most.is_some() && !again);
                    }
                    came
                },
            );
            let states = held.kept.into_iter().find(|(who, ..)| *who == Who::States);
            let states = states.filter(|_| answer.is_none());
            explored = states.map(|(.., kept)| kept.give_up()).or(held.explored);
            solved = held.solved;
            answer
        });
        match found {
            Some(answer) => (self.without_bounds(answer, took.get()), took.get()),
            None => {
                let answer = self.at_last(solved, explored, waits.get());
                (answer, self.clock.begin.elapsed())
            }
        }
    }

    fn turn<'s>(
        &'s self,
        who: Who,
        (most, share): (Option<u64>, Duration),
        held: &mut Unsettled<'s>,
        scope: &'s Scope<'s, '_>,
    ) -> Came<Answer> {
        let time = self.clock.share(share);
        let end = Instant::now() + time;
        let unfollowed = held.explored.as_ref().is_some_and(is_unfollowed);
        match who {
            Who::Everywhere | Who::Proof | Who::Within if unfollowed => Came::Never,
            // The search has seen all executions, as far as any engine follows them. The solver may settle fewer turns of loops.
            Who::Solver | Who::Bounded if unfollowed && share >= FOREVER => Came::Never,
            Who::States | Who::Everywhere => {
                match self.search(who, Turn::new(most, time), held, scope) {
                    Some(answer) if who == Who::States => self.states(answer, held),
                    Some(answer) => everywhere(answer),
                    None => Came::Later,
                }
            }
            Who::Terms => self.terms(Turn::new(most, time)),
            Who::Executions => self.executions(&Turn::new(most, time)),
            Who::Delayed => match self.within(FEW_DELAYS, &Turn::new(most, time)) {
                answer if answer.verdict == Verdict::Bug => Came::Answer(answer),
                _ => Came::Never,
            },
            Who::Priorities => self
                .glimpse(who, &Turn::new(most, time))
                .map_or(Came::Later, Came::Answer),
            Who::Walks | Who::Instances => self
                .glimpse(who, &Turn::new(most, time))
                .map_or(Came::Never, Came::Answer),
            Who::Proof => {
                match unbounded::proof(self.program, self.sources, &self.options(time), end) {
                    Some(answer) if answer.is_settled() => Came::Answer(answer),
                    Some(answer) => later(&answer),
                    None => Came::Never,
                }
            }
            Who::Within => {
                let found = unbounded::within_delays(self.program, &self.options(time), None, end);
                match found {
                    Some(answer) => Came::Answer(answer),
                    None if Instant::now() >= end => Came::Later,
                    None => Came::Never,
                }
            }
            Who::Races => {
                let asked = self.as_exploration(None, &Turn::new(most, time));
                races::found(self.program, asked).map_or(Came::Never, Came::Answer)
            }
            Who::Wander => self
                .wander(&Turn::new(most, time))
                .map_or(Came::Never, Came::Answer),
            Who::Solver => self.solved(time, held),
            Who::Bounded => self.bounded(time),
        }
    }

    /// What the solver says in so much time.
    fn solved(&self, time: Duration, held: &mut Unsettled<'_>) -> Came<Answer> {
        let begin = Instant::now();
        let answer = self.solver(time);
        if answer.is_settled() {
            return Came::Answer(answer);
        }
        // The solver does not always say so when it gives up for want of time.
        let came = match begin.elapsed() > time / 2 {
            true => Came::Later,
            false => later(&answer),
        };
        held.solved = Some(answer);
        came
    }

    /// What the solver says in so much time, or more than that: what holds within bounds may hold for terms without any.
    fn bounded(&self, time: Duration) -> Came<Answer> {
        let begin = Instant::now();
        let answer = self.solver(time);
        if !answer.is_settled() {
            return Came::Never;
        }
        if answer.verdict == Verdict::Bug || answer.cut_by.is_empty() {
            return Came::Answer(answer);
        }
        let more = (begin.elapsed() * 2).max(self.clock.busy(HELD / 2));
        match self.terms(Turn::new(Some(ONE_TURN), more)) {
            Came::Answer(whole) => Came::Answer(whole),
            Came::Later | Came::Never => Came::Answer(answer),
        }
    }

    /// What a search of states says whose values are terms.
    fn terms(&self, turn: Turn) -> Came<Answer> {
        let values = Values::Terms;
        let answer = self.explicit(&Turn { values, ..turn });
        match answer.is_settled() {
            true => Came::Answer(answer),
            false => later(&answer),
        }
    }

    /// What a search has come to, unless it goes on later.
    fn search<'s>(
        &'s self,
        who: Who,
        turn: Turn,
        held: &mut Unsettled<'s>,
        scope: &'s Scope<'s, '_>,
    ) -> Option<Answer> {
        let portion = Portion {
            work: turn.work.unwrap_or(u64::MAX),
            end: turn.end,
        };
        let begun = match held.kept.iter().position(|(whose, ..)| *whose == who) {
            Some(at) => Some(held.kept.swap_remove(at).2.go_on(portion)),
            None if self.shape.is_kept() && turn.work.is_some() => {
                let whole = Turn::new(turn.work, self.clock.left());
                let search = move |portions| {
                    let portions = Some(portions);
                    self.searched(who, &Turn { portions, ..whole })
                };
                Kept::begin(scope, portion, search)
            }
            None => None,
        };
        match begun {
            Some(ControlFlow::Break(answer)) => Some(answer),
            Some(ControlFlow::Continue(kept)) => {
                held.kept.push((who, Duration::ZERO, kept));
                None
            }
            None => Some(self.searched(who, &turn)),
        }
    }

    /// What the explicit engine says for a turn.
    fn searched(&self, who: Who, turn: &Turn) -> Answer {
        match who {
            Who::Everywhere => explored(self.program, &self.as_exploration(None, turn)),
            _ => self.explicit(turn),
        }
    }

    fn states(&self, answer: Answer, held: &mut Unsettled<'_>) -> Came<Answer> {
        // Only the explicit engine can follow an execution that lacks memory, and it needs more memory for that.
        let lacks = self.options.limits.more_heap && answer.needs_heap();
        if answer.is_settled() || answer.is_all_dropped() || lacks {
            return Came::Answer(answer);
        }
        let came = later(&answer);
        held.explored = Some(answer);
        came
    }

    /// The answer, with an invariant in the place of bounds if one is found soon: within the time of the engine that answers, and
    /// a little more.
    fn without_bounds(&self, answer: Answer, took: Duration) -> Answer {
        let cut = answer.cut_by.contains(&CutBy::Unroll) || self.shape.any_number;
        let wanted = answer.verdict == Verdict::Safe && cut && !answer.is_of_all_schedules();
        let own = answer.bounds.contains(&NamedBound::Invariant);
        if !wanted || own || self.options.any_delays || self.options.finals {
            return answer;
        }
        // If a search for races comes next, it gets the last quarter.
        let quarters = 4 - u32::from(races::are_asked(self.program) && !answer.races);
        let time = (self.clock.for_more(took, quarters)).min(self.clock.left() / 2);
        if time.is_zero() {
            return answer;
        }
        let (end, options) = (Instant::now() + time, self.options(time));
        unbounded::unbounded(self.program, self.sources, &options, answer, end)
    }

    /// The answer when no engine has one in its turns.
    fn at_last(&self, solved: Option<Answer>, explored: Option<Answer>, waits: bool) -> Answer {
        let explored = match explored {
            Some(explored) if is_unfollowed(&explored) => return explored,
            Some(explored) if !waits || self.clock.is_over() => explored,
            _ => self.explicit(&self.to_the_end()),
        };
        if explored.is_settled() {
            return explored;
        }
        if closed::is_open(self.program) && !self.options.any_delays && !self.clock.is_over() {
            let everywhere = self.every_schedule(&self.to_the_end());
            if everywhere.verdict == Verdict::Safe {
                return everywhere;
            }
        }
        match solved {
            Some(solved) if !is_unfollowed(&explored) => neither(solved, &explored),
            _ => explored,
        }
    }

    /// A race, or a bug if all schedules are asked about, in executions at random.
    fn wander(&self, turn: &Turn) -> Option<Answer> {
        work::enter_part("random executions");
        let sought = Sought::bugs(self.shape.races);
        let mut answer = wander(self.program, sought, turn.work, turn.end)?;
        if races::is_race(&answer) {
            return Some(races::raced(answer));
        }
        if self.options.any_delays {
            answer.bounds.insert(0, NamedBound::Delays(None));
        }
        self.shape.shows_all().then_some(answer)
    }

    /// A bug on walks at random, or in a small instance.
    fn glimpse(&self, who: Who, turn: &Turn) -> Option<Answer> {
        let delays = (!self.options.any_delays).then_some(self.options.delays_to);
        let asked = self.as_exploration(delays, turn);
        let mut answer = if who == Who::Instances {
            work::enter_part("few tasks");
            small(self.program, &asked)?
        } else {
            work::enter_part("random schedules");
            let look = |asked: &ExploreOptions| explored(self.program, asked);
            let answer = match who {
                Who::Priorities => look(&ExploreOptions {
                    strategy: Strategy::Pct,
                    runs: PRIORITIES,
                    ..asked
                }),
                _ => walks(asked, look),
            };
            (answer.verdict == Verdict::Bug).then_some(answer)?
        };
        if self.options.any_delays {
            answer.bounds.insert(0, NamedBound::Delays(None));
        }
        Some(answer)
    }

    /// The explicit machine decides, within so much work.
    fn explicit(&self, turn: &Turn) -> Answer {
        if self.options.any_delays {
            return self.every_schedule(turn);
        }
        let mut answer = self.within(self.options.delays_from, turn);
        for delays in self.options.delays_from + 1..=self.options.delays_to {
            if answer.verdict != Verdict::Safe || !answer.budget_spent {
                break;
            }
            let before = answer.summary;
            answer = self.within(delays, turn);
            established(&mut answer, &before);
        }
        if answer.is_settled() {
            return answer;
        }
        if is_unfollowed(&answer) {
            return self.beside_unfollowed(answer, turn);
        }
        self.bug_within_all(turn).unwrap_or(answer)
    }

    /// What the explicit machine says within all allowed delays, if it cannot follow an execution with fewer: another one may fail.
    fn beside_unfollowed(&self, answer: Answer, turn: &Turn) -> Answer {
        if self.options.delays_from == self.options.delays_to {
            return answer;
        }
        let whole = self.within(self.options.delays_to, turn);
        let is_last = turn.work.is_none();
        match whole.verdict == Verdict::Bug || is_unfollowed(&whole) || !is_last {
            true => whole,
            false => answer,
        }
    }

    /// Looks for a bug within all allowed delays at once. With any number of tasks, executions without delays may never end, and
    /// the engine never settles fewer delays; but with more delays it may soon find a bug.
    fn bug_within_all(&self, turn: &Turn) -> Option<Answer> {
        let work = turn.work?.saturating_mul(MORE_WORK);
        let wanted = self.options.delays_to > self.options.delays_from
            && !self.options.finals
            && !self.clock.is_over()
            && closed::posts_without_bound(self.program);
        if !wanted {
            return None;
        }
        let found = self.within(
            self.options.delays_to,
            &Turn {
                work: Some(work),
                ..turn.clone()
            },
        );
        (found.verdict == Verdict::Bug).then_some(found)
    }

    /// The same bug with fewer delays, if the engine finds it soon.
    fn with_fewer_delays(&self, mut answer: Answer) -> Answer {
        while let Some(fewer) = self.fewer_delays(&answer) {
            (answer.bugs, answer.summary) = (fewer.bugs, fewer.summary);
        }
        answer
    }

    fn fewer_delays(&self, answer: &Answer) -> Option<Answer> {
        let [bug] = &answer.bugs[..] else {
            return None;
        };
        let delays = bug.trace.schedule.delays().checked_sub(1)?;
        if self.options.any_delays || self.options.finals {
            return None;
        }
        let turn = Turn::new(Some(GLANCE), self.clock.left());
        let fewer = told(self.program, &self.as_exploration(Some(delays), &turn));
        let same = |found: &trace::Bug| (found.kind, found.span) == (bug.kind, bug.span);
        matches!(&fewer.bugs[..], [found] if same(found)).then_some(fewer)
    }

    /// The explicit machine decides within a budget of delays.
    fn within(&self, delays: u32, turn: &Turn) -> Answer {
        work::enter_part(&format!("{}: exploring", words::delays(delays)));
        let mut answer = told(self.program, &self.as_exploration(Some(delays), turn));
        if answer.verdict == Verdict::Safe && answer.cut_by.is_empty() {
            answer.summary = words::uncut(delays) + words::more(answer.budget_spent);
        }
        answer
    }

    /// The explicit machine decides about all schedules: those of the bag.
    fn every_schedule(&self, turn: &Turn) -> Answer {
        work::enter_part("all schedules: exploring");
        let mut answer = told(self.program, &self.as_exploration(None, turn));
        answer.bounds.insert(0, NamedBound::Delays(None));
        answer
    }

    /// Follows one execution of each trace.
    fn executions(&self, turn: &Turn) -> Came<Answer> {
        work::enter_part("all schedules: following executions");
        // If an input says how many tasks there are, the first execution never ends, and each of its steps takes longer.
        let parts = if closed::is_open(self.program) { 8 } else { 1 };
        let asked = ExploreOptions {
            strategy: Strategy::Dpor,
            limits: self.limits(turn.left() / parts),
            ..self.as_exploration(None, turn)
        };
        let mut answer = told(self.program, &asked);
        if !self.shape.all_schedules {
            return everywhere(answer);
        }
        if answer.is_settled() {
            answer.bounds.insert(0, NamedBound::Delays(None));
            return Came::Answer(answer);
        }
        match turn.work.is_some_and(|work| work < ONE_TURN) {
            true => later(&answer),
            false => Came::Never,
        }
    }

    /// The question for the explicit engine: about the asked scheduler within a budget of delays, or about the bag, which runs
    /// tasks in any order.
    fn as_exploration(&self, delays: Option<u32>, turn: &Turn) -> ExploreOptions {
        let scheduler = delays.map_or(Scheduler::Bag, |_| self.options.scheduler);
        ExploreOptions {
            scheduler,
            delays,
            finals: self.options.finals,
            // Turns before the last one set no bound: other engines may still answer without one.
            unroll: (turn.work.is_none() || self.many_ways).then_some(self.options.unroll),
            limits: self.limits(turn.left()),
            work: turn.work,
            values: turn.values,
            portions: turn.portions.clone(),
            ..ExploreOptions::default()
        }
    }

    /// What the explicit machine finds if it goes on after the first bug.
    fn every_bug(&self, values: Values, work: Option<u64>, time: Duration) -> Answer {
        let delays = (!self.options.any_delays).then_some(self.options.delays_to);
        let asked = ExploreOptions {
            all: true,
            values,
            ..self.as_exploration(delays, &Turn::new(work, time))
        };
        explored(self.program, &asked)
    }

    /// The solver decides, in so much time.
    fn solver(&self, time: Duration) -> Answer {
        if self.options.any_delays {
            return self.deepened(Instant::now() + time);
        }
        let options = VerifyOptions {
            limits: self.solvers(time),
            ..self.options.clone()
        };
        verify(self.program, self.sources, &options)
    }

    /// The question for an engine that gets so much of the time.
    fn options(&self, time: Duration) -> VerifyOptions {
        VerifyOptions {
            limits: self.limits(time),
            ..self.options.clone()
        }
    }

    /// The solver decides about more and more delays, until there is a bug, or no execution could spend more.
    fn deepened(&self, end: Instant) -> Answer {
        let mut held = None;
        for delays in 0.. {
            let options = VerifyOptions {
                delays_from: delays,
                delays_to: delays,
                any_delays: false,
                limits: self.solvers(end.saturating_duration_since(Instant::now())),
                ..self.options.clone()
            };
            let mut answer = verify(self.program, self.sources, &options);
            let goes_on = answer.verdict == Verdict::Safe && answer.budget_spent;
            if goes_on && delays < MOST_DELAYS {
                held = Some(answer.summary);
                continue;
            }
            if goes_on {
                answer.unsettle(answer.summary.as_str().into());
            } else if let Some(held) = &held {
                established(&mut answer, held);
            }
            if answer.verdict == Verdict::Bug && answer.finals.is_some() {
                let message = format!(
                    "the final states are those with at most {}",
                    words::delays(delays)
                );
                answer.notes.push(Note::new(message, None));
            }
            for bound in &mut answer.bounds {
                if let NamedBound::Delays(delays) = bound {
                    *delays = None;
                }
            }
            return answer;
        }
        unreachable!("the last budget ends the loop")
    }

    /// A turn with all the time that is left, and no limit of work.
    fn to_the_end(&self) -> Turn {
        Turn::new(None, self.clock.left())
    }

    /// The limits of an engine that gets so much of the time.
    fn limits(&self, time: Duration) -> Limits {
        self.clock.limits(&self.options.limits, time)
    }

    /// The limits of the solver, whose clock starts with its work.
    fn solvers(&self, time: Duration) -> Limits {
        Limits {
            timeout: time,
            latest: None,
            ..self.limits(time)
        }
    }
}

/// Says whether the answer about all schedules settles the question within delays.
fn everywhere(mut answer: Answer) -> Came<Answer> {
    match answer.verdict {
        _ if answer.is_all_dropped()
            || answer.verdict == Verdict::Safe && answer.cut_by.is_empty() =>
        {
            answer.bounds.insert(0, NamedBound::Delays(None));
            Came::Answer(answer)
        }
        // The bug may need more delays than are allowed.
        Verdict::Bug => Came::Never,
        _ => later(&answer),
    }
}

/// Whether an execution comes to a place beyond which no engine follows it: then there is no proof.
pub(super) fn is_unfollowed(answer: &Answer) -> bool {
    matches!(&answer.verdict, Verdict::Inconclusive(why) if why.cause == Cause::Unfollowed)
}

/// Whether an execution makes more threads than have numbers: then only a proof may follow it.
pub(super) fn makes_more_threads(answer: &Answer) -> bool {
    matches!(&answer.verdict, Verdict::Inconclusive(why) if why.cause == Cause::Threads)
}

/// Adds to an answer that settles nothing what a smaller budget has settled.
fn established(answer: &mut Answer, held: &str) {
    if let Verdict::Inconclusive(reason) = &answer.verdict {
        answer.unsettle(reason.reworded(format!("{reason}; {held}")));
    }
}

/// Merges the answers of two engines if neither settles anything.
fn neither(mut solved: Answer, explored: &Answer) -> Answer {
    if let (Verdict::Inconclusive(reason), Verdict::Inconclusive(other)) =
        (&solved.verdict, &explored.verdict)
    {
        // The user can change open values, endless steps and the heap, so advice speaks of them first. If the explicit engine came
        // to a place that it cannot follow, asking it again does not help.
        let cause = match (&reason.cause, &other.cause) {
            (_, told @ (Cause::Open(..) | Cause::Endless | Cause::Heap)) => told,
            (Cause::Nothing, told @ Cause::Other) => told,
            (cause, _) => cause,
        };
        let words = match reason.words() == other.words() {
            true => reason.to_string(),
            false => format!("{reason}; the explicit engine: {other}"),
        };
        solved.lacks_heap |= solved.needs_heap() || explored.needs_heap();
        solved.unsettle(Reason::new(cause.clone(), words));
        solved.notes.extend_from_slice(&explored.notes);
    }
    solved
}
