//! `dbverify test`: it runs the lines in the headers of programs, and reports on them in each format.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const BUGGY: &str = "var x: int := 0;\nproc add() {\n  let old = x;\n  yield;\n  x := old + 1;\n}\n\
                     proc main() {\n  post add();\n  post add();\n}\nfinally {\n  assert x == 2, \"<lost> & found\";\n}\n";

fn test(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let command = command.current_dir(folder).arg("test").args(args);
    command.env("COLUMNS", "80").output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with one program of each fate.
fn fates() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    for (name, header) in [
        (
            "deep/good.async",
            "// run: --delays 0\n// expect: safe\n// run: explore\n// expect: bug assertion line 18\n\
             //run: verify --delays 1\n//expect: bug\n",
        ),
        ("differs.async", "// run: explore\n// expect: safe\n"),
        (
            "open.async",
            "// run: explore --max-steps 1\n// expect: safe\n",
        ),
        ("silent.async", ""),
        ("typo.async", "// run: explore --delay 1\n// expect: safe\n"),
        ("words.async", "// run: explore\n// expect: fine\n"),
    ] {
        std::fs::write(folder.path().join(name), format!("{header}{BUGGY}")).unwrap();
    }
    std::fs::write(
        folder.path().join("syntax.async"),
        "// run: check\n// expect: error syntax line 4\n// run: explore\n\n// expect: error\nproc main( {}\n",
    )
    .unwrap();
    folder
}

fn syntax_line(folder: &Path) {
    let path = folder.join("syntax.async");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, text.replace("line 4", "line 6")).unwrap();
}

/// The seconds are no matter of a test.
fn timeless(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in &mut lines {
        if let Some(at) = line.rfind("; ").filter(|_| line.ends_with(" s")) {
            line.truncate(at);
        }
    }
    lines.join("\n")
}

