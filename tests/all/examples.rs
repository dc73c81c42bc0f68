//! The examples are tests: the header of each file says how to run it and which verdict it must have. `dbverify test` reads it.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use serde_json::Value;

const FOLDERS: [&str; 3] = [
    "examples/async-programs",
    "examples/course",
    "examples/proofs",
];
const C_PROGRAMS: &str = "examples/c-programs";
const MEMORY: &str = "examples/memory";

fn dbverify(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn every_example_has_its_verdict() {
    FOLDERS.iter().for_each(|folder| all_have_theirs(folder));
    all_have_theirs(C_PROGRAMS);
    all_have_theirs(MEMORY);
}

fn all_have_theirs(folder: &str) {
    let output = dbverify(&["test", folder, "--jobs", "2", "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = answer["files"].as_array().unwrap();
    let runs = files.iter().flat_map(|f| f["runs"].as_array().unwrap());
    let unexpected: Vec<&Value> = runs.filter(|r| r["outcome"] != "passed").collect();
    assert_eq!(unexpected, [&Value::Null; 0], "{answer:#}");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // No file is forgotten.
    assert_eq!(answer["untested_files"], 0);
    let tested: BTreeSet<&str> = files.iter().map(|f| f["file"].as_str().unwrap()).collect();
    let there = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    assert_eq!(
        tested.len(),
        there
            .filter(|p| p.extension().is_some_and(|e| e == "async" || e == "c"))
            .count()
    );
}

#[test]
fn every_example_is_in_the_standard_format() {
    for folder in FOLDERS {
        let output = dbverify(&["fmt", "--check", folder]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}
