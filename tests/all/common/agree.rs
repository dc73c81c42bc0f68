//! The sequential program against the machine, on one program: the same final states, the same bugs, and schedules
//! that the machine can follow.

use std::collections::BTreeSet;

use dbverify::answer::{Answer, Cause, Verdict};
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::ir::{ErrorKind, Global, Program, Type, Value};
use dbverify::options::{ExploreOptions, Scheduler};
use dbverify::seq::map::FinalPlace;
use dbverify::seq::print::{Comments, print_async};
use dbverify::seq::{Budget, Sequential, sequentialize};
use dbverify::symbolic::explore;
use dbverify::trace::replay;

use super::sequential::{Found, estimate, run_all};

/// Statements that the evaluator executes before it gives up.
const MOST_STEPS: u64 = 2_000_000;
/// Executions that the explicit engine may have to enumerate.
const MOST_EXPLICIT: f64 = 2_000.0;

/// How many rounds beside the delays waiting tasks get, one number after the other until no task needs more.
const ROUNDS_FOR_WAITING: [u32; 5] = [1, 2, 3, 4, 6];

/// What can be seen of a program.
#[derive(Debug, PartialEq)]
pub struct Seen {
    /// Final states, as far as they can be compared.
    pub finals: BTreeSet<Vec<Value>>,
    /// Whether an execution fails or deadlocks.
    pub bug: bool,
    /// Whether an execution deadlocks, where that can be told from a failure.
    pub deadlock: Option<bool>,
}

/// How a comparison went.
#[derive(Debug)]
pub enum Outcome {
    /// The same is seen on both sides.
    Agree,
    /// Too large for a part of the comparison.
    Unknown,
    /// What is seen on both sides.
    Disagree(String),
}

/// Whether an answer says all there is to say: also that no execution comes to its end.
pub fn settled(answer: &Answer) -> bool {
    match &answer.verdict {
        Verdict::Inconclusive(reason) => reason.cause == Cause::Nothing,
        Verdict::Safe | Verdict::Proved => true,
        // Beside a bug there may be a reason why the rest was not looked at.
        Verdict::Bug => answer.exhaustive,
    }
}

/// What the machine sees.
pub fn look(program: &Program, scheduler: Scheduler, delays: Option<u32>) -> Option<Seen> {
    let options = ExploreOptions {
        scheduler,
        delays,
        all: true,
        finals: true,
        max_steps: 1_000,
        ..ExploreOptions::default()
    };
    let answer = explore(program, &options);
    if !settled(&answer) {
        return None;
    }
    let deadlock = answer.bugs.iter().any(|b| b.kind == ErrorKind::Deadlock);
    Some(Seen {
        finals: answer.finals.unwrap_or_default().into_iter().collect(),
        bug: !answer.bugs.is_empty(),
        deadlock: Some(deadlock),
    })
}

/// Handles are numbered differently: only whether there is one counts.
fn plain(value: &Value, task: bool) -> Value {
    match value {
        Value::Task(t) => Value::Bool(t.is_some()),
        Value::Int(i) if task => Value::Bool(*i != 0),
        other => other.clone(),
    }
}

fn is_task(original: &Program, global: &Global) -> bool {
    *original.types.get(global.ty) == Type::Task
}

fn all_plain(original: &Program, finals: &BTreeSet<Vec<Value>>) -> BTreeSet<Vec<Value>> {
    let tasks: Vec<_> = original
        .globals
        .iter()
        .filter(|g| g.is_final())
        .map(|g| is_task(original, g))
        .collect();
    finals
        .iter()
        .map(|s| s.iter().zip(&tasks).map(|(v, &t)| plain(v, t)).collect())
        .collect()
}

/// The final states of the original program, from those of the sequential one. Where that was read from text, all
/// its variables are seen.
fn project(
    original: &Program,
    seq: &Sequential,
    finals: &BTreeSet<Vec<Value>>,
    all: bool,
) -> BTreeSet<Vec<Value>> {
    let globals = &seq.program.globals;
    let position = |id: usize| (0..id).filter(|&i| all || globals[i].is_final()).count();
    let places: Vec<_> = original
        .globals
        .iter()
        .zip(&seq.map.finals)
        .filter(|(g, _)| g.is_final())
        .collect();
    let value = |state: &[Value], place: &FinalPlace| {
        let whole = &state[position(place.global.index())];
        match (place.field, whole) {
            (Some(field), Value::Record(fields)) => fields[field as usize].clone(),
            _ => whole.clone(),
        }
    };
    let states: BTreeSet<Vec<Value>> = finals
        .iter()
        .map(|s| places.iter().map(|p| value(s, p.1)).collect())
        .collect();
    all_plain(original, &states)
}

