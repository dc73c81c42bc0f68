//! Any SMT-LIB 2 solver as a process: it gets a script on standard input and has until the deadline to answer.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::work;

use super::solve::{Outcome, Unknown};

/// What a solver said: its verdict, and the rest of its output.
pub struct Reply {
    /// Sat, unsat or not.
    pub outcome: Outcome,
    /// What followed.
    pub rest: String,
}

/// How many bytes of an answer are read: no model is as long, and one that never ends must not fill the memory.
const LONGEST: u64 = 1 << 26;

/// Runs a solver on a script.
#[must_use]
pub fn ask(command: &str, script: &str, deadline: Instant) -> Reply {
    match run(command, script, deadline) {
        Ok(output) => read(command, &output),
        Err(unknown) => Reply {
            outcome: Outcome::Unknown(unknown),
            rest: String::new(),
        },
    }
}

fn run(command: &str, script: &str, deadline: Instant) -> Result<String, Unknown> {
    let mut words = command.split_whitespace();
    let failed = |what: String| Unknown::Incomplete(format!("the solver `{command}` {what}"));
    let program = words
        .next()
        .ok_or_else(|| failed("is no command".to_owned()))?;
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(format!("cannot be started: {error}")))?;
    let output = talk(&mut child, script, deadline);
    // It may have ended by itself; a dead process is what is wanted.
    drop(child.kill());
    drop(child.wait());
    output.ok_or(Unknown::Time)
}

/// Writes the script and reads the answer, each in a thread of its own, so that neither can block for ever.
fn talk(child: &mut Child, script: &str, deadline: Instant) -> Option<String> {
    let (mut stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
    let script = script.to_owned();
    // A solver that stops reading has its reasons; its answer counts.
    std::thread::spawn(move || drop(stdin.write_all(script.as_bytes())));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(LONGEST).read_to_end(&mut bytes);
        drop(sender.send(read.map(|_| String::from_utf8_lossy(&bytes).into_owned())));
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

fn read(command: &str, output: &str) -> Reply {
    let output = output.trim_start();
    let (first, rest) = output.split_once('\n').unwrap_or((output, ""));
    let outcome = match first.trim() {
        "sat" => Outcome::Sat,
        "unsat" => Outcome::Unsat,
        "" => Outcome::Unknown(Unknown::Incomplete(format!(
            "the solver `{command}` says nothing"
        ))),
        other => {
            let short: String = other.chars().take(120).collect();
            Outcome::Unknown(Unknown::Incomplete(format!(
                "the solver `{command}` says `{short}`"
            )))
        }
    };
    Reply {
        outcome,
        rest: rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_that_misbehave_are_bounded() {
        let soon = || Instant::now() + Duration::from_millis(300);
        assert_eq!(
            ask("sleep 100", "(check-sat)", soon()).outcome,
            Outcome::Unknown(Unknown::Time)
        );
        for command in ["no-such-solver-anywhere", "true", "echo error", ""] {
            let outcome = ask(command, "(check-sat)", soon()).outcome;
            assert!(
                matches!(outcome, Outcome::Unknown(Unknown::Incomplete(_))),
                "{command}: {outcome:?}"
            );
        }
        assert_eq!(
            ask("echo unsat", "(check-sat)", soon()).outcome,
            Outcome::Unsat
        );
    }
}
