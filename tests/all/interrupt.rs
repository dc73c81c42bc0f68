//! Ctrl-C: the work stops, the answer has what is known by then, and the exit status tells of the interrupt.
#![cfg(target_os = "linux")]

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Two factors of a prime: there are none, and a solver needs hours to be sure.
const HARD: &str = "\
proc main() {
  var x: u32;
  var y: u32;
  assume x > 1 && y > 1;
  assert u64(x) * u64(y) != 9223372036854775783;
}
";

/// More states than anybody has time for.
const MANY: &str = "\
var x: int := 0;
proc count(me: int) {
  for i in 1..1000 { yield; x := (x * 31 + me) % 1000003; }
}
proc main() {
  for i in 0..11 { post count(i); }
}
";

fn start(folder: &tempfile::TempDir, program: &str, args: &[&str]) -> Child {
    let path = folder.path().join("p.async");
    std::fs::write(&path, program).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_it_listens(child.id());
    child
}

/// Waits until the process handles the signal. Before that, a signal just ends it.
fn wait_until_it_listens(pid: u32) {
    let begin = Instant::now();
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:"))?;
        let mask = u64::from_str_radix(caught.trim(), 16).ok()?;
        (mask & 2 != 0).then_some(())
    };
    while listens().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no handler");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Waits until the work is under way, on a busy machine, too. A process that waits for another solver does none.
    wait_until_it_worked(pid, 400, 3);
}

