//! Verification, the pipeline: for each number of delays the program is given [probes](ir::passes::probe), made sequential,
//! unrolled and decided; a counterexample is mapped back and replayed before anybody sees it.

pub mod advice;
mod agreement;
mod closed;
pub mod declarations;
pub mod engines;
mod glance;
mod hide_handles;
mod orders;
mod plan;
mod proof;
#[cfg_attr(not(feature = "z3"), path = "without_proofs.rs")]
pub mod proofs;
pub mod races;
pub mod road;
mod unbounded;
mod vacuity;
mod wander;
mod words;

use std::time::Duration;

use answer::{
    Answer, Cause, Counted, CutBy, Engine, Figure, Measured, NamedBound, Note, Reason, Verdict,
};
use base::clock::Instant;
use base::source::{SourceMap, Span};
use base::stack::on_big_stack;
use base::work;
use ir::passes;
use ir::{Program, Value};
use options::{Limits, VerifyOptions};
use semantics::limits;
use seq::map::{Map, SeqEvent};
use seq::{Budget, can_wait, sequentialize};
use smt::decide::{Bound, Decided, NoAnswer, Place, Question, SeqVerdict, decide, script};
use smt::limit::{Which, late};
use trace::Bug;
use trace::{Bounds, replay, shrunk};

/// Decides whether a program has a bug within the bounds.
#[must_use]
pub fn verify(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    on_big_stack(|| Verification::new(program, sources, options).run())
}

/// The verification condition for the greatest number of delays, as SMT-LIB 2.
///
/// # Errors
/// When there is none, with the reason.
pub fn emit_smt(
    file: &str,
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
) -> Result<String, NoAnswer> {
    on_big_stack(|| {
        let delays = options.delays_to;
        let sequential = sequentialize(
            &passes::probe::with_limits(program),
            Budget::new(delays, None),
            options.scheduler,
        );
        let question = Verification::new(program, sources, options).question(&sequential.map);
        let comment = [
            format!(
                "{file}: satisfiable if and only if a check fails with at most {},",
                words::delays(delays)
            ),
            format!(
                "loops, recursion and chains of tasks unrolled {} times.",
                options.unroll
            ),
        ];
        script(&sequential.program, &question, &comment)
    })
}

struct Verification<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    options: &'a VerifyOptions,
    /// Whether a task can be blocked, so that rounds matter.
    waits: bool,
    begin: Instant,
    spent: Spent,
}

#[derive(Default)]
struct Spent {
    encode: Duration,
    solve: Duration,
    terms: u64,
}

impl<'a> Verification<'a> {
    fn new(program: &'a Program, sources: &'a SourceMap, options: &'a VerifyOptions) -> Self {
        Self {
            program,
            sources,
            options,
            waits: can_wait(program),
            begin: Instant::now(),
            spent: Spent::default(),
        }
    }

    /// Settles one number of delays after the other, and for each of them one number of rounds after the other.
    fn run(mut self) -> Answer {
        let probed = passes::probe::with_limits(self.program);
        let mut settled: Option<Answer> = None;
        for delays in self.options.delays_from..=self.options.delays_to {
            let answer = self.within(delays, &probed);
            let answer = self.with_budget(answer, delays);
            if let (Verdict::Inconclusive(reason), Some(before)) = (&answer.verdict, &settled) {
                let reason = reason.reworded(format!("{reason}; {}", before.summary));
                return self.unknown(answer.bounds, reason);
            }
            let goes_on = answer.verdict == Verdict::Safe && answer.budget_spent;
            if !goes_on || delays == self.options.delays_to {
                return answer;
            }
            settled = Some(answer);
        }
        let bounds = self.bounds(Budget::new(self.options.delays_to, None));
        self.unknown(bounds, "the range of delays is empty".into())
    }

    /// Says whether more delays may show more. The solver knows that they cannot if nothing is dispatched; else a glance tells.
    fn with_budget(&self, mut answer: Answer, delays: u32) -> Answer {
        match &answer.verdict {
            Verdict::Safe => {}
            Verdict::Inconclusive(why) if why.cause == Cause::Nothing => {}
            _ => return answer,
        }
        let limits = Limits {
            latest: Some(self.begin + self.options.limits.timeout),
            ..self.options.limits
        };
        answer.budget_spent =
            answer.budget_spent && glance::budget_spent(self.program, self.options, limits, delays);
        if answer.exhaustive {
            answer.summary.push_str(words::more(answer.budget_spent));
        }
        answer
    }

