//! The meaning of C programs: small programs with known verdicts, in the explicit engine.

use std::path::Path;
use std::process::Command;

/// Safe, a bug, or refused as not supported.
const SAFE: i32 = 0;
const BUG: i32 = 1;
const REFUSED: i32 = 2;
const INCONCLUSIVE: i32 = 3;

const PROGRAMS: [(&str, i32); 26] = [
    ("lost.c", BUG),
    ("locked.c", SAFE),
    ("end2.c", BUG),
    ("end3.c", SAFE),
    ("types.c", SAFE),
    ("div.c", BUG),
    ("idx.c", BUG),
    ("dead.c", BUG),
    ("atomic.c", SAFE),
    ("atomic_bad.c", BUG),
    ("shadow.c", SAFE),
    ("nondet.c", BUG),
    ("nondet_ok.c", SAFE),
    ("uninit.c", BUG),
    ("spin.c", BUG),
    ("exitmain.c", BUG),
    ("relock.c", BUG),
    ("unlock.c", SAFE),
    ("ptr.c", SAFE),
    ("abort.c", SAFE),
    ("section.c", SAFE),
    ("copy.c", SAFE),
    ("number_as_thread.c", REFUSED),
    ("key_too_early.c", BUG),
    ("late_handler.c", INCONCLUSIVE),
    ("exit_of_a_thread.c", SAFE),
];

#[test]
fn small_programs_have_their_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/lower");
    for (name, expected) in PROGRAMS {
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .args(["explore", "--timeout", "60", name])
            .current_dir(&folder)
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(expected), "{name}: {said}");
    }
}

#[test]
fn what_is_not_computed_is_refused_at_its_line() {
    for at in ["number_as_thread.c:5:", "constant_of_long_double.c:2:"] {
        let name = at.split(':').next().expect("a file's name");
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .args(["check", name])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/lower"))
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(at), "{said}");
    }
}
