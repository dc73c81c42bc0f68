//! Where tasks can be interrupted, in the three modes.

use super::proc_of;
use insta::assert_snapshot;
use options::PreemptMode;

const GLOBALS: &str = "
    type R = record { f: int, g: int };
    var x, y: int := 0; var a: [4]int := [0; 4]; var r: R; var b: bool; var t: task;
    proc quiet(n: int): int { return n; }
    proc loud(n: int): int { x := n; return y; }
    proc poster() { post quiet(1); }
";

/// `main` in the modes `statement` and `access`.
fn both(statements: &str) -> String {
    let text = format!("{GLOBALS}\nproc main() {{ var l: int := 0;\n{statements}\n}}\n");
    let show = |mode| proc_of(&text, "main", mode);
    format!(
        "statement\n{}\n\naccess\n{}",
        show(PreemptMode::Statement),
        show(PreemptMode::Access)
    )
}

#[test]
fn accesses() {
    assert_snapshot!(both(
        "x := x + 1; l := 1; l := x; a[x] := a[y] + r.f; r.g := l; x, y := y, x; havoc a[l], l;"
    ));
}

#[test]
fn lazy_operators() {
    assert_snapshot!(both(
        "b := x > 0 && a[x] == y; if b ==> x == 0 { l := if b then x else y; } assert b || l == 0;"
    ));
}

#[test]
fn conditions() {
    assert_snapshot!(both(
        "while x > 0 { l := l + 1; } if x == 1 { skip; } else if y == 1 { l := 2; } for i in x..y { l := i; }
         assume x > 0; assert l > 0; while l > 0 { l := l - 1; }"
    ));
}

#[test]
fn calls_and_posts() {
    assert_snapshot!(both(
        "call quiet(l); call quiet(x); call x := quiet(l); call l := loud(y); post quiet(l); t := post quiet(x);"
    ));
}

#[test]
fn waiting() {
    assert_snapshot!(both(
        "await x > y { x := y; } join t; var u: task := t; join u; yield; x := 1; sleep;"
    ));
}

#[test]
fn atomic_code() {
    assert_snapshot!(both(
        "atomic { x := x + y; } atomic { l := 1; } atomic { call l := quiet(1); } atomic { call l := loud(1); }
         atomic { call poster(); } if x == 0 { atomic { l := 2; } atomic { l := y; } } while true { atomic { skip; } }"
    ));
}

#[test]
fn called_from_atomic_code_has_no_points() {
    let text = "var x: int := 0;
        proc inner() { x := x + 1; }
        proc outer() { call inner(); }
        proc main() { call outer(); atomic { call outer(); } }
        finally { call inner(); }";
    assert_snapshot!(super::program(text, PreemptMode::Access).to_string());
}

#[test]
fn the_program_says_its_mode_and_options_override_it() {
    let text = "preempt access; var x: int := 0; proc main() { x := 1; }";
    let points = |preempt| {
        let program = crate::compile("t", text, &super::CheckOptions { preempt })
            .program
            .unwrap();
        program.to_string().matches("preempt").count()
    };
    assert_eq!(points(None), 1);
    assert_eq!(points(Some(PreemptMode::Yield)), 0);
}
