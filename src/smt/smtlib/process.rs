//! Any SMT-LIB 2 solver as a process: it gets a script on standard input and has until the deadline to answer.

use std::io::{Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use base::clock::Instant;
use base::{child, work};

use crate::solve::Unknown;

/// How many bytes of an answer are read: no model is as long, and one that never ends must not fill the memory.
const LONGEST: u64 = 1 << 25;

/// How long a solver that has said everything may take to end, before it is killed.
const FAREWELL: Duration = Duration::from_millis(100);

/// Starts a solver, gives it the parts of a script, and returns what it prints.
///
/// # Errors
/// When it cannot be started, does not end in time, prints too much, or fails without a word, with the reason.
pub fn ask(command: &str, script: Vec<Arc<String>>, deadline: Instant) -> Result<String, Unknown> {
    let mut words = command.split_whitespace();
    let failed = |what: &str| Unknown::Incomplete(format!("the solver `{command}` {what}"));
    let program = words.next().ok_or_else(|| failed("is no command"))?;
    let mut child = child::command(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(&format!("cannot be started: {error}")))?;
    let output = talk(&mut child, script, deadline);
    let status = output.as_ref().and_then(|_| ended(&mut child));
    // The solver may have ended by itself, so these errors do not matter.
    drop(child.kill());
    drop(child.wait());
    let output = output.ok_or(Unknown::Time)?;
    if output.len() as u64 > LONGEST {
        let limit = LONGEST >> 20;
        return Err(failed(&format!("says more than {limit} MiB")));
    }
    let output = String::from_utf8_lossy(&output).into_owned();
    match status {
        Some(status) if output.trim().is_empty() && !status.success() => {
            Err(failed(&format!("says nothing and ends with {status}")))
        }
        _ => Ok(output),
    }
}

/// Writes the script and reads the answer, each in a thread of its own, so that neither can block for ever.
fn talk(child: &mut Child, script: Vec<Arc<String>>, deadline: Instant) -> Option<Vec<u8>> {
    let (mut stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
    // A solver may stop reading early: its answer still counts.
    thread::spawn(move || {
        let mut parts = script.iter();
        drop(parts.try_for_each(|part| stdin.write_all(part.as_bytes())));
    });
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(LONGEST + 1).read_to_end(&mut bytes);
        drop(sender.send(read.map(|_| bytes)));
    });
    loop {
        let left = deadline
            .saturating_duration_since(Instant::now())
            .clamp(Duration::from_millis(1), work::PULSE);
        match receiver.recv_timeout(left) {
            Ok(answer) => return answer.ok(),
            Err(RecvTimeoutError::Timeout) if Instant::now() < deadline && !work::stopping() => {}
            Err(_) => return None,
        }
    }
}

/// Waits a moment for a process that has closed its output. Returns how it ended.
fn ended(child: &mut Child) -> Option<ExitStatus> {
    let begin = Instant::now();
    while begin.elapsed() < FAREWELL {
        if let Some(status) = child.try_wait().ok()? {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(1));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_that_misbehave_are_bounded() {
        let ask = |command| {
            let soon = Instant::now() + Duration::from_millis(300);
            ask(command, vec![Arc::new("(check-sat)\n".to_owned())], soon)
        };
        assert_eq!(ask("sleep 100"), Err(Unknown::Time));
        for command in ["no-such-solver-anywhere", "false", ""] {
            let answer = ask(command);
            assert!(
                matches!(answer, Err(Unknown::Incomplete(_))),
                "{command}: {answer:?}"
            );
        }
        assert_eq!(ask("true"), Ok(String::new()));
        assert_eq!(ask("echo unsat"), Ok("unsat\n".to_owned()));
        assert_eq!(ask("cat"), Ok("(check-sat)\n".to_owned()));
    }
}
