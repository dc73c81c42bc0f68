//! Which engine answers a question about delays: the solver, the explicit machine, the one that fits, or both.
//!
//! Knows engines by what they are asked and what they answer, and nothing of their insides. Which one decides depends on
//! the program and on counted work, not on the clock, as long as one of them decides in time.

use std::time::Duration;

use answer::{Answer, Cause, NamedBound, Note, Reason, Verdict};
use base::clock::Instant;
use base::source::SourceMap;
use base::work;
use ir::Program;
use options::{EngineChoice, ExploreOptions, Limits, Scheduler, Strategy, Values, VerifyOptions};
use symbolic::{OPEN_WORK, explore};

use super::{agreement, closed, hide_handles, races, unbounded, verify, words};

/// Work that the explicit engine may do before the solver's turn, in states and steps.
const WORK: u64 = 400_000;

/// The same for all schedules: then nobody else answers quickly.
const WORK_IN_ALL: u64 = 40 * WORK;

/// The same where a step may be work without end.
const WORK_IN_STEPS: u64 = 4_000;

/// So many times the work is done for a bug within all delays, where fewer are not settled by it.
const MORE_WORK: u64 = 16;

/// The time of a first proof, before bugs are looked for that take longer.
const FIRST_PROOF: Duration = Duration::from_secs(2);

/// Z3 may stop that much too late, and then there is still an answer to be given.
const LATE: Duration = Duration::from_secs(1);

/// As good as no limit.
const FOREVER: Duration = Duration::from_secs(1 << 32);

/// The solver is not asked about more delays than these where any number is allowed.
const MOST_DELAYS: u32 = 1000;

/// The answer to a question about delays, by the engine that the options name.
#[must_use]
pub fn answer(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    if options.races {
        return races::in_all_schedules(program, sources, options);
    }
    let asked = Asked::new(program, sources, options);
    match options.engine {
        EngineChoice::Explicit => asked.explicit(None),
        EngineChoice::Auto => asked.fitting(),
        EngineChoice::Smt => asked.solver(asked.left()),
    }
}

/// All engines answer, the explicit one with values as numbers and as terms; a contradiction is a fault of ours and is said so.
#[must_use]
pub fn cross_check(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    let asked = Asked::new(program, sources, options);
    let numbers = asked.every_bug(Values::Numbers, None, asked.left() / 3);
    let terms = asked.every_bug(Values::Terms, Some(OPEN_WORK), asked.left() / 2);
    match agreement::of_values(numbers, terms) {
        Ok(explicit) => agreement::agreed(asked.solver(asked.left()), explicit),
        Err(contradiction) => *contradiction,
    }
}

/// What the explicit machine answers, with final states such as the solver can give. Those are all that there are: the
/// search for them goes on after the first bug, which is the one that is told.
#[must_use]
pub fn explored(program: &Program, options: &ExploreOptions) -> Answer {
    hide_handles::of_answer(program, explore(program, options))
}

/// What the explicit machine finds, as the solver would tell it: a deadlock only where no check fails.
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
    if whole.bugs.is_empty() { answer } else { whole }
}

/// A question, and until when it is to be answered.
struct Asked<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    options: &'a VerifyOptions,
    end: Instant,
}

impl<'a> Asked<'a> {
    fn new(program: &'a Program, sources: &'a SourceMap, options: &'a VerifyOptions) -> Self {
        let limits = &options.limits;
        let end = limits.end().unwrap_or_else(|| Instant::now() + FOREVER);
        Self {
            program,
            sources,
            options,
            end,
        }
    }

    /// The time that is left.
    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    fn is_over(&self) -> bool {
        work::stopping() || self.left().is_zero()
    }

