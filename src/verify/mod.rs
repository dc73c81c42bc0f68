//! Verification, the pipeline: for each number of delays the program is given [probes](probe), made sequential,
//! unrolled and decided; a counterexample is mapped back and replayed before anybody sees it.

pub mod declarations;
pub mod engines;
mod handles;
mod probe;
mod vacuity;
mod words;

use std::time::{Duration, Instant};

use crate::answer::{Answer, Bug, Engine, Figure, Note, Verdict};
use crate::ir::{Program, Value};
use crate::options::{Scheduler, VerifyOptions};
use crate::seq::map::{Map, SeqEvent};
use crate::seq::sequentialize;
use crate::smt::decide::{Decided, Place, Question, SeqVerdict, decide, script};
use crate::source::SourceMap;
use crate::stack::on_big_stack;
use crate::trace::{Bounds, replay, shrunk};
use crate::work;

/// Decides whether a program has a bug within the bounds.
#[must_use]
pub fn verify(program: &Program, sources: &SourceMap, options: &VerifyOptions) -> Answer {
    on_big_stack(|| Verification::new(program, sources, options).run())
}

/// The verification condition for the greatest number of delays, as SMT-LIB 2.
///
/// # Errors
/// When there is none, with the reason in words.
pub fn emit_smt(
    file: &str,
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
) -> Result<String, String> {
    on_big_stack(|| {
        let delays = options.delays_to;
        let sequential = sequentialize(&probe::with_limits(program), delays, options.scheduler);
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
    begin: Instant,
    spent: Spent,
}

/// What everything took.
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
            begin: Instant::now(),
            spent: Spent::default(),
        }
    }

    fn run(mut self) -> Answer {
        let probed = probe::with_limits(self.program);
        let mut last = None;
        for delays in self.options.delays_from..=self.options.delays_to {
            work::enter_part(&words::delays(delays));
            let sequential = sequentialize(&probed, delays, self.options.scheduler);
            let map = &sequential.map;
            let question = self.question(map);
            let decided = decide(&sequential.program, &question);
            self.spend(&decided);
            match &decided.verdict {
                SeqVerdict::Bug { events } => {
                    let bug = self.bug(delays, map, events);
                    return self.with_finals(bug, decided.finals);
                }
                SeqVerdict::Unknown(reason) => return self.unknown(delays, reason, last),
                SeqVerdict::Safe { cuts } => {
                    let mut safe = self.safe(delays, cuts, !decided.passed);
                    safe.notes
                        .extend(vacuity::notes(map, &question.wanted, &decided.unreached));
                    let summary = safe.summary.clone();
                    last = Some(summary);
                    if delays == self.options.delays_to || (!decided.passed && cuts.is_empty()) {
                        return self.with_finals(safe, decided.finals);
                    }
                }
            }
        }
        self.unknown(self.options.delays_to, "the range of delays is empty", last)
    }

    fn question(&self, map: &Map) -> Question {
        let globals = self.program.globals.iter().zip(&map.finals);
        let visible = globals.filter(|(global, _)| global.is_final());
        Question {
            unroll: self.options.unroll,
            deadline: self.begin + self.options.limits.timeout,
            memory: self.options.limits.memory,
            finals: self.options.finals.then(|| {
                visible
                    .map(|(_, place)| (place.global, place.field))
                    .collect()
            }),
            wanted: vacuity::wanted(map, self.sources),
            watched: vacuity::dispatches(map),
            solver: self.options.solver.clone(),
        }
    }

    /// With the final states, or a remark why there are none.
    fn with_finals(
        &self,
        mut answer: Answer,
        finals: Option<Result<Vec<Vec<Value>>, String>>,
    ) -> Answer {
        match finals {
            None => {}
            Some(Ok(states)) => answer.finals = Some(handles::hidden(self.program, states)),
            Some(Err(reason)) => {
                answer.notes.push(Note {
                    message: format!("the final states are not listed: {reason}"),
                    span: None,
                });
            }
        }
        for (name, figure) in &mut answer.stats {
            if *name == "seconds" {
                *figure = Figure::Real(self.begin.elapsed().as_secs_f64());
            }
        }
        answer
    }

    fn spend(&mut self, decided: &Decided) {
        self.spent.encode += decided.encode;
        self.spent.solve += decided.solve;
        self.spent.terms = self.spent.terms.max(decided.terms);
    }

    fn safe(&self, delays: u32, cuts: &[Place], undelayed: bool) -> Answer {
        let mut summary = words::safe(delays, self.options.unroll, cuts, self.sources);
        if undelayed && cuts.is_empty() {
            summary.push_str("; nothing can be delayed, so more delays change nothing");
        }
        let notes = cuts
            .iter()
            .map(|cut| Note {
                message: words::cut(*cut),
                span: Some(cut.span),
            })
            .collect();
        Answer {
            notes,
            exhaustive: cuts.is_empty(),
            budget_spent: !undelayed,
            cut_by: if cuts.is_empty() {
                Vec::new()
            } else {
                vec!["unroll"]
            },
            ..self.answer(delays, Verdict::Safe, summary)
        }
    }

    fn unknown(&self, delays: u32, reason: &str, established: Option<String>) -> Answer {
        let reason = match established {
            Some(established) => format!("{reason}; {established}"),
            None => reason.to_owned(),
        };
        self.answer(delays, Verdict::Inconclusive(reason.clone()), reason)
    }

    /// A counterexample counts when the machine has replayed it.
    fn bug(&self, delays: u32, map: &Map, events: &[SeqEvent]) -> Answer {
        match self.replayed(map, events) {
            Ok(bug) => {
                let summary = format!("a bug with at most {}", words::delays(delays));
                Answer {
                    bugs: vec![bug],
                    ..self.answer(delays, Verdict::Bug, summary)
                }
            }
            Err(reason) => {
                let reason = format!("internal error, please report it with the program: {reason}");
                self.answer(delays, Verdict::Inconclusive(reason.clone()), reason)
            }
        }
    }

    fn replayed(&self, map: &Map, events: &[SeqEvent]) -> Result<Bug, String> {
        let schedule = map.schedule(events).map_err(|e| {
            format!("the solver's counterexample is no schedule of the program: {e}")
        })?;
        let (_, bug) = replay(self.program, self.options.scheduler, &schedule)
            .map_err(|e| format!("the solver's counterexample does not replay: {e}"))?;
        let bug = bug.ok_or_else(|| {
            "the solver's counterexample does not fail when it is replayed".to_owned()
        })?;
        let (scheduler, bounds) = (self.options.scheduler, Bounds::default());
        Ok(shrunk(self.program, scheduler, bounds, bug))
    }

    fn answer(&self, delays: u32, verdict: Verdict, summary: String) -> Answer {
        let scheduler = if self.options.scheduler == Scheduler::ReverseDepthFirst {
            "rdfs"
        } else {
            "dfs"
        };
        Answer {
            engine: Engine::Smt,
            verdict,
            bounds: vec![
                ("delays", Figure::Count(delays.into())),
                ("unroll", Figure::Count(self.options.unroll.into())),
                ("scheduler", Figure::Word(scheduler.to_owned())),
            ],
            exhaustive: false,
            budget_spent: false,
            cut_by: Vec::new(),
            summary,
            bugs: Vec::new(),
            finals: None,
            notes: Vec::new(),
            stats: vec![
                ("seconds", Figure::Real(self.begin.elapsed().as_secs_f64())),
                (
                    "encode_seconds",
                    Figure::Real(self.spent.encode.as_secs_f64()),
                ),
                (
                    "solve_seconds",
                    Figure::Real(self.spent.solve.as_secs_f64()),
                ),
                ("terms", Figure::Count(self.spent.terms)),
            ],
        }
    }
}
