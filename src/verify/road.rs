//! The road from a question to its answer. Every front end takes it: the library, the command line, the playground and the
//! editor, with one process or several. What it adds to an engine's answer is in every answer:
//!
//! 1. the claims of objects are proved, before an engine relies on one; a false one is the answer;
//! 2. an engine answers, or several in turns;
//! 3. what the program's [scope](ir::Scope) leaves out is said: narrowed values, parts of the property;
//! 4. a verdict that a bound has cut is refused, if only others are wanted;
//! 5. advice stands where nothing was settled;
//! 6. the remarks on claims follow, and whether each `cover` is reached;
//! 7. if only a part of the search was asked for, the answer is about that part.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt::Write as _;

use answer::{Answer, Cause, CutBy, Engine, NamedBound, Note, Reach, Verdict};
use base::source::{SourceMap, Span};
use base::stack::on_big_stack;
use base::work;
use ir::{ErrorKind, Program};
use options::{
    EngineChoice, ExploreOptions, Limits, ProveOptions, Scheduler, Sought, VerifyOptions,
};

use super::declarations::{self, Proofs};
use super::engines::Clock;
use super::{advice, engines, hide_handles, orders, proof, races, words};

/// What is asked of a program.
#[derive(Clone, Debug)]
pub enum Question {
    /// Whether it fails with so many delays.
    Delays(VerifyOptions),
    /// Whether it fails under a scheduler.
    Schedules(ExploreOptions),
    /// Whether there is a proof that it never fails, or a bug.
    Proof(ProveOptions),
}

/// The program that a question is about.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub program: &'a Program,
    pub sources: &'a SourceMap,
    /// Makes the program in which nothing fails but the `cover` at a place.
    pub covers: &'a dyn Fn(Span) -> Option<Program>,
}

/// A search of schedules: by this process alone, or together with others.
pub type Search<'s, E> = dyn FnMut(&Program, &ExploreOptions) -> Result<Answer, E> + 's;

#[must_use]
pub fn ask(question: &Question, target: &Target<'_>) -> Answer {
    let Ok(answer) = ask_with::<Infallible>(question, target, None);
    answer
}

/// Answers. `search` searches the schedules in the place of this process.
///
/// # Errors
/// When the search has no answer.
pub fn ask_with<E>(
    question: &Question,
    target: &Target<'_>,
    search: Option<&mut Search<'_, E>>,
) -> Result<Answer, E> {
    let (program, proofs) = question.claims(target.program, target.sources);
    if let Some(refuted) = proofs.answer(question.engine(), question.wants_all()) {
        return Ok(refuted);
    }
    if question.looks_for_races()
        && let Some(at) = program.scope.exclusive
    {
        let line = target.sources.line(at);
        let why = format!(
            "data races cannot be looked for beside the atomic section at line {line}: write it as one block that does not wait"
        );
        return Ok(Answer::inconclusive(question.engine(), why.into()));
    }
    let asked = Target {
        program: &program,
        ..*target
    };
    let mut answer = question.finished(&asked, question.engines(&asked, search)?);
    answer.notes.extend(proofs.unproved);
    if let Some(cover) = program.scope.cover {
        asks_cover(&mut answer, target.sources.line(cover));
    }
    asks_only(&mut answer, &program.scope.only);
    question.tell_covers(&mut answer, &asked);
    Ok(question.about_a_part(answer))
}