    /// The explicit engine for so much work: it follows any values, as numbers as long as nothing depends on them; then the
    /// solver; then, where that has nothing but bounds to say, invariants; then whatever the explicit engine can do in the time
    /// that is left.
    fn fitting(&self) -> Answer {
        let open = closed::is_open(self.program);
        let endless = closed::has_endless_step(self.program);
        let many_ways = endless || closed::may_choose_endlessly(self.program);
        let any_number =
            closed::posts_without_bound(self.program) && (self.options.any_delays || many_ways);
        if any_number && let Some(answer) = self.of_any_number(endless, many_ways) {
            return answer;
        }
        if !endless || self.options.any_delays {
            let work = match (endless, self.options.any_delays) {
                (true, _) => WORK_IN_STEPS,
                (false, true) => WORK_IN_ALL,
                (false, false) => WORK,
            };
            let answer = self.explicit(Some(work));
            if answer.is_settled() || self.is_over() {
                return answer;
            }
        }
        if self.options.any_delays
            && !any_number
            && let Some(proved) = self.proved(self.left())
        {
            return proved;
        }
        let share = if open {
            2 * self.left() / 3
        } else {
            self.left() / 2
        };
        let solved = self.solver(share);
        let part = if open { 3 } else { 2 };
        let end = Instant::now() + part * self.left().saturating_sub(LATE) / 4;
        let solved = unbounded::unbounded(self.program, self.sources, self.options, solved, end);
        if solved.is_settled() || self.is_over() {
            return solved;
        }
        let explored = self.explicit(None);
        if explored.is_settled() {
            return explored;
        }
        if open && !self.options.any_delays {
            let everywhere = self.every_schedule(None);
            if everywhere.verdict == Verdict::Safe {
                return everywhere;
            }
        }
        neither(solved, &explored)
    }

    /// That no check fails in any schedule, if that is proved in half of this time.
    fn proved(&self, time: Duration) -> Option<Answer> {
        let end = self.end.min(Instant::now() + time);
        unbounded::proved(self.program, self.sources, self.options, end)
    }

    /// The explicit machine decides, within so much work.
    fn explicit(&self, most: Option<u64>) -> Answer {
        if self.options.any_delays {
            return self.every_schedule(most);
        }
        let mut answer = self.within(self.options.delays_from, most);
        for delays in self.options.delays_from + 1..=self.options.delays_to {
            if answer.verdict != Verdict::Safe || !answer.budget_spent {
                break;
            }
            let before = answer.summary;
            answer = self.within(delays, most);
            established(&mut answer, &before);
        }
        if answer.is_settled() {
            return answer;
        }
        self.bug_within_all(most).unwrap_or(answer)
    }

    /// The answer for a program with any number of tasks, if one is found soon. Of these the explicit engine can only find
    /// bugs, and it finds those with few tasks soon; but a step that goes on and on with other choices is never done.
    fn of_any_number(&self, endless: bool, many_ways: bool) -> Option<Answer> {
        if endless || !many_ways {
            let work = if endless { WORK_IN_STEPS } else { WORK };
            let answer = self.explicit(Some(work));
            if answer.is_settled() || self.is_over() {
                return Some(answer);
            }
        }
        self.proved(FIRST_PROOF.min(self.left() / 3))
            .or_else(|| self.bug_with_few_tasks())
            .or_else(|| self.proved(2 * self.left() / 3))
    }

    /// A bug with few tasks, where there may be any number: the solver's, in a part of the time. A proof is tried shortly before
    /// this and at length after it. A program with a bug has no proof, so that the order decides about time only.
    fn bug_with_few_tasks(&self) -> Option<Answer> {
        if self.options.finals || self.is_over() {
            return None;
        }
        let solved = self.solver(self.left() / 8);
        (solved.verdict == Verdict::Bug).then_some(solved)
    }

    /// A bug within all delays that are allowed. Any number of tasks makes executions without delays that never end, and
    /// fewer delays are then never settled; but with more of them there may soon be a bug.
    fn bug_within_all(&self, most: Option<u64>) -> Option<Answer> {
        let most = most?.saturating_mul(MORE_WORK);
        let wanted = self.options.delays_to > self.options.delays_from
            && !self.options.finals
            && !self.is_over()
            && closed::posts_without_bound(self.program);
        if !wanted {
            return None;
        }
        let found = self.within(self.options.delays_to, Some(most));
        (found.verdict == Verdict::Bug).then_some(found)
    }

