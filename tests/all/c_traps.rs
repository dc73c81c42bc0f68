//! What is easily got wrong about C programs: one small program each, with its verdict in its first lines.
//!
//! `// verdict:` is `safe`, `proved`, `bug KIND`, `inconclusive` or `refused`; `// options:` are added to the command, where
//! `--verify` asks for verification instead of exploring.

use std::path::{Path, PathBuf};
use std::process::Command;

struct Trap {
    name: String,
    verdict: String,
    options: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/traps")
}

fn traps() -> Vec<Trap> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("a file").path())
        .collect();
    names.sort();
    names.iter().map(|path| trap(path)).collect()
}

fn trap(path: &Path) -> Trap {
    let text = std::fs::read_to_string(path).expect("text");
    let line = |key: &str| {
        text.lines()
            .find_map(|l| l.strip_prefix(key))
            .map(str::trim)
    };
    let options = line("// options:").unwrap_or_default();
    Trap {
        name: path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned(),
        verdict: line("// verdict:").expect("a verdict").to_owned(),
        options: options.split_whitespace().map(str::to_owned).collect(),
    }
}

/// Exit status and error kind.
fn verdict(trap: &Trap, more: &[&str]) -> String {
    let verify = trap.options.iter().any(|o| o == "--verify");
    let options = trap.options.iter().filter(|o| *o != "--verify");
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .arg(if verify { "verify" } else { "explore" })
        .arg(&trap.name)
        .args(["--format", "json", "--timeout", "120"])
        .args(options)
        .args(more)
        .current_dir(folder())
        .output()
        .expect("it runs");
    let answer: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or(serde_json::Value::Null);
    match output.status.code() {
        Some(0) => answer["verdict"].as_str().unwrap_or("?").to_owned(),
        Some(1) => format!("bug {}", answer["error"]["kind"].as_str().unwrap_or("?")),
        Some(2) => "refused".to_owned(),
        Some(3) => "inconclusive".to_owned(),
        other => format!("exit {other:?}"),
    }
}

/// The traps whose number has this rest, so that several tests share them.
fn no_trap_catches(part: usize) {
    let wrong: Vec<String> = (traps().iter().enumerate())
        .filter(|(number, _)| number % 4 == part)
        .filter_map(|(_, trap)| {
            let found = verdict(trap, &[]);
            (found != trap.verdict).then(|| format!("{}: {found}, not {}", trap.name, trap.verdict))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_trap_of_the_first_part_catches() {
    no_trap_catches(0);
}

#[test]
fn no_trap_of_the_second_part_catches() {
    no_trap_catches(1);
}

#[test]
fn no_trap_of_the_third_part_catches() {
    no_trap_catches(2);
}

#[test]
fn no_trap_of_the_fourth_part_catches() {
    no_trap_catches(3);
}

/// Every execution of a closed program, one of each trace, comes to the same verdict as the states do. (Of several things that are wrong
/// it may tell a race before the others.)
#[test]
fn executions_and_states_agree() {
    let closed = |t: &&Trap| {
        let other = ["--verify", "--races", "no-data-race"];
        let asked = !t.options.iter().any(|o| other.contains(&o.as_str()));
        // A loop that polls has executions without end.
        asked && t.verdict != "refused" && !t.name.contains("spin") && !t.name.starts_with("04")
    };
    let wrong: Vec<String> = traps()
        .iter()
        .filter(closed)
        .filter_map(|trap| {
            let found = verdict(trap, &["--strategy", "dpor"]);
            let racy = found == "bug race" && trap.verdict.starts_with("bug");
            (!racy && found != trap.verdict)
                .then(|| format!("{}: {found}, not {}", trap.name, trap.verdict))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What orders weaker than ours would show is not found: a verdict without a bug says so where the program names one.
#[test]
fn weak_orders_are_told() {
    let ask = |name: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .args(["explore", name])
            .current_dir(folder())
            .output()
            .expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let told = ask("21_store_buffers_are_not_modelled.c");
    assert!(told.contains(":9: `memory_order_relaxed`"), "{told}");
    let place = tempfile::tempdir().unwrap();
    let weak = place.path().join("weak.c");
    let text = "#include <stdatomic.h>\natomic_int x; int main(int n, char **a) {\natomic_store(&x, 1);\n\
        atomic_load_explicit(&x, memory_order_acquire);\natomic_load_explicit(&x, n ? 5 : 0); }";
    std::fs::write(&weak, text).unwrap();
    let told = ask(weak.to_str().unwrap());
    assert!(told.contains("weak.c:4: `memory_order_acquire`"), "{told}");
    let silent = ask("08i_tag_beside_the_pointer.c");
    assert!(!silent.contains("memory_order"), "{silent}");
}