/// Waits until a process has been busy for so many milliseconds, or until so many seconds are over.
fn wait_until_it_worked(pid: u32, millis: u64, seconds: u64) {
    let begin = Instant::now();
    while worked(pid) < Duration::from_millis(millis)
        && begin.elapsed() < Duration::from_secs(seconds)
    {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// How long a process has been busy.
fn worked(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // Behind the name: the 14th and 15th field are ticks of a hundredth of a second.
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn press(child: &Child) {
    signal("-INT", child);
}

fn signal(which: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([which, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

fn interrupted(program: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let child = start(&folder, program, args);
    press(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{args:?}: {output:?}");
    output
}

#[test]
fn the_solver_is_interrupted() {
    let output = interrupted(HARD, &["--delays", "0..3"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("inconclusive: interrupted"), "{text}");
}

/// The engines have had a turn each, and one of them looks for a proof.
#[test]
fn an_interrupt_is_told_in_later_turns_too() {
    for work in [1600, 2600] {
        let folder = tempfile::tempdir().unwrap();
        let child = start(&folder, HARD, &[]);
        wait_until_it_worked(child.id(), work, 60);
        press(&child);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("inconclusive: interrupted"), "{text}");
    }
}

#[test]
fn an_exploration_is_interrupted_and_tells_what_it_has_seen() {
    for more in [
        &[][..],
        &["--strategy", "dpor"],
        &["--strategy", "stateless"],
        &["--jobs", "2"],
    ] {
        let args = [&["explore", "--format", "json"], more].concat();
        let output = interrupted(MANY, &args);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["verdict"], "inconclusive");
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.contains("interrupted"), "{reason}");
        assert!(
            answer["stats"]["transitions"].as_u64().unwrap() > 0,
            "{answer}"
        );
    }
}

#[test]
fn another_solver_is_interrupted() {
    let output = interrupted(HARD, &["--solver", "sleep 1000"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("interrupted"), "{text}");
}

#[test]
fn a_second_time_ends_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let child = start(&folder, HARD, &[]);
    press(&child);
    press(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
}

#[test]
fn progress_is_shown_on_a_terminal_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.async");
    std::fs::write(&path, HARD).unwrap();
    let program = env!("CARGO_BIN_EXE_dbverify");
    let command = format!("{program} {} --timeout 5", path.display());
    let piped = Command::new("sh").args(["-c", &command]).output().unwrap();
    assert_eq!(piped.status.code(), Some(3), "{piped:?}");
    assert!(piped.stderr.is_empty(), "{piped:?}");
    // `script` gives it a terminal, where there is such a thing.
    let typescript = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .stdin(Stdio::null())
        .output();
    if let Ok(shown) = typescript {
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        // The load decides when the line is first shown, and which engine has its turn then.
        let shown = text.split_once("\u{1b}[K").map(|(_, line)| line);
        let seconds = shown
            .and_then(|line| line.split_once(" s: "))
            .map(|(n, _)| n);
        assert!(seconds.is_some_and(|n| n.parse::<u64>().is_ok()), "{text}");
        assert!(text.contains("inconclusive"), "{text}");
    }
}

/// The compiler that preprocesses, and the processes that it has started, end with the command. No folder is left.
#[test]
fn a_preprocessor_without_end_is_ended() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (pid, temporary) = (folder.path().join("pid"), folder.path().join("tmp"));
    std::fs::create_dir(&temporary).unwrap();
    std::fs::write(folder.path().join("p.c"), "int main() {}\n").unwrap();
    let compiler = folder.path().join("cc");
    std::fs::write(
        &compiler,
        format!(
            "#!/bin/sh\nsleep 100 &\necho $! > {}\nwait\n",
            pid.display()
        ),
    )
    .unwrap();
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (timeout, status) in [("1", 3), ("100", 130)] {
        let child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .args(["explore", "p.c", "--timeout", timeout, "--cc"])
            .arg(&compiler)
            .current_dir(folder.path())
            .env("TMPDIR", &temporary)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !pid.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        if status == 130 {
            wait_until_it_listens(child.id());
            press(&child);
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let sleeper = std::fs::read_to_string(&pid).unwrap();
        let state = std::fs::read_to_string(format!("/proc/{}/stat", sleeper.trim()));
        assert!(
            state.is_err() || state.unwrap().contains(") Z "),
            "it goes on"
        );
        assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
        std::fs::remove_file(&pid).unwrap();
    }
}

/// The processes that a process has started and that still run.
fn started_by(pid: u32) -> Vec<String> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let names = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| parent(name) == Some(pid)).collect()
}

/// The parent of a process that runs.
fn parent(pid: &str) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    (fields.next()? != "Z").then_some(())?;
    fields.next()?.parse().ok()
}

/// Whatever ends dbverify, a solver and a compiler do not go on.
#[test]
fn what_it_has_started_ends_with_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("p.async"), HARD).unwrap();
    std::fs::write(at("p.c"), "int main() {}\n").unwrap();
    std::fs::write(at("cc"), "#!/bin/sh\nexec sleep 1000\n").unwrap();
    std::fs::set_permissions(at("cc"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let solver = ["--engine", "smt", "--solver", "sleep 1000", &at("p.async")];
    for args in [&solver[..], &["check", "--cc", &at("cc"), &at("p.c")]] {
        for which in ["-TERM", "-KILL"] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
                .args(args)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let begin = Instant::now();
            let mut own = Vec::new();
            while own.is_empty() {
                assert!(begin.elapsed() < Duration::from_secs(60), "{args:?}");
                std::thread::sleep(Duration::from_millis(10));
                own = started_by(child.id());
            }
            // Gives the child time to come to `exec`, which keeps its request to end with its parent.
            std::thread::sleep(Duration::from_millis(100));
            signal(which, &child);
            child.wait().unwrap();
            let begin = Instant::now();
            while own.iter().any(|pid| parent(pid).is_some()) {
                assert!(
                    begin.elapsed() < Duration::from_secs(20),
                    "{which} {args:?}"
                );
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// The output tells of the runs that were done before the interrupt.
#[test]
fn tests_that_are_interrupted_say_what_was_done() {
    let folder = tempfile::tempdir().unwrap();
    let easy = "// run: explore\n// expect: safe\nproc main() {}\n";
    std::fs::write(folder.path().join("a.async"), easy).unwrap();
    let hard = format!("// run: explore --timeout 1000\n// expect: safe\n{MANY}");
    std::fs::write(folder.path().join("b.async"), hard).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["test", "--jobs", "1"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let first = lines.next().unwrap().unwrap();
    assert!(
        first.starts_with("ok") && first.contains("a.async"),
        "{first}"
    );
    press(&child);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    let said = rest.join("\n");
    assert!(said.contains("1 run in 2 files: 1 as expected"), "{said}");
    assert!(
        said.contains("inconclusive: interrupted: 1 of 2 runs were done"),
        "{said}"
    );
}

#[test]
fn a_search_of_a_program_that_runs_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int x;\n\
                static void *run(void *arg) {\n  for (int i = 0; i < 30; i++) {\n    pthread_mutex_lock(&m);\n    x++;\n    \
                pthread_mutex_unlock(&m);\n  }\n  return arg;\n}\nint main(void) {\n  pthread_t t[3];\n  \
                for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);\n  \
                for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n  return 0;\n}\n";
    std::fs::write(folder.path().join("p.c"), text).unwrap();
    let dbverify = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        command.args(args).current_dir(folder.path());
        command
    };
    let built = dbverify(&["cc", "gcc", "-O1", "p.c", "-o", "p", "-pthread"]).status();
    assert!(built.unwrap().success());
    let child = dbverify(&["run", "--strategy", "dpor", "--timeout", "1000", "./p"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_it_listens(child.id());
    press(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("inconclusive: interrupted: no bug in "),
        "{text}"
    );
}
