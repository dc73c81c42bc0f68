//! The command line as a user meets it: exit status, the two outputs, wrong input of every sort.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn dbverify(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .output()
        .unwrap()
}

/// Runs with a text on standard input.
fn piped(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that answers before it has read everything is fine.
    drop(child.stdin.take().unwrap().write_all(input));
    child.wait_with_output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("an exit status, not a signal")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}{}", stdout(output), stderr(output)))
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let shown = path.to_str().unwrap().to_owned();
    (path, shown)
}

const RACE: &str = "\
var x: 0..9 := 0;

proc add() {
  var t: int := x;
  yield;
  x := t + 1;
}

proc main() {
  post add();
  post add();
}

finally {
  assert x == 2, \"an increment is lost\";
}
";

#[test]
fn a_bug_is_found_shown_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (_, program) = file(&folder, "race.async", RACE);
    let trace = folder.path().join("trace.json");
    for command in [
        vec!["verify"],
        vec!["explore"],
        vec!["explore", "--delays", "1"],
        vec!["verify", "--engine", "explicit"],
    ] {
        let mut args = command.clone();
        args.insert(1, &program);
        args.extend(["--trace-out", trace.to_str().unwrap()]);
        let output = dbverify(&args);
        assert_eq!(
            status(&output),
            1,
            "{command:?}: {}{}",
            stdout(&output),
            stderr(&output)
        );
        assert!(
            stdout(&output).contains("an increment is lost"),
            "{}",
            stdout(&output)
        );
        let output = dbverify(&["replay", &program, trace.to_str().unwrap()]);
        assert_eq!(
            status(&output),
            1,
            "{command:?}: {}{}",
            stdout(&output),
            stderr(&output)
        );
        assert!(
            stdout(&output).contains("an increment is lost"),
            "{}",
            stdout(&output)
        );
    }
    let (_, changed) = file(&folder, "changed.async", &RACE.replace("t + 1", "t + 2"));
    let output = dbverify(&["replay", &changed, trace.to_str().unwrap()]);
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("line 6 was `x := t + 1;` and is `x := t + 2;`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn json_is_one_object_with_the_agreed_keys() {
    for args in [
        &["explore", "-", "--finals"][..],
        &["-", "--finals"],
        &["-", "--delays", "0"],
    ] {
        let mut args = args.to_vec();
        args.extend(["--format", "json"]);
        let output = piped(&args, RACE.as_bytes());
        let answer = json(&output);
        assert_eq!(answer["schema"], "dbverify/1");
        assert_eq!(answer["file"], "<stdin>");
        for key in ["version", "engine", "verdict", "bounds", "stats"] {
            assert!(!answer[key].is_null(), "{args:?}: {key}: {answer}");
        }
        assert!(answer["bounds"]["exhaustive"].is_boolean(), "{answer}");
        assert!(answer["stats"]["seconds"].is_number(), "{answer}");
        if answer["verdict"] == "bug" {
            assert_eq!(
                (&answer["error"]["kind"], &answer["error"]["line"]),
                (&"assertion".into(), &15.into())
            );
            let step = &answer["trace"][0];
            for key in ["task", "proc", "round", "action", "changed"] {
                assert!(!step[key].is_null(), "{key}: {step}");
            }
        }
        assert_eq!(status(&output), i32::from(answer["verdict"] == "bug"));
    }
}

