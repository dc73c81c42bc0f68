//! Mistakes that a checker of C easily makes: one small program each, with its verdict in its first lines.
//!
//! `// verdict:` is `safe`, `proved`, `bug KIND`, `inconclusive` or `refused`; `// options:` are added to the command, where
//! `--verify` asks for verification instead of exploring. `// c11:` is what is said of C11's memory.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Trap {
    name: String,
    verdict: String,
    options: Vec<String>,
    /// What the answer says about C11's memory.
    c11: Option<String>,
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
        c11: line("// c11:").map(str::to_owned),
    }
}

fn ask(trap: &Trap, more: &[&str]) -> Output {
    let verify = trap.options.iter().any(|o| o == "--verify");
    let options = trap.options.iter().filter(|o| *o != "--verify");
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .arg(if verify { "verify" } else { "explore" })
        .arg(&trap.name)
        .args(["--format", "json", "--timeout", "120"])
        .args(options)
        .args(more)
        .current_dir(folder())
        .output()
        .expect("it runs")
}

fn answer(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or(serde_json::Value::Null)
}

/// Exit status and error kind.
fn verdict(trap: &Trap, more: &[&str]) -> String {
    let output = ask(trap, more);
    let answer = answer(&output);
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

/// Whether executions of a trap can be looked at one by one.
fn closed(t: &&Trap) -> bool {
    let other = ["--verify", "--races", "no-data-race"];
    let asked = !t.options.iter().any(|o| other.contains(&o.as_str()));
    // A loop that polls has executions without end.
    asked && t.verdict != "refused" && !t.name.contains("spin") && !t.name.starts_with("04")
}

/// The search of executions, one of each trace, comes to the same verdict on a closed program as the search of states. (If several things
/// are wrong, it may report a race first.) The next test is about programs without a bug.
#[test]
fn executions_and_states_agree() {
    let wrong: Vec<String> = traps()
        .iter()
        .filter(|t| closed(t) && t.verdict != "safe")
        .filter_map(|trap| {
            let found = verdict(trap, &["--strategy", "dpor"]);
            let racy = found == "bug race" && trap.verdict.starts_with("bug");
            (!racy && found != trap.verdict)
                .then(|| format!("{}: {found}, not {}", trap.name, trap.verdict))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Executions, one of each trace, find no bug either, and end in as many states as the search of states finds, and in the same ones.
#[test]
fn executions_and_states_end_alike() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c-programs");
    let examples = std::fs::read_dir(&examples).expect("the folder is there");
    let examples = examples.map(|e| e.expect("a file").path()).filter(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".c") && !name.ends_with("_bug.c") && !name.ends_with("_race.c")
    });
    let examples = examples.map(|path| Trap {
        name: path.to_string_lossy().into_owned(),
        verdict: "safe".to_owned(),
        options: Vec::new(),
        c11: None,
    });
    let safe = traps().into_iter().filter(|t| t.verdict == "safe");
    let (mut wrong, mut compared, mut by_one) = (Vec::new(), 0, Vec::new());
    for trap in safe.filter(|t| closed(&t)).chain(examples) {
        let [states, executions] = ["stateful", "dpor"].map(|strategy| {
            let answer = answer(&ask(&trap, &["--finals", "--strategy", strategy]));
            if answer["verdict"] != "safe" {
                wrong.push(format!("{}: {strategy}: {}", trap.name, answer["verdict"]));
            }
            let finals = answer["finals"].as_array().into_iter().flatten();
            let mut finals: Vec<String> = finals.map(ToString::to_string).collect();
            finals.sort();
            let open = answer["open_finals"].as_array().map_or(0, Vec::len);
            (finals, open)
        });
        // If values are open, neither search knows the final states.
        compared += usize::from(!states.0.is_empty());
        if states.1 != executions.1 {
            let [states, executions] = [states, executions].map(|(known, open)| known.len() + open);
            by_one.push((trap.name, states, executions));
        } else if states.0 != executions.0 {
            let (states, executions) = (states.0.len(), executions.0.len());
            wrong.push(format!("{}: {states} and {executions}", trap.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Its values are settled by states within the trial with numbers, and by executions only with terms.
    assert_eq!(by_one, [("95_text_is_read.c".to_owned(), 1, 1)]);
    assert!(compared > 140, "{compared}");
}

/// A verdict without a bug says whether it holds for C11's memory, if data races were looked for.
#[test]
fn what_is_said_of_c11() {
    let mut wrong = Vec::new();
    for trap in traps() {
        let Some(expected) = &trap.c11 else { continue };
        let answer = answer(&ask(&trap, &[]));
        let notes = answer["notes"].as_array().into_iter().flatten();
        let notes = notes.filter_map(|note| note["message"].as_str());
        let said = notes
            .chain(answer["summary"].as_str())
            .any(|m| m.contains(expected.as_str()));
        let holds = match &answer["bounds"]["c11"] {
            serde_json::Value::Null => expected.contains("races"),
            holds => *holds == expected.starts_with("holds"),
        };
        if !(said && holds) {
            wrong.push(format!("{}: {answer:#}", trap.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
