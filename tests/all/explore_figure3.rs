//! The executions of the program of Figure 3, one by one: p1 posts p2 and p3.

use std::collections::BTreeSet;

use crate::explore_common::{answer, options};
use dbverify::options::{ExploreOptions, Scheduler, Strategy};

/// Each task appends a digit, so the final value is the order of the steps.
const FIGURE_3: &str = "var order: int := 0;
    proc step(i: int) { order := order * 10 + i; }
    proc p2() { call step(4); }
    proc p3() { call step(5); }
    proc main() { call step(1); post p2(); call step(2); post p3(); call step(3); }";

fn orders(text: &str, scheduler: Scheduler, delays: Option<u32>) -> BTreeSet<String> {
    let of = |strategy| {
        let options = ExploreOptions {
            scheduler,
            delays,
            strategy,
            finals: true,
            ..options()
        };
        let finals = answer(text, &options).finals.expect("they were asked for");
        let shown = finals.iter().map(|state| format!("{state:?}"));
        shown
            .map(|s| s.chars().filter(char::is_ascii_digit).collect())
            .collect()
    };
    let orders: BTreeSet<String> = of(Strategy::Stateful);
    assert_eq!(orders, of(Strategy::Stateless));
    orders
}

fn set(orders: &[&str]) -> BTreeSet<String> {
    orders.iter().map(ToString::to_string).collect()
}

#[test]
fn without_delays_there_is_the_execution_of_the_figure() {
    assert_eq!(
        orders(FIGURE_3, Scheduler::DepthFirst, Some(0)),
        set(&["12345"])
    );
    assert_eq!(
        orders(FIGURE_3, Scheduler::RoundRobin, Some(0)),
        set(&["12345"])
    );
    assert_eq!(
        orders(FIGURE_3, Scheduler::ReverseDepthFirst, Some(0)),
        set(&["12354"])
    );
}

#[test]
fn the_bag_has_one_more() {
    assert_eq!(
        orders(FIGURE_3, Scheduler::Bag, None),
        set(&["12345", "12354"])
    );
}

#[test]
fn one_delay_gives_the_execution_of_example_5() {
    for scheduler in [
        Scheduler::DepthFirst,
        Scheduler::ReverseDepthFirst,
        Scheduler::RoundRobin,
    ] {
        let both = set(&["12345", "12354"]);
        assert_eq!(orders(FIGURE_3, scheduler, Some(1)), both, "{scheduler:?}");
    }
}

#[test]
fn children_come_before_the_rest_of_a_task_and_before_its_siblings() {
    // p2 posts p4 and yields: depth-first takes p4, then p2's rest, then p3; round-robin goes on with p2, then takes p3.
    let text = "var order: int := 0;
        proc step(i: int) { order := order * 10 + i; }
        proc p2() { call step(2); post p4(); yield; call step(6); }
        proc p3() { call step(3); }
        proc p4() { call step(4); }
        proc main() { post p2(); post p3(); }";
    assert_eq!(orders(text, Scheduler::DepthFirst, Some(0)), set(&["2463"]));
    assert_eq!(
        orders(text, Scheduler::ReverseDepthFirst, Some(0)),
        set(&["3264"])
    );
    assert_eq!(orders(text, Scheduler::RoundRobin, Some(0)), set(&["2634"]));
    // By hand: one delay moves one of the four dispatches behind all that is pending.
    assert_eq!(
        orders(text, Scheduler::DepthFirst, Some(1)),
        set(&["2463", "3246", "2634", "2436", "2463"])
    );
}
