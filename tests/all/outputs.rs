//! What is written: never over what is read, whole or not at all, and not silently lost.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn dbverify(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const LOST: &str = "var x: int := 0;
proc add() { x := x + 1; }
proc main() { post add(); post add(); }
finally { assert x == 2, \"lost\"; }
";

/// A folder with a program.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.async"), LOST).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const EXPLORE: [&str; 4] = ["explore", "p.async", "--preempt", "access"];

#[test]
fn nothing_is_written_over_what_is_read() {
    let folder = folder();
    for (more, said) in [
        (&["--trace-out", "p.async"][..], "is the program"),
        (&["--html", "./p.async"], "is the program"),
        (
            &["--trace-out", "t", "--html", "./t"],
            "is the file of the trace",
        ),
        (&["--html", "-"], "standard output"),
        (&["--trace-out", "no/t"], "there is no folder no"),
        (&["--html", "."], "it is a directory"),
    ] {
        let output = dbverify(&[&EXPLORE, more].concat(), folder.path());
        assert_eq!(output.status.code(), Some(2), "{more:?}: {output:?}");
        assert!(stderr(&output).contains(said), "{more:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{more:?}: {output:?}");
        assert_eq!(names(folder.path()), ["p.async"], "{more:?}");
        let text = std::fs::read_to_string(folder.path().join("p.async")).unwrap();
        assert_eq!(text, LOST, "{more:?}");
    }
    dbverify(
        &[&EXPLORE[..], &["--trace-out", "t"]].concat(),
        folder.path(),
    );
    for target in ["t", "p.async"] {
        let output = dbverify(&["replay", "p.async", "t", "--html", target], folder.path());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_success() {
    let folder = folder();
    let full = || std::fs::File::create("/dev/full").unwrap();
    for args in [
        &["p.async", "--emit-boogie"][..],
        &["fmt", "p.async"],
        &["p.async", "--format", "json"],
        &["--help"],
        &["explain", "race"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        let command = command.current_dir(folder.path()).args(args);
        let output = command.stdout(full()).stderr(Stdio::piped()).spawn();
        let output = output.unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = stderr(&output);
        assert!(said.contains("cannot write standard output"), "{said}");
    }
    // The answer is shown although the page cannot be written.
    let output = dbverify(
        &[&EXPLORE[..], &["--html", "/dev/full"]].concat(),
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("bug: assertion: lost"));
    assert!(stderr(&output).contains("cannot write /dev/full"));
}

#[test]
fn without_a_counterexample_that_is_said() {
    let folder = folder();
    let output = dbverify(&["explore", "p.async", "--trace-out", "t"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("no counterexample: t is not written"));
}

#[test]
fn a_trace_is_replayed_under_its_own_preemption_mode() {
    let folder = folder();
    dbverify(
        &[&EXPLORE[..], &["--trace-out", "t"]].concat(),
        folder.path(),
    );
    let replayed =
        |more: &[&str]| dbverify(&[&["replay", "p.async", "t"], more].concat(), folder.path());
    assert_eq!(replayed(&[]).status.code(), Some(1));
    assert_eq!(replayed(&["--preempt", "access"]).status.code(), Some(1));
    let other = replayed(&["--preempt", "yield"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("another preemption mode"));
}

/// Without the option, the mode under which a trace is made is the program's own.
#[test]
fn a_trace_made_without_a_mode_is_not_replayed_under_another() {
    let folder = folder();
    let text = "var x: int := 0;\nproc p() { x := x + 1; assert x < 2; }\nproc main() { post p(); post p(); }\n";
    let replayed = |text: &str, mode: &str| {
        std::fs::write(folder.path().join("two.async"), text).unwrap();
        dbverify(&["two.async", "--trace-out", "t"], folder.path());
        dbverify(
            &["replay", "two.async", "t", "--preempt", mode],
            folder.path(),
        )
    };
    let stated = format!("preempt access;\n{text}");
    for (text, own, other) in [(text, "yield", "access"), (&*stated, "access", "yield")] {
        assert_eq!(replayed(text, own).status.code(), Some(1), "{text}");
        let other = replayed(text, other);
        assert_eq!(other.status.code(), Some(2), "{text}");
        assert!(stderr(&other).contains("another preemption mode"));
    }
}

#[test]
fn emit_says_what_it_wants_and_writes_all_or_nothing() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.async"), "proc").unwrap();
    let emit = |args: &[&str]| dbverify(&[&["emit"], args].concat(), folder.path());
    for args in [
        &["p.async"][..],
        &["--seq"],
        &["--check", "no", "p.async"],
        &["--write", "out", "p.async", "./p.async"],
        &["--write", "out", "p.async", "bad.async"],
    ] {
        let output = emit(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{args:?}: {output:?}");
        assert_eq!(names(folder.path()), ["bad.async", "p.async"], "{args:?}");
    }
    let usage = stderr(&emit(&["p.async"]));
    assert!(usage.contains("<--check <DIR>|--write <DIR>>"), "{usage}");
    assert_eq!(emit(&["--write", "out", "p.async"]).status.code(), Some(0));
}

#[test]
fn numbers_below_zero_are_numbers() {
    let folder = folder();
    for option in ["--delays", "--unroll", "--timeout", "--memory"] {
        let output = dbverify(&["p.async", option, "-1"], folder.path());
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("invalid value '-1'"), "{option}: {said}");
    }
    let output = dbverify(&["p.async", "--emit-seq", "--html", "x"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot be used with"));
}
