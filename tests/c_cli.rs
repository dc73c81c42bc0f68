//! C programs on the command line: they are checked, and no command gives a verdict about one.

use std::process::{Command, Output};

use tempfile::TempDir;

const RIGHT: &str = "int x; int main(void) { x = 1; return 0; }\n";
const WRONG: &str = "int main(void) {\n  return missing;\n}\n";

fn run(command: &[&str], name: &str, text: &str) -> (Output, TempDir) {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join(name), text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(command)
        .arg(name)
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    (output, folder)
}

fn said(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8(both).expect("text")
}

#[test]
fn a_program_is_checked() {
    let (output, _folder) = run(&["check"], "it.i", RIGHT);
    assert_eq!(
        (output.status.code(), said(&output)),
        (Some(0), String::new())
    );
    let (output, _folder) = run(&["check"], "it.i", WRONG);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("it.i:2:10"), "{}", said(&output));
}

#[test]
fn programs_are_verified_and_not_formatted() {
    for command in [&["verify"][..], &["explore"], &[]] {
        let (output, _folder) = run(command, "it.i", RIGHT);
        assert_eq!(output.status.code(), Some(0), "{command:?}");
    }
    let (output, _folder) = run(&["fmt"], "it.i", RIGHT);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("C programs are not formatted"));
}