impl Question {
    /// The engine that answers, as far as that is known before.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match self {
            Self::Delays(options) if options.engine != EngineChoice::Explicit => Engine::Smt,
            Self::Proof(_) => Engine::Smt,
            Self::Delays(_) | Self::Schedules(_) => Engine::Explicit,
        }
    }

    /// The scheduler whose executions an answer speaks of.
    #[must_use]
    pub fn scheduler_of(&self, answer: &Answer) -> Scheduler {
        let asked = match self {
            Self::Delays(options) => options.scheduler,
            Self::Schedules(options) => options.scheduler,
            Self::Proof(_) => Scheduler::Bag,
        };
        answer.scheduler().unwrap_or(asked)
    }

    #[must_use]
    pub fn limits(&self) -> Limits {
        match self {
            Self::Delays(options) => options.limits,
            Self::Schedules(options) => options.limits,
            Self::Proof(options) => options.limits,
        }
    }

    /// The limits, to be changed.
    pub fn limits_mut(&mut self) -> &mut Limits {
        match self {
            Self::Delays(options) => &mut options.limits,
            Self::Schedules(options) => &mut options.limits,
            Self::Proof(options) => &mut options.limits,
        }
    }

    fn looks_for_races(&self) -> bool {
        match self {
            Self::Delays(_) => false,
            Self::Schedules(options) => options.sought == Sought::Races,
            Self::Proof(options) => options.races,
        }
    }

    fn wants_all(&self) -> bool {
        matches!(self, Self::Schedules(options) if options.all)
    }

    fn requires_exhaustive(&self) -> bool {
        match self {
            Self::Delays(options) => options.require_exhaustive,
            Self::Schedules(options) => options.require_exhaustive,
            Self::Proof(_) => false,
        }
    }

    /// The program with the claims that are proved, and what came of them.
    fn claims<'p>(&self, program: &'p Program, sources: &SourceMap) -> (Cow<'p, Program>, Proofs) {
        let mut program = Cow::Borrowed(program);
        if program.declared.is_empty() {
            return (program, Proofs::default());
        }
        work::enter("proving the declarations of objects");
        let proofs = declarations::prove(program.to_mut(), sources, &self.limits());
        (program, proofs)
    }

    fn engines<E>(
        &self,
        target: &Target<'_>,
        mut search: Option<&mut Search<'_, E>>,
    ) -> Result<Answer, E> {
        let (program, sources) = (target.program, target.sources);
        let clock = Clock::new(&self.limits());
        let answer = match self {
            Self::Delays(options) if options.cross_check => {
                on_big_stack(|| engines::cross_check(program, sources, options))
            }
            Self::Delays(options) => {
                let answer = on_big_stack(|| engines::answer(program, sources, options));
                speaks_of_every_schedule(options, answer)
            }
            Self::Schedules(options) => {
                let mut look = |options: &ExploreOptions| match &mut search {
                    None => Ok(engines::schedules(program, options)),
                    Some(search) => match engines::at_first(program, options) {
                        Some(answer) => Ok(answer),
                        None => search(program, options),
                    },
                };
                let answer = match options.sought {
                    Sought::Races => races::races(program, sources, options),
                    _ => races::by_default(program, options, &mut look)?,
                };
                let answer = engines::or_with_few_tasks(program, (&clock, options), answer);
                let answer = races::beside_states(program, sources, (&clock, options), answer);
                hide_handles::of_answer(program, answer)
            }
            Self::Proof(options) => on_big_stack(|| {
                let answer = proof::answer(program, sources, options);
                let (limits, time) = (&options.limits, clock.for_races());
                races::beside(program, sources, (&clock, limits), time, answer)
            }),
        };
        let mut answer = orders::settle(program, (&clock, &self.limits()), answer);
        // An engine whose turn ended before the interrupt says that its time ran out.
        if work::stopping()
            && matches!(&answer.verdict, Verdict::Inconclusive(r) if r.cause == Cause::Time)
        {
            answer.unsettle(work::INTERRUPTED.into());
        }
        answer.took(clock.begin.elapsed());
        Ok(answer)
    }

    /// The answer as the question wants it.
    fn finished(&self, target: &Target<'_>, answer: Answer) -> Answer {
        let mut answer = answer.within(&target.program.scope);
        races::name_what_was_not_looked_for(target.program, &mut answer);
        orders::say(target.program, target.sources, &mut answer);
        if self.requires_exhaustive() {
            answer = answer.require_exhaustive();
        }
        advice::give(self, target, &mut answer);
        answer
    }

    /// If only a part of the search was asked for, makes the answer one about that part. Up to here it is about the whole search.
    fn about_a_part(&self, answer: Answer) -> Answer {
        match self {
            Self::Schedules(options) if let Some(shard) = options.shard => {
                let part = answer.of_part(shard);
                match options.require_exhaustive {
                    true => part.require_exhaustive(),
                    false => part,
                }
            }
            _ => answer,
        }
    }

    /// Says beside a verdict without bug which `cover` is reached.
    fn tell_covers(&self, answer: &mut Answer, target: &Target<'_>) {
        if !matches!(answer.verdict, Verdict::Safe | Verdict::Proved) || answer.asks_cover {
            return;
        }
        for &(span, _) in &target.program.covers {
            if work::stopping() {
                return;
            }
            let Some(program) = (target.covers)(span) else {
                continue;
            };
            work::enter("looking for an execution of each `cover`");
            // A false claim would already have been the answer.
            let (program, _) = self.claims(&program, target.sources);
            let asked = Target {
                program: &program,
                ..*target
            };
            let Ok(found) = self.engines::<Infallible>(&asked, None);
            let found = found.within(&program.scope);
            let (reached, words) = covered(&found, target.sources.line(span));
            answer.notes.push(Note::new(words, span).on(reached));
        }
    }
}