    /// The explicit machine decides within a budget of delays.
    fn within(&self, delays: u32, most: Option<u64>) -> Answer {
        work::enter_part(&format!("{}: exploring", words::delays(delays)));
        let mut answer = told(self.program, &self.as_exploration(Some(delays), most));
        if answer.verdict == Verdict::Safe && answer.cut_by.is_empty() {
            answer.summary = words::uncut(delays, answer.budget_spent);
        }
        answer
    }

    /// The explicit machine decides about all schedules: those of the bag. Where there is a limit of work, one execution
    /// of each trace is tried as well.
    fn every_schedule(&self, most: Option<u64>) -> Answer {
        work::enter_part("all schedules: exploring");
        let stateful = self.as_exploration(None, most);
        let mut answer = told(self.program, &stateful);
        if most.is_some() && !answer.is_settled() && !self.is_over() {
            // An input may say how many tasks there are: then the first execution is endless, and each step of it takes longer.
            let time = if closed::is_open(self.program) {
                self.left() / 8
            } else {
                self.left()
            };
            let dpor = ExploreOptions {
                strategy: Strategy::Dpor,
                limits: self.limits(time),
                ..self.as_exploration(None, most.map(|work| work.min(WORK)))
            };
            let reduced = told(self.program, &dpor);
            answer = if reduced.is_settled() {
                reduced
            } else {
                answer
            };
        }
        answer.bounds.insert(0, NamedBound::Delays(None));
        answer
    }

    /// The question for the explicit engine: that scheduler, delayed within the budget; or the bag, which runs tasks in
    /// any order.
    fn as_exploration(&self, delays: Option<u32>, most: Option<u64>) -> ExploreOptions {
        let scheduler = delays.map_or(Scheduler::Bag, |_| self.options.scheduler);
        ExploreOptions {
            scheduler,
            delays,
            finals: self.options.finals,
            // Where others may answer without a bound, one settles nothing.
            unroll: most.is_none().then_some(self.options.unroll),
            limits: self.limits(self.left()),
            work: most,
            ..ExploreOptions::default()
        }
    }

    /// What the explicit machine finds if it goes on after the first bug.
    fn every_bug(&self, values: Values, work: Option<u64>, time: Duration) -> Answer {
        let delays = (!self.options.any_delays).then_some(self.options.delays_to);
        let asked = ExploreOptions {
            all: true,
            values,
            limits: self.limits(time),
            ..self.as_exploration(delays, work)
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
                let reason = format!("more delays may show more; {}", answer.summary);
                answer.unsettle(reason.into());
            } else if let Some(held) = &held {
                established(&mut answer, held);
            }
            if answer.verdict == Verdict::Bug && answer.finals.is_some() {
                let message = format!(
                    "the final states are those with at most {}",
                    words::delays(delays)
                );
                answer.notes.push(Note {
                    message,
                    span: None,
                });
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

    /// The limits of an engine that gets so much of the time.
    fn limits(&self, time: Duration) -> Limits {
        Limits {
            latest: Some(self.end.min(Instant::now() + time)),
            ..self.options.limits
        }
    }

    /// The limits of the solver, whose clock starts with its work.
    fn solvers(&self, time: Duration) -> Limits {
        Limits {
            timeout: time,
            latest: None,
            ..self.options.limits
        }
    }
}

/// Says of an answer that settles nothing what is known from a smaller budget.
fn established(answer: &mut Answer, held: &str) {
    if let Verdict::Inconclusive(reason) = &answer.verdict {
        answer.unsettle(reason.reworded(format!("{reason}; {held}")));
    }
}

/// The answer where no engine has one.
fn neither(mut solved: Answer, explored: &Answer) -> Answer {
    if let (Verdict::Inconclusive(reason), Verdict::Inconclusive(other)) =
        (&solved.verdict, &explored.verdict)
    {
        // A value that may be anything is what the user can change.
        let cause = match &other.cause {
            open @ Cause::Open(..) => open,
            _ => &reason.cause,
        };
        let words = format!("{reason}; the explicit engine: {other}");
        solved.unsettle(Reason::new(cause.clone(), words));
        solved.notes.extend_from_slice(&explored.notes);
    }
    solved
}
