//! What a person can type: the table of commands, and how a line is read as one of them.

use std::fmt::Write as _;

use base::suggest::closest;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// This many steps forwards.
    Step(usize),
    /// This many steps backwards.
    Back(usize),
    /// To the moment after that step.
    Goto(usize),
    /// To the next switch.
    Next,
    /// To the last switch.
    Previous,
    /// Forwards to a break.
    Continue,
    /// Backwards to a break.
    Reverse,
    /// Breaks on a line; without one lists the breaks.
    Break(Option<Place>),
    /// Breaks on a change.
    Watch(String),
    /// Forgets a break, or all.
    Delete(Option<usize>),
    /// Shows a value; without a name all that can be seen.
    Print(Option<String>),
    Globals,
    /// Shows a task's locals.
    Locals(Option<u32>),
    Tasks,
    List(Option<Place>),
    /// Says again where we are.
    Where,
    /// Shows the whole trace.
    Trace,
    Help(Option<String>),
    Quit,
}

/// A line that the user names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file; with `None`, the program's first one.
    pub file: Option<String>,
    pub line: u32,
}

/// Name, short form, operand, what it does.
type Row = (&'static str, &'static str, &'static str, &'static str);

const TABLE: [Row; 19] = [
    ("step", "s", "[N]", "one step forwards, or N"),
    ("back", "b", "[N]", "one step backwards, or N"),
    (
        "goto",
        "g",
        "N",
        "to the moment after step N; 0 is the start",
    ),
    (
        "next",
        "n",
        "",
        "to the next switch: where another task goes on",
    ),
    ("previous", "", "", "to the last switch"),
    (
        "continue",
        "c",
        "",
        "forwards to the next break, or to the end",
    ),
    (
        "reverse",
        "r",
        "",
        "backwards to the last break, or to the start",
    ),
    (
        "break",
        "",
        "[LINE]",
        "break at the steps of a line (12, queue.async:12); without one: list the breaks",
    ),
    (
        "watch",
        "w",
        "VARIABLE",
        "break where a variable changes: x, a[2], or a local as proc.name",
    ),
    ("delete", "d", "[N]", "forget break N, or all"),
    (
        "print",
        "p",
        "[NAME]",
        "the value of x, a[2], r.field or proc.local; without a name: all globals, and the locals here",
    ),
    ("globals", "", "", "the values of all globals"),
    (
        "locals",
        "",
        "[TASK]",
        "the locals of the task that acts here, or of that one",
    ),
    ("tasks", "t", "", "where each task is"),
    (
        "list",
        "l",
        "[LINE]",
        "the source around this step, or around a line",
    ),
    ("where", "", "", "say again where we are"),
    ("trace", "", "", "the whole trace"),
    (
        "help",
        "h",
        "[COMMAND]",
        "this list, or what one command does",
    ),
    ("quit", "q", "", "end"),
];

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|row| row.0)
}

/// The table as text, or one row of it.
pub fn help(name: Option<&str>) -> Result<String, String> {
    let only = name.map(resolve).transpose()?;
    let mut out = String::new();
    for (name, short, operand, text) in TABLE {
        if only.is_none_or(|o| o == name) {
            let synopsis = format!("{name} {operand}");
            let short = if short.is_empty() {
                String::new()
            } else {
                format!("{short},")
            };
            let _ = writeln!(out, "  {short:3}{synopsis:16} {text}");
        }
    }
    if only.is_none() {
        out.push_str(
            "Commands can be shortened. At the prompt an empty line repeats the last one.\n",
        );
    }
    Ok(out)
}

/// The full name of a command that may be shortened.
fn resolve(word: &str) -> Result<&'static str, String> {
    let exact = |row: &&Row| row.0 == word || (!row.1.is_empty() && row.1 == word);
    if let Some(row) = TABLE.iter().find(exact) {
        return Ok(row.0);
    }
    let begun: Vec<&str> = (TABLE.iter().map(|r| r.0))
        .filter(|name| name.starts_with(word))
        .collect();
    match begun.as_slice() {
        [one] => return Ok(one),
        [] => {}
        several => return Err(format!("`{word}` may be {}", several.join(" or "))),
    }
    let near = closest(word, TABLE.iter().map(|r| r.0));
    Err(match near {
        Some(near) => format!("there is no command `{word}`; did you mean `{near}`?"),
        None => format!("there is no command `{word}`; `help` lists them"),
    })
}

