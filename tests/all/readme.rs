//! README.md is true: the test runs its commands, and checks its program.

use std::process::Command;

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// The fenced blocks of a page.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```\n").skip(1).step_by(2).collect()
}

fn run(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_shown_run_is_a_real_one() {
    let page = readme();
    let shown: Vec<&str> = blocks(&page)
        .into_iter()
        .filter(|b| b.starts_with("$ dbverify "))
        .collect();
    assert!(!shown.is_empty());
    for block in shown {
        let (command, expected) = block.split_once('\n').unwrap();
        let args: Vec<&str> = command.split(' ').skip(2).collect();
        let output = run(&args);
        // The last line tells figures of time.
        let (output, _) = output.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(output.trim_end(), expected.trim_end(), "{command}");
    }
}

#[test]
fn the_shown_program_is_one() {
    let page = readme();
    let program = blocks(&page)
        .into_iter()
        .find(|b| b.starts_with("use sync;"))
        .expect("the language in a page");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.async");
    std::fs::write(&path, program).unwrap();
    assert_eq!(run(&["check", path.to_str().unwrap()]), "");
}
