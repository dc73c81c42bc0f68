//! Every kind of error has its page, and the page's program gives that kind with the command beside it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use dbverify::ir::ErrorKind;

fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    child.wait_with_output().unwrap()
}

fn stdout(output: Output) -> String {
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_kind_has_a_page_whose_program_shows_it() {
    for kind in ErrorKind::ALL {
        let kind = kind.name();
        let page = run(&["explain", kind], "");
        assert_eq!(page.status.code(), Some(0), "{kind}");
        let page = stdout(page);
        let program = stdout(run(&["explain", kind, "--example"], ""));
        let tried = page.lines().find(|l| l.starts_with("Try it: ")).unwrap();
        if program.contains("#include") {
            let (_, tried) = tried
                .trim_end_matches('`')
                .split_once("it.c; dbverify explore it.c")
                .unwrap();
            a_c_program_shows_it(kind, &program, tried);
            continue;
        }
        let (_, command) = tried
            .trim_end_matches('`')
            .split_once("| dbverify ")
            .unwrap();
        let args: Vec<&str> = command.split(' ').chain(["--format", "json"]).collect();
        let answer = run(&args, &program);
        // A `cover` that is reached is no error.
        let status = i32::from(kind != "cover");
        assert_eq!(answer.status.code(), Some(status), "{kind}: {answer:?}");
        let answer: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
        assert_eq!(answer["error"]["kind"], kind);
        let formatted = run(&["fmt", "-", "--check"], &program);
        assert_eq!(
            formatted.status.code(),
            Some(0),
            "{kind}: not in the standard format"
        );
        // The checker reports a false declaration.
        let checked = run(&["check", "-"], &program);
        assert!(
            kind == "object" || checked.stderr.is_empty(),
            "{kind}: {checked:?}"
        );
    }
}

/// A C program is known by the name of its file.
fn a_c_program_shows_it(kind: &str, program: &str, more: &str) {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("it.c");
    std::fs::write(&file, program).unwrap();
    let file = file.to_str().unwrap();
    let args: Vec<&str> = ["explore", file, "--format", "json"]
        .into_iter()
        .chain(more.split_whitespace())
        .collect();
    let answer = run(&args, "");
    assert_eq!(answer.status.code(), Some(1), "{kind}: {answer:?}");
    let answer: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(answer["error"]["kind"], kind);
}

#[test]
fn the_list_and_wrong_kinds() {
    let list = stdout(run(&["explain"], ""));
    for kind in ErrorKind::ALL {
        assert!(list.lines().any(|l| l == kind.name()), "{list}");
    }
    insta::assert_snapshot!(list);
    let wrong = run(&["explain", "liveloc"], "");
    assert_eq!(wrong.status.code(), Some(2));
    let message = String::from_utf8(wrong.stderr).unwrap();
    assert!(message.contains("did you mean `livelock`?"), "{message}");
    // The codes of complaints about a text have no pages.
    let code = run(&["explain", "unknown-name"], "");
    assert_eq!(code.status.code(), Some(2));
    let message = String::from_utf8(code.stderr).unwrap();
    assert!(
        message.contains("`error[unknown-name]` or `warning[unknown-name]` before a message"),
        "{message}"
    );
}
