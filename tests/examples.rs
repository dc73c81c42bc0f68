//! The examples are tests: each file of `examples/async-programs/` says in its header how it is run and what
//! must come out, as pairs of lines
//!
//! ```text
//! // run: explore --scheduler dfs --delays 1
//! // expect: bug assertion line 17
//! ```
//!
//! where `verify` is the default command, and what is expected is `safe`, `bug KIND`, `bug KIND line N` or `inconclusive`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

struct Expectation {
    file: PathBuf,
    options: Vec<String>,
    expected: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/async-programs")
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the examples are there")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "async"))
        .collect();
    files.sort();
    files
}

fn expectations(file: &Path) -> Vec<Expectation> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut found = Vec::new();
    let mut run: Option<&str> = None;
    for line in text.lines() {
        if let Some(options) = line.strip_prefix("// run: ") {
            assert_eq!(run, None, "{}: `run` without `expect`", file.display());
            run = Some(options);
        } else if let Some(expected) = line.strip_prefix("// expect: ") {
            let options = run
                .take()
                .unwrap_or_else(|| panic!("{}: `expect` without `run`", file.display()));
            let options = options.split_whitespace().map(str::to_owned).collect();
            found.push(Expectation {
                file: file.to_owned(),
                options,
                expected: expected.trim().to_owned(),
            });
        }
    }
    assert!(
        !found.is_empty() && run.is_none(),
        "{}: the header states no expected verdict",
        file.display()
    );
    found
}

/// Runs one line of a header; says what differs.
fn check(expectation: &Expectation) -> Result<(), String> {
    let name = expectation.file.file_name().unwrap().to_string_lossy();
    let what = format!("{name}: {}", expectation.options.join(" "));
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .arg(&expectation.options[0])
        .arg(&expectation.file)
        .args(&expectation.options[1..])
        .args(["--format", "json"])
        .output()
        .map_err(|error| format!("{what}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let json: Value =
        serde_json::from_str(&text).map_err(|_| format!("{what}: no answer: {text}{errors}"))?;
    let found = match json["verdict"].as_str() {
        Some("bug") => {
            let error = &json["error"];
            let kind = error["kind"].as_str().unwrap_or("?");
            let line = if expectation.expected.contains(" line ") {
                format!(" line {}", error["line"])
            } else {
                String::new()
            };
            if json["trace"].as_array().is_none_or(Vec::is_empty) {
                return Err(format!("{what}: a bug without a trace"));
            }
            format!("bug {kind}{line}")
        }
        Some(other) => other.to_owned(),
        None => return Err(format!("{what}: no verdict: {text}")),
    };
    let status = match found.split(' ').next() {
        Some("safe") => 0,
        Some("bug") => 1,
        _ => 3,
    };
    if found != expectation.expected {
        return Err(format!(
            "{what}: expected {}, found {found} ({})",
            expectation.expected, json["summary"]
        ));
    }
    if output.status.code() != Some(status) {
        return Err(format!(
            "{what}: {found} with exit status {:?}",
            output.status.code()
        ));
    }
    Ok(())
}

#[test]
fn every_example_has_its_verdict() {
    let all = files().into_iter().flat_map(|file| expectations(&file));
    let all: Vec<Expectation> = all.collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(one) =
                    all.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    if let Err(failure) = check(one) {
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} fail:\n{}",
        failures.len(),
        all.len(),
        failures.join("\n")
    );
}

#[test]
fn every_example_is_in_the_standard_format() {
    for file in files() {
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .arg("fmt")
            .arg(&file)
            .arg("--check")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}: {text}", file.display());
    }
}
