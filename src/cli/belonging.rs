//! Explains options at the wrong command, in our own words instead of the parser's.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Explains an option that a command does not have: names the commands that have it. Returns any other error as it is.
pub fn explained(error: Error, asked: Option<&str>, definition: Command) -> Error {
    let unknown = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(name))) => name.clone(),
        _ => return error,
    };
    let name = unknown.split('=').next().unwrap_or_default();
    let message = asked.and_then(|asked| elsewhere(name, asked, &definition));
    match (message, asked) {
        (Some(message), Some(asked)) => {
            complaint(ErrorKind::UnknownArgument, &message, asked, definition)
        }
        _ => error,
    }
}

/// An error with the usage of the command that was asked for.
pub fn complaint(kind: ErrorKind, message: &str, asked: &str, mut definition: Command) -> Error {
    definition.build();
    let command = match definition.find_subcommand_mut(asked) {
        Some(command) => command,
        None => &mut definition,
    };
    command.error(kind, message)
}

/// Says to which other commands an option belongs.
fn elsewhere(name: &str, asked: &str, definition: &Command) -> Option<String> {
    let long = name.strip_prefix("--")?;
    let has = |command: &&Command| {
        let mut options = command.get_arguments();
        options.any(|option| option.get_long() == Some(long))
    };
    let owners = definition.get_subcommands().filter(has);
    let owners: Vec<String> = owners.map(|c| shown(c.get_name(), name)).collect();
    (!owners.is_empty()).then(|| {
        format!(
            "{} has no {name}; it belongs to {}",
            title(asked),
            owners.join(" and ")
        )
    })
}

fn title(command: &str) -> String {
    if command == "verify" {
        "verification".to_owned()
    } else {
        format!("`dbverify {command}`")
    }
}

fn shown(command: &str, option: &str) -> String {
    if command == "verify" {
        format!("verification (`dbverify FILE {option}`)")
    } else {
        format!("`dbverify {command} FILE {option}`")
    }
}
