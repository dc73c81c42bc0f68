//! A shrunk execution is shorter, and shows the same bug.

use ir::{ErrorKind, Program, Value};
use options::{ExploreOptions, Scheduler, Strategy};
use symbolic::explore;
use trace::{Bounds, Bug, Decision, Schedule, replay, shrunk};

use super::compile;

fn program(text: &str) -> Program {
    compile("p", text)
}

fn shrink(program: &Program, scheduler: Scheduler, decisions: Vec<Decision>) -> Bug {
    let schedule = Schedule { decisions };
    let (_, bug) = replay(program, scheduler, &schedule).expect("it replays");
    shrunk(
        program,
        scheduler,
        Bounds::default(),
        bug.expect("it fails"),
    )
}

#[test]
fn races_and_endless_executions_lose_what_does_not_matter() {
    use Decision::{Dispatch, Forever, Race};
    let race = program(
        "preempt access; var x: int := 0; var y: int := 0;
         proc idle() { y := 1; y := 2; } proc add() { x := x + 1; }
         proc main() { post idle(); post add(); post add(); }",
    );
    let order = [2, 3, 2, 3, 4].map(Dispatch).into_iter().chain([Race(0)]);
    let bug = shrink(&race, Scheduler::Bag, order.collect());
    assert_eq!(bug.kind, ErrorKind::Race);
    assert!(
        !bug.trace.schedule.decisions.contains(&Dispatch(2)),
        "{bug:?}"
    );
    let spin = program(
        "var go: bool := false; proc idle() { yield; yield; yield; } proc wait() { while !go { yield; } }
         proc set() { go := true; } proc main() { post idle(); post wait(); post set(); }",
    );
    let turns = [2, 3, 2, 3, 2, 2].map(Dispatch).into_iter();
    let order = turns.chain([Forever, Dispatch(3)]).collect();
    let bug = shrink(&spin, Scheduler::Bag, order);
    assert_eq!(bug.kind, ErrorKind::GoodSamaritan);
    let left = bug.trace.schedule.decisions;
    assert_eq!(left, [Dispatch(3), Forever, Dispatch(3)]);
}

const FLAG: &str = "var a: int := 0; var b: int := 0;
    proc idle() { yield; yield; }
    proc set() { a := 1; yield; b := 1; }
    proc look() { assert a == 0, \"set\"; }
    proc main() { post idle(); post set(); post look(); }";

#[test]
fn tasks_that_do_not_matter_are_left_out_and_the_rest_brought_together() {
    let order = [2, 3, 2, 3, 2, 4];
    let bug = shrink(
        &program(FLAG),
        Scheduler::Bag,
        order.map(Decision::Dispatch).into(),
    );
    let left = [Decision::Dispatch(3), Decision::Dispatch(4)];
    assert_eq!(bug.trace.schedule.decisions, left);
}

#[test]
fn delays_that_do_not_matter_are_left_out() {
    use Decision::{Delay, Dispatch};
    let order = vec![Delay(2), Dispatch(3), Delay(3), Dispatch(4)];
    let bug = shrink(&program(FLAG), Scheduler::DepthFirst, order);
    assert_eq!(
        bug.trace.schedule.decisions,
        [2, 2, 2, 3, 3, 4].map(Dispatch)
    );
}

#[test]
fn delays_elsewhere_may_be_fewer() {
    use Decision::{Delay, Dispatch};
    // The given schedule delays both setters behind the look. One delay of their parent is enough.
    let text = "var a: int := 0;
        proc set() { a := a + 1; }
        proc parent() { post set(); post set(); }
        proc look() { assert a > 0, \"not set\"; }
        proc main() { post parent(); post look(); }";
    let order = vec![Dispatch(2), Delay(4), Delay(5), Dispatch(3)];
    let bug = shrink(&program(text), Scheduler::DepthFirst, order);
    assert_eq!(bug.trace.schedule.decisions, [Delay(2), Dispatch(3)]);
}

#[test]
fn choices_stay_with_their_segments() {
    use Decision::{Choose, Dispatch};
    let text = "var a: 0..9 := 0;
        proc other() { var c: bool; if c { yield; } }
        proc set() { havoc a; }
        proc look() { assert a != 7, \"seven\"; }
        proc main() { post other(); post set(); post look(); }";
    let order = vec![
        Dispatch(2),
        Choose(Value::Bool(true)),
        Dispatch(3),
        Choose(Value::Int(7)),
        Dispatch(2),
        Dispatch(4),
    ];
    let bug = shrink(&program(text), Scheduler::Bag, order);
    let left = [Dispatch(3), Choose(Value::Int(7)), Dispatch(4)];
    assert_eq!(bug.trace.schedule.decisions, left);
}

#[test]
fn nothing_is_searched_beyond_the_bound() {
    use Decision::Dispatch;
    let bounds = Bounds {
        statements: 3,
        ..Bounds::default()
    };
    let decisions = vec![Dispatch(2), Dispatch(3), Dispatch(4)];
    let schedule = Schedule { decisions };
    let program = program(FLAG);
    let (_, bug) = replay(&program, Scheduler::Bag, &schedule).unwrap();
    let bug = shrunk(&program, Scheduler::Bag, bounds, bug.unwrap());
    assert_eq!(bug.trace.schedule, schedule);
}

/// Random walks make long schedules. A shrunk one is never longer, and the same walk always gives the same one.
#[test]
fn long_walks_become_short() {
    for seed in 0..12 {
        let options = ExploreOptions {
            strategy: Strategy::Random,
            seed,
            ..ExploreOptions::default()
        };
        let text = include_str!("../../../examples/async-programs/bluetooth_stop_bug.async");
        let program = program(text);
        let found = |shortest| {
            explore(
                &program,
                &ExploreOptions {
                    shortest,
                    ..options.clone()
                },
            )
        };
        let (long, short) = (found(true), found(false));
        let length = |bugs: &[Bug]| bugs[0].trace.schedule.decisions.len();
        assert_eq!(short.bugs[0].span, long.bugs[0].span);
        assert!(length(&short.bugs) <= length(&long.bugs));
        assert!(length(&short.bugs) <= 14, "{}", length(&short.bugs));
        assert_eq!(short.bugs, found(false).bugs);
    }
}
