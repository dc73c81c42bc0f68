//! The engine on small programs.

use super::testing::counter;
use super::*;
use crate::answer::{Figure, Verdict};
use crate::ir::ErrorKind;
use crate::options::{Scheduler, Strategy};

fn count(answer: &Answer, name: &str) -> u64 {
    match answer.stats.iter().find(|(n, _)| *n == name) {
        Some((_, Figure::Count(n))) => *n,
        _ => panic!("no {name}: {answer:?}"),
    }
}

#[test]
fn a_lost_update_is_found_and_shown() {
    let answer = explore(&counter(2), &ExploreOptions::default());
    assert_eq!(answer.verdict, Verdict::Bug);
    let bug = &answer.bugs[0];
    assert_eq!(
        (bug.kind, bug.message.as_str()),
        (ErrorKind::Assertion, "lost")
    );
    let lines: Vec<_> = (bug.trace.steps.iter())
        .map(|s| format!("{} {}: {} {:?}", s.task, s.proc, s.action, s.changed))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn executions_are_counted() {
    let options = ExploreOptions {
        strategy: Strategy::Stateless,
        all: true,
        ..ExploreOptions::default()
    };
    // Two tasks of two segments: C(4, 2).
    let answer = explore(&counter(2), &options);
    assert_eq!(count(&answer, "executions"), 6);
}

#[test]
fn delays_are_bounded() {
    let options = |delays| ExploreOptions {
        scheduler: Scheduler::DepthFirst,
        delays: Some(delays),
        ..ExploreOptions::default()
    };
    assert_eq!(explore(&counter(2), &options(0)).verdict, Verdict::Safe);
    assert_eq!(explore(&counter(2), &options(1)).verdict, Verdict::Bug);
}
