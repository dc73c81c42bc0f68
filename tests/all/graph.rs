//! `explore --graph`: the states of a small program as a picture.

use std::process::{Command, Output};

/// Two increments; one of them may be lost.
const LOST: &str = "var x: int := 0;
proc add() {
  let t = x;
  yield;
  x := t + 1;
}
proc main() {
  post add();
  post add();
}
finally {
  assert x == 2;
}
";

/// Runs `explore` on a program; gives the output and the file that was asked for.
fn graph(program: &str, name: &str, more: &[&str]) -> (Output, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.async"), program).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder.path())
        .args(["explore", "p.async", "--graph", name])
        .args(more)
        .output()
        .unwrap();
    let file = std::fs::read_to_string(folder.path().join(name)).ok();
    (output, file)
}

#[test]
fn equal_states_are_one_and_the_path_of_the_bug_is_marked() {
    let (output, dot) = graph(LOST, "p.dot", &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let dot = dot.unwrap();
    assert!(dot.starts_with("digraph states {"), "{dot}");
    // Both orders of the two tasks lead to the state in which both have read 0.
    let both = "x = 0\\n2 add: line 5, t = 0\\n3 add: line 5, t = 0";
    assert_eq!(dot.matches(both).count(), 1, "{dot}");
    let path = dot
        .lines()
        .filter(|l| l.contains("->") && l.contains("color=red"));
    // main, four steps of the tasks, and the failure.
    assert_eq!(path.count(), 6, "{dot}");
    assert!(dot.contains("bug: assertion"), "{dot}");
    assert_eq!(graph(LOST, "p.dot", &[]).1.unwrap(), dot);
}

#[test]
fn a_picture_needs_nothing_else() {
    for name in ["p.svg", "p.html"] {
        let text = graph(LOST, name, &[]).1.unwrap();
        assert_eq!(text.matches("<svg ").count(), 1, "{text}");
        assert!(
            text.contains("</svg>") && text.contains("<rect class=\"bad\""),
            "{text}"
        );
        assert!(text.contains("2: let t = x;"), "{text}");
        // The name space of SVG is a name, not an address.
        assert_eq!(text.matches("http").count(), 1, "{text}");
    }
}

#[test]
fn delays_are_steps_of_their_own() {
    let dot = graph(LOST, "p.dot", &["--scheduler", "dfs", "--delays", "1"]).1;
    assert!(dot.unwrap().contains("delayed\", style=dashed"));
}

#[test]
fn what_nobody_can_read_is_refused() {
    let many = "var x: int := 0; proc add() { for i in 1..9 { x := x + 1; yield; } }
        proc main() { post add(); post add(); post add(); }";
    let (output, file) = graph(many, "p.svg", &[]);
    assert!(file.is_none());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("p.svg is not written: the program has more than"),
        "{error}"
    );
    // The answer is there all the same.
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("p.async: safe")
    );
    let (output, file) = graph(LOST, "p.png", &[]);
    assert!(
        file.is_none() && output.status.code() == Some(2),
        "{output:?}"
    );
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("its name ends in .dot, .svg or .html"),
        "{error}"
    );
}
