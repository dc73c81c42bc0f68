//! The closed examples as terms: the results are those with numbers.

use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use answer::{Cause, Counted, Verdict};
use base::source::Span;
use ir::{ErrorKind, StmtKind, Value, walk};
use options::Values;

/// Whether an answer settles the question. An answer with a bug settles it only if the search looked at the rest, too.
fn settled(answer: &Answer) -> bool {
    match &answer.verdict {
        Verdict::Inconclusive(reason) => reason.cause == Cause::Nothing,
        Verdict::Safe | Verdict::Proved => true,
        Verdict::Bug => answer.exhaustive,
    }
}

/// Every failure. A deadlock is without its place: which of its tasks is shown depends on the execution.
fn failures(answer: &Answer) -> BTreeSet<(ErrorKind, Option<Span>)> {
    let place = |kind, span: Option<Span>| span.filter(|_| kind != ErrorKind::Deadlock);
    let bugs = answer.bugs.iter();
    bugs.map(|b| (b.kind, place(b.kind, b.span))).collect()
}

/// The final states, where each value in them is known.
fn known_finals(answer: &Answer) -> Option<&Vec<Vec<Value>>> {
    let finals = answer.finals.as_ref()?;
    let all = finals.iter().flatten().all(Value::is_known) && answer.open_finals.is_empty();
    all.then_some(finals)
}

/// The examples with their names.
fn examples() -> Vec<(String, Program)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/async-programs");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("there are examples")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "async"))
        .collect();
    files.sort();
    let compiled = files.iter().filter_map(|file| {
        let text = std::fs::read_to_string(file).expect("a text");
        let compiled = compile::compile("example", &text, &CheckOptions::default());
        let name = file.file_name()?.to_string_lossy().into_owned();
        Some((name, compiled.program?))
    });
    compiled.collect()
}

/// Whether a program chooses values.
fn chooses(program: &Program) -> bool {
    (program.procs.iter()).any(|p| walk::any(&p.body, |s| matches!(s.kind, StmtKind::Havoc(..))))
}

/// The answers with numbers and with terms, if both settle the program. Checks that they agree.
fn told(name: &str, program: &Program, strategy: Strategy) -> Option<[Answer; 2]> {
    let asked = |values| {
        let mut asked = ExploreOptions {
            values,
            strategy,
            all: true,
            finals: true,
            max_steps: 1_000,
            work: Some(20_000),
            // With numbers, the search visits all states.
            reduction: false,
            ..ExploreOptions::default()
        };
        asked.limits.timeout = Duration::from_secs(20);
        explore(program, &asked)
    };
    let [numbers, terms] = [Values::Numbers, Values::Terms].map(asked);
    if !settled(&numbers) || !settled(&terms) {
        return None;
    }
    assert_eq!(failures(&numbers), failures(&terms), "{name}");
    assert_eq!(numbers.verdict.word(), terms.verdict.word(), "{name}");
    if let (Some(known), Some(found)) = (known_finals(&numbers), known_finals(&terms)) {
        assert_eq!(known, found, "{name}");
    }
    Some([numbers, terms])
}

#[test]
fn closed_programs_are_what_they_are_with_numbers() {
    let (mut compared, mut deadlocks, mut equal) = (0, 0, 0);
    for (name, program) in examples() {
        let Some(told) = told(&name, &program, Strategy::Stateful) else {
            continue;
        };
        compared += 1;
        let is_deadlock = |b: &trace::Bug| b.kind == ErrorKind::Deadlock;
        deadlocks += u32::from(told[0].bugs.iter().any(is_deadlock));
        let counts = [Counted::States, Counted::Transitions];
        let [numbers, terms] = told.map(|answer| counts.map(|what| answer.count(what)));
        // Terms need fewer states: tasks that are alike are sorted, choices are followed together, dead values are forgotten.
        assert!(terms[0] <= numbers[0], "{name}: {terms:?} {numbers:?}");
        assert!(terms[1] <= numbers[1], "{name}: {terms:?} {numbers:?}");
        equal += u32::from(terms == numbers);
    }
    println!("{compared} compared, {deadlocks} with deadlocks, {equal} with equal counts");
    assert!(compared > 100 && deadlocks > 5, "{compared} {deadlocks}");
    assert!(equal > 75, "{equal}");
}

#[test]
fn closed_programs_have_as_many_traces_as_with_numbers() {
    let (mut compared, mut equal) = (0, 0);
    for (name, program) in examples() {
        if chooses(&program) {
            continue;
        }
        if let Some(told) = told(&name, &program, Strategy::Dpor) {
            compared += 1;
            let counts = told.map(|answer| answer.count(Counted::Executions));
            // With terms, an expression counts as looking at all that it may look at.
            assert!(counts[0] <= counts[1], "{name}: {counts:?}");
            equal += u32::from(counts[0] == counts[1]);
        }
    }
    println!("{compared} compared, {equal} with equal counts");
    assert!(equal > 50 && compared < equal + 5, "{compared} {equal}");
}
