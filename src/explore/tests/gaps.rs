//! The middle of a very long segment is left out of its trace, and nothing else is.

use ir::{ErrorKind, Value};
use options::Scheduler;
use trace::state::{State, state_at};
use trace::{Bug, Decision, Happening, Schedule, Title, replay};

use super::compile;

fn failing(text: &str, decisions: Vec<Decision>) -> (ir::Program, Bug) {
    let program = compile("p", text);
    let schedule = Schedule { decisions };
    let (_, bug) = replay(&program, Scheduler::Bag, &schedule).expect("it replays");
    (program, bug.expect("it fails"))
}

/// The steps behind a gap.
fn behind_gaps(bug: &Bug) -> Vec<usize> {
    let steps = bug.trace.steps.iter().zip(1..);
    let later = steps.filter(|(step, _)| step.happening == Happening::Title(Title::Later));
    later.map(|(_, next)| next).collect()
}

#[test]
fn a_long_loop_is_shown_by_its_first_and_last_rounds() {
    let (program, bug) = failing(
        "proc main() { var i: int := 0; while i < 300000 { i := i + 1; } assert i == 0; }",
        Vec::new(),
    );
    assert_eq!(bug.kind, ErrorKind::Assertion);
    let steps = &bug.trace.steps;
    assert!(steps.len() < 250_000, "{}", steps.len());
    assert!(matches!(
        steps[steps.len() - 1].happening,
        Happening::Failed { .. }
    ));
    let [next] = behind_gaps(&bug)[..] else {
        panic!("one gap");
    };
    // The state after a step is the one that the step tells.
    let i = |state: State| state.tasks[0].activations[0].locals[0].value.clone();
    for (step, of) in steps.iter().zip(1..).skip(next).take(2) {
        let told = step.changed[0].number.map(Value::Int);
        let state = state_at(
            &program,
            Scheduler::Bag,
            &bug.trace.schedule,
            (of, steps.len()),
        );
        assert_eq!(Some(i(state)), told);
    }
}

/// A counterexample as a program of its own needs the choices, and the posts say which task is which.
#[test]
fn choices_and_posts_are_not_left_out() {
    let text = "proc p() { } proc main() {
        var i: int := 0; var c: 0..3 := 0;
        for round in 1..2 {
            i := 0; while i < 150000 { i := i + 1; }
            havoc c;
            i := 0; while i < 150000 { i := i + 1; }
            post p();
        }
        assert c == 0;
    }";
    let choices = vec![Decision::Choose(Value::Int(1)); 2];
    let (_, bug) = failing(text, choices);
    let count = |of: fn(&Happening) -> bool| {
        let steps = bug.trace.steps.iter();
        steps.filter(|step| of(&step.happening)).count()
    };
    assert_eq!(count(|h| matches!(h, Happening::Chosen { .. })), 2);
    assert_eq!(count(|h| matches!(h, Happening::Posted { .. })), 2);
    assert_eq!(behind_gaps(&bug).len(), 4);
}
