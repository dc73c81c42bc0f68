//! `--cross-check`: two answers to one question, and whether they can both be right.

use std::collections::BTreeSet;

use answer::{Answer, Counted, Engine, Note, Verdict};
use ir::Value;

/// Makes one answer of two. If they contradict each other, the answer settles nothing and says so.
pub(super) fn agreed(smt: Answer, explicit: Answer) -> Answer {
    let outcome = compare(&smt, &explicit);
    // The explicit engine's bug has been replayed, so it stands. Bounds may hide it from the solver.
    let hidden = smt.verdict == Verdict::Safe && !explicit.bugs.is_empty();
    let mut told = if hidden || !smt.is_settled() && explicit.is_settled() {
        explicit
    } else {
        smt
    };
    let message = match outcome {
        Ok(agreement) => format!("cross-check: {agreement}"),
        Err(contradiction) => {
            let reason = format!(
                "the engines disagree: {contradiction}; this is a fault of dbverify, please report it"
            );
            told.unsettle(reason.as_str().into());
            told.bugs.clear();
            reason
        }
    };
    told.notes.push(Note::new(message, None));
    told
}

/// Merges two answers of the explicit engine: one with values as numbers, one with values as terms.
///
/// # Errors
/// When they contradict each other: the answer that says so.
pub(super) fn of_values(numbers: Answer, terms: Answer) -> Result<Answer, Box<Answer>> {
    let whole = |answer: &Answer| answer.exhaustive && answer.is_settled();
    let kinds = |answer: &Answer| answer.bugs.iter().map(|b| b.kind).collect::<BTreeSet<_>>();
    let (few, many) = (kinds(&numbers), kinds(&terms));
    // Every bug has been replayed, so a search that has seen everything must have a bug of its kind.
    let missed = whole(&numbers) && !many.is_subset(&few) || whole(&terms) && !few.is_subset(&many);
    let ends = |answer: &Answer| {
        let known = whole(answer) && answer.open_finals.is_empty();
        let finals = answer.finals.as_ref().filter(|_| known)?;
        let all = finals.iter().flatten().all(Value::is_known);
        all.then(|| finals.clone())
    };
    let differ = ends(&numbers).is_some_and(|own| ends(&terms).is_some_and(|other| own != other));
    let states = count(&terms);
    let settled = terms.is_settled();
    let mut told = if settled && !numbers.is_settled() {
        terms
    } else {
        numbers
    };
    if missed || differ {
        let what = if missed { "bugs" } else { "final states" };
        let reason = format!(
            "the engines disagree: the {what} with values as numbers and as terms differ; this is a fault of dbverify, please report it"
        );
        told.unsettle(reason.into());
        told.bugs.clear();
        return Err(Box::new(told));
    }
    let message = if settled {
        format!("cross-check: values as terms agree ({states})")
    } else {
        "cross-check: values as terms did not settle it".to_owned()
    };
    told.notes.push(Note::new(message, None));
    Ok(told)
}

/// Compares two answers to one question. Says how they agree; the error says what contradicts.
fn compare(smt: &Answer, explicit: &Answer) -> Result<String, String> {
    debug_assert_eq!(
        (smt.engine, explicit.engine),
        (Engine::Smt, Engine::Explicit)
    );
    let bugs = explicit.bugs.len();
    let strange = smt.bugs.first().filter(|bug| {
        let mut known = explicit.bugs.iter();
        explicit.exhaustive && !known.any(|other| other.kind == bug.kind)
    });
    if let Some(bug) = strange.filter(|_| bugs > 0) {
        let kind = bug.kind.name();
        return Err(format!(
            "the solver finds an error of kind {kind}, the explicit engine none"
        ));
    }
    match (&smt.verdict, &explicit.verdict) {
        (Verdict::Inconclusive(reason), _) => Ok(format!("the solver did not settle it: {reason}")),
        (_, Verdict::Inconclusive(reason)) if bugs == 0 => {
            Ok(format!("the explicit engine did not settle it: {reason}"))
        }
        (Verdict::Bug, _) if bugs == 0 => {
            Err("the solver finds a bug, the explicit engine none".to_owned())
        }
        (Verdict::Safe, _) if bugs > 0 && smt.exhaustive => {
            Err("the explicit engine finds a bug, the solver none".to_owned())
        }
        (Verdict::Safe, _) if bugs > 0 => {
            Ok("the explicit engine finds a bug that a bound cuts off for the solver".to_owned())
        }
        _ if smt.exhaustive
            && explicit.exhaustive
            && smt.finals.is_some()
            && explicit.open_finals.is_empty()
            && smt.finals != explicit.finals =>
        {
            Err("their final states differ".to_owned())
        }
        _ => Ok(format!("the explicit engine agrees ({})", count(explicit))),
    }
}

fn count(answer: &Answer) -> String {
    let states = answer.count(Counted::States);
    states.map_or_else(|| "no states counted".to_owned(), |n| format!("{n} states"))
}