/// Reads a line.
///
/// # Errors
/// When it is no command, with what it may have meant.
pub fn parse(line: &str) -> Result<Command, String> {
    let (word, operand) = match line.trim().split_once(char::is_whitespace) {
        Some((word, operand)) => (word, operand.trim()),
        None => (line.trim(), ""),
    };
    let name = resolve(word)?;
    let takes = TABLE.iter().find(|r| r.0 == name).map_or("", |r| r.2);
    let given = (!operand.is_empty()).then_some(operand);
    if takes.is_empty() && given.is_some() {
        return Err(format!("`{name}` stands alone, without `{operand}`"));
    }
    let needed = || {
        given
            .map(str::to_owned)
            .ok_or(format!("write `{name} {takes}`"))
    };
    Ok(match name {
        "step" => Command::Step(number(name, takes, given)?.unwrap_or(1)),
        "back" => Command::Back(number(name, takes, given)?.unwrap_or(1)),
        "goto" => {
            let target = number(name, takes, given)?;
            Command::Goto(target.ok_or(format!("write `{name} {takes}`"))?)
        }
        "next" => Command::Next,
        "previous" => Command::Previous,
        "continue" => Command::Continue,
        "reverse" => Command::Reverse,
        "break" => Command::Break(place(name, takes, given)?),
        "watch" => Command::Watch(needed()?),
        "delete" => Command::Delete(number(name, takes, given)?),
        "print" => Command::Print(given.map(str::to_owned)),
        "globals" => Command::Globals,
        "locals" => Command::Locals(number(name, takes, given)?),
        "tasks" => Command::Tasks,
        "list" => Command::List(place(name, takes, given)?),
        "where" => Command::Where,
        "trace" => Command::Trace,
        "help" => Command::Help(given.map(str::to_owned)),
        _ => Command::Quit,
    })
}

fn number<T: std::str::FromStr>(
    name: &str,
    takes: &str,
    given: Option<&str>,
) -> Result<Option<T>, String> {
    let wrong = |text| format!("`{text}` is not a number: write `{name} {takes}`");
    given
        .map(|text| text.parse().map_err(|_| wrong(text)))
        .transpose()
}

/// `12`, or `queue.async:12`.
fn place(name: &str, takes: &str, given: Option<&str>) -> Result<Option<Place>, String> {
    let (file, line) = match given.and_then(|text| text.rsplit_once(':')) {
        Some((file, line)) => (Some(file.trim().to_owned()), Some(line.trim())),
        None => (None, given),
    };
    let line = number(name, takes, line)?;
    Ok(line.map(|line| Place { file, line }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_shortened_and_misspelt() {
        assert_eq!(parse("s"), Ok(Command::Step(1)));
        assert_eq!(parse(" step  3 "), Ok(Command::Step(3)));
        assert_eq!(parse("cont"), Ok(Command::Continue));
        assert_eq!(parse("p a[2]"), Ok(Command::Print(Some("a[2]".into()))));
        assert_eq!(parse("break"), Ok(Command::Break(None)));
        for (wrong, message) in [
            ("stpe", "did you mean `step`?"),
            ("xyzzy", "`help` lists them"),
            ("l x", "`x` is not a number: write `list [LINE]`"),
            ("goto", "write `goto N`"),
            ("watch", "write `watch VARIABLE`"),
            ("next 3", "`next` stands alone"),
            ("re 1", "`reverse` stands alone"),
            ("tra x", "`trace` stands alone"),
            ("t x", "`tasks` stands alone"),
            ("", "may be step or back"),
        ] {
            let error = parse(wrong).unwrap_err();
            assert!(error.contains(message), "{wrong}: {error}");
        }
    }

    #[test]
    fn every_command_is_explained_and_reachable() {
        let all = help(None).unwrap();
        for (name, short, ..) in TABLE {
            assert!(all.contains(name));
            assert_eq!(resolve(name), Ok(name));
            assert!(short.is_empty() || resolve(short) == Ok(name), "{short}");
            assert_eq!(help(Some(name)).unwrap().lines().count(), 1, "{name}");
        }
        assert!(help(Some("stepp")).unwrap_err().contains("step"));
    }
}
