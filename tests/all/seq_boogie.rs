//! The real Boogie decides the output of `--emit-boogie`, with the verdict that the examples expect.
//!
//! Runs where `boogie` is installed (Debian: `apt-get install boogie z3`) and says so where it is not. The
//! ordinary run takes a few quick examples; `SEQ_BOOGIE=all` takes all of them, and `SEQ_BOOGIE_SECONDS` bounds
//! each (60). A run that takes longer gives no verdict.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::options::PreemptMode;
use dbverify::options::Scheduler;
use dbverify::seq::print::{About, emit_boogie};
use dbverify::seq::{Budget, sequentialize};

/// Examples that Boogie decides in a few seconds: yields, awaits, objects, joins, arrays, machine integers, chains of
/// tasks, safe and broken.
const QUICK: [&str; 10] = [
    "print_two_threads",
    "print_two_threads_bug",
    "timeout_wrap",
    "timeout_wrap_bug",
    "producer_consumer_strict",
    "readers_writers_bug",
    "semaphore_handoff_bug",
    "bluetooth_stop",
    "bluetooth_stop_bug",
    "lost_wakeup_bug",
];

/// `// run: verify --delays 2 --scheduler rdfs` and the line behind it.
struct Expectation {
    delays: u32,
    unroll: u32,
    scheduler: Scheduler,
    preempt: Option<PreemptMode>,
    bug: bool,
}

fn expectations(text: &str) -> Vec<Expectation> {
    let lines: Vec<_> = text.lines().collect();
    let pairs = lines
        .windows(2)
        .filter(|w| w[0].starts_with("// run: verify"));
    pairs.filter_map(|w| expectation(w[0], w[1])).collect()
}

fn expectation(run: &str, expect: &str) -> Option<Expectation> {
    let words: Vec<_> = run.split_whitespace().collect();
    let value = |name: &str| words.iter().position(|w| *w == name).map(|i| words[i + 1]);
    let preempt = match value("--preempt") {
        None => None,
        Some("yield") => Some(PreemptMode::Yield),
        Some("statement") => Some(PreemptMode::Statement),
        Some(_) => Some(PreemptMode::Access),
    };
    Some(Expectation {
        delays: value("--delays").unwrap_or("2").parse().ok()?,
        unroll: value("--unroll").unwrap_or("4").parse().ok()?,
        scheduler: if value("--scheduler") == Some("rdfs") {
            Scheduler::ReverseDepthFirst
        } else {
            Scheduler::DepthFirst
        },
        preempt,
        bug: expect.starts_with("// expect: bug"),
    })
}

/// `Some(true)`: a bug; `None`: no verdict.
fn decide(file: &Path, program: &str, limit: Duration) -> Option<bool> {
    fs::write(file, program).expect("written");
    let command = program
        .lines()
        .find_map(|l| l.trim_start_matches(['/', ' ']).strip_prefix("boogie "))
        .expect("the head says how to run it");
    let mut child = Command::new("boogie")
        .args(command.split_whitespace().filter(|w| w.starts_with('/')))
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("boogie starts");
    let begin = Instant::now();
    while child.try_wait().expect("boogie runs").is_none() {
        if begin.elapsed() > limit {
            stop_with_its_solver(&mut child);
            child.wait().expect("boogie stops");
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("boogie has said something");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let summary = text.lines().rev().find(|l| l.contains("finished with"));
    let summary = summary.unwrap_or_else(|| panic!("no summary for {}:\n{text}", file.display()));
    if summary.contains("1 verified, 0 errors") {
        return Some(false);
    }
    let failed = summary.contains("0 verified") && summary.contains("error");
    (failed && !summary.contains("0 errors")).then_some(true)
}

/// Stops Boogie and its solver: the end of Boogie alone would leave the solver running.
fn stop_with_its_solver(boogie: &mut Child) {
    let group = format!("-{}", boogie.id());
    let stopped = Command::new("kill").args(["-KILL", "--", &group]).status();
    if !stopped.is_ok_and(|status| status.success()) {
        boogie.kill().expect("boogie can be stopped");
    }
}

fn installed() -> bool {
    Command::new("boogie")
        .arg("/version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

#[test]
#[allow(clippy::too_many_lines, reason = "one story")]
fn boogie_agrees() {
    if !installed() {
        println!("boogie is not installed: nothing was tested");
        return;
    }
    let all = std::env::var("SEQ_BOOGIE").is_ok_and(|v| v == "all");
    let seconds = std::env::var("SEQ_BOOGIE_SECONDS")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(60);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/async-programs");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("examples")
        .map(|f| f.expect("a file").path())
        .collect();
    files.sort();
    let temporary = tempfile::tempdir().expect("a folder");
    for file in files {
        let name = file
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if !all && !QUICK.contains(&name.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("text");
        for expected in expectations(&text) {
            let compiled = compile(
                &name,
                &text,
                &CheckOptions {
                    preempt: expected.preempt,
                },
            );
            let Some(program) = &compiled.program else {
                continue;
            };
            let sequential = sequentialize(
                program,
                Budget::unrolled(program, expected.delays, None, expected.unroll),
                expected.scheduler,
            );
            let about = About {
                file: &name,
                sources: &compiled.sources,
            };
            let boogie = emit_boogie(&sequential, about, expected.unroll);
            let target = temporary.path().join(format!("{name}.bpl"));
            match decide(&target, &boogie, Duration::from_secs(seconds)) {
                Some(bug) => assert_eq!(
                    bug, expected.bug,
                    "{name}, {} delays, {:?}",
                    expected.delays, expected.scheduler
                ),
                None => {
                    assert!(all, "{name}, {} delays: no verdict", expected.delays);
                    println!(
                        "{name}, {} delays, {:?}: no verdict",
                        expected.delays, expected.scheduler
                    );
                }
            }
        }
    }
}

/// A loop whose turns are loops of 4 turns. A variable has the name that the printer has for results.
const INSIDE: &str = "\
proc four(): int {
  var n: int := 0;
  while n < 4 { n := n + 1; if n == 9 { return 0; } }
  return n;
}
proc all(turns: int): int {
  var result, i: int := 0;
  while i < turns {
    i := i + 1;
    var n: int;
    call n := four();
    result := result + n;
    if result == 99 { return 0; }
  }
  return result;
}
proc main() { var sum: int; call sum := all(TURNS); assert sum != TOTAL; }
";

#[test]
fn each_loop_turns_as_often_as_is_said() {
    if !installed() {
        println!("boogie is not installed: nothing was tested");
        return;
    }
    let temporary = tempfile::tempdir().expect("a folder");
    let file = temporary.path().join("inside.bpl");
    let decided = |turns: u32, total: u32| {
        let text = INSIDE.replace("TURNS", &turns.to_string());
        let text = text.replace("TOTAL", &total.to_string());
        let compiled = compile("inside", &text, &CheckOptions::default());
        let program = compiled.program.as_ref().expect("it compiles");
        let budget = Budget::unrolled(program, 0, None, 4);
        let about = About {
            file: "inside",
            sources: &compiled.sources,
        };
        let sequential = sequentialize(program, budget, Scheduler::DepthFirst);
        let boogie = emit_boogie(&sequential, about, 4);
        decide(&file, &boogie, Duration::from_secs(60))
    };
    // All 4 turns of both are looked at.
    assert_eq!(decided(4, 16), Some(true));
    assert_eq!(decided(4, 15), Some(false));
    // The fifth turn is cut off.
    assert_eq!(decided(5, 20), Some(false));
}