#[test]
fn without_delays_the_increments_are_safe() {
    let output = piped(&["-", "--delays", "0"], RACE.as_bytes());
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let output = piped(&["-", "--delays", "0..3"], RACE.as_bytes());
    assert_eq!(status(&output), 1, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn emitters_print_programs() {
    let seq = piped(&["-", "--emit-seq", "--delays", "1"], RACE.as_bytes());
    assert_eq!(status(&seq), 0, "{}", stderr(&seq));
    let again = piped(&["-"], &seq.stdout);
    assert_eq!(status(&again), 1, "{}{}", stdout(&again), stderr(&again));
    assert!(stdout(&piped(&["-", "--emit-boogie"], RACE.as_bytes())).contains("procedure"));
}

#[test]
fn wrong_command_lines_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (_, program) = file(&folder, "race.async", RACE);
    for args in [
        &[][..],
        &["no-such-file.async"],
        &["explore", folder.path().to_str().unwrap()],
        &[&program, "--delays", "-1"],
        &[&program, "--delays", "4..0"],
        &[&program, "--unroll", "x"],
        &[&program, "--scheduler", "bag"],
        &[&program, "--frobnicate"],
        &[&program, "--emit-seq", "--emit-smt"],
        &["explore", &program, "--scheduler", "bag", "--delays", "1"],
        &[
            "explore",
            &program,
            "--scheduler",
            "dfs",
            "--preemptions",
            "1",
        ],
        &["explore", &program, "--jobs", "0"],
        &["explore", &program, "--timeout", "0"],
        &["replay", &program, "no-such-trace.json"],
        &["replay", &program, &program],
    ] {
        let output = dbverify(args);
        assert_eq!(
            status(&output),
            2,
            "{args:?}: {}{}",
            stdout(&output),
            stderr(&output)
        );
        assert!(!stderr(&output).is_empty(), "{args:?}");
        assert!(
            !stderr(&output).contains("panicked"),
            "{args:?}: {}",
            stderr(&output)
        );
    }
    assert_eq!(status(&dbverify(&["--help"])), 0);
    assert_eq!(status(&dbverify(&["--version"])), 0);
}

#[test]
fn no_text_breaks_it() {
    let deep = |open: &str, close: &str| {
        format!(
            "proc main() {{ x := {}1{}; }}",
            open.repeat(100_000),
            close.repeat(100_000)
        )
    };
    let inputs: Vec<(&str, Vec<u8>)> = vec![
        ("empty", b"".to_vec()),
        ("invalid UTF-8", b"proc main() { \xff\xfe }".to_vec()),
        ("NUL", b"proc main() { \0 }".to_vec()),
        ("only a BOM", b"\xef\xbb\xbf".to_vec()),
        (
            "unterminated comment",
            b"proc main() {} /* for ever".to_vec(),
        ),
        (
            "unterminated string",
            b"proc main() { assert true, \"for ever".to_vec(),
        ),
        (
            "long number",
            format!("const N := {};", "9".repeat(1000)).into_bytes(),
        ),
        ("parentheses", deep("(", ")").into_bytes()),
        ("open parentheses", deep("(", "").into_bytes()),
        ("not", deep("!", "").into_bytes()),
        ("minus", deep("- ", "").into_bytes()),
        ("brackets", deep("[", "]").into_bytes()),
        (
            "blocks",
            format!(
                "proc main() {{ {} {} }}",
                "atomic {".repeat(100_000),
                "}".repeat(100_000)
            )
            .into_bytes(),
        ),
        (
            "else if",
            format!(
                "proc main() {{ {} {{}} }}",
                "if true {} else ".repeat(100_000)
            )
            .into_bytes(),
        ),
        (
            "sum",
            format!("const N := {}1;", "1 + ".repeat(100_000)).into_bytes(),
        ),
        (
            "types",
            format!("var x: {}int;", "[1]".repeat(100_000)).into_bytes(),
        ),
        (
            "implications",
            format!("const B := {}true;", "true ==> ".repeat(100_000)).into_bytes(),
        ),
    ];
    for (name, text) in &inputs {
        for command in ["check", "fmt", "explore", "verify"] {
            let output = piped(&[command, "-"], text);
            let code = status(&output);
            assert!(
                !stderr(&output).contains("panicked"),
                "{command} {name}: {}",
                stderr(&output)
            );
            let fine = code == 2 || (command == "fmt" && code == 0);
            assert!(fine, "{command} {name}: exit status {code}");
            assert!(code == 0 || !stderr(&output).is_empty(), "{command} {name}");
            assert!(
                output.stderr.len() < 200_000,
                "{command} {name}: {} bytes of complaints",
                output.stderr.len()
            );
        }
    }
}

#[test]
fn line_breaks_and_byte_order_marks_of_other_systems_are_fine() {
    let text = format!("\u{feff}{}", RACE.replace('\n', "\r\n"));
    let output = piped(&["check", "-"], text.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
}

#[test]
fn errors_of_the_input_are_data_when_asked_for() {
    let output = piped(
        &["check", "-", "--format", "json"],
        b"proc main() { y := 1; z := 2; }",
    );
    assert_eq!(status(&output), 2);
    let list = json(&output)["diagnostics"].as_array().unwrap().clone();
    assert_eq!(list.len(), 2, "{list:?}");
    assert_eq!(list[0]["line"], 1);
    let output = piped(&["-", "--format", "sarif"], b"proc main() { y := 1; }");
    assert_eq!(json(&output)["runs"][0]["results"][0]["level"], "error");
}

#[test]
fn exploration_says_which_value_it_cannot_try() {
    for (text, named) in [
        (
            "var x: int := *; proc main() { assert x > 3; }",
            "`x` may be any `int`",
        ),
        (
            "proc main() { var x: int; assert x > 3; }",
            "`x` may be any `int`",
        ),
        (
            "proc p(x: int) { assert x > 3; } proc main() { post p(*); }",
            "a `*` may be any `int`",
        ),
    ] {
        let output = piped(&["explore", "-", "--values", "numbers"], text.as_bytes());
        assert_eq!(status(&output), 3, "{text}: {}", stdout(&output));
        assert!(
            stdout(&output).contains(named),
            "{text}: {}",
            stdout(&output)
        );
    }
}

#[test]
fn exploration_follows_values_that_may_be_anything() {
    let text = b"var n: int; proc p() { if n > 41 { yield; assert n != 42; } } proc main() { post p(); post p(); }";
    let output = piped(&["explore", "-", "--format", "json"], text);
    assert_eq!(status(&output), 1, "{}", stdout(&output));
    let answer = json(&output);
    assert_eq!(answer["error"]["kind"], "assertion");
    assert_eq!(answer["bounds"]["values"], "terms");
    // Sums that are compared need no solver; a product does.
    assert_eq!(answer["stats"]["questions"], 0);
    let product = String::from_utf8_lossy(text).replace("n != 42", "n * n != 1849");
    let output = piped(&["explore", "-", "--format", "json"], product.as_bytes());
    assert_eq!(status(&output), 1, "{}", stdout(&output));
    let asked = json(&output);
    assert!(asked["stats"]["questions"].as_u64().is_some_and(|n| n > 0));
    let inputs = answer["trace"].to_string();
    assert!(inputs.contains("\"42\""), "{inputs}");
    let any = piped(&["-", "--delays", "any", "--format", "json"], text);
    assert_eq!(json(&any)["engine"], "explicit", "{}", stdout(&any));
    let safe = String::from_utf8_lossy(text).replace("n != 42", "n > 41");
    let output = piped(&["explore", "-"], safe.as_bytes());
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("in any schedule, for any values"));
}

#[test]
fn no_walk_at_all_is_no_verdict() {
    let output = piped(
        &["explore", "-", "--strategy", "random", "--runs", "0"],
        b"proc main() { assert false; }",
    );
    assert_eq!(status(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("--runs"), "{}", stderr(&output));
}

#[test]
fn a_file_that_is_no_program_is_said_what_to_do_with() {
    let folder = tempfile::tempdir().unwrap();
    let c = "#include <pthread.h>\nint main(void) { return 0; }\n";
    let needs = "#include <unistd.h>\n#include <sys/socket.h>\n\
                 int main(void) { fork(); return socketpair(1, 2, 3, 0); }\n";
    let jumps = "#include <setjmp.h>\nint main(void) { jmp_buf b; do ; while (setjmp(b)); }\n";
    let include = "#include <glib.h>\nint main(void) { return 0; }\n";
    for (command, name, text, words) in [
        (
            "explore",
            "q.h",
            "#pragma once\n",
            "q.h: a header is no program: name the `.c` files",
        ),
        (
            "explore",
            "q.cpp",
            "int main() {}\n",
            "q.cpp: C++ is not read",
        ),
        (
            "check",
            "q.pml",
            "init { skip }\n",
            "models (.async) and C (.c, .i) are read",
        ),
        (
            "explore",
            "n.c",
            needs,
            "`socketpair` of the C library is not modelled",
        ),
        (
            "explore",
            "n.c",
            needs,
            "define it in the program, or `--stub socketpair`",
        ),
        ("explore", "n.c", needs, "or `--stub fork`"),
        ("explore", "j.c", jumps, "hint: `setjmp` of our `<set"),
        ("explore", "i.c", include, "in those of `-I FOLDER`"),
        (
            "explore",
            "o.c",
            "int f(void) { return 0; }\n",
            "no file has a function `main`",
        ),
        ("run", "s.c", c, "s.c is a source: `dbverify cc gcc"),
    ] {
        let (_, shown) = file(&folder, name, text);
        let output = dbverify(&[command, &shown]);
        assert_eq!(status(&output), 2, "{name}");
        assert!(
            stderr(&output).contains(words),
            "{words}: {}",
            stderr(&output)
        );
    }
}