/// Says of the solver's verdict that it is about all schedules, if these were asked about. The solver knows it from a number of
/// delays that none spends.
fn speaks_of_every_schedule(options: &VerifyOptions, mut answer: Answer) -> Answer {
    let every = answer.verdict == Verdict::Safe && answer.exhaustive && !answer.budget_spent;
    if options.any_delays && every && answer.engine == Engine::Smt {
        words::EVERY_SCHEDULE.clone_into(&mut answer.summary);
    }
    answer
}

/// What is said of the `cover` in a line.
fn covered(found: &Answer, line: u32) -> (Reach, String) {
    match &found.verdict {
        Verdict::Bug => (
            Reach::Yes,
            format!("covered: `--cover {line}` shows an execution"),
        ),
        Verdict::Safe | Verdict::Proved => {
            let (reached, which) = looked_at(found);
            let ever = match reached {
                Reach::No => "never",
                _ => "not",
            };
            let words =
                format!("{ever} covered: no execution{which} reaches it with the condition true");
            (reached, words)
        }
        Verdict::Inconclusive(reason) => (
            Reach::Unknown,
            format!("it is not known whether this is covered: {reason}"),
        ),
    }
}

/// Which executions do not come to a `cover` if a search has found none, in words that follow `no execution`.
fn looked_at(found: &Answer) -> (Reach, &'static str) {
    let chance = [CutBy::Runs, CutBy::Compact];
    if found.cut_by.iter().any(|by| chance.contains(by)) {
        (Reach::NotSeen, " that was looked at")
    } else if found.exhaustive && !found.budget_spent {
        (Reach::No, "")
    } else {
        (Reach::NotSeen, " within the bounds")
    }
}

/// Says of an answer what was looked for, if that was not everything.
fn asks_only(answer: &mut Answer, properties: &[&'static str]) {
    if properties.is_empty() {
        return;
    }
    let only = NamedBound::Property(properties.to_vec());
    answer.bounds.insert(0, only);
    if matches!(answer.verdict, Verdict::Safe | Verdict::Proved) {
        let names = properties.join(",");
        let _ = write!(answer.summary, "; only --property {names} was looked for");
    }
}

/// Makes the answer one to the question about the `cover` in a line.
pub fn asks_cover(answer: &mut Answer, line: u32) {
    let reached = answer.bugs.first().map(|bug| bug.kind);
    match (&answer.verdict, reached) {
        (Verdict::Bug, Some(ErrorKind::Cover)) => {
            answer.summary = format!("an execution reaches line {line} with the condition true");
        }
        (Verdict::Safe | Verdict::Proved, _) => {
            let (looked, (_, which)) = (&answer.summary, looked_at(answer));
            answer.summary = format!(
                "no execution{which} reaches line {line} with the condition true; the search: {looked}"
            );
        }
        _ => return,
    }
    answer.asks_cover = true;
}