#[test]
fn every_fate_is_told() {
    let folder = fates();
    syntax_line(folder.path());
    let output = test(folder.path(), &["--jobs", "2"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(timeless(&stdout(&output)));
    assert_eq!(stderr(&output), "");
}

#[test]
fn the_worst_fate_is_the_exit_status() {
    let folder = fates();
    for (files, status) in [
        (&["deep"][..], 0),
        (&["deep", "differs.async", "typo.async"], 1),
        (&["deep", "typo.async", "open.async"], 2),
        (&["words.async"], 2),
        // The line of the error is another one.
        (&["syntax.async"], 1),
        (&["open.async"], 3),
        (&["silent.async"], 2),
        (&["no-such.async"], 2),
        (&["-"], 2),
    ] {
        let output = test(folder.path(), files);
        assert_eq!(output.status.code(), Some(status), "{files:?}: {output:?}");
    }
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let output = test(folder.path(), &["empty"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is nothing to run in empty"));
}

/// A file that is no text hinders no other.
#[test]
fn a_file_that_cannot_be_read_is_one_wrong_line() {
    let folder = tempfile::tempdir().unwrap();
    let good = b"// run: explore\n// expect: safe\nproc main() {}\n";
    std::fs::write(folder.path().join("good.async"), good).unwrap();
    std::fs::write(
        folder.path().join("bytes.async"),
        b"proc main() {} // \xff\n",
    )
    .unwrap();
    for (format, good, wrong) in [
        ("text", "1 as expected, 1 wrong", "WRONG  bytes.async:1\n"),
        (
            "json",
            "\"passed\":1",
            "\"file\":\"bytes.async\",\"problems\":[{\"line\":1,",
        ),
        (
            "junit",
            "classname=\"good.async\"",
            "name=\"line 1\" classname=\"bytes.async\"",
        ),
        (
            "github",
            "1 as expected",
            "::error file=bytes.async,line=1,",
        ),
        (
            "sarif",
            "\"executionSuccessful\":false",
            "\"text\":\"bytes.async:1: ",
        ),
    ] {
        let output = test(folder.path(), &["--format", format]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = stdout(&output);
        assert!(said.contains(good) && said.contains(wrong), "{said}");
        assert!(said.contains("the file is not UTF-8"), "{said}");
        assert_eq!(stderr(&output), "");
    }
    let output = dbverify(folder.path(), &["check", "."]);
    assert!(stderr(&output).contains("bytes.async: the file is not UTF-8"));
}

/// A bug before the first step of all has no trace to show.
#[test]
fn a_deadlock_at_the_beginning_is_as_expected() {
    let folder = tempfile::tempdir().unwrap();
    let text = "// run: explore\n// expect: bug deadlock\nvar a: bool := false;\nproc main() { await a; }\n";
    std::fs::write(folder.path().join("stuck.async"), text).unwrap();
    for format in ["text", "sarif"] {
        let output = test(folder.path(), &["--format", format]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn a_verdict_that_was_cut_does_not_count_if_so_asked() {
    let folder = tempfile::tempdir().unwrap();
    let text = "// run: --engine smt --unroll 2\n// expect: safe\n\
                var x: 0..50;\nproc main() {\n  while x > 0 {\n    x := x - 1;\n  }\n}\n";
    std::fs::write(folder.path().join("loop.async"), text).unwrap();
    assert_eq!(test(folder.path(), &[]).status.code(), Some(0));
    let output = test(folder.path(), &["--require-exhaustive"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stdout(&output).contains("--require-exhaustive"));
}

#[test]
fn json_has_every_run() {
    let folder = fates();
    let output = test(folder.path(), &["--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (key, count) in [
        ("runs", 7),
        ("passed", 4),
        ("failed", 2),
        ("undecided", 1),
        ("broken", 2),
        ("untested_files", 1),
    ] {
        // One of the broken ones is a line, not a run.
        let expected = if key == "runs" { count + 1 } else { count };
        assert_eq!(json[key], expected, "{key}: {json:#}");
    }
    assert_eq!(json["files"][0]["file"], "deep/good.async");
    assert_eq!(
        json["files"][0]["runs"][1]["found"],
        "bug assertion line 18"
    );
}

#[test]
fn junit_is_well_formed() {
    let folder = fates();
    let output = test(
        folder.path(),
        &["differs.async", "deep", "--format", "junit"],
    );
    let text = stdout(&output);
    assert!(text.starts_with("<?xml version=\"1.0\""), "{text}");
    assert!(
        text.contains("tests=\"4\" skipped=\"0\" failures=\"1\" errors=\"0\""),
        "{text}"
    );
    assert!(
        text.contains("<testcase name=\"line 1: explore\" classname=\"differs.async\""),
        "{text}"
    );
    assert!(text.contains("&lt;lost&gt; &amp; found"), "{text}");
}

/// If nothing is run, each format has a document that says so.
#[test]
fn why_nothing_is_run_is_told_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plain.async"), BUGGY).unwrap();
    for (args, word) in [
        (&["."][..], "nothing to run in ."),
        (&["nosuch"], "cannot read nosuch"),
        (&["plain.async"], "plain.async says nothing"),
        (&[".", "--jobs", "0"], "--jobs"),
    ] {
        let said = |format: &str| {
            let output = test(folder.path(), &[args, &["--format", format]].concat());
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            stdout(&output)
        };
        let xml = said("junit");
        assert!(xml.starts_with("<?xml version"), "{xml}");
        assert!(xml.contains("errors=\"1\"") && xml.contains(word), "{xml}");
        let line = said("github");
        assert!(line.starts_with("::error title=dbverify test::"), "{line}");
        assert!(line.contains(word) && line.ends_with('\n'), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
        let json: Value = serde_json::from_str(&said("json")).unwrap();
        let told = json["diagnostics"][0]["message"].as_str().unwrap();
        assert!(told.contains(word), "{told}");
        let log: Value = serde_json::from_str(&said("sarif")).unwrap();
        let run = &log["runs"][0]["invocations"][0];
        assert_eq!(run["executionSuccessful"], false, "{log}");
    }
}

/// An error that is expected is one of the program. An option that does not exist says nothing about it.
#[test]
fn a_line_that_cannot_be_read_is_never_as_expected() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("// run: check --nope\n// expect: error\n{BUGGY}");
    std::fs::write(folder.path().join("typo.async"), text).unwrap();
    for format in ["text", "sarif"] {
        let output = test(folder.path(), &["--format", format]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = stdout(&output);
        assert!(said.contains("unexpected argument '--nope'"), "{said}");
    }
}

#[test]
fn github_sees_the_line() {
    let folder = fates();
    let output = test(
        folder.path(),
        &["differs.async", "open.async", "--format", "github"],
    );
    let text = stdout(&output);
    let begin = "::error file=differs.async,line=2,title=dbverify test::`explore`: expected safe, found bug assertion line 14: ";
    assert!(text.starts_with(begin), "{text}");
    assert!(text.contains("::warning file=open.async,line=2,"), "{text}");
}

#[test]
fn sarif_has_the_bugs_with_their_traces() {
    let folder = fates();
    let output = test(folder.path(), &[".", "--format", "sarif"]);
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let of = |rule: &str| {
        results
            .iter()
            .filter(|r| r["ruleId"] == rule)
            .collect::<Vec<_>>()
    };
    // Bugs that are expected are no findings.
    let [bug] = of("assertion")[..] else {
        panic!("{log:#}")
    };
    let uri = "/locations/0/physicalLocation/artifactLocation/uri";
    assert_eq!(bug.pointer(uri).unwrap(), "differs.async");
    assert!(bug["codeFlows"].is_array());
    assert_eq!(of("expectation").len(), 5, "{log:#}");
}

/// A run without an answer has failed. A run that differs from its line has an answer.
#[test]
fn sarif_says_which_runs_have_no_answer() {
    let folder = fates();
    for (files, told) in [
        (&["deep"][..], None),
        (&["differs.async"], None),
        (
            &["open.async"],
            Some("open.async:2: `explore --max-steps 1`: expected safe, found inconclusive"),
        ),
        (
            &["typo.async"],
            Some("typo.async:2: `explore --delay 1` gives no answer"),
        ),
        (
            &["words.async"],
            Some("words.async:2: `fine` is no verdict"),
        ),
    ] {
        let output = test(folder.path(), &[files, &["--format", "sarif"]].concat());
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        let run = &log["runs"][0]["invocations"][0];
        assert_eq!(run["executionSuccessful"], told.is_none(), "{log}");
        let text = run["toolExecutionNotifications"].to_string();
        assert!(text.contains(told.unwrap_or("[]")), "{text}");
    }
}

/// Runs another command in a folder.
fn dbverify(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    command.current_dir(folder).args(args).output().unwrap()
}

/// A line is about its own file. Its paths mean what they mean on a command line.
#[test]
fn other_files_of_a_line_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, header: &str, text: &str| {
        let text = format!("// run: explore {header}\n// expect: safe\n{text}");
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    write("dash.async", "-", "proc main() { skip; }");
    write("two.c", "nowhere.c", "int main(void) { return 0; }");
    let output = test(folder.path(), &["dash.async"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("standard input"), "{output:?}");
    let output = test(folder.path(), &["two.c", "--format", "json"]);
    let said = stdout(&output);
    let here = folder.path().canonicalize().unwrap();
    assert!(
        said.contains(&format!("runs in {}", here.display())),
        "{said}"
    );
}

#[test]
fn folders_are_checked_and_formatted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("deep/ugly.async", "proc main(){skip;}");
    write("good.async", "proc main() {\n  skip;\n}\n");
    write("notes.txt", "none of ours");
    let status = |args: &[&str]| dbverify(folder.path(), args).status.code();
    assert_eq!(status(&["check", "."]), Some(0));
    std::fs::create_dir(folder.path().join("none")).unwrap();
    let output = dbverify(folder.path(), &["check", "none"]);
    assert!(stderr(&output).contains("no program in none"), "{output:?}");
    let output = dbverify(folder.path(), &["fmt", "--check", "."]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stdout(&output),
        "deep/ugly.async is not in the standard format\n"
    );
    // Several programs are not run together on the screen.
    assert_eq!(status(&["fmt", "."]), Some(2));
    assert_eq!(status(&["fmt", "--write", "good.async", "deep"]), Some(0));
    assert_eq!(status(&["fmt", "--check", "."]), Some(0));
    write("wrong.async", "proc main() { x := 1; }");
    write("broken.async", "proc main( {");
    let output = dbverify(
        folder.path(),
        &["check", "good.async", ".", "no-such.async"],
    );
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    for words in [
        "broken.async:1",
        "wrong.async:1",
        "cannot read no-such.async",
    ] {
        assert!(said.contains(words), "{said}");
    }
    // An error in one program does not keep the others from being formatted.
    assert_eq!(status(&["fmt", "--write", "."]), Some(2));
    let wrong = std::fs::read_to_string(folder.path().join("wrong.async")).unwrap();
    assert_eq!(wrong, "proc main() {\n  x := 1;\n}\n");
}

#[test]
fn standard_input_is_not_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let output = dbverify(folder.path(), &["fmt", "-", "--write"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("leave out --write"));
}

#[test]
fn what_is_never_used_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let text = "var x: int;\nproc p(a: int) {\n  skip;\n}\nproc main() {\n  post p(1);\n}\n";
    std::fs::write(folder.path().join("unused.async"), text).unwrap();
    let output = dbverify(
        folder.path(),
        &["check", "unused.async", "--format", "json"],
    );
    assert_eq!(output.status.code(), Some(0));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = json["diagnostics"].as_array().unwrap();
    let list: Vec<_> = list.iter().map(|d| (&d["code"], &d["line"])).collect();
    assert_eq!(
        format!("{list:?}"),
        r#"[(String("unused"), Number(1)), (String("unused"), Number(2))]"#
    );
    // A command that gives a verdict does not warn of unused names.
    let output = dbverify(folder.path(), &["unused.async"]);
    assert_eq!(stderr(&output), "");
}

#[test]
fn what_is_wrong_is_said_in_few_words() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, words) in [
        (
            "fine.async",
            "// run: check\n// expect: error\nproc main() { skip; }\n",
            "found     ok\n",
        ),
        (
            "kind.async",
            "// run: explore\n// expect: bug foo\nproc main() { skip; }\n",
            "no kind `foo` of bugs",
        ),
        (
            "broken.c",
            "// run: run\n// expect: bug\nint main(void) {\n  int = 3;\n}\n",
            "error: expected",
        ),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        if name == "broken.c" && !super::native::can("gcc") {
            continue;
        }
        let output = test(folder.path(), &[name]);
        let said = stdout(&output).replace("\n                 ", " ");
        assert_ne!(output.status.code(), Some(0), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
}