    /// The answer for a number of delays. Waiting tasks get more rounds until none needs another.
    fn within(&mut self, delays: u32, probed: &Program) -> Answer {
        let mut settled: Option<Answer> = None;
        for rounds in self.rounds(delays) {
            work::enter_part(&words::delays(delays));
            let (answer, cut) = self.in_rounds(Budget { delays, rounds }, probed);
            let answer = match (&answer.verdict, settled) {
                // A bug that was found with fewer rounds stands. If none was found, that is no verdict: a bug may need more rounds.
                (Verdict::Inconclusive(reason), Some(mut before)) if !cut => {
                    if before.verdict == Verdict::Bug {
                        let message = format!("with {rounds} rounds: {reason}");
                        before.notes.push(Note::new(message, None));
                        return before;
                    }
                    let words = format!("with {rounds} rounds, {reason}; {}", before.summary);
                    let reason = reason.reworded(words);
                    let mut answer = answer;
                    answer.notes = before.notes;
                    answer.unsettle(reason);
                    return answer;
                }
                // The first bug stays; more rounds only add final states.
                (_, Some(before)) if before.verdict == Verdict::Bug => with_later(before, answer),
                _ => answer,
            };
            if !cut {
                return answer;
            }
            settled = Some(answer);
        }
        let mut answer = settled.expect("there is a number of rounds to try");
        if answer.verdict == Verdict::Bug {
            let message = "final states of executions that need more rounds are not listed";
            answer.notes.push(Note::new(message, None));
        }
        answer
    }

    /// How many rounds to try, one number after the other. Few are enough for most programs, and cost less.
    fn rounds(&self, delays: u32) -> Vec<u32> {
        let least = delays.saturating_add(1);
        if !self.waits {
            return vec![least];
        }
        let most = Budget::new(delays, self.options.rounds).rounds;
        let more = (0..u32::BITS).map(|i| delays.saturating_add(1 << i));
        let fewer = more.take_while(|&rounds| rounds < most);
        fewer.chain([most]).collect()
    }

    /// The answer for a number of delays and of rounds, and whether more rounds may add to it.
    fn in_rounds(&mut self, budget: Budget, probed: &Program) -> (Answer, bool) {
        let sequential = sequentialize(probed, budget, self.options.scheduler);
        let map = &sequential.map;
        let question = self.question(map);
        let mut decided = decide(&sequential.program, &question);
        self.spend(&decided);
        let bounds = self.bounds(budget);
        let answer = match &decided.verdict {
            SeqVerdict::Bug { events } => self.bug(bounds, map, events),
            SeqVerdict::Unknown(reason) => {
                return (self.unknown(bounds, reason.clone()), false);
            }
            SeqVerdict::Safe { cuts } => {
                let cuts = Cuts::new(cuts, vacuity::waiting(map, &decided.waiting, self.sources));
                let mut safe = self.safe(budget, &cuts, !decided.passed);
                // If rounds were cut off, more rounds may reach more. If no execution ended, the answer says that instead.
                if !cuts.rounds && decided.ended == Some(true) {
                    let unreached = &decided.unreached;
                    (safe.notes).extend(vacuity::notes(map, &question.wanted, unreached));
                }
                ended(safe, decided.ended, late(question.deadline))
            }
        };
        let cut = answer.cut_by.contains(&CutBy::Rounds) || decided.finals_cut;
        (self.with_finals(answer, decided.finals.take()), cut)
    }

    fn question(&self, map: &Map) -> Question {
        let globals = self.program.globals.iter().zip(&map.finals);
        let visible = globals.filter(|(global, _)| global.is_final());
        Question {
            unroll: self.options.unroll,
            deadline: self.begin + self.options.limits.timeout,
            memory: self.options.limits.room(),
            finals: self.options.finals.then(|| {
                visible
                    .map(|(_, place)| (place.global, place.field))
                    .collect()
            }),
            wanted: vacuity::wanted(map, self.sources),
            watched: vacuity::dispatches(map),
            last_round: vacuity::last_round(map),
            waits: vacuity::waits(map),
            solver: self.options.solver.clone(),
        }
    }

    /// Adds the final states, or a remark why there are none.
    fn with_finals(
        &self,
        mut answer: Answer,
        finals: Option<Result<Vec<Vec<Value>>, String>>,
    ) -> Answer {
        match finals {
            None => {}
            Some(Ok(states)) => answer.finals = Some(hide_handles::hidden(self.program, states)),
            Some(Err(reason)) => {
                let message = format!("the final states are not listed: {reason}");
                answer.notes.push(Note::new(message, None));
            }
        }
        answer.took(self.begin.elapsed());
        answer
    }

    fn spend(&mut self, decided: &Decided) {
        self.spent.encode += decided.encode;
        self.spent.solve += decided.solve;
        self.spent.terms = self.spent.terms.max(decided.terms);
    }

