//! Values that were never chosen, and numbers that the machine does not hold: never a wrong verdict.

use super::*;

use answer::Verdict;
use ir::ErrorKind;
use options::Values;

const ALL: [Strategy; 3] = [Strategy::Stateful, Strategy::Stateless, Strategy::Dpor];

fn verdict(text: &str, strategy: Strategy) -> Answer {
    let options = ExploreOptions {
        strategy,
        values: Values::Numbers,
        ..ExploreOptions::default()
    };
    explore(&compile("unchosen", text), &options)
}

fn refused(text: &str, because: &str) {
    for strategy in ALL {
        let answer = verdict(text, strategy);
        let Verdict::Inconclusive(why) = &answer.verdict else {
            panic!("{strategy:?}: {:?}\n{text}", answer.verdict)
        };
        assert!(why.words().contains(because), "{strategy:?}: {why}\n{text}");
    }
}

fn fails(text: &str, kind: ErrorKind) {
    for strategy in ALL {
        let answer = verdict(text, strategy);
        assert_eq!(
            answer.verdict,
            Verdict::Bug,
            "{strategy:?}: {}\n{text}",
            answer.summary
        );
        assert_eq!(answer.bugs[0].kind, kind, "{strategy:?}\n{text}");
    }
}

fn is_safe(text: &str) {
    for strategy in ALL {
        let answer = verdict(text, strategy);
        assert_eq!(
            answer.verdict,
            Verdict::Safe,
            "{strategy:?}: {}\n{text}",
            answer.summary
        );
    }
}

#[test]
fn a_literal_beyond_64_bits_does_not_decide_a_comparison_with_any_int() {
    let any = "`x` may be any";
    refused(
        "var x: int; proc main() { assert x < 10000000000000000000; }",
        any,
    );
    refused(
        "var x: int; proc main() { if x == 99999999999999999999 { assert false; } }",
        any,
    );
    refused(
        "var x: int := 0; proc main() { havoc x; assert x <= 9223372036854775808; }",
        any,
    );
    refused(
        "proc main() { var x: int; assert -9223372036854775809 <= x; }",
        any,
    );
}

#[test]
fn it_decides_one_with_a_number_that_is_known() {
    is_safe("var x: int := 5; proc main() { assert x < 10000000000000000000; }");
    is_safe("var x: 0..9; proc main() { assert x != 10000000000000000000; }");
    fails(
        "var x: int := 5; proc main() { assert x <= -10000000000000000000; }",
        ErrorKind::Assertion,
    );
}

#[test]
fn the_other_operand_is_computed_and_may_be_too_large() {
    refused(
        "var x: int := 4611686018427387904; proc main() { assert x + x < 9223372036854775808; }",
        "beyond 64 bits",
    );
}

#[test]
fn a_range_that_leaves_64_bits_is_refused() {
    refused(
        "var x: 9223372036854775806..9223372036854775808;
         proc main() { assert x != 9223372036854775808; }",
        "`x` may be any",
    );
    is_safe(
        "var x: 9223372036854775806..9223372036854775808 := 9223372036854775806;
         proc main() { assert x < 9223372036854775807; x := x + 1; }",
    );
    refused(
        "var x: 9223372036854775806..9223372036854775808 := 9223372036854775807;
         proc main() { x := x + 1; }",
        "beyond 64 bits",
    );
}

/// The mark of a missing value is a number, too.
#[test]
fn a_range_around_the_mark_of_a_missing_value_has_all_its_values() {
    let mark = code::UNDEF;
    let (lo, hi) = (mark - 1, mark + 1);
    refused(
        &format!("var x: {lo}..{hi}; proc main() {{ assert x != {lo}; }}"),
        "`x` may be any",
    );
}

