//! A counterexample step by step: forwards, backwards, to a place, with the values at each.
//!
//! [`command`] knows what can be typed, [`walk`] where a command leads, [`show`] how it looks;
//! this file knows where commands come from: a person at a prompt, or a script.

pub mod command;
mod prompt;
pub mod show;
pub mod walk;

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use options::Scheduler;
use report::Subject;
use report::style::Look;
use trace::Bug;
use trace::Trace;

use super::input;
use super::output;

use command::{Command, parse};
use prompt::Prompt;
use walk::Walk;

#[derive(Clone, Copy)]
pub struct Replayed<'a> {
    /// The program, its sources, the answer.
    pub subject: &'a Subject<'a>,
    pub scheduler: Scheduler,
    pub trace: &'a Trace,
    pub bug: Option<&'a Bug>,
}

/// Where commands come from.
pub enum Commands {
    Prompt,
    /// A text, and its name.
    Script(String, String),
}

/// Finds where commands come from, if there are any. Without a script, looks at standard input only if that is `free`.
///
/// # Errors
/// When the script cannot be read.
pub fn commands(script: Option<&Path>, free: bool) -> Result<Option<Commands>, String> {
    if let Some(path) = script {
        let input = input::read(&path.to_string_lossy())?;
        return Ok(Some(Commands::Script(input.name, input.text.to_string())));
    }
    if !free {
        return Ok(None);
    }
    if io::stdin().is_terminal() {
        return Ok(io::stdout().is_terminal().then_some(Commands::Prompt));
    }
    Ok(piped().map(|text| Commands::Script("<stdin>".to_owned(), text)))
}

/// A pipe that stays open and silent for this long brings no commands.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads what a pipe or a file on standard input brings. Returns `None` if it brings nothing.
fn piped() -> Option<String> {
    if !brings_text() {
        return None;
    }
    let (sender, receiver) = mpsc::channel();
    // If nothing comes, this thread is left behind: there is no other way to stop reading.
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let first = receiver.recv_timeout(PATIENCE).ok()?;
    let lines: Vec<String> = std::iter::once(first).chain(receiver).collect();
    Some(lines.join("\n"))
}

/// Whether standard input is a pipe or a file, rather than nothing or a device.
#[cfg(unix)]
fn brings_text() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let Ok(copy) = io::stdin().as_fd().try_clone_to_owned() else {
        return false;
    };
    let kind = std::fs::File::from(copy).metadata().map(|m| m.file_type());
    kind.is_ok_and(|k| k.is_fifo() || k.is_file())
}

#[cfg(not(unix))]
fn brings_text() -> bool {
    false
}

/// Runs commands to their end.
///
/// # Errors
/// A wrong command of a script, with its place.
pub fn run(replayed: Replayed<'_>, commands: Commands, look: Look) -> Result<(), String> {
    let mut walk = Walk::new(replayed, look);
    match commands {
        Commands::Prompt => {
            converse(&mut walk);
            Ok(())
        }
        Commands::Script(name, text) => script(&mut walk, &name, &text),
    }
}

fn script(walk: &mut Walk<'_>, name: &str, text: &str) -> Result<(), String> {
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        output::print(&format!("> {line}\n"));
        let said = parse(line).and_then(|command| match command {
            Command::Quit => Ok(None),
            command => walk.perform(&command).map(Some),
        });
        match said.map_err(|message| format!("{name}:{number}: {message}"))? {
            Some(text) => output::print(&text),
            None => break,
        }
    }
    Ok(())
}

fn converse(walk: &mut Walk<'_>) {
    output::print(&walk.greeting());
    let mut last = String::new();
    let Ok(mut prompt) = Prompt::new(walk.names()) else {
        return;
    };
    while let Some(line) = prompt.line() {
        if !line.trim().is_empty() {
            last = line;
        } else if last.is_empty() {
            continue;
        }
        let said = match parse(&last) {
            Ok(Command::Quit) => return,
            Ok(command) => walk.perform(&command),
            Err(message) => Err(message),
        };
        output::print(&said.unwrap_or_else(|message| format!("{message}\n")));
    }
}