/// Compares the machine with its sequential program.
pub fn compare(text: &str, delays: u32, scheduler: Scheduler) -> Outcome {
    let Some(original) = compile("random", text, &CheckOptions { preempt: None }).program else {
        return Outcome::Unknown;
    };
    let Some(mut expected) = look(&original, scheduler, Some(delays)) else {
        return Outcome::Unknown;
    };
    expected.finals = all_plain(&original, &expected.finals);
    for more in ROUNDS_FOR_WAITING {
        let seq = sequentialize(
            &original,
            Budget::new(delays, Some(delays + more)),
            scheduler,
        );
        match run_all(&original, &seq, MOST_STEPS) {
            None => return Outcome::Unknown,
            Some(found) if found.cut => {}
            Some(found) => return all_sides(&original, &seq, scheduler, &expected, &found),
        }
    }
    Outcome::Unknown
}

/// Compares all that can be seen of a sequential program in which no task needs more rounds.
fn all_sides(
    original: &Program,
    seq: &Sequential,
    scheduler: Scheduler,
    expected: &Seen,
    found: &Found,
) -> Outcome {
    match evaluated(original, seq, scheduler, expected, found) {
        Outcome::Agree => {}
        other => return other,
    }
    for side in [explored, read_back] {
        match side(original, seq, expected) {
            Outcome::Agree => {}
            other => return other,
        }
    }
    Outcome::Agree
}

fn verdict(who: &str, expected: &Seen, found: &Seen) -> Outcome {
    let told = expected.deadlock == found.deadlock || found.deadlock.is_none();
    if told && expected.finals == found.finals && expected.bug == found.bug {
        return Outcome::Agree;
    }
    Outcome::Disagree(format!("the machine: {expected:?}\n{who}: {found:?}"))
}

/// The sequential program, by the evaluator of these tests; and back to schedules of the original one.
fn evaluated(
    original: &Program,
    seq: &Sequential,
    scheduler: Scheduler,
    expected: &Seen,
    found: &Found,
) -> Outcome {
    let mut deadlock = false;
    for (all, fails) in [(&found.failed, true), (&found.complete, false)] {
        for events in all {
            let replayed = seq
                .map
                .schedule(events)
                .and_then(|s| Ok((replay(original, scheduler, &s)?, s)));
            match replayed {
                Ok(((_, bug), _)) if bug.is_some() == fails => {
                    deadlock |= bug.is_some_and(|bug| bug.kind == ErrorKind::Deadlock);
                }
                other => {
                    return Outcome::Disagree(format!(
                        "fails: {fails}, but the replay says {other:?}"
                    ));
                }
            }
        }
    }
    let seen = Seen {
        finals: all_plain(original, &found.finals),
        bug: !found.failed.is_empty(),
        // Of very many that fail only the first are looked at.
        deadlock: (deadlock || !found.more_failed).then_some(deadlock),
    };
    verdict("sequentialized", expected, &seen)
}

/// The sequential program, by the explicit engine.
fn explored(original: &Program, seq: &Sequential, expected: &Seen) -> Outcome {
    if estimate(&seq.program, 1) > MOST_EXPLICIT {
        return Outcome::Agree;
    }
    let Some(mut found) = look(&seq.program, Scheduler::Bag, None) else {
        return Outcome::Unknown;
    };
    found.finals = project(original, seq, &found.finals, false);
    verdict("explored", expected, &found)
}

/// The sequential program as text, read back.
fn read_back(original: &Program, seq: &Sequential, expected: &Seen) -> Outcome {
    let text = print_async(&seq.program, Comments::default());
    let read = compile("printed", &text, &CheckOptions { preempt: None });
    let Some(program) = read.program else {
        return Outcome::Disagree(format!("not read back: {:?}\n{text}", read.diagnostics));
    };
    let again = Sequential {
        program,
        map: seq.map.clone(),
    };
    let Some(found) = run_all(original, &again, MOST_STEPS) else {
        return Outcome::Unknown;
    };
    let seen = Seen {
        finals: all_plain(original, &found.finals),
        bug: !found.failed.is_empty(),
        deadlock: None,
    };
    if let Outcome::Disagree(why) = verdict("read back", expected, &seen) {
        return Outcome::Disagree(format!("{why}\n{text}"));
    }
    if estimate(&again.program, 1) > MOST_EXPLICIT {
        return Outcome::Agree;
    }
    let Some(mut found) = look(&again.program, Scheduler::Bag, None) else {
        return Outcome::Unknown;
    };
    found.finals = project(original, seq, &found.finals, true);
    found.deadlock = None;
    verdict("read back and explored", expected, &found)
}

/// Numbers of delays and schedulers that are compared.
pub fn cases() -> Vec<(u32, Scheduler)> {
    let both = [Scheduler::DepthFirst, Scheduler::ReverseDepthFirst];
    (0..=2).flat_map(|k| both.map(|s| (k, s))).collect()
}