#[test]
fn ranges_as_wide_as_128_bits_have_a_layout() {
    let wide = "-170141183460469231731687303715884105727..170141183460469231731687303715884105727";
    is_safe(&format!(
        "var m: [{wide}]0..1 := [0; _]; proc main() {{ m[5] := 1; assert m[5] == 1 && m[4] == 0; }}"
    ));
    is_safe(&format!(
        "var x: {wide} := 0; proc main() {{ x := x + 1; assert x == 1; }}"
    ));
}

/// Another task waits for a condition on a value that no step has needed.
#[test]
fn a_task_that_waits_for_a_value_never_chosen_does_not_keep_the_others_from_being_replayed() {
    fails(
        "var x: int; proc s() { x := 0; } proc main() { post s(); await x > 0; }",
        ErrorKind::Deadlock,
    );
    fails(
        "var x: int; proc s() { x := 2; }
         proc main() { post s(); await x > 0; assert x == 1; }",
        ErrorKind::Assertion,
    );
    fails(
        "object O { var a: int; op set() { a := 0; } op p() when a > 0 { } }
         var o: O; proc s() { o.set(); } proc main() { post s(); o.p(); }",
        ErrorKind::Deadlock,
    );
    fails(
        "var x: int; var y: 0..1 := 0; proc s() { y := 1; assert y == 0; }
         proc main() { post s(); await x > 0; }",
        ErrorKind::Assertion,
    );
}

#[test]
fn a_condition_on_a_missing_truth_value_is_looked_at() {
    let text = "var a: [3]bool; proc s() { a[0] := true; havoc a; }
         proc main() { post s(); await !a[1]; }";
    for strategy in ALL {
        verdict(text, strategy);
    }
}

/// A way of a segment has the same name wherever it is taken: it does not matter what another way would have
/// met there.
#[test]
fn a_way_is_named_by_its_own_choices() {
    let text = "var y: 0..1 := 0; var z: 0..2 := 0; var w: 0..2 := 0;
         proc t() { var c: 0..1; if c == 0 { if y == 0 { havoc z; } } else { w := 1; } }
         proc u() { y := 1; }
         proc v() { if w == 1 { w := 2; } }
         proc main() { post t(); post u(); post v(); }
         finally { assert !(w == 2 && y == 1); }";
    fails(text, ErrorKind::Assertion);
    let finals = ALL.map(|strategy| {
        let options = ExploreOptions {
            strategy,
            all: true,
            finals: true,
            ..ExploreOptions::default()
        };
        explore(&compile("ways", text), &options).finals
    });
    assert_eq!(finals[0], finals[1]);
    assert_eq!(finals[0], finals[2]);
}

#[test]
fn a_segment_with_very_many_ways_is_followed() {
    let dpor = |text: &str| verdict(text, Strategy::Dpor).verdict;
    let safe = [
        "proc main() { while * { skip; } }",
        "proc t() { while * { skip; } } proc main() { post t(); }",
        "var x: 0..255; var y: 0..31;
         proc t() { if x > y { assert x != y; } } proc main() { post t(); }",
    ];
    for text in safe {
        assert_eq!(dpor(text), Verdict::Safe, "{text}");
    }
    let bug = "var x: u16; var y: u16; var z: bool := false;
         proc t() { while * { z := !z; } if x > y { assert z; } } proc main() { post t(); }";
    assert_eq!(dpor(bug), Verdict::Bug);
}

#[test]
fn one_with_too_many_is_refused() {
    let text = "var x: u16; var y: u16; proc t() { if x > y { assert x != y; } }
         proc main() { post t(); }";
    let options = ExploreOptions {
        strategy: Strategy::Dpor,
        values: Values::Numbers,
        limits: options::Limits {
            timeout: std::time::Duration::from_secs(1),
            ..ExploreOptions::default().limits
        },
        ..ExploreOptions::default()
    };
    let answer = explore(&compile("many", text), &options);
    assert!(
        matches!(answer.verdict, Verdict::Inconclusive(_)),
        "{}",
        answer.summary
    );
}