    fn safe(&self, budget: Budget, cuts: &Cuts, undelayed: bool) -> Answer {
        let scope = &self.program.scope;
        let summary = words::safe(budget, self.options.unroll, cuts, scope, self.sources);
        let unrolled = cuts.unrolled.iter().map(|cut| {
            let why = scope.cut_at(cut.span).map(str::to_owned);
            let what = why.unwrap_or_else(|| words::cut(*cut, scope));
            (what, scope.told_at(cut.span))
        });
        let waiting = (cuts.waiting.iter()).map(|&span| (words::waits_longer(), span));
        let places = unrolled.chain(waiting);
        Answer {
            notes: places
                .map(|(message, span)| Note::new(message, span))
                .collect(),
            lacks_heap: (cuts.unrolled.iter())
                .any(|cut| scope.cut(cut.span).is_some_and(|c| c.heap)),
            exhaustive: cuts.names().is_empty(),
            budget_spent: !undelayed,
            cut_by: cuts.names(),
            ..self.with(self.bounds(budget), Verdict::Safe, summary)
        }
    }

    fn unknown(&self, bounds: Vec<NamedBound>, reason: Reason) -> Answer {
        let words = reason.to_string();
        self.with(bounds, Verdict::Inconclusive(reason), words)
    }

    /// Answers with a counterexample, if the machine can replay it.
    fn bug(&self, bounds: Vec<NamedBound>, map: &Map, events: &[SeqEvent]) -> Answer {
        match self.replayed(map, events) {
            Ok(bug) => {
                let spent = bug.trace.schedule.delays();
                let summary = format!("a bug with {}", words::delays(spent));
                Answer {
                    bugs: vec![bug],
                    ..self.with(bounds, Verdict::Bug, summary)
                }
            }
            Err(reason) => self.unknown(bounds, reason.into()),
        }
    }

    fn replayed(&self, map: &Map, events: &[SeqEvent]) -> Result<Bug, String> {
        let unshown = |reason: String| limits::unshown("the solver's counterexample", &reason);
        let schedule = (map.schedule(events))
            .map_err(|e| unshown(format!("it is no schedule of the program: {e}")))?;
        let (_, bug) = replay(self.program, self.options.scheduler, &schedule).map_err(unshown)?;
        let bug = bug.ok_or_else(|| unshown("it does not fail".to_owned()))?;
        let (scheduler, bounds) = (self.options.scheduler, Bounds::default());
        Ok(shrunk(self.program, scheduler, bounds, bug))
    }

    fn bounds(&self, budget: Budget) -> Vec<NamedBound> {
        let mut bounds = vec![
            NamedBound::Delays(Some(budget.delays)),
            NamedBound::Unroll(Some(self.options.unroll)),
        ];
        bounds.extend(self.waits.then_some(NamedBound::Rounds(budget.rounds)));
        bounds.push(NamedBound::Scheduler(self.options.scheduler));
        bounds
    }

    fn with(&self, bounds: Vec<NamedBound>, verdict: Verdict, summary: String) -> Answer {
        Answer {
            bounds,
            stats: vec![
                Figure::seconds(self.begin.elapsed()),
                Figure::Real(Measured::Encode, self.spent.encode.as_secs_f64()),
                Figure::Real(Measured::Solve, self.spent.solve.as_secs_f64()),
                Figure::Count(Counted::Terms, self.spent.terms),
            ],
            ..Answer::new(Engine::Smt, verdict, summary)
        }
    }
}

/// What bounds cut off of a safe verdict.
struct Cuts {
    /// Loops and procedures that were unrolled no further.
    unrolled: Vec<Place>,
    /// Whether tasks need more rounds.
    rounds: bool,
    /// Where the tasks wait that need more rounds.
    waiting: Vec<Span>,
}

impl Cuts {
    fn new(all: &[Place], waiting: Vec<Span>) -> Self {
        let of_rounds = |cut: &&Place| cut.bound == Bound::Rounds;
        Self {
            unrolled: all.iter().filter(|cut| !of_rounds(cut)).copied().collect(),
            rounds: all.iter().any(|cut| of_rounds(&cut)),
            waiting,
        }
    }

    fn names(&self) -> Vec<CutBy> {
        let unroll = (!self.unrolled.is_empty()).then_some(CutBy::Unroll);
        unroll
            .into_iter()
            .chain(self.rounds.then_some(CutBy::Rounds))
            .collect()
    }
}

/// Keeps a safe answer only if an execution was followed to its end. `late`: the limit that may have kept the solver from knowing.
fn ended(mut safe: Answer, ended: Option<bool>, late: Option<Which>) -> Answer {
    let reason = match ended {
        Some(true) => return safe,
        Some(false) => Reason::nothing_ended(),
        None => words::end_not_known(late),
    };
    safe.exhaustive = false;
    safe.unsettle(reason);
    safe
}

/// Adds the later answer's final states to an earlier bug, or the notes that say why they are not listed.
fn with_later(before: Answer, later: Answer) -> Answer {
    let mut notes = before.notes.clone();
    if later.finals.is_none() {
        let new = later
            .notes
            .into_iter()
            .filter(|n| !before.notes.contains(n));
        notes.extend(new);
    }
    Answer {
        lacks_heap: before.lacks_heap || later.lacks_heap,
        finals: later.finals,
        notes,
        ..before
    }
}
